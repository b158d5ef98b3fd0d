//===- KernelRewriter.h - ops become calls of the runtime -------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What every lowering of a GPU op needs: calls of runtime functions, values as
/// 64-bit words, and the loops around an op at which threads meet.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_EMULATOR_KERNELREWRITER_H
#define MEMSPACE_LIB_EMULATOR_KERNELREWRITER_H

#include "Program.h"
#include "RuntimeFunctions.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir {
namespace memspace {
namespace emulator {

/// Whether a value of this type is a word, or a vector of words.
bool hasWords(Type type);

class KernelRewriter {
public:
  KernelRewriter(ModuleOp module, Program &program)
      : module(module), program(program), builder(module.getContext()) {}

  /// What is built from here on replaces `op`.
  void startAt(Operation *op);

  Value call(StringRef name, ValueRange arguments, Type result);
  Value i32(int64_t value);
  Value i64(int64_t value);
  Value index(int64_t value);
  Value toI64(Value value);
  /// The bits of a scalar of up to 64 bits, and back.
  Value toWord(Value value);
  Value fromWord(Value word, Type type);
  /// Applies `function` to each scalar of `value`.
  Value mapScalars(Value value, llvm::function_ref<Value(Value)> function);
  /// The same for a `function` of words.
  Value mapWords(Value value, llvm::function_ref<Value(Value)> function);
  void replace(Operation *op, ValueRange values);
  /// Notes the loops around a barrier, whose iterations threads must share, and
  /// makes them count.
  void recordLoops(Operation *op);

  ModuleOp module;
  Program &program;
  OpBuilder builder;
  Location loc = UnknownLoc::get(builder.getContext());
  uint32_t site = 0;

private:
  DenseMap<Operation *, uint32_t> loops;
};

} // namespace emulator
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_EMULATOR_KERNELREWRITER_H
