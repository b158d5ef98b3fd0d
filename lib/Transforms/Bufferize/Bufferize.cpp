//===- Bufferize.cpp - One-Shot Bufferize with the MemSpace hook -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Transforms/Bufferize.h"
#include "Kernel/HardwareIds.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/Transforms/AllocationHook.h"
#include "MemSpace/Transforms/Passes.h"
#include "Transforms/Normalize/Distribution.h"
#include "Transforms/Normalize/DropUnusedResults.h"
#include "Transforms/Normalize/Normalization.h"
#include "Transforms/Support/InputChecks.h"
#include "Transforms/Support/PassKernels.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/Bufferize.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/Support/MathExtras.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_BUFFERIZEPASS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

/// Replaces `memspace.exchange` at the end of a loop body by a terminator that
/// passes on the permuted buffers: the loop's arguments then name the buffers
/// in turn and nothing is moved.
static LogicalResult lowerExchange(memspace::ExchangeOp exchange) {
  Operation *terminator = exchange->getBlock()->getTerminator();
  auto refuse = [&]() {
    return exchange.emitOpError(
        "does not exchange loop-carried buffers at the end of a loop body, "
        "where "
        "it would be a permuted yield; copy the values instead (linalg.copy)");
  };
  if (!isa<scf::ForOp, scf::WhileOp>(exchange->getParentOp()) ||
      !isa<scf::YieldOp, scf::ConditionOp>(terminator))
    return refuse();
  // Which operand of the terminator each buffer is.
  SmallVector<unsigned> position;
  for (Value buffer : exchange.getInputs()) {
    auto it = llvm::find(terminator->getOperands(), buffer);
    if (it == terminator->operand_end())
      return refuse();
    position.push_back(std::distance(terminator->operand_begin(), it));
  }
  // No access may follow the exchange within the iteration.
  for (Operation *op = exchange->getNextNode(); op != terminator;
       op = op->getNextNode())
    if (!isMemoryEffectFree(op) && !isa<memspace::ExchangeOp>(op))
      return refuse();
  SmallVector<Value> operands(terminator->getOperands());
  for (auto [i, source] : llvm::enumerate(exchange.getPermutation()))
    operands[position[i]] = exchange.getInputs()[source];
  terminator->setOperands(operands);
  exchange->erase();
  return success();
}

namespace {
/// Where a memref lies in the memref that its subviews were taken of.
struct MemRefWindow {
  Value root;
  /// For each dimension of the root: first index, distance of neighbours, and
  /// the dimension of the memref, none where it was dropped.
  SmallVector<LinearExpr> offsets;
  SmallVector<int64_t> strides;
  SmallVector<std::optional<unsigned>> dims;

  bool operator==(const MemRefWindow &other) const {
    return root == other.root && strides == other.strides &&
           dims == other.dims && offsets == other.offsets;
  }
};
} // namespace

/// The number of `dim` among the dimensions that are not dropped.
static unsigned getKeptDim(const llvm::SmallBitVector &dropped, unsigned dim) {
  unsigned kept = 0;
  for (unsigned i = 0; i < dim; ++i)
    kept += !dropped.test(i);
  return kept;
}

static MemRefWindow getWholeWindow(Value memref) {
  MemRefWindow window;
  window.root = memref;
  for (unsigned i = 0, e = cast<MemRefType>(memref.getType()).getRank(); i < e;
       ++i) {
    window.offsets.push_back(LinearExpr(0));
    window.strides.push_back(1);
    window.dims.push_back(i);
  }
  return window;
}

