//===- ExecutionScope.h - who executes an op -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef MEMSPACE_ANALYSIS_EXECUTIONSCOPE_H
#define MEMSPACE_ANALYSIS_EXECUTIONSCOPE_H
#endif
