//===- Compilation.cpp - from the LLVM dialect to code of the CPU ---------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compilation.h"
#include "HostSymbols.h"
#include "Instrumentation.h"
#include "Lowering.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/ExecutionEngine/Orc/ObjectTransformLayer.h"
#include "llvm/ExecutionEngine/Orc/ThreadSafeModule.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/DataExtractor.h"
#include "llvm/Support/TargetSelect.h"
#include <mutex>

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::emulator;

CompiledCode::CompiledCode() = default;
CompiledCode::~CompiledCode() = default;

/// The sum of all frames: without recursion each function is in a chain of
/// calls once. A frame that is aligned for large vectors may begin as far away
/// as it is large. Objects other than ELF do not say, and count as 0.
static llvm::Expected<int64_t> getFrameBytes(llvm::MemoryBufferRef object) {
  auto file = llvm::object::ObjectFile::createObjectFile(object);
  if (!file)
    return file.takeError();
  int64_t sum = 0;
  for (const llvm::object::SectionRef &section : (*file)->sections()) {
    llvm::Expected<StringRef> name = section.getName();
    if (!name)
      return name.takeError();
    if (*name != ".stack_sizes")
      continue;
    llvm::Expected<StringRef> contents = section.getContents();
    if (!contents)
      return contents.takeError();
    // Entries are the address of a function and the size of its frame.
    llvm::DataExtractor extractor(*contents, (*file)->isLittleEndian(),
                                  (*file)->getBytesInAddress());
    llvm::DataExtractor::Cursor cursor(0);
    while (cursor && !extractor.eof(cursor)) {
      extractor.getAddress(cursor);
      sum += 2 * extractor.getULEB128(cursor);
    }
    if (llvm::Error error = cursor.takeError())
      return std::move(error);
  }
  return sum;
}

static llvm::Expected<std::unique_ptr<llvm::orc::LLJIT>> makeJIT() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
  auto target = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!target)
    return target.takeError();
  // These round a float to bf16, but take what is denormal for zero, which no
  // GPU does.
  if (target->getTargetTriple().isX86())
    target->addFeatures({"-avx512bf16", "-avxneconvert"});
  // Kernels run once or a few times: compiling must be fast.
  target->setCodeGenOptLevel(llvm::CodeGenOptLevel::None);
  target->getOptions().EmitStackSizeSection = true;
  auto jit = llvm::orc::LLJITBuilder()
                 .setJITTargetMachineBuilder(std::move(*target))
                 .create();
  if (!jit)
    return jit.takeError();
  if (llvm::Error error = defineHostSymbols(**jit))
    return std::move(error);
  return std::move(*jit);
}

/// Translates the module; its diagnostics point to site numbers.
static llvm::Expected<std::unique_ptr<llvm::Module>>
translate(ModuleOp module, llvm::LLVMContext &context) {
  std::string first;
  ScopedDiagnosticHandler handler(module.getContext(), [&](Diagnostic &diag) {
    if (diag.getSeverity() == DiagnosticSeverity::Error && first.empty())
      first = diag.str();
    return success();
  });
  std::unique_ptr<llvm::Module> code = translateModuleToLLVMIR(module, context);
  if (!code)
    return llvm::createStringError("translation to LLVM IR failed: " + first);
  return code;
}

llvm::Error emulator::compileCode(ModuleOp module, const Program &program,
                                  CompiledCode &code) {
  auto jit = makeJIT();
  if (!jit)
    return jit.takeError();
  code.jit = std::move(*jit);
  code.jit->getObjTransformLayer().setTransform(
      [&code](std::unique_ptr<llvm::MemoryBuffer> object)
          -> llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> {
        llvm::Expected<int64_t> bytes = getFrameBytes(*object);
        if (!bytes)
          return bytes.takeError();
        code.frameBytes += *bytes;
        return std::move(object);
      });
  auto context = std::make_unique<llvm::LLVMContext>();
  auto ir = translate(module, *context);
  if (!ir)
    return ir.takeError();
  (*ir)->setDataLayout(code.jit->getDataLayout());
  (*ir)->setTargetTriple(code.jit->getTargetTriple());
  if (llvm::Error error = instrument(**ir))
    return error;
  addEntry(**ir, kKernelSymbol);
  if (llvm::Error error = code.jit->addIRModule(
          llvm::orc::ThreadSafeModule(std::move(*ir), std::move(context))))
    return error;
  auto entry = code.jit->lookup(kEntrySymbol);
  if (!entry)
    return entry.takeError();
  code.entry = entry->toPtr<void (*)(const void *)>();
  for (const GlobalInfo &global : program.globals) {
    code.globalContents.push_back(nullptr);
    if (!global.isInitialized)
      continue;
    auto address = code.jit->lookup(global.symbol);
    if (!address)
      return address.takeError();
    code.globalContents.back() = address->toPtr<const uint8_t *>();
  }
  return llvm::Error::success();
}
