//===- LowerMemory.cpp - allocations, views and asynchronous copies -------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "RuntimeFunctions.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::emulator;

namespace {
/// What all patterns here need.
template <typename OpTy>
class MemoryPattern : public ConvertOpToLLVMPattern<OpTy> {
public:
  using ConvertOpToLLVMPattern<OpTy>::ConvertOpToLLVMPattern;

protected:
  static Value i32(OpBuilder &builder, Location loc, int64_t value) {
    return LLVM::ConstantOp::create(builder, loc,
                                    builder.getI32IntegerAttr(value));
  }
  static Value site(OpBuilder &builder, Location loc) {
    return i32(builder, loc, getSite(loc));
  }
  Value i64(OpBuilder &builder, Location loc, int64_t value) const {
    return LLVM::ConstantOp::create(builder, loc,
                                    builder.getI64IntegerAttr(value));
  }
  static Value call(ConversionPatternRewriter &rewriter, Operation *op,
                    StringRef name, ValueRange arguments, Type result) {
    Type type =
        result ? result : LLVM::LLVMVoidType::get(rewriter.getContext());
    auto function = LLVM::lookupOrCreateFn(
        rewriter, op->getParentWithTrait<OpTrait::SymbolTable>(), name,
        llvm::to_vector(arguments.getTypes()), type);
    auto callOp =
        LLVM::CallOp::create(rewriter, op->getLoc(), *function, arguments);
    return result ? callOp.getResult() : Value();
  }
  static Type pointerType(OpBuilder &builder) {
    return LLVM::LLVMPointerType::get(builder.getContext());
  }
  /// Replaces `op` by a memref of its type at the pointer that `makePointer`
  /// returns for the number of bytes.
  LogicalResult
  replaceByBuffer(ConversionPatternRewriter &rewriter, OpTy op,
                  ValueRange dynamicSizes,
                  llvm::function_ref<Value(Value)> makePointer) const {
    MemRefType type = op.getType();
    if (!this->isConvertibleAndHasIdentityMaps(type))
      return rewriter.notifyMatchFailure(op, "layout is not the identity");
    SmallVector<Value> sizes, strides;
    Value bytes;
    this->getMemRefDescriptorSizes(op.getLoc(), type, dynamicSizes, rewriter,
                                   sizes, strides, bytes);
    Value pointer = makePointer(bytes);
    Value descriptor = this->createMemRefDescriptor(
        op.getLoc(), type, pointer, pointer, sizes, strides, rewriter);
    rewriter.replaceOp(op, descriptor);
    return success();
  }
};

struct AllocLowering : MemoryPattern<memref::AllocOp> {
  using MemoryPattern::MemoryPattern;
  LogicalResult
  matchAndRewrite(memref::AllocOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    int64_t number = op->getAttrOfType<IntegerAttr>(kAllocationAttr).getInt();
    return replaceByBuffer(
        rewriter, op, adaptor.getDynamicSizes(), [&](Value bytes) {
          return number < 0 ? call(rewriter, op, rt::kDynamicWorkgroup,
                                   site(rewriter, loc), pointerType(rewriter))
                            : call(rewriter, op, rt::kAlloc,
                                   {i32(rewriter, loc, number), bytes},
                                   pointerType(rewriter));
        });
  }
};

struct DeallocLowering : MemoryPattern<memref::DeallocOp> {
  using MemoryPattern::MemoryPattern;
  LogicalResult
  matchAndRewrite(memref::DeallocOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.eraseOp(op);
    return success();
  }
};

struct GetGlobalLowering : MemoryPattern<memref::GetGlobalOp> {
  using MemoryPattern::MemoryPattern;
  LogicalResult
  matchAndRewrite(memref::GetGlobalOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    int64_t number = op->getAttrOfType<IntegerAttr>(kGlobalAttr).getInt();
    return replaceByBuffer(rewriter, op, {}, [&](Value) {
      return call(rewriter, op, rt::kGlobal, i32(rewriter, op.getLoc(), number),
                  pointerType(rewriter));
    });
  }
};

/// A view is a buffer of its own, with its own bounds.
struct ViewLowering : MemoryPattern<memref::ViewOp> {
  using MemoryPattern::MemoryPattern;
  LogicalResult
  matchAndRewrite(memref::ViewOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    return replaceByBuffer(rewriter, op, adaptor.getSizes(), [&](Value bytes) {
      MemRefDescriptor source(adaptor.getSource());
      Value base = source.bufferPtr(rewriter, loc, *this->getTypeConverter(),
                                    cast<MemRefType>(op.getSource().getType()));
      return call(rewriter, op, rt::kView,
                  {base, adaptor.getByteShift(), bytes, site(rewriter, loc)},
                  pointerType(rewriter));
    });
  }
};

static bool isKnownDim(memref::DimOp op) {
  auto type = dyn_cast<MemRefType>(op.getSource().getType());
  std::optional<int64_t> index = op.getConstantIndex();
  return type && index && *index >= 0 && *index < type.getRank();
}

/// Upstream's lowering comes when the index is no `arith.constant` any more; it
/// takes it for unknown then, and allocates memory in each iteration of a loop.
struct ConstantDimLowering : MemoryPattern<memref::DimOp> {
  using MemoryPattern::MemoryPattern;
  LogicalResult
  matchAndRewrite(memref::DimOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isKnownDim(op))
      return rewriter.notifyMatchFailure(op, "index or rank is not known");
    MemRefDescriptor source(adaptor.getSource());
    rewriter.replaceOp(
        op, source.size(rewriter, op.getLoc(), *op.getConstantIndex()));
    return success();
  }
};

