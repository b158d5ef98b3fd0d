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
};

/// Built for a module as it is. Calls may be erased afterwards, but none added.
class HostBuffers {
public:
  explicit HostBuffers(const KnownCalls &calls) : calls(calls) {}

  const FunctionAccesses &getAccesses(FunctionOpInterface func);

  /// Puts `kept` in the place of `dropped`, an allocation of the host: directly
  /// behind `call` both hold the same. Returns false, and changes nothing,
  /// unless it is proved that nobody sees a difference:
  ///
  /// - `dropped` is a plain allocation in the block of `call`, used behind it
  ///   only, and by ops whose accesses are known;
  /// - up to its last use nobody writes `kept`;
  /// - if `dropped` is written, `kept` is an allocation of that block, too, and
  ///   nobody reads it from then on.
  bool merge(Operation *call, Value kept, Value dropped);

private:
  struct Access {
    bool reads = false, writes = false, frees = false;
  };
  /// An access to a buffer, by its place in a block.
  struct Use {
    Operation *place;
    Access access;
    Operation *op;
  };

  std::optional<Access> getAccess(OpOperand &use);
  std::optional<SmallVector<Use>>
  collectUses(Value memory, Block *block, Operation *except, bool isOfBlock);
  bool writesAllocationsOnly(Operation *op);
  bool writeAllocationsOnly(Operation *first, Operation *last);

  const KnownCalls &calls;
  DenseMap<Operation *, FunctionAccesses> functions;
  /// By block, in its order: the ops that may write more than allocations. A
  /// merge adds none: an allocation that an argument takes the place of is not
  /// written.
  DenseMap<Block *, SmallVector<Operation *>> writers;
};

/// A plain allocation: memory that nothing else overlaps.
bool isAllocation(Value memref);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_ENCODINGS_HOSTBUFFERS_H
