# Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""More of frontend_layers.py: families of operators, as torch-mlir and IREE's inputs write them."""
import numpy as np

from frontend import NEGATIVE, PRODUCT, SUM, Graph, steps
from frontend_layers import F16, I32, SIGMOID, convolve, define, frontend, sigmoid
from operators import F32, F64, Operator, softmax, standardize, typed, uniform, windows

# ===- For each element ------------------------------------------------------=== #


def activation(name, lines, function, shape=(11, 43), dtype=F32, low=-3.0, tolerance=1e-4):
    def make(rng):
        x = uniform(rng, *shape, low=low, high=3.0, dtype=dtype)
        g = Graph(x)
        return g.operator([g.each(g.arguments, *lines)], [function(x.astype(F64)).astype(dtype)], tolerance)
    define("activation_" + name, make)


activation("relu_half", ("c = cmpf ugt, a, 0.0", "r = select c, a, 0.0"), lambda x: np.maximum(x, 0), dtype=F16, tolerance=1e-3)
activation("tanh_half", ("e = extf a : f16 to f32", "t = tanh e : f32", "r = truncf t : f32 to f16"), np.tanh, dtype=F16, tolerance=1e-3)
activation("gelu_tanh", ("q = mulf a, a", "k = mulf q, a", "m = mulf k, 0.044715", "s = addf a, m", "w = mulf s, 0.7978845608",
                         "t = tanh w", "p = addf t, 1.0", "h = mulf p, 0.5", "r = mulf a, h"),
           lambda x: .5 * x * (1 + np.tanh(.7978845608 * (x + .044715 * x ** 3))))
activation("mish", ("e = exp a", "l = log1p e", "t = tanh l", "r = mulf a, t"), lambda x: x * np.tanh(np.log1p(np.exp(x))))
activation("hard_swish", ("p = addf a, 3.0", "l = maximumf p, 0.0", "h = minimumf l, 6.0", "m = mulf a, h", "r = divf m, 6.0"),
           lambda x: x * np.clip(x + 3, 0, 6) / 6)
activation("log_sigmoid", ("n = negf a", "e = exp n", "l = log1p e", "r = negf l"), lambda x: -np.log1p(np.exp(-x)))
activation("silu_rank_5", (*SIGMOID, "r = mulf a, s"), lambda x: x * sigmoid(x), shape=(2, 3, 1, 5, 7))
activation("one_element", (*SIGMOID,), sigmoid, shape=(1, 1))
activation("nothing", (*SIGMOID,), sigmoid, shape=(4, 0, 3))
activation("math", ("b = absf a", "c = sqrt b", "d = floor a", "e = sin a", "f = cos a", "h = exp2 d", "s = addf c, e", "t = mulf s, f",
                    "r = addf t, h"), lambda x: (np.sqrt(np.abs(x)) + np.sin(x)) * np.cos(x) + np.exp2(np.floor(x)))
activation("power_log_double", ("p = mulf a, a", "q = addf p, 1.0", "r = divf a, q"), lambda x: x / (x * x + 1), dtype=F64, tolerance=1e-12)

# ===- Convolutions and pooling ---------------------------------------------=== #


def attributes(strides, dilations):
    rank = len(strides)
    return f"{{strides = dense<{list(strides)}> : vector<{rank}xi64>, dilations = dense<{list(dilations)}> : vector<{rank}xi64>}}"


def strided(x, w, strides, dilations):
    places, offsets = "xyz"[:len(strides)], "uvw"[:len(strides)]
    return np.einsum(f"nc{places}{offsets},fc{offsets}->nf{places}", windows(x, w.shape[2:], strides, dilations), w)


def convolution(name, shape, filters, kernel, strides, dilations, padding=0, dtype=F32, bias=True):
    """Named, channels first; a bias is what it begins with."""
    rank = len(kernel)
    def make(rng):
        x, w, b = (uniform(rng, *s, dtype=dtype) for s in (shape, (filters, shape[1], *kernel), (filters,)))
        g = Graph(x, w, b)
        pads = (0, 0, *(padding,) * rank)
        source = g.pad(g.arguments[0], pads, pads) if padding else g.arguments[0]
        t = strided(np.pad(x.astype(F64), [(p, p) for p in pads]), w, strides, dilations)
        begins = bias and dtype == F32
        init = g.broadcast(g.arguments[2], t.shape, [0, *range(2, rank + 2)]) if begins else g.fill("0.0", t.shape)
        op = {1: "conv_1d_ncw_fcw", 2: "conv_2d_nchw_fchw", 3: "conv_3d_ncdhw_fcdhw"}[rank]
        y = g.named(op, [source, g.arguments[1]], init, attributes(strides, dilations))
        return g.operator([y], [t + begins * b.reshape(-1, *[1] * rank)], 1e-3)
    define("convolution_" + name, make)


convolution("1d_dilated", (2, 4, 47), 6, (5,), (3,), (2,))
convolution("2d_stride_pad_7", (1, 3, 31, 29), 8, (7, 7), (2, 2), (1, 1), padding=3)
convolution("2d_asymmetric", (2, 4, 19, 23), 6, (3, 5), (2, 1), (1, 2), padding=1)
convolution("2d_half", (1, 4, 14, 13), 8, (3, 3), (1, 1), (1, 1), padding=1, dtype=F16)
convolution("2d_pointwise", (2, 17, 7, 11), 23, (1, 1), (1, 1), (1, 1))
convolution("3d_strided", (1, 3, 8, 10, 9), 4, (3, 3, 3), (2, 2, 2), (1, 1, 1), padding=1)


