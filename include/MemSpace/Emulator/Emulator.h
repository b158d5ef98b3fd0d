//===- Emulator.h - run a GPU kernel on the CPU and judge it ----*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Runs a bufferized SPMD kernel, ours or anybody's, with every thread of a
/// workgroup as a fiber, and reports data races, divergent barriers, accesses
/// out of bounds and reads of uninitialized bytes at the ops that cause them.
/// Shares no code with the analyses that it judges. docs/emulator.md explains
/// what is checked and how.
///
///   auto kernel = emulator::Kernel::compile(module);
///   if (failed(kernel)) …                        // the diagnostic is emitted
///   emulator::Result result = kernel->run({x, out}, {});
///   result.isClean(); result.arguments[1]; result.reports.front().message;
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_EMULATOR_EMULATOR_H
#define MEMSPACE_EMULATOR_EMULATOR_H

#include "MemSpace/Emulator/HostBuffer.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/Operation.h"
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace mlir {
namespace memspace {
namespace emulator {

/// x, y, z.
using Dim3 = std::array<int64_t, 3>;

struct CompileOptions {
  /// Symbol of the kernel; empty: the only `gpu.func kernel`, or the only
  /// function with `gpu.known_block_size`, or the only function.
  std::string kernel;
  /// Threads of a subgroup; 0: of the target in the IR, else 32.
  unsigned subgroupSize = 0;
  /// Bytes behind `gpu.dynamic_shared_memory`; negative: the kernel's
  /// `memspace.dynamic_workgroup_bytes`, else 0.
  int64_t dynamicWorkgroupBytes = -1;
  /// Accept `memref.alloc` in global memory, as a buffer of the thread that
  /// executes it. No GPU kernel should do that; for sequential references.
  bool allowHeap = false;
};

/// One access to workgroup or global memory, for those who want to judge by
/// themselves. Two accesses of different threads are ordered when they are of
/// one workgroup and their epochs differ, or of one subgroup and their
/// sub-epochs differ.
struct TracedAccess {
  int64_t workgroup = 0;
  /// Linear ids in the workgroup.
  int64_t thread = 0, subgroup = 0;
  /// Workgroup barriers passed, and subgroup barriers of all lanes (barriers of
  /// some lanes order more than this tells).
  uint32_t epoch = 0, subEpoch = 0;
  /// Tells allocations apart; views have the number of what they view.
  uint64_t memory = 0;
  /// Bytes in the allocation.
  int64_t begin = 0, size = 0;
  bool isWrite = false, isAtomic = false;
  /// Where the buffer or view was made; unknown for arguments.
  Location buffer;
};

/// Argument `argument` lies in the memory of argument `in`.
struct ArgumentAlias {
  unsigned in = 0, argument = 0;
  /// Where it begins there.
  int64_t byte = 0;
};

struct LaunchOptions {
  /// A zero dimension: what the IR knows (`gpu.known_grid_size`,
  /// `gpu.known_block_size`), else 1. A grid of zeros is, where the IR knows
  /// none, the one that `memspace.grid_size` gives for the arguments; without
  /// that it is refused for a kernel that reads block ids.
  Dim3 grid = {0, 0, 0};
  Dim3 block = {0, 0, 0};
  /// Runs with the threads in forward order, then reverse, then seeded
  /// shuffles. What is reported is what any of them shows.
  unsigned orders = 3;
  uint64_t seed = 1;
  /// OS threads over which workgroups are spread.
  unsigned threads = 1;
  /// Steps that all threads may take together in one order before the run is
  /// given up with a report. A step is an access of up to 64 bytes, or the
  /// iteration of a loop of up to 32 instructions; to start a thread is 128
  /// steps, to wait at a barrier or subgroup op 16.
  uint64_t maxSteps = uint64_t(1) << 28;
  /// Bytes of the arguments (four copies), globals, workgroup and private
  /// memory, the stacks of the threads and the shadow state together; more is
  /// an error.
  int64_t maxMemoryBytes = int64_t(1) << 32;
  /// Arguments without memory of their own. Their contents are those of the
  /// memory that they lie in; what is given for them has to have their shape.
  SmallVector<ArgumentAlias> aliases;
  /// Called for each access of the first order, in the order of execution; not
  /// for asynchronous copies. Only with `threads` = 1.
  std::function<void(const TracedAccess &)> onAccess;
};

/// What can be wrong with a kernel.
enum class ReportKind {
  /// Two threads of one workgroup touch one byte, one writes, not both
  /// atomically, and no barrier orders them.
  Race,
  /// The same between two workgroups, which nothing orders.
  WorkgroupConflict,
  /// Not all threads that must take part reach a barrier or subgroup op: some
  /// wait at another one or in another iteration.
  DivergentBarrier,
  /// … or have returned.
  EarlyExit,
  /// No end in sight: a thread waits for others that never come, or the run
  /// takes more than `maxSteps` steps.
  Deadlock,
  /// An index beyond its dimension, or bytes outside the buffer or the view.
  OutOfBounds,
  /// A write to a constant.
  ConstantWrite,
  /// A byte is used that nobody wrote since its buffer (or its view in an
  /// arena) began to live.
  UninitializedRead,
  /// A byte is written through one argument with `memspace.noalias` and
  /// accessed through another one.
  AliasingArguments,
};

struct ThreadId {
  Dim3 workgroup = {0, 0, 0};
  Dim3 thread = {0, 0, 0};
};

/// One side of a report.
struct AccessInfo {
  /// Where the op was in the IR given to `compile`.
  Location loc;
  ThreadId thread;
  bool isWrite = false;
  bool isAtomic = false;
};

/// One finding: all occurrences of it at the same ops and buffer are one.
struct Report {
  ReportKind kind;
  /// The access or barrier at which it was noticed.
  AccessInfo at;
  /// The other access of a race, the other thread of a divergence, the store by
  /// which an uninitialized value reaches an argument of the kernel.
  std::optional<AccessInfo> other;
  /// Where the buffer or view was made; unknown when there is none.
  Location buffer;
  /// First byte concerned, counted from the start of the buffer or view;
  /// negative before it.
  int64_t byte = 0;
  /// Races of two writes: every write put the value there that was there.
  bool isSameValue = false;
  /// How often it happened in all runs.
  int64_t count = 1;
  /// One sentence, as in an MLIR diagnostic.
  std::string message;
};

/// What threads did to one memory space. One access may be of several elements
/// (a vector, a row); an atomic update reads and writes its bytes.
struct AccessCounts {
  int64_t reads = 0, writes = 0, atomics = 0;
  int64_t bytesRead = 0, bytesWritten = 0;

  AccessCounts &operator+=(const AccessCounts &other) {
    reads += other.reads;
    writes += other.writes;
    atomics += other.atomics;
    bytesRead += other.bytesRead;
    bytesWritten += other.bytesWritten;
    return *this;
  }
  int64_t getTotal() const { return reads + writes + atomics; }
};

struct Result {
  /// The first 4096.
  SmallVector<Report> reports;
  bool hasMoreReports = false;
  /// Every argument after the first run (forward order).
  SmallVector<HostBuffer> arguments;
  /// Arguments whose bytes differ between two thread orders although no race
  /// was found (float atomics in another order).
  SmallVector<unsigned> orderDependentArguments;
  /// Of the first run: workgroup and subgroup barriers passed by one workgroup
  /// (the largest number of any), and instrumented accesses of all threads.
  int64_t executedBarriers = 0;
  int64_t executedSubgroupBarriers = 0;
  int64_t accesses = 0;
  /// Those within bounds, by where the memory is.
  AccessCounts global, workgroup, privateMemory;
  /// Largest size of the shadow state, in bytes.
  int64_t shadowBytes = 0;

  /// Reports by the groups of the last line: races count both kinds, divergent
  /// barriers also early exits and deadlocks, out of bounds also writes to
  /// constants.
  int64_t getNumRaces() const;
  int64_t getNumDivergentBarriers() const;
  int64_t getNumOutOfBounds() const;
  int64_t getNumUninitializedReads() const;
  int64_t getNumAliasingArguments() const;
  bool isClean() const { return reports.empty(); }
  /// "races: 0, divergent barriers: 0, out of bounds: 0, uninitialized reads:
  /// 0", and ", aliasing arguments: 1" if there are any.
  std::string getSummary() const;
  /// Each report as an error at its op, with notes at the other op and at the
  /// buffer.
  void emitReports() const;
};

/// Workgroups, and threads of each.
struct LaunchShape {
  Dim3 grid = {0, 0, 0};
  Dim3 block = {0, 0, 0};
};

/// A kernel compiled for the CPU; it can be run any number of times.
class Kernel {
public:
  /// Compiles the kernel in `module` (any op with a symbol table) without
  /// changing it. Fails with a diagnostic at the op that is not understood:
  /// tensors, mapped `scf.forall`s, dynamic workgroup allocations, recursion,
  /// calls to unknown functions, and every op that is not on the list of
  /// docs/emulator.md. The locations in reports need
  /// the context of `module` to be alive.
  static FailureOr<Kernel> compile(Operation *module,
                                   const CompileOptions &options = {});

  Kernel(Kernel &&);
  Kernel &operator=(Kernel &&);
  ~Kernel();

  StringRef getName() const;
  /// Memref and scalar types, in order.
  ArrayRef<Type> getArgumentTypes() const;
  /// Zero where the IR does not say.
  Dim3 getKnownBlock() const;
  Dim3 getKnownGrid() const;
  unsigned getSubgroupSize() const;

  /// Runs all workgroups, once for each order, from the same arguments.
  /// Failure, with an error at the kernel, when the arguments do not fit its
  /// types or the launch shape is not legal; with an error at an op, when it
  /// takes more memory than `maxMemoryBytes`.
  FailureOr<Result> run(ArrayRef<HostBuffer> arguments,
                        const LaunchOptions &options = {}) const;

  /// The shape that run() launches. Failure as there, where the arguments do
  /// not fit or the shape is not legal.
  FailureOr<LaunchShape>
  getLaunchShape(ArrayRef<HostBuffer> arguments,
                 const LaunchOptions &options = {}) const;

  struct Impl;

private:
  explicit Kernel(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace emulator
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_EMULATOR_EMULATOR_H
