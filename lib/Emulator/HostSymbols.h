//===- HostSymbols.h - what compiled kernels may call -----------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A compiled kernel is code of the process. It reaches the runtime and
/// functions of numbers (the math library, conversions, wide integers), and
/// nothing else that the process has.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_EMULATOR_HOSTSYMBOLS_H
#define MEMSPACE_LIB_EMULATOR_HOSTSYMBOLS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace llvm {
namespace orc {
class LLJIT;
} // namespace orc
} // namespace llvm

namespace mlir {
namespace memspace {
namespace emulator {

/// Whether a kernel may call the function `name`.
bool isHostSymbol(llvm::StringRef name);

/// Makes these functions, and no others, known to `jit`.
llvm::Error defineHostSymbols(llvm::orc::LLJIT &jit);

} // namespace emulator
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_EMULATOR_HOSTSYMBOLS_H
