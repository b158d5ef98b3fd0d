//===- RuntimeFunctions.cpp - what compiled kernels call ------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Thin entries into the worker of the calling OS thread. Their signatures are
// those that Lowering.cpp and Instrumentation.cpp declare.
//
//===----------------------------------------------------------------------===//

#include "RuntimeFunctions.h"
#include "Worker.h"
#include <cstring>

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::emulator;

static Worker &worker() { return *Worker::current; }

//===----------------------------------------------------------------------===//
// Ids
//===----------------------------------------------------------------------===//

static int64_t getId(int32_t kind) {
  Worker &w = worker();
  const Fiber &f = *w.fiber;
  unsigned d = kind % 3;
  switch (static_cast<IdKind>(kind - d)) {
  case IdKind::Thread:
    return f.id[d];
  case IdKind::Block:
    return w.workgroup[d];
  case IdKind::BlockDim:
    return w.launch.block[d];
  case IdKind::GridDim:
    return w.launch.grid[d];
  case IdKind::Global:
    return w.workgroup[d] * w.launch.block[d] + f.id[d];
  case IdKind::Subgroup:
    break;
  }
  const int64_t ids[] = {w.getLane(f), w.getSubgroup(f), w.getNumSubgroups()};
  return ids[d];
}

static int64_t getSubgroupSize() { return worker().getSubgroupSize(); }

//===----------------------------------------------------------------------===//
// Barriers and subgroup ops
//===----------------------------------------------------------------------===//

static void waitAtBarrier(int32_t site, int32_t orders) {
  worker().waitAt(FiberState::AtBarrier, site, orders, 0, 0);
}

/// Lanes below `count`.
static uint64_t getLanes(int64_t count) {
  if (count <= 0)
    return 0;
  return count >= 64 ? ~uint64_t(0) : (uint64_t(1) << count) - 1;
}

static void waitAtSubgroupBarrier(int32_t site, int64_t lanes) {
  worker().waitAt(FiberState::AtSubgroupOp, site, kOrdersMemory, lanes, 0);
}

/// Waits for `lanes` and returns what `source` brought; all ones, and not
/// valid, when it brought nothing.
static uint64_t exchange(int32_t site, uint64_t lanes, uint64_t value,
                         int64_t source, bool isValid) {
  Worker &w = worker();
  w.waitAt(FiberState::AtSubgroupOp, site, kCollects, lanes, value);
  const Snapshot &snapshot = *w.fiber->snapshot;
  bool isPresent = source >= 0 && source < int64_t(snapshot.values.size()) &&
                   snapshot.isPresent[source];
  w.fiber->isShuffleValid = isValid && isPresent;
  return isPresent ? snapshot.values[source] : ~uint64_t(0);
}

/// gpu.shuffle: lanes below `width` take part.
static uint64_t shuffle(int32_t site, int32_t mode, uint64_t value,
                        int32_t offset, int32_t width) {
  Worker &w = worker();
  int64_t lane = w.getLane(*w.fiber), source = offset;
  switch (static_cast<ShuffleKind>(mode)) {
  case ShuffleKind::Xor:
    source = lane ^ offset;
    break;
  case ShuffleKind::Up:
    source = lane - offset;
    break;
  case ShuffleKind::Down:
    source = lane + offset;
    break;
  case ShuffleKind::Index:
    break;
  case ShuffleKind::Rotate:
    source = ((lane + offset) & (width - 1)) + (lane & ~int64_t(width - 1));
    return exchange(site, getLanes(width), value, source, lane < width);
  }
  bool isValid = source >= 0 && source < width && lane < width;
  return exchange(site, getLanes(width), value, isValid ? source : -1, isValid);
}

