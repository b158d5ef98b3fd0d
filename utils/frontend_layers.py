# Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Untiled operators as frontends write them: layers of networks, fused and not, with unknown extents and small types."""
import math

import numpy as np

from frontend import NEGATIVE, PRODUCT, SUM, Graph, bf16, steps, unbf16
from operators import F32, F64, softmax, uniform, windows

FRONTEND = {}
F16, I8, I32, I64 = np.float16, np.int8, np.int32, np.int64
erf = np.vectorize(math.erf)
SIGMOID = ("n = negf a", "e = exp n", "p = addf e, 1.0", "s = divf 1.0, p")
RELU = "r = maximumf a, 0.0"


def frontend(function):
    FRONTEND[function.__name__] = function
    return function


def define(name, function):
    FRONTEND[name] = function


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def convolve(x, w):
    """Of channels first, without strides."""
    places, offsets = "xyz"[:x.ndim - 2], "uvw"[:x.ndim - 2]
    one = (1,) * len(places)
    return np.einsum(f"nc{places}{offsets},fc{offsets}->nf{places}", windows(x, w.shape[2:], one, one), w)


# ===- Products and what follows them ---------------------------------------=== #


@frontend
def linear_bias_gelu_scale_unknown_rows(rng):
    x, w, b = uniform(rng, 37, 53), uniform(rng, 61, 53), uniform(rng, 61)
    g = Graph(x, w, b, unknown={(0, 0)})
    y = g.named("matmul", [g.arguments[0], g.transpose(g.arguments[1], [1, 0])], g.fill("0.0", (g.arguments[0][1][0], 61)))
    y = g.each([y, g.arguments[2]], "s = addf a, b", maps=["ij", "j"])
    y = g.each([y], "d = mulf a, 0.70710678", "e = erf d", "p = addf e, 1.0", "h = mulf p, 0.5", "r = mulf a, h")
    y = g.each([y], "r = mulf a, 1.5")
    t = x.astype(F64) @ w.T + b
    return g.operator([y], [1.5 * t * .5 * (1 + erf(t / math.sqrt(2)))])


@frontend
def linear_bf16(rng):
    x, w, b = (bf16(uniform(rng, *s)) for s in ((29, 43), (43, 31), (31,)))
    g = Graph(x, w, b)
    y = g.named("matmul", g.arguments[:2], g.fill("0.0", (29, 31)))
    y = g.each([y, g.arguments[2]], "c = extf b : bf16 to f32", "s = addf a, c", "t = truncf s : f32 to bf16",
               maps=["ij", "j"], element="bf16")
    return g.operator([y], [bf16(unbf16(x) @ unbf16(w) + unbf16(b))], 1e-2)


@frontend
def matmul_f64(rng):
    x, w = uniform(rng, 23, 41, dtype=F64), uniform(rng, 41, 19, dtype=F64)
    g = Graph(x, w)
    return g.operator([g.named("matmul", g.arguments, g.fill("0.0", (23, 19), "f64"))], [x @ w], 1e-12)


@frontend
def matmul_half_accumulator(rng):
    x, w = uniform(rng, 17, 24, dtype=F16), uniform(rng, 24, 33, dtype=F16)
    g = Graph(x, w)
    return g.operator([g.named("matmul", g.arguments, g.fill("0.0", (17, 33), "f16"))], [(x.astype(F32) @ w).astype(F16)], 3e-2)


def signed(rng, *shape):
    return rng.integers(-128, 128, shape).astype(I8)


@frontend
def matmul_i8_all_unknown(rng):
    x, w = signed(rng, 13, 47), signed(rng, 47, 29)
    g = Graph(x, w, unknown={(0, 0), (0, 1), (1, 0), (1, 1)})
    y = g.einsum("ik,kj->ij", *g.arguments, "i32")
    return g.operator([y], [x.astype(I32) @ w.astype(I32)])


