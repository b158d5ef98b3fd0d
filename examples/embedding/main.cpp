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
#include "MemSpace/Transforms/AllocationHook.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/Bufferize.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/DeviceMappingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

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
static memspace::MemorySpaceMapping getAccelSpaces() {
  using memspace::MemorySpace;
  memspace::MemorySpaceMapping mapping;
  mapping.toAttribute = [](MLIRContext *ctx, MemorySpace space) -> Attribute {
    if (space == MemorySpace::Global)
      return {};
    return Builder(ctx).getI64IntegerAttr(space == MemorySpace::Workgroup ? 3
                                                                          : 5);
  };
  mapping.fromAttribute = [](Attribute attr) -> std::optional<MemorySpace> {
    if (!attr)
      return MemorySpace::Global;
    auto number = dyn_cast<IntegerAttr>(attr);
    if (number && number.getInt() == 3)
      return MemorySpace::Workgroup;
    if (number && number.getInt() == 5)
      return MemorySpace::Private;
    return std::nullopt;
  };
  return mapping;
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

// [prepare]
/// Brings a kernel into the form that the analysis answers for: destination
/// style, loop-carried buffers explicit, whole-tensor work on threads, and
/// every copy that One-Shot needs an alloc_tensor of its own.
static LogicalResult prepare(FunctionOpInterface kernel,
                             const memspace::TargetInfo &target) {
  auto withNumbers = [&](auto options) {
    options.workgroupLimit = target.maxWorkgroupBytes;
    options.privateLimit = target.privateBytes;
    options.subgroupSize = target.subgroupSize;
    return options;
  };
  auto distribution = withNumbers(memspace::DistributeToThreadsPassOptions());
  PassManager pm(kernel.getContext(), kernel->getName().getStringRef());
  pm.addPass(memspace::createDropUnusedResultsPass());
  pm.addPass(memspace::createNormalizeKernelsPass(
      withNumbers(memspace::NormalizeKernelsPassOptions())));
  pm.addPass(memspace::createDistributeToThreadsPass(distribution));
  if (failed(pm.run(kernel)))
    return failure();

  bufferization::OneShotBufferizationOptions options =
      memspace::getOneShotOptions();
  bufferization::OneShotAnalysisState conflicts(kernel, options);
  if (failed(memspace::analyzeKernel(kernel, conflicts)) ||
      failed(memspace::insertNeededCopies(kernel, conflicts)))
    return failure();

  PassManager copies(kernel.getContext(), kernel->getName().getStringRef());
  copies.addPass(memspace::createDistributeToThreadsPass(distribution));
  return copies.run(kernel);
}
// [/prepare]

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

// [decide]
/// Writes the decided memory space on every allocation.
static LogicalResult decide(FunctionOpInterface kernel,
                            const memspace::MemorySpaceOptions &options) {
  memspace::MemorySpaceAnalysis analysis(kernel, options);
  if (!analysis.isValid())
    return failure();
  WalkResult result = kernel->walk([&](bufferization::AllocTensorOp alloc) {
    const memspace::MemorySpaceDecision *decision = analysis.getDecision(alloc);
    if (decision->refused) {
      alloc->emitError() << analysis.explain(alloc);
      return WalkResult::interrupt();
    }
    Builder b(alloc->getContext());
    alloc.setMemorySpaceAttr(
        options.spaces.toAttribute(alloc->getContext(), decision->space));
    // A buffer of each subgroup: the hook allocates all instances.
    if (decision->threadsPerInstance)
      alloc->setAttr(memspace::kPerSubgroupAttr,
                     b.getI64IntegerAttr(decision->threadsPerInstance));
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}
// [/decide]

// [bufferize]
static LogicalResult bufferize(FunctionOpInterface kernel,
                               const memspace::MemorySpaceOptions &options) {
  bufferization::OneShotBufferizationOptions oneShot =
      memspace::getOneShotOptions();
  memspace::configureBufferization(oneShot, options);
  bufferization::BufferizationState state;
  return bufferization::bufferizeOp(kernel, oneShot, state);
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
  options.spaces = getAccelSpaces();
  for (FunctionOpInterface kernel : memspace::getKernels(*module)) {
    report(kernel, options);
    if (failed(prepare(kernel, options.target)) ||
        failed(decide(kernel, options)) || failed(bufferize(kernel, options)))
      return 1;
  }
  module->print(llvm::outs());
  return 0;
}
// [/main]
