//===- Worker.h - one OS thread that runs workgroups ------------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// State of the workgroup that runs now, and what its fibers can ask for.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_EMULATOR_WORKER_H
#define MEMSPACE_LIB_EMULATOR_WORKER_H

#include "Runtime.h"
#include "llvm/ADT/SmallVector.h"
#include <deque>
#include <map>
#include <random>
#include <tuple>
#include <ucontext.h>
#include <vector>

namespace mlir {
namespace memspace {
namespace emulator {

/// The runtime is loaded with its program, so that it need not ask for the
/// place of a variable of the OS thread, which would be a call in each access.
#if defined(__ELF__) && defined(__GNUC__)
#define MEMSPACE_INITIAL_EXEC __attribute__((tls_model("initial-exec")))
#else
#define MEMSPACE_INITIAL_EXEC
#endif

enum class FiberState { Ready, AtBarrier, AtSubgroupOp, Done };

/// What a thread brings to the op at which it waits.
enum WaitFlags : uint32_t {
  kOrdersWorkgroupMemory = 1,
  kOrdersGlobalMemory = 2,
  kOrdersMemory = kOrdersWorkgroupMemory | kOrdersGlobalMemory,
  /// Each gets the values of all.
  kCollects = 4,
};

struct Wait {
  uint32_t site = 0;
  uint32_t flags = 0;
  /// Subgroup ops: lanes that must come.
  uint64_t lanes = 0;
  uint64_t value = 0;
  /// Matrix ops: the values of the thread's fragments.
  SmallVector<uint64_t> words;
  SmallVector<uint64_t, 2> iterations;
};

/// The values that threads brought, by lane or by thread.
struct Snapshot {
  std::vector<uint64_t> values;
  std::vector<bool> isPresent;
  /// Matrix ops: what each brought, and the product, once a lane has asked for
  /// it.
  std::vector<SmallVector<uint64_t>> words;
  std::optional<MatrixProduct> product;
};

struct AsyncCopy {
  uint64_t target, source;
  int64_t targetBytes, sourceBytes;
  uint32_t site;
};

/// A value that was loaded only to be stored elsewhere, with bytes that nobody
/// wrote: what the loading thread carries around. Its source may be gone by the
/// time of the store.
struct CarriedValue {
  /// Of its first byte that nobody wrote, at the load.
  RawReport report;
  /// Of the source's bytes, in order.
  SmallVector<uint8_t> isInitialized;
};

struct Fiber {
  uint32_t linear = 0;
  Dim3 id;
  char *stack = nullptr;
  ucontext_t context;

  FiberState state = FiberState::Ready;
  Wait wait;
  std::shared_ptr<Snapshot> snapshot;
  /// Whether the last shuffle had a source.
  bool isShuffleValid = false;
  /// What the last matrix op gave the thread.
  SmallVector<uint64_t> matrixValues;
  std::vector<uint64_t> loopCounters;
  /// What the thread knows of the clocks of its subgroup's lanes: accesses at
  /// smaller ones are ordered before its own. Its own is its clock.
  SmallVector<uint32_t> clocks;
  /// Executions of each workgroup allocation: all threads' n-th is one buffer.
  llvm::DenseMap<uint32_t, uint32_t> allocationCounts;
  /// Addresses of private memory that is alive, innermost last.
  SmallVector<uint64_t> stackObjects;
  uint32_t badIndexSite = 0;
  uint32_t lastSite = 0;
  /// By number of the load; only values with uninitialized bytes.
  llvm::DenseMap<uint32_t, CarriedValue> carried;
  SmallVector<AsyncCopy> uncommitted;
  std::deque<SmallVector<AsyncCopy>> asyncGroups;

  void reset(unsigned numLoops, unsigned subgroupSize) {
    state = FiberState::Ready;
    snapshot.reset();
    wait.words.clear();
    loopCounters.assign(numLoops, 0);
    clocks.assign(subgroupSize, 0);
    allocationCounts.clear();
    stackObjects.clear();
    badIndexSite = lastSite = 0;
    carried.clear();
    uncommitted.clear();
    asyncGroups.clear();
  }
};

/// Memory for the stacks of a number of threads.
struct Stacks {
  char *memory = nullptr;
  size_t count = 0;
  /// From one stack to the next, with the guard below it.
  size_t stride = 0;

