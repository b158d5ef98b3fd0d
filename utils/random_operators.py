# Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random functions of whole tensors, and what they must compute.

    random_operators.py SEED [OPS]   prints the function of a seed, or one of its first OPS ops

make(SEED) gives Case(operator, chip, options): one to eight ops of linalg,
tensor, arith and math, a chip, and options of the pipeline. numpy computes the
reference while the function is made. Values stay small and ops continuous, but
for those of which every bit is known (integers, and floats that were only moved).
"""
import collections
import random
import re
import sys

import numpy as np

from operators import ADD, MAX, MIN, NEGATIVE, PRODUCT, Body, softmax_body, typed

Case = collections.namedtuple("Case", "operator chip options")
DTYPES = {"f32": np.float32, "f16": np.float16, "i32": np.int32}
# Elements of a tensor, and iterations of an op: the emulator executes them all.
MOST_ELEMENTS, MOST_ITERATIONS = 6000, 100000
LETTERS = "ijklmnop"


class Unknown(int):
    """An extent that is `?` in types; `name` holds it when the function runs."""

    def __new__(cls, value, name):
        extent = super().__new__(cls, value)
        extent.name = name
        return extent

    def __str__(self):
        return "?"

    def __format__(self, spec):
        return "?"


def key(extent):
    return extent.name if isinstance(extent, Unknown) else int(extent)


def keys(shape):
    return tuple(key(extent) for extent in shape)


def text(extent):
    """As an operand."""
    return extent.name if isinstance(extent, Unknown) else str(int(extent))


class RandomBody(Body):
    """Values are those of Body; `data` has what each is by numpy."""

    def __init__(self, seed):
        super().__init__()
        self.random = random.Random(seed)
        self.numbers = np.random.default_rng(seed)
        self.inputs, self.data, self.values, self.indices = [], {}, [], set()
        # Every bit is known.
        self.exact = set()
        self.element = self.random.choice(["f32", "f32", "f32", "f16", "i32"])
        pool = [1, 2, 3, 4, 7, 8, 13, 16, 17, 24, 31, 32, 33, 48, 64, 70]
        self.pool = self.random.sample(pool, self.random.randint(2, 4))
        if self.random.random() < .2:
            self.pool.append(self.random.choice([128, 200, 300, 301]))
        # Extents that only the caller knows, by number.
        self.unknown = {}
        if self.random.random() < .3:
            self.unknown = {n: Unknown(n, f"%n{n}")
                            for n in self.random.sample(self.pool, self.random.randint(1, 2))}

    # ===- Values ----------------------------------------------------------=== #

    def chance(self, probability):
        return self.random.random() < probability

    def index(self, number):
        self.indices.add(number)
        return f"%c{number}"

    def extent(self, line, value):
        """What `line` computes of unknown extents."""
        name = self.new()
        self.add(f"{name} = {line} : index")
        return Unknown(value, name)

    def operand(self, extent):
        return extent.name if isinstance(extent, Unknown) else self.index(int(extent))

    def argument(self, shape, element=None):
        element = element or self.element
        name = f"%arg{len(self.arguments)}"
        if element == "i32":
            array = self.numbers.integers(-9, 10, [int(n) for n in shape]).astype(np.int32)
        else:
            array = self.numbers.uniform(-1, 1, [int(n) for n in shape]).astype(DTYPES[element])
        shape = tuple(shape)
        self.inputs.append(array)
        self.arguments.append((name, shape, element))
        self.data[name] = array
        self.exact.add(name)
        self.values.append(self.arguments[-1])
        return self.arguments[-1]

    def empty(self, shape, element="f32"):
        name = self.new()
        sizes = ", ".join(n.name for n in shape if isinstance(n, Unknown))
        self.add(f"{name} = tensor.empty({sizes}) : {typed(shape, element)}")
        return (name, tuple(shape), element)

    def result(self, value, array, exact=False):
        """`value` is `array`, rounded to its type."""
        with np.errstate(all="ignore"):
            self.data[value[0]] = np.asarray(array).astype(DTYPES[value[2]])
        assert self.data[value[0]].shape == tuple(map(int, value[1])), (value, self.data[value[0]].shape)
        if exact or value[2] == "i32":
            self.exact.add(value[0])
        self.values.append(value)
        return value

    def of(self, value):
        """As exact as numpy can."""
        array = self.data[value[0]]
        return array.astype(np.float64) if array.dtype.kind == "f" else array

    def is_exact(self, *values):
        return all(v[0] in self.exact for v in values)

    def shape(self, lowest=1, highest=4):
        """Of a new argument."""
        for _ in range(100):
            shape = [self.random.choice(self.pool + [1] * self.chance(.15))
                     for _ in range(self.random.choice([r for r in (1, 2, 2, 3, 3, 4) if lowest <= r <= highest]))]
            if np.prod(shape) <= MOST_ELEMENTS:
                return [self.unknown.get(n, n) for n in shape]
        return [self.unknown.get(self.pool[0], self.pool[0])] * lowest

    def pick(self, condition=lambda v: True, lowest=1, highest=4):
        """A value, a late one more often than not; a new argument if none is as is wanted."""
        fitting = [v for v in self.values if condition(v) and lowest <= len(v[1]) <= highest]
        if fitting and not self.chance(.1):
            return fitting[-1] if self.chance(.6) else self.random.choice(fitting)
        for _ in range(20):
            value = self.argument(self.shape(lowest, highest))
            if condition(value):
                return value
        return value

    def like(self, shape, element):
        """A value of these extents in any order, and which of them each of its dimensions is."""
        for value in self.random.sample(self.values, len(self.values)):
            if value[2] == element and sorted(map(str, keys(value[1]))) == sorted(map(str, keys(shape))):
                left, order = list(range(len(shape))), []
                for n in keys(value[1]):
                    place = next(p for p in left if key(shape[p]) == n)
                    left.remove(place)
                    order.append(place)
                return value, order
        order = list(range(len(shape)))
        if self.chance(.4):
            self.random.shuffle(order)
        return self.argument([shape[p] for p in order], element), order

    def tame(self, value):
        """`value`, or a part of it that is small enough to go on with."""
        array = self.of(value)
        if value[2] == "i32" or not array.size:
            return value
        largest = np.abs(array).max()
        if largest <= 4:
            return value
        factor = 2.0 ** -np.ceil(np.log2(largest / 2))
        scale = self.constant(repr(float(factor)), value[2])
        scaled = self.map([value], f"%s = arith.mulf %a, {scale} : {value[2]}\nlinalg.yield %s : {value[2]}",
                          element=value[2])
        return self.result(scaled, array * factor)

    def yields(self, op, element, *operands):
        return f"%s = {op} {', '.join(operands)} : {element}\nlinalg.yield %s : {element}"

    # ===- For each element -------------------------------------------------=== #

    def unary(self):
        x = self.tame(self.pick())
        element, shape, array = x[2], x[1], self.of(x)
        if element == "i32":
            op, named, function = self.random.choice([("math.absi", None, np.abs), ("self", None, lambda a: a + a)])
        else:
            op, named, function = self.random.choice([
                ("math.exp", "exp", np.exp), ("math.absf", "abs", np.abs), ("arith.negf", "negf", np.negative),
                ("math.tanh", "tanh", np.tanh), ("self", "square", None), ("relu", None, lambda a: np.maximum(a, 0))])
        if op == "self":
            name = "arith.addi" if element == "i32" else "arith.mulf"
            function = (lambda a: a + a) if element == "i32" else np.square
            body = self.yields(name, element, "%a", "%a")
        elif op == "relu":
            body = self.yields("arith.maximumf", element, "%a", self.constant("0.0", element))
        else:
            body = self.yields(op, element, "%a")
        style = self.random.choice(["generic", "named", "tensor", "in place"])
        exact = self.is_exact(x) and op in ("math.absf", "arith.negf", "relu")
        if style == "named" and named:
            result = self.named(named, [x], self.empty(shape, element))
        elif style == "tensor" and "." in op:
            result = (self.new(), shape, element)
            self.add(f"{result[0]} = {op} {x[0]} : {typed(shape, element)}")
        elif style == "in place" and shape:
            loops = LETTERS[:len(shape)]
            result = self.generic(loops, [], (x, loops), body.replace("%a", "%o"))
        else:
            result = self.map([x], body, element=element)
        return self.result(result, function(array), exact)

    def binary(self):
        x = self.tame(self.pick())
        shape, element = x[1], x[2]
        kept = sorted(self.random.sample(range(len(shape)), self.random.randint(0, len(shape)))) \
            if self.chance(.4) else list(range(len(shape)))
        y, order = self.like([shape[d] for d in kept], element)
        y = self.tame(y)
        wide = self.of(y).transpose(np.argsort(order)) if order else self.of(y)
        wide = wide.reshape([int(n) if d in kept else 1 for d, n in enumerate(shape)])
        kind = "i" if element == "i32" else "f"
        op, function = self.random.choice([("add", np.add), ("sub", np.subtract), ("mul", np.multiply),
                                           ("max", np.maximum), ("min", np.minimum)])
        scalar = f"arith.{op}{kind}" if op in ("add", "sub", "mul") else \
            f"arith.{op}{'si' if kind == 'i' else 'imumf'}"
        same = kept == list(range(len(shape))) and order == kept
        style = self.random.choice(["generic", "named", "tensor", "map", "elementwise"])
        loops = LETTERS[:len(shape)]
        where = "".join(loops[kept[p]] for p in order)
        if same and style == "named":
            result = self.named(op, [x, y], self.empty(shape, element))
        elif same and style == "tensor":
            result = (self.new(), shape, element)
            self.add(f"{result[0]} = {scalar} {x[0]}, {y[0]} : {typed(shape, element)}")
        elif same and style == "map":
            result, init = self.new(), self.empty(shape, element)
            self.add(f"{result} = linalg.map {{ {scalar} }} ins({x[0]}, {y[0]} : {typed(shape, element)}, "
                     f"{typed(shape, element)}) outs({init[0]} : {typed(shape, element)})")
            result = (result, shape, element)
        elif style == "elementwise" and op in ("add", "sub", "mul"):
            dims = ", ".join(loops)
            maps = ", ".join(f"affine_map<({dims}) -> ({', '.join(m)})>" for m in (loops, where, loops))
            result = self.named("elementwise", [x, y], self.empty(shape, element),
                                f"kind=#linalg.elementwise_kind<{op}> indexing_maps = [{maps}]")
        else:
            result = self.map([x, y], self.yields(scalar, element, "%a", "%b"), shape, element, maps=[loops, where])
        return self.result(result, function(self.of(x), wide), self.is_exact(x, y) and op in ("max", "min"))

    def cast(self):
        x = self.tame(self.pick())
        to = {"f16": "f32", "f32": "f16", "i32": "f32"}[x[2]]
        if x[2] == "i32" and np.abs(self.data[x[0]]).max(initial=0) > 100:
            return self.unary()
        op = {"f16": "extf", "f32": "truncf", "i32": "sitofp"}[x[2]]
        result = self.map([x], f"%s = arith.{op} %a : {x[2]} to {to}\nlinalg.yield %s : {to}", element=to)
        return self.result(result, self.of(x), self.is_exact(x))

    def places(self):
        """Adds where the element is."""
        x = self.tame(self.pick())
        shape, element = x[1], x[2]
        dim = self.random.randrange(len(shape))
        convert = "" if element == "i32" else f"%f = arith.sitofp %n : i32 to {element}\n" \
            f"%g = arith.mulf %f, {self.constant('0.0625', element)} : {element}\n"
        add, name = ("addi", "%n") if element == "i32" else ("addf", "%g")
        result = self.map([x], f"%i = linalg.index {dim} : index\n%n = arith.index_cast %i : index to i32\n{convert}"
                          + self.yields(f"arith.{add}", element, "%a", name), element=element)
        place = np.arange(shape[dim]).reshape([-1 if d == dim else 1 for d in range(len(shape))])
        return self.result(result, self.of(x) + (place if element == "i32" else place * .0625))

    def filled(self):
        """A fill, or a constant, that others read."""
        shape = self.shape()
        number = self.random.choice([0, 1, 2, -3]) if self.element == "i32" else self.random.choice([0.0, 1.0, .5, -2.0])
        if not any(isinstance(n, Unknown) for n in shape) and self.chance(.3):
            result = (self.new(), tuple(shape), self.element)
            self.add(f"{result[0]} = arith.constant dense<{number}> : {typed(shape, self.element)}")
        else:
            result = self.fill(number, shape, self.element)
        return self.result(result, np.full([int(n) for n in shape], number), True)

    def copied(self):
        x = self.pick()
        return self.result(self.named("copy", [x], self.empty(x[1], x[2])), self.data[x[0]], self.is_exact(x))

    # ===- Reductions ------------------------------------------------------=== #

    def reduction(self):
        x = self.tame(self.pick())
        shape, element, array = x[1], x[2], self.of(x)
        axes = sorted(self.random.sample(range(len(shape)), 1 if self.chance(.7) else self.random.randint(1, len(shape))))
        count = int(np.prod([int(shape[d]) for d in axes]))
        # Of halves only short sums are exact enough.
        kinds = (["sum", "sum"] if count <= 64 or element != "f16" else []) + ["max", "min"] + (["product"] if count <= 70 and element != "f16" else [])
        kind = self.random.choice(kinds)
        if kind == "product" and element == "f32":
            # Near one, so that it stays small.
            x = self.map([x], "%t = math.tanh %a : f32\n%m = arith.mulf %t, {0} : f32\n%s = arith.addf %m, {1} : f32\n"
                         "linalg.yield %s : f32".format(self.constant("0.0625"), self.constant("1.0")))
            self.result(x, np.tanh(array) / 16 + 1)
            array = self.of(x)
        integer = element == "i32"
        start = {"sum": "0", "product": "1", "max": "-2147483648", "min": "2147483647"}[kind] if integer else \
            {"sum": "0.0", "product": "1.0", "max": "0xFC00" if element == "f16" else "0xFF800000",
             "min": "0x7C00" if element == "f16" else "0x7F800000"}[kind]
        op = {"sum": "addi", "product": "muli", "max": "maxsi", "min": "minsi"}[kind] if integer else \
            {"sum": "addf", "product": "mulf", "max": "maximumf", "min": "minimumf"}[kind]
        kept = [n for d, n in enumerate(shape) if d not in axes]
        if self.chance(.5):
            init, result = self.fill(start, kept, element), self.new()
            self.add(f"{result} = linalg.reduce {{ arith.{op} }} ins({x[0]} : {typed(shape, element)}) "
                     f"outs({init[0]} : {typed(kept, element)}) dimensions = [{', '.join(map(str, axes))}]")
            result = (result, tuple(kept), element)
        else:
            result = self.reduce(x, axes, start, self.yields(f"arith.{op}", element, "%o", "%a"))
        axes = tuple(axes)
        with np.errstate(all="ignore"):
            expected = {"sum": lambda: array.sum(axes, dtype=array.dtype), "max": lambda: array.max(axes),
                        "min": lambda: array.min(axes), "product": lambda: array.prod(axes, dtype=array.dtype)}[kind]()
        return self.result(result, expected, self.is_exact(x) and kind in ("max", "min"))

    def argmax(self):
        """The value and its place: two results of one op."""
        x = self.pick(lambda v: self.is_exact(v))
        if not self.is_exact(x):
            return self.reduction()
        shape, element = x[1], x[2]
        axis = self.random.randrange(len(shape))
        low = {"f32": NEGATIVE, "f16": "0xFC00", "i32": "-2147483648"}[element]
        kept = [n for d, n in enumerate(shape) if d != axis]
        best, place = self.fill(low, kept, element), self.fill("0", kept, "i32")
        loops = LETTERS[:len(shape)]
        dims, rest = ", ".join(loops), ", ".join(l for d, l in enumerate(loops) if d != axis)
        kinds = ", ".join('"reduction"' if d == axis else '"parallel"' for d in range(len(shape)))
        compare = "arith.cmpi sgt" if element == "i32" else "arith.cmpf ogt"
        names = self.new()
        types = f"{typed(kept, element)}, {typed(kept, 'i32')}"
        for line in (f"{names}:2 = linalg.generic {{indexing_maps = [affine_map<({dims}) -> ({dims})>, "
                     f"affine_map<({dims}) -> ({rest})>, affine_map<({dims}) -> ({rest})>], "
                     f"iterator_types = [{kinds}]}} ins({x[0]} : {typed(shape, element)}) "
                     f"outs({best[0]}, {place[0]} : {types}) {{",
                     f"^bb0(%a: {element}, %o: {element}, %p: i32):", f"  %i = linalg.index {axis} : index",
                     "  %n = arith.index_cast %i : index to i32", f"  %c = {compare}, %a, %o : {element}",
                     f"  %s = arith.select %c, %a, %o : {element}", "  %t = arith.select %c, %n, %p : i32",
                     f"  linalg.yield %s, %t : {element}, i32", f"}} -> ({types})"):
            self.add(line)
        self.result((f"{names}#0", tuple(kept), element), self.data[x[0]].max(axis), True)
        return self.result((f"{names}#1", tuple(kept), "i32"), self.data[x[0]].argmax(axis), True)

    def softmax(self):
        x = self.tame(self.pick(lambda v: v[2] == "f32", 1, 3))
        if x[2] != "f32":
            return self.unary()
        axis = self.random.randrange(len(x[1]))
        array = self.of(x)
        power = np.exp(array - array.max(axis, keepdims=True))
        if self.chance(.3):
            init, result = self.empty(x[1]), self.new()
            self.add(f"{result} = linalg.softmax dimension({axis}) ins({x[0]} : {typed(*x[1:])}) "
                     f"outs({init[0]} : {typed(*x[1:])}) -> {typed(*x[1:])}")
            result = (result, x[1], "f32")
        else:
            result = softmax_body(self, x, LETTERS[:len(x[1])], axis) if len(x[1]) <= 6 else None
        return self.result(result, power / power.sum(axis, keepdims=True))

    # ===- Contractions ----------------------------------------------------=== #

    def contraction(self):
        a = self.tame(self.pick(highest=3))
        element = a[2]
        roles = [self.random.choice("bmmkk") for _ in a[1]]
        if "k" not in roles:
            roles[self.random.randrange(len(roles))] = "k"
        left = LETTERS[:len(roles)]
        extents = dict(zip(left, a[1]))
        shared = "".join(l for l, r in zip(left, roles) if r != "m")
        own = ""
        if self.chance(.75):
            own = "n"
            extents["n"] = self.shape(1, 1)[0]
        if np.prod([int(n) for n in extents.values()]) > MOST_ITERATIONS:
            return self.reduction()
        b, order = self.like([extents[l] for l in shared + own], element)
        b = self.tame(b)
        right = "".join((shared + own)[p] for p in order)
        out = "".join(l for l, r in zip(left, roles) if r == "b") + "".join(l for l, r in zip(left, roles) if r == "m") + own
        if self.chance(.15):
            out = "".join(self.random.sample(out, len(out)))
        reduced = "".join(l for l in left if l not in out)
        shape = tuple(extents[l] for l in out)
        if np.prod([int(n) for n in shape]) > MOST_ELEMENTS:
            return self.reduction()
        # Halves that are added one by one lose what is small.
        long = np.prod([int(extents[l]) for l in reduced]) > 64
        to = "f32" if element == "f16" and (self.chance(.7) or long) else element
        zero = "0" if element == "i32" else "0.0"
        init, start = self.fill(zero, shape, to), 0
        if self.chance(.2):
            fitting = [v for v in self.values if keys(v[1]) == keys(shape) and v[2] == to]
            if fitting:
                init = self.tame(self.random.choice(fitting))
                start = self.of(init)
        # The letters of the named ops.
        plain = {}
        for name in left + own:
            role = "n" if name == "n" else roles[left.index(name)]
            plain[name] = role
        spec = ",".join("".join(plain[l] for l in part) for part in (left, right, out)) \
            if len(set(plain.values())) == len(plain) else ""
        names = {"mk,kn,mn": "matmul", "bmk,bkn,bmn": "batch_matmul", "mk,k,m": "matvec", "k,kn,n": "vecmat",
                 "k,k,": "dot", "bmk,bk,bm": "batch_matvec", "bk,bkn,bn": "batch_vecmat"}
        transposed = {"km,kn,mn": "matmul", "mk,nk,mn": "matmul", "bkm,bkn,bmn": "batch_matmul",
                      "bmk,bnk,bmn": "batch_matmul"}
        loops = out + reduced
        if spec in names and self.chance(.8):
            result = self.named(names[spec], [a, b], init)
        elif spec in transposed and self.chance(.7):
            loops = ", ".join(("bmnk" if "b" in spec else "mnk"))
            maps = ", ".join(f"affine_map<({loops}) -> ({', '.join(part)})>" for part in spec.split(","))
            result = self.named(transposed[spec], [a, b], init, f"indexing_maps = [{maps}]")
        elif element == to and self.chance(.3):
            dims = ", ".join(loops)
            maps = ", ".join(f"affine_map<({dims}) -> ({', '.join(part)})>" for part in (left, right, out))
            result = self.named("contract", [a, b], init, f"indexing_maps = [{maps}]")
        else:
            result = self.generic(f"{out} {reduced}", [(a, left), (b, right)], (init, out), self.product(element, to))
        expected = np.einsum(f"{left},{right}->{out}", self.of(a), self.of(b)) + start
        return self.result(result, expected)

    def product(self, element, to):
        if element == "i32":
            return "%p = arith.muli %a, %b : i32\n%s = arith.addi %o, %p : i32\nlinalg.yield %s : i32"
        if element == to:
            return PRODUCT.replace("f32", to)
        return ("%x = arith.extf %a : f16 to f32\n%y = arith.extf %b : f16 to f32\n%p = arith.mulf %x, %y : f32\n"
                "%s = arith.addf %o, %p : f32\nlinalg.yield %s : f32")

    def convolution(self):
        """Channels first or last, one dimension or two, or a pool."""
        x = self.tame(self.pick(lowest=2, highest=4))
        element, rank = x[2], max(1, len(x[1]) - 2)
        batch = len(x[1]) > 2
        spatial = list(x[1])[-rank:]
        kernel = [self.random.choice([1, 2, 3, 5]) for _ in spatial]
        stride = [self.random.choice([1, 1, 2, 3]) for _ in spatial]
        dilation = [self.random.choice([1, 1, 2]) for _ in spatial]
        if any(isinstance(n, Unknown) or d * (k - 1) >= n for n, k, d in zip(spatial, kernel, dilation)):
            return self.reduction()
        out = [(n - d * (k - 1) - 1) // s + 1 for n, k, s, d in zip(spatial, kernel, stride, dilation)]
        array = self.of(x)
        lead = array.shape[:-rank]
        patches = np.zeros((*lead, *out, *kernel), array.dtype)
        for place in np.ndindex(*kernel):
            cut = tuple(slice(p * d, p * d + (o - 1) * s + 1, s) for p, d, o, s in zip(place, dilation, out, stride))
            patches[(..., *[slice(None)] * len(out), *place)] = array[(..., *cut)]
        places, offsets = "xyz"[:rank], "uvw"[:rank]
        windows = [f"d_{p} * {s} + d_{o} * {d}" for p, o, s, d in zip(places, offsets, stride, dilation)]
        front = "nc"[-len(lead):]
        attributes = (f"{{dilations = dense<[{', '.join(map(str, dilation))}]> : tensor<{rank}xi64>, "
                      f"strides = dense<[{', '.join(map(str, stride))}]> : tensor<{rank}xi64>}}")
        if element != "i32" and self.chance(.4):
            low = {"f32": NEGATIVE, "f16": "0xFC00"}[element]
            shape = [*x[1][:-rank], *out]
            init, window = self.fill(low, shape, element), self.empty(kernel, element)
            if batch and rank == 2 and self.chance(.5):
                result = self.named("pooling_nchw_max", [x, window], init, attributes)
            else:
                result = self.generic(f"{front}{places} {offsets}", [(x, [*front, *windows]), (window, list(offsets))],
                                      (init, [*front, *places]), self.yields("arith.maximumf", element, "%o", "%a"))
            return self.result(result, patches.max(tuple(range(-rank, 0))), self.is_exact(x))
        filters = self.random.choice([1, 3, 4, 8])
        channels = x[1][-rank - 1]
        shape = ([x[1][0]] if batch else []) + [filters, *out]
        if np.prod([int(n) for n in shape + [channels] + kernel]) > MOST_ITERATIONS or isinstance(channels, Unknown):
            return self.reduction()
        if element == "f16" and channels * np.prod(kernel) > 64:
            return self.reduction()
        w = self.argument([filters, channels, *kernel], element)
        init = self.fill("0" if element == "i32" else "0.0", shape, element)
        name = {1: "conv_1d_ncw_fcw", 2: "conv_2d_nchw_fchw"}[rank]
        if batch and self.chance(.5):
            result = self.named(name, [x, w], init, attributes)
        else:
            first = "n" if batch else ""
            result = self.generic(f"{first}f{places} c{offsets}", [(x, [*first, "c", *windows]), (w, ["f", "c", *offsets])],
                                  (init, [*first, "f", *places]), self.product(element, element))
        lead = "n" if batch else ""
        return self.result(result, np.einsum(f"{lead}c{places}{offsets},fc{offsets}->{lead}f{places}", patches, self.of(w)))

    # ===- Moving data -----------------------------------------------------=== #

    def transpose(self):
        x = self.pick(lowest=2)
        order = self.random.sample(range(len(x[1])), len(x[1]))
        init, name = self.empty([x[1][d] for d in order], x[2]), self.new()
        self.add(f"{name} = linalg.transpose ins({x[0]} : {typed(*x[1:])}) outs({init[0]} : {typed(*init[1:])}) "
                 f"permutation = [{', '.join(map(str, order))}]")
        return self.result((name, *init[1:]), self.data[x[0]].transpose(order), self.is_exact(x))

    def broadcast(self):
        x = self.pick(highest=3)
        shape = list(x[1])
        place = self.random.randint(0, len(shape))
        shape.insert(place, self.shape(1, 1)[0])
        if np.prod([int(n) for n in shape]) > MOST_ELEMENTS:
            return self.transpose()
        init, name = self.empty(shape, x[2]), self.new()
        self.add(f"{name} = linalg.broadcast ins({x[0]} : {typed(*x[1:])}) outs({init[0]} : {typed(*init[1:])}) "
                 f"dimensions = [{place}]")
        array = np.broadcast_to(np.expand_dims(self.data[x[0]], place), [int(n) for n in shape])
        return self.result((name, *init[1:]), array, self.is_exact(x))

    def pad(self):
        x = self.pick()
        low, high = ([self.random.choice([0, 0, 1, 2, 5]) for _ in x[1]] for _ in range(2))
        shape = tuple(self.extent(f"arith.addi {n.name}, {self.index(l + h)}", n + l + h) if isinstance(n, Unknown)
                      else n + l + h for n, l, h in zip(x[1], low, high))
        if np.prod([int(n) for n in shape]) > MOST_ELEMENTS:
            return self.transpose()
        number = 7 if x[2] == "i32" else 0.5
        value, name = self.constant(number, x[2]), self.new()
        body = [f"  tensor.yield {value} : {x[2]}"]
        array = np.pad(self.data[x[0]], list(zip(low, high)), constant_values=number)
        if x[2] == "i32" and self.chance(.3):
            # The padding is where it is.
            dim = self.random.randrange(len(shape))
            body = [f"  %n = arith.index_cast %i{dim} : index to i32", "  tensor.yield %n : i32"]
            inside = np.pad(np.ones(self.data[x[0]].shape, bool), list(zip(low, high)))
            array = np.where(inside, array, np.indices(array.shape)[dim])
        ids = ", ".join(f"%i{d}: index" for d in range(len(shape)))
        for line in (f"{name} = tensor.pad {x[0]} low[{', '.join(map(str, low))}] high[{', '.join(map(str, high))}] {{",
                     f"^bb0({ids}):", *body, f"}} : {typed(*x[1:])} to {typed(shape, x[2])}"):
            self.add(line)
        return self.result((name, shape, x[2]), array, self.is_exact(x))

    def concat(self):
        x = self.pick()
        dim = self.random.randrange(len(x[1]))
        fitting = [v for v in self.values if v[2] == x[2] and len(v[1]) == len(x[1]) and
                   all(key(m) == key(n) for d, (m, n) in enumerate(zip(v[1], x[1])) if d != dim)]
        parts = [x] + self.random.choices(fitting, k=self.random.choice([1, 1, 2]))
        if self.chance(.3):
            shape = list(x[1])
            shape[dim] = self.random.choice([1, 2, 5])
            parts.append(self.argument(shape, x[2]))
        self.random.shuffle(parts)
        total = parts[0][1][dim]
        for part in parts[1:]:
            n = part[1][dim]
            total = (self.extent(f"arith.addi {self.operand(total)}, {self.operand(n)}", int(total) + int(n))
                     if isinstance(total, Unknown) or isinstance(n, Unknown) else total + n)
        shape = tuple(total if d == dim else n for d, n in enumerate(x[1]))
        if np.prod([int(n) for n in shape]) > MOST_ELEMENTS:
            return self.transpose()
        name = self.new()
        self.add(f"{name} = tensor.concat dim({dim}) {', '.join(p[0] for p in parts)} : "
                 f"({', '.join(typed(*p[1:]) for p in parts)}) -> {typed(shape, x[2])}")
        return self.result((name, shape, x[2]), np.concatenate([self.data[p[0]] for p in parts], dim), self.is_exact(*parts))

    def window(self, shape):
        """Offsets, sizes and steps within `shape`; sizes may be unknown."""
        offsets, sizes, steps = [], [], []
        for n in shape:
            if isinstance(n, Unknown):
                offset = self.random.randint(0, n - 1) if self.chance(.3) else 0
                offsets.append(offset)
                steps.append(1)
                sizes.append(self.extent(f"arith.subi {n.name}, {self.index(offset)}", n - offset) if offset else n)
                continue
            step = self.random.choice([1, 1, 1, 2, 3])
            size = self.random.randint(1, (n - 1) // step + 1)
            if self.chance(.4):
                step, size = 1, n
            offsets.append(self.random.randint(0, n - (size - 1) * step - 1))
            sizes.append(size)
            steps.append(step)
        written = f"[{', '.join(map(str, offsets))}] [{', '.join(map(text, sizes))}] [{', '.join(map(str, steps))}]"
        cut = tuple(slice(o, o + (int(n) - 1) * s + 1, s) for o, n, s in zip(offsets, sizes, steps))
        return written, sizes, cut

    def dropped(self, sizes):
        """Which dimensions a slice keeps: some of those with one element may go."""
        return [d for d, n in enumerate(sizes) if isinstance(n, Unknown) or n != 1 or self.chance(.5)] or [0]

    def extract(self):
        x = self.pick()
        written, sizes, cut = self.window(x[1])
        kept = self.dropped(sizes)
        shape, name = tuple(sizes[d] for d in kept), self.new()
        self.add(f"{name} = tensor.extract_slice {x[0]}{written} : {typed(*x[1:])} to {typed(shape, x[2])}")
        return self.result((name, shape, x[2]), self.data[x[0]][cut].reshape([int(n) for n in shape]), self.is_exact(x))

    def insert(self):
        x = self.pick()
        written, sizes, cut = self.window(x[1])
        kept = self.dropped(sizes)
        shape = tuple(sizes[d] for d in kept)
        fitting = [v for v in self.values if keys(v[1]) == keys(shape) and v[2] == x[2]]
        part = self.random.choice(fitting) if fitting else self.argument(shape, x[2])
        name = self.new()
        self.add(f"{name} = tensor.insert_slice {part[0]} into {x[0]}{written} : {typed(*part[1:])} into {typed(*x[1:])}")
        array = self.data[x[0]].copy()
        array[cut] = self.data[part[0]].reshape(array[cut].shape)
        return self.result((name, *x[1:]), array, self.is_exact(x, part))

    def collapse(self):
        x = self.pick(lowest=2)
        first = self.random.randint(0, len(x[1]) - 2)
        last = self.random.randint(first + 1, len(x[1]) - 1)
        groups = [[d] for d in range(first)] + [list(range(first, last + 1))] + [[d] for d in range(last + 1, len(x[1]))]
        shape = []
        for group in groups:
            total = x[1][group[0]]
            for d in group[1:]:
                n = x[1][d]
                total = (self.extent(f"arith.muli {self.operand(total)}, {self.operand(n)}", int(total) * int(n))
                         if isinstance(total, Unknown) or isinstance(n, Unknown) else total * n)
            shape.append(total)
        name = self.new()
        self.add(f"{name} = tensor.collapse_shape {x[0]} {groups} : {typed(*x[1:])} into {typed(shape, x[2])}")
        return self.result((name, tuple(shape), x[2]), self.data[x[0]].reshape([int(n) for n in shape]), self.is_exact(x))

    def expand(self):
        x = self.pick(highest=3)
        d = self.random.randrange(len(x[1]))
        n = x[1][d]
        factors = [f for f in range(1, int(n) + 1) if n % f == 0]
        factor = self.random.choice(factors)
        parts = [factor, int(n) // factor]
        if isinstance(n, Unknown):
            parts[1] = self.extent(f"arith.divsi {n.name}, {self.index(factor)}", parts[1])
        shape = [*x[1][:d], *parts, *x[1][d + 1:]]
        groups = [[e] for e in range(d)] + [[d, d + 1]] + [[e + 1] for e in range(d + 1, len(x[1]))]
        name = self.new()
        self.add(f"{name} = tensor.expand_shape {x[0]} {groups} output_shape [{', '.join(map(text, shape))}] : "
                 f"{typed(*x[1:])} into {typed(shape, x[2])}")
        return self.result((name, tuple(shape), x[2]), self.data[x[0]].reshape([int(m) for m in shape]), self.is_exact(x))

    def generate(self):
        """A tensor that is computed of its indices, and of another one's elements."""
        x = self.pick(lambda v: v[2] == "i32" and not any(isinstance(n, Unknown) for n in v[1]))
        shape = x[1]
        if x[2] != "i32" or any(isinstance(n, Unknown) for n in shape):
            return self.transpose()
        ids = ", ".join(f"%i{d}" for d in range(len(shape)))
        name = self.new()
        for line in (f"{name} = tensor.generate {{", f"^bb0({ids.replace(',', ': index,')}: index):",
                     f"  %x = tensor.extract {x[0]}[{ids}] : {typed(*x[1:])}", "  %n = arith.index_cast %i0 : index to i32",
                     "  %s = arith.addi %x, %n : i32", "  tensor.yield %s : i32", f"}} : {typed(*x[1:])}"):
            self.add(line)
        place = np.arange(shape[0], dtype=np.int32).reshape([-1] + [1] * (len(shape) - 1))
        return self.result((name, *x[1:]), self.data[x[0]] + place)

    # ===- The function -----------------------------------------------------=== #

    def results(self):
        """What nobody reads, and now and then something else."""
        body = "\n".join(self.lines)
        made = [v for v in self.values if v not in self.arguments]
        # Each name is there once where it is defined, but for those of several results.
        sinks = [v for v in made if len(re.findall(re.escape(v[0]) + r"\b", body)) <= ("#" not in v[0])]
        chosen = self.random.sample(sinks, min(len(sinks), 3)) or made[-1:]
        if self.chance(.2):
            chosen.append(self.random.choice(made))
        if self.chance(.05):
            chosen.append(self.random.choice(self.values))
        return chosen

    def function(self):
        results = self.results()
        body = "\n".join(self.lines)
        head = []
        for extent in self.unknown.values():
            if not re.search(extent.name + r"\b", body) and \
                    not any(key(extent) in keys(r[1]) for r in results):
                continue
            if not any(key(extent) in keys(a[1]) for a in self.arguments):
                self.argument([extent])
            name, shape, element = next(a for a in self.arguments if key(extent) in keys(a[1]))
            place = keys(shape).index(key(extent))
            head.append(f"  {extent.name} = tensor.dim {name}, {self.index(place)} : {typed(shape, element)}")
        self.lines = [f"  %c{n} = arith.constant {n} : index" for n in sorted(self.indices)] + head + self.lines
        halves = any(v[2] == "f16" for v in self.values)
        return self.operator(results, [self.data[r[0]] for r in results], 5e-2 if halves else 2e-3)


KINDS = [RandomBody.unary, RandomBody.unary, RandomBody.binary, RandomBody.binary, RandomBody.binary, RandomBody.cast,
         RandomBody.places, RandomBody.filled, RandomBody.copied, RandomBody.reduction, RandomBody.reduction,
         RandomBody.argmax, RandomBody.softmax, RandomBody.contraction, RandomBody.contraction, RandomBody.contraction,
         RandomBody.convolution, RandomBody.transpose, RandomBody.broadcast, RandomBody.pad, RandomBody.concat,
         RandomBody.extract, RandomBody.insert, RandomBody.collapse, RandomBody.expand, RandomBody.generate]


def make(seed, most=8):
    """The case of `seed`; with `most` ops, those that it begins with."""
    body = RandomBody(seed)
    chip = body.random.choice(["gfx942", "gfx1100", "sm_80", "sm_90"])
    options = f" workgroup-limit={body.random.choice([16384, 24576, 32768, 65536])}" if body.chance(.25) else ""
    for _ in range(min(body.random.randint(1, 8), most)):
        body.random.choice(KINDS)(body)
    return Case(body.function(), chip, options)


if __name__ == "__main__":
    case = make(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 8)
    print(f"// {case.chip}{case.options}\n{case.operator.text}", end="")
