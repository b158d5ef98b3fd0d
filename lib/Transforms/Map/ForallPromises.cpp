//===- ForallPromises.cpp - what a forall promises of its accesses -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ForallPromises.h"
#include "MemSpace/Memory/MemoryInterfaces.h"
#include "MemSpace/Memory/ValueFlow.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::memspace;

namespace {
/// The memory that a value may point into: allocations, function arguments
/// (both as the value), globals (as their symbol) and what ops name (as its
/// identity).
struct Roots {
  SmallPtrSet<const void *, 2> set;
  bool unknown = false;

  void merge(const Roots &other) {
    set.insert(other.set.begin(), other.set.end());
    unknown |= other.unknown;
  }
};

/// Where the memory of a root is made.
struct RootInfo {
  /// The allocation; null for what exists before the kernel runs.
  Operation *alloc = nullptr;
};

struct Access {
  Operation *op;
  Roots reads, writes;

  Roots getRoots() const {
    Roots roots = reads;
    roots.merge(writes);
    return roots;
  }
};

class AccessTable {
public:
  explicit AccessTable(const KernelContext &context);

  /// Those of `op` and of what is inside.
  ArrayRef<Access> getAccesses(Operation *op) const {
    auto [begin, end] = ranges.lookup(op);
    return ArrayRef(accesses).slice(begin, end - begin);
  }
  /// How many there are that may be to `root`.
  unsigned countAccesses(const void *root) const { return counts.lookup(root); }
  const RootInfo &getInfo(const void *root) const {
    return infos.find(root)->second;
  }

private:
  Roots trace(Value value);
  void traceInto(Value value, Roots &roots, SmallVectorImpl<Value> &sources);
  void addAccess(Operation *op);

  FunctionOpInterface kernel;
  const MemorySpaceMapping &spaces;
  DenseMap<const void *, RootInfo> infos;
  SmallVector<Access> accesses;
  /// The first access inside a loop and the one behind the last.
  DenseMap<Operation *, std::pair<unsigned, unsigned>> ranges;
  DenseMap<const void *, unsigned> counts;
  DenseMap<Value, Roots> traced;
};
} // namespace

AccessTable::AccessTable(const KernelContext &context)
    : kernel(context.getKernel()), spaces(context.getSpaces()) {
  kernel->walk([&](Operation *op, const WalkStage &stage) {
    bool isLoop = isa<LoopLikeOpInterface>(op);
    if (isLoop && stage.isBeforeAllRegions())
      ranges[op].first = accesses.size();
    if (!stage.isAfterAllRegions())
      return;
    // Of a long chain each trace is short when what comes before is known.
    for (Value result : op->getResults())
      if (isa<BaseMemRefType>(result.getType()))
        trace(result);
    if (isLoop)
      ranges[op].second = accesses.size();
    addAccess(op);
  });
  for (const Access &access : accesses)
    for (const void *root : access.getRoots().set)
      ++counts[root];
}

Roots AccessTable::trace(Value value) {
  if (auto it = traced.find(value); it != traced.end())
    return it->second;
  Roots roots;
  DenseSet<Value> visited;
  SmallVector<Value> worklist = {value};
  while (!worklist.empty()) {
    Value next = worklist.pop_back_val();
    if (!visited.insert(next).second)
      continue;
    if (auto it = traced.find(next); it != traced.end())
      roots.merge(it->second);
    else
      traceInto(next, roots, worklist);
  }
  traced[value] = roots;
  return roots;
}

/// One step: `value` is a root, or it comes from what is added to `sources`.
void AccessTable::traceInto(Value value, Roots &roots,
                            SmallVectorImpl<Value> &sources) {
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    Operation *parent = arg.getOwner()->getParentOp();
    if (parent == kernel && arg.getOwner()->isEntryBlock()) {
      // The attributions of a gpu.func follow its arguments; they are
      // allocations of the kernel.
      bool attribution = arg.getArgNumber() >= kernel.getNumArguments();
      roots.set.insert(value.getAsOpaquePointer());
      infos.try_emplace(
          value.getAsOpaquePointer(),
          RootInfo{attribution ? kernel.getOperation() : nullptr});
      return;
    }
  }
  auto addRoot = [&](const void *root, RootInfo info = {}) {
    roots.set.insert(root);
    infos.try_emplace(root, info);
  };
  if (std::optional<SmallVector<Value>> passed = getPassedValues(value))
    return llvm::append_range(sources, *passed);
  Operation *op = value.getDefiningOp();
  if (auto names = dyn_cast_if_present<MemoryRootOpInterface>(op)) {
    NamedMemory named = names.getNamedMemory(cast<OpResult>(value));
    if (named.source)
      return sources.push_back(named.source);
    if (named.identity)
      return addRoot(named.identity.getAsOpaquePointer());
  } else if (auto view = dyn_cast_if_present<ViewLikeOpInterface>(op)) {
    return sources.push_back(view.getViewSource());
  } else if (auto global = dyn_cast_if_present<memref::GetGlobalOp>(op)) {
    return addRoot(global.getNameAttr().getAsOpaquePointer());
  } else if (op && hasSingleEffect<MemoryEffects::Allocate>(op, value)) {
    return addRoot(value.getAsOpaquePointer(), RootInfo{op});
  }
  roots.unknown = true;
}

