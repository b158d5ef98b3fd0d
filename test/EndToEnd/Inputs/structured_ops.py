#!/usr/bin/env python3
# Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Structured ops against numpy, for data of many kinds, and their assembly against the plan.

    structured_ops.py [--chip CHIP]... FOLDER [BEGINNING OF A NAME]...

Prints a line for each kernel and chip: how many kinds of data came out right, the bytes of
workgroup memory, the barriers that a workgroup executes, or what is wrong.
"""
import argparse
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "utils"))
import asm_workgroup_bytes
import check_corpus
import kernels

# NaN comes last, whatever its sign; a strict weak order of all floats.
GREATER = """%g = arith.cmpf ogt, %a, %b : {t}
    %an = arith.cmpf uno, %a, %a : {t}
    %bn = arith.cmpf uno, %b, %b : {t}
    %true = arith.constant true
    %ord = arith.xori %an, %true : i1
    %or = arith.andi %ord, %bn : i1
    %f = arith.ori %g, %or : i1"""
PLAIN = "%f = arith.cmpf ogt, %a, %b : {t}"
LESS = "%f = arith.cmpi slt, %a, %b : {t}"
MORE = "%f = arith.cmpi sgt, %a, %b : {t}"


def tensor(name, kind, output=False):
    restrict = "restrict writable" if output else "restrict"
    return f"  %{name}t = bufferization.to_tensor %{name} {restrict} : memref<{kind}> to tensor<{kind}>\n"


def store(value, name, kind):
    return (f"  bufferization.materialize_in_destination %{value} in restrict writable %{name} : "
            f"(tensor<{kind}>, memref<{kind}>) -> ()\n")


def function(name, arguments, threads, body):
    listed = ", ".join(f"%{n}: memref<{k}>" for n, k in arguments)
    return (f"func.func @{name}({listed})\n    attributes {{gpu.known_block_size = array<i32: {threads}, 1, 1>}} {{\n"
            f"{body}  return\n}}\n")


def shape(extents, element):
    return "x".join(map(str, extents)) + "x" + element


def topk(rows, length, k, wanted, element="f32", order=GREATER, threads=256):
    """Top-k of which somebody wants the values ("v"), the indices ("i") or both."""
    x, v, i = shape((rows, length), element), shape((rows, k), element), shape((rows, k), "i32")
    outputs = [("v", v)] * ("v" in wanted) + [("i", i)] * ("i" in wanted)
    body = tensor("x", x) + f"""  %ve = tensor.empty() : tensor<{v}>
  %ie = tensor.empty() : tensor<{i}>
  %r:2 = memspace.topk dimension(1) ins(%xt : tensor<{x}>) values(%ve : tensor<{v}>) indices(%ie : tensor<{i}>) {{
  ^bb0(%a: {element}, %b: {element}):
    {order.format(t=element)}
    memspace.yield %f : i1
  }} -> tensor<{v}>, tensor<{i}>
"""
    if "v" in wanted:
        body += store("r#0", "v", v)
    if "i" in wanted:
        body += store("r#1", "i", i)
    return function("topk", [("x", x), *outputs], threads, body)


def topk_results(x, k, wanted):
    # argsort puts NaN last, too, and is stable: the lower index of equals is first.
    index = np.argsort(-x, axis=1, kind="stable")[:, :k]
    values = np.take_along_axis(x, index, axis=1)
    return [values] * ("v" in wanted) + [index.astype(np.int32)] * ("i" in wanted)


def sort(extents, dimension, element="i32", order=LESS, threads=64, stable=False, returned=False):
    """A sort; `returned`: its argument is asked for, too."""
    x = shape(extents, element)
    arguments = [("x", x), ("y", x)] + [("old", x)] * returned
    body = tensor("x", x) + f"""  %e = tensor.empty() : tensor<{x}>
  %s = memspace.sort dimension({dimension}) {"stable" if stable else ""} ins(%xt : tensor<{x}>) outs(%{"xt" if returned else "e"} : tensor<{x}>) {{
  ^bb0(%a: {element}, %b: {element}):
    {order.format(t=element)}
    memspace.yield %f : i1
  }} -> tensor<{x}>
