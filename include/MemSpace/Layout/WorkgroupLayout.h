//===- WorkgroupLayout.h - bytes against barriers -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Chooses the layout of a kernel's workgroup buffers. A buffer in the place of
/// another one takes fewer bytes, but may need a barrier that two places do not
/// (docs/workgroup-memory.md). A query: the kernel is not changed.
///
/// The answers are about the kernel as it was when they were computed: after a
/// change of the kernel, compute them again.
///
/// Stable API: it changes only with a note in CHANGELOG.md, a release ahead.
///
/// \code
///   FailureOr<WorkgroupPacking> packing = WorkgroupPacking::compute(context);
///   if (failed(packing))
///     return failure(); // a diagnostic was emitted
///   WorkgroupLayout layout =
///       chooseLayout(context, *packing, PackingObjective::Bytes);
///   for (auto [buffer, offset] :
///        llvm::zip_equal(packing->getBuffers(), layout.solution.offsets))
///     os << buffer.getType() << " at byte " << offset << "\n";
/// \endcode
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LAYOUT_WORKGROUPLAYOUT_H
#define MEMSPACE_LAYOUT_WORKGROUPLAYOUT_H

#include "MemSpace/Layout/BarrierCost.h"
#include "MemSpace/Workgroup/WorkgroupPacking.h"

namespace mlir {
namespace memspace {

/// What a layout is to have, from the most important on.
enum class PackingObjective {
  /// Bytes within the target's limit, and as many workgroups on a compute unit
  /// as the fewest bytes allow; the fewest executed barriers; the fewest bytes.
  /// Without a target it is Bytes, which fits wherever anything does.
  Balanced,
  /// The fewest bytes.
  Bytes,
  /// The fewest executed barriers; the fewest bytes.
  Barriers
};

/// The objective of that name ("balanced", "bytes", "barriers").
std::optional<PackingObjective> symbolizePackingObjective(StringRef name);

/// A layout, and between what it was chosen.
struct WorkgroupLayout {
  packing::Solution solution;
  /// The barriers that the kernel needs with it, counted where they decide:
  /// none when no two buffers share bytes in the layout with the fewest, or
  /// when the objective is bytes.
  std::optional<BarrierCost> cost;
  /// No layout needs fewer: that of separate buffers.
  std::optional<BarrierCost> leastCost;
  /// The fewest bytes, and the barriers that they need.
  int64_t fewestBytes = 0;
  std::optional<BarrierCost> fewestBytesCost;

  /// What keeps a layout from taking more bytes.
  enum class Bound { None, StaticLimit, Limit, Occupancy, TooMuch };
  Bound bound = Bound::None;
  /// The most bytes, if there is a bound.
  std::optional<int64_t> capacity;
  /// Workgroups on a compute unit that the capacity allows, if it is Occupancy.
  int64_t workgroups = 0;

  /// One sentence: what was paid for what.
  std::string explain() const;
};

/// Chooses a layout for what preparePacking() has left of the kernel (or for
/// any kernel; what it would have erased then counts). Deterministic.
/// Bytes and barriers of the layout are exact; that no layout is better is not
/// proved, since for the search any access of a buffer may conflict with any of
/// a buffer in the same place.
WorkgroupLayout
chooseLayout(const KernelContext &context, const WorkgroupPacking &packing,
             PackingObjective objective = PackingObjective::Balanced);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LAYOUT_WORKGROUPLAYOUT_H
