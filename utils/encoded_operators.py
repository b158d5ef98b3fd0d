# Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Untiled operators whose tensors have layout encodings (docs/encodings.md).

Importing this adds them to the OPERATORS of operators.py. What they compute does not
depend on the layouts that a chip resolves the encodings to.
"""
import numpy as np

from operators import F32, TYPES, Operator, define, tensor, typed, uniform


def encoded(shape, element, encoding):
    return typed(shape, element)[:-1] + f", {encoding}>"


class Matmul:
    """One product, with its operands' encodings."""

    def __init__(self, number, m, n, k, factor):
        self.number, self.m, self.n, self.k, self.factor = number, m, n, k, factor
        self.shapes = {"lhs": (m, k), "rhs": (k, n), "acc": (m, n)}

    def element(self, role):
        return "f32" if role == "acc" else self.factor

    def aliases(self):
        for role in self.shapes:
            yield (f"#{role}{self.number} = #memspace.matmul_operand<{role}, "
                   f"types = [{self.factor}, {self.factor}, f32], sizes = [{self.m}, {self.n}, {self.k}]>")

    def type(self, role):
        return encoded(self.shapes[role], self.element(role), f"#{role}{self.number}")

    def encode(self, value, role):
        name = f"%{role}{self.number}"
        plain = typed(self.shapes[role], self.element(role))
        return [f"{name}e = tensor.empty() : {self.type(role)}",
                f"{name} = memspace.encode ins({value} : {plain}) outs({name}e : {self.type(role)})"]

    def lines(self, lhs, rhs):
        """The product as %rN, row-major."""
        n, acc = self.number, self.type("acc")
        plain = typed(self.shapes["acc"])
        return self.encode(lhs, "lhs") + self.encode(rhs, "rhs") + [
            f"%acc{n}e = tensor.empty() : {acc}",
            f"%acc{n} = linalg.fill ins(%zero : f32) outs(%acc{n}e : {acc}) -> {acc}",
            f"%m{n} = linalg.matmul ins(%lhs{n}, %rhs{n} : {self.type('lhs')}, {self.type('rhs')}) "
            f"outs(%acc{n} : {acc}) -> {acc}",
            f"%r{n}e = tensor.empty() : {plain}",
            f"%r{n} = memspace.encode ins(%m{n} : {acc}) outs(%r{n}e : {plain})"]


def program(aliases, arguments, result, lines):
    signature = ", ".join(f"%a{i}: {tensor(a)}" for i, a in enumerate(arguments))
    return "\n".join([*aliases, "#id = affine_map<(m, n) -> (m, n)>",
                      f"func.func @operator({signature}) -> {result} {{", "  %zero = arith.constant 0.0 : f32",
                      *("  " + line for line in lines), "}", ""])


def relu(value, name, shape, element):
    """max(value, 0) as %name, of another element type."""
    result = typed(shape, element)
    cast = [] if element == "f32" else [f"  %t = arith.truncf %y : f32 to {element}"]
    return [f"{name}e = tensor.empty() : {result}",
            f'{name} = linalg.generic {{indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}} '
            f"ins({value} : {typed(shape)}) outs({name}e : {result}) {{",
            f"^bb0(%x: f32, %o: {element}):", "  %y = arith.maximumf %x, %zero : f32", *cast,
            f"  linalg.yield %{'t' if cast else 'y'} : {element}", f"}} -> {result}"]


def chain(name, m, k, n, p, dtype=F32):
    """matmul -> elementwise -> matmul."""
    def make(rng):
        a, b, c = (uniform(rng, *shape, dtype=dtype) for shape in ((m, k), (k, n), (n, p)))
        element = TYPES[a.dtype]
        first, second = Matmul(1, m, n, k, element), Matmul(2, m, p, n, element)
        lines = first.lines("%a0", "%a1") + relu("%r1", "%h", (m, n), element) + second.lines("%h", "%a2")
        text = program([*first.aliases(), *second.aliases()], [a, b, c], typed((m, p)),
                       lines + [f"return %r2 : {typed((m, p))}"])
        hidden = np.maximum(a.astype(F32) @ b.astype(F32), 0).astype(dtype)
        return Operator(text, [a, b, c], [hidden.astype(F32) @ c.astype(F32)], 1e-4 if dtype == F32 else 2e-2)
    define(name, make)


chain("encoded_chain", 64, 32, 96, 48)
chain("encoded_chain_padded", 30, 21, 50, 19)
chain("encoded_chain_narrow", 1, 40, 33, 5)
chain("encoded_chain_f16", 48, 32, 64, 32, np.float16)
chain("encoded_chain_f16_padded", 17, 20, 30, 10, np.float16)


