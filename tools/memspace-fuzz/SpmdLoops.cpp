//===- SpmdLoops.cpp - loops of random kernels on memrefs -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SpmdGenerator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir::memspace::fuzz;

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

void SpmdGenerator::carriedOver(StringRef iteration, Body body) {
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

//===----------------------------------------------------------------------===//
// What loops carry
//===----------------------------------------------------------------------===//

static std::string list(ArrayRef<std::string> items) {
  return llvm::join(items, ", ");
}

std::string SpmdGenerator::Carried::pass(ArrayRef<std::string> from) const {
  SmallVector<std::string> to;
  for (unsigned place : next)
    to.push_back(from[place]);
  return list(to);
}

std::string SpmdGenerator::Carried::types() const {
  return list(SmallVector<std::string>(buffers.size(), type));
}

SpmdGenerator::Carried SpmdGenerator::pickCarried() {
  Carried carried;
  if (here.isDivergent || !rng.chance(45))
    return carried;
  std::optional<std::pair<unsigned, unsigned>> pair = pickAlike();
  if (!pair)
    return carried;
  carried.type = buffers[pair->first].type();
  SmallVector<unsigned> alike;
  for (unsigned number = 0; number < buffers.size(); ++number)
    if (buffers[number].type() == carried.type && !isLocked(number))
      alike.push_back(number);
  carried.buffers = {pair->first, pair->second};
  // Inner loops carry what outer loops carry, so that some buffers are the
  // same.
  for (int64_t more = rng.below(3); more > 0; --more)
    carried.buffers.push_back(rng.pick(alike));
  unsigned count = carried.buffers.size();
  unsigned by = rng.between(0, count - 1);
  bool isRotated = rng.chance(50);
  for (unsigned i = 0; i < count; ++i)
    carried.next.push_back(isRotated ? (i + by) % count : i);
  if (!isRotated)
    std::swap(carried.next[rng.below(count)], carried.next[rng.below(count)]);
  if (rng.chance(10))
    carried.next[rng.below(count)] = rng.below(count);
  return carried;
}

SmallVector<std::string> SpmdGenerator::makeNames(const Carried &carried) {
  SmallVector<std::string> names;
  for (size_t i = 0; i < carried.buffers.size(); ++i)
    names.push_back(fresh());
  return names;
}

void SpmdGenerator::addChoices(const Carried &carried,
                               ArrayRef<std::string> names) {
  for (const std::string &name : names) {
    const SpmdBuffer &like = buffers[carried.buffers.front()];
    SmallVector<int64_t, 2> shape = like.shape;
    unsigned number = addBuffer(name, like.kind, shape);
    buffers[number].choices.assign(carried.buffers.begin(),
                                   carried.buffers.end());
  }
}

std::optional<SpmdGenerator::Slot> SpmdGenerator::pickSlot() {
  if (!rng.chance(35))
    return std::nullopt;
  Slot slot;
  slot.step = Slot::Step(rng.below(8));
  slot.end = rng.between(2, 5);
  slot.first = rng.below(slot.end);
  if (slot.step == Slot::Halve)
    slot.first = int64_t(1) << rng.between(1, 6);
  else if (slot.step == Slot::Double)
    slot.first = 1;
  return slot;
}

std::string SpmdGenerator::advance(const Slot &slot, StringRef number,
                                   StringRef iteration) {
  std::string one = indexConstant(1), end = indexConstant(slot.end);
  switch (slot.step) {
  case Slot::Flip:
    return arith("xori", number, indexConstant(slot.end));
  case Slot::Halve:
    return arith("shrui", number, one);
  case Slot::Double:
    return arith("remui", arith("muli", number, indexConstant(2)),
                 indexConstant(slot.end * 2 + 1));
  case Slot::Triangle:
    return arith("addi", number, iteration);
  case Slot::Rem:
    return arith("remui", arith("addi", number, one), end);
  case Slot::Narrow: {
    std::string narrow =
        define("arith.index_cast " + Twine(number) + " : index to i32");
    std::string step = define("arith.constant 1 : i32");
    std::string mask = define("arith.constant 3 : i32");
    std::string sum =
        define("arith.addi " + Twine(narrow) + ", " + step + " : i32");
    std::string low =
        define("arith.andi " + Twine(sum) + ", " + mask + " : i32");
    return define("arith.index_cast " + Twine(low) + " : i32 to index");
  }
  case Slot::Select:
  case Slot::If: {
    std::string next = arith("addi", number, one), zero = indexConstant(0);
    std::string wraps =
        define("arith.cmpi uge, " + Twine(next) + ", " + end + " : index");
    if (slot.step == Slot::Select)
      return define("arith.select " + Twine(wraps) + ", " + zero + ", " + next +
                    " : index");
    std::string result = fresh();
    line(Twine(result) + " = scf.if " + wraps + " -> (index) {");
    line("  scf.yield " + Twine(zero) + " : index");
    line("} else {");
    line("  scf.yield " + Twine(next) + " : index");
    line("}");
    return result;
  }
  }
  llvm_unreachable("all steps are covered");
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

void SpmdGenerator::forLoop() {
  static constexpr int tripWeights[] = {5, 10, 25, 20};
  bool isKnown = rng.chance(60);
  int64_t trips = isKnown ? rng.pickWeighted(tripWeights) : 0;
  std::string end = "%trips";
  if (isKnown)
    end = indexConstant(trips);
  else if (rng.chance(30))
    end = arith("andi", uniformIndex(), indexConstant(3));
  bool isUnsigned = rng.chance(10);
  // The largest number there is: no iteration.
  int64_t from = isUnsigned && isKnown && rng.chance(50) ? -1 : 0;
  if (from < 0)
    trips = 0;
  // From each thread's own number, in steps of the number of threads.
  bool isStrided = !isUnsigned && !here.isDivergent && rng.chance(20);
  std::string begin = isStrided ? thread : indexConstant(from);
  std::string step = indexConstant(isStrided ? threads : 1);
  if (isStrided)
    end = arith("muli", end, step);
  Carried carried = pickCarried();
  auto before = saveWritten();
  std::string j = fresh(), result = fresh(), walk = fresh();
  std::string head = (isUnsigned ? "scf.for unsigned " : "scf.for ") + j +
                     " = " + begin + " to " + end + " step " + step;
  SmallVector<std::string> names = makeNames(carried);
  std::optional<Slot> slot = pickSlot();
  std::string number = fresh();
  int64_t walkStep = rng.chance(20) ? rng.between(1, 3) : 0;
  SmallVector<std::string> bindings, types;
  for (auto [name, buffer] : llvm::zip(names, carried.buffers)) {
    bindings.push_back(name + " = " + buffers[buffer].name);
    types.push_back(carried.type);
  }
  if (slot) {
    bindings.push_back(number + " = " + indexConstant(slot->first));
    types.push_back("index");
  }
  if (walkStep) {
    bindings.push_back(walk + " = " + thread);
    types.push_back("index");
  }
  if (!types.empty())
    head = result + ":" + std::to_string(types.size()) + " = " + head +
           " iter_args(" + list(bindings) + ") -> (" + list(types) + ")";
  line(head + " {");
  region([&] {
    if (isStrided)
      j = arith("divui", j, step);
    here.iterations.push_back(j);
    here.loopBuffers = before.size();
    addChoices(carried, names);
    if (slot)
      here.slots.push_back(number);
    if (walkStep)
      here.walks.push_back({walk, j, walkStep});
    carriedOver(j, [&] { actions(rng.between(1, 5)); });
    SmallVector<std::string> yielded;
    if (carried)
      yielded.push_back(carried.pass(names));
    if (slot)
      yielded.push_back(advance(*slot, number, j));
    if (walkStep)
      yielded.push_back(arith("addi", walk, indexConstant(walkStep)));
    if (!yielded.empty())
      line("scf.yield " + list(yielded) + " : " + list(types));
  });
  line("}");
  if (!isKnown || trips == 0)
    restoreWritten(before);
  // What it was at the end.
  if (slot && rng.chance(50))
    here.slots.push_back(result + "#" + std::to_string(names.size()));
  if (carried && rng.chance(60))
    addChoices(carried, result + "#" + std::to_string(rng.below(names.size())));
}

void SpmdGenerator::whileLoop() {
  // From each thread's own number, in steps of the number of threads.
  bool isStrided = !here.isDivergent && rng.chance(25);
  std::string begin = isStrided ? thread : indexConstant(0);
  std::string step = indexConstant(isStrided ? threads : 1);
  std::string end = rng.chance(50) ? "%trips" : indexConstant(rng.below(4));
  if (isStrided)
    end = arith("muli", end, step);
  auto getIteration = [&](const std::string &counter) {
    return isStrided ? arith("divui", counter, step) : counter;
  };
  Carried carried = pickCarried();
  unsigned numOutside = buffers.size();
  // The arguments of a region, with their types.
  auto enter = [&](const std::string &iteration, ArrayRef<std::string> names) {
    here.iterations.push_back(iteration);
    here.loopBuffers = numOutside;
    addChoices(carried, names);
  };
  std::string i = fresh(), j = fresh();
  SmallVector<std::string> first = makeNames(carried),
                           second = makeNames(carried);
  std::string types = "index", inits = i + " = " + begin, passed = i,
              arguments = j + ": index", results;
  std::optional<Slot> slot = pickSlot();
  std::string number = fresh(), doNumber = fresh();
  if (slot) {
    types += ", index";
    inits += ", " + number + " = " + indexConstant(slot->first);
    passed += ", " + number;
    arguments += ", " + doNumber + ": index";
  }
  if (carried) {
    types += ", " + carried.types();
    passed += ", " + list(first);
    results = ", " + carried.pass(second);
    for (auto [name, doName, buffer] :
         llvm::zip(first, second, carried.buffers)) {
      inits += ", " + name + " = " + buffers[buffer].name;
      arguments += ", " + doName + ": " + carried.type;
    }
  }
  line("scf.while (" + inits + ") : (" + types + ") -> (" + types + ") {");
  // The condition is computed at least once; what it makes known holds in the
  // body, too.
  region([&] {
    std::string iteration = getIteration(i);
    enter(iteration, first);
    if (slot)
      here.slots.push_back(number);
    if (rng.chance(70))
      carriedOver(iteration, [&] { actions(rng.between(1, 3)); });
    std::string goesOn =
        define("arith.cmpi ult, " + Twine(i) + ", " + end + " : index");
    line("scf.condition(" + Twine(goesOn) + ") " + passed + " : " + types);
  });
  auto before = saveWritten();
  line("} do {");
  line("^bb0(" + arguments + "):");
  region([&] {
    std::string iteration = getIteration(j);
    enter(iteration, second);
    if (slot)
      here.slots.push_back(doNumber);
    carriedOver(iteration, [&] { actions(rng.between(1, 4)); });
    std::string next = arith("addi", j, step);
    if (slot)
      next += ", " + advance(*slot, doNumber, iteration);
    line("scf.yield " + Twine(next) + results + " : " + types);
  });
  line("}");
  restoreWritten(before);
}
