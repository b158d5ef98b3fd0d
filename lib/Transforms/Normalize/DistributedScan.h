//===- DistributedScan.h - threads that scan together -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reduce, then scan: each row is cut into chunks, one for each thread.
///
///   1. Each thread combines the elements of its chunk to a total. Nobody needs
///      the total of the last chunk.
///   2. The totals of each subgroup are scanned by Hillis and Steele's steps
///      ("Data parallel algorithms", 1986): in step d each total is combined
///      with the one d places before it. No thread needs what another subgroup
///      has computed.
///   3. Each thread combines the last totals of the subgroups before it and the
///      total just before its chunk, and scans its chunk from there on.
///
/// Where lanes can pass values to each other (ScanByShuffles.cpp), totals stay
/// in their registers, and only the last one of each subgroup is shared, if
/// there is more than one. Else (DistributeScan.cpp) all totals are, in a
/// tensor of its own for each step. Only step 3 waits for other subgroups.
///
/// Chunks are counted in the order of the scan, tiles in that of the memory.
///
/// A row whose length is known when the kernel runs is cut as one of the
/// greatest length would be. Chunks behind its end are empty. A total is needed
/// only of a chunk that another one comes after, and such a chunk is whole.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_NORMALIZE_DISTRIBUTEDSCAN_H
#define MEMSPACE_LIB_TRANSFORMS_NORMALIZE_DISTRIBUTEDSCAN_H

#include "MemSpace/IR/MemSpaceDialect.h"
#include "Transforms/Normalize/StructuredOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include <optional>

namespace mlir {
namespace memspace {

class DistributedScan {
public:
  DistributedScan(ScanOp op, const RowLength &rowLength,
                  const Sharing &sharing);

  void run();

private:
  /// The elements of all operands at one place.
  using Elements = SmallVector<Value>;
  using MakeElements = llvm::function_ref<Elements()>;

  /// The output that input `number` is, too.
  std::optional<unsigned> findOutput(unsigned number) {
    for (auto [output, value] : llvm::enumerate(op.getOutputs()))
      if (value == op.getInputs()[number])
        return output;
    return std::nullopt;
  }
  int64_t getNumTotals() const { return rows * (chunks - 1); }
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(rewriter, loc, value);
  }
  template <typename OpT> Value make(Value left, Value right) {
    return rewriter.createOrFold<OpT>(loc, left, right);
  }
  Value compare(arith::CmpIPredicate predicate, Value left, Value right) {
    return arith::CmpIOp::create(rewriter, loc, predicate, left, right);
  }

  /// Whether each chunk has as many elements as the others.
  bool areChunksWhole() const { return !end && length % chunk == 0; }
  /// Where the elements of a chunk are in memory.
  struct Place {
    OpFoldResult begin, size;
  };
  Place getChunk(AffineExpr number, ValueRange operands);
  Value isFollowed(Value number);
  Value getBeginOfFollowed(Value number);

  Elements makeZeros();
  Elements choose(Value condition, MakeElements getThen, MakeElements getElse);
  SmallVector<Value> choose(TypeRange types, Value condition,
                            MakeElements getThen, MakeElements getElse);
  Elements
  repeat(Value begin, Value end, int64_t step, ValueRange carried,
         llvm::function_ref<Elements(Value number, ValueRange carried)> body);
  Elements extract(ValueRange tensors, ValueRange place);

  Elements reduce(Value inRow, Value size,
                  llvm::function_ref<Elements(Value inChunk)> getElements);
  scf::ForallOp makeForall(ArrayRef<int64_t> extents, ValueRange outputs);
  void
  forEachTotal(MutableArrayRef<Value> results,
               llvm::function_ref<Elements(Value number, Value chunk)> body);
  SmallVector<Value> makeEmpty(int64_t extent);
  SmallVector<Value> reduceChunks();
  SmallVector<Value> scanTotals(int64_t distance, ValueRange totals);
  SmallVector<Value> getPlace(Value row, Value position);
  Elements getSharedPrefix(Value row, Value number, ValueRange totals);
  SmallVector<Value> scanTile(Value number, Value size, MakeElements getPrefix,
                              ValueRange inputs, ValueRange outputs);
  SmallVector<Value>
  scanSlices(scf::ForallOp forall, ArrayRef<OpFoldResult> offsets,
             ArrayRef<OpFoldResult> sizes,
             llvm::function_ref<SmallVector<Value>(ValueRange inputs,
                                                   ValueRange outputs)>
                 scan);
  /// `getPrefix` makes what comes before a chunk that is not the first one.
  SmallVector<Value>
  scanChunks(llvm::function_ref<Elements(Value row, Value number)> getPrefix);

  int64_t getBoundaries() const;
  Value getLane(Value thread) {
    return make<arith::RemUIOp>(thread, constant(*lanes));
  }
  Value getSubgroup(Value thread) {
    return make<arith::DivUIOp>(thread, constant(*lanes));
  }
  Elements reduceChunk(Value thread, Value number);
  Elements shuffleFrom(int64_t distance, Value thread, ValueRange elements);
  Elements scanSubgroup(Value thread);
  struct Slice {
    OpFoldResult offset, size;
    SmallVector<Value> values;
  };
  Slice insertLast(Value thread, ValueRange totals, ValueRange args);
  SmallVector<Value> scanInSubgroups();
  Elements getPrefix(Value thread, Value number, ValueRange ownAndLast);
  SmallVector<Value> scanByShuffles();

  ScanOp op;
  bool isOfSubgroup;
  int64_t numThreads;
  Location loc;
  IRRewriter rewriter;
  ArrayRef<int64_t> shape;
  /// The length of a row, or the greatest one; then `end` is the length.
  int64_t length = 0, rows = 1;
  Value end;
  /// Elements of a chunk but the last tile's, chunks of a row, totals that a
  /// subgroup scans.
  int64_t chunk = 0, chunks = 0, block = 1;
  /// Those of each subgroup, if they pass totals to each other by shuffles.
  std::optional<int64_t> lanes;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_NORMALIZE_DISTRIBUTEDSCAN_H
