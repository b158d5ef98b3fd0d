//===- BufferClasses.cpp - which tensors share a buffer -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Spaces/BufferClasses.h"
#include "MemSpace/Memory/MemoryInterfaces.h"
#include "MemSpace/Spaces/TensorClaims.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/ADT/EquivalenceClasses.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

bool BufferView::isIdentity() const {
  if (!dims)
    return false;
  auto type = dyn_cast<RankedTensorType>(root.getType());
  if (!type)
    return false;
  for (auto [index, dim] : llvm::enumerate(*dims)) {
    std::optional<int64_t> offset = dim.offset.getConstant();
    if (!offset || *offset != 0 || dim.stride != 1 || dim.valueDim != index)
      return false;
    if (!dim.size)
      continue;
    std::optional<int64_t> size = dim.size->getConstant();
    if (!size || *size != type.getDimSize(index))
      return false;
  }
  return true;
}

std::optional<SmallVector<IndexRange>>
BufferView::getRootRanges(std::optional<ArrayRef<IndexRange>> ranges) const {
  if (!dims)
    return std::nullopt;
  SmallVector<IndexRange> result;
  for (const Dim &dim : *dims) {
    IndexRange range;
    range.offset = dim.offset;
    range.size = dim.size;
    range.stride = dim.stride;
    if (!dim.valueDim) {
      range.size = LinearExpr(1);
    } else if (ranges) {
      const IndexRange &part = (*ranges)[*dim.valueDim];
      IndexRange scaled = part;
      scaled.scale(dim.stride);
      range.offset += scaled.offset;
      range.stride = scaled.stride;
      if (part.size)
        range.size = part.size;
      else if (part.offset.getConstant() != 0 || part.stride != 1)
        range.size = std::nullopt;
    }
    result.push_back(range);
  }
  return result;
}

BufferView mlir::memspace::getIdentityView(Value root) {
  BufferView view;
  view.root = root;
  auto type = dyn_cast<RankedTensorType>(root.getType());
  if (!type)
    return view;
  view.dims.emplace();
  for (int64_t i = 0, e = type.getRank(); i < e; ++i) {
    BufferView::Dim dim;
    if (!type.isDynamicDim(i))
      dim.size = LinearExpr(type.getDimSize(i));
    dim.valueDim = i;
    view.dims->push_back(dim);
  }
  return view;
}

std::optional<SmallVector<IndexRange>>
mlir::memspace::getSliceRanges(OffsetSizeAndStrideOpInterface slice) {
  SmallVector<IndexRange> ranges;
  for (auto [offset, size, stride] :
       llvm::zip_equal(slice.getMixedOffsets(), slice.getMixedSizes(),
                       slice.getMixedStrides())) {
    std::optional<int64_t> step = getConstantIntValue(stride);
    if (!step)
      return std::nullopt;
    IndexRange range;
    range.offset = LinearExpr(offset);
    range.size = LinearExpr(size);
    range.stride = *step;
    ranges.push_back(range);
  }
  return ranges;
}

BufferView mlir::memspace::getSliceView(const BufferView &source,
                                        OffsetSizeAndStrideOpInterface slice,
                                        const llvm::SmallBitVector &dropped) {
  BufferView view;
  view.root = source.root;
  std::optional<SmallVector<IndexRange>> ranges = getSliceRanges(slice);
  if (!source.dims || !ranges)
    return view;
  SmallVector<unsigned> newDim(ranges->size());
  unsigned next = 0;
  for (unsigned i = 0, e = ranges->size(); i < e; ++i)
    newDim[i] = dropped.test(i) ? 0 : next++;
  view.dims.emplace();
  for (const BufferView::Dim &dim : *source.dims) {
    BufferView::Dim result = dim;
    if (dim.valueDim) {
      unsigned d = *dim.valueDim;
      IndexRange range = (*ranges)[d];
      range.scale(dim.stride);
      result.offset += range.offset;
      result.size = range.size;
      result.stride = range.stride;
      if (dropped.test(d))
        result.valueDim = std::nullopt;
      else
        result.valueDim = newDim[d];
    }
    view.dims->push_back(result);
  }
  return view;
}

