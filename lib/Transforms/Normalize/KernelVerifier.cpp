//===- KernelVerifier.cpp - what a tensor kernel must be -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelVerifier.h"
#include "Collectives.h"
#include "Kernel/HardwareIds.h"
#include "MemSpace/Kernel/ExecutionScope.h"
#include "MemSpace/Kernel/Kernel.h"
#include "MemSpace/Memory/MemoryInterfaces.h"
#include "MemSpace/Spaces/LiveUses.h"
#include "OverwrittenReads.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// Launch shape
//===----------------------------------------------------------------------===//

/// The first forall in `func` that is mapped to the GPU by the function itself,
/// not by a launch inside it.
static scf::ForallOp findMappedForall(FunctionOpInterface func) {
  scf::ForallOp found;
  func->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<gpu::LaunchOp>(op) ||
        (op != func.getOperation() && isa<FunctionOpInterface>(op)))
      return WalkResult::skip();
    auto forall = dyn_cast<scf::ForallOp>(op);
    if (!forall || !forall.getMapping() || found)
      return WalkResult::advance();
    if (llvm::any_of(*forall.getMapping(), [](Attribute attr) {
          return isa<ExecutionMappingAttrInterface>(attr);
        }))
      found = forall;
    return WalkResult::advance();
  });
  return found;
}

