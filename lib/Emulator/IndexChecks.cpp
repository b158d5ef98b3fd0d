//===- IndexChecks.cpp - an index and its dimension ---------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "RuntimeFunctions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::emulator;

/// The site of the op that made the buffer or view behind `memref`; 0 when it
/// cannot be told here.
static uint32_t getBufferSite(Value memref) {
  while (Operation *op = memref.getDefiningOp()) {
    if (std::optional<RankReduction> reduction = getRankReduction(memref)) {
      memref = reduction->whole;
      continue;
    }
    auto view = dyn_cast<ViewLikeOpInterface>(op);
    if (!view || isa<memref::ViewOp>(op))
      return getSite(op->getLoc());
    memref = view.getViewSource();
  }
  return 0;
}

/// Places from the first to the last of `count` that are `stride` apart; the
/// largest number where 64 bits do not hold it.
static int64_t getReach(int64_t count, int64_t stride) {
  int64_t reach;
  if (llvm::MulOverflow(count - 1, stride, reach) ||
      llvm::AddOverflow<int64_t>(reach, 1, reach))
    return std::numeric_limits<int64_t>::max();
  return reach;
}

namespace {
/// Checks the indices of accesses: one beyond its dimension can still lie in
/// the buffer.
class IndexChecker {
public:
  explicit IndexChecker(ModuleOp module)
      : module(module), builder(module.getContext()) {}

  void run();
  /// The box of `vectorShape` elements of the trailing dimensions at `indices`.
  /// The check comes before `op`, whose place the report names.
  void check(Operation *op, Value memref, ValueRange indices,
             ArrayRef<int64_t> vectorShape = {});

  /// Must come before the checks.
  void declareCheck();

private:
  Value i64(int64_t value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI64IntegerAttr(value));
  }
  Value i32(int64_t value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI32IntegerAttr(value));
  }
  Value getValue(OpFoldResult value) {
    return getValueOrCreateConstantIndexOp(builder, loc, value);
  }
  /// `index` to `index + extent - 1` must be in dimension `d` of `memref`.
  void emitCheck(Value index, int64_t extent, Value memref, unsigned d);

  ModuleOp module;
  OpBuilder builder;
  Location loc = UnknownLoc::get(module.getContext());
  uint32_t bufferSite = 0;
};
} // namespace

void IndexChecker::emitCheck(Value index, int64_t extent, Value memref,
                             unsigned d) {
  auto type = cast<MemRefType>(memref.getType());
  auto toI64 = [&](Value value) -> Value {
    return arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                      value);
  };
  Value size = type.isDynamicDim(d)
                   ? toI64(memref::DimOp::create(builder, loc, memref, d))
                   : i64(type.getDimSize(d));
  func::CallOp::create(builder, loc, rt::kIndex, TypeRange(),
                       ValueRange{toI64(index), i64(extent), size, i32(d),
                                  i32(getSite(loc)), i32(bufferSite)});
}

