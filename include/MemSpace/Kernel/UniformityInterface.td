//===- UniformityInterface.td - which threads get one value -------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_KERNEL_UNIFORMITYINTERFACE_TD
#define MEMSPACE_KERNEL_UNIFORMITYINTERFACE_TD

include "mlir/IR/OpBase.td"

def MemSpace_UniformityOpInterface : OpInterface<"UniformityOpInterface"> {
  let cppNamespace = "::mlir::memspace";
  let description = [{
    Says which threads get the same results from an op, and which values decide
    how its regions or successors are run. Barriers stand only where all threads
    come together, so both answers are trusted as far as they go: where threads
    get different values in spite of them, a barrier may hang. The narrower
    scope, and no control values, are always safe.
  }];
  let methods = [
    InterfaceMethod<[{
        The widest group of threads that get the same results if their operands
        are the same: `Grid` for what is computed from the operands alone,
        `Workgroup` for the id of a workgroup, `Subgroup` for that of a subgroup,
        `Thread` for the id of a thread or for what lanes exchange.
      }], "::mlir::memspace::ExecutionScope", "getResultScope",
      (ins), [{}], [{ return ::mlir::memspace::ExecutionScope::Grid; }]>,
    InterfaceMethod<[{
        True when the results are the same in these threads whatever each of
        them has for operands, as after a reduction over all of them.
      }], "bool", "ignoresOperandScopes", (ins), [{}], [{ return false; }]>,
    InterfaceMethod<[{
        The values that decide which of the regions or successors of the op are
        run, how often, and nothing else does: none for a region that is run
        once. No answer: threads may go any way.
      }], "::std::optional<::llvm::SmallVector<::mlir::Value>>",
      "getControlValues", (ins), [{}], [{ return ::std::nullopt; }]>
  ];
}

#endif // MEMSPACE_KERNEL_UNIFORMITYINTERFACE_TD
