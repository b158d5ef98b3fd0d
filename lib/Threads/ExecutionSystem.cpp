//===- ExecutionSystem.cpp - executions of ops as affine constraints -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExecutionSystem.h"
#include "Kernel/ChainDepth.h"
#include "MemSpace/Kernel/UniformityInterface.h"
#include "MemSpace/Memory/MemoryBases.h"
#include "MemSpace/Memory/ValueFlow.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mlir::memspace;

ExecutionSystem::ExecutionSystem(const ExecutionContext &context)
    : context(context), shape(this->context.kernel.getShape()) {
  // The second thread is the first plus a distance: the questions are about
  // distances, and a search that branches on them is short. Hence also the
  // distances come first.
  LinearForm distances[3];
  for (unsigned dim = 0; dim < 3; ++dim) {
    int64_t last = shape.block[dim] - 1;
    if (last > 0 && !context.sameExecution)
      distances[dim] = system.addColumn(Interval{-last, last});
  }
  for (unsigned dim = 0; dim < 3; ++dim) {
    int64_t last = shape.block[dim] - 1;
    if (last > 0)
      threads[0][dim] = system.addColumn(Interval{0, last});
    threads[1][dim] = threads[0][dim];
    if (last > 0 && !context.sameExecution) {
      // A column of its own for its interval; the equality removes it.
      threads[1][dim] = system.addColumn(Interval{0, last});
      system.addEquality(threads[0][dim] + distances[dim] - threads[1][dim]);
    }
  }
  for (unsigned side : {0, 1}) {
    for (unsigned dim = 0; dim < 3; ++dim) {
      if (side == 1 && context.sameExecution) {
        blocks[1][dim] = blocks[0][dim];
        continue;
      }
      if (side == 1 && !context.differentWorkgroups) {
        blocks[1][dim] = blocks[0][dim];
        continue;
      }
      Interval range{0, std::nullopt};
      if (shape.grid)
        range.upper = (*shape.grid)[dim] - 1;
      blocks[side][dim] = range.upper && *range.upper == 0
                              ? LinearForm(0)
                              : system.addColumn(range);
    }
  }
}

/// The numbers of `type`, signed, if few bits hold them. An i1 is no number.
static Interval getTypeRange(Type type) {
  unsigned width = type.isInteger() ? type.getIntOrFloatBitWidth() : 0;
  if (width < 2 || width > ExecutionSystem::kMostExactBits)
    return {};
  return {llvm::minIntN(width), llvm::maxIntN(width)};
}

LinearForm ExecutionSystem::opaque(Type type, Interval interval) {
  return opaque(interval.intersect(getTypeRange(type)));
}

LinearForm ExecutionSystem::opaque(Interval interval) {
  return system.addColumn(interval);
}

LinearForm ExecutionSystem::getThreadId(unsigned dim, unsigned side) {
  return threads[side][dim];
}

LinearForm ExecutionSystem::getBlockId(unsigned dim, unsigned side) {
  return blocks[side][dim];
}

LinearForm ExecutionSystem::getLinearThreadId(unsigned side) {
  return threads[side][0] + threads[side][1] * shape.block[0] +
         threads[side][2] * (shape.block[0] * shape.block[1]);
}

LinearForm ExecutionSystem::getThreadGroup(int64_t size, unsigned side) {
  if (size >= shape.getThreads())
    return 0;
  auto it = threadGroups.find({size, side});
  if (it != threadGroups.end())
    return it->second;
  LinearForm group = system.addFloorDiv(getLinearThreadId(side), size);
  threadGroups[{size, side}] = group;
  return group;
}

LinearForm ExecutionSystem::getSubgroupId(unsigned side) {
  if (std::optional<int64_t> size = context.kernel.getSubgroupSize())
    return getThreadGroup(*size, side);
  std::optional<LinearForm> &id = opaqueSubgroupIds[side];
  if (!id)
    id = opaque(Interval{0, shape.getThreads() - 1});
  return *id;
}

LinearForm ExecutionSystem::getLaneId(unsigned side) {
  if (std::optional<int64_t> size = context.kernel.getSubgroupSize())
    return getLinearThreadId(side) - getThreadGroup(*size, side) * *size;
  std::optional<LinearForm> &id = opaqueLaneIds[side];
  if (!id)
    id = opaque(Interval{0, shape.getThreads() - 1});
  return *id;
}

