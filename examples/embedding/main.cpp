//===- main.cpp - MemSpace inside another compiler -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The code of docs/embedding.md: a compiler with mappings, memory spaces and a
/// target of its own asks MemSpace where the tensors of a kernel live, and
/// bufferizes with the answers. The names in brackets mark what the
/// documentation quotes.
///
//===----------------------------------------------------------------------===//

#include "MemSpace/InitAll.h"
#include "MemSpace/Transforms/Bufferize.h"
#include "mlir/Dialect/SCF/IR/DeviceMappingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;

//===----------------------------------------------------------------------===//
// A dialect of the embedding compiler: #accel.worker says that a forall runs on
// the workers of its machine. MemSpace knows nothing of it.
//===----------------------------------------------------------------------===//

class WorkerAttr
    : public Attribute::AttrBase<WorkerAttr, Attribute, AttributeStorage,
                                 DeviceMappingAttrInterface::Trait> {
public:
  using Base::Base;
  static constexpr StringLiteral name = "accel.worker";
  int64_t getMappingId() const { return 0; }
  bool isLinearMapping() const { return true; }
  int64_t getRelativeIndex() const { return 0; }
};

class AccelDialect : public Dialect {
public:
  static constexpr StringLiteral getDialectNamespace() { return "accel"; }
  explicit AccelDialect(MLIRContext *ctx)
      : Dialect(getDialectNamespace(), ctx, TypeID::get<AccelDialect>()) {
    addAttributes<WorkerAttr>();
  }
  Attribute parseAttribute(DialectAsmParser &parser, Type) const override {
    if (parser.parseKeyword("worker"))
      return {};
    return WorkerAttr::get(getContext());
  }
  void printAttribute(Attribute, DialectAsmPrinter &printer) const override {
    printer << "worker";
  }
};

MLIR_DECLARE_EXPLICIT_TYPE_ID(WorkerAttr)
MLIR_DECLARE_EXPLICIT_TYPE_ID(AccelDialect)
MLIR_DEFINE_EXPLICIT_TYPE_ID(WorkerAttr)
MLIR_DEFINE_EXPLICIT_TYPE_ID(AccelDialect)

// [mapping]
/// One iteration of a forall that is mapped to workers runs on one thread; the
/// worker number is the linear thread id.
struct WorkerMapping
    : public memspace::ExecutionMappingAttrInterface::ExternalModel<
          WorkerMapping, WorkerAttr> {
  memspace::ExecutionScope getIterationScope(Attribute) const {
    return memspace::ExecutionScope::Thread;
  }
  bool isLaneMapping(Attribute) const { return false; }
  bool isLinear(Attribute) const { return true; }
  unsigned getDimension(Attribute) const { return 0; }
};

static void registerWorkerMapping(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *ctx, AccelDialect *) {
    WorkerAttr::attachInterface<WorkerMapping>(*ctx);
  });
}
// [/mapping]

// [spaces]
/// This compiler numbers its memories: 3 is shared by a workgroup, 5 belongs to
/// one thread, no attribute means global memory.
static memspace::MemorySpaceMapping getAccelSpaces(MLIRContext *context) {
  Builder b(context);
  return memspace::MemorySpaceMapping(
      /*privateSpace=*/b.getI64IntegerAttr(5),
      /*workgroupSpace=*/b.getI64IntegerAttr(3));
}
// [/spaces]

// [target]
static memspace::TargetInfo getAccelTarget() {
  memspace::TargetInfo target;
  target.chip = "accel-1";
  target.workgroupBytes = target.maxWorkgroupBytes = 32 * 1024;
  target.subgroupSize = 16;
  target.maxThreads = 256;
  target.privateBytes = 1024;
  return target;
}
// [/target]

// [query]
/// Says where the tensors of a kernel would live, and why. Changes nothing.
static void report(FunctionOpInterface kernel,
                   const memspace::MemorySpaceOptions &options) {
  memspace::MemorySpaceAnalysis analysis(kernel, options);
  kernel->walk([&](tensor::EmptyOp empty) {
    if (analysis.getSharingScope(empty) == memspace::ExecutionScope::Workgroup)
      llvm::outs() << "shared by the threads of a workgroup:\n";
    llvm::outs() << analysis.explain(empty);
  });
}
// [/query]

// [bufferize]
/// Tensors become buffers in the memories of this compiler.
static LogicalResult bufferize(ModuleOp module,
                               const memspace::MemorySpaceOptions &options) {
  for (FunctionOpInterface kernel : memspace::getKernels(module))
    if (failed(memspace::bufferizeKernel(kernel, options)))
      return failure(); // a diagnostic was emitted, the kernel is as it was
  return success();
}
// [/bufferize]

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

/// y[i] = 2 x[63 - i] + x[i]: the doubled values change threads, the sums of
/// neighbours do not.
static constexpr StringLiteral source = R"mlir(
#reverse = affine_map<(i) -> (63 - i)>
func.func @mirror(%X: memref<64xf32>, %Y: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %X restrict : memref<64xf32> to tensor<64xf32>
  %doubled_empty = tensor.empty() : tensor<64xf32>
  %doubled = scf.forall (%i) in (64) shared_outs(%all = %doubled_empty) -> (tensor<64xf32>) {
    %value = tensor.extract %x[%i] : tensor<64xf32>
    %sum = arith.addf %value, %value : f32
    %one = tensor.from_elements %sum : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %one into %all[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#accel.worker]}
  %mirrored_empty = tensor.empty() : tensor<64xf32>
  %mirrored = scf.forall (%i) in (64) shared_outs(%all = %mirrored_empty) -> (tensor<64xf32>) {
    %from = affine.apply #reverse(%i)
    %value = tensor.extract %doubled[%from] : tensor<64xf32>
    %one = tensor.from_elements %value : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %one into %all[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#accel.worker]}
  %result_empty = tensor.empty() : tensor<64xf32>
  %result = scf.forall (%i) in (64) shared_outs(%all = %result_empty) -> (tensor<64xf32>) {
    %a = tensor.extract %mirrored[%i] : tensor<64xf32>
    %b = tensor.extract %x[%i] : tensor<64xf32>
    %sum = arith.addf %a, %b : f32
    %one = tensor.from_elements %sum : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %one into %all[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#accel.worker]}
  bufferization.materialize_in_destination %result in restrict writable %Y : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}
)mlir";

// [main]
int main() {
  DialectRegistry registry;
  // Upstream's dialects with their models of the bufferization, subset, tiling
  // and value bounds interfaces.
  registerAllDialects(registry);
  registerAllExtensions(registry);
  // MemSpace's dialect, and its models for upstream's dialects.
  memspace::registerAllDialects(registry);
  // The embedding compiler's own.
  registry.insert<AccelDialect>();
  registerWorkerMapping(registry);
  MLIRContext context(registry);

  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(source, &context);
  if (!module)
    return 1;

  memspace::MemorySpaceOptions options(getAccelTarget());
  options.spaces = getAccelSpaces(&context);
  for (FunctionOpInterface kernel : memspace::getKernels(*module))
    report(kernel, options);
  if (failed(bufferize(*module, options)))
    return 1;
  module->print(llvm::outs());
  return 0;
}
// [/main]
