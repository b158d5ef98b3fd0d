//===- Program.h - a kernel compiled for the CPU ----------------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the runtime must know of a kernel besides its code: tables whose
/// numbers the lowering puts into the code.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_EMULATOR_PROGRAM_H
#define MEMSPACE_LIB_EMULATOR_PROGRAM_H

#include "MatrixUnit.h"
#include "MemSpace/Emulator/Emulator.h"
#include "mlir/IR/Location.h"
#include <string>
#include <vector>

namespace mlir {
namespace memspace {
namespace emulator {

/// Whose a buffer is.
enum class Space { Private, Workgroup, Global };

/// One `memref.alloc` (or attribution).
struct AllocationInfo {
  uint32_t site;
  Space space;
  /// It holds all workgroup buffers of its kernel, each a view.
  bool isArena;
};

/// One `memref.global`.
struct GlobalInfo {
  std::string symbol;
  uint32_t site;
  Space space;
  int64_t bytes;
  bool isConstant;
  bool isInitialized;
};

/// A matrix that a subgroup loads or stores.
struct MatrixTile {
  unsigned rows, columns;
  int64_t elementBytes;
  /// From one row in memory to the next; columns are rows there when the matrix
  /// is transposed.
  int64_t leadBytes;
  bool isTransposed;
};

/// Sites are ops of the original IR, numbered from 1; 0 is an unknown place.
struct Program {
  std::vector<Location> sites;
  std::vector<AllocationInfo> allocations;
  std::vector<GlobalInfo> globals;
  std::vector<MatrixOp> matrixOps;
  std::vector<MatrixTile> matrixTiles;
  /// By site of a barrier or subgroup op: the loops around it, whose iterations
  /// must agree. Numbers of loop counters.
  std::vector<SmallVector<uint32_t, 2>> loopsOfSite;
  unsigned numLoops = 0;
  /// Some subgroup barrier may be for some lanes only.
  bool hasPartialBarriers = false;
  /// Some op reads a block id or the size of the grid.
  bool readsGrid = false;
  int64_t dynamicWorkgroupBytes = 0;
  unsigned subgroupSize = 32;
  /// A memref whose address is the argument's, or a scalar; in the order of the
  /// kernel.
  SmallVector<Type> argumentTypes;
  /// Whether each has `memspace.noalias`.
  SmallVector<bool> isNoAlias;
  /// The `memspace.bounds` of each; null if it has none.
  SmallVector<Attribute> bounds;
};

} // namespace emulator
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_EMULATOR_PROGRAM_H
