#!/usr/bin/env python3
# Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verifies what -convert-scf-to-cf makes of compiled kernels.

    convert_and_verify.py CHIP KERNEL.mlir...

One line for each kernel that is verified as loops and refused as blocks, then how many are
verified. Exit status 1 if there is such a line, but for those whose header says

    // BLOCKS refused: REASON

and which have to be refused.
"""
import os
import re
import subprocess
import sys


def opt(arguments, text=None):
    """(the IR, None) or (None, the first error)."""
    done = subprocess.run([os.environ["MEMSPACE_OPT"], *arguments], input=text,
                          capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{arguments}: {done.stderr}")
    errors = re.findall(r"error: (.*)$", done.stderr, re.MULTILINE)
    return (done.stdout, None) if done.returncode == 0 else (None, errors[0])


def check(path, chip):
    """None where there is nothing to verify, or whether it is; and the complaint."""
    with open(path) as file:
        source = file.read()
    options = re.search(r"^// OPTIONS (.*)$", source, re.MULTILINE)
    expected = re.search(r"^// BLOCKS refused: \S", source, re.MULTILINE) is not None
    pipeline = f"--memspace-kernel-pipeline=chip={chip} {options[1] if options else ''}".strip()
    verify = f"--memspace-verify-barriers=chip={chip}"
    loops, refusal = opt([path, pipeline])
    if refusal or opt(["-", verify], loops)[1]:
        return None, None
    blocks, refusal = opt(["-", "--convert-scf-to-cf"], loops)
    refusal = refusal or opt(["-", verify], blocks)[1]
    if expected and not refusal:
        return True, "verified, but the header says that it is refused"
    return not refusal, None if expected else refusal


def main():
    verified = faults = 0
    for path in sys.argv[2:]:
        is_verified, complaint = check(path, sys.argv[1])
        verified += bool(is_verified)
        if complaint:
            faults += 1
            print(f"{os.path.basename(path)}: {complaint}", flush=True)
    print(f"verified as blocks: {verified}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
