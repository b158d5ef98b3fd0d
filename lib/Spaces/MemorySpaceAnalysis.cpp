//===- MemorySpaceAnalysis.cpp - where every tensor lives, and why -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Spaces/MemorySpaceAnalysis.h"
#include "MemSpace/Memory/BufferSize.h"
#include "MemSpace/Memory/MemoryInterfaces.h"
#include "ReplicationCost.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// Decisions
//===----------------------------------------------------------------------===//

struct MemorySpaceAnalysis::KernelInfo {
  KernelInfo(const KernelContext &context, const MemorySpaceOptions &options)
      : context(context), state(getState(context, options)),
        scopes(context.getKernel()) {}

  static std::shared_ptr<const OneShotAnalysisState>
  getState(const KernelContext &context, const MemorySpaceOptions &options) {
    if (options.analyses)
      return options.expects
                 ? options.analyses->getExpected(context.getKernel())
                 : options.analyses->get(context.getKernel());
    return OneShotAnalyses(options.oneShot).get(context.getKernel());
  }

  KernelContext context;
  /// Null when the analysis failed.
  std::shared_ptr<const OneShotAnalysisState> state;
  std::unique_ptr<BufferClasses> classes;
  std::unique_ptr<OwnerMaps> owners;
  ExecutionScopeAnalysis scopes;
  /// Built by the first question.
  mutable std::optional<LiveUses> liveUses;
  DenseMap<const BufferClass *, MemorySpaceDecision> decisions;
};

namespace {
/// Decides one class after the other; private bytes are counted on the way.
class Decider {
public:
  Decider(const KernelContext &context, const MemorySpaceOptions &options,
          const BufferClasses &classes, const OwnerMaps &owners)
      : context(context), options(options), target(this->context.getTarget()),
        owners(owners),
        costs(this->context, classes, owners, options.barrierWork) {}

  MemorySpaceDecision decide(const BufferClass &cls);

private:
  /// Why a rule applies.
  struct Finding {
    std::string text;
    SmallVector<Operation *, 2> ops = {};
  };
  /// None when the rule does not apply to the class; else what it decides is in
  /// the decision.
  using RuleFn = std::optional<Finding> (Decider::*)(const BufferClass &,
                                                     MemorySpaceDecision &);
  struct Rule {
    StringLiteral name;
    RuleFn apply;
  };
  static const Rule rules[];

  std::optional<Finding> outside(const BufferClass &, MemorySpaceDecision &);
  std::optional<Finding> mixed(const BufferClass &, MemorySpaceDecision &);
  std::optional<Finding> shapeOnly(const BufferClass &, MemorySpaceDecision &);
  std::optional<Finding> collective(const BufferClass &, MemorySpaceDecision &);
  std::optional<Finding> threadScope(const BufferClass &,
                                     MemorySpaceDecision &);
  std::optional<Finding> gridScope(const BufferClass &, MemorySpaceDecision &);
  std::optional<Finding> mustShare(const BufferClass &, MemorySpaceDecision &);
  std::optional<Finding> replicated(const BufferClass &, MemorySpaceDecision &);
  std::optional<Finding> replicationCost(const BufferClass &,
                                         MemorySpaceDecision &);
  std::optional<Finding> replicationLimit(const BufferClass &,
                                          MemorySpaceDecision &);
  std::optional<Finding> aligned(const BufferClass &, MemorySpaceDecision &);
  std::optional<Finding> privateLimit(const BufferClass &,
                                      MemorySpaceDecision &);
  void checkWorkgroup(const BufferClass &cls, MemorySpaceDecision &decision);

  bool fitsPrivate(std::optional<int64_t> bytes) const {
    return bytes && *bytes <= target.privateBytes - privateBytes;
  }
  std::optional<int64_t> getBytes(const BufferClass &cls) const;

  KernelContext context;
  const MemorySpaceOptions &options;
  const TargetInfo &target;
  const OwnerMaps &owners;
  ReplicationCosts costs;
  int64_t privateBytes = 0;
};
} // namespace

