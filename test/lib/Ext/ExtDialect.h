//===- ExtDialect.h - another dialect's sorts -------------------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Shows that another dialect's sort, top-k, scatter and scan join by
/// `StructuredOpInterface`, and tests it.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_TEST_EXTDIALECT_H
#define MEMSPACE_TEST_EXTDIALECT_H

#include "MemSpace/IR/StructuredOpInterface.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "ExtDialect.h.inc"

#define GET_OP_CLASSES
#include "ExtOps.h.inc"

namespace mlir {
namespace memspace {
namespace ext {

/// The dialect and its models of `StructuredOpInterface`.
void registerExtDialect(DialectRegistry &registry);

} // namespace ext
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_TEST_EXTDIALECT_H
