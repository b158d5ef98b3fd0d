//===- GridSize.cpp - the grid that a kernel needs -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/IR/GridSize.h"
#include "MemSpace/IR/AttributeNames.h"
#include "mlir/IR/AffineExprVisitor.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

std::optional<GridSize> GridSize::get(Operation *kernel) {
  auto maps = kernel->getAttrOfType<ArrayAttr>(kGridSizeAttr);
  auto pairs = kernel->getAttrOfType<DenseI64ArrayAttr>(kGridSymbolsAttr);
  if (!maps || !pairs)
    return std::nullopt;
  GridSize size;
  for (auto map : maps.getAsRange<AffineMapAttr>())
    size.extents.push_back(map.getValue());
  ArrayRef<int64_t> numbers = pairs.asArrayRef();
  for (size_t i = 0; i + 1 < numbers.size(); i += 2)
    size.symbols.push_back({unsigned(numbers[i]), numbers[i + 1]});
  return size;
}

void GridSize::record(Operation *kernel) const {
  Builder builder(kernel->getContext());
  SmallVector<int64_t> pairs;
  for (const Symbol &symbol : symbols)
    pairs.append({int64_t(symbol.argument), symbol.dimension});
  kernel->setAttr(kGridSizeAttr, builder.getAffineMapArrayAttr(extents));
  kernel->setAttr(kGridSymbolsAttr, builder.getDenseI64ArrayAttr(pairs));
}

static bool isNumber(Type type) {
  return type.isIndex() || type.isSignlessInteger();
}

/// True when argument and dimension are some of `func`. What LLVM has made of
/// the arguments is not looked at.
static bool isSymbolOf(FunctionOpInterface func, int64_t argument,
                       int64_t dimension) {
  if (!isa<FunctionType>(func.getFunctionType()))
    return true;
  if (argument < 0 || argument >= int64_t(func.getNumArguments()))
    return false;
  Type type = func.getArgumentTypes()[argument];
  if (dimension == GridSize::Symbol::kValue)
    return isNumber(type);
  auto memref = dyn_cast<MemRefType>(type);
  return memref && dimension >= 0 && dimension < memref.getRank();
}

LogicalResult mlir::memspace::verifyGridSize(Operation *kernel) {
  auto maps = kernel->getAttrOfType<ArrayAttr>(kGridSizeAttr);
  auto pairs = kernel->getAttrOfType<DenseI64ArrayAttr>(kGridSymbolsAttr);
  auto fail = [&](const Twine &what) {
    return kernel->emitOpError() << "attributes '" << kGridSizeAttr << "' and '"
                                 << kGridSymbolsAttr << "' " << what;
  };
  if (!maps || !pairs)
    return fail("belong together: an array of affine maps and an array<i64: "
                "…> of pairs");
  ArrayRef<int64_t> numbers = pairs.asArrayRef();
  bool areMaps = (maps.size() == 1 || maps.size() == 3) &&
                 llvm::all_of(maps, [&](Attribute attr) {
                   auto map = dyn_cast<AffineMapAttr>(attr);
                   return map && map.getValue().getNumResults() > 0 &&
                          map.getValue().getNumDims() == 0 &&
                          map.getValue().getNumSymbols() * 2 == numbers.size();
                 });
  if (!areMaps || numbers.size() % 2)
    return fail("must have one or three affine maps without dimensions, with a "
                "symbol for each pair");
  auto func = dyn_cast<FunctionOpInterface>(kernel);
  if (!func)
    return fail("belong on a kernel, a function; put them there");
  for (size_t i = 0; i < numbers.size(); i += 2)
    if (!isSymbolOf(func, numbers[i], numbers[i + 1]))
      return fail("name argument " + Twine(numbers[i]) + ", dimension " +
                  Twine(numbers[i + 1]) +
                  ", which is no extent of a memref argument (or, for "
                  "dimension -1, no number)");
  return success();
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

namespace {
/// Calculates in 64 bits, with checks that the folders do not make.
class Calculator
    : public AffineExprVisitor<Calculator, std::optional<int64_t>> {
public:
  using Number = std::optional<int64_t>;
  explicit Calculator(ArrayRef<int64_t> values) : values(values) {}

  Number visitConstantExpr(AffineConstantExpr expr) { return expr.getValue(); }
  Number visitDimExpr(AffineDimExpr) { return std::nullopt; }
  Number visitSymbolExpr(AffineSymbolExpr expr) {
    if (expr.getPosition() >= values.size())
      return std::nullopt;
    return values[expr.getPosition()];
  }
  Number visitAddExpr(AffineBinaryOpExpr expr) {
    return combine(expr, llvm::AddOverflow<int64_t>);
  }
  Number visitMulExpr(AffineBinaryOpExpr expr) {
    return combine(expr, llvm::MulOverflow<int64_t>);
  }
  Number visitCeilDivExpr(AffineBinaryOpExpr expr) {
    return divide(expr, [](int64_t a, int64_t b) {
      return llvm::divideCeilSigned(a, b);
    });
  }
  Number visitFloorDivExpr(AffineBinaryOpExpr expr) {
    return divide(expr, [](int64_t a, int64_t b) {
      return llvm::divideFloorSigned(a, b);
    });
  }
  Number visitModExpr(AffineBinaryOpExpr expr) {
    return divide(expr, [](int64_t a, int64_t b) { return llvm::mod(a, b); });
  }

private:
  template <typename Function>
  Number combine(AffineBinaryOpExpr expr, Function overflows) {
    Number left = visit(expr.getLHS()), right = visit(expr.getRHS());
    int64_t result;
    if (!left || !right || overflows(*left, *right, result))
      return std::nullopt;
    return result;
  }
  template <typename Function>
  Number divide(AffineBinaryOpExpr expr, Function function) {
    Number left = visit(expr.getLHS()), right = visit(expr.getRHS());
    if (!left || !right || *right <= 0)
      return std::nullopt;
    return function(*left, *right);
  }

  ArrayRef<int64_t> values;
};
} // namespace

std::optional<std::array<int64_t, 3>>
GridSize::evaluate(ArrayRef<int64_t> values) const {
  std::array<int64_t, 3> grid = {1, 1, 1};
  Calculator calculator(values);
  for (auto [extent, map] : llvm::zip(grid, extents))
    for (AffineExpr expr : map.getResults()) {
      std::optional<int64_t> number = calculator.visit(expr);
      if (!number)
        return std::nullopt;
      extent = std::max(extent, *number);
    }
  return grid;
}
