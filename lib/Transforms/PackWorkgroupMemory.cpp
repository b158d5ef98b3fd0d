//===- PackWorkgroupMemory.cpp - one arena per kernel -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Analysis/BufferSize.h"
#include "MemSpace/Analysis/BufferUses.h"
#include "MemSpace/Analysis/Kernel.h"
#include "MemSpace/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/AsmState.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_MEMSPACEPACKWORKGROUPMEMORY
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

namespace {
/// One buffer and its place in the arena.
struct PlacedBuffer {
  Operation *alloc;
  MemRefType type;
  int64_t bytes = 0;
  int64_t alignment = 0;
  int64_t offset = 0;
};

struct PackWorkgroupMemoryPass
    : public memspace::impl::MemSpacePackWorkgroupMemoryBase<
          PackWorkgroupMemoryPass> {
  using Base::Base;
  void runOnOperation() override {
    for (FunctionOpInterface kernel : getKernels(getOperation()))
      if (failed(pack(kernel)))
        return signalPassFailure();
  }

private:
  LogicalResult pack(FunctionOpInterface kernel);
};
} // namespace

//===----------------------------------------------------------------------===//
// Collecting
//===----------------------------------------------------------------------===//

/// The name that the IR printer gives `value`.
static std::string getName(Value value, Operation *scope) {
  std::string name;
  llvm::raw_string_ostream os(name);
  AsmState state(scope, OpPrintingFlags().useLocalScope());
  value.printAsOperand(os, state);
  return name;
}

static LogicalResult refuseDynamic(FunctionOpInterface kernel, Operation *alloc,
                                   MemRefType type) {
  unsigned dim = 0;
  while (!type.isDynamicDim(dim))
    ++dim;
  Value extent = alloc->getOperand(0);
  auto diag = alloc->emitError()
              << "workgroup buffer of type " << type
              << " has the dynamic extent '" << getName(extent, kernel)
              << "' in dimension " << dim
              << "; a kernel never allocates dynamically: bound the extent "
                 "(arith.minsi, affine.min) before bufferization, so that the "
                 "bound is allocated";
  diag.attachNote(extent.getLoc()) << "the extent is defined here";
  return failure();
}

/// What an allocation asks for; accesses through a view may ask for more.
static int64_t getAlignment(Operation *alloc, MemRefType type,
                            const TargetInfo &target) {
  int64_t alignment = getBufferAlignment(type.getElementType(), target);
  if (auto attr = alloc->getAttrOfType<IntegerAttr>("alignment"))
    alignment = std::max(alignment, attr.getInt());
  for (Operation *user : alloc->getUsers())
    if (auto view = dyn_cast<memref::ViewOp>(user))
      alignment =
          std::max(alignment,
                   getBufferAlignment(view.getType().getElementType(), target));
  return alignment;
}

/// Checks one allocation; nothing is changed.
static FailureOr<PlacedBuffer> checkBuffer(FunctionOpInterface kernel,
                                           Operation *alloc,
                                           const TargetInfo &target) {
  if (!isa<memref::AllocOp, memref::AllocaOp>(alloc))
    return alloc->emitError()
           << "allocates workgroup memory in a way that cannot be packed; use "
              "a static memref.alloc";
  auto type = cast<MemRefType>(alloc->getResult(0).getType());
  if (!type.hasStaticShape())
    return refuseDynamic(kernel, alloc, type);
  std::optional<int64_t> bytes = getBufferBytes(type, target);
  int64_t offset = 0;
  SmallVector<int64_t> strides;
  bool isStrided = succeeded(type.getStridesAndOffset(strides, offset));
  if (!bytes || !isStrided || offset != 0)
    return alloc->emitError() << "workgroup buffer of type " << type
                              << " has no static size in bytes; use an element "
                                 "type and a layout with a static size";
  if (mayOutliveIteration(alloc))
    return alloc->emitError()
           << "workgroup buffer is allocated in a loop and may be used in "
              "another iteration, where one place in the arena cannot hold "
              "both; allocate one buffer for each before the loop and swap "
              "them";
  return PlacedBuffer{alloc, type, *bytes, getAlignment(alloc, type, target)};
}

/// Ops of `kernel` that allocate workgroup memory, in program order.
static SmallVector<Operation *> getAllocations(FunctionOpInterface kernel) {
  SmallVector<Operation *> allocs;
  kernel.getFunctionBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (OpResult result : op->getResults())
      if (isWorkgroupMemory(result.getType()) &&
          hasEffect<MemoryEffects::Allocate>(op, result)) {
        allocs.push_back(op);
        return;
      }
  });
  return allocs;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// Copies the attributes of our dialect (the reason among them) that `to` does
/// not have yet. An arena's own say nothing about what lies in it.
static void copyAttributes(Operation *from, Operation *to) {
  if (from->hasAttr(kArenaAttr))
    return;
  for (NamedAttribute attr : from->getDiscardableAttrs())
    if (isa_and_nonnull<MemSpaceDialect>(attr.getNameDialect()) &&
        !to->hasAttr(attr.getName()))
      to->setAttr(attr.getName(), attr.getValue());
}