/// In the order of docs/rules.md; the first that applies decides, the last one
/// always does.
const Decider::Rule Decider::rules[] = {
    {"outside", &Decider::outside},
    {"mixed", &Decider::mixed},
    {"shape-only", &Decider::shapeOnly},
    {"collective", &Decider::collective},
    {"thread-scope", &Decider::threadScope},
    {"grid-scope", &Decider::gridScope},
    {"must-share", &Decider::mustShare},
    {"replicated", &Decider::replicated},
    {"replication-cost", &Decider::replicationCost},
    {"replication-limit", &Decider::replicationLimit},
    {"aligned", &Decider::aligned},
    {"private-limit", &Decider::privateLimit},
};

static std::string nameOf(Value value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  value.printAsOperand(os, OpPrintingFlags());
  return text;
}

/// Bytes of the largest root, dynamic extents replaced by their bounds.
std::optional<int64_t> Decider::getBytes(const BufferClass &cls) const {
  int64_t bytes = 0;
  for (Value root : cls.roots) {
    auto type = dyn_cast<RankedTensorType>(root.getType());
    if (!type)
      return std::nullopt;
    SmallVector<int64_t> shape(type.getShape());
    OpBuilder b(root.getContext());
    for (auto [dim, extent] : llvm::enumerate(shape)) {
      if (!ShapedType::isDynamic(extent))
        continue;
      std::optional<int64_t> bound;
      if (auto alloc = root.getDefiningOp<AllocTensorOp>();
          alloc && !alloc.getCopy())
        bound =
            getConstantUpperBound(alloc.getDynamicSize(b, dim), std::nullopt);
      else
        bound = getConstantUpperBound(root, dim);
      if (!bound)
        return std::nullopt;
      extent = *bound;
    }
    std::optional<int64_t> rootBytes = getBufferBytes(type, target, shape);
    if (!rootBytes)
      return std::nullopt;
    bytes = std::max(bytes, *rootBytes);
  }
  return bytes;
}

std::optional<Decider::Finding>
Decider::outside(const BufferClass &cls, MemorySpaceDecision &decision) {
  if (!cls.hasOutsideRoot() || cls.hasAllocatedRoot())
    return std::nullopt;
  decision.space = MemorySpace::Global;
  decision.sharingScope = ExecutionScope::Grid;
  return Finding{"comes from outside the kernel"};
}

std::optional<Decider::Finding> Decider::mixed(const BufferClass &cls,
                                               MemorySpaceDecision &decision) {
  if (!cls.hasOutsideRoot() && cls.hasOneScope)
    return std::nullopt;
  decision.refused = true;
  if (cls.hasOutsideRoot()) {
    decision.sharingScope = ExecutionScope::Grid;
    return Finding{"is memory of the caller on one path and a buffer of the "
                   "kernel on another; a copy is needed"};
  }
  decision.sharingScope = cls.scope;
  return Finding{"is a buffer of each thread on one path and a buffer that "
                 "threads share on another; a copy is needed"};
}

std::optional<Decider::Finding>
Decider::shapeOnly(const BufferClass &cls, MemorySpaceDecision &decision) {
  if (!cls.accesses.empty() || !decision.bytes)
    return std::nullopt;
  decision.space = MemorySpace::Private;
  decision.bytesPerThread = 0;
  return Finding{
      "nobody reads or writes its elements: it gives an op its shape"};
}

/// The op that lets threads contribute to `cls`; null when there is none.
static Operation *findCollective(const BufferClass &cls) {
  for (Value value : cls.values)
    if (Operation *op = value.getDefiningOp();
        isa_and_nonnull<BeginCollectiveOp, EndCollectiveOp,
                        CollectiveOpInterface>(op))
      return op;
  return nullptr;
}

std::optional<Decider::Finding>
Decider::collective(const BufferClass &cls, MemorySpaceDecision &decision) {
  Operation *op = findCollective(cls);
  if (!op || cls.scope == ExecutionScope::Grid)
    return std::nullopt;
  decision.space = MemorySpace::Workgroup;
  return Finding{"threads contribute to it and read what others contributed",
                 {op}};
}

