//===- MemoryInterfaces.cpp - what other dialects' ops do to memory -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Memory/MemoryInterfaces.h"

using namespace mlir;
using namespace mlir::memspace;

#include "MemSpace/Memory/MemoryInterfaces.cpp.inc"

TouchedElements TouchedElements::getElement(ValueRange indices) {
  TouchedElements touched;
  for (Value index : indices) {
    IndexRange range;
    range.offset = LinearExpr(OpFoldResult(index));
    range.size = LinearExpr(1);
    touched.ranges.push_back(std::move(range));
  }
  return touched;
}

Value mlir::memspace::getCastSource(OpResult result) {
  auto root = dyn_cast<MemoryRootOpInterface>(result.getOwner());
  if (!root)
    return {};
  NamedMemory named = root.getNamedMemory(result);
  return named.keepsElements ? named.source : Value();
}
