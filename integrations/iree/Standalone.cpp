//===- Standalone.cpp - of IREE, what depends on its host compiler --------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Functions that IREE defines in files which need more of its compiler, for a
/// program that has the dialects only. Inside of IREE this file is not linked.
///
//===----------------------------------------------------------------------===//

#include "iree/compiler/Codegen/Dialect/GPU/IR/IREEGPUAttrs.h"
#include "iree/compiler/Dialect/HAL/IR/HALDialect.h"
#include "iree/compiler/Dialect/HAL/IR/HALOps.h"
#include "iree/compiler/Dialect/HAL/IR/HALTypes.h"
#include "iree/compiler/Dialect/Util/IR/UtilDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/Compiler.h"

using namespace mlir;
using namespace mlir::iree_compiler::IREE;

HAL::HALDialect::HALDialect(MLIRContext *context)
    : Dialect(getDialectNamespace(), context, TypeID::get<HALDialect>()) {
  context->loadDialect<Util::UtilDialect, arith::ArithDialect>();
  registerAttributes();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "iree/compiler/Dialect/HAL/IR/HALOps.cpp.inc"
      >();
}

Operation *HAL::HALDialect::materializeConstant(OpBuilder &builder,
                                                Attribute value, Type type,
                                                Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

namespace mlir::iree_compiler {
// Weak: a program with IREE's passes has theirs, which knows its test targets.
LLVM_ATTRIBUTE_WEAK GPU::TargetAttr getGPUTargetAttr(Operation *op) {
  auto target = HAL::ExecutableTargetAttr::lookup(op);
  DictionaryAttr config = target ? target.getConfiguration() : DictionaryAttr();
  return config ? config.getAs<GPU::TargetAttr>("iree_codegen.target_info")
                : GPU::TargetAttr();
}
} // namespace mlir::iree_compiler
