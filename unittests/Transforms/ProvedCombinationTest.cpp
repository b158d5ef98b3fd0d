//===- ProvedCombinationTest.cpp - parts against the whole ----------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/Tile/ProvedCombination.h"
#include "TestModule.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace mlir::memspace;

namespace {
/// A function with a reduction of pairs of a float and an integer, by `body`:
/// of what there is so far, `%v` and `%i`, and of an element, `%a` and `%b`.
std::string makeFunction(const std::string &body) {
  static unsigned count = 0;
  return "func.func @f" + llvm::utostr(count++) + R"mlir((
        %x: tensor<9xf32>, %y: tensor<9xi32>, %p: tensor<f32>, %q: tensor<i32>) -> (tensor<f32>, tensor<i32>) {
      %r:2 = linalg.generic {
          indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> ()>],
          iterator_types = ["reduction"]}
          ins(%x, %y : tensor<9xf32>, tensor<9xi32>) outs(%p, %q : tensor<f32>, tensor<i32>) {
      ^bb0(%a: f32, %b: i32, %v: f32, %i: i32):
)mlir" + body +
         R"mlir(
        linalg.yield %rv, %ri : f32, i32
      } -> (tensor<f32>, tensor<i32>)
      return %r#0, %r#1 : tensor<f32>, tensor<i32>
    }
)mlir";
}

class PairReduction {
public:
  explicit PairReduction(linalg::GenericOp op) : op(op) {}

  using Pair = std::array<Attribute, 2>;

  /// By upstream's folders.
  Pair add(const Pair &before, const Pair &element) {
    Block &block = *op.getBody();
    DenseMap<Value, Attribute> known;
    for (unsigned number : {0, 1}) {
      known[block.getArgument(number)] = element[number];
      known[block.getArgument(2 + number)] = before[number];
    }
    for (Operation &inner : block.without_terminator()) {
      auto operands = llvm::map_to_vector(
          inner.getOperands(), [&](Value value) { return known.at(value); });
      SmallVector<OpFoldResult> results;
      EXPECT_TRUE(succeeded(inner.fold(operands, results)));
      if (results.empty())
        return {};
      known[inner.getResult(0)] = isa<Attribute>(results[0])
                                      ? cast<Attribute>(results[0])
                                      : known.at(cast<Value>(results[0]));
    }
    auto yielded = block.getTerminator()->getOperands();
    return {known.at(yielded[0]), known.at(yielded[1])};
  }

  std::optional<ProvedCombination> prove() { return getProvedCombination(op); }
  MLIRContext *getContext() { return op->getContext(); }

private:
  linalg::GenericOp op;
};

SmallVector<PairReduction> getReductions(TestModule &module) {
  SmallVector<PairReduction> reductions;
  (*module)->walk([&](linalg::GenericOp op) { reductions.emplace_back(op); });
  return reductions;
}

/// One NaN is like another.
bool areEqual(const PairReduction::Pair &a, const PairReduction::Pair &b) {
  APFloat x = cast<FloatAttr>(a[0]).getValue(),
          y = cast<FloatAttr>(b[0]).getValue();
  return a[1] == b[1] && ((x.isNaN() && y.isNaN()) || x.bitwiseIsEqual(y));
}

/// Takes random sequences whole and in parts.
void expectEqualInParts(PairReduction reduction, const std::string &body,
                        std::mt19937 &random) {
  std::optional<ProvedCombination> combination = reduction.prove();
  ASSERT_TRUE(combination);
  ASSERT_EQ(combination->starts.size(), 2u);
  Builder builder(reduction.getContext());
  auto choose = [&](auto... numbers) {
    std::array all{numbers...};
    return all[random() % all.size()];
  };
  auto makePair = [&]() -> PairReduction::Pair {
    return {
        builder.getF32FloatAttr(
            choose(NAN, -INFINITY, INFINITY, -0.0f, 0.0f, 1.0f, -1.0f, 2.5f)),
        builder.getI32IntegerAttr(choose(INT32_MIN, INT32_MAX, -1, 0, 1, 7))};
  };
  PairReduction::Pair start{combination->starts[0], combination->starts[1]};
  for (unsigned attempt = 0; attempt < 60; ++attempt) {
    PairReduction::Pair whole = makePair(), inParts = whole;
    for (unsigned part = 0; part < 3; ++part) {
      PairReduction::Pair ofPart = start;
      for (unsigned count = random() % 4; count > 0; --count) {
        PairReduction::Pair element = makePair();
        whole = reduction.add(whole, element);
        ofPart = reduction.add(ofPart, element);
      }
      inParts = reduction.add(inParts, ofPart);
    }
    ASSERT_TRUE(areEqual(whole, inParts)) << body;
  }
}

