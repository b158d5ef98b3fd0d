//===- EncodeOp.cpp - memspace.encode -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/IR/Encodings.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::memspace;

MutableOperandRange EncodeOp::getDpsInitsMutable() { return getDestMutable(); }

LogicalResult EncodeOp::verify() {
  auto source = cast<RankedTensorType>(getSource().getType());
  RankedTensorType result = cast<RankedTensorType>(getResult().getType());
  if (source.getElementType() != result.getElementType() ||
      failed(verifyCompatibleShape(source, result)))
    return emitOpError("changes the layout only: source and result must have "
                       "one shape and one element type; got ")
           << source << " and " << result;
  for (RankedTensorType type : {source, result})
    if (!hasKnownEncoding(type))
      return emitOpError("the encoding ")
             << type.getEncoding()
             << " does not implement LayoutEncodingAttrInterface, so that "
                "nobody knows its layout; register a model for it, or take an "
                "encoding of the memspace dialect";
  return success();
}

/// The layout of a tensor of `type` is one on all targets.
static bool isTargetIndependent(RankedTensorType type) {
  if (!type.getEncoding())
    return true;
  auto encoding = dyn_cast<LayoutEncodingAttrInterface>(type.getEncoding());
  return encoding && encoding.isTargetIndependent();
}

/// The encoding says more of the extents than the shape.
static bool promisesExtents(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  auto encoding =
      dyn_cast_or_null<LayoutEncodingAttrInterface>(tensor.getEncoding());
  return encoding && !tensor.hasStaticShape() &&
         llvm::any_of(encoding.getDivisors(tensor),
                      [](int64_t divisor) { return divisor > 1; });
}

static bool namesTarget(EncodeOp op) { return op->hasAttr(kTargetAttr); }

OpFoldResult EncodeOp::fold(FoldAdaptor) {
  auto result = cast<RankedTensorType>(getResult().getType());
  // Of one type on two targets it may be two layouts, which is for
  // memspace-materialize-encodings to find out.
  if (getSource().getType() == result && isTargetIndependent(result))
    return getSource();
  // It holds nothing. (What names a target for its destination stays.)
  if (getSource().getDefiningOp<tensor::EmptyOp>() && !namesTarget(*this))
    return getDest();
  // From the first layout to the last at once.
  auto first = getSource().getDefiningOp<EncodeOp>();
  if (!first || first == *this || namesTarget(first) ||
      promisesExtents(first.getType()))
    return {};
  auto source = cast<RankedTensorType>(first.getSource().getType());
  if (failed(verifyCompatibleShape(source, result)))
    return {};
  getSourceMutable().assign(first.getSource());
  return getResult();
}
