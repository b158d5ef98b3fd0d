//===- MemorySpaceTest.cpp - how memory spaces are written -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Kernel/MemorySpace.h"
#include "MemSpace/Kernel/KernelContext.h"
#include "TestContext.h"
#include "TestModule.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::memspace;

namespace {
struct MemorySpaceTest : public testing::Test {
  MemorySpaceTest() {
    module.getContext()->loadDialect<gpu::GPUDialect>();
    module.getContext()->getDiagEngine().registerHandler([&](Diagnostic &diag) {
      message += diag.str();
      return success();
    });
  }
  FailureOr<MemorySpaceMapping> resolve(StringRef text = "") {
    message.clear();
    return MemorySpaceMapping::resolve(getKernels(*module).front(), text);
  }
  Attribute parse(StringRef text) {
    return parseAttribute(text, module.getContext());
  }

  TestModule module{"func.func @k() attributes {gpu.known_block_size = "
                    "array<i32: 1, 1, 1>} { return }"};
  MLIRContext *context = module.getContext();
  std::string message;
};
} // namespace

TEST_F(MemorySpaceTest, defaultIsGPU) {
  MemorySpaceMapping mapping;
  for (MemorySpace space :
       {MemorySpace::Private, MemorySpace::Workgroup, MemorySpace::Global}) {
    Attribute written = mapping.toAttribute(context, space);
    EXPECT_EQ(
        written,
        parse(
            ("#gpu.address_space<" + stringifyMemorySpace(space) + ">").str()));
    EXPECT_EQ(mapping.fromAttribute(written), space);
  }
  EXPECT_EQ(mapping.fromAttribute({}), MemorySpace::Global);
  EXPECT_EQ(mapping.fromAttribute(parse("3")), std::nullopt);
  EXPECT_TRUE(*resolve() == mapping);
}

TEST_F(MemorySpaceTest, numbers) {
  FailureOr<MemorySpaceMapping> mapping =
      resolve("workgroup=3 : i64,private=5");
  ASSERT_TRUE(succeeded(mapping)) << message;
  EXPECT_EQ(mapping->toAttribute(context, MemorySpace::Workgroup), parse("3"));
  EXPECT_EQ(mapping->toAttribute(context, MemorySpace::Global), Attribute());
  // A number is a number in any type.
  EXPECT_EQ(mapping->fromAttribute(parse("3 : i32")), MemorySpace::Workgroup);
  EXPECT_EQ(mapping->fromAttribute(parse("5 : i8")), MemorySpace::Private);
  EXPECT_EQ(mapping->fromAttribute(parse("1")), std::nullopt);
  // What ops of the gpu dialect make keeps its meaning.
  EXPECT_EQ(mapping->fromAttribute(parse("#gpu.address_space<workgroup>")),
            MemorySpace::Workgroup);
  // A memref without an attribute may be any memory.
  EXPECT_EQ(mapping->getNamedSpace(
                MemRefType::get({4}, Float32Type::get(context),
                                MemRefLayoutAttrInterface(), parse("5"))),
            MemorySpace::Private);
  EXPECT_EQ(
      mapping->getNamedSpace(MemRefType::get({4}, Float32Type::get(context))),
      std::nullopt);
  EXPECT_EQ(mapping->getNamedSpace(IndexType::get(context)), std::nullopt);
}

TEST_F(MemorySpaceTest, aliases) {
  FailureOr<MemorySpaceMapping> mapping =
      resolve("private=\"own\",workgroup=[\"shared\", 3],global=\"all\"");
  ASSERT_TRUE(succeeded(mapping)) << message;
  EXPECT_EQ(mapping->toAttribute(context, MemorySpace::Workgroup),
            parse("\"shared\""));
  EXPECT_EQ(mapping->fromAttribute(parse("3")), MemorySpace::Workgroup);
  EXPECT_EQ(mapping->toAttribute(context, MemorySpace::Global),
            parse("\"all\""));
  MemorySpaceMapping gpu;
  gpu.addAlias(MemorySpace::Workgroup, parse("3"));
  EXPECT_EQ(gpu.fromAttribute(parse("3")), MemorySpace::Workgroup);
  EXPECT_EQ(gpu.toAttribute(context, MemorySpace::Private),
            parse("#gpu.address_space<private>"));
}

// On the nearest op; the text comes first.
TEST_F(MemorySpaceTest, inIR) {
  MemorySpaceMapping numbers(parse("5"), parse("3"), parse("1"));
  numbers.addAlias(MemorySpace::Workgroup, parse("\"shared\""));
  numbers.setInIR(*module);
  EXPECT_TRUE(*resolve() == numbers);
  KernelContext kernel = getTestContext(getKernels(*module).front());
  EXPECT_TRUE(kernel.getSpaces() == numbers);
  MemorySpaceMapping others(parse("7"), parse("8"));
  others.setInIR(getKernels(*module).front());
  EXPECT_TRUE(*resolve() == others);
  EXPECT_TRUE(*resolve("private=9,workgroup=10") ==
              MemorySpaceMapping(parse("9"), parse("10")));
}

TEST_F(MemorySpaceTest, refused) {
  auto expectError = [&](StringRef text, StringRef expected) {
    EXPECT_TRUE(failed(resolve(text)));
    EXPECT_NE(message.find(expected.str()), std::string::npos) << message;
  };
  expectError("workgroup=3", "lack 'private'");
  expectError("private=5,workgroup=5 : i32", "are both 5");
  expectError("private=5,local=3", "have no 'local'");
  expectError("private=", "is not of the form");
  getKernels(*module).front()->setAttr("memspace.memory_spaces",
                                       parse("{private = 5}"));
  expectError("", "attribute 'memspace.memory_spaces': memory spaces lack "
                  "'workgroup'");
}
