//===- PlacementPartners.cpp - places by a number that nobody knows -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where a thread's place is its number xor one that is the same in all threads
/// (a step of a bitonic sort), that number is as small as the buffer: each that
/// it may be is tried. The verifier has VerifierPartners.cpp, which shares no
/// code with this.
///
//===----------------------------------------------------------------------===//

#include "Kernel/IntegerOps.h"
#include "PlacementNumbers.h"
#include "PlacementStatePairs.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;

/// The number that `expr` is, behind casts that keep all of it, if
/// `withoutSign` those that take no sign, too; null if it is computed.
static Value getOnlyTerm(const LinearExpr &expr, bool withoutSign) {
  if (expr.invalid || expr.constant != 0 || expr.terms.size() != 1 ||
      expr.terms.begin()->second != 1)
    return {};
  Value value = expr.terms.begin()->first;
  while (Operation *op = value.getDefiningOp()) {
    IntegerOp kind = getIntegerOp(op);
    if (kind != IntegerOp::CastS && !(withoutSign && kind == IntegerOp::CastU))
      break;
    Value source = op->getOperand(0);
    if (!isNumber(source.getType()) ||
        getBitWidth(source.getType()) > getBitWidth(value.getType()))
      break;
    value = source;
  }
  return value;
}

std::optional<StateNumbers::Numbers>
PlacementStatePairs::getSlots(const MemoryAccess &access,
                              const LinearExpr &offset, unsigned state,
                              Memo &memo) {
  std::optional<Numbers> known = numbers.get(offset, state, memo);
  Value value = known ? Value() : getOnlyTerm(offset, /*withoutSign=*/false);
  Operation *op = value ? value.getDefiningOp() : nullptr;
  if (!op || getIntegerOp(op) != IntegerOp::RemS || !access.view ||
      !access.view.getDefiningOp<memref::AllocOp>())
    return known;
  // Below zero is nothing: the rest of a power of two is its lowest bits.
  std::optional<int64_t> divisor = getConstantIntValue(op->getOperand(1));
  if (!divisor || *divisor <= 0 || !llvm::isPowerOf2_64(*divisor))
    return known;
  unsigned width = llvm::Log2_64(*divisor);
  Numbers slots;
  for (const llvm::KnownBits &bits :
       numbers.getBits(op->getOperand(0), state, memo)) {
    if (width == 0 || width >= bits.getBitWidth() ||
        !bits.trunc(width).isConstant())
      return known;
    slots.push_back(bits.trunc(width).getConstant().getZExtValue());
  }
  return slots;
}

std::optional<PlacementStatePairs::Partner>
PlacementStatePairs::findPartner(const MemoryAccess &access, unsigned state,
                                 llvm::function_ref<bool(Value)> isOne) {
  // Beyond the end of a buffer is nothing.
  auto type =
      access.view ? dyn_cast<MemRefType>(access.view.getType()) : MemRefType();
  if (!type || !access.elements || access.followsMemory ||
      !access.view.getDefiningOp<memref::AllocOp>() ||
      type.getRank() != int64_t(access.elements->size()))
    return std::nullopt;
  for (auto [range, size] :
       llvm::zip_equal(*access.elements, type.getShape())) {
    Value value = getOnlyTerm(range.offset, /*withoutSign=*/true);
    Operation *op = value ? value.getDefiningOp() : nullptr;
    if (!op || getIntegerOp(op) != IntegerOp::XOr ||
        ShapedType::isDynamic(size))
      continue;
    for (unsigned number : {0, 1}) {
      Value unknown = op->getOperand(number), own = op->getOperand(1 - number);
      Memo &memo = getMemo(state);
      if (!isOne(unknown) || numbers.get(unknown, state, memo))
        continue;
      const std::optional<Numbers> &mine = numbers.get(own, state, memo);
      if (!mine || llvm::any_of(*mine, [](int64_t one) { return one < 0; }))
        continue;
      uint64_t most = std::max(size - 1, *llvm::max_element(*mine));
      unsigned bits = llvm::bit_width(most);
      if (bits < kMaxPartnerBits)
        return Partner{unknown, int64_t(1) << bits};
    }
  }
  return std::nullopt;
}

/// All, where that is not known.
Meeting PlacementStatePairs::joinPartners(unsigned first, unsigned firstState,
                                          unsigned second, unsigned secondState,
                                          Operation *carryingLoop) {
  const MemoryAccess &a = hazards.getAccesses()[first];
  const MemoryAccess &b = hazards.getAccesses()[second];
  auto isOne = [&](Value value) {
    return isOneNumber(value, a.op, b.op, carryingLoop);
  };
  std::optional<Partner> partner = findPartner(a, firstState, isOne);
  if (!partner)
    partner = findPartner(b, secondState, isOne);
  if (!partner || partner->count * context.getThreads() > kMaxPartners)
    return {};
  auto resolve = [&](const MemoryAccess &access, unsigned state) {
    std::optional<Place> place;
    if (access.elements && !access.followsMemory &&
        isa<MemRefType>(access.view.getType()))
      place = places.resolve(access.view, state);
    bool isKnown = place && place->elementBytes > 0 &&
                   place->strides.size() == access.elements->size();
    return isKnown ? place : std::nullopt;
  };
  std::optional<Place> left = resolve(a, firstState);
  std::optional<Place> right = left ? resolve(b, secondState) : std::nullopt;
  if (!right)
    return {};
  // In many states it is one question.
  SmallVector<BlockArgument> unknown;
  std::vector<int64_t> key =
      getPlaceKey(a, *left, firstState, unknown, partner->unknown);
  llvm::append_range(
      key, getPlaceKey(b, *right, secondState, unknown, partner->unknown));
  llvm::append_range(
      key, ArrayRef<int64_t>{first, second,
                             int64_t(partner->unknown.getAsOpaquePointer())});
  auto [it, isNew] = meetingOfPartners.try_emplace(std::move(key));
  if (!isNew)
    return it->second;
  isLimited |= numPartners > kMaxAllPartners;
  if (numPartners > kMaxAllPartners)
    return {};
  auto getTouches = [&](const MemoryAccess &access, const Place &place,
                        unsigned state,
                        int64_t number) -> std::optional<Table> {
    Table table{place.root, place.elementBytes, {}};
    Memo memo;
    memo.numbers[partner->unknown] = Numbers{
        llvm::SignExtend64(number, getBitWidth(partner->unknown.getType()))};
    if (!addTouches(access, place, state, memo, table))
      return std::nullopt;
    llvm::sort(table.touches);
    return table;
  };
  Meeting meeting{false, false, false};
  for (int64_t number = 0; number < partner->count; ++number) {
    numPartners += context.getThreads();
    std::optional<Table> ofFirst = getTouches(a, *left, firstState, number);
    std::optional<Table> ofSecond =
        ofFirst ? getTouches(b, *right, secondState, number) : std::nullopt;
    if (!ofSecond)
      return {};
    Meeting one = join(*ofFirst, *ofSecond);
    meeting.inOneThread |= one.inOneThread;
    meeting.insideSubgroup |= one.insideSubgroup;
    meeting.acrossSubgroups |= one.acrossSubgroups;
    // Nobody asks more.
    if (meeting.insideSubgroup && meeting.acrossSubgroups) {
      meeting.inOneThread = true;
      break;
    }
  }
  it->second = meeting;
  return meeting;
}
