"""A kernel with 5000 ops that each leave the buffer, on standard output."""

load = "  %v{0} = memref.load %x[%c4] : memref<4xf32>"
print("func.func @k(%x: memref<4xf32>)")
print("    attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {")
print("  %c4 = arith.constant 4 : index")
print("\n".join(load.format(i) for i in range(5000)))
print("  return\n}")
