//===- MLIRVersion.h - what later versions of MLIR say otherwise -*- C++
//-*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The one place that knows where MLIR's interfaces differ after version 22.
/// Each function looks for the member that it needs, not for a version number:
/// compilers such as IREE build MLIR at commits between two releases.
///
/// Templates, so that what this MLIR does not have is not compiled; the tests
/// instantiate them with classes that look like those of other versions.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_IR_MLIRVERSION_H
#define MEMSPACE_LIB_IR_MLIRVERSION_H

#include "MemSpace/IR/MemSpaceDialect.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/ValueRange.h"
#include <optional>

namespace mlir {
namespace memspace {

//===----------------------------------------------------------------------===//
// The values that a successor of a region branch gets
//===----------------------------------------------------------------------===//

namespace detail {
/// From llvm-project's pull request 175815 on, the op says it.
template <typename BranchT, typename SuccessorT>
auto getSuccessorInputs(BranchT branch, const SuccessorT &successor, int)
    -> decltype(ValueRange(branch.getSuccessorInputs(successor))) {
  return branch.getSuccessorInputs(successor);
}
/// Until then, the successor does.
template <typename BranchT, typename SuccessorT>
auto getSuccessorInputs(BranchT, const SuccessorT &successor, long)
    -> decltype(ValueRange(successor.getSuccessorInputs())) {
  return successor.getSuccessorInputs();
}
} // namespace detail

template <typename BranchT, typename SuccessorT>
ValueRange getSuccessorInputs(BranchT branch, const SuccessorT &successor) {
  return detail::getSuccessorInputs(branch, successor, 0);
}

//===----------------------------------------------------------------------===//
// What a gpu.barrier orders
//===----------------------------------------------------------------------===//

/// The clauses of a `gpu.barrier`. MLIR 22 has none: it is one of the workgroup
/// that orders all memory.
struct BarrierClauses {
  /// None: of a number of threads, or of a scope, that is not known here. It
  /// must not be believed to order anything.
  std::optional<ExecutionScope> scope = ExecutionScope::Workgroup;
  bool ordersWorkgroupMemory = true;
  bool ordersGlobalMemory = true;
};

namespace detail {
/// `memfence [...]` (pull request 177425): of the listed memories only.
template <typename BarrierT>
auto readFences(BarrierT barrier, BarrierClauses &clauses, int)
    -> decltype(ArrayAttr(barrier.getAddressSpacesAttr()), void()) {
  ArrayAttr spaces = barrier.getAddressSpacesAttr();
  if (!spaces)
    return;
  auto fences = [&](gpu::AddressSpace space) {
    return llvm::any_of(spaces, [&](Attribute attr) {
      auto listed = dyn_cast<gpu::AddressSpaceAttr>(attr);
      return listed && listed.getValue() == space;
    });
  };
  clauses.ordersWorkgroupMemory = fences(gpu::AddressSpace::Workgroup);
  clauses.ordersGlobalMemory = fences(gpu::AddressSpace::Global);
}
template <typename BarrierT>
void readFences(BarrierT, BarrierClauses &, long) {}

/// `scope <...>` (pull request 195692). Its enumeration is compared by the
/// words of the assembly: the type is not there in older versions.
template <typename BarrierT>
auto readScope(BarrierT barrier, BarrierClauses &clauses, int)
    -> decltype(StringRef(stringifyEnum(barrier.getScope())), void()) {
  StringRef scope = stringifyEnum(barrier.getScope());
  if (scope == "subgroup")
    clauses.scope = ExecutionScope::Subgroup;
  else if (scope != "workgroup")
    clauses.scope = std::nullopt;
}
template <typename BarrierT> void readScope(BarrierT, BarrierClauses &, long) {}
} // namespace detail

template <typename BarrierT>
BarrierClauses getBarrierClauses(BarrierT barrier) {
  BarrierClauses clauses;
  detail::readFences(barrier, clauses, 0);
  detail::readScope(barrier, clauses, 0);
  // `named(...)`: who takes part is said elsewhere.
  if (barrier->getNumOperands() != 0)
    clauses.scope = std::nullopt;
  return clauses;
}

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_IR_MLIRVERSION_H
