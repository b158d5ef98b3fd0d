//===- EmulatorTest.cpp - kernels run in process --------------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Emulator/Emulator.h"
#include "../TestModule.h"
#include "mlir/IR/Diagnostics.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::memspace;

namespace {
/// A neighbour exchange through workgroup memory; BARRIER stands for what
/// orders it.
std::string getExchange(StringRef barrier) {
  return (R"mlir(
#wg = #gpu.address_space<workgroup>
func.func @exchange(%x: memref<64xf32>, %out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %t = gpu.thread_id x
  %s = memref.alloc() {test.name = "buffer"} : memref<64xf32, #wg>
  %v = memref.load %x[%t] : memref<64xf32>
  memref.store %v, %s[%t] {test.name = "store"} : memref<64xf32, #wg>
)mlir" + barrier +
          R"mlir(
  %n = arith.addi %t, %c1 : index
  %m = arith.remui %n, %c64 : index
  %w = memref.load %s[%m] {test.name = "load"} : memref<64xf32, #wg>
  %z = arith.addf %w, %w : f32
  memref.store %z, %out[%t] : memref<64xf32>
  return
})mlir")
      .str();
}

class EmulatorTest : public ::testing::Test {
protected:
  emulator::HostBuffer iota(TestModule &module, int64_t size) {
    return emulator::HostBuffer::iota(Builder(module.getContext()).getF32Type(),
                                      {size});
  }
  emulator::HostBuffer empty(TestModule &module, int64_t size) {
    return emulator::HostBuffer::uninitialized(
        Builder(module.getContext()).getF32Type(), {size});
  }
  /// The only error of `function`.
  std::string getError(TestModule &module,
                       llvm::function_ref<void()> function) {
    std::string error;
    ScopedDiagnosticHandler handler(module.getContext(), [&](Diagnostic &diag) {
      EXPECT_TRUE(error.empty()) << error << " and " << diag.str();
      error = diag.str();
      return success();
    });
    function();
    return error;
  }
};
} // namespace

TEST_F(EmulatorTest, ARightKernelIsClean) {
  TestModule module(getExchange("gpu.barrier"));
  ASSERT_TRUE(module);
  auto kernel = emulator::Kernel::compile(*module);
  ASSERT_TRUE(succeeded(kernel));
  EXPECT_EQ(kernel->getName(), "exchange");
  EXPECT_EQ(kernel->getKnownBlock(), (emulator::Dim3{64, 1, 1}));
  EXPECT_EQ(kernel->getArgumentTypes().size(), 2u);
  auto result = kernel->run({iota(module, 64), empty(module, 64)});
  ASSERT_TRUE(succeeded(result));
  EXPECT_TRUE(result->isClean());
  EXPECT_EQ(result->getSummary(),
            "races: 0, divergent barriers: 0, out of bounds: "
            "0, uninitialized reads: 0");
  EXPECT_EQ(result->executedBarriers, 1);
  EXPECT_EQ(result->accesses, 4 * 64);
  EXPECT_TRUE(result->orderDependentArguments.empty());
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(result->arguments[1].getFloat(i).convertToFloat(),
              2 * ((i + 1) % 64));
}

TEST_F(EmulatorTest, ARaceNamesBothOpsAndTheBuffer) {
  TestModule module(getExchange(""));
  ASSERT_TRUE(module);
  auto kernel = emulator::Kernel::compile(*module);
  ASSERT_TRUE(succeeded(kernel));
  auto result = kernel->run({iota(module, 64), empty(module, 64)});
  ASSERT_TRUE(succeeded(result));
  EXPECT_EQ(result->getNumRaces(), 1);
  for (const emulator::Report &report : result->reports) {
    EXPECT_EQ(report.buffer, module.get("buffer")->getLoc());
    if (report.kind != emulator::ReportKind::Race)
      continue;
    ASSERT_TRUE(report.other);
    Location store = module.get("store")->getLoc(),
             load = module.get("load")->getLoc();
    EXPECT_TRUE((report.at.loc == store && report.other->loc == load) ||
                (report.at.loc == load && report.other->loc == store));
    EXPECT_NE(report.at.isWrite, report.other->isWrite);
    EXPECT_NE(report.at.thread.thread, report.other->thread.thread);
  }
}

