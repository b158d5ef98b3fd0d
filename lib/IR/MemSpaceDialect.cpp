//===- MemSpaceDialect.cpp - the memspace dialect -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/IR/ArgumentBounds.h"
#include "MemSpace/IR/GridSize.h"

#include "MemSpace/Target/TargetInfo.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::memspace;

#include "MemSpace/IR/MemSpaceDialect.cpp.inc"

#include "MemSpace/IR/MemSpaceAttrInterfaces.cpp.inc"

#define GET_OP_CLASSES
#include "MemSpace/IR/MemSpaceOps.cpp.inc"

void MemSpaceDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "MemSpace/IR/MemSpaceOps.cpp.inc"
      >();
  registerEncodings();
}

//===----------------------------------------------------------------------===//
// Discardable attributes
//===----------------------------------------------------------------------===//

namespace {
/// What an attribute of the dialect must be.
enum class AttributeKind { Unit, String, Number, Id, Numbers, Dictionary };

struct AttributeRule {
  StringRef name;
  AttributeKind kind;
};
} // namespace

static constexpr AttributeRule attributeRules[] = {
    {kReasonAttr, AttributeKind::String},
    {kPerSubgroupAttr, AttributeKind::Number},
    {kArenaAttr, AttributeKind::Unit},
    {kBufferAttr, AttributeKind::Id},
    {kPaddingAttr, AttributeKind::Number},
    {kInPlaceAttr, AttributeKind::Unit},
    {kCopyAttr, AttributeKind::String},
    {kCarriedAttr, AttributeKind::Unit},
    {kCollectiveAttr, AttributeKind::Unit},
    {kDisjointAttr, AttributeKind::Numbers},
    {kSubgroupDisjointAttr, AttributeKind::Numbers},
    {kWarpgroupDisjointAttr, AttributeKind::Numbers},
    {kWorkgroupDisjointAttr, AttributeKind::Numbers},
    {kForallLoopAttr, AttributeKind::Id},
    {kHazardAttr, AttributeKind::String},
    {kKeepAttr, AttributeKind::Unit},
    {kWorkgroupBytesAttr, AttributeKind::Number},
    {kSumBytesAttr, AttributeKind::Number},
    {kPeakLiveBytesAttr, AttributeKind::Number},
    {kPrivateBytesAttr, AttributeKind::Number},
    {kDynamicBytesAttr, AttributeKind::Number},
    {kKernelsAttr, AttributeKind::Dictionary},
    {kMemorySpacesAttr, AttributeKind::Dictionary},
};

static bool isOfKind(Attribute attr, AttributeKind kind) {
  switch (kind) {
  case AttributeKind::Unit:
    return isa<UnitAttr>(attr);
  case AttributeKind::String:
    return isa<StringAttr>(attr);
  case AttributeKind::Number:
  case AttributeKind::Id: {
    auto number = dyn_cast<IntegerAttr>(attr);
    return number && number.getType().isSignlessInteger(64) &&
           number.getValue().isIntN(kind == AttributeKind::Id ? 31 : 63);
  }
  case AttributeKind::Numbers:
    return isa<DenseI64ArrayAttr>(attr);
  case AttributeKind::Dictionary:
    return isa<DictionaryAttr>(attr);
  }
  llvm_unreachable("unknown kind of attribute");
}

static StringRef describe(AttributeKind kind) {
  switch (kind) {
  case AttributeKind::Unit:
    return "has no value";
  case AttributeKind::String:
    return "must be a string";
  case AttributeKind::Number:
    return "must be an i64 that is not negative";
  case AttributeKind::Id:
    return "must be an i64 from 0 to 2147483647";
  case AttributeKind::Numbers:
    return "must be an array<i64: …>";
  case AttributeKind::Dictionary:
    return "must be a dictionary";
  }
  llvm_unreachable("unknown kind of attribute");
}

LogicalResult MemSpaceDialect::verifyOperationAttribute(Operation *op,
                                                        NamedAttribute attr) {
  for (const AttributeRule &rule : attributeRules)
    if (rule.name == attr.getName().getValue() &&
        !isOfKind(attr.getValue(), rule.kind))
      return op->emitOpError()
             << "attribute '" << rule.name << "' " << describe(rule.kind)
             << "; got " << attr.getValue();
  if (attr.getName() == kGridSizeAttr || attr.getName() == kGridSymbolsAttr)
    return verifyGridSize(op);
  return success();
}

