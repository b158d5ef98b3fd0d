//===- ChainDepth.h - how far ops are followed -----------------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_KERNEL_CHAINDEPTH_H
#define MEMSPACE_LIB_KERNEL_CHAINDEPTH_H

namespace mlir {
namespace memspace {

/// A number that is computed by more ops in a row than this is followed no
/// further and may be anything: neither stack nor time grow with the chain.
constexpr unsigned kMaxChainDepth = 128;

/// Counts the recursive calls for the operands of ops.
class ChainDepth {
public:
  explicit ChainDepth(unsigned &depth) : depth(depth) { ++depth; }
  ~ChainDepth() { --depth; }
  ChainDepth(const ChainDepth &) = delete;
  bool isTooDeep() const { return depth > kMaxChainDepth; }

private:
  unsigned &depth;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_KERNEL_CHAINDEPTH_H
