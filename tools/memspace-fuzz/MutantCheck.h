//===- MutantCheck.h - every pass on a program that nobody wrote -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Runs a program, which may be any, through each pass and pipeline of the
/// project and the emulator. A pass may refuse it with a diagnostic. It may not
/// die, take for ever, leave invalid IR, or say that all is well when it is
/// not.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_FUZZ_MUTANTCHECK_H
#define MEMSPACE_FUZZ_MUTANTCHECK_H

#include "Differential.h"
#include "Random.h"
#include "Workers.h"
#include "mlir/IR/DialectRegistry.h"

namespace mlir {
namespace memspace {
namespace fuzz {

/// A pass or pipeline of the project as it is registered.
struct PassToTry {
  std::string name;
  /// Has the options of a target.
  bool hasTarget = false;
  /// Goes to assembly, which takes long.
  bool isBackend = false;
};

/// What is registered with a name that begins with "memspace-". To be called
/// once, after the command line is parsed.
std::vector<PassToTry> getPassesToTry();

/// Tries `text`, with passes in an order and with options that `rng` chooses.
/// NotJudged: it is no valid program. Difference, Reports and Crash: something
/// is wrong, which `detail` tells, the pass first.
CheckResult checkMutant(const DialectRegistry &registry, StringRef text,
                        ArrayRef<PassToTry> passes, Random &rng,
                        const JobLog &log);

} // namespace fuzz
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_FUZZ_MUTANTCHECK_H
