//===- Npy.cpp - NumPy's file format --------------------------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The format is specified in numpy/lib/format.py: a magic string, a version,
// the length of the header, the header (a Python dictionary with the keys
// descr, fortran_order and shape), then the elements.
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Emulator/HostBuffer.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/Errc.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InterleavedRange.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::emulator;

static constexpr llvm::StringLiteral kMagic("\x93NUMPY");

static llvm::Error makeError(StringRef path, const Twine &what) {
  return llvm::createStringError(llvm::errc::invalid_argument,
                                 "'" + path + "': " + what);
}

/// NumPy's kind letter for a scalar type; 'u' where NumPy has no such type.
static char getKind(Type type) {
  if (type.isInteger(1))
    return 'b';
  if (isa<ComplexType>(type))
    return 'c';
  if (isa<Float16Type, Float32Type, Float64Type>(type))
    return 'f';
  return isa<FloatType>(type) || type.isUnsignedInteger() ? 'u' : 'i';
}

static bool isKindAccepted(Type type, char kind) {
  char own = getKind(type);
  if (kind == own)
    return true;
  switch (own) {
  case 'b': // one byte, 0 or 1
  case 'i': // the sign is in the operations, not in MLIR's types
    return kind == 'u' || kind == 'i' || kind == 'b';
  case 'u':
    return kind == 'V' || kind == 'i';
  default:
    return false;
  }
}

/// The text after `'key':` up to the comma or brace that ends the value.
static std::optional<StringRef> getField(StringRef header, StringRef key) {
  size_t at = header.find(("'" + key + "'").str());
  if (at == StringRef::npos)
    return std::nullopt;
  StringRef rest = header.drop_front(at + key.size() + 2).ltrim();
  if (!rest.consume_front(":"))
    return std::nullopt;
  rest = rest.ltrim();
  if (rest.starts_with("("))
    return rest.take_front(rest.find(')') + 1);
  return rest.take_until([](char c) { return c == ',' || c == '}'; }).rtrim();
}

/// A vector element is stored as further dimensions.
static LogicalResult splitElement(Type elementType, Type &scalar,
                                  SmallVectorImpl<int64_t> &inner) {
  scalar = elementType;
  if (auto vector = dyn_cast<VectorType>(elementType)) {
    scalar = vector.getElementType();
    inner.assign(vector.getShape().begin(), vector.getShape().end());
    // Padded or bit-packed vectors have no array form.
    if ((scalar.isIntOrFloat() &&
         scalar.getIntOrFloatBitWidth() != 8 * getElementBytes(scalar)) ||
        vector.getNumElements() * getElementBytes(scalar) !=
            getElementBytes(elementType))
      return failure();
  }
  return success(isHostElement(scalar));
}

static std::string describeFormless(Type elementType) {
  return "elements of type " + debugString(elementType) +
         " have no .npy form; use a memref of scalars";
}

/// The first element whose value needs more bits than its type has, both as a
/// signed and as an unsigned number; none as a rule.
static std::optional<int64_t> findTooWide(const HostBuffer &buffer) {
  auto type = dyn_cast<IntegerType>(buffer.elementType);
  if (!type || !hasPaddedIntegers(type))
    return std::nullopt;
  int64_t size = getElementBytes(type);
  for (int64_t i = 0, e = buffer.getNumElements(); i < e; ++i) {
    uint64_t bits = 0;
    std::memcpy(&bits, &buffer.bytes[i * size], size);
    if (!llvm::isUIntN(type.getWidth(), bits) &&
        !llvm::isIntN(type.getWidth(), llvm::SignExtend64(bits, 8 * size)))
      return i;
  }
  return std::nullopt;
}

namespace {
/// The texts of the header's fields, and the elements behind it.
struct NpyFile {
  StringRef descr, order, dims, data;
};
} // namespace

static llvm::Expected<NpyFile> parseHeader(StringRef path, StringRef text) {
  if (!text.consume_front(kMagic) || text.size() < 4)
    return makeError(path, "not an .npy file");
  unsigned lengthBytes = text[0] == 1 ? 2 : 4;
  if (text.size() < 2 + lengthBytes)
    return makeError(path, "the header is cut short");
  const char *at = text.data() + 2;
  uint64_t length = lengthBytes == 2 ? llvm::support::endian::read16le(at)
                                     : llvm::support::endian::read32le(at);
  text = text.drop_front(2 + lengthBytes);
  if (text.size() < length)
    return makeError(path, "the header is cut short");
  StringRef header = text.take_front(length);
  std::optional<StringRef> descr = getField(header, "descr"),
                           order = getField(header, "fortran_order"),
                           dims = getField(header, "shape");
  if (!descr || !order || !dims)
    return makeError(path, "the header lacks descr, fortran_order or shape");
  return NpyFile{*descr, *order, *dims, text.drop_front(length)};
}

