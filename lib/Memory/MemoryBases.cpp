//===- MemoryBases.cpp - which memory a memref points into -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Memory/MemoryBases.h"
#include "MemRefStrides.h"
#include "MemSpace/Memory/BufferSize.h"
#include "MemSpace/Memory/BufferUses.h"
#include "MemSpace/Memory/MemoryInterfaces.h"
#include "MemSpace/Memory/ValueFlow.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/Support/MathExtras.h"
#include <set>
#include <tuple>

using namespace mlir;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

bool mlir::memspace::isPrivateMemory(Value memref,
                                     const MemorySpaceMapping &spaces) {
  if (std::optional<MemorySpace> space = spaces.getNamedSpace(memref.getType()))
    return *space == MemorySpace::Private;
  return memref.getDefiningOp<memref::AllocaOp>() != nullptr;
}

std::optional<StaticStrides>
mlir::memspace::getStaticStrides(Value memref, const TargetInfo &target) {
  auto type = dyn_cast<MemRefType>(memref.getType());
  StaticStrides layout;
  int64_t offset;
  if (!type || failed(getStridesAndOffset(type, layout.strides, offset)))
    return std::nullopt;
  layout.offset = LinearExpr(offset);
  if (ShapedType::isDynamic(offset)) {
    auto cast = memref.getDefiningOp<memref::ReinterpretCastOp>();
    if (!cast || cast.getMixedOffsets().size() != 1)
      return std::nullopt;
    layout.offset = LinearExpr(cast.getMixedOffsets().front());
  }
  // Along an extent of 1 there is nowhere to step.
  for (auto [stride, size] : llvm::zip_equal(layout.strides, type.getShape()))
    if (size == 1 && ShapedType::isDynamic(stride))
      stride = 0;
  std::optional<int64_t> bytes = getElementBytes(type.getElementType(), target);
  if (ShapedType::isDynamicShape(layout.strides) || !bytes)
    return std::nullopt;
  layout.elementBytes = *bytes;
  return layout;
}

//===----------------------------------------------------------------------===//
// Tracing to the roots
//===----------------------------------------------------------------------===//

namespace {
constexpr unsigned kMaxTraceSteps = 256;
using ByteInterval = std::optional<std::pair<int64_t, int64_t>>;

class Tracer {
public:
  Tracer(const KernelContext &context, SmallVectorImpl<MemoryBase> &bases)
      : target(context.getTarget()), spaces(context.getSpaces()), bases(bases) {
  }

  /// `shift`: from where `value` points to where the accessed memref does;
  /// `bytes`: what is touched, from where `value` points. `inside`: it lies
  /// among the elements of `value`, which bounds it.
  void trace(Value value, std::optional<LinearExpr> shift, ByteInterval bytes,
             bool inside);

private:
  void addRoot(Value root, Value buffer, std::optional<LinearExpr> shift,
               ByteInterval bytes);
  void addGlobal(memref::GetGlobalOp global, std::optional<LinearExpr> shift,
                 ByteInterval bytes);
  /// Memory that an op names by itself.
  void addNamed(const NamedMemory &named, std::optional<LinearExpr> shift,
                ByteInterval bytes);
  void addUnknown() { bases.push_back({}); }
  /// True when `value`, an argument of a loop, was traced before with a shift
  /// that is equal and does not change in the loop.
  bool isSameShift(Value value, const LinearExpr &shift) const {
    auto arg = dyn_cast<BlockArgument>(value);
    auto known = shifts.find(value);
    if (!arg || known == shifts.end() || !(known->second == shift))
      return false;
    Operation *loop = arg.getOwner()->getParentOp();
    return llvm::all_of(shift.terms, [&](auto term) {
      return !loop->isAncestor(term.first.getParentBlock()->getParentOp());
    });
  }

  const TargetInfo &target;
  const MemorySpaceMapping &spaces;
  SmallVectorImpl<MemoryBase> &bases;
  std::set<std::tuple<const void *, int64_t, ByteInterval, bool>> visited;
  DenseMap<Value, LinearExpr> shifts;
};
} // namespace

