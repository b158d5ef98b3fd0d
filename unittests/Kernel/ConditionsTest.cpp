//===- ConditionsTest.cpp - what follows of a condition, by truth tables --===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernel/Conditions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>
#include <random>

using namespace mlir;
using namespace mlir::memspace;

namespace {
constexpr unsigned kArguments = 3;

/// A random condition of some arguments, with its truth table: bit `row` is
/// what it is where argument i is bit i of `row`.
class Conditions {
public:
  explicit Conditions(unsigned seed) : builder(&context), random(seed) {
    context
        .loadDialect<arith::ArithDialect, func::FuncDialect, scf::SCFDialect>();
    Location loc = builder.getUnknownLoc();
    module = ModuleOp::create(loc);
    SmallVector<Type> types(kArguments, builder.getI1Type());
    builder.setInsertionPointToStart(module->getBody());
    auto function = func::FuncOp::create(builder, loc, "f",
                                         builder.getFunctionType(types, {}));
    builder.setInsertionPointToStart(function.addEntryBlock());
    for (auto [number, arg] : llvm::enumerate(function.getArguments())) {
      unsigned table = 0;
      for (unsigned row = 0; row < kRows; ++row)
        table |= (row >> number & 1) << row;
      add(arg, table);
    }
    add(arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true)),
        kAll);
    add(arith::ConstantOp::create(builder, loc, builder.getBoolAttr(false)), 0);
  }

  static constexpr unsigned kRows = 1 << kArguments, kAll = (1 << kRows) - 1;

  Value make() {
    Location loc = builder.getUnknownLoc();
    Value a = pick(), b = pick(), c = pick();
    unsigned x = tables[a], y = tables[b], z = tables[c];
    switch (random() % 5) {
    case 0:
      return add(arith::AndIOp::create(builder, loc, a, b), x & y);
    case 1:
      return add(arith::OrIOp::create(builder, loc, a, b), x | y);
    case 2:
      return add(arith::XOrIOp::create(builder, loc, a, b), x ^ y);
    case 3:
      return add(arith::SelectOp::create(builder, loc, c, a, b),
                 (z & x) | (~z & y & kAll));
    default: {
      auto yield = [](Value value) {
        return [=](OpBuilder &body, Location loc) {
          scf::YieldOp::create(body, loc, value);
        };
      };
      auto branch = scf::IfOp::create(builder, loc, c, yield(a), yield(b));
      return add(branch.getResult(0), (z & x) | (~z & y & kAll));
    }
    }
  }

  unsigned getTable(Value value) const { return tables.lookup(value); }

private:
  Value add(Value value, unsigned table) {
    tables[value] = table;
    values.push_back(value);
    return value;
  }
  /// Mostly of the last ones, so that conditions are made of conditions.
  Value pick() {
    size_t from =
        random() % 3 == 0 || values.size() < 6 ? 0 : values.size() - 6;
    return values[from + random() % (values.size() - from)];
  }

  MLIRContext context;
  OpBuilder builder;
  OwningOpRef<ModuleOp> module;
  std::mt19937 random;
  llvm::DenseMap<Value, unsigned> tables;
  SmallVector<Value> values;
};
} // namespace

// Whatever follows is so in each row in which the condition is.
TEST(ConditionsTest, whatFollowsIsTrue) {
  unsigned numFacts = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    Conditions conditions(seed);
    for (unsigned i = 0; i < 12; ++i) {
      Value condition = conditions.make();
      for (bool holds : {false, true}) {
        unsigned rows = holds ? conditions.getTable(condition)
                              : ~conditions.getTable(condition);
        forEachFact(condition, holds, [&](Value fact, bool isSo) {
          unsigned wrong =
              isSo ? ~conditions.getTable(fact) : conditions.getTable(fact);
          EXPECT_EQ(rows & wrong & Conditions::kAll, 0u);
          numFacts += fact != condition;
        });
      }
    }
  }
  EXPECT_GT(numFacts, 1000u);
}
