//===- LaunchTrace.h - what the host launches, as JSON ----------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_TOOLS_MEMSPACE_RUNNER_LAUNCHTRACE_H
#define MEMSPACE_TOOLS_MEMSPACE_RUNNER_LAUNCHTRACE_H

#include "MemSpace/Emulator/HostProgram.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir {
namespace memspace {

/// Writes the launches of `program` as one JSON object:
///
///   {"memories": {"2": 4096, …},
///    "launches": [{"module", "kernel", "grid", "block", "dynamic_bytes",
///                  "operands": [{"memory", "shape"} | {"scalar"}, …]}, …]}
///
/// `memories` are the bytes of those that the kernels are given, by number
/// (HostLaunch::Operand); `scalar` is the value's bytes as hexadecimal digits,
/// the first byte first.
LogicalResult writeLaunches(const emulator::HostProgram &program,
                            ArrayRef<emulator::HostBuffer> arguments,
                            const emulator::LaunchOptions &options,
                            raw_ostream &os);

/// The same for one launch of a kernel, whose function is `function`.
LogicalResult writeLaunch(FunctionOpInterface function,
                          const emulator::Kernel &kernel,
                          ArrayRef<emulator::HostBuffer> arguments,
                          const emulator::LaunchOptions &options,
                          raw_ostream &os);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_TOOLS_MEMSPACE_RUNNER_LAUNCHTRACE_H
