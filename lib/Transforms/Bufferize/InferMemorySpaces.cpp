//===- InferMemorySpaces.cpp - a memory space for every allocation -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CopyConflicts.h"
#include "Hazards/AtomicUpdates.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/Spaces/Collectives.h"
#include "MemSpace/Spaces/TensorClaims.h"
#include "MemSpace/Transforms/AllocationHook.h"
#include "MemSpace/Transforms/Bufferize.h"
#include "MemSpace/Transforms/Passes.h"
#include "Spaces/SomeIterations.h"
#include "Transforms/Normalize/CarriedBuffers.h"
#include "Transforms/Normalize/Distribution.h"
#include "Transforms/Normalize/Normalization.h"
#include "Transforms/Support/PassKernels.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/Transforms.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/SmallBitVector.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_INFERMEMORYSPACESPASS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::bufferization;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// Conflicts
//===----------------------------------------------------------------------===//

static std::string describe(Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "'" << op->getName() << "' at " << op->getLoc();
  return text;
}

/// Why the buffer of `write` is a copy: which write and which read conflict.
static std::string attributeCopy(OpOperand &write,
                                 const OneShotAnalysisState &state) {
  Operation *writer = write.getOwner();
  // A view writes nothing itself.
  if (writer->getNumRegions() == 0 && writer->getNumResults() != 0)
    writer = findWriter(write, state);
  std::string text = "for the write of " + describe(writer);
  if (!state.isWritable(write.get()))
    return text + ": the memory is read-only";
  if (OpOperand *read = findConflictingRead(write, writer, state))
    return text + ": the old value is read by " + describe(read->getOwner());
  return text + ": the old value is needed";
}

/// The tensors that loops hand on, with the operands that do.
static SmallVector<std::pair<OpOperand *, Value>>
getCarriedTensors(FunctionOpInterface kernel) {
  SmallVector<std::pair<OpOperand *, Value>> carried;
  kernel->walk([&](Operation *op) {
    if (!CarryingLoop::isOne(op))
      return;
    for (Operation *terminator : CarryingLoop(op).getTerminators())
      for (OpOperand &operand : terminator->getOpOperands())
        if (isa<TensorType>(operand.get().getType()))
          carried.push_back({&operand, operand.get()});
  });
  return carried;
}

/// On the copy for a conflict, its number in the list, where one is made.
static constexpr StringLiteral kConflictAttr = "memspace.conflict";

/// The copy that One-Shot made of `operand`, which held `value`: of the operand
/// itself, or of what its op, which writes nothing, makes of it. Null when
/// there is none, or it was there before.
static AllocTensorOp findCopy(OpOperand &operand, Value value,
                              const DenseSet<Operation *> &before) {
  auto isCopyOf = [&](Operation *op, Value source) {
    auto alloc = dyn_cast_or_null<AllocTensorOp>(op);
    return alloc && !before.contains(alloc) && alloc.getCopy() == source;
  };
  Operation *made = operand.get().getDefiningOp();
  if (isCopyOf(made, value))
    return cast<AllocTensorOp>(made);
  for (Value result : operand.getOwner()->getResults())
    for (Operation *user : result.getUsers())
      if (isCopyOf(user, result))
        return cast<AllocTensorOp>(user);
  return {};
}