@frontend
def convolution_at_one_place(rng):
    """As many filters as the input is wide: what loop a window belongs to does not show in the extents."""
    x, w = uniform(rng, 77, 3, dtype=I32, low=-5, high=5), uniform(rng, 3, 77, 3, dtype=I32, low=-5, high=5)
    text = """#in = affine_map<(f, x, c, u) -> (c, x + u)>
#weights = affine_map<(f, x, c, u) -> (f, c, u)>
#out = affine_map<(f, x, c, u) -> (f, x)>
func.func @operator(%a: tensor<77x3xi32>, %w: tensor<3x77x3xi32>) -> tensor<3x1xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<3x1xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<3x1xi32>) -> tensor<3x1xi32>
  %r = linalg.generic {indexing_maps = [#in, #weights, #out], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%a, %w : tensor<77x3xi32>, tensor<3x77x3xi32>) outs(%f : tensor<3x1xi32>) {
  ^bb0(%p: i32, %q: i32, %o: i32):
    %m = arith.muli %p, %q : i32
    %s = arith.addi %o, %m : i32
    linalg.yield %s : i32
  } -> tensor<3x1xi32>
  return %r : tensor<3x1xi32>
}
"""
    return Operator(text, [x, w], [np.einsum("cu,fcu->f", x, w)[:, None].astype(I32)], 0)


@frontend
def convolution_separable(rng):
    x, d, p = uniform(rng, 1, 6, 14, 11), uniform(rng, 6, 3, 3), uniform(rng, 8, 6, 1, 1)
    g = Graph(x, d, p)
    one = attributes((1, 1), (1, 1))
    y = g.named("depthwise_conv_2d_nchw_chw", [g.pad(g.arguments[0], (0, 0, 1, 1), (0, 0, 1, 1)), g.arguments[1]],
                g.fill("0.0", (1, 6, 14, 11)), one)
    y = g.named("conv_2d_nchw_fchw", [y, g.arguments[2]], g.fill("0.0", (1, 8, 14, 11)), one)
    t = np.einsum("ncxyuv,cuv->ncxy", windows(np.pad(x.astype(F64), [(0, 0), (0, 0), (1, 1), (1, 1)]), (3, 3), (1, 1), (1, 1)), d)
    return g.operator([y], [np.einsum("ncxy,fc->nfxy", t, p[..., 0, 0])], 1e-3)


@frontend
def convolution_residual_block(rng):
    x, w, v = uniform(rng, 1, 4, 10, 9), uniform(rng, 4, 4, 3, 3), uniform(rng, 4, 4, 3, 3)
    g = Graph(x, w, v)
    def layer(source, weights):
        return g.named("conv_2d_nchw_fchw", [g.pad(source, (0, 0, 1, 1), (0, 0, 1, 1)), weights], g.fill("0.0", x.shape),
                       attributes((1, 1), (1, 1)))
    y = layer(g.each([layer(g.arguments[0], g.arguments[1])], "r = maximumf a, 0.0"), g.arguments[2])
    wide = lambda a: np.pad(a, [(0, 0), (0, 0), (1, 1), (1, 1)])
    t = convolve(wide(np.maximum(convolve(wide(x.astype(F64)), w), 0)), v)
    return g.operator([g.each([y, g.arguments[0]], "s = addf a, b", "r = maximumf s, 0.0")], [np.maximum(t + x, 0)], 1e-3)


def pooling(name, op, shape, kernel, stride, dilation, largest):
    rank = len(shape) - 2
    def make(rng):
        x = uniform(rng, *shape)
        g = Graph(x)
        t = windows(x, (kernel,) * rank, (stride,) * rank, (dilation,) * rank)
        t = t.max(tuple(range(-rank, 0))) if largest else t.sum(tuple(range(-rank, 0)))
        y = g.named(op, [g.arguments[0], g.empty((kernel,) * rank)], g.fill(NEGATIVE if largest else "0.0", t.shape),
                    attributes((stride,) * rank, (dilation,) * rank))
        return g.operator([y], [t])
    define("pooling_" + name, make)


pooling("1d_dilated", "pooling_ncw_max", (2, 3, 59), 4, 2, 3, True)
pooling("1d_sum", "pooling_ncw_sum", (2, 3, 59), 4, 2, 1, False)
pooling("2d", "pooling_nchw_max", (2, 3, 19, 17), 3, 2, 1, True)

# ===- Products -----------------------------------------------------------------=== #


@frontend
def product_by_maps(rng):
    """Both operands transposed by the op's own maps."""
    x, w = uniform(rng, 56, 37), uniform(rng, 23, 56)
    g = Graph(x, w)
    y = g.named("matmul", g.arguments, g.fill("0.0", (37, 23)), "indexing_maps = [affine_map<(m, n, k) -> (k, m)>, "
                "affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]")
    return g.operator([y], [x.astype(F64).T @ w.T])


@frontend
def product_in_tiles(rng):
    x, w = uniform(rng, 64, 32), uniform(rng, 32, 48)
    g = Graph(x, w)
    p = g.op(f"linalg.pack %arg0 inner_dims_pos = [0, 1] inner_tiles = [8, 4] into {g.empty((8, 8, 8, 4))[0]} : tensor<64x32xf32> "
             "-> tensor<8x8x8x4xf32>", (8, 8, 8, 4))
    q = g.op("linalg.pack %arg1 outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [8, 4] into "
             f"{g.empty((6, 8, 8, 4))[0]} : tensor<32x48xf32> -> tensor<6x8x8x4xf32>", (6, 8, 8, 4))
    m = g.named("mmt4d", [p, q], g.fill("0.0", (8, 6, 8, 8)))
    y = g.op(f"linalg.unpack {m[0]} inner_dims_pos = [0, 1] inner_tiles = [8, 8] into {g.empty((64, 48))[0]} : {typed(*m[1:])} "
             "-> tensor<64x48xf32>", (64, 48))
    return g.operator([y], [x.astype(F64) @ w])