std::optional<Decider::Finding>
Decider::threadScope(const BufferClass &cls, MemorySpaceDecision &decision) {
  if (cls.scope != ExecutionScope::Thread)
    return std::nullopt;
  decision.space = MemorySpace::Private;
  decision.bytesPerThread = decision.bytes;
  privateBytes += decision.bytes.value_or(0);
  return Finding{"allocated inside a thread's iteration: no other thread can "
                 "name it"};
}

std::optional<Decider::Finding>
Decider::gridScope(const BufferClass &cls, MemorySpaceDecision &decision) {
  if (cls.scope != ExecutionScope::Grid)
    return std::nullopt;
  decision.refused = true;
  decision.sharingScope = ExecutionScope::Grid;
  return Finding{"allocated at grid scope, where no workgroup owns it; move it "
                 "into the block forall, write the kernel's output, let the "
                 "host provide it (memspace-add-workspaces), or split the "
                 "kernel (memspace-split-kernels)"};
}

/// A distributed write that another thread reads.
std::optional<Decider::Finding>
Decider::mustShare(const BufferClass &cls, MemorySpaceDecision &decision) {
  std::optional<UnalignedPair> pair =
      owners.findUnaligned(cls, /*mappedOnly=*/false);
  if (!pair)
    return std::nullopt;
  decision.space = MemorySpace::Workgroup;
  bool uniformRead = !OwnerMaps::isMapped(*pair->read, cls);
  return Finding{std::string("an element written by one thread is read ") +
                     (uniformRead ? "by every thread" : "by another"),
                 {pair->write->op, pair->read->op}};
}

/// "work 10, distributed 66".
static std::string stringify(const ReplicationCost &cost) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "work " << llvm::format("%.0f", std::ceil(cost.replicated))
     << ", distributed " << llvm::format("%.0f", std::ceil(cost.distributed));
  return text;
}

std::optional<Decider::Finding>
Decider::replicated(const BufferClass &cls, MemorySpaceDecision &decision) {
  if (OwnerMaps::isDistributed(cls) || !decision.bytes ||
      *decision.bytes > options.replicationBytes ||
      !fitsPrivate(decision.bytes))
    return std::nullopt;
  std::optional<ReplicationCost> cost = costs.get(&cls);
  if (cost && cost->isDistributionCheaper())
    return std::nullopt;
  decision.space = MemorySpace::Private;
  decision.replicated = true;
  decision.bytesPerThread = decision.bytes;
  privateBytes += *decision.bytes;
  std::string text = "written by uniform code only: each thread computes the "
                     "whole tensor for itself";
  if (cost)
    text += " (" + stringify(*cost) + ")";
  return Finding{text};
}

std::optional<Decider::Finding>
Decider::replicationCost(const BufferClass &cls,
                         MemorySpaceDecision &decision) {
  std::optional<ReplicationCost> cost = costs.get(&cls);
  if (!decision.bytes || !cost || !cost->isDistributionCheaper())
    return std::nullopt;
  decision.space = MemorySpace::Workgroup;
  return Finding{"uniform, but too much work for each thread to repeat (" +
                 stringify(*cost) + ")"};
}

std::optional<Decider::Finding>
Decider::replicationLimit(const BufferClass &cls,
                          MemorySpaceDecision &decision) {
  if (OwnerMaps::isDistributed(cls))
    return std::nullopt;
  decision.space = MemorySpace::Workgroup;
  return Finding{("uniform, but larger than the " +
                  Twine(options.replicationBytes) +
                  " bytes that each thread may replicate")
                     .str()};
}

std::optional<Decider::Finding>
Decider::aligned(const BufferClass &cls, MemorySpaceDecision &decision) {
  decision.bytesPerThread = decision.bytes;
  if (std::optional<OwnerMap> owner = owners.getOwnerMap(cls)) {
    auto type = cast<RankedTensorType>(owner->insert.getDestType());
    std::optional<int64_t> elements = owner->getElementsPerThread(context);
    if (elements)
      if (std::optional<int64_t> bytes =
              getBufferBytes({*elements}, type.getElementType(), target))
        decision.bytesPerThread = bytes;
  }
  if (!fitsPrivate(decision.bytesPerThread))
    return std::nullopt;
  decision.space = MemorySpace::Private;
  privateBytes += *decision.bytesPerThread;
  return Finding{"every element is read only by the thread that wrote it"};
}

