//===- CheckBackend.cpp - what the backend of a target takes --------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/IR/AttributeNames.h"
#include "MemSpace/Kernel/Kernel.h"
#include "MemSpace/Target/TargetInfo.h"
#include "MemSpace/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/IR/Intrinsics.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_CHECKBACKENDPASS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;
namespace cconv = LLVM::cconv;

namespace {
/// What one of LLVM's backends takes. It ends the process for what it does not.
struct Backend {
  StringRef name;
  TargetVendor vendor;
  /// Name of the pipeline that compiles for it.
  StringRef pipeline;
  SmallVector<StringRef> dialects;
  StringRef intrinsics;
  /// Marks kernels, which then get a calling convention.
  StringRef kernelAttr;
  SmallVector<cconv::CConv> conventions;
  SmallVector<StringRef> syncscopes;
};

struct CheckBackendPass
    : public memspace::impl::CheckBackendPassBase<CheckBackendPass> {
  using Base::Base;
  void runOnOperation() override;
};
} // namespace

static const Backend &getNVPTX() {
  static const Backend nvptx{
      "NVPTX",
      TargetVendor::NVIDIA,
      "memspace-nvvm-backend-pipeline",
      {"nvvm", "nvgpu"},
      "nvvm",
      "nvvm.kernel",
      {cconv::CConv::PTX_Kernel, cconv::CConv::PTX_Device},
      {"", "singlethread", "block", "cluster", "device"}};
  return nvptx;
}

static const Backend &getAMDGPU() {
  static const Backend amdgpu{
      "AMDGPU",
      TargetVendor::AMD,
      "memspace-rocdl-backend-pipeline",
      {"rocdl", "amdgpu"},
      "amdgcn",
      "rocdl.kernel",
      {cconv::CConv::AMDGPU_KERNEL, cconv::CConv::AMDGPU_Gfx},
      {"", "singlethread", "wavefront", "workgroup", "cluster", "agent",
       "one-as", "singlethread-one-as", "wavefront-one-as", "workgroup-one-as",
       "cluster-one-as", "agent-one-as"}};
  return amdgpu;
}

static const Backend *getBackend(Attribute target) {
  if (isa<NVVM::NVVMTargetAttr>(target))
    return &getNVPTX();
  if (isa<ROCDL::ROCDLTargetAttr>(target))
    return &getAMDGPU();
  return nullptr;
}

//===----------------------------------------------------------------------===//
// One op
//===----------------------------------------------------------------------===//

static InFlightDiagnostic emitNotTaken(Operation *op, const Backend &backend) {
  return op->emitError() << "cannot be compiled by the " << backend.name
                         << " backend: ";
}

static LogicalResult checkDialects(Operation *op, const Backend &backend) {
  for (const Backend *other : {&getNVPTX(), &getAMDGPU()}) {
    if (other == &backend)
      continue;
    bool isOthers = llvm::is_contained(other->dialects,
                                       op->getName().getDialectNamespace());
    if (!isOthers && !op->hasAttr(other->kernelAttr))
      continue;
    return emitNotTaken(op, backend)
           << (isOthers ? "the op" : other->kernelAttr) << " is for "
           << other->name << "; use " << other->pipeline
           << " or an op of the gpu dialect";
  }
  return success();
}

static LogicalResult checkIntrinsic(Operation *op, StringRef name,
                                    const Backend &backend) {
  if (!name.starts_with("llvm."))
    return success();
  llvm::Intrinsic::ID id = llvm::Intrinsic::lookupIntrinsicID(name);
  if (id == llvm::Intrinsic::not_intrinsic)
    return emitNotTaken(op, backend)
           << "there is no intrinsic '" << name << "'; call another one";
  StringRef target = name.split('.').second.split('.').first;
  if (!llvm::Intrinsic::isTargetIntrinsic(id) || target == backend.intrinsics)
    return success();
  return emitNotTaken(op, backend) << "the intrinsic '" << name << "' is for "
                                   << target << "; call one of this target";
}

static LogicalResult checkConvention(Operation *op, cconv::CConv convention,
                                     const Backend &backend) {
  static constexpr cconv::CConv all[] = {cconv::CConv::C, cconv::CConv::Fast,
                                         cconv::CConv::Cold};
  if (llvm::is_contained(all, convention) ||
      llvm::is_contained(backend.conventions, convention))
    return success();
  return emitNotTaken(op, backend)
         << "it has no calling convention '"
         << cconv::stringifyCConv(convention) << "'; leave it out";
}

