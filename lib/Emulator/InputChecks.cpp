//===- InputChecks.cpp - which ops and types a kernel may have ------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel comes from anywhere and runs in this process. So there is a list of
// what is emulated, with a reason for each dialect, and all else is refused.
// LoweredChecks.cpp has the second list: what these ops may become.
//
//===----------------------------------------------------------------------===//

#include "IR/MLIRVersion.h"
#include "Lowering.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::emulator;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// Vectors become registers and code for each of their elements.
static constexpr int64_t kMaxVectorElements = 1 << 14;
static constexpr unsigned kMaxIntegerBits = 128;
static constexpr unsigned kMaxFloatBits = 64;
/// Sizes are computed in 64 bits; this leaves room.
static constexpr int64_t kMaxStaticBytes = int64_t(1) << 48;

static bool isScalar(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.getWidth() <= kMaxIntegerBits;
  // LLVM has no tf32.
  if (auto number = dyn_cast<FloatType>(type))
    return number.getWidth() <= kMaxFloatBits && !isa<FloatTF32Type>(type);
  return type.isIndex();
}

static std::string refuseVector(VectorType type) {
  if (type.isScalable())
    return "has a size that no CPU knows; use vectors of a fixed size";
  int64_t count = 1;
  for (int64_t extent : type.getShape())
    if (llvm::MulOverflow(count, extent, count) || count > kMaxVectorElements)
      return "has more than " + std::to_string(kMaxVectorElements) +
             " elements; use smaller vectors";
  if (!isScalar(type.getElementType()))
    return kNoValue.str();
  return "";
}

