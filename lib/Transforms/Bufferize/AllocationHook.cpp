//===- AllocationHook.cpp - the bufferization hook -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Transforms/AllocationHook.h"
#include "MemSpace/Memory/BufferSize.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace mlir::memspace;

/// Keeps what is known of the tensor on the buffer.
static void copyAnnotations(Operation *from, Operation *to) {
  for (StringRef name : {StringRef(kReasonAttr), StringRef(kCopyAttr),
                         StringRef(kPerSubgroupAttr)})
    if (Attribute attr = from->getDiscardableAttr(name))
      to->setDiscardableAttr(name, attr);
}

/// The type with every dynamic extent replaced by its constant bound; failure
/// with a diagnostic that names the extent that has none.
static FailureOr<MemRefType> getBoundedType(Operation *tensorOp,
                                            MemRefType type,
                                            ValueRange dynamicSizes,
                                            StringRef space) {
  SmallVector<int64_t> shape(type.getShape());
  unsigned next = 0;
  for (auto [dim, extent] : llvm::enumerate(shape)) {
    if (!ShapedType::isDynamic(extent))
      continue;
    Value size = dynamicSizes[next++];
    std::optional<int64_t> bound = getConstantUpperBound(size, std::nullopt);
    if (!bound) {
      InFlightDiagnostic diag = tensorOp->emitOpError()
                                << "needs static " << space
                                << " memory, but the extent of dimension "
                                << dim << " has no constant upper bound";
      diag.attachNote(size.getLoc())
          << "bound this value, for example by affine.min with a tile size";
      return diag;
    }
    extent = *bound;
  }
  return MemRefType::get(shape, type.getElementType(),
                         MemRefLayoutAttrInterface(), type.getMemorySpace());
}

/// Linear id of the calling thread in its workgroup.
static Value buildLinearThreadId(OpBuilder &b, Location loc,
                                 const LaunchShape &shape) {
  Value linear;
  AffineExpr d0, d1;
  bindDims(b.getContext(), d0, d1);
  const gpu::Dimension dims[] = {gpu::Dimension::x, gpu::Dimension::y,
                                 gpu::Dimension::z};
  int64_t stride = 1;
  for (int i = 0; i < 3; ++i) {
    if (shape.block[i] > 1) {
      Value id = gpu::ThreadIdOp::create(b, loc, dims[i]);
      linear = linear ? affine::AffineApplyOp::create(
                            b, loc, AffineMap::get(2, 0, d0 + d1 * stride),
                            ValueRange{linear, id})
                            .getResult()
                      : id;
    }
    stride *= shape.block[i];
  }
  if (!linear)
    linear = arith::ConstantIndexOp::create(b, loc, 0);
  return linear;
}

namespace {
/// One call of the hook.
class Allocation {
public:
  Allocation(OpBuilder &b, Location loc, MemRefType type,
             ValueRange dynamicSizes, Operation *tensorOp,
             FunctionOpInterface kernel, const MemorySpaceOptions &options)
      : b(b), loc(loc), type(type), dynamicSizes(dynamicSizes),
        tensorOp(tensorOp), kernel(kernel), options(options) {}

  FailureOr<Value> allocatePrivate();
  FailureOr<Value> allocateWorkgroup();

private:
  FailureOr<int64_t> getBytes(MemRefType bounded);
  MemRefType getByteType(int64_t bytes) {
    return MemRefType::get({bytes}, b.getI8Type(), MemRefLayoutAttrInterface(),
                           type.getMemorySpace());
  }
  IntegerAttr getAlignment(int64_t bytes) { return b.getI64IntegerAttr(bytes); }

  OpBuilder &b;
  Location loc;
  MemRefType type;
  ValueRange dynamicSizes;
  Operation *tensorOp;
  FunctionOpInterface kernel;
  const MemorySpaceOptions &options;
};
} // namespace

FailureOr<int64_t> Allocation::getBytes(MemRefType bounded) {
  std::optional<int64_t> bytes = getBufferBytes(bounded, options.target);
  if (!bytes)
    return tensorOp->emitOpError()
           << "has a type whose size in bytes is not known: " << bounded;
  return *bytes;
}

FailureOr<Value> Allocation::allocatePrivate() {
  FailureOr<MemRefType> bounded =
      getBoundedType(tensorOp, type, dynamicSizes, "private");
  if (failed(bounded))
    return failure();
  FailureOr<int64_t> bytes = getBytes(*bounded);
  if (failed(bytes))
    return failure();
  int64_t alignment =
      getElementAlignment(type.getElementType(), options.target).value_or(1);

  // In a loop an alloca would be a dynamic stack: all live at the entry.
  Value buffer;
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&kernel.getFunctionBody().front());
    MemRefType allocType = type.hasStaticShape() ? type : getByteType(*bytes);
    auto alloca = memref::AllocaOp::create(b, loc, allocType, ValueRange(),
                                           getAlignment(alignment));
    copyAnnotations(tensorOp, alloca);
    buffer = alloca;
  }
  if (type.hasStaticShape())
    return buffer;
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  return memref::ViewOp::create(b, loc, type, buffer, zero, dynamicSizes)
      .getResult();
}

