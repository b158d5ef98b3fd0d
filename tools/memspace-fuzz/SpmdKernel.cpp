//===- SpmdKernel.cpp - a random kernel on memrefs as a whole -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generator.h"
#include "SpmdGenerator.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::memspace::fuzz;

static constexpr Kind kinds[] = {F32, I32, F16, I8};

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

void SpmdGenerator::line(const Twine &added) {
  std::string statement = added.str();
  text += std::string(2 * indent, ' ') + statement + "\n";
  // Where all threads are, each touches memory after all have done what came
  // before. These barriers say what the kernel means; it has them no more when
  // it is compiled.
  StringRef op = statement;
  if (op.starts_with("%"))
    op = op.split(" = ").second;
  static constexpr StringRef touching[] = {
      "memref.store",      "memref.load", "memref.copy",
      "memref.atomic_rmw", "linalg.",     "vector.",
      "func.call",         "nvgpu.",      "}"};
  bool touches = llvm::any_of(touching, [&](StringRef prefix) {
    return prefix == "}" ? op == "}" : op.starts_with(prefix);
  });
  if (touches && !here.isDivergent)
    synchronize();
}

void SpmdGenerator::synchronize() {
  text += std::string(2 * indent, ' ') + kSyncBarrier.str() + "\n";
}

std::string SpmdGenerator::define(const Twine &op) {
  std::string name = fresh();
  line(name + " = " + op);
  return name;
}

std::string SpmdGenerator::indexConstant(int64_t value) {
  return define("arith.constant " + Twine(value) + " : index");
}

std::string SpmdGenerator::arith(StringRef op, StringRef a, StringRef b) {
  return define("arith." + Twine(op) + " " + a + ", " + b + " : index");
}

//===----------------------------------------------------------------------===//
// Values. Floats stay in [-1, 1], so that nothing is a NaN.
//===----------------------------------------------------------------------===//

Kind SpmdGenerator::pickKind() {
  static constexpr int weights[] = {50, 25, 15, 10};
  return kinds[rng.pickWeighted(weights)];
}

std::string SpmdGenerator::constant(Kind kind) {
  std::string literal = std::to_string(rng.between(-9, 9));
  if (isFloat(kind))
    literal = std::to_string(0.125 * double(rng.between(-8, 8)));
  return define("arith.constant " + Twine(literal) + " : " + getName(kind));
}

std::string SpmdGenerator::convert(const Scalar &scalar, Kind kind) {
  if (scalar.kind == kind)
    return scalar.name;
  std::string from = getName(scalar.kind).str();
  std::string to = getName(kind).str();
  auto cast = [&](StringRef op, StringRef value, StringRef a, StringRef b) {
    return define("arith." + Twine(op) + " " + value + " : " + a + " to " + b);
  };
  if (isFloat(scalar.kind) && isFloat(kind))
    return cast(kind == F16 ? "truncf" : "extf", scalar.name, from, to);
  if (isFloat(scalar.kind)) {
    std::string wide = convert(scalar, F32);
    std::string bits = cast("bitcast", wide, "f32", "i32");
    std::string shift = define("arith.constant 13 : i32");
    bits = define("arith.shrui " + Twine(bits) + ", " + shift + " : i32");
    return convert({bits, I32}, kind);
  }
  if (isFloat(kind)) {
    std::string byte = convert(scalar, I8);
    std::string wide = cast("sitofp", byte, "i8", "f32");
    std::string factor = define("arith.constant 0.0078125 : f32");
    wide = define("arith.mulf " + Twine(wide) + ", " + factor + " : f32");
    return convert({wide, F32}, kind);
  }
  return cast(kind == I8 ? "trunci" : "extsi", scalar.name, from, to);
}

std::string SpmdGenerator::combine(Kind kind, StringRef a, StringRef b) {
  std::string type = getName(kind).str();
  auto apply = [&](StringRef op, StringRef x, StringRef y) {
    return define("arith." + Twine(op) + " " + x + ", " + y + " : " + type);
  };
  if (!isFloat(kind))
    return apply(rng.chance(50) ? "addi" : "xori", a, b);
  if (rng.chance(20))
    return apply("mulf", a, b);
  std::string sum = apply(rng.chance(50) ? "addf" : "subf", a, b);
  std::string half = define("arith.constant 0.5 : " + Twine(type));
  return apply("mulf", sum, half);
}