@frontend
def matmul_requantized(rng):
    """To i8, rounded and clamped."""
    x, w = signed(rng, 24, 40), signed(rng, 40, 16)
    g = Graph(x, w)
    zeros = g.constant(3, "i32"), g.constant(-5, "i32")
    init, name = g.fill("0", (24, 16), "i32"), g.new()
    g.add(f"{name} = linalg.quantized_matmul ins(%arg0, %arg1, {zeros[0]}, {zeros[1]} : tensor<24x40xi8>, tensor<40x16xi8>, "
          f"i32, i32) outs({init[0]} : tensor<24x16xi32>) -> tensor<24x16xi32>")
    y = g.each([(name, (24, 16), "i32")], "f = sitofp a : i32 to f32", "m = mulf f, 0.001953125 : f32", "r = roundeven m : f32",
               "h = minimumf r, 127.0 : f32", "l = maximumf h, -128.0 : f32", "q = fptosi l : f32 to i8", element="i8")
    product = (x.astype(I32) - 3) @ (w.astype(I32) + 5)
    return g.operator([y], [np.clip(np.round(product / 512), -128, 127).astype(I8)])


@frontend
def matmul_one_by_one(rng):
    x, w = uniform(rng, 1, 67), uniform(rng, 67, 1)
    g = Graph(x, w)
    y = g.named("matmul", g.arguments, g.fill("0.0", (1, 1)))
    return g.operator([g.each([y], "t = tanh a")], [np.tanh(x.astype(F64) @ w)])


@frontend
def matmul_no_inner(rng):
    """The sum of nothing is zero."""
    x, w, b = uniform(rng, 5, 0), uniform(rng, 0, 7), uniform(rng, 7)
    g = Graph(x, w, b)
    y = g.named("matmul", g.arguments[:2], g.fill("0.0", (5, 7)))
    return g.operator([g.each([y, g.arguments[2]], "s = addf a, b", maps=["ij", "j"])], [np.broadcast_to(b, (5, 7))])


@frontend
def matmul_unknown_empty(rng):
    x, w = uniform(rng, 6, 0), uniform(rng, 0, 9)
    g = Graph(x, w, unknown={(0, 0), (0, 1), (1, 0)})
    return g.operator([g.named("matmul", g.arguments, g.fill("0.0", (g.arguments[0][1][0], 9)))], [np.zeros((6, 9), F32)])


@frontend
def bilinear_form(rng):
    x, w, y = uniform(rng, 7, 11), uniform(rng, 5, 11, 13), uniform(rng, 7, 13)
    g = Graph(x, w, y)
    left = g.einsum("bi,oij->boj", *g.arguments[:2])
    return g.operator([g.einsum("boj,bj->bo", left, g.arguments[2])],
                      [np.einsum("bi,oij,bj->bo", *(a.astype(F64) for a in (x, w, y)))])


@frontend
def rank_5_product(rng):
    x, w = uniform(rng, 2, 3, 5, 7, 11), uniform(rng, 2, 3, 5, 11, 3)
    g = Graph(x, w)
    return g.operator([g.einsum("abcik,abckj->abcij", *g.arguments)], [x.astype(F64) @ w])


@frontend
def lstm_cell(rng):
    x, h, c, w, u, b = (uniform(rng, *s) for s in ((5, 12), (5, 16), (5, 16), (12, 64), (16, 64), (64,)))
    g = Graph(x, h, c, w, u, b)
    a = g.arguments
    gates = g.named("add", [g.named("matmul", [a[0], a[3]], g.fill("0.0", (5, 64))),
                            g.named("matmul", [a[1], a[4]], g.fill("0.0", (5, 64)))], g.empty((5, 64)))
    gates = g.each([gates, a[5]], "s = addf a, b", maps=["ij", "j"])
    i, f, o = (g.each([g.slice(gates, (0, 16 * n), (5, 16))], *SIGMOID) for n in (0, 1, 3))
    z = g.each([g.slice(gates, (0, 32), (5, 16))], "t = tanh a")
    new = g.each([f, a[2], i, z], "p = mulf a, b", "q = mulf c, d", "s = addf p, q")
    out = g.each([o, new], "t = tanh b", "r = mulf a, t")
    pre = x.astype(F64) @ w + h.astype(F64) @ u + b
    cell = sigmoid(pre[:, 16:32]) * c + sigmoid(pre[:, :16]) * np.tanh(pre[:, 32:48])
    return g.operator([out, new], [sigmoid(pre[:, 48:]) * np.tanh(cell), cell])