  Stacks() = default;
  Stacks(const Stacks &) = delete;
  ~Stacks();
  /// False where there is no memory.
  bool make(size_t newCount, size_t newStride);
  void swap(Stacks &other) {
    std::swap(memory, other.memory);
    std::swap(count, other.count);
    std::swap(stride, other.stride);
  }
};

class Worker {
public:
  Worker(const Launch &launch, Order order, uint64_t seed, bool isParallel);
  ~Worker();
  Worker(const Worker &) = delete;

  /// Makes the stacks of the threads; `result.failure` says why not.
  LogicalResult makeStacks();
  void runWorkgroup(int64_t linear);

  // What fibers call.
  void waitAt(FiberState state, uint32_t site, uint32_t flags, uint64_t lanes,
              uint64_t value);
  /// Threads that spin let others go on, which may set what they wait for.
  void step(uint64_t steps = 1) {
    stepsSinceEvent += steps;
    if (LLVM_UNLIKELY(stepsSinceEvent >= sliceEnd))
      endSlice();
  }
  /// The steps of `bytes` that are accessed, filled or copied at once.
  static uint64_t getSteps(int64_t bytes) {
    return 1 + uint64_t(bytes) / kBytesPerStep;
  }
  /// Gives the run up, with an error at `site`. Does not return.
  [[noreturn]] void fail(uint32_t site, const Twine &message);
  /// The same, with an error that says that the run's memory is used up.
  [[noreturn]] void failForMemory(uint32_t site) { fail(site, kOutOfMemory); }
  void *access(uint64_t address, int64_t size, uint32_t site, AccessKind kind,
               bool isCopy);
  LLVM_ATTRIBUTE_ALWAYS_INLINE void count(const Allocation &allocation,
                                          AccessKind kind, int64_t size) {
    AccessCounts &counts = result.counts[unsigned(allocation.space)];
    ++(kind == AccessKind::Read    ? counts.reads
       : kind == AccessKind::Write ? counts.writes
                                   : counts.atomics);
    if (kind != AccessKind::Write)
      counts.bytesRead += size;
    if (kind != AccessKind::Read)
      counts.bytesWritten += size;
  }
  /// A load whose value goes nowhere but into stores, which name `load`: a byte
  /// that nobody wrote stays such a byte, and is no error yet.
  void *loadForCopy(uint64_t address, int64_t size, uint32_t site,
                    uint32_t load);
  void *storeCopy(uint64_t address, int64_t size, uint32_t site, uint32_t load);

