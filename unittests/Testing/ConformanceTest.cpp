//===- ConformanceTest.cpp - upstream's models keep the contract -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Testing/Conformance.h"
#include "LieDialect.h"
#include "TestModule.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::memspace;

/// Each op that has a model.
static constexpr const char *kernels = R"mlir(
#wg = #gpu.address_space<workgroup>
#map = affine_map<(d0, d1) -> (d1, d0)>

func.func @accesses(%g: memref<64x64xf32>, %i: index, %v: f32, %mask: vector<4xi1>,
                    %places: vector<4xindex>, %vec: vector<4xf32>) {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<64x64xf32, #wg>
  %0 = memref.load %m[%i, %c0] : memref<64x64xf32, #wg>
  memref.store %v, %m[%c0, %i] : memref<64x64xf32, #wg>
  %1 = memref.atomic_rmw addf %v, %m[%i, %i] : (f32, memref<64x64xf32, #wg>) -> f32
  %2 = memref.generic_atomic_rmw %m[%i, %i] : memref<64x64xf32, #wg> {
  ^bb0(%old: f32):
    memref.atomic_yield %old : f32
  }
  %3 = affine.load %m[%i, 63] : memref<64x64xf32, #wg>
  affine.store %v, %m[2 * symbol(%i), 0] : memref<64x64xf32, #wg>
  %4 = affine.vector_load %m[%i, 60] : memref<64x64xf32, #wg>, vector<4xf32>
  affine.vector_store %vec, %m[%i, 60] : memref<64x64xf32, #wg>, vector<4xf32>
  %5 = vector.load %m[%i, %i] : memref<64x64xf32, #wg>, vector<4xf32>
  vector.store %vec, %m[%i, %c0] : memref<64x64xf32, #wg>, vector<4xf32>
  %6 = vector.maskedload %m[%i, %i], %mask, %vec : memref<64x64xf32, #wg>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.maskedstore %m[%i, %i], %mask, %vec : memref<64x64xf32, #wg>, vector<4xi1>, vector<4xf32>
  %7 = vector.expandload %m[%i, %i], %mask, %vec : memref<64x64xf32, #wg>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.compressstore %m[%i, %i], %mask, %vec : memref<64x64xf32, #wg>, vector<4xi1>, vector<4xf32>
  %8 = vector.gather %m[%i, %i][%places], %mask, %vec : memref<64x64xf32, #wg>, vector<4xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.scatter %m[%i, %i][%places], %mask, %vec : memref<64x64xf32, #wg>, vector<4xindex>, vector<4xi1>, vector<4xf32>
  return
}

func.func @matrices(%h: memref<64x64xf16, #wg>, %i: index) {
  %a = gpu.subgroup_mma_load_matrix %h[%i, %i] {leadDimension = 64 : index} : memref<64x64xf16, #wg> -> !gpu.mma_matrix<16x16xf16, "COp">
  gpu.subgroup_mma_store_matrix %a, %h[%i, %i] {leadDimension = 64 : index} : !gpu.mma_matrix<16x16xf16, "COp">, memref<64x64xf16, #wg>
  %b = nvgpu.ldmatrix %h[%i, %i] {numTiles = 4 : i32, transpose = false} : memref<64x64xf16, #wg> -> vector<4x2xf16>
  %c = amdgpu.transpose_load %h[%i, %i] : memref<64x64xf16, #wg> -> vector<4xf16>
  return
}

func.func @copies(%g: memref<64x64xf32>, %m: memref<64x64xf32, #wg>, %i: index) {
  %0 = nvgpu.device_async_copy %g[%i, %i], %m[%i, %i], 4 : memref<64x64xf32> to memref<64x64xf32, #wg>
  %1 = nvgpu.device_async_create_group %0
  nvgpu.device_async_wait %1 {numGroups = 0 : i32}
  amdgpu.gather_to_lds %g[%i, %i], %m[%i, %i] : f32, memref<64x64xf32>, memref<64x64xf32, #wg>
  return
}

