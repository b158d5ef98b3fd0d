//===- Generator.cpp - random tensor kernels -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generator.h"
#include "KernelFrame.h"

using namespace mlir::memspace;
using namespace mlir::memspace::fuzz;

GeneratedKernel fuzz::generate(uint64_t seed, StringRef chip,
                               const Extras &extras) {
  Random rng(seed);
  GeneratedKernel kernel;
  static constexpr llvm::StringLiteral chips[] = {"gfx942", "sm_90", "gfx1100"};
  static constexpr int chipWeights[] = {50, 40, 10};
  kernel.options.chip = chips[rng.pickWeighted(chipWeights)].str();
  if (!chip.empty())
    kernel.options.chip = chip.str();
  if (rng.chance(8))
    kernel.options.workgroupLimit = int64_t(512) << rng.below(5);
  if (rng.chance(8))
    kernel.options.privateLimit = int64_t(32) << rng.below(5);
  kernel.options.inputSeed = rng.next() >> 1;
  kernel.options.dynamicSize = 0;
  // The smallest subgroup is 32 threads, the largest 64.
  int64_t subgroupSize = kernel.options.chip == "gfx942" ? 64 : 32;
  static constexpr int countWeights[] = {94, 5, 1};
  int64_t count = 1 + rng.pickWeighted(countWeights);
  for (int64_t i = 0; i < count; ++i)
    kernel.text += KernelFrame(rng, subgroupSize, extras, kernel.options)
                       .write(i == 0 ? "kernel" : "kernel" + std::to_string(i));
  if (kernel.options.dynamicSize == 0)
    kernel.options.dynamicSize = CheckOptions().dynamicSize;
  return kernel;
}

/// The command line option; empty for none.
static StringRef getFlag(Canonicalization where) {
  switch (where) {
  case Canonicalization::AsItIs:
    return "";
  case Canonicalization::Interleaved:
    return " --interleave";
  case Canonicalization::None:
    return " --no-clean-up";
  }
  llvm_unreachable("a canonicalization without an option");
}

std::string CheckOptions::toString() const {
  if (isSpmd)
    return (Twine(isBarriers ? "--barriers" : "--spmd") +
            " --chip=" + Twine(chip) + " --input-seed=" + Twine(inputSeed) +
            " --grid=" + Twine(grid) + getFlag(canonicalization))
        .str();
  return ("--chip=" + Twine(chip) + " --workgroup-limit=" +
          Twine(workgroupLimit) + " --private-limit=" + Twine(privateLimit) +
          " --input-seed=" + Twine(inputSeed) +
          " --dynamic-size=" + Twine(dynamicSize) + " --grid=" + Twine(grid) +
          (padding ? " --padding" : "") + getFlag(canonicalization))
      .str();
}
