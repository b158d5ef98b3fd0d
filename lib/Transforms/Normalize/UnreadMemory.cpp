//===- UnreadMemory.cpp - memory that nobody reads -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// That nobody reads a memory depends on what is done with what is read: a
/// kernel may read it only to write another one that nobody reads. So all
/// allocations, and all arguments that get nothing else, are taken for unread
/// until one is refuted. Of each function a copy is made without the writes to
/// unread memory. What is then used by nobody is removed from the copy, and an
/// unread memory that is still used is refuted: it may be read, or be known by
/// a name that was not followed. A refuted memory refutes those that it is
/// passed to, and makes a new copy of the function necessary, and of those that
/// call it. When nothing is refuted any more, the copies do not mention the
/// unread memory at all, and take the places of the functions.
///
//===----------------------------------------------------------------------===//

#include "UnreadMemory.h"
#include "DropUnusedResults.h"
#include "MemSpace/Memory/MemoryInterfaces.h"
#include "Transforms/Normalize/StructuredOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SetVector.h"
#include <set>

using namespace mlir;
using namespace mlir::memspace;

void mlir::memspace::removeUnusedCode(FunctionOpInterface func) {
  IRRewriter rewriter(func->getContext());
  do
    dropUnusedResults(rewriter, func);
  while (dropUnusedOutputs(func));
}

//===----------------------------------------------------------------------===//
// One function
//===----------------------------------------------------------------------===//

/// Adds to `memory` what is only another name of something in it.
static void addViews(llvm::SetVector<Value> &memory) {
  for (size_t next = 0; next < memory.size(); ++next) {
    Value source = memory[next];
    for (Operation *user : source.getUsers()) {
      auto root = dyn_cast<MemoryRootOpInterface>(user);
      auto view = dyn_cast<ViewLikeOpInterface>(user);
      for (OpResult result : user->getResults())
        if (isa<BaseMemRefType>(result.getType()) &&
            ((root && root.getNamedMemory(result).source == source) ||
             (view && view.getViewSource() == source)))
          memory.insert(result);
    }
  }
}

/// True when `op` does nothing that is seen but write or free `memory`.
static bool onlyWrites(Operation *op, const llvm::SetVector<Value> &memory) {
  if (op->hasTrait<OpTrait::IsTerminator>() || !hasUnusedResults(op))
    return false;
  std::optional<SmallVector<MemoryEffects::EffectInstance>> effects =
      getEffectsRecursively(op);
  bool isWrite = false;
  auto isOfMemory = [&](const MemoryEffects::EffectInstance &effect) {
    if (isa<MemoryEffects::Read>(effect.getEffect()))
      return true;
    isWrite = true;
    return isa<MemoryEffects::Write, MemoryEffects::Free>(effect.getEffect()) &&
           effect.getValue() && memory.contains(effect.getValue());
  };
  return effects && llvm::all_of(*effects, isOfMemory) && isWrite;
}

/// Erases the ops that do nothing but write `roots`.
static bool eraseWrites(ArrayRef<Value> roots) {
  llvm::SetVector<Value> memory;
  for (Value root : roots)
    if (root)
      memory.insert(root);
  addViews(memory);
  llvm::SetVector<Operation *> writes;
  for (Value value : memory)
    for (Operation *user : value.getUsers())
      if (onlyWrites(user, memory))
        writes.insert(user);
  // What is inside of another one goes with it.
  auto isInside = [&](Operation *op) {
    while ((op = op->getParentOp()))
      if (writes.contains(op))
        return true;
    return false;
  };
  SmallVector<Operation *> outermost;
  for (Operation *op : writes)
    if (!isInside(op))
      outermost.push_back(op);
  llvm::for_each(outermost, eraseUnused);
  return !writes.empty();
}

/// The memref that `op` allocates; null for other ops.
static Value getAllocated(Operation &op) {
  if (op.getNumResults() == 0 || op.getNumRegions() != 0 ||
      !isa<MemRefType>(op.getResult(0).getType()))
    return {};
  for (Value other : llvm::drop_begin(op.getResults()))
    if (!isa<gpu::AsyncTokenType>(other.getType()))
      return {};
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface)
    return {};
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  bool isAllocation =
      !effects.empty() && llvm::all_of(effects, [&](const auto &effect) {
        return isa<MemoryEffects::Allocate>(effect.getEffect()) &&
               effect.getValue() == op.getResult(0);
      });
  return isAllocation ? op.getResult(0) : Value();
}

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

