//===- SplitKernels.cpp - kernels between which workgroups exchange -------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/IR/AttributeNames.h"
#include "MemSpace/Kernel/ExecutionScope.h"
#include "MemSpace/Transforms/Passes.h"
#include "Transforms/Normalize/DropUnusedResults.h"
#include "Transforms/Normalize/KernelCut.h"
#include "Transforms/Normalize/KernelVerifier.h"
#include "Transforms/Normalize/LoneOps.h"
#include "Transforms/Normalize/Normalization.h"
#include "Transforms/Normalize/SinkGridScope.h"
#include "Transforms/Support/PassKernels.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_SPLITKERNELSPASS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;
using bufferization::MaterializeInDestinationOp;
using bufferization::ToTensorOp;

namespace {
/// Makes kernels of the parts of one.
class KernelSplitter : public KernelCut {
public:
  using KernelCut::KernelCut;
  /// True where the kernel is now the host of several.
  bool run();

private:
  Value getOrigin(Value tensor) const;
  std::optional<Value> getExtent(tensor::DimOp dim) const;
  bool isOfHost(Value value) const;
  Value getOnHost(OpBuilder &builder, Value value);
  Value findPlace(OpResult result);
  bool needsSize(OpResult result);
  bool choosePlaces();
  bool isUpdated(Value tensor, unsigned part) const;
  bool isLeft(OpResult result) const;
  SmallVector<Value> getOperands(unsigned part);
  func::FuncOp makePart(unsigned part);
  void makeHost(ArrayRef<func::FuncOp> kernels);

  /// Where results are that another part reads: a memref in the body, or the
  /// first result that is in memory of the host.
  llvm::MapVector<OpResult, Value> places;
  IRMapping hostValues;
  /// The arguments of each part: those of the kernel, and as in `places`.
  SmallVector<SmallVector<Value>> operands;
};
} // namespace

//===----------------------------------------------------------------------===//
// What goes from part to part
//===----------------------------------------------------------------------===//

/// What the foralls that make `tensor` begin with.
Value KernelSplitter::getOrigin(Value tensor) const {
  while (auto forall = tensor.getDefiningOp<scf::ForallOp>())
    tensor = forall.getTiedOpOperand(cast<OpResult>(tensor))->get();
  return tensor;
}

/// The extent of a tensor that begins as memory of the caller or as nothing:
/// the memory, or the number. None of another one.
std::optional<Value> KernelSplitter::getExtent(tensor::DimOp dim) const {
  Value origin = getOrigin(dim.getSource());
  if (auto tensor = origin.getDefiningOp<ToTensorOp>())
    return tensor.getBuffer();
  auto empty = origin.getDefiningOp<tensor::EmptyOp>();
  std::optional<int64_t> index = dim.getConstantIndex();
  if (empty && index && empty.getType().isDynamicDim(*index))
    return empty.getDynamicSize(*index);
  return std::nullopt;
}

/// The host can compute it.
bool KernelSplitter::isOfHost(Value value) const {
  Operation *op = value.getDefiningOp();
  if (!op)
    return value.getParentBlock() == &body;
  if (auto dim = dyn_cast<tensor::DimOp>(op)) {
    std::optional<Value> extent = getExtent(dim);
    return extent && isOfHost(*extent) && isOfHost(dim.getIndex());
  }
  return isMovable(op) && !hasTensorOperand(op) &&
         llvm::none_of(op->getResultTypes(), llvm::IsaPred<TensorType>) &&
         llvm::all_of(op->getOperands(),
                      [&](Value operand) { return isOfHost(operand); });
}

/// The same value in front of the host's end.
Value KernelSplitter::getOnHost(OpBuilder &builder, Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || hostValues.contains(value))
    return hostValues.lookupOrDefault(value);
  if (auto dim = dyn_cast<tensor::DimOp>(op)) {
    Value made = getOnHost(builder, *getExtent(dim));
    if (isa<MemRefType>(made.getType()))
      made = memref::DimOp::create(builder, dim.getLoc(), made,
                                   getOnHost(builder, dim.getIndex()));
    hostValues.map(value, made);
    return made;
  }
  for (Value operand : op->getOperands())
    getOnHost(builder, operand);
  builder.clone(*op, hostValues);
  return hostValues.lookup(value);
}

