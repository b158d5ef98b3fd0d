//===- TileKernel.h - an untiled function becomes a kernel -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What can be tiled in a function of whole tensors that becomes one kernel,
/// and the tiling by one configuration, with upstream's TilingInterface: a loop
/// over workgroups with all producers fused into it, loops over reductions with
/// their operands staged, and tiles of a thread. Memory is nobody's business
/// here: the kernel pipeline decides about it.
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_TRANSFORMS_TILEKERNEL_H
#define MEMSPACE_TRANSFORMS_TILEKERNEL_H

#include "MemSpace/Target/TargetInfo.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/TilingInterface.h"

namespace mlir {
namespace memspace {

/// One way to make a kernel of an untiled function. All sizes are elements.
struct TileConfiguration {
  /// Threads of a workgroup.
  int64_t threads = 256;
  /// What a workgroup takes of each of UntiledKernel::getLoops(); 0: all of it.
  SmallVector<int64_t> block;
  /// What a thread takes of the last two loops of a contraction that a
  /// workgroup has more than one iteration of; empty: the library shares them
  /// out.
  SmallVector<int64_t> thread;
  /// What a subgroup takes of these loops, if a workgroup has several: threads
  /// beside each other then have neighbouring parts in both. Empty: the threads
  /// have them row by row.
  SmallVector<int64_t> subgroup;
  /// What a workgroup takes of a contraction's longest reduction at a time; 0:
  /// all of it.
  int64_t reduction = 0;
  /// The operands of contractions are copied for the workgroup first.
  bool promotes = false;
  /// Parts of a reduction whose copies are held at a time: all but the one that
  /// is computed with are copied ahead. 1: none is; more needs `promotes`,
  /// `reduction`, and parts of one size.
  int64_t stages = 1;

  bool operator==(const TileConfiguration &other) const;
  /// No tile is larger than that of `other`, and nothing is staged that `other`
  /// does not stage: its kernel holds no more of the tensors.
  bool takesNoMoreThan(const TileConfiguration &other) const;
  /// As `threads=256 block=64x64 thread=4x4 subgroup=16x32 reduction=32 promote
  /// stages=2`.
  std::string str() const;
};

/// Reads what TileConfiguration::str() wrote; none if it is something else.
std::optional<TileConfiguration> parseTileConfiguration(StringRef text);

/// A function of whole tensors that becomes one kernel.
class UntiledKernel {
public:
  /// Failure, with a diagnostic at the op, where `kernel` is none: a body of
  /// several blocks, no op that can be tiled, or an op that several workgroups
  /// would do again and that is not pure.
  static FailureOr<UntiledKernel> get(func::FuncOp kernel);

  /// The op whose result is shared out.
  TilingInterface getAnchor() const { return anchor; }
  /// The extents of the loops of the anchor that workgroups may share out, from
  /// the outermost on; ShapedType::kDynamic where they are not known.
  ArrayRef<int64_t> getExtents() const { return extents; }
  /// The longest reduction of a contraction; 0 if there is none.
  int64_t getContractionLength() const { return contractionLength; }
  /// The kernel reduces, sorts or scans rows.
  bool reducesRows() const { return rows; }

  /// Configurations worth trying for `target`, a few dozen at most, in a fixed
  /// order.
  SmallVector<TileConfiguration>
  getConfigurations(const TargetInfo &target) const;

private:
  func::FuncOp kernel;
  TilingInterface anchor;
  SmallVector<int64_t> extents;
  /// What certainly divides each of them.
  SmallVector<int64_t> divisors;
  /// Contractions read an operand again in each iteration of a loop: of no
  /// operand, of one for which there are such loops further inside, of one for
  /// which it is the last.
  enum class Reuse { None, Other, Last };
  /// Of each loop.
  SmallVector<Reuse> reuse;
  int64_t contractionLength = 0;
  /// The most iterations of the other reductions of a contraction: of windows.
  int64_t windowLength = 1;
  /// The most that an op does for one iteration of all these loops, without its
  /// reductions: the keys of a query.
  int64_t innerIterations = 1;
  bool rows = false;
  /// There is a loop or a branch that each workgroup would do again.
  bool hasControl = false;
};

/// Makes the kernel of `configuration`. Failure with a diagnostic where
/// UntiledKernel::get() fails, the configuration has another number of loops,
/// or an op cannot be tiled; the function is then changed in part. The dialects
/// affine, arith, gpu, linalg, scf and tensor must be loaded.
LogicalResult tileKernel(func::FuncOp kernel,
                         const TileConfiguration &configuration);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_TRANSFORMS_TILEKERNEL_H
