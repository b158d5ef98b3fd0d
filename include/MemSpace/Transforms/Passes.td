//===- Passes.td - the passes of MemSpace -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_TRANSFORMS_PASSES_TD
#define MEMSPACE_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

// A kernel is a FunctionOpInterface op with `gpu.known_block_size`. Every pass
// runs on any op and treats the kernels at or below it.

// Options of every pass that asks the target; see resolveTarget().
defvar targetOptions = [
  Option<"chip", "chip", "std::string", /*default=*/"\"\"",
         "Chip name (gfx942, sm_90, …); when empty, the target in the IR, "
         "else a generic GPU from the numbers">,
  Option<"workgroupLimit", "workgroup-limit", "int64_t", /*default=*/"0",
         "Workgroup bytes that a kernel may use; 0: the target's">,
  Option<"privateLimit", "private-limit", "int64_t", /*default=*/"0",
         "Private bytes that a thread may use; 0: the target's">,
  Option<"subgroupSize", "subgroup-size", "int64_t", /*default=*/"0",
         "Threads in a subgroup; 0: the target's">,
  Option<"memorySpaces", "memory-spaces", "std::string", /*default=*/"\"\"",
         "Attributes of the memory spaces, as "
         "'private=5 : i64,workgroup=3 : i64,global=1 : i64'; when empty, "
         "memspace.memory_spaces in the IR, else #gpu.address_space">
];

// Options of every pass that works on kernels; see forEachKernel().
defvar kernelOptions = targetOptions # [
  ListOption<"blockSize", "block-size", "int64_t",
             "Threads in a block, x,y,z, of kernels that do not say">,
  ListOption<"gridSize", "grid-size", "int64_t",
             "Blocks in the grid, x,y,z, of kernels that do not say">,
  Option<"quiet", "quiet", "bool", /*default=*/"false",
         "Say nothing where there is no kernel">
];

// Options of the passes that decide memory spaces; see MemorySpaceOptions.
defvar decisionOptions = kernelOptions # [
  Option<"replicationBytes", "replication-bytes", "int64_t",
         /*default=*/"4096",
         "Most bytes of a tensor that every thread computes for itself">,
  Option<"barrierWork", "barrier-work", "int64_t", /*default=*/"64",
         "Accesses to memory that cost as much as a barrier, where repeated "
         "work is weighed against distributed work">
];

