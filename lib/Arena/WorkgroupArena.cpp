//===- WorkgroupArena.cpp - buffers become views of one arena -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Arena/WorkgroupArena.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/Memory/BufferSize.h"
#include "MemSpace/Memory/BufferUses.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// The arena
//===----------------------------------------------------------------------===//

/// Copies the attributes of our dialect (the reason among them) that `to` does
/// not have yet. An arena's own say nothing about what lies in it.
static void copyAttributes(Operation *from, Operation *to) {
  if (!from || from->hasAttr(kArenaAttr))
    return;
  for (NamedAttribute attr : from->getDiscardableAttrs())
    if (isa_and_nonnull<MemSpaceDialect>(attr.getNameDialect()) &&
        !to->hasAttr(attr.getName()))
      to->setAttr(attr.getName(), attr.getValue());
}

/// Workgroup memory of `bytes` for the whole kernel.
static Value createArena(FunctionOpInterface kernel, Attribute space,
                         int64_t bytes, int64_t alignment,
                         unsigned numBuffers) {
  Block &entry = kernel.getFunctionBody().front();
  OpBuilder builder(&entry, entry.begin());
  auto type = MemRefType::get({bytes}, builder.getI8Type(),
                              MemRefLayoutAttrInterface(), space);
  // A gpu.func says in its signature what it takes.
  if (auto func = dyn_cast<gpu::GPUFuncOp>(kernel.getOperation())) {
    Value arena = func.addWorkgroupAttribution(type, func.getLoc());
    unsigned index = func.getNumWorkgroupAttributions() - 1;
    func.setWorkgroupAttributionAttr(index, kArenaAttr, builder.getUnitAttr());
    func.setWorkgroupAttributionAttr(index, "llvm.align",
                                     builder.getI64IntegerAttr(alignment));
    return arena;
  }
  auto alloc =
      memref::AllocOp::create(builder, kernel.getLoc(), type, ValueRange(),
                              builder.getI64IntegerAttr(alignment));
  alloc->setAttr(kReasonAttr,
                 builder.getStringAttr("arena of " + Twine(numBuffers) +
                                       (numBuffers == 1 ? " workgroup buffer"
                                                        : " workgroup "
                                                          "buffers")));
  alloc->setAttr(kArenaAttr, builder.getUnitAttr());
  return alloc;
}

namespace {
/// Makes the views of one buffer where it begins.
class ViewBuilder {
public:
  ViewBuilder(Value buffer, Value arena, unsigned number)
      : builder(arena.getContext()), arena(arena), number(number),
        origin(buffer.getDefiningOp()) {
    // An allocation in a loop is a new buffer in each iteration, and so is its
    // view; what the kernel has from the beginning begins with the kernel.
    if (origin && !isa<memref::GetGlobalOp>(origin))
      builder.setInsertionPoint(origin);
    else if (Operation *alloc = arena.getDefiningOp())
      builder.setInsertionPointAfter(alloc);
    else
      builder.setInsertionPointToStart(arena.getParentBlock());
  }

