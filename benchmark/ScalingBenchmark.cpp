//===- ScalingBenchmark.cpp - cost of barriers by the shape of a kernel ---===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The passes that place and verify barriers, and pack workgroup memory, on SPMD
// kernels of N accesses, one shape of control flow each (docs/performance.md).
// `per_access` is what an access costs: it stays the same where the cost is
// linear.
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Transforms/Passes.h"
#include "SPMDKernel.h"
#include "TestModule.h"
#include "mlir/Pass/PassManager.h"
#include <benchmark/benchmark.h>

using namespace mlir;
using namespace mlir::memspace;

namespace {
/// A kernel on buffers of as many elements as threads. `%p` is the same in all
/// threads.
class Text : public SPMDKernel {
public:
  static constexpr int64_t kBuffers = 8;

  explicit Text(int64_t numBuffers = kBuffers) : SPMDKernel(255) {
    line("%p = arith.cmpi slt, %n, %c16 : index");
    for (int64_t buffer = 0; buffer < numBuffers; ++buffer)
      line("%m" + std::to_string(buffer) + " = memref.alloc() : " + kType);
  }

  Text &store(int64_t buffer, const char *index) {
    return access(true, buffer, index);
  }
  Text &load(int64_t buffer, const char *index) {
    return access(false, buffer, index);
  }
  /// A condition on a number that is the same in all threads, or on the thread.
  Text &beginIf(const char *value, int64_t bound) {
    std::string name = std::to_string(number++);
    os << "%k" << name << " = arith.constant " << bound << " : index\n%p"
       << name << " = arith.cmpi slt, " << value << ", %k" << name
       << " : index\nscf.if %p" << name << " {\n";
    return *this;
  }
  /// A condition that is the same in all threads, and of which no other tells
  /// anything.
  Text &beginUnknownIf(int64_t place) {
    std::string name = std::to_string(number++);
    os << "%k" << name << " = arith.constant " << place << " : index\n%f"
       << name << " = memref.load %x[%k" << name << "] : memref<?xf32>\n%p"
       << name << " = arith.cmpf ogt, %f" << name << ", %v : f32\nscf.if %p"
       << name << " {\n";
    return *this;
  }
  Text &beginLoop() {
    os << "scf.for %i" << number++ << " = %c0 to %n step %c1 {\n";
    return *this;
  }
  /// Of elements that are a thread's own; counts `%o`.
  Text &beginOwnLoop() { return line("scf.for %o = %t to %n step %threads {"); }
  Text &line(const std::string &text) {
    os << text << "\n";
    return *this;
  }
  Text &end() { return line("}"); }

private:
  Text &access(bool isStore, int64_t buffer, const char *index) {
    addAccess(isStore,
              "%m" + std::to_string(buffer) + "[" + index + "] : " + kType);
    return *this;
  }

  static constexpr const char *kType = "memref<256xf32, #wg>";
};
} // namespace

static int64_t wrap(int64_t number, int64_t numBuffers = Text::kBuffers) {
  return number % numBuffers;
}

/// Between two uses of a buffer lie this many loops or branches.
static constexpr int64_t kManyBuffers = 100;

/// An exchange through one buffer after the other.
static std::string getExchanges(int64_t count) {
  Text text;
  for (int64_t i = 0; i < count / 2; ++i)
    text.store(wrap(i), "%t").load(wrap(i), "%r");
  return text.finish();
}

/// The same, each through a buffer of its own.
static std::string getManyBuffers(int64_t count) {
  Text text(count / 2);
  for (int64_t i = 0; i < count / 2; ++i)
    text.store(i, "%t").load(i, "%r");
  return text.finish();
}

/// Each thread stays with its element: nothing is to be placed.
static std::string getOwnElements(int64_t count) {
  Text text;
  for (int64_t i = 0; i < count / 2; ++i)
    text.store(wrap(i), "%t").load(wrap(i), "%t");
  return text.finish();
}

/// The same in loops, each under a condition of its own, from the thread's
/// number to one that is not known.
static std::string getOwnStrides(int64_t count) {
  Text text;
  text.line("%threads = arith.constant 256 : index");
  for (int64_t i = 0; i < count / 2; ++i)
    text.beginUnknownIf(i)
        .beginOwnLoop()
        .store(wrap(i), "%o")
        .load(wrap(i), "%o")
        .end()
        .end();
  return text.finish();
}

