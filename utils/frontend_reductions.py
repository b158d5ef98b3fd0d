# Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""More of frontend_layers.py: normalizations, losses, reductions, moving data, sorting, functions on memrefs."""
import numpy as np

from frontend import LARGEST, NEGATIVE, SUM, Graph, bf16, on_memrefs, steps, unbf16
from frontend_layers import F16, I32, SIGMOID, define, frontend, sigmoid, signed
from operators import F32, F64, softmax, standardize, uniform

# ===- Normalizations -----------------------------------------------------=== #


@frontend
def rms_norm_bf16_unknown_rows(rng):
    x, w = bf16(uniform(rng, 11, 97)), bf16(uniform(rng, 97))
    g = Graph(x, w, unknown={(0, 0)})
    v = g.each([g.arguments[0]], "e = extf a : bf16 to f32", element="f32")
    total = g.keep(v, [1], body=steps("f32", "q = mulf a, a", "s = addf o, q"))
    scale = g.each([total], "m = divf a, 97.0", "e = addf m, 0.00001", "r = rsqrt e", maps=["i0"])
    y = g.each([v, scale, g.arguments[1]], "n = mulf a, b", "t = truncf n : f32 to bf16", "m = mulf t, c : bf16",
               maps=["ij", "i0", "j"], element="bf16")
    t = unbf16(x)
    return g.operator([y], [bf16(t / np.sqrt((t * t).mean(1, keepdims=True) + 1e-5) * unbf16(w))], 2e-2)


@frontend
def layer_norm_three_results(rng):
    """The mean and the reciprocal deviation are results, for the gradient."""
    x, w, b = uniform(rng, 3, 7, 53), uniform(rng, 53), uniform(rng, 53)
    g = Graph(x, w, b, unknown={(0, 0)})
    mean = g.each([g.keep(g.arguments[0], [2])], "m = divf a, 53.0")
    centred = g.each([g.arguments[0], mean], "d = subf a, b", maps=["ijk", "ij0"])
    var = g.keep(centred, [2], body=steps("f32", "q = mulf a, a", "s = addf o, q"))
    scale = g.each([var], "m = divf a, 53.0", "e = addf m, 0.00001", "r = rsqrt e")
    y = g.each([centred, scale, *g.arguments[1:]], "n = mulf a, b", "m = mulf n, c", "s = addf m, d",
               maps=["ijk", "ij0", "k", "k"])
    t = x.astype(F64)
    return g.operator([y, mean, scale], [standardize(t, (2,)) * w + b, t.mean(2, keepdims=True),
                                         1 / np.sqrt(t.var(2, keepdims=True) + 1e-5)])


@frontend
def layer_norm_gradient(rng):
    """Of the input by rows, of scale and shift by columns."""
    x, dy, w = uniform(rng, 19, 37), uniform(rng, 19, 37), uniform(rng, 37)
    g = Graph(x, dy, w)
    mean = g.each([g.keep(g.arguments[0], [1])], "m = divf a, 37.0")
    centred = g.each([g.arguments[0], mean], "d = subf a, b", maps=["ij", "i0"])
    scale = g.each([g.keep(centred, [1], body=steps("f32", "q = mulf a, a", "s = addf o, q"))],
                   "m = divf a, 37.0", "e = addf m, 0.00001", "r = rsqrt e")
    unit = g.each([centred, scale], "m = mulf a, b", maps=["ij", "i0"])
    dw = g.reduce(g.each([g.arguments[1], unit], "m = mulf a, b"), [0], "0.0", SUM)
    db = g.reduce(g.arguments[1], [0], "0.0", SUM)
    weighted = g.each([g.arguments[1], g.arguments[2]], "m = mulf a, b", maps=["ij", "j"])
    first = g.keep(weighted, [1])
    second = g.keep(g.each([weighted, unit], "m = mulf a, b"), [1])
    dx = g.each([weighted, first, second, unit, scale], "f = divf b, 37.0", "s = divf c, 37.0", "p = mulf s, d",
                "d1 = subf a, f", "d2 = subf d1, p", "r = mulf d2, e", maps=["ij", "i0", "i0", "ij", "i0"])
    t, u = standardize(x.astype(F64), (1,)), dy.astype(F64) * w
    r = 1 / np.sqrt(x.astype(F64).var(1, keepdims=True) + 1e-5)
    return g.operator([dx, dw, db], [r * (u - u.mean(1, keepdims=True) - t * (u * t).mean(1, keepdims=True)),
                                     (dy * t).sum(0), dy.astype(F64).sum(0)])


@frontend
def softmax_gradient_unknown(rng):
    y, dy = softmax(uniform(rng, 13, 29)).astype(F32), uniform(rng, 13, 29)
    g = Graph(y, dy, unknown={(0, 0), (0, 1), (1, 0), (1, 1)})
    total = g.reduce(g.each(g.arguments, "m = mulf a, b"), [1], "0.0", SUM)
    dx = g.each([*g.arguments, total], "d = subf b, c", "m = mulf a, d", maps=["ij", "ij", "i"])
    return g.operator([dx], [y * (dy - (y * dy).sum(1, keepdims=True))])


