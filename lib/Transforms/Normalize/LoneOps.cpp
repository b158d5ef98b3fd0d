//===- LoneOps.cpp - ops that are all that a kernel does -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/Normalize/LoneOps.h"
#include "MemSpace/IR/AttributeNames.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::memspace;

static constexpr llvm::StringLiteral kBlockSize("gpu.known_block_size");
static constexpr llvm::StringLiteral kGridSize("gpu.known_grid_size");
/// What is said of the launch of the whole kernel, by its arguments.
static constexpr llvm::StringLiteral kLaunchAttrs[] = {
    kBlockSize, kGridSize, kGridSizeAttr, kGridSymbolsAttr};

/// The argument whose memory `operand` is; null if it is none.
static BlockArgument getArgument(Value operand) {
  if (auto tensor = operand.getDefiningOp<bufferization::ToTensorOp>())
    operand = tensor.getBuffer();
  auto argument = dyn_cast<BlockArgument>(operand);
  return argument && isa<MemRefType>(argument.getType()) ? argument
                                                         : BlockArgument();
}

/// The op that stores `result` in an argument; null if that is not all that is
/// done with it.
static bufferization::MaterializeInDestinationOp getStore(Value result) {
  if (!result.hasOneUse())
    return {};
  auto store =
      dyn_cast<bufferization::MaterializeInDestinationOp>(*result.user_begin());
  return store && store.getSource() == result && getArgument(store.getDest())
             ? store
             : nullptr;
}

/// An op of the kernel that several kernels would have to share out; null if
/// there is none.
static Operation *findOther(LoneOp &lone) {
  for (Operation &op : lone.kernel.front()) {
    if (&op == lone.op || isa<func::ReturnOp>(op) || isMemoryEffectFree(&op))
      continue;
    if (auto tensor = dyn_cast<bufferization::ToTensorOp>(op))
      if (getArgument(tensor.getResult()))
        continue;
    if (auto store = dyn_cast<bufferization::MaterializeInDestinationOp>(op))
      if (store.getSource().getDefiningOp() == lone.op &&
          getStore(store.getSource()))
        continue;
    return &op;
  }
  return nullptr;
}

FailureOr<LoneOp> memspace::getLoneOp(DestinationStyleOpInterface op,
                                      func::FuncOp kernel, int64_t numThreads,
                                      const Twine &why, bool quiet) {
  LoneOp lone;
  lone.op = op;
  lone.kernel = kernel;
  lone.numThreads = numThreads;
  auto refuse = [&](Operation *other, const Twine &what) -> LogicalResult {
    if (quiet)
      return failure();
    InFlightDiagnostic diag = op->emitOpError() << why << "; " << what;
    diag.attachNote(other->getLoc()) << "here";
    return diag;
  };
  if (!kernel.getBody().hasOneBlock())
    return refuse(kernel.front().getTerminator(),
                  "this one has several blocks: use 'scf.if' and loops");
  if (kernel.getNumResults() != 0)
    return refuse(kernel.front().getTerminator(),
                  "this one has results: store them in arguments");
  for (auto [number, input] : llvm::enumerate(op.getDpsInputs())) {
    // Not an initial value, which may be a vector.
    if (!isa<MemRefType, TensorType>(input.getType()))
      continue;
    lone.inputs.push_back(getArgument(input));
    if (!lone.inputs.back())
      return refuse(input.getDefiningOp() ? input.getDefiningOp() : op,
                    "input " + Twine(number) +
                        " is no argument: compute it in another kernel");
  }
  for (auto [number, output] : llvm::enumerate(op.getDpsInits())) {
    BlockArgument argument = getArgument(output);
    if (op->getNumResults() != 0) {
      Value result = op->getResult(number);
      auto store = getStore(result);
      if (!store && !result.use_empty())
        return refuse(*result.user_begin(),
                      "result " + Twine(number) +
                          " is used otherwise than to store it in an "
                          "argument: do that in another kernel");
      argument = store ? getArgument(store.getDest()) : BlockArgument();
    } else if (!argument) {
      return refuse(output.getDefiningOp() ? output.getDefiningOp() : op,
                    "output " + Twine(number) +
                        " is no argument: copy from one in another kernel");
    }
    if (argument && llvm::is_contained(lone.outputs, argument))
      return refuse(op, "two results go to argument " +
                            Twine(argument.getArgNumber()) +
                            ": store the one that is overwritten elsewhere");
    lone.outputs.push_back(argument);
  }
  if (Operation *other = findOther(lone))
    return refuse(other, "'" + other->getName().getStringRef() +
                             "' is in this one, too: put it into another "
                             "kernel");
  return lone;
}

