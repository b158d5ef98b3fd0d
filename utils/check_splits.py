#!/usr/bin/env python3
# Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels whose workgroups read what others wrote.

    check_splits.py FIRST COUNT

For each of the seeds FIRST, FIRST + 1, … makes a kernel of block foralls in a straight
line, over rows of one or two dimensions whose extents are known or not, with tiles
that divide them or not. Each forall begins with nothing, an output or an earlier
result, reads its own tile or another one of some tensors, and may read an element at
grid scope; results are stored in outputs, in any order. The kernel goes through the
pipeline with workspaces=true, is run, and all that is stored is compared with NumPy.
One line for each kernel that is wrong, then how many there are of each status:

    status seed

status: split | whole | refused | wrong (values, a race, or an argument that has
changed) | error (no diagnostic, or nothing was run). Exit status 1 for the last two.
"""
import collections
import os
import random
import subprocess
import sys
import tempfile

import numpy

CHIP = "gfx942"


class Tensor:
    """An SSA value, its elements, and the argument that it is in, if it is in one."""

    def __init__(self, name, elements, output=None):
        self.name, self.elements, self.output = name, elements, output
        self.used = False


class Kernel:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.names = 0
        self.lines = []
        rank = self.random.choice([1, 1, 2])
        self.tile = [self.random.choice([4, 8, 16]) for _ in range(rank)]
        self.blocks = [self.random.choice([2, 3, 4]) for _ in range(rank)]
        self.shape = [tile * n for tile, n in zip(self.tile, self.blocks)]
        if self.random.random() < 0.3:
            self.shape[0] -= self.random.randrange(1, self.tile[0])
        self.dynamic = [self.random.random() < 0.3 for _ in range(rank)]
        extents = ["?" if d else str(n) for d, n in zip(self.dynamic, self.shape)]
        self.type = "x".join(extents + ["f32"])
        elements = numpy.random.default_rng(seed)
        self.inputs = [elements.integers(-4, 5, self.shape).astype(numpy.float32)
                       for _ in range(5)]
        self.outputs = [array.copy() for array in self.inputs]
        self.make()

    def new(self):
        self.names += 1
        return f"%v{self.names}"

    def add(self, text, *, value=True):
        name = self.new() if value else ""
        self.lines.append(f"{name} = {text}" if value else text)
        return name

    def apply(self, expression, *operands):
        dims = ", ".join(f"d{i}" for i in range(len(operands)))
        return self.add(f"affine.apply affine_map<({dims}) -> ({expression})>"
                        f"({', '.join(operands)})")

    def make(self):
        self.extents = []
        for dim, (dynamic, extent) in enumerate(zip(self.dynamic, self.shape)):
            number = self.add(f"arith.constant {dim} : index")
            self.extents.append(
                self.add(f"memref.dim %arg0, {number} : memref<{self.type}>")
                if dynamic else self.add(f"arith.constant {extent} : index"))
        tensors = []
        for number in range(2):
            name = self.add(f"bufferization.to_tensor %arg{number} restrict : "
                            f"memref<{self.type}> to tensor<{self.type}>")
            tensors.append(Tensor(name, self.inputs[number].copy()))
        self.begins = []
        for number in range(2, 5):
            name = self.add(
                f"bufferization.to_tensor %arg{number} restrict writable : "
                f"memref<{self.type}> to tensor<{self.type}>")
            self.begins.append(Tensor(name, self.inputs[number].copy(), number))
        results = []
        for _ in range(self.random.randrange(2, 6)):
            result, begin = self.add_forall(tensors)
            # A value from before an update in place is what few kernels read.
            if begin in tensors and self.random.random() < 0.6:
                tensors.remove(begin)
                results.remove(begin)
            tensors.append(result)
            results.append(result)
        # An output that some forall updates is for what it makes of it; what is in it
        # otherwise is not said.
        for number, begin in enumerate(self.begins):
            if begin.used:
                self.outputs[2 + number] = None
        free = [2 + n for n, begin in enumerate(self.begins) if not begin.used]
        stored = set()
        for result in self.random.sample(results, min(len(results), 3)):
            at = result.output or (free.pop() if free else None)
            if at is None or at in stored:
                continue
            stored.add(at)
            self.add(
                f"bufferization.materialize_in_destination {result.name} in restrict "
                f"writable %arg{at} : (tensor<{self.type}>, memref<{self.type}>) -> ()",
                value=False)
            self.outputs[at] = result.elements

    def add_forall(self, tensors):
        rank = len(self.shape)
        begin = None
        kind = self.random.random()
        fresh = [begin for begin in self.begins if not begin.used]
        sizes = ", ".join(e for e, d in zip(self.extents, self.dynamic) if d)
        made = tensors[2:]
        if kind < 0.2 and made:
            begin = self.random.choice(made)
        elif kind < 0.4 and fresh:
            begin = self.random.choice(fresh)
            begin.used = True
        init = begin.name if begin else self.add(
            f"tensor.empty({sizes}) : tensor<{self.type}>")
        scalar = None
        if self.random.random() < 0.3:
            source = self.random.choice([t for t in tensors if t is not begin])
            zeros = [self.add("arith.constant 0 : index") for _ in range(rank)]
            scalar = self.add(f"tensor.extract {source.name}[{', '.join(zeros)}] : "
                              f"tensor<{self.type}>")
            scalar_value = source.elements[(0,) * rank]
        ids = [self.new() for _ in range(rank)]
        out, name = self.new(), self.new()
        counts = [self.apply(f"d0 ceildiv {tile}", extent)
                  for tile, extent in zip(self.tile, self.extents)]
        self.add(f"{name} = scf.forall ({', '.join(ids)}) in ({', '.join(counts)}) "
                 f"shared_outs({out} = {init}) -> tensor<{self.type}> {{", value=False)
        offsets, lengths = [], []
        for i, tile, extent in zip(ids, self.tile, self.extents):
            offsets.append(self.apply(f"d0 * {tile}", i))
            lengths.append(self.add(
                f"affine.min affine_map<(d0, d1) -> ({tile}, d1 - d0)>"
                f"({offsets[-1]}, {extent})"))
        part = "x".join(["?"] * rank + ["f32"])

        def cut(tensor, at):
            return self.add(
                f"tensor.extract_slice {tensor}[{', '.join(at)}] [{', '.join(lengths)}] "
                f"[{', '.join(['1'] * rank)}] : tensor<{self.type}> to tensor<{part}>")

        total = cut(out, offsets)
        keeps = begin is not None and self.random.random() < 0.5
        elements = begin.elements.copy() if keeps else numpy.zeros(self.shape, "f4")
        if not keeps:
            zero = self.add("arith.constant 0.0 : f32")
            total = self.add(f"linalg.fill ins({zero} : f32) outs({total} : "
                             f"tensor<{part}>) -> tensor<{part}>")
        for _ in range(self.random.randrange(1, 3)):
            source = self.random.choice([t for t in tensors if t is not begin])
            at, read = list(offsets), source.elements
            if self.random.random() < 0.5:
                dim = self.random.randrange(rank)
                # The tile as far from the end as this one is from the start.
                at[dim] = self.apply("d0 - d1 - d2", self.extents[dim], offsets[dim],
                                     lengths[dim])
                tile, extent = self.tile[dim], self.shape[dim]
                order = numpy.concatenate(
                    [numpy.arange(extent - first - min(tile, extent - first),
                                  extent - first)
                     for first in range(0, extent, tile)])
                read = numpy.take(read, order, dim)
            total = self.add(
                f"linalg.add ins({total}, {cut(source.name, at)} : tensor<{part}>, "
                f"tensor<{part}>) outs({total} : tensor<{part}>) -> tensor<{part}>")
            elements = elements + read
        if scalar:
            empty = self.add(f"tensor.empty({', '.join(lengths)}) : tensor<{part}>")
            filled = self.add(f"linalg.fill ins({scalar} : f32) outs({empty} : "
                              f"tensor<{part}>) -> tensor<{part}>")
            total = self.add(
                f"linalg.add ins({total}, {filled} : tensor<{part}>, tensor<{part}>) "
                f"outs({total} : tensor<{part}>) -> tensor<{part}>")
            elements = elements + scalar_value
        self.add(
            f"scf.forall.in_parallel {{ tensor.parallel_insert_slice {total} into "
            f"{out}[{', '.join(offsets)}] [{', '.join(lengths)}] "
            f"[{', '.join(['1'] * rank)}] : tensor<{part}> into tensor<{self.type}> }}",
            value=False)
        mapping = ["#gpu.block<y>", "#gpu.block<x>"][-rank:]
        self.add(f"}} {{mapping = [{', '.join(mapping)}]}}", value=False)
        return Tensor(name, elements, begin.output if begin else None), begin

    def __str__(self):
        arguments = ", ".join(f"%arg{i}: memref<{self.type}>" for i in range(5))
        return "\n".join(
            [f"func.func @k({arguments}) attributes "
             "{gpu.known_block_size = array<i32: 64, 1, 1>} {",
             *("  " + line for line in self.lines), "  return", "}", ""])


def run(*command):
    process = subprocess.run(command, capture_output=True, text=True, check=False)
    return process.returncode, process.stdout + process.stderr


def check_seed(seed, folder):
    kernel = Kernel(seed)
    source, made = (os.path.join(folder, name) for name in ("k.mlir", "made.mlir"))
    with open(source, "w") as file:
        file.write(str(kernel))
    failed, report = run(
        "memspace-opt", source,
        f"-memspace-kernel-pipeline=chip={CHIP} workspaces=true",
        f"-memspace-outline-kernels=chip={CHIP}", "-o", made)
    if failed:
        return "refused" if failed == 1 and ": error: " in report else "error"
    arguments, outputs = [], []
    for number, array in enumerate(kernel.inputs):
        path = os.path.join(folder, f"{number}.npy")
        numpy.save(path, array)
        outputs.append(os.path.join(folder, f"{number}.out.npy"))
        arguments += [f"--arg={number}:npy:{path}", f"--out={number}:{outputs[-1]}"]
    failed, report = run("memspace-runner", made, "--kernel=k", *arguments)
    if "races: " not in report:
        return "error"
    if failed or "races: 0," not in report or not all(
            array is None or numpy.array_equal(numpy.load(path), array)
            for path, array in zip(outputs, kernel.outputs)):
        return "wrong"
    with open(made) as file:
        return "split" if "gpu.func @k_part1" in file.read() else "whole"


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(int(sys.argv[1]), int(sys.argv[1]) + int(sys.argv[2])):
            status = check_seed(seed, folder)
            counts[status] += 1
            if status in ("wrong", "error"):
                print(status, seed, flush=True)
    print(", ".join(f"{count} {status}" for status, count in sorted(counts.items())))
    sys.exit(counts["wrong"] + counts["error"] != 0)


if __name__ == "__main__":
    main()