// The order in which threads run decides neither that a race is found nor
// whether a right kernel is clean.
TEST_F(EmulatorTest, OneOrderIsEnoughToFindARace) {
  TestModule module(getExchange(""));
  auto kernel = emulator::Kernel::compile(*module);
  ASSERT_TRUE(succeeded(kernel));
  emulator::LaunchOptions options;
  options.orders = 1;
  auto result = kernel->run({iota(module, 64), empty(module, 64)}, options);
  ASSERT_TRUE(succeeded(result));
  EXPECT_EQ(result->getNumRaces(), 1);
}

TEST_F(EmulatorTest, ASubgroupBarrierOrdersOneSubgroup) {
  TestModule module(getExchange("memspace.subgroup_barrier"));
  ASSERT_TRUE(module);
  for (unsigned size : {32u, 64u}) {
    emulator::CompileOptions options;
    options.subgroupSize = size;
    auto kernel = emulator::Kernel::compile(*module, options);
    ASSERT_TRUE(succeeded(kernel));
    EXPECT_EQ(kernel->getSubgroupSize(), size);
    auto result = kernel->run({iota(module, 64), empty(module, 64)});
    ASSERT_TRUE(succeeded(result));
    EXPECT_EQ(result->executedSubgroupBarriers, 1);
    EXPECT_EQ(result->getNumRaces(), size == 64 ? 0 : 1);
  }
}

TEST_F(EmulatorTest, WorkgroupsOnSeveralThreads) {
  TestModule module(R"mlir(
func.func @sum(%x: memref<4096xi32>, %out: memref<1xi32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %i = gpu.global_id x
  %v = memref.load %x[%i] : memref<4096xi32>
  %old = memref.atomic_rmw addi %v, %out[%c0] : (i32, memref<1xi32>) -> i32
  return
})mlir");
  ASSERT_TRUE(module);
  auto kernel = emulator::Kernel::compile(*module);
  ASSERT_TRUE(succeeded(kernel));
  Type i32 = Builder(module.getContext()).getI32Type();
  for (unsigned threads : {1u, 4u}) {
    emulator::LaunchOptions options;
    options.threads = threads;
    auto result = kernel->run({emulator::HostBuffer::iota(i32, {4096}),
                               emulator::HostBuffer::zeros(i32, {1})},
                              options);
    ASSERT_TRUE(succeeded(result));
    EXPECT_TRUE(result->isClean());
    EXPECT_EQ(result->arguments[1].getInteger(0), 4096 * 4095 / 2);
  }
}

TEST_F(EmulatorTest, StridedArguments) {
  TestModule module(R"mlir(
func.func @rows(%x: memref<4x8xf32, strided<[16, 1], offset: 3>>, %out: memref<?xf32, strided<[2]>>)
    attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %c8 = arith.constant 8 : index
  %t = gpu.thread_id x
  %i = arith.divui %t, %c8 : index
  %j = arith.remui %t, %c8 : index
  %v = memref.load %x[%i, %j] : memref<4x8xf32, strided<[16, 1], offset: 3>>
  memref.store %v, %out[%t] : memref<?xf32, strided<[2]>>
  return
})mlir");
  ASSERT_TRUE(module);
  auto kernel = emulator::Kernel::compile(*module);
  ASSERT_TRUE(succeeded(kernel));
  Type f32 = Builder(module.getContext()).getF32Type();
  auto result =
      kernel->run({emulator::HostBuffer::iota(f32, {4, 8}), empty(module, 32)});
  ASSERT_TRUE(succeeded(result));
  EXPECT_TRUE(result->isClean());
  EXPECT_TRUE(result->arguments[1].equals(iota(module, 32)));
}

