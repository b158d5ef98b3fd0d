//===- SplitKernels.cpp - kernels between which workgroups exchange -------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel is cut in front of each block forall in which a workgroup meets
// elements that another one accesses in an earlier forall since the last cut.
// The foralls between which there must be a cut are intervals, and cutting at
// the first end of each is the least number of cuts (stabbing of intervals).
//
//===----------------------------------------------------------------------===//

#include "MemSpace/IR/AttributeNames.h"
#include "MemSpace/Kernel/ExecutionScope.h"
#include "MemSpace/Spaces/BufferClasses.h"
#include "MemSpace/Threads/ThreadRelations.h"
#include "MemSpace/Transforms/Passes.h"
#include "Transforms/Normalize/KernelVerifier.h"
#include "Transforms/Normalize/LoneOps.h"
#include "Transforms/Normalize/Normalization.h"
#include "Transforms/Normalize/SinkGridScope.h"
#include "Transforms/Support/PassKernels.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/EquivalenceClasses.h"

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

static bool isBlockForall(Operation *op) {
  auto forall = dyn_cast<scf::ForallOp>(op);
  std::optional<ForallMapping> mapping;
  if (forall)
    mapping = getForallMapping(forall);
  return mapping && mapping->scope == ExecutionScope::Workgroup;
}

static bool isStore(Operation *op) {
  auto store = dyn_cast<MaterializeInDestinationOp>(op);
  return store && isa<MemRefType>(store.getDest().getType());
}

static bool hasTensorOperand(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), llvm::IsaPred<TensorType>);
}

/// What can stand in any part, and in several.
static bool isMovable(Operation *op) {
  return op->getNumRegions() == 0 && isPure(op);
}

namespace {
/// What workgroups access of one memory in one forall.
struct GridAccess {
  Value memory;
  ElementAccess elements;
  bool isWrite;
};

/// Cuts one kernel.
class KernelSplitter {
public:
  KernelSplitter(const KernelContext &context, func::FuncOp kernel)
      : context(context), kernel(kernel), body(kernel.front()) {}
  /// True where the kernel is now the host of several.
  bool run();

private:
  bool hasKnownOps();
  void uniteMemories();
  void collectReads(Value tensor, const BufferView &view, Value memory,
                    SmallVectorImpl<GridAccess> &accesses);
  BufferView getView(Value tensor);
  void collectAccesses();
  bool numberParts();
  std::optional<unsigned> getSourcePart(MaterializeInDestinationOp store) const;
  bool numberStores();
  void collectNeeds(unsigned part, SmallVector<Value> left);
  bool isOverwritten(Value tensor, unsigned part);
  bool checkReads();
  bool choosePlaces();
  Value findPlace(OpResult result);
  bool isOfHost(Value value) const;
  Value getOnHost(OpBuilder &builder, Value value);
  bool isUpdated(Value tensor, unsigned part) const;
  SmallVector<Value> getOperands(unsigned part);
  func::FuncOp makePart(unsigned part);
  void makeHost(ArrayRef<func::FuncOp> kernels);
  bool leave(Operation *op, StringRef why);

  const KernelContext &context;
  func::FuncOp kernel;
  Block &body;
  SmallVector<scf::ForallOp> foralls;
  /// From 1 on.
  DenseMap<Operation *, unsigned> positions;
  /// Tensors and memrefs that may be in one memory.
  llvm::EquivalenceClasses<Value> memories;
  /// Values that have other indices than the memory that they are in.
  SmallVector<Value> shifted;
  DenseMap<Operation *, SmallVector<GridAccess>> accesses;
  /// The parts that foralls and stores are in.
  DenseMap<Operation *, unsigned> parts;
  unsigned numParts = 1;
  /// What each part is made of, and the results of other parts in it.
  SmallVector<SetVector<Operation *>> needed;
  SmallVector<SetVector<OpResult>> read;
  /// Where results are that another part reads: a memref in the body, or the
  /// first result that is in memory of the host.
  llvm::MapVector<OpResult, Value> places;
  IRMapping hostValues;
  /// The arguments of each part: those of the kernel, and as in `places`.
  SmallVector<SmallVector<Value>> operands;
};
} // namespace

bool KernelSplitter::leave(Operation *op, StringRef why) {
  remark::missed(op->getLoc(), remark::RemarkOpts::name("SplitKernels")
                                   .category("memspace")
                                   .function(kernel.getName()))
      << ("workgroups access what others access in an earlier block forall, "
          "but the kernel is not split between the two: " +
          why)
             .str();
  return false;
}

