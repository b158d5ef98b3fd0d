//===- PackingBenchmark.cpp - how long packing takes ----------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With MEMSPACE_PACKING_INSTANCES=FOLDER, the instances X.CAPACITY.csv there
// are solved as well, with all techniques and with each one off:
//
//   MEMSPACE_PACKING_INSTANCES=../shared/corpus/packing
//     build/benchmark/PackingBenchmark --benchmark_filter=instance
//
// With MEMSPACE_PACKING_TRACES=FOLDER, the fewest bytes of every other .csv
// file below it are searched. docs/packing.md says where there are public
// traces.
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Packing/CSV.h"
#include "MemSpace/Packing/Solvers.h"
#include "Packing/RandomProblems.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <benchmark/benchmark.h>
#include <cstdlib>
#include <map>

using namespace mlir::memspace::packing;

static std::vector<Problem> makeKernels(unsigned numBuffers) {
  std::vector<Problem> problems;
  for (unsigned seed = 0; seed < 200; ++seed) {
    RandomProblems random(seed);
    problems.push_back(random.makeKernel(numBuffers, random.pickStyle()));
  }
  return problems;
}

/// Buffers with one interval each; about 100 are live at once.
static Problem makeIntervals(unsigned numBuffers) {
  RandomProblems random(numBuffers);
  Problem problem;
  for (unsigned i = 0; i < numBuffers; ++i) {
    int64_t begin = random.pick(0, numBuffers);
    problem.buffers.push_back({std::to_string(i),
                               random.pick(1, 256) * 64,
                               16,
                               {{begin, begin + random.pick(1, 200)}}});
  }
  return problem;
}

/// The mean over 200 kernels; `proved` is the share that is proved optimal.
static void exactKernels(benchmark::State &state) {
  std::vector<Problem> problems = makeKernels(state.range(0));
  unsigned solved = 0, proved = 0;
  for (auto _ : state)
    for (const Problem &problem : problems) {
      ++solved;
      proved += solveExact(problem).proved;
    }
  state.SetItemsProcessed(solved);
  state.counters["proved"] = double(proved) / solved;
}
BENCHMARK(exactKernels)
    ->Arg(4)
    ->Arg(8)
    ->Arg(12)
    ->Arg(16)
    ->Arg(24)
    ->Arg(32)
    ->Arg(40)
    ->Unit(benchmark::kMillisecond);

static void exactIntervals(benchmark::State &state) {
  Problem problem = makeIntervals(state.range(0));
  ExactResult result;
  for (auto _ : state)
    result = solveExact(problem);
  state.counters["proved"] = result.proved;
  state.counters["aboveBound"] =
      double(result.solution->height) / result.lowerBound - 1;
}
BENCHMARK(exactIntervals)
    ->Arg(100)
    ->Arg(300)
    ->Arg(1000)
    ->Arg(2000)
    ->Unit(benchmark::kMillisecond);

template <Solution (*solve)(const Problem &)>
static void heuristic(benchmark::State &state) {
  Problem problem = makeIntervals(state.range(0));
  Solution solution;
  for (auto _ : state)
    solution = solve(problem);
  state.counters["aboveBound"] =
      double(solution.height) / getLowerBound(problem) - 1;
}
BENCHMARK(heuristic<greedyBySize>)
    ->RangeMultiplier(10)
    ->Range(10, 10000)
    ->Unit(benchmark::kMillisecond);

/// More buffers than are searched; `abovePeak` is a share.
static void exactNetwork(benchmark::State &state) {
  // Of this seed first-fit leaves 1 % above the peak.
  Problem problem = RandomProblems(12).makeNetwork(state.range(0));
  ExactResult result;
  for (auto _ : state)
    result = solveExact(problem);
  state.counters["buffers"] = problem.buffers.size();
  state.counters["abovePeak"] =
      double(result.solution->height) / getPeakLiveBytes(problem) - 1;
}
BENCHMARK(exactNetwork)
    ->Arg(200)
    ->Arg(600)
    ->Arg(2000)
    ->Unit(benchmark::kMillisecond);