/// The bytes that a memref of `type` spans from where it points.
static ByteInterval getTypeBytes(Type type, const TargetInfo &target) {
  auto memref = dyn_cast<MemRefType>(type);
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!memref || !memref.hasStaticShape() ||
      failed(getStridesAndOffset(memref, strides, offset)) ||
      ShapedType::isDynamic(offset) || ShapedType::isDynamicShape(strides))
    return std::nullopt;
  std::optional<int64_t> elementBytes =
      getElementBytes(memref.getElementType(), target);
  if (!elementBytes)
    return std::nullopt;
  int64_t last = 0;
  for (auto [size, stride] : llvm::zip(memref.getShape(), strides)) {
    int64_t span;
    if (size == 0)
      return std::pair<int64_t, int64_t>(0, 0);
    if (stride < 0 || llvm::MulOverflow(size - 1, stride, span) ||
        llvm::AddOverflow(last, span, last))
      return std::nullopt;
  }
  int64_t begin, end;
  if (llvm::MulOverflow(offset, *elementBytes, begin) ||
      llvm::AddOverflow(offset, last, end) ||
      llvm::AddOverflow<int64_t>(end, 1, end) ||
      llvm::MulOverflow(end, *elementBytes, end))
    return std::nullopt;
  return std::make_pair(begin, end);
}

/// True for memory that the caller passes without saying which. An attribution
/// is the kernel's own.
static bool isCallers(Value root) {
  auto arg = dyn_cast<BlockArgument>(root);
  if (!arg || cast<BaseMemRefType>(root.getType()).getMemorySpace())
    return false;
  auto func = dyn_cast<FunctionOpInterface>(arg.getOwner()->getParentOp());
  return !func || arg.getArgNumber() < func.getNumArguments();
}

void Tracer::addRoot(Value root, Value buffer, std::optional<LinearExpr> shift,
                     ByteInterval bytes) {
  // Nothing lies outside an allocation.
  if (!bytes && root.getDefiningOp())
    bytes = getTypeBytes(root.getType(), target);
  MemoryBase base{root.getAsOpaquePointer(), root, buffer, std::move(shift),
                  bytes};
  // All of these are one memory.
  if (auto dynamic = root.getDefiningOp<gpu::DynamicSharedMemoryOp>())
    base.root = dynamic->getName().getIdentifier().getAsOpaquePointer();
  std::optional<MemorySpace> space = spaces.getNamedSpace(root.getType());
  // The memory of the caller is not the workgroup's (H20).
  base.maybeWorkgroup =
      !isCallers(root) &&
      space.value_or(MemorySpace::Workgroup) == MemorySpace::Workgroup;
  base.maybeGlobal = space.value_or(MemorySpace::Global) == MemorySpace::Global;
  bases.push_back(std::move(base));
}

void Tracer::addGlobal(memref::GetGlobalOp global,
                       std::optional<LinearExpr> shift, ByteInterval bytes) {
  if (!bytes)
    bytes = getTypeBytes(global.getType(), target);
  MemoryBase base{global.getNameAttr().getAsOpaquePointer(), Value(), Value(),
                  std::move(shift), bytes};
  if (std::optional<MemorySpace> space =
          spaces.getNamedSpace(global.getType())) {
    base.maybeWorkgroup = *space == MemorySpace::Workgroup;
    base.maybeGlobal = *space == MemorySpace::Global;
  }
  bases.push_back(std::move(base));
}

void Tracer::addNamed(const NamedMemory &named, std::optional<LinearExpr> shift,
                      ByteInterval bytes) {
  MemoryBase base;
  if (named.identity) {
    base.root = named.identity.getAsOpaquePointer();
    std::optional<int64_t> by =
        named.byteOffset ? getConstantIntValue(named.byteOffset) : std::nullopt;
    if (shift && named.byteOffset) {
      base.shiftBytes = std::move(shift);
      *base.shiftBytes += LinearExpr(named.byteOffset);
    }
    if (bytes && by && !llvm::AddOverflow(bytes->first, *by, bytes->first) &&
        !llvm::AddOverflow(bytes->second, *by, bytes->second))
      base.bytes = bytes;
  }
  if (named.space) {
    base.maybeWorkgroup = *named.space == MemorySpace::Workgroup;
    base.maybeGlobal = *named.space == MemorySpace::Global;
  }
  bases.push_back(std::move(base));
}

