#!/usr/bin/env python3
# Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random views that may be of one memory or of another: what is accepted runs without a race.

    check_chosen_views.py FIRST COUNT

For each of the seeds FIRST, FIRST + 1, … makes an SPMD kernel with two memories and two
views, each of which is of the one or of the other: chosen by an argument, or exchanged in
a loop. The views differ in element type, shape or rank. One thread stores to constant
places of the one view, and all load from constant places of the other, so that the
distances of many pairs are equal and their bytes are not. The verifier is asked about the
kernel as it is, and about what placement makes of it; what it accepts is run. The output
is that of check_block_loops.py.
"""
from check_block_loops import check_accepted
from check_rings import KernelText, check_seeds

BYTES = 256
VIEWS = [
    ("i8", (256,)),
    ("i8", (32, 8)),
    ("i16", (128,)),
    ("i16", (16, 8)),
    ("i32", (64,)),
    ("i32", (8, 8)),
    ("i32", (16, 4)),
]
LARGEST = 16
INPUTS = [(0, 0), (0, 1), (1, 0), (1, 1)]


class Kernel(KernelText):
    """Text of the kernel of one seed."""

    def __init__(self, seed):
        super().__init__(seed)
        memory = f"memref<{BYTES}xi8, #gpu.address_space<workgroup>>"
        self.add(
            "func.func @views(%a: i1, %b: i1) attributes "
            "{gpu.known_block_size = array<i32: 128, 1, 1>, "
            "gpu.known_grid_size = array<i32: 1, 1, 1>} {"
        )
        for number in [*range(LARGEST + 1), 128, BYTES]:
            self.add(f"%c{number} = arith.constant {number} : index")
        for width in [8, 16, 32]:
            self.add(f"%vi{width} = arith.constant {width} : i{width}")
        self.add("%x = gpu.thread_id x")
        self.add("%is = arith.cmpi eq, %x, %c0 : index")
        self.add(f"%s = memref.alloc() : {memory}")
        self.add(f"%t = memref.alloc() : {memory}")
        self.add(f"scf.for %i = %x to %c{BYTES} step %c128 {{")
        self.add(f"memref.store %vi8, %s[%i] : {memory}")
        self.add(f"memref.store %vi8, %t[%i] : {memory}")
        self.add("}")
        stored, loaded = self.add_view(memory, "%a"), self.add_view(memory, "%b")
        self.add("gpu.barrier")
        # What one store needs a barrier for hides what the others do.
        self.add("scf.if %is {")
        for _ in range(self.random.randint(2, 5)):
            self.add_access(stored, stores=True)
        self.add("}")
        for _ in range(self.random.randint(2, 6)):
            self.add_access(loaded, stores=False)
        self.add("return")
        self.add("}")

    def add_view(self, memory, flag):
        element, shape = self.random.choice(VIEWS)
        extents = "x".join(str(extent) for extent in shape)
        kind = f"memref<{extents}x{element}, #gpu.address_space<workgroup>>"
        one = self.add_op(f"memref.view %s[%c0][] : {memory} to {kind}")
        other = self.add_op(f"memref.view %t[%c0][] : {memory} to {kind}")
        choice = self.random.random()
        if choice < 0.2:
            return one, kind, element, shape
        if choice < 0.8:
            chosen = self.add_op(f"arith.select {flag}, {one}, {other} : {kind}")
            return chosen, kind, element, shape
        first, second = self.new("%p"), self.new("%q")
        args = self.new("%u"), self.new("%w")
        self.add(
            f"{first}, {second} = scf.for %k = %c0 to %c3 step %c1 "
            f"iter_args({args[0]} = {one}, {args[1]} = {other}) -> ({kind}, {kind}) {{"
        )
        self.add(f"scf.yield {args[1]}, {args[0]} : {kind}, {kind}")
        self.add("}")
        return first, kind, element, shape

    def add_access(self, view, stores):
        name, kind, element, shape = view
        place = ", ".join(
            f"%c{self.random.randint(0, min(extent - 1, LARGEST))}" for extent in shape
        )
        if stores:
            self.add(f"memref.store %v{element}, {name}[{place}] : {kind}")
        else:
            self.add_op(f"memref.load {name}[{place}] : {kind}")


def check_seed(seed, folder):
    return check_accepted(str(Kernel(seed)), INPUTS, folder)


if __name__ == "__main__":
    check_seeds(check_seed, __doc__, quiet=("ok", "refused"))