/// Only the targets of asynchronous copies still have a memory space.
struct MemorySpaceCastLowering : MemoryPattern<memref::MemorySpaceCastOp> {
  using MemoryPattern::MemoryPattern;
  LogicalResult
  matchAndRewrite(memref::MemorySpaceCastOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getSource());
    return success();
  }
};

struct AsyncCopyLowering : MemoryPattern<nvgpu::DeviceAsyncCopyOp> {
  using MemoryPattern::MemoryPattern;
  LogicalResult
  matchAndRewrite(nvgpu::DeviceAsyncCopyOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto dstType = cast<MemRefType>(op.getDst().getType());
    auto srcType = cast<MemRefType>(op.getSrc().getType());
    Value to = this->getStridedElementPtr(
        rewriter, loc, dstType, adaptor.getDst(), adaptor.getDstIndices());
    Value from = this->getStridedElementPtr(
        rewriter, loc, srcType, adaptor.getSrc(), adaptor.getSrcIndices());
    int64_t size = getElementBytes(dstType.getElementType());
    Value toBytes =
        i64(rewriter, loc, op.getDstElements().getSExtValue() * size);
    Value fromBytes = toBytes;
    if (adaptor.getSrcElements())
      fromBytes = LLVM::MulOp::create(rewriter, loc, adaptor.getSrcElements(),
                                      i64(rewriter, loc, size));
    call(rewriter, op, rt::kAsyncCopy,
         {to, from, toBytes, fromBytes, site(rewriter, loc)}, Type());
    // Tokens only order ops, which they do by their place.
    rewriter.replaceOp(op, i32(rewriter, loc, 0));
    return success();
  }
};

struct AsyncCommitLowering : MemoryPattern<nvgpu::DeviceAsyncCreateGroupOp> {
  using MemoryPattern::MemoryPattern;
  LogicalResult
  matchAndRewrite(nvgpu::DeviceAsyncCreateGroupOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    call(rewriter, op, rt::kAsyncCommit, site(rewriter, op.getLoc()), Type());
    rewriter.replaceOp(op, i32(rewriter, op.getLoc(), 0));
    return success();
  }
};

struct AsyncWaitLowering : MemoryPattern<nvgpu::DeviceAsyncWaitOp> {
  using MemoryPattern::MemoryPattern;
  LogicalResult
  matchAndRewrite(nvgpu::DeviceAsyncWaitOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    call(rewriter, op, rt::kAsyncWait,
         i32(rewriter, op.getLoc(), op.getNumGroups().value_or(0)), Type());
    rewriter.eraseOp(op);
    return success();
  }
};

class LowerEmulatedMemoryPass
    : public PassWrapper<LowerEmulatedMemoryPass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerEmulatedMemoryPass)
  StringRef getName() const override { return "LowerEmulatedMemory"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<LLVM::LLVMDialect>();
  }

  void runOnOperation() override {
    MLIRContext *context = &getContext();
    LLVMTypeConverter converter(context);
    converter.addConversion([](nvgpu::DeviceAsyncTokenType type) -> Type {
      return IntegerType::get(type.getContext(), 32);
    });
    // The CPU has one memory space.
    converter.addTypeAttributeConversion(
        [](BaseMemRefType type, IntegerAttr space) {
          return IntegerAttr::get(space.getType(), 0);
        });
    RewritePatternSet patterns(context);
    patterns.add<AllocLowering, ConstantDimLowering, DeallocLowering,
                 GetGlobalLowering, ViewLowering, MemorySpaceCastLowering,
                 AsyncCopyLowering, AsyncCommitLowering, AsyncWaitLowering>(
        converter);
    ConversionTarget target(*context);
    target.addLegalDialect<LLVM::LLVMDialect>();
    target.addIllegalOp<
        memref::AllocOp, memref::DeallocOp, memref::GetGlobalOp, memref::ViewOp,
        memref::MemorySpaceCastOp, nvgpu::DeviceAsyncCopyOp,
        nvgpu::DeviceAsyncCreateGroupOp, nvgpu::DeviceAsyncWaitOp>();
    target.addDynamicallyLegalOp<memref::DimOp>(
        [](memref::DimOp op) { return !isKnownDim(op); });
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      return signalPassFailure();
    // The runtime makes memory without contents.
    for (auto global :
         llvm::make_early_inc_range(getOperation().getOps<memref::GlobalOp>()))
      if (global.isUninitialized())
        global.erase();
  }
};
} // namespace

std::unique_ptr<Pass> emulator::createLowerEmulatedMemoryPass() {
  return std::make_unique<LowerEmulatedMemoryPass>();
}