func.func @raw_buffers(%g: memref<64xf32>, %n: memref<64xi32>, %i: i32, %v: f32) {
  %0 = amdgpu.raw_buffer_load {boundsCheck = true} %g[%i] : memref<64xf32>, i32 -> f32
  amdgpu.raw_buffer_store {boundsCheck = true} %v -> %g[%i] : f32 -> memref<64xf32>, i32
  amdgpu.raw_buffer_atomic_fadd {boundsCheck = true} %v -> %g[%i] : f32 -> memref<64xf32>, i32
  amdgpu.raw_buffer_atomic_fmax {boundsCheck = true} %v -> %g[%i] : f32 -> memref<64xf32>, i32
  amdgpu.raw_buffer_atomic_smax {boundsCheck = true} %i -> %n[%i] : i32 -> memref<64xi32>, i32
  amdgpu.raw_buffer_atomic_umin {boundsCheck = true} %i -> %n[%i] : i32 -> memref<64xi32>, i32
  %1 = amdgpu.raw_buffer_atomic_cmpswap {boundsCheck = true} %v, %v -> %g[%i] : f32 -> memref<64xf32>, i32
  return
}

func.func @barriers(%mask: i32) {
  gpu.barrier
  memspace.subgroup_barrier
  nvvm.barrier0
  nvvm.barrier
  nvvm.bar.warp.sync %mask : i32
  rocdl.barrier
  rocdl.s.barrier
  amdgpu.lds_barrier
  return
}

func.func @views(%m: memref<64x64xf32>, %shape: memref<1xindex>) {
  %0 = memref.cast %m : memref<64x64xf32> to memref<?x64xf32>
  %1 = memref.memory_space_cast %m : memref<64x64xf32> to memref<64x64xf32, #gpu.address_space<global>>
  %2 = memref.assume_alignment %m, 16 : memref<64x64xf32>
  %3 = memref.subview %m[1, 0] [2, 64] [1, 1] : memref<64x64xf32> to memref<2x64xf32, strided<[64, 1], offset: 64>>
  %4 = memref.expand_shape %m [[0], [1, 2]] output_shape [64, 8, 8] : memref<64x64xf32> into memref<64x8x8xf32>
  %5 = memref.collapse_shape %m [[0, 1]] : memref<64x64xf32> into memref<4096xf32>
  %6 = memref.transpose %m (i, j) -> (j, i) : memref<64x64xf32> to memref<64x64xf32, strided<[1, 64]>>
  %7 = memref.reshape %m(%shape) : (memref<64x64xf32>, memref<1xindex>) -> memref<?xf32>
  return
}

func.func @values(%v: f32, %c: i1, %i: index, %flag: i32) {
  %0 = gpu.block_id x
  %1 = gpu.block_dim x
  %2 = gpu.grid_dim y
  %3 = gpu.subgroup_id : index
  %4 = gpu.num_subgroups : index
  %5 = gpu.subgroup_size : index
  %6 = gpu.dynamic_shared_memory : memref<?xi8, #wg>
  %7 = gpu.subgroup_reduce add %v : (f32) -> f32
  %8 = gpu.all_reduce add %v {} : (f32) -> f32
  %9 = scf.if %c -> f32 {
    scf.yield %v : f32
  } else {
    %t = gpu.thread_id x
    %n = arith.index_cast %t : index to i32
    %f = arith.sitofp %n : i32 to f32
    scf.yield %f : f32
  }
  scf.for %j = %i to %0 step %1 {
  }
  scf.while : () -> () {
    scf.condition(%c)
  } do {
    scf.yield
  }
  scf.index_switch %i
  default {
    scf.yield
  }
  scf.execute_region {
    scf.yield
  }
  affine.for %j = 0 to %i {
  }
  memref.alloca_scope {
  }
  cf.cond_br %c, ^a, ^b
^a:
  cf.switch %flag : i32, [
    default: ^b
  ]
^b:
  return
}
)mlir";

// [conformance]
TEST(Conformance, Upstream) {
  // A context with the dialects and their models, and no module.
  TestModule test("");
  ConformanceOptions options;
  options.target.emplace().subgroupSize = 32;
  FailureOr<ConformanceReport> report =
      checkConformance(kernels, test.getContext(), options);
  ASSERT_TRUE(succeeded(report));
  EXPECT_EQ(report->violations, 0u);
  // Every model was asked.
  EXPECT_EQ(report->elementAccess, 29u);
  EXPECT_EQ(report->synchronization, 12u);
  EXPECT_EQ(report->memoryRoot, 8u);
  EXPECT_EQ(report->uniformity, 18u);
}
// [/conformance]

TEST(Conformance, NoModule) {
  TestModule test("");
  ScopedDiagnosticHandler quiet(test.getContext(),
                                [](Diagnostic &) { return success(); });
  EXPECT_TRUE(failed(checkConformance("func.func @k(", test.getContext())));
}

namespace {
/// A view of an operand by upstream's interface.
struct OwnMemoryModel
    : public MemoryRootOpInterface::ExternalModel<OwnMemoryModel,
                                                  memref::ViewOp> {
  NamedMemory getNamedMemory(Operation *op, OpResult) const {
    NamedMemory named;
    named.identity = StringAttr::get(op->getContext(), "own");
    return named;
  }
};
} // namespace