@frontend
def softmax_masked_rows(rng):
    """Rows of which the mask takes everything are zero."""
    x, m = uniform(rng, 17, 31), rng.uniform(size=(17, 31)) < .5
    m[3] = m[16] = False
    g = Graph(x, m)
    s = g.each(g.arguments, "s = select b, a, -1.0e9")
    top = g.reduce(s, [1], NEGATIVE, LARGEST)
    e = g.each([s, top, g.arguments[1]], "d = subf a, b", "e = exp d", "r = select c, e, 0.0", maps=["ij", "i", "ij"])
    total = g.reduce(e, [1], "0.0", SUM)
    y = g.each([e, total], "z = cmpf oeq, b, 0.0", "q = divf a, b", "r = select z, 0.0, q", maps=["ij", "i"])
    t = np.where(m, np.exp(x.astype(F64)), 0)
    return g.operator([y], [t / np.maximum(t.sum(1, keepdims=True), 1e-300)])


@frontend
def softmax_named_f16_unknown(rng):
    x = uniform(rng, 7, 61, dtype=F16)
    g = Graph(x, unknown={(0, 0), (0, 1)})
    out = g.empty(*g.arguments[0][1:])
    y = g.op(f"linalg.softmax dimension(1) ins(%arg0 : tensor<?x?xf16>) outs({out[0]} : tensor<?x?xf16>) -> tensor<?x?xf16>",
             *out[1:])
    return g.operator([y], [softmax(x.astype(F64)).astype(F16)], 1e-2)


@frontend
def group_norm_silu_unknown_batch(rng):
    x, w, b = uniform(rng, 2, 12, 5, 7), uniform(rng, 12), uniform(rng, 12)
    g = Graph(x, w, b, unknown={(0, 0)})
    n = g.arguments[0][1][0]
    v = g.collapse(g.expand(g.arguments[0], [[0], [1, 2], [3], [4]], (n, 3, 4, 5, 7)), [[0], [1], [2, 3, 4]], (n, 3, 140))
    first, second = g.generics("ng k", [(v, "ngk")], [(g.fill("0.0", (n, 3)), "ng"), (g.fill("0.0", (n, 3)), "ng")], "\n".join([
        "%s = arith.addf %a, %o0 : f32", "%q = arith.mulf %a, %a : f32", "%t = arith.addf %q, %o1 : f32",
        "linalg.yield %s, %t : f32, f32"]))
    unit = g.each([v, first, second], "m = divf b, 140.0", "q = divf c, 140.0", "p = mulf m, m", "w = subf q, p",
                  "e = addf w, 0.00001", "r = rsqrt e", "d = subf a, m", "u = mulf d, r", maps=["ijk", "ij", "ij"])
    unit = g.collapse(g.expand(unit, [[0], [1], [2, 3, 4]], (n, 3, 4, 5, 7)), [[0], [1, 2], [3], [4]], (n, 12, 5, 7))
    y = g.each([unit, *g.arguments[1:]], "m = mulf a, b", "t = addf m, c", "n = negf t", "e = exp n", "p = addf e, 1.0",
               "s = divf t, p", maps=["ijkl", "j", "j"])
    t = standardize(x.reshape(2, 3, 140).astype(F64), (2,)).reshape(x.shape) * w[:, None, None] + b[:, None, None]
    return g.operator([y], [t * sigmoid(t)], 1e-3)


@frontend
def batch_norm_updates_statistics(rng):
    """The running mean and variance go on; all three are results."""
    x, mean, var = uniform(rng, 5, 3, 4, 6), uniform(rng, 3), uniform(rng, 3, low=.5)
    g = Graph(x, mean, var)
    total = g.reduce(g.arguments[0], [0, 2, 3], "0.0", SUM)
    m = g.each([total], "m = divf a, 120.0")
    centred = g.each([g.arguments[0], m], "d = subf a, b", maps=["ijkl", "j"])
    v = g.each([g.reduce(centred, [0, 2, 3], "0.0", steps("f32", "q = mulf a, a", "s = addf o, q"))], "m = divf a, 120.0")
    y = g.each([centred, v], "e = addf b, 0.00001", "r = rsqrt e", "m = mulf a, r", maps=["ijkl", "j"])
    running = [g.each([old, new], "p = mulf a, 0.9", f"q = mulf b, {factor}", "s = addf p, q")
               for old, new, factor in ((g.arguments[1], m, "0.1"), (g.arguments[2], v, repr(.1 * 120 / 119)))]
    t = x.astype(F64)
    return g.operator([y, *running], [standardize(t, (0, 2, 3)), .9 * mean + .1 * t.mean((0, 2, 3)),
                                      .9 * var + .1 * t.var((0, 2, 3), ddof=1)])


# ===- Losses and reductions ------------------------------------------------=== #


@frontend
def focal_loss_unknown(rng):
    x, t = uniform(rng, 211, low=-3, high=3), (rng.uniform(size=211) < .3)
    g = Graph(x, t, unknown={(0, 0), (1, 0)})
    total = g.reduce(g.each(g.arguments, *SIGMOID, "q = subf 1.0, s", "w = select b, s, q", "l = log w", "m = subf 1.0, w",
                            "k = mulf m, m", "r = mulf k, l", "z = negf r"), [0], "0.0", SUM)
    n = g.op(f"arith.index_cast {g.arguments[0][1][0].name} : index to i64", ())[0]
    n = g.op(f"arith.sitofp {n} : i64 to f32", ())[0]
    p = sigmoid(x.astype(F64))
    p = np.where(t, p, 1 - p)
    return g.operator([g.map([total], f"%q = arith.divf %a, {n} : f32\nlinalg.yield %q : f32")],
                      [(-(1 - p) ** 2 * np.log(p)).mean()])


