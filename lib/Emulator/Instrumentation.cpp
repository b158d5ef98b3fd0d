//===- Instrumentation.cpp - every access asks the runtime ----------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Instrumentation.h"
#include "HostSymbols.h"
#include "RuntimeFunctions.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Scalar/ScalarizeMaskedMemIntrin.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace mlir::memspace;
using namespace mlir::memspace::emulator;
using llvm::Instruction;
using llvm::Value;

/// Instructions that take about as long as an access.
static constexpr uint64_t kInstructionsPerStep = 32;

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

  llvm::Error run();

private:
  Value *call(llvm::StringRef name, llvm::Type *result,
              llvm::ArrayRef<Value *> arguments);
  Value *site(const Instruction &inst);
  Value *callAccess(llvm::StringRef name, Value *address, llvm::Type *type,
                    llvm::ArrayRef<Value *> others);
  void setAlignment(Instruction &inst, llvm::Type *type);
  void redirect(Instruction &inst, unsigned operand, llvm::StringRef name,
                llvm::Type *type);
  void redirectCopy(Instruction &inst, unsigned operand, llvm::StringRef name,
                    llvm::LoadInst &load);
  llvm::Error instrumentCall(llvm::CallInst &inst);
  llvm::Error instrumentAccess(Instruction &inst);
  void findCopies(llvm::ArrayRef<Instruction *> accesses);
  bool isAtomicLoad(const llvm::LoadInst &load) const;
  void countSteps();
  void saveStack();
  void replaceAlloca(llvm::AllocaInst &alloca);

  llvm::Function &function;
  llvm::Module &module;
  const llvm::DataLayout &layout;
  llvm::IRBuilder<> builder;
  /// Of compare-and-exchange loops, whose first load is part of the atomic.
  llvm::SmallDenseSet<unsigned> exchangeSites;
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

/// The real address of what an access of `type` is to.
Value *Instrumenter::callAccess(llvm::StringRef name, Value *address,
                                llvm::Type *type,
                                llvm::ArrayRef<Value *> others) {
  uint64_t size = layout.getTypeStoreSize(type).getFixedValue();
  llvm::SmallVector<Value *> arguments = {address};
  std::string sized;
  if (rt::hasSized(size) && name != rt::kAtomic && name != rt::kAtomicWrite)
    name = sized = rt::getSized(name, size);
  else
    arguments.push_back(builder.getInt64(size));
  arguments.append(others.begin(), others.end());
  return call(name, builder.getPtrTy(), arguments);
}

/// Real addresses are those of bytes. Atomics are the exception: the runtime
/// lets them through at multiples of their size only.
void Instrumenter::setAlignment(Instruction &inst, llvm::Type *type) {
  llvm::Align natural(
      llvm::PowerOf2Ceil(layout.getTypeStoreSize(type).getFixedValue()));
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&inst))
    load->setAlignment(load->isAtomic() ? natural : llvm::Align(1));
  else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&inst))
    store->setAlignment(store->isAtomic() ? natural : llvm::Align(1));
  else if (auto *rmw = llvm::dyn_cast<llvm::AtomicRMWInst>(&inst))
    rmw->setAlignment(natural);
  else
    llvm::cast<llvm::AtomicCmpXchgInst>(inst).setAlignment(natural);
}

/// Operand `operand` of `inst`, an address, becomes the real one.
void Instrumenter::redirect(Instruction &inst, unsigned operand,
                            llvm::StringRef name, llvm::Type *type) {
  builder.SetInsertPoint(&inst);
  setAlignment(inst, type);
  inst.setOperand(operand,
                  callAccess(name, inst.getOperand(operand), type, site(inst)));
}

/// A load or store that moves a value which nothing else uses.
void Instrumenter::redirectCopy(Instruction &inst, unsigned operand,
                                llvm::StringRef name, llvm::LoadInst &load) {
  builder.SetInsertPoint(&inst);
  setAlignment(inst, load.getType());
  inst.setOperand(operand,
                  callAccess(name, inst.getOperand(operand), load.getType(),
                             {site(inst), builder.getInt32(copies.at(&load))}));
}

static llvm::Error makeError(const Instruction &inst) {
  std::string text;
  llvm::raw_string_ostream(text) << inst;
  return llvm::createStringError("the emulator does not watch what '" +
                                 llvm::StringRef(text).trim() + "' does");
}

