#!/usr/bin/env python3
# Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random loops of blocks: what the verifier accepts of them runs without a race.

    check_block_loops.py FIRST COUNT

For each of the seeds FIRST, FIRST + 1, … makes an SPMD kernel of loops of blocks, one
behind or inside another one, some of them in an scf.execute_region or behind a branch
inside of one, some left by each thread at its own time. Threads, or one of them, access
elements by their number or by those of the loops, and barriers stand here and there.
The verifier is asked about the kernel as it is, and about what placement makes of it;
what it accepts must be accepted where each pair of accesses is asked for by itself, and
is run with several numbers of iterations in three thread orders. One
line for each kernel that is not ok or refused, then how many there are of each status:

    status seed

status: ok | refused (as it is; what is placed is accepted, if anything is) | race |
unverified (placed, and refused) | hidden (each pair by itself is refused) | error
(nothing was run). Exit status 1 for the last four.
"""
import os
import re

from check_rings import CHIP, KernelText, check_seeds, run

THREADS = 64
TILE = f"memref<{THREADS}xf32, #gpu.address_space<workgroup>>"
# Iterations of outer and inner loops, and the side of branches.
INPUTS = [(0, 3, 0), (1, 2, 1), (2, 5, 0), (3, 1, 1), (7, 2, 1)]


class Kernel(KernelText):
    """Text of the kernel of one seed."""

    def __init__(self, seed):
        super().__init__(seed)
        self.add(
            f"func.func @loops(%n: index, %m: index, %c: i1) attributes "
            f"{{gpu.known_block_size = array<i32: {THREADS}, 1, 1>, "
            "gpu.known_grid_size = array<i32: 1, 1, 1>} {"
        )
        for number in [0, 1, 2, THREADS - 1]:
            self.add(f"%c{number} = arith.constant {number} : index")
        self.add("%f = arith.constant 1.0 : f32")
        self.add("%x = gpu.thread_id x")
        self.add(f"%y = arith.subi %c{THREADS - 1}, %x : index")
        self.add(f"%s = memref.alloc() : {TILE}")
        self.add("%is = arith.cmpi eq, %x, %c0 : index")
        self.add(f"memref.store %f, %s[%x] : {TILE}")
        self.add_barrier(0.2)
        begin = self.random.choice(["%c0", "%c0", "%c0", "%c1"])
        end = self.random.choice(["%n", "%n", "%n", "%x"])
        step = self.random.choice(["%c1", "%c1", "%c2"])
        self.add_loop(begin, end, step, self.add_body, ["%x", "%y"])
        if self.random.random() < 0.6:
            self.add_loop("%c0", "%m", "%c1", self.add_half, ["%x", "%y"])
        self.add_accesses(["%x", "%y"], 1)
        self.add("return")
        self.add("}")

    def add_barrier(self, share):
        if self.random.random() < share:
            self.add("gpu.barrier")

    def add_accesses(self, places, most):
        # Few: a kernel whose hazards hide each other is refused.
        for _ in range(most if self.random.random() < 0.3 else 0):
            place = self.random.choice(places)
            stores = self.random.random() < 0.5
            # One thread alone where the place is one for all, else it is stored to
            # by all at once.
            guards = place not in ("%x", "%y") and (stores or self.random.random() < 0.7)
            if guards:
                guard = "%is"
                if self.random.random() < 0.4:
                    guard = self.add_op(f"arith.cmpi eq, %x, {place} : index")
                self.add(f"scf.if {guard} {{")
            if stores:
                self.add(f"memref.store %f, %s[{place}] : {TILE}")
            else:
                self.add_op(f"memref.load %s[{place}] : {TILE}")
            if guards:
                self.add("}")

    def add_loop(self, begin, end, step, add_body, places):
        """Blocks; control is behind the loop then."""
        head, body, behind = self.new("^head"), self.new("^body"), self.new("^behind")
        number = self.new("%i")
        self.add(f"cf.br {head}({begin} : index)")
        self.add(f"{head}({number}: index):")
        goes_on = self.add_op(f"arith.cmpi slt, {number}, {end} : index")
        self.add(f"cf.cond_br {goes_on}, {body}, {behind}")
        self.add(f"{body}:")
        add_body(places + [number, number], number)
        following = self.add_op(f"arith.addi {number}, {step} : index")
        self.add(f"cf.br {head}({following} : index)")
        self.add(f"{behind}:")

    def add_half(self, places, _):
        self.add_accesses(places, 1)
        self.add_barrier(0.45)
        self.add_accesses(places, 1)

    def add_body(self, places, number):
        self.add_accesses(places, 1)
        self.add_barrier(0.1)
        kind = self.random.random()
        if kind < 0.7:
            self.add("scf.execute_region {")
            if self.random.random() < 0.4:
                side, join = self.new("^side"), self.new("^join")
                self.add(f"cf.cond_br %c, {side}, {join}")
                self.add(f"{side}:")
                self.add_accesses(places, 1)
                self.add(f"cf.br {join}")
                self.add(f"{join}:")
            if self.random.random() < 0.7:
                begin = self.random.choice(["%c0", "%c0", number])
                self.add_loop(begin, "%m", "%c1", self.add_half, places)
            self.add("scf.yield")
            self.add("}")
        elif kind < 0.9:
            self.add_loop("%c0", "%m", "%c1", self.add_half, places)
        self.add_half(places, number)


def check_accepted(text, all_inputs, folder):
    """The status of a kernel, whose arguments are each of `all_inputs`."""
    source = os.path.join(folder, "kernel.mlir")
    with open(source, "w") as file:
        file.write(text)
    placed = os.path.join(folder, "placed.mlir")
    verify = f"-memspace-verify-barriers=chip={CHIP}"
    status = "refused"
    for kernel in [source, placed]:
        if kernel == placed:
            insert = f"-memspace-insert-barriers=chip={CHIP}"
            failed, report = run("memspace-opt", source, insert, "-o", placed)
            if failed not in (0, 1) or (failed and "error:" not in report):
                return "error", {}
            if failed:
                continue
        failed, report = run("memspace-opt", kernel, verify, "-o", os.devnull)
        if failed:
            if failed != 1 or "error:" not in report:
                return "error", {}
            if kernel == placed:
                return "unverified", {}
            continue
        alone = f"{verify} ask-each-pair=true"
        failed, _ = run("memspace-opt", kernel, "-cse", alone, "-o", os.devnull)
        if failed:
            return "hidden", {}
        if kernel == source:
            status = "ok"
        for inputs in all_inputs:
            args = [f"--arg={i}:fill:{value}" for i, value in enumerate(inputs)]
            _, report = run(
                "memspace-runner", kernel, f"--chip={CHIP}", "--orders=3", *args
            )
            faults = re.search(r"races: (\d+), divergent barriers: (\d+)", report)
            if not faults:
                return "error", {}
            if faults.groups() != ("0", "0"):
                return "race", {}
    return status, {}


def check_seed(seed, folder):
    return check_accepted(str(Kernel(seed)), INPUTS, folder)


if __name__ == "__main__":
    check_seeds(check_seed, __doc__, quiet=("ok", "refused"))
