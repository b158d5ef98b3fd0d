//===- OwnBuffers.h - buffers that only a loop names ----------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_NORMALIZE_OWNBUFFERS_H
#define MEMSPACE_LIB_TRANSFORMS_NORMALIZE_OWNBUFFERS_H

#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir {
namespace memspace {

/// Which buffers loops begin with nobody else names.
class OwnBuffers {
public:
  explicit OwnBuffers(const bufferization::OneShotAnalysisState &state)
      : state(state) {}

  /// True when no other value names the buffer that `init` gives to a loop: it
  /// is allocated for it, as a whole. The results of exchanged buffers may be
  /// in any of them; were these parts of a destination, putting the one result
  /// back to its place would overwrite the other.
  bool contain(OpOperand &init);

private:
  bool compute(OpOperand &init);

  const bufferization::OneShotAnalysisState &state;
  /// Of loops that were asked for, by the result that is in the buffer of what
  /// the loop begins with: where loops follow each other, each is asked only
  /// for what lies between it and the one before.
  DenseMap<Value, bool> known;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_NORMALIZE_OWNBUFFERS_H
