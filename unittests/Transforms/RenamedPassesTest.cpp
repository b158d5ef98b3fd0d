//===- RenamedPassesTest.cpp - the names of the last release -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Transforms/Passes.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::memspace;

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

TEST(RenamedPasses, AreThePassesOfToday) {
  MemSpaceInsertBarriersOptions options;
  options.subgroupSize = 32;
  std::unique_ptr<Pass> pass = createMemSpaceInsertBarriers(options);
  EXPECT_EQ(pass->getTypeID(), createInsertBarriersPass()->getTypeID());
  std::string text;
  llvm::raw_string_ostream os(text);
  pass->printAsTextualPipeline(os);
  EXPECT_NE(text.find("subgroup-size=32"), std::string::npos) << text;
}
