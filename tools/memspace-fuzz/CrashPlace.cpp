//===- CrashPlace.cpp - where a process dies -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CrashPlace.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include <csignal>
#include <cstring>
#include <dlfcn.h>
#include <execinfo.h>
#include <unistd.h>

using namespace mlir::memspace;
using llvm::StringRef;

static constexpr int kMostFrames = 48;
/// A handler has no arguments of its own.
static int crashFile = -1;

static void write(const char *text) {
  [[maybe_unused]] ssize_t n = ::write(crashFile, text, std::strlen(text));
}

/// The default action of the signal follows.
static void handleCrash(int signal) {
  void *frames[kMostFrames];
  int count = ::backtrace(frames, kMostFrames);
  write("W\t");
  for (int i = 0; i < count; ++i) {
    Dl_info info;
    if (!::dladdr(frames[i], &info) || !info.dli_sname)
      continue;
    write(info.dli_sname);
    write(" ");
  }
  write("\n");
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

void fuzz::tellWhereItCrashes(int file) {
  crashFile = file;
  // The first call loads a library.
  void *frame;
  ::backtrace(&frame, 1);
  // Of its own, since the stack may be what is exhausted.
  static char stack[1 << 16];
  stack_t alternative = {};
  alternative.ss_sp = stack;
  alternative.ss_size = sizeof(stack);
  ::sigaltstack(&alternative, nullptr);
  struct sigaction action = {};
  action.sa_handler = handleCrash;
  action.sa_flags = SA_ONSTACK | SA_NODEFER;
  for (int signal :
       {SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE, SIGPROF, SIGALRM})
    ::sigaction(signal, &action, nullptr);
}

/// Without arguments and template arguments, as far as it is easy.
static std::string shorten(StringRef mangled) {
  std::string name = llvm::demangle(mangled.str());
  std::string shortened;
  int depth = 0;
  for (char c : name) {
    if (c == '<' || c == '(')
      ++depth;
    if (depth == 0)
      shortened += c;
    if (c == '>' || c == ')')
      --depth;
  }
  return StringRef(shortened).trim().str();
}

std::string fuzz::getCrashPlace(const std::string &names) {
  llvm::SmallVector<StringRef> functions;
  StringRef(names).split(functions, ' ', -1, /*KeepEmpty=*/false);
  // What only passes on what it is given tells nothing.
  auto isOther = [](StringRef function) {
    return function.contains("4fuzz") || function.contains("function_ref");
  };
  for (StringRef where : {"8memspace", "4mlir"})
    for (StringRef function : functions)
      if (function.contains(where) && !isOther(function))
        return shorten(function);
  return functions.empty() ? "" : shorten(functions.front());
}
