#!/usr/bin/env python3
# Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scans rows by several workgroups and compares with numpy: large_scan.py OPT RUNNER FOLDER."""
import os
import subprocess
import sys

import numpy as np

OPT, RUNNER, FOLDER = sys.argv[1:4]

KERNEL = """
func.func @scan(%x: memref<{shape}xi64>, %y: memref<{shape}xi64>, %i: i64)
    attributes {{gpu.known_block_size = array<i32: {threads}, 1, 1>}} {{
  {constant}
  memspace.scan dimension({dim}) {kind} ins(%x : memref<{shape}xi64>) {initial} outs({out} : memref<{shape}xi64>) {{
  ^bb0(%a: i64, %b: i64):
    {combine}
    memspace.yield %s : i64
  }}
  return
}}
"""
SUM = "%s = arith.addi %a, %b : i64"
# Of maps x -> m x + c (mod 2^32), packed into m 2^32 + c: associative, not commutative.
MAPS = """%w = arith.constant 32 : i64
    %low = arith.constant 4294967295 : i64
    %m1 = arith.shrui %a, %w : i64
    %c1 = arith.andi %a, %low : i64
    %m2 = arith.shrui %b, %w : i64
    %c2 = arith.andi %b, %low : i64
    %m3 = arith.muli %m1, %m2 : i64
    %m = arith.shli %m3, %w : i64
    %c3 = arith.muli %m2, %c1 : i64
    %c4 = arith.addi %c3, %c2 : i64
    %c = arith.andi %c4, %low : i64
    %s = arith.ori %m, %c : i64"""


def compose(a, b):
    low = np.uint64(2**32 - 1)
    m1, c1, m2, c2 = a >> np.uint64(32), a & low, b >> np.uint64(32), b & low
    return ((m1 * m2) << np.uint64(32)) | ((m2 * c1 + c2) & low)


def expected(x, dim, combine, exclusive, reverse, initial):
    x = np.moveaxis(x, dim, 0)
    x = x[::-1] if reverse else x
    if initial is not None:
        x = np.concatenate([np.full_like(x[:1], initial), x])
    rows = [x[0]]
    for element in x[1:]:
        rows.append(combine(rows[-1], element))
    result = np.stack(rows)
    if initial is not None:
        result = result[:-1] if exclusive else result[1:]
    result = result[::-1] if reverse else result
    return np.moveaxis(result, 0, dim)


def check(name, shape, dim=0, maps=False, exclusive=False, reverse=False, initial=None, argument=False,
          in_place=False, threads=32, chip="gfx942"):
    x = np.random.default_rng(15).integers(0, 2**62, shape).astype(np.uint64)
    path = os.path.join(FOLDER, "scan")
    kind = ("exclusive " if exclusive else "") + ("reverse" if reverse else "")
    constant = "" if argument or initial is None else f"%i0 = arith.constant {initial} : i64"
    value = "" if initial is None else f"initial({'%i' if argument else '%i0'} : i64)"
    with open(path + ".mlir", "w") as file:
        file.write(KERNEL.format(shape="x".join(map(str, shape)), dim=dim, threads=threads, kind=kind,
                                 constant=constant, initial=value, combine=MAPS if maps else SUM,
                                 out="%x" if in_place else "%y"))
    np.save(path + ".x.npy", x.view(np.int64))
    made = subprocess.run([OPT, path + ".mlir", f"-memspace-split-large-scans=chip={chip} elements-per-thread=4",
                           f"-memspace-kernel-pipeline=chip={chip} may-hazards=error"],
                          check=True, capture_output=True, text=True)
    with open(path + ".out.mlir", "w") as file:
        file.write(made.stdout)
    subprocess.run([RUNNER, path + ".out.mlir", f"--chip={chip}", f"--arg=0:npy:{path}.x.npy",
                    f"--arg=2:fill:{initial or 0}", f"--out=0:{path}.xo.npy", f"--out=1:{path}.yo.npy"],
                   check=True, stdout=subprocess.DEVNULL)
    got = np.load(path + (".xo.npy" if in_place else ".yo.npy")).view(np.uint64)
    combine = compose if maps else (lambda a, b: a + b)
    want = expected(x, dim, combine, exclusive, reverse, None if initial is None else np.uint64(initial))
    right = np.array_equal(got, want) and made.stdout.count("call @scan_") == 3
    right &= in_place or np.array_equal(np.load(path + ".xo.npy").view(np.uint64), x)
    print(f"{name}: {'right' if right else 'WRONG'}")


check("sums", (4096,))
check("maps", (1000,), maps=True, chip="sm_90")
check("in place", (777,), in_place=True)
check("exclusive", (1001,), exclusive=True, initial=3, chip="sm_90")
check("reverse", (513,), reverse=True, maps=True)
check("reverse from an argument", (900,), reverse=True, initial=5, argument=True, in_place=True)
check("a last chunk of one", (16 * 3 + 1,), reverse=True, maps=True, threads=4)
check("short rows", (3, 130), dim=1, maps=True)
check("rows", (3, 300), dim=1, maps=True, chip="sm_90")
check("columns", (200, 5), dim=0, initial=7, argument=True)
check("planes", (2, 100, 3), dim=1, reverse=True, exclusive=True, initial=1)
