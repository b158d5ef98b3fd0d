//===- ChildProcess.cpp - a crash becomes an error ------------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChildProcess.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <csignal>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

using namespace mlir;

std::optional<int> memspace::waitForChild(int crashStatus) {
  pid_t parent = getpid(), child = fork();
  if (child < 0)
    return std::nullopt;
  if (child == 0) {
#ifdef __linux__
    // Who ends the parent (a test with a time limit) means the run.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
      _exit(crashStatus);
#endif
    (void)parent;
    return std::nullopt;
  }
  int status;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return crashStatus;
  if (WIFEXITED(status))
    return WEXITSTATUS(status);
  llvm::errs() << "memspace-runner: error: reading, compiling or running the "
                  "kernel ended with signal '"
               << strsignal(WTERMSIG(status))
               << "'; please report it, and see whether a simpler kernel is "
                  "accepted\n";
  return crashStatus;
}
