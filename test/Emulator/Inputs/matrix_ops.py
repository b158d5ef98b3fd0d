"""Runs matrix ops on random matrices and compares with NumPy: matrix_ops.py FAMILY.

The operands are laid out here, by the formulas of the vendors' documents, one row of
values for each lane. They are written in another form than the emulator's tables on
purpose. All values are small integers, so that sums are exact in any order.
"""

import os
import subprocess
import sys
import tempfile

import numpy as np

random = np.random.default_rng(1)

# --- Numbers: MLIR type, NumPy type of the file, bits of a small integer.


def float_bits(exponent_bits, mantissa_bits, bias):
    def encode(value):
        if value == 0:
            return 0
        exponent = int(np.floor(np.log2(abs(value))))
        mantissa = int((abs(value) / 2.0**exponent - 1) * 2**mantissa_bits)
        sign = (value < 0) << (exponent_bits + mantissa_bits)
        return sign | (exponent + bias) << mantissa_bits | mantissa

    return encode


NUMBERS = {
    "f64": (np.float64, float),
    "f32": (np.float32, float),
    "f16": (np.float16, float),
    "bf16": (np.uint16, float_bits(8, 7, 127)),
    "f8E4M3FN": (np.uint8, float_bits(4, 3, 7)),
    "f8E5M2": (np.uint8, float_bits(5, 2, 15)),
    "f8E4M3FNUZ": (np.uint8, float_bits(4, 3, 8)),
    "f8E5M2FNUZ": (np.uint8, float_bits(5, 2, 16)),
    "i8": (np.int8, int),
    "i4": (np.int8, int),
    "i32": (np.int32, int),
}


def encode(values, name):
    dtype, function = NUMBERS[name]
    return np.vectorize(function, otypes=[dtype])(values)


# --- One op: `text` has %a, %b and %c for the lane's vectors and makes %d.