void AccessTable::addAccess(Operation *op) {
  Access access{op, {}, {}};
  bool any = false;
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects) {
    // The ops inside are visited themselves; a call is not looked into.
    if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
        op->hasTrait<OpTrait::IsTerminator>() || isa<FunctionOpInterface>(op))
      return;
    for (Value operand : op->getOperands())
      if (isa<BaseMemRefType>(operand.getType())) {
        access.reads.merge(trace(operand));
        access.writes.merge(trace(operand));
      }
    access.reads.unknown = access.writes.unknown = true;
    accesses.push_back(std::move(access));
    return;
  }
  SmallVector<MemoryEffects::EffectInstance> instances;
  effects.getEffects(instances);
  for (const MemoryEffects::EffectInstance &instance : instances) {
    bool reads = isa<MemoryEffects::Read>(instance.getEffect());
    bool writes = isa<MemoryEffects::Write>(instance.getEffect());
    if (!reads && !writes)
      continue;
    // Private memory is no other thread's business.
    Value value = instance.getValue();
    if (value && spaces.getNamedSpace(value.getType()) == MemorySpace::Private)
      continue;
    any = true;
    Roots roots;
    if (value && isa<BaseMemRefType>(value.getType()))
      roots = trace(value);
    else
      roots.unknown = true;
    (reads ? access.reads : access.writes).merge(roots);
  }
  if (any)
    accesses.push_back(std::move(access));
}

static StringRef getPromiseName(ExecutionScope scope) {
  switch (scope) {
  case ExecutionScope::Thread:
    return kDisjointAttr;
  case ExecutionScope::Subgroup:
    return kSubgroupDisjointAttr;
  case ExecutionScope::Warpgroup:
    return kWarpgroupDisjointAttr;
  case ExecutionScope::Workgroup:
    return kWorkgroupDisjointAttr;
  case ExecutionScope::Grid:
    break;
  }
  return {};
}

/// True when workgroups may be in different executions of `forall`, of which
/// nothing is promised.
static bool mayRepeat(Operation *forall) {
  for (Operation *op = forall; !isa<FunctionOpInterface>(op);
       op = op->getParentOp())
    if (isa<LoopLikeOpInterface>(op->getParentOp()) ||
        !op->getParentRegion()->hasOneBlock())
      return true;
  return false;
}

void mlir::memspace::recordPromises(const KernelContext &context,
                                    ArrayRef<NumberedForall> foralls) {
  FunctionOpInterface kernel = context.getKernel();
  AccessTable table(context);
  // The lanes of one subgroup promise nothing of those of another, unless the
  // forall over subgroups does.
  auto isOfLanes = [](const NumberedForall &entry) {
    std::optional<ForallMapping> mapping = getForallMapping(entry.forall);
    return mapping && mapping->lane;
  };
  SmallVector<NumberedForall> ordered(foralls);
  std::stable_partition(
      ordered.begin(), ordered.end(),
      [&](const NumberedForall &entry) { return !isOfLanes(entry); });
  DenseMap<Operation *, int64_t> subgroups;
  for (const NumberedForall &entry : ordered)
    if (entry.scope == ExecutionScope::Subgroup)
      subgroups[entry.forall] = entry.id;
  auto areSubgroupsApart = [&](Operation *access, scf::ForallOp lanes) {
    auto ids = access->getAttrOfType<DenseI64ArrayAttr>(kSubgroupDisjointAttr);
    if (!ids)
      return false;
    for (Operation *op = lanes->getParentOp(); op; op = op->getParentOp())
      if (auto outer = subgroups.find(op);
          outer != subgroups.end() &&
          llvm::is_contained(ids.asArrayRef(), outer->second))
        return true;
    return false;
  };
  for (const NumberedForall &entry : ordered) {
    StringRef name = getPromiseName(entry.scope);
    Operation *forall = entry.forall;
    bool isOfBlocks = entry.scope == ExecutionScope::Workgroup;
    if (name.empty() || (isOfBlocks && mayRepeat(forall)))
      continue;
    SmallPtrSet<const void *, 8> written;
    DenseMap<const void *, unsigned> inside;
    for (const Access &access : table.getAccesses(forall)) {
      written.insert(access.writes.set.begin(), access.writes.set.end());
      for (const void *root : access.getRoots().set)
        ++inside[root];
    }
    // A loop inside an iteration stays in one instance of the forall.
    forall->walk([&](LoopLikeOpInterface loop) {
      if (!isOfBlocks && !isa<scf::ForallOp>(loop.getOperation()))
        loop->setAttr(name,
                      DenseI64ArrayAttr::get(kernel->getContext(), {entry.id}));
    });
    // The promise is about the destinations of the forall. A buffer that only
    // the forall touches may be a temporary of one iteration whose allocation
    // was hoisted out, and another iteration may reuse it.
    // Where its threads exchange values inside, it promises nothing of what the
    // kernel allocates: they write there again what others have read.
    bool exchanges = forall->hasAttr(kCollectiveAttr);
    auto isDestination = [&](const void *root) {
      Operation *alloc = table.getInfo(root).alloc;
      if (alloc && exchanges)
        return false;
      return !alloc || (!forall->isAncestor(alloc) &&
                        table.countAccesses(root) > inside.lookup(root));
    };
    for (const Access &access : table.getAccesses(forall)) {
      Roots roots = access.getRoots();
      if (roots.unknown ||
          (isOfLanes(entry) && !areSubgroupsApart(access.op, entry.forall)))
        continue;
      bool promised = false, holds = true;
      for (const void *root : roots.set) {
        // What the kernel allocates each workgroup has for itself.
        bool isOwn = isOfBlocks && table.getInfo(root).alloc;
        if (!written.contains(root) || isOwn)
          continue;
        promised = true;
        holds &= isDestination(root);
      }
      if (promised && holds)
        access.op->setAttr(
            name, DenseI64ArrayAttr::get(kernel->getContext(), {entry.id}));
    }
  }
}
