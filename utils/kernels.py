# Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the scripts of this folder know about kernels: tools, signatures, comparison.

Tools: $MEMSPACE_OPT, else build/tools/memspace-opt; $LLVM_TOOLS_DIR, else
/usr/lib/llvm-22/bin.
"""
import os
import re
import shutil
import subprocess

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)


class HarnessError(Exception):
    """The kernel cannot be run here; says why."""


# ===- Tools -------------------------------------------------------------=== #

def llvm_tool(name):
    folder = os.environ.get("LLVM_TOOLS_DIR", "/usr/lib/llvm-22/bin")
    path = os.path.join(folder, name)
    return path if os.path.exists(path) else (shutil.which(name) or path)


def memspace_opt():
    path = os.environ.get("MEMSPACE_OPT") or os.path.join(
        os.environ.get("MEMSPACE_BUILD_DIR", os.path.join(ROOT, "build")),
        "tools", "memspace-opt", "memspace-opt")
    return path if os.path.exists(path) else (shutil.which("memspace-opt") or path)


def tool(command, text=None):
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode:
        raise HarnessError(f"{os.path.basename(command[0])} failed: {done.stderr.strip()[:2000]}")
    return done.stdout


def subgroup_size(chip):
    """Threads of a subgroup: 64 on gfx9, 32 on RDNA and NVIDIA."""
    return 64 if chip and chip.startswith("gfx9") else 32


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


# ===- Comparison --------------------------------------------------------=== #

def mismatch(got, expected, tolerance=1e-5):
    """None, or how the arrays differ."""
    got, expected = np.asarray(got), np.asarray(expected)
    if got.shape != expected.shape:
        return f"shape {got.shape} instead of {expected.shape}"
    if got.dtype.kind == "f":
        a, b = got.astype(np.float64), expected.astype(np.float64)
        wrong = ~((np.abs(a - b) <= tolerance * (1 + np.abs(b))) | (np.isnan(a) & np.isnan(b)))
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
