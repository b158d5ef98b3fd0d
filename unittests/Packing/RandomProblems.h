//===- RandomProblems.h - problems like those of kernels --------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Random problems for tests and benchmarks. The same seed gives the same
/// problem on every machine: nothing here uses std:: distributions.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_UNITTESTS_PACKING_RANDOMPROBLEMS_H
#define MEMSPACE_UNITTESTS_PACKING_RANDOMPROBLEMS_H

#include "MemSpace/Packing/Problem.h"
#include <random>

namespace mlir {
namespace memspace {
namespace packing {

class RandomProblems {
public:
  explicit RandomProblems(uint64_t seed) : engine(seed) {}

  /// In [least, most].
  int64_t pick(int64_t least, int64_t most) {
    return least + int64_t(engine() % uint64_t(most - least + 1));
  }

  /// What the buffers of a problem have in common.
  struct Style {
    /// Straight-line code, nested loops, or code with branches, where buffers
    /// may have several intervals.
    enum class Code { Straight, Loops, Branches } code;
    /// Of all buffers; each has its own power of 2 from 16 to 128 when 0.
    int64_t alignment;
    /// Sizes are multiples of the buffer's alignment.
    bool rounded;
  };

  Style pickStyle() {
    const int64_t alignments[] = {0, 0, 0, 16, 32, 64, 128};
    return {Style::Code(pick(0, 2)), alignments[pick(0, 6)], pick(0, 2) == 0};
  }

  /// Buffers of a kernel: tiles of some shapes and small buffers between them.
  Problem makeKernel(unsigned numBuffers, Style style) {
    Problem problem;
    // Kernels have a few tile shapes, which many of their buffers share.
    int64_t shapes[4];
    for (int64_t &shape : shapes)
      shape = pick(1, 64) * pick(1, 48) * (int64_t(1) << pick(0, 2));
    int64_t numTimes = pick(3, 3 * numBuffers);
    for (unsigned i = 0; i < numBuffers; ++i) {
      Buffer buffer;
      buffer.name = std::to_string(i);
      buffer.alignment =
          style.alignment ? style.alignment : int64_t(16) << pick(0, 3);
      buffer.bytes = pick(0, 1) ? shapes[pick(0, 3)] : pick(1, 8192);
      if (style.rounded)
        buffer.bytes = (buffer.bytes + buffer.alignment - 1) /
                       buffer.alignment * buffer.alignment;
      buffer.live = pickLiveRange(style.code, numTimes);
      problem.buffers.push_back(std::move(buffer));
    }
    return problem;
  }

  /// A step of training a network of `numLayers` layers, with 27 buffers each:
  /// some of what a layer makes on the way forward is live until the way back
  /// is there again, gradients are live from then to the end, temporaries for a
  /// moment. So about as many bytes are live for the whole way back, in buffers
  /// that come and go. There are few sizes, most about powers of two apart.
  Problem makeNetwork(unsigned numLayers) {
    Problem problem;
    auto add = [&](int64_t bytes, int64_t begin, int64_t end) {
      problem.buffers.push_back(
          {std::to_string(problem.buffers.size()), bytes, 1, {{begin, end}}});
    };
    const int64_t unit = int64_t(1) << pick(8, 12);
    int64_t sizes[10];
    int64_t largest = 0;
    for (int64_t &size : sizes) {
      size = (unit << pick(0, 8)) * pick(4, 5) / 4 + pick(0, 1);
      largest = std::max(largest, size);
    }
    const int64_t layerTime = 24, end = 2 * numLayers * layerTime;
    for (unsigned layer = 0; layer < numLayers; ++layer) {
      int64_t forward = layer * layerTime, back = end - forward - layerTime;
      for (unsigned k = 0; k < 10; ++k) {
        int64_t at = pick(0, layerTime - 8), length = pick(1, 7);
        if (k % 3 == 0)
          add(sizes[k], forward + at, back + layerTime - at);
        if (k % 3 == 1)
          add(sizes[(k + 5) % 10] * 3 / 4 + 1, back + at, end);
        add(sizes[k], forward + at, forward + at + length);
        add(sizes[k], back + at, back + at + length);
      }
    }
    // The loss.
    for (int64_t k = 0; k < 12; ++k) {
      int64_t begin = end / 2 - 20 + 4 * k;
      add(largest * pick(1, 4) + unit * pick(0, 3), begin, begin + pick(3, 9));
    }
    return problem;
  }

private:
  LiveRange pickLiveRange(Style::Code code, int64_t numTimes) {
    int64_t begin = pick(0, numTimes - 1);
    int64_t length = pick(1, std::max<int64_t>(1, numTimes / 3));
    if (code == Style::Code::Loops) {
      // Inside a loop, across it, or across an outer one.
      int64_t period = int64_t(4) << (2 * pick(0, 2));
      if (pick(0, 2) == 0) {
        begin = begin / period * period;
        length = period;
      } else {
        length = pick(1, period - begin % period);
      }
    }
    LiveRange live = {{begin, begin + length}};
    if (code == Style::Code::Branches)
      while (pick(0, 2) == 0) {
        int64_t next = live.back().end + pick(1, 4);
        live.push_back({next, next + pick(1, 4)});
      }
    return live;
  }

  std::mt19937_64 engine;
};

} // namespace packing
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_UNITTESTS_PACKING_RANDOMPROBLEMS_H
