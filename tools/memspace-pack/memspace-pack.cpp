//===- memspace-pack.cpp - pack the buffers of a file ---------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads a packing problem in minimalloc's format, solves it, checks the
// solution, and says how good it is. docs/packing.md explains the problem.
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Packing/CSV.h"
#include "MemSpace/Packing/Solvers.h"
#include "ToolOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"
#include <chrono>

using namespace mlir::memspace;
using namespace mlir::memspace::packing;
using llvm::StringRef;
namespace cl = llvm::cl;

static cl::OptionCategory category("memspace-pack options");
static cl::opt<std::string> inputFile("input", cl::Required,
                                      cl::desc("CSV file, '-' for stdin"),
                                      cl::value_desc("F.csv"),
                                      cl::cat(category));
static cl::opt<std::string> outputFile("output",
                                       cl::desc("CSV file with offsets"),
                                       cl::value_desc("G.csv"),
                                       cl::cat(category));
static cl::opt<int64_t> capacity("capacity",
                                 cl::desc("Bytes; no solution above is wanted"),
                                 cl::cat(category));
static cl::opt<bool> minimize(
    "minimize",
    cl::desc("Search the fewest bytes, not only some solution within the "
             "capacity (always without --capacity)"),
    cl::cat(category));
static cl::opt<bool>
    explain("explain",
            cl::desc("When the buffers do not fit, name some that do not fit "
                     "together, while without any one of them they would"),
            cl::cat(category));
static cl::opt<int64_t>
    alignment("alignment", cl::desc("Alignment of all buffers, in bytes"),
              cl::cat(category));

namespace {
enum class Solver { Exact, Bump, BySize, Best, Local };
} // namespace
static cl::opt<Solver> solver(
    "solver", cl::desc("How to solve"), cl::init(Solver::Exact),
    cl::values(
        clEnumValN(Solver::Exact, "exact", "Branch and bound"),
        clEnumValN(Solver::Local, "local",
                   "First-fit in orders that are mended"),
        clEnumValN(Solver::Best, "best", "First-fit, the best of some orders"),
        clEnumValN(Solver::BySize, "by-size", "First-fit, largest first"),
        clEnumValN(Solver::Bump, "bump", "No buffer shares bytes")),
    cl::cat(category));
static cl::opt<uint64_t> maxNodes("max-nodes", cl::init(20'000'000),
                                  cl::desc("Search nodes of the exact solver"),
                                  cl::cat(category));
static cl::opt<double>
    maxSeconds("time-limit",
               cl::desc("Wall-clock limit of solving, with "
                        "all that is prepared and explained"),
               cl::cat(category));
static cl::alias maxSecondsAlias("max-seconds", cl::aliasopt(maxSeconds),
                                 cl::desc("The same as --time-limit"),
                                 cl::cat(category));
static cl::list<std::string>
    orderings("ordering", cl::CommaSeparated,
              cl::desc("Orders of equal candidates: letters W, A, T"),
              cl::cat(category));
static cl::list<std::string>
    disabled("disable", cl::CommaSeparated,
             cl::desc("Techniques of the exact solver to switch off, as named "
                      "in docs/packing.md"),
             cl::value_desc("technique"), cl::cat(category));

/// Exit statuses; --help explains them.
enum Status { kSolved = 0, kNotSolved = 1, kBadInput = 2 };

static const char overview[] =
    "Packs buffers with live ranges into memory\n\n"
    "Exit status: 0 when solved; 1 when the buffers do not fit within the\n"
    "capacity, or no solution was found in time; 2 when the command line or "
    "the\n"
    "input is bad.\n";

static Status fail(const llvm::Twine &message) {
  llvm::errs() << "memspace-pack: error: " << message << "\n";
  return kBadInput;
}

/// Empty, or what is wrong with the command line.
static std::string getOptions(ExactOptions &options) {
  for (StringRef name : disabled) {
    const ExactTechnique *technique =
        llvm::find_if(getExactTechniques(), [&](const ExactTechnique &each) {
          return each.name == name;
        });
    if (technique == getExactTechniques().end()) {
      std::string message = "there is no technique '" + name.str() + "', only";
      for (const ExactTechnique &each : getExactTechniques())
        message += " '" + each.name.str() + "'";
      return message;
    }
    options.*technique->enabled = false;
  }
  if (!orderings.empty())
    options.orderings.assign(orderings.begin(), orderings.end());
  for (StringRef ordering : options.orderings)
    if (ordering.empty() || ordering.size() > 3 ||
        ordering.find_first_not_of("WAT") != StringRef::npos)
      return "the ordering '" + ordering.str() +
             "' is not one to three of the letters W, A, T";
  if (capacity.getNumOccurrences())
    options.capacity = capacity;
  options.minimize = minimize || !options.capacity;
  options.maxNodes = maxNodes;
  if (maxSeconds.getNumOccurrences())
    options.maxSeconds = maxSeconds;
  if (options.maxSeconds && !(*options.maxSeconds >= 0))
    return "the time limit must not be negative";
  return "";
}

