//===- LowerGathers.cpp - AMD's copies into workgroup memory --------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `amdgpu.gather_to_lds` as the asynchronous copies that the runtime knows,
/// each in a group of its own: the lanes write one behind the other, from the
/// place that the first of them names. `amdgpu.memory_counter_wait` waits for
/// all of them but the newest.
///
//===----------------------------------------------------------------------===//

#include "LowerGathers.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::emulator;

/// The elements that a lane copies; none where their bytes are padded, or the
/// memory has gaps.
static std::optional<int64_t> getCopiedElements(amdgpu::GatherToLDSOp op) {
  Type element = getElementTypeOrSelf(op.getTransferType());
  auto dst = cast<MemRefType>(op.getDst().getType());
  auto src = cast<MemRefType>(op.getSrc().getType());
  if (dst.getElementType() != element || src.getElementType() != element ||
      !element.isIntOrFloat() || !dst.hasStaticShape() ||
      !dst.areTrailingDimsContiguous(dst.getRank()))
    return std::nullopt;
  auto vector = dyn_cast<VectorType>(op.getTransferType());
  int64_t count = vector ? vector.getNumElements() : 1;
  int64_t bits = count * element.getIntOrFloatBitWidth();
  if (bits != 32 && bits != 64 && bits != 128)
    return std::nullopt;
  return count;
}

static void lower(OpBuilder &b, amdgpu::GatherToLDSOp op, int64_t count) {
  Location loc = op.getLoc();
  b.setInsertionPoint(op);
  auto dst = cast<MemRefType>(op.getDst().getType());
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  auto add = [&](Value left, Value right, int64_t factor) -> Value {
    return arith::AddIOp::create(
        b, loc, left, arith::MulIOp::create(b, loc, right, constant(factor)));
  };
  int64_t stride = 1;
  Value place = constant(0);
  for (auto [index, extent] :
       llvm::reverse(llvm::zip_equal(op.getDstIndices(), dst.getShape()))) {
    place = add(place, index, stride);
    stride *= extent;
  }
  // The hardware has one address for all lanes.
  place = arith::IndexCastOp::create(b, loc, b.getI32Type(), place);
  place = ROCDL::ReadfirstlaneOp::create(b, loc, b.getI32Type(), place);
  place = arith::IndexCastOp::create(b, loc, b.getIndexType(), place);
  Value lane = gpu::LaneIdOp::create(b, loc, /*upper_bound=*/IntegerAttr());
  place = add(place, lane, count);
  SmallVector<Value> indices;
  if (dst.getRank() != 0)
    indices = affine::AffineDelinearizeIndexOp::create(
                  b, loc, place, dst.getShape().drop_front(),
                  /*hasOuterBound=*/false)
                  .getResults();
  auto token = nvgpu::DeviceAsyncTokenType::get(b.getContext());
  auto copy = nvgpu::DeviceAsyncCopyOp::create(
      b, loc, token, op.getDst(), indices, op.getSrc(), op.getSrcIndices(),
      b.getIndexAttr(count), /*srcElements=*/Value(),
      /*bypassL1=*/UnitAttr());
  nvgpu::DeviceAsyncCreateGroupOp::create(b, loc, token, copy.getAsyncToken());
  op.erase();
}

static void lower(OpBuilder &b, amdgpu::MemoryCounterWaitOp op) {
  Location loc = op.getLoc();
  b.setInsertionPoint(op);
  if (std::optional<uint32_t> load = op.getLoad()) {
    // Any token: which groups it waits for says the number.
    Value zero = arith::ConstantIntOp::create(b, loc, b.getI32Type(), 0);
    auto token = UnrealizedConversionCastOp::create(
        b, loc, nvgpu::DeviceAsyncTokenType::get(b.getContext()), zero);
    nvgpu::DeviceAsyncWaitOp::create(b, loc, token.getResult(0),
                                     b.getI32IntegerAttr(*load));
  }
  op.erase();
}

void emulator::lowerGathers(ModuleOp module) {
  MLIRContext *context = module.getContext();
  context->loadDialect<affine::AffineDialect, nvgpu::NVGPUDialect,
                       ROCDL::ROCDLDialect>();
  OpBuilder b(context);
  module.walk([&](amdgpu::GatherToLDSOp op) {
    if (std::optional<int64_t> count = getCopiedElements(op))
      lower(b, op, *count);
  });
  module.walk([&](amdgpu::MemoryCounterWaitOp op) { lower(b, op); });
}
