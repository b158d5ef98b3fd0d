//===- InterpreterTest.cpp - value semantics, element by element -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"
#include "LieDialect.h"
#include "TestModule.h"
#include "mlir/IR/Diagnostics.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::memspace;
using emulator::HostBuffer;

namespace {
/// One function on memrefs of i32, run on given contents.
struct KernelRun {
  TestModule module;
  FailureOr<fuzz::Interpretation> result = failure();
  std::string error;

  KernelRun(StringRef body, ArrayRef<ArrayRef<int64_t>> contents,
            bool initializeLast = true, int64_t maxSteps = 1 << 20)
      : module(getSource(body, contents), lie::registerLieDialect) {
    EXPECT_TRUE(module);
    if (!module)
      return;
    SmallVector<HostBuffer> arguments;
    Type i32 = IntegerType::get(module.getContext(), 32);
    for (ArrayRef<int64_t> elements : contents) {
      arguments.push_back(HostBuffer::zeros(i32, int64_t(elements.size())));
      for (auto [i, element] : llvm::enumerate(elements))
        arguments.back().setInteger(i, element);
    }
    if (!initializeLast)
      arguments.back().isInitialized = false;
    ScopedDiagnosticHandler handler(module.getContext(),
                                    [&](Diagnostic &diagnostic) {
                                      error += diagnostic.str();
                                      return success();
                                    });
    fuzz::InterpreterOptions options;
    options.maxSteps = maxSteps;
    result = fuzz::interpret(*(*module).getOps<FunctionOpInterface>().begin(),
                             arguments, options);
  }

  /// The arguments are %a0, %a1, …, their tensors %t0, %t1, ….
  static std::string getSource(StringRef body,
                               ArrayRef<ArrayRef<int64_t>> contents) {
    std::string arguments, tensors;
    for (auto [i, elements] : llvm::enumerate(contents)) {
      std::string n = std::to_string(i);
      std::string shape = std::to_string(elements.size()) + "xi32>";
      arguments += (i ? ", %a" : "%a") + n + ": memref<" + shape;
      tensors += "%t" + n + " = bufferization.to_tensor %a" + n +
                 " restrict writable : memref<" + shape + " to tensor<" +
                 shape + "\n";
    }
    return "func.func @kernel(" + arguments + ") {\n" +
           "%c0 = arith.constant 0 : index\n"
           "%c1 = arith.constant 1 : index\n"
           "%c3 = arith.constant 3 : index\n"
           "%c4 = arith.constant 4 : index\n" +
           tensors + body.str() + "return\n}\n";
  }

  SmallVector<int64_t> get(unsigned argument) {
    SmallVector<int64_t> elements;
    if (failed(result))
      return elements;
    const HostBuffer &buffer = result->arguments[argument];
    for (int64_t i = 0; i < buffer.getNumElements(); ++i)
      elements.push_back(buffer.getInteger(i));
    return elements;
  }
};

using Elements = SmallVector<int64_t>;

constexpr llvm::StringLiteral storeResult =
    "bufferization.materialize_in_destination %r in restrict writable %a0 : "
    "(tensor<4xi32>, memref<4xi32>) -> ()\n";
} // namespace

TEST(Interpreter, ForallSeesTheTensorFromBefore) {
  KernelRun run((R"(
    %r = scf.forall (%i) in (4) shared_outs(%o = %t0) -> (tensor<4xi32>) {
      %n = arith.addi %i, %c1 : index
      %j = arith.remui %n, %c4 : index
      %s = tensor.extract_slice %o[%j] [1] [1] : tensor<4xi32> to tensor<1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xi32> into tensor<4xi32>
      }
    })" + storeResult)
                    .str(),
                {{10, 11, 12, 13}});
  EXPECT_EQ(run.get(0), Elements({11, 12, 13, 10})) << run.error;
}

