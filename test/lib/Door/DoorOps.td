//===- DoorOps.td - ops of another dialect that uses every door -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_TEST_DOOROPS_TD
#define MEMSPACE_TEST_DOOROPS_TD

include "MemSpace/IR/MemSpaceInterfaces.td"
include "MemSpace/Kernel/UniformityInterface.td"
include "MemSpace/Memory/MemoryInterfaces.td"
include "mlir/Dialect/SCF/IR/DeviceMappingInterface.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/LoopLikeInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Door_Dialect : Dialect {
  let name = "door";
  let cppNamespace = "::mlir::memspace::door";
  let summary = "Ops of a compiler that MemSpace knows by its interfaces only.";
  let description = [{
    Each op says by an interface of MemSpace what upstream's interfaces cannot
    say. `door-to-upstream` replaces the ops by those of upstream that do the
    same, for which MemSpace has models of its own.
  }];
  let useDefaultAttributePrinterParser = 1;
}

def Door_MemoryAttr : AttrDef<Door_Dialect, "Memory"> {
  let mnemonic = "memory";
  let summary = "a memory space of this compiler";
  let parameters = (ins StringRefParameter<>:$name);
  let assemblyFormat = "`<` $name `>`";
}

class Door_MappingAttr<string name, string attrMnemonic>
    : AttrDef<Door_Dialect, name,
              [DeclareAttrInterfaceMethods<DeviceMappingAttrInterface>,
               DeclareAttrInterfaceMethods<
                   MemSpace_ExecutionMappingAttrInterface>]> {
  let mnemonic = attrMnemonic;
  let parameters = (ins "int64_t":$dim);
  let assemblyFormat = "`<` $dim `>`";
}

def Door_LaneAttr : Door_MappingAttr<"Lane", "lane"> {
  let summary = "the lanes of a subgroup run the iterations";
}

def Door_GroupAttr : Door_MappingAttr<"Group", "group"> {
  let summary = "the workgroups run the iterations, one each";
}

class Door_Op<string mnemonic, list<Trait> traits = []>
    : Op<Door_Dialect, mnemonic, traits>;

def Door_WorkgroupNumberOp : Door_Op<"workgroup_number",
    [Pure, DeclareOpInterfaceMethods<MemSpace_UniformityOpInterface,
                                     ["getResultScope"]>]> {
  let summary = "the number of the workgroup, the same in all its threads";
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict";
}

def Door_ThreadNumberOp : Door_Op<"thread_number",
    [Pure, DeclareOpInterfaceMethods<MemSpace_UniformityOpInterface,
                                     ["getResultScope"]>]> {
  let summary = "the number of the thread";
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict";
}

def Door_FenceOp : Door_Op<"fence",
    [DeclareOpInterfaceMethods<MemSpace_SynchronizationOpInterface,
                               ["getBarrier"]>]> {
  let summary = "waits for all threads of the workgroup";
  let description = [{
    With `global` it orders accesses of global memory, with `workgroup` those of
    workgroup memory.
  }];
  let arguments = (ins UnitAttr:$workgroup, UnitAttr:$global);
  let assemblyFormat = "(`workgroup` $workgroup^)? (`global` $global^)? attr-dict";
}

def Door_BindingOp : Door_Op<"binding",
    [Pure, DeclareOpInterfaceMethods<MemSpace_MemoryRootOpInterface>]> {
  let summary = "memory of a number, of which there is one in the kernel";
  let description = [{
    From a byte on: several of them may name parts of one memory.
  }];
  let arguments = (ins I64Attr:$number, Optional<Index>:$offset);
  let results = (outs AnyMemRef:$result);
  let assemblyFormat = [{
    $number (`at` $offset^)? attr-dict `:` type($result)
  }];
}

def Door_RenameOp : Door_Op<"rename",
    [Pure, DeclareOpInterfaceMethods<MemSpace_MemoryRootOpInterface>]> {
  let summary = "another name of a memref, with the same elements";
  let arguments = (ins AnyMemRef:$source);
  let results = (outs AnyMemRef:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `to` type($result)";
}

class Door_AccessOp<string mnemonic>
    : Door_Op<mnemonic,
              [DeclareOpInterfaceMethods<MemSpace_ElementAccessOpInterface,
                                         ["getTouchedElements"]>]>;

def Door_LoadPairOp : Door_AccessOp<"load_pair"> {
  let summary = "reads an element and the next one, and gives their sum";
  let arguments = (ins Arg<AnyMemRef, "", [MemRead]>:$memref, Index:$index);
  let results = (outs AnyType:$result);
  let assemblyFormat =
      "$memref `[` $index `]` attr-dict `:` type($memref) `to` type($result)";
}

def Door_StoreOp : Door_AccessOp<"store"> {
  let summary = "writes an element";
  let arguments = (ins AnyType:$value, Arg<AnyMemRef, "", [MemWrite]>:$memref,
                       Index:$index);
  let assemblyFormat = [{
    $value `,` $memref `[` $index `]` attr-dict `:` type($value) `to`
    type($memref)
  }];
}

def Door_TwiceOp : Door_Op<"twice",
    [RecursiveMemoryEffects, NoTerminator, SingleBlock,
     DeclareOpInterfaceMethods<MemSpace_UniformityOpInterface,
                               ["getControlValues"]>]> {
  let summary = "runs its region twice where the condition is true";
  let arguments = (ins I1:$condition);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$condition $body attr-dict";
}

def Door_ThroughOp : Door_Op<"through",
    [RecursiveMemoryEffects, SingleBlock,
     DeclareOpInterfaceMethods<LoopLikeOpInterface,
                               ["getLoopInductionVars", "getLoopLowerBounds",
                                "getLoopUpperBounds", "getLoopSteps"]>,
     DeclareOpInterfaceMethods<RegionBranchOpInterface>]> {
  let summary = "a loop whose upper bound belongs to it, in steps of one";
  let arguments = (ins Index:$lower, Index:$upper);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$lower `to` $upper $body attr-dict";
}

def Door_EndOp : Door_Op<"end",
    [Pure, Terminator, ReturnLike, HasParent<"ThroughOp">]> {
  let summary = "ends an iteration of door.through";
  let assemblyFormat = "attr-dict";
}

class Door_CollectiveOp<string mnemonic, list<Trait> traits = []>
    : Door_Op<mnemonic, traits # [Pure,
      DeclareOpInterfaceMethods<MemSpace_CollectiveOpInterface>]>;

def Door_MeetOp : Door_CollectiveOp<"meet"> {
  let summary = "what the threads of a workgroup have inserted, as one tensor";
  let arguments = (ins Variadic<AnyType>:$inputs);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = "$inputs attr-dict `:` type($inputs) `->` type($results)";
}

def Door_LaneMeetOp : Door_CollectiveOp<"lane_meet"> {
  let summary = "the same for the threads of a subgroup";
  let arguments = (ins Variadic<AnyType>:$inputs);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = "$inputs attr-dict `:` type($inputs) `->` type($results)";
}

def Door_TogetherOp : Door_CollectiveOp<"together", [SingleBlock]> {
  let summary = "threads insert into shared tensors in the region";
  let arguments = (ins Variadic<AnyType>:$inputs);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `(` $inputs `:` type($inputs) `)` $body attr-dict `:` type($results)
  }];
}

def Door_GiveOp : Door_Op<"give",
    [Pure, Terminator, ReturnLike, HasParent<"TogetherOp">]> {
  let summary = "the results of door.together";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

#endif // MEMSPACE_TEST_DOOROPS_TD
