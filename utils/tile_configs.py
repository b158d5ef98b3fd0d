#!/usr/bin/env python3
# Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ordinary programs, tiled at random by upstream's means, compiled and run.

    tile_configs.py [--seed N] [--count N] [--program NAME] [--chip CHIP] [--keep FOLDER] [--transform]

Each configuration is a program of PROGRAMS with random sizes, tiled by
`memspace-test-opt -test-tile-and-fuse` (scf::tileConsumerAndFuseProducersUsingSCF,
scf::tileUsingSCF) with random tile sizes, block size and choices of fusion; with
--transform by a random script of the transform dialect (tile_using_forall by tile sizes
or by numbers of threads, fuse_into_containing_op, tile_using_for, fuse, pad; canonicalized
in between or not), which -transform-interpreter runs. The result goes through
memspace-kernel-pipeline as it is; the emulator runs it, and numpy says what is right.
Each process may take SECONDS and MEMORY. Refusals that name a limit (private or
workgroup memory) are the configuration's fault, and upstream may fail on a script
(`untiled`); all others, wrong values and reports are counted as failures. Exit
status: 0 without failures.
"""
import argparse
import collections
import os
import random
import re
import resource
import subprocess
import sys

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import check_corpus
import kernels

BLOCKS = [(32, 1, 1), (64, 1, 1), (16, 4, 1), (8, 8, 1), (8, 4, 2), (128, 1, 1)]
# Of each process: a tool that grows without bound is a failure of its configuration.
SECONDS, MEMORY = 20, 2 << 30
LIMITS = re.compile(r"bytes of (private|workgroup) memory|does not fit|private limit")


class Program:
    """A kernel on tensors in the making: arguments, body, and what is right."""

    def __init__(self, rng):
        self.rng, self.arguments, self.body, self.types = rng, [], [], {}
        self.values = []

    def size(self, low=5, high=40):
        """Any extent, or one that tiles divide."""
        n = self.rng.randint(low, high)
        return n if self.rng.random() < 0.5 else max(8, n // 8 * 8)

    def argument(self, shape, element="f32", values=None):
        """An input as tensor."""
        name, kind = f"a{len(self.arguments)}", "x".join(map(str, shape)) + "x" + element
        rng = np.random.default_rng(self.rng.randrange(1 << 30))
        if values is None:
            dtype = kernels.DTYPES[element]
            values = (rng.uniform(-1, 1, shape) if np.dtype(dtype).kind == "f"
                      else rng.integers(-8, 8, shape)).astype(dtype)
        self.arguments.append((f"%{name}: memref<{kind}>", values))
        self.add(f"%{name}t = bufferization.to_tensor %{name} restrict : memref<{kind}> to tensor<{kind}>")
        return f"%{name}t", f"tensor<{kind}>", values

    def add(self, text):
        self.body.append(text)

    def empty(self, name, shape, element="f32"):
        kind = f"tensor<{'x'.join(map(str, shape))}x{element}>"
        self.add(f"%{name} = tensor.empty() : {kind}")
        return f"%{name}", kind

    def filled(self, name, shape, value, element="f32"):
        empty, kind = self.empty(name + "e", shape, element)
        self.add(f"%{name}c = arith.constant {value} : {element}")
        self.add(f"%{name} = linalg.fill ins(%{name}c : {element}) outs({empty} : {kind}) -> {kind}")
        return f"%{name}", kind

    def generic(self, name, maps, kinds, ins, outs, args, payload, results=None):
        """maps: of inputs and outputs; kinds: 'p' and 'r' for each loop."""
        dims = ", ".join(f"d{i}" for i in range(len(kinds)))
        text = ", ".join(f"affine_map<({dims}) -> ({m})>" for m in maps)
        iterators = ", ".join('"parallel"' if k == "p" else '"reduction"' for k in kinds)
        def group(values):
            return f"({', '.join(v for v, _ in values)} : {', '.join(t for _, t in values)})"
        result = ", ".join(t for _, t in outs)
        self.add(f"%{name}{':%d' % len(outs) if len(outs) > 1 else ''} = linalg.generic {{indexing_maps = [{text}], iterator_types = [{iterators}]}}"
                 + (f" ins{group(ins)}" if ins else "") + f" outs{group(outs)} {{\n  ^bb0({args}):\n    "
                 + "\n    ".join(payload) + f"\n  }} -> {'(' + result + ')' if len(outs) > 1 else result}")
        return f"%{name}"

    def store(self, value, kind, expected):
        memref = kind.replace("tensor", "memref")
        name = f"o{len(self.values)}"
        self.values.append((name, memref, expected))
        self.add(f"bufferization.materialize_in_destination {value} in restrict writable %{name} : ({kind}, {memref}) -> ()")

    def text(self, block):
        arguments = [a for a, _ in self.arguments] + [f"%{n}: {m}" for n, m, _ in self.values]
        body = "\n".join("  " + line for line in self.body)
        return (f"func.func @kernel({', '.join(arguments)})\n    attributes {{gpu.known_block_size = "
                f"array<i32: {', '.join(map(str, block))}>}} {{\n{body}\n  return\n}}\n")


def binary(op, element="f32"):
    return [f"%r = {op} %x, %y : {element}", f"linalg.yield %r : {element}"]


def matmul_bias_relu(p):
    m, n, k = p.size(), p.size(), p.size()
    a, ta, va = p.argument((m, k))
    b, tb, vb = p.argument((k, n))
    c, tc, vc = p.argument((n,))
    z, tz = p.filled("z", (m, n), "0.0")
    p.add(f"%m = linalg.matmul ins({a}, {b} : {ta}, {tb}) outs({z} : {tz}) -> {tz}")
    e, te = p.empty("e", (m, n))
    p.generic("r", ["d0, d1", "d1", "d0, d1"], "pp", [("%m", tz), (c, tc)], [(e, te)],
              "%x: f32, %y: f32, %o: f32",
              ["%s = arith.addf %x, %y : f32", "%w = arith.constant 0.0 : f32",
               "%r = arith.maximumf %s, %w : f32", "linalg.yield %r : f32"])
    p.store("%r", te, np.maximum(va @ vb + vc, 0))


def rows(p, shape, op, init, name, source, kind):
    z, tz = p.filled(name + "z", shape[:1], init)
    p.generic(name, ["d0, d1", "d0"], "pr", [(source, kind)], [(z, tz)], "%x: f32, %y: f32", binary(op))
    return f"%{name}", tz


def softmax_of(p, source, kind, shape):
    mx, t1 = rows(p, shape, "arith.maximumf", "-3.0e38", "mx", source, kind)
    e, te = p.empty("ee", shape)
    p.generic("ex", ["d0, d1", "d0", "d0, d1"], "pp", [(source, kind), (mx, t1)], [(e, te)],
              "%x: f32, %y: f32, %o: f32", ["%s = arith.subf %x, %y : f32", "%r = math.exp %s : f32", "linalg.yield %r : f32"])
    sm, _ = rows(p, shape, "arith.addf", "0.0", "sm", "%ex", te)
    e, te = p.empty("de", shape)
    p.generic("sx", ["d0, d1", "d0", "d0, d1"], "pp", [("%ex", te), (sm, t1)], [(e, te)],
              "%x: f32, %y: f32, %o: f32", binary("arith.divf"))
    return "%sx", te


def np_softmax(x):
    e = np.exp(x - x.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


def softmax(p):
    shape = (p.size(), p.size())
    a, ta, va = p.argument(shape)
    value, kind = softmax_of(p, a, ta, shape)
    p.store(value, kind, np_softmax(va))


def layernorm(p):
    shape = m, n = (p.size(), p.size())
    a, ta, va = p.argument(shape)
    g, tg, vg = p.argument((n,))
    s, t1 = rows(p, shape, "arith.addf", "0.0", "s", a, ta)
    z, _ = p.filled("qz", (m,), "0.0")
    p.generic("q", ["d0, d1", "d0"], "pr", [(a, ta)], [(z, t1)], "%x: f32, %y: f32",
              ["%s2 = arith.mulf %x, %x : f32", "%r = arith.addf %s2, %y : f32", "linalg.yield %r : f32"])
    e, te = p.empty("e", shape)
    p.generic("r", ["d0, d1", "d0", "d0", "d1", "d0, d1"], "pp", [(a, ta), (s, t1), ("%q", t1), (g, tg)], [(e, te)],
              "%x: f32, %s1: f32, %q1: f32, %g: f32, %o: f32",
              [f"%n = arith.constant {n}.0 : f32", "%mean = arith.divf %s1, %n : f32", "%sq = arith.divf %q1, %n : f32",
               "%mm = arith.mulf %mean, %mean : f32", "%var = arith.subf %sq, %mm : f32", "%eps = arith.constant 1.0e-2 : f32",
               "%ve = arith.addf %var, %eps : f32", "%sd = math.sqrt %ve : f32", "%c = arith.subf %x, %mean : f32",
               "%d = arith.divf %c, %sd : f32", "%r = arith.mulf %d, %g : f32", "linalg.yield %r : f32"])
    mean = va.mean(1, keepdims=True)
    p.store("%r", te, (va - mean) / np.sqrt((va * va).mean(1, keepdims=True) - mean * mean + 1e-2) * vg)


def attention(p):
    m, n, d = p.size(high=24), p.size(high=24), p.size(high=16)
    q, tq, vq = p.argument((m, d))
    k, tk, vk = p.argument((n, d))
    v, tv, vv = p.argument((n, d))
    z, tz = p.filled("sz", (m, n), "0.0")
    p.generic("sc", ["d0, d2", "d1, d2", "d0, d1"], "ppr", [(q, tq), (k, tk)], [(z, tz)], "%x: f32, %y: f32, %o: f32",
              ["%s = arith.mulf %x, %y : f32", "%r = arith.addf %s, %o : f32", "linalg.yield %r : f32"])
    value, kind = softmax_of(p, "%sc", tz, (m, n))
    z, tz = p.filled("oz", (m, d), "0.0")
    p.add(f"%r = linalg.matmul ins({value}, {v} : {kind}, {tv}) outs({z} : {tz}) -> {tz}")
    p.store("%r", tz, np_softmax(vq @ vk.T) @ vv)


def convolution(p):
    h, w, c, f, r = p.size(high=16), p.size(high=16), p.rng.randint(1, 5), p.size(high=12), p.rng.randint(1, 3)
    a, ta, va = p.argument((1, h + r - 1, w + r - 1, c))
    b, tb, vb = p.argument((r, r, c, f))
    z, tz = p.filled("z", (1, h, w, f), "0.0")
    p.add(f"%r = linalg.conv_2d_nhwc_hwcf {{dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}} "
          f"ins({a}, {b} : {ta}, {tb}) outs({z} : {tz}) -> {tz}")
    p.store("%r", tz, sum(va[:, i:i + h, j:j + w, :] @ vb[i, j] for i in range(r) for j in range(r)))


def pooling(p):
    h, w, c, r, s = p.size(high=16), p.size(high=16), p.size(high=8), p.rng.randint(2, 3), p.rng.randint(1, 2)
    a, ta, va = p.argument((1, s * (h - 1) + r, s * (w - 1) + r, c))
    e, te = p.empty("w", (r, r))
    z, tz = p.filled("z", (1, h, w, c), "-3.0e38")
    p.add(f"%r = linalg.pooling_nhwc_max {{dilations = dense<1> : vector<2xi64>, strides = dense<{s}> : vector<2xi64>}} "
          f"ins({a}, {e} : {ta}, {te}) outs({z} : {tz}) -> {tz}")
    p.store("%r", tz, np.max([va[:, i:i + s * (h - 1) + 1:s, j:j + s * (w - 1) + 1:s] for i in range(r) for j in range(r)], 0))


def batched_matmul(p):
    b, m, n, k = p.rng.randint(2, 5), p.size(high=24), p.size(high=24), p.size(high=24)
    x, tx, vx = p.argument((b, m, k))
    y, ty, vy = p.argument((b, k, n))
    z, tz = p.filled("z", (b, m, n), "0.0")
    p.add(f"%r = linalg.batch_matmul ins({x}, {y} : {tx}, {ty}) outs({z} : {tz}) -> {tz}")
    p.store("%r", tz, vx @ vy)


def transposes(p):
    m, n, k = p.size(high=20), p.size(high=20), p.rng.randint(2, 6)
    a, ta, va = p.argument((m, n, k))
    e, te = p.empty("e", (n, k, m))
    p.add(f"%t = linalg.transpose ins({a} : {ta}) outs({e} : {te}) permutation = [1, 2, 0]")
    b, tb, vb = p.argument((k, n, m))
    f, tf = p.empty("f", (n, k, m))
    p.generic("r", ["d0, d1, d2", "d1, d0, d2", "d0, d1, d2"], "ppp", [("%t", te), (b, tb)], [(f, tf)],
              "%x: f32, %y: f32, %o: f32", binary("arith.addf"))
    p.store("%r", tf, va.transpose(1, 2, 0) + vb.transpose(1, 0, 2))


def odd_reductions(p):
    m, n, k = p.size(high=20), p.size(high=20), p.size(high=20)
    a, ta, va = p.argument((m, n, k))
    z, tz = p.filled("z", (m, k), "0.0")
    p.generic("s", ["d0, d1, d2", "d0, d2"], "prp", [(a, ta)], [(z, tz)], "%x: f32, %y: f32", binary("arith.addf"))
    z, t1 = p.filled("yz", (k,), "0.0")
    p.generic("r", ["d1, d0", "d0"], "pr", [("%s", tz)], [(z, t1)], "%x: f32, %y: f32", binary("arith.maximumf"))
    p.store("%r", t1, np.maximum(va.sum(1).max(0), 0))


def gather(p):
    m, n, rows_ = p.size(), p.size(), p.size()
    a, ta, va = p.argument((rows_, n))
    rng = np.random.default_rng(p.rng.randrange(1 << 30))
    i, ti, vi = p.argument((m,), "i32", rng.integers(0, rows_, (m,)).astype(np.int32))
    e, te = p.empty("e", (m, n))
    p.generic("r", ["d0", "d0, d1"], "pp", [(i, ti)], [(e, te)], "%x: i32, %o: f32",
              ["%row = arith.index_cast %x : i32 to index", "%col = linalg.index 1 : index",
               f"%v = tensor.extract {a}[%row, %col] : {ta}", "linalg.yield %v : f32"])
    p.store("%r", te, va[vi])


def dequantized_matmul(p):
    m, n, k = p.size(), p.size(), p.size()
    a, ta, va = p.argument((m, k))
    b, tb, vb = p.argument((k, n), "i8")
    s, ts, vs = p.argument((n,))
    e, te = p.empty("de", (k, n))
    p.generic("d", ["d0, d1", "d1", "d0, d1"], "pp", [(b, tb), (s, ts)], [(e, te)], "%x: i8, %y: f32, %o: f32",
              ["%f = arith.sitofp %x : i8 to f32", "%r = arith.mulf %f, %y : f32", "linalg.yield %r : f32"])
    z, tz = p.filled("z", (m, n), "0.0")
    p.add(f"%r = linalg.matmul ins({a}, %d : {ta}, {te}) outs({z} : {tz}) -> {tz}")
    p.store("%r", tz, va @ (vb.astype(np.float32) * vs))


def argmax(p):
    m, n = p.size(), p.size()
    a, ta, va = p.argument((m, n))
    z, tz = p.filled("z", (m,), "-3.0e38")
    i, ti = p.filled("i", (m,), "0", "i32")
    p.generic("r", ["d0, d1", "d0", "d0"], "pr", [(a, ta)], [(z, tz), (i, ti)], "%x: f32, %b: f32, %bi: i32",
              ["%j = linalg.index 1 : index", "%ji = arith.index_cast %j : index to i32",
               "%g = arith.cmpf ogt, %x, %b : f32", "%v = arith.select %g, %x, %b : f32",
               "%w = arith.select %g, %ji, %bi : i32", "linalg.yield %v, %w : f32, i32"])
    p.store("%r#0", tz, va.max(1))
    p.store("%r#1", ti, va.argmax(1).astype(np.int32))


PROGRAMS = [matmul_bias_relu, softmax, layernorm, attention, convolution, pooling, batched_matmul,
            transposes, odd_reductions, gather, dequantized_matmul, argmax]


def random_tiling(rng):
    """(options of test-tile-and-fuse, block size)"""
    def tiles(choices):
        return ",".join(str(rng.choice(choices)) for _ in range(rng.randint(1, 3)))
    block = rng.choice(BLOCKS)
    flag = lambda: rng.choice(["true", "false"])
    return (f"block={tiles([4, 5, 7, 8, 16, 32, 0])} thread={tiles([1, 1, 2, 3, 4, 8])} "
            f"reduction={rng.choice([0, 3, 4, 5, 8])} reduction-in-threads={flag()} "
            f"fuse-inits={flag()} fuse-threads={flag()}", block)


def tagged(body):
    """The body with an attribute `tag` on each structured op, and (tag, loops, types of elements to pad) of each."""
    lines, ops = [], []
    for line in body:
        match = re.search(r"= linalg\.(\w+)", line)
        if match:
            name, tag = match.group(1), f'tag = "t{len(ops)}"'
            rank = len(re.findall(r"\dx", re.search(r"outs\(.*?: (.*?)\)", line).group(1)))
            loops = {"matmul": "ppr", "batch_matmul": "pppr", "conv_2d_nhwc_hwcf": "pppprrr",
                     "pooling_nhwc_max": "pppprr"}.get(name, "p" * rank)
            if name == "generic":
                loops = "".join(k[1] for k in re.findall(r'"[pr]', line))
                line = line.replace(") {\n  ^bb0", f") attrs = {{{tag}}} {{\n  ^bb0", 1)
            elif name == "transpose":
                line += f" {{{tag}}}"
            elif f"linalg.{name} {{" in line:
                line = line.replace(f"linalg.{name} {{", f"linalg.{name} {{{tag}, ", 1)
            else:
                line = line.replace(f"linalg.{name} ", f"linalg.{name} {{{tag}}} ", 1)
            operands = re.findall(r"(?:ins|outs)\([^:]*: ([^)]*)\)", line)
            elements = [re.search(r"(\w+?)>?$", t).group(1).split("x")[-1] for types in operands for t in types.split(", ")]
            # Upstream's pad crashes on the scalar of a fill; padded, a gather reads out of bounds.
            ops.append((f"t{len(ops)}", loops, None if name == "fill" or "tensor.extract " in line else elements))
        lines.append(line)
    return lines, ops


class Script:
    """A random script of the transform dialect for ops with tags."""

    def __init__(self, rng, ops):
        self.rng, self.ops, self.lines, self.next = rng, ops, [], 0

    def name(self):
        self.next += 1
        return f"%h{self.next}"

    def step(self, op, text, results):
        """One transformation of all ops with the tag; what upstream cannot do is left out."""
        names = [self.name() for _ in range(results)]
        self.lines += ["transform.sequence %m : !transform.any_op failures(suppress) {", "^bb0(%f: !transform.any_op):"]
        target = self.name()
        self.lines.append(f'  {target} = transform.structured.match attributes{{tag = "{op}"}} in %f : (!transform.any_op) -> !transform.any_op')
        for line in text(target, names):
            self.lines.append("  " + line)
        self.lines.append("}")

    def sizes(self, loops, choices):
        """Of the parallel loops, the last of which is the fastest; None: nothing is tiled."""
        parallel = [i for i, k in enumerate(loops) if k == "p"]
        chosen = self.rng.sample(parallel, min(len(parallel), self.rng.randint(1, 3)))
        sizes = [self.rng.choice(choices) if i in chosen else 0 for i in range(len(loops))]
        return sizes if any(sizes) else None

    def forall(self, op, loops, kind, sizes, counts):
        by_count = self.rng.random() < 0.3
        values = self.sizes(loops, counts if by_count else sizes)
        if values is None:
            return False
        tiled = sum(v != 0 for v in values)
        linear = self.rng.random() < 0.2
        mapping = ", ".join(f"#gpu.{kind}<{f'linear_dim_{i}' if linear else 'xyz'[i]}>" for i in reversed(range(tiled)))
        how = "num_threads" if by_count else "tile_sizes"
        self.step(op, lambda target, names: [
            f"{names[0]}, {names[1]} = transform.structured.tile_using_forall {target} {how} {values} "
            f"(mapping = [{mapping}]) : (!transform.any_op) -> (!transform.any_op, !transform.any_op)"], 2)
        return True

    def loops(self, op, loops):
        kind = self.rng.choice("rrp")
        values = [self.rng.choice([3, 4, 5, 8]) if k == kind and self.rng.random() < 0.7 else 0 for k in loops]
        count = sum(v != 0 for v in values)
        if count:
            self.step(op, lambda target, names: [
                f"{', '.join(names)} = transform.structured.tile_using_for {target} tile_sizes {values} : "
                f"(!transform.any_op) -> ({', '.join(['!transform.any_op'] * len(names))})"], 1 + count)

    def fuse(self, op, loops):
        """Sequential tiles with the producers in them."""
        values = self.sizes(loops, [2, 3, 4, 8])
        count = sum(v != 0 for v in values)
        self.step(op, lambda target, names: [
            f"{', '.join(names)} = transform.structured.fuse {target} tile_sizes {values} : "
            f"(!transform.any_op) -> ({', '.join(['!transform.any_op'] * len(names))})"], 1 + count)

    def pad(self, op, loops, elements):
        """The last tiles made full, in the parallel loops: no value is neutral for all reductions."""
        values = ", ".join(f"{'0' if e[0] == 'i' else '0.0'} : {e}" for e in elements)
        dims = ", ".join(str(i) for i, k in enumerate(loops) if k == "p")
        flags = ", ".join(self.rng.choice("01") for _ in elements)
        back = self.rng.choice(["none", "linalg.copy"])
        self.step(op, lambda target, names: [
            f"{', '.join(names)} = transform.structured.pad {target} {{padding_values = [{values}], "
            f"padding_dimensions = [{dims}], nofold_flags = [{flags}], copy_back_op = \"{back}\"}} : "
            "(!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)"], 3)

    def clean(self):
        if self.rng.random() < 0.4:
            kernel = self.name()
            self.lines += [f'{kernel} = transform.structured.match ops{{["func.func"]}} in %m : (!transform.any_op) -> !transform.any_op',
                           f"transform.apply_patterns to {kernel} {{", "  transform.apply_patterns.canonicalization",
                           "} : !transform.any_op", f"transform.apply_cse to {kernel} : !transform.any_op"]

    def text(self):
        *producers, (root, loops, _) = self.ops
        if self.forall(root, loops, "block", [4, 5, 7, 8, 16, 32], [2, 3, 4]):
            # Consumers first: a producer of what is fused is fused after that.
            fused = self.rng.choice([0.0, 0.8, 1.0, 1.0])
            for op, _, _ in reversed(producers):
                if self.rng.random() < fused:
                    self.step(op, lambda target, names: [
                        f'{names[2]} = transform.structured.match ops{{["scf.forall"]}} in %f : (!transform.any_op) -> !transform.any_op',
                        f"{names[0]}, {names[1]} = transform.structured.fuse_into_containing_op {target} into {names[2]} : "
                        "(!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)"], 3)
        self.clean()
        inner = self.rng.random() < 0.3
        for op, loops, elements in reversed(self.ops):
            choice = self.rng.random()
            if choice < 0.15:
                self.fuse(op, loops)
            elif choice < 0.6 and not inner:
                self.loops(op, loops)
            if elements and self.rng.random() < 0.2:
                self.pad(op, loops, elements)
            if self.rng.random() < 0.9:
                self.forall(op, loops, "thread", [1, 1, 2, 3, 4, 8], [2, 4, 7, 8, 16])
            if inner and choice < 0.6:
                self.loops(op, loops)
        self.clean()
        body = "\n".join("    " + line for line in self.lines + ["transform.yield"])
        return f"  transform.named_sequence @__transform_main(%m: !transform.any_op {{transform.readonly}}) {{\n{body}\n  }}\n"


def upstream(text, *passes):
    return subprocess.run([kernels.memspace_tool("memspace-test-opt"), "-", *passes], input=text,
                          capture_output=True, text=True, timeout=SECONDS)


def tile_by_script(program, rng):
    """(the script, the finished process)"""
    program.body, ops = tagged(program.body)
    script = Script(rng, ops).text()
    done = upstream(f"module attributes {{transform.with_named_sequence}} {{\n{program.text(rng.choice(BLOCKS))}{script}}}\n",
                    "-transform-interpreter")
    # The interpreter leaves the script behind the kernel.
    done.stdout = re.sub(r"^  transform\.named_sequence.*?^  }\n", "", done.stdout, flags=re.M | re.S)
    return script, done


def run(make, seed, chip, keep, by_script):
    """(class of the outcome, details)"""
    rng = random.Random(seed)
    program = Program(rng)
    make(program)
    path = os.path.join(keep, f"{make.__name__}-{seed}.mlir")
    if by_script:
        options, done = tile_by_script(program, rng)
    else:
        options, block = random_tiling(rng)
        done = upstream(program.text(block), f"--test-tile-and-fuse={options}")
    if done.returncode:
        return "untiled", done.stderr.strip()[:200]
    with open(path, "w") as out:
        out.write("".join(f"// {line}\n" for line in options.splitlines()) + done.stdout)
    text, refusal = check_corpus.compile_kernel(path, chip, timeout=SECONDS)
    if refusal:
        kind = "crash" if refusal.startswith("CRASH") else "limit" if LIMITS.search(refusal) else "refused"
        return kind, refusal
    inputs = [v for _, v in program.arguments]
    arguments = inputs + [np.full(e.shape, 77, kernels.Signature(text).arguments[len(inputs) + i].dtype)
                          for i, (_, _, e) in enumerate(program.values)]
    outputs = [None] * len(inputs) + [kernels.Expected(e, 1e-3) for _, _, e in program.values]
    try:
        status, details, *_ = check_corpus.execute(text, arguments, outputs, chip, None,
                                                   list(range(len(inputs), len(arguments))))
    except kernels.HarnessError as error:
        return "harness", str(error)[:300]
    return status, "; ".join(details)[:300]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=24)
    parser.add_argument("--program")
    parser.add_argument("--chip", default="gfx942")
    parser.add_argument("--keep", default=".", help="folder for the tiled kernels")
    parser.add_argument("--transform", action="store_true", help="tile by scripts of the transform dialect")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    kernels.SECONDS = SECONDS
    if "ASAN_OPTIONS" not in os.environ:  # AddressSanitizer reserves terabytes of addresses.
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
    os.makedirs(options.keep, exist_ok=True)
    programs = [m for m in PROGRAMS if options.program in (None, m.__name__)]
    outcomes, failures = collections.Counter(), 0
    for i in range(options.count):
        make, seed = programs[i % len(programs)], options.seed + i
        try:
            status, details = run(make, seed, options.chip, options.keep, options.transform)
        except subprocess.TimeoutExpired as error:
            status, details = "slow", f"{os.path.basename(error.cmd[0])} takes more than {SECONDS} s"
        outcomes[status] += 1
        if status not in ("ok", "limit") and not (status == "untiled" and options.transform):
            failures += 1
        if options.verbose or status not in ("ok", "limit"):
            print(f"{make.__name__}-{seed}: {status} {details}")
    print("configurations: %d, %s" % (options.count, ", ".join(f"{k}: {v}" for k, v in sorted(outcomes.items()))))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
