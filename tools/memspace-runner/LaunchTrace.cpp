//===- LaunchTrace.cpp - what the host launches, as JSON ------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchTrace.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include <map>

using namespace mlir;
using namespace mlir::memspace;

static llvm::json::Object describe(const emulator::HostLaunch &launch) {
  FunctionOpInterface kernel = launch.kernel;
  llvm::json::Array operands;
  for (const emulator::HostLaunch::Operand &operand : launch.operands) {
    const emulator::HostBuffer &contents = *operand.contents;
    if (operand.memory)
      operands.push_back(llvm::json::Object{
          {"memory", *operand.memory},
          {"shape", llvm::json::Array(ArrayRef(contents.shape))}});
    else
      operands.push_back(llvm::json::Object{
          {"scalar", llvm::toHex(contents.bytes, /*LowerCase=*/true)}});
  }
  auto module = kernel->getParentOfType<gpu::GPUModuleOp>();
  auto bytes = kernel->getAttrOfType<IntegerAttr>(kDynamicBytesAttr);
  return llvm::json::Object{
      {"module", module ? module.getName() : ""},
      {"kernel", kernel.getName()},
      {"grid", llvm::json::Array(ArrayRef<int64_t>(launch.shape.grid))},
      {"block", llvm::json::Array(ArrayRef<int64_t>(launch.shape.block))},
      {"dynamic_bytes", bytes ? bytes.getInt() : 0},
      {"operands", std::move(operands)}};
}

static void write(llvm::json::Array launches,
                  const std::map<unsigned, size_t> &memories, raw_ostream &os) {
  llvm::json::Object sizes;
  for (auto [number, size] : memories)
    sizes[std::to_string(number)] = size;
  os << llvm::json::Value(llvm::json::Object{{"memories", std::move(sizes)},
                                             {"launches", std::move(launches)}})
     << "\n";
}

LogicalResult memspace::writeLaunches(const emulator::HostProgram &program,
                                      ArrayRef<emulator::HostBuffer> arguments,
                                      const emulator::LaunchOptions &options,
                                      raw_ostream &os) {
  llvm::json::Array launches;
  std::map<unsigned, size_t> memories;
  auto onLaunch = [&](const emulator::HostLaunch &launch) {
    launches.push_back(describe(launch));
    for (const emulator::HostLaunch::Operand &operand : launch.operands)
      if (operand.memory)
        memories[*operand.memory] = operand.contents->bytes.size();
  };
  if (failed(program.trace(arguments, onLaunch, options)))
    return failure();
  write(std::move(launches), memories, os);
  return success();
}

LogicalResult memspace::writeLaunch(FunctionOpInterface function,
                                    const emulator::Kernel &kernel,
                                    ArrayRef<emulator::HostBuffer> arguments,
                                    const emulator::LaunchOptions &options,
                                    raw_ostream &os) {
  FailureOr<emulator::LaunchShape> shape =
      kernel.getLaunchShape(arguments, options);
  if (failed(shape))
    return failure();
  emulator::HostLaunch launch{function, function, *shape, {}};
  std::map<unsigned, size_t> memories;
  for (auto [number, argument] : llvm::enumerate(arguments)) {
    emulator::HostLaunch::Operand operand{std::nullopt, &argument};
    if (isa<BaseMemRefType>(kernel.getArgumentTypes()[number])) {
      operand.memory = number;
      memories[number] = argument.bytes.size();
    }
    launch.operands.push_back(operand);
  }
  llvm::json::Array launches;
  launches.push_back(describe(launch));
  write(std::move(launches), memories, os);
  return success();
}
