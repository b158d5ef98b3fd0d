//===- HostLoops.cpp - loops around kernels -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/Tile/HostLoops.h"
#include "MemSpace/IR/ArgumentBounds.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "Transforms/Tile/HostLoopQuery.h"
#include "Transforms/Tile/KernelGroups.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::memspace;
using bufferization::MaterializeInDestinationOp;
using bufferization::ToTensorOp;

//===----------------------------------------------------------------------===//
// What goes from one function to the next
//===----------------------------------------------------------------------===//

namespace {
class HostLoopMaker {
public:
  HostLoopMaker(func::FuncOp function, SymbolTable &symbols, int64_t bytes)
      : function(function), symbols(symbols), query(function, bytes),
        host(function) {}
  SmallVector<func::FuncOp> run();

private:
  /// A tensor that a function stores, and where: in the part of it that
  /// `insert` is for, if there is one.
  struct Root {
    Value tensor, destination;
    tensor::InsertSliceOp insert = {};
  };

  void findCrossing();
  void visitUses(Operation *user, unsigned part);
  MaterializeInDestinationOp getOnlyStore(Value tensor);
  Value getHost(Value value);
  Value allocate(Value tensor, Value like = {});
  void makePart(unsigned part);
  void makeFunction(SmallVector<Root> roots,
                    ArrayRef<MaterializeInDestinationOp> stores = {});
  void makeLoop(scf::ForOp loop);
  void makeBranch(scf::IfOp branch);

  func::FuncOp function;
  SymbolTable &symbols;
  HostLoopQuery query;
  /// Where the host goes on.
  OpBuilder host;
  /// Between the loops and branches of the host are parts, each a function.
  DenseMap<Operation *, unsigned> parts;
  /// Tensors of each part that others need.
  std::vector<SetVector<Value>> crossing;
  /// Where tensors are, and scalars.
  DenseMap<Value, Value> memory;
  IRMapping scalars;
  SmallVector<Value> allocations;
  /// Of what is where it is to be stored already.
  DenseSet<Operation *> idleStores;
  SmallVector<func::FuncOp> made;
};
} // namespace

/// Notes what `user`, in `part`, needs of other parts.
void HostLoopMaker::visitUses(Operation *user, unsigned part) {
  SetVector<Value> values(user->operand_begin(), user->operand_end());
  getUsedValuesDefinedAbove(user->getRegions(), values);
  while (!values.empty()) {
    Value value = values.pop_back_val();
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != &function.front())
      continue;
    if (isCheap(op)) {
      values.insert(op->operand_begin(), op->operand_end());
    } else if (parts.lookup(op) != part && isa<TensorType>(value.getType())) {
      crossing[parts.lookup(op)].insert(value);
    }
  }
}

void HostLoopMaker::findCrossing() {
  unsigned part = 0;
  for (Operation &op : function.front()) {
    bool isControl = query.isControl(&op);
    part += isControl;
    parts[&op] = part;
    part += isControl;
  }
  crossing.resize(part + 1);
  // As late as its first user allows: no memory goes past a loop in vain.
  for (Operation &op : llvm::reverse(function.front())) {
    unsigned first = UINT_MAX;
    for (Operation *user : op.getUsers()) {
      user = function.front().findAncestorOpInBlock(*user);
      first = std::min(first, parts[user] - query.isControl(user));
    }
    if (first != UINT_MAX && !query.isControl(&op))
      parts[&op] = first;
  }
  for (Operation &op : function.front())
    if (!isCheap(&op) || isa<MaterializeInDestinationOp>(op))
      visitUses(&op, parts[&op]);
  // A loop begins with memory.
  for (Operation *op : query.getControls())
    if (auto loop = dyn_cast<scf::ForOp>(op))
      for (auto [number, init] : llvm::enumerate(loop.getInitArgs()))
        if (Operation *maker = init.getDefiningOp();
            isa<TensorType>(init.getType()) && maker && isCheap(maker) &&
            !query.isOfArgument(init) && !getUpdate(loop, number))
          crossing[parts[op] - 1].insert(init);
}

//===----------------------------------------------------------------------===//
// The host
//===----------------------------------------------------------------------===//

