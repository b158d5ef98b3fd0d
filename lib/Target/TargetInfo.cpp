//===- TargetInfo.cpp - the chip table -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Target/TargetInfo.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// The chips
//===----------------------------------------------------------------------===//

namespace {
/// One row of the chip table; the columns are the fields of TargetInfo.
struct ChipRow {
  llvm::StringLiteral chip;
  TargetVendor vendor;
  int64_t staticKiB, optInKiB, unitKiB;
  int64_t granularityBytes, reservedBytes;
  int64_t unitThreads, unitWorkgroups, subgroupSize, banks;
  llvm::StringLiteral backendFeatures;
};
} // namespace

// Sources, by column.
//
// AMD (the unit is a CU on gfx9, a WGP of two CUs on gfx10 and later, where
// WGP mode is the compiler's default):
//  * static/opt-in and unit KiB: LLVM AMDGPU.td, FeatureAddressableLocalMemory-
//    Size65536 (163840 on gfx950) and IsaInfo::getLocalMemorySize(), which
//    doubles it in WGP mode. No opt-in exists.
//  * granularity: LLVM AMDGPUBaseInfo getLdsDwGranularity() (128 dwords, 320
//    with 160 KiB); gfx10.3 and later allocate 1024 B (Mesa, ACO
//    lds_alloc_granule).
//  * threads: IsaInfo::getMaxWavesPerEU() (10; 8 from gfx90a on; 16 from
//    gfx10.3 on) times four EUs times the wave size.
//  * workgroups: the barrier slots of IsaInfo::getMaxWorkGroupsPerCU() (16; 32
//    in WGP mode); a workgroup of one wave needs none, see getOccupancy().
//  * subgroup: LLVM AMDGPUUsage, wavefrontsize64 (gfx9) and wavefrontsize32.
//  * banks: LLVM AMDGPU.td, FeatureLDSBankCount32; gfx950: CDNA4 ISA Reference
//    Guide, section 2.2.1 (64 banks of 640 words; LLVM follows it from
//    llvm-project#220632 on). Words of 4 B: ROCm, "Understanding AMD GPU LDS
//    and Bank Conflicts". The two sets of 32 banks of a WGP count as 32.
//
// NVIDIA (the unit is an SM):
//  * static: CUDA C++ Programming Guide, "Shared Memory" of each compute
//    capability: 48 KB, above that the dynamic form and an opt-in.
//  * opt-in, unit KiB, threads, workgroups: ibid., table "Technical
//    Specifications per Compute Capability".
//  * reserved: ibid.: 1 KB for each thread block from compute capability 8.0
//  on.
//  * granularity: CUDA's cuda_occupancy.h, cudaOccSMemAllocationGranularity():
//    256 B, 128 B from compute capability 8.0 on.
//  * banks: CUDA C++ Programming Guide, "Shared Memory" of each compute
//    capability: 32 banks, successive words of 32 bits in successive banks.
//  * features: the PTX ISA that knows the chip with its "a" and "f" variants
//    (PTX ISA, release notes); the backend's default is older.
static constexpr TargetVendor AMD = TargetVendor::AMD;
static constexpr TargetVendor NVIDIA = TargetVendor::NVIDIA;
static const ChipRow chipTable[] = {
    // chip  vendor  stat opt unit gran resv threads wgs subgroup banks features
    {"gfx906", AMD, 64, 64, 64, 512, 0, 2560, 16, 64, 32, ""},
    {"gfx90a", AMD, 64, 64, 64, 512, 0, 2048, 16, 64, 32, ""},
    {"gfx942", AMD, 64, 64, 64, 512, 0, 2048, 16, 64, 32, ""},
    {"gfx950", AMD, 160, 160, 160, 1280, 0, 2048, 16, 64, 64, ""},
    {"gfx1030", AMD, 64, 64, 128, 1024, 0, 2048, 32, 32, 32, ""},
    {"gfx1100", AMD, 64, 64, 128, 1024, 0, 2048, 32, 32, 32, ""},
    {"gfx1200", AMD, 64, 64, 128, 1024, 0, 2048, 32, 32, 32, ""},
    {"sm_70", NVIDIA, 48, 96, 96, 256, 0, 2048, 32, 32, 32, "+ptx80"},
    {"sm_75", NVIDIA, 48, 64, 64, 256, 0, 1024, 16, 32, 32, "+ptx80"},
    {"sm_80", NVIDIA, 48, 163, 164, 128, 1024, 2048, 32, 32, 32, "+ptx80"},
    {"sm_86", NVIDIA, 48, 99, 100, 128, 1024, 1536, 16, 32, 32, "+ptx80"},
    {"sm_89", NVIDIA, 48, 99, 100, 128, 1024, 1536, 24, 32, 32, "+ptx80"},
    {"sm_90", NVIDIA, 48, 227, 228, 128, 1024, 2048, 32, 32, 32, "+ptx80"},
    {"sm_100", NVIDIA, 48, 227, 228, 128, 1024, 2048, 32, 32, 32, "+ptx88"},
    {"sm_120", NVIDIA, 48, 99, 100, 128, 1024, 1536, 24, 32, 32, "+ptx88"},
};

