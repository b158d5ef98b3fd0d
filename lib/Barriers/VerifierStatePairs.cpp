//===- VerifierStatePairs.cpp - who touches which byte, and when -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifierStatePairs.h"
#include "Hazards/AccessPairs.h"
#include "IR/ShapedSlices.h"
#include "Kernel/ChainDepth.h"
#include "Kernel/ControlChoice.h"
#include "MemSpace/Memory/BufferSize.h"
#include "VerifierEquations.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// Where a memref is
//===----------------------------------------------------------------------===//

/// target += factor * number; false where that is too large.
static bool accumulate(int64_t &target, int64_t factor, int64_t number) {
  int64_t product;
  return !llvm::MulOverflow(factor, number, product) &&
         !llvm::AddOverflow(target, product, target);
}

std::optional<VerifierStatePairs::Origin>
VerifierStatePairs::locateRoot(Value memref) {
  std::optional<StaticStrides> layout =
      getStaticStrides(memref, context.getTarget());
  SmallVector<MemoryBase, 2> bases = getMemoryBases(memref, context);
  if (!layout || bases.size() != 1 || !bases[0].root || !bases[0].shiftBytes)
    return std::nullopt;
  std::optional<int64_t> shift = bases[0].shiftBytes->getConstant();
  std::optional<int64_t> offset = layout->offset.getConstant();
  if (!shift || !offset)
    return std::nullopt;
  Origin origin{bases[0].root, *shift, {}, *shift, Value()};
  if (!accumulate(origin.bytes, *offset, layout->elementBytes))
    return std::nullopt;
  for (int64_t stride : layout->strides)
    origin.pitch.push_back(stride * layout->elementBytes);
  return origin;
}