static Solution bestFitByDefault(const Problem &problem) {
  return bestFit(problem);
}
BENCHMARK(heuristic<bestFitByDefault>)
    ->RangeMultiplier(10)
    ->Range(10, 10000)
    ->Unit(benchmark::kMillisecond);

static void instance(benchmark::State &state, const Problem &problem,
                     const ExactOptions &options) {
  ExactResult result;
  for (auto _ : state)
    result = solveExact(problem, options);
  state.counters["solved"] = result.solution.has_value();
  state.counters["nodes"] = result.nodes;
}

/// Each instance with all techniques, and with each one off.
static void registerInstances(llvm::StringRef folder) {
  static std::map<std::string, Problem> problems;
  std::error_code code;
  for (llvm::sys::fs::directory_iterator file(folder, code), end;
       file != end && !code; file.increment(code)) {
    llvm::StringRef name = llvm::sys::path::stem(file->path());
    ExactOptions options;
    options.minimize = false;
    options.maxNodes = 20'000'000;
    options.maxSeconds = 10;
    int64_t capacity;
    auto text = llvm::MemoryBuffer::getFile(file->path());
    if (name.rsplit('.').second.getAsInteger(10, capacity) || !text)
      continue;
    llvm::Expected<Problem> problem = parseCSV((*text)->getBuffer());
    if (!problem) {
      llvm::errs() << file->path() << ": "
                   << llvm::toString(problem.takeError()) << "\n";
      continue;
    }
    options.capacity = capacity;
    const Problem &kept = problems[name.str()] = std::move(*problem);
    auto add = [&](const std::string &what, const ExactOptions &with) {
      benchmark::RegisterBenchmark(("instance/" + name.str() + what).c_str(),
                                   [&kept, with](benchmark::State &state) {
                                     instance(state, kept, with);
                                   })
          ->Unit(benchmark::kMillisecond)
          ->Iterations(1);
    };
    add("", options);
    for (const ExactTechnique &technique : getExactTechniques()) {
      ExactOptions without = options;
      without.*technique.enabled = false;
      add("/without " + technique.name.str(), without);
    }
  }
}

static void trace(benchmark::State &state, const Problem &problem) {
  ExactResult result;
  for (auto _ : state)
    result = solveExact(problem);
  if (llvm::Error error = verify(problem, *result.solution))
    state.SkipWithError(llvm::toString(std::move(error)).c_str());
  int64_t peak = getPeakLiveBytes(problem);
  state.counters["buffers"] = problem.buffers.size();
  state.counters["bytesOverPeak"] = result.solution->height - peak;
  state.counters["perCent"] =
      100 * (double(result.solution->height) / peak - 1);
  state.counters["proved"] = result.proved;
}

static void registerTraces(llvm::StringRef folder) {
  static std::map<std::string, Problem> problems;
  std::error_code code;
  for (llvm::sys::fs::recursive_directory_iterator file(folder, code), end;
       file != end && !code; file.increment(code)) {
    llvm::StringRef path = file->path();
    llvm::StringRef name = llvm::sys::path::stem(path);
    int64_t capacity;
    auto text = llvm::MemoryBuffer::getFile(path);
    if (llvm::sys::path::extension(path) != ".csv" || !text ||
        !name.rsplit('.').second.getAsInteger(10, capacity))
      continue;
    llvm::Expected<Problem> problem = parseCSV((*text)->getBuffer());
    if (!problem) {
      llvm::errs() << path << ": " << llvm::toString(problem.takeError())
                   << "\n";
      continue;
    }
    const Problem &kept = problems[name.str()] = std::move(*problem);
    benchmark::RegisterBenchmark(
        ("trace/" + name.str()).c_str(),
        [&kept](benchmark::State &state) { trace(state, kept); })
        ->Unit(benchmark::kMillisecond)
        ->Iterations(1);
  }
}

int main(int argc, char **argv) {
  if (const char *folder = std::getenv("MEMSPACE_PACKING_TRACES"))
    registerTraces(folder);
  if (const char *folder = std::getenv("MEMSPACE_PACKING_INSTANCES"))
    registerInstances(folder);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv))
    return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