/// Makes every allocation and copy that One-Shot wants an explicit
/// alloc_tensor. True when there was anything to make; then `lastConflict` says
/// for which write. Adds the conflicts to `list`, if there is one, and marks
/// their copies.
static FailureOr<bool> resolveConflicts(const KernelContext &context,
                                        OneShotAnalyses &analyses,
                                        std::string &lastConflict,
                                        SmallVectorImpl<CopyConflict> *list) {
  FunctionOpInterface kernel = context.getKernel();
  std::shared_ptr<OneShotAnalysisState> kept = analyses.get(kernel);
  if (!kept)
    return failure();
  OneShotAnalysisState &state = *kept;
  // Attribute the copies before they exist: their users are the writers.
  struct Conflict {
    OpOperand *operand;
    Value value;
    std::string text;
    std::optional<CopyConflict> words;
  };
  SmallVector<Conflict, 0> conflicts;
  std::optional<BufferClasses> classes;
  llvm::SetVector<OpOperand *> doubtful(llvm::from_range,
                                        getOperandsToCopy(kernel, state));
  kernel->walk([&](Operation *op) {
    if (!analyses.getOptions().dynCastBufferizableOp(op))
      return;
    for (OpOperand &operand : op->getOpOperands())
      if (isa<TensorType>(operand.get().getType()) &&
          (!state.isInPlace(operand) || doubtful.contains(&operand))) {
        Conflict conflict{&operand, operand.get(),
                          attributeCopy(operand, state), std::nullopt};
        if (list) {
          if (!classes)
            classes.emplace(context, state);
          conflict.words = describeConflict(operand, context, *classes, state);
        }
        conflicts.push_back(std::move(conflict));
      }
  });
  if (!conflicts.empty())
    lastConflict = conflicts.back().text;
  DenseSet<Operation *> before;
  kernel->walk([&](AllocTensorOp alloc) { before.insert(alloc); });
  SmallVector<std::pair<OpOperand *, Value>> carried =
      getCarriedTensors(kernel);
  if (failed(insertNeededCopies(kernel, state)))
    return failure();
  // Which of the tensors that a loop hands on need a copy, and where it goes,
  // makeLoopExchangesExplicit knows better.
  for (auto &[operand, value] : carried) {
    auto alloc = operand->get().getDefiningOp<AllocTensorOp>();
    if (operand->get() == value || !alloc || alloc.getCopy() != value)
      continue;
    operand->set(value);
    if (alloc->use_empty())
      alloc.erase();
  }
  Builder b(kernel.getContext());
  for (Conflict &conflict : conflicts) {
    AllocTensorOp copy = findCopy(*conflict.operand, conflict.value, before);
    if (!copy)
      continue;
    copy->setAttr(kCopyAttr, b.getStringAttr(conflict.text));
    if (!list)
      continue;
    copy->setAttr(kConflictAttr, b.getI64IntegerAttr(list->size()));
    setCopied(*conflict.words, copy.getCopy(), conflict.value, context);
    list->push_back(std::move(*conflict.words));
  }
  size_t numCopies = 0;
  kernel->walk(
      [&](AllocTensorOp alloc) { numCopies += !before.contains(alloc); });
  if (conflicts.empty())
    return numCopies > 0;
  // Where operands, and nothing else, are copies now, their conflicts are gone
  // and all else is as it was.
  SmallVector<OpOperand *> copied;
  for (Conflict &conflict : conflicts)
    if (auto alloc = conflict.operand->get().getDefiningOp<AllocTensorOp>();
        alloc && !before.contains(alloc) && alloc.getCopy() == conflict.value)
      copied.push_back(conflict.operand);
  if (copied.size() == conflicts.size() && copied.size() == numCopies)
    analyses.copied(kernel, copied);
  else
    analyses.forget(kernel);
  return numCopies > 0;
}