std::optional<Decider::Finding>
Decider::privateLimit(const BufferClass &, MemorySpaceDecision &decision) {
  decision.space = MemorySpace::Workgroup;
  return Finding{("aligned, but over the private limit of " +
                  Twine(target.privateBytes) + " bytes per thread")
                     .str()};
}

/// Whether there can be workgroup memory for the class, and how much.
void Decider::checkWorkgroup(const BufferClass &cls,
                             MemorySpaceDecision &decision) {
  auto addReason = [&](StringRef rule, const Twine &text) {
    decision.reasons.push_back({rule, text.str(), {}});
  };
  // What threads share though each of them names it, one instance serves.
  decision.sharingScope = cls.scope == ExecutionScope::Thread
                              ? ExecutionScope::Workgroup
                              : cls.scope;
  int64_t instances = 1;
  if (cls.scope == ExecutionScope::Subgroup ||
      cls.scope == ExecutionScope::Warpgroup) {
    int64_t threads = target.subgroupSize;
    if (cls.scope == ExecutionScope::Warpgroup)
      threads *= kSubgroupsPerWarpgroup;
    decision.threadsPerInstance = threads;
    instances = llvm::divideCeil(context.getThreads(), threads);
    addReason("once-per-subgroup", "allocated at " +
                                       stringifyExecutionScope(cls.scope) +
                                       " scope: " + Twine(instances) +
                                       " instances in the workgroup");
  }
  if (!decision.bytes) {
    decision.refused = true;
    addReason("unbounded",
              "must be workgroup memory, but an extent has no constant upper "
              "bound; bound it (for example by affine.min with a tile size)");
    return;
  }
  int64_t total;
  bool overflows = llvm::MulOverflow(*decision.bytes, instances, total);
  if (overflows || total > target.maxWorkgroupBytes) {
    decision.refused = true;
    std::string needed = overflows ? "more than 2^63" : std::to_string(total);
    addReason("over-budget",
              "needs " + Twine(needed) +
                  " bytes of workgroup memory; the limit of " + target.chip +
                  " is " + Twine(target.maxWorkgroupBytes) +
                  "; use smaller tiles, or fuse the producer into its "
                  "consumer");
  }
}

MemorySpaceDecision Decider::decide(const BufferClass &cls) {
  MemorySpaceDecision decision;
  if (!cls.hasOutsideRoot() && cls.hasOneScope)
    decision.bytes = getBytes(cls);
  for (const Rule &rule : rules) {
    std::optional<Finding> finding = (this->*rule.apply)(cls, decision);
    if (!finding)
      continue;
    decision.reasons.push_back(
        {rule.name, std::move(finding->text), std::move(finding->ops)});
    break;
  }
  if (decision.space == MemorySpace::Workgroup)
    checkWorkgroup(cls, decision);
  if (cls.scope == ExecutionScope::Thread &&
      decision.space == MemorySpace::Private && !decision.bytes) {
    decision.refused = true;
    decision.reasons.push_back({"unbounded",
                                "must be private memory, but an extent has no "
                                "constant upper bound; bound it",
                                {}});
  }
  return decision;
}

//===----------------------------------------------------------------------===//
// MemorySpaceAnalysis
//===----------------------------------------------------------------------===//

MemorySpaceAnalysis::MemorySpaceAnalysis(const KernelContext &context)
    : MemorySpaceAnalysis(context, MemorySpaceOptions(context)) {}

MemorySpaceAnalysis::MemorySpaceAnalysis(const KernelContext &context,
                                         const MemorySpaceOptions &options) {
  analyze(context, options);
}

