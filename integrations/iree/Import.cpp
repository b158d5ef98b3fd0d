//===- Import.cpp - IREE's kernels in the form that MemSpace takes --------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Adapter.h"
#include "MemSpace/Target/TargetInfo.h"
#include "iree/compiler/Codegen/Dialect/Codegen/IR/IREECodegenAttrs.h"
#include "iree/compiler/Codegen/Dialect/Codegen/IR/IREECodegenDialect.h"
#include "iree/compiler/Codegen/Dialect/Codegen/IR/IREECodegenOps.h"
#include "iree/compiler/Codegen/Dialect/GPU/IR/IREEGPUAttrs.h"
#include "iree/compiler/Dialect/HAL/IR/HALDialect.h"
#include "iree/compiler/Dialect/HAL/IR/HALOps.h"
#include "iree/compiler/Dialect/HAL/IR/HALTypes.h"
#include "iree/compiler/Dialect/TensorExt/IR/TensorExtOps.h"
#include "iree/compiler/Dialect/TensorExt/IR/TensorExtTypes.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::iree_compiler;
using namespace mlir::iree_compiler::IREE;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

static void setIfNew(Operation *op, StringRef name, Attribute value) {
  if (value && !op->hasAttr(name))
    op->setAttr(name, value);
}

/// Of the executable that is compiled, if it says.
static GPU::TargetAttr findTarget(Operation *op) {
  auto executable = HAL::ExecutableTargetAttr::lookup(op);
  DictionaryAttr config =
      executable ? executable.getConfiguration() : DictionaryAttr();
  return config ? config.getAs<GPU::TargetAttr>("iree_codegen.target_info")
                : GPU::TargetAttr();
}

/// What IREE knows of the machine, as a device spec; null when it is nothing.
static Attribute getTargetSpec(FunctionOpInterface kernel,
                               Codegen::TranslationInfoAttr info) {
  Builder b(kernel.getContext());
  SmallVector<DataLayoutEntryInterface> entries;
  auto add = [&](StringRef key, Attribute value) {
    entries.push_back(DataLayoutEntryAttr::get(b.getStringAttr(key), value));
  };
  GPU::TargetAttr target = findTarget(kernel);
  int64_t subgroupSize = info ? info.getSubgroupSize() : 0;
  if (target) {
    if (lookupTarget(target.getArch()))
      add("chip", b.getStringAttr(target.getArch()));
    add("workgroup_bytes",
        b.getI64IntegerAttr(target.getWgp().getMaxWorkgroupMemoryBytes()));
    add("max_threads",
        b.getI64IntegerAttr(target.getWgp().getMaxThreadCountPerWorkgroup()));
    if (subgroupSize == 0)
      subgroupSize = target.getPreferredSubgroupSize();
  }
  if (subgroupSize != 0)
    add("subgroup_size", b.getI64IntegerAttr(subgroupSize));
  if (entries.empty())
    return {};
  auto device = TargetDeviceSpecAttr::get(b.getContext(), entries);
  DataLayoutEntryInterface entry =
      DataLayoutEntryAttr::get(b.getStringAttr("GPU"), device);
  return TargetSystemSpecAttr::get(b.getContext(), entry);
}

void memspace::iree::annotateKernel(FunctionOpInterface kernel) {
  Builder b(kernel.getContext());
  auto info =
      kernel->getAttrOfType<Codegen::TranslationInfoAttr>("translation_info");
  if (info && !info.getWorkgroupSize().empty()) {
    SmallVector<int32_t> size(info.getWorkgroupSize());
    size.resize(3, 1);
    setIfNew(kernel, "gpu.known_block_size", b.getDenseI32ArrayAttr(size));
  }
  auto space = [&](gpu::AddressSpace space) {
    return gpu::AddressSpaceAttr::get(b.getContext(), space);
  };
  Attribute global[] = {HAL::DescriptorTypeAttr::get(
                            b.getContext(), HAL::DescriptorType::StorageBuffer),
                        HAL::DescriptorTypeAttr::get(
                            b.getContext(), HAL::DescriptorType::UniformBuffer),
                        amdgpu::AddressSpaceAttr::get(
                            b.getContext(), amdgpu::AddressSpace::FatRawBuffer),
                        space(gpu::AddressSpace::Global)};
  setIfNew(
      kernel, "memspace.memory_spaces",
      b.getDictionaryAttr(
          {b.getNamedAttr("private", space(gpu::AddressSpace::Private)),
           b.getNamedAttr("workgroup", space(gpu::AddressSpace::Workgroup)),
           b.getNamedAttr("global", b.getArrayAttr(global))}));
  setIfNew(kernel, "iree_memspace_target", getTargetSpec(kernel, info));
}

