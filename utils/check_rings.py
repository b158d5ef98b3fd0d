#!/usr/bin/env python3
# Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random rings of buffers in structured loops and in blocks.

    check_rings.py FIRST COUNT

For each of the seeds FIRST, FIRST + 1, … makes an SPMD kernel: loops, one behind or
inside another one, whose end is known, an argument or data, access slots of rings by
their counters, here and there under conditions that are the same in all threads or
not. Barriers are inserted and verified in the kernel and in what
-convert-scf-to-cf makes of it, and both are run with three inputs in four thread
orders. One line for each kernel that is not ok, then how many there are of each
status:

    status seed scf=[EXECUTED BARRIERS] cf=[EXECUTED BARRIERS]

status: ok | race | unverified (a hazard is left, for the verifier) | error (nothing
was run) | refused (in one form: blocks cannot be split between the sides of a branch) |
more (barriers in blocks). Exit status 1 for
the first three faults.
"""
import collections
import os
import random
import re
import subprocess
import sys
import tempfile

CHIP = "gfx942"
# Where the data ends a loop, and the argument that does.
INPUTS = [(17, 7), (5, 6), (3, 3)]


class KernelText:
    """Lines of a kernel, and names of its values."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.names = 0
        self.lines = []

    def __str__(self):
        return "\n".join(self.lines) + "\n"

    def add(self, line):
        self.lines.append(line)

    def new(self, prefix="%v"):
        self.names += 1
        return f"{prefix}{self.names}"

    def add_op(self, text):
        value = self.new()
        self.add(f"{value} = {text}")
        return value


class Kernel(KernelText):
    """Text of the kernel of one seed."""

    def __init__(self, seed):
        super().__init__(seed)
        self.threads = self.random.choice([32, 64, 128])
        self.slots = [
            self.random.choice([2, 3, 4, 5, 6])
            for _ in range(self.random.choice([1, 1, 2]))
        ]
        x = f"memref<64x{self.threads}xf32>"
        self.add(
            f"func.func @rings(%x: {x}, %y: {x}, %limit: f32, %n: index) attributes "
            f"{{gpu.known_block_size = array<i32: {self.threads}, 1, 1>}} {{"
        )
        for number in range(-3, 9):
            self.add(f"{self.constant(number)} = arith.constant {number} : index")
        self.add(f"%mask = arith.constant {self.threads - 1} : index")
        self.add(f"%half = arith.constant {self.threads // 2} : index")
        self.add("%zero = arith.constant 0.0 : f32")
        self.add("%t = gpu.thread_id x")
        self.add("%other = arith.xori %t, %mask : index")
        for ring, slots in enumerate(self.slots):
            self.add(f"%ring{ring} = memref.alloc() : {self.type(ring)}")
            self.add(f"%slots{ring} = arith.constant {slots} : index")
        for _ in range(self.random.choice([1, 1, 2])):
            self.add_loop(depth=0)
        self.add("return")
        self.add("}")

    @staticmethod
    def constant(number):
        return f"%m{-number}" if number < 0 else f"%c{number}"

    def type(self, ring):
        return (
            f"memref<{self.slots[ring]}x{self.threads}xf32, "
            "#gpu.address_space<workgroup>>"
        )

    def add_access(self, counter):
        ring = self.random.randrange(len(self.slots))
        times = self.constant(self.random.choice([1, 1, 1, 2]))
        ahead = self.constant(self.random.randrange(self.slots[ring] + 1))
        scaled = self.add_op(f"arith.muli {counter}, {times} : index")
        moved = self.add_op(f"arith.addi {scaled}, {ahead} : index")
        slot = self.add_op(f"arith.remui {moved}, %slots{ring} : index")
        place = f"%ring{ring}[{slot}, {self.random.choice(['%t', '%t', '%other'])}]"
        if self.random.random() < 0.5:
            self.add(f"memref.store %zero, {place} : {self.type(ring)}")
        else:
            value = self.add_op(f"memref.load {place} : {self.type(ring)}")
            self.add(f"memref.store {value}, %y[%c0, %t] : memref<64x{self.threads}xf32>")

    def add_body(self, counter, depth):
        for _ in range(self.random.choice([1, 2, 2, 3])):
            choice = self.random.random()
            if choice < 0.15:
                low = self.add_op(f"arith.remui {counter}, %c2 : index")
                even = self.add_op(f"arith.cmpi eq, {low}, %c0 : index")
                self.add(f"scf.if {even} {{")
                self.add_access(counter)
                self.add("}")
            elif choice < 0.27:
                part = self.add_op("arith.cmpi ult, %t, %half : index")
                self.add(f"scf.if {part} {{")
                self.add_access(counter)
                if self.random.random() < 0.4:
                    self.add("} else {")
                    self.add_access(counter)
                self.add("}")
            elif choice < 0.35 and depth < 1:
                self.add_loop(depth + 1)
            else:
                self.add_access(counter)

    def add_loop(self, depth):
        step = self.random.choice([1, 1, 1, 2, 3])
        if self.random.random() < 0.5:
            firsts = ["%c0", "%c1", "%c2"]
            if self.random.random() < 0.15:
                firsts = ["%c0", "%n", "%t"]
            counter = self.new()
            self.add(
                f"scf.for {counter} = {self.random.choice(firsts)} to "
                f"{self.random.choice(['%n', '%c7', '%c5'])} step %c{step} {{"
            )
            self.add_body(counter, depth)
            self.add("}")
            return
        before, after = self.new(), self.new()
        is_down = self.random.random() < 0.3
        first = "%n" if is_down else self.random.choice(["%c0", "%c1"])
        self.add(f"{self.new()} = scf.while ({before} = {first}) : (index) -> index {{")
        if self.random.random() < 0.4:
            self.add_body(before, depth)
        if is_down:
            goes = self.add_op(f"arith.cmpi sge, {before}, %c{step} : index")
        elif self.random.random() < 0.6:
            place = self.add_op(f"arith.minui {before}, %mask : index")
            data = self.add_op(
                f"memref.load %x[%c0, {place}] : memref<64x{self.threads}xf32>"
            )
            goes = self.add_op(f"arith.cmpf olt, {data}, %limit : f32")
        else:
            goes = self.add_op(f"arith.cmpi slt, {before}, %n : index")
        self.add(f"scf.condition({goes}) {before} : index")
        self.add("} do {")
        self.add(f"^bb0({after}: index):")
        self.add_body(after, depth)
        by = self.constant(-step if is_down else step)
        next_number = self.add_op(f"arith.addi {after}, {by} : index")
        self.add(f"scf.yield {next_number} : index")
        self.add("}")


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def verify(placed):
    """The status of a kernel that ran without a race."""
    passes = f"-memspace-verify-barriers=chip={CHIP} may-hazards=error"
    failed, _ = run("memspace-opt", placed, passes, "-o", os.devnull)
    return "unverified" if failed else "ok"