bool KernelSplitter::hasKnownOps() {
  for (auto [position, op] : llvm::enumerate(body)) {
    positions[&op] = position + 1;
    if (isBlockForall(&op))
      foralls.push_back(cast<scf::ForallOp>(op));
    else if (!isStore(&op) && !isa<ToTensorOp>(op) && !isMovable(&op) &&
             !(isa<func::ReturnOp>(op) && op.getNumOperands() == 0))
      return false;
  }
  return foralls.size() > 1;
}

//===----------------------------------------------------------------------===//
// Where to cut
//===----------------------------------------------------------------------===//

void KernelSplitter::uniteMemories() {
  for (Operation &op : body) {
    if (auto forall = dyn_cast<scf::ForallOp>(op)) {
      for (auto [init, result] :
           llvm::zip_equal(forall.getOutputs(), forall.getResults())) {
        memories.insert(result);
        // Each output has a memory of its own.
        if (!init.getDefiningOp<tensor::EmptyOp>())
          memories.unionSets(init, result);
      }
    } else if (auto tensor = dyn_cast<ToTensorOp>(op)) {
      Value root = getBaseMemRef(tensor.getBuffer());
      memories.unionSets(tensor.getResult(), root);
      if (root != tensor.getBuffer())
        shifted.push_back(root);
    } else if (isStore(&op)) {
      auto store = cast<MaterializeInDestinationOp>(op);
      Value root = getBaseMemRef(store.getDest());
      memories.unionSets(store.getSource(), root);
      if (root != store.getDest())
        shifted.push_back(root);
    } else if (hasTensorOperand(&op)) {
      for (Value result : op.getResults())
        for (Value operand : op.getOperands())
          if (isa<TensorType>(result.getType()) &&
              isa<TensorType>(operand.getType())) {
            memories.unionSets(operand, result);
            if (!isa<tensor::CastOp>(op))
              shifted.push_back(result);
          }
    }
  }
}

/// Where `tensor` is in its memory.
BufferView KernelSplitter::getView(Value tensor) {
  if (llvm::any_of(shifted, [&](Value value) {
        return memories.isEquivalent(value, tensor);
      }))
    return {};
  return getIdentityView(tensor);
}

/// What the uses of `tensor`, at `view` of `memory`, may touch.
void KernelSplitter::collectReads(Value tensor, const BufferView &view,
                                  Value memory,
                                  SmallVectorImpl<GridAccess> &accesses) {
  for (OpOperand &use : tensor.getUses()) {
    Operation *user = use.getOwner();
    auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(user);
    if (isa<tensor::DimOp>(user) || user->getBlock() == &body ||
        (insert && use == insert.getDestMutable()))
      continue;
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(user)) {
      collectReads(slice, getSliceView(view, slice, slice.getDroppedDims()),
                   memory, accesses);
      continue;
    }
    GridAccess access{memory, {user, view.getRootRanges(std::nullopt)}, false};
    if (auto extract = dyn_cast<tensor::ExtractOp>(user)) {
      SmallVector<IndexRange> ranges;
      for (Value index : extract.getIndices()) {
        IndexRange range;
        range.offset = LinearExpr(OpFoldResult(index));
        range.size = LinearExpr(1);
        ranges.push_back(range);
      }
      access.elements.ranges = view.getRootRanges(ArrayRef(ranges));
    }
    accesses.push_back(access);
  }
}

void KernelSplitter::collectAccesses() {
  for (scf::ForallOp forall : foralls) {
    SmallVector<GridAccess> &found = accesses[forall];
    SetVector<Value> captured;
    getUsedValuesDefinedAbove(forall.getRegion(), captured);
    for (Value tensor : captured) {
      if (!isa<TensorType>(tensor.getType()) || !memories.contains(tensor))
        continue;
      SmallVector<GridAccess> all;
      collectReads(tensor, getView(tensor), memories.getLeaderValue(tensor),
                   all);
      llvm::copy_if(all, std::back_inserter(found), [&](GridAccess &access) {
        return forall->isProperAncestor(access.elements.op);
      });
    }
    for (auto [output, result] :
         llvm::zip_equal(forall.getRegionIterArgs(), forall.getResults())) {
      Value memory = memories.getLeaderValue(result);
      BufferView view = getView(result);
      collectReads(output, view, memory, found);
      for (Operation *user : forall.getCombiningOps(output)) {
        GridAccess write{memory, {user, std::nullopt}, /*isWrite=*/true};
        if (auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(user))
          write.elements.ranges =
              getSliceView(view, insert, insert.getDroppedDims())
                  .getRootRanges(std::nullopt);
        found.push_back(write);
      }
    }
  }
}

