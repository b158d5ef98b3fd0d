//===- BankConflictsTest.cpp - which lanes meet in a bank -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Layout/BankConflicts.h"
#include "TestContext.h"
#include "TestModule.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::memspace;

namespace {
class BankConflictsTest : public ::testing::Test {
protected:
  /// Analyzes a kernel of blocks of (x, y, 1) threads for `chip`, with tiles
  /// of several types.
  void analyze(StringRef body, StringRef chip = "sm_90", int64_t x = 32,
               int64_t y = 8) {
    std::string text = R"(
      #wg = #gpu.address_space<workgroup>
      #strided = strided<[32, 1], offset: ?>
      func.func @kernel(%idx: memref<?xindex>, %n: index, %v: f32, %h: f16,
                        %flag: i1, %in: memref<?x?xf32>)
          attributes {gpu.known_block_size = array<i32: )" +
                       std::to_string(x) + ", " + std::to_string(y) + R"(, 1>} {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c2 = arith.constant 2 : index
        %c4 = arith.constant 4 : index
        %c8 = arith.constant 8 : index
        %c32 = arith.constant 32 : index
        %x = gpu.thread_id x
        %y = gpu.thread_id y
        %b = gpu.block_id x
        %vec = vector.broadcast %v : f32 to vector<4xf32>
        %tile = memref.alloc() : memref<32x32xf32, #wg>
        %padded = memref.alloc() : memref<32x33xf32, #wg>
        %half = memref.alloc() : memref<32x32xf16, #wg>
        %wide = memref.alloc() : memref<64x64xf32, #wg>
      )" + body.str() + "\nreturn }";
    conflicts.reset();
    module = std::make_unique<TestModule>(text);
    ASSERT_TRUE(*module);
    kernel = (**module).lookupSymbol<FunctionOpInterface>("kernel");
    target = *lookupTarget(chip);
    conflicts = std::make_unique<BankConflicts>(getTestContext(kernel, target));
  }

  /// The access of the marked op to workgroup memory.
  MemoryAccess access(StringRef name) {
    std::vector<MemoryAccess> accesses;
    collectAccesses(module->get(name), getTestContext(kernel, target),
                    accesses);
    for (const MemoryAccess &candidate : accesses) {
      auto type = candidate.memref
                      ? dyn_cast<MemRefType>(candidate.memref.getType())
                      : MemRefType();
      if (!type || type.getMemorySpace())
        return candidate;
    }
    ADD_FAILURE() << "no access to workgroup memory";
    return {};
  }
  std::optional<BankConflict> conflict(StringRef name) {
    return conflicts->getConflict(access(name));
  }
  /// -1 when it is not known.
  int64_t degree(StringRef name) {
    std::optional<BankConflict> found = conflict(name);
    return found ? found->degree : -1;
  }

  std::unique_ptr<TestModule> module;
  FunctionOpInterface kernel;
  TargetInfo target;
  std::unique_ptr<BankConflicts> conflicts;
};

TEST_F(BankConflictsTest, Scalars) {
  analyze(R"(
    %0 = memref.load %tile[%y, %x] {test.name = "row"} : memref<32x32xf32, #wg>
    %1 = memref.load %tile[%x, %y] {test.name = "column"} : memref<32x32xf32, #wg>
    %2 = memref.load %padded[%x, %y] {test.name = "padded"} : memref<32x33xf32, #wg>
    %3 = memref.load %tile[%y, %c1] {test.name = "broadcast"} : memref<32x32xf32, #wg>
    memref.store %v, %tile[%x, %c1] {test.name = "store"} : memref<32x32xf32, #wg>
    %5 = memref.load %half[%y, %x] {test.name = "half-row"} : memref<32x32xf16, #wg>
    %6 = memref.load %half[%x, %y] {test.name = "half-column"} : memref<32x32xf16, #wg>
  )");
  EXPECT_EQ(degree("row"), 1);
  EXPECT_EQ(degree("column"), 32);
  EXPECT_EQ(degree("padded"), 1);
  EXPECT_EQ(degree("broadcast"), 1);
  EXPECT_EQ(degree("store"), 32);
  // Two elements in a word.
  EXPECT_EQ(degree("half-row"), 1);
  // Rows of 16 words: two of them go round the banks.
  EXPECT_EQ(degree("half-column"), 16);
  // Eight warps.
  EXPECT_EQ(conflict("row")->cycles, 8);
  EXPECT_EQ(conflict("column")->cycles, 8 * 32);
}

