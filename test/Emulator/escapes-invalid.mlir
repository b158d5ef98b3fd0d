// RUN: rm -rf %t && split-file %s %t
// RUN: %each-refused %t

// A kernel runs in the process of the emulator. What could read, write, jump or
// call outside of the emulated memory, or end the process, is refused at the op
// that would: one diagnostic, nothing is run.

//--- assembly.mlir
// CHECK: .mlir:[[#@LINE+3]]:{{[0-9]+}}: error: 'llvm.inline_asm' is not emulated: of LLVM's ops only those on values are; run the kernel before it is lowered to LLVM{{$}}
// CHECK-NOT: races:
func.func @k(%x: memref<4xf32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  llvm.inline_asm has_side_effects "int3", "" : () -> ()
  return
}

//--- trap.mlir
// CHECK: .mlir:[[#@LINE+3]]:{{[0-9]+}}: error: 'llvm.intr.trap' is not emulated
// CHECK-NOT: races:
func.func @k(%x: memref<4xf32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  "llvm.intr.trap"() : () -> ()
  return
}

//--- debugtrap.mlir
// CHECK: .mlir:[[#@LINE+3]]:{{[0-9]+}}: error: 'llvm.intr.debugtrap' is not emulated
// CHECK-NOT: races:
func.func @k(%x: memref<4xf32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  "llvm.intr.debugtrap"() : () -> ()
  return
}

//--- assume.mlir
// CHECK: .mlir:[[#@LINE+4]]:{{[0-9]+}}: error: 'llvm.intr.assume' is not emulated
// CHECK-NOT: races:
func.func @k(%x: memref<4xf32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %never = llvm.mlir.constant(false) : i1
  llvm.intr.assume %never : i1
  return
}

//--- unreachable.mlir
// CHECK: .mlir:[[#@LINE+3]]:{{[0-9]+}}: error: 'llvm.unreachable' is not emulated
// CHECK-NOT: races:
func.func @k(%x: memref<4xf32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  llvm.unreachable
}

//--- undefined-behaviour.mlir
// CHECK: .mlir:[[#@LINE+3]]:{{[0-9]+}}: error: 'ub.unreachable' is not emulated; lower it to gpu, memref or vector ops first{{$}}
// CHECK-NOT: races:
func.func @k(%x: memref<4xf32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  ub.unreachable
}

//--- forged-block.mlir
// CHECK: .mlir:[[#@LINE+4]]:{{[0-9]+}}: error: 'llvm.inttoptr' is not emulated
// CHECK-NOT: races:
func.func @k(%x: memref<4xf32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %n = llvm.mlir.constant(4096 : i64) : i64
  %p = llvm.inttoptr %n : i64 to !llvm.ptr
  llvm.indirectbr %p : !llvm.ptr, [ ^next ]
^next:
  return
}

//--- vector-predication-store.mlir
// CHECK: .mlir:[[#@LINE+5]]:{{[0-9]+}}: error: 'llvm.intr.stacksave' is not emulated
// CHECK-NOT: races:
func.func @k(%x: memref<4xf32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %mask = arith.constant dense<true> : vector<4xi1>
  %value = arith.constant dense<1.0> : vector<4xf32>
  %stack = llvm.intr.stacksave : !llvm.ptr
  %n = llvm.mlir.constant(4 : i32) : i32
  "llvm.intr.vp.store"(%value, %stack, %mask, %n) : (vector<4xf32>, !llvm.ptr, vector<4xi1>, i32) -> ()
  return
}

//--- vector-predication-load.mlir
// CHECK: .mlir:[[#@LINE+5]]:{{[0-9]+}}: error: 'llvm.mlir.zero' has a value of type '!llvm.ptr', which is not emulated; use numbers, vectors or memrefs of them{{$}}
// CHECK-NOT: races:
func.func @k(%x: memref<4xi32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %mask = arith.constant dense<true> : vector<4xi1>
  %null = llvm.mlir.zero : !llvm.ptr
  %n = llvm.mlir.constant(4 : i32) : i32
  %value = "llvm.intr.vp.load"(%null, %mask, %n) : (!llvm.ptr, vector<4xi1>, i32) -> vector<4xi32>
  vector.store %value, %x[%c0] : memref<4xi32>, vector<4xi32>
  return
}

//--- intrinsic-by-name.mlir
// CHECK: .mlir:[[#@LINE+4]]:{{[0-9]+}}: error: 'llvm.call_intrinsic' is not emulated
// CHECK-NOT: races:
func.func @k(%x: memref<4xi64>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %depth = llvm.mlir.constant(0 : i32) : i32
  %address = llvm.call_intrinsic "llvm.returnaddress"(%depth) : (i32) -> !llvm.ptr
  return
}

