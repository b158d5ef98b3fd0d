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