TEST_F(BankConflictsTest, OtherStrides) {
  analyze(R"(
    %0 = memref.load %tile[%x, %y] {test.name = "column"} : memref<32x32xf32, #wg>
    %1 = memref.load %half[%x, %y] {test.name = "half"} : memref<32x32xf16, #wg>
  )");
  EXPECT_EQ(conflicts->getConflict(access("column"), {33 * 4, 4})->degree, 1);
  EXPECT_EQ(conflicts->getConflict(access("column"), {34 * 4, 4})->degree, 2);
  EXPECT_EQ(conflicts->getConflict(access("column"), {40 * 4, 4})->degree, 8);
  EXPECT_EQ(conflicts->getConflict(access("half"), {34 * 2, 2})->degree, 1);
}

TEST_F(BankConflictsTest, Vectors) {
  analyze(R"(
    %x4 = arith.muli %x, %c4 : index
    %0 = vector.load %wide[%y, %x4] {test.name = "row"} : memref<64x64xf32, #wg>, vector<4xf32>
    vector.store %vec, %wide[%x, %c0] {test.name = "column"} : memref<64x64xf32, #wg>, vector<4xf32>
    %pad = arith.constant 0.0 : f32
    %1 = vector.transfer_read %wide[%x, %y], %pad {in_bounds = [true], test.name = "transfer"}
        : memref<64x64xf32, #wg>, vector<8xf32>
  )");
  // Eight lanes of 16 bytes have 32 banks; four such phases in a warp. Lanes 16
  // to 31 are in the next row.
  EXPECT_EQ(degree("row"), 1);
  EXPECT_EQ(conflict("row")->cycles, 8 * 4);
  EXPECT_EQ(degree("column"), 8);
  EXPECT_EQ(conflicts->getConflict(access("column"), {68 * 4, 4})->degree, 1);
  // 32 bytes are two accesses.
  EXPECT_EQ(degree("transfer"), 8);
  EXPECT_EQ(conflicts->getExecutions(access("transfer")), 2);
  EXPECT_EQ(conflicts->getExecutions(access("row")), 1);
}

TEST_F(BankConflictsTest, WideSubgroups) {
  StringRef body = R"(
    %0 = memref.load %wide[%y, %x] {test.name = "row"} : memref<64x64xf32, #wg>
    %1 = memref.load %wide[%x, %y] {test.name = "column"} : memref<64x64xf32, #wg>
  )";
  analyze(body, "gfx942", 64, 4);
  // Two phases of 32 lanes.
  EXPECT_EQ(degree("row"), 1);
  EXPECT_EQ(conflict("row")->cycles, 4 * 2);
  EXPECT_EQ(degree("column"), 32);
  EXPECT_EQ(conflict("column")->cycles, 4 * 64);
  // 64 banks serve 64 lanes at once.
  analyze(body, "gfx950", 64, 4);
  EXPECT_EQ(degree("row"), 1);
  EXPECT_EQ(conflict("row")->cycles, 4);
  EXPECT_EQ(degree("column"), 64);
}

