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
  /// What the host does, which is clean.
  FailureOr<emulator::Result> run(TestModule &module) {
    auto program = emulator::HostProgram::compile(
        emulator::HostProgram::find(*module, ""));
    if (failed(program))
      return failure();
    auto result = program->run(getArguments(module));
    EXPECT_TRUE(failed(result) || result->isClean());
    return result;
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
    emulator::LaunchOptions options;
    options.maxSteps = 1000;
    if (succeeded(program))
      (void)program->run(getArguments(module), options);
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
  auto result = run(module);
  ASSERT_TRUE(succeeded(result));
  EXPECT_EQ(result->arguments[0].getInteger(3), 13);
}

// What a loop carries are names of memories, which the kernels in it write.
TEST_F(HostProgramTest, LoopsExchangeMemories) {
  TestModule module(getModule(R"mlir(
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %ws = memref.alloc(%c4) : memref<?xi32>
    %r:3 = scf.for %i = %c0 to %c3 step %c1
        iter_args(%a = %x, %b = %ws, %m = %n) -> (memref<?xi32>, memref<?xi32>, i32) {
      func.call @add(%a, %m, %b) : (memref<?xi32>, i32, memref<?xi32>) -> ()
      %m2 = arith.addi %m, %n : i32
      scf.yield %b, %a, %m2 : memref<?xi32>, memref<?xi32>, i32
    }
    func.call @add(%r#0, %r#2, %y) : (memref<?xi32>, i32, memref<?xi32>) -> ())mlir"));
  auto result = run(module);
  ASSERT_TRUE(succeeded(result));
  for (int64_t i = 0; i < 4; ++i) {
    // The second of three writes to it: 10 + 20.
    EXPECT_EQ(result->arguments[0].getInteger(i), i + 30);
    EXPECT_EQ(result->arguments[2].getInteger(i), i + 100);
  }
}

/// "name grid block: operands", one line for each launch.
TEST_F(HostProgramTest, TraceTellsTheLaunches) {
  TestModule module(getModule(R"mlir(
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c6 = arith.constant 6 : index
    %ws = memref.alloc(%c6) : memref<?xi32>
    %r:2 = scf.for %i = %c0 to %c2 step %c1
        iter_args(%a = %ws, %b = %y) -> (memref<?xi32>, memref<?xi32>) {
      func.call @clear(%a) : (memref<?xi32>) -> ()
      scf.yield %b, %a : memref<?xi32>, memref<?xi32>
    }
    %m = arith.addi %n, %n : i32
    func.call @add(%r#0, %m, %x) : (memref<?xi32>, i32, memref<?xi32>) -> ())mlir"));
  auto program =
      emulator::HostProgram::compile(emulator::HostProgram::find(*module, ""));
  ASSERT_TRUE(succeeded(program));
  std::string told;
  llvm::raw_string_ostream os(told);
  SmallVector<emulator::HostBuffer> arguments = getArguments(module);
  auto onLaunch = [&](const emulator::HostLaunch &launch) {
    FunctionOpInterface kernel = launch.kernel;
    os << kernel.getName() << " " << launch.shape.grid[0] << " "
       << launch.shape.block[0] << ":";
    for (const emulator::HostLaunch::Operand &operand : launch.operands)
      if (operand.memory)
        os << " memory " << *operand.memory << " of "
           << operand.contents->shape[0];
      else
        os << " " << operand.contents->getInteger(0);
    os << "\n";
  };
  ASSERT_TRUE(succeeded(program->trace(arguments, onLaunch)));
  // %x, %n and %y are 0, 1 and 2. Nothing was cleared, nothing was added.
  EXPECT_EQ(told, "clear 1 4: memory 3 of 6\n"
                  "clear 1 4: memory 2 of 4\n"
                  "add 1 4: memory 3 of 6 20 memory 0 of 4\n");
  EXPECT_TRUE(arguments[0].equals(getArguments(module)[0]));
}

TEST_F(HostProgramTest, BranchesLoopsAndFunctions) {
  // While %n doubled is below 50: 10, 20, 40; the last launch of the branch
  // that is taken adds 80.
  std::string text = getModule(R"mlir(
    %c50 = arith.constant 50 : i32
    %r = scf.while (%m = %n) : (i32) -> i32 {
      %less = arith.cmpi slt, %m, %c50 : i32
      scf.condition(%less) %m : i32
    } do {
    ^bb0(%m: i32):
      func.call @inPlace(%x, %m) : (memref<?xi32>, i32) -> ()
      %m2 = arith.addi %m, %m : i32
      scf.yield %m2 : i32
    }
    %large = arith.cmpi sgt, %r, %c50 : i32
    %from = scf.if %large -> memref<?xi32> {
      func.call @inPlace(%x, %r) : (memref<?xi32>, i32) -> ()
      scf.yield %x : memref<?xi32>
    } else {
      scf.yield %y : memref<?xi32>
    }
    scf.if %large {
      func.call @add(%from, %n, %y) : (memref<?xi32>, i32, memref<?xi32>) -> ()
    })mlir");
  text += R"mlir(
func.func @inPlace(%z: memref<?xi32>, %n: i32) {
  func.call @add(%z, %n, %z) : (memref<?xi32>, i32, memref<?xi32>) -> ()
  return
})mlir";
  TestModule module(text);
  // The one that nobody calls.
  func::FuncOp host = emulator::HostProgram::find(*module, "");
  ASSERT_TRUE(host);
  EXPECT_EQ(host.getName(), "host");
  auto result = run(module);
  ASSERT_TRUE(succeeded(result));
  for (int64_t i = 0; i < 4; ++i) {
    EXPECT_EQ(result->arguments[0].getInteger(i), i + 150);
    EXPECT_EQ(result->arguments[2].getInteger(i), i + 160);
  }
}

TEST_F(HostProgramTest, Refusals) {
  const char launch[] = "func.call @clear(%x) : (memref<?xi32>) -> ()\n";
  EXPECT_EQ(
      getError(std::string(launch) + R"mlir(
    %c0 = arith.constant 0 : index
    %v = memref.load %x[%c0] : memref<?xi32>)mlir"),
      "the emulator does not run 'memref.load' of the host; it allocates, "
      "launches, calls functions, and knows 'scf.for', 'scf.if' and "
      "'scf.while'");
  EXPECT_EQ(getError(std::string(launch) + R"mlir(
    %c0 = arith.constant 0 : index
    scf.for %i = %c0 to %c0 step %c0 {
    })mlir"),
            "has step 0");
  EXPECT_EQ(getError(std::string(launch) + R"mlir(
    %c1 = arith.constant 1 : index
    scf.for unsigned %i = %c1 to %c1 step %c1 {
    })mlir"),
            "the emulator runs no loop of the host with unsigned bounds");
  EXPECT_EQ(getError(std::string(launch) + R"mlir(
    %true = arith.constant true
    scf.while : () -> () {
      scf.condition(%true)
    } do {
      scf.yield
    })mlir"),
            "the loops of the host take more than 1000 iterations "
            "('max-steps')");
  EXPECT_EQ(getError(std::string(launch) +
                     "func.call @host(%x, %n, %y) : (memref<?xi32>, i32, "
                     "memref<?xi32>) -> ()"),
            "calls itself; the emulator runs no recursion of the host");
  EXPECT_EQ(getError(std::string(launch) + R"mlir(
    %c = arith.constant 1000000000000 : index
    %ws = memref.alloc(%c) : memref<?xi32>)mlir"),
            "the host allocates more bytes than 'max-memory' allows");
}
} // namespace
