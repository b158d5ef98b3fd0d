//===- PrivateBuffers.cpp - which shared buffers need not be -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PrivateBuffers.h"
#include "IndexNumbers.h"
#include "MemSpace/Hazards/HazardAnalysis.h"
#include "MemSpace/Memory/BufferSize.h"
#include "MemSpace/Memory/BufferUses.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace mlir::memspace;

namespace {
class Finder {
public:
  Finder(const KernelContext &context, const WorkgroupBudget &budget)
      : budget(budget), relations(context), hazards(context, relations) {}

  std::optional<PrivateCandidate> check(unsigned number);

private:
  std::optional<SmallVector<unsigned>>
  getAccesses(const BudgetBuffer &buffer) const;
  bool meet(unsigned a, unsigned b) const;
  std::optional<int64_t> getBytesPerThread(MemRefType type,
                                           ArrayRef<unsigned> accesses);

  const WorkgroupBudget &budget;
  ThreadRelations relations;
  HazardAnalysis hazards;
  IndexNumbers numbers;
};
} // namespace

/// An op that does with private memory what it does with workgroup memory, and
/// that each thread executes for itself.
static bool worksOnPrivateMemory(Operation *op) {
  return isa<memref::LoadOp, memref::StoreOp, memref::CopyOp, vector::LoadOp,
             vector::StoreOp, vector::TransferReadOp, vector::TransferWriteOp,
             linalg::LinalgOp>(op);
}

/// The accesses to `buffer`, by their slices of it; none when one of them is
/// not understood.
std::optional<SmallVector<unsigned>>
Finder::getAccesses(const BudgetBuffer &buffer) const {
  BufferUses uses = collectBufferUses(buffer.value);
  if (!uses.escapes.empty() || !uses.forwards.empty())
    return std::nullopt;
  SmallVector<unsigned> result;
  for (auto [number, access] : llvm::enumerate(hazards.getAccesses())) {
    bool isIt = llvm::any_of(access.bases, [&](const MemoryBase &base) {
      return base.buffer == buffer.value;
    });
    if (!isIt)
      continue;
    if (access.bases.size() != 1 || access.view != buffer.getShaped() ||
        !access.elements || access.asynchronous ||
        !worksOnPrivateMemory(access.op))
      return std::nullopt;
    result.push_back(number);
  }
  // Every use must be among them.
  for (OpOperand *use : uses.accesses) {
    bool isKnown = llvm::any_of(result, [&](unsigned number) {
      return hazards.getAccesses()[number].op == use->getOwner();
    });
    if (!isKnown)
      return std::nullopt;
  }
  if (result.empty())
    return std::nullopt;
  return result;
}

/// True when different threads may touch one byte by `a` and `b`, in whatever
/// iterations, and one of them writes.
bool Finder::meet(unsigned a, unsigned b) const {
  Operation *first = hazards.getAccesses()[a].op;
  Operation *second = hazards.getAccesses()[b].op;
  Operation *crossed = nullptr;
  for (Operation *op = first->getParentOp(); op; op = op->getParentOp())
    if (isa<LoopLikeOpInterface>(op) && op->isAncestor(second))
      crossed = op;
  return static_cast<bool>(hazards.getHazard(a, b, crossed));
}

/// Each dimension is cut to the indices that a thread uses, where these lie at
/// constant distances from one place that is the thread's own.
std::optional<int64_t> Finder::getBytesPerThread(MemRefType type,
                                                 ArrayRef<unsigned> accesses) {
  std::optional<int64_t> bytes = getElementBytes(
      type.getElementType(), relations.getContext().getTarget());
  for (unsigned dim = 0; bytes && dim < type.getRank(); ++dim) {
    std::optional<std::vector<IndexNumbers::Term>> terms;
    int64_t begin = 0, end = 0;
    bool isSlice = true;
    for (unsigned number : accesses) {
      const IndexRange &range = (*hazards.getAccesses()[number].elements)[dim];
      std::optional<int64_t> size;
      if (range.size)
        size = range.size->getConstant();
      bool isFixed = size && range.extents.empty() && range.stride > 0 &&
                     llvm::all_of(range.offset.terms, [](const auto &term) {
                       return isThreadConstant(term.first);
                     });
      std::vector<IndexNumbers::Term> key = numbers.getTerms(range.offset);
      if (!isFixed || (terms && *terms != key)) {
        isSlice = false;
        break;
      }
      int64_t from = range.offset.constant, to;
      if (range.offset.invalid ||
          llvm::MulOverflow(std::max<int64_t>(*size - 1, 0), range.stride,
                            to) ||
          llvm::AddOverflow(to, from, to) ||
          llvm::AddOverflow<int64_t>(to, 1, to)) {
        isSlice = false;
        break;
      }
      begin = terms ? std::min(begin, from) : from;
      end = terms ? std::max(end, to) : to;
      terms = std::move(key);
    }
    int64_t extent = type.getDimSize(dim);
    int64_t span;
    if (isSlice && !llvm::SubOverflow(end, begin, span))
      extent = std::min(extent, span);
    bytes = llvm::checkedMul(*bytes, extent);
  }
  return bytes;
}

std::optional<PrivateCandidate> Finder::check(unsigned number) {
  const BudgetBuffer &buffer = budget.getWorkgroupBuffers()[number];
  if (!buffer.hasOneName || buffer.value.getDefiningOp<memref::GetGlobalOp>())
    return std::nullopt;
  std::optional<SmallVector<unsigned>> accesses = getAccesses(buffer);
  if (!accesses)
    return std::nullopt;
  for (unsigned i = 0; i < accesses->size(); ++i)
    for (unsigned j = 0; j <= i; ++j)
      if (meet((*accesses)[i], (*accesses)[j]))
        return std::nullopt;
  std::optional<int64_t> bytes = getBytesPerThread(buffer.getType(), *accesses);
  if (!bytes)
    return std::nullopt;
  return PrivateCandidate{number, *bytes};
}

std::vector<PrivateCandidate>
mlir::memspace::findPrivateCandidates(const KernelContext &context,
                                      const WorkgroupBudget &budget) {
  std::vector<PrivateCandidate> result;
  FunctionOpInterface kernel = context.getKernel();
  // Without an order of blocks nothing is known of iterations.
  if (!kernel.getFunctionBody().hasOneBlock())
    return result;
  Finder finder(context, budget);
  for (unsigned number = 0; number < budget.getWorkgroupBuffers().size();
       ++number)
    if (std::optional<PrivateCandidate> candidate = finder.check(number))
      result.push_back(*candidate);
  return result;
}
