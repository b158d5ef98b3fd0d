//===- PadBankConflicts.cpp - rows that begin in different banks -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BufferLayouts.h"
#include "MemSpace/Layout/BankConflicts.h"
#include "MemSpace/Memory/BufferSize.h"
#include "MemSpace/Memory/BufferUses.h"
#include "MemSpace/Transforms/Passes.h"
#include "MemSpace/Workgroup/WorkgroupPacking.h"
#include "Transforms/Support/InlineCallees.h"
#include "Transforms/Support/PassKernels.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Remarks.h"
#include <numeric>

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_PADBANKCONFLICTSPASS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

namespace {
/// A layout of the buffers of one group and what their accesses cost then.
struct Layout {
  int64_t paddingBytes = 0;
  MemRefType type;
  /// Of each buffer.
  int64_t bytes = 0;
  /// Cycles of all accesses, each as often as it is executed.
  double cycles = 0;
  int64_t degree = 0;
};

struct Candidate {
  BufferGroup group;
  SmallVector<const MemoryAccess *> accesses;
  Layout now;
  /// Fewer cycles than now, best first; each has fewer bytes than the one
  /// before it.
  SmallVector<Layout> layouts;

  double getSaving() const { return now.cycles - layouts.front().cycles; }
};

class Padder {
public:
  Padder(const KernelContext &context, bool allowOccupancyLoss)
      : context(context), kernel(context.getKernel()),
        target(this->context.getTarget()),
        allowOccupancyLoss(allowOccupancyLoss), conflicts(context) {}

  LogicalResult run();

private:
  void collectCandidates();
  void planLayouts(Candidate &candidate);
  Layout getLayout(Candidate &candidate, int64_t paddingBytes);
  void padWithinBudget(Candidate &candidate, const WorkgroupPacking &packing,
                       packing::Problem &problem);
  void pad(Candidate &candidate, const Layout &layout, int64_t packedBytes);
  void emitMissed(Candidate &candidate, StringRef reason);

  KernelContext context;
  FunctionOpInterface kernel;
  const TargetInfo &target;
  bool allowOccupancyLoss;
  BankConflicts conflicts;
  std::vector<MemoryAccess> accesses;
  std::vector<Candidate> candidates;
};
} // namespace

/// Buffers whose rows could be moved apart.
static bool isPaddable(memref::AllocOp alloc, const KernelContext &context) {
  const TargetInfo &target = context.getTarget();
  MemRefType type = alloc.getType();
  return isWorkgroupMemory(type, context.getSpaces()) &&
         type.hasStaticShape() && type.getRank() >= 2 &&
         type.getLayout().isIdentity() && type.getNumElements() > 0 &&
         getBufferBytes(type, target).has_value() && !isArena(alloc);
}

void Padder::collectCandidates() {
  DenseMap<Value, unsigned> numbers;
  for (BufferGroup &group :
       collectBufferGroups(kernel, [&](memref::AllocOp alloc) {
         return isPaddable(alloc, context);
       })) {
    for (Value value : group.values)
      numbers[value] = candidates.size();
    candidates.push_back({std::move(group), {}, {}, {}});
  }
  accesses = collectKernelAccesses(context);
  for (const MemoryAccess &access : accesses)
    if (auto it = numbers.find(access.view); it != numbers.end())
      candidates[it->second].accesses.push_back(&access);
}

/// `candidate` with `paddingBytes` more in each innermost row.
Layout Padder::getLayout(Candidate &candidate, int64_t paddingBytes) {
  MemRefType type = candidate.group.getType();
  int64_t elementBytes = *getElementBytes(type.getElementType(), target);
  SmallVector<int64_t> strides(type.getRank(), 1);
  SmallVector<int64_t> byteStrides(type.getRank(), elementBytes);
  for (int64_t dim = type.getRank() - 2; dim >= 0; --dim) {
    strides[dim] = strides[dim + 1] * type.getDimSize(dim + 1);
    if (dim == type.getRank() - 2)
      strides[dim] += paddingBytes / elementBytes;
    byteStrides[dim] = strides[dim] * elementBytes;
  }
  Layout layout;
  layout.paddingBytes = paddingBytes;
  layout.type = MemRefType::get(
      type.getShape(), type.getElementType(),
      StridedLayoutAttr::get(type.getContext(), /*offset=*/0, strides),
      type.getMemorySpace());
  layout.bytes = *getBufferBytes(layout.type, target);
  for (const MemoryAccess *access : candidate.accesses)
    if (std::optional<BankConflict> conflict =
            conflicts.getConflict(*access, byteStrides)) {
      layout.cycles += conflict->cycles * conflicts.getExecutions(*access);
      layout.degree = std::max(layout.degree, conflict->degree);
    }
  return layout;
}