/// A scalar, as the host computes it where it stands.
Value HostLoopMaker::getHost(Value value) {
  if (Value known = scalars.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  if (!op)
    return value;
  if (auto dim = dyn_cast<tensor::DimOp>(op)) {
    Value source = getWithExtents(dim.getSource());
    auto content = source.getDefiningOp<ToTensorOp>();
    Value memref = content ? content.getBuffer() : memory.lookup(source);
    Value index = getHost(dim.getIndex());
    Value extent = memref::DimOp::create(host, op->getLoc(), memref, index);
    scalars.map(value, extent);
    return extent;
  }
  for (Value operand : op->getOperands())
    scalars.map(operand, getHost(operand));
  host.clone(*op, scalars);
  return scalars.lookup(value);
}

/// Memory for `tensor`, of the extents of the memref `like` if it has no known
/// ones and is not empty. It lives as long as the host's function.
Value HostLoopMaker::allocate(Value tensor, Value like) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<Value> sizes;
  if (auto empty = tensor.getDefiningOp<tensor::EmptyOp>())
    for (Value size : empty.getDynamicSizes())
      sizes.push_back(getHost(size));
  else
    for (auto [dim, extent] : llvm::enumerate(type.getShape()))
      if (ShapedType::isDynamic(extent))
        sizes.push_back(
            memref::DimOp::create(host, tensor.getLoc(), like, dim));
  allocations.push_back(memref::AllocOp::create(
      host, tensor.getLoc(),
      MemRefType::get(type.getShape(), type.getElementType()), sizes));
  return allocations.back();
}

/// A function that computes `roots`, and its call where the host stands.
void HostLoopMaker::makeFunction(SmallVector<Root> roots,
                                 ArrayRef<MaterializeInDestinationOp> stores) {
  // What nobody has written does not matter.
  llvm::erase_if(roots, [](const Root &root) {
    return root.tensor.getDefiningOp<tensor::EmptyOp>();
  });
  if (roots.empty() && stores.empty())
    return;
  // What it computes, and what it is given: as memory, or as it is.
  SetVector<Operation *> needed;
  SetVector<Value> places, tensors, left;
  for (const Root &root : roots) {
    left.insert(root.tensor);
    if (root.insert)
      left.insert(root.insert->operand_begin() +
                      root.insert.getOffsetSizeAndStrideStartOperandIndex(),
                  root.insert->operand_end());
  }
  for (MaterializeInDestinationOp store : stores)
    left.insert(store->operand_begin(), store->operand_end());
  DenseSet<Value> seen;
  IRMapping given;
  while (!left.empty()) {
    Value value = left.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    if (Value place = memory.lookup(value)) {
      places.insert(place);
      tensors.insert(value);
      continue;
    }
    Operation *op = value.getDefiningOp();
    if (!op || query.isControl(op)) {
      Value scalar = getHost(value);
      places.insert(scalar);
      given.map(value, scalar);
      continue;
    }
    needed.insert(op);
    left.insert(op->operand_begin(), op->operand_end());
    SetVector<Value> captured;
    getUsedValuesDefinedAbove(op->getRegions(), captured);
    left.insert(captured.begin(), captured.end());
  }
  // In the order of the function's arguments, then of the blocks inside; what
  // is written comes last.
  SmallVector<Value> arguments = places.takeVector();
  llvm::stable_sort(arguments, [&](Value a, Value b) {
    auto rank = [&](Value value) {
      auto argument = dyn_cast<BlockArgument>(value);
      return std::pair(!argument || argument.getOwner() != &function.front(),
                       argument ? argument.getArgNumber() : UINT_MAX);
    };
    return rank(a) < rank(b);
  });
  for (const Root &root : roots)
    arguments.push_back(root.destination);

  Location loc = roots.empty() ? Location(stores.front()->getLoc())
                               : roots.back().tensor.getLoc();
  OpBuilder builder(function);
  auto part = func::FuncOp::create(
      builder, loc, (function.getName() + "_part" + Twine(made.size())).str(),
      builder.getFunctionType(TypeRange(ValueRange(arguments)), {}));
  symbols.insert(part);
  made.push_back(part);
  for (auto [position, value] : llvm::enumerate(arguments))
    if (auto argument = dyn_cast<BlockArgument>(value);
        argument && argument.getOwner() == &function.front())
      if (Attribute bounds =
              function.getArgAttr(argument.getArgNumber(), kBoundsAttr))
        part.setArgAttr(position, kBoundsAttr, bounds);
  Block *entry = part.addEntryBlock();
  builder.setInsertionPointToStart(entry);
  IRMapping ofHost, mapping;
  ofHost.map(ValueRange(arguments), entry->getArguments());
  for (Value value : seen)
    if (Value argument = ofHost.lookupOrNull(given.lookupOrDefault(value)))
      mapping.map(value, argument);
  for (Value value : tensors)
    mapping.map(value, ToTensorOp::create(builder, loc, value.getType(),
                                          ofHost.lookup(memory.lookup(value)),
                                          /*restrict=*/true)
                           .getResult());
  // From the outermost block in; the walk takes each block in its order.
  SmallVector<Operation *> inOrder;
  auto isOutside = [&](Operation *op) {
    return op->getBlock() == &function.front();
  };
  for (bool outside : {true, false})
    function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (needed.contains(op) && isOutside(op) == outside)
        inOrder.push_back(op);
    });
  for (Operation *op : inOrder)
    builder.clone(*op, mapping);
  for (auto [tensor, destination, insert] : roots) {
    Value place = ofHost.lookup(destination);
    if (insert) {
      auto map = [&](OpFoldResult value) {
        auto known = dyn_cast<Value>(value);
        return known ? OpFoldResult(mapping.lookup(known)) : value;
      };
      auto offsets = llvm::map_to_vector(insert.getMixedOffsets(), map);
      auto sizes = llvm::map_to_vector(insert.getMixedSizes(), map);
      auto strides = llvm::map_to_vector(insert.getMixedStrides(), map);
      MemRefType type = memref::SubViewOp::inferRankReducedResultType(
          insert.getSourceType().getShape(), cast<MemRefType>(place.getType()),
          offsets, sizes, strides);
      place = memref::SubViewOp::create(builder, loc, type, place, offsets,
                                        sizes, strides);
    }
    MaterializeInDestinationOp::create(builder, loc, /*result=*/Type(),
                                       mapping.lookup(tensor), place,
                                       /*restrict=*/true, /*writable=*/true);
  }
  for (MaterializeInDestinationOp store : stores)
    builder.clone(*store, mapping);
  func::ReturnOp::create(builder, loc);
  func::CallOp::create(host, loc, part, arguments);
}