def relayouts(name, shape, layouts):
    """Through all layouts and back, with something computed in each, and a sum over padding."""
    def make(rng):
        x = uniform(rng, *shape)
        aliases = [f"#l{i} = #memspace.tiled_layout<{layout}>" for i, layout in enumerate(layouts)]
        lines, value, before = [], "%a0", typed(shape)
        for i in range(len(layouts)):
            there = encoded(shape, "f32", f"#l{i}")
            lines += [f"%e{i} = tensor.empty() : {there}",
                      f"%t{i} = memspace.encode ins({value} : {before}) outs(%e{i} : {there})",
                      f'%s{i} = linalg.generic {{indexing_maps = [#id, #id], iterator_types = ["parallel", '
                      f'"parallel"]}} ins(%t{i} : {there}) outs(%e{i} : {there}) {{',
                      "^bb0(%x: f32, %o: f32):", "  %n = linalg.index 1 : index",
                      "  %i = arith.index_cast %n : index to i32", "  %f = arith.sitofp %i : i32 to f32",
                      "  %y = arith.addf %x, %f : f32", "  linalg.yield %y : f32", f"}} -> {there}"]
            value, before = f"%s{i}", there
        rows = f"tensor<{shape[0]}xf32>"
        lines += [f"%q = tensor.empty() : {rows}",
                  f"%z = linalg.fill ins(%zero : f32) outs(%q : {rows}) -> {rows}",
                  f"%sum = linalg.generic {{indexing_maps = [#id, affine_map<(m, n) -> (m)>], iterator_types = "
                  f'["parallel", "reduction"]}} ins({value} : {before}) outs(%z : {rows}) {{',
                  "^bb0(%x: f32, %o: f32):", "  %y = arith.addf %x, %o : f32", "  linalg.yield %y : f32",
                  f"}} -> {rows}", f"%p = tensor.empty() : {typed(shape)}",
                  f"%r = memspace.encode ins({value} : {before}) outs(%p : {typed(shape)})",
                  f"return %r, %sum : {typed(shape)}, {rows}"]
        moved = x + len(layouts) * np.arange(shape[1], dtype=F32)
        return Operator(program(aliases, [x], f"({typed(shape)}, {rows})", lines), [x],
                        [moved, moved.sum(axis=1, dtype=np.float64).astype(F32)], 1e-4)
    define(name, make)


relayouts("encoded_relayouts", (32, 64), [
    "inner_dims_pos = [0, 1], inner_tiles = [16, 8]",
    "inner_dims_pos = [1, 0], inner_tiles = [4, 4], outer_dims_perm = [1, 0]",
    "outer_dims_perm = [1, 0]"])
relayouts("encoded_relayouts_padded", (30, 21), [
    "inner_dims_pos = [0, 1], inner_tiles = [16, 8]",
    "inner_dims_pos = [1, 0], inner_tiles = [5, 4], padding_multiples = [8, 1]",
    "inner_dims_pos = [0], inner_tiles = [6], outer_dims_perm = [1, 0]"])
relayouts("encoded_relayouts_row", (1, 37), [
    "padding_multiples = [4, 1]", "inner_dims_pos = [0, 1], inner_tiles = [2, 8]"])


