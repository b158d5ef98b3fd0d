//===- PrivateBuffers.h - which shared buffers need not be -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_REPORT_PRIVATEBUFFERS_H
#define MEMSPACE_LIB_REPORT_PRIVATEBUFFERS_H

#include "MemSpace/Layout/WorkgroupBudget.h"

namespace mlir {
namespace memspace {

/// A workgroup buffer in which no two threads meet: what a thread reads of it
/// the thread itself wrote, so that each could have a copy of its own.
struct PrivateCandidate {
  /// Index of WorkgroupBudget::getWorkgroupBuffers().
  unsigned buffer = 0;
  /// Of the smallest box that holds all elements that one thread accesses.
  int64_t bytesPerThread = 0;
};

/// The buffers of `kernel` for which that is proved.
std::vector<PrivateCandidate>
findPrivateCandidates(const KernelContext &context,
                      const WorkgroupBudget &budget);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_REPORT_PRIVATEBUFFERS_H
