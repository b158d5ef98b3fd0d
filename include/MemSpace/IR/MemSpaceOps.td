//===- MemSpaceOps.td - ops of the memspace dialect -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_IR_MEMSPACEOPS_TD
#define MEMSPACE_IR_MEMSPACEOPS_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/TilingInterface.td"

def MemSpace_Dialect : Dialect {
  let name = "memspace";
  let cppNamespace = "::mlir::memspace";
  let summary = "What upstream has no op for: buffer exchange, subgroup order, sort, scatter.";
  let description = [{
    The dialect is small on purpose. Its discardable attributes carry decisions
    and their reasons through upstream's ops:

    | attribute | on | meaning |
    | --- | --- | --- |
    | `memspace.reason` | allocations | why the buffer has its memory space |
    | `memspace.per_subgroup` | allocations | one instance for each subgroup (or warpgroup); i64, the threads that share an instance |
    | `memspace.arena` | an allocation, a workgroup attribution | it holds all workgroup buffers of its kernel, each a `memref.view`. Where the view stands, the buffer begins: it holds nothing that is needed |
    | `memspace.buffer` | views of an arena | i64, number of the buffer; buffers may lie over each other |
    | `memspace.padding` | workgroup allocations, views of an arena | i64, bytes at the end of each innermost row that nobody uses, so that the rows begin in different banks |
    | `memspace.in_place` | `materialize_in_destination` | the source is the destination already: nothing is copied |
    | `memspace.carried` | copies on tensors | it puts a loop-carried value back into the buffer that the loop carries, in place: nobody needs what is in there |
    | `memspace.copy` | allocations, copies | the read and the write whose conflict forced the copy |
    | `memspace.disjoint` | memory accesses | array with the id of the thread- or lane-mapped `forall` around the access: two accesses with one id, in one dynamic instance of that `forall`, by different threads do not conflict |
    | `memspace.collective` | `scf.forall` | its threads exchange values inside, by `memspace.begin_collective`: of workgroup memory it promises nothing |
    | `memspace.subgroup_disjoint`, `memspace.warpgroup_disjoint` | memory accesses | the same for a warp- or warpgroup-mapped `forall`: by threads of different subgroups (warpgroups) they do not conflict; by threads of one they may |
    | `memspace.workgroup_disjoint` | memory accesses | array with the id of the block-mapped `forall` around the access, which is executed once: two accesses with one id by different workgroups do not conflict |
    | `memspace.forall_loop` | `scf.for` | i64, id of the `forall` of which the loop runs the iterations beyond the available ids: the whole loop is one dynamic instance of that `forall`. The trip count is the same in every thread |
    | `memspace.hazard` | barriers | the hazard that the barrier cuts |
    | `memspace.keep` | barriers | never removed |
    | `memspace.workgroup_bytes`, `memspace.sum_bytes`, `memspace.peak_live_bytes`, `memspace.private_bytes` | kernels | i64, bytes; private is per thread |
    | `memspace.dynamic_workgroup_bytes` | kernels | i64, bytes of dynamic shared memory that the launch must provide |
    | `memspace.grid_size`, `memspace.grid_symbols` | kernels | array of affine maps, and array<i64: …> of pairs: the grid that the block foralls need, where arguments decide. Three maps are x, y and z, one is all workgroups, however arranged; the largest result counts, and at least 1. Symbol i is pair i: a memref argument and its dimension, or a number argument and -1 |
    | `memspace.memory_spaces` | kernels, or any op around them | how memory spaces are written: `{private = 5 : i64, workgroup = 3 : i64, global = 1 : i64}`, each an attribute or an array of those that are read, the first of which is written; without `global`, global memory has no attribute |
    | `memspace.target` | any op, arguments and results of functions | the target of what is in it, and on an op with tensors the one that its results live on; of an argument or result, where it lives: `#rocdl.target<…>` or `#nvvm.target<…>` |
    | `memspace.noalias` | memref arguments of kernels | no byte that an execution of the kernel writes through an argument with it is accessed through another argument with it. Nothing is said of arguments without it. Who adds accesses that break it has to remove it |
    | `memspace.workspace` | memref arguments of kernels | i64, bytes of memory that the host provides for a temporary, for each launch its own; its contents before and after mean nothing |
    | `memspace.kernels` | modules | the figures of each outlined kernel by name, which outlive its body, and in `memspace.noalias` the numbers of the arguments that have it |
  }];
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    /// Puts `resolver` in the place of ours: what `#memspace.matmul_operand` is
    /// on a target. Everything that asks for a layout asks it.
    void setLayoutResolver(::mlir::memspace::LayoutResolver resolver) {
      layoutResolver = std::move(resolver);
    }
    /// Null: ours.
    const ::mlir::memspace::LayoutResolver &getLayoutResolver() const {
      return layoutResolver;
    }

  private:
    void registerEncodings();

    ::mlir::memspace::LayoutResolver layoutResolver;
  public:
  }];
}

