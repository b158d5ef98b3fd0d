//===- LowerSubgroupMatrices.cpp - gpu.subgroup_mma_... -------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops on matrices whose layout is the target's own. In each lane a
// gpu.mma_matrix is a vector of the lane's elements.
//
//===----------------------------------------------------------------------===//

#include "LowerMatrixOps.h"
#include "Lowering.h"
#include "MemSpace/Emulator/HostBuffer.h"
#include "Runtime.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::emulator;

//===----------------------------------------------------------------------===//
// Matrices as vectors
//===----------------------------------------------------------------------===//

VectorType MatrixOpsLowering::getVectorType(gpu::MMAMatrixType type) const {
  int64_t count = ShapedType::getNumElements(type.getShape());
  int64_t share = llvm::divideCeil(count, rewriter.program.subgroupSize);
  return VectorType::get({share}, getSignless(type.getElementType()));
}

/// The lane's elements of a gpu.mma_matrix, as what it will be.
Value MatrixOpsLowering::asVector(Value matrix) {
  auto type = cast<gpu::MMAMatrixType>(matrix.getType());
  return UnrealizedConversionCastOp::create(builder, rewriter.loc,
                                            getVectorType(type), matrix)
      .getResult(0);
}

void MatrixOpsLowering::replaceMatrix(Operation *op, Value vector) {
  rewriter.replace(
      op, UnrealizedConversionCastOp::create(builder, rewriter.loc,
                                             op->getResult(0).getType(), vector)
              .getResults());
}