namespace {
/// Numbers the unread allocations of a copy, which may be erased by others.
constexpr llvm::StringLiteral kRootAttr = "memspace.unread";

/// Copies of a function until what is left is given up: where each refutes a
/// memory of the next, a large function would take quadratic time.
constexpr unsigned kMaxTrials = 32;

class UnreadMemory {
public:
  UnreadMemory(ModuleOp module, const KnownCalls &calls);
  ~UnreadMemory() {
    for (auto &[func, trial] : trials)
      if (trial)
        trial->erase();
  }

  /// Refutes what is not proved, then erases what is left.
  bool run();

private:
  void addRoots(FunctionOpInterface func);
  void rank();
  bool isUnread(Value root) const;
  void refute(Value root);
  void addToTry(Operation *func) { toTry.insert({ranks.lookup(func), func}); }
  void tryFunction(FunctionOpInterface func);
  void commit(FunctionOpInterface func);
  llvm::BitVector getUnread(FunctionOpInterface func) const;
  /// What stands in the copy for the memory that may be unread; null where it
  /// is gone.
  SmallVector<Value> getRootsOfTrial(FunctionOpInterface func);

  const KnownCalls &calls;
  /// What may be unread, of each function.
  llvm::MapVector<Operation *, llvm::SetVector<Value>> unread;
  /// Copies of functions without it; they stand behind their functions.
  DenseMap<Operation *, FunctionOpInterface> trials;
  /// A function that others call stands before them, so that what its callers
  /// pass is known when they are copied again.
  std::set<std::pair<unsigned, Operation *>> toTry;
  /// In the order of calls, callees first; numbers are unique.
  DenseMap<Operation *, unsigned> ranks;
  DenseMap<Operation *, unsigned> numTrials;
};
} // namespace

static FunctionOpInterface getFunction(Value root) {
  Operation *op = root.getParentBlock()->getParentOp();
  auto func = dyn_cast<FunctionOpInterface>(op);
  return func ? func : op->getParentOfType<FunctionOpInterface>();
}

UnreadMemory::UnreadMemory(ModuleOp module, const KnownCalls &calls)
    : calls(calls) {
  module->walk<WalkOrder::PreOrder>([&](FunctionOpInterface func) {
    if (!func.isExternal())
      addRoots(func);
    return WalkResult::skip();
  });
  // An argument gets unread memory only.
  SmallVector<Value> refuted;
  for (FunctionOpInterface func : calls.getFunctions())
    for (Operation *call : calls.getCalls(func))
      for (auto [number, passed] : llvm::enumerate(getPassedArguments(call)))
        if (!isUnread(passed.get()))
          refuted.push_back(func.getArgument(number));
  rank();
  llvm::for_each(refuted, [&](Value root) { refute(root); });
  for (auto &[func, roots] : unread)
    if (!roots.empty())
      addToTry(func);
}

void UnreadMemory::addRoots(FunctionOpInterface func) {
  auto &roots = unread[func];
  bool isKnown = calls.isKnown(func);
  bool enters = isKnown;
  SmallVector<Value> allocated;
  func->walk([&](Operation *op) {
    enters |= calls.getCallee(op) || isa<gpu::LaunchOp>(op);
    if (Value memory = getAllocated(*op))
      allocated.push_back(memory);
  });
  if (!enters)
    return;
  if (isKnown) {
    llvm::BitVector needed = getArgumentsOfGrid(func);
    for (BlockArgument arg : func.getFunctionBody().getArguments()) {
      // Behind the arguments of a gpu.func are its attributions. They stay, so
      // that there is something to erase of those with uses only.
      bool isNeeded = arg.getArgNumber() < needed.size()
                          ? needed.test(arg.getArgNumber())
                          : arg.use_empty();
      if (isa<BaseMemRefType>(arg.getType()) && !isNeeded)
        roots.insert(arg);
    }
  }
  roots.insert_range(allocated);
}

void UnreadMemory::rank() {
  // Functions that are not known call others, but are not called.
  SmallVector<Operation *> worklist;
  for (auto &[func, roots] : llvm::reverse(unread))
    if (!calls.isKnown(func))
      worklist.push_back(func);
  llvm::append_range(worklist, calls.getFunctions());
  // A function gets its number when its callees have theirs; known functions
  // do not call each other in a circle.
  llvm::DenseSet<Operation *> entered;
  while (!worklist.empty()) {
    Operation *func = worklist.back();
    if (!entered.insert(func).second) {
      worklist.pop_back();
      ranks.try_emplace(func, ranks.size());
      continue;
    }
    func->walk([&](Operation *op) {
      if (FunctionOpInterface callee = calls.getCallee(op))
        if (!entered.contains(callee))
          worklist.push_back(callee);
    });
  }
}

bool UnreadMemory::isUnread(Value root) const {
  auto it = unread.find(getFunction(root));
  return it != unread.end() && it->second.contains(root);
}

