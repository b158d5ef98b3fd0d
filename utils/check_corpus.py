#!/usr/bin/env python3
# Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the kernels of a corpus through memspace-kernel-pipeline and on the CPU.

    check_corpus.py [--dir DIR] [--chip gfx942 --chip sm_90] [--objective=bytes] [--untiled] [-v] [name prefixes]

DIR (default ../shared/corpus/mapped) holds kernels; specs.py in its parent
gives for a kernel K the arguments K(rng), the outputs with what they must hold.
For each kernel and chip: compile, read the memspace.* attributes, run it in
memspace-runner (three thread orders), compare. One line each:

    status kernel chip  wg=BYTES(peak) want SUM/PEAK  private=…  barriers=PLACED/EXECUTED want …

status: ok | wrong | reports | error | refused (the first diagnostic follows);
the seconds are those of the whole and those of memspace-runner.
DIFFERS follows when the header of the kernel does not allow that: a refusal
without a BUFFER to refuse or forward, more workgroup bytes than its sum, or more
executed barriers than it has for so many bytes (one more where it counts one that
the last iteration skips). Peak, workgroup bytes and sum must ascend.
--objective=bytes: the workgroup bytes must be the peak, and no more than the
header's where the live ranges of MemSpace allow that; barriers are not compared.
--objective=barriers: no more barriers than the header has at the sum.
--untiled: the kernels, by default of ../shared/corpus/raw, go through
memspace-compile-pipeline; their headers say nothing about bytes and barriers.
--assembly goes on to the assembly, whose workgroup bytes must be those planned.
$MEMSPACE_INTERLEAVE: canonicalize and cse run between all passes (memspace-test-opt).
--mutate makes small mistakes in each kernel (memspace-mutate); the status is
survivors when the emulator does not notice one.
Exit status 1 when any kernel is wrong, is reported, has an error or survivors, or
differs.
"""
import argparse
import glob
import importlib.util
import os
import re
import subprocess
import sys
import time
import zlib

import numpy as np

import asm_workgroup_bytes
import kernels
from kernels import ROOT, Expected, HarnessError, Signature, memspace_opt, mismatch

CORPUS = os.path.join(ROOT, "..", "shared", "corpus")
# A matmul of 512 cubed takes half as many.
MAX_STEPS = 4_000_000_000
# Grids that the IR does not give, from the kernel's arguments.
GRIDS = {"b18a_dynamic_affine_min": lambda args: -(-args[0].size // 128)}


def allowed_barriers(source, workgroup_bytes):
    """The executed barriers that a header allows with so many bytes; None: it does not say."""
    line = re.search(r"^// BARRIERS: (.*)", source, re.M)
    if not line:
        return None
    # "placed=2 executed=2 at 1024 B; placed=3 executed=3 at 512 B", or one figure for all.
    allowed = None
    for part in line.group(1).split("placed=")[1:]:
        executed, at = re.search(r"executed=(\d+)(?: at (\d+) B)?", part).groups()
        if not at or int(at) <= workgroup_bytes:
            figure = int(executed) + ("skipped" in part)
            allowed = figure if allowed is None else min(allowed, figure)
    return allowed


def is_interleaved():
    return bool(os.environ.get("MEMSPACE_INTERLEAVE"))


def run_pipeline(name, path, chip, options, timeout=None):
    """The finished process of memspace-NAME-pipeline."""
    tool, prefix = memspace_opt(), "memspace"
    if is_interleaved():
        tool, prefix = kernels.memspace_tool("memspace-test-opt"), "test-interleaved"
    return subprocess.run([tool, path, f"--{prefix}-{name}-pipeline=chip={chip} {options}".strip()],
                          capture_output=True, text=True, timeout=timeout)


def compile_kernel(path, chip, options="", timeout=None, pipeline="kernel"):
    """(text, None) or (None, first diagnostic)."""
    done = run_pipeline(pipeline, path, chip, options, timeout)
    if done.returncode == 0:
        return done.stdout, None
    diagnostics = re.findall(r"^.*?: error: (.*)$", done.stderr, re.M)
    if done.returncode < 0 or not diagnostics:
        return None, "CRASH " + done.stderr.strip()[:300].replace("\n", " ")
    return None, diagnostics[0]


def figures(text, signature):
    """The decisions recorded in the IR, as numbers."""
    return {
        "workgroup": signature.integer("memspace.workgroup_bytes"),
        "sum": signature.integer("memspace.sum_bytes"),
        "peak": signature.integer("memspace.peak_live_bytes"),
        "private": signature.integer("memspace.private_bytes"),
        "barriers": len(re.findall(r"^\s*gpu\.barrier\b", text, re.M)),
        "subgroup_barriers": len(re.findall(r"^\s*memspace\.subgroup_barrier\b", text, re.M)),
    }


def expectation(path):
    source = open(path).read()
    def find(pattern):
        match = re.search(pattern, source, re.M)
        return match.group(1) if match else "?"
    return (find(r"^// WORKGROUP: sum=(\S+)"), find(r"^// WORKGROUP:.*peak=(\S+)"),
            find(r"^// BARRIERS: placed=(\S+)"), find(r"^// BARRIERS:.*?executed=(\S+)"))


def assembly_differs(path, text, chip, options, planned):
    """None, or how the backend contradicts the plan; it gets `text`, if not empty, in place of the file."""
    backend = "rocdl" if chip.startswith("gfx") else "nvvm"
    if text:
        done = subprocess.run([memspace_opt(), "-", f"--memspace-{backend}-backend-pipeline=chip={chip}"],
                              input=text, capture_output=True, text=True)
    else:
        done = run_pipeline(backend, path, chip, options)
    if done.returncode:
        return "no assembly: " + done.stderr.strip()[:300].replace("\n", " ")
    found = asm_workgroup_bytes.workgroup_bytes(done.stdout)
    return None if found == planned else f"the assembly has {found} workgroup bytes, {planned} are planned"


def differs(path, status, figures, executed, objective):
    """None, or how the outcome contradicts the header's ground truth."""
    source = open(path).read()
    if status == "refused":
        allowed = re.search(r"^// BUFFER .*?: (refuse|forward)\b", source, re.M)
        return None if allowed else "the kernel must be accepted"
    if figures is None or status != "ok":
        return None
    workgroup = figures["workgroup"]
    wanted = re.search(r"^// WORKGROUP: sum=(\d+)", source, re.M)
    if workgroup is None:
        return "memspace.workgroup_bytes is missing"
    if wanted and workgroup > int(wanted.group(1)):
        return f"{workgroup} workgroup bytes, at most {wanted.group(1)} are needed"
    if not figures["peak"] <= workgroup <= figures["sum"]:
        return (f"{workgroup} workgroup bytes do not lie between the peak of "
                f"{figures['peak']} and the sum of {figures['sum']}")
    if objective == "bytes":
        peak = re.search(r"^// WORKGROUP:.*peak=(\d+)", source, re.M)
        if peak and workgroup > max(int(peak.group(1)), figures["peak"]):
            return f"{workgroup} workgroup bytes, {peak.group(1)} are live at once"
        if workgroup != figures["peak"]:
            return f"{workgroup} workgroup bytes, {figures['peak']} are live at once"
        return None
    bytes_taken = workgroup if objective == "balanced" else figures["sum"]
    allowed = allowed_barriers(source, bytes_taken)
    if allowed is not None and executed > allowed:
        return f"{executed} barriers are executed, {allowed} are enough with {bytes_taken} bytes"
    return None


