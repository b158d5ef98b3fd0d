//===- HardwareIds.h - ops that read ids and sizes --------------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The one list of the ops that read an id of a thread or a size of the launch
/// from the hardware.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_KERNEL_HARDWAREIDS_H
#define MEMSPACE_LIB_KERNEL_HARDWAREIDS_H

#include "MemSpace/Kernel/KernelContext.h"

namespace mlir {
namespace memspace {

struct HardwareId {
  enum class Kind {
    ThreadId,
    BlockId,
    GlobalId,
    LaneId,
    SubgroupId,
    ClusterId,
    ClusterBlockId,
    BlockDim,
    GridDim,
    SubgroupSize,
    NumSubgroups
  };

  Kind kind;
  /// 0, 1, 2 for x, y, z; 0 for a number without a dimension.
  unsigned dim = 0;

  /// True for an id that differs between the threads of a workgroup.
  bool isOfThread() const {
    return kind == Kind::ThreadId || kind == Kind::GlobalId ||
           kind == Kind::LaneId || kind == Kind::SubgroupId;
  }
  /// True for an id that differs between workgroups.
  bool isOfWorkgroup() const {
    return kind == Kind::BlockId || kind == Kind::GlobalId ||
           kind == Kind::ClusterId || kind == Kind::ClusterBlockId;
  }
};

/// What `op` reads; none for any other op.
std::optional<HardwareId> getHardwareId(Operation *op);

/// A thread by its ids.
struct ThreadPlace {
  LaunchSizes thread = {0, 0, 0};
  /// Absent where it is not known.
  std::array<std::optional<int64_t>, 3> block;
};

/// The number that the thread at `place` reads; none where it depends on what
/// is not known of the launch, the target or the place.
std::optional<int64_t> getIdNumber(HardwareId id, const KernelContext &context,
                                   const ThreadPlace &place);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_KERNEL_HARDWAREIDS_H
