//===- WorkgroupValueSamples.h - the number that each thread computes -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Executes the integer arithmetic of SPMD code, for all threads of one
/// workgroup: ids are known numbers, and what is computed from them is folded,
/// by whatever op. It shows what is typical of a kernel and proves nothing.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_THREADS_WORKGROUPVALUESAMPLES_H
#define MEMSPACE_LIB_THREADS_WORKGROUPVALUESAMPLES_H

#include "Kernel/HardwareIds.h"
#include "MemSpace/Threads/Uniformity.h"
#include <memory>

namespace mlir {
namespace memspace {

/// A value in each thread of a workgroup.
struct ThreadNumbers {
  /// By linear thread id; only one when it is the same in all threads.
  std::vector<int64_t> numbers;
  /// Depends on a value that is the same in all lanes, but not known. A number
  /// was assumed for it.
  bool assumed = false;
  /// Is another one in another sample.
  bool varies = false;

  int64_t get(int64_t thread) const {
    return numbers.size() == 1 ? numbers.front() : numbers[thread];
  }
};

class WorkgroupValueSamples {
public:
  explicit WorkgroupValueSamples(const KernelContext &context);

  /// Executions that are looked at. In sample s every loop is in its iteration
  /// s (or the last one), and what is not known, but is the same in all lanes,
  /// is s.
  static constexpr unsigned kSamples = 4;

  /// The value of an index or integer in `sample`; null when it is not known.
  const ThreadNumbers *get(Value value, unsigned sample);

  /// By linear thread id, 0 for the threads that do not come to `block` in
  /// `sample`: conditions and loop bounds decide. What is not known lets them
  /// through.
  const ThreadNumbers &getActive(Block *block, unsigned sample);

private:
  using Entry = std::unique_ptr<ThreadNumbers>;

  Entry compute(Value value, unsigned sample);
  Entry computeId(HardwareId id) const;
  Entry computeChoice(scf::IfOp op, unsigned result, unsigned sample);
  Entry computeInduction(BlockArgument arg, unsigned sample);
  Entry assume(Value value, unsigned sample);
  void fold(Operation *op, unsigned sample);
  Entry computeActive(Block *block, unsigned sample);

  KernelContext context;
  int64_t threads;
  ThreadRelations relations;
  /// Costly, and most kernels index with ids and loops only.
  std::optional<Uniformity> uniformity;
  DenseMap<std::pair<Value, unsigned>, Entry> values;
  unsigned depth = 0;
  DenseMap<std::pair<Block *, unsigned>, Entry> active;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_THREADS_WORKGROUPVALUESAMPLES_H
