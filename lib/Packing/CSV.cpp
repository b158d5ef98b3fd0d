//===- CSV.cpp - packing problems as files --------------------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Packing/CSV.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::memspace;
using namespace mlir::memspace::packing;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace {
enum Column { Id, Lower, Upper, Size, Alignment, Gaps, Offset, Other };

class Reader {
public:
  Expected<Problem> read(StringRef text);

  /// By buffer.
  std::vector<int64_t> offsets;
  bool hasOffsets = false;

private:
  Error makeError(const Twine &message) const {
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "line " + Twine(lineNumber) + ": " +
                                       message);
  }
  Expected<std::vector<std::string>> split(StringRef line) const;
  Error readHeader(llvm::ArrayRef<std::string> fields);
  Error readBuffer(llvm::ArrayRef<std::string> fields);
  Error readNumber(StringRef text, StringRef what, int64_t &value) const;
  /// Removes the gaps from the one interval of `live`.
  Error readGaps(StringRef text, LiveRange &live) const;
  Error readEnd(StringRef text, StringRef what, int64_t &value) const;

  unsigned lineNumber = 0;
  std::vector<Column> columns;
  /// Ends are the last points in time, not one past them.
  bool endsAreIncluded = false;
  Problem problem;
  llvm::StringSet<> names;
};
} // namespace

static StringRef getName(Column column) {
  const StringRef names[] = {"id",        "lower", "upper", "size",
                             "alignment", "gaps",  "offset"};
  return names[column];
}

Expected<std::vector<std::string>> Reader::split(StringRef line) const {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    if (quoted && line.substr(i).starts_with("\"\"")) {
      fields.back() += '"';
      ++i;
    } else if (line[i] == '"') {
      quoted = !quoted;
    } else if (line[i] == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += line[i];
    }
  }
  if (quoted)
    return makeError("a quote is not closed");
  return fields;
}

Error Reader::readHeader(llvm::ArrayRef<std::string> fields) {
  for (StringRef field : fields) {
    field = field.trim();
    Column column = llvm::StringSwitch<Column>(field)
                        .Cases({"id", "buffer", "buffer_id"}, Id)
                        .Cases({"lower", "begin", "start"}, Lower)
                        .Cases({"upper", "end"}, Upper)
                        .Case("size", Size)
                        .Case("alignment", Alignment)
                        .Case("gaps", Gaps)
                        .Case("offset", Offset)
                        .Default(Other);
    if (column != Other && llvm::is_contained(columns, column))
      return makeError("there are two columns '" + getName(column) + "'");
    endsAreIncluded |= field == "end";
    columns.push_back(column);
  }
  for (Column column : {Id, Lower, Upper, Size})
    if (!llvm::is_contained(columns, column))
      return makeError("there is no column '" + getName(column) + "'");
  hasOffsets = llvm::is_contained(columns, Offset);
  return Error::success();
}

Error Reader::readNumber(StringRef text, StringRef what, int64_t &value) const {
  if (text.trim().getAsInteger(10, value))
    return makeError("'" + text + "' in column '" + what +
                     "' is no 64-bit integer");
  return Error::success();
}

Error Reader::readEnd(StringRef text, StringRef what, int64_t &value) const {
  if (Error error = readNumber(text, what, value))
    return error;
  if (endsAreIncluded && llvm::AddOverflow(value, int64_t(1), value))
    return makeError("'" + text + "' in column '" + what + "' is too large");
  return Error::success();
}

Error Reader::readGaps(StringRef text, LiveRange &live) const {
  llvm::SmallVector<StringRef> gaps;
  text.split(gaps, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef gap : gaps) {
    // minimalloc's windows: a part of the buffer stays live.
    if (gap.contains('@'))
      return makeError("the gap '" + gap +
                       "' has a window, which is not supported");
    size_t dash = gap.find('-', 1);
    if (dash == StringRef::npos)
      return makeError("the gap '" + gap + "' is not of the form '7-9'");
    Interval interval;
    if (Error error = readNumber(gap.take_front(dash), "gaps", interval.begin))
      return error;
    if (Error error = readEnd(gap.drop_front(dash + 1), "gaps", interval.end))
      return error;
    if (live.empty() || interval.begin >= interval.end ||
        interval.begin < live.back().begin || interval.end > live.back().end)
      return makeError("the gap '" + gap +
                       "' is empty, out of order or outside the live range");
    Interval rest = {interval.end, live.back().end};
    live.back().end = interval.begin;
    if (live.back().begin == live.back().end)
      live.pop_back();
    if (rest.begin < rest.end)
      live.push_back(rest);
  }
  return Error::success();
}

