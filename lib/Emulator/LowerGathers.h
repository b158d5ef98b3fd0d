//===- LowerGathers.h - AMD's copies into workgroup memory -*- C++ -*------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_EMULATOR_LOWERGATHERS_H
#define MEMSPACE_LIB_EMULATOR_LOWERGATHERS_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir {
namespace memspace {
namespace emulator {

/// Replaces AMD's copies into workgroup memory, and the waits for them, by
/// asynchronous copies in groups. What it leaves is not known.
void lowerGathers(ModuleOp module);

} // namespace emulator
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_EMULATOR_LOWERGATHERS_H
