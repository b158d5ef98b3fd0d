# Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the scripts of this folder know about kernels: signatures, running, comparison.

Tools: $MEMSPACE_OPT and $MEMSPACE_RUNNER, else build/tools; $LLVM_TOOLS_DIR, else
/usr/lib/llvm-22/bin.
"""
import os
import re
import shutil
import subprocess
import tempfile

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)


class HarnessError(Exception):
    """The kernel cannot be run here; says why."""


# ===- Tools -------------------------------------------------------------=== #

# What memspace-runner and memspace-mutate may take.
SECONDS = 600


def llvm_tool(name):
    folder = os.environ.get("LLVM_TOOLS_DIR", "/usr/lib/llvm-22/bin")
    path = os.path.join(folder, name)
    return path if os.path.exists(path) else (shutil.which(name) or path)


def memspace_tool(name):
    path = os.environ.get(name.upper().replace("-", "_")) or os.path.join(
        os.environ.get("MEMSPACE_BUILD_DIR", os.path.join(ROOT, "build")), "tools", name, name)
    return path if os.path.exists(path) else (shutil.which(name) or path)


def memspace_opt():
    return memspace_tool("memspace-opt")


def tool(command, text=None):
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode:
        raise HarnessError(f"{os.path.basename(command[0])} failed: {done.stderr.strip()[:2000]}")
    return done.stdout


# ===- The kernel's signature --------------------------------------------=== #

DTYPES = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "bf16": np.uint16,
          "i1": np.bool_, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64,
          "index": np.int64}


def split(text, separator=","):
    """Splits at separators outside brackets and strings."""
    parts, depth, start, quoted = [], 0, 0, False
    for i, c in enumerate(text):
        if c == '"' and text[i - 1:i] != "\\":
            quoted = not quoted
        elif quoted:
            continue
        elif c in "([{<":
            depth += 1
        elif c in ")]}" or (c == ">" and text[i - 1:i] != "-"):
            depth -= 1
        elif c == separator and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    if text[start:].strip():
        parts.append(text[start:])
    return [p.strip() for p in parts]


class Argument:
    """One kernel argument: `shape` is None for a scalar, -1 is a dynamic extent."""

    def __init__(self, text):
        name, _, kind = text.partition(":")
        self.name, kind = name.strip(), split(kind.strip(), " ")[0]
        # A vector as element is further dimensions.
        kind = re.sub(r"vector<([\dx]+x\w+)>", r"\1", kind)
        match = re.match(r"memref<((?:[\d?]+x)*)(\w+)", kind)
        element = match.group(2) if match else kind
        if element not in DTYPES:
            raise HarnessError(f"argument {self.name} of type '{kind}' is not supported")
        self.element, self.dtype = element, np.dtype(DTYPES[element])
        self.shape = None
        if match:
            self.shape = tuple(-1 if d == "?" else int(d) for d in match.group(1).split("x")[:-1])

    def check(self, value):
        if self.shape is None:
            return np.array(value, self.dtype)
        value = np.asarray(value)
        if value.dtype.itemsize != self.dtype.itemsize:
            raise HarnessError(f"argument {self.name} wants {self.element}, got {value.dtype}")
        if len(value.shape) != len(self.shape) or any(
                d not in (-1, n) for d, n in zip(self.shape, value.shape)):
            raise HarnessError(f"argument {self.name} wants the shape {self.shape}, got {value.shape}")
        return value

    def generate(self, rng, dim=64):
        """A seeded input: floats in [-1, 1), small integers."""
        shape = () if self.shape is None else tuple(dim if d < 0 else d for d in self.shape)
        if self.element == "bf16":
            return (rng.uniform(-1, 1, shape).astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
        if self.dtype.kind == "f":
            return rng.uniform(-1, 1, shape).astype(self.dtype)
        if self.dtype.kind == "b":
            return rng.integers(0, 2, shape).astype(bool)
        return rng.integers(0, 8, shape).astype(self.dtype)


class Signature:
    """Name, arguments and launch shape of the kernel in a module's text."""

    def __init__(self, text, name=None):
        functions = re.finditer(r"func\.func\s+(?:public\s+|private\s+)?@([\w$.-]+)\s*\(", text)
        found = None
        for match in functions:
            depth, end = 1, match.end()
            while depth:
                depth += {"(": 1, ")": -1}.get(text[end], 0)
                end += 1
            head = text[end:text.find("\n", text.find("{", end))]
            body = text.find("func.func", end)
            attributes = text[end:body if body >= 0 else len(text)]
            if match.group(1) == name or (name is None and "gpu.known_block_size" in attributes):
                found = match
                break
            if name is None and found is None:
                found = match
        if not found:
            raise HarnessError(f"no function {'@' + name if name else 'at all'} in the module")
        self.name = found.group(1)
        depth, end = 1, found.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        self.parameters = text[found.end():end - 1]
        self.arguments = [Argument(a) for a in split(self.parameters)]
        following = text.find("func.func", end)
        self.head = text[end:following if following >= 0 else len(text)]
        self.block = self._shape("gpu.known_block_size")
        self.grid = self._shape("gpu.known_grid_size")

    def _shape(self, name):
        match = re.search(re.escape(name) + r"\s*=\s*array<i32:\s*(\d+),\s*(\d+),\s*(\d+)>", self.head)
        return tuple(int(d) for d in match.groups()) if match else None

    def integer(self, name):
        """An i64 attribute of the kernel such as memspace.workgroup_bytes."""
        match = re.search(re.escape(name) + r"\s*=\s*(-?\d+)(?:\s*:\s*i64)?\b", self.head)
        return int(match.group(1)) if match else None


