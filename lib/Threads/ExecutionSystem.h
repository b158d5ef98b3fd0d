//===- ExecutionSystem.h - executions of ops as affine constraints -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Describes two executions of ops of one kernel in an AffineSystem: which
/// thread runs each, in which iteration of the loops and foralls around it,
/// under which conditions. What is not affine becomes a column without
/// constraints, so that the system describes at least the executions that
/// exist.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_THREADS_EXECUTIONSYSTEM_H
#define MEMSPACE_LIB_THREADS_EXECUTIONSYSTEM_H

#include "AffineSystem.h"
#include "ExecutionGuards.h"
#include "Kernel/HardwareIds.h"
#include "Kernel/IntegerOps.h"
#include "MemSpace/Kernel/CountedLoop.h"
#include "MemSpace/Kernel/ExecutionScope.h"
#include "MemSpace/Kernel/KernelContext.h"
#include "MemSpace/Memory/LinearExpr.h"
#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/AffineExpr.h"
#include <map>

namespace mlir {
namespace memspace {

/// What tells the two executions apart.
struct ExecutionContext {
  /// Without `guards`, which may be those of other questions about the kernel
  /// as it is, there are new ones.
  explicit ExecutionContext(const KernelContext &kernel,
                            std::shared_ptr<ExecutionGuards> guards = nullptr)
      : kernel(kernel),
        guards(guards ? guards : std::make_shared<ExecutionGuards>()) {}

  KernelContext kernel;
  std::shared_ptr<ExecutionGuards> guards;
  /// Values defined outside are the same on both sides; null: the kernel.
  Operation *scope = nullptr;
  /// Both sides are in one execution of this loop of blocks of `scope`, which
  /// may be null: what is outside of the loop is, too.
  const CFGLoop *circle = nullptr;
  /// Instead of `scope`: values of this block and around it are the same.
  Block *instance = nullptr;
  /// Both sides are one execution.
  bool sameExecution = false;
  /// The sides may be in different workgroups.
  bool differentWorkgroups = false;
  /// Foralls say which thread runs an iteration.
  bool foralls = true;
};

class ExecutionSystem {
public:
  explicit ExecutionSystem(const ExecutionContext &context);

  AffineSystem &getSystem() { return system; }

  /// The value as an execution of `side` (0 or 1) sees it.
  LinearForm translate(Value value, unsigned side);
  LinearForm translate(const LinearExpr &expr, unsigned side);
  LinearForm translateLower(const CountedLoop &loop, unsigned side);
  LinearForm translateUpper(const CountedLoop &loop, unsigned side);

  /// True for what is one number or memref on both sides.
  bool isShared(Value value);

  /// A number that a loop carries, and that grows by a constant from one
  /// iteration to the next, of a first one that is the same in all of them.
  struct Counter {
    Value first;
    int64_t step;
    /// It is of few bits, and may become too large for them.
    bool mayWrap;
  };
  static std::optional<Counter> getCounter(BlockArgument arg);
  /// The same where it tells iterations apart: those of `circle`, which begins
  /// with the block of `arg`, or of an scf.while if that is null. None if some
  /// iteration leads to one that begins with the first number again.
  static std::optional<Counter> getCounter(BlockArgument arg,
                                           const CFGLoop *circle);

  /// The largest number that a counter of few bits has, if the end of its loop
  /// keeps it from becoming too large for them: in the first iteration it is
  /// the first number, before every other one it was below the end.
  std::optional<int64_t> getLargest(BlockArgument arg, unsigned side);

  /// Of numbers of more bits neither the bounds nor what they lose when they
  /// become too large are coefficients (AffineSystem.h).
  static constexpr unsigned kMostExactBits = 32;
  /// A power of two that numbers of `type` which become too large lose a
  /// multiple of; none for `index`, of which nothing becomes too large. Of at
  /// most kMostExactBits bits, it is no smaller than what they lose.
  static std::optional<int64_t> getWrapModulus(Type type);

  /// The values that an execution of `side` depends on and no op computes:
  /// arguments of blocks and what was loaded. In the order of translation.
  SmallVector<std::pair<Value, LinearForm>> getSources(unsigned side);

  /// Adds what is known because `op` executes: loop bounds, conditions, the
  /// thread of each forall iteration.
  void addExecution(Operation *op, unsigned side);

  /// Adds that the i1 `condition` has a value, as far as it is understood.
  void addCondition(Value condition, bool holds, unsigned side);

  LinearForm getThreadId(unsigned dim, unsigned side);
  LinearForm getLinearThreadId(unsigned side);
  /// floor(linear thread id / threads), created once for each divisor.
  LinearForm getThreadGroup(int64_t threads, unsigned side);
  /// Number of the thread's subgroup in the workgroup, and its place in the
  /// subgroup; not constrained where the subgroup size is not known.
  LinearForm getSubgroupId(unsigned side);
  LinearForm getLaneId(unsigned side);
  LinearForm getBlockId(unsigned dim, unsigned side);
  /// The block id of linear block mappings on an unknown grid, when used.
  std::optional<LinearForm> getOpaqueLinearBlockId(unsigned side) const;

private:
  /// The scope of the context, or the kernel.
  Operation *getScope() const;
  bool isInsideScope(Operation *op) const;
  bool isInsideCircle(Block *block) const;
  bool isCounterOutside(BlockArgument arg);
  bool computeShared(Value value);
  bool isRegionResultShared(Operation *op, unsigned index);
  bool isBlockArgumentShared(BlockArgument arg);
  bool isWhileArgumentShared(scf::WhileOp loop, BlockArgument arg);
  bool isInLoopInside(Block *block);
  unsigned getSlot(Value value, unsigned side);