/// The store of `tensor` where it is its only use, into an argument that has
/// nothing else; null for others.
MaterializeInDestinationOp HostLoopMaker::getOnlyStore(Value tensor) {
  if (!tensor.hasOneUse())
    return {};
  auto store = dyn_cast<MaterializeInDestinationOp>(*tensor.user_begin());
  if (!store || !store.getRestrict() || store->getNumResults() != 0 ||
      !isa<BlockArgument>(store.getDest()) ||
      !cast<MemRefType>(store.getDest().getType()).getLayout().isIdentity())
    return {};
  bool isElsewhere = llvm::any_of(function.front(), [&](Operation &op) {
    auto content = dyn_cast<ToTensorOp>(op);
    auto other = dyn_cast<MaterializeInDestinationOp>(op);
    Value memref = content
                       ? content.getBuffer()
                       : (other && other != store ? other.getDest() : Value());
    return memref && getRootMemory(memref) == store.getDest();
  });
  return isElsewhere ? MaterializeInDestinationOp() : store;
}

void HostLoopMaker::makePart(unsigned part) {
  SmallVector<Root> roots;
  SmallVector<std::pair<Value, Value>> places;
  for (Value value : crossing[part]) {
    Value place = allocate(value);
    places.push_back({value, place});
    roots.push_back({value, place});
  }
  SmallVector<MaterializeInDestinationOp> stores;
  for (auto store : function.front().getOps<MaterializeInDestinationOp>())
    if (parts.lookup(store) == part && !idleStores.contains(store))
      stores.push_back(store);
  makeFunction(roots, stores);
  for (auto [value, place] : places)
    memory[value] = place;
}

