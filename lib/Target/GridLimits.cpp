//===- GridLimits.cpp - the largest grid of a GPU -------------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Target/GridLimits.h"
#include <limits>

using namespace mlir;
using namespace mlir::memspace;

// All chips of the table in TargetInfo.cpp have these. NVIDIA: CUDA C++
// Programming Guide, table "Technical Specifications per Compute Capability".
// AMD: what the HIP runtime says of the device (hipDeviceProp_t::maxGridSize);
// the dispatch packet counts the threads along a dimension in 32 bits (HSA
// Runtime Specification, grid_size_x).
GridLimits GridLimits::get(const TargetInfo &target) {
  GridLimits limits{{2147483647, 65535, 65535},
                    std::numeric_limits<uint32_t>::max()};
  if (target.vendor == TargetVendor::NVIDIA)
    limits.threads = std::numeric_limits<int64_t>::max();
  return limits;
}
