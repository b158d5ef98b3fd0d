//===- ToolOptions.h - what all tools say on --help and --version -*- C++
//-*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_TOOLS_TOOLOPTIONS_H
#define MEMSPACE_TOOLS_TOOLOPTIONS_H

#include "MemSpace/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir {
namespace memspace {

/// Makes `--version` print MemSpace's version after that of LLVM.
inline void addVersionPrinter() {
  llvm::cl::AddExtraVersionPrinter([](llvm::raw_ostream &os) {
    os << "MemSpace version " MEMSPACE_VERSION_STRING "\n";
  });
}

/// Hides the options that exist now, before the tool has registered its own:
/// those of libLLVM. `--help-hidden` still prints them.
inline void hideLLVMOptions() {
  for (auto &entry : llvm::cl::getRegisteredOptions()) {
    llvm::cl::Option *option = entry.second;
    bool isGeneric = llvm::any_of(
        option->Categories, [](const llvm::cl::OptionCategory *category) {
          return category->getName() == "Generic Options";
        });
    if (!isGeneric && option->getOptionHiddenFlag() == llvm::cl::NotHidden)
      option->setHiddenFlag(llvm::cl::Hidden);
  }
}

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_TOOLS_TOOLOPTIONS_H
