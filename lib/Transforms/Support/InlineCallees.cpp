//===- InlineCallees.cpp - callees with workgroup buffers -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InlineCallees.h"
#include "MemSpace/Memory/BufferUses.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/Inliner.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;
using namespace mlir::memspace;

static FunctionOpInterface getCallee(CallOpInterface call) {
  auto callee = dyn_cast_or_null<FunctionOpInterface>(call.resolveCallable());
  return callee && !callee.isExternal() ? callee : FunctionOpInterface();
}

/// True when `op` names workgroup memory that is not given to it.
static bool hasOwnBuffer(Operation *op, const MemorySpaceMapping &spaces) {
  return llvm::any_of(op->getResults(), [&](OpResult result) {
    return isWorkgroupMemory(result.getType(), spaces) &&
           (isa<memref::GetGlobalOp>(op) ||
            hasEffect<MemoryEffects::Allocate>(op, result));
  });
}

namespace {
/// The GPU dialect says of ops that they may come into its regions, but nothing
/// of regions.
class KernelInlinerInterface : public InlinerInterface {
public:
  using InlinerInterface::InlinerInterface;
  using InlinerInterface::isLegalToInline;
  bool isLegalToInline(Region *dest, Region *src, bool wouldBeCloned,
                       IRMapping &mapping) const final {
    return isa<gpu::GPUFuncOp>(dest->getParentOp()) ||
           InlinerInterface::isLegalToInline(dest, src, wouldBeCloned, mapping);
  }
  /// Several dialects of kernels say nothing; their ops do the same in any
  /// function.
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
};

class CalleeInliner {
public:
  CalleeInliner(const KernelContext &context, bool inlinesGiven)
      : kernel(context.getKernel()), spaces(context.getSpaces()),
        inlinesGiven(inlinesGiven), interface(kernel.getContext()) {}

  LogicalResult run();

private:
  bool needsInlining(FunctionOpInterface function);
  /// Empty, or why the call stays as it is.
  StringRef inlineOne(CallOpInterface call, FunctionOpInterface callee);
  LogicalResult refuse(CallOpInterface call, FunctionOpInterface callee,
                       StringRef why);
  bool isSharing(FunctionOpInterface callee) const {
    return inlinesGiven &&
           llvm::any_of(callee.getArgumentTypes(), [&](Type type) {
             return isWorkgroupMemory(type, spaces);
           });
  }

  FunctionOpInterface kernel;
  const MemorySpaceMapping &spaces;
  /// Also functions that are given workgroup memory.
  bool inlinesGiven;
  KernelInlinerInterface interface;
  InlinerConfig config;
  /// Functions whose answer is known or being computed.
  DenseMap<Operation *, bool> answers;
  /// Those that are being computed, each called by the one before.
  SmallVector<Operation *> callers;
  /// Functions that may call themselves.
  DenseSet<Operation *> recursive;
  /// Calls that stay.
  DenseSet<Operation *> kept;
};
} // namespace

bool CalleeInliner::needsInlining(FunctionOpInterface function) {
  auto [it, inserted] = answers.try_emplace(function, false);
  if (!inserted) {
    auto onStack = llvm::find(callers, function.getOperation());
    recursive.insert(onStack, callers.end());
    return it->second;
  }
  callers.push_back(function);
  bool needs = false;
  function.getFunctionBody().walk([&](Operation *op) {
    needs |= hasOwnBuffer(op, spaces);
    if (auto call = dyn_cast<CallOpInterface>(op))
      if (FunctionOpInterface callee = getCallee(call))
        needs |= needsInlining(callee);
  });
  callers.pop_back();
  answers[function] = needs;
  return needs;
}

StringRef CalleeInliner::inlineOne(CallOpInterface call,
                                   FunctionOpInterface callee) {
  bool isTopLevel = call->getParentOp() == kernel.getOperation();
  if (!callee.getFunctionBody().hasOneBlock() && !isTopLevel)
    return "it has branches between blocks";
  auto callable = dyn_cast<CallableOpInterface>(callee.getOperation());
  if (!callable || failed(inlineCall(interface, config.getCloneCallback(), call,
                                     callable, callable.getCallableRegion())))
    return "its dialect does not allow it";
  call->erase();
  return "";
}

/// An error where the kernel must have the buffers of `callee`, else a warning.
LogicalResult CalleeInliner::refuse(CallOpInterface call,
                                    FunctionOpInterface callee, StringRef why) {
  if (!needsInlining(callee)) {
    kept.insert(call);
    call->emitWarning() << "calls '" << callee.getName()
                        << "', which uses workgroup memory of the kernel and "
                           "cannot be inlined: "
                        << why
                        << "; no barrier is placed in it, inline the call "
                           "before";
    return success();
  }
  auto diag = call->emitError()
              << "calls '" << callee.getName()
              << "', which has workgroup buffers of its own and cannot be "
                 "inlined: "
              << why
              << "; pass the buffers as arguments or inline the call before";
  diag.attachNote(callee.getLoc()) << "the function is here";
  return failure();
}

LogicalResult CalleeInliner::run() {
  // Each round inlines the calls that the one before brought in.
  while (true) {
    SmallVector<CallOpInterface> calls;
    kernel.getFunctionBody().walk([&](CallOpInterface call) {
      FunctionOpInterface callee = getCallee(call);
      if (callee && !kept.contains(call) &&
          (needsInlining(callee) || isSharing(callee)))
        calls.push_back(call);
    });
    if (calls.empty())
      return success();
    for (CallOpInterface call : calls) {
      FunctionOpInterface callee = getCallee(call);
      (void)needsInlining(callee);
      bool isRecursive = recursive.contains(callee);
      if (isRecursive && needsInlining(callee))
        return call->emitError()
               << "calls a function with workgroup buffers that calls itself; "
                  "a kernel has only static memory, write it as a loop";
      StringRef why = isRecursive ? "it calls itself" : inlineOne(call, callee);
      if (!why.empty() && failed(refuse(call, callee, why)))
        return failure();
    }
  }
}

LogicalResult
mlir::memspace::inlineWorkgroupCallees(const KernelContext &context) {
  return CalleeInliner(context, /*inlinesGiven=*/false).run();
}

LogicalResult
mlir::memspace::inlineSharingCallees(const KernelContext &context) {
  return CalleeInliner(context, /*inlinesGiven=*/true).run();
}
