//===- DropUnusedResults.cpp - results that nobody reads -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Transforms/Passes.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_MEMSPACEDROPUNUSEDRESULTS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

namespace {
struct DropUnusedResultsPass : public memspace::impl::MemSpaceDropUnusedResultsBase<DropUnusedResultsPass> {
  using Base::Base;
  void runOnOperation() override {}
};
} // namespace