//===----------------------------------------------------------------------===//
// Tensors of bindings
//===----------------------------------------------------------------------===//

namespace {
/// Turns the tensors that a kernel loads and stores into views of memrefs.
class TensorImport {
public:
  explicit TensorImport(FunctionOpInterface kernel)
      : kernel(kernel), rewriter(kernel.getContext()), dominance(kernel) {}

  LogicalResult run();

private:
  LogicalResult checkBindings();
  LogicalResult replaceSubspan(HAL::InterfaceBindingSubspanOp subspan);
  void replaceLoad(Codegen::LoadFromBufferOp load);
  void replaceLoad(Operation *op, Value memref, bool isWritable);
  void replaceStore(Operation *op, Value tensor, Value memref);
  template <typename OpT>
  Value getPart(OpT op, RankedTensorType tensor, Value memref);

  /// A slice of a memref, which has one view.
  struct Part {
    SmallVector<OpFoldResult> offsets, sizes, strides;
    Value view;
  };

  FunctionOpInterface kernel;
  IRRewriter rewriter;
  DominanceInfo dominance;
  /// The first name of what these name once more.
  DenseMap<HAL::InterfaceBindingSubspanOp, HAL::InterfaceBindingSubspanOp>
      names;
  /// Of the binding that is being replaced.
  SmallVector<Part> parts;
};
} // namespace

/// Null for one that is not of shape and element.
static ShapedType getContents(HAL::InterfaceBindingSubspanOp subspan) {
  Type type = subspan.getResult().getType();
  if (auto tensor = dyn_cast<TensorExt::DispatchTensorType>(type))
    return dyn_cast<RankedTensorType>(tensor.getBoundType());
  return dyn_cast<MemRefType>(type);
}

/// The extents of a binding.
static SmallVector<OpFoldResult>
getExtents(HAL::InterfaceBindingSubspanOp subspan) {
  ShapedType type = getContents(subspan);
  return getMixedValues(type.getShape(), subspan.getDynamicDims(),
                        subspan.getContext());
}

/// The slice of `memref` that `op` loads or stores: what is loaded from where
/// it is stored is updated in place, so that both need one view. Null after a
/// diagnostic.
template <typename OpT>
Value TensorImport::getPart(OpT op, RankedTensorType tensor, Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  // IREE has constants as numbers here and as values there.
  auto asNumbers = [&](SmallVector<OpFoldResult> list) {
    for (OpFoldResult &entry : list)
      if (std::optional<int64_t> number = getConstantIntValue(entry))
        entry = rewriter.getIndexAttr(*number);
    return list;
  };
  Part part{asNumbers(op.getMixedOffsets()),
            asNumbers(op.getMixedSizes()),
            asNumbers(op.getMixedStrides()),
            {}};
  bool isWhole =
      tensor.getShape() == type.getShape() &&
      llvm::all_of(part.offsets, isZeroInteger) &&
      llvm::all_of(part.strides, isOneInteger) &&
      part.sizes ==
          asNumbers(getExtents(
              memref.getDefiningOp<HAL::InterfaceBindingSubspanOp>()));
  if (isWhole)
    return memref;
  for (auto [dim, extent] : llvm::enumerate(type.getShape())) {
    std::optional<int64_t> offset = getConstantIntValue(part.offsets[dim]),
                           size = getConstantIntValue(part.sizes[dim]),
                           stride = getConstantIntValue(part.strides[dim]);
    if (ShapedType::isDynamic(extent) || !offset || !size || !stride ||
        *size == 0)
      continue;
    std::optional<int64_t> last =
        llvm::checkedMulAdd(*size - 1, *stride, *offset);
    if (last && *offset >= 0 && *last >= 0 && *last < extent)
      continue;
    op.emitError("is of elements outside of the binding: dimension ")
        << dim << " has " << extent << " elements";
    return {};
  }
  auto partType =
      cast<MemRefType>(memref::SubViewOp::inferRankReducedResultType(
          tensor.getShape(), type, part.offsets, part.sizes, part.strides));
  if (failed(verifyCompatibleShape(tensor.getShape(), partType.getShape()))) {
    op.emitError("names a part of the binding of other sizes than those of ")
        << tensor << ", which is what it loads or stores; make them the same";
    return {};
  }
  for (const Part &known : parts)
    if (known.view.getType() == partType && known.offsets == part.offsets &&
        known.sizes == part.sizes && known.strides == part.strides &&
        dominance.properlyDominates(known.view.getDefiningOp(), op))
      return known.view;
  part.view = memref::SubViewOp::create(rewriter, op.getLoc(), partType, memref,
                                        part.offsets, part.sizes, part.strides);
  parts.push_back(part);
  return part.view;
}

