//===- TargetInfoTest.cpp - the chip table and its queries -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Target/TargetInfo.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::memspace;

namespace {

struct IRTarget : public ::testing::Test {
  IRTarget() {
    context.loadDialect<DLTIDialect, func::FuncDialect, gpu::GPUDialect,
                        NVVM::NVVMDialect, ROCDL::ROCDLDialect>();
  }

  /// The target of the function `k` of `source`.
  FailureOr<std::optional<TargetInfo>> get(StringRef source) {
    module = parseSourceString<ModuleOp>(source, &context);
    Operation *kernel = nullptr;
    module->walk([&](FunctionOpInterface func) { kernel = func; });
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diag) {
      error = diag.str();
      return success();
    });
    return getTargetFromIR(kernel);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::string error;
};

TEST(TargetInfo, EveryChipIsConsistent) {
  SmallVector<StringRef> chips;
  std::string known = getKnownChips();
  StringRef(known).split(chips, ", ");
  EXPECT_EQ(chips.size(), 15u);
  for (StringRef chip : chips) {
    std::optional<TargetInfo> target = lookupTarget(chip);
    ASSERT_TRUE(target) << chip.str();
    EXPECT_EQ(target->chip, chip.str());
    EXPECT_NE(target->vendor, TargetVendor::Generic);
    EXPECT_LE(target->workgroupBytes, target->maxWorkgroupBytes);
    EXPECT_LE(target->maxWorkgroupBytes + target->reservedWorkgroupBytes,
              target->unitWorkgroupBytes);
    EXPECT_EQ(target->unitWorkgroupBytes % target->workgroupGranularityBytes,
              0);
    EXPECT_EQ(target->unitThreads % target->subgroupSize, 0);
    EXPECT_TRUE(llvm::isPowerOf2_64(target->banks));
    // What the limits allow fits on an idle unit.
    EXPECT_GE(
        target->getOccupancy(target->maxWorkgroupBytes, target->maxThreads), 1);
  }
}

TEST(TargetInfo, Numbers) {
  EXPECT_EQ(lookupTarget("gfx942")->workgroupBytes, 65536);
  EXPECT_EQ(lookupTarget("gfx942")->subgroupSize, 64);
  EXPECT_EQ(lookupTarget("gfx950")->maxWorkgroupBytes, 163840);
  EXPECT_EQ(lookupTarget("gfx1100")->subgroupSize, 32);
  EXPECT_EQ(lookupTarget("sm_90")->workgroupBytes, 49152);
  EXPECT_EQ(lookupTarget("sm_90")->maxWorkgroupBytes, 232448);
  EXPECT_EQ(lookupTarget("sm_89")->maxWorkgroupBytes, 101376);
  EXPECT_EQ(lookupTarget("gfx942")->banks, 32);
  EXPECT_EQ(lookupTarget("gfx950")->banks, 64);
  EXPECT_EQ(lookupTarget("sm_90")->banks, 32);
  EXPECT_EQ(lookupTarget("sm_90")->bankBytes, 4);
}

TEST(TargetInfo, VariantsOfAChip) {
  EXPECT_EQ(lookupTarget("sm_90a")->maxWorkgroupBytes, 232448);
  EXPECT_EQ(lookupTarget("sm_90a")->chip, "sm_90a");
  EXPECT_TRUE(lookupTarget("sm_100f"));
  EXPECT_TRUE(lookupTarget("gfx942:sramecc+:xnack-"));
  EXPECT_FALSE(lookupTarget("gfx90"));
  EXPECT_FALSE(lookupTarget("sm_"));
  EXPECT_FALSE(lookupTarget("sm_90b"));
  EXPECT_FALSE(lookupTarget(""));
}

