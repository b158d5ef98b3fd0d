//===- WorkgroupValueSamples.cpp - the number that each thread computes -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WorkgroupValueSamples.h"
#include "Kernel/ChainDepth.h"
#include "Kernel/IntegerOps.h"
#include "MemSpace/Kernel/CountedLoop.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::memspace;

WorkgroupValueSamples::WorkgroupValueSamples(const KernelContext &context)
    : context(context), threads(context.getThreads()), relations(context) {}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static std::unique_ptr<ThreadNumbers> makeConstant(int64_t number) {
  auto result = std::make_unique<ThreadNumbers>();
  result->numbers = {number};
  return result;
}

/// Marks `result` as computed from `operand`, too.
static void addDependence(ThreadNumbers &result, const ThreadNumbers &operand) {
  result.assumed |= operand.assumed;
  result.varies |= operand.varies;
}

static Attribute makeAttribute(Type type, int64_t number) {
  return IntegerAttr::get(type,
                          APInt(getBitWidth(type), number, /*isSigned=*/true,
                                /*implicitTrunc=*/true));
}

const ThreadNumbers *WorkgroupValueSamples::get(Value value, unsigned sample) {
  auto it = values.find({value, sample});
  if (it == values.end()) {
    // Until it is known it is not: values of a graph region may be circular.
    values[{value, sample}] = nullptr;
    ChainDepth chain(depth);
    Entry entry = chain.isTooDeep() ? Entry() : compute(value, sample);
    it = values.find({value, sample});
    if (entry)
      it->second = std::move(entry);
  }
  return it->second.get();
}

WorkgroupValueSamples::Entry WorkgroupValueSamples::compute(Value value,
                                                            unsigned sample) {
  Type type = value.getType();
  if (!type.isIndex() &&
      (!type.isSignlessInteger() || type.getIntOrFloatBitWidth() > 64))
    return nullptr;
  Entry entry;
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    entry = computeInduction(arg, sample);
  } else if (auto choice = value.getDefiningOp<scf::IfOp>()) {
    entry =
        computeChoice(choice, cast<OpResult>(value).getResultNumber(), sample);
  } else if (auto id = getHardwareId(value.getDefiningOp())) {
    entry = computeId(*id);
  } else if (Operation *op = value.getDefiningOp();
             op->getNumRegions() == 0 && isMemoryEffectFree(op)) {
    fold(op, sample);
    // All results at once.
    entry = std::move(values[{value, sample}]);
  }
  return entry ? std::move(entry) : assume(value, sample);
}

/// The ids and sizes that hardware gives.
WorkgroupValueSamples::Entry
WorkgroupValueSamples::computeId(HardwareId id) const {
  LaunchSizes block = context.getShape().block;
  auto result = std::make_unique<ThreadNumbers>();
  for (int64_t thread = 0; thread < (id.isOfThread() ? threads : 1); ++thread) {
    ThreadPlace place;
    place.thread = {thread % block[0], thread / block[0] % block[1],
                    thread / block[0] / block[1]};
    std::optional<int64_t> number = getIdNumber(id, context, place);
    if (!number)
      return nullptr;
    result->numbers.push_back(*number);
  }
  return result;
}

/// What each thread's branch yields.
WorkgroupValueSamples::Entry
WorkgroupValueSamples::computeChoice(scf::IfOp op, unsigned result,
                                     unsigned sample) {
  const ThreadNumbers *condition = get(op.getCondition(), sample);
  const ThreadNumbers *chosen[] = {
      get(op.elseYield().getOperand(result), sample),
      get(op.thenYield().getOperand(result), sample)};
  if (!condition)
    return nullptr;
  auto entry = std::make_unique<ThreadNumbers>();
  addDependence(*entry, *condition);
  for (int64_t thread = 0; thread < threads; ++thread) {
    const ThreadNumbers *mine = chosen[condition->get(thread) != 0];
    if (!mine)
      return nullptr;
    addDependence(*entry, *mine);
    entry->numbers.push_back(mine->get(thread));
  }
  return entry;
}

/// The induction variable of a sequential loop.
WorkgroupValueSamples::Entry
WorkgroupValueSamples::computeInduction(BlockArgument arg, unsigned sample) {
  CountedLoop loop = CountedLoop::get(arg.getOwner()->getParentOp());
  if (!loop || loop.getInductionVar() != arg)
    return nullptr;
  OpFoldResult lower = loop.getLower().value, step = loop.getStep();
  if (!lower)
    return nullptr;
  int64_t iteration = sample;
  std::optional<int64_t> trips = loop.getTripCount();
  if (trips)
    iteration = std::min(iteration, std::max<int64_t>(*trips, 1) - 1);

  auto result = std::make_unique<ThreadNumbers>();
  // A loop that runs once has one number for it.
  result->varies = trips != 1;
  auto evaluate = [&](OpFoldResult bound) -> const ThreadNumbers * {
    auto value = dyn_cast<Value>(bound);
    if (!value)
      return nullptr;
    const ThreadNumbers *numbers = get(value, sample);
    if (numbers)
      addDependence(*result, *numbers);
    return numbers;
  };
  const ThreadNumbers *first = evaluate(lower), *pitch = evaluate(step);
  std::optional<int64_t> constantFirst = getConstantIntValue(lower);
  std::optional<int64_t> constantPitch = getConstantIntValue(step);
  if ((!first && !constantFirst) || (!pitch && !constantPitch))
    return nullptr;
  bool uniform = (!first || first->numbers.size() == 1) &&
                 (!pitch || pitch->numbers.size() == 1);
  for (int64_t thread = 0; thread < (uniform ? 1 : threads); ++thread)
    result->numbers.push_back(
        uint64_t(first ? first->get(thread) : *constantFirst) +
        uint64_t(iteration) *
            uint64_t(pitch ? pitch->get(thread) : *constantPitch));
  return result;
}

