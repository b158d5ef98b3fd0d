//===- Interpreter.h - what a tensor kernel computes, without bufferization
//-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Interprets a kernel on tensors directly: every tensor is a value that never
/// changes, the iterations of an `scf.forall` see the tensors from before it,
/// and what they insert is applied after the last one; in collectives all of
/// them meet. This is what the bufferized, mapped kernel must compute; it
/// shares no code with how that is made.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_FUZZ_INTERPRETER_H
#define MEMSPACE_FUZZ_INTERPRETER_H

#include "MemSpace/Emulator/HostBuffer.h"
#include "mlir/IR/Location.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir {
namespace memspace {
namespace fuzz {

/// The kernel's arguments after it has run.
struct Interpretation {
  SmallVector<emulator::HostBuffer> arguments;
  /// For each argument, the elements that the program leaves undefined: they
  /// come from a tensor or an argument that nobody has written.
  SmallVector<std::vector<bool>> undefinedElements;
  /// How often the program computed with an undefined element (control flow and
  /// indices that depend on one are errors), and where it did first.
  int64_t undefinedUses = 0;
  std::optional<Location> firstUndefinedUse;
  /// How many undefined elements it wrote to its arguments.
  int64_t undefinedWrites = 0;
  /// Ops executed.
  int64_t steps = 0;
};

struct InterpreterOptions {
  /// More than these ops count as no end in sight.
  int64_t maxSteps = int64_t(1) << 26;
};

/// Runs `kernel` on `arguments`, one for each of its arguments (a scalar has
/// rank 0). Fails with a diagnostic at the op that is not supported, reads or
/// writes out of range, divides by zero, or breaks the promise of a `forall`
/// that its iterations write different elements.
FailureOr<Interpretation> interpret(FunctionOpInterface kernel,
                                    ArrayRef<emulator::HostBuffer> arguments,
                                    const InterpreterOptions &options = {});

} // namespace fuzz
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_FUZZ_INTERPRETER_H
