//===- ThreadTilings.h - foralls over whole tensors -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Rewrites work on whole tensors into mapped `scf.forall`s: by the slices of
/// an owner map, element by element, or whole by one thread.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_NORMALIZE_THREADTILINGS_H
#define MEMSPACE_LIB_TRANSFORMS_NORMALIZE_THREADTILINGS_H

#include "MemSpace/Spaces/OwnerMaps.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

namespace mlir {
class DominanceInfo;

namespace memspace {

/// How the elements of a tensor are cut into slices, one for each iteration of
/// a mapped forall.
struct Tiling {
  SmallVector<OpFoldResult> lbs, ubs, steps;
  ArrayAttr mapping;
  /// Offsets and sizes of the slice of iteration `ivs`.
  std::function<void(OpBuilder &, Location, ValueRange ivs,
                     SmallVector<OpFoldResult> &offsets,
                     SmallVector<OpFoldResult> &sizes)>
      getSlice;
};

/// The slices of `owner`, for use at `at`; none when they cannot be computed
/// there, or when its threads are not those of `at`'s scope.
std::optional<Tiling> getOwnerTiling(OwnerMap owner, Operation *at,
                                     ExecutionScope scope,
                                     const DominanceInfo &dominance);

/// `chunk` elements of the last dimension, whose extent they divide, for each
/// iteration; consecutive threads take consecutive chunks.
Tiling getChunkTiling(OpBuilder &b, Location loc, ArrayRef<OpFoldResult> shape,
                      int64_t chunk, ExecutionScope scope);

/// The whole tensor by one thread.
Tiling getGuardTiling(OpBuilder &b, ExecutionScope scope);

/// A forall over the iterations of `tiling`, its body empty.
scf::ForallOp createForall(OpBuilder &b, Location loc, const Tiling &tiling,
                           ValueRange outputs);

/// `dest` with the content of `source`, copied slice by slice. `why` becomes
/// the copy's `memspace.copy`.
Value createCopy(OpBuilder &b, Location loc, const Tiling &tiling, Value source,
                 Value dest, Attribute why);

/// True when each iteration of a tiling of result 0 writes its own elements of
/// every result: all results are indexed by exactly the same loops.
bool canTileResults(Operation *op);

/// Clones `op` into a forall that tiles its first result with `tiling`. Null
/// when the op does not allow it.
scf::ForallOp tileOp(OpBuilder &b, DestinationStyleOpInterface op,
                     const Tiling &tiling);

/// Clones `op` whole into a forall of one iteration: a guard. `outputs` are the
/// operands in whose place the results are.
scf::ForallOp guardOp(OpBuilder &b, Operation *op,
                      ArrayRef<OpOperand *> outputs, ExecutionScope scope);

/// The same for a whole loop; its other results have no use.
scf::ForallOp guardLoop(OpBuilder &b, scf::ForOp loop, ExecutionScope scope);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_NORMALIZE_THREADTILINGS_H
