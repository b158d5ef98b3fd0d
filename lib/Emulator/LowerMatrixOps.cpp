//===- LowerMatrixOps.cpp - ops on the matrices of a subgroup -------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LowerMatrixOps.h"
#include "Lowering.h"
#include "MemSpace/Emulator/HostBuffer.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::emulator;

InFlightDiagnostic MatrixOpsLowering::refuse(Operation *op) {
  return emitError(rewriter.program.sites[rewriter.site])
         << "'" << op->getName() << "' ";
}

/// A matrix op is one of subgroups of a certain size.
LogicalResult MatrixOpsLowering::checkSubgroup(Operation *op,
                                               unsigned numLanes) {
  if (rewriter.program.subgroupSize == numLanes)
    return success();
  return refuse(op) << "needs a subgroup of " << numLanes
                    << " threads, and the kernel's have "
                    << rewriter.program.subgroupSize
                    << "; run it with '--subgroup-size=" << numLanes
                    << "', or with a '--chip' whose subgroups have as many";
}

//===----------------------------------------------------------------------===//
// Values of a lane
//===----------------------------------------------------------------------===//

Type emulator::getSignless(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  return integer ? IntegerType::get(type.getContext(), integer.getWidth())
                 : type;
}

/// The elements of a scalar or of a vector of any rank, in order.
SmallVector<Value> MatrixOpsLowering::getScalars(Value value) {
  auto type = dyn_cast<VectorType>(value.getType());
  if (!type)
    return {value};
  int64_t count = type.getNumElements();
  if (type.getRank() != 1)
    value = vector::ShapeCastOp::create(
        builder, rewriter.loc, VectorType::get({count}, type.getElementType()),
        value);
  SmallVector<Value> scalars;
  for (int64_t i = 0; i < count; ++i)
    scalars.push_back(
        vector::ExtractOp::create(builder, rewriter.loc, value, i));
  return scalars;
}

void MatrixOpsLowering::bring(ArrayRef<Value> scalars) {
  for (Value scalar : scalars)
    rewriter.call(rt::kBring, rewriter.toWord(scalar), Type());
}

SmallVector<Value> MatrixOpsLowering::takeScalars(unsigned count, Type type) {
  SmallVector<Value> scalars;
  for (unsigned i = 0; i < count; ++i)
    scalars.push_back(rewriter.fromWord(
        rewriter.call(rt::kMatrixValue, rewriter.i32(i), builder.getI64Type()),
        type));
  return scalars;
}

/// The inverse of `getScalars`.
Value MatrixOpsLowering::assemble(ArrayRef<Value> scalars, Type type) {
  auto vectorType = dyn_cast<VectorType>(type);
  if (!vectorType)
    return scalars.front();
  Value flat = vector::FromElementsOp::create(
      builder, rewriter.loc,
      VectorType::get({int64_t(scalars.size())}, vectorType.getElementType()),
      scalars);
  return vectorType.getRank() == 1
             ? flat
             : vector::ShapeCastOp::create(builder, rewriter.loc, vectorType,
                                           flat);
}

/// The virtual address of an element.
Value MatrixOpsLowering::getAddress(Value memref, ValueRange indices) {
  Location loc = rewriter.loc;
  auto metadata =
      memref::ExtractStridedMetadataOp::create(builder, loc, memref);
  Value place = metadata.getOffset();
  for (auto [position, stride] :
       llvm::zip_equal(indices, metadata.getStrides()))
    place = arith::AddIOp::create(
        builder, loc, place,
        arith::MulIOp::create(builder, loc, position, stride));
  Value bytes = rewriter.index(
      getElementBytes(cast<MemRefType>(memref.getType()).getElementType()));
  Value base =
      memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, memref);
  return rewriter.toI64(arith::AddIOp::create(
      builder, loc, base, arith::MulIOp::create(builder, loc, place, bytes)));
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

MatrixNumber emulator::getMatrixNumber(Type type, bool isUnsigned) {
  MatrixNumber number;
  number.bits = type.getIntOrFloatBitWidth();
  number.isUnsigned = isUnsigned || type.isUnsignedInteger();
  if (auto floatType = dyn_cast<FloatType>(type))
    number.semantics = &floatType.getFloatSemantics();
  return number;
}

/// A tf32 has the upper 19 bits of an f32.
static constexpr unsigned kBitsBelowTF32 = 13;

