//===- BufferizeTest.cpp - from tensors to buffers in one call -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Transforms/Bufferize.h"
#include "TestContext.h"
#include "TestModule.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/Transforms/SubsetOpInterfaceImpl.h"
#include "mlir/IR/Verifier.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::memspace;

// [steps]
/// As bufferizeKernel(), with room for your own rewrites between the steps.
static LogicalResult bufferizeInSteps(FunctionOpInterface kernel,
                                      MemorySpaceOptions options) {
  // One-Shot analyzes the kernel again only where a step has changed it.
  OneShotAnalyses analyses(options.oneShot);
  options.analyses = &analyses;
  FailureOr<KernelContext> context =
      KernelContext::create(kernel, options.target, {}, options.spaces);
  if (failed(context) || failed(prepareKernel(*context, options)) ||
      failed(inferMemorySpaces(*context, options)))
    return failure();
  return bufferizeDecided(kernel, options);
}
// [/steps]

namespace {
/// 64 threads reverse a tensor of `elements` through a temporary one.
std::string getMirror(int64_t elements = 64, StringRef more = "") {
  std::string n = std::to_string(elements);
  std::string type = "tensor<" + n + "xf32>", memref = "memref<" + n + "xf32>";
  std::string store = "tensor.parallel_insert_slice %one into %all[%i] [1] [1] "
                      ": tensor<1xf32> into " +
                      type + "\n}\n} {mapping = [#gpu.thread<x>]}\n";
  std::string forall = " -> (" + type + ") {\n";
  return "#reverse = affine_map<(i) -> (" + std::to_string(elements - 1) +
         " - i)>\nfunc.func @mirror(%X: " + memref + ", %Y: " + memref +
         ") attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {\n"
         "%x = bufferization.to_tensor %X restrict : " +
         memref + " to " + type + "\n%e = tensor.empty() : " + type +
         "\n%d = scf.forall (%i) in (" + n + ") shared_outs(%all = %e)" +
         forall + "%value = tensor.extract %x[%i] : " + type +
         "\n%sum = arith.addf %value, %value : f32\n"
         "%one = tensor.from_elements %sum : tensor<1xf32>\n"
         "scf.forall.in_parallel {\n" +
         store + "%f = tensor.empty() : " + type +
         "\n%r = scf.forall (%i) in (" + n + ") shared_outs(%all = %f)" +
         forall +
         "%from = affine.apply #reverse(%i)\n"
         "%value = tensor.extract %d[%from] : " +
         type +
         "\n%one = tensor.from_elements %value : tensor<1xf32>\n"
         "scf.forall.in_parallel {\n" +
         store + more.str() +
         "bufferization.materialize_in_destination %r in restrict writable %Y "
         ": (" +
         type + ", " + memref + ") -> ()\nreturn\n}\n";
}

struct BufferizeTest : public testing::Test {
  FunctionOpInterface parse(StringRef source) {
    module = std::make_unique<TestModule>(source);
    return getKernels(**module).front();
  }
  std::string print() {
    std::string text;
    llvm::raw_string_ostream os(text);
    (**module).print(os);
    return text;
  }
  template <typename OpT> SmallVector<OpT> collect() {
    SmallVector<OpT> ops;
    (**module).walk([&](OpT op) { ops.push_back(op); });
    return ops;
  }

  /// How often the kernel of `source` is analyzed until it is prepared.
  unsigned countAnalyses(StringRef source) {
    FunctionOpInterface kernel = parse(source);
    FailureOr<KernelContext> context =
        KernelContext::create(kernel, options.target, {}, options.spaces);
    OneShotAnalyses analyses(options.oneShot);
    options.analyses = &analyses;
    EXPECT_TRUE(succeeded(context) &&
                succeeded(prepareKernel(*context, options)) &&
                succeeded(inferMemorySpaces(*context, options)));
    options.analyses = nullptr;
    return analyses.getNumAnalyses();
  }

  std::unique_ptr<TestModule> module;
  MemorySpaceOptions options{getTestTarget(64)};
};
} // namespace

TEST_F(BufferizeTest, wholeKernel) {
  FunctionOpInterface kernel = parse(getMirror());
  ASSERT_TRUE(succeeded(bufferizeKernel(kernel, options)));
  EXPECT_TRUE(succeeded(verify(**module)));
  auto allocs = collect<memref::AllocOp>();
  ASSERT_EQ(allocs.size(), 1u);
  EXPECT_TRUE(gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(
      allocs.front().getType()));
  EXPECT_EQ(print().find("tensor<"), std::string::npos) << print();
}