@frontend
def power_iteration(rng):
    """Of spectral normalization: two products with a vector, each normalized."""
    w, u = uniform(rng, 19, 37), uniform(rng, 19)
    g = Graph(w, u)
    def unit(v):
        total = g.reduce(v, [0], "0.0", steps("f32", "q = mulf a, a", "s = addf o, q"))
        return g.each([v, total], "r = sqrt b", "m = maximumf r, 0.001", "q = divf a, m", maps=["i", ""])
    v = unit(g.einsum("ij,i->j", *g.arguments))
    u2 = unit(g.einsum("ij,j->i", g.arguments[0], v))
    sigma = g.einsum("i,i->", u2, g.einsum("ij,j->i", g.arguments[0], v))
    norm = lambda a: a / np.linalg.norm(a)
    right = norm(w.astype(F64).T @ u)
    left = norm(w @ right)
    scaled = g.each([g.arguments[0], sigma], "q = divf a, b", maps=["ij", ""])
    return g.operator([scaled, u2, v], [w / (left @ (w @ right)), left, right])


@frontend
def mixture_of_experts(rng):
    """Tokens go to the best two of five experts; weights are those of a softmax over the two."""
    x, router, w = uniform(rng, 13, 24), uniform(rng, 24, 5), uniform(rng, 5, 24, 16)
    g = Graph(x, router, w)
    logits = g.named("matmul", g.arguments[:2], g.fill("0.0", (13, 5)))
    values, index = g.topk(logits, 1, 2)
    weights = g.softmax(values)
    chosen = g.generic("nkfj", [(index, "nk")], (g.empty((13, 2, 24, 16)), "nkfj"), "\n".join([
        "%e = arith.index_cast %a : i32 to index", "%f = linalg.index 2 : index", "%j = linalg.index 3 : index",
        "%w = tensor.extract %arg2[%e, %f, %j] : tensor<5x24x16xf32>", "linalg.yield %w : f32"]))
    each = g.einsum("nf,nkfj->nkj", g.arguments[0], chosen)
    out = g.einsum("nkj,nk->nj", each, weights)
    scores = x.astype(F64) @ router
    best = np.argsort(-scores, 1, kind="stable")[:, :2]
    share = softmax(np.take_along_axis(scores, best, 1))
    return g.operator([out, index], [np.einsum("nf,nkfj,nk->nj", x, w[best], share), best.astype(I32)])


# ===- Attention --------------------------------------------------------------=== #


@frontend
def grouped_query_attention_f16(rng):
    """Three query heads share one of keys; a mask is added."""
    q, k, v, m = (uniform(rng, *s, dtype=F16) for s in ((2, 3, 19, 16), (2, 31, 16), (2, 31, 16), (19, 31)))
    g = Graph(q, k, v, m)
    s = g.einsum("hgqd,hkd->hgqk", g.arguments[0], g.arguments[1])
    s = g.each([s, g.arguments[3]], "t = mulf a, 0.25", "w = extf b : f16 to f32", "s = addf t, w", maps=["ijkl", "kl"])
    p = g.each([g.softmax(s)], "t = truncf a : f32 to f16", element="f16")
    o = g.einsum("hgqk,hkd->hgqd", p, g.arguments[2])
    o = g.each([o], "t = truncf a : f32 to f16", element="f16")
    q, k, v, m = (a.astype(F64) for a in (q, k, v, m))
    return g.operator([o], [(softmax(np.einsum("hgqd,hkd->hgqk", q, k) / 4 + m) @ v[:, None]).astype(F16)], 1e-2)