def execute(text, arguments, outputs, chip, grid, uninitialized=()):
    """(status, details, executed barriers, executed subgroup barriers)"""
    result = kernels.run(text, arguments, grid, chip, [f"--max-steps={MAX_STEPS}"], uninitialized)
    executed = (result.barriers, result.subgroup_barriers)
    if result.reports:
        return "reports", result.reports, *executed
    for i, (value, output) in enumerate(zip(result.outputs, outputs)):
        difference = output.mismatch(value) if output else mismatch(value, arguments[i], 0)
        if difference:
            return "wrong", [f"argument {i}{'' if output else ' (read-only)'}: {difference}"], *executed
    return "ok", [], *executed


def load_specs(folder):
    """The module beside a folder of kernels that says what each must compute."""
    spec = importlib.util.spec_from_file_location("specs", os.path.join(folder, "..", "specs.py"))
    specs = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(specs)
    return specs


def is_poison(array):
    """True for what specs.Out puts where no element counts."""
    return bool(np.all(np.isnan(array) if array.dtype.kind == "f" else array == 77))


def corpus_arguments(specs, name):
    """(arguments, for each output what is expected, numbers of those without contents)"""
    arguments, outputs, uninitialized = [], [], []
    for a in getattr(specs, name)(np.random.default_rng(zlib.crc32(name.encode()))):
        is_output = isinstance(a, specs.Out)
        arguments.append(np.array(a.init if is_output else a))
        decode = specs.unbf16 if isinstance(a, specs.BF) else None
        outputs.append(Expected(a.expected, a.tol, decode) if is_output else None)
        # specs.py fills outputs with poison unless their old values count.
        if is_output and is_poison(a.init):
            uninitialized.append(len(arguments) - 1)
    return arguments, outputs, uninitialized


