//===- LoweredChecks.cpp - which LLVM ops may come out of the lowering ----===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The instrumentation watches loads, stores and atomics. What else may stand in
// the code that will run in this process is listed here, whatever upstream's
// conversions make of an op. Their claims about effects are not asked.
//
//===----------------------------------------------------------------------===//

#include "HostSymbols.h"
#include "Lowering.h"
#include "RuntimeFunctions.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::emulator;

/// Arithmetic: values in, values out. Division and what else may have no result
/// is made total by the instrumentation.
static bool isArithmetic(Operation *op) {
  return isa<
      // Integers.
      LLVM::AddOp, LLVM::AndOp, LLVM::AShrOp, LLVM::ICmpOp, LLVM::LShrOp,
      LLVM::MulOp, LLVM::OrOp, LLVM::SDivOp, LLVM::ShlOp, LLVM::SRemOp,
      LLVM::SubOp, LLVM::UDivOp, LLVM::URemOp, LLVM::XOrOp, LLVM::AbsOp,
      LLVM::BitReverseOp, LLVM::ByteSwapOp, LLVM::CountLeadingZerosOp,
      LLVM::CountTrailingZerosOp, LLVM::CtPopOp, LLVM::FshlOp, LLVM::FshrOp,
      LLVM::SMaxOp, LLVM::SMinOp, LLVM::UMaxOp, LLVM::UMinOp,
      LLVM::SAddWithOverflowOp, LLVM::SMulWithOverflowOp,
      LLVM::SSubWithOverflowOp, LLVM::UAddWithOverflowOp,
      LLVM::UMulWithOverflowOp, LLVM::USubWithOverflowOp,
      // Floats.
      LLVM::FAddOp, LLVM::FCmpOp, LLVM::FDivOp, LLVM::FMulOp, LLVM::FNegOp,
      LLVM::FRemOp, LLVM::FSubOp, LLVM::ACosOp, LLVM::ASinOp, LLVM::ATan2Op,
      LLVM::ATanOp, LLVM::CopySignOp, LLVM::CosOp, LLVM::CoshOp, LLVM::Exp10Op,
      LLVM::Exp2Op, LLVM::ExpOp, LLVM::FAbsOp, LLVM::FCeilOp, LLVM::FFloorOp,
      LLVM::FMAOp, LLVM::FMulAddOp, LLVM::FTruncOp, LLVM::IsFPClass,
      LLVM::LoadExpOp, LLVM::Log10Op, LLVM::Log2Op, LLVM::LogOp,
      LLVM::MaximumOp, LLVM::MaxNumOp, LLVM::MinimumOp, LLVM::MinNumOp,
      LLVM::NearbyintOp, LLVM::PowIOp, LLVM::PowOp, LLVM::RintOp,
      LLVM::RoundEvenOp, LLVM::RoundOp, LLVM::SincosOp, LLVM::SinOp,
      LLVM::SinhOp, LLVM::SqrtOp, LLVM::TanhOp, LLVM::TanOp,
      // Conversions.
      LLVM::BitcastOp, LLVM::FPExtOp, LLVM::FPToSIOp, LLVM::FPToUIOp,
      LLVM::FPTruncOp, LLVM::SExtOp, LLVM::SIToFPOp, LLVM::TruncOp,
      LLVM::UIToFPOp, LLVM::ZExtOp>(op);
}

/// Values of several parts, and where values come from.
static bool isPartOp(Operation *op) {
  return isa<
      LLVM::ConstantOp, LLVM::ExtractElementOp, LLVM::ExtractValueOp,
      LLVM::FreezeOp, LLVM::InsertElementOp, LLVM::InsertValueOp,
      LLVM::PoisonOp, LLVM::SelectOp, LLVM::ShuffleVectorOp, LLVM::StepVectorOp,
      LLVM::UndefOp, LLVM::ZeroOp, LLVM::vector_deinterleave2,
      LLVM::vector_extract, LLVM::vector_insert, LLVM::vector_interleave2,
      LLVM::vector_reduce_add, LLVM::vector_reduce_and,
      LLVM::vector_reduce_fadd, LLVM::vector_reduce_fmax,
      LLVM::vector_reduce_fmaximum, LLVM::vector_reduce_fmin,
      LLVM::vector_reduce_fminimum, LLVM::vector_reduce_fmul,
      LLVM::vector_reduce_mul, LLVM::vector_reduce_or, LLVM::vector_reduce_smax,
      LLVM::vector_reduce_smin, LLVM::vector_reduce_umax,
      LLVM::vector_reduce_umin, LLVM::vector_reduce_xor>(op);
}

