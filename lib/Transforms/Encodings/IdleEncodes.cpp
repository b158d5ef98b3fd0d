//===- IdleEncodes.cpp - encodes that move nothing ------------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimplifyEncodes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::memspace;

namespace {
class EncodeRemover {
public:
  EncodeRemover(Operation *root, RewriterBase &rewriter, TensorLayouts &layouts,
                llvm::SetVector<Operation *> &functions)
      : dominance(root), rewriter(rewriter), layouts(layouts),
        functions(functions) {}
  /// True if it is gone: it changes nothing of its source.
  bool removeIfSame(EncodeOp encode);
  /// True if it changed.
  bool visit(EncodeOp encode);

private:
  bool skipFormer(EncodeOp encode);
  Value castTo(EncodeOp encode, Value same);
  Value getSame(EncodeOp encode);
  Value makeConstant(EncodeOp encode);
  void replace(EncodeOp encode, Value same);

  DominanceInfo dominance;
  RewriterBase &rewriter;
  TensorLayouts &layouts;
  llvm::SetVector<Operation *> &functions;
  /// The encodes of each tensor.
  DenseMap<Value, SmallVector<EncodeOp>> encodes;
};
} // namespace

/// So it may be where nothing leads to.
static bool isOfItself(EncodeOp encode) {
  return encode.getSource() == encode.getResult();
}

/// From the first layout to the last at once.
bool EncodeRemover::skipFormer(EncodeOp encode) {
  auto type = cast<RankedTensorType>(encode.getType());
  Value source = encode.getSource();
  // What nothing leads to may go round in a circle.
  llvm::SmallPtrSet<Operation *, 4> seen{encode};
  while (auto former = source.getDefiningOp<EncodeOp>()) {
    if (!seen.insert(former).second)
      return false;
    if (failed(verifyCompatibleShape(former.getSource().getType(), type)))
      break;
    source = former.getSource();
  }
  if (source == encode.getSource())
    return false;
  encode.getSourceMutable().assign(source);
  return true;
}

/// All elements are one, in any layout; null if that is not so.
Value EncodeRemover::makeConstant(EncodeOp encode) {
  rewriter.setInsertionPoint(encode);
  Value source = encode.getSource();
  if (auto fill = source.getDefiningOp<linalg::FillOp>())
    return linalg::FillOp::create(rewriter, encode.getLoc(), fill.getInputs(),
                                  encode.getDest())
        .getResult(0);
  if (source.getDefiningOp<tensor::EmptyOp>())
    return encode.getDest();
  SplatElementsAttr splat;
  auto type = cast<RankedTensorType>(encode.getType());
  if (type.hasStaticShape() && matchPattern(source, m_Constant(&splat)))
    return arith::ConstantOp::create(
        rewriter, encode.getLoc(),
        cast<TypedAttr>(
            Attribute(splat.resizeSplat(cast<ShapedType>(encode.getType())))));
  return {};
}

/// `same` in the type of the result of `encode`, of which more or less may be
/// static. (The encodings go later.)
Value EncodeRemover::castTo(EncodeOp encode, Value same) {
  const TensorLayout &to = layouts.get(encode.getResult());
  if (layouts.get(same).memoryType == to.memoryType)
    return same;
  rewriter.setInsertionPoint(encode);
  Value cast =
      tensor::CastOp::create(rewriter, encode.getLoc(), encode.getType(), same);
  layouts.set(cast, to);
  return cast;
}

/// A tensor that is as the result, or can be made so without a copy; null if
/// there is none.
Value EncodeRemover::getSame(EncodeOp encode) {
  Value source = encode.getSource();
  const TensorLayout &to = layouts.get(encode.getResult());
  if (layouts.get(source).isSameUpToCast(to))
    return castTo(encode, source);
  for (EncodeOp other : encodes[source])
    if (layouts.get(other.getResult()).isSameUpToCast(to) &&
        dominance.properlyDominates(other.getOperation(), encode))
      return castTo(encode, other.getResult());
  Value constant = makeConstant(encode);
  if (constant)
    layouts.set(constant, to);
  else
    encodes[source].push_back(encode);
  return constant;
}

bool EncodeRemover::visit(EncodeOp encode) {
  bool changed = skipFormer(encode);
  if (isOfItself(encode))
    return changed;
  Value same = getSame(encode);
  if (!same)
    return changed;
  replace(encode, same);
  return true;
}

bool EncodeRemover::removeIfSame(EncodeOp encode) {
  if (isOfItself(encode) ||
      !layouts.get(encode.getSource())
           .isSameUpToCast(layouts.get(encode.getResult())))
    return false;
  replace(encode, castTo(encode, encode.getSource()));
  return true;
}

void EncodeRemover::replace(EncodeOp encode, Value same) {
  if (auto func = encode->getParentOfType<FunctionOpInterface>())
    functions.insert(func);
  layouts.erase(encode.getResult());
  // Those of the result, which are before it in the order of blocks, become
  // encodes of the other tensor; another value may get the old one's address.
  SmallVector<EncodeOp> ofResult = encodes.lookup(encode.getResult());
  encodes.erase(encode.getResult());
  llvm::append_range(encodes[same], ofResult);
  rewriter.replaceAllUsesWith(encode.getResult(), same);
  rewriter.eraseOp(encode);
}

bool memspace::removeIdleEncodes(Operation *root, RewriterBase &rewriter,
                                 TensorLayouts &layouts,
                                 llvm::SetVector<Operation *> &functions) {
  bool changed = false;
  SmallVector<EncodeOp> encodes;
  root->walk<WalkOrder::PreOrder>(
      [&](EncodeOp encode) { encodes.push_back(encode); });
  EncodeRemover remover(root, rewriter, layouts, functions);
  // Before the former encodes go: they may promise more of the extents.
  std::reverse(encodes.begin(), encodes.end());
  llvm::erase_if(encodes, [&](EncodeOp encode) {
    bool isGone = remover.removeIfSame(encode);
    changed |= isGone;
    return isGone;
  });
  std::reverse(encodes.begin(), encodes.end());
  // First, so that an encode that only others began from is not kept for them.
  for (EncodeOp encode : encodes)
    changed |= remover.visit(encode);
  // Uses stand behind their definitions.
  encodes.clear();
  root->walk([&](EncodeOp encode) { encodes.push_back(encode); });
  for (EncodeOp encode : llvm::reverse(encodes))
    if (encode.use_empty()) {
      layouts.erase(encode.getResult());
      rewriter.eraseOp(encode);
      changed = true;
    }
  return changed;
}