/// Makes `window`, where the source of `subview` lies, where its result does.
static LogicalResult moveInto(MemRefWindow &window, memref::SubViewOp subview) {
  llvm::SmallBitVector dropped = subview.getDroppedDims();
  SmallVector<OpFoldResult> offsets = subview.getMixedOffsets();
  SmallVector<OpFoldResult> strides = subview.getMixedStrides();
  for (unsigned i = 0, e = window.dims.size(); i < e; ++i) {
    if (!window.dims[i])
      continue;
    unsigned d = *window.dims[i];
    std::optional<int64_t> stride = getConstantIntValue(strides[d]);
    if (!stride)
      return failure();
    window.offsets[i] += LinearExpr(offsets[d]) * window.strides[i];
    if (llvm::MulOverflow(window.strides[i], *stride, window.strides[i]))
      return failure();
    if (dropped.test(d))
      window.dims[i] = std::nullopt;
    else
      window.dims[i] = getKeptDim(dropped, d);
  }
  return success();
}

static std::optional<MemRefWindow> getWindow(Value memref) {
  SmallVector<memref::SubViewOp> subviews;
  while (true) {
    if (auto cast = memref.getDefiningOp<memref::CastOp>()) {
      memref = cast.getSource();
    } else if (auto subview = memref.getDefiningOp<memref::SubViewOp>()) {
      subviews.push_back(subview);
      memref = subview.getSource();
    } else {
      break;
    }
  }
  if (!isa<MemRefType>(memref.getType()))
    return std::nullopt;
  MemRefWindow window = getWholeWindow(memref);
  for (memref::SubViewOp subview : llvm::reverse(subviews))
    if (failed(moveInto(window, subview)))
      return std::nullopt;
  return window;
}

/// True when both memrefs are the same elements in the same order.
static bool isSameMemory(Value a, Value b) {
  if (a == b)
    return true;
  std::optional<MemRefWindow> windowA = getWindow(a), windowB = getWindow(b);
  return windowA && windowB && *windowA == *windowB;
}

/// Self-copies are what in-place insertions leave behind. Foralls stay: a
/// mapped single-iteration forall is a guard, and folding it would let every
/// thread execute its body.
static void cleanUp(FunctionOpInterface kernel) {
  MLIRContext *ctx = kernel.getContext();
  RewritePatternSet patterns(ctx);
  auto canonicalize = [&](auto op) {
    decltype(op)::getCanonicalizationPatterns(patterns, ctx);
  };
  canonicalize(memref::SubViewOp());
  canonicalize(memref::CastOp());
  canonicalize(memref::DimOp());
  canonicalize(memref::LoadOp());
  canonicalize(affine::AffineApplyOp());
  canonicalize(affine::AffineMinOp());
  canonicalize(affine::AffineMaxOp());
  canonicalize(linalg::CopyOp());
  canonicalize(scf::ForOp());
  canonicalize(scf::IfOp());
  canonicalize(scf::WhileOp());
  canonicalize(bufferization::ToBufferOp());
  canonicalize(bufferization::ToTensorOp());
  FrozenRewritePatternSet frozen(std::move(patterns));
  IRRewriter rewriter(ctx);
  DominanceInfo dominance(kernel);
  // Equal subviews become one before a copy between them can be seen.
  (void)applyPatternsGreedily(kernel, frozen);
  eliminateCommonSubExpressions(rewriter, dominance, kernel);
  kernel->walk([&](linalg::CopyOp copy) {
    if (isSameMemory(copy.getInputs()[0], copy.getOutputs()[0]))
      copy->erase();
  });
  (void)applyPatternsGreedily(kernel, frozen);
}

