//===- KernelCut.cpp - where workgroups have to wait for each other -------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/Normalize/KernelCut.h"
#include "MemSpace/Kernel/ExecutionScope.h"
#include "MemSpace/Threads/ThreadRelations.h"
#include "Transforms/Normalize/KernelVerifier.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::memspace;
using bufferization::MaterializeInDestinationOp;
using bufferization::ToTensorOp;

bool mlir::memspace::isStore(Operation *op) {
  auto store = dyn_cast<MaterializeInDestinationOp>(op);
  return store && isa<MemRefType>(store.getDest().getType());
}

bool mlir::memspace::hasTensorOperand(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), llvm::IsaPred<TensorType>);
}

bool mlir::memspace::isMovable(Operation *op) {
  return op->getNumRegions() == 0 && isPure(op);
}

/// Its result is in the memory of what it is of.
static bool isView(Operation *op) {
  return isa<tensor::CastOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp,
             tensor::ExtractSliceOp>(op);
}

bool KernelCut::leave(Operation *op, StringRef why) {
  remark::missed(op->getLoc(), remark::RemarkOpts::name("SplitKernels")
                                   .category("memspace")
                                   .function(kernel.getName()))
      << ("workgroups access what others access in an earlier block forall, "
          "but the kernel is not split between the two: " +
          why)
             .str();
  return false;
}

/// Accesses memory in another way than by tensors.
static bool usesMemRefs(scf::ForallOp forall) {
  SetVector<Value> captured;
  getUsedValuesDefinedAbove(forall.getRegion(), captured);
  return llvm::any_of(captured,
                      [](Value value) {
                        return isa<BaseMemRefType>(value.getType());
                      }) ||
         forall
             ->walk([](memref::GetGlobalOp) { return WalkResult::interrupt(); })
             .wasInterrupted();
}

bool KernelCut::hasKnownOps() {
  for (auto [position, op] : llvm::enumerate(body)) {
    positions[&op] = position + 1;
    if (isBlockForall(&op))
      foralls.push_back(cast<scf::ForallOp>(op));
    else if (!isStore(&op) && !isa<ToTensorOp>(op) && !isMovable(&op) &&
             !(isa<func::ReturnOp>(op) && op.getNumOperands() == 0))
      return false;
  }
  return foralls.size() > 1 && llvm::none_of(foralls, usesMemRefs);
}

//===----------------------------------------------------------------------===//
// Where to cut
//===----------------------------------------------------------------------===//

void KernelCut::uniteMemories() {
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
BufferView KernelCut::getView(Value tensor) {
  if (llvm::any_of(shifted, [&](Value value) {
        return memories.isEquivalent(value, tensor);
      }))
    return {};
  return getIdentityView(tensor);
}

/// What the uses of `tensor`, at `view` of `memory`, may touch.
void KernelCut::collectReads(Value tensor, const BufferView &view, Value memory,
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

void KernelCut::collectAccesses() {
  for (scf::ForallOp forall : foralls) {
    SmallVector<GridAccess> &found = accesses[forall];
    SetVector<Value> captured;
    getUsedValuesDefinedAbove(forall.getRegion(), captured);
    // What every workgroup reads for itself before.
    SetVector<Value> left(captured);
    left.insert(forall->operand_begin(), forall->operand_end());
    for (size_t i = 0; i < left.size(); ++i) {
      Operation *op = left[i].getDefiningOp();
      if (!op || op->getBlock() != &body || isBlockForall(op) ||
          isa<ToTensorOp, tensor::DimOp>(op))
        continue;
      left.insert(op->operand_begin(), op->operand_end());
      if (isView(op))
        continue;
      for (Value operand : op->getOperands())
        if (isa<TensorType>(operand.getType()) && memories.contains(operand))
          found.push_back({memories.getLeaderValue(operand),
                           {op, std::nullopt},
                           /*isWrite=*/false});
    }
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
bool KernelCut::numberParts() {
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
KernelCut::getSourcePart(MaterializeInDestinationOp store) const {
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

bool KernelCut::numberStores() {
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
  return checkStores();
}

/// What is stored has to be there in the end, or until the kernel overwrites
/// it.
bool KernelCut::checkStores() {
  SmallVector<MaterializeInDestinationOp> stores;
  for (auto store : body.getOps<MaterializeInDestinationOp>())
    stores.push_back(store);
  auto isIn = [&](Value tensor, MaterializeInDestinationOp store) {
    return memories.isEquivalent(tensor, store.getSource());
  };
  for (size_t number = 0; number < stores.size(); ++number) {
    MaterializeInDestinationOp store = stores[number];
    unsigned part = parts.lookup(store);
    ArrayRef<MaterializeInDestinationOp> later =
        ArrayRef(stores).drop_front(number + 1);
    for (MaterializeInDestinationOp other : later)
      if (parts.lookup(other) < part && isIn(other.getSource(), store))
        return leave(other, "an earlier store would overwrite this");
    for (scf::ForallOp forall : foralls) {
      if (parts.lookup(forall) <= part ||
          llvm::none_of(forall.getResults(),
                        [&](Value result) { return isIn(result, store); }))
        continue;
      bool isOverwritten =
          llvm::any_of(later, [&](MaterializeInDestinationOp other) {
            return other.getDest() == store.getDest() &&
                   parts.lookup(other) >= parts.lookup(forall);
          });
      if (!isOverwritten)
        return leave(forall, "it would overwrite what is stored before");
    }
  }
  return true;
}

void KernelCut::collectNeeds(unsigned part, SmallVector<Value> left) {
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
bool KernelCut::isOverwritten(Value tensor, unsigned part) {
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
bool KernelCut::checkReads() {
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

bool KernelCut::cut() {
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
  return checkReads();
}
