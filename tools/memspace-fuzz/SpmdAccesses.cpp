//===- SpmdAccesses.cpp - how random kernels touch buffers -===//
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
// Places
//===----------------------------------------------------------------------===//

std::string SpmdBuffer::type() const {
  std::string result = "memref<";
  for (int64_t extent : shape)
    result += std::to_string(extent) + "x";
  return result + getName(kind).str() + ", #wg>";
}

/// A one-dimensional memref of all elements.
std::string SpmdGenerator::flatten(const SpmdBuffer &buffer,
                                   std::string &type) {
  type = buffer.type();
  std::string kind = getName(buffer.kind).str();
  std::string size = std::to_string(buffer.size());
  if (buffer.shape.size() == 2 && rng.chance(70)) {
    std::string from = type;
    type = "memref<" + size + "x" + kind + ", #wg>";
    return define("memref.collapse_shape " + Twine(buffer.name) +
                  " [[0, 1]] : " + from + " into " + type);
  }
  if (buffer.shape.size() == 2 || rng.chance(8)) {
    std::string from = type;
    type = "memref<" + size + "x" + kind + ", strided<[1]>, #wg>";
    return define("memref.reinterpret_cast " + Twine(buffer.name) +
                  " to offset: [0], sizes: [" + size +
                  "], strides: [1] : " + from + " to " + type);
  }
  if (rng.chance(6)) {
    std::string from = type;
    type = "memref<?x" + kind + ", #wg>";
    return define("memref.cast " + Twine(buffer.name) + " : " + from + " to " +
                  type);
  }
  return buffer.name;
}

std::pair<std::string, std::string>
SpmdGenerator::place(const SpmdBuffer &buffer, StringRef index) {
  std::string kind = getName(buffer.kind).str();
  if (buffer.shape.size() == 2 && rng.chance(60)) {
    std::string columns = std::to_string(buffer.shape[1]);
    std::string row, column;
    if (rng.chance(60)) {
      row = define("affine.apply affine_map<(d0) -> (d0 floordiv " +
                   Twine(columns) + ")>(" + index + ")");
      column = define("affine.apply affine_map<(d0) -> (d0 mod " +
                      Twine(columns) + ")>(" + index + ")");
    } else {
      std::string by = indexConstant(buffer.shape[1]);
      row = arith("divui", index, by);
      column = arith("remui", index, by);
    }
    return {buffer.name + "[" + row + ", " + column + "]", buffer.type()};
  }
  std::string type;
  std::string flat = flatten(buffer, type);
  if (rng.chance(8) &&
      StringRef(type).starts_with("memref<" + std::to_string(buffer.size()) +
                                  "x" + kind + ", #wg>")) {
    std::string slice = "memref<1x" + kind + ", strided<[1], offset: ?>, #wg>";
    std::string view = define("memref.subview " + Twine(flat) + "[" + index +
                              "] [1] [1] : " + type + " to " + slice);
    return {view + "[" + indexConstant(0) + "]", slice};
  }
  return {flat + "[" + index.str() + "]", type};
}

//===----------------------------------------------------------------------===//
// Single elements
//===----------------------------------------------------------------------===//

/// One element of the buffer for each thread. Where only some threads come
/// along, each stays with the element that it has had there.
std::optional<IndexPattern> SpmdGenerator::pickElement(unsigned number,
                                                       bool isInjective) {
  std::optional<IndexPattern> pattern;
  if (here.isDivergent)
    for (unsigned root : getRoots(number))
      if (auto it = here.uses.find(root); it != here.uses.end())
        pattern = it->second.pattern;
  return pattern ? pattern : pickPattern(buffers[number].size(), isInjective);
}

void SpmdGenerator::storeElement(unsigned number) {
  int64_t size = buffers[number].size();
  if (!here.isDivergent && size < threads)
    return guardByThread(size, [&] { storeElement(number); });
  std::optional<IndexPattern> pattern =
      pickElement(number, /*isInjective=*/true);
  if (!pattern || !mayUse(number, true, *pattern))
    return;
  noteUse(number, true, *pattern);
  std::string index = emit(*pattern, size);
  std::string stored = value(buffers[number].kind);
  auto [where, type] = place(buffers[number], index);
  line("memref.store " + Twine(stored) + ", " + where + " : " + type);
  markWritten(number, *pattern);
}