/// Where one branch of an scf.if yields memory of the caller and the other a
/// buffer of the kernel, or one a buffer that threads share and the other a
/// buffer of each thread, both must be of the narrower kind: copies the other,
/// and adds why to `list`, if there is one.
static bool unifyBranches(const KernelContext &context,
                          OneShotAnalyses &analyses,
                          SmallVectorImpl<CopyConflict> *list) {
  FunctionOpInterface kernel = context.getKernel();
  WalkResult branches = kernel->walk([](Operation *op) {
    bool merges = isa<scf::IfOp, scf::IndexSwitchOp, arith::SelectOp>(op) &&
                  llvm::any_of(op->getResultTypes(),
                               [](Type type) { return isa<TensorType>(type); });
    return merges ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (!branches.wasInterrupted())
    return false;
  std::shared_ptr<OneShotAnalysisState> state = analyses.get(kernel);
  if (!state)
    return false;
  BufferClasses classes(context, *state);
  ExecutionScopeAnalysis scopes(kernel);
  SmallVector<OpOperand *> toCopy;
  // What one value may be: memory of the caller is the widest kind, then the
  // allocations by their scope.
  auto unify = [&](ArrayRef<OpOperand *> choices) {
    auto getKind = [&](OpOperand *choice) {
      Value root = classes.getView(choice->get()).root;
      return isAllocatedTensor(root)
                 ? static_cast<int>(scopes.getScope(root))
                 : static_cast<int>(ExecutionScope::Grid) - 1;
    };
    int narrowest = getKind(choices.front());
    for (OpOperand *choice : choices)
      narrowest = std::max(narrowest, getKind(choice));
    for (OpOperand *choice : choices)
      if (getKind(choice) < narrowest)
        toCopy.push_back(choice);
  };
  kernel->walk([&](Operation *op) {
    if (auto select = dyn_cast<arith::SelectOp>(op)) {
      if (isa<TensorType>(select.getType()))
        unify({&select->getOpOperand(1), &select->getOpOperand(2)});
      return;
    }
    if (!isa<scf::IfOp, scf::IndexSwitchOp>(op))
      return;
    for (auto [i, type] : llvm::enumerate(op->getResultTypes())) {
      if (!isa<TensorType>(type))
        continue;
      SmallVector<OpOperand *> choices;
      for (Region &region : op->getRegions())
        choices.push_back(&region.front().getTerminator()->getOpOperand(i));
      unify(choices);
    }
  });
  IRRewriter rewriter(kernel.getContext());
  for (OpOperand *operand : toCopy) {
    std::optional<CopyConflict> conflict;
    if (list) {
      conflict = describeConflict(*operand, context, classes, *state);
      conflict->isBranch = true;
      setCopied(*conflict, operand->get(), operand->get(), context);
    }
    rewriter.setInsertionPoint(operand->getOwner());
    auto copy =
        AllocTensorOp::create(rewriter, operand->getOwner()->getLoc(),
                              cast<RankedTensorType>(operand->get().getType()),
                              ValueRange(), operand->get());
    copy->setAttr(kCopyAttr,
                  rewriter.getStringAttr(
                      "for " + describe(operand->getOwner()) +
                      ": the other path yields a buffer of another kind"));
    if (conflict) {
      copy->setAttr(kConflictAttr, rewriter.getI64IntegerAttr(list->size()));
      list->push_back(*conflict);
    }
    operand->set(copy);
  }
  return !toCopy.empty();
}

//===----------------------------------------------------------------------===//
// Decisions on the IR
//===----------------------------------------------------------------------===//

static std::string getReasonText(const MemorySpaceDecision &decision) {
  std::string text;
  for (const MemorySpaceReason &reason : decision.reasons) {
    if (!text.empty())
      text += "; ";
    text += (reason.rule + ": " + reason.text).str();
  }
  return text;
}

static InFlightDiagnostic refuse(AllocTensorOp alloc,
                                 const MemorySpaceDecision &decision) {
  InFlightDiagnostic diag = alloc->emitError()
                            << "no memory space for this " << alloc.getType()
                            << ": " << decision.reasons.back().text;
  for (const MemorySpaceReason &reason :
       ArrayRef(decision.reasons).drop_back()) {
    diag.attachNote() << reason.rule << ": " << reason.text;
    for (Operation *op : reason.ops)
      diag.attachNote(op->getLoc()) << "here";
  }
  return diag;
}

/// The space that the input gives `alloc`: its own, or that of another tensor
/// in whose place it may be. Null for none.
static Attribute getGivenSpace(AllocTensorOp alloc, const BufferClass *cls) {
  if (alloc.getMemorySpace() || !cls)
    return alloc.getMemorySpaceAttr();
  for (Value root : cls->roots)
    if (auto other = root.getDefiningOp<AllocTensorOp>())
      if (Attribute given = other.getMemorySpaceAttr())
        return given;
  return {};
}

/// Writes the decision for `alloc`, of scope `scope`, on it; failure when it is
/// refused or contradicts the space `given` in the input.
static LogicalResult annotate(AllocTensorOp alloc, Attribute given,
                              const MemorySpaceDecision &decision,
                              ExecutionScope scope,
                              const MemorySpaceOptions &options) {
  Builder b(alloc->getContext());
  if (decision.refused)
    return refuse(alloc, decision);
  if (decision.space == MemorySpace::Global)
    return alloc->emitError()
           << "this " << alloc.getType()
           << " shares memory with an argument of the kernel, but is allocated "
              "by it; copy one of them";
  MemorySpace space = decision.space;
  if (given) {
    std::optional<MemorySpace> givenSpace = options.spaces.fromAttribute(given);
    if (!givenSpace)
      return alloc->emitError() << "unknown memory space " << given;
    if (*givenSpace < decision.space || *givenSpace == MemorySpace::Global) {
      InFlightDiagnostic diag =
          alloc->emitError()
          << "memory space " << given << " contradicts the analysis, which "
          << "needs " << stringifyMemorySpace(decision.space)
          << " memory; drop the attribute or give at least that space";
      for (const MemorySpaceReason &reason : decision.reasons)
        diag.attachNote() << reason.rule << ": " << reason.text;
      return diag;
    }
    // One buffer for all is no buffer for each.
    if (*givenSpace > decision.space && scope > ExecutionScope::Workgroup)
      return alloc->emitError()
             << "memory space " << given << " is wider than the scope of this "
             << "allocation, which each " << stringifyExecutionScope(scope)
             << " makes for itself; drop the attribute, or allocate it outside "
                "of the scf.forall";
    // As given, or wider: kept.
    space = *givenSpace;
  }
  alloc.setMemorySpaceAttr(
      options.spaces.toAttribute(alloc->getContext(), space));
  alloc->setAttr(kReasonAttr, b.getStringAttr(getReasonText(decision)));
  if (decision.threadsPerInstance)
    alloc->setAttr(kPerSubgroupAttr,
                   b.getI64IntegerAttr(decision.threadsPerInstance));
  remark::analysis(
      alloc->getLoc(),
      remark::RemarkOpts::name("MemorySpace")
          .category("memspace")
          .function(alloc->getParentOfType<FunctionOpInterface>().getName()))
      << (stringifyMemorySpace(space) + ": " + getReasonText(decision)).str();
  return success();
}

/// Whether `update`, in the block forall `around`, must come after those that
/// other workgroups make in an earlier iteration of a loop around it.
static bool followsEarlierUpdates(const BufferAccess &update,
                                  Operation *around) {
  auto scatter = dyn_cast<ScatterOp>(update.op);
  return scatter && scatter.getAtomic() &&
         around->getParentOfType<LoopLikeOpInterface>() &&
         getCommutingUpdates(scatter) == 0;
}

/// An op at grid scope by which every workgroup reads elements for itself.
static bool readsAtGridScope(Operation *op) {
  return op->getNumResults() != 0 &&
         llvm::none_of(op->getResultTypes(), llvm::IsaPred<TensorType>);
}

/// A value that one workgroup writes and another reads later would need an
/// order that no kernel has.
static LogicalResult checkWorkgroups(FunctionOpInterface kernel,
                                     const MemorySpaceAnalysis &analysis) {
  const OwnerMaps &owners = *analysis.getOwnerMaps(kernel);
  for (const auto &cls : analysis.getBufferClasses(kernel)->getClasses()) {
    if (!cls->hasOutsideRoot())
      continue;
    // By the block foralls around: none is what every workgroup reads.
    llvm::MapVector<Operation *, SmallVector<const BufferAccess *>> reads;
    for (const BufferAccess &read : cls->accesses)
      if (auto to = getEnclosingForall(read.op, ExecutionScope::Workgroup);
          read.read && (to || readsAtGridScope(read.op)))
        reads[to].push_back(&read);
    for (const BufferAccess &write : cls->accesses) {
      auto from = getEnclosingForall(write.op, ExecutionScope::Workgroup);
      if (!from || !write.write)
        continue;
      if (followsEarlierUpdates(write, from))
        return write.op->emitError()
               << "updates elements that another workgroup may update in an "
                  "earlier iteration around the block forall, in an order that "
                  "shows; workgroups cannot wait for each other: put the loop "
                  "into the forall, or launch a kernel for each iteration";
      for (auto &[to, readsInside] : reads)
        for (const BufferAccess *read : readsInside) {
          if (to == from)
            break;
          if (!owners.getRelations().mayOverlap(
                  write.elements, read->elements,
                  ExecutionPair::DifferentWorkgroups, kernel.getOperation()))
            continue;
          Type type = cls->roots.front().getType();
          InFlightDiagnostic diag = read->op->emitError();
          if (to)
            diag << "reads elements of a " << type
                 << " that another workgroup may write in an earlier block "
                    "forall of this kernel; workgroups cannot wait for each "
                    "other: split the kernel between the two foralls "
                    "(memspace-split-kernels)";
          else
            diag << "this " << type
                 << " is read by every workgroup, and may be written by "
                    "another one in a block forall of this kernel; workgroups "
                    "cannot wait for each other: split the kernel between the "
                    "two (memspace-split-kernels)";
          diag.attachNote(write.op->getLoc()) << "written here";
          return diag;
        }
    }
  }
  return success();
}

/// True when `a` and `b` are executed together and touch the same elements.
static bool areTogether(const ElementAccess &a, const ElementAccess &b) {
  return a.op->getBlock() == b.op->getBlock() &&
         llvm::equal(*a.ranges, *b.ranges,
                     [](const IndexRange &x, const IndexRange &y) {
                       return x.offset == y.offset && x.size && y.size &&
                              *x.size == *y.size && x.stride == y.stride &&
                              x.extents == y.extents;
                     });
}

/// True when an execution of `write` may write, for the instance of the
/// tensor `root` in which `read` reads, what that reads.
static bool mayDefine(const BufferAccess &write, const BufferAccess &read,
                      Value root, ExecutionScope scope,
                      const ThreadRelations &relations) {
  if (!write.write || !write.elements.ranges || !read.elements.ranges)
    return write.write;
  // In each iteration of a forall around it the tensor is another one.
  Operation *made = root.getDefiningOp();
  if (areTogether(write.elements, read.elements) ||
      meetInSomeIterations(write.elements, read.elements,
                           !made->getParentOfType<scf::ForallOp>()))
    return true;
  Operation *around = made->getParentOp();
  while (!isa<LoopLikeOpInterface, FunctionOpInterface>(around))
    around = around->getParentOp();
  auto mayOverlap = [&](ExecutionPair pair) {
    return relations.mayOverlap(write.elements, read.elements, pair, around);
  };
  // What is shared is mostly written by one thread and read by another.
  return (scope != ExecutionScope::Thread &&
          mayOverlap(ExecutionPair::DifferentThreads)) ||
         mayOverlap(ExecutionPair::SameThread);
}

/// Warns of elements that are read and that nobody has written: a tensor of
/// each thread is not what other threads write into theirs.
static void warnOfUndefinedReads(FunctionOpInterface kernel,
                                 const MemorySpaceAnalysis &analysis) {
  const ThreadRelations &relations =
      analysis.getOwnerMaps(kernel)->getRelations();
  for (const auto &cls : analysis.getBufferClasses(kernel)->getClasses()) {
    if (cls->roots.size() != 1 || !isUndefinedTensor(cls->roots.front()))
      continue;
    Value root = cls->roots.front();
    for (const BufferAccess &read : cls->accesses) {
      if (!read.read ||
          llvm::any_of(cls->accesses, [&](const BufferAccess &write) {
            return mayDefine(write, read, root, cls->scope, relations);
          }))
        continue;
      // What is in a loop without an iteration reads nothing.
      if (!relations.mayOverlap(read.elements, read.elements,
                                ExecutionPair::SameThread,
                                kernel.getOperation()))
        continue;
      InFlightDiagnostic diag =
          read.op->emitWarning()
          << "reads elements of a tensor of each "
          << stringifyExecutionScope(cls->scope)
          << " that it has not written; write them first, or "
             "allocate the tensor outside, where those "
             "who write them share it";
      diag.attachNote(root.getLoc()) << "allocated here, without contents";
    }
  }
}

static LogicalResult decide(FunctionOpInterface kernel,
                            const MemorySpaceOptions &options) {
  std::shared_ptr<const MemorySpaceAnalysis> decisions =
      MemorySpaceAnalysis::get(kernel, options);
  const MemorySpaceAnalysis &analysis = *decisions;
  if (!analysis.isValid() || failed(checkWorkgroups(kernel, analysis)) ||
      failed(verifyCollectives(kernel, analysis)))
    return failure();
  warnOfUndefinedReads(kernel, analysis);
  const BufferClasses &classes = *analysis.getBufferClasses(kernel);
  kernel->walk([&](MaterializeInDestinationOp op) {
    if (classes.isInPlace(op))
      op->setAttr(kInPlaceAttr, UnitAttr::get(op.getContext()));
  });
  LogicalResult result = success();
  ExecutionScopeAnalysis scopes(kernel);
  // All are looked at before the first one is changed.
  SmallVector<std::pair<AllocTensorOp, Attribute>> allocs;
  kernel->walk([&](AllocTensorOp alloc) {
    allocs.emplace_back(alloc, getGivenSpace(alloc, analysis.getBufferClass(
                                                        alloc.getResult())));
  });
  for (auto [alloc, given] : allocs)
    if (failed(annotate(alloc, given, *analysis.getDecision(alloc),
                        scopes.getScope(alloc.getOperation()), options)))
      result = failure();
  return result;
}

//===----------------------------------------------------------------------===//
// The step
//===----------------------------------------------------------------------===//

/// Whether any op was changed, and not only attributes.
static FailureOr<bool> infer(const KernelContext &context,
                             const MemorySpaceOptions &given,
                             SmallVectorImpl<CopyConflict> *list) {
  FunctionOpInterface kernel = context.getKernel();
  MemorySpaceOptions options = given;
  OneShotAnalyses own(given.oneShot);
  if (!options.analyses)
    options.analyses = &own;
  OneShotAnalyses &analyses = *options.analyses;

  bool changed = separateDeniedInits(kernel, options.oneShot);
  changed |= makeAllocationsExplicit(kernel);
  // Distribution, unification and carried buffers may leave new conflicts;
  // each round has fewer. The last one finds that nothing is left to do.
  constexpr int maxRounds = 16;
  bool resolved = false;
  std::string lastConflict;
  for (int round = 0; round < maxRounds; ++round) {
    FailureOr<bool> conflicts =
        resolveConflicts(context, analyses, lastConflict, list);
    if (failed(conflicts))
      return failure();
    bool isChanged = unifyBranches(context, analyses, list) || *conflicts;
    FailureOr<bool> distributed =
        distributeToThreads(kernel, options, /*isFirst=*/false);
    if (failed(distributed))
      return failure();
    isChanged |= *distributed;
    if (*distributed)
      makeAllocationsExplicit(kernel);
    // A copy that a conflict needs may leave the iteration in which it is
    // made; the loop carries a buffer of its own for it.
    FailureOr<bool> carried = makeLoopExchangesExplicit(kernel, analyses);
    if (failed(carried))
      return failure();
    isChanged |= *carried;
    if (*carried)
      makeAllocationsExplicit(kernel);
    changed |= isChanged;
    resolved = !isChanged;
    if (resolved)
      break;
  }
  if (!resolved) {
    InFlightDiagnostic diag = kernel->emitError();
    diag << "kernel '" << kernel.getName()
         << "' does not come to rest: each copy that a tensor needs, which is "
            "updated and read later, makes another one needed";
    if (!lastConflict.empty())
      diag << " (the last: " << lastConflict << ")";
    return diag << "; copy what is both updated and read later by a "
                   "linalg.copy into a tensor of its own";
  }
  LogicalResult result = decide(kernel, options);
  analyses.forget(kernel);
  return failed(result) ? FailureOr<bool>(failure()) : changed;
}

LogicalResult
mlir::memspace::inferMemorySpaces(const KernelContext &context,
                                  const MemorySpaceOptions &options) {
  return infer(context, options, /*list=*/nullptr);
}

LogicalResult mlir::memspace::inferMemorySpacesAndListCopies(
    const KernelContext &context, const MemorySpaceOptions &options,
    SmallVectorImpl<CopyConflict> &copies) {
  SmallVector<CopyConflict> all;
  FailureOr<bool> result = infer(context, options, &all);
  // Some copies are not needed in the end.
  llvm::SmallBitVector isLeft(all.size());
  context.getKernel()->walk([&](AllocTensorOp alloc) {
    auto number = dyn_cast_or_null<IntegerAttr>(
        alloc->removeDiscardableAttr(kConflictAttr));
    if (!number)
      return;
    isLeft.set(number.getInt());
    all[number.getInt()].space =
        options.spaces.fromAttribute(alloc.getMemorySpaceAttr());
  });
  for (unsigned i : isLeft.set_bits())
    copies.push_back(all[i]);
  return result;
}

namespace {
struct InferMemorySpacesPass
    : public memspace::impl::InferMemorySpacesPassBase<InferMemorySpacesPass> {
  using Base::Base;
  void runOnOperation() override {
    KernelSelection selection;
    selection.target = {chip, workgroupLimit, privateLimit, subgroupSize};
    selection.launch = {llvm::to_vector(blockSize), llvm::to_vector(gridSize)};
    selection.memorySpaces = memorySpaces;
    selection.pass = getArgument();
    selection.quiet = quiet;
    auto &analyses = getAnalysis<OneShotAnalyses>();
    bool isChanged = false;
    selection.renamed = &isChanged;
    auto inferOne = [&](const KernelContext &context) -> LogicalResult {
      recordLaunchShape(context);
      MemorySpaceOptions options(context);
      options.replicationBytes = replicationBytes;
      options.barrierWork = barrierWork;
      options.analyses = &analyses;
      FailureOr<bool> changed = infer(context, options, /*list=*/nullptr);
      isChanged |= succeeded(changed) && *changed;
      return changed;
    };
    if (failed(forEachKernel(getOperation(), selection, inferOne)))
      return signalPassFailure();
    // No analysis that is kept looks at the attributes of a decision.
    if (!isChanged)
      markAllAnalysesPreserved();
  }
};
} // namespace
