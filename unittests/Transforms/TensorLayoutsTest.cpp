//===- TensorLayoutsTest.cpp - layouts of tensor types by brute force -----===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/Encodings/TensorLayouts.h"
#include "Encoding/RandomLayouts.h"
#include "TestModule.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mlir::memspace;

namespace {
/// A type whose tensors have `layout`; of each extent it says the number, what
/// divides it, or nothing.
RankedTensorType makeType(MLIRContext *context, RandomLayouts &random,
                          const TiledLayout &layout, const Shape &shape) {
  const TiledLayoutParts &parts = layout.getParts();
  SmallVector<int64_t> extents = llvm::to_vector(shape);
  SmallVector<int64_t> divisors(shape.size(), 1);
  for (auto [extent, divisor] : llvm::zip(extents, divisors))
    if (random.oneOf(2)) {
      if (int64_t number = random.pick(1, 6); extent % number == 0)
        divisor = number;
      extent = ShapedType::kDynamic;
    }
  return RankedTensorType::get(
      extents, Float32Type::get(context),
      TiledLayoutAttr::get(context, parts.tiledDims, parts.innerTiles,
                           parts.outerPermutation, parts.paddingMultiples,
                           divisors));
}

/// The extents of the memory of a tensor of `shape`.
Shape getMemoryShape(const TensorLayout &layout, const Shape &shape) {
  if (layout.isIdentity)
    return shape;
  Shape memory;
  for (const LayoutAxis &axis : layout.axes)
    memory.push_back(evaluate(axis.extent, shape));
  return memory;
}
} // namespace

// Of two types that say more or less of the extents: what is said to be the
// same is so for each tensor that is of both, and a cast is all that is needed.
TEST(TensorLayouts, TypesAsByteMaps) {
  TestModule module("");
  ASSERT_TRUE(module);
  module.getContext()->loadDialect<func::FuncDialect, MemSpaceDialect>();
  RandomLayouts random(3);
  unsigned same = 0, provable = 0, casts = 0;
  for (unsigned i = 0; i < 6000; ++i) {
    Shape shape = random.makeShape();
    TiledLayout layout = random.makeLayout(shape);
    TiledLayout other = random.oneOf(2)   ? layout
                        : random.oneOf(2) ? random.change(layout, shape)
                                          : random.makeLayout(shape);
    MLIRContext *context = module.getContext();
    Type types[] = {makeType(context, random, layout, shape),
                    makeType(context, random, other, shape)};
    OpBuilder builder = OpBuilder::atBlockEnd((*module).getBody());
    auto func = func::FuncOp::create(builder, builder.getUnknownLoc(), "f",
                                     builder.getFunctionType(types, {}));
    func.addEntryBlock();
    FailureOr<TensorLayouts> layouts = TensorLayouts::compute(*module, {});
    ASSERT_TRUE(succeeded(layouts));
    const TensorLayout &a = layouts->get(func.getArgument(0)),
                       &b = layouts->get(func.getArgument(1));
    bool isSame = a.isSameUpToCast(b), isAlwaysSame = true;
    ASSERT_EQ(isSame, b.isSameUpToCast(a)) << "pair " << i;
    bool needsNoCast = a.isSame(b);
    ASSERT_TRUE(isSame || !needsNoCast) << "pair " << i;
    for (unsigned run = 0; run < 12; ++run) {
      for (size_t dim = 0; dim < shape.size(); ++dim)
        if (!a.extents[dim].size && !b.extents[dim].size)
          shape[dim] = random.pick(0, 4) *
                       std::lcm(a.extents[dim].divisor, b.extents[dim].divisor);
      std::vector<int64_t> map = getByteMap(layout, shape, 1);
      isAlwaysSame &= map == getByteMap(other, shape, 1);
      if (!isSame)
        continue;
      ASSERT_TRUE(isAlwaysSame) << "pair " << i;
      ASSERT_EQ(getMemoryShape(a, shape), getMemoryShape(b, shape))
          << "pair " << i;
    }
    if (needsNoCast && !a.isIdentity) {
      ASSERT_EQ(a.memoryType.getShape(), b.memoryType.getShape())
          << "pair " << i;
    }
    same += isSame;
    casts += isSame && !needsNoCast;
    provable += isAlwaysSame;
    func.erase();
  }
  EXPECT_GT(casts, 500u);
  // Most of what is so is found. (Twelve tensors of a type are too few to say
  // that it is so of all.)
  EXPECT_GT(same * 10, provable * 6);
}
