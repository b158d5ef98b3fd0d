//===- FormKernels.cpp - a function becomes kernels and their host --------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/IR/ArgumentBounds.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/IR/StructuredOpInterface.h"
#include "MemSpace/Kernel/Kernel.h"
#include "MemSpace/Transforms/Passes.h"
#include "Transforms/Normalize/KernelVerifier.h"
#include "Transforms/Normalize/StructuredOps.h"
#include "Transforms/Tile/Combination.h"
#include "Transforms/Tile/Divisors.h"
#include "Transforms/Tile/HostLoopQuery.h"
#include "Transforms/Tile/HostLoops.h"
#include "Transforms/Tile/KernelGroups.h"
#include "Transforms/Tile/LoopLabels.h"
#include "Transforms/Tile/SharedUpdates.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_FORMKERNELSPASS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;
using bufferization::MaterializeInDestinationOp;
using bufferization::ToTensorOp;

namespace {
/// Cuts one function.
class KernelFormer {
public:
  KernelFormer(func::FuncOp function, SymbolTable &symbols, int64_t groupBytes)
      : function(function), symbols(symbols), groupBytes(groupBytes),
        host(function) {}
  LogicalResult run();

private:
  LogicalResult check();
  LogicalResult checkRestrict();
  LogicalResult checkOrder(ArrayRef<KernelGroup> groups);
  LogicalResult makeKernel(const KernelGroup &group, unsigned number);
  LogicalResult makeWorkspaces(const KernelGroup &group);
  ScatterOp getUpdater(Value value) const;
  Value getUpdatedOutput(ScatterOp scatter);
  FailureOr<Value> onHost(Value value);
  FailureOr<SmallVector<OpFoldResult>> getSizes(Value tensor, Operation *user);
  /// An argument, or memory that the host allocates; no view of one.
  bool isOfHost(Value memref) const {
    return isa<BlockArgument>(memref) || allocations.contains(memref);
  }

  func::FuncOp function;
  SymbolTable &symbols;
  /// What a workgroup may keep.
  int64_t groupBytes;
  /// Stands in front of the host's return.
  OpBuilder host;
  /// Memory of the host that later kernels read a result from.
  llvm::MapVector<Value, Value> workspaces;
  SetVector<Value> allocations;
  /// Results that are in an output that another kernel updates.
  DenseSet<Value> lent;
  IRMapping hostValues;
};
} // namespace

/// What the body may have beside ops that are tiled.
LogicalResult KernelFormer::check() {
  for (Operation &op : function.front()) {
    // A division is no op to be moved, but the host does it where it stands.
    bool isArithmetic = op.getNumRegions() == 0 && isMemoryEffectFree(&op) &&
                        isa<arith::ArithDialect>(op.getDialect());
    if (isTilable(&op) || isPure(&op) || isArithmetic ||
        (isa<scf::ForOp, scf::IfOp>(op) && isMemoryEffectFree(&op)) ||
        isa<func::ReturnOp, ToTensorOp, cf::AssertOp>(op))
      continue;
    if (auto store = dyn_cast<MaterializeInDestinationOp>(op))
      if (isa<MemRefType>(store.getDest().getType()))
        continue;
    if (auto call = dyn_cast<func::CallOp>(op))
      return op.emitOpError()
             << "calls '" << call.getCallee()
             << "', which cannot go into a kernel; inline it (--inline does "
                "where it has a body and does not call itself), or write out "
                "what it does";
    return op.emitOpError()
           << "cannot go into a kernel, nor stay with the host; a function "
              "that becomes kernels has ops on tensors, 'to_tensor', and "
              "'materialize_in_destination' into memrefs";
  }
  return success();
}

/// Kernels come in another order than the ops: arguments must not overlap.
LogicalResult KernelFormer::checkRestrict() {
  for (Operation &op : function.front()) {
    auto tensor = dyn_cast<ToTensorOp>(op);
    auto store = dyn_cast<MaterializeInDestinationOp>(op);
    if ((tensor && !tensor.getRestrict()) || (store && !store.getRestrict()))
      return op.emitOpError()
             << "may be of memory that another argument is of, too, and '"
             << function.getName()
             << "' becomes several kernels; promise 'restrict'";
  }
  return success();
}

