//===- OutlineKernels.cpp - func.func kernels into gpu.modules -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostLaunches.h"
#include "IR/ShapedSlices.h"
#include "MemSpace/Kernel/KernelContext.h"
#include "MemSpace/Memory/BufferSize.h"
#include "MemSpace/Memory/BufferUses.h"
#include "MemSpace/Transforms/Passes.h"
#include "Transforms/Support/InputChecks.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/Support/MathExtras.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_OUTLINEKERNELSPASS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

namespace {
/// What a kernel takes along into its gpu.module.
struct KernelParts {
  func::FuncOp func;
  TargetInfo target;
  LaunchShape shape;
  MemorySpaceMapping spaces;
  /// The calls of the host that launch it.
  SmallVector<func::CallOp> launches;
  /// Allocations of workgroup memory.
  SmallVector<memref::AllocOp> arenas;
  int64_t workgroupBytes = 0;
  /// Functions and globals that it refers to, callees after their callers.
  SmallVector<func::FuncOp> callees;
  SmallVector<memref::GlobalOp> globals;
};

struct OutlineKernelsPass
    : public memspace::impl::OutlineKernelsPassBase<OutlineKernelsPass> {
  using Base::Base;
  void runOnOperation() override;

private:
  FailureOr<KernelParts> collect(func::FuncOp func);
  void outline(KernelParts &parts);
  Attribute getTargetAttr(const KernelParts &parts);
};
} // namespace

//===----------------------------------------------------------------------===//
// What can be outlined
//===----------------------------------------------------------------------===//

/// One error when `func` is more than a kernel.
static LogicalResult checkFunction(func::FuncOp func) {
  if (func.getNumResults() != 0)
    return func.emitError() << "kernel '" << func.getName()
                            << "' returns values; write them to its arguments";
  if (!isa_and_nonnull<ModuleOp, gpu::GPUModuleOp>(func->getParentOp()))
    return func.emitError()
           << "kernel '" << func.getName() << "' must be directly in a module";
  return success();
}

/// One error for memory that would lower to malloc or to a dynamic stack.
static LogicalResult checkAllocation(Operation *op, KernelParts &parts) {
  Block *entry = &parts.func.front();
  if (auto alloc = dyn_cast<memref::AllocOp>(op)) {
    bool isArena = isWorkgroupMemory(alloc.getType(), parts.spaces) &&
                   alloc.getType().hasStaticShape() && op->getBlock() == entry;
    if (!isArena)
      return op->emitError()
             << "would be allocated dynamically in kernel '"
             << parts.func.getName()
             << "'; a kernel has only static memory: run "
                "memspace-pack-workgroup-memory first, or use a memref.alloca "
                "or an argument";
    parts.arenas.push_back(alloc);
    return success();
  }
  if (auto alloca = dyn_cast<memref::AllocaOp>(op)) {
    if (isWorkgroupMemory(alloca.getType(), parts.spaces))
      return op->emitError() << "workgroup memory cannot be on the stack; run "
                                "memspace-pack-workgroup-memory first";
    if (!alloca.getType().hasStaticShape())
      return op->emitError() << "would make a dynamic stack in kernel '"
                             << parts.func.getName() << "'; bound its extents";
    if (mayOutliveIteration(op))
      return op->emitError()
             << "stack memory of one iteration is used in another and cannot "
                "be moved to the entry of kernel '"
             << parts.func.getName() << "'; allocate it before the loop";
    return success();
  }
  if (auto dealloc = dyn_cast<memref::DeallocOp>(op)) {
    auto type = dyn_cast<MemRefType>(dealloc.getMemref().getType());
    if (!type || !isWorkgroupMemory(type, parts.spaces))
      return op->emitError()
             << "would free memory in kernel '" << parts.func.getName()
             << "', which has only static memory; leave it out";
    return success();
  }
  for (OpResult result : op->getResults())
    if (isa<BaseMemRefType>(result.getType()) &&
        hasEffect<MemoryEffects::Allocate>(op, result))
      return op->emitError()
             << "would be allocated dynamically in kernel '"
             << parts.func.getName() << "'; a kernel has only static memory";
  return success();
}

