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

#include "Generator.h"
#include "Random.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include <string>

namespace mlir {
namespace memspace {
namespace fuzz {

using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::Twine;

enum class Level { Workgroup, Subgroup, Thread };

/// Element types; the order is that of the name table.
enum Kind { F16, BF16, F32, F64, I1, I8, I16, I32, I64, Index };
StringRef getName(Kind kind);
inline bool isFloat(Kind kind) { return kind <= F64; }

/// An extent in a shape that is not static: that of the scope.
constexpr int64_t kUnknown = -1;
std::string tensorType(ArrayRef<int64_t> shape, Kind kind);

struct Scalar {
  std::string name;
  Kind kind;
  /// It is in [0, bound); 0: nobody knows.
  int64_t bound = 0;
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
  /// How often code here is executed by a workgroup, at most.
  int64_t repeats = 1;

  std::string type(Kind kind) const;
  /// The index values among the scalars.
  SmallVector<Scalar> getIndices() const;
};

/// What iteration `iv` of a forall over `trips` in `scope` sees, before it
/// takes tiles of its own, which have `extent`.
Scope enterForall(const Scope &scope, Level level, const Extent &extent,
                  const Extent &trips, StringRef iv);

/// Writes the inside of a region: gets its scope and the tiles that are its
/// arguments, and returns what it yields.
using RegionBody = llvm::function_ref<SmallVector<Tile>(
    Scope &inner, ArrayRef<Tile> arguments)>;

/// How often a loop is executed.
struct Trips {
  /// An index value that is at most `most`.
  std::string value;
  int64_t most;
};

/// What a scatter does with an update and the old element.
enum class Combiner {
  /// The update is the new one.
  None,
  /// The order of the updates does not show.
  Commuting,
  Any
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

  // Indices (GenerateIndices.cpp).
  /// Made from the index values of the scope by up to `depth` ops in a row.
  Scalar indexExpression(const Scope &scope, int depth);
  /// Any index below `extent` that the scope knows.
  std::string position(const Scope &scope, const Extent &extent);
  /// Wraps any index around at `extent`.
  std::string wrap(StringRef index, const Extent &extent);
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
  std::string emptyTensor(const Scope &scope, Kind kind);
  /// `linalg.generic` over `inputs` and `inits`; the payload gets the elements
  /// of the inputs, and of the inits that are defined, and returns one value
  /// for each init.
  using Payload = llvm::function_ref<SmallVector<std::string>(
      ArrayRef<Scalar> inputs, ArrayRef<Scalar> inits)>;
  SmallVector<Tile> generic(Scope &scope, ArrayRef<Tile> inputs,
                            ArrayRef<Tile> inits, ArrayRef<bool> isDefined,
                            Payload payload);
  /// With a payload that combines some of what it gets.
  SmallVector<Tile> generic(Scope &scope, ArrayRef<Tile> inputs,
                            ArrayRef<Tile> inits, ArrayRef<bool> isDefined);
  /// A fresh tile that tells which tile is in which place, by sums that do not
  /// grow. `isPlaced`: and which element is where.
  Tile mix(Scope &scope, ArrayRef<Tile> inputs, bool isPlaced = false);
  void elementwise(Scope &scope);
  void twoResults(Scope &scope);
  void copy(Scope &scope);

  // Stages on parts of tiles (GenerateParts.cpp).
  void insertElement(Scope &scope);
  /// Reads and writes elements of one tile at places that may meet.
  void updateElements(Scope &scope);
  void insertPart(Scope &scope);
  void dimension(Scope &scope);

  // Stages that change the shape on the way (GenerateShapes.cpp).
  /// A tile in a shape of as many elements, and back.
  std::string expand(const Scope &scope, const Tile &tile,
                     ArrayRef<int64_t> shape);
  std::string collapse(const Scope &scope, const Tile &tile,
                       ArrayRef<int64_t> shape);
  void pad(Scope &scope);
  void transpose(Scope &scope);
  void reduce(Scope &scope);
  /// Sums over windows, whose shape an empty tensor says.
  void window(Scope &scope);

  // Stages that sort (GenerateSorts.cpp).
  Tile pickKeys(Scope &scope);
  void comparator(Kind kind, ArrayRef<Tile> payloads);
  void sort(Scope &scope);
  void sortIndices(Scope &scope);
  void topK(Scope &scope);

  // Stages that scan (GenerateScans.cpp).
  void associativeCombiner(ArrayRef<Tile> operands);
  void scan(Scope &scope);

  // Stages that gather and scatter (GenerateIndexed.cpp).
  /// Indices below `bound`, unless they may be out of range.
  Tile makeIndices(Scope &scope, const Extent &bound, bool isUnique,
                   bool isInBounds);
  void gather(Scope &scope);
  /// Of which threads can update elements at once.
  Kind pickAtomicKind();
  /// `head` is everything before the output.
  std::string emitScatter(StringRef head, StringRef output, StringRef type,
                          Kind kind, Combiner combiner);
  void scatter(Scope &scope);
  /// Iterations of a forall that scatter into its destination.
  void scatterForall(Scope &scope);
  std::string scatterByThreads(Scope &scope, const Tile &dest,
                               const Extent &extent, bool isUnique);
  /// Into what other blocks scatter into, of that shape.
  std::string scatterIntoWhole(Scope &scope, const Tile &dest,
                               ArrayRef<int64_t> shape);

  // Regions (GenerateRegions.cpp). The results of each are those of its op;
  // tiles are added to no scope.
  Trips pickTrips(const Scope &scope);
  SmallVector<Tile> emitFor(const Scope &scope, ArrayRef<Tile> inits,
                            const Trips &trips, RegionBody body);
  /// `before` forwards what it returns.
  SmallVector<Tile> emitWhile(const Scope &scope, ArrayRef<Tile> inits,
                              const Trips &trips, RegionBody before,
                              RegionBody after);
  /// The results have the kinds of `like`, which the body gets, too.
  SmallVector<Tile> emitIf(const Scope &scope, ArrayRef<Tile> like,
                           RegionBody body);
  SmallVector<Tile> emitIndexSwitch(const Scope &scope, ArrayRef<Tile> like,
                                    RegionBody body);

  // Control flow (GenerateControlFlow.cpp).
  void loop(Scope &scope);
  void whileLoop(Scope &scope);
  void branch(Scope &scope);
  void indexSwitch(Scope &scope);
  void select(Scope &scope);

  // Ops of which interfaces say less than they do (GenerateLies.cpp).
  void elementwiseLie(Scope &scope);
  void scatterLie(Scope &scope);
  void opaqueLie(Scope &scope);
  void updateLie(Scope &scope);

  // Loops in loops that move tiles around (GenerateNests.cpp).
  void nest(Scope &scope);
  /// `levels` of them around each other, for `carried`, which have one kind.
  SmallVector<Tile> nestLevel(const Scope &scope, ArrayRef<Tile> carried,
                              int levels);

  // Distribution (GenerateForall.cpp).
  void forall(Scope &scope);
  void subgroupForall(Scope &scope);
  /// Over rows or columns of tiles in the shape of a matrix.
  void matrixForall(Scope &scope);

  // Threads that meet (GenerateCollectives.cpp).
  void collectiveForall(Scope &scope);

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
  /// What else is made.
  Extras extras;

private:
  SmallVector<Tile> nestBody(Scope &inner, ArrayRef<Tile> carried, int levels);

  int nextName = 0;
};

} // namespace fuzz
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_FUZZ_KERNELGENERATOR_H
