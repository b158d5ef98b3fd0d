#!/usr/bin/env python3
"""Runs IREE's TileAndFuse kernels in MemSpace's emulator, and compares with NumPy.

usage: check_values.py IREE_SOURCE_DIR BUILD_DIR MEMSPACE_RUNNER [NAME...]

Takes functions of IREE's tests of the tile-and-fuse pipeline, with smaller extents where
the test has millions of elements; iree-tile-and-fuse makes tiles of them as in IREE,
iree-memspace-opt kernels, which the emulator runs in two orders of the threads.
BUILD_DIR is one with -DMEMSPACE_IREE_PASSES=ON. One line for each function; exit status 1
unless all values are right and nothing is reported. Needs NumPy.
"""

import os
import re
import subprocess
import sys
import tempfile

import numpy as np

TESTS = "compiler/src/iree/compiler/Codegen/LLVMGPU/test/ROCDL"
PIPELINE, IGEMM = "pipeline_tile_and_fuse.mlir", "pipeline_igemm_tile_and_fuse.mlir"
MATMUL = [("2048", "128"), ("10240", "256"), ("1280", "128")]
BATCHES = [("577", "37"), ("12x", "2x"), ("[12,", "[2,")]
# The numbers -2 to 2 as 8-bit floats.
F8 = {0: 0x00, 1: 0x40, 2: 0x48, -1: 0xC0, -2: 0xC8}


def transposed(a, b):
    return a @ b.T


def product(a, b, c=0):
    return a @ b + c