static double getSeconds(std::chrono::steady_clock::time_point since) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - since)
      .count();
}

/// The result of any solver, in the form of the exact one's.
static ExactResult solve(const Problem &problem, const ExactOptions &options) {
  if (solver == Solver::Exact)
    return solveExact(problem, options);
  ExactResult result;
  result.lowerBound = getLowerBound(problem);
  auto start = std::chrono::steady_clock::now();
  auto isOver = [&] {
    return options.maxSeconds && getSeconds(start) >= *options.maxSeconds;
  };
  LocalSearchOptions local;
  local.isOver = isOver;
  Solution solution = solver == Solver::Bump     ? bump(problem)
                      : solver == Solver::Local  ? localSearch(problem, local)
                      : solver == Solver::BySize ? greedyBySize(problem)
                                                 : bestFit(problem, isOver);
  if (options.capacity && solution.height > *options.capacity) {
    result.proved = result.lowerBound > *options.capacity;
    return result;
  }
  result.proved = !options.minimize || solution.height == result.lowerBound;
  result.solution = std::move(solution);
  return result;
}

static void printSubset(const Problem &problem, const ExactOptions &options) {
  bool proved;
  llvm::SmallVector<unsigned> subset =
      findInfeasibleSubset(problem, *options.capacity, options, &proved);
  if (subset.empty())
    return;
  int64_t sum = 0;
  llvm::outs() << "these do not fit together:\n";
  for (unsigned i : subset) {
    const Buffer &buffer = problem.buffers[i];
    sum += buffer.bytes;
    llvm::outs() << "  " << buffer.name << ": " << buffer.bytes << " bytes";
    if (buffer.alignment != 1)
      llvm::outs() << ", alignment " << buffer.alignment;
    for (const Interval &interval : buffer.live)
      llvm::outs() << ", [" << interval.begin << ", " << interval.end << ")";
    llvm::outs() << "\n";
  }
  llvm::outs() << "  " << sum << " bytes in all"
               << (proved ? "" : ", and perhaps fewer buffers would do")
               << "\n";
}

static void print(const Problem &problem, const ExactOptions &options,
                  const ExactResult &result, double seconds) {
  llvm::raw_ostream &os = llvm::outs();
  os << "buffers: " << problem.buffers.size() << "\n"
     << "peak live: " << getPeakLiveBytes(problem) << "\n"
     << "lower bound: " << result.lowerBound << "\n";
  if (!result.solution)
    os << (result.proved ? "proved: nothing fits within "
                         : "nothing found within ")
       << *options.capacity << "\n";
  else if (!options.minimize)
    os << "height: " << result.solution->height << "\n"
       << "fits within: " << *options.capacity << "\n";
  else
    os << "height: " << result.solution->height << "\n"
       << (result.proved ? "optimal: yes\n" : "optimal: not proved, gap ")
       << (result.proved
               ? ""
               : std::to_string(result.solution->height - result.lowerBound) +
                     "\n");
  os << "nodes: " << result.nodes << "\n"
     << "time: " << llvm::format("%.3f", seconds) << " s\n";
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  addVersionPrinter();
  // Without a stream LLVM exits with 1.
  if (!cl::ParseCommandLineOptions(argc, argv, overview, &llvm::errs()))
    return kBadInput;
  ExactOptions options;
  if (std::string message = getOptions(options); !message.empty())
    return fail(message);

  auto file = llvm::MemoryBuffer::getFileOrSTDIN(inputFile);
  if (!file)
    return fail("'" + inputFile + "': " + file.getError().message());
  llvm::Expected<Problem> problem = parseCSV((*file)->getBuffer());
  if (!problem)
    return fail(inputFile + ": " + llvm::toString(problem.takeError()));
  if (alignment.getNumOccurrences())
    for (Buffer &buffer : problem->buffers)
      buffer.alignment = alignment;
  if (llvm::Error error = problem->check())
    return fail(inputFile + ": " + llvm::toString(std::move(error)));

  auto start = std::chrono::steady_clock::now();
  ExactResult result = solve(*problem, options);
  double seconds = getSeconds(start);
  print(*problem, options, result, seconds);
  if (!result.solution) {
    if (options.maxSeconds)
      *options.maxSeconds -= seconds;
    if (explain && result.proved)
      printSubset(*problem, options);
    return kNotSolved;
  }
  if (llvm::Error error = verify(*problem, *result.solution, options.capacity))
    return fail("the solver is wrong: " + llvm::toString(std::move(error)));
  if (!outputFile.empty()) {
    std::error_code code;
    llvm::ToolOutputFile output(outputFile, code, llvm::sys::fs::OF_Text);
    if (code)
      return fail("'" + outputFile + "': " + code.message());
    printCSV(output.os(), *problem, &*result.solution);
    output.keep();
  }
  return kSolved;
}