/// A random body of comparisons and choices.
std::string makeBody(std::mt19937 &random) {
  std::string text;
  SmallVector<std::string> conditions;
  auto pick = [&](auto... names) {
    std::array<const char *, sizeof...(names)> all{names...};
    return std::string(all[random() % all.size()]);
  };
  auto add = [&](const std::string &op) {
    conditions.push_back("%c" + llvm::utostr(conditions.size()));
    text += conditions.back() + " = " + op + "\n";
  };
  bool isUnsigned = random() % 2;
  for (unsigned count = 1 + random() % 4; count > 0; --count) {
    if (random() % 2)
      add("arith.cmpf " +
          pick("ogt", "oge", "olt", "ole", "oeq", "une", "ugt", "ult", "uno") +
          ", " + pick("%v", "%a") + ", " + pick("%v", "%a") + " : f32");
    else
      add("arith.cmpi " +
          (isUnsigned ? pick("ugt", "ule", "ult", "eq")
                      : pick("sgt", "sge", "slt", "ne")) +
          ", " + pick("%i", "%b") + ", " + pick("%i", "%b") + " : i32");
  }
  auto getCondition = [&] { return conditions[random() % conditions.size()]; };
  for (unsigned count = random() % 4; count > 0; --count) {
    std::string left = getCondition(), right = getCondition();
    add("arith." + pick("andi", "ori", "xori") + " " + left + ", " + right +
        " : i1");
  }
  auto select = [&](const char *a, const char *b, const char *type) {
    if (random() % 2)
      std::swap(a, b);
    return "arith.select " + getCondition() + ", " + a + ", " + b + " : " +
           type + "\n";
  };
  text += "%rv = ";
  text += random() % 4
              ? select("%v", "%a", "f32")
              : "arith." + pick("maximumf", "minimumf") + " %v, %a : f32\n";
  return text + "%ri = " + select("%i", "%b", "i32");
}
} // namespace

/// What is accepted gives in parts what it gives whole.
TEST(ProvedCombination, random) {
  std::mt19937 random(22);
  constexpr unsigned kBodies = 3000;
  SmallVector<std::string> bodies;
  std::string text;
  for (unsigned count = 0; count < kBodies; ++count)
    text += makeFunction(bodies.emplace_back(makeBody(random)));
  TestModule module(text);
  ASSERT_TRUE(module);
  unsigned accepted = 0;
  for (auto [body, reduction] :
       llvm::zip_equal(bodies, getReductions(module))) {
    if (!reduction.prove())
      continue;
    ++accepted;
    expectEqualInParts(reduction, body, random);
    if (HasFatalFailure())
      return;
  }
  EXPECT_GE(accepted, 50u);
}

/// As JAX has it: of equal elements the first place, and a NaN is the largest.
TEST(ProvedCombination, pairs) {
  std::string body = R"mlir(
    %g = arith.cmpf ogt, %v, %a : f32
    %n = arith.cmpf une, %v, %v : f32
    %s = arith.ori %g, %n : i1
    %e = arith.cmpf oeq, %v, %a : f32
    %l = arith.cmpi slt, %i, %b : i32
    %t = arith.andi %e, %l : i1
    %c = arith.ori %s, %t : i1
    %rv = arith.select %s, %v, %a : f32
    %ri = arith.select %c, %i, %b : i32)mlir";
  TestModule module(makeFunction(body));
  ASSERT_TRUE(module);
  std::mt19937 random(1);
  expectEqualInParts(getReductions(module).front(), body, random);
}

/// Bodies that do not work in parts, or are not known to.
TEST(ProvedCombination, refuses) {
  const char *bodies[] = {
      // The last of equal ones is not the last of parts that have none.
      R"mlir(
    %c = arith.cmpf oge, %a, %v : f32
    %rv = arith.select %c, %a, %v : f32
    %ri = arith.select %c, %b, %i : i32)mlir",
      // Behind a NaN the place stays, but not behind a part with one.
      R"mlir(
    %c = arith.cmpf ogt, %a, %v : f32
    %rv = arith.maximumf %a, %v : f32
    %ri = arith.select %c, %b, %i : i32)mlir",
      // What there will not be is no start.
      R"mlir(
    %c = arith.cmpf ogt, %a, %v fastmath<ninf> : f32
    %rv = arith.select %c, %a, %v : f32
    %ri = arith.select %c, %b, %i : i32)mlir",
      // A number is no comparison.
      R"mlir(
    %c = arith.cmpf ogt, %a, %v : f32
    %rv = arith.select %c, %a, %v : f32
    %ri = arith.addi %b, %i : i32)mlir",
  };
  for (const char *body : bodies) {
    TestModule module(makeFunction(body));
    ASSERT_TRUE(module);
    EXPECT_FALSE(getReductions(module).front().prove()) << body;
  }
}