LogicalResult mlir::memspace::verifyModuleKernels(Operation *root) {
  WalkResult result = root->walk([&](FunctionOpInterface func) {
    if (func.isExternal())
      return WalkResult::advance();
    if (isKernel(func))
      return failed(getLaunchShape(func)) ? WalkResult::interrupt()
                                          : WalkResult::advance();
    if (scf::ForallOp forall = findMappedForall(func)) {
      InFlightDiagnostic diag =
          func->emitError()
          << "kernel '" << func.getName()
          << "' has no block size; give it 'gpu.known_block_size = array<i32: "
             "x, y, z>'";
      diag.attachNote(forall.getLoc()) << "this forall is mapped to a GPU";
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// Foralls
//===----------------------------------------------------------------------===//

StringRef mlir::memspace::getMappingName(const ForallMapping &mapping) {
  switch (mapping.scope) {
  case ExecutionScope::Workgroup:
    return "block";
  case ExecutionScope::Warpgroup:
    return "warpgroup";
  case ExecutionScope::Subgroup:
    return "warp";
  default:
    return mapping.lane ? "lane" : "thread";
  }
}

/// What a forall may stand in directly: nothing, or one of these mappings.
static bool mayNest(const ForallMapping &inner, const ForallMapping &outer) {
  if (inner.lane)
    return outer.scope == ExecutionScope::Subgroup;
  switch (inner.scope) {
  case ExecutionScope::Thread:
  case ExecutionScope::Warpgroup:
    return outer.scope == ExecutionScope::Workgroup;
  case ExecutionScope::Subgroup:
    return outer.scope == ExecutionScope::Workgroup ||
           outer.scope == ExecutionScope::Warpgroup;
  default:
    return false;
  }
}

static StringRef getNestingAdvice(const ForallMapping &inner) {
  if (inner.lane)
    return "a lane forall must stand directly in a warp forall";
  switch (inner.scope) {
  case ExecutionScope::Thread:
    return "a thread forall may only stand in a block forall; use scf.for, or "
           "a lane forall inside a warp forall";
  case ExecutionScope::Warpgroup:
    return "a warpgroup forall may only stand in a block forall";
  case ExecutionScope::Subgroup:
    return "a warp forall may only stand in a block or warpgroup forall";
  default:
    return "a block forall must be the outermost one";
  }
}

static LogicalResult verifyForall(scf::ForallOp forall,
                                  const KernelContext &context) {
  if (!forall.getMapping() || forall.getMapping()->empty())
    return forall.emitError()
           << "forall without a mapping in a kernel; map it to threads, for "
              "example with mapping = [#gpu.thread<x>], or use scf.for";
  std::optional<ForallMapping> mapping = getForallMapping(forall);
  if (!mapping) {
    ArrayAttr entries = *forall.getMapping();
    for (Attribute attr : entries)
      if (!isa<ExecutionMappingAttrInterface>(attr))
        return forall.emitError()
               << "unknown mapping " << attr
               << " of a forall in a kernel; use the gpu dialect's mappings or "
                  "implement 'ExecutionMappingAttrInterface' for it";
    return forall.emitError()
           << "mapping " << *forall.getMapping()
           << " of a forall mixes levels, mixes linear and other dimensions, "
              "or repeats a dimension; split the forall";
  }
  auto outer = forall->getParentOfType<scf::ForallOp>();
  std::optional<ForallMapping> outerMapping;
  if (outer)
    outerMapping = getForallMapping(outer);
  if (outerMapping ? !mayNest(*mapping, *outerMapping) : mapping->lane) {
    InFlightDiagnostic diag = forall.emitError();
    if (mapping->lane &&
        (!outerMapping || outerMapping->scope != ExecutionScope::Thread))
      diag << "lane forall outside a warp forall";
    else
      diag << getMappingName(*mapping) << " forall inside a "
           << getMappingName(*outerMapping) << " forall";
    diag << "; " << getNestingAdvice(*mapping);
    if (outer)
      diag.attachNote(outer.getLoc()) << "the forall around it";
    return diag;
  }
  int64_t threads = context.getThreads();
  int64_t subgroupSize = context.getTarget().subgroupSize;
  if (mapping->lane && threads % subgroupSize != 0)
    return forall.emitError()
           << "lane forall in a workgroup of " << threads
           << " threads, whose last subgroup is partial: subgroups have "
           << subgroupSize
           << " threads; make the block size a multiple of that";
  if (mapping->scope == ExecutionScope::Subgroup && outerMapping &&
      outerMapping->scope == ExecutionScope::Warpgroup &&
      threads % (subgroupSize * kSubgroupsPerWarpgroup) != 0)
    return forall.emitError()
           << "warp forall in a workgroup of " << threads
           << " threads, whose last warpgroup is partial: warpgroups have "
           << subgroupSize * kSubgroupsPerWarpgroup
           << " threads; make the block size a multiple of that";
  return success();
}

//===----------------------------------------------------------------------===//
// Ops on tensors
//===----------------------------------------------------------------------===//

static LogicalResult verifyTensorOp(Operation *op,
                                    const KernelContext &context) {
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  if (llvm::none_of(op->getOperandTypes(), isTensor) &&
      llvm::none_of(op->getResultTypes(), isTensor))
    return success();
  if (isCollective(op))
    return verifyCollective(op, context);
  if (isa<CallOpInterface>(op))
    return op->emitError()
           << "call on tensors in a kernel: the memory space of "
              "a tensor cannot be decided across a call; inline "
              "the callee";
  if (isa<bufferization::BufferizableOpInterface>(op) ||
      op->hasTrait<OpTrait::ReturnLike>() ||
      // Decomposed by normalization.
      isa<tensor::ConcatOp>(op))
    return success();
  StringRef wayOut = isa<LoopLikeOpInterface>(op)
                         ? "make a 'scf.for', 'scf.while' or mapped "
                           "'scf.forall' of it"
                         : "lower it to linalg";
  return op->emitError()
         << "unknown op on a tensor in a kernel: '" << op->getName()
         << "' does not implement 'BufferizableOpInterface'; " << wayOut
         << ", register a model for it, or one of 'StructuredOpInterface'";
}

//===----------------------------------------------------------------------===//
// Memory behind two tensors
//===----------------------------------------------------------------------===//

Value mlir::memspace::getBaseMemRef(Value memref) {
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>())
    memref = view.getViewSource();
  return memref;
}

std::string mlir::memspace::describeMemory(Value memref) {
  Value base = getBaseMemRef(memref);
  std::string text;
  llvm::raw_string_ostream os(text);
  auto arg = dyn_cast<BlockArgument>(base);
  if (arg && isa<FunctionOpInterface>(arg.getOwner()->getParentOp()))
    os << "argument " << arg.getArgNumber() << " (" << base.getType() << ")";
  else if (auto global = base.getDefiningOp<memref::GetGlobalOp>())
    os << "the global '" << global.getName() << "'";
  else
    os << "this " << base.getType();
  return text;
}

/// Looks through casts that keep every element where it is.
static Value skipCasts(Value memref) {
  while (auto cast = memref.getDefiningOp<CastOpInterface>()) {
    if (cast->getNumOperands() != 1 ||
        !isa<BaseMemRefType>(cast->getOperand(0).getType()))
      break;
    memref = cast->getOperand(0);
  }
  return memref;
}

bool mlir::memspace::areDisjointViews(Value a, Value b) {
  auto viewA = skipCasts(a).getDefiningOp<memref::SubViewOp>();
  auto viewB = skipCasts(b).getDefiningOp<memref::SubViewOp>();
  if (!viewA || !viewB ||
      skipCasts(viewA.getSource()) != skipCasts(viewB.getSource()))
    return false;
  auto range = [](memref::SubViewOp view,
                  unsigned dim) -> std::optional<std::pair<int64_t, int64_t>> {
    if (view.isDynamicOffset(dim) || view.isDynamicSize(dim) ||
        view.isDynamicStride(dim) || view.getStaticStride(dim) <= 0)
      return std::nullopt;
    int64_t begin = view.getStaticOffset(dim);
    std::optional<int64_t> last = llvm::checkedMulAdd(
        view.getStaticSize(dim) - 1, view.getStaticStride(dim), begin);
    std::optional<int64_t> end =
        last ? llvm::checkedAdd<int64_t>(*last, 1) : std::nullopt;
    if (!end)
      return std::nullopt;
    return std::make_pair(begin, *end);
  };
  for (unsigned dim = 0, e = viewA.getSourceType().getRank(); dim < e; ++dim) {
    auto rangeA = range(viewA, dim), rangeB = range(viewB, dim);
    if (rangeA && rangeB &&
        (rangeA->second <= rangeB->first || rangeB->second <= rangeA->first))
      return true;
  }
  return false;
}

bool mlir::memspace::isUpdateOf(Value value, Value origin) {
  llvm::DenseSet<Value> seen;
  SmallVector<Value> worklist{value};
  while (!worklist.empty()) {
    value = worklist.pop_back_val();
    if (value == origin || !seen.insert(value).second)
      continue;
    auto result = dyn_cast<OpResult>(value);
    if (!result)
      return false;
    Operation *op = result.getOwner();
    if (auto forall = dyn_cast<scf::ForallOp>(op)) {
      worklist.push_back(forall.getTiedOpOperand(result)->get());
      continue;
    }
    // The same elements in another type.
    if (auto cast = dyn_cast<tensor::CastOp>(op)) {
      worklist.push_back(cast.getSource());
      continue;
    }
    if (auto dps = dyn_cast<DestinationStyleOpInterface>(op)) {
      worklist.push_back(dps.getTiedOpOperand(result)->get());
      continue;
    }
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      // The body must hand on its own iter_arg.
      unsigned index = result.getResultNumber();
      if (!isUpdateOf(loop.getYieldedValues()[index],
                      loop.getRegionIterArg(index)))
        return false;
      worklist.push_back(loop.getInitArgs()[index]);
      continue;
    }
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      worklist.push_back(
          branch.thenYield()->getOperand(result.getResultNumber()));
      worklist.push_back(
          branch.elseYield()->getOperand(result.getResultNumber()));
      continue;
    }
    return false;
  }
  return true;
}

static LogicalResult verifyRestrict(FunctionOpInterface kernel) {
  struct Uses {
    SmallVector<bufferization::ToTensorOp> tensors;
    SmallVector<bufferization::MaterializeInDestinationOp> stores;
  };
  llvm::MapVector<Value, Uses> usesOf;
  kernel->walk([&](Operation *op) {
    if (auto tensor = dyn_cast<bufferization::ToTensorOp>(op)) {
      if (tensor.getRestrict())
        usesOf[getBaseMemRef(tensor.getBuffer())].tensors.push_back(tensor);
    } else if (auto store =
                   dyn_cast<bufferization::MaterializeInDestinationOp>(op)) {
      if (isa<BaseMemRefType>(store.getDest().getType()))
        usesOf[getBaseMemRef(store.getDest())].stores.push_back(store);
    }
  });

  std::optional<LiveUses> live;
  for (auto &[base, uses] : usesOf) {
    auto refuse = [](Operation *op, Operation *other, StringRef rule) {
      InFlightDiagnostic diag = op->emitError() << rule;
      diag.attachNote(other->getLoc()) << "the other access to this memref";
      return diag;
    };
    for (size_t i = 0, e = uses.tensors.size(); i < e; ++i)
      for (size_t j = i + 1; j < e; ++j) {
        bufferization::ToTensorOp a = uses.tensors[i], b = uses.tensors[j];
        bool written =
            a.getWritable() || b.getWritable() ||
            llvm::any_of(uses.stores, [&](auto store) {
              return !areDisjointViews(store.getDest(), a.getBuffer()) ||
                     !areDisjointViews(store.getDest(), b.getBuffer());
            });
        if (written && !areDisjointViews(a.getBuffer(), b.getBuffer()))
          return refuse(
              b, a,
              "two 'restrict' tensors of one memref, which is written: they "
              "are "
              "not independent; use one 'bufferization.to_tensor' for both");
      }
    for (auto [i, a] : llvm::enumerate(uses.stores))
      for (bufferization::MaterializeInDestinationOp b :
           ArrayRef(uses.stores).drop_front(i + 1))
        if (a->getBlock() == b->getBlock() &&
            !areDisjointViews(a.getDest(), b.getDest()))
          return refuse(b, a,
                        "two tensors are materialized in one memref; insert "
                        "both into one tensor and materialize that");
    for (bufferization::ToTensorOp tensor : uses.tensors)
      for (bufferization::MaterializeInDestinationOp store : uses.stores) {
        if (areDisjointViews(tensor.getBuffer(), store.getDest()) ||
            (tensor.getWritable() &&
             skipCasts(tensor.getBuffer()) == skipCasts(store.getDest()) &&
             isUpdateOf(store.getSource(), tensor.getResult())) ||
            isUpdateInParts(tensor, store))
          continue;
        if (!live)
          live.emplace(kernel);
        // An extent is not read from memory.
        if (llvm::any_of(live->getLiveUses(tensor.getResult()),
                         [](OpOperand *use) {
                           return !isa<tensor::DimOp>(use->getOwner());
                         }))
          return refuse(
              store, tensor,
              tensor.getWritable()
                  ? "memref is read through a 'restrict' tensor and "
                    "overwritten by another one; materialize an update of the "
                    "tensor, or read only elements of the slice that an "
                    "iteration writes"
                  : "memref is read through a 'restrict' tensor and "
                    "overwritten by another one; make the tensor 'writable' "
                    "and materialize an update of it");
      }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Grids
//===----------------------------------------------------------------------===//

namespace {
/// Which values depend on the id of the workgroup.
class BlockDependence {
public:
  bool dependsOnBlock(Value value) {
    auto [it, inserted] = known.try_emplace(value, false);
    if (!inserted)
      return it->second;
    bool result = false;
    if (auto arg = dyn_cast<BlockArgument>(value)) {
      Operation *parent = arg.getOwner()->getParentOp();
      if (!isa<FunctionOpInterface>(parent))
        result = opDependsOnBlock(parent);
    } else {
      result = opDependsOnBlock(value.getDefiningOp());
    }
    return known[value] = result;
  }

  /// True when an op that encloses `op` runs it only for some workgroups or
  /// differently for each.
  bool isGuarded(Operation *op) {
    for (Operation *parent = op->getParentOp();
         parent && !isa<FunctionOpInterface>(parent);
         parent = parent->getParentOp())
      if (llvm::any_of(parent->getOperands(),
                       [&](Value v) { return dependsOnBlock(v); }))
        return true;
    return false;
  }

private:
  bool opDependsOnBlock(Operation *op) {
    WalkResult result = op->walk([&](Operation *nested) {
      std::optional<HardwareId> id = getHardwareId(nested);
      return (id && id->isOfWorkgroup()) ||
                     llvm::any_of(nested->getOperands(),
                                  [&](Value v) { return dependsOnBlock(v); })
                 ? WalkResult::interrupt()
                 : WalkResult::advance();
    });
    return result.wasInterrupted();
  }

  DenseMap<Value, bool> known;
};
} // namespace

/// Every workgroup executes what is outside a block forall in the same way, so
/// what it writes there must be placed by the block id. Tensors that are
/// materialized beside a block forall are left to the sinking of grid-scope
/// ops.
std::optional<RepeatedWrite>
mlir::memspace::findRepeatedWrite(const KernelContext &context) {
  FunctionOpInterface kernel = context.getKernel();
  const LaunchShape &shape = context.getShape();
  RepeatedWrite found;
  kernel->walk(
      [&](Operation *op) { found.hasBlockForall |= isBlockForall(op); });
  found.workgroups = shape.grid ? *multiplySizes(*shape.grid) : 1;
  // Without a block forall, an absent grid size means one workgroup.
  if (found.workgroups <= 1 && (shape.grid || !found.hasBlockForall))
    return std::nullopt;

  BlockDependence dependence;
  kernel->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isBlockForall(op))
      return WalkResult::skip();
    auto effects = dyn_cast<MemoryEffectOpInterface>(op);
    if (!effects || isa<memref::AtomicRMWOp, memref::GenericAtomicRMWOp>(op))
      return WalkResult::advance();
    SmallVector<MemoryEffects::EffectInstance> instances;
    effects.getEffects(instances);
    auto store = dyn_cast<bufferization::MaterializeInDestinationOp>(op);
    if (store && found.hasBlockForall)
      return WalkResult::advance();
    Value global;
    if (store && isa<BaseMemRefType>(store.getDest().getType()))
      global = store.getDest();
    for (const MemoryEffects::EffectInstance &effect : instances) {
      Value value = effect.getValue();
      if (!isa<MemoryEffects::Write>(effect.getEffect()) || !value ||
          !isa<BaseMemRefType>(value.getType()))
        continue;
      // Memory that the kernel allocates is its workgroup's own.
      Value base = getBaseMemRef(value);
      if (isa<BlockArgument>(base) || base.getDefiningOp<memref::GetGlobalOp>())
        global = value;
    }
    if (!global || dependence.isGuarded(op) ||
        llvm::any_of(op->getOperands(),
                     [&](Value v) { return dependence.dependsOnBlock(v); }))
      return WalkResult::advance();
    found.op = op;
    found.memref = global;
    return WalkResult::interrupt();
  });
  return found.op ? std::optional(found) : std::nullopt;
}