/// A store must not come before the last kernel that reads what was there, nor
/// behind one that overwrites it.
LogicalResult KernelFormer::checkOrder(ArrayRef<KernelGroup> groups) {
  DenseMap<Operation *, unsigned> numbers;
  for (auto [number, group] : llvm::enumerate(groups))
    for (Operation *op : group)
      numbers[op] = number;
  if (groups.size() > 1 && failed(checkRestrict()))
    return failure();
  for (auto store : function.front().getOps<MaterializeInDestinationOp>()) {
    auto writer = numbers.find(store.getSource().getDefiningOp());
    Value memory = getRootMemory(store.getDest());
    for (auto later : function.front().getOps<MaterializeInDestinationOp>()) {
      auto overwriter = numbers.find(later.getSource().getDefiningOp());
      if (!store->isBeforeInBlock(later) || writer == numbers.end() ||
          overwriter == numbers.end() ||
          getRootMemory(later.getDest()) != memory ||
          writer->second <= overwriter->second ||
          areDisjointViews(store.getDest(), later.getDest()))
        continue;
      InFlightDiagnostic diag =
          later.emitOpError()
          << "overwrites what a later kernel stores; store each result into "
             "an argument of its own";
      diag.attachNote(store.getLoc()) << "stored here";
      return diag;
    }
    for (auto tensor : function.front().getOps<ToTensorOp>()) {
      if (writer == numbers.end() ||
          getRootMemory(tensor.getBuffer()) != memory)
        continue;
      // All that is computed from it without another kernel.
      SmallVector<Operation *> readers(tensor->getUsers());
      while (!readers.empty()) {
        Operation *reader =
            function.front().findAncestorOpInBlock(*readers.pop_back_val());
        auto it = numbers.find(reader);
        if (it == numbers.end()) {
          llvm::append_range(readers, reader->getUsers());
          continue;
        }
        bool isOld = tensor->isBeforeInBlock(store);
        if (isOld ? it->second <= writer->second : it->second > writer->second)
          continue;
        InFlightDiagnostic diag =
            reader->emitOpError()
            << (isOld ? "reads an argument in a kernel behind the one that "
                        "overwrites it; store into another argument, or copy "
                        "this one first"
                      : "reads what is stored in an argument in a kernel that "
                        "does not come behind the store; use the tensor that "
                        "is stored");
        diag.attachNote(store.getLoc()) << "overwritten here";
        return diag;
      }
    }
  }
  return success();
}