@frontend
def product_of_heads(rng):
    """Heads in front by transposes and reshapes, and back behind it."""
    x, w = uniform(rng, 2, 16, 3, 24), uniform(rng, 2, 20, 3, 24)
    g = Graph(x, w)
    a = g.collapse(g.transpose(g.arguments[0], [0, 2, 1, 3]), [[0, 1], [2], [3]], (6, 16, 24))
    b = g.collapse(g.transpose(g.arguments[1], [0, 2, 3, 1]), [[0, 1], [2], [3]], (6, 24, 20))
    c = g.expand(g.named("batch_matmul", [a, b], g.fill("0.0", (6, 16, 20))), [[0, 1], [2], [3]], (2, 3, 16, 20))
    y = g.collapse(g.transpose(c, [0, 2, 1, 3]), [[0], [1], [2, 3]], (2, 16, 60))
    return g.operator([y], [np.einsum("bihk,bjhk->bihj", x.astype(F64), w).reshape(2, 16, 60)])


@frontend
def product_broadcast(rng):
    x, w = uniform(rng, 4, 23, 40), uniform(rng, 40, 29)
    g = Graph(x, w)
    y = g.named("batch_matmul", [g.arguments[0], g.broadcast(g.arguments[1], (4, 40, 29), [0])], g.fill("0.0", (4, 23, 29)))
    return g.operator([y], [x.astype(F64) @ w])


@frontend
def product_gated(rng):
    """Two of one input, one gates the other, and a third."""
    x, w, v, d = uniform(rng, 15, 32), uniform(rng, 32, 47), uniform(rng, 32, 47), uniform(rng, 47, 31)
    g = Graph(x, w, v, d)
    a, b = (g.named("matmul", [g.arguments[0], g.arguments[n]], g.fill("0.0", (15, 47))) for n in (1, 2))
    y = g.named("matmul", [g.each([a, b], *SIGMOID, "m = mulf a, s", "r = mulf m, b"), g.arguments[3]], g.fill("0.0", (15, 31)))
    t = x.astype(F64) @ w
    return g.operator([y], [(t * sigmoid(t) * (x @ v)) @ d], 1e-3)


@frontend
def product_checked(rng):
    """All extents are unknown, and an assertion compares two."""
    x, w = uniform(rng, 37, 53), uniform(rng, 53, 41)
    g = Graph(x, w, unknown={(0, 0), (0, 1), (1, 0), (1, 1)})
    equal = g.op(f"arith.cmpi eq, {g.arguments[0][1][1].name}, {g.arguments[1][1][0].name} : index", ())[0]
    g.add(f'cf.assert {equal}, "mismatching contracting dimension"')
    return g.operator([g.named("matmul", g.arguments, g.fill("0.0", (g.arguments[0][1][0], g.arguments[1][1][1])))],
                      [x.astype(F64) @ w])


def attention(name, batch, heads, queries, keys, depth, causal=False, mask=False, dtype=F32):
    """Batch and heads in one dimension, keys transposed first."""
    def make(rng):
        q, k, v = (uniform(rng, batch, heads, n, depth, dtype=dtype) for n in (queries, keys, keys))
        m = uniform(rng, queries, keys)
        g = Graph(q, k, v, *([m] if mask else []))
        groups, all_heads = [[0, 1], [2], [3]], batch * heads
        a, b, c = (g.collapse(x, groups, (all_heads, *x[1][2:])) for x in g.arguments[:3])
        s = g.named("batch_matmul", [a, g.transpose(b, [0, 2, 1])], g.fill("0.0", (all_heads, queries, keys)))
        s = g.each([s], f"m = mulf a, {depth ** -.5!r}")
        t = np.einsum("bhqd,bhkd->bhqk", q.astype(F64), k) * depth ** -.5
        if causal:
            s = g.each([s], "i = index 1", "j = index 2", "c = cmpi ugt, j, i : index", "%n = arith.constant 0xFF800000 : f32",
                       "r = select c, %n, a")
            t = np.where(np.arange(keys) > np.arange(queries)[:, None], -np.inf, t)
        if mask:
            s = g.each([s, g.arguments[3]], "s = addf a, b", maps=["ijk", "jk"])
            t = t + m
        p = g.softmax(s)
        if dtype != F32:
            p = g.each([p], "t = truncf a : f32 to f16", element="f16")
        o = g.expand(g.named("batch_matmul", [p, c], g.fill("0.0", (all_heads, queries, depth))), groups,
                     (batch, heads, queries, depth))
        return g.operator([o], [softmax(t) @ v], 1e-3 if dtype == F32 else 1e-2)
    define("attention_" + name, make)


attention("causal", 1, 2, 31, 31, 16, causal=True)
attention("half", 1, 2, 29, 47, 16, dtype=F16)
attention("mask", 1, 2, 23, 41, 16, mask=True)
attention("decode", 2, 4, 1, 61, 16)
attention("long", 1, 1, 32, 257, 32)

def transformer(name, rows, unknown, depth=32, heads=2):
    """A block without masks: normalized rows, heads that attend to all rows, a projection, and two layers."""
    width = depth // heads

    def make(rng):
        x = uniform(rng, rows, depth)
        weights = [uniform(rng, *shape) * F32(.2) for shape in [(depth, depth)] * 4 + [(depth, 4 * depth), (4 * depth, depth)]]
        g = Graph(x, *weights, unknown={(0, 0)} if unknown else set())
        given, *ws = g.arguments

        def normalize(value):
            mean = g.each([g.keep(value, [1])], f"m = divf a, {depth}.0")
            centred = g.each([value, mean], "d = subf a, b", maps=["ij", "i0"])
            var = g.keep(centred, [1], body=steps("f32", "q = mulf a, a", "s = addf o, q"))
            scale = g.each([var], f"m = divf a, {depth}.0", "e = addf m, 0.00001", "r = rsqrt e")
            return g.each([centred, scale], "n = mulf a, b", maps=["ij", "i0"])

        n = given[1][0]
        unit = normalize(given)
        q, k, v = (g.expand(g.einsum("ik,kj->ij", unit, w), "[[0], [1, 2]]", [n, heads, width]) for w in ws[:3])
        scores = g.each([g.einsum("ihd,jhd->hij", q, k)], f"m = mulf a, {1 / np.sqrt(width)}")
        mixed = g.collapse(g.einsum("hij,jhd->ihd", g.softmax(scores), v), "[[0], [1, 2]]", [n, depth])
        first = g.each([given, g.einsum("ik,kj->ij", mixed, ws[3])], "s = addf a, b")
        hidden = g.each([g.einsum("ik,kj->ij", normalize(first), ws[4])], "t = tanh a")
        result = g.each([first, g.einsum("ik,kj->ij", hidden, ws[5])], "s = addf a, b")

        w = [weight.astype(F64) for weight in weights]
        rowwise = standardize(x.astype(F64), (1,))
        a, b, c = ((rowwise @ weight).reshape(rows, heads, width) for weight in w[:3])
        share = softmax(np.einsum("ihd,jhd->hij", a, b) / np.sqrt(width))
        r = x + np.einsum("hij,jhd->ihd", share, c).reshape(rows, depth) @ w[3]
        return g.operator([result], [r + np.tanh(standardize(r, (1,)) @ w[4]) @ w[5]], 5e-3)
    define("transformer_" + name, make)


