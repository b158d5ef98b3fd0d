//===- IndexExprsTest.cpp - index expressions against execution -----------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/Workgroup/IndexExprs.h"
#include "Kernel/IntegerOps.h"
#include "TestContext.h"
#include "TestModule.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace mlir::memspace;

namespace {
constexpr int64_t kThreads = 16, kTrips = 6;

/// A kernel that computes random indices from a thread id and an iteration.
struct RandomKernel {
  explicit RandomKernel(std::mt19937_64 &random) : random(random) {
    source = "func.func @k() attributes {gpu.known_block_size = "
             "array<i32: 16, 1, 1>} {\n";
    for (int64_t number = -4; number < 10; ++number)
      source += "%c" + std::to_string(number + 4) + " = arith.constant " +
                std::to_string(number) + " : index\n";
    source += "%v0 = gpu.thread_id x\n"
              "scf.for %v1 = %c4 to %c10 step %c5 {\n";
    for (unsigned i = 0; i < 1 + random() % 6; ++i)
      addOp();
    source += "}\nreturn\n}";
  }

  std::string getOperand() {
    return random() % 3 ? "%v" + std::to_string(random() % values)
                        : "%c" + std::to_string(random() % 14);
  }
  void addOp() {
    static const char *const binaries[] = {
        "arith.addi",  "arith.subi",       "arith.muli",      "arith.divsi",
        "arith.divui", "arith.floordivsi", "arith.ceildivsi", "arith.remsi",
        "arith.remui", "arith.andi",       "arith.ori",       "arith.xori",
        "arith.shrsi", "arith.shrui",      "arith.minsi",     "arith.maxsi",
        "index.add",   "index.sub",        "index.mul",       "index.floordivs",
        "index.remu",  "index.and",        "index.maxs",      "index.shru"};
    std::string name = "%v" + std::to_string(values);
    switch (random() % 6) {
    case 0:
      source += "%n" + std::to_string(values) + " = arith.index_cast " +
                getOperand() + " : index to i8\n" + name +
                " = arith.index_cast" + (random() % 2 ? "ui" : "") + " %n" +
                std::to_string(values) + " : i8 to index\n";
      break;
    case 1:
      source += name + " = affine.linearize_index [" + getOperand() + ", " +
                getOperand() + "] by (4) : index\n";
      break;
    default: {
      std::string op = binaries[random() % std::size(binaries)];
      source += name + " = " + op + " " + getOperand() + ", " + getOperand() +
                (op[0] == 'a' ? " : index\n" : "\n");
    }
    }
    ++values;
  }

  std::mt19937_64 &random;
  std::string source;
  unsigned values = 2;
};

/// What one thread computes in one iteration, by the folders of the ops. None
/// for what is undefined, or so large that something may have wrapped.
class Execution {
public:
  Execution(int64_t thread, int64_t iteration)
      : thread(thread), iteration(iteration) {}

  std::optional<int64_t> get(Value value) {
    auto it = known.find(value);
    if (it != known.end())
      return it->second;
    std::optional<int64_t> number = compute(value);
    if (number && std::abs(*number) > (int64_t(1) << 30))
      number = std::nullopt;
    return known[value] = number;
  }

private:
  std::optional<int64_t> compute(Value value) {
    if (isa<BlockArgument>(value))
      return iteration;
    Operation *op = value.getDefiningOp();
    if (getHardwareId(op))
      return thread;
    if (std::optional<int64_t> constant = getConstantIntValue(value))
      return constant;
    auto operands = llvm::map_to_vector(
        op->getOperands(), [&](Value operand) { return get(operand); });
    if (llvm::is_contained(operands, std::nullopt))
      return std::nullopt;
    auto results = NumberFolder(op).fold(
        operands, [&](Value operand) { return get(operand); });
    return results.empty() ? std::nullopt : results[0];
  }