@frontend
def contrastive_loss(rng):
    """Cosines of all pairs, and the entropy of the diagonal."""
    x, y = uniform(rng, 23, 16), uniform(rng, 23, 16)
    g = Graph(x, y)
    unit = []
    for v in g.arguments:
        total = g.keep(v, [1], body=steps("f32", "q = mulf a, a", "s = addf o, q"))
        unit.append(g.each([v, total], "r = rsqrt b", "m = mulf a, r", maps=["ij", "i0"]))
    s = g.each([g.einsum("ik,jk->ij", *unit)], "m = mulf a, 10.0")
    p = g.softmax(s)
    diagonal = g.generic("i", [(p, "ii")], (g.empty((23,)), "i"), steps("f32", "l = log a", "n = negf l"))
    mean = g.each([g.reduce(diagonal, [0], "0.0", SUM)], "m = divf a, 23.0")
    norm = lambda a: a / np.linalg.norm(a, axis=1, keepdims=True)
    return g.operator([mean], [-np.log(np.diag(softmax(10 * norm(x.astype(F64)) @ norm(y.astype(F64)).T))).mean()], 1e-3)


@frontend
def masked_mean_unknown(rng):
    x, m = uniform(rng, 5, 43, 8), rng.uniform(size=(5, 43)) < .6
    g = Graph(x, m, unknown={(0, 1), (1, 1)})
    total = g.generic("ik j", [(g.arguments[0], "ijk"), (g.arguments[1], "ij")], (g.fill("0.0", (5, 8)), "ik"),
                      steps("f32", "v = select b, a, 0.0", "s = addf o, v"))
    count = g.generic("i j", [(g.arguments[1], "ij")], (g.fill("0", (5,), "i32"), "i"),
                      steps("i32", "e = extui a : i1 to i32", "s = addi o, e"))
    y = g.each([total, count], "f = sitofp b : i32 to f32", "m = maximumf f, 1.0", "q = divf a, m", maps=["ij", "i"])
    return g.operator([y], [(x * m[..., None]).sum(1, dtype=F64) / m.sum(1)[:, None]])


@frontend
def triplet_of_statistics_f64(rng):
    """Minimum, maximum and sum in one pass."""
    x = uniform(rng, 37, 41, dtype=F64)
    g = Graph(x)
    inits = [(g.fill(n, (41,), "f64"), "j") for n in ("0x7FF0000000000000", "0xFFF0000000000000", "0.0")]
    out = g.generics("j i", [(g.arguments[0], "ij")], inits, "\n".join([
        "%x = arith.minimumf %a, %o0 : f64", "%y = arith.maximumf %a, %o1 : f64", "%z = arith.addf %a, %o2 : f64",
        "linalg.yield %x, %y, %z : f64, f64, f64"]))
    return g.operator(out, [x.min(0), x.max(0), x.sum(0)], 1e-10)


@frontend
def argmax_of_all_unknown(rng):
    """The place in the flat array, of the first largest."""
    x = rng.integers(0, 20, (19, 23)).astype(F32)
    g = Graph(x, unknown={(0, 0), (0, 1)})
    columns = g.arguments[0][1][1].name
    best, at = g.generics(" ij", [(g.arguments[0], "ij")], [(g.fill(NEGATIVE, ()), ""), (g.fill("0", (), "i64"), "")], "\n".join([
        "%i = linalg.index 0 : index", "%j = linalg.index 1 : index", f"%m = arith.muli %i, {columns} : index",
        "%p = arith.addi %m, %j : index", "%n = arith.index_cast %p : index to i64", "%c = arith.cmpf ogt, %a, %o0 : f32",
        "%v = arith.select %c, %a, %o0 : f32", "%w = arith.select %c, %n, %o1 : i64", "linalg.yield %v, %w : f32, i64"]))
    return g.operator([best, at], [x.max(), np.argmax(x)], 0)


@frontend
def all_and_any(rng):
    x = rng.uniform(size=(31, 17)) < .9
    g = Graph(x)
    every = g.reduce(g.arguments[0], [1], "1", "%s = arith.andi %a, %o : i1\nlinalg.yield %s : i1")
    some = g.reduce(g.arguments[0], [0], "0", "%s = arith.ori %a, %o : i1\nlinalg.yield %s : i1")
    return g.operator([every, some], [x.all(1), x.any(0)], 0)


@frontend
def trace_and_diagonal(rng):
    x = uniform(rng, 29, 29)
    g = Graph(x)
    trace = g.generic(" i", [(g.arguments[0], "ii")], (g.fill("0.0", ()), ""), SUM)
    diagonal = g.generic("i", [(g.arguments[0], "ii")], (g.empty((29,)), "i"), "linalg.yield %a : f32")
    return g.operator([trace, diagonal], [np.trace(x.astype(F64)), np.diag(x)])


@frontend
def distances(rng):
    x, y = uniform(rng, 13, 5), uniform(rng, 17, 5)
    g = Graph(x, y)
    d = g.generic("ij k", [(g.arguments[0], "ik"), (g.arguments[1], "jk")], (g.fill("0.0", (13, 17)), "ij"),
                  steps("f32", "d = subf a, b", "q = mulf d, d", "s = addf o, q"))
    d = g.each([d], "r = sqrt a")
    near = g.reduce(d, [1], "0x7F800000", steps("f32", "m = minimumf o, a"))
    t = np.sqrt(((x[:, None].astype(F64) - y) ** 2).sum(-1))
    return g.operator([d, near], [t, t.min(1)])


