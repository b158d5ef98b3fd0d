//===- SelfCopies.cpp - copies of a buffer to itself -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/ShapedSlices.h"
#include "MemSpace/Memory/LinearExpr.h"
#include "MemSpace/Memory/ValueFlow.h"
#include "MemSpace/Transforms/FinishBufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;

namespace {
/// Which values of a kernel are equal wherever both can be named: results of
/// the same pure op on equal operands, and what loops and branches pass on
/// without a choice.
///
/// \code{.mlir}
///   %i = affine.apply #map(%t)      // the leader of %j
///   %r = scf.for … iter_args(%a = %m) { scf.yield %a }   // origin: %m
///   %j = affine.apply #map(%t)
/// \endcode
class EqualValues {
public:
  explicit EqualValues(Operation *kernel);

  /// The value that all loops and branches between it and `value` pass on.
  Value getOrigin(Value value);
  /// One of the values that are equal to `value`, the same for all of them.
  Value getLeader(Value value) {
    value = getOrigin(value);
    auto it = leaders.find(value);
    return it == leaders.end() ? value : it->second;
  }

private:
  bool isEqual(Operation *a, Operation *b);

  DenseMap<Value, Value> origins, leaders;
};
} // namespace

/// A value may come from so many others before nothing is said of it.
static constexpr unsigned kMaxPassedValues = 256;

/// The values of which `value` is one at the end of a branch or in a loop. The
/// blocks of unstructured code may pass on a value of the last time that they
/// were executed, while its name already stands for another one.
static std::optional<SmallVector<Value>> getStructuredSources(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    if (!argument.getOwner()->isEntryBlock())
      return std::nullopt;
  return getPassedValues(value);
}

Value EqualValues::getOrigin(Value value) {
  if (auto it = origins.find(value); it != origins.end())
    return it->second;
  // What is passed on around a loop comes from outside of it: a single source
  // is defined before all that pass it on.
  llvm::SetVector<Value> passed;
  passed.insert(value);
  Value origin;
  for (unsigned i = 0; i < passed.size(); ++i) {
    std::optional<SmallVector<Value>> sources = getStructuredSources(passed[i]);
    if (sources && passed.size() < kMaxPassedValues) {
      passed.insert(sources->begin(), sources->end());
      continue;
    }
    if (origin || sources)
      return origins[value] = value;
    origin = passed[i];
  }
  if (!origin)
    return origins[value] = value;
  // The sources of each of them are among those of `value`.
  for (Value other : passed)
    origins[other] = origin;
  return origin;
}

bool EqualValues::isEqual(Operation *a, Operation *b) {
  return OperationEquivalence::isEquivalentTo(
      a, b,
      [&](Value left, Value right) {
        return success(getLeader(left) == getLeader(right));
      },
      /*markEquivalent=*/nullptr, OperationEquivalence::IgnoreLocations);
}

EqualValues::EqualValues(Operation *kernel) {
  DenseMap<unsigned, SmallVector<Operation *, 1>> seen;
  kernel->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op->getNumRegions() || op->getNumResults() == 0 ||
        !isMemoryEffectFree(op))
      return;
    unsigned hash = llvm::hash_combine(
        op->getName(), op->getDiscardableAttrDictionary(), op->hashProperties(),
        llvm::hash_combine_range(
            llvm::map_range(op->getOperands(), [&](Value operand) {
              return getLeader(operand).getAsOpaquePointer();
            })));
    SmallVector<Operation *, 1> &alike = seen[hash & 0x7fffffff];
    auto it = llvm::find_if(
        alike, [&](Operation *other) { return isEqual(other, op); });
    if (it == alike.end()) {
      alike.push_back(op);
      return;
    }
    for (auto [result, leader] :
         llvm::zip_equal(op->getResults(), (*it)->getResults()))
      leaders[result] = leader;
  });
}

namespace {
/// Where a memref lies in the memref that its subviews were taken of.
struct MemRefWindow {
  Value root;
  /// For each dimension of the root: first index, distance of neighbours, and
  /// the dimension of the memref, none where it was dropped.
  SmallVector<LinearExpr> offsets;
  SmallVector<int64_t> strides;
  SmallVector<std::optional<unsigned>> dims;

