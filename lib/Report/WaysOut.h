//===- WaysOut.h - what would help a kernel -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_REPORT_WAYSOUT_H
#define MEMSPACE_LIB_REPORT_WAYSOUT_H

#include "MemSpace/Report/BudgetReport.h"

namespace mlir {
namespace memspace {

/// The ways out of `report`, whose other fields are filled in: to fit, or for a
/// kernel that fits to reach the next occupancy step. Best first.
std::vector<WayOut> findWaysOut(const KernelContext &context,
                                const WorkgroupBudget &budget,
                                const BudgetReport &report);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_REPORT_WAYSOUT_H
