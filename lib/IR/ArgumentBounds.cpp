//===- ArgumentBounds.cpp - what callers promise of numbers ---------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/IR/ArgumentBounds.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::memspace;

static constexpr llvm::StringLiteral kMin = "min", kMax = "max",
                                     kMultipleOf = "multiple_of";

//===----------------------------------------------------------------------===//
// The attribute
//===----------------------------------------------------------------------===//

/// The largest multiple of `factor` that is no larger than `number`.
static int64_t roundDown(int64_t number, int64_t factor) {
  int64_t rest = number % factor;
  return number - (rest < 0 ? rest + factor : rest);
}

int64_t NumberBounds::getNearest(int64_t number) const {
  number =
      std::min(std::max(number, min.value_or(number)), max.value_or(INT64_MAX));
  int64_t below = roundDown(number, multipleOf);
  return below >= min.value_or(below) ? below : below + multipleOf;
}

DictionaryAttr NumberBounds::getAttr(MLIRContext *context) const {
  Builder builder(context);
  NamedAttrList entries;
  if (min)
    entries.append(kMin, builder.getI64IntegerAttr(*min));
  if (max)
    entries.append(kMax, builder.getI64IntegerAttr(*max));
  if (multipleOf != 1)
    entries.append(kMultipleOf, builder.getI64IntegerAttr(multipleOf));
  return entries.getDictionary(context);
}

std::string NumberBounds::str() const {
  SmallVector<std::string> parts;
  if (min)
    parts.push_back("at least " + std::to_string(*min));
  if (max)
    parts.push_back("at most " + std::to_string(*max));
  if (multipleOf != 1)
    parts.push_back("a multiple of " + std::to_string(multipleOf));
  return llvm::join(parts, ", ");
}

static std::optional<int64_t> getNumber(DictionaryAttr dict, StringRef key) {
  auto number = dict.getAs<IntegerAttr>(key);
  if (!number || !number.getType().isSignlessInteger(64))
    return std::nullopt;
  return number.getInt();
}

NumberBounds memspace::parseBounds(Attribute attr) {
  NumberBounds bounds;
  auto dict = dyn_cast_if_present<DictionaryAttr>(attr);
  if (!dict)
    return bounds;
  bounds.min = getNumber(dict, kMin);
  bounds.max = getNumber(dict, kMax);
  bounds.multipleOf =
      std::max<int64_t>(getNumber(dict, kMultipleOf).value_or(1), 1);
  return bounds;
}

NumberBounds memspace::getPromisedBounds(Attribute attr,
                                         std::optional<int64_t> dim) {
  if (!dim)
    return parseBounds(attr);
  auto dims = dyn_cast_if_present<ArrayAttr>(attr);
  return dims && *dim >= 0 && *dim < static_cast<int64_t>(dims.size())
             ? parseBounds(dims[*dim])
             : NumberBounds();
}

NumberBounds memspace::getPromisedBounds(Value value,
                                         std::optional<int64_t> dim) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || !argument.getOwner()->isEntryBlock())
    return {};
  auto function = dyn_cast_if_present<FunctionOpInterface>(
      argument.getOwner()->getParentOp());
  // Behind the arguments are the attributions of a gpu.func.
  if (!function || argument.getArgNumber() >= function.getNumArguments())
    return {};
  return getPromisedBounds(
      function.getArgAttr(argument.getArgNumber(), kBoundsAttr), dim);
}

