//===- IterationLocalBuffers.h - buffers that start anew -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where what a buffer holds does not matter any more, although the buffer
/// stays: it is overwritten as a whole, or each iteration of a loop writes what
/// it reads. Errs towards "it matters".
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_WORKGROUP_ITERATIONLOCALBUFFERS_H
#define MEMSPACE_WORKGROUP_ITERATIONLOCALBUFFERS_H

#include "MemSpace/Threads/ThreadRelations.h"
#include "mlir/IR/Operation.h"

namespace mlir {
namespace memspace {

/// How an op uses a buffer.
struct BufferTouch {
  Operation *op = nullptr;
  bool reads = false;
  bool writes = false;
};

/// True when `op`, executed by a thread, overwrites every element of `buffer`
/// and reads none.
bool overwritesAll(Operation *op, Value buffer);

/// True when the threads of the workgroup, which all execute `op`, together
/// overwrite every element of `buffer` and read none: each writes elements of
/// its own, and all of them are as many as the buffer has.
bool overwriteAllTogether(Operation *op, Value buffer,
                          const KernelContext &context,
                          const ThreadRelations &relations);

class IterationLocalBuffers {
public:
  IterationLocalBuffers(const KernelContext &context,
                        const ThreadRelations &relations);

  /// The loops around all of `touches`, which are all of `buffer`, in which no
  /// iteration reads what an earlier one has written: each writes the same
  /// elements before it reads any, and what it writes later is among them.
  /// Elements that nothing has written are taken to be undefined.
  SmallVector<Operation *> getLoops(Value buffer,
                                    ArrayRef<BufferTouch> touches) const;

private:
  bool isFresh(Operation *loop, ArrayRef<BufferTouch> sorted,
               ArrayRef<Operation *> freshInside) const;
  bool isCovered(Operation *late, Operation *early) const;

  KernelContext context;
  const ThreadRelations &relations;
  /// Program order.
  DenseMap<Operation *, unsigned> numbers;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_WORKGROUP_ITERATIONLOCALBUFFERS_H
