//===- ScratchKernel.h - a copy of a kernel to try things on -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_ARENA_SCRATCHKERNEL_H
#define MEMSPACE_LIB_ARENA_SCRATCHKERNEL_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir {
namespace memspace {

/// A copy of a kernel in a module of its own, with copies of all symbols that
/// it names.
class ScratchKernel {
public:
  explicit ScratchKernel(FunctionOpInterface kernel);

  FunctionOpInterface getKernel() const { return kernel; }
  /// The copy of a value of the kernel.
  Value lookup(Value value) const { return mapping.lookup(value); }

private:
  OwningOpRef<ModuleOp> module;
  FunctionOpInterface kernel;
  IRMapping mapping;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_ARENA_SCRATCHKERNEL_H