  /// The memory at byte `offset` of the arena as `type`, with the attributes of
  /// `user`, if given, and of the buffer.
  Value createView(int64_t offset, MemRefType type, Operation *user = nullptr) {
    Location loc = user     ? user->getLoc()
                   : origin ? origin->getLoc()
                            : arena.getLoc();
    MemRefType viewType = type;
    bool isIdentity = type.getLayout().isIdentity();
    auto [strides, unused] = type.getStridesAndOffset();
    if (!isIdentity) {
      // A view has no layout; a strided one is cast from the flat elements.
      int64_t elements = type.getNumElements() == 0 ? 0 : 1;
      for (auto [size, stride] : llvm::zip_equal(type.getShape(), strides))
        elements += elements ? (size - 1) * stride : 0;
      viewType =
          MemRefType::get({elements}, type.getElementType(),
                          MemRefLayoutAttrInterface(), type.getMemorySpace());
    }
    Value shift = arith::ConstantIndexOp::create(builder, loc, offset);
    auto view = memref::ViewOp::create(builder, loc, viewType, arena, shift,
                                       ValueRange());
    // Two buffers in one place stay two, also for CSE.
    view->setAttr(kBufferAttr, builder.getI64IntegerAttr(number));
    copyAttributes(user, view);
    copyAttributes(origin, view);
    if (isIdentity)
      return view;
    return memref::ReinterpretCastOp::create(builder, loc, type, view,
                                             /*offset=*/0, type.getShape(),
                                             strides);
  }

private:
  OpBuilder builder;
  Value arena;
  unsigned number;
  Operation *origin;
};
} // namespace

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// A static view of a byte buffer at a constant offset, which becomes a view of
/// the arena. Any other view keeps its byte buffer, whose place and size bound
/// what it can touch.
static std::optional<int64_t> getFoldableShift(Operation *user) {
  auto view = dyn_cast<memref::ViewOp>(user);
  if (!view || !view.getSizes().empty())
    return std::nullopt;
  return getConstantIntValue(view.getByteShift());
}

/// True when one of the users touches a byte that another one may touch, be it
/// a view of other bytes than are known or anything else: then they are one
/// buffer, which must stay one.
static bool haveOverlappingUsers(ArrayRef<Value> names,
                                 const TargetInfo &target) {
  SmallVector<std::pair<int64_t, int64_t>> places;
  for (Value name : names)
    for (Operation *user : name.getUsers()) {
      std::optional<int64_t> shift = getFoldableShift(user);
      if (!shift)
        return true;
      std::optional<int64_t> bytes =
          getBufferBytes(cast<memref::ViewOp>(user).getType(), target);
      int64_t end;
      if (!bytes || llvm::AddOverflow(*shift, *bytes, end))
        return true;
      places.push_back({*shift, end});
    }
  llvm::sort(places);
  for (unsigned i = 1; i < places.size(); ++i)
    if (places[i].first < places[i - 1].second)
      return true;
  return false;
}

static void replaceBuffer(const KernelContext &context, Value buffer,
                          int64_t offset, Value arena, unsigned number) {
  FunctionOpInterface kernel = context.getKernel();
  ViewBuilder views(buffer, arena, number);
  // All names of a global.
  SmallVector<Value> names = {buffer};
  if (auto get = buffer.getDefiningOp<memref::GetGlobalOp>())
    kernel.getFunctionBody().walk([&](memref::GetGlobalOp other) {
      if (other != get && other.getNameAttr() == get.getNameAttr())
        names.push_back(other);
    });
  bool fold = !haveOverlappingUsers(names, context.getTarget());
  Value view;
  for (Value name : names) {
    // Use lists are in reverse order.
    SmallVector<Operation *> users(name.getUsers());
    for (Operation *user : llvm::reverse(users)) {
      std::optional<int64_t> shift = getFoldableShift(user);
      if (!fold || !shift)
        continue;
      auto type = cast<memref::ViewOp>(user).getType();
      user->getResult(0).replaceAllUsesWith(
          views.createView(offset + *shift, type, user));
      user->erase();
    }
    if (name.use_empty())
      continue;
    if (!view)
      view = views.createView(offset, cast<MemRefType>(buffer.getType()));
    name.replaceAllUsesWith(view);
  }
  for (Value name : names)
    if (Operation *op = name.getDefiningOp())
      op->erase();
}

/// Takes away the attributions that the arena replaces, which is the last one.
static void eraseOldAttributions(FunctionOpInterface kernel) {
  auto func = dyn_cast<gpu::GPUFuncOp>(kernel.getOperation());
  if (!func || func.getNumWorkgroupAttributions() < 2)
    return;
  unsigned numOld = func.getNumWorkgroupAttributions() - 1;
  ArrayAttr attrs = func.getWorkgroupAttribAttrsAttr();
  unsigned first = func.getNumArguments();
  func.getFunctionBody().front().eraseArguments(first, numOld);
  StringRef count = gpu::GPUFuncOp::getNumWorkgroupAttributionsAttrName();
  func->setAttr(
      count,
      IntegerAttr::get(func->getAttrOfType<IntegerAttr>(count).getType(), 1));
  if (attrs)
    func.setWorkgroupAttribAttrsAttr(
        ArrayAttr::get(func.getContext(), attrs.getValue().drop_front(numOld)));
}

