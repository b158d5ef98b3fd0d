//===- BarrierUtils.h - what the passes on barriers share -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_BARRIERS_BARRIERUTILS_H
#define MEMSPACE_LIB_TRANSFORMS_BARRIERS_BARRIERUTILS_H

#include "MemSpace/Threads/Uniformity.h"

namespace mlir {
namespace memspace {

/// Notes where the one value comes from that decides how threads go on from
/// `cause`; nothing where several do, or it is an argument.
void noteCondition(InFlightDiagnostic &diag, Operation *cause);

/// Failure with a diagnostic at a barrier of `kernel` that not all threads
/// which it waits for reach together, or at an op with regions of which nothing
/// is known.
LogicalResult checkBarrierControl(FunctionOpInterface kernel,
                                  const Uniformity &uniformity);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_BARRIERS_BARRIERUTILS_H
