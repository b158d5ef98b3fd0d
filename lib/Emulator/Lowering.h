//===- Lowering.h - from a kernel to the LLVM dialect -----------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The steps that turn a copy of the kernel's module into LLVM dialect for the
/// CPU. Everything that depends on types and structure is written into the code
/// here: ids, barriers with the loops around them, subgroup ops, allocations
/// with their space, views with their bounds, and the check of each index.
/// Plain accesses become LLVM loads and stores, which Instrumentation.cpp finds
/// by themselves.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_EMULATOR_LOWERING_H
#define MEMSPACE_LIB_EMULATOR_LOWERING_H

#include "Program.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"

namespace mlir {
namespace memspace {
namespace emulator {

/// What is wrong with an op that neither the emulator nor upstream lowers.
inline constexpr llvm::StringLiteral kNotEmulated(
    "is not emulated; lower it to gpu, memref or vector ops first");

/// Name of the kernel in the lowered module.
inline constexpr llvm::StringLiteral kKernelSymbol("msrt_kernel");

/// Number of the site behind a location of the copied module; 0 when it has
/// none.
uint32_t getSite(Location loc);
/// The location that stands for site `site` in the copied module. Its line is
/// the number, so that it comes out as the line of LLVM's debug locations.
Location makeSiteLocation(MLIRContext *context, uint32_t site);

/// The kernel that `options` means, or a diagnostic.
FailureOr<FunctionOpInterface> findKernel(Operation *module,
                                          const CompileOptions &options);

/// Copies the module around `kernel`, lowers it and fills in `program`.
FailureOr<OwningOpRef<ModuleOp>> lowerKernel(FunctionOpInterface kernel,
                                             const CompileOptions &options,
                                             Program &program);

/// Replaces ids, barriers and subgroup ops by calls of the runtime.
LogicalResult lowerGPUOps(ModuleOp module, Program &program);

/// Adds a check of each index of each access against its dimension, also of the
/// memrefs of which the accessed one is a slice.
void insertIndexChecks(ModuleOp module);

/// Replaces allocations, views and asynchronous copies by calls of the runtime.
std::unique_ptr<Pass> createLowerEmulatedMemoryPass();

/// Attribute of a `memref.alloc`: its number in Program::allocations, or -1 for
/// the dynamic workgroup memory of the launch.
inline constexpr llvm::StringLiteral kAllocationAttr("msrt.allocation");
/// Attribute of a `memref.get_global`: its number in Program::globals.
inline constexpr llvm::StringLiteral kGlobalAttr("msrt.global");

} // namespace emulator
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_EMULATOR_LOWERING_H
