//===- TileDimensions.cpp - which dimensions of buffers belong together -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileDimensions.h"
#include "IR/ShapedSlices.h"
#include "IndexNumbers.h"
#include "MemSpace/Memory/BufferUses.h"
#include "MemSpace/Memory/MemoryAccess.h"
#include "StageIndex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::memspace;

/// Pipelines are not deeper. A longer ring is a history or a table.
static constexpr int64_t kMaxStages = 16;

namespace {
/// (buffer, dimension). Private buffers, which may stand between two workgroup
/// buffers, have the numbers behind those.
using Dim = std::pair<unsigned, unsigned>;

class Finder {
public:
  Finder(const KernelContext &context, const WorkgroupBudget &budget)
      : context(context), kernel(context.getKernel()), budget(budget) {}

  std::vector<TileDimension> run();

private:
  void findShaped();
  void visitAccess(const MemoryAccess &access);
  void visitShared(const MemoryAccess &access);
  void visitLinalg(linalg::LinalgOp op);
  void visitCopy(memref::CopyOp op);
  void linkEqualIndices(Block &block, ArrayRef<const MemoryAccess *> accesses);
  void linkStages();
  bool isStage(Dim dim) const;

  ArrayRef<unsigned> getBuffers(Value view);
  ArrayRef<unsigned> getNumbers(const MemoryBase &base) const;
  SmallVector<SmallVector<Dim, 1>> traceDims(Value memref);
  bool isPrivate(Dim dim) const {
    return dim.first >= budget.getWorkgroupBuffers().size();
  }
  int64_t getExtent(Dim dim) const {
    return budget.getWorkgroupBuffers()[dim.first].getType().getDimSize(
        dim.second);
  }
  /// Tiles of tiles are not the same tile. Of private memory each thread has
  /// but its part.
  void link(Dim a, Dim b) {
    if (a != b &&
        (isPrivate(a) || isPrivate(b) || getExtent(a) == getExtent(b)))
      links.unionSets(a, b);
  }
  void linkAll(ArrayRef<Dim> dims) {
    for (Dim dim : dims)
      for (Dim other : dims)
        link(dim, other);
  }

  KernelContext context;
  FunctionOpInterface kernel;
  const WorkgroupBudget &budget;
  /// Buffers whose every access is understood.
  llvm::BitVector shaped;
  DenseMap<Value, SmallVector<unsigned, 2>> buffersOf;
  /// Of the workgroup buffers, by their values.
  DenseMap<Value, SmallVector<unsigned, 1>> numbersOf;
  DenseMap<Value, unsigned> privateNumbers;
  /// The index ranges of all accesses.
  llvm::MapVector<Dim, SmallVector<IndexRange, 0>> ranges;
  llvm::EquivalenceClasses<Dim> links;
  IndexNumbers numbers;
};
} // namespace

//===----------------------------------------------------------------------===//
// Buffers and accesses
//===----------------------------------------------------------------------===//

void Finder::findShaped() {
  shaped.resize(budget.getWorkgroupBuffers().size());
  for (auto [number, buffer] : llvm::enumerate(budget.getWorkgroupBuffers())) {
    numbersOf[buffer.value].push_back(number);
    // Byte memory that is viewed as something else has no shape to speak of.
    bool isBytes = llvm::any_of(buffer.value.getUsers(), [](Operation *user) {
      return isa<memref::ViewOp>(user);
    });
    if (!buffer.hasOneName || isBytes || !buffer.getType().hasStaticShape() ||
        buffer.value.getDefiningOp<memref::GetGlobalOp>())
      continue;
    if (collectBufferUses(buffer.value).escapes.empty())
      shaped.set(number);
  }
}

/// The workgroup buffers that begin at `base`.
ArrayRef<unsigned> Finder::getNumbers(const MemoryBase &base) const {
  auto it = base.buffer ? numbersOf.find(base.buffer) : numbersOf.end();
  return it == numbersOf.end() ? ArrayRef<unsigned>() : it->second;
}

/// The buffers that `view` may stand for, when it stands for them as they are;
/// any others lose their shape.
ArrayRef<unsigned> Finder::getBuffers(Value view) {
  auto [it, isNew] = buffersOf.try_emplace(view);
  if (!isNew)
    return it->second;
  SmallVector<unsigned, 2> found;
  auto type = dyn_cast<MemRefType>(view.getType());
  for (const MemoryBase &base : getMemoryBases(view, context))
    for (unsigned number : getNumbers(base)) {
      if (!shaped.test(number))
        continue;
      MemRefType whole = budget.getWorkgroupBuffers()[number].getType();
      if (type && type.getShape() == whole.getShape())
        found.push_back(number);
      else
        shaped.reset(number);
    }
  return buffersOf[view] = found;
}

