//===- Instrumentation.cpp - every access asks the runtime ----------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Instrumentation.h"
#include "RuntimeFunctions.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Scalar/ScalarizeMaskedMemIntrin.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace mlir::memspace;
using namespace mlir::memspace::emulator;
using llvm::Instruction;
using llvm::Value;

/// Masked loads and stores, gathers and scatters become branches around scalar
/// accesses, so that only what the mask lets through is seen.
static void scalarizeMaskedAccesses(llvm::Module &module) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
  // Without a target machine nothing masked is legal, so all is scalarized.
  llvm::PassBuilder builder;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  llvm::FunctionPassManager pm;
  pm.addPass(llvm::ScalarizeMaskedMemIntrinPass());
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      pm.run(function, functions);
}

static bool hasMaskedAccess(llvm::Module &module) {
  for (llvm::Function &function : module)
    if (function.isIntrinsic() &&
        function.getName().starts_with("llvm.masked."))
      return true;
  return false;
}

namespace {
class Instrumenter {
public:
  Instrumenter(llvm::Function &function, uint32_t &numCopies)
      : function(function), module(*function.getParent()),
        layout(module.getDataLayout()), builder(module.getContext()),
        numCopies(numCopies) {}

  void run();

private:
  Value *call(llvm::StringRef name, llvm::Type *result,
              llvm::ArrayRef<Value *> arguments);
  Value *site(const Instruction &inst);
  Value *size(llvm::Type *type);
  void redirect(Instruction &inst, unsigned operand, llvm::StringRef name,
                llvm::Type *type);
  void redirectCopy(Instruction &inst, unsigned operand, llvm::StringRef name,
                    llvm::LoadInst &load);
  bool instrumentIntrinsic(llvm::IntrinsicInst &inst);
  void replaceAlloca(llvm::AllocaInst &alloca);

  llvm::Function &function;
  llvm::Module &module;
  const llvm::DataLayout &layout;
  llvm::IRBuilder<> builder;
  /// Loads that only move a value to another place, with their numbers.
  llvm::DenseMap<llvm::LoadInst *, uint32_t> copies;
  uint32_t &numCopies;
};
} // namespace

Value *Instrumenter::call(llvm::StringRef name, llvm::Type *result,
                          llvm::ArrayRef<Value *> arguments) {
  llvm::SmallVector<llvm::Type *> types;
  for (Value *argument : arguments)
    types.push_back(argument->getType());
  auto *type = llvm::FunctionType::get(result, types, /*isVarArg=*/false);
  return builder.CreateCall(module.getOrInsertFunction(name, type), arguments);
}

Value *Instrumenter::site(const Instruction &inst) {
  const llvm::DebugLoc &loc = inst.getDebugLoc();
  return builder.getInt32(loc ? loc.getLine() : 0);
}

Value *Instrumenter::size(llvm::Type *type) {
  return builder.getInt64(layout.getTypeStoreSize(type).getFixedValue());
}

/// Operand `operand` of `inst`, an address, becomes the real one.
void Instrumenter::redirect(Instruction &inst, unsigned operand,
                            llvm::StringRef name, llvm::Type *type) {
  builder.SetInsertPoint(&inst);
  inst.setOperand(operand,
                  call(name, builder.getPtrTy(),
                       {inst.getOperand(operand), size(type), site(inst)}));
}

/// A load or store that moves a value which nothing else uses.
void Instrumenter::redirectCopy(Instruction &inst, unsigned operand,
                                llvm::StringRef name, llvm::LoadInst &load) {
  builder.SetInsertPoint(&inst);
  inst.setOperand(operand,
                  call(name, builder.getPtrTy(),
                       {inst.getOperand(operand), size(load.getType()),
                        site(inst), builder.getInt32(copies.at(&load))}));
}

/// Returns true when `inst` was replaced.
bool Instrumenter::instrumentIntrinsic(llvm::IntrinsicInst &inst) {
  builder.SetInsertPoint(&inst);
  llvm::Type *voidType = builder.getVoidTy();
  auto length = [&](Value *value) {
    return builder.CreateZExtOrTrunc(value, builder.getInt64Ty());
  };
  switch (inst.getIntrinsicID()) {
  case llvm::Intrinsic::memcpy:
  case llvm::Intrinsic::memcpy_inline:
  case llvm::Intrinsic::memmove:
    call(rt::kCopy, voidType,
         {inst.getArgOperand(0), inst.getArgOperand(1),
          length(inst.getArgOperand(2)), site(inst)});
    break;
  case llvm::Intrinsic::memset:
  case llvm::Intrinsic::memset_inline:
    call(rt::kFill, voidType,
         {inst.getArgOperand(0), inst.getArgOperand(1),
          length(inst.getArgOperand(2)), site(inst)});
    break;
  case llvm::Intrinsic::stacksave:
    inst.replaceAllUsesWith(builder.CreateIntToPtr(
        call(rt::kStackSave, builder.getInt64Ty(), {}), builder.getPtrTy()));
    break;
  case llvm::Intrinsic::stackrestore:
    call(rt::kStackRestore, voidType,
         {builder.CreatePtrToInt(inst.getArgOperand(0), builder.getInt64Ty())});
    break;
  case llvm::Intrinsic::lifetime_start:
  case llvm::Intrinsic::lifetime_end:
    break;
  default:
    return false;
  }
  inst.eraseFromParent();
  return true;
}

