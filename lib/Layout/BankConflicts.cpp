//===- BankConflicts.cpp - which lanes meet in a bank -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Layout/BankConflicts.h"
#include "MemSpace/Memory/BufferSize.h"
#include "Threads/WorkgroupValueSamples.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;

/// The widest access that a lane makes at once.
static constexpr int64_t kMaxLaneBytes = 16;

BankConflicts::BankConflicts(const KernelContext &context)
    : context(context),
      values(std::make_unique<WorkgroupValueSamples>(context)) {}

BankConflicts::~BankConflicts() = default;

//===----------------------------------------------------------------------===//
// What one lane touches
//===----------------------------------------------------------------------===//

namespace {
/// What a thread touches, one step after the other.
struct LaneAccess {
  /// Bytes of a step.
  int64_t bytes = 0;
  /// Steps, if they are static.
  std::optional<double> steps;
};
} // namespace

static std::optional<double> getProduct(ArrayRef<int64_t> sizes) {
  double product = 1;
  for (int64_t size : sizes) {
    if (ShapedType::isDynamic(size))
      return std::nullopt;
    product *= size;
  }
  return product;
}

/// None for ops that are not known to touch consecutive elements from the
/// access' first on, or element by element.
static std::optional<LaneAccess> getLaneAccess(const MemoryAccess &access,
                                               const TargetInfo &target) {
  auto type = access.memref ? dyn_cast<MemRefType>(access.memref.getType())
                            : MemRefType();
  if (!type || !access.elements || access.isUnknown())
    return std::nullopt;
  std::optional<int64_t> elementBytes =
      getElementBytes(type.getElementType(), target);
  if (!elementBytes)
    return std::nullopt;
  Operation *op = access.op;
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return LaneAccess{*elementBytes,
                      getProduct(linalgOp.getStaticLoopRanges())};
  if (isa<memref::CopyOp>(op))
    return LaneAccess{*elementBytes, getProduct(type.getShape())};

  double elements = 1;
  int64_t run = 1;
  if (auto copy = dyn_cast<nvgpu::DeviceAsyncCopyOp>(op)) {
    elements = run = copy.getDstElements().getZExtValue();
  } else if (isa<memref::LoadOp, memref::StoreOp, memref::AtomicRMWOp,
                 memref::GenericAtomicRMWOp, vector::LoadOp, vector::StoreOp,
                 VectorTransferOpInterface>(op)) {
    for (const IndexRange &range : *access.elements) {
      std::optional<int64_t> size =
          range.size ? range.size->getConstant() : std::nullopt;
      if (!size || !range.extents.empty())
        return std::nullopt;
      elements *= *size;
      run = *size;
    }
    if (access.elements->empty() || access.elements->back().stride != 1)
      run = 1;
  } else {
    return std::nullopt;
  }
  int64_t bytes;
  if (llvm::MulOverflow(run, *elementBytes, bytes))
    return std::nullopt;
  bytes = std::min(bytes, std::max(kMaxLaneBytes, *elementBytes));
  return LaneAccess{bytes, elements * *elementBytes / bytes};
}

/// Bytes from the start of `access.view` to the first that is touched, if the
/// indices of each dimension are `strides` bytes apart.
static std::optional<LinearExpr> getAddress(const MemoryAccess &access,
                                            ArrayRef<int64_t> strides) {
  if (!access.elements)
    return std::nullopt;
  SmallVector<LinearExpr> indices;
  if (auto copy = dyn_cast<nvgpu::DeviceAsyncCopyOp>(access.op)) {
    // MemoryAccess does not know its elements.
    if (access.memref != access.view || access.memref != copy.getDst())
      return std::nullopt;
    for (Value index : copy.getDstIndices())
      indices.push_back(LinearExpr(OpFoldResult(index)));
  } else {
    for (const IndexRange &range : *access.elements) {
      // Any index of a slice, not all of a whole buffer.
      if (!range.size && access.memref != access.view)
        return std::nullopt;
      indices.push_back(range.offset);
    }
  }
  if (indices.size() != strides.size())
    return std::nullopt;
  LinearExpr address;
  for (auto [index, stride] : llvm::zip_equal(indices, strides))
    address += index * stride;
  return address;
}

double BankConflicts::getExecutions(const MemoryAccess &access) const {
  double executions = (access.reads ? 1 : 0) + (access.writes ? 1 : 0);
  if (std::optional<LaneAccess> lane =
          getLaneAccess(access, context.getTarget()))
    executions *= lane->steps.value_or(kUnknownTrips);
  for (Operation *parent = access.op->getParentOp();
       parent && !isa<FunctionOpInterface>(parent);
       parent = parent->getParentOp()) {
    if (auto loop = dyn_cast<LoopLikeOpInterface>(parent)) {
      std::optional<APInt> trips = loop.getStaticTripCount();
      executions *= trips ? trips->signedRoundToDouble() : kUnknownTrips;
    } else if (auto linalgOp = dyn_cast<linalg::LinalgOp>(parent)) {
      executions *=
          getProduct(linalgOp.getStaticLoopRanges()).value_or(kUnknownTrips);
    }
  }
  return executions;
}