@frontend
def attention_lengths_unknown(rng):
    """Keys behind the length of a sequence do not count; how many there are is unknown."""
    q, k, v, n = uniform(rng, 3, 7, 16), uniform(rng, 3, 37, 16), uniform(rng, 3, 37, 16), np.array([37, 1, 20], I32)
    g = Graph(q, k, v, n, unknown={(1, 1), (2, 1)})
    s = g.einsum("bqd,bkd->bqk", *g.arguments[:2])
    s = g.each([s, g.arguments[3]], "j = index 2", "n = index_cast j : index to i32", "c = cmpi slt, n, b : i32",
               "t = mulf a, 0.25", "s = select c, t, -1.0e30", maps=["ijk", "i"])
    o = g.einsum("bqk,bkd->bqd", g.softmax(s), g.arguments[2])
    scores = np.where(np.arange(37) < n[:, None, None], np.einsum("bqd,bkd->bqk", q, k) / 4, -1e30)
    return g.operator([o], [softmax(scores.astype(F64)) @ v])


@frontend
def attention_sliding_window(rng):
    q, k, v = (uniform(rng, 2, 41, 8) for _ in range(3))
    g = Graph(q, k, v)
    s = g.einsum("hqd,hkd->hqk", *g.arguments[:2])
    s = g.each([s], "i = index 1", "j = index 2", "d = subi i, j : index", "l = cmpi sge, d, 0 : index",
               "h = cmpi slt, d, 9 : index", "c = andi l, h : i1", "%m = arith.constant 0xFF800000 : f32", "s = select c, a, m")
    o = g.einsum("hqk,hkd->hqd", g.softmax(s), g.arguments[2])
    apart = np.arange(41)[:, None] - np.arange(41)
    scores = np.where((apart >= 0) & (apart < 9), np.einsum("hqd,hkd->hqk", q, k), -np.inf)
    return g.operator([o], [softmax(scores.astype(F64)) @ v])


@frontend
def rotary_embedding(rng):
    x = uniform(rng, 2, 17, 3, 16)
    g = Graph(x)
    angle = g.each([], "i = index 0", "j = index 1", "m = index_cast i : index to i32", "n = index_cast j : index to i32",
                   "f = sitofp m : i32 to f32", "h = sitofp n : i32 to f32", "k = mulf h, -1.15129255", "e = exp k",
                   "r = mulf f, e", shape=(17, 8), element="f32")
    cos, sin = g.each([angle], "r = cos a"), g.each([angle], "r = sin a")
    low, high = (g.slice(g.arguments[0], (0, 0, 0, 8 * n), (2, 17, 3, 8)) for n in (0, 1))
    maps = ["ijkl", "ijkl", "jl", "jl"]
    left = g.each([low, high, cos, sin], "p = mulf a, c", "q = mulf b, d", "s = subf p, q", maps=maps)
    right = g.each([low, high, cos, sin], "p = mulf b, c", "q = mulf a, d", "s = addf p, q", maps=maps)
    out = g.insert(right, g.insert(left, g.empty(x.shape), (0, 0, 0, 0)), (0, 0, 0, 8))
    turn = (np.arange(17)[:, None] * np.exp(-1.15129255 * np.arange(8)))[:, None]
    a, b = x[..., :8], x[..., 8:]
    return g.operator([out], [np.concatenate([a * np.cos(turn) - b * np.sin(turn), b * np.cos(turn) + a * np.sin(turn)], -1)], 1e-3)


