//===- SpmdGenerator.h - random kernels on memrefs -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Writes a kernel without barriers, as another compiler may give it to
/// MemSpace: every op by itself is free of races, and every element is written
/// before it is read when the threads do one op after the other together. What
/// has been written is followed element by element for that.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_FUZZ_SPMDGENERATOR_H
#define MEMSPACE_FUZZ_SPMDGENERATOR_H

#include "KernelGenerator.h"
#include "Random.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <map>
#include <optional>
#include <vector>

namespace mlir {
namespace memspace {
namespace fuzz {

/// Which element a thread touches, as a function of its number.
struct IndexPattern {
  enum Form {
    Same,      // t + c
    Reversed,  // n - 1 - t
    Rotated,   // (t + c) mod n
    RotatedBy, // (t + c * u) mod n
    Flipped,   // t xor c
    FlippedBy, // t xor (u mod c)
    ShiftedBy, // t + u mod c
    Scaled,    // t * c
    Halved,    // t / 2
    Wrapped,   // t mod n
    Constant   // c
  };
  Form form;
  int64_t c = 0;
  /// u: a value that is the same for all threads of the workgroup.
  std::string by = {};

  bool isUniformlyMoved() const {
    return form == RotatedBy || form == FlippedBy || form == ShiftedBy;
  }
  bool operator==(const IndexPattern &other) const {
    return form == other.form && c == other.c && by == other.by;
  }
};

/// A memref in workgroup memory of which something is known.
struct SpmdBuffer {
  std::string name;
  Kind kind;
  SmallVector<int64_t, 2> shape;
  /// Elements that every path has written.
  llvm::BitVector written;
  /// The same behind a condition.
  std::map<std::string, llvm::BitVector> writtenUnder;
  /// The buffers that it may be, if it is a choice between some.
  SmallVector<unsigned, 2> choices;
  /// A copy into it is in flight.
  bool isLocked = false;
  /// Bytes that it is a view of, from `rawShift` on; empty: none that are
  /// named.
  std::string raw, rawType;
  int64_t rawShift = 0;

  int64_t size() const { return written.size(); }
  std::string type() const;
};

/// After each op that all threads execute and that touches memory: with these
/// barriers the kernel has one meaning, which it must keep when the library
/// places others instead.
constexpr llvm::StringLiteral kSyncAttr = "fuzz_sync";
constexpr llvm::StringLiteral kSyncBarrier = "gpu.barrier {fuzz_sync}";

class SpmdGenerator {
public:
  /// `punsTypes`: bytes that were written as wider elements may be read.
  /// `grid`: workgroups, of which the text says the number or not. `suffix`: of
  /// the names of the kernel and of what else the module has.
  SpmdGenerator(Random &rng, bool punsTypes, int64_t grid, std::string suffix)
      : rng(rng), punsTypes(punsTypes), suffix(std::move(suffix)), grid(grid) {}

  /// A kernel with all that belongs to it.
  std::string run();

private:
  /// How the threads of a region that not all enter use a buffer.
  struct DivergentUse {
    /// Each keeps to the element that this says; nullopt: all read it.
    std::optional<IndexPattern> pattern;
    /// Those that have used it since all threads were together.
    llvm::BitVector threads;
  };

  /// A carried number of each thread's own: its number + step · iteration.
  struct Walk {
    std::string number, iteration;
    int64_t step;
  };

  /// Where code is put.
  struct Context {
    /// Threads that may be here, and that are here for sure.
    llvm::BitVector may, must;
    bool isDivergent = false;
    /// Only one thread is here.
    bool isAlone = false;
    std::map<unsigned, DivergentUse> uses;
    std::vector<Scalar> scalars;
    /// Induction variables, each from 0 by 1.
    SmallVector<std::string, 2> iterations;
    /// Carried numbers: slots that wrap, strides that halve.
    SmallVector<std::string, 2> slots;
    SmallVector<Walk, 2> walks;
    /// Buffers from outside the innermost loop.
    unsigned loopBuffers = 0;
    int depth = 0;
  };

  // Text.
  void line(const Twine &text);
  /// A barrier that is there to say what the kernel means.
  void synchronize();
  std::string fresh() { return "%v" + std::to_string(nextName++); }
  std::string define(const Twine &text);
  std::string indexConstant(int64_t value);
  /// `%new = op a, b : index`.
  std::string arith(StringRef op, StringRef a, StringRef b);

  // The kernel (SpmdKernel.cpp).
  void makeThreadNumbers();
  void makeEntryBuffers();
  unsigned addBuffer(std::string name, Kind kind, ArrayRef<int64_t> shape);
  unsigned allocate(Kind kind);
  SmallVector<int64_t, 2> pickShape(int64_t size);
  Kind pickKind();
  void action();
  void actions(int count);

  // Values (SpmdKernel.cpp).
  /// An index, not negative, that is the same for all threads of a workgroup:
  /// of the workgroup's and the iterations' numbers and the arguments.
  std::string uniformIndex();
  std::string constant(Kind kind);
  std::string convert(const Scalar &scalar, Kind kind);
  std::string value(Kind kind);
  std::string combine(Kind kind, StringRef a, StringRef b);
  /// Adds `scalar` to an element of an output that only its thread has.
  void sink(const Scalar &scalar);