  // The same for sizes that are known; they take most of a run. What is not the
  // simplest case is left to the functions above, as the last thing that is
  // done, so that nothing has to be saved for it.
  template <int64_t size>
  LLVM_ATTRIBUTE_ALWAYS_INLINE void *read(uint64_t address, uint32_t site) {
    if (void *data = tryScalar<size, AccessKind::Read>(address, site))
      return data;
    return access(address, size, site, AccessKind::Read, /*isCopy=*/false);
  }
  template <int64_t size>
  LLVM_ATTRIBUTE_ALWAYS_INLINE void *write(uint64_t address, uint32_t site) {
    if (void *data = tryScalar<size, AccessKind::Write>(address, site))
      return data;
    return access(address, size, site, AccessKind::Write, /*isCopy=*/false);
  }
  template <int64_t size>
  LLVM_ATTRIBUTE_ALWAYS_INLINE void *loadForCopy(uint64_t address,
                                                 uint32_t site, uint32_t load) {
    if (LLVM_LIKELY(fiber->carried.empty()))
      if (void *data = tryScalar<size, AccessKind::Read>(address, site))
        return data;
    return loadForCopy(address, size, site, load);
  }
  template <int64_t size>
  LLVM_ATTRIBUTE_ALWAYS_INLINE void *storeCopy(uint64_t address, uint32_t site,
                                               uint32_t load) {
    if (LLVM_LIKELY(fiber->carried.empty()))
      if (void *data = tryScalar<size, AccessKind::Write>(address, site))
        return data;
    return storeCopy(address, size, site, load);
  }
  /// Private memory of the running thread.
  uint64_t allocateOwn(int64_t bytes, uint32_t site);
  /// The one workgroup buffer of that key.
  uint64_t allocateShared(uint64_t key, int64_t bytes, uint32_t site,
                          bool isArena);
  uint64_t makeView(uint64_t base, int64_t shift, int64_t bytes, uint32_t site);
  void pushStack(uint64_t address);
  void popStack(uint64_t size);
  void startAsyncCopy(AsyncCopy copy);
  void commitAsyncCopies(uint32_t site);
  /// Completes all groups but the last `pendingGroups`.
  void waitForAsyncCopies(uint32_t pendingGroups);
  /// Matrix ops, for the running thread as one lane of its subgroup.
  void multiply(uint32_t site, const MatrixOp &op);
  void loadMatrix(uint32_t site, const MatrixTile &tile, uint64_t address);
  void storeMatrix(uint32_t site, const MatrixTile &tile, uint64_t address);
  void loadTiles(uint32_t site, unsigned numTiles, bool isTransposed,
                 uint64_t address);
  void flushValueChecks() {
    if (LLVM_UNLIKELY(!valueChecks.empty()))
      compareValues();
  }
  /// The buffer that an address means, or null, and the offset in it.
  std::pair<const Buffer *, int64_t> resolve(uint64_t address) const {
    uint64_t index = (address >> kOffsetBits) - kFirstId;
    int64_t offset = getOffset(address);
    if (LLVM_UNLIKELY(index >= buffers.size() || !buffers[index].allocation))
      return {nullptr, offset};
    return {&buffers[index], offset};
  }
  /// No access is plain until what is special now is over: a wrong index that
  /// was reported, values to compare.
  void leavePlainAccesses() { plainEnd = 0; }
  RawReport makeReport(ReportKind kind, uint32_t site,
                       const Buffer &buffer) const;

  uint32_t getSubgroupSize() const { return launch.program.subgroupSize; }
  uint32_t getNumSubgroups() const {
    return (blockThreads + getSubgroupSize() - 1) / getSubgroupSize();
  }
  uint32_t getSubgroup(const Fiber &f) const {
    return f.linear / getSubgroupSize();
  }
  uint32_t getLane(const Fiber &f) const {
    return f.linear % getSubgroupSize();
  }

  /// A constant at first, so that reading it needs no guard.
  LLVM_REQUIRE_CONSTANT_INITIALIZATION static thread_local Worker *current
      MEMSPACE_INITIAL_EXEC;

