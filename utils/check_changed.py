#!/usr/bin/env python3
# Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the C++ files that changed.

    check_changed.py [--all] [--base REV] [--build DIR] [--limit N] [--jobs N]
                     [--no-tidy] [FILE ...]

The files are those that differ from REV, committed or not. REV is the merge base
with origin/main; where there is no such branch, or nothing lies between, it is the
commit before the last one. --all checks every file, FILEs only these. Checked:

- clang-format 14 leaves the file as it is;
- a header compiles alone;
- a source compiles without the precompiled header;
- clang-tidy finds nothing in a source (.clang-tidy says which checks, and why).

The compiler and its flags come from DIR/compile_commands.json (default: build);
headers that TableGen writes must have been built. A tool that is not there is
named, and its check is left out. At most N files (default: 30, no limit with
--all) are compiled, the headers first; the rest are named.

Exit status: 0, 1 with what is wrong, 2 when the files could not be checked.
"""
import argparse
import concurrent.futures
import json
import os
import re
import shlex
import shutil
import subprocess
import sys

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
FORMAT_VERSION = 14
# Headers for old names, which warn whoever includes them.
FORWARDS = os.path.join("include", "MemSpace", "Analysis") + os.sep


def run(args, cwd=ROOT):
    done = subprocess.run(args, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace")
    return done.returncode, done.stdout


def git(*args):
    status, text = run(["git", *args])
    return text.split("\n")[:-1] if status == 0 else None


def get_base():
    """The commit to compare with; None outside of git and after one commit."""
    head = git("rev-parse", "HEAD")
    if not head:
        return None
    base = git("merge-base", "HEAD", "origin/main")
    if base and base != head:
        return base[0]
    before = git("rev-parse", "--verify", "--quiet", "HEAD~1")
    return before[0] if before else None


def get_files(args):
    """The C++ files to check, relative to ROOT, sorted."""
    if args.files:
        names = [os.path.relpath(os.path.realpath(name), ROOT) for name in args.files]
    elif args.all:
        names = git("ls-files") or []
    else:
        base = args.base or get_base()
        if not base:
            print("check_changed: git knows no commit to compare with; --all checks every file")
            return []
        names = git("diff", "--name-only", base)
        if names is None:
            raise SystemExit(f"check_changed: git knows no commit {base}")
        print(f"check_changed: what differs from {base[:12]}")
        names += git("ls-files", "--others", "--exclude-standard")
    return sorted({name for name in names
                   if name.endswith((".h", ".cpp")) and os.path.exists(os.path.join(ROOT, name))})


def find_format():
    """clang-format of the version that the sources are formatted with; or why not."""
    for name in (f"clang-format-{FORMAT_VERSION}", "clang-format"):
        if shutil.which(name):
            version = re.search(r"version (\d+)", run([name, "--version"])[1])
            if version and int(version.group(1)) == FORMAT_VERSION:
                return name, None
    return None, f"clang-format {FORMAT_VERSION} is not installed: formatting is not checked"


def find_tidy(compilers):
    """clang-tidy; or why not."""
    if not shutil.which("clang-tidy"):
        return None, "clang-tidy is not installed: its checks are left out"
    if not all("clang" in os.path.basename(compiler) for compiler in compilers):
        return None, "the build is not by clang: the checks of clang-tidy are left out"
    return "clang-tidy", None


class Commands:
    """How the build compiles each file, without its precompiled header."""

    def __init__(self, build):
        path = os.path.join(build, "compile_commands.json")
        if not os.path.exists(path):
            print(f"check_changed: there is no {path}; configure the build first")
            raise SystemExit(2)
        self.by_file = {}
        for entry in json.load(open(path)):
            name = os.path.relpath(os.path.realpath(entry["file"]), ROOT)
            args = self.strip(shlex.split(entry["command"]))
            self.by_file.setdefault(name, (args, entry["directory"]))

    @staticmethod
    def strip(args):
        """The arguments but for the source, the output and the precompiled header."""
        kept, i = [], 0
        while i < len(args):
            if args[i] == "-Xclang" and args[i + 1] in ("-include-pch", "-include"):
                i += 4  # -Xclang OPTION -Xclang FILE
            elif args[i] in ("-o", "-c"):
                i += 2
            elif args[i] == "-include" and "cmake_pch" in args[i + 1]:
                i += 2
            elif args[i] == "-Winvalid-pch":
                i += 1
            else:
                kept.append(args[i])
                i += 1
        return kept

    def get(self, name):
        return self.by_file.get(name)

    def get_for_header(self, name):
        """The command of a source near the header."""
        folder = re.sub(r"^include/MemSpace\b", "lib", os.path.dirname(name))
        while True:
            inside = [n for n in self.by_file if n.startswith(folder + "/")]
            if inside or not folder:
                return self.by_file[max(inside or self.by_file)]
            folder = os.path.dirname(folder)

    def get_compilers(self):
        return {args[0] for args, _ in self.by_file.values()}


def check_format(tool, name):
    style = os.path.join(ROOT, ".clang-format")
    status, text = run([tool, "--dry-run", "-Werror", f"--style=file:{style}", name])
    return "" if status == 0 else f"not formatted; clang-format -i {name}\n{text[:400]}"


def compile_header(commands, name):
    args, folder = commands.get_for_header(name)
    if name.startswith(FORWARDS):
        args = args + ["-Wno-error"]
    status, text = run(args + ["-fsyntax-only", "-include", os.path.join(ROOT, name),
                               "-x", "c++", os.devnull], folder)
    return "" if status == 0 else f"does not compile alone\n{text}"


def compile_source(commands, tidy, name):
    """clang-tidy compiles as well, so that one run does both."""
    args, folder = commands.get(name)
    path = os.path.join(ROOT, name)
    if not tidy:
        status, text = run(args + ["-fsyntax-only", path], folder)
        return "" if status == 0 else f"does not compile without the precompiled header\n{text}"
    config = os.path.join(ROOT, ".clang-tidy")
    status, text = run([tidy, "--quiet", f"--config-file={config}", path, "--", *args[1:]], folder)
    if status == 0:
        return ""
    what = ("does not compile without the precompiled header"
            if "[clang-diagnostic-error]" in text else "clang-tidy")
    kept = [line for line in text.split("\n") if not re.search(r"^\d+ warnings? (generated|treated)", line)]
    return what + "\n" + "\n".join(kept)


def main():
    parser = argparse.ArgumentParser(description="Checks the C++ files that changed.")
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--all", action="store_true", help="check every file")
    parser.add_argument("--base", help="commit to compare with")
    parser.add_argument("--build", default=os.path.join(ROOT, "build"), help="build folder")
    parser.add_argument("--limit", type=int, help="files to compile at most (default: 30)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at a time")
    parser.add_argument("--no-tidy", action="store_true", help="compile only")
    args = parser.parse_args()

    files = get_files(args)
    if not files:
        print("check_changed: no C++ files")
        return 0
    commands = Commands(args.build)
    formatter, no_formatter = find_format()
    tidy, no_tidy = find_tidy(commands.get_compilers())
    if args.no_tidy:
        tidy, no_tidy = None, None
    for reason in filter(None, (no_formatter, no_tidy)):
        print(f"check_changed: {reason}")

    headers = [name for name in files if name.endswith(".h")]
    sources = [name for name in files if name.endswith(".cpp") and commands.get(name)]
    compiled = headers + sources
    limit = args.limit or (len(compiled) if args.all or args.files else 30)
    if left := compiled[limit:]:
        print(f"check_changed: {limit} files are compiled; left out are {' '.join(left)}")
    unknown = [name for name in files if name.endswith(".cpp") and not commands.get(name)]
    if unknown:
        print(f"check_changed: not in this build, only formatted: {' '.join(unknown)}")

    jobs = [(name, check_format, formatter, name) for name in files] if formatter else []
    for name in compiled[:limit]:
        if name in headers:
            jobs.append((name, compile_header, commands, name))
        else:
            jobs.append((name, compile_source, commands, tidy, name))
    faults = 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=args.jobs) as pool:
        running = [(name, pool.submit(check, *rest)) for name, check, *rest in jobs]
        for name, future in running:
            if fault := future.result():
                faults += 1
                print(f"{name}: {fault}", flush=True)
    print(f"check_changed: {len(files)} files, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
