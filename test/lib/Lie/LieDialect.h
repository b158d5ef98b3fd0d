//===- LieDialect.h - ops whose bufferization models lie -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// For tests only: the dialect of a compiler whose interfaces say less than its
/// ops do.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_TEST_LIEDIALECT_H
#define MEMSPACE_TEST_LIEDIALECT_H

#include "MemSpace/Kernel/UniformityInterface.h"
#include "MemSpace/Memory/MemoryInterfaces.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"

#include "LieDialect.h.inc"

#define GET_OP_CLASSES
#include "LieOps.h.inc"

namespace mlir {
namespace memspace {
namespace lie {

/// The dialect and its models of `BufferizableOpInterface`.
void registerLieDialect(DialectRegistry &registry);

/// `lie-to-loops`: the ops on memrefs become loops of loads and stores.
std::unique_ptr<Pass> createLieToLoopsPass();
void registerLieToLoopsPass();

} // namespace lie
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_TEST_LIEDIALECT_H
