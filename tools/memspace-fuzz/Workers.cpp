//===- Workers.cpp - checks that may crash, each in a process that may die
//-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Workers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::fuzz;

namespace {
/// A forked process and what it has said so far. It says "B" before each job
/// and "E" with the result, fields apart by tabs, after it.
struct Process {
  pid_t pid = -1;
  int pipe = -1;
  int64_t next = 0, end = 0;
  bool isBusy = false;
  std::string unread;
};
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

[[noreturn]] static void work(int pipe, int64_t first, int64_t end,
                              const WorkerOptions &options,
                              llvm::function_ref<CheckResult(int64_t)> job) {
  // What a crash prints tells nothing that the seed does not.
  int null = ::open("/dev/null", O_WRONLY);
  ::dup2(null, STDERR_FILENO);
  ::dup2(null, STDOUT_FILENO);
  for (int signal :
       {SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE, SIGPROF, SIGALRM})
    ::signal(signal, SIG_DFL);
  limitMemory();
  for (int64_t i = first; i < end; ++i) {
    writeAll(pipe, "B\n");
    startTimer(options.secondsPerJob);
    CheckResult result = job(i);
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

static Process start(int64_t first, int64_t end, const WorkerOptions &options,
                     llvm::function_ref<CheckResult(int64_t)> job) {
  int ends[2];
  if (::pipe(ends) != 0)
    llvm::report_fatal_error("no pipe for a worker");
  llvm::outs().flush();
  Process process;
  process.pid = ::fork();
  if (process.pid < 0)
    llvm::report_fatal_error("no process for a worker");
  if (process.pid == 0) {
    ::close(ends[0]);
    work(ends[1], first, end, options, job);
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
      continue;
    }
    SmallVector<StringRef, 8> fields;
    StringRef(line).split(fields, '\t');
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

void fuzz::runJobs(int64_t count, const WorkerOptions &options,
                   llvm::function_ref<CheckResult(int64_t)> job,
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
        done(process.next++,
             {Verdict::Crash, describeDeath(status, options), ""});
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
