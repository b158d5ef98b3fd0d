//===- ReduceInSubgroups.cpp - uniform reductions by the lanes together -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A reduction that uniform code executes reads all elements in every thread.
/// The lanes of a subgroup can each reduce a part and exchange the results: no
/// memory and no barrier is needed for that, and each lane has the result, as
/// before.
///
//===----------------------------------------------------------------------===//

#include "MemSpace/Threads/Uniformity.h"
#include "MemSpace/Transforms/Passes.h"
#include "Transforms/Support/PassKernels.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_REDUCEINSUBGROUPSPASS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

/// Fewer elements are not worth the exchange, which takes two steps for each
/// power of two in the size of a subgroup.
static constexpr int64_t kFewestElements = 32;

/// What combines two values; none when no exchange does.
static std::optional<gpu::AllReduceOperation> getKind(Operation *combiner) {
  using Kind = gpu::AllReduceOperation;
  return llvm::TypeSwitch<Operation *, std::optional<Kind>>(combiner)
      .Case<arith::AddFOp, arith::AddIOp>([](auto) { return Kind::ADD; })
      .Case<arith::MulFOp, arith::MulIOp>([](auto) { return Kind::MUL; })
      .Case([](arith::MaximumFOp) { return Kind::MAXIMUMF; })
      .Case([](arith::MinimumFOp) { return Kind::MINIMUMF; })
      .Case([](arith::MaxNumFOp) { return Kind::MAXNUMF; })
      .Case([](arith::MinNumFOp) { return Kind::MINNUMF; })
      .Case([](arith::MaxSIOp) { return Kind::MAXSI; })
      .Case([](arith::MinSIOp) { return Kind::MINSI; })
      .Case([](arith::MaxUIOp) { return Kind::MAXUI; })
      .Case([](arith::MinUIOp) { return Kind::MINUI; })
      .Case([](arith::AndIOp) { return Kind::AND; })
      .Case([](arith::OrIOp) { return Kind::OR; })
      .Case([](arith::XOrIOp) { return Kind::XOR; })
      .Default(std::nullopt);
}

/// True when the order of a sum or product shows in its result.
static bool isOrdered(Operation *combiner) {
  if (!isa<arith::AddFOp, arith::MulFOp>(combiner))
    return false;
  auto flags =
      cast<arith::ArithFastMathInterface>(combiner).getFastMathFlagsAttr();
  return !flags ||
         !bitEnumContainsAll(flags.getValue(), arith::FastMathFlags::reassoc);
}

namespace {
class Reducer {
public:
  Reducer(const KernelContext &context, bool reassociate)
      : context(context), reassociate(reassociate), relations(context) {}

  /// Rewrites the reductions of the kernel. False when there is none.
  bool run();

private:
  bool decidesByPrivateMemory() const;
  Operation *getCombiner(linalg::LinalgOp op);
  void rewrite(linalg::LinalgOp op, Operation *combiner);

  const KernelContext &context;
  bool reassociate;
  ThreadRelations relations;
  /// Built by the first reduction that may be rewritten.
  std::optional<Uniformity> uniformity;
};
} // namespace

/// True when a condition, a bound or an index may come out of private memory.
/// That the lanes' result is the same in the whole workgroup is not known to
/// the verifier.
bool Reducer::decidesByPrivateMemory() const {
  llvm::SetVector<Value> values;
  FunctionOpInterface(context.getKernel())->walk([&](Operation *op) {
    bool decides =
        isa<RegionBranchOpInterface, RegionBranchTerminatorOpInterface,
            BranchOpInterface>(op) ||
        (isa<MemoryEffectOpInterface, ViewLikeOpInterface>(op) &&
         !isa<linalg::LinalgOp>(op));
    if (!decides)
      return;
    for (Value operand : op->getOperands())
      if (operand.getType().isIntOrIndex())
        values.insert(operand);
  });
  for (size_t i = 0; i < values.size(); ++i) {
    Operation *op = values[i].getDefiningOp();
    if (!op)
      continue;
    for (Value operand : op->getOperands()) {
      if (isa<MemRefType>(operand.getType()) &&
          context.getSpaces().getNamedSpace(operand.getType()) ==
              MemorySpace::Private)
        return true;
      values.insert(operand);
    }
  }
  return false;
}