/// True when the kernel needs more workgroup memory than its target can declare
/// statically.
static bool isDynamic(const KernelParts &parts) {
  return parts.target.vendor == TargetVendor::NVIDIA &&
         parts.workgroupBytes > parts.target.workgroupBytes;
}

/// True for bytes that only views name, as those of an arena: dynamic shared
/// memory can take their place.
static bool isBytesOfViews(memref::AllocOp alloc) {
  MemRefType type = alloc.getType();
  return type.getRank() == 1 && type.getElementType().isInteger(8) &&
         type.getLayout().isIdentity() &&
         llvm::all_of(alloc->getUsers(), llvm::IsaPred<memref::ViewOp>);
}

/// Adds the callees, globals and arenas of `parts.func` to `parts`.
static LogicalResult collectSymbols(KernelParts &parts) {
  func::FuncOp func = parts.func;
  llvm::SetVector<Operation *> symbols;
  auto visit = [&](Operation *op) -> WalkResult {
    if (auto call = dyn_cast<CallOpInterface>(op)) {
      auto callee = dyn_cast_or_null<func::FuncOp>(call.resolveCallable());
      if (!callee || callee.isExternal())
        return op->emitError()
               << "calls a function without a body in kernel '"
               << func.getName()
               << "'; give it a body, which goes along to the GPU";
      if (isKernel(callee))
        return op->emitError()
               << "launches a kernel in kernel '" << func.getName()
               << "'; only the host launches kernels, and a kernel calls "
                  "functions without 'gpu.known_block_size'";
      if (symbols.insert(callee))
        parts.callees.push_back(callee);
    }
    if (auto get = dyn_cast<memref::GetGlobalOp>(op)) {
      auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
          op, get.getNameAttr());
      bool isWorkgroup = isWorkgroupMemory(get.getType(), parts.spaces);
      if (!global || (!global.getConstant() && !isWorkgroup))
        return op->emitError()
               << "refers to the global '" << get.getName()
               << "' of the host in kernel '" << func.getName()
               << "'; only constants go along to the GPU, pass the memory as "
                  "an argument";
      if (symbols.insert(global))
        parts.globals.push_back(global);
    }
    return checkAllocation(op, parts);
  };
  if (func.walk(visit).wasInterrupted())
    return failure();
  // Callees may call further functions; the list grows.
  for (size_t i = 0; i < parts.callees.size(); ++i)
    if (func::FuncOp(parts.callees[i]).walk(visit).wasInterrupted())
      return failure();
  return success();
}

/// Sums up the bytes of the arenas, which the target must have.
static LogicalResult countWorkgroupBytes(KernelParts &parts) {
  func::FuncOp func = parts.func;
  const TargetInfo &target = parts.target;
  for (memref::AllocOp arena : parts.arenas) {
    std::optional<int64_t> bytes = getBufferBytes(arena.getType(), target);
    if (!bytes)
      return arena.emitError() << "has no static size in bytes";
    parts.workgroupBytes = llvm::alignTo(
        parts.workgroupBytes,
        getBufferAlignment(arena.getType().getElementType(), target));
    if (llvm::AddOverflow(parts.workgroupBytes, *bytes, parts.workgroupBytes))
      return arena.emitError()
             << "needs more bytes than can be counted; use a smaller buffer";
  }
  if (parts.workgroupBytes > target.maxWorkgroupBytes) {
    auto diag = func.emitError()
                << "kernel '" << func.getName() << "' allocates "
                << parts.workgroupBytes
                << " bytes of workgroup memory, but a workgroup may use "
                << target.maxWorkgroupBytes << " on " << target.chip;
    if (parts.arenas.size() > 1)
      diag.attachNote() << "each of its " << parts.arenas.size()
                        << " buffers has a place of its own; run "
                           "memspace-pack-workgroup-memory first";
    return diag;
  }
  if (isDynamic(parts) &&
      (parts.arenas.size() > 1 || !isBytesOfViews(parts.arenas.front())))
    return func.emitError()
           << "kernel '" << func.getName() << "' needs dynamic shared memory "
           << "for " << parts.workgroupBytes
           << " bytes, which takes one arena; run "
              "memspace-pack-workgroup-memory first";
  // The only attribute that the op of the gpu dialect takes.
  Attribute workgroup = MemorySpaceMapping().toAttribute(
      func.getContext(), MemorySpace::Workgroup);
  if (isDynamic(parts) &&
      parts.arenas.front().getType().getMemorySpace() != workgroup)
    return func.emitError()
           << "kernel '" << func.getName() << "' needs dynamic shared memory "
           << "for " << parts.workgroupBytes << " bytes, which has "
           << workgroup << "; write workgroup memory so, or use at most "
           << parts.target.workgroupBytes << " bytes";
  return success();
}

