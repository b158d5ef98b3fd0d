//===- LaunchMemory.h - the global memory of a launch -----------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Arguments and globals as the kernel sees them, and back.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_EMULATOR_LAUNCHMEMORY_H
#define MEMSPACE_LIB_EMULATOR_LAUNCHMEMORY_H

#include "Compilation.h"
#include "Runtime.h"

namespace mlir {
namespace memspace {
namespace emulator {

/// The memory of one run and what the kernel's entry reads.
class LaunchMemory {
public:
  LaunchMemory(const Program &program, const CompiledCode &code, Location loc,
               ArrayRef<HostBuffer> arguments, ArrayRef<ArgumentAlias> aliases,
               MemoryBudget &budget)
      : program(program), code(code), loc(loc), arguments(arguments),
        aliases(aliases), budget(budget) {}

  /// Allocates and fills it; an error at the kernel when it does not fit.
  LogicalResult make();
  /// The arguments as the kernel left them.
  SmallVector<HostBuffer> getArguments() const;

  std::vector<Buffer> buffers;
  /// By index of Program::globals; -1 for those in workgroup memory.
  std::vector<int64_t> globalIds;
  std::vector<uint8_t> slots;

private:
  /// Where the elements of an argument are.
  struct Layout {
    SmallVector<int64_t> strides;
    int64_t offset = 0;
    /// From the start of the buffer to behind the last one.
    int64_t numElements = 0;

    /// The elements follow each other in row-major order.
    bool isDense(ArrayRef<int64_t> shape) const;
  };
  struct Placed {
    Allocation *allocation = nullptr;
    /// In the allocation.
    int64_t begin = 0, bytes = 0;
    Layout layout;
  };

  static std::optional<Layout> getLayout(MemRefType type,
                                         ArrayRef<int64_t> shape);
  /// Calls `function` for elements that follow each other in memory: the number
  /// of the first, row-major, its position in memory, and how many there are.
  template <typename Fn>
  static void forEachRun(ArrayRef<int64_t> shape, const Layout &layout,
                         Fn function);
  void addSlot(ArrayRef<uint8_t> value);
  void addSlot(int64_t value);
  /// Null, with an error at `blamed`, when the budget does not allow it.
  Allocation *allocate(int64_t bytes, bool isInitialized, Location blamed);
  /// Finds out what a memref argument takes.
  LogicalResult layOut(unsigned number, MemRefType type);
  /// Gives it memory of its own, with its contents.
  LogicalResult allocateArgument(unsigned number);
  /// Puts one into the memory of another.
  LogicalResult addAlias(const ArgumentAlias &alias);
  LogicalResult addNoAliasShadows();
  void addSlots(unsigned number);
  LogicalResult addGlobal(const GlobalInfo &global, const uint8_t *contents);

  const Program &program;
  const CompiledCode &code;
  Location loc;
  ArrayRef<HostBuffer> arguments;
  ArrayRef<ArgumentAlias> aliases;
  MemoryBudget &budget;
  std::vector<std::unique_ptr<Allocation>> allocations;
  std::vector<Placed> placed;
};

} // namespace emulator
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_EMULATOR_LAUNCHMEMORY_H
