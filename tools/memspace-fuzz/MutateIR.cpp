//===- MutateIR.cpp - random changes of IR -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BarrierMutations.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/Kernel/Kernel.h"
#include "Mutations.h"
#include "ShrinkCuts.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::fuzz;

/// Every op but the module; terminators only if `all`.
static SmallVector<Operation *> getOps(ModuleOp module, bool all = false) {
  SmallVector<Operation *> ops;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != module && (all || (!op->hasTrait<OpTrait::IsTerminator>() &&
                                 !isa<FunctionOpInterface>(op))))
      ops.push_back(op);
  });
  return ops;
}

/// Values of `type` in the function or so around `op`.
static SmallVector<Value> getValues(Operation *op, Type type) {
  SmallVector<Value> values;
  Operation *top = op;
  while (top->getParentOp() && !isa<ModuleOp>(top->getParentOp()))
    top = top->getParentOp();
  auto add = [&](ValueRange range) {
    for (Value value : range)
      if (value.getType() == type)
        values.push_back(value);
  };
  top->walk([&](Operation *inner) {
    add(inner->getResults());
    for (Region &region : inner->getRegions())
      for (Block &block : region)
        add(block.getArguments());
  });
  return values;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

static bool deleteOp(ModuleOp module, Random &rng) {
  SmallVector<Operation *> ops = getOps(module);
  if (ops.empty())
    return false;
  Operation *op = rng.pick(ops);
  for (Value result : op->getResults()) {
    if (result.use_empty())
      continue;
    SmallVector<Value> values = getValues(op, result.getType());
    // Neither what goes nor what is in it.
    llvm::erase_if(values, [&](Value value) {
      return op->isAncestor(value.getParentBlock()->getParentOp()) ||
             value.getDefiningOp() == op;
    });
    if (values.empty())
      return false;
    result.replaceAllUsesWith(rng.pick(values));
  }
  op->erase();
  return true;
}

static bool duplicateOp(ModuleOp module, Random &rng) {
  SmallVector<Operation *> ops = getOps(module);
  if (ops.empty())
    return false;
  Operation *op = rng.pick(ops);
  OpBuilder builder(op);
  if (rng.chance(50))
    builder.setInsertionPointAfter(op);
  builder.clone(*op);
  return true;
}

static bool moveOp(ModuleOp module, Random &rng) {
  SmallVector<Operation *> ops = getOps(module);
  if (ops.size() < 2)
    return false;
  Operation *op = rng.pick(ops), *to = rng.pick(ops);
  if (op->isAncestor(to))
    return false;
  op->moveBefore(to);
  return true;
}

static bool changeOperand(ModuleOp module, Random &rng) {
  SmallVector<Operation *> ops = getOps(module, /*all=*/true);
  llvm::erase_if(ops, [](Operation *op) { return op->getNumOperands() == 0; });
  if (ops.empty())
    return false;
  Operation *op = rng.pick(ops);
  OpOperand &operand = op->getOpOperand(rng.below(op->getNumOperands()));
  Value old = operand.get();
  if (rng.chance(40)) { // Two operands change places.
    OpOperand &other = op->getOpOperand(rng.below(op->getNumOperands()));
    if (other.get() == old || other.get().getType() != old.getType())
      return false;
    operand.set(other.get());
    other.set(old);
    return true;
  }
  SmallVector<Value> values = getValues(op, old.getType());
  if (values.empty())
    return false;
  Value value = rng.pick(values);
  operand.set(value);
  return value != old;
}

/// Puts an op that nobody needs the results of under a condition or in a loop.
static bool wrapOp(ModuleOp module, Random &rng) {
  SmallVector<Operation *> ops = getOps(module);
  llvm::erase_if(ops, [](Operation *op) {
    return !op->use_empty() || !op->getParentOfType<FunctionOpInterface>();
  });
  if (ops.empty())
    return false;
  Operation *op = rng.pick(ops);
  OpBuilder builder(op);
  Location loc = op->getLoc();
  SmallVector<Value> conditions = getValues(op, builder.getI1Type());
  Block *body;
  if (rng.chance(60)) {
    Value condition =
        conditions.empty()
            ? arith::ConstantIntOp::create(builder, loc, rng.below(2), 1)
            : rng.pick(conditions);
    body = scf::IfOp::create(builder, loc, condition, false).thenBlock();
  } else {
    auto index = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(builder, loc, value);
    };
    body =
        scf::ForOp::create(builder, loc, index(rng.between(-1, 1)),
                           index(rng.between(0, 3)), index(rng.between(0, 2)))
            .getBody();
  }
  op->moveBefore(body->getTerminator());
  return true;
}