/// Numbers the parts of the foralls. False where there is only one.
bool KernelSplitter::numberParts() {
  ThreadRelations relations(context);
  DenseMap<Value, SmallVector<const GridAccess *>> earlier;
  for (scf::ForallOp forall : foralls) {
    bool isCut = llvm::any_of(accesses[forall], [&](const GridAccess &access) {
      auto it = earlier.find(access.memory);
      return it != earlier.end() &&
             llvm::any_of(it->second, [&](const GridAccess *before) {
               return (access.isWrite || before->isWrite) &&
                      relations.mayOverlap(before->elements, access.elements,
                                           ExecutionPair::DifferentWorkgroups,
                                           kernel.getOperation());
             });
    });
    if (isCut) {
      ++numParts;
      earlier.clear();
    }
    parts[forall] = numParts - 1;
    for (const GridAccess &access : accesses[forall])
      earlier[access.memory].push_back(&access);
  }
  return numParts > 1;
}

//===----------------------------------------------------------------------===//
// What is in each part
//===----------------------------------------------------------------------===//

/// The last part of which `store` has something; none where it is of none.
std::optional<unsigned>
KernelSplitter::getSourcePart(MaterializeInDestinationOp store) const {
  std::optional<unsigned> part;
  SetVector<Value> left;
  left.insert(store.getSource());
  for (size_t i = 0; i < left.size(); ++i) {
    Operation *op = left[i].getDefiningOp();
    if (op && isBlockForall(op))
      part = std::max(part.value_or(0), parts.lookup(op));
    else if (op && !isa<ToTensorOp>(op))
      for (Value operand : op->getOperands())
        left.insert(operand);
  }
  return part;
}

bool KernelSplitter::numberStores() {
  for (auto store : body.getOps<MaterializeInDestinationOp>()) {
    if (!isStore(store))
      continue;
    std::optional<unsigned> part = getSourcePart(store);
    if (!part)
      return leave(store, "this is no result of a forall");
    if (!isa<BlockArgument>(getBaseMemRef(store.getDest())))
      return leave(store, "this is not in an argument");
    parts[store] = *part;
  }
  return true;
}

/// Adds what `left` is made of to `part`.
void KernelSplitter::collectNeeds(unsigned part, SmallVector<Value> left) {
  while (!left.empty()) {
    Value value = left.pop_back_val();
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != &body)
      continue;
    if (!isBlockForall(op)) {
      if (needed[part].insert(op))
        llvm::append_range(left, op->getOperands());
    } else if (parts.lookup(op) != part) {
      read[part].insert(cast<OpResult>(value));
    }
  }
}

/// Whether the memory of `tensor` has something else in it when `part` begins.
bool KernelSplitter::isOverwritten(Value tensor, unsigned part) {
  auto result = dyn_cast<OpResult>(tensor);
  unsigned position =
      isBlockForall(result.getOwner()) ? positions[result.getOwner()] : 0;
  return llvm::any_of(foralls, [&](scf::ForallOp forall) {
    return positions[forall] > position && parts[forall] < part &&
           llvm::any_of(forall.getResults(), [&](Value other) {
             return memories.isEquivalent(other, tensor);
           });
  });
}

/// Each part has to find what the kernel reads there.
bool KernelSplitter::checkReads() {
  for (auto tensor : body.getOps<ToTensorOp>())
    for (const auto &[writer, part] : parts)
      if (positions[writer] < positions[tensor] &&
          llvm::any_of(writer->getResults(), [&](Value result) {
            return memories.isEquivalent(result, tensor.getResult());
          }))
        return leave(tensor, "this is read after a forall wrote there");
  for (unsigned part = 0; part < numParts; ++part) {
    for (Operation *op : needed[part])
      if (isa<ToTensorOp>(op) && isOverwritten(op->getResult(0), part))
        return leave(op, "this is overwritten before it is read");
    for (OpResult result : read[part])
      if (isOverwritten(result, part))
        return leave(result.getOwner(),
                     "a result of it is overwritten before it is read");
  }
  return true;
}

