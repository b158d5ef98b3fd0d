//===- LoopResults.cpp - results of one loop are stored together ----------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/Tile/LoopResults.h"
#include "Transforms/Tile/KernelGroups.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::memspace;
using bufferization::MaterializeInDestinationOp;
using bufferization::ToTensorOp;

namespace {
/// Stores of results of one loop or branch, of one shape.
using Stores = SmallVector<MaterializeInDestinationOp, 2>;
using StoreGroups =
    llvm::MapVector<std::pair<Operation *, ArrayRef<int64_t>>, Stores>;
} // namespace

/// Copies what `stores` store by one op, behind the last of them.
static void copyTogether(Stores stores) {
  OpBuilder builder(stores.back());
  Location loc = stores.front().getSource().getLoc();
  SmallVector<Value> sources, outputs;
  unsigned rank = 0;
  for (MaterializeInDestinationOp store : stores) {
    auto type = cast<RankedTensorType>(store.getSource().getType());
    rank = type.getRank();
    sources.push_back(store.getSource());
    outputs.push_back(tensor::EmptyOp::create(builder, loc, type.getShape(),
                                              type.getElementType()));
  }
  SmallVector<AffineMap> maps(2 * stores.size(),
                              builder.getMultiDimIdentityMap(rank));
  auto yieldInputs = [](OpBuilder &body, Location loc, ValueRange args) {
    linalg::YieldOp::create(body, loc, args.take_front(args.size() / 2));
  };
  auto copy = linalg::GenericOp::create(
      builder, loc, ValueRange(outputs).getTypes(), sources, outputs, maps,
      SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel),
      yieldInputs);
  Operation *last = copy;
  for (auto [store, result] : llvm::zip_equal(stores, copy->getResults())) {
    store.getSourceMutable().assign(result);
    store->moveAfter(last);
    last = store;
  }
}

void memspace::copyLoopResultsTogether(func::FuncOp function) {
  std::vector<StoreGroups> all(1);
  DenseSet<Value> written;
  // Stores come later than they did, but not behind another look at what they
  // have written, nor behind another store there.
  auto begin = [&] {
    written.clear();
    all.emplace_back();
  };
  for (Operation &op : function.front()) {
    if (auto tensor = dyn_cast<ToTensorOp>(op))
      if (written.contains(getRootMemory(tensor.getBuffer())))
        begin();
    auto store = dyn_cast<MaterializeInDestinationOp>(op);
    if (!store || !isa<MemRefType>(store.getDest().getType()))
      continue;
    Value memory = getRootMemory(store.getDest());
    if (written.contains(memory))
      begin();
    written.insert(memory);
    Operation *producer = store.getSource().getDefiningOp();
    auto type = dyn_cast<RankedTensorType>(store.getSource().getType());
    if (type && type.hasStaticShape() && type.getNumElements() > 0 &&
        isa_and_nonnull<scf::ForOp, scf::IfOp>(producer))
      all.back()[{producer, type.getShape()}].push_back(store);
  }
  for (StoreGroups &groups : all)
    for (auto &[key, stores] : groups)
      if (stores.size() > 1)
        copyTogether(stores);
}