static bool cutOp(ModuleOp module, Random &rng) {
  SmallVector<Operation *> ops = getOps(module, /*all=*/true);
  if (ops.empty())
    return false;
  const Cut &cut = rng.pick(getCuts());
  Operation *op = rng.pick(ops);
  unsigned ways = cut.count(op);
  return ways > 0 && cut.apply(op, rng.below(ways));
}

static bool changeBarriers(ModuleOp module, Random &rng) {
  if (getKernels(module).empty())
    return false;
  mutateBarriers(module, rng);
  return true;
}

//===----------------------------------------------------------------------===//
// Attributes and types
//===----------------------------------------------------------------------===//

/// Another attribute of the same kind; null when there is none.
static Attribute changeAttribute(Attribute attribute, Random &rng) {
  MLIRContext *context = attribute.getContext();
  if (auto integer = dyn_cast<IntegerAttr>(attribute)) {
    unsigned width = integer.getValue().getBitWidth();
    int64_t near = width <= 64 ? integer.getValue().getSExtValue() : 0;
    return IntegerAttr::get(integer.getType(),
                            APInt(width, pickExtreme(rng, near),
                                  /*isSigned=*/true,
                                  /*implicitTrunc=*/true));
  }
  if (auto real = dyn_cast<FloatAttr>(attribute)) {
    static constexpr double values[] = {0.0, -0.0, 1.0, -1.5, 1e30};
    APFloat value =
        rng.chance(20)   ? APFloat::getNaN(real.getValue().getSemantics())
        : rng.chance(20) ? APFloat::getInf(real.getValue().getSemantics())
                         : APFloat(rng.pick(values));
    bool losesInfo;
    value.convert(real.getValue().getSemantics(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    return FloatAttr::get(real.getType(), value);
  }
  auto changeArray = [&](auto array) {
    auto values = llvm::to_vector(array.asArrayRef());
    if (!values.empty() && rng.chance(80)) {
      auto &value = values[rng.below(values.size())];
      value = pickExtreme(rng, value);
    } else if (!values.empty() && rng.chance(50)) {
      values.pop_back();
    } else {
      values.push_back(pickExtreme(rng, 1));
    }
    return decltype(array)::get(context, values);
  };
  if (auto array = dyn_cast<DenseI64ArrayAttr>(attribute))
    return changeArray(array);
  if (auto array = dyn_cast<DenseI32ArrayAttr>(attribute))
    return changeArray(array);
  if (auto array = dyn_cast<ArrayAttr>(attribute)) {
    SmallVector<Attribute> values(array.getValue());
    if (values.empty())
      return {};
    size_t at = rng.below(values.size());
    Attribute changed = changeAttribute(values[at], rng);
    if (changed && rng.chance(50))
      values[at] = changed;
    else if (rng.chance(50))
      values.erase(values.begin() + at);
    else
      values.push_back(values[at]);
    return ArrayAttr::get(context, values);
  }
  if (auto string = dyn_cast<StringAttr>(attribute))
    return StringAttr::get(context,
                           rng.chance(50) ? "" : string.strref().str() + "x");
  return {};
}

static bool changeAttributes(ModuleOp module, Random &rng) {
  SmallVector<Operation *> ops = getOps(module, /*all=*/true);
  llvm::erase_if(ops, [](Operation *op) { return op->getAttrs().empty(); });
  if (ops.empty())
    return false;
  Operation *op = rng.pick(ops);
  NamedAttribute named = rng.pick(op->getAttrs());
  if (named.getName() == SymbolTable::getSymbolAttrName() && !rng.chance(10))
    return false;
  if (rng.chance(25)) {
    op->removeAttr(named.getName());
    // Upstream verifies an op without an attribute that has a default, but it
    // cannot print it.
    op->getName().populateDefaultProperties(op->getPropertiesStorage());
    return true;
  }
  if (rng.chance(20)) {
    // Of another op that has one of this name.
    SmallVector<Attribute> others;
    for (Operation *other : ops)
      if (Attribute attribute = other->getAttr(named.getName()))
        if (attribute != named.getValue())
          others.push_back(attribute);
    if (others.empty())
      return false;
    op->setAttr(named.getName(), rng.pick(others));
    return true;
  }
  Attribute changed = changeAttribute(named.getValue(), rng);
  if (!changed || changed == named.getValue())
    return false;
  op->setAttr(named.getName(), changed);
  return true;
}

/// Another extent, element type or memory space.
static Type changeType(ShapedType type, Random &rng) {
  Builder builder(type.getContext());
  Type elements[] = {builder.getF32Type(), builder.getF16Type(),
                     builder.getI32Type(), builder.getI8Type(),
                     builder.getI1Type(),  builder.getIndexType()};
  SmallVector<int64_t> shape(type.getShape());
  auto memref = dyn_cast<MemRefType>(type);
  if (memref && rng.chance(30)) {
    Attribute spaces[] = {Attribute(),
                          gpu::AddressSpaceAttr::get(
                              type.getContext(), gpu::AddressSpace::Workgroup),
                          gpu::AddressSpaceAttr::get(
                              type.getContext(), gpu::AddressSpace::Private),
                          gpu::AddressSpaceAttr::get(
                              type.getContext(), gpu::AddressSpace::Global)};
    return MemRefType::get(shape, type.getElementType(), memref.getLayout(),
                           rng.pick(spaces));
  }
  if (shape.empty() || rng.chance(30))
    return type.clone(rng.pick(elements));
  int64_t &extent = shape[rng.below(shape.size())];
  extent = rng.chance(25) ? ShapedType::kDynamic
                          : std::max<int64_t>(pickExtreme(rng, extent), 0);
  if (memref && !memref.getLayout().isIdentity())
    return type;
  return type.clone(shape);
}

/// Of every value that has it, so that the ops fit together.
static bool changeTypes(ModuleOp module, Random &rng) {
  SmallVector<ShapedType> types;
  module.walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      if (isa<RankedTensorType, MemRefType>(type))
        types.push_back(cast<ShapedType>(type));
  });
  if (types.empty())
    return false;
  ShapedType from = rng.pick(types);
  Type to = changeType(from, rng);
  if (to == from)
    return false;
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](Type type) { return type == from ? to : type; });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  return true;
}

