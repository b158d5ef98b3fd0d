//===- MemoryModels.cpp - what upstream's ops do to memory -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessElements.h"
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
}