# ===- Running -----------------------------------------------------------=== #

class Result:
    """What memspace-runner says about a kernel."""

    def __init__(self, outputs, reports, barriers, subgroup_barriers, summary):
        # All arguments after the run with the threads in forward order.
        self.outputs = outputs
        # One "line N: message" for each finding in any order.
        self.reports = reports
        # Executed ones, of one workgroup.
        self.barriers, self.subgroup_barriers = barriers, subgroup_barriers
        self.summary = summary


def shape3(shape):
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    return tuple(int(d) for d in shape) + (1,) * (3 - len(shape))


def emulate(tool_name, folder, text, arguments, grid, chip, options, uninitialized):
    """Runs memspace-runner or memspace-mutate on a kernel; (process, arguments as arrays)."""
    signature = Signature(text)
    if len(arguments) != len(signature.arguments):
        raise HarnessError(f"@{signature.name} has {len(signature.arguments)} arguments, got {len(arguments)}")
    path = lambda name: os.path.join(folder, name)
    with open(path("kernel.mlir"), "w") as f:
        f.write(text)
    command = [memspace_tool(tool_name), path("kernel.mlir"), *options] + ([f"--chip={chip}"] if chip else [])
    if grid:
        command.append("--grid=" + ",".join(map(str, shape3(grid))))
    arrays = []
    for i, (argument, value) in enumerate(zip(signature.arguments, arguments)):
        arrays.append(np.array(argument.check(value), order="C"))
        if i not in uninitialized:
            np.save(path(f"{i}.npy"), arrays[i])
            command.append(f"--arg={i}:npy:{path(f'{i}.npy')}")
        elif -1 in argument.shape:
            command.append(f"--shape={i}:" + "x".join(map(str, arrays[i].shape)))
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=SECONDS), arrays
    except subprocess.TimeoutExpired:
        raise HarnessError(f"{tool_name} takes more than {SECONDS} s") from None


def run(text, arguments, grid=None, chip="", options=(), uninitialized=()):
    """Runs a bufferized kernel in several orders of its threads; returns a Result.

    `arguments` are arrays of the types that Signature(text) has; those whose
    numbers are in `uninitialized` give their shape only.
    """
    signature = Signature(text)
    with tempfile.TemporaryDirectory(prefix="memspace-run-") as folder:
        path = lambda name: os.path.join(folder, name)
        wanted = [f"--out={i}:{path(f'{i}.out.npy')}" for i, a in enumerate(signature.arguments) if a.shape is not None]
        done, outputs = emulate("memspace-runner", folder, text, arguments, grid, chip,
                                [f"--kernel={signature.name}", "--verbose", *wanted, *options], uninitialized)
        verbose = re.search(r"^executed barriers: (\d+), subgroup barriers: (\d+)", done.stdout, re.M)
        if done.returncode not in (0, 1) or not verbose:
            raise HarnessError(f"memspace-runner failed ({done.returncode}): {done.stderr.strip()[:2000]}")
        reports = [f"line {line}: {message}" for line, message in
                   re.findall(r"^\S*?:(\d+):\d+: error: (.*)$", done.stderr, re.M)]
        # Results that differ without a race: float atomics in another order.
        reports += re.findall(r"note: (argument \d+ depends on the order .*)$", done.stderr, re.M)
        if done.returncode and not reports:
            raise HarnessError(f"memspace-runner objects, but does not say to what: {done.stderr.strip()[:2000]}")
        for i, argument in enumerate(signature.arguments):
            if argument.shape is not None:
                outputs[i] = np.load(path(f"{i}.out.npy"))
        return Result(outputs, reports, int(verbose.group(1)), int(verbose.group(2)), done.stdout.split("\n")[-2])