//===----------------------------------------------------------------------===//
// Counting
//===----------------------------------------------------------------------===//

/// The most words in one bank, of which `words` has those that a phase touches.
static int64_t getWorstBank(SmallVectorImpl<int64_t> &words, int64_t banks) {
  llvm::sort(words);
  words.erase(llvm::unique(words), words.end());
  SmallVector<int64_t> counts(banks);
  int64_t worst = 0;
  for (int64_t word : words)
    worst = std::max(worst, ++counts[llvm::mod(word, banks)]);
  return worst;
}

std::optional<BankConflict> BankConflicts::count(const MemoryAccess &access,
                                                 const LinearExpr &address) {
  const TargetInfo &target = context.getTarget();
  std::optional<LaneAccess> lane = getLaneAccess(access, target);
  if (!lane)
    return std::nullopt;
  int64_t laneBytes =
      std::max<int64_t>(target.bankBytes, llvm::PowerOf2Ceil(lane->bytes));
  int64_t phase = std::clamp<int64_t>(
      target.banks * target.bankBytes / laneBytes, 1, target.subgroupSize);

  BankConflict result;
  std::optional<int64_t> firstCycles;
  unsigned samples = 0;
  bool varies = true;
  while (samples < WorkgroupValueSamples::kSamples && varies) {
    SmallVector<std::pair<const ThreadNumbers *, int64_t>> terms;
    bool assumed = false;
    varies = false;
    for (auto [value, factor] : address.terms) {
      const ThreadNumbers *numbers = values->get(value, samples);
      if (!numbers)
        return std::nullopt;
      terms.emplace_back(numbers, factor);
      assumed |= numbers->assumed;
      varies |= numbers->varies;
    }
    const ThreadNumbers &active =
        values->getActive(access.op->getBlock(), samples);
    varies |= active.varies;

    int64_t cycles = 0;
    SmallVector<int64_t> words;
    int64_t threads = context.getThreads();
    for (int64_t subgroup = 0; subgroup < threads;
         subgroup += target.subgroupSize) {
      int64_t subgroupEnd = std::min(subgroup + target.subgroupSize, threads);
      for (int64_t begin = subgroup; begin < subgroupEnd; begin += phase) {
        words.clear();
        for (int64_t thread = begin;
             thread < std::min(begin + phase, subgroupEnd); ++thread) {
          if (!active.get(thread))
            continue;
          uint64_t sum = address.constant;
          for (auto [numbers, factor] : terms)
            sum += uint64_t(factor) * uint64_t(numbers->get(thread));
          // Assumed values may be out of any bounds.
          int64_t byte = llvm::SignExtend64<48>(sum);
          for (int64_t word = llvm::divideFloorSigned(byte, target.bankBytes);
               word * target.bankBytes < byte + lane->bytes; ++word)
            words.push_back(word);
        }
        int64_t worst = getWorstBank(words, target.banks);
        cycles += worst;
        result.degree = std::max(result.degree, worst);
      }
    }
    if (assumed && firstCycles.value_or(cycles) != cycles)
      return std::nullopt;
    firstCycles = firstCycles.value_or(cycles);
    result.cycles += cycles;
    ++samples;
  }
  result.cycles /= samples;
  return result;
}

std::optional<BankConflict>
BankConflicts::getConflict(const MemoryAccess &access) {
  // Known for views with a static layout and one base.
  if (!access.byteRange)
    return std::nullopt;
  auto type = cast<MemRefType>(access.view.getType());
  auto [strides, offset] = type.getStridesAndOffset();
  int64_t bytes = *getElementBytes(type.getElementType(), context.getTarget());
  for (int64_t &stride : strides)
    if (llvm::MulOverflow(stride, bytes, stride))
      return std::nullopt;
  std::optional<LinearExpr> address = getAddress(access, strides);
  if (!address)
    return std::nullopt;
  *address += *access.bases.front().shiftBytes;
  *address += LinearExpr(offset) * bytes;
  return count(access, *address);
}

std::optional<BankConflict>
BankConflicts::getConflict(const MemoryAccess &access,
                           ArrayRef<int64_t> strides) {
  std::optional<LinearExpr> address = getAddress(access, strides);
  return address ? count(access, *address) : std::nullopt;
}
