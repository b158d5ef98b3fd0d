//===- ExpandMath.cpp - math without a device library -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Target/TargetInfo.h"
#include "MemSpace/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_EXPANDMATHPASS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

namespace {
/// Both backends have an instruction for it, but upstream's conversions would
/// call the device library. They make the typed ops of the LLVM dialect illegal
/// as well, so it becomes a call of the intrinsic.
/// An index, which LLVM does not know, has 64 bits. With a flag, the intrinsic
/// asks whether it may take a certain operand for impossible; it may not.
template <typename MathOp>
struct ToIntrinsic : public OpRewritePattern<MathOp> {
  ToIntrinsic(MLIRContext *context, StringRef intrinsic, bool hasFlag = false)
      : OpRewritePattern<MathOp>(context), intrinsic(intrinsic),
        hasFlag(hasFlag) {}

  LogicalResult matchAndRewrite(MathOp op,
                                PatternRewriter &rewriter) const override {
    bool isIndex = getElementTypeOrSelf(op.getType()).isIndex();
    Type type = op.getType();
    if (isIndex) {
      auto vector = dyn_cast<VectorType>(type);
      type = rewriter.getI64Type();
      if (vector)
        type = vector.clone(type);
    }
    if (!LLVM::isCompatibleType(type))
      return failure();
    SmallVector<Value> operands(op->getOperands());
    if (isIndex)
      for (Value &operand : operands)
        operand =
            arith::IndexCastOp::create(rewriter, op.getLoc(), type, operand);
    if (hasFlag)
      operands.push_back(LLVM::ConstantOp::create(rewriter, op.getLoc(),
                                                  rewriter.getBoolAttr(false)));
    auto call = LLVM::CallIntrinsicOp::create(rewriter, op.getLoc(), type,
                                              rewriter.getStringAttr(intrinsic),
                                              operands);
    if (isIndex)
      rewriter.replaceOpWithNewOp<arith::IndexCastOp>(op, op.getType(),
                                                      call.getResults());
    else
      rewriter.replaceOp(op, call);
    return success();
  }

  StringRef intrinsic;
  bool hasFlag;
};

/// A logarithm to the base of ten, for which only the device library has a
/// function.
struct ExpandLog10 : public OpRewritePattern<math::Log10Op> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::Log10Op op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType();
    auto element = cast<FloatType>(getElementTypeOrSelf(type));
    if (element.getWidth() > 32)
      return failure();
    Location loc = op.getLoc();
    Type f32 = rewriter.getF32Type();
    TypedAttr factor = rewriter.getF32FloatAttr(0.301029996F);
    if (auto shaped = dyn_cast<ShapedType>(type)) {
      f32 = shaped.clone(f32);
      factor = DenseElementsAttr::get(cast<ShapedType>(f32), Attribute(factor));
    }
    Value operand = op.getOperand();
    if (type != f32)
      operand = arith::ExtFOp::create(rewriter, loc, f32, operand);
    Value scale = arith::ConstantOp::create(rewriter, loc, factor);
    Value result = arith::MulFOp::create(
        rewriter, loc, math::Log2Op::create(rewriter, loc, operand), scale);
    if (type != f32)
      result = arith::TruncFOp::create(rewriter, loc, type, result);
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// Upstream converts it of scalars only.
struct SplitSincos : public OpRewritePattern<math::SincosOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::SincosOp op,
                                PatternRewriter &rewriter) const override {
    Value operand = op.getOperand();
    if (!isa<VectorType>(operand.getType()))
      return failure();
    rewriter.replaceOp(
        op, {math::SinOp::create(rewriter, op.getLoc(), operand).getResult(),
             math::CosOp::create(rewriter, op.getLoc(), operand).getResult()});
    return success();
  }
};

/// `math.isinf` and `math.isnormal`, of which upstream converts nothing: a
/// comparison of the magnitude.
template <typename OpT> struct ExpandClass : public OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type type = op.getOperand().getType();
    const llvm::fltSemantics &semantics =
        cast<FloatType>(getElementTypeOrSelf(type)).getFloatSemantics();
    auto getConstant = [&](const APFloat &number) -> Value {
      auto attr = FloatAttr::get(getElementTypeOrSelf(type), number);
      if (auto shaped = dyn_cast<ShapedType>(type))
        return arith::ConstantOp::create(
            rewriter, loc, DenseElementsAttr::get(shaped, Attribute(attr)));
      return arith::ConstantOp::create(rewriter, loc, attr);
    };
    Value magnitude = math::AbsFOp::create(rewriter, loc, op.getOperand());
    Value infinity = getConstant(APFloat::getInf(semantics));
    if (std::is_same_v<OpT, math::IsInfOp>) {
      rewriter.replaceOpWithNewOp<arith::CmpFOp>(op, arith::CmpFPredicate::OEQ,
                                                 magnitude, infinity);
      return success();
    }
    Value isLarge = arith::CmpFOp::create(
        rewriter, loc, arith::CmpFPredicate::OGE, magnitude,
        getConstant(APFloat::getSmallestNormalized(semantics)));
    Value isFinite = arith::CmpFOp::create(
        rewriter, loc, arith::CmpFPredicate::OLT, magnitude, infinity);
    rewriter.replaceOpWithNewOp<arith::AndIOp>(op, isLarge, isFinite);
    return success();
  }
};