TEST(Interpreter, ParallelInsertsAreAParallelAssignment) {
  KernelRun run((R"(
    %r, %q = scf.forall (%i) in (4) shared_outs(%o = %t0, %p = %t1) -> (tensor<4xi32>, tensor<4xi32>) {
      %s = tensor.extract_slice %o[%i] [1] [1] : tensor<4xi32> to tensor<1xi32>
      %u = tensor.extract_slice %p[%i] [1] [1] : tensor<4xi32> to tensor<1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %u into %o[%i] [1] [1] : tensor<1xi32> into tensor<4xi32>
        tensor.parallel_insert_slice %s into %p[%i] [1] [1] : tensor<1xi32> into tensor<4xi32>
      }
    }
    bufferization.materialize_in_destination %q in restrict writable %a1 : (tensor<4xi32>, memref<4xi32>) -> ()
    )" + storeResult)
                    .str(),
                {{1, 2, 3, 4}, {5, 6, 7, 8}});
  EXPECT_EQ(run.get(0), Elements({5, 6, 7, 8})) << run.error;
  EXPECT_EQ(run.get(1), Elements({1, 2, 3, 4})) << run.error;
}

TEST(Interpreter, IterationsMustWriteDifferentElements) {
  KernelRun run((R"(
    %r = scf.forall (%i) in (4) shared_outs(%o = %t0) -> (tensor<4xi32>) {
      %j = arith.divui %i, %c3 : index
      %s = tensor.extract_slice %o[%i] [1] [1] : tensor<4xi32> to tensor<1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %s into %o[%j] [1] [1] : tensor<1xi32> into tensor<4xi32>
      }
    })" + storeResult)
                    .str(),
                {{1, 2, 3, 4}});
  EXPECT_TRUE(failed(run.result));
  EXPECT_NE(run.error.find("another iteration"), std::string::npos)
      << run.error;
}

/// Iteration `i` contributes `value` at `place` and then inserts into %t0[i]
/// the element of its neighbour.
static std::string getMeeting(StringRef place, StringRef value,
                              StringRef around = "") {
  return (R"(
    %r = scf.forall (%i) in (4) shared_outs(%o = %t0) -> (tensor<4xi32>) {
      %number = arith.index_cast %i : index to i32
      %isFirst = arith.cmpi eq, %i, %c0 : index
      %n = arith.addi %i, %c1 : index
      %j = arith.remui %n, %c4 : index
      )" + around +
          R"(
      %part = memspace.begin_collective %t1 : tensor<4xi32>
      %mine = tensor.insert )" +
          value + " into %part[" + place + R"(] : tensor<4xi32>
      %all = memspace.end_collective %mine : tensor<4xi32>
      %more = scf.for %k = %c0 to %c3 step %c1 iter_args(%before = %all) -> (tensor<4xi32>) {
        %other = tensor.extract %before[%j] : tensor<4xi32>
        %next = memspace.begin_collective %before : tensor<4xi32>
        %given = tensor.insert %other into %next[%i] : tensor<4xi32>
        %given_all = memspace.end_collective %given : tensor<4xi32>
        scf.yield %given_all : tensor<4xi32>
      }
      %s = tensor.extract_slice %more[%j] [1] [1] : tensor<4xi32> to tensor<1xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xi32> into tensor<4xi32>
      }
    })" + storeResult)
      .str();
}

TEST(Interpreter, ThreadsMeet) {
  // Each step turns the ring by one, four in all.
  KernelRun ring(getMeeting("%i", "%number"), {{0, 0, 0, 0}, {9, 9, 9, 9}});
  EXPECT_EQ(ring.get(0), Elements({0, 1, 2, 3})) << ring.error;
  // Elements that nobody contributes are those of the init. To contribute what
  // is there already is no conflict.
  KernelRun some(getMeeting("%c3", "%five",
                            "%c5 = arith.constant 5 : i32\n"
                            "%old = tensor.extract %t1[%c3] : tensor<4xi32>\n"
                            "%five = arith.select %isFirst, %c5, %old : i32\n"),
                 {{0, 0, 0, 0}, {6, 7, 8, 9}});
  EXPECT_EQ(some.get(0), Elements({6, 7, 8, 5})) << some.error;
}

TEST(Interpreter, CollectivesKeepTheirPromises) {
  KernelRun twice(getMeeting("%c0", "%number"), {{0, 0, 0, 0}, {9, 9, 9, 9}});
  EXPECT_NE(twice.error.find("gets an element from several iterations"),
            std::string::npos)
      << twice.error;
  KernelRun alone(getMeeting("%i", "%number",
                             R"(scf.if %isFirst {
                               %p = memspace.begin_collective %t1 : tensor<4xi32>
                               %a = memspace.end_collective %p : tensor<4xi32>
                             })"),
                  {{0, 0, 0, 0}, {9, 9, 9, 9}});
  EXPECT_NE(alone.error.find("while others reach another"), std::string::npos)
      << alone.error;
  KernelRun nested(getMeeting("%i", "%number",
                              "%p = memspace.begin_collective %t1 : "
                              "tensor<4xi32>\n"),
                   {{0, 0, 0, 0}, {9, 9, 9, 9}});
  EXPECT_NE(nested.error.find("begins in another collective"),
            std::string::npos)
      << nested.error;
}

