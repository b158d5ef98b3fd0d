//===- PadBankConflicts.cpp - rows that begin in different banks -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InlineCallees.h"
#include "MemSpace/Analysis/BankConflicts.h"
#include "MemSpace/Analysis/BufferSize.h"
#include "MemSpace/Analysis/BufferUses.h"
#include "MemSpace/Analysis/WorkgroupPacking.h"
#include "MemSpace/Transforms/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/MapVector.h"
#include <numeric>

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_MEMSPACEPADBANKCONFLICTS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// What the uses of a buffer allow
//===----------------------------------------------------------------------===//

namespace {
/// The uses of a buffer whose rows are to be moved apart.
class BufferUsers {
public:
  BufferUsers(memref::AllocOp alloc, const TargetInfo &target)
      : alloc(alloc), target(target) {}

  /// Gives the buffer the layout of `type`. Until apply() nothing but the types
  /// is decided; a use that cannot live with them is returned.
  Operation *plan(MemRefType type) {
    types.clear();
    Operation *obstacle = nullptr;
    planTypes(alloc, type, obstacle);
    return obstacle;
  }
  void apply() {
    for (auto [value, type] : types)
      value.setType(type);
  }

  /// What every row is aligned to, as far as accesses may rely on it. Whole
  /// words stay whole words.
  int64_t getRowAlignment();

private:
  bool planTypes(Value value, MemRefType type, Operation *&obstacle);
  bool planUser(Operation *user, MemRefType type, Operation *&obstacle);

  memref::AllocOp alloc;
  const TargetInfo &target;
  llvm::MapVector<Value, MemRefType> types;
};
} // namespace

bool BufferUsers::planTypes(Value value, MemRefType type,
                            Operation *&obstacle) {
  types[value] = type;
  for (Operation *user : value.getUsers())
    if (!planUser(user, type, obstacle)) {
      if (!obstacle)
        obstacle = user;
      return false;
    }
  return true;
}

bool BufferUsers::planUser(Operation *user, MemRefType type,
                           Operation *&obstacle) {
  if (auto view = dyn_cast<memref::SubViewOp>(user)) {
    MemRefType inferred = memref::SubViewOp::inferRankReducedResultType(
        view.getType().getShape(), type, view.getMixedOffsets(),
        view.getMixedSizes(), view.getMixedStrides());
    return inferred && planTypes(view, inferred, obstacle);
  }
  if (auto cast = dyn_cast<memref::CastOp>(user)) {
    // A type without a layout promises rows without gaps.
    auto result = dyn_cast<MemRefType>(cast.getType());
    return result && isa<StridedLayoutAttr>(result.getLayout()) &&
           memref::CastOp::areCastCompatible(type, result) &&
           planTypes(cast, result, obstacle);
  }
  if (auto collapse = dyn_cast<memref::CollapseShapeOp>(user)) {
    SmallVector<ReassociationIndices> groups =
        collapse.getReassociationIndices();
    return memref::CollapseShapeOp::isGuaranteedCollapsible(type, groups) &&
           planTypes(
               collapse,
               memref::CollapseShapeOp::computeCollapsedType(type, groups),
               obstacle);
  }
  if (auto expand = dyn_cast<memref::ExpandShapeOp>(user)) {
    FailureOr<MemRefType> expanded = memref::ExpandShapeOp::computeExpandedType(
        type, expand.getResultType().getShape(),
        expand.getReassociationIndices());
    return succeeded(expanded) && planTypes(expand, *expanded, obstacle);
  }
  if (auto assume = dyn_cast<memref::AssumeAlignmentOp>(user))
    return planTypes(assume.getResult(), type, obstacle);
  // These go by the strides of the type. Others may have a row length of their
  // own (gpu.subgroup_mma_load_matrix) or offsets in elements (vector.gather).
  return isa<linalg::LinalgOp, memref::LoadOp, memref::StoreOp,
             memref::AtomicRMWOp, memref::GenericAtomicRMWOp, memref::CopyOp,
             memref::DimOp, memref::DeallocOp, vector::LoadOp, vector::StoreOp,
             VectorTransferOpInterface, nvgpu::DeviceAsyncCopyOp>(user);
}