void UnreadMemory::refute(Value root) {
  SmallVector<Value> worklist = {root};
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (!isUnread(value))
      continue;
    FunctionOpInterface func = getFunction(value);
    unread[func].remove(value);
    addToTry(func);
    for (OpOperand &use : value.getUses()) {
      Operation *op = use.getOwner();
      if (FunctionOpInterface callee = calls.getCallee(op)) {
        // A function that gets it may get memory that is read.
        for (auto [number, operand] : llvm::enumerate(getPassedArguments(op)))
          if (operand.get() == value)
            worklist.push_back(callee.getArgument(number));
      } else if (hasEffect<MemoryEffects::Write>(op, value)) {
        // The write stays, with what it reads.
        llvm::append_range(worklist, op->getOperands());
      }
    }
    // A call that passes it stays a use of what it passes.
    auto arg = dyn_cast<BlockArgument>(value);
    for (Operation *call : arg ? calls.getCalls(func) : ArrayRef<Operation *>())
      if (arg.getArgNumber() < func.getNumArguments())
        worklist.push_back(getPassedArguments(call)[arg.getArgNumber()].get());
  }
}

llvm::BitVector UnreadMemory::getUnread(FunctionOpInterface func) const {
  llvm::BitVector result(func.getNumArguments());
  for (unsigned number = 0; number < result.size(); ++number)
    result[number] = isUnread(func.getArgument(number));
  return result;
}

SmallVector<Value> UnreadMemory::getRootsOfTrial(FunctionOpInterface func) {
  FunctionOpInterface trial = trials[func];
  SmallVector<Value> roots(unread[func].size());
  for (auto [index, root] : llvm::enumerate(unread[func]))
    if (auto arg = dyn_cast<BlockArgument>(root))
      roots[index] = trial.getFunctionBody().getArgument(arg.getArgNumber());
  trial->walk([&](Operation *op) {
    if (auto index = op->getAttrOfType<IntegerAttr>(kRootAttr))
      roots[index.getInt()] = op->getResult(0);
  });
  return roots;
}

void UnreadMemory::tryFunction(FunctionOpInterface func) {
  FunctionOpInterface &trial = trials[func];
  if (trial)
    trial->erase();
  trial = nullptr;
  auto &memory = unread[func];
  if (++numTrials[func] > kMaxTrials) {
    auto kept = llvm::to_vector(memory);
    llvm::for_each(kept, [&](Value root) { refute(root); });
  }
  if (memory.empty())
    return;
  OpBuilder builder(func->getContext());
  builder.setInsertionPointAfter(func);
  IRMapping mapping;
  trial = cast<FunctionOpInterface>(builder.clone(*func, mapping));
  func->walk([&](Operation *op) {
    if (FunctionOpInterface callee = calls.getCallee(op))
      erasePassedArguments(mapping.lookup(op), getUnread(callee));
  });
  for (auto [index, root] : llvm::enumerate(memory))
    if (Operation *op = root.getDefiningOp())
      mapping.lookup(op)->setAttr(kRootAttr, builder.getI64IntegerAttr(index));

  // Without the writes it may be seen that nobody needs the result of another.
  do
    removeUnusedCode(trial);
  while (eraseWrites(getRootsOfTrial(func)));
  SmallVector<Value> refuted;
  for (auto [root, inTrial] : llvm::zip_equal(memory, getRootsOfTrial(func)))
    if (inTrial && !inTrial.use_empty())
      refuted.push_back(root);
  llvm::for_each(refuted, [&](Value root) { refute(root); });
}

void UnreadMemory::commit(FunctionOpInterface func) {
  FunctionOpInterface trial = trials[func];
  for (Value root : getRootsOfTrial(func))
    if (Operation *op = root ? root.getDefiningOp() : nullptr)
      eraseUnused(op);
  llvm::BitVector erased = getUnread(func);
  func.getFunctionBody().takeBody(trial.getFunctionBody());
  trials.erase(func);
  trial->erase();
  eraseArgumentsOfFunction(func, erased);
}

bool UnreadMemory::run() {
  while (!toTry.empty()) {
    Operation *func = toTry.begin()->second;
    toTry.erase(toTry.begin());
    tryFunction(cast<FunctionOpInterface>(func));
  }
  bool changed = false;
  for (auto &[func, roots] : unread)
    if (!roots.empty()) {
      commit(cast<FunctionOpInterface>(func));
      changed = true;
    }
  return changed;
}

bool mlir::memspace::eraseUnreadMemory(ModuleOp module,
                                       const KnownCalls &calls) {
  return UnreadMemory(module, calls).run();
}
