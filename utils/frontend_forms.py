# Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""More of frontend_layers.py: forms that have little to do with what is computed."""
import numpy as np

from frontend_layers import define, frontend
from operators import F32, F64, Operator, uniform

ROWS = "tensor<?x6xf32>"
EACH = ('indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, 0)>, affine_map<(i, j) -> (i, j)>], '
        'iterator_types = ["parallel", "parallel"]')
SUM = ('indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, 0)>], '
       'iterator_types = ["parallel", "reduction"]')


@frontend
def form_used_twice_each(rng):
    """Each of twelve tensors is used twice by the next one."""
    x = uniform(rng, 9, 32, low=0.0)
    lines, value, right = [], "%x", x.astype(F64)
    for i in range(12):
        lines.append(f"""
  %u{i} = linalg.generic {{{SUM}}} ins({value} : tensor<9x32xf32>) outs(%f : tensor<9x1xf32>) {{
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  }} -> tensor<9x1xf32>
  %d{i} = linalg.generic {{{EACH}}} ins({value}, %u{i} : tensor<9x32xf32>, tensor<9x1xf32>) outs(%e : tensor<9x32xf32>) {{
  ^bb0(%a: f32, %b: f32, %o: f32):
    %q = arith.divf %a, %b : f32
    %s = math.exp %q : f32
    linalg.yield %s : f32
  }} -> tensor<9x32xf32>""")
        value, right = f"%d{i}", np.exp(right / right.sum(1, keepdims=True))
    text = f"""func.func @operator(%x: tensor<9x32xf32>) -> tensor<9x32xf32> {{
  %z = arith.constant 0.0 : f32
  %t = tensor.empty() : tensor<9x1xf32>
  %f = linalg.fill ins(%z : f32) outs(%t : tensor<9x1xf32>) -> tensor<9x1xf32>
  %e = tensor.empty() : tensor<9x32xf32>{"".join(lines)}
  return {value} : tensor<9x32xf32>
}}
"""
    return Operator(text, [x], [right.astype(F32)], 1e-4)


@frontend
def form_least_by_comparison(rng):
    """NaN is no less than anything; long enough for several workgroups."""
    x = uniform(rng, 50021)
    x[[0, 17, 40000]] = np.nan
    text = """func.func @operator(%x: tensor<50021xf32>) -> tensor<f32> {
  %z = arith.constant 0x7F800000 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<50021xf32>) outs(%f : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %c = arith.cmpf olt, %a, %o : f32
    %s = arith.select %c, %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}
"""
    return Operator(text, [x], [np.nanmin(x)], 0)


@frontend
def form_helpers(rng):
    """As JAX writes them: private functions, one of which calls another."""
    x = uniform(rng, 7, 13)
    text = """func.func @operator(%x: tensor<7x13xf32>) -> tensor<7x13xf32> {
  %a = call @twice(%x) : (tensor<7x13xf32>) -> tensor<7x13xf32>
  %b = call @half(%a) : (tensor<7x13xf32>) -> tensor<7x13xf32>
  return %b : tensor<7x13xf32>
}
func.func private @twice(%x: tensor<7x13xf32>) -> tensor<7x13xf32> {
  %a = call @half(%x) : (tensor<7x13xf32>) -> tensor<7x13xf32>
  %e = tensor.empty() : tensor<7x13xf32>
  %s = linalg.add ins(%a, %x : tensor<7x13xf32>, tensor<7x13xf32>) outs(%e : tensor<7x13xf32>) -> tensor<7x13xf32>
  return %s : tensor<7x13xf32>
}
func.func private @half(%x: tensor<7x13xf32>) -> tensor<7x13xf32> {
  %c = arith.constant 0.5 : f32
  %e = tensor.empty() : tensor<7x13xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<7x13xf32>) -> tensor<7x13xf32>
  %s = linalg.mul ins(%x, %f : tensor<7x13xf32>, tensor<7x13xf32>) outs(%e : tensor<7x13xf32>) -> tensor<7x13xf32>
  return %s : tensor<7x13xf32>
}
"""
    return Operator(text, [x], [x * 0.75], 1e-6)


@frontend
def form_extents_forgotten(rng):
    """The type of the result says less than that of what it is."""
    x = uniform(rng, 7, 13)
    text = """func.func @operator(%x: tensor<7x13xf32>) -> tensor<?x?xf32> {
  %e = tensor.empty() : tensor<7x13xf32>
  %r = linalg.exp ins(%x : tensor<7x13xf32>) outs(%e : tensor<7x13xf32>) -> tensor<7x13xf32>
  %c = tensor.cast %r : tensor<7x13xf32> to tensor<?x?xf32>
  return %c : tensor<?x?xf32>
}
"""
    return Operator(text, [x], [np.exp(x)], 1e-5)