/// `value`, an index or a memref, as the host computes it.
FailureOr<Value> KernelFormer::onHost(Value value) {
  if (Value known = hostValues.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  if (!op)
    return value;
  if (auto dim = dyn_cast<tensor::DimOp>(op)) {
    Value memref;
    if (auto tensor = dim.getSource().getDefiningOp<ToTensorOp>())
      memref = tensor.getBuffer();
    else
      memref = workspaces.lookup(dim.getSource());
    if (memref && !isOfHost(memref))
      memref = Value();
    FailureOr<Value> index = onHost(dim.getIndex());
    if (memref && succeeded(index)) {
      hostValues.map(value,
                     memref::DimOp::create(host, op->getLoc(), memref, *index)
                         .getResult());
      return hostValues.lookup(value);
    }
  } else if (isPure(op) && op->getNumRegions() == 0 &&
             llvm::none_of(op->getOperandTypes(), llvm::IsaPred<TensorType>)) {
    for (Value operand : op->getOperands())
      if (FailureOr<Value> known = onHost(operand); succeeded(known))
        hostValues.map(operand, *known);
      else
        return failure();
    return host.clone(*op, hostValues)
        ->getResult(cast<OpResult>(value).getResultNumber());
  }
  op->emitOpError() << "is needed by the host, to allocate memory between two "
                       "kernels or for an assertion, and the host cannot "
                       "compute it; give it as an argument, or by 'tensor.dim' "
                       "of one";
  return failure();
}

/// The argument, or another shape of it, that holds nothing but `result`, once
/// it is stored; null if there is none.
static Value getOutput(OpResult result) {
  for (Operation *user : result.getUsers()) {
    auto store = dyn_cast<MaterializeInDestinationOp>(user);
    if (!store)
      continue;
    Value memory = getRootMemory(store.getDest());
    auto type = cast<MemRefType>(store.getDest().getType());
    if (!isa<BlockArgument>(memory) ||
        (store.getDest() != memory && !type.getLayout().isIdentity()) ||
        !llvm::all_of(
            result.getParentBlock()->getOps<MaterializeInDestinationOp>(),
            [&](MaterializeInDestinationOp other) {
              return other == store || getRootMemory(other.getDest()) != memory;
            }))
      continue;
    return store.getDest();
  }
  return {};
}

/// The extents of `tensor`, which `op` computes or begins with, as the host
/// computes them.
FailureOr<SmallVector<OpFoldResult>> KernelFormer::getSizes(Value tensor,
                                                            Operation *user) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<OpFoldResult> sizes =
      getAsIndexOpFoldResult(function.getContext(), type.getShape());
  if (type.hasStaticShape())
    return sizes;
  Operation *op = tensor.getDefiningOp();
  Location loc = tensor.getLoc();
  Value memref = workspaces.lookup(tensor);
  if (auto content = dyn_cast_or_null<ToTensorOp>(op))
    memref = content.getBuffer();
  if (memref && isOfHost(memref))
    return memref::getMixedSizes(host, loc, memref);
  if (auto style = dyn_cast_or_null<DestinationStyleOpInterface>(op))
    return getSizes(style.getTiedOpOperand(cast<OpResult>(tensor))->get(),
                    user);
  SmallVector<OpFoldResult> inBody;
  if (auto collapse = dyn_cast_or_null<tensor::CollapseShapeOp>(op)) {
    FailureOr<SmallVector<OpFoldResult>> whole =
        getSizes(collapse.getSrc(), user);
    if (failed(whole))
      return failure();
    for (auto [dim, size, group] :
         llvm::enumerate(sizes, collapse.getReassociationIndices())) {
      if (!type.isDynamicDim(dim))
        continue;
      size = (*whole)[group.front()];
      for (int64_t other : ArrayRef(group).drop_front())
        size = host.createOrFold<arith::MulIOp>(
            loc, getValueOrCreateConstantIndexOp(host, loc, size),
            getValueOrCreateConstantIndexOp(host, loc, (*whole)[other]));
    }
    return sizes;
  }
  if (auto empty = dyn_cast_or_null<tensor::EmptyOp>(op))
    inBody = empty.getMixedSizes();
  else if (auto expand = dyn_cast_or_null<tensor::ExpandShapeOp>(op))
    inBody = expand.getMixedOutputShape();
  else
    return user->emitOpError()
           << "has a result of dynamic extents that another kernel reads, and "
              "the host does not know its size; begin with a 'tensor.empty' of "
              "these extents";
  for (auto [size, known] : llvm::zip_equal(sizes, inBody))
    if (auto value = dyn_cast<Value>(known)) {
      FailureOr<Value> onTheHost = onHost(value);
      if (failed(onTheHost))
        return failure();
      size = *onTheHost;
    }
  return sizes;
}

/// The op that updates `value` where it is, in a kernel of its own; null if
/// there is none.
ScatterOp KernelFormer::getUpdater(Value value) const {
  ScatterOp updater;
  for (OpOperand &use : value.getUses()) {
    if (isa<tensor::DimOp>(use.getOwner()))
      continue;
    auto scatter = dyn_cast<ScatterOp>(use.getOwner());
    if (!scatter || updater || use != scatter.getOutputMutable())
      return {};
    updater = scatter;
  }
  return updater && isUpdatedInPlace(updater, groupBytes) ? updater
                                                          : ScatterOp();
}

/// The argument that takes the result of `scatter`, if nobody else looks at it.
Value KernelFormer::getUpdatedOutput(ScatterOp scatter) {
  Value output = getOutput(cast<OpResult>(scatter.getResult()));
  bool isRead = llvm::any_of(
      function.getBody().getOps<ToTensorOp>(), [&](ToTensorOp tensor) {
        return getRootMemory(tensor.getBuffer()) == output;
      });
  return isa_and_nonnull<BlockArgument>(output) && !isRead ? output : Value();
}