func::FuncOp memspace::makePartKernel(OpBuilder &builder, func::FuncOp whole,
                                      Location loc, const Twine &suffix,
                                      TypeRange arguments,
                                      const LaunchSizes &block,
                                      const std::optional<LaunchSizes> &grid) {
  builder.setInsertionPoint(whole);
  // One that is there already keeps its name.
  SymbolTable symbols(SymbolTable::getNearestSymbolTable(whole));
  auto kernel =
      func::FuncOp::create(builder, loc, (whole.getName() + suffix).str(),
                           builder.getFunctionType(arguments, {}));
  symbols.insert(kernel);
  for (NamedAttribute attr : whole->getDiscardableAttrs())
    if (!llvm::is_contained(kLaunchAttrs, attr.getName()))
      kernel->setAttr(attr.getName(), attr.getValue());
  auto toAttr = [&](const LaunchSizes &sizes) {
    return builder.getDenseI32ArrayAttr(
        llvm::to_vector_of<int32_t>(ArrayRef(sizes)));
  };
  kernel->setAttr(kBlockSize, toAttr(block));
  if (grid)
    kernel->setAttr(kGridSize, toAttr(*grid));
  Block *entry = kernel.addEntryBlock();
  builder.setInsertionPointToStart(entry);
  func::ReturnOp::create(builder, loc);
  builder.setInsertionPointToStart(entry);
  return kernel;
}

func::FuncOp memspace::makePartKernel(OpBuilder &builder, const LoneOp &op,
                                      StringRef suffix, TypeRange arguments,
                                      int64_t numBlocks) {
  std::optional<LaunchSizes> grid;
  if (numBlocks != 0)
    grid = LaunchSizes{numBlocks, 1, 1};
  return makePartKernel(builder, op.kernel,
                        DestinationStyleOpInterface(op.op).getLoc(), suffix,
                        arguments, {op.numThreads, 1, 1}, grid);
}

Value memspace::makeArgumentTensor(OpBuilder &builder, Location loc,
                                   Value argument, bool isWritten) {
  auto type = cast<MemRefType>(argument.getType());
  return bufferization::ToTensorOp::create(
      builder, loc,
      RankedTensorType::get(type.getShape(), type.getElementType()), argument,
      /*restrict=*/true, isWritten);
}

void memspace::storeApart(OpBuilder &builder, Location loc, ValueRange elements,
                          ArrayRef<Value> memrefs, ValueRange place) {
  DenseI64ArrayAttr disjoint = builder.getDenseI64ArrayAttr({0});
  for (auto [element, memref] : llvm::zip_equal(elements, memrefs)) {
    if (!memref)
      continue;
    auto made = memref::StoreOp::create(builder, loc, element, memref, place);
    made->setAttr(kDisjointAttr, disjoint);
    made->setAttr(kWorkgroupDisjointAttr, disjoint);
  }
}

void memspace::makeHost(OpBuilder &builder, const LoneOp &op) {
  func::FuncOp host = op.kernel;
  // Users first.
  Block &body = host.front();
  for (Operation &inner : llvm::make_early_inc_range(llvm::reverse(body)))
    if (!isa<func::ReturnOp>(inner))
      inner.erase();
  removeLaunchAttrs(host);
  builder.setInsertionPointToStart(&body);
}

void memspace::removeLaunchAttrs(func::FuncOp host) {
  for (StringRef name : kLaunchAttrs)
    host->removeAttr(name);
}

void memspace::inlineHost(func::FuncOp host) {
  std::optional<SymbolTable::UseRange> uses =
      SymbolTable::getSymbolUses(host, host->getParentOp());
  if (!host.isPrivate() || !uses ||
      !llvm::all_of(*uses, [](SymbolTable::SymbolUse use) {
        return isa<func::CallOp>(use.getUser());
      }))
    return;
  for (SymbolTable::SymbolUse use : *uses) {
    auto call = cast<func::CallOp>(use.getUser());
    OpBuilder builder(call);
    IRMapping mapping;
    mapping.map(host.getArguments(), call.getOperands());
    for (Operation &op : host.front().without_terminator())
      builder.clone(op, mapping);
    call.erase();
  }
  host.erase();
}
