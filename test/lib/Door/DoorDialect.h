//===- DoorDialect.h - a dialect that uses every door -----------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Shows that another dialect joins by MemSpace's interfaces, and tests them.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_TEST_DOORDIALECT_H
#define MEMSPACE_TEST_DOORDIALECT_H

#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/Kernel/UniformityInterface.h"
#include "MemSpace/Memory/MemoryInterfaces.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/SCF/IR/DeviceMappingInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"

#include "DoorDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "DoorAttrs.h.inc"

#define GET_OP_CLASSES
#include "DoorOps.h.inc"

namespace mlir {
namespace memspace {
namespace door {

/// `door-to-upstream`: the ops become those of upstream that do the same.
std::unique_ptr<Pass> createDoorToUpstreamPass();
void registerDoorToUpstreamPass();

} // namespace door
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_TEST_DOORDIALECT_H
