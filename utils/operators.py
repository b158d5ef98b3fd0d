# Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Untiled operators of ordinary networks, and what they must compute.

OPERATORS maps a name to a function of a random generator that gives
Operator(text, inputs, outputs): a function on tensors, its arguments as arrays,
and its results by numpy. Sizes are small: the emulator runs them all.
"""
import collections

import numpy as np

F32, F64 = np.float32, np.float64
Operator = collections.namedtuple("Operator", "text inputs outputs tolerance")
OPERATORS = {}
# Those of uint16 are the bits of bf16.
TYPES = {np.dtype(F32): "f32", np.dtype(F64): "f64", np.dtype(np.float16): "f16", np.dtype(np.uint16): "bf16",
         np.dtype(np.int8): "i8", np.dtype(np.int32): "i32", np.dtype(np.int64): "i64", np.dtype(np.bool_): "i1"}


def tensor(array):
    return "tensor<" + "x".join(map(str, array.shape)) + ("x" if array.ndim else "") + TYPES[array.dtype] + ">"


def typed(shape, element="f32"):
    return "tensor<" + "".join(f"{d}x" for d in shape) + element + ">"


def uniform(rng, *shape, low=-1.0, high=1.0, dtype=F32):
    return rng.uniform(low, high, shape).astype(dtype)


class Body:
    """Lines of a function on tensors; values are (name, shape, element type)."""

    def __init__(self, *inputs):
        self.inputs = inputs
        self.lines = []
        self.count = 0
        self.arguments = [(f"%arg{i}", a.shape, TYPES[a.dtype]) for i, a in enumerate(inputs)]

    def new(self):
        self.count += 1
        return f"%v{self.count}"

    def add(self, line):
        self.lines.append("  " + line)

    def constant(self, number, element="f32"):
        name = self.new()
        self.add(f"{name} = arith.constant {number} : {element}")
        return name

    def empty(self, shape, element="f32"):
        name = self.new()
        self.add(f"{name} = tensor.empty() : {typed(shape, element)}")
        return (name, tuple(shape), element)

    def fill(self, number, shape, element="f32"):
        constant, empty, name = self.constant(number, element), self.empty(shape, element), self.new()
        self.add(f"{name} = linalg.fill ins({constant} : {element}) outs({empty[0]} : {typed(shape, element)}) "
                 f"-> {typed(shape, element)}")
        return (name, tuple(shape), element)

    def named(self, op, inputs, init, attributes=""):
        name = self.new()
        operands = ", ".join(v[0] for v in inputs)
        types = ", ".join(typed(*v[1:]) for v in inputs)
        self.add(f"{name} = linalg.{op} {attributes} ins({operands} : {types}) "
                 f"outs({init[0]} : {typed(*init[1:])}) -> {typed(*init[1:])}")
        return (name, *init[1:])

    def generic(self, dims, inputs, init, body):
        """`dims`: "ij r", the second part reductions; inputs and init: (value, "ij"), body: lines with %a, %b, … and %o."""
        parallel, _, reduction = dims.partition(" ")
        loops = parallel + reduction
        order = ", ".join(f"d_{d}" for d in loops)
        def index_map(expr):
            return f"affine_map<({order}) -> ({', '.join(f'd_{d}' if len(d) == 1 and d.isalpha() else d for d in expr)})>"
        def split(expr):
            return expr if isinstance(expr, (list, tuple)) else list(expr)
        maps = ", ".join(index_map(split(m)) for _, m in [*inputs, init])
        kinds = ", ".join(['"parallel"'] * len(parallel) + ['"reduction"'] * len(reduction))
        name = self.new()
        value = init[0]
        ins = ""
        if inputs:
            ins = f"ins({', '.join(v[0] for v, _ in inputs)} : {', '.join(typed(*v[1:]) for v, _ in inputs)}) "
        arguments = ", ".join([f"%{chr(97 + i)}: {v[2]}" for i, (v, _) in enumerate(inputs)] + [f"%o: {value[2]}"])
        self.add(f"{name} = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}} "
                 f"{ins}outs({value[0]} : {typed(*value[1:])}) {{")
        self.add(f"^bb0({arguments}):")
        for line in body.strip().split("\n"):
            self.add("  " + line.strip())
        self.add(f"}} -> {typed(*value[1:])}")
        return (name, *value[1:])

    def map(self, inputs, body, shape=None, element="f32", maps=None):
        """An elementwise op; operands of lower rank by `maps`."""
        shape = inputs[0][1] if shape is None else shape
        loops = "ijklmn"[:len(shape)]
        maps = maps or [loops] * len(inputs)
        return self.generic(loops, list(zip(inputs, maps)), (self.empty(shape, element), loops), body)

    def reduce(self, value, axes, start, body):
        """Over `axes`; `body` combines %a into %o and yields."""
        rank = len(value[1])
        loops = "ijklmn"[:rank]
        kept = "".join(l for d, l in enumerate(loops) if d not in axes)
        gone = "".join(l for d, l in enumerate(loops) if d in axes)
        shape = tuple(n for d, n in enumerate(value[1]) if d not in axes)
        return self.generic(f"{kept} {gone}", [(value, loops)], (self.fill(start, shape, value[2]), kept), body)

    def operator(self, results, outputs, tolerance=1e-4):
        arguments = ", ".join(f"{name}: {typed(shape, e)}" for name, shape, e in self.arguments)
        types = ", ".join(typed(*r[1:]) for r in results)
        text = (f"func.func @operator({arguments}) -> ({types}) {{\n" + "\n".join(self.lines) +
                f"\n  return {', '.join(r[0] for r in results)} : {types}\n}}\n")
        outputs = [np.asarray(o, dtype=None) for o in outputs]
        return Operator(text, list(self.inputs), outputs, tolerance)


def operator(function):
    OPERATORS[function.__name__] = function
    return function


def define(name, function):
    OPERATORS[name] = function


# ===- Products -----------------------------------------------------------=== #

ADD = "%s = arith.addf %o, %a : f32\nlinalg.yield %s : f32"
MAX = "%s = arith.maximumf %o, %a : f32\nlinalg.yield %s : f32"
MIN = "%s = arith.minimumf %o, %a : f32\nlinalg.yield %s : f32"
MUL = "%s = arith.mulf %o, %a : f32\nlinalg.yield %s : f32"
PRODUCT = "%p = arith.mulf %a, %b : f32\n%s = arith.addf %o, %p : f32\nlinalg.yield %s : f32"
INFINITY, NEGATIVE = "0x7F800000", "0xFF800000"


def contraction(spec, *shapes, dtype=F32):
    """An einsum of two operands."""
    left, right, out = spec.replace("->", ",").split(",")
    def make(rng):
        a, b = uniform(rng, *shapes[0], dtype=dtype), uniform(rng, *shapes[1], dtype=dtype)
        body = Body(a, b)
        extents = {**dict(zip(left, a.shape)), **dict(zip(right, b.shape))}
        reduction = "".join(sorted(set(left + right) - set(out)))
        lines = PRODUCT
        if dtype != F32:
            lines = ("%x = arith.extf %a : f16 to f32\n%y = arith.extf %b : f16 to f32\n"
                     "%p = arith.mulf %x, %y : f32\n%s = arith.addf %o, %p : f32\nlinalg.yield %s : f32")
        result = body.generic(f"{out} {reduction}", list(zip(body.arguments, (left, right))),
                              (body.fill("0.0", [extents[d] for d in out]), out), lines)
        return body.operator([result], [np.einsum(spec, a.astype(F64), b.astype(F64)).astype(F32)])
    return make


def named_matmul(op, shapes, out, einsum):
    def make(rng):
        a, b = uniform(rng, *shapes[0]), uniform(rng, *shapes[1])
        body = Body(a, b)
        result = body.named(op, body.arguments, body.fill("0.0", out))
        return body.operator([result], [np.einsum(einsum, a.astype(F64), b.astype(F64)).astype(F32)])
    return make


define("matmul_square", named_matmul("matmul", ((64, 64), (64, 64)), (64, 64), "ik,kj->ij"))
define("matmul_rectangular", named_matmul("matmul", ((48, 80), (80, 112)), (48, 112), "ik,kj->ij"))
define("matmul_odd", named_matmul("matmul", ((37, 53), (53, 29)), (37, 29), "ik,kj->ij"))
define("matmul_large_k", named_matmul("matmul", ((16, 512), (512, 16)), (16, 16), "ik,kj->ij"))
# Long enough for several workgroups to share the reduction of one tile.
define("matmul_split_k", named_matmul("matmul", ((16, 2048), (2048, 16)), (16, 16), "ik,kj->ij"))
define("matmul_small_k", named_matmul("matmul", ((96, 4), (4, 96)), (96, 96), "ik,kj->ij"))
define("matmul_tall", named_matmul("matmul", ((256, 8), (8, 8)), (256, 8), "ik,kj->ij"))
define("matmul_skinny", named_matmul("matmul", ((4, 64), (64, 128)), (4, 128), "ik,kj->ij"))
define("batch_matmul", named_matmul("batch_matmul", ((4, 32, 24), (4, 24, 40)), (4, 32, 40), "bik,bkj->bij"))
define("matvec", named_matmul("matvec", ((96, 64), (64,)), (96,), "ik,k->i"))
define("vecmat", named_matmul("vecmat", ((64,), (64, 96)), (96,), "k,kj->j"))
define("dot", named_matmul("dot", ((1000,), (1000,)), (), "k,k->"))
define("batch_matvec", named_matmul("batch_matvec", ((4, 24, 40), (4, 40)), (4, 24), "bik,bk->bi"))
define("matmul_transposed_a", contraction("ki,kj->ij", (40, 56), (40, 24)))
define("matmul_transposed_b", contraction("ik,jk->ij", (56, 40), (24, 40)))
define("matmul_transposed_both", contraction("ki,jk->ij", (40, 56), (24, 40)))
define("matmul_transposed_result", contraction("ik,kj->ji", (24, 40), (40, 56)))
define("matmul_half", contraction("ik,kj->ij", (64, 48), (48, 32), dtype=np.float16))
define("tensor3_matmul", contraction("bnk,kj->bnj", (3, 16, 24), (24, 40)))
define("tensor4_matmul", contraction("bhnk,kj->bhnj", (2, 3, 8, 24), (24, 16)))
define("bilinear", contraction("bik,bjk->bij", (3, 20, 16), (3, 28, 16)))
define("outer_product", contraction("ik,jk->ij", (48, 1), (80, 1)))


@operator
def matmul_accumulated(rng):
    """Onto an argument."""
    a, b, c = uniform(rng, 24, 32), uniform(rng, 32, 40), uniform(rng, 24, 40)
    body = Body(a, b, c)
    result = body.named("matmul", body.arguments[:2], body.arguments[2])
    return body.operator([result], [(a.astype(F64) @ b + c).astype(F32)])


def triangle(name, keep):
    def make(rng):
        a, b = uniform(rng, 40, 40), uniform(rng, 40, 40)
        body = Body(a, b)
        product = body.named("matmul", body.arguments, body.fill("0.0", (40, 40)))
        zero = body.constant("0.0")
        result = body.generic("ij", [(product, "ij")], (body.empty((40, 40)), "ij"), f"""
            %i = linalg.index 0 : index
            %j = linalg.index 1 : index
            %c = arith.cmpi {keep}, %i, %j : index
            %s = arith.select %c, %a, {zero} : f32
            linalg.yield %s : f32""")
        full = (a.astype(F64) @ b.astype(F64)).astype(F32)
        return body.operator([result], [np.tril(full) if keep == "sge" else np.triu(full)])
    define(name, make)


triangle("matmul_lower_triangle", "sge")
triangle("matmul_upper_triangle", "sle")


@operator
def matmul_diagonal(rng):
    d, b = uniform(rng, 40), uniform(rng, 40, 56)
    body = Body(d, b)
    result = body.map([body.arguments[1], body.arguments[0]],
                      "%s = arith.mulf %a, %b : f32\nlinalg.yield %s : f32", maps=["ij", "i"])
    return body.operator([result], [d[:, None] * b])


@operator
def matmul_scaled(rng):
    a, b = uniform(rng, 24, 32), uniform(rng, 32, 40)
    body = Body(a, b)
    product = body.named("matmul", body.arguments, body.fill("0.0", (24, 40)))
    scale = body.constant("1.5")
    result = body.map([product], f"%s = arith.mulf %a, {scale} : f32\nlinalg.yield %s : f32")
    return body.operator([result], [(1.5 * (a.astype(F64) @ b)).astype(F32)])


@operator
def linear_bias_relu(rng):
    a, b, c = uniform(rng, 24, 32), uniform(rng, 32, 40), uniform(rng, 40)
    body = Body(a, b, c)
    product = body.named("matmul", body.arguments[:2], body.fill("0.0", (24, 40)))
    zero = body.constant("0.0")
    result = body.map([product, body.arguments[2]], f"""
        %s = arith.addf %a, %b : f32
        %m = arith.maximumf %s, {zero} : f32
        linalg.yield %m : f32""", maps=["ij", "j"])
    return body.operator([result], [np.maximum(a.astype(F64) @ b + c, 0).astype(F32)])


@operator
def mlp(rng):
    a, b, c = uniform(rng, 16, 32), uniform(rng, 32, 48), uniform(rng, 48, 24)
    body = Body(a, b, c)
    hidden = body.named("matmul", body.arguments[:2], body.fill("0.0", (16, 48)))
    zero = body.constant("0.0")
    hidden = body.map([hidden], f"%m = arith.maximumf %a, {zero} : f32\nlinalg.yield %m : f32")
    result = body.named("matmul", [hidden, body.arguments[2]], body.fill("0.0", (16, 24)))
    return body.operator([result], [(np.maximum(a.astype(F64) @ b, 0) @ c).astype(F32)], 1e-3)


@operator
def mlp_large(rng):
    a, b, c = uniform(rng, 64, 32), uniform(rng, 32, 512), uniform(rng, 512, 24)
    body = Body(a, b, c)
    hidden = body.named("matmul", body.arguments[:2], body.fill("0.0", (64, 512)))
    result = body.named("matmul", [hidden, body.arguments[2]], body.fill("0.0", (64, 24)))
    return body.operator([result], [(a.astype(F64) @ b @ c).astype(F32)], 1e-3)


# ===- Activations --------------------------------------------------------=== #

def activation(name, lines, function, constants=(), low=-3.0, high=3.0):
    def make(rng):
        x = uniform(rng, 20, 300, low=low, high=high)
        body = Body(x)
        names = [body.constant(c) for c in constants]
        result = body.map(body.arguments, lines.format(*names))
        return body.operator([result], [function(x.astype(F64)).astype(F32)])
    define(name, make)


SIGMOID = """%n = arith.negf %a : f32
%e = math.exp %n : f32
%d = arith.addf %e, {0} : f32
%s = arith.divf {0}, %d : f32
"""
activation("relu", "%s = arith.maximumf %a, {0} : f32\nlinalg.yield %s : f32", lambda x: np.maximum(x, 0), ["0.0"])
activation("leaky_relu", "%m = arith.mulf %a, {1} : f32\n%c = arith.cmpf ogt, %a, {0} : f32\n"
           "%s = arith.select %c, %a, %m : f32\nlinalg.yield %s : f32", lambda x: np.where(x > 0, x, .01 * x),
           ["0.0", "0.01"])
activation("sigmoid", SIGMOID + "linalg.yield %s : f32", lambda x: 1 / (1 + np.exp(-x)), ["1.0"])
activation("tanh", "%s = math.tanh %a : f32\nlinalg.yield %s : f32", np.tanh)
activation("swish", SIGMOID + "%r = arith.mulf %a, %s : f32\nlinalg.yield %r : f32", lambda x: x / (1 + np.exp(-x)),
           ["1.0"])
activation("gelu", "%h = arith.mulf %a, {2} : f32\n%e = math.erf %h : f32\n%f = arith.addf %e, {0} : f32\n"
           "%g = arith.mulf %a, %f : f32\n%s = arith.mulf %g, {1} : f32\nlinalg.yield %s : f32",
           lambda x: x * .5 * (1 + np.vectorize(__import__("math").erf)(x / np.sqrt(2))), ["1.0", "0.5", "0.70710678"])
activation("elu", "%e = math.exp %a : f32\n%m = arith.subf %e, {1} : f32\n%c = arith.cmpf ogt, %a, {0} : f32\n"
           "%s = arith.select %c, %a, %m : f32\nlinalg.yield %s : f32",
           lambda x: np.where(x > 0, x, np.exp(x) - 1), ["0.0", "1.0"])
activation("selu", "%e = math.exp %a : f32\n%m = arith.subf %e, {1} : f32\n%n = arith.mulf %m, {2} : f32\n"
           "%c = arith.cmpf ogt, %a, {0} : f32\n%t = arith.select %c, %a, %n : f32\n%s = arith.mulf %t, {3} : f32\n"
           "linalg.yield %s : f32", lambda x: 1.0507 * np.where(x > 0, x, 1.67326 * (np.exp(x) - 1)),
           ["0.0", "1.0", "1.67326", "1.0507"])
activation("softplus", "%e = math.exp %a : f32\n%s = math.log1p %e : f32\nlinalg.yield %s : f32",
           lambda x: np.log1p(np.exp(x)))
activation("softsign", "%e = math.absf %a : f32\n%f = arith.addf %e, {0} : f32\n%s = arith.divf %a, %f : f32\n"
           "linalg.yield %s : f32", lambda x: x / (1 + np.abs(x)), ["1.0"])
activation("hard_sigmoid", "%m = arith.mulf %a, {2} : f32\n%p = arith.addf %m, {3} : f32\n"
           "%l = arith.maximumf %p, {0} : f32\n%s = arith.minimumf %l, {1} : f32\nlinalg.yield %s : f32",
           lambda x: np.clip(x / 6 + .5, 0, 1), ["0.0", "1.0", "0.16666667", "0.5"])
activation("hard_tanh", "%l = arith.maximumf %a, {0} : f32\n%s = arith.minimumf %l, {1} : f32\nlinalg.yield %s : f32",
           lambda x: np.clip(x, -1, 1), ["-1.0", "1.0"])
activation("square_root", "%s = math.sqrt %a : f32\nlinalg.yield %s : f32", np.sqrt, low=.1)


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


@operator
def softmax_named(rng):
    x = uniform(rng, 24, 200, low=-4, high=4)
    body = Body(x)
    name, out = body.new(), body.empty(x.shape)
    body.add(f"{name} = linalg.softmax dimension(1) ins(%arg0 : {tensor(x)}) outs({out[0]} : {tensor(x)}) -> {tensor(x)}")
    return body.operator([(name, *out[1:])], [softmax(x.astype(F64)).astype(F32)])


def softmax_body(body, x, loops="ij", axis=1, log=False):
    kept = "".join(l for d, l in enumerate(loops) if d != axis)
    top = body.reduce(x, [axis], NEGATIVE, MAX)
    moved = body.map([x, top], "%s = arith.subf %a, %b : f32\nlinalg.yield %s : f32", maps=[loops, kept])
    power = body.map([moved], "%s = math.exp %a : f32\nlinalg.yield %s : f32")
    total = body.reduce(power, [axis], "0.0", ADD)
    if log:
        return body.map([moved, total], "%l = math.log %b : f32\n%s = arith.subf %a, %l : f32\nlinalg.yield %s : f32",
                        maps=[loops, kept])
    return body.map([power, total], "%s = arith.divf %a, %b : f32\nlinalg.yield %s : f32", maps=[loops, kept])


@operator
def softmax_columns(rng):
    x = uniform(rng, 120, 24, low=-4, high=4)
    body = Body(x)
    return body.operator([softmax_body(body, body.arguments[0], axis=0)], [softmax(x.astype(F64), 0).astype(F32)])


@operator
def log_softmax(rng):
    x = uniform(rng, 24, 200, low=-4, high=4)
    body = Body(x)
    return body.operator([softmax_body(body, body.arguments[0], log=True)],
                         [np.log(softmax(x.astype(F64))).astype(F32)])


# ===- Attention ----------------------------------------------------------=== #

def attention(name, batch, heads, rows, depth, causal=False):
    def make(rng):
        q, k, v = (uniform(rng, batch, heads, rows, depth) for _ in range(3))
        body = Body(q, k, v)
        shape = (batch, heads, rows, rows)
        scores = body.generic("bhij d", [(body.arguments[0], "bhid"), (body.arguments[1], "bhjd")],
                              (body.fill("0.0", shape), "bhij"), PRODUCT)
        scale = body.constant(repr(1 / np.sqrt(depth)))
        lines = f"%s = arith.mulf %a, {scale} : f32\nlinalg.yield %s : f32"
        if causal:
            low = body.constant("-1.0e30")
            lines = f"""%m = arith.mulf %a, {scale} : f32
                %i = linalg.index 2 : index
                %j = linalg.index 3 : index
                %c = arith.cmpi sge, %i, %j : index
                %s = arith.select %c, %m, {low} : f32
                linalg.yield %s : f32"""
        scores = body.map([scores], lines)
        weights = softmax_body(body, scores, "ijkl", 3)
        result = body.generic("bhid j", [(weights, "bhij"), (body.arguments[2], "bhjd")],
                              (body.fill("0.0", q.shape), "bhid"), PRODUCT)
        s = np.einsum("bhid,bhjd->bhij", q.astype(F64), k) / np.sqrt(depth)
        if causal:
            s = np.where(np.tril(np.ones((rows, rows), bool)), s, -1e30)
        return body.operator([result], [np.einsum("bhij,bhjd->bhid", softmax(s), v).astype(F32)])
    define(name, make)


attention("attention", 1, 2, 48, 16)
attention("attention_batched", 2, 3, 32, 8)
attention("attention_causal", 1, 2, 40, 16, causal=True)


# ===- Convolutions -------------------------------------------------------=== #

def windows(x, kernel, stride, dilation):
    """x with window axes behind the spatial ones; x is (n, c, spatial…)."""
    spatial = x.shape[2:]
    out = [(n - d * (k - 1) - 1) // s + 1 for n, k, s, d in zip(spatial, kernel, stride, dilation)]
    result = np.zeros((*x.shape[:2], *out, *kernel))
    for place in np.ndindex(*kernel):
        slices = tuple(slice(p * d, p * d + (o - 1) * s + 1, s) for p, d, o, s in zip(place, dilation, out, stride))
        result[(slice(None), slice(None), *[slice(None)] * len(out), *place)] = x[(slice(None), slice(None), *slices)]
    return result


def convolution(name, shape, filters, kernel, stride=1, dilation=1, padding=0, groups=1):
    """Channels first, as networks write them."""
    rank = len(shape) - 2
    stride, dilation, kernel = (v if isinstance(v, tuple) else (v,) * rank for v in (stride, dilation, kernel))
    def make(rng):
        channels = shape[1] // groups
        x, w = uniform(rng, *shape), uniform(rng, filters, channels, *kernel)
        body = Body(x, w)
        source = body.arguments[0]
        full = x.astype(F64)
        if padding:
            zero, pad = body.constant("0.0"), body.new()
            wide = (*shape[:2], *[n + 2 * padding for n in shape[2:]])
            low = ", ".join(["0", "0"] + [str(padding)] * rank)
            ids = ", ".join(f"%i{d}: index" for d in range(rank + 2))
            body.add(f"{pad} = tensor.pad {source[0]} low[{low}] high[{low}] {{")
            body.add(f"^bb0({ids}):")
            body.add(f"  tensor.yield {zero} : f32")
            body.add(f"}} : {typed(shape)} to {typed(wide)}")
            source = (pad, wide, "f32")
            full = np.pad(full, [(0, 0), (0, 0)] + [(padding, padding)] * rank)
        places, offsets = "xyz"[:rank], "uvw"[:rank]
        out = [(n - d * (k - 1) - 1) // s + 1 for n, k, s, d in zip(source[1][2:], kernel, stride, dilation)]
        spatial = [f"d_{p} * {s} + d_{o} * {d}" for p, o, s, d in zip(places, offsets, stride, dilation)]
        patches = windows(full, kernel, stride, dilation)
        if groups == 1:
            result = body.generic(f"nf{places} c{offsets}",
                                  [(source, ["n", "c", *spatial]), (body.arguments[1], ["f", "c", *offsets])],
                                  (body.fill("0.0", (shape[0], filters, *out)), ["n", "f", *places]), PRODUCT)
            expected = np.einsum(f"nc{places}{offsets},fc{offsets}->nf{places}", patches, w.astype(F64))
            return body.operator([result], [expected.astype(F32)])
        per = filters // groups
        result = body.generic(f"nf{places} c{offsets}",
                              [(source, ["n", f"(d_f floordiv {per}) * {channels} + d_c", *spatial]),
                               (body.arguments[1], ["f", "c", *offsets])],
                              (body.fill("0.0", (shape[0], filters, *out)), ["n", "f", *places]), PRODUCT)
        expected = np.zeros((shape[0], filters, *out))
        for f in range(filters):
            first = f // per * channels
            expected[:, f] = np.einsum(f"nc{places}{offsets},c{offsets}->n{places}",
                                       patches[:, first:first + channels], w[f].astype(F64))
        return body.operator([result], [expected.astype(F32)])
    define(name, make)


convolution("conv1d", (2, 6, 60), 8, 5)
convolution("conv1d_strided_dilated", (2, 6, 61), 8, 3, stride=2, dilation=3)
convolution("conv2d", (2, 6, 18, 20), 8, 3)
convolution("conv2d_padded", (1, 6, 16, 16), 8, 3, padding=1)
convolution("conv2d_strided", (1, 3, 33, 33), 8, 5, stride=2, padding=2)
convolution("conv2d_dilated", (1, 4, 20, 20), 6, 3, dilation=2)
convolution("conv2d_asymmetric", (1, 4, 20, 24), 6, (3, 5))
convolution("conv2d_pointwise", (1, 16, 14, 14), 24, 1)
convolution("conv2d_depthwise", (2, 8, 18, 18), 8, 3, groups=8)
convolution("conv2d_grouped", (1, 8, 14, 14), 12, 3, groups=4)
convolution("conv3d", (1, 3, 8, 10, 10), 6, 3)
convolution("conv3d_asymmetric", (1, 3, 8, 10, 12), 4, (1, 3, 5))
convolution("conv1d_edges", (1, 20, 163), 33, 3)
convolution("conv2d_edges", (1, 6, 17, 73), 33, (3, 5), stride=2, dilation=2)
convolution("conv2d_large_window", (1, 20, 13, 25), 9, (5, 7))


@operator
def conv2d_nhwc_named(rng):
    x, w = uniform(rng, 1, 18, 18, 6), uniform(rng, 3, 3, 6, 12)
    body = Body(x, w)
    result = body.named("conv_2d_nhwc_hwcf", body.arguments, body.fill("0.0", (1, 16, 16, 12)),
                        "{dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}")
    patches = windows(x.transpose(0, 3, 1, 2).astype(F64), (3, 3), (1, 1), (1, 1))
    return body.operator([result], [np.einsum("ncxyuv,uvcf->nxyf", patches, w).astype(F32)])


@operator
def conv2d_transposed(rng):
    """Stride 2: each input spreads over a window of the output, here gathered by the output."""
    x, w = uniform(rng, 1, 4, 8, 8), uniform(rng, 4, 6, 3, 3)
    body = Body(x, w)
    zero = body.constant("0.0")
    # The input with zeros between its elements, and around them.
    two, eight = (body.constant(n, "index") for n in (2, 8))
    wide = body.generic("ncxy", [], (body.empty((1, 4, 19, 19)), "ncxy"), f"""
        %n = linalg.index 0 : index
        %c = linalg.index 1 : index
        %x = linalg.index 2 : index
        %y = linalg.index 3 : index
        %p = arith.subi %x, {two} : index
        %q = arith.subi %y, {two} : index
        %zero = arith.constant 0 : index
        %seven = arith.constant 7 : index
        %i = arith.divsi %p, {two} : index
        %j = arith.divsi %q, {two} : index
        %r = arith.remsi %p, {two} : index
        %s = arith.remsi %q, {two} : index
        %e = arith.cmpi eq, %r, %zero : index
        %f = arith.cmpi eq, %s, %zero : index
        %g = arith.cmpi sge, %p, %zero : index
        %h = arith.cmpi sge, %q, %zero : index
        %k = arith.cmpi slt, %i, {eight} : index
        %l = arith.cmpi slt, %j, {eight} : index
        %m1 = arith.andi %e, %f : i1
        %m2 = arith.andi %g, %h : i1
        %m3 = arith.andi %k, %l : i1
        %m4 = arith.andi %m1, %m2 : i1
        %m5 = arith.andi %m4, %m3 : i1
        %i0 = arith.maxsi %i, %zero : index
        %j0 = arith.maxsi %j, %zero : index
        %i1 = arith.minsi %i0, %seven : index
        %j1 = arith.minsi %j0, %seven : index
        %v = tensor.extract %arg0[%n, %c, %i1, %j1] : {tensor(x)}
        %t = arith.select %m5, %v, {zero} : f32
        linalg.yield %t : f32""")
    flipped = body.generic("cfuv", [], (body.empty((4, 6, 3, 3)), "cfuv"), f"""
        %c = linalg.index 0 : index
        %f = linalg.index 1 : index
        %u = linalg.index 2 : index
        %v = linalg.index 3 : index
        %i = arith.subi {two}, %u : index
        %j = arith.subi {two}, %v : index
        %s = tensor.extract %arg1[%c, %f, %i, %j] : {tensor(w)}
        linalg.yield %s : f32""")
    result = body.generic("nfxy cuv", [(wide, ["n", "c", "d_x + d_u", "d_y + d_v"]), (flipped, "cfuv")],
                          (body.fill("0.0", (1, 6, 17, 17)), "nfxy"), PRODUCT)
    expected = np.zeros((1, 6, 17, 17))
    for i, j in np.ndindex(8, 8):
        expected[:, :, 2 * i:2 * i + 3, 2 * j:2 * j + 3] += np.einsum("nc,cfuv->nfuv", x[:, :, i, j].astype(F64), w)
    return body.operator([result], [expected.astype(F32)])


# ===- Pooling ------------------------------------------------------------=== #

def pooling(name, shape, kernel, stride, average=False, dilation=1):
    rank = len(shape) - 2
    kernel, stride, dilation = (kernel,) * rank, (stride,) * rank, (dilation,) * rank
    def make(rng):
        x = uniform(rng, *shape)
        body = Body(x)
        places, offsets = "xyz"[:rank], "uvw"[:rank]
        out = [(n - d * (k - 1) - 1) // s + 1 for n, k, s, d in zip(shape[2:], kernel, stride, dilation)]
        window = body.empty(kernel)
        spatial = [f"d_{p} * {s} + d_{o} * {d}" for p, o, s, d in zip(places, offsets, stride, dilation)]
        result = body.generic(f"nc{places} {offsets}",
                              [(body.arguments[0], ["n", "c", *spatial]), (window, list(offsets))],
                              (body.fill("0.0" if average else NEGATIVE, (*shape[:2], *out)), ["n", "c", *places]),
                              ADD if average else MAX)
        patches = windows(x.astype(F64), kernel, stride, dilation)
        axes = tuple(range(2 + rank, 2 + 2 * rank))
        if not average:
            return body.operator([result], [patches.max(axes).astype(F32)])
        scale = body.constant(repr(1.0 / np.prod(kernel)))
        result = body.map([result], f"%s = arith.mulf %a, {scale} : f32\nlinalg.yield %s : f32")
        return body.operator([result], [patches.mean(axes).astype(F32)])
    define(name, make)


pooling("max_pool1d", (2, 8, 64), 4, 2)
pooling("max_pool2d", (2, 4, 20, 20), 3, 2)
pooling("max_pool2d_dilated", (1, 4, 20, 20), 3, 1, dilation=2)
pooling("max_pool3d", (1, 3, 10, 10, 10), 2, 2)
pooling("average_pool1d", (2, 8, 64), 4, 4, average=True)
pooling("average_pool2d", (2, 4, 20, 20), 2, 2, average=True)
pooling("average_pool3d", (1, 3, 8, 10, 10), 2, 2, average=True)


# ===- Reductions ---------------------------------------------------------=== #

def reduction(name, shape, axes, start, lines, function):
    def make(rng):
        x = uniform(rng, *shape, low=.5 if name.startswith("product") else -1, high=1.5)
        body = Body(x)
        result = body.reduce(body.arguments[0], axes, start, lines)
        return body.operator([result], [function(x.astype(F64), tuple(axes)).astype(F32)])
    define(name, make)


reduction("sum_rows", (40, 300), [1], "0.0", ADD, lambda x, a: x.sum(a))
reduction("sum_columns", (300, 40), [0], "0.0", ADD, lambda x, a: x.sum(a))
reduction("sum_middle", (6, 70, 20), [1], "0.0", ADD, lambda x, a: x.sum(a))
reduction("sum_two", (6, 30, 20), [1, 2], "0.0", ADD, lambda x, a: x.sum(a))
reduction("sum_all_large", (600, 1000), [0, 1], "0.0", ADD, lambda x, a: x.sum(a))
reduction("max_rows_large", (2, 300000), [1], NEGATIVE, MAX, lambda x, a: x.max(a))
reduction("sum_all", (37, 61), [0, 1], "0.0", ADD, lambda x, a: x.sum(a))
reduction("max_rows", (40, 301), [1], NEGATIVE, MAX, lambda x, a: x.max(a))
reduction("min_columns", (128, 33), [0], INFINITY, MIN, lambda x, a: x.min(a))
reduction("product_rows", (40, 24), [1], "1.0", MUL, lambda x, a: x.prod(a))


@operator
def mean_rows(rng):
    x = uniform(rng, 40, 300)
    body = Body(x)
    total = body.reduce(body.arguments[0], [1], "0.0", ADD)
    scale = body.constant(repr(1.0 / 300))
    result = body.map([total], f"%s = arith.mulf %a, {scale} : f32\nlinalg.yield %s : f32")
    return body.operator([result], [x.astype(F64).mean(1).astype(F32)])


def arg_reduction(name, shape, axis, predicate, start, function):
    """The value and its place: a reduction with two results."""
    def make(rng):
        x = uniform(rng, *shape)
        body = Body(x)
        kept = "ij".replace("ij"[axis], "")
        out = (shape[1 - axis],)
        best, place = body.fill(start, out), body.fill("0", out, "i64")
        loops = "i j" if axis == 1 else "j i"
        order = "d_i, d_j" if axis == 1 else "d_j, d_i"
        names = body.new()
        body.add(f'{names}:2 = linalg.generic {{indexing_maps = [affine_map<({order}) -> (d_i, d_j)>, '
                 f'affine_map<({order}) -> (d_{kept})>, affine_map<({order}) -> (d_{kept})>], '
                 f'iterator_types = ["parallel", "reduction"]}} ins(%arg0 : {tensor(x)}) '
                 f'outs({best[0]}, {place[0]} : {typed(out)}, {typed(out, "i64")}) {{')
        for line in ("^bb0(%a: f32, %o: f32, %p: i64):", "  %i = linalg.index 1 : index",
                     "  %n = arith.index_cast %i : index to i64", f"  %c = arith.cmpf {predicate}, %a, %o : f32",
                     "  %s = arith.select %c, %a, %o : f32", "  %t = arith.select %c, %n, %p : i64",
                     "  linalg.yield %s, %t : f32, i64", f"}} -> ({typed(out)}, {typed(out, 'i64')})"):
            body.add(line)
        return body.operator([(f"{names}#1", out, "i64")], [function(x, axis).astype(np.int64)])
    define(name, make)


arg_reduction("argmax_rows", (40, 200), 1, "ogt", NEGATIVE, np.argmax)
arg_reduction("argmin_rows", (40, 200), 1, "olt", INFINITY, np.argmin)
arg_reduction("argmax_columns", (200, 40), 0, "ogt", NEGATIVE, np.argmax)


# ===- Cumulative ---------------------------------------------------------=== #

def cumulative(name, op, function, kind="", shape=(12, 200), axis=1):
    def make(rng):
        x = uniform(rng, *shape, low=.8, high=1.2)
        body = Body(x)
        out = body.empty(shape)
        initial = f"initial({body.constant('0.0')} : f32) " if "exclusive" in kind else ""
        result = body.new()
        body.add(f"{result} = memspace.scan dimension({axis}) {kind} ins(%arg0 : {tensor(x)}) {initial}"
                 f"outs({out[0]} : {tensor(x)}) {{")
        for line in ("^bb0(%x: f32, %y: f32):", f"  %z = arith.{op} %x, %y : f32", "  memspace.yield %z : f32",
                     f"}} -> {tensor(x)}"):
            body.add(line)
        return body.operator([(result, shape, "f32")], [function(x.astype(F64)).astype(F32)])
    define(name, make)


cumulative("cumulative_sum", "addf", lambda x: x.cumsum(1))
cumulative("cumulative_sum_columns", "addf", lambda x: x.cumsum(0), shape=(100, 16), axis=0)
cumulative("cumulative_sum_reverse", "addf", lambda x: x[:, ::-1].cumsum(1)[:, ::-1], "reverse")
cumulative("cumulative_sum_exclusive", "addf", lambda x: x.cumsum(1) - x, "exclusive")
cumulative("cumulative_product", "mulf", lambda x: x.cumprod(1))
# By several workgroups, of which the last one has less.
cumulative("cumulative_sum_of_long_row", "addf", lambda x: x.cumsum(1), shape=(1, 40000))
cumulative("cumulative_sum_of_long_rows_reverse", "addf", lambda x: x[:, ::-1].cumsum(1)[:, ::-1], "reverse", shape=(3, 16500))
cumulative("cumulative_sum_of_long_columns", "addf", lambda x: x.cumsum(0) - x, "exclusive", shape=(16500, 2), axis=0)


# ===- Normalizations -----------------------------------------------------=== #

def normalized(body, x, loops, axes, epsilon=1e-5):
    """(x - mean) / sqrt(variance + epsilon) over `axes`."""
    kept = "".join(l for d, l in enumerate(loops) if d not in axes)
    count = np.prod([x[1][d] for d in axes])
    scale, small = body.constant(f"{1.0 / count:e}"), body.constant(f"{epsilon:e}")
    total = body.reduce(x, axes, "0.0", ADD)
    moved = body.map([x, total], f"""
        %m = arith.mulf %b, {scale} : f32
        %s = arith.subf %a, %m : f32
        linalg.yield %s : f32""", maps=[loops, kept])
    square = body.reduce(moved, axes, "0.0",
                         "%q = arith.mulf %a, %a : f32\n%s = arith.addf %o, %q : f32\nlinalg.yield %s : f32")
    return body.map([moved, square], f"""
        %v = arith.mulf %b, {scale} : f32
        %w = arith.addf %v, {small} : f32
        %r = math.rsqrt %w : f32
        %s = arith.mulf %a, %r : f32
        linalg.yield %s : f32""", maps=[loops, kept])


def standardize(x, axes, epsilon=1e-5):
    mean = x.mean(axes, keepdims=True)
    return (x - mean) / np.sqrt(((x - mean) ** 2).mean(axes, keepdims=True) + epsilon)


def normalization(name, shape, axes):
    def make(rng):
        x = uniform(rng, *shape)
        body = Body(x)
        result = normalized(body, body.arguments[0], "ijklmn"[:len(shape)], axes)
        return body.operator([result], [standardize(x.astype(F64), tuple(axes)).astype(F32)], 1e-3)
    define(name, make)


normalization("layer_norm_plain", (24, 256), [1])
normalization("batch_norm_training", (6, 8, 10, 10), [0, 2, 3])
normalization("instance_norm", (3, 8, 12, 12), [2, 3])
normalization("group_norm", (2, 4, 2, 10, 10), [2, 3, 4])


@operator
def layer_norm(rng):
    x, g, b = uniform(rng, 24, 256), uniform(rng, 256), uniform(rng, 256)
    body = Body(x, g, b)
    plain = normalized(body, body.arguments[0], "ij", [1])
    result = body.map([plain, *body.arguments[1:]], """
        %m = arith.mulf %a, %b : f32
        %s = arith.addf %m, %c : f32
        linalg.yield %s : f32""", maps=["ij", "j", "j"])
    return body.operator([result], [(standardize(x.astype(F64), 1) * g + b).astype(F32)], 1e-3)


@operator
def batch_norm_inference(rng):
    x, m, v = uniform(rng, 2, 6, 10, 10), uniform(rng, 6), uniform(rng, 6, low=.5)
    v = np.abs(v) + F32(.1)
    body = Body(x, m, v)
    small = body.constant("1.0e-5")
    result = body.map(body.arguments, f"""
        %d = arith.subf %a, %b : f32
        %w = arith.addf %c, {small} : f32
        %r = math.rsqrt %w : f32
        %s = arith.mulf %d, %r : f32
        linalg.yield %s : f32""", maps=["ijkl", "j", "j"])
    wide = lambda p: p[None, :, None, None].astype(F64)
    return body.operator([result], [((x - wide(m)) / np.sqrt(wide(v) + 1e-5)).astype(F32)])


@operator
def rms_norm(rng):
    x = uniform(rng, 24, 200)
    body = Body(x)
    square = body.reduce(body.arguments[0], [1], "0.0",
                         "%q = arith.mulf %a, %a : f32\n%s = arith.addf %o, %q : f32\nlinalg.yield %s : f32")
    scale, small = body.constant("0.005"), body.constant("1.0e-5")
    result = body.map([body.arguments[0], square], f"""
        %v = arith.mulf %b, {scale} : f32
        %w = arith.addf %v, {small} : f32
        %r = math.rsqrt %w : f32
        %s = arith.mulf %a, %r : f32
        linalg.yield %s : f32""", maps=["ij", "i"])
    x = x.astype(F64)
    return body.operator([result], [(x / np.sqrt((x * x).mean(1, keepdims=True) + 1e-5)).astype(F32)])


def norm(name, shape, axes, lines, last, function):
    def make(rng):
        x = uniform(rng, *shape)
        body = Body(x)
        loops = "ijkl"[:len(shape)]
        kept = "".join(l for d, l in enumerate(loops) if d not in axes)
        total = body.reduce(body.arguments[0], axes, "0.0", lines)
        result = body.map([body.arguments[0], total], last, maps=[loops, kept])
        return body.operator([result], [function(x.astype(F64)).astype(F32)])
    define(name, make)


ABSOLUTE = "%q = math.absf %a : f32\n%s = arith.addf %o, %q : f32\nlinalg.yield %s : f32"
SQUARES = "%q = arith.mulf %a, %a : f32\n%s = arith.addf %o, %q : f32\nlinalg.yield %s : f32"
norm("l1_norm", (24, 200), [1], ABSOLUTE, "%s = arith.divf %a, %b : f32\nlinalg.yield %s : f32",
     lambda x: x / np.abs(x).sum(1, keepdims=True))
norm("l2_norm", (24, 200), [1], SQUARES, "%r = math.sqrt %b : f32\n%s = arith.divf %a, %r : f32\nlinalg.yield %s : f32",
     lambda x: x / np.sqrt((x * x).sum(1, keepdims=True)))
norm("frobenius_norm", (40, 150), [0, 1], SQUARES,
     "%r = math.sqrt %b : f32\n%s = arith.divf %a, %r : f32\nlinalg.yield %s : f32",
     lambda x: x / np.sqrt((x * x).sum()))


# ===- Losses -------------------------------------------------------------=== #

def loss(name, shape, lines, function, constants=(), low=-1.0):
    """The mean of an expression of two tensors."""
    def make(rng):
        x, y = uniform(rng, *shape, low=low), uniform(rng, *shape, low=low)
        body = Body(x, y)
        names = [body.constant(c) for c in constants]
        terms = body.map(body.arguments, lines.format(*names))
        total = body.reduce(terms, list(range(len(shape))), "0.0", ADD)
        scale = body.constant(repr(1.0 / np.prod(shape)))
        result = body.map([total], f"%s = arith.mulf %a, {scale} : f32\nlinalg.yield %s : f32")
        return body.operator([result], [function(x.astype(F64), y.astype(F64)).astype(F32)])
    define(name, make)


loss("mean_squared_error", (30, 100), "%d = arith.subf %a, %b : f32\n%s = arith.mulf %d, %d : f32\nlinalg.yield %s : f32",
     lambda x, y: ((x - y) ** 2).mean())
loss("huber_loss", (30, 100), "%d = arith.subf %a, %b : f32\n%e = math.absf %d : f32\n%q = arith.mulf %d, %d : f32\n"
     "%h = arith.mulf %q, {0} : f32\n%l = arith.subf %e, {0} : f32\n%c = arith.cmpf olt, %e, {1} : f32\n"
     "%s = arith.select %c, %h, %l : f32\nlinalg.yield %s : f32",
     lambda x, y: np.where(abs(x - y) < 1, .5 * (x - y) ** 2, abs(x - y) - .5).mean(), ["0.5", "1.0"])
loss("hinge_loss", (30, 100), "%p = arith.mulf %a, %b : f32\n%d = arith.subf {1}, %p : f32\n"
     "%s = arith.maximumf %d, {0} : f32\nlinalg.yield %s : f32",
     lambda x, y: np.maximum(1 - x * y, 0).mean(), ["0.0", "1.0"])
loss("divergence_loss", (30, 100), "%q = arith.divf %b, %a : f32\n%l = math.log %q : f32\n%s = arith.mulf %b, %l : f32\n"
     "linalg.yield %s : f32", lambda x, y: (y * np.log(y / x)).mean(), low=.1)


@operator
def cross_entropy(rng):
    x, t = uniform(rng, 32, 50, low=-3, high=3), rng.integers(0, 50, 32).astype(np.int64)
    body = Body(x, t)
    logs = softmax_body(body, body.arguments[0], log=True)
    # The element that the target names, as a sum over a mask.
    zero = body.constant("0.0")
    chosen = body.generic("i j", [(logs, "ij"), (body.arguments[1], "i")], (body.fill("0.0", (32,)), "i"), f"""
        %j = linalg.index 1 : index
        %n = arith.index_cast %j : index to i64
        %c = arith.cmpi eq, %n, %b : i64
        %m = arith.select %c, %a, {zero} : f32
        %s = arith.subf %o, %m : f32
        linalg.yield %s : f32""")
    total = body.reduce(chosen, [0], "0.0", ADD)
    scale = body.constant("0.03125")
    result = body.map([total], f"%s = arith.mulf %a, {scale} : f32\nlinalg.yield %s : f32")
    expected = -np.log(softmax(x.astype(F64)))[np.arange(32), t].mean()
    return body.operator([result], [expected.astype(F32)])


@operator
def cosine_similarity(rng):
    x, y = uniform(rng, 24, 100), uniform(rng, 24, 100)
    body = Body(x, y)
    both = body.generic("i j", list(zip(body.arguments, ("ij", "ij"))), (body.fill("0.0", (24,)), "i"), PRODUCT)
    left = body.reduce(body.arguments[0], [1], "0.0", SQUARES)
    right = body.reduce(body.arguments[1], [1], "0.0", SQUARES)
    result = body.map([both, left, right], """
        %m = arith.mulf %b, %c : f32
        %r = math.sqrt %m : f32
        %s = arith.divf %a, %r : f32
        linalg.yield %s : f32""")
    x, y = x.astype(F64), y.astype(F64)
    expected = (x * y).sum(1) / np.sqrt((x * x).sum(1) * (y * y).sum(1))
    return body.operator([result], [expected.astype(F32)])


@operator
def triplet_margin_loss(rng):
    a, p, n = (uniform(rng, 24, 60) for _ in range(3))
    body = Body(a, p, n)
    distances = []
    for other in body.arguments[1:]:
        distances.append(body.generic("i j", [(body.arguments[0], "ij"), (other, "ij")],
                                      (body.fill("0.0", (24,)), "i"), """
            %d = arith.subf %a, %b : f32
            %q = arith.mulf %d, %d : f32
            %s = arith.addf %o, %q : f32
            linalg.yield %s : f32"""))
    zero, margin = body.constant("0.0"), body.constant("1.0")
    terms = body.map(distances, f"""
        %x = math.sqrt %a : f32
        %y = math.sqrt %b : f32
        %d = arith.subf %x, %y : f32
        %e = arith.addf %d, {margin} : f32
        %s = arith.maximumf %e, {zero} : f32
        linalg.yield %s : f32""")
    result = body.reduce(terms, [0], "0.0", ADD)
    a, p, n = (v.astype(F64) for v in (a, p, n))
    far = lambda v: np.sqrt(((a - v) ** 2).sum(1))
    return body.operator([result], [np.maximum(far(p) - far(n) + 1, 0).sum().astype(F32)])


# ===- Moving data --------------------------------------------------------=== #

@operator
def transpose(rng):
    x = uniform(rng, 70, 45)
    body = Body(x)
    out, name = body.empty((45, 70)), body.new()
    body.add(f"{name} = linalg.transpose ins(%arg0 : {tensor(x)}) outs({out[0]} : {typed(out[1])}) permutation = [1, 0]")
    return body.operator([(name, *out[1:])], [x.T.copy()])


@operator
def transpose_4d(rng):
    x = uniform(rng, 3, 10, 4, 20)
    body = Body(x)
    result = body.generic("bhnd", [(body.arguments[0], "bnhd")], (body.empty((3, 4, 10, 20)), "bhnd"),
                          "linalg.yield %a : f32")
    return body.operator([result], [x.transpose(0, 2, 1, 3).copy()])


@operator
def concatenation(rng):
    x, y = uniform(rng, 20, 30), uniform(rng, 20, 50)
    body = Body(x, y)
    name = body.new()
    body.add(f"{name} = tensor.concat dim(1) %arg0, %arg1 : ({tensor(x)}, {tensor(y)}) -> {typed((20, 80))}")
    return body.operator([(name, (20, 80), "f32")], [np.concatenate([x, y], 1)])


@operator
def slice_and_scale(rng):
    x = uniform(rng, 40, 60)
    body = Body(x)
    part, two = body.new(), body.constant("2.0")
    body.add(f"{part} = tensor.extract_slice %arg0[3, 10] [30, 40] [1, 1] : {tensor(x)} to {typed((30, 40))}")
    result = body.map([(part, (30, 40), "f32")], f"%s = arith.mulf %a, {two} : f32\nlinalg.yield %s : f32")
    return body.operator([result], [2 * x[3:33, 10:50]])


@operator
def reshape_and_sum(rng):
    x = uniform(rng, 12, 8, 25)
    body = Body(x)
    flat, two = body.new(), body.constant("2.0")
    doubled = body.map(body.arguments, f"%s = arith.mulf %a, {two} : f32\nlinalg.yield %s : f32")
    body.add(f"{flat} = tensor.collapse_shape {doubled[0]} [[0], [1, 2]] : {tensor(x)} into {typed((12, 200))}")
    result = body.reduce((flat, (12, 200), "f32"), [1], "0.0", ADD)
    return body.operator([result], [(2 * x.astype(F64)).sum((1, 2)).astype(F32)])


@operator
def embedding(rng):
    table, index = uniform(rng, 50, 32), rng.integers(0, 50, 40).astype(np.int32)
    body = Body(table, index)
    result = body.generic("ij", [(body.arguments[1], "i")], (body.empty((40, 32)), "ij"), f"""
        %j = linalg.index 1 : index
        %r = arith.index_cast %a : i32 to index
        %s = tensor.extract %arg0[%r, %j] : {tensor(table)}
        linalg.yield %s : f32""")
    return body.operator([result], [table[index]])


@operator
def upsample_nearest(rng):
    x = uniform(rng, 2, 3, 10, 12)
    body = Body(x)
    result = body.generic("ncxy", [(body.arguments[0], ["n", "c", "d_x floordiv 2", "d_y floordiv 2"])],
                          (body.empty((2, 3, 20, 24)), "ncxy"), "linalg.yield %a : f32")
    return body.operator([result], [x.repeat(2, 2).repeat(2, 3)])


def sorted_rows(name, *shape):
    def make(rng):
        x = uniform(rng, *shape)
        body = Body(x)
        out, name = body.empty(x.shape), body.new()
        body.add(f"{name} = memspace.sort dimension(1) ins(%arg0 : {tensor(x)}) outs({out[0]} : {tensor(x)}) {{")
        for line in ("^bb0(%x: f32, %y: f32):", "  %c = arith.cmpf olt, %x, %y : f32", "  memspace.yield %c : i1",
                     f"}} -> {tensor(x)}"):
            body.add(line)
        return body.operator([(name, x.shape, "f32")], [np.sort(x, 1)], 0)
    define(name, make)


sorted_rows("sort_rows", 8, 100)
# By several workgroups, whose tiles become one in rounds.
sorted_rows("sort_long_rows", 2, 33000)


@operator
def two_results(rng):
    x = uniform(rng, 24, 200)
    body = Body(x)
    low = body.reduce(body.arguments[0], [1], INFINITY, MIN)
    high = body.reduce(body.arguments[0], [1], NEGATIVE, MAX)
    return body.operator([low, high], [x.min(1), x.max(1)], 0)


@operator
def elementwise_add(rng):
    x, y = uniform(rng, 33, 130), uniform(rng, 33, 130)
    body = Body(x, y)
    name = body.new()
    body.add(f"{name} = arith.addf %arg0, %arg1 : {tensor(x)}")
    return body.operator([(name, x.shape, "f32")], [x + y], 0)


@operator
def sliced_steps(rng):
    """Slices of one element have steps, too, and lose the dimension or keep it."""
    x = uniform(rng, 7, 2, 7, 3)
    body = Body(x)
    part, one = body.new(), body.constant("1.0")
    body.add(f"{part} = tensor.extract_slice %arg0[5, 1, 1, 0] [1, 1, 3, 1] [2, 1, 2, 2] : {tensor(x)} "
             f"to {typed((1, 3))}")
    result = body.map([(part, (1, 3), "f32")], f"%s = arith.addf %a, {one} : f32\nlinalg.yield %s : f32")
    return body.operator([result], [x[5:6, 1, 1:6:2, 0] + 1], 0)


# ===- Places in a reduction -----------------------------------------------=== #

@operator
def weighted_sum(rng):
    x = uniform(rng, 96)
    body = Body(x)
    result = body.generic(" i", [(body.arguments[0], "i")], (body.fill("0.0", ()), ""), """
        %i = linalg.index 0 : index
        %n = arith.index_cast %i : index to i32
        %f = arith.sitofp %n : i32 to f32
        %p = arith.mulf %a, %f : f32
        %s = arith.addf %o, %p : f32
        linalg.yield %s : f32""")
    return body.operator([result], [(x.astype(F64) * np.arange(96)).sum().astype(F32)], 1e-3)


@operator
def padded_matvec(rng):
    x, w = uniform(rng, 7), uniform(rng, 4, 8)
    body = Body(x, w)
    one, pad = body.constant("1.0"), body.new()
    for line in (f"{pad} = tensor.pad %arg0 low[1] high[0] {{", "^bb0(%j: index):", f"  tensor.yield {one} : f32",
                 f"}} : {tensor(x)} to {typed((8,))}"):
        body.add(line)
    result = body.generic("i j", [((pad, (8,), "f32"), "j"), (body.arguments[1], "ij")],
                          (body.fill("0.0", (4,)), "i"), PRODUCT)
    return body.operator([result], [(w.astype(F64) @ np.concatenate([[1], x])).astype(F32)])


@operator
def in_place_then_broadcast(rng):
    """The first op reads its init, which is an argument."""
    x, y = uniform(rng, 4), uniform(rng, 4, 8)
    body = Body(x, y)
    twice = body.generic("i", [], (body.arguments[0], "i"), "%s = arith.addf %o, %o : f32\nlinalg.yield %s : f32")
    result = body.map([body.arguments[1], twice], "%s = arith.addf %a, %b : f32\nlinalg.yield %s : f32",
                      maps=["ij", "i"])
    return body.operator([result], [y + 2 * x[:, None]])


# ===- Extents that are known when it runs ---------------------------------=== #

def dynamic_matmul(name, rows):
    def make(rng):
        a, b = uniform(rng, rows, 24), uniform(rng, 24, 40)
        text = """func.func @operator(%arg0: tensor<?x24xf32>, %arg1: tensor<24x40xf32>) -> tensor<?x40xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %rows = tensor.dim %arg0, %c0 : tensor<?x24xf32>
  %e = tensor.empty(%rows) : tensor<?x40xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x40xf32>) -> tensor<?x40xf32>
  %r = linalg.matmul ins(%arg0, %arg1 : tensor<?x24xf32>, tensor<24x40xf32>) outs(%f : tensor<?x40xf32>) -> tensor<?x40xf32>
  return %r : tensor<?x40xf32>
}
"""
        return Operator(text, [a, b], [(a.astype(F64) @ b).astype(F32)], 1e-4)
    define(name, make)


dynamic_matmul("matmul_dynamic", 37)
dynamic_matmul("matmul_dynamic_one_row", 1)
dynamic_matmul("matmul_dynamic_many_rows", 130)


def dynamic_sum(name, extent):
    def make(rng):
        x = uniform(rng, extent)
        text = """func.func @operator(%arg0: tensor<?xf32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.reduce { arith.addf } ins(%arg0 : tensor<?xf32>) outs(%f : tensor<f32>) dimensions = [0]
  return %r : tensor<f32>
}
"""
        return Operator(text, [x], [x.astype(F64).sum().astype(F32)], 1e-4)
    define(name, make)


dynamic_sum("sum_dynamic", 1000)
dynamic_sum("sum_dynamic_one", 1)
dynamic_sum("sum_dynamic_few", 63)
dynamic_sum("sum_dynamic_no_rest", 256)
dynamic_sum("sum_dynamic_many", 150001)


def dynamic_rows(name, rows, columns):
    """The largest element of a row, and the sum of squares, by one op; the rows' products with a vector."""
    def make(rng):
        x, v = uniform(rng, rows, columns), uniform(rng, columns)
        text = """#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
func.func @operator(%arg0: tensor<?x?xf32>, %arg1: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %rows = tensor.dim %arg0, %c0 : tensor<?x?xf32>
  %e = tensor.empty(%rows) : tensor<?xf32>
  %m0 = linalg.fill ins(%low : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %both:2 = linalg.generic {indexing_maps = [#ij, #i, #i], iterator_types = ["parallel", "reduction"]}
      ins(%arg0 : tensor<?x?xf32>) outs(%m0, %s0 : tensor<?xf32>, tensor<?xf32>) {
  ^bb0(%a: f32, %m: f32, %s: f32):
    %n = arith.maximumf %a, %m : f32
    %q = arith.mulf %a, %a : f32
    %t = arith.addf %q, %s : f32
    linalg.yield %n, %t : f32, f32
  } -> (tensor<?xf32>, tensor<?xf32>)
  %p = linalg.matvec ins(%arg0, %arg1 : tensor<?x?xf32>, tensor<?xf32>) outs(%s0 : tensor<?xf32>) -> tensor<?xf32>
  return %both#0, %both#1, %p : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}
"""
        wide = x.astype(F64)
        return Operator(text, [x, v], [x.max(1), (wide * wide).sum(1).astype(F32), (wide @ v).astype(F32)], 1e-4)
    define(name, make)