TEST(Interpreter, LoopsCarryValuesNotBuffers) {
  // The second result is what the last iteration but one made.
  KernelRun run((R"(
    %p, %r = scf.for %k = %c0 to %c3 step %c1 iter_args(%x = %t0, %y = %t0) -> (tensor<4xi32>, tensor<4xi32>) {
      %v = arith.index_cast %k : index to i32
      %n = tensor.insert %v into %t0[%c1] : tensor<4xi32>
      scf.yield %n, %x : tensor<4xi32>, tensor<4xi32>
    })" + storeResult)
                    .str(),
                {{9, 9, 9, 9}});
  EXPECT_EQ(run.get(0), Elements({9, 1, 9, 9})) << run.error;
}

TEST(Interpreter, WhileAndSwitch) {
  KernelRun run((R"(
    %w:2 = scf.while (%x = %t0, %k = %c0) : (tensor<4xi32>, index) -> (tensor<4xi32>, index) {
      %again = arith.cmpi ult, %k, %c3 : index
      scf.condition(%again) %x, %k : tensor<4xi32>, index
    } do {
    ^bb0(%x: tensor<4xi32>, %k: index):
      %v = scf.index_switch %k -> i32
      case 0 { %c = arith.constant 7 : i32
        scf.yield %c : i32 }
      default { %c = arith.constant 8 : i32
        scf.yield %c : i32 }
      %n = tensor.insert %v into %x[%k] : tensor<4xi32>
      %next = arith.addi %k, %c1 : index
      scf.yield %n, %next : tensor<4xi32>, index
    }
    %u = arith.index_cast %w#1 : index to i32
    %r = tensor.insert %u into %w#0[%c3] : tensor<4xi32>
    )" + storeResult)
                    .str(),
                {{0, 0, 0, 0}});
  EXPECT_EQ(run.get(0), Elements({7, 8, 8, 3})) << run.error;
}

TEST(Interpreter, SlicesPadsAndReductions) {
  KernelRun run((R"(
    %even = tensor.extract_slice %t0[0] [2] [2] : tensor<4xi32> to tensor<2xi32>
    %five = arith.constant 5 : i32
    %padded = tensor.pad %even low[1] high[1] {
    ^bb0(%i: index):
      tensor.yield %five : i32
    } : tensor<2xi32> to tensor<4xi32>
    %m = tensor.expand_shape %padded [[0, 1]] output_shape [2, 2] : tensor<4xi32> into tensor<2x2xi32>
    %e = tensor.empty() : tensor<2xi32>
    %f = linalg.fill ins(%five : i32) outs(%e : tensor<2xi32>) -> tensor<2xi32>
    %sums = linalg.reduce ins(%m : tensor<2x2xi32>) outs(%f : tensor<2xi32>) dimensions = [1]
      (%x: i32, %s: i32) {
        %d = arith.subi %x, %s : i32
        linalg.yield %d : i32
      }
    %r = tensor.insert_slice %sums into %padded[2] [2] [1] : tensor<2xi32> into tensor<4xi32>
    )" + storeResult)
                    .str(),
                {{1, 2, 3, 4}});
  // [5, 1, 3, 5], whose rows reduce to 1 - (5 - 5) and 5 - (3 - 5).
  EXPECT_EQ(run.get(0), Elements({5, 1, 1, 7})) << run.error;
}

TEST(Interpreter, UndefinedElementsAreKnown) {
  KernelRun run(R"(
    %e = tensor.empty() : tensor<4xi32>
    %v = tensor.extract %t0[%c0] : tensor<4xi32>
    %n = tensor.insert %v into %e[%c1] : tensor<4xi32>
    bufferization.materialize_in_destination %n in restrict writable %a1 : (tensor<4xi32>, memref<4xi32>) -> ()
    )",
                {{6, 0, 0, 0}, {1, 1, 1, 1}});
  ASSERT_TRUE(succeeded(run.result)) << run.error;
  EXPECT_EQ(run.get(1)[1], 6);
  EXPECT_EQ(run.result->undefinedElements[1],
            std::vector<bool>({true, false, true, true}));
  EXPECT_EQ(run.result->undefinedUses, 0);
  EXPECT_EQ(run.result->undefinedWrites, 3);
}