class RandomProgram:
    """Ops on one tensor that goes from layout to layout, of a seed."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.aliases, self.lines, self.count = [], [], 0
        self.inputs = []

    def pick(self, low, high):
        return int(self.rng.integers(low, high + 1))

    def new(self):
        self.count += 1
        return f"%v{self.count}"

    def layout(self, shape):
        """The type of a tensor with a layout that often pads, and often changes nothing."""
        rank = len(shape)
        parts = []
        tiled = [d for d in self.rng.permutation(rank) if self.pick(0, 1)]
        if tiled:
            tiles = [[1, 2, 4, 8, 5, shape[d]][self.pick(0, 5)] for d in tiled]
            parts += [f"inner_dims_pos = {[int(d) for d in tiled]}", f"inner_tiles = {tiles}"]
        if self.pick(0, 1):
            parts.append(f"outer_dims_perm = {[int(d) for d in self.rng.permutation(rank)]}")
        if self.pick(0, 3) == 0:
            parts.append(f"padding_multiples = {[self.pick(1, 6) for _ in shape]}")
        if self.pick(0, 4) == 0:
            return typed(shape)
        self.aliases.append(f"#r{len(self.aliases)} = #memspace.tiled_layout<{', '.join(parts)}>")
        return encoded(shape, "f32", f"#r{len(self.aliases) - 1}")

    def empty(self, type_):
        name = self.new()
        self.lines.append(f"{name} = tensor.empty() : {type_}")
        return name

    def encode(self, value, old, new):
        dest, name = self.empty(new), self.new()
        self.lines.append(f"{name} = memspace.encode ins({value} : {old}) outs({dest} : {new})")
        return name

    def argument(self, shape):
        self.inputs.append(uniform(self.rng, *shape))
        return f"%a{len(self.inputs) - 1}", self.inputs[-1].astype(np.float64)

    def generic(self, operands, maps, iterators, init, type_, body):
        """`operands`: values and types; the last map is that of the result."""
        rank = len(iterators)
        dims = ", ".join(f"d{i}" for i in range(rank))
        texts = [f"affine_map<({dims}) -> ({', '.join(f'd{i}' for i in m)})>" for m in maps]
        name = self.new()
        ins = f"ins({', '.join(v for v, _ in operands)} : {', '.join(t for _, t in operands)}) " if operands else ""
        arguments = ", ".join([f"%x{i}: f32" for i in range(len(operands))] + ["%o: f32"])
        quoted = ", ".join(f'"{i}"' for i in iterators)
        self.lines += [f"{name} = linalg.generic {{indexing_maps = [{', '.join(texts)}], iterator_types = "
                       f"[{quoted}]}} {ins}outs({init} : {type_}) {{", f"^bb0({arguments}):", *body, f"}} -> {type_}"]
        return name

    def make(self):
        shape = [[1, 3, 4, 8, 12, 15, 16][self.pick(0, 6)] for _ in range(self.pick(1, 3))]
        value, expected = self.argument(shape)
        type_ = typed(shape)
        for _ in range(self.pick(2, 5)):
            rank = len(shape)
            every = list(range(rank))
            parallel = ["parallel"] * rank
            step = self.pick(0, 5)
            if step <= 1:
                new = self.layout(shape)
                value, type_ = self.encode(value, type_, new), new
            elif step == 2:  # the index of an element; the result in another layout, perhaps
                new = self.layout(shape) if self.pick(0, 1) else type_
                dim = self.pick(0, rank - 1)
                value = self.generic([(value, type_)], [every, every], parallel, self.empty(new), new, [
                    f"  %n = linalg.index {dim} : index", "  %i = arith.index_cast %n : index to i32",
                    "  %f = arith.sitofp %i : i32 to f32", "  %y = arith.addf %x0, %f : f32",
                    "  linalg.yield %y : f32"])
                type_ = new
                expected = expected + np.arange(shape[dim]).reshape([-1 if d == dim else 1 for d in every])
            elif step == 3:  # a part of the dimensions, in a layout of its own
                kept = [d for d in every if self.pick(0, 1)]
                other, array = self.argument([shape[d] for d in kept])
                other_type = self.layout([shape[d] for d in kept]) if kept else typed([])
                if other_type != typed([shape[d] for d in kept]):
                    other = self.encode(other, typed([shape[d] for d in kept]), other_type)
                value = self.generic([(value, type_), (other, other_type)], [every, kept, every], parallel,
                                     self.empty(type_), type_,
                                     ["  %y = arith.mulf %x0, %x1 : f32", "  linalg.yield %y : f32"])
                expected = expected * array.reshape([shape[d] if d in kept else 1 for d in every])
            elif step == 4:  # a permutation
                order = [int(d) for d in self.rng.permutation(rank)]
                shape = [shape[d] for d in order]
                new = self.layout(shape)
                inverse = [order.index(d) for d in every]
                value = self.generic([(value, type_)], [inverse, every], parallel, self.empty(new), new,
                                     ["  linalg.yield %x0 : f32"])
                type_, expected = new, expected.transpose(order)
            elif rank > 1:  # along one or two dimensions, from an init that counts
                gone = sorted(int(d) for d in self.rng.permutation(rank)[:self.pick(1, rank - 1)])
                left = [d for d in every if d not in gone]
                small = [shape[d] for d in left]
                new = self.layout(small)
                init, array = self.argument(small)
                if new != typed(small):
                    init = self.encode(init, typed(small), new)
                iterators = ["reduction" if d in gone else "parallel" for d in every]
                in_order = self.pick(0, 1)  # each element counts half of the next
                half = ["  %c = arith.constant 0.5 : f32", "  %h = arith.mulf %o, %c : f32"] if in_order else []
                value = self.generic([(value, type_)], [every, left], iterators, init, new,
                                     [*half, f"  %y = arith.addf %x0, {'%h' if in_order else '%o'} : f32",
                                      "  linalg.yield %y : f32"])
                for part in expected.transpose(gone + left).reshape([-1, *small]):
                    array = part + array * (0.5 if in_order else 1)
                shape, type_, expected = small, new, array
        if type_ != typed(shape):
            value = self.encode(value, type_, typed(shape))
        self.lines.append(f"return {value} : {typed(shape)}")
        text = program(self.aliases, self.inputs, typed(shape), self.lines)
        return Operator(text, self.inputs, [expected.astype(F32)], 1e-4)


def random_encoded(seed):
    return RandomProgram(seed).make()
