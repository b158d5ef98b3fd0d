//===- ArgumentSpec.cpp - kernel arguments on a command line --------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Emulator/ArgumentSpec.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Errc.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::emulator;

/// Copies of the arguments that a run makes.
static constexpr int64_t kCopies = 4;

static llvm::Error fail(const Twine &message) {
  return llvm::createStringError(llvm::errc::invalid_argument, message);
}

llvm::Expected<Dim3> emulator::parseDim3(StringRef text, StringRef option) {
  Dim3 shape = {0, 0, 0};
  if (text.empty())
    return shape;
  SmallVector<StringRef> parts;
  text.split(parts, ',');
  shape = {1, 1, 1};
  for (auto [i, part] : llvm::enumerate(parts))
    if (i > 2 || part.getAsInteger(10, shape[i]) || shape[i] <= 0)
      return fail("--" + option + "=" + text +
                  ": wanted are one to three positive "
                  "numbers, separated by commas");
  return shape;
}

llvm::Expected<std::pair<unsigned, StringRef>>
emulator::parseNumbered(StringRef text, StringRef option, size_t numArguments) {
  auto [numberText, rest] = text.split(':');
  unsigned number;
  if (numberText.getAsInteger(10, number) || rest.empty())
    return fail("--" + option + "=" + text +
                ": wanted is N:…, N being the number "
                "of an argument");
  if (number >= numArguments)
    return fail("--" + option + "=" + text + ": the kernel has " +
                Twine(numArguments) + " arguments, counted from 0");
  return std::make_pair(number, rest);
}

/// Makes one argument of at most `maxBytes`.
static llvm::Expected<HostBuffer> makeBuffer(StringRef what, StringRef option,
                                             Type elementType,
                                             ArrayRef<int64_t> shape,
                                             int64_t maxBytes) {
  auto [kind, value] = what.split(':');
  auto bad = [&](const Twine &message) {
    return fail("--arg=" + option + ": " + message);
  };
  auto tooLarge = [&] {
    return bad("the arguments take more than a quarter of the memory that "
               "'max-memory' allows; a run needs copies of them");
  };
  if (kind == "npy") {
    uint64_t fileBytes;
    if (!llvm::sys::fs::file_size(value, fileBytes) &&
        fileBytes > uint64_t(maxBytes) + (1 << 16))
      return tooLarge();
    auto buffer = readNpy(value, elementType);
    if (!buffer)
      return bad(llvm::toString(buffer.takeError()));
    return std::move(*buffer);
  }
  if (llvm::any_of(shape, ShapedType::isDynamic))
    return bad("the type has dynamic extents; give --shape=N:…");
  int64_t bytes = getElementBytes(elementType);
  for (int64_t size : shape)
    if (llvm::MulOverflow(bytes, size, bytes))
      return tooLarge();
  if (bytes > maxBytes)
    return tooLarge();
  if (kind == "iota" && value.empty())
    return HostBuffer::iota(elementType, shape);
  if (kind == "uninit" && value.empty())
    return HostBuffer::uninitialized(elementType, shape);
  if (kind == "random") {
    uint64_t number;
    if (value.getAsInteger(10, number))
      return bad("'random' wants a seed, a number");
    return HostBuffer::random(elementType, shape, number);
  }
  if (kind == "fill") {
    // Not each integer is a double.
    int64_t integer;
    if (elementType.isIntOrIndex() && !value.getAsInteger(10, integer))
      return HostBuffer::fillInteger(elementType, shape, integer);
    double number;
    if (value.getAsDouble(number))
      return bad("'fill' wants a number");
    return HostBuffer::fill(elementType, shape, number);
  }
  return bad("unknown contents '" + kind +
             "'; known are npy:FILE, random:SEED, iota, fill:VALUE and uninit");
}

llvm::Expected<SmallVector<HostBuffer>> emulator::makeArguments(
    ArrayRef<Type> types, ArrayRef<std::string> argumentTexts,
    ArrayRef<std::string> shapeTexts, int64_t maxMemoryBytes) {
  int64_t bytesLeft = maxMemoryBytes / kCopies;
  SmallVector<SmallVector<int64_t>> shapes;
  for (Type type : types) {
    auto memref = dyn_cast<MemRefType>(type);
    shapes.push_back(memref ? llvm::to_vector(memref.getShape())
                            : SmallVector<int64_t>());
  }
  for (const std::string &text : shapeTexts) {
    auto parsed = parseNumbered(text, "shape", types.size());
    if (!parsed)
      return parsed.takeError();
    SmallVector<StringRef> parts;
    parsed->second.split(parts, 'x');
    SmallVector<int64_t> shape;
    for (StringRef part : parts)
      if (part.getAsInteger(10, shape.emplace_back()) || shape.back() < 0)
        return fail("--shape=" + Twine(text) + ": wanted is N:300x4");
    shapes[parsed->first] = shape;
  }
  SmallVector<std::optional<HostBuffer>> given(types.size());
  auto getElement = [&](unsigned number) {
    auto memref = dyn_cast<MemRefType>(types[number]);
    return memref ? memref.getElementType() : types[number];
  };
  for (const std::string &text : argumentTexts) {
    auto parsed = parseNumbered(text, "arg", types.size());
    if (!parsed)
      return parsed.takeError();
    auto [number, what] = *parsed;
    if (given[number])
      return fail("--arg=" + Twine(text) + ": argument " + Twine(number) +
                  " is given twice; leave one out");
    auto buffer =
        makeBuffer(what, text, getElement(number), shapes[number], bytesLeft);
    if (!buffer)
      return buffer.takeError();
    bytesLeft -= buffer->bytes.size();
    given[number] = std::move(*buffer);
  }
  SmallVector<HostBuffer> arguments;
  for (auto [number, buffer] : llvm::enumerate(given)) {
    if (!buffer) {
      if (!isa<MemRefType>(types[number]))
        return fail("argument " + Twine(number) + " is a scalar; give --arg=" +
                    Twine(number) + ":fill:VALUE");
      std::string option = std::to_string(number) + ":uninit";
      auto made = makeBuffer("uninit", option, getElement(number),
                             shapes[number], bytesLeft);
      if (!made)
        return made.takeError();
      bytesLeft -= made->bytes.size();
      buffer = std::move(*made);
    }
    arguments.push_back(std::move(*buffer));
  }
  return arguments;
}

llvm::Expected<SmallVector<ArgumentAlias>>
emulator::parseAliases(size_t numArguments, ArrayRef<std::string> aliasTexts,
                       ArrayRef<std::string> argumentTexts) {
  SmallVector<ArgumentAlias> aliases;
  for (const std::string &text : aliasTexts) {
    auto outer = parseNumbered(text, "alias", numArguments);
    if (!outer)
      return outer.takeError();
    auto [number, byteText] = outer->second.split(':');
    ArgumentAlias alias;
    alias.in = outer->first;
    if (number.getAsInteger(10, alias.argument) ||
        (outer->second.contains(':') &&
         byteText.getAsInteger(10, alias.byte)) ||
        alias.byte < 0)
      return fail("--alias=" + Twine(text) +
                  ": wanted is I:J or I:J:BYTES, argument J being put into "
                  "argument I");
    for (const std::string &argument : argumentTexts)
      if (auto given = parseNumbered(argument, "arg", numArguments); !given)
        return given.takeError();
      else if (given->first == alias.argument)
        return fail("--arg=" + Twine(argument) + ": argument " +
                    Twine(alias.argument) + " lies in the memory of argument " +
                    Twine(alias.in) + "; give that its contents");
    aliases.push_back(alias);
  }
  return aliases;
}
