//===- BarrierCheck.h - the verifier of barriers against the emulator -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Asks `memspace-verify-barriers` and the emulator about the same programs: a
/// kernel with the barriers that insertion places, and with random mistakes in
/// them; in structured control flow and in blocks. What
/// `memspace-eliminate-barriers` leaves of a program without a race must have
/// none either.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_FUZZ_BARRIERCHECK_H
#define MEMSPACE_FUZZ_BARRIERCHECK_H

#include "Differential.h"

namespace mlir {
namespace memspace {
namespace fuzz {

/// Places barriers into the kernel of `module`, which is not changed, and makes
/// mutants of it. Reports: the verifier passes a program in which the emulator
/// finds a race or a divergent barrier, or a barrier is eliminated without
/// which there is one, or an answer that many pairs of accesses share hides a
/// race. The counts are in the result.
CheckResult checkBarriers(ModuleOp module, const CheckOptions &options);

/// Judges the kernel of `module` with the barriers that it has, as a mutant.
CheckResult checkBarriersAsTheyAre(ModuleOp module,
                                   const CheckOptions &options);

} // namespace fuzz
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_FUZZ_BARRIERCHECK_H
