//===- BarrierTally.cpp - what verifier and emulator say of barriers -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BarrierTally.h"
#include <sstream>

using namespace mlir::memspace::fuzz;

void BarrierTally::add(BarrierTally other) {
  for (int kind = 0; kind < kNumKinds; ++kind) {
    Counts &mine = get(kind), &more = other.get(kind);
    mine.programs += more.programs;
    mine.verified += more.verified;
    mine.rejected += more.rejected;
    mine.alarms += more.alarms;
    mine.missed += more.missed;
    mine.certain += more.certain;
  }
  elimination.programs += other.elimination.programs;
  elimination.erased += other.elimination.erased;
}

std::string BarrierTally::toString() {
  std::ostringstream os;
  for (int kind = 0; kind < kNumKinds; ++kind) {
    Counts &counts = get(kind);
    os << counts.programs << ' ' << counts.verified << ' ' << counts.rejected
       << ' ' << counts.alarms << ' ' << counts.missed << ' ' << counts.certain
       << ' ';
  }
  os << elimination.programs << ' ' << elimination.erased;
  return os.str();
}

BarrierTally BarrierTally::fromString(const std::string &text) {
  std::istringstream is(text);
  BarrierTally tally;
  for (int kind = 0; kind < kNumKinds; ++kind) {
    Counts &counts = tally.get(kind);
    is >> counts.programs >> counts.verified >> counts.rejected >>
        counts.alarms >> counts.missed >> counts.certain;
  }
  is >> tally.elimination.programs >> tally.elimination.erased;
  return tally;
}
