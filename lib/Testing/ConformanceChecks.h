//===- ConformanceChecks.h - the checks of each interface -*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One function for each interface. All of them emit an error for each
/// violation and return how many there were.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TESTING_CONFORMANCECHECKS_H
#define MEMSPACE_LIB_TESTING_CONFORMANCECHECKS_H

#include "MemSpace/Kernel/UniformityInterface.h"
#include "MemSpace/Memory/MemoryInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir {
namespace memspace {

unsigned checkUniformity(UniformityOpInterface op,
                         const MemorySpaceMapping &spaces);
unsigned checkSynchronization(SynchronizationOpInterface op);
unsigned checkElementAccess(ElementAccessOpInterface op,
                            const KernelContext &context);
unsigned checkCollective(CollectiveOpInterface op);

/// Roots are compared with those of the ops before, so that this is a class.
class MemoryRootChecker {
public:
  explicit MemoryRootChecker(const MemorySpaceMapping &spaces)
      : spaces(spaces) {}
  unsigned check(MemoryRootOpInterface op);

private:
  unsigned checkView(OpResult result, const NamedMemory &named);
  unsigned checkOwnMemory(OpResult result, const NamedMemory &named);

  const MemorySpaceMapping &spaces;
  /// The first op that named a memory with its space.
  DenseMap<Attribute, std::pair<Operation *, MemorySpace>> named;
};

/// The effects of `op` on memory that it reads or writes; none if it does not
/// say.
std::optional<SmallVector<MemoryEffects::EffectInstance>>
getReadsAndWrites(Operation *op);

/// The space that the type of `memref` names, if it is a memref and names one.
std::optional<MemorySpace> getNamedSpace(Value memref,
                                         const MemorySpaceMapping &spaces);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TESTING_CONFORMANCECHECKS_H
