#!/usr/bin/env python3
# Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the produced assembly of kernels does with memory.

    measure_assembly.py [--chip CHIP]... [--untiled] [--options=...] [--output FILE.json] KERNEL.mlir...
    measure_assembly.py --compare BEFORE.json AFTER.json

For each kernel and chip: instructions that load from and store to global memory,
instructions on workgroup memory (ds_ on AMDGPU, ld.shared, st.shared, ... in PTX),
scratch bytes of a thread, vector registers (AMDGPU: VGPRs; PTX: none, ptxas decides)
and instructions. --untiled: kernels are formed and tiled first
(memspace-fit-to-budget). --compare prints a table of the sums and one of the kernels that
changed. MEMSPACE_OPT names another memspace-opt.
"""
import argparse
import json
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import asm_workgroup_bytes
import kernels

FIGURES = ["loads", "stores", "workgroup", "scratch", "registers", "instructions"]


def count(pattern, lines):
    return sum(1 for line in lines if re.match(pattern, line))


def measure_amdgpu(assembly):
    code = assembly.split(".section\t.rodata")[0]
    lines = [line.strip() for line in code.splitlines()]
    lines = [line for line in lines if re.match(r"[a-z]\w*_\w+", line)]

    def field(name):
        return max([int(n) for n in re.findall(rf"\.{name}: +(\d+)", assembly)] or [0])

    return {"loads": count(r"(global|flat|buffer)_load", lines),
            "stores": count(r"(global|flat|buffer)_(store|atomic)", lines),
            "workgroup": count("ds_", lines),
            "scratch": field("private_segment_fixed_size"),
            "registers": field("vgpr_count"),
            "instructions": len(lines)}


def measure_ptx(assembly):
    lines = [line.strip() for line in assembly.splitlines()]
    lines = [re.sub(r"^@!?%p\d+\s+", "", line) for line in lines]
    lines = [line for line in lines if re.match(r"[a-z][\w.]*\s", line)]
    scratch = re.findall(r"\.local .*__local_depot\d+\[(\d+)\]", assembly)
    return {"loads": count(r"ld(\.\w+)*\.global", lines),
            "stores": count(r"(st|red|atom)(\.\w+)*\.global", lines),
            "workgroup": count(r"(ld|st|red|atom)(\.\w+)*\.shared", lines),
            "scratch": max([int(n) for n in scratch] or [0]),
            "registers": 0,
            "instructions": len(lines)}


def measure(path, chip, options, untiled):
    backend = "nvvm" if chip.startswith("sm_") else "rocdl"
    tiling = [f"-memspace-form-kernels=chip={chip}", f"-memspace-fit-to-budget=chip={chip}"] if untiled else []
    text = kernels.tool([kernels.memspace_opt(), path, *tiling,
                         f"-memspace-{backend}-pipeline=chip={chip} {options}"])
    result = dict.fromkeys(FIGURES, 0)
    for _, assembly in asm_workgroup_bytes.objects(text):
        figures = (measure_ptx if backend == "nvvm" else measure_amdgpu)(assembly)
        for name in FIGURES:
            largest = name in ("scratch", "registers")
            result[name] = max(result[name], figures[name]) if largest else result[name] + figures[name]
    return result


def compare(before, after):
    for chip in sorted({key.split(" ")[1] for key in after}):
        keys = sorted(key for key in after if key.endswith(" " + chip) and key in before)
        print(f"\n{chip}, {len(keys)} kernels\n")
        print("| | " + " | ".join(FIGURES) + " | kernels with scratch |")
        print("| --- |" + " ---: |" * (len(FIGURES) + 1))
        for name, data in (("before", before), ("after", after)):
            sums = [sum(data[key][figure] for key in keys) for figure in FIGURES]
            scratch = sum(1 for key in keys if data[key]["scratch"])
            print(f"| {name} | " + " | ".join(map(str, sums)) + f" | {scratch} |")
        changed = [key for key in keys if before[key] != after[key]]
        print(f"\n{len(changed)} changed\n")
        for key in changed:
            figures = ", ".join(f"{figure} {before[key][figure]} → {after[key][figure]}"
                                for figure in FIGURES if before[key][figure] != after[key][figure])
            print(f"- {key.split(' ')[0]}: {figures}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="+")
    parser.add_argument("--chip", action="append", help="default: gfx942 and sm_90")
    parser.add_argument("--untiled", action="store_true", help="tile them first")
    parser.add_argument("--options", default="", help="more options of the pipeline")
    parser.add_argument("--output", help="a JSON file")
    parser.add_argument("--compare", action="store_true", help="of two such files")
    args = parser.parse_args()
    if args.compare:
        before, after = (json.load(open(path)) for path in args.files)
        compare(before, after)
        return 0
    data = {}
    for path in args.files:
        for chip in args.chip or ["gfx942", "sm_90"]:
            try:
                data[f"{os.path.splitext(os.path.basename(path))[0]} {chip}"] = measure(
                    path, chip, args.options, args.untiled)
            except kernels.HarnessError:
                continue  # refused: not a kernel for this chip
    text = json.dumps(data, indent=1, sort_keys=True)
    if args.output:
        open(args.output, "w").write(text + "\n")
    else:
        print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
