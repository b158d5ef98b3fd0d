//===- VerifyDistribution.cpp - who writes, and what is copied -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Transforms/VerifyDistribution.h"
#include "CopyConflicts.h"
#include "Kernel/HardwareIds.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/Transforms/Bufferize.h"
#include "MemSpace/Transforms/Passes.h"
#include "OverlappingWrites.h"
#include "Transforms/Normalize/KernelVerifier.h"
#include "Transforms/Support/PassKernels.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/StringSwitch.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_VERIFYDISTRIBUTIONPASS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// Who writes
//===----------------------------------------------------------------------===//

static LogicalResult verifyGridWrites(const KernelContext &context) {
  std::optional<RepeatedWrite> write = findRepeatedWrite(context);
  if (!write)
    return success();
  InFlightDiagnostic diag = write->op->emitError();
  diag << describeWorkgroups(*write) << " executes this op and writes "
       << describeMemory(write->memref)
       << ": no 'scf.forall' around it is mapped to blocks; ";
  if (write->hasBlockForall)
    diag << "move it into the block-mapped one";
  else
    diag << "let one with mapping = [#gpu.block<x>] give each workgroup a "
            "slice";
  return diag << ", place it by gpu.block_id, or launch one workgroup";
}

/// How diagnostics name the memory that a forall writes: a shared output or a
/// memref.
static std::string describeOutput(Value memory) {
  if (!isa<TensorType>(memory.getType()))
    return describeMemory(memory);
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "this " << memory.getType();
  // Outward, from forall to forall and through slices and updates.
  Value value = memory;
  while (true) {
    if (auto arg = dyn_cast<BlockArgument>(value)) {
      auto forall = dyn_cast<scf::ForallOp>(arg.getOwner()->getParentOp());
      if (!forall)
        break;
      value = forall.getTiedOpOperand(arg)->get();
    } else if (auto slice = value.getDefiningOp<tensor::ExtractSliceOp>()) {
      value = slice.getSource();
    } else if (auto dps = value.getDefiningOp<DestinationStyleOpInterface>()) {
      value = dps.getTiedOpOperand(cast<OpResult>(value))->get();
    } else {
      break;
    }
  }
  if (auto toTensor = value.getDefiningOp<bufferization::ToTensorOp>())
    os << " in " << describeMemory(toTensor.getBuffer());
  return text;
}

static std::string toString(ArrayRef<int64_t> numbers) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(numbers, os);
  return text;
}

