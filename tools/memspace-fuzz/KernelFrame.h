//===- KernelFrame.h - a random tensor kernel as a whole -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

///
/// \file
/// What is around the stages of a kernel: its arguments, the tensors that they
/// become, one tile of them for each block, and what is written back.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_FUZZ_KERNELFRAME_H
#define MEMSPACE_FUZZ_KERNELFRAME_H

#include "CheckOptions.h"
#include "KernelGenerator.h"

namespace mlir {
namespace memspace {
namespace fuzz {

/// How the extent of the whole relates to that of the tiles.
enum class Division {
  /// There are no blocks.
  None,
  /// So many tiles.
  Even,
  /// The last tile is smaller.
  Ragged,
  /// Known when the kernel runs.
  Dynamic,
};

class KernelFrame {
public:
  KernelFrame(Random &rng, int64_t subgroupSize, const Extras &extras,
              CheckOptions &options)
      : rng(rng), gen(rng, subgroupSize), options(options) {
    gen.extras = extras;
  }

  /// A function of that name. The size and the grid in the options are those
  /// of the kernels before it, or 0, and become those of all of them.
  std::string write(StringRef name);

private:
  void chooseShape();
  void chooseArguments();
  std::string getWholeExtent() const;
  std::string getWholeType(Kind kind) const;
  std::string toTensor(StringRef argument, Kind kind, bool isWritable);
  void makeUniformScalars();
  void makeStages();
  /// A tile for the output, perhaps from a last forall.
  Tile finish(Kind kind);
  bool hasTally() const { return !tallyShape.empty(); }
  std::string getTallyMemRef() const;
  void writeWhole();
  /// Up to the opening brace, and what depends on the block; returns its number
  /// or what it begins at.
  void writeBlocks();
  std::string openBlocks(StringRef outs, StringRef types, StringRef result);
  void enterBlock(StringRef block);
  void insertTally(StringRef sums, StringRef tally);
  void materialize(size_t output, StringRef tile);
  std::string getSignature(StringRef name) const;

  Random &rng;
  KernelGenerator gen;
  CheckOptions &options;
  Scope scope;

  Division division = Division::None;
  int64_t blocks = 0;
  /// The grid has two dimensions, of which this is the first.
  int64_t gridX = 0;
  bool isGridKnown = true;
  /// Blocks count elements instead of tiles.
  bool hasStep = false;
  /// Of the whole; at most that where it is dynamic.
  int64_t wholeSize = 0;
  Extent extent;
  SmallVector<Kind> inputs, outputs, numbers;
  /// An output that is read before it is overwritten.
  SmallVector<bool> isUpdated;
  /// What all blocks scatter into, by atomic updates; no shape: there is none.
  SmallVector<int64_t> tallyShape;
  Kind tallyKind = I32;
  SmallVector<Tile> inputTensors;
  /// The outputs before; no name where they are not read.
  SmallVector<std::string> oldOutputs;
  /// Where the extent is dynamic.
  std::string wholeValue;
  /// Offset, size and stride of the block's tile.
  std::string slice, mapping;
};

} // namespace fuzz
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_FUZZ_KERNELFRAME_H
