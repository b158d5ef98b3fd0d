//===- PassKernels.cpp - the kernels that a pass works on -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PassKernels.h"
#include "InputChecks.h"
#include "Kernel/HardwareIds.h"
#include "LaunchKernel.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/CallInterfaces.h"

using namespace mlir;
using namespace mlir::memspace;

/// The context of `kernel`, which is checked. `visit` sees its ops.
static FailureOr<KernelContext>
getPassContext(FunctionOpInterface kernel, const KernelSelection &selection,
               llvm::function_ref<void(Operation *)> visit = nullptr) {
  FailureOr<MemorySpaceMapping> spaces =
      MemorySpaceMapping::resolve(kernel, selection.memorySpaces);
  if (failed(spaces) ||
      failed(checkInput(kernel, *spaces, /*unknownPasses=*/false, visit)))
    return failure();
  if (selection.targetIsOptional && selection.target.isEmpty()) {
    FailureOr<std::optional<TargetInfo>> target = getTargetFromIR(kernel);
    if (failed(target))
      return failure();
    if (!*target)
      return KernelContext::createWithoutTarget(kernel, selection.launch,
                                                *spaces);
  }
  FailureOr<TargetInfo> target = resolveTarget(kernel, selection.target);
  if (failed(target))
    return failure();
  return KernelContext::create(kernel, *target, selection.launch, *spaces);
}

//===----------------------------------------------------------------------===//
// What is a kernel
//===----------------------------------------------------------------------===//

/// True for a function that only a GPU can run: it asks for ids, waits at
/// barriers, or has foralls mapped to a GPU.
static bool isDeviceCode(FunctionOpInterface func) {
  WalkResult result = func->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<gpu::LaunchOp>(op) ||
        (op != func.getOperation() && isa<FunctionOpInterface>(op)))
      return WalkResult::skip();
    std::optional<HardwareId> id = getHardwareId(op);
    if (isa<gpu::BarrierOp>(op) ||
        (id && (id->isOfThread() || id->isOfWorkgroup())))
      return WalkResult::interrupt();
    auto forall = dyn_cast<scf::ForallOp>(op);
    bool isMapped = forall && forall.getMapping() &&
                    llvm::any_of(*forall.getMapping(), [](Attribute attr) {
                      return isa<ExecutionMappingAttrInterface>(attr);
                    });
    return isMapped ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result.wasInterrupted();
}

namespace {
/// What there is at or below an op, in program order. Of kernels only that they
/// are there: what is in them is seen when they are checked.
struct DeviceCode {
  SmallVector<FunctionOpInterface> kernels;
  /// Kernels whose block size the IR does not say. A function that a kernel
  /// calls is looked at with its kernel.
  SmallVector<FunctionOpInterface> sizeless;
  SmallVector<gpu::LaunchOp> launches;
  /// An attribute has an old name.
  bool isOld = false;

  explicit DeviceCode(Operation *root);
};
} // namespace

static bool hasOldName(Operation *op) {
  DictionaryAttr attrs = op->getRawDictionaryAttrs();
  return !attrs.empty() && llvm::any_of(kRenamedAttrs, [&](const auto &names) {
    return attrs.contains(names[0]);
  });
}

DeviceCode::DeviceCode(Operation *root) {
  SmallVector<FunctionOpInterface> others;
  // The functions that some other function calls.
  DenseSet<Operation *> callees;
  SymbolTableCollection tables;
  // By the names of ops: that an op has no such interface takes long to find.
  llvm::SmallDenseMap<OperationName, bool, 16> areCalls;
  auto isCall = [&](Operation *op) {
    auto [it, isNew] = areCalls.try_emplace(op->getName());
    if (isNew)
      it->second = isa<CallOpInterface>(op);
    return it->second;
  };
  auto visitCall = [&](Operation *op) {
    if (!isCall(op))
      return false;
    if (Operation *callee =
            cast<CallOpInterface>(op).resolveCallableInTable(&tables))
      callees.insert(callee);
    return true;
  };
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    isOld = isOld || hasOldName(op);
    if (visitCall(op) || op->getNumRegions() == 0)
      return WalkResult::advance();
    if (auto launch = dyn_cast<gpu::LaunchOp>(op)) {
      launches.push_back(launch);
      return WalkResult::advance();
    }
    auto func = dyn_cast<FunctionOpInterface>(op);
    if (!func || func.isExternal())
      return WalkResult::advance();
    if (!isKernel(func)) {
      others.push_back(func);
      return WalkResult::advance();
    }
    kernels.push_back(func);
    return WalkResult::skip();
  });
  if (!others.empty())
    for (FunctionOpInterface kernel : kernels)
      kernel->walk([&](Operation *op) { visitCall(op); });
  for (FunctionOpInterface func : others)
    if (gpu::GPUDialect::isKernel(func) || func->hasAttr("nvvm.kernel") ||
        func->hasAttr("rocdl.kernel") ||
        (!isa<gpu::GPUFuncOp>(func) && !callees.contains(func) &&
         isDeviceCode(func)))
      sizeless.push_back(func);
}