std::optional<LinearForm>
ExecutionSystem::getOpaqueLinearBlockId(unsigned side) const {
  return linearBlock[side];
}

//===----------------------------------------------------------------------===//
// Which values are the same on both sides
//===----------------------------------------------------------------------===//

Operation *ExecutionSystem::getScope() const {
  if (context.scope)
    return context.scope;
  FunctionOpInterface kernel = context.kernel.getKernel();
  return kernel.getOperation();
}

bool ExecutionSystem::isInsideScope(Operation *op) const {
  if (context.instance)
    return op->getBlock() != context.instance &&
           context.instance->findAncestorOpInBlock(*op);
  return getScope()->isProperAncestor(op) &&
         (!context.circle || isInsideCircle(op->getBlock()));
}

/// True for a block of the circle, and for those in ops of one.
bool ExecutionSystem::isInsideCircle(Block *block) const {
  Region *region = context.circle->getHeader()->getParent();
  Block *around = region->findAncestorBlockInRegion(*block);
  return around && context.circle->contains(around);
}

/// True when `block` may execute several times in one execution of `scope`, or
/// of the block `instance`.
bool ExecutionSystem::isInLoopInside(Block *block) {
  while (block != context.instance) {
    Operation *parent = block->getParentOp();
    if (context.guards->getWays().isOnCycle(block))
      return true;
    if (isa<FunctionOpInterface>(parent))
      return false;
    // A region that is not known to run once counts as a loop. The body of
    // `scope` itself runs again and again if it is one.
    if (mayRepeatRegions(parent, shape))
      return true;
    if (parent == context.scope || !parent->getBlock())
      return false;
    block = parent->getBlock();
  }
  return false;
}

/// The argument of a block that is not the entry of its region is the same on
/// both sides if all that is passed is, and the way to the block.
bool ExecutionSystem::isBlockArgumentShared(BlockArgument arg) {
  Block *block = arg.getOwner();
  Region *region = block->getParent();
  bool isInside =
      context.instance
          ? block != context.instance &&
                context.instance->findAncestorOpInBlock(*region->getParentOp())
          : getScope()->isAncestor(region->getParentOp()) &&
                (!context.circle || isInsideCircle(block));
  if (isInside && isInLoopInside(block))
    return false;
  if (context.circle && isCounterOutside(arg))
    return true;
  for (Block *from : block->getPredecessors()) {
    auto branch = dyn_cast<BranchOpInterface>(from->getTerminator());
    if (!branch)
      return false;
    for (auto [index, successor] : llvm::enumerate(from->getSuccessors())) {
      if (successor != block)
        continue;
      Value passed = branch.getSuccessorOperands(index)[arg.getArgNumber()];
      if (!passed || !isShared(passed))
        return false;
    }
  }
  const BlockWays::Decisions &decisions =
      context.guards->getWays().getDecisions(block);
  return decisions && llvm::all_of(*decisions, [&](Value decision) {
           return isShared(decision);
         });
}

/// True when the bounds and the step are the same on both sides.
bool ExecutionSystem::isShared(const CountedLoop &loop) {
  if (!loop.hasBounds())
    return false;
  return llvm::all_of(loop.getControl(),
                      [&](Value value) { return isShared(value); });
}

bool ExecutionSystem::isRegionResultShared(Operation *op, unsigned index) {
  if (CountedLoop loop = CountedLoop::get(op))
    return isShared(loop) && index < loop.getInits().size() &&
           op->getNumResults() == loop.getInits().size() &&
           isShared(loop.getInits()[index]) &&
           isShared(loop.getYieldedValues()[index]);
  if (auto ifOp = dyn_cast<scf::IfOp>(op))
    return isShared(ifOp.getCondition()) &&
           isShared(ifOp.thenYield()->getOperand(index)) &&
           isShared(ifOp.elseYield()->getOperand(index));
  return false;
}