std::optional<VerifierStatePairs::Origin>
VerifierStatePairs::locate(Value memref, unsigned where, unsigned depth) {
  if (depth > kMaxChainDepth)
    return std::nullopt;
  if (std::optional<KnownValues::Known> bound = known.lookup(memref, where)) {
    if (!bound->memref)
      return std::nullopt;
    std::optional<Origin> origin =
        locate(bound->memref, bound->where, depth + 1);
    // It is known where it was computed only.
    if (origin && origin->ofThread && bound->where != where)
      return std::nullopt;
    return origin;
  }
  auto result = dyn_cast<OpResult>(memref);
  if (!result)
    return locateRoot(memref);
  Operation *op = result.getOwner();
  auto getNumber = [&](OpFoldResult size) {
    std::optional<int64_t> constant = getConstantIntValue(size);
    return constant ? constant : known.evaluate(cast<Value>(size), where);
  };
  auto type = dyn_cast<MemRefType>(memref.getType());
  std::optional<int64_t> elementBytes =
      type ? getElementBytes(type.getElementType(), context.getTarget())
           : std::nullopt;
  if (!elementBytes)
    return std::nullopt;
  // A choice by what is known.
  if (auto select = dyn_cast<SelectLikeOpInterface>(op)) {
    std::optional<int64_t> number =
        known.evaluate(select.getCondition(), where);
    if (!number)
      return std::nullopt;
    return locate(*number ? select.getTrueValue() : select.getFalseValue(),
                  where, depth + 1);
  }
  if (ControlChoice choice = ControlChoice::get(op)) {
    std::optional<int64_t> number = known.evaluate(choice.getDecider(), where);
    if (!number)
      return std::nullopt;
    return locate(choice.getYielded(result)[choice.getWay(*number)], where,
                  depth + 1);
  }
  if (op->getNumRegions() != 0)
    return std::nullopt;
  auto view = dyn_cast<ViewLikeOpInterface>(op);
  if (!view)
    return locateRoot(memref);
  std::optional<Origin> origin = locate(view.getViewSource(), where, depth + 1);
  if (!origin)
    return std::nullopt;
  if (auto slice = dyn_cast<memref::SubViewOp>(op)) {
    SmallVector<int64_t> pitch;
    llvm::SmallBitVector gone = getDroppedDims(slice);
    SmallVector<OpFoldResult> offsets = slice.getMixedOffsets();
    SmallVector<OpFoldResult> strides = slice.getMixedStrides();
    for (unsigned dim = 0; dim < offsets.size(); ++dim) {
      std::optional<int64_t> offset = getNumber(offsets[dim]);
      std::optional<int64_t> stride = getNumber(strides[dim]);
      int64_t step;
      if (!offset || !stride ||
          !accumulate(origin->bytes, *offset, origin->pitch[dim]) ||
          llvm::MulOverflow(*stride, origin->pitch[dim], step))
        return std::nullopt;
      if (!gone[dim])
        pitch.push_back(step);
    }
    origin->pitch = std::move(pitch);
    return origin;
  }
  if (isa<memref::CastOp, memref::MemorySpaceCastOp, memref::AssumeAlignmentOp>(
          op))
    return type.getRank() == int64_t(origin->pitch.size())
               ? origin
               : std::optional<Origin>();
  auto setStrides = [&](ArrayRef<int64_t> strides) {
    origin->pitch.clear();
    for (int64_t stride : strides)
      origin->pitch.push_back(stride * *elementBytes);
    return origin;
  };
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  bool isStatic = succeeded(type.getStridesAndOffset(strides, offset)) &&
                  !ShapedType::isDynamicShape(strides);
  if (isa<memref::ExpandShapeOp, memref::CollapseShapeOp>(op))
    return isStatic ? setStrides(strides) : std::nullopt;
  if (auto bytes = dyn_cast<memref::ViewOp>(op)) {
    std::optional<int64_t> shift =
        getNumber(OpFoldResult(bytes.getByteShift()));
    if (!isStatic || origin->bytes != origin->pointer ||
        (!shift && origin->ofThread))
      return std::nullopt;
    if (!shift)
      origin->ofThread = bytes.getByteShift();
    if (llvm::AddOverflow(origin->pointer, shift.value_or(0), origin->pointer))
      return std::nullopt;
    origin->bytes = origin->pointer;
    return setStrides(strides);
  }
  if (auto cast = dyn_cast<memref::ReinterpretCastOp>(op)) {
    std::optional<int64_t> start = getNumber(cast.getMixedOffsets().front());
    strides.clear();
    for (OpFoldResult stride : cast.getMixedStrides()) {
      std::optional<int64_t> number = getNumber(stride);
      if (!number)
        return std::nullopt;
      strides.push_back(*number);
    }
    origin->bytes = origin->pointer;
    if (!start || !accumulate(origin->bytes, *start, *elementBytes))
      return std::nullopt;
    return setStrides(strides);
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

/// The expressions of the places of an access, by which they are equal.
static void visitExpressions(const MemoryAccess &access,
                             llvm::function_ref<void(const LinearExpr &)> visit,
                             llvm::function_ref<void(int64_t)> visitStride) {
  static const LinearExpr none;
  auto visitRange = [&](const IndexRange &range) {
    visit(range.offset);
    visitStride(range.size.has_value());
    visit(range.size ? *range.size : none);
    visitStride(range.stride);
    visitStride(range.extents.size());
    for (const auto &[size, stride] : range.extents) {
      visit(size);
      visitStride(stride);
    }
  };
  visitStride(access.followsMemory);
  if (access.followsMemory && access.byteRange)
    visitRange(*access.byteRange);
  if (!access.followsMemory && access.elements)
    for (const IndexRange &range : *access.elements)
      visitRange(range);
}

const VerifierStatePairs::Sources &
VerifierStatePairs::getSources(unsigned number) {
  auto [it, isNew] = sources.try_emplace(number);
  if (!isNew)
    return it->second;
  const MemoryAccess &access = analysis.getAccesses()[number];
  SmallVector<Value> work;
  visitExpressions(
      access,
      [&](const LinearExpr &expr) {
        for (auto [value, factor] : expr.terms)
          work.push_back(value);
      },
      [](int64_t) {});
  visitConditions(access.op,
                  [&](Value condition, bool) { work.push_back(condition); });
  it->second.ofIndices = findSources(std::move(work));
  work = {access.memref};
  if (access.view)
    work.push_back(access.view);
  it->second.ofMemRef = findSources(std::move(work));
  return it->second;
}

/// What is known of the values.
VerifierStatePairs::Key VerifierStatePairs::getKey(ArrayRef<Value> sources,
                                                   unsigned where) const {
  Key key;
  for (Value source : sources)
    if (std::optional<KnownValues::Known> content = known.lookup(source, where))
      key.emplace_back(source.getAsOpaquePointer(), content->number,
                       content->memref.getAsOpaquePointer(), content->where,
                       content->bits);
  return key;
}

/// A number that accesses share whose indices and conditions are the same.
unsigned VerifierStatePairs::getShape(unsigned number) {
  auto [it, isNew] = shapeOf.try_emplace(number);
  if (!isNew)
    return it->second;
  const MemoryAccess &access = analysis.getAccesses()[number];
  std::vector<int64_t> shape;
  auto addValue = [&](Value value) {
    shape.push_back(reinterpret_cast<intptr_t>(value.getAsOpaquePointer()));
  };
  visitExpressions(
      access,
      [&](const LinearExpr &expr) {
        shape.push_back(expr.invalid);
        shape.push_back(expr.constant);
        shape.push_back(expr.terms.size());
        for (auto [value, factor] : expr.terms) {
          addValue(value);
          shape.push_back(factor);
        }
      },
      [&](int64_t stride) { shape.push_back(stride); });
  visitConditions(access.op, [&](Value condition, bool wanted) {
    addValue(condition);
    shape.push_back(wanted);
  });
  return it->second =
             shapes.try_emplace(std::move(shape), shapes.size()).first->second;
}

const VerifierStatePairs::Map *VerifierStatePairs::getMap(unsigned access,
                                                          unsigned where) {
  auto [it, isNew] = mapAt.try_emplace({access, where});
  if (!isNew)
    return it->second;
  const Sources &of = getSources(access);
  Key key = getKey(of.ofIndices, where);
  llvm::append_range(key, getKey(of.ofMemRef, where));
  auto [same, isNewKey] = maps.try_emplace({access, std::move(key)});
  if (isNewKey)
    same->second = makeMap(access, where);
  return it->second = same->second.get();
}

std::unique_ptr<VerifierStatePairs::Map>
VerifierStatePairs::makeMap(unsigned number, unsigned where) {
  const MemoryAccess &access = analysis.getAccesses()[number];
  auto map = std::make_unique<Map>();
  if (access.followsMemory) {
    if (!access.byteRange || access.bases.size() != 1 || !access.bases[0].root)
      return nullptr;
    map->root = access.bases[0].root;
    map->places = getPlaces(number, where, /*pitch=*/1, /*ofThread=*/Value());
  } else {
    std::optional<int64_t> elementBytes = getElementBytes(
        getElementTypeOrSelf(access.memref.getType()), context.getTarget());
    std::optional<Origin> origin =
        access.elements ? locate(access.view, where) : std::nullopt;
    if (!origin || !elementBytes ||
        origin->pitch.size() != access.elements->size())
      return nullptr;
    map->root = origin->root;
    map->origin = origin->bytes;
    map->elementBytes = *elementBytes;
    map->places = getPlaces(number, where, origin->pitch, origin->ofThread);
  }
  return map->places ? std::move(map) : nullptr;
}

const VerifierStatePairs::Places *
VerifierStatePairs::getPlaces(unsigned access, unsigned where,
                              ArrayRef<int64_t> pitch, Value ofThread) {
  Key key = getKey(getSources(access).ofIndices, where);
  if (ofThread)
    llvm::append_range(key, getKey(findSources({ofThread}), where));
  auto [it, isNew] =
      allPlaces.try_emplace({getShape(access), SmallVector<int64_t>(pitch),
                             ofThread.getAsOpaquePointer(), std::move(key)});
  if (isNew && numEntries < kMaxEntries)
    it->second = makePlaces(access, where, pitch, ofThread);
  return it->second.get();
}

/// Adds the elements that threads touch; false if they are not known.
bool VerifierStatePairs::addPlaces(const MemoryAccess &access, unsigned where,
                                   ArrayRef<int64_t> pitch, Value ofThread,
                                   Places &places) {
  // As ranges of bytes, each from one index to the next.
  ArrayRef<IndexRange> ranges = access.followsMemory
                                    ? ArrayRef(*access.byteRange)
                                    : ArrayRef(*access.elements);
  SmallVector<int64_t, 0> starts{0};
  if (ofThread) {
    ThreadValues shifts = evaluate(ofThread, where);
    if (!shifts)
      return false;
    starts = *shifts;
  }
  struct Run {
    ThreadValues offsets;
    SmallVector<std::pair<ThreadValues, int64_t>> steps;
    int64_t pitch;
  };
  SmallVector<Run> runs;
  for (auto [range, bytes] : llvm::zip_equal(ranges, pitch)) {
    if (!range.size)
      return false;
    Run run{access.followsMemory ? evaluate(range.offset, where, /*wraps=*/true)
                                 : evaluateIndex(access, range.offset, where),
            {},
            bytes};
    run.steps.push_back({evaluate(*range.size, where), range.stride});
    for (auto &[size, stride] : range.extents)
      run.steps.push_back({evaluate(size, where), stride});
    bool isKnown = run.offsets && llvm::all_of(run.steps, [](auto &step) {
                     return step.first.has_value();
                   });
    if (!isKnown)
      return false;
    runs.push_back(std::move(run));
  }
  auto isBeyondMemory = [](const Run &run, int64_t thread) {
    // Farther than any memory is long, and no step comes back.
    constexpr int64_t kFar = int64_t(1) << 56;
    int64_t offset = at(*run.offsets, thread);
    return (offset < -kFar || offset > kFar) &&
           llvm::all_of(run.steps, [&](const auto &step) {
             return step.second > -(int64_t(1) << 32) &&
                    step.second < int64_t(1) << 32 &&
                    at(*step.first, thread) < 1 << 16;
           });
  };
  for (int64_t thread : getThreadsAt(access.op, where)) {
    // No valid program gets there.
    if (llvm::any_of(
            runs, [&](const Run &run) { return isBeyondMemory(run, thread); }))
      continue;
    SmallVector<int64_t> bytes{at(starts, thread)};
    for (const Run &run : runs) {
      for (int64_t &byte : bytes)
        if (!accumulate(byte, run.pitch, at(*run.offsets, thread)))
          return false;
      for (const auto &[sizes, stride] : run.steps) {
        int64_t size = at(*sizes, thread), step;
        if (size < 0 || llvm::MulOverflow(stride, run.pitch, step) ||
            (size > 0 && bytes.size() > kMaxElementsOfThread / size))
          return false;
        SmallVector<int64_t> all;
        for (int64_t k = 0; k < size; ++k)
          for (int64_t byte : bytes) {
            if (!accumulate(byte, k, step))
              return false;
            all.push_back(byte);
          }
        bytes = std::move(all);
      }
    }
    for (int64_t byte : bytes)
      places.threadsAt.push_back({byte, thread});
  }
  return true;
}

std::unique_ptr<VerifierStatePairs::Places>
VerifierStatePairs::makePlaces(unsigned access, unsigned where,
                               ArrayRef<int64_t> pitch, Value ofThread) {
  // Loops with few iterations, of which the path does not know in which it is.
  SmallVector<CountedLoop> loops;
  int64_t count = 1;
  for (Value source : getSources(access).ofIndices) {
    Operation *owner = source.getParentBlock()->getParentOp();
    CountedLoop loop =
        isa<BlockArgument>(source) ? CountedLoop::get(owner) : CountedLoop();
    if (!loop || loop.getInductionVar() != source ||
        known.evaluate(source, where))
      continue;
    std::optional<int64_t> trips = loop.getTripCount();
    if (!trips || *trips == 0 || *trips > kMaxIterations / count ||
        !loop.getLower().getConstant() || !loop.getConstantStep())
      continue;
    count *= *trips;
    loops.push_back(loop);
  }
  auto places = std::make_unique<Places>();
  bool isWhole = true;
  for (int64_t number = 0; number < count && isWhole; ++number) {
    std::vector<std::pair<const void *, int64_t>> assumed;
    int64_t digits = number;
    for (const CountedLoop &loop : loops) {
      int64_t trip = digits % *loop.getTripCount();
      digits /= *loop.getTripCount();
      assumed.emplace_back(loop.getInductionVar().getAsOpaquePointer(),
                           *loop.getLower().getConstant() +
                               trip * *loop.getConstantStep());
    }
    if (!assumed.empty())
      assumption = assumptions.try_emplace(assumed, assumptions.size() + 1)
                       .first->second;
    for (const auto &[counter, count] : assumed)
      values[where][assumption][Value::getFromOpaquePointer(counter)] =
          SmallVector<int64_t, 0>{count};
    isWhole = addPlaces(analysis.getAccesses()[access], where, pitch, ofThread,
                        *places);
  }
  assumption = 0;
  if (!isWhole)
    return nullptr;
  llvm::sort(places->threadsAt);
  places->threadsAt.erase(llvm::unique(places->threadsAt),
                          places->threadsAt.end());
  numEntries += places->threadsAt.size();
  return places;
}

void VerifierStatePairs::meet(int64_t a, int64_t b, Answer &answer) const {
  if (a == b) {
    answer.oneThread = true;
  } else if (std::optional<int64_t> size = context.getSubgroupSize()) {
    (a / *size == b / *size ? answer.subgroup : answer.subgroups) = true;
  } else {
    answer.subgroup = answer.subgroups = true;
  }
}

/// Where places of `left` are `shift` bytes behind those of `right`.
VerifierStatePairs::Answer VerifierStatePairs::compare(const Map &left,
                                                       const Map &right,
                                                       int64_t shift) const {
  Answer answer{false, false, false};
  const auto &mine = left.places->threadsAt, &others = right.places->threadsAt;
  // Elements of one size each, so that those that meet one are neighbours.
  size_t next = 0;
  for (const auto &[place, thread] : mine) {
    int64_t byte, end;
    if (llvm::AddOverflow(place, shift, byte) ||
        llvm::AddOverflow(byte, left.elementBytes, end))
      return Answer();
    while (next < others.size() &&
           others[next].first <= byte - right.elementBytes)
      ++next;
    for (size_t k = next; k < others.size() && others[k].first < end; ++k) {
      meet(thread, others[k].second, answer);
      if (answer.oneThread && answer.subgroup && answer.subgroups)
        return answer;
    }
  }
  return answer;
}

VerifierStatePairs::Answer
VerifierStatePairs::ask(unsigned first, unsigned firstKnown, unsigned second,
                        unsigned secondKnown, Operation *carryingLoop) {
  const MemoryAccess &a = analysis.getAccesses()[first];
  const MemoryAccess &b = analysis.getAccesses()[second];
  if (!a.memref || !b.memref || a.collective || b.collective ||
      context.getThreads() > kMaxThreads)
    return {};
  auto remember = [](auto &answers, const auto &key, auto getAnswer) {
    auto it = answers.find(key);
    if (it != answers.end())
      return it->second;
    Answer answer = getAnswer();
    if (answers.size() < kMaxAnswers)
      answers.try_emplace(key, answer);
    return answer;
  };
  const Map *left = getMap(first, firstKnown);
  const Map *right = left ? getMap(second, secondKnown) : nullptr;
  Answer answer;
  int64_t shift;
  if (left && right && left->root != right->root)
    answer = {false, false, false};
  else if (left && right &&
           !llvm::SubOverflow(left->origin, right->origin, shift))
    answer = remember(comparisons,
                      std::make_tuple(left->places, right->places,
                                      left->elementBytes, right->elementBytes,
                                      shift),
                      [&] { return compare(*left, *right, shift); });
  bool isAnyKnown = firstKnown != KnownValues::kNothing ||
                    secondKnown != KnownValues::kNothing;
  if (left && right && isAnyKnown)
    return answer;
  // Maps are of all iterations of a loop, of which the path may be in one.
  Answer ofUnknown = remember(
      answers,
      std::make_tuple(first, firstKnown, second, secondKnown, carryingLoop),
      [&] {
        Answer common = askOfThreads(a, firstKnown, b, secondKnown)
                            .intersect(askOfUnknown(first, firstKnown, second,
                                                    secondKnown, carryingLoop));
        return common.subgroup || common.subgroups
                   ? common.intersect(askOfPartners(a, firstKnown, b,
                                                    secondKnown, carryingLoop))
                   : common;
      });
  return answer.intersect(ofUnknown);
}

/// Wherever they access: few threads may come to both.
VerifierStatePairs::Answer
VerifierStatePairs::askOfThreads(const MemoryAccess &a, unsigned firstKnown,
                                 const MemoryAccess &b, unsigned secondKnown) {
  constexpr size_t kMaxPairs = 1 << 12;
  SmallVector<int64_t> left = getThreadsAt(a.op, firstKnown);
  SmallVector<int64_t> right = getThreadsAt(b.op, secondKnown);
  if (left.size() * right.size() > kMaxPairs)
    return {};
  Answer answer{false, false, false};
  for (int64_t thread : left)
    for (int64_t other : right)
      meet(thread, other, answer);
  return answer;
}

//===----------------------------------------------------------------------===//
// One value in all threads
//===----------------------------------------------------------------------===//

bool VerifierStatePairs::isTheSame(Value value, const MemoryAccess &a,
                                   const MemoryAccess &b,
                                   Operation *carryingLoop,
                                   unsigned depth) const {
  if (uniformity.getScope(value) > ExecutionScope::Workgroup)
    return false;
  // An op that is a function of its operands, which are the same, wherever it
  // stands and however often it is executed; by its dialect.
  constexpr unsigned kMaxDepth = 8;
  Operation *op = value.getDefiningOp();
  Dialect *dialect = op ? op->getDialect() : nullptr;
  bool isFunction = isa_and_nonnull<arith::ArithDialect, memref::MemRefDialect,
                                    affine::AffineDialect>(dialect) &&
                    op->getNumRegions() == 0 && isMemoryEffectFree(op);
  if (isFunction && depth < kMaxDepth) {
    bool areSame = true;
    for (Value operand : op->getOperands())
      areSame = areSame && isTheSame(operand, a, b, carryingLoop, depth + 1);
    if (areSame)
      return true;
  }
  Operation *around = value.getParentRegion()->getParentOp();
  bool isOfKernel =
      around == analysis.getKernel() && value.getParentBlock()->isEntryBlock();
  if (isOfKernel)
    return true;
  // Not in a loop of which the two are in different iterations.
  if (carryingLoop)
    return around->isProperAncestor(carryingLoop);
  Block *block = value.getParentBlock();
  return block->findAncestorOpInBlock(*a.op) != nullptr &&
         block->findAncestorOpInBlock(*b.op) != nullptr;
}

VerifierStatePairs::Answer
VerifierStatePairs::askOfUnknown(unsigned first, unsigned firstKnown,
                                 unsigned second, unsigned secondKnown,
                                 Operation *carryingLoop) {
  const MemoryAccess &a = analysis.getAccesses()[first];
  const MemoryAccess &b = analysis.getAccesses()[second];
  if (!a.elements || !b.elements || a.followsMemory || b.followsMemory ||
      a.elements->size() != b.elements->size())
    return {};
  auto isSame = [&](Value value) {
    return isTheSame(value, a, b, carryingLoop);
  };
  bool isOneMemRef =
      a.view == b.view && hasDistinctElements(a.view) && isSame(a.view);
  if (!isOneMemRef) {
    ComparablePlaces places = getComparable(a, b);
    if (places.areBytes || !places.first.ranges || !places.second.ranges)
      return {};
  }
  // One number for each dimension that is one element wide; the quotient and
  // the remainder of one number tell as much as the number.
  SmallVector<std::pair<LinearExpr, LinearExpr>> pairs;
  for (unsigned dim = 0; dim < a.elements->size(); ++dim) {
    const IndexRange &x = (*a.elements)[dim], &y = (*b.elements)[dim];
    if (x.size && y.size && x.size->getConstant() == 1 &&
        y.size->getConstant() == 1 && x.extents.empty() && y.extents.empty() &&
        !x.offset.invalid && !y.offset.invalid)
      pairs.emplace_back(x.offset, y.offset);
  }
  for (unsigned i = 0; i < pairs.size(); ++i)
    for (unsigned j = 0; j < pairs.size(); ++j) {
      Value left = getWhole(pairs[i].first, pairs[j].first);
      Value right = left ? getWhole(pairs[i].second, pairs[j].second) : Value();
      if (!right || getDivisor(pairs[i].first) != getDivisor(pairs[i].second))
        continue;
      pairs[i] = {LinearExpr(OpFoldResult(left)),
                  LinearExpr(OpFoldResult(right))};
      pairs.erase(pairs.begin() + j);
      i = 0;
      break;
    }
  bool isSimpler = isOneMemRef;
  std::vector<std::tuple<SmallVector<int64_t, 0>, SmallVector<int64_t, 0>>>
      numbers;
  for (auto &[x, y] : pairs) {
    Equation equation{x, y};
    for (unsigned step = 0; step < kMaxChainDepth; ++step)
      if (!simplify(equation, context, [&](Value value) {
            bool result = isSame(value);
            isSimpler |= result;
            return result;
          }))
        break;
    ThreadValues left = evaluate(equation.left, firstKnown);
    ThreadValues right = evaluate(equation.right, secondKnown);
    if (!left || !right)
      continue;
    if (equation.modulus != 0)
      for (SmallVector<int64_t, 0> *side : {&*left, &*right})
        for (int64_t &number : *side) {
          number %= equation.modulus;
          if (number < 0)
            number += equation.modulus;
        }
    numbers.emplace_back(std::move(*left), std::move(*right));
  }
  if (!isSimpler || numbers.empty())
    return {};
  std::map<SmallVector<int64_t>, SmallVector<int64_t>> threadsAt;
  for (int64_t thread : getThreadsAt(b.op, secondKnown)) {
    SmallVector<int64_t> place;
    for (auto &[left, right] : numbers)
      place.push_back(right[thread]);
    threadsAt[place].push_back(thread);
  }
  Answer answer{false, false, false};
  for (int64_t thread : getThreadsAt(a.op, firstKnown)) {
    SmallVector<int64_t> place;
    for (auto &[left, right] : numbers)
      place.push_back(left[thread]);
    auto it = threadsAt.find(place);
    if (it == threadsAt.end())
      continue;
    for (int64_t other : it->second) {
      meet(thread, other, answer);
      if (answer.oneThread && answer.subgroup && answer.subgroups)
        return answer;
    }
  }
  return answer;
}
