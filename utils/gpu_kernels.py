# Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prepares kernels for run_on_gpu.py: PTX, inputs, what must come out, a manifest.

manifest.json: {"chip", "kernels": [{"name", "entry", "ptx", "grid", "block",
"dynamic_bytes", "arguments": [{"name", "element", "is_scalar", "input",
"emulator", "expected", "tolerance"}]}]}; arrays are .npy files, `expected` is
null where the argument must stay as the emulator leaves it.
"""
import glob
import importlib.util
import json
import os
import re

import numpy as np

import asm_workgroup_bytes
import check_corpus
import kernels
from kernels import ROOT, HarnessError, Signature, memspace_opt, tool

# Upstream's lowering to the backends stops at tiles of vectors (README, Status).
NOT_LOWERED = ("vector-elements",)


def corpus_cases(names):
    """(name, path, arguments, expected outputs, grid or None) of each kernel of the corpus."""
    if not os.path.isdir(check_corpus.CORPUS):
        return
    specs = check_corpus.load_specs(check_corpus.CORPUS)
    for path in sorted(glob.glob(os.path.join(check_corpus.CORPUS, "*.mlir"))):
        name = os.path.basename(path)[:-5]
        if not names or name.startswith(names):
            arguments, outputs, _ = check_corpus.corpus_arguments(specs, name)
            grid = check_corpus.GRIDS[name](arguments) if name in check_corpus.GRIDS else None
            yield name, path, arguments, outputs, grid


def header_cases(paths):
    """The same of kernels with the header of test/Kernels/run.py."""
    spec = importlib.util.spec_from_file_location("run", os.path.join(ROOT, "test", "Kernels", "run.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for path in paths:
        test = module.Test(path)
        yield os.path.basename(path)[:-5], path, test.arguments, test.outputs(), test.grid


def cases(names):
    files = [n for n in names if n.endswith(".mlir")]
    prefixes = tuple(n for n in names if not n.endswith(".mlir"))
    yield from header_cases(files)
    if prefixes or not names:
        yield from corpus_cases(prefixes)
        paths = sorted(glob.glob(os.path.join(ROOT, "test", "Kernels", "*.mlir")))
        yield from header_cases(p for p in paths if not prefixes or os.path.basename(p).startswith(prefixes))


def compile_ptx(text, name, chip, version):
    """(PTX, bytes of dynamic shared memory) of a kernel that went through memspace-kernel-pipeline."""
    outlined = tool([memspace_opt(), "-", f"--memspace-outline-kernels=chip={chip}"], text)
    if version:
        outlined = re.sub(r'(#nvvm\.target<[^>]*features = ")\+ptx\d+', rf"\g<1>+ptx{version}", outlined)
    binary = tool([memspace_opt(), "-", f"--memspace-nvvm-backend-pipeline=chip={chip}"], outlined)
    (_, assembly), = asm_workgroup_bytes.objects(binary)
    missing = asm_workgroup_bytes.undefined_functions(assembly, is_amd=False)
    if missing:
        raise HarnessError(f"the PTX of {name} calls {', '.join(missing)} of a device library")
    dynamic = re.search(r"memspace\.dynamic_workgroup_bytes = (\d+)", outlined)
    return assembly, int(dynamic.group(1)) if dynamic else 0


def parameter_bytes(ptx, name):
    """Width of each parameter that the PTX of an entry declares."""
    entry = re.search(rf"\.entry {re.escape(name)}\((.*?)\)\s*\n", ptx, re.S)
    found = re.findall(r"\.param (?:\.align \d+ )?\.[a-z]+(\d+)[^\[\],]*?(?:\[(\d+)\])?(?=,|\s*$)", entry.group(1))
    return [int(bits) // 8 * int(count or 1) for bits, count in found]


def expected_bytes(signature):
    """How upstream passes the arguments: a memref as two pointers, offset, sizes and strides."""
    widths = []
    for argument in signature.arguments:
        widths += [argument.dtype.itemsize] if argument.shape is None else [8] * (3 + 2 * len(argument.shape))
    return widths


def prepare_kernel(folder, name, path, arguments, outputs, grid, chip, version):
    """The kernel's entry in the manifest, or why there is none."""
    text, refusal = check_corpus.compile_kernel(path, chip)
    if refusal:
        return "refused: " + refusal
    if name in NOT_LOWERED:
        return "not lowered: tiles of vectors"
    signature = Signature(text)
    if re.search(r"strided<\[[^\]]*\d", signature.parameters):
        raise HarnessError(f"{name} has an argument that is not contiguous")
    if not grid and "memspace.grid_size" in signature.head:
        raise HarnessError(f"the grid of {name} depends on its arguments; state it (GRID)")
    ptx, dynamic_bytes = compile_ptx(text, signature.name, chip, version)
    if parameter_bytes(ptx, signature.name) != expected_bytes(signature):
        raise HarnessError(f"the PTX of {name} takes parameters of {parameter_bytes(ptx, signature.name)} bytes, "
                           f"its signature makes {expected_bytes(signature)}")

    # The polynomials that the backend pipeline makes of math functions, so
    # that the results can be compared bit for bit.
    emulated = kernels.run(tool([memspace_opt(), "-", "--memspace-expand-math"], text), arguments, grid, chip)
    if emulated.reports:
        raise HarnessError(f"the emulator objects to {name}: {emulated.reports[0]}")

    def save(array, dtype, suffix):
        np.save(os.path.join(folder, f"{name}.{suffix}.npy"), np.ascontiguousarray(array).astype(dtype, copy=False))
        return f"{name}.{suffix}.npy"

    entries = []
    for i, (argument, value, output) in enumerate(zip(signature.arguments, arguments, outputs)):
        if output and output.mismatch(emulated.outputs[i]):
            raise HarnessError(f"the emulator gets {name} wrong: argument {i}: {output.mismatch(emulated.outputs[i])}")
        entries.append({
            "name": i, "element": argument.element, "is_scalar": argument.shape is None,
            "input": save(value, argument.dtype, f"{i}.in"),
            "emulator": save(emulated.outputs[i], argument.dtype, f"{i}.out"),
            "expected": save(output.value, argument.dtype, f"{i}.want") if output else None,
            "tolerance": output.tolerance if output and (argument.dtype.kind == "f" or output.decode) else 0})
    with open(os.path.join(folder, name + ".ptx"), "w", encoding="utf-8") as f:
        f.write(ptx)
    return {"name": name, "entry": signature.name, "ptx": name + ".ptx",
            "grid": kernels.shape3(grid or signature.grid or 1), "block": signature.block,
            "dynamic_bytes": dynamic_bytes, "arguments": entries}


def prepare(folder, names, chip, version):
    """Fills `folder`; 0, or 1 when a kernel could not be prepared."""
    os.makedirs(folder, exist_ok=True)
    entries, failed = [], 0
    for name, path, arguments, outputs, grid in cases(names):
        try:
            entry = prepare_kernel(folder, name, path, arguments, outputs, grid, chip, version)
        except HarnessError as error:
            failed += 1
            print(f"error: {name}: " + str(error).split("\n")[0])
            continue
        if isinstance(entry, str):
            print(f"{name}: {entry}")
        else:
            entries.append(entry)
    with open(os.path.join(folder, "manifest.json"), "w", encoding="utf-8") as f:
        json.dump({"chip": chip, "kernels": entries}, f, indent=1)
    print(f"{len(entries)} kernels for {chip} prepared")
    return 1 if failed or not entries else 0
