#!/usr/bin/env python3
# Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random chains of casts between a thread's number and where it accesses.

    check_casts.py FIRST COUNT

For each of the seeds FIRST, FIRST + 1, … makes an SPMD kernel, often with a loop that
carries a slot: each thread stores where one chain of casts and bits says, up to 128 of
them and back, and loads where another one does. The kernel is verified as it is and with
barriers inserted, and so is what -convert-scf-to-cf makes of it. What the verifier
accepts is run in two thread orders. One line for each kernel with a fault, then how many
there are of each status:

status: ok (some form was accepted, and ran without a race) | race | error (nothing was
run) | refused (no form was accepted). Exit status 1 for a fault.
"""
import os
import re

from check_rings import CHIP, KernelText, check_seeds, run

THREADS = 64
WIDTHS = [1, 4, 7, 8, 16, 32, 33, 64, 65, 96, 128]


class Kernel(KernelText):
    """Text of the kernel of one seed."""

    def __init__(self, seed):
        super().__init__(seed)
        tile = f"memref<2x{THREADS}xf32, #gpu.address_space<workgroup>>"
        self.add(
            f"func.func @casts(%out: memref<{THREADS}xf32>) attributes "
            f"{{gpu.known_block_size = array<i32: {THREADS}, 1, 1>, "
            "gpu.known_grid_size = array<i32: 1, 1, 1>} {"
        )
        for number in [0, 1, 3, THREADS - 1]:
            self.add(f"%c{number} = arith.constant {number} : index")
        self.add("%f = arith.constant 1.0 : f32")
        self.add("%t = gpu.thread_id x")
        self.add(f"%other = arith.subi %c{THREADS - 1}, %t : index")
        self.add(f"%tile = memref.alloc() : {tile}")
        stored = self.add_chain()
        loaded = self.random.choice(["%t", "%other"])
        if self.random.random() < 0.6:
            loaded = self.add_chain()
        is_loop = self.random.random() < 0.4
        if is_loop:
            self.add(
                "%last = scf.for %k = %c0 to %c3 step %c1 "
                "iter_args(%slot = %c0) -> (index) {"
            )
        slot = "%slot" if is_loop else "%c0"
        self.add(f"memref.store %f, %tile[{slot}, {stored}] : {tile}")
        value = self.add_op(f"memref.load %tile[{slot}, {loaded}] : {tile}")
        self.add(f"memref.store {value}, %out[%t] : memref<{THREADS}xf32>")
        if is_loop:
            self.add("%next = arith.subi %c1, %slot : index")
            self.add("scf.yield %next : index")
            self.add("}")
        self.add("return")
        self.add("}")

    def add_bits(self, value, width):
        """An op with a constant of as many bits."""
        half = 1 << (width - 1)
        number = (self.random.choice([1, 3, 7, 63, -1, 5]) + half) % (2 * half) - half
        constant = self.add_op(f"arith.constant {number} : i{width}")
        operands = [value, constant]
        self.random.shuffle(operands)
        op = self.random.choice(["xori", "addi", "subi", "andi", "ori"])
        return self.add_op(f"arith.{op} {operands[0]}, {operands[1]} : i{width}")

    def add_chain(self):
        """An index within the tile that is made of the thread's number."""
        width = self.random.choice([16, 32, 64])
        value = self.add_op(f"arith.index_cast %t : index to i{width}")
        for _ in range(self.random.randint(1, 6)):
            if width > 1 and width <= 64 and self.random.random() < 0.3:
                value = self.add_bits(value, width)
                continue
            other = self.random.choice([w for w in WIDTHS if w != width])
            cast = "trunci" if other < width else self.random.choice(["extui", "extsi"])
            value = self.add_op(f"arith.{cast} {value} : i{width} to i{other}")
            width = other
        if width > 64:
            value = self.add_op(f"arith.trunci {value} : i{width} to i32")
            width = 32
        cast = self.random.choice(["index_cast", "index_castui"])
        value = self.add_op(f"arith.{cast} {value} : i{width} to index")
        return self.add_op(f"arith.andi {value}, %c{THREADS - 1} : index")


def check_seed(seed, folder):
    source = os.path.join(folder, "kernel.mlir")
    with open(source, "w") as file:
        file.write(str(Kernel(seed)))
    accepted = os.path.join(folder, "accepted.mlir")
    status = "refused"
    for lowering in [[], ["-convert-scf-to-cf"]]:
        for insert in [[], [f"-memspace-insert-barriers=chip={CHIP}"]]:
            verify = f"-memspace-verify-barriers=chip={CHIP} may-hazards=error"
            failed, report = run(
                "memspace-opt", source, *lowering, *insert, verify, "-o", accepted
            )
            if failed:
                if failed != 1 or "error:" not in report:
                    return "error", {}
                continue
            _, report = run("memspace-runner", accepted, f"--chip={CHIP}", "--orders=2")
            faults = re.search(r"races: (\d+), divergent barriers: (\d+)", report)
            if not faults:
                return "error", {}
            if faults.groups() != ("0", "0"):
                return "race", {}
            status = "ok"
    return status, {}


if __name__ == "__main__":
    check_seeds(check_seed, __doc__, quiet=("ok", "refused"))