/// Memory of the kernel that no argument has.
static bool isAllocated(Value place) {
  return isa<TensorType>(place.getType());
}

/// `tensor`, or what it is a cast of.
static Value skipCasts(Value tensor) {
  while (auto cast = tensor.getDefiningOp<tensor::CastOp>())
    tensor = cast.getSource();
  return tensor;
}

/// The memory that `result` begins or ends in; null where it has none.
Value KernelSplitter::findPlace(OpResult result) {
  Value init = result;
  while (auto forall = init.getDefiningOp<scf::ForallOp>()) {
    init = skipCasts(forall.getTiedOpOperand(cast<OpResult>(init))->get());
    if (auto before = dyn_cast<OpResult>(init); places.contains(before))
      return places[before];
  }
  auto tensor = init.getDefiningOp<ToTensorOp>();
  if (tensor && tensor.getWritable())
    return tensor.getBuffer();
  for (Value next = result; next;) {
    Value last = next;
    next = {};
    for (OpOperand &use : last.getUses()) {
      Operation *user = use.getOwner();
      if (isStore(user))
        return cast<MaterializeInDestinationOp>(user).getDest();
      if (isa<tensor::CastOp>(user) && user->getBlock() == &body)
        next = user->getResult(0);
      else if (user->getBlock() == &body && isBlockForall(user))
        next = cast<scf::ForallOp>(user).getTiedOpResult(&use);
    }
  }
  return {};
}

/// A temporary of its part whose size is not constant: only the host knows it.
bool KernelSplitter::needsSize(OpResult result) {
  if (cast<RankedTensorType>(result.getType()).hasStaticShape() ||
      !getOrigin(result).getDefiningOp<tensor::EmptyOp>())
    return false;
  return !findPlace(result) &&
         llvm::any_of(result.getUsers(), [&](Operation *user) {
           Operation *inBody = body.findAncestorOpInBlock(*user);
           return inBody && isBlockForall(inBody);
         });
}

bool KernelSplitter::choosePlaces() {
  DenseSet<OpResult> wanted;
  for (const SetVector<OpResult> &results : read)
    wanted.insert(results.begin(), results.end());
  for (scf::ForallOp forall : foralls)
    for (OpResult result : forall->getResults()) {
      if (!wanted.contains(result) && !needsSize(result))
        continue;
      Value place = findPlace(result);
      if (place && !isAllocated(place) && !isOfHost(place))
        return leave(forall, "where a result of it is to be is not known "
                             "before the kernel");
      auto empty = getOrigin(result).getDefiningOp<tensor::EmptyOp>();
      bool isKnown =
          cast<RankedTensorType>(result.getType()).hasStaticShape() ||
          (empty && llvm::all_of(empty.getDynamicSizes(),
                                 [&](Value size) { return isOfHost(size); }));
      if (!place && !isKnown)
        return leave(forall, "the extents of a result of it are not known "
                             "before the kernel");
      places[result] = place ? place : Value(result);
    }
  return true;
}

static MemRefType getMemory(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  return MemRefType::get(type.getShape(), type.getElementType());
}

//===----------------------------------------------------------------------===//
// The kernels and their host
//===----------------------------------------------------------------------===//

/// A forall of `part` has its results in place of `tensor`.
bool KernelSplitter::isUpdated(Value tensor, unsigned part) const {
  return llvm::any_of(tensor.getUsers(), [&](Operation *user) {
    if (user->getBlock() != &body)
      return false;
    if (isBlockForall(user))
      return parts.lookup(user) == part;
    return needed[part].contains(user) &&
           llvm::any_of(user->getResults(), [&](Value result) {
             return isa<TensorType>(result.getType()) &&
                    isUpdated(result, part);
           });
  });
}

/// Its part leaves `result`, or what becomes of it, in its place anyway.
bool KernelSplitter::isLeft(OpResult result) const {
  SmallVector<Value> same{result};
  for (size_t i = 0; i < same.size(); ++i)
    for (OpOperand &use : same[i].getUses()) {
      Operation *user = use.getOwner();
      if (isStore(user) && cast<MaterializeInDestinationOp>(user).getDest() ==
                               places.lookup(result))
        return true;
      if (user->getBlock() != &body)
        continue;
      if (isa<tensor::CastOp>(user))
        same.push_back(user->getResult(0));
      if (isBlockForall(user) &&
          parts.lookup(user) == parts.lookup(result.getOwner()) &&
          places.lookup(cast<OpResult>(
              cast<scf::ForallOp>(user).getTiedOpResult(&use))) ==
              places.lookup(result))
        return true;
    }
  return false;
}