/// Memory for what later kernels read of `group`.
LogicalResult KernelFormer::makeWorkspaces(const KernelGroup &group) {
  for (Operation *op : group) {
    for (OpResult result : op->getResults()) {
      bool isRead = llvm::any_of(result.getUsers(), [&](Operation *user) {
        Operation *inBody = function.front().findAncestorOpInBlock(*user);
        return !llvm::is_contained(group, inBody) &&
               !isa<MaterializeInDestinationOp, tensor::DimOp>(inBody);
      });
      if (!isRead)
        continue;
      // What is updated is where the result will be.
      if (ScatterOp updater = getUpdater(result))
        if (Value output = getUpdatedOutput(updater)) {
          workspaces[result] = output;
          lent.insert(result);
          continue;
        }
      // The output that it is stored in serves as well.
      if (Value output = getOutput(result)) {
        workspaces[result] = output;
        continue;
      }
      auto scatter = dyn_cast<ScatterOp>(op);
      if (scatter && getUpdater(scatter.getOutput()) == scatter &&
          allocations.contains(workspaces.lookup(scatter.getOutput()))) {
        workspaces[result] = workspaces.lookup(scatter.getOutput());
        continue;
      }
      auto type = cast<RankedTensorType>(result.getType());
      FailureOr<SmallVector<OpFoldResult>> sizes = getSizes(result, op);
      if (failed(sizes))
        return failure();
      SmallVector<int64_t> shape;
      SmallVector<Value> dynamicSizes;
      dispatchIndexOpFoldResults(*sizes, dynamicSizes, shape);
      auto memory = memref::AllocOp::create(
          host, op->getLoc(),
          MemRefType::get(type.getShape(), type.getElementType()),
          dynamicSizes);
      // What it holds is a copy.
      if (Attribute reason = op->getDiscardableAttr(kCopyAttr))
        memory->setDiscardableAttr(kCopyAttr, reason);
      workspaces[result] = memory;
      allocations.insert(memory);
    }
  }
  return success();
}

/// A function of `group`, and its call by the host.
LogicalResult KernelFormer::makeKernel(const KernelGroup &group,
                                       unsigned number) {
  if (failed(makeWorkspaces(group)))
    return failure();
  Block &body = function.front();
  // What the group needs of the body, and what becomes of its results.
  SetVector<Operation *> needed;
  SetVector<Value> memory, read;
  SmallVector<Value> left;
  auto need = [&](Operation *op) {
    if (!needed.insert(op))
      return;
    llvm::append_range(left, op->getOperands());
    SetVector<Value> captured;
    getUsedValuesDefinedAbove(op->getRegions(), captured);
    llvm::append_range(left, captured);
  };
  SmallVector<MaterializeInDestinationOp> stores;
  for (Operation *op : group) {
    need(op);
    for (Operation *user : op->getUsers())
      if (auto store = dyn_cast<MaterializeInDestinationOp>(user))
        stores.push_back(store), need(store);
  }
  while (!left.empty()) {
    Value value = left.pop_back_val();
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != &body) {
      memory.insert(value);
    } else if (!llvm::is_contained(group, op)) {
      Value workspace = workspaces.lookup(value);
      if (workspace)
        read.insert(value);
      if (workspace && isOfHost(workspace))
        memory.insert(workspace);
      else if (workspace)
        left.push_back(workspace);
      else
        need(op);
    }
  }
  for (Operation *op : group)
    for (Value result : op->getResults())
      if (Value workspace = workspaces.lookup(result);
          allocations.contains(workspace) || lent.contains(result))
        memory.insert(workspace);

  // In the order of the function's arguments, then of the workspaces.
  SmallVector<Value> arguments = llvm::to_vector(memory);
  llvm::stable_sort(arguments, [&](Value a, Value b) {
    auto rank = [&](Value value) -> size_t {
      if (auto argument = dyn_cast<BlockArgument>(value))
        return argument.getArgNumber();
      return function.getNumArguments() +
             (llvm::find(allocations, value) - allocations.begin());
    };
    return rank(a) < rank(b);
  });
  Location loc = group.back()->getLoc();
  OpBuilder builder(function);
  auto kernel = func::FuncOp::create(
      builder, loc, (function.getName() + "_kernel" + Twine(number)).str(),
      builder.getFunctionType(TypeRange(ValueRange(arguments)), {}));
  symbols.insert(kernel);
  // What is promised to the host it promises to its kernels.
  if (hasPromisedBounds(function))
    for (auto [position, value] : llvm::enumerate(arguments)) {
      Attribute bounds;
      if (auto argument = dyn_cast<BlockArgument>(value))
        bounds = function.getArgAttr(argument.getArgNumber(), kBoundsAttr);
      else if (isa<MemRefType>(value.getType()))
        bounds = getKnownBounds(value);
      if (bounds)
        kernel.setArgAttr(position, kBoundsAttr, bounds);
    }
  Block *entry = kernel.addEntryBlock();
  builder.setInsertionPointToStart(entry);
  IRMapping mapping;
  mapping.map(ValueRange(arguments), entry->getArguments());
  // Results of other kernels, from where they are; views of that first.
  auto copyView = [&](auto &&copyView, Value value) -> void {
    Operation *op = value.getDefiningOp();
    if (mapping.contains(value) || !op)
      return;
    for (Value operand : op->getOperands())
      copyView(copyView, operand);
    builder.clone(*op, mapping);
  };
  for (Value result : read) {
    Value workspace = workspaces.lookup(result);
    copyView(copyView, workspace);
    ScatterOp updater = getUpdater(result);
    bool isUpdated = updater && llvm::is_contained(group, updater);
    mapping.map(result,
                ToTensorOp::create(builder, loc, result.getType(),
                                   mapping.lookup(workspace),
                                   /*restrict=*/true, /*writable=*/isUpdated)
                    .getResult());
  }
  for (Operation &op : body)
    if (needed.contains(&op) && !mapping.contains(&op))
      builder.clone(op, mapping);
  for (Operation *op : group)
    for (Value result : op->getResults())
      if (Value workspace = workspaces.lookup(result);
          allocations.contains(workspace) || lent.contains(result))
        MaterializeInDestinationOp::create(
            builder, loc, /*result=*/Type(), mapping.lookup(result),
            mapping.lookup(workspace), /*restrict=*/true, /*writable=*/true);
  func::ReturnOp::create(builder, loc);
  // Of what another kernel computed, too.
  copyInits(kernel);
  copyReadOutputs(kernel);
  func::CallOp::create(host, loc, kernel, arguments);
  return success();
}