/// Loops in a row, which may all be left out.
static std::string getLoops(int64_t count, int64_t numBuffers) {
  Text text(numBuffers);
  for (int64_t i = 0; i < count / 4; ++i) {
    int64_t own = wrap(i, numBuffers), next = wrap(i + 1, numBuffers);
    text.beginLoop()
        .store(own, "%t")
        .load(next, "%r")
        .load(own, "%r")
        .store(next, "%t")
        .end();
  }
  return text.finish();
}
static std::string getLoops(int64_t count) {
  return getLoops(count, Text::kBuffers);
}
static std::string getLoopsApart(int64_t count) {
  return getLoops(count, kManyBuffers);
}

/// Branches in a row of which each condition tells something of the others.
static std::string getBranches(int64_t count, int64_t numBuffers) {
  Text text(numBuffers);
  for (int64_t i = 0; i < count / 4; ++i) {
    int64_t own = wrap(i, numBuffers), next = wrap(i + 1, numBuffers);
    text.beginIf("%n", count - i)
        .store(own, "%t")
        .load(next, "%r")
        .line("} else {")
        .store(next, "%r")
        .load(own, "%r")
        .end();
  }
  return text.finish();
}
static std::string getBranches(int64_t count) {
  return getBranches(count, Text::kBuffers);
}
static std::string getBranchesApart(int64_t count) {
  return getBranches(count, kManyBuffers);
}

/// Branches in a row, each taken or not whatever the others do, that fill two
/// buffers by turns.
static std::string getBranchesInTurns(int64_t count) {
  Text text(2);
  for (int64_t i = 0; i < count / 2; ++i)
    text.beginUnknownIf(i)
        .load(wrap(i, 2), "%r")
        .store(wrap(i + 1, 2), "%t")
        .end();
  return text.finish();
}

/// The same in each other.
static std::string getNestedBranches(int64_t count) {
  Text text;
  for (int64_t i = 0; i < count / 5; ++i)
    text.beginIf("%n", count - i).store(wrap(i), "%t").load(wrap(i + 1), "%r");
  for (int64_t i = 0; i < count / 5; ++i)
    text.line("} else {")
        .store(wrap(i + 1), "%r")
        .load(wrap(i), "%r")
        .end()
        .load(wrap(i), "%r");
  return text.finish();
}

/// Some threads store, then all of them load.
static std::string getGuards(int64_t count) {
  Text text;
  for (int64_t i = 0; i < count / 2; ++i)
    text.beginIf("%t", i % 255 + 1)
        .store(wrap(i), "%t")
        .end()
        .load(wrap(i), "%r");
  return text.finish();
}

/// Some threads touch elements of their own: nothing is to be placed.
static std::string getOwnGuards(int64_t count) {
  Text text;
  for (int64_t i = 0; i < count / 2; ++i)
    text.beginIf("%t", i % 255 + 1)
        .store(wrap(i), "%t")
        .load(wrap(i), "%t")
        .end();
  return text.finish();
}

/// Exchanges under one guard, which is to be split between any two.
static std::string getOneGuard(int64_t count) {
  Text text;
  text.line("%q = arith.subi %c16, %t : index").beginIf("%t", 16);
  for (int64_t i = 0; i < count / 2; ++i)
    text.store(wrap(i), "%t").load(wrap(i), "%q");
  return text.end().finish();
}

/// Blocks, `access` in each; behind it `branch` goes on.
static std::string getBlocks(int64_t numBlocks,
                             llvm::function_ref<void(Text &, int64_t)> access,
                             llvm::function_ref<std::string(int64_t)> branch) {
  Text text;
  text.line("cf.br ^b0");
  for (int64_t i = 0; i < numBlocks; ++i) {
    text.line("^b" + std::to_string(i) + ":");
    access(text, i);
    if (i + 1 < numBlocks)
      text.line(branch(i));
  }
  return text.finish();
}

static std::string getBranchTo(int64_t first, int64_t second) {
  return "cf.cond_br %p, ^b" + std::to_string(first) + ", ^b" +
         std::to_string(second);
}

