//===- TileDimensions.h - which dimensions of buffers belong together -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A tile dimension is a set of dimensions of workgroup buffers that grow and
/// shrink together: one iteration dimension of a linalg op runs over them, one
/// is copied to the other (perhaps through private memory), data flows between
/// accesses with equal indices, or one memref stands for both buffers. A stage
/// dimension is one that is indexed modulo its extent: the slots of a
/// multi-buffered tile.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_REPORT_TILEDIMENSIONS_H
#define MEMSPACE_LIB_REPORT_TILEDIMENSIONS_H

#include "MemSpace/Layout/WorkgroupBudget.h"

namespace mlir {
namespace memspace {

struct TileDimension {
  /// (index of WorkgroupBudget::getWorkgroupBuffers(), dimension), ascending.
  SmallVector<std::pair<unsigned, unsigned>, 2> dims;
  /// Of each of them.
  int64_t extent = 0;
  bool isStage = false;
};

/// The tile dimensions of `kernel`, in the order of their first buffers. A
/// buffer with an access that is not understood has none.
std::vector<TileDimension> findTileDimensions(const KernelContext &context,
                                              const WorkgroupBudget &budget);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_REPORT_TILEDIMENSIONS_H
