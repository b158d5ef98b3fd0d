//===- OneShotAnalyses.cpp - One-Shot's analyses of kernels, kept -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Spaces/OneShotAnalyses.h"
#include "MemSpace/IR/AttributeNames.h"
#include "MemSpace/Spaces/TensorClaims.h"
#include "MemSpace/Spaces/TrustedModels.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// The analysis
//===----------------------------------------------------------------------===//

OneShotBufferizationOptions mlir::memspace::getOneShotOptions() {
  OneShotBufferizationOptions options;
  // Analysis only: exchanged and escaping loop values are made explicit by
  // normalization; what is left is copied.
  options.allowReturnAllocsFromLoops = true;
  options.bufferAlignment = 0;
  return options;
}

/// Tells One-Shot what it does not know of `scf.index_switch`, unlike of
/// `scf.if`: its results may have the buffers that its cases yield. Without it
/// a write of the result overwrites them, were they read-only or read later.
static void aliasSwitchResults(FunctionOpInterface kernel,
                               OneShotAnalysisState &state) {
  kernel->walk([&](scf::IndexSwitchOp op) {
    for (Region &region : op->getRegions())
      for (auto [yielded, result] : llvm::zip_equal(
               region.front().getTerminator()->getOperands(), op->getResults()))
        if (isa<TensorType>(result.getType()))
          state.unionAliasSets(yielded, result);
  });
}

/// Copies back into carried buffers are in place, although One-Shot takes two
/// tensors for one that a branch only chooses between. True when it did.
static bool keepCarriedCopiesInPlace(FunctionOpInterface kernel,
                                     OneShotAnalysisState &state) {
  bool changed = false;
  kernel->walk([&](DestinationStyleOpInterface op) {
    if (!op->hasAttr(kCarriedAttr))
      return;
    for (OpOperand &init : op.getDpsInitsMutable()) {
      if (!isa<TensorType>(init.get().getType()) || state.isInPlace(init))
        continue;
      state.bufferizeInPlace(init);
      state.unionEquivalenceClasses(init.get(), op.getTiedOpResult(&init));
      changed = true;
    }
  });
  return changed;
}

/// As below, of a loop with two regions.
static void relateResults(scf::WhileOp loop, OneShotAnalysisState &state) {
  for (auto [init, before, passed, after, yielded, result] :
       llvm::zip(loop.getInitsMutable(), loop.getBeforeArguments(),
                 loop.getConditionOp().getArgs(), loop.getAfterArguments(),
                 loop.getYieldOp().getOperands(), loop.getResults()))
    if (isa<TensorType>(before.getType()) && isa<TensorType>(after.getType()) &&
        state.isInPlace(init) &&
        state.areEquivalentBufferizedValues(before, passed) &&
        state.areEquivalentBufferizedValues(after, yielded))
      state.unionEquivalenceClasses(init.get(), result);
}

/// What follows of equal buffers at the end of loop bodies and branches, which
/// One-Shot has looked at before they were equal; from the inside out.
static void relateResults(FunctionOpInterface kernel,
                          OneShotAnalysisState &state) {
  kernel->walk([&](Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      for (auto [init, arg, yielded, result] :
           llvm::zip_equal(loop.getInitArgsMutable(), loop.getRegionIterArgs(),
                           loop.getYieldedValues(), loop.getResults()))
        if (isa<TensorType>(arg.getType()) && state.isInPlace(init) &&
            state.areEquivalentBufferizedValues(arg, yielded))
          state.unionEquivalenceClasses(init.get(), result);
    } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      relateResults(loop, state);
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      for (OpResult result : branch.getResults()) {
        unsigned i = result.getResultNumber();
        if (!isa<TensorType>(result.getType()))
          continue;
        Value thenValue = branch.thenYield().getOperand(i);
        if (state.areEquivalentBufferizedValues(
                thenValue, branch.elseYield().getOperand(i)))
          state.unionEquivalenceClasses(thenValue, result);
      }
    }
  });
}

