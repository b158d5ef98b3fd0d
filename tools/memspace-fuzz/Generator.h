//===- Generator.h - random kernels -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A random kernel on tensors for each seed. Every kernel is a legal program:
/// in range, its foralls write disjoint slices, and it computes with nothing
/// that nobody has written. Its floating-point results are determined to the
/// bit.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_FUZZ_GENERATOR_H
#define MEMSPACE_FUZZ_GENERATOR_H

#include "CheckOptions.h"

namespace mlir {
namespace memspace {
namespace fuzz {

/// What kernels may have besides.
struct Extras {
  /// Ops whose interfaces say less than they do (test/lib/Lie).
  bool lies = false;
  /// Threads that meet in collectives.
  bool collectives = false;
  /// Nothing but sorts, top-k, scans, scatters and gathers.
  bool structured = false;
};

struct GeneratedKernel {
  /// A module; most have one kernel.
  std::string text;
  /// For which GPU, and with what arguments.
  CheckOptions options;
};

/// The kernel of `seed`. `chip` replaces the random choice when not empty.
GeneratedKernel generate(uint64_t seed, StringRef chip = "",
                         const Extras &extras = {});

/// The same for a kernel on memrefs, without barriers. `isBarriers`: of which
/// the barriers are checked.
GeneratedKernel generateSpmd(uint64_t seed, StringRef chip = "",
                             bool isBarriers = false);

} // namespace fuzz
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_FUZZ_GENERATOR_H