void Padder::planLayouts(Candidate &candidate) {
  candidate.now = getLayout(candidate, 0);
  if (candidate.now.degree <= 1)
    return;
  MemRefType type = candidate.group.getType();
  int64_t elementBytes = *getElementBytes(type.getElementType(), target);
  LayoutChange change(candidate.group, getLayout(candidate, elementBytes).type);
  if (Operation *obstacle = change.getObstacle()) {
    std::string reason = ("'" + obstacle->getName().getStringRef() +
                          "' cannot take rows with a gap between them")
                             .str();
    return emitMissed(candidate, reason);
  }
  // Rows stay as aligned as they are and as anybody wants them, and words that
  // their elements share stay whole.
  int64_t alignment =
      std::lcm(target.bankBytes, change.getWantedAlignment(target));
  int64_t unit = std::lcm(
      elementBytes, std::gcd(alignment, type.getShape().back() * elementBytes));
  // Any other padding is one of these and whole rounds of the banks. More than
  // half a row is memory that no conflict is worth.
  int64_t round = std::lcm(target.banks * target.bankBytes, unit);
  int64_t most = std::min(round - 1, type.getShape().back() * elementBytes / 2);
  SmallVector<Layout> layouts;
  for (int64_t padding = unit; padding <= most; padding += unit) {
    Layout layout = getLayout(candidate, padding);
    if (layout.cycles < candidate.now.cycles)
      layouts.push_back(layout);
  }
  if (layouts.empty()) {
    std::string reason = llvm::formatv(
        "no padding by multiples of {0} bytes saves cycles", unit);
    return emitMissed(candidate, reason);
  }
  llvm::stable_sort(layouts, [](const Layout &a, const Layout &b) {
    return a.cycles < b.cycles;
  });
  for (Layout &layout : layouts)
    if (candidate.layouts.empty() ||
        layout.bytes < candidate.layouts.back().bytes)
      candidate.layouts.push_back(layout);
}

//===----------------------------------------------------------------------===//
// Padding within the budget
//===----------------------------------------------------------------------===//

static remark::RemarkOpts getRemarkOptions(FunctionOpInterface kernel) {
  return remark::RemarkOpts::name("Padding")
      .category("memspace")
      .function(kernel.getName());
}

void Padder::emitMissed(Candidate &candidate, StringRef reason) {
  for (memref::AllocOp alloc : candidate.group.allocs)
    remark::missed(alloc.getLoc(), getRemarkOptions(kernel))
        << remark::metric("Degree", candidate.now.degree)
        << remark::metric("Reason", reason.str());
}

void Padder::pad(Candidate &candidate, const Layout &layout,
                 int64_t packedBytes) {
  LayoutChange(candidate.group, layout.type).apply();
  Builder builder(kernel.getContext());
  for (memref::AllocOp alloc : candidate.group.allocs) {
    alloc->setAttr(kPaddingAttr,
                   builder.getI64IntegerAttr(layout.paddingBytes));
    remark::passed(alloc.getLoc(), getRemarkOptions(kernel))
        << remark::metric("BytesPerRow", layout.paddingBytes)
        << remark::metric("DegreeBefore", candidate.now.degree)
        << remark::metric("DegreeAfter", layout.degree)
        << remark::metric("WorkgroupBytes", packedBytes);
  }
}

/// Takes the best layout that the kernel can afford; `problem` has the sizes so
/// far, `packing` those without any padding.
void Padder::padWithinBudget(Candidate &candidate,
                             const WorkgroupPacking &packing,
                             packing::Problem &problem) {
  int64_t unpadded = packing.getPacked().solution->height;
  int64_t limit = unpadded <= target.workgroupBytes ? target.workgroupBytes
                                                    : target.maxWorkgroupBytes;
  int64_t threads = context.getThreads();
  int64_t before = target.getOccupancy(unpadded, threads);
  std::string reason;
  for (const Layout &layout : candidate.layouts) {
    packing::Problem padded = problem;
    auto isPadded = [&](Value buffer) {
      return llvm::is_contained(candidate.group.allocs, buffer.getDefiningOp());
    };
    for (auto [number, buffer] : llvm::enumerate(packing.getBuffers()))
      if (isPadded(buffer.value) || llvm::any_of(buffer.followers, isPadded))
        padded.buffers[number].bytes =
            std::max(padded.buffers[number].bytes, layout.bytes);
    int64_t bytes = packing::solveExact(padded).solution->height;
    int64_t after = target.getOccupancy(bytes, threads);
    if (bytes > limit) {
      reason = llvm::formatv("the kernel would take {0} bytes of workgroup "
                             "memory, the limit is {1}",
                             bytes, limit);
    } else if (after < before && !allowOccupancyLoss) {
      reason = llvm::formatv("the kernel would take {0} bytes of workgroup "
                             "memory, and {1} instead of {2} workgroups would "
                             "fit in a compute unit",
                             bytes, after, before);
    } else {
      problem = std::move(padded);
      return pad(candidate, layout, bytes);
    }
  }
  emitMissed(candidate, reason);
}

LogicalResult Padder::run() {
  collectCandidates();
  for (Candidate &candidate : candidates)
    planLayouts(candidate);
  llvm::erase_if(candidates, [](const Candidate &candidate) {
    return candidate.layouts.empty();
  });
  if (candidates.empty())
    return success();

  FailureOr<WorkgroupPacking> packing = WorkgroupPacking::compute(context);
  if (failed(packing))
    return failure();
  packing::Problem problem = packing->getProblem();
  llvm::stable_sort(candidates, [](const Candidate &a, const Candidate &b) {
    return a.getSaving() > b.getSaving();
  });
  for (Candidate &candidate : candidates)
    padWithinBudget(candidate, *packing, problem);
  return success();
}

namespace {
struct PadBankConflictsPass
    : public memspace::impl::PadBankConflictsPassBase<PadBankConflictsPass> {
  using Base::Base;
  void runOnOperation() override {
    KernelSelection selection;
    selection.target = {chip, workgroupLimit, privateLimit, subgroupSize};
    selection.launch = {llvm::to_vector(blockSize), llvm::to_vector(gridSize)};
    selection.memorySpaces = memorySpaces;
    selection.pass = getArgument();
    selection.quiet = quiet;
    auto run = [&](const KernelContext &context) {
      return success(succeeded(inlineWorkgroupCallees(context)) &&
                     succeeded(Padder(context, allowOccupancyLoss).run()));
    };
    if (failed(forEachKernel(getOperation(), selection, run)))
      signalPassFailure();
  }
};
} // namespace