/// Brings the values of A, B and C, and lets the runtime multiply.
void MatrixOpsLowering::multiply(Operation *op, MatrixOp matrixOp, Value a,
                                 Value b, ArrayRef<Value> c) {
  rewriter.recordLoops(op);
  SmallVector<Value> aScalars = getScalars(a), bScalars = getScalars(b);
  assert(aScalars.size() == matrixOp.layout.a.numValues &&
         bScalars.size() == matrixOp.layout.b.numValues &&
         c.size() == matrixOp.layout.c.numValues &&
         "values that the layout does not have");
  bring(aScalars);
  bring(bScalars);
  bring(c);
  int32_t number = rewriter.program.matrixOps.size();
  rewriter.program.matrixOps.push_back(std::move(matrixOp));
  rewriter.call(rt::kMultiply,
                {rewriter.i32(rewriter.site), rewriter.i32(number)}, Type());
}

/// What the PTX ISA lets the elements of C and D be.
static bool isMmaSyncResult(Type aType, Type cType) {
  if (isa<IntegerType>(aType))
    return cType.isSignlessInteger(32);
  if (aType.isF64())
    return cType.isF64();
  return cType.isF32() || (aType.isF16() && cType.isF16());
}

LogicalResult MatrixOpsLowering::lowerMmaSync(nvgpu::MmaSyncOp op) {
  auto [m, n, k] = op.getMmaShapeAsArray();
  MatrixShape shape{unsigned(m), unsigned(n), unsigned(k)};
  Type aType = getElementTypeOrSelf(op.getMatrixA());
  Type cType = getElementTypeOrSelf(op.getMatrixC());
  std::optional<MatrixLayout> layout =
      getMmaSyncLayout(shape, aType.getIntOrFloatBitWidth());
  if (!layout || !isMmaSyncResult(aType, cType))
    return refuse(op) << "has no m" << m << "n" << n << "k" << k << " of "
                      << aType << " with results of " << cType
                      << " in the PTX ISA; use one of its shapes";
  if (aType.isF32() && !op.getTf32Enabled())
    return refuse(op) << "of f32 is an op of tf32; say so with "
                         "'tf32Enabled', or use f64";
  if (failed(checkSubgroup(op, layout->numLanes)))
    return failure();
  MatrixOp matrixOp{*layout, getMatrixNumber(aType), getMatrixNumber(aType),
                    getMatrixNumber(cType)};
  if (op.getTf32Enabled())
    matrixOp.a.ignoredBits = matrixOp.b.ignoredBits = kBitsBelowTF32;
  // Upstream lowers it to mma.sync with '.satfinite'.
  matrixOp.saturates = isa<IntegerType>(cType);
  multiply(op, std::move(matrixOp), op.getMatrixA(), op.getMatrixB(),
           getScalars(op.getMatrixC()));
  auto type = cast<VectorType>(op.getRes().getType());
  rewriter.replace(op,
                   assemble(takeScalars(type.getNumElements(), cType), type));
  return success();
}

/// The block of A that block `block` is multiplied with: one of 2^cbsz blocks
/// serves all of them (CDNA 3 ISA, "CBSZ" and "ABID").
static SmallVector<unsigned, 0> getBroadcastLanes(amdgpu::MFMAOp op) {
  SmallVector<unsigned, 0> lanes;
  unsigned count = 1u << op.getCbsz();
  for (unsigned lane = 0; lane < 64; ++lane) {
    // Lanes are m, then the block, then k.
    unsigned m = op.getM(), block = lane / m % op.getBlocks();
    unsigned source = block / count * count + op.getAbid();
    lanes.push_back(lane + m * source - m * block);
  }
  return lanes;
}

/// The lanes of B in groups of 16 or 32 (CDNA 3 ISA, "BLGP").
static SmallVector<unsigned, 0>
getPermutedLanes(amdgpu::MFMAPermB permutation) {
  SmallVector<unsigned, 0> lanes;
  for (unsigned lane = 0; lane < 64; ++lane)
    lanes.push_back([&] {
      switch (permutation) {
      case amdgpu::MFMAPermB::none:
        return lane;
      case amdgpu::MFMAPermB::bcast_first_32:
        return lane % 32;
      case amdgpu::MFMAPermB::bcast_second_32:
        return lane % 32 + 32;
      case amdgpu::MFMAPermB::rotate_16_right:
        return (lane + 16) % 64;
      case amdgpu::MFMAPermB::bcast_first_16:
        return lane % 16;
      case amdgpu::MFMAPermB::bcast_second_16:
        return lane % 16 + 16;
      case amdgpu::MFMAPermB::bcast_third_16:
        return lane % 16 + 32;
      case amdgpu::MFMAPermB::bcast_fourth_16:
        return lane % 16 + 48;
      }
      llvm_unreachable("unknown permutation of lanes");
    }());
  return lanes;
}