/// nvvm.shfl.sync, as in the PTX ISA's shfl.sync.
static uint64_t shuffleNVVM(int32_t site, int32_t mode, int32_t mask,
                            uint64_t value, int32_t b, int32_t clamp) {
  Worker &w = worker();
  int32_t lane = w.getLane(*w.fiber);
  int32_t limit = clamp & 0x1f, segment = clamp >> 8 & 0x1f;
  int32_t last = (lane & segment) | (limit & ~segment), first = lane & segment;
  int32_t source = lane;
  bool isValid = false;
  b &= 0x1f;
  switch (static_cast<ShuffleKind>(mode)) {
  case ShuffleKind::Up:
    source = lane - b;
    isValid = source >= last;
    break;
  case ShuffleKind::Down:
    source = lane + b;
    isValid = source <= last;
    break;
  case ShuffleKind::Xor:
    source = lane ^ b;
    isValid = source <= last;
    break;
  case ShuffleKind::Index:
  case ShuffleKind::Rotate:
    source = first | (b & ~segment);
    isValid = source <= last;
    break;
  }
  uint64_t result =
      exchange(site, uint32_t(mask), value, isValid ? source : lane, isValid);
  w.fiber->isShuffleValid = isValid;
  return result;
}

/// rocdl.ds_bpermute and rocdl.readlane: the lane is taken modulo the wave, and
/// lanes that are not there give 0.
static uint64_t permute(int32_t site, uint64_t value, int32_t lane) {
  Worker &w = worker();
  int64_t source = lane & int64_t(w.getSubgroupSize() - 1);
  uint64_t result = exchange(site, 0, value, source, true);
  return w.fiber->isShuffleValid ? result : 0;
}

static bool isShuffleValid() { return worker().fiber->isShuffleValid; }

/// Votes of the lanes that take part: a bit for each that brought a value that
/// is not zero.
static uint64_t ballot(int32_t site, uint64_t lanes, uint64_t value) {
  Worker &w = worker();
  w.waitAt(FiberState::AtSubgroupOp, site, kCollects, lanes, value);
  const Snapshot &snapshot = *w.fiber->snapshot;
  uint64_t bits = 0;
  for (size_t i = 0; i < snapshot.values.size(); ++i)
    if (snapshot.isPresent[i] && snapshot.values[i])
      bits |= uint64_t(1) << i;
  return bits;
}

/// Waits for all of the subgroup (scope 0) or of the workgroup; `collected`
/// then gives what each brought.
static void collect(int32_t site, int32_t scope, uint64_t lanes,
                    uint64_t value) {
  worker().waitAt(scope ? FiberState::AtBarrier : FiberState::AtSubgroupOp,
                  site, kCollects, lanes, value);
}

static uint64_t getCollected(int64_t index) {
  const Snapshot &snapshot = *worker().fiber->snapshot;
  return index >= 0 && index < int64_t(snapshot.values.size())
             ? snapshot.values[index]
             : 0;
}

static bool isCollected(int64_t index) {
  const Snapshot &snapshot = *worker().fiber->snapshot;
  return index >= 0 && index < int64_t(snapshot.values.size()) &&
         snapshot.isPresent[index];
}

/// The first lane that brought something.
static int64_t getFirstCollected() {
  int64_t index = 0;
  while (!isCollected(index))
    ++index;
  return index;
}

//===----------------------------------------------------------------------===//
// Matrix ops
//===----------------------------------------------------------------------===//

static void bring(int64_t value) {
  worker().fiber->wait.words.push_back(value);
}

static int64_t getMatrixValue(int32_t number) {
  return worker().fiber->matrixValues[number];
}

static void multiply(int32_t site, int32_t op) {
  Worker &w = worker();
  w.multiply(site, w.launch.program.matrixOps[op]);
}

static void loadMatrix(int32_t site, int32_t tile, uint64_t address) {
  Worker &w = worker();
  w.loadMatrix(site, w.launch.program.matrixTiles[tile], address);
}

static void storeMatrix(int32_t site, int32_t tile, uint64_t address) {
  Worker &w = worker();
  w.storeMatrix(site, w.launch.program.matrixTiles[tile], address);
}