namespace {
/// Makes views of the arena, all at the kernel's entry.
class ArenaBuilder {
public:
  ArenaBuilder(Block *entry, Location loc, int64_t bytes, int64_t alignment,
               unsigned numBuffers)
      : builder(entry, entry->begin()) {
    auto space = gpu::AddressSpaceAttr::get(builder.getContext(),
                                            gpu::AddressSpace::Workgroup);
    auto type = MemRefType::get({bytes}, builder.getI8Type(),
                                MemRefLayoutAttrInterface(), space);
    auto alloc = memref::AllocOp::create(builder, loc, type, ValueRange(),
                                         builder.getI64IntegerAttr(alignment));
    alloc->setAttr(kReasonAttr,
                   builder.getStringAttr("arena of " + Twine(numBuffers) +
                                         (numBuffers == 1 ? " workgroup buffer"
                                                          : " workgroup "
                                                            "buffers")));
    alloc->setAttr(kArenaAttr, builder.getUnitAttr());
    arena = alloc;
    // Not before the op that was first: it may be a buffer that goes away.
    builder.setInsertionPointAfter(alloc);
  }

  /// The memory at byte `offset` as `type`, with the attributes of `origin`.
  Value createView(Operation *origin, int64_t offset, MemRefType type) {
    Location loc = origin->getLoc();
    MemRefType viewType = type;
    bool isIdentity = type.getLayout().isIdentity();
    if (!isIdentity) {
      // A view has no layout; a strided one is cast from the flat elements.
      auto [strides, unused] = type.getStridesAndOffset();
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
    copyAttributes(origin, view);
    if (isIdentity)
      return view;
    auto [strides, unused] = type.getStridesAndOffset();
    return memref::ReinterpretCastOp::create(builder, loc, type, view,
                                             /*offset=*/0, type.getShape(),
                                             strides);
  }

private:
  OpBuilder builder;
  Value arena;
};
} // namespace

/// A static view of a byte buffer at a constant offset, which becomes a view of
/// the arena. Any other view keeps its byte buffer, whose place and size bound
/// what it can touch.
static std::optional<int64_t> getFoldableShift(Operation *user) {
  auto view = dyn_cast<memref::ViewOp>(user);
  if (!view || !view.getSizes().empty())
    return std::nullopt;
  return getConstantIntValue(view.getByteShift());
}

static void replaceBuffer(const PlacedBuffer &buffer, ArenaBuilder &arena) {
  Value old = buffer.alloc->getResult(0);
  // Use lists are in reverse order.
  SmallVector<Operation *> users(old.getUsers());
  for (Operation *user : llvm::reverse(users)) {
    std::optional<int64_t> shift = getFoldableShift(user);
    if (!shift)
      continue;
    auto viewType = cast<memref::ViewOp>(user).getType();
    Value view = arena.createView(user, buffer.offset + *shift, viewType);
    copyAttributes(buffer.alloc, view.getDefiningOp());
    user->getResult(0).replaceAllUsesWith(view);
    user->erase();
  }
  if (!old.use_empty())
    old.replaceAllUsesWith(
        arena.createView(buffer.alloc, buffer.offset, buffer.type));
  buffer.alloc->erase();
}

LogicalResult PackWorkgroupMemoryPass::pack(FunctionOpInterface kernel) {
  FailureOr<std::optional<TargetInfo>> fromIR = getTargetFromIR(kernel);
  if (failed(fromIR))
    return failure();
  SmallVector<Operation *> allocs = getAllocations(kernel);
  bool isPacked = allocs.size() == 1 && allocs.front()->hasAttr(kArenaAttr);
  if (allocs.empty() || isPacked)
    return success();

  // Only the width of an index matters here, so a generic GPU will do.
  TargetInfo target = fromIR->value_or(TargetInfo());

  SmallVector<PlacedBuffer> buffers;
  int64_t end = 0;
  int64_t arenaAlignment = 1;
  for (Operation *alloc : allocs) {
    FailureOr<PlacedBuffer> buffer = checkBuffer(kernel, alloc, target);
    if (failed(buffer))
      return failure();
    buffer->offset = llvm::alignTo(end, buffer->alignment);
    std::optional<int64_t> next =
        llvm::checkedAdd(buffer->offset, buffer->bytes);
    if (!next || *next >= (int64_t(1) << 62))
      return alloc->emitError()
             << "the workgroup buffers of kernel '" << kernel.getName()
             << "' have more bytes than 62 bits can count";
    end = *next;
    arenaAlignment = std::max(arenaAlignment, buffer->alignment);
    buffers.push_back(*buffer);
  }
  // The arena is freed by the hardware.
  SmallVector<Operation *> deallocs;
  kernel.getFunctionBody().walk([&](memref::DeallocOp dealloc) {
    if (isWorkgroupMemory(dealloc.getMemref().getType()))
      deallocs.push_back(dealloc);
  });
  for (Operation *dealloc : deallocs)
    dealloc->erase();

  ArenaBuilder arena(&kernel.getFunctionBody().front(), kernel.getLoc(), end,
                     arenaAlignment, buffers.size());
  for (const PlacedBuffer &buffer : buffers)
    replaceBuffer(buffer, arena);
  return success();
}
