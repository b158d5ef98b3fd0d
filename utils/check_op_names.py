#!/usr/bin/env python3
# Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares docs/op-names.md with the files of the analyses that name ops.

    check_op_names.py ROOT

Exit status: 0, or 1 with the files that are not listed, or listed without a name.
"""
import glob
import os
import re
import sys

ROOMS = "Kernel Memory Threads Spaces Hazards Barriers Workgroup Arena Layout Report".split()
NAME = re.compile(r"\b(?:arith|affine|scf|cf|gpu|memref|tensor|linalg|vector|bufferization|nvgpu"
                  r"|NVVM|amdgpu|ROCDL|index)::[A-Z]\w*Op\b")


def main():
    root = sys.argv[1]
    listed = set(re.findall(r"^\| `([\w/.]+)` \|", open(os.path.join(root, "docs/op-names.md")).read(), re.M))
    naming = set()
    for room in ROOMS:
        for path in glob.glob(os.path.join(root, "lib", room, "*.*")):
            if path.endswith((".h", ".cpp")) and NAME.search(open(path).read()):
                naming.add(f"{room}/{os.path.basename(path)}")
    for path in sorted(naming - listed):
        print(f"lib/{path} names ops, and docs/op-names.md does not say why")
    for path in sorted(listed - naming):
        print(f"docs/op-names.md has {path}, which names no ops")
    if naming == listed:
        print(f"{len(listed)} files of the analyses name ops, as listed")
    return naming != listed


if __name__ == "__main__":
    sys.exit(main())