void SpmdGenerator::loadElement(unsigned number) {
  int64_t size = buffers[number].size();
  llvm::BitVector written = getWritten(number);
  for (int attempt = 0; attempt < 4; ++attempt) {
    std::optional<IndexPattern> pattern =
        pickElement(number, /*isInjective=*/false);
    if (!pattern || !mayUse(number, false, *pattern))
      continue;
    bool isWritten = llvm::all_of(here.may.set_bits(), [&](unsigned t) {
      int64_t index = evaluate(*pattern, size, t);
      return index < 0 ? written.all() : written.test(index);
    });
    if (!isWritten)
      continue;
    noteUse(number, false, *pattern);
    std::string index = emit(*pattern, size);
    Kind kind = buffers[number].kind;
    auto [where, type] = place(buffers[number], index);
    std::string loaded = define("memref.load " + Twine(where) + " : " + type);
    here.scalars.push_back({loaded, kind});
    if (rng.chance(60))
      sink({loaded, kind});
    return;
  }
  // Elements that nobody has written yet are written now.
  if (!here.isDivergent && !isLocked(number) && budget > 0) {
    --budget;
    cover(number);
  }
}

//===----------------------------------------------------------------------===//
// Whole buffers
//===----------------------------------------------------------------------===//

void SpmdGenerator::cover(unsigned number) {
  if (isLocked(number) || (here.isDivergent && !here.isAlone))
    return;
  if (here.isAlone)
    return coverByOne(number);
  int64_t size = buffers[number].size();
  bool isWide = size >= threads;
  static constexpr int weights[] = {55, 20, 12, 13};
  switch (rng.pickWeighted(weights)) {
  case 0:
    return coverByThreads(number);
  case 1:
    return oneThread([&] { coverByOne(number); });
  case 2:
    return isWide ? coverBySlices(number) : coverByThreads(number);
  default:
    return coverByVectors(number);
  }
}

void SpmdGenerator::coverByThreads(unsigned number) {
  SpmdBuffer buffer = buffers[number];
  int64_t size = buffer.size();
  auto store = [&](StringRef index) {
    std::string stored = value(buffer.kind);
    auto [where, type] = place(buffer, index);
    line("memref.store " + Twine(stored) + ", " + where + " : " + type);
  };
  if (size < threads) {
    guardByThread(size, [&] { store(thread); });
    return markAll(number);
  }
  int64_t count = size / threads;
  int way = rng.below(3);
  if (count > 1 && way == 0) {
    // Each thread has a loop of its own.
    std::string j = fresh(), end = indexConstant(size),
                step = indexConstant(threads);
    line("scf.for " + Twine(j) + " = " + thread + " to " + end + " step " +
         step + " {");
    region([&] { store(j); });
    line("}");
  } else if (count > 1 && way == 1) {
    std::string j = fresh(), begin = indexConstant(0),
                end = indexConstant(count), step = indexConstant(1);
    line("scf.for " + Twine(j) + " = " + begin + " to " + end + " step " +
         step + " {");
    region([&] {
      std::string base = arith("muli", j, indexConstant(threads));
      store(arith("addi", base, thread));
    });
    line("}");
  } else {
    bool isReversed = rng.chance(30);
    for (int64_t j = 0; j < count; ++j) {
      std::string base =
          isReversed ? emit({IndexPattern::Reversed}, threads) : thread;
      store(j == 0 ? base : arith("addi", base, indexConstant(j * threads)));
    }
  }
  markAll(number);
}