Error Reader::readBuffer(llvm::ArrayRef<std::string> fields) {
  if (fields.size() != columns.size())
    return makeError("there are " + Twine(fields.size()) + " fields for " +
                     Twine(columns.size()) + " columns");
  Buffer buffer;
  Interval interval;
  int64_t offset = 0;
  StringRef lower, upper, gaps;
  for (auto [column, text] : llvm::zip(columns, fields)) {
    Error error = Error::success();
    if (column == Id)
      buffer.name = text;
    else if (column == Lower)
      lower = text;
    else if (column == Upper)
      upper = text;
    else if (column == Gaps)
      gaps = text;
    else if (column == Size)
      error = readNumber(text, getName(column), buffer.bytes);
    else if (column == Alignment)
      error = readNumber(text, getName(column), buffer.alignment);
    else if (column == Offset)
      error = readNumber(text, getName(column), offset);
    if (error)
      return error;
  }
  if (!lower.trim().empty() || !upper.trim().empty()) {
    if (Error error = readNumber(lower, getName(Lower), interval.begin))
      return error;
    if (Error error = readEnd(upper, getName(Upper), interval.end))
      return error;
    buffer.live.push_back(interval);
  }
  if (Error error = readGaps(gaps, buffer.live))
    return error;
  if (!names.insert(buffer.name).second)
    return makeError("there is another buffer with the id '" + buffer.name +
                     "'");
  problem.buffers.push_back(std::move(buffer));
  offsets.push_back(offset);
  return Error::success();
}

Expected<Problem> Reader::read(StringRef text) {
  while (!text.empty()) {
    ++lineNumber;
    StringRef line;
    std::tie(line, text) = text.split('\n');
    line.consume_back("\r");
    if (line.trim().empty())
      continue;
    Expected<std::vector<std::string>> fields = split(line);
    if (!fields)
      return fields.takeError();
    if (Error error =
            columns.empty() ? readHeader(*fields) : readBuffer(*fields))
      return std::move(error);
  }
  if (columns.empty())
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "there is no line with column names");
  return std::move(problem);
}

Expected<Problem>
packing::parseCSV(StringRef text,
                  std::optional<std::vector<int64_t>> *offsets) {
  Reader reader;
  Expected<Problem> problem = reader.read(text);
  if (offsets) {
    offsets->reset();
    if (problem && reader.hasOffsets)
      *offsets = std::move(reader.offsets);
  }
  return problem;
}

static void printField(llvm::raw_ostream &os, StringRef field) {
  if (field.find_first_of(",\"") == StringRef::npos && field == field.trim()) {
    os << field;
    return;
  }
  os << '"';
  for (char c : field)
    os << StringRef(c == '"' ? "\"\"" : StringRef(&c, 1));
  os << '"';
}

void packing::printCSV(llvm::raw_ostream &os, const Problem &problem,
                       const Solution *solution) {
  bool hasAlignments = llvm::any_of(
      problem.buffers, [](const Buffer &b) { return b.alignment != 1; });
  bool hasGaps = llvm::any_of(
      problem.buffers, [](const Buffer &b) { return b.live.size() > 1; });
  os << "id,lower,upper,size" << (hasAlignments ? ",alignment" : "")
     << (hasGaps ? ",gaps" : "") << (solution ? ",offset" : "") << "\n";
  for (auto [index, buffer] : llvm::enumerate(problem.buffers)) {
    // Intervals that touch have no gap.
    LiveRange live = normalize(buffer.live);
    printField(os, buffer.name);
    if (live.empty())
      os << ",,";
    else
      os << "," << live.front().begin << "," << live.back().end;
    os << "," << buffer.bytes;
    if (hasAlignments)
      os << "," << buffer.alignment;
    if (hasGaps) {
      os << ",";
      for (size_t i = 1; i < live.size(); ++i)
        os << (i == 1 ? "" : " ") << live[i - 1].end << "-" << live[i].begin;
    }
    if (solution)
      os << "," << solution->offsets[index];
    os << "\n";
  }
}