void mlir::memspace::moveIntoArena(const KernelContext &context,
                                   ArrayRef<WorkgroupBuffer> buffers,
                                   const packing::Solution &solution) {
  FunctionOpInterface kernel = context.getKernel();
  int64_t alignment = 1;
  for (const WorkgroupBuffer &buffer : buffers)
    alignment = std::max(alignment, buffer.alignment);
  SmallVector<unsigned> indices = getIndicesOfNumbers(buffers);
  SmallVector<Value> values;
  for (const WorkgroupBuffer &buffer : buffers)
    values.push_back(buffer.value);
  for (const WorkgroupBuffer &buffer : buffers)
    llvm::append_range(values, buffer.followers);
  Attribute space = buffers.front().getType().getMemorySpace();
  Value arena =
      createArena(kernel, space, solution.height, alignment, values.size());
  // Backwards, since each view of what the kernel has from the beginning goes
  // to the very beginning.
  for (unsigned number = values.size(); number-- > 0;)
    replaceBuffer(context, values[number], solution.offsets[indices[number]],
                  arena, number);
  eraseOldAttributions(kernel);
}

//===----------------------------------------------------------------------===//
// What is in the way
//===----------------------------------------------------------------------===//

/// Erases stores that nobody reads, and what only they needed. Returns false
/// when there are none.
static bool eraseDeadStores(const WorkgroupLiveness &liveness) {
  SmallVector<Operation *> work(liveness.getDeadStores());
  if (work.empty())
    return false;
  DenseSet<Operation *> erased;
  for (unsigned i = 0; i < work.size(); ++i) {
    Operation *op = work[i];
    if (erased.contains(op))
      continue;
    SmallVector<Value> operands(op->getOperands());
    erased.insert(op);
    op->erase();
    for (Value operand : operands) {
      Operation *def = operand.getDefiningOp();
      // Buffers stay, so that what is packed does not depend on it; so does
      // control flow, which may contain buffers and ops that are still listed.
      if (def && !erased.contains(def) && def->getNumRegions() == 0 &&
          isOpTriviallyDead(def) && !hasEffect<MemoryEffects::Allocate>(def))
        work.push_back(def);
    }
  }
  return true;
}

/// Erases what frees in the kernel what the hardware frees. Returns false when
/// there is nothing.
static bool eraseDeallocs(const KernelContext &context) {
  FunctionOpInterface kernel = context.getKernel();
  SmallVector<Operation *> deallocs;
  kernel.getFunctionBody().walk([&](memref::DeallocOp dealloc) {
    if (isWorkgroupMemory(dealloc.getMemref().getType(), context.getSpaces()))
      deallocs.push_back(dealloc);
  });
  for (Operation *dealloc : deallocs)
    dealloc->erase();
  return !deallocs.empty();
}

FailureOr<WorkgroupPacking>
mlir::memspace::preparePacking(const KernelContext &context) {
  FailureOr<WorkgroupPacking> packing = WorkgroupPacking::compute(context);
  if (failed(packing))
    return failure();
  bool isPacked = packing->getBuffers().size() == 1 &&
                  isArena(packing->getBuffers().front().value);
  if (packing->getBuffers().empty() || isPacked)
    return packing;
  // Liveness refers to ops.
  if (eraseDeallocs(context))
    packing = *WorkgroupPacking::compute(context);
  // Where a dead store would write, there may be another buffer.
  while (eraseDeadStores(packing->getLiveness()))
    packing = *WorkgroupPacking::compute(context);
  return packing;
}
