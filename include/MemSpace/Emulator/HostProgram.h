//===- HostProgram.h - run kernels one after the other -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Runs a function of the host that launches kernels: it allocates memory, and
/// launches kernels by `gpu.launch_func`, or, while they are functions with
/// `gpu.known_block_size`, by `func.call`, in loops and branches of scf and in
/// functions that it calls, too. Each kernel runs under the emulator
/// (MemSpace/Emulator/Emulator.h).
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_EMULATOR_HOSTPROGRAM_H
#define MEMSPACE_EMULATOR_HOSTPROGRAM_H

#include "MemSpace/Emulator/Emulator.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <optional>

namespace mlir {
namespace memspace {
namespace emulator {

/// One launch of a kernel by a function of the host.
struct HostLaunch {
  struct Operand {
    /// Of a memref: 0, 1, … are those of the function's arguments, scalars
    /// counted, further ones what it allocates, in order. Names of one memory
    /// have one number. None for a scalar.
    std::optional<unsigned> memory;
    /// Element type and shape; of a scalar, its value. What kernels write to
    /// memory is not in it.
    const HostBuffer *contents;
  };
  /// `gpu.launch_func`, or `func.call`.
  Operation *op;
  FunctionOpInterface kernel;
  LaunchShape shape;
  SmallVector<Operand> operands;
};

class HostProgram {
public:
  /// The function of the host in `module` that is called `name` or, for an
  /// empty name, the only one that launches kernels and is not called itself.
  /// Null if there is none: the name is a kernel's, or no function launches
  /// anything, or several do. Null for the empty name, too, if there is but one
  /// kernel: that is meant.
  static func::FuncOp find(Operation *module, StringRef name);

  /// Compiles the kernels that `host` launches. Fails with a diagnostic at the
  /// op that is not understood: of the host these are branches between blocks,
  /// recursion, results of functions, views of memory, and what does not fold
  /// with constant operands and is no `memref.dim`, allocation, deallocation,
  /// launch, call, `scf.for`, `scf.if` or `scf.while`. `options.kernel` is not
  /// looked at. The IR must stay as it is while the program lives.
  static FailureOr<HostProgram> compile(func::FuncOp host,
                                        const CompileOptions &options = {});

  HostProgram(HostProgram &&);
  HostProgram &operator=(HostProgram &&);
  ~HostProgram();

  /// Memref and scalar types, in order.
  SmallVector<Type> getArgumentTypes() const;

  /// Runs the launches in their order, each as Kernel::run() does, on what the
  /// first order of threads left behind; `options.maxSteps` are for each of
  /// them, and for the iterations of the host's loops. Grid and block are the
  /// launch's. What a kernel has been given counts as initialized afterwards.
  /// The result has the reports of all launches, the sums of accesses and of
  /// executed barriers, and the arguments of the function. Ends with the first
  /// launch that is not clean. Failure as Kernel::run(), and where an alias or
  /// a trace of accesses is asked for.
  FailureOr<Result> run(ArrayRef<HostBuffer> arguments,
                        const LaunchOptions &options = {}) const;

  /// Executes the host alone: calls `onLaunch` for each launch, in order, where
  /// run() would run the kernel. Who has a GPU launches the same kernels there.
  /// The host reads no memory, so that what kernels write changes nothing.
  /// Failure as run().
  LogicalResult trace(ArrayRef<HostBuffer> arguments,
                      function_ref<void(const HostLaunch &)> onLaunch,
                      const LaunchOptions &options = {}) const;

private:
  struct Impl;
  FailureOr<Result>
  execute(ArrayRef<HostBuffer> arguments, const LaunchOptions &options,
          function_ref<void(const HostLaunch &)> onLaunch) const;
  explicit HostProgram(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace emulator
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_EMULATOR_HOSTPROGRAM_H
