//===- AttributeNames.h - the attributes that MemSpace sets -----*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Names of the attributes that MemSpace puts on ops of other dialects. The
/// reference of the dialect (docs/reference) says what each means.
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_IR_ATTRIBUTENAMES_H
#define MEMSPACE_IR_ATTRIBUTENAMES_H

#include "llvm/ADT/StringRef.h"

namespace mlir {
namespace memspace {

/// Names of the discardable attributes (see the dialect's documentation).
inline constexpr llvm::StringLiteral kReasonAttr = "memspace.reason";
inline constexpr llvm::StringLiteral kPerSubgroupAttr = "memspace.per_subgroup";
inline constexpr llvm::StringLiteral kArenaAttr = "memspace.arena";
inline constexpr llvm::StringLiteral kBufferAttr = "memspace.buffer";
inline constexpr llvm::StringLiteral kPaddingAttr = "memspace.padding";
inline constexpr llvm::StringLiteral kInPlaceAttr = "memspace.in_place";
inline constexpr llvm::StringLiteral kCopyAttr = "memspace.copy";
inline constexpr llvm::StringLiteral kCarriedAttr = "memspace.carried";
inline constexpr llvm::StringLiteral kCollectiveAttr = "memspace.collective";
inline constexpr llvm::StringLiteral kDisjointAttr = "memspace.disjoint";
inline constexpr llvm::StringLiteral kSubgroupDisjointAttr =
    "memspace.subgroup_disjoint";
inline constexpr llvm::StringLiteral kWarpgroupDisjointAttr =
    "memspace.warpgroup_disjoint";
inline constexpr llvm::StringLiteral kWorkgroupDisjointAttr =
    "memspace.workgroup_disjoint";
/// Old name and new name. Passes read the old ones with a warning, until the
/// next release.
inline constexpr llvm::StringLiteral kRenamedAttrs[][2] = {
    {"memspace.promise", kDisjointAttr},
    {"memspace.subgroup_promise", kSubgroupDisjointAttr},
    {"memspace.warpgroup_promise", kWarpgroupDisjointAttr},
    {"memspace.workgroup_promise", kWorkgroupDisjointAttr}};
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
inline constexpr llvm::StringLiteral kGridSymbolsAttr = "memspace.grid_symbols";
inline constexpr llvm::StringLiteral kNoAliasAttr = "memspace.noalias";
inline constexpr llvm::StringLiteral kAlignmentAttr = "memspace.alignment";
inline constexpr llvm::StringLiteral kWorkspaceAttr = "memspace.workspace";
inline constexpr llvm::StringLiteral kKernelsAttr = "memspace.kernels";
inline constexpr llvm::StringLiteral kMemorySpacesAttr =
    "memspace.memory_spaces";

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_IR_ATTRIBUTENAMES_H
