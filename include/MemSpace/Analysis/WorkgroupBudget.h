//===- WorkgroupBudget.h - its old place ------------------------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Is now in MemSpace/Layout. This header goes with the next release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_ANALYSIS_WORKGROUPBUDGET_H
#define MEMSPACE_ANALYSIS_WORKGROUPBUDGET_H

#pragma message("include MemSpace/Layout/WorkgroupBudget.h")
#include "MemSpace/Layout/WorkgroupBudget.h"

#endif // MEMSPACE_ANALYSIS_WORKGROUPBUDGET_H