void IndexChecker::check(Operation *op, Value memref, ValueRange indices,
                         ArrayRef<int64_t> vectorShape) {
  loc = op->getLoc();
  builder.setInsertionPoint(op);
  bufferSite = getBufferSite(memref);
  SmallVector<Value> positions(indices);
  SmallVector<int64_t> extents(positions.size(), 1);
  // Trailing dimensions of a vector access reach over several elements.
  llvm::copy(vectorShape, extents.end() - vectorShape.size());
  for (unsigned d = 0; d < positions.size(); ++d)
    emitCheck(positions[d], extents[d], memref, d);

  // A slice may leave what it is a slice of.
  while (true) {
    if (std::optional<RankReduction> reduction = getRankReduction(memref)) {
      memref = reduction->whole;
      int64_t rank = cast<MemRefType>(memref.getType()).getRank();
      SmallVector<Value> all(rank, getValue(builder.getIndexAttr(0)));
      SmallVector<int64_t> allExtents(rank, 1);
      for (auto [inner, d] : llvm::enumerate(reduction->kept)) {
        all[d] = positions[inner];
        allExtents[d] = extents[inner];
      }
      positions = all;
      extents = allExtents;
      continue;
    }
    auto slice = memref.getDefiningOp<memref::SubViewOp>();
    if (!slice)
      return;
    SmallVector<int64_t> kept = getKeptDims(slice);
    auto sourceType = slice.getSourceType();
    SmallVector<Value> outer(sourceType.getRank());
    SmallVector<int64_t> outerExtents(sourceType.getRank(), 1);
    unsigned inner = 0;
    for (int64_t d = 0; d < sourceType.getRank(); ++d) {
      OpFoldResult offset = slice.getMixedOffsets()[d];
      OpFoldResult stride = slice.getMixedStrides()[d];
      std::optional<int64_t> offsetValue = getConstantIntValue(offset);
      std::optional<int64_t> strideValue = getConstantIntValue(stride);
      std::optional<int64_t> sizeValue =
          getConstantIntValue(slice.getMixedSizes()[d]);
      outer[d] = getValue(offset);
      if (llvm::is_contained(kept, d)) {
        outer[d] = arith::AddIOp::create(
            builder, loc, outer[d],
            arith::MulIOp::create(builder, loc, positions[inner],
                                  getValue(stride)));
        outerExtents[d] = getReach(extents[inner], strideValue.value_or(1));
        ++inner;
      }
      // The check of the index in the slice implies this one.
      if (offsetValue && strideValue && sizeValue && *offsetValue >= 0 &&
          *strideValue >= 0 && *sizeValue >= 0 && !sourceType.isDynamicDim(d) &&
          *offsetValue <= sourceType.getDimSize(d) &&
          getReach(*sizeValue, *strideValue) <=
              sourceType.getDimSize(d) - *offsetValue)
        continue;
      emitCheck(outer[d], outerExtents[d], slice.getSource(), d);
    }
    positions = outer;
    extents = outerExtents;
    memref = slice.getSource();
  }
}

void IndexChecker::declareCheck() {
  if (module.lookupSymbol(rt::kIndex))
    return;
  loc = module.getLoc();
  Type i64Type = builder.getI64Type(), i32Type = builder.getI32Type();
  builder.setInsertionPointToStart(module.getBody());
  func::FuncOp::create(
      builder, loc, rt::kIndex,
      builder.getFunctionType(
          {i64Type, i64Type, i64Type, i32Type, i32Type, i32Type}, {}))
      .setPrivate();
}

void IndexChecker::run() {
  declareCheck();
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) { ops.push_back(op); });
  // A vector may also be one element of the memref.
  auto getShape = [](auto op) {
    return op.getMemRefType().getElementType() ==
                   op.getVectorType().getElementType()
               ? op.getVectorType().getShape()
               : ArrayRef<int64_t>();
  };
  for (Operation *op : ops)
    llvm::TypeSwitch<Operation *>(op)
        .Case<memref::LoadOp, memref::StoreOp>(
            [&](auto o) { check(o, o.getMemRef(), o.getIndices()); })
        .Case<memref::AtomicRMWOp, memref::GenericAtomicRMWOp>(
            [&](auto o) { check(o, o.getMemref(), o.getIndices()); })
        .Case([&](nvgpu::DeviceAsyncCopyOp o) {
          // A run of elements in the last dimension.
          int64_t count = o.getDstElements().getSExtValue();
          auto target = o.getDst().getDefiningOp<memref::MemorySpaceCastOp>();
          check(o, target.getSource(), o.getDstIndices(), count);
          if (!o.getSrcElements())
            check(o, o.getSrc(), o.getSrcIndices(), count);
        })
        .Case<vector::LoadOp, vector::StoreOp>([&](auto o) {
          check(o, o.getBase(), o.getIndices(), getShape(o));
        });
}

void emulator::insertIndexCheck(Operation *op, Value memref, ValueRange indices,
                                ArrayRef<int64_t> extents) {
  IndexChecker checker(op->getParentOfType<ModuleOp>());
  checker.declareCheck();
  checker.check(op, memref, indices, extents);
}

void emulator::insertIndexChecks(ModuleOp module) {
  IndexChecker(module).run();
}
