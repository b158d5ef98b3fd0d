//===- HazardBenchmark.cpp - cost of hazards, placement and proof -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// HazardAnalysis on generated kernels of N accesses: the time to collect the
// accesses and to ask for the hazard of each pair. `questions` is the number of
// pairs that no cheap test decides and no equal pair has answered; `hazards`
// the share of pairs with a hazard. Then what the passes do: BarrierPlacement,
// with the barriers it places, and BarrierVerifier on the kernel without any.
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Barriers/BarrierPlacement.h"
#include "MemSpace/Barriers/BarrierVerifier.h"
#include "MemSpace/Transforms/Passes.h"
#include "MemSpace/Transforms/Pipelines.h"
#include "SPMDKernel.h"
#include "TestContext.h"
#include "TestModule.h"
#include "mlir/Pass/PassManager.h"
#include <benchmark/benchmark.h>

using namespace mlir;
using namespace mlir::memspace;

namespace {
/// Its `%r` counts from 256 down, so that threads meet their neighbours.
struct Kernel : SPMDKernel {
  Kernel() : SPMDKernel(256) {}
};
} // namespace

/// One buffer; each access is 64 elements after the one before, so that it
/// overlaps those next to it, in a row by thread or against it.
static std::string getUnrolled(int64_t count) {
  Kernel kernel;
  std::ostringstream &os = kernel.os;
  std::string type =
      "memref<" + std::to_string(count * 64 + 512) + "xf32, #wg>";
  os << "%m = memref.alloc() : " << type << "\n";
  for (int64_t i = 0; i < count; ++i) {
    os << "%k" << i << " = arith.constant " << i * 64 << " : index\n"
       << "%i" << i << " = arith.addi " << (i % 3 ? "%t" : "%r") << ", %k" << i
       << " : index\n";
    kernel.addAccess(i % 2, "%m[%i" + std::to_string(i) + "] : " + type);
  }
  return kernel.finish();
}

/// Buffers of eight accesses each.
static std::string getManyBuffers(int64_t count) {
  Kernel kernel;
  std::ostringstream &os = kernel.os;
  for (int64_t i = 0; i < count; ++i) {
    std::string buffer = "%m" + std::to_string(i / 8);
    if (i % 8 == 0)
      os << buffer << " = memref.alloc() : memref<257xf32, #wg>\n";
    kernel.addAccess(i % 3 == 0, buffer + (i % 2 ? "[%t]" : "[%r]") +
                                     " : memref<257xf32, #wg>");
  }
  return kernel.finish();
}

/// Loops of sixteen accesses over tiles of one buffer of two dimensions.
static std::string getLoops(int64_t count) {
  Kernel kernel;
  std::ostringstream &os = kernel.os;
  std::string type =
      "memref<" + std::to_string(count / 16 * 4 + 16) + "x512xf32, #wg>";
  os << "%m = memref.alloc() : " << type << "\n";
  for (int64_t i = 0; i < count; ++i) {
    if (i % 16 == 0)
      os << "%row" << i << " = arith.constant " << i / 16 * 4 << " : index\n"
         << "scf.for %j" << i << " = %c0 to %c16 step %c1 {\n"
         << "%a" << i << " = arith.addi %row" << i << ", %j" << i
         << " : index\n";
    std::string loop = std::to_string(i / 16 * 16);
    os << "%k" << i << " = arith.constant " << i % 16 * 8 << " : index\n"
       << "%i" << i << " = arith.addi %t, %k" << i << " : index\n";
    kernel.addAccess(i % 4 == 0, "%m[%a" + loop + ", %i" + std::to_string(i) +
                                     "] : " + type);
    if (i % 16 == 15 || i + 1 == count)
      os << "}\n";
  }
  return kernel.finish();
}