def check(path, placed):
    """The status of a kernel, and its executed barriers by inputs."""
    failed, _ = run(
        "memspace-opt", path, f"-memspace-insert-barriers=chip={CHIP}", "-o", placed
    )
    if failed:
        return "refused", []
    executed = []
    for limit, number in INPUTS:
        _, report = run(
            "memspace-runner", placed, f"--chip={CHIP}", "--grid=1", "--arg=0:iota",
            "--arg=1:fill:0", f"--arg=2:fill:{limit}", f"--arg=3:fill:{number}",
            "--verbose", "--orders=4", "--max-steps=3000000",
        )
        faults = re.search(r"races: (\d+), divergent barriers: (\d+)", report)
        barriers = re.search(r"executed barriers: (\d+)", report)
        if not faults or not barriers:
            return "error", executed
        if faults.groups() != ("0", "0"):
            return "race", executed
        executed.append(int(barriers.group(1)))
    return verify(placed), executed


def check_seed(seed, folder):
    source = os.path.join(folder, "kernel.mlir")
    with open(source, "w") as file:
        file.write(str(Kernel(seed)))
    forms = {"scf": [], "cf": ["-convert-scf-to-cf"]}
    statuses, executed = {}, {}
    for form, lowering in forms.items():
        path = os.path.join(folder, form + ".mlir")
        failed, _ = run(
            "memspace-opt", source, "-canonicalize", "-cse", *lowering, "-o", path
        )
        if failed:
            return "error", executed
        statuses[form], executed[form] = check(path, path + ".placed")
    for fault in ("race", "unverified", "error"):
        if fault in statuses.values():
            return fault, executed
    if statuses["scf"] != statuses["cf"]:
        return "refused", executed
    more = any(b > a for a, b in zip(executed["scf"], executed["cf"]))
    return "more" if more else "ok", executed


def check_seeds(check_one, doc, quiet=("ok",)):
    """Prints what `check_one` says of each seed, and ends the program."""
    if len(sys.argv) != 3:
        sys.exit(doc)
    first, count = int(sys.argv[1]), int(sys.argv[2])
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first, first + count):
            status, executed = check_one(seed, folder)
            counts[status] += 1
            if status not in quiet:
                forms = (f"{form}={n}" for form, n in executed.items())
                print(status, seed, *forms, flush=True)
    print(", ".join(f"{count} {status}" for status, count in sorted(counts.items())))
    sys.exit(any(counts[fault] for fault in ("race", "unverified", "error")))


if __name__ == "__main__":
    check_seeds(check_seed, __doc__)
