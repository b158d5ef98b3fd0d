// MemSpace in a compiler. Under the Apache License v2.0 with LLVM Exceptions.
// [includes]
#include "MemSpace/InitAll.h"
#include "MemSpace/Transforms/AllocationHook.h"
#include "MemSpace/Transforms/Bufferize.h"
#include "MemSpace/Transforms/FinishBufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/Bufferize.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
// [/includes]

using namespace mlir;

// [bufferize]
/// This compiler's One-Shot Bufferize, with MemSpace's decisions and its hook.
static LogicalResult bufferize(FunctionOpInterface kernel,
                               const memspace::TargetInfo &target) {
  memspace::MemorySpaceOptions options(target);
  auto context = memspace::KernelContext::create(kernel, target);
  if (failed(context) || failed(prepareKernel(*context, options)) ||
      failed(inferMemorySpaces(*context, options)))
    return failure(); // a diagnostic was emitted
  memspace::KernelConstants constants(kernel);
  configureBufferization(options.oneShot, options);
  bufferization::BufferizationState state;
  if (failed(bufferization::bufferizeOp(kernel, options.oneShot, state)))
    return failure();
  constants.bringNew();
  return finishBufferization(kernel, options.spaces);
}
// [/bufferize]

// [main]
int main(int argc, char **argv) {
  DialectRegistry registry;
  registerAllDialects(registry); // upstream's, with their interfaces' models
  registerAllExtensions(registry);
  memspace::registerAllDialects(registry);
  memspace::registerAllPasses();
  MLIRContext context(registry);
  auto module = parseSourceFile<ModuleOp>(argc > 1 ? argv[1] : "-", &context);
  if (!module)
    return 1;
  for (FunctionOpInterface kernel : memspace::getKernels(*module))
    if (failed(bufferize(kernel, *memspace::lookupTarget("gfx942"))))
      return 1;
  PassManager passes(&context);
  if (failed(parsePassPipeline("memspace-map-to-threads{chip=gfx942},"
                               "memspace-shrink-private{chip=gfx942},"
                               "memspace-pack-workgroup-memory{chip=gfx942},"
                               "memspace-insert-barriers{chip=gfx942},"
                               "memspace-verify-barriers{chip=gfx942},"
                               "memspace-check-budget{chip=gfx942}",
                               passes)) ||
      failed(passes.run(*module)))
    return 1;
  module->print(llvm::outs());
}
// [/main]
