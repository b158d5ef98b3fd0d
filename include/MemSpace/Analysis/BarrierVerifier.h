//===- BarrierVerifier.h - its old place ------------------------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Is now in MemSpace/Barriers. This header goes with the next release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_ANALYSIS_BARRIERVERIFIER_H
#define MEMSPACE_ANALYSIS_BARRIERVERIFIER_H

#pragma message("include MemSpace/Barriers/BarrierVerifier.h")
#include "MemSpace/Barriers/BarrierVerifier.h"

#endif // MEMSPACE_ANALYSIS_BARRIERVERIFIER_H
