#!/usr/bin/env python3
# Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles a kernel of this folder for each chip, runs it, compares all of it with its header.

    run.py [--chip CHIP]... [--reference-only] [--shard I/N] KERNEL.mlir...

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
    // BLOCKS refused: REASON                (see convert_and_verify.py)

Figures: workgroup_bytes, sum_bytes, peak_live_bytes, private_bytes, barriers and
subgroup_barriers (in the text), executed (workgroup barriers in one workgroup).
An EXPECT of a chip replaces the general one; every chip must have one. Arguments
without a RESULT must not change. The results of stock bufferization, run
sequentially, must be the same; --reference-only checks just that.
$MEMSPACE_INTERLEAVE: canonicalized between all passes, where only results count.
--shard 2/3 takes the second, fifth, … of the kernels.
$MEMSPACE_ONE_CHIP: those of this folder for one chip each, which the name decides.

The header is the comment at the top. What is not understood there is an error: a
line that begins with another word in capitals, an EXPECT of another form, a chip
that nobody runs; so is a header word further down.
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
CHIPS = ["gfx942", "sm_90"]
WORDS = ("EXPECT", "RESULT", "INPUT", "TOLERANCE", "DIM", "GRID", "OPTIONS", "SEQUENTIAL",
         "BLOCKS")


class Expectation:
    """What an EXPECT line wants: figures, a refusal, or either."""

    def __init__(self, text):
        figure = r"\w+<?=\d+"
        match = re.fullmatch(rf'({figure}(?: {figure})*)?(?:(?:^|(?<=\d) or )refused "(.+)")?', text)
        if not text or not match:
            raise kernels.HarnessError(f"EXPECT {text}: wanted is figure=N … [or refused \"REGEX\"]")
        self.figures = re.findall(r"(\w+)(<?=)(\d+)", match.group(1) or "")
        self.refusal = match.group(2)
        for name, _, _ in self.figures:
            if name not in FIGURES:
                raise kernels.HarnessError(f"EXPECT {text}: no figure '{name}'; known are {', '.join(FIGURES)}")


