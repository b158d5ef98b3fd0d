//===- LieOps.td - ops whose bufferization models lie -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_TEST_LIEOPS_TD
#define MEMSPACE_TEST_LIEOPS_TD

include "MemSpace/Kernel/UniformityInterface.td"
include "MemSpace/Memory/MemoryInterfaces.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Lie_Dialect : Dialect {
  let name = "lie";
  let cppNamespace = "::mlir::memspace::lie";
  let summary = "Ops of a compiler that embeds MemSpace, some with wrong models.";
  let description = [{
    What an op of another dialect does, MemSpace knows from its
    `BufferizableOpInterface` only. The models of these ops tell the truth, but
    for what an op's attributes say:

    | attribute | the model denies |
    | --- | --- |
    | `hides_reads` | that these operands are read |
    | `hides_writes` | that these operands are written |
    | `hides_aliases` | that the result lives in the buffer of the init |
    | `hides_constness` | that the memory must not be written |

    On memrefs, where they have no results, the ops tell the truth, by
    `MemoryEffectsOpInterface`. `lie-to-loops` lowers them.
  }];
}

class Lie_Op<string mnemonic, list<Trait> traits = []>
    : Op<Lie_Dialect, mnemonic,
         !listconcat([DeclareOpInterfaceMethods<MemoryEffectsOpInterface>],
                     traits)> {
  let hasVerifier = 1;
}

class Lie_DestinationOp<string mnemonic>
    : Lie_Op<mnemonic, [DestinationStyleOpInterface]> {
  let results = (outs Optional<AnyRankedTensor>:$result);
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getInitMutable();
    }
  }];
}

def Lie_EwOp : Lie_DestinationOp<"ew"> {
  let summary = "combines the elements of two tensors, and of the init";
  let description = [{
    Element i of the result is made of element i of both inputs and, with
    `accumulates`, of the init.
  }];
  let arguments = (ins AnyShaped:$lhs, AnyShaped:$rhs, AnyShaped:$init,
                   UnitAttr:$accumulates,
                   OptionalAttr<DenseI64ArrayAttr>:$hides_reads,
                   OptionalAttr<DenseI64ArrayAttr>:$hides_writes,
                   UnitAttr:$hides_aliases);
  let assemblyFormat = [{
    `ins` `(` $lhs `,` $rhs `:` type($lhs) `,` type($rhs) `)`
    `outs` `(` $init `:` type($init) `)` attr-dict (`->` type($result)^)?
  }];
}

def Lie_ScatterOp : Lie_DestinationOp<"scatter"> {
  let summary = "writes values to places that other values tell";
  let description = [{
    Element `indices[i]`, modulo the extent of the init, becomes `values[i]`, one
    i after the other. The other elements stay.
  }];
  let arguments = (ins AnyShaped:$values, AnyShaped:$indices, AnyShaped:$init,
                   OptionalAttr<DenseI64ArrayAttr>:$hides_reads,
                   OptionalAttr<DenseI64ArrayAttr>:$hides_writes,
                   UnitAttr:$hides_aliases);
  let assemblyFormat = [{
    `ins` `(` $values `,` $indices `:` type($values) `,` type($indices) `)`
    `outs` `(` $init `:` type($init) `)` attr-dict (`->` type($result)^)?
  }];
}

def Lie_OpaqueOp : Lie_Op<"opaque"> {
  let summary = "combines two tensors into one without a destination";
  let description = [{
    Element i of the result is made of element i of the second input and of the
    element as far from the end of the first. The second input may be smaller:
    it is read modulo its extent. On memrefs the last operand is the result.
  }];
  let arguments = (ins AnyShaped:$lhs, AnyShaped:$rhs,
                   Optional<AnyMemRef>:$out,
                   OptionalAttr<DenseI64ArrayAttr>:$hides_reads);
  let results = (outs Optional<AnyRankedTensor>:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs (`into` $out^ `:` type($out))? attr-dict `:` type($lhs) `,`
    type($rhs) (`->` type($result)^)?
  }];
}

def Lie_UpdateOp : Lie_Op<"update"> {
  let summary = "combines two tensors in the memory of the first";
  let description = [{
    Element i of the result is made of element i of both operands. There is no
    destination by which one could know that the first one is overwritten.
  }];
  let arguments = (ins AnyShaped:$lhs, AnyShaped:$rhs,
                   OptionalAttr<DenseI64ArrayAttr>:$hides_reads,
                   OptionalAttr<DenseI64ArrayAttr>:$hides_writes,
                   UnitAttr:$hides_aliases);
  let results = (outs Optional<AnyRankedTensor>:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) (`->` type($result)^)?
  }];
}

def Lie_LoadBindingOp : Lie_Op<"load_binding"> {
  let summary = "the tensor in memory that the kernel was given";
  let description = [{
    As `bufferization.to_tensor restrict`: there is no tensor operand from which
    one could know that the result is not to be written.
  }];
  let arguments = (ins AnyMemRef:$binding, UnitAttr:$hides_constness);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $binding attr-dict `:` type($binding) `->` type($result)
  }];
}

def Lie_ClaimOp : Op<Lie_Dialect, "claim",
    [NoTerminator, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
     DeclareOpInterfaceMethods<MemSpace_UniformityOpInterface,
         ["getResultScope", "ignoresOperandScopes", "getControlValues"]>,
     DeclareOpInterfaceMethods<MemSpace_SynchronizationOpInterface,
         ["getBarrier", "startsAsyncCopy", "getGroupsLeftInFlight"]>,
     DeclareOpInterfaceMethods<MemSpace_ElementAccessOpInterface,
         ["getTouchedElements", "isAtomic", "touchesOperandsOnly"]>,
     DeclareOpInterfaceMethods<MemSpace_MemoryRootOpInterface>,
     DeclareOpInterfaceMethods<MemSpace_CollectiveOpInterface,
         ["getContributedInit"]>]> {
  let summary = "answers MemSpace's interfaces with a lie";
  let description = [{
    For tests of the conformance checks. Without a lie it knows nothing, which is
    always right. LieClaims.cpp says what each lie is; `effects` are those on all
    memrefs: "read", "write", both, or neither.
  }];
  let arguments = (ins Variadic<AnyType>:$values, StrAttr:$lie,
                   DefaultValuedStrAttr<StrAttr, "">:$effects);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region AnyRegion:$body);
}

#endif // MEMSPACE_TEST_LIEOPS_TD
