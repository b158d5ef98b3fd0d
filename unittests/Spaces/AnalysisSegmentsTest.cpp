//===- AnalysisSegmentsTest.cpp - segments make no difference -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Spaces/AnalysisSegments.h"
#include "MemSpace/Spaces/MemorySpaceAnalysis.h"
#include "TestModule.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::bufferization;
using namespace mlir::memspace;

namespace {
/// A kernel on a read-only tensor %x, a writable one %y and numbers.
struct Kernel {
  explicit Kernel(const std::string &body)
      : module(R"(
          func.func @kernel(%X: memref<64xf32>, %Y: memref<64xf32>, %b: i1) {
            %f = arith.constant 1.0 : f32
            %c0 = arith.constant 0 : index
            %c1 = arith.constant 1 : index
            %c8 = arith.constant 8 : index
            %x = bufferization.to_tensor %X restrict : memref<64xf32> to tensor<64xf32>
            %y = bufferization.to_tensor %Y restrict writable : memref<64xf32> to tensor<64xf32>
            %e = tensor.empty() : tensor<64xf32>
          )" + body +
               "return\n}") {}

  FunctionOpInterface get() {
    return *(*module).getOps<FunctionOpInterface>().begin();
  }
  std::string print() {
    std::string text;
    llvm::raw_string_ostream os(text);
    get()->print(os);
    return text;
  }
  SmallVector<Value> getTensors() {
    SmallVector<Value> tensors;
    get()->walk([&](Operation *op) {
      for (Value result : op->getResults())
        if (isa<TensorType>(result.getType()))
          tensors.push_back(result);
    });
    return tensors;
  }

  TestModule module;
  OneShotBufferizationOptions options = getOneShotOptions();
};

/// The ordinal numbers of the tensors that `forEach` finds.
SmallVector<size_t>
getNumbers(ArrayRef<Value> tensors,
           function_ref<void(function_ref<void(Value)>)> forEach) {
  SmallVector<size_t> numbers;
  forEach([&](Value value) {
    if (auto it = llvm::find(tensors, value); it != tensors.end())
      numbers.push_back(it - tensors.begin());
  });
  llvm::sort(numbers);
  return numbers;
}

/// The analysis in the shortest segments says what that of the whole says.
void compare(const std::string &body) {
  Kernel kernel(body);
  ASSERT_TRUE(kernel.module);
  std::string before = kernel.print();
  OneShotAnalysisState whole(kernel.get(), kernel.options);
  OneShotAnalysisState parts(kernel.get(), kernel.options);
  ASSERT_TRUE(succeeded(analyzeOp(kernel.get(), whole)));
  ASSERT_TRUE(succeeded(analyzeInSegments(kernel.get(), parts, 1)));
  EXPECT_EQ(kernel.print(), before);
  kernel.get()->walk([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isa<TensorType>(operand.get().getType()))
        continue;
      std::string text;
      llvm::raw_string_ostream(text)
          << operand.getOperandNumber() << " of " << *op;
      EXPECT_EQ(whole.isInPlace(operand), parts.isInPlace(operand)) << text;
      EXPECT_EQ(whole.hasUndefinedContents(&operand),
                parts.hasUndefinedContents(&operand))
          << text;
    }
  });
  SmallVector<Value> tensors = kernel.getTensors();
  for (Value tensor : tensors) {
    auto aliases = [&](OneShotAnalysisState &state) {
      return getNumbers(tensors, [&](function_ref<void(Value)> visit) {
        state.applyOnAliases(tensor, visit);
      });
    };
    auto equals = [&](OneShotAnalysisState &state) {
      return getNumbers(tensors, [&](function_ref<void(Value)> visit) {
        state.applyOnEquivalenceClass(tensor, visit);
      });
    };
    EXPECT_EQ(aliases(whole), aliases(parts));
    EXPECT_EQ(equals(whole), equals(parts));
  }
}

