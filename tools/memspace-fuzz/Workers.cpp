//===- Workers.cpp - checks that may crash, each in a process that may die
//-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Workers.h"
#include "CrashPlace.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::fuzz;

namespace {
/// A forked process and what it has said so far. It says "B" before each job,
/// "P" and "T" with part and text in between, "E" with the result, fields apart
/// by tabs, after it, and "W" when it crashes.
struct Process {
  pid_t pid = -1;
  int pipe = -1;
  /// What it prints as errors, of the job that it is at.
  int errors = -1;
  int64_t next = 0, end = 0;
  bool isBusy = false;
  std::string unread;
  /// Of the job that it is at.
  std::string part, program, place;
};
using Job = llvm::function_ref<CheckResult(int64_t, const JobLog &)>;
} // namespace

/// One line, without tabs.
static std::string flatten(std::string text) {
  for (char &c : text)
    if (c == '\n' || c == '\t')
      c = ' ';
  return text;
}

/// A text that keeps its lines.
static constexpr char kNewline = '\x1f';
static std::string onOneLine(std::string text) {
  std::replace(text.begin(), text.end(), '\n', kNewline);
  std::replace(text.begin(), text.end(), '\t', ' ');
  return text;
}
static std::string inLines(std::string text) {
  std::replace(text.begin(), text.end(), kNewline, '\n');
  return text;
}

static void writeAll(int file, const std::string &text) {
  size_t written = 0;
  while (written < text.size()) {
    ssize_t n = ::write(file, text.data() + written, text.size() - written);
    if (n <= 0)
      _exit(3);
    written += n;
  }
}

/// SIGPROF after so many seconds of processor time, which does not depend on
/// what else the machine does; SIGALRM after ten times as long, for jobs that
/// wait. 0 stops both.
static void startTimer(unsigned seconds) {
  itimerval timer = {};
  timer.it_value.tv_sec = seconds;
  ::setitimer(ITIMER_PROF, &timer, nullptr);
  ::alarm(10 * seconds);
}

/// A loop that does not end may allocate without end, too. The sanitizers map
/// more than that for themselves.
static void limitMemory() {
#if !defined(__SANITIZE_ADDRESS__) && !LLVM_ADDRESS_SANITIZER_BUILD
  rlimit limit;
  limit.rlim_cur = limit.rlim_max = rlim_t(3) << 30;
  ::setrlimit(RLIMIT_DATA, &limit);
#endif
}

[[noreturn]] static void work(int pipe, int errors, int64_t first, int64_t end,
                              const WorkerOptions &options, Job job) {
  int null = ::open("/dev/null", O_WRONLY);
  ::dup2(null, STDOUT_FILENO);
  ::dup2(errors, STDERR_FILENO);
  tellWhereItCrashes(pipe);
  limitMemory();
  for (int64_t i = first; i < end; ++i) {
    writeAll(pipe, "B\n");
    if (::ftruncate(errors, 0) == 0)
      ::lseek(errors, 0, SEEK_SET);
    startTimer(options.secondsPerJob);
    CheckResult result = job(i, JobLog(pipe, options.secondsPerJob));
    startTimer(0);
    writeAll(pipe,
             "E\t" + std::to_string(unsigned(result.verdict)) + "\t" +
                 flatten(result.detail) + "\t" + flatten(result.secondOpinion) +
                 "\t" + (result.isReused ? "1" : "0") + "\t" +
                 result.barriers.toString() + "\t" + flatten(result.alarm) +
                 "\t" + onOneLine(result.program) + "\n");
  }
  _exit(0);
}

void JobLog::enter(StringRef part) const {
  writeAll(pipe, "P\t" + flatten(part.str()) + "\n");
  startTimer(seconds);
}

void JobLog::setProgram(StringRef text) const {
  writeAll(pipe, "T\t" + onOneLine(text.str()) + "\n");
}

static Process start(int64_t first, int64_t end, const WorkerOptions &options,
                     Job job) {
  int ends[2];
  if (::pipe(ends) != 0)
    llvm::report_fatal_error("no pipe for a worker");
  llvm::outs().flush();
  Process process;
  process.errors = ::memfd_create("errors", 0);
  process.pid = ::fork();
  if (process.pid < 0)
    llvm::report_fatal_error("no process for a worker");
  if (process.pid == 0) {
    ::close(ends[0]);
    work(ends[1], process.errors, first, end, options, job);
  }
  ::close(ends[1]);
  process.pipe = ends[0];
  process.next = first;
  process.end = end;
  return process;
}

