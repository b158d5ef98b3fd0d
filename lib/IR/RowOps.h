//===- RowOps.h - what the ops along one dimension share -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Verification, effects and tiling of the ops that work on rows along one
/// dimension of their operands (`memspace.sort`, ...). All of the operands but
/// scalars are ranked tensors or all are memrefs, of one rank, and have one
/// extent in each other dimension.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_IR_ROWOPS_H
#define MEMSPACE_LIB_IR_ROWOPS_H

#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"

namespace mlir {
namespace memspace {

/// Failure with an error at `op` unless its operands are as is said above and
/// `dimension` is one of theirs, and no output is another operand; an output
/// that is the input of its number is none of those if `isElementwise`.
LogicalResult verifyRowOp(DestinationStyleOpInterface op, int64_t dimension,
                          bool isElementwise);

/// Failure with an error at `op` unless `region` compares two elements of each
/// of `inputs`.
LogicalResult verifyComparator(Operation *op, Region &region,
                               ValueRange inputs);

/// Names the arguments of a comparator.
void nameComparatorArguments(Region &region, OpAsmSetValueNameFn setName);

/// Reads of the inputs, reads and writes of the outputs, where they are
/// memrefs.
void addRowEffects(
    DestinationStyleOpInterface op,
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects);

//===----------------------------------------------------------------------===//
// Tiling: the loops are those of the first operand
//===----------------------------------------------------------------------===//

SmallVector<utils::IteratorType> getRowIterators(DestinationStyleOpInterface op,
                                                 int64_t dimension);
SmallVector<Range> getRowDomain(OpBuilder &builder,
                                DestinationStyleOpInterface op);
/// Failure if `dimension` is not taken as a whole.
FailureOr<TilingResult>
tileRows(OpBuilder &builder, DestinationStyleOpInterface op, int64_t dimension,
         ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes);
/// The place in result `number` of the rows of a tile.
LogicalResult getRowResultTile(OpBuilder &builder,
                               DestinationStyleOpInterface op,
                               int64_t dimension, unsigned number,
                               ArrayRef<OpFoldResult> offsets,
                               ArrayRef<OpFoldResult> sizes,
                               SmallVector<OpFoldResult> &resultOffsets,
                               SmallVector<OpFoldResult> &resultSizes);
/// The op on the rows that make a tile of result `number`. Failure if
/// `dimension` of it is not taken as a whole.
FailureOr<TilingResult> makeRowResultTile(OpBuilder &builder,
                                          DestinationStyleOpInterface op,
                                          int64_t dimension, unsigned number,
                                          ArrayRef<OpFoldResult> offsets,
                                          ArrayRef<OpFoldResult> sizes);

} // namespace memspace
} // namespace mlir

/// The methods of the row op `OP`'s TilingInterface.
#define MEMSPACE_DEFINE_ROW_TILING(OP)                                         \
  SmallVector<utils::IteratorType> OP::getLoopIteratorTypes() {                \
    return getRowIterators(*this, getDimension());                             \
  }                                                                            \
  SmallVector<Range> OP::getIterationDomain(OpBuilder &builder) {              \
    return getRowDomain(builder, *this);                                       \
  }                                                                            \
  FailureOr<TilingResult> OP::getTiledImplementation(                          \
      OpBuilder &builder, ArrayRef<OpFoldResult> offsets,                      \
      ArrayRef<OpFoldResult> sizes) {                                          \
    return tileRows(builder, *this, getDimension(), offsets, sizes);           \
  }                                                                            \
  LogicalResult OP::getResultTilePosition(                                     \
      OpBuilder &builder, unsigned number, ArrayRef<OpFoldResult> offsets,     \
      ArrayRef<OpFoldResult> sizes, SmallVector<OpFoldResult> &resultOffsets,  \
      SmallVector<OpFoldResult> &resultSizes) {                                \
    return getRowResultTile(builder, *this, getDimension(), number, offsets,   \
                            sizes, resultOffsets, resultSizes);                \
  }                                                                            \
  FailureOr<TilingResult> OP::generateResultTileValue(                         \
      OpBuilder &builder, unsigned number, ArrayRef<OpFoldResult> offsets,     \
      ArrayRef<OpFoldResult> sizes) {                                          \
    return makeRowResultTile(builder, *this, getDimension(), number, offsets,  \
                             sizes);                                           \
  }

/// The same, and the effects of an op that works in its outputs.
#define MEMSPACE_DEFINE_ROW_OP(OP)                                             \
  MEMSPACE_DEFINE_ROW_TILING(OP)                                               \
  void OP::getEffects(                                                         \
      SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>      \
          &effects) {                                                          \
    addRowEffects(*this, effects);                                             \
  }

#endif // MEMSPACE_LIB_IR_ROWOPS_H
