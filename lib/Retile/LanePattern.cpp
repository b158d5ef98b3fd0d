//===- LanePattern.cpp - what the threads of a subgroup access at once -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LanePattern.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <array>

using namespace mlir;
using namespace mlir::memspace;

LanePattern LanePattern::get(ArrayRef<int64_t> begins, int64_t width) {
  constexpr int64_t kWord = 4, kSector = 32, kLine = 128, kBanks = 32;
  llvm::SmallDenseSet<int64_t, 64> words, sectors, lines;
  std::array<int64_t, kBanks> banks{};
  for (int64_t begin : begins) {
    int64_t last = llvm::divideFloorSigned(begin + width - 1, kWord);
    for (int64_t word = llvm::divideFloorSigned(begin, kWord); word <= last;
         ++word) {
      if (!words.insert(word).second)
        continue;
      ++banks[llvm::mod(word, kBanks)];
      sectors.insert(llvm::divideFloorSigned(word, kSector / kWord));
      lines.insert(llvm::divideFloorSigned(word, kLine / kWord));
    }
  }
  LanePattern pattern;
  pattern.sectors = sectors.size();
  pattern.lines = lines.size();
  pattern.bankCycles = *llvm::max_element(banks);
  return pattern;
}