@frontend
def cache_update_attention(rng):
    """A new key goes to a place that is known when the function runs; the cache is returned, too."""
    cache, new, q, place = uniform(rng, 23, 8), uniform(rng, 1, 8), uniform(rng, 5, 8), np.array(11, I64)
    g = Graph(cache, new, q, place)
    at = g.op("tensor.extract %arg3[] : tensor<i64>", ())[0]
    at = g.computed(11, f"arith.index_cast {at} : i64 to index")
    full = g.insert(g.arguments[1], g.arguments[0], (at, 0))
    p = g.softmax(g.einsum("qd,kd->qk", g.arguments[2], full))
    cache = cache.copy()
    cache[11] = new[0]
    return g.operator([g.einsum("qk,kd->qd", p, full), full], [softmax(q.astype(F64) @ cache.T) @ cache, cache])


@frontend
def linear_attention(rng):
    q, k, v = (uniform(rng, 2, 29, 8) for _ in range(3))
    g = Graph(q, k, v)
    phi = ("e = exp a", "m = minimumf e, 1.0", "r = maximumf a, 0.0", "s = addf m, r")
    a, b = (g.each([x], *phi) for x in g.arguments[:2])
    state, total = g.einsum("hnd,hne->hde", b, g.arguments[2]), g.reduce(b, [1], "0.0", SUM)
    top, under = g.einsum("hnd,hde->hne", a, state), g.einsum("hnd,hd->hn", a, total)
    feature = lambda x: np.where(x > 0, x + 1, np.exp(x)).astype(F64)
    fq, fk = feature(q), feature(k)
    wanted = np.einsum("hnd,hde->hne", fq, np.einsum("hnd,hne->hde", fk, v)) / np.einsum("hnd,hd->hn", fq, fk.sum(1))[..., None]
    return g.operator([g.each([top, under], "q = divf a, b", maps=["ijk", "ij"])], [wanted])


# ===- Convolutions and pooling --------------------------------------------=== #


@frontend
def conv_bn_relu_pool(rng):
    x, w, mean, var, scale, shift = (uniform(rng, *s) for s in ((2, 3, 17, 19), (7, 3, 3, 3), (7,), (7,), (7,), (7,)))
    var = np.abs(var) + F32(.5)
    g = Graph(x, w, mean, var, scale, shift)
    y = g.named("conv_2d_nchw_fchw", [g.pad(g.arguments[0], (0, 0, 1, 1), (0, 0, 1, 1)), g.arguments[1]],
                g.fill("0.0", (2, 7, 17, 19)), "{strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}")
    y = g.each([y, *g.arguments[2:]], "x = subf a, b", "v = addf c, 0.00001", "r = rsqrt v", "n = mulf x, r",
               "m = mulf n, d", "s = addf m, e", maps=["ijkl", "j", "j", "j", "j"])
    y = g.each([y], RELU)
    y = g.named("pooling_nchw_max", [y, g.empty((2, 2))], g.fill(NEGATIVE, (2, 7, 8, 9)),
                "{strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}")
    t = convolve(np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1))).astype(F64), w)
    by = lambda a: a[:, None, None]
    t = np.maximum((t - by(mean)) / np.sqrt(by(var) + 1e-5) * by(scale) + by(shift), 0)
    return g.operator([y], [t[:, :, :16, :18].reshape(2, 7, 8, 2, 9, 2).max((3, 5))])


@frontend
def conv_quantized_nhwc(rng):
    """With zero points, of an input of unknown height."""
    x, w = signed(rng, 1, 11, 13, 5), signed(rng, 3, 2, 5, 6)
    g = Graph(x, w, unknown={(0, 1)})
    height = g.computed(9, f"affine.apply affine_map<(d0) -> (d0 - 2)>({g.arguments[0][1][1].name})")
    zeros = g.constant(7, "i32"), g.constant(-3, "i32")
    init = g.fill("0", (1, height, 12, 6), "i32")
    y = g.op(f"linalg.conv_2d_nhwc_hwcf_q {{strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}} "
             f"ins(%arg0, %arg1, {zeros[0]}, {zeros[1]} : tensor<1x?x13x5xi8>, tensor<3x2x5x6xi8>, i32, i32) "
             f"outs({init[0]} : tensor<1x?x12x6xi32>) -> tensor<1x?x12x6xi32>", init[1], "i32")
    t = convolve(x.transpose(0, 3, 1, 2).astype(I64) - 7, w.transpose(3, 2, 0, 1).astype(I64) + 3)
    return g.operator([y], [t.transpose(0, 2, 3, 1).astype(I32)])


