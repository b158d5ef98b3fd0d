//===- Encodings.cpp - the encodings of the memspace dialect -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/IR/Encodings.h"
#include "MemSpace/Target/MatrixTiles.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace mlir::memspace;
using EmitErrorFn = llvm::function_ref<InFlightDiagnostic()>;

#include "MemSpace/IR/LayoutEncodingInterface.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "MemSpace/IR/MemSpaceAttrs.cpp.inc"

void MemSpaceDialect::registerEncodings() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "MemSpace/IR/MemSpaceAttrs.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Any encoding
//===----------------------------------------------------------------------===//

bool memspace::hasKnownEncoding(RankedTensorType type) {
  return !type.getEncoding() ||
         isa<LayoutEncodingAttrInterface>(type.getEncoding());
}

SmallVector<LayoutExtent> memspace::getLayoutExtents(RankedTensorType type) {
  SmallVector<int64_t> divisors;
  if (auto encoding =
          dyn_cast_or_null<LayoutEncodingAttrInterface>(type.getEncoding()))
    divisors = encoding.getDivisors(type);
  SmallVector<LayoutExtent> extents;
  for (auto [dim, size] : llvm::enumerate(type.getShape())) {
    if (!ShapedType::isDynamic(size))
      extents.push_back(LayoutExtent::getStatic(size));
    else
      extents.push_back(LayoutExtent::getDynamic(
          dim < divisors.size() ? std::max<int64_t>(divisors[dim], 1) : 1));
  }
  return extents;
}

FailureOr<ResolvedLayout> memspace::resolveEncoding(RankedTensorType type,
                                                    const TargetInfo &target,
                                                    EmitErrorFn emitError) {
  if (!type.getEncoding())
    return ResolvedLayout{TiledLayout::getIdentity(type.getRank())};
  auto encoding = dyn_cast<LayoutEncodingAttrInterface>(type.getEncoding());
  if (!encoding)
    return emitError() << "the encoding " << type.getEncoding()
                       << " does not implement LayoutEncodingAttrInterface";
  bool isExplained = false;
  FailureOr<ResolvedLayout> resolved =
      encoding.resolve(type, target, [&]() -> InFlightDiagnostic {
        isExplained = true;
        return emitError();
      });
  if (failed(resolved) && isExplained)
    return failure();
  if (failed(resolved))
    return emitError() << "the resolver of " << type << " for '" << target.chip
                       << "' returned no layout and did not say why";
  if (resolved->layout.getRank() != type.getRank())
    return emitError() << "the resolver of " << type << " for '" << target.chip
                       << "' returned a layout of rank "
                       << resolved->layout.getRank();
  return resolved;
}

bool memspace::detail::isSameResolvedLayout(RankedTensorType type,
                                            const TargetInfo &target,
                                            Attribute other,
                                            const TargetInfo &otherTarget) {
  ScopedDiagnosticHandler ignore(type.getContext(),
                                 [](Diagnostic &) { return success(); });
  auto emitError = [&] {
    return mlir::emitError(UnknownLoc::get(type.getContext()));
  };
  auto otherType = RankedTensorType::getChecked(emitError, type.getShape(),
                                                type.getElementType(), other);
  if (!otherType)
    return false;
  FailureOr<ResolvedLayout> layout = resolveEncoding(type, target, emitError),
                            otherLayout = resolveEncoding(
                                otherType, otherTarget, emitError);
  if (failed(layout) || failed(otherLayout))
    return false;
  // It is one tensor: what is promised of either holds.
  SmallVector<LayoutExtent> extents = getLayoutExtents(type);
  for (auto [extent, more] :
       llvm::zip_equal(extents, getLayoutExtents(otherType)))
    if (int64_t both = std::lcm(extent.divisor, more.divisor); both > 0)
      extent.divisor = both;
  return layout->layout.isSameLayout(otherLayout->layout, extents);
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// `[1, ?, 3]`; `?` only where `mayBeDynamic`.
static ParseResult parseNumbers(AsmParser &parser,
                                SmallVector<int64_t> &numbers,
                                bool mayBeDynamic) {
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::Square, [&]() -> ParseResult {
        if (mayBeDynamic && succeeded(parser.parseOptionalQuestion())) {
          numbers.push_back(ShapedType::kDynamic);
          return success();
        }
        return parser.parseInteger(numbers.emplace_back());
      });
}

