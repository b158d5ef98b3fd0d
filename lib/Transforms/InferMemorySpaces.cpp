//===- InferMemorySpaces.cpp - a memory space for every allocation -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/Transforms/Passes.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_MEMSPACEINFERMEMORYSPACES
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

namespace {
struct InferMemorySpacesPass : public memspace::impl::MemSpaceInferMemorySpacesBase<InferMemorySpacesPass> {
  using Base::Base;
  void runOnOperation() override {}
};
} // namespace
