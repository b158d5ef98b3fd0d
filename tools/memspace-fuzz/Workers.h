//===- Workers.h - checks that may crash, each in a process that may die -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Runs numbered jobs in forked processes, many in each, so that a crash costs
/// one job, is known to be that job's, and the rest go on.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_FUZZ_WORKERS_H
#define MEMSPACE_FUZZ_WORKERS_H

#include "Differential.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir {
namespace memspace {
namespace fuzz {

struct WorkerOptions {
  /// Processes at a time.
  unsigned processes = 1;
  /// Jobs that one process does before a fresh one takes over.
  int64_t jobsPerProcess = 64;
  /// A job that takes more processor time counts as crashed.
  unsigned secondsPerJob = 30;
  /// Afterwards no new jobs are begun; 0: no limit.
  int64_t secondsInAll = 0;
};

/// What a job says while it runs, so that its crash tells more.
class JobLog {
public:
  JobLog(int pipe, unsigned seconds) : pipe(pipe), seconds(seconds) {}

  /// A part of the job begins, and its time with it.
  void enter(StringRef part) const;
  /// The program that the job is about.
  void setProgram(StringRef text) const;

private:
  int pipe;
  unsigned seconds;
};

/// Runs `job` for each number in [0, count) in some process and calls `done`
/// here with what it returned, in any order.
void runJobs(int64_t count, const WorkerOptions &options,
             llvm::function_ref<CheckResult(int64_t, const JobLog &)> job,
             llvm::function_ref<void(int64_t, CheckResult)> done);
void runJobs(int64_t count, const WorkerOptions &options,
             llvm::function_ref<CheckResult(int64_t)> job,
             llvm::function_ref<void(int64_t, CheckResult)> done);

/// One job in a process of its own.
CheckResult runJob(const WorkerOptions &options,
                   llvm::function_ref<CheckResult()> job);

} // namespace fuzz
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_FUZZ_WORKERS_H