/// By the one thread that is here.
void SpmdGenerator::coverByOne(unsigned number) {
  SpmdBuffer buffer = buffers[number];
  std::string kind = getName(buffer.kind).str();
  for (unsigned other = 0; other < buffers.size(); ++other) {
    if (getRoots(other) == getRoots(number) || !rng.chance(40) ||
        buffers[other].type() != buffer.type() || isLocked(other) ||
        !getWritten(other).all())
      continue;
    bool isDistinct = llvm::none_of(getRoots(other), [&](unsigned root) {
      return llvm::is_contained(getRoots(number), root);
    });
    if (!isDistinct)
      continue;
    std::string source = buffers[other].name, type = buffer.type();
    if (rng.chance(50))
      line("memref.copy " + Twine(source) + ", " + buffer.name + " : " + type +
           " to " + type);
    else
      line("linalg.copy ins(" + Twine(source) + " : " + type + ") outs(" +
           buffer.name + " : " + type + ")");
    return markAll(number);
  }
  if (buffer.shape.size() == 1 && buffer.size() <= 2 * threads &&
      rng.chance(30)) {
    std::string size = std::to_string(buffer.size());
    std::string slice = "memref<" + size + "x" + kind + ", strided<[1]>>";
    std::string source = define("memref.subview %in_" + Twine(kind) + "[0] [" +
                                size + "] [1] : memref<" + Twine(2 * threads) +
                                "x" + kind + "> to " + slice);
    line("memref.copy " + Twine(source) + ", " + buffer.name + " : " + slice +
         " to " + buffer.type());
    return markAll(number);
  }
  std::string stored = value(buffer.kind);
  if (rng.chance(60)) {
    line("linalg.fill ins(" + Twine(stored) + " : " + kind + ") outs(" +
         buffer.name + " : " + buffer.type() + ")");
  } else {
    std::string j = fresh(), begin = indexConstant(0),
                end = indexConstant(buffer.size()), step = indexConstant(1);
    line("scf.for " + Twine(j) + " = " + begin + " to " + end + " step " +
         step + " {");
    region([&] {
      auto [where, type] = place(buffer, j);
      line("memref.store " + Twine(stored) + ", " + where + " : " + type);
    });
    line("}");
  }
  markAll(number);
}

void SpmdGenerator::coverBySlices(unsigned number) {
  SpmdBuffer buffer = buffers[number];
  int64_t width = buffer.size() / threads;
  std::string kind = getName(buffer.kind).str(), type;
  std::string flat = flatten(buffer, type);
  std::string stored = value(buffer.kind);
  std::string begin = emit({IndexPattern::Scaled, width}, buffer.size());
  std::string slice = "memref<" + std::to_string(width) + "x" + kind +
                      ", strided<[1], offset: ?>, #wg>";
  std::string view =
      define("memref.subview " + Twine(flat) + "[" + begin + "] [" +
             Twine(width) + "] [1] : " + type + " to " + slice);
  line("linalg.fill ins(" + Twine(stored) + " : " + kind + ") outs(" + view +
       " : " + slice + ")");
  markAll(number);
}

void SpmdGenerator::coverByVectors(unsigned number) {
  SpmdBuffer buffer = buffers[number];
  std::string kind = getName(buffer.kind).str();
  int64_t width = std::max<int64_t>(buffer.size() / threads, 2);
  std::string vector = "vector<" + std::to_string(width) + "x" + kind + ">";
  auto store = [&] {
    std::string stored =
        define("vector.broadcast " + Twine(value(buffer.kind)) + " : " + kind +
               " to " + vector);
    std::string index = emit({IndexPattern::Scaled, width}, buffer.size());
    std::string type, flat = flatten(buffer, type);
    if (rng.chance(70))
      line("vector.store " + Twine(stored) + ", " + flat + "[" + index +
           "] : " + type + ", " + vector);
    else
      line("vector.transfer_write " + Twine(stored) + ", " + flat + "[" +
           index + "] {in_bounds = [true]} : " + vector + ", " + type);
  };
  if (buffer.size() == width * threads)
    store();
  else
    guardByThread(buffer.size() / width, store);
  markAll(number);
}

