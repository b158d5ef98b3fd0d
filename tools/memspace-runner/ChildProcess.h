//===- ChildProcess.h - a crash becomes an error ----------------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The last of the layers between a kernel and the process. The lists of
/// lib/Emulator keep the kernel's code inside; what a parser, a conversion or
/// the code generator does with strange input nobody can list.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_TOOLS_MEMSPACE_RUNNER_CHILDPROCESS_H
#define MEMSPACE_TOOLS_MEMSPACE_RUNNER_CHILDPROCESS_H

#include <optional>

namespace mlir {
namespace memspace {

/// Starts a child, which goes on from here, and waits for it. In the child the
/// result is empty; in the parent it is the child's exit status, or
/// `crashStatus`, with an error, when a signal ended it. Where no child can be
/// started, the process goes on itself.
std::optional<int> waitForChild(int crashStatus);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_TOOLS_MEMSPACE_RUNNER_CHILDPROCESS_H
