# Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions on tensors as frontends write them: kept dimensions, unknown extents, small types, several results.

Graph is Body with these. steps() writes the body of a generic:

    steps("f32", "d = subf a, b", "q = mulf d, d", "s = addf o, q")

Operands are names of the body, or numbers, which become constants. `index 1` is
linalg.index; a line that begins with % stays as it is. The last line is yielded.
"""
import re

import numpy as np

from operators import TYPES, Body, Operator, typed
from random_operators import Unknown

ARITHMETIC = {"exp", "exp2", "expm1", "log", "log1p", "log2", "sin", "cos", "tanh", "sqrt", "rsqrt", "erf", "absf",
              "absi", "floor", "ceil", "roundeven", "powf", "fma", "ctpop", "trunc", "atan", "copysign", "round"}


def steps(element, *lines, result=None):
    text, count = [], 0
    def operand(name, kind):
        nonlocal count
        if not re.match(r"-?[0-9]", name):
            return name if name.startswith("%") else f"%{name}"
        count += 1
        text.append(f"%number{count} = arith.constant {name} : {kind}")
        return f"%number{count}"
    for line in lines:
        if line.startswith("%"):
            text.append(line)
            last = line.split(" = ")[0][1:]
            continue
        last, op, rest = re.match(r"(\w+) = (\w+) (.*)", line).groups()
        if op == "index":
            text.append(f"%{last} = linalg.index {rest} : index")
            continue
        names, _, kind = rest.partition(" : ")
        kind = kind or element
        names = names.split(", ")
        head = [names.pop(0)] if op.startswith("cmp") else []
        values = []
        for place, name in enumerate(names):
            values.append(operand(name, "i1" if op == "select" and place == 0 else kind.split(" to ")[0]))
        dialect = "math" if op in ARITHMETIC else "arith"
        text.append(f"%{last} = {dialect}.{op} {', '.join(head + values)} : {kind}")
    return "\n".join(text + [f"linalg.yield %{last} : {result or element}"])


def bf16(array):
    """The bits of the nearest bf16."""
    bits = np.asarray(array, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def unbf16(array):
    return (array.astype(np.uint32) << 16).view(np.float32)


SUM, PRODUCT = steps("f32", "s = addf o, a"), steps("f32", "p = mulf a, b", "s = addf o, p")
LARGEST = steps("f32", "s = maximumf o, a")
NEGATIVE = "0xFF800000"


class Graph(Body):
    """`unknown`: pairs of an argument's number and a dimension whose extent is `?`."""

    def __init__(self, *inputs, unknown=()):
        super().__init__(*inputs)
        for i, array in enumerate(inputs):
            shape = tuple(Unknown(n, f"%n{i}_{d}") if (i, d) in unknown else n for d, n in enumerate(array.shape))
            self.arguments[i] = (f"%arg{i}", shape, TYPES[array.dtype])
        for i, d in sorted(unknown):
            self.add(f"%d{i}_{d} = arith.constant {d} : index")
            self.add(f"%n{i}_{d} = tensor.dim %arg{i}, %d{i}_{d} : {typed(*self.arguments[i][1:])}")

    def computed(self, value, line):
        """An extent that `line` computes."""
        name = self.new()
        self.add(f"{name} = {line}")
        return Unknown(value, name)

    def op(self, line, shape, element="f32"):
        name = self.new()
        self.add(f"{name} = {line}")
        return (name, tuple(shape), element)

    def empty(self, shape, element="f32"):
        sizes = ", ".join(n.name for n in shape if isinstance(n, Unknown))
        return self.op(f"tensor.empty({sizes}) : {typed(shape, element)}", shape, element)

    def fill(self, number, shape, element="f32"):
        constant, empty = self.constant(number, element), self.empty(shape, element)
        return self.op(f"linalg.fill ins({constant} : {element}) outs({empty[0]} : {typed(shape, element)}) "
                       f"-> {typed(shape, element)}", shape, element)

    def constant(self, number, element="f32"):
        return number if str(number).startswith("%") else super().constant(number, element)

    def generics(self, dims, inputs, inits, body):
        """A generic of several results, named %o0, %o1, …"""
        if len(inits) == 1:
            return [self.generic(dims, inputs, inits[0], body)]
        self.generic(dims, [*inputs, *inits], inits[-1], body)
        # The text of one result, with its last inputs made outputs.
        start = max(i for i, line in enumerate(self.lines) if "linalg.generic" in line)
        name = f"%v{self.count}"
        types = [typed(*v[1:]) for v, _ in inits]
        head = self.lines[start]
        maps = re.findall(r"affine_map<\([^)]*\) -> \([^)]*\)>", head)[:-1]
        ins = f"ins({', '.join(v[0] for v, _ in inputs)} : {', '.join(typed(*v[1:]) for v, _ in inputs)}) " * bool(inputs)
        kinds = re.search(r"iterator_types = \[.*?\]", head)[0]
        self.lines[start] = (f"  {name}:{len(inits)} = linalg.generic {{indexing_maps = [{', '.join(maps)}], {kinds}}} {ins}"
                             f"outs({', '.join(v[0] for v, _ in inits)} : {', '.join(types)}) {{")
        arguments = [f"%{chr(97 + i)}: {v[2]}" for i, (v, _) in enumerate(inputs)]
        arguments += [f"%o{i}: {v[2]}" for i, (v, _) in enumerate(inits)]
        self.lines[start + 1] = f"  ^bb0({', '.join(arguments)}):"
        self.lines[-1] = f"  }} -> ({', '.join(types)})"
        return [(f"{name}#{i}", *v[1:]) for i, (v, _) in enumerate(inits)]

    def each(self, inputs, *lines, maps=None, shape=None, element=None):
        """steps() for each element; the result has the type of the first input unless told."""
        element = element or inputs[0][2]
        return self.map(inputs, steps(inputs[0][2] if inputs else element, *lines, result=element), shape, element, maps)

    def keep(self, value, axes, start=0.0, body=SUM, element=None):
        """A reduction that keeps `axes` with extent 1."""
        loops = "ijklm"[:len(value[1])]
        element = element or value[2]
        kept = "".join(l for d, l in enumerate(loops) if d not in axes)
        gone = "".join(l for d, l in enumerate(loops) if d in axes)
        shape = [1 if d in axes else n for d, n in enumerate(value[1])]
        init = self.fill(start, shape, element)
        return self.generic(f"{kept} {gone}", [(value, loops)],
                            (init, "".join("0" if d in axes else l for d, l in enumerate(loops))), body)

    def kept(self, value, axes):
        """The map that reads what keep() made."""
        return "".join("0" if d in axes else l for d, l in enumerate("ijklm"[:len(value[1])]))

    def softmax(self, value, axis=-1):
        """Maximum, difference, exponential, sum and quotient, each an op of its own."""
        axis %= len(value[1])
        loops, one = "ijklm"[:len(value[1])], self.kept(value, [axis])
        top = self.keep(value, [axis], NEGATIVE, LARGEST)
        powers = self.each([value, top], "d = subf a, b", "e = exp d", maps=[loops, one])
        total = self.keep(powers, [axis])
        return self.each([powers, total], "q = divf a, b", maps=[loops, one])

    def einsum(self, spec, left, right, element="f32", body=None):
        """A product whose operands are converted to `element`."""
        a, b, out = re.split(",|->", spec)
        extents = {**dict(zip(a, left[1])), **dict(zip(b, right[1]))}
        gone = "".join(sorted(set(a + b) - set(out)))
        lines, names = [], []
        for name, value in (("a", left), ("b", right)):
            if value[2] != element:
                lines.append(f"w{name} = {'extsi' if element[0] == 'i' else 'extf'} {name} : {value[2]} to {element}")
                name = "w" + name
            names.append(name)
        kind = element[0]
        lines += [f"p = mul{kind} {', '.join(names)}", f"s = add{kind} o, p"]
        zero = self.fill("0" if kind == "i" else "0.0", [extents[d] for d in out], element)
        return self.generic(f"{out} {gone}", [(left, a), (right, b)], (zero, out), body or steps(element, *lines))

    def transpose(self, value, order):
        init = self.empty([value[1][d] for d in order], value[2])
        return self.op(f"linalg.transpose ins({value[0]} : {typed(*value[1:])}) outs({init[0]} : {typed(*init[1:])}) "
                       f"permutation = {list(order)}", init[1], value[2])

    def broadcast(self, value, shape, dims):
        init = self.empty(shape, value[2])
        return self.op(f"linalg.broadcast ins({value[0]} : {typed(*value[1:])}) outs({init[0]} : {typed(*init[1:])}) "
                       f"dimensions = {list(dims)}", shape, value[2])

    def collapse(self, value, groups, shape):
        return self.op(f"tensor.collapse_shape {value[0]} {groups} : {typed(*value[1:])} into {typed(shape, value[2])}",
                       shape, value[2])

    def expand(self, value, groups, shape):
        sizes = ", ".join(n.name if isinstance(n, Unknown) else str(n) for n in shape)
        return self.op(f"tensor.expand_shape {value[0]} {groups} output_shape [{sizes}] : {typed(*value[1:])} into "
                       f"{typed(shape, value[2])}", shape, value[2])

    def slice(self, value, offsets, sizes, strides=None, shape=None):
        text = lambda ns: ", ".join(n.name if isinstance(n, Unknown) else str(n) for n in ns)
        shape = sizes if shape is None else shape
        return self.op(f"tensor.extract_slice {value[0]}[{text(offsets)}] [{text(sizes)}] "
                       f"[{text(strides or [1] * len(sizes))}] : {typed(*value[1:])} to {typed(shape, value[2])}",
                       shape, value[2])

    def insert(self, part, value, offsets, sizes=None, strides=None):
        text = lambda ns: ", ".join(n.name if isinstance(n, Unknown) else str(n) for n in ns)
        sizes = part[1] if sizes is None else sizes
        return self.op(f"tensor.insert_slice {part[0]} into {value[0]}[{text(offsets)}] [{text(sizes)}] "
                       f"[{text(strides or [1] * len(sizes))}] : {typed(*part[1:])} into {typed(*value[1:])}",
                       *value[1:])

    def pad(self, value, low, high, number="0.0"):
        shape = [self.computed(n + l + h, f"affine.apply affine_map<(d0) -> (d0 + {l + h})>({n.name})")
                 if isinstance(n, Unknown) and l + h else n if isinstance(n, Unknown) else n + l + h
                 for n, l, h in zip(value[1], low, high)]
        constant = self.constant(number, value[2])
        ids = ", ".join(f"%i{d}: index" for d in range(len(low)))
        return self.op(f"tensor.pad {value[0]} low{list(low)} high{list(high)} {{\n  ^bb0({ids}):\n    tensor.yield "
                       f"{constant} : {value[2]}\n  }} : {typed(*value[1:])} to {typed(shape, value[2])}", shape, value[2])

    def row_op(self, op, clauses, arguments, body, results):
        """memspace.sort and the like: `clauses` as written, `body` of steps() that yields."""
        text = body.replace("linalg.yield", "memspace.yield").replace("\n", "\n    ")
        names = ", ".join(f"%{name}: {kind}" for name, kind in arguments)
        types = ", ".join(typed(*r[1:]) for r in results)
        name = self.new()
        count = f":{len(results)}" if len(results) > 1 else ""
        self.add(f"{name}{count} = memspace.{op} {clauses} {{\n  ^bb0({names}):\n    {text}\n  }} -> {types}")
        return [(f"{name}#{i}" if count else name, *r[1:]) for i, r in enumerate(results)]

    def scan(self, value, axis, *lines, flags=""):
        """Inclusive, unless flags say otherwise."""
        out = self.empty(*value[1:])
        return self.row_op("scan", f"dimension({axis}) {flags} ins({value[0]} : {typed(*value[1:])}) "
                           f"outs({out[0]} : {typed(*out[1:])})", [("a", value[2]), ("b", value[2])],
                           steps(value[2], *lines), [out])[0]

    def scatter(self, updates, index, into, *lines, dims=(0,), flags=""):
        return self.row_op("scatter", f"scatter_dims({list(dims)}) {flags} ins({updates[0]}, {index[0]} : "
                           f"{typed(*updates[1:])}, {typed(*index[1:])}) outs({into[0]} : {typed(*into[1:])})",
                           [("a", updates[2]), ("o", into[2])], steps(updates[2], *lines), [into])[0]

    def topk(self, value, axis, k, predicate="ogt"):
        shape = [k if d == axis else n for d, n in enumerate(value[1])]
        v, i = self.empty(shape, value[2]), self.empty(shape, "i32")
        return self.row_op("topk", f"dimension({axis}) ins({value[0]} : {typed(*value[1:])}) values({v[0]} : "
                           f"{typed(*v[1:])}) indices({i[0]} : {typed(*i[1:])})", [("a", value[2]), ("b", value[2])],
                           steps(value[2], f"c = cmpf {predicate}, a, b", result="i1"), [v, i])

    def argsort(self, value, axis, predicate="olt"):
        out = self.empty(value[1], "i32")
        return self.row_op("sort_indices", f"dimension({axis}) stable ins({value[0]} : {typed(*value[1:])}) outs({out[0]} : "
                           f"{typed(*out[1:])})", [("a", value[2]), ("b", value[2])],
                           steps(value[2], f"c = cmpf {predicate}, a, b", result="i1"), [out])[0]

    def sort(self, values, axis, *lines, flags="stable"):
        """`lines` compare %a0 and %b0, the keys, … of two places."""
        outs = [self.empty(*v[1:]) for v in values]
        types = ", ".join(typed(*v[1:]) for v in values)
        arguments = [(f"{side}{i}", v[2]) for i, v in enumerate(values) for side in "ab"]
        return self.row_op("sort", f"dimension({axis}) {flags} ins({', '.join(v[0] for v in values)} : {types}) "
                           f"outs({', '.join(o[0] for o in outs)} : {types})", arguments,
                           steps(values[0][2], *lines, result="i1"), outs)

    def gather(self, source, index, shape, dims=(0,), flags=""):
        out = self.empty(shape, source[2])
        return self.op(f"memspace.gather gather_dims({list(dims)}) {flags} ins({source[0]}, {index[0]} : "
                       f"{typed(*source[1:])}, {typed(*index[1:])}) outs({out[0]} : {typed(*out[1:])}) -> "
                       f"{typed(*out[1:])}", shape, source[2])


def on_memrefs(text, inputs, outputs, tolerance=1e-4):
    """A function on memrefs that writes its last arguments."""
    return Operator(text, list(inputs), [np.asarray(o) for o in outputs], tolerance)