LogicalResult KernelFormer::run() {
  FailureOr<DenseSet<Operation *>> partial =
      prepareFunction(function, groupBytes);
  if (failed(partial) || failed(check()))
    return failure();
  std::vector<KernelGroup> groups =
      getKernelGroups(function, groupBytes, *partial);
  // Where all results are without elements, nothing is to do.
  auto stores = function.front().getOps<MaterializeInDestinationOp>();
  if (groups.empty() && !stores.empty())
    return function.emitError()
           << "'" << function.getName()
           << "' has no op on tensors that can be tiled (TilingInterface)";
  if (failed(checkOrder(groups)))
    return failure();
  SmallVector<cf::AssertOp> assertions(function.front().getOps<cf::AssertOp>());
  // It is the kernel, which asserts nothing.
  if (groups.size() == 1 && assertions.empty()) {
    copyReadOutputs(function);
    return success();
  }
  SmallVector<Operation *> old;
  for (Operation &op : function.front())
    old.push_back(&op);
  host.setInsertionPoint(function.front().getTerminator());
  for (cf::AssertOp assertion : assertions) {
    FailureOr<Value> condition = onHost(assertion.getArg());
    if (failed(condition))
      return failure();
    cf::AssertOp::create(host, assertion.getLoc(), *condition,
                         assertion.getMsg());
  }
  for (auto [number, group] : llvm::enumerate(groups))
    if (failed(makeKernel(group, number)))
      return failure();
  for (Value allocation : allocations)
    memref::DeallocOp::create(host, function.getLoc(), allocation);
  for (Operation *op : llvm::reverse(old))
    if (!isa<func::ReturnOp>(op) && op->use_empty())
      op->erase();
  return success();
}

/// A function of whole tensors.
static bool isSource(func::FuncOp function) {
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  if (function.isExternal() || isKernel(function))
    return false;
  return llvm::any_of(function.getResultTypes(), isTensor) ||
         llvm::any_of(function.getBody().getOps(), [&](Operation &op) {
           return llvm::any_of(op.getResultTypes(), isTensor) &&
                  !isa<ToTensorOp>(op);
         });
}

/// Threads of a workgroup that sorts or scans a part of a row; more scan a row
/// that is long enough for them.
static constexpr int64_t kRowThreads = 256, kScanThreads = 512;
/// Elements of a row for each of them, and rows, from which on, and up to
/// which, several workgroups scan a row. More rows are enough for as many
/// workgroups.
static constexpr int64_t kLongScan = 64, kFewRows = 8;

/// A row does not fit in the memory of a workgroup.
static bool isLargeSort(DestinationStyleOpInterface op, int64_t length,
                        const TargetInfo &target) {
  if (!isa<SortOp, SortIndicesOp>(*op))
    return false;
  std::optional<int64_t> bytes = getSortBytesPerElement(op, target);
  return bytes && int64_t(llvm::PowerOf2Ceil(length)) >
                      target.maxWorkgroupBytes / std::max<int64_t>(*bytes, 1);
}