llvm::Error Instrumenter::instrumentCall(llvm::CallInst &inst) {
  builder.SetInsertPoint(&inst);
  llvm::Function *callee = inst.getCalledFunction();
  if (!callee)
    return makeError(inst);
  switch (callee->getIntrinsicID()) {
  case llvm::Intrinsic::not_intrinsic:
    return callee->isDeclaration() && !isHostSymbol(callee->getName())
               ? makeError(inst)
               : llvm::Error::success();
  case llvm::Intrinsic::stacksave:
    inst.replaceAllUsesWith(builder.CreateIntToPtr(
        call(rt::kStackSave, builder.getInt64Ty(), {}), builder.getPtrTy()));
    break;
  case llvm::Intrinsic::stackrestore:
    call(rt::kStackRestore, builder.getVoidTy(),
         {builder.CreatePtrToInt(inst.getArgOperand(0), builder.getInt64Ty())});
    break;
  // Hints to an optimizer.
  case llvm::Intrinsic::assume:
  case llvm::Intrinsic::lifetime_start:
  case llvm::Intrinsic::lifetime_end:
  case llvm::Intrinsic::prefetch:
    break;
  default:
    return makeError(inst);
  }
  inst.eraseFromParent();
  return llvm::Error::success();
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

bool Instrumenter::isAtomicLoad(const llvm::LoadInst &load) const {
  return load.isAtomic() ||
         (load.getDebugLoc() &&
          exchangeSites.contains(load.getDebugLoc().getLine()));
}

void Instrumenter::findCopies(llvm::ArrayRef<Instruction *> accesses) {
  for (Instruction *inst : accesses)
    if (llvm::isa<llvm::AtomicCmpXchgInst>(inst) && inst->getDebugLoc())
      exchangeSites.insert(inst->getDebugLoc().getLine());
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
}

llvm::Error Instrumenter::instrumentAccess(Instruction &inst) {
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&inst)) {
    if (isAtomicLoad(*load))
      redirect(*load, 0, rt::kAtomic, load->getType());
    else if (copies.count(load))
      redirectCopy(*load, 0, rt::kReadForCopy, *load);
    else
      redirect(*load, 0, rt::kRead, load->getType());
  } else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&inst)) {
    auto *moved = llvm::dyn_cast<llvm::LoadInst>(store->getValueOperand());
    if (moved && copies.count(moved) && !store->isAtomic())
      redirectCopy(*store, 1, rt::kWriteCopy, *moved);
    else
      redirect(*store, 1, store->isAtomic() ? rt::kAtomicWrite : rt::kWrite,
               store->getValueOperand()->getType());
  } else if (auto *rmw = llvm::dyn_cast<llvm::AtomicRMWInst>(&inst)) {
    redirect(*rmw, 0,
             rmw->getOperation() == llvm::AtomicRMWInst::Xchg &&
                     rmw->use_empty()
                 ? rt::kAtomicWrite
                 : rt::kAtomic,
             rmw->getValOperand()->getType());
  } else if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&inst)) {
    redirect(*exchange, 0, rt::kAtomic,
             exchange->getNewValOperand()->getType());
  } else if (auto *callInst = llvm::dyn_cast<llvm::CallInst>(&inst)) {
    return instrumentCall(*callInst);
  } else {
    return makeError(inst);
  }
  return llvm::Error::success();
}

/// The stack of a called function ends with it.
void Instrumenter::saveStack() {
  builder.SetInsertPoint(&*function.getEntryBlock().getFirstInsertionPt());
  Value *saved = call(rt::kStackSave, builder.getInt64Ty(), {});
  for (llvm::BasicBlock &block : function)
    if (auto *ret = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator())) {
      builder.SetInsertPoint(ret);
      call(rt::kStackRestore, builder.getVoidTy(), {saved});
    }
}

