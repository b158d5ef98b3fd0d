//===- BufferClassesTest.cpp - classes and owner maps by enumeration -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random small kernels, of which every element, every thread and every way
// through branches is enumerated.
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Spaces/BufferClasses.h"
#include "MemSpace/Spaces/MemorySpaceAnalysis.h"
#include "MemSpace/Spaces/OwnerMaps.h"
#include "TestContext.h"
#include "TestModule.h"
#include "llvm/ADT/IntEqClasses.h"
#include "gtest/gtest.h"
#include <map>
#include <random>
#include <set>

using namespace mlir;
using namespace mlir::memspace;

namespace {

using Numbers = std::vector<int64_t>;

/// The analysis of one kernel, with its module.
struct Analyzed {
  explicit Analyzed(const std::string &source)
      : module(source), analysis(*module, MemorySpaceOptions(getTestTarget())),
        kernel(getKernels(*module).front()),
        classes(*analysis.getBufferClasses(kernel)) {}

  Value value(const std::string &name) {
    return module.get(name)->getResult(0);
  }

  TestModule module;
  MemorySpaceAnalysis analysis;
  FunctionOpInterface kernel;
  const BufferClasses &classes;
};

int64_t pick(std::mt19937 &random, int64_t first, int64_t last) {
  return std::uniform_int_distribution<int64_t>(first, last)(random);
}

std::string text(int64_t number) { return std::to_string(number); }

std::string getTensor(ArrayRef<int64_t> shape) {
  std::string type = "tensor<";
  for (int64_t extent : shape)
    type += text(extent) + "x";
  return type + "f32>";
}

/// "[a, b]".
std::string getList(ArrayRef<int64_t> numbers) {
  std::string list = "[";
  for (auto [i, number] : llvm::enumerate(numbers))
    list += (i ? ", " : "") + text(number);
  return list + "]";
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

/// A tensor that is a part of a root: the root's index of each of its
/// elements, row by row.
struct Part {
  Numbers shape;
  std::vector<Numbers> elements;
};

/// All indices of a shape, row by row.
std::vector<Numbers> enumerate(const Numbers &shape) {
  std::vector<Numbers> all{{}};
  for (int64_t extent : shape) {
    std::vector<Numbers> longer;
    for (const Numbers &prefix : all)
      for (int64_t i = 0; i < extent; ++i) {
        longer.push_back(prefix);
        longer.back().push_back(i);
      }
    all = std::move(longer);
  }
  return all;
}

/// A random slice of `part`, and its op.
Part takeSlice(std::mt19937 &random, const Part &part, std::string &op) {
  Numbers offsets, sizes, strides;
  for (int64_t extent : part.shape) {
    strides.push_back(pick(random, 1, 3));
    offsets.push_back(pick(random, 0, extent - 1));
    sizes.push_back(
        pick(random, 1, (extent - 1 - offsets.back()) / strides.back() + 1));
  }
  Part slice;
  // A dimension of one element may be dropped.
  std::vector<bool> dropped;
  for (int64_t size : sizes) {
    dropped.push_back(size == 1 && pick(random, 0, 1));
    if (!dropped.back())
      slice.shape.push_back(size);
  }
  std::map<Numbers, Numbers> rootOf;
  for (auto [index, element] :
       llvm::zip_equal(enumerate(part.shape), part.elements))
    rootOf[index] = element;
  for (Numbers index : enumerate(sizes)) {
    for (auto [i, offset, stride] : llvm::zip_equal(index, offsets, strides))
      i = offset + i * stride;
    slice.elements.push_back(rootOf.at(index));
  }
  op = getList(offsets) + " " + getList(sizes) + " " + getList(strides);
  return slice;
}

/// The numbers that a constant range stands for.
Numbers enumerateRange(const IndexRange &range) {
  Numbers numbers;
  for (int64_t k = 0; k < *range.size->getConstant(); ++k)
    numbers.push_back(*range.offset.getConstant() + k * range.stride);
  return numbers;
}

TEST(BufferViewTest, slicesOfSlices) {
  std::mt19937 random(1);
  for (int round = 0; round < 60; ++round) {
    Part root{{pick(random, 1, 6), pick(random, 1, 9)}, {}};
    root.elements = enumerate(root.shape);
    std::string body = R"mlir(
  %0 = tensor.empty() {test.name = "0"} : )mlir" +
                       getTensor(root.shape) + "\n";
    std::vector<Part> parts{root};
    for (int i = 1; i <= 3; ++i) {
      std::string slice;
      parts.push_back(takeSlice(random, parts.back(), slice));
      body += "  %" + text(i) + " = tensor.extract_slice %" + text(i - 1) +
              slice + " {test.name = \"" + text(i) +
              "\"} : " + getTensor(parts[i - 1].shape) + " to " +
              getTensor(parts[i].shape) + "\n";
    }
    std::string type = getTensor(parts.back().shape);
    std::string memref = "memref" + type.substr(StringRef("tensor").size());
    std::string source =
        "func.func @k(%out: " + memref +
        ") attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {" + body +
        "  bufferization.materialize_in_destination %3 in writable %out : (" +
        type + ", " + memref + ") -> ()\n  return\n}";
    Analyzed analyzed(source);
    for (auto [i, part] : llvm::enumerate(parts)) {
      SCOPED_TRACE(source + text(i));
      Value value = analyzed.value(text(i));
      EXPECT_EQ(analyzed.classes.getClass(value),
                analyzed.classes.getClass(analyzed.value("0")));
      const BufferView &view = analyzed.classes.getView(value);
      ASSERT_EQ(view.root, analyzed.value("0"));
      ASSERT_TRUE(view.dims);
      EXPECT_EQ(view.isIdentity(),
                part.shape == root.shape && part.elements == root.elements);

      // Element by element.
      for (auto [index, element] :
           llvm::zip_equal(enumerate(part.shape), part.elements)) {
        Numbers found;
        for (const BufferView::Dim &dim : *view.dims)
          found.push_back(
              *dim.offset.getConstant() +
              (dim.valueDim ? index[*dim.valueDim] * dim.stride : 0));
        EXPECT_EQ(found, element);
      }
      // All of them at once, as accesses have it.
      std::optional<SmallVector<IndexRange>> ranges =
          view.getRootRanges(std::nullopt);
      ASSERT_TRUE(ranges && ranges->size() == 2);
      std::set<Numbers> touched,
          wanted(part.elements.begin(), part.elements.end());
      for (int64_t row : enumerateRange((*ranges)[0]))
        for (int64_t column : enumerateRange((*ranges)[1]))
          touched.insert({row, column});
      EXPECT_EQ(touched, wanted);
    }
  }
}

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

// Allocations that one value may be, whichever way control goes, are in one
// class; all others are apart.
TEST(BufferClassesTest, chosenAllocations) {
  std::mt19937 random(2);
  for (int round = 0; round < 40; ++round) {
    constexpr int kAllocations = 4, kChoices = 4;
    std::string source = R"mlir(
func.func @k(%flag: i1) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
)mlir";
    for (int i = 0; i < kAllocations; ++i)
      source += "  %" + text(i) + " = tensor.empty() {test.name = \"" +
                text(i) + "\"} : tensor<8xf32>\n";
    // Of each choice the two values of which it is one.
    std::vector<std::pair<int, int>> choices;
    for (int i = 0; i < kChoices; ++i) {
      int last = kAllocations + i - 1;
      int a = pick(random, 0, last), b = pick(random, 0, last);
      choices.emplace_back(a, b);
      std::string name = "%" + text(kAllocations + i);
      std::string mark = " {test.name = \"" + text(kAllocations + i) + "\"}";
      std::string first = "%" + text(a), second = "%" + text(b);
      source += "  " + name;
      if (pick(random, 0, 1))
        source += " = arith.select %flag, " + first + ", " + second + mark +
                  " : tensor<8xf32>\n";
      else
        source += " = scf.if %flag -> tensor<8xf32> {\n    scf.yield " + first +
                  " : tensor<8xf32>\n  } else {\n    scf.yield " + second +
                  " : tensor<8xf32>\n  }" + mark + "\n";
    }
    Analyzed analyzed(source + "  return\n}");

    // Every way: bit i says which value choice i takes.
    llvm::IntEqClasses wanted(kAllocations + kChoices);
    for (unsigned way = 0; way < 1u << kChoices; ++way) {
      Numbers root(kAllocations + kChoices);
      for (int i = 0; i < kAllocations; ++i)
        root[i] = i;
      for (int i = 0; i < kChoices; ++i) {
        auto [a, b] = choices[i];
        root[kAllocations + i] = root[way >> i & 1 ? b : a];
        wanted.join(kAllocations + i, root[kAllocations + i]);
      }
    }
    wanted.compress();
    SCOPED_TRACE(source);
    for (int i = 0; i < kAllocations + kChoices; ++i)
      for (int j = 0; j < i; ++j)
        EXPECT_EQ(analyzed.classes.getClass(analyzed.value(text(i))) ==
                      analyzed.classes.getClass(analyzed.value(text(j))),
                  wanted[i] == wanted[j])
            << i << " and " << j;
  }
}