@frontend
def sums_of_empty(rng):
    """No rows to reduce, none to keep, and both."""
    x, y = uniform(rng, 0, 7), uniform(rng, 5, 0)
    g = Graph(x, y)
    sums = [g.reduce(v, [d], "0.0", SUM) for v in g.arguments for d in (0, 1)]
    total = g.reduce(g.arguments[0], [0, 1], "1.0", SUM)
    return g.operator([*sums, total], [a.sum(d) for a in (x, y) for d in (0, 1)] + [np.array(1, F32)])


@frontend
def scalars_only(rng):
    x, y = np.array(1.5, F32), np.array(-2.25, F32)
    g = Graph(x, y)
    s = g.each(g.arguments, "s = addf a, b", "e = exp s")
    return g.operator([s, g.each([s, g.arguments[0]], "m = mulf a, b")], [np.exp(F32(-.75)), 1.5 * np.exp(F32(-.75))])


@frontend
def rank_5_permuted_reduction(rng):
    x = uniform(rng, 3, 2, 5, 1, 7)
    g = Graph(x, unknown={(0, 2)})
    t = g.transpose(g.arguments[0], [4, 2, 0, 3, 1])
    return g.operator([g.reduce(t, [1, 4], "0.0", SUM), t], [x.transpose(4, 2, 0, 3, 1).sum((1, 4)), x.transpose(4, 2, 0, 3, 1)])


# ===- Moving data --------------------------------------------------------=== #


@frontend
def one_hot_unknown(rng):
    x = rng.integers(-1, 11, 37)
    g = Graph(x, unknown={(0, 0)})
    n = g.arguments[0][1][0]
    y = g.map([g.arguments[0]], steps("i64", "j = index 1", "n = index_cast j : index to i64", "c = cmpi eq, a, n",
                                      "s = select c, 1.0, 0.0 : f32", result="f32"), (n, 11), "f32", ["i"])
    return g.operator([y], [(x[:, None] == np.arange(11)).astype(F32)])


@frontend
def embedding_bag(rng):
    """The mean of the rows of each bag; index 0 is padding."""
    table, index = uniform(rng, 19, 12), rng.integers(0, 19, (7, 5, 1)).astype(I32)
    index[0] = 0
    g = Graph(table, index)
    rows = g.gather(g.arguments[0], g.arguments[1], (7, 5, 12))
    total = g.generic("ik j", [(rows, "ijk"), (g.arguments[1], "ij0")], (g.fill("0.0", (7, 12)), "ik"),
                      steps("f32", "c = cmpi ne, b, 0 : i32", "v = select c, a, 0.0", "s = addf o, v"))
    used = (index[..., 0] != 0)
    return g.operator([total], [(table[index[..., 0]] * used[..., None]).sum(1)])


@frontend
def tensor_gather_two_dims(rng):
    x, index = uniform(rng, 9, 11, 13), np.stack([rng.integers(0, 9, 6), rng.integers(0, 13, 6)], -1)
    g = Graph(x, index)
    y = g.op("tensor.gather %arg0[%arg1] gather_dims([0, 2]) : (tensor<9x11x13xf32>, tensor<6x2xi64>) -> tensor<6x11xf32>", (6, 11))
    return g.operator([y], [x[index[:, 0], :, index[:, 1]]], 0)


@frontend
def roll_and_flip(rng):
    x = uniform(rng, 7, 23)
    g = Graph(x)
    rolled = g.insert(g.slice(g.arguments[0], (0, 0), (7, 18)), g.insert(g.slice(g.arguments[0], (0, 18), (7, 5)),
                                                                       g.empty((7, 23)), (0, 0)), (0, 5))
    y = g.each([], "i = index 0", "j = index 1", "k = subi 22, j : index", f"%e = tensor.extract {rolled[0]}[%i, %k] : tensor<7x23xf32>",
               shape=(7, 23), element="f32")
    return g.operator([y, rolled], [np.roll(x, 5, 1)[:, ::-1], np.roll(x, 5, 1)], 0)


@frontend
def concat_and_pad_unknown(rng):
    x, y = uniform(rng, 5, 13), uniform(rng, 5, 0)
    g = Graph(x, y, unknown={(0, 1), (1, 1)})
    total = g.computed(13, f"arith.addi {g.arguments[0][1][1].name}, {g.arguments[1][1][1].name} : index")
    z = g.op(f"tensor.concat dim(1) %arg0, %arg1 : (tensor<5x?xf32>, tensor<5x?xf32>) -> tensor<5x?xf32>", (5, total))
    z = g.pad(z, (1, 0), (0, 2), "-1.0")
    return g.operator([g.each([z], "m = mulf a, 2.0")], [2 * np.pad(x, ((1, 0), (0, 2)), constant_values=-1)])


@frontend
def packed_and_unpacked(rng):
    """Tiles that do not divide, filled up with a value."""
    x = uniform(rng, 13, 19)
    g = Graph(x)
    zero = g.constant("0.0")
    e = g.empty((4, 5, 4, 4))
    p = g.op(f"linalg.pack %arg0 padding_value({zero} : f32) inner_dims_pos = [0, 1] inner_tiles = [4, 4] into {e[0]} : "
             "tensor<13x19xf32> -> tensor<4x5x4x4xf32>", (4, 5, 4, 4))
    q = g.each([p], "m = mulf a, 3.0")
    u = g.op(f"linalg.unpack {q[0]} inner_dims_pos = [0, 1] inner_tiles = [4, 4] into {g.empty((13, 19))[0]} : "
             "tensor<4x5x4x4xf32> -> tensor<13x19xf32>", (13, 19))
    return g.operator([u, p], [3 * x, np.pad(x, ((0, 3), (0, 1))).reshape(4, 4, 5, 4).transpose(0, 2, 1, 3)])