def mutate(text, arguments, grid=None, chip="", uninitialized=()):
    """What memspace-mutate says about a kernel: its lines, the summary last."""
    # One integer is a flag: both branches must be taken for a mistake in either to show.
    flags = [f"--also-arg={i}:fill:{value}" for i, a in enumerate(arguments)
             if np.asarray(a).size == 1 and np.asarray(a).dtype.kind in "bi" and i not in uninitialized
             for value in (0, 1)]
    with tempfile.TemporaryDirectory(prefix="memspace-mutate-") as folder:
        done, _ = emulate("memspace-mutate", folder, text, arguments, grid, chip, flags, uninitialized)
        if done.returncode not in (0, 1):
            raise HarnessError(f"memspace-mutate failed ({done.returncode}): {done.stderr.strip()[:2000]}")
        return done.stdout.strip().split("\n")


# Stock MLIR, without any of MemSpace; loops in the order of the iterations.
SEQUENTIAL = ("-eliminate-empty-tensors -empty-tensor-to-alloc-tensor "
              "-one-shot-bufferize=allow-return-allocs-from-loops -canonicalize -cse -canonicalize "
              "-convert-bufferization-to-memref -scf-forall-to-for").split()


def run_sequentially(text, arguments):
    """Outputs of a tensor kernel bufferized by stock MLIR and run by one thread."""
    if "memspace." in re.sub(r"//.*", "", text):
        # The same passes, and our lowering of our own ops to the loops of one thread.
        command = [memspace_opt(), "-", *SEQUENTIAL, "-memspace-linalg-to-loops"]
    else:
        command = [llvm_tool("mlir-opt"), "-", *SEQUENTIAL]
    lowered = tool(command, text)
    block = "gpu.known_block_size = array<i32: 1, 1, 1>"
    grid = "gpu.known_grid_size = array<i32: 1, 1, 1>"
    lowered = re.sub(r"gpu\.known_block_size = array<i32: [^>]*>", block, lowered)
    lowered = re.sub(r"gpu\.known_grid_size = array<i32: [^>]*>", grid, lowered)
    result = run(lowered, arguments, options=("--allow-heap", "--orders=1"))
    if result.reports:
        raise HarnessError(f"sequentially: {result.reports[0]}")
    return result.outputs


# ===- Comparison --------------------------------------------------------=== #

def mismatch(got, expected, tolerance=1e-5):
    """None, or how the arrays differ."""
    got, expected = np.asarray(got), np.asarray(expected)
    if got.shape != expected.shape:
        return f"shape {got.shape} instead of {expected.shape}"
    if got.dtype.kind == "f":
        a, b = got.astype(np.float64), expected.astype(np.float64)
        with np.errstate(invalid="ignore"):
            wrong = ~((a == b) | (np.abs(a - b) <= tolerance * (1 + np.abs(b))) | (np.isnan(a) & np.isnan(b)))
    else:
        wrong = got != expected
    if not wrong.any():
        return None
    first = tuple(int(i) for i in np.argwhere(wrong)[0]) if wrong.ndim else ()
    return f"{int(wrong.sum())} of {wrong.size} differ, first at {first}: {got[first]} instead of {expected[first]}"


class Expected:
    """What an argument must hold after the kernel; `decode` makes numbers of bits."""

    def __init__(self, value, tolerance=1e-5, decode=None):
        self.value, self.tolerance, self.decode = np.asarray(value), tolerance, decode

    def mismatch(self, got):
        if self.decode:
            return mismatch(self.decode(got), self.decode(self.value), self.tolerance)
        return mismatch(got, self.value, self.tolerance)
