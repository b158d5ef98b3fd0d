#!/usr/bin/env python3
"""Runs MemSpace on the lit inputs of IREE's passes, next to what IREE makes of them.

usage: compare.py IREE_SOURCE_DIR IREE_MEMSPACE_OPT [MEMSPACE_RUNNER]

Prints a table: for each function of an input the barriers, and the bytes of workgroup
memory, that IREE's test expects and that MemSpace leaves, and whether MemSpace's
verifier finds the result free of races; else what MemSpace says against it. IREE's
numbers are those of the test's CHECK lines, where it has such. With MEMSPACE_RUNNER
what is verified is run by the emulator, where its shapes are static. Then the sums for
each pass, of the inputs that end verified.
"""

import os
import re
import subprocess
import sys
import tempfile

CODEGEN = "compiler/src/iree/compiler/Codegen"
# IREE says that lanes may store equal values to one place.
VERIFY = "memspace-verify-barriers{subgroup-size=64 allow-equal-stores}"
BARRIERS = "memspace-map-to-threads{subgroup-size=64}," + (
    "memspace-insert-barriers{subgroup-size=64},%s" % VERIFY
)
PACK = "memspace-pack-workgroup-memory{chip=gfx942},memspace-insert-barriers{chip=gfx942},%s" % VERIFY
CHECK = "memspace-check-budget{chip=gfx942}"
ELIMINATE = "memspace-eliminate-barriers{subgroup-size=64},%s" % VERIFY
TENSORS = "memspace-kernel-pipeline{chip=gfx942},%s" % VERIFY
# The input of which pass, its file, the passes that take its place, and the threads of a
# workgroup where the input does not say: IREE's inputs for CPUs have one.
INPUTS = [
    ("GPUDistributeForall", "Common/GPU/test/gpu_distribute_forall.mlir", BARRIERS, 64),
    ("GPUReuseSharedMemoryAllocs", "Common/GPU/test/gpu_reuse_shared_memory_allocs.mlir", PACK, 64),
    ("the same", "LLVMGPU/test/reuse_shared_memory_allocs.mlir", PACK, 64),
    ("LLVMGPUPackSharedMemoryAlloc", "LLVMGPU/test/pack_shared_memory_alloc.mlir", PACK, 64),
    ("eliminate_gpu_barriers", "LLVMGPU/test/transform_dialect_eliminate_gpu_barriers.mlir", ELIMINATE, 64),
    ("GPUCheckResourceUsage", "Common/GPU/test/gpu_check_resource_usage.mlir", CHECK, 64),
    ("GPUInferMemorySpace", "Common/GPU/test/gpu_infer_memory_space.mlir", TENSORS, 64),
    ("GPUCombineValueBarriers", "Common/GPU/test/gpu_combine_value_barriers.mlir", TENSORS, 64),
    ("llvmgpu-bufferize", "LLVMGPU/test/llvmgpu_bufferize.mlir", TENSORS, 64),
    ("dispatch tensors", "Common/test/bufferize_dispatch_tensor_load_store.mlir", TENSORS, 1),
    ("copies only", "Common/test/bufferize_copy_only_dispatches.mlir", TENSORS, 1),
    ("comprehensive-bufferize", "Common/test/iree_comprehensive_bufferize.mlir", TENSORS, 1),
    # Before bufferization: what IREE's tile-and-fuse pipeline has at these passes.
    ("GPUFuseAndHoistParallelLoops", "Common/GPU/test/gpu_fuse_and_hoist_forall.mlir", TENSORS, 64),
    ("GPUDistributeCopyUsingForall", "Common/GPU/test/gpu_distribute_copy_using_forall.mlir", TENSORS, 64),
    ("combine-barrier-regions", "Dialect/GPU/Transforms/test/combine_barrier_regions.mlir", TENSORS, 64),
    ("fuse-forall", "Dialect/GPU/TransformExtensions/test/transform_fuse_forall.mlir", TENSORS, 64),
    ("lower-barrier-region", "Dialect/GPU/TransformExtensions/test/transform_lower_barrier_region.mlir", TENSORS, 64),
    ("vectorize-iree-gpu", "Dialect/GPU/TransformExtensions/test/vectorize_iree_gpu_ops.mlir", TENSORS, 64),
    ("unroll-multi-mma", "Dialect/GPU/TransformExtensions/test/unroll_multi_mma.mlir", TENSORS, 64),
]
ELEMENT_BITS = {"index": 64, "bf16": 16}


def split(text):
    """The parts of a test, each with the names of its functions."""
    for part in re.split(r"^// -----.*$", text, flags=re.M):
        # Scripts of the transform dialect are for IREE's passes.
        part = re.sub(r"^module attributes \{ *transform\.with_named_sequence.*?^\}( // module)?$", "", part, flags=re.M | re.S)
        code = re.sub(r"^\s*//.*$", "", part, flags=re.M)
        names = re.findall(r"func\.func(?: private)? @(\w+)\(.*?(?=\{)", code, re.S)
        names = [n for n in names if not re.search(r"func\.func private @%s\b" % n, code)]
        if names:
            yield part, names


def bytes_of(types):
    total = 0
    for shape, element in types:
        count = 1
        for extent in shape.split("x")[:-1]:
            count *= int(extent)
        bits = ELEMENT_BITS.get(element) or int(re.search(r"\d+", element).group())
        total += count * bits // 8
    return total