/// The alignment that `op` may want for what it touches in a row of elements of
/// `elementBytes`.
static int64_t getAccessAlignment(Operation *op, int64_t elementBytes) {
  auto getNatural = [](int64_t bytes) {
    // Lowest power of two in it; no access is wider than 16 bytes.
    return std::min<int64_t>(bytes & -bytes, 16);
  };
  auto ofVector = [&](VectorType type, std::optional<int64_t> given) {
    int64_t lanes = type.getRank() == 0 ? 1 : type.getShape().back();
    return std::max(getNatural(lanes * elementBytes), given.value_or(1));
  };
  if (auto load = dyn_cast<vector::LoadOp>(op))
    return ofVector(load.getVectorType(), load.getAlignment());
  if (auto store = dyn_cast<vector::StoreOp>(op))
    return ofVector(store.getVectorType(), store.getAlignment());
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return load.getAlignment().value_or(1);
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return store.getAlignment().value_or(1);
  if (auto transfer = dyn_cast<VectorTransferOpInterface>(op))
    return ofVector(transfer.getVectorType(), std::nullopt);
  if (auto copy = dyn_cast<nvgpu::DeviceAsyncCopyOp>(op))
    return getNatural(copy.getDstElements().getZExtValue() * elementBytes);
  if (auto assume = dyn_cast<memref::AssumeAlignmentOp>(op))
    return assume.getAlignment();
  return 1;
}

int64_t BufferUsers::getRowAlignment() {
  MemRefType type = alloc.getType();
  int64_t elementBytes = *getElementBytes(type.getElementType(), target);
  int64_t alignment = target.bankBytes;
  for (auto [value, unused] : types)
    for (Operation *user : value.getUsers())
      alignment = std::lcm(alignment, getAccessAlignment(user, elementBytes));
  // Rows that were not aligned need not be.
  return std::gcd(alignment, type.getShape().back() * elementBytes);
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

namespace {
/// A layout of one buffer and what its accesses cost then.
struct Layout {
  int64_t paddingBytes = 0;
  MemRefType type;
  int64_t bytes = 0;
  /// Cycles of all accesses, each as often as it is executed.
  double cycles = 0;
  int64_t degree = 0;
};

struct Candidate {
  memref::AllocOp alloc;
  SmallVector<const MemoryAccess *> accesses;
  Layout now;
  /// Fewer cycles than now, best first; each has fewer bytes than the one
  /// before it.
  SmallVector<Layout> layouts;

  double getSaving() const { return now.cycles - layouts.front().cycles; }
};

class Padder {
public:
  Padder(FunctionOpInterface kernel, const TargetInfo &target,
         bool allowOccupancyLoss)
      : kernel(kernel), target(target), shape(*getLaunchShape(kernel)),
        allowOccupancyLoss(allowOccupancyLoss),
        conflicts(kernel, shape, target) {}

  LogicalResult run();

private:
  void collectCandidates();
  void planLayouts(Candidate &candidate);
  Layout getLayout(Candidate &candidate, int64_t paddingBytes);
  void pad(Candidate &candidate, const Layout &layout, int64_t packedBytes);
  void emitMissed(Candidate &candidate, StringRef reason);

  FunctionOpInterface kernel;
  TargetInfo target;
  LaunchShape shape;
  bool allowOccupancyLoss;
  BankConflicts conflicts;
  std::vector<MemoryAccess> accesses;
  std::vector<Candidate> candidates;
};
} // namespace

/// Buffers whose rows could be moved apart.
static bool isPaddable(memref::AllocOp alloc, const TargetInfo &target) {
  MemRefType type = alloc.getType();
  return isWorkgroupMemory(type) && type.hasStaticShape() &&
         type.getRank() >= 2 && type.getLayout().isIdentity() &&
         type.getNumElements() > 0 &&
         getBufferBytes(type, target).has_value() && !isArena(alloc);
}

void Padder::collectCandidates() {
  DenseMap<Value, unsigned> numbers;
  kernel.getFunctionBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto alloc = dyn_cast<memref::AllocOp>(op);
        alloc && isPaddable(alloc, target)) {
      numbers[alloc] = candidates.size();
      candidates.push_back({alloc, {}, {}, {}});
    }
    if (isControlFlow(op))
      return WalkResult::advance();
    collectAccesses(op, target, accesses);
    return WalkResult::skip();
  });
  for (const MemoryAccess &access : accesses)
    if (auto it = numbers.find(access.view); it != numbers.end())
      candidates[it->second].accesses.push_back(&access);
}

