#!/usr/bin/env python3
# Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a bufferized SPMD kernel on the CPU, with every GPU thread a fiber.

As a command (exit status 1 when something is wrong):

    run_kernel.py K.mlir --expect 'a1 = a0[::-1]'     # every order, random inputs
    run_kernel.py K.mlir --order shuffle:7 --grid 4 --chip gfx942 --dim 300
    memspace-opt K.mlir --memspace-kernel-pipeline=chip=sm_90 | run_kernel.py -

As a library:

    kernel = Kernel(text_or_path, subgroup=64)        # compiled once
    outputs, races, messages = kernel.run([x, out], grid=(4,), order="reverse")

What it takes: the `func.func` kernel that memspace-opt prints after its
pipeline, or one written by hand. Arguments are memrefs (numpy arrays, also for
dynamic extents and layouts; bf16 as uint16) and scalars; gpu ids and sizes,
`gpu.barrier`, `memspace.subgroup_barrier`, static `memref.alloc`s in workgroup
space, `memref.alloca`s, constant globals, and everything of linalg, scf,
affine, vector, math and arith that upstream lowers to LLVM.

How: ids and barriers become calls into kernel_runtime.c, each on its own line,
so that line numbers stay; workgroup allocations become one global each (the
workgroups run one after another); memory spaces are erased; upstream lowers to
LLVM IR, in whose text each load and store is preceded by a call that tells the
runtime address, size, direction and line. Threads switch at barriers only, in
the order `forward`, `reverse` or `shuffle:SEED`.

What is reported:
  races     two accesses of different threads to one byte of workgroup or
            global memory, one a write, not both atomic, with no barrier between
            (across workgroups: ever)
  messages  "error: …": divergent barriers, accesses out of bounds, writes to
            constants, crashes, time-outs; "note: …": reads of workgroup memory
            that nobody wrote. Unwritten workgroup and private memory is 0xFF
            bytes (a NaN), so that a use of it shows in the results.

