//===- VerifierRuns.h - what memspace-verify-barriers says -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_FUZZ_VERIFIERRUNS_H
#define MEMSPACE_FUZZ_VERIFIERRUNS_H

#include "CheckOptions.h"
#include "ErrorCollector.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir {
namespace memspace {
namespace fuzz {

/// Failure where `module` is not accepted; `mayHazards` is the pass's option.
LogicalResult runVerifier(ModuleOp module, const CheckOptions &options,
                          StringRef mayHazards);

/// What is wrong with a program that the verifier accepts, when it asks of each
/// two accesses by themselves, and not once of all that are alike; empty for
/// nothing, and for a program that is not accepted, or takes too long.
std::string findHiddenRace(ModuleOp module, const CheckOptions &options,
                           ErrorCollector &errors);

} // namespace fuzz
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_FUZZ_VERIFIERRUNS_H
