#!/usr/bin/env python3
# Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts how often One-Shot analyzes each kernel on its way to memrefs.

    count_analyses.py MOST KERNEL.mlir...

One line for each kernel that is analyzed more than MOST times, then how many are analyzed
how often. Exit status 1 if there is such a line. What is refused is counted up to then.
"""
import collections
import functools
import os
import re
import subprocess
import sys

CHIP = "gfx942"


@functools.cache
def get_passes(options):
    """The passes of the kernel pipeline that work on tensors."""
    pipeline = f"--memspace-kernel-pipeline=chip={CHIP} {options}".strip()
    shown = subprocess.run([os.environ["MEMSPACE_OPT"], "-", pipeline, "-dump-pass-pipeline"],
                           input="", capture_output=True, text=True, check=True).stderr
    passes = re.findall(r"^  (memspace-.*?),?$", shown, re.MULTILINE)
    names = [text.split("{")[0] for text in passes]
    return passes[: names.index("memspace-infer-memory-spaces") + 1]


def count(path):
    with open(path) as file:
        options = re.search(r"^// OPTIONS (.*)$", file.read(), re.MULTILINE)
    # After each pass, as what is refused ends there.
    passes = []
    for text in get_passes(options[1] if options else ""):
        passes += [text, "test-count-analyses"]
    shown = subprocess.run([os.environ["MEMSPACE_TEST_OPT"], path, "-o", os.devnull,
                            f"--pass-pipeline=builtin.module({','.join(passes)})"],
                           capture_output=True, text=True)
    if shown.returncode not in (0, 1):
        raise RuntimeError(f"{path}: {shown.stderr}")
    return max(map(int, re.findall(r"^analyses: (\d+)$", shown.stdout, re.MULTILINE)))


def main():
    most = int(sys.argv[1])
    numbers = {path: count(path) for path in sys.argv[2:]}
    for path, number in numbers.items():
        if number > most:
            print(f"{number} analyses: {os.path.basename(path)}")
    for number, kernels in sorted(collections.Counter(numbers.values()).items()):
        print(f"analyzed {number} times: {kernels}")
    return any(number > most for number in numbers.values())


if __name__ == "__main__":
    sys.exit(main())