MemorySpaceAnalysis::MemorySpaceAnalysis(Operation *op) {
  for (FunctionOpInterface kernel : getKernels(op)) {
    FailureOr<TargetInfo> target = resolveTarget(kernel, {});
    FailureOr<KernelContext> context =
        succeeded(target) ? KernelContext::create(kernel, *target)
                          : FailureOr<KernelContext>();
    if (succeeded(context))
      analyze(*context, MemorySpaceOptions(*context));
    else
      valid = false;
  }
}

MemorySpaceAnalysis::MemorySpaceAnalysis(Operation *op,
                                         const MemorySpaceOptions &options) {
  for (FunctionOpInterface kernel : getKernels(op)) {
    FailureOr<KernelContext> context =
        KernelContext::create(kernel, options.target, {}, options.spaces);
    if (succeeded(context))
      analyze(*context, options);
    else
      valid = false;
  }
}

static bool isSame(const TargetInfo &a, const TargetInfo &b) {
  auto getFields = [](const TargetInfo &target) {
    // All of them: what is added to a target does not compile here.
    const auto &[chip, vendor, features, workgroup, maxWorkgroup, granularity,
                 unitWorkgroup, unitThreads, unitWorkgroups, reserved, banks,
                 bankBytes, subgroup, threads, privateBytes, indexBytes] =
        target;
    return std::tie(chip, vendor, features, workgroup, maxWorkgroup,
                    granularity, unitWorkgroup, unitThreads, unitWorkgroups,
                    reserved, banks, bankBytes, subgroup, threads, privateBytes,
                    indexBytes);
  };
  return getFields(a) == getFields(b);
}