void MatrixOpsLowering::convertTypes() {
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](gpu::MMAMatrixType type) -> std::optional<Type> {
    return getVectorType(type);
  });
  replacer.recursivelyReplaceElementsIn(rewriter.module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  rewriter.module.walk([](UnrealizedConversionCastOp op) {
    // That of a slice.
    if (op.getOperandTypes() != op.getResultTypes())
      return;
    op.replaceAllUsesWith(op.getInputs());
    op.erase();
  });
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

LogicalResult MatrixOpsLowering::lowerCompute(gpu::SubgroupMmaComputeOp op) {
  auto aType = cast<gpu::MMAMatrixType>(op.getOpA().getType());
  auto bType = cast<gpu::MMAMatrixType>(op.getOpB().getType());
  auto cType = cast<gpu::MMAMatrixType>(op.getOpC().getType());
  for (gpu::MMAMatrixType type : {aType, bType, cType})
    if (failed(checkMatrix(op, type)))
      return failure();
  Type aElement = aType.getElementType(), bElement = bType.getElementType();
  Type cElement = cType.getElementType();
  if (isa<FloatType>(aElement) != isa<FloatType>(cElement) ||
      isa<FloatType>(bElement) != isa<FloatType>(cElement) ||
      aElement.isF64() != cElement.isF64() ||
      bElement.isF64() != aElement.isF64())
    return refuse(op) << "multiplies " << aElement << " and " << bElement
                      << " into " << cElement
                      << ", which no target does; use floats or integers for "
                         "all, and f64 for all or none";
  MatrixShape shape{unsigned(aType.getShape()[0]),
                    unsigned(bType.getShape()[1]),
                    unsigned(aType.getShape()[1])};
  std::optional<MatrixLayout> layout =
      getOpaqueLayout(shape, rewriter.program.subgroupSize);
  MatrixOp matrixOp{*layout, getMatrixNumber(aElement),
                    getMatrixNumber(bElement), getMatrixNumber(cElement)};
  matrixOp.isOpaque = true;
  // 'a_transpose' and 'b_transpose' repeat how the operands were loaded.
  multiply(op, std::move(matrixOp), asVector(op.getOpA()),
           asVector(op.getOpB()), getScalars(asVector(op.getOpC())));
  VectorType type = getVectorType(cType);
  replaceMatrix(
      op, assemble(takeScalars(type.getNumElements(), type.getElementType()),
                   type));
  return success();
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// Records the tile of a load or store. Its box of elements is checked where
/// the rows of the memref are those of the tile, else only its first element:
/// the runtime checks all bytes against the buffer.
FailureOr<int32_t> MatrixOpsLowering::addTile(Operation *op,
                                              gpu::MMAMatrixType type,
                                              Value memref, ValueRange indices,
                                              const APInt &lead,
                                              bool isTransposed) {
  if (failed(checkMatrix(op, type)))
    return failure();
  auto memrefType = cast<MemRefType>(memref.getType());
  Type memoryElement = memrefType.getElementType();
  auto vector = dyn_cast<VectorType>(memoryElement);
  if (getSignless(getElementTypeOrSelf(memoryElement)) !=
      getSignless(type.getElementType()))
    return refuse(op) << "moves " << type.getElementType()
                      << " to or from a memref of " << memoryElement
                      << "; use one type for both";
  MatrixTile tile;
  tile.rows = type.getShape()[0];
  tile.columns = type.getShape()[1];
  tile.elementBytes = getElementBytes(getSignless(type.getElementType()));
  tile.isTransposed = isTransposed;
  int64_t rows = isTransposed ? tile.columns : tile.rows;
  int64_t columns = isTransposed ? tile.rows : tile.columns;
  if (lead.isNegative() || lead.ugt(kMaxBufferBytes / rows / tile.elementBytes))
    return refuse(op) << "has a leading dimension of " << lead.getSExtValue()
                      << ", with which no memory has " << rows
                      << " rows; give the elements from one row to the next";
  tile.leadBytes = lead.getSExtValue() * tile.elementBytes;
  int64_t elementsPerUnit = vector ? vector.getNumElements() : 1;
  SmallVector<int64_t> strides;
  int64_t offset, rank = memrefType.getRank();
  bool hasRowsOfMemref =
      rank >= 2 && succeeded(memrefType.getStridesAndOffset(strides, offset)) &&
      strides[rank - 1] == 1 && lead.getSExtValue() % elementsPerUnit == 0 &&
      strides[rank - 2] == lead.getSExtValue() / elementsPerUnit;
  SmallVector<int64_t, 2> box;
  if (hasRowsOfMemref)
    box = {rows, int64_t(llvm::divideCeil(columns, elementsPerUnit))};
  insertIndexCheck(op, memref, indices, box);
  rewriter.program.matrixTiles.push_back(tile);
  return rewriter.program.matrixTiles.size() - 1;
}

LogicalResult MatrixOpsLowering::lowerLoad(gpu::SubgroupMmaLoadMatrixOp op) {
  auto type = cast<gpu::MMAMatrixType>(op.getRes().getType());
  FailureOr<int32_t> tile =
      addTile(op, type, op.getSrcMemref(), op.getIndices(),
              op.getLeadDimension(), op.getTranspose().value_or(false));
  if (failed(tile))
    return failure();
  rewriter.recordLoops(op);
  rewriter.call(rt::kLoadMatrix,
                {rewriter.i32(rewriter.site), rewriter.i32(*tile),
                 getAddress(op.getSrcMemref(), op.getIndices())},
                Type());
  VectorType vector = getVectorType(type);
  replaceMatrix(op, assemble(takeScalars(vector.getNumElements(),
                                         vector.getElementType()),
                             vector));
  return success();
}

LogicalResult MatrixOpsLowering::lowerStore(gpu::SubgroupMmaStoreMatrixOp op) {
  FailureOr<int32_t> tile =
      addTile(op, cast<gpu::MMAMatrixType>(op.getSrc().getType()),
              op.getDstMemref(), op.getIndices(), op.getLeadDimension(),
              op.getTranspose().value_or(false));
  if (failed(tile))
    return failure();
  rewriter.recordLoops(op);
  bring(getScalars(asVector(op.getSrc())));
  rewriter.call(rt::kStoreMatrix,
                {rewriter.i32(rewriter.site), rewriter.i32(*tile),
                 getAddress(op.getDstMemref(), op.getIndices())},
                Type());
  op.erase();
  return success();
}

//===----------------------------------------------------------------------===//
// Elements of a matrix of a subgroup
//===----------------------------------------------------------------------===//

LogicalResult MatrixOpsLowering::checkMatrix(Operation *op,
                                             gpu::MMAMatrixType type) {
  if (ShapedType::getNumElements(type.getShape()) %
          rewriter.program.subgroupSize ==
      0)
    return success();
  return refuse(op) << "has a matrix of "
                    << ShapedType::getNumElements(type.getShape())
                    << " elements, which the " << rewriter.program.subgroupSize
                    << " threads of a subgroup cannot share equally; use "
                       "another shape or '--subgroup-size'";
}

LogicalResult
MatrixOpsLowering::lowerConstant(gpu::SubgroupMmaConstantMatrixOp op) {
  gpu::MMAMatrixType type = op.getType();
  if (failed(checkMatrix(op, type)))
    return failure();
  if (getSignless(op.getValue().getType()) != op.getValue().getType())
    return refuse(op) << "of " << op.getValue().getType()
                      << " is not emulated; load the matrix from memory";
  replaceMatrix(op, vector::BroadcastOp::create(builder, rewriter.loc,
                                                getVectorType(type),
                                                op.getValue()));
  return success();
}

template <typename OpT>
static Value makeBinary(OpBuilder &builder, Location loc,
                        ArrayRef<Value> args) {
  return OpT::create(builder, loc, args[0], args[1]);
}

/// The elements of matrices, as vectors, combined.
static Value makeElementwise(OpBuilder &builder, Location loc,
                             gpu::MMAElementwiseOp kind, VectorType type,
                             ArrayRef<Value> args) {
  using Kind = gpu::MMAElementwiseOp;
  switch (kind) {
  case Kind::ADDF:
    return makeBinary<arith::AddFOp>(builder, loc, args);
  case Kind::MULF:
    return makeBinary<arith::MulFOp>(builder, loc, args);
  case Kind::SUBF:
    return makeBinary<arith::SubFOp>(builder, loc, args);
  case Kind::MAXF:
    return makeBinary<arith::MaximumFOp>(builder, loc, args);
  case Kind::MINF:
    return makeBinary<arith::MinimumFOp>(builder, loc, args);
  case Kind::DIVF:
    return makeBinary<arith::DivFOp>(builder, loc, args);
  case Kind::ADDI:
    return makeBinary<arith::AddIOp>(builder, loc, args);
  case Kind::MULI:
    return makeBinary<arith::MulIOp>(builder, loc, args);
  case Kind::SUBI:
    return makeBinary<arith::SubIOp>(builder, loc, args);
  case Kind::DIVS:
    return makeBinary<arith::DivSIOp>(builder, loc, args);
  case Kind::DIVU:
    return makeBinary<arith::DivUIOp>(builder, loc, args);
  case Kind::NEGATEF:
    return arith::NegFOp::create(builder, loc, args[0]);
  case Kind::NEGATES: {
    Value zero =
        arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
    return arith::SubIOp::create(builder, loc, zero, args[0]);
  }
  case Kind::EXTF:
    return arith::ExtFOp::create(builder, loc, type, args[0]);
  }
  llvm_unreachable("unknown elementwise op");
}

LogicalResult
MatrixOpsLowering::lowerElementwise(gpu::SubgroupMmaElementwiseOp op) {
  SmallVector<Value, 2> args;
  for (Value arg : op.getArgs()) {
    if (failed(checkMatrix(op, cast<gpu::MMAMatrixType>(arg.getType()))))
      return failure();
    args.push_back(asVector(arg));
  }
  using Kind = gpu::MMAElementwiseOp;
  Kind kind = op.getOpType();
  bool isUnary =
      kind == Kind::NEGATEF || kind == Kind::NEGATES || kind == Kind::EXTF;
  VectorType type = getVectorType(op.getType());
  bool isFloat =
      llvm::is_contained({Kind::ADDF, Kind::MULF, Kind::SUBF, Kind::MAXF,
                          Kind::MINF, Kind::DIVF, Kind::NEGATEF, Kind::EXTF},
                         kind);
  // The op has no verifier.
  Type source = args.empty() ? Type() : args.front().getType();
  bool isExtension =
      source && getElementTypeOrSelf(source).getIntOrFloatBitWidth() <
                    type.getElementType().getIntOrFloatBitWidth();
  if (args.size() != (isUnary ? 1 : 2) ||
      isa<FloatType>(type.getElementType()) != isFloat ||
      isa<FloatType>(getElementTypeOrSelf(source)) != isFloat ||
      (kind == Kind::EXTF ? !isExtension : source != type))
    return refuse(op) << "has operands or a type that '"
                      << gpu::stringifyMMAElementwiseOp(kind)
                      << "' does not take; use matrices of its kind of numbers";
  replaceMatrix(op, makeElementwise(builder, rewriter.loc, kind, type, args));
  return success();
}

/// An index beyond the thread's elements is that of the last, as in vectors.
FailureOr<Value> MatrixOpsLowering::getPosition(Operation *op,
                                                gpu::MMAMatrixType type,
                                                ValueRange indices) {
  if (failed(checkMatrix(op, type)))
    return failure();
  if (indices.size() != 1)
    return refuse(op) << "has " << indices.size()
                      << " indices; the elements of a thread are a row here, "
                         "use one index";
  if (getSignless(type.getElementType()) != type.getElementType())
    return refuse(op) << "of " << type.getElementType()
                      << " is not emulated; store the matrix to memory";
  Value last = rewriter.index(getVectorType(type).getNumElements() - 1);
  return arith::MinUIOp::create(builder, rewriter.loc, indices[0], last)
      .getResult();
}

LogicalResult
MatrixOpsLowering::lowerExtract(gpu::SubgroupMmaExtractThreadLocalOp op) {
  FailureOr<Value> position = getPosition(
      op, cast<gpu::MMAMatrixType>(op.getMatrix().getType()), op.getIndices());
  if (failed(position))
    return failure();
  rewriter.replace(op, vector::ExtractOp::create(builder, rewriter.loc,
                                                 asVector(op.getMatrix()),
                                                 *position)
                           .getResult());
  return success();
}

LogicalResult
MatrixOpsLowering::lowerInsert(gpu::SubgroupMmaInsertThreadLocalOp op) {
  FailureOr<Value> position = getPosition(
      op, cast<gpu::MMAMatrixType>(op.getMatrix().getType()), op.getIndices());
  if (failed(position))
    return failure();
  if (op.getRes().getType() != op.getMatrix().getType())
    return refuse(op) << "makes a matrix of another type; use that of its "
                         "operand";
  replaceMatrix(op,
                vector::InsertOp::create(builder, rewriter.loc, op.getValue(),
                                         asVector(op.getMatrix()), *position));
  return success();
}
