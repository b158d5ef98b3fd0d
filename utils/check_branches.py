#!/usr/bin/env python3
# Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random loops of branches that are left and continued at any level.

    check_branches.py FIRST COUNT

For each of the seeds FIRST, FIRST + 1, … makes an SPMD kernel of blocks: loops inside
each other that access slots of a ring by their counters, and that go on with or leave
any loop around them where the data says so, or for some threads only. Barriers are
inserted and verified, and the kernel is run with three inputs in three thread orders.
One line for each kernel with a fault, then how many there are of each status:

status: ok | race | unverified (a hazard is left, for the verifier) | error (nothing was
run) | refused (no barrier can stand where one is needed). Exit status 1 for a fault.
"""
import os
import re

from check_rings import CHIP, KernelText, check_seeds, run, verify

# Of data between -1 and 1, what ends or goes on, and the argument that ends loops.
INPUTS = [("0.3", 7), ("0", 6), ("-0.4", 5)]


class Kernel(KernelText):
    """Text of the kernel of one seed."""

    def __init__(self, seed):
        super().__init__(seed)
        self.threads = self.random.choice([32, 64])
        self.slots = self.random.choice([2, 3, 4, 5])
        self.memory = f"memref<64x{self.threads}xf32>"
        self.ring = f"memref<{self.slots}x{self.threads}xf32, #gpu.address_space<workgroup>>"
        self.add(
            f"func.func @branches(%x: {self.memory}, %y: {self.memory}, %limit: f32, "
            f"%n: index) attributes {{gpu.known_block_size = array<i32: {self.threads}, 1, 1>}} {{"
        )
        for number in [*range(8), 63]:
            self.add(f"%c{number} = arith.constant {number} : index")
        self.add(f"%mask = arith.constant {self.threads - 1} : index")
        self.add(f"%half = arith.constant {self.threads // 2} : index")
        self.add(f"%slots = arith.constant {self.slots} : index")
        self.add("%zero = arith.constant 0.0 : f32")
        self.add("%t = gpu.thread_id x")
        self.add("%other = arith.xori %t, %mask : index")
        self.add("%low = arith.cmpi ult, %t, %half : index")
        self.add(f"%ring = memref.alloc() : {self.ring}")
        for _ in range(self.random.choice([1, 1, 2])):
            self.add_loop([])
        self.add("return")
        self.add("}")

    def add_access(self, counters):
        place = self.random.choice(counters)
        if self.random.random() < 0.2:
            place = self.add_op(f"arith.addi {place}, {self.random.choice(counters)} : index")
        ahead = self.random.randrange(self.slots + 1)
        place = self.add_op(f"arith.addi {place}, %c{ahead} : index")
        slot = self.add_op(f"arith.remui {place}, %slots : index")
        element = f"%ring[{slot}, {self.random.choice(['%t', '%t', '%other'])}] : {self.ring}"
        if self.random.random() < 0.5:
            self.add(f"memref.store %zero, {element}")
        else:
            value = self.add_op(f"memref.load {element}")
            self.add(f"memref.store {value}, %y[%c0, %t] : {self.memory}")

    def add_branch(self, counters, divergent):
        """Goes on in one new block or in the other; returns the second one."""
        if self.random.random() < divergent:
            condition = "%low"
        else:
            counter = self.random.choice(counters)
            place = self.add_op(f"arith.muli {counter}, %c{self.random.choice([1, 3, 5])} : index")
            place = self.add_op(f"arith.addi {place}, %c{self.random.randrange(8)} : index")
            place = self.add_op(f"arith.andi {place}, %c63 : index")
            data = self.add_op(f"memref.load %x[{place}, %c0] : {self.memory}")
            condition = self.add_op(f"arith.cmpf olt, {data}, %limit : f32")
        here, behind = self.new("^b"), self.new("^b")
        self.add(f"cf.cond_br {condition}, {here}, {behind}")
        self.add(f"{here}:")
        return behind

    def add_next(self, counter, head):
        step = self.random.choice([1, 1, 2])
        following = self.add_op(f"arith.addi {counter}, %c{step} : index")
        self.add(f"cf.br {head}({following} : index)")

    def add_loop(self, around):
        """`around`: counter, head and exit of each loop around this one."""
        head, body, end = (self.new("^b") for _ in range(3))
        counter = self.new()
        first = self.random.choice(["%c0", "%c1", "%c2", *(loop[0] for loop in around)])
        self.add(f"cf.br {head}({first} : index)")
        self.add(f"{head}({counter}: index):")
        last = self.random.choice(["%n", "%n", "%c5"])
        goes = self.add_op(f"arith.cmpi slt, {counter}, {last} : index")
        self.add(f"cf.cond_br {goes}, {body}, {end}")
        self.add(f"{body}:")
        loops = [*around, (counter, head, end)]
        counters = [loop[0] for loop in loops]
        for _ in range(self.random.choice([2, 3, 4])):
            choice = self.random.random()
            if choice < 0.45:
                self.add_access(counters)
            elif choice < 0.78:
                skips = choice < 0.55
                behind = self.add_branch(counters, divergent=0.4 if skips else 0.05)
                if skips or self.random.random() < 0.4:
                    self.add_access(counters)
                target = self.random.choice(loops)
                if skips:
                    self.add(f"cf.br {behind}")
                elif choice < 0.68:
                    self.add_next(*target[:2])
                else:
                    self.add(f"cf.br {target[2]}")
                self.add(f"{behind}:")
            elif len(loops) < 3:
                self.add_loop(loops)
        self.add_next(counter, head)
        self.add(f"{end}:")
        if self.random.random() < 0.4:
            self.add_access(counters)


def check(source, placed):
    """The status of a kernel."""
    insert = f"-memspace-insert-barriers=chip={CHIP}"
    failed, report = run("memspace-opt", source, insert, "-o", placed)
    if failed:
        return "refused" if failed == 1 and "error:" in report else "error"
    for seed, (limit, number) in enumerate(INPUTS):
        _, report = run(
            "memspace-runner", placed, f"--chip={CHIP}", "--grid=1",
            f"--arg=0:random:{seed}", "--arg=1:fill:0", f"--arg=2:fill:{limit}",
            f"--arg=3:fill:{number}", "--orders=3", "--max-steps=3000000",
        )
        faults = re.search(r"races: (\d+), divergent barriers: (\d+)", report)
        if not faults:
            return "error"
        if faults.groups() != ("0", "0"):
            return "race"
    return verify(placed)


def check_seed(seed, folder):
    source = os.path.join(folder, "kernel.mlir")
    with open(source, "w") as file:
        file.write(str(Kernel(seed)))
    return check(source, os.path.join(folder, "placed.mlir")), {}


if __name__ == "__main__":
    check_seeds(check_seed, __doc__, quiet=("ok", "refused"))
