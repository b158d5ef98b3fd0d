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
#include "llvm/Support/Error.h"

namespace llvm {
class Module;
} // namespace llvm

namespace mlir {
namespace memspace {
namespace emulator {

/// Name of the function that `addEntry` makes.
inline constexpr llvm::StringLiteral kEntrySymbol("msrt_entry");
/// What the entry reads begins at a multiple of this, argument for argument.
inline constexpr unsigned kSlotBytes = 16;

/// Replaces every address by what the runtime makes of it, gives stack memory
/// to the runtime, and counts steps. What is undefined in LLVM IR gets a
/// meaning, so that nothing is left to the code generator. Fails for an
/// instruction that could touch memory in another way: the lowering lets none
/// through, so that this is a mistake of the emulator.
llvm::Error instrument(llvm::Module &module);

/// Adds `void msrt_entry(ptr slots)`, which calls `kernel` with the values that
/// lie at `slots`, each at the next multiple of kSlotBytes.
void addEntry(llvm::Module &module, llvm::StringRef kernel);

} // namespace emulator
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_EMULATOR_INSTRUMENTATION_H
