//===- KnownCalls.h - functions whose calls are all known -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The functions of a module that are entered by `func.call` and
/// `gpu.launch_func` ops of the module only, and changes of their signatures
/// that all of these ops follow.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_NORMALIZE_KNOWNCALLS_H
#define MEMSPACE_LIB_TRANSFORMS_NORMALIZE_KNOWNCALLS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace mlir {
namespace memspace {

/// What `call`, a `func.call` or `gpu.launch_func`, passes as the arguments of
/// the function.
MutableArrayRef<OpOperand> getPassedArguments(Operation *call);

/// Removes what `call` passes as the arguments of `erased`.
void erasePassedArguments(Operation *call, const llvm::BitVector &erased);

/// True when nobody uses a result of `op`. That another op of the host waits
/// for it does not count.
bool hasUnusedResults(Operation *op);

/// Erases `op`, which has unused results. Who waits for it waits for what it
/// waited for.
void eraseUnused(Operation *op);

/// Built for a module as it is; a change of the module that is not made through
/// it ends its validity.
class KnownCalls {
public:
  explicit KnownCalls(ModuleOp module);

  /// The functions of which all calls are known, at least one of them, and that
  /// do not call themselves, in program order. A function in a `gpu.module` is
  /// reached by launches and by calls from there.
  SmallVector<FunctionOpInterface> getFunctions() const;
  bool isKnown(Operation *func) const { return calls.contains(func); }
  /// The calls and launches of a known function that are left.
  ArrayRef<Operation *> getCalls(Operation *func) const;
  /// The known function that `call` enters; null for others.
  FunctionOpInterface getCallee(Operation *call) const {
    return callees.lookup(call);
  }

  /// Removes arguments that the function does not use, with what is passed as
  /// them. Returns the values that were passed.
  SmallVector<Value> eraseArguments(FunctionOpInterface func,
                                    const llvm::BitVector &erased);
  /// Removes results of a `func.func` that no call uses; `func.return`s follow.
  void eraseResults(FunctionOpInterface func, const llvm::BitVector &erased);
  /// Removes the calls of `func` whose results are not used. Returns the values
  /// that were passed.
  SmallVector<Value> eraseUnusedCalls(FunctionOpInterface func);
  /// Removes the known functions without a call, and `gpu.module`s that are
  /// empty then. After a change the calls have to be collected again.
  bool eraseUncalled();

private:
  void collectFunctions(ModuleOp module);
  void collectUses(Operation *op, SymbolTableCollection &tables);
  void dropCycles();

  /// The calls of each function, in program order.
  llvm::MapVector<Operation *, SmallVector<Operation *>> calls;
  DenseMap<Operation *, FunctionOpInterface> callees;
  /// Names by which an op other than a known call refers to a symbol.
  llvm::DenseSet<StringAttr> otherUses;
};

/// The arguments of `func` that `memspace.grid_size` needs.
llvm::BitVector getArgumentsOfGrid(FunctionOpInterface func);

/// Removes arguments without uses from `func` alone. Attributes that say
/// something of arguments by their numbers follow.
void eraseArgumentsOfFunction(FunctionOpInterface func,
                              const llvm::BitVector &erased);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_NORMALIZE_KNOWNCALLS_H
