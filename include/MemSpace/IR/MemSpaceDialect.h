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
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_IR_MEMSPACEDIALECT_H
#define MEMSPACE_IR_MEMSPACEDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir {
namespace memspace {
/// The smallest group of threads that executes an op once together, from the
/// widest to the narrowest.
enum class ExecutionScope { Grid, Workgroup, Warpgroup, Subgroup, Thread };

/// "grid", "workgroup", "warpgroup", "subgroup" or "thread".
llvm::StringRef stringifyExecutionScope(ExecutionScope scope);

/// Attaches `ExecutionMappingAttrInterface` to the gpu dialect's mapping
/// attributes (block, warpgroup, warp, thread, lane).
void registerExecutionMappingExternalModels(DialectRegistry &registry);

/// Makes One-Shot Bufferize understand `memspace.exchange`.
void registerBufferizableOpInterfaceExternalModels(DialectRegistry &registry);

/// Names of the discardable attributes (see the dialect's documentation).
inline constexpr llvm::StringLiteral kReasonAttr = "memspace.reason";
inline constexpr llvm::StringLiteral kPerSubgroupAttr = "memspace.per_subgroup";
inline constexpr llvm::StringLiteral kArenaAttr = "memspace.arena";
inline constexpr llvm::StringLiteral kBufferAttr = "memspace.buffer";
inline constexpr llvm::StringLiteral kPaddingAttr = "memspace.padding";
inline constexpr llvm::StringLiteral kInPlaceAttr = "memspace.in_place";
inline constexpr llvm::StringLiteral kCopyAttr = "memspace.copy";
inline constexpr llvm::StringLiteral kCarriedAttr = "memspace.carried";
inline constexpr llvm::StringLiteral kPromiseAttr = "memspace.promise";
inline constexpr llvm::StringLiteral kSubgroupPromiseAttr =
    "memspace.subgroup_promise";
inline constexpr llvm::StringLiteral kWarpgroupPromiseAttr =
    "memspace.warpgroup_promise";
inline constexpr llvm::StringLiteral kWorkgroupPromiseAttr =
    "memspace.workgroup_promise";
inline constexpr llvm::StringLiteral kForallLoopAttr = "memspace.forall_loop";
inline constexpr llvm::StringLiteral kHazardAttr = "memspace.hazard";
inline constexpr llvm::StringLiteral kKeepAttr = "memspace.keep";
inline constexpr llvm::StringLiteral kWorkgroupBytesAttr =
    "memspace.workgroup_bytes";
inline constexpr llvm::StringLiteral kSumBytesAttr = "memspace.sum_bytes";
inline constexpr llvm::StringLiteral kPeakLiveBytesAttr =
    "memspace.peak_live_bytes";
inline constexpr llvm::StringLiteral kPrivateBytesAttr =
    "memspace.private_bytes";
inline constexpr llvm::StringLiteral kDynamicBytesAttr =
    "memspace.dynamic_workgroup_bytes";
inline constexpr llvm::StringLiteral kGridSizeAttr = "memspace.grid_size";
inline constexpr llvm::StringLiteral kGridSymbolsAttr =
    "memspace.grid_symbols";
inline constexpr llvm::StringLiteral kKernelsAttr = "memspace.kernels";
} // namespace memspace
} // namespace mlir

#include "MemSpace/IR/MemSpaceDialect.h.inc"

#include "MemSpace/IR/MemSpaceAttrInterfaces.h.inc"

#define GET_OP_CLASSES
#include "MemSpace/IR/MemSpaceOps.h.inc"

#endif // MEMSPACE_IR_MEMSPACEDIALECT_H
