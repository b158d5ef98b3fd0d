//===- MLIRVersionTest.cpp - tests of MLIRVersion.h -----------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The classes here look like those of later versions of MLIR.
//
//===----------------------------------------------------------------------===//

#include "IR/MLIRVersion.h"
#include "TestModule.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::memspace;

namespace {
struct LaterSuccessor {
  Region *region;
};

struct LaterBranch {
  ValueRange getSuccessorInputs(LaterSuccessor successor) {
    return successor.region->getArguments();
  }
};

enum class LaterScope { Thread, Subgroup, Workgroup, Cluster };

StringRef stringifyEnum(LaterScope scope) {
  StringRef words[] = {"thread", "subgroup", "workgroup", "cluster"};
  return words[static_cast<unsigned>(scope)];
}

struct LaterBarrier {
  Operation *operator->() { return op; }
  ArrayAttr getAddressSpacesAttr() { return spaces; }
  LaterScope getScope() { return scope; }

  Operation *op;
  ArrayAttr spaces;
  LaterScope scope = LaterScope::Workgroup;
};

const char *const source = R"mlir(
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %loop = scf.for %i = %c0 to %n step %c1 iter_args(%carried = %c0) -> index {
    scf.yield %carried : index
  } {test.name = "loop"}
  %two = arith.addi %c0, %c1 {test.name = "two"} : index
  gpu.barrier {test.name = "barrier"}
  return
}
)mlir";

struct MLIRVersion : testing::Test {
  TestModule module{source};

  LaterBarrier getBarrier() { return {module.get("barrier"), {}}; }
  ArrayAttr getSpaces(ArrayRef<gpu::AddressSpace> spaces) {
    SmallVector<Attribute> attrs;
    for (gpu::AddressSpace space : spaces)
      attrs.push_back(gpu::AddressSpaceAttr::get(
          module.get("barrier")->getContext(), space));
    return ArrayAttr::get(module.get("barrier")->getContext(), attrs);
  }
};
} // namespace

TEST_F(MLIRVersion, SuccessorInputs) {
  auto loop = cast<scf::ForOp>(module.get("loop"));
  auto branch = cast<RegionBranchOpInterface>(loop.getOperation());
  SmallVector<RegionSuccessor> successors;
  branch.getSuccessorRegions(RegionBranchPoint::parent(), successors);
  ASSERT_EQ(successors.size(), 2u);
  for (RegionSuccessor &successor : successors) {
    ValueRange inputs = getSuccessorInputs(branch, successor);
    ASSERT_EQ(inputs.size(), 1u);
    EXPECT_EQ(inputs.front(), successor.getSuccessor()
                                  ? Value(loop.getRegionIterArgs().front())
                                  : Value(loop.getResult(0)));
  }
}

TEST_F(MLIRVersion, LaterSuccessorInputs) {
  Region &body = module.get("loop")->getRegion(0);
  ValueRange inputs = getSuccessorInputs(LaterBranch(), LaterSuccessor{&body});
  ASSERT_EQ(inputs.size(), 2u);
  EXPECT_EQ(inputs.back(), body.getArgument(1));
}

TEST_F(MLIRVersion, BarrierWithoutClauses) {
  for (const BarrierClauses &clauses :
       {getBarrierClauses(cast<gpu::BarrierOp>(module.get("barrier"))),
        getBarrierClauses(getBarrier())}) {
    EXPECT_EQ(clauses.scope, ExecutionScope::Workgroup);
    EXPECT_TRUE(clauses.ordersWorkgroupMemory);
    EXPECT_TRUE(clauses.ordersGlobalMemory);
  }
}

TEST_F(MLIRVersion, BarrierOfSomeMemories) {
  LaterBarrier barrier = getBarrier();
  barrier.spaces = getSpaces({gpu::AddressSpace::Workgroup});
  EXPECT_TRUE(getBarrierClauses(barrier).ordersWorkgroupMemory);
  EXPECT_FALSE(getBarrierClauses(barrier).ordersGlobalMemory);
  barrier.spaces = getSpaces({});
  EXPECT_FALSE(getBarrierClauses(barrier).ordersWorkgroupMemory);
  EXPECT_FALSE(getBarrierClauses(barrier).ordersGlobalMemory);
  barrier.spaces =
      getSpaces({gpu::AddressSpace::Private, gpu::AddressSpace::Global});
  EXPECT_FALSE(getBarrierClauses(barrier).ordersWorkgroupMemory);
  EXPECT_TRUE(getBarrierClauses(barrier).ordersGlobalMemory);
}

TEST_F(MLIRVersion, BarrierOfAScope) {
  LaterBarrier barrier = getBarrier();
  barrier.scope = LaterScope::Subgroup;
  EXPECT_EQ(getBarrierClauses(barrier).scope, ExecutionScope::Subgroup);
  // Nothing is said of these.
  barrier.scope = LaterScope::Cluster;
  EXPECT_EQ(getBarrierClauses(barrier).scope, std::nullopt);
  barrier.scope = LaterScope::Thread;
  EXPECT_EQ(getBarrierClauses(barrier).scope, std::nullopt);
}

TEST_F(MLIRVersion, NamedBarrier) {
  // Any op with an operand stands for it.
  LaterBarrier barrier{module.get("two"), {}};
  EXPECT_EQ(getBarrierClauses(barrier).scope, std::nullopt);
}