  bool operator==(const MemRefWindow &other) const {
    return root == other.root && strides == other.strides &&
           dims == other.dims && offsets == other.offsets;
  }
};
} // namespace

/// The number of `dim` among the dimensions that are not dropped.
static unsigned getKeptDim(const llvm::SmallBitVector &dropped, unsigned dim) {
  unsigned kept = 0;
  for (unsigned i = 0; i < dim; ++i)
    kept += !dropped.test(i);
  return kept;
}

static MemRefWindow getWholeWindow(Value memref, EqualValues &values) {
  MemRefWindow window;
  window.root = values.getLeader(memref);
  for (unsigned i = 0, e = cast<MemRefType>(memref.getType()).getRank(); i < e;
       ++i) {
    window.offsets.push_back(LinearExpr(0));
    window.strides.push_back(1);
    window.dims.push_back(i);
  }
  return window;
}

/// Makes `window`, where the source of `subview` lies, where its result does.
static LogicalResult moveInto(MemRefWindow &window, memref::SubViewOp subview,
                              EqualValues &values) {
  llvm::SmallBitVector dropped = getDroppedDims(subview);
  SmallVector<OpFoldResult> offsets = subview.getMixedOffsets();
  SmallVector<OpFoldResult> strides = subview.getMixedStrides();
  for (unsigned i = 0, e = window.dims.size(); i < e; ++i) {
    if (!window.dims[i])
      continue;
    unsigned d = *window.dims[i];
    std::optional<int64_t> stride = getConstantIntValue(strides[d]);
    if (!stride)
      return failure();
    OpFoldResult offset = offsets[d];
    if (auto value = dyn_cast<Value>(offset))
      offset = values.getLeader(value);
    window.offsets[i] += LinearExpr(offset) * window.strides[i];
    if (llvm::MulOverflow(window.strides[i], *stride, window.strides[i]))
      return failure();
    if (dropped.test(d))
      window.dims[i] = std::nullopt;
    else
      window.dims[i] = getKeptDim(dropped, d);
  }
  return success();
}

static std::optional<MemRefWindow> getWindow(Value memref,
                                             EqualValues &values) {
  SmallVector<memref::SubViewOp> subviews;
  while (true) {
    memref = values.getOrigin(memref);
    if (auto cast = memref.getDefiningOp<memref::CastOp>()) {
      memref = cast.getSource();
    } else if (auto subview = memref.getDefiningOp<memref::SubViewOp>()) {
      subviews.push_back(subview);
      memref = subview.getSource();
    } else {
      break;
    }
  }
  if (!isa<MemRefType>(memref.getType()))
    return std::nullopt;
  MemRefWindow window = getWholeWindow(memref, values);
  for (memref::SubViewOp subview : llvm::reverse(subviews))
    if (failed(moveInto(window, subview, values)))
      return std::nullopt;
  return window;
}

/// True when both memrefs are the same elements in the same order.
static bool isSameMemory(Value a, Value b, EqualValues &values) {
  if (values.getLeader(a) == values.getLeader(b))
    return true;
  std::optional<MemRefWindow> windowA = getWindow(a, values),
                              windowB = getWindow(b, values);
  return windowA && windowB && *windowA == *windowB;
}

/// The source and the target of a copy; null values for another op.
static std::pair<Value, Value> getCopiedMemory(Operation *op) {
  if (auto copy = dyn_cast<linalg::CopyOp>(op);
      copy && copy.hasPureBufferSemantics())
    return {copy.getInputs()[0], copy.getOutputs()[0]};
  if (auto copy = dyn_cast<memref::CopyOp>(op))
    return {copy.getSource(), copy.getTarget()};
  return {};
}

void mlir::memspace::removeSelfCopies(FunctionOpInterface kernel) {
  SmallVector<Operation *> copies;
  kernel->walk([&](Operation *op) {
    if (getCopiedMemory(op).first)
      copies.push_back(op);
  });
  if (copies.empty())
    return;
  EqualValues values(kernel);
  for (Operation *copy : copies) {
    auto [source, target] = getCopiedMemory(copy);
    if (isSameMemory(source, target, values))
      copy->erase();
  }
}
