//===- TrustedModels.h - whose claims are believed --------------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Whose models of upstream's interfaces are believed without a proof.
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_SPACES_TRUSTEDMODELS_H
#define MEMSPACE_SPACES_TRUSTEDMODELS_H

#include "mlir/IR/Operation.h"

namespace mlir {
namespace memspace {

/// True for an op whose bufferization model comes with MLIR or MemSpace, and
/// for one that has none.
bool hasTrustedModel(Operation *op);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_SPACES_TRUSTEDMODELS_H
