#!/usr/bin/env python3
# Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles untiled operators for each chip, runs them, and compares with numpy.

    check_operators.py [--chip CHIP]... [--shard I/N] [--assembly] [--save DIR] [--any SEED] [NAME...]
    check_operators.py --frontend [--chip CHIP]... [--shard I/N] [--assembly] [--save DIR] [NAME...]
    check_operators.py --random FIRST COUNT [--any SEED] [--save DIR]
    check_operators.py --loops FIRST COUNT [--save DIR]
    check_operators.py --encoded FIRST COUNT [--save DIR]

The operators are those of operators.py, or those whose names begin with NAME.
Each goes through memspace-compile-pipeline, its kernels are launched by the host
under memspace-runner (three orders of the threads), and all results are
compared. One line for each:

    status operator chip  kernels=N  workgroup bytes of each  configurations

status: ok | wrong | reports | error | refused. --assembly goes on to the
assembly, whose workgroup bytes must be those planned. --save keeps the text.
--shard 2/3 takes the second, fifth, … of the operators. --frontend takes those of
frontend_layers.py, frontend_reductions.py, frontend_families.py, frontend_forms.py and frontend_loops.py, as
frontends write them: small types, unknown extents, several results, functions on memrefs. --random takes functions
of random_operators.py instead, each for the chip and with the options of its seed;
one of eight is compiled twice, with the same text; --loops puts a part of these into
a loop or a branch (loop_operators.py), which little memory leaves to the host; --encoded takes programs on
random layouts (encoded_operators.py), for gfx942. --any takes, instead of the best
configuration of a kernel, some other that fits, with staged operands if there is one.
$MEMSPACE_SAMPLE: the first of all that is not named, and every Nth from there on.
Exit status 1 unless all are ok.
"""
import argparse
import itertools
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
import zlib

import numpy as np

import asm_workgroup_bytes
import encoded_operators
# These add to FRONTEND.
import frontend_families
import frontend_forms
import frontend_loops
import frontend_reductions
import loop_operators
import random_operators
from frontend import unbf16
from frontend_layers import FRONTEND
from kernels import SECONDS, memspace_opt, memspace_tool, mismatch
from operators import OPERATORS


def first_error(stderr):
    errors = re.findall(r"error: (.*)$", stderr, re.M)
    return errors[0] if errors else stderr.strip()[:300]


def run(text, operator, chip, folder):
    """(status, detail) of the host program `text`."""
    path = lambda name: os.path.join(folder, name)
    with open(path("program.mlir"), "w") as file:
        file.write(text)
    command = [memspace_tool("memspace-runner"), path("program.mlir"), f"--chip={chip}", "--max-steps=2000000000"]
    if not re.search(r"func\.func @operator\(.*gpu\.known_block_size|gpu\.func @operator\(", text):
        command.append("--kernel=operator")
    for number, value in enumerate(operator.inputs):
        np.save(path(f"{number}.npy"), np.array(value, order="C"))
        command.append(f"--arg={number}:npy:{path(f'{number}.npy')}")
    for number, expected in enumerate(operator.outputs, len(operator.inputs)):
        command.append(f"--out={number}:{path(f'{number}.out.npy')}")
        if "?" in operator.text and np.shape(expected):
            command.append(f"--shape={number}:" + "x".join(map(str, np.shape(expected))))
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        return "error", first_error(done.stderr)
    if done.returncode:
        return "reports", first_error(done.stderr)
    for number, expected in enumerate(operator.outputs):
        got, expected = np.load(path(f"{number + len(operator.inputs)}.out.npy")), np.asarray(expected)
        if expected.dtype == np.uint16:
            got, expected = unbf16(got), unbf16(expected)
        difference = mismatch(got, expected, operator.tolerance)
        if difference:
            return "wrong", f"result {number}: {difference}"
    return "ok", ""


def take_any(record, seed):
    """Makes some configuration that fits the best one of each kernel of a record."""
    with open(record) as file:
        tried = json.load(file)
    for kernel in tried["kernels"]:
        fitting = [a["configuration"] for a in kernel["attempts"] if "cost" in a]
        kernel["best"] = random.Random(f"{seed} {kernel['kernel']}").choice(
            [name for name in fitting if "promote" in name] or fitting)
    with open(record, "w") as file:
        json.dump(tried, file)


def compile_operator(source, chip, options, record):
    return subprocess.run([memspace_opt(), source, f"--memspace-compile-pipeline=chip={chip}{options} record={record}",
                           f"--memspace-outline-kernels=chip={chip}"],
                          capture_output=True, text=True, timeout=SECONDS)


def check(name, case, folder, assembly, save, twice=False, seed=None):
    operator, chip, options = case
    source = os.path.join(save or folder, f"{name}.mlir")
    with open(source, "w") as file:
        file.write(f"// {chip}{options}\n{operator.text}")
    record = os.path.join(folder, f"{name}.{chip}.json")
    try:
        done = compile_operator(source, chip, options, record)
        if seed is not None and os.path.exists(record):
            take_any(record, f"{seed} {name}")
            done = compile_operator(source, chip, options, record)
    except subprocess.TimeoutExpired:
        return "error", "", "the compiler takes too long"
    if done.returncode:
        # One diagnostic says why, and nothing else is wrong.
        refused = done.returncode == 1 and len(re.findall("error: ", done.stderr)) == 1
        return ("refused" if refused else "error"), "", first_error(done.stderr)
    if "possible data race" in done.stderr:
        return "reports", "", "what is placed is not verified: a possible data race"
    planned = [int(n) for n in re.findall(r"gpu\.func .*memspace\.workgroup_bytes = (\d+)", done.stdout)]
    best = re.findall(r'"best": "(.*)"', open(record).read()) if os.path.exists(record) else []
    line = f"kernels={len(planned)} {' '.join(map(str, planned))}  {'; '.join(best)}"
    limit = re.search(r"workgroup-limit=(\d+)", options)
    if limit and max(planned, default=0) > int(limit[1]):
        return "wrong", line, "a kernel takes more workgroup memory than it may"
    if twice and seed is None and compile_operator(source, chip, options, record + ".twice").stdout != done.stdout:
        return "wrong", line, "compiled again, it is another program"
    status, detail = run(done.stdout, operator, chip, folder)
    if status == "ok" and assembly:
        backend = "rocdl" if chip.startswith("gfx") else "nvvm"
        done = subprocess.run([memspace_opt(), "-", f"--memspace-{backend}-backend-pipeline=chip={chip}"],
                              input=done.stdout, capture_output=True, text=True)
        if done.returncode:
            return "error", line, "no assembly: " + first_error(done.stderr)
        if len(planned) == 1 and asm_workgroup_bytes.workgroup_bytes(done.stdout) != planned[0]:
            return "wrong", line, "the assembly has other workgroup bytes than are planned"
    return status, line, detail


def cases(options):
    """Names, cases, and whether each is compiled twice."""
    if options.random:
        first, count = options.random
        for seed in range(first, first + count):
            yield f"seed-{seed}", random_operators.make(seed), seed % 8 == 0
        return
    if options.encoded:
        first, count = options.encoded
        for seed in range(first, first + count):
            yield f"encoded-{seed}", random_operators.Case(encoded_operators.random_encoded(seed), "gfx942", ""), False
        return
    if options.loops:
        first, count = options.loops
        for seed in range(first, first + count):
            operator, chip, settings = random_operators.make(seed)
            text = loop_operators.wrap(operator.text, seed)
            if text:
                if "workgroup-limit" not in settings:
                    settings += " workgroup-limit=4096"
                yield f"loops-{seed}", random_operators.Case(operator._replace(text=text), chip, settings), False
        return
    first, count = map(int, options.shard.split("/"))
    operators = FRONTEND if options.frontend else OPERATORS
    for name in list(operators)[first - 1::count]:
        if options.names and not any(name.startswith(n) for n in options.names):
            continue
        for chip in options.chip or ["gfx942", "sm_90"]:
            operator = operators[name](np.random.default_rng(zlib.crc32(name.encode())))
            yield name, random_operators.Case(operator, chip, ""), False


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", help="prefixes of names")
    parser.add_argument("--chip", action="append", help="default: gfx942 and sm_90")
    parser.add_argument("--assembly", action="store_true", help="go on to the assembly")
    parser.add_argument("--save", help="folder for the operators' text")
    parser.add_argument("--shard", default="1/1", help="I/N: every Nth operator, from the Ith on")
    parser.add_argument("--frontend", action="store_true", help="operators as frontends write them")
    parser.add_argument("--random", nargs=2, type=int, metavar=("FIRST", "COUNT"), help="seeds of random functions")
    parser.add_argument("--loops", nargs=2, type=int, metavar=("FIRST", "COUNT"), help="seeds of functions with loops")
    parser.add_argument("--encoded", nargs=2, type=int, metavar=("FIRST", "COUNT"), help="seeds of random layouts")
    parser.add_argument("--any", type=int, metavar="SEED", help="any configuration that fits")
    options = parser.parse_args()
    counts = {}
    sample = 1 if options.names else int(os.environ.get("MEMSPACE_SAMPLE", "1"))
    for name, case, twice in itertools.islice(cases(options), 0, None, sample):
        begin = time.time()
        with tempfile.TemporaryDirectory(prefix="memspace-operator-") as folder:
            status, line, detail = check(name, case, folder, options.assembly, options.save, twice,
                                         options.any)
        counts[status] = counts.get(status, 0) + 1
        print(f"{status:7} {name:26} {case.chip:7} {line}  {time.time() - begin:.1f}s", flush=True)
        if detail:
            print("        " + detail[:400], flush=True)
    if not counts:
        sys.exit("error: no operator of that name")
    print(", ".join(f"{count} {status}" for status, count in sorted(counts.items())))
    return 0 if set(counts) == {"ok"} else 1


if __name__ == "__main__":
    sys.exit(main())
