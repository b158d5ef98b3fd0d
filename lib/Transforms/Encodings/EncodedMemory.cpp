//===- EncodedMemory.cpp - memory that holds encoded tensors --------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EncodedMemory.h"
#include "Extents.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::memspace;
using bufferization::MaterializeInDestinationOp;
using bufferization::ToTensorOp;

namespace {
/// A tensor in memory, and the op by which it comes in or out.
struct Access {
  Value memory, tensor;
  Operation *op;
};
} // namespace

static std::optional<Access> getAccess(Operation *op) {
  if (auto read = dyn_cast<ToTensorOp>(op))
    return Access{read.getBuffer(), read.getResult(), op};
  auto write = dyn_cast<MaterializeInDestinationOp>(op);
  if (write && isa<MemRefType>(write.getDest().getType()))
    return Access{write.getDest(), write.getSource(), op};
  return std::nullopt;
}

/// Neither reads memory nor writes it, and does not mind its shape.
static bool isIndifferent(Operation *op) {
  return onlyPassesTensors(op) ||
         isa<memref::AllocOp, memref::AllocaOp, memref::DeallocOp, gpu::AllocOp,
             gpu::DeallocOp>(op);
}

static InFlightDiagnostic
emitOtherAccess(Operation *op, const TensorLayout &layout, Operation *holder) {
  InFlightDiagnostic diag =
      op->emitOpError()
      << "has memory that holds a tensor of type " << layout.type
      << ", which is not row-major on '" << layout.target.chip
      << "', but does not take it for that; use 'to_tensor' and "
         "'materialize_in_destination' with that type";
  diag.attachNote(holder->getLoc()) << "it is said here";
  return diag;
}

FailureOr<EncodedMemory> EncodedMemory::find(Operation *root,
                                             TensorLayouts &layouts) {
  SlotClasses classes;
  SmallVector<Access> accesses;
  SmallVector<TensorSlot> all;
  auto add = [&](const TensorSlot &slot) {
    unsigned number = classes.add(slot);
    if (number == all.size())
      all.push_back(slot);
    return number;
  };
  root->walk([&](Operation *op) {
    std::optional<Access> access = getAccess(op);
    if (!access)
      return;
    add(TensorSlot::get(access->memory));
    accesses.push_back(*access);
  });
  forEachPassedShaped(root, [&](Value from, TensorSlot to, Operation *) {
    if (isa<BaseMemRefType>(from.getType()))
      classes.unite(add(TensorSlot::get(from)), add(to));
  });
  // What each class holds, by its first access that is not row-major.
  DenseMap<unsigned, std::pair<const TensorLayout *, Operation *>> held;
  auto getClass = [&](Value memory) {
    return classes.find(*classes.lookup(TensorSlot::get(memory)));
  };
  for (const Access &access : accesses)
    if (isEncoded(access.tensor.getType()) &&
        !layouts.get(access.tensor).isIdentity)
      held.try_emplace(getClass(access.memory), &layouts.get(access.tensor),
                       access.op);
  for (const Access &access : accesses) {
    auto [layout, holder] = held.lookup(getClass(access.memory));
    if (layout && isa<RankedTensorType>(access.tensor.getType()) &&
        !layouts.get(access.tensor).isSame(*layout))
      return emitOtherAccess(access.op, *layout, holder);
  }
  EncodedMemory memory;
  for (const TensorSlot &slot : all) {
    auto [layout, holder] = held.lookup(classes.find(*classes.lookup(slot)));
    if (!layout)
      continue;
    memory.slots[slot.getKey()] = layout;
    if (!slot.value) {
      auto func = cast<FunctionOpInterface>(slot.func);
      Type type = slot.isResult ? func.getResultTypes()[slot.number]
                                : func.getArgumentTypes()[slot.number];
      if (!isa<MemRefType>(type))
        return emitOtherAccess(func, *layout, holder);
      continue;
    }
    memory.values[slot.value] = layout;
    auto type = dyn_cast<MemRefType>(slot.value.getType());
    Operation *definition = slot.value.getDefiningOp();
    if (!type || !type.getLayout().isIdentity() ||
        (definition && !isIndifferent(definition)))
      return emitOtherAccess(
          definition ? definition
                     : Value(slot.value).getParentBlock()->getParentOp(),
          *layout, holder);
    for (Operation *user : slot.value.getUsers())
      if (!isIndifferent(user) && !getAccess(user))
        return emitOtherAccess(user, *layout, holder);
  }
  return memory;
}

const TensorLayout *EncodedMemory::lookup(const TensorSlot &slot) const {
  auto it = slots.find(slot.getKey());
  return it == slots.end() ? nullptr : it->second;
}

Type EncodedMemory::convert(const TensorSlot &slot, Type type) const {
  const TensorLayout *layout = lookup(slot);
  auto memref = dyn_cast<MemRefType>(type);
  if (!layout || !memref)
    return type;
  return MemRefType::get(layout->memoryType.getShape(), memref.getElementType(),
                         MemRefLayoutAttrInterface(), memref.getMemorySpace());
}

void EncodedMemory::convertValues(RewriterBase &rewriter) const {
  for (const auto &entry : values) {
    Value value = entry.first;
    const TensorLayout *layout = entry.second;
    auto type = cast<MemRefType>(value.getType());
    auto convertSizes = [&](MutableOperandRange sizes) {
      if (sizes.empty() && layout->memoryType.hasStaticShape())
        return;
      rewriter.setInsertionPoint(value.getDefiningOp());
      SmallVector<OpFoldResult> extents =
          getMixedValues(type.getShape(), OperandRange(sizes), rewriter);
      sizes.assign(
          makeMemoryExtents(rewriter, value.getLoc(), *layout, extents));
    };
    if (auto alloc = value.getDefiningOp<memref::AllocOp>())
      convertSizes(alloc.getDynamicSizesMutable());
    else if (auto alloca = value.getDefiningOp<memref::AllocaOp>())
      convertSizes(alloca.getDynamicSizesMutable());
    else if (auto gpuAlloc = value.getDefiningOp<gpu::AllocOp>())
      convertSizes(gpuAlloc.getDynamicSizesMutable());
    value.setType(convert(TensorSlot::get(value), type));
  }
}
