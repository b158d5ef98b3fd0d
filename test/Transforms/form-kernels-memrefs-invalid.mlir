// RUN: memspace-opt %s -split-input-file -verify-diagnostics -memspace-form-kernels=chip=gfx942

func.func @may_overlap(%a: memref<8xf32>, %b: memref<8xf32>) {
  // expected-error@+1 {{writes to argument 1 of 'may_overlap', which argument 0 may overlap; promise that they do not, with 'memspace.noalias' on both}}
  linalg.exp ins(%a : memref<8xf32>) outs(%b : memref<8xf32>)
  return
}

// -----

func.func @loads(%a: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{is between ops on whole memrefs, and 'loads' cannot become one of tensors}}
  %x = memref.load %a[%c0] : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  return
}

// -----

func.func @loads_inside(%a: memref<8xf32>) {
  // expected-error@+1 {{is between ops on whole memrefs, and 'loads_inside' cannot become one of tensors}}
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      outs(%a : memref<8xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %x = memref.load %a[%i] : memref<8xf32>
    linalg.yield %x : f32
  }
  return
}

// -----

func.func @returns(%a: memref<8xf32>) -> memref<8xf32> {
  %b = memref.alloc() : memref<8xf32>
  linalg.exp ins(%a : memref<8xf32>) outs(%b : memref<8xf32>)
  // expected-error@+1 {{gives memory to the caller of 'returns', which becomes kernels; write to an argument}}
  return %b : memref<8xf32>
}

// -----

func.func @first_column(%a: memref<8xf32> {memspace.noalias}, %out: memref<8x16xf32> {memspace.noalias}) {
  // expected-error@+1 {{does not write all of output 0 of 'first_column', and what it leaves is lost where it is fused; compute the part that it writes, and insert it}}
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i, 0)>], iterator_types = ["parallel"]}
      ins(%a : memref<8xf32>) outs(%out : memref<8x16xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  }
  return
}

// -----

// Row by row, it would read what it has written.
func.func @overwrites_an_operand(%a: memref<8x8xf32> {memspace.noalias}, %b: memref<8x8xf32> {memspace.noalias}) {
  // expected-error@+1 {{has operands 0 and 2 in one memory, of which it writes the second, and in which order it does so linalg does not say; copy one first}}
  linalg.matmul ins(%b, %a : memref<8x8xf32>, memref<8x8xf32>) outs(%b : memref<8x8xf32>)
  return
}

// -----

// The output of a gather may not overlap its source.
func.func @gathers_in_place(%x: memref<8x4xf32>, %index: memref<8x1xi32>) {
  // expected-error@+1 {{has operands 0 and 2 in one memory, of which it writes the second, and in which order it does so it does not say; copy one first}}
  memspace.gather gather_dims([0]) ins(%x, %index : memref<8x4xf32>, memref<8x1xi32>) outs(%x : memref<8x4xf32>)
  return
}
