//===- Instrumentation.h - every access asks the runtime --------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Works on LLVM IR, where all that touches memory is a load, a store, an
/// atomic or one of a few intrinsics, whatever op it came from; the line of its
/// debug location is the site.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_EMULATOR_INSTRUMENTATION_H
#define MEMSPACE_LIB_EMULATOR_INSTRUMENTATION_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Module;
} // namespace llvm

namespace mlir {
namespace memspace {
namespace emulator {

/// Name of the function that `addEntry` makes.
inline constexpr llvm::StringLiteral kEntrySymbol("msrt_entry");
/// Bytes from one argument to the next in what the entry reads.
inline constexpr unsigned kSlotBytes = 16;

/// Replaces every address by what the runtime makes of it, gives stack memory
/// to the runtime, and counts the iterations of loops.
void instrument(llvm::Module &module);

/// Adds `void msrt_entry(ptr slots)`, which calls `kernel` with the values that
/// lie at slots, slots + kSlotBytes, …
void addEntry(llvm::Module &module, llvm::StringRef kernel);

} // namespace emulator
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_EMULATOR_INSTRUMENTATION_H