std::string SpmdGenerator::value(Kind kind) {
  if (rng.chance(5))
    return constant(kind);
  std::string type = getName(kind).str();
  std::string fresh;
  if (here.scalars.empty() || rng.chance(60)) {
    std::string from =
        "memref<" + std::to_string(2 * threads) + "x" + type + ">";
    std::string index = thread;
    if (rng.chance(20))
      index = arith("addi", thread,
                    arith("remui", uniformIndex(), indexConstant(threads + 1)));
    else if (rng.chance(70))
      index = arith("addi", thread, indexConstant(rng.below(threads + 1)));
    fresh =
        define("memref.load %in_" + Twine(type) + "[" + index + "] : " + from);
    if (here.scalars.empty() || rng.chance(40))
      return fresh;
  }
  // The newest ones are taken more often.
  size_t count = here.scalars.size();
  size_t number = rng.chance(60)
                      ? count - 1 - rng.below(std::min<size_t>(count, 3))
                      : rng.below(count);
  std::string old = convert(here.scalars[number], kind);
  return fresh.empty() ? old : combine(kind, fresh, old);
}

std::string SpmdGenerator::uniformIndex() {
  auto leaf = [&]() -> std::string {
    SmallVector<std::string> known = {"%n", "%trips", "%m_index"};
    if (!block.empty())
      known.append(3, block);
    known.append(here.iterations.begin(), here.iterations.end());
    known.append(here.iterations.begin(), here.iterations.end());
    for (const std::string &slot : here.slots)
      known.append(4, slot);
    return rng.pick(known);
  };
  std::string value = leaf();
  for (int64_t ops = rng.below(3); ops > 0; --ops) {
    static constexpr StringRef names[] = {"addi",  "addi",  "muli", "xori",
                                          "remui", "minui", "maxui"};
    StringRef op = rng.pick(names);
    std::string other = op == "remui" || rng.chance(50)
                            ? indexConstant(rng.between(1, 7))
                            : leaf();
    value = arith(op, value, other);
  }
  return value;
}

