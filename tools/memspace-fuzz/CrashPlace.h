//===- CrashPlace.h - where a process dies -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A signal handler that says in which function the process was, so that
/// crashes in different places count as different.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_FUZZ_CRASHPLACE_H
#define MEMSPACE_FUZZ_CRASHPLACE_H

#include <string>

namespace mlir {
namespace memspace {
namespace fuzz {

/// From now on, a signal that kills this process writes "W", a tab, names of
/// functions and a newline to `file` first.
void tellWhereItCrashes(int file);

/// The innermost function of this project in what was written after the tab,
/// but for the fuzzer's own, else of MLIR, else any; empty when there is none.
std::string getCrashPlace(const std::string &names);

} // namespace fuzz
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_FUZZ_CRASHPLACE_H
