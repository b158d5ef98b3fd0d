//===- ShrinkText.cpp - smaller kernels by another text -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShrinkCuts.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace mlir;
using namespace mlir::memspace;

namespace {
/// Where a number stands in a text that is one by itself: no part of a name, a
/// type or a float.
struct Number {
  size_t begin, end;
  int64_t value;
};
} // namespace

static std::vector<Number> findNumbers(StringRef text) {
  std::vector<Number> numbers;
  auto at = [&](size_t i) { return i < text.size() ? text[i] : ' '; };
  for (size_t i = 0; i < text.size(); ++i) {
    if (!llvm::isDigit(text[i]))
      continue;
    size_t begin = i;
    while (llvm::isDigit(at(i)))
      ++i;
    char before = begin ? text[begin - 1] : ' ', after = at(i);
    // "4x16xf32" has two.
    bool isExtent = before == 'x' && begin > 1 &&
                    (llvm::isDigit(text[begin - 2]) || text[begin - 2] == '?');
    bool isName = (llvm::isAlpha(before) && !isExtent) ||
                  StringRef("_%#@.+\"!").contains(before) || after == '.';
    int64_t value;
    if (!isName && !text.slice(begin, i).getAsInteger(10, value))
      numbers.push_back({begin, i, value});
  }
  return numbers;
}

static std::string replaceNumbers(StringRef text, ArrayRef<Number> numbers,
                                  int64_t from, int64_t to) {
  std::string result;
  size_t next = 0;
  for (const Number &number : numbers) {
    if (number.value != from)
      continue;
    result += text.slice(next, number.begin).str() + std::to_string(to);
    next = number.end;
  }
  return result + text.drop_front(next).str();
}

/// Whole words only.
static std::string replaceWord(StringRef text, StringRef from, StringRef to) {
  std::string result;
  size_t next = 0, found;
  while ((found = text.find(from, next)) != StringRef::npos) {
    char before = found ? text[found - 1] : ' ';
    size_t end = found + from.size();
    char after = end < text.size() ? text[end] : ' ';
    bool isWord =
        (before == 'x' || !(llvm::isAlnum(before) || before == '_')) &&
        !(llvm::isAlnum(after) || after == '_');
    result += text.slice(next, found).str() + (isWord ? to : from).str();
    next = end;
  }
  return result + text.drop_front(next).str();
}

SmallVector<std::string> fuzz::getSmallerTexts(StringRef text) {
  SmallVector<std::string> texts;
  std::vector<Number> numbers = findNumbers(text);
  std::set<int64_t, std::greater<int64_t>> values;
  for (const Number &number : numbers)
    values.insert(number.value);
  for (int64_t value : values)
    for (int64_t smaller : {int64_t(2), int64_t(4), value / 2})
      if (smaller > 1 && smaller < value)
        texts.push_back(replaceNumbers(text, numbers, value, smaller));
  static constexpr std::pair<StringRef, StringRef> types[] = {
      {"bf16", "f32"}, {"f16", "f32"}, {"f64", "f32"},
      {"i8", "i32"},   {"i16", "i32"}, {"i64", "i32"}};
  for (auto [from, to] : types)
    if (std::string other = replaceWord(text, from, to); other != text)
      texts.push_back(std::move(other));
  return texts;
}