void SpmdGenerator::loadVector(unsigned number) {
  SpmdBuffer buffer = buffers[number];
  IndexPattern pattern{IndexPattern::Scaled, 2};
  if (!getWritten(number).all() || (here.isDivergent && !here.isAlone) ||
      isLocked(number))
    return;
  std::string kind = getName(buffer.kind).str();
  auto load = [&] {
    std::string index = emit(pattern, buffer.size());
    std::string type, flat = flatten(buffer, type);
    std::string vector = "vector<2x" + kind + ">";
    std::string loaded = define("vector.load " + Twine(flat) + "[" + index +
                                "] : " + type + ", " + vector);
    std::string element =
        define("vector.extract " + Twine(loaded) + "[" + Twine(rng.below(2)) +
               "] : " + kind + " from " + vector);
    here.scalars.push_back({element, buffer.kind});
    sink({element, buffer.kind});
  };
  if (buffer.size() >= 2 * threads)
    load();
  else if (!here.isDivergent)
    guardByThread(buffer.size() / 2, load);
}

//===----------------------------------------------------------------------===//
// Functions and asynchronous copies
//===----------------------------------------------------------------------===//

void SpmdGenerator::callHelper(unsigned number) {
  SpmdBuffer buffer = buffers[number];
  if (here.isDivergent || isAnyLocked() || buffer.size() < threads)
    return;
  std::string kind = getName(buffer.kind).str();
  std::string name = "@helper" + std::to_string(nextFunction++) + suffix;
  std::string type =
      "memref<" + std::to_string(buffer.size()) + "x" + kind + ", #wg>";
  std::string flat = buffer.name;
  if (buffer.shape.size() == 2)
    flat = define("memref.collapse_shape " + Twine(buffer.name) +
                  " [[0, 1]] : " + buffer.type() + " into " + type);
  bool isRead = getWritten(number).all() && rng.chance(60);
  std::optional<IndexPattern> pattern =
      pickPattern(buffer.size(), /*isInjective=*/!isRead);
  if (!pattern)
    return;
  std::string index = emit(*pattern, buffer.size());
  if (isRead) {
    functions += "func.func private " + name + "(%b: " + type +
                 ", %i: index) -> " + kind +
                 " {\n  %v = memref.load %b[%i] : " + type +
                 "\n  return %v : " + kind + "\n}\n";
    std::string loaded = define("func.call " + Twine(name) + "(" + flat + ", " +
                                index + ") : (" + type + ", index) -> " + kind);
    here.scalars.push_back({loaded, buffer.kind});
    return sink({loaded, buffer.kind});
  }
  functions += "func.func private " + name + "(%b: " + type +
               ", %i: index, %v: " + kind +
               ") {\n  memref.store %v, %b[%i] : " + type + "\n  return\n}\n";
  std::string stored = value(buffer.kind);
  line("func.call " + Twine(name) + "(" + flat + ", " + index + ", " + stored +
       ") : (" + type + ", index, " + kind + ") -> ()");
  markWritten(number, *pattern);
}

/// A function that exchanges values through a buffer that it allocates.
void SpmdGenerator::callWithOwnBuffer() {
  if (here.isDivergent || isAnyLocked())
    return;
  Kind of = pickKind();
  std::string kind = getName(of).str();
  std::string name = "@exchange" + std::to_string(nextFunction++) + suffix;
  std::string type =
      "memref<" + std::to_string(threads) + "x" + kind + ", #wg>";
  functions +=
      "func.func private " + name + "(%t: index, %v: " + kind + ") -> " + kind +
      " {\n  %last = arith.constant " + std::to_string(threads - 1) +
      " : index\n  %b = memref.alloc() : " + type +
      "\n  memref.store %v, %b[%t] : " + type + "\n  " + kSyncBarrier.str() +
      "\n  %r = arith.subi %last, %t : index\n"
      "  %w = memref.load %b[%r] : " +
      type + "\n  " + kSyncBarrier.str() + "\n  return %w : " + kind + "\n}\n";
  std::string given = value(of);
  std::string loaded = define("func.call " + Twine(name) + "(" + thread + ", " +
                              given + ") : (index, " + kind + ") -> " + kind);
  here.scalars.push_back({loaded, of});
  sink({loaded, of});
}

bool SpmdGenerator::mayCopyInto(unsigned number) const {
  const SpmdBuffer &buffer = buffers[number];
  return (buffer.kind == F32 || buffer.kind == I32) && buffer.choices.empty() &&
         buffer.shape.size() == 1 && buffer.size() >= threads &&
         !isLocked(number);
}

