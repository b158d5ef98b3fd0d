# Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops and branches around more than a workgroup can do: the host keeps them."""
import numpy as np

from frontend_layers import frontend
from operators import F32, F64, Operator, uniform

N = 96
SQUARE, LINE = f"tensor<{N}x{N}xf32>", "tensor<9000xf32>"


def function(arguments, results, body):
    """@operator of `arguments` %a, %b, … with constants of the loops; `body` ends with its return."""
    names = ", ".join(f"%{name}: {type}" for name, type in zip("abcd", arguments))
    return f"""func.func @operator({names}) -> ({results}) {{
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %three = arith.constant 3 : index
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : {SQUARE}
  %f = linalg.fill ins(%z : f32) outs(%e : {SQUARE}) -> {SQUARE}
  %l = tensor.empty() : {LINE}
{body}}}
"""


def matmul(result, left, right, init="%f"):
    return f"{result} = linalg.matmul ins({left}, {right} : {SQUARE}, {SQUARE}) outs({init} : {SQUARE}) -> {SQUARE}\n"


def binary(op, result, left, right, type=SQUARE, init="%e"):
    return f"{result} = linalg.{op} ins({left}, {right} : {type}, {type}) outs({init} : {type}) -> {type}\n"


def square(rng):
    return uniform(rng, N, N, low=-.15, high=.15)


@frontend
def host_loop_powers(rng):
    a, b = square(rng), square(rng)
    text = function([SQUARE] * 2, SQUARE, f"""
  %r = scf.for %i = %zero to %three step %one iter_args(%v = %b) -> {SQUARE} {{
    {matmul('%y', '%a', '%v')}
    scf.yield %y : {SQUARE}
  }}
  return %r : {SQUARE}
""")
    return Operator(text, [a, b], [(np.linalg.matrix_power(a.astype(F64), 3) @ b).astype(F32)], 1e-3)


@frontend
def host_loop_exchange(rng):
    """Two that are carried, each of them the other's past; and what is computed before and behind."""
    a, b = uniform(rng, 9000), uniform(rng, 9000)
    text = function([LINE] * 2, f"{LINE}, {LINE}", f"""
  {binary('mul', '%p', '%a', '%b', LINE, '%l')}
  %r:2 = scf.for %i = %zero to %three step %one iter_args(%x = %p, %y = %b) -> ({LINE}, {LINE}) {{
    {binary('add', '%s', '%x', '%y', LINE, '%l')}
    scf.yield %y, %s : {LINE}, {LINE}
  }}
  {binary('sub', '%q', '%r#0', '%p', LINE, '%l')}
  return %q, %r#1 : {LINE}, {LINE}
""")
    x, y = a * b, b
    for _ in range(3):
        x, y = y, x + y
    return Operator(text, [a, b], [x - a * b, y], 1e-4)


@frontend
def host_loop_layers(rng):
    """The weights of a layer are a slice; a scalar is carried."""
    x, w = square(rng), uniform(rng, 3, N, N, low=-.15, high=.15)
    stack = f"tensor<3x{N}x{N}xf32>"
    text = function([SQUARE, stack], SQUARE, f"""
  %full = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %r:2 = scf.for %i = %zero to %three step %one iter_args(%v = %a, %scale = %full) -> ({SQUARE}, f32) {{
    %w = tensor.extract_slice %b[%i, 0, 0] [1, {N}, {N}] [1, 1, 1] : {stack} to {SQUARE}
    {matmul('%y', '%v', '%w')}
    %s = linalg.fill ins(%scale : f32) outs(%e : {SQUARE}) -> {SQUARE}
    {binary('add', '%t', '%y', '%s')}
    %next = arith.mulf %scale, %half : f32
    scf.yield %t, %next : {SQUARE}, f32
  }}
  return %r#0 : {SQUARE}
""")
    right, scale = x.astype(F64), 1.0
    for layer in w:
        right, scale = right @ layer + scale, scale / 2
    return Operator(text, [x, w], [right.astype(F32)], 1e-3)


@frontend
def host_loop_rows(rng):
    """All states, one after the other, in the result."""
    x = uniform(rng, 3, 9000)
    all = "tensor<3x9000xf32>"
    text = function([all], f"{all}, {LINE}", f"""
  %n = tensor.empty() : {all}
  %s = linalg.fill ins(%z : f32) outs(%l : {LINE}) -> {LINE}
  %r:2 = scf.for %i = %zero to %three step %one iter_args(%o = %n, %v = %s) -> ({all}, {LINE}) {{
    %w = tensor.extract_slice %a[%i, 0] [1, 9000] [1, 1] : {all} to {LINE}
    {binary('add', '%y', '%v', '%w', LINE, '%l')}
    %t = linalg.tanh ins(%y : {LINE}) outs(%l : {LINE}) -> {LINE}
    %p = tensor.insert_slice %t into %o[%i, 0] [1, 9000] [1, 1] : {LINE} into {all}
    scf.yield %p, %t : {all}, {LINE}
  }}
  return %r#0, %r#1 : {all}, {LINE}
""")
    rows, state = [], np.zeros(9000)
    for row in x:
        state = np.tanh(state + row)
        rows.append(state)
    return Operator(text, [x], [np.stack(rows).astype(F32), state.astype(F32)], 1e-4)