/// In one iteration: all threads go on with the next one or none does.
bool ExecutionSystem::isWhileArgumentShared(scf::WhileOp loop,
                                            BlockArgument arg) {
  scf::ConditionOp condition = loop.getConditionOp();
  unsigned index = arg.getArgNumber();
  if (!isShared(condition.getCondition()))
    return false;
  if (arg.getOwner() == loop.getAfterBody())
    return isShared(condition.getArgs()[index]);
  return isShared(loop.getInits()[index]) &&
         isShared(loop.getYieldOp().getResults()[index]);
}

bool ExecutionSystem::isShared(Value value) {
  // While a loop-carried value is being looked at, assume the best: the answer
  // is the least fixed point of "depends on what differs". When the assumption
  // fails, what was concluded from it is forgotten.
  auto [it, inserted] = shared.try_emplace(value, true);
  if (!inserted)
    return it->second;
  bool outermost = assumedShared.empty();
  assumedShared.push_back(value);
  ChainDepth chain(sharedDepth);
  bool result = !chain.isTooDeep() && computeShared(value);
  shared[value] = result;
  if (!outermost)
    return result;
  if (!result)
    for (Value assumed : assumedShared)
      if (shared.lookup(assumed))
        shared.erase(assumed);
  assumedShared.clear();
  return result;
}

bool ExecutionSystem::computeShared(Value value) {
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    Operation *parent = arg.getOwner()->getParentOp();
    if (!arg.getOwner()->isEntryBlock())
      return isBlockArgumentShared(arg);
    if (isa<FunctionOpInterface>(parent))
      return true;
    // What is in the block is the same, but not the arguments of its regions.
    if (isInsideScope(parent) || parent == context.scope ||
        (context.instance && parent->getBlock() == context.instance))
      return false;
    if (auto forall = dyn_cast<scf::ForallOp>(parent)) {
      std::optional<ForallMapping> mapping = getForallMapping(forall);
      return !(context.differentWorkgroups && mapping &&
               mapping->scope == ExecutionScope::Workgroup);
    }
    if (CountedLoop loop = CountedLoop::get(parent)) {
      if (arg == loop.getInductionVar())
        return isShared(loop);
      for (auto [index, carried] : llvm::enumerate(loop.getIterArgs()))
        if (arg == carried)
          return isRegionResultShared(parent, index);
      return false;
    }
    if (auto loop = dyn_cast<scf::WhileOp>(parent))
      return isWhileArgumentShared(loop, arg);
    return isa<TensorType>(arg.getType());
  }

  Operation *op = value.getDefiningOp();
  ExecutionScope scope = getResultScope(op);
  if (scope > ExecutionScope::Workgroup)
    return false;
  // The same in a workgroup, whenever it is asked for: an id.
  if (scope == ExecutionScope::Workgroup)
    return !context.differentWorkgroups && op->getNumOperands() == 0 &&
           op->getNumRegions() == 0 && isMemoryEffectFree(op);
  // Asks all blocks around the op.
  auto isOnce = [&] {
    return !isInsideScope(op) || !isInLoopInside(op->getBlock());
  };
  if (op->getNumRegions() != 0) {
    if (!isOnce())
      return false;
    if (isa<TensorType>(value.getType()))
      return !isInsideScope(op);
    return isRegionResultShared(op, cast<OpResult>(value).getResultNumber());
  }
  if (isMemoryEffectFree(op))
    return llvm::all_of(op->getOperands(),
                        [&](Value operand) { return isShared(operand); });
  // The threads of a workgroup allocate one buffer together.
  if (isa<MemRefType>(value.getType()) &&
      hasEffect<MemoryEffects::Allocate>(op, value))
    return !context.differentWorkgroups && isOnce() &&
           isSharedMemory(value, context.kernel) &&
           llvm::all_of(op->getOperands(),
                        [&](Value operand) { return isShared(operand); });
  // A load at a uniform address by a race-free kernel gives one value, but
  // each thread has private memory of its own, and each workgroup its memory.
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (context.differentWorkgroups || !effects ||
      !hasSingleEffect<MemoryEffects::Read>(op) || !isOnce())
    return false;
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    if (isa<BaseMemRefType>(operand.getType()) &&
        !isSharedMemory(operand, context.kernel))
      return false;
    return isShared(operand);
  });
}

