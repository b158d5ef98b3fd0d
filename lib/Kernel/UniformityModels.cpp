//===- UniformityModels.cpp - which threads get one value, upstream -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Kernel/ExecutionScope.h"
#include "MemSpace/Kernel/UniformityInterface.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinDialect.h"

using namespace mlir;
using namespace mlir::memspace;

#include "MemSpace/Kernel/UniformityInterface.cpp.inc"

ExecutionScope mlir::memspace::getResultScope(Operation *op) {
  if (auto interface = dyn_cast<UniformityOpInterface>(op))
    return interface.getResultScope();
  if (op->hasTrait<OpTrait::ConstantLike>())
    return ExecutionScope::Grid;
  Dialect *dialect = op->getDialect();
  auto *interface =
      dialect ? dialect->getRegisteredInterface<UniformityDialectInterface>()
              : nullptr;
  return interface ? interface->getResultScope(op) : ExecutionScope::Thread;
}

bool mlir::memspace::ignoresOperandScopes(Operation *op) {
  auto interface = dyn_cast<UniformityOpInterface>(op);
  return interface && interface.ignoresOperandScopes();
}

std::optional<SmallVector<Value>>
mlir::memspace::getControlValues(Operation *op) {
  auto interface = dyn_cast<UniformityOpInterface>(op);
  return interface ? interface.getControlValues() : std::nullopt;
}

namespace {
//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// What reads one number of the launch or of the place in it.
template <typename OpT, ExecutionScope scope>
struct IdModel
    : public UniformityOpInterface::ExternalModel<IdModel<OpT, scope>, OpT> {
  ExecutionScope getResultScope(Operation *) const { return scope; }
};

/// Over a part of the subgroup only its lanes have one result.
struct SubgroupReduceModel
    : public UniformityOpInterface::ExternalModel<SubgroupReduceModel,
                                                  gpu::SubgroupReduceOp> {
  ExecutionScope getResultScope(Operation *op) const {
    return cast<gpu::SubgroupReduceOp>(op).getClusterSize()
               ? ExecutionScope::Thread
               : ExecutionScope::Subgroup;
  }
  bool ignoresOperandScopes(Operation *) const { return true; }
};

struct AllReduceModel
    : public UniformityOpInterface::ExternalModel<AllReduceModel,
                                                  gpu::AllReduceOp> {
  ExecutionScope getResultScope(Operation *) const {
    return ExecutionScope::Workgroup;
  }
  bool ignoresOperandScopes(Operation *) const { return true; }
};

/// The ops of the nvvm and rocdl dialects that read the id of a block or a size
/// of the launch have many classes, and names of one form.
struct TargetDialectModel : public UniformityDialectInterface {
  using UniformityDialectInterface::UniformityDialectInterface;
  ExecutionScope getResultScope(Operation *op) const override {
    StringRef name = op->getName().getStringRef();
    bool isOfBlock = llvm::any_of(
        ArrayRef<StringRef>{"nvvm.read.ptx.sreg.ctaid.",
                            "nvvm.read.ptx.sreg.nctaid.",
                            "nvvm.read.ptx.sreg.ntid.", "rocdl.workgroup.id.",
                            "rocdl.workgroup.dim.", "rocdl.grid.dim."},
        [&](StringRef prefix) { return name.starts_with(prefix); });
    return isOfBlock ? ExecutionScope::Workgroup : ExecutionScope::Thread;
  }
};

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

using Values = SmallVector<Value>;

Values getDeciding(scf::IfOp op) { return {op.getCondition()}; }
Values getDeciding(scf::ForOp op) {
  return {op.getLowerBound(), op.getUpperBound(), op.getStep()};
}
Values getDeciding(affine::AffineForOp op) { return op.getControlOperands(); }
Values getDeciding(scf::WhileOp op) {
  return {op.getConditionOp().getCondition()};
}
Values getDeciding(scf::IndexSwitchOp op) { return {op.getArg()}; }
Values getDeciding(scf::ExecuteRegionOp) { return {}; }
Values getDeciding(memref::AllocaScopeOp) { return {}; }
Values getDeciding(cf::CondBranchOp op) { return {op.getCondition()}; }
Values getDeciding(cf::SwitchOp op) { return {op.getFlag()}; }

/// What runs one after the other in each thread, as its index operands say.
template <typename OpT> Values getDeciding(OpT op) {
  Values values;
  for (Value operand : op->getOperands())
    if (operand.getType().isIndex())
      values.push_back(operand);
  return values;
}

template <typename OpT>
struct ControlModel
    : public UniformityOpInterface::ExternalModel<ControlModel<OpT>, OpT> {
  std::optional<Values> getControlValues(Operation *op) const {
    // The threads of a workgroup run its iterations together, those of others
    // do not.
    if (auto forall = dyn_cast<scf::ForallOp>(op)) {
      std::optional<ForallMapping> mapping = getForallMapping(forall);
      if (!mapping || mapping->scope != ExecutionScope::Workgroup)
        return std::nullopt;
    }
    // A mapped loop is spread over threads.
    if (isa<scf::ParallelOp>(op) && op->hasAttr("mapping"))
      return std::nullopt;
    return getDeciding(cast<OpT>(op));
  }
};
} // namespace

