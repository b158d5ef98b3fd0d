//===- accel.cpp - a compiler with a machine of its own -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The code of docs/embedding.md: a compiler with mappings, memory spaces, ops
/// and a target of its own asks MemSpace where the tensors of a kernel live,
/// bufferizes with the answers, and goes on to barriers of its own, which are
/// verified. The names in brackets mark what the documentation quotes.
///
//===----------------------------------------------------------------------===//

#include "MemSpace/Barriers/BarrierPlacement.h"
#include "MemSpace/Barriers/BarrierVerifier.h"
#include "MemSpace/InitAll.h"
#include "MemSpace/Layout/WorkgroupBudget.h"
#include "MemSpace/Memory/MemoryInterfaces.h"
#include "MemSpace/Transforms/Bufferize.h"
#include "mlir/Dialect/SCF/IR/DeviceMappingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

//===----------------------------------------------------------------------===//
// A dialect of the embedding compiler. MemSpace knows nothing of it.
//===----------------------------------------------------------------------===//

/// #accel.worker says that a forall runs on the workers of the machine.
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

/// accel.rounds: a number that is wired to each workgroup.
class RoundsOp : public Op<RoundsOp, OpTrait::ZeroOperands, OpTrait::OneResult,
                           OpTrait::OneTypedResult<IndexType>::Impl,
                           ConditionallySpeculatable::Trait,
                           OpTrait::AlwaysSpeculatableImplTrait,
                           MemoryEffectOpInterface::Trait> {
public:
  using Op::Op;
  static StringRef getOperationName() { return "accel.rounds"; }
  static ArrayRef<StringRef> getAttributeNames() { return {}; }
  void getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &) {}
};

/// accel.sync: all workers of a workgroup wait for each other.
class SyncOp : public Op<SyncOp, OpTrait::ZeroOperands, OpTrait::ZeroResults> {
public:
  using Op::Op;
  static StringRef getOperationName() { return "accel.sync"; }
  static ArrayRef<StringRef> getAttributeNames() { return {}; }
  static void build(OpBuilder &, OperationState &) {}
  static SyncOp create(OpBuilder &b, Location loc) {
    return cast<SyncOp>(
        b.create(loc, b.getStringAttr(getOperationName()), {}, {}));
  }
};