static TargetInfo makeTarget(const ChipRow &row) {
  TargetInfo target;
  target.chip = row.chip.str();
  target.vendor = row.vendor;
  target.workgroupBytes = row.staticKiB * 1024;
  target.maxWorkgroupBytes = row.optInKiB * 1024;
  target.unitWorkgroupBytes = row.unitKiB * 1024;
  target.workgroupGranularityBytes = row.granularityBytes;
  target.reservedWorkgroupBytes = row.reservedBytes;
  target.unitThreads = row.unitThreads;
  target.unitWorkgroups = row.unitWorkgroups;
  target.subgroupSize = row.subgroupSize;
  target.banks = row.banks;
  target.backendFeatures = row.backendFeatures.str();
  return target;
}

/// A name without the parts that select a variant of one chip: AMD's target id
/// features ("gfx942:sramecc+") and NVIDIA's architecture suffix ("sm_90a").
static StringRef getBaseChip(StringRef chip) {
  chip = chip.split(':').first;
  if (chip.starts_with("sm_") && !chip.empty() &&
      (chip.back() == 'a' || chip.back() == 'f'))
    chip = chip.drop_back();
  return chip;
}

TargetInfo TargetInfo::getAnyGPU() {
  TargetInfo target;
  target.chip = "any GPU";
  target.subgroupSize = 0;
  return target;
}

std::optional<TargetInfo> mlir::memspace::lookupTarget(StringRef chip) {
  StringRef base = getBaseChip(chip);
  for (const ChipRow &row : chipTable)
    if (row.chip == base) {
      TargetInfo target = makeTarget(row);
      target.chip = chip.str();
      return target;
    }
  return std::nullopt;
}

SmallVector<TargetInfo> mlir::memspace::getKnownTargets() {
  return llvm::map_to_vector(chipTable, makeTarget);
}

std::string mlir::memspace::getKnownChips() {
  std::string names;
  for (const ChipRow &row : chipTable) {
    if (!names.empty())
      names += ", ";
    names += row.chip;
  }
  return names;
}

//===----------------------------------------------------------------------===//
// Occupancy
//===----------------------------------------------------------------------===//

int64_t TargetInfo::getOccupancy(int64_t workgroupBytes,
                                 int64_t threads) const {
  if (workgroupBytes < 0 || workgroupBytes > maxWorkgroupBytes ||
      threads <= 0 || threads > maxThreads)
    return 0;
  return getOccupancyBounds(workgroupBytes, threads).getWorkgroups();
}

OccupancyBounds TargetInfo::getOccupancyBounds(int64_t workgroupBytes,
                                               int64_t threads) const {
  OccupancyBounds bounds;
  // Threads come in whole subgroups, where their size is known.
  int64_t unit = std::max<int64_t>(subgroupSize, 1);
  int64_t subgroups = llvm::divideCeil(threads, unit);
  bounds.threads = unitThreads / (subgroups * unit);
  // On AMD the slots are barriers, which one wave alone does not need.
  if (vendor != TargetVendor::AMD || subgroups > 1)
    bounds.slots = unitWorkgroups;
  int64_t bytes = llvm::alignTo(workgroupBytes + reservedWorkgroupBytes,
                                workgroupGranularityBytes);
  if (bytes > 0)
    bounds.memory = unitWorkgroupBytes / bytes;
  return bounds;
}

int64_t TargetInfo::getMaxBytesForOccupancy(int64_t workgroups) const {
  int64_t share = llvm::alignDown(unitWorkgroupBytes / workgroups,
                                  workgroupGranularityBytes);
  return std::min(share - reservedWorkgroupBytes, maxWorkgroupBytes);
}

//===----------------------------------------------------------------------===//
// Targets in the IR
//===----------------------------------------------------------------------===//

static FailureOr<std::optional<TargetInfo>> lookupOrFail(Operation *op,
                                                         StringRef chip) {
  if (std::optional<TargetInfo> target = lookupTarget(chip))
    return target;
  return op->emitError() << "unknown chip '" << chip
                         << "'; known chips: " << getKnownChips();
}

FailureOr<std::optional<TargetInfo>>
mlir::memspace::getTargetFromAttr(Operation *op, Attribute attr) {
  if (auto nvvm = dyn_cast_or_null<NVVM::NVVMTargetAttr>(attr))
    return lookupOrFail(op, nvvm.getChip());
  auto rocdl = dyn_cast_or_null<ROCDL::ROCDLTargetAttr>(attr);
  if (!rocdl)
    return std::optional<TargetInfo>();
  FailureOr<std::optional<TargetInfo>> target =
      lookupOrFail(op, rocdl.getChip());
  // Wave32 chips also run wave64 code when asked for.
  SmallVector<StringRef> features;
  rocdl.getFeatures().split(features, ',', -1, /*KeepEmpty=*/false);
  if (succeeded(target) && llvm::is_contained(features, "+wavefrontsize64"))
    (*target)->subgroupSize = 64;
  return target;
}