/// `type` with the extents of a memref, which may be known better.
static RankedTensorType getTensorOf(Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  return RankedTensorType::get(type.getShape(), type.getElementType());
}

void TensorImport::replaceLoad(Operation *op, Value memref, bool isWritable) {
  Value tensor = bufferization::ToTensorOp::create(
      rewriter, op->getLoc(), getTensorOf(memref), memref, /*restrict=*/true,
      isWritable);
  Type type = op->getResult(0).getType();
  if (type != tensor.getType())
    tensor = tensor::CastOp::create(rewriter, op->getLoc(), type, tensor);
  rewriter.replaceOp(op, tensor);
}

void TensorImport::replaceStore(Operation *op, Value tensor, Value memref) {
  RankedTensorType type = getTensorOf(memref);
  if (type != tensor.getType())
    tensor = tensor::CastOp::create(rewriter, op->getLoc(), type, tensor);
  auto store = bufferization::MaterializeInDestinationOp::create(
      rewriter, op->getLoc(), tensor, memref);
  store.setRestrict(true);
  store.setWritable(true);
  rewriter.eraseOp(op);
}

/// Nothing is written through it.
static bool isReadOnly(HAL::InterfaceBindingSubspanOp subspan) {
  auto isSet = [](HAL::DescriptorFlags flags) {
    return bitEnumContainsAll(flags, HAL::DescriptorFlags::ReadOnly);
  };
  if (auto tensor = dyn_cast<TensorExt::DispatchTensorType>(
          subspan.getResult().getType());
      tensor && tensor.getAccess() == TensorExt::TensorAccess::ReadOnly)
    return true;
  auto flags = subspan.getDescriptorFlags();
  return (flags && isSet(*flags)) ||
         isSet(subspan.getPipelineBindingAttr().getFlags());
}

static OpFoldResult getFirstByte(HAL::InterfaceBindingSubspanOp subspan) {
  Builder b(subspan.getContext());
  if (!subspan.getByteOffset())
    return b.getIndexAttr(0);
  if (std::optional<int64_t> byte =
          getConstantIntValue(subspan.getByteOffset()))
    return b.getIndexAttr(*byte);
  return subspan.getByteOffset();
}

/// The byte behind its last one, if that is known.
static std::optional<int64_t> getLastByte(HAL::InterfaceBindingSubspanOp part) {
  std::optional<int64_t> first = getConstantIntValue(getFirstByte(part));
  ShapedType type = getContents(part);
  auto memref = dyn_cast_or_null<MemRefType>(type);
  auto tensor = dyn_cast_or_null<RankedTensorType>(type);
  bool isDense =
      type && type.hasStaticShape() &&
      (memref ? memref.getLayout().isIdentity() : !tensor.getEncoding());
  if (!first || !isDense || !type.getElementType().isIntOrFloat())
    return std::nullopt;
  // Elements of less than a byte may have one each.
  int64_t bytes =
      llvm::divideCeil(type.getElementType().getIntOrFloatBitWidth(), 8);
  std::optional<int64_t> size = llvm::checkedMul(type.getNumElements(), bytes);
  return size ? llvm::checkedAdd(*first, *size) : std::nullopt;
}

/// Where `a` ends before `b` begins.
static bool isBefore(HAL::InterfaceBindingSubspanOp a,
                     HAL::InterfaceBindingSubspanOp b) {
  std::optional<int64_t> end = getLastByte(a),
                         begin = getConstantIntValue(getFirstByte(b));
  return end && begin && *end <= *begin;
}

