// A compiler that links MLIR's static libraries: of upstream's dialects it has
// only those of its kernels, and what the passes bring along.
#include "MemSpace/InitAll.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

/// Each thread writes an element and reads that of another.
static constexpr StringLiteral source = R"mlir(
func.func @reverse(%in: memref<64xf32>, %out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c63 = arith.constant 63 : index
  %tile = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
  %i = gpu.thread_id x
  %value = memref.load %in[%i] : memref<64xf32>
  memref.store %value, %tile[%i] : memref<64xf32, #gpu.address_space<workgroup>>
  %j = arith.subi %c63, %i : index
  %other = memref.load %tile[%j] : memref<64xf32, #gpu.address_space<workgroup>>
  memref.store %other, %out[%i] : memref<64xf32>
  return
}
)mlir";

int main() {
  DialectRegistry registry;
  registry.insert<arith::ArithDialect, func::FuncDialect, gpu::GPUDialect,
                  memref::MemRefDialect>();
  memspace::registerAllDialects(registry);
  memspace::registerAllPasses();
  MLIRContext context(registry);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(source, &context);
  PassManager passes(&context);
  if (!module ||
      failed(parsePassPipeline("memspace-pack-workgroup-memory{chip=gfx942},"
                               "memspace-insert-barriers{chip=gfx942},"
                               "memspace-verify-barriers{chip=gfx942}",
                               passes)) ||
      failed(passes.run(*module)))
    return 1;
  module->print(llvm::outs());
  return 0;
}