/// What the loop carries is updated in place, or alternates between two
/// memories: an iteration reads one, and writes the other.
void HostLoopMaker::makeLoop(scf::ForOp loop) {
  Location loc = loop.getLoc();
  SmallVector<Value> inits, first, second;
  for (auto [number, init] : llvm::enumerate(loop.getInitArgs())) {
    if (!isa<RankedTensorType>(init.getType())) {
      inits.push_back(getHost(init));
      continue;
    }
    Value place = memory.lookup(init);
    if (auto content = init.getDefiningOp<ToTensorOp>(); content && !place)
      place = content.getBuffer();
    if (getUpdate(loop, number)) {
      if (auto store = getOnlyStore(loop.getResult(number))) {
        inits.push_back(store.getDest());
        idleStores.insert(store);
      } else {
        inits.push_back(allocate(init, place));
      }
      makeFunction({{init, inits.back()}});
      continue;
    }
    inits.push_back(place);
    first.push_back(allocate(init, place));
    second.push_back(allocate(init, place));
  }
  size_t numCarried = inits.size(), numTensors = first.size();
  llvm::append_range(inits, first);
  llvm::append_range(inits, second);
  auto made = scf::ForOp::create(host, loc, getHost(loop.getLowerBound()),
                                 getHost(loop.getUpperBound()),
                                 getHost(loop.getStep()), inits);
  made.setUnsignedCmp(loop.getUnsignedCmp());
  IRMapping outside = scalars;
  host.setInsertionPointToStart(made.getBody());
  scalars.map(loop.getInductionVar(), made.getInductionVar());
  ValueRange carried = made.getRegionIterArgs();
  SmallVector<Value> next;
  SmallVector<Root> roots;
  SmallVector<Value> free, used;
  for (auto [argument, now] : llvm::zip(loop.getRegionIterArgs(), carried))
    if (isa<RankedTensorType>(argument.getType()))
      memory[argument] = now;
    else
      scalars.map(argument, now);
  for (auto [number, argument] : llvm::enumerate(loop.getRegionIterArgs())) {
    Value now = carried[number], yielded = loop.getYieldedValues()[number];
    if (!isa<RankedTensorType>(argument.getType())) {
      next.push_back(getHost(yielded));
      continue;
    }
    if (tensor::InsertSliceOp update = getUpdate(loop, number)) {
      next.push_back(now);
      roots.push_back({update.getSource(), now, update});
      continue;
    }
    Value write = carried[numCarried + free.size()];
    Value other = carried[numCarried + numTensors + free.size()];
    // What stays as it is is not written.
    bool stays = yielded == argument;
    next.push_back(stays ? now : write);
    free.push_back(stays ? write : other);
    used.push_back(stays ? other : write);
    if (!stays)
      roots.push_back({yielded, write});
  }
  makeFunction(roots);
  llvm::append_range(next, free);
  llvm::append_range(next, used);
  scf::YieldOp::create(host, loc, next);
  host.setInsertionPointAfter(made);
  scalars = outside;
  for (auto [result, place] : llvm::zip(loop.getResults(), made.getResults()))
    if (isa<RankedTensorType>(result.getType()))
      memory[result] = place;
    else
      scalars.map(result, place);
}

void HostLoopMaker::makeBranch(scf::IfOp branch) {
  Location loc = branch.getLoc();
  SmallVector<Type> types;
  for (Value result : branch.getResults())
    if (isa<RankedTensorType>(result.getType()))
      memory[result] = allocate(result);
    else
      types.push_back(result.getType());
  auto made =
      scf::IfOp::create(host, loc, types, getHost(branch.getCondition()),
                        /*withElseRegion=*/true);
  for (auto [region, newRegion] :
       llvm::zip_equal(branch->getRegions(), made->getRegions())) {
    IRMapping outside = scalars;
    Block &block = newRegion.front();
    if (!block.empty())
      block.clear();
    host.setInsertionPointToStart(&block);
    SmallVector<Root> roots;
    SmallVector<Value> yields;
    for (auto [yielded, result] :
         llvm::zip_equal(region.front().getTerminator()->getOperands(),
                         branch.getResults()))
      if (isa<RankedTensorType>(result.getType()))
        roots.push_back({yielded, memory[result]});
      else
        yields.push_back(getHost(yielded));
    makeFunction(roots);
    scf::YieldOp::create(host, loc, yields);
    scalars = outside;
  }
  host.setInsertionPointAfter(made);
  auto results = made.result_begin();
  for (Value result : branch.getResults())
    if (!isa<RankedTensorType>(result.getType()))
      scalars.map(result, *results++);
}

SmallVector<func::FuncOp> HostLoopMaker::run() {
  if (query.getControls().empty() || !query.check())
    return {};
  findCrossing();
  for (const SetVector<Value> &values : crossing)
    for (Value value : values)
      if (!cast<RankedTensorType>(value.getType()).hasStaticShape() &&
          !query.isControl(value.getDefiningOp())) {
        query.refuse(value.getDefiningOp(),
                     "it has a result of dynamic extents that another kernel "
                     "reads; give it static ones");
        return {};
      }
  SmallVector<Operation *> old;
  for (Operation &op : function.front().without_terminator())
    old.push_back(&op);
  host.setInsertionPoint(function.front().getTerminator());
  for (Operation *op : old)
    if (auto assertion = dyn_cast<cf::AssertOp>(op))
      cf::AssertOp::create(host, assertion.getLoc(),
                           getHost(assertion.getArg()), assertion.getMsg());
  unsigned part = 0;
  for (Operation *op : query.getControls()) {
    makePart(part);
    if (auto loop = dyn_cast<scf::ForOp>(op))
      makeLoop(loop);
    else
      makeBranch(cast<scf::IfOp>(op));
    part += 2;
  }
  makePart(part);
  for (Value allocation : allocations)
    memref::DeallocOp::create(host, function.getLoc(), allocation);
  for (Operation *op : llvm::reverse(old))
    if (op->use_empty())
      op->erase();
  return made;
}

SmallVector<func::FuncOp> memspace::makeHostLoops(func::FuncOp function,
                                                  SymbolTable &symbols,
                                                  int64_t bytes) {
  return HostLoopMaker(function, symbols, bytes).run();
}
