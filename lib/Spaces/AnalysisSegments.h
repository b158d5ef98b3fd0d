//===- AnalysisSegments.h - One-Shot's analysis in segments -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_SPACES_ANALYSISSEGMENTS_H
#define MEMSPACE_LIB_SPACES_ANALYSISSEGMENTS_H

#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir {
namespace memspace {

/// Tensors in a segment at least, by default. One-Shot is fast on fewer.
inline constexpr unsigned kSegmentTensors = 32;

/// Tensors in a segment at most: One-Shot takes seconds on more.
inline constexpr unsigned kMaxSegmentTensors = 2000;

/// Runs One-Shot's analysis of `kernel` into `state`, with the same decisions,
/// but not with its time, which grows with the cube of the tensors that may
/// share a buffer: these are analyzed in segments of `segmentTensors` or more,
/// where that makes no difference. Failure with a diagnostic, besides
/// One-Shot's own, where a segment is too long.
LogicalResult analyzeInSegments(FunctionOpInterface kernel,
                                bufferization::OneShotAnalysisState &state,
                                unsigned segmentTensors = kSegmentTensors);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_SPACES_ANALYSISSEGMENTS_H
