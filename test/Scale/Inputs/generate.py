#!/usr/bin/env python3
"""Prints a kernel of SIZE ops in a chain, or of SIZE regions in each other.

usage: generate.py KIND SIZE
"""

import sys

WG = "#gpu.address_space<workgroup>"
ATTRS = (
    "attributes {gpu.known_block_size = array<i32: 64, 1, 1>,"
    " gpu.known_grid_size = array<i32: 1, 1, 1>}"
)

READ_BACK = [
    f"  %l = memref.load %m[%r] : memref<64xf32, {WG}>",
    "  memref.store %l, %out[%t] : memref<64xf32>",
]


def memref_kernel(lines):
    """`lines` between the definition of %t, %r, %m and the end."""
    return [
        f"func.func @k(%out: memref<64xf32>, %n: index, %c: i1, %f: f32) {ATTRS} {{",
        "  %c0 = arith.constant 0 : index",
        "  %c1 = arith.constant 1 : index",
        "  %c8 = arith.constant 8 : index",
        "  %c63 = arith.constant 63 : index",
        "  %t = gpu.thread_id x",
        "  %r = arith.subi %c63, %t : index",
        f"  %m = memref.alloc() : memref<64xf32, {WG}>",
        *lines,
        "  return",
        "}",
    ]


def tensor_kernel(lines, result):
    """`lines` from %x0 on, the tensor %x0 being the input."""
    return [
        f"func.func @k(%in: memref<64xf32>, %out: memref<64xf32>, %n: index, %c: i1) {ATTRS} {{",
        "  %c0 = arith.constant 0 : index",
        "  %c1 = arith.constant 1 : index",
        "  %c8 = arith.constant 8 : index",
        "  %x0 = bufferization.to_tensor %in restrict : memref<64xf32> to tensor<64xf32>",
        "  %e = tensor.empty() : tensor<64xf32>",
        *lines,
        f"  bufferization.materialize_in_destination {result} in restrict writable %out"
        " : (tensor<64xf32>, memref<64xf32>) -> ()",
        "  return",
        "}",
    ]


T = "tensor<64xf32>"


def elementwise(size):
    lines = [
        f"  %x{i + 1} = linalg.exp ins(%x{i} : {T}) outs(%e : {T}) -> {T}"
        for i in range(size)
    ]
    return tensor_kernel(lines, f"%x{size}")


def fills(size):
    """Each in the place of the one before."""
    lines = [
        f"  %x{i + 1} = linalg.exp ins(%x{i} : {T}) outs(%x{i} : {T}) -> {T}"
        for i in range(1, size + 1)
    ]
    return tensor_kernel(
        [f"  %x1 = linalg.copy ins(%x0 : {T}) outs(%e : {T}) -> {T}"] + lines,
        f"%x{size + 1}",
    )


def loops(size):
    """Each hands its tensor to the next."""
    lines = []
    for i in range(size):
        lines += [
            f"  %x{i + 1} = scf.for %i{i} = %c0 to %n step %c1 iter_args(%a = %x{i}) -> ({T}) {{",
            f"    %y = linalg.exp ins(%a : {T}) outs(%a : {T}) -> {T}",
            f"    scf.yield %y : {T}",
            "  }",
        ]
    return tensor_kernel(lines, f"%x{size}")


def nested_loops(size):
    """Loops in each other hand their tensor down and up."""
    lines = []
    for i in range(size):
        lines += [
            f"  %r{i} = scf.for %i{i} = %c0 to %n step %c1 iter_args(%x{i + 1} = %x{i}) -> ({T}) {{"
        ]
    lines += [
        f"  %r{size} = linalg.exp ins(%x{size} : {T}) outs(%x{size} : {T}) -> {T}"
    ]
    for i in reversed(range(size)):
        lines += [f"  scf.yield %r{i + 1} : {T}", "  }"]
    return tensor_kernel(lines, "%r0")


def exchanging_loops(size):
    """Each makes a tile in each of its four iterations, which reads the last one."""
    P = "tensor<1xf32>"

    def reverse(result, source):
        return [
            f"  %f{result} = tensor.empty() : {T}",
            f"  %{result} = scf.forall (%t) in (64) shared_outs(%o = %f{result}) -> ({T}) {{",
            "    %r = arith.subi %c63, %t : index",
            f"    %s = tensor.extract_slice %{source}[%r] [1] [1] : {T} to {P}",
            f"    %d = tensor.extract_slice %o[%t] [1] [1] : {T} to {P}",
            f"    %g = linalg.exp ins(%s : {P}) outs(%d : {P}) -> {P}",
            "    scf.forall.in_parallel {",
            f"      tensor.parallel_insert_slice %g into %o[%t] [1] [1] : {P} into {T}",
            "    }",
            "  } {mapping = [#gpu.thread<x>]}",
        ]

    lines = ["  %c4 = arith.constant 4 : index", "  %c63 = arith.constant 63 : index"]
    lines += reverse("x1", "x0")
    for i in range(1, size):
        lines += [
            f"  %x{i + 1} = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %x{i}) -> ({T}) {{",
            *reverse("y", "a"),
            f"  scf.yield %y : {T}",
            "  }",
        ]
    return tensor_kernel(lines, f"%x{size}")


