//===- MemoryMap.cpp - offset × time, drawn -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemoryMap.h"
#include "MemSpace/Packing/Problem.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include <set>

using namespace mlir;
using namespace mlir::memspace;
using packing::Interval;

static constexpr size_t kMaxRows = 24;
static constexpr size_t kMaxColumns = 64;

char mlir::memspace::getMapLetter(unsigned buffer) {
  static constexpr llvm::StringLiteral letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  return buffer < letters.size() ? letters[buffer] : '#';
}

/// The ranges between `cuts`, at most `max`: the shortest neighbours are
/// joined, the first of them in a tie.
static std::vector<Interval> makeRanges(const std::set<int64_t> &cuts,
                                        size_t max) {
  std::vector<Interval> ranges;
  for (auto it = cuts.begin(); std::next(it) != cuts.end(); ++it)
    ranges.push_back({*it, *std::next(it)});
  while (ranges.size() > max) {
    size_t best = 0;
    auto getJoined = [&](size_t i) {
      return ranges[i + 1].end - ranges[i].begin;
    };
    for (size_t i = 1; i + 1 < ranges.size(); ++i)
      if (getJoined(i) < getJoined(best))
        best = i;
    ranges[best].end = ranges[best + 1].end;
    ranges.erase(ranges.begin() + best + 1);
  }
  return ranges;
}

static bool overlap(Interval a, Interval b) {
  return a.begin < b.end && b.begin < a.end;
}

static char getCell(const BudgetReport &report, Interval bytes, Interval time) {
  char cell = '.';
  for (auto [number, buffer] : llvm::enumerate(report.buffers)) {
    bool isThere =
        overlap(bytes, {buffer.offset, buffer.offset + buffer.bytes}) &&
        llvm::any_of(buffer.live, [&](const ReportInterval &live) {
          return overlap(time, {live.begin, live.end});
        });
    if (!isThere)
      continue;
    if (cell != '.')
      return '+';
    cell = getMapLetter(number);
  }
  return cell;
}

void mlir::memspace::printMemoryMap(const BudgetReport &report,
                                    raw_ostream &os) {
  std::set<int64_t> offsets = {0, report.packedBytes}, times;
  for (const ReportBuffer &buffer : report.buffers) {
    for (const ReportInterval &live : buffer.live)
      times.insert({live.begin, live.end});
    if (buffer.live.empty())
      continue;
    offsets.insert({buffer.offset, buffer.offset + buffer.bytes});
  }
  if (offsets.size() < 2 || times.empty())
    return;
  std::vector<Interval> rows = makeRanges(offsets, kMaxRows);
  std::vector<Interval> columns = makeRanges(times, kMaxColumns);

  // Few columns are drawn wider.
  unsigned width = columns.size() <= 21 ? 3 : columns.size() <= 32 ? 2 : 1;
  unsigned digits = std::to_string(rows.back().end).size();
  os << "memory map: bytes down, points of the program across; '.' is free";
  std::vector<std::string> lines;
  bool hasSeveral = false;
  for (Interval row : rows) {
    std::string line;
    for (Interval column : columns)
      line.append(width, getCell(report, row, column));
    hasSeveral |= StringRef(line).contains('+');
    lines.push_back(std::move(line));
  }
  os << (hasSeveral ? ", '+' more than one\n" : "\n");
  for (auto [row, line] : llvm::zip_equal(rows, lines))
    os << "  " << llvm::format_decimal(row.begin, digits) << " .. "
       << llvm::format_decimal(row.end - 1, digits) << " |" << line << "|\n";
  os << "  columns begin at the points ";
  llvm::interleaveComma(columns, os,
                        [&](Interval column) { os << column.begin; });
  os << "; the last ends at " << columns.back().end << "\n";
}