dynamic_rows("rows_dynamic", 5, 700)
dynamic_rows("rows_dynamic_short", 37, 3)
dynamic_rows("rows_dynamic_one", 1, 256)


@operator
def softmax_dynamic(rng):
    """Rows of any number and length: too long to be kept anywhere but in global memory."""
    x = uniform(rng, 21, 75, low=-4, high=4)
    text = """#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
func.func @operator(%arg0: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %rows = tensor.dim %arg0, %c0 : tensor<?x?xf32>
  %columns = tensor.dim %arg0, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%rows) : tensor<?xf32>
  %m0 = linalg.fill ins(%low : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %m = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
      ins(%arg0 : tensor<?x?xf32>) outs(%m0 : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.maximumf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  %w = tensor.empty(%rows, %columns) : tensor<?x?xf32>
  %p = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%arg0, %m : tensor<?x?xf32>, tensor<?xf32>) outs(%w : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.subf %a, %b : f32
    %t = math.exp %s : f32
    linalg.yield %t : f32
  } -> tensor<?x?xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %sum = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
      ins(%p : tensor<?x?xf32>) outs(%s0 : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  %r = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%p, %sum : tensor<?x?xf32>, tensor<?xf32>) outs(%w : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.divf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
"""
    return Operator(text, [x], [softmax(x.astype(F64)).astype(F32)], 1e-4)