namespace {
/// A number of TargetInfo that a DLTI device spec may give.
struct DeviceProperty {
  llvm::StringLiteral key;
  int64_t TargetInfo::*field;
};
} // namespace

/// Keys of the entries that are read from the device "GPU" of a
/// `dlti.target_system_spec`; each takes an integer attribute. `"chip"` takes a
/// string and is applied first.
static const DeviceProperty deviceProperties[] = {
    {"workgroup_bytes", &TargetInfo::workgroupBytes},
    {"max_workgroup_bytes", &TargetInfo::maxWorkgroupBytes},
    {"workgroup_granularity_bytes", &TargetInfo::workgroupGranularityBytes},
    {"unit_workgroup_bytes", &TargetInfo::unitWorkgroupBytes},
    {"unit_threads", &TargetInfo::unitThreads},
    {"unit_workgroups", &TargetInfo::unitWorkgroups},
    {"reserved_workgroup_bytes", &TargetInfo::reservedWorkgroupBytes},
    {"banks", &TargetInfo::banks},
    {"bank_bytes", &TargetInfo::bankBytes},
    {"subgroup_size", &TargetInfo::subgroupSize},
    {"max_threads", &TargetInfo::maxThreads},
    {"private_bytes", &TargetInfo::privateBytes},
    {"index_bytes", &TargetInfo::indexBytes},
};

/// Reads the device "GPU" of a system spec. None when it has no entry of ours.
static FailureOr<std::optional<TargetInfo>>
getFromSystemSpec(Operation *op, TargetSystemSpecInterface system) {
  std::optional<TargetDeviceSpecInterface> device =
      system.getDeviceSpecForDeviceID(StringAttr::get(op->getContext(), "GPU"));
  if (!device)
    return std::optional<TargetInfo>();

  llvm::StringMap<Attribute> entries;
  for (DataLayoutEntryInterface entry : device->getEntries())
    if (auto key = llvm::dyn_cast_if_present<StringAttr>(entry.getKey()))
      entries[key.getValue()] = entry.getValue();

  std::optional<TargetInfo> target, named;
  if (Attribute chip = entries.lookup("chip")) {
    auto name = dyn_cast<StringAttr>(chip);
    if (!name)
      return op->emitError()
             << "entry 'chip' of the device spec 'GPU' must be a string";
    FailureOr<std::optional<TargetInfo>> found =
        lookupOrFail(op, name.getValue());
    if (failed(found))
      return failure();
    target = named = *found;
  }
  for (const DeviceProperty &property : deviceProperties) {
    Attribute value = entries.lookup(property.key);
    if (!value)
      continue;
    auto number = dyn_cast<IntegerAttr>(value);
    bool mayBeZero = property.field == &TargetInfo::reservedWorkgroupBytes;
    if (!number || !number.getValue().isSignedIntN(64) ||
        number.getInt() < (mayBeZero ? 0 : 1))
      return op->emitError() << "entry '" << property.key
                             << "' of the device spec 'GPU' must be a "
                                "positive integer";
    if (!target)
      target = TargetInfo();
    (*target).*property.field = number.getInt();
  }
  if (!target)
    return target;
  // Without an opt-in of its own, what a kernel may use is the most.
  TargetInfo before = named ? *named : TargetInfo();
  bool hasOptIn = before.maxWorkgroupBytes > before.workgroupBytes;
  bool isGiven = entries.contains("max_workgroup_bytes");
  if (!isGiven && !hasOptIn)
    target->maxWorkgroupBytes = target->workgroupBytes;
  target->maxWorkgroupBytes =
      std::max(target->maxWorkgroupBytes, target->workgroupBytes);
  return target;
}

FailureOr<std::optional<TargetInfo>>
mlir::memspace::getTargetFromIR(Operation *op) {
  for (Operation *current = op; current; current = current->getParentOp()) {
    SmallVector<Attribute> candidates;
    if (auto targets = current->getAttrOfType<ArrayAttr>("targets"))
      llvm::append_range(candidates, targets);
    candidates.push_back(current->getAttr(kTargetAttr));
    candidates.push_back(current->getAttr("gpu.target"));
    for (Attribute attr : candidates) {
      FailureOr<std::optional<TargetInfo>> target = getTargetFromAttr(op, attr);
      if (failed(target) || *target)
        return target;
    }
  }
  for (Operation *current = op; current; current = current->getParentOp())
    for (NamedAttribute named : current->getAttrs())
      if (auto system = dyn_cast<TargetSystemSpecInterface>(named.getValue()))
        return getFromSystemSpec(op, system);
  return std::optional<TargetInfo>();
}
