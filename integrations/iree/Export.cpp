//===- Export.cpp - IREE's kernels for those who do not know IREE ---------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Adapter.h"
#include "iree/compiler/Codegen/Dialect/Codegen/IR/IREECodegenAttrs.h"
#include "iree/compiler/Codegen/Dialect/Codegen/IR/IREECodegenOps.h"
#include "iree/compiler/Codegen/Dialect/GPU/IR/IREEGPUAttrs.h"
#include "iree/compiler/Dialect/HAL/IR/HALDialect.h"
#include "iree/compiler/Dialect/HAL/IR/HALOps.h"
#include "iree/compiler/Dialect/HAL/IR/HALTypes.h"
#include "iree/compiler/Dialect/Util/IR/UtilOps.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::iree_compiler;
using namespace mlir::iree_compiler::IREE;

/// True for a space that only IREE, or its code generator, has a name for.
static bool isSpaceOfIREE(Attribute space) {
  auto buffer = dyn_cast_or_null<amdgpu::AddressSpaceAttr>(space);
  return isa_and_nonnull<HAL::DescriptorTypeAttr>(space) ||
         (buffer && buffer.getValue() == amdgpu::AddressSpace::FatRawBuffer);
}

/// Parts of bindings and constants become arguments in the order of their
/// numbers.
static LogicalResult exportArguments(func::FuncOp func, IRRewriter &rewriter) {
  Block &entry = func.getBody().front();
  std::map<int64_t, SmallVector<HAL::InterfaceBindingSubspanOp>> bindings;
  std::map<int64_t, SmallVector<HAL::InterfaceConstantLoadOp>> constants;
  func.walk([&](HAL::InterfaceBindingSubspanOp op) {
    bindings[op.getBinding().getSExtValue()].push_back(op);
  });
  func.walk([&](HAL::InterfaceConstantLoadOp op) {
    constants[op.getOrdinal().getSExtValue()].push_back(op);
  });
  for (auto &[number, subspans] : bindings) {
    // Of each part the first that names it.
    SmallVector<std::pair<HAL::InterfaceBindingSubspanOp, Value>> parts;
    for (HAL::InterfaceBindingSubspanOp op : subspans) {
      Value arg;
      for (auto [other, known] : parts) {
        if (memspace::iree::isEqual(op, other))
          arg = known;
        else if (!memspace::iree::areApart(op, other))
          return op.emitError("may overlap another part of binding ")
                 << number << ", of which one may be written";
      }
      if (!arg) {
        arg = entry.addArgument(op.getResult().getType(), op.getLoc());
        parts.push_back({op, arg});
      }
      rewriter.replaceAllUsesWith(op.getResult(), arg);
    }
    for (HAL::InterfaceBindingSubspanOp op : subspans)
      rewriter.eraseOp(op);
  }
  for (auto &[number, loads] : constants) {
    Value arg =
        entry.addArgument(loads.front().getType(), loads.front().getLoc());
    for (HAL::InterfaceConstantLoadOp op : loads) {
      if (op.getType() != arg.getType())
        return op.emitError("has another type than other loads of constant ")
               << number;
      rewriter.replaceOp(op, arg);
    }
  }
  return success();
}

static gpu::Dimension getDimension(APInt number) {
  return static_cast<gpu::Dimension>(number.getZExtValue());
}

static void exportOps(func::FuncOp func, IRRewriter &rewriter) {
  func.walk([&](Operation *op) {
    rewriter.setInsertionPoint(op);
    if (auto id = dyn_cast<HAL::InterfaceWorkgroupIDOp>(op))
      rewriter.replaceOpWithNewOp<gpu::BlockIdOp>(
          op, getDimension(id.getDimension()));
    else if (auto count = dyn_cast<HAL::InterfaceWorkgroupCountOp>(op))
      rewriter.replaceOpWithNewOp<gpu::GridDimOp>(
          op, getDimension(count.getDimension()));
    else if (auto size = dyn_cast<HAL::InterfaceWorkgroupSizeOp>(op))
      rewriter.replaceOpWithNewOp<gpu::BlockDimOp>(
          op, getDimension(size.getDimension()));
    else if (isa<Util::AssumeIntOp>(op))
      rewriter.replaceOp(op, op->getOperands());
  });
}