def check(path, specs, chip, options, objective, mutate=False, assembly=False, untiled=False):
    name = os.path.basename(path)[:-5]
    start = time.time()
    options = f"objective={objective} {options}"
    text, refusal = compile_kernel(path, chip, options, pipeline="compile" if untiled else "kernel")
    wanted_sum, wanted_peak, wanted_placed, wanted_executed = expectation(path)
    if refusal:
        status, details, got = ("error" if refusal.startswith("CRASH") else "refused"), [refusal], None
        executed = None
    else:
        arguments, outputs, uninitialized = corpus_arguments(specs, name)
        grid = GRIDS[name](arguments) if name in GRIDS else None
        got, executed, sub_executed, ran = figures(text, Signature(text)), "?", 0, 0
        try:
            begin = time.time()
            status, details, executed, sub_executed = execute(text, arguments, outputs, chip, grid, uninitialized)
            ran = time.time() - begin
            if mutate and status == "ok":
                details = kernels.mutate(text, arguments, grid, chip, uninitialized)
                # The second line is there only if the verifier accepts a mutant.
                good = (any(line.endswith("survived: 0") for line in details)
                        and not re.search(r"with a race: [1-9]", details[-1]))
                status = "ok" if good else "survivors"
        except HarnessError as error:
            status, details = "error", [str(error)]
    difference = None if untiled else differs(path, status, got, executed, objective)
    if untiled and status == "refused":
        difference = "the kernel must be accepted"
    if assembly and got and not difference:
        difference = assembly_differs(path, text if untiled else "", chip, options, got["workgroup"])
    if difference:
        details = ["DIFFERS: " + difference] + details
    line = f"{status:7} {name:31} {chip:6} "
    if got:
        line += (f"wg={got['workgroup']} peak={got['peak']} (want {wanted_sum}/{wanted_peak}) private={got['private']} "
                 f"barriers={got['barriers']}/{executed} (want {wanted_placed}/{wanted_executed})")
        if got["subgroup_barriers"]:
            line += f" subgroup={got['subgroup_barriers']}/{sub_executed}"
    line += f" {time.time() - start:.2f}s" + (f" {ran:.2f}s" if got else "")
    return "differs" if difference else status, line, details


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", help="prefixes of kernel names")
    parser.add_argument("--dir", help="default: ../shared/corpus/mapped, or raw with --untiled")
    parser.add_argument("--untiled", action="store_true", help="kernels of memspace-compile-pipeline")
    parser.add_argument("--chip", action="append", help="default: gfx942 and sm_90")
    parser.add_argument("--options", default="", help="more options of the pipeline")
    parser.add_argument("--objective", default="balanced", choices=["balanced", "bytes", "barriers"],
                        help="of packing")
    parser.add_argument("--mutate", action="store_true", help="mutation testing of the emulator")
    parser.add_argument("--assembly", action="store_true", help="compare the assembly's workgroup bytes")
    parser.add_argument("-v", action="store_true", help="all details, not just the first")
    options = parser.parse_args()

    options.dir = options.dir or os.path.join(CORPUS, "raw" if options.untiled else "mapped")
    specs = load_specs(options.dir)
    counts = {}
    for path in sorted(glob.glob(os.path.join(options.dir, "*.mlir"))):
        name = os.path.basename(path)[:-5]
        if options.names and not any(name.startswith(n) for n in options.names):
            continue
        for chip in options.chip or ["gfx942", "sm_90"]:
            status, line, details = check(path, specs, chip, options.options, options.objective,
                                          options.mutate, options.assembly, options.untiled)
            counts[status] = counts.get(status, 0) + 1
            print(line, flush=True)
            for detail in details if options.v or options.mutate else details[:1]:
                print("        " + (detail if options.v else detail[:300]), flush=True)
    if not counts:
        sys.exit(f"error: {options.dir}: no kernel of that name")
    print(", ".join(f"{n} {s}" for s, n in sorted(counts.items())))
    return 1 if set(counts) & {"wrong", "reports", "error", "survivors", "differs"} else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except OSError as error:
        sys.exit(f"error: {error.filename}: {error.strerror}" if error.filename else f"error: {error}")
