//===- TargetInfo.cpp - the chip table -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Target/TargetInfo.h"

using namespace mlir;
using namespace mlir::memspace;

int64_t TargetInfo::getOccupancy(int64_t, int64_t) const { return 0; }
std::optional<TargetInfo> mlir::memspace::lookupTarget(StringRef) {
  return std::nullopt;
}
std::string mlir::memspace::getKnownChips() { return ""; }
FailureOr<std::optional<TargetInfo>> mlir::memspace::getTargetFromIR(Operation *) {
  return std::optional<TargetInfo>();
}