/// The op that combines the elements; null when `op` is not such a reduction.
Operation *Reducer::getCombiner(linalg::LinalgOp op) {
  auto getSpace = [&](Value buffer) {
    return context.getSpaces().getNamedSpace(buffer.getType());
  };
  if (!op.hasPureBufferSemantics() || op.getNumLoops() != 1 ||
      op.getNumReductionLoops() != 1 || op.getNumDpsInits() != 1 ||
      op.getNumDpsInputs() == 0 || op.hasIndexSemantics() ||
      op.getStaticLoopRanges().front() < kFewestElements)
    return nullptr;
  Value init = op.getDpsInits().front();
  auto type = dyn_cast<MemRefType>(init.getType());
  if (!type || type.getRank() != 0 || getSpace(init) != MemorySpace::Private ||
      !type.getElementType().isIntOrFloat() ||
      type.getElementTypeBitWidth() > 32)
    return nullptr;
  for (OpOperand *input : op.getDpsInputOperands())
    if (!isa<MemRefType>(input->get().getType()) ||
        getSpace(input->get()) == MemorySpace::Private ||
        !op.getMatchingIndexingMap(input).isIdentity())
      return nullptr;
  SmallVector<Operation *> combiners;
  if (!matchReduction(op.getRegionOutputArgs(), 0, combiners) ||
      combiners.size() != 1 || !getKind(combiners.front()) ||
      !arith::getNeutralElement(combiners.front()) ||
      (isOrdered(combiners.front()) && !reassociate))
    return nullptr;
  // All lanes of each subgroup take part in the exchange.
  if (!uniformity)
    uniformity.emplace(context, relations);
  return uniformity->getReachScope(op) == ExecutionScope::Thread
             ? nullptr
             : combiners.front();
}

void Reducer::rewrite(linalg::LinalgOp op, Operation *combiner) {
  Location loc = op.getLoc();
  OpBuilder b(op);
  int64_t lanes = *context.getSubgroupSize();
  Value lane = gpu::LaneIdOp::create(b, loc, b.getIndexAttr(lanes));
  Value end =
      arith::ConstantIndexOp::create(b, loc, op.getStaticLoopRanges().front());
  Value step = arith::ConstantIndexOp::create(b, loc, lanes);
  Value neutral =
      arith::ConstantOp::create(b, loc, *arith::getNeutralElement(combiner));
  Block *body = op.getBlock();
  auto loop = scf::ForOp::create(
      b, loc, lane, end, step, neutral,
      [&](OpBuilder &b, Location loc, Value i, ValueRange partial) {
        IRMapping map;
        for (OpOperand *input : op.getDpsInputOperands())
          map.map(op.getMatchingBlockArgument(input),
                  memref::LoadOp::create(b, loc, input->get(), i).getResult());
        map.map(op.getRegionOutputArgs().front(), partial.front());
        for (Operation &inner : body->without_terminator())
          b.clone(inner, map);
        scf::YieldOp::create(
            b, loc, map.lookupOrDefault(body->getTerminator()->getOperand(0)));
      });
  Value all = gpu::SubgroupReduceOp::create(b, loc, loop.getResult(0),
                                            *getKind(combiner),
                                            /*uniform=*/true);
  Value init = op.getDpsInits().front();
  Value old = memref::LoadOp::create(b, loc, init);
  Operation *combined = b.clone(*combiner);
  combined->setOperands({old, all});
  memref::StoreOp::create(b, loc, combined->getResult(0), init);
  op->erase();
}

bool Reducer::run() {
  // Another GPU than the one named may run the code of a generic one.
  if (context.getTarget().vendor == TargetVendor::Generic)
    return false;
  std::optional<int64_t> lanes = context.getSubgroupSize();
  if (!lanes || !llvm::isPowerOf2_64(*lanes) ||
      context.getThreads() % *lanes != 0 || decidesByPrivateMemory())
    return false;
  SmallVector<std::pair<linalg::LinalgOp, Operation *>> found;
  FunctionOpInterface(context.getKernel())->walk([&](linalg::LinalgOp op) {
    if (Operation *combiner = getCombiner(op))
      found.push_back({op, combiner});
  });
  for (auto [op, combiner] : found)
    rewrite(op, combiner);
  return !found.empty();
}

namespace {
struct ReduceInSubgroupsPass
    : public memspace::impl::ReduceInSubgroupsPassBase<ReduceInSubgroupsPass> {
  using Base::Base;

  void runOnOperation() override {
    KernelSelection selection;
    selection.target = {chip, workgroupLimit, privateLimit, subgroupSize};
    selection.launch = {llvm::to_vector(blockSize), llvm::to_vector(gridSize)};
    selection.memorySpaces = memorySpaces;
    selection.pass = getArgument();
    selection.quiet = quiet;
    bool isChanged = false;
    selection.renamed = &isChanged;
    auto reduce = [&](const KernelContext &context) {
      isChanged |= Reducer(context, reassociate).run();
      return success();
    };
    if (failed(forEachKernel(getOperation(), selection, reduce)))
      return signalPassFailure();
    if (!isChanged)
      markAllAnalysesPreserved();
  }
};
} // namespace
