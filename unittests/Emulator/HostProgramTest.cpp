//===- HostProgramTest.cpp - launches one after the other -----------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Emulator/HostProgram.h"
#include "../TestModule.h"
#include "mlir/IR/Diagnostics.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::memspace;

namespace {
/// @add adds a number to each element of %x; BODY is that of @host.
std::string getModule(StringRef body) {
  return (R"mlir(
func.func @add(%x: memref<?xi32>, %n: i32, %y: memref<?xi32>)
    attributes {gpu.known_block_size = array<i32: 4, 1, 1>} {
  %t = gpu.thread_id x
  %v = memref.load %x[%t] : memref<?xi32>
  %w = arith.addi %v, %n : i32
  memref.store %w, %y[%t] : memref<?xi32>
  return
}
func.func @clear(%x: memref<?xi32>)
    attributes {gpu.known_block_size = array<i32: 4, 1, 1>} {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : i32
  memref.store %c0, %x[%t] : memref<?xi32>
  return
}
func.func @host(%x: memref<?xi32>, %n: i32, %y: memref<?xi32>) {
)mlir" + body +
          R"mlir(
  return
})mlir")
      .str();
}

constexpr llvm::StringLiteral kTwice(R"mlir(
  %c0 = arith.constant 0 : index
  %size = memref.dim %x, %c0 : memref<?xi32>
  %two = arith.addi %n, %n : i32
  %ws = memref.alloc(%size) : memref<?xi32>
  func.call @add(%x, %n, %ws) : (memref<?xi32>, i32, memref<?xi32>) -> ()
  func.call @add(%ws, %two, %y) : (memref<?xi32>, i32, memref<?xi32>) -> ()
  memref.dealloc %ws : memref<?xi32>)mlir");

class HostProgramTest : public ::testing::Test {
protected:
  SmallVector<emulator::HostBuffer> getArguments(TestModule &module) {
    Type i32 = Builder(module.getContext()).getI32Type();
    return {emulator::HostBuffer::iota(i32, {4}),
            emulator::HostBuffer::fill(i32, {}, 10),
            emulator::HostBuffer::uninitialized(i32, {4})};
  }
  /// The only error of compiling and running @host with `body`.
  std::string getError(StringRef body) {
    TestModule module(getModule(body));
    std::string error;
    ScopedDiagnosticHandler handler(module.getContext(), [&](Diagnostic &diag) {
      EXPECT_TRUE(error.empty()) << error << " and " << diag.str();
      error = diag.str();
      return success();
    });
    func::FuncOp host = emulator::HostProgram::find(*module, "host");
    EXPECT_TRUE(host);
    auto program = emulator::HostProgram::compile(host);
    if (succeeded(program))
      (void)program->run(getArguments(module));
    return error;
  }
};

TEST_F(HostProgramTest, Find) {
  TestModule module(getModule(kTwice));
  // The only one, by its name, and not by a kernel's.
  EXPECT_TRUE(emulator::HostProgram::find(*module, ""));
  EXPECT_TRUE(emulator::HostProgram::find(*module, "host"));
  EXPECT_FALSE(emulator::HostProgram::find(*module, "add"));
  EXPECT_FALSE(emulator::HostProgram::find(*module, "nobody"));
}

TEST_F(HostProgramTest, NumbersOfTheHost) {
  TestModule module(getModule(kTwice));
  auto program =
      emulator::HostProgram::compile(emulator::HostProgram::find(*module, ""));
  ASSERT_TRUE(succeeded(program));
  EXPECT_EQ(program->getArgumentTypes().size(), 3u);
  auto result = program->run(getArguments(module));
  ASSERT_TRUE(succeeded(result));
  EXPECT_TRUE(result->isClean());
  for (int64_t i = 0; i < 4; ++i) {
    EXPECT_EQ(result->arguments[0].getInteger(i), i);
    EXPECT_EQ(result->arguments[2].getInteger(i), i + 30);
  }
  // A load and a store of each thread, twice.
  EXPECT_EQ(result->accesses, 16);
}

TEST_F(HostProgramTest, FindingsEndTheRun) {
  // Nobody has written the workspace.
  TestModule module(getModule(R"mlir(
    %ws = memref.alloc() : memref<4xi32>
    %any = memref.cast %ws : memref<4xi32> to memref<?xi32>)mlir"));
  EXPECT_FALSE(emulator::HostProgram::find(*module, "host"));
  TestModule reads(getModule(R"mlir(
    %c4 = arith.constant 4 : index
    %ws = memref.alloc(%c4) : memref<?xi32>
    func.call @add(%ws, %n, %y) : (memref<?xi32>, i32, memref<?xi32>) -> ()
    func.call @clear(%x) : (memref<?xi32>) -> ())mlir"));
  auto program =
      emulator::HostProgram::compile(emulator::HostProgram::find(*reads, ""));
  ASSERT_TRUE(succeeded(program));
  auto result = program->run(getArguments(reads));
  ASSERT_TRUE(succeeded(result));
  EXPECT_GT(result->getNumUninitializedReads(), 0);
  EXPECT_EQ(result->arguments[0].getInteger(3), 3);
}

TEST_F(HostProgramTest, OneMemoryTwice) {
  TestModule module(getModule("func.call @add(%x, %n, %x) : (memref<?xi32>, "
                              "i32, memref<?xi32>) -> ()"));
  auto program =
      emulator::HostProgram::compile(emulator::HostProgram::find(*module, ""));
  ASSERT_TRUE(succeeded(program));
  auto result = program->run(getArguments(module));
  ASSERT_TRUE(succeeded(result));
  EXPECT_TRUE(result->isClean());
  EXPECT_EQ(result->arguments[0].getInteger(3), 13);
}

TEST_F(HostProgramTest, Refusals) {
  const char launch[] = "func.call @clear(%x) : (memref<?xi32>) -> ()\n";
  EXPECT_EQ(getError(std::string(launch) + R"mlir(
    %c0 = arith.constant 0 : index
    %v = memref.load %x[%c0] : memref<?xi32>)mlir"),
            "the emulator does not run 'memref.load' of the host; it allocates "
            "and launches in a straight line");
  EXPECT_EQ(getError(std::string(launch) + R"mlir(
    %c = arith.constant 1000000000000 : index
    %ws = memref.alloc(%c) : memref<?xi32>)mlir"),
            "the host allocates more bytes than 'max-memory' allows");
}
} // namespace