def subviews(size):
    lines = [
        f"  %v0 = memref.subview %m[%c0] [64] [1] : memref<64xf32, {WG}> to memref<64xf32, strided<[1], offset: ?>, {WG}>"
    ]
    V = f"memref<64xf32, strided<[1], offset: ?>, {WG}>"
    for i in range(size):
        lines.append(
            f"  %v{i + 1} = memref.subview %v{i}[%c0] [64] [1] : {V} to {V}"
        )
    lines += [
        f"  memref.store %f, %v{size}[%t] : {V}",
        *READ_BACK,
    ]
    return memref_kernel(lines)


def casts(size):
    """Two casts are one op of the chain each."""
    S, D = f"memref<64xf32, {WG}>", f"memref<?xf32, {WG}>"
    lines = []
    name = "%m"
    for i in range(size):
        a, b = (S, D) if i % 2 == 0 else (D, S)
        lines.append(f"  %v{i} = memref.cast {name} : {a} to {b}")
        name = f"%v{i}"
    lines += [
        f"  memref.store %f, {name}[%t] : {D if size % 2 else S}",
        *READ_BACK,
    ]
    return memref_kernel(lines)


def indices(size):
    """Arithmetic of an index, of the argument and the thread."""
    lines = ["  %i0 = arith.addi %t, %n : index"]
    for i in range(size):
        op = "addi" if i % 3 else "muli"
        lines.append(f"  %i{i + 1} = arith.{op} %i{i}, %{'n' if i % 2 else 't'} : index")
    lines += [
        f"  %j = arith.remui %i{size}, %c8 : index",
        f"  memref.store %f, %m[%j] : memref<64xf32, {WG}>",
        *READ_BACK,
    ]
    return memref_kernel(lines)


def accesses(size):
    """The same two accesses again and again, with barriers between them."""
    lines = []
    for i in range(size // 4):
        lines += [
            f"  memref.store %f, %m[%t] : memref<64xf32, {WG}>",
            "  gpu.barrier",
            f"  %l{i} = memref.load %m[%r] : memref<64xf32, {WG}>",
            "  gpu.barrier",
        ]
    return memref_kernel(lines)


def conditions(size):
    """Of a branch, all of them of the thread."""
    lines = ["  %b0 = arith.cmpi slt, %t, %c8 : index"]
    for i in range(size):
        lines += [f"  %b{i + 1} = arith.andi %b{i}, %{'c' if i % 2 else 'b0'} : i1"]
    lines += [
        f"  scf.if %b{size} {{",
        f"    memref.store %f, %m[%t] : memref<64xf32, {WG}>",
        "  }",
        *READ_BACK,
    ]
    return memref_kernel(lines)


def selects(size):
    """One of two buffers again and again."""
    S = f"memref<64xf32, {WG}>"
    lines = [f"  %n0 = memref.alloc() : {S}", f"  %s0 = arith.select %c, %m, %n0 : {S}"]
    for i in range(size):
        lines += [f"  %s{i + 1} = arith.select %c, %s{i}, %n0 : {S}"]
    lines += [
        f"  memref.store %f, %s{size}[%t] : {S}",
        *READ_BACK,
    ]
    return memref_kernel(lines)


def blocks(size):
    lines = [f"  memref.store %f, %m[%t] : memref<64xf32, {WG}>", "  cf.br ^b0"]
    for i in range(size):
        lines += [f"^b{i}:", f"  cf.cond_br %c, ^b{i + 1}, ^b{size}"]
    lines += [
        f"^b{size}:",
        *READ_BACK,
    ]
    return memref_kernel(lines)


def memref_loops(size):
    """Each hands two buffers on, exchanged."""
    S = f"memref<64xf32, {WG}>"
    lines = [f"  %n0 = memref.alloc() : {S}"]
    a, b = "%m", "%n0"
    for i in range(size):
        lines += [
            f"  %p{i}:2 = scf.for %i{i} = %c0 to %n step %c1 iter_args(%a = {a}, %b = {b}) -> ({S}, {S}) {{",
            f"    scf.yield %b, %a : {S}, {S}",
            "  }",
        ]
        a, b = f"%p{i}#0", f"%p{i}#1"
    lines += [
        f"  memref.store %f, {a}[%t] : {S}",
        f"  %l = memref.load {b}[%r] : {S}",
        "  memref.store %l, %out[%t] : memref<64xf32>",
    ]
    return memref_kernel(lines)


def nested_ifs(size):
    lines = [f"  memref.store %f, %m[%t] : memref<64xf32, {WG}>"]
    lines += ["  scf.if %c {"] * size
    lines += [
        *READ_BACK,
    ]
    lines += ["  }"] * size
    return memref_kernel(lines)


def nested_fors(size):
    lines = [f"  memref.store %f, %m[%t] : memref<64xf32, {WG}>"]
    lines += [f"  scf.for %i{i} = %c0 to %n step %c1 {{" for i in range(size)]
    lines += [
        f"  %l = memref.load %m[%r] : memref<64xf32, {WG}>",
        f"  memref.store %l, %m[%t] : memref<64xf32, {WG}>",
    ]
    lines += ["  }"] * size
    return memref_kernel(lines)


KINDS = {
    f.__name__.replace("_", "-"): f
    for f in [
        elementwise,
        fills,
        loops,
        nested_loops,
        exchanging_loops,
        subviews,
        casts,
        indices,
        accesses,
        conditions,
        selects,
        blocks,
        memref_loops,
        nested_ifs,
        nested_fors,
    ]
}


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in KINDS or not sys.argv[2].isdigit():
        sys.exit(f"usage: generate.py {{{','.join(KINDS)}}} SIZE")
    print("\n".join(KINDS[sys.argv[1]](int(sys.argv[2]))))


if __name__ == "__main__":
    main()