TEST(Interpreter, ComputingWithUndefinedElementsIsCounted) {
  KernelRun run((R"(
    %v = tensor.extract %t1[%c0] : tensor<4xi32>
    %w = arith.addi %v, %v : i32
    %r = tensor.insert %w into %t0[%c1] : tensor<4xi32>
    )" + storeResult)
                    .str(),
                {{1, 2, 3, 4}, {0, 0, 0, 0}}, /*initializeLast=*/false);
  ASSERT_TRUE(succeeded(run.result)) << run.error;
  EXPECT_EQ(run.result->undefinedUses, 1);
  EXPECT_TRUE(run.result->undefinedElements[0][1]);
}

TEST(Interpreter, ControlFlowMustNotDependOnUndefinedElements) {
  KernelRun run((R"(
    %v = tensor.extract %t1[%c0] : tensor<4xi32>
    %i = arith.index_cast %v : i32 to index
    %w = tensor.extract %t0[%i] : tensor<4xi32>
    %r = tensor.insert %w into %t0[%c1] : tensor<4xi32>
    )" + storeResult)
                    .str(),
                {{1, 2, 3, 4}, {0, 0, 0, 0}}, /*initializeLast=*/false);
  EXPECT_TRUE(failed(run.result));
  EXPECT_NE(run.error.find("nobody has written"), std::string::npos)
      << run.error;
}

TEST(Interpreter, RefusesWhatItCannotRun) {
  auto getError = [](StringRef body, int64_t maxSteps) {
    KernelRun run((body + storeResult).str(), {{1, 2, 3, 4}},
                  /*initializeLast=*/true, maxSteps);
    EXPECT_TRUE(failed(run.result));
    return run.error;
  };
  EXPECT_NE(getError("%v = tensor.extract %t0[%c4] : tensor<4xi32>\n"
                     "%r = tensor.insert %v into %t0[%c0] : tensor<4xi32>\n",
                     100)
                .find("out of range"),
            std::string::npos);
  EXPECT_NE(getError("%z = arith.constant 0 : i32\n"
                     "%v = arith.divsi %z, %z : i32\n"
                     "%r = tensor.insert %v into %t0[%c0] : tensor<4xi32>\n",
                     100)
                .find("cannot be evaluated"),
            std::string::npos);
  EXPECT_NE(getError("%b = gpu.block_id x\n"
                     "%v = arith.index_cast %b : index to i32\n"
                     "%r = tensor.insert %v into %t0[%c0] : tensor<4xi32>\n",
                     100)
                .find("not supported"),
            std::string::npos);
  EXPECT_NE(getError("%r = scf.for %k = %c0 to %c4 step %c1 iter_args(%x = "
                     "%t0) -> (tensor<4xi32>) {\n"
                     "%v = arith.index_cast %k : index to i32\n"
                     "%n = tensor.insert %v into %x[%k] : tensor<4xi32>\n"
                     "scf.yield %n : tensor<4xi32>\n}\n",
                     10)
                .find("more than 10 steps"),
            std::string::npos);
  // A loop without a body as well.
  EXPECT_NE(getError("%many = arith.constant 1000000000000 : index\n"
                     "%r = scf.for %k = %c0 to %many step %c1 iter_args(%x = "
                     "%t0) -> (tensor<4xi32>) {\n"
                     "scf.yield %x : tensor<4xi32>\n}\n",
                     10)
                .find("more than 10 steps"),
            std::string::npos);
}