@frontend
def integers_bit_by_bit(rng):
    x, y = rng.integers(-1000, 1000, (11, 13)).astype(I32), rng.integers(1, 9, (11, 13)).astype(I32)
    g = Graph(x, y)
    z = g.each(g.arguments, "f = floordivsi a, b", "m = remsi a, b", "s = shli f, 2", "t = shrsi m, 1", "x = xori s, t",
               "n = andi x, 255", "c = ctpop n", "w = subi x, c")
    f, m = x // y, np.fmod(x, y)
    v = (f << 2) ^ (m >> 1)
    return g.operator([z], [v - np.vectorize(lambda n: bin(n & 255).count("1"))(v)])


@frontend
def argument_twice(rng):
    """An argument, a result of it twice, and a view of it."""
    x = uniform(rng, 6, 35)
    g = Graph(x)
    y = g.each([g.arguments[0]], "t = tanh a")
    v = g.expand(g.arguments[0], [[0], [1, 2]], (6, 5, 7))
    return g.operator([g.arguments[0], y, y, v], [x, np.tanh(x), np.tanh(x), x.reshape(6, 5, 7)])


@frontend
def dft_of_nothing_given(rng):
    """A matrix of cosines and one of sines, made of indices, and a signal of unknown length."""
    x = uniform(rng, 3, 21)
    g = Graph(x, unknown={(0, 1)})
    n = g.arguments[0][1][1]
    length = g.op(f"arith.index_cast {n.name} : index to i32", ())[0]
    length = g.op(f"arith.sitofp {length} : i32 to f32", ())[0]
    out = []
    for op in ("cos", "sin"):
        m = g.each([], "i = index 0", "j = index 1", "p = muli i, j : index", f"q = remui p, {n.name} : index",
                   "k = index_cast q : index to i32", "f = sitofp k : i32 to f32", "t = mulf f, -6.2831853",
                   f"a = divf t, {length}", f"r = {op} a", shape=(n, n), element="f32")
        out.append(g.einsum("bi,ij->bj", g.arguments[0], m))
    f = np.fft.fft(x.astype(F64))
    return g.operator(out, [f.real, f.imag], 2e-3)


# ===- Sorting, scanning, scattering -----------------------------------------=== #


@frontend
def histogram(rng):
    x = rng.integers(0, 17, (211, 1)).astype(I32)
    g = Graph(x)
    y = g.scatter(g.fill("1", (211,), "i32"), g.arguments[0], g.fill("0", (17,), "i32"), "s = addi a, o")
    return g.operator([y], [np.bincount(x[:, 0], minlength=17)])


@frontend
def histogram_of_floats_unknown(rng):
    """Bins are computed; what is outside is dropped."""
    x = uniform(rng, 307, low=-1.2, high=1.2)
    g = Graph(x, unknown={(0, 0)})
    n = g.arguments[0][1][0]
    bins = g.map([g.arguments[0]], steps("f32", "p = addf a, 1.0", "m = mulf p, 8.0", "f = floor m", "i = fptosi f : f32 to i32",
                                         result="i32"), (n, 1), "i32", ["i"])
    y = g.scatter(g.fill("1", (n,), "i32"), bins, g.fill("0", (16,), "i32"), "s = addi a, o")
    where = np.floor((x + F32(1)) * F32(8)).astype(int)
    return g.operator([y], [np.bincount(where[(where >= 0) & (where < 16)], minlength=16)])


@frontend
def segment_sum(rng):
    """Numbers of which sums are exact; the mean needs a count as well."""
    x, index = rng.integers(-8, 9, (61, 12)).astype(F32), rng.integers(0, 9, (61, 1))
    g = Graph(x, index)
    total = g.scatter(g.arguments[0], g.arguments[1], g.fill("0.0", (9, 12)), "s = addf a, o")
    count = g.scatter(g.fill("1.0", (61,)), g.arguments[1], g.fill("0.0", (9,)), "s = addf a, o")
    mean = g.each([total, count], "m = maximumf b, 1.0", "q = divf a, m", maps=["ij", "i"])
    t = np.zeros((9, 12))
    np.add.at(t, index[:, 0], x)
    n = np.bincount(index[:, 0], minlength=9)
    return g.operator([mean, total], [t / np.maximum(n, 1)[:, None], t])


@frontend
def scatter_rows_into_argument(rng):
    """The cache is an argument and the result; the old one is read, too."""
    cache, new = uniform(rng, 29, 8), uniform(rng, 7, 8)
    index = rng.permutation(29)[:7, None].astype(I32)
    g = Graph(cache, new, index)
    full = g.op("memspace.scatter scatter_dims([0]) unique_indices ins(%arg1, %arg2 : tensor<7x8xf32>, tensor<7x1xi32>) "
                "outs(%arg0 : tensor<29x8xf32>) -> tensor<29x8xf32>", cache.shape)
    d = g.each([full, g.arguments[0]], "d = subf a, b")
    t = cache.copy()
    t[index[:, 0]] = new
    return g.operator([full, d], [t, t - cache])


@frontend
def cumulative_sums_each_way(rng):
    x = uniform(rng, 5, 37, 3)
    g = Graph(x, unknown={(0, 1)})
    one = g.scan(g.arguments[0], 1, "s = addf a, b")
    two = g.scan(g.arguments[0], 1, "s = addf a, b", flags="reverse")
    both = g.each([one, two, g.arguments[0]], "s = addf a, b", "d = subf s, c")
    return g.operator([one, both], [x.cumsum(1, dtype=F64), np.broadcast_to(x.sum(1, keepdims=True, dtype=F64), x.shape)], 1e-3)