FailureOr<Value> Allocation::allocateWorkgroup() {
  FailureOr<MemRefType> bounded =
      getBoundedType(tensorOp, type, dynamicSizes, "workgroup");
  if (failed(bounded))
    return failure();
  FailureOr<int64_t> bytes = getBytes(*bounded);
  if (failed(bytes))
    return failure();
  int64_t alignment = getBufferAlignment(type.getElementType(), options.target);

  auto perInstance = tensorOp->getAttrOfType<IntegerAttr>(kPerSubgroupAttr);
  if (type.hasStaticShape() && !perInstance) {
    auto alloc = memref::AllocOp::create(b, loc, type, ValueRange(),
                                         getAlignment(alignment));
    copyAnnotations(tensorOp, alloc);
    return alloc.getResult();
  }

  // The type is fixed by now; a strided subview would not have it, a view of
  // bytes has.
  Value offset;
  int64_t total = *bytes;
  if (perInstance) {
    FailureOr<LaunchShape> shape = getLaunchShape(kernel);
    if (failed(shape))
      return failure();
    int64_t threads = std::max<int64_t>(perInstance.getInt(), 1);
    int64_t instances = llvm::divideCeil(shape->getThreads(), threads);
    int64_t stride = llvm::alignTo(*bytes, alignment);
    if (llvm::MulOverflow(stride, instances - 1, total) ||
        llvm::AddOverflow(total, *bytes, total))
      return tensorOp->emitOpError()
             << "needs more bytes of workgroup memory than can be counted";
    Value linear = buildLinearThreadId(b, loc, *shape);
    AffineExpr d0 = b.getAffineDimExpr(0);
    offset = affine::AffineApplyOp::create(
        b, loc, AffineMap::get(1, 0, d0.floorDiv(threads) * stride), linear);
  } else {
    offset = arith::ConstantIndexOp::create(b, loc, 0);
  }
  auto alloc = memref::AllocOp::create(b, loc, getByteType(total), ValueRange(),
                                       getAlignment(alignment));
  copyAnnotations(tensorOp, alloc);
  return memref::ViewOp::create(b, loc, type, alloc, offset, dynamicSizes)
      .getResult();
}

BufferizationOptions::AllocationFn
mlir::memspace::makeRequireMemSpaceAllocationFn(
    const MemorySpaceOptions &options) {
  return [options](OpBuilder &b, Location loc, MemRefType type,
                   ValueRange dynamicSizes,
                   unsigned alignment) -> FailureOr<Value> {
    // The callback does not get the tensor, but One-Shot inserts at it.
    Block *block = b.getInsertionBlock();
    Operation *tensorOp = b.getInsertionPoint() == block->end()
                              ? block->getParentOp()
                              : &*b.getInsertionPoint();
    auto kernel = dyn_cast<FunctionOpInterface>(block->getParentOp());
    if (!kernel)
      kernel = block->getParentOp()->getParentOfType<FunctionOpInterface>();
    if (!kernel || !isKernel(kernel)) {
      IntegerAttr align =
          alignment ? b.getI64IntegerAttr(alignment) : IntegerAttr();
      return memref::AllocOp::create(b, loc, type, dynamicSizes, align)
          .getResult();
    }
    Allocation allocation(b, loc, type, dynamicSizes, tensorOp, kernel,
                          options);
    std::optional<MemorySpace> space =
        options.spaces.fromAttribute(type.getMemorySpace());
    if (space == MemorySpace::Private)
      return allocation.allocatePrivate();
    if (space == MemorySpace::Workgroup)
      return allocation.allocateWorkgroup();
    return tensorOp->emitOpError()
           << "needs a buffer in kernel '" << kernel.getName()
           << "' but has no private or workgroup memory space, and a kernel "
              "never allocates global memory; run "
              "memspace-infer-memory-spaces, set 'memory_space' on the "
              "bufferization.alloc_tensor, or put one, with 'copy', before an "
              "op that does not work on its operand in place";
  };
}

void mlir::memspace::configureBufferization(BufferizationOptions &bufferization,
                                            const MemorySpaceOptions &options) {
  bufferization.allocationFn = makeRequireMemSpaceAllocationFn(options);
  bufferization.memCpyFn = [](OpBuilder &b, Location loc, Value from,
                              Value to) -> LogicalResult {
    Block *block = b.getInsertionBlock();
    bool inPlace = b.getInsertionPoint() != block->end() &&
                   b.getInsertionPoint()->hasAttr(kInPlaceAttr);
    if (from != to && !inPlace)
      linalg::CopyOp::create(b, loc, from, to);
    return success();
  };
  // Alignments are the hook's; 64 would blow up 16-byte private arrays.
  bufferization.bufferAlignment = 0;
}