FailureOr<KernelParts> OutlineKernelsPass::collect(func::FuncOp func) {
  FailureOr<TargetInfo> target =
      resolveTarget(func, {chip, workgroupLimit, privateLimit, subgroupSize});
  if (failed(target))
    return failure();
  FailureOr<MemorySpaceMapping> spaces =
      MemorySpaceMapping::resolve(func, memorySpaces);
  if (failed(spaces))
    return failure();
  FailureOr<KernelContext> context =
      KernelContext::create(func, *target, {}, *spaces);
  if (failed(context) || failed(checkFunction(func)) ||
      failed(checkInput(func, *spaces)))
    return failure();
  KernelParts parts;
  parts.func = func;
  parts.target = *target;
  parts.shape = context->getShape();
  parts.spaces = *spaces;
  FailureOr<SmallVector<func::CallOp>> launches =
      getLaunches(func, parts.shape);
  if (failed(launches) || failed(collectSymbols(parts)) ||
      failed(countWorkgroupBytes(parts)))
    return failure();
  parts.launches = std::move(*launches);
  if (!memorySpaces.empty())
    parts.spaces.setInIR(func);
  return parts;
}

//===----------------------------------------------------------------------===//
// Targets
//===----------------------------------------------------------------------===//

/// Upstream's target attribute around `op`, when the IR already has one.
static Attribute findTargetAttr(Operation *op) {
  auto isTarget = [](Attribute attr) {
    return isa_and_nonnull<NVVM::NVVMTargetAttr, ROCDL::ROCDLTargetAttr>(attr);
  };
  for (; op; op = op->getParentOp()) {
    if (auto targets = op->getAttrOfType<ArrayAttr>("targets"))
      for (Attribute attr : targets)
        if (isTarget(attr))
          return attr;
    for (StringRef name : {StringRef(kTargetAttr), StringRef("gpu.target")})
      if (isTarget(op->getAttr(name)))
        return op->getAttr(name);
  }
  return {};
}

