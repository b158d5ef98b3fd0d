//===- BarrierTally.h - what verifier and emulator say of barriers -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Counts programs by the answers of `memspace-verify-barriers` and of the
/// emulator to the question whether they have a race.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_FUZZ_BARRIERTALLY_H
#define MEMSPACE_FUZZ_BARRIERTALLY_H

#include <cstdint>
#include <string>

namespace mlir {
namespace memspace {
namespace fuzz {

struct BarrierTally {
  /// One kind of program.
  struct Counts {
    int64_t programs = 0;
    /// Verified, and the emulator finds no race.
    int64_t verified = 0;
    /// Not verified, and the emulator finds a race or a divergent barrier.
    int64_t rejected = 0;
    /// Not verified, though no race was found: perhaps a false alarm, since
    /// another input may bring out a race.
    int64_t alarms = 0;
    /// Verified, and the emulator finds a race: a mistake of the verifier.
    int64_t missed = 0;
    /// Of the rejected, those of which the verifier is certain.
    int64_t certain = 0;
  };
  /// What memspace-eliminate-barriers did to programs without a race.
  struct Elimination {
    int64_t programs = 0;
    /// Barriers, in all of them together.
    int64_t erased = 0;
  };
  /// As insertion placed the barriers, which are right.
  Counts placed;
  /// The same with `scf` lowered to blocks.
  Counts blocks;
  /// With barriers deleted, moved, weakened or added.
  Counts mutants;
  /// Mutants lowered to blocks.
  Counts mutantBlocks;
  Elimination elimination;

  static constexpr int kNumKinds = 4;
  Counts &get(int kind) {
    Counts *all[kNumKinds] = {&placed, &blocks, &mutants, &mutantBlocks};
    return *all[kind];
  }
  void add(BarrierTally other);
  /// Numbers with spaces between them, and back.
  std::string toString();
  static BarrierTally fromString(const std::string &text);
};

} // namespace fuzz
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_FUZZ_BARRIERTALLY_H
