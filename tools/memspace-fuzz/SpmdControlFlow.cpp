//===- SpmdControlFlow.cpp - branches and loops of random kernels -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SpmdGenerator.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::memspace::fuzz;

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

std::vector<llvm::BitVector> SpmdGenerator::saveWritten() const {
  std::vector<llvm::BitVector> saved;
  for (const SpmdBuffer &buffer : buffers)
    saved.push_back(buffer.written);
  return saved;
}

void SpmdGenerator::restoreWritten(const std::vector<llvm::BitVector> &saved) {
  for (auto [buffer, written] : llvm::zip(buffers, saved))
    buffer.written = written;
}

void SpmdGenerator::intersectWritten(
    const std::vector<llvm::BitVector> &other) {
  for (auto [buffer, written] : llvm::zip(buffers, other))
    buffer.written &= written;
}

void SpmdGenerator::region(Body body) {
  Context outside = here;
  size_t numBuffers = buffers.size();
  ++indent;
  ++here.depth;
  body();
  --indent;
  buffers.resize(numBuffers, buffers.front());
  std::map<unsigned, DivergentUse> uses = std::move(here.uses);
  here = std::move(outside);
  // How the threads inside use buffers matters to the others around.
  if (here.isDivergent)
    for (auto &[root, use] : uses)
      if (root < numBuffers)
        here.uses[root] = use;
}

void SpmdGenerator::divergentRegion(std::optional<llvm::BitVector> holds,
                                    bool isAlone, Body body) {
  region([&] {
    here.isAlone |= isAlone;
    here.isDivergent = true;
    if (holds) {
      here.may &= *holds;
      here.must &= *holds;
    } else {
      here.must.reset();
    }
    body();
  });
}

void SpmdGenerator::guardByThread(int64_t below, Body body) {
  std::string condition = define("arith.cmpi ult, " + Twine(thread) + ", " +
                                 indexConstant(below) + " : index");
  llvm::BitVector holds(threads);
  holds.set(0, below);
  line("scf.if " + Twine(condition) + " {");
  divergentRegion(holds, /*isAlone=*/false, body);
  line("}");
}