static void printNumbers(AsmPrinter &printer, ArrayRef<int64_t> numbers) {
  printer << '[';
  llvm::interleaveComma(numbers, printer.getStream(), [&](int64_t number) {
    if (ShapedType::isDynamic(number))
      printer << '?';
    else
      printer << number;
  });
  printer << ']';
}

/// One list of an attribute by its keyword.
namespace {
struct NamedList {
  StringRef keyword;
  SmallVector<int64_t> *numbers;
  bool mayBeDynamic = false;
};
} // namespace

/// `keyword = [...]` for one of `lists`; each at most once.
static ParseResult parseList(AsmParser &parser, ArrayRef<NamedList> lists) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  if (parser.parseKeyword(&keyword) || parser.parseEqual())
    return failure();
  for (const NamedList &list : lists)
    if (list.keyword == keyword) {
      if (!list.numbers->empty())
        return parser.emitError(loc) << "'" << keyword << "' is given twice";
      return parseNumbers(parser, *list.numbers, list.mayBeDynamic);
    }
  InFlightDiagnostic diag = parser.emitError(loc)
                            << "'" << keyword << "' is no list; known are";
  for (const NamedList &list : lists)
    diag << " '" << list.keyword << "'";
  return diag;
}

static ParseResult parseLists(AsmParser &parser, ArrayRef<NamedList> lists,
                              AsmParser::Delimiter delimiter) {
  return parser.parseCommaSeparatedList(
      delimiter, [&] { return parseList(parser, lists); });
}

/// Checks promises of divisors for extents.
static LogicalResult verifyDivisors(ArrayRef<int64_t> divisors,
                                    ArrayRef<int64_t> extents,
                                    EmitErrorFn emitError) {
  if (!divisors.empty() && divisors.size() != extents.size())
    return emitError() << "has " << divisors.size() << " divisors for "
                       << extents.size() << " extents";
  for (auto [divisor, extent] : llvm::zip(divisors, extents)) {
    if (divisor < 1)
      return emitError() << "has a divisor below 1";
    if (!ShapedType::isDynamic(extent) && extent % divisor != 0)
      return emitError() << "has the divisor " << divisor << " for the extent "
                         << extent;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// tiled_layout
//===----------------------------------------------------------------------===//

Attribute TiledLayoutAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> pos, tiles, perm, padding, divisors;
  NamedList lists[] = {{"inner_dims_pos", &pos},
                       {"inner_tiles", &tiles},
                       {"outer_dims_perm", &perm},
                       {"padding_multiples", &padding},
                       {"divisors", &divisors}};
  if (parseLists(parser, lists, AsmParser::Delimiter::LessGreater))
    return {};
  return get(parser.getContext(), pos, tiles, perm, padding, divisors);
}

void TiledLayoutAttr::print(AsmPrinter &printer) const {
  printer << '<';
  StringRef separator = "";
  std::pair<StringRef, ArrayRef<int64_t>> lists[] = {
      {"inner_dims_pos", getInnerDimsPos()},
      {"inner_tiles", getInnerTiles()},
      {"outer_dims_perm", getOuterDimsPerm()},
      {"padding_multiples", getPaddingMultiples()},
      {"divisors", getDivisors()}};
  for (auto [keyword, numbers] : lists) {
    if (numbers.empty())
      continue;
    printer << separator << keyword << " = ";
    printNumbers(printer, numbers);
    separator = ", ";
  }
  printer << '>';
}

static std::optional<TiledLayout> getLayout(TiledLayoutAttr attr, unsigned rank,
                                            std::string *reason = nullptr) {
  TiledLayoutParts parts;
  llvm::append_range(parts.tiledDims, attr.getInnerDimsPos());
  llvm::append_range(parts.innerTiles, attr.getInnerTiles());
  llvm::append_range(parts.outerPermutation, attr.getOuterDimsPerm());
  llvm::append_range(parts.paddingMultiples, attr.getPaddingMultiples());
  return TiledLayout::create(rank, std::move(parts), reason);
}

LogicalResult TiledLayoutAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                              EmitErrorFn emitError) const {
  std::string reason;
  if (!getLayout(*this, shape.size(), &reason))
    return emitError() << "the layout " << *this << " " << reason;
  return verifyDivisors(getDivisors(), shape, [&] {
    return emitError() << "the layout " << *this << " ";
  });
}

