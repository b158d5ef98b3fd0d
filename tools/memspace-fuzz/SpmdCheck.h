//===- SpmdCheck.h - packed with reuse against every buffer by itself -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Judges the packing of a kernel on memrefs: with workgroup buffers laid over
/// each other it must compute bit for bit what it computes without, and the
/// emulator must find nothing.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_FUZZ_SPMDCHECK_H
#define MEMSPACE_FUZZ_SPMDCHECK_H

#include "Differential.h"
#include "MemSpace/Emulator/Emulator.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir {
namespace memspace {
namespace fuzz {

/// How the workgroup buffers of a kernel on memrefs are laid out.
enum class SpmdLayout { Unpacked, Bump, Reuse };

/// `module` with its buffers laid out, barriers, and the figures on it; null
/// when a pass fails.
OwningOpRef<ModuleOp> compileSpmd(ModuleOp module, SpmdLayout layout,
                                  const CheckOptions &options);

/// Runs the only kernel of `module` with seeded contents of every argument.
FailureOr<emulator::Result> runSpmd(ModuleOp module,
                                    const CheckOptions &options);

/// A function that allocates cannot have its barrier before it is inlined.
bool hasCalleeBuffers(ModuleOp module);

/// Judges the kernel of `module`, which has no barriers yet and is not changed.
/// Refused is what is refused without reuse as well; what is refused with reuse
/// only counts as a difference.
CheckResult checkSpmd(ModuleOp module, const CheckOptions &options);

} // namespace fuzz
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_FUZZ_SPMDCHECK_H
