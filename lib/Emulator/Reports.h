//===- Reports.h - findings in words ----------------------------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Turns what the runtime found, with site numbers, into reports with locations
/// and messages.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_EMULATOR_REPORTS_H
#define MEMSPACE_LIB_EMULATOR_REPORTS_H

#include "Runtime.h"

namespace mlir {
namespace memspace {
namespace emulator {

Report makeReport(const RawReport &raw, const Program &program);

} // namespace emulator
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_EMULATOR_REPORTS_H