void Instrumenter::replaceAlloca(llvm::AllocaInst &alloca) {
  builder.SetInsertPoint(&alloca);
  Value *count =
      builder.CreateZExtOrTrunc(alloca.getArraySize(), builder.getInt64Ty());
  Value *bytes = builder.CreateMul(
      count,
      builder.getInt64(
          layout.getTypeAllocSize(alloca.getAllocatedType()).getFixedValue()));
  alloca.replaceAllUsesWith(
      call(rt::kAlloca, builder.getPtrTy(), {bytes, site(alloca)}));
  alloca.eraseFromParent();
}

void Instrumenter::run() {
  llvm::SmallVector<Instruction *> accesses;
  llvm::SmallVector<llvm::AllocaInst *> allocas;
  for (Instruction &inst : llvm::instructions(function)) {
    if (auto *alloca = llvm::dyn_cast<llvm::AllocaInst>(&inst))
      allocas.push_back(alloca);
    else if (inst.mayReadOrWriteMemory())
      accesses.push_back(&inst);
  }

  llvm::SmallVector<
      std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>>
      backedges;
  llvm::FindFunctionBackedges(function, backedges);

  // The stack of a called function ends with it.
  if (!allocas.empty() && function.getName() != kEntrySymbol) {
    builder.SetInsertPoint(&*function.getEntryBlock().getFirstInsertionPt());
    Value *saved = call(rt::kStackSave, builder.getInt64Ty(), {});
    for (llvm::BasicBlock &block : function)
      if (auto *ret = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator())) {
        builder.SetInsertPoint(ret);
        call(rt::kStackRestore, builder.getVoidTy(), {saved});
      }
  }
  for (llvm::AllocaInst *alloca : allocas)
    replaceAlloca(*alloca);

  // The first load of a compare-and-exchange loop is part of the atomic.
  llvm::SmallDenseSet<unsigned> exchangeSites;
  for (Instruction *inst : accesses)
    if (llvm::isa<llvm::AtomicCmpXchgInst>(inst) && inst->getDebugLoc())
      exchangeSites.insert(inst->getDebugLoc().getLine());
  auto isAtomicLoad = [&](const llvm::LoadInst &load) {
    return load.isAtomic() ||
           (load.getDebugLoc() &&
            exchangeSites.contains(load.getDebugLoc().getLine()));
  };
  for (Instruction *inst : accesses) {
    auto *load = llvm::dyn_cast<llvm::LoadInst>(inst);
    // In one block, so that the store always stores what was loaded last.
    if (load && !load->use_empty() && !isAtomicLoad(*load) &&
        llvm::all_of(load->users(), [&](llvm::User *user) {
          auto *store = llvm::dyn_cast<llvm::StoreInst>(user);
          return store && store->getValueOperand() == load &&
                 store->getParent() == load->getParent();
        }))
      copies[load] = numCopies++;
  }
  for (Instruction *inst : accesses) {
    if (auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(inst)) {
      instrumentIntrinsic(*intrinsic);
    } else if (auto *load = llvm::dyn_cast<llvm::LoadInst>(inst)) {
      if (isAtomicLoad(*load))
        redirect(*load, 0, rt::kAtomic, load->getType());
      else if (copies.count(load))
        redirectCopy(*load, 0, rt::kReadForCopy, *load);
      else
        redirect(*load, 0, rt::kRead, load->getType());
    } else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(inst)) {
      auto *moved = llvm::dyn_cast<llvm::LoadInst>(store->getValueOperand());
      if (moved && copies.count(moved) && !store->isAtomic())
        redirectCopy(*store, 1, rt::kWriteCopy, *moved);
      else
        redirect(*store, 1, store->isAtomic() ? rt::kAtomicWrite : rt::kWrite,
                 store->getValueOperand()->getType());
    } else if (auto *rmw = llvm::dyn_cast<llvm::AtomicRMWInst>(inst)) {
      redirect(*rmw, 0,
               rmw->getOperation() == llvm::AtomicRMWInst::Xchg &&
                       rmw->use_empty()
                   ? rt::kAtomicWrite
                   : rt::kAtomic,
               rmw->getValOperand()->getType());
    } else if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(inst)) {
      redirect(*exchange, 0, rt::kAtomic,
               exchange->getNewValOperand()->getType());
    }
  }

  for (auto [from, to] : backedges) {
    Instruction *jump = const_cast<llvm::BasicBlock *>(from)->getTerminator();
    builder.SetInsertPoint(jump);
    call(rt::kStep, builder.getVoidTy(), {site(*jump)});
  }
}