/// A write of shared memory by code that no forall distributes would be
/// repeated by every thread: one thread does it. Distribution on tensors leaves
/// none of these but copies that only bufferization shows.
static LogicalResult guardSharedWrites(FunctionOpInterface kernel,
                                       const MemorySpaceOptions &options) {
  bool isSPMD = false, hasForall = false;
  SmallVector<Operation *> writes;
  ExecutionScopeAnalysis scopes(kernel);
  auto isShared = [&](Value memref) {
    auto type = dyn_cast<BaseMemRefType>(memref.getType());
    return type && options.spaces.fromAttribute(type.getMemorySpace()) !=
                       MemorySpace::Private;
  };
  kernel->walk<WalkOrder::PreOrder>([&](Operation *op) {
    hasForall |= isa<scf::ForallOp>(op);
    auto copy = dyn_cast<linalg::LinalgOp>(op);
    if (!copy)
      return WalkResult::advance();
    if (scopes.getScope(op) != ExecutionScope::Thread &&
        llvm::any_of(copy.getDpsInits(), isShared))
      writes.push_back(op);
    return WalkResult::skip();
  });
  kernel->walk([&](Operation *op) {
    // The hook's subgroup ids are not the code's own.
    std::optional<HardwareId> id = getHardwareId(op);
    isSPMD |= id && id->isOfThread() &&
              (id->kind != HardwareId::Kind::ThreadId || !hasForall);
  });
  if (isSPMD)
    return success();
  MLIRContext *ctx = kernel.getContext();
  for (Operation *op : writes) {
    ExecutionScope scope = scopes.getScope(op);
    if (scope == ExecutionScope::Grid)
      return op->emitOpError(
          "writes memory at grid scope, where every workgroup would repeat it; "
          "move it into the block forall");
    Attribute mapping = scope == ExecutionScope::Subgroup
                            ? Attribute(gpu::GPULaneMappingAttr::get(
                                  ctx, gpu::MappingId::LinearDim0))
                            : Attribute(gpu::GPUThreadMappingAttr::get(
                                  ctx, gpu::MappingId::LinearDim0));
    OpBuilder b(op);
    auto forall = scf::ForallOp::create(
        b, op->getLoc(), ArrayRef<OpFoldResult>{b.getIndexAttr(1)},
        ValueRange(), ArrayAttr::get(ctx, mapping));
    op->moveBefore(forall.getTerminator());
  }
  return success();
}

static SmallVector<memref::GetGlobalOp> collectGlobals(Operation *root) {
  SmallVector<memref::GetGlobalOp> uses;
  root->walk([&](memref::GetGlobalOp use) { uses.push_back(use); });
  return uses;
}

/// A global of `symbols` with the contents of `global`; made if there is none.
static StringAttr findOrCopy(SymbolTable &symbols, memref::GlobalOp global) {
  Block &body = symbols.getOp()->getRegion(0).front();
  for (auto other : body.getOps<memref::GlobalOp>())
    if (other.getConstant() && other.getType() == global.getType() &&
        other.getInitialValueAttr() == global.getInitialValueAttr() &&
        other.getAlignment() == global.getAlignment())
      return other.getSymNameAttr();
  return symbols.insert(global.clone(), body.begin());
}

/// Upstream puts the constants of a kernel into the module, where a kernel in a
/// `gpu.module` does not find them. `old`: the uses before, of what the kernel
/// does find.
static void bringConstants(FunctionOpInterface kernel,
                           ArrayRef<memref::GetGlobalOp> old) {
  auto module = kernel->getParentOfType<ModuleOp>();
  Operation *table = SymbolTable::getNearestSymbolTable(kernel);
  if (!module || table == module)
    return;
  SymbolTable symbols(table);
  for (memref::GetGlobalOp use : collectGlobals(kernel)) {
    auto global = module.lookupSymbol<memref::GlobalOp>(use.getName());
    if (!global || llvm::is_contained(old, use))
      continue;
    use.setName(findOrCopy(symbols, global));
  }
}

//===----------------------------------------------------------------------===//
// The steps
//===----------------------------------------------------------------------===//

namespace {
template <typename... DialectTs> struct DialectList {
  static void insert(DialectRegistry &registry) {
    registry.insert<DialectTs...>();
  }
  static void load(MLIRContext *context) {
    context->loadDialect<DialectTs...>();
  }
};
/// Whose ops the steps create.
using CreatedDialects =
    DialectList<affine::AffineDialect, arith::ArithDialect,
                bufferization::BufferizationDialect, gpu::GPUDialect,
                linalg::LinalgDialect, memref::MemRefDialect, MemSpaceDialect,
                scf::SCFDialect, tensor::TensorDialect>;
} // namespace

