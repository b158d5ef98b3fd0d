//===- SPMDKernel.h - the text of generated kernels -------------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_BENCHMARK_SPMDKERNEL_H
#define MEMSPACE_BENCHMARK_SPMDKERNEL_H

#include <cstdint>
#include <sstream>
#include <string>

namespace mlir {
namespace memspace {

/// The text of a kernel of 256 threads. `%t` is the thread, `%r` counts the
/// threads backwards from `last`, `%n` is not known; `#wg` is workgroup memory.
class SPMDKernel {
public:
  explicit SPMDKernel(int64_t last) {
    os << R"mlir(
#wg = #gpu.address_space<workgroup>
func.func @k(%x: memref<?xf32>)
    attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %last = arith.constant )mlir"
       << last << R"mlir( : index
  %v = arith.constant 1.0 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %t = gpu.thread_id x
  %r = arith.subi %last, %t : index
)mlir";
  }

  /// `place`: a memref, indices and a type, for example `%m[%t] :
  /// memref<4xf32>`.
  void addAccess(bool isStore, const std::string &place) {
    if (isStore)
      os << "memref.store %v, " << place << "\n";
    else
      os << "%w" << number++ << " = memref.load " << place << "\n";
  }
  std::string finish() const { return os.str() + "return\n}"; }

  std::ostringstream os;

protected:
  /// Of names so far.
  int64_t number = 0;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_BENCHMARK_SPMDKERNEL_H
