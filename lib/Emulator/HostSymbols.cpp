//===- HostSymbols.cpp - what compiled kernels may call -------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostSymbols.h"
#include "Runtime.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/bit.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::emulator;

//===----------------------------------------------------------------------===//
// Functions that C runtimes lack
//===----------------------------------------------------------------------===//

// LLVM calls these for f16 and bf16 where the CPU has no instruction, and for
// integer powers; not every C runtime has them. Small floats travel in the low
// bits of a vector register, as float does.

static float toSmallFloat(const llvm::APFloat &value,
                          const llvm::fltSemantics &semantics) {
  llvm::APFloat result = value;
  bool losesInfo;
  result.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return llvm::bit_cast<float>(
      uint32_t(result.bitcastToAPInt().getZExtValue()));
}

static float truncFloatToBF16(float value) {
  return toSmallFloat(llvm::APFloat(value), llvm::APFloat::BFloat());
}
static float truncDoubleToBF16(double value) {
  return toSmallFloat(llvm::APFloat(value), llvm::APFloat::BFloat());
}
static float truncFloatToHalf(float value) {
  return toSmallFloat(llvm::APFloat(value), llvm::APFloat::IEEEhalf());
}
static float truncDoubleToHalf(double value) {
  return toSmallFloat(llvm::APFloat(value), llvm::APFloat::IEEEhalf());
}
static float extendHalf(float value) {
  llvm::APFloat half(llvm::APFloat::IEEEhalf(),
                     llvm::APInt(16, llvm::bit_cast<uint32_t>(value) & 0xFFFF));
  bool losesInfo;
  half.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven,
               &losesInfo);
  return half.convertToFloat();
}

/// As compiler-rt does: by squaring, a negative power as a reciprocal.
template <typename T> static T powInteger(T base, int32_t exponent) {
  T result = 1;
  for (int32_t rest = exponent; rest; rest /= 2, base *= base)
    if (rest & 1)
      result *= base;
  return exponent < 0 ? 1 / result : result;
}

//===----------------------------------------------------------------------===//
// The tables
//===----------------------------------------------------------------------===//

namespace {
struct HostFunction {
  StringRef name;
  void *address;
};
} // namespace

template <typename Fn> static void *getAddress(Fn *function) {
  return reinterpret_cast<void *>(function);
}

static const HostFunction kOwnFunctions[] = {
    {"__truncsfbf2", getAddress(truncFloatToBF16)},
    {"__truncdfbf2", getAddress(truncDoubleToBF16)},
    {"__truncsfhf2", getAddress(truncFloatToHalf)},
    {"__truncdfhf2", getAddress(truncDoubleToHalf)},
    {"__extendhfsf2", getAddress(extendHalf)},
    {"__powisf2", getAddress(powInteger<float>)},
    {"__powidf2", getAddress(powInteger<double>)},
};

/// Of the math library, for double; with an f behind the name for float. All
/// are functions of their arguments alone, but for results through pointers,
/// which LLVM makes to variables of its own.
static constexpr StringRef kMathFunctions[] = {
    "acos",  "acosh",    "asin",      "asinh", "atan",      "atan2",
    "atanh", "cbrt",     "ceil",      "cos",   "cosh",      "erf",
    "erfc",  "exp",      "exp10",     "exp2",  "expm1",     "fabs",
    "floor", "fma",      "fmax",      "fmin",  "fmod",      "frexp",
    "ldexp", "llrint",   "llround",   "log",   "log10",     "log1p",
    "log2",  "lrint",    "lround",    "modf",  "nearbyint", "pow",
    "rint",  "round",    "roundeven", "sin",   "sincos",    "sinh",
    "sqrt",  "tan",      "tanh",      "trunc", "fmaximum",  "fminimum",
    "rsqrt", "remainder"};

/// Of the compiler's runtime: 128-bit integers.
static constexpr StringRef kCompilerFunctions[] = {
    "__ashlti3",   "__ashrti3",     "__divti3",      "__fixdfti",
    "__fixsfti",   "__fixunsdfti",  "__fixunssfti",  "__floattidf",
    "__floattisf", "__floatuntidf", "__floatuntisf", "__lshrti3",
    "__modti3",    "__multi3",      "__udivti3",     "__umodti3"};

static const llvm::StringSet<> &getLibraryNames() {
  static const llvm::StringSet<> names = [] {
    llvm::StringSet<> result;
    for (StringRef name : kMathFunctions) {
      result.insert(name);
      result.insert((name + "f").str());
    }
    result.insert_range(kCompilerFunctions);
    return result;
  }();
  return names;
}

static const llvm::StringSet<> &getOwnNames() {
  static const llvm::StringSet<> names = [] {
    llvm::StringSet<> result;
    for (const RuntimeFunction &function : getRuntimeFunctions())
      result.insert(function.name);
    for (const HostFunction &function : kOwnFunctions)
      result.insert(function.name);
    return result;
  }();
  return names;
}

bool emulator::isHostSymbol(StringRef name) {
  return getOwnNames().contains(name) || getLibraryNames().contains(name);
}

llvm::Error emulator::defineHostSymbols(llvm::orc::LLJIT &jit) {
  llvm::orc::SymbolMap symbols;
  auto add = [&](StringRef name, void *address) {
    symbols[jit.mangleAndIntern(name)] = {
        llvm::orc::ExecutorAddr::fromPtr(address),
        llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
  };
  for (const RuntimeFunction &function : getRuntimeFunctions())
    add(function.name, function.address);
  for (const HostFunction &function : kOwnFunctions)
    add(function.name, function.address);
  llvm::orc::JITDylib &library = jit.getMainJITDylib();
  if (llvm::Error error =
          library.define(llvm::orc::absoluteSymbols(std::move(symbols))))
    return error;
  char prefix = jit.getDataLayout().getGlobalPrefix();
  auto process = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      prefix, [prefix](const llvm::orc::SymbolStringPtr &symbol) {
        StringRef name = *symbol;
        if (prefix)
          name.consume_front(StringRef(&prefix, 1));
        return getLibraryNames().contains(name);
      });
  if (!process)
    return process.takeError();
  library.addGenerator(std::move(*process));
  return llvm::Error::success();
}
