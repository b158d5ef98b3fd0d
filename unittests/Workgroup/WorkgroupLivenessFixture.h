//===- WorkgroupLivenessFixture.h - kernels whose buffers have names ------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Analyzes the liveness of a kernel and asks for its buffers by their names.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_UNITTESTS_WORKGROUP_WORKGROUPLIVENESSFIXTURE_H
#define MEMSPACE_UNITTESTS_WORKGROUP_WORKGROUPLIVENESSFIXTURE_H

#include "MemSpace/Workgroup/WorkgroupLiveness.h"
#include "TestContext.h"
#include "TestModule.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "gtest/gtest.h"

namespace mlir {
namespace memspace {

class WorkgroupLivenessTest : public ::testing::Test {
protected:
  /// Analyzes a kernel with common values; its buffers are the allocations
  /// marked "a", "b" and so on.
  void analyze(StringRef body, bool returns = true) {
    std::string text = R"(
      #wg = #gpu.address_space<workgroup>
      !t = memref<64xf32, #wg>
      func.func private @external(memref<64xf32, #wg>)
      func.func private @fill(%m: memref<64xf32, #wg>, %v: f32) {
        %i = gpu.thread_id x
        memref.store %v, %m[%i] : memref<64xf32, #wg>
        return
      }
      func.func private @begin(%m: memref<64xf32, #wg>, %x: memref<?xf32>) {
        %i = gpu.thread_id x
        %t = nvgpu.device_async_copy %x[%i], %m[%i], 1 : memref<?xf32> to !t
        %g = nvgpu.device_async_create_group %t
        return
      }
      func.func @kernel(%x: memref<?xf32>, %v: f32, %flag: i1, %n: index)
          attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c8 = arith.constant 8 : index
        %i = gpu.thread_id x
        %first = arith.cmpi eq, %i, %c0 : index
      )" + body.str() + (returns ? "\nreturn }" : "}");
    module = std::make_unique<TestModule>(text);
    ASSERT_TRUE(*module);
    auto kernel = (**module).lookupSymbol<FunctionOpInterface>("kernel");
    SmallVector<Value> buffers;
    kernel.walk([&](Operation *op) {
      if (isa<memref::AllocOp>(op))
        buffers.push_back(op->getResult(0));
    });
    liveness.emplace(getTestContext(kernel), buffers);
  }

  const packing::LiveRange &range(StringRef name) {
    return liveness->getRange(module->get(name)->getResult(0));
  }
  bool mayShare(StringRef a, StringRef b) {
    return !packing::overlap(range(a), range(b));
  }
  /// True when the buffer is live at the only point of the marked op.
  bool isLiveAt(StringRef buffer, StringRef op) {
    for (const packing::Interval &interval : range(buffer))
      for (int64_t point = interval.begin; point < interval.end; ++point)
        if (liveness->getOp(point) == module->get(op))
          return true;
    return false;
  }
  bool isWhole(StringRef buffer) {
    return range(buffer) == packing::LiveRange{{0, liveness->getNumPoints()}};
  }

  bool needsSeveral(StringRef name) {
    return liveness->needsSeveralPlaces(module->get(name)->getResult(0));
  }
  /// True when the buffers may be in one place by turns.
  bool followEachOther(StringRef a, StringRef b) {
    return llvm::any_of(liveness->getSuccessions(), [&](ArrayRef<Value> some) {
      return llvm::is_contained(some, module->get(a)->getResult(0)) &&
             llvm::is_contained(some, module->get(b)->getResult(0));
    });
  }

  std::unique_ptr<TestModule> module;
  std::optional<WorkgroupLiveness> liveness;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_UNITTESTS_WORKGROUP_WORKGROUPLIVENESSFIXTURE_H
