#!/usr/bin/env python3
# Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fits untiled functions to one limit of workgroup memory after the other.

    check_limits.py [--chip CHIP] [--limits KIB,KIB…] FILE...

With each limit every kernel of a file must need no more bytes than it, and its
cost must not be higher than with the limit before. One line for each file and
kernel: the weight (and workgroup bytes) of the best at each limit.
Exit status 1 if the cost rises, or more bytes are used than there are.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

from kernels import memspace_opt


def fit(path, chip, lowest, limit, record):
    """{kernel: (weight, bytes)} of the best configurations; None where nothing fits.

    What is fused into a kernel is what `lowest` allows, for all limits.
    """
    if os.path.exists(record):
        os.remove(record)
    done = subprocess.run([memspace_opt(), path, f"--memspace-form-kernels=chip={chip} workgroup-limit={lowest}",
                           f"--memspace-fit-to-budget=chip={chip} workgroup-limit={limit} record={record}"],
                          capture_output=True, text=True)
    if done.returncode:
        if "configurations of" in done.stderr or "does not become" in done.stderr:
            return None
        sys.exit(f"{path}: {done.stderr.strip()[:500]}")
    with open(record) as file:
        kernels = json.load(file)["kernels"]
    best = {}
    for kernel in kernels:
        chosen = next(a for a in kernel["attempts"] if a["configuration"] == kernel["best"] and "cost" in a)
        best[kernel["kernel"]] = chosen["weight"], chosen["cost"]["workgroup-bytes"]
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="+")
    parser.add_argument("--chip", default="sm_90")
    parser.add_argument("--limits", default="16,32,48,64,100,164,227", help="KiB, from the lowest on")
    options = parser.parse_args()
    limits = [int(kib) * 1024 for kib in options.limits.split(",")]
    failed = False
    for path in options.files:
        lines, before = {}, {}
        with tempfile.TemporaryDirectory(prefix="memspace-limits-") as folder:
            for limit in limits:
                best = fit(path, options.chip, limits[0], limit, os.path.join(folder, "record.json"))
                if best is None:
                    lines.setdefault("nothing fits", []).append(str(limit))
                    failed |= bool(before)
                    continue
                for kernel, (weight, used) in best.items():
                    lines.setdefault(kernel, []).append(f"{weight:.0f} ({used})")
                    if used > limit or weight > before.get(kernel, weight):
                        lines[kernel].append("<- WRONG")
                        failed = True
                    before[kernel] = weight
        for kernel, figures in lines.items():
            print(f"{os.path.basename(path)} {kernel}: {' '.join(figures)}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
