//===- KernelGenerator.h - the state of the generator -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Shared by the files that implement the generator. Whatever is visible in a
/// scope is uniform there: the same for all threads of the workgroup at
/// workgroup level, of the subgroup at subgroup level.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_FUZZ_KERNELGENERATOR_H
#define MEMSPACE_FUZZ_KERNELGENERATOR_H

#include "Random.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include <string>

namespace mlir {
namespace memspace {
namespace fuzz {

using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;
using llvm::Twine;

enum class Level { Workgroup, Subgroup, Thread };

/// Element types; the order is that of the name table.
enum Kind { F16, BF16, F32, F64, I1, I8, I16, I32, I64, Index };
StringRef getName(Kind kind);
inline bool isFloat(Kind kind) { return kind <= F64; }

struct Scalar {
  std::string name;
  Kind kind;
};

/// A one-dimensional tensor, fully written unless it is a scratch tile.
struct Tile {
  std::string name;
  Kind kind;
};

/// The extent of the tiles of a scope.
struct Extent {
  /// Its upper bound where it is dynamic.
  int64_t size = 0;
  /// An index value.
  std::string value;
  bool isDynamic = false;

  /// As in a tensor type and among static sizes.
  std::string str() const { return isDynamic ? "?" : std::to_string(size); }
  /// As a size of a slice.
  std::string sizeStr() const {
    return isDynamic ? value : std::to_string(size);
  }
};

/// What an op at some place may use. Regions get a copy.
struct Scope {
  Level level = Level::Workgroup;
  Extent extent;
  SmallVector<Tile> tiles;
  /// Tiles that may only be overwritten as a whole.
  SmallVector<Tile> scratch;
  SmallVector<Scalar> scalars;
  /// Tiles of enclosing scopes, of another extent.
  SmallVector<std::pair<Tile, Extent>> outer;
  /// Nesting of loops and branches.
  int depth = 0;

  std::string type(Kind kind) const;
};

class KernelGenerator {
public:
  KernelGenerator(Random &rng, int64_t subgroupSize)
      : rng(rng), subgroupSize(subgroupSize) {}

  // Text.
  void line(const Twine &text);
  std::string fresh() { return "%v" + std::to_string(nextName++); }
  /// Emits `%new = text` and returns `%new`.
  std::string define(const Twine &text);
  std::string indexConstant(int64_t value);
  std::string text;
  int indent = 1;

  // Scalars (GenerateScalars.cpp).
  Kind pickKind();
  std::string constant(Kind kind);
  std::string convert(const Scalar &scalar, Kind kind);
  std::string combine(ArrayRef<Scalar> sources, Kind kind);
  /// An `i1`.
  std::string condition(const Scope &scope);
  /// A scalar read from a tile of the scope or around it.
  Scalar extract(Scope &scope);
  /// An index below `extent` made from `index`. `isBijective`: different for
  /// different `index` below `extent`.
  std::string permute(StringRef index, const Extent &extent, bool isBijective,
                      const Scope &scope);

  // Stages of one level (GenerateStages.cpp); each adds a tile.
  void stage(Scope &scope);
  void stages(Scope &scope, int count);
  /// A tile to write: `isDefined` tells whether its elements may be read.
  std::string chooseInit(Scope &scope, Kind kind, bool &isDefined);
  Tile pickTile(Scope &scope);
  /// The newest tiles are taken more often; made when there is none.
  Tile pickTile(Scope &scope, Kind kind);
  Tile fill(Scope &scope, Kind kind);
  void elementwise(Scope &scope);
  void twoResults(Scope &scope);
  void insertElement(Scope &scope);
  void insertPart(Scope &scope);
  void pad(Scope &scope);
  void transpose(Scope &scope);
  void reduce(Scope &scope);
  void copy(Scope &scope);

  // Control flow (GenerateControlFlow.cpp).
  void loop(Scope &scope);
  void whileLoop(Scope &scope);
  void branch(Scope &scope);
  void indexSwitch(Scope &scope);
  void select(Scope &scope);

  // Distribution (GenerateForall.cpp).
  void forall(Scope &scope);
  void subgroupForall(Scope &scope);
  /// Over rows or columns of tiles in the shape of a matrix.
  void matrixForall(Scope &scope);

  Random &rng;
  int64_t subgroupSize;
  int64_t blockSize = 0;
  /// `x` and `y` when the workgroup has two dimensions.
  int64_t blockX = 0, blockY = 1;
  /// A tensor of `i32` indices and its number of elements.
  std::string indexTable;
  int64_t indexTableSize = 0;
  /// Stages that may still be made.
  int budget = 0;
  /// Foralls nested in loops multiply.
  int maxDepth = 2;

private:
  int nextName = 0;
};

} // namespace fuzz
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_FUZZ_KERNELGENERATOR_H