func::FuncOp KernelSplitter::makePart(unsigned part) {
  const SmallVector<Value> &arguments = operands[part];
  SmallVector<Type> types;
  for (Value value : arguments)
    types.push_back(isAllocated(value) ? getMemory(value) : value.getType());
  OpBuilder builder(kernel);
  Location loc = kernel.getLoc();
  func::FuncOp made =
      makePartKernel(builder, kernel, loc, "_part" + Twine(part), types,
                     context.getShape().block, context.getShape().grid);
  // The memory of a result is no result.
  IRMapping mapping, allocated;
  for (auto [number, value] : llvm::enumerate(arguments)) {
    (isAllocated(value) ? allocated : mapping)
        .map(value, made.getArgument(number));
    if (auto argument = dyn_cast<BlockArgument>(value))
      if (DictionaryAttr attrs = kernel.getArgAttrDict(argument.getArgNumber()))
        made.setArgAttrs(number, attrs);
  }

  // First what needs no result: memrefs, in which the others' results are.
  DenseSet<Operation *> late;
  for (Operation &op : body)
    if (parts.contains(&op) ||
        llvm::any_of(op.getOperands(), [&](Value operand) {
          return late.contains(operand.getDefiningOp());
        }))
      late.insert(&op);
  auto clone = [&](bool isLate) {
    for (Operation &op : body) {
      auto it = parts.find(&op);
      bool isHere =
          it != parts.end() ? it->second == part : needed[part].contains(&op);
      if (!isHere || late.contains(&op) != isLate)
        continue;
      Operation *copy = builder.clone(op, mapping);
      if (auto tensor = dyn_cast<ToTensorOp>(copy))
        tensor.setWritable(tensor.getWritable() &&
                           isUpdated(op.getResult(0), part));
    }
  };
  auto getMade = [&](Value place) {
    return (isAllocated(place) ? allocated : mapping).lookup(place);
  };
  clone(/*isLate=*/false);
  for (OpResult result : read[part]) {
    Value memory = getMade(places[result]);
    auto type = cast<MemRefType>(memory.getType());
    Value tensor = ToTensorOp::create(
        builder, loc,
        RankedTensorType::get(type.getShape(), type.getElementType()), memory,
        /*restrict=*/true, isUpdated(result, part));
    if (tensor.getType() != result.getType())
      tensor = tensor::CastOp::create(builder, loc, result.getType(), tensor);
    mapping.map(result, tensor);
  }
  clone(/*isLate=*/true);

  for (auto &[result, place] : places)
    if (parts.lookup(result.getOwner()) == part && !isLeft(result))
      MaterializeInDestinationOp::create(
          builder, result.getLoc(), /*result=*/Type(), mapping.lookup(result),
          getMade(place), /*restrict=*/true, /*writable=*/true);
  return made;
}

void KernelSplitter::makeHost(ArrayRef<func::FuncOp> kernels) {
  SmallVector<Operation *> old;
  for (Operation &op : body.without_terminator())
    old.push_back(&op);
  OpBuilder builder(body.getTerminator());
  SmallVector<Value> allocations;
  IRMapping memory;
  for (auto &[result, place] : places) {
    if (place != result)
      continue;
    SmallVector<Value> sizes;
    if (!cast<RankedTensorType>(result.getType()).hasStaticShape()) {
      auto empty = getOrigin(result).getDefiningOp<tensor::EmptyOp>();
      for (Value size : empty.getDynamicSizes())
        sizes.push_back(getOnHost(builder, size));
    }
    Value made = memref::AllocOp::create(builder, result.getLoc(),
                                         getMemory(result), sizes);
    memory.map(place, made);
    allocations.push_back(made);
  }
  for (auto [part, made] : llvm::enumerate(kernels)) {
    auto arguments = llvm::map_to_vector(operands[part], [&](Value value) {
      return memory.lookupOrDefault(value);
    });
    func::CallOp::create(builder, kernel.getLoc(), made, arguments);
  }
  for (Value allocation : allocations)
    memref::DeallocOp::create(builder, kernel.getLoc(), allocation);
  for (Operation *op : llvm::reverse(old))
    op->erase();
  removeLaunchAttrs(kernel);
}