TEST(Conformance, ViewThatIsCalledRoot) {
  TestModule test("", [](DialectRegistry &registry) {
    registry.addExtension(+[](MLIRContext *context, memref::MemRefDialect *) {
      memref::ViewOp::attachInterface<OwnMemoryModel>(*context);
    });
  });
  std::string message;
  ScopedDiagnosticHandler handler(test.getContext(), [&](Diagnostic &d) {
    message = d.str();
    return success();
  });
  FailureOr<ConformanceReport> report = checkConformance(R"mlir(
    func.func @k(%m: memref<64xi8>, %i: index) {
      %v = memref.view %m[%i][] : memref<64xi8> to memref<4xf32>
      return
    }
  )mlir",
                                                         test.getContext());
  ASSERT_TRUE(succeeded(report));
  EXPECT_EQ(report->violations, 1u);
  EXPECT_EQ(message,
            "'memref.view' op MemoryRootOpInterface: result 0 is a memory by "
            "itself, but by ViewLikeOpInterface a view of an operand; name "
            "that as the source");
}

namespace {
/// A copy of both kinds at once.
struct TwofoldCopyModel
    : public SynchronizationOpInterface::ExternalModel<TwofoldCopyModel,
                                                       memref::CopyOp> {
  bool startsAsyncCopy(Operation *) const { return true; }
  bool startsUngroupedCopy(Operation *) const { return true; }
};

/// Control values of an op that has no control flow.
struct StraightControlModel
    : public UniformityOpInterface::ExternalModel<StraightControlModel,
                                                  memref::CopyOp> {
  std::optional<SmallVector<Value>> getControlValues(Operation *op) const {
    return SmallVector<Value>(op->getOperands());
  }
};

/// The only violation of a `memref.copy` that has `ModelT`.
template <typename ModelT> std::string getViolationOfCopy() {
  TestModule test("", [](DialectRegistry &registry) {
    registry.addExtension(+[](MLIRContext *context, memref::MemRefDialect *) {
      memref::CopyOp::attachInterface<ModelT>(*context);
    });
  });
  std::string message;
  ScopedDiagnosticHandler handler(test.getContext(), [&](Diagnostic &d) {
    message = d.str();
    return success();
  });
  FailureOr<ConformanceReport> report = checkConformance(R"mlir(
    func.func @k(%a: memref<4xf32>, %b: memref<4xf32>) {
      memref.copy %a, %b : memref<4xf32> to memref<4xf32>
      return
    }
  )mlir",
                                                         test.getContext());
  EXPECT_TRUE(succeeded(report));
  if (succeeded(report))
    EXPECT_EQ(report->violations, 1u);
  return message;
}
} // namespace

TEST(Conformance, CopyThatIsOfAGroupAndOfNone) {
  EXPECT_EQ(getViolationOfCopy<TwofoldCopyModel>(),
            "'memref.copy' op SynchronizationOpInterface: its copy is "
            "completed by a wait for groups, and by none");
}

TEST(Conformance, ControlValuesWithoutControlFlow) {
  EXPECT_EQ(getViolationOfCopy<StraightControlModel>(),
            "'memref.copy' op UniformityOpInterface: it has control values, "
            "but neither regions nor successors; answer with none");
}

TEST(Conformance, SpacesOfTheCaller) {
  // Only a caller whose space 5 is private memory knows that this reads it.
  constexpr const char *text = R"mlir(
    func.func @k(%m: memref<64xf32, 5>) {
      %v = "lie.claim"(%m) ({}) {lie = "uniform", effects = "read"}
          : (memref<64xf32, 5>) -> i32
      return
    }
  )mlir";
  TestModule test("", lie::registerLieDialect);
  ScopedDiagnosticHandler quiet(test.getContext(),
                                [](Diagnostic &) { return success(); });
  FailureOr<ConformanceReport> unknown =
      checkConformance(text, test.getContext());
  ASSERT_TRUE(succeeded(unknown));
  EXPECT_EQ(unknown->violations, 0u);

  ConformanceOptions options;
  Builder b(test.getContext());
  options.spaces =
      MemorySpaceMapping(b.getI64IntegerAttr(5), b.getI64IntegerAttr(3));
  FailureOr<ConformanceReport> known =
      checkConformance(text, test.getContext(), options);
  ASSERT_TRUE(succeeded(known));
  EXPECT_EQ(known->violations, 1u);
}