  int64_t thread, iteration;
  DenseMap<Value, std::optional<int64_t>> known;
};

std::optional<int64_t> evaluate(AffineExpr expr, ArrayRef<Value> leaves,
                                Execution &execution) {
  auto numbers = llvm::map_to_vector(
      leaves, [&](Value leaf) { return execution.get(leaf); });
  for (auto [position, number] : llvm::enumerate(numbers))
    if (!number && expr.isFunctionOfDim(position))
      return std::nullopt;
  Builder b(expr.getContext());
  auto constants = llvm::map_to_vector(numbers, [&](auto number) -> Attribute {
    return b.getIndexAttr(number.value_or(0));
  });
  SmallVector<Attribute> results;
  if (failed(AffineMap::get(leaves.size(), 0, expr)
                 .constantFold(constants, results)))
    return std::nullopt;
  return cast<IntegerAttr>(results[0]).getInt();
}
} // namespace

TEST(IndexExprs, AreWhatEachThreadComputes) {
  std::mt19937_64 random(5);
  unsigned compared = 0, affine = 0, bounded = 0;
  for (unsigned i = 0; i < 400; ++i) {
    RandomKernel source(random);
    TestModule module(source.source);
    ASSERT_TRUE(module) << source.source;
    IndexExprs exprs(getTestContext(getKernels(*module).front()));
    SmallVector<std::pair<Value, AffineExpr>> indices;
    (*module).walk([&](Operation *op) {
      if (op->getNumResults() == 1 && op->getParentOfType<scf::ForOp>() &&
          op->getResult(0).getType().isIndex())
        indices.emplace_back(op->getResult(0), exprs.get(op->getResult(0)));
    });
    for (auto [value, expr] : indices) {
      Interval interval = exprs.getInterval(expr);
      auto dim = dyn_cast<AffineDimExpr>(expr);
      affine += !dim || exprs.getLeaves()[dim.getPosition()] != value;
      bounded += interval.lower && interval.upper;
      for (int64_t thread = 0; thread < kThreads; ++thread)
        for (int64_t iteration = 0; iteration < kTrips; ++iteration) {
          Execution execution(thread, iteration);
          std::optional<int64_t> expected = execution.get(value);
          if (!expected)
            continue;
          std::optional<int64_t> number =
              evaluate(expr, exprs.getLeaves(), execution);
          if (number) {
            EXPECT_EQ(*number, *expected) << source.source;
            ++compared;
          }
          EXPECT_TRUE(!interval.lower || *interval.lower <= *expected)
              << source.source;
          EXPECT_TRUE(!interval.upper || *interval.upper >= *expected)
              << source.source;
        }
    }
  }
  EXPECT_GT(affine, 500u);
  EXPECT_GT(bounded, 700u);
  EXPECT_GT(compared, 50000u);
}

/// Leaves become operands of affine.apply: they are indices.
TEST(IndexExprs, LeavesAreIndices) {
  TestModule module(R"(
    func.func @k(%n: i32) attributes {gpu.known_block_size = array<i32: 16, 1, 1>} {
      %c3 = arith.constant 3 : i32
      %sum = arith.addi %n, %c3 : i32
      %index = arith.index_cast %sum {test.name = "index"} : i32 to index
      %tid = gpu.thread_id x
      %narrow = arith.index_cast %tid : index to i32
      %product = arith.muli %narrow, %c3 : i32
      %wide = arith.index_cast %product {test.name = "wide"} : i32 to index
      return
    })");
  ASSERT_TRUE(module);
  IndexExprs exprs(getTestContext(getKernels(*module).front()));
  AffineExpr index = exprs.get(module.get("index")->getResult(0));
  AffineExpr wide = exprs.get(module.get("wide")->getResult(0));
  for (Value leaf : exprs.getLeaves())
    EXPECT_TRUE(leaf.getType().isIndex());
  EXPECT_TRUE(isa<AffineDimExpr>(index));
  EXPECT_EQ(wide, getAffineDimExpr(1, module.getContext()) * 3);
  EXPECT_EQ(exprs.getInterval(wide).upper, 45);
}
