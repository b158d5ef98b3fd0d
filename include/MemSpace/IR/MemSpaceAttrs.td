//===- MemSpaceAttrs.td - encodings of the memspace dialect -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_IR_MEMSPACEATTRS_TD
#define MEMSPACE_IR_MEMSPACEATTRS_TD

include "MemSpace/IR/LayoutEncodingInterface.td"
include "MemSpace/IR/MemSpaceOps.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/TensorEncoding.td"

class MemSpace_Encoding<string name, string mnemonic_,
                        list<string> methods = []>
    : AttrDef<MemSpace_Dialect, name, [
        DeclareAttrInterfaceMethods<VerifiableTensorEncoding>,
        DeclareAttrInterfaceMethods<MemSpace_LayoutEncodingAttrInterface,
                                    methods>]> {
  let mnemonic = mnemonic_;
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def MemSpace_TiledLayoutAttr : MemSpace_Encoding<"TiledLayout", "tiled_layout",
    ["isTargetIndependent", "getDivisors"]> {
  let summary = "a layout of tiles, the same on all targets";
  let description = [{
    ```mlir
    tensor<30x64xf32, #memspace.tiled_layout<inner_dims_pos = [0, 1],
        inner_tiles = [16, 8], outer_dims_perm = [1, 0]>>
    ```

    The terms are those of `linalg.pack`. Each list may be left out:

    - `padding_multiples`: of each dimension, its extent is rounded up to a
      multiple of this before it is cut;
    - `inner_dims_pos`, `inner_tiles`: the dimensions that are cut, from the
      outermost tile dimension to the innermost, and the extents of the tiles;
    - `outer_dims_perm`: outer dimension `i` of the memory counts the tiles of
      dimension `outer_dims_perm[i]`;
    - `divisors`: of each dimension, a number that divides its extent; a promise
      for dynamic extents, of which 1 says nothing.

    The memory is a row-major array of the tiles' counts, then of the tiles
    (docs/encodings.md). The lists must fit the rank of the tensor.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$innerDimsPos,
    ArrayRefParameter<"int64_t">:$innerTiles,
    ArrayRefParameter<"int64_t">:$outerDimsPerm,
    ArrayRefParameter<"int64_t">:$paddingMultiples,
    ArrayRefParameter<"int64_t">:$divisors);
  let genVerifyDecl = 0;
}

def MemSpace_MatmulOperandAttr : MemSpace_Encoding<"MatmulOperand",
    "matmul_operand", ["getDivisors"]> {
  let summary = "the layout that a target wants for an operand of a matmul";
  let description = [{
    ```mlir
    tensor<128x64xf16, #memspace.matmul_operand<lhs, types = [f16, f16, f32],
        sizes = [128, 256, 64]>>
    ```

    An operand of a product of matrices: `lhs` (the last two dimensions of the
    tensor are M, K), `rhs` (K, N) or `acc` (M, N), the other way round if
    `transposed`; dimensions before them are of a batch. `types` are the element
    types of the three, `sizes` M, N and K, `?` where one is not known before run
    time. `divisors` divide M, N and K: a promise for those. The tensor may be of
    another element type: what converts each element keeps the layout.

    A target with a matrix unit that multiplies these types resolves it to tiles of
    that unit: of a `lhs` M by K, of a `rhs` N by K (K is innermost), of an `acc`
    M by N; tiles are no larger than the power of two above a static size. Any
    other target has nothing to gain: row-major. An embedding compiler can put a
    resolver of its own in the place of ours (`MemSpaceDialect::setLayoutResolver`).
  }];
  let parameters = (ins AttrParameter<"::mlir::memspace::MatmulRole", "">:$role,
    "bool":$transposed,
    ArrayRefParameter<"::mlir::Type">:$types,
    ArrayRefParameter<"int64_t">:$sizes,
    ArrayRefParameter<"int64_t">:$divisors);
}

#endif // MEMSPACE_IR_MEMSPACEATTRS_TD