transformer("block", 24, False)
transformer("unknown_rows", 37, True)
transformer("unknown_few_rows", 3, True)

# ===- Reductions of unknown extents -------------------------------------------=== #


@frontend
def attention_decode_unknown_keys(rng):
    q, k, v = (uniform(rng, 4, n, 16) for n in (1, 61, 61))
    g = Graph(q, k, v, unknown={(1, 1), (2, 1)})
    s = g.each([g.einsum("hqd,hkd->hqk", *g.arguments[:2])], "m = mulf a, 0.25")
    result = g.einsum("hqk,hkd->hqd", g.softmax(s), g.arguments[2])
    scores = np.einsum("hqd,hkd->hqk", q.astype(F64), k) * .25
    return g.operator([result], [np.einsum("hqk,hkd->hqd", softmax(scores), v)], 1e-3)


@frontend
def batch_norm_statistics_unknown(rng):
    """Of two loops that are next to each other, and one that is not."""
    x = uniform(rng, 5, 6, 7, 9)
    g = Graph(x, unknown={(0, 0), (0, 2), (0, 3)})
    total = g.reduce(g.arguments[0], [0, 2, 3], "0.0", SUM)
    squares = g.reduce(g.each(g.arguments, "q = mulf a, a"), [0, 2, 3], "0.0", SUM)
    t = x.astype(F64)
    return g.operator([total, squares], [t.sum((0, 2, 3)), (t * t).sum((0, 2, 3))], 1e-3)


@frontend
def mean_square_unknown(rng):
    x, y = uniform(rng, 1003), uniform(rng, 1003)
    g = Graph(x, y, unknown={(0, 0), (1, 0)})
    result = g.reduce(g.each(g.arguments, "d = subf a, b", "q = mulf d, d"), [0], "0.0", SUM)
    return g.operator([result], [((x.astype(F64) - y) ** 2).sum().astype(F32)], 1e-3)


@frontend
def integer_sum_and_largest_unknown(rng):
    x = rng.integers(-1000, 1000, (777,)).astype(np.int32)
    g = Graph(x, unknown={(0, 0)})
    total = g.reduce(g.arguments[0], [0], "0", steps("i32", "s = addi o, a"))
    largest = g.reduce(g.arguments[0], [0], "-2147483648", steps("i32", "s = maxsi o, a"))
    return g.operator([total, largest], [np.int32(x.sum()), x.max()])

# ===- Indices that go another way --------------------------------------------=== #


@frontend
def map_reversed_and_summed(rng):
    x = uniform(rng, 130, 37)
    g = Graph(x)
    y = g.generic("ij", [(g.arguments[0], ["129 - d_i", "36 - d_j"])], (g.empty(x.shape), "ij"), "linalg.yield %a : f32")
    z = g.each([y, g.arguments[0]], "s = addf a, b")
    t = x[::-1, ::-1] + x
    return g.operator([g.reduce(z, [0], "0.0", SUM), z], [t.astype(F64).sum(0), t])


@frontend
def map_filter_backwards(rng):
    x, w = uniform(rng, 3, 40), uniform(rng, 5)
    g = Graph(x, w)
    y = g.generic("ij k", [(g.arguments[0], ["d_i", "d_j + 4 - d_k"]), (g.arguments[1], "k")], (g.fill("0.0", (3, 36)), "ij"), PRODUCT)
    return g.operator([y], [np.stack([np.convolve(r.astype(F64), w, "valid") for r in x])])


@frontend
def map_heads_share_keys(rng):
    q, k, v = uniform(rng, 6, 9, 8), uniform(rng, 2, 21, 8), uniform(rng, 2, 21, 8)
    g = Graph(q, k, v)
    s = g.generic("hqk d", [(g.arguments[0], "hqd"), (g.arguments[1], ["d_h floordiv 3", "d_k", "d_d"])],
                  (g.fill("0.0", (6, 9, 21)), "hqk"), PRODUCT)
    o = g.generic("hqd k", [(g.softmax(s), "hqk"), (g.arguments[2], ["d_h floordiv 3", "d_k", "d_d"])],
                  (g.fill("0.0", (6, 9, 8)), "hqd"), PRODUCT)
    t = np.einsum("hqd,hkd->hqk", q.astype(F64), np.repeat(k, 3, 0))
    return g.operator([o], [softmax(t) @ np.repeat(v, 3, 0)])


@frontend
def map_rows_repeated_and_summed(rng):
    """Only the input that is read by thirds tells how long a row is."""
    x = uniform(rng, 7, 45)
    g = Graph(x, unknown={(0, 1)})
    y = g.generic("i j", [(g.arguments[0], ["d_i floordiv 3", "d_j"])], (g.fill("0.0", (21,)), "i"), SUM)
    return g.operator([y], [x.astype(F64).sum(1).repeat(3)])


# ===- Reductions, and along a dimension -----------------------------------=== #