FailureOr<ResolvedLayout>
TiledLayoutAttr::resolve(RankedTensorType type, const TargetInfo &,
                         EmitErrorFn emitError) const {
  std::string reason;
  std::optional<TiledLayout> layout = getLayout(*this, type.getRank(), &reason);
  if (!layout)
    return emitError() << "the layout " << *this << " " << reason;
  return ResolvedLayout{*layout};
}

bool TiledLayoutAttr::isTargetIndependent() const { return true; }

SmallVector<int64_t> TiledLayoutAttr::getDivisors(RankedTensorType) const {
  return llvm::to_vector(getDivisors());
}

//===----------------------------------------------------------------------===//
// matmul_operand
//===----------------------------------------------------------------------===//

static StringRef stringify(MatmulRole role) {
  switch (role) {
  case MatmulRole::LHS:
    return "lhs";
  case MatmulRole::RHS:
    return "rhs";
  case MatmulRole::Accumulator:
    return "acc";
  }
  llvm_unreachable("unknown role");
}

Attribute MatmulOperandAttr::parse(AsmParser &parser, Type) {
  StringRef keyword;
  if (parser.parseLess())
    return {};
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return {};
  std::optional<MatmulRole> role;
  for (MatmulRole known :
       {MatmulRole::LHS, MatmulRole::RHS, MatmulRole::Accumulator})
    if (keyword == stringify(known))
      role = known;
  if (!role) {
    parser.emitError(loc) << "expected 'lhs', 'rhs' or 'acc', got '" << keyword
                          << "'";
    return {};
  }
  bool isTransposed = succeeded(parser.parseOptionalKeyword("transposed"));
  SmallVector<Type> types;
  SmallVector<int64_t> sizes, divisors;
  NamedList lists[] = {{"sizes", &sizes, /*mayBeDynamic=*/true},
                       {"divisors", &divisors}};
  if (parser.parseComma() || parser.parseKeyword("types") ||
      parser.parseEqual() ||
      parser.parseCommaSeparatedList(
          AsmParser::Delimiter::Square,
          [&] { return parser.parseType(types.emplace_back()); }) ||
      parser.parseComma() ||
      parseLists(parser, lists, AsmParser::Delimiter::None) ||
      parser.parseGreater())
    return {};
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(),
                    *role, isTransposed, types, sizes, divisors);
}

void MatmulOperandAttr::print(AsmPrinter &printer) const {
  printer << '<' << stringify(getRole());
  if (getTransposed())
    printer << " transposed";
  printer << ", types = [";
  llvm::interleaveComma(getTypes(), printer.getStream(),
                        [&](Type type) { printer << type; });
  printer << "], sizes = ";
  printNumbers(printer, getSizes());
  if (!getDivisors().empty()) {
    printer << ", divisors = ";
    printNumbers(printer, getDivisors());
  }
  printer << '>';
}

LogicalResult MatmulOperandAttr::verify(EmitErrorFn emitError, MatmulRole, bool,
                                        ArrayRef<Type> types,
                                        ArrayRef<int64_t> sizes,
                                        ArrayRef<int64_t> divisors) {
  if (types.size() != 3)
    return emitError() << "needs the element types of lhs, rhs and acc; got "
                       << types.size() << " types";
  for (Type type : types)
    if (!type.isIntOrFloat())
      return emitError() << "needs element types that a matmul takes, integers "
                            "or floats; got "
                         << type;
  if (sizes.size() != 3)
    return emitError() << "needs the sizes M, N and K; got " << sizes.size()
                       << " sizes";
  if (llvm::any_of(sizes, [](int64_t size) {
        return size < 0 && !ShapedType::isDynamic(size);
      }))
    return emitError() << "has a size below 0";
  return verifyDivisors(divisors, sizes, emitError);
}

