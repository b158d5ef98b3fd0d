//===- HostBuffers.h - two buffers of the host that can be one ------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_ENCODINGS_HOSTBUFFERS_H
#define MEMSPACE_LIB_TRANSFORMS_ENCODINGS_HOSTBUFFERS_H

#include "Transforms/Normalize/KnownCalls.h"

namespace mlir {
namespace memspace {

/// What a function does to memory.
struct FunctionAccesses {
  /// By argument.
  llvm::BitVector reads, writes;
  /// It may access other memory than its arguments' and its own.
  bool isOpaque = false;

  static FunctionAccesses get(FunctionOpInterface func);
};

/// Puts `kept` in the place of `dropped`, an allocation of the host: directly
/// behind `call` both hold the same. Returns false, and changes nothing, unless
/// it is proved that nobody sees a difference:
///
/// - `dropped` is a plain allocation in the block of `call`, used behind it
/// only,
///   and by ops whose accesses are known;
/// - up to its last use nobody writes `kept`;
/// - if `dropped` is written, `kept` is an allocation of that block, too, and
///   nobody reads it from then on.
bool mergeBuffers(Operation *call, Value kept, Value dropped,
                  const KnownCalls &calls);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_ENCODINGS_HOSTBUFFERS_H