/// The slot of `value` for an execution of `side`: both sides use one slot
/// for what they share.
unsigned ExecutionSystem::getSlot(Value value, unsigned side) {
  if (context.sameExecution)
    return 0;
  return isShared(value) ? 2 : side;
}

//===----------------------------------------------------------------------===//
// Values as linear forms
//===----------------------------------------------------------------------===//

LinearForm ExecutionSystem::translate(Value value, unsigned side) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant))) {
    // Whether a bit is 1 or -1 depends on who extends it.
    if (constant.getBitWidth() > 1 && constant.getSignificantBits() <= 64)
      if (LinearForm form(constant.getSExtValue()); !form.invalid)
        return form;
  }
  auto slot = std::make_pair(value, getSlot(value, side));
  auto it = forms.find(slot);
  if (it != forms.end())
    return it->second;
  ChainDepth chain(depth);
  LinearForm form = chain.isTooDeep() ? opaque() : compute(value, side);
  if (form.invalid)
    form = opaque();
  forms[slot] = form;
  Operation *def = value.getDefiningOp();
  if (!def || !isMemoryEffectFree(def))
    sources.push_back(slot);
  return form;
}

SmallVector<std::pair<Value, LinearForm>>
ExecutionSystem::getSources(unsigned side) {
  SmallVector<std::pair<Value, LinearForm>> result;
  for (auto [value, slot] : sources)
    if (slot == getSlot(value, side))
      result.emplace_back(value, forms.lookup({value, slot}));
  return result;
}

LinearForm ExecutionSystem::translate(const LinearExpr &expr, unsigned side) {
  LinearForm form(expr.constant);
  form.invalid = expr.invalid;
  for (auto [value, coefficient] : expr.terms)
    form += translate(value, side) * coefficient;
  return form;
}

LinearForm ExecutionSystem::translate(OpFoldResult ofr, unsigned side) {
  std::optional<int64_t> constant = getConstantIntValue(ofr);
  if (!constant)
    return translate(cast<Value>(ofr), side);
  LinearForm form(*constant);
  return form.invalid ? opaque() : form;
}

LinearForm ExecutionSystem::translate(ArrayRef<int64_t> numbers,
                                      ValueRange values, unsigned index,
                                      unsigned side) {
  if (ShapedType::isDynamic(numbers[index]))
    return translate(values[llvm::count_if(numbers.take_front(index),
                                           ShapedType::isDynamic)],
                     side);
  LinearForm form(numbers[index]);
  return form.invalid ? opaque() : form;
}

LinearForm ExecutionSystem::translate(const LoopBound &bound, bool isLower,
                                      unsigned side) {
  if (!bound.map)
    return translate(bound.value, side);
  SmallVector<LinearForm> forms = translateMap(bound.map, bound.operands, side);
  return forms.size() == 1 ? forms.front()
                           : system.addExtremum(forms, !isLower);
}

LinearForm ExecutionSystem::translateLower(const CountedLoop &loop,
                                           unsigned side) {
  return translate(loop.getLower(), /*isLower=*/true, side);
}

LinearForm ExecutionSystem::translateUpper(const CountedLoop &loop,
                                           unsigned side) {
  return translate(loop.getUpper(), /*isLower=*/false, side);
}

LinearForm ExecutionSystem::addInductionVariable(const LinearForm &low,
                                                 const LinearForm &high,
                                                 const LinearForm &step) {
  Interval range{system.getInterval(low).lower, system.getInterval(high).upper};
  if (range.upper)
    --*range.upper;
  std::optional<int64_t> stride;
  if (step.isConstant())
    stride = step.constant;
  LinearForm iv;
  if (stride && *stride > 1) {
    Interval count{0, std::nullopt};
    Interval span = system.getInterval(high - low);
    if (span.upper)
      count.upper = std::max<int64_t>(0, (*span.upper - 1) / *stride);
    iv = low + system.addColumn(count) * *stride;
  } else {
    iv = system.addColumn(range);
  }
  system.addInequality(iv - low);
  system.addInequality(high - iv - LinearForm(1));
  return iv;
}

