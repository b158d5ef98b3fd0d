//===- SecondOpinion.h - what upstream's bufferization makes of a kernel -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_FUZZ_SECONDOPINION_H
#define MEMSPACE_FUZZ_SECONDOPINION_H

#include "Interpreter.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir {
namespace memspace {
namespace fuzz {

/// Bufferizes a copy of `module` with upstream's One-Shot Bufferize, turns
/// every `scf.forall` into loops, counting down if `isReversed`, and runs it
/// with one thread. Returns how the outputs of the kernel of that name differ
/// from `expected`; empty when
/// they do not; a sentence when it cannot be run.
std::string getSecondOpinion(ModuleOp module, StringRef kernelName,
                             ArrayRef<emulator::HostBuffer> arguments,
                             const Interpretation &expected, bool isReversed);

/// How `actual` differs from what the program computes, undefined elements
/// aside; empty when it does not.
std::string describeDifference(ArrayRef<emulator::HostBuffer> actual,
                               const Interpretation &expected);

} // namespace fuzz
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_FUZZ_SECONDOPINION_H