/// True when both name the same elements, of perhaps different buffers.
static bool equalDims(const BufferView &a, const BufferView &b) {
  if (!a.dims || !b.dims || a.dims->size() != b.dims->size())
    return false;
  for (auto [x, y] : llvm::zip_equal(*a.dims, *b.dims)) {
    if (!(x.offset == y.offset) || x.stride != y.stride ||
        x.size.has_value() != y.size.has_value() || x.valueDim != y.valueDim)
      return false;
    if (x.size && !(*x.size == *y.size))
      return false;
  }
  return true;
}

bool BufferView::isSameMemory(const BufferView &other) const {
  return root == other.root && !anyRoot && !other.anyRoot &&
         equalDims(*this, other);
}

/// What is known of a value that is one or the other.
static BufferView mergeViews(const BufferView &a, const BufferView &b) {
  BufferView view = a;
  view.anyRoot |= b.anyRoot || a.root != b.root;
  if (!equalDims(a, b))
    view.dims = std::nullopt;
  return view;
}

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

bool mlir::memspace::isAllocatedTensor(Value root) {
  Operation *def = root.getDefiningOp();
  if (!def)
    return false;
  if (isa<tensor::EmptyOp, AllocTensorOp>(def))
    return true;
  // Values from outside: memory of the caller, constants.
  if (isa<ToTensorOp>(def) || def->hasTrait<OpTrait::ConstantLike>())
    return false;
  // Anything else without a buffer of its operands (an out-of-place result)
  // is allocated when bufferized. Without an operand it may be another
  // dialect's name for memory from outside.
  auto bufferizable = dyn_cast<BufferizableOpInterface>(def);
  return hasTrustedModel(def) || !bufferizable ||
         llvm::any_of(def->getOperandTypes(), llvm::IsaPred<TensorType>) ||
         bufferizable.bufferizesToAllocation(root);
}

bool BufferClass::hasOutsideRoot() const {
  return llvm::any_of(roots, [](Value v) { return !isAllocatedTensor(v); });
}

bool BufferClass::hasAllocatedRoot() const {
  return llvm::any_of(roots, isAllocatedTensor);
}

/// In program order, so that all that follows from them is deterministic.
static SmallVector<Value> collectTensors(FunctionOpInterface kernel) {
  SmallVector<Value> values;
  kernel->walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Value result : op->getResults())
      if (isa<TensorType>(result.getType()))
        values.push_back(result);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument arg : block.getArguments())
          if (isa<TensorType>(arg.getType()))
            values.push_back(arg);
  });
  return values;
}

using ValueSets = llvm::EquivalenceClasses<Value>;

/// What One-Shot says of the values.
static void uniteAliases(ArrayRef<Value> values,
                         const OneShotAnalysisState &state, ValueSets &sets) {
  for (Value value : values)
    sets.insert(value);
  DenseSet<Value> united;
  for (Value value : values) {
    if (united.contains(value))
      continue;
    // Payload arguments and the like are unknown to One-Shot.
    if (isa<BlockArgument>(value) &&
        !isa<RegionBranchOpInterface, scf::ForallOp, FunctionOpInterface>(
            value.getParentBlock()->getParentOp()))
      continue;
    state.applyOnAliases(value, [&](Value alias) {
      sets.unionSets(value, alias);
      united.insert(alias);
    });
  }
}

/// What models deny.
static void uniteDeniedAliases(Operation *op, const OneShotAnalysisState &state,
                               ValueSets &sets) {
  if (hasTrustedModel(op))
    return;
  for (OpOperand &operand : op->getOpOperands())
    if (isa<TensorType>(operand.get().getType()) && state.isInPlace(operand))
      for (Value alias : getPossibleAliases(operand, state))
        sets.unionSets(operand.get(), alias);
}