LinearForm ExecutionSystem::translateArgument(BlockArgument arg,
                                              unsigned side) {
  Operation *parent = arg.getOwner()->getParentOp();
  if (CountedLoop loop = CountedLoop::get(parent)) {
    if (arg != loop.getInductionVar())
      return translateCounter(arg, side).value_or(opaque(arg.getType()));
    if (!loop.hasBounds())
      return opaque(arg.getType());
    LinearForm low = translateLower(loop, side);
    LinearForm high = translate(loop.getUpper(), /*isLower=*/false, side);
    LinearForm step = translate(loop.getStep(), side);
    if (!loop.isUnsigned())
      return addInductionVariable(low, high, step);
    // Unsigned bounds are other numbers than those that we calculate with.
    low = getUnsigned(low, arg.getType());
    high = getUnsigned(high, arg.getType());
    step = getUnsigned(step, arg.getType());
    if (low.invalid || high.invalid || step.invalid)
      return opaque(arg.getType());
    return getSigned(addInductionVariable(low, high, step), arg.getType());
  }
  if (auto forall = dyn_cast<scf::ForallOp>(parent)) {
    unsigned index = arg.getArgNumber();
    if (index < static_cast<unsigned>(forall.getRank()))
      return addInductionVariable(
          translate(forall.getStaticLowerBound(), forall.getDynamicLowerBound(),
                    index, side),
          translate(forall.getStaticUpperBound(), forall.getDynamicUpperBound(),
                    index, side),
          translate(forall.getStaticStep(), forall.getDynamicStep(), index,
                    side));
  }
  if (auto loop = dyn_cast<LoopLikeOpInterface>(parent)) {
    std::optional<SmallVector<Value>> ivs = loop.getLoopInductionVars();
    auto lower = loop.getLoopLowerBounds(), upper = loop.getLoopUpperBounds();
    auto step = loop.getLoopSteps();
    if (ivs && lower && upper && step)
      for (auto [iv, low, high, by] : llvm::zip(*ivs, *lower, *upper, *step))
        if (iv == arg)
          return addInductionVariable(
              translate(low, side), translate(high, side), translate(by, side));
  }
  if (!isa<FunctionOpInterface>(parent) || !arg.getOwner()->isEntryBlock())
    if (std::optional<LinearForm> counter = translateCounter(arg, side))
      return *counter;
  return opaque(arg.getType());
}

LinearForm ExecutionSystem::translateExpr(AffineExpr expr,
                                          ArrayRef<LinearForm> dims,
                                          ArrayRef<LinearForm> symbols) {
  switch (expr.getKind()) {
  case AffineExprKind::Constant:
    return cast<AffineConstantExpr>(expr).getValue();
  case AffineExprKind::DimId:
    return dims[cast<AffineDimExpr>(expr).getPosition()];
  case AffineExprKind::SymbolId:
    return symbols[cast<AffineSymbolExpr>(expr).getPosition()];
  default:
    break;
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  LinearForm lhs = translateExpr(binary.getLHS(), dims, symbols);
  LinearForm rhs = translateExpr(binary.getRHS(), dims, symbols);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return lhs + rhs;
  case AffineExprKind::Mul:
    if (rhs.isConstant())
      return lhs * rhs.constant;
    if (lhs.isConstant())
      return rhs * lhs.constant;
    return opaque();
  default:
    break;
  }
  if (!rhs.isConstant() || rhs.constant <= 0 || lhs.invalid)
    return opaque();
  switch (expr.getKind()) {
  case AffineExprKind::FloorDiv:
    return system.addFloorDiv(lhs, rhs.constant);
  case AffineExprKind::CeilDiv:
    return system.addFloorDiv(lhs + LinearForm(rhs.constant - 1), rhs.constant);
  case AffineExprKind::Mod:
    return lhs - system.addFloorDiv(lhs, rhs.constant) * rhs.constant;
  default:
    return opaque();
  }
}

SmallVector<LinearForm> ExecutionSystem::translateMap(AffineMap map,
                                                      ValueRange operands,
                                                      unsigned side) {
  SmallVector<LinearForm> inputs;
  for (Value operand : operands)
    inputs.push_back(translate(operand, side));
  ArrayRef<LinearForm> all(inputs);
  SmallVector<LinearForm> results;
  for (AffineExpr expr : map.getResults())
    results.push_back(translateExpr(expr, all.take_front(map.getNumDims()),
                                    all.drop_front(map.getNumDims())));
  return results;
}

