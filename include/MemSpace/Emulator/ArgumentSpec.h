//===- ArgumentSpec.h - kernel arguments on a command line ------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What memspace-runner and its relatives accept for `--arg`, `--shape`,
/// `--alias`, `--out`, `--grid` and `--block`.
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_EMULATOR_ARGUMENTSPEC_H
#define MEMSPACE_EMULATOR_ARGUMENTSPEC_H

#include "MemSpace/Emulator/Emulator.h"

namespace mlir {
namespace memspace {
namespace emulator {

/// One to three positive numbers, separated by commas; zeros for the empty
/// text. `option` is the name to blame.
llvm::Expected<Dim3> parseDim3(StringRef text, StringRef option);

/// Splits "N:rest", N being the number of one of `numArguments` arguments.
llvm::Expected<std::pair<unsigned, StringRef>>
parseNumbered(StringRef text, StringRef option, size_t numArguments);

/// Arguments of `types`, those of a kernel or HostProgram, from texts
/// N:npy:FILE, N:random:SEED, N:iota, N:fill:VALUE or N:uninit, and shapes
/// N:300x4 for dynamic types. A memref that no text names is uninitialized; a
/// scalar must be named. Arguments that a run with `maxMemoryBytes` cannot have
/// are not made.
llvm::Expected<SmallVector<HostBuffer>>
makeArguments(ArrayRef<Type> types, ArrayRef<std::string> argumentTexts,
              ArrayRef<std::string> shapeTexts,
              int64_t maxMemoryBytes = LaunchOptions().maxMemoryBytes);

/// The aliases from texts I:J or I:J:BYTES: argument J lies in the memory of
/// argument I, from byte BYTES on, of `numArguments`. An error where
/// `argumentTexts` gives J contents.
llvm::Expected<SmallVector<ArgumentAlias>>
parseAliases(size_t numArguments, ArrayRef<std::string> aliasTexts,
             ArrayRef<std::string> argumentTexts);

} // namespace emulator
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_EMULATOR_ARGUMENTSPEC_H
