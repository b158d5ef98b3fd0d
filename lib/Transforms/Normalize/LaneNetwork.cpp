//===- LaneNetwork.cpp - lanes that compare what they have in registers -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/Normalize/LaneNetwork.h"
#include "Transforms/Normalize/Shuffles.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;

Value LaneNetwork::constant(int64_t value) {
  return arith::ConstantIntOp::create(rewriter, loc, value, 32);
}

/// The lanes of a merge differ in the bits below a bit of their numbers.
Value LaneNetwork::shiftedOne(Value bits) {
  return arith::ShLIOp::create(rewriter, loc, constant(1), bits);
}

/// Puts the elements of two slots of each lane in order.
void LaneNetwork::compareSlots(int64_t lower, int64_t upper, Slots &slots) {
  Elements &left = slots[lower], &right = slots[upper];
  Value swap = comesBefore(right, left);
  if (Value both = isInRow(rows.getPosition(upper)))
    swap = arith::AndIOp::create(rewriter, loc, both, swap);
  for (auto [a, b] : llvm::zip_equal(left, right)) {
    Value first = arith::SelectOp::create(rewriter, loc, swap, b, a);
    b = arith::SelectOp::create(rewriter, loc, swap, a, b);
    a = first;
  }
}

/// The steps of a merge between places that are less than `size` slots apart.
void LaneNetwork::stepsInLane(int64_t size, Slots &slots) {
  for (int64_t distance = size / 2; distance > 0; distance /= 2)
    for (int64_t slot = 0; slot < int64_t(slots.size()); ++slot)
      if ((slot & distance) == 0)
        compareSlots(slot, slot + distance, slots);
}

/// Compares each place with that whose lane differs in the bits `lanes`, of
/// which `highest` is the highest, and whose slot differs in the bits `inSlot`.
void LaneNetwork::compareLanes(Value lanes, Value highest, int64_t inSlot,
                               Slots &slots) {
  int64_t count = slots.size();
  Value bit = arith::AndIOp::create(rewriter, loc, rows.getLane(), highest);
  Value isUpper = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ne,
                                        bit, constant(0));
  auto choose = [&](Value condition, Value a, Value b) -> Value {
    return arith::SelectOp::create(rewriter, loc, condition, a, b);
  };
  Slots others;
  for (int64_t slot = 0; slot < count; ++slot)
    for (Value element : slots[slot ^ inSlot]) {
      if (int64_t(others.size()) == slot)
        others.emplace_back();
      others[slot].push_back(shuffle(rewriter, loc, element,
                                     gpu::ShuffleMode::XOR, lanes,
                                     rows.getLayout().lanes));
    }
  for (int64_t slot = 0; slot < count; ++slot) {
    Elements lower, upper;
    for (auto [own, other] : llvm::zip_equal(slots[slot], others[slot])) {
      lower.push_back(choose(isUpper, other, own));
      upper.push_back(choose(isUpper, own, other));
    }
    Value swap = comesBefore(upper, lower);
    Value position = rows.getPosition(slot);
    Value otherPosition = arith::XOrIOp::create(
        rewriter, loc, rows.getPosition(slot ^ inSlot),
        arith::MulIOp::create(rewriter, loc, lanes, constant(count)));
    if (Value both = isInRow(choose(isUpper, position, otherPosition)))
      swap = arith::AndIOp::create(rewriter, loc, both, swap);
    for (auto [own, other] : llvm::zip_equal(slots[slot], others[slot]))
      own = choose(swap, other, own);
  }
}

/// A loop that carries the slots.
void LaneNetwork::repeat(Value begin, Value end, Slots &slots,
                         llvm::function_ref<void(Value number)> body) {
  SmallVector<Value> carried;
  for (const Elements &elements : slots)
    llvm::append_range(carried, elements);
  auto assign = [&](ValueRange values) {
    for (Elements &elements : slots) {
      llvm::copy(values.take_front(elements.size()), elements.begin());
      values = values.drop_front(elements.size());
    }
  };
  auto loop = scf::ForOp::create(
      rewriter, loc, begin, end, constant(1), carried,
      [&](OpBuilder &builder, Location loc, Value number, ValueRange args) {
        OpBuilder::InsertionGuard guard(rewriter);
        rewriter.setInsertionPoint(builder.getInsertionBlock(),
                                   builder.getInsertionPoint());
        assign(args);
        body(number);
        SmallVector<Value> results;
        for (const Elements &elements : slots)
          llvm::append_range(results, elements);
        scf::YieldOp::create(rewriter, loc, results);
      });
  assign(loop.getResults());
}

/// The last `count` steps of a merge that are among lanes.
void LaneNetwork::stepsAmongLanes(Value count, Slots &slots) {
  repeat(constant(0), count, slots, [&](Value number) {
    Value bit = shiftedOne(arith::SubIOp::create(
        rewriter, loc, arith::SubIOp::create(rewriter, loc, count, number),
        constant(1)));
    compareLanes(bit, bit, /*inSlot=*/0, slots);
  });
}

void LaneNetwork::sortBlocks(int64_t blockSize, Slots &slots) {
  int64_t count = slots.size();
  // Merges inside of a lane.
  for (int64_t size = 2; size <= std::min(count, blockSize); size *= 2) {
    for (int64_t slot = 0; slot < count; ++slot)
      if ((slot & (size / 2)) == 0)
        compareSlots(slot, slot ^ (size - 1), slots);
    stepsInLane(size / 2, slots);
  }
  if (blockSize <= count)
    return;
  // Merge `m` is of 2 << m lanes, and compares mirror images first.
  int64_t merges = llvm::Log2_64(blockSize / count);
  repeat(constant(0), constant(merges), slots, [&](Value merge) {
    Value highest = shiftedOne(merge);
    Value all = arith::SubIOp::create(
        rewriter, loc,
        arith::ShLIOp::create(rewriter, loc, highest, constant(1)),
        constant(1));
    compareLanes(all, highest, /*inSlot=*/count - 1, slots);
    stepsAmongLanes(merge, slots);
    stepsInLane(count, slots);
  });
}

void LaneNetwork::keepFirst(int64_t half, int64_t size, Slots &slots) {
  int64_t count = slots.size(), lanesOfBlock = size / count;
  auto mergeBlocks = [&] {
    if (lanesOfBlock > 1)
      stepsAmongLanes(constant(llvm::Log2_64(lanesOfBlock)), slots);
    stepsInLane(std::min(size, count), slots);
  };
  // The better one of a place and its mirror image: the blocks of a half are
  // compared with those of the other half, up and then down.
  int64_t last = std::max(size, count);
  if (half >= last) {
    int64_t rounds = llvm::Log2_64(half / last) + 1;
    Value inBlock = constant(std::max<int64_t>(lanesOfBlock, 1) - 1);
    repeat(constant(0), constant(rounds), slots, [&](Value round) {
      Value highest =
          arith::ShRUIOp::create(rewriter, loc, constant(half / count), round);
      Value lanes = arith::OrIOp::create(rewriter, loc, highest, inBlock);
      compareLanes(lanes, highest, std::min(size, count) - 1, slots);
      mergeBlocks();
    });
    half = last / 2;
  }
  for (; half >= size; half /= 2) {
    for (int64_t slot = 0; slot < half; ++slot)
      compareSlots(slot, slot ^ (half | (size - 1)), slots);
    mergeBlocks();
  }
}
