//===- ExtOps.td - another dialect's sorts, by other conventions -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_TEST_EXTOPS_TD
#define MEMSPACE_TEST_EXTOPS_TD

include "MemSpace/IR/StructuredOpInterface.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Ext_Dialect : Dialect {
  let name = "ext";
  let cppNamespace = "::mlir::memspace::ext";
  let summary = "Sorts and their like of a compiler that embeds MemSpace.";
  let description = [{
    Their operands are not those of MemSpace's ops. What they are in these says
    `StructuredOpInterface`, in external models (ExtModels.cpp): no pass of
    MemSpace knows the dialect, and the ops have no bufferization.
  }];
}

class Ext_Op<string mnemonic, list<Trait> traits = []>
    : Op<Ext_Dialect, mnemonic, traits>;

/// On tensors, with a result for each init, or on memrefs.
class Ext_DestinationOp<string mnemonic>
    : Ext_Op<mnemonic, [DestinationStyleOpInterface, SingleBlock,
                        DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
}

def Ext_SortOp : Ext_DestinationOp<"sort"> {
  let summary = "sorts its operands in place";
  let description = [{
    The region has two arguments for each operand, the left and the right
    element, and yields whether the left one comes first. Of equal ones the order
    is any.
  }];
  let arguments = (ins Variadic<AnyShaped>:$outs, I64Attr:$dimension);
  let assemblyFormat = [{
    `dimension` `(` $dimension `)` `outs` `(` $outs `:` type($outs) `)`
    attr-dict-with-keyword $body (`->` type($results)^)?
  }];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getOutsMutable();
    }
  }];
}

def Ext_TopKOp : Ext_DestinationOp<"topk"> {
  let summary = "the first elements of each row, and their labels";
  let description = [{
    The region compares two elements. Of equal ones the first one in the row
    comes first. There are always two results. The second one has the labels of
    the first one's elements: their positions in the row, if no `labels` are
    given.
  }];
  let arguments = (ins AnyShaped:$input, Optional<AnyShaped>:$labels,
                   AnyShaped:$values, AnyShaped:$indices, I64Attr:$dimension);
  let assemblyFormat = [{
    `dimension` `(` $dimension `)` `ins` `(` $input `:` type($input) `)`
    (`labels` `(` $labels^ `:` type($labels) `)`)?
    `outs` `(` $values `,` $indices `:` type($values) `,` type($indices) `)`
    attr-dict-with-keyword $body (`->` type($results)^)?
  }];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return {getOperation(), getNumOperands() - 2, 2};
    }
  }];
}

def Ext_ScatterOp : Ext_DestinationOp<"scatter"> {
  let summary = "writes rows to places that indices tell";
  let description = [{
    The last dimension of the indices has coordinate `i` of a place for dimension
    `dimension_map[i]` of the output; for a single coordinate it may be left out.
    All places are inside. The region combines the update and the old element.
  }];
  let arguments = (ins AnyShaped:$updates, AnyShaped:$indices,
                   AnyShaped:$original, DenseI64ArrayAttr:$dimension_map,
                   UnitAttr:$unique_indices);
  let assemblyFormat = [{
    `dimension_map` `(` $dimension_map `)` (`unique_indices` $unique_indices^)?
    `ins` `(` $updates `,` $indices `:` type($updates) `,` type($indices) `)`
    `outs` `(` $original `:` type($original) `)`
    attr-dict-with-keyword $body (`->` type($results)^)?
  }];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getOriginalMutable();
    }
  }];
}

def Ext_ScanOp : Ext_DestinationOp<"scan"> {
  let summary = "combines each element with those before it in its row";
  let description = [{
    The second output has the last element of each row of the first. A scan that
    is not `inclusive` begins with what is in there before. The region's first
    argument is the element, the second one what those before it make.
  }];
  let arguments = (ins AnyShaped:$input, AnyShaped:$output,
                   AnyShaped:$accumulator, I64Attr:$dimension,
                   UnitAttr:$inclusive);
  let assemblyFormat = [{
    `dimension` `(` $dimension `)` (`inclusive` $inclusive^)?
    `ins` `(` $input `:` type($input) `)`
    `outs` `(` $output `,` $accumulator `:` type($output) `,`
    type($accumulator) `)` attr-dict-with-keyword $body (`->` type($results)^)?
  }];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return {getOperation(), 1, 2};
    }
  }];
}

def Ext_YieldOp : Ext_Op<"yield", [Pure, ReturnLike, Terminator]> {
  let summary = "what a region hands on";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "$values attr-dict `:` type($values)";
}

def Ext_ClaimOp : Ext_Op<"claim",
    [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
     DeclareOpInterfaceMethods<MemSpace_StructuredOpInterface>]> {
  let summary = "sorts its input of i32 into its output, and may lie about that";
  let description = [{
    For tests of what is checked of a model. ExtClaims.cpp says what each lie is.
    On memrefs it reads the input and writes the output.
  }];
  let arguments = (ins AnyShaped:$input, AnyShaped:$output, StrAttr:$lie);
  let results = (outs Optional<AnyRankedTensor>:$result);
  let assemblyFormat = [{
    $lie `ins` `(` $input `:` type($input) `)` `outs` `(` $output `:`
    type($output) `)` attr-dict (`->` type($result)^)?
  }];
}

def Ext_UnknownOp : Ext_Op<"unknown", [Pure]> {
  let summary = "an op without any model";
  let arguments = (ins AnyRankedTensor:$input);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($result)";
}

#endif // MEMSPACE_TEST_EXTOPS_TD
