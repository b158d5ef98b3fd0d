//===- TensorBenchmark.cpp - kernels on tensors that grow -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The passes from tensors to memrefs over the number of ops, for kernels of
// several shapes; `one_shot` is the time by the time of upstream's
// `-one-shot-bufferize` on the same kernel.
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Transforms/Passes.h"
#include "TestModule.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include <benchmark/benchmark.h>
#include <chrono>
#include <string>

using namespace mlir;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

namespace {
/// A kernel on `tensor<1024xf32>`, of which each of 256 threads has 4 elements.
class KernelText {
public:
  KernelText() {
    text = R"(
      #own = affine_map<(t) -> (t * 4)>
      #other = affine_map<(t) -> (1020 - t * 4)>
      func.func @kernel(%X: memref<1024xf32>, %Y: memref<1024xf32>) attributes {
          gpu.known_block_size = array<i32: 256, 1, 1>,
          gpu.known_grid_size = array<i32: 1, 1, 1>} {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        %f = arith.constant 0.0 : f32
        %x = bufferization.to_tensor %X restrict : memref<1024xf32> to tensor<1024xf32>
    )";
  }

  std::string getNew() { return "%v" + std::to_string(count++); }
  void add(const std::string &line) { text += line + "\n"; }

  /// What the threads compute, 4 elements each, of those that `map` says, and
  /// put where `into` has their own.
  std::string mapThreads(const std::string &from, const std::string &map,
                         const std::string &into) {
    std::string result = getNew();
    add(result + " = scf.forall (%t) in (256) shared_outs(%o = " + into +
        ") -> (tensor<1024xf32>) {\n%w = affine.apply #own(%t)\n%r = "
        "affine.apply #" +
        map + "(%t)\n%s = tensor.extract_slice " + from +
        "[%r] [4] [1] : tensor<1024xf32> to tensor<4xf32>\n"
        "%d = tensor.extract_slice %o[%w] [4] [1] : tensor<1024xf32> to "
        "tensor<4xf32>\n"
        "%g = linalg.exp ins(%s : tensor<4xf32>) outs(%d : tensor<4xf32>) -> "
        "tensor<4xf32>\nscf.forall.in_parallel {\n"
        "tensor.parallel_insert_slice %g into %o[%w] [4] [1] : tensor<4xf32> "
        "into tensor<1024xf32>\n}\n} {mapping = [#gpu.thread<x>]}");
    return result;
  }

  std::string makeTile() {
    std::string result = getNew();
    add(result + " = tensor.empty() : tensor<1024xf32>");
    return result;
  }

  std::string finish(const std::string &result) {
    return text + "bufferization.materialize_in_destination " + result +
           " in restrict writable %Y : (tensor<1024xf32>, memref<1024xf32>) "
           "-> ()\nreturn\n}";
  }

private:
  std::string text;
  unsigned count = 0;
};
} // namespace

/// Each op reads the tile that the one before has made.
static std::string makeChain(int64_t n, const std::string &map) {
  KernelText kernel;
  std::string last = "%x";
  for (int64_t i = 0; i < n; ++i)
    last = kernel.mapThreads(last, map, kernel.makeTile());
  return kernel.finish(last);
}

static std::string makeAlignedChain(int64_t n) { return makeChain(n, "own"); }
static std::string makeSharedChain(int64_t n) { return makeChain(n, "other"); }

/// The same by all threads together.
static std::string makeUniformChain(int64_t n) {
  KernelText kernel;
  std::string last = "%x";
  for (int64_t i = 0; i < n; ++i) {
    std::string tile = kernel.makeTile(), result = kernel.getNew();
    kernel.add(result + " = linalg.exp ins(" + last +
               " : tensor<1024xf32>) outs(" + tile +
               " : tensor<1024xf32>) -> tensor<1024xf32>");
    last = result;
  }
  return kernel.finish(last);
}

/// One tile that is written again and again.
static std::string makeUpdates(int64_t n) {
  KernelText kernel;
  std::string last = kernel.getNew();
  kernel.add(last + " = linalg.fill ins(%f : f32) outs(" + kernel.makeTile() +
             " : tensor<1024xf32>) -> tensor<1024xf32>");
  for (int64_t i = 0; i < n; ++i)
    last = kernel.mapThreads("%x", "own", last);
  return kernel.finish(last);
}

/// Loops in a row, each of which makes a fresh tile in each iteration.
static std::string makeLoops(int64_t n) {
  KernelText kernel;
  std::string last = kernel.mapThreads("%x", "own", kernel.makeTile());
  for (int64_t i = 0; i < n; ++i) {
    std::string loop = kernel.getNew();
    kernel.add(loop + " = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = " +
               last + ") -> (tensor<1024xf32>) {");
    std::string made = kernel.mapThreads("%a", "other", kernel.makeTile());
    kernel.add("scf.yield " + made + " : tensor<1024xf32>\n}");
    last = loop;
  }
  return kernel.finish(last);
}

//===----------------------------------------------------------------------===//
// Measurements
//===----------------------------------------------------------------------===//

static double runPasses(StringRef source,
                        function_ref<void(OpPassManager &)> addPasses) {
  TestModule module(source);
  if (!module)
    return -1;
  PassManager pm((*module)->getContext());
  pm.enableVerifier(false);
  addPasses(pm);
  auto start = std::chrono::steady_clock::now();
  if (failed(pm.run(*module)))
    return -1;
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

static void addOurs(OpPassManager &pm) {
  NormalizeKernelsPassOptions normalize;
  normalize.chip = "gfx942";
  DistributeToThreadsPassOptions distribute;
  distribute.chip = "gfx942";
  InferMemorySpacesPassOptions infer;
  infer.chip = "gfx942";
  infer.privateLimit = 100000000;
  distribute.privateLimit = 100000000;
  BufferizePassOptions bufferize;
  bufferize.chip = "gfx942";
  pm.addPass(createNormalizeKernelsPass(normalize));
  pm.addPass(createDistributeToThreadsPass(distribute));
  pm.addPass(createInferMemorySpacesPass(infer));
  pm.addPass(createBufferizePass(bufferize));
}

static void addUpstreams(OpPassManager &pm) {
  bufferization::OneShotBufferizePassOptions options;
  options.allowReturnAllocsFromLoops = true;
  pm.addPass(bufferization::createOneShotBufferizePass(options));
}

static void measure(benchmark::State &state, std::string (*make)(int64_t)) {
  std::string source = make(state.range(0));
  double seconds = 0;
  for (auto _ : state) {
    seconds = runPasses(source, addOurs);
    if (seconds < 0)
      return state.SkipWithError("the kernel is refused");
    state.SetIterationTime(seconds);
  }
  state.counters["one_shot"] = seconds / runPasses(source, addUpstreams);
}

#define MEMSPACE_TENSOR_BENCHMARK(NAME)                                        \
  BENCHMARK_CAPTURE(measure, NAME, make##NAME)                                 \
      ->Arg(100)                                                               \
      ->Arg(300)                                                               \
      ->Arg(1000)                                                              \
      ->UseManualTime()                                                        \
      ->Unit(benchmark::kMillisecond)
MEMSPACE_TENSOR_BENCHMARK(AlignedChain);
MEMSPACE_TENSOR_BENCHMARK(SharedChain);
MEMSPACE_TENSOR_BENCHMARK(UniformChain);
MEMSPACE_TENSOR_BENCHMARK(Updates);
MEMSPACE_TENSOR_BENCHMARK(Loops);

BENCHMARK_MAIN();
