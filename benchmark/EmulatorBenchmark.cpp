//===- EmulatorBenchmark.cpp - cost of an emulated access -----------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `items_per_second` counts instrumented accesses.
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Emulator/Emulator.h"
#include "TestModule.h"
#include <benchmark/benchmark.h>

using namespace mlir;
using namespace mlir::memspace;

/// Each of 256 threads reads COUNT neighbours of its element from a tile in
/// workgroup memory, adds them up in SPACE, and stores the sum.
static std::string getKernel(int64_t count) {
  return R"mlir(
#wg = #gpu.address_space<workgroup>
func.func @sum(%x: memref<256xf32>, %out: memref<256xf32>)
    attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %count = arith.constant )mlir" +
         std::to_string(count) + R"mlir( : index
  %zero = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %tile = memref.alloc() : memref<256xf32, #wg>
  %v = memref.load %x[%t] : memref<256xf32>
  memref.store %v, %tile[%t] : memref<256xf32, #wg>
  gpu.barrier
  %sum = scf.for %i = %c0 to %count step %c1 iter_args(%acc = %zero) -> f32 {
    %n = arith.addi %t, %i : index
    %m = arith.remui %n, %c256 : index
    %w = memref.load %tile[%m] : memref<256xf32, #wg>
    %a = arith.addf %acc, %w : f32
    scf.yield %a : f32
  }
  memref.store %sum, %out[%t] : memref<256xf32>
  return
})mlir";
}

static SmallVector<emulator::HostBuffer> getArguments(TestModule &module) {
  Type f32 = Float32Type::get(module.getContext());
  return {emulator::HostBuffer::random(f32, {256}, 1),
          emulator::HostBuffer::uninitialized(f32, {256})};
}

static void runAccesses(benchmark::State &state) {
  TestModule module(getKernel(state.range(0)));
  auto kernel = emulator::Kernel::compile(*module);
  SmallVector<emulator::HostBuffer> arguments = getArguments(module);
  emulator::LaunchOptions options;
  options.orders = 1;
  int64_t accesses = 0;
  for (auto _ : state)
    accesses += kernel->run(arguments, options)->accesses;
  state.SetItemsProcessed(accesses);
}
BENCHMARK(runAccesses)
    ->Arg(16)
    ->Arg(256)
    ->Arg(4096)
    ->Unit(benchmark::kMillisecond);

static void compile(benchmark::State &state) {
  TestModule module(getKernel(16));
  for (auto _ : state)
    benchmark::DoNotOptimize(emulator::Kernel::compile(*module));
}
BENCHMARK(compile)->Unit(benchmark::kMillisecond);

/// The cost of 256 threads that wait for each other.
static void passBarriers(benchmark::State &state) {
  TestModule module(R"mlir(
func.func @wait() attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  scf.for %i = %c0 to %c100 step %c1 {
    gpu.barrier
  }
  return
})mlir");
  auto kernel = emulator::Kernel::compile(*module);
  emulator::LaunchOptions options;
  options.orders = 1;
  int64_t barriers = 0;
  for (auto _ : state)
    barriers += kernel->run({}, options)->executedBarriers;
  state.SetItemsProcessed(barriers);
}
BENCHMARK(passBarriers)->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