  const Launch &launch;
  Fiber *fiber = nullptr;
  Dim3 workgroup = {0, 0, 0};
  WorkerResult result;
  const bool isParallel;

private:
  static int64_t getOffset(uint64_t address) {
    return int64_t(address & ((uint64_t(1) << kOffsetBits) - 1)) -
           int64_t(kBias);
  }
  /// An access that is in bounds, and of which only the shadow of its
  /// allocation may have something to say: in the buffer, where it begins in
  /// the allocation, and the steps with it. Otherwise null.
  LLVM_ATTRIBUTE_ALWAYS_INLINE const Buffer *
  findPlain(uint64_t address, int64_t size, AccessKind kind, int64_t &begin,
            uint64_t &steps) const {
    uint64_t index = (address >> kOffsetBits) - kFirstId;
    if (LLVM_UNLIKELY(index >= buffers.size()))
      return nullptr;
    const Buffer &buffer = buffers[index];
    int64_t offset = getOffset(address);
    steps = stepsSinceEvent + getSteps(size);
    begin = buffer.begin + offset;
    if (LLVM_UNLIKELY(!(kind == AccessKind::Read ? buffer.isPlainlyRead
                                                 : buffer.isPlainlyWritten) ||
                      offset < 0 || size > buffer.bytes - offset ||
                      steps >= plainEnd))
      return nullptr;
    return &buffer;
  }
  const Actor &getPlainActor(const Allocation &allocation) const {
    return allocation.space == Space::Global ? globalActor : workgroupActor;
  }
  /// What is left to do for an access that the shadow has nothing to say of.
  LLVM_ATTRIBUTE_ALWAYS_INLINE void *finishPlain(const Allocation &allocation,
                                                 int64_t begin, int64_t size,
                                                 AccessKind kind, uint32_t site,
                                                 uint64_t steps) {
    count(allocation, kind, size);
    fiber->lastSite = site;
    stepsSinceEvent = steps;
    return allocation.data + begin;
  }
  /// An access of nothing to report, of one cell of the shadow: its data.
  /// Otherwise null, and nothing has changed.
  template <int64_t size, AccessKind kind>
  void *tryScalar(uint64_t address, uint32_t site);
  /// The same for any number of cells.
  void *tryAccess(uint64_t address, int64_t size, uint32_t site,
                  AccessKind kind);
  /// All accesses, with all reports.
  void *accessAnyhow(uint64_t address, int64_t size, uint32_t site,
                     AccessKind kind, bool isCopy);

  struct ValueCheck {
    RawReport *report;
    const uint8_t *data;
    std::vector<uint8_t> before;
  };

  static void fiberMain();
  Snapshot &meetForMatrix(uint32_t site, uint64_t value);
  unsigned getLayoutShift() const;
  void touchTile(uint32_t site, const MatrixTile &tile, uint64_t address,
                 AccessKind kind);
  uint64_t readBytes(uint64_t address, int64_t size, uint32_t site);
  uint64_t getSlice() const;
  void endSlice();
  /// Takes the steps since the last call from those of the run. False, with a
  /// report, when these are used up.
  bool takeSteps(const Fiber &current, uint32_t site);
  void compareValues();
  void startWorkgroup(int64_t linear);
  void resume(Fiber &next);
  void suspend();
  void release(ArrayRef<Fiber *> group);
  /// A subgroup barrier: everybody in the group knows what any of them knew.
  void synchronizeClocks(ArrayRef<Fiber *> group, bool isFull);
  bool releaseSubgroups();
  bool releaseWorkgroup();
  void reportDivergence();
  uint64_t addBuffer(Buffer buffer);
  void setPlain(Buffer &buffer) const;
  void updatePlainEnd() {
    bool isPlain = !launch.onAccess && valueChecks.empty() && fiber &&
                   fiber->badIndexSite == 0;
    plainEnd = isPlain ? sliceEnd : 0;
  }
  uint64_t allocate(Space space, int64_t bytes, uint32_t site, bool isArena);
  /// The running thread, as it accesses `allocation` at `site`.
  Actor &getActor(uint32_t site, const Allocation &allocation) {
    Actor &actor =
        allocation.space == Space::Global ? globalActor : workgroupActor;
    actor.stamp.siteAndFlags = site;
    return actor;
  }
  ThreadId getThread(uint32_t strand) const;
  void reportConflict(const Conflict &conflict, AccessKind kind,
                      const Actor &actor, const Buffer &buffer);
  /// Reports what is accessed through several arguments that have
  /// `memspace.noalias`.
  void checkNoAlias(const Buffer &buffer, AccessKind kind, int64_t begin,
                    int64_t size, uint32_t site);
  void *getSink(int64_t size);
  const Buffer *checkBounds(uint64_t address, int64_t size, uint32_t site,
                            bool isWrite, int64_t &begin);
  void checkInitialized(const Buffer &buffer, int64_t begin, int64_t size,
                        uint32_t site);
  RawReport makeMisalignedReport(const Buffer &buffer, int64_t begin,
                                 int64_t size, uint32_t site) const;
  void checkRowAlignment(uint64_t address, uint32_t site);
  RawReport makeUninitializedReport(const Buffer &buffer, int64_t at,
                                    uint32_t site) const;
  /// What a copy of `size` bytes at `address` would carry, or none when all of
  /// them are initialized.
  std::optional<CarriedValue> getCarried(uint64_t address, int64_t size,
                                         uint32_t site) const;
  /// The bytes at `to` become as uninitialized as `value`.
  void putCarried(uint64_t to, const CarriedValue &value, uint32_t site);
  /// Calls `function` with the shadow of `allocation`, alone among the OS
  /// threads, and gives up when that took more memory than there is.
  template <typename Fn>
  void withShadow(Allocation &allocation, uint32_t site, Fn function) {
    bool isLocked = isParallel && allocation.space == Space::Global;
    if (isLocked)
      allocation.mutex.lock();
    function(allocation.shadow);
    if (isLocked)
      allocation.mutex.unlock();
    if (LLVM_UNLIKELY(launch.budget.isExceeded()))
      failForMemory(site);
  }
  /// Gives back what views and copies in flight have taken from the budget.
  void releaseBudget();
  void takePending(uint32_t site);
  void givePendingBack(int64_t bytes);
  void touchPending(AccessKind kind, uint64_t address, int64_t size,
                    uint32_t site);
  void completeAsyncCopy(const AsyncCopy &copy);

