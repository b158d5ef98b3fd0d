//===- CopyConflicts.h - why One-Shot copies a tensor -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An operand that One-Shot bufferizes out of place gets a copy: who would
/// write, and what forbids that it writes there. In words that outlive the ops,
/// which later steps may rewrite.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_BUFFERIZE_COPYCONFLICTS_H
#define MEMSPACE_LIB_TRANSFORMS_BUFFERIZE_COPYCONFLICTS_H

#include "MemSpace/Spaces/MemorySpaceAnalysis.h"

namespace mlir {
namespace memspace {

/// The op whose write of the buffer of `operand` is in the way: its own, or one
/// that gets the tensor from it.
Operation *findWriter(OpOperand &operand,
                      const bufferization::OneShotAnalysisState &state);

/// The read that needs the value that `writer` would overwrite in the buffer of
/// `operand`: one that does not come before it, if there is one; null when none
/// is found.
OpOperand *
findConflictingRead(OpOperand &operand, Operation *writer,
                    const bufferization::OneShotAnalysisState &state);

/// One copy that a conflict needs.
struct CopyConflict {
  /// As diagnostics name an op.
  struct NamedOp {
    Location loc;
    std::string name;

    explicit NamedOp(Operation *op)
        : loc(op->getLoc()), name(op->getName().getStringRef().str()) {}
  };

  /// Whose operand is copied, and the op that would write the original.
  NamedOp op, writer;
  /// What reads the old value; none when the memory is read-only, or the reader
  /// is not known.
  std::optional<NamedOp> read;
  bool isReadOnly = false;
  /// Nothing is overwritten: another path yields a buffer of another kind.
  bool isBranch = false;
  /// What is copied: "argument 0 (memref<64xf32>)", or nothing, and its type.
  std::string memory;
  Location memoryLoc;
  Type type;
  /// None when they are not known.
  std::optional<int64_t> bytes;
  /// The whole of a tensor, not a slice.
  bool isWhole = false;
  /// It is memory of the caller.
  bool isOutside = false;
  /// Where the copy is, in the end.
  std::optional<MemorySpace> space;
};

/// The conflict for which `operand` of the kernel of `context` is copied.
CopyConflict describeConflict(OpOperand &operand, const KernelContext &context,
                              const BufferClasses &classes,
                              const bufferization::OneShotAnalysisState &state);

/// Says that `copied` is copied: `value`, the operand, or a slice of it.
void setCopied(CopyConflict &conflict, Value copied, Value value,
               const KernelContext &context);

/// As inferMemorySpaces() in Bufferize.h, and lists the copies for conflicts
/// that are left in the end.
LogicalResult
inferMemorySpacesAndListCopies(const KernelContext &context,
                               const MemorySpaceOptions &options,
                               SmallVectorImpl<CopyConflict> &copies);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_BUFFERIZE_COPYCONFLICTS_H