/// `%to = exp(%from)` in the buffer of `into`.
std::string update(const std::string &to, const std::string &from,
                   const std::string &into) {
  return to + " = linalg.exp ins(" + from + " : tensor<64xf32>) outs(" + into +
         " : tensor<64xf32>) -> tensor<64xf32>\n";
}

std::string store(const std::string &tensor) {
  return "bufferization.materialize_in_destination " + tensor +
         " in restrict writable %Y : (tensor<64xf32>, memref<64xf32>) -> ()\n";
}
} // namespace

TEST(AnalysisSegments, Chain) {
  compare(update("%1", "%x", "%e") + update("%2", "%1", "%1") +
          update("%3", "%2", "%2") + update("%4", "%3", "%3") + store("%4"));
}

TEST(AnalysisSegments, OldValueIsReadLater) {
  compare(update("%1", "%x", "%e") + update("%2", "%x", "%1") +
          update("%3", "%x", "%2") + update("%4", "%1", "%3") + store("%4"));
}

TEST(AnalysisSegments, TwoBranchesOfOneTensor) {
  // Both would be in the buffer of %1.
  compare(update("%1", "%x", "%e") + update("%2", "%x", "%1") +
          "%q = linalg.fill ins(%f : f32) outs(%1 : tensor<64xf32>) -> "
          "tensor<64xf32>\n" +
          update("%3", "%2", "%2") + update("%4", "%q", "%3") + store("%4"));
}

TEST(AnalysisSegments, OneOpWritesTwice) {
  compare(update("%1", "%x", "%e") + R"(
    %2:2 = linalg.generic {
        indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
        iterator_types = ["parallel"]} outs(%1, %1 : tensor<64xf32>, tensor<64xf32>) {
    ^bb0(%a: f32, %c: f32):
      linalg.yield %a, %f : f32, f32
    } -> (tensor<64xf32>, tensor<64xf32>)
  )" + update("%3", "%2#1", "%2#1") +
          store("%3"));
}

TEST(AnalysisSegments, ReadOnlyMemoryIsUpdated) {
  compare(update("%1", "%x", "%x") + update("%2", "%1", "%1") +
          update("%3", "%2", "%2") + store("%3"));
}

TEST(AnalysisSegments, ManyUsesOfWhatNobodyWrites) {
  compare(R"(
    %s0 = tensor.extract_slice %x[0] [64] [1] : tensor<64xf32> to tensor<64xf32>
    %s1 = tensor.cast %x : tensor<64xf32> to tensor<?xf32>
    %s2 = tensor.cast %x : tensor<64xf32> to tensor<?xf32>
    %s = scf.if %b -> tensor<?xf32> {
      scf.yield %s1 : tensor<?xf32>
    } else {
      scf.yield %s2 : tensor<?xf32>
    }
    %i = tensor.extract %s[%c0] : tensor<?xf32>
    %j = tensor.extract %s0[%c0] : tensor<64xf32>
  )" + update("%1", "%x", "%e") +
          update("%2", "%x", "%1") + store("%2"));
}

TEST(AnalysisSegments, NothingIsInIt) {
  compare(R"(
    %s0 = tensor.extract_slice %e[0] [8] [1] : tensor<64xf32> to tensor<8xf32>
    %i = tensor.extract %s0[%c0] : tensor<8xf32>
    %j = tensor.extract %e[%c0] : tensor<64xf32>
  )");
}

TEST(AnalysisSegments, LoopsAndBranches) {
  compare(update("%1", "%x", "%e") + R"(
    %2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %1) -> tensor<64xf32> {
      %t0 = tensor.empty() : tensor<64xf32>
      %t1 = linalg.exp ins(%a : tensor<64xf32>) outs(%t0 : tensor<64xf32>) -> tensor<64xf32>
      %t2 = linalg.exp ins(%t1 : tensor<64xf32>) outs(%t1 : tensor<64xf32>) -> tensor<64xf32>
      %t3 = linalg.exp ins(%t2 : tensor<64xf32>) outs(%a : tensor<64xf32>) -> tensor<64xf32>
      scf.yield %t3 : tensor<64xf32>
    }
    %3 = scf.if %b -> tensor<64xf32> {
      %u = linalg.exp ins(%2 : tensor<64xf32>) outs(%2 : tensor<64xf32>) -> tensor<64xf32>
      scf.yield %u : tensor<64xf32>
    } else {
      scf.yield %2 : tensor<64xf32>
    }
  )" + update("%4", "%3", "%3") +
          store("%4"));
}