/// A body's arguments are in the buffer of the results, a chosen value is one
/// of those that it is chosen from, whatever One-Shot says of the yields, and
/// exchanged values trade buffers.
static void unitePassedValues(Operation *op, ValueSets &sets) {
  auto unite = [&](ValueRange as, ValueRange bs) {
    for (auto [a, b] : llvm::zip(as, bs))
      if (isa<TensorType>(a.getType()))
        sets.unionSets(a, b);
  };
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    unite(loop.getRegionIterArgs(), loop.getYieldedValues());
    unite(loop.getRegionIterArgs(), loop.getResults());
  } else if (auto forall = dyn_cast<scf::ForallOp>(op)) {
    for (BlockArgument arg : forall.getRegionIterArgs())
      sets.unionSets(arg, forall.getTiedOpResult(forall.getTiedOpOperand(arg)));
  } else if (isa<scf::IfOp, scf::IndexSwitchOp, scf::ExecuteRegionOp>(op)) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (auto yield = dyn_cast<scf::YieldOp>(block.getTerminator()))
          unite(yield.getOperands(), op->getResults());
  } else if (auto select = dyn_cast<arith::SelectOp>(op)) {
    unite(select->getResults(), select.getTrueValue());
    unite(select->getResults(), select.getFalseValue());
  } else if (auto exchange = dyn_cast<memspace::ExchangeOp>(op)) {
    for (Value input : exchange.getInputs())
      sets.unionSets(exchange.getInputs().front(), input);
  } else if (isa<CollectiveOpInterface, BeginCollectiveOp>(op)) {
    unite(op->getResults(), op->getOperands());
    for (Region &region : op->getRegions())
      for (Block &block : region) {
        unite(block.getArguments(), op->getOperands());
        if (block.mightHaveTerminator())
          unite(op->getResults(), block.getTerminator()->getOperands());
      }
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    unite(loop.getInits(), loop.getBeforeArguments());
    unite(loop.getBeforeArguments(), loop.getYieldOp().getOperands());
    unite(loop.getConditionOp().getArgs(), loop.getAfterArguments());
    unite(loop.getConditionOp().getArgs(), loop.getResults());
  }
}

BufferClasses::BufferClasses(const KernelContext &context,
                             const OneShotAnalysisState &state)
    : state(state), scopes(context.getKernel()) {
  FunctionOpInterface kernel = context.getKernel();
  SmallVector<Value> values = collectTensors(kernel);
  ValueSets sets;
  uniteAliases(values, state, sets);
  kernel->walk([&](Operation *op) {
    uniteDeniedAliases(op, state, sets);
    unitePassedValues(op, sets);
  });

  DenseMap<Value, BufferClass *> byLeader;
  for (Value value : values) {
    BufferClass *&cls = byLeader[sets.getLeaderValue(value)];
    if (!cls) {
      classes.push_back(std::make_unique<BufferClass>());
      cls = classes.back().get();
    }
    cls->values.push_back(value);
    classOf[value] = cls;
  }
  kernel->walk([&](memspace::ExchangeOp exchange) {
    const BufferClass *cls = classOf.lookup(exchange.getInputs().front());
    for (Operation *op = exchange->getParentOp(); op != kernel;
         op = op->getParentOp())
      if (isa<scf::ForOp, scf::WhileOp>(op))
        exchanging.insert({op, cls});
  });
  for (Value value : values) {
    const BufferView &view = computeView(value);
    BufferClass *cls = classOf[value];
    BufferClass *rootClass = classOf.lookup(view.root);
    if (rootClass == cls && !llvm::is_contained(cls->roots, view.root))
      cls->roots.push_back(view.root);
  }
  for (auto &cls : classes) {
    for (Value root : cls->roots)
      cls->scope = std::min(cls->scope, scopes.getScope(root));
    cls->hasOneScope = llvm::all_of(cls->roots, [&](Value root) {
      return scopes.getScope(root) == cls->scope;
    });
  }
  kernel->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != kernel)
      collectAccesses(op);
  });
}

