//===- MemSpaceInterfaces.td - extension points of the analysis -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_IR_MEMSPACEINTERFACES_TD
#define MEMSPACE_IR_MEMSPACEINTERFACES_TD

include "mlir/IR/OpBase.td"

def MemSpace_ExecutionMappingAttrInterface
    : AttrInterface<"ExecutionMappingAttrInterface"> {
  let cppNamespace = "::mlir::memspace";
  let description = [{
    Says which level of the execution hierarchy one entry of an `scf.forall`
    mapping distributes over, and along which dimension. The gpu dialect's
    mapping attributes implement it by external models
    (`registerExecutionMappingExternalModels`); a downstream dialect attaches
    its own in the same way and needs no change of MemSpace.
  }];
  let methods = [
    InterfaceMethod<[{
        The scope that one iteration runs in: `Workgroup` for a block mapping,
        `Warpgroup`, `Subgroup` for a warp mapping, `Thread` for a thread or
        lane mapping.
      }], "::mlir::memspace::ExecutionScope", "getIterationScope">,
    InterfaceMethod<[{
        True when the ids count the lanes of one subgroup instead of the
        threads of the workgroup. Only meaningful at `Thread` scope.
      }], "bool", "isLaneMapping">,
    InterfaceMethod<[{
        True for a `linear_dim_N` mapping: the dimensions of the forall together
        form one linear id, dimension 0 fastest.
      }], "bool", "isLinear">,
    InterfaceMethod<[{
        The dimension: 0, 1, 2 for x, y, z, or N for `linear_dim_N`.
      }], "unsigned", "getDimension">
  ];
}

#endif // MEMSPACE_IR_MEMSPACEINTERFACES_TD