Attribute OutlineKernelsPass::getTargetAttr(const KernelParts &parts) {
  if (chip.empty())
    if (Attribute attr = findTargetAttr(parts.func))
      return attr;
  const TargetInfo &target = parts.target;
  MLIRContext *context = &getContext();
  // "gfx942:sramecc+" is the chip gfx942 with the feature +sramecc.
  SmallVector<StringRef> pieces;
  StringRef(target.chip).split(pieces, ':');
  SmallVector<std::string> features;
  for (StringRef piece : llvm::drop_begin(pieces))
    if (!piece.empty())
      features.push_back((Twine(piece.back()) + piece.drop_back()).str());

  switch (target.vendor) {
  case TargetVendor::NVIDIA:
    return NVVM::NVVMTargetAttr::get(context, /*optLevel=*/3,
                                     "nvptx64-nvidia-cuda", pieces[0],
                                     target.backendFeatures);
  case TargetVendor::AMD: {
    // gfx9 has only waves of 64; the others default to 32.
    std::optional<TargetInfo> chipDefault = lookupTarget(target.chip);
    if (chipDefault && chipDefault->subgroupSize == 32 &&
        target.subgroupSize == 64)
      features.push_back("+wavefrontsize64");
    // The optimizer would put private arrays into workgroup memory behind the
    // back of the budget.
    features.push_back("-promote-alloca");
    DictionaryAttr flags;
    if (target.subgroupSize == 32)
      flags = DictionaryAttr::get(
          context, NamedAttribute(StringAttr::get(context, "no_wave64"),
                                  UnitAttr::get(context)));
    return ROCDL::ROCDLTargetAttr::get(context, /*optLevel=*/3,
                                       "amdgcn-amd-amdhsa", pieces[0],
                                       llvm::join(features, ","), "600", flags);
  }
  case TargetVendor::Generic:
    return {};
  }
  llvm_unreachable("unknown vendor");
}

//===----------------------------------------------------------------------===//
// Outlining
//===----------------------------------------------------------------------===//

/// The arguments of `func` and its attributes on a new, empty gpu.func.
static gpu::GPUFuncOp createKernel(OpBuilder &builder, KernelParts &parts,
                                   TypeRange attributions) {
  func::FuncOp func = parts.func;
  auto kernel = gpu::GPUFuncOp::create(builder, func.getLoc(), func.getName(),
                                       func.getFunctionType(), attributions);
  kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                  builder.getUnitAttr());
  if (ArrayAttr attrs = func.getArgAttrsAttr())
    kernel.setArgAttrsAttr(attrs);
  const LaunchShape &shape = parts.shape;
  auto toAttr = [&](std::array<int64_t, 3> sizes) {
    return builder.getDenseI32ArrayAttr(
        SmallVector<int32_t>(sizes.begin(), sizes.end()));
  };
  kernel.setKnownBlockSizeAttr(toAttr(shape.block));
  if (shape.grid)
    kernel.setKnownGridSizeAttr(toAttr(*shape.grid));
  for (NamedAttribute attr : func->getDiscardableAttrs())
    if (!isa_and_nonnull<gpu::GPUDialect>(attr.getNameDialect()))
      kernel->setAttr(attr.getName(), attr.getValue());
  return kernel;
}

/// A constant goes to global memory explicitly: AMDGPU has no globals in the
/// generic address space.
static void cloneGlobal(OpBuilder &builder, memref::GlobalOp global,
                        const MemorySpaceMapping &spaces) {
  auto clone = cast<memref::GlobalOp>(builder.clone(*global));
  SymbolTable::setSymbolVisibility(clone, SymbolTable::Visibility::Private);
  MemRefType type = clone.getType();
  if (!type.getMemorySpace())
    clone.setType(MemRefType::get(
        type.getShape(), type.getElementType(), type.getLayout(),
        spaces.toAttribute(builder.getContext(), MemorySpace::Global)));
}

/// Makes `get` fit the moved global again.
static void castGlobal(memref::GetGlobalOp get, memref::GlobalOp global) {
  Value result = get.getResult();
  if (result.getType() == global.getType())
    return;
  Type type = result.getType();
  result.setType(global.getType());
  OpBuilder builder(get->getContext());
  builder.setInsertionPointAfter(get);
  auto cast =
      memref::MemorySpaceCastOp::create(builder, get.getLoc(), type, result);
  result.replaceAllUsesExcept(cast, cast);
}

