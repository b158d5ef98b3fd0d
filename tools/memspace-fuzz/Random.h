//===- Random.h - random numbers that are the same on every machine -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_FUZZ_RANDOM_H
#define MEMSPACE_FUZZ_RANDOM_H

#include <cstddef>
#include <cstdint>
#include <iterator>

namespace mlir {
namespace memspace {
namespace fuzz {

/// SplitMix64. The standard library's distributions differ between
/// implementations.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}

  uint64_t next() {
    uint64_t z = (state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  /// In [0, n).
  int64_t below(int64_t n) { return int64_t(next() % uint64_t(n)); }
  /// In [low, high].
  int64_t between(int64_t low, int64_t high) {
    return low + below(high - low + 1);
  }
  bool chance(int percent) { return below(100) < percent; }
  template <typename RangeT> const auto &pick(const RangeT &range) {
    return *(std::begin(range) + below(std::size(range)));
  }
  /// The position of one of `weights`, as often as it weighs.
  template <typename RangeT> size_t pickWeighted(const RangeT &weights) {
    int64_t sum = 0;
    for (int64_t weight : weights)
      sum += weight;
    int64_t left = below(sum);
    size_t position = 0;
    for (int64_t weight : weights) {
      if (left < weight)
        break;
      left -= weight;
      ++position;
    }
    return position;
  }

private:
  uint64_t state;
};

} // namespace fuzz
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_FUZZ_RANDOM_H