def scan_unknown(name, length, flags):
    """From 0.5 on; two rows of an unknown length, which come in parts."""
    def make(rng):
        x = uniform(rng, 2, length)
        g = Graph(x, unknown={(0, 0), (0, 1)})
        half, out = g.constant("0.5"), g.empty(*g.arguments[0][1:])
        y = g.row_op("scan", f"dimension(1) {flags} ins(%arg0 : tensor<?x?xf32>) initial({half} : f32) outs({out[0]} : tensor<?x?xf32>)",
                     [("a", "f32"), ("b", "f32")], steps("f32", "s = addf a, b"), [out])[0]
        turned = x[:, ::-1] if "reverse" in flags else x
        t = turned.cumsum(1, dtype=F64) + .5 - ("exclusive" in flags) * turned
        return g.operator([y], [t[:, ::-1] if "reverse" in flags else t], 1e-3)
    define(name, make)


scan_unknown("scan_unknown_none", 0, "exclusive")
scan_unknown("scan_unknown_one", 1, "")
scan_unknown("scan_unknown_exclusive", 2049, "exclusive")
scan_unknown("scan_unknown_reverse", 3000, "reverse")
scan_unknown("scan_unknown_exclusive_reverse", 1025, "exclusive reverse")


@frontend
def top_k_unknown(rng):
    """Of more elements than are worked on at a time."""
    x = uniform(rng, 2, 1501)
    g = Graph(x, unknown={(0, 0), (0, 1)})
    order = np.argsort(-x, 1, kind="stable")[:, :7]
    return g.operator(g.topk(g.arguments[0], 1, 7), [np.take_along_axis(x, order, 1), order])


@frontend
def cumulative_maximum_and_log_sum(rng):
    x = uniform(rng, 7, 67)
    g = Graph(x)
    top = g.scan(g.arguments[0], 1, "m = maximumf a, b")
    lse = g.scan(g.arguments[0], 1, "m = maximumf a, b", "n = minimumf a, b", "d = subf n, m", "e = exp d", "l = log1p e", "s = addf m, l")
    return g.operator([top, lse], [np.maximum.accumulate(x, 1), np.logaddexp.accumulate(x.astype(F64), 1)])


@frontend
def cumulative_product_f64(rng):
    x = uniform(rng, 53, 3, low=.7, high=1.3, dtype=F64)
    g = Graph(x)
    return g.operator([g.scan(g.arguments[0], 0, "m = mulf a, b")], [x.cumprod(0)], 1e-9)


@frontend
def selective_scan(rng):
    """h = a h + b x along the sequence, by a scan of pairs; then a product with c."""
    a, b, x, c = uniform(rng, 31, 4, 3, low=.3, high=.9), uniform(rng, 31, 3), uniform(rng, 31, 4), uniform(rng, 31, 3)
    g = Graph(a, b, x, c)
    drive = g.each([g.arguments[2], g.arguments[1]], "m = mulf a, b", maps=["ij", "ik"], shape=(31, 4, 3))
    outs = [g.empty((31, 4, 3)) for _ in range(2)]
    t = "tensor<31x4x3xf32>"
    _, h = g.row_op("scan", f"dimension(0) ins(%arg0, {drive[0]} : {t}, {t}) outs({outs[0][0]}, {outs[1][0]} : {t}, {t})",
                    [("a0", "f32"), ("b0", "f32"), ("a1", "f32"), ("b1", "f32")],
                    "%p = arith.mulf %a0, %a1 : f32\n%q = arith.mulf %b0, %a1 : f32\n%s = arith.addf %q, %b1 : f32\n"
                    "linalg.yield %p, %s : f32, f32", outs)
    y = g.einsum("tdn,tn->td", h, g.arguments[3])
    state, wanted = np.zeros((4, 3)), []
    for t in range(31):
        state = a[t] * state + x[t, :, None] * b[t]
        wanted.append(state @ c[t])
    return g.operator([y], [np.stack(wanted)])


@frontend
def top_p_filter(rng):
    """Probabilities from the largest on until their sum is .8; the others are zero."""
    x = uniform(rng, 5, 41, low=-2, high=2)
    g = Graph(x)
    p = g.softmax(g.arguments[0])
    order = g.argsort(p, 1, "ogt")
    out = g.sort([p], 1, "c = cmpf ogt, a0, b0")[0]
    total = g.scan(out, 1, "s = addf a, b")
    kept = g.each([out, total], "d = subf b, a", "c = cmpf olt, d, 0.8", "s = select c, a, 0.0")
    t = softmax(x.astype(F64))
    places = np.argsort(-t, 1, kind="stable")
    s = np.take_along_axis(t, places, 1)
    return g.operator([kept, order], [np.where(s.cumsum(1) - s < .8, s, 0), places])


@frontend
def argsort_unknown_bounded(rng):
    """Of the first n of 64 numbers."""
    x, n = uniform(rng, 64), np.array(41, I32)
    g = Graph(x, n)
    m = g.op("tensor.extract %arg1[] : tensor<i32>", ())[0]
    zero, most = g.constant(0, "index"), g.constant(64, "index")
    m = g.op(f"arith.index_cast {m} : i32 to index", ())[0]
    m = g.op(f"arith.maxsi {m}, {zero} : index", ())[0]
    m = g.computed(41, f"arith.minsi {m}, {most} : index")
    return g.operator([g.argsort(g.slice(g.arguments[0], (0,), (m,)), 0)], [np.argsort(x[:41], kind="stable")])