@frontend
def form_loop_of_three_results(rng):
    """Two have one shape, so that one kernel gives both."""
    x, y = uniform(rng, 5, 5, low=-0.01, high=0.01), uniform(rng, 5, 5, low=-0.01, high=0.01)
    text = """func.func @operator(%x: tensor<5x5xf32>, %y: tensor<5x5xf32>) -> (tensor<5x5xf32>, tensor<5x5xf32>, tensor<5xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.constant 9 : index
  %z = arith.constant 0.0 : f32
  %t = tensor.empty() : tensor<5xf32>
  %f = linalg.fill ins(%z : f32) outs(%t : tensor<5xf32>) -> tensor<5xf32>
  %r:3 = scf.for %i = %zero to %n step %one iter_args(%a = %x, %b = %y, %c = %f)
      -> (tensor<5x5xf32>, tensor<5x5xf32>, tensor<5xf32>) {
    %e = tensor.empty() : tensor<5x5xf32>
    %s = linalg.add ins(%a, %b : tensor<5x5xf32>, tensor<5x5xf32>) outs(%e : tensor<5x5xf32>) -> tensor<5x5xf32>
    %d = linalg.reduce ins(%a : tensor<5x5xf32>) outs(%c : tensor<5xf32>) dimensions = [1]
      (%in: f32, %out: f32) {
        %u = arith.addf %in, %out : f32
        linalg.yield %u : f32
      }
    scf.yield %b, %s, %d : tensor<5x5xf32>, tensor<5x5xf32>, tensor<5xf32>
  }
  return %r#0, %r#1, %r#2 : tensor<5x5xf32>, tensor<5x5xf32>, tensor<5xf32>
}
"""
    a, b, c = x.astype(F64), y.astype(F64), np.zeros(5)
    for _ in range(9):
        a, b, c = b, a + b, c + a.sum(1)
    return Operator(text, [x, y], [a.astype(F32), b.astype(F32), c.astype(F32)], 1e-4)


def extent(name, body, rows):
    """Fills as many rows as `body` computes of the extents %n and %m of the arguments, in i64 %ni and %mi."""
    text = f"""func.func @operator(%x: {ROWS}, %y: {ROWS}) -> {ROWS} {{
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : i64
  %four = arith.constant 4 : i64
  %n = tensor.dim %x, %zero : {ROWS}
  %m = tensor.dim %y, %zero : {ROWS}
  %ni = arith.index_cast %n : index to i64
  %mi = arith.index_cast %m : index to i64
  {body}
  %e = tensor.empty(%r) : {ROWS}
  %k = arith.constant 1.5 : f32
  %f = linalg.fill ins(%k : f32) outs(%e : {ROWS}) -> {ROWS}
  return %f : {ROWS}
}}
"""
    define("form_extent_" + name, lambda rng: Operator(text, [uniform(rng, 21, 6), uniform(rng, 8, 6)],
                                                       [np.full((rows, 6), 1.5, F32)], 0))


extent("sum", "%s = arith.addi %ni, %mi : i64\n  %r = arith.index_cast %s : i64 to index", 29)
extent("windows", "%d = arith.subi %ni, %four : i64\n  %q = arith.floordivsi %d, %four : i64\n"
       "  %s = arith.addi %q, %one : i64\n  %r = arith.index_cast %s : i64 to index", 5)
extent("product", "%p = arith.muli %ni, %mi : i64\n  %q = arith.divsi %p, %four : i64\n"
       "  %r = arith.index_cast %q : i64 to index", 42)
extent("greater", "%r = arith.maxsi %n, %m : index", 21)
extent("broadcast", "%c = arith.cmpi eq, %mi, %one : i64\n  %r = arith.select %c, %m, %n : index", 21)


def sums(name, shape, inputs, maps, iterators, kept, expected):
    """A long sum over loops that are no neighbours in memory, in parts by workgroups."""
    def make(rng):
        values = [uniform(rng, *each) for each in inputs]
        types = [f"tensor<{'x'.join(map(str, each))}xf32>" for each in inputs]
        args = ", ".join(f"%x{i}: {each}" for i, each in enumerate(types))
        names = ", ".join(f"%x{i}" for i in range(len(types)))
        product = ("    %p = arith.mulf %a0, %a1 : f32\n" if len(types) == 2 else "")
        blocks = ", ".join(f"%a{i}: f32" for i in range(len(types)))
        all_maps = ", ".join(f"affine_map<({shape}) -> ({each})>" for each in maps)
        result = f"tensor<{kept}xf32>" if kept else "tensor<f32>"
        text = f"""func.func @operator({args}) -> {result} {{
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : {result}
  %f = linalg.fill ins(%z : f32) outs(%e : {result}) -> {result}
  %r = linalg.generic {{indexing_maps = [{all_maps}], iterator_types = [{iterators}]}}
      ins({names} : {", ".join(types)}) outs(%f : {result}) {{
  ^bb0({blocks}, %o: f32):
{product}    %s = arith.addf %o, {"%p" if product else "%a0"} : f32
    linalg.yield %s : f32
  }} -> {result}
  return %r : {result}
}}
"""
        wide = [each.astype(F64) for each in values]
        return Operator(text, values, [np.asarray(expected(*wide)).astype(F32)], 2e-3)

    define(name, make)


sums("form_sum_around_unit", "j, i, k", [(600, 1, 601)], ["i, j, k", "j"],
     '"parallel", "reduction", "reduction"', 1, lambda x: x.sum((0, 2)))
sums("form_sum_with_row", "i, j", [(1009, 300), (300,)], ["i, j", "j", ""],
     '"reduction", "reduction"', None, lambda x, y: (x * y).sum())
sums("form_sum_of_channels", "c, n, i, j", [(48, 3, 77, 79)], ["n, c, i, j", "c"],
     '"parallel", "reduction", "reduction", "reduction"', 3, lambda x: x.sum((0, 2, 3)))
