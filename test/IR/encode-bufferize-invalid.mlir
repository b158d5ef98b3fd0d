// Encodes that One-Shot Bufferize refuses.

// RUN: memspace-opt %s --one-shot-bufferize --split-input-file --verify-diagnostics

#lhs = #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [128, 256, 64]>
func.func @moves(%a: tensor<128x64xf16>) -> f16 attributes {memspace.target = #rocdl.target<chip = "gfx942">} {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<128x64xf16, #lhs>
  // expected-error @below {{moves elements to another layout, from 'tensor<128x64xf16>' to 'tensor<128x64xf16, #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [128, 256, 64]>>', which needs ops of its own before bufferization; run memspace-materialize-encodings}}
  %t = memspace.encode ins(%a : tensor<128x64xf16>) outs(%e : tensor<128x64xf16, #lhs>)
  %x = tensor.extract %t[%c0, %c0] : tensor<128x64xf16, #lhs>
  return %x : f16
}

// -----

// One type, two layouts: once the fill is bufferized nothing names the target
// of its result any more.

#lhs = #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [128, 256, 64]>
func.func @two_targets(%v: f16) -> f16 attributes {memspace.target = #rocdl.target<chip = "gfx942">} {
  %c0 = arith.constant 0 : index
  %e0 = tensor.empty() : tensor<128x64xf16, #lhs>
  %a = linalg.fill {memspace.target = #rocdl.target<chip = "gfx1030">}
      ins(%v : f16) outs(%e0 : tensor<128x64xf16, #lhs>) -> tensor<128x64xf16, #lhs>
  %e = tensor.empty() : tensor<128x64xf16, #lhs>
  // expected-error @below {{moves elements to another layout}}
  %t = memspace.encode ins(%a : tensor<128x64xf16, #lhs>) outs(%e : tensor<128x64xf16, #lhs>)
  %x = tensor.extract %t[%c0, %c0] : tensor<128x64xf16, #lhs>
  return %x : f16
}

// -----

// The target of a tensor is named on the op that its destination is from.

#lhs = #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [128, 256, 64]>
func.func @inherited(%v: f16) -> f16 attributes {memspace.target = #rocdl.target<chip = "gfx942">} {
  %c0 = arith.constant 0 : index
  // expected-note @below {{a tensor that lives with its operands is on another target here}}
  %e0 = tensor.empty() {memspace.target = #rocdl.target<chip = "gfx1030">} : tensor<128x64xf16, #lhs>
  %a = linalg.fill ins(%v : f16) outs(%e0 : tensor<128x64xf16, #lhs>) -> tensor<128x64xf16, #lhs>
  %e = tensor.empty() : tensor<128x64xf16, #lhs>
  // expected-error @below {{moves elements to another layout}}
  %t = memspace.encode ins(%a : tensor<128x64xf16, #lhs>) outs(%e : tensor<128x64xf16, #lhs>)
  %x = tensor.extract %t[%c0, %c0] : tensor<128x64xf16, #lhs>
  return %x : f16
}

// -----

// Or on one that uses the result, behind a loop that passes it on.

#lhs = #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [128, 256, 64]>
func.func @used_elsewhere(%v: f16, %n: index) -> f16 attributes {memspace.target = #rocdl.target<chip = "gfx942">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e0 = tensor.empty() : tensor<128x64xf16, #lhs>
  %a = linalg.fill ins(%v : f16) outs(%e0 : tensor<128x64xf16, #lhs>) -> tensor<128x64xf16, #lhs>
  %e = tensor.empty() : tensor<128x64xf16, #lhs>
  // expected-error @below {{moves elements to another layout}}
  %t = memspace.encode ins(%a : tensor<128x64xf16, #lhs>) outs(%e : tensor<128x64xf16, #lhs>)
  %l = scf.for %i = %c0 to %n step %c1 iter_args(%u = %t) -> tensor<128x64xf16, #lhs> {
    // expected-note @below {{is on another target here}}
    %w = tensor.insert %v into %u[%i, %c0] {memspace.target = #rocdl.target<chip = "gfx1030">} : tensor<128x64xf16, #lhs>
    scf.yield %w : tensor<128x64xf16, #lhs>
  }
  %x = tensor.extract %l[%c0, %c0] : tensor<128x64xf16, #lhs>
  return %x : f16
}

// -----

// Or on one whose result a branch gives on.

#lhs = #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [128, 256, 64]>
func.func @yielded(%v: f16, %c: i1) -> f16 attributes {memspace.target = #rocdl.target<chip = "gfx942">} {
  %c0 = arith.constant 0 : index
  %a = scf.if %c -> tensor<128x64xf16, #lhs> {
    %e0 = tensor.empty() : tensor<128x64xf16, #lhs>
    // expected-note @below {{is on another target here}}
    %f = linalg.fill {memspace.target = #rocdl.target<chip = "gfx1030">}
        ins(%v : f16) outs(%e0 : tensor<128x64xf16, #lhs>) -> tensor<128x64xf16, #lhs>
    scf.yield %f : tensor<128x64xf16, #lhs>
  } else {
    %e1 = tensor.empty() : tensor<128x64xf16, #lhs>
    scf.yield %e1 : tensor<128x64xf16, #lhs>
  }
  %e = tensor.empty() : tensor<128x64xf16, #lhs>
  // expected-error @below {{moves elements to another layout}}
  %t = memspace.encode ins(%a : tensor<128x64xf16, #lhs>) outs(%e : tensor<128x64xf16, #lhs>)
  %x = tensor.extract %t[%c0, %c0] : tensor<128x64xf16, #lhs>
  return %x : f16
}

// -----

// The function says it of an argument.

#lhs = #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [128, 256, 64]>
func.func @argument(%a: tensor<128x64xf16, #lhs> {memspace.target = #rocdl.target<chip = "gfx1030">}) -> f16 attributes {memspace.target = #rocdl.target<chip = "gfx942">} {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<128x64xf16, #lhs>
  // expected-error @below {{moves elements to another layout}}
  %t = memspace.encode ins(%a : tensor<128x64xf16, #lhs>) outs(%e : tensor<128x64xf16, #lhs>)
  %x = tensor.extract %t[%c0, %c0] : tensor<128x64xf16, #lhs>
  return %x : f16
}

// -----

// Or of a result, which a loop stands before.

#lhs = #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [128, 256, 64]>
// expected-note @below {{is on another target here}}
func.func @result(%a: tensor<128x64xf16, #lhs>, %v: f16, %n: index) -> (index, tensor<128x64xf16, #lhs> {memspace.target = #rocdl.target<chip = "gfx1030">}) attributes {memspace.target = #rocdl.target<chip = "gfx942">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<128x64xf16, #lhs>
  // expected-error @below {{moves elements to another layout}}
  %t = memspace.encode ins(%a : tensor<128x64xf16, #lhs>) outs(%e : tensor<128x64xf16, #lhs>)
  %l = scf.for %i = %c0 to %n step %c1 iter_args(%u = %t) -> tensor<128x64xf16, #lhs> {
    %w = tensor.insert %v into %u[%i, %c0] : tensor<128x64xf16, #lhs>
    scf.yield %w : tensor<128x64xf16, #lhs>
  }
  return %n, %l : index, tensor<128x64xf16, #lhs>
}

// -----

// What one memory holds lives on one target.

#lhs = #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [128, 256, 64]>
func.func @memory(%m: memref<128x64xf16>, %c: i1) -> f16 attributes {memspace.target = #rocdl.target<chip = "gfx942">} {
  %c0 = arith.constant 0 : index
  // expected-note @below {{is on another target here}}
  %a = bufferization.to_tensor %m restrict {memspace.target = #rocdl.target<chip = "gfx1030">} : memref<128x64xf16> to tensor<128x64xf16, #lhs>
  %y = tensor.extract %a[%c0, %c0] : tensor<128x64xf16, #lhs>
  %b = bufferization.to_tensor %m restrict : memref<128x64xf16> to tensor<128x64xf16, #lhs>
  %e = tensor.empty() : tensor<128x64xf16, #lhs>
  // expected-error @below {{moves elements to another layout}}
  %t = memspace.encode ins(%b : tensor<128x64xf16, #lhs>) outs(%e : tensor<128x64xf16, #lhs>)
  %x = tensor.extract %t[%c0, %c0] : tensor<128x64xf16, #lhs>
  %s = arith.addf %x, %y : f16
  return %s : f16
}

// -----

// Or a callee does.

#lhs = #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [128, 256, 64]>
// expected-note @below {{is on another target here}}
func.func private @takes(tensor<128x64xf16, #lhs> {memspace.target = #rocdl.target<chip = "gfx942">})
func.func @calls(%v: f16) attributes {memspace.target = #rocdl.target<chip = "gfx1030">} {
  %e0 = tensor.empty() : tensor<128x64xf16>
  %a = linalg.fill ins(%v : f16) outs(%e0 : tensor<128x64xf16>) -> tensor<128x64xf16>
  %e = tensor.empty() : tensor<128x64xf16, #lhs>
  // expected-error @below {{moves elements to another layout}}
  %t = memspace.encode ins(%a : tensor<128x64xf16>) outs(%e : tensor<128x64xf16, #lhs>)
  call @takes(%t) : (tensor<128x64xf16, #lhs>) -> ()
  return
}

// -----

// As its own target.

#lhs = #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [128, 256, 64]>
// expected-note @below {{is on another target here}}
func.func private @gives() -> tensor<128x64xf16, #lhs> attributes {memspace.target = #rocdl.target<chip = "gfx942">}
func.func @is_given() -> f16 attributes {memspace.target = #rocdl.target<chip = "gfx1030">} {
  %c0 = arith.constant 0 : index
  %a = call @gives() : () -> tensor<128x64xf16, #lhs>
  %b = arith.negf %a : tensor<128x64xf16, #lhs>
  %e = tensor.empty() : tensor<128x64xf16>
  // expected-error @below {{moves elements to another layout}}
  %t = memspace.encode ins(%b : tensor<128x64xf16, #lhs>) outs(%e : tensor<128x64xf16>)
  %x = tensor.extract %t[%c0, %c0] : tensor<128x64xf16>
  return %x : f16
}

// -----

// Behind a callee, or a caller.

#lhs = #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [128, 256, 64]>
module attributes {memspace.target = #rocdl.target<chip = "gfx1030">} {
  // expected-note @below {{is on another target here}}
  func.func private @far(tensor<128x64xf16, #lhs> {memspace.target = #rocdl.target<chip = "gfx942">})
  func.func private @between(%a: tensor<128x64xf16, #lhs>) {
    call @far(%a) : (tensor<128x64xf16, #lhs>) -> ()
    return
  }
  func.func private @makes(%v: f16) -> tensor<128x64xf16, #lhs> {
    %e0 = tensor.empty() : tensor<128x64xf16>
    %a = linalg.fill ins(%v : f16) outs(%e0 : tensor<128x64xf16>) -> tensor<128x64xf16>
    %e = tensor.empty() : tensor<128x64xf16, #lhs>
    // expected-error @below {{moves elements to another layout}}
    %t = memspace.encode ins(%a : tensor<128x64xf16>) outs(%e : tensor<128x64xf16, #lhs>)
    return %t : tensor<128x64xf16, #lhs>
  }
  func.func @host(%v: f16) {
    %t = call @makes(%v) : (f16) -> tensor<128x64xf16, #lhs>
    call @between(%t) : (tensor<128x64xf16, #lhs>) -> ()
    return
  }
}

// -----

// Memory that a kernel on another target reads, through an unranked cast.

#lhs = #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [128, 256, 64]>
// expected-note @below {{is on another target here}}
func.func private @kernel(memref<128x64xf16>) attributes {memspace.target = #rocdl.target<chip = "gfx942">}
func.func @launches(%v: f16, %m: memref<128x64xf16>) attributes {memspace.target = #rocdl.target<chip = "gfx1030">} {
  %e0 = tensor.empty() : tensor<128x64xf16>
  %a = linalg.fill ins(%v : f16) outs(%e0 : tensor<128x64xf16>) -> tensor<128x64xf16>
  %e = tensor.empty() : tensor<128x64xf16, #lhs>
  // expected-error @below {{moves elements to another layout}}
  %t = memspace.encode ins(%a : tensor<128x64xf16>) outs(%e : tensor<128x64xf16, #lhs>)
  bufferization.materialize_in_destination %t in restrict writable %m : (tensor<128x64xf16, #lhs>, memref<128x64xf16>) -> ()
  %u = memref.cast %m : memref<128x64xf16> to memref<*xf16>
  %w = memref.cast %u : memref<*xf16> to memref<128x64xf16>
  call @kernel(%w) : (memref<128x64xf16>) -> ()
  return
}

// -----

// Compiled for two targets, of which the second has another layout.

#lhs = #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [128, 256, 64]>
gpu.module @for_two [#rocdl.target<chip = "gfx1030">, #rocdl.target<chip = "gfx942">] {
  // expected-note @below {{is on another target here}}
  func.func @device(%v: f16) -> f16 {
    %c0 = arith.constant 0 : index
    %e0 = tensor.empty() : tensor<128x64xf16>
    %a = linalg.fill ins(%v : f16) outs(%e0 : tensor<128x64xf16>) -> tensor<128x64xf16>
    %e = tensor.empty() : tensor<128x64xf16, #lhs>
    // expected-error @below {{moves elements to another layout}}
    %t = memspace.encode ins(%a : tensor<128x64xf16>) outs(%e : tensor<128x64xf16, #lhs>)
    %x = tensor.extract %t[%c0, %c0] : tensor<128x64xf16, #lhs>
    return %x : f16
  }
}

// -----

// A kernel is for the device of its module.

#lhs = #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [64, 64, 64]>
module attributes {gpu.container_module, dlti.target_system_spec = #dlti.target_system_spec<"GPU" = #dlti.target_device_spec<"chip" = "gfx1030">>} {
gpu.module @k attributes {dlti.target_system_spec = #dlti.target_system_spec<"GPU" = #dlti.target_device_spec<"chip" = "gfx942">>} {
  // expected-note @below {{is on another target here}}
  gpu.func @kernel(%m: memref<64x64xf16>) kernel {
    gpu.return
  }
}
func.func @host(%a: tensor<64x64xf16>, %m: memref<64x64xf16>) {
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<64x64xf16, #lhs>
  // expected-error @below {{moves elements to another layout}}
  %t = memspace.encode ins(%a : tensor<64x64xf16>) outs(%e : tensor<64x64xf16, #lhs>)
  bufferization.materialize_in_destination %t in restrict writable %m : (tensor<64x64xf16, #lhs>, memref<64x64xf16>) -> ()
  gpu.launch_func @k::@kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%m : memref<64x64xf16>)
  return
}
}

// -----

// A function that is called by another name may be passed anything.

#lhs = #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [128, 256, 64]>
// expected-note @below {{is on another target here}}
func.func private @f(%a: tensor<128x64xf16, #lhs>) -> f16 attributes {memspace.target = #rocdl.target<chip = "gfx1030">} {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<128x64xf16>
  // expected-error @below {{moves elements to another layout}}
  %t = memspace.encode ins(%a : tensor<128x64xf16, #lhs>) outs(%e : tensor<128x64xf16>)
  %x = tensor.extract %t[%c0, %c0] : tensor<128x64xf16>
  return %x : f16
}
func.func @host(%a: tensor<128x64xf16, #lhs>) -> f16 attributes {memspace.target = #rocdl.target<chip = "gfx942">} {
  %f = func.constant @f : (tensor<128x64xf16, #lhs>) -> f16
  %x = func.call_indirect %f(%a) : (tensor<128x64xf16, #lhs>) -> f16
  return %x : f16
}

// -----

// Memory with a name is one, wherever it is asked for.

#lhs = #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [128, 256, 64]>
memref.global @g : memref<128x64xf16>
// expected-note @below {{is on another target here}}
func.func @amd() -> f16 attributes {memspace.target = #rocdl.target<chip = "gfx942">} {
  %c0 = arith.constant 0 : index
  %m = memref.get_global @g : memref<128x64xf16>
  %a = bufferization.to_tensor %m restrict : memref<128x64xf16> to tensor<128x64xf16, #lhs>
  %x = tensor.extract %a[%c0, %c0] : tensor<128x64xf16, #lhs>
  return %x : f16
}
func.func @host(%v: tensor<128x64xf16>) attributes {memspace.target = #rocdl.target<chip = "gfx1030">} {
  %m = memref.get_global @g : memref<128x64xf16>
  %e = tensor.empty() : tensor<128x64xf16, #lhs>
  // expected-error @below {{moves elements to another layout}}
  %t = memspace.encode ins(%v : tensor<128x64xf16>) outs(%e : tensor<128x64xf16, #lhs>)
  bufferization.materialize_in_destination %t in restrict writable %m : (tensor<128x64xf16, #lhs>, memref<128x64xf16>) -> ()
  return
}

// -----

// A call of what is not known may be one of a function for any target.

#lhs = #memspace.matmul_operand<lhs, types = [f16, f16, f32], sizes = [128, 256, 64]>
func.func private @for_another(tensor<128x64xf16, #lhs> {memspace.target = #rocdl.target<chip = "gfx942">})
func.func @calls_by_value(%f: (tensor<128x64xf16, #lhs>) -> (), %v: f16) attributes {memspace.target = #rocdl.target<chip = "gfx1030">} {
  %e0 = tensor.empty() : tensor<128x64xf16>
  %a = linalg.fill ins(%v : f16) outs(%e0 : tensor<128x64xf16>) -> tensor<128x64xf16>
  %e = tensor.empty() : tensor<128x64xf16, #lhs>
  // expected-error @below {{moves elements to another layout}}
  %t = memspace.encode ins(%a : tensor<128x64xf16>) outs(%e : tensor<128x64xf16, #lhs>)
  // expected-note @below {{is on another target here, or on one that is not known}}
  func.call_indirect %f(%t) : (tensor<128x64xf16, #lhs>) -> ()
  return
}