TEST_F(BufferizeTest, stepsDoTheSame) {
  ASSERT_TRUE(succeeded(bufferizeKernel(parse(getMirror()), options)));
  std::string whole = print();
  ASSERT_TRUE(succeeded(bufferizeInSteps(parse(getMirror()), options)));
  EXPECT_EQ(whole, print());
}

// The names of the memory spaces go along, and stand on the kernel for what
// comes after.
TEST_F(BufferizeTest, ownSpaces) {
  FunctionOpInterface kernel = parse(getMirror());
  Builder b(module->getContext());
  options.spaces =
      MemorySpaceMapping(b.getStringAttr("own"), b.getStringAttr("shared"));
  ASSERT_TRUE(succeeded(bufferizeKernel(kernel, options)));
  auto allocs = collect<memref::AllocOp>();
  ASSERT_EQ(allocs.size(), 1u);
  EXPECT_EQ(allocs.front().getType().getMemorySpace(),
            b.getStringAttr("shared"));
  auto allocas = collect<memref::AllocaOp>();
  for (memref::AllocaOp alloca : allocas)
    EXPECT_EQ(alloca.getType().getMemorySpace(), b.getStringAttr("own"));
  FailureOr<MemorySpaceMapping> inIR = MemorySpaceMapping::resolve(kernel);
  ASSERT_TRUE(succeeded(inIR));
  EXPECT_TRUE(*inIR == options.spaces);
}

TEST_F(BufferizeTest, failureChangesNothing) {
  // More bytes than the target has.
  FunctionOpInterface kernel = parse(getMirror(1 << 20));
  std::string before = print();
  std::string message;
  ScopedDiagnosticHandler handler(module->getContext(), [&](Diagnostic &diag) {
    message += diag.str();
    return success();
  });
  EXPECT_TRUE(failed(bufferizeKernel(kernel, options)));
  EXPECT_NE(message.find("needs 4194304 bytes of workgroup memory"),
            std::string::npos)
      << message;
  EXPECT_EQ(before, print());
  EXPECT_TRUE(succeeded(verify(**module)));
}

// The caller's One-Shot options say which ops are bufferized, and so what is in
// place.
TEST_F(BufferizeTest, oneShotOptions) {
  constexpr StringLiteral source = R"mlir(
    func.func @k(%o: memref<2xf32>, %v: f32) attributes {gpu.known_block_size = array<i32: 1, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %e = bufferization.alloc_tensor() : tensor<4xf32>
      %t = linalg.fill ins(%v : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      %a = tensor.insert %v into %t[%c0] {test.name = "a"} : tensor<4xf32>
      %b = tensor.insert %v into %t[%c1] {test.name = "b"} : tensor<4xf32>
      %x = tensor.extract %a[%c1] : tensor<4xf32>
      %y = tensor.extract %b[%c0] : tensor<4xf32>
      memref.store %x, %o[%c0] : memref<2xf32>
      memref.store %y, %o[%c1] : memref<2xf32>
      return
    })mlir";
  FunctionOpInterface kernel = parse(source);
  auto isInPlace = [&](StringRef name) {
    MemorySpaceAnalysis analysis(kernel, options);
    return analysis.getState(kernel)->isInPlace(
        module->get(name)->getOpOperand(1));
  };
  EXPECT_FALSE(isInPlace("a"));
  EXPECT_TRUE(isInPlace("b"));
  options.oneShot.opFilter.denyOperation(
      [&](Operation *op) { return op == module->get("b"); });
  EXPECT_FALSE(isInPlace("b"));
}

