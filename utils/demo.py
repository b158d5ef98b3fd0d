#!/usr/bin/env python3
# Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shows what MemSpace decides about a kernel; the second half of utils/demo.sh."""
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import check_corpus
import kernels

CHIPS = (("gfx942", "rocdl"), ("sm_90", "nvvm"))


def opt(path, *options):
    """Output of memspace-opt; exits with its diagnostics when it fails."""
    done = subprocess.run([kernels.memspace_opt(), path, *options],
                          capture_output=True, text=True)
    if done.returncode:
        print(done.stderr)
        sys.exit(f"memspace-opt {' '.join(options)} failed")
    return done.stdout


def locations(text):
    """loc alias → (line, column) in the source; through fused and named locations."""
    aliases = dict(re.findall(r"^(#loc\d*) = loc\((.*)\)$", text, re.M))

    def find(body, depth=0):
        match = re.search(r'"[^"]*":(\d+):(\d+)', body)
        if match:
            return int(match.group(1)), int(match.group(2))
        inner = re.search(r"#loc\d*", body)
        return find(aliases.get(inner.group(0), ""), depth + 1) if inner and depth < 9 else None

    return {alias: find(body) for alias, body in aliases.items()}


def place(line, table, source):
    """(name, line number) of the value in the source that an op came from."""
    match = re.search(r"loc\((#loc\d*)\)\s*$", line)
    where = table.get(match.group(1)) if match else None
    if not where or where[0] > len(source):
        return None, None
    name = re.match(r"\s*(%[\w$.-]+)\S* =", source[where[0] - 1])
    return (name.group(1) if name else source[where[0] - 1].strip().split("(")[0][:40]), where[0]


def attribute(line, name):
    """A string attribute of an op, unescaped."""
    match = re.search(re.escape(name) + r' = "((?:[^"\\]|\\.)*)"', line)
    return match.group(1).replace('\\"', '"').replace("\\22", '"') if match else None


def show_decisions(text, source):
    table = locations(text)
    print("  buffers")
    for line in text.split("\n"):
        kind = re.match(r"\s*%\S+ = (memref\.(?:alloca?|view))\b", line)
        # The arena stands for its buffers, or for its only one.
        if not kind or ("memspace.arena" in line and "memspace.reason" in text.replace(line, "") and "memref.view" in text):
            continue
        reason = attribute(line, "memspace.reason")
        if not reason:
            continue
        name, number = place(line, table, source)
        types = re.findall(r"memref<([^<>]*?)(?:, strided<[^>]*>)?, #gpu\.address_space<(\w+)>>", line)
        shape, space = types[-1] if types else ("?", "?")
        print(f"    {name or '?'} (line {number or '?'}), {shape}: {space}")
        print(f"        {reason}")
        copy = attribute(line, "memspace.copy")
        if copy:
            print(f"        a copy {copy}")
    print("  barriers")
    shown = False
    for line in text.split("\n"):
        kind = re.match(r"\s*(gpu\.barrier|memspace\.subgroup_barrier)\b", line)
        if kind:
            shown = True
            print(f"    {kind.group(1)}: {attribute(line, 'memspace.hazard') or 'no hazard recorded'}")
    if not shown:
        print("    none")


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: demo.py KERNEL.mlir")
    path = sys.argv[1]
    source = open(path).read().split("\n")
    print(f"kernel {os.path.relpath(path)}")
    failed = False
    # LLVM 22's tools before an older LLVM of the system.
    environment = dict(os.environ, PATH=os.path.dirname(kernels.llvm_tool("llvm-mc")) + os.pathsep + os.environ["PATH"])
    for chip, backend in CHIPS:
        print(f"\n{chip}")
        text = opt(path, f"--memspace-kernel-pipeline=chip={chip}", "--mlir-print-debuginfo", "--mlir-print-local-scope=false")
        show_decisions(text, source)
        figures = check_corpus.figures(text, kernels.Signature(text))
        print("  bytes")
        print(f"    workgroup {figures['workgroup']}, of which live at once {figures['peak']}; private {figures['private']} per thread")

        assembly = opt(path, f"--memspace-{backend}-pipeline=chip={chip}")
        report = subprocess.run([sys.executable, os.path.join(HERE, "asm_workgroup_bytes.py")],
                                input=assembly, capture_output=True, text=True, env=environment)
        print("  assembly")
        print("    " + (report.stdout or report.stderr).strip().replace("\n", "\n    "))
        said = re.search(r"workgroup=(\d+) dynamic=(\d+)", report.stdout)
        if report.returncode or not said:
            failed = True
        elif int(said.group(1)) + int(said.group(2)) != figures["workgroup"]:
            print(f"    DIFFERS from the {figures['workgroup']} bytes planned")
            failed = True
        failed |= not show_execution(opt(path, f"--memspace-kernel-pipeline=chip={chip}"), "\n".join(source), chip)
    return 1 if failed else 0


def show_execution(text, source, chip):
    """Runs the kernel with random inputs; compares with the sequential meaning of the source."""
    import numpy as np
    print("  in memspace-runner, three orders of the threads")
    try:
        rng = np.random.default_rng(0)
        arguments = [a.generate(rng) for a in kernels.Signature(text).arguments]
        wanted = kernels.run_sequentially(source, arguments)
        result = kernels.run(text, arguments, chip=chip)
        wrong = [d for d in (kernels.mismatch(g, w, 1e-4) for g, w in zip(result.outputs, wanted)) if d]
        print(f"    {result.summary}")
        print(f"    {result.barriers} barriers executed, results " + ("right" if not wrong else "WRONG: " + wrong[0]))
        for report in result.reports[:2]:
            print("      " + report)
        return not wrong and not result.reports
    except kernels.HarnessError as error:
        print(f"    {error}")
        return False


if __name__ == "__main__":
    try:
        sys.exit(main())
    except OSError as error:
        sys.exit(f"error: {error.filename}: {error.strerror}" if error.filename else f"error: {error}")
