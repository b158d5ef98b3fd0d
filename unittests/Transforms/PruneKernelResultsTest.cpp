//===- PruneKernelResultsTest.cpp - outputs that nobody reads -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Transforms/PruneKernelResults.h"
#include "TestModule.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::memspace;

namespace {
/// A kernel that writes `numOutputs` buffers of the host, which reads the first
/// one only. `more` stands in the kernel.
std::string getHostAndKernel(unsigned numOutputs, StringRef more = "") {
  std::string arguments, writes, allocations, operands, types;
  for (unsigned i = 0; i < numOutputs; ++i) {
    std::string number = std::to_string(i), comma = i ? ", " : "";
    arguments += comma + "%out" + number + ": memref<i32>";
    writes += "memref.store %x, %out" + number + "[] : memref<i32>\n";
    allocations += "%a" + number + " = memref.alloc() : memref<i32>\n";
    operands += comma + "%a" + number;
    types += comma + "memref<i32>";
  }
  return "func.func private @kernel(" + arguments +
         ") attributes {gpu.known_block_size = array<i32: 1, 1, 1>, "
         "test.name = \"kernel\"} {\n%x = arith.constant 1 : i32\n" +
         writes + more.str() +
         "return\n}\nfunc.func @host() -> memref<i32> {\n" + allocations +
         "call @kernel(" + operands + ") : (" + types +
         ") -> ()\nreturn %a0 : memref<i32>\n}\n";
}

LogicalResult prune(TestModule &module) {
  module.getContext()->loadDialect<gpu::GPUDialect, tensor::TensorDialect>();
  return pruneKernelResults(*module);
}

unsigned countAllocations(ModuleOp module) {
  unsigned count = 0;
  module->walk([&](memref::AllocOp) { ++count; });
  return count;
}

TEST(PruneKernelResults, RemovesWhatNobodyReads) {
  TestModule module(getHostAndKernel(/*numOutputs=*/20));
  ASSERT_TRUE(module);
  ASSERT_TRUE(succeeded(prune(module)));
  EXPECT_EQ(module.get<func::FuncOp>("kernel").getNumArguments(), 1u);
  EXPECT_EQ(countAllocations(*module), 1u);
  EXPECT_TRUE(succeeded(verify(*module)));
}

TEST(PruneKernelResults, SecondTimeChangesNothing) {
  TestModule module(getHostAndKernel(/*numOutputs=*/3));
  ASSERT_TRUE(module);
  ASSERT_TRUE(succeeded(prune(module)));
  OwningOpRef<ModuleOp> once = (*module).clone();
  ASSERT_TRUE(succeeded(prune(module)));
  EXPECT_TRUE(OperationEquivalence::isEquivalentTo(
      *once, *module, OperationEquivalence::IgnoreLocations));
}

TEST(PruneKernelResults, ChangesNothingWhenItFails) {
  TestModule module(getHostAndKernel(/*numOutputs=*/2,
                                     "%c0 = arith.constant 0 : index\n"
                                     "scf.for %i = %c0 to %c0 step %c0 {}\n"));
  ASSERT_TRUE(module);
  OwningOpRef<ModuleOp> before = (*module).clone();
  ScopedDiagnosticHandler ignored(module.getContext(),
                                  [](Diagnostic &) { return success(); });
  EXPECT_TRUE(failed(prune(module)));
  EXPECT_TRUE(OperationEquivalence::isEquivalentTo(
      *before, *module, OperationEquivalence::IgnoreLocations));
}

TEST(PruneKernelResults, NothingToDo) {
  TestModule module("module {}");
  ASSERT_TRUE(module);
  EXPECT_TRUE(succeeded(prune(module)));
}
} // namespace