const BufferClass *BufferClasses::getClass(Value tensor) const {
  return classOf.lookup(tensor);
}

const BufferView &BufferClasses::getView(Value tensor) const {
  return *views.find(tensor)->second;
}

bool BufferClasses::isInPlace(MaterializeInDestinationOp op) const {
  const BufferView &view = getView(op.getSource());
  if (op.getResult())
    return view.isSameMemory(getView(op.getDest()));
  auto toTensor = view.root.getDefiningOp<ToTensorOp>();
  return toTensor && toTensor.getBuffer() == op.getDest() && !view.anyRoot &&
         view.isIdentity();
}

/// True for a value whose buffer changes place with others from one iteration
/// to the next, once the exchange has become a permuted yield: in this loop or
/// in one inside.
bool BufferClasses::isExchanged(Value value) const {
  Operation *op = value.getDefiningOp();
  if (auto arg = dyn_cast<BlockArgument>(value))
    op = arg.getOwner()->getParentOp();
  return isa<memspace::ExchangeOp>(op) ||
         exchanging.contains({op, classOf.lookup(value)});
}

const BufferView &BufferClasses::computeView(Value tensor) {
  if (auto it = views.find(tensor); it != views.end())
    return *it->second;

  // The value whose buffer this one has, when there is exactly one.
  Value source;
  BufferView view;
  if (auto arg = dyn_cast<BlockArgument>(tensor)) {
    Operation *parent = arg.getOwner()->getParentOp();
    if (auto loop = dyn_cast<scf::ForOp>(parent))
      source = loop.getTiedLoopInit(arg)->get();
    else if (auto forall = dyn_cast<scf::ForallOp>(parent))
      source = forall.getTiedOpOperand(arg)->get();
    else if (auto loop = dyn_cast<scf::WhileOp>(parent))
      source = arg.getOwner() == loop.getBeforeBody()
                   ? loop.getInits()[arg.getArgNumber()]
                   : loop.getConditionOp().getArgs()[arg.getArgNumber()];
  } else {
    auto result = cast<OpResult>(tensor);
    Operation *def = result.getOwner();
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(def)) {
      if (state.isInPlace(slice.getSourceMutable())) {
        view = getSliceView(computeView(slice.getSource()), slice,
                            slice.getDroppedDims());
        if (classOf.lookup(view.root) == classOf.lookup(tensor)) {
          auto owned = std::make_unique<BufferView>(view);
          return *(views[tensor] = std::move(owned));
        }
      }
    } else if (isa<tensor::CastOp, BeginCollectiveOp, EndCollectiveOp>(def)) {
      source = def->getOperand(0);
    } else if (auto loop = dyn_cast<scf::ForOp>(def)) {
      source = loop.getInits()[result.getResultNumber()];
    } else if (auto forall = dyn_cast<scf::ForallOp>(def)) {
      source = forall.getTiedOpOperand(result)->get();
    } else if (auto loop = dyn_cast<scf::WhileOp>(def)) {
      source = loop.getConditionOp().getArgs()[result.getResultNumber()];
    } else if (auto exchange = dyn_cast<memspace::ExchangeOp>(def)) {
      source = exchange.getInputs()[result.getResultNumber()];
    } else if (isa<scf::IfOp, scf::IndexSwitchOp>(def)) {
      for (Region &branch : def->getRegions()) {
        const BufferView &chosen =
            computeView(branch.front().getTerminator()->getOperand(
                result.getResultNumber()));
        view = view.root ? mergeViews(view, chosen) : chosen;
      }
    } else if (auto select = dyn_cast<arith::SelectOp>(def)) {
      view = mergeViews(computeView(select.getTrueValue()),
                        computeView(select.getFalseValue()));
    } else if (auto dps = dyn_cast<DestinationStyleOpInterface>(def)) {
      // Out of place it is a copy, though a branch may choose between the two.
      if (OpOperand *init = dps.getTiedOpOperand(result);
          init && state.isInPlace(*init))
        source = init->get();
    } else if (state.getOptions().dynCastBufferizableOp(def)) {
      // An op that we do not know: it may be a view of any of its operands.
      for (OpOperand &operand : def->getOpOperands()) {
        if (!isa<TensorType>(operand.get().getType()) ||
            !state.isInPlace(operand) ||
            !llvm::is_contained(getPossibleAliases(operand, state), tensor))
          continue;
        view.anyRoot |= view.root != Value();
        view.root = computeView(operand.get()).root;
      }
    }
  }
  if (source) {
    view = computeView(source);
    view.anyRoot |= isExchanged(tensor);
  }
  // Another class: the value is out of place and begins a buffer of its own,
  // which a body's argument shares with the result.
  if (!view.root || classOf.lookup(view.root) != classOf.lookup(tensor)) {
    view = getIdentityView(tensor);
    if (auto arg = dyn_cast<BlockArgument>(tensor)) {
      Operation *parent = arg.getOwner()->getParentOp();
      if (auto forall = dyn_cast<scf::ForallOp>(parent))
        view.root = forall.getTiedOpResult(forall.getTiedOpOperand(arg));
      else if (auto loop = dyn_cast<scf::ForOp>(parent))
        view.root = loop.getTiedLoopResult(arg);
    }
  }
  return *(views[tensor] = std::make_unique<BufferView>(view));
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// Ops through which tensors flow but that touch no element themselves.
static bool isStructural(Operation *op) {
  return isa<scf::ForOp, scf::ForallOp, scf::IfOp, scf::WhileOp, scf::YieldOp,
             scf::ConditionOp, scf::InParallelOp, memspace::ExchangeOp,
             BeginCollectiveOp, EndCollectiveOp, tensor::ExtractSliceOp,
             tensor::CastOp, tensor::DimOp, ToTensorOp, DeallocTensorOp>(op);
}