def run(name, lanes, text, shape, types, vectors, a, b, c, a_at, b_at, c_at, wanted):
    """`a_at(lane, value)` and so on give an element's coordinates. A lane's value
    that holds none has the coordinates None."""
    counts = [int(np.prod(v)) for v in vectors]
    fragments = []
    for matrix, type_name, count, at in zip(
        (a, b, c), types, counts, (a_at, b_at, c_at)
    ):
        rows = [
            [0 if at(l, v) is None else matrix[at(l, v)] for v in range(count)]
            for l in range(lanes)
        ]
        fragments.append(encode(np.array(rows), type_name))

    def vector(v, t):
        return t if v == () else f"vector<{'x'.join(map(str, v))}x{t}>"

    lines = []
    for operand, v, t, count in zip("abc", vectors, types, counts):
        for i in range(count):
            lines.append(f"%i{operand}{i} = arith.constant {i} : index")
            lines.append(
                f"%{operand}{i} = memref.load %m{operand}[%t, %i{operand}{i}]"
                f" : memref<{lanes}x{count}x{t}>"
            )
        values = ", ".join(f"%{operand}{i}" for i in range(count))
        if v == ():
            lines.append(f"%z{operand} = arith.constant 0 : i32")
        else:
            lines.append(
                f"%{operand} = vector.from_elements {values} : {vector(v, t)}"
            )
    full = {o: (f"%{o}0" if v == () else f"%{o}") for o, v in zip("abc", vectors)}
    types_text = [vector(v, t) for v, t in zip(vectors, types)]
    lines.append("%d = " + text.format(*full.values(), *types_text))
    count = counts[2]
    if vectors[2] == ():
        lines.append(f"memref.store %d, %mc[%t, %ic0] : memref<{lanes}x1x{types[2]}>")
    else:
        flat = f"vector<{count}x{types[2]}>"
        lines.append(f"%flat = vector.shape_cast %d : {types_text[2]} to {flat}")
        for i in range(count):
            lines.append(f"%d{i} = vector.extract %flat[{i}] : {types[2]} from {flat}")
            lines.append(
                f"memref.store %d{i}, %mc[%t, %ic{i}] : memref<{lanes}x{count}x{types[2]}>"
            )
    arguments = ", ".join(
        f"%m{o}: memref<{lanes}x{n}x{t}>" for o, n, t in zip("abc", counts, types)
    )
    kernel = (
        f"func.func @k({arguments}) attributes {{gpu.known_block_size = "
        f"array<i32: {lanes}, 1, 1>}} {{\n  %t = gpu.thread_id x\n  "
        + "\n  ".join(lines)
        + "\n  return\n}\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "k.mlir")
        open(path, "w").write(kernel)
        command = ["memspace-runner", path, f"--subgroup-size={lanes}"]
        for number, fragment in enumerate(fragments):
            file = os.path.join(folder, f"{number}.npy")
            np.save(file, fragment)
            command.append(f"--arg={number}:npy:{file}")
        out = os.path.join(folder, "out.npy")
        process = subprocess.run(
            command + [f"--out=2:{out}"], capture_output=True, text=True
        )
        if process.returncode:
            sys.exit(f"{name}:\n{kernel}{process.stdout}{process.stderr}")
        got = np.load(out)
    want = encode(wanted, types[2])
    for lane in range(lanes):
        for value in range(count):
            at = c_at(lane, value)
            if at is not None and got[lane, value] != want[at]:
                sys.exit(
                    f"{name}: lane {lane}, value {value}, which is D{at}: "
                    f"{got[lane, value]} instead of {want[at]}"
                )
    print(name)


def matrices(m, n, k, blocks=1, low=-4, high=4):
    return (
        random.integers(low, high, (blocks, m, k)),
        random.integers(low, high, (blocks, k, n)),
        random.integers(low, high, (blocks, m, n)),
    )


# --- nvgpu.mma.sync: PTX ISA, "Matrix Fragments for mma.m...n...k...". Each entry gives
# the rows and columns of a_i, the rows of b_i (their column is groupID), and those of
# c_i, from g = groupID and t = threadID_in_group.

MMA = [
    (
        "f64", "f64", (8, 8, 4), 1, 1,
        lambda g, t, i: (g, t), lambda t, i: t, lambda g, t, i: (g, t * 2 + (i & 1)),
    ),
    (
        "f64", "f64", (16, 8, 4), 1, 1,
        lambda g, t, i: (g if i == 0 else g + 8, t), lambda t, i: t, None,
    ),
    (
        "f64", "f64", (16, 8, 8), 1, 1,
        lambda g, t, i: (g if i in (0, 2) else g + 8, t if i < 2 else t + 4),
        lambda t, i: t if i == 0 else t + 4, None,
    ),
    (
        "f64", "f64", (16, 8, 16), 1, 1,
        lambda g, t, i: (g if i % 2 == 0 else g + 8, (i - i % 2) * 2 + t),
        lambda t, i: t + i * 4, None,
    ),
    (
        "f32", "f32", (16, 8, 4), 1, 1,
        lambda g, t, i: (g if i == 0 else g + 8, t), lambda t, i: t, None,
    ),
    (
        "f32", "f32", (16, 8, 8), 1, 1,
        lambda g, t, i: (g if i in (0, 2) else g + 8, t if i in (0, 1) else t + 4),
        lambda t, i: t if i == 0 else t + 4, None,
    ),
    (
        "f16", "f16", (16, 8, 8), 2, 2,
        lambda g, t, i: (g if i < 2 else g + 8, t * 2 + (i & 1)),
        lambda t, i: t * 2 + i, None,
    ),
    (
        "f16", "f32", (16, 8, 8), 2, 2,
        lambda g, t, i: (g if i < 2 else g + 8, t * 2 + (i & 1)),
        lambda t, i: t * 2 + i, None,
    ),
    (
        "bf16", "f32", (16, 8, 8), 2, 2,
        lambda g, t, i: (g if i < 2 else g + 8, t * 2 + (i & 1)),
        lambda t, i: t * 2 + i, None,
    ),
]
for a_type, c_type in (("f16", "f16"), ("f16", "f32"), ("bf16", "f32")):
    MMA.append(
        (
            a_type, c_type, (16, 8, 16), 2, 2,
            lambda g, t, i: (
                g if i < 2 or 4 <= i < 6 else g + 8,
                t * 2 + (i & 1) if i < 4 else t * 2 + (i & 1) + 8,
            ),
            lambda t, i: t * 2 + (i & 1) if i < 2 else t * 2 + (i & 1) + 8, None,
        )
    )
MMA += [
    (
        "i8", "i32", (8, 8, 16), 4, 4,
        lambda g, t, i: (g, t * 4 + i), lambda t, i: t * 4 + i,
        lambda g, t, i: (g, t * 2 + i),
    ),
    (
        "i8", "i32", (16, 8, 16), 4, 4,
        lambda g, t, i: (g if i < 4 else g + 8, t * 4 + (i & 3)),
        lambda t, i: t * 4 + (i & 3), None,
    ),
    (
        "i8", "i32", (16, 8, 32), 4, 4,
        lambda g, t, i: (
            g if i < 4 or 8 <= i < 12 else g + 8,
            t * 4 + (i & 3) if i < 8 else t * 4 + (i & 3) + 16,
        ),
        lambda t, i: t * 4 + (i & 3) if i < 4 else t * 4 + (i & 3) + 16, None,
    ),
    (
        "i4", "i32", (8, 8, 32), 8, 8,
        lambda g, t, i: (g, t * 8 + i), lambda t, i: t * 8 + i,
        lambda g, t, i: (g, t * 2 + i),
    ),
    (
        "i4", "i32", (16, 8, 32), 8, 8,
        lambda g, t, i: (g if i < 8 else g + 8, t * 8 + (i & 7)),
        lambda t, i: t * 8 + (i & 7), None,
    ),
    (
        "i4", "i32", (16, 8, 64), 8, 8,
        lambda g, t, i: (
            g if i < 8 or 16 <= i < 24 else g + 8,
            t * 8 + (i & 7) if i < 16 else t * 8 + (i & 7) + 32,
        ),
        lambda t, i: t * 8 + (i & 7) if i < 8 else t * 8 + (i & 7) + 32, None,
    ),
]


def mma_sync():
    for a_type, c_type, (m, n, k), a_width, b_width, a_at, b_at, c_at in MMA:
        c_at = c_at or (lambda g, t, i: (g if i < 2 else g + 8, t * 2 + (i & 1)))
        a, b, c = matrices(m, n, k)
        run(
            f"m{m}n{n}k{k} {a_type} {c_type}", 32,
            "nvgpu.mma.sync({0}, {1}, {2}) {{mmaShape = [%d, %d, %d]%s}} : ({3}, {4}, {5}) -> {5}"
            % (m, n, k, ", tf32Enabled" if a_type == "f32" else ""),
            (m, n, k), (a_type, a_type, c_type),
            (
                (m * k // 32 // a_width, a_width),
                (n * k // 32 // b_width, b_width),
                (m * n // 32 // 2, 2),
            ),
            a, b, c,
            lambda l, i: (0, *a_at(l >> 2, l % 4, i)),
            lambda l, i: (0, b_at(l % 4, i), l >> 2),
            lambda l, i: (0, *c_at(l >> 2, l % 4, i)),
            a @ b + c,
        )


# --- amdgpu.mfma: CDNA3 ISA 7.1.4.

MFMA = [
    # type, result, (m, n, k, blocks)
    ("f32", "f32", (32, 32, 1, 2)), ("f32", "f32", (16, 16, 1, 4)),
    ("f32", "f32", (4, 4, 1, 16)), ("f32", "f32", (32, 32, 2, 1)),
    ("f32", "f32", (16, 16, 4, 1)), ("f32", "f32", (16, 16, 8, 1)),
    ("f16", "f32", (32, 32, 4, 2)), ("f16", "f32", (16, 16, 4, 4)),
    ("f16", "f32", (4, 4, 4, 16)), ("f16", "f32", (32, 32, 8, 1)),
    ("f16", "f32", (16, 16, 16, 1)), ("f16", "f32", (16, 16, 32, 1)),
    ("bf16", "f32", (32, 32, 2, 2)), ("bf16", "f32", (4, 4, 2, 16)),
    ("bf16", "f32", (16, 16, 16, 1)), ("bf16", "f32", (32, 32, 16, 1)),
    ("i8", "i32", (32, 32, 4, 2)), ("i8", "i32", (4, 4, 4, 16)),
    ("i8", "i32", (32, 32, 8, 1)), ("i8", "i32", (16, 16, 32, 1)),
    ("i8", "i32", (16, 16, 64, 1)), ("f64", "f64", (16, 16, 4, 1)),
    ("f64", "f64", (4, 4, 4, 4)), ("f8E4M3FNUZ", "f32", (16, 16, 32, 1)),
    ("f8E5M2FNUZ", "f32", (32, 32, 16, 1)), ("f8E4M3FN", "f32", (16, 16, 128, 1)),
    ("f8E5M2", "f32", (32, 32, 64, 1)),
]


def input_at(side, k, blocks):
    per_lane = k * side * blocks // 64
    return lambda l, v: (
        l // side % blocks,
        l % side,
        l // (side * blocks) * per_lane + v,
    )


def output_at(m, n, blocks, is_f64):
    if is_f64:
        return lambda l, v: (
            l // n % blocks,
            4 * v + l // (n * blocks),
            l % n,
        )
    # Rows come in groups of four; a lane's groups are as far apart as all lanes reach.
    row_lanes = min(64 // n, m // 4)
    block_lanes = 64 // n // row_lanes
    groups = m // (4 * row_lanes)
    return lambda l, v: (
        v // 4 // groups * block_lanes + l // n // row_lanes,
        v % 4 + 4 * (l // n % row_lanes) + 4 * row_lanes * (v // 4 % groups),
        l % n,
    )


def mfma_op(a_type, c_type, shape, attributes="", blgp="none", wanted=None, packed=None):
    m, n, k, blocks = shape
    a, b, c = matrices(m, n, k, blocks)
    count, results = m * k * blocks // 64, m * n * blocks // 64
    b_at = input_at(n, k, blocks)
    if blocks > 1:
        attributes += f", blocks = {blocks} : i32"
    attributes = attributes.strip(", ")
    run(
        f"mfma {m}x{n}x{k}x{blocks} {a_type} {c_type} {attributes} {blgp}", 64,
        f"amdgpu.mfma {m}x{n}x{k} {{0}} * {{1}} + {{2}}"
        + (f" {{{{{attributes}}}}}" if attributes else "")
        + f" blgp = {blgp} : {{3}}, {{4}}, {{5}}",
        shape, (a_type, a_type, c_type),
        ((count,) if count > 1 else (), (count,) if count > 1 else (),
         (results,) if results > 1 else ()),
        a, b, c, input_at(m, k, blocks),
        lambda l, v: (b_at(l, v)[0], b_at(l, v)[2], b_at(l, v)[1]),
        output_at(m, n, blocks, c_type == "f64"),
        wanted(a, b, c) if wanted else a @ b + c,
    )


def mfma():
    for a_type, c_type, shape in MFMA:
        mfma_op(a_type, c_type, shape)
    # One block of A serves two or four blocks.
    mfma_op("f32", "f32", (32, 32, 1, 2), "cbsz = 1 : i32, abid = 1 : i32",
            wanted=lambda a, b, c: a[[1, 1]] @ b + c)
    mfma_op("f16", "f32", (16, 16, 4, 4), "cbsz = 1 : i32, abid = 0 : i32",
            wanted=lambda a, b, c: a[[0, 0, 2, 2]] @ b + c)
    mfma_op("f16", "f32", (4, 4, 4, 16), "cbsz = 2 : i32, abid = 3 : i32",
            wanted=lambda a, b, c: a[np.arange(16) // 4 * 4 + 3] @ b + c)
    # Groups of lanes of B: with four blocks of 16 columns each is a block.
    for blgp, blocks in (
        ("bcast_first_32", [0, 1, 0, 1]), ("bcast_second_32", [2, 3, 2, 3]),
        ("rotate_16_right", [1, 2, 3, 0]), ("bcast_first_16", [0] * 4),
        ("bcast_second_16", [1] * 4), ("bcast_third_16", [2] * 4),
        ("bcast_fourth_16", [3] * 4),
    ):
        mfma_op("f32", "f32", (16, 16, 1, 4), blgp=blgp,
                wanted=lambda a, b, c: a @ b[blocks] + c)
    mfma_op("f64", "f64", (16, 16, 4, 1), "negateA",
            wanted=lambda a, b, c: -a @ b + c)
    mfma_op("f64", "f64", (16, 16, 4, 1), "negateB, negateC",
            wanted=lambda a, b, c: a @ -b - c)
    mfma_op("f32", "f32", (16, 16, 8, 1), "reducePrecision")


# --- amdgpu.wmma: RDNA3 ISA 7.9, RDNA4 ISA 7.12.


def wmma_op(a_type, c_type, k, lanes, is_rdna4, attributes="", wanted=None, **limits):
    a, b, c = matrices(16, 16, k, **limits)
    subword = 1 if "subwordOffset = 1" in attributes else 0
    if is_rdna4:
        per_lane = k // 2
        # 16-bit values come in pairs of registers, first of one half of the lanes.
        if NUMBERS[a_type][0] in (np.float16, np.uint16):
            k_at = lambda l, v: v % 4 + l // 16 * 4 + v // 4 * 8
        else:
            k_at = lambda l, v: l // 16 * per_lane + v
        c_at = lambda l, v: (0, v + 8 * (l // 16), l % 16)
        results = 8
    else:
        per_lane = k
        k_at = lambda l, v: v
        results = 256 // lanes
        row = lambda l, v: v * (lanes // 16) + l // 16
        c_at = lambda l, v: (0, row(l, v), l % 16)
        if c_type in ("f16", "bf16"):
            results *= 2
            c_at = lambda l, v: (
                (0, row(l, v // 2), l % 16) if v % 2 == subword else None
            )
    run(
        f"wmma k={k} {a_type} {c_type} wave{lanes} {'RDNA4' if is_rdna4 else 'RDNA3'}"
        f" {attributes}", lanes,
        f"amdgpu.wmma 16x16x{k} {{0}} * {{1}} + {{2}}"
        + (f" {{{{{attributes}}}}}" if attributes else "")
        + " : {3}, {4}, {5}",
        (16, 16, k), (a_type, a_type, c_type), ((per_lane,), (per_lane,), (results,)),
        a, b, c,
        lambda l, v: (0, l % 16, k_at(l, v)), lambda l, v: (0, k_at(l, v), l % 16), c_at,
        wanted(a, b, c) if wanted else a @ b + c,
    )


def wmma():
    for lanes in (32, 64):
        for a_type, c_type in (("f16", "f32"), ("bf16", "f32"), ("i8", "i32"), ("i4", "i32")):
            wmma_op(a_type, c_type, 16, lanes, False)
        for subword in (0, 1):
            for number in ("f16", "bf16"):
                wmma_op(number, number, 16, lanes, False,
                        f"subwordOffset = {subword} : i32", low=-2, high=3)
    for a_type, c_type in (
        ("f16", "f32"), ("bf16", "f32"), ("f16", "f16"), ("i8", "i32"), ("i4", "i32"),
        ("f8E4M3FN", "f32"), ("f8E5M2", "f32"),
    ):
        wmma_op(a_type, c_type, 16, 32, True)
    wmma_op("i4", "i32", 32, 32, True)
    # The bits of -1 are 255.
    wmma_op("i8", "i32", 16, 32, True, "unsignedA",
            wanted=lambda a, b, c: (a & 255) @ b + c)
    wmma_op("i4", "i32", 32, 32, True, "unsignedB",
            wanted=lambda a, b, c: a @ (b & 15) + c)


{"mma-sync": mma_sync, "mfma": mfma, "wmma": wmma}[sys.argv[1]]()