//===----------------------------------------------------------------------===//
// Skipping
//===----------------------------------------------------------------------===//

/// Says that `op` is left alone. Failure where that must not be.
static LogicalResult skip(Operation *op, const KernelSelection &selection,
                          const Twine &what, const Twine &wayOut) {
  if (selection.skipsSilently)
    return success();
  InFlightDiagnostic diag =
      selection.mustSeeAll ? op->emitError() : op->emitWarning();
  diag << what << ", so '" << selection.pass << "' does not look at it; "
       << wayOut;
  return failure(selection.mustSeeAll);
}

static LogicalResult skip(FunctionOpInterface kernel,
                          const KernelSelection &selection) {
  return skip(kernel, selection,
              "kernel '" + kernel.getName() + "' has no block size",
              "give it 'gpu.known_block_size = array<i32: x, y, z>', or the "
              "pass the option 'block-size=x,y,z'");
}

static LogicalResult
runOnLaunch(gpu::LaunchOp launch, const KernelSelection &selection,
            llvm::function_ref<LogicalResult(const KernelContext &)> run) {
  if (!selection.entersLaunches)
    return skip(launch, selection, "a 'gpu.launch' is no function yet",
                "run 'gpu-kernel-outlining' first");
  if (!getStaticBlockSize(launch) && selection.launch.block.empty())
    return skip(launch, selection,
                "the block size of this 'gpu.launch' is not constant",
                "make it constant, or give the pass the option "
                "'block-size=x,y,z'");
  LaunchKernel kernel(launch);
  FailureOr<KernelContext> context =
      getPassContext(kernel.getKernel(), selection);
  return failed(context) ? failure() : run(*context);
}

bool mlir::memspace::renameAttributes(Operation *root) {
  bool isSaid = false;
  root->walk([&](Operation *op) {
    if (!hasOldName(op))
      return;
    for (const auto &[oldName, newName] : kRenamedAttrs) {
      Attribute attr = op->removeDiscardableAttr(oldName);
      if (!attr)
        continue;
      op->setDiscardableAttr(newName, attr);
      if (!std::exchange(isSaid, true))
        op->emitWarning() << "attribute '" << oldName << "' is called '"
                          << newName
                          << "' now; the next release does not know the old "
                             "name";
    }
  });
  return isSaid;
}

/// True when `root` has functions, and none that does anything: what became of
/// ops on tensors without an element.
static bool isEmptied(Operation *root) {
  bool hasBody = false;
  WalkResult result =
      root->walk<WalkOrder::PreOrder>([&](FunctionOpInterface func) {
        hasBody |= !func.isExternal();
        for (Operation &op : func.getFunctionBody().getOps())
          if (!op.hasTrait<OpTrait::IsTerminator>() && !isMemoryEffectFree(&op))
            return WalkResult::interrupt();
        return WalkResult::skip();
      });
  return hasBody && !result.wasInterrupted();
}

LogicalResult mlir::memspace::forEachKernel(
    Operation *root, const KernelSelection &selection,
    llvm::function_ref<LogicalResult(const KernelContext &)> run) {
  DeviceCode code(root);
  if (code.isOld && renameAttributes(root) && selection.renamed)
    *selection.renamed = true;
  if (code.kernels.empty() && code.sizeless.empty() && code.launches.empty() &&
      !selection.quiet && !isEmptied(root))
    root->emitWarning() << "there is no kernel here for '" << selection.pass
                        << "'; a kernel is a function with "
                           "'gpu.known_block_size'";
  auto runOn = [&](FunctionOpInterface kernel) -> LogicalResult {
    bool isOld = false, hasSize = isKernel(kernel);
    FailureOr<KernelContext> context =
        getPassContext(kernel, selection, [&](Operation *op) {
          isOld = isOld || hasOldName(op);
          // In others they have been found.
          if (auto launch = dyn_cast<gpu::LaunchOp>(op); launch && hasSize)
            code.launches.push_back(launch);
        });
    if (isOld && renameAttributes(kernel) && selection.renamed)
      *selection.renamed = true;
    return failed(context) ? failure() : run(*context);
  };
  bool isRight = true;
  auto goesOn = [&](LogicalResult result) {
    isRight &= succeeded(result);
    return isRight || selection.goesOn;
  };
  for (FunctionOpInterface kernel : code.kernels)
    if (!goesOn(runOn(kernel)))
      return failure();
  for (FunctionOpInterface kernel : code.sizeless)
    if (!goesOn(selection.launch.block.empty() ? skip(kernel, selection)
                                               : runOn(kernel)))
      return failure();
  for (gpu::LaunchOp launch : code.launches)
    if (!goesOn(runOnLaunch(launch, selection, run)))
      return failure();
  return success(isRight);
}
