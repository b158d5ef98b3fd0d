//===- BudgetText.cpp - a budget report for people -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Report/BudgetReport.h"
#include "MemoryMap.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::memspace;

static void printFigures(const BudgetReport &report, raw_ostream &os) {
  os << "kernel '" << report.kernel << "' on " << report.chip << ", "
     << report.occupancy.threads << " threads\n";
  os << "  workgroup memory  " << report.packedBytes << " bytes: ";
  if (!report.fits)
    os << "too much";
  else if (report.needsOptIn)
    os << "fits, but only as dynamic workgroup memory";
  else
    os << "fits";
  if (report.staticLimit == report.optInLimit)
    os << " (limit " << report.optInLimit << ")\n";
  else
    os << " (limit " << report.staticLimit << " static, " << report.optInLimit
       << " with opt-in)\n";
  os << "  live at the peak  " << report.peakLiveBytes << " bytes";
  std::string peak = getSourcePosition(report.peakLocation);
  if (!peak.empty())
    os << ", at " << peak;
  os << "\n  without reuse     " << report.sumBytes << " bytes\n";
  os << "  private memory    " << report.privateBytes
     << " bytes for each thread: " << (report.privateFits ? "fits" : "too much")
     << " (limit " << report.privateLimit << ")\n";
}

static void printOccupancy(const ReportOccupancy &occupancy, raw_ostream &os) {
  os << "  occupancy         ";
  if (occupancy.workgroups == 0) {
    os << "0 workgroups per compute unit: it does not fit\n";
    return;
  }
  auto printBound = [&](std::optional<int64_t> bound) {
    if (bound)
      os << *bound;
    else
      os << "unlimited";
  };
  os << occupancy.workgroups
     << (occupancy.workgroups == 1 ? " workgroup" : " workgroups")
     << " per compute unit, decided by " << occupancy.decidedBy
     << " (workgroup memory ";
  printBound(occupancy.bounds.memory);
  os << ", threads " << occupancy.bounds.threads << ", slots ";
  printBound(occupancy.bounds.slots);
  os << ")";
  if (occupancy.nextStepBytes)
    os << "; " << occupancy.workgroups + 1 << " with at most "
       << *occupancy.nextStepBytes << " bytes";
  os << "\n";
}

static void printBuffer(const BudgetReport &report, unsigned number,
                        raw_ostream &os) {
  const ReportBuffer &buffer = report.buffers[number];
  os << "  " << getMapLetter(number) << "  " << buffer.bytes << " bytes at "
     << buffer.offset << ", aligned to " << buffer.alignment << ": "
     << buffer.name << " " << buffer.type;
  std::string position = getSourcePosition(buffer.location);
  if (!position.empty())
    os << " at " << position;
  os << "\n";
  if (!buffer.reason.empty())
    os << "     " << buffer.reason << "\n";
  if (buffer.live.empty())
    os << "     never live\n";
  for (const ReportInterval &live : buffer.live) {
    os << "     live in [" << live.begin << ", " << live.end << ")";
    std::string first = getSourcePosition(live.first);
    std::string last = getSourcePosition(live.last);
    if (!first.empty() && !last.empty())
      os << ", " << first << " to " << last;
    os << "\n";
  }
}

static void printNames(StringRef title, const BudgetReport &report,
                       const std::vector<unsigned> &numbers, raw_ostream &os) {
  if (numbers.empty())
    return;
  os << title << ": ";
  llvm::interleaveComma(numbers, os, [&](unsigned number) {
    os << getMapLetter(number) << " (" << report.buffers[number].bytes << ")";
  });
  os << "\n";
}

void BudgetReport::print(raw_ostream &os) const {
  printFigures(*this, os);
  printOccupancy(occupancy, os);
  if (!buffers.empty())
    os << "buffers\n";
  for (unsigned number = 0; number < buffers.size(); ++number)
    printBuffer(*this, number, os);
  printMemoryMap(*this, os);
  printNames("live at the peak", *this, atPeak, os);
  printNames("no layout holds together", *this, infeasible, os);
  if (!waysOut.empty() && !fits)
    os << "ways out\n";
  else if (!waysOut.empty())
    os << "ways to " << occupancy.workgroups + 1
       << " workgroups per compute unit\n";
  for (auto [number, way] : llvm::enumerate(waysOut))
    os << "  " << number + 1 << ". " << way.text << "\n";
}
