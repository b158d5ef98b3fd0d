//===- BufferSize.cpp - how many bytes a buffer takes -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Analysis/BufferSize.h"

using namespace mlir;
using namespace mlir::memspace;

std::optional<int64_t> mlir::memspace::getElementBytes(Type,
                                                       const TargetInfo &) {
  return std::nullopt;
}
std::optional<int64_t> mlir::memspace::getElementAlignment(Type,
                                                           const TargetInfo &) {
  return std::nullopt;
}
int64_t mlir::memspace::getBufferAlignment(Type, const TargetInfo &) {
  return 16;
}
std::optional<int64_t> mlir::memspace::getBufferBytes(ArrayRef<int64_t>, Type,
                                                      const TargetInfo &) {
  return std::nullopt;
}
std::optional<int64_t> mlir::memspace::getBufferBytes(MemRefType,
                                                      const TargetInfo &) {
  return std::nullopt;
}
std::optional<int64_t>
mlir::memspace::getConstantUpperBound(Value, std::optional<int64_t>) {
  return std::nullopt;
}
