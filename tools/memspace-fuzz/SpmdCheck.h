//===- SpmdCheck.h - packed with reuse against every buffer by itself -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Judges barriers and packing of a kernel on memrefs. What it means is what it
/// computes with a barrier around each op that all threads execute, where it
/// has these (`kSyncAttr`); they are taken out first. With the barriers that
/// are placed it must compute that bit for bit, also with workgroup buffers
/// laid over each other, and the emulator must find nothing.
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

/// Runs the kernels of `module` with seeded contents of every argument; the
/// result has the reports and arguments of all of them.
FailureOr<emulator::Result> runSpmd(ModuleOp module,
                                    const CheckOptions &options);

/// Whether `module` has barriers that say what its kernels mean.
bool isSynchronized(ModuleOp module);

/// A copy of `module` without the barriers that say what its kernels mean.
OwningOpRef<ModuleOp> withoutSynchronization(ModuleOp module);

/// A function that allocates cannot have its barrier before it is inlined.
bool hasCalleeBuffers(ModuleOp module);

/// Judges the kernels of `module`, which have no barriers yet; it is not
/// changed. Refused is what is refused without reuse as well; what is refused
/// with reuse only counts as a difference.
CheckResult checkSpmd(ModuleOp module, const CheckOptions &options);

} // namespace fuzz
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_FUZZ_SPMDCHECK_H