@frontend
def conv1d_causal_depthwise(rng):
    """As in state space models: padded in front, of unknown length, with silu."""
    x, w, b = uniform(rng, 2, 5, 31), uniform(rng, 5, 4), uniform(rng, 5)
    g = Graph(x, w, b, unknown={(0, 2)})
    padded = g.pad(g.arguments[0], (0, 0, 3), (0, 0, 0))
    y = g.generic("ncl k", [(padded, ["d_n", "d_c", "d_l + d_k"]), (g.arguments[1], "ck")],
                  (g.fill("0.0", g.arguments[0][1]), "ncl"), PRODUCT)
    y = g.each([y, g.arguments[2]], "t = addf a, b", "n = negf t", "e = exp n", "p = addf e, 1.0", "s = divf t, p", maps=["ijk", "j"])
    wide = np.pad(x, ((0, 0), (0, 0), (3, 0))).astype(F64)
    t = sum(wide[:, :, k:k + 31] * w[:, k, None] for k in range(4)) + b[:, None]
    return g.operator([y], [t * sigmoid(t)])


@frontend
def conv3d_grouped_dilated(rng):
    x, w = uniform(rng, 1, 2, 3, 7, 9, 8), uniform(rng, 2, 5, 3, 2, 3, 1)
    g = Graph(x, w)
    y = g.generic("ngfxyz cuvw", [(g.arguments[0], ["d_n", "d_g", "d_c", "d_x * 2 + d_u", "d_y + d_v * 3", "d_z * 3 + d_w"]),
                                  (g.arguments[1], "gfcuvw")], (g.fill("0.0", (1, 2, 5, 3, 3, 3)), "ngfxyz"), PRODUCT)
    t = np.zeros((1, 2, 5, 3, 3, 3))
    for u, v in np.ndindex(2, 3):
        part = x[:, :, :, u:u + 5:2, 3 * v:3 * v + 3, :7:3]
        t += np.einsum("ngcxyz,gfc->ngfxyz", part, w[:, :, :, u, v, 0])
    return g.operator([y], [t])


@frontend
def conv_transposed_stride_3_grouped(rng):
    """Zeros are put between the elements; the filters are read backwards."""
    x, w = uniform(rng, 1, 2, 3, 5, 7), uniform(rng, 2, 3, 4, 3, 2)
    g = Graph(x, w)
    wide = g.insert(g.arguments[0], g.fill("0.0", (1, 2, 3, 17, 21)), (0, 0, 0, 2, 1), strides=(1, 1, 1, 3, 3))
    back = g.each([], "g = index 0", "c = index 1", "f = index 2", "u = index 3", "v = index 4", "r = subi 2, u : index",
                  "s = subi 1, v : index", "%w = tensor.extract %arg1[%g, %c, %f, %r, %s] : tensor<2x3x4x3x2xf32>",
                  shape=w.shape, element="f32")
    y = g.generic("ngfxy cuv", [(wide, ["d_n", "d_g", "d_c", "d_x + d_u", "d_y + d_v"]),
                                (back, "gcfuv")],
                  (g.fill("0.0", (1, 2, 4, 15, 20)), "ngfxy"), PRODUCT)
    t = np.zeros((1, 2, 4, 15, 20))
    for i, j, u, v in np.ndindex(5, 7, 3, 2):
        t[:, :, :, 3 * i + u, 3 * j + v] += np.einsum("ngc,gcf->ngf", x[..., i, j], w[..., u, v])
    return g.operator([y], [t])


