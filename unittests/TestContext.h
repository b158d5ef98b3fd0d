//===- TestContext.h - the context of a kernel in a test -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_UNITTESTS_TESTCONTEXT_H
#define MEMSPACE_UNITTESTS_TESTCONTEXT_H

#include "MemSpace/Kernel/KernelContext.h"
#include "llvm/Support/ErrorHandling.h"

namespace mlir {
namespace memspace {

/// A generic GPU with subgroups of `subgroupSize` threads.
inline TargetInfo getTestTarget(int64_t subgroupSize = 64) {
  TargetInfo target;
  target.subgroupSize = subgroupSize;
  return target;
}

/// The context of a kernel that is known to have one.
inline KernelContext getTestContext(FunctionOpInterface kernel,
                                    const TargetInfo &target) {
  FailureOr<KernelContext> context = KernelContext::create(kernel, target);
  if (failed(context))
    llvm::report_fatal_error("a test kernel without a context");
  return *context;
}
inline KernelContext getTestContext(FunctionOpInterface kernel,
                                    int64_t subgroupSize = 64) {
  return getTestContext(kernel, getTestTarget(subgroupSize));
}

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_UNITTESTS_TESTCONTEXT_H
