//===- ScalarFolder.h - scalar ops evaluated by their own fold -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Evaluates an op without side effects on constant operands through its own
/// `fold`, so that the interpreter has no arithmetic of its own.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_FUZZ_SCALARFOLDER_H
#define MEMSPACE_FUZZ_SCALARFOLDER_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir {
namespace memspace {
namespace fuzz {

class ScalarFolder {
public:
  /// True for ops that only `fold` tells about: no regions, no effects, no
  /// operands or results but integers, indices and floats. What has no operands
  /// is a constant or depends on who executes it.
  static bool accepts(Operation *op);

  /// The results of `op` on `operands`. Fails, without a diagnostic, when the
  /// op does not fold: it has no folder for these types, or a division by zero.
  /// A result is null when it is poison.
  LogicalResult fold(Operation *op, ArrayRef<Attribute> operands,
                     SmallVectorImpl<Attribute> &results);

private:
  /// A clone of `op` whose operands are block arguments: a folder that looks
  /// through its operands finds nothing but the constants it is given.
  Operation *getClone(Operation *op);

  Block scratch;
  llvm::DenseMap<Operation *, Operation *> clones;
};

} // namespace fuzz
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_FUZZ_SCALARFOLDER_H