/// Bytes may be packed in one integer.
static Value unpackBytes(OpBuilder &builder, Location loc, Value value) {
  auto type = dyn_cast<IntegerType>(value.getType());
  if (!type)
    return value;
  Value vector = vector::BroadcastOp::create(builder, loc,
                                             VectorType::get({1}, type), value);
  return vector::BitCastOp::create(
      builder, loc, VectorType::get({type.getWidth() / 8}, builder.getI8Type()),
      vector);
}

LogicalResult MatrixOpsLowering::lowerMFMA(amdgpu::MFMAOp op) {
  MatrixShape shape{op.getM(), op.getN(), op.getK(), op.getBlocks()};
  Type cType = getElementTypeOrSelf(op.getDestC());
  std::optional<MatrixLayout> layout = getMFMALayout(shape, cType.isF64());
  Value a = unpackBytes(builder, rewriter.loc, op.getSourceA());
  Value b = unpackBytes(builder, rewriter.loc, op.getSourceB());
  Type aType = getElementTypeOrSelf(a), bType = getElementTypeOrSelf(b);
  bool isSameKind = isa<FloatType>(aType) == isa<FloatType>(cType) &&
                    aType.isF64() == cType.isF64();
  if (!layout || !isSameKind)
    return refuse(op) << "has no " << shape.m << "x" << shape.n << "x"
                      << shape.k << " of " << aType << " with results of "
                      << cType << " in the CDNA ISA; use one of its shapes";
  if (op.getCbsz() > llvm::Log2_32(shape.blocks))
    return refuse(op) << "has 'cbsz = " << op.getCbsz()
                      << "', which broadcasts a block to more than there are; "
                         "use at most "
                      << llvm::Log2_32(shape.blocks);
  if (failed(checkSubgroup(op, layout->numLanes)))
    return failure();
  MatrixOp matrixOp{*layout, getMatrixNumber(aType), getMatrixNumber(bType),
                    getMatrixNumber(cType)};
  if (op.getReducePrecision())
    matrixOp.a.ignoredBits = matrixOp.b.ignoredBits = kBitsBelowTF32;
  matrixOp.a.isNegated = op.getNegateA();
  matrixOp.b.isNegated = op.getNegateB();
  matrixOp.c.isNegated = op.getNegateC();
  matrixOp.sourceLanesA = getBroadcastLanes(op);
  matrixOp.sourceLanesB = getPermutedLanes(op.getBlgp());
  SmallVector<Value> c = getScalars(op.getDestC());
  multiply(op, std::move(matrixOp), a, b, c);
  rewriter.replace(
      op, assemble(takeScalars(c.size(), cType), op.getDestD().getType()));
  return success();
}

