// A grid that the chip does not launch is refused: at most 65,535 workgroups in the
// second and third dimension, and 2^31 - 1 in the first; AMD counts the threads of a
// dimension in 32 bits.
// RUN: memspace-opt %s -split-input-file -memspace-check-budget=chip=sm_90 -verify-diagnostics
// RUN: not memspace-opt %s -split-input-file -memspace-check-budget=chip=gfx942 2>&1 | FileCheck %s --check-prefix=AMD

// AMD: error: kernel 'second' needs a grid of 65536 workgroups in dimension y, but gfx942 launches 65535 at most
// expected-error @+2 {{kernel 'second' needs a grid of 65536 workgroups in dimension y, but sm_90 launches 65535 at most}}
// expected-note @+1 {{map the 'forall' to '#gpu.block<linear_dim_0>' and so on, or use larger tiles for each workgroup}}
func.func @second(%x: memref<64xf32>) attributes {
    gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 4, 65536, 1>} {
  return
}

// -----

// AMD: error: kernel 'third' needs a grid of 70000 workgroups in dimension z
// expected-error @+2 {{kernel 'third' needs a grid of 70000 workgroups in dimension z, but sm_90 launches 65535 at most}}
// expected-note @+1 {{map the 'forall'}}
func.func @third(%x: memref<64xf32>) attributes {
    gpu.known_block_size = array<i32: 64, 1, 1>, gpu.known_grid_size = array<i32: 4, 65535, 70000>} {
  return
}

// -----

// AMD: error: kernel 'threads_of_first' needs a grid of 16777216 workgroups in dimension x, but gfx942 launches 16777215 at most
// AMD: note: use larger tiles for each workgroup
func.func @threads_of_first(%x: memref<64xf32>) attributes {
    gpu.known_block_size = array<i32: 256, 1, 1>, gpu.known_grid_size = array<i32: 16777216, 65535, 65535>} {
  return
}

// -----

// AMD-NOT: kernel 'fits'
func.func @fits(%x: memref<64xf32>) attributes {
    gpu.known_block_size = array<i32: 256, 1, 1>, gpu.known_grid_size = array<i32: 16777215, 65535, 65535>} {
  return
}
