//===- DocumentationTest.cpp - what docs/budget.md quotes -----------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Report/BudgetReport.h"
#include "TestModule.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::memspace;

/// The bytes of the best way out; -1 when there is no report, -2 when there is
/// no way.
static int64_t getBestWayOut(FunctionOpInterface kernel) {
  // [report]
  FailureOr<KernelContext> context =
      KernelContext::create(kernel, *lookupTarget("gfx942"));
  if (failed(context))
    return -1; // the diagnostic says why
  FailureOr<BudgetReport> report = BudgetReport::compute(*context);
  if (failed(report))
    return -1;
  report->print(llvm::errs());
  for (const WayOut &way : report->waysOut)
    if (way.fits)
      return way.bytes;
  // [/report]
  return -2;
}

TEST(DocumentationTest, Report) {
  TestModule module(R"(
#wg = #gpu.address_space<workgroup>
func.func @kernel(%v: f32, %n: index) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %t = memref.alloc() : memref<256x99xf32, #wg>
  linalg.fill ins(%v : f32) outs(%t : memref<256x99xf32, #wg>)
  %x = memref.load %t[%n, %n] : memref<256x99xf32, #wg>
  return
})");
  ASSERT_TRUE(static_cast<bool>(module));
  EXPECT_EQ(getBestWayOut(getKernels(*module).front()), 128 * 99 * 4);
}