LogicalResult MatrixOpsLowering::lowerWMMA(amdgpu::WMMAOp op) {
  MatrixShape shape{op.getM(), op.getN(), op.getK()};
  Type aType = getElementTypeOrSelf(op.getSourceA());
  Type bType = getElementTypeOrSelf(op.getSourceB());
  Type cType = getElementTypeOrSelf(op.getDestC());
  unsigned numInputs =
      cast<VectorType>(op.getSourceA().getType()).getNumElements();
  SmallVector<Value> c = getScalars(op.getDestC());
  // RDNA3 uses one half of each register of 16-bit results.
  bool isRDNA3 = numInputs == 16 && shape.k == 16;
  bool usesHalves = isRDNA3 && cType.getIntOrFloatBitWidth() == 16;
  std::optional<MatrixLayout> layout =
      getWMMALayout(shape, aType.getIntOrFloatBitWidth(), numInputs,
                    usesHalves ? c.size() / 2 : c.size());
  if (!layout ||
      op.getSourceB().getType() != VectorType::get(numInputs, bType) ||
      aType.getIntOrFloatBitWidth() != bType.getIntOrFloatBitWidth() ||
      isa<FloatType>(aType) != isa<FloatType>(cType) ||
      isa<FloatType>(bType) != isa<FloatType>(cType) ||
      (!isRDNA3 && op.getSubwordOffset()))
    return refuse(op) << "of " << op.getSourceA().getType() << ", "
                      << op.getSourceB().getType() << " and "
                      << op.getDestC().getType() << " with k = " << shape.k
                      << " is no op of the RDNA3 ISA or, for subgroups of 32, "
                         "of the RDNA4 ISA; use a shape of theirs";
  for (Type type : {aType, bType})
    if (getSignless(type) != type)
      return refuse(op) << "of " << type
                        << " is not emulated; use signless integers, with "
                           "'unsignedA' and 'unsignedB'";
  if (failed(checkSubgroup(op, layout->numLanes)))
    return failure();
  MatrixOp matrixOp{*layout, getMatrixNumber(aType, op.getUnsignedA()),
                    getMatrixNumber(bType, op.getUnsignedB()),
                    getMatrixNumber(cType)};
  matrixOp.saturates = op.getClamp();
  SmallVector<Value> used = c;
  if (usesHalves) {
    used.clear();
    for (unsigned i = op.getSubwordOffset(); i < c.size(); i += 2)
      used.push_back(c[i]);
  }
  multiply(op, std::move(matrixOp), op.getSourceA(), op.getSourceB(), used);
  SmallVector<Value> results = takeScalars(used.size(), cType);
  if (usesHalves) {
    // The other half is any value; a use of it shows as one of memory that
    // nobody has written.
    Value poison = rewriter.fromWord(rewriter.i64(-1), cType);
    SmallVector<Value> all(c.size(), poison);
    for (auto [i, result] : llvm::enumerate(results))
      all[2 * i + op.getSubwordOffset()] = result;
    results = all;
  }
  rewriter.replace(op, assemble(results, op.getDestD().getType()));
  return success();
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

LogicalResult MatrixOpsLowering::lowerLdMatrix(nvgpu::LdMatrixOp op) {
  auto memref = cast<MemRefType>(op.getSrcMemref().getType());
  unsigned numTiles = op.getNumTiles();
  Type element = memref.getElementType();
  unsigned bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0;
  SmallVector<int64_t> strides;
  int64_t offset;
  bool isContiguous = succeeded(memref.getStridesAndOffset(strides, offset)) &&
                      !strides.empty() && strides.back() == 1;
  if (!llvm::is_contained({1u, 2u, 4u}, numTiles) ||
      !llvm::is_contained({8u, 16u, 32u}, bits) || !isContiguous)
    return refuse(op)
           << "loads 1, 2 or 4 tiles of rows of 16 contiguous bytes, "
              "of elements of 8, 16 or 32 bits; this one does not";
  if (failed(checkSubgroup(op, 32)))
    return failure();
  Location loc = rewriter.loc;
  rewriter.recordLoops(op);
  // The other lanes' addresses are not used.
  Value lane = rewriter.call(
      rt::kId, rewriter.i32(static_cast<int32_t>(IdKind::Subgroup)),
      builder.getI64Type());
  Value hasRow = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                       lane, rewriter.i64(8 * numTiles));
  auto branch =
      scf::IfOp::create(builder, loc, hasRow, /*withElseRegion=*/false);
  insertIndexCheck(branch.thenYield(), op.getSrcMemref(), op.getIndices(),
                   {int64_t(128 / bits)});
  rewriter.call(rt::kLoadTiles,
                {rewriter.i32(rewriter.site), rewriter.i32(numTiles),
                 arith::ConstantOp::create(
                     builder, loc, builder.getBoolAttr(op.getTranspose())),
                 getAddress(op.getSrcMemref(), op.getIndices())},
                Type());
  Type i32Type = builder.getI32Type();
  Value words = assemble(takeScalars(numTiles, i32Type),
                         VectorType::get({numTiles}, i32Type));
  auto type = cast<VectorType>(op.getRes().getType());
  Value flat = vector::BitCastOp::create(
      builder, loc, VectorType::get({type.getNumElements()}, element), words);
  rewriter.replace(
      op, vector::ShapeCastOp::create(builder, loc, type, flat).getResult());
  return success();
}

//===----------------------------------------------------------------------===//
// Driver
//===----------------------------------------------------------------------===//

FailureOr<bool> MatrixOpsLowering::lower(Operation *op) {
  std::optional<LogicalResult> result =
      llvm::TypeSwitch<Operation *, std::optional<LogicalResult>>(op)
          .Case([&](nvgpu::MmaSyncOp o) { return lowerMmaSync(o); })
          .Case([&](nvgpu::LdMatrixOp o) { return lowerLdMatrix(o); })
          .Case([&](amdgpu::MFMAOp o) { return lowerMFMA(o); })
          .Case([&](amdgpu::WMMAOp o) { return lowerWMMA(o); })
          .Case([&](gpu::SubgroupMmaComputeOp o) { return lowerCompute(o); })
          .Case([&](gpu::SubgroupMmaLoadMatrixOp o) { return lowerLoad(o); })
          .Case([&](gpu::SubgroupMmaStoreMatrixOp o) { return lowerStore(o); })
          .Case([&](gpu::SubgroupMmaConstantMatrixOp o) {
            return lowerConstant(o);
          })
          .Case([&](gpu::SubgroupMmaElementwiseOp o) {
            return lowerElementwise(o);
          })
          .Case([&](gpu::SubgroupMmaExtractThreadLocalOp o) {
            return lowerExtract(o);
          })
          .Case([&](gpu::SubgroupMmaInsertThreadLocalOp o) {
            return lowerInsert(o);
          })
          .Default(std::optional<LogicalResult>());
  if (!result)
    return false;
  if (failed(*result))
    return failure();
  return true;
}