/// Rows and columns of a linear index, each computed anew.
static std::string getDelinearized(int64_t count) {
  Kernel kernel;
  std::ostringstream &os = kernel.os;
  std::string type =
      "memref<" + std::to_string(count / 4 + 32) + "x32xf32, #wg>";
  os << "%m = memref.alloc() : " << type << "\n";
  for (int64_t i = 0; i < count; ++i) {
    std::string n = std::to_string(i);
    os << "%t" << n << " = gpu.thread_id x\n"
       << "%k" << n << " = arith.constant " << i * 16 << " : index\n"
       << "%d" << n << " = arith.constant 32 : index\n"
       << "%i" << n << " = arith.addi %t" << n << ", %k" << n << " : index\n"
       << "%row" << n << " = arith.divui %i" << n << ", %d" << n << " : index\n"
       << "%col" << n << " = arith.remui %i" << n << ", %d" << n
       << " : index\n";
    kernel.addAccess(i % 2, "%m[%row" + n + ", %col" + n + "] : " + type);
  }
  return kernel.finish();
}

/// Rows at places that are data, each another number, loaded before.
static std::string getDataDependent(int64_t count) {
  Kernel kernel;
  std::ostringstream &os = kernel.os;
  os << "%idx = memref.alloc() : memref<" << count << "xindex, #wg>\n"
     << "%m = memref.alloc() : memref<65536xf32, #wg>\n";
  for (int64_t i = 0; i < count / 2; ++i) {
    std::string n = std::to_string(i);
    os << "%k" << n << " = arith.constant " << i << " : index\n"
       << "%l" << n << " = memref.load %idx[%k" << n << "] : memref<" << count
       << "xindex, #wg>\n"
       << "%i" << n << " = arith.addi %t, %l" << n << " : index\n";
    kernel.addAccess(i % 2, "%m[%i" + n + "] : memref<65536xf32, #wg>");
  }
  return kernel.finish();
}

/// Element t * count + i: the bounds of all accesses overlap, no two meet.
static std::string getStrided(int64_t count) {
  Kernel kernel;
  std::ostringstream &os = kernel.os;
  std::string type = "memref<" + std::to_string(count * 256) + "xf32, #wg>";
  os << "%m = memref.alloc() : " << type << "\n"
     << "%count = arith.constant " << count << " : index\n"
     << "%row = arith.muli %t, %count : index\n";
  for (int64_t i = 0; i < count; ++i) {
    os << "%k" << i << " = arith.constant " << i << " : index\n"
       << "%i" << i << " = arith.addi %row, %k" << i << " : index\n";
    kernel.addAccess(i % 2, "%m[%i" + std::to_string(i) + "] : " + type);
  }
  return kernel.finish();
}

/// Both branches of `scf.if`s access one buffer, by thread or against it.
static std::string getBranches(int64_t count) {
  Kernel kernel;
  std::ostringstream &os = kernel.os;
  os << "%m = memref.alloc() : memref<257xf32, #wg>\n";
  for (int64_t i = 0; i < count; ++i) {
    if (i % 8 == 0)
      os << "%k" << i << " = arith.constant " << i << " : index\n"
         << "%if" << i << " = arith.cmpi slt, %n, %k" << i << " : index\n"
         << "scf.if %if" << i << " {\n";
    if (i % 8 == 4)
      os << "} else {\n";
    kernel.addAccess(i % 3 == 0, std::string(i % 5 < 2 ? "%m[%t]" : "%m[%r]") +
                                     " : memref<257xf32, #wg>");
    if (i % 8 == 7 || i + 1 == count)
      os << "}\n";
  }
  return kernel.finish();
}

static void allPairs(benchmark::State &state,
                     std::string (*generate)(int64_t count)) {
  TestModule module(generate(state.range(0)));
  if (!module)
    return state.SkipWithError("the kernel does not parse");
  FunctionOpInterface kernel = getKernels(*module).front();
  KernelContext context = getTestContext(kernel, 32);
  for (auto _ : state) {
    ThreadRelations relations(context);
    HazardAnalysis analysis(context, relations);
    unsigned count = analysis.getAccesses().size();
    int64_t hazards = 0;
    for (unsigned i = 0; i < count; ++i)
      for (unsigned j = i; j < count; ++j)
        hazards += static_cast<bool>(analysis.getHazard(i, j, nullptr));
    state.counters["questions"] = analysis.getNumQuestions();
    state.counters["hazards"] = 2.0 * hazards / count / count;
  }
  state.SetComplexityN(state.range(0));
}
#define ALL_PAIRS(NAME, GENERATOR)                                             \
  BENCHMARK_CAPTURE(allPairs, NAME, GENERATOR)                                 \
      ->RangeMultiplier(10)                                                    \
      ->Range(100, 10000)                                                      \
      ->Unit(benchmark::kMillisecond)                                          \
      ->Complexity()
