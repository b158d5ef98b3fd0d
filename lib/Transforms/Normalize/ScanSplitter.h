//===- ScanSplitter.h - a scan by several workgroups -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reduce, then scan, as the threads of one workgroup do it
/// (DistributedScan.h), in three kernels that the host launches one after the
/// other:
///
///   1. The elements of each chunk of a row are combined to a total. The last
///      chunk's is not needed, so all of them are whole.
///   2. One workgroup for each row scans its totals, in place.
///   3. Each chunk is scanned from the total of all chunks before it.
///
/// A scan of n elements reads 2 n of them and writes n. A chunk is a
/// workgroup's where its elements follow each other in memory, so that its
/// threads read what is near to each other, with few elements for each. Else,
/// or where a row is no longer than that, it is a thread's, next to that of a
/// thread which has the same elements of another row; then chunks have the root
/// of n / threads elements, so that a thread of the second kernel has about as
/// many totals as one of the others has elements.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_NORMALIZE_SCANSPLITTER_H
#define MEMSPACE_LIB_TRANSFORMS_NORMALIZE_SCANSPLITTER_H

#include "MemSpace/IR/MemSpaceDialect.h"
#include "Transforms/Normalize/LoneOps.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir {
namespace memspace {

/// A kernel that does nothing but to scan arguments.
struct LargeScan : LoneOp {
  ScanOp scan;
  SmallVector<int64_t> shape;
  /// Elements of a chunk but the last one of a row, chunks of a row, rows.
  int64_t chunk = 0, chunks = 0, rows = 1;
  /// Elements of a chunk for each thread of its workgroup, or 0 where a thread
  /// has the chunk.
  int64_t perThread = 0;

  int64_t getLength() const { return shape[dimension()]; }
  /// Whether the elements of a row follow each other in memory.
  bool isLast() const { return dimension() + 1 == shape.size(); }
  unsigned dimension() const { return ScanOp(scan).getDimension(); }
};

/// Makes the three kernels and the function of the host.
class ScanSplitter {
public:
  explicit ScanSplitter(LargeScan scan)
      : scan(scan), op(scan.scan), loc(op.getLoc()), builder(scan.kernel) {}
  void run();

private:
  using Elements = SmallVector<Value>;

  Value makeIndex(int64_t number) {
    return arith::ConstantIndexOp::create(builder, loc, number);
  }
  Value apply(AffineExpr expr, ValueRange operands) {
    return affine::AffineApplyOp::create(
        builder, loc, AffineMap::get(operands.size(), 0, expr), operands);
  }
  SmallVector<Type> getTotalTypes();
  SmallVector<Type> getElementTypes();
  SmallVector<Type> getTypes(ArrayRef<BlockArgument> arguments);
  SmallVector<BlockArgument> getOuterArguments();
  SmallVector<Type> addInitialTypes(SmallVector<Type> types);
  void bindInitial(ValueRange arguments);
  void beginThread(int64_t chunksOfRow);
  void findRow(Value number, AffineExpr rowExpr, AffineExpr chunkExpr);
  SmallVector<Value> getPlace(Value number);
  Elements load(ValueRange memrefs, ValueRange place);
  Elements repeat(Value from, Value to, ValueRange carried,
                  llvm::function_ref<Elements(Value, ValueRange)> body);
  Value makeTensor(Value memref, bool isWritten = false) {
    return makeArgumentTensor(builder, loc, memref, isWritten);
  }
  scf::ForallOp beginForall(int64_t count, ValueRange outputs,
                            Attribute mapping);
  void endKernel(scf::ForallOp forall, ValueRange memrefs);
  ScanOp makeScan(ValueRange inputs, ValueRange initial, ValueRange outputs,
                  unsigned dimension, bool exclusive, bool reverse);
  Elements makeThreadTotals(ValueRange inputs);
  Elements scanChunk(ValueRange inputs, ValueRange totals, ValueRange outputs);
  func::FuncOp makeTotalsKernel();
  func::FuncOp makeTotalsKernelOfThreads();
  func::FuncOp makeOffsetsKernel();
  func::FuncOp makeChunksKernel();
  func::FuncOp makeChunksKernelOfThreads();

  LargeScan scan;
  ScanOp op;
  Location loc;
  OpBuilder builder;
  /// In a kernel: the initial values; the row of a thread or workgroup, the
  /// number of its chunk and its place in the other dimensions.
  SmallVector<Value> initial, rowPlace;
  Value row, chunkNumber;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_NORMALIZE_SCANSPLITTER_H
