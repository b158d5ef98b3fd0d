//===- Conformance.h - do a dialect's models keep the contract? -*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// MemSpace trusts what other dialects' ops say by its interfaces. These checks
/// find answers that contradict the op itself: its operands, types, memory
/// effects and regions. A dialect runs them in its own tests, on kernels with
/// its ops; no GoogleTest is needed.
///
/// \code
///   FailureOr<ConformanceReport> report = checkConformance(text, context);
///   // Each violation was a diagnostic at the op.
///   assert(succeeded(report) && report->violations == 0);
///   assert(report->elementAccess > 0); // the model was asked
/// \endcode
///
/// An answer that passes may still be wrong: that two threads get one value, or
/// that a barrier orders what it says, does not follow from an op's definition.
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_TESTING_CONFORMANCE_H
#define MEMSPACE_TESTING_CONFORMANCE_H

#include "MemSpace/Kernel/KernelContext.h"

namespace mlir {
namespace memspace {

/// What the models are asked with.
struct ConformanceOptions {
  /// Null: a GPU of which nothing is known.
  std::optional<TargetInfo> target;
  /// The block of functions that have none of their own.
  LaunchOverrides launch = {{64, 1, 1}, {}};
  MemorySpaceMapping spaces = MemorySpaceMapping::getDefault();
};

/// How many ops answered by each interface, and how many answers were wrong. A
/// function whose launch is malformed is a violation, too: its ops cannot be
/// asked for elements.
struct ConformanceReport {
  unsigned uniformity = 0;
  unsigned synchronization = 0;
  unsigned elementAccess = 0;
  unsigned memoryRoot = 0;
  unsigned collective = 0;
  unsigned structured = 0;
  unsigned violations = 0;
};

/// Checks all ops at and below `root`, which is as it was afterwards. Each
/// violation is an error at the op. Element accesses outside of functions are
/// not asked for.
ConformanceReport checkConformance(Operation *root,
                                   const ConformanceOptions &options = {});

/// The same for the module that `text` is; failure with a diagnostic when it is
/// none, or when the ops do not verify. The dialects and their models must be
/// registered in `context`.
FailureOr<ConformanceReport>
checkConformance(StringRef text, MLIRContext *context,
                 const ConformanceOptions &options = {});

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_TESTING_CONFORMANCE_H