@frontend
def unfold_and_multiply(rng):
    """A convolution as columns and one product."""
    x, w = uniform(rng, 2, 3, 9, 11), uniform(rng, 5, 27)
    g = Graph(x, w)
    columns = g.generic("ncuvxy", [(g.arguments[0], ["d_n", "d_c", "d_x + d_u", "d_y + d_v"])],
                        (g.empty((2, 3, 3, 3, 7, 9)), "ncuvxy"), "linalg.yield %a : f32")
    columns = g.collapse(columns, [[0], [1, 2, 3], [4, 5]], (2, 27, 63))
    y = g.expand(g.einsum("fk,nkp->nfp", g.arguments[1], columns), [[0], [1], [2, 3]], (2, 5, 7, 9))
    return g.operator([y], [convolve(x.astype(F64), w.reshape(5, 3, 3, 3))])


@frontend
def average_pool_of_what_is_there(rng):
    """Divided by the elements inside, which another pooling counts."""
    x = uniform(rng, 2, 3, 10, 13)
    g = Graph(x)
    attributes = "{strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}"
    ones = g.fill("1.0", (10, 13))
    total = g.named("pooling_nchw_sum", [g.pad(g.arguments[0], (0, 0, 1, 1), (0, 0, 1, 1)), g.empty((3, 3))],
                    g.fill("0.0", (2, 3, 5, 7)), attributes)
    count = g.generic("xy uv", [(g.pad(ones, (1, 1), (1, 1)), ["d_x * 2 + d_u", "d_y * 2 + d_v"]), (g.empty((3, 3)), "uv")],
                      (g.fill("0.0", (5, 7)), "xy"), SUM)
    y = g.each([total, count], "q = divf a, b", maps=["ijkl", "kl"])
    window = lambda a: sum(a[..., u:u + 9:2, v:v + 13:2] for u, v in np.ndindex(3, 3))
    pad = lambda a: np.pad(a.astype(F64), [(0, 0)] * (a.ndim - 2) + [(1, 1), (1, 1)])
    return g.operator([y], [window(pad(x)) / window(pad(np.ones((10, 13))))])


@frontend
def max_pool_with_places(rng):
    x = uniform(rng, 2, 5, 23)
    g = Graph(x)
    y, at = g.generics("ncl k", [(g.arguments[0], ["d_n", "d_c", "d_l * 2 + d_k"]), (g.empty((3,)), "k")],
                       [(g.fill(NEGATIVE, (2, 5, 11)), "ncl"), (g.fill("0", (2, 5, 11), "i64"), "ncl")], "\n".join([
                           "%l = linalg.index 2 : index", "%k = linalg.index 3 : index", "%two = arith.constant 2 : index",
                           "%m = arith.muli %l, %two : index", "%p = arith.addi %m, %k : index",
                           "%i = arith.index_cast %p : index to i64", "%c = arith.cmpf ogt, %a, %o0 : f32",
                           "%v = arith.select %c, %a, %o0 : f32", "%w = arith.select %c, %i, %o1 : i64",
                           "linalg.yield %v, %w : f32, i64"]))
    windows = np.stack([x[..., k:k + 21:2] for k in range(3)], -1)
    return g.operator([y, at], [windows.max(-1), windows.argmax(-1) + 2 * np.arange(11)])


@frontend
def power_pool3d(rng):
    x = uniform(rng, 1, 3, 7, 6, 9)
    g = Graph(x)
    y = g.generic("ncxyz uvw", [(g.arguments[0], ["d_n", "d_c", "d_x * 2 + d_u", "d_y + d_v", "d_z * 3 + d_w"]),
                                (g.empty((3, 2, 3)), "uvw")], (g.fill("0.0", (1, 3, 3, 5, 3)), "ncxyz"),
                  steps("f32", "q = mulf a, a", "s = addf o, q"))
    t = sum(x[:, :, u:u + 5:2, v:v + 5, w:w + 7:3].astype(F64) ** 2 for u, v, w in np.ndindex(3, 2, 3))
    return g.operator([g.each([y], "r = sqrt a")], [np.sqrt(t)])


