//===- LiveUses.cpp - which uses reach a kernel output -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Spaces/LiveUses.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/Spaces/PayloadUses.h"
#include "MemSpace/Spaces/TensorClaims.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/ParallelCombiningOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// The backward walk
//===----------------------------------------------------------------------===//

namespace {
/// Ops whose results are taken apart instead of being live or dead as a whole.
/// Their effects are those of the ops inside.
bool isStructured(Operation *op) {
  return isa<scf::ForallOp, RegionBranchOpInterface>(op);
}

/// True when `op` computes nothing: its result is a part, or a whole with
/// another part, of a tensor that some other op reads or not.
bool handsOnTensor(Operation *op) {
  return isa<tensor::ExtractSliceOp, tensor::InsertSliceOp, tensor::CastOp,
             tensor::ExpandShapeOp, tensor::CollapseShapeOp, ExchangeOp>(op);
}

/// True when executing `op` can be seen from outside by more than its results.
bool mayHaveOutsideEffect(Operation *op) {
  std::optional<SmallVector<MemoryEffects::EffectInstance>> effects =
      getEffectsRecursively(op);
  return !effects || llvm::any_of(*effects, [](const auto &effect) {
    return !isa<MemoryEffects::Read, MemoryEffects::Allocate>(
        effect.getEffect());
  });
}
} // namespace

struct LiveUses::Builder {
  /// `ofAllOps`: also what nobody needs.
  explicit Builder(LiveUses &result, bool ofAllOps = false)
      : result(result), ofAllOps(ofAllOps) {}

  void build(Operation *root) {
    addRoots(root);
    while (!worklist.empty())
      visitValue(worklist.pop_back_val());
  }

private:
  /// Finds effects at or below `op`; an op that is understood only as a whole
  /// is not entered.
  void addRoots(Operation *op) {
    if (isa<FunctionOpInterface, ModuleOp>(op) || isStructured(op) ||
        op->hasTrait<OpTrait::SymbolTable>()) {
      collectFlow(op);
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (Operation &nested : block)
            addRoots(&nested);
      return;
    }
    if (op->hasTrait<OpTrait::IsTerminator>())
      return addTerminator(op);
    if (mayHaveOutsideEffect(op))
      markWhole(op);
    else if (ofAllOps && !handsOnTensor(op))
      for (OpResult value : op->getResults())
        visitResult(value);
  }

  void addTerminator(Operation *op) {
    Operation *parent = op->getParentOp();
    if (auto parallel = dyn_cast<InParallelOpInterface>(op)) {
      // Combining ops are live with the result that they contribute to.
      for (Region &region : op->getRegions())
        for (Operation &nested : region.getOps())
          if (!isa<ParallelCombiningOpInterface>(nested))
            markWhole(&nested);
      return;
    }
    if (auto branch = dyn_cast<BranchOpInterface>(op)) {
      for (unsigned i = 0, e = op->getNumSuccessors(); i < e; ++i) {
        SuccessorOperands operands = branch.getSuccessorOperands(i);
        for (OpOperand &operand : operands.getMutableForwardedOperands())
          branchForwarded.insert(&operand);
      }
      for (OpOperand &operand : op->getOpOperands())
        if (!branchForwarded.contains(&operand))
          markUse(operand);
      return;
    }
    if (isStructured(parent) && (isa<RegionBranchTerminatorOpInterface>(op) ||
                                 op->getNumOperands() == 0))
      return;
    markWhole(op);
  }

  /// Records which operands flow into the results and arguments of `op`.
  void collectFlow(Operation *op) {
    if (isa<scf::ForallOp>(op))
      return;
    auto branch = dyn_cast<RegionBranchOpInterface>(op);
    if (!branch)
      return;
    RegionBranchInverseSuccessorMapping mapping;
    branch.getSuccessorInputOperandMapping(mapping);
    for (auto &[value, operands] : mapping) {
      flow[value].append(operands.begin(), operands.end());
      for (OpOperand *operand : operands)
        forwarded.insert(operand);
    }
  }

