//===- MemoryConformance.cpp - elements and roots -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConformanceChecks.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// ElementAccessOpInterface
//===----------------------------------------------------------------------===//

namespace {
/// Checks what an op says of one operand.
class ElementChecker {
public:
  ElementChecker(OpOperand &operand, const TouchedElements &touched)
      : op(operand.getOwner()), operand(operand), touched(touched),
        type(cast<MemRefType>(operand.get().getType())) {}

  unsigned check();

private:
  void report(const Twine &message) {
    op->emitOpError() << "ElementAccessOpInterface: of operand "
                      << operand.getOperandNumber() << " " << message;
    ++violations;
  }
  void checkValues();
  void checkBounds();
  void checkRun();
  /// True when the values of `expr` can be seen where the op is.
  bool isVisible(const LinearExpr &expr) const;
  /// True when no dimension and no run is known to be empty.
  bool touchesAny() const;

  Operation *op;
  OpOperand &operand;
  const TouchedElements &touched;
  MemRefType type;
  unsigned violations = 0;
};
} // namespace

bool ElementChecker::isVisible(const LinearExpr &expr) const {
  return llvm::all_of(expr.terms, [&](const auto &term) {
    Value value = term.first;
    return value && value.getParentRegion()->isAncestor(op->getParentRegion());
  });
}

bool ElementChecker::touchesAny() const {
  return llvm::all_of(touched.ranges, [](const IndexRange &range) {
    return !range.size || range.size->getConstant().value_or(1) > 0;
  });
}

void ElementChecker::checkValues() {
  for (auto [dim, range] : llvm::enumerate(touched.ranges))
    if (!isVisible(range.offset) || (range.size && !isVisible(*range.size)))
      report("dimension " + Twine(dim) +
             " is told by a value that cannot be seen where the op is");
}

/// What is touched for certain lies in the type. Other answers may say more
/// than is touched, and so more than there is.
void ElementChecker::checkBounds() {
  if (!touched.exact || !touchesAny())
    return;
  for (auto [dim, range] : llvm::enumerate(touched.ranges)) {
    int64_t extent = type.getDimSize(dim);
    std::optional<int64_t> size =
        range.size ? range.size->getConstant() : std::nullopt;
    std::optional<int64_t> offset = range.offset.getConstant();
    if (ShapedType::isDynamic(extent) || !size || !range.extents.empty())
      continue;
    // From the lowest index to the highest one.
    int64_t span;
    if (llvm::MulOverflow(*size - 1, range.stride, span))
      span = range.stride < 0 ? INT64_MIN : INT64_MAX;
    int64_t below = std::min<int64_t>(span, 0);
    int64_t above = std::max<int64_t>(span, 0);
    bool isOutside = below <= -extent || above >= extent;
    if (!isOutside && offset)
      isOutside = *offset < -below || *offset >= extent - above;
    if (isOutside)
      report("it touches all of " + Twine(*size) + " indices of dimension " +
             Twine(dim) + ", some of which are outside of its extent " +
             Twine(extent) + "; say less, or that the answer is not exact");
  }
}

void ElementChecker::checkRun() {
  int64_t reach = 0;
  for (auto [count, stride] : touched.run) {
    int64_t span;
    if (count < 0)
      report("it touches a run of " + Twine(count) + " elements");
    if (count <= 0)
      return;
    if (llvm::MulOverflow(count - 1, std::abs(stride), span) ||
        llvm::AddOverflow(reach, span, reach))
      reach = INT64_MAX;
  }
  if (touched.exact && touchesAny() && type.hasStaticShape() &&
      type.getLayout().isIdentity() && reach > 0 &&
      reach >= type.getNumElements())
    report("it touches a run that is longer than its " +
           Twine(type.getNumElements()) + " elements");
}

unsigned ElementChecker::check() {
  if (int64_t(touched.ranges.size()) != type.getRank()) {
    report("it says " + Twine(touched.ranges.size()) +
           " ranges, one for each dimension of a memref of rank " +
           Twine(type.getRank()) + " are wanted");
    return violations;
  }
  checkValues();
  checkBounds();
  checkRun();
  return violations;
}

/// True when `effects` has one of this kind on the value of `operand`.
template <typename EffectT>
static bool hasEffectOn(ArrayRef<MemoryEffects::EffectInstance> effects,
                        OpOperand &operand) {
  return llvm::any_of(effects, [&](const auto &effect) {
    return isa<EffectT>(effect.getEffect()) &&
           effect.getValue() == operand.get();
  });
}