/// Handles the complete lines that `process` has said.
static void takeLines(Process &process,
                      llvm::function_ref<void(int64_t, CheckResult)> done) {
  size_t newline;
  while ((newline = process.unread.find('\n')) != std::string::npos) {
    std::string line = process.unread.substr(0, newline);
    process.unread.erase(0, newline + 1);
    if (line == "B") {
      process.isBusy = true;
      process.part = process.program = process.place = "";
      continue;
    }
    SmallVector<StringRef, 8> fields;
    StringRef(line).split(fields, '\t');
    if (fields[0] == "P")
      process.part = fields[1].str();
    if (fields[0] == "T")
      process.program = inLines(fields[1].str());
    if (fields[0] == "W")
      process.place = getCrashPlace(fields[1].str());
    if (fields[0] != "E")
      continue;
    unsigned verdict = 0;
    fields[1].getAsInteger(10, verdict);
    process.isBusy = false;
    CheckResult result{Verdict(verdict), fields[2].str(), fields[3].str(),
                       fields[4] == "1"};
    result.barriers = BarrierTally::fromString(fields[5].str());
    result.alarm = fields[6].str();
    result.program = inLines(fields[7].str());
    done(process.next++, std::move(result));
  }
}

/// The first line that says so, of what a job has printed.
static std::string readError(int file) {
  char buffer[4096];
  ssize_t n = ::pread(file, buffer, sizeof(buffer), 0);
  SmallVector<StringRef> lines;
  StringRef(buffer, std::max<ssize_t>(n, 0)).split(lines, '\n');
  for (StringRef line : lines)
    if (line.contains_insensitive("error"))
      return flatten(line.str());
  return "";
}

/// Why a process ended in the middle of a job.
static std::string describeDeath(int status, const WorkerOptions &options) {
  if (WIFSIGNALED(status) &&
      (WTERMSIG(status) == SIGPROF || WTERMSIG(status) == SIGALRM))
    return "takes more than " + std::to_string(options.secondsPerJob) +
           " seconds of processor time";
  if (WIFSIGNALED(status))
    return std::string("killed by signal ") + ::strsignal(WTERMSIG(status));
  return "exits with status " + std::to_string(WEXITSTATUS(status));
}

/// The result of the job in the middle of which `process` ended.
static CheckResult describeVictim(const Process &process, int status,
                                  const WorkerOptions &options) {
  CheckResult result{Verdict::Crash, describeDeath(status, options), ""};
  if (!process.place.empty())
    result.detail += " in " + process.place;
  if (std::string error = readError(process.errors); !error.empty())
    result.detail += ", " + error;
  if (!process.part.empty())
    result.detail = process.part + ": " + result.detail;
  result.program = process.program;
  return result;
}

void fuzz::runJobs(int64_t count, const WorkerOptions &options,
                   llvm::function_ref<CheckResult(int64_t)> job,
                   llvm::function_ref<void(int64_t, CheckResult)> done) {
  runJobs(
      count, options, [&](int64_t i, const JobLog &) { return job(i); }, done);
}

void fuzz::runJobs(int64_t count, const WorkerOptions &options, Job job,
                   llvm::function_ref<void(int64_t, CheckResult)> done) {
  auto begin = std::chrono::steady_clock::now();
  int64_t nextJob = 0;
  SmallVector<Process> processes;
  auto hasTime = [&] {
    return options.secondsInAll == 0 ||
           std::chrono::steady_clock::now() - begin <
               std::chrono::seconds(options.secondsInAll);
  };
  while (true) {
    while (processes.size() < options.processes && nextJob < count &&
           hasTime()) {
      int64_t end = std::min(count, nextJob + options.jobsPerProcess);
      processes.push_back(start(nextJob, end, options, job));
      nextJob = end;
    }
    if (processes.empty())
      return;
    SmallVector<pollfd> polled;
    for (const Process &process : processes)
      polled.push_back({process.pipe, POLLIN, 0});
    ::poll(polled.data(), polled.size(), 200);
    bool isOver = !hasTime();
    for (int64_t i = processes.size() - 1; i >= 0; --i) {
      Process &process = processes[i];
      bool hasEnded = false;
      if (polled[i].revents != 0) {
        char buffer[4096];
        ssize_t n = ::read(process.pipe, buffer, sizeof(buffer));
        if (n > 0)
          process.unread.append(buffer, n);
        takeLines(process, done);
        hasEnded = n <= 0;
      }
      if (!hasEnded && isOver) {
        // The job that it is at is not counted.
        ::kill(process.pid, SIGKILL);
        process.isBusy = false;
        process.next = process.end;
        hasEnded = true;
      }
      if (!hasEnded)
        continue;
      int status = 0;
      ::waitpid(process.pid, &status, 0);
      ::close(process.pipe);
      if (process.isBusy)
        done(process.next++, describeVictim(process, status, options));
      ::close(process.errors);
      int64_t next = process.next, end = process.end;
      processes.erase(processes.begin() + i);
      polled.erase(polled.begin() + i);
      if (next < end)
        processes.push_back(start(next, end, options, job));
    }
  }
}

CheckResult fuzz::runJob(const WorkerOptions &options,
                         llvm::function_ref<CheckResult()> job) {
  CheckResult result;
  WorkerOptions single = options;
  single.processes = 1;
  single.secondsInAll = 0;
  runJobs(
      1, single, [&](int64_t) { return job(); },
      [&](int64_t, CheckResult given) { result = std::move(given); });
  return result;
}
