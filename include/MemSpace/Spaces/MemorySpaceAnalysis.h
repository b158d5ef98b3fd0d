//===- MemorySpaceAnalysis.h - where every tensor lives, and why -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// For every buffer of a kernel on tensors: which threads share it, the
/// narrowest memory that serves them, and the chain of reasons (design
/// section 4). Needs no pass to be run before it; conflicts that One-Shot
/// would resolve by a copy show as buffers of their own.
///
/// The answers are about the kernel as it was when they were computed. With
/// `getAnalysis` they are computed again after every pass that does not say
/// `markAnalysesPreserved<MemorySpaceAnalysis>()`; no other analysis that the
/// manager may drop is behind them.
///
/// Stable API: it changes only with a note in CHANGELOG.md, a release ahead.
///
/// \code
///   MemorySpaceAnalysis analysis(context);
///   if (!analysis.isValid())
///     return failure(); // a diagnostic was emitted
///   if (analysis.getMemorySpace(tensor) == MemorySpace::Workgroup)
///     os << analysis.explain(tensor);
/// \endcode
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_SPACES_MEMORYSPACEANALYSIS_H
#define MEMSPACE_SPACES_MEMORYSPACEANALYSIS_H

#include "MemSpace/Kernel/KernelContext.h"
#include "MemSpace/Spaces/LiveUses.h"
#include "MemSpace/Spaces/OneShotAnalyses.h"
#include "MemSpace/Spaces/OwnerMaps.h"
#include "mlir/Pass/AnalysisManager.h"

namespace mlir {
namespace memspace {

/// What an embedding compiler chooses.
struct MemorySpaceOptions {
  explicit MemorySpaceOptions(TargetInfo target) : target(std::move(target)) {}
  /// The target and the memory spaces of `context`.
  explicit MemorySpaceOptions(const KernelContext &context)
      : target(context.getTarget()), spaces(context.getSpaces()) {}

  TargetInfo target;
  /// Most bytes of a whole tensor that every thread computes for itself.
  int64_t replicationBytes = 4096;
  /// What a barrier costs a thread, in accesses to memory: every thread
  /// computes a whole tensor for itself only where that is less work than its
  /// part and the barriers. Nothing but `replicationBytes` limits it when very
  /// large.
  int64_t barrierWork = 64;
  MemorySpaceMapping spaces = MemorySpaceMapping::getDefault();
  /// For every analysis of tensors and for bufferization. Start from
  /// getOneShotOptions(), whose settings the analyses rely on, and add what
  /// your dialects need: filters, unknown ops, type converters.
  bufferization::OneShotBufferizationOptions oneShot = getOneShotOptions();
  /// What steps hand on to each other, made with `oneShot`; null: every step
  /// analyzes for itself.
  OneShotAnalyses *analyses = nullptr;
  /// The answers may rest on what `analyses` expect of the kernel (see
  /// OneShotAnalyses::getExpected): for steps that are right without them.
  bool expects = false;
};

/// One step of a chain of reasons.
struct MemorySpaceReason {
  /// Name of the rule, as in docs/rules.md.
  StringRef rule;
  /// One sentence.
  std::string text;
  /// The ops that decide, for notes; may be empty.
  SmallVector<Operation *, 2> ops;
};

/// What is decided for one buffer class.
struct MemorySpaceDecision {
  MemorySpace space = MemorySpace::Global;
  /// No space is legal; the last reason says why.
  bool refused = false;
  /// The narrowest scope whose threads exchange values through the buffer.
  ExecutionScope sharingScope = ExecutionScope::Thread;
  /// Threads that share one instance when there are several in a workgroup
  /// (once per subgroup or warpgroup); 0 when there is one.
  int64_t threadsPerInstance = 0;
  /// Every thread computes the whole tensor for itself.
  bool replicated = false;
  /// Bytes of one instance of the whole tensor; none when unbounded.
  std::optional<int64_t> bytes;
  /// Private: bytes that a thread needs once the buffer has shrunk.
  std::optional<int64_t> bytesPerThread;
  SmallVector<MemorySpaceReason, 2> reasons;
};

class MemorySpaceAnalysis {
public:
  /// Of the kernel of `context`; with other `options`, for its target and its
  /// memory spaces.
  explicit MemorySpaceAnalysis(const KernelContext &context);
  MemorySpaceAnalysis(const KernelContext &context,
                      const MemorySpaceOptions &options);
  /// For `getAnalysis`: `op` is a kernel, or contains kernels. Target and
  /// memory spaces are those in the IR; a kernel without target gets a
  /// diagnostic and no answers.
  explicit MemorySpaceAnalysis(Operation *op);
  MemorySpaceAnalysis(Operation *op, const MemorySpaceOptions &options);
  /// That of `kernel` as it is now, which the `analyses` of `options` may have
  /// kept (see OneShotAnalyses::getSpaces); a new one without them.
  static std::shared_ptr<const MemorySpaceAnalysis>
  get(FunctionOpInterface kernel, const MemorySpaceOptions &options);
  ~MemorySpaceAnalysis();
  MemorySpaceAnalysis(const MemorySpaceAnalysis &) = delete;
  MemorySpaceAnalysis &operator=(const MemorySpaceAnalysis &) = delete;

  /// The decision for the buffer of `tensor`; null when `tensor` is not a
  /// tensor value of a kernel.
  const MemorySpaceDecision *getDecision(Value tensor) const;
  /// The space of `tensor`; none when it is unknown or refused.
  std::optional<MemorySpace> getMemorySpace(Value tensor) const;
  /// The narrowest scope whose threads share the buffer of `tensor`.
  std::optional<ExecutionScope> getSharingScope(Value tensor) const;
  /// The scope that executes the use.
  ExecutionScope getScope(OpOperand &use) const;
  /// Uses of `tensor` whose effect reaches a kernel output.
  SmallVector<OpOperand *> getLiveUses(Value tensor) const;
  /// The values that share the buffer of `tensor`.
  const BufferClass *getBufferClass(Value tensor) const;
  /// The chain of reasons, one step a line: "rule: text".
  std::string explain(Value tensor) const;

  /// The parts, for passes.
  const KernelContext *getContext(FunctionOpInterface kernel) const;
  const BufferClasses *getBufferClasses(FunctionOpInterface kernel) const;
  const OwnerMaps *getOwnerMaps(FunctionOpInterface kernel) const;
  const bufferization::OneShotAnalysisState *
  getState(FunctionOpInterface kernel) const;
  /// False when a kernel has no context (no target, a malformed launch shape)
  /// or One-Shot's analysis of it failed. A diagnostic was emitted, and that
  /// kernel has no answers.
  bool isValid() const { return valid; }

  /// For the analysis manager.
  bool
  isInvalidated(const AnalysisManager::PreservedAnalyses &preserved) const {
    return !preserved.isPreserved<MemorySpaceAnalysis>();
  }

private:
  struct KernelInfo;
  void analyze(const KernelContext &context, const MemorySpaceOptions &options);
  const KernelInfo *getInfo(Operation *op) const;

  bool valid = true;
  llvm::MapVector<Operation *, std::unique_ptr<KernelInfo>> kernels;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_SPACES_MEMORYSPACEANALYSIS_H
