//===- VerifierPartners.cpp - whom an unknown number pairs -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `x xor j` with a j that is the same in all threads: j has no more bits than
/// x and the size of what is accessed, so that all j can be tried.
///
//===----------------------------------------------------------------------===//

#include "Kernel/IntegerOps.h"
#include "MemSpace/Memory/BufferSize.h"
#include "VerifierStatePairs.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;

/// What `index` is a cast of, unless that has more bits: of these nothing would
/// follow. `areSigned`: only such casts that leave negative numbers negative.
static Operation *skipCasts(Value index, bool areSigned) {
  Operation *op = index.getDefiningOp();
  auto widens = [&] {
    IntegerOp kind = op ? getIntegerOp(op) : IntegerOp::None;
    if (kind != IntegerOp::CastS && (areSigned || kind != IntegerOp::CastU))
      return false;
    Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
    return from.isIntOrIndex() && to.isIntOrIndex() &&
           getBitWidth(from) <= getBitWidth(to);
  };
  while (widens())
    op = op->getOperand(0).getDefiningOp();
  return op;
}

/// A remainder without a sign is the dividend modulo the divisor, and with one
/// it is that wherever it is an index of something.
VerifierStatePairs::ThreadValues
VerifierStatePairs::evaluateIndex(const MemoryAccess &access,
                                  const LinearExpr &offset, unsigned where) {
  ThreadValues numbers = evaluate(offset, where, /*wraps=*/true);
  if (numbers || offset.invalid || offset.constant != 0 ||
      offset.terms.size() != 1 || offset.terms.begin()->second != 1 ||
      !access.view || !access.view.getDefiningOp<memref::AllocOp>())
    return numbers;
  Operation *op = skipCasts(offset.terms.begin()->first, /*areSigned=*/true);
  std::optional<int64_t> divisor = op && getIntegerOp(op) == IntegerOp::RemS
                                       ? getConstantIntValue(op->getOperand(1))
                                       : std::nullopt;
  if (!divisor || *divisor < 2 || !llvm::isPowerOf2_64(*divisor))
    return std::nullopt;
  const ThreadParts &parts = evaluateLow(op->getOperand(0), where, 0);
  SmallVector<int64_t, 0> slots;
  for (int64_t thread = 0; thread < context.getThreads(); ++thread) {
    const LowPart &part = parts[parts.size() == 1 ? 0 : thread];
    if (part.bits < llvm::Log2_64(*divisor))
      return std::nullopt;
    slots.push_back(part.number & (*divisor - 1));
  }
  return slots;
}

/// The number of `access` that is not known, and how many it may be.
std::pair<Value, int64_t>
VerifierStatePairs::getPartner(const MemoryAccess &access, unsigned where,
                               llvm::function_ref<bool(Value)> isSame) {
  // What is accessed is all that there is.
  auto alloc =
      access.view ? access.view.getDefiningOp<memref::AllocOp>() : nullptr;
  if (!alloc || !access.elements || access.followsMemory)
    return {};
  ArrayRef<int64_t> shape = alloc.getType().getShape();
  for (unsigned dim = 0; dim < access.elements->size(); ++dim) {
    const LinearExpr &offset = (*access.elements)[dim].offset;
    if (dim >= shape.size() || ShapedType::isDynamic(shape[dim]) ||
        offset.invalid || offset.constant != 0 || offset.terms.size() != 1)
      continue;
    auto [index, factor] = *offset.terms.begin();
    Operation *op =
        factor == 1 ? skipCasts(index, /*areSigned=*/false) : nullptr;
    if (!op || getIntegerOp(op) != IntegerOp::XOr)
      continue;
    for (auto [mine, other] :
         {std::make_pair(op->getOperand(0), op->getOperand(1)),
          std::make_pair(op->getOperand(1), op->getOperand(0))}) {
      ThreadValues numbers = evaluate(mine, where);
      if (!numbers || evaluate(other, where) || !isSame(other))
        continue;
      int64_t most = shape[dim] - 1;
      bool isAnyNegative = false;
      for (int64_t number : *numbers) {
        most = std::max(most, number);
        isAnyNegative |= number < 0;
      }
      if (!isAnyNegative && most < 1 << 16)
        return {other, int64_t(llvm::NextPowerOf2(most))};
    }
  }
  return {};
}

VerifierStatePairs::Answer
VerifierStatePairs::askOfPartners(const MemoryAccess &a, unsigned firstKnown,
                                  const MemoryAccess &b, unsigned secondKnown,
                                  Operation *carryingLoop) {
  constexpr int64_t kMaxTried = int64_t(1) << 18;
  constexpr int64_t kMaxAllTried = int64_t(1) << 23;
  auto isSame = [&](Value value) {
    return isTheSame(value, a, b, carryingLoop);
  };
  auto [partner, count] = getPartner(a, firstKnown, isSame);
  if (!partner)
    std::tie(partner, count) = getPartner(b, secondKnown, isSame);
  if (!partner || count * context.getThreads() > kMaxTried)
    return {};
  struct Side {
    const MemoryAccess &access;
    unsigned where;
    Map map;
    SmallVector<int64_t> pitch;
  };
  Side sides[] = {{a, firstKnown, {}, {}}, {b, secondKnown, {}, {}}};
  for (Side &side : sides) {
    std::optional<int64_t> bytes =
        getElementBytes(getElementTypeOrSelf(side.access.memref.getType()),
                        context.getTarget());
    std::optional<Origin> origin;
    if (bytes && side.access.elements && !side.access.followsMemory)
      origin = locate(side.access.view, side.where);
    if (!origin || origin->ofThread ||
        origin->pitch.size() != side.access.elements->size())
      return {};
    side.map = {origin->root, origin->bytes, *bytes, nullptr};
    side.pitch = origin->pitch;
  }
  int64_t shift;
  if (sides[0].map.root != sides[1].map.root)
    return {false, false, false};
  if (llvm::SubOverflow(sides[0].map.origin, sides[1].map.origin, shift))
    return {};
  if (numTried > kMaxAllTried)
    return {};
  Answer answer{false, false, false};
  for (int64_t number = 0; number < count; ++number) {
    numTried += context.getThreads();
    Places placesOf[2];
    for (auto [side, places] : llvm::zip_equal(sides, placesOf)) {
      std::vector<std::pair<const void *, int64_t>> assumed{
          {partner.getAsOpaquePointer(), number}};
      assumption = assumptions.try_emplace(assumed, assumptions.size() + 1)
                       .first->second;
      // As of few bits: the highest one is the sign.
      unsigned width = getBitWidth(partner.getType());
      values[side.where][assumption][partner] =
          SmallVector<int64_t, 0>{llvm::SignExtend64(number, width)};
      bool isWhole =
          addPlaces(side.access, side.where, side.pitch, Value(), places);
      values[side.where].erase(assumption);
      assumption = 0;
      if (!isWhole)
        return {};
      llvm::sort(places.threadsAt);
      side.map.places = &places;
    }
    Answer one = compare(sides[0].map, sides[1].map, shift);
    answer.oneThread |= one.oneThread;
    answer.subgroup |= one.subgroup;
    answer.subgroups |= one.subgroups;
    if (answer.subgroup && answer.subgroups)
      return {};
  }
  return answer;
}