TEST_F(EmulatorTest, ArgumentsThatDoNotFitAreRefused) {
  TestModule module(getExchange("gpu.barrier"));
  auto kernel = emulator::Kernel::compile(*module);
  ASSERT_TRUE(succeeded(kernel));
  auto run = [&](ArrayRef<emulator::HostBuffer> arguments,
                 const emulator::LaunchOptions &options = {}) {
    return getError(
        module, [&] { EXPECT_TRUE(failed(kernel->run(arguments, options))); });
  };
  EXPECT_EQ(run({}), "the kernel has 2 arguments, given are 0");
  EXPECT_EQ(run({iota(module, 64), iota(module, 63)}),
            "argument 1 of type 'memref<64xf32>' is given the shape [63]");
  Type i32 = Builder(module.getContext()).getI32Type();
  EXPECT_EQ(run({emulator::HostBuffer::zeros(i32, {64}), iota(module, 64)}),
            "argument 0 of type 'memref<64xf32>' is given other elements");
  emulator::LaunchOptions options;
  options.block = {32, 0, 0};
  EXPECT_EQ(run({iota(module, 64), iota(module, 64)}, options),
            "workgroup size 32 in dimension 0 contradicts the known size 64");
  options.block = {64, 17, 1};
  EXPECT_EQ(run({iota(module, 64), iota(module, 64)}, options),
            "workgroup size 17 in dimension 1 contradicts the known size 1");
}

TEST_F(EmulatorTest, LaunchesBeyondTheLimitsAreRefused) {
  TestModule module(R"mlir(
func.func @k(%x: memref<?xi8>) attributes {test.name = "kernel"} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i8
  memref.store %one, %x[%c0] {test.name = "store"} : memref<?xi8>
  return
})mlir");
  ASSERT_TRUE(module);
  auto kernel = emulator::Kernel::compile(*module);
  ASSERT_TRUE(succeeded(kernel));
  Type i8 = Builder(module.getContext()).getI8Type();
  auto run = [&](const emulator::LaunchOptions &options) {
    return getError(module, [&] {
      EXPECT_TRUE(failed(
          kernel->run({emulator::HostBuffer::zeros(i8, {1000})}, options)));
    });
  };
  emulator::LaunchOptions options;
  options.grid = {1, -1, 1};
  EXPECT_EQ(run(options), "grid size -1 is negative");
  options.grid = {1, 1, 1};
  options.block = {-1, -1, 1};
  EXPECT_EQ(run(options), "workgroup size -1 is negative");
  // 0 in 64 bits.
  options.block = {int64_t(1) << 32, int64_t(1) << 32, 1};
  EXPECT_EQ(run(options), "a workgroup has at most 1024 threads");
  options.block = {1, 1, 1};
  options.grid = {int64_t(1) << 32, int64_t(1) << 32, 1};
  EXPECT_EQ(run(options),
            "the grid has more threads than the emulator can number");
  options.grid = {1000, 1, 1};
  options.maxSteps = 127999;
  EXPECT_EQ(run(options),
            "the launch has 1000 threads, each of which is 128 steps of the "
            "127999 that 'max-steps' allows; run fewer, or allow more");
  options = {};
  options.threads = 257;
  EXPECT_EQ(run(options),
            "workgroups can be spread over at most 256 OS threads");
  options = {};
  options.maxMemoryBytes = 2000;
  EXPECT_EQ(run(options).rfind("memory limit: the buffers of the run", 0), 0u);
  // Enough for the bytes, not for what is known of each.
  options.maxMemoryBytes = 50000;
  EXPECT_EQ(run(options).rfind("memory limit: the buffers of the run", 0), 0u);
  options.maxMemoryBytes = 200000;
  EXPECT_TRUE(succeeded(
      kernel->run({emulator::HostBuffer::zeros(i8, {1000})}, options)));
}