  void markUse(OpOperand &use) {
    if (!result.liveUses.insert(&use).second)
      return;
    markOp(use.getOwner());
    if (result.liveValues.insert(use.get()).second)
      worklist.push_back(use.get());
  }

  /// `op` as a whole is needed: every operand, every use inside.
  void markWhole(Operation *op) {
    markOp(op);
    op->walk([&](Operation *nested) {
      for (OpOperand &operand : nested->getOpOperands())
        markUse(operand);
    });
  }

  /// The outputs of `op` that nobody needs and that cannot be dropped are
  /// computed all the same. Adds what that takes.
  void addKeptOutputs(Operation *op, llvm::DenseSet<OpOperand *> &needed,
                      SmallVector<OpOperand *> &captured) {
    auto isNeeded = [&](OpResult other) { return result.isLive(other); };
    SmallVector<OpOperand *> dropped;
    if (auto generic = dyn_cast<linalg::GenericOp>(op))
      dropped = findOperandsToDrop(generic, isNeeded);
    auto dps = cast<DestinationStyleOpInterface>(op);
    for (OpResult other : op->getResults())
      if (!isNeeded(other) &&
          !llvm::is_contained(dropped, dps.getTiedOpOperand(other)))
        getPayloadOperands(op, other.getResultNumber(), needed, captured);
  }

  /// What the payload of `op` computes for itself is needed. Its arguments, and
  /// what it captures, are asked for one by one.
  void markPayload(Operation *op) {
    op->walk([&](Operation *nested) {
      if (nested == op)
        return;
      result.liveOps.insert(nested);
      for (OpOperand &operand : nested->getOpOperands()) {
        Operation *def = operand.get().getDefiningOp();
        if (!def || !op->isProperAncestor(def))
          continue;
        result.liveUses.insert(&operand);
        result.liveValues.insert(operand.get());
      }
    });
  }

  /// What a live op overwrites has no content that is needed, but a place: what
  /// decides which it is (a condition, an offset) is.
  void markPlace(Value value) {
    SmallVector<Value> places = {value};
    while (!places.empty()) {
      Value place = places.pop_back_val();
      if (!seenPlaces.insert(place).second)
        continue;
      if (auto it = flow.find(place); it != flow.end())
        for (OpOperand *operand : it->second)
          places.push_back(operand->get());
      auto result = dyn_cast<OpResult>(place);
      if (!result)
        continue;
      Operation *op = result.getOwner();
      if (isStructured(op)) {
        markOp(op);
        if (auto forall = dyn_cast<scf::ForallOp>(op))
          places.push_back(forall.getTiedOpOperand(result)->get());
      } else if (auto dps = dyn_cast<DestinationStyleOpInterface>(op)) {
        places.push_back(dps.getTiedOpOperand(result)->get());
      } else {
        for (OpOperand &operand : op->getOpOperands())
          if (isa<TensorType>(operand.get().getType()))
            places.push_back(operand.get());
          else
            markUse(operand);
      }
    }
  }

  /// `op` executes for a live effect: what controls it and the ops around it
  /// is live.
  void markOp(Operation *op) {
    for (; op && result.liveOps.insert(op).second; op = op->getParentOp()) {
      if (auto forall = dyn_cast<scf::ForallOp>(op)) {
        for (OpOperand &operand : op->getOpOperands())
          if (!llvm::is_contained(forall.getOutputs(), operand.get()))
            markUse(operand);
        continue;
      }
      if (!isa<RegionBranchOpInterface>(op))
        continue;
      for (OpOperand &operand : op->getOpOperands())
        if (!forwarded.contains(&operand))
          markUse(operand);
      for (Region &region : op->getRegions())
        for (Block &block : region)
          if (!block.empty() &&
              isa<RegionBranchTerminatorOpInterface>(block.back()))
            for (OpOperand &operand : block.back().getOpOperands())
              if (!forwarded.contains(&operand))
                markUse(operand);
    }
  }

