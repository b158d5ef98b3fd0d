#!/usr/bin/env python3
# Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks what the public headers say of themselves.

    check_api.py [--update]

Each header says that it is stable or that it may change. The stable ones are
those of STABLE, and the example of each is the text between `// [Name]` and
`// [/Name]` in unittests/Transforms/StableAPITest.cpp, which --update writes
into the header.
"""
import os
import re
import sys

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", ".."))
STABLE = ["Spaces/MemorySpaceAnalysis", "Transforms/AllocationHook", "Transforms/FinishBufferization",
          "Hazards/HazardAnalysis", "Barriers/BarrierPlacement", "Barriers/BarrierVerifier", "Layout/WorkgroupLayout",
          "Layout/WorkgroupBudget"]
STABLE_LINE = "/// Stable API: it changes only with a note in CHANGELOG.md, a release ahead.\n"
OTHER_LINES = ["/// This header may change from release to release.\n",
               "This header goes with the next release.\n"]


def get_example(name):
    source = open(os.path.join(ROOT, "unittests/Transforms/StableAPITest.cpp")).read()
    text = re.search(rf"^  // \[{name}\]\n(.*?)^  // \[/{name}\]\n", source, re.M | re.S).group(1)
    return "/// \\code\n" + re.sub(r"^", "/// ", text, flags=re.M).rstrip(" /") + "/// \\endcode\n"


def check(path, update):
    stem = os.path.relpath(path, os.path.join(ROOT, "include/MemSpace"))[:-2]
    text = open(path).read()
    if stem not in STABLE:
        return [] if any(line in text for line in OTHER_LINES) else [f"{stem}.h does not say that it may change"]
    if STABLE_LINE not in text:
        return [f"{stem}.h does not say that it is stable"]
    example = get_example(os.path.basename(stem))
    if example in text:
        return []
    if not update:
        return [f"{stem}.h has another example than StableAPITest.cpp; {os.path.basename(__file__)} --update"]
    text = re.sub(re.escape(STABLE_LINE) + r"///\n/// \\code\n.*?/// \\endcode\n", STABLE_LINE, text, flags=re.S)
    open(path, "w").write(text.replace(STABLE_LINE, STABLE_LINE + "///\n" + example))
    return []


def main():
    problems, found = [], 0
    for folder, _, names in sorted(os.walk(os.path.join(ROOT, "include/MemSpace"))):
        for name in sorted(names):
            if name.endswith(".h"):
                problems += check(os.path.join(folder, name), "--update" in sys.argv)
                found += 1
    print("\n".join(problems) or f"{found} headers are right")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