// What is inserted need not be a tensor: where upstream's model of the op is
// registered, a vector is.
TEST_F(BufferizeTest, insertedVectors) {
  FunctionOpInterface kernel = parse(R"(
    func.func @k(%X: memref<64xf32>, %Y: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
      %c0 = arith.constant 0 : index
      %f = arith.constant 0.0 : f32
      %x = bufferization.to_tensor %X restrict : memref<64xf32> to tensor<64xf32>
      %e = tensor.empty() : tensor<64xf32>
      %r = scf.forall (%i) in (64) shared_outs(%o = %e) -> (tensor<64xf32>) {
        %v = vector.transfer_read %x[%i], %f : tensor<64xf32>, vector<1xf32>
        %t = tensor.empty() : tensor<1xf32>
        %w = vector.transfer_write %v, %t[%c0] {in_bounds = [true]} : vector<1xf32>, tensor<1xf32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %w into %o[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
        }
      } {mapping = [#gpu.thread<x>]}
      bufferization.materialize_in_destination %r in restrict writable %Y : (tensor<64xf32>, memref<64xf32>) -> ()
      return
    })");
  DialectRegistry registry;
  vector::registerSubsetOpInterfaceExternalModels(registry);
  kernel->getContext()->appendDialectRegistry(registry);
  ASSERT_TRUE(succeeded(bufferizeKernel(kernel, options)));
  EXPECT_TRUE(succeeded(verify(**module)));
  EXPECT_TRUE(collect<memref::AllocaOp>().empty()) << print();
}

// What the steps ask of One-Shot is asked again only after a change.
TEST_F(BufferizeTest, fewAnalyses) {
  FunctionOpInterface kernel = parse(getMirror());
  OneShotAnalyses analyses(options.oneShot);
  options.analyses = &analyses;
  EXPECT_TRUE(succeeded(bufferizeKernel(kernel, options)));
  EXPECT_EQ(analyses.getNumAnalyses(), 1u);
}

// That an iteration makes what it yields anew the ops may show: the slot for it
// takes no analysis. One finds the exchange, one that nothing is left, and one
// what the threads do.
TEST_F(BufferizeTest, noAnalysisForEvidentSlots) {
  auto getKernel = [](StringRef carried, StringRef body, StringRef yields) {
    return "#id = affine_map<(d0) -> (d0)>\n#rev = affine_map<(d0) -> (63 - "
           "d0)>\nfunc.func @k(%X: memref<64xf32>, %Y: memref<64xf32>, %v: "
           "f32) "
           "attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {\n"
           "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
           "%c4 = arith.constant 4 : index\n"
           "%x = bufferization.to_tensor %X restrict : memref<64xf32> to "
           "tensor<64xf32>\n"
           "%e0 = tensor.empty() : tensor<64xf32>\n"
           "%s = linalg.copy ins(%x : tensor<64xf32>) outs(%e0 : "
           "tensor<64xf32>) -> tensor<64xf32>\n"
           "%e1 = tensor.empty() : tensor<64xf32>\n"
           "%z = linalg.fill ins(%v : f32) outs(%e1 : tensor<64xf32>) -> "
           "tensor<64xf32>\n"
           "%r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(" +
           carried.str() + ") -> (tensor<64xf32>, tensor<64xf32>) {\n" +
           body.str() + "scf.yield " + yields.str() +
           " : tensor<64xf32>, tensor<64xf32>\n}\n"
           "%e2 = tensor.empty() : tensor<64xf32>\n"
           "%t = linalg.add ins(%r#0, %r#1 : tensor<64xf32>, tensor<64xf32>) "
           "outs(%e2 : tensor<64xf32>) -> tensor<64xf32>\n"
           "bufferization.materialize_in_destination %t in restrict writable "
           "%Y : (tensor<64xf32>, memref<64xf32>) -> ()\nreturn\n}\n";
  };
  auto getMirrored = [](StringRef name, StringRef of, StringRef into) {
    return ("%e" + name + " = tensor.empty() : tensor<64xf32>\n%" + name +
            " = linalg.generic {indexing_maps = [#rev, #id], iterator_types = "
            "[\"parallel\"]} ins(%" +
            of + " : tensor<64xf32>) outs(%" + into +
            " : tensor<64xf32>) {\n^bb0(%p: f32, %q: f32):\n"
            "linalg.yield %p : f32\n} -> tensor<64xf32>\n")
        .str();
  };
  // Analyses, and how many tensors the loop carries by then.
  auto count = [&](const std::string &text) -> std::pair<unsigned, unsigned> {
    unsigned numAnalyses = countAnalyses(text);
    EXPECT_TRUE(succeeded(verify(**module)));
    EXPECT_FALSE(collect<memspace::ExchangeOp>().empty()) << print();
    return {numAnalyses, collect<scf::ForOp>().front().getInitArgs().size()};
  };
  std::string mirror = getMirrored("n", "a", "en");
  EXPECT_EQ(count(getKernel("%a = %s, %b = %z", mirror, "%n, %b")),
            std::make_pair(2u, 3u));
  // Both at once.
  EXPECT_EQ(count(getKernel("%a = %s, %b = %z",
                            mirror + getMirrored("m", "b", "em"), "%n, %m")),
            std::make_pair(2u, 4u));
  // What updates %a goes on in its buffer, by another name.
  std::string update = "%l = linalg.add ins(%m, %b : tensor<64xf32>, "
                       "tensor<64xf32>) outs(%b : tensor<64xf32>) -> "
                       "tensor<64xf32>\n";
  EXPECT_EQ(
      count(getKernel("%a = %s, %b = %z",
                      mirror + getMirrored("m", "n", "a") + update, "%n, %l")),
      std::make_pair(3u, 3u));
}

// What an inner loop does with its buffers the loops around it need not be
// analyzed for.
TEST_F(BufferizeTest, nestsOfExchangesTakeNoMoreAnalyses) {
  auto getKernel = [](unsigned depth) {
    std::string text =
        "func.func @k(%X: memref<64xf32>, %Y: memref<64xf32>) attributes "
        "{gpu.known_block_size = array<i32: 64, 1, 1>} {\n"
        "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
        "%c3 = arith.constant 3 : index\n%c63 = arith.constant 63 : index\n"
        "%x = bufferization.to_tensor %X restrict : memref<64xf32> to "
        "tensor<64xf32>\n"
        "%a0 = bufferization.alloc_tensor() copy(%x) : tensor<64xf32>\n"
        "%b0 = bufferization.alloc_tensor() copy(%x) : tensor<64xf32>\n";
    for (unsigned i = 0; i < depth; ++i) {
      std::string outer = std::to_string(i), inner = std::to_string(i + 1);
      text += "%r" + inner + ":2 = scf.for %k" + inner +
              " = %c0 to %c3 step %c1 iter_args(%a" + inner + " = %a" + outer +
              ", %b" + inner + " = %b" + outer +
              ") -> (tensor<64xf32>, tensor<64xf32>) {\n";
    }
    std::string a = "%a" + std::to_string(depth),
                b = "%b" + std::to_string(depth);
    for (unsigned i = depth; i > 0; --i) {
      std::string level = std::to_string(i);
      text += "%w" + level +
              " = scf.forall (%t) in (64) shared_outs(%o = " + b +
              ") -> (tensor<64xf32>) {\n"
              "%q = arith.subi %c63, %t : index\n"
              "%s = tensor.extract_slice " +
              a +
              "[%q] [1] [1] : tensor<64xf32> to tensor<1xf32>\n"
              "%d = tensor.extract_slice %o[%t] [1] [1] : tensor<64xf32> to "
              "tensor<1xf32>\n"
              "%g = linalg.exp ins(%s : tensor<1xf32>) outs(%d : "
              "tensor<1xf32>) -> tensor<1xf32>\n"
              "scf.forall.in_parallel {\n"
              "tensor.parallel_insert_slice %g into %o[%t] [1] [1] : "
              "tensor<1xf32> into tensor<64xf32>\n}\n"
              "} {mapping = [#gpu.thread<x>]}\nscf.yield %w" +
              level + ", " + a + " : tensor<64xf32>, tensor<64xf32>\n}\n";
      a = "%r" + level + "#0";
      b = "%r" + level + "#1";
    }
    return text +
           "bufferization.materialize_in_destination %r1#0 in restrict "
           "writable %Y : (tensor<64xf32>, memref<64xf32>) -> ()\nreturn\n}\n";
  };
  for (unsigned depth : {1, 2, 6}) {
    EXPECT_EQ(countAnalyses(getKernel(depth)), 2u) << depth;
    EXPECT_TRUE(succeeded(verify(**module)));
    EXPECT_EQ(collect<memspace::ExchangeOp>().size(), depth) << print();
  }
}

// Nor for the tensors that each of them makes anew, which take two slots in
// all.
TEST_F(BufferizeTest, nestsOfFreshTensorsTakeNoMoreAnalyses) {
  auto getStep = [](const std::string &result, const std::string &source) {
    return "%e" + result + " = tensor.empty() : tensor<64xf32>\n%" + result +
           " = scf.forall (%t) in (64) shared_outs(%o = %e" + result +
           ") -> (tensor<64xf32>) {\n"
           "%q = arith.subi %c63, %t : index\n"
           "%s = tensor.extract_slice %" +
           source +
           "[%q] [1] [1] : tensor<64xf32> to tensor<1xf32>\n"
           "%d = tensor.extract_slice %o[%t] [1] [1] : tensor<64xf32> to "
           "tensor<1xf32>\n"
           "%g = linalg.exp ins(%s : tensor<1xf32>) outs(%d : tensor<1xf32>) "
           "-> tensor<1xf32>\nscf.forall.in_parallel {\n"
           "tensor.parallel_insert_slice %g into %o[%t] [1] [1] : "
           "tensor<1xf32> into tensor<64xf32>\n}\n"
           "} {mapping = [#gpu.thread<x>]}\n";
  };
  auto getKernel = [&](unsigned depth) {
    std::string text =
        "func.func @k(%X: memref<64xf32>, %Y: memref<64xf32>, %n: index) "
        "attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {\n"
        "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
        "%c63 = arith.constant 63 : index\n"
        "%x = bufferization.to_tensor %X restrict : memref<64xf32> to "
        "tensor<64xf32>\n" +
        getStep("p0", "x");
    for (unsigned i = 0; i < depth; ++i) {
      std::string outer = std::to_string(i), inner = std::to_string(i + 1);
      text += "%r" + inner + " = scf.for %k" + inner +
              " = %c0 to %n step %c1 iter_args(%a" + inner + " = %p" + outer +
              ") -> (tensor<64xf32>) {\n" + getStep("p" + inner, "a" + inner);
    }
    text += getStep("end", "p" + std::to_string(depth));
    std::string yielded = "%end";
    for (unsigned i = depth; i > 0; --i) {
      text += "scf.yield " + yielded + " : tensor<64xf32>\n}\n";
      yielded = "%r" + std::to_string(i);
    }
    return text +
           "bufferization.materialize_in_destination %r1 in restrict "
           "writable %Y : (tensor<64xf32>, memref<64xf32>) -> ()\nreturn\n}\n";
  };
  for (unsigned depth : {1, 2, 3, 6}) {
    EXPECT_EQ(countAnalyses(getKernel(depth)), 2u) << depth;
    EXPECT_TRUE(succeeded(verify(**module)));
    for (scf::ForOp loop : collect<scf::ForOp>())
      EXPECT_LE(loop.getInitArgs().size(), 2u) << print();
    EXPECT_EQ(collect<memspace::ExchangeOp>().size(), depth - 1) << print();
  }
}

// That results of a loop and of a branch go where they end takes no analysis;
// what a while loop gives back does.
TEST_F(BufferizeTest, noAnalysisForEmptyTensors) {
  auto getKernel = [](StringRef loop) {
    return "func.func @k(%Y: memref<64xf32>, %c: i1, %v: f32) attributes "
           "{gpu.known_block_size = array<i32: 64, 1, 1>} {\n"
           "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
           "%c4 = arith.constant 4 : index\n"
           "%one = tensor.from_elements %v : tensor<1xf32>\n"
           "%e = tensor.empty() : tensor<64xf32>\n" +
           loop.str() +
           "scf.forall.in_parallel {\n"
           "tensor.parallel_insert_slice %one into %all[%i] [1] [1] : "
           "tensor<1xf32> into tensor<64xf32>\n}\n"
           "} {mapping = [#gpu.thread<x>]}\nscf.yield %n : tensor<64xf32>\n}\n"
           "bufferization.materialize_in_destination %r in restrict writable "
           "%Y : (tensor<64xf32>, memref<64xf32>) -> ()\nreturn\n}\n";
  };
  std::string forall = "%n = scf.forall (%i) in (64) shared_outs(%all = %a) -> "
                       "(tensor<64xf32>) {\n";
  auto count = [&](const std::string &text) {
    unsigned numAnalyses = countAnalyses(text);
    for (auto alloc : collect<bufferization::AllocTensorOp>())
      EXPECT_EQ(alloc.getType().getNumElements(), 1) << print();
    return numAnalyses;
  };
  EXPECT_EQ(count(getKernel("%r = scf.for %k = %c0 to %c4 step %c1 "
                            "iter_args(%a = %e) -> (tensor<64xf32>) {" +
                            forall)),
            1u);
  EXPECT_EQ(count(getKernel("%r = scf.while (%b = %e) : "
                            "(tensor<64xf32>) -> tensor<64xf32> {\n"
                            "scf.condition(%c) %b : tensor<64xf32>\n"
                            "} do {\n^bb0(%a: tensor<64xf32>):\n" +
                            forall)),
            2u);
}