/// `candidate` with `paddingBytes` more in each innermost row.
Layout Padder::getLayout(Candidate &candidate, int64_t paddingBytes) {
  MemRefType type = candidate.alloc.getType();
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
  MemRefType type = candidate.alloc.getType();
  int64_t elementBytes = *getElementBytes(type.getElementType(), target);
  BufferUsers users(candidate.alloc, target);
  if (Operation *obstacle =
          users.plan(getLayout(candidate, elementBytes).type)) {
    std::string reason = ("'" + obstacle->getName().getStringRef() +
                          "' cannot take rows with a gap between them")
                             .str();
    return emitMissed(candidate, reason);
  }
  // Any other padding is one of these and whole rounds of the banks.
  int64_t unit = std::lcm(elementBytes, users.getRowAlignment());
  int64_t round = std::lcm(target.banks * target.bankBytes, unit);
  SmallVector<Layout> layouts;
  for (int64_t padding = unit; padding < round; padding += unit) {
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
  remark::missed(candidate.alloc.getLoc(), getRemarkOptions(kernel))
      << remark::metric("Degree", candidate.now.degree)
      << remark::metric("Reason", reason.str());
}

void Padder::pad(Candidate &candidate, const Layout &layout,
                 int64_t packedBytes) {
  BufferUsers users(candidate.alloc, target);
  users.plan(layout.type);
  users.apply();
  Builder builder(kernel.getContext());
  candidate.alloc->setAttr(kPaddingAttr,
                           builder.getI64IntegerAttr(layout.paddingBytes));
  remark::passed(candidate.alloc.getLoc(), getRemarkOptions(kernel))
      << remark::metric("BytesPerRow", layout.paddingBytes)
      << remark::metric("DegreeBefore", candidate.now.degree)
      << remark::metric("DegreeAfter", layout.degree)
      << remark::metric("WorkgroupBytes", packedBytes);
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

  FailureOr<WorkgroupPacking> packing =
      WorkgroupPacking::compute(kernel, target);
  if (failed(packing))
    return failure();
  packing::Problem problem = packing->getProblem();
  int64_t unpadded = packing->getPacked().solution->height;
  int64_t limit = unpadded <= target.workgroupBytes ? target.workgroupBytes
                                                    : target.maxWorkgroupBytes;
  auto getOccupancy = [&](int64_t bytes) {
    return target.getOccupancy(bytes, shape.getThreads());
  };

  llvm::stable_sort(candidates, [](const Candidate &a, const Candidate &b) {
    return a.getSaving() > b.getSaving();
  });
  for (Candidate &candidate : candidates) {
    const auto *buffer =
        llvm::find_if(packing->getBuffers(), [&](const WorkgroupBuffer &other) {
          return other.value == candidate.alloc.getResult();
        });
    unsigned number = buffer - packing->getBuffers().begin();
    std::string reason;
    for (const Layout &layout : candidate.layouts) {
      packing::Problem padded = problem;
      padded.buffers[number].bytes = layout.bytes;
      int64_t bytes = packing::solveExact(padded).solution->height;
      int64_t before = getOccupancy(unpadded), after = getOccupancy(bytes);
      if (bytes > limit) {
        reason = llvm::formatv("the kernel would take {0} bytes of workgroup "
                               "memory, the limit is {1}",
                               bytes, limit);
      } else if (after < before && !allowOccupancyLoss) {
        reason = llvm::formatv("the kernel would take {0} bytes of workgroup "
                               "memory, and {1} instead of {2} workgroups "
                               "would fit in a compute unit",
                               bytes, after, before);
      } else {
        pad(candidate, layout, bytes);
        problem = std::move(padded);
        reason.clear();
        break;
      }
    }
    if (!reason.empty())
      emitMissed(candidate, reason);
  }
  return success();
}

namespace {
struct PadBankConflictsPass
    : public memspace::impl::MemSpacePadBankConflictsBase<
          PadBankConflictsPass> {
  using Base::Base;
  void runOnOperation() override {
    for (FunctionOpInterface kernel : getKernels(getOperation())) {
      FailureOr<TargetInfo> target = resolveTarget(
          kernel, {chip, workgroupLimit, privateLimit, subgroupSize});
      if (failed(target) || failed(inlineWorkgroupCallees(kernel)) ||
          failed(Padder(kernel, *target, allowOccupancyLoss).run()))
        return signalPassFailure();
    }
  }
};
} // namespace
