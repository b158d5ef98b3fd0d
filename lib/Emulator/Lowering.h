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
#include "mlir/Dialect/MemRef/IR/MemRef.h"
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

/// What is wrong with a type of which the emulator has no values.
inline constexpr llvm::StringLiteral
    kNoValue("is not emulated; use numbers, vectors or memrefs of them");
/// Most instructions that a kernel may become, each counted for all lanes of
/// its vectors: some seconds of code generation.
inline constexpr int64_t kMaxLoweredWork = 1 << 18;

/// Name of the kernel in the lowered module.
inline constexpr llvm::StringLiteral kKernelSymbol("msrt_kernel");

/// Number of the site behind a location of the copied module; 0 when it has
/// none.
uint32_t getSite(Location loc);
/// The location that stands for site `site` in the copied module. Its line is
/// the number, so that it comes out as the line of LLVM's debug locations.
Location makeSiteLocation(MLIRContext *context, uint32_t site);

/// True for a `gpu.func kernel` and a function with `gpu.known_block_size`.
bool isGPUKernel(FunctionOpInterface function);

/// The kernel that `options` means, or a diagnostic.
FailureOr<FunctionOpInterface> findKernel(Operation *module,
                                          const CompileOptions &options);

/// Copies the module around `kernel`, lowers it and fills in `program`.
FailureOr<OwningOpRef<ModuleOp>> lowerKernel(FunctionOpInterface kernel,
                                             const CompileOptions &options,
                                             Program &program);

/// Why the emulator has no values of this type, as in "… is not emulated";
/// empty when it has.
std::string refuseType(Type type);

/// Refuses every op of the copied module that is not on the list of what is
/// emulated.
LogicalResult checkInput(ModuleOp module, const Program &program);

/// Failure, with a diagnostic, where `argument` is not what `promise`, the
/// `memspace.bounds` of the argument or nothing, says.
LogicalResult checkPromise(Location loc, unsigned number,
                           const HostBuffer &argument, Attribute promise);

/// Gives a meaning to what has none in MLIR and would end the process in
/// upstream's folding or conversions.
void hardenInput(ModuleOp module);

/// Whether an LLVM op works on values alone: no memory, no control flow.
bool isLLVMValueOp(Operation *op);

/// Refuses every op of the lowered module whose effects the instrumentation
/// does not know. Locations and names are those of the op that it came from.
LogicalResult
checkLowered(ModuleOp module, Location kernelLoc,
             llvm::function_ref<Location(Operation *)> getLocation,
             llvm::function_ref<OperationName(Operation *)> getName);

/// Replaces ids, barriers, subgroup and matrix ops by calls of the runtime.
LogicalResult lowerGPUOps(ModuleOp module, Program &program);

/// Adds a check of each index of each access against its dimension, also of the
/// memrefs of which the accessed one is a slice.
void insertIndexChecks(ModuleOp module);

/// The same for an op that has become a call: before `op`, of the box of
/// `extents` elements of the innermost dimensions at `indices`.
void insertIndexCheck(Operation *op, Value memref, ValueRange indices,
                      ArrayRef<int64_t> extents);

/// The dimensions that `slice` keeps. Which of several of size 1 does not
/// matter for the elements.
SmallVector<int64_t> getKeptDims(memref::SubViewOp slice);

/// A memref without some of the dimensions of `whole`, which have size 1: it
/// has those in `kept`.
struct RankReduction {
  Value whole;
  SmallVector<int64_t> kept;
};
/// What splitRankReductions() made of a slice, if `memref` is that.
std::optional<RankReduction> getRankReduction(Value memref);

/// Splits each slice that drops some of its dimensions of size 1 only: upstream
/// would guess which. Must come before any folding.
void splitRankReductions(ModuleOp module);
/// Replaces what splitRankReductions() made by what upstream lowers.
void lowerRankReductions(ModuleOp module);

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
