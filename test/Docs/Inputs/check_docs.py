#!/usr/bin/env python3
# Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares what the documentation quotes with what it quotes from.

    check_docs.py [--path FOLDER]... FILE_OR_FOLDER...

A fenced block may be preceded by one of these comments:

    <!-- source: examples/embedding/main.cpp [name] -->
        The block is the text between `// [name]` and `// [/name]`.
    <!-- output -->
        The block begins with `$ command`, which may go on after a `\\` at the
        end of the line. The lines after it occur in this order in what the
        command prints (both streams), run in MemSpace's folder. `…` stands for
        any text, alone on a line for any lines. Programs are looked for in the
        --path folders first.

Links to files of the project must lead somewhere.
"""
import os
import re
import subprocess
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")
BLOCK = re.compile(r"^<!-- (source|output)(?:: ([^\n]*?))? -->\n+```[^\n]*\n(.*?)^```$", re.M | re.S)
outputs = {}


def dedent(text):
    lines = text.strip("\n").split("\n")
    indent = min((len(l) - len(l.lstrip()) for l in lines if l.strip()), default=0)
    return "\n".join(l[indent:].rstrip() for l in lines)


def check_source(where, what, block):
    path, name = re.fullmatch(r"(\S+) \[([\w-]+)\]", what).groups()
    source = open(os.path.join(ROOT, path)).read()
    match = re.search(rf"^ *// \[{name}\]\n(.*?)^ *// \[/{name}\]$", source, re.M | re.S)
    if not match:
        return f"{where}: no [{name}] in {path}"
    if dedent(match.group(1)) != dedent(block):
        return f"{where}: differs from [{name}] in {path}"
    return None


def check_output(where, _, block):
    command = re.match(r"\$ ((?:.*\\\n)*.*\n)", block)
    if not command:
        return f"{where}: a block of output without a command"
    block, command = block[command.end():], command.group(1).replace("\\\n", " ").strip()
    if command not in outputs:
        done = subprocess.run(re.sub(r"\bpython3\b", sys.executable, command), shell=True, cwd=ROOT,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        outputs[command] = [l.strip() for l in done.stdout.split("\n")]
    lines, at = outputs[command], 0
    for line in (l.strip() for l in block.split("\n")):
        if line in ("", "…"):
            continue
        pattern = re.compile(".*".join(re.escape(part.strip()) for part in line.split("…")))
        while at < len(lines) and not pattern.fullmatch(lines[at]):
            at += 1
        if at == len(lines):
            return f"{where}: not, or not there, in the output of: {command}\n    {line}"
        at += 1
    return None


def check(path):
    text = open(path).read()
    problems = []
    for kind, what, block in BLOCK.findall(text):
        where = os.path.relpath(path, ROOT)
        problems.append((check_source if kind == "source" else check_output)(where, what, block))
    if len(BLOCK.findall(text)) != len(re.findall(r"^<!-- (?:source|output)\b", text, re.M)):
        problems.append(f"{path}: a comment without a block")
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)):
        if "://" not in target and not os.path.exists(os.path.join(os.path.dirname(path), target)):
            problems.append(f"{path}: no file {target}")
    return [p for p in problems if p]


def main():
    files, arguments = [], iter(sys.argv[1:])
    for argument in arguments:
        if argument == "--path":
            os.environ["PATH"] = next(arguments) + os.pathsep + os.environ["PATH"]
        elif os.path.isdir(argument):
            for folder, _, names in os.walk(argument):
                files += [os.path.join(folder, n) for n in sorted(names) if n.endswith(".md")]
        else:
            files.append(argument)
    problems = [p for f in files for p in check(f)]
    print("\n".join(problems) or f"{len(files)} files are right")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
