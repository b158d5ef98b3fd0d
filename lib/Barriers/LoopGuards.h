//===- LoopGuards.h - conditions on the first or last iteration -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Recognizes `if (k != 0)`, `if (k + 1 < n)` and the like in a loop over k:
/// barriers stand under such conditions where the first iteration has nothing
/// before it, or the last one nothing behind it.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_BARRIERS_LOOPGUARDS_H
#define MEMSPACE_LIB_BARRIERS_LOOPGUARDS_H

#include "MemSpace/Kernel/CountedLoop.h"

namespace mlir {
namespace memspace {

/// What `compare` says of a number above the one that it compares with, which
/// is `lower` if that is constant, where it says the opposite of that itself;
/// none for another comparison.
std::optional<bool> getValueAbove(std::optional<int64_t> lower,
                                  Operation *compare);

/// The value of `condition` in all iterations of `loop` but the first; none
/// when that is not one value, or not recognized.
std::optional<bool> getValueAfterFirst(Value condition,
                                       const CountedLoop &loop);

/// The same for all iterations but the last.
std::optional<bool> getValueBeforeLast(Value condition,
                                       const CountedLoop &loop);

/// False where the induction variable plus the step may wrap around in the last
/// iteration: then a comparison of that with the upper bound may say that
/// another one follows. Of indices that is not expected.
bool isNextExact(const CountedLoop &loop);

/// The loop of which these may know the value of `condition`; null if none.
CountedLoop getLoopOfGuard(Value condition);

/// The value of `condition` in iteration `number` of `loop`, counted from 0.
std::optional<bool> getValueIn(int64_t number, Value condition,
                               const CountedLoop &loop);

/// The value of `condition` in all iterations of `loop` from `number` on.
std::optional<bool> getValueFrom(int64_t number, Value condition,
                                 const CountedLoop &loop);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_BARRIERS_LOOPGUARDS_H
