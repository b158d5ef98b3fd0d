//===- NoAliasShadow.cpp - through which argument a byte is used ----------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NoAliasShadow.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::emulator;

std::unique_ptr<NoAliasShadow>
NoAliasShadow::create(int64_t bytes, llvm::ArrayRef<unsigned> arguments,
                      MemoryBudget &budget) {
  if (!budget.take(getBytes(bytes, arguments.size())))
    return nullptr;
  return std::unique_ptr<NoAliasShadow>(
      new NoAliasShadow(bytes, arguments, budget));
}

NoAliasShadow::NoAliasShadow(int64_t bytes, llvm::ArrayRef<unsigned> arguments,
                             MemoryBudget &budget)
    : arguments(arguments), budget(budget),
      cells(arguments.size(), std::vector<Cell>(bytes)) {}

NoAliasShadow::~NoAliasShadow() {
  budget.giveBack(getBytes(cells.front().size(), cells.size()));
}

void NoAliasShadow::access(
    unsigned argument, bool isWrite, int64_t begin, int64_t size,
    const ArgumentAccess &access,
    llvm::function_ref<void(const NoAliasConflict &)> conflict) {
  for (auto [other, otherCells] : llvm::zip_equal(arguments, cells)) {
    bool isReported = false;
    for (int64_t byte = begin; byte < begin + size && !isReported; ++byte) {
      Cell &cell = otherCells[byte];
      if (other == argument) {
        ArgumentAccess &kept = isWrite ? cell.write : cell.read;
        if (!kept.strand)
          kept = access;
        continue;
      }
      bool isEarlierWrite = cell.write.strand != 0;
      isReported = isEarlierWrite || (isWrite && cell.read.strand);
      if (isReported)
        conflict({byte, other, isEarlierWrite,
                  isEarlierWrite ? cell.write : cell.read});
    }
  }
}