/// The dimensions of the buffers behind each dimension of `memref`.
SmallVector<SmallVector<Dim, 1>> Finder::traceDims(Value memref) {
  auto type = dyn_cast<MemRefType>(memref.getType());
  if (!type)
    return {};
  auto dims = llvm::to_vector(llvm::seq<unsigned>(0, type.getRank()));
  while (Operation *op = memref.getDefiningOp()) {
    if (auto subview = dyn_cast<memref::SubViewOp>(op)) {
      SmallVector<unsigned> kept;
      llvm::SmallBitVector dropped = getDroppedDims(subview);
      for (unsigned dim = 0; dim < dropped.size(); ++dim)
        if (!dropped.test(dim))
          kept.push_back(dim);
      for (unsigned &dim : dims)
        dim = kept[dim];
      memref = subview.getSource();
      continue;
    }
    if (!isa<memref::CastOp, memref::MemorySpaceCastOp,
             memref::AssumeAlignmentOp>(op) ||
        !isa<MemRefType>(op->getOperand(0).getType()))
      break;
    memref = op->getOperand(0);
  }
  SmallVector<unsigned, 2> buffers(getBuffers(memref));
  if (auto alloca = memref.getDefiningOp<memref::AllocaOp>())
    if (!isWorkgroupMemory(alloca.getType(), context.getSpaces())) {
      unsigned next =
          budget.getWorkgroupBuffers().size() + privateNumbers.size();
      buffers = {privateNumbers.try_emplace(memref, next).first->second};
    }
  SmallVector<SmallVector<Dim, 1>> result(dims.size());
  for (unsigned buffer : buffers)
    for (auto [position, dim] : llvm::enumerate(dims))
      result[position].push_back({buffer, dim});
  return result;
}

/// One memref for several buffers: their shapes go together.
void Finder::visitShared(const MemoryAccess &access) {
  ArrayRef<unsigned> buffers = getBuffers(access.view);
  for (unsigned buffer : buffers.drop_front(buffers.empty() ? 0 : 1))
    for (unsigned dim = 0;
         dim < budget.getWorkgroupBuffers()[buffer].getType().getRank(); ++dim)
      link({buffers.front(), dim}, {buffer, dim});
}

void Finder::visitAccess(const MemoryAccess &access) {
  if (!access.view || !access.elements) {
    // No shape: what it may touch has none either.
    for (const MemoryBase &base : access.bases)
      for (unsigned number : getNumbers(base))
        shaped.reset(number);
    return;
  }
  visitShared(access);
  for (unsigned buffer : getBuffers(access.view))
    for (auto [dim, range] : llvm::enumerate(*access.elements))
      ranges[{buffer, unsigned(dim)}].push_back(range);
}

//===----------------------------------------------------------------------===//
// Links
//===----------------------------------------------------------------------===//

void Finder::visitLinalg(linalg::LinalgOp op) {
  SmallVector<SmallVector<Dim, 4>> dimsOf(op.getNumLoops());
  for (OpOperand &operand : op->getOpOperands()) {
    SmallVector<SmallVector<Dim, 1>> dims = traceDims(operand.get());
    if (dims.empty())
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [position, expr] : llvm::enumerate(map.getResults()))
      if (auto loop = dyn_cast<AffineDimExpr>(expr))
        llvm::append_range(dimsOf[loop.getPosition()], dims[position]);
  }
  for (ArrayRef<Dim> dims : dimsOf)
    linkAll(dims);
}

void Finder::visitCopy(memref::CopyOp op) {
  SmallVector<SmallVector<Dim, 1>> from = traceDims(op.getSource());
  SmallVector<SmallVector<Dim, 1>> to = traceDims(op.getTarget());
  if (from.size() != to.size())
    return;
  for (auto [a, b] : llvm::zip_equal(from, to)) {
    SmallVector<Dim, 4> dims(a.begin(), a.end());
    llvm::append_range(dims, b);
    linkAll(dims);
  }
}

static bool isData(Type type) {
  return isa<IntegerType, FloatType, ComplexType, VectorType>(type);
}