/// The arguments of `part`, in the order of the kernel's, then allocations.
SmallVector<Value> KernelSplitter::getOperands(unsigned part) {
  SetVector<Value> allocations, arguments;
  auto add = [&](Value value) {
    if (isa<BlockArgument>(value) && value.getParentBlock() == &body)
      arguments.insert(value);
  };
  for (auto &[result, place] : places) {
    if (!read[part].contains(result) && parts.lookup(result.getOwner()) != part)
      continue;
    if (isAllocated(place))
      allocations.insert(place);
    else
      add(place), collectNeeds(part, {place});
  }
  for (Operation &op : body) {
    auto it = parts.find(&op);
    if (it != parts.end() ? it->second != part : !needed[part].contains(&op))
      continue;
    llvm::for_each(op.getOperands(), add);
    SetVector<Value> captured;
    getUsedValuesDefinedAbove(op.getRegions(), captured);
    llvm::for_each(captured, add);
  }
  SmallVector<Value> result = arguments.takeVector();
  llvm::sort(result, [](Value a, Value b) {
    return cast<BlockArgument>(a).getArgNumber() <
           cast<BlockArgument>(b).getArgNumber();
  });
  result.append(allocations.begin(), allocations.end());
  return result;
}

bool KernelSplitter::run() {
  if (!cut() || !choosePlaces())
    return false;
  SmallVector<func::FuncOp> kernels;
  for (unsigned part = 0; part < numParts; ++part) {
    operands.push_back(getOperands(part));
    kernels.push_back(makePart(part));
  }
  makeHost(kernels);
  return true;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// An op at grid scope that becomes one of each workgroup.
static bool isGridScopeOp(Operation &op) {
  return llvm::any_of(op.getResultTypes(), llvm::IsaPred<TensorType>) &&
         !isBlockForall(&op) &&
         !isa<ToTensorOp, tensor::EmptyOp, tensor::CastOp,
              tensor::CollapseShapeOp, tensor::ExpandShapeOp,
              tensor::ExtractSliceOp>(op);
}

/// The host can call several kernels in place of `kernel`.
static bool canBeHost(func::FuncOp kernel) {
  return kernel && isa<ModuleOp>(kernel->getParentOp()) &&
         !gpu::GPUDialect::isKernel(kernel) && kernel.getBody().hasOneBlock();
}

namespace {
struct SplitKernelsPass
    : public memspace::impl::SplitKernelsPassBase<SplitKernelsPass> {
  using Base::Base;
  void runOnOperation() override {
    KernelSelection selection;
    selection.target = {chip, workgroupLimit, privateLimit, subgroupSize};
    selection.launch = {llvm::to_vector(blockSize), llvm::to_vector(gridSize)};
    selection.memorySpaces = memorySpaces;
    selection.pass = getArgument();
    selection.quiet = quiet;
    selection.targetIsOptional = true;
    SmallVector<func::FuncOp> hosts;
    auto split = [&](const KernelContext &context) -> LogicalResult {
      auto kernel = dyn_cast<func::FuncOp>(context.getKernel().getOperation());
      if (!canBeHost(kernel) || llvm::range_size(llvm::make_filter_range(
                                    kernel.front(), [](Operation &op) {
                                      return isBlockForall(&op);
                                    })) < 2)
        return success();
      IRRewriter rewriter(kernel.getContext());
      if (llvm::any_of(kernel.front(), isGridScopeOp) &&
          (failed(decomposeOps(kernel)) ||
           failed(verifyTensorKernel(context)) ||
           failed(sinkGridScopeOps(rewriter, kernel))))
        return failure();
      dropUnusedResults(rewriter, kernel);
      if (KernelSplitter(context, kernel).run())
        hosts.push_back(kernel);
      return success();
    };
    if (failed(forEachKernel(getOperation(), selection, split)))
      return signalPassFailure();
    for (func::FuncOp host : hosts)
      inlineHost(host);
  }
};
} // namespace
