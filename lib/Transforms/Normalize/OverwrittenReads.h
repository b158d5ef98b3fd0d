//===- OverwrittenReads.h - memory that is read and overwritten -*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An update of memory that does not say so: a memref is read as one tensor,
/// and another one, which begins empty, overwrites it.
///
/// \code{.mlir}
///   %c = bufferization.to_tensor %m restrict writable
///   %e = tensor.empty
///   %r = scf.forall (%i) shared_outs(%o = %e) {
///     %slice = tensor.extract_slice %o[%i] ...
///     %old = vector.transfer_read %c[%i]
///     ... write a function of %old into %slice ...
///   }
///   bufferization.materialize_in_destination %r in restrict writable %m
/// \endcode
///
/// If each read takes nothing but elements of the slice that its iteration has,
/// the forall may begin with `%c`, and read `%slice`.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_NORMALIZE_OVERWRITTENREADS_H
#define MEMSPACE_LIB_TRANSFORMS_NORMALIZE_OVERWRITTENREADS_H

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir {
namespace memspace {

/// True if `updateOverwrittenReads` makes what is stored an update of `tensor`,
/// of the same memref.
bool isUpdateInParts(bufferization::ToTensorOp tensor,
                     bufferization::MaterializeInDestinationOp store);

/// Lets such foralls update what they read. The values stay what they are.
void updateOverwrittenReads(FunctionOpInterface kernel);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_NORMALIZE_OVERWRITTENREADS_H