bool emulator::isLLVMValueOp(Operation *op) {
  return isArithmetic(op) || isPartOp(op);
}

/// What Instrumentation.cpp redirects to the runtime, and hints to an optimizer
/// that it drops.
static bool isInstrumented(Operation *op) {
  return isa<LLVM::AllocaOp, LLVM::AtomicCmpXchgOp, LLVM::AtomicRMWOp,
             LLVM::LoadOp, LLVM::MaskedLoadOp, LLVM::MaskedStoreOp,
             LLVM::StackRestoreOp, LLVM::StackSaveOp, LLVM::StoreOp,
             LLVM::masked_compressstore, LLVM::masked_expandload,
             LLVM::masked_gather, LLVM::masked_scatter, LLVM::AssumeOp,
             LLVM::Prefetch>(op);
}

/// Addresses are numbers here: to compute one touches nothing.
static bool isAddressOp(Operation *op) {
  return isa<LLVM::GEPOp, LLVM::PtrToIntOp>(op);
}

/// Branches between blocks that the code names.
static bool isControlFlow(Operation *op) {
  return isa<LLVM::BrOp, LLVM::CondBrOp, LLVM::LLVMFuncOp, LLVM::ReturnOp,
             LLVM::SwitchOp>(op);
}

/// A direct call of a function with a body, or of one that the process gives.
static bool isKnownCall(LLVM::CallOp call, ModuleOp module) {
  std::optional<StringRef> name = call.getCallee();
  auto callee =
      name ? module.lookupSymbol<LLVM::LLVMFuncOp>(*name) : LLVM::LLVMFuncOp();
  return callee && (!callee.isExternal() || isHostSymbol(*name) ||
                    name->starts_with(rt::kUse));
}

/// Contents that LLVM makes bytes of without asking others.
static bool isKnownGlobal(LLVM::GlobalOp global) {
  return global.getInitializerRegion().empty();
}

static bool isAllowed(Operation *op, ModuleOp module) {
  if (auto call = dyn_cast<LLVM::CallOp>(op))
    return isKnownCall(call, module);
  if (auto global = dyn_cast<LLVM::GlobalOp>(op))
    return isKnownGlobal(global);
  return isLLVMValueOp(op) || isInstrumented(op) || isAddressOp(op) ||
         isControlFlow(op);
}

/// Work for LLVM's code generator: instructions, each for all lanes. To move
/// one element is less; the number is measured.
static int64_t getWork(Operation *op) {
  int64_t lanes = 1;
  auto count = [&](TypeRange types) {
    for (Type type : types)
      if (auto vector = dyn_cast<VectorType>(type))
        lanes = std::max(lanes, vector.getNumElements());
  };
  count(op->getOperandTypes());
  count(op->getResultTypes());
  return isa<LLVM::ExtractElementOp, LLVM::InsertElementOp>(op) ? 1 + lanes / 32
                                                                : lanes;
}

LogicalResult
emulator::checkLowered(ModuleOp module, Location kernelLoc,
                       llvm::function_ref<Location(Operation *)> getLocation,
                       llvm::function_ref<OperationName(Operation *)> getName) {
  Operation *left = nullptr, *unknown = nullptr;
  int64_t work = 0;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == module)
      return;
    work += getWork(op);
    // Conversions leave casts around an op that none of them knew.
    if (!isa<LLVM::LLVMDialect>(op->getDialect())) {
      if (!left || isa<UnrealizedConversionCastOp>(left))
        left = op;
    } else if (!unknown && !isAllowed(op, module)) {
      unknown = op;
    }
  });
  if (left)
    return emitError(getLocation(left))
           << "'" << left->getName() << "' " << kNotEmulated;
  if (unknown) {
    InFlightDiagnostic diag = emitError(getLocation(unknown));
    diag << "'" << getName(unknown) << "' becomes '" << unknown->getName()
         << "'";
    if (auto call = dyn_cast<LLVM::CallOp>(unknown); call && call.getCallee())
      diag << " of '" << *call.getCallee() << "'";
    return diag << ", which the emulator cannot watch; express it by others";
  }
  if (work > kMaxLoweredWork)
    return emitError(kernelLoc)
           << "the kernel becomes " << work << " instructions for single "
           << "values, of " << kMaxLoweredWork
           << " that the emulator compiles; use smaller vectors or loops";
  return success();
}
