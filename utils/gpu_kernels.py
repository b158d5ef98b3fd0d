# Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prepares kernels for run_on_gpu.py: PTX, inputs, what must come out, a manifest.

manifest.json: {"chip", "programs": [{"name",
  "arguments": [{"name", "element", "is_scalar", "bytes", "input", "emulator", "expected", "tolerance"}],
  "launches": [{"ptx", "entry", "grid", "block", "dynamic_bytes", "operands"}],
  "memories"}]}; arrays are .npy files. `input` is null where the memory is not
written before the launch, `emulator` and `expected` where nothing is compared.
Operands are {"memory": number, "shape"} or {"scalar": hexadecimal bytes};
arguments are the memories 0, 1, … `memories` gives the bytes of the further ones
that a host's function allocates (memspace-runner --launches); a kernel alone has
no `memories`.
"""
import functools
import glob
import importlib.util
import json
import multiprocessing
import os
import re
import subprocess
import tempfile
import zlib

import numpy as np

import asm_workgroup_bytes
import check_corpus
import check_operators
import kernels
import loop_operators
import random_operators
from kernels import ROOT, HarnessError, Signature, memspace_opt, memspace_tool, tool

# Upstream's lowering to the backends stops at tiles of vectors (README, Status).
NOT_LOWERED = ("vector-elements",)


def corpus_cases(names):
    """(name, path, arguments, expected outputs, grid or None) of each kernel of the corpus."""
    folder = os.path.join(check_corpus.CORPUS, "mapped")
    if not os.path.isdir(folder):
        return
    specs = check_corpus.load_specs(folder)
    for path in sorted(glob.glob(os.path.join(folder, "*.mlir"))):
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


def kernel_jobs(names):
    """Functions that prepare the kernels of these names."""
    files = [n for n in names if n.endswith(".mlir")]
    prefixes = tuple(n for n in names if not n.endswith(".mlir"))
    found = list(header_cases(files))
    if prefixes or not names:
        found += corpus_cases(prefixes)
        paths = sorted(glob.glob(os.path.join(ROOT, "test", "Kernels", "*.mlir")))
        found += header_cases(p for p in paths if not prefixes or os.path.basename(p).startswith(prefixes))
    return [(case[0], functools.partial(prepare_kernel, case)) for case in found]


def fuzz_jobs(mode, first, count, chip):
    """The same for random kernels of memspace-fuzz."""
    flags = [f"--{mode}"] if mode != "fuzz" else []
    texts = tool([memspace_tool("memspace-fuzz"), "--print", *flags, f"--chip={chip}", f"--seed={first}", f"--count={count}"])
    texts = re.split(r"^(?=// memspace-fuzz )", texts, flags=re.M)[1:]
    return [(f"{mode}-{seed}", functools.partial(prepare_random, mode, f"{mode}-{seed}", text))
            for seed, text in enumerate(texts, first)]


def operator_jobs(kind, first=0, count=0):
    """The same for untiled functions and their hosts."""
    if kind == "operators":
        every = [*check_operators.OPERATORS.items(),
                 *((f"frontend_{name}", make) for name, make in check_operators.FRONTEND.items())]
        return [(name, functools.partial(prepare_operator, name, make(np.random.default_rng(zlib.crc32(name.encode()))), ""))
                for name, make in every]
    jobs = []
    for seed in range(first, first + count):
        operator, _, settings = random_operators.make(seed)
        if kind == "loops":
            text = loop_operators.wrap(operator.text, seed)
            if not text:
                continue
            settings += "" if "workgroup-limit" in settings else " workgroup-limit=4096"
            operator = operator._replace(text=text)
        jobs.append((f"{kind}-{seed}", functools.partial(prepare_operator, f"{kind}-{seed}", operator, settings)))
    return jobs


def set_jobs(text, chip):
    kind, *range_ = text.split(":")
    if len(range_) != (0 if kind in ("operators", "raw") else 2):
        raise SystemExit(f"error: --set {text}: wanted is operators, raw, or KIND:FIRST:COUNT")
    numbers = [int(n) for n in range_]
    if kind == "raw":
        paths = sorted(glob.glob(os.path.join(check_corpus.CORPUS, "raw", "*.mlir")))
        return [(name, functools.partial(prepare_raw, name, path))
                for path in paths for name in [os.path.basename(path)[:-5]]]
    if kind in ("operators", "random", "loops"):
        return operator_jobs(kind, *numbers)
    if kind in ("fuzz", "structured", "spmd"):
        return fuzz_jobs(kind, *numbers, chip)
    raise SystemExit(f"error: --set {text}: no such kind")


# ===- Compilation -------------------------------------------------------=== #

def with_ptx_version(outlined, version):
    return re.sub(r'(#nvvm\.target<[^>]*features = ")\+ptx\d+', rf"\g<1>+ptx{version}", outlined) if version else outlined


def ptx_modules(text, name, chip, options=""):
    """PTX of each GPU module of a program with gpu.module ops, by the module's name."""
    binary = tool([memspace_opt(), "-", f"--memspace-nvvm-backend-pipeline=chip={chip} {options}"], text)
    modules = dict(zip(re.findall(r"gpu\.binary @([\w$.-]+)", binary), (a for _, a in asm_workgroup_bytes.objects(binary))))
    for assembly in modules.values():
        missing = asm_workgroup_bytes.undefined_functions(assembly, is_amd=False)
        if missing:
            raise HarnessError(f"the PTX of {name} calls {', '.join(missing)} of a device library")
    return modules