  void visitValue(Value value) {
    if (auto it = flow.find(value); it != flow.end()) {
      for (OpOperand *operand : it->second)
        markUse(*operand);
      Operation *owner =
          isa<BlockArgument>(value)
              ? cast<BlockArgument>(value).getOwner()->getParentOp()
              : value.getDefiningOp();
      return markOp(owner);
    }
    if (auto arg = dyn_cast<BlockArgument>(value))
      return visitArgument(arg);
    visitResult(cast<OpResult>(value));
  }

  void visitArgument(BlockArgument arg) {
    Block *block = arg.getOwner();
    if (!block->isEntryBlock()) {
      for (auto it = block->pred_begin(), e = block->pred_end(); it != e;
           ++it) {
        auto branch = dyn_cast<BranchOpInterface>((*it)->getTerminator());
        if (!branch) {
          markWhole((*it)->getTerminator());
          continue;
        }
        SuccessorOperands operands =
            branch.getSuccessorOperands(it.getSuccessorIndex());
        if (operands.isOperandProduced(arg.getArgNumber()))
          continue;
        markUse(
            branch->getOpOperand(operands.getOperandIndex(arg.getArgNumber())));
      }
      return;
    }
    Operation *parent = block->getParentOp();
    if (auto forall = dyn_cast<scf::ForallOp>(parent)) {
      markOp(parent);
      if (arg.getArgNumber() >= static_cast<unsigned>(forall.getRank()))
        markUse(*forall.getTiedOpOperand(arg));
      return;
    }
    if (isa<FunctionOpInterface>(parent))
      return;
    // An argument that nothing is known to flow into, such as an induction
    // variable: what controls the loop is live.
    markOp(parent);
  }

  void visitResult(OpResult value) {
    Operation *op = value.getOwner();
    markOp(op);
    if (auto forall = dyn_cast<scf::ForallOp>(op)) {
      OpOperand *output = forall.getTiedOpOperand(value);
      markUse(*output);
      for (Operation *combining :
           forall.getCombiningOps(forall.getTiedBlockArgument(output)))
        markWhole(combining);
      return;
    }
    if (auto exchange = dyn_cast<ExchangeOp>(op))
      return markUse(
          op->getOpOperand(exchange.getPermutation()[value.getResultNumber()]));
    auto dps = dyn_cast<DestinationStyleOpInterface>(op);
    if (!dps)
      return markWhole(op);
    for (OpOperand &init : dps.getDpsInitsMutable())
      if (isa<TensorType>(init.get().getType()))
        markPlace(init.get());
    llvm::DenseSet<OpOperand *> needed;
    SmallVector<OpOperand *> captured;
    if (getPayloadOperands(op, value.getResultNumber(), needed, captured)) {
      markPayload(op);
      addKeptOutputs(op, needed, captured);
      for (OpOperand *operand : needed)
        markUse(*operand);
      for (OpOperand *operand : captured)
        markUse(*operand);
      OpOperand *init = dps.getTiedOpOperand(value);
      if (getInitUse(*init) == InitUse::PartlyOverwritten)
        markUse(*init);
      return;
    }
    if (op->getNumRegions())
      return markWhole(op);
    for (OpOperand &operand : op->getOpOperands())
      if (!dps.isDpsInit(&operand) ||
          getInitUse(operand) != InitUse::WhollyOverwritten)
        markUse(operand);
  }

  LiveUses &result;
  bool ofAllOps;
  SmallVector<Value> worklist;
  DenseMap<Value, SmallVector<OpOperand *>> flow;
  llvm::DenseSet<Value> seenPlaces;
  llvm::DenseSet<OpOperand *> forwarded;
  llvm::DenseSet<OpOperand *> branchForwarded;
};

LiveUses::LiveUses(Operation *root) { Builder(*this).build(root); }

LiveUses LiveUses::ofAllOps(Operation *root) {
  LiveUses uses;
  Builder(uses, /*ofAllOps=*/true).build(root);
  return uses;
}

SmallVector<OpOperand *> LiveUses::getLiveUses(Value value) const {
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : value.getUses())
    if (liveUses.contains(&use))
      uses.push_back(&use);
  return uses;
}