def conv_stride_2(x, w):
    """NHWC by HWCF, whose first three extents are one."""
    w = w.reshape(3, 3, x.shape[-1], -1)
    n = 2 * ((x.shape[1] - 3) // 2) + 1
    return sum(x[:, i : i + n : 2, j : j + n : 2] @ w[i, j] for i in range(3) for j in range(3))


def conv_nchw_relu(x, w):
    n = x.shape[-1] - 2
    y = sum(np.einsum("nchw,fc->nfhw", x[..., i : i + n, j : j + n], w[..., i, j]) for i in range(3) for j in range(3))
    return np.maximum(y + 1, 0)


def data_tiled(a, b, c):
    """By MFMA_F32_16x16x4_F32: of the 16 rows of a tile of the result 4 are in each lane."""
    a = a.reshape(a.shape[:4] + (4, 4, a.shape[-1]))
    return c + np.einsum("mtiqRrk,ntsjqck->mnsijRcr", a, b)


# Those that read what they overwrite.
UPDATES = ("small_matvec", "multi_mma_data_tiled_unrolled_MFMA_F32_16x16x4_F32")

# Function, file, chip, extents that are others here, and what it computes of its arguments.
KERNELS = [
    ("matmul_transpose_b", PIPELINE, "gfx942", MATMUL, transposed),
    ("matmul_transpose_b_mfma", PIPELINE, "gfx942", MATMUL, transposed),
    ("matmul_transpose_b_wmmar3", PIPELINE, "gfx1100", MATMUL, transposed),
    ("matmul_transpose_b_mfma_16x16x4", PIPELINE, "gfx942", MATMUL, transposed),
    ("matmul_transpose_b_mfma_16x16x32_f8", PIPELINE, "gfx942", MATMUL, transposed),
    ("matmul_transpose_b_mfma_32x32x16_i8", PIPELINE, "gfx942", MATMUL, transposed),
    ("multi_mma_data_tiled_unrolled_MFMA_F32_16x16x4_F32", PIPELINE, "gfx942", [], data_tiled),
    ("matmul_transpose_b_promote_result", PIPELINE, "gfx942", MATMUL, transposed),
    ("unaligned_to_intrinsic_batched_matmul", PIPELINE, "gfx942", BATCHES, product),
    ("unaligned_to_intrinsic_batched_matmul_nocpromo", PIPELINE, "gfx942", BATCHES, product),
    ("small_m_matmul", PIPELINE, "gfx942", [], product),
    ("small_matvec", PIPELINE, "gfx942", [], product),
    ("conv_nchw_fused", PIPELINE, "gfx942", [("58", "10"), ("56", "8")], conv_nchw_relu),
    ("skinny_matmul_config", PIPELINE, "gfx942", [("3136", "64")], lambda a, bias, b: np.maximum(a @ b + bias[:, None], 0)),
    ("conv_nhwc_stride_2", IGEMM, "gfx942", [("11520", "576"), ("1280", "64")], conv_stride_2),
    ("conv_nhwc_unaligned_stride_2", IGEMM, "gfx942", [("11529", "333"), ("1281", "37")], conv_stride_2),
    ("conv_nhwc_unaligned_stride_2_nocpromo", IGEMM, "gfx942", [("11529", "333"), ("1281", "37")], conv_stride_2),
    ("conv_2d_input_backward_16x1x21x192_nhwc", IGEMM, "gfx942", [], product),
]


def to_bf16(x):
    """The bits of the nearest numbers; of equally near ones the even."""
    bits = np.ascontiguousarray(x, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)


def encode(values, element):
    if element == "bf16":
        return to_bf16(values)
    if element.startswith("f8"):
        return np.vectorize(F8.get)(values).astype(np.uint8)
    return values.astype({"f16": np.float16, "f32": np.float32}.get(element) or "int" + element[1:])


def find_input(folder, file, name):
    with open(os.path.join(folder, TESTS, file)) as f:
        for part in f.read().split("// -----"):
            if re.search(r"func\.func @%s\(" % name, part):
                return part
    raise SystemExit("%s has no function %s" % (file, name))


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        raise RuntimeError((result.stderr + result.stdout).strip().split("\n")[0])
    return result.stdout


def check(name, file, chip, extents, compute, source, build, runner, folder):
    text = find_input(source, file, name)
    for old, new in extents:
        text = re.sub(r"(?<!\d)" + re.escape(old) + (r"(?!\d)" if old[-1].isdigit() else ""), new, text)
    paths = {stage: os.path.join(folder, "%s.%s.mlir" % (name, stage)) for stage in ("input", "tiled", "kernel")}
    with open(paths["input"], "w") as f:
        f.write(text)
    run(os.path.join(build, "iree-tile-and-fuse"), "-iree-tile-and-fuse", paths["input"], "-o", paths["tiled"])
    run(os.path.join(build, "iree-memspace-opt"), paths["tiled"], "-iree-memspace-import",
        "-memspace-kernel-pipeline=chip=" + chip, "-iree-memspace-export", "-o", paths["kernel"])
    with open(paths["kernel"]) as f:
        signature = re.search(r"func\.func @%s\((.*?)\) attributes" % name, f.read())[1]
    # The last one is the output, which the kernel may read.
    types = re.findall(r"memref<((?:\d+x)*)(\w+)", signature)
    rng, values, options = np.random.default_rng(7), [], []
    for number, (shape, element) in enumerate(types):
        values.append(rng.integers(-2, 3, [int(n) for n in shape.split("x")[:-1]]))
        np.save("%s.%d.npy" % (paths["kernel"], number), encode(values[-1], element))
        options.append("--arg=%d:npy:%s.%d.npy" % (number, paths["kernel"], number))
    out = paths["kernel"] + ".out.npy"
    run(runner, paths["kernel"], "--chip=" + chip, "--orders=2", "--max-steps=%d" % (1 << 36),
        "--out=%d:%s" % (len(types) - 1, out), *options)
    wanted = encode(compute(*(values if name in UPDATES else values[:-1])), types[-1][1])
    return np.array_equal(np.load(out).reshape(-1), wanted.reshape(-1))


def main():
    if len(sys.argv) < 4:
        raise SystemExit(__doc__)
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for kernel in KERNELS:
            if sys.argv[4:] and kernel[0] not in sys.argv[4:]:
                continue
            try:
                status = "ok" if check(*kernel, *sys.argv[1:4], folder) else "wrong values"
            except RuntimeError as error:
                status = str(error)
            failed |= status != "ok"
            print("%s: %s" % (kernel[0], status), flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