@frontend
def sort_with_payload_f16(rng):
    """Ties by the second key, downwards; payload i8."""
    x, y, z = rng.integers(0, 5, (3, 47)).astype(F16), rng.permutation(141).reshape(3, 47).astype(I32), signed(rng, 3, 47)
    g = Graph(x, y, z)
    out = g.sort(g.arguments, 1, "c = cmpf olt, a0, b0", "e = cmpf oeq, a0, b0", "d = cmpi sgt, a1, b1 : i32", "f = andi e, d : i1",
                 "r = ori c, f : i1", flags="")
    order = np.lexsort((-y, x), axis=1)
    return g.operator(out, [np.take_along_axis(a, order, 1) for a in (x, y, z)], 0)


@frontend
def sort_long_rows(rng):
    """More than a workgroup of AMD has memory for: several sort a row; what comes before and after is apart."""
    x = rng.integers(0, 900, (1, 6000)).astype(F32)
    g = Graph(x)
    keys = g.each([g.arguments[0]], "n = subf 500.0, a")
    iota = g.each([], "j = index 1", "n = index_cast j : index to i32", shape=x.shape, element="i32")
    s, order = g.sort([keys, iota], 1, "c = cmpf olt, a0, b0")
    wanted = np.argsort(500 - x, 1, kind="stable")
    return g.operator([g.each([s], "m = mulf a, 2.0"), order], [2 * np.sort(500 - x, 1), wanted], 0)


@frontend
def median_and_quantile(rng):
    x = uniform(rng, 9, 31)
    g = Graph(x)
    s = g.sort([g.arguments[0]], 1, "c = cmpf olt, a0, b0", flags="")[0]
    low, high = (g.slice(s, (0, n), (9, 1), shape=(9,)) for n in (15, 28))
    return g.operator([low, g.each([low, high], "d = subf b, a")], [np.median(x, 1), np.sort(x, 1)[:, 28] - np.median(x, 1)])


@frontend
def top_k_in_a_net(rng):
    """The rows of the best places go on."""
    x, w, v = uniform(rng, 43, 12), uniform(rng, 12), uniform(rng, 12, 7)
    g = Graph(x, w, v)
    scores = g.einsum("ij,j->i", *g.arguments[:2])
    best, at = g.topk(scores, 0, 6)
    rows = g.gather(g.arguments[0], g.expand(at, [[0, 1]], (6, 1)), (6, 12))
    gated = g.each([rows, best], "t = tanh b", "m = mulf a, t", maps=["ij", "i"])
    y = g.named("matmul", [gated, g.arguments[2]], g.fill("0.0", (6, 7)))
    s = x.astype(F64) @ w
    order = np.argsort(-s, kind="stable")[:6]
    return g.operator([y, at], [(x[order] * np.tanh(s[order])[:, None]) @ v, order])


@frontend
def bucketize(rng):
    x, edges = uniform(rng, 7, 19), np.sort(uniform(rng, 13))
    g = Graph(x, edges)
    y = g.generic("ij k", [(g.arguments[0], "ij"), (g.arguments[1], "k")], (g.fill("0", x.shape, "i64"), "ij"),
                  steps("i64", "c = cmpf ole, b, a : f32", "e = extui c : i1 to i64", "s = addi o, e"))
    return g.operator([y], [np.searchsorted(edges, x, "right")])


@frontend
def non_maximum_suppression(rng):
    """Thirteen boxes, by a loop over them."""
    corner, size = uniform(rng, 13, 2, low=0, high=4), uniform(rng, 13, 2, low=1, high=3)
    boxes = np.concatenate([corner, corner + size], 1).astype(F32)
    g = Graph(boxes)
    parts = [g.slice(g.arguments[0], (0, n), (13, 1), shape=(13,)) for n in range(4)]
    area = g.each(parts, "w = subf c, a", "h = subf d, b", "m = mulf w, h")
    overlap = g.generic("ij", [(p, l) for l in "ij" for p in [*parts, area]], (g.empty((13, 13)), "ij"), steps(
        "f32", "l = maximumf a, f", "t = maximumf b, g", "r = minimumf c, h", "u = minimumf d, i", "w = subf r, l",
        "v = subf u, t", "x = maximumf w, 0.0", "y = maximumf v, 0.0", "n = mulf x, y", "s = addf e, j", "z = subf s, n", "q = divf n, z"))
    keep = g.fill("1", (13,), "i32")
    bounds = [g.constant(n, "index") for n in (0, 13, 1)]
    name = g.new()
    g.add(f"{name} = scf.for %i = {bounds[0]} to {bounds[1]} step {bounds[2]} iter_args(%keep = {keep[0]}) -> (tensor<13xi32>) {{")
    g.add("  %mine = tensor.extract %keep[%i] : tensor<13xi32>")
    row = g.op(f"tensor.extract_slice {overlap[0]}[%i, 0] [1, 13] [1, 1] : tensor<13x13xf32> to tensor<13xf32>", (13,))
    new = g.generic("j", [(row, "j")], (("%keep", (13,), "i32"), "j"), steps(
        "i32", "j = index 0", "c = cmpi ugt, j, %i : index", "d = cmpf ogt, a, 0.3 : f32", "e = cmpi ne, %mine, 0",
        "f = andi c, d : i1", "h = andi f, e : i1", "r = select h, 0, o"))
    g.add(f"  scf.yield {new[0]} : tensor<13xi32>\n  }}")
    kept = np.ones(13, I32)
    low, high = np.maximum(boxes[:, None, :2], boxes[None, :, :2]), np.minimum(boxes[:, None, 2:], boxes[None, :, 2:])
    inter = np.maximum(high - low, 0).prod(-1)
    areas = (boxes[:, 2:] - boxes[:, :2]).prod(-1)
    iou = inter / (areas[:, None] + areas - inter)
    for i in range(13):
        for j in range(i + 1, 13):
            if kept[i] and iou[i, j] > .3:
                kept[j] = 0
    return g.operator([(name, (13,), "i32")], [kept])


