//===- Reports.cpp - findings in words ------------------------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reports.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::emulator;

static std::string print(const Dim3 &position) {
  return "(" + std::to_string(position[0]) + ", " +
         std::to_string(position[1]) + ", " + std::to_string(position[2]) + ")";
}

static std::string printThread(const ThreadId &thread) {
  return "thread " + print(thread.thread);
}

static StringRef getSpaceName(Space space) {
  switch (space) {
  case Space::Private:
    return "private memory";
  case Space::Workgroup:
    return "workgroup memory";
  case Space::Global:
    return "global memory";
  }
  llvm_unreachable("unknown space");
}

static std::string getVerb(bool isWrite, bool isAtomic) {
  return std::string(isAtomic ? "atomically " : "") +
         (isWrite ? "writes" : "reads");
}

static std::string printBytes(int64_t byte, int64_t size) {
  if (size <= 1)
    return "byte " + std::to_string(byte);
  int64_t last;
  if (llvm::AddOverflow(byte, size - 1, last))
    return std::to_string(size) + " bytes from byte " + std::to_string(byte) +
           " on";
  return "bytes " + std::to_string(byte) + " to " + std::to_string(last);
}

static std::string getRaceMessage(const RawReport &r) {
  bool isAcross = r.kind == ReportKind::WorkgroupConflict;
  auto who = [&](const ThreadId &thread) {
    return isAcross ? "workgroup " + print(thread.workgroup)
                    : printThread(thread);
  };
  std::string text =
      isAcross ? "conflict between workgroups in " : "data race in ";
  text += getSpaceName(r.space);
  text += ": " + who(r.thread) + " " + getVerb(r.isWrite, r.isAtomic) +
          " byte " + std::to_string(r.byte) + ", which " + who(r.otherThread) +
          " " + getVerb(r.isOtherWrite, r.isOtherAtomic);
  if (r.detail == "pending")
    text += " asynchronously and has not waited for";
  else
    text += isAcross ? "; no barrier orders workgroups"
                     : ", with no barrier between";
  if (r.isWrite && r.isOtherWrite && !r.isAtomic && !r.isOtherAtomic)
    text +=
        r.isSameValue ? "; both write the same value" : "; the values differ";
  return text;
}

static std::string getDivergenceMessage(const RawReport &r) {
  std::string text = "divergent " + r.detail + ": " + printThread(r.thread) +
                     " waits here, but ";
  if (!r.hasOther)
    return text + "not all lanes that must take part exist";
  text += printThread(r.otherThread);
  if (r.kind == ReportKind::EarlyExit)
    return text + " has returned";
  if (r.otherSite == r.site)
    return text + " waits in another iteration of a loop";
  return text + " waits at another barrier or subgroup op";
}

static std::string getBoundsMessage(const RawReport &r) {
  std::string text = "out of bounds: " + printThread(r.thread);
  if (r.dimension >= 0)
    return text + " uses index " + std::to_string(r.byte) + " of dimension " +
           std::to_string(r.dimension) + ", whose size is " +
           std::to_string(r.bufferBytes);
  if (r.detail == "view")
    return text + " makes a view of " + printBytes(r.byte, r.size) +
           " of a buffer of " + std::to_string(r.bufferBytes) + " bytes";
  if (r.detail == "source size")
    return text + " copies " + std::to_string(r.byte) +
           " bytes of the source into " + std::to_string(r.bufferBytes) +
           " bytes of the target";
  if (r.detail == "alignment")
    return text + (r.isAtomic ? " accesses " : " reads a row of ") +
           std::to_string(r.size) + " bytes " +
           (r.isAtomic ? "atomically " : "") + "at byte " +
           std::to_string(r.byte) + ", which is no multiple of " +
           std::to_string(r.size);
  text += r.isWrite ? " writes " : " reads ";
  if (r.detail == "no buffer")
    return text + std::to_string(r.size) + " bytes at an address in no buffer";
  return text + printBytes(r.byte, r.size) + " of a buffer of " +
         std::to_string(r.bufferBytes) + " bytes";
}

