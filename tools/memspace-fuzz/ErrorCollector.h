//===- ErrorCollector.h - diagnostics as text -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_FUZZ_ERRORCOLLECTOR_H
#define MEMSPACE_FUZZ_ERRORCOLLECTOR_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include <string>
#include <utility>

namespace mlir {
namespace memspace {
namespace fuzz {

/// Collects the errors and warnings instead of printing them.
class ErrorCollector {
public:
  explicit ErrorCollector(MLIRContext *context)
      : handler(context, [this](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
              first.empty())
            first = diagnostic.str();
          if (diagnostic.getSeverity() == DiagnosticSeverity::Warning &&
              firstWarning.empty())
            firstWarning = diagnostic.str();
          return success();
        }) {}
  /// The first since the last call.
  std::string take() { return std::exchange(first, {}); }
  std::string takeWarning() { return std::exchange(firstWarning, {}); }

private:
  std::string first, firstWarning;
  ScopedDiagnosticHandler handler;
};

} // namespace fuzz
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_FUZZ_ERRORCOLLECTOR_H
