//===- PayloadUses.cpp - what a payload needs of its operands -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Spaces/PayloadUses.h"
#include "MemSpace/Spaces/TrustedModels.h"
#include "Memory/AccessElements.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// Destinations
//===----------------------------------------------------------------------===//

/// True when the iterations of `op` write every element of `init`: its indexing
/// map takes each dimension from a loop of its own, and the loops that it does
/// not mention run at least once.
static bool writesEveryElement(linalg::LinalgOp op, OpOperand &init) {
  AffineMap map = getIndexingMap(init);
  auto type = dyn_cast<ShapedType>(init.get().getType());
  if (!type || !type.hasRank())
    return false;
  llvm::SmallBitVector seen(map.getNumDims());
  for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
    if (auto loop = dyn_cast<AffineDimExpr>(expr)) {
      if (seen.test(loop.getPosition()))
        return false;
      seen.set(loop.getPosition());
      continue;
    }
    auto constant = dyn_cast<AffineConstantExpr>(expr);
    if (!constant || constant.getValue() != 0 || type.getDimSize(dim) != 1)
      return false;
  }
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  for (auto [loop, range] : llvm::enumerate(ranges))
    if (!seen.test(loop) && (ShapedType::isDynamic(range) || range <= 0))
      return false;
  return true;
}

InitUse mlir::memspace::getInitUse(OpOperand &init) {
  Operation *op = init.getOwner();
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    if (linalgOp.getBlock()->getNumArguments() != op->getNumOperands() ||
        linalgOp.payloadUsesValueFromOperand(&init))
      return InitUse::Read;
    return writesEveryElement(linalgOp, init) ? InitUse::WhollyOverwritten
                                              : InitUse::PartlyOverwritten;
  }
  // Elsewhere "does not read" means that the old content is not needed at all;
  // of another dialect's op that is not believed.
  auto bufferizable = dyn_cast<bufferization::BufferizableOpInterface>(op);
  if (!bufferizable || !hasTrustedModel(op) ||
      !isa<TensorType>(init.get().getType()))
    return InitUse::Read;
  bufferization::BufferizationOptions options;
  bufferization::AnalysisState state(options);
  return bufferizable.bufferizesToMemoryRead(init, state)
             ? InitUse::Read
             : InitUse::WhollyOverwritten;
}

bool mlir::memspace::getPayloadOperands(
    Operation *op, unsigned resultNumber, llvm::DenseSet<OpOperand *> &operands,
    SmallVectorImpl<OpOperand *> &captured) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp)
    return false;
  Block *body = linalgOp.getBlock();
  if (body->getNumArguments() != op->getNumOperands() || body->empty())
    return false;
  Operation *yield = &body->back();
  if (resultNumber >= yield->getNumOperands())
    return false;

  SmallVector<OpOperand *> worklist{&yield->getOpOperand(resultNumber)};
  llvm::DenseSet<Operation *> seen;
  while (!worklist.empty()) {
    OpOperand *use = worklist.pop_back_val();
    Value value = use->get();
    if (auto arg = dyn_cast<BlockArgument>(value)) {
      if (arg.getOwner() == body) {
        OpOperand &operand = op->getOpOperand(arg.getArgNumber());
        // What an iteration finds in an output is what an earlier one yielded.
        if (operands.insert(&operand).second && linalgOp.isDpsInit(&operand)) {
          unsigned output = operand.getOperandNumber() -
                            linalgOp.getDpsInitsMutable()[0].getOperandNumber();
          worklist.push_back(&yield->getOpOperand(output));
        }
        continue;
      }
    }
    if (!body->getParent()->isAncestor(value.getParentRegion())) {
      captured.push_back(use);
      continue;
    }
    // The op of the body around the definition; nested regions count whole.
    Operation *def = body->findAncestorOpInBlock(
        *(value.getDefiningOp()
              ? value.getDefiningOp()
              : cast<BlockArgument>(value).getOwner()->getParentOp()));
    if (!def || !seen.insert(def).second)
      continue;
    def->walk([&](Operation *nested) {
      for (OpOperand &operand : nested->getOpOperands())
        worklist.push_back(&operand);
    });
  }
  return true;
}

SmallVector<OpOperand *> mlir::memspace::findOperandsToDrop(
    linalg::GenericOp op, llvm::function_ref<bool(OpResult)> isNeeded) {
  if (!op.hasPureTensorSemantics() ||
      !llvm::all_of(op.getBody()->without_terminator(), [](Operation &nested) {
        return isMemoryEffectFree(&nested);
      }))
    return {};
  SmallVector<OpOperand *> dropped, captured;
  llvm::DenseSet<OpOperand *> needed;
  llvm::BitVector kept(op->getNumResults());
  auto drop = [&](OpOperand *operand) {
    dropped.push_back(operand);
    bool canDrop =
        !needed.contains(operand) && op.canOpOperandsBeDropped(dropped);
    if (!canDrop)
      dropped.pop_back();
    return canDrop;
  };
  auto mustKeep = [&](OpResult result) {
    unsigned number = result.getResultNumber();
    return !kept.test(number) &&
           (isNeeded(result) || !drop(op.getDpsInitOperand(number)));
  };
  while (true) {
    dropped.clear();
    auto results = op->getResults();
    auto it = llvm::find_if(results, mustKeep);
    if (it == results.end())
      break;
    kept.set((*it).getResultNumber());
    if (!getPayloadOperands(op, (*it).getResultNumber(), needed, captured))
      return {};
  }
  for (OpOperand *input : op.getDpsInputOperands())
    drop(input);
  return dropped;
}
