//===- Interleave.cpp - canonicalization between all passes -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interleave.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/ErrorHandling.h"

using namespace mlir;
using namespace mlir::memspace;

static constexpr StringLiteral kCleanup = "canonicalize,cse";

std::string mlir::memspace::interleave(StringRef pipeline) {
  std::string text = kCleanup.str();
  // Commas and parentheses in options separate no passes.
  unsigned depth = 0;
  char last = '(';
  bool isQuoted = false;
  text += ',';
  for (char c : pipeline) {
    isQuoted ^= c == '"';
    depth += !isQuoted && c == '{';
    depth -= !isQuoted && c == '}';
    bool isBetween = !isQuoted && depth == 0;
    if (isBetween && (c == ',' || c == ')') && last != '(')
      text += (Twine(',') + kCleanup).str();
    text += c;
    last = c;
  }
  return text + "," + kCleanup.str();
}

/// The text of a pipeline whose `memspace-bufferize` does not clean up.
static std::string withoutCleanUp(StringRef pipeline) {
  constexpr StringLiteral pass = "memspace-bufferize{";
  auto [before, after] = pipeline.split(pass);
  if (after.empty())
    return pipeline.str();
  auto [options, rest] = after.split('}');
  size_t at = options.find("clean-up=true");
  return (before + pass + options.take_front(at) + "clean-up=false" +
          options.drop_front(at).drop_front(strlen("clean-up=true")) + "}" +
          rest)
      .str();
}

void mlir::memspace::addPasses(OpPassManager &pm, Canonicalization where,
                               function_ref<void(OpPassManager &)> build) {
  if (where == Canonicalization::AsItIs)
    return build(pm);
  registerCanonicalizerPass();
  registerCSEPass();
  OpPassManager plain(pm.getOpAnchorName());
  build(plain);
  std::string text;
  llvm::raw_string_ostream os(text);
  plain.printAsTextualPipeline(os);
  // The op that the passes are on is around them.
  StringRef passes(text);
  passes = passes.drop_until([](char c) { return c == '('; }).drop_front();
  passes = passes.drop_back();
  if (failed(parsePassPipeline(where == Canonicalization::Interleaved
                                   ? interleave(passes)
                                   : withoutCleanUp(passes),
                               pm)))
    llvm::report_fatal_error("the pipeline does not parse again");
}