LogicalResult mlir::memspace::analyzeKernel(FunctionOpInterface kernel,
                                            OneShotAnalysisState &state) {
  aliasSwitchResults(kernel, state);
  if (failed(analyzeWithoutTrust(kernel, state)))
    return failure();
  if (keepCarriedCopiesInPlace(kernel, state))
    relateResults(kernel, state);
  kernel->walk([&](Operation *op) {
    if (!state.getOptions().dynCastBufferizableOp(op))
      return;
    for (OpOperand &operand : op->getOpOperands())
      if (isa<TensorType>(operand.get().getType()) &&
          !state.isInPlace(operand) && state.bufferizesToMemoryWrite(operand) &&
          isOnlyNameOfFreshTensor(operand))
        state.bufferizeInPlace(operand);
  });
  return success();
}

//===----------------------------------------------------------------------===//
// What is kept
//===----------------------------------------------------------------------===//

namespace {
/// Equal for kernels that an analysis cannot tell apart: the same ops with the
/// same operands, attributes and types. As upstream's OperationFingerPrint,
/// which leaves the types out, but compared as a whole instead of hashed, which
/// takes a fifth of the time.
class KernelContent {
public:
  explicit KernelContent(Operation *kernel) {
    kernel->walk([&](Operation *op) { addOp(op); });
  }

  bool operator==(const KernelContent &other) const {
    return words == other.words;
  }

private:
  void add(const void *pointer) {
    words.push_back(reinterpret_cast<uintptr_t>(pointer));
  }
  void addOp(Operation *op) {
    add(op);
    // Another op may have been made where one was erased.
    add(op->getName().getAsOpaquePointer());
    add(op->getParentOp());
    add(op->getLoc().getAsOpaquePointer());
    add(op->getRawDictionaryAttrs().getAsOpaquePointer());
    words.push_back(size_t(op->hashProperties()));
    for (Value operand : op->getOperands())
      add(operand.getAsOpaquePointer());
    for (Type type : op->getResultTypes())
      add(type.getAsOpaquePointer());
    for (Block *successor : op->getSuccessors())
      add(successor);
    for (Region &region : op->getRegions())
      for (Block &block : region) {
        add(&block);
        for (BlockArgument arg : block.getArguments()) {
          add(arg.getAsOpaquePointer());
          add(arg.getType().getAsOpaquePointer());
        }
      }
  }

  std::vector<uintptr_t> words;
};
} // namespace

struct OneShotAnalyses::Analyzed {
  Analyzed(FunctionOpInterface kernel, const KernelContent &content,
           std::shared_ptr<const OneShotBufferizationOptions> options)
      : options(std::move(options)), state(kernel, *this->options),
        content(content) {}

  std::shared_ptr<const OneShotBufferizationOptions> options;
  OneShotAnalysisState state;
  /// Of the kernel that the state is about.
  KernelContent content;
  /// No analysis has judged the state since it was told of changes.
  bool isExpected = false;
};

OneShotAnalyses::OneShotAnalyses(const OneShotBufferizationOptions &options)
    : options(std::make_shared<OneShotBufferizationOptions>(options)) {}

OneShotAnalyses::~OneShotAnalyses() = default;

std::shared_ptr<OneShotAnalysisState>
OneShotAnalyses::get(FunctionOpInterface kernel) {
  if (expects(kernel))
    forget(kernel);
  return getExpected(kernel);
}

std::shared_ptr<OneShotAnalysisState>
OneShotAnalyses::getExpected(FunctionOpInterface kernel) {
  std::shared_ptr<Analyzed> &analyzed = kernels[kernel];
  KernelContent content(kernel);
  if (!analyzed || !(analyzed->content == content)) {
    // One at a time is enough of a large kernel.
    analyzed.reset();
    spaces.erase(kernel);
    auto fresh = std::make_shared<Analyzed>(kernel, content, options);
    ++numAnalyses;
    if (failed(analyzeKernel(kernel, fresh->state)))
      return nullptr;
    analyzed = std::move(fresh);
  }
  return {analyzed, &analyzed->state};
}