void Tracer::trace(Value value, std::optional<LinearExpr> shift,
                   ByteInterval bytes, bool inside) {
  // The same place again adds nothing; a shift that is not constant may be
  // another one, and a loop may shift for ever.
  std::optional<int64_t> constant;
  if (shift)
    constant = shift->getConstant();
  bool isNew =
      visited
          .insert({value.getAsOpaquePointer(),
                   constant.value_or(ShapedType::kDynamic), bytes, inside})
          .second;
  if (!isNew && constant)
    return;
  // A shift by values from outside the loop is the same in every iteration.
  if (!isNew && shift && isSameShift(value, *shift))
    return;
  if (!isNew || visited.size() > kMaxTraceSteps)
    return addUnknown();
  if (shift && !constant)
    shifts.try_emplace(value, *shift);
  if (!bytes && inside)
    bytes = getTypeBytes(value.getType(), target);

  Operation *def = value.getDefiningOp();
  if (std::optional<SmallVector<Value>> sources = getPassedValues(value)) {
    for (Value source : *sources)
      trace(source, shift, bytes, inside);
    return;
  }
  if (!def) {
    // An argument of a function, or one that nobody passes.
    Block *block = cast<BlockArgument>(value).getOwner();
    if (block->isEntryBlock() && isa<FunctionOpInterface>(block->getParentOp()))
      return addRoot(value, value, std::move(shift), bytes);
    return addUnknown();
  }
  if (auto view = dyn_cast<memref::ViewOp>(def)) {
    std::optional<int64_t> by = getConstantIntValue(view.getByteShift());
    if (!bytes || !by || llvm::AddOverflow(bytes->first, *by, bytes->first) ||
        llvm::AddOverflow(bytes->second, *by, bytes->second))
      bytes = std::nullopt;
    if (shift)
      *shift += LinearExpr(OpFoldResult(view.getByteShift()));
    if (isArena(view.getSource()))
      return addRoot(view.getSource(), value, std::move(shift), bytes);
    return trace(view.getSource(), std::move(shift), bytes, inside);
  }
  // It says itself where its elements lie, wherever those of the source are.
  if (isa<memref::ReinterpretCastOp, memref::ExtractStridedMetadataOp>(def))
    return trace(def->getOperand(0), std::move(shift), bytes,
                 /*inside=*/false);
  if (auto interface = dyn_cast<MemoryRootOpInterface>(def)) {
    NamedMemory named = interface.getNamedMemory(cast<OpResult>(value));
    if (!named.source)
      return addNamed(named, std::move(shift), bytes);
    if (!named.hasSourcePointer)
      return trace(named.source, std::nullopt, std::nullopt, /*inside=*/false);
    return trace(named.source, std::move(shift), bytes, inside);
  }
  if (auto view = dyn_cast<ViewLikeOpInterface>(def))
    return trace(view.getViewSource(), std::nullopt, std::nullopt,
                 /*inside=*/false);
  if (auto global = dyn_cast<memref::GetGlobalOp>(def))
    return addGlobal(global, std::move(shift), bytes);
  if (hasEffect<MemoryEffects::Allocate>(def, value) ||
      isa<gpu::DynamicSharedMemoryOp>(def))
    return addRoot(value, value, std::move(shift), bytes);
  addUnknown();
}

SmallVector<MemoryBase, 2>
mlir::memspace::getMemoryBases(Value memref, const KernelContext &context) {
  SmallVector<MemoryBase, 2> bases;
  Tracer(context, bases)
      .trace(memref, LinearExpr(0), std::nullopt, /*inside=*/true);
  if (std::optional<MemorySpace> space =
          context.getSpaces().getNamedSpace(memref.getType()))
    for (MemoryBase &base : bases) {
      base.maybeWorkgroup &= *space == MemorySpace::Workgroup;
      base.maybeGlobal &= *space == MemorySpace::Global;
    }
  return bases;
}

bool mlir::memspace::isSharedMemory(Value memref,
                                    const KernelContext &context) {
  const MemorySpaceMapping &spaces = context.getSpaces();
  if (spaces.getNamedSpace(memref.getType()))
    return !isPrivateMemory(memref, spaces);
  return llvm::all_of(
      getMemoryBases(memref, context), [&](const MemoryBase &base) {
        return base.root &&
               (!base.rootValue || !isPrivateMemory(base.rootValue, spaces));
      });
}