TEST_F(BankConflictsTest, Arithmetic) {
  analyze(R"(
    %q = arith.divui %x, %c8 : index
    %r = arith.remui %x, %c8 : index
    %r4 = affine.apply affine_map<(d0) -> ((d0 mod 8) * 4)>(%x)
    %qr:2 = affine.delinearize_index %x into (4, 8) : index, index
    %i32 = arith.index_cast %x : index to i32
    %five = arith.constant 5 : i32
    %xor32 = arith.xori %i32, %five : i32
    %xor = arith.index_cast %xor32 : i32 to index
    %0 = memref.load %tile[%q, %r] {test.name = "rows-of-8"} : memref<32x32xf32, #wg>
    %1 = memref.load %tile[%r, %q] {test.name = "columns-of-8"} : memref<32x32xf32, #wg>
    %2 = memref.load %tile[%r4, %q] {test.name = "every-4"} : memref<32x32xf32, #wg>
    %3 = memref.load %tile[%qr#1, %qr#0] {test.name = "delinearized"} : memref<32x32xf32, #wg>
    %4 = memref.load %tile[%y, %xor] {test.name = "permuted"} : memref<32x32xf32, #wg>
  )");
  EXPECT_EQ(degree("rows-of-8"), 4);
  EXPECT_EQ(degree("columns-of-8"), 8);
  EXPECT_EQ(degree("every-4"), 8);
  EXPECT_EQ(degree("delinearized"), 8);
  EXPECT_EQ(degree("permuted"), 1);
}

TEST_F(BankConflictsTest, UniformValues) {
  analyze(R"(
    %bx = arith.addi %x, %b : index
    %scaled = arith.muli %x, %n : index
    %d = memref.load %idx[%x] : memref<?xindex>
    %u = memref.load %idx[%n] : memref<?xindex>
    %0 = memref.load %tile[%b, %x] {test.name = "row-of-block"} : memref<32x32xf32, #wg>
    %1 = memref.load %tile[%x, %n] {test.name = "column-n"} : memref<32x32xf32, #wg>
    %2 = memref.load %tile[%bx, %u] {test.name = "shifted-column"} : memref<32x32xf32, #wg>
    %3 = memref.load %tile[%c0, %scaled] {test.name = "scaled"} : memref<32x32xf32, #wg>
    %4 = memref.load %tile[%d, %x] {test.name = "gathered"} : memref<32x32xf32, #wg>
    scf.for %k = %c0 to %c8 step %c1 {
      %5 = memref.load %tile[%k, %x] {test.name = "row-k"} : memref<32x32xf32, #wg>
      %xk = arith.muli %x, %k : index
      %6 = memref.load %tile[%c0, %xk] {test.name = "times-k"} : memref<32x32xf32, #wg>
    }
    scf.for %k = %x to %c32 step %c32 {
      %7 = memref.load %tile[%k, %c0] {test.name = "own-start"} : memref<32x32xf32, #wg>
    }
  )");
  EXPECT_EQ(degree("row-of-block"), 1);
  EXPECT_EQ(degree("column-n"), 32);
  EXPECT_EQ(degree("shifted-column"), 32);
  EXPECT_EQ(degree("scaled"), -1);
  EXPECT_EQ(degree("gathered"), -1);
  EXPECT_EQ(degree("row-k"), 1);
  EXPECT_EQ(conflicts->getExecutions(access("row-k")), 8);
  // Iterations 0 to 3: all in one word, then 1, 2 and 1 way.
  EXPECT_EQ(degree("times-k"), 2);
  EXPECT_EQ(conflict("times-k")->cycles, 8 * 5 / 4.0);
  EXPECT_EQ(degree("own-start"), 32);
}

TEST_F(BankConflictsTest, OnlyThreadsThatCome) {
  analyze(R"(
    %few = arith.cmpi ult, %x, %c4 : index
    %first = arith.cmpi eq, %y, %c0 : index
    scf.if %few {
      %0 = memref.load %tile[%x, %y] {test.name = "few"} : memref<32x32xf32, #wg>
    } else {
      %1 = memref.load %tile[%x, %y] {test.name = "others"} : memref<32x32xf32, #wg>
    }
    scf.if %first {
      %2 = memref.load %tile[%x, %y] {test.name = "one-warp"} : memref<32x32xf32, #wg>
    }
    scf.if %flag {
      %3 = memref.load %tile[%x, %y] {test.name = "unknown"} : memref<32x32xf32, #wg>
    }
    scf.for %k = %x to %c4 step %c32 {
      %4 = memref.load %tile[%x, %y] {test.name = "short-loop"} : memref<32x32xf32, #wg>
    }
    %false = arith.constant false
    scf.if %false {
      %5 = memref.load %tile[%x, %y] {test.name = "none"} : memref<32x32xf32, #wg>
    }
  )");
  EXPECT_EQ(degree("few"), 4);
  EXPECT_EQ(degree("others"), 28);
  EXPECT_EQ(degree("one-warp"), 32);
  EXPECT_EQ(conflict("one-warp")->cycles, 32);
  EXPECT_EQ(degree("unknown"), 32);
  EXPECT_EQ(degree("short-loop"), 4);
  EXPECT_EQ(degree("none"), 0);
}

TEST_F(BankConflictsTest, StructuredOps) {
  analyze(R"(
    %a = memref.subview %tile[%x, 0] [1, 32] [1, 1]
        : memref<32x32xf32, #wg> to memref<1x32xf32, #strided, #wg>
    %acc = memref.alloca() : memref<1x4xf32>
    %b4 = memref.subview %tile[0, %x] [32, 4] [1, 1]
        : memref<32x32xf32, #wg> to memref<32x4xf32, #strided, #wg>
    linalg.fill {test.name = "fill"} ins(%v : f32) outs(%a : memref<1x32xf32, #strided, #wg>)
    memref.copy %in, %tile {test.name = "copy"} : memref<?x?xf32> to memref<32x32xf32, #wg>
    %one = memref.subview %tile[%y, %x] [1, 1] [1, 1]
        : memref<32x32xf32, #wg> to memref<1x1xf32, #strided, #wg>
    %s = memref.subview %in[0, 0] [1, 1] [1, 1] : memref<?x?xf32> to memref<1x1xf32, strided<[?, 1]>>
    linalg.copy {test.name = "element"} ins(%s : memref<1x1xf32, strided<[?, 1]>>)
        outs(%one : memref<1x1xf32, #strided, #wg>)
    linalg.matmul {test.name = "matmul"} ins(%a, %b4 : memref<1x32xf32, #strided, #wg>, memref<32x4xf32, #strided, #wg>)
        outs(%acc : memref<1x4xf32>)
  )");
  EXPECT_EQ(degree("fill"), 32);
  EXPECT_EQ(conflicts->getExecutions(access("fill")), 32);
  // All threads copy all elements, each at the same time.
  EXPECT_EQ(degree("copy"), 1);
  EXPECT_EQ(conflicts->getExecutions(access("copy")), 1024);
  EXPECT_EQ(degree("element"), 1);
  // An operand is read in every iteration of m, n and k.
  EXPECT_EQ(degree("matmul"), 32);
  EXPECT_EQ(conflicts->getExecutions(access("matmul")), 1 * 4 * 32);
}

TEST_F(BankConflictsTest, ViewsOfAnArena) {
  analyze(R"(
    %bytes = memref.alloc() : memref<8192xi8, #wg>
    %c4096 = arith.constant 4096 : index
    %view = memref.view %bytes[%c4096][] : memref<8192xi8, #wg> to memref<32x32xf32, #wg>
    %0 = memref.load %view[%x, %y] {test.name = "column"} : memref<32x32xf32, #wg>
    %shift = arith.muli %x, %c32 : index
    %own = memref.view %bytes[%shift][] : memref<8192xi8, #wg> to memref<4x4xf32, #wg>
    %1 = memref.load %own[%c0, %c0] {test.name = "own"} : memref<4x4xf32, #wg>
  )");
  EXPECT_EQ(degree("column"), 32);
  // Every 32 bytes.
  EXPECT_EQ(degree("own"), 8);
}

TEST_F(BankConflictsTest, AsynchronousCopies) {
  analyze(R"(
    %x4 = arith.muli %x, %c4 : index
    %0 = nvgpu.device_async_copy %in[%c0, %x4], %wide[%y, %x4], 4 {test.name = "row"}
        : memref<?x?xf32> to memref<64x64xf32, #wg>
    %1 = nvgpu.device_async_copy %in[%c0, %x4], %wide[%x, %c0], 4 {test.name = "column"}
        : memref<?x?xf32> to memref<64x64xf32, #wg>
  )");
  EXPECT_EQ(degree("row"), 1);
  EXPECT_EQ(degree("column"), 8);
}

TEST_F(BankConflictsTest, OpsThatAreNotKnown) {
  analyze(R"(
    %m = gpu.subgroup_mma_load_matrix %half[%c0, %c0] {leadDimension = 32 : index, test.name = "mma"}
        : memref<32x32xf16, #wg> -> !gpu.mma_matrix<16x16xf16, "AOp">
  )");
  EXPECT_EQ(degree("mma"), -1);
}

} // namespace
