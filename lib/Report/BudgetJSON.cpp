//===- BudgetJSON.cpp - a budget report for programs -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// docs/budget.md documents the keys. A figure that is not known is null.
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Report/BudgetReport.h"

using namespace mlir;
using namespace mlir::memspace;
using llvm::json::Array;
using llvm::json::Object;

static llvm::json::Value toJSON(std::optional<int64_t> number) {
  return number ? llvm::json::Value(*number) : llvm::json::Value(nullptr);
}

static llvm::json::Value toJSON(LocationAttr location) {
  std::string position = getSourcePosition(location);
  return position.empty() ? llvm::json::Value(nullptr)
                          : llvm::json::Value(position);
}

static Array toJSON(const std::vector<unsigned> &numbers) {
  Array result;
  for (unsigned number : numbers)
    result.push_back(int64_t(number));
  return result;
}

static Object toJSON(const ReportBuffer &buffer) {
  Array live;
  for (const ReportInterval &interval : buffer.live)
    live.push_back(Object{{"begin", interval.begin},
                          {"end", interval.end},
                          {"first", ::toJSON(interval.first)},
                          {"last", ::toJSON(interval.last)}});
  return Object{
      {"alignment", buffer.alignment}, {"bytes", buffer.bytes},
      {"live", std::move(live)},       {"location", ::toJSON(buffer.location)},
      {"name", buffer.name},           {"offset", buffer.offset},
      {"reason", buffer.reason},       {"type", buffer.type}};
}

static Object toJSON(const ReportOccupancy &occupancy) {
  return Object{{"decided_by", occupancy.decidedBy},
                {"memory", ::toJSON(occupancy.bounds.memory)},
                {"next_step_bytes", ::toJSON(occupancy.nextStepBytes)},
                {"slots", ::toJSON(occupancy.bounds.slots)},
                {"threads", occupancy.bounds.threads},
                {"threads_per_workgroup", occupancy.threads},
                {"workgroups", occupancy.workgroups}};
}

static Object toJSON(const WayOut &way) {
  Array resizes, chips;
  for (const Resize &resize : way.resizes)
    resizes.push_back(Object{{"buffer", int64_t(resize.buffer)},
                             {"dimension", int64_t(resize.dim)},
                             {"from", resize.from},
                             {"to", resize.to}});
  for (const std::string &chip : way.chips)
    chips.push_back(chip);
  return Object{{"buffers", ::toJSON(way.buffers)},
                {"bytes", way.bytes},
                {"chips", std::move(chips)},
                {"fits", way.fits},
                {"kind", stringifyWayOutKind(way.kind)},
                {"private_bytes_per_thread", way.privateBytesPerThread},
                {"resizes", std::move(resizes)},
                {"text", way.text},
                {"workgroups_per_unit", way.workgroupsPerUnit}};
}

llvm::json::Value BudgetReport::toJSON() const {
  Array allBuffers, ways;
  for (const ReportBuffer &buffer : buffers)
    allBuffers.push_back(::toJSON(buffer));
  for (const WayOut &way : waysOut)
    ways.push_back(::toJSON(way));
  return Object{{"buffers", std::move(allBuffers)},
                {"buffers_at_peak", ::toJSON(atPeak)},
                {"chip", chip},
                {"fits", fits},
                {"infeasible_buffers", ::toJSON(infeasible)},
                {"kernel", kernel},
                {"location", ::toJSON(location)},
                {"needs_opt_in", needsOptIn},
                {"occupancy", ::toJSON(occupancy)},
                {"opt_in_limit", optInLimit},
                {"packed_bytes", packedBytes},
                {"peak_live_bytes", peakLiveBytes},
                {"peak_location", ::toJSON(peakLocation)},
                {"points", numPoints},
                {"private_bytes", privateBytes},
                {"private_fits", privateFits},
                {"private_limit", privateLimit},
                {"static_limit", staticLimit},
                {"sum_bytes", sumBytes},
                {"ways_out", std::move(ways)}};
}
