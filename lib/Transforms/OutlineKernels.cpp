//===- OutlineKernels.cpp - func.func kernels to gpu.func -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_MEMSPACEOUTLINEKERNELS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

namespace {
struct OutlineKernelsPass : public memspace::impl::MemSpaceOutlineKernelsBase<OutlineKernelsPass> {
  using Base::Base;
  void runOnOperation() override {}
};
} // namespace
