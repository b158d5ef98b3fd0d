//===- AccessMark.cpp - marks that outlive the lowering -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessMark.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace mlir::memspace;

static constexpr llvm::StringLiteral kBuffersKey = "memspace.buffers";
static constexpr llvm::StringLiteral kDisjointKey = "memspace.disjoint";
static constexpr llvm::StringLiteral kArgumentsKey = "memspace.arguments";
static constexpr llvm::StringLiteral kNoAliasKey = "memspace.noalias";
static constexpr llvm::StringLiteral kInvariantKey = "memspace.invariant";

void mlir::memspace::markAccess(Operation *op, const AccessMark &mark) {
  MLIRContext *context = op->getContext();
  NamedAttrList entries;
  auto add = [&](StringRef key, ArrayRef<int64_t> numbers) {
    entries.append(key, DenseI64ArrayAttr::get(context, numbers));
  };
  if (!mark.buffers.in.empty()) {
    add(kBuffersKey, mark.buffers.in);
    add(kDisjointKey, mark.buffers.apart);
  }
  if (!mark.arguments.in.empty()) {
    add(kArgumentsKey, mark.arguments.in);
    add(kNoAliasKey, mark.arguments.apart);
    if (mark.isInvariant)
      entries.append(kInvariantKey, UnitAttr::get(context));
  }
  op->setLoc(
      FusedLoc::get({op->getLoc()}, entries.getDictionary(context), context));
}

std::optional<AccessMark> mlir::memspace::takeAccessMark(Operation *op) {
  auto fused = dyn_cast<FusedLoc>(op->getLoc());
  auto entries = fused ? dyn_cast_or_null<DictionaryAttr>(fused.getMetadata())
                       : DictionaryAttr();
  if (!entries || fused.getLocations().size() != 1)
    return std::nullopt;
  auto take = [&](StringRef inKey, StringRef apartKey, MarkedMemory &memory) {
    auto in = entries.getAs<DenseI64ArrayAttr>(inKey);
    auto apart = entries.getAs<DenseI64ArrayAttr>(apartKey);
    if (!in || !apart)
      return;
    memory = {llvm::to_vector(in.asArrayRef()),
              llvm::to_vector(apart.asArrayRef())};
  };
  AccessMark mark;
  take(kBuffersKey, kDisjointKey, mark.buffers);
  take(kArgumentsKey, kNoAliasKey, mark.arguments);
  mark.isInvariant = entries.contains(kInvariantKey);
  if (mark.buffers.in.empty() && mark.arguments.in.empty())
    return std::nullopt;
  op->setLoc(fused.getLocations().front());
  return mark;
}