static LogicalResult checkSyncscope(Operation *op, StringRef scope,
                                    const Backend &backend) {
  if (llvm::is_contained(backend.syncscopes, scope))
    return success();
  auto diag = emitNotTaken(op, backend)
              << "it has no syncscope \"" << scope << "\"; use one of ";
  llvm::interleaveComma(llvm::drop_begin(backend.syncscopes), diag,
                        [&](StringRef known) { diag << '"' << known << '"'; });
  return diag;
}

static LogicalResult checkOp(Operation *op, const Backend &backend) {
  if (failed(checkDialects(op, backend)))
    return failure();
  if (auto scope = op->getAttrOfType<StringAttr>("syncscope"))
    if (isa<LLVM::LLVMDialect>(op->getDialect()) &&
        failed(checkSyncscope(op, scope.getValue(), backend)))
      return failure();
  if (auto function = dyn_cast<LLVM::LLVMFuncOp>(op))
    return failure(failed(checkIntrinsic(op, function.getName(), backend)) ||
                   failed(checkConvention(op, function.getCConv(), backend)));
  if (auto call = dyn_cast<LLVM::CallOp>(op))
    return checkConvention(op, call.getCConv(), backend);
  if (auto call = dyn_cast<LLVM::CallIntrinsicOp>(op))
    return checkIntrinsic(op, call.getIntrin(), backend);
  return success();
}

//===----------------------------------------------------------------------===//
// Kernels before the conversion
//===----------------------------------------------------------------------===//

/// True for a float of less than 16 bits for which upstream has no expansion:
/// the LLVM dialect only moves its bits.
static bool isStoredOnly(Type type) {
  auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
  return element && element.getWidth() < 16 &&
         !isa<Float4E2M1FNType, Float8E8M0FNUType>(element);
}

/// Upstream makes NVIDIA's wmma of the matrices of a subgroup, nothing of
/// AMD's.
static LogicalResult checkMatrix(Operation *op, const Backend &backend) {
  if (&backend != &getAMDGPU() ||
      !llvm::any_of(
          llvm::concat<Type>(op->getOperandTypes(), op->getResultTypes()),
          llvm::IsaPred<gpu::MMAMatrixType>))
    return success();
  return op->emitError()
         << "'" << op->getName()
         << "' on a matrix of a subgroup has no lowering to the "
         << backend.name << " backend; use amdgpu.mfma or amdgpu.wmma";
}

/// Where the op is; a payload that upstream made has no place of its own.
static Location getKnownLoc(Operation *op) {
  Operation *parent = op;
  while (isa<UnknownLoc>(parent->getLoc()) && parent->getParentOp())
    parent = parent->getParentOp();
  return parent->getLoc();
}

/// On AMD's GPUs LLVM has no function of f64 that takes more than a few
/// instructions; the device library, which has them, is not linked.
static LogicalResult checkMath(Operation *op, const Backend &backend) {
  if (&backend != &getAMDGPU() || !isa<math::MathDialect>(op->getDialect()) ||
      !llvm::any_of(
          op->getOperandTypes(),
          [](Type type) { return getElementTypeOrSelf(type).isF64(); }) ||
      isa<math::AbsFOp, math::CeilOp, math::ClampFOp, math::CopySignOp,
          math::FloorOp, math::FmaOp, math::IsFiniteOp, math::IsInfOp,
          math::IsNaNOp, math::IsNormalOp, math::RoundOp, math::RoundEvenOp,
          math::RsqrtOp, math::SqrtOp, math::TruncOp>(op))
    return success();
  return emitError(getKnownLoc(op))
         << "'" << op->getName() << "' on " << op->getOperandTypes().front()
         << " has no lowering to the " << backend.name
         << " backend: no device library is linked, and only floats of 32 bits "
            "or less are approximated; compute it in f32 ('arith.truncf', "
            "'arith.extf'), or by 'arith' ops of your own";
}

/// Refuses what the conversions to LLVM leave behind: arithmetic on small
/// floats, functions of f64, matrices of subgroups, structured ops without
/// loops, shapes with two unknown extents of one.
static LogicalResult checkKernelOp(Operation *op, const Backend &backend) {
  if (failed(checkMatrix(op, backend)) || failed(checkMath(op, backend)))
    return failure();
  bool isArithmetic =
      isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) &&
      !isa<arith::ConstantOp, arith::BitcastOp, arith::SelectOp>(op);
  if (isArithmetic) {
    for (Type type :
         llvm::concat<Type>(op->getOperandTypes(), op->getResultTypes()))
      if (isStoredOnly(type))
        return emitError(getKnownLoc(op))
               << "'" << op->getName() << "' on " << type
               << " has no lowering to a GPU; upstream converts "
                  "f4E2M1FN and f8E8M0FNU only: store the values as i8 and "
                  "decode them with integer ops, or use f16";
  }
  if (auto expand = dyn_cast<memref::ExpandShapeOp>(op);
      expand &&
      llvm::any_of(expand.getReassociationIndices(), [&](const auto &group) {
        return llvm::count_if(group, [&](int64_t dim) {
                 return expand.getResultType().isDynamicDim(dim);
               }) > 1;
      }))
    return op->emitError()
           << "'memref.expand_shape' with two dynamic sizes in one group has "
              "no lowering upstream; make all but one static, or use "
              "'memref.reinterpret_cast'";
  if (isa<linalg::LinalgDialect>(op->getDialect()) && op->getNumOperands() &&
      llvm::all_of(op->getOperandTypes(), llvm::IsaPred<BaseMemRefType>) &&
      !isa<linalg::LinalgOp>(op))
    return op->emitError() << "'" << op->getName()
                           << "' has no lowering to loops; decompose it before "
                              "bufferization";
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