def parameter_bytes(ptx, name):
    """Width of each parameter that the PTX of an entry declares."""
    entry = re.search(rf"\.entry {re.escape(name)}\((.*?)\)\s*\n", ptx, re.S)
    found = re.findall(r"\.param (?:\.align \d+ )?\.[a-z]+(\d+)[^\[\],]*?(?:\[(\d+)\])?(?=,|\s*$)", entry.group(1))
    return [int(bits) // 8 * int(count or 1) for bits, count in found]


def check_parameters(ptx, launch):
    """Upstream passes a memref as two pointers, offset, sizes and strides."""
    widths = []
    for operand in launch["operands"]:
        widths += [len(operand["scalar"]) // 2] if "scalar" in operand else [8] * (3 + 2 * len(operand["shape"]))
    declared = parameter_bytes(ptx, launch["entry"])
    if declared != widths:
        raise HarnessError(f"the PTX of {launch['entry']} takes parameters of {declared} bytes, the launch has {widths}")


class Writer:
    """Files of one program in the folder."""

    def __init__(self, folder, name):
        self.folder, self.name = folder, name

    def array(self, array, dtype, suffix):
        file = f"{self.name}.{suffix}.npy"
        np.save(os.path.join(self.folder, file), np.ascontiguousarray(array).astype(dtype, copy=False))
        return file

    def ptx(self, assembly, suffix=""):
        file = f"{self.name}{suffix}.ptx"
        with open(os.path.join(self.folder, file), "w", encoding="utf-8") as f:
            f.write(assembly)
        return file


# ===- Kernels -----------------------------------------------------------=== #

def emulate(name, text, arguments, grid, chip):
    """The emulator's result, and whether its math is the chip's."""
    # The polynomials that the backend pipeline makes of math functions, and what
    # it makes of contractions of vectors, so that the results can be compared
    # bit for bit.
    expanded, is_exact = tool([memspace_opt(), "-", "--memspace-lower-vectors", "--memspace-expand-math"], text), True
    if "llvm.call_intrinsic" in expanded:
        expanded, is_exact = text, False
    emulated = kernels.run(expanded, arguments, grid, chip)
    if emulated.reports:
        raise HarnessError(f"the emulator objects to {name}: {emulated.reports[0]}")
    return emulated, is_exact


def finish_kernel(writer, name, text, arguments, outputs, grid, chip, version):
    """The manifest's entry of a kernel on memrefs."""
    signature = Signature(text)
    if re.search(r"strided<\[[^\]]*\d", signature.parameters):
        raise HarnessError(f"{name} has an argument that is not contiguous")
    if not grid and "memspace.grid_size" in signature.head:
        raise HarnessError(f"the grid of {name} depends on its arguments; state it (GRID)")
    outlined = with_ptx_version(tool([memspace_opt(), "-", f"--memspace-outline-kernels=chip={chip}"], text), version)
    ptx = next(a for a in ptx_modules(outlined, name, chip).values() if f".entry {signature.name}(" in a)
    dynamic = re.search(r"memspace\.dynamic_workgroup_bytes = (\d+)", outlined)
    emulated, is_exact = emulate(name, text, arguments, grid, chip)

    entries, operands = [], []
    for i, (argument, value, output) in enumerate(zip(signature.arguments, arguments, outputs)):
        if output and output.mismatch(emulated.outputs[i]):
            raise HarnessError(f"the emulator gets {name} wrong: argument {i}: {output.mismatch(emulated.outputs[i])}")
        value = np.ascontiguousarray(value).astype(argument.dtype, copy=False)
        is_scalar = argument.shape is None
        operands.append({"scalar": value.tobytes().hex()} if is_scalar else {"memory": i, "shape": value.shape})
        entries.append({
            "name": i, "element": argument.element, "is_scalar": is_scalar, "bytes": value.nbytes,
            "input": writer.array(value, argument.dtype, f"{i}.in"),
            "emulator": writer.array(emulated.outputs[i], argument.dtype, f"{i}.out") if is_exact or not output else None,
            "expected": writer.array(output.value, argument.dtype, f"{i}.want") if output else None,
            "tolerance": output.tolerance if output and (argument.dtype.kind == "f" or output.decode) else 0})
    launch = {"ptx": writer.ptx(ptx), "entry": signature.name, "grid": kernels.shape3(grid or signature.grid or 1),
              "block": signature.block, "dynamic_bytes": int(dynamic.group(1)) if dynamic else 0, "operands": operands}
    check_parameters(ptx, launch)
    return {"name": name, "arguments": entries, "launches": [launch]}


def prepare_kernel(case, folder, chip, version):
    """The manifest's entry, or why there is none."""
    name, path, arguments, outputs, grid = case
    text, refusal = check_corpus.compile_kernel(path, chip)
    if refusal:
        return "refused: " + refusal
    if name in NOT_LOWERED:
        return "not lowered: tiles of vectors"
    return finish_kernel(Writer(folder, name), name, text, arguments, outputs, grid, chip, version)


def prepare_random(mode, name, text, folder, chip, version):
    """The same for a kernel as memspace-fuzz prints it."""
    header = dict(re.findall(r"--([\w-]+)=(\S+)", text.split("\n", 1)[0]))
    if "gpu.func" in text:
        return "not taken: in a GPU module already"
    if mode == "spmd":
        text = re.sub(r".*gpu\.barrier \{fuzz_sync.*\n", "", text)
        passes = [f"--memspace-pack-workgroup-memory=chip={chip}", f"--memspace-insert-barriers=chip={chip}"]
    else:
        limits = "".join(f" {name}={header[name]}" for name in ("workgroup-limit", "private-limit") if int(header.get(name, 0)))
        passes = [f"--memspace-kernel-pipeline=chip={chip}{limits}"]
    done = subprocess.run([memspace_opt(), "-", *passes], input=text, capture_output=True, text=True)
    if done.returncode:
        return "refused: " + check_operators.first_error(done.stderr)
    signature = Signature(done.stdout)
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    arguments = [a.generate(rng, int(header.get("dynamic-size", 64))) for a in signature.arguments]
    # Without block foralls it is written for one workgroup.
    grid = None if signature.grid else int(header["grid"]) if "gpu.block<" in text else 1
    return finish_kernel(Writer(folder, name), name, done.stdout, arguments, [None] * len(arguments), grid, chip, version)


# ===- Untiled functions -------------------------------------------------=== #

def prepare_operator(name, operator, settings, folder, chip, version):
    """The same for a function on tensors, which becomes a host and its kernels."""
    given = [np.array(v, order="C") for v in operator.inputs]
    wanted = [np.array(v, order="C") for v in operator.outputs]
    return prepare_untiled(name, "operator", operator.text, given + wanted, [False] * len(given) + [True] * len(wanted),
                           [None] * len(given) + wanted, operator.tolerance, settings, folder, chip, version)


def prepare_raw(name, path, folder, chip, version):
    """The same for an untiled function on memrefs of the shared corpus."""
    specs = check_corpus.load_specs(os.path.dirname(path))
    arguments, outputs, _ = check_corpus.corpus_arguments(specs, name)
    tolerance = max(o.tolerance for o in outputs if o)
    return prepare_untiled(name, name, open(path, encoding="utf-8").read(), [np.array(a, order="C") for a in arguments],
                           [False] * len(arguments), [o and o.value for o in outputs], tolerance, "", folder, chip, version)


def prepare_untiled(name, function, text, values, are_results, wanted, tolerance, settings, folder, chip, version):
    with tempfile.TemporaryDirectory(prefix="memspace-gpu-") as temporary:
        source, trace = os.path.join(temporary, "source.mlir"), os.path.join(temporary, "launches.json")
        with open(source, "w", encoding="utf-8") as f:
            f.write(text)
        done = check_operators.compile_operator(source, chip, settings, os.path.join(temporary, "record.json"))
        if done.returncode:
            return "refused: " + check_operators.first_error(done.stderr)
        program = os.path.join(temporary, "program.mlir")
        with open(program, "w", encoding="utf-8") as f:
            f.write(with_ptx_version(done.stdout, version))
        signature = Signature(done.stdout.replace("gpu.func @", "func.func @"), function)
        command = [memspace_tool("memspace-runner"), program, f"--chip={chip}", f"--kernel={function}", f"--launches={trace}"]
        for i, (argument, value) in enumerate(zip(signature.arguments, values)):
            np.save(os.path.join(temporary, f"{i}.npy"), value)
            if not are_results[i]:
                command.append(f"--arg={i}:npy:{os.path.join(temporary, f'{i}.npy')}")
            elif -1 in argument.shape:
                command.append(f"--shape={i}:" + "x".join(map(str, value.shape)))
        tool(command)
        with open(trace, encoding="utf-8") as f:
            traced = json.load(f)
        writer = Writer(folder, name)
        modules = ptx_modules(open(program, encoding="utf-8").read(), name, chip)
        files = {module: writer.ptx(assembly, "." + module) for module, assembly in modules.items()}
    if not modules:
        return "not taken: no kernel"
    for launch in traced["launches"]:
        module = launch.pop("module")
        launch["ptx"], launch["entry"] = files[module], launch.pop("kernel")
        check_parameters(modules[module], launch)
    entries = []
    for i, (argument, value) in enumerate(zip(signature.arguments, values)):
        value = value.astype(argument.dtype, copy=False)
        is_float = argument.dtype.kind == "f" or argument.element == "bf16"
        entries.append({
            "name": i, "element": argument.element, "is_scalar": argument.shape is None, "bytes": value.nbytes,
            "input": None if are_results[i] else writer.array(value, argument.dtype, f"{i}.in"), "emulator": None,
            "expected": None if wanted[i] is None else writer.array(wanted[i], argument.dtype, f"{i}.want"),
            "tolerance": tolerance if is_float else 0})
    return {"name": name, "arguments": entries, **traced}


# ===- Folders -----------------------------------------------------------=== #

def prepare_one(folder, chip, version, job):
    """(name, entry, why there is none, whether that is an error)."""
    name, make = job
    try:
        entry = make(folder, chip, version)
    except HarnessError as error:
        return name, None, str(error).split("\n")[0], True
    return (name, None, entry, False) if isinstance(entry, str) else (name, entry, "", False)


def prepare(folder, names, sets, chip, version, jobs):
    """Fills `folder`; 0, or 1 when a kernel could not be prepared."""
    os.makedirs(folder, exist_ok=True)
    work = [job for text in sets or [] for job in set_jobs(text, chip)]
    if not sets:
        work = kernel_jobs(names)
    elif names:
        work = [job for job in work if job[0].startswith(tuple(names))]
    entries, failed = [], 0
    with multiprocessing.Pool(jobs) as pool:
        for name, entry, why, is_error in pool.imap(functools.partial(prepare_one, folder, chip, version), work):
            failed += is_error
            if entry:
                entries.append(entry)
            else:
                print(("error: " if is_error else "") + f"{name}: {why}", flush=True)
    with open(os.path.join(folder, "manifest.json"), "w", encoding="utf-8") as f:
        json.dump({"chip": chip, "programs": entries}, f, indent=1)
    print(f"{len(entries)} kernels for {chip} prepared")
    return 1 if failed or not entries else 0
