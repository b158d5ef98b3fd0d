//===- SecondOpinion.cpp - what upstream's bufferization makes of a kernel
//-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SecondOpinion.h"
#include "LieDialect.h"
#include "MemSpace/Emulator/Emulator.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::fuzz;

std::string fuzz::describeDifference(ArrayRef<emulator::HostBuffer> actual,
                                     const Interpretation &expected) {
  for (auto [i, buffer] : llvm::enumerate(actual)) {
    emulator::HostBuffer wanted = expected.arguments[i];
    int64_t elementBytes = emulator::getElementBytes(wanted.elementType);
    for (auto [element, isUndefined] :
         llvm::enumerate(expected.undefinedElements[i]))
      if (isUndefined)
        std::copy_n(buffer.bytes.begin() + element * elementBytes, elementBytes,
                    wanted.bytes.begin() + element * elementBytes);
    if (!buffer.equals(wanted))
      return "argument " + std::to_string(i) + ": " +
             buffer.describeDifference(wanted);
  }
  return "";
}

/// Makes the loops of all foralls count down.
static void reverseForalls(ModuleOp module) {
  module.walk([](scf::ForallOp forall) {
    OpBuilder builder(forall.getContext());
    builder.setInsertionPointToStart(forall.getBody());
    Location loc = forall.getLoc();
    SmallVector<OpFoldResult> lower = forall.getMixedLowerBound();
    SmallVector<OpFoldResult> upper = forall.getMixedUpperBound();
    SmallVector<OpFoldResult> steps = forall.getMixedStep();
    for (auto [iv, from, to, by] :
         llvm::zip(forall.getInductionVars(), lower, upper, steps)) {
      // from + last - iv, where `last` is the last value.
      AffineExpr d0, s0, s1, s2;
      bindDims(forall.getContext(), d0);
      bindSymbols(forall.getContext(), s0, s1, s2);
      AffineExpr last = s0 + ((s1 - s0).ceilDiv(s2) - 1) * s2;
      Value reversed = getValueOrCreateConstantIndexOp(
          builder, loc,
          affine::makeComposedAffineApply(builder, loc,
                                          AffineMap::get(1, 3, s0 + last - d0),
                                          {OpFoldResult(iv), from, to, by})
              .getResult());
      iv.replaceAllUsesExcept(reversed, reversed.getDefiningOp());
    }
  });
}

std::string fuzz::getSecondOpinion(ModuleOp module, StringRef kernelName,
                                   ArrayRef<emulator::HostBuffer> arguments,
                                   const Interpretation &expected,
                                   bool isReversed) {
  std::string diagnostic;
  ScopedDiagnosticHandler handler(module.getContext(), [&](Diagnostic &given) {
    if (diagnostic.empty() && given.getSeverity() == DiagnosticSeverity::Error)
      diagnostic = given.str();
    return success();
  });
  OwningOpRef<ModuleOp> clone(module.clone());
  for (Operation &op : clone->getBody()->getOperations()) {
    op.removeAttr("gpu.known_block_size");
    op.removeAttr("gpu.known_grid_size");
  }
  if (isReversed)
    reverseForalls(*clone);
  PassManager pm(module.getContext());
  pm.addPass(bufferization::createEmptyTensorToAllocTensorPass());
  bufferization::OneShotBufferizePassOptions options;
  options.allowReturnAllocsFromLoops = true;
  pm.addPass(bufferization::createOneShotBufferizePass(options));
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createForallToForLoopPass());
  pm.addPass(createConvertLinalgToLoopsPass());
  pm.addPass(lie::createLieToLoopsPass());
  if (failed(pm.run(*clone)))
    return "upstream refuses: " + diagnostic;
  emulator::CompileOptions compile;
  compile.kernel = kernelName.str();
  compile.allowHeap = true;
  FailureOr<emulator::Kernel> kernel =
      emulator::Kernel::compile(*clone, compile);
  if (failed(kernel))
    return "the emulator refuses upstream's kernel: " + diagnostic;
  emulator::LaunchOptions launch;
  launch.grid = launch.block = {1, 1, 1};
  launch.orders = 1;
  FailureOr<emulator::Result> result = kernel->run(arguments, launch);
  if (failed(result))
    return "the emulator refuses to run upstream's kernel: " + diagnostic;
  if (!result->isClean())
    return result->reports.front().message;
  return describeDifference(result->arguments, expected);
}