""" + store("s", "y", x)
    if returned:
        body += store("xt", "old", x)
    return function("sort", arguments, threads, body)


def stable_sort(length, threads=128):
    """Keys with their places, stable."""
    k, p = f"{length}xi32", f"{length}xi32"
    body = tensor("k", k) + tensor("p", p) + f"""  %e = tensor.empty() : tensor<{k}>
  %pe = tensor.empty() : tensor<{p}>
  %s:2 = memspace.sort dimension(0) stable ins(%kt, %pt : tensor<{k}>, tensor<{p}>) outs(%e, %pe : tensor<{k}>, tensor<{p}>) {{
  ^bb0(%a: i32, %b: i32, %m: i32, %n: i32):
    {LESS.format(t="i32")}
    memspace.yield %f : i1
  }} -> tensor<{k}>, tensor<{p}>
""" + store("s#0", "ko", k) + store("s#1", "po", p)
    return function("stable", [("k", k), ("p", p), ("ko", k), ("po", p)], threads, body)


def argsort(bound, threads=128, element="f32", order=GREATER):
    """The order of the first elements, as many as an argument says."""
    x, i = f"{bound}x{element}", f"{bound}xi32"
    body = tensor("x", x) + tensor("i", i, True) + f"""  %c0 = arith.constant 0 : index
  %most = arith.constant {bound} : index
  %l = memref.load %n[%c0] : memref<1xi32>
  %u = arith.index_castui %l : i32 to index
  %len = arith.minui %u, %most : index
  %xs = tensor.extract_slice %xt[0] [%len] [1] : tensor<{x}> to tensor<?x{element}>
  %is = tensor.extract_slice %it[0] [%len] [1] : tensor<{i}> to tensor<?xi32>
  %o = memspace.sort_indices dimension(0) stable ins(%xs : tensor<?x{element}>) outs(%is : tensor<?xi32>) {{
  ^bb0(%a: {element}, %b: {element}):
    {order.format(t=element)}
    memspace.yield %f : i1
  }} -> tensor<?xi32>
  %r = tensor.insert_slice %o into %it[0] [%len] [1] : tensor<?xi32> into tensor<{i}>
""" + store("r", "i", i)
    return function("argsort", [("x", x), ("n", "1xi32"), ("i", i)], threads, body)


def scan(length, threads=256, element="i32"):
    x = f"{length}x{element}"
    body = tensor("x", x) + f"""  %e = tensor.empty() : tensor<{x}>
  %s = memspace.scan dimension(0) ins(%xt : tensor<{x}>) outs(%e : tensor<{x}>) {{
  ^bb0(%a: {element}, %b: {element}):
    %c = arith.addi %a, %b : {element}
    memspace.yield %c : {element}
  }} -> tensor<{x}>
""" + store("s", "y", x)
    return function("scan", [("x", x), ("y", x)], threads, body)


def scatter_add(threads=256):
    """f16 sums at places that repeat; the index tensor has 196608 bytes."""
    body = tensor("x", "16384xf16") + tensor("i", "16384x3xi32") + tensor("y", "16x32x32xf16", True) + """
  %s = memspace.scatter scatter_dims([0, 1, 2]) ins(%xt, %it : tensor<16384xf16>, tensor<16384x3xi32>) outs(%yt : tensor<16x32x32xf16>) {
  ^bb0(%a: f16, %b: f16):
    %c = arith.addf %a, %b : f16
    memspace.yield %c : f16
  } -> tensor<16x32x32xf16>