/// Fails when the elements of `file` are no `scalar`s, which `elementType` is
/// made of.
static llvm::Error checkElements(StringRef path, const NpyFile &file,
                                 Type scalar, Type elementType) {
  StringRef kind = file.descr.trim("'\"");
  int64_t width;
  if (kind.size() < 3 || kind.drop_front(2).getAsInteger(10, width) ||
      width <= 0)
    return makeError(path, "element type " + file.descr + " is not supported");
  if (kind[0] == '>' && width > 1)
    return makeError(path, "big-endian elements are not supported");
  if (!scalar)
    return makeError(path, describeFormless(elementType));
  if (width != getElementBytes(scalar) || !isKindAccepted(scalar, kind[1]))
    return makeError(path, "has elements of type " + file.descr +
                               ", wanted are elements for " +
                               debugString(elementType));
  return llvm::Error::success();
}

/// The shape, of as many elements of `size` bytes as there are.
static llvm::Expected<SmallVector<int64_t>>
parseShape(StringRef path, const NpyFile &file, int64_t size) {
  SmallVector<int64_t> shape;
  SmallVector<StringRef> parts;
  file.dims.trim("()").split(parts, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  uint64_t count = 1;
  for (StringRef part : parts) {
    int64_t extent;
    if (part.trim().empty())
      continue;
    if (part.trim().getAsInteger(10, extent) || extent < 0)
      return makeError(path, "shape " + file.dims + " is not understood");
    shape.push_back(extent);
    if (extent && count > file.data.size() / extent)
      count = file.data.size() + 1; // more than there is; never overflows
    else
      count *= extent;
  }
  if (file.data.size() != count * size)
    return makeError(path, "has " + Twine(file.data.size()) +
                               " bytes of data, shape " + file.dims +
                               " wants another number");
  return shape;
}

/// Copies elements of `size` bytes from column-major to row-major order.
static void copyTransposed(StringRef data, ArrayRef<int64_t> shape,
                           int64_t size, MutableArrayRef<uint8_t> bytes) {
  // Element (i0, i1, …) of the result lies at i0 + n0 * (i1 + n1 * …).
  SmallVector<int64_t> position(shape.size());
  for (uint64_t to = 0, e = bytes.size() / size; to < e; ++to) {
    uint64_t from = 0;
    for (int64_t d = int64_t(shape.size()) - 1; d >= 0; --d)
      from = from * shape[d] + position[d];
    std::memcpy(&bytes[to * size], data.data() + from * size, size);
    for (int64_t d = int64_t(shape.size()) - 1; d >= 0; --d) {
      if (++position[d] < shape[d])
        break;
      position[d] = 0;
    }
  }
}

llvm::Expected<HostBuffer> emulator::readNpy(StringRef path, Type elementType) {
  auto text = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false);
  if (!text)
    return makeError(path, text.getError().message());
  llvm::Expected<NpyFile> file = parseHeader(path, (*text)->getBuffer());
  if (!file)
    return file.takeError();
  Type scalar;
  SmallVector<int64_t> inner;
  if (failed(splitElement(elementType, scalar, inner)))
    scalar = {};
  if (llvm::Error error = checkElements(path, *file, scalar, elementType))
    return error;
  int64_t size = getElementBytes(scalar);
  llvm::Expected<SmallVector<int64_t>> shape = parseShape(path, *file, size);
  if (!shape)
    return shape.takeError();

  HostBuffer buffer;
  buffer.elementType = elementType;
  if (shape->size() < inner.size() ||
      !ArrayRef(*shape).take_back(inner.size()).equals(inner))
    return makeError(
        path, "shape " + file->dims + " does not end in the dimensions of " +
                  debugString(elementType) + "; reshape the array");
  buffer.shape.assign(shape->begin(), shape->end() - inner.size());
  buffer.bytes.assign(file->data.bytes_begin(), file->data.bytes_end());
  if (file->order.starts_with("True"))
    copyTransposed(file->data, *shape, size, buffer.bytes);
  if (std::optional<int64_t> element = findTooWide(buffer))
    return makeError(path, "element " + Twine(*element) +
                               " (row-major) does not fit " +
                               debugString(elementType));
  buffer.extendIntegers();
  return buffer;
}

llvm::Error emulator::writeNpy(StringRef path, const HostBuffer &buffer) {
  Type scalar;
  SmallVector<int64_t> inner;
  if (failed(splitElement(buffer.elementType, scalar, inner)))
    return makeError(path, describeFormless(buffer.elementType));
  SmallVector<int64_t> shape(buffer.shape);
  llvm::append_range(shape, inner);
  int64_t size = getElementBytes(scalar);
  std::string header;
  llvm::raw_string_ostream os(header);
  os << "{'descr': '" << (size == 1 ? '|' : '<') << getKind(scalar) << size
     << "', 'fortran_order': False, 'shape': ("
     << llvm::interleaved(shape, ", ") << (shape.size() == 1 ? ",)" : ")")
     << ", }";
  // The data starts at a multiple of 64 bytes.
  size_t prefix = kMagic.size() + 4;
  header.append(63 - (prefix + header.size()) % 64, ' ');
  header.push_back('\n');

  std::error_code error;
  llvm::raw_fd_ostream file(path, error);
  if (error)
    return makeError(path, error.message());
  file << kMagic << '\x01' << '\0' << char(header.size() & 0xFF)
       << char(header.size() >> 8) << header;
  file.write(reinterpret_cast<const char *>(buffer.bytes.data()),
             buffer.bytes.size());
  file.close();
  if (file.has_error()) {
    error = file.error();
    file.clear_error();
    return makeError(path, error.message());
  }
  return llvm::Error::success();
}
