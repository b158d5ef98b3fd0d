//===- NoAliasShadow.h - through which argument a byte is used --*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// For memory in which several arguments lie that have `memspace.noalias`:
/// which of them each byte is accessed through. A byte that is written through
/// one of them must not be accessed through another one, whatever barriers lie
/// between.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_EMULATOR_NOALIASSHADOW_H
#define MEMSPACE_LIB_EMULATOR_NOALIASSHADOW_H

#include "MemoryBudget.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>
#include <vector>

namespace mlir {
namespace memspace {
namespace emulator {

/// The first access of a kind to a byte through an argument.
struct ArgumentAccess {
  uint32_t site = 0;
  /// Number of the thread among all of the grid, plus 1; 0: no access.
  uint32_t strand = 0;
};

/// An earlier access through another argument to a byte, one of the two a
/// write.
struct NoAliasConflict {
  int64_t byte;
  unsigned argument;
  bool isWrite;
  ArgumentAccess earlier;
};

class NoAliasShadow {
public:
  /// Of `bytes` in which `arguments` lie. Null when `budget` has not enough.
  static std::unique_ptr<NoAliasShadow>
  create(int64_t bytes, llvm::ArrayRef<unsigned> arguments,
         MemoryBudget &budget);
  ~NoAliasShadow();
  NoAliasShadow(const NoAliasShadow &) = delete;

  /// Records an access through `argument` to [begin, begin + size) and reports
  /// the first conflict with each other argument.
  void access(unsigned argument, bool isWrite, int64_t begin, int64_t size,
              const ArgumentAccess &access,
              llvm::function_ref<void(const NoAliasConflict &)> conflict);

private:
  struct Cell {
    ArgumentAccess read, write;
  };

  NoAliasShadow(int64_t bytes, llvm::ArrayRef<unsigned> arguments,
                MemoryBudget &budget);
  /// Bytes of memory that it takes.
  static int64_t getBytes(int64_t bytes, size_t numArguments) {
    return bytes * int64_t(numArguments * sizeof(Cell));
  }

  llvm::SmallVector<unsigned> arguments;
  MemoryBudget &budget;
  /// For each of `arguments`, one for each byte.
  std::vector<std::vector<Cell>> cells;
};

} // namespace emulator
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_EMULATOR_NOALIASSHADOW_H
