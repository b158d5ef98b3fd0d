//===- Conformance.cpp - asks every op by every interface -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Testing/Conformance.h"
#include "ConformanceChecks.h"
#include "MemSpace/IR/StructuredOpInterface.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace mlir::memspace;

std::optional<SmallVector<MemoryEffects::EffectInstance>>
mlir::memspace::getReadsAndWrites(Operation *op) {
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface)
    return std::nullopt;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  llvm::erase_if(effects, [](const MemoryEffects::EffectInstance &effect) {
    return !isa<MemoryEffects::Read, MemoryEffects::Write>(effect.getEffect());
  });
  return effects;
}

std::optional<MemorySpace>
mlir::memspace::getNamedSpace(Value memref, const MemorySpaceMapping &spaces) {
  auto type = dyn_cast<BaseMemRefType>(memref.getType());
  if (!type || !type.getMemorySpace())
    return std::nullopt;
  return spaces.fromAttribute(type.getMemorySpace());
}

namespace {
/// The context of the function that was asked for last: ops come function by
/// function.
class Contexts {
public:
  explicit Contexts(const ConformanceOptions &options) : options(options) {}

  /// Null outside of functions, and in those whose launch is malformed.
  const KernelContext *get(Operation *op) {
    auto func = op->getParentOfType<FunctionOpInterface>();
    if (!func)
      return nullptr;
    if (func != last) {
      last = func;
      FailureOr<KernelContext> created =
          options.target ? KernelContext::create(func, *options.target,
                                                 options.launch, options.spaces)
                         : KernelContext::createWithoutTarget(
                               func, options.launch, options.spaces);
      isMalformed = failed(created);
      context.reset();
      if (succeeded(created))
        context.emplace(std::move(*created));
      malformed += isMalformed;
    }
    return context ? &*context : nullptr;
  }
  /// How many functions have a malformed launch, which was said.
  unsigned getMalformed() const { return malformed; }

private:
  const ConformanceOptions &options;
  FunctionOpInterface last;
  std::optional<KernelContext> context;
  bool isMalformed = false;
  unsigned malformed = 0;
};
} // namespace

ConformanceReport
mlir::memspace::checkConformance(Operation *root,
                                 const ConformanceOptions &options) {
  ConformanceReport report;
  Contexts contexts(options);
  MemoryRootChecker roots(options.spaces);
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto uniformity = dyn_cast<UniformityOpInterface>(op)) {
      ++report.uniformity;
      report.violations += checkUniformity(uniformity, options.spaces);
    }
    if (auto synchronization = dyn_cast<SynchronizationOpInterface>(op)) {
      ++report.synchronization;
      report.violations += checkSynchronization(synchronization);
    }
    if (auto access = dyn_cast<ElementAccessOpInterface>(op))
      if (const KernelContext *context = contexts.get(op)) {
        ++report.elementAccess;
        report.violations += checkElementAccess(access, *context);
      }
    if (auto memory = dyn_cast<MemoryRootOpInterface>(op)) {
      ++report.memoryRoot;
      report.violations += roots.check(memory);
    }
    if (auto collective = dyn_cast<CollectiveOpInterface>(op)) {
      ++report.collective;
      report.violations += checkCollective(collective);
    }
  });
  // These make ops and take them back.
  SmallVector<StructuredOpInterface> structured;
  root->walk([&](StructuredOpInterface op) { structured.push_back(op); });
  for (StructuredOpInterface op : structured)
    report.violations += failed(checkStructuredOp(op));
  report.structured = structured.size();
  report.violations += contexts.getMalformed();
  return report;
}

FailureOr<ConformanceReport>
mlir::memspace::checkConformance(StringRef text, MLIRContext *context,
                                 const ConformanceOptions &options) {
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, context);
  if (!module)
    return failure();
  return checkConformance(*module, options);
}