static std::optional<TargetInfo> getTargetInfo(Attribute target) {
  if (auto nvvm = dyn_cast<NVVM::NVVMTargetAttr>(target))
    return lookupTarget(nvvm.getChip());
  if (auto rocdl = dyn_cast<ROCDL::ROCDLTargetAttr>(target))
    return lookupTarget(rocdl.getChip());
  return std::nullopt;
}

/// A limit that is more than the chip has lets kernels be compiled up to here.
static LogicalResult checkWorkgroupBytes(gpu::GPUFuncOp kernel,
                                         const TargetInfo &target) {
  auto bytes = kernel->getAttrOfType<IntegerAttr>(kWorkgroupBytesAttr);
  if (!bytes || bytes.getInt() <= target.maxWorkgroupBytes)
    return success();
  return kernel.emitError()
         << "kernel '" << kernel.getName() << "' takes " << bytes.getInt()
         << " bytes of workgroup memory, and a workgroup has "
         << target.maxWorkgroupBytes << " on " << target.chip
         << "; leave out 'workgroup-limit', and memspace-check-budget says "
            "what would fit";
}

/// `wanted`: the backend of the pipeline; null: that of each target.
static LogicalResult checkModule(gpu::GPUModuleOp module,
                                 const Backend *wanted) {
  for (Attribute target : module.getTargetsAttr()
                              ? module.getTargetsAttr().getValue()
                              : ArrayRef<Attribute>()) {
    const Backend *backend = getBackend(target);
    if (wanted && backend != wanted)
      return module.emitError()
             << "gpu.module '" << module.getName() << "' has the target "
             << target << ", which is not for the " << wanted->name
             << " backend; use "
             << (backend ? backend->pipeline : "upstream's passes for it")
             << " or attach another target";
    if (std::optional<TargetInfo> info = getTargetInfo(target))
      for (auto kernel : module.getOps<gpu::GPUFuncOp>())
        if (failed(checkWorkgroupBytes(kernel, *info)))
          return failure();
    if (backend && module
                       .walk([&](Operation *op) -> WalkResult {
                         return checkOp(op, *backend);
                       })
                       .wasInterrupted())
      return failure();
  }
  return success();
}

void CheckBackendPass::runOnOperation() {
  if (!backend.empty() && backend != "rocdl" && backend != "nvvm") {
    getOperation()->emitError()
        << "unknown backend '" << backend << "'; use 'rocdl' or 'nvvm'";
    return signalPassFailure();
  }
  const Backend *wanted = backend.empty()     ? nullptr
                          : backend == "nvvm" ? &getNVPTX()
                                              : &getAMDGPU();
  std::optional<TargetInfo> target = lookupTarget(backendChip);
  if (wanted && target && target->vendor != wanted->vendor) {
    const Backend &other =
        target->vendor == TargetVendor::AMD ? getAMDGPU() : getNVPTX();
    getOperation()->emitError()
        << "chip '" << backendChip << "' is compiled by the " << other.name
        << " backend, and this pipeline is for " << wanted->name << "; use "
        << other.pipeline << ", or the one to it from tensors";
    return signalPassFailure();
  }
  WalkResult result = getOperation()->walk([&](Operation *op) -> WalkResult {
    if (auto module = dyn_cast<gpu::GPUModuleOp>(op))
      if (failed(checkModule(module, wanted)))
        return failure();
    auto function = dyn_cast<FunctionOpInterface>(op);
    if (!wanted || !function ||
        (!isKernel(function) && !op->getParentOfType<gpu::GPUModuleOp>()))
      return success();
    return op->walk([&](Operation *inner) -> WalkResult {
      return checkKernelOp(inner, *wanted);
    });
  });
  if (result.wasInterrupted())
    signalPassFailure();
}
