//===- VerifierDeadEnds.h - where no thread goes on ------------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The verifier's answer to "can any thread go on from here?", where some
/// numbers are known: not if each of them touches what is beyond a buffer, or
/// decides by a number that was shifted by more bits than it has. Placement has
/// ControlDeadEnds.cpp, which shares no code with this.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_BARRIERS_VERIFIERDEADENDS_H
#define MEMSPACE_LIB_BARRIERS_VERIFIERDEADENDS_H

#include "Kernel/HardwareIds.h"
#include "Kernel/IntegerOps.h"
#include "MemSpace/Kernel/KernelContext.h"

namespace mlir {
namespace memspace {

class KnownValues;

class DeadEnds {
public:
  /// `known` must live as long as this.
  DeadEnds(const KernelContext &context, KnownValues &known)
      : context(context), known(known) {}

  /// True if no thread that executes `op`, a load or store of one element,
  /// where `where` is known can go on behind it. False for all other ops.
  bool isDeadEnd(Operation *op, unsigned where);

  /// What threads decide by.
  struct Decision {
    /// The number that `decider` is in all threads, if that is known.
    std::optional<int64_t> number;
    /// No thread may use it.
    bool isPoison = false;
  };
  Decision decide(Value decider, unsigned where);

private:
  /// A number that is not known, that is, or that must not be used.
  enum class Kind { Unknown, Known, Poison };
  struct Number {
    Kind kind = Kind::Unknown;
    int64_t number = 0;
  };
  /// One value on the way to another, with the steps before that it needs.
  struct Step {
    Value value;
    SmallVector<unsigned, 3> operands;
    std::shared_ptr<NumberFolder> folder;
  };
  using Steps = std::vector<Step>;

  const Steps &getSteps(Value value);
  unsigned addSteps(Value value, Steps &steps, DenseMap<Value, unsigned> &seen,
                    unsigned depth);
  Number compute(const Step &step, ArrayRef<Number> before,
                 const ThreadPlace &place);
  bool holdsForAll(Value value, unsigned where,
                   llvm::function_ref<bool(Number)> holds);

  KernelContext context;
  KnownValues &known;
  DenseMap<Value, Steps> stepsTo;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_BARRIERS_VERIFIERDEADENDS_H
