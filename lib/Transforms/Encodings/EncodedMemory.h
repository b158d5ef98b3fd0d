//===- EncodedMemory.h - memory that holds encoded tensors ----------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A memref type has no encoding: what it holds is said where a tensor is read
/// from it (`to_tensor`) and written to it (`materialize_in_destination`).
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_ENCODINGS_ENCODEDMEMORY_H
#define MEMSPACE_LIB_TRANSFORMS_ENCODINGS_ENCODEDMEMORY_H

#include "TensorLayouts.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir {
namespace memspace {

/// The memory below a root that is not row-major.
class EncodedMemory {
public:
  /// Failure with an error where memory holds tensors of different layouts, or
  /// is accessed in another way than as the tensor that it holds.
  static FailureOr<EncodedMemory> find(Operation *root, TensorLayouts &layouts);

  /// What the memory holds; null for what is row-major.
  const TensorLayout *lookup(const TensorSlot &slot) const;
  /// The type that `slot` of `type` gets.
  Type convert(const TensorSlot &slot, Type type) const;
  /// Gives allocations, arguments and what is passed the shape of the layout.
  void convertValues(RewriterBase &rewriter) const;

private:
  llvm::MapVector<Value, const TensorLayout *> values;
  std::map<TensorSlot::Key, const TensorLayout *> slots;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_ENCODINGS_ENCODEDMEMORY_H
