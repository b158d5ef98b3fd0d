//===- HostLaunches.cpp - calls of kernels by the host -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostLaunches.h"
#include "Kernel/HardwareIds.h"
#include "MemSpace/IR/GridSize.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// Which calls are launches
//===----------------------------------------------------------------------===//

static bool isLaunch(SymbolTable::SymbolUse use) {
  auto call = dyn_cast<func::CallOp>(use.getUser());
  auto caller = call ? call->getParentOfType<FunctionOpInterface>()
                     : FunctionOpInterface();
  return caller && !isKernel(caller) &&
         isa_and_nonnull<ModuleOp>(caller->getParentOp());
}

static bool readsGrid(func::FuncOp kernel) {
  return kernel
      ->walk([](Operation *op) {
        std::optional<HardwareId> id = getHardwareId(op);
        return id && id->isOfWorkgroup() ? WalkResult::interrupt()
                                         : WalkResult::advance();
      })
      .wasInterrupted();
}

FailureOr<SmallVector<func::CallOp>>
memspace::getLaunches(func::FuncOp kernel, const LaunchShape &shape) {
  Operation *table = kernel->getParentOp();
  std::optional<SymbolTable::UseRange> uses =
      SymbolTable::getSymbolUses(kernel.getOperation(), table);
  if (!uses || !llvm::all_of(*uses, isLaunch)) {
    auto diag = kernel.emitError()
                << "kernel '" << kernel.getName()
                << "' is referred to, but a kernel can only be launched, by "
                   "functions of the host; call a function without "
                   "'gpu.known_block_size' instead";
    if (uses)
      diag.attachNote(llvm::find_if_not(*uses, isLaunch)->getUser()->getLoc())
          << "used here";
    return failure();
  }
  SmallVector<func::CallOp> calls;
  for (SymbolTable::SymbolUse use : *uses)
    calls.push_back(cast<func::CallOp>(use.getUser()));
  if (!calls.empty() && !shape.grid && !GridSize::get(kernel) &&
      readsGrid(kernel)) {
    auto diag = kernel.emitError()
                << "kernel '" << kernel.getName()
                << "' is launched and reads block ids, but its grid is not "
                   "known; give it 'gpu.known_grid_size = array<i32: x, y, z>'";
    diag.attachNote(calls.front().getLoc()) << "launched here";
    return failure();
  }
  return calls;
}

//===----------------------------------------------------------------------===//
// Launching
//===----------------------------------------------------------------------===//

static gpu::KernelDim3 makeSizes(OpBuilder &builder, Location loc,
                                 const LaunchSizes &sizes) {
  auto make = [&](int64_t size) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, size);
  };
  return {make(sizes[0]), make(sizes[1]), make(sizes[2])};
}

/// The grid that `size` gives for `operands`, calculated by the host.
static gpu::KernelDim3 makeGrid(OpBuilder &builder, Location loc,
                                const GridSize &size, ValueRange operands) {
  SmallVector<Value> symbols;
  for (const GridSize::Symbol &symbol : size.symbols) {
    Value operand = operands[symbol.argument];
    if (symbol.dimension != GridSize::Symbol::kValue)
      operand = memref::DimOp::create(builder, loc, operand, symbol.dimension);
    else if (!operand.getType().isIndex())
      operand = arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                           operand);
    symbols.push_back(operand);
  }
  gpu::KernelDim3 grid = makeSizes(builder, loc, {1, 1, 1});
  Value *extents[] = {&grid.x, &grid.y, &grid.z};
  for (auto [map, extent] : llvm::zip(size.extents, extents)) {
    // One workgroup at least.
    SmallVector<AffineExpr> results(map.getResults());
    results.push_back(builder.getAffineConstantExpr(1));
    *extent = affine::AffineMaxOp::create(
        builder, loc,
        AffineMap::get(map.getNumDims(), map.getNumSymbols(), results,
                       builder.getContext()),
        symbols);
  }
  return grid;
}

void memspace::makeLaunches(ArrayRef<func::CallOp> calls, gpu::GPUFuncOp kernel,
                            const LaunchShape &shape) {
  std::optional<GridSize> size = GridSize::get(kernel);
  auto dynamicBytes = kernel->getAttrOfType<IntegerAttr>(kDynamicBytesAttr);
  for (func::CallOp call : calls) {
    OpBuilder builder(call);
    Location loc = call.getLoc();
    gpu::KernelDim3 grid =
        shape.grid || !size
            ? makeSizes(builder, loc, shape.grid.value_or(LaunchSizes{1, 1, 1}))
            : makeGrid(builder, loc, *size, call.getOperands());
    Value bytes;
    if (dynamicBytes)
      bytes =
          arith::ConstantIntOp::create(builder, loc, dynamicBytes.getInt(), 32);
    gpu::LaunchFuncOp::create(builder, loc, kernel, grid,
                              makeSizes(builder, loc, shape.block), bytes,
                              call.getOperands());
    call.erase();
  }
}