void SpmdGenerator::sink(const Scalar &scalar) {
  int64_t slot = outputSlots[scalar.kind]++;
  std::string type = getName(scalar.kind).str();
  std::string index = thread;
  if (!block.empty()) {
    // Each workgroup has a row, whose length is known when the kernel is
    // complete.
    std::string row = define("arith.constant !row_" + Twine(type) + " : index");
    index = arith("addi", index, arith("muli", block, row));
  }
  if (slot > 0)
    index = arith("addi", index, indexConstant(slot * threads));
  // The extent, too, is known then.
  std::string where = "%out_" + type + "[" + index + "] : !out_" + type;
  std::string old = define("memref.load " + Twine(where));
  std::string sum = combine(scalar.kind, old, scalar.name);
  line("memref.store " + Twine(sum) + ", " + where);
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

SmallVector<int64_t, 2> SpmdGenerator::pickShape(int64_t size) {
  if (rng.chance(25))
    return {size / 8, 8};
  return {size};
}

unsigned SpmdGenerator::addBuffer(std::string name, Kind kind,
                                  ArrayRef<int64_t> shape) {
  int64_t size = 1;
  for (int64_t extent : shape)
    size *= extent;
  buffers.push_back({std::move(name),
                     kind,
                     SmallVector<int64_t, 2>(shape),
                     llvm::BitVector(size),
                     {},
                     {},
                     false});
  return buffers.size() - 1;
}

unsigned SpmdGenerator::allocate(Kind kind) {
  static constexpr int weights[] = {60, 15, 20, 5};
  static constexpr int64_t halves[] = {2, 1, 4, 8};
  int64_t size = halves[rng.pickWeighted(weights)] * threads / 2;
  unsigned number = addBuffer(fresh(), kind, pickShape(size));
  std::string type = buffers[number].type();
  line(buffers[number].name + " = memref.alloc() : " + type);
  return number;
}

void SpmdGenerator::makeEntryBuffers() {
  int count = rng.between(2, 7);
  Kind common = pickKind();
  for (int i = 0; i < count; ++i) {
    Kind kind = rng.chance(60) ? common : pickKind();
    int way = rng.below(100);
    if (way < 12) {
      unsigned number = addBuffer(fresh(), kind, pickShape(threads));
      std::string symbol = "@global" + std::to_string(number) + suffix;
      std::string type = buffers[number].type();
      globals += "memref.global \"private\" " + symbol + " : " + type +
                 " = uninitialized\n";
      line(buffers[number].name + " = memref.get_global " + symbol + " : " +
           type);
    } else if (way < 22) {
      // Two buffers in the bytes of one.
      int64_t bytes = threads * 4;
      std::string type = "memref<" + std::to_string(2 * bytes) + "xi8, #wg>";
      std::string raw = define("memref.alloc() : " + Twine(type));
      for (int64_t half : {0, 1}) {
        std::string shift = indexConstant(half * bytes);
        unsigned number =
            addBuffer(fresh(), half ? F32 : I32, pickShape(threads));
        line(buffers[number].name + " = memref.view " + raw + "[" + shift +
             "][] : " + type + " to " + buffers[number].type());
        buffers[number].raw = raw;
        buffers[number].rawType = type;
        buffers[number].rawShift = half * bytes;
      }
    } else if (isGPUFunc && way < 60) {
      unsigned number = addBuffer(fresh(), kind, pickShape(threads));
      attributions += (attributions.empty() ? "" : ", ") +
                      buffers[number].name + " : " + buffers[number].type();
    } else {
      allocate(kind);
    }
  }
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

void SpmdGenerator::action() {
  if (budget-- <= 0)
    return;
  enum What {
    Store,
    Load,
    Cover,
    Vector,
    Sink,
    Allocate,
    Helper,
    OwnBuffer,
    Async,
    If,
    DivergentIf,
    For,
    While,
    Switch,
    Execute,
    Choose,
    BranchAllocate,
    OneThread,
    FirstIteration,
    ReadAhead,
    Barrier,
    AsyncTwice,
    Atomic,
    Raw
  };
  static constexpr int weights[] = {18, 34, 14, 4, 3, 5, 3, 1, 3, 7, 7, 11,
                                    4,  2,  1,  4, 2, 2, 3, 3, 1, 2, 3, 3};
  What what = What(rng.pickWeighted(weights));
  bool isNested = what == If || what == DivergentIf || what == For ||
                  what == While || what == Switch || what == Execute;
  if (isNested && here.depth >= 3)
    what = Load;
  std::optional<unsigned> number = pickBuffer();
  switch (what) {
  case Store:
    return number ? storeElement(*number) : void();
  case Load:
    return number ? loadElement(*number) : void();
  case Cover:
    return number ? cover(*number) : void();
  case Vector:
    return number ? loadVector(*number) : void();
  case Sink:
    return here.scalars.empty() ? void() : sink(rng.pick(here.scalars));
  case Allocate: {
    if (here.isDivergent)
      return;
    return cover(allocate(pickKind()));
  }
  case Helper:
    return number ? callHelper(*number) : void();
  case OwnBuffer:
    return callWithOwnBuffer();
  case Async:
    return copyAsync();
  case If:
    return uniformIf();
  case DivergentIf:
    return divergentIf();
  case For:
    return forLoop();
  case While:
    return whileLoop();
  case Switch:
    return indexSwitch();
  case Execute:
    return executeRegion();
  case Choose:
    return choose();
  case BranchAllocate:
    return allocateInBranches();
  case OneThread:
    if (here.isDivergent)
      return;
    return oneThread([&] { actions(rng.between(1, 3)); });
  case FirstIteration:
    return onlyFirstIteration();
  case ReadAhead:
    return readAhead();
  case AsyncTwice:
    return copyAsyncTwice();
  case Atomic:
    return number ? updateAtomically(*number) : void();
  case Raw:
    for (unsigned i = 0; i < buffers.size(); ++i)
      if (!buffers[i].raw.empty() && rng.chance(50))
        return loadRaw(i);
    return;
  case Barrier:
    return here.isDivergent ? void() : line("gpu.barrier");
  }
}

void SpmdGenerator::actions(int count) {
  for (int i = 0; i < count; ++i)
    action();
}

static void replaceAll(std::string &text, StringRef from, StringRef to) {
  for (size_t at = 0; (at = text.find(from.str(), at)) != std::string::npos;
       at += to.size())
    text.replace(at, from.size(), to.str());
}

/// The numbers of the thread and of the workgroup, and of what is not known.
void SpmdGenerator::makeThreadNumbers() {
  thread = define("gpu.thread_id x");
  if (blockY > 1) {
    std::string y = define("gpu.thread_id y");
    thread =
        rng.chance(50)
            ? define("affine.apply affine_map<(d0, d1) -> (d0 + d1 * " +
                     Twine(blockX) + ")>(" + thread + ", " + y + ")")
            : arith("addi", thread, arith("muli", y, indexConstant(blockX)));
  }
  if (grid > 1 || rng.chance(10))
    block = define("gpu.block_id x");
  line("%trips_mask = arith.constant 3 : index");
  line("%trips = arith.andi %n, %trips_mask : index");
  line("%m_index = arith.index_cast %m : i32 to index");
}

std::string SpmdGenerator::run() {
  static constexpr int64_t blocks[][2] = {{32, 1}, {64, 1}, {128, 1},
                                          {8, 8},  {32, 4}, {64, 2}};
  const auto &block = rng.pick(blocks);
  blockX = block[0];
  blockY = block[1];
  threads = blockX * blockY;
  here.may.resize(threads, true);
  here.must.resize(threads, true);
  isGridKnown = rng.chance(70);
  isGPUFunc = rng.chance(15);
  // Some kernels are short: what shrinks to few ops is found among them, too.
  budget = rng.chance(30) ? rng.between(5, 10) : rng.between(10, 28);

  makeThreadNumbers();
  makeEntryBuffers();
  while (budget > 0)
    action();
  // What the buffers hold in the end.
  budget = 4;
  for (int i = 0; i < 4; ++i)
    if (std::optional<unsigned> number = pickBuffer())
      loadElement(*number);

  std::string arguments = "%flag0: i1, %flag1: i1, %n: index, %m: i32";
  for (Kind kind : kinds) {
    std::string name = getName(kind).str();
    std::string extent = std::to_string(2 * threads) + "x" + name;
    int64_t row = std::max<int64_t>(outputSlots[kind], 1) * threads;
    std::string out = "memref<" + std::to_string(grid * row) + "x" + name + ">";
    arguments +=
        ", %in_" + name + ": memref<" + extent + ">, %out_" + name + ": " + out;
    replaceAll(text, "!out_" + name, out);
    replaceAll(text, "!row_" + name, std::to_string(row));
  }
  std::string attributes = "attributes {gpu.known_block_size = array<i32: " +
                           std::to_string(blockX) + ", " +
                           std::to_string(blockY) + ", 1>";
  if (isGridKnown)
    attributes += ", gpu.known_grid_size = array<i32: " + std::to_string(grid) +
                  ", 1, 1>";
  attributes += "} {\n";
  std::string result;
  if (isGPUFunc)
    result += "gpu.module @module" + suffix + " {\n";
  result += globals + functions;
  std::string name = "@kernel" + suffix;
  if (!isGPUFunc)
    return result + "func.func " + name + "(" + arguments + ")\n    " +
           attributes + text + "  return\n}\n";
  result += "gpu.func " + name + "(" + arguments + ")\n    ";
  if (!attributions.empty())
    result += "workgroup(" + attributions + ") ";
  return result + "kernel " + attributes + text + "  gpu.return\n}\n}\n";
}

GeneratedKernel mlir::memspace::fuzz::generateSpmd(uint64_t seed,
                                                   StringRef chip,
                                                   bool isBarriers) {
  Random rng(seed);
  GeneratedKernel kernel;
  kernel.options.isSpmd = true;
  kernel.options.isBarriers = isBarriers;
  kernel.options.chip = rng.chance(50) ? "gfx942" : "sm_90";
  if (!chip.empty())
    kernel.options.chip = chip.str();
  kernel.options.inputSeed = rng.next() >> 1;
  kernel.text = "#wg = #gpu.address_space<workgroup>\n";
  static constexpr int gridWeights[] = {60, 28, 12};
  kernel.options.grid = 1 + rng.pickWeighted(gridWeights);
  for (int64_t i = 0, count = rng.chance(4) ? 2 : 1; i < count; ++i)
    kernel.text += SpmdGenerator(rng, isBarriers, kernel.options.grid,
                                 i == 0 ? "" : std::to_string(i))
                       .run();
  return kernel;
}