/// Relates each of `values` to the operands that it is, where all of these are
/// in place and one buffer.
static void relateToOperands(FunctionOpInterface kernel,
                             OneShotAnalysisState &state,
                             const DenseSet<Value> &values) {
  auto relate = [&](Value value) {
    if (!values.contains(value))
      return;
    AliasingOpOperandList operands = state.getAliasingOpOperands(value);
    if (operands.getNumAliases() == 0)
      return;
    Value first = operands.begin()->opOperand->get();
    if (llvm::all_of(operands, [&](const AliasingOpOperand &alias) {
          return alias.relation == BufferRelation::Equivalent &&
                 state.isInPlace(*alias.opOperand) &&
                 state.areEquivalentBufferizedValues(alias.opOperand->get(),
                                                     first);
        }))
      state.unionEquivalenceClasses(first, value);
  };
  kernel->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == kernel || !state.getOptions().dynCastBufferizableOp(op))
      return;
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), relate);
    llvm::for_each(op->getResults(), relate);
  });
}

/// What follows of `values`, and all that may be in their buffers, being new.
static void relateNewValues(FunctionOpInterface kernel,
                            OneShotAnalysisState &state, ValueRange values) {
  DenseSet<Value> related;
  for (Value value : values)
    state.applyOnAliases(value, [&](Value alias) { related.insert(alias); });
  // What loops and branches yield is known once it is of what they contain.
  relateToOperands(kernel, state, related);
  relateResults(kernel, state);
  relateToOperands(kernel, state, related);
}

void mlir::memspace::expectInPlace(FunctionOpInterface kernel,
                                   ArrayRef<Operation *> made,
                                   OneShotAnalysisState &state) {
  state.resetCache();
  SmallVector<Value> values;
  auto add = [&](Value value) {
    if (!isa<TensorType>(value.getType()))
      return;
    state.createAliasInfoEntry(value);
    values.push_back(value);
  };
  auto forEach = [&](llvm::function_ref<void(Operation *)> visit) {
    for (Operation *op : made)
      op->walk<WalkOrder::PreOrder>(visit);
  };
  forEach([&](Operation *op) {
    llvm::for_each(op->getResults(), add);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), add);
  });
  forEach([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands())
      if (isa<TensorType>(operand.get().getType()))
        state.bufferizeInPlace(operand);
  });
  relateNewValues(kernel, state, values);
}

void OneShotAnalyses::expect(FunctionOpInterface kernel) {
  auto it = kernels.find(kernel);
  assert(it != kernels.end() && it->second && "nothing is kept");
  spaces.erase(kernel);
  it->second->isExpected = true;
  it->second->content = KernelContent(kernel);
}

bool OneShotAnalyses::expects(FunctionOpInterface kernel) const {
  std::shared_ptr<Analyzed> analyzed = kernels.lookup(kernel);
  return analyzed && analyzed->isExpected;
}

void OneShotAnalyses::copied(FunctionOpInterface kernel,
                             ArrayRef<OpOperand *> operands) {
  auto it = kernels.find(kernel);
  assert(it != kernels.end() && it->second && "nothing is kept");
  // What such an op gets a copy of is found by an analysis only.
  WalkResult trusted = kernel->walk([&](Operation *op) {
    return hasTrustedModel(op) ? WalkResult::advance()
                               : WalkResult::interrupt();
  });
  if (trusted.wasInterrupted())
    return forget(kernel);
  spaces.erase(kernel);
  OneShotAnalysisState &state = it->second->state;
  state.resetCache();
  SmallVector<Value> copies;
  for (OpOperand *operand : operands) {
    auto alloc = operand->get().getDefiningOp<AllocTensorOp>();
    state.createAliasInfoEntry(alloc);
    for (OpOperand &copied : alloc->getOpOperands())
      if (isa<TensorType>(copied.get().getType()))
        state.bufferizeInPlace(copied);
    state.bufferizeInPlace(*operand);
    copies.push_back(alloc);
  }
  relateNewValues(kernel, state, copies);
  it->second->content = KernelContent(kernel);
}

void OneShotAnalyses::distributed(FunctionOpInterface kernel,
                                  ArrayRef<Operation *> foralls) {
  auto it = kernels.find(kernel);
  assert(it != kernels.end() && it->second && "nothing is kept");
  spaces.erase(kernel);
  expectInPlace(kernel, foralls, it->second->state);
  it->second->content = KernelContent(kernel);
}

void OneShotAnalyses::forget(FunctionOpInterface kernel) {
  spaces.erase(kernel);
  kernels.erase(kernel);
}