//--- matrix-store.mlir
// CHECK: .mlir:[[#@LINE+5]]:{{[0-9]+}}: error: 'llvm.inttoptr' is not emulated
// CHECK-NOT: races:
func.func @k(%x: memref<4xf32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %value = arith.constant dense<1.0> : vector<4xf32>
  %n = llvm.mlir.constant(4096 : i64) : i64
  %p = llvm.inttoptr %n : i64 to !llvm.ptr
  llvm.intr.matrix.column.major.store %value, %p, <stride = %n> {columns = 2 : i32, isVolatile = false, rows = 2 : i32} : vector<4xf32> to !llvm.ptr stride i64
  return
}

//--- forged-pointer.mlir
// The address of a buffer is a number like others.
// CHECK: .mlir:[[#@LINE+5]]:{{[0-9]+}}: error: 'llvm.inttoptr' is not emulated
// CHECK-NOT: races:
func.func @k(%x: memref<4xi64>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %address = memref.extract_aligned_pointer_as_index %x : memref<4xi64> -> index
  %number = arith.index_cast %address : index to i64
  %p = llvm.inttoptr %number : i64 to !llvm.ptr
  %v = llvm.load %p : !llvm.ptr -> i64
  return
}

//--- forged-memref.mlir
// CHECK: .mlir:[[#@LINE+4]]:{{[0-9]+}}: error: 'builtin.unrealized_conversion_cast' is not emulated
// CHECK-NOT: races:
func.func @k(%x: memref<4xi64>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c4096 = arith.constant 4096 : index
  %m = builtin.unrealized_conversion_cast %c4096 : index to memref<4xi64>
  %v = memref.load %m[%c4096] : memref<4xi64>
  return
}

//--- stored-memref.mlir
// CHECK: .mlir:[[#@LINE+4]]:{{[0-9]+}}: error: 'memref.alloca' has a value of type 'memref<2xmemref<4xf32>>', which is not emulated; use numbers, vectors or memrefs of them{{$}}
// CHECK-NOT: races:
func.func @k(%x: memref<4xf32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<2xmemref<4xf32>>
  memref.store %x, %m[%c0] : memref<2xmemref<4xf32>>
  return
}

//--- library-function.mlir
// CHECK: .mlir:[[#@LINE+4]]:{{[0-9]+}}: error: 'func.call' calls a function without a body; define it in the kernel's module
// CHECK-NOT: races:
func.func private @abort()
func.func @k() attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  func.call @abort() : () -> ()
  return
}

//--- function-value.mlir
// CHECK: .mlir:[[#@LINE+7]]:{{[0-9]+}}: error: 'func.constant' is not emulated
// CHECK-NOT: races:
func.func private @same(%n: index) -> index {
  return %n : index
}
func.func @k(%x: memref<4xindex>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %f = func.constant @same : (index) -> index
  %r = func.call_indirect %f(%c0) : (index) -> index
  return
}

//--- recursion.mlir
// CHECK: .mlir:[[#@LINE+4]]:{{[0-9]+}}: error: 'func.call' calls '@more' again before that has returned; a GPU thread has no stack for recursion, use a loop{{$}}
// CHECK-NOT: races:
func.func private @more(%n: index) -> index {
  %m = arith.addi %n, %n : index
  %r = func.call @more(%m) : (index) -> index
  return %r : index
}
func.func @k(%x: memref<4xindex>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %r = func.call @more(%c0) : (index) -> index
  memref.store %r, %x[%c0] : memref<4xindex>
  return
}

//--- mutual-recursion.mlir
// CHECK: .mlir:[[#@LINE+14]]:{{[0-9]+}}: error: 'func.call' calls '@even' again before that has returned
// CHECK-NOT: races:
func.func private @even(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %zero = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %zero -> index {
    scf.yield %c0 : index
  } else {
    %o = func.call @odd(%n) : (index) -> index
    scf.yield %o : index
  }
  return %r : index
}
func.func private @odd(%n: index) -> index {
  %r = func.call @even(%n) : (index) -> index
  return %r : index
}
func.func @k(%x: memref<4xindex>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %r = func.call @even(%c0) : (index) -> index
  return
}

//--- recursion-of-the-kernel.mlir
// CHECK: .mlir:[[#@LINE+7]]:{{[0-9]+}}: error: 'func.call' calls '@again' again before that has returned
// CHECK-NOT: races:
func.func private @again() {
  func.call @k() : () -> ()
  return
}
func.func @k() attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  func.call @again() : () -> ()
  return
}

//--- print.mlir
// CHECK: .mlir:[[#@LINE+3]]:{{[0-9]+}}: error: 'vector.print' is not emulated
// CHECK-NOT: races:
func.func @k(%v: f32) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  vector.print %v : f32
  return
}

