//===- LayoutBarriers.h - the barriers that a layout needs -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_LAYOUT_LAYOUTBARRIERS_H
#define MEMSPACE_LIB_LAYOUT_LAYOUTBARRIERS_H

#include "Barriers/BarrierQuery.h"
#include "MemSpace/Barriers/BarrierPlacement.h"
#include "MemSpace/Layout/BarrierCost.h"
#include "MemSpace/Workgroup/WorkgroupPacking.h"
#include "llvm/ADT/BitVector.h"

namespace mlir {
namespace memspace {

/// A set of unordered pairs of different buffers.
class BufferPairs {
public:
  explicit BufferPairs(unsigned numBuffers)
      : numBuffers(numBuffers), bits(numBuffers * numBuffers) {}

  void insert(unsigned a, unsigned b) {
    bits.set(a * numBuffers + b);
    bits.set(b * numBuffers + a);
  }
  bool contains(unsigned a, unsigned b) const {
    return bits.test(a * numBuffers + b);
  }
  bool empty() const { return bits.none(); }
  SmallVector<std::pair<unsigned, unsigned>> getList() const {
    SmallVector<std::pair<unsigned, unsigned>> list;
    for (unsigned bit : bits.set_bits())
      if (bit / numBuffers < bit % numBuffers)
        list.push_back({bit / numBuffers, bit % numBuffers});
    return list;
  }
  BufferPairs &operator|=(const BufferPairs &other) {
    bits |= other.bits;
    return *this;
  }

private:
  unsigned numBuffers;
  llvm::BitVector bits;
};

/// The pairs of buffers that hold something and share a byte in `solution`.
BufferPairs getSharingPairs(const packing::Problem &problem,
                            const packing::Solution &solution);

/// Tells for one kernel which barriers sharing needs.
class LayoutBarriers {
public:
  /// `buffers` are all of the kernel.
  LayoutBarriers(const KernelContext &context,
                 ArrayRef<WorkgroupBuffer> buffers);

  /// When no buffers share bytes. No layout has less.
  const BarrierCost &getLeast() const { return least; }
  /// When `pairs` share bytes in any way: of each pair, any access of the one
  /// buffer has a hazard with any of the other. No layout in which no other
  /// pairs share bytes has more.
  BarrierCost getMost(const BufferPairs &pairs) const;
  /// The same, if that is no more than getLeast().
  std::optional<BarrierCost> getMostIfLeast(const BufferPairs &pairs) const;
  struct Count {
    BarrierCost cost;
    /// Pairs of buffers whose sharing needs a barrier; perhaps not all.
    SmallVector<std::pair<unsigned, unsigned>> blamed;
  };
  /// With exactly this layout, in which `pairs` share bytes. Only what their
  /// accesses have in common is asked for anew.
  Count count(const packing::Solution &solution,
              const BufferPairs &pairs) const;

  /// The barriers that separate buffers need.
  const BarrierPlacement &getPlacement() const { return placement; }
  /// Points of the kernel, to which the time of getMost() is proportional.
  size_t getNumPoints() const { return merged.getNodes().size(); }

private:
  enum class Shared { No, Yes, Same };
  Shared share(unsigned first, unsigned second, const BufferPairs &pairs) const;
  BarrierCost place(const BufferPairs &pairs,
                    std::optional<placement::Cost> limit) const;
  bool areMovable() const;
  Count count(BarrierQuery &arena, const BufferPairs &pairs) const;

  KernelContext context;
  ArrayRef<WorkgroupBuffer> buffers;
  BarrierPlacement placement;
  mutable BarrierQuery facts;
  /// Of the kernel with all buffers in one, wherever they are in it.
  mutable PlacementThreadPairs::Tables tables;
  const BarrierProgram &program;
  /// The program with all packed buffers in one bucket.
  placement::Program merged;
  std::shared_ptr<placement::PathTimings> timings;
  /// The numbers of the packed buffers, by their roots.
  DenseMap<const void *, unsigned> numbers;
  /// By access of the program: the packed buffers that it may touch.
  std::vector<SmallVector<unsigned, 1>> touched;
  BarrierCost least;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_LAYOUT_LAYOUTBARRIERS_H