static SmallVector<IndexRange> getPointRanges(ValueRange indices) {
  SmallVector<IndexRange> ranges;
  for (Value index : indices) {
    IndexRange range;
    range.offset = LinearExpr(OpFoldResult(index));
    range.size = LinearExpr(1);
    ranges.push_back(range);
  }
  return ranges;
}

/// The elements of a tensor that a transfer may touch, which are the whole of a
/// dimension that it may leave. None for a vector of unknown size.
static std::optional<SmallVector<IndexRange>>
getTransferRanges(VectorTransferOpInterface transfer) {
  VectorType vector = transfer.getVectorType();
  auto tensor = cast<RankedTensorType>(transfer.getShapedType());
  if (vector.isScalable() || isa<VectorType>(tensor.getElementType()))
    return std::nullopt;
  SmallVector<IndexRange> ranges = getPointRanges(transfer.getIndices());
  for (auto [position, expr] :
       llvm::enumerate(transfer.getPermutationMap().getResults())) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim)
      continue;
    IndexRange &range = ranges[dim.getPosition()];
    range.size = LinearExpr(vector.getDimSize(position));
    if (transfer.isDimInBounds(position))
      continue;
    range = IndexRange();
    if (!tensor.isDynamicDim(dim.getPosition()))
      range.size = LinearExpr(tensor.getDimSize(dim.getPosition()));
  }
  return ranges;
}

