//===- BarrierMutations.cpp - barriers where they should not be -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BarrierMutations.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/Kernel/Kernel.h"
#include "MemSpace/Memory/MemoryAccess.h"
#include "MemSpace/Memory/Synchronization.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::fuzz;

namespace {
/// The ops of a kernel that a mutation chooses from.
struct Places {
  explicit Places(FunctionOpInterface kernel) {
    kernel->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<FunctionOpInterface>(op))
        return WalkResult::advance();
      if (getBarrier(op))
        barriers.push_back(op);
      else
        others.push_back(op);
      if (getGroupsLeftInFlight(op))
        waits.push_back(op);
      // What a barrier would be part of, as the payload of a linalg op.
      return op->getNumRegions() == 0 || isControlFlow(op)
                 ? WalkResult::advance()
                 : WalkResult::skip();
    });
  }
  SmallVector<Operation *> barriers, waits, others;
};
} // namespace

static Operation *addBarrier(Operation *before, Random &rng) {
  OpBuilder builder(before);
  if (rng.chance(75))
    return gpu::BarrierOp::create(builder, before->getLoc());
  if (rng.chance(50))
    return SubgroupBarrierOp::create(builder, before->getLoc());
  return amdgpu::LDSBarrierOp::create(builder, before->getLoc());
}

static void weaken(Operation *barrier, Random &rng) {
  OpBuilder builder(barrier);
  if (rng.chance(50))
    SubgroupBarrierOp::create(builder, barrier->getLoc());
  else
    amdgpu::LDSBarrierOp::create(builder, barrier->getLoc());
  barrier->erase();
}

/// Down in its block, where what it waits for is still defined.
static void delay(Operation *wait, Random &rng) {
  Operation *after = wait;
  for (int64_t steps = rng.between(1, 12); steps > 0; --steps)
    if (!after->getNextNode()->hasTrait<OpTrait::IsTerminator>())
      after = after->getNextNode();
  if (after != wait)
    wait->moveAfter(after);
}

/// Skips it in the first or the last iteration of a loop around it.
static void guard(Operation *barrier, Random &rng) {
  SmallVector<scf::ForOp> loops;
  for (auto loop = barrier->getParentOfType<scf::ForOp>(); loop;
       loop = loop->getParentOfType<scf::ForOp>())
    loops.push_back(loop);
  if (loops.empty())
    return;
  scf::ForOp loop = rng.pick(loops);
  OpBuilder builder(barrier);
  Location loc = barrier->getLoc();
  Value condition;
  if (rng.chance(50)) {
    condition =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                              loop.getInductionVar(), loop.getLowerBound());
  } else {
    Value next = arith::AddIOp::create(builder, loc, loop.getInductionVar(),
                                       loop.getStep());
    condition = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                      next, loop.getUpperBound());
  }
  auto ifOp = scf::IfOp::create(builder, loc, condition,
                                /*withElseRegion=*/false);
  barrier->moveBefore(ifOp.thenBlock()->getTerminator());
}

static void mutateOnce(ModuleOp module, Random &rng) {
  Places places(rng.pick(getKernels(module)));
  enum What { Delete, DeleteMany, Move, Weaken, Guard, Add, Wait };
  static constexpr int weights[] = {25, 10, 20, 10, 15, 15, 5};
  What what = What(rng.pickWeighted(weights));
  if (places.barriers.empty() && what != Wait)
    what = Add;
  switch (what) {
  case Delete:
    return rng.pick(places.barriers)->erase();
  case DeleteMany:
    for (Operation *barrier : places.barriers)
      if (rng.chance(60))
        barrier->erase();
    return;
  case Move:
    return rng.pick(places.barriers)->moveBefore(rng.pick(places.others));
  case Weaken:
    return weaken(rng.pick(places.barriers), rng);
  case Guard:
    return guard(rng.pick(places.barriers), rng);
  case Add:
    addBarrier(rng.pick(places.others), rng);
    return;
  case Wait:
    if (places.waits.empty())
      return;
    Operation *wait = rng.pick(places.waits);
    return rng.chance(50) ? wait->erase() : delay(wait, rng);
  }
}

void fuzz::mutateBarriers(ModuleOp module, Random &rng) {
  // Without its dialect an op is made that no pass knows.
  module->getContext()
      ->loadDialect<amdgpu::AMDGPUDialect, arith::ArithDialect, gpu::GPUDialect,
                    scf::SCFDialect, MemSpaceDialect>();
  for (int64_t count = rng.between(1, 3); count > 0; --count)
    mutateOnce(module, rng);
}