  // Accesses (SpmdAccesses.cpp).
  int64_t evaluate(const IndexPattern &pattern, int64_t size,
                   int64_t thread) const;
  std::string emit(const IndexPattern &pattern, int64_t size);
  std::optional<IndexPattern> pickPattern(int64_t size, bool isInjective);
  /// In range for all of `who`; `isInjective`: no two of them touch one
  /// element.
  bool fits(const IndexPattern &pattern, int64_t size,
            const llvm::BitVector &who, bool isInjective) const;
  /// `%memref[indices] : type`, perhaps behind a view.
  std::pair<std::string, std::string> place(const SpmdBuffer &buffer,
                                            StringRef index);
  std::string flatten(const SpmdBuffer &buffer, std::string &type);
  bool mayUse(unsigned buffer, bool isWrite, const IndexPattern &pattern);
  void noteUse(unsigned buffer, bool isWrite, const IndexPattern &pattern);
  SmallVector<unsigned> getRoots(unsigned buffer) const;
  bool isLocked(unsigned buffer) const;
  bool isAnyLocked() const;
  llvm::BitVector getWritten(unsigned buffer) const;
  void markWritten(unsigned buffer, const IndexPattern &pattern);
  void markAll(unsigned buffer);
  std::optional<unsigned> pickBuffer();
  std::optional<IndexPattern> pickElement(unsigned buffer, bool isInjective);
  void storeElement(unsigned buffer);
  void loadElement(unsigned buffer);
  /// Writes every element.
  void cover(unsigned buffer);
  void coverByThreads(unsigned buffer);
  void coverByOne(unsigned buffer);
  void coverByVectors(unsigned buffer);
  void coverBySlices(unsigned buffer);
  void loadVector(unsigned buffer);
  void callHelper(unsigned buffer);
  void callWithOwnBuffer();
  void copyAsync();
  /// Two copies in groups of their own; the older one is waited for first.
  void copyAsyncTwice();
  /// Begins a copy into the buffer and returns its group.
  std::string beginCopy(unsigned buffer, const IndexPattern &pattern);
  bool mayCopyInto(unsigned buffer) const;
  /// Adds to elements atomically, any number of threads to each.
  void updateAtomically(unsigned buffer);
  /// Reads a byte of what was written as wider elements.
  void loadRaw(unsigned buffer);

  // Control flow (SpmdControlFlow.cpp; SpmdLoops.cpp from forLoop on).
  using Body = llvm::function_ref<void()>;
  std::vector<llvm::BitVector> saveWritten() const;
  void restoreWritten(const std::vector<llvm::BitVector> &saved);
  void intersectWritten(const std::vector<llvm::BitVector> &other);
  /// Code of one region; buffers and scalars that it makes end with it.
  void region(Body body);
  /// The threads for which `holds` says so; nullopt: nobody knows which.
  void divergentRegion(std::optional<llvm::BitVector> holds, bool isAlone,
                       Body body);
  void guardByThread(int64_t below, Body body);
  void oneThread(Body body);
  std::string uniformCondition();
  /// By an element of workgroup memory that all threads load; empty: there is
  /// none.
  std::string loadedCondition();
  void uniformIf();
  void divergentIf();
  std::optional<std::pair<unsigned, unsigned>> pickAlike();
  void choose();
  void allocateInBranches();
  void indexSwitch();
  void executeRegion();
  void forLoop();
  void whileLoop();
  /// Writes a buffer in the first iteration; the others find it written.
  void onlyFirstIteration();
  /// An inner loop that reads what only the last execution of it has written.
  void readAhead();
  /// What an iteration reads and the one before it has written.
  void carriedOver(StringRef iteration, Body body);
  /// What a loop carries around: buffers of one type, and in which order the
  /// next iteration gets them. Buffers may repeat.
  struct Carried {
    SmallVector<unsigned, 4> buffers, next;
    std::string type;

    explicit operator bool() const { return !buffers.empty(); }
    /// The names of `from` as the next iteration gets them.
    std::string pass(ArrayRef<std::string> from) const;
    /// "type, type, …".
    std::string types() const;
  };
  Carried pickCarried();
  /// A number that a loop carries, the same in all threads, and how the next
  /// one comes from it.
  struct Slot {
    enum Step { Select, If, Rem, Flip, Halve, Double, Narrow, Triangle };
    Step step = Select;
    int64_t first = 0, end = 1;
  };
  std::optional<Slot> pickSlot();
  /// The number of the next iteration; `iteration` is that of this one.
  std::string advance(const Slot &slot, StringRef number, StringRef iteration);
  /// Buffers that are any of those of `carried`.
  void addChoices(const Carried &carried, ArrayRef<std::string> names);
  SmallVector<std::string> makeNames(const Carried &carried);

  Random &rng;
  bool punsTypes;
  std::string suffix;
  int64_t grid;
  std::string text, functions, globals;
  int indent = 1;
  int nextName = 0, nextFunction = 0;
  int64_t blockX = 0, blockY = 1, threads = 0;
  bool isGridKnown = true;
  /// Number of a thread of the workgroup; of the workgroup, where there may be
  /// several.
  std::string thread, block;
  bool isGPUFunc = false;
  std::string attributions;
  std::vector<SpmdBuffer> buffers;
  Context here;
  int budget = 0;
  std::map<Kind, int64_t> outputSlots;
};

} // namespace fuzz
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_FUZZ_SPMDGENERATOR_H
