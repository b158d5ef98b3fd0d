#!/usr/bin/env python3
# Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares executed barriers of SPMD kernels with their minimum.

    check_barriers.py [--cf] [--simplify] [--guards] [--inputs N] FILE_OR_DIR...

Each file is a kernel on memrefs without barriers whose first lines name the chip,
`// chip: gfx942`, and perhaps the minimum, `// minimum: 8`: executed barriers of
the workgroup. A folder may have an INDEX.tsv with the columns kernel and minimum
instead. Barriers are inserted and verified, and the kernel is run with N random
inputs in three thread orders. --cf: after -convert-scf-to-cf. --simplify: what was
placed is verified after -canonicalize -cse. --guards: with the option
iteration-guards, and the minimum of a line `// guarded: 7`. One line each:

    status kernel workgroup=EXECUTED want MINIMUM subgroup=EXECUTED

status: ok | refused | unverified | race | more.
Exit status 1 unless all are ok.
"""
import argparse
import os
import re
import subprocess
import sys


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def read_index(folder):
    minimum = {}
    path = os.path.join(folder, "INDEX.tsv")
    if os.path.exists(path):
        rows = [line.rstrip("\n").split("\t") for line in open(path)]
        kernel, column = rows[0].index("kernel"), rows[0].index("minimum")
        for row in rows[1:]:
            if row[column].isdigit():
                minimum[row[kernel]] = int(row[column])
    return minimum


def get_arguments(text, seed):
    """Memrefs are random; index scalars 4, i32 3, i1 1."""
    head = re.search(r"func\.func @\w+\(([^{]*)\)", text).group(1)
    numbers = {"index": 4, "i32": 3, "i1": 1}
    arguments = []
    for i, type in enumerate(re.findall(r"%\w+: (\w+)", head)):
        if type == "memref":
            arguments.append(f"--arg={i}:random:{seed + i}")
        else:
            arguments.append(f"--arg={i}:fill:{numbers[type]}")
    return arguments


def check(path, minimum, options):
    text = open(path).read()
    chip = re.search(r"// chip: (\w+)", text).group(1)
    want = re.search(r"// minimum: (\d+)", text)
    if options.guards:
        want = re.search(r"// guarded: (\d+)", text) or want
    want = int(want.group(1)) if want else minimum
    simplify = ["-canonicalize", "-cse"] if options.simplify else []
    form = ["-convert-scf-to-cf"] if options.cf else []
    guards = " iteration-guards" if options.guards else ""
    status, kernel, errors = run(
        [options.opt, path, *form, f"-memspace-insert-barriers=chip={chip}{guards}"]
    )
    if status:
        return "refused", "", errors
    status, _, errors = run_input(
        [options.opt, "-", *simplify, f"-memspace-verify-barriers=chip={chip}"],
        kernel,
    )
    if status:
        return "unverified", "", errors
    most = (0, 0)
    for number in range(options.inputs):
        status, output, errors = run_input(
            [options.runner, "-", f"--chip={chip}", "--verbose", "--orders=3"]
            + get_arguments(text, 1 + 100 * number),
            kernel,
        )
        if status:
            return "race", "", errors
        counts = re.search(
            r"executed barriers: (\d+), subgroup barriers: (\d+)", output + errors
        )
        most = max(most, tuple(int(count) for count in counts.groups()))
    line = f"workgroup={most[0]} want {want} subgroup={most[1]}"
    return ("more" if want is not None and most[0] > want else "ok"), line, ""


def run_input(command, text):
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--cf", action="store_true")
    parser.add_argument("--simplify", action="store_true")
    parser.add_argument("--guards", action="store_true")
    parser.add_argument("--inputs", type=int, default=2)
    parser.add_argument("--opt", default="memspace-opt")
    parser.add_argument("--runner", default="memspace-runner")
    options = parser.parse_args()
    kernels = []
    for path in options.paths:
        if os.path.isdir(path):
            minimum = read_index(path)
            for name in sorted(os.listdir(path)):
                if name.endswith(".mlir"):
                    kernels.append((os.path.join(path, name), minimum.get(name[:-5])))
        else:
            kernels.append((path, None))
    failed = 0
    for path, minimum in kernels:
        status, line, errors = check(path, minimum, options)
        failed += status != "ok"
        print(f"{status:10} {os.path.basename(path)[:-5]:28} {line}".rstrip())
        if errors:
            print("    " + errors.splitlines()[0])
    print(f"{len(kernels) - failed} of {len(kernels)} ok")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
