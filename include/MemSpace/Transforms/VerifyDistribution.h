//===- VerifyDistribution.h - who writes, and what is copied -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What `memspace-verify-distribution` checks of a kernel on tensors, before
/// anything is bufferized.
///
/// This header may change from release to release.
///
/// \code
///   MemorySpaceOptions options(context);
///   DistributionChecks checks;
///   checks.copies = DistributionChecks::Copies::Warn;
///   if (failed(verifyDistribution(context, options, checks)))
///     return failure(); // a diagnostic was emitted
/// \endcode
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_TRANSFORMS_VERIFYDISTRIBUTION_H
#define MEMSPACE_TRANSFORMS_VERIFYDISTRIBUTION_H

#include "MemSpace/Spaces/MemorySpaceAnalysis.h"

namespace mlir {
namespace memspace {

struct DistributionChecks {
  /// What a copy is that One-Shot needs and nobody asked for.
  enum class Copies { Error, Warn, Allow };
  Copies copies = Copies::Error;
  /// Most bytes of a part of a tensor, or of a tensor of one thread, that are
  /// copied without a word. The whole of a tensor that threads share never is.
  int64_t copyBytes = 4096;
};

/// Checks that each element of memory that threads or workgroups share is
/// written by one of them, that the kernel of `context` can be prepared and
/// gets its memory spaces, and that nothing is copied for a conflict. Failure
/// with a diagnostic for each finding (docs/verification.md). The kernel is
/// what it was afterwards; in between its body is another one, so that no other
/// thread may look at it.
LogicalResult verifyDistribution(const KernelContext &context,
                                 const MemorySpaceOptions &options,
                                 const DistributionChecks &checks = {});

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_TRANSFORMS_VERIFYDISTRIBUTION_H
