//===- OneShotAnalyses.h - One-Shot's analyses of kernels, kept -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The steps from tensors to memory ask One-Shot again and again, and most of
/// them change nothing. Its analysis of a kernel is kept here until the kernel
/// is another one. Whether it is, the IR itself tells, by a fingerprint of all
/// ops, operands, attributes and types: no step has to say what it changed.
///
/// \code
///   MemorySpaceOptions options(context);
///   OneShotAnalyses analyses(options.oneShot);
///   options.analyses = &analyses;
///   if (failed(prepareKernel(context, options)) ||
///       failed(inferMemorySpaces(context, options)))
///     return failure();
/// \endcode
///
/// `analyses` decides which options One-Shot is asked with; give it `oneShot`,
/// as above. In passes, `getAnalysis<OneShotAnalyses>()`: what one pass has
/// asked, the next one need not ask again.
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_SPACES_ONESHOTANALYSES_H
#define MEMSPACE_SPACES_ONESHOTANALYSES_H

#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/AnalysisManager.h"
#include <memory>

namespace mlir {
namespace memspace {

/// The One-Shot options that MemSpace analyzes and bufferizes with, unless the
/// caller has others.
bufferization::OneShotBufferizationOptions getOneShotOptions();

/// Runs One-Shot's analysis of `kernel` into `state`, and corrects one answer:
/// a write of a fresh buffer that nothing else names is in place. (One-Shot
/// sees a conflict there when a later `scf.if` chooses between two buffers, and
/// would put a fresh allocation in the place of the fresh allocation.)
LogicalResult analyzeKernel(FunctionOpInterface kernel,
                            bufferization::OneShotAnalysisState &state);

/// Adds to `state`, an analysis of `kernel`, what is to be expected of `made`:
/// ops in destination style, with all that is in them, exchanges and
/// allocations, in program order, which were put into the kernel since, all in
/// place. It is a guess, for what they read and write may be another conflict;
/// only an analysis says so. Ask the state no more than what an analysis judges
/// afterwards.
void expectInPlace(FunctionOpInterface kernel, ArrayRef<Operation *> made,
                   bufferization::OneShotAnalysisState &state);

class MemorySpaceAnalysis;
struct MemorySpaceOptions;

/// Not for several threads at once.
class OneShotAnalyses {
public:
  explicit OneShotAnalyses(
      const bufferization::OneShotBufferizationOptions &options);
  /// For the analysis manager: with getOneShotOptions().
  explicit OneShotAnalyses(Operation *)
      : OneShotAnalyses(getOneShotOptions()) {}
  ~OneShotAnalyses();

  const bufferization::OneShotBufferizationOptions &getOptions() const {
    return *options;
  }

  /// One-Shot's analysis of `kernel` as it is now (see analyzeKernel); null
  /// when it failed, with a diagnostic. It says nothing of a kernel that was
  /// changed since.
  std::shared_ptr<bufferization::OneShotAnalysisState>
  get(FunctionOpInterface kernel);
  /// The same, or what is expected of `kernel` as it is now, where nothing
  /// better is known: for changes that keep all values, whatever is in place,
  /// and that a later analysis judges.
  std::shared_ptr<bufferization::OneShotAnalysisState>
  getExpected(FunctionOpInterface kernel);
  /// Says that what getExpected() has given last was told by expectInPlace() of
  /// all that was done to `kernel` since. `get` does not give it.
  void expect(FunctionOpInterface kernel);
  /// Whether no analysis has judged what getExpected() gives.
  bool expects(FunctionOpInterface kernel) const;
  /// Says that nothing was done to `kernel` since the last `get`, but that each
  /// of `operands`, which were not in place, has been given a new alloc_tensor
  /// that copies what it was. The analysis is kept and knows the copies: no
  /// conflict is left of these operands, and none that was not there is added.
  void copied(FunctionOpInterface kernel, ArrayRef<OpOperand *> operands);
  /// Says that nothing was done to `kernel` since the last `get` or `copied`,
  /// but that alloc_tensors which copied a tensor copy none now: each of
  /// `foralls` copies into one of them what that has copied, right behind it,
  /// and its result is used instead. The analysis is kept: what is read, and
  /// when, and what is written, are the same.
  void distributed(FunctionOpInterface kernel, ArrayRef<Operation *> foralls);
  /// What is decided for `kernel` as it is now, with `options`, whose
  /// `analyses` is this: the same as at the last call, where the kernel and the
  /// options are the same and the kernel calls no function.
  std::shared_ptr<const MemorySpaceAnalysis>
  getSpaces(FunctionOpInterface kernel, const MemorySpaceOptions &options);
  /// Frees what is kept of `kernel`.
  void forget(FunctionOpInterface kernel);
  /// How often a kernel was analyzed.
  unsigned getNumAnalyses() const { return numAnalyses; }

  /// For the analysis manager: `get` finds out by itself.
  bool isInvalidated(const AnalysisManager::PreservedAnalyses &) const {
    return false;
  }

private:
  struct Analyzed;
  struct Spaces;

  /// The states refer to them.
  std::shared_ptr<const bufferization::OneShotBufferizationOptions> options;
  llvm::DenseMap<Operation *, std::shared_ptr<Analyzed>> kernels;
  /// Apart, as each of them keeps One-Shot's analysis alive.
  llvm::DenseMap<Operation *, std::shared_ptr<Spaces>> spaces;
  unsigned numAnalyses = 0;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_SPACES_ONESHOTANALYSES_H