/// What the backends cannot lower as it stands.
static void legalizeBody(Operation *function) {
  SmallVector<memref::AllocaOp> allocas;
  SmallVector<memref::CopyOp> copies;
  SmallVector<memref::DeallocOp> deallocs;
  SmallVector<func::ReturnOp> returns;
  function->walk([&](Operation *op) {
    if (auto alloca = dyn_cast<memref::AllocaOp>(op))
      allocas.push_back(alloca);
    else if (auto copy = dyn_cast<memref::CopyOp>(op))
      copies.push_back(copy);
    else if (auto dealloc = dyn_cast<memref::DeallocOp>(op))
      deallocs.push_back(dealloc);
    else if (auto ret = dyn_cast<func::ReturnOp>(op))
      returns.push_back(ret);
  });
  // Workgroup memory is there until the workgroup ends.
  for (memref::DeallocOp dealloc : deallocs)
    dealloc.erase();
  // In a loop or a branch it would be a dynamic stack.
  Block *entry = &function->getRegion(0).front();
  for (memref::AllocaOp alloca : llvm::reverse(allocas))
    alloca->moveBefore(entry, entry->begin());
  // A strided copy would become a call of the host's runtime.
  for (memref::CopyOp copy : copies) {
    OpBuilder builder(copy);
    linalg::makeMemRefCopyOp(builder, copy.getLoc(), copy.getSource(),
                             copy.getTarget());
    copy.erase();
  }
  if (!isa<gpu::GPUFuncOp>(function))
    return;
  for (func::ReturnOp ret : returns) {
    OpBuilder builder(ret);
    gpu::ReturnOp::create(builder, ret.getLoc());
    ret.erase();
  }
}

/// Keeps what a launch must know where `gpu-module-to-binary` leaves it.
static void recordFigures(ModuleOp module, gpu::GPUFuncOp kernel) {
  NamedAttrList figures;
  for (StringRef name :
       {kWorkgroupBytesAttr, kSumBytesAttr, kPeakLiveBytesAttr,
        kPrivateBytesAttr, kDynamicBytesAttr, kGridSizeAttr, kGridSymbolsAttr})
    if (Attribute value = kernel->getAttr(name))
      figures.append(name, value);
  SmallVector<int64_t> noAlias;
  for (unsigned number = 0; number < kernel.getNumArguments(); ++number)
    if (kernel.getArgAttr(number, kNoAliasAttr))
      noAlias.push_back(number);
  if (!noAlias.empty())
    figures.append(kNoAliasAttr,
                   DenseI64ArrayAttr::get(module.getContext(), noAlias));
  NamedAttrList kernels;
  if (auto known = module->getAttrOfType<DictionaryAttr>(kKernelsAttr))
    kernels = NamedAttrList(known);
  kernels.set(kernel.getName(), figures.getDictionary(module.getContext()));
  module->setAttr(kKernelsAttr, kernels.getDictionary(module.getContext()));
}

/// The module for the GPU: that around the function, else a new one with what
/// goes along.
static gpu::GPUModuleOp getGPUModule(OpBuilder &builder, KernelParts &parts) {
  func::FuncOp func = parts.func;
  if (auto gpuModule = dyn_cast<gpu::GPUModuleOp>(func->getParentOp()))
    return gpuModule;
  auto module = cast<ModuleOp>(func->getParentOp());
  module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                  builder.getUnitAttr());
  auto gpuModule = gpu::GPUModuleOp::create(builder, func.getLoc(),
                                            (func.getName() + "_module").str());
  SymbolTable(module).insert(gpuModule);
  builder.setInsertionPointToStart(gpuModule.getBody());
  for (memref::GlobalOp global : parts.globals)
    cloneGlobal(builder, global, parts.spaces);
  for (func::FuncOp callee : parts.callees) {
    auto clone = cast<func::FuncOp>(builder.clone(*callee));
    clone.setPrivate();
    legalizeBody(clone);
  }
  return gpuModule;
}

/// The body moves over; its blocks keep their order.
static void moveBody(func::FuncOp func, gpu::GPUFuncOp kernel) {
  Block *entry = &kernel.getBody().front();
  Block *oldEntry = &func.front();
  for (auto [from, to] :
       llvm::zip(oldEntry->getArguments(), entry->getArguments()))
    from.replaceAllUsesWith(to);
  entry->getOperations().splice(entry->end(), oldEntry->getOperations());
  kernel.getBody().getBlocks().splice(
      kernel.getBody().end(), func.getBody().getBlocks(),
      std::next(func.getBody().begin()), func.getBody().end());
}

