//===- LowerMatrixOps.h - ops on the matrices of a subgroup -----*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Matrix ops become calls of the runtime: each lane brings the values of its
/// fragments as words, all lanes meet, each takes its values of the result.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_EMULATOR_LOWERMATRIXOPS_H
#define MEMSPACE_LIB_EMULATOR_LOWERMATRIXOPS_H

#include "KernelRewriter.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"

namespace mlir {
namespace memspace {
namespace emulator {

/// The same number of bits: elements of any sign are bits.
Type getSignless(Type type);

/// How the elements of an operand are written.
MatrixNumber getMatrixNumber(Type type, bool isUnsigned = false);

class MatrixOpsLowering {
public:
  explicit MatrixOpsLowering(KernelRewriter &rewriter)
      : rewriter(rewriter), builder(rewriter.builder) {}

  /// Replaces `op`, at which the rewriter has started, if it is a matrix op.
  /// Fails with a diagnostic where that has no documented meaning.
  FailureOr<bool> lower(Operation *op);

  /// To be called after the last op: a gpu.mma_matrix is a vector of the lane's
  /// elements from now on.
  void convertTypes();

private:
  InFlightDiagnostic refuse(Operation *op);
  LogicalResult checkSubgroup(Operation *op, unsigned numLanes);

  // Values of a lane.
  SmallVector<Value> getScalars(Value value);
  void bring(ArrayRef<Value> scalars);
  SmallVector<Value> takeScalars(unsigned count, Type type);
  Value assemble(ArrayRef<Value> scalars, Type type);
  Value getAddress(Value memref, ValueRange indices);

  // Ops of the vendors.
  void multiply(Operation *op, MatrixOp matrixOp, Value a, Value b,
                ArrayRef<Value> c);
  LogicalResult lowerMmaSync(nvgpu::MmaSyncOp op);
  LogicalResult lowerMFMA(amdgpu::MFMAOp op);
  LogicalResult lowerWMMA(amdgpu::WMMAOp op);
  LogicalResult lowerLdMatrix(nvgpu::LdMatrixOp op);

  // gpu.subgroup_mma_...: LowerSubgroupMatrices.cpp.
  LogicalResult checkMatrix(Operation *op, gpu::MMAMatrixType type);
  VectorType getVectorType(gpu::MMAMatrixType type) const;
  Value asVector(Value matrix);
  void replaceMatrix(Operation *op, Value vector);
  LogicalResult lowerCompute(gpu::SubgroupMmaComputeOp op);
  FailureOr<int32_t> addTile(Operation *op, gpu::MMAMatrixType type,
                             Value memref, ValueRange indices,
                             const APInt &lead, bool isTransposed);
  LogicalResult lowerLoad(gpu::SubgroupMmaLoadMatrixOp op);
  LogicalResult lowerStore(gpu::SubgroupMmaStoreMatrixOp op);
  LogicalResult lowerConstant(gpu::SubgroupMmaConstantMatrixOp op);
  LogicalResult lowerElementwise(gpu::SubgroupMmaElementwiseOp op);
  FailureOr<Value> getPosition(Operation *op, gpu::MMAMatrixType type,
                               ValueRange indices);
  LogicalResult lowerExtract(gpu::SubgroupMmaExtractThreadLocalOp op);
  LogicalResult lowerInsert(gpu::SubgroupMmaInsertThreadLocalOp op);

  KernelRewriter &rewriter;
  OpBuilder &builder;
};

} // namespace emulator
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_EMULATOR_LOWERMATRIXOPS_H
