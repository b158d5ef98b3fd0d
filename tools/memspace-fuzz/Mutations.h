//===- Mutations.h - random changes of given programs -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Changes the text of a program or its IR, in ways that its authors did not
/// think of: extreme numbers, ops in other places, attributes that are gone.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_FUZZ_MUTATIONS_H
#define MEMSPACE_FUZZ_MUTATIONS_H

#include "Random.h"
#include "mlir/IR/BuiltinOps.h"
#include <string>
#include <vector>

namespace mlir {
namespace memspace {
namespace fuzz {

/// Changes some tokens or lines of `text`. Lines and words may come from
/// `others`, too. What comes out need not be a program.
std::string mutateText(StringRef text, ArrayRef<std::string> others,
                       Random &rng);

/// Changes `module` in some places; it is valid IR afterwards. False when
/// nothing was changed.
bool mutateIR(OwningOpRef<ModuleOp> &module, Random &rng);

/// An integer that is often forgotten: 0, -1, around powers of two, `near` and
/// its neighbours.
int64_t pickExtreme(Random &rng, int64_t near);

} // namespace fuzz
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_FUZZ_MUTATIONS_H
