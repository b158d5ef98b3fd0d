//===- BudgetReport.h - a budget that explains itself -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a kernel asks of a GPU, of what that is made, and what could be done
/// about it: plain data, as text and as JSON. docs/budget.md shows both and
/// documents the JSON.
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_REPORT_BUDGETREPORT_H
#define MEMSPACE_REPORT_BUDGETREPORT_H

#include "MemSpace/Layout/WorkgroupBudget.h"
#include "llvm/Support/JSON.h"

namespace mlir {
namespace memspace {

/// Points of the program [begin, end) in which a buffer is live, with the ops
/// at the first and the last of them.
struct ReportInterval {
  int64_t begin = 0;
  int64_t end = 0;
  LocationAttr first;
  LocationAttr last;
};

/// One workgroup buffer.
struct ReportBuffer {
  /// As the IR printer names it, with the `%`; for a global its symbol with the
  /// `@`.
  std::string name;
  std::string type;
  int64_t bytes = 0;
  int64_t alignment = 1;
  /// Its first byte, as the IR has it or as packing will put it.
  int64_t offset = 0;
  std::vector<ReportInterval> live;
  /// `memspace.reason`; empty when it has none.
  std::string reason;
  LocationAttr location;
};

/// Workgroups that one compute unit holds at once.
struct ReportOccupancy {
  int64_t threads = 0;
  /// 0 when the kernel does not fit.
  int64_t workgroups = 0;
  OccupancyBounds bounds;
  /// What decides: "workgroup memory", "threads" or "slots"; the first of these
  /// in a tie, empty when the kernel does not fit.
  StringRef decidedBy;
  /// One more workgroup would be held if each used at most these bytes. None
  /// when something else than workgroup memory stands in the way.
  std::optional<int64_t> nextStepBytes;
};

/// A change of the extent of one dimension of one buffer.
struct Resize {
  /// Index of BudgetReport::buffers.
  unsigned buffer = 0;
  unsigned dim = 0;
  int64_t from = 0;
  int64_t to = 0;
};

/// One way to need fewer bytes or to have more of them. The figures are those
/// of the packed kernel after it: the changed problem is solved anew.
struct WayOut {
  enum class Kind {
    /// Let buffers share bytes: the layout in the IR is not the best.
    Reuse,
    /// Keep `buffers` in private memory: no thread reads what another wrote.
    Private,
    /// Fewer stages of a multi-buffered tile.
    Stages,
    /// Smaller tiles.
    Tile,
    /// Raise the limit that an option gave.
    Limit,
    /// Another chip.
    Chip
  };
  Kind kind = Kind::Tile;
  /// For Stages and Tile: all dimensions that belong together.
  std::vector<Resize> resizes;
  /// For Private: indices of BudgetReport::buffers.
  std::vector<unsigned> buffers;
  /// For Private: what each thread keeps of them.
  int64_t privateBytesPerThread = 0;
  /// For Chip: the chips that have enough, from the least memory on. For Limit:
  /// the chip.
  std::vector<std::string> chips;
  /// Workgroup bytes afterwards.
  int64_t bytes = 0;
  /// Within the limit of this target (for Chip: of those chips).
  bool fits = false;
  /// Workgroups that a compute unit of this target holds afterwards (for Chip:
  /// 0).
  int64_t workgroupsPerUnit = 0;
  /// The whole as one sentence without a full stop.
  std::string text;
};

/// "reuse", "private", "stages", "tile", "limit" or "chip".
StringRef stringifyWayOutKind(WayOut::Kind kind);

struct BudgetReport {
  std::string kernel;
  std::string chip;
  LocationAttr location;

  int64_t packedBytes = 0;
  int64_t peakLiveBytes = 0;
  int64_t sumBytes = 0;
  int64_t privateBytes = 0;
  /// What a kernel may use as it is, and with the opt-in to dynamic workgroup
  /// memory; equal where there is no opt-in.
  int64_t staticLimit = 0;
  int64_t optInLimit = 0;
  int64_t privateLimit = 0;
  /// Workgroup memory fits (as static or as dynamic memory).
  bool fits = false;
  /// Fits, but only as dynamic workgroup memory with the opt-in.
  bool needsOptIn = false;
  bool privateFits = false;

  ReportOccupancy occupancy;
  std::vector<ReportBuffer> buffers;
  /// Live at one place where most bytes are live, largest first; indices of
  /// `buffers`, as below.
  std::vector<unsigned> atPeak;
  /// The op at that place; null when nothing is ever live.
  LocationAttr peakLocation;
  /// Buffers that no layout brings below the opt-in limit, while each proper
  /// subset has one. Empty when the kernel fits or this was not proved.
  std::vector<unsigned> infeasible;
  /// Best first: those that suffice (for a kernel that fits: to reach the next
  /// occupancy step), then by least change. Empty when none is known.
  std::vector<WayOut> waysOut;
  /// Points of the program: live intervals lie in [0, numPoints).
  int64_t numPoints = 0;

  /// Failure with a diagnostic as WorkgroupBudget::compute.
  static FailureOr<BudgetReport> compute(const KernelContext &context);
  /// From figures that are already there; `budget` is the kernel's.
  static BudgetReport compute(const KernelContext &context,
                              const WorkgroupBudget &budget);

  /// Text with a memory map, for people. Deterministic.
  void print(raw_ostream &os) const;
  /// Keys come in alphabetical order.
  llvm::json::Value toJSON() const;
};

/// "file:line:column" of the first place in the source that `location` names;
/// empty when it names none.
std::string getSourcePosition(LocationAttr location);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_REPORT_BUDGETREPORT_H