unsigned mlir::memspace::checkElementAccess(ElementAccessOpInterface op,
                                            const KernelContext &context) {
  unsigned violations = 0;
  auto report = [&](const Twine &message) {
    op->emitOpError() << "ElementAccessOpInterface: " << message;
    ++violations;
  };
  auto effects = getReadsAndWrites(op);
  bool answers = false, hasAccess = false, isReadWrite = false;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    bool reads = effects && hasEffectOn<MemoryEffects::Read>(*effects, operand);
    bool writes =
        effects && hasEffectOn<MemoryEffects::Write>(*effects, operand);
    hasAccess |= reads || writes;
    isReadWrite |= reads && writes;
    std::optional<TouchedElements> touched =
        op.getTouchedElements(operand, context);
    answers |= touched.has_value();
    if (touched && (!effects || reads || writes))
      violations += ElementChecker(operand, *touched).check();
  }
  // Of an op that does not tell its effects, all memory may be touched.
  if (!effects)
    return violations;
  if (answers && !hasAccess)
    report("it says what it touches, but its memory effects are not to read or "
           "write that operand, so that there is no access; declare the "
           "effects");
  if (op.isAtomic() && !isReadWrite)
    report("it is atomic, but no operand is both read and written by its "
           "memory effects");
  if (op.touchesOperandsOnly())
    for (const MemoryEffects::EffectInstance &effect : *effects)
      if (effect.getSymbolRef() ||
          (effect.getValue() &&
           !llvm::is_contained(op->getOperands(), effect.getValue()))) {
        report("it touches its operands only, but has an effect on another "
               "memory");
        break;
      }
  return violations;
}

//===----------------------------------------------------------------------===//
// MemoryRootOpInterface
//===----------------------------------------------------------------------===//

static InFlightDiagnostic reportRoot(OpResult result) {
  return result.getOwner()->emitOpError()
         << "MemoryRootOpInterface: result " << result.getResultNumber() << " ";
}

/// True when equal indices of the two can be equal elements.
static bool haveEqualElements(Type a, Type b) {
  return isa<MemRefType>(a) && isa<MemRefType>(b) &&
         getElementTypeOrSelf(a) == getElementTypeOrSelf(b) &&
         succeeded(verifyCompatibleShape(a, b));
}

unsigned MemoryRootChecker::checkView(OpResult result,
                                      const NamedMemory &named) {
  Operation *op = result.getOwner();
  if (!llvm::is_contained(op->getOperands(), named.source) ||
      !isa<BaseMemRefType>(named.source.getType())) {
    reportRoot(result) << "has a source that is no memref among the operands "
                          "of the op";
    return 1;
  }
  unsigned violations = 0;
  if (named.identity) {
    reportRoot(result) << "is both a view of an operand and a memory by itself "
                          "("
                       << named.identity << "); name a source or an identity";
    ++violations;
  }
  if (auto effects = dyn_cast<MemoryEffectOpInterface>(op);
      effects &&
      effects.getEffectOnValue<MemoryEffects::Allocate>(result).has_value()) {
    reportRoot(result) << "is a view of an operand, but the op allocates it";
    ++violations;
  }
  if (named.keepsElements &&
      !haveEqualElements(named.source.getType(), result.getType())) {
    reportRoot(result) << "has the elements of " << named.source.getType()
                       << " at equal indices, but its type " << result.getType()
                       << " has another shape or element";
    ++violations;
  }
  std::optional<MemorySpace> source = getNamedSpace(named.source, spaces);
  if (source && named.space && *source != *named.space) {
    reportRoot(result) << "is in " << stringifyMemorySpace(*named.space)
                       << " memory, but its source is in "
                       << stringifyMemorySpace(*source) << " memory";
    ++violations;
  }
  return violations;
}

unsigned MemoryRootChecker::checkOwnMemory(OpResult result,
                                           const NamedMemory &memory) {
  Operation *op = result.getOwner();
  unsigned violations = 0;
  if (memory.hasSourcePointer || memory.keepsElements) {
    reportRoot(result) << "has the pointer or the elements of a source, but "
                          "names none";
    ++violations;
  }
  if (auto view = dyn_cast<ViewLikeOpInterface>(op);
      view && view.getViewDest() == result &&
      isa<BaseMemRefType>(view.getViewSource().getType())) {
    reportRoot(result) << "is a memory by itself, but by ViewLikeOpInterface a "
                          "view of an operand; name that as the source";
    ++violations;
  }
  if (!memory.identity || !memory.space)
    return violations;
  auto [first, isNew] = named.try_emplace(memory.identity, op, *memory.space);
  if (!isNew && first->second.second != *memory.space) {
    InFlightDiagnostic diagnostic = reportRoot(result);
    diagnostic << "is the memory " << memory.identity << " in "
               << stringifyMemorySpace(*memory.space)
               << " memory; one memory has one space";
    diagnostic.attachNote(first->second.first->getLoc())
        << "named here, in " << stringifyMemorySpace(first->second.second)
        << " memory";
    ++violations;
  }
  return violations;
}

unsigned MemoryRootChecker::check(MemoryRootOpInterface op) {
  unsigned violations = 0;
  for (OpResult result : op->getResults()) {
    if (!isa<BaseMemRefType>(result.getType()))
      continue;
    NamedMemory memory = op.getNamedMemory(result);
    violations += memory.source ? checkView(result, memory)
                                : checkOwnMemory(result, memory);
    std::optional<MemorySpace> space = getNamedSpace(result, spaces);
    if (space && memory.space && *space != *memory.space) {
      reportRoot(result) << "is in " << stringifyMemorySpace(*memory.space)
                         << " memory, but its type says "
                         << stringifyMemorySpace(*space);
      ++violations;
    }
  }
  return violations;
}