/// Instructions of scalars that a CPU executes for `block`, roughly: a function
/// of the math library counts as many.
static uint64_t getNumInstructions(const llvm::BasicBlock &block) {
  uint64_t count = 0;
  for (const Instruction &inst : block) {
    uint64_t lanes = 1;
    llvm::Type *types[] = {inst.getType(), inst.getNumOperands()
                                               ? inst.getOperand(0)->getType()
                                               : inst.getType()};
    for (llvm::Type *type : types)
      if (auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
        lanes = std::max<uint64_t>(lanes, vector->getNumElements());
    count += lanes * (llvm::isa<llvm::CallInst>(inst) ? 16 : 1);
  }
  return count;
}

/// Calls the runtime in each cycle of the control flow, and at the start of
/// the function, which others may call without any loop.
void Instrumenter::countSteps() {
  llvm::SmallVector<
      std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>>
      backedges;
  llvm::FindFunctionBackedges(function, backedges);
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  llvm::DenseMap<const llvm::BasicBlock *, uint64_t> sizes;
  uint64_t functionSize = 0;
  for (const llvm::BasicBlock &block : function)
    functionSize += sizes[&block] = getNumInstructions(block);
  auto countBefore = [&](Instruction &inst, uint64_t numInstructions) {
    builder.SetInsertPoint(&inst);
    call(rt::kStep, builder.getVoidTy(),
         {site(inst),
          builder.getInt64(1 + numInstructions / kInstructionsPerStep)});
  };
  for (auto [from, to] : backedges) {
    // Of a cycle that is no natural loop nothing is known.
    uint64_t loopSize = functionSize;
    if (llvm::Loop *loop = loops.getLoopFor(to);
        loop && loop->getHeader() == to) {
      loopSize = 0;
      for (const llvm::BasicBlock *block : loop->blocks())
        loopSize += sizes[block];
    }
    countBefore(*const_cast<llvm::BasicBlock *>(from)->getTerminator(),
                loopSize);
  }
  countBefore(*function.getEntryBlock().getFirstInsertionPt(), functionSize);
}

llvm::Error Instrumenter::run() {
  countSteps();
  llvm::SmallVector<Instruction *> accesses;
  llvm::SmallVector<llvm::AllocaInst *> allocas;
  for (Instruction &inst : llvm::instructions(function)) {
    if (auto *alloca = llvm::dyn_cast<llvm::AllocaInst>(&inst))
      allocas.push_back(alloca);
    else if (inst.mayReadOrWriteMemory())
      accesses.push_back(&inst);
  }
  if (!allocas.empty())
    saveStack();
  for (llvm::AllocaInst *alloca : allocas)
    replaceAlloca(*alloca);
  findCopies(accesses);
  for (Instruction *inst : accesses)
    if (llvm::Error error = instrumentAccess(*inst))
      return error;
  return llvm::Error::success();
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
    // One comparison where size and extent are constants.
    Value *isWrong = builder.CreateOr(
        builder.CreateICmpUGT(index, builder.CreateSub(size, extent)),
        builder.CreateICmpSLT(size, extent));
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

/// What LLVM may take for granted (no overflow, an alignment, no alias) must
/// not change what the code does: it is the kernel's promise, which may be
/// broken. A jump table would be left by a value that is poison.
static void dropPromises(llvm::Function &function) {
  function.addFnAttr("no-jump-tables", "true");
  for (Instruction &inst : llvm::instructions(function)) {
    inst.dropPoisonGeneratingFlags();
    inst.dropUnknownNonDebugMetadata();
  }
}

llvm::Error emulator::instrument(llvm::Module &module) {
  removeUses(module);
  if (hasMaskedAccess(module))
    scalarizeMaskedAccesses(module);
  llvm::SmallVector<llvm::Function *> functions;
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      functions.push_back(&function);
  for (llvm::Function *function : functions) {
    dropPromises(*function);
    makeDivisionsTotal(*function);
  }
  uint32_t numCopies = 0;
  for (llvm::Function *function : functions)
    if (llvm::Error error = Instrumenter(*function, numCopies).run())
      return error;
  inlineIndexChecks(module);
  return llvm::Error::success();
}

void emulator::addEntry(llvm::Module &module, llvm::StringRef kernel) {
  llvm::LLVMContext &context = module.getContext();
  const llvm::DataLayout &layout = module.getDataLayout();
  llvm::IRBuilder<> builder(context);
  llvm::Function *callee = module.getFunction(kernel);
  auto *type =
      llvm::FunctionType::get(builder.getVoidTy(), {builder.getPtrTy()},
                              /*isVarArg=*/false);
  auto *entry = llvm::Function::Create(type, llvm::Function::ExternalLinkage,
                                       kEntrySymbol, module);
  builder.SetInsertPoint(llvm::BasicBlock::Create(context, "", entry));
  llvm::SmallVector<llvm::Value *> arguments;
  uint64_t offset = 0;
  for (llvm::Argument &parameter : callee->args()) {
    llvm::Value *slot = builder.CreateConstGEP1_64(builder.getInt8Ty(),
                                                   entry->getArg(0), offset);
    arguments.push_back(
        builder.CreateAlignedLoad(parameter.getType(), slot, llvm::Align(1)));
    offset += llvm::alignTo(
        layout.getTypeAllocSize(parameter.getType()).getFixedValue(),
        kSlotBytes);
  }
  builder.CreateCall(callee, arguments);
  builder.CreateRetVoid();
}