@frontend
def reduce_planes(rng):
    """Of each channel more elements than a workgroup has threads: mean and deviation, with the input."""
    x = uniform(rng, 2, 3, 32, 31)
    g = Graph(x)
    mean = g.each([g.keep(g.arguments[0], [2, 3])], "m = divf a, 992.0")
    centred = g.each([g.arguments[0], mean], "d = subf a, b", maps=["ijkl", "ij00"])
    var = g.keep(g.each([centred], "q = mulf a, a"), [2, 3])
    y = g.each([centred, var], "m = divf b, 992.0", "e = addf m, 0.00001", "r = rsqrt e", "n = mulf a, r", maps=["ijkl", "ij00"])
    return g.operator([y], [standardize(x.astype(F64), (2, 3))], 1e-3)


@frontend
def reduce_three_dims_onto_argument(rng):
    x, y = uniform(rng, 3, 16, 16, 17), uniform(rng, 3)
    g = Graph(x, y)
    return g.operator([g.generic("i jkl", [(g.arguments[0], "ijkl")], (g.arguments[1], "i"), SUM)], [x.astype(F64).sum((1, 2, 3)) + y], 1e-3)


@frontend
def reduce_two_results(rng):
    """A product of floats and a count, which begins with three."""
    x = uniform(rng, 3, 40, 50)
    g = Graph(x)
    out = g.generics("h ij", [(g.arguments[0], "hij")], [(g.fill("1.0", (3,)), "h"), (g.fill("3", (3,), "i32"), "h")], "\n".join([
        "%l = arith.mulf %o0, %a : f32", "%z = arith.constant 0.0 : f32", "%c = arith.cmpf ogt, %a, %z : f32",
        "%e = arith.extui %c : i1 to i32", "%h = arith.addi %o1, %e : i32", "linalg.yield %l, %h : f32, i32"]))
    return g.operator(out, [x.astype(F64).prod((1, 2)), (x > 0).sum((1, 2)) + 3])


@frontend
def reduce_with_index(rng):
    x = uniform(rng, 2, 510)
    g = Graph(x)
    y = g.generic("h j", [(g.arguments[0], "hj")], (g.fill("0.0", (2,)), "h"), steps(
        "f32", "i = index 1", "h = index 0", "k = addi i, h : index", "m = index_cast k : index to i32",
        "f = sitofp m : i32 to f32", "p = mulf a, f", "s = addf o, p"))
    return g.operator([y], [(x.astype(F64) * (np.arange(510) + np.arange(2)[:, None])).sum(1)], 1e-3)


@frontend
def reduce_in_order(rng):
    """The second result looks at the first, element by element."""
    x = uniform(rng, 12, 13)
    g = Graph(x)
    out = g.generics(" ij", [(g.arguments[0], "ij")], [(g.fill("0.0", ()), []), (g.fill("1.0", ()), [])],
                     "%l = arith.addf %o0, %a : f32\n%h = arith.addf %o1, %o0 : f32\nlinalg.yield %l, %h : f32, f32")
    sums = x.astype(F64).reshape(-1).cumsum()
    return g.operator(out, [np.asarray(sums[-1]), np.asarray(1 + sums[:-1].sum())], 1e-3)


@frontend
def reduce_unknown_and_known(rng):
    x = uniform(rng, 13, 140)
    g = Graph(x, unknown={(0, 0)})
    return g.operator([g.reduce(g.arguments[0], [0, 1], "0.0", SUM)], [np.asarray(x.astype(F64).sum())], 1e-3)


@frontend
def reduce_to_first_place(rng):
    """The first of the largest of each plane, in integers with many equal ones, and the last of the smallest."""
    x = rng.integers(0, 20, (3, 40, 50)).astype(F32)
    g = Graph(x)
    place = ["%i = linalg.index 1 : index", "%j = linalg.index 2 : index", "%n = arith.constant 50 : index",
             "%m = arith.muli %i, %n : index", "%k = arith.addi %m, %j : index", "%p = arith.index_cast %k : index to i32"]
    def choose(compare, start):
        return g.generics("h ij", [(g.arguments[0], "hij")], [(g.fill(start, (3,)), "h"), (g.fill("7", (3,), "i32"), "h")], "\n".join([
            *place, f"%c = arith.cmpf {compare} : f32", "%v = arith.select %c, %a, %o0 : f32", "%w = arith.select %c, %p, %o1 : i32",
            "linalg.yield %v, %w : f32, i32"]))
    rows = x.reshape(3, 2000)
    out = [*choose("ogt, %a, %o0", NEGATIVE), *choose("oge, %o0, %a", "100.0"), *choose("ogt, %o0, %a", "-1.0")]
    return g.operator(out, [rows.max(1), rows.argmax(1), rows.min(1), 1999 - rows[:, ::-1].argmin(1), np.full(3, -1, F32), np.full(3, 7)], 0)