class MemSpace_Op<string mnemonic, list<Trait> traits = []>
    : Op<MemSpace_Dialect, mnemonic, traits>;

def MemSpace_ExchangeOp : MemSpace_Op<"exchange", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "permutes the contents of buffers";
  let description = [{
    Result `i` has the value of operand `permutation[i]` and, after
    bufferization, the buffer of operand `i`. `memspace-normalize-kernels`
    makes a loop-carried swap explicit with it:

    ```mlir
    %new = ... outs(%nxt)
    %c, %n = memspace.exchange %cur, %new [1, 0] : tensor<8xf32>, tensor<8xf32>
    scf.yield %c, %n
    ```

    One-Shot Bufferize sees that every iter_arg keeps its buffer and inserts no
    copy. On memrefs the op has no results; `memspace-bufferize` replaces it by
    a permuted `scf.yield`, so that nothing is moved at run time.
  }];
  let arguments = (ins Variadic<AnyShaped>:$inputs, DenseI64ArrayAttr:$permutation);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = "$inputs $permutation attr-dict `:` type($inputs) (`->` type($results)^)?";
  let hasVerifier = 1;
}

def MemSpace_BeginCollectiveOp : MemSpace_Op<"begin_collective",
    [AllTypesMatch<["init", "result"]>]> {
  let summary = "a shared tensor, to which each thread contributes elements";
  let description = [{
    In a thread- or lane-mapped `scf.forall`, all of whose threads come here
    together. `init` is one tensor that they share. What a thread inserts into
    the result, up to `memspace.end_collective`, it contributes; no other thread
    contributes the same element. In between a thread reads of the result only
    what it inserts itself.

    ```mlir
    %part = memspace.begin_collective %tile : tensor<64xf32>
    %mine = tensor.insert_slice %x into %part[%tid] [1] [1] : tensor<1xf32> into tensor<64xf32>
    %all = memspace.end_collective %mine : tensor<64xf32>
    // Each thread may read all of %all.
    ```

    `memspace-normalize-kernels` turns every op with `CollectiveOpInterface`
    into these two. The result has the buffer of `init`.
  }];
  let arguments = (ins AnyRankedTensor:$init);
  let results = (outs Res<AnyRankedTensor, "", [MemAlloc]>:$result);
  let assemblyFormat = "$init attr-dict `:` type($init)";
}

def MemSpace_EndCollectiveOp : MemSpace_Op<"end_collective",
    [AllTypesMatch<["contribution", "result"]>]> {
  let summary = "the shared tensor with what all threads have contributed";
  let description = [{
    The end of what `memspace.begin_collective` begins; there is an example.
    The result is one tensor, the same for all threads: the elements that they
    have contributed, elsewhere those of the init. It has the buffer of the
    init, and `memspace-insert-barriers` puts barriers where threads read there
    what others have written. A thread that writes into the result works on a
    copy of its own.
  }];
  let arguments = (ins AnyRankedTensor:$contribution);
  let results = (outs Res<AnyRankedTensor, "", [MemAlloc]>:$result);
  let assemblyFormat = "$contribution attr-dict `:` type($contribution)";
}

def MemSpace_SubgroupBarrierOp : MemSpace_Op<"subgroup_barrier"> {
  let summary = "orders the memory accesses of the threads of one subgroup";
  let description = [{
    Every thread of a subgroup reaches it together. It makes what each of them
    wrote to workgroup and global memory before visible to the others after.
    Other subgroups are not waited for. Lowered to `nvvm.bar.warp.sync` on
    NVIDIA and to a wavefront-scope fence on AMD; there is no portable upstream
    op.
  }];
  let assemblyFormat = "attr-dict";
}

/// An op on the rows along one dimension: `dimension` of all operands. The rows
/// are tiled, a row is not.
class MemSpace_RowOp<string mnemonic, list<Trait> traits = []>
    : MemSpace_Op<mnemonic, traits # [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<DestinationStyleOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>,
    DeclareOpInterfaceMethods<TilingInterface, ["getIterationDomain",
        "getLoopIteratorTypes", "getTiledImplementation",
        "getResultTilePosition", "generateResultTileValue"]>,
    IsolatedFromAbove, SingleBlock]>;