//===----------------------------------------------------------------------===//
// What goes from part to part
//===----------------------------------------------------------------------===//

/// The host can compute it.
bool KernelSplitter::isOfHost(Value value) const {
  Operation *op = value.getDefiningOp();
  if (!op)
    return value.getParentBlock() == &body;
  if (auto dim = dyn_cast<tensor::DimOp>(op))
    if (auto tensor = dim.getSource().getDefiningOp<ToTensorOp>())
      return isOfHost(tensor.getBuffer()) && isOfHost(dim.getIndex());
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
    auto tensor = dim.getSource().getDefiningOp<ToTensorOp>();
    Value memory = getOnHost(builder, tensor.getBuffer());
    Value index = getOnHost(builder, dim.getIndex());
    Value made = memref::DimOp::create(builder, dim.getLoc(), memory, index);
    hostValues.map(value, made);
    return made;
  }
  for (Value operand : op->getOperands())
    getOnHost(builder, operand);
  builder.clone(*op, hostValues);
  return hostValues.lookup(value);
}

/// The memory that `result` begins or ends in; null where it has none.
Value KernelSplitter::findPlace(OpResult result) {
  Value init = result;
  while (auto forall = init.getDefiningOp<scf::ForallOp>()) {
    init = forall.getTiedOpOperand(cast<OpResult>(init))->get();
    if (auto before = dyn_cast<OpResult>(init); places.contains(before))
      return places[before];
  }
  if (auto tensor = init.getDefiningOp<ToTensorOp>())
    return tensor.getBuffer();
  for (Value next = result; next;) {
    Value last = next;
    next = {};
    for (OpOperand &use : last.getUses()) {
      if (isStore(use.getOwner()))
        return cast<MaterializeInDestinationOp>(use.getOwner()).getDest();
      if (use.getOwner()->getBlock() == &body && isBlockForall(use.getOwner()))
        next = cast<scf::ForallOp>(use.getOwner()).getTiedOpResult(&use);
    }
  }
  return {};
}

bool KernelSplitter::choosePlaces() {
  DenseSet<OpResult> wanted;
  for (const SetVector<OpResult> &results : read)
    wanted.insert(results.begin(), results.end());
  for (scf::ForallOp forall : foralls)
    for (OpResult result : forall->getResults()) {
      if (!wanted.contains(result))
        continue;
      Value place = findPlace(result);
      if (place && isa<MemRefType>(place.getType()) && !isOfHost(place))
        return leave(forall, "where a result of it is to be is not known "
                             "before the kernel");
      auto empty = forall.getTiedOpOperand(result)
                       ->get()
                       .getDefiningOp<tensor::EmptyOp>();
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

/// Memory of the kernel that no argument has.
static bool isAllocated(Value place) {
  return isa<TensorType>(place.getType());
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
  for (OpResult result : read[part])
    mapping.map(result,
                ToTensorOp::create(builder, loc, result.getType(),
                                   getMade(places[result]),
                                   /*restrict=*/true, isUpdated(result, part))
                    .getResult());
  clone(/*isLate=*/true);

  for (auto &[result, place] : places) {
    if (parts.lookup(result.getOwner()) != part)
      continue;
    Value memory = place;
    bool isStored = llvm::any_of(result.getUsers(), [&](Operation *user) {
      return isStore(user) &&
             cast<MaterializeInDestinationOp>(user).getDest() == memory;
    });
    if (!isStored)
      MaterializeInDestinationOp::create(
          builder, result.getLoc(), /*result=*/Type(), mapping.lookup(result),
          getMade(memory), /*restrict=*/true, /*writable=*/true);
  }
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
      auto forall = cast<scf::ForallOp>(result.getOwner());
      auto empty = forall.getTiedOpOperand(result)
                       ->get()
                       .getDefiningOp<tensor::EmptyOp>();
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
  if (!hasKnownOps())
    return false;
  uniteMemories();
  collectAccesses();
  if (!numberParts() || !numberStores())
    return false;
  needed.resize(numParts);
  read.resize(numParts);
  for (Operation &op : body) {
    auto it = parts.find(&op);
    if (it == parts.end())
      continue;
    SetVector<Value> used(op.operand_begin(), op.operand_end());
    getUsedValuesDefinedAbove(op.getRegions(), used);
    collectNeeds(it->second, used.takeVector());
  }
  if (!checkReads() || !choosePlaces())
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