TEST(TargetInfo, Occupancy) {
  TargetInfo sm90 = *lookupTarget("sm_90");
  // Threads: 2048 / 256; slots: 32; memory: (100 KiB + 1 KiB) twice in 228.
  EXPECT_EQ(sm90.getOccupancy(0, 256), 8);
  EXPECT_EQ(sm90.getOccupancy(0, 32), 32);
  EXPECT_EQ(sm90.getOccupancy(100 * 1024, 256), 2);
  EXPECT_EQ(sm90.getOccupancy(113 * 1024 + 1, 256), 1);
  EXPECT_EQ(sm90.getOccupancy(227 * 1024, 1024), 1);
  EXPECT_EQ(sm90.getOccupancy(227 * 1024 + 1, 32), 0);
  EXPECT_EQ(sm90.getOccupancy(0, 1025), 0);
  EXPECT_EQ(sm90.getOccupancy(0, 0), 0);

  TargetInfo gfx942 = *lookupTarget("gfx942");
  EXPECT_EQ(gfx942.getOccupancy(0, 128), 16);
  // A single wave needs no barrier slot; 65 threads are two waves.
  EXPECT_EQ(gfx942.getOccupancy(0, 64), 32);
  EXPECT_EQ(gfx942.getOccupancy(0, 65), 16);
  // 513 bytes take two granules of 512.
  EXPECT_EQ(gfx942.getOccupancy(16384, 64), 4);
  EXPECT_EQ(gfx942.getOccupancy(16385, 64), 3);
}

TEST_F(IRTarget, TargetAttributes) {
  auto target = get(R"mlir(
    gpu.module @m [#rocdl.target<chip = "gfx90a">] {
      gpu.func @k() kernel { gpu.return }
    })mlir");
  ASSERT_TRUE(succeeded(target) && *target);
  EXPECT_EQ((*target)->chip, "gfx90a");

  target = get(R"mlir(
    module attributes {gpu.target = #rocdl.target<chip = "gfx942">} {
      func.func @k() attributes {memspace.target = #nvvm.target<chip = "sm_80">} {
        return
      }
    })mlir");
  ASSERT_TRUE(succeeded(target) && *target);
  EXPECT_EQ((*target)->chip, "sm_80");

  target = get(R"mlir(
    func.func @k() attributes {gpu.target =
        #rocdl.target<chip = "gfx1100", features = "+wavefrontsize64">} {
      return
    })mlir");
  ASSERT_TRUE(succeeded(target) && *target);
  EXPECT_EQ((*target)->subgroupSize, 64);
}

TEST_F(IRTarget, NoTargetIsNoError) {
  auto target = get("func.func @k() { return }");
  ASSERT_TRUE(succeeded(target));
  EXPECT_FALSE(*target);
}