Tools: $MEMSPACE_OPT, else build/tools/memspace-opt; $LLVM_TOOLS_DIR, else
/usr/lib/llvm-22/bin; a C compiler.
"""
import argparse
import ctypes
import hashlib
import mmap
import os
import pickle
import re
import shutil
import signal
import subprocess
import sys
import tempfile

import numpy as np

from kernels import (HERE, HarnessError, Signature, llvm_tool, memspace_opt, mismatch, split, subgroup_size, tool)

ORDERS = ("forward", "reverse", "shuffle:1")


def c_compiler():
    for name in ("gcc", "clang", "cc"):
        if shutil.which(name):
            return name
    raise HarnessError("no C compiler found")


# ===- SPMD text to LLVM IR ----------------------------------------------=== #

IDS = {"thread_id": 0, "block_id": 3, "block_dim": 6, "grid_dim": 9, "global_id": 12,
       "lane_id": 15, "subgroup_id": 16, "subgroup_size": 17, "num_subgroups": 18}
ID = re.compile(r"^\s*(%[\w$.-]+) = gpu\.(" + "|".join(IDS) + r")\b\s*([xyz]\b)?")
BARRIER = re.compile(r"^\s*(gpu\.barrier|memspace\.subgroup_barrier)\b")
ALLOC = re.compile(r"^\s*(%[\w$.-]+) = memref\.alloc\((.*?)\)(?: (\{.*\}))? : (memref<.*>)\s*$")
SPACE = re.compile(r",\s*#gpu\.address_space<\w+>")
NUMBERED_SPACE = re.compile(r"(memref<[^<>]*(?:(?:strided|affine_map)<[^>]*(?:->[^>]*)?>)?), [135](?: : i(?:32|64))?>")
WORKGROUP = re.compile(r"#gpu\.address_space<workgroup>|memref<.*, 3(?: : i(?:32|64))?>")
COPY = re.compile(r"^(\s*)memref\.copy (%[^ ,]+), (%[^ ]+)(?: \{.*\})? : (memref<.*>) to (memref<.*>)\s*$")

LOWER = ("-linalg-generalize-named-ops -convert-linalg-to-loops -scf-forall-to-for -convert-vector-to-scf "
         "-expand-strided-metadata -lower-affine -convert-scf-to-cf -canonicalize -arith-expand "
         "-convert-math-to-llvm -convert-math-to-libm -convert-vector-to-llvm -convert-index-to-llvm "
         "-convert-arith-to-llvm -finalize-memref-to-llvm -convert-func-to-llvm -convert-cf-to-llvm "
         "-canonicalize -cse -reconcile-unrealized-casts").split()
DEBUG = ["-ensure-debug-info-scope-on-llvm-func=emission-kind=LineTablesOnly", "-mlir-print-debuginfo"]


def rewrite(text):
    """Ids, barriers and allocations become calls and globals, line by line."""
    out, globals_ = [], []
    for number, line in enumerate(text.split("\n"), 1):
        if ID.match(line):
            result, what, dim = ID.match(line).groups()
            code = IDS[what] + ("xyz".index(dim) if dim else 0)
            line = (f"%ms_c{number} = arith.constant {code} : i32 "
                    f"{result} = func.call @ms_id(%ms_c{number}) : (i32) -> index")
        elif BARRIER.match(line):
            callee = "ms_barrier" if "gpu.barrier" in BARRIER.match(line).group(1) else "ms_subgroup_barrier"
            line = (f"%ms_c{number} = arith.constant {number} : i32 "
                    f"func.call @{callee}(%ms_c{number}) : (i32) -> ()")
        elif "memref.alloc(" in line:
            match = ALLOC.match(line)
            if not match:
                raise HarnessError(f"line {number} is not understood: {line.strip()}")
            result, sizes, attributes, kind = match.groups()
            if not WORKGROUP.search(kind):
                raise HarnessError(f"the kernel allocates dynamically in global memory: {line.strip()}")
            if sizes or "?" in kind:
                raise HarnessError(f"workgroup allocation with dynamic extents: {line.strip()}")
            kind = NUMBERED_SPACE.sub(r"\1>", SPACE.sub("", kind))
            alignment = re.search(r"\balignment = (\d+)", attributes or "")
            name = f"ms_wg_{len(globals_)}"
            globals_.append(f"memref.global @{name} : {kind} = uninitialized"
                            + (f" {{alignment = {alignment.group(1)} : i64}}" if alignment else ""))
            line = f"{result} = memref.get_global @{name} : {kind}"
        elif re.match(r"\s*memref\.dealloc\b", line) and WORKGROUP.search(line):
            line = ""
        elif "scf.forall" in line or "mapping = [#gpu." in line:
            if "mapping = [#gpu." in line:
                raise HarnessError(f"a mapped forall is left (line {number})")
        elif COPY.match(line):
            line = COPY.sub(r"\1linalg.copy ins(\2 : \4) outs(\3 : \5)", line)
        line = line.replace("memref.memory_space_cast", "memref.cast")
        line = NUMBERED_SPACE.sub(r"\1>", SPACE.sub("", line))
        left = re.match(r"\s*(?:%[^=]*= )?(gpu\.(?!module)\w+|nvgpu\.\w+|amdgpu\.\w+)\b", line)
        if left:
            raise HarnessError(f"'{left.group(1)}' is not emulated (line {number})")
        out.append(line)
    declared = " ".join(
        ["func.func private @ms_id(i32) -> index", "func.func private @ms_barrier(i32)",
         "func.func private @ms_subgroup_barrier(i32)"] + globals_)
    for i, line in enumerate(out):
        if re.match(r"^(builtin\.)?module\b.*\{\s*$", line):
            out[i] = line + " " + declared
            return "\n".join(out)
    return "\n".join(out + [declared])


def parse_type(text):
    """Splits "TYPE rest" of LLVM IR text."""
    text = text.strip()
    depth = 0
    for i, c in enumerate(text):
        if c in "<[{(":
            depth += 1
        elif c in ">]})":
            depth -= 1
        elif c == " " and depth == 0:
            return text[:i], text[i + 1:].strip()
    return text, ""


def size_of(kind):
    """Bytes that a load or store of an LLVM type touches."""
    kind = kind.strip()
    simple = {"float": 4, "double": 8, "half": 2, "bfloat": 2, "ptr": 8}
    if kind in simple:
        return simple[kind]
    match = re.fullmatch(r"i(\d+)", kind)
    if match:
        return (int(match.group(1)) + 7) // 8
    match = re.fullmatch(r"([<\[])(\d+) x (.*)[>\]]", kind)
    if match:
        count, element = int(match.group(2)), match.group(3)
        bits = re.fullmatch(r"i(\d+)", element)
        if match.group(1) == "<" and bits:
            return (count * int(bits.group(1)) + 7) // 8
        return count * size_of(element)
    if kind.startswith("{"):
        return sum(size_of(k) for k in split(kind.strip("{} ")))
    raise HarnessError(f"size of the LLVM type '{kind}' is not known")


class Instrumenter:
    """Precedes each access in LLVM IR text by a report to the runtime."""

    OPERAND = r"ptr (.+?)(?:, align (\d+))?(?:, !.*)?$"
    LOAD = re.compile(r"^\s+%[\w.]+ = load (?:volatile |atomic )?(.+?), " + OPERAND)
    STORE = re.compile(r"^\s+store (?:volatile |atomic )?(.+?), " + OPERAND)
    RMW = re.compile(r"^\s+%[\w.]+ = atomicrmw (?:volatile )?\w+ ptr (\S+), (\S+) ")
    CMPXCHG = re.compile(r"^\s+%[\w.]+ = cmpxchg (?:weak )?(?:volatile )?ptr (\S+), (\S+) ")
    INTRINSIC = re.compile(r"^\s+(?:%[\w.]+ = )?(?:tail )?call .*?@(llvm\.(?:memcpy|memmove|memset|masked)[\w.]*)\((.*)\)")
    ALLOCA = re.compile(r"^\s+(%[\w.]+) = alloca (.+?)(?:, i64 (\S+?))?(?:, align (\d+))?$")
    GLOBAL = re.compile(r"^@([\w.$-]+) = (?!external)(?:[\w()]+ )*?(global|constant) (.*)$")

    def __init__(self, ll):
        self.granule = 16
        self.temporaries = 0
        self.lines = {int(n): int(line) for n, line in
                      re.findall(r"^!(\d+) = !DILocation\(line: (\d+)", ll, re.M)}
        self.table = []
        self.text = self._run(ll)

    def _operand(self, text):
        """The pointer or value at the end of a call argument, without attributes."""
        kind, rest = parse_type(text)
        while re.match(r"(align \d+|noundef|nonnull|nocapture|readonly|writeonly|captures\(\w+\)|noalias)\b", rest):
            rest = re.sub(r"^(align \d+|[\w()]+)\s+", "", rest)
        return kind, rest

    def _note(self, size, alignment):
        for n in (size, alignment):
            while n and self.granule > 1 and n % self.granule:
                self.granule //= 2

    def _access(self, pointer, size, line, write, atomic=False):
        code = line << 2 | (1 if write else 0) | (2 if atomic else 0)
        return f"  call void @ms_access(ptr {pointer}, i64 {size}, i32 {code})"

    def _intrinsic(self, name, arguments, line):
        args = [self._operand(a) for a in split(arguments)]
        aligns = [int(m) for m in re.findall(r"align (\d+)", arguments)] or [1]
        if name.startswith(("llvm.memcpy", "llvm.memmove", "llvm.memset")):
            size = args[2][1]
            self._note(int(size) if size.isdigit() else min(aligns), min(aligns))
            out = []
            if not name.startswith("llvm.memset"):
                out.append(self._access(args[1][1], size, line, False))
            return out + [self._access(args[0][1], size, line, True)]
        if name.startswith(("llvm.masked.load", "llvm.masked.store")):
            store = name.startswith("llvm.masked.store")
            kind = args[0][0] if store else next(a[0] for a in reversed(args))
            pointer = args[1][1] if store else args[0][1]
            mask_kind, mask = next(a for a in args if re.fullmatch(r"<\d+ x i1>", a[0]))
            lanes = int(mask_kind[1:].split()[0])
            element = size_of(re.fullmatch(r"<\d+ x (.*)>", kind).group(1))
            self._note(element, min(aligns) if "align" in arguments else element)
            if lanes > 64:
                raise HarnessError("masked access of more than 64 elements")
            n = self.temporaries = self.temporaries + 1
            widen = (f"  %ms_w{n} = zext i{lanes} %ms_m{n} to i64" if lanes < 64 else
                     f"  %ms_w{n} = add i64 %ms_m{n}, 0")
            return [f"  %ms_m{n} = bitcast {mask_kind} {mask} to i{lanes}", widen,
                    f"  call void @ms_masked(ptr {pointer}, i64 {element}, i64 %ms_w{n}, i32 {line << 2 | store})"]
        raise HarnessError(f"'{name}' is not instrumented")

    def _global(self, name, kind_word, rest):
        kind, _ = parse_type(rest)
        workgroup = re.fullmatch(r"ms_wg_(\d+)", name)
        space = 1 if workgroup else 2 if kind_word == "constant" else 0
        index = int(workgroup.group(1)) if workgroup else 1000 + len(self.table)
        self.table.append(f"{{ ptr, i64, i32, i32 }} {{ ptr @{name}, i64 {size_of(kind)}, i32 {space}, i32 {index} }}")

    def _run(self, ll):
        out, inside = [], False
        for line in ll.split("\n"):
            where = re.search(r",? !dbg !(\d+)", line)
            number = self.lines.get(int(where.group(1)), 0) if where else 0
            if where and not line.startswith("!"):
                line = line[:where.start()] + line[where.end():]
            if line.startswith("define"):
                inside = "@_mlir_ciface_" not in line
            elif line.startswith("}"):
                inside = False
            elif line.startswith("@"):
                match = self.GLOBAL.match(line)
                if match:
                    self._global(*match.groups())
            elif inside:
                if "@malloc(" in line or "@aligned_alloc(" in line:
                    raise HarnessError("the kernel calls malloc")
                if "@memrefCopy" in line:
                    raise HarnessError("the kernel calls memrefCopy")
                for before in self._before(line, number):
                    out.append(before)
                out.append(line)
                match = self.ALLOCA.match(line)
                if match:
                    count = match.group(3) or "1"
                    if not count.isdigit():
                        raise HarnessError("the kernel has a dynamic alloca")
                    out.append(f"  call void @ms_poison(ptr {match.group(1)}, i64 {int(count) * size_of(match.group(2))})")
                continue
            out.append(line)
        return "\n".join(out)

    def _before(self, line, number):
        match = self.LOAD.match(line)
        if match:
            size = size_of(match.group(1))
            self._note(size, int(match.group(3) or size))
            return [self._access(match.group(2), size, number, False, "load atomic" in line)]
        match = self.STORE.match(line)
        if match:
            size = size_of(parse_type(match.group(1))[0])
            self._note(size, int(match.group(3) or size))
            return [self._access(match.group(2), size, number, True, "store atomic" in line)]
        match = self.RMW.match(line) or self.CMPXCHG.match(line)
        if match:
            size = size_of(match.group(2))
            self._note(size, size)
            return [self._access(match.group(1), size, number, True, True)]
        match = self.INTRINSIC.match(line)
        return self._intrinsic(*match.groups(), number) if match else []

    def finish(self, name):
        """Adds the table of globals and the entry with one pointer per argument."""
        define = re.search(r"^define void @_mlir_ciface_" + re.escape(name) + r"\((.*?)\)", self.text, re.M)
        if not define:
            raise HarnessError(f"kernel @{name} must be a public function without results")
        body, actual = [], []
        for i, parameter in enumerate(split(define.group(1))):
            kind = parse_type(parameter)[0]
            body += [f"  %s{i} = getelementptr ptr, ptr %args, i64 {i}", f"  %p{i} = load ptr, ptr %s{i}"]
            if kind != "ptr":
                body.append(f"  %v{i} = load {kind}, ptr %p{i}")
            actual.append(f"{kind} %{'p' if kind == 'ptr' else 'v'}{i}")
        entries = self.table or ["{ ptr, i64, i32, i32 } zeroinitializer"]
        return "\n".join(
            [self.text, "declare void @ms_access(ptr, i64, i32)", "declare void @ms_masked(ptr, i64, i64, i32)",
             "declare void @ms_poison(ptr, i64)",
             f"@ms_table = global [{len(entries)} x {{ ptr, i64, i32, i32 }}] [" + ", ".join(entries) + "]",
             f"@ms_table_size = global i64 {len(self.table)}", "define void @ms_entry(ptr %args) {"] + body +
            [f"  call void @_mlir_ciface_{name}({', '.join(actual)})", "  ret void", "}", ""])


def runtime_object(folder):
    """kernel_runtime.c compiled, once per version of the file where a build folder keeps it."""
    source = os.path.join(HERE, "kernel_runtime.c")
    digest = hashlib.sha1(open(source, "rb").read()).hexdigest()[:12]
    cache = os.path.join(os.path.dirname(memspace_opt()), "harness")
    if not os.access(os.path.dirname(cache), os.W_OK):
        cache = folder
    kept = os.path.join(cache, f"kernel_runtime-{digest}.o")
    if not os.path.exists(kept):
        os.makedirs(cache, exist_ok=True)
        fresh = os.path.join(folder, "kernel_runtime.o")
        tool([c_compiler(), "-O2", "-fPIC", "-c", source, "-o", fresh])
        partial = kept + f".{os.getpid()}"
        shutil.copyfile(fresh, partial)
        os.replace(partial, kept)
    return kept


def link(ll, name, folder):
    """LLVM IR text to a shared object with the runtime in it."""
    path = os.path.join(folder, name)
    with open(path + ".ll", "w") as f:
        f.write(ll)
    tool([llvm_tool("opt"), "-O1", path + ".ll", "-o", path + ".bc"])
    flags = []
    if "half" in ll and "f16c" in open("/proc/cpuinfo").read():
        flags = ["-mattr=+f16c"]
    tool([llvm_tool("llc"), "-O1", "-relocation-model=pic", "-filetype=obj", *flags, path + ".bc", "-o", path + ".o"])
    libraries = ["-lm"]
    lib = os.path.join(os.path.dirname(os.path.dirname(llvm_tool("llc"))), "lib")
    for library, pattern in (("mlir_float16_utils", r"\b(half|bfloat)\b"), ("mlir_c_runner_utils", "@memrefCopy")):
        if re.search(pattern, ll) and os.path.exists(os.path.join(lib, f"lib{library}.so")):
            libraries += ["-L" + lib, "-l" + library, "-Wl,-rpath," + lib]
    # A kernel may be called `random`: its own symbols go first.
    tool([c_compiler(), "-shared", "-Wl,-Bsymbolic", path + ".o", runtime_object(folder), "-o", path + ".so", *libraries])
    return path + ".so"


# ===- Running -----------------------------------------------------------=== #

class Race(ctypes.Structure):
    _fields_ = [(n, ctypes.c_int32) for n in ("type", "kind", "index", "across")] + [
        (n, ctypes.c_uint32) for n in ("before", "after", "thread_before", "block_before", "thread_after",
                                       "block_after")] + [("offset", ctypes.c_uint64), ("count", ctypes.c_uint64)]


class Event(ctypes.Structure):
    _fields_ = [(n, ctypes.c_int32) for n in ("type", "kind", "index", "unused")] + [
        (n, ctypes.c_uint32) for n in ("site", "thread", "block", "other_site", "other_thread", "other_state")
    ] + [("offset", ctypes.c_uint64), ("count", ctypes.c_uint64)]


class TableEntry(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("size", ctypes.c_int64), ("kind", ctypes.c_int32),
                ("index", ctypes.c_int32)]


def descriptor(array):
    rank = array.ndim

    class MemRef(ctypes.Structure):
        _fields_ = [("allocated", ctypes.c_void_p), ("aligned", ctypes.c_void_p), ("offset", ctypes.c_int64)] + (
            [("sizes", ctypes.c_int64 * rank), ("strides", ctypes.c_int64 * rank)] if rank else [])

    result = MemRef()
    result.allocated = result.aligned = array.ctypes.data
    for d in range(rank):
        result.sizes[d], result.strides[d] = array.shape[d], array.strides[d] // array.itemsize
    return result


def shape3(shape):
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    return tuple(int(d) for d in shape) + (1,) * (3 - len(shape))


class Result:
    """`outputs, races, messages = result`; barriers are executed ones per workgroup."""

    def __init__(self, outputs, races, messages, barriers=0, subgroup_barriers=0):
        self.outputs, self.races, self.messages = outputs, races, messages
        self.barriers, self.subgroup_barriers = barriers, subgroup_barriers

    def __iter__(self):
        return iter((self.outputs, self.races, self.messages))

    @property
    def errors(self):
        return [m for m in self.messages if m.startswith("error")]

    @property
    def ok(self):
        return not self.races and not self.errors


class Kernel:
    """A compiled kernel; `run` may be called any number of times."""

    def __init__(self, path_or_text, name=None, subgroup=32, instrument=True):
        self.text = path_or_text if "\n" in path_or_text else open(path_or_text).read()
        if re.search(r'"(gpu|memref|memspace)\.\w+"\(', self.text):
            self.text = tool([memspace_opt(), "-"], self.text)
        self.signature = Signature(self.text, name)
        self.subgroup = subgroup
        self._folder = tempfile.TemporaryDirectory(prefix="memspace-run-")
        lowered = tool([memspace_opt(), "-", "-llvm-request-c-wrappers", *LOWER, *DEBUG], rewrite(self.text))
        self._compile(tool([llvm_tool("mlir-translate"), "--mlir-to-llvmir", "--allow-unregistered-dialect"], lowered))

    def _compile(self, ll):
        instrumenter = Instrumenter(ll)
        self.granule = instrumenter.granule
        self.library = link(instrumenter.finish(self.signature.name), "kernel", self._folder.name)

    def line(self, number):
        lines = self.text.split("\n")
        return f"line {number}: {lines[number - 1].strip()[:110]}" if 0 < number <= len(lines) else "an unknown place"

    def run(self, args, grid=None, block=None, order="forward", timeout=60):
        block = shape3(block or self.signature.block or 1)
        grid = shape3(grid or self.signature.grid or 1)
        wanted = self.signature.arguments
        if len(args) != len(wanted):
            raise HarnessError(f"@{self.signature.name} has {len(wanted)} arguments, got {len(args)}")
        buffers, shared = [], []
        for argument, value in zip(wanted, args):
            value = np.ascontiguousarray(argument.check(value))
            # Shared with the child that runs the kernel and may crash.
            memory = mmap.mmap(-1, max(value.nbytes, 1) + 64)
            copy = np.frombuffer(memory, value.dtype, value.size).reshape(value.shape)
            copy[...] = value
            buffers.append(copy)
            shared.append(memory)
        reader, writer = os.pipe()
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            status = 1
            try:
                os.close(reader)
                signal.signal(signal.SIGALRM, signal.SIG_DFL)
                signal.alarm(timeout)
                with os.fdopen(writer, "wb") as pipe:
                    pickle.dump(self._run_here(buffers, grid, block, order), pipe)
                status = 0
            finally:
                os._exit(status)
        os.close(writer)
        with os.fdopen(reader, "rb") as pipe:
            answer = pipe.read()
        _, status = os.waitpid(child, 0)
        outputs = [np.array(b) for b in buffers]
        if os.WIFSIGNALED(status) or not answer:
            what = "timed out" if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM else (
                f"crashed (signal {os.WTERMSIG(status)})" if os.WIFSIGNALED(status) else "failed")
            return Result(outputs, [], [f"error: the kernel {what}"])
        races, events, barriers, subgroup_barriers = pickle.loads(answer)
        groups = grid[0] * grid[1] * grid[2]
        return Result(outputs, [self._race(r) for r in races], [self._event(e) for e in events],
                      barriers // groups, subgroup_barriers // groups)

    def _run_here(self, buffers, grid, block, order):
        library = ctypes.CDLL(self.library)
        library.ms_granule(self.granule.bit_length() - 1)
        library.ms_region.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_int32, ctypes.c_int32]
        kept, pointers = [], []
        for i, (argument, buffer) in enumerate(zip(self.signature.arguments, buffers)):
            if argument.shape is None:
                pointers.append(buffer.ctypes.data)
                continue
            library.ms_region(buffer.ctypes.data, buffer.nbytes, 0, i)
            kept.append(descriptor(buffer))
            pointers.append(ctypes.addressof(kept[-1]))
        count = ctypes.c_int64.in_dll(library, "ms_table_size").value
        for entry in (TableEntry * count).in_dll(library, "ms_table"):
            library.ms_region(entry.base, entry.size, entry.kind, entry.index)
        kind, _, seed = order.partition(":")
        if kind not in ("forward", "reverse", "shuffle"):
            raise HarnessError(f"unknown order '{order}'")
        arguments = (ctypes.c_void_p * max(len(pointers), 1))(*pointers)
        library.ms_run.argtypes = [ctypes.c_void_p] * 4 + [ctypes.c_uint32, ctypes.c_int32, ctypes.c_uint64]
        library.ms_run(ctypes.cast(library.ms_entry, ctypes.c_void_p), arguments,
                       (ctypes.c_uint32 * 3)(*grid), (ctypes.c_uint32 * 3)(*block), self.subgroup,
                       ("forward", "reverse", "shuffle").index(kind), int(seed or 1))

        def records(function, kind):
            pointer = ctypes.POINTER(kind)()
            n = function(ctypes.byref(pointer))
            return [{f[0]: getattr(pointer[i], f[0]) for f in kind._fields_} for i in range(n)]

        library.ms_barriers.restype = ctypes.c_uint64
        return (records(library.ms_races, Race), records(library.ms_events, Event),
                library.ms_barriers(0), library.ms_barriers(1))

    def _place(self, kind, index, offset):
        if kind == 0 and index < len(self.signature.arguments):
            return f"byte {offset} of {self.signature.arguments[index].name}"
        return f"byte {offset} of " + {0: "a global", 1: f"workgroup allocation {index}", 2: "a constant"}.get(
            kind, "unknown memory")

    def _race(self, r):
        def who(thread, block, access):
            return f"{'block' if r['across'] else 'thread'} {block if r['across'] else thread} " + (
                "writes" if access & 1 else "reads") + (" atomically" if access & 2 else "") + f" ({self.line(access >> 2)})"

        return (f"{('RAW', 'WAR', 'WAW')[r['type']]} race{' across workgroups' if r['across'] else ''} on "
                f"{self._place(r['kind'], r['index'], r['offset'])}: "
                f"{who(r['thread_before'], r['block_before'], r['before'])}, then "
                f"{who(r['thread_after'], r['block_after'], r['after'])}; {r['count']} times")

    def _event(self, e):
        where = f"thread {e['thread']} of block {e['block']}, {self.line(e['site'])}"
        if e["type"] in (1, 5):
            other = {0: "runs", 1: "has finished"}.get(e["other_state"], f"waits at {self.line(e['other_site'])}")
            return (f"error: divergent {'barrier' if e['type'] == 1 else 'subgroup barrier'}: {where} waits, "
                    f"but thread {e['other_thread']} {other}")
        if e["type"] == 2:
            near = f" near {self._place(e['kind'], e['index'], ctypes.c_int64(e['offset']).value)}" if e["kind"] >= 0 else ""
            return f"error: access out of bounds{near}: {where}"
        if e["type"] == 3:
            return (f"note: read of uninitialized {self._place(e['kind'], e['index'], e['offset'])}: {where}; "
                    f"{e['count']} times")
        return f"error: write to a constant: {where}"


def run(path_or_text, args, grid=None, block=None, order="forward", subgroup=32, name=None):
    """(outputs, races, messages) of one run; outputs are all arguments afterwards."""
    return Kernel(path_or_text, name, subgroup).run(args, grid, block, order)


# ===- Upstream's sequential meaning, for comparison ----------------------=== #

SEQUENTIAL = ("-eliminate-empty-tensors -empty-tensor-to-alloc-tensor "
              "-one-shot-bufferize=allow-return-allocs-from-loops -canonicalize -cse -canonicalize "
              "-llvm-request-c-wrappers -buffer-deallocation-pipeline -convert-bufferization-to-memref").split()


def run_sequentially(text, args, name=None):
    """Outputs of a tensor kernel bufferized by stock MLIR and run by one thread."""
    signature = Signature(text, name)
    lowered = tool([llvm_tool("mlir-opt"), "-", *SEQUENTIAL, *LOWER], text)
    ll = tool([llvm_tool("mlir-translate"), "--mlir-to-llvmir"], lowered)
    with tempfile.TemporaryDirectory(prefix="memspace-seq-") as folder:
        # malloc is legal here: only the entry is taken from the instrumenter.
        plain = Instrumenter.__new__(Instrumenter)
        plain.text, plain.table = ll, []
        library = ctypes.CDLL(link(plain.finish(signature.name), "sequential", folder))
        buffers = [np.array(a.check(v), order="C") for a, v in zip(signature.arguments, args)]
        kept = [descriptor(b) if a.shape is not None else b for a, b in zip(signature.arguments, buffers)]
        pointers = [ctypes.addressof(k) if not isinstance(k, np.ndarray) else k.ctypes.data for k in kept]
        library.ms_entry((ctypes.c_void_p * max(len(pointers), 1))(*pointers))
    return buffers


# ===- Command line ------------------------------------------------------=== #

def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file", help="SPMD kernel, or - for standard input")
    parser.add_argument("--func", help="kernel (default: the first with a block size)")
    parser.add_argument("--grid", default="", help="x[,y[,z]]; default: gpu.known_grid_size or 1")
    parser.add_argument("--block", default="", help="default: gpu.known_block_size")
    parser.add_argument("--chip", default="", help="sets the subgroup size (64 on gfx9, else 32)")
    parser.add_argument("--subgroup", type=int, help="subgroup size")
    parser.add_argument("--order", default="all", help="forward, reverse, shuffle:SEED or all")
    parser.add_argument("--dim", type=int, default=64, help="value of dynamic extents")
    parser.add_argument("--set", action="append", default=[], metavar="aN=EXPR",
                        help="value of an argument (numpy as np, earlier ones as a0, a1, …)")
    parser.add_argument("--expect", action="append", default=[], metavar="aN=EXPR",
                        help="what argument N must hold afterwards, from the values before")
    parser.add_argument("--tolerance", type=float, default=1e-5)
    options = parser.parse_args()

    dims = lambda text: tuple(int(d) for d in text.split(",")) if text else None
    try:
        text = (sys.stdin if options.file == "-" else open(options.file)).read()
        kernel = Kernel(text + "\n", options.func, options.subgroup or subgroup_size(options.chip))
        rng, values = np.random.default_rng(1), {"np": np}
        given = dict(re.match(r"\s*(a\d+)\s*=(.*)", s, re.S).groups() for s in options.set)
        args = []
        for i, argument in enumerate(kernel.signature.arguments):
            value = argument.generate(rng, options.dim)
            if f"a{i}" in given:
                value = np.asarray(eval(given[f"a{i}"], values)).astype(argument.dtype)
            values[f"a{i}"] = value
            args.append(value)
        bad = False
        for order in ORDERS if options.order == "all" else [options.order]:
            result = kernel.run(args, dims(options.grid), dims(options.block), order)
            wrong = []
            for text in options.expect:
                target, expression = re.match(r"\s*a(\d+)\s*=(.*)", text, re.S).groups()
                difference = mismatch(result.outputs[int(target)], eval(expression, dict(values)), options.tolerance)
                if difference:
                    wrong.append(f"wrong: a{target}: {difference}")
            bad |= bool(wrong) or not result.ok
            print(f"{order}: {'ok' if result.ok and not wrong else 'FAILED'}, races {len(result.races)}, "
                  f"barriers {result.barriers}, subgroup barriers {result.subgroup_barriers}")
            for message in result.races + result.messages + wrong:
                print("  " + message)
        return 1 if bad else 0
    except HarnessError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
