//===- CSV.h - packing problems as files ------------------------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The format of google/minimalloc. The first line names the columns, in any
/// order: `id`, `lower`, `upper` (half-open live range), `size`, and, if
/// wanted, `alignment`, `gaps` (holes of the live range: `7-9 12-13`) and
/// `offset`. `begin` and `start` are `lower`; `end` is `upper - 1`; `buffer`
/// and `buffer_id` are `id`. Others are ignored.
///
/// Beyond minimalloc: a field may be quoted ("a,b"), so that a name may have a
/// comma; a buffer without `lower` and `upper` is never live.
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_PACKING_CSV_H
#define MEMSPACE_PACKING_CSV_H

#include "MemSpace/Packing/Problem.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir {
namespace memspace {
namespace packing {

/// A problem, not yet checked, or an error with the line and the reason.
/// `offsets`, if not null, gets the column `offset`; none when there is none.
llvm::Expected<Problem>
parseCSV(llvm::StringRef text,
         std::optional<std::vector<int64_t>> *offsets = nullptr);

/// Writes `problem`, with the offsets of `solution` if there is one. Overlay
/// costs have no place in the format.
void printCSV(llvm::raw_ostream &os, const Problem &problem,
              const Solution *solution = nullptr);

} // namespace packing
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_PACKING_CSV_H
