//===- MemSpaceDialect.h - the memspace dialect -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The `memspace` dialect, its ops and its attribute interfaces.
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_IR_MEMSPACEDIALECT_H
#define MEMSPACE_IR_MEMSPACEDIALECT_H

#include "MemSpace/IR/AttributeNames.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"
#include <functional>

namespace mlir {
namespace memspace {
/// The smallest group of threads that executes an op once together, from the
/// widest to the narrowest.
enum class ExecutionScope { Grid, Workgroup, Warpgroup, Subgroup, Thread };

/// "grid", "workgroup", "warpgroup", "subgroup" or "thread".
llvm::StringRef stringifyExecutionScope(ExecutionScope scope);

struct ResolvedLayout;
struct TargetInfo;
/// What an encoding says of tensors of a type on a target
/// (LayoutEncodingAttrInterface::resolve). Called by several threads at a time.
using LayoutResolver = std::function<FailureOr<ResolvedLayout>(
    Attribute encoding, RankedTensorType type, const TargetInfo &target,
    llvm::function_ref<InFlightDiagnostic()> emitError)>;

/// Attaches `ExecutionMappingAttrInterface` to the gpu dialect's mapping
/// attributes (block, warpgroup, warp, thread, lane).
void registerExecutionMappingExternalModels(DialectRegistry &registry);

/// Makes One-Shot Bufferize understand the ops of the dialect.
void registerBufferizableOpInterfaceExternalModels(DialectRegistry &registry);

} // namespace memspace
} // namespace mlir

#include "MemSpace/IR/MemSpaceDialect.h.inc"

#include "MemSpace/IR/MemSpaceAttrInterfaces.h.inc"

#define GET_OP_CLASSES
#include "MemSpace/IR/MemSpaceOps.h.inc"

#endif // MEMSPACE_IR_MEMSPACEDIALECT_H
