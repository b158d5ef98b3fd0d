//===- TensorBenchmark.cpp - kernels on tensors that grow -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The passes from tensors to memrefs, and the kernel pipeline, over the number
// of ops, for kernels of several shapes; `one_shot` is the time by the time of
// upstream's
// `-one-shot-bufferize` on the same kernel.
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Transforms/Passes.h"
#include "MemSpace/Transforms/Pipelines.h"
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

  /// Another kernel altogether.
  explicit KernelText(std::string head) : text(std::move(head)) {}

  std::string getNew() { return "%v" + std::to_string(count++); }
  void add(const std::string &line) { text += line + "\n"; }

  /// Adds `lines` with `$name` replaced by what `names` says.
  void add(StringRef lines,
           std::initializer_list<std::pair<const char *, std::string>> names) {
    std::string filled = lines.str();
    for (const auto &[name, value] : names)
      for (size_t at = 0; (at = filled.find(name, at)) != std::string::npos;
           at += value.size())
        filled.replace(at, StringRef(name).size(), value);
    add(filled);
  }

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

  std::string finish(const std::string &result,
                     const std::string &shape = "1024xf32") {
    return text + "bufferization.materialize_in_destination " + result +
           " in restrict writable %Y : (tensor<" + shape + ">, memref<" +
           shape + ">) -> ()\nreturn\n}";
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

/// Sums of two tiles each, of all tiles of the level below.
static std::string makeTree(int64_t n) {
  KernelText kernel;
  std::vector<std::string> level;
  for (int64_t i = 0; i < (n + 1) / 2; ++i)
    level.push_back(kernel.mapThreads("%x", "own", kernel.makeTile()));
  while (level.size() > 1) {
    std::vector<std::string> sums;
    for (size_t i = 0; i + 1 < level.size(); i += 2) {
      std::string sum = kernel.getNew(), tile = kernel.makeTile();
      kernel.add(R"(
        $sum = scf.forall (%t) in (256) shared_outs(%o = $tile)
            -> (tensor<1024xf32>) {
          %w = affine.apply #own(%t)
          %r = affine.apply #other(%t)
          %a = tensor.extract_slice $left[%r] [4] [1]
              : tensor<1024xf32> to tensor<4xf32>
          %b = tensor.extract_slice $right[%r] [4] [1]
              : tensor<1024xf32> to tensor<4xf32>
          %d = tensor.extract_slice %o[%w] [4] [1]
              : tensor<1024xf32> to tensor<4xf32>
          %g = linalg.add ins(%a, %b : tensor<4xf32>, tensor<4xf32>)
                          outs(%d : tensor<4xf32>) -> tensor<4xf32>
          scf.forall.in_parallel {
            tensor.parallel_insert_slice %g into %o[%w] [4] [1]
                : tensor<4xf32> into tensor<1024xf32>
          }
        } {mapping = [#gpu.thread<x>]})",
                 {{"$sum", sum},
                  {"$tile", tile},
                  {"$left", level[i]},
                  {"$right", level[i + 1]}});
      sums.push_back(sum);
    }
    if (level.size() % 2)
      sums.push_back(level.back());
    level = std::move(sums);
  }
  return kernel.finish(level.front());
}

/// Each thread sums up its part, all threads sum up those sums, and the next
/// step has the sum in it.
static std::string makeReductions(int64_t n) {
  KernelText kernel;
  std::string last = "%x";
  for (int64_t i = 0; i < std::max<int64_t>(1, n / 3); ++i) {
    std::string result = kernel.getNew(), tile = kernel.makeTile();
    kernel.add(R"(
      %pe$i = tensor.empty() : tensor<256xf32>
      %p$i = scf.forall (%t) in (256) shared_outs(%o = %pe$i)
          -> (tensor<256xf32>) {
        %w = affine.apply #own(%t)
        %s = tensor.extract_slice $last[%w] [4] [1]
            : tensor<1024xf32> to tensor<4xf32>
        %e = tensor.empty() : tensor<f32>
        %z = linalg.fill ins(%f : f32) outs(%e : tensor<f32>) -> tensor<f32>
        %m = linalg.reduce { arith.addf } ins(%s : tensor<4xf32>)
            outs(%z : tensor<f32>) dimensions = [0]
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %m into %o[%t] [1] [1]
              : tensor<f32> into tensor<256xf32>
        }
      } {mapping = [#gpu.thread<x>]}
      %e$i = tensor.empty() : tensor<f32>
      %z$i = linalg.fill ins(%f : f32) outs(%e$i : tensor<f32>) -> tensor<f32>
      %s$i = linalg.reduce { arith.addf } ins(%p$i : tensor<256xf32>)
          outs(%z$i : tensor<f32>) dimensions = [0]
      $result = scf.forall (%t) in (256) shared_outs(%o = $tile)
          -> (tensor<1024xf32>) {
        %w = affine.apply #own(%t)
        %s = tensor.extract_slice $last[%w] [4] [1]
            : tensor<1024xf32> to tensor<4xf32>
        %d = tensor.extract_slice %o[%w] [4] [1]
            : tensor<1024xf32> to tensor<4xf32>
        %g = linalg.generic {
            indexing_maps = [affine_map<(d) -> (d)>, affine_map<(d) -> ()>,
                             affine_map<(d) -> (d)>],
            iterator_types = ["parallel"]}
            ins(%s, %s$i : tensor<4xf32>, tensor<f32>)
            outs(%d : tensor<4xf32>) {
        ^bb0(%a: f32, %b: f32, %c: f32):
          %y = arith.subf %a, %b : f32
          linalg.yield %y : f32
        } -> tensor<4xf32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %g into %o[%w] [4] [1]
              : tensor<4xf32> into tensor<1024xf32>
        }
      } {mapping = [#gpu.thread<x>]})",
               {{"$i", std::to_string(i)},
                {"$last", last},
                {"$result", result},
                {"$tile", tile}});
    last = result;
  }
  return kernel.finish(last);
}

/// A matmul of which each step of K loads a tile of either matrix.
static std::string makeUnrolledK(int64_t n) {
  int64_t steps = std::max<int64_t>(1, n / 3);
  std::string k = std::to_string(16 * steps);
  KernelText kernel(R"(
    #by4 = affine_map<(t) -> (t * 4)>
    func.func @kernel(%A: memref<64x)" +
                    k + "xf32>, %B: memref<" + k +
                    R"(x64xf32>, %Y: memref<64x64xf32>) attributes {
        gpu.known_block_size = array<i32: 16, 16, 1>,
        gpu.known_grid_size = array<i32: 1, 1, 1>} {
      %f = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<64x64xf32>
      %c = linalg.fill ins(%f : f32) outs(%e : tensor<64x64xf32>)
          -> tensor<64x64xf32>
  )");
  kernel.add(R"(
      %a = bufferization.to_tensor %A restrict : memref<64x$kxf32> to
          tensor<64x$kxf32>
      %b = bufferization.to_tensor %B restrict : memref<$kx64xf32> to
          tensor<$kx64xf32>)",
             {{"$k", k}});
  std::string last = "%c";
  for (int64_t i = 0; i < steps; ++i) {
    std::string result = kernel.getNew();
    kernel.add(R"(
      %k$i = arith.constant $at : index
      %ae$i = tensor.empty() : tensor<64x16xf32>
      %a$i = scf.forall (%ty, %tx) in (16, 16) shared_outs(%o = %ae$i)
          -> (tensor<64x16xf32>) {
        %r = affine.apply #by4(%ty)
        %q = arith.addi %k$i, %tx : index
        %s = tensor.extract_slice %a[%r, %q] [4, 1] [1, 1]
            : tensor<64x$kxf32> to tensor<4x1xf32>
        %d = tensor.extract_slice %o[%r, %tx] [4, 1] [1, 1]
            : tensor<64x16xf32> to tensor<4x1xf32>
        %l = linalg.copy ins(%s : tensor<4x1xf32>) outs(%d : tensor<4x1xf32>)
            -> tensor<4x1xf32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %l into %o[%r, %tx] [4, 1] [1, 1]
              : tensor<4x1xf32> into tensor<64x16xf32>
        }
      } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
      %be$i = tensor.empty() : tensor<16x64xf32>
      %b$i = scf.forall (%ty, %tx) in (16, 16) shared_outs(%o = %be$i)
          -> (tensor<16x64xf32>) {
        %r = arith.addi %k$i, %ty : index
        %q = affine.apply #by4(%tx)
        %s = tensor.extract_slice %b[%r, %q] [1, 4] [1, 1]
            : tensor<$kx64xf32> to tensor<1x4xf32>
        %d = tensor.extract_slice %o[%ty, %q] [1, 4] [1, 1]
            : tensor<16x64xf32> to tensor<1x4xf32>
        %l = linalg.copy ins(%s : tensor<1x4xf32>) outs(%d : tensor<1x4xf32>)
            -> tensor<1x4xf32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %l into %o[%ty, %q] [1, 4] [1, 1]
              : tensor<1x4xf32> into tensor<16x64xf32>
        }
      } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
      $result = scf.forall (%ty, %tx) in (16, 16) shared_outs(%o = $last)
          -> (tensor<64x64xf32>) {
        %r = affine.apply #by4(%ty)
        %q = affine.apply #by4(%tx)
        %s = tensor.extract_slice %a$i[%r, 0] [4, 16] [1, 1]
            : tensor<64x16xf32> to tensor<4x16xf32>
        %u = tensor.extract_slice %b$i[0, %q] [16, 4] [1, 1]
            : tensor<16x64xf32> to tensor<16x4xf32>
        %d = tensor.extract_slice %o[%r, %q] [4, 4] [1, 1]
            : tensor<64x64xf32> to tensor<4x4xf32>
        %m = linalg.matmul ins(%s, %u : tensor<4x16xf32>, tensor<16x4xf32>)
            outs(%d : tensor<4x4xf32>) -> tensor<4x4xf32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %m into %o[%r, %q] [4, 4] [1, 1]
              : tensor<4x4xf32> into tensor<64x64xf32>
        }
      } {mapping = [#gpu.thread<y>, #gpu.thread<x>]})",
               {{"$i", std::to_string(i)},
                {"$at", std::to_string(16 * i)},
                {"$k", k},
                {"$last", last},
                {"$result", result}});
    last = result;
  }
  return kernel.finish(last, "64x64xf32");
}

/// Warps with lanes inside, which read each other's element.
static std::string makeNests(int64_t n) {
  KernelText kernel;
  std::string last = "%x";
  for (int64_t i = 0; i < n; ++i) {
    std::string result = kernel.getNew(), tile = kernel.makeTile();
    kernel.add(R"(
      $result = scf.forall (%w) in (4) shared_outs(%o = $tile)
          -> (tensor<1024xf32>) {
        %b = affine.apply affine_map<(t) -> (t * 256)>(%w)
        %s = tensor.extract_slice $last[%b] [256] [1]
            : tensor<1024xf32> to tensor<256xf32>
        %d = tensor.extract_slice %o[%b] [256] [1]
            : tensor<1024xf32> to tensor<256xf32>
        %l = scf.forall (%t) in (64) shared_outs(%p = %d)
            -> (tensor<256xf32>) {
          %q = affine.apply #own(%t)
          %r = affine.apply affine_map<(t) -> (252 - t * 4)>(%t)
          %x1 = tensor.extract_slice %s[%r] [4] [1]
              : tensor<256xf32> to tensor<4xf32>
          %x2 = tensor.extract_slice %p[%q] [4] [1]
              : tensor<256xf32> to tensor<4xf32>
          %g = linalg.exp ins(%x1 : tensor<4xf32>) outs(%x2 : tensor<4xf32>)
              -> tensor<4xf32>
          scf.forall.in_parallel {
            tensor.parallel_insert_slice %g into %p[%q] [4] [1]
                : tensor<4xf32> into tensor<256xf32>
          }
        } {mapping = [#gpu.lane<linear_dim_0>]}
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %l into %o[%b] [256] [1]
              : tensor<256xf32> into tensor<1024xf32>
        }
      } {mapping = [#gpu.warp<linear_dim_0>]})",
               {{"$result", result}, {"$tile", tile}, {"$last", last}});
    last = result;
  }
  return kernel.finish(last);
}

/// Loops in each other, each of which carries a tile and makes a fresh one.
static std::string makeLoopNest(int64_t depth) {
  KernelText kernel;
  std::string last = kernel.mapThreads("%x", "own", kernel.makeTile());
  std::vector<std::string> loops;
  for (int64_t i = 0; i < depth; ++i) {
    loops.push_back(kernel.getNew());
    std::string carried = "%a" + std::to_string(i);
    kernel.add(loops.back() + " = scf.for %i" + std::to_string(i) +
               " = %c0 to %c4 step %c1 iter_args(" + carried + " = " + last +
               ") -> (tensor<1024xf32>) {");
    last = kernel.mapThreads(carried, "other", kernel.makeTile());
  }
  for (const std::string &loop : llvm::reverse(loops)) {
    kernel.add("scf.yield " + last + " : tensor<1024xf32>\n}");
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

/// The whole way, to code of threads with barriers that are verified.
static void addPipelineFor(OpPassManager &pm, StringRef chip) {
  KernelPipelineOptions options;
  options.chip = chip.str();
  options.privateLimit = 100000000;
  buildKernelPipeline(pm, options);
}

static void addPipeline(OpPassManager &pm) { addPipelineFor(pm, "gfx942"); }

/// Warps have 32 lanes, each of which does the work of two.
static void addNarrowPipeline(OpPassManager &pm) {
  addPipelineFor(pm, "sm_90");
}

static void addUpstreams(OpPassManager &pm) {
  bufferization::OneShotBufferizePassOptions options;
  options.allowReturnAllocsFromLoops = true;
  pm.addPass(bufferization::createOneShotBufferizePass(options));
}

static void measure(benchmark::State &state, std::string (*make)(int64_t),
                    void (*addPasses)(OpPassManager &)) {
  std::string source = make(state.range(0));
  double seconds = 0;
  for (auto _ : state) {
    seconds = runPasses(source, addPasses);
    if (seconds < 0)
      return state.SkipWithError("the kernel is refused");
    state.SetIterationTime(seconds);
  }
  state.counters["one_shot"] = seconds / runPasses(source, addUpstreams);
}

#define MEMSPACE_TENSOR_BENCHMARK(NAME)                                        \
  BENCHMARK_CAPTURE(measure, NAME, make##NAME, addOurs)                        \
      ->Arg(100)                                                               \
      ->Arg(300)                                                               \
      ->Arg(1000)                                                              \
      ->UseManualTime()                                                        \
      ->Unit(benchmark::kMillisecond)
#define MEMSPACE_PIPELINE_BENCHMARK(NAME)                                      \
  BENCHMARK_CAPTURE(measure, NAME##Pipeline, make##NAME, addPipeline)          \
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
MEMSPACE_TENSOR_BENCHMARK(Tree);
MEMSPACE_TENSOR_BENCHMARK(Reductions);
MEMSPACE_TENSOR_BENCHMARK(UnrolledK);
MEMSPACE_TENSOR_BENCHMARK(Nests);
BENCHMARK_CAPTURE(measure, LoopNest, makeLoopNest, addOurs)
    ->Arg(4)
    ->Arg(8)
    ->Arg(16)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
MEMSPACE_PIPELINE_BENCHMARK(AlignedChain);
MEMSPACE_PIPELINE_BENCHMARK(SharedChain);
MEMSPACE_PIPELINE_BENCHMARK(UniformChain);
MEMSPACE_PIPELINE_BENCHMARK(Updates);
MEMSPACE_PIPELINE_BENCHMARK(Reductions);
MEMSPACE_PIPELINE_BENCHMARK(UnrolledK);
MEMSPACE_PIPELINE_BENCHMARK(Nests);
BENCHMARK_CAPTURE(measure, NarrowNestsPipeline, makeNests, addNarrowPipeline)
    ->Arg(100)
    ->Arg(300)
    ->Arg(1000)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
