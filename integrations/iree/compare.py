#!/usr/bin/env python3
"""Runs MemSpace on the lit inputs of IREE's passes, next to what IREE makes of them.

usage: compare.py IREE_SOURCE_DIR IREE_MEMSPACE_OPT

Prints a table: for each function of an input the barriers, and the bytes of workgroup
memory, that IREE's test expects and that MemSpace leaves, and whether MemSpace's
verifier finds the result free of races; else what MemSpace says against it. IREE's
numbers are those of the test's CHECK lines, where it has such.
"""

import os
import re
import subprocess
import sys

CODEGEN = "compiler/src/iree/compiler/Codegen"
VERIFY = "memspace-verify-barriers{subgroup-size=64}"
BARRIERS = "memspace-map-to-threads{subgroup-size=64}," + (
    "memspace-insert-barriers{subgroup-size=64},%s" % VERIFY
)
PACK = "memspace-pack-workgroup-memory{chip=gfx942},memspace-insert-barriers{chip=gfx942},%s" % VERIFY
CHECK = "memspace-check-budget{chip=gfx942}"
TENSORS = "memspace-kernel-pipeline{chip=gfx942},%s" % VERIFY
# The input of which pass, its file, the passes that take its place, and the threads of a
# workgroup where the input does not say: IREE's inputs for CPUs have one.
INPUTS = [
    ("GPUDistributeForall", "Common/GPU/test/gpu_distribute_forall.mlir", BARRIERS, 64),
    ("GPUReuseSharedMemoryAllocs", "Common/GPU/test/gpu_reuse_shared_memory_allocs.mlir", PACK, 64),
    ("GPUCheckResourceUsage", "Common/GPU/test/gpu_check_resource_usage.mlir", CHECK, 64),
    ("GPUInferMemorySpace", "Common/GPU/test/gpu_infer_memory_space.mlir", TENSORS, 64),
    ("GPUCombineValueBarriers", "Common/GPU/test/gpu_combine_value_barriers.mlir", TENSORS, 64),
    ("llvmgpu-bufferize", "LLVMGPU/test/llvmgpu_bufferize.mlir", TENSORS, 64),
    ("dispatch tensors", "Common/test/bufferize_dispatch_tensor_load_store.mlir", TENSORS, 1),
    ("copies only", "Common/test/bufferize_copy_only_dispatches.mlir", TENSORS, 1),
    ("comprehensive-bufferize", "Common/test/iree_comprehensive_bufferize.mlir", TENSORS, 1),
]
ELEMENT_BITS = {"index": 64, "bf16": 16}


def split(text):
    """The parts of a test, each with the names of its functions."""
    for part in re.split(r"^// -----.*$", text, flags=re.M):
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
        bits = ELEMENT_BITS.get(element) or int(re.sub(r"\D", "", element))
        total += count * bits // 8
    return total


def expected(part):
    """What IREE's test expects: barriers, bytes of workgroup memory."""
    checks = "\n".join(re.findall(r"^// *CHECK.*$", part, re.M))
    if not checks:
        return "-", "-"
    allocs = re.findall(
        r"memref\.alloc\(\)[^:]*: memref<((?:\d+x)+)(\w+), (?:#gpu.address_space<workgroup>|3)>", checks
    )
    return str(checks.count("gpu.barrier")), str(bytes_of(allocs)) if allocs else "-"


def run(tool, part, passes, threads):
    passes = "iree-memspace-import{block-size=%d,1,1},%s" % (threads, passes)
    command = [tool, "-", "--pass-pipeline=builtin.module(%s)" % passes]
    done = subprocess.run(command, input=part, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode == 0:
        return done.stdout, None
    error = re.search(r"error: (.*)", done.stderr)
    return None, error.group(1) if error else "exit status %d" % done.returncode


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    source, tool = sys.argv[1:]
    print("| input of | function | barriers: IREE | MemSpace | bytes: IREE | MemSpace | verified |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    verified = total = 0
    for name, file, passes, threads in INPUTS:
        with open(os.path.join(source, CODEGEN, file)) as stream:
            text = stream.read()
        for part, functions in split(text):
            barriers, size = expected(part)
            made, error = run(tool, part, passes, threads)
            ours = str(made.count("gpu.barrier")) if made else "-"
            sizes = re.findall(r"memspace\.arena.* : memref<(\d+)xi8", made or "")
            verdict = "yes" if made else error.replace("|", "\\|")
            print(
                "| %s | %s | %s | %s | %s | %s | %s |"
                % (name, ", ".join(functions), barriers, ours, size, " ".join(sizes) or ("0" if made else "-"), verdict)
            )
            total += 1
            verified += made is not None
    print("\n%d of %d inputs end verified" % (verified, total))


if __name__ == "__main__":
    main()
