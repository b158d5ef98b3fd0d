//===- LockstepKernel.h - a small kernel, executed --------------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Executes a kernel of integer arithmetic, loops, blocks, loads and stores, in
/// which all threads go the same way, op by op for all threads. Two threads
/// race where they touch an element with no barrier in between.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_UNITTESTS_BARRIERS_LOCKSTEPKERNEL_H
#define MEMSPACE_UNITTESTS_BARRIERS_LOCKSTEPKERNEL_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/MathExtras.h"

namespace mlir {
namespace memspace {

class LockstepKernel {
public:
  /// Arguments that are not given are 0.
  LockstepKernel(FunctionOpInterface kernel, unsigned threads,
                 ArrayRef<int64_t> arguments)
      : threads(threads) {
    for (auto [i, argument] : llvm::enumerate(kernel.getArguments()))
      numbers[argument] =
          Lanes(threads, i < arguments.size() ? arguments[i] : 0);
    for (Block *block = &kernel.getFunctionBody().front(); block;)
      block = run(*block);
  }

  bool isRaceFree() const { return !hasRace; }
  /// The executed ones.
  unsigned getBarriers() const { return barriers; }

private:
  using Lanes = std::vector<int64_t>;

  void pass(ValueRange to, ValueRange from) {
    std::vector<Lanes> values;
    for (Value value : from)
      values.push_back(numbers[value]);
    for (auto [target, value] : llvm::zip_equal(to, values))
      numbers[target] = value;
  }

  /// The block that follows, if any.
  Block *run(Block &block) {
    for (Operation &op : block) {
      if (auto branch = dyn_cast<cf::BranchOp>(op)) {
        pass(branch.getDest()->getArguments(), branch.getDestOperands());
        return branch.getDest();
      }
      if (auto branch = dyn_cast<cf::CondBranchOp>(op)) {
        bool holds = numbers[branch.getCondition()].front() != 0;
        Block *to = holds ? branch.getTrueDest() : branch.getFalseDest();
        pass(to->getArguments(), holds ? branch.getTrueDestOperands()
                                       : branch.getFalseDestOperands());
        return to;
      }
      if (!op.hasTrait<OpTrait::IsTerminator>())
        run(op);
    }
    return nullptr;
  }

  void run(Operation &op) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      int64_t end = numbers[loop.getUpperBound()].front();
      int64_t step = numbers[loop.getStep()].front();
      pass(loop.getRegionIterArgs(), loop.getInitArgs());
      for (int64_t i = numbers[loop.getLowerBound()].front(); i < end;
           i += step) {
        numbers[loop.getInductionVar()] = Lanes(threads, i);
        run(*loop.getBody());
        pass(loop.getRegionIterArgs(), loop.getYieldedValues());
      }
      return pass(loop.getResults(), loop.getRegionIterArgs());
    }
    if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      pass(loop.getBeforeArguments(), loop.getInits());
      while (true) {
        run(*loop.getBeforeBody());
        scf::ConditionOp condition = loop.getConditionOp();
        if (numbers[condition.getCondition()].front() == 0)
          return pass(loop.getResults(), condition.getArgs());
        pass(loop.getAfterArguments(), condition.getArgs());
        run(*loop.getAfterBody());
        pass(loop.getBeforeArguments(), loop.getYieldOp().getResults());
      }
    }
    if (auto ifOp = dyn_cast<scf::IfOp>(op)) {
      if (numbers[ifOp.getCondition()].front() != 0)
        run(*ifOp.thenBlock());
      else if (Block *block = ifOp.elseBlock())
        run(*block);
      return;
    }
    if (isa<gpu::BarrierOp>(op)) {
      ++barriers;
      return touches.clear();
    }
    if (auto load = dyn_cast<memref::LoadOp>(op))
      return touch(load.getMemref(), load.getIndices().front(), false);
    if (auto store = dyn_cast<memref::StoreOp>(op))
      return touch(store.getMemref(), store.getIndices().front(), true);
    Lanes &result = numbers[op.getResult(0)];
    result.resize(threads);
    if (isa<memref::AllocOp>(op)) {
      result.assign(threads, numBuffers++);
      return;
    }
    for (unsigned lane = 0; lane < threads; ++lane)
      numbers[op.getResult(0)][lane] = compute(op, lane);
  }

  int64_t compute(Operation &op, unsigned lane) {
    if (isa<gpu::ThreadIdOp>(op))
      return lane;
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      return cast<IntegerAttr>(constant.getValue()).getInt();
    auto get = [&](unsigned i) { return numbers[op.getOperand(i)][lane]; };
    if (isa<arith::IndexCastOp>(op))
      return get(0);
    if (isa<arith::SelectOp>(op))
      return get(0) ? get(1) : get(2);
    uint64_t a = get(0), b = get(1);
    if (auto compare = dyn_cast<arith::CmpIOp>(op))
      return arith::applyCmpPredicate(compare.getPredicate(),
                                      llvm::APInt(64, a), llvm::APInt(64, b));
    if (isa<arith::AddIOp>(op))
      return a + b;
    if (isa<arith::SubIOp>(op))
      return a - b;
    if (isa<arith::MulIOp>(op))
      return a * b;
    if (isa<arith::AndIOp>(op))
      return a & b;
    if (isa<arith::XOrIOp>(op))
      return a ^ b;
    if (isa<arith::ShRUIOp>(op))
      return a >> b;
    if (isa<arith::RemUIOp>(op))
      return a % b;
    llvm_unreachable("no such op in these kernels");
  }

  void touch(Value memref, Value index, bool writes) {
    for (unsigned lane = 0; lane < threads; ++lane) {
      Touch touch{numbers[memref].front(), numbers[index][lane], lane, writes};
      for (const Touch &other : touches)
        hasRace |=
            other.buffer == touch.buffer && other.element == touch.element &&
            other.thread != touch.thread && (other.writes || touch.writes);
      touches.push_back(touch);
    }
  }

  struct Touch {
    int64_t buffer, element;
    unsigned thread;
    bool writes;
  };
  unsigned threads, numBuffers = 0, barriers = 0;
  bool hasRace = false;
  DenseMap<Value, Lanes> numbers;
  std::vector<Touch> touches;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_UNITTESTS_BARRIERS_LOCKSTEPKERNEL_H
