#!/usr/bin/env python3
# Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sorts rows by several workgroups and compares with numpy: large_sort.py OPT RUNNER FOLDER."""
import os
import subprocess
import sys

import numpy as np

OPT, RUNNER, FOLDER = sys.argv[1:4]
LIMIT = 1024

KERNEL = """
func.func @sort(%k: memref<{shape}xi32>, %v: memref<{shape}xi32>, %ko: memref<{shape}xi32>, %vo: memref<{shape}xi32>)
    attributes {{gpu.known_block_size = array<i32: {threads}, 1, 1>}} {{
  memspace.sort dimension({dim}) {stable} ins(%k, %v : memref<{shape}xi32>, memref<{shape}xi32>)
      outs(%ko, %vo : memref<{shape}xi32>, memref<{shape}xi32>) {{
  ^bb0(%a: i32, %b: i32, %p: i32, %q: i32):
    %first = arith.cmpi slt, %a, %b : i32
    memspace.yield %first : i1
  }}
  return
}}
"""

INDICES = """
func.func @sort(%k: memref<{shape}xi32>, %v: memref<{shape}xi32>, %ko: memref<{shape}xi32>, %vo: memref<{shape}xi32>)
    attributes {{gpu.known_block_size = array<i32: {threads}, 1, 1>}} {{
  memspace.sort_indices dimension({dim}) {stable} ins(%k : memref<{shape}xi32>) outs(%vo : memref<{shape}xi32>) {{
  ^bb0(%a: i32, %b: i32):
    %first = arith.cmpi slt, %a, %b : i32
    memspace.yield %first : i1
  }}
  return
}}
"""


def sort(kernel, keys, values, dim, stable, threads, chip):
    shape = "x".join(map(str, keys.shape))
    path = os.path.join(FOLDER, "sort")
    with open(path + ".mlir", "w") as file:
        file.write(kernel.format(shape=shape, dim=dim, threads=threads,
                                 stable="stable" if stable else ""))
    np.save(path + ".k.npy", keys)
    np.save(path + ".v.npy", values)
    subprocess.run([OPT, path + ".mlir", f"-memspace-split-large-sorts=chip={chip} workgroup-limit={LIMIT}",
                    f"-memspace-kernel-pipeline=chip={chip} workgroup-limit={LIMIT} may-hazards=error",
                    "-o", path + ".out.mlir"], check=True)
    subprocess.run([RUNNER, path + ".out.mlir", f"--chip={chip}", f"--arg=0:npy:{path}.k.npy",
                    f"--arg=1:npy:{path}.v.npy", f"--out=2:{path}.ko.npy",
                    f"--out=3:{path}.vo.npy"], check=True, stdout=subprocess.DEVNULL)
    return np.load(path + ".ko.npy"), np.load(path + ".vo.npy")


def check(name, keys, dim=0, stable=True, threads=32, chip="gfx942"):
    keys = np.ascontiguousarray(keys.astype(np.int32))
    values = np.arange(keys.size, dtype=np.int32).reshape(keys.shape)
    k, v = sort(KERNEL, keys, values, dim, stable, threads, chip)
    order = np.argsort(keys, axis=dim, kind="stable")
    right = np.array_equal(k, np.take_along_axis(keys, order, dim))
    if stable:
        right &= np.array_equal(v, np.take_along_axis(values, order, dim))
    else:
        # What belongs together stays together.
        right &= np.array_equal(np.sort(v, axis=dim), values) and np.array_equal(keys.ravel()[v], k)
    print(f"{name}: {'right' if right else 'WRONG'}")


def check_indices(name, keys, dim, chip):
    keys = np.ascontiguousarray(keys.astype(np.int32))
    _, order = sort(INDICES, keys, keys, dim, True, 32, chip)
    right = np.array_equal(order, np.argsort(keys, axis=dim, kind="stable"))
    print(f"{name}: {'right' if right else 'WRONG'}")


rng = np.random.default_rng(15)
check("random", rng.integers(-1000, 1000, 1000))
check("duplicates", rng.integers(0, 3, 777), chip="sm_90")
check("not stable", rng.integers(0, 50, 900), stable=False)
check("all equal", np.full(600, 7))
check("sorted", np.arange(512), chip="sm_90")
check("reversed", np.arange(513)[::-1])
check("one more than fits", rng.integers(0, 9, 129), threads=64)
check("rows", rng.integers(0, 100, (3, 300)), dim=1, chip="sm_90")
check("columns", rng.integers(0, 100, (200, 2)), dim=0)
check_indices("order of rows", rng.integers(0, 40, (2, 500)), 1, "gfx942")
check_indices("order of columns", rng.integers(0, 40, (300, 3)), 0, "sm_90")
