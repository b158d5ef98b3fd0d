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
  switch (rng.below(5)) {
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
  line("}");
  here.isDivergent = wasDivergent;
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
    line("}");
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

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

void SpmdGenerator::onlyFirstIteration() {
  if (here.isDivergent || here.iterations.empty() || here.loopBuffers == 0)
    return;
  unsigned number = rng.below(here.loopBuffers);
  SpmdBuffer buffer = buffers[number];
  if (isLocked(number) || !buffer.choices.empty() || buffer.size() < threads)
    return;
  std::string first = define("arith.cmpi eq, " + Twine(here.iterations.back()) +
                             ", " + indexConstant(0) + " : index");
  if (rng.chance(50)) {
    line("scf.if " + Twine(first) + " {");
    region([&] { cover(number); });
    line("}");
    return;
  }
  // The same by branches between blocks.
  std::string write = "^write" + std::to_string(nextName++);
  std::string done = "^done" + std::to_string(nextName++);
  line("scf.execute_region {");
  line("  cf.cond_br " + Twine(first) + ", " + write + ", " + done);
  line(write + ":");
  region([&] {
    IndexPattern pattern{IndexPattern::Same};
    std::string stored = value(buffer.kind);
    auto [where, type] = place(buffer, thread);
    line("memref.store " + Twine(stored) + ", " + where + " : " + type);
    line("cf.br " + done);
    markWritten(number, pattern);
  });
  line(done + ":");
  line("  scf.yield");
  line("}");
}

void SpmdGenerator::readAhead() {
  if (here.isDivergent || here.iterations.empty() || here.loopBuffers == 0)
    return;
  unsigned number = rng.below(here.loopBuffers);
  SpmdBuffer buffer = buffers[number];
  if (isLocked(number) || !buffer.choices.empty() || buffer.size() <= threads)
    return;
  std::string j = fresh(), begin = indexConstant(0),
              end = indexConstant(buffer.size() / threads),
              step = indexConstant(1);
  std::string isLater =
      define("arith.cmpi ne, " + Twine(here.iterations.back()) + ", " +
             indexConstant(0) + " : index");
  line("scf.for " + Twine(j) + " = " + begin + " to " + end + " step " + step +
       " {");
  region([&] {
    std::string base = arith("muli", j, indexConstant(threads));
    std::string index = arith("addi", base, thread);
    std::string stored = value(buffer.kind);
    auto [where, type] = place(buffer, index);
    line("memref.store " + Twine(stored) + ", " + where + " : " + type);
    line("scf.if " + Twine(isLater) + " {");
    region([&] {
      std::string next = arith("addi", index, indexConstant(threads));
      next = arith("remui", next, indexConstant(buffer.size()));
      auto [ahead, aheadType] = place(buffer, next);
      std::string loaded =
          define("memref.load " + Twine(ahead) + " : " + aheadType);
      sink({loaded, buffer.kind});
    });
    line("}");
  });
  line("}");
  markAll(number);
}

void SpmdGenerator::carried(StringRef iteration, Body body) {
  std::optional<unsigned> number;
  if (rng.chance(50) && !here.isDivergent)
    number = pickBuffer();
  size_t numBuffers = buffers.size();
  if (number) {
    std::string isLater = define("arith.cmpi ne, " + Twine(iteration) + ", " +
                                 indexConstant(0) + " : index");
    auto before = saveWritten();
    line("scf.if " + Twine(isLater) + " {");
    region([&] {
      buffers[*number].written.set();
      loadElement(*number);
    });
    line("}");
    restoreWritten(before);
  }
  body();
  if (number && *number < numBuffers)
    cover(*number);
}

void SpmdGenerator::forLoop() {
  static constexpr int tripWeights[] = {5, 10, 25, 20};
  bool isKnown = rng.chance(60);
  int64_t trips = isKnown ? rng.pickWeighted(tripWeights) : 0;
  std::string end = isKnown ? indexConstant(trips) : "%trips";
  bool isUnsigned = rng.chance(10);
  // The largest number there is: no iteration.
  int64_t from = isUnsigned && isKnown && rng.chance(50) ? -1 : 0;
  if (from < 0)
    trips = 0;
  std::string begin = indexConstant(from), step = indexConstant(1);
  std::optional<std::pair<unsigned, unsigned>> swapped;
  if (rng.chance(30) && !here.isDivergent)
    swapped = pickAlike();
  auto before = saveWritten();
  std::string j = fresh(), left, right, result, type, shape;
  std::string head = (isUnsigned ? "scf.for unsigned " : "scf.for ") + j +
                     " = " + begin + " to " + end + " step " + step;
  if (swapped) {
    left = fresh();
    right = fresh();
    result = fresh();
    type = buffers[swapped->first].type();
    head = result + ":2 = " + head + " iter_args(" + left + " = " +
           buffers[swapped->first].name + ", " + right + " = " +
           buffers[swapped->second].name + ") -> (" + type + ", " + type + ")";
  }
  line(head + " {");
  region([&] {
    here.iterations.push_back(j);
    here.loopBuffers = before.size();
    if (swapped)
      for (const std::string &name : {left, right}) {
        SmallVector<int64_t, 2> of = buffers[swapped->first].shape;
        unsigned number = addBuffer(name, buffers[swapped->first].kind, of);
        buffers[number].choices = {swapped->first, swapped->second};
      }
    carried(j, [&] { actions(rng.between(1, 5)); });
    if (swapped)
      line("scf.yield " + right + ", " + left + " : " + type + ", " + type);
  });
  line("}");
  if (!isKnown || trips == 0)
    restoreWritten(before);
  if (swapped && rng.chance(60)) {
    SmallVector<int64_t, 2> of = buffers[swapped->first].shape;
    unsigned number = addBuffer(result + "#" + std::to_string(rng.below(2)),
                                buffers[swapped->first].kind, of);
    buffers[number].choices = {swapped->first, swapped->second};
  }
}

void SpmdGenerator::whileLoop() {
  std::string begin = indexConstant(0), one = indexConstant(1);
  std::string end = rng.chance(50) ? "%trips" : indexConstant(rng.below(4));
  std::optional<std::pair<unsigned, unsigned>> swapped;
  if (rng.chance(30) && !here.isDivergent)
    swapped = pickAlike();
  unsigned numOutside = buffers.size();
  // The arguments of a region, with their types.
  auto enter = [&](const std::string &iteration, StringRef left,
                   StringRef right) {
    here.iterations.push_back(iteration);
    here.loopBuffers = numOutside;
    if (!swapped)
      return;
    for (StringRef name : {left, right}) {
      SmallVector<int64_t, 2> of = buffers[swapped->first].shape;
      unsigned number = addBuffer(name.str(), buffers[swapped->first].kind, of);
      buffers[number].choices = {swapped->first, swapped->second};
    }
  };
  std::string i = fresh(), j = fresh(), left = fresh(), right = fresh(),
              doLeft = fresh(), doRight = fresh();
  std::string types = "index", inits = i + " = " + begin, passed = i,
              arguments = j + ": index", results;
  if (swapped) {
    std::string type = buffers[swapped->first].type();
    types += ", " + type + ", " + type;
    inits += ", " + left + " = " + buffers[swapped->first].name + ", " + right +
             " = " + buffers[swapped->second].name;
    passed += ", " + left + ", " + right;
    arguments += ", " + doLeft + ": " + type + ", " + doRight + ": " + type;
    results = ", " + doRight + ", " + doLeft;
  }
  line("scf.while (" + inits + ") : (" + types + ") -> (" + types + ") {");
  // The condition is computed at least once; what it makes known holds in the
  // body, too.
  region([&] {
    enter(i, left, right);
    if (rng.chance(70))
      carried(i, [&] { actions(rng.between(1, 3)); });
    std::string goesOn =
        define("arith.cmpi ult, " + Twine(i) + ", " + end + " : index");
    line("scf.condition(" + Twine(goesOn) + ") " + passed + " : " + types);
  });
  auto before = saveWritten();
  line("} do {");
  line("^bb0(" + arguments + "):");
  region([&] {
    enter(j, doLeft, doRight);
    carried(j, [&] { actions(rng.between(1, 4)); });
    std::string next = arith("addi", j, one);
    line("scf.yield " + Twine(next) + results + " : " + types);
  });
  line("}");
  restoreWritten(before);
}