LinearForm ExecutionSystem::computeId(HardwareId id, unsigned side) {
  using Kind = HardwareId::Kind;
  auto getKnown = [&](std::optional<int64_t> number, Interval range) {
    return number ? LinearForm(*number) : opaque(range);
  };
  switch (id.kind) {
  case Kind::ThreadId:
    return getThreadId(id.dim, side);
  case Kind::BlockId:
    return getBlockId(id.dim, side);
  case Kind::GlobalId:
    return getBlockId(id.dim, side) * shape.block[id.dim] +
           getThreadId(id.dim, side);
  case Kind::LaneId:
    return getLaneId(side);
  case Kind::SubgroupId:
    return getSubgroupId(side);
  case Kind::ClusterId:
  case Kind::ClusterBlockId:
    return opaque();
  case Kind::BlockDim:
    return shape.block[id.dim];
  case Kind::GridDim:
    return shape.grid ? LinearForm((*shape.grid)[id.dim])
                      : opaque(Interval{1, std::nullopt});
  case Kind::SubgroupSize:
    return getKnown(context.kernel.getSubgroupSize(),
                    Interval{1, std::nullopt});
  case Kind::NumSubgroups:
    return getKnown(context.kernel.getSubgroups(),
                    Interval{1, shape.getThreads()});
  }
  llvm_unreachable("unknown hardware id");
}

/// The number that `dim` is, where the tensor is a slice or a new one, or what
/// ops that keep its extents make of that; null where it is another tensor.
static OpFoldResult getExtent(tensor::DimOp dim) {
  std::optional<int64_t> index = dim.getConstantIndex();
  Value source = dim.getSource();
  while (auto result = dyn_cast<OpResult>(source)) {
    Operation *op = result.getOwner();
    auto alloc = dyn_cast<bufferization::AllocTensorOp>(op);
    if (auto forall = dyn_cast<scf::ForallOp>(op))
      source = forall.getTiedOpOperand(result)->get();
    else if (auto styled = dyn_cast<DestinationStyleOpInterface>(op))
      source = styled.getTiedOpOperand(result)->get();
    else if (alloc && alloc.getCopy())
      source = alloc.getCopy();
    else
      break;
  }
  Operation *op = source.getDefiningOp();
  bool isDynamic = op && index && *index >= 0 &&
                   *index < cast<ShapedType>(source.getType()).getRank() &&
                   cast<ShapedType>(source.getType()).isDynamicDim(*index);
  if (!isDynamic)
    return {};
  if (auto empty = dyn_cast<tensor::EmptyOp>(op))
    return empty.getDynamicSize(*index);
  if (auto alloc = dyn_cast<bufferization::AllocTensorOp>(op))
    return alloc.getDynamicSizes()[alloc.getType().getDynamicDimIndex(*index)];
  auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
  if (!slice)
    return {};
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  for (auto [position, size] : llvm::enumerate(slice.getMixedSizes()))
    if (!dropped.test(position) && (*index)-- == 0)
      return size;
  return {};
}

LinearForm ExecutionSystem::compute(Value value, unsigned side) {
  // Conditions are not numbers.
  if (!value.getType().isIntOrIndex() || value.getType().isInteger(1))
    return opaque();
  if (auto arg = dyn_cast<BlockArgument>(value))
    return translateArgument(arg, side);
  Operation *op = value.getDefiningOp();
  if (std::optional<HardwareId> id = getHardwareId(op))
    return computeId(*id, side);
  auto addMapExtremum = [&](auto extremum, bool least) {
    return system.addExtremum(
        translateMap(extremum.getMap(), extremum.getOperands(), side), least);
  };
  if (auto min = dyn_cast<affine::AffineMinOp>(op))
    return addMapExtremum(min, /*least=*/true);
  if (auto max = dyn_cast<affine::AffineMaxOp>(op))
    return addMapExtremum(max, /*least=*/false);
  if (auto dim = dyn_cast<tensor::DimOp>(op))
    if (OpFoldResult size = getExtent(dim))
      return translate(size, side);
  return computeIntegerOp(cast<OpResult>(value), side);
}