//===----------------------------------------------------------------------===//
// Owner maps
//===----------------------------------------------------------------------===//

/// A forall over threads whose iterations access `size` elements each, from
/// `offset` + `step` · iteration on.
struct Distribution {
  int64_t iterations, offset, step, size;

  /// The elements of one thread; iteration i runs on thread i modulo the block.
  std::set<int64_t> getElements(int64_t thread, int64_t threads) const {
    std::set<int64_t> elements;
    for (int64_t i = thread; i < iterations; i += threads)
      for (int64_t k = 0; k < size; ++k)
        elements.insert(offset + step * i + k);
    return elements;
  }
  std::string getIndex() const {
    return "    %at = affine.apply affine_map<(d0) -> (d0 * " + text(step) +
           " + " + text(offset) + ")>(%i)\n";
  }
};

constexpr int64_t kThreads = 4, kElements = 16;

/// Thread by thread the elements that `written` and `read` say; the buffer is
/// the class of "buffer".
std::string getKernel(const Distribution &written, const Distribution &read) {
  std::string part = "tensor<" + text(written.size) + "xf32>";
  std::string whole = "tensor<" + text(kElements) + "xf32>";
  std::string taken = "tensor<" + text(read.size) + "xf32>";
  int64_t outElements = read.iterations * read.size;
  std::string out = "tensor<" + text(outElements) + "xf32>";
  std::string memref = "memref<" + text(outElements) + "xf32>";
  std::string size = "[" + text(written.size) + "] [1]";
  return "func.func @k(%out: " + memref +
         ") attributes {gpu.known_block_size = array<i32: " + text(kThreads) +
         ", 1, 1>} {\n"
         "  %ot = bufferization.to_tensor %out restrict writable : " +
         memref + " to " + out +
         "\n  %f = arith.constant 1.0 : f32\n"
         "  %buffer = tensor.empty() {test.name = \"buffer\"} : " +
         whole + "\n  %w = scf.forall (%i) in (" + text(written.iterations) +
         ") shared_outs(%o = %buffer) -> (" + whole + ") {\n" +
         written.getIndex() + "    %s = tensor.extract_slice %o[%at] " + size +
         " : " + whole + " to " + part +
         "\n    %v = linalg.fill ins(%f : f32) outs(%s : " + part + ") -> " +
         part +
         "\n    scf.forall.in_parallel {\n"
         "      tensor.parallel_insert_slice %v into %o[%at] " +
         size + " : " + part + " into " + whole +
         "\n    }\n  } {mapping = [#gpu.thread<x>]}\n"
         "  %r = scf.forall (%i) in (" +
         text(read.iterations) + ") shared_outs(%o = %ot) -> (" + out +
         ") {\n" + read.getIndex() +
         "    %to = affine.apply affine_map<(d0) -> (d0 * " + text(read.size) +
         ")>(%i)\n    %s = tensor.extract_slice %w[%at] [" + text(read.size) +
         "] [1] : " + whole + " to " + taken +
         "\n    %d = tensor.extract_slice %o[%to] [" + text(read.size) +
         "] [1] : " + out + " to " + taken +
         "\n    %v = linalg.exp ins(%s : " + taken + ") outs(%d : " + taken +
         ") -> " + taken +
         "\n    scf.forall.in_parallel {\n"
         "      tensor.parallel_insert_slice %v into %o[%to] [" +
         text(read.size) + "] [1] : " + taken + " into " + out +
         "\n    }\n  } {mapping = [#gpu.thread<x>]}\n"
         "  bufferization.materialize_in_destination %r in restrict writable "
         "%out : (" +
         out + ", " + memref + ") -> ()\n  return\n}";
}