std::string memspace::describeWorkgroups(const RepeatedWrite &write) {
  return write.workgroups > 1
             ? "every one of the " + std::to_string(write.workgroups) +
                   " workgroups"
             : "every workgroup";
}

static LogicalResult verifyGrid(const KernelContext &context) {
  std::optional<RepeatedWrite> write = findRepeatedWrite(context);
  if (!write)
    return success();
  return write->op->emitError()
         << describeWorkgroups(*write)
         << " would write the same global memory; "
         << (write->hasBlockForall
                 ? "move the write into the block-mapped forall"
                 : "distribute the kernel with a block-mapped forall")
         << ", place it by gpu.block_id, or launch one workgroup";
}

LogicalResult mlir::memspace::verifyTensorKernel(const KernelContext &context) {
  FunctionOpInterface kernel = context.getKernel();
  for (Type type : kernel.getResultTypes())
    if (isa<ShapedType>(type))
      return kernel->emitError()
             << "kernel '" << kernel.getName() << "' returns " << type
             << "; write it to a memref argument with "
                "'bufferization.materialize_in_destination'";
  for (auto [index, type] : llvm::enumerate(kernel.getArgumentTypes()))
    if (isa<TensorType>(type))
      return kernel->emitError()
             << "argument " << index << " of kernel '" << kernel.getName()
             << "' is a tensor; take a memref and read it with "
                "'bufferization.to_tensor'";
  WalkResult result =
      kernel->walk<WalkOrder::PreOrder>([&](Operation *op) -> WalkResult {
        if (auto forall = dyn_cast<scf::ForallOp>(op))
          if (failed(verifyForall(forall, context)))
            return WalkResult::interrupt();
        return verifyTensorOp(op, context);
      });
  if (result.wasInterrupted() || failed(verifyRestrict(kernel)))
    return failure();
  return verifyGrid(context);
}