//===----------------------------------------------------------------------===//
// The mutant
//===----------------------------------------------------------------------===//

static bool mutateOnce(ModuleOp module, Random &rng) {
  using Mutation = bool (*)(ModuleOp, Random &);
  static constexpr Mutation mutations[] = {
      deleteOp, duplicateOp, moveOp,         changeOperand,   wrapOp,
      cutOp,    changeTypes, changeBarriers, changeAttributes};
  static constexpr int weights[] = {12, 8, 12, 16, 7, 8, 10, 6, 21};
  return mutations[rng.pickWeighted(weights)](module, rng);
}

bool fuzz::mutateIR(OwningOpRef<ModuleOp> &module, Random &rng) {
  ScopedDiagnosticHandler ignore(module->getContext(),
                                 [](Diagnostic &) { return success(); });
  module->getContext()
      ->loadDialect<amdgpu::AMDGPUDialect, arith::ArithDialect, gpu::GPUDialect,
                    scf::SCFDialect, MemSpaceDialect>();
  int64_t wanted = rng.between(1, 4), made = 0;
  for (int attempt = 0; attempt < 12 && made < wanted; ++attempt) {
    OwningOpRef<ModuleOp> mutant(module->clone());
    if (!mutateOnce(*mutant, rng) || failed(verify(*mutant)))
      continue;
    module = std::move(mutant);
    ++made;
  }
  return made > 0;
}
