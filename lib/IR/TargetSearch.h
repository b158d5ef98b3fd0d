//===- TargetSearch.h - what the IR says of the targets of tensors --------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// For One-Shot Bufferize, which asks op by op: whether all that is said of the
/// target of one encoded tensor agrees.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_IR_TARGETSEARCH_H
#define MEMSPACE_LIB_IR_TARGETSEARCH_H

#include "MemSpace/Target/TargetInfo.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace mlir {
namespace memspace {

/// What the IR says of the target of `op`, first of all by `attr` if that is
/// not null; none where that is nothing, or wrong, which others report.
std::optional<TargetInfo> getNamedTarget(Operation *op, Attribute attr = {});

/// What a function says of the target of its argument `value`; null if that is
/// nothing, or the value no such argument.
Attribute getTargetOfArgument(Value value);

/// Questions about one module, which must not change in between.
class TargetSearch {
public:
  /// About what is around `op`.
  explicit TargetSearch(Operation *op);

  /// An op that names a target with another layout than `target` has for
  /// `tensor`, of ranked type with an encoding, and has an encoded tensor that
  /// lives where `tensor` does: tensors that one op has, or that are passed on
  /// by control flow, calls and returns, or are in one memory, live on one
  /// target. The function, if it says so of an argument or result; what leads
  /// to where it cannot be followed. Null when there is none. Cost of all
  /// questions together: linear in the module for each type and target.
  Operation *findOther(Value tensor, const TargetInfo &target);

private:
  class Question;

  /// Where functions are entered, and memory with a name is accessed.
  struct Index {
    DenseMap<Operation *, SmallVector<Operation *>> calls, globals;
    /// Functions that something else refers to.
    DenseSet<Operation *> referred;
  };
  const Index &getIndex();
  FunctionOpInterface getCallee(Operation *call);
  /// Whether what some function says, or what is around it, gives a tensor of
  /// `type` another layout.
  bool hasOtherFunction(RankedTensorType type, const TargetInfo &target);
  void collectTargets();

  struct Answer {
    RankedTensorType type;
    std::string chip;
    Operation *other;
  };

  Operation *module;
  SymbolTableCollection tables;
  std::optional<Index> index;
  /// What functions say, and a function of each place where some say nothing.
  llvm::SetVector<Attribute> targets;
  llvm::SetVector<Operation *> unnamed;
  bool areCollected = false;
  std::map<std::pair<const void *, std::string>, bool> otherFunctions;
  DenseMap<Value, SmallVector<Answer, 1>> answers;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_IR_TARGETSEARCH_H