@frontend
def recurrent_layer(rng):
    """A loop over time with two products in each step."""
    x, w, u, h = uniform(rng, 9, 4, 12), uniform(rng, 12, 16), uniform(rng, 16, 16), uniform(rng, 4, 16)
    g = Graph(x, w, u, h)
    bounds = [g.constant(n, "index") for n in (0, 9, 1)]
    all_steps, name = g.empty((9, 4, 16)), g.new()
    g.add(f"{name}:2 = scf.for %t = {bounds[0]} to {bounds[1]} step {bounds[2]} iter_args(%h = %arg3, %all = {all_steps[0]}) -> "
          "(tensor<4x16xf32>, tensor<9x4x16xf32>) {")
    part = g.op("tensor.extract_slice %arg0[%t, 0, 0] [1, 4, 12] [1, 1, 1] : tensor<9x4x12xf32> to tensor<4x12xf32>", (4, 12))
    a = g.named("matmul", [part, g.arguments[1]], g.fill("0.0", (4, 16)))
    a = g.named("matmul", [("%h", (4, 16), "f32"), g.arguments[2]], a)
    a = g.each([a], "r = tanh a")
    out = g.op(f"tensor.insert_slice {a[0]} into %all[%t, 0, 0] [1, 4, 16] [1, 1, 1] : tensor<4x16xf32> into tensor<9x4x16xf32>", ())
    g.add(f"  scf.yield {a[0]}, {out[0]} : tensor<4x16xf32>, tensor<9x4x16xf32>\n  }}")
    state, wanted = h.astype(F64), []
    for t in range(9):
        state = np.tanh(x[t] @ w + state @ u)
        wanted.append(state)
    return g.operator([(f"{name}#1", (9, 4, 16), "f32"), (f"{name}#0", (4, 16), "f32")], [np.stack(wanted), state], 1e-3)


# ===- Functions on memrefs --------------------------------------------------=== #


@frontend
def memrefs_matmul_bias(rng):
    x, w, b = uniform(rng, 19, 23), uniform(rng, 23, 29), uniform(rng, 29)
    return on_memrefs("""func.func @operator(%x: memref<19x23xf32>, %w: memref<23x29xf32>, %b: memref<29xf32>,
    %y: memref<19x29xf32> {llvm.noalias}) {
  %zero = arith.constant 0.0 : f32
  %t = memref.alloc() : memref<19x29xf32>
  linalg.fill ins(%zero : f32) outs(%t : memref<19x29xf32>)
  linalg.matmul ins(%x, %w : memref<19x23xf32>, memref<23x29xf32>) outs(%t : memref<19x29xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%t, %b : memref<19x29xf32>, memref<29xf32>) outs(%y : memref<19x29xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %s = arith.addf %a, %c : f32
    linalg.yield %s : f32
  }
  memref.dealloc %t : memref<19x29xf32>
  return
}
""", [x, w, b], [x.astype(F64) @ w + b])


@frontend
def memrefs_only_copies(rng):
    """Two halves change places."""
    x = uniform(rng, 8, 22)
    return on_memrefs("""func.func @operator(%x: memref<8x22xf32>, %y: memref<8x22xf32> {llvm.noalias}) {
  %a = memref.subview %x[0, 0] [8, 11] [1, 1] : memref<8x22xf32> to memref<8x11xf32, strided<[22, 1]>>
  %b = memref.subview %x[0, 11] [8, 11] [1, 1] : memref<8x22xf32> to memref<8x11xf32, strided<[22, 1], offset: 11>>
  %c = memref.subview %y[0, 0] [8, 11] [1, 1] : memref<8x22xf32> to memref<8x11xf32, strided<[22, 1]>>
  %d = memref.subview %y[0, 11] [8, 11] [1, 1] : memref<8x22xf32> to memref<8x11xf32, strided<[22, 1], offset: 11>>
  memref.copy %b, %c : memref<8x11xf32, strided<[22, 1], offset: 11>> to memref<8x11xf32, strided<[22, 1]>>
  memref.copy %a, %d : memref<8x11xf32, strided<[22, 1]>> to memref<8x11xf32, strided<[22, 1], offset: 11>>
  return
}
""", [x], [np.roll(x, 11, 1)], 0)


@frontend
def memrefs_one_copy(rng):
    x = uniform(rng, 5, 7, 9)
    return on_memrefs("""func.func @operator(%x: memref<5x7x9xf32>, %y: memref<5x7x9xf32> {llvm.noalias}) {
  memref.copy %x, %y : memref<5x7x9xf32> to memref<5x7x9xf32>
  return
}
""", [x], [x], 0)


@frontend
def memrefs_softmax_unknown(rng):
    x = uniform(rng, 13, 37)
    return on_memrefs("""func.func @operator(%x: memref<?x?xf32>, %y: memref<?x?xf32> {llvm.noalias}) {
  linalg.softmax dimension(1) ins(%x : memref<?x?xf32>) outs(%y : memref<?x?xf32>)
  return
}
""", [x], [softmax(x.astype(F64))])