/// A number for what is the same in all lanes.
WorkgroupValueSamples::Entry WorkgroupValueSamples::assume(Value value,
                                                           unsigned sample) {
  if (!uniformity)
    uniformity.emplace(context, relations);
  if (uniformity->getScope(value) == ExecutionScope::Thread)
    return nullptr;
  Entry result = makeConstant(sample);
  result->assumed = result->varies = true;
  return result;
}

/// Fills in the results of `op` in `sample` as far as they can be folded.
void WorkgroupValueSamples::fold(Operation *op, unsigned sample) {
  SmallVector<const ThreadNumbers *> operands;
  ThreadNumbers dependence;
  int64_t count = 1;
  for (Value operand : op->getOperands()) {
    operands.push_back(get(operand, sample));
    if (!operands.back())
      continue;
    addDependence(dependence, *operands.back());
    if (operands.back()->numbers.size() > 1)
      count = threads;
  }

  NumberFolder folder(op);
  std::vector<ThreadNumbers> results(op->getNumResults(), dependence);
  for (int64_t thread = 0; thread < count; ++thread) {
    auto getNumber = [&](const ThreadNumbers *numbers) {
      return numbers ? std::optional(numbers->get(thread)) : std::nullopt;
    };
    SmallVector<std::optional<int64_t>> folded =
        folder.fold(llvm::map_to_vector(operands, getNumber), [&](Value value) {
          auto it = llvm::find(op->getOperands(), value);
          if (it != op->operand_end())
            return getNumber(operands[it - op->operand_begin()]);
          // What an operand is made from: x of (x xor 1) xor 1. The operand may
          // itself be no number of ours (128 bits).
          const ThreadNumbers *source = get(value, sample);
          if (source) {
            for (ThreadNumbers &result : results)
              addDependence(result, *source);
            if (source->numbers.size() > 1)
              count = threads;
          }
          return getNumber(source);
        });
    if (folded.empty() ||
        !llvm::all_of(folded, [](auto number) { return number.has_value(); }))
      return;
    for (auto [result, number] : llvm::zip_equal(results, folded))
      result.numbers.push_back(*number);
  }
  for (auto [result, numbers] : llvm::zip_equal(op->getResults(), results))
    values[{result, sample}] =
        std::make_unique<ThreadNumbers>(std::move(numbers));
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

const ThreadNumbers &WorkgroupValueSamples::getActive(Block *block,
                                                      unsigned sample) {
  auto it = active.find({block, sample});
  if (it == active.end()) {
    Entry entry = computeActive(block, sample);
    it = active.try_emplace({block, sample}, std::move(entry)).first;
  }
  return *it->second;
}

/// True when `branch` may go from its beginning to `region`.
static bool mayEnter(RegionBranchOpInterface branch, Region *region,
                     ArrayRef<Attribute> operands) {
  SmallVector<RegionSuccessor> successors;
  branch.getEntrySuccessorRegions(operands, successors);
  return llvm::any_of(successors, [&](RegionSuccessor &successor) {
    return successor.getSuccessor() == region;
  });
}

WorkgroupValueSamples::Entry
WorkgroupValueSamples::computeActive(Block *block, unsigned sample) {
  Operation *parent = block->getParentOp();
  if (isa<FunctionOpInterface>(parent))
    return makeConstant(1);
  auto result =
      std::make_unique<ThreadNumbers>(getActive(parent->getBlock(), sample));
  SmallVector<Attribute> attributes(parent->getNumOperands());
  auto branch = dyn_cast<RegionBranchOpInterface>(parent);
  if (!branch || !mayEnter(branch, block->getParent(), attributes))
    return result;

  // A condition that depends on an assumption would hang on it.
  auto getKnown = [&](Value value) {
    const ThreadNumbers *numbers = get(value, sample);
    if (!numbers || numbers->assumed)
      return static_cast<const ThreadNumbers *>(nullptr);
    addDependence(*result, *numbers);
    return numbers;
  };
  auto operands = llvm::map_to_vector(parent->getOperands(), getKnown);
  // A loop is entered if it has the iteration of the sample.
  const ThreadNumbers *iteration = nullptr, *end = nullptr;
  std::optional<int64_t> constantEnd;
  if (auto loop = dyn_cast<LoopLikeOpInterface>(parent))
    if (std::optional<OpFoldResult> upper = loop.getSingleUpperBound()) {
      constantEnd = getConstantIntValue(*upper);
      end = constantEnd ? nullptr : getKnown(cast<Value>(*upper));
      if (constantEnd || end)
        iteration = getKnown(*loop.getSingleInductionVar());
    }

  std::vector<int64_t> numbers;
  for (int64_t thread = 0; thread < threads; ++thread) {
    for (auto [attribute, operand, known] :
         llvm::zip_equal(attributes, parent->getOperands(), operands))
      if (known)
        attribute = makeAttribute(operand.getType(), known->get(thread));
    bool enters = mayEnter(branch, block->getParent(), attributes);
    if (iteration)
      enters &=
          iteration->get(thread) < (end ? end->get(thread) : *constantEnd);
    numbers.push_back(result->get(thread) && enters);
  }
  result->numbers = std::move(numbers);
  return result;
}
