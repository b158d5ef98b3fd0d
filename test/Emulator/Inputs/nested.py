"""A kernel of 100000 regions in each other, on standard output."""

depth = 100000
print("func.func @k(%c: i1)")
print("    attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {")
print("scf.if %c {\n" * depth + "}\n" * depth)
print("  return\n}")