bool memspace::iree::areApart(HAL::InterfaceBindingSubspanOp a,
                              HAL::InterfaceBindingSubspanOp b) {
  return (isReadOnly(a) && isReadOnly(b)) || isBefore(a, b) || isBefore(b, a);
}

bool memspace::iree::isEqual(HAL::InterfaceBindingSubspanOp a,
                             HAL::InterfaceBindingSubspanOp b) {
  return getContents(a) && getContents(a) == getContents(b) &&
         getFirstByte(a) == getFirstByte(b) &&
         a.getDynamicDims() == b.getDynamicDims();
}

/// Views of one binding of which one is written would break the promise that
/// tensors of them are apart.
LogicalResult TensorImport::checkBindings() {
  llvm::MapVector<Attribute, SmallVector<HAL::InterfaceBindingSubspanOp>>
      byBinding;
  kernel.walk([&](HAL::InterfaceBindingSubspanOp subspan) {
    byBinding[subspan.getBindingAttr()].push_back(subspan);
  });
  for (auto &[binding, parts] : byBinding)
    for (auto [index, part] : llvm::enumerate(parts))
      for (HAL::InterfaceBindingSubspanOp other :
           ArrayRef(parts).take_front(index)) {
        if (iree::areApart(part, other))
          continue;
        if (iree::isEqual(part, other) &&
            dominance.properlyDominates(other.getOperation(),
                                        part.getOperation())) {
          names.try_emplace(part, names.lookup_or(other, other));
          continue;
        }
        InFlightDiagnostic error =
            part.emitError("is a part of binding ")
            << cast<IntegerAttr>(binding).getInt()
            << ", of which another part is named, and one of them may be "
               "written: tensors of both may overlap; make them one subspan, "
               "give them constant offsets and sizes that keep them apart, "
               "mark both 'ReadOnly', or use different bindings";
        error.attachNote(other.getLoc()) << "the other part";
        return error;
      }
  return success();
}

LogicalResult
TensorImport::replaceSubspan(HAL::InterfaceBindingSubspanOp subspan) {
  auto type =
      dyn_cast<TensorExt::DispatchTensorType>(subspan.getResult().getType());
  if (!type)
    return success();
  auto tensorType = dyn_cast<RankedTensorType>(type.getBoundType());
  if (!tensorType)
    return subspan.emitError("has a tensor without a rank; give it one");
  bool isWritable = !isReadOnly(subspan);
  SmallVector<Value> known = {subspan.getResult()};
  for (auto [other, first] : names)
    if (first == subspan) {
      known.push_back(HAL::InterfaceBindingSubspanOp(other).getResult());
      isWritable |= !isReadOnly(other);
    }
  SmallVector<Operation *> users;
  kernel.walk([&](Operation *op) {
    if (llvm::any_of(op->getOperands(), [&](Value operand) {
          return llvm::is_contained(known, operand);
        }))
      users.push_back(op);
  });
  for (Operation *user : users)
    if (!isa<TensorExt::DispatchTensorLoadOp, TensorExt::DispatchTensorStoreOp>(
            user))
      return user->emitError("uses a tensor of a binding, but is neither a "
                             "load nor a store of it; bufferize it before");
  rewriter.setInsertionPoint(subspan);
  auto memref = HAL::InterfaceBindingSubspanOp::create(
      rewriter, subspan.getLoc(),
      MemRefType::get(
          tensorType.getShape(), tensorType.getElementType(),
          MemRefLayoutAttrInterface(),
          HAL::DescriptorTypeAttr::get(kernel.getContext(),
                                       HAL::DescriptorType::StorageBuffer)),
      subspan.getLayout(), subspan.getBinding(), subspan.getByteOffset(),
      subspan.getDynamicDims(), subspan.getAlignmentAttr(),
      subspan.getDescriptorFlagsAttr());
  parts.clear();
  for (Operation *user : users) {
    rewriter.setInsertionPoint(user);
    auto load = dyn_cast<TensorExt::DispatchTensorLoadOp>(user);
    auto store = dyn_cast<TensorExt::DispatchTensorStoreOp>(user);
    Value part =
        load
            ? getPart(load, load.getType(), memref)
            : getPart(store, cast<RankedTensorType>(store.getValue().getType()),
                      memref);
    if (!part)
      return failure();
    if (load)
      replaceLoad(load, part, isWritable);
    else
      replaceStore(store, store.getValue(), part);
  }
  for (Value name : known)
    rewriter.eraseOp(name.getDefiningOp());
  return success();
}