//--- heap-of-the-process.mlir
// Upstream returns an unranked memref through malloc.
// CHECK: .mlir:[[#@LINE+4]]:{{[0-9]+}}: error: 'func.return' becomes 'llvm.call' of 'malloc', which the emulator cannot watch; express it by others{{$}}
// CHECK-NOT: races:
func.func private @unranked(%x: memref<4xf32>) -> memref<*xf32> {
  %y = memref.cast %x : memref<4xf32> to memref<*xf32>
  return %y : memref<*xf32>
}
func.func @k(%x: memref<4xf32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %y = func.call @unranked(%x) : (memref<4xf32>) -> memref<*xf32>
  %z = memref.cast %y : memref<*xf32> to memref<4xf32>
  %v = memref.load %z[%c0] : memref<4xf32>
  memref.store %v, %x[%c0] : memref<4xf32>
  return
}

//--- nested-module.mlir
// CHECK: .mlir:[[#@LINE+3]]:{{[0-9]+}}: error: 'builtin.module' is not emulated
// CHECK-NOT: races:
func.func @k(%x: memref<4xf32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  builtin.module {
    func.func @inner() {
      return
    }
  }
  return
}

//--- direct-memory-access.mlir
// CHECK: .mlir:[[#@LINE+6]]:{{[0-9]+}}: error: 'memref.dma_start' is not emulated
// CHECK-NOT: races:
func.func @k(%x: memref<40xf32>, %y: memref<40xf32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %n = arith.constant 16 : index
  %tag = memref.alloca() : memref<1xi32>
  memref.dma_start %x[%c0], %y[%c0], %n, %tag[%c0] : memref<40xf32>, memref<40xf32>, memref<1xi32>
  return
}

//--- other-dialect.mlir
// CHECK: .mlir:[[#@LINE+4]]:{{[0-9]+}}: error: 'x86vector.avx.intr.dot' is not emulated
// CHECK-NOT: races:
func.func @k(%x: memref<8xf32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %v = arith.constant dense<1.0> : vector<8xf32>
  %d = x86vector.avx.intr.dot %v, %v : vector<8xf32>
  return
}

//--- contents-elsewhere.mlir
// CHECK: .mlir:[[#@LINE+2]]:{{[0-9]+}}: error: 'memref.global' has contents that are not 'dense', or a resource of another size; write them out{{$}}
// CHECK-NOT: races:
memref.global constant @g : memref<4xf32> = dense_resource<blob>
func.func @k(%x: memref<4xf32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %g = memref.get_global @g : memref<4xf32>
  return
}
{-#
  dialect_resources: {
    builtin: {
      blob: "0x0400000001020304"
    }
  }
#-}

//--- constant-elsewhere.mlir
// CHECK: .mlir:[[#@LINE+4]]:{{[0-9]+}}: error: 'arith.constant' has contents that are not 'dense', or a resource of another size; write them out{{$}}
// CHECK-NOT: races:
func.func @k(%x: memref<4xf32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %v = arith.constant dense_resource<blob> : vector<4xf32>
  vector.store %v, %x[%c0] : memref<4xf32>, vector<4xf32>
  return
}
{-#
  dialect_resources: {
    builtin: {
      blob: "0x0400000001020304"
    }
  }
#-}

//--- division-in-map.mlir
// Upstream divides by it when the operand is constant.
// CHECK: .mlir:[[#@LINE+4]]:{{[0-9]+}}: error: 'affine.apply' has a map that divides by 0 or less, which affine maps do not define; divide by a positive number{{$}}
// CHECK-NOT: races:
func.func @k(%x: memref<4xf32>) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %least = arith.constant -9223372036854775808 : index
  %i = affine.apply affine_map<(d0) -> (d0 floordiv -1)>(%least)
  %v = memref.load %x[%i] : memref<4xf32>
  return
}

//--- division-in-bound.mlir
// CHECK: .mlir:[[#@LINE+3]]:{{[0-9]+}}: error: 'affine.if' has a map that divides by a symbol; compute it with 'affine.apply' first{{$}}
// CHECK-NOT: races:
func.func @k(%x: memref<4xf32>, %n: index) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  affine.if affine_set<()[s0, s1] : (s0 floordiv s1 >= 0)>()[%n, %n] {
  }
  return
}

//--- expansion.mlir
// Upstream's expansion fails on it.
// CHECK: .mlir:[[#@LINE+4]]:{{[0-9]+}}: error: 'memref.expand_shape' with two dynamic sizes in one group is not emulated; make all but one static, or use 'memref.reshape'{{$}}
// CHECK-NOT: races:
func.func @k(%x: memref<?xf32>, %n: index, %m: index) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %y = memref.expand_shape %x [[0, 1]] output_shape [%n, %m] : memref<?xf32> into memref<?x?xf32>
  %v = memref.load %y[%c0, %c0] : memref<?x?xf32>
  return
}