  Order order;
  std::mt19937_64 random;
  uint32_t blockThreads = 0;
  std::vector<Fiber> fibers;
  Stacks stacks;
  ucontext_t scheduler;

  // Of the workgroup.
  uint32_t firstStrand = 0;
  SmallVector<Buffer, 0> buffers;
  SmallVector<uint64_t> freeIds;
  std::vector<std::unique_ptr<Allocation>> allocations;
  std::map<uint64_t, uint64_t> workgroupInstances;
  /// By memory, place, bytes, site, argument, and the view of an arena that it
  /// is a part of.
  std::map<
      std::tuple<Allocation *, int64_t, int64_t, uint32_t, int32_t, uint32_t>,
      uint64_t>
      views;
  /// Views of arenas so far.
  uint32_t numViews = 0;
  uint32_t workgroupEpoch = 1, globalEpoch = 1;
  /// Barriers of all lanes, by subgroup.
  std::vector<uint32_t> fullBarriers;
  /// The running thread.
  Actor workgroupActor, globalActor;
  bool isAborted = false;
  /// Since the workgroup began or came to a barrier: all, those that are taken
  /// from the run's, and when the running thread has to let others go on.
  uint64_t stepsSinceEvent = 0, stepsTaken = 0, sliceEnd = 0;
  /// Accesses are plain at fewer steps: 0, or `sliceEnd`.
  uint64_t plainEnd = 0;
  int64_t barriers = 0, subgroupBarriers = 0;

  /// Taken from the budget for copies that nobody has waited for.
  int64_t pendingBytes = 0;
  std::vector<ValueCheck> valueChecks;
  std::vector<uint8_t> sink;
};

template <int64_t size, AccessKind kind>
LLVM_ATTRIBUTE_ALWAYS_INLINE void *Worker::tryScalar(uint64_t address,
                                                     uint32_t site) {
  int64_t begin;
  uint64_t steps;
  const Buffer *buffer = findPlain(address, size, kind, begin, steps);
  if (LLVM_UNLIKELY(!buffer))
    return nullptr;
  Allocation &allocation = *buffer->allocation;
  if (LLVM_UNLIKELY(kind == AccessKind::Read &&
                    !allocation.shadow.isInitialized<size>(begin)))
    return nullptr;
  if (LLVM_UNLIKELY(!allocation.shadow.tryCell<size>(
          kind, begin, getPlainActor(allocation), site)))
    return nullptr;
  if (kind == AccessKind::Write)
    allocation.shadow.setInitialized(begin, size);
  return finishPlain(allocation, begin, size, kind, site, steps);
}

} // namespace emulator
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_EMULATOR_WORKER_H