  LinearForm compute(Value value, unsigned side);
  LinearForm computeId(HardwareId id, unsigned side);
  LinearForm computeIntegerOp(OpResult result, unsigned side);
  LinearForm computeDigit(affine::AffineDelinearizeIndexOp delinearize,
                          unsigned position, unsigned side);
  std::optional<LinearForm> computeNonAffine(IntegerOp kind,
                                             const LinearForm &lhs,
                                             const LinearForm &rhs, Type type);
  /// `lhs` | `rhs`, or `lhs` ^ `rhs`, where that has a form.
  std::optional<LinearForm> computeBits(bool isXOr, const LinearForm &lhs,
                                        const LinearForm &rhs);
  LinearForm translateArgument(BlockArgument arg, unsigned side);
  std::optional<LinearForm> translateCounter(BlockArgument arg, unsigned side);
  bool areInOneIteration(BlockArgument arg, unsigned side);
  LinearForm translateExpr(AffineExpr expr, ArrayRef<LinearForm> dims,
                           ArrayRef<LinearForm> symbols);
  SmallVector<LinearForm> translateMap(AffineMap map, ValueRange operands,
                                       unsigned side);
  LinearForm addInductionVariable(const LinearForm &low, const LinearForm &high,
                                  const LinearForm &step);
  LinearForm translate(const LoopBound &bound, bool isLower, unsigned side);
  bool isShared(const CountedLoop &loop);
  LinearForm translate(OpFoldResult ofr, unsigned side);
  /// Of a list of numbers, where what is not known is the next of `values`.
  LinearForm translate(ArrayRef<int64_t> numbers, ValueRange values,
                       unsigned index, unsigned side);
  LinearForm opaque(Interval interval = {});
  /// A number of `type`, read with sign, in `interval`.
  LinearForm opaque(Type type, Interval interval = {});

  /// What `form`, a number of `type` with sign, is without; any number where it
  /// may be negative and `type` has many bits.
  LinearForm getUnsigned(const LinearForm &form, Type type);
  /// The other way.
  LinearForm getSigned(const LinearForm &form, Type type);

  void addSharedFact(Value condition, bool holds);
  void addNumber(Value value, int64_t number, unsigned side);
  void addComparison(arith::CmpIPredicate predicate, const LinearForm &lhs,
                     const LinearForm &rhs);
  /// What is known because a region of the op around `child` executes.
  void addRegion(Operation *child, unsigned side);
  /// Where an `affine.if` goes, if its conditions say so.
  void addConditions(affine::AffineIfOp op, bool hold, unsigned side);
  void addForall(scf::ForallOp forall, unsigned side);
  void addForallThread(scf::ForallOp forall, const ForallMapping &mapping,
                       ArrayRef<LinearForm> iterations, unsigned side);
  struct MappedIds;
  std::optional<MappedIds> getMappedIds(scf::ForallOp forall,
                                        const ForallMapping &mapping,
                                        unsigned side);
  std::optional<std::pair<LinearForm, std::optional<int64_t>>>
  getLinearIteration(scf::ForallOp forall, const ForallMapping &mapping,
                     ArrayRef<LinearForm> iterations);
  void addLinearMapping(scf::ForallOp forall, const ForallMapping &mapping,
                        const MappedIds &ids, ArrayRef<LinearForm> iterations,
                        unsigned side);
  void addLinearBlock(const LinearForm &index, std::optional<int64_t> count,
                      unsigned side);
  void addArrangedMapping(scf::ForallOp forall, const ForallMapping &mapping,
                          const MappedIds &ids, ArrayRef<LinearForm> iterations,
                          unsigned side);
  /// index == id + available · w for some w >= 0.
  void addWrapped(const LinearForm &index, const LinearForm &id,
                  std::optional<int64_t> available,
                  std::optional<int64_t> count);

  ExecutionContext context;
  const LaunchShape &shape;
  AffineSystem system;
  DenseMap<std::pair<Value, unsigned>, LinearForm> forms;
  /// By the block that an iteration begins with: how many there were before,
  /// where both sides are in one.
  DenseMap<Block *, LinearForm> commonCounts;
  SmallVector<std::pair<Value, unsigned>> sources;
  DenseMap<Value, bool> shared;
  /// A condition, or the operands of a comparison and its predicate, that is
  /// one on both sides, and whether it holds.
  std::map<std::tuple<const void *, const void *, int>, bool> sharedFacts;
  /// Of the running translate() and isShared() queries.
  unsigned depth = 0, sharedDepth = 0;
  /// What the running isShared() query assumes or concluded.
  SmallVector<Value> assumedShared;
  LinearForm threads[2][3];
  LinearForm blocks[2][3];
  std::optional<LinearForm> linearBlock[2];
  DenseMap<std::pair<int64_t, unsigned>, LinearForm> threadGroups;
  /// Where the subgroup size is not known.
  std::optional<LinearForm> opaqueSubgroupIds[2], opaqueLaneIds[2];
  DenseMap<std::pair<Operation *, unsigned>, bool> doneForalls;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_THREADS_EXECUTIONSYSTEM_H
