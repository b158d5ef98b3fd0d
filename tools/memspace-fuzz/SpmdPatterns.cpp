//===- SpmdPatterns.cpp - which element a thread of a random kernel touches
//-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SpmdGenerator.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::memspace::fuzz;

/// -1: another element each time.
int64_t SpmdGenerator::evaluate(const IndexPattern &pattern, int64_t size,
                                int64_t thread) const {
  switch (pattern.form) {
  case IndexPattern::Same:
    return thread + pattern.c;
  case IndexPattern::Reversed:
    return size - 1 - thread;
  case IndexPattern::Rotated:
    return (thread + pattern.c) % size;
  case IndexPattern::RotatedBy:
  case IndexPattern::FlippedBy:
  case IndexPattern::ShiftedBy:
    return -1;
  case IndexPattern::Flipped:
    return thread ^ pattern.c;
  case IndexPattern::Scaled:
    return thread * pattern.c;
  case IndexPattern::Halved:
    return thread / 2;
  case IndexPattern::Wrapped:
    return thread % size;
  case IndexPattern::Constant:
    return pattern.c;
  }
  return -1;
}

std::string SpmdGenerator::emit(const IndexPattern &pattern, int64_t size) {
  std::string c = std::to_string(pattern.c), n = std::to_string(size);
  auto apply = [&](const Twine &expr) {
    return define("affine.apply affine_map<(d0) -> (" + expr + ")>(" + thread +
                  ")");
  };
  bool isAffine = rng.chance(50);
  switch (pattern.form) {
  case IndexPattern::Same:
    if (pattern.c == 0)
      return thread;
    return isAffine ? apply("d0 + " + Twine(c))
                    : arith("addi", thread, indexConstant(pattern.c));
  case IndexPattern::Reversed:
    return isAffine ? apply(Twine(size - 1) + " - d0")
                    : arith("subi", indexConstant(size - 1), thread);
  case IndexPattern::Rotated:
    return isAffine
               ? apply("(d0 + " + Twine(c) + ") mod " + n)
               : arith("remui", arith("addi", thread, indexConstant(pattern.c)),
                       indexConstant(size));
  case IndexPattern::RotatedBy: {
    for (const Walk &walk : here.walks)
      if (walk.iteration == pattern.by && walk.step == pattern.c)
        return arith("remui", walk.number, indexConstant(size));
    std::string shift = arith("muli", pattern.by, indexConstant(pattern.c));
    return arith("remui", arith("addi", thread, shift), indexConstant(size));
  }
  case IndexPattern::FlippedBy:
    return arith("xori", thread,
                 arith("remui", pattern.by, indexConstant(pattern.c)));
  case IndexPattern::ShiftedBy:
    return arith("addi", thread,
                 arith("remui", pattern.by, indexConstant(pattern.c)));
  case IndexPattern::Flipped:
    return arith("xori", thread, indexConstant(pattern.c));
  case IndexPattern::Scaled:
    return isAffine ? apply("d0 * " + Twine(c))
                    : arith("muli", thread, indexConstant(pattern.c));
  case IndexPattern::Halved:
    return isAffine ? apply("d0 floordiv 2")
                    : arith("divui", thread, indexConstant(2));
  case IndexPattern::Wrapped:
    return isAffine ? apply("d0 mod " + Twine(n))
                    : arith("remui", thread, indexConstant(size));
  case IndexPattern::Constant:
    return indexConstant(pattern.c);
  }
  return "";
}

bool SpmdGenerator::fits(const IndexPattern &pattern, int64_t size,
                         const llvm::BitVector &who, bool isInjective) const {
  llvm::BitVector touched(size);
  for (unsigned t : who.set_bits()) {
    int64_t index = evaluate(pattern, size, t);
    if (index < 0 || index >= size || (isInjective && touched.test(index)))
      return false;
    touched.set(index);
  }
  return true;
}

/// Some pattern that stays in range; `isInjective`: no two threads touch one
/// element.
std::optional<IndexPattern> SpmdGenerator::pickPattern(int64_t size,
                                                       bool isInjective) {
  static constexpr IndexPattern::Form forms[] = {
      IndexPattern::Same,      IndexPattern::Same,      IndexPattern::Reversed,
      IndexPattern::Reversed,  IndexPattern::Rotated,   IndexPattern::RotatedBy,
      IndexPattern::RotatedBy, IndexPattern::FlippedBy, IndexPattern::ShiftedBy,
      IndexPattern::Flipped,   IndexPattern::Scaled,    IndexPattern::Halved,
      IndexPattern::Wrapped,   IndexPattern::Constant};
  for (int attempt = 0; attempt < 8; ++attempt) {
    IndexPattern pattern{rng.pick(forms), 0};
    switch (pattern.form) {
    case IndexPattern::Same:
      if (size > threads && rng.chance(50))
        pattern.c = rng.below(size - threads + 1);
      break;
    case IndexPattern::Flipped:
      pattern.c = rng.between(1, threads - 1);
      break;
    case IndexPattern::Rotated:
    case IndexPattern::Constant:
      pattern.c = rng.below(size);
      break;
    case IndexPattern::RotatedBy:
      pattern.c = rng.between(1, 3);
      break;
    case IndexPattern::FlippedBy: // Threads are a power of two.
      pattern.c = threads;
      break;
    case IndexPattern::ShiftedBy:
      pattern.c = size - threads + 1;
      break;
    case IndexPattern::Scaled:
      pattern.c = rng.between(1, std::max<int64_t>(size / threads, 1));
      break;
    default:
      break;
    }
    if (pattern.isUniformlyMoved()) {
      // Where threads part, each goes its own way through the iterations.
      bool isInRange =
          pattern.form == IndexPattern::RotatedBy ? true : threads <= size;
      if (!here.isDivergent && isInRange && (!isInjective || threads <= size)) {
        if (pattern.form == IndexPattern::RotatedBy && !here.walks.empty() &&
            rng.chance(70)) {
          const Walk &walk = rng.pick(here.walks);
          return IndexPattern{pattern.form, walk.step, walk.iteration};
        }
        pattern.by = uniformIndex();
        // Without a bound, little can be proved.
        if (rng.chance(75))
          pattern.by = arith("remui", pattern.by,
                             indexConstant(rng.between(2, threads)));
        return pattern;
      }
      continue;
    }
    if (fits(pattern, size, here.may, isInjective))
      return pattern;
  }
  return std::nullopt;
}
