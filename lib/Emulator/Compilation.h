//===- Compilation.h - from the LLVM dialect to code of the CPU -*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Translates, instruments and compiles a lowered kernel in process.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_EMULATOR_COMPILATION_H
#define MEMSPACE_LIB_EMULATOR_COMPILATION_H

#include "Program.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <vector>

namespace llvm {
namespace orc {
class LLJIT;
} // namespace orc
} // namespace llvm

namespace mlir {
namespace memspace {
namespace emulator {

/// Code, and what it needs. Lives as long as `jit`.
struct CompiledCode {
  CompiledCode();
  ~CompiledCode();

  std::unique_ptr<llvm::orc::LLJIT> jit;
  void (*entry)(const void *slots) = nullptr;
  /// Initial contents by index of Program::globals; null for none.
  std::vector<const uint8_t *> globalContents;
  /// No thread needs more for the frames of its functions.
  int64_t frameBytes = 0;
};

/// Compiles what `lowerKernel` made.
llvm::Error compileCode(ModuleOp module, const Program &program,
                        CompiledCode &code);

} // namespace emulator
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_EMULATOR_COMPILATION_H
