// RUN: %python %S/run.py %s
// What is sorted is stored otherwise, too: one thread sorts, and stores.
// EXPECT workgroup_bytes=0 private_bytes=0 barriers<=1
// INPUT a2 = np.array([5])
// RESULT a0 = (lambda x: (x.__setitem__(5, -9), x)[1])(a0.copy())
// RESULT a1 = np.sort((lambda x: (x.__setitem__(5, -9), x)[1])(a0.copy()))
func.func @memrefs_stored_before(%x: memref<20xi32>, %y: memref<20xi32>, %n: memref<1xindex>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c = arith.constant -9 : i32
  %at = memref.load %n[%c0] : memref<1xindex>
  memref.store %c, %x[%at] : memref<20xi32>
  memspace.sort dimension(0) ins(%x : memref<20xi32>) outs(%y : memref<20xi32>) {
  ^bb0(%a: i32, %b: i32):
    %first = arith.cmpi slt, %a, %b : i32
    memspace.yield %first : i1
  }
  return
}
