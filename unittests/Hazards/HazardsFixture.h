//===- HazardsFixture.h - the hazards of a kernel ---------------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_UNITTESTS_HAZARDS_HAZARDSFIXTURE_H
#define MEMSPACE_UNITTESTS_HAZARDS_HAZARDSFIXTURE_H

#include "MemSpace/Hazards/HazardAnalysis.h"
#include "TestContext.h"
#include "TestModule.h"
#include "gtest/gtest.h"

namespace mlir {
namespace memspace {

/// The accesses of a kernel of 256 threads in subgroups of 32, with `%t` the
/// thread id, `%v` an f32, and constants `%c0` ... that tests name.
struct Hazards : public testing::Test {
  void parse(StringRef body, StringRef arguments = "", StringRef grid = "") {
    analysis.reset();
    source = R"(
      #wg = #gpu.address_space<workgroup>
      #global = #gpu.address_space<global>
      memref.global @shared : memref<256xf32, #wg>
      gpu.module @m {
      gpu.func @k()";
    source += arguments.empty() ? "%x: index" : arguments;
    source += ") kernel attributes {known_block_size = array<i32: 256, 1, 1>";
    source += (grid.empty() ? "" : ", " + grid).str();
    source += R"(} {
      %t = gpu.thread_id x
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %c16 = arith.constant 16 : index
      %c32 = arith.constant 32 : index
      %c64 = arith.constant 64 : index
      %c256 = arith.constant 256 : index
      %v = arith.constant 1.0 : f32
    )";
    source += body;
    if (!body.contains("gpu.return"))
      source += "\n gpu.return";
    source += "\n}\n}";
    module = std::make_unique<TestModule>(source);
    ASSERT_TRUE(*module) << source;
    FunctionOpInterface kernel = getKernels(**module).front();
    KernelContext context = getTestContext(kernel, 32);
    relations.emplace(context);
    analysis.emplace(context, *relations);
  }

  /// The first access of the op named `name` that `writes` or not.
  unsigned find(StringRef name, std::optional<bool> writes = std::nullopt) {
    for (unsigned access : analysis->getAccesses(module->get(name)))
      if (!writes || analysis->getAccesses()[access].writes == *writes)
        return access;
    ADD_FAILURE() << "no access of " << name.str();
    return 0;
  }
  Hazard get(StringRef a = "a", StringRef b = "b",
             StringRef carryingLoop = "") {
    Operation *loop =
        carryingLoop.empty() ? nullptr : module->get(carryingLoop);
    return analysis->getHazard(find(a), find(b), loop);
  }
  /// "none", "subgroup" (inside one only) or "workgroup".
  std::string level(StringRef a = "a", StringRef b = "b",
                    StringRef carryingLoop = "") {
    Hazard hazard = get(a, b, carryingLoop);
    if (hazard.acrossSubgroups)
      return "workgroup";
    return hazard.insideSubgroup ? "subgroup" : "none";
  }
  /// The level between a store to and a load from a workgroup buffer of 1024
  /// floats at two indices.
  std::string indices(StringRef body) {
    parse(("%m = memref.alloc() : memref<1024xf32, #wg>\n" + body + R"(
      memref.store %v, %m[%i] {test.name = "a"} : memref<1024xf32, #wg>
      %w = memref.load %m[%j] {test.name = "b"} : memref<1024xf32, #wg>
    )")
              .str());
    return level();
  }

  std::string source;
  std::unique_ptr<TestModule> module;
  TargetInfo target;
  std::optional<ThreadRelations> relations;
  std::optional<HazardAnalysis> analysis;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_UNITTESTS_HAZARDS_HAZARDSFIXTURE_H
