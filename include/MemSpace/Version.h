//===- Version.h - the version of MemSpace ----------------------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The version for the preprocessor. CMake's project() reads these lines.
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_VERSION_H
#define MEMSPACE_VERSION_H

#define MEMSPACE_VERSION_MAJOR 0
#define MEMSPACE_VERSION_MINOR 1
#define MEMSPACE_VERSION_PATCH 0
#define MEMSPACE_VERSION_STRING "0.1.0"

#endif // MEMSPACE_VERSION_H