namespace {
/// Dimensions of an operand: which of M, N and K (0, 1, 2) the last two count.
struct OperandDims {
  unsigned first, second;
};
} // namespace

static OperandDims getDims(MatmulOperandAttr attr) {
  OperandDims dims{0, 1};
  if (attr.getRole() == MatmulRole::LHS)
    dims = {0, 2};
  if (attr.getRole() == MatmulRole::RHS)
    dims = {2, 1};
  if (attr.getTransposed())
    std::swap(dims.first, dims.second);
  return dims;
}

LogicalResult MatmulOperandAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                                EmitErrorFn emitError) const {
  if (shape.size() < 2)
    return emitError() << "the encoding " << *this
                       << " is of a matrix; got a tensor of rank "
                       << shape.size();
  OperandDims dims = getDims(*this);
  int64_t first = getSizes()[dims.first], second = getSizes()[dims.second];
  ArrayRef<int64_t> matrix = shape.take_back(2);
  if (matrix[0] == first && matrix[1] == second)
    return success();
  auto wanted = RankedTensorType::get({first, second}, getTypes().front());
  auto got = RankedTensorType::get(matrix, getTypes().front());
  return emitError() << "the encoding " << *this << " is of the shape of "
                     << wanted << "; got that of " << got;
}

SmallVector<int64_t>
MatmulOperandAttr::getDivisors(RankedTensorType type) const {
  if (getDivisors().empty())
    return {};
  SmallVector<int64_t> divisors(type.getRank(), 1);
  OperandDims dims = getDims(*this);
  divisors[type.getRank() - 2] = getDivisors()[dims.first];
  divisors[type.getRank() - 1] = getDivisors()[dims.second];
  return divisors;
}

/// The layout that the matrix unit of `target` wants.
static ResolvedLayout resolveForMatrixUnit(MatmulOperandAttr attr,
                                           RankedTensorType type,
                                           const TargetInfo &target) {
  int64_t rank = type.getRank();
  ArrayRef<Type> types = attr.getTypes();
  std::optional<MatrixTile> tile =
      getMatrixTile(target, types[0], types[1], types[2]);
  if (!tile)
    return {TiledLayout::getIdentity(rank)};
  int64_t tiles[] = {tile->m, tile->n, tile->k};
  // A narrow matrix is not padded to the whole tile.
  for (auto [extent, size] : llvm::zip_equal(tiles, attr.getSizes()))
    if (!ShapedType::isDynamic(size) && size < extent)
      extent = llvm::PowerOf2Ceil(std::max<int64_t>(size, 1));
  OperandDims dims = getDims(attr);
  // The order in memory: M, K of a lhs, N, K of a rhs, M, N of an acc.
  static constexpr unsigned orders[][2] = {{0, 2}, {1, 2}, {0, 1}};
  TiledLayoutParts parts;
  parts.outerPermutation.resize(rank - 2);
  std::iota(parts.outerPermutation.begin(), parts.outerPermutation.end(), 0);
  for (unsigned number : orders[static_cast<unsigned>(attr.getRole())]) {
    int64_t dim = number == dims.first ? rank - 2 : rank - 1;
    parts.tiledDims.push_back(dim);
    parts.innerTiles.push_back(tiles[number]);
    parts.outerPermutation.push_back(dim);
  }
  return {*TiledLayout::create(rank, std::move(parts))};
}

FailureOr<ResolvedLayout>
MatmulOperandAttr::resolve(RankedTensorType type, const TargetInfo &target,
                           EmitErrorFn emitError) const {
  auto *dialect = getContext()->getLoadedDialect<MemSpaceDialect>();
  if (dialect->getLayoutResolver())
    return dialect->getLayoutResolver()(*this, type, target, emitError);
  return resolveForMatrixUnit(*this, type, target);
}
