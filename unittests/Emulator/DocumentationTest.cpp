//===- DocumentationTest.cpp - the example of docs/emulator.md ------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../TestModule.h"
#include "MemSpace/Emulator/Emulator.h"
#include "mlir/IR/Diagnostics.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::memspace;

static int64_t runExample(ModuleOp module) {
  // [run]
  auto kernel = emulator::Kernel::compile(module);
  if (failed(kernel))
    return -1; // the diagnostic says why
  Type f32 = Float32Type::get(module.getContext());
  auto x = emulator::HostBuffer::random(f32, {256}, /*seed=*/1);
  auto out = emulator::HostBuffer::uninitialized(f32, {256});
  FailureOr<emulator::Result> result = kernel->run({x, out});
  result->emitReports();
  int64_t races = result->getNumRaces();
  // [/run]
  return races;
}

TEST(DocumentationTest, FindsTheRace) {
  TestModule module(R"mlir(
func.func @shift(%x: memref<256xf32>, %out: memref<256xf32>)
    attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %c255 = arith.constant 255 : index
  %t = gpu.thread_id x
  %s = memref.alloc() : memref<256xf32, #gpu.address_space<workgroup>>
  %v = memref.load %x[%t] : memref<256xf32>
  memref.store %v, %s[%t] : memref<256xf32, #gpu.address_space<workgroup>>
  %r = arith.subi %c255, %t : index
  %w = memref.load %s[%r] : memref<256xf32, #gpu.address_space<workgroup>>
  memref.store %w, %out[%t] : memref<256xf32>
  return
})mlir");
  ASSERT_TRUE(module);
  SmallVector<std::string> errors;
  ScopedDiagnosticHandler handler(module.getContext(), [&](Diagnostic &diag) {
    errors.push_back(diag.str());
    return success();
  });
  EXPECT_EQ(runExample(*module), 1);
  ASSERT_FALSE(errors.empty());
  EXPECT_NE(errors.front().find("data race in workgroup memory"),
            std::string::npos);
}