def PruneKernelResultsPass
    : Pass<"memspace-prune-kernel-results", "::mlir::ModuleOp"> {
  let summary = "Remove outputs of kernels that nobody reads";
  let description = [{
    For modules with a host and kernels, on tensors or on memrefs; not part of the
    pipelines, before which it runs. Removes, through all `func.call`s and
    `gpu.launch_func`s,

    - results of functions that no call uses, with what computes them;
    - arguments by which a kernel only writes memory that nobody reads, with the
      writes, what computes them, and the allocations and deallocations of the host;
    - arguments that are not used (any more);
    - kernels without an effect, with their launches.

    A kernel that computes something only for a kernel that is pruned is pruned, too.
    Attributes of arguments, and those that name arguments by number
    (`memspace.grid_symbols`, `memspace.kernels`), follow.

    Only functions change of which the module has all calls: private `func.func`s, and
    kernels in a `gpu.module` that are launched. Kept is what is used through an op of
    unknown effects, what is passed as a view, what a function that calls itself does,
    and all of a function whose symbol another op refers to
    ([rules](../rules.md#outputs-that-nobody-reads)).
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect",
    "::mlir::tensor::TensorDialect"];
}

def MaterializeEncodingsPass : Pass<"memspace-materialize-encodings"> {
  let summary = "Give tensors the layouts that their encodings mean";
  let description = [{
    Resolves the encoding of each tensor that has `LayoutEncodingAttrInterface` for
    the target that the tensor lives on, and takes the encodings away
    (docs/encodings.md): a tensor whose layout is the row-major one loses its
    encoding, another one gets the shape of its memory.

    - A `memspace.encode` that keeps the layout is removed, also between different
      encodings. One that changes it becomes one `linalg.pack` or `linalg.unpack`,
      or a `linalg.generic`, with `memspace.copy` for the reason; those of one
      tensor to one layout become one.
    - Ops of linalg work on the tiles. Where they cannot, and for other ops in
      destination style, operands and results are row-major.
    - Arguments and results of functions get the layout that their own type says,
      whatever happens inside; calls follow.
    - On memory, `bufferization.to_tensor` and `materialize_in_destination` say what
      a memref holds: a memref of encoded tensors gets the shape of the layout where
      it is allocated and passed.
    - A kernel that is a function, or is launched by `gpu.launch_func`, and has
      become a copy of an argument because its encode is gone, disappears with its
      launch and its buffer where neither memory is written while the other is
      needed.

    A tensor lives on the target of what defines it: `memspace.target` on the op,
    on an op that shares its encoding, or on the argument or result of a function;
    else the option `chip`, else what the IR around it names. An encode stands
    between two targets. What a public function has is on the target that callers
    see: that of the argument or result, of the function or of what is around it.

    Refused: an encoding without a layout on its target, tensors that live on two
    targets, or of a public function on another one than callers see, other ops on encoded tensors, and dynamic extents that nobody knows
    once the tensor is padded.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::func::FuncDialect", "::mlir::gpu::GPUDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect",
    "::mlir::memspace::MemSpaceDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"];
  let options = targetOptions;
}

def RecordNoAliasPass : Pass<"memspace-record-noalias"> {
  let summary = "Record which arguments of a kernel `restrict` keeps apart";
  let description = [{
    `bufferization.to_tensor … restrict` promises that code on tensors reaches
    the memory by this tensor only, `materialize_in_destination … restrict` that
    no other such op reaches its destination. Both are gone after bufferization.
    A memref argument of which all uses are such ops gets `memspace.noalias`:
    what the kernel writes through one argument with it is not accessed through
    another one with it. The ops may use views of the argument; its extents may
    be asked for.

    `restrict` says nothing of plain loads, stores and calls. An argument with
    any other use, also of a view of it, is not recorded, nor one that a branch
    or a select puts in the place of another one; a remark of category `memspace`
    names the use. Runs before `memspace-normalize-kernels`.
    `memspace-mark-accesses` and `memspace-bare-pointers` use the attribute,
    `memspace-runner --alias` checks it.
  }];
  let options = kernelOptions;
}

def RecordAlignmentPass : Pass<"memspace-record-alignment"> {
  let summary = "Record what the caller promises of the addresses of arguments";
  let description = [{
    Every memref argument of a kernel gets `memspace.alignment`, unless it has
    that: the address of its first element is a multiple of so many bytes. The
    attribute may be written by hand, too; a wrong one is undefined behaviour.
    `memspace-distribute-to-threads` then lets threads of GPUs that need aligned
    addresses copy 16 bytes at once; `memspace-assume-alignment` tells LLVM.
  }];
  let options = kernelOptions # [
    Option<"alignment", "alignment", "int64_t", /*default=*/"16",
           "Bytes, a power of two, that divide the addresses">
  ];
}

def SplitKernelsPass : Pass<"memspace-split-kernels", "::mlir::ModuleOp"> {
  let summary = "Cut kernels in which workgroups read what others wrote";
  let description = [{
    Workgroups cannot wait for each other. A kernel of block foralls in which a
    workgroup accesses elements that another one accesses in an earlier forall, one of
    them to write, is cut between the two, with as few cuts as can be: `NAME_part0`,
    `NAME_part1`, and so on. `NAME` becomes a function of the host that launches one
    after the other. What a later part reads is where the kernel stores it, or in memory
    that the host allocates and frees.

    Places are compared as slices of whole tensors; what is reshaped on the way, or
    read at places that are not known, may be any element. Ops at grid scope go into
    the foralls first, as in `memspace-normalize-kernels`.

    Left alone, with a remark where a cut is needed (`memspace-infer-memory-spaces`
    refuses the kernel then): foralls in loops and branches, and with memrefs in them;
    memory that has something else in it when a later part would read it; results that
    are stored in another order than they are made, or updated after that; temporaries
    whose extents the host does not know; kernels in a `gpu.module`. Results that nobody
    reads are dropped first. A pipeline runs it with `workspaces=true`, before
    `memspace-add-workspaces`.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::memref::MemRefDialect", "::mlir::memspace::MemSpaceDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
  let options = kernelOptions;
}

def AddWorkspacesPass : Pass<"memspace-add-workspaces", "::mlir::ModuleOp"> {
  let summary = "Memory of the host for temporaries of all workgroups";
  let description = [{
    A `tensor.empty` at grid scope that block foralls fill, and that stays in the
    kernel, belongs to no workgroup: later passes refuse it. This pass gives the
    kernel, a `func.func`, a memref argument for each, behind the others, with its
    bytes as `memspace.workspace`. Who calls the kernel by `func.call` allocates it
    before and frees it behind the call; any other host has to provide it, for each
    launch its own. What is in it before the launch does not matter.

    Legal is what is legal for an output that is read again: each workgroup reads
    what it has written itself; `memspace-split-kernels` makes kernels of which that holds.
    Else `memspace-kernel-pipeline` refuses the kernel as before, and names both
    accesses. Changes the signature; a pipeline runs it with `workspaces=true`, first.
    Refused: temporaries without constant extents, and kernels that something else than a
    `func.call` names.
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::memspace::MemSpaceDialect"];
  let options = kernelOptions;
}

def DropUnusedResultsPass : Pass<"memspace-drop-unused-results"> {
  let summary = "Drop tensor results that reach no kernel output";
  let description = [{
    A result without a live use is removed where its op allows it; else its
    init, which the op needs as scratch, becomes a fresh `tensor.empty` when
    the op does not read it.
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

def VerifyDistributionPass : Pass<"memspace-verify-distribution"> {
  let summary = "Check who writes each element of a kernel on tensors, and what is copied";
  let description = [{
    For kernels on tensors, before `memspace-kernel-pipeline`; changes nothing. It
    says early, and by name, what is refused later or repaired in silence
    (docs/verification.md):

    - *Who writes.* Each element of memory that threads share is written by one
      iteration of a mapped `forall`. Refused: an insertion by which two iterations
      certainly write one element; a write to memory of the caller that several
      workgroups execute. The error names the tensor, who executes the op, the
      mapping that is missing, and a way out. What MemSpace distributes by itself is
      accepted.
    - *What is copied.* The steps up to the memory spaces run on a copy of the
      kernel. What they refuse is refused here. Each copy that One-Shot needs
      because an operand is out of place gives an error (`copies=warn`: a warning)
      with the tensor, its bytes, the op that would overwrite it, and the read, or
      the read-only memory, that forbids it: where a whole tensor is copied that
      threads share, or more than `copy-bytes` bytes. Copies that the kernel asks
      for (`linalg.copy`, an `alloc_tensor` with a copy) are no finding.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::gpu::GPUDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::memref::MemRefDialect", "::mlir::memspace::MemSpaceDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
  let options = !listconcat(decisionOptions, [
    Option<"copies", "copies", "std::string", /*default=*/"\"error\"",
           "What a copy that One-Shot needs is: 'error', 'warn' or 'allow'">,
    Option<"copyBytes", "copy-bytes", "int64_t", /*default=*/"4096",
           "Most bytes of a part of a tensor, or of a tensor of one thread, that "
           "are copied without a word">
  ]);
}

def NormalizeKernelsPass : Pass<"memspace-normalize-kernels"> {
  let summary = "Rewrite kernels so that One-Shot can bufferize them in place";
  let description = [{
    Decomposes ops that stand for several (`linalg.softmax`, `pack`, `unpack`,
    `winograd_*`, whatever has `AggregatedOpInterface`); sinks ops at grid scope into the block `forall`; eliminates empty tensors
    except for loop-carried accumulators; makes loop-carried swaps explicit
    (`memspace.exchange`); copies what a `forall` iteration reads of the slices
    of others; puts `tensor.pad`, `generate` and `from_elements` into
    destination style. Checks what a kernel must be and refuses the rest.

    With `prepare` it does before what `memspace-drop-unused-results` and
    `memspace-distribute-structured-ops` do, as `memspace-kernel-pipeline` has it:
    MLIR verifies the kernel once instead of three times.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::gpu::GPUDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::memref::MemRefDialect", "::mlir::memspace::MemSpaceDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
  let options = kernelOptions # [
    Option<"prepare", "prepare", "bool", /*default=*/"false",
           "First drop unused results, and distribute sorts, scans, gathers and "
           "scatters">
  ];
}

def SplitLargeSortsPass : Pass<"memspace-split-large-sorts"> {
  let summary = "Sort what does not fit in a workgroup's memory by two kernels";
  let description = [{
    A kernel that does nothing but a `memspace.sort` or `memspace.sort_indices` of
    arguments, whose rows need more memory than a workgroup has, becomes two, and a function of the host under
    its name that launches one after the other:

    1. `NAME_tiles`: each workgroup sorts a tile of a row into a workspace. A tile is
       the largest power of two of which half of the workgroup's memory has room for
       the elements, so that two workgroups run at a time, and, where there are rounds,
       which leaves work for 128 workgroups (but 2048 elements at least).
    2. `NAME_merge`: each thread takes an element of the workspace, counts by a binary
       search how many elements of another tile come before it, and stores it at its
       place among those of both. Launched again, with the logarithm of the elements of a
       tile, until there is one: from one workspace to another, and at last to the outputs.
       Of up to four tiles, and of indices where the comparator may be no order (it
       compares floats, say), each element is searched in all others at once. Equal
       elements keep the order of their tiles. Of indices, the workspaces have positions
       only, and elements are looked up in the arguments.

    The workspaces are allocated and freed by the host. A launch is a `func.call` of
    the kernel until `memspace-outline-kernels` makes a `gpu.launch_func` of it. A
    private kernel that is called only goes into its callers. Rows
    that fit are left alone. The comparator must be a strict weak order (of numbers
    with NaN it has to say where NaN is): by another one elements may have one place,
    and elements of the output may be anything.

    Another dialect's sort with `StructuredOpInterface` becomes a `memspace.sort` first.

    Refused: a kernel with something else in it than the sort.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::func::FuncDialect", "::mlir::gpu::GPUDialect",
    "::mlir::memref::MemRefDialect", "::mlir::memspace::MemSpaceDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
  let options = kernelOptions;
}

def SplitLargeScansPass : Pass<"memspace-split-large-scans"> {
  let summary = "Scan long rows by several workgroups, in three kernels";
  let description = [{
    A kernel that does nothing but a `memspace.scan` of arguments, with
    `elements-per-thread` elements or more for each thread of its workgroup, becomes
    three, and a function of the host under its name that launches one after the other:

    1. `NAME_totals`: the elements of each chunk are combined to a total, in a workspace.
    2. `NAME_offsets`: a workgroup for each row scans its totals, in place.
    3. `NAME_chunks`: each chunk is scanned from the total of all before it.

    A chunk is a workgroup's; or a thread's, where the elements of a row do not follow each
    other in memory or are few, an input is another result's output, or a result is unused.
    The workspaces are allocated and freed by the host. Each element is read twice and
    written once. The order in which elements are combined depends on the extents, the
    block size and the size of a subgroup only. A row that is an output,
    too, is scanned in place.

    Another dialect's scan with `StructuredOpInterface` becomes a `memspace.scan` first.

    Left alone: fewer elements, extents that are not static, rows that are so many and
    short that one thread has one. Refused: a kernel with something else in it than such a
    scan; an initial value that is neither a constant nor an argument; two results that go
    to one argument. With `quiet` these are left alone, too.
    A private kernel that is called only goes into its callers.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::func::FuncDialect", "::mlir::gpu::GPUDialect",
    "::mlir::memref::MemRefDialect", "::mlir::memspace::MemSpaceDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
  let options = kernelOptions # [
    Option<"elementsPerThread", "elements-per-thread", "int64_t", "64",
      "elements for each thread of a workgroup from which on several share a scan">];
}

def DistributeStructuredOpsPass : Pass<"memspace-distribute-structured-ops"> {
  let summary = "Let the threads of a workgroup or subgroup sort or scatter together";
  let description = [{
    A `memspace.sort` on tensors that a workgroup executes, or a subgroup, becomes a
    bitonic network: loops over its stages around a `forall` of the threads (lanes),
    each of which compares pairs of elements, of several rows at once. A row of `n`
    elements that is no power of two is put into a tile of the next one, whose last
    elements are compared with nothing. With a known subgroup size the stages inside
    of 2 · subgroup elements have loops of their own, which need no barrier of the
    workgroup. `stable` carries the index of each element along.
    `memspace.sort_indices` is the same network, of positions only. A workgroup merges
    instead, from one tile to another one, where the comparator is certainly an order
    (integers are compared), both tiles fit in workgroup memory, and a thread has less work
    than in the network: docs/rules.md, "Sorts", counts it. `memspace.topk`
    sorts blocks of `k` elements and keeps the better half of each two. Where the lanes
    of one subgroup share these (or a workgroup that is a part of one), and 16 registers
    of each are enough, the network is in registers: one `forall`, in which lanes exchange
    elements by `gpu.shuffle`.

    In a `memspace.scan` each thread combines a chunk of a row to a total, the totals of
    a subgroup are scanned together, and each thread scans its chunk from what is before
    it. Lanes pass totals to each other by `gpu.shuffle`, where subgroups are known and
    whole. Few elements, or one of as many rows as there are threads, are
    one thread's.

    Rows to sort beyond those that keep all threads busy are in a loop. A row whose length is
    not static has a tile for its constant upper bound.

    An op inside of a thread's or lane's iteration stays: its thread works alone
    (`memspace-linalg-to-loops`).

    A sort, top-k, scan or gather on memrefs that a workgroup or a subgroup executes
    becomes one on tensors first, if only such ops access its memory, each memref under
    one name, and what they read is not written otherwise. Else one thread executes it.
    In code that asks for thread ids ops on memrefs stay: each thread executes its own.

    A `memspace.scatter` that they share becomes a `forall` over the elements of the
    updates, each of which is scattered by its thread: atomically (`atomic`), unless
    `unique_indices` or a single place says that no two threads meet. Updates that are
    computed for it alone, element by element, are computed where they are scattered.

    A `memspace.gather` on tensors becomes a `linalg.generic`, wherever it is.
    `tensor.gather` and `tensor.scatter` become ours before.

    Another dialect's op with `StructuredOpInterface` becomes these ops first, also on
    memrefs and in a thread's iteration.

    Refused: lengths without a bound, a `k` that is not static, what a model of
    `StructuredOpInterface` refuses, a scatter for which there are no atomic updates, and
    ops that a warpgroup or the whole grid executes.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::gpu::GPUDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::memref::MemRefDialect", "::mlir::memspace::MemSpaceDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
  let options = kernelOptions;
}

def DistributeToThreadsPass : Pass<"memspace-distribute-to-threads"> {
  let summary = "Turn whole-tensor copies and shared uniform writes into foralls";
  let description = [{
    An access without a mapping of its own adopts the owner map of its buffer;
    else, when the buffer must be shared, it is tiled over the threads through
    `TilingInterface` (`linear_dim` mapping; one element an iteration, or
    neighbours of at most 16 bytes), or guarded to one thread. Stores, atomics and calls on memrefs that a whole
    workgroup or subgroup would execute are guarded, too. Makes `tensor.empty`s
    explicit `bufferization.alloc_tensor`s.

    Refused: such work at warpgroup scope; a guarded op whose result is used.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::memspace::MemSpaceDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
  let options = decisionOptions;
}

def InferMemorySpacesPass : Pass<"memspace-infer-memory-spaces"> {
  let summary = "Resolve conflicts and give every allocation a memory space";
  let description = [{
    Runs One-Shot's analysis, makes every allocation an explicit
    `bufferization.alloc_tensor`, gives the branches of `scf.if` and
    `arith.select` buffers of one kind, distributes the copies, decides the
    memory space of each allocation and records it with its reason (docs/rules.md;
    also as a remark of category `memspace`). A memory space in the input is kept
    when it is the decided one or wider.

    Refused: an allocation without a legal space, a memory space that
    contradicts, a read of what another workgroup may write in an earlier block
    `forall`.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::gpu::GPUDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::memspace::MemSpaceDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"];
  let options = decisionOptions;
}

def BufferizePass : Pass<"memspace-bufferize"> {
  let summary = "Bufferize with the MemSpace allocation hook";
  let description = [{
    One-Shot Bufferize without a second analysis. Private tensors become static
    `memref.alloca`s in the entry block, workgroup tensors static
    `memref.alloc`s; a tensor without a memory space is refused. Afterwards
    `memspace.exchange` ops become permuted loop yields, copies of a buffer to
    itself go, and what is left is canonicalized, but for `forall`s
    (`clean-up=false`: it is not; the kernel is as right).
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::gpu::GPUDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
  let options = !listconcat(kernelOptions, [
    Option<"cleanUp", "clean-up", "bool", /*default=*/"true",
           "Canonicalize the bufferized kernel">]);
}

def FinishBufferizationPass : Pass<"memspace-finish-bufferization"> {
  let summary = "Do what One-Shot Bufferize leaves to be done";
  let description = [{
    For kernels that another compiler has bufferized, with the hook of
    AllocationHook.h or otherwise; `memspace-bufferize` has done it. `memspace.exchange`
    ops become permuted loop yields, copies of a buffer to itself go, and a
    structured op that writes shared memory outside of thread `forall`s is
    executed by one thread.

    Refused: an exchange that is not at the end of a loop body; a write that
    every workgroup would repeat.
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::scf::SCFDialect"];
  let options = kernelOptions;
}

def MapToThreadsPass : Pass<"memspace-map-to-threads"> {
  let summary = "Replace mapped foralls by thread ids, guards and strided loops";
  let description = [{
    Takes foralls on memrefs with block, warpgroup, warp, thread and lane
    mappings; lower bounds and steps are allowed. Dimension d of N iterations on
    ids 0 to n - 1:

    | | code |
    | --- | --- |
    | N = n | the body |
    | N < n, also when only a bound of N is known | `scf.if id < N` |
    | N > n or no bound | `scf.for w = 0 to ceildiv(N, n)` with i = w · n + id, and a guard i < N unless n divides N |
    | no mapping | `scf.if id < 1` |

    The loops have the same trip count in every thread and carry
    `memspace.forall_loop`; all guards of one forall are one `scf.if` on their
    conjunction inside the loops. `linear_dim` mappings count all threads as
    x + X · (y + Y · z), dimension 0 fastest; warps and warpgroups are that id
    divided by their threads (or the x id alone, where X is a multiple of them);
    lanes are the remainder. Inside a warpgroup-mapped forall ids are relative
    to it. Code outside of foralls is executed by every thread.

    A kernel that does not say its grid gets the one that its block foralls need,
    the largest of them: `gpu.known_grid_size` where their trip counts are static,
    else `memspace.grid_size` with `memspace.grid_symbols`, an expression of the
    kernel's arguments for whoever launches it (workgroups beyond it are idle).
    Neither is there where an extent is computed from more than arguments by sums,
    products and divisions by constants, or the kernel asks for block ids by itself: then the
    launch has to have at least as many workgroups as iterations. Over a smaller
    grid that is given the iterations wrap.

    The memory accesses of a `forall` to buffers that it writes and that live
    longer carry `memspace.disjoint` (`memspace.subgroup_disjoint`,
    `memspace.warpgroup_disjoint`, `memspace.workgroup_disjoint`): its iterations
    touch disjoint elements. A block-mapped `forall` in a loop promises nothing.
    Accesses that cannot be traced to their memory carry none.

    Refused: tensor results, a missing or mixed mapping, a nest that does not go
    inward (a lane forall outside of a warp forall in a workgroup of several
    subgroups, a thread forall inside one),
    lanes in a workgroup that is no whole number of subgroups.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
  let options = kernelOptions # [
    Option<"shrinkPrivate", "shrink-private", "bool", /*default=*/"false",
           "Then do what memspace-shrink-private does">
  ];
}

def ReduceInSubgroupsPass : Pass<"memspace-reduce-in-subgroups"> {
  let summary = "Let the lanes of a subgroup share a uniform reduction";
  let description = [{
    A reduction of at least 32 elements to one number in private memory, which
    uniform code executes, reads every element in every thread. Each lane reduces
    its part instead, and `gpu.subgroup_reduce` gives all of them the result. No
    barrier is needed, so that the pass may run after they are placed.

    Sums and products of floats keep their order, unless they have the fast-math flag
    `reassoc` or the option says that it does not matter. Left alone: kernels without
    a chip, with incomplete subgroups, and with conditions or indices out of private
    memory.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect"];
  let options = kernelOptions # [
    Option<"reassociate", "reassociate", "bool", /*default=*/"false",
           "Sums and products of floats may be computed in any order">
  ];
}

def ShrinkPrivatePass : Pass<"memspace-shrink-private"> {
  let summary = "Shrink private buffers to the slice that their thread touches";
  let description = [{
    Each dimension of a static private `memref.alloca` is cut to the indices
    that its loads, stores and subviews are proved to touch, counted from a base
    that is an affine function of thread ids, block ids and other values that
    one thread computes once. Where indices go in waves (w · pitch + rest, from
    foralls with more iterations than threads) one slice for each wave is kept,
    packed. The types of views follow. A buffer that is used as a whole (except
    by a uniform fill), whose view is passed on by a branch or a call, or whose
    indices have no bound, is left as it is. Unused private buffers are erased,
    and loops that carry one round unchanged use it directly.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
  let options = kernelOptions;
}

def PadBankConflictsPass : Pass<"memspace-pad-bank-conflicts"> {
  let summary = "Pad the rows of workgroup buffers against bank conflicts";
  let description = [{
    Gives static `memref.alloc`s in workgroup memory, of rank 2 and more, a
    strided layout whose innermost rows end in bytes that nobody uses
    (`memspace.padding`), where that costs fewer cycles: 32x32xf32, read by
    columns, becomes `strided<[33, 1]>`. The types of views follow; indices stay
    as they are. Buffers that loops, branches or selects may put in each other's
    place are padded together. Works on SPMD memref code, before
    `memspace-pack-workgroup-memory`.

    The addresses of all threads are evaluated (`BankConflicts`). An access costs
    the cycles that the banks of the target take for all subgroups, times the
    trip counts of the loops around it (of a structured op, times its
    iterations); a trip count that is not static counts as 8. Accesses at unknown
    addresses decide nothing. The smallest padding of the fewest cycles is taken
    that keeps the alignment of vector accesses and is at most half a row.

    The kernel never grows over a limit: padded buffers are packed by the same
    `WorkgroupPacking` as later. Buffers that save most cycles come first; each is
    padded only if the packed bytes stay within the target's static limit (within
    its opt-in limit if the kernel exceeds the static one anyway), and as many
    workgroups fit in a compute unit as before. Otherwise a smaller padding that
    saves less is tried, or the buffer is left as it is.

    A remark of category `memspace` tells the bytes and the worst conflict before
    and after, or why a buffer that has conflicts is not padded. That is also so
    when a use cannot take rows with a gap: a `collapse_shape` of rows, a call, a
    slice that control flow passes on, an op that is not known.

    Refused: no target; what `memspace-pack-workgroup-memory` refuses.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
  let options = !listconcat(kernelOptions, [
    Option<"allowOccupancyLoss", "allow-occupancy-loss", "bool",
           /*default=*/"false",
           "Pad also where fewer workgroups then fit in a compute unit">
  ]);
}

def PackWorkgroupMemoryPass : Pass<"memspace-pack-workgroup-memory"> {
  let summary = "Put the workgroup buffers of a kernel into one arena";
  let description = [{
    One `memref.alloc` of bytes in workgroup memory at the kernel's entry (of a
    `gpu.func` a workgroup attribution) and, where each buffer was, a
    `memref.view` at an aligned constant offset. Buffers are allocations
    (`memref.alloc`, `memref.alloca`), workgroup attributions and uninitialized
    `memref.global`s in workgroup memory, of MemSpace or of another compiler.

    Buffers that are not live at once may share bytes. A buffer that takes the
    place of another one may need a barrier between the two, so `objective` says
    what matters more; a remark of category `memspace` tells what was chosen:

    - `balanced`: the kernel fits the target, and as many workgroups fit on a
      compute unit as with the fewest bytes; then the fewest executed barriers,
      then the fewest bytes. Bytes that cost a barrier are saved only where a
      limit or an occupancy step needs them. Without a target it is `bytes`.
    - `bytes`: the fewest bytes.
    - `barriers`: the fewest executed barriers, then the fewest bytes, whatever
      the limits are.

    Run `memspace-insert-barriers` afterwards. Stores that nobody reads are
    erased. Calls of functions with workgroup buffers of their own are inlined.

    Allocations that a loop passes on to its next iteration have one place where
    each is dead when the next is first written.

    Refused: a size that is not static, a buffer of one iteration that is needed
    while that of another is in use, an initial value, recursion.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect"];
  let options = !listconcat(kernelOptions, [
    Option<"objective", "objective", "std::string",
           /*default=*/"\"balanced\"", "'balanced', 'bytes' or 'barriers'">,
    Option<"reuse", "reuse", "bool", /*default=*/"true",
           "Let buffers that are not live at once share bytes">
  ]);
}

def InsertBarriersPass : Pass<"memspace-insert-barriers"> {
  let summary = "Insert the barriers that make a kernel race-free";
  let description = [{
    Works on SPMD memref code, structured or between blocks. Each access is
    traced to its allocations; what cannot be traced may be anything. The
    barriers are those with the fewest executions that cut every hazard path
    (`BarrierPlacement`), each as late as possible. A barrier stands only where
    control is uniform in the workgroup and records a hazard that it alone cuts,
    also as a remark of category `memspace`. Where only the threads of one
    subgroup meet it is `memspace.subgroup_barrier`. Barriers in the input are
    kept, and count. An `scf.if` that not all threads enter is split around a
    barrier that is needed inside. Calls of functions that have workgroup memory,
    or are given some, are inlined.

    With `iteration-guards` a barrier in an `scf.for` may be skipped in its first
    or last iteration, or in all others, by an `scf.if` that compares the
    induction variable, where fewer barriers are executed so: for example the one
    before a tile is filled again, in the first iteration.

    Refused: a barrier in the input that only some threads reach; a hazard inside
    another region that not all threads enter, where no barrier can stand; one op
    by which two threads, or workgroups, certainly race; an access to a copy that
    may still be in flight; ops with regions of which nothing is known.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
    "::mlir::func::FuncDialect",
    "::mlir::gpu::GPUDialect",
    "::mlir::memref::MemRefDialect",
    "::mlir::memspace::MemSpaceDialect",
    "::mlir::scf::SCFDialect"];
  let options = kernelOptions # [
    Option<"iterationGuards", "iteration-guards", "bool", /*default=*/"false",
           "Barriers may be skipped in the first or last iteration of a loop">,
    Option<"pack", "pack", "std::string", /*default=*/"\"\"",
           "First do what memspace-pack-workgroup-memory does, with this "
           "objective">
  ];
}

def EliminateBarriersPass : Pass<"memspace-eliminate-barriers"> {
  let summary = "Erase the barriers of a kernel that nothing needs";
  let description = [{
    Works on SPMD memref code with barriers of any origin. Of its barriers those
    stay that together cut every hazard path which all of them cut, with the
    fewest executions; none is moved. A hazard that the kernel leaves uncut stays
    uncut (`memspace-verify-barriers` reports it). What stays records the hazard
    that it cuts; a remark of category `memspace` says of each erased barrier why
    it was redundant. Where a copy may be in flight when its memory is accessed,
    on some path, all barriers stay.

    A barrier marked `memspace.keep` is never erased, nor is one that orders no
    memory (`rocdl.s.barrier`) or a part of the threads: they may be there for a
    schedule.

    Refused: a barrier that only some threads reach.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect",
    "::mlir::gpu::GPUDialect",
    "::mlir::memref::MemRefDialect",
    "::mlir::memspace::MemSpaceDialect"];
  let options = kernelOptions;
}

def VerifyBarriersPass : Pass<"memspace-verify-barriers"> {
  let summary = "Prove that a kernel with barriers has no race, or show the races";
  let description = [{
    Judges the barriers of SPMD memref code, whoever placed them, in structured
    control flow and between blocks: follows each access along all paths until a
    barrier orders it, and asks of each access on the way whether different
    threads may meet there. Shares nothing with placement but that question.
    Changes nothing.

    It relies on what a `forall` promises (`memspace.disjoint`), on arguments that
    do not overlap, and on indices that are in bounds. A kernel that neither
    states its grid nor asks for a block id is judged as one workgroup.

    Refused, each with an error at the op, notes at the other access and a way
    out: two accesses that no barrier orders on some path; threads that meet by
    one execution of one op, or in a region that not all enter; a copy that is
    touched before its wait; accesses of different workgroups that meet; a
    barrier or an exchange between lanes that only some threads reach; an op with
    regions of which nothing is known. After ten races only their number is given.

    What is certain is an error: two threads whose ids and iterations alone decide
    that both accesses are executed, at one byte, with nothing between them that
    orders them. What cannot be excluded is called possible; it is an error, too,
    unless `may-hazards=warn` makes it a warning. So is a kernel of which more than
    `work-limit` steps would have to be taken: it is not verified. A step is one op
    on one path of one access, or two accesses that are compared; an affine question
    counts as a thousand.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect",
    "::mlir::gpu::GPUDialect",
    "::mlir::memref::MemRefDialect",
    "::mlir::memspace::MemSpaceDialect"];
  let options = !listconcat(kernelOptions, [
    Option<"mayHazards", "may-hazards", "std::string",
           /*default=*/"\"error\"",
           "What a hazard is that cannot be excluded: 'error' or 'warn'">,
    Option<"workLimit", "work-limit", "int64_t", /*default=*/"0",
           "Steps after which a kernel counts as not verified; 0: no limit">,
    Option<"allowEqualStores", "allow-equal-stores", "bool", /*default=*/"false",
           "Threads may write one value to one place by one op, where that is "
           "proved">,
    Option<"askEachPair", "ask-each-pair", "bool", /*default=*/"false",
           "Ask of each two accesses by themselves, not once of all that differ "
           "by constants alike; slow, to check the library. Run -cse before: that "
           "two ops compute one value is not known then">
  ]);
}

def LinalgToLoopsPass : Pass<"memspace-linalg-to-loops"> {
  let summary = "Lower linalg ops and sorts on memrefs to loops, with promises";
  let description = [{
    As upstream's `convert-linalg-to-loops`, but the loops and accesses carry what
    a `forall` promised of the op (`memspace.disjoint`), without which
    `memspace-verify-barriers` could not prove that an op whose offsets are data
    has no conflict with itself.

    Where the results of a reduction are a small tile in private memory, the reduction
    is the outer loop, and parts of such a tile have loops of a constant number of
    iterations with a guard: backends keep the tile in registers then.

    A `memspace.sort` becomes a stable insertion sort of each row, by one thread, and a
    `memspace.scan` a loop that carries what it has combined. Another dialect's op with
    `StructuredOpInterface` becomes these first.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::memref::MemRefDialect", "::mlir::memspace::MemSpaceDialect",
    "::mlir::scf::SCFDialect"];
}

def CheckBudgetPass : Pass<"memspace-check-budget"> {
  let summary = "Check workgroup and private bytes against the target";
  let description = [{
    Writes `memspace.workgroup_bytes`, `memspace.sum_bytes`,
    `memspace.peak_live_bytes` and `memspace.private_bytes` on the kernel; an
    error when it does not fit, with the buffers live at the peak, those that no
    layout holds together, and the best ways out, each with its figure. Of a
    kernel that is not packed yet the figures are those that packing will give
    it.

    Refused: a size that is not static, dynamic shared memory without
    `memspace.dynamic_workgroup_bytes`, what cannot be packed, and a call of a
    function that has workgroup memory of its own.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
    "::mlir::func::FuncDialect",
    "::mlir::gpu::GPUDialect",
    "::mlir::memref::MemRefDialect",
    "::mlir::memspace::MemSpaceDialect"];
  let options = kernelOptions;
}

def FormKernelsPass : Pass<"memspace-form-kernels", "::mlir::ModuleOp"> {
  let summary = "Cut functions of whole tensors into kernels and their host";
  let description = [{
    Takes each function without `gpu.known_block_size` that has ops on tensors:
    tensors that come in or go out become memrefs (results behind the arguments),
    what is computed for each element only is fused, and an output that is
    stored in parts or in another shape is written in place. An op becomes a
    kernel with the producers that workgroups can compute for their own part of
    it, without doing a reduction twice. If there are several kernels, the
    function becomes the host, which allocates what is between them and calls
    them in order; `memspace-outline-kernels` makes launches of the calls. The
    kernels are not tiled yet: memspace-fit-to-budget does that. A sort whose rows
    do not fit in the memory of a workgroup, and a scan of few long rows that is all
    that its kernel does, have their threads already, and are left to
    memspace-split-large-sorts and memspace-split-large-scans. A scatter of more than
    16,384 elements that can be updated atomically, at more places than there are
    elements at each, is tiled, where it is all that its kernel does: workgroups have
    parts of the places, 16 elements for each thread. So it is for an unknown number of
    places of at most 16 elements.

    A loop or a branch (`scf.for`, `scf.if`) that has more to do than one workgroup
    should (a tensor of more than 8192 elements, more memory than half of a
    workgroup's, or an op of more than 2^18 iterations) stays with the host, whose
    parts before, in and behind it become functions that are cut for themselves. What
    a loop carries has two memories, or one if an iteration only inserts a part. A
    warning says why where the host cannot execute it: what its bounds, conditions and
    carried scalars depend on, and the extents of what goes from one part to another,
    must be known without a kernel.

    A function on memrefs is taken if it has linalg ops, or ops of this dialect, on
    whole memrefs, or nothing but copies, and no loop or branch around them; where
    there is one, a warning at the op says so.

    Refused: several blocks, what is neither an op on tensors nor pure, tensors
    without a rank, an argument that is read after a kernel overwrote it, and
    extents that the host cannot compute of memory between two kernels.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::func::FuncDialect",
    "::mlir::gpu::GPUDialect",
    "::mlir::linalg::LinalgDialect",
    "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect",
    "::mlir::memspace::MemSpaceDialect"];
  let options = targetOptions;
}

def FitToBudgetPass : Pass<"memspace-fit-to-budget", "::mlir::ModuleOp"> {
  let summary = "Tile untiled kernels by the best configuration that fits";
  let description = [{
    Takes each function without `gpu.known_block_size` that has ops on whole
    tensors to tile (`TilingInterface`) and memrefs as arguments, tries the
    configurations that are worth trying (tiles of workgroups and threads, parts
    of reductions, staged operands, threads) on clones, sends each through the
    kernel pipeline, and tiles the function by the cheapest that fits the target.
    What comes out is the input of `memspace-kernel-pipeline`. docs/budget.md
    says what a configuration costs.

    With `configuration`, that one is applied to all these functions where it
    fits; where it does not, a warning says why, and the best is taken. With `record`, what the file says of a kernel and chip is applied;
    the file is written anew, with all that was tried.

    Refused: a function of several blocks, ops that cannot be tiled, a function
    of which no configuration fits (the notes have the reasons), and a record
    that cannot be read or written.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::func::FuncDialect",
    "::mlir::gpu::GPUDialect",
    "::mlir::linalg::LinalgDialect",
    "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect",
    "::mlir::memspace::MemSpaceDialect"];
  let options = !listconcat(targetOptions, [
    Option<"objective", "objective", "std::string", /*default=*/"\"balanced\"",
           "What the best has: 'balanced', 'reuse', 'occupancy' or 'bytes'">,
    Option<"kernelOptions", "kernel-options", "std::string", /*default=*/"\"\"",
           "Options of memspace-kernel-pipeline that candidates are finished "
           "with, as 'reassociate=true padding=true'; a target that is given "
           "here is the pass's">,
    Option<"configuration", "configuration", "std::string", /*default=*/"\"\"",
           "The configuration to apply, as 'threads=256 block=64x64 "
           "thread=4x4 subgroup=16x32 reduction=32 promote stages=2'">,
    Option<"record", "record", "std::string", /*default=*/"\"\"",
           "JSON file of chosen configurations, read if it exists, and written">
  ]);
}

def ReportBudgetPass : Pass<"memspace-report-budget"> {
  let summary = "Print what each kernel asks of the target, and what would help";
  let description = [{
    Prints a report for each kernel to the standard output: the bytes and the
    limits, workgroups per compute unit and what bounds them, every buffer with
    its live ranges, a memory map, and ways to need less, each computed by
    packing the changed kernel. `format=json` prints one JSON array for all
    kernels. Changes nothing and refuses what memspace-check-budget refuses,
    except that a kernel need not fit. docs/budget.md reads a report.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
    "::mlir::func::FuncDialect",
    "::mlir::gpu::GPUDialect",
    "::mlir::memref::MemRefDialect",
    "::mlir::memspace::MemSpaceDialect"];
  let options = !listconcat(kernelOptions, [
    Option<"format", "format", "std::string", /*default=*/"\"text\"",
           "'text' or 'json'">
  ]);
}

def OutlineKernelsPass : Pass<"memspace-outline-kernels"> {
  let summary = "Outline func.func kernels into a gpu.module";
  let description = [{
    The arena becomes an aligned workgroup attribution; above NVIDIA's static
    limit dynamic shared memory with `memspace.dynamic_workgroup_bytes` on the
    kernel. Constant globals are cloned into the `gpu.module`, the target is
    attached. A `func.call` of a kernel by a function of the host becomes a
    `gpu.launch_func` with the grid and block that the kernel knows.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::ROCDL::ROCDLDialect"];
  let options = targetOptions;
}

def MarkAccessesPass : Pass<"memspace-mark-accesses"> {
  let summary = "Note in the location of an access which memory it is in";
  let description = [{
    Works on kernels before memrefs are lowered to LLVM. Accesses that are traced
    to views of an arena at constant offsets get a location with metadata: the
    buffers that they are in and those that share no byte with them. So do
    accesses that are traced to arguments with `memspace.noalias`: the arguments
    that they are in, the others, and whether the kernel leaves unchanged what is
    read there. Nothing else of a memref op reaches the LLVM dialect. For
    `memspace-add-alias-scopes`.
  }];
  let options = [Option<"noAlias", "noalias", "bool", /*default=*/"true",
                        "Believe 'memspace.noalias'">];
}

def AssumeAlignmentPass : Pass<"memspace-assume-alignment"> {
  let summary = "Tell LLVM how memref arguments of kernels are aligned";
  let description = [{
    An argument with `memspace.alignment` is used through
    `memref.assume_alignment`.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def BarePointersPass : Pass<"memspace-bare-pointers"> {
  let summary = "Prepare kernels whose memref arguments become bare pointers";
  let description = [{
    For upstream's conversions with `use-bare-ptr-memref-call-conv`: a memref
    argument is one parameter, the address of its first element, instead of a
    descriptor of 3 + 2 · rank. Arguments get `llvm.readonly` where the kernel
    writes nothing through them, and `llvm.noalias` where they have
    `memspace.noalias` and the kernel accesses no global memory without it (or
    both are only read). Upstream refuses `llvm.noalias` on descriptors.

    Refused: extents, strides or offsets that are not static, also of functions
    that kernels call.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
  let options = [Option<"noAlias", "noalias", "bool", /*default=*/"true",
                        "Believe 'memspace.noalias'">];
}

def AddAliasScopesPass : Pass<"memspace-add-alias-scopes"> {
  let summary = "Give accesses to buffers and arguments LLVM's alias scopes";
  let description = [{
    Turns what `memspace-mark-accesses` has noted into `alias_scopes` and
    `noalias_scopes` on loads and stores, so that LLVM keeps a value over a store
    to another buffer or through another argument. Buffers that share bytes get
    no such promise. Loads of what the kernel does not change become `invariant`:
    LLVM keeps them over barriers, too. (`memref.distinct_objects` would be wrong: it says that two
    views of one arena are separate objects.) Runs after the conversion to LLVM.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def ExternalDynamicMemoryPass : Pass<"memspace-external-dynamic-memory"> {
  let summary = "Declare dynamic workgroup memory as memory of unknown size";
  let description = [{
    Upstream's `convert-gpu-to-nvvm` makes of `gpu.dynamic_shared_memory` an
    internal variable of no bytes. LLVM may then take every access to it for
    undefined, and was seen to delete them. An external variable is what CUDA's
    `extern __shared__` becomes, and what PTX wants. Runs after that conversion.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def LowerSubgroupBarriersPass : Pass<"memspace-lower-subgroup-barriers"> {
  let summary = "Lower memspace.subgroup_barrier for the target in the IR";
  let description = [{
    `nvvm.bar.warp.sync` of all lanes on NVIDIA. On AMD, where the lanes of a
    wave run together, two fences of wavefront scope around a wave barrier keep
    the compiler from moving accesses over it.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
    "::mlir::NVVM::NVVMDialect"];
}

def LowerSubgroupReductionsPass : Pass<"memspace-lower-subgroup-reductions"> {
  let summary = "Lower gpu.subgroup_reduce to shuffles for the target in the IR";
  let description = [{
    By upstream's patterns, with the target's subgroup size. Refused: types of more
    than 32 bits.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect", "::mlir::vector::VectorDialect"];
}

def CheckBackendPass : Pass<"memspace-check-backend"> {
  let summary = "Refuse what the backend of a gpu.module's target does not take";
  let description = [{
    LLVM's backends end the process where they get what is for another GPU. This
    says it at the op instead: ops, intrinsics and kernel attributes of the other
    vendor, intrinsics that do not exist, calling conventions and syncscopes that
    the backend does not have. With `backend`, a `gpu.module` with a target of
    another one is refused as well, and so are ops of kernels that upstream's
    conversions leave behind: arithmetic on floats of less than 16 bits (but
    f4E2M1FN and f8E8M0FNU), structured ops without loops. The pipelines to
    assembly run it first of all, and before and after the conversion to the LLVM
    dialect.
  }];
  let options = [Option<"backend", "backend", "std::string",
      /*default=*/"\"\"",
      "Backend that all gpu.modules must be for, 'rocdl' or 'nvvm'; when empty, "
      "each is for that of its target">,
    Option<"backendChip", "backend-chip", "std::string", /*default=*/"\"\"",
      "Chip that must be of the backend's vendor">];
}

def WriteAssemblyPass : Pass<"memspace-write-assembly"> {
  let summary = "Write the assembly text of gpu.binary ops into files";
  let description = [{
    `NAME.s` (AMDGPU) or `NAME.ptx` (NVPTX) for each `gpu.binary @NAME`; with
    several objects in one, `NAME.0.s` and so on. The IR stays as it is.
  }];
  let options = [Option<"directory", "directory", "std::string",
                        /*default=*/"\".\"", "Where the files go">];
}

def LowerVectorsPass : Pass<"memspace-lower-vectors"> {
  let summary = "Lower vector ops to those that the conversions to LLVM take";
  let description = [{
    `vector.contract`, `multi_reduction`, `scan`, `mask`, `transpose` and the
    like become one-dimensional vector ops; transfers become loads and stores,
    masked where they may leave the memref. By upstream's patterns, unrolled, so
    that no vector goes through memory.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::ub::UBDialect",
    "::mlir::vector::VectorDialect"];
}

def UnrollPrivatePass : Pass<"memspace-unroll-private"> {
  let summary = "Unroll loops that count through an array of a thread";
  let description = [{
    LLVM keeps a private array in registers only where its indices are constants.
    Where unrolling makes all indices of a `memref.alloca` constant, the loops that
    count through it are unrolled, as long as they do not become larger than
    `max-ops`; loops inside first. A loop around such loops, as that over the products of a
    contraction, is unrolled four times where it reads what follows each other in workgroup
    memory: LLVM joins these loads. Runs on loops and scalar accesses. For NVIDIA's
    GPUs: LLVM's backend for AMD does so by itself.
  }];
  let options = [
    Option<"maxOps", "max-ops", "int64_t", /*default=*/"4096",
           "Most ops of an unrolled loop">
  ];
}

def AllowContractionPass : Pass<"memspace-allow-contraction"> {
  let summary = "Let the backend make one instruction of products and sums";
  let description = [{
    Sets the fast-math flag `contract` on `arith.mulf`, `addf` and `subf`: a fused
    multiply-add is rounded once, not twice, so that results may differ in the last
    bit. A pipeline to assembly runs it with `contract=true`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def ExpandMathPass : Pass<"memspace-expand-math"> {
  let summary = "Expand math ops that would become calls of a device library";
  let description = [{
    Functions of f16 and bf16 are computed in f32, functions of f32 by
    upstream's polynomial approximations and expansions, `floor`, `sqrt` and the
    like by LLVM's intrinsics. Without it the
    assembly refers to libdevice or ocml, which only vendors' tools can link,
    and a call makes the stack dynamic on AMD. Functions of f64 have no
    approximation and stay. `gpu.grid_dim` on AMD, another call, becomes a load
    from the arguments of the launch.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
    "::mlir::vector::VectorDialect"];
}

#endif // MEMSPACE_TRANSFORMS_PASSES_TD