/// Blocks of which each is a loop.
static std::string getBlockLoops(int64_t count) {
  return getBlocks(
      count / 2,
      [](Text &text, int64_t i) {
        text.store(wrap(i), "%t").load(wrap(i), "%r");
      },
      [](int64_t i) { return getBranchTo(i + 1, i); });
}

/// Blocks that branch back to one of the blocks before them, so that their
/// loops overlap.
static std::string getTangledLoops(int64_t count) {
  uint32_t random = 1;
  return getBlocks(
      count,
      [](Text &text, int64_t i) {
        const char *index = i % 3 ? "%t" : "%r";
        if (i % 2)
          text.load(wrap(i), index);
        else
          text.store(wrap(i), index);
      },
      [&](int64_t i) {
        random = random * 1664525 + 1013904223;
        return getBranchTo(i + 1, i - (random >> 8) % std::min(i + 1, 20l));
      });
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

template <typename Options> static Options getOptions() {
  Options options;
  options.subgroupSize = 32;
  options.workgroupLimit = int64_t(1) << 30;
  return options;
}

static void addInsert(PassManager &pm) {
  pm.addPass(createInsertBarriersPass(getOptions<InsertBarriersPassOptions>()));
}
static void addVerify(PassManager &pm) {
  pm.addPass(createVerifyBarriersPass(getOptions<VerifyBarriersPassOptions>()));
}
static void addPack(PassManager &pm) {
  pm.addPass(createPackWorkgroupMemoryPass(
      getOptions<PackWorkgroupMemoryPassOptions>()));
}

/// `prepare` comes first and is not measured.
static void run(benchmark::State &state, std::string (*generate)(int64_t),
                void (*add)(PassManager &),
                void (*prepare)(PassManager &) = nullptr) {
  std::string text = generate(state.range(0));
  for (auto _ : state) {
    state.PauseTiming();
    TestModule module(text);
    if (!module)
      return state.SkipWithError("the kernel does not parse");
    PassManager before(module.getContext()), pm(module.getContext());
    if (prepare)
      prepare(before);
    if (failed(before.run(*module)))
      return state.SkipWithError("the kernel cannot be prepared");
    add(pm);
    state.ResumeTiming();
    if (failed(pm.run(*module)))
      return state.SkipWithError("the pass refuses the kernel");
  }
  state.counters["per_access"] = benchmark::Counter(
      double(state.range(0)), benchmark::Counter::kIsIterationInvariantRate |
                                  benchmark::Counter::kInvert);
  state.SetComplexityN(state.range(0));
}

static void insertBarriers(benchmark::State &state,
                           std::string (*generate)(int64_t)) {
  run(state, generate, addInsert);
}
static void verifyBarriers(benchmark::State &state,
                           std::string (*generate)(int64_t)) {
  run(state, generate, addVerify, addInsert);
}
static void packMemory(benchmark::State &state,
                       std::string (*generate)(int64_t)) {
  run(state, generate, addPack);
}

#define PASS(FUNCTION, NAME, GENERATOR)                                        \
  BENCHMARK_CAPTURE(FUNCTION, NAME, GENERATOR)                                 \
      ->Arg(300)                                                               \
      ->Arg(1000)                                                              \
      ->Arg(3000)                                                              \
      ->Arg(30000)                                                             \
      ->Unit(benchmark::kMillisecond)                                          \
      ->Complexity()
#define SHAPE(NAME, GENERATOR)                                                 \
  PASS(insertBarriers, NAME, GENERATOR);                                       \
  PASS(verifyBarriers, NAME, GENERATOR);                                       \
  PASS(packMemory, NAME, GENERATOR)

SHAPE(exchanges, getExchanges);
SHAPE(many_buffers, getManyBuffers);
SHAPE(own_elements, getOwnElements);
SHAPE(own_strides, getOwnStrides);
SHAPE(loops, getLoops);
SHAPE(loops_apart, getLoopsApart);
SHAPE(branches, getBranches);
SHAPE(branches_apart, getBranchesApart);
SHAPE(branches_in_turns, getBranchesInTurns);
SHAPE(nested_branches, getNestedBranches);
SHAPE(guards, getGuards);
SHAPE(own_guards, getOwnGuards);
SHAPE(one_guard, getOneGuard);
SHAPE(block_loops, getBlockLoops);
SHAPE(tangled_loops, getTangledLoops);

BENCHMARK_MAIN();
