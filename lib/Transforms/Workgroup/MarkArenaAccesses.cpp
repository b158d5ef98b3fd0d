//===- MarkArenaAccesses.cpp - which buffer an access is in -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ArenaAccess.h"
#include "MemSpace/Memory/BufferSize.h"
#include "MemSpace/Memory/BufferUses.h"
#include "MemSpace/Memory/MemoryAccess.h"
#include "MemSpace/Transforms/Passes.h"
#include "Transforms/Support/PassKernels.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_MARKARENAACCESSESPASS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

namespace {
struct MarkArenaAccessesPass
    : public memspace::impl::MarkArenaAccessesPassBase<MarkArenaAccessesPass> {
  using Base::Base;
  void runOnOperation() override {
    KernelSelection selection;
    selection.pass = getArgument();
    selection.targetIsOptional = selection.quiet = true;
    if (failed(forEachKernel(getOperation(), selection, mark)))
      signalPassFailure();
  }

private:
  static LogicalResult mark(const KernelContext &context);
};

/// Bytes of the arena, [first, second).
using Place = std::pair<int64_t, int64_t>;
} // namespace

//===----------------------------------------------------------------------===//
// Marks
//===----------------------------------------------------------------------===//

static constexpr llvm::StringLiteral kBuffersKey = "memspace.buffers";
static constexpr llvm::StringLiteral kDisjointKey = "memspace.disjoint";

void mlir::memspace::markArenaAccess(Operation *op, const ArenaAccess &access) {
  MLIRContext *context = op->getContext();
  auto toAttr = [&](ArrayRef<int64_t> numbers) {
    return DenseI64ArrayAttr::get(context, numbers);
  };
  NamedAttribute entries[] = {
      NamedAttribute(StringAttr::get(context, kBuffersKey),
                     toAttr(access.buffers)),
      NamedAttribute(StringAttr::get(context, kDisjointKey),
                     toAttr(access.disjoint))};
  op->setLoc(FusedLoc::get({op->getLoc()},
                           DictionaryAttr::get(context, entries), context));
}

std::optional<ArenaAccess> mlir::memspace::takeArenaAccess(Operation *op) {
  auto fused = dyn_cast<FusedLoc>(op->getLoc());
  auto mark = fused ? dyn_cast_or_null<DictionaryAttr>(fused.getMetadata())
                    : DictionaryAttr();
  if (!mark || fused.getLocations().size() != 1)
    return std::nullopt;
  auto buffers = mark.getAs<DenseI64ArrayAttr>(kBuffersKey);
  auto disjoint = mark.getAs<DenseI64ArrayAttr>(kDisjointKey);
  if (!buffers || !disjoint)
    return std::nullopt;
  op->setLoc(fused.getLocations().front());
  return ArenaAccess{llvm::to_vector(buffers.asArrayRef()),
                     llvm::to_vector(disjoint.asArrayRef())};
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Where a view of the arena is; none when that is not known.
static std::optional<Place> getPlace(Value buffer, const TargetInfo &target) {
  auto view = buffer.getDefiningOp<memref::ViewOp>();
  if (!view || !isArena(view.getSource()))
    return std::nullopt;
  std::optional<int64_t> shift = getConstantIntValue(view.getByteShift());
  std::optional<int64_t> bytes = getBufferBytes(view.getType(), target);
  int64_t end;
  if (!shift || !bytes || llvm::AddOverflow(*shift, *bytes, end))
    return std::nullopt;
  return Place{*shift, end};
}

/// The places that all workgroup accesses of `op` are in; none when one may be
/// anywhere.
static std::optional<SmallVector<Place>>
getPlaces(Operation *op, const KernelContext &context) {
  std::vector<MemoryAccess> accesses;
  collectAccesses(op, context, accesses);
  SmallVector<Place> places;
  for (const MemoryAccess &access : accesses) {
    if (access.isUnknown())
      return std::nullopt;
    for (const MemoryBase &base : access.bases) {
      // Lowered, accesses to other memory are told by their address space.
      if (!isWorkgroupMemory(access.memref.getType(), context.getSpaces()))
        continue;
      std::optional<Place> place =
          base.buffer ? getPlace(base.buffer, context.getTarget())
                      : std::nullopt;
      if (!place)
        return std::nullopt;
      places.push_back(*place);
    }
  }
  return places;
}

LogicalResult MarkArenaAccessesPass::mark(const KernelContext &context) {
  llvm::MapVector<Place, int64_t> numbers;
  SmallVector<std::pair<Operation *, SmallVector<Place>>> marked;
  context.getKernel().getFunctionBody().walk([&](Operation *op) {
    if (isControlFlow(op) || op->getNumRegions() != 0)
      return;
    std::optional<SmallVector<Place>> places = getPlaces(op, context);
    if (!places || places->empty())
      return;
    for (const Place &place : *places)
      numbers.try_emplace(place, numbers.size());
    marked.push_back({op, *places});
  });
  for (auto &[op, places] : marked) {
    ArenaAccess access;
    for (const Place &place : places)
      access.buffers.push_back(numbers.lookup(place));
    llvm::sort(access.buffers);
    access.buffers.erase(llvm::unique(access.buffers), access.buffers.end());
    for (auto &[other, number] : numbers)
      if (llvm::none_of(places, [&, &other = other](const Place &place) {
            return place.first < other.second && other.first < place.second;
          }))
        access.disjoint.push_back(number);
    markArenaAccess(op, access);
  }
  return success();
}