TEST(Interpreter, OpsOfAnotherDialect) {
  KernelRun run((R"(
    %b = lie.load_binding %a1 : memref<4xi32> -> tensor<4xi32>
    %s = lie.scatter ins(%t0, %b : tensor<4xi32>, tensor<4xi32>) outs(%b : tensor<4xi32>) -> tensor<4xi32>
    %o = lie.opaque %t0, %s : tensor<4xi32>, tensor<4xi32> -> tensor<4xi32>
    %r = lie.ew ins(%o, %t0 : tensor<4xi32>, tensor<4xi32>) outs(%s : tensor<4xi32>) {accumulates} -> tensor<4xi32>
    )" + storeResult)
                    .str(),
                {{10, 20, 30, 40}, {2, 0, 2, 7}});
  // Scattered: [20, 0, 30, 40]; from the end: [40 - 20, 30 - 0, 20 - 30,
  // 10 - 40]; the scattered ones minus (these minus the first input).
  EXPECT_EQ(run.get(0), Elements({20 - 10, 0 - 10, 30 + 40, 40 + 70}))
      << run.error;
}

TEST(Interpreter, SortsAreStable) {
  KernelRun run(R"(
    %s:2 = memspace.sort dimension(0) stable ins(%t0, %t1 : tensor<4xi32>, tensor<4xi32>)
        outs(%t0, %t1 : tensor<4xi32>, tensor<4xi32>) {
    ^bb0(%x: i32, %y: i32, %p: i32, %q: i32):
      %first = arith.cmpi sgt, %x, %y : i32
      memspace.yield %first : i1
    } -> tensor<4xi32>, tensor<4xi32>
    %i = memspace.sort_indices dimension(0) ins(%t0 : tensor<4xi32>) outs(%t2 : tensor<4xi32>) {
    ^bb0(%x: i32, %y: i32):
      %first = arith.cmpi slt, %x, %y : i32
      memspace.yield %first : i1
    } -> tensor<4xi32>
    %e = tensor.empty() : tensor<2xi32>
    %k:2 = memspace.topk dimension(0) ins(%t0 : tensor<4xi32>) values(%e : tensor<2xi32>) indices(%e : tensor<2xi32>) {
    ^bb0(%x: i32, %y: i32):
      %first = arith.cmpi slt, %x, %y : i32
      memspace.yield %first : i1
    } -> tensor<2xi32>, tensor<2xi32>
    %v = tensor.insert_slice %k#0 into %t3[0] [2] [1] : tensor<2xi32> into tensor<4xi32>
    %w = tensor.insert_slice %k#1 into %v[2] [2] [1] : tensor<2xi32> into tensor<4xi32>
    bufferization.materialize_in_destination %s#0 in restrict writable %a0 : (tensor<4xi32>, memref<4xi32>) -> ()
    bufferization.materialize_in_destination %s#1 in restrict writable %a1 : (tensor<4xi32>, memref<4xi32>) -> ()
    bufferization.materialize_in_destination %i in restrict writable %a2 : (tensor<4xi32>, memref<4xi32>) -> ()
    bufferization.materialize_in_destination %w in restrict writable %a3 : (tensor<4xi32>, memref<4xi32>) -> ()
)",
                {{5, 9, 5, 7}, {0, 1, 2, 3}, {0, 0, 0, 0}, {0, 0, 0, 0}});
  EXPECT_EQ(run.get(0), Elements({9, 7, 5, 5})) << run.error;
  EXPECT_EQ(run.get(1), Elements({1, 3, 0, 2}));
  EXPECT_EQ(run.get(2), Elements({0, 2, 3, 1}));
  EXPECT_EQ(run.get(3), Elements({5, 5, 0, 2}));
}

