//===- StructuredOpInterface.cpp - other dialects' sorts as ours -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A model is somebody else's code. It is run with its diagnostics held back,
// and what it made is looked at before anything is replaced: a model that is
// wrong leaves one error, and the op as it was.
//
//===----------------------------------------------------------------------===//

#include "MemSpace/IR/StructuredOpInterface.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "Payload.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/Support/Threading.h"

using namespace mlir;
using namespace mlir::memspace;

#include "MemSpace/IR/StructuredOpInterface.cpp.inc"

//===----------------------------------------------------------------------===//
// For models
//===----------------------------------------------------------------------===//

/// Copies the constants that `payload` takes from outside to where `rewriter`
/// stands. `args` has what stands for its arguments, if something does.
static FailureOr<IRMapping>
copyConstants(RewriterBase &rewriter, Region &payload, ArrayRef<Value> args) {
  IRMapping copies;
  WalkResult result = payload.walk([&](Operation *op) -> WalkResult {
    for (Value value : op->getOperands()) {
      auto arg = dyn_cast<BlockArgument>(value);
      if (arg && arg.getOwner() == &payload.front() &&
          !args[arg.getArgNumber()])
        return rewriter.notifyMatchFailure(
            op, "its payload needs an argument that MemSpace's op has not");
      if (copies.contains(value) || payload.isAncestor(value.getParentRegion()))
        continue;
      Operation *def = value.getDefiningOp();
      if (!def || !def->hasTrait<OpTrait::ConstantLike>())
        return rewriter.notifyMatchFailure(
            op, "its payload uses a value from outside that is no constant");
      rewriter.clone(*def, copies);
    }
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  return copies;
}

LogicalResult memspace::copyPayload(RewriterBase &rewriter, Region &payload,
                                    Region &region, ArrayRef<unsigned> order) {
  if (!payload.hasOneBlock() || !payload.front().mightHaveTerminator())
    return rewriter.notifyMatchFailure(
        payload.getLoc(), "its payload is not one block with a terminator");
  unsigned numArgs = payload.getNumArguments();
  SmallVector<unsigned> numbers(order);
  if (order.empty())
    llvm::append_range(numbers, llvm::seq(numArgs));
  OpBuilder::InsertionGuard guard(rewriter);
  Block *copy = rewriter.createBlock(&region);
  SmallVector<Value> args(numArgs);
  for (unsigned number : numbers) {
    if (number >= numArgs)
      return rewriter.notifyMatchFailure(payload.getLoc(),
                                         "its payload has too few arguments");
    BlockArgument arg = payload.getArgument(number);
    args[number] = copy->addArgument(arg.getType(), arg.getLoc());
  }
  FailureOr<IRMapping> constants = copyConstants(rewriter, payload, args);
  if (failed(constants))
    return failure();
  SmallVector<Value> yielded =
      inlinePayload(rewriter, payload, args, std::move(*constants));
  memspace::YieldOp::create(rewriter, payload.front().back().getLoc(), yielded);
  return success();
}

//===----------------------------------------------------------------------===//
// One run of a model
//===----------------------------------------------------------------------===//

namespace {
class Conversion final : public RewriterBase::Listener {
public:
  explicit Conversion(StructuredOpInterface op)
      : op(op), before(op->getPrevNode()), loc(op.getLoc()) {}

  enum class Outcome { Made, Refused, Wrong };
  /// Runs the model. Unless it has made what stands for the op, what it made is
  /// gone, and there is an error, but for a refusal that is not `told`.
  Outcome run(bool tellRefusal);
  /// Puts what was made in the place of the op.
  void replace();
  /// Erases what was made.
  void undo();

private:
  void notifyMatchFailure(Location loc,
                          function_ref<void(Diagnostic &)> getReason) override {
    Diagnostic diag(loc, DiagnosticSeverity::Remark);
    getReason(diag);
    if (reason.empty())
      reason = diag.str();
  }
  void notifyOperationErased(Operation *erased) override {
    isErased |= erased == op.getOperation();
  }

  Outcome runModel();
  void holdErrors(function_ref<void()> work);
  bool isWrong(const Twine &what);
  bool areValuesWrong();
  bool isMadeWrong(Operation &made);
  Value getMemory(Value memref);
  bool touchesMore(Operation &made);
  llvm::iterator_range<Block::iterator> getMade() {
    Block::iterator end = op->getIterator();
    return {before ? std::next(before->getIterator()) : op->getBlock()->begin(),
            end};
  }

  StructuredOpInterface op;
  /// What is between the two was made.
  Operation *before;
  Location loc;
  SmallVector<Value> values;
  bool isErased = false;
  /// Why the model refuses the op, and what it or a verifier has said.
  std::string reason;
  SmallVector<std::string> notes;
};
} // namespace

/// The errors of `work` are notes of ours.
void Conversion::holdErrors(function_ref<void()> work) {
  uint64_t self = llvm::get_threadid();
  ScopedDiagnosticHandler handler(op.getContext(), [&](Diagnostic &diag) {
    if (llvm::get_threadid() != self ||
        diag.getSeverity() != DiagnosticSeverity::Error)
      return failure();
    notes.push_back(diag.str());
    return success();
  });
  work();
}

/// Says what is wrong. Returns true.
bool Conversion::isWrong(const Twine &what) {
  InFlightDiagnostic diag = emitError(loc);
  diag << "StructuredOpInterface: " << what;
  for (const std::string &note : notes)
    diag.attachNote(loc) << note;
  return true;
}

bool Conversion::areValuesWrong() {
  if (values.size() != op->getNumResults())
    return isWrong("its model gives " + Twine(values.size()) + " values for " +
                   Twine(op->getNumResults()) +
                   " results; give one for each, and none on memrefs");
  for (auto [result, value] : llvm::zip_equal(op->getResults(), values)) {
    std::string text;
    llvm::raw_string_ostream os(text);
    os << "its model's value for result " << result.getResultNumber();
    if (!value)
      return isWrong(text + " is none");
    if (value.getDefiningOp() == op)
      return isWrong(text + " is a result of the op itself");
    os << " is '" << value.getType() << "', the result is '" << result.getType()
       << "'";
    if (value.getType() != result.getType())
      return isWrong(text + "; both must have one type");
  }
  return false;
}

/// The memory that `memref` is a view of by what was made; null where that is
/// not known.
Value Conversion::getMemory(Value memref) {
  llvm::SmallPtrSet<Operation *, 8> made;
  for (Operation &inner : getMade())
    made.insert(&inner);
  while (Operation *def = memref.getDefiningOp()) {
    Operation *top = op->getBlock()->findAncestorOpInBlock(*def);
    if (!made.contains(top) || hasEffect<MemoryEffects::Allocate>(def, memref))
      break;
    auto view = dyn_cast<ViewLikeOpInterface>(def);
    if (!view)
      return {};
    memref = view.getViewSource();
  }
  return memref;
}

/// True when `made` reads or writes memory of which the op says that it does
/// not: the passes before relied on that.
bool Conversion::touchesMore(Operation &made) {
  auto interface = dyn_cast<MemoryEffectOpInterface>(op.getOperation());
  if (!interface)
    return false;
  SmallVector<MemoryEffects::EffectInstance> declared;
  interface.getEffects(declared);
  std::optional<SmallVector<MemoryEffects::EffectInstance>> effects =
      getEffectsRecursively(&made);
  StringRef name = made.getName().getStringRef();
  if (!effects)
    return isWrong("its model makes '" + name +
                   "', of which nobody knows what memory it touches");
  for (const MemoryEffects::EffectInstance &effect : *effects) {
    bool isWrite = isa<MemoryEffects::Write>(effect.getEffect());
    if (!isWrite && !isa<MemoryEffects::Read>(effect.getEffect()))
      continue;
    Value memory = effect.getValue() ? getMemory(effect.getValue()) : Value();
    Operation *def = memory ? memory.getDefiningOp() : nullptr;
    bool isOwn = def && hasEffect<MemoryEffects::Allocate>(def, memory) &&
                 !llvm::is_contained(op->getOperands(), memory);
    bool isDeclared = llvm::any_of(declared, [&](const auto &other) {
      return other.getEffect() == effect.getEffect() &&
             (!other.getValue() || other.getValue() == memory);
    });
    if (!isOwn && !isDeclared)
      return isWrong("its model makes '" + name + "', which " +
                     (isWrite ? "writes" : "reads") +
                     " memory of which the op's effects do not say so");
  }
  return false;
}

bool Conversion::isMadeWrong(Operation &made) {
  bool isValid = false;
  holdErrors([&] { isValid = succeeded(verify(&made)); });
  if (!isValid)
    return isWrong("what its model makes is not valid");
  WalkResult usesOp = made.walk([&](Operation *inner) {
    return llvm::any_of(inner->getOperands(),
                        [&](Value value) {
                          return value.getDefiningOp() == op ||
                                 op->isAncestor(
                                     value.getParentRegion()->getParentOp());
                        })
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  if (usesOp.wasInterrupted())
    return isWrong("what its model makes uses the op itself, which is to go; "
                   "copy its regions with 'copyPayload'");
  if (isa<StructuredOpInterface>(made))
    return isWrong("its model makes '" + made.getName().getStringRef() +
                   "', which is not an op of memspace but has a model, too");
  return touchesMore(made);
}

Conversion::Outcome Conversion::runModel() {
  FailureOr<SmallVector<Value>> made = failure();
  holdErrors([&] {
    IRRewriter rewriter(op, this);
    made = op.convertToMemSpace(rewriter);
  });
  if (isErased) {
    isWrong("its model erases the op; it is to return the values that replace "
            "its results");
    return Outcome::Wrong;
  }
  if (failed(made))
    return Outcome::Refused;
  values = std::move(*made);
  if (areValuesWrong())
    return Outcome::Wrong;
  for (Operation &inner : getMade())
    if (isMadeWrong(inner))
      return Outcome::Wrong;
  return Outcome::Made;
}

Conversion::Outcome Conversion::run(bool tellRefusal) {
  Outcome outcome = runModel();
  if (outcome == Outcome::Refused && tellRefusal) {
    InFlightDiagnostic diag =
        op->emitOpError("is not known to MemSpace in this "
                        "form: ");
    diag << (reason.empty() ? "its model of 'StructuredOpInterface' gives no "
                              "reason"
                            : reason)
         << "; write it with ops of memspace, or lower it before";
    for (const std::string &note : notes)
      diag.attachNote(loc) << note;
  }
  if (outcome != Outcome::Made && !isErased)
    undo();
  return outcome;
}

void Conversion::undo() {
  while (Operation *made = op->getPrevNode()) {
    if (made == before || !made->use_empty())
      return;
    made->erase();
  }
}

void Conversion::replace() {
  SmallVector<Operation *> made =
      llvm::map_to_vector(getMade(), [](Operation &inner) { return &inner; });
  IRRewriter rewriter(op);
  rewriter.replaceOp(op, values);
  // What stands for a result that nobody uses is not computed.
  for (Operation *inner : llvm::reverse(made))
    if (isOpTriviallyDead(inner))
      rewriter.eraseOp(inner);
}

LogicalResult memspace::convertStructuredOp(StructuredOpInterface op) {
  Conversion conversion(op);
  if (conversion.run(/*tellRefusal=*/true) != Conversion::Outcome::Made)
    return failure();
  conversion.replace();
  return success();
}

LogicalResult memspace::convertStructuredOps(Operation *root) {
  SmallVector<StructuredOpInterface> ops;
  root->walk([&](StructuredOpInterface op) { ops.push_back(op); });
  for (StructuredOpInterface op : ops)
    if (failed(convertStructuredOp(op)))
      return failure();
  return success();
}

LogicalResult memspace::checkStructuredOp(StructuredOpInterface op) {
  Operation *next = op->getNextNode();
  OpBuilder builder(op.getContext());
  builder.setInsertionPointAfter(op);
  Conversion conversion(cast<StructuredOpInterface>(builder.clone(*op)));
  Conversion::Outcome outcome = conversion.run(/*tellRefusal=*/false);
  // The copy may be gone.
  Block *block = op->getBlock();
  while (Operation *rest = next ? next->getPrevNode() : &block->back()) {
    if (rest == op.getOperation() || !rest->use_empty())
      break;
    rest->erase();
  }
  return failure(outcome == Conversion::Outcome::Wrong);
}