def expected(part):
    """What IREE's test expects: barriers, bytes of workgroup memory."""
    lines = re.findall(r"^ *// *CHECK(?!-NOT|-LABEL)[-A-Z0-9]*: .*$", part, re.M)
    if not lines:
        return None, None
    counted = []
    for line in lines:
        count = re.search(r"CHECK-COUNT-(\d+)", line)
        counted += [line] * (int(count.group(1)) if count else 1)
    checks = "\n".join(counted)
    allocs = re.findall(
        r"memref\.alloc\(\)[^:]*: memref<((?:\d+x)+)(\w+), (?:#gpu.address_space<workgroup>|3)>", checks
    )
    # IREE lowers a region to a barrier before it and one behind it.
    barriers = len(re.findall(r"(?<!iree_)gpu\.barrier\b|value_barrier\b|: barrier$", checks, re.M))
    return barriers + 2 * len(re.findall(r"barrier_region\b", checks)), bytes_of(allocs)


def run(tool, part, passes, threads):
    passes = "iree-memspace-import{block-size=%d,1,1},%s" % (threads, passes)
    command = [tool, "-", "--pass-pipeline=builtin.module(%s)" % passes]
    done = subprocess.run(command, input=part, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode == 0:
        return done.stdout, None
    return None, first_error(done)


def run_in_emulator(runner, tool, text):
    """Runs each kernel of a module: what was found, or why it was not run."""
    command = [tool, "-", "--pass-pipeline=builtin.module(iree-memspace-export)"]
    done = subprocess.run(command, input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        return "no: " + first_error(done)
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(done.stdout)
        file.flush()
        for name, arguments in re.findall(r"func\.func @(\w+)\((.*?)\) attributes", done.stdout):
            if re.search(r"memref<[^>]*\?x", arguments):
                return "no: dynamic shapes"
            types = re.findall(r"%arg(\d+): (\w+)", arguments)
            # Numbers are offsets, mostly.
            given = ["--arg=%s:%s" % (n, "random:" + n if kind == "memref" else "fill:0") for n, kind in types]
            command = [runner, file.name, "--kernel=" + name, "--subgroup-size=64"] + given
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            if done.returncode != 0:
                return ("found: " if done.returncode == 1 else "no: ") + first_error(done)
    return "yes"


def first_error(done):
    error = re.search(r"error: (.*)", done.stderr + done.stdout)
    return (error.group(1) if error else "exit status %d" % done.returncode).replace("|", "\\|")


class Sums:
    """Of the inputs of one pass."""

    def __init__(self):
        self.functions = self.verified = self.ran = 0
        self.barriers = [0, 0]
        self.bytes = [0, 0]

    def add(self, functions, verified, barriers, sizes, ran):
        self.functions += functions
        self.verified += functions if verified else 0
        self.ran += functions if ran else 0
        for total, pair in ((self.barriers, barriers), (self.bytes, sizes)):
            # Where IREE's test says nothing there is nothing to compare.
            if verified and pair[0] is not None:
                total[0] += pair[0]
                total[1] += pair[1]


def print_sums(sums, with_runs):
    print("\n| input of | functions | end verified |%s barriers: IREE, MemSpace | bytes: IREE, MemSpace |"
          % (" run |" if with_runs else ""))
    print("| --- | --- | --- | --- | --- |" + (" --- |" if with_runs else ""))
    for name, sum_ in sums.items():
        print("| %s | %d | %d |%s %d, %d | %d, %d |"
              % ((name, sum_.functions, sum_.verified, " %d |" % sum_.ran if with_runs else "")
                 + tuple(sum_.barriers) + tuple(sum_.bytes)))
    print("\n%d of %d functions end verified"
          % (sum(s.verified for s in sums.values()), sum(s.functions for s in sums.values())))


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    source, tool = sys.argv[1:3]
    runner = sys.argv[3] if len(sys.argv) == 4 else None
    print("| input of | function | barriers: IREE | MemSpace | bytes: IREE | MemSpace | verified |%s"
          % (" run |" if runner else ""))
    print("| --- | --- | --- | --- | --- | --- | --- |" + (" --- |" if runner else ""))
    sums = {}
    for name, file, passes, threads in INPUTS:
        with open(os.path.join(source, CODEGEN, file)) as stream:
            text = stream.read()
        for part, functions in split(text):
            barriers, size = expected(part)
            made, error = run(tool, part, passes, threads)
            counts = made.count("gpu.barrier") if made else None
            sizes = sum(int(n) for n in re.findall(r"memspace\.arena.* : memref<(\d+)xi8", made or ""))
            ran = run_in_emulator(runner, tool, made) if runner and made else None
            show = lambda value: "-" if value is None else str(value)
            print("| %s | %s | %s | %s | %s | %s | %s |%s"
                  % (name, ", ".join(functions), show(barriers), show(counts), show(size),
                     show(sizes if made else None), "yes" if made else error,
                     " %s |" % show(ran) if runner else ""))
            sums.setdefault(name, Sums()).add(
                len(functions), made is not None, (barriers, counts), (size, sizes), ran == "yes")
    print_sums(sums, runner is not None)


if __name__ == "__main__":
    main()