void BufferClasses::collectAccesses(Operation *op) {
  if (isStructural(op))
    return;
  // Where the op executes: terminators of a forall execute per iteration.
  ExecutionScope scope = scopes.getScope(op);
  auto add = [&](Value tensor, OpOperand *operand, bool read, bool write,
                 std::optional<ArrayRef<IndexRange>> ranges) {
    BufferClass *cls = classOf.lookup(tensor);
    if (!cls || (!read && !write))
      return;
    BufferAccess access;
    access.operand = operand;
    access.op = op;
    access.read = read;
    access.write = write;
    access.elements.op = op;
    // Several roots have one coordinate system only when they have one shape.
    bool oneShape = llvm::all_of(cls->roots, [&](Value root) {
      return root.getType() == cls->roots.front().getType();
    });
    if (oneShape)
      access.elements.ranges = getView(tensor).getRootRanges(ranges);
    access.scope = scope;
    cls->accesses.push_back(std::move(access));
  };

  if (auto alloc = dyn_cast<AllocTensorOp>(op)) {
    if (alloc.getCopy()) {
      add(alloc.getCopy(), &alloc.getCopyMutable()[0], true, false,
          std::nullopt);
      add(alloc.getResult(), nullptr, false, true, std::nullopt);
    }
    return;
  }
  if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
    SmallVector<IndexRange> ranges = getPointRanges(extract.getIndices());
    add(extract.getTensor(), &extract.getTensorMutable(), true, false,
        ArrayRef<IndexRange>(ranges));
    return;
  }
  if (auto insert = dyn_cast<tensor::InsertOp>(op)) {
    SmallVector<IndexRange> ranges = getPointRanges(insert.getIndices());
    // Out of place, the access is to the result's buffer.
    add(insert.getResult(), &insert.getDestMutable(), false, true,
        ArrayRef<IndexRange>(ranges));
    return;
  }
  auto addInsertion = [&](auto insert, Value dest, OpOperand &destOperand) {
    BufferView destView =
        getSliceView(getView(dest), insert, insert.getDroppedDims());
    bool inPlace = classOf.lookup(insert.getSource()) == classOf.lookup(dest) &&
                   getView(insert.getSource()).isSameMemory(destView);
    if (inPlace)
      return;
    add(insert.getSource(), &insert.getSourceMutable(), true, false,
        std::nullopt);
    std::optional<SmallVector<IndexRange>> ranges = getSliceRanges(insert);
    if (!ranges) {
      // A dynamic stride: any element.
      BufferClass *cls = classOf.lookup(dest);
      add(dest, &destOperand, false, true, std::nullopt);
      cls->accesses.back().elements.ranges = std::nullopt;
      return;
    }
    add(dest, &destOperand, false, true, ArrayRef<IndexRange>(*ranges));
  };
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
    addInsertion(insert, insert.getResult(), insert.getDestMutable());
    return;
  }
  if (auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(op)) {
    addInsertion(insert, insert.getDest(), insert.getDestMutable());
    return;
  }
  if (auto transfer = dyn_cast<VectorTransferOpInterface>(op)) {
    std::optional<SmallVector<IndexRange>> ranges;
    if (isa<RankedTensorType>(transfer.getShapedType()))
      ranges = getTransferRanges(transfer);
    bool isWrite = isa<vector::TransferWriteOp>(op);
    OpOperand &operand = op->getOpOperand(isWrite ? 1 : 0);
    if (ranges && (!isWrite || state.isInPlace(operand))) {
      add(operand.get(), &operand, !isWrite, isWrite,
          ArrayRef<IndexRange>(*ranges));
      return;
    }
  }
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<TensorType>(operand.get().getType()))
      continue;
    bool bufferizable =
        static_cast<bool>(state.getOptions().dynCastBufferizableOp(op));
    bool read = !bufferizable || mayRead(operand, state);
    bool write = bufferizable && mayWrite(operand, state);
    if (write && !state.isInPlace(operand)) {
      // The old value is read for the copy, the new buffer is written.
      add(operand.get(), &operand, read, false, std::nullopt);
      for (Value alias : getPossibleAliases(operand, state))
        add(alias, &operand, false, true, std::nullopt);
      continue;
    }
    add(operand.get(), &operand, read, write, std::nullopt);
  }
}
