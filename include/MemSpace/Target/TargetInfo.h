//===- TargetInfo.h - the limits of a GPU -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the analysis and the budget check need to know of a GPU, in numbers:
/// memory limits, occupancy limits, banks, subgroup width. The chip table (with
/// the source of each number) is in TargetInfo.cpp.
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_TARGET_TARGETINFO_H
#define MEMSPACE_TARGET_TARGETINFO_H

#include "mlir/IR/Operation.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringRef.h"
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

namespace mlir {
namespace memspace {

/// The vendor decides how subgroup order and big arenas are lowered.
enum class TargetVendor { Generic, AMD, NVIDIA };

/// How many workgroups one compute unit holds at once by each of what they
/// share; none where it is no bound.
struct OccupancyBounds {
  std::optional<int64_t> memory;
  int64_t threads = 0;
  std::optional<int64_t> slots;

  /// The minimum.
  int64_t getWorkgroups() const {
    return std::min(
        {threads, memory.value_or(threads), slots.value_or(threads)});
  }
};

/// One GPU. Sizes are bytes unless named otherwise.
struct TargetInfo {
  /// Chip name as in upstream's target attributes ("gfx942", "sm_90"), or
  /// "generic".
  std::string chip = "generic";
  TargetVendor vendor = TargetVendor::Generic;
  /// Backend features that code for the chip needs ("+ptx80"); goes into the
  /// target attribute of outlined kernels.
  std::string backendFeatures;
  /// Workgroup memory that a kernel may use without any opt-in.
  int64_t workgroupBytes = 65536;
  /// Most that a kernel may use with opt-in (dynamic shared memory on NVIDIA);
  /// equals `workgroupBytes` where there is no opt-in.
  int64_t maxWorkgroupBytes = 65536;
  /// Hardware allocates workgroup memory in multiples of this.
  int64_t workgroupGranularityBytes = 512;
  /// Per compute unit (CU, WGP or SM): workgroup memory, resident threads and
  /// resident workgroups, which bound the occupancy.
  int64_t unitWorkgroupBytes = 65536;
  int64_t unitThreads = 2048;
  int64_t unitWorkgroups = 16;
  /// Workgroup bytes that the system reserves for each resident workgroup
  /// (1024 on NVIDIA from sm_80 on).
  int64_t reservedWorkgroupBytes = 0;
  /// Workgroup memory is interleaved over banks in words of `bankBytes`; each
  /// bank serves one word in a cycle.
  int64_t banks = 32;
  int64_t bankBytes = 4;
  /// Threads in one subgroup (warp, wave); 0: not known.
  int64_t subgroupSize = 64;
  /// Most threads in one workgroup.
  int64_t maxThreads = 1024;
  /// Private bytes per thread above which the analysis takes workgroup memory
  /// instead. A budget, not a hardware limit.
  int64_t privateBytes = 16384;
  /// Bytes of an `index` value as lowered for this target.
  int64_t indexBytes = 8;

  /// What holds whatever the GPU is, for a kernel whose target is not known: no
  /// subgroup size, the most threads that any GPU has, the widest index.
  static TargetInfo getAnyGPU();

  /// Workgroups of `workgroupBytes` and `threads` each that one compute unit
  /// holds at once: the minimum over workgroup memory, threads and slots;
  /// 0 when one does not fit at all.
  int64_t getOccupancy(int64_t workgroupBytes, int64_t threads) const;
  /// What getOccupancy() is the minimum of, for workgroups that fit.
  OccupancyBounds getOccupancyBounds(int64_t workgroupBytes,
                                     int64_t threads) const;
  /// The most bytes that each of `workgroups` (at least 1) may use when a
  /// compute unit is to hold them at once; negative when there are too many.
  int64_t getMaxBytesForOccupancy(int64_t workgroups) const;
};

/// The chip of that name, or none when the table does not have it.
std::optional<TargetInfo> lookupTarget(StringRef chip);

/// All chips in the table.
SmallVector<TargetInfo> getKnownTargets();

/// Names of all chips in the table, for diagnostics, separated by ", ".
std::string getKnownChips();

/// The attribute that names the target of what is in an op, of an op's tensors,
/// or of an argument or result of a function: upstream's `#rocdl.target` or
/// `#nvvm.target`.
inline constexpr llvm::StringLiteral kTargetAttr = "memspace.target";

/// The target that `attr` names. None, without a diagnostic, when it is null or
/// no `#rocdl.target` or `#nvvm.target`; failure with a diagnostic at `op` when
/// the chip is unknown.
FailureOr<std::optional<TargetInfo>> getTargetFromAttr(Operation *op,
                                                       Attribute attr);

/// The target of `op`: the first of `#rocdl.target` / `#nvvm.target` in a
/// `targets` array or a `memspace.target`/`gpu.target` attribute on `op` or an
/// enclosing op, then a DLTI device spec on the module. None, without a
/// diagnostic, when nothing names one; failure with a diagnostic at `op` when
/// the named chip is unknown or the spec is malformed.
FailureOr<std::optional<TargetInfo>> getTargetFromIR(Operation *op);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_TARGET_TARGETINFO_H