template <typename... OpTs> static void attachControl(MLIRContext *context) {
  (OpTs::template attachInterface<ControlModel<OpTs>>(*context), ...);
}
template <ExecutionScope scope, typename... OpTs>
static void attachIds(MLIRContext *context) {
  (OpTs::template attachInterface<IdModel<OpTs, scope>>(*context), ...);
}

/// Dialects that compute from operands.
template <typename... DialectTs>
static void addComputing(DialectRegistry &registry) {
  (registry.addExtension(+[](MLIRContext *, DialectTs *dialect) {
    dialect->template addInterfaces<UniformityDialectInterface>();
  }),
   ...);
}

void mlir::memspace::registerUniformityModels(DialectRegistry &registry) {
  addComputing<affine::AffineDialect, arith::ArithDialect,
               bufferization::BufferizationDialect, BuiltinDialect,
               cf::ControlFlowDialect, complex::ComplexDialect,
               func::FuncDialect, index::IndexDialect, linalg::LinalgDialect,
               math::MathDialect, memref::MemRefDialect, MemSpaceDialect,
               scf::SCFDialect, tensor::TensorDialect, ub::UBDialect,
               vector::VectorDialect>(registry);
  registry.addExtension(+[](MLIRContext *, NVVM::NVVMDialect *dialect) {
    dialect->addInterfaces<TargetDialectModel>();
  });
  registry.addExtension(+[](MLIRContext *, ROCDL::ROCDLDialect *dialect) {
    dialect->addInterfaces<TargetDialectModel>();
  });
  registry.addExtension(+[](MLIRContext *context, gpu::GPUDialect *) {
    attachIds<ExecutionScope::Grid, gpu::BlockDimOp, gpu::GridDimOp,
              gpu::NumSubgroupsOp, gpu::SubgroupSizeOp, gpu::ClusterDimOp,
              gpu::ClusterDimBlocksOp>(context);
    attachIds<ExecutionScope::Workgroup, gpu::BlockIdOp, gpu::ClusterIdOp,
              gpu::ClusterBlockIdOp, gpu::DynamicSharedMemoryOp>(context);
    attachIds<ExecutionScope::Subgroup, gpu::SubgroupIdOp>(context);
    gpu::SubgroupReduceOp::attachInterface<SubgroupReduceModel>(*context);
    gpu::AllReduceOp::attachInterface<AllReduceModel>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, scf::SCFDialect *) {
    attachControl<scf::IfOp, scf::ForallOp, scf::ForOp, scf::WhileOp,
                  scf::IndexSwitchOp, scf::ExecuteRegionOp, scf::ParallelOp>(
        context);
  });
  registry.addExtension(+[](MLIRContext *context, affine::AffineDialect *) {
    attachControl<affine::AffineForOp, affine::AffineIfOp>(context);
  });
  registry.addExtension(+[](MLIRContext *context, memref::MemRefDialect *) {
    attachControl<memref::AllocaScopeOp>(context);
  });
  registry.addExtension(+[](MLIRContext *context, cf::ControlFlowDialect *) {
    attachControl<cf::CondBranchOp, cf::SwitchOp>(context);
  });
}
