//===- ValueFlowTest.cpp - tests of ValueFlow -----------------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Memory/ValueFlow.h"
#include "TestModule.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::memspace;

namespace {
/// A loop, marked `loop`, around `body`, that carries the allocations `a`, `b`
/// and `c`.
struct Snippet {
  Snippet(StringRef upper, StringRef body)
      : module(("func.func @f(%n: index) {\n"
                "%c0 = arith.constant 0 : index\n"
                "%c1 = arith.constant 1 : index\n"
                "%upper = arith.constant " +
                upper +
                " : index\n"
                "%a = memref.alloc() {test.name = \"a\"} : memref<8xf32>\n"
                "%b = memref.alloc() {test.name = \"b\"} : memref<8xf32>\n"
                "%c = memref.alloc() {test.name = \"c\"} : memref<8xf32>\n" +
                body + "return\n}")
                   .str()) {}

  Value get(StringRef name) { return module.get(name)->getResult(0); }
  OpResult getResult(unsigned number) {
    return module.get("loop")->getResult(number);
  }
  TestModule module;
};

/// The loop with `yielded` after it began as %a, %b, %c.
std::string makeLoop(StringRef yielded, StringRef upper = "%upper",
                     StringRef body = "") {
  return ("%r:3 = scf.for %i = %c0 to " + upper +
          " step %c1 iter_args(%x = %a, %y = %b, %z = %c) -> (memref<8xf32>, "
          "memref<8xf32>, memref<8xf32>) {\n" +
          body + "scf.yield " + yielded +
          " : memref<8xf32>, memref<8xf32>, memref<8xf32>\n} {test.name = "
          "\"loop\"}\n")
      .str();
}
} // namespace

TEST(ValueFlowTest, ConstantIterationsThatExchange) {
  const char *const names[] = {"a", "b", "c"};
  for (unsigned trips = 0; trips < 7; ++trips) {
    // As if one executed it: the first two change places.
    Snippet pair(std::to_string(trips), makeLoop("%y, %x, %z"));
    EXPECT_EQ(getFinalValue(pair.getResult(0)), pair.get(names[trips % 2]));
    EXPECT_EQ(getFinalValue(pair.getResult(1)),
              pair.get(names[(trips + 1) % 2]));
    EXPECT_EQ(getFinalValue(pair.getResult(2)), pair.get("c"));
    // All three go around.
    Snippet ring(std::to_string(trips), makeLoop("%y, %z, %x"));
    for (unsigned number = 0; number < 3; ++number)
      EXPECT_EQ(getFinalValue(ring.getResult(number)),
                ring.get(names[(trips + number) % 3]));
    // A circle that the third one comes into: %z becomes %x, which becomes %y.
    Snippet into(std::to_string(trips), makeLoop("%y, %x, %x"));
    EXPECT_EQ(getFinalValue(into.getResult(2)),
              into.get(trips == 0 ? "c" : names[(trips + 1) % 2]));
  }
}

TEST(ValueFlowTest, OneOfOutsideIsCarriedOn) {
  // %y becomes %c for ever, and %x a round later.
  for (unsigned trips = 1; trips < 4; ++trips) {
    Snippet snippet(std::to_string(trips), makeLoop("%y, %c, %z"));
    EXPECT_EQ(getFinalValue(snippet.getResult(1)), snippet.get("c"));
    EXPECT_EQ(getFinalValue(snippet.getResult(0)),
              snippet.get(trips == 1 ? "b" : "c"));
  }
}

TEST(ValueFlowTest, UnknownWhereTheLoopDecides) {
  // The number of iterations is not constant.
  Snippet open("4", makeLoop("%y, %x, %z", "%n"));
  EXPECT_FALSE(getFinalValue(open.getResult(0)));
  // An iteration makes it: which one the result is has no name outside.
  Snippet made("4", makeLoop("%m, %x, %z", "%upper",
                             "%m = memref.alloc() {test.name = \"m\"} : "
                             "memref<8xf32>\n"));
  EXPECT_FALSE(getFinalValue(made.getResult(0)));
  EXPECT_FALSE(getFinalValue(made.getResult(1)));
  EXPECT_EQ(getFinalValue(made.getResult(2)), made.get("c"));
}