/// The number of workgroups, which upstream asks the device library for on AMD:
/// what the launch leaves behind the arguments begins with it (code object 5).
struct GridSizeToLoad : public OpRewritePattern<gpu::GridDimOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(gpu::GridDimOp op,
                                PatternRewriter &rewriter) const override {
    FailureOr<std::optional<TargetInfo>> target = getTargetFromIR(op);
    if (failed(target) || !*target || (*target)->vendor != TargetVendor::AMD)
      return failure();
    Location loc = op.getLoc();
    constexpr unsigned kConstantMemory = 4;
    auto pointer =
        LLVM::LLVMPointerType::get(rewriter.getContext(), kConstantMemory);
    Value arguments =
        LLVM::CallIntrinsicOp::create(
            rewriter, loc, pointer,
            rewriter.getStringAttr("llvm.amdgcn.implicitarg.ptr"), ValueRange())
            ->getResult(0);
    Value place = LLVM::GEPOp::create(
        rewriter, loc, pointer, rewriter.getI32Type(), arguments,
        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(op.getDimension())});
    Value size = LLVM::LoadOp::create(rewriter, loc, rewriter.getI32Type(),
                                      place, /*alignment=*/4,
                                      /*isVolatile=*/false,
                                      /*isNonTemporal=*/false,
                                      /*isInvariant=*/true);
    rewriter.replaceOpWithNewOp<arith::IndexCastUIOp>(
        op, rewriter.getIndexType(), size);
    return success();
  }
};

struct ExpandMathPass
    : public memspace::impl::ExpandMathPassBase<ExpandMathPass> {
  using Base::Base;
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    auto all = [](StringRef) { return true; };
    populateMathF32ExpansionPatterns(patterns, all);
    populateMathPolynomialApproximationPatterns(patterns, all);
    // Everything else has an instruction or is correctly expanded by LLVM.
    math::populateExpansionPatterns(
        patterns, {"sinh", "cosh", "tan", "asinh", "acosh", "atanh", "exp2",
                   "powf", "fpowi", "ipowi", "round", "rsqrt", "clampf"});
    arith::populateExpandF4E2M1Patterns(patterns);
    arith::populateExpandF8E8M0Patterns(patterns);
    patterns.add<GridSizeToLoad, ExpandLog10, SplitSincos,
                 ExpandClass<math::IsInfOp>, ExpandClass<math::IsNormalOp>>(
        &getContext());
    patterns.add<ToIntrinsic<math::CtPopOp>>(&getContext(), "llvm.ctpop");
    patterns.add<ToIntrinsic<math::AbsIOp>>(&getContext(), "llvm.abs", true);
    patterns.add<ToIntrinsic<math::CountLeadingZerosOp>>(&getContext(),
                                                         "llvm.ctlz", true);
    patterns.add<ToIntrinsic<math::CountTrailingZerosOp>>(&getContext(),
                                                          "llvm.cttz", true);
    patterns.add<ToIntrinsic<math::FloorOp>>(&getContext(), "llvm.floor");
    patterns.add<ToIntrinsic<math::CeilOp>>(&getContext(), "llvm.ceil");
    patterns.add<ToIntrinsic<math::TruncOp>>(&getContext(), "llvm.trunc");
    patterns.add<ToIntrinsic<math::RoundEvenOp>>(&getContext(),
                                                 "llvm.roundeven");
    patterns.add<ToIntrinsic<math::AbsFOp>>(&getContext(), "llvm.fabs");
    patterns.add<ToIntrinsic<math::CopySignOp>>(&getContext(), "llvm.copysign");
    patterns.add<ToIntrinsic<math::FmaOp>>(&getContext(), "llvm.fma");
    patterns.add<ToIntrinsic<math::SqrtOp>>(&getContext(), "llvm.sqrt");
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
