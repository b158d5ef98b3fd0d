//===- LoopResults.cpp - results of one loop are stored together ----------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/Tile/LoopResults.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::memspace;
using bufferization::MaterializeInDestinationOp;

void memspace::copyLoopResultsTogether(func::FuncOp function) {
  using Stores = SmallVector<MaterializeInDestinationOp, 2>;
  llvm::MapVector<std::pair<Operation *, ArrayRef<int64_t>>, Stores> groups;
  for (auto store : function.front().getOps<MaterializeInDestinationOp>()) {
    Operation *producer = store.getSource().getDefiningOp();
    auto type = dyn_cast<RankedTensorType>(store.getSource().getType());
    if (type && type.hasStaticShape() && type.getNumElements() > 0 &&
        isa_and_nonnull<scf::ForOp, scf::IfOp>(producer))
      groups[{producer, type.getShape()}].push_back(store);
  }
  for (auto &[key, stores] : groups) {
    if (stores.size() < 2)
      continue;
    OpBuilder builder(stores.back());
    Location loc = key.first->getLoc();
    SmallVector<Value> sources, outputs;
    for (MaterializeInDestinationOp store : stores) {
      sources.push_back(store.getSource());
      outputs.push_back(tensor::EmptyOp::create(
          builder, loc, key.second,
          getElementTypeOrSelf(store.getSource().getType())));
    }
    unsigned rank = key.second.size();
    SmallVector<AffineMap> maps(2 * stores.size(),
                                builder.getMultiDimIdentityMap(rank));
    auto yieldInputs = [&](OpBuilder &body, Location loc, ValueRange args) {
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
}