class Test:
    def __init__(self, path):
        self.path, self.source = path, open(path).read()
        self.header = self._read_header()
        self.expect = {}
        for line in self._lines("EXPECT"):
            chip, what = re.fullmatch(r"(?:(\w+): )?(.*)", line).groups()
            if chip in self.expect:
                raise kernels.HarnessError(f"two EXPECT lines for {chip or 'all chips'}")
            self.expect[chip] = Expectation(what)
        if not self.expect:
            raise kernels.HarnessError("no EXPECT line")
        self.tolerance = float(self._line("TOLERANCE") or "1e-5")
        dim = int(self._line("DIM") or "64")
        signature = kernels.Signature(self.source)
        rng = np.random.default_rng(zlib.crc32(os.path.basename(path).encode()))
        self.arguments = [a.generate(rng, dim) for a in signature.arguments]
        names, given = {"np": np}, set()
        for i, a in enumerate(self.arguments):
            names[f"a{i}"] = a
        for i, expression in self._assignments("INPUT").items():
            value = np.asarray(eval(expression, names)).astype(signature.arguments[i].dtype)
            self.arguments[i] = names[f"a{i}"] = value
            given.add(i)
        expressions = self._assignments("RESULT")
        if not expressions and any(e.figures for e in self.expect.values()):
            raise kernels.HarnessError("no RESULT line")
        self.results = {i: np.asarray(eval(e, names)) for i, e in expressions.items()}
        # An output whose old value no result mentions is not to be read.
        self.uninitialized = [i for i in self.results if i not in given and not any(
            re.search(rf"\ba{i}\b", e) for e in expressions.values())]
        grid = self._line("GRID")
        self.options = self._line("OPTIONS") or ""
        self.grid = eval(grid, names) if grid else None
        self.options = self._line("OPTIONS") or ""

    def _read_header(self):
        """(word, text) of each line; other comments are prose."""
        header, is_top = [], True
        for line in self.source.splitlines():
            is_top = is_top and line.startswith("//")
            word, text = re.match(r"(?://\s*([A-Z]{2}\w*))?(.*)", line).groups()
            if not word or (word == "RUN" and text.startswith(":")):
                continue
            if is_top:
                if word not in WORDS or not text.startswith(" "):
                    raise kernels.HarnessError(f"'{line}': no header word; known are {', '.join(WORDS)}")
                header.append((word, text.strip()))
            elif word in WORDS:
                raise kernels.HarnessError(f"'{line}' is not in the header")
        return header

    def _lines(self, word):
        return [text for known, text in self.header if known == word]

    def _line(self, word):
        """The text of the only line with this word, or None."""
        lines = self._lines(word)
        if len(lines) > 1:
            raise kernels.HarnessError(f"two {word} lines")
        return lines[0] if lines else None

    def _assignments(self, word):
        """Expressions by number of argument."""
        assignments = {}
        for line in self._lines(word):
            match = re.fullmatch(r"a(\d+)\s*=\s*(.+)", line)
            if not match:
                raise kernels.HarnessError(f"{word} {line}: wanted is aN = EXPRESSION")
            number = int(match.group(1))
            if number in assignments or number >= len(self.arguments):
                raise kernels.HarnessError(f"{word} {line}: the kernel has one each of a0 to a{len(self.arguments) - 1}")
            assignments[number] = match.group(2)
        return assignments

    def outputs(self):
        """For each argument what is expected; None: it must not change."""
        return [kernels.Expected(self.results[i], self.tolerance) if i in self.results else None
                for i in range(len(self.arguments))]

    def reference(self):
        """None, or how upstream's sequential meaning differs from the header."""
        exception = self._line("SEQUENTIAL")
        if exception:
            if not re.match(r"no: \S", exception):
                raise kernels.HarnessError(f"SEQUENTIAL {exception}: wanted is no: REASON")
            return None
        for i, value in enumerate(kernels.run_sequentially(self.source, self.arguments)):
            wanted = self.results.get(i, self.arguments[i])
            difference = kernels.mismatch(value, wanted, self.tolerance)
            if difference:
                return f"sequentially, argument {i}: {difference}"
        return None

    def check(self, chip):
        """(None or the complaint, the figures)."""
        expect = self.expect.get(chip, self.expect.get(None))
        if expect is None:
            return "no EXPECT line for this chip", ""
        text, refusal = check_corpus.compile_kernel(self.path, chip, self.options)
        if refusal:
            if expect.refusal and re.search(expect.refusal, refusal):
                return None, "refused: " + refusal
            return "refused: " + refusal, ""
        if not expect.figures:
            return "accepted, but the kernel must be refused", ""
        figures = check_corpus.figures(text, kernels.Signature(text))
        status, details, figures["executed"], _ = check_corpus.execute(
            text, self.arguments, self.outputs(), chip, self.grid, self.uninitialized)
        shown = " ".join(f"{n}={figures[k]}" for n, k in FIGURES.items() if figures.get(k) is not None)
        if status != "ok":
            return status + ": " + "; ".join(details)[:1500], shown
        # Canonicalization merges and erases buffers.
        for name, relation, number in [] if check_corpus.is_interleaved() else expect.figures:
            got = figures[FIGURES[name]]
            if got is None or (got != int(number) if relation == "=" else got > int(number)):
                return f"{name} is {got}, wanted {relation} {number}", shown
        return None, shown


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("kernels", nargs="+")
    parser.add_argument("--chip", action="append")
    parser.add_argument("--reference-only", action="store_true")
    parser.add_argument("--shard", default="1/1", help="I/N: every Nth kernel, from the Ith on")
    options = parser.parse_args()
    first, count = map(int, options.shard.split("/"))
    options.kernels = options.kernels[first - 1::count]
    failed = 0
    for path in options.kernels:
        name = os.path.basename(path)[:-5]
        try:
            test = Test(path)
            chips = options.chip or CHIPS
            is_ours = os.path.dirname(os.path.abspath(path)) == HERE
            if os.environ.get("MEMSPACE_ONE_CHIP") and is_ours:
                chips = [chips[zlib.crc32(name.encode()) % len(chips)]]
            nobody = set(test.expect) - {None, *chips, *CHIPS}
            if nobody:
                raise kernels.HarnessError(f"an EXPECT line for {', '.join(sorted(nobody))}, which nobody runs")
            complaint = None if check_corpus.is_interleaved() else test.reference()
            if options.reference_only or complaint:
                failed += bool(complaint)
                print(f"{'FAIL' if complaint else 'ok  '} {name}: reference {complaint or ''}", flush=True)
                continue
            for chip in chips:
                complaint, shown = test.check(chip)
                failed += bool(complaint)
                print(f"{'FAIL' if complaint else 'ok  '} {name} {chip}: {complaint or ''} {shown}", flush=True)
        except Exception as error:
            failed += 1
            print(f"FAIL {name}: {type(error).__name__}: {error}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
