//===- BarrierMutations.h - barriers where they should not be -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_FUZZ_BARRIERMUTATIONS_H
#define MEMSPACE_FUZZ_BARRIERMUTATIONS_H

#include "Random.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir {
namespace memspace {
namespace fuzz {

/// Deletes, moves, weakens, guards or adds some barriers of the only kernel of
/// `module`, or deletes or delays a wait for copies. The result may be right
/// nevertheless.
void mutateBarriers(ModuleOp module, Random &rng);

} // namespace fuzz
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_FUZZ_BARRIERMUTATIONS_H