TEST(AnalysisSegments, WriteInAParallelLoop) {
  // That somebody reads the buffer later decides if the write is in place.
  compare(R"(
    scf.forall (%i) in (8) {
      %w = linalg.fill ins(%f : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
    }
    %1 = linalg.fill ins(%f : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
    %t = tensor.empty() : tensor<64xf32>
  )" + update("%2", "%1", "%t") +
          store("%2"));
}

TEST(AnalysisSegments, Slices) {
  compare(update("%1", "%x", "%y") + R"(
    %s = tensor.extract_slice %1[0] [8] [1] : tensor<64xf32> to tensor<8xf32>
    %t = linalg.exp ins(%s : tensor<8xf32>) outs(%s : tensor<8xf32>) -> tensor<8xf32>
    %u = linalg.exp ins(%t : tensor<8xf32>) outs(%t : tensor<8xf32>) -> tensor<8xf32>
    %2 = tensor.insert_slice %u into %1[0] [8] [1] : tensor<8xf32> into tensor<64xf32>
  )" + update("%3", "%2", "%2") +
          store("%3"));
}

TEST(AnalysisSegments, SegmentsAreBounded) {
  // All tensors are in use until the end.
  std::string body = "%s0 = linalg.fill ins(%f : f32) outs(%e : "
                     "tensor<64xf32>) -> tensor<64xf32>\n";
  std::string sum = "%t0 = arith.constant 0.0 : f32\n";
  for (unsigned i = 1; i <= kMaxSegmentTensors; ++i) {
    std::string n = std::to_string(i), last = std::to_string(i - 1);
    body += "%s" + n + " = linalg.fill ins(%f : f32) outs(%s" + last +
            " : tensor<64xf32>) -> tensor<64xf32>\n";
    sum += "%v" + n + " = tensor.extract %s" + n + "[%c0] : tensor<64xf32>\n";
  }
  Kernel kernel(body + sum);
  ASSERT_TRUE(kernel.module);
  OneShotAnalysisState state(kernel.get(), kernel.options);
  std::string message;
  ScopedDiagnosticHandler handler(kernel.get()->getContext(),
                                  [&](Diagnostic &diag) {
                                    message = diag.str();
                                    return success();
                                  });
  EXPECT_TRUE(failed(analyzeInSegments(kernel.get(), state)));
  EXPECT_NE(message.find("2002 tensors that may share a buffer"),
            std::string::npos)
      << message;
}

// A tensor that nobody writes is cut as well: who reads it is not compared with
// all others that do.
TEST(AnalysisSegments, ReadsAreNotCompared) {
  auto countQuestions = [](unsigned reads) {
    std::string body;
    for (unsigned i = 0; i < reads; ++i) {
      std::string n = std::to_string(i);
      body += "%e" + n + " = tensor.empty() : tensor<64xf32>\n%s" + n +
              " = linalg.exp ins(%x : tensor<64xf32>) outs(%e" + n +
              " : tensor<64xf32>) -> tensor<64xf32>\n";
    }
    Kernel kernel(body);
    unsigned questions = 0;
    kernel.options.opFilter.allowOperation([&](Operation *) {
      ++questions;
      return true;
    });
    OneShotAnalysisState state(kernel.get(), kernel.options);
    EXPECT_TRUE(succeeded(analyzeInSegments(kernel.get(), state)));
    return questions;
  };
  EXPECT_LT(countQuestions(1600), 3 * countQuestions(800));
}