std::string emulator::refuseType(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return refuseVector(vector);
  if (auto complex = dyn_cast<ComplexType>(type))
    return isScalar(complex.getElementType()) ? "" : kNoValue.str();
  if (auto memref = dyn_cast<MemRefType>(type)) {
    if (isa<BaseMemRefType>(memref.getElementType()))
      return kNoValue.str();
    if (std::string why = refuseType(memref.getElementType()); !why.empty())
      return why;
    int64_t bytes = getElementBytes(memref.getElementType());
    for (int64_t extent : memref.getShape())
      if (!ShapedType::isDynamic(extent) &&
          (llvm::MulOverflow(bytes, extent, bytes) || bytes > kMaxStaticBytes))
        return "is larger than any memory; use smaller extents";
    return "";
  }
  if (auto memref = dyn_cast<UnrankedMemRefType>(type))
    return isa<BaseMemRefType>(memref.getElementType())
               ? kNoValue.str()
               : refuseType(memref.getElementType());
  // Results of two parts, as of nvvm.shfl.sync.
  if (auto structure = dyn_cast<LLVM::LLVMStructType>(type))
    return !structure.isIdentified() &&
                   llvm::all_of(structure.getBody(), isScalar)
               ? ""
               : kNoValue.str();
  // A vector of each lane's elements.
  if (auto matrix = dyn_cast<gpu::MMAMatrixType>(type)) {
    if (llvm::any_of(matrix.getShape(),
                     [](int64_t extent) { return extent <= 0; }))
      return kNoValue.str();
    return refuseVector(
        VectorType::get(matrix.getShape(), matrix.getElementType()));
  }
  return isScalar(type) || isa<nvgpu::DeviceAsyncTokenType>(type)
             ? ""
             : kNoValue.str();
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

namespace {
/// What the maps and sets of an op divide by.
struct Divisors {
  bool hasNonPositive = false, hasUnknown = false;

  void add(AffineExpr expr) {
    if (expr.getKind() != AffineExprKind::Mod &&
        expr.getKind() != AffineExprKind::FloorDiv &&
        expr.getKind() != AffineExprKind::CeilDiv)
      return;
    auto divisor =
        dyn_cast<AffineConstantExpr>(cast<AffineBinaryOpExpr>(expr).getRHS());
    hasUnknown |= !divisor;
    hasNonPositive |= divisor && divisor.getValue() <= 0;
  }
};
} // namespace

static Divisors getDivisors(Operation *op) {
  Divisors divisors;
  auto add = [&](AffineExpr expr) { divisors.add(expr); };
  op->getAttrDictionary().walk([&](Attribute attribute) {
    if (auto map = dyn_cast<AffineMapAttr>(attribute))
      map.getValue().walkExprs(add);
    else if (auto set = dyn_cast<IntegerSetAttr>(attribute))
      set.getValue().walkExprs(add);
  });
  return divisors;
}

/// Upstream's expansion computes each size of a group from the others.
static bool hasGroupOfTwoUnknownSizes(memref::ExpandShapeOp op) {
  return llvm::any_of(op.getReassociationIndices(), [&](const auto &group) {
    return llvm::count_if(group, [&](int64_t d) {
             return op.getResultType().isDynamicDim(d);
           }) > 1;
  });
}

/// A resource is as many bytes as its type says, each element some of them.
static bool isWhole(DenseResourceElementsAttr resource) {
  Type element = resource.getElementType();
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  if (!blob || !element.isIntOrFloat() ||
      element.getIntOrFloatBitWidth() % 8 != 0)
    return false;
  return int64_t(blob->getData().size()) ==
         resource.getType().getNumElements() *
             (element.getIntOrFloatBitWidth() / 8);
}

/// Contents that are not there, or not as many as the type says, would be read.
static bool hasForeignContents(Operation *op) {
  Attribute value;
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    value = constant.getValue();
  else if (auto constant = dyn_cast<LLVM::ConstantOp>(op))
    value = constant.getValue();
  else if (auto global = dyn_cast<memref::GlobalOp>(op))
    value = global.getInitialValueAttr();
  if (auto resource = dyn_cast_or_null<DenseResourceElementsAttr>(value))
    return !isWhole(resource);
  return isa_and_nonnull<ElementsAttr>(value) && !isa<DenseElementsAttr>(value);
}

//===----------------------------------------------------------------------===//
// The list
//===----------------------------------------------------------------------===//

/// What makes it a GPU's kernel. LowerGPUOps.cpp has its own list, op for op.
static bool isGPUOp(Operation *op) {
  return isa_and_nonnull<gpu::GPUDialect, NVVM::NVVMDialect,
                         ROCDL::ROCDLDialect, amdgpu::AMDGPUDialect,
                         MemSpaceDialect>(op->getDialect());
}

/// Ops of warps for which the other dialects have their own.
static bool isNVGPUMatrixOp(Operation *op) {
  return isa<nvgpu::LdMatrixOp, nvgpu::MmaSyncOp>(op);
}

/// Whether the kernel may have this op.
static bool isAllowed(Operation *op) {
  Dialect *dialect = op->getDialect();
  // Values only. What has no result traps nowhere: Instrumentation.cpp.
  if (isa<arith::ArithDialect, complex::ComplexDialect, index::IndexDialect,
          math::MathDialect>(dialect) ||
      isa<ub::PoisonOp>(op) || isLLVMValueOp(op))
    return true;
  // Loops and branches, which upstream makes branches between blocks: every
  // cycle of these counts steps.
  if (isa<affine::AffineDialect, cf::ControlFlowDialect, scf::SCFDialect>(
          dialect))
    return !isa<affine::AffineDmaStartOp, affine::AffineDmaWaitOp>(op);
  // Accesses, views and loops of them, which become LLVM's loads and stores:
  // the instrumentation sees them all. Printing would call the process.
  if (isa<linalg::LinalgDialect, memref::MemRefDialect, vector::VectorDialect>(
          dialect))
    return !isa<vector::PrintOp>(op);
  // Direct calls within the module, without recursion.
  if (isa<func::FuncOp, func::ReturnOp, func::CallOp>(op))
    return true;
  return isGPUOp(op) ||
         isa<nvgpu::DeviceAsyncCopyOp, nvgpu::DeviceAsyncCreateGroupOp,
             nvgpu::DeviceAsyncWaitOp>(op) ||
         isNVGPUMatrixOp(op);
}

/// What lets threads wait for each other or exchange values. Threads meet at
/// such an op by its place in the kernel, of which one in a called function has
/// several.
static bool isCollective(Operation *op) {
  if (isNVGPUMatrixOp(op))
    return true;
  if (!isGPUOp(op) || op->hasTrait<OpTrait::IsTerminator>() ||
      isa<FunctionOpInterface, gpu::PrintfOp>(op))
    return false;
  // Ids and sizes are the others.
  return op->getNumOperands() != 0 || !isMemoryEffectFree(op);
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

namespace {
class InputChecker {
public:
  InputChecker(ModuleOp module, const Program &program)
      : module(module), program(program) {}

  LogicalResult run();

private:
  WalkResult refuse(Operation *op, const Twine &what) {
    emitError(program.sites[getSite(op->getLoc())])
        << "'" << op->getName() << "' " << what;
    return WalkResult::interrupt();
  }
  WalkResult check(Operation *op);
  WalkResult checkKnownOp(Operation *op);
  WalkResult checkCall(CallOpInterface call);
  WalkResult checkAttributes(Operation *op);
  WalkResult checkTypes(Operation *op);
  WalkResult checkWork(Operation *op);
  LogicalResult checkRecursion(func::FuncOp function);

  ModuleOp module;
  const Program &program;
  /// Functions on the way to the one that is looked at, and those done.
  SmallPtrSet<Operation *, 8> active, done;
  /// Instructions that the ops so far become at least.
  int64_t work = 0;
};
} // namespace

WalkResult InputChecker::checkCall(CallOpInterface call) {
  auto symbol = dyn_cast<SymbolRefAttr>(call.getCallableForCallee());
  auto callee =
      symbol ? SymbolTable::lookupNearestSymbolFrom<FunctionOpInterface>(call,
                                                                         symbol)
             : FunctionOpInterface();
  if (!callee || callee.isExternal())
    return refuse(call, "calls a function without a body; define it in the "
                        "kernel's module");
  if (callee
          ->walk([](Operation *inner) {
            return isCollective(inner) ? WalkResult::interrupt()
                                       : WalkResult::advance();
          })
          .wasInterrupted())
    return refuse(call, "calls a function with a barrier or subgroup op; "
                        "inline it with 'inline'");
  return WalkResult::advance();
}

/// Ops of which more is to be said than that they are not on the list.
WalkResult InputChecker::checkKnownOp(Operation *op) {
  if (auto call = dyn_cast<CallOpInterface>(op))
    if (checkCall(call).wasInterrupted())
      return WalkResult::interrupt();
  if (auto forall = dyn_cast<scf::ForallOp>(op))
    if (forall.getMapping() && !forall.getMapping()->empty())
      return refuse(op, "is mapped to threads that do not exist yet; run "
                        "'memspace-map-to-threads' or upstream's mapping "
                        "first");
  if (isa<scf::ParallelOp>(op) && op->hasAttr("mapping"))
    return refuse(op, "is mapped to threads that do not exist yet; run "
                      "'convert-parallel-loops-to-gpu' first");
  if (isa<bufferization::BufferizationDialect, tensor::TensorDialect>(
          op->getDialect()) ||
      (llvm::any_of(op->getResultTypes(), llvm::IsaPred<TensorType>) &&
       !isa<arith::ConstantOp>(op)))
    return refuse(op, "works on tensors; the emulator runs bufferized kernels");
  if (isa<NVVM::BarrierOp>(op) && (op->getNumOperands() || op->getNumResults()))
    return refuse(op, "with a name, for a part of the threads or with a "
                      "reduction is not emulated; use 'gpu.barrier'");
  if (auto barrier = dyn_cast<gpu::BarrierOp>(op)) {
    BarrierClauses clauses = getBarrierClauses(barrier);
    bool ordersAll =
        clauses.ordersWorkgroupMemory && clauses.ordersGlobalMemory;
    if (!clauses.scope ||
        (clauses.scope == ExecutionScope::Subgroup && !ordersAll))
      return refuse(op, "with a name, of another scope than a workgroup, or of "
                        "a subgroup for some memories, is not emulated; use "
                        "'gpu.barrier' without them");
  }
  if (isa<cf::AssertOp>(op))
    return refuse(op, "would end the process; remove it");
  if (isa<gpu::LaunchOp, gpu::LaunchFuncOp>(op))
    return refuse(op, "launches a kernel; outline it with "
                      "'gpu-kernel-outlining' and run that kernel");
  if (isa<LLVM::LLVMDialect>(op->getDialect()) && !isLLVMValueOp(op))
    return refuse(op, "is not emulated: of LLVM's ops only those on values "
                      "are; run the kernel before it is lowered to LLVM");
  return WalkResult::advance();
}

/// What an op on the list may not say: upstream's folding and conversions take
/// it for impossible.
WalkResult InputChecker::checkAttributes(Operation *op) {
  Divisors divisors = getDivisors(op);
  if (divisors.hasNonPositive)
    return refuse(op, "has a map that divides by 0 or less, which affine maps "
                      "do not define; divide by a positive number");
  if (divisors.hasUnknown &&
      !isa<affine::AffineApplyOp, affine::AffineMaxOp, affine::AffineMinOp>(op))
    return refuse(op, "has a map that divides by a symbol; compute it with "
                      "'affine.apply' first");
  if (auto expand = dyn_cast<memref::ExpandShapeOp>(op))
    if (hasGroupOfTwoUnknownSizes(expand))
      return refuse(op, "with two dynamic sizes in one group is not emulated; "
                        "make all but one static, or use 'memref.reshape'");
  if (hasForeignContents(op))
    return refuse(op,
                  "has contents that are not 'dense', or a resource of another "
                  "size; write them out");
  return WalkResult::advance();
}

WalkResult InputChecker::checkTypes(Operation *op) {
  auto check = [&](Type type) {
    // What is left of constant tensors has no uses that matter.
    if (isa<TensorType>(type) && isa<arith::ConstantOp>(op))
      return WalkResult::advance();
    std::string why = refuseType(type);
    if (why.empty())
      return WalkResult::advance();
    return isGPUOp(op) ? refuse(op, kNotEmulated)
                       : refuse(op, "has a value of type '" +
                                        debugString(type) + "', which " + why);
  };
  for (Type type : op->getOperandTypes())
    if (check(type).wasInterrupted())
      return WalkResult::interrupt();
  for (Type type : op->getResultTypes())
    if (check(type).wasInterrupted())
      return WalkResult::interrupt();
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Type type : block.getArgumentTypes())
        if (check(type).wasInterrupted())
          return WalkResult::interrupt();
  if (auto global = dyn_cast<memref::GlobalOp>(op))
    return check(global.getType());
  return WalkResult::advance();
}

/// Ops on vectors become code for each point of their iteration space, before
/// LoweredChecks.cpp can count it.
WalkResult InputChecker::checkWork(Operation *op) {
  auto unrolled = dyn_cast<VectorUnrollOpInterface>(op);
  std::optional<SmallVector<int64_t>> shape =
      unrolled ? unrolled.getShapeForUnroll() : std::nullopt;
  int64_t opWork = 1;
  for (int64_t extent : shape.value_or(SmallVector<int64_t>()))
    if (llvm::MulOverflow(opWork, extent, opWork) || opWork > kMaxLoweredWork)
      opWork = kMaxLoweredWork;
  work += opWork;
  if (work > kMaxLoweredWork)
    return refuse(op, "and what comes before it become more than " +
                          Twine(kMaxLoweredWork) +
                          " instructions; use smaller vectors or a loop");
  return WalkResult::advance();
}

WalkResult InputChecker::check(Operation *op) {
  if (op == module)
    return WalkResult::advance();
  if (!op->isRegistered())
    return refuse(op, kNotEmulated);
  if (checkKnownOp(op).wasInterrupted())
    return WalkResult::interrupt();
  // Functions and globals stand next to each other, nowhere else.
  bool isSymbol = isa<FunctionOpInterface, memref::GlobalOp>(op);
  if (!isAllowed(op) || isSymbol != (op->getParentOp() == module))
    return refuse(op, kNotEmulated);
  if (checkAttributes(op).wasInterrupted() || checkTypes(op).wasInterrupted())
    return WalkResult::interrupt();
  return checkWork(op);
}

LogicalResult InputChecker::checkRecursion(func::FuncOp function) {
  if (!done.insert(function).second)
    return success();
  active.insert(function);
  WalkResult result = function.walk([&](func::CallOp call) {
    auto callee = module.lookupSymbol<func::FuncOp>(call.getCallee());
    if (active.contains(callee))
      return refuse(call, "calls '@" + call.getCallee() +
                              "' again before that has returned; a GPU thread "
                              "has no stack for recursion, use a loop");
    return WalkResult(checkRecursion(callee));
  });
  active.erase(function);
  return failure(result.wasInterrupted());
}

LogicalResult InputChecker::run() {
  // Conversions that stopped half-way leave casts around the op that is to
  // blame.
  Operation *cast = nullptr;
  WalkResult result = module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isa<UnrealizedConversionCastOp>(op))
      return check(op);
    if (!cast)
      cast = op;
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  if (cast)
    return failure(refuse(cast, kNotEmulated).wasInterrupted());
  for (auto function : module.getOps<func::FuncOp>())
    if (failed(checkRecursion(function)))
      return failure();
  return success();
}

LogicalResult emulator::checkInput(ModuleOp module, const Program &program) {
  return InputChecker(module, program).run();
}