void mlir::memspace::getBufferizationDialects(DialectRegistry &registry) {
  CreatedDialects::insert(registry);
}

/// Runs `change`, which may leave half of the body rewritten when it fails:
/// upstream's bufferization does, and the half does not always verify. The
/// kernel is then what it was.
static LogicalResult changeOrRestore(FunctionOpInterface kernel,
                                     function_ref<LogicalResult()> change) {
  Region &body = kernel.getFunctionBody();
  DictionaryAttr attributes = kernel->getDiscardableAttrDictionary();
  Region original;
  IRMapping mapping;
  body.cloneInto(&original, mapping);
  if (succeeded(change()))
    return success();
  body.dropAllReferences();
  body.takeBody(original);
  kernel->setDiscardableAttrs(attributes);
  return failure();
}

static LogicalResult bufferizeBody(FunctionOpInterface kernel,
                                   const MemorySpaceOptions &options) {
  bufferization::OneShotBufferizationOptions oneShot = options.oneShot;
  configureBufferization(oneShot, options);
  // Every conflict is resolved, every allocation explicit: no analysis.
  SmallVector<memref::GetGlobalOp> old = collectGlobals(kernel);
  bufferization::BufferizationState state;
  if (failed(bufferization::bufferizeOp(kernel, oneShot, state)))
    return failure();
  SmallVector<memspace::ExchangeOp> exchanges;
  kernel->walk([&](memspace::ExchangeOp op) { exchanges.push_back(op); });
  for (memspace::ExchangeOp op : exchanges)
    if (failed(lowerExchange(op)))
      return failure();
  bringConstants(kernel, old);
  cleanUp(kernel);
  return guardSharedWrites(kernel, options);
}

LogicalResult
mlir::memspace::bufferizeDecided(FunctionOpInterface kernel,
                                 const MemorySpaceOptions &options) {
  CreatedDialects::load(kernel.getContext());
  return changeOrRestore(kernel,
                         [&] { return bufferizeBody(kernel, options); });
}

LogicalResult mlir::memspace::prepareKernel(const KernelContext &context,
                                            const MemorySpaceOptions &options) {
  FunctionOpInterface kernel = context.getKernel();
  CreatedDialects::load(kernel.getContext());
  renameAttributes(kernel);
  if (failed(checkInput(kernel)) ||
      failed(checkStack(kernel, context.getSpaces())))
    return failure();
  IRRewriter rewriter(kernel.getContext());
  dropUnusedResults(rewriter, kernel);
  return success(succeeded(normalizeKernel(context, options.oneShot)) &&
                 succeeded(distributeToThreads(kernel, options)));
}

LogicalResult
mlir::memspace::bufferizeKernel(FunctionOpInterface kernel,
                                const MemorySpaceOptions &options) {
  FailureOr<KernelContext> context =
      KernelContext::create(kernel, options.target, {}, options.spaces);
  if (failed(context))
    return failure();
  return changeOrRestore(kernel, [&] {
    return success(succeeded(prepareKernel(*context, options)) &&
                   succeeded(inferMemorySpaces(*context, options)) &&
                   succeeded(bufferizeBody(kernel, options)));
  });
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct BufferizePass : public memspace::impl::BufferizePassBase<BufferizePass> {
  using Base::Base;
  void runOnOperation() override {
    KernelSelection selection;
    selection.target = {chip, workgroupLimit, privateLimit, subgroupSize};
    selection.launch = {llvm::to_vector(blockSize), llvm::to_vector(gridSize)};
    selection.memorySpaces = memorySpaces;
    selection.pass = getArgument();
    selection.quiet = quiet;
    auto bufferize = [](const KernelContext &context) {
      return bufferizeDecided(context.getKernel(), MemorySpaceOptions(context));
    };
    if (failed(forEachKernel(getOperation(), selection, bufferize)))
      signalPassFailure();
  }
};
} // namespace
