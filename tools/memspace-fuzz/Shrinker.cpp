//===- Shrinker.cpp - the smallest kernel that still fails -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Shrinker.h"
#include "ShrinkCuts.h"
#include "SpmdGenerator.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Parser/Parser.h"
#include <chrono>

using namespace mlir;
using namespace mlir::memspace;
using fuzz::kSyncAttr;

static void eraseDeadOps(ModuleOp module) {
  bool hasChanged = true;
  while (hasChanged) {
    hasChanged = false;
    // From the end, so that what only a dead op uses is found dead, too.
    SmallVector<Operation *> ops;
    module.walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
    llvm::SmallPtrSet<Operation *, 16> gone;
    for (Operation *op : llvm::reverse(ops))
      if (!gone.contains(op) && isOpTriviallyDead(op)) {
        op->walk([&](Operation *inner) { gone.insert(inner); });
        op->erase();
        hasChanged = true;
      }
  }
}

/// One barrier that says what the kernel means is as good as two.
static void eraseDoubleBarriers(ModuleOp module) {
  module.walk([](Operation *op) {
    if (!op->hasAttr(kSyncAttr))
      return;
    Operation *before = op->getPrevNode();
    if (before && before->hasAttr(kSyncAttr))
      op->erase();
  });
}

static void clean(ModuleOp module) {
  eraseDeadOps(module);
  eraseDoubleBarriers(module);
}

static int64_t countOps(ModuleOp module) {
  int64_t count = 0;
  module.walk([&](Operation *) { ++count; });
  return count;
}

static Operation *getOp(ModuleOp module, int64_t position) {
  Operation *found = nullptr;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (position-- > 0)
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}

static std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << module;
  return text;
}

namespace {
class Search {
public:
  Search(ModuleOp module, int64_t seconds,
         llvm::function_ref<bool(ModuleOp)> stillFails)
      : best(module.clone()), stillFails(stillFails),
        end(std::chrono::steady_clock::now() + std::chrono::seconds(seconds)) {}

  void run() {
    bool hasChanged = true;
    while (hasChanged && !isOver()) {
      hasChanged = trySimplify();
      for (const fuzz::Cut &cut : fuzz::getRangeCuts())
        hasChanged |= tryRanges(cut);
      hasChanged |= tryCuts();
      hasChanged |= tryTexts();
    }
  }
  OwningOpRef<ModuleOp> best;

private:
  bool isOver() const { return std::chrono::steady_clock::now() > end; }
  /// Takes `candidate` for the best if it still fails.
  bool consider(OwningOpRef<ModuleOp> candidate);
  bool trySimplify();
  /// Many ops at once, in ranges that become smaller.
  bool tryRanges(const fuzz::Cut &cut);
  bool tryCuts();
  bool tryTexts();

  llvm::function_ref<bool(ModuleOp)> stillFails;
  std::chrono::steady_clock::time_point end;
};
} // namespace

bool Search::consider(OwningOpRef<ModuleOp> candidate) {
  if (failed(verify(*candidate)) || !stillFails(*candidate))
    return false;
  best = std::move(candidate);
  return true;
}

bool Search::trySimplify() {
  OwningOpRef<ModuleOp> candidate(best->clone());
  // What changes nothing must not go on for ever.
  return fuzz::simplify(*candidate) && countOps(*candidate) < countOps(*best) &&
         consider(std::move(candidate));
}

bool Search::tryRanges(const fuzz::Cut &cut) {
  bool hasChanged = false;
  for (int64_t size = countOps(*best) / 2; size > 1; size /= 2) {
    for (int64_t end = countOps(*best); end > 0 && !isOver(); end -= size) {
      OwningOpRef<ModuleOp> candidate(best->clone());
      SmallVector<Operation *> ops;
      candidate->walk<WalkOrder::PreOrder>(
          [&](Operation *op) { ops.push_back(op); });
      if (end > int64_t(ops.size()))
        continue;
      bool applies = false;
      // Users first, and what is in an op before it.
      for (int64_t i = end - 1; i >= std::max<int64_t>(end - size, 0); --i)
        if (!ops[i]->hasAttr(kSyncAttr))
          applies |= cut.apply(ops[i], 0);
      if (!applies)
        continue;
      clean(*candidate);
      hasChanged |= consider(std::move(candidate));
    }
  }
  return hasChanged;
}

bool Search::tryCuts() {
  bool hasChanged = false;
  // From the end: what comes last is what the rest is there for.
  for (int64_t position = countOps(*best) - 1; position >= 0; --position) {
    for (const fuzz::Cut &cut : fuzz::getCuts()) {
      for (unsigned way = 0; !isOver(); ++way) {
        Operation *op = getOp(*best, position);
        // Without its barriers the kernel says nothing.
        if (!op || op->hasAttr(kSyncAttr) || way >= cut.count(op))
          break;
        OwningOpRef<ModuleOp> candidate(best->clone());
        if (!cut.apply(getOp(*candidate, position), way))
          continue;
        clean(*candidate);
        hasChanged |= consider(std::move(candidate));
      }
    }
  }
  return hasChanged;
}

bool Search::tryTexts() {
  bool hasChanged = false, isNew = true;
  while (isNew && !isOver()) {
    isNew = false;
    for (const std::string &text : fuzz::getSmallerTexts(print(*best))) {
      if (isOver())
        break;
      OwningOpRef<ModuleOp> candidate =
          parseSourceString<ModuleOp>(text, best->getContext());
      if (candidate && consider(std::move(candidate))) {
        isNew = hasChanged = true;
        break;
      }
    }
  }
  return hasChanged;
}

OwningOpRef<ModuleOp>
fuzz::shrink(ModuleOp module, int64_t seconds,
             llvm::function_ref<bool(ModuleOp)> stillFails) {
  ScopedDiagnosticHandler ignore(module.getContext(),
                                 [](Diagnostic &) { return success(); });
  Search search(module, seconds, stillFails);
  search.run();
  return std::move(search.best);
}
