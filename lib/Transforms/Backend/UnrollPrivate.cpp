//===- UnrollPrivate.cpp - private arrays into registers -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// LLVM keeps a private array in registers where each index is a constant. Else
/// it is memory, a hundred times slower. LLVM's backend for AMD unrolls the
/// loops that count through such an array, the one for NVIDIA does not.
///
//===----------------------------------------------------------------------===//

#include "MemSpace/Transforms/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SetVector.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_UNROLLPRIVATEPASS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

namespace {
/// The arrays all of whose indices are constants once loops are unrolled, and
/// the loops that have to be.
class Arrays {
public:
  explicit Arrays(Operation *root);

  bool needsUnrolling(scf::ForOp loop) const { return loops.contains(loop); }

private:
  bool collect(Value buffer, llvm::SmallPtrSetImpl<Operation *> &needed);
  bool dependsOnCounters(Value index,
                         llvm::SmallPtrSetImpl<Operation *> &needed);

  llvm::SmallPtrSet<Operation *, 16> loops;
};
} // namespace

Arrays::Arrays(Operation *root) {
  root->walk([&](memref::AllocaOp alloca) {
    llvm::SmallPtrSet<Operation *, 8> needed;
    if (collect(alloca, needed))
      loops.insert(needed.begin(), needed.end());
  });
}

/// False when another use of `buffer` than an access of an element is in the
/// way, or an index that no unrolling makes constant.
bool Arrays::collect(Value buffer, llvm::SmallPtrSetImpl<Operation *> &needed) {
  return llvm::all_of(buffer.getUses(), [&](OpOperand &use) {
    Operation *op = use.getOwner();
    auto store = dyn_cast<memref::StoreOp>(op);
    bool isView = isa<ViewLikeOpInterface>(op);
    if ((!isView && !store && !isa<memref::LoadOp>(op)) ||
        (store && store.getValueToStore() == buffer))
      return false;
    for (Value operand : op->getOperands())
      if (isa<IndexType>(operand.getType()) &&
          !(store && operand == store.getValueToStore()) &&
          !dependsOnCounters(operand, needed))
        return false;
    return !isView || collect(op->getResult(0), needed);
  });
}

/// True for what is computed of constants and of counters of loops with a
/// constant number of iterations.
bool Arrays::dependsOnCounters(Value index,
                               llvm::SmallPtrSetImpl<Operation *> &needed) {
  llvm::SetVector<Value> values;
  values.insert(index);
  for (size_t i = 0; i < values.size(); ++i) {
    if (auto arg = dyn_cast<BlockArgument>(values[i])) {
      auto loop = dyn_cast<scf::ForOp>(arg.getOwner()->getParentOp());
      if (!loop || arg != loop.getInductionVar() || !loop.getStaticTripCount())
        return false;
      needed.insert(loop);
      continue;
    }
    Operation *op = values[i].getDefiningOp();
    if (op->getNumRegions() != 0 || !isPure(op) ||
        (op->getNumOperands() == 0 && !op->hasTrait<OpTrait::ConstantLike>()))
      return false;
    values.insert(op->operand_begin(), op->operand_end());
  }
  return true;
}

static int64_t countOps(Block &block) {
  int64_t ops = 0;
  block.walk([&](Operation *) { ++ops; });
  return ops;
}

/// Iterations that read what one access of 16 bytes can load, of 4 bytes each.
static constexpr unsigned kIterationsOfAccess = 4;

/// True when `loop`, which is not unrolled, reads elements of workgroup memory
/// that follow each other in its iterations: then a few of these are one
/// access.
static bool readsInARow(scf::ForOp loop) {
  std::optional<APInt> trips = loop.getStaticTripCount();
  if (!trips || trips->ule(kIterationsOfAccess) ||
      trips->urem(kIterationsOfAccess) != 0)
    return false;
  bool reads = false;
  WalkResult others = loop.getBody()->walk([&](Operation *op) {
    if (isa<LoopLikeOpInterface>(op))
      return WalkResult::interrupt();
    auto load = dyn_cast<memref::LoadOp>(op);
    auto space = load ? dyn_cast_or_null<gpu::AddressSpaceAttr>(
                            load.getMemRefType().getMemorySpace())
                      : nullptr;
    reads |= space && space.getValue() == gpu::AddressSpace::Workgroup &&
             !load.getIndices().empty() &&
             load.getIndices().back() == loop.getInductionVar();
    return WalkResult::advance();
  });
  return reads && !others.wasInterrupted();
}

namespace {
struct UnrollPrivatePass
    : public memspace::impl::UnrollPrivatePassBase<UnrollPrivatePass> {
  using Base::Base;

  void runOnOperation() override {
    // From the inside out: a loop is counted as it is when its own are
    // unrolled.
    Arrays arrays(getOperation());
    SmallVector<scf::ForOp> loops;
    llvm::SmallPtrSet<Operation *, 8> aroundUnrolled;
    getOperation()->walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops) {
      if (arrays.needsUnrolling(loop)) {
        APInt trips = *loop.getStaticTripCount();
        Operation *parent = loop->getParentOp();
        if (trips.ult(maxOps) &&
            trips.getSExtValue() * countOps(*loop.getBody()) <= maxOps &&
            succeeded(loopUnrollFull(loop)))
          aroundUnrolled.insert(parent);
      } else if (aroundUnrolled.contains(loop) && readsInARow(loop) &&
                 kIterationsOfAccess * countOps(*loop.getBody()) <= maxOps) {
        (void)loopUnrollByFactor(loop, kIterationsOfAccess);
      }
    }
  }
};
} // namespace