""" + store("s", "y", "16x32x32xf16")
    return function("scatter", [("x", "16384xf16"), ("i", "16384x3xi32"), ("y", "16x32x32xf16")], threads, body)


def kinds(extents, dtype, rng, order=True):
    """Data of each kind: rows along the last dimension."""
    size = int(np.prod(extents))
    unique = rng.permutation(size).astype(dtype).reshape(extents)
    made = {"random": unique, "duplicates": rng.integers(-3, 4, extents).astype(dtype),
            "equal": np.full(extents, 5, dtype), "sorted": np.sort(unique, axis=-1),
            "reversed": np.sort(unique, axis=-1)[..., ::-1].copy()}
    if np.dtype(dtype).kind == "f" and order:
        some = made["duplicates"].copy()
        some[rng.random(extents) < 0.3] = np.nan
        some[rng.random(extents) < 0.2] = 60000
        some[rng.random(extents) < 0.2] = -0.0
        made["NaN"] = some
        made["all NaN"] = np.full(extents, np.nan, dtype)
    return made


def cases():
    """name, text, for each kind of data its arguments and the results of the last ones."""
    rng = np.random.default_rng(15)
    for rows, length, k in ((1, 10, 3), (64, 1000, 10), (2, 1, 1), (3, 100, 100), (2, 5, 8)):
        for wanted in ("vi", "v", "i"):
            data = {}
            made = kinds((rows, length), np.float32, rng)
            if rows > len(made):
                made = {"rows of all kinds": np.stack([list(made.values())[r % len(made)][r] for r in range(rows)])}
            for kind, x in made.items():
                results = topk_results(x, k, wanted)
                # What a row does not have keeps what was there: nothing is promised of it here.
                data[kind] = ([x], [r if k <= length else ("first", length, r) for r in results])
            yield f"topk {rows}x{length} k={k} {wanted}", topk(rows, length, k, wanted), data
    for length in (1, 2, 7, 64, 100, 1000, 4096):
        data = {kind: ([x], [np.sort(x)]) for kind, x in kinds((length,), np.int32, rng).items()}
        yield f"sort {length}", sort((length,), 0, threads=128), data
    data = {kind: ([x], [np.sort(x, axis=1)]) for kind, x in kinds((1, 2, 4), np.int32, rng).items()}
    yield "sort 1x2x4 rows", sort((1, 2, 4), 1), data
    data = {kind: ([x], [np.sort(x, axis=2)]) for kind, x in kinds((1, 2, 4), np.int32, rng).items()}
    yield "sort 1x2x4", sort((1, 2, 4), 2), data
    data = {kind: ([x], [np.sort(x), x]) for kind, x in kinds((300,), np.int32, rng).items()}
    yield "sort 300 old value returned", sort((300,), 0, returned=True), data
    data = {kind: ([x], [-np.sort(-x)]) for kind, x in kinds((300,), np.float16, rng).items()}
    yield "sort 300 f16 NaN last", sort((300,), 0, "f16", GREATER), data
    data = {kind: ([x], [("permutation", x)]) for kind, x in kinds((300,), np.float32, rng).items()}
    yield "sort 300 f32 no order", sort((300,), 0, "f32", PLAIN), data
    data = {}
    for kind, x in kinds((777,), np.int32, rng).items():
        place = np.arange(777, dtype=np.int32)
        data[kind] = ([x, place], [np.sort(x), np.argsort(x, kind="stable").astype(np.int32)])
    yield "stable sort 777", stable_sort(777), data
    for bound, element, order, lengths in ((200, "f32", GREATER, (37, 200, 128, 0, 1, 64, 199)),
                                           (1000, "i32", MORE, (1000, 517, 1, 0, 999))):
        data = {}
        for length, (kind, x) in zip(lengths, kinds((bound,), {"f32": np.float32, "i32": np.int32}[element], rng).items()):
            old = np.full(bound, -1, np.int32)
            new = old.copy()
            new[:length] = np.argsort(-x[:length], kind="stable")
            data[f"{length} {kind}"] = ([x, np.array([length], np.int32), ("old", old)], [new])
        yield f"argsort of at most {bound}", argsort(bound, element=element, order=order), data
    data = {kind: ([x], [np.cumsum(x, dtype=np.int32)]) for kind, x in kinds((4096,), np.int32, rng).items()}
    yield "scan 4096", scan(4096), data
    data = {}
    for kind, few in (("repeated", 1), ("one place", 16)):
        x = rng.integers(0, 4, 16384).astype(np.float16)
        if few > 1:
            x[500:] = 0
        index = (rng.integers(0, [16, 32, 32], (16384, 3)) // (few if few == 1 else 64)).astype(np.int32)
        flat = index @ np.array([1024, 32, 1])
        total = 1 + np.bincount(flat, weights=x.astype(np.float64), minlength=16384)
        data[kind] = ([x, index, ("old", np.ones((16, 32, 32), np.float16))], [total.reshape(16, 32, 32).astype(np.float16)])
    yield "scatter-add f16", scatter_add(), data


class FirstOf:
    """The first elements of each row."""

    def __init__(self, length, value):
        self.length, self.value = length, value

    def mismatch(self, got):
        return kernels.mismatch(got[:, :self.length], self.value[:, :self.length], 0)


class PermutationOf:
    def __init__(self, value):
        self.value = value

    def mismatch(self, got):
        return kernels.mismatch(np.sort(got), np.sort(self.value), 0)


def expected(result):
    if isinstance(result, tuple):
        return FirstOf(*result[1:]) if result[0] == "first" else PermutationOf(result[1])
    return kernels.Expected(result, 0)


def assembly_differs(path, chip, planned):
    """None, or how the assembly contradicts the plan: other bytes, a heap, a call."""
    is_amd = chip.startswith("gfx")
    done = check_corpus.run_pipeline("rocdl" if is_amd else "nvvm", path, chip, "")
    if done.returncode:
        return "no assembly: " + done.stderr.strip()[:300]
    found = asm_workgroup_bytes.workgroup_bytes(done.stdout)
    ((_, assembly),) = asm_workgroup_bytes.objects(done.stdout)
    calls = asm_workgroup_bytes.undefined_functions(assembly, is_amd)
    if calls or "malloc" in assembly:
        return f"the assembly calls {calls or 'malloc'}"
    return None if found == planned else f"the assembly has {found} workgroup bytes, {planned} are planned"


def check(name, text, data, chip, folder):
    path = os.path.join(folder, "kernel.mlir")
    with open(path, "w") as file:
        file.write(text)
    lowered, refusal = check_corpus.compile_kernel(path, chip, "may-hazards=error")
    if refusal:
        return f"refused: {refusal}"
    signature = kernels.Signature(lowered)
    figures = check_corpus.figures(lowered, signature)
    complaint = assembly_differs(path, chip, figures["workgroup"])
    if complaint:
        return complaint
    executed = 0
    for kind, (inputs, results) in data.items():
        arguments = [a[1] if isinstance(a, tuple) else a for a in inputs]
        checks = [None] * len(arguments)
        if len(arguments) < len(signature.arguments):
            fresh = signature.arguments[len(arguments):]
            for argument in fresh:
                arguments.append(np.zeros(argument.shape, argument.dtype))
            checks += map(expected, results)
        else:
            checks[-len(results):] = map(expected, results)
        status, details, barriers, _ = check_corpus.execute(lowered, arguments, checks, chip, None)
        if status != "ok":
            return f"WRONG for {kind}: {status} {details}"
        executed = max(executed, barriers)
    return f"{len(data)} right, workgroup={figures['workgroup']} private={figures['private']} executed={executed}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--chip", action="append")
    parser.add_argument("folder")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    for name, text, data in cases():
        if options.names and not any(name.startswith(n) for n in options.names):
            continue
        for chip in options.chip or ("gfx942", "sm_90"):
            print(f"{name} {chip}: {check(name, text, data, chip, options.folder)}", flush=True)


if __name__ == "__main__":
    main()