ALL_PAIRS(unrolled, getUnrolled);
ALL_PAIRS(many_buffers, getManyBuffers);
ALL_PAIRS(loops, getLoops);
ALL_PAIRS(delinearized, getDelinearized);
ALL_PAIRS(data_dependent, getDataDependent);

static void placeBarriers(benchmark::State &state,
                          std::string (*generate)(int64_t count)) {
  TestModule module(generate(state.range(0)));
  if (!module)
    return state.SkipWithError("the kernel does not parse");
  FunctionOpInterface kernel = getKernels(*module).front();
  KernelContext context = getTestContext(kernel, 32);
  for (auto _ : state) {
    BarrierPlacement placement(context, BarrierPlacement::Mode::Insert);
    state.counters["barriers"] = placement.getBarriers().size();
    state.counters["optimal"] = placement.isOptimal();
  }
  state.SetComplexityN(state.range(0));
}

static void verifyBarriers(benchmark::State &state,
                           std::string (*generate)(int64_t count)) {
  TestModule module(generate(state.range(0)));
  if (!module)
    return state.SkipWithError("the kernel does not parse");
  FunctionOpInterface kernel = getKernels(*module).front();
  KernelContext context = getTestContext(kernel, 32);
  for (auto _ : state) {
    BarrierVerifier verifier(context);
    state.counters["hazards"] = verifier.getHazards().size();
  }
  state.SetComplexityN(state.range(0));
}

/// The kernel with its barriers, within the steps that the pipelines allow.
static void verifyPlaced(benchmark::State &state,
                         std::string (*generate)(int64_t count)) {
  TestModule module(generate(state.range(0)));
  if (!module)
    return state.SkipWithError("the kernel does not parse");
  PassManager pm(module.getContext());
  InsertBarriersPassOptions options;
  options.subgroupSize = 32;
  pm.addPass(createInsertBarriersPass(options));
  if (failed(pm.run(*module)))
    return state.SkipWithError("no barriers can be placed");
  KernelContext context = getTestContext(getKernels(*module).front(), 32);
  VerifierLimits limits;
  limits.steps = kVerifierWorkLimit;
  for (auto _ : state) {
    BarrierVerifier verifier(context, limits);
    state.counters["hazards"] = verifier.getHazards().size();
    state.counters["gave_up"] = verifier.hasGivenUp();
  }
  state.SetComplexityN(state.range(0));
}
#define PASSES(NAME, GENERATOR)                                                \
  BENCHMARK_CAPTURE(placeBarriers, NAME, GENERATOR)                            \
      ->RangeMultiplier(10)                                                    \
      ->Range(100, 10000)                                                      \
      ->Unit(benchmark::kMillisecond)                                          \
      ->Complexity();                                                          \
  BENCHMARK_CAPTURE(verifyBarriers, NAME, GENERATOR)                           \
      ->RangeMultiplier(10)                                                    \
      ->Range(100, 10000)                                                      \
      ->Unit(benchmark::kMillisecond)                                          \
      ->Complexity();                                                          \
  BENCHMARK_CAPTURE(verifyPlaced, NAME, GENERATOR)                             \
      ->RangeMultiplier(10)                                                    \
      ->Range(100, 10000)                                                      \
      ->Unit(benchmark::kMillisecond)                                          \
      ->Complexity()
PASSES(unrolled, getUnrolled);
PASSES(many_buffers, getManyBuffers);
PASSES(loops, getLoops);
PASSES(strided, getStrided);
PASSES(branches, getBranches);

BENCHMARK_MAIN();
