//===- TestModule.h - a parsed snippet of IR -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The unit tests of an analysis query a parsed snippet of IR. Ops are marked
/// in the snippet by a discardable attribute `test.name = "…"`, so that a test
/// finds them without counting.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_UNITTESTS_TESTMODULE_H
#define MEMSPACE_UNITTESTS_TESTMODULE_H

#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/Kernel/UniformityInterface.h"
#include "MemSpace/Memory/MemoryInterfaces.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include <memory>

namespace mlir {
namespace memspace {

/// Owns a context with every dialect registered and a module parsed in it.
class TestModule {
public:
  /// `registerMore`: dialects that only some tests know.
  explicit TestModule(StringRef source,
                      void (*registerMore)(DialectRegistry &) = nullptr)
      : context(getRegistry()) {
    if (registerMore) {
      DialectRegistry more;
      registerMore(more);
      context.appendDialectRegistry(more);
    }
    // Marks (`test.name`) need no dialect.
    context.allowUnregisteredDialects();
    module = parseSourceString<ModuleOp>(source, &context);
  }

  /// False when the snippet did not parse.
  explicit operator bool() const { return static_cast<bool>(module); }
  ModuleOp operator*() { return *module; }
  MLIRContext *getContext() { return &context; }

  /// The op marked `test.name = name`; null when there is none.
  Operation *get(StringRef name) {
    Operation *found = nullptr;
    module->walk([&](Operation *op) {
      auto mark = op->getAttrOfType<StringAttr>("test.name");
      if (mark && mark.getValue() == name)
        found = op;
    });
    return found;
  }
  /// The same, cast to its op class; null when it is another op.
  template <typename OpT> OpT get(StringRef name) {
    return dyn_cast_if_present<OpT>(get(name));
  }

private:
  static const DialectRegistry &getRegistry() {
    static const DialectRegistry *registry = [] {
      auto *r = new DialectRegistry();
      registerAllDialects(*r);
      registerAllExtensions(*r);
      r->insert<MemSpaceDialect>();
      registerExecutionMappingExternalModels(*r);
      registerBufferizableOpInterfaceExternalModels(*r);
      registerUniformityModels(*r);
      registerMemoryModels(*r);
      return r;
    }();
    return *registry;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_UNITTESTS_TESTMODULE_H
