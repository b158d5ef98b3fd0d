//===- ArgumentBounds.h - what callers promise of numbers -------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `memspace.bounds` on the argument of a function is a promise of the caller:
/// of a tensor or memref one dictionary for each dimension, of an index or
/// integer a dictionary, with `min`, `max` and `multiple_of`:
///
///   %a: tensor<?x64xf16> {memspace.bounds = [{min = 128, max = 524160,
///                                             multiple_of = 128}, {}]}
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_IR_ARGUMENTBOUNDS_H
#define MEMSPACE_IR_ARGUMENTBOUNDS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/Value.h"
#include <optional>

namespace mlir {
namespace memspace {

inline constexpr llvm::StringLiteral kBoundsAttr = "memspace.bounds";

/// What is promised of a number.
struct NumberBounds {
  std::optional<int64_t> min, max;
  int64_t multipleOf = 1;

  bool holds(int64_t number) const {
    return number >= min.value_or(number) && number <= max.value_or(number) &&
           number % multipleOf == 0;
  }
  bool isTrivial() const { return !min && !max && multipleOf == 1; }
  /// A number that they hold for, as near to `number` as `multipleOf` allows.
  int64_t getNearest(int64_t number) const;
  DictionaryAttr getAttr(MLIRContext *context) const;
  /// As `at least 128, at most 524160, a multiple of 128`.
  std::string str() const;
};

/// The bounds that `attr`, a dictionary or nothing, gives; nothing of what is
/// not valid.
NumberBounds parseBounds(Attribute attr);

/// What `attr`, the attribute of an argument, promises of dimension `dim` of
/// it, or of its value.
NumberBounds getPromisedBounds(Attribute attr, std::optional<int64_t> dim);

/// What is promised of dimension `dim` of `value`, or of the value itself,
/// where it is an argument of a function.
NumberBounds getPromisedBounds(Value value, std::optional<int64_t> dim);

/// Says of `attr` of an argument of `type` what is no promise, or breaks one.
LogicalResult verifyBounds(llvm::function_ref<InFlightDiagnostic()> emitError,
                           Type type, Attribute attr);

/// Upstream's value bounds know what is promised of the arguments of func.func
/// and gpu.func, and that 'bufferization.to_tensor' changes no extent.
void registerArgumentBoundsExternalModels(DialectRegistry &registry);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_IR_ARGUMENTBOUNDS_H