TEST(Interpreter, ScansFromEitherEnd) {
  KernelRun run(R"(
    %seven = arith.constant 7 : i32
    %s = memspace.scan dimension(0) ins(%t0 : tensor<4xi32>) outs(%t0 : tensor<4xi32>) {
    ^bb0(%l: i32, %r: i32):
      %sum = arith.addi %l, %r : i32
      memspace.yield %sum : i32
    } -> tensor<4xi32>
    %m = tensor.expand_shape %t0 [[0, 1]] output_shape [2, 2] : tensor<4xi32> into tensor<2x2xi32>
    %e = memspace.scan dimension(1) exclusive reverse ins(%m : tensor<2x2xi32>) initial(%seven : i32) outs(%m : tensor<2x2xi32>) {
    ^bb0(%l: i32, %r: i32):
      %sum = arith.addi %l, %r : i32
      memspace.yield %sum : i32
    } -> tensor<2x2xi32>
    %f = tensor.collapse_shape %e [[0, 1]] : tensor<2x2xi32> into tensor<4xi32>
    %p:2 = memspace.scan dimension(0) ins(%t1, %t0 : tensor<4xi32>, tensor<4xi32>) initial(%seven, %seven : i32, i32) outs(%t1, %t0 : tensor<4xi32>, tensor<4xi32>) {
    ^bb0(%lk: i32, %lv: i32, %rk: i32, %rv: i32):
      %larger = arith.cmpi sgt, %rk, %lk : i32
      %k = arith.select %larger, %rk, %lk : i32
      %v = arith.select %larger, %rv, %lv : i32
      memspace.yield %k, %v : i32, i32
    } -> tensor<4xi32>, tensor<4xi32>
    bufferization.materialize_in_destination %s in restrict writable %a0 : (tensor<4xi32>, memref<4xi32>) -> ()
    bufferization.materialize_in_destination %f in restrict writable %a1 : (tensor<4xi32>, memref<4xi32>) -> ()
    bufferization.materialize_in_destination %p#1 in restrict writable %a2 : (tensor<4xi32>, memref<4xi32>) -> ()
)",
                {{1, 2, 3, 4}, {5, 9, 8, 10}, {0, 0, 0, 0}});
  EXPECT_EQ(run.get(0), Elements({1, 3, 6, 10})) << run.error;
  EXPECT_EQ(run.get(1), Elements({9, 7, 11, 7}));
  EXPECT_EQ(run.get(2), Elements({7, 2, 2, 4}));
}

TEST(Interpreter, CombinersMustBeAssociative) {
  KernelRun run(R"(
    %s = memspace.scan dimension(0) ins(%t0 : tensor<4xi32>) outs(%t0 : tensor<4xi32>) {
    ^bb0(%l: i32, %r: i32):
      %sum = arith.subi %l, %r : i32
      memspace.yield %sum : i32
    } -> tensor<4xi32>
)",
                {{1, 2, 3, 4}});
  EXPECT_TRUE(failed(run.result));
  EXPECT_NE(run.error.find("not associative"), std::string::npos) << run.error;
}

TEST(Interpreter, GathersClampAndScattersDrop) {
  KernelRun run(R"(
    %i = tensor.expand_shape %t1 [[0, 1]] output_shape [4, 1] : tensor<4xi32> into tensor<4x1xi32>
    %g = memspace.gather gather_dims([0]) ins(%t0, %i : tensor<4xi32>, tensor<4x1xi32>) outs(%t2 : tensor<4xi32>) -> tensor<4xi32>
    %s = memspace.scatter scatter_dims([0]) ins(%t0, %i : tensor<4xi32>, tensor<4x1xi32>) outs(%t2 : tensor<4xi32>) {
    ^bb0(%u: i32, %old: i32):
      %sum = arith.addi %u, %old : i32
      memspace.yield %sum : i32
    } -> tensor<4xi32>
    %m = tensor.expand_shape %t0 [[0, 1]] output_shape [2, 2] : tensor<4xi32> into tensor<2x2xi32>
    %c = tensor.extract_slice %i[2, 0] [1, 1] [1, 1] : tensor<4x1xi32> to tensor<1x1xi32>
    %e = tensor.empty() : tensor<1x2xi32>
    %columns = memspace.gather gather_dims([1]) in_bounds ins(%m, %c : tensor<2x2xi32>, tensor<1x1xi32>) outs(%e : tensor<1x2xi32>) -> tensor<1x2xi32>
    %to = tensor.expand_shape %t3 [[0, 1]] output_shape [2, 2] : tensor<4xi32> into tensor<2x2xi32>
    %rows = memspace.scatter scatter_dims([0]) unique_indices ins(%columns, %c : tensor<1x2xi32>, tensor<1x1xi32>) outs(%to : tensor<2x2xi32>) -> tensor<2x2xi32>
    %flat = tensor.collapse_shape %rows [[0, 1]] : tensor<2x2xi32> into tensor<4xi32>
    bufferization.materialize_in_destination %g in restrict writable %a0 : (tensor<4xi32>, memref<4xi32>) -> ()
    bufferization.materialize_in_destination %s in restrict writable %a2 : (tensor<4xi32>, memref<4xi32>) -> ()
    bufferization.materialize_in_destination %flat in restrict writable %a3 : (tensor<4xi32>, memref<4xi32>) -> ()
)",
                {{1, 2, 3, 4}, {-1, 9, 1, 1}, {10, 20, 30, 40}, {0, 0, 0, 0}});
  EXPECT_EQ(run.get(0), Elements({1, 4, 2, 2})) << run.error;
  EXPECT_EQ(run.get(2), Elements({10, 27, 30, 40}));
  EXPECT_EQ(run.get(3), Elements({0, 0, 2, 4}));
}