static std::string getAliasingMessage(const RawReport &r) {
  bool isAcross = r.thread.workgroup != r.otherThread.workgroup;
  auto who = [&](const ThreadId &thread) {
    return printThread(thread) +
           (isAcross ? " of workgroup " + print(thread.workgroup) : "");
  };
  return "aliasing arguments: " + who(r.thread) + " " +
         getVerb(r.isWrite, r.isAtomic) + " byte " + std::to_string(r.byte) +
         " of argument " + std::to_string(r.argument) + ", which " +
         who(r.otherThread) + " " + getVerb(r.isOtherWrite, false) +
         " through argument " + std::to_string(r.otherArgument) +
         ", though both have 'memspace.noalias'; give them memory of their "
         "own, or compile the kernel with 'noalias=false'";
}

static std::string getMessage(const RawReport &r) {
  switch (r.kind) {
  case ReportKind::Race:
  case ReportKind::WorkgroupConflict:
    return getRaceMessage(r);
  case ReportKind::DivergentBarrier:
  case ReportKind::EarlyExit:
    return getDivergenceMessage(r);
  case ReportKind::Deadlock:
    if (r.detail == "run")
      return "no end in sight: the run takes more than " +
             std::to_string(r.size) + " steps, " + printThread(r.thread) +
             " the last of them; allow more with 'max-steps'";
    return "deadlock: " + printThread(r.thread) +
           " and its workgroup take more than " + std::to_string(r.size) +
           " steps without coming to a barrier";
  case ReportKind::OutOfBounds:
    return getBoundsMessage(r);
  case ReportKind::ConstantWrite:
    return "write to a constant: " + printThread(r.thread) + " writes " +
           printBytes(r.byte, r.size);
  case ReportKind::UninitializedRead:
    return "uninitialized read: " + printThread(r.thread) + " reads byte " +
           std::to_string(r.byte) +
           (r.detail == "view" ? ", which was last written through another view"
                               : ", which nobody has written");
  case ReportKind::AliasingArguments:
    return getAliasingMessage(r);
  }
  llvm_unreachable("unknown report");
}

Report emulator::makeReport(const RawReport &raw, const Program &program) {
  Report report{
      raw.kind,
      {program.sites[raw.site], raw.thread, raw.isWrite, raw.isAtomic},
      std::nullopt,
      program.sites[raw.bufferSite],
      raw.byte,
      raw.isSameValue && raw.isWrite && raw.isOtherWrite,
      raw.count,
      getMessage(raw)};
  if (raw.hasOther)
    report.other = AccessInfo{program.sites[raw.otherSite], raw.otherThread,
                              raw.isOtherWrite, raw.isOtherAtomic};
  return report;
}

//===----------------------------------------------------------------------===//
// Result
//===----------------------------------------------------------------------===//

static int64_t countReports(const Result &result,
                            std::initializer_list<ReportKind> kinds) {
  return llvm::count_if(result.reports, [&](const Report &report) {
    return llvm::is_contained(kinds, report.kind);
  });
}

int64_t Result::getNumRaces() const {
  return countReports(*this, {ReportKind::Race, ReportKind::WorkgroupConflict});
}
int64_t Result::getNumDivergentBarriers() const {
  return countReports(*this, {ReportKind::DivergentBarrier,
                              ReportKind::EarlyExit, ReportKind::Deadlock});
}
int64_t Result::getNumOutOfBounds() const {
  return countReports(*this,
                      {ReportKind::OutOfBounds, ReportKind::ConstantWrite});
}
int64_t Result::getNumUninitializedReads() const {
  return countReports(*this, {ReportKind::UninitializedRead});
}
int64_t Result::getNumAliasingArguments() const {
  return countReports(*this, {ReportKind::AliasingArguments});
}

std::string Result::getSummary() const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << "races: " << getNumRaces()
         << ", divergent barriers: " << getNumDivergentBarriers()
         << ", out of bounds: " << getNumOutOfBounds()
         << ", uninitialized reads: " << getNumUninitializedReads();
  if (int64_t number = getNumAliasingArguments())
    stream << ", aliasing arguments: " << number;
  return text;
}

void Result::emitReports() const {
  for (const Report &report : reports) {
    InFlightDiagnostic diag = emitError(report.at.loc) << report.message;
    if (report.count > 1)
      diag << " (" << report.count << " times)";
    if (report.other && !isa<UnknownLoc>(report.other->loc))
      diag.attachNote(report.other->loc)
          << (report.kind == ReportKind::DivergentBarrier
                  ? "the other thread waits here"
              : report.kind == ReportKind::UninitializedRead
                  ? "its value leaves the kernel here"
                  : "the other access is here");
    if (!isa<UnknownLoc>(report.buffer))
      diag.attachNote(report.buffer) << "the buffer is made here";
  }
}
