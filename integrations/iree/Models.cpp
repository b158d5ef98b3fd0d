//===- Models.cpp - what IREE's attributes and ops mean -------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Adapter.h"
#include "MemSpace/InitAll.h"
#include "iree/compiler/Codegen/Dialect/Codegen/IR/IREECodegenAttrs.h"
#include "iree/compiler/Codegen/Dialect/Codegen/IR/IREECodegenDialect.h"
#include "iree/compiler/Codegen/Dialect/GPU/IR/IREEGPUAttrs.h"
#include "iree/compiler/Codegen/Dialect/GPU/IR/IREEGPUDialect.h"
#include "iree/compiler/Codegen/Dialect/GPU/IR/IREEGPUOps.h"
#include "iree/compiler/Dialect/HAL/IR/HALDialect.h"
#include "iree/compiler/Dialect/HAL/IR/HALOps.h"
#include "iree/compiler/Dialect/Util/IR/UtilDialect.h"
#include "iree/compiler/Dialect/Util/IR/UtilOps.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::iree_compiler::IREE;

//===----------------------------------------------------------------------===//
// Mappings
//===----------------------------------------------------------------------===//

namespace {
/// A lane of a subgroup; several dimensions make one id.
struct LaneMapping
    : public ExecutionMappingAttrInterface::ExternalModel<LaneMapping,
                                                          GPU::LaneIdAttr> {
  ExecutionScope getIterationScope(Attribute) const {
    return ExecutionScope::Thread;
  }
  bool isLaneMapping(Attribute) const { return true; }
  bool isLinear(Attribute) const { return true; }
  unsigned getDimension(Attribute attr) const {
    return cast<GPU::LaneIdAttr>(attr).getDim();
  }
};

/// A workgroup. IREE may split z into several dimensions, so that all of them
/// are one id, of which IREE takes the parts.
struct WorkgroupMapping : public ExecutionMappingAttrInterface::ExternalModel<
                              WorkgroupMapping, Codegen::WorkgroupMappingAttr> {
  ExecutionScope getIterationScope(Attribute) const {
    return ExecutionScope::Workgroup;
  }
  bool isLaneMapping(Attribute) const { return false; }
  bool isLinear(Attribute) const { return true; }
  unsigned getDimension(Attribute attr) const {
    auto mapping = cast<Codegen::WorkgroupMappingAttr>(attr);
    return unsigned(mapping.getId()) + mapping.getDelinearizedDim();
  }
};

//===----------------------------------------------------------------------===//
// Ids and constants
//===----------------------------------------------------------------------===//

/// The same in these threads; the ops have no operands.
template <typename OpT, ExecutionScope scope>
struct SameModel
    : public UniformityOpInterface::ExternalModel<SameModel<OpT, scope>, OpT> {
  ExecutionScope getResultScope(Operation *) const { return scope; }
};

/// From `least` on, and no more than the op says: `bound` is the first number
/// that an id is not, and the largest count.
template <typename OpT, int64_t least>
struct BoundsModel
    : public ValueBoundsOpInterface::ExternalModel<BoundsModel<OpT, least>,
                                                   OpT> {
  void populateBoundsForIndexValue(Operation *op, Value value,
                                   ValueBoundsConstraintSet &bounds) const {
    bounds.bound(value) >= least;
    if (std::optional<APInt> bound = cast<OpT>(op).getUpperBound())
      bounds.bound(value) <= bound->getSExtValue() - (least == 0);
  }
};

/// What is assumed of a number does not change it.
struct AssumeModel
    : public UniformityOpInterface::ExternalModel<AssumeModel,
                                                  Util::AssumeIntOp> {
  ExecutionScope getResultScope(Operation *) const {
    return ExecutionScope::Grid;
  }
};

//===----------------------------------------------------------------------===//
// Bindings
//===----------------------------------------------------------------------===//

/// A part of a buffer of the host. Bindings of different numbers are different
/// memory, as IREE's own passes take them.
struct BindingModel : public MemoryRootOpInterface::ExternalModel<
                          BindingModel, HAL::InterfaceBindingSubspanOp> {
  NamedMemory getNamedMemory(Operation *op, OpResult) const {
    auto subspan = cast<HAL::InterfaceBindingSubspanOp>(op);
    NamedMemory named;
    named.identity = subspan.getBindingAttr();
    named.space = MemorySpace::Global;
    // The offset in the layout repeats the one in bytes, or counts from it:
    // nothing is said where there is one.
    auto type = dyn_cast<MemRefType>(subspan.getResult().getType());
    SmallVector<int64_t> strides;
    int64_t offset;
    if (!type || failed(type.getStridesAndOffset(strides, offset)) ||
        offset != 0)
      return named;
    if (Value bytes = subspan.getByteOffset())
      named.byteOffset = bytes;
    else
      named.byteOffset = IntegerAttr::get(IndexType::get(op->getContext()), 0);
    return named;
  }
};

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

/// All threads of the workgroup wait there; what they inserted is one tensor.
template <typename OpT>
struct BarrierModel
    : public CollectiveOpInterface::ExternalModel<BarrierModel<OpT>, OpT> {
  ExecutionScope getCollectiveScope(Operation *) const {
    return ExecutionScope::Workgroup;
  }
};
} // namespace

void iree::registerModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, GPU::IREEGPUDialect *) {
    GPU::LaneIdAttr::attachInterface<LaneMapping>(*context);
    GPU::BarrierRegionOp::attachInterface<BarrierModel<GPU::BarrierRegionOp>>(
        *context);
    GPU::ValueBarrierOp::attachInterface<BarrierModel<GPU::ValueBarrierOp>>(
        *context);
  });
  registry.addExtension(+[](MLIRContext *context,
                            Codegen::IREECodegenDialect *) {
    Codegen::WorkgroupMappingAttr::attachInterface<WorkgroupMapping>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, HAL::HALDialect *) {
    HAL::InterfaceBindingSubspanOp::attachInterface<
        BindingModel,
        SameModel<HAL::InterfaceBindingSubspanOp, ExecutionScope::Grid>>(
        *context);
    HAL::InterfaceConstantLoadOp::attachInterface<
        SameModel<HAL::InterfaceConstantLoadOp, ExecutionScope::Grid>>(
        *context);
    HAL::InterfaceWorkgroupIDOp::attachInterface<
        SameModel<HAL::InterfaceWorkgroupIDOp, ExecutionScope::Workgroup>,
        BoundsModel<HAL::InterfaceWorkgroupIDOp, 0>>(*context);
    HAL::InterfaceWorkgroupCountOp::attachInterface<
        SameModel<HAL::InterfaceWorkgroupCountOp, ExecutionScope::Grid>,
        BoundsModel<HAL::InterfaceWorkgroupCountOp, 1>>(*context);
    HAL::InterfaceWorkgroupSizeOp::attachInterface<
        SameModel<HAL::InterfaceWorkgroupSizeOp, ExecutionScope::Grid>,
        BoundsModel<HAL::InterfaceWorkgroupSizeOp, 1>>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, Util::UtilDialect *) {
    Util::AssumeIntOp::attachInterface<AssumeModel>(*context);
  });
}