// Each thread counts to 100 and comes to 100 barriers: 2 * 100 * (1 + 16) steps
// and some for the threads.
TEST_F(EmulatorTest, StepsAreThoseOfTheWholeRun) {
  TestModule module(R"mlir(
func.func @k() attributes {gpu.known_block_size = array<i32: 2, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  scf.for %i = %c0 to %c100 step %c1 {
    gpu.barrier
  }
  return
})mlir");
  ASSERT_TRUE(module);
  auto kernel = emulator::Kernel::compile(*module);
  ASSERT_TRUE(succeeded(kernel));
  emulator::LaunchOptions options;
  options.maxSteps = 3000;
  auto result = kernel->run({}, options);
  ASSERT_TRUE(succeeded(result));
  ASSERT_EQ(result->reports.size(), 1u);
  EXPECT_EQ(result->reports.front().kind, emulator::ReportKind::Deadlock);
  EXPECT_EQ(result->getNumDivergentBarriers(), 1);
  options.maxSteps = 4000;
  result = kernel->run({}, options);
  ASSERT_TRUE(succeeded(result));
  EXPECT_TRUE(result->isClean());
  // Each order has its own.
  options.orders = 10;
  EXPECT_TRUE(kernel->run({}, options)->isClean());
  // All workgroups and OS threads share them.
  options.grid = {8, 1, 1};
  for (unsigned threads : {1u, 4u}) {
    options.threads = threads;
    EXPECT_GT(kernel->run({}, options)->getNumDivergentBarriers(), 0);
  }
  options.maxSteps = 8 * 4000;
  EXPECT_TRUE(kernel->run({}, options)->isClean());
}

// What a file would have: the sign of the type.
TEST_F(EmulatorTest, PaddedIntegersComeOutByTheirSign) {
  TestModule module(R"mlir(
func.func @k(%x: memref<4xi4>, %y: memref<4xi32>) attributes {gpu.known_block_size = array<i32: 4, 1, 1>} {
  %t = gpu.thread_id x
  %v = memref.load %x[%t] : memref<4xi4>
  %u = arith.extui %v : i4 to i32
  memref.store %u, %y[%t] : memref<4xi32>
  %w = arith.addi %v, %v : i4
  memref.store %w, %x[%t] : memref<4xi4>
  return
})mlir");
  ASSERT_TRUE(module);
  auto kernel = emulator::Kernel::compile(*module);
  ASSERT_TRUE(succeeded(kernel));
  Builder builder(module.getContext());
  Type i4 = builder.getIntegerType(4), i32 = builder.getI32Type();
  emulator::HostBuffer x = emulator::HostBuffer::fill(i4, {4}, -3);
  // Garbage above the bits counts for nothing.
  x.bytes[1] = 0x5D;
  auto result = kernel->run({x, emulator::HostBuffer::uninitialized(i32, {4})});
  ASSERT_TRUE(succeeded(result));
  EXPECT_TRUE(result->isClean());
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(result->arguments[0].getInteger(i), -6);
    EXPECT_EQ(result->arguments[0].bytes[i], 0xFA);
    EXPECT_EQ(result->arguments[1].getInteger(i), 13);
  }
}

TEST_F(EmulatorTest, AccessesAreTracedOnOneThread) {
  TestModule module(getExchange("gpu.barrier"));
  auto kernel = emulator::Kernel::compile(*module);
  ASSERT_TRUE(succeeded(kernel));
  emulator::LaunchOptions options;
  int64_t accesses = 0;
  options.onAccess = [&](const emulator::TracedAccess &) { ++accesses; };
  options.threads = 2;
  auto run = [&] {
    return kernel->run({iota(module, 64), empty(module, 64)}, options);
  };
  EXPECT_EQ(getError(module, [&] { EXPECT_TRUE(failed(run())); }),
            "accesses are traced on one OS thread only; leave 'threads' at 1");
  options.threads = 1;
  ASSERT_TRUE(succeeded(run()));
  EXPECT_EQ(accesses, 4 * 64);
}

TEST_F(EmulatorTest, TensorsAreRefused) {
  TestModule module(R"mlir(
func.func @tensors(%x: tensor<64xf32>) -> tensor<64xf32> attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  return %x : tensor<64xf32>
})mlir");
  ASSERT_TRUE(module);
  EXPECT_EQ(getError(module,
                     [&] {
                       EXPECT_TRUE(failed(emulator::Kernel::compile(*module)));
                     }),
            "a kernel has no results; return through memref arguments");
}

// The module is only read: a compiler can run the kernel between two passes.
TEST_F(EmulatorTest, TheModuleIsNotChanged) {
  TestModule module(getExchange("gpu.barrier"));
  std::string before, after;
  llvm::raw_string_ostream(before) << *module;
  ASSERT_TRUE(succeeded(emulator::Kernel::compile(*module)));
  llvm::raw_string_ostream(after) << *module;
  EXPECT_EQ(before, after);
}