/// Iterations that write disjoint slices, or that read any.
Distribution getDistribution(std::mt19937 &random, bool isWrite) {
  while (true) {
    Distribution d;
    d.iterations = pick(random, 1, 2 * kThreads);
    d.size = pick(random, 1, 4);
    d.step = pick(random, isWrite ? 1 : -3, 4);
    d.offset = pick(random, 0, kElements - 1);
    int64_t other = d.offset + d.step * (d.iterations - 1);
    bool isInside = std::min(d.offset, other) >= 0 &&
                    std::max(d.offset, other) + d.size <= kElements;
    if (isInside && (!isWrite || d.step >= d.size))
      return d;
  }
}

void checkOwners(const Distribution &written, const Distribution &read,
                 unsigned &aligned, unsigned &owned) {
  std::string source = getKernel(written, read);
  SCOPED_TRACE(source);
  Analyzed analyzed(source);
  const BufferClass *cls = analyzed.classes.getClass(analyzed.value("buffer"));
  ASSERT_TRUE(cls);
  const OwnerMaps &owners = *analyzed.analysis.getOwnerMaps(analyzed.kernel);

  bool meets = false;
  std::set<int64_t> all;
  size_t most = 0;
  for (int64_t writer = 0; writer < kThreads; ++writer) {
    std::set<int64_t> elements = written.getElements(writer, kThreads);
    all.insert(elements.begin(), elements.end());
    most = std::max(most, elements.size());
    for (int64_t reader = 0; reader < kThreads; ++reader)
      for (int64_t element : read.getElements(reader, kThreads))
        meets |= reader != writer && elements.count(element);
  }
  for (bool mappedOnly : {false, true})
    EXPECT_EQ(owners.findUnaligned(*cls, mappedOnly).has_value(), meets);
  aligned += !meets;

  // Slices do not overlap: they cover the buffer when they are as many.
  std::optional<OwnerMap> owner = owners.getOwnerMap(*cls);
  EXPECT_EQ(owner.has_value(), all.size() == size_t(kElements));
  if (!owner)
    return;
  ++owned;
  EXPECT_EQ(owner->getSliceElements(), written.size);
  EXPECT_EQ(owner->getElementsPerThread(
                *analyzed.analysis.getContext(analyzed.kernel)),
            int64_t(most));
}

TEST(OwnerMapsTest, againstThreads) {
  std::mt19937 random(3);
  unsigned aligned = 0, owned = 0;
  for (int round = 0; round < 60; ++round) {
    Distribution written = getDistribution(random, /*isWrite=*/true);
    // A third each reads what it wrote, covers the buffer, or does anything.
    Distribution read =
        round % 3 == 0 ? written : getDistribution(random, /*isWrite=*/false);
    if (round % 3 == 1) {
      int64_t size = int64_t(1) << pick(random, 1, 2);
      written = {kElements / size, 0, size, size};
    }
    checkOwners(written, read, aligned, owned);
  }
  // The kernels are of all kinds.
  EXPECT_GT(aligned, 20u);
  EXPECT_GT(owned, 15u);
}

} // namespace