/// One dictionary, of an extent that is `known` or kDynamic, or of a number.
static LogicalResult
verifyNumber(llvm::function_ref<InFlightDiagnostic()> emitError, Attribute attr,
             bool isExtent, int64_t known) {
  auto dict = dyn_cast<DictionaryAttr>(attr);
  if (!dict)
    return emitError() << "takes dictionaries of 'min', 'max' and "
                          "'multiple_of'; got "
                       << attr;
  for (NamedAttribute entry : dict) {
    StringRef name = entry.getName();
    if (name != kMin && name != kMax && name != kMultipleOf)
      return emitError() << "knows 'min', 'max' and 'multiple_of', not '"
                         << name << "'";
    if (!getNumber(dict, name))
      return emitError() << "needs an i64 for '" << name << "'; got "
                         << entry.getValue();
  }
  NumberBounds bounds = parseBounds(dict);
  if (getNumber(dict, kMultipleOf).value_or(1) < 1)
    return emitError() << "needs a 'multiple_of' of 1 or more; got "
                       << *getNumber(dict, kMultipleOf);
  if (isExtent && (bounds.min.value_or(0) < 0 || bounds.max.value_or(0) < 0))
    return emitError() << "promises a negative extent: " << bounds.str();
  int64_t least = bounds.min.value_or(isExtent ? 0 : INT64_MIN);
  if (bounds.max && (*bounds.max < least ||
                     roundDown(*bounds.max, bounds.multipleOf) < least))
    return emitError() << "holds for no number: " << bounds.str();
  if (!ShapedType::isDynamic(known) && !bounds.holds(known))
    return emitError() << "promises of an extent of " << known << " that it is "
                       << bounds.str();
  return success();
}

LogicalResult
memspace::verifyBounds(llvm::function_ref<InFlightDiagnostic()> emitError,
                       Type type, Attribute attr) {
  if (type.isSignlessIntOrIndex())
    return verifyNumber(emitError, attr, /*isExtent=*/false,
                        ShapedType::kDynamic);
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || !shaped.hasRank() || isa<VectorType>(type))
    return emitError() << "says something of a number, or of the extents of a "
                          "ranked tensor or memref, not of "
                       << type;
  auto dims = dyn_cast<ArrayAttr>(attr);
  if (!dims || static_cast<int64_t>(dims.size()) != shaped.getRank())
    return emitError() << "needs an array of one dictionary for each of the "
                       << shaped.getRank() << " dimensions of " << type
                       << "; got " << attr;
  for (auto [bounds, extent] : llvm::zip_equal(dims, shaped.getShape()))
    if (failed(verifyNumber(emitError, bounds, /*isExtent=*/true, extent)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Value bounds
//===----------------------------------------------------------------------===//

namespace {
/// The function says what is known of its arguments.
template <typename OpT>
struct ArgumentModel
    : public ValueBoundsOpInterface::ExternalModel<ArgumentModel<OpT>, OpT> {
  void populateBoundsForIndexValue(Operation *, Value value,
                                   ValueBoundsConstraintSet &set) const {
    NumberBounds bounds = getPromisedBounds(value, std::nullopt);
    if (bounds.min)
      set.bound(value) >= *bounds.min;
    if (bounds.max)
      set.bound(value) <= roundDown(*bounds.max, bounds.multipleOf);
  }

  void populateBoundsForShapedValueDim(Operation *, Value value, int64_t dim,
                                       ValueBoundsConstraintSet &set) const {
    NumberBounds bounds = getPromisedBounds(value, dim);
    if (bounds.min)
      set.bound(value)[dim] >= *bounds.min;
    if (bounds.max)
      set.bound(value)[dim] <= roundDown(*bounds.max, bounds.multipleOf);
  }
};

/// A tensor has the extents of its memory.
struct ToTensorModel
    : public ValueBoundsOpInterface::ExternalModel<ToTensorModel,
                                                   bufferization::ToTensorOp> {
  void populateBoundsForShapedValueDim(Operation *op, Value value, int64_t dim,
                                       ValueBoundsConstraintSet &set) const {
    set.bound(value)[dim] ==
        set.getExpr(cast<bufferization::ToTensorOp>(op).getBuffer(), dim);
  }
};
} // namespace

void memspace::registerArgumentBoundsExternalModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, func::FuncDialect *) {
    func::FuncOp::attachInterface<ArgumentModel<func::FuncOp>>(*context);
  });
  registry.addExtension(
      +[](MLIRContext *context, bufferization::BufferizationDialect *) {
        bufferization::ToTensorOp::attachInterface<ToTensorModel>(*context);
      });
  registry.addExtension(+[](MLIRContext *context, gpu::GPUDialect *) {
    gpu::GPUFuncOp::attachInterface<ArgumentModel<gpu::GPUFuncOp>>(*context);
  });
}
