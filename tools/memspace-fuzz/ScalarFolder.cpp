//===- ScalarFolder.cpp - scalar ops evaluated by their own fold -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScalarFolder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::memspace::fuzz;

bool ScalarFolder::accepts(Operation *op) {
  auto isScalar = [](Type type) { return type.isIntOrIndexOrFloat(); };
  return op->getNumRegions() == 0 && op->getNumSuccessors() == 0 &&
         op->getNumOperands() > 0 && op->getNumResults() > 0 &&
         isMemoryEffectFree(op) &&
         llvm::all_of(op->getOperandTypes(), isScalar) &&
         llvm::all_of(op->getResultTypes(), isScalar);
}

Operation *ScalarFolder::getClone(Operation *op) {
  Operation *&clone = clones[op];
  if (clone)
    return clone;
  IRMapping mapping;
  for (Value operand : op->getOperands())
    if (!mapping.contains(operand))
      mapping.map(operand,
                  scratch.addArgument(operand.getType(), op->getLoc()));
  clone = op->clone(mapping);
  scratch.push_back(clone);
  return clone;
}

/// `arith.truncf`, whose folder refuses what it would have to round. The
/// default mode is what every lowering does.
static Attribute roundFloat(Operation *op, ArrayRef<Attribute> operands) {
  auto truncOp = dyn_cast<arith::TruncFOp>(op);
  auto type = dyn_cast<FloatType>(op->getResult(0).getType());
  if (!truncOp || !type || truncOp.getRoundingmode())
    return {};
  APFloat value = cast<FloatAttr>(operands.front()).getValue();
  bool losesInfo;
  value.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  return FloatAttr::get(type, value);
}

LogicalResult ScalarFolder::fold(Operation *op, ArrayRef<Attribute> operands,
                                 SmallVectorImpl<Attribute> &results) {
  if (Attribute rounded = roundFloat(op, operands)) {
    results.push_back(rounded);
    return success();
  }
  Operation *clone = getClone(op);
  // Some folders rewrite the op in place first (operands in another order, a
  // simpler map); the clone is then specific to these operands.
  SmallVector<Attribute> current(operands);
  for (int attempt = 0; attempt < 4; ++attempt) {
    SmallVector<Value> before(clone->getOperands());
    SmallVector<OpFoldResult, 2> folded;
    if (failed(clone->fold(current, folded)))
      break;
    if (folded.empty()) {
      clones.erase(op);
      SmallVector<Attribute> moved;
      for (Value operand : clone->getOperands())
        moved.push_back(current[llvm::find(before, operand) - before.begin()]);
      current = moved;
      continue;
    }
    for (OpFoldResult result : folded) {
      Attribute value = dyn_cast<Attribute>(result);
      if (!value)
        value = current[llvm::find(clone->getOperands(), cast<Value>(result)) -
                        clone->operand_begin()];
      results.push_back(isa_and_present<ub::PoisonAttr>(value) ? Attribute()
                                                               : value);
    }
    return success();
  }
  return failure();
}