@frontend
def adaptive_average_pool(rng):
    """Seven columns to three: windows overlap and differ in length."""
    x = uniform(rng, 2, 4, 7)
    g = Graph(x)
    y = g.generic("ncl k", [(g.arguments[0], "nck")], (g.fill("0.0", (2, 4, 3)), "ncl"), steps(
        "f32", "l = index 2", "k = index 3", "m = muli l, 7 : index", "b = divui m, 3 : index", "n = addi m, 9 : index",
        "e = divui n, 3 : index", "c = cmpi sge, k, b : index", "d = cmpi slt, k, e : index", "f = andi c, d : i1",
        "w = subi e, b : index", "i = index_cast w : index to i32", "g = sitofp i : i32 to f32", "q = divf a, g",
        "v = select f, q, 0.0", "s = addf o, v"))
    t = np.stack([x[..., 7 * l // 3:-(-7 * (l + 1) // 3)].astype(F64).mean(-1) for l in range(3)], -1)
    return g.operator([y], [t])


@frontend
def upsample_bilinear(rng):
    """Half-pixel centres, to 11 by 9."""
    x = uniform(rng, 2, 3, 5, 4)
    g = Graph(x)
    lines = []
    for d, (n, to, name) in enumerate(((5, 11, "y"), (4, 9, "x"))):
        lines += [f"i{name} = index {d + 2}", f"j{name} = index_cast i{name} : index to i32", f"f{name} = sitofp j{name} : i32 to f32",
                  f"h{name} = addf f{name}, 0.5", f"m{name} = mulf h{name}, {n / to!r}", f"s{name} = subf m{name}, 0.5",
                  f"c{name} = maximumf s{name}, 0.0", f"l{name} = floor c{name}", f"w{name} = subf c{name}, l{name}",
                  f"k{name} = fptosi l{name} : f32 to i32", f"a{name} = index_cast k{name} : i32 to index",
                  f"t{name} = addi a{name}, 1 : index", f"b{name} = minsi t{name}, {n - 1} : index"]
    lines += ["p = index 0", "q = index 1"]
    for u in "ab":
        for v in "ab":
            lines.append(f"%v{u}{v} = tensor.extract %arg0[%p, %q, %{u}y, %{v}x] : tensor<2x3x5x4xf32>")
    lines += ["d0 = subf vab, vaa", "e0 = mulf d0, wx", "u0 = addf vaa, e0", "d1 = subf vbb, vba", "e1 = mulf d1, wx",
              "u1 = addf vba, e1", "d2 = subf u1, u0", "e2 = mulf d2, wy", "r = addf u0, e2"]
    y = g.each([], *lines, shape=(2, 3, 11, 9), element="f32")
    def along(a, axis, n, to):
        at = np.maximum((np.arange(to) + .5) * n / to - .5, 0)
        low = at.astype(int)
        shape = [-1 if d == axis else 1 for d in range(4)]
        a0, a1 = (np.take(a, i, axis) for i in (low, np.minimum(low + 1, n - 1)))
        return a0 + (a1 - a0) * (at - low).reshape(shape)
    return g.operator([y], [along(along(x.astype(F64), 2, 5, 11), 3, 4, 9)], 1e-3)


@frontend
def upsample_nearest_unknown(rng):
    x = uniform(rng, 2, 5, 7)
    g = Graph(x, unknown={(0, 1)})
    n = g.arguments[0][1][1]
    y = g.generic("ncldk", [(g.arguments[0], "ncl")], (g.empty((2, n, 7, 3, 1)), "ncldk"), "linalg.yield %a : f32")
    return g.operator([g.collapse(y, [[0], [1], [2, 3, 4]], (2, n, 21))], [np.repeat(x, 3, 2)])
