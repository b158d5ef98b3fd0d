#!/usr/bin/env python3
# Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles a kernel of this folder for each chip, runs it, compares all of it with its header.

    run.py [--chip CHIP]... [--reference-only] KERNEL.mlir...

Header of a kernel:

    // EXPECT [CHIP:] figure=N figure<=N … [or refused "REGEX"]
    // EXPECT [CHIP:] refused "REGEX"        (of the first diagnostic)
    // RESULT aN = EXPRESSION                (numpy as np; a0, a1, … before the run)
    // INPUT aN = EXPRESSION                 (default: seeded random values; outputs
                                              that no RESULT reads: uninitialized)
    // TOLERANCE X
    // DIM N                                 (value of dynamic extents; default 64)
    // GRID EXPRESSION                       (default: gpu.known_grid_size or 1)
    // OPTIONS name=value …                  (of memspace-kernel-pipeline)
    // SEQUENTIAL no: REASON                 (stock MLIR does not get it right)

Figures: workgroup_bytes, sum_bytes, peak_live_bytes, private_bytes, barriers and
subgroup_barriers (in the text), executed (workgroup barriers in one workgroup). An EXPECT of a chip replaces the general one.
Arguments without a RESULT must not change. The results of stock bufferization,
run sequentially, must be the same; --reference-only checks just that.
"""
import argparse
import os
import re
import sys
import zlib

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "utils"))
import check_corpus
import kernels

FIGURES = {"workgroup_bytes": "workgroup", "sum_bytes": "sum", "peak_live_bytes": "peak",
           "private_bytes": "private", "barriers": "barriers",
           "subgroup_barriers": "subgroup_barriers", "executed": "executed"}


class Test:
    def __init__(self, path):
        self.path, self.source = path, open(path).read()
        self.expect = {}
        for chip, what in re.findall(r"^// EXPECT (?:(\w+): )?(.*)$", self.source, re.M):
            self.expect[chip] = what
        if not self.expect:
            raise kernels.HarnessError(f"{path} has no EXPECT line")
        self.tolerance = float((self._lines("TOLERANCE") or ["1e-5"])[0])
        dim = int((self._lines("DIM") or ["64"])[0])
        signature = kernels.Signature(self.source)
        rng = np.random.default_rng(zlib.crc32(os.path.basename(path).encode()))
        self.arguments = [a.generate(rng, dim) for a in signature.arguments]
        names, given = {"np": np}, set()
        for i, a in enumerate(self.arguments):
            names[f"a{i}"] = a
        for i, expression in self._assignments("INPUT"):
            value = np.asarray(eval(expression, names)).astype(signature.arguments[i].dtype)
            self.arguments[i] = names[f"a{i}"] = value
            given.add(i)
        expressions = dict(self._assignments("RESULT"))
        self.results = {i: np.asarray(eval(e, names)) for i, e in expressions.items()}
        # An output whose old value no result mentions is not to be read.
        self.uninitialized = [i for i in self.results if i not in given and not any(
            re.search(rf"\ba{i}\b", e) for e in expressions.values())]
        grid = self._lines("GRID")
        self.options = " ".join(self._lines("OPTIONS"))
        self.grid = eval(grid[0], names) if grid else None

    def _lines(self, word):
        return re.findall(rf"^// {word} (.*)$", self.source, re.M)

    def _assignments(self, word):
        for line in self._lines(word):
            target, expression = re.match(r"a(\d+)\s*=(.*)", line).groups()
            yield int(target), expression.strip()

    def outputs(self):
        """For each argument what is expected; None: it must not change."""
        return [kernels.Expected(self.results[i], self.tolerance) if i in self.results else None
                for i in range(len(self.arguments))]

    def reference(self):
        """None, or how upstream's sequential meaning differs from the header."""
        if self._lines("SEQUENTIAL"):
            return None
        for i, value in enumerate(kernels.run_sequentially(self.source, self.arguments)):
            wanted = self.results.get(i, self.arguments[i])
            difference = kernels.mismatch(value, wanted, self.tolerance)
            if difference:
                return f"sequentially, argument {i}: {difference}"
        return None

    def check(self, chip):
        """(None or the complaint, the figures)."""
        expect = self.expect.get(chip, self.expect.get(""))
        if expect is None:
            return None, "nothing expected"
        refused = re.search(r'refused "(.*)"', expect)
        text, refusal = check_corpus.compile_kernel(self.path, chip, self.options)
        if refusal:
            if refused and re.search(refused.group(1), refusal):
                return None, "refused: " + refusal
            return "refused: " + refusal, ""
        conditions = re.findall(r"(\w+)(<=|=)(\d+)", re.sub(r'(or )?refused ".*"', "", expect))
        if not conditions:
            return "accepted, but the kernel must be refused", ""
        figures = check_corpus.figures(text, kernels.Signature(text))
        status, details, figures["executed"], _ = check_corpus.execute(
            text, self.arguments, self.outputs(), chip, self.grid, self.uninitialized)
        shown = " ".join(f"{n}={figures[k]}" for n, k in FIGURES.items() if figures.get(k) is not None)
        if status != "ok":
            return status + ": " + "; ".join(details)[:1500], shown
        for name, relation, number in conditions:
            got = figures[FIGURES[name]]
            if got is None or (got != int(number) if relation == "=" else got > int(number)):
                return f"{name} is {got}, wanted {relation} {number}", shown
        return None, shown


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("kernels", nargs="+")
    parser.add_argument("--chip", action="append")
    parser.add_argument("--reference-only", action="store_true")
    options = parser.parse_args()
    failed = 0
    for path in options.kernels:
        name = os.path.basename(path)[:-5]
        try:
            test = Test(path)
            complaint = test.reference()
            if options.reference_only or complaint:
                failed += bool(complaint)
                print(f"{'FAIL' if complaint else 'ok  '} {name}: reference {complaint or ''}", flush=True)
                continue
            for chip in options.chip or ["gfx942", "sm_90"]:
                complaint, shown = test.check(chip)
                failed += bool(complaint)
                print(f"{'FAIL' if complaint else 'ok  '} {name} {chip}: {complaint or ''} {shown}", flush=True)
        except Exception as error:
            failed += 1
            print(f"FAIL {name}: {type(error).__name__}: {error}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
