//===- MapToThreads.cpp - foralls to thread ids -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Transforms/Passes.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_MEMSPACEMAPTOTHREADS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

namespace {
struct MapToThreadsPass : public memspace::impl::MemSpaceMapToThreadsBase<MapToThreadsPass> {
  using Base::Base;
  void runOnOperation() override {}
};
} // namespace
