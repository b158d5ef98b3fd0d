//===- MemoryMap.h - offset × time, drawn -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_REPORT_MEMORYMAP_H
#define MEMSPACE_LIB_REPORT_MEMORYMAP_H

#include "MemSpace/Report/BudgetReport.h"

namespace mlir {
namespace memspace {

/// The letter of a buffer in the map: A to Z, a to z, 0 to 9; then all are '#'.
char getMapLetter(unsigned buffer);

/// Draws which buffer occupies which bytes when: a row for each range of bytes
/// in which nothing begins or ends (at most 24: the smallest are joined), a
/// column for each time in which nothing does (at most 64: likewise). '.' is
/// free, '+' more than one buffer, for which a joined row or column is too
/// coarse. Prints nothing when nothing is ever live.
void printMemoryMap(const BudgetReport &report, raw_ostream &os);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_REPORT_MEMORYMAP_H
