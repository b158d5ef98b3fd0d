//===- Synchronization.h - what orders the accesses of threads -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What ops synchronize, by `SynchronizationOpInterface`. An op without it
/// orders nothing. Of upstream, these have models: `gpu.barrier`,
/// `nvvm.barrier` (of all threads), `nvvm.barrier0`, `rocdl.barrier`,
/// `amdgpu.lds_barrier` (workgroup memory), `rocdl.s.barrier` (no memory),
/// `nvvm.bar.warp.sync` (of all lanes), and nvgpu's asynchronous copies; of
/// MemSpace `memspace.subgroup_barrier`.
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_MEMORY_SYNCHRONIZATION_H
#define MEMSPACE_MEMORY_SYNCHRONIZATION_H

#include "MemSpace/Memory/MemoryInterfaces.h"
#include "mlir/IR/Operation.h"

namespace mlir {
namespace memspace {

/// None for what is no barrier, or one of a part of the threads.
std::optional<Barrier> getBarrier(Operation *op);

/// True for barriers of threads of any number, also of a part of the workgroup:
/// control must be uniform where one stands, whatever it orders.
bool isBarrierLike(Operation *op);

/// True for an op that begins a copy which only a later wait of the same thread
/// completes: what it writes (and reads) may be touched until then.
bool startsAsyncCopy(Operation *op);

/// True for an op that begins a copy that is in flight for ever as far as waits
/// for groups tell.
bool startsUngroupedCopy(Operation *op);

/// True for an op that closes the group of the copies that the thread has begun
/// since it closed the last one. With startsAsyncCopy(): its own copy is the
/// last of the group.
bool commitsAsyncCopies(Operation *op);

/// Of a wait for copies: how many of the most recent groups of the thread may
/// be in flight behind it; all older ones are complete. Copies that are in no
/// group yet are not waited for. None for other ops.
std::optional<unsigned> getGroupsLeftInFlight(Operation *op);

/// True for what orders accesses, or copies, and is not itself an access.
bool isOnlySynchronization(Operation *op);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_MEMORY_SYNCHRONIZATION_H