/// An arena becomes the attribution `index` of the kernel.
static Value getAttribution(OpBuilder &builder, const KernelParts &parts,
                            gpu::GPUFuncOp kernel, unsigned index) {
  memref::AllocOp arena = parts.arenas[index];
  int64_t alignment = std::max<int64_t>(
      arena.getAlignment().value_or(1),
      getBufferAlignment(arena.getType().getElementType(), parts.target));
  kernel.setWorkgroupAttributionAttr(index, "llvm.align",
                                     builder.getI64IntegerAttr(alignment));
  if (arena->hasAttr(kArenaAttr))
    kernel.setWorkgroupAttributionAttr(index, kArenaAttr,
                                       builder.getUnitAttr());
  return kernel.getWorkgroupAttributions()[index];
}

/// The only arena becomes dynamic shared memory.
static Value getDynamicMemory(OpBuilder &builder, const KernelParts &parts,
                              gpu::GPUFuncOp kernel) {
  memref::AllocOp arena = parts.arenas.front();
  builder.setInsertionPoint(arena);
  auto type = MemRefType::get({ShapedType::kDynamic}, builder.getI8Type(),
                              MemRefLayoutAttrInterface(),
                              arena.getType().getMemorySpace());
  auto memory =
      gpu::DynamicSharedMemoryOp::create(builder, arena.getLoc(), type);
  if (arena->hasAttr(kArenaAttr))
    memory->setAttr(kArenaAttr, builder.getUnitAttr());
  kernel->setAttr(kDynamicBytesAttr,
                  builder.getI64IntegerAttr(parts.workgroupBytes));
  return memory;
}

void OutlineKernelsPass::outline(KernelParts &parts) {
  func::FuncOp func = parts.func;
  OpBuilder builder(func);
  gpu::GPUModuleOp gpuModule = getGPUModule(builder, parts);
  Attribute target = getTargetAttr(parts);
  if (target && !(gpuModule.getTargetsAttr() && chip.empty()))
    gpuModule.setTargetsAttr(builder.getArrayAttr(target));

  bool dynamic = isDynamic(parts);
  SmallVector<Type> attributions;
  if (!dynamic)
    for (memref::AllocOp arena : parts.arenas)
      attributions.push_back(arena.getType());
  gpu::GPUFuncOp kernel = createKernel(builder, parts, attributions);
  moveBody(func, kernel);
  for (auto [index, arena] : llvm::enumerate(parts.arenas)) {
    arena.getResult().replaceAllUsesWith(
        dynamic ? getDynamicMemory(builder, parts, kernel)
                : getAttribution(builder, parts, kernel, index));
    arena.erase();
  }
  legalizeBody(kernel);
  makeLaunches(parts.launches, kernel, parts.shape);
  if (auto module = dyn_cast<ModuleOp>(gpuModule->getParentOp()))
    recordFigures(module, kernel);
  gpuModule.walk([&](memref::GetGlobalOp get) {
    castGlobal(get, SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
                        get, get.getNameAttr()));
  });
  func.erase();
}

void OutlineKernelsPass::runOnOperation() {
  // Everything is checked before anything is moved.
  std::vector<KernelParts> kernels;
  for (FunctionOpInterface kernel : getKernels(getOperation())) {
    auto func = dyn_cast<func::FuncOp>(kernel.getOperation());
    if (!func)
      continue;
    FailureOr<KernelParts> parts = collect(func);
    if (failed(parts))
      return signalPassFailure();
    kernels.push_back(*parts);
  }
  for (KernelParts &parts : kernels)
    outline(parts);
  // Kernels that came outlined are no others.
  getOperation()->walk(
      [](gpu::GPUModuleOp module) { splitUnclearSlices(module); });
}
