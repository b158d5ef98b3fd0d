//===- Shuffles.h - what lanes of a subgroup pass to each other -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_NORMALIZE_SHUFFLES_H
#define MEMSPACE_LIB_TRANSFORMS_NORMALIZE_SHUFFLES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"
#include <optional>

namespace mlir {
namespace memspace {

/// Registers of 32 bits that a lane passes a value of `type` in; none for types
/// that cannot be passed.
std::optional<int64_t> getShuffleWords(Type type);

/// `value`, of a type that can be passed, of another one of the first `width`
/// lanes, all of which execute this. Each word is an i32: the backends take no
/// other type alike.
Value shuffle(OpBuilder &builder, Location loc, Value value,
              gpu::ShuffleMode mode, Value offset, int64_t width);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_NORMALIZE_SHUFFLES_H