TEST_F(IRTarget, UnknownChip) {
  EXPECT_TRUE(failed(get(R"mlir(
    func.func @k() attributes {gpu.target = #nvvm.target<chip = "sm_1">} {
      return
    })mlir")));
  EXPECT_NE(error.find("unknown chip 'sm_1'; known chips: gfx906"),
            std::string::npos);
}

TEST_F(IRTarget, DeviceSpec) {
  auto target = get(R"mlir(
    module attributes {dlti.target_system_spec = #dlti.target_system_spec<
      "GPU" = #dlti.target_device_spec<"chip" = "sm_80",
                                       "max_workgroup_bytes" = 65536 : i64,
                                       "banks" = 16 : i64,
                                       "bank_bytes" = 8 : i64,
                                       "subgroup_size" = 16 : i32>>} {
      func.func @k() { return }
    })mlir");
  ASSERT_TRUE(succeeded(target) && *target);
  EXPECT_EQ((*target)->chip, "sm_80");
  EXPECT_EQ((*target)->maxWorkgroupBytes, 65536);
  EXPECT_EQ((*target)->subgroupSize, 16);
  EXPECT_EQ((*target)->banks, 16);
  EXPECT_EQ((*target)->bankBytes, 8);

  target = get(R"mlir(
    module attributes {dlti.target_system_spec = #dlti.target_system_spec<
      "GPU" = #dlti.target_device_spec<"workgroup_bytes" = 131072 : i64>>} {
      func.func @k() { return }
    })mlir");
  ASSERT_TRUE(succeeded(target) && *target);
  EXPECT_EQ((*target)->chip, "generic");
  EXPECT_EQ((*target)->maxWorkgroupBytes, 131072);

  // Less is less, where the GPU has no opt-in.
  for (StringRef chip : {"", "\"chip\" = \"gfx942\", "}) {
    target = get((R"mlir(
      module attributes {dlti.target_system_spec = #dlti.target_system_spec<
        "GPU" = #dlti.target_device_spec<)mlir" +
                  chip + R"mlir("workgroup_bytes" = 16384 : i64>>} {
        func.func @k() { return }
      })mlir")
                     .str());
    ASSERT_TRUE(succeeded(target) && *target);
    EXPECT_EQ((*target)->workgroupBytes, 16384);
    EXPECT_EQ((*target)->maxWorkgroupBytes, 16384);
  }
  target = get(R"mlir(
    module attributes {dlti.target_system_spec = #dlti.target_system_spec<
      "GPU" = #dlti.target_device_spec<"chip" = "sm_90",
                                       "workgroup_bytes" = 16384 : i64>>} {
      func.func @k() { return }
    })mlir");
  ASSERT_TRUE(succeeded(target) && *target);
  EXPECT_EQ((*target)->maxWorkgroupBytes, 227 * 1024);

  target = get(R"mlir(
    module attributes {dlti.target_system_spec = #dlti.target_system_spec<
      "CPU" = #dlti.target_device_spec<"workgroup_bytes" = 1 : i64>>} {
      func.func @k() { return }
    })mlir");
  ASSERT_TRUE(succeeded(target));
  EXPECT_FALSE(*target);
}

TEST_F(IRTarget, MalformedDeviceSpec) {
  EXPECT_TRUE(failed(get(R"mlir(
    module attributes {dlti.target_system_spec = #dlti.target_system_spec<
      "GPU" = #dlti.target_device_spec<"workgroup_bytes" = "many">>} {
      func.func @k() { return }
    })mlir")));
  EXPECT_EQ(error, "entry 'workgroup_bytes' of the device spec 'GPU' must be a "
                   "positive integer");
  EXPECT_TRUE(failed(get(R"mlir(
    module attributes {dlti.target_system_spec = #dlti.target_system_spec<
      "GPU" = #dlti.target_device_spec<"subgroup_size" = -4 : i64>>} {
      func.func @k() { return }
    })mlir")));
}

TEST(TargetInfoTest, OccupancyBounds) {
  TargetInfo sm90 = *lookupTarget("sm_90");
  OccupancyBounds bounds = sm90.getOccupancyBounds(100 * 1024, 256);
  EXPECT_EQ(bounds.memory, 2);
  EXPECT_EQ(bounds.threads, 8);
  EXPECT_EQ(bounds.slots, 32);
  EXPECT_EQ(bounds.getWorkgroups(), sm90.getOccupancy(100 * 1024, 256));
  // One wave on AMD takes no slot, no memory is no bound.
  TargetInfo gfx942 = *lookupTarget("gfx942");
  bounds = gfx942.getOccupancyBounds(0, 64);
  EXPECT_EQ(bounds.memory, std::nullopt);
  EXPECT_EQ(bounds.slots, std::nullopt);
  EXPECT_EQ(bounds.getWorkgroups(), 32);
}

// The most bytes for an occupancy have it, and one more byte does not.
TEST(TargetInfoTest, MaxBytesForOccupancy) {
  for (const TargetInfo &target : getKnownTargets())
    for (int64_t workgroups : {1, 2, 3, 5, 7, 8}) {
      int64_t bytes = target.getMaxBytesForOccupancy(workgroups);
      ASSERT_GE(bytes, 0) << target.chip;
      EXPECT_GE(target.getOccupancy(bytes, 64), workgroups) << target.chip;
      EXPECT_LT(target.getOccupancy(bytes + 1, 64), workgroups) << target.chip;
    }
}

TEST(TargetInfoTest, KnownTargets) {
  std::string names;
  for (const TargetInfo &target : getKnownTargets()) {
    names += (names.empty() ? "" : ", ") + target.chip;
    EXPECT_EQ(lookupTarget(target.chip)->maxWorkgroupBytes,
              target.maxWorkgroupBytes);
  }
  EXPECT_EQ(names, getKnownChips());
}

} // namespace