@frontend
def host_loop_recurrent(rng):
    """A recurrent layer: its state is carried, and a row of the result."""
    x, u, w = uniform(rng, 3, N, N), square(rng), square(rng)
    all = f"tensor<3x{N}x{N}xf32>"
    text = function([all, SQUARE, SQUARE], f"{all}, {SQUARE}", f"""
  %n = tensor.empty() : {all}
  %r:2 = scf.for %i = %zero to %three step %one iter_args(%h = %f, %o = %n) -> ({SQUARE}, {all}) {{
    %x = tensor.extract_slice %a[%i, 0, 0] [1, {N}, {N}] [1, 1, 1] : {all} to {SQUARE}
    {matmul('%p', '%x', '%b')}
    {matmul('%q', '%h', '%c', '%p')}
    %t = linalg.tanh ins(%q : {SQUARE}) outs(%e : {SQUARE}) -> {SQUARE}
    %m = tensor.insert_slice %t into %o[%i, 0, 0] [1, {N}, {N}] [1, 1, 1] : {SQUARE} into {all}
    scf.yield %t, %m : {SQUARE}, {all}
  }}
  return %r#1, %r#0 : {all}, {SQUARE}
""")
    rows, state = [], np.zeros((N, N))
    for step in x:
        state = np.tanh(step.astype(F64) @ u + state @ w)
        rows.append(state)
    return Operator(text, [x, u, w], [np.stack(rows).astype(F32), state.astype(F32)], 1e-3)


@frontend
def host_loop_nest_and_branch(rng):
    a, b = square(rng), square(rng)
    text = function([SQUARE] * 2, SQUARE, f"""
  %r = scf.for %i = %zero to %three step %one iter_args(%v = %b) -> {SQUARE} {{
    %k = scf.for %j = %zero to %i step %one iter_args(%u = %v) -> {SQUARE} {{
      {matmul('%y', '%a', '%u', '%b')}
      scf.yield %y : {SQUARE}
    }}
    %first = arith.cmpi slt, %i, %two : index
    %s = scf.if %first -> {SQUARE} {{
      {binary('sub', '%d', '%k', '%a')}
      scf.yield %d : {SQUARE}
    }} else {{
      scf.yield %k : {SQUARE}
    }}
    scf.yield %s : {SQUARE}
  }}
  return %r : {SQUARE}
""")
    right = b.astype(F64)
    for i in range(3):
        for _ in range(i):
            right = a.astype(F64) @ right + b
        right = right - a if i < 2 else right
    return Operator(text, [a, b], [right.astype(F32)], 1e-3)


@frontend
def host_loop_unknown_rows(rng):
    a, b = square(rng), uniform(rng, 37, N)
    rows = f"tensor<?x{N}xf32>"
    text = function([SQUARE, rows], rows, f"""
  %r = scf.for %i = %zero to %two step %one iter_args(%v = %b) -> {rows} {{
    %d = tensor.dim %v, %zero : {rows}
    %n = tensor.empty(%d) : {rows}
    %g = linalg.fill ins(%z : f32) outs(%n : {rows}) -> {rows}
    %y = linalg.matmul ins(%v, %a : {rows}, {SQUARE}) outs(%g : {rows}) -> {rows}
    scf.yield %y : {rows}
  }}
  return %r : {rows}
""")
    return Operator(text, [a, b], [(b.astype(F64) @ a @ a).astype(F32)], 1e-3)


@frontend
def host_loop_of_unknown_length(rng):
    """A scan over rows that nobody counts, whose states are put together; and what is read of these."""
    x = uniform(rng, 7, 17)
    rows, row = "tensor<?x17xf32>", "tensor<17xf32>"
    text = function([rows], f"{row}, {rows}, {rows}", f"""
  %n = tensor.dim %a, %zero : {rows}
  %s = arith.constant dense<0.0> : {row}
  %k = arith.constant dense<0.9> : {row}
  %all = tensor.empty(%n) : {rows}
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%h = %s, %o = %all) -> ({row}, {rows}) {{
    %x = tensor.extract_slice %a[%i, 0] [1, 17] [1, 1] : {rows} to {row}
    %d = arith.mulf %h, %k : {row}
    %u = arith.addf %d, %x : {row}
    %t = math.tanh %u : {row}
    %p = tensor.insert_slice %t into %o[%i, 0] [1, 17] [1, 1] : {row} into {rows}
    scf.yield %t, %p : {row}, {rows}
  }}
  %twice = arith.addf %r#1, %r#1 : {rows}
  return %r#0, %r#1, %twice : {row}, {rows}, {rows}
""")
    states = []
    for i in range(7):
        states.append(np.tanh((states[-1] if i else 0) * .9 + x[i].astype(F64)))
    return Operator(text, [x], [states[-1].astype(F32), np.array(states, F32), 2 * np.array(states, F32)], 1e-4)
