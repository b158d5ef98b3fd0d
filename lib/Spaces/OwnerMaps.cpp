//===- OwnerMaps.cpp - which thread accesses which element -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Spaces/OwnerMaps.h"
#include "SomeIterations.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// OwnerMap
//===----------------------------------------------------------------------===//

std::optional<int64_t> OwnerMap::getSliceElements() const {
  int64_t elements = 1;
  for (int64_t size : const_cast<OwnerMap *>(this)->insert.getStaticSizes()) {
    if (ShapedType::isDynamic(size) ||
        llvm::MulOverflow(elements, size, elements))
      return std::nullopt;
  }
  return elements;
}

std::optional<int64_t>
OwnerMap::getElementsPerThread(const KernelContext &context) const {
  std::optional<int64_t> slice = getSliceElements();
  std::optional<SmallVector<int64_t, 3>> counts = getStaticTripCounts(forall);
  std::optional<ForallMapping> mapping = getForallMapping(forall);
  if (!slice || !counts || !mapping)
    return std::nullopt;
  const LaunchShape &shape = context.getShape();
  int64_t elements = *slice;
  if (mapping->linear || mapping->lane) {
    std::optional<int64_t> ids =
        mapping->lane ? context.getSubgroupSize() : shape.getThreads();
    int64_t total = 1;
    for (int64_t count : *counts)
      if (llvm::MulOverflow(total, count, total))
        return std::nullopt;
    if (!ids || llvm::MulOverflow<int64_t>(
                    elements, llvm::divideCeil(total, *ids), elements))
      return std::nullopt;
    return elements;
  }
  for (auto [count, dim] : llvm::zip_equal(*counts, mapping->dims))
    if (llvm::MulOverflow<int64_t>(
            elements, llvm::divideCeil(count, dim < 3 ? shape.block[dim] : 1),
            elements))
      return std::nullopt;
  return elements;
}

//===----------------------------------------------------------------------===//
// OwnerMaps
//===----------------------------------------------------------------------===//

/// The block of the allocation when the class has one: each execution of it
/// begins with a fresh buffer.
static Block *getInstanceBlock(const BufferClass &cls) {
  Block *block = nullptr;
  for (Value root : cls.roots) {
    if (block && block != root.getParentBlock())
      return nullptr;
    block = root.getParentBlock();
  }
  return block;
}

/// The elements that an iteration of the owner's forall writes.
static ElementAccess getOwnedElements(OwnerMap owner) {
  ElementAccess access;
  access.op = owner.insert;
  access.ranges.emplace();
  for (auto [offset, size] : llvm::zip_equal(owner.insert.getMixedOffsets(),
                                             owner.insert.getMixedSizes())) {
    IndexRange range;
    range.offset = LinearExpr(offset);
    range.size = LinearExpr(size);
    access.ranges->push_back(range);
  }
  return access;
}

/// True when nothing is around `op` but foralls, and loops that have an
/// iteration.
static bool isUnconditional(Operation *op) {
  for (Operation *parent = op->getParentOp();
       parent && !isa<FunctionOpInterface>(parent);
       parent = parent->getParentOp()) {
    if (isa<scf::ForallOp>(parent))
      continue;
    auto loop = dyn_cast<LoopLikeOpInterface>(parent);
    std::optional<APInt> trips =
        loop ? loop.getStaticTripCount() : std::nullopt;
    if (!trips || trips->isZero())
      return false;
  }
  return true;
}

std::optional<UnalignedPair> OwnerMaps::findUnaligned(const BufferClass &cls,
                                                      bool mappedOnly) const {
  auto [it, isNew] = unaligned.try_emplace({&cls, mappedOnly});
  if (isNew)
    it->second = computeUnaligned(cls, mappedOnly);
  return it->second;
}

std::optional<UnalignedPair>
OwnerMaps::computeUnaligned(const BufferClass &cls, bool mappedOnly) const {
  Block *block = getInstanceBlock(cls);
  auto mayMeet = [&](const ElementAccess &a, const ElementAccess &b) {
    if (meetInSomeThreads(a, b, relations.getContext()))
      return true;
    return !areApartInThreads(a, b, relations.getContext()) &&
           relations.mayOverlap(a, b, ExecutionPair::DifferentThreads, block);
  };
  // Where every element has an owner, it is enough that no thread accesses an
  // element that another owns: one question for each access.
  // The owner must be certain to execute: what a branch that is never taken
  // owns meets nothing.
  if (std::optional<OwnerMap> owner = findOwnerMap(cls, OwnerKind::Certain)) {
    ElementAccess owned = getOwnedElements(*owner);
    bool ownersOnly =
        llvm::all_of(cls.accesses, [&](const BufferAccess &access) {
          if (!isMapped(access, cls) && (!access.read || mappedOnly))
            return true;
          return !mayMeet(access.elements, owned);
        });
    if (ownersOnly)
      return std::nullopt;
  }
  for (const BufferAccess &write : cls.accesses) {
    if (!write.write || !isMapped(write, cls))
      continue;
    for (const BufferAccess &read : cls.accesses) {
      if (!read.read || (mappedOnly && !isMapped(read, cls)))
        continue;
      if (mayMeet(write.elements, read.elements))
        return UnalignedPair{&write, &read};
    }
  }
  return std::nullopt;
}

std::optional<OwnerMap> OwnerMaps::getOwnerMap(const BufferClass &cls) const {
  auto [it, isNew] = ownerMaps.try_emplace(&cls);
  if (isNew)
    it->second = findOwnerMap(cls, OwnerKind::Any);
  return it->second;
}

std::optional<OwnerMap> OwnerMaps::findOwnerMap(const BufferClass &cls,
                                                OwnerKind kind) const {
  for (Value value : cls.values) {
    auto arg = dyn_cast<BlockArgument>(value);
    if (!arg)
      continue;
    auto forall = dyn_cast<scf::ForallOp>(arg.getOwner()->getParentOp());
    if (!forall || !isThreadForall(forall) ||
        !classes.getView(value).isIdentity())
      continue;
    // All of the buffer by exactly one insertion in each iteration.
    tensor::ParallelInsertSliceOp insert;
    unsigned count = 0;
    for (Operation *user : forall.getCombiningOps(arg)) {
      insert = dyn_cast<tensor::ParallelInsertSliceOp>(user);
      ++count;
    }
    if (count != 1 || !insert || !insert.hasUnitStride())
      continue;
    OwnerMap owner{forall, insert};
    std::optional<int64_t> slice = owner.getSliceElements();
    std::optional<SmallVector<int64_t, 3>> counts = getStaticTripCounts(forall);
    auto type = cast<RankedTensorType>(arg.getType());
    if (!slice || !counts || !type.hasStaticShape())
      continue;
    int64_t covered = *slice;
    bool overflows = false;
    for (int64_t n : *counts)
      overflows |= llvm::MulOverflow(covered, n, covered);
    if (!overflows && covered == type.getNumElements() &&
        (kind == OwnerKind::Any || isUnconditional(forall)))
      return owner;
  }
  return std::nullopt;
}
