//===- UnsynchronizableHazards.cpp - races that no barrier cures -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UnsynchronizableHazards.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace mlir::memspace;

/// ": thread … and thread … touch byte …", if there is a witness.
static std::string getExample(const std::optional<HazardWitness> &witness) {
  return witness ? ": " + witness->str() : "";
}

/// The example is written for readers only: to name its values, the whole
/// kernel is numbered.
static void emitRemark(const HazardAnalysis &hazards, Operation *op,
                       StringRef text,
                       const std::optional<HazardWitness> &witness) {
  auto remark = remark::analysis(op->getLoc(),
                                 remark::RemarkOpts::name("race")
                                     .category("memspace")
                                     .function(hazards.getKernel().getName()));
  if (remark)
    remark << text.str() + getExample(witness);
}

static LogicalResult reportSelf(const HazardAnalysis &hazards,
                                const SelfHazard &self) {
  Operation *op = hazards.getAccesses()[self.access].op;
  if (self.proof == HazardProof::Promised)
    return success();
  if (self.idempotent) {
    emitRemark(hazards, op,
               "different threads store an equal value to one place",
               self.witness);
    return success();
  }
  if (self.proof == HazardProof::Unproven) {
    emitRemark(hazards, op, "different threads may write to one place at once",
               self.witness);
    return success();
  }
  op->emitError("different threads write to one place at once; distribute it "
                "over the threads, guard it to one thread, or use an atomic")
          .attachNote()
      << self.witness->str();
  return failure();
}

static LogicalResult reportWorkgroups(const HazardAnalysis &hazards,
                                      const WorkgroupHazard &hazard) {
  Operation *a = hazards.getAccesses()[hazard.first].op;
  Operation *b = hazards.getAccesses()[hazard.second].op;
  if (hazard.proof == HazardProof::Promised)
    return success();
  if (hazard.idempotent || hazard.proof != HazardProof::Certain) {
    emitRemark(hazards, a,
               hazard.idempotent
                   ? "different workgroups store an equal value to one place"
                   : "different workgroups may touch one place",
               hazard.witness);
    return success();
  }
  InFlightDiagnostic diag =
      a->emitError("different workgroups touch one place, and no barrier "
                   "orders workgroups; split the kernel or use atomics");
  diag.attachNote() << hazard.witness->str();
  if (a != b)
    diag.attachNote(b->getLoc()) << "the other access";
  return failure();
}

LogicalResult
mlir::memspace::reportUnsynchronizableHazards(const HazardAnalysis &hazards,
                                              const Uniformity &uniformity) {
  bool hasFailed = false;
  for (const SelfHazard &self :
       hazards.getSelfHazards([&](Value value, ValueRange equal) {
         return uniformity.isSameWhere(value, equal);
       }))
    hasFailed |= failed(reportSelf(hazards, self));
  for (const WorkgroupHazard &hazard : hazards.getWorkgroupHazards())
    hasFailed |= failed(reportWorkgroups(hazards, hazard));
  return failure(hasFailed);
}
