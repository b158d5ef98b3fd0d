//===- Differential.h - the pipeline's kernel against the tensor program -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Runs a tensor kernel twice, through MemSpace's pipeline and the emulator and
/// by direct interpretation, and compares every byte.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_FUZZ_DIFFERENTIAL_H
#define MEMSPACE_FUZZ_DIFFERENTIAL_H

#include "BarrierTally.h"
#include "CheckOptions.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir {
namespace memspace {
namespace fuzz {

enum class Verdict {
  /// Equal, and the emulator has nothing to report.
  Ok,
  /// The pipeline says with a diagnostic that it does not take the kernel.
  Refused,
  /// An output is not what the tensor program computes.
  Difference,
  /// Equal or not: the emulator found a race, a divergent barrier, an access
  /// out of bounds or a read of uninitialized memory.
  Reports,
  /// The process died or took too long, or the pipeline's output is not a
  /// kernel.
  Crash,
  /// The interpreter cannot judge the kernel: an unsupported op, or not a legal
  /// program.
  NotJudged,
};
StringRef getName(Verdict verdict);

struct CheckResult {
  Verdict verdict;
  /// The first diagnostic, or how the outputs differ.
  std::string detail;
  /// Upstream's sequential bufferization against the tensor program; empty
  /// where it agrees or was not asked.
  std::string secondOpinion;
  /// Buffers of a kernel on memrefs lie over each other.
  bool isReused = false;
  /// What the verifier and the emulator said of a kernel and its mutants.
  BarrierTally barriers;
  /// A false alarm for the kernel as insertion placed its barriers, or the
  /// first warning of the pipeline; empty when there is none.
  std::string alarm;
  /// The program that failed, or of the alarm, if it is not the kernel itself.
  std::string program;
};

/// Judges the functions of `module`, which is not changed, each a kernel. The
/// verdict is that on the first of them with which something is wrong.
/// `askSecondOpinion`: also where the pipeline's kernel is right; otherwise
/// only when it is not.
CheckResult check(ModuleOp module, const CheckOptions &options,
                  bool askSecondOpinion = false);

/// How the figures on a compiled kernel contradict each other; empty when they
/// do not.
std::string findBadFigures(ModuleOp module);

} // namespace fuzz
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_FUZZ_DIFFERENTIAL_H