/// Dimensions of one extent that one index runs over in `accesses`, those of
/// `block`, that data flows between. (Equal indices alone say little: the loads
/// of two tiles may be spread over the threads alike.)
void Finder::linkEqualIndices(Block &block,
                              ArrayRef<const MemoryAccess *> accesses) {
  // What is computed together: each op with its data.
  llvm::EquivalenceClasses<const void *> flow;
  for (Operation &op : block) {
    bool isAccess = isa<MemoryEffectOpInterface>(op) && op.getNumRegions() == 0;
    if (op.getNumRegions() != 0 || (!isAccess && !isMemoryEffectFree(&op)))
      continue;
    for (Value value : op.getOperands())
      if (isData(value.getType()) && value.getParentBlock() == &block &&
          value.getDefiningOp() &&
          !value.getDefiningOp()->hasTrait<OpTrait::ConstantLike>())
        flow.unionSets(&op, value.getAsOpaquePointer());
    for (Value value : op.getResults())
      if (isData(value.getType()))
        flow.unionSets(&op, value.getAsOpaquePointer());
  }
  using Key = std::tuple<const void *, std::vector<IndexNumbers::Term>, int64_t,
                         int64_t>;
  std::map<Key, Dim> first;
  for (const MemoryAccess *access : accesses) {
    auto member = flow.findLeader(static_cast<const void *>(access->op));
    if (member == flow.member_end() || !access->view || !access->elements)
      continue;
    for (unsigned buffer : getBuffers(access->view))
      for (auto [position, range] : llvm::enumerate(*access->elements)) {
        std::vector<IndexNumbers::Term> terms = numbers.getTerms(range.offset);
        if (terms.empty())
          continue;
        Dim dim = {buffer, unsigned(position)};
        auto [it, isNew] =
            first.try_emplace(Key(*member, std::move(terms),
                                  range.offset.constant, getExtent(dim)),
                              dim);
        if (!isNew)
          link(it->second, dim);
      }
  }
}

bool Finder::isStage(Dim dim) const {
  if (dim.second != 0 || getExtent(dim) < 2 || getExtent(dim) > kMaxStages ||
      budget.getWorkgroupBuffers()[dim.first].getType().getRank() < 2)
    return false;
  auto it = ranges.find(dim);
  if (it == ranges.end())
    return false;
  bool goesRound = false;
  for (const IndexRange &range : it->second) {
    if (!range.size || range.size->getConstant() != 1 || !range.extents.empty())
      return false;
    if (range.offset.getConstant())
      continue;
    if (range.offset.invalid || range.offset.constant != 0 ||
        range.offset.terms.size() != 1 ||
        range.offset.terms.front().second != 1 ||
        !isStageIndex(range.offset.terms.front().first, getExtent(dim)) ||
        getLoopArguments(range.offset.terms.front().first).empty())
      return false;
    goesRound = true;
  }
  return goesRound;
}

/// Stages that one loop counts are stages of one pipeline.
void Finder::linkStages() {
  DenseMap<std::pair<Value, int64_t>, Dim> first;
  for (auto &[dim, some] : ranges) {
    if (!isStage(dim))
      continue;
    for (const IndexRange &range : some)
      for (auto [value, coefficient] : range.offset.terms)
        for (Value argument : getLoopArguments(value)) {
          auto [it, isNew] = first.try_emplace({argument, getExtent(dim)}, dim);
          if (!isNew)
            link(it->second, dim);
        }
  }
}

std::vector<TileDimension> Finder::run() {
  findShaped();
  std::vector<MemoryAccess> accesses = collectKernelAccesses(context);
  DenseMap<Block *, SmallVector<const MemoryAccess *>> accessesOf;
  for (const MemoryAccess &access : accesses) {
    visitAccess(access);
    accessesOf[access.op->getBlock()].push_back(&access);
  }
  kernel.getFunctionBody().walk([&](Operation *op) {
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
      visitLinalg(linalgOp);
    else if (auto copy = dyn_cast<memref::CopyOp>(op))
      visitCopy(copy);
  });
  kernel.getFunctionBody().walk([&](Block *block) {
    if (auto it = accessesOf.find(block); it != accessesOf.end())
      linkEqualIndices(*block, it->second);
  });
  linkStages();

  // Private memory may link tiles of different extents.
  std::map<std::pair<Dim, int64_t>, SmallVector<Dim, 2>> classes;
  for (unsigned buffer : shaped.set_bits()) {
    MemRefType type = budget.getWorkgroupBuffers()[buffer].getType();
    for (unsigned dim = 0; dim < type.getRank(); ++dim) {
      Dim it = {buffer, dim};
      auto leader = links.findLeader(it);
      classes[{leader == links.member_end() ? it : *leader, getExtent(it)}]
          .push_back(it);
    }
  }
  std::vector<TileDimension> result;
  for (auto &[key, dims] : classes) {
    TileDimension tile{dims, key.second};
    unsigned numStages =
        llvm::count_if(dims, [&](Dim dim) { return isStage(dim); });
    tile.isStage = numStages == dims.size();
    // A slot number that is also another index: not understood.
    if (numStages == 0 || tile.isStage)
      result.push_back(std::move(tile));
  }
  llvm::stable_sort(result, [](const TileDimension &a, const TileDimension &b) {
    return a.dims.front() < b.dims.front();
  });
  return result;
}

std::vector<TileDimension>
mlir::memspace::findTileDimensions(const KernelContext &context,
                                   const WorkgroupBudget &budget) {
  return Finder(context, budget).run();
}