static LogicalResult verifyForallWrites(const KernelContext &context) {
  FunctionOpInterface kernel = context.getKernel();
  // Code that asks for ids says itself who does what.
  WalkResult ids = kernel->walk([](Operation *op) {
    std::optional<HardwareId> id = getHardwareId(op);
    return id && (id->isOfThread() || id->isOfWorkgroup())
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  if (ids.wasInterrupted())
    return success();
  LogicalResult result = success();
  kernel->walk([&](scf::ForallOp forall) {
    std::optional<ForallMapping> mapping = getForallMapping(forall);
    if (!mapping)
      return;
    std::optional<OverlappingWrites> overlap =
        findOverlappingWrites(context, forall);
    if (!overlap)
      return;
    StringRef who = getMappingName(*mapping);
    result = failure();
    InFlightDiagnostic diag = overlap->second->emitError();
    diag << "iterations (" << toString(overlap->firstIteration) << ") and ("
         << toString(overlap->secondIteration) << ") of a forall mapped to "
         << who << "s both write element [" << toString(overlap->element)
         << "] of " << describeOutput(overlap->memory) << ", which only one "
         << who
         << " may write; let the place depend on every id of the forall, "
            "distribute what writes it by one more forall, or combine the "
            "values first";
    if (overlap->first != overlap->second)
      diag.attachNote(overlap->first->getLoc())
          << "written by iteration (" << toString(overlap->firstIteration)
          << ") here";
    diag.attachNote(forall.getLoc()) << "the forall";
  });
  return result;
}

//===----------------------------------------------------------------------===//
// What is copied
//===----------------------------------------------------------------------===//

namespace {
/// While it lives, the body of a kernel is a copy of itself.
class BodyCopy {
public:
  explicit BodyCopy(FunctionOpInterface kernel)
      : kernel(kernel), attributes(kernel->getDiscardableAttrDictionary()) {
    original.takeBody(kernel.getFunctionBody());
    IRMapping mapping;
    original.cloneInto(&kernel.getFunctionBody(), mapping);
  }
  ~BodyCopy() {
    kernel.getFunctionBody().dropAllReferences();
    kernel.getFunctionBody().takeBody(original);
    kernel->setDiscardableAttrs(attributes);
  }
  BodyCopy(const BodyCopy &) = delete;

private:
  FunctionOpInterface kernel;
  DictionaryAttr attributes;
  Region original;
};
} // namespace

static bool isFinding(const CopyConflict &conflict,
                      const DistributionChecks &checks) {
  bool isShared =
      conflict.isOutside || conflict.space == MemorySpace::Workgroup;
  return (conflict.isWhole && isShared) || !conflict.bytes ||
         *conflict.bytes > checks.copyBytes;
}

static void report(const CopyConflict &conflict,
                   DistributionChecks::Copies kind) {
  InFlightDiagnostic diag = kind == DistributionChecks::Copies::Error
                                ? emitError(conflict.op.loc)
                                : emitWarning(conflict.op.loc);
  std::string type;
  llvm::raw_string_ostream(type) << conflict.type;
  diag << "'" << conflict.op.name << "' gets a copy ";
  if (conflict.space)
    diag << "in " << stringifyMemorySpace(*conflict.space) << " memory ";
  diag << "of ";
  if (conflict.memory.empty())
    diag << "this " << type;
  else if (conflict.isWhole)
    diag << "all of " << conflict.memory;
  else
    diag << type << " in " << conflict.memory;
  if (conflict.bytes)
    diag << ", " << *conflict.bytes << " bytes";
  if (conflict.isBranch) {
    diag << ": the other path yields a buffer of another kind; let both paths "
            "yield memory of the caller, or both tensors of the kernel, or "
            "make the copy explicit (linalg.copy)";
    return;
  }
  diag << ": '" << conflict.writer.name << "' would overwrite ";
  if (conflict.isReadOnly)
    diag << "memory that is read-only; let it write a tensor of its own, or "
            "make the 'bufferization.to_tensor' 'writable'";
  else if (conflict.read)
    diag << "what '" << conflict.read->name
         << "' reads; let that read it before, or read the result";
  else
    diag << "a value that is needed later; let it update the tensor in its "
            "last use";
  diag << ", or make the copy explicit (linalg.copy)";
  if (conflict.writer.loc != conflict.op.loc)
    diag.attachNote(conflict.writer.loc) << "overwritten here";
  if (conflict.read)
    diag.attachNote(conflict.read->loc) << "the old value is read here";
  diag.attachNote(conflict.memoryLoc) << "the tensor is from here";
}

namespace {
/// The steps write some ops anew at the locations of old ones; the user knows
/// those.
class OldNames {
public:
  explicit OldNames(FunctionOpInterface kernel) {
    kernel->walk([&](Operation *op) {
      StringRef name = op->getName().getStringRef();
      auto [it, inserted] = names.try_emplace(op->getLoc(), name);
      if (!inserted && it->second != name)
        it->second = StringRef();
    });
  }

  void restore(CopyConflict::NamedOp &op) const {
    StringRef name = names.lookup(op.loc);
    if (!name.empty())
      op.name = name.str();
  }

private:
  /// An empty name for locations of several.
  DenseMap<Location, StringRef> names;
};
} // namespace

/// The steps up to the memory spaces, on a copy.
static LogicalResult verifySteps(const KernelContext &context,
                                 const MemorySpaceOptions &given,
                                 const DistributionChecks &checks) {
  MemorySpaceOptions options = given;
  OneShotAnalyses analyses(given.oneShot);
  options.analyses = &analyses;
  OldNames oldNames(context.getKernel());
  BodyCopy copy(context.getKernel());
  SmallVector<CopyConflict> copies;
  if (failed(prepareKernel(context, options)) ||
      failed(inferMemorySpacesAndListCopies(context, options, copies)))
    return failure();
  bool isRight = true;
  for (CopyConflict &conflict : copies) {
    if (checks.copies == DistributionChecks::Copies::Allow ||
        !isFinding(conflict, checks))
      continue;
    oldNames.restore(conflict.op);
    oldNames.restore(conflict.writer);
    if (conflict.read)
      oldNames.restore(*conflict.read);
    report(conflict, checks.copies);
    isRight &= checks.copies != DistributionChecks::Copies::Error;
  }
  return success(isRight);
}

LogicalResult
mlir::memspace::verifyDistribution(const KernelContext &context,
                                   const MemorySpaceOptions &options,
                                   const DistributionChecks &checks) {
  if (failed(verifyGridWrites(context)) || failed(verifyForallWrites(context)))
    return failure();
  return verifySteps(context, options, checks);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct VerifyDistributionPass
    : public memspace::impl::VerifyDistributionPassBase<
          VerifyDistributionPass> {
  using Base::Base;

  void runOnOperation() override {
    std::optional<DistributionChecks::Copies> kind =
        llvm::StringSwitch<std::optional<DistributionChecks::Copies>>(copies)
            .Case("error", DistributionChecks::Copies::Error)
            .Case("warn", DistributionChecks::Copies::Warn)
            .Case("allow", DistributionChecks::Copies::Allow)
            .Default(std::nullopt);
    if (!kind) {
      getOperation()->emitError()
          << "'" << getArgument() << "' knows no 'copies' named '" << copies
          << "'; use 'error', 'warn' or 'allow'";
      return signalPassFailure();
    }
    if (copyBytes < 0) {
      getOperation()->emitError() << "the 'copy-bytes' of '" << getArgument()
                                  << "' must not be negative";
      return signalPassFailure();
    }
    if (blockSize.empty() && failed(verifyModuleKernels(getOperation())))
      return signalPassFailure();
    KernelSelection selection;
    selection.target = {chip, workgroupLimit, privateLimit, subgroupSize};
    selection.launch = {llvm::to_vector(blockSize), llvm::to_vector(gridSize)};
    selection.memorySpaces = memorySpaces;
    selection.pass = getArgument();
    selection.goesOn = true;
    selection.quiet = quiet;
    DistributionChecks checks;
    checks.copies = *kind;
    checks.copyBytes = copyBytes;
    auto verify = [&](const KernelContext &context) {
      MemorySpaceOptions options(context);
      options.replicationBytes = replicationBytes;
      options.barrierWork = barrierWork;
      return verifyDistribution(context, options, checks);
    };
    if (failed(forEachKernel(getOperation(), selection, verify)))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
