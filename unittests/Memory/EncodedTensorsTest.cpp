//===- EncodedTensorsTest.cpp - layouts and sizes of encoded tensors ------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Memory/BufferSize.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::memspace;

namespace {
struct EncodedTensors : public ::testing::Test {
  EncodedTensors() { context.loadDialect<MemSpaceDialect>(); }

  RankedTensorType type(StringRef text) {
    return cast<RankedTensorType>(parseType(text, &context));
  }
  TargetInfo chip(StringRef name) { return *lookupTarget(name); }
  std::optional<int64_t> bytes(StringRef text, StringRef name) {
    return getBufferBytes(type(text), chip(name));
  }
  /// The diagnostic where there is no layout; empty where there is one.
  std::string refusal(StringRef text, StringRef name) {
    std::string message;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      message = diagnostic.str();
      return success();
    });
    RankedTensorType tensor = type(text);
    EXPECT_EQ(failed(getResolvedLayout(
                  tensor, chip(name),
                  [&] { return emitError(UnknownLoc::get(&context)); })),
              !message.empty());
    return message;
  }
  void setResolver(TiledLayoutParts parts, unsigned rank,
                   std::optional<int64_t> bytes = std::nullopt) {
    context.getLoadedDialect<MemSpaceDialect>()->setLayoutResolver(
        [=](Attribute, RankedTensorType, const TargetInfo &,
            llvm::function_ref<InFlightDiagnostic()>)
            -> FailureOr<ResolvedLayout> {
          return ResolvedLayout{*TiledLayout::create(rank, parts), bytes};
        });
  }

  MLIRContext context;
};

// [model]
/// Another dialect's encoding, here a string: columns, but of "rows".
struct ColumnsModel
    : public LayoutEncodingAttrInterface::ExternalModel<ColumnsModel,
                                                        StringAttr> {
  FailureOr<ResolvedLayout>
  resolve(Attribute attr, RankedTensorType type, const TargetInfo &,
          llvm::function_ref<InFlightDiagnostic()> emitError) const {
    if (cast<StringAttr>(attr) == "rows")
      return ResolvedLayout{TiledLayout::getIdentity(type.getRank())};
    if (type.getRank() != 2)
      return emitError() << "has no columns";
    return ResolvedLayout{*TiledLayout::create(2, {{}, {}, {}, {1, 0}})};
  }
};
// [/model]

constexpr llvm::StringLiteral kLHS =
    "tensor<30x60xf16, #memspace.matmul_operand<lhs, types = [f16, f16, f32], "
    "sizes = [30, 50, 60]>>";
constexpr llvm::StringLiteral kNarrow =
    "tensor<3x60xi4, #memspace.matmul_operand<lhs, types = [i4, i4, i32], "
    "sizes = [3, 50, 60]>>";
using Bytes = std::optional<int64_t>;
} // namespace

// Padding is counted; a chip without a matrix unit for the types has none.
TEST_F(EncodedTensors, SizesOfResolvedLayouts) {
  EXPECT_EQ(bytes(kLHS, "gfx942"), Bytes(32 * 64 * 2));
  EXPECT_EQ(bytes(kLHS, "gfx950"), Bytes(32 * 64 * 2));
  EXPECT_EQ(bytes(kLHS, "gfx1100"), Bytes(32 * 64 * 2));
  EXPECT_EQ(bytes(kLHS, "sm_90"), Bytes(32 * 64 * 2));
  EXPECT_EQ(bytes(kLHS, "sm_70"), Bytes(32 * 60 * 2));
  EXPECT_EQ(bytes(kLHS, "gfx1030"), Bytes(30 * 60 * 2));
  // Variants of a chip have its unit.
  EXPECT_EQ(bytes(kLHS, "gfx942:sramecc+"), Bytes(32 * 64 * 2));
  EXPECT_EQ(bytes(kLHS, "sm_90a"), Bytes(32 * 64 * 2));
  // The size model gives an i4 a byte. Three rows are padded to four.
  EXPECT_EQ(bytes(kNarrow, "gfx1200"), Bytes(4 * 64));
  EXPECT_EQ(bytes(kNarrow, "gfx942"), Bytes(3 * 60));
  EXPECT_EQ(bytes("tensor<6xi1, #memspace.tiled_layout<padding_multiples = "
                  "[4]>>",
                  "gfx942"),
            Bytes(8));
  EXPECT_EQ(bytes("tensor<6xf32>", "gfx942"), Bytes(24));
}

TEST_F(EncodedTensors, UnknownSizes) {
  constexpr llvm::StringLiteral dynamic =
      "tensor<?x8xf32, #memspace.tiled_layout<inner_dims_pos = [0], "
      "inner_tiles = [16]>>";
  EXPECT_EQ(bytes(dynamic, "gfx942"), std::nullopt);
  // By a bound of the extent.
  EXPECT_EQ(getBufferBytes(type(dynamic), chip("gfx942"), {20, 8}),
            Bytes(32 * 8 * 4));
  // Of an encoding that is no layout nothing is known.
  EXPECT_EQ(bytes("tensor<8xf32, \"columns\">", "gfx942"), std::nullopt);
  EXPECT_EQ(refusal("tensor<8xf32, \"columns\">", "gfx942"),
            "the encoding \"columns\" does not implement "
            "LayoutEncodingAttrInterface");
}

