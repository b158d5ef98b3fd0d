//===- BankConflicts.h - which lanes meet in a bank -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How many cycles the banks of workgroup memory need for an access of SPMD
/// code. The addresses of all threads are computed; nothing is proved, so that
/// only performance may depend on it.
///
/// The model: byte address a is in the bank (a / bankBytes) mod banks, and in
/// each cycle a bank serves one word to any number of lanes. The lanes of a
/// subgroup are served in phases of consecutive lanes, as many as can have all
/// banks to themselves: with 32 banks of 4 bytes 32 lanes of up to 4 bytes, 16
/// lanes of 8 bytes, 8 lanes of 16 bytes (CUDA C++ Best Practices Guide,
/// "Shared Memory and Memory Banks"; ROCm, "Understanding AMD GPU LDS and Bank
/// Conflicts", which also shows that wide reads of some chips group other
/// lanes: not modelled). Vectors of more than 16 bytes are several accesses.
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LAYOUT_BANKCONFLICTS_H
#define MEMSPACE_LAYOUT_BANKCONFLICTS_H

#include "MemSpace/Memory/MemoryAccess.h"
#include <memory>

namespace mlir {
namespace memspace {

class WorkgroupValueSamples;

/// One execution of an access by all threads of a workgroup.
struct BankConflict {
  /// The most words of one bank that the lanes of one phase touch, which is the
  /// cycles that it takes. 1: no conflict; 0: no thread executes the access.
  int64_t degree = 0;
  /// Cycles of all phases of all subgroups; the mean of a few iterations of the
  /// loops around the access.
  double cycles = 0;
};

class BankConflicts {
public:
  /// The target must be known.
  explicit BankConflicts(const KernelContext &context);
  ~BankConflicts();

  /// None when the address of some thread is not known: it depends on data, or
  /// a value that is the same in all lanes, but is not known, changes more than
  /// where the addresses begin.
  ///
  /// An access of a structured op or of `memref.copy` stands for all its
  /// elements: each is as far from the first in every thread.
  std::optional<BankConflict> getConflict(const MemoryAccess &access);

  /// The same if consecutive indices of each dimension of `access.view` were
  /// `strides` bytes apart.
  std::optional<BankConflict> getConflict(const MemoryAccess &access,
                                          ArrayRef<int64_t> strides);

  /// How often a thread executes the access: the trip counts of the loops
  /// around it and the elements (vectors of up to 16 bytes) that it touches at
  /// each. What is not static counts as `kUnknownTrips`.
  double getExecutions(const MemoryAccess &access) const;
  static constexpr int64_t kUnknownTrips = 8;

private:
  std::optional<BankConflict> count(const MemoryAccess &access,
                                    const LinearExpr &address);

  KernelContext context;
  std::unique_ptr<WorkgroupValueSamples> values;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LAYOUT_BANKCONFLICTS_H