/// The scatter of {1, 2, 3, 4} to the places {0, 0, 1, 4}.
static std::string scatterError(StringRef promise, StringRef combiner) {
  KernelRun run(("%i = tensor.expand_shape %t1 [[0, 1]] output_shape [4, 1] : "
                 "tensor<4xi32> into tensor<4x1xi32>\n"
                 "%s = memspace.scatter scatter_dims([0]) " +
                 promise +
                 " ins(%t0, %i : tensor<4xi32>, tensor<4x1xi32>) outs(%t2 : "
                 "tensor<4xi32>) " +
                 combiner + " -> tensor<4xi32>\n")
                    .str(),
                {{1, 2, 3, 4}, {0, 0, 1, 4}, {0, 0, 0, 0}});
  EXPECT_TRUE(failed(run.result));
  return run.error;
}

TEST(Interpreter, ScattersKeepTheirPromises) {
  EXPECT_EQ(scatterError("in_bounds", ""), "breaks its promise 'in_bounds'");
  EXPECT_EQ(scatterError("unique_indices", ""),
            "breaks its promise 'unique_indices'");
  constexpr StringRef order = "depends on the order of the updates, which is "
                              "any for threads that share it";
  EXPECT_EQ(scatterError("", ""), order);
  EXPECT_EQ(scatterError("", "{\n^bb0(%u: i32, %old: i32):\n"
                             "%d = arith.subi %u, %old : i32\n"
                             "memspace.yield %d : i32\n}"),
            order);
}

TEST(Interpreter, IterationsScatterIntoOneTensor) {
  KernelRun run(R"(
    %i = tensor.expand_shape %t1 [[0, 1]] output_shape [4, 1] : tensor<4xi32> into tensor<4x1xi32>
    %r = scf.forall (%b) in (4) shared_outs(%o = %t2) -> (tensor<4xi32>) {
      %u = tensor.extract_slice %t0[%b] [1] [1] : tensor<4xi32> to tensor<1xi32>
      %at = tensor.extract_slice %i[%b, 0] [1, 1] [1, 1] : tensor<4x1xi32> to tensor<1x1xi32>
      %s = memspace.scatter scatter_dims([0]) atomic ins(%u, %at : tensor<1xi32>, tensor<1x1xi32>) outs(%o : tensor<4xi32>) {
      ^bb0(%x: i32, %old: i32):
        %sum = arith.addi %x, %old : i32
        memspace.yield %sum : i32
      } -> tensor<4xi32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %s into %o[0] [4] [1] : tensor<4xi32> into tensor<4xi32>
      }
    } {mapping = [#gpu.block<x>]}
    bufferization.materialize_in_destination %r in restrict writable %a2 : (tensor<4xi32>, memref<4xi32>) -> ()
)",
                {{1, 2, 3, 4}, {0, 0, 3, 9}, {10, 20, 30, 40}});
  EXPECT_EQ(run.get(2), Elements({13, 20, 30, 43})) << run.error;
}

TEST(Interpreter, NarrowingRoundsToNearestEven) {
  TestModule module(R"(
    func.func @kernel(%x: f32, %out: memref<2xf16>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %h = arith.truncf %x : f32 to f16
      memref.store %h, %out[%c0] : memref<2xf16>
      %s = arith.addf %h, %h : f16
      memref.store %s, %out[%c1] : memref<2xf16>
      return
    })");
  ASSERT_TRUE(module);
  Builder builder(module.getContext());
  SmallVector<HostBuffer> arguments{
      // Half way between 2049's neighbours 2048 and 2050: the even one.
      HostBuffer::fill(builder.getF32Type(), {}, 2049.0),
      HostBuffer::zeros(builder.getF16Type(), 2)};
  auto result = fuzz::interpret(
      *(*module).getOps<FunctionOpInterface>().begin(), arguments);
  ASSERT_TRUE(succeeded(result));
  EXPECT_EQ(result->arguments[1].getFloat(0).convertToFloat(), 2048.0f);
  EXPECT_EQ(result->arguments[1].getFloat(1).convertToFloat(), 4096.0f);
}
