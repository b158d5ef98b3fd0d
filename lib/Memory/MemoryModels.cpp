//===- MemoryModels.cpp - what upstream's ops do to memory -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessElements.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::memspace;

namespace {
/// Another layout of what lies where the source points.
template <typename OpT, bool keepsElements>
struct ViewModel
    : public MemoryRootOpInterface::ExternalModel<ViewModel<OpT, keepsElements>,
                                                  OpT> {
  NamedMemory getNamedMemory(Operation *op, OpResult) const {
    NamedMemory named;
    named.source = op->getOperand(0);
    named.hasSourcePointer = true;
    named.keepsElements = keepsElements;
    return named;
  }
};

/// The same elements by a pointer of a buffer. Accesses beyond its bounds touch
/// nothing.
struct RawBufferModel
    : public MemoryRootOpInterface::ExternalModel<RawBufferModel,
                                                  amdgpu::FatRawBufferCastOp> {
  NamedMemory getNamedMemory(Operation *op, OpResult) const {
    auto cast = mlir::cast<amdgpu::FatRawBufferCastOp>(op);
    NamedMemory named;
    named.source = cast.getSource();
    named.keepsElements = true;
    // What it takes out of the layout it adds to the pointer.
    auto type = dyn_cast<MemRefType>(named.source.getType());
    SmallVector<int64_t> strides;
    int64_t offset;
    named.hasSourcePointer =
        !cast.getResetOffset() ||
        (type && succeeded(type.getStridesAndOffset(strides, offset)) &&
         offset == 0);
    return named;
  }
};
} // namespace

template <bool keepsElements, typename... OpTs>
static void attachViews(MLIRContext *context) {
  (OpTs::template attachInterface<ViewModel<OpTs, keepsElements>>(*context),
   ...);
}

void mlir::memspace::registerMemoryModels(DialectRegistry &registry) {
  registerSynchronizationModels(registry);
  registerElementAccessModels(registry);
  registry.addExtension(+[](MLIRContext *context, memref::MemRefDialect *) {
    attachViews<true, memref::CastOp, memref::MemorySpaceCastOp,
                memref::AssumeAlignmentOp>(context);
    attachViews<false, memref::SubViewOp, memref::ExpandShapeOp,
                memref::CollapseShapeOp, memref::TransposeOp,
                memref::ReshapeOp>(context);
  });
  registry.addExtension(+[](MLIRContext *context, amdgpu::AMDGPUDialect *) {
    amdgpu::FatRawBufferCastOp::attachInterface<RawBufferModel>(*context);
  });
}
