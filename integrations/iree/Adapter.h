//===- Adapter.h - MemSpace in IREE's GPU pipelines -*- C++ -*-------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What IREE's attributes and ops mean, said by MemSpace's interfaces, and the
/// pass that gives IREE's kernels the form that MemSpace's passes take.
/// docs/iree.md walks through it.
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_IREE_ADAPTER_H
#define MEMSPACE_IREE_ADAPTER_H

#include "iree/compiler/Dialect/HAL/IR/HALOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir {
namespace memspace {
namespace iree {

/// Attaches the models where IREE's dialects are loaded: mappings, ids and
/// constants, bindings, collectives.
void registerModels(DialectRegistry &registry);

/// Attaches the models of `iree_linalg_ext.sort`, `topk`, `scatter` and `scan`,
/// so that threads share them as MemSpace's own.
void registerStructuredOps(DialectRegistry &registry);

/// Says in MemSpace's attributes what IREE says in its own: the size of a
/// workgroup and of a subgroup from `translation_info`, the memory limit from
/// `#iree_gpu.target`, the names of the memory spaces. Nothing that is there
/// already is changed. Functions without `translation_info` get the spaces
/// only.
void annotateKernel(FunctionOpInterface kernel);

/// Replaces loads of tensors from bindings and stores to them
/// (`dispatch.tensor.load`, `load_from_buffer`, ...) by
/// `bufferization.to_tensor` and `materialize_in_destination`. Fails with a
/// diagnostic where two parts of one binding may overlap and one is written.
LogicalResult importTensors(FunctionOpInterface kernel);

/// Replaces what has a form of upstream's: foralls of one worker by loops,
/// packs, gathers of vectors, and hints. Fails with a diagnostic where a gather
/// has none.
LogicalResult importOps(FunctionOpInterface kernel);

/// Of two parts of one binding: nothing is written through either, or constants
/// keep them apart.
bool areApart(iree_compiler::IREE::HAL::InterfaceBindingSubspanOp a,
              iree_compiler::IREE::HAL::InterfaceBindingSubspanOp b);

/// The same elements of one binding by two names.
bool isEqual(iree_compiler::IREE::HAL::InterfaceBindingSubspanOp a,
             iree_compiler::IREE::HAL::InterfaceBindingSubspanOp b);

/// Makes memrefs of tensors that a kernel takes, and further arguments of what
/// it returns, in the order of the results: whoever launches it gives the
/// memory. Fails with a diagnostic where a result has no place in memory.
LogicalResult importSignature(FunctionOpInterface kernel);

/// `iree-memspace-import`: all of these, on each function.
void registerPasses();

/// The other way, on memrefs: parts of bindings and constants become arguments,
/// ids those of the gpu dialect, and IREE's memory spaces and attributes go. So
/// `memspace-runner` can run what came of a kernel. Fails with a diagnostic
/// where two parts of one binding may overlap and one is written.
LogicalResult exportKernel(FunctionOpInterface kernel);

/// `iree-memspace-export`.
void registerExportPass();

} // namespace iree
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_IREE_ADAPTER_H