/// The instructions of a matrix unit that the kind of `op` names, one after the
/// other for each point of the outer dimensions.
static LogicalResult exportInnerTiled(Codegen::InnerTiledOp op,
                                      IRRewriter &rewriter) {
  auto semantics = dyn_cast<GPU::InnerTiledSemanticsAttr>(op.getSemantics());
  if (op.hasTensorSemantics() || !semantics || !semantics.getDistributed() ||
      op.getPermutations())
    return op.emitError("is of tensors, or of more than a thread; import the "
                        "kernel first ('iree-memspace-import')");
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  SmallVector<VectorType> tiles;
  op.getKind().getDistributedTileTypes(tiles);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<int64_t> bounds;
  op.getIterationBounds(bounds);
  SmallVector<int64_t> strides = computeStrides(bounds);
  SmallVector<Value> results(op.getOutputs());
  for (int64_t i = 0, e = computeProduct(bounds); i != e; ++i) {
    SmallVector<int64_t> point = delinearize(i, strides);
    SmallVector<Value> parts;
    for (auto [number, operand] : llvm::enumerate(op.getOperands())) {
      bool isInput = number < op.getNumInputs();
      Value whole = isInput ? operand : results[number - op.getNumInputs()];
      Value part = vector::ExtractOp::create(rewriter, loc, whole,
                                             maps[number].compose(point));
      parts.push_back(
          vector::ShapeCastOp::create(rewriter, loc, tiles[number], part));
    }
    SmallVector<Value> sums;
    ValueRange operands(parts);
    if (failed(op.getKind().buildUnderlyingOperations(
            rewriter, loc, operands.take_front(op.getNumInputs()),
            operands.drop_front(op.getNumInputs()), sums)))
      return op.emitError("has a kind of which IREE does not say which "
                          "instructions it is");
    for (auto [number, sum] : llvm::enumerate(sums)) {
      unsigned output = op.getNumInputs() + number;
      auto type = cast<VectorType>(op.getOutputs()[number].getType());
      int64_t outer = maps[output].getNumResults();
      Value part = vector::ShapeCastOp::create(
          rewriter, loc,
          VectorType::get(type.getShape().drop_front(outer),
                          type.getElementType()),
          sum);
      results[number] = vector::InsertOp::create(
          rewriter, loc, part, results[number], maps[output].compose(point));
    }
  }
  rewriter.replaceOp(op, results);
  return success();
}

/// Products of tiles, by matrix units and by vectors.
static LogicalResult exportProducts(func::FuncOp func, IRRewriter &rewriter) {
  WalkResult tiled = func.walk([&](Codegen::InnerTiledOp op) {
    return WalkResult(exportInnerTiled(op, rewriter));
  });
  if (tiled.wasInterrupted())
    return failure();
  RewritePatternSet patterns(func.getContext());
  vector::populateVectorContractLoweringPatterns(
      patterns, vector::VectorContractLowering::OuterProduct);
  walkAndApplyPatterns(func, std::move(patterns));
  return success();
}

/// Blocks of the gpu dialect in place of workgroups of IREE.
static void exportMappings(func::FuncOp func) {
  func.walk([](scf::ForallOp forall) {
    SmallVector<Attribute> mapping;
    for (Attribute attr : forall.getMapping().value_or(ArrayAttr())) {
      auto group = dyn_cast<Codegen::WorkgroupMappingAttr>(attr);
      if (!group)
        return;
      unsigned dim = unsigned(group.getId()) + group.getDelinearizedDim();
      mapping.push_back(gpu::GPUBlockMappingAttr::get(
          forall.getContext(),
          static_cast<gpu::MappingId>(unsigned(gpu::MappingId::LinearDim0) +
                                      dim)));
    }
    if (!mapping.empty())
      forall.setMappingAttr(ArrayAttr::get(forall.getContext(), mapping));
  });
}

/// Attributes and memory spaces of IREE's dialects go.
static void exportAttributes(func::FuncOp func) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](MemRefType type) -> std::optional<Type> {
    if (!isSpaceOfIREE(type.getMemorySpace()))
      return std::nullopt;
    return MemRefType::get(type.getShape(), type.getElementType(),
                           type.getLayout());
  });
  func->removeAttr("memspace.memory_spaces");
  func->removeAttr("iree_memspace_target");
  func.walk([](Operation *op) {
    for (NamedAttribute attr : llvm::to_vector(op->getDiscardableAttrs()))
      if (isa<Codegen::IREECodegenDialect, GPU::IREEGPUDialect>(
              attr.getValue().getDialect()))
        op->removeDiscardableAttr(attr.getName());
  });
  replacer.recursivelyReplaceElementsIn(func, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  func.walk([](amdgpu::FatRawBufferCastOp cast) {
    if (cast.getSource().getType() != cast.getResult().getType())
      return;
    cast.replaceAllUsesWith(cast.getSource());
    cast.erase();
  });
}

LogicalResult memspace::iree::exportKernel(FunctionOpInterface kernel) {
  auto func = dyn_cast<func::FuncOp>(kernel.getOperation());
  if (!func || func.isExternal())
    return success();
  IRRewriter rewriter(func.getContext());
  if (failed(exportArguments(func, rewriter)))
    return failure();
  exportOps(func, rewriter);
  if (failed(exportProducts(func, rewriter)))
    return failure();
  exportMappings(func);
  func.setType(FunctionType::get(func.getContext(),
                                 func.getBody().front().getArgumentTypes(),
                                 func.getResultTypes()));
  exportAttributes(func);
  return success();
}

namespace {
struct ExportPass : public PassWrapper<ExportPass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ExportPass)

  StringRef getArgument() const override { return "iree-memspace-export"; }
  StringRef getDescription() const override {
    return "Give kernels of IREE on memrefs a form that has nothing of IREE, "
           "for 'memspace-runner'";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<amdgpu::AMDGPUDialect, gpu::GPUDialect,
                    memref::MemRefDialect, vector::VectorDialect>();
  }
  void runOnOperation() override {
    getOperation()->walk([&](FunctionOpInterface kernel) {
      if (failed(memspace::iree::exportKernel(kernel)))
        signalPassFailure();
    });
  }
};
} // namespace

void memspace::iree::registerExportPass() { PassRegistration<ExportPass>(); }