void SpmdGenerator::oneThread(Body body) {
  int64_t number = rng.chance(70) ? 0 : rng.below(threads);
  std::string condition = define("arith.cmpi eq, " + Twine(thread) + ", " +
                                 indexConstant(number) + " : index");
  llvm::BitVector holds(threads);
  holds.set(number);
  line("scf.if " + Twine(condition) + " {");
  divergentRegion(holds, /*isAlone=*/!here.isDivergent, body);
  line("}");
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

std::string SpmdGenerator::loadedCondition() {
  if (here.isDivergent)
    return "";
  for (unsigned number = 0; number < buffers.size(); ++number) {
    const SpmdBuffer buffer = buffers[number];
    if (isLocked(number) || buffer.kind != I32 || !getWritten(number).all() ||
        !rng.chance(50))
      continue;
    std::string index = indexConstant(rng.below(buffer.size()));
    auto [where, type] = place(buffer, index);
    std::string loaded = define("memref.load " + Twine(where) + " : " + type);
    return define("arith.cmpi sgt, " + Twine(loaded) + ", " + constant(I32) +
                  " : i32");
  }
  return "";
}

std::string SpmdGenerator::uniformCondition() {
  if (rng.chance(15))
    if (std::string condition = loadedCondition(); !condition.empty())
      return condition;
  if (!here.iterations.empty() && rng.chance(40))
    return define(std::string("arith.cmpi ") + (rng.chance(50) ? "eq" : "ne") +
                  ", " + rng.pick(here.iterations) + ", " +
                  indexConstant(rng.below(2)) + " : index");
  if (rng.chance(25)) {
    static constexpr StringRef predicates[] = {"eq", "ne", "ult", "uge"};
    std::string value = uniformIndex();
    return define("arith.cmpi " + Twine(rng.pick(predicates)) + ", " + value +
                  ", " + indexConstant(rng.below(4)) + " : index");
  }
  return rng.chance(50) ? "%flag0" : "%flag1";
}

void SpmdGenerator::uniformIf() {
  std::string condition = uniformCondition();
  auto before = saveWritten();
  // What was written under this condition is written here.
  for (SpmdBuffer &buffer : buffers)
    if (auto it = buffer.writtenUnder.find(condition);
        it != buffer.writtenUnder.end())
      buffer.written |= it->second;
  line("scf.if " + Twine(condition) + " {");
  region([&] { actions(rng.between(1, 4)); });
  auto then = saveWritten();
  for (auto [buffer, written] : llvm::zip(buffers, then))
    if (here.depth == 0 && StringRef(condition).starts_with("%flag"))
      buffer.writtenUnder[condition] = written;
  restoreWritten(before);
  if (rng.chance(50)) {
    line("} else {");
    region([&] { actions(rng.between(1, 4)); });
    intersectWritten(then);
    line("}");
    return;
  }
  line("}");
}

void SpmdGenerator::divergentIf() {
  std::optional<llvm::BitVector> holds(threads);
  std::string condition;
  switch (rng.below(7)) {
  case 6: {
    // Some of each subgroup, whose size the chip says.
    holds.reset();
    condition = define("arith.cmpi ult, " + Twine(define("gpu.lane_id")) +
                       ", " + indexConstant(rng.between(1, 31)) + " : index");
    break;
  }
  case 5: {
    // As many as nobody knows.
    holds.reset();
    std::string below =
        arith("remui", uniformIndex(), indexConstant(threads + 1));
    condition =
        define("arith.cmpi ult, " + Twine(thread) + ", " + below + " : index");
    break;
  }
  case 4: {
    // Whole subgroups of 32.
    int64_t group = rng.below(std::max<int64_t>(threads / 32, 1));
    holds->set(32 * group, std::min(32 * group + 32, threads));
    std::string of = arith("divui", thread, indexConstant(32));
    condition = define("arith.cmpi eq, " + Twine(of) + ", " +
                       indexConstant(group) + " : index");
    break;
  }
  case 0: {
    int64_t below = rng.between(1, threads - 1);
    holds->set(0, below);
    condition = define("arith.cmpi ult, " + Twine(thread) + ", " +
                       indexConstant(below) + " : index");
    break;
  }
  case 1: {
    int64_t number = rng.below(threads);
    holds->set(number);
    condition = define("arith.cmpi eq, " + Twine(thread) + ", " +
                       indexConstant(number) + " : index");
    break;
  }
  case 2: {
    for (int64_t t = 0; t < threads; t += 2)
      holds->set(t);
    std::string bit = arith("andi", thread, indexConstant(1));
    condition = define("arith.cmpi eq, " + Twine(bit) + ", " +
                       indexConstant(0) + " : index");
    break;
  }
  default: {
    holds.reset();
    std::string by = value(I32);
    condition = define("arith.cmpi sgt, " + Twine(by) + ", " + constant(I32) +
                       " : i32");
    break;
  }
  }
  bool wasDivergent = here.isDivergent;
  bool isAlone = !wasDivergent && holds && holds->count() == 1;
  std::map<unsigned, DivergentUse> uses = here.uses;
  // No barrier stands between the branches.
  here.isDivergent = true;
  line("scf.if " + Twine(condition) + " {");
  divergentRegion(holds, isAlone, [&] { actions(rng.between(1, 3)); });
  if (!isAlone && rng.chance(40)) {
    line("} else {");
    if (holds)
      holds->flip();
    divergentRegion(holds, /*isAlone=*/false,
                    [&] { actions(rng.between(1, 3)); });
  }
  here.isDivergent = wasDivergent;
  line("}");
  if (!wasDivergent)
    here.uses = uses;
}

/// Two buffers that one value may name.
std::optional<std::pair<unsigned, unsigned>> SpmdGenerator::pickAlike() {
  for (int attempt = 0; attempt < 6; ++attempt) {
    unsigned a = rng.below(buffers.size()), b = rng.below(buffers.size());
    if (a == b || buffers[a].type() != buffers[b].type() || isLocked(a) ||
        isLocked(b))
      continue;
    bool isDistinct = llvm::none_of(getRoots(a), [&](unsigned root) {
      return llvm::is_contained(getRoots(b), root);
    });
    if (isDistinct)
      return std::make_pair(a, b);
  }
  return std::nullopt;
}

void SpmdGenerator::choose() {
  std::optional<std::pair<unsigned, unsigned>> pair = pickAlike();
  if (!pair)
    return;
  auto [a, b] = *pair;
  std::string type = buffers[a].type(), condition = uniformCondition();
  if (here.isDivergent)
    condition = rng.chance(50) ? "%flag0" : "%flag1";
  std::string chosen = fresh();
  if (rng.chance(60)) {
    line(chosen + " = arith.select " + condition + ", " + buffers[a].name +
         ", " + buffers[b].name + " : " + type);
  } else {
    line(chosen + " = scf.if " + condition + " -> (" + type + ") {");
    line("  scf.yield " + buffers[a].name + " : " + type);
    line("} else {");
    line("  scf.yield " + buffers[b].name + " : " + type);
    line("}");
  }
  SmallVector<int64_t, 2> shape = buffers[a].shape;
  unsigned number = addBuffer(chosen, buffers[a].kind, shape);
  buffers[number].choices = {a, b};
}

/// A buffer that comes out of the branch that allocates it.
void SpmdGenerator::allocateInBranches() {
  Kind kind = pickKind();
  SmallVector<int64_t, 2> shape = pickShape(threads);
  SpmdBuffer model{"", kind, shape, llvm::BitVector(threads), {}, {}, false};
  bool isDivergent = here.isDivergent || rng.chance(30);
  std::string condition =
      isDivergent ? define("arith.cmpi ult, " + Twine(thread) + ", " +
                           indexConstant(threads / 2) + " : index")
                  : uniformCondition();
  std::string result = fresh();
  line(result + " = scf.if " + condition + " -> (" + model.type() + ") {");
  auto branch = [&] {
    region([&] {
      here.isDivergent |= isDivergent;
      std::string name = define("memref.alloc() : " + Twine(model.type()));
      std::string stored = value(kind);
      auto [where, type] =
          place({name, kind, shape, model.written, {}, {}, false}, thread);
      line("memref.store " + Twine(stored) + ", " + where + " : " + type);
      line("scf.yield " + Twine(name) + " : " + model.type());
    });
  };
  branch();
  line("} else {");
  branch();
  line("}");
  if (isDivergent) {
    // Each thread has the half of it that it has written.
    auto emitLoad = [&] {
      model.name = result;
      auto [where, type] = place(model, thread);
      std::string loaded = define("memref.load " + Twine(where) + " : " + type);
      here.scalars.push_back({loaded, kind});
      sink({loaded, kind});
    };
    if (here.isDivergent)
      return emitLoad();
    actions(rng.below(4));
    return emitLoad();
  }
  unsigned number = addBuffer(result, kind, shape);
  buffers[number].written.set();
}

void SpmdGenerator::indexSwitch() {
  std::string selector =
      rng.chance(50) || here.iterations.empty() ? "%n" : here.iterations.back();
  auto before = saveWritten();
  line("scf.index_switch " + selector);
  int64_t cases = rng.between(1, 3);
  std::vector<llvm::BitVector> common;
  for (int64_t i = 0; i <= cases; ++i) {
    restoreWritten(before);
    if (i < cases)
      line("case " + Twine(i * rng.between(1, 2) + i) + " {");
    else
      line("default {");
    region([&] {
      actions(rng.between(1, 3));
      line("scf.yield");
    });
    line(i < cases ? " }" : "}");
    if (i > 0)
      intersectWritten(common);
    common = saveWritten();
  }
}

void SpmdGenerator::executeRegion() {
  line("scf.execute_region {");
  region([&] {
    actions(rng.between(1, 3));
    line("scf.yield");
  });
  line("}");
}