/// One workgroup for each row would leave the others nothing to do.
static bool isLargeScan(DestinationStyleOpInterface op, int64_t length,
                        int64_t numThreads) {
  auto scan = dyn_cast<ScanOp>(*op);
  return scan && scan.getShapedType().hasStaticShape() &&
         length / numThreads >= kLongScan &&
         scan.getShapedType().getNumElements() / length <= kFewRows &&
         canSplitScan(scan, op->getParentOfType<func::FuncOp>(), numThreads,
                      kLongScan);
}

/// A kernel of rows that are to be sorted or scanned by several workgroups is
/// no kernel to tile: it gets its threads, and `memspace-split-large-sorts` or
/// `memspace-split-large-scans` makes kernels of it, launched by the function
/// that it is a part of, if it is.
static void prepareLargeRows(func::FuncOp function, const TargetInfo &target,
                             bool isPart) {
  int64_t numThreads = std::min(kRowThreads, target.maxThreads);
  if (shareUpdates(function, numThreads))
    return;
  for (auto op : function.front().getOps<DestinationStyleOpInterface>()) {
    if (!isa<SortOp, SortIndicesOp, ScanOp>(*op) ||
        !op.hasPureTensorSemantics())
      continue;
    auto dimension = op->getAttrOfType<IntegerAttr>("dimension").getInt();
    int64_t length = cast<ShapedType>(op.getDpsInits().front().getType())
                         .getDimSize(dimension);
    if (ShapedType::isDynamic(length))
      continue;
    int64_t threads = numThreads;
    if (kScanThreads <= target.maxThreads &&
        isLargeScan(op, length, kScanThreads))
      threads = kScanThreads;
    else if (!isLargeSort(op, length, target) &&
             !isLargeScan(op, length, threads))
      continue;
    if (isPart)
      function.setPrivate();
    function->setAttr("gpu.known_block_size",
                      DenseI32ArrayAttr::get(function.getContext(),
                                             {int32_t(threads), 1, 1}));
  }
}

namespace {
struct FormKernelsPass
    : public memspace::impl::FormKernelsPassBase<FormKernelsPass> {
  using Base::Base;
  void runOnOperation() override;
};
} // namespace

void FormKernelsPass::runOnOperation() {
  SymbolTable symbols(getOperation());
  SmallVector<func::FuncOp> functions;
  for (auto function : getOperation().getOps<func::FuncOp>()) {
    if (function.isExternal() || isKernel(function))
      continue;
    if (isSource(function) || worksOnMemRefs(function))
      functions.push_back(function);
    else if (Operation *op = findOpInControlFlow(function);
             op && !saysWhichThread(function))
      op->emitWarning()
          << "'" << op->getName() << "' on memrefs is in '"
          << op->getParentOp()->getName() << "' of '" << function.getName()
          << "', which does not become kernels: only ops on memrefs in a "
             "straight line do; use tensors, or call a function with the op";
  }
  // Those that are made on the way are for this, too.
  for (size_t number = 0; number < functions.size(); ++number) {
    func::FuncOp function = functions[number];
    // That is ours to say.
    function.walk([](Operation *op) { op->removeAttr(kOfPartsAttr); });
    if (!function.getBody().hasOneBlock()) {
      function.emitError()
          << "'" << function.getName()
          << "' is to become kernels, but has several blocks; write its "
             "control flow with ops of scf, or cut it up";
      return signalPassFailure();
    }
    if (worksOnMemRefs(function) && failed(makeTensors(function)))
      return signalPassFailure();
    FailureOr<TargetInfo> target = resolveTarget(
        function, {chip, workgroupLimit, privateLimit, subgroupSize});
    if (failed(target))
      return signalPassFailure();
    // Half of the memory is for what is staged.
    int64_t bytes = target->maxWorkgroupBytes / 2;
    if (hasHostLoops(function, bytes)) {
      if (failed(makeMemRefs(function)))
        return signalPassFailure();
      SmallVector<func::FuncOp> parts = makeHostLoops(function, symbols, bytes);
      llvm::append_range(functions, parts);
      if (!parts.empty())
        continue;
    }
    auto all = getOperation().getOps<func::FuncOp>();
    DenseSet<Operation *> before(all.begin(), all.end());
    if (failed(KernelFormer(function, symbols, bytes).run()))
      return signalPassFailure();
    for (auto kernel : getOperation().getOps<func::FuncOp>())
      if (kernel == function || !before.contains(kernel))
        prepareLargeRows(kernel, *target, /*isPart=*/kernel != function);
  }
}
