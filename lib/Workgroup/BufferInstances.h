//===- BufferInstances.h - one place for what a loop carries --*- C++ -*---===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An allocation in a loop makes another buffer in each iteration, an
/// *instance*. Where iterations pass theirs on, several are there at once, and
/// may be in one place only while no two of them hold what is still needed.
///
/// Not the buffers are followed but *names*: the allocations themselves and
/// what control flow passes that all threads enter together (arguments of
/// regions, results). At any time a name is the same instance to all threads,
/// and a value that is needed is so under some name; to pass it on is to copy
/// one name to another. So each instance that is live at a point has a name
/// that is live there, and if only one name is, so is only one instance. The
/// same tells which allocations may lie in one place because a name is now the
/// one, now the other.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_WORKGROUP_BUFFERINSTANCES_H
#define MEMSPACE_LIB_WORKGROUP_BUFFERINSTANCES_H

#include "MemSpace/Memory/BufferUses.h"
#include "MemSpace/Packing/Problem.h"
#include "MemSpace/Threads/ThreadRelations.h"
#include "MemSpace/Workgroup/IterationLocalBuffers.h"
#include "PointGraph.h"

namespace mlir {
namespace memspace {

/// What the op of `use` does to the buffer.
BufferTouch getBufferTouch(OpOperand &use);

/// True when each execution of `definition` makes another buffer. A view of
/// other memory than an arena of ours only names what is there.
bool beginsBuffer(Operation *definition);

class BufferInstances {
public:
  /// Buffers that may lie in one place, as numbers, and where one of them is
  /// live.
  struct Succession {
    SmallVector<unsigned, 2> buffers;
    packing::LiveRange range;
  };

  /// `uses`: by buffer. `outliving`: the buffers of which an instance may be
  /// used after its iteration.
  BufferInstances(const KernelContext &context,
                  const ThreadRelations &relations, const PointGraph &graph,
                  ArrayRef<Value> buffers, ArrayRef<BufferUses> uses,
                  ArrayRef<unsigned> outliving);

  /// For each of the outliving buffers for which one place is enough, the one
  /// that it is in; no buffer is in two.
  ArrayRef<Succession> getSuccessions() const { return successions; }

private:
  /// A set of names, or of buffers.
  using Mask = uint64_t;
  static constexpr unsigned kMaxNames = 64;

  /// Names that become others.
  struct Passing {
    unsigned to;
    Mask from;
  };
  struct Event {
    Mask begins = 0, reads = 0, writes = 0, overwrites = 0;
  };
  /// What holds at some place in the kernel.
  struct State {
    bool isReached = false;
    /// Those that may have been written.
    Mask written = 0;
    /// By name, which others may be, and which are, the same instance.
    SmallVector<Mask, 8> maybeSame, same;
  };

  bool addName(Value value);
  bool addNames(unsigned number);
  Mask getNames(Value value) const;
  void findPassings();
  void findBuffersOfNames();
  /// Records what the points do; returns the buffers for which that is known.
  Mask findEvents(const KernelContext &context,
                  const ThreadRelations &relations);
  State goForward(unsigned point, State state) const;
  State pass(unsigned from, unsigned to, const State &state) const;
  static bool merge(State &state, const State &other);
  void findStates();
  void findNeeded();
  Mask getLive(unsigned point) const;
  void findConflicts();
  void group(ArrayRef<unsigned> outliving, Mask known);

  const PointGraph &graph;
  ArrayRef<Value> buffers;
  ArrayRef<BufferUses> uses;

  /// Those that matter, as numbers of buffers; a mask refers to the index here.
  SmallVector<unsigned> tracked;
  SmallVector<Value> names;
  DenseMap<Value, unsigned> numbers;
  DenseMap<std::pair<unsigned, unsigned>, SmallVector<Passing, 2>> passings;
  /// By name, the buffers that it may be.
  SmallVector<Mask> buffersOf;
  DenseMap<unsigned, Event> events;
  /// By point, what holds where it begins.
  std::vector<State> states;
  std::vector<Mask> neededBefore, neededBehind;
  /// By tracked buffer, those that may be live when it is, under another name.
  SmallVector<Mask> conflicts;
  SmallVector<Succession> successions;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_WORKGROUP_BUFFERINSTANCES_H
