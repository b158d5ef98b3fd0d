//===- LivePoints.cpp - the points where one buffer is live ---------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What is needed is followed back no farther than to where the buffer may have
/// been written, and what is written forward only to where it is needed: a
/// value on its way to a read is needed all the way.
///
//===----------------------------------------------------------------------===//

#include "LivePoints.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::memspace;
using llvm::ArrayRef;

LivePoints::LivePoints(ArrayRef<llvm::SmallVector<unsigned, 2>> next)
    : stretchOf(next.size()) {
  // By point, how many lead to it, and whether the one before it is among them.
  std::vector<unsigned> numPrevious(next.size(), 0);
  std::vector<char> continues(next.size(), false);
  for (auto [point, following] : llvm::enumerate(next))
    for (unsigned to : following) {
      ++numPrevious[to];
      continues[to] |= following.size() == 1 && to == point + 1;
    }
  for (unsigned point = 0; point < next.size(); ++point) {
    if (!continues[point] || numPrevious[point] != 1)
      stretches.push_back({point, point, {}, {}, point});
    stretches.back().end = point + 1;
    stretchOf[point] = stretches.size() - 1;
  }
  for (auto [number, stretch] : llvm::enumerate(stretches))
    for (unsigned to : next[stretch.end - 1]) {
      stretch.next.push_back(stretchOf[to]);
      stretches[stretchOf[to]].previous.push_back(number);
    }
  findLoops();
  for (std::vector<unsigned> *stamps :
       {&hasEvents, &neededBefore, &neededBehind, &writtenBefore,
        &writtenBehind, &eventsOf})
    stamps->assign(stretches.size(), 0);
}

void LivePoints::findLoops() {
  // By stretch, the last one that leads back to it.
  std::vector<unsigned> lastBack(stretches.size());
  for (auto [number, stretch] : llvm::enumerate(stretches)) {
    lastBack[number] = number;
    for (unsigned from : stretch.previous)
      lastBack[number] = std::max(lastBack[number], from);
  }
  for (unsigned number = 0; number < stretches.size(); ++number) {
    if (lastBack[number] == number)
      continue;
    unsigned first = number, last = lastBack[number];
    for (; number <= last; ++number) {
      last = std::max(last, lastBack[number]);
      stretches[number].lowest = stretches[first].begin;
    }
    --number;
  }
}

bool LivePoints::goBack(Events some, bool needed) {
  for (unsigned number = some.last; number-- > some.first;) {
    const PointEvent &event = events[number];
    neededAfter[number] = needed;
    needed = ((needed && !event.overwrites) || event.reads) && !event.begins;
  }
  return needed;
}

bool LivePoints::goForward(Events some, bool written) const {
  for (unsigned number = some.first; number < some.last; ++number) {
    const PointEvent &event = events[number];
    written = (written && !event.begins) || (event.writes && !event.ends);
  }
  return written;
}

void LivePoints::followReads() {
  // Before the first write, and what control may come back to from there,
  // nothing was written.
  unsigned firstWritten = stretchOf.size();
  for (const PointEvent &event : events)
    if (event.writes)
      firstWritten = std::min({firstWritten, event.point,
                               stretches[stretchOf[event.point]].lowest});
  std::vector<unsigned> work;
  auto visit = [&](unsigned number, bool needed) {
    if (has(hasEvents, number))
      needed = goBack(byStretch[eventsOf[number]], needed);
    if (!needed || has(neededBefore, number))
      return;
    neededBefore[number] = stamp;
    work.push_back(number);
  };
  for (Events some : byStretch)
    visit(some.stretch, false);
  while (!work.empty()) {
    unsigned number = work.back();
    work.pop_back();
    for (unsigned previous : stretches[number].previous) {
      if (stretches[previous].end <= firstWritten ||
          has(neededBehind, previous))
        continue;
      neededBehind[previous] = stamp;
      visit(previous, true);
    }
  }
}

void LivePoints::followWrites() {
  std::vector<unsigned> work;
  auto visit = [&](unsigned number, bool written) {
    if (has(hasEvents, number))
      written = goForward(byStretch[eventsOf[number]], written);
    if (!written || has(writtenBehind, number))
      return;
    writtenBehind[number] = stamp;
    work.push_back(number);
  };
  for (Events some : byStretch)
    visit(some.stretch, false);
  while (!work.empty()) {
    unsigned number = work.back();
    work.pop_back();
    for (unsigned next : stretches[number].next) {
      if (!has(neededBefore, next) || has(writtenBefore, next))
        continue;
      writtenBefore[next] = stamp;
      visit(next, true);
      if (!has(hasEvents, next))
        range.push_back({stretches[next].begin, stretches[next].end});
    }
  }
}

/// Adds to the range what lies in a stretch with events.
void LivePoints::collect(Events some) {
  const Stretch &stretch = stretches[some.stretch];
  auto add = [&](unsigned begin, unsigned end) {
    if (begin < end)
      range.push_back({begin, end});
  };
  bool written = has(writtenBefore, some.stretch);
  bool needed = has(neededBefore, some.stretch);
  unsigned begin = stretch.begin;
  for (unsigned number = some.first; number < some.last; ++number) {
    const PointEvent &event = events[number];
    if (written && needed)
      add(begin, event.point);
    bool isLive = event.touches || (written && needed);
    written = (written && !event.begins) || (event.writes && !event.ends);
    needed = neededAfter[number];
    if (isLive || (written && needed))
      add(event.point, event.point + 1);
    begin = event.point + 1;
  }
  if (written && needed)
    add(begin, stretch.end);
}

void LivePoints::solve(ArrayRef<PointEvent> given) {
  events = given;
  ++stamp;
  range.clear();
  neededAfter.assign(events.size(), false);
  byStretch.clear();
  for (auto [number, event] : llvm::enumerate(events)) {
    unsigned stretch = stretchOf[event.point];
    if (!has(hasEvents, stretch)) {
      hasEvents[stretch] = stamp;
      eventsOf[stretch] = byStretch.size();
      byStretch.push_back({stretch, unsigned(number), unsigned(number)});
    }
    byStretch.back().last = number + 1;
  }
  followReads();
  followWrites();
  for (Events some : byStretch)
    collect(some);
  range = packing::normalize(std::move(range));
}
