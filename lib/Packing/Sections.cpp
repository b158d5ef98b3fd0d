//===- Sections.cpp - time, cut where live ranges begin or end ------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sections.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::memspace;
using namespace mlir::memspace::packing;

Sections::Sections(const Problem &problem) {
  for (const Buffer &buffer : problem.buffers) {
    if (buffer.bytes == 0)
      continue;
    for (const Interval &interval : buffer.live) {
      times.push_back(interval.begin);
      times.push_back(interval.end);
    }
  }
  llvm::sort(times);
  times.erase(std::unique(times.begin(), times.end()), times.end());

  auto getIndex = [&](int64_t time) -> unsigned {
    return llvm::lower_bound(times, time) - times.begin();
  };
  spans.resize(problem.buffers.size());
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    if (problem.buffers[i].bytes == 0)
      continue;
    for (const Interval &interval : problem.buffers[i].live) {
      Span span = {getIndex(interval.begin), getIndex(interval.end)};
      // Intervals that touch are one span.
      if (!spans[i].empty() && spans[i].back().end == span.begin)
        spans[i].back().end = span.end;
      else
        spans[i].push_back(span);
    }
  }
}

int64_t packing::getHeight(const Problem &problem,
                           llvm::ArrayRef<int64_t> offsets) {
  int64_t height = 0;
  for (size_t i = 0; i < offsets.size(); ++i)
    height = std::max(height, offsets[i] + problem.buffers[i].bytes);
  return height;
}
