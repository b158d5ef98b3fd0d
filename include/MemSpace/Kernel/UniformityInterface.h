//===- UniformityInterface.h - which threads get one value ------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What an op says of the threads that get its results, and of what decides how
/// its regions are run. A dialect says it by `UniformityOpInterface` for single
/// ops and by `UniformityDialectInterface` for all others; the models of
/// upstream's dialects are registered by registerUniformityModels.
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_KERNEL_UNIFORMITYINTERFACE_H
#define MEMSPACE_KERNEL_UNIFORMITYINTERFACE_H

#include "MemSpace/IR/MemSpaceDialect.h"
#include "mlir/IR/DialectInterface.h"
#include "mlir/IR/OpDefinition.h"
#include <optional>

#include "MemSpace/Kernel/UniformityInterface.h.inc"

namespace mlir {
namespace memspace {

/// For a dialect whose ops without a model of their own compute their results
/// from their operands alone, or in any case not less uniformly than it says.
class UniformityDialectInterface
    : public DialectInterface::Base<UniformityDialectInterface> {
public:
  explicit UniformityDialectInterface(Dialect *dialect) : Base(dialect) {}

  /// As the op interface's getResultScope.
  virtual ExecutionScope getResultScope(Operation *op) const {
    return ExecutionScope::Grid;
  }
};

/// The widest group of threads that get the same results from `op` if they have
/// the same operands. Thread for an op of which nothing is known.
ExecutionScope getResultScope(Operation *op);

/// True when they get the same results whatever their operands are.
bool ignoresOperandScopes(Operation *op);

/// What alone decides how the regions or successors of `op` are run; none where
/// that is not known.
std::optional<SmallVector<Value>> getControlValues(Operation *op);

/// The models of upstream's dialects.
void registerUniformityModels(DialectRegistry &registry);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_KERNEL_UNIFORMITYINTERFACE_H