@frontend
def reduce_primes(rng):
    """Lengths that no number of threads divides: a rest is added at last."""
    x, y, z = uniform(rng, 2, 509), uniform(rng, 2, 703), rng.integers(0, 20, (2, 1009)).astype(F32)
    g = Graph(x, y, z)
    total, places = g.generics("i j", [(g.arguments[0], "ij")], [(g.fill("0.0", (2,)), "i"), (g.fill("2", (2,), "i32"), "i")], "\n".join([
        "%j = linalg.index 1 : index", "%k = arith.index_cast %j : index to i32", "%l = arith.addf %o0, %a : f32",
        "%h = arith.addi %o1, %k : i32", "linalg.yield %l, %h : f32, i32"]))
    s = g.generic("hj k", [(g.arguments[1], ["d_h", "d_j * 100 + d_k"]), (g.empty((401,)), "k")], (g.fill("0.0", (2, 4)), "hj"), SUM)
    first = g.generics("i j", [(g.arguments[2], "ij")], [(g.fill(NEGATIVE, (2,)), "i"), (g.fill("0", (2,), "i64"), "i")], "\n".join([
        "%j = linalg.index 1 : index", "%k = arith.index_cast %j : index to i64", "%c = arith.cmpf ogt, %a, %o0 : f32",
        "%v = arith.select %c, %a, %o0 : f32", "%w = arith.select %c, %k, %o1 : i64", "linalg.yield %v, %w : f32, i64"]))[1]
    sums = np.stack([y[:, 100 * j:100 * j + 401].sum(1, dtype=F64) for j in range(4)], 1)
    return g.operator([total, places, s, g.softmax(g.arguments[0]), first],
                      [x.sum(1, dtype=F64), np.full(2, 509 * 508 // 2 + 2), sums, softmax(x.astype(F64)), z.argmax(1)], 1e-3)


@frontend
def reduce_windows(rng):
    x, z = uniform(rng, 1, 2, 40, 40), uniform(rng, 2, 700)
    g = Graph(x, z)
    y = g.named("pooling_nchw_max", [g.arguments[0], g.empty((20, 19))], g.fill(NEGATIVE, (1, 2, 2, 2)), attributes((20, 20), (1, 1)))
    s = g.generic("hj k", [(g.arguments[1], ["d_h", "d_j * 100 + d_k"]), (g.empty((400,)), "k")], (g.fill("0.0", (2, 4)), "hj"), SUM)
    sums = np.stack([z[:, 100 * j:100 * j + 400].sum(1, dtype=F64) for j in range(4)], 1)
    return g.operator([y, s], [windows(x, (20, 19), (20, 20), (1, 1)).max((-1, -2)), sums], 1e-3)


def arg_reduction(name, shape, axis, unknown=()):
    """The largest and its place, of integers in f32, by an op with two results."""
    def make(rng):
        x = rng.integers(0, 30, shape).astype(F32)
        g = Graph(x, unknown=unknown)
        loops = "ijk"[:len(shape)]
        kept = loops.replace(loops[axis], "")
        extents = [n for d, n in enumerate(g.arguments[0][1]) if d != axis]
        out = g.generics(f"{kept} {loops[axis]}", [(g.arguments[0], loops)],
                         [(g.fill(NEGATIVE, extents), kept), (g.fill("0", extents, "i64"), kept)], "\n".join([
                             f"%p = linalg.index {len(shape) - 1} : index", "%n = arith.index_cast %p : index to i64",
                             "%c = arith.cmpf ogt, %a, %o0 : f32", "%v = arith.select %c, %a, %o0 : f32",
                             "%w = arith.select %c, %n, %o1 : i64", "linalg.yield %v, %w : f32, i64"]))
        return g.operator(out, [x.max(axis), x.argmax(axis)], 0)
    define("argmax_" + name, make)


arg_reduction("middle", (5, 37, 7), 1)
arg_reduction("first_unknown", (41, 13), 0, unknown={(0, 0), (0, 1)})
arg_reduction("last_unknown", (3, 5, 301), 2, unknown={(0, 1), (0, 2)})
arg_reduction("of_rows_unknown", (3, 5, 301), 2, unknown={(0, 2)})
arg_reduction("of_columns_unknown", (777, 3), 0, unknown={(0, 0)})
arg_reduction("whole_unknown", (70001,), 0, unknown={(0, 0)})


def arg_extreme(name, shape, element, extreme, compare, start, values, unknown=()):
    """The same as torch lowers it, the largest by its own op: behind a NaN the place stays."""
    def make(rng):
        x = values(rng, shape)
        g = Graph(x, unknown=unknown)
        kind = "f" if element.startswith("f") else "i"
        out = g.generics("i j", [(g.arguments[0], "ij")],
                         [(g.fill(start, shape[:1], element), "i"), (g.fill("0", shape[:1], "i64"), "i")], "\n".join([
                             "%p = linalg.index 1 : index", "%n = arith.index_cast %p : index to i64",
                             f"%v = arith.{extreme} %a, %o0 : {element}", f"%c = arith.cmp{kind} {compare}, %a, %o0 : {element}",
                             "%w = arith.select %c, %n, %o1 : i64", f"linalg.yield %v, %w : {element}, i64"]))
        least = "min" in extreme
        with np.errstate(invalid="ignore"):
            best, place = np.full(shape[0], np.inf if least else -np.inf), np.zeros(shape[0], np.int64)
            if kind == "i":
                best = np.full(shape[0], np.iinfo(x.dtype).min, x.dtype)
            for j in range(shape[1]):
                place = np.where(x[:, j] < best if least else x[:, j] > best, j, place)
                best = (np.minimum if least else np.maximum)(x[:, j], best)
        return g.operator(out, [best.astype(x.dtype), place], 0)
    define("argmax_extreme_" + name, make)


def arg_pairs(name, shape, unknown=(), least=False, fused=False, element="f32", values=None):
    """As JAX has it: pairs of an element and its place are compared; a NaN is the largest, and the smallest."""
    def make(rng):
        x = (values or (lambda rng, shape: rng.integers(0, 50, shape).astype(F32)))(rng, shape)
        g = Graph(x, unknown=unknown)
        v, kind = g.arguments[0], "f" if element.startswith("f") else "i"
        inputs, number = [(v, "ij")], ["%p = linalg.index 1 : index", "%b = arith.index_cast %p : index to i32"]
        if not fused:
            iota = g.each([], "j = index 1", "n = index_cast j : index to i32", shape=v[1], element="i32")
            inputs, number = [(v, "ij"), (iota, "ij")], []
        first = {"f": "olt" if least else "ogt", "i": "slt" if least else "sgt"}[kind]
        start = ("0x7F800000" if least else NEGATIVE) if kind == "f" else str(2**31 - 1 if least else -2**31)
        nan = ["%n = arith.cmpf une, %o0, %o0 : f32", "%s = arith.ori %g, %n : i1"] if kind == "f" else ["%s = arith.ori %g, %g : i1"]
        out = g.generics("i j", inputs, [(g.fill(start, shape[:1], element), "i"), (g.fill("0", shape[:1], "i32"), "i")],
                         "\n".join([*number, f"%g = arith.cmp{kind} {first}, %o0, %a : {element}", *nan,
                                    f"%e = arith.cmp{kind} {'oeq' if kind == 'f' else 'eq'}, %o0, %a : {element}",
                                    "%l = arith.cmpi slt, %o1, %b : i32", "%t = arith.andi %e, %l : i1", "%c = arith.ori %s, %t : i1",
                                    f"%x = arith.select %s, %o0, %a : {element}", "%y = arith.select %c, %o1, %b : i32",
                                    f"linalg.yield %x, %y : {element}, i32"]))
        return g.operator(out, [(x.min if least else x.max)(1), (x.argmin if least else x.argmax)(1)], 0)
    define("argmax_pairs_" + name, make)


def some_nans(rng, shape):
    x = rng.integers(0, 50, shape).astype(F32)
    x[rng.random(shape) < 1 / shape[1]] = np.nan
    x[0, :] = -np.inf
    return x


arg_pairs("of_rows", (5, 1000), values=some_nans)
arg_pairs("least", (3, 257), least=True, fused=True, values=some_nans)
arg_pairs("of_integers", (4, 600), element="i32", values=lambda rng, shape: rng.integers(-9, 9, shape).astype(np.int32))
arg_pairs("of_511_unknown", (2, 511), {(0, 1)}, values=some_nans)
arg_pairs("whole_unknown", (1, 70001), {(0, 1)}, fused=True, values=some_nans)
arg_extreme("of_rows", (5, 1000), "f32", "maximumf", "ogt", NEGATIVE, some_nans)
arg_extreme("least", (3, 257), "f32", "minimumf", "olt", "0x7F800000", some_nans)
arg_extreme("whole", (1, 4099), "f32", "maximumf", "ogt", NEGATIVE, some_nans)
arg_extreme("of_integers", (4, 600), "i32", "maxsi", "sgt", "-2147483648",
            lambda rng, shape: rng.integers(-9, 9, shape).astype(np.int32))
arg_pairs("long", (1, 300007), fused=True, values=some_nans)
for length in (2, 511, 70001):
    arg_extreme(f"of_{length}_unknown", (2 if length < 9999 else 1, length), "f32", "maximumf", "ogt", NEGATIVE, some_nans,
                {(0, 1)})
arg_extreme("least_unknown", (7, 300), "f32", "minimumf", "olt", "0x7F800000", some_nans, {(0, 1)})
arg_extreme("of_integers_unknown", (4, 601), "i32", "maxsi", "sgt", "-2147483648",
            lambda rng, shape: rng.integers(-9, 9, shape).astype(np.int32), {(0, 1)})


def loop_along(name, op, init, function, reverse=False, exclusive=False):
    """A loop over columns that carries the result and what comes before."""
    def make(rng):
        x = uniform(rng, 6, 37, low=.5, high=1.5)
        g = Graph(x)
        empty, before = g.empty(x.shape), g.fill(init, (6,))
        bounds = [g.constant(n, "index") for n in (0, 37, 1, 36)]
        loop = g.new()
        g.add(f"{loop}:2 = scf.for %i = {bounds[0]} to {bounds[1]} step {bounds[2]} iter_args(%all = {empty[0]}, %before = {before[0]}) "
              "-> (tensor<6x37xf32>, tensor<6xf32>) {")
        at = g.op(f"arith.subi {bounds[3]}, %i : index", ())[0] if reverse else "%i"
        column = g.op(f"tensor.extract_slice %arg0[0, {at}] [6, 1] [1, 1] : tensor<6x37xf32> to tensor<6xf32>", (6,))
        new = g.generic("i", [(column, "i")], (("%before", (6,), "f32"), "i"), steps("f32", f"s = {op} o, a"))
        put = g.op(f"tensor.insert_slice {'%before' if exclusive else new[0]} into %all[0, {at}] [6, 1] [1, 1] : tensor<6xf32> into "
                   "tensor<6x37xf32>", ())
        g.add(f"  scf.yield {put[0]}, {new[0]} : tensor<6x37xf32>, tensor<6xf32>\n  }}")
        return g.operator([(f"{loop}#0", x.shape, "f32")], [function(x.astype(F64))], 1e-3)
    define("loop_" + name, make)


loop_along("product", "mulf", "1.0", lambda x: x.cumprod(1))
loop_along("sum_reverse", "addf", "0.0", lambda x: x[:, ::-1].cumsum(1)[:, ::-1], reverse=True)
loop_along("sum_exclusive", "addf", "0.0", lambda x: x.cumsum(1) - x, exclusive=True)


@frontend
def cumulative_sum_by_product(rng):
    """With a triangle of ones, made of indices."""
    x = uniform(rng, 6, 41)
    g = Graph(x)
    ones = g.each([], "i = index 0", "j = index 1", "c = cmpi ule, i, j : index", "r = select c, 1.0, 0.0", shape=(41, 41), element="f32")
    return g.operator([g.named("matmul", [g.arguments[0], ones], g.fill("0.0", x.shape))], [x.astype(F64).cumsum(1)])


@frontend
def cross_entropy_with_ignored(rng):
    x, t = uniform(rng, 31, 11, low=-3, high=3), rng.integers(0, 11, 31)
    t[::5] = -100
    g = Graph(x, t)
    logs = g.each([g.softmax(g.arguments[0])], "l = log a", "n = negf l")
    picked = g.generic("i", [(g.arguments[1], "i")], (g.empty((31,)), "i"), steps(
        "i64", "q = cmpi eq, a, -100", "s = select q, 0, a", "i = index 0", "j = index_cast s : i64 to index",
        f"%e = tensor.extract {logs[0]}[%i, %j] : tensor<31x11xf32>", "r = select q, 0.0, e : f32", result="f32"))
    count = g.generic(" i", [(g.arguments[1], "i")], (g.fill("0.0", ()), ""), steps(
        "f32", "q = cmpi ne, a, -100 : i64", "u = select q, 1.0, 0.0", "s = addf o, u"))
    y = g.each([g.reduce(picked, [0], "0.0", SUM), count], "q = divf a, b")
    used = t != -100
    return g.operator([y], [-np.log(softmax(x.astype(F64)))[used, t[used]].mean()])

def scatter_into_large(name, given, followed):
    """More rows than a workgroup keeps, of integers, so that any order gives one sum."""
    def make(rng):
        table = rng.integers(-9, 10, (5000, 9)).astype(F32) if given else np.zeros((5000, 9), F32)
        x, index = rng.integers(-9, 10, (67, 9)).astype(F32), rng.integers(0, 5000, (67, 1)).astype(np.int32)
        index[::4] = 17
        g = Graph(x, index, *([table] if given else []))
        y = g.scatter(*g.arguments[:2], g.arguments[2] if given else g.fill("0.0", table.shape), "s = addf a, o")
        results = [y, *([g.reduce(y, [0], "0.0", SUM)] if followed else []), *(g.arguments[2:] if given else [])]
        if followed and not given:
            results = results[1:]
        t = table.copy()
        np.add.at(t, index[:, 0], x)
        outputs = {1: t, 2: t.sum(0), 3: table}
        wanted = [1, *([2] if followed else []), *([3] if given else [])]
        return g.operator(results, [outputs[n] for n in (wanted[1:] if followed and not given else wanted)], 0)
    define("scatter_large_" + name, make)


scatter_into_large("zeros", False, False)
scatter_into_large("argument", True, False)
scatter_into_large("argument_and_sum", True, True)
scatter_into_large("only_sum", False, True)


def many_updates(name, shape, places, dtype, *lines, unknown=()):
    """More than one workgroup should take, some out of range: several share them."""
    def make(rng):
        updates = rng.integers(-9, 9, shape).astype(dtype)
        index = rng.integers(-5, places + 5, (shape[0], 1)).astype(I32)
        table = rng.integers(-9, 9, (places, *shape[1:])).astype(dtype)
        g = Graph(updates, index, table, unknown=set(unknown))
        y = g.scatter(*g.arguments, *lines)
        right = table.copy()
        inside = (index[:, 0] >= 0) & (index[:, 0] < places)
        (np.maximum if "max" in lines[0] else np.add).at(right, index[inside, 0], updates[inside])
        return g.operator([y], [right], 1e-3)
    define("scatter_many_" + name, make)


many_updates("sums", (20011,), 33, I32, "s = addi a, o")
many_updates("rows", (301, 67), 50, F32, "s = addf a, o")
many_updates("maxima", (16385, 1), 7, I32, "s = maxsi a, o")
many_updates("unknown", (9001, 3), 40, I32, "s = addi a, o", unknown=[(0, 0), (1, 0)])
many_updates("unknown_table", (9001,), 40, I32, "s = addi a, o", unknown=[(0, 0), (1, 0), (2, 0)])
many_updates("unknown_one", (1,), 40, F32, "s = addf a, o", unknown=[(0, 0), (1, 0)])

# ===- Moving data ---------------------------------------------------------------=== #


@frontend
def move_pixels_to_channels_and_back(rng):
    x = uniform(rng, 1, 8, 5, 7)
    g = Graph(x)
    t = g.transpose(g.expand(g.arguments[0], [[0], [1, 2, 3], [4], [5]], (1, 2, 2, 2, 5, 7)), [0, 1, 4, 2, 5, 3])
    y = g.collapse(t, [[0], [1], [2, 3], [4, 5]], (1, 2, 10, 14))
    return g.operator([y], [x.reshape(1, 2, 2, 2, 5, 7).transpose(0, 1, 4, 2, 5, 3).reshape(1, 2, 10, 14)], 0)


@frontend
def move_padded_by_reflection(rng):
    x = uniform(rng, 4, 19)
    g = Graph(x)
    y = g.each([], "i = index 0", "j = index 1", "k = subi j, 3 : index", "n = absi k : index", "m = subi 36, n : index",
               "l = minsi n, m : index", "%e = tensor.extract %arg0[%i, %l] : tensor<4x19xf32>", shape=(4, 25), element="f32")
    return g.operator([y], [np.pad(x, ((0, 0), (3, 3)), mode="reflect")], 0)


@frontend
def move_slices_and_stack(rng):
    x = uniform(rng, 12, 40)
    g = Graph(x)
    s = [g.slice(g.arguments[0], (0, 10 * n), (12, 10)) for n in range(4)]
    y = g.named("sub", [g.named("add", s[:2], g.empty((12, 10))), g.named("mul", s[2:], g.empty((12, 10)))], g.empty((12, 10)))
    return g.operator([y], [x[:, :10] + x[:, 10:20] - x[:, 20:30] * x[:, 30:]])


@frontend
def move_elements(rng):
    """Single elements make a tensor; a scalar fills one; an argument is a result in another shape."""
    x, y = uniform(rng, 3, 5), np.array(.75, F32)
    g = Graph(x, y)
    at = [g.constant(n, "index") for n in range(3)]
    parts = [g.op(f"tensor.extract %arg0[{at[i]}, {at[j]}] : tensor<3x5xf32>", ())[0] for i, j in ((2, 0), (0, 1), (1, 2))]
    made = g.op(f"tensor.from_elements {', '.join(parts)} : tensor<3xf32>", (3,))
    scalar = g.op("tensor.extract %arg1[] : tensor<f32>", ())[0]
    full = g.op(f"tensor.splat {scalar} : tensor<7x3xf32>", (7, 3))
    return g.operator([g.each([made], "s = addf a, a"), full, g.collapse(g.arguments[0], [[0, 1]], (15,))],
                      [2 * x[[2, 0, 1], [0, 1, 2]], np.full((7, 3), y), x.reshape(-1)])


@frontend
def move_constant_weights(rng):
    """A table in the function's text."""
    x, w = uniform(rng, 9, 4), rng.integers(-4, 5, (4, 6)).astype(F32)
    g = Graph(x)
    rows = ", ".join("[" + ", ".join(f"{n:.1f}" for n in row) + "]" for row in w)
    table = g.op(f"arith.constant dense<[{rows}]> : tensor<4x6xf32>", (4, 6))
    return g.operator([g.named("matmul", [g.arguments[0], table], g.fill("0.0", (9, 6)))], [x.astype(F64) @ w])
