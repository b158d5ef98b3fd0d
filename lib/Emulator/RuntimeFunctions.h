//===- RuntimeFunctions.h - names that kernels call -------------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The interface between compiled kernels and the runtime. Values travel as
/// 64-bit words, addresses are virtual, `site` is a number of Program::sites.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_EMULATOR_RUNTIMEFUNCTIONS_H
#define MEMSPACE_LIB_EMULATOR_RUNTIMEFUNCTIONS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"
#include <cstdint>
#include <string>

namespace mlir {
namespace memspace {
namespace emulator {

/// Argument of rt::kId, plus the dimension (x, y, z). Of Subgroup: lane id,
/// subgroup id, number of subgroups.
enum class IdKind : int32_t {
  Thread = 0,
  Block = 3,
  BlockDim = 6,
  GridDim = 9,
  Global = 12,
  Subgroup = 15,
};

/// Modes of rt::kShuffle and rt::kShuffleNVVM.
enum class ShuffleKind : int32_t { Xor, Up, Down, Index, Rotate };

namespace rt {
/// i64 (i32 kind)
inline constexpr llvm::StringLiteral kId("msrt_id");
/// i64 ()
inline constexpr llvm::StringLiteral kSubgroupSize("msrt_subgroup_size");
/// void (i32 site, i32 orders): orders is a set of WaitFlags
inline constexpr llvm::StringLiteral kBarrier("msrt_barrier");
/// void (i32 site, i64 lanes)
inline constexpr llvm::StringLiteral kSubgroupBarrier("msrt_subgroup_barrier");
/// i64 (i32 site, i32 mode, i64 value, i32 offset, i32 width)
inline constexpr llvm::StringLiteral kShuffle("msrt_shuffle");
/// i64 (i32 site, i32 mode, i32 mask, i64 value, i32 offset, i32 clamp)
inline constexpr llvm::StringLiteral kShuffleNVVM("msrt_shuffle_nvvm");
/// i64 (i32 site, i64 value, i32 lane)
inline constexpr llvm::StringLiteral kPermute("msrt_permute");
/// i1 (): of the thread's last shuffle
inline constexpr llvm::StringLiteral kShuffleValid("msrt_shuffle_valid");
/// i64 (i32 site, i64 lanes, i64 value)
inline constexpr llvm::StringLiteral kBallot("msrt_ballot");
/// void (i32 site, i32 scope, i64 lanes, i64 value): scope 0 is the subgroup, 1
/// the workgroup
inline constexpr llvm::StringLiteral kCollect("msrt_collect");
/// i64 (i64 index): lane or thread
inline constexpr llvm::StringLiteral kCollected("msrt_collected");
/// i1 (i64 index)
inline constexpr llvm::StringLiteral kIsCollected("msrt_is_collected");
/// i64 ()
inline constexpr llvm::StringLiteral kFirstCollected("msrt_first_collected");
/// void (i64 value): the next of the values that the thread brings to a matrix
/// op
inline constexpr llvm::StringLiteral kBring("msrt_bring");
/// i64 (i32 number): a value that the last matrix op gave the thread
inline constexpr llvm::StringLiteral kMatrixValue("msrt_matrix_value");
/// void (i32 site, i32 op): of Program::matrixOps
inline constexpr llvm::StringLiteral kMultiply("msrt_multiply");
/// void (i32 site, i32 tile, i64 address): of Program::matrixTiles
inline constexpr llvm::StringLiteral kLoadMatrix("msrt_load_matrix");
inline constexpr llvm::StringLiteral kStoreMatrix("msrt_store_matrix");
/// void (i32 site, i32 tiles, i1 isTransposed, i64 address): nvgpu.ldmatrix
inline constexpr llvm::StringLiteral kLoadTiles("msrt_load_tiles");
/// void (i32 loop)
inline constexpr llvm::StringLiteral kEnterLoop("msrt_enter_loop");
inline constexpr llvm::StringLiteral kEnterIteration("msrt_enter_iteration");
/// void (i64 index, i64 extent, i64 size, i32 dimension, i32 site, i32
/// bufferSite)
inline constexpr llvm::StringLiteral kIndex("msrt_index");
/// ptr (i32 allocation, i64 bytes)
inline constexpr llvm::StringLiteral kAlloc("msrt_alloc");
/// ptr (i32 global)
inline constexpr llvm::StringLiteral kGlobal("msrt_global");
/// ptr (i32 site)
inline constexpr llvm::StringLiteral
    kDynamicWorkgroup("msrt_dynamic_workgroup");
/// ptr (ptr base, i64 shift, i64 bytes, i32 site)
inline constexpr llvm::StringLiteral kView("msrt_view");
/// ptr (i64 bytes, i32 site)
inline constexpr llvm::StringLiteral kAlloca("msrt_alloca");
/// i64 ()
inline constexpr llvm::StringLiteral kStackSave("msrt_stack_save");
/// void (i64)
inline constexpr llvm::StringLiteral kStackRestore("msrt_stack_restore");
/// ptr (ptr address, i64 size, i32 site): the real address
inline constexpr llvm::StringLiteral kRead("msrt_read");
inline constexpr llvm::StringLiteral kWrite("msrt_write");
inline constexpr llvm::StringLiteral kAtomic("msrt_atomic");
/// An atomic that does not use the old value.
inline constexpr llvm::StringLiteral kAtomicWrite("msrt_atomic_write");
/// ptr (ptr address, i64 size, i32 site, i32 load): a load whose value is only
/// stored elsewhere, with a number of its own, and such a store
inline constexpr llvm::StringLiteral kReadForCopy("msrt_read_for_copy");
inline constexpr llvm::StringLiteral kWriteCopy("msrt_write_copy");
/// For most sizes the four functions for reads and writes that are not atomic
/// have a sister for this size alone: without `size`.
inline bool hasSized(uint64_t size) {
  return llvm::isPowerOf2_64(size) && size <= 16;
}
inline std::string getSized(llvm::StringRef name, uint64_t size) {
  return (name + "_" + llvm::Twine(size)).str();
}
/// void (ptr to, ptr from, i64 toBytes, i64 fromBytes, i32 site)
inline constexpr llvm::StringLiteral kAsyncCopy("msrt_async_copy");
/// void (i32 site)
inline constexpr llvm::StringLiteral kAsyncCommit("msrt_async_commit");
/// void (i32 groups that may stay pending)
inline constexpr llvm::StringLiteral kAsyncWait("msrt_async_wait");
/// void (i32 site, i64 steps): the end of a loop's iteration, or the start of a
/// function
inline constexpr llvm::StringLiteral kStep("msrt_step");
/// void (any type): prefix of functions that do not exist; a call keeps a value
/// alive until the instrumentation removes it
inline constexpr llvm::StringLiteral kUse("msrt_use_");
} // namespace rt

} // namespace emulator
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_EMULATOR_RUNTIMEFUNCTIONS_H
