//===- Orders.h - comparators that are certainly an order -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_NORMALIZE_ORDERS_H
#define MEMSPACE_LIB_TRANSFORMS_NORMALIZE_ORDERS_H

#include "mlir/IR/Region.h"

namespace mlir {
namespace memspace {

/// True if `comparator`, whose arguments are pairs of a left and a right
/// element, is a strict weak order whatever the elements are:
///
/// - integers are compared by `slt`, `sgt`, `ult` or `ugt`, the one computed
///   from the left elements as the other from the right ones: f(a) < f(b);
/// - or, where they are equal, something else decides that is such an order;
/// - all by ops of `arith` on integers, so that threads agree.
///
/// Floats are no such keys: NaN is equal to every number, and those are not to
/// each other. Their bits are.
bool isCertainlyOrder(Region &comparator);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_NORMALIZE_ORDERS_H