static void loadTiles(int32_t site, int32_t numTiles, bool isTransposed,
                      uint64_t address) {
  worker().loadTiles(site, numTiles, isTransposed, address);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

static void enterLoop(int32_t loop) { worker().fiber->loopCounters[loop] = 0; }
static void enterIteration(int32_t loop) {
  ++worker().fiber->loopCounters[loop];
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static void checkIndex(int64_t index, int64_t extent, int64_t size,
                       int32_t dimension, int32_t site, int32_t bufferSite) {
  if (LLVM_LIKELY(index >= 0 && size >= extent && index <= size - extent))
    return;
  Worker &w = worker();
  w.flushValueChecks();
  RawReport report = w.makeReport(ReportKind::OutOfBounds, site, Buffer());
  if (index < 0 || llvm::AddOverflow(index, extent - 1, report.byte))
    report.byte = index;
  report.bufferBytes = size;
  report.bufferSite = bufferSite;
  report.dimension = dimension;
  w.result.reports.add(report);
  w.fiber->badIndexSite = site;
  w.leavePlainAccesses();
}

static uint64_t allocate(int32_t index, int64_t bytes) {
  Worker &w = worker();
  const AllocationInfo &info = w.launch.program.allocations[index];
  // The kernel is not run on with a size that cannot be meant.
  bytes = std::max<int64_t>(bytes, 0);
  if (info.space != Space::Workgroup)
    return w.allocateOwn(bytes, info.site);
  uint64_t count = w.fiber->allocationCounts[index]++;
  return w.allocateShared(count << 32 | uint32_t(index), bytes, info.site,
                          info.isArena);
}

static uint64_t getGlobal(int32_t index) {
  Worker &w = worker();
  if (w.launch.globalIds[index] >= 0)
    return makeAddress(w.launch.globalIds[index]);
  const GlobalInfo &info = w.launch.program.globals[index];
  return w.allocateShared(~uint64_t(index), info.bytes, info.site,
                          /*isArena=*/false);
}

static uint64_t getDynamicWorkgroupMemory(int32_t site) {
  Worker &w = worker();
  return w.allocateShared(~uint64_t(0) << 32,
                          w.launch.program.dynamicWorkgroupBytes, site,
                          /*isArena=*/false);
}

static uint64_t makeView(uint64_t base, int64_t shift, int64_t bytes,
                         int32_t site) {
  return worker().makeView(base, shift, bytes, site);
}

static uint64_t allocateOnStack(int64_t bytes, int32_t site) {
  Worker &w = worker();
  uint64_t address = w.allocateOwn(std::max<int64_t>(bytes, 0), site);
  w.pushStack(address);
  return address;
}

static uint64_t saveStack() { return worker().fiber->stackObjects.size(); }
static void restoreStack(uint64_t size) { worker().popStack(size); }

static void *readMemory(uint64_t address, int64_t size, int32_t site) {
  return worker().access(address, size, site, AccessKind::Read, false);
}
static void *readForCopy(uint64_t address, int64_t size, int32_t site,
                         int32_t load) {
  return worker().loadForCopy(address, size, site, load);
}
static void *writeMemory(uint64_t address, int64_t size, int32_t site) {
  return worker().access(address, size, site, AccessKind::Write, false);
}
static void *writeCopy(uint64_t address, int64_t size, int32_t site,
                       int32_t load) {
  return worker().storeCopy(address, size, site, load);
}

// The same for one size.
template <int64_t size> static void *readSized(uint64_t address, int32_t site) {
  return worker().read<size>(address, site);
}
template <int64_t size>
static void *readSizedForCopy(uint64_t address, int32_t site, int32_t load) {
  return worker().loadForCopy<size>(address, site, load);
}
template <int64_t size>
static void *writeSized(uint64_t address, int32_t site) {
  return worker().write<size>(address, site);
}
template <int64_t size>
static void *writeSizedCopy(uint64_t address, int32_t site, int32_t load) {
  return worker().storeCopy<size>(address, site, load);
}

static void *accessAtomically(uint64_t address, int64_t size, int32_t site) {
  return worker().access(address, size, site, AccessKind::Atomic, false);
}
static void *writeAtomically(uint64_t address, int64_t size, int32_t site) {
  return worker().access(address, size, site, AccessKind::Atomic, true);
}
static void startAsyncCopy(uint64_t to, uint64_t from, int64_t toBytes,
                           int64_t fromBytes, int32_t site) {
  worker().startAsyncCopy({to, from, toBytes, fromBytes, uint32_t(site)});
}
static void commitAsyncCopies(int32_t site) {
  worker().commitAsyncCopies(site);
}
static void waitForAsyncCopies(int32_t pending) {
  worker().waitForAsyncCopies(std::max(pending, 0));
}

static void step(int32_t site, int64_t steps) {
  if (site)
    worker().fiber->lastSite = site;
  worker().step(steps);
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

template <typename Fn> static void *address(Fn *function) {
  return reinterpret_cast<void *>(function);
}

template <int64_t size>
static void addSized(std::vector<RuntimeFunction> &functions) {
  functions.emplace_back(rt::getSized(rt::kRead, size),
                         address(readSized<size>));
  functions.emplace_back(rt::getSized(rt::kReadForCopy, size),
                         address(readSizedForCopy<size>));
  functions.emplace_back(rt::getSized(rt::kWrite, size),
                         address(writeSized<size>));
  functions.emplace_back(rt::getSized(rt::kWriteCopy, size),
                         address(writeSizedCopy<size>));
}

static std::vector<RuntimeFunction> makeRuntimeFunctions() {
  std::vector<RuntimeFunction> functions = {
      {rt::kId, address(getId)},
      {rt::kSubgroupSize, address(getSubgroupSize)},
      {rt::kBarrier, address(waitAtBarrier)},
      {rt::kSubgroupBarrier, address(waitAtSubgroupBarrier)},
      {rt::kShuffle, address(shuffle)},
      {rt::kShuffleNVVM, address(shuffleNVVM)},
      {rt::kPermute, address(permute)},
      {rt::kShuffleValid, address(isShuffleValid)},
      {rt::kBallot, address(ballot)},
      {rt::kCollect, address(collect)},
      {rt::kCollected, address(getCollected)},
      {rt::kIsCollected, address(isCollected)},
      {rt::kFirstCollected, address(getFirstCollected)},
      {rt::kBring, address(bring)},
      {rt::kMatrixValue, address(getMatrixValue)},
      {rt::kMultiply, address(multiply)},
      {rt::kLoadMatrix, address(loadMatrix)},
      {rt::kStoreMatrix, address(storeMatrix)},
      {rt::kLoadTiles, address(loadTiles)},
      {rt::kEnterLoop, address(enterLoop)},
      {rt::kEnterIteration, address(enterIteration)},
      {rt::kIndex, address(checkIndex)},
      {rt::kAlloc, address(allocate)},
      {rt::kGlobal, address(getGlobal)},
      {rt::kDynamicWorkgroup, address(getDynamicWorkgroupMemory)},
      {rt::kView, address(makeView)},
      {rt::kAlloca, address(allocateOnStack)},
      {rt::kStackSave, address(saveStack)},
      {rt::kStackRestore, address(restoreStack)},
      {rt::kRead, address(readMemory)},
      {rt::kReadForCopy, address(readForCopy)},
      {rt::kWrite, address(writeMemory)},
      {rt::kWriteCopy, address(writeCopy)},
      {rt::kAtomic, address(accessAtomically)},
      {rt::kAtomicWrite, address(writeAtomically)},
      {rt::kAsyncCopy, address(startAsyncCopy)},
      {rt::kAsyncCommit, address(commitAsyncCopies)},
      {rt::kAsyncWait, address(waitForAsyncCopies)},
      {rt::kStep, address(step)},
  };
  addSized<1>(functions);
  addSized<2>(functions);
  addSized<4>(functions);
  addSized<8>(functions);
  addSized<16>(functions);
  return functions;
}

ArrayRef<RuntimeFunction> emulator::getRuntimeFunctions() {
  static const std::vector<RuntimeFunction> functions = makeRuntimeFunctions();
  return functions;
}