/// Of `what`, an argument or result of a function. (Its type may be anything: a
/// memref becomes a pointer in the end.)
static LogicalResult verifyTarget(Operation *op, Attribute target,
                                  StringRef what, unsigned number) {
  if (isa<ROCDL::ROCDLTargetAttr, NVVM::NVVMTargetAttr>(target))
    return success();
  return op->emitOpError() << "attribute '" << kTargetAttr << "' of " << what
                           << " " << number
                           << " must be '#rocdl.target<…>' or "
                              "'#nvvm.target<…>'; got "
                           << target;
}

LogicalResult MemSpaceDialect::verifyRegionResultAttribute(
    Operation *op, unsigned regionIndex, unsigned resultIndex,
    NamedAttribute attr) {
  if (attr.getName() != kTargetAttr)
    return success();
  return verifyTarget(op, attr.getValue(), "result", resultIndex);
}

LogicalResult MemSpaceDialect::verifyRegionArgAttribute(Operation *op,
                                                        unsigned regionIndex,
                                                        unsigned argIndex,
                                                        NamedAttribute attr) {
  StringRef name = attr.getName();
  if (name == kTargetAttr)
    return verifyTarget(op, attr.getValue(), "argument", argIndex);
  if (name == kBoundsAttr) {
    auto emitError = [&]() {
      return op->emitOpError()
             << "attribute '" << name << "' of argument " << argIndex << " ";
    };
    auto func = dyn_cast<FunctionOpInterface>(op);
    if (!func || argIndex >= func.getNumArguments())
      return emitError() << "is a promise for an argument of a function";
    return verifyBounds(emitError, func.getArgumentTypes()[argIndex],
                        attr.getValue());
  }
  if (name == kAlignmentAttr) {
    auto bytes = dyn_cast<IntegerAttr>(attr.getValue());
    if (!bytes || !bytes.getType().isInteger(64) ||
        !llvm::isPowerOf2_64(bytes.getInt()))
      return op->emitOpError()
             << "attribute '" << name << "' must be an i64 that is a power of "
             << "two; got " << attr.getValue();
  } else if (name == kWorkspaceAttr) {
    auto bytes = dyn_cast<IntegerAttr>(attr.getValue());
    if (!bytes || !bytes.getType().isInteger(64) || bytes.getInt() < 0)
      return op->emitOpError()
             << "attribute '" << name << "' must be an i64, a number of bytes; "
             << "got " << attr.getValue();
  } else if (name != kNoAliasAttr) {
    return success();
  } else if (!isa<UnitAttr>(attr.getValue())) {
    return op->emitOpError() << "attribute '" << name << "' has no value; got "
                             << attr.getValue();
  }
  auto func = dyn_cast<FunctionOpInterface>(op);
  if (!func || argIndex >= func.getNumArguments() ||
      !isa<BaseMemRefType>(func.getArgumentTypes()[argIndex]))
    return op->emitOpError()
           << "attribute '" << name << "' of argument " << argIndex
           << " says something of memory; the argument must "
              "be a memref of a function";
  return success();
}

StringRef mlir::memspace::stringifyExecutionScope(ExecutionScope scope) {
  switch (scope) {
  case ExecutionScope::Grid:
    return "grid";
  case ExecutionScope::Workgroup:
    return "workgroup";
  case ExecutionScope::Warpgroup:
    return "warpgroup";
  case ExecutionScope::Subgroup:
    return "subgroup";
  case ExecutionScope::Thread:
    return "thread";
  }
  llvm_unreachable("unknown execution scope");
}

LogicalResult ExchangeOp::verify() {
  size_t n = getInputs().size();
  if (n < 2)
    return emitOpError("needs at least two operands");
  if (getPermutation().size() != n)
    return emitOpError("needs one permutation entry for each operand");
  SmallVector<bool> seen(n);
  for (int64_t p : getPermutation()) {
    if (p < 0 || p >= static_cast<int64_t>(n) || seen[p])
      return emitOpError("'permutation' is not a permutation of its operands");
    seen[p] = true;
  }
  for (Type type : getInputs().getTypes())
    if (type != getInputs().front().getType())
      return emitOpError("operands must have one type");
  bool onTensors = isa<TensorType>(getInputs().front().getType());
  if (getResults().size() != (onTensors ? n : 0))
    return emitOpError("has one result for each tensor operand and none for "
                       "memref operands");
  for (Type type : getResultTypes())
    if (type != getInputs().front().getType())
      return emitOpError("results must have the operands' type");
  return success();
}

void ExchangeOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  for (OpOperand &operand : getInputsMutable()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    effects.emplace_back(MemoryEffects::Read::get(), &operand);
    effects.emplace_back(MemoryEffects::Write::get(), &operand);
  }
}