void TensorImport::replaceLoad(Codegen::LoadFromBufferOp load) {
  Value root = load.getBuffer();
  while (Operation *def = root.getDefiningOp()) {
    if (!isa<ViewLikeOpInterface, amdgpu::FatRawBufferCastOp,
             memref::AssumeAlignmentOp>(def))
      break;
    root = def->getOperand(0);
  }
  auto subspan = root.getDefiningOp<HAL::InterfaceBindingSubspanOp>();
  rewriter.setInsertionPoint(load);
  replaceLoad(load, load.getBuffer(),
              /*isWritable=*/!subspan || !isReadOnly(subspan));
}

LogicalResult TensorImport::run() {
  SmallVector<HAL::InterfaceBindingSubspanOp> subspans;
  SmallVector<Codegen::LoadFromBufferOp> loads;
  SmallVector<Codegen::StoreToBufferOp> stores;
  kernel.walk([&](Operation *op) {
    if (auto subspan = dyn_cast<HAL::InterfaceBindingSubspanOp>(op))
      subspans.push_back(subspan);
    if (auto load = dyn_cast<Codegen::LoadFromBufferOp>(op))
      loads.push_back(load);
    if (auto store = dyn_cast<Codegen::StoreToBufferOp>(op))
      stores.push_back(store);
  });
  bool hasTensors =
      !loads.empty() || !stores.empty() ||
      llvm::any_of(subspans, [](HAL::InterfaceBindingSubspanOp subspan) {
        return isa<TensorExt::DispatchTensorType>(
            subspan.getResult().getType());
      });
  if (!hasTensors)
    return success();
  if (failed(checkBindings()))
    return failure();
  for (HAL::InterfaceBindingSubspanOp subspan : subspans)
    if (auto first = names.lookup(subspan);
        first && isa<MemRefType>(subspan.getResult().getType()))
      rewriter.replaceOp(subspan, first);
  for (HAL::InterfaceBindingSubspanOp subspan : subspans)
    if (!names.contains(subspan) && failed(replaceSubspan(subspan)))
      return failure();
  for (Codegen::LoadFromBufferOp load : loads)
    replaceLoad(load);
  for (Codegen::StoreToBufferOp store : stores) {
    rewriter.setInsertionPoint(store);
    replaceStore(store, store.getTensor(), store.getBuffer());
  }
  return success();
}

LogicalResult memspace::iree::importTensors(FunctionOpInterface kernel) {
  return TensorImport(kernel).run();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct ImportPass : public PassWrapper<ImportPass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ImportPass)

  StringRef getArgument() const override { return "iree-memspace-import"; }
  StringRef getDescription() const override {
    return "Give kernels of IREE the form that MemSpace's passes take";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<
        amdgpu::AMDGPUDialect, bufferization::BufferizationDialect, DLTIDialect,
        arith::ArithDialect, gpu::GPUDialect, Codegen::IREECodegenDialect,
        linalg::LinalgDialect, memref::MemRefDialect, scf::SCFDialect,
        tensor::TensorDialect, vector::VectorDialect, HAL::HALDialect>();
  }
  ImportPass() = default;
  ImportPass(const ImportPass &other) : PassWrapper(other) {}
  ListOption<int32_t> blockSize{
      *this, "block-size",
      llvm::cl::desc("Threads of a workgroup in x, y and z where no "
                     "translation_info says it")};

  void runOnOperation() override {
    getOperation()->walk([&](FunctionOpInterface kernel) {
      if (kernel.isExternal())
        return;
      iree::annotateKernel(kernel);
      if (!blockSize.empty()) {
        SmallVector<int32_t> size(blockSize.begin(), blockSize.end());
        size.resize(3, 1);
        setIfNew(kernel, "gpu.known_block_size",
                 DenseI32ArrayAttr::get(&getContext(), size));
      }
      if (failed(iree::importOps(kernel)) ||
          failed(iree::importSignature(kernel)) ||
          failed(iree::importTensors(kernel)))
        signalPassFailure();
    });
  }
};
} // namespace

void memspace::iree::registerPasses() { PassRegistration<ImportPass>(); }
