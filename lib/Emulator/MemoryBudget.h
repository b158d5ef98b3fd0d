//===- MemoryBudget.h - how much a run may allocate -------------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Kernels come from anywhere: one that allocates in a loop must end with a
/// diagnostic, not with the process. Buffers, their shadow state and the stacks
/// of threads are taken from one budget before they are allocated.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_EMULATOR_MEMORYBUDGET_H
#define MEMSPACE_LIB_EMULATOR_MEMORYBUDGET_H

#include "llvm/ADT/StringRef.h"
#include <atomic>
#include <cstdint>

namespace mlir {
namespace memspace {
namespace emulator {

/// What the error says.
inline constexpr llvm::StringLiteral kOutOfMemory(
    "memory limit: the buffers of the run and what is known of their bytes "
    "take more than 'max-memory' allows; use less, or allow more");

/// Shared by the OS threads of a run.
class MemoryBudget {
public:
  explicit MemoryBudget(int64_t bytes) : bytesLeft(bytes) {}
  MemoryBudget(const MemoryBudget &) = delete;

  /// Takes `bytes`; when there are fewer left, takes none, returns false and
  /// counts as exceeded from then on.
  bool take(int64_t bytes) {
    int64_t left = bytesLeft.load(std::memory_order_relaxed);
    while (bytes <= left)
      if (bytesLeft.compare_exchange_weak(left, left - bytes,
                                          std::memory_order_relaxed))
        return true;
    exceeded.store(true, std::memory_order_relaxed);
    return false;
  }
  void giveBack(int64_t bytes) {
    bytesLeft.fetch_add(bytes, std::memory_order_relaxed);
  }
  bool isExceeded() const { return exceeded.load(std::memory_order_relaxed); }

private:
  std::atomic<int64_t> bytesLeft;
  std::atomic<bool> exceeded{false};
};

} // namespace emulator
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_EMULATOR_MEMORYBUDGET_H