// One layout by other attributes, and two by one attribute.
TEST_F(EncodedTensors, SameLayouts) {
  auto isSame = [&](StringRef a, StringRef chipA, StringRef b,
                    StringRef chipB) {
    return cast<LayoutEncodingAttrInterface>(type(a).getEncoding())
        .isSameLayout(type(a), chip(chipA), type(b).getEncoding(), chip(chipB));
  };
  constexpr llvm::StringLiteral tiles =
      "tensor<30x60xf16, #memspace.tiled_layout<inner_dims_pos = [0, 1], "
      "inner_tiles = [16, 16], padding_multiples = [16, 1]>>";
  EXPECT_TRUE(isSame(kLHS, "gfx942", tiles, "gfx942"));
  EXPECT_TRUE(isSame(kLHS, "gfx942", kLHS, "sm_90"));
  EXPECT_FALSE(isSame(kLHS, "gfx942", kLHS, "gfx950"));
  EXPECT_FALSE(isSame(kLHS, "gfx942", "tensor<30x60xf16>", "gfx942"));
  EXPECT_TRUE(isSame(kLHS, "gfx1030", "tensor<30x60xf16>", "gfx942"));
  auto isIdentity = [&](StringRef text, StringRef name) {
    return cast<LayoutEncodingAttrInterface>(type(text).getEncoding())
        .isIdentityLayout(type(text), chip(name));
  };
  EXPECT_TRUE(isIdentity(kLHS, "gfx906"));
  EXPECT_FALSE(isIdentity(kLHS, "gfx90a"));
}

TEST_F(EncodedTensors, ExternalModel) {
  StringAttr::attachInterface<ColumnsModel>(context);
  EXPECT_EQ(bytes("tensor<8x4xf32, \"columns\">", "gfx942"), Bytes(128));
  EXPECT_EQ(refusal("tensor<8xf32, \"columns\">", "gfx942"), "has no columns");
  auto encoding = cast<LayoutEncodingAttrInterface>(
      type("tensor<8x4xf32, \"columns\">").getEncoding());
  auto isIdentity = [&](StringRef text) {
    return cast<LayoutEncodingAttrInterface>(type(text).getEncoding())
        .isIdentityLayout(type(text), chip("gfx942"));
  };
  EXPECT_FALSE(encoding.isTargetIndependent());
  EXPECT_FALSE(isIdentity("tensor<8x4xf32, \"columns\">"));
  EXPECT_TRUE(isIdentity("tensor<8x1xf32, \"columns\">"));
  EXPECT_TRUE(isIdentity("tensor<8x4xf32, \"rows\">"));
}

// A resolver in the place of ours, which everybody asks.
TEST_F(EncodedTensors, Resolver) {
  setResolver({{64, 1}, {}, {}, {}}, 2);
  EXPECT_EQ(bytes(kLHS, "gfx1030"), Bytes(64 * 60 * 2));
  setResolver({{64, 1}, {}, {}, {}}, 2, 64 * 60 * 2);
  EXPECT_EQ(bytes(kLHS, "gfx1030"), Bytes(64 * 60 * 2));
  context.getLoadedDialect<MemSpaceDialect>()->setLayoutResolver(nullptr);
  EXPECT_EQ(bytes(kLHS, "gfx1030"), Bytes(30 * 60 * 2));
}

TEST_F(EncodedTensors, WrongResolvers) {
  // Two elements a byte, of which the size model knows nothing.
  setResolver({{4, 64}, {}, {}, {}}, 2, 4 * 64 / 2);
  std::string text = refusal(kNarrow, "gfx1200");
  EXPECT_TRUE(StringRef(text).contains(
      "for 'gfx1200' returned a layout of 128 bytes, but its elements take 256 "
      "with their padding (a sub-byte element takes a byte)"))
      << text;
  EXPECT_EQ(bytes(kNarrow, "gfx1200"), std::nullopt);
  setResolver({}, 2, 4096);
  text = refusal(kNarrow, "gfx1200");
  EXPECT_TRUE(StringRef(text).contains("returned a layout of 4096 bytes, but "
                                       "its elements take 180; what is more "
                                       "must be said by its padding"))
      << text;
  setResolver({}, 3);
  text = refusal(kNarrow, "gfx1200");
  EXPECT_TRUE(StringRef(text).contains("returned a layout of rank 3")) << text;
  context.getLoadedDialect<MemSpaceDialect>()->setLayoutResolver(
      [](Attribute, RankedTensorType, const TargetInfo &,
         llvm::function_ref<InFlightDiagnostic()>)
          -> FailureOr<ResolvedLayout> { return failure(); });
  text = refusal(kNarrow, "gfx1200");
  EXPECT_TRUE(StringRef(text).contains("for 'gfx1200' returned no layout and "
                                       "did not say why"))
      << text;
}