class AccelDialect : public Dialect {
public:
  static constexpr StringLiteral getDialectNamespace() { return "accel"; }
  explicit AccelDialect(MLIRContext *ctx)
      : Dialect(getDialectNamespace(), ctx, TypeID::get<AccelDialect>()) {
    addAttributes<WorkerAttr>();
    addOperations<RoundsOp, SyncOp>();
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
MLIR_DECLARE_EXPLICIT_TYPE_ID(RoundsOp)
MLIR_DECLARE_EXPLICIT_TYPE_ID(SyncOp)
MLIR_DECLARE_EXPLICIT_TYPE_ID(AccelDialect)
MLIR_DEFINE_EXPLICIT_TYPE_ID(WorkerAttr)
MLIR_DEFINE_EXPLICIT_TYPE_ID(RoundsOp)
MLIR_DEFINE_EXPLICIT_TYPE_ID(SyncOp)
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
// [/mapping]

// [ops]
/// All workers of a workgroup get the same number.
struct RoundsModel
    : public memspace::UniformityOpInterface::ExternalModel<RoundsModel,
                                                            RoundsOp> {
  memspace::ExecutionScope getResultScope(Operation *) const {
    return memspace::ExecutionScope::Workgroup;
  }
};

/// A barrier of the workgroup, for all memories.
struct SyncModel
    : public memspace::SynchronizationOpInterface::ExternalModel<SyncModel,
                                                                 SyncOp> {
  std::optional<memspace::Barrier> getBarrier(Operation *) const {
    return memspace::Barrier{memspace::ExecutionScope::Workgroup};
  }
};

static void registerAccel(DialectRegistry &registry) {
  registry.insert<AccelDialect>();
  registry.addExtension(+[](MLIRContext *ctx, AccelDialect *) {
    WorkerAttr::attachInterface<WorkerMapping>(*ctx);
    RoundsOp::attachInterface<RoundsModel>(*ctx);
    SyncOp::attachInterface<SyncModel>(*ctx);
  });
}
// [/ops]

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

// [compile]
/// From tensors to code of the machine: memories, threads, one arena, barriers.
static LogicalResult compile(FunctionOpInterface kernel,
                             const memspace::MemorySpaceOptions &options,
                             PassManager &toThreads) {
  if (failed(memspace::bufferizeKernel(kernel, options)) ||
      failed(toThreads.run(kernel->getParentOp())))
    return failure(); // a diagnostic was emitted
  FailureOr<memspace::KernelContext> context = memspace::KernelContext::create(
      kernel, options.target, /*launch=*/{}, options.spaces);
  if (failed(context))
    return failure();
  memspace::BarrierPlacement placement(
      *context, memspace::BarrierPlacement::Mode::Insert);
  for (const memspace::NeededBarrier &barrier : placement.getBarriers()) {
    // This machine has no other.
    if (barrier.scope != memspace::ExecutionScope::Workgroup)
      return barrier.op->emitError("needs a barrier of a subgroup");
    OpBuilder b(barrier.op);
    SyncOp::create(b, barrier.op->getLoc());
  }
  if (!memspace::BarrierVerifier(*context).isRaceFree())
    return kernel.emitError("has a race");
  FailureOr<memspace::WorkgroupBudget> budget =
      memspace::WorkgroupBudget::compute(*context);
  if (failed(budget))
    return failure();
  llvm::outs() << kernel.getName() << ": " << budget->getWorkgroupBytes()
               << " bytes of " << options.target.workgroupBytes << "\n";
  return success();
}
// [/compile]

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

/// In each round y[i] becomes y[63 - i] + x[i]: the elements change workers.
/// Those of the sum after it do not.
static constexpr StringLiteral source = R"mlir(
#reverse = affine_map<(i) -> (63 - i)>
func.func @mirror(%X: memref<64xf32>, %Y: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = bufferization.to_tensor %X restrict : memref<64xf32> to tensor<64xf32>
  %rounds = "accel.rounds"() : () -> index
  %doubled_empty = tensor.empty() : tensor<64xf32>
  %doubled = scf.forall (%i) in (64) shared_outs(%all = %doubled_empty) -> (tensor<64xf32>) {
    %value = tensor.extract %x[%i] : tensor<64xf32>
    %sum = arith.addf %value, %value : f32
    %one = tensor.from_elements %sum : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %one into %all[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#accel.worker]}
  %mirrored = scf.for %round = %c0 to %rounds step %c1 iter_args(%y = %doubled) -> (tensor<64xf32>) {
    %next_empty = tensor.empty() : tensor<64xf32>
    %next = scf.forall (%i) in (64) shared_outs(%all = %next_empty) -> (tensor<64xf32>) {
      %from = affine.apply #reverse(%i)
      %a = tensor.extract %y[%from] : tensor<64xf32>
      %b = tensor.extract %x[%i] : tensor<64xf32>
      %sum = arith.addf %a, %b : f32
      %one = tensor.from_elements %sum : tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %one into %all[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
      }
    } {mapping = [#accel.worker]}
    scf.yield %next : tensor<64xf32>
  }
  %sum_empty = tensor.empty() : tensor<64xf32>
  %sums = scf.forall (%i) in (64) shared_outs(%all = %sum_empty) -> (tensor<64xf32>) {
    %a = tensor.extract %mirrored[%i] : tensor<64xf32>
    %sum = arith.addf %a, %a : f32
    %one = tensor.from_elements %sum : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %one into %all[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#accel.worker]}
  %result_empty = tensor.empty() : tensor<64xf32>
  %result = scf.forall (%i) in (64) shared_outs(%all = %result_empty) -> (tensor<64xf32>) {
    %a = tensor.extract %sums[%i] : tensor<64xf32>
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
  registerAccel(registry);
  MLIRContext context(registry);

  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(source, &context);
  if (!module)
    return 1;

  memspace::MemorySpaceOptions options(getAccelTarget());
  options.spaces = getAccelSpaces(&context);
  PassManager toThreads(&context);
  memspace::MapToThreadsPassOptions map;
  map.subgroupSize = options.target.subgroupSize;
  toThreads.addPass(memspace::createMapToThreadsPass(map));
  memspace::ShrinkPrivatePassOptions shrink;
  shrink.subgroupSize = options.target.subgroupSize;
  toThreads.addPass(memspace::createShrinkPrivatePass(shrink));
  memspace::PackWorkgroupMemoryPassOptions pack;
  pack.subgroupSize = options.target.subgroupSize;
  pack.workgroupLimit = options.target.workgroupBytes;
  toThreads.addPass(memspace::createPackWorkgroupMemoryPass(pack));
  for (FunctionOpInterface kernel : memspace::getKernels(*module)) {
    report(kernel, options);
    if (failed(compile(kernel, options, toThreads)))
      return 1;
  }
  module->print(llvm::outs());
  return 0;
}
// [/main]
