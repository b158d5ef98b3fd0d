//===- UnsynchronizableHazardsTest.cpp - what no barrier cures -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/Barriers/UnsynchronizableHazards.h"
#include "TestContext.h"
#include "TestModule.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::memspace;

/// The diagnostics, with their notes, for a kernel of 256 threads.
static std::string report(StringRef body, StringRef grid) {
  std::string source = R"(
    #wg = #gpu.address_space<workgroup>
    func.func @k(%g: memref<256xf32>, %h: memref<256xindex>)
        attributes {gpu.known_block_size = array<i32: 256, 1, 1>)";
  source += (grid.empty() ? "" : ", gpu." + grid).str();
  source += R"(} {
    %t = gpu.thread_id x
    %c4 = arith.constant 4 : index
    %v = arith.constant 1.0 : f32
    %ti = arith.index_cast %t : index to i32
    %tf = arith.sitofp %ti : i32 to f32
    %m = memref.alloc() : memref<256xf32, #wg>
  )";
  source += body;
  source += "\n return\n}";
  TestModule module(source);
  if (!module)
    return "does not parse";
  std::string text;
  llvm::raw_string_ostream os(text);
  ScopedDiagnosticHandler handler(
      module.getContext(), [&](Diagnostic &diagnostic) {
        os << diagnostic;
        for (Diagnostic &note : diagnostic.getNotes())
          os << "\n" << note;
        return success();
      });
  KernelContext context = getTestContext(getKernels(*module).front(), 32);
  ThreadRelations relations(context);
  HazardAnalysis hazards(context, relations);
  Uniformity uniformity(context, relations);
  bool ok = succeeded(reportUnsynchronizableHazards(hazards, uniformity));
  EXPECT_EQ(ok, text.empty());
  return text;
}

TEST(UnsynchronizableHazards, AreReported) {
  auto expect = [](const std::string &text, const char *part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  std::string text =
      report("memref.store %tf, %m[%c4] : memref<256xf32, #wg>", "");
  expect(text, "different threads write to one place at once; distribute it "
               "over the threads, guard it to one thread, or use an atomic");
  expect(text, "and thread (0, 0, 0) touch byte 16 of %alloc");
  text = report("memref.store %tf, %g[%t] : memref<256xf32>",
                "known_grid_size = array<i32: 2, 1, 1>");
  expect(text, "different workgroups touch one place, and no barrier orders "
               "workgroups; split the kernel or use atomics");
  expect(text, "thread (0, 0, 0) of workgroup (1, 0, 0) and thread (0, 0, 0) "
               "of workgroup (0, 0, 0) touch byte 0 of %arg0");
  // Equal values, loaded places, and one workgroup.
  EXPECT_EQ(report("memref.store %v, %m[%c4] : memref<256xf32, #wg>", ""), "");
  EXPECT_EQ(report("%i = memref.load %h[%t] : memref<256xindex>\n"
                   "memref.store %tf, %m[%i] : memref<256xf32, #wg>",
                   ""),
            "");
  EXPECT_EQ(report("memref.store %tf, %g[%t] : memref<256xf32>",
                   "known_grid_size = array<i32: 1, 1, 1>"),
            "");
  EXPECT_EQ(report("memref.store %tf, %g[%t] : memref<256xf32>", ""), "");
}
