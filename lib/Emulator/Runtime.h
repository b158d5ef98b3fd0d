//===- Runtime.h - GPU threads as fibers ------------------------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Runs workgroups: every thread is a fiber that goes on until it waits. The
/// compiled kernel calls the functions of `getRuntimeFunctions` for everything
/// that a GPU does otherwise than a CPU, and before each access to memory.
///
/// Addresses in the kernel are virtual: buffer id × 2^40 + 2^39 + offset. They
/// cannot be used without the runtime, which thus sees every access, knows the
/// buffer (or the view) that it means, however far it misses it, and gives each
/// thread its own private memory.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_EMULATOR_RUNTIME_H
#define MEMSPACE_LIB_EMULATOR_RUNTIME_H

#include "MemSpace/Emulator/Emulator.h"
#include "NoAliasShadow.h"
#include "Program.h"
#include "Shadow.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

namespace mlir {
namespace memspace {
namespace emulator {

/// Bits of a virtual address below the buffer id.
inline constexpr unsigned kOffsetBits = 40;
/// Offset of a buffer's first byte, so that small negative offsets stay with
/// their buffer.
inline constexpr uint64_t kBias = uint64_t(1) << (kOffsetBits - 1);
/// Ids below are the upper bits of real addresses.
inline constexpr uint64_t kFirstId = 256;

/// Largest number of buffers whose ids fit above the offset.
inline constexpr uint64_t kMaxBuffers =
    (uint64_t(1) << (64 - kOffsetBits)) - kFirstId;
/// Largest buffer whose offsets stay below the id.
inline constexpr int64_t kMaxBufferBytes = int64_t(kBias / 2);

inline uint64_t makeAddress(uint64_t index) {
  return ((index + kFirstId) << kOffsetBits) + kBias;
}

/// Name and address of each function that kernels may call.
struct RuntimeFunction {
  RuntimeFunction(llvm::StringRef name, void *address)
      : name(name), address(address) {}

  std::string name;
  void *address;
};
ArrayRef<RuntimeFunction> getRuntimeFunctions();

/// A finding with site numbers for locations.
struct RawReport {
  ReportKind kind = ReportKind::Race;
  uint32_t site = 0, otherSite = 0, bufferSite = 0;
  bool isWrite = false, isAtomic = false;
  bool isOtherWrite = false, isOtherAtomic = false;
  ThreadId thread, otherThread;
  bool hasOther = false;
  Space space = Space::Global;
  int64_t byte = 0, size = 0, bufferBytes = 0;
  /// Of an index beyond its dimension: the dimension, else -1.
  int64_t dimension = -1;
  /// Through which arguments the two accesses are, where that is the finding.
  unsigned argument = 0, otherArgument = 0;
  /// Races of two writes.
  bool isSameValue = true;
  /// What a divergent thread does instead, or the like.
  std::string detail;
  int64_t count = 1;
};

/// Findings by what makes two of them one: kind, sites, buffer, and direction.
/// Ops that all race with each other make too many for memory and for people.
class ReportSet {
public:
  using Key = std::array<uint32_t, 5>;
  static constexpr size_t kMaxReports = 4096;

  /// The report, or one that nobody sees when there are too many.
  RawReport &add(const RawReport &report);
  void merge(const ReportSet &other);
  const std::map<Key, RawReport> &get() const { return reports; }
  bool hasMore() const { return isFull; }

private:
  std::map<Key, RawReport> reports;
  RawReport unseen;
  bool isFull = false;
};

/// One block of memory and its shadow.
struct Allocation {
  /// Null when `bytes` is negative or more than `budget` has left.
  static std::unique_ptr<Allocation>
  create(Space space, int64_t bytes, bool isInitialized, MemoryBudget &budget);
  ~Allocation();
  Allocation(const Allocation &) = delete;

  Space space;
  int64_t bytes;
  uint8_t *data;
  MemoryBudget &budget;
  bool isConstant = false;
  bool isArena = false;
  /// Of all that were made.
  uint64_t serial;
  /// Position among the allocations of its worker.
  size_t position = 0;
  /// Null unless several arguments that must not overlap lie in here.
  std::unique_ptr<NoAliasShadow> noAlias;
  /// Global memory is shared between OS threads.
  std::mutex mutex;
  Shadow shadow;

private:
  Allocation(Space space, int64_t bytes, bool isInitialized,
             MemoryBudget &budget, uint8_t *data);
};

/// What an id stands for: an allocation, or a view of one.
struct Buffer {
  Allocation *allocation = nullptr;
  int64_t begin = 0;
  int64_t bytes = 0;
  uint32_t site = 0;
  /// Not 0 for views of an arena.
  uint32_t view = 0;
  /// The argument that it is (a view of); -1 where that does not matter.
  int32_t argument = -1;
  /// Where it is in bounds, only the shadow has something to say of a read or a
  /// write. False for what is no buffer.
  bool isPlainlyRead = false, isPlainlyWritten = false;
};

/// What counts as steps besides accesses and iterations, for which
/// LaunchOptions::maxSteps has the rule. The numbers weigh the time that each
/// takes.
inline constexpr uint64_t kStepsPerThread = 128;
inline constexpr uint64_t kStepsPerWait = 16;
inline constexpr uint64_t kStepsPerAllocation = 8;
/// Bytes that are accessed, filled or copied in one step.
inline constexpr uint64_t kBytesPerStep = 64;

/// Code and data of a launch, shared by all workers.
struct Launch {
  const Program &program;
  void (*entry)(const void *slots);
  /// What the kernel's entry reads its arguments from.
  const void *slots;
  Dim3 grid, block;
  /// Of all workers together, and how many they have taken so far.
  uint64_t maxSteps;
  std::atomic<uint64_t> &steps;
  MemoryBudget &budget;
  /// For the stack of one thread.
  int64_t stackBytes;
  /// Null, or told each access.
  const std::function<void(const TracedAccess &)> *onAccess;
  /// Global memory: arguments first, then `memref.global`s; the same ids in all
  /// workers.
  std::vector<Buffer> globals;
  /// By index of Program::globals; -1 for those in workgroup memory.
  std::vector<int64_t> globalIds;
};

enum class Order { Forward, Reverse, Shuffled };

/// Why a run was given up: the op and a sentence.
struct Failure {
  uint32_t site = 0;
  std::string message;
};

struct WorkerResult {
  ReportSet reports;
  std::optional<Failure> failure;
  int64_t executedBarriers = 0, executedSubgroupBarriers = 0;
  int64_t shadowBytes = 0;
  /// Accesses of no buffer.
  int64_t outOfBounds = 0;
  /// By Space.
  std::array<AccessCounts, 3> counts;
  bool isStuck = false;
};

/// Runs the workgroups begin, begin + step, … on the calling OS thread.
WorkerResult runWorkgroups(const Launch &launch, Order order, uint64_t seed,
                           int64_t begin, int64_t step);

} // namespace emulator
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_EMULATOR_RUNTIME_H