static bool callsFunctions(FunctionOpInterface kernel) {
  return kernel->walk([](CallOpInterface) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// What is decided of a kernel, and with which options.
struct OneShotAnalyses::Spaces {
  Spaces(FunctionOpInterface kernel, const MemorySpaceOptions &options)
      : options(options), analysis(kernel, options) {}

  bool isOf(const MemorySpaceOptions &others) const {
    return options.replicationBytes == others.replicationBytes &&
           options.barrierWork == others.barrierWork &&
           options.spaces == others.spaces &&
           isSame(options.target, others.target);
  }

  MemorySpaceOptions options;
  MemorySpaceAnalysis analysis;
};

std::shared_ptr<const MemorySpaceAnalysis>
OneShotAnalyses::getSpaces(FunctionOpInterface kernel,
                           const MemorySpaceOptions &options) {
  assert(options.analyses == this && "other analyses are asked");
  // Drops them where the kernel is another one.
  if (spaces.contains(kernel))
    options.expects ? getExpected(kernel) : get(kernel);
  std::shared_ptr<Spaces> decided = spaces.lookup(kernel);
  if (!decided || !decided->isOf(options)) {
    // One at a time is enough of a large kernel.
    decided.reset();
    spaces.erase(kernel);
    decided = std::make_shared<Spaces>(kernel, options);
    // The fingerprint does not tell whether what is called has changed.
    if (!callsFunctions(kernel))
      spaces[kernel] = decided;
  }
  return {decided, &decided->analysis};
}

std::shared_ptr<const MemorySpaceAnalysis>
MemorySpaceAnalysis::get(FunctionOpInterface kernel,
                         const MemorySpaceOptions &options) {
  if (options.analyses)
    return options.analyses->getSpaces(kernel, options);
  return std::make_shared<MemorySpaceAnalysis>(kernel, options);
}

MemorySpaceAnalysis::~MemorySpaceAnalysis() = default;

void MemorySpaceAnalysis::analyze(const KernelContext &context,
                                  const MemorySpaceOptions &options) {
  FunctionOpInterface kernel = context.getKernel();
  auto info = std::make_unique<KernelInfo>(context, options);
  if (!info->state) {
    valid = false;
    return;
  }
  info->classes = std::make_unique<BufferClasses>(context, *info->state);
  info->owners = std::make_unique<OwnerMaps>(context, *info->classes);
  Decider decider(context, options, *info->classes, *info->owners);
  // Thread-scope buffers have no other choice: they are counted first.
  for (bool threadScope : {true, false})
    for (const auto &cls : info->classes->getClasses())
      if ((cls->scope == ExecutionScope::Thread) == threadScope)
        info->decisions[cls.get()] = decider.decide(*cls);
  kernels[kernel] = std::move(info);
}

const MemorySpaceAnalysis::KernelInfo *
MemorySpaceAnalysis::getInfo(Operation *op) const {
  for (; op; op = op->getParentOp())
    if (auto it = kernels.find(op); it != kernels.end())
      return it->second.get();
  return nullptr;
}

const BufferClass *MemorySpaceAnalysis::getBufferClass(Value tensor) const {
  const KernelInfo *info = getInfo(tensor.getParentBlock()->getParentOp());
  return info ? info->classes->getClass(tensor) : nullptr;
}

const MemorySpaceDecision *
MemorySpaceAnalysis::getDecision(Value tensor) const {
  const BufferClass *cls = getBufferClass(tensor);
  if (!cls)
    return nullptr;
  return &getInfo(tensor.getParentBlock()->getParentOp())
              ->decisions.find(cls)
              ->second;
}

std::optional<MemorySpace>
MemorySpaceAnalysis::getMemorySpace(Value tensor) const {
  const MemorySpaceDecision *decision = getDecision(tensor);
  if (!decision || decision->refused)
    return std::nullopt;
  return decision->space;
}

std::optional<ExecutionScope>
MemorySpaceAnalysis::getSharingScope(Value tensor) const {
  const MemorySpaceDecision *decision = getDecision(tensor);
  if (!decision)
    return std::nullopt;
  return decision->sharingScope;
}

ExecutionScope MemorySpaceAnalysis::getScope(OpOperand &use) const {
  const KernelInfo *info = getInfo(use.getOwner());
  return info ? info->scopes.getScope(use.getOwner())
              : ExecutionScopeAnalysis(use.getOwner()).getScope(use.getOwner());
}

SmallVector<OpOperand *> MemorySpaceAnalysis::getLiveUses(Value tensor) const {
  Operation *op = tensor.getParentBlock()->getParentOp();
  const KernelInfo *info = getInfo(op);
  if (info) {
    if (!info->liveUses)
      info->liveUses.emplace(info->context.getKernel().getOperation());
    return info->liveUses->getLiveUses(tensor);
  }
  while (op && !isa<FunctionOpInterface>(op))
    op = op->getParentOp();
  return op ? LiveUses(op).getLiveUses(tensor) : SmallVector<OpOperand *>();
}

std::string MemorySpaceAnalysis::explain(Value tensor) const {
  const MemorySpaceDecision *decision = getDecision(tensor);
  if (!decision)
    return "";
  std::string text;
  llvm::raw_string_ostream os(text);
  os << nameOf(tensor) << ": "
     << (decision->refused ? "refused" : stringifyMemorySpace(decision->space))
     << "\n";
  for (const MemorySpaceReason &reason : decision->reasons) {
    os << "  " << reason.rule << ": " << reason.text;
    for (Operation *op : reason.ops)
      os << "; " << op->getName() << " at " << op->getLoc();
    os << "\n";
  }
  return text;
}

const KernelContext *
MemorySpaceAnalysis::getContext(FunctionOpInterface kernel) const {
  auto it = kernels.find(kernel);
  return it == kernels.end() ? nullptr : &it->second->context;
}

const BufferClasses *
MemorySpaceAnalysis::getBufferClasses(FunctionOpInterface kernel) const {
  auto it = kernels.find(kernel);
  return it == kernels.end() ? nullptr : it->second->classes.get();
}

const OwnerMaps *
MemorySpaceAnalysis::getOwnerMaps(FunctionOpInterface kernel) const {
  auto it = kernels.find(kernel);
  return it == kernels.end() ? nullptr : it->second->owners.get();
}

const OneShotAnalysisState *
MemorySpaceAnalysis::getState(FunctionOpInterface kernel) const {
  auto it = kernels.find(kernel);
  return it == kernels.end() ? nullptr : it->second->state.get();
}