std::string SpmdGenerator::beginCopy(unsigned number,
                                     const IndexPattern &pattern) {
  SpmdBuffer buffer = buffers[number];
  std::string kind = getName(buffer.kind).str();
  std::string from = "memref<" + std::to_string(2 * threads) + "x" + kind + ">";
  std::string index = emit(pattern, buffer.size());
  std::string token = define("nvgpu.device_async_copy %in_" + Twine(kind) +
                             "[" + thread + "], " + buffer.name + "[" + index +
                             "], 1 : " + from + " to " + buffer.type());
  buffers[number].isLocked = true;
  return define("nvgpu.device_async_create_group " + Twine(token));
}

void SpmdGenerator::copyAsync() {
  if (here.isDivergent)
    return;
  for (unsigned number = 0; number < buffers.size(); ++number) {
    if (!mayCopyInto(number) || !rng.chance(50))
      continue;
    IndexPattern pattern{rng.chance(50) ? IndexPattern::Same
                                        : IndexPattern::Reversed};
    std::string group = beginCopy(number, pattern);
    actions(rng.below(3));
    // Nobody waits, but nobody may touch it any more.
    if (here.depth == 0 && rng.chance(25))
      return;
    line("nvgpu.device_async_wait " + Twine(group));
    buffers[number].isLocked = false;
    return markWritten(number, pattern);
  }
}

void SpmdGenerator::copyAsyncTwice() {
  if (here.isDivergent)
    return;
  SmallVector<unsigned> targets;
  for (unsigned number = 0; number < buffers.size(); ++number)
    if (mayCopyInto(number) && rng.chance(60))
      targets.push_back(number);
  if (targets.size() < 2)
    return;
  IndexPattern pattern{IndexPattern::Same};
  std::string older = beginCopy(targets[0], pattern);
  std::string newer = beginCopy(targets[1], pattern);
  budget -= 2;
  // What is begun in between would be in a group, too.
  line("nvgpu.device_async_wait " + Twine(older) + " {numGroups = 1 : i32}");
  buffers[targets[0]].isLocked = false;
  markWritten(targets[0], pattern);
  loadElement(targets[0]);
  line("nvgpu.device_async_wait " + Twine(newer));
  buffers[targets[1]].isLocked = false;
  markWritten(targets[1], pattern);
  loadElement(targets[1]);
}

//===----------------------------------------------------------------------===//
// Other ways to touch a buffer
//===----------------------------------------------------------------------===//

void SpmdGenerator::updateAtomically(unsigned number) {
  // What it returns depends on the order of the threads, and is not used.
  if (here.isDivergent || isLocked(number) || buffers[number].kind != I32 ||
      !getWritten(number).all())
    return;
  std::optional<IndexPattern> pattern =
      pickPattern(buffers[number].size(), /*isInjective=*/false);
  if (!pattern)
    return;
  std::string index = emit(*pattern, buffers[number].size());
  std::string added = value(I32);
  auto [where, type] = place(buffers[number], index);
  define("memref.atomic_rmw addi " + Twine(added) + ", " + where + " : (i32, " +
         type + ") -> i32");
}

void SpmdGenerator::loadRaw(unsigned number) {
  SpmdBuffer buffer = buffers[number];
  // In an arena each view counts as a buffer of its own, which nobody has
  // written yet.
  if (!punsTypes || here.isDivergent || isLocked(number) ||
      buffer.raw.empty() || !buffer.written.all())
    return;
  int64_t bytes = 4 * buffer.size();
  std::optional<IndexPattern> pattern =
      pickPattern(bytes, /*isInjective=*/false);
  if (!pattern)
    return;
  std::string index =
      arith("addi", emit(*pattern, bytes), indexConstant(buffer.rawShift));
  std::string loaded = define("memref.load " + Twine(buffer.raw) + "[" + index +
                              "] : " + buffer.rawType);
  here.scalars.push_back({loaded, I8});
  sink({loaded, I8});
}
