//===- Lowering.cpp - from a kernel to the LLVM dialect -------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "LowerGathers.h"
#include "MemSpace/IR/ArgumentBounds.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/Target/TargetInfo.h"
#include "RuntimeFunctions.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Affine/Transforms/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::emulator;

//===----------------------------------------------------------------------===//
// Sites
//===----------------------------------------------------------------------===//

static constexpr llvm::StringLiteral kSiteFile("msrt");

Location emulator::makeSiteLocation(MLIRContext *context, uint32_t site) {
  return FileLineColLoc::get(context, kSiteFile, site, 1);
}

uint32_t emulator::getSite(Location loc) {
  auto position = loc->findInstanceOf<FileLineColLoc>();
  return position && position.getFilename() == kSiteFile ? position.getLine()
                                                         : 0;
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

static constexpr llvm::StringLiteral kKnownBlock("gpu.known_block_size");

bool emulator::isGPUKernel(FunctionOpInterface function) {
  auto gpuFunction = dyn_cast<gpu::GPUFuncOp>(*function);
  return (gpuFunction && gpuFunction.isKernel()) ||
         function->hasAttr(kKnownBlock);
}

FailureOr<FunctionOpInterface>
emulator::findKernel(Operation *module, const CompileOptions &options) {
  SmallVector<FunctionOpInterface> functions, kernels;
  module->walk([&](FunctionOpInterface function) {
    if (function.isExternal() || isa<LLVM::LLVMFuncOp>(*function))
      return;
    if (options.kernel.empty() || function.getName() == options.kernel) {
      functions.push_back(function);
      if (isGPUKernel(function))
        kernels.push_back(function);
    }
  });
  ArrayRef<FunctionOpInterface> candidates =
      kernels.empty() || !options.kernel.empty() ? functions : kernels;
  if (candidates.size() == 1)
    return candidates.front();
  InFlightDiagnostic diag = emitError(module->getLoc());
  if (candidates.empty()) {
    if (options.kernel.empty())
      diag << "no function to run; wanted is a 'gpu.func kernel' or a function "
              "with '"
           << kKnownBlock << "'";
    else
      diag << "no function '@" << options.kernel << "' to run";
    return failure();
  }
  diag << candidates.size() << " kernels to run; name one of them";
  for (FunctionOpInterface candidate : candidates)
    diag.attachNote(candidate.getLoc()) << "'@" << candidate.getName() << "'";
  return failure();
}

/// The space that a memory space attribute means; none for unknown ones.
static std::optional<Space> getSpace(Attribute attribute) {
  if (!attribute)
    return Space::Global;
  if (auto gpuSpace = dyn_cast<gpu::AddressSpaceAttr>(attribute)) {
    switch (gpuSpace.getValue()) {
    case gpu::AddressSpace::Workgroup:
      return Space::Workgroup;
    case gpu::AddressSpace::Private:
      return Space::Private;
    default:
      return Space::Global;
    }
  }
  // The numbers of the AMDGPU and NVPTX backends.
  if (auto number = dyn_cast<IntegerAttr>(attribute)) {
    switch (number.getInt()) {
    case 3:
      return Space::Workgroup;
    case 5:
      return Space::Private;
    case 0:
    case 1:
      return Space::Global;
    }
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The copied module
//===----------------------------------------------------------------------===//

namespace {
class KernelLowering {
public:
  KernelLowering(FunctionOpInterface kernel, const CompileOptions &options,
                 Program &program)
      : kernel(kernel), options(options), program(program),
        context(kernel->getContext()) {}

  FailureOr<OwningOpRef<ModuleOp>> run();

private:
  InFlightDiagnostic emitErrorAt(Operation *copy) {
    return emitError(program.sites[getSite(copy->getLoc())]);
  }
  LogicalResult refuseSpace(Location loc, Attribute space) {
    return emitError(loc) << "memory space '" << space
                          << "' is not known to the emulator; use "
                             "#gpu.address_space or 0, 1, 3, 5";
  }

  LogicalResult checkSignature();
  LogicalResult checkArgument(unsigned number, Type type);
  LogicalResult checkAttributions(gpu::GPUFuncOp function);
  void copyModule();
  void convertGPUFunction(gpu::GPUFuncOp function);
  LogicalResult renameFunctions();
  LogicalResult recordGlobal(memref::GlobalOp global, std::string name);
  LogicalResult recordAllocations();
  void stripMemorySpaces();
  void keepLoads();
  void storeOverwrites(IRRewriter &rewriter);
  LogicalResult lowerToLoops();
  LogicalResult runPasses(llvm::function_ref<void(OpPassManager &)> build,
                          StringRef what);

  FunctionOpInterface kernel;
  const CompileOptions &options;
  Program &program;
  MLIRContext *context;
  OwningOpRef<ModuleOp> module;
  Operation *copiedKernel = nullptr;
  /// By site: the op of the original IR.
  std::vector<OperationName> siteNames;
};
} // namespace

LogicalResult KernelLowering::checkArgument(unsigned number, Type type) {
  auto refuse = [&](const Twine &why) {
    return emitError(kernel.getLoc())
           << "argument " << number << " of type " << type << " " << why;
  };
  if (isa<TensorType>(type))
    return refuse("is a tensor; the emulator runs bufferized kernels");
  auto memref = dyn_cast<MemRefType>(type);
  if (isa<BaseMemRefType>(type) && !memref)
    return refuse("has no rank; pass a ranked memref and cast it");
  Type element = memref ? memref.getElementType() : type;
  if (getElementBytes(element) == 0)
    return refuse("has no known size; pass numbers, vectors or memrefs of "
                  "them");
  if (std::string why = refuseType(type); !why.empty())
    return refuse(why);
  if (!isHostElement(element))
    return refuse("has numbers of more than 64 bits, which a launch cannot "
                  "pass; use narrower ones");
  if (!memref)
    return success();
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(memref.getStridesAndOffset(strides, offset)))
    return refuse("has no strided layout; use 'strided' or none");
  std::optional<Space> space = getSpace(memref.getMemorySpace());
  if (!space)
    return refuseSpace(kernel.getLoc(), memref.getMemorySpace());
  if (*space != Space::Global)
    return refuse("is not in global memory; a launch cannot pass it");
  return success();
}

LogicalResult KernelLowering::checkSignature() {
  if (kernel.getNumResults())
    return emitError(kernel.getLoc()) << "a kernel has no results; return "
                                         "through memref arguments";
  for (auto [i, type] : llvm::enumerate(kernel.getArgumentTypes())) {
    if (failed(checkArgument(i, type)))
      return failure();
    program.argumentTypes.push_back(type);
    program.isNoAlias.push_back(kernel.getArgAttr(i, kNoAliasAttr) != nullptr);
    program.bounds.push_back(kernel.getArgAttr(i, kBoundsAttr));
  }
  if (auto function = dyn_cast<gpu::GPUFuncOp>(*kernel))
    return checkAttributions(function);
  return success();
}

LogicalResult KernelLowering::checkAttributions(gpu::GPUFuncOp function) {
  for (BlockArgument attribution :
       llvm::concat<const BlockArgument>(function.getWorkgroupAttributions(),
                                         function.getPrivateAttributions()))
    if (auto type = dyn_cast<MemRefType>(attribution.getType());
        !type || !type.hasStaticShape())
      return emitError(kernel.getLoc())
             << "an attribution of type " << attribution.getType()
             << ": a GPU cannot allocate a dynamic size; give an upper bound";
  return success();
}

/// The kernel with the functions and globals that it needs, directly or not.
static SetVector<Operation *> getReachable(Operation *kernel) {
  SymbolTable symbols(kernel->getParentWithTrait<OpTrait::SymbolTable>());
  SetVector<Operation *> reachable;
  reachable.insert(kernel);
  for (size_t next = 0; next < reachable.size(); ++next)
    reachable[next]->walk([&](Operation *op) {
      op->getAttrDictionary().walk<WalkOrder::PreOrder>(
          [&](SymbolRefAttr reference) {
            Operation *symbol = symbols.lookup(reference.getRootReference());
            if (isa_and_nonnull<func::FuncOp, memref::GlobalOp>(symbol))
              reachable.insert(symbol);
            return WalkResult::skip();
          });
    });
  return reachable;
}

/// A module of its own with the kernel and what it needs, whose ops have their
/// site numbers for locations.
void KernelLowering::copyModule() {
  module = ModuleOp::create(UnknownLoc::get(context));
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  program.sites = {UnknownLoc::get(context)};
  siteNames = {OperationName(kernel->getName())};
  SetVector<Operation *> reachable = getReachable(kernel);
  for (Operation &op : *kernel->getBlock()) {
    if (!reachable.contains(&op))
      continue;
    Operation *copy = builder.clone(op);
    copy->walk<WalkOrder::PreOrder>([&](Operation *inner) {
      program.sites.push_back(inner->getLoc());
      siteNames.push_back(inner->getName());
      inner->setLoc(makeSiteLocation(context, program.sites.size() - 1));
    });
    if (&op == kernel.getOperation())
      copiedKernel = copy;
  }
}

void KernelLowering::convertGPUFunction(gpu::GPUFuncOp function) {
  OpBuilder builder(function);
  auto type = builder.getFunctionType(function.getFunctionType().getInputs(),
                                      function.getFunctionType().getResults());
  auto copy = func::FuncOp::create(builder, function.getLoc(),
                                   function.getName(), type);
  Block &entry = function.getBody().front();
  builder.setInsertionPointToStart(&entry);
  // Attributions are allocations at the entry.
  for (auto [index, argument] :
       llvm::enumerate(function.getWorkgroupAttributions())) {
    auto alloc = memref::AllocOp::create(builder, function.getLoc(),
                                         cast<MemRefType>(argument.getType()));
    if (Attribute arena =
            function.getWorkgroupAttributionAttr(index, kArenaAttr))
      alloc->setAttr(kArenaAttr, arena);
    Value(argument).replaceAllUsesWith(alloc);
  }
  for (BlockArgument argument : function.getPrivateAttributions())
    argument.replaceAllUsesWith(memref::AllocaOp::create(
        builder, function.getLoc(), cast<MemRefType>(argument.getType())));
  entry.eraseArguments(type.getNumInputs(),
                       entry.getNumArguments() - type.getNumInputs());
  copy.getBody().takeBody(function.getBody());
  copy.walk([&](gpu::ReturnOp op) {
    builder.setInsertionPoint(op);
    func::ReturnOp::create(builder, op.getLoc(), op.getOperands());
    op.erase();
  });
  if (copiedKernel == function)
    copiedKernel = copy;
  function.erase();
}

/// A function may have the name of one of the runtime or the process.
LogicalResult KernelLowering::renameFunctions() {
  SymbolTable symbols(*module);
  unsigned next = 0;
  for (auto function : llvm::to_vector(module->getOps<func::FuncOp>())) {
    std::string name;
    do
      name = "msrt_function_" + std::to_string(next++);
    while (symbols.lookup(name));
    if (failed(symbols.rename(function, name)))
      return failure();
  }
  return symbols.rename(copiedKernel, kKernelSymbol);
}

/// Contents are compiled with the code.
static constexpr int64_t kMaxGlobalBytes = int64_t(64) << 20;

LogicalResult KernelLowering::recordGlobal(memref::GlobalOp global,
                                           std::string name) {
  std::optional<Space> space = getSpace(global.getType().getMemorySpace());
  if (!space)
    return refuseSpace(program.sites[getSite(global.getLoc())],
                       global.getType().getMemorySpace());
  std::optional<Attribute> value = global.getInitialValue();
  if (!value)
    return emitErrorAt(global)
           << "an external global has no contents to run on; give it "
              "contents, or 'uninitialized'";
  bool isInitialized = !isa<UnitAttr>(*value);
  if (*space == Space::Workgroup && isInitialized)
    return emitErrorAt(global) << "a global in workgroup memory cannot have "
                                  "initial contents; store them in the kernel";
  int64_t bytes = global.getType().getNumElements() *
                  getElementBytes(global.getType().getElementType());
  if (isInitialized && bytes > kMaxGlobalBytes)
    return emitErrorAt(global)
           << "a global with contents of " << bytes << " bytes, of "
           << kMaxGlobalBytes
           << " that the emulator compiles; pass it as an argument";
  global.setSymName(name);
  global.setVisibility(SymbolTable::Visibility::Public);
  program.globals.push_back({name, getSite(global.getLoc()), *space, bytes,
                             global.getConstant(), isInitialized});
  return success();
}

/// Numbers what allocates workgroup memory and every global.
LogicalResult KernelLowering::recordAllocations() {
  Builder builder(context);
  SymbolTable symbols(*module);
  DenseMap<StringAttr, unsigned> numbers;
  unsigned nextName = 0;
  for (auto global : module->getOps<memref::GlobalOp>()) {
    // A name that neither is private nor means something to the process.
    std::string name;
    do
      name = "msrt_global_" + std::to_string(nextName++);
    while (symbols.lookup(name));
    numbers[global.getSymNameAttr()] = program.globals.size();
    if (failed(recordGlobal(global, name)))
      return failure();
  }
  // Of the workgroup there is one buffer, whatever op makes it.
  module->walk([&](memref::AllocaOp alloca) {
    if (getSpace(alloca.getType().getMemorySpace()) != Space::Workgroup)
      return;
    OpBuilder opBuilder(alloca);
    auto alloc = memref::AllocOp::create(
        opBuilder, alloca.getLoc(), alloca.getType(), alloca.getDynamicSizes(),
        alloca.getSymbolOperands(), alloca.getAlignmentAttr());
    alloc->setDiscardableAttrs(alloca->getDiscardableAttrDictionary());
    alloca->replaceAllUsesWith(alloc);
    alloca->erase();
  });
  SmallVector<Operation *> dynamicMemory;
  WalkResult result = module->walk([&](Operation *op) {
    if (auto get = dyn_cast<memref::GetGlobalOp>(op)) {
      unsigned number = numbers.lookup(get.getNameAttr().getAttr());
      get.setName(program.globals[number].symbol);
      op->setAttr(kGlobalAttr, builder.getI32IntegerAttr(number));
      return WalkResult::advance();
    }
    if (isa<gpu::DynamicSharedMemoryOp>(op)) {
      dynamicMemory.push_back(op);
      return WalkResult::advance();
    }
    auto alloc = dyn_cast<memref::AllocOp>(op);
    if (!alloc)
      return WalkResult::advance();
    Attribute attribute = alloc.getType().getMemorySpace();
    std::optional<Space> space = getSpace(attribute);
    if (!space)
      return WalkResult(
          refuseSpace(program.sites[getSite(op->getLoc())], attribute));
    if (*space == Space::Global && !options.allowHeap) {
      emitErrorAt(op) << "'memref.alloc' in global memory: a GPU kernel cannot "
                         "allocate there; pass the buffer as an argument";
      return WalkResult::interrupt();
    }
    if (*space == Space::Workgroup && !alloc.getDynamicSizes().empty()) {
      emitErrorAt(op)
          << "'memref.alloc' of workgroup memory with a dynamic size: "
             "a GPU cannot allocate it; allocate an upper bound";
      return WalkResult::interrupt();
    }
    op->setAttr(kAllocationAttr,
                builder.getI32IntegerAttr(program.allocations.size()));
    program.allocations.push_back(
        {getSite(op->getLoc()), *space, op->hasAttr(kArenaAttr)});
    return WalkResult::advance();
  });
  // All of them are the same memory.
  for (Operation *op : dynamicMemory) {
    OpBuilder opBuilder(op);
    Value bytes = arith::ConstantIndexOp::create(opBuilder, op->getLoc(),
                                                 program.dynamicWorkgroupBytes);
    auto alloc = memref::AllocOp::create(
        opBuilder, op->getLoc(), cast<MemRefType>(op->getResult(0).getType()),
        bytes);
    alloc->setAttr(kAllocationAttr, builder.getI32IntegerAttr(-1));
    op->replaceAllUsesWith(alloc);
    op->erase();
  }
  return failure(result.wasInterrupted());
}

/// The spaces are in the tables now; the CPU has one.
void KernelLowering::stripMemorySpaces() {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](MemRefType type) -> std::optional<Type> {
    return MemRefType::get(type.getShape(), type.getElementType(),
                           type.getLayout());
  });
  replacer.addReplacement([](UnrankedMemRefType type) -> std::optional<Type> {
    return UnrankedMemRefType::get(type.getElementType(), 0);
  });
  replacer.recursivelyReplaceElementsIn(*module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  module->walk([](memref::MemorySpaceCastOp op) {
    op.replaceAllUsesWith(op.getSource());
    op.erase();
  });
  // Without a space of workgroup memory this one would not verify.
  module->walk([](nvgpu::DeviceAsyncCopyOp op) {
    OpBuilder builder(op);
    MemRefType type = cast<MemRefType>(op.getDst().getType());
    Value target = memref::MemorySpaceCastOp::create(
        builder, op.getLoc(),
        MemRefType::get(type.getShape(), type.getElementType(),
                        type.getLayout(), builder.getI64IntegerAttr(3)),
        op.getDst());
    op.getDstMutable().assign(target);
  });
}

/// A load is an access even when nothing uses its value; upstream's rewriters
/// would delete it. Each gets a use that the instrumentation takes away again.
void KernelLowering::keepLoads() {
  OpBuilder builder(context);
  DenseMap<Type, func::FuncOp> uses;
  module->walk([&](Operation *op) {
    if (op->getNumRegions() || op->getNumResults() == 0 ||
        !hasEffect<MemoryEffects::Read>(op))
      return;
    // A mask holds one op, and has its results.
    if (isa<vector::MaskOp>(op->getParentOp()))
      op = op->getParentOp();
    for (Value result : op->getResults()) {
      // Tokens and the like have no form in LLVM.
      if (!result.getType().isIntOrIndexOrFloat() &&
          !isa<VectorType, ComplexType>(result.getType()))
        continue;
      func::FuncOp &use = uses[result.getType()];
      if (!use) {
        builder.setInsertionPointToStart(module->getBody());
        use = func::FuncOp::create(
            builder, module->getLoc(), (rt::kUse + Twine(uses.size())).str(),
            builder.getFunctionType(result.getType(), {}));
        use.setPrivate();
      }
      builder.setInsertionPointAfter(op);
      func::CallOp::create(builder, op->getLoc(), use, result);
    }
  });
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// Upstream takes an atomic update only if it is computed in the region, and
/// what is folded is not.
void KernelLowering::storeOverwrites(IRRewriter &rewriter) {
  module->walk([&](memref::GenericAtomicRMWOp op) {
    Value value = op.getBody()->getTerminator()->getOperand(0);
    if (op.getRegion().isAncestor(value.getParentRegion()))
      return;
    rewriter.setInsertionPoint(op);
    rewriter.replaceOpWithNewOp<memref::AtomicRMWOp>(
        op, arith::AtomicRMWKind::assign, value, op.getMemref(),
        op.getIndices());
  });
}

LogicalResult KernelLowering::lowerToLoops() {
  SmallVector<memref::CopyOp> copies;
  module->walk([&](memref::CopyOp copy) { copies.push_back(copy); });
  IRRewriter rewriter(context);
  for (memref::CopyOp copy : copies) {
    rewriter.setInsertionPoint(copy);
    if (!isa<MemRefType>(copy.getSource().getType()) ||
        !isa<MemRefType>(copy.getTarget().getType()))
      return emitErrorAt(copy) << "'memref.copy' of an unranked memref is not "
                                  "emulated; cast both to ranked memrefs";
    linalg::makeMemRefCopyOp(rewriter, copy.getLoc(), copy.getSource(),
                             copy.getTarget());
    rewriter.eraseOp(copy);
  }
  SmallVector<linalg::LinalgOp> linalgOps;
  module->walk([&](linalg::LinalgOp op) { linalgOps.push_back(op); });
  for (linalg::LinalgOp op : linalgOps) {
    rewriter.setInsertionPoint(op);
    if (failed(linalg::linalgOpToLoops(rewriter, op)))
      return emitErrorAt(op) << "'" << op->getName() << "' has no loops";
    rewriter.eraseOp(op);
  }
  SmallVector<scf::ForallOp> foralls;
  module->walk([&](scf::ForallOp op) { foralls.push_back(op); });
  for (scf::ForallOp op : foralls) {
    rewriter.setInsertionPoint(op);
    if (failed(scf::forallToForLoop(rewriter, op)))
      return emitErrorAt(op) << "'scf.forall' cannot become a loop";
  }
  // Loops load every operand, also one that the payload does not use: no access
  // of the kernel.
  SmallVector<Operation *> dead;
  module->walk([&](memref::LoadOp op) {
    if (op.use_empty())
      dead.push_back(op);
  });
  for (Operation *op : dead)
    op->erase();
  // Only what has no form in LLVM: other expansions change signed zeros. The
  // driver folds as well, which makes kernels faster; when it stops before all
  // is folded, nothing is wrong.
  RewritePatternSet expansions(context);
  arith::populateCeilFloorDivExpandOpsPatterns(expansions);
  vector::populateVectorMultiReductionLoweringPatterns(
      expansions, vector::VectorMultiReductionLowering::InnerReduction);
  vector::populateVectorScanLoweringPatterns(expansions);
  (void)applyPatternsGreedily(*module, std::move(expansions));
  storeOverwrites(rewriter);
  return runPasses(
      [](OpPassManager &pm) {
        pm.addPass(createLowerAffinePass());
        VectorTransferToSCFOptions options;
        options.enableFullUnroll();
        pm.addPass(createConvertVectorToSCFPass(options));
        pm.addPass(createLowerAffinePass());
      },
      "loops");
}

//===----------------------------------------------------------------------===//
// Driver
//===----------------------------------------------------------------------===//

LogicalResult
KernelLowering::runPasses(llvm::function_ref<void(OpPassManager &)> build,
                          StringRef what) {
  PassManager pm(context);
  build(pm);
  // Diagnostics of upstream's passes point to site numbers.
  std::string first;
  uint32_t firstSite = 0;
  {
    ScopedDiagnosticHandler handler(context, [&](Diagnostic &diag) {
      if (diag.getSeverity() == DiagnosticSeverity::Error && first.empty()) {
        first = diag.str();
        firstSite = getSite(diag.getLocation());
      }
      return success();
    });
    if (succeeded(pm.run(*module)))
      return success();
  }
  Location loc = firstSite ? program.sites[firstSite] : kernel->getLoc();
  return emitError(loc) << "the emulator cannot lower the kernel to " << what
                        << ": " << first << "; express this op by others";
}

/// GPUs do both at once, and LLVM's code generators for them choose so.
static void fuseMultiplications(ModuleOp module) {
  IRRewriter rewriter(module.getContext());
  module.walk([&](LLVM::FMulAddOp op) {
    rewriter.setInsertionPoint(op);
    rewriter.replaceOpWithNewOp<LLVM::FMAOp>(op, op.getA(), op.getB(),
                                             op.getC());
  });
}

FailureOr<OwningOpRef<ModuleOp>> KernelLowering::run() {
  if (failed(checkSignature()))
    return failure();
  copyModule();
  SmallVector<gpu::GPUFuncOp> gpuFunctions(module->getOps<gpu::GPUFuncOp>());
  for (gpu::GPUFuncOp function : gpuFunctions)
    convertGPUFunction(function);
  if (failed(checkInput(*module, program)))
    return failure();
  hardenInput(*module);
  if (failed(renameFunctions()) || failed(recordAllocations()))
    return failure();
  lowerGathers(*module);
  stripMemorySpaces();
  keepLoads();
  if (failed(lowerGPUOps(*module, program)) || failed(lowerToLoops()))
    return failure();
  insertIndexChecks(*module);
  lowerRankReductions(*module);
  LogicalResult result = runPasses(
      [&](OpPassManager &pm) {
        pm.addPass(memref::createExpandStridedMetadataPass());
        pm.addPass(createLowerAffinePass());
        pm.addPass(createSCFToControlFlowPass());
        pm.addPass(createConvertMathToLLVMPass());
        pm.addPass(createConvertMathToLibmPass());
        pm.addPass(createLowerEmulatedMemoryPass());
        pm.addPass(createConvertVectorToLLVMPass());
        pm.addPass(createConvertComplexToLLVMPass());
        pm.addPass(createConvertIndexToLLVMPass());
        pm.addPass(createArithToLLVMConversionPass());
        pm.addPass(createFinalizeMemRefToLLVMConversionPass());
        pm.addPass(createConvertFuncToLLVMPass());
        pm.addPass(createConvertControlFlowToLLVMPass());
        pm.addPass(createUBToLLVMConversionPass());
        pm.addPass(createReconcileUnrealizedCastsPass());
        LLVM::DIScopeForLLVMFuncOpPassOptions options;
        options.emissionKind = LLVM::DIEmissionKind::LineTablesOnly;
        pm.addPass(LLVM::createDIScopeForLLVMFuncOpPass(options));
      },
      "LLVM");
  if (failed(result) ||
      failed(checkLowered(
          *module, kernel.getLoc(),
          [&](Operation *op) { return program.sites[getSite(op->getLoc())]; },
          [&](Operation *op) { return siteNames[getSite(op->getLoc())]; })))
    return failure();
  fuseMultiplications(*module);
  return std::move(module);
}

FailureOr<OwningOpRef<ModuleOp>>
emulator::lowerKernel(FunctionOpInterface kernel, const CompileOptions &options,
                      Program &program) {
  if (options.subgroupSize) {
    program.subgroupSize = options.subgroupSize;
  } else {
    FailureOr<std::optional<TargetInfo>> target = getTargetFromIR(kernel);
    if (failed(target))
      return failure();
    if (*target)
      program.subgroupSize = (*target)->subgroupSize;
  }
  if (program.subgroupSize == 0 || program.subgroupSize > 64)
    return kernel->emitError("a subgroup of ")
           << program.subgroupSize << " threads; from 1 to 64 are emulated";
  program.dynamicWorkgroupBytes = options.dynamicWorkgroupBytes;
  if (options.dynamicWorkgroupBytes < 0) {
    auto bytes = kernel->getAttrOfType<IntegerAttr>(kDynamicBytesAttr);
    program.dynamicWorkgroupBytes = bytes ? bytes.getInt() : 0;
  }
  return KernelLowering(kernel, options, program).run();
}