def MemSpace_SortOp : MemSpace_RowOp<"sort"> {
  let summary = "sorts keys, and what belongs to them, along one dimension";
  let description = [{
    Sorts each row along `dimension` of all `inputs` together into the `outputs`:
    element `i` of a row stays with element `i` of the same row of the other
    operands. All operands have one shape; output `k` has the element type of
    input `k`. An input may be its output (the same value), and is then sorted in
    place; otherwise the two must not overlap, and the input is left as it is.

    The comparator has two arguments for each operand, the left and the right
    element, and yields whether the left one comes first. It should be a strict
    weak order: of elements that neither comes before the other `stable` keeps the
    order of the inputs, without it their order is any. If it is none (a `cmpf olt`
    where a key is NaN), the result is some permutation of the input.

    ```mlir
    %sorted, %index = memspace.sort dimension(0) stable
        ins(%keys, %iota : tensor<64xf32>, tensor<64xi32>)
        outs(%a, %b : tensor<64xf32>, tensor<64xi32>) {
    ^bb0(%x: f32, %y: f32, %i: i32, %j: i32):
      %first = arith.cmpf ogt, %x, %y : f32
      memspace.yield %first : i1
    } -> tensor<64xf32>, tensor<64xi32>
    ```

    A result that nobody uses is dropped with its operands, unless the comparator
    needs it. On memrefs the op has no results.
  }];
  let arguments = (ins Variadic<AnyShaped>:$inputs, Variadic<AnyShaped>:$outputs,
    I64Attr:$dimension, UnitAttr:$stable);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$comparator);
  let assemblyFormat = [{
    `dimension` `(` $dimension `)` (`stable` $stable^)?
    `ins` `(` $inputs `:` type($inputs) `)`
    `outs` `(` $outputs `:` type($outputs) `)`
    attr-dict-with-keyword $comparator (`->` type($results)^)?
  }];
  let extraClassDeclaration = [{
    ShapedType getShapedType() {
      return ::llvm::cast<ShapedType>(getOutputs().front().getType());
    }
    /// Whether what is in the outputs before counts.
    bool readsOutputs() { return false; }
    /// The two arguments of the comparator for operand `number`.
    BlockArgument getLeft(unsigned number) {
      return getComparator().getArgument(2 * number);
    }
    BlockArgument getRight(unsigned number) {
      return getComparator().getArgument(2 * number + 1);
    }
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasCanonicalizer = 1;
}

def MemSpace_SortIndicesOp : MemSpace_RowOp<"sort_indices"> {
  let summary = "the order in which one dimension would be sorted";
  let description = [{
    Writes to `indices` the order of each row along `dimension` of the `inputs`:
    element `i` of a row of `indices` is the position, from 0, of the element that
    a `memspace.sort` of the inputs would put at `i`. The sorted elements
    themselves are never written anywhere. All inputs have the shape of `indices`,
    whose element type is an integer, or `index`.

    The comparator and `stable` are those of `memspace.sort`. The indices must not
    overlap an input.

    ```mlir
    %order = memspace.sort_indices dimension(0) stable
        ins(%keys : tensor<64xf32>) outs(%init : tensor<64xi32>) {
    ^bb0(%x: f32, %y: f32):
      %first = arith.cmpf olt, %x, %y : f32
      memspace.yield %first : i1
    } -> tensor<64xi32>
    ```
  }];
  let arguments = (ins Variadic<AnyShaped>:$inputs, Variadic<AnyShaped>:$outputs,
    I64Attr:$dimension, UnitAttr:$stable);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$comparator);
  let assemblyFormat = [{
    `dimension` `(` $dimension `)` (`stable` $stable^)?
    `ins` `(` $inputs `:` type($inputs) `)`
    `outs` `(` $outputs `:` type($outputs) `)`
    attr-dict-with-keyword $comparator (`->` type($results)^)?
  }];
  let extraClassDeclaration = [{
    Value getIndices() { return getOutputs().front(); }
    /// Whether what is in the outputs before counts.
    bool readsOutputs() { return false; }
    ShapedType getShapedType() {
      return ::llvm::cast<ShapedType>(getInputs().front().getType());
    }
    /// The two arguments of the comparator for input `number`.
    BlockArgument getLeft(unsigned number) {
      return getComparator().getArgument(2 * number);
    }
    BlockArgument getRight(unsigned number) {
      return getComparator().getArgument(2 * number + 1);
    }
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def MemSpace_TopKOp : MemSpace_RowOp<"topk"> {
  let summary = "the first elements of what would be sorted, and where they are";
  let description = [{
    Writes the first `k` elements of each row along `dimension` of `input`, in the
    order of the comparator, to `values`, and their positions in the row, from 0,
    to `indices`. Either may be absent. Of elements that neither comes before the
    other the one with the lower index is first.

    `k` is the extent of `values` and `indices` in `dimension`; the other extents
    are those of `input`. The element type of `indices` is an integer, or `index`.
    Where a row has fewer than `k` elements, the rest of the outputs keep what they
    have. The outputs must not overlap each other or the input.

    The comparator has two arguments, the left and the right element, and yields
    whether the left one comes first. If it is no strict weak order (a `cmpf ogt`
    where an element is NaN), `k` different elements are taken, and which ones is
    not said.

    ```mlir
    %values, %indices = memspace.topk dimension(1) ins(%x : tensor<8x100xf32>)
        values(%v : tensor<8x10xf32>) indices(%i : tensor<8x10xi32>) {
    ^bb0(%a: f32, %b: f32):
      %first = arith.cmpf ogt, %a, %b : f32
      memspace.yield %first : i1
    } -> tensor<8x10xf32>, tensor<8x10xi32>
    ```

    A result that nobody uses is dropped with its operand. On memrefs the op has no
    results.
  }];
  let arguments = (ins AnyShaped:$input, Optional<AnyShaped>:$values,
    Optional<AnyShaped>:$indices, I64Attr:$dimension);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$comparator);
  let assemblyFormat = [{
    `dimension` `(` $dimension `)` `ins` `(` $input `:` type($input) `)`
    (`values` `(` $values^ `:` type($values) `)`)?
    (`indices` `(` $indices^ `:` type($indices) `)`)?
    attr-dict-with-keyword $comparator (`->` type($results)^)?
  }];
  let extraClassDeclaration = [{
    ShapedType getShapedType() {
      return ::llvm::cast<ShapedType>(getInput().getType());
    }
    /// The elements that are asked for; dynamic if their number is.
    int64_t getCount() {
      return ::llvm::cast<ShapedType>(getDpsInits().front().getType())
          .getDimSize(getDimension());
    }
    /// Whether what is in the outputs before counts: a row may be too short.
    bool readsOutputs() {
      int64_t length = getShapedType().getDimSize(getDimension());
      return ShapedType::isDynamic(length) ||
             ShapedType::isDynamic(getCount()) || getCount() > length;
    }
    BlockArgument getLeft() { return getComparator().getArgument(0); }
    BlockArgument getRight() { return getComparator().getArgument(1); }
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasCanonicalizer = 1;
}

def MemSpace_GatherOp : MemSpace_Op<"gather", [
    DeclareOpInterfaceMethods<DestinationStyleOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<TilingInterface, ["getIterationDomain",
        "getLoopIteratorTypes", "getTiledImplementation",
        "getResultTilePosition", "generateResultTileValue"]>]> {
  let summary = "reads elements, or rows, of a tensor at given places";
  let description = [{
    The last dimension of `indices` holds the coordinates of one place in
    `source`, one for each of `gather_dims`, in their order; its other dimensions
    number the places. The output has one row for each place: the dimensions that
    number the places, then those of the source that are not in `gather_dims`.

    ```mlir
    %rows = memspace.gather gather_dims([0])
        ins(%table, %index : tensor<1000x64xf32>, tensor<8x1xi32>)
        outs(%out : tensor<8x64xf32>) -> tensor<8x64xf32>
    ```

    An index is a signed number. One that is out of range counts as the nearest
    one in range; `in_bounds` promises that there is none. The output must not
    overlap the source or the indices. All dimensions of the output can be tiled. On memrefs the op has no result.

    `tensor.gather` becomes this op, with `in_bounds`.
  }];
  let arguments = (ins AnyShaped:$source, AnyShaped:$indices, AnyShaped:$output,
    DenseI64ArrayAttr:$gather_dims, UnitAttr:$in_bounds);
  let results = (outs Optional<AnyRankedTensor>:$result);
  let assemblyFormat = [{
    `gather_dims` `(` $gather_dims `)` (`in_bounds` $in_bounds^)?
    `ins` `(` $source `,` $indices `:` type($source) `,` type($indices) `)`
    `outs` `(` $output `:` type($output) `)` attr-dict (`->` type($result)^)?
  }];
  let extraClassDeclaration = [{
    /// Whether what is in the outputs before counts.
    bool readsOutputs() { return false; }
  }];
  let hasVerifier = 1;
}

def MemSpace_ScatterOp : MemSpace_Op<"scatter", [
    DeclareOpInterfaceMethods<DestinationStyleOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>,
    DeclareOpInterfaceMethods<TilingInterface, ["getIterationDomain",
        "getLoopIteratorTypes", "getTiledImplementation",
        "getResultTilePosition", "generateResultTileValue"]>,
    IsolatedFromAbove, SingleBlock]> {
  let summary = "writes elements, or rows, of a tensor at given places";
  let description = [{
    The last dimension of `indices` holds the coordinates of one place in the
    output, one for each of `scatter_dims`, in their order; its other dimensions
    number the places. `updates` has one row for each place: the dimensions that
    number the places, then those of the output that are not in `scatter_dims`.
    Elements of the output at no place keep their value.

    The combiner is given an element of the updates and the one of the output,
    and yields the new one. Without a combiner it is that of the updates.

    ```mlir
    %sum = memspace.scatter scatter_dims([0])
        ins(%updates, %index : tensor<100x64xf32>, tensor<100x1xi32>)
        outs(%table : tensor<1000x64xf32>) {
    ^bb0(%update: f32, %old: f32):
      %new = arith.addf %update, %old : f32
      memspace.yield %new : f32
    } -> tensor<1000x64xf32>
    ```

    An index is a signed number. An update with one that is out of range is
    dropped; `in_bounds` promises that there is none. `unique_indices` promises
    that no two updates that are not dropped have one place; in a mapped
    `scf.forall`, into whose destination the result goes, also none of two
    iterations. Without it a thread that executes the op alone takes the updates
    of a place in their order. Threads that share the op (docs/rules.md,
    "Scatters") take them in any order, each as a whole: of those that overwrite
    one of them is the last.

    `atomic`: other threads may scatter into the output at once, also atomically.
    So do the iterations of a mapped `scf.forall` that give back, whole, the result
    of such a scatter into their shared output: each adds its own updates.

    The output must not overlap the updates or the indices. The dimensions of rows
    are tiled in any order, those that number the places one after the other
    (reduction dimensions). On memrefs the op has no result. `tensor.scatter` becomes this op, with `in_bounds` and
    `unique_indices`.
  }];
  let arguments = (ins AnyShaped:$updates, AnyShaped:$indices, AnyShaped:$output,
    DenseI64ArrayAttr:$scatter_dims, UnitAttr:$unique_indices,
    UnitAttr:$in_bounds, UnitAttr:$atomic);
  let results = (outs Optional<AnyRankedTensor>:$result);
  // One that is missing, not one without a block: upstream's patterns that
  // clone an op with its regions expect a block in each.
  let regions = (region VariadicRegion<SizedRegion<1>>:$combiners);
  let assemblyFormat = [{
    `scatter_dims` `(` $scatter_dims `)` (`unique_indices` $unique_indices^)?
    (`in_bounds` $in_bounds^)? (`atomic` $atomic^)?
    `ins` `(` $updates `,` $indices `:` type($updates) `,` type($indices) `)`
    `outs` `(` $output `:` type($output) `)`
    attr-dict-with-keyword ($combiners^)? (`->` type($result)^)?
  }];
  let extraClassDeclaration = [{
    /// Whether what is in the outputs before counts.
    bool readsOutputs() { return true; }
    /// Null for an op that overwrites.
    ::mlir::Region *getCombiner() {
      return getCombiners().empty() ? nullptr : &getCombiners().front();
    }
    /// Dimensions that number the places.
    unsigned getNumPlaceDims() {
      return ::llvm::cast<ShapedType>(getIndices().getType()).getRank() - 1;
    }
    /// True when threads can update elements of `type` atomically.
    static bool isAtomicType(Type type);
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasCanonicalizer = 1;
}

def MemSpace_ScanOp : MemSpace_RowOp<"scan"> {
  let summary = "combines each element with all that come before it in its row";
  let description = [{
    Scans each row along `dimension` of all `inputs` together into the `outputs`.
    An element here is the elements of all operands at one place. With the
    combiner written as `+`, element `i` of the result is `x[0] + ... + x[i]`, or
    `x[0] + ... + x[i-1]` if the scan is `exclusive`. `reverse` goes from the last
    element of a row to the first. `initial` is one value for each operand, which
    each row begins with, as if it stood before the first element. An exclusive
    scan needs it: it is the first element of the result.

    All operands have one shape; output `k` has the element type of input `k`. An
    input may be its output (the same value), and is then scanned in place;
    otherwise the two must not overlap, and the input is left as it is.

    The combiner has an argument for each operand's left element, then one for
    each operand's right element, and yields the elements of both together. Left
    is what the scan met first. **The combiner must be associative**: threads
    combine parts of a row before they know what comes before. It need not be
    commutative, since elements stay in their order. Additions of floating-point
    numbers are associative but for rounding, so that results may differ from
    those of a loop, and from chip to chip, but not from run to run.

    ```mlir
    %sums = memspace.scan dimension(0) exclusive ins(%x : tensor<64xf32>)
        initial(%zero : f32) outs(%y : tensor<64xf32>) {
    ^bb0(%left: f32, %right: f32):
      %sum = arith.addf %left, %right : f32
      memspace.yield %sum : f32
    } -> tensor<64xf32>
    ```

    A result that nobody uses is dropped with its operands, unless the combiner
    needs them for another result. On memrefs the op has no results.
  }];
  let arguments = (ins Variadic<AnyShaped>:$inputs, Variadic<AnyType>:$initial,
    Variadic<AnyShaped>:$outputs, I64Attr:$dimension, UnitAttr:$exclusive,
    UnitAttr:$reverse);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$combiner);
  let assemblyFormat = [{
    `dimension` `(` $dimension `)` (`exclusive` $exclusive^)?
    (`reverse` $reverse^)? `ins` `(` $inputs `:` type($inputs) `)`
    (`initial` `(` $initial^ `:` type($initial) `)`)?
    `outs` `(` $outputs `:` type($outputs) `)`
    attr-dict-with-keyword $combiner (`->` type($results)^)?
  }];
  let extraClassDeclaration = [{
    /// Whether what is in the outputs before counts.
    bool readsOutputs() { return false; }
    ShapedType getShapedType() {
      return ::llvm::cast<ShapedType>(getOutputs().front().getType());
    }
    /// Appends a copy of the combiner's ops: `left` and `right` combined.
    SmallVector<Value> combine(OpBuilder &builder, ValueRange left,
                               ValueRange right);
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasCanonicalizer = 1;
}

def MemSpace_YieldOp : MemSpace_Op<"yield", [Pure, ReturnLike, Terminator,
    ParentOneOf<["ScanOp", "ScatterOp", "SortOp", "SortIndicesOp", "TopKOp"]>]> {
  let summary = "the result of a comparator, or the results of a combiner";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "$values attr-dict `:` type($values)";
  let extraClassDeclaration = [{
    /// The one result of a comparator.
    Value getValue() { return getValues().front(); }
  }];
}

def MemSpace_EncodeOp : MemSpace_Op<"encode", [Pure,
    DeclareOpInterfaceMethods<DestinationStyleOpInterface>,
    AllTypesMatch<["dest", "result"]>]> {
  let summary = "the same tensor in another layout";
  let description = [{
    The result has the elements of `source`, where the encoding of its type says;
    without an encoding it is row-major. So it sets an encoding, unsets one, or
    goes from one to another:

    ```mlir
    %e = tensor.empty() : tensor<128x64xf16, #lhs>
    %t = memspace.encode ins(%a : tensor<128x64xf16>)
        outs(%e : tensor<128x64xf16, #lhs>)
    ```

    The elements of `dest` are not read. An encoding is an attribute with
    `LayoutEncodingAttrInterface`. Its layout is that on the target that the result
    lives on: `memspace.target` on the op, or what the IR around it names.
    `memspace-materialize-encodings` removes the op where no byte moves, and makes
    the layout change explicit elsewhere; it runs before anything is decided about
    memory. One-Shot Bufferize hands on the buffer of the source where the layouts
    are the same, and refuses the op elsewhere.

    The op has no tiles (`TilingInterface`): a part of a tensor is no part of its
    layout.
  }];
  let arguments = (ins AnyRankedTensor:$source, AnyRankedTensor:$dest);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    `ins` `(` $source `:` type($source) `)` `outs` `(` $dest `:` type($dest) `)`
    attr-dict
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

#endif // MEMSPACE_IR_MEMSPACEOPS_TD
