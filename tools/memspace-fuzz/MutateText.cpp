//===- MutateText.cpp - random changes of texts -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mutations.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::fuzz;

int64_t fuzz::pickExtreme(Random &rng, int64_t near) {
  static constexpr int64_t extremes[] = {0,
                                         1,
                                         -1,
                                         2,
                                         3,
                                         64,
                                         1000000,
                                         (int64_t(1) << 31) - 1,
                                         int64_t(1) << 31,
                                         -(int64_t(1) << 31),
                                         int64_t(1) << 32,
                                         int64_t(1) << 62,
                                         INT64_MAX,
                                         INT64_MIN};
  uint64_t n = near;
  switch (rng.below(10)) {
  case 0:
    return n + 1;
  case 1:
    return n - 1;
  case 2:
    return 2 * n;
  case 3:
    return -n;
  default:
    return rng.pick(extremes);
  }
}

namespace {
enum class TokenKind { Word, Number, Other };
struct Token {
  TokenKind kind;
  std::string text;
};
} // namespace

static bool isWordStart(char c) {
  return llvm::isAlpha(c) || StringRef("_%@#!^").contains(c);
}

/// Words, numbers, strings, and single characters.
static std::vector<Token> tokenize(StringRef text) {
  std::vector<Token> tokens;
  while (!text.empty()) {
    size_t size = 1;
    TokenKind kind = TokenKind::Other;
    if (llvm::isDigit(text[0])) {
      kind = TokenKind::Number;
      size = text.take_while([](char c) { return llvm::isDigit(c); }).size();
    } else if (isWordStart(text[0])) {
      kind = TokenKind::Word;
      size = 1 + text.drop_front()
                     .take_while([](char c) {
                       return llvm::isAlnum(c) || StringRef("_.$").contains(c);
                     })
                     .size();
      // "memref<4x4xf32>": what follows a number in a shape is another word.
      if (text[0] == 'x' && size > 1 && !tokens.empty() &&
          tokens.back().kind == TokenKind::Number)
        size = 1;
    } else if (text[0] == '"') {
      size_t end = text.find('"', 1);
      size = end == StringRef::npos ? text.size() : end + 1;
    }
    tokens.push_back({kind, text.take_front(size).str()});
    text = text.drop_front(size);
  }
  return tokens;
}

/// A token of `kind`, or any; `tokens.size()` when there is none.
static size_t pickToken(const std::vector<Token> &tokens, TokenKind kind,
                        Random &rng) {
  std::vector<size_t> candidates;
  for (auto [i, token] : llvm::enumerate(tokens))
    if (token.kind == kind && !StringRef(token.text).trim().empty())
      candidates.push_back(i);
  return candidates.empty() ? tokens.size() : rng.pick(candidates);
}

static void changeNumber(std::vector<Token> &tokens, Random &rng) {
  size_t i = pickToken(tokens, TokenKind::Number, rng);
  if (i == tokens.size())
    return;
  int64_t value = 0;
  StringRef(tokens[i].text).getAsInteger(10, value);
  tokens[i].text = rng.chance(3) ? "18446744073709551616"
                                 : std::to_string(pickExtreme(rng, value));
}

/// Types, spaces and keywords that stand in the place of each other.
static std::string pickWordLike(StringRef word, Random &rng) {
  static constexpr StringRef types[] = {"f32", "f16",   "bf16", "f64",
                                        "i1",  "i8",    "i32",  "i64",
                                        "i4",  "index", "i128", "f8E4M3FN"};
  static constexpr StringRef spaces[] = {"workgroup", "private", "global"};
  static constexpr StringRef shapes[] = {"memref", "tensor", "vector"};
  static constexpr StringRef dims[] = {"x", "y", "z", "linear_dim_0",
                                       "linear_dim_1"};
  static constexpr StringRef levels[] = {
      "#gpu.block", "#gpu.thread", "#gpu.warp", "#gpu.lane", "#gpu.warpgroup"};
  for (ArrayRef<StringRef> group :
       {ArrayRef<StringRef>(types), ArrayRef<StringRef>(spaces),
        ArrayRef<StringRef>(shapes), ArrayRef<StringRef>(dims),
        ArrayRef<StringRef>(levels)})
    if (llvm::is_contained(group, word))
      return group[rng.below(group.size())].str();
  return "";
}

static void changeWord(std::vector<Token> &tokens,
                       const std::vector<Token> &source, Random &rng) {
  size_t i = pickToken(tokens, TokenKind::Word, rng);
  if (i == tokens.size())
    return;
  std::string alike = pickWordLike(tokens[i].text, rng);
  if (!alike.empty() && rng.chance(80)) {
    tokens[i].text = alike;
    return;
  }
  // Names by names, ops by ops.
  char first = tokens[i].text[0];
  for (int attempt = 0; attempt < 20; ++attempt) {
    size_t j = pickToken(source, TokenKind::Word, rng);
    if (j == source.size())
      return;
    if (source[j].text[0] == first || llvm::isAlpha(first)) {
      tokens[i].text = source[j].text;
      return;
    }
  }
}

static std::string join(const std::vector<Token> &tokens) {
  std::string text;
  for (const Token &token : tokens)
    text += token.text;
  return text;
}

/// Deletes, repeats or moves lines, or takes one of another program.
static std::string mutateLines(StringRef text, StringRef other, Random &rng) {
  SmallVector<StringRef> lines, others;
  text.split(lines, '\n');
  other.split(others, '\n');
  size_t at = rng.below(lines.size()), to = rng.below(lines.size());
  switch (rng.below(4)) {
  case 0:
    lines.erase(lines.begin() + at);
    break;
  case 1: {
    StringRef line = lines[at];
    lines.insert(lines.begin() + to, line);
    break;
  }
  case 2:
    std::swap(lines[at], lines[to]);
    break;
  default: {
    StringRef line = others[rng.below(others.size())];
    lines.insert(lines.begin() + at, line);
    break;
  }
  }
  return llvm::join(lines, "\n");
}

std::string fuzz::mutateText(StringRef text, ArrayRef<std::string> others,
                             Random &rng) {
  std::string mutant = text.str();
  const std::string &other = rng.pick(others);
  for (int64_t count = rng.between(1, 3); count > 0; --count) {
    if (rng.chance(20)) {
      mutant = mutateLines(mutant, other, rng);
      continue;
    }
    std::vector<Token> tokens = tokenize(mutant);
    if (rng.chance(55)) {
      changeNumber(tokens, rng);
    } else if (rng.chance(85)) {
      changeWord(tokens, rng.chance(70) ? tokens : tokenize(other), rng);
    } else if (!tokens.empty()) {
      size_t at = rng.below(tokens.size());
      if (rng.chance(50))
        tokens.erase(tokens.begin() + at);
      else
        tokens.insert(tokens.begin() + at, rng.pick(tokens));
    }
    mutant = join(tokens);
  }
  return mutant;
}