/// The runtime is called only for an index that is wrong.
static void inlineIndexChecks(llvm::Module &module) {
  llvm::Function *check = module.getFunction(rt::kIndex);
  if (!check)
    return;
  llvm::SmallVector<llvm::CallInst *> calls;
  for (llvm::User *user : check->users())
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(user))
      calls.push_back(call);
  for (llvm::CallInst *call : calls) {
    llvm::IRBuilder<> builder(call);
    Value *index = call->getArgOperand(0), *extent = call->getArgOperand(1);
    Value *size = call->getArgOperand(2);
    Value *isNegative = builder.CreateICmpSLT(index, builder.getInt64(0));
    Value *isBeyond =
        builder.CreateICmpSGT(builder.CreateAdd(index, extent), size);
    Value *isWrong = builder.CreateOr(isNegative, isBeyond);
    if (auto *constant = llvm::dyn_cast<llvm::ConstantInt>(isWrong);
        constant && constant->isZero()) {
      call->eraseFromParent();
      continue;
    }
    Instruction *then =
        llvm::SplitBlockAndInsertIfThen(isWrong, call, /*Unreachable=*/false);
    call->moveBefore(then->getIterator());
  }
}

static void removeUses(llvm::Module &module) {
  for (llvm::Function &function : llvm::make_early_inc_range(module)) {
    if (!function.getName().starts_with(rt::kUse))
      continue;
    for (llvm::User *user : llvm::make_early_inc_range(function.users()))
      llvm::cast<Instruction>(user)->eraseFromParent();
    function.eraseFromParent();
  }
}

/// An integer division that has no result traps on the CPU, on a GPU it gives
/// any value. Here it gives what a division by 1 gives.
static void makeDivisionsTotal(llvm::Function &function) {
  for (Instruction &instruction : llvm::instructions(function)) {
    bool isSigned = instruction.getOpcode() == Instruction::SDiv ||
                    instruction.getOpcode() == Instruction::SRem;
    if (!isSigned && instruction.getOpcode() != Instruction::UDiv &&
        instruction.getOpcode() != Instruction::URem)
      continue;
    Value *dividend = instruction.getOperand(0);
    Value *divisor = instruction.getOperand(1);
    llvm::Type *type = divisor->getType();
    if (auto *constant = llvm::dyn_cast<llvm::ConstantInt>(divisor))
      if (!constant->isZero() && !constant->isMinusOne())
        continue;
    llvm::IRBuilder<> builder(&instruction);
    Value *hasNone =
        builder.CreateICmpEQ(divisor, llvm::Constant::getNullValue(type));
    if (isSigned) {
      Value *isLeast = builder.CreateICmpEQ(
          dividend,
          llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(
                                           type->getScalarSizeInBits())));
      Value *isMinusOne =
          builder.CreateICmpEQ(divisor, llvm::Constant::getAllOnesValue(type));
      hasNone =
          builder.CreateOr(hasNone, builder.CreateAnd(isLeast, isMinusOne));
    }
    instruction.setOperand(
        1, builder.CreateSelect(hasNone, llvm::ConstantInt::get(type, 1),
                                divisor));
  }
}

void emulator::instrument(llvm::Module &module) {
  removeUses(module);
  if (hasMaskedAccess(module))
    scalarizeMaskedAccesses(module);
  llvm::SmallVector<llvm::Function *> functions;
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      functions.push_back(&function);
  for (llvm::Function *function : functions)
    makeDivisionsTotal(*function);
  uint32_t numCopies = 0;
  for (llvm::Function *function : functions)
    Instrumenter(*function, numCopies).run();
  inlineIndexChecks(module);
}

void emulator::addEntry(llvm::Module &module, llvm::StringRef kernel) {
  llvm::LLVMContext &context = module.getContext();
  llvm::IRBuilder<> builder(context);
  llvm::Function *callee = module.getFunction(kernel);
  auto *type =
      llvm::FunctionType::get(builder.getVoidTy(), {builder.getPtrTy()},
                              /*isVarArg=*/false);
  auto *entry = llvm::Function::Create(type, llvm::Function::ExternalLinkage,
                                       kEntrySymbol, module);
  builder.SetInsertPoint(llvm::BasicBlock::Create(context, "", entry));
  llvm::SmallVector<llvm::Value *> arguments;
  for (llvm::Argument &parameter : callee->args()) {
    llvm::Value *slot =
        builder.CreateConstGEP1_64(builder.getInt8Ty(), entry->getArg(0),
                                   parameter.getArgNo() * kSlotBytes);
    arguments.push_back(builder.CreateLoad(parameter.getType(), slot));
  }
  builder.CreateCall(callee, arguments);
  builder.CreateRetVoid();
}
