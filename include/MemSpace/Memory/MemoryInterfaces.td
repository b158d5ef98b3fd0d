//===- MemoryInterfaces.td - what other dialects' ops do to memory ------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_MEMORY_MEMORYINTERFACES_TD
#define MEMSPACE_MEMORY_MEMORYINTERFACES_TD

include "mlir/IR/OpBase.td"

def MemSpace_SynchronizationOpInterface
    : OpInterface<"SynchronizationOpInterface"> {
  let cppNamespace = "::mlir::memspace";
  let description = [{
    Says what an op orders: accesses of threads in memory, and copies that run
    beside the thread. What is said to be ordered is trusted: no barrier of ours
    is placed where this one is enough. An op without the interface orders
    nothing.
  }];
  let methods = [
    InterfaceMethod<[{
        Of which threads all accesses before the op are ordered against all
        accesses after it, and in which memories. None: of no group as a whole.
      }], "::std::optional<::mlir::memspace::Barrier>", "getBarrier",
      (ins), [{}], [{ return ::std::nullopt; }]>,
    InterfaceMethod<[{
        True when some threads wait here for each other, though they are no
        group of getBarrier: control must be uniform where the op stands,
        whatever it orders.
      }], "bool", "waitsForSomeThreads", (ins), [{}], [{ return false; }]>,
    InterfaceMethod<[{
        True when the op begins a copy that only a later wait of the same thread
        completes: what it writes and reads may be touched until then.
      }], "bool", "startsAsyncCopy", (ins), [{}], [{ return false; }]>,
    InterfaceMethod<[{
        True when the op begins a copy of which no wait for groups tells that it
        is complete, but for example a barrier object in memory: the copy counts
        as in flight for ever.
      }], "bool", "startsUngroupedCopy", (ins), [{}], [{ return false; }]>,
    InterfaceMethod<[{
        True when the op closes the group of the copies that the thread has
        begun since it closed the last one. Of an op that begins a copy itself,
        that copy is the last of the group.
      }], "bool", "commitsAsyncCopies", (ins), [{}], [{ return false; }]>,
    InterfaceMethod<[{
        Of a wait for copies: all groups of the thread but the last so many are
        complete behind it. Copies that no group has closed in are not waited
        for. None: the op waits for no copies.
      }], "::std::optional<unsigned>", "getGroupsLeftInFlight",
      (ins), [{}], [{ return ::std::nullopt; }]>
  ];
}

def MemSpace_ElementAccessOpInterface
    : OpInterface<"ElementAccessOpInterface"> {
  let cppNamespace = "::mlir::memspace";
  let description = [{
    Says which elements of its shaped operands an op touches. Whether it reads
    or writes them say its memory effects. The elements are trusted to be all
    that a thread touches; without an answer it may touch any of the operand.
  }];
  let methods = [
    InterfaceMethod<[{
        What a thread that executes the op touches through `operand`, a ranked
        memref. None: any of it.
      }], "::std::optional<::mlir::memspace::TouchedElements>",
      "getTouchedElements",
      (ins "::mlir::OpOperand &":$operand,
           "const ::mlir::memspace::KernelContext &":$context)>,
    InterfaceMethod<[{
        True when the op reads and writes each element in one step that no
        other such op comes between.
      }], "bool", "isAtomic", (ins), [{}], [{ return false; }]>,
    InterfaceMethod<[{
        True when the op touches no memory but that of its operands, even if it
        has effects on no value, which then stand for something else (the
        threads that it brings together).
      }], "bool", "touchesOperandsOnly", (ins), [{}], [{ return false; }]>
  ];
}

def MemSpace_MemoryRootOpInterface : OpInterface<"MemoryRootOpInterface"> {
  let cppNamespace = "::mlir::memspace";
  let description = [{
    Says which memory the memref results of an op name: that of an operand, or
    memory of the op's own (a binding, a pool). Two memories of which it says
    that they are not the same are trusted not to overlap.
  }];
  let methods = [
    InterfaceMethod<[{
        Where `result` points to.
      }], "::mlir::memspace::NamedMemory", "getNamedMemory",
      (ins "::mlir::OpResult":$result)>
  ];
}

def MemSpace_CollectiveOpInterface : OpInterface<"CollectiveOpInterface"> {
  let cppNamespace = "::mlir::memspace";
  let description = [{
    An op in a thread- or lane-mapped `scf.forall` that combines what all
    threads of a group contribute into one shared tensor. All of them enter it
    together; the inits are one value, equal in all; each contributes elements
    that no other does; the result is one value of the group: contributed
    elements, elsewhere the init. It is a contract.

    The op has one of two forms.
    - Without a region, operand and result of one number belong together. The
      operand is the init with what the thread has inserted since
      (`tensor.insert_slice`, `tensor.insert`, `vector.transfer_write`, also in
      `scf.for` and `scf.if`).
    - With a region of one block, each argument is the operand of its number:
      for a tensor, the init. The terminator's operands are the results; a
      tensor is an argument with what the thread has inserted, or a slice of it.

    Operands and results that are no tensors are handed on as they are.
    `memspace-normalize-kernels` replaces the op by `memspace.begin_collective`
    and `memspace.end_collective`.
  }];
  let methods = [
    InterfaceMethod<[{
        The threads that contribute: `Workgroup` or `Subgroup`.
      }], "::mlir::memspace::ExecutionScope", "getCollectiveScope">,
    InterfaceMethod<[{
        The init that belongs to `result`, in a form without a region with what
        the thread has inserted.
      }], "::mlir::OpOperand &", "getContributedInit",
      (ins "::mlir::OpResult":$result), [{}], [{
        return $_op->getOpOperand(result.getResultNumber());
      }]>
  ];
}

#endif // MEMSPACE_MEMORY_MEMORYINTERFACES_TD
