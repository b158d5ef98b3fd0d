#!/usr/bin/env python3
# Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the PTX of kernels on an NVIDIA GPU and compares with the emulator.

    run_on_gpu.py [KERNEL.mlir | name prefix]...    # both steps, for the GPU here
    run_on_gpu.py --prepare DIR --chip sm_90 …      # compiles and emulates, into DIR
    run_on_gpu.py --run DIR... [--time N]           # on a machine with a GPU

Without names: the shared corpus, where there is one, and test/Kernels. A name
with `.mlir` is a file with the header of test/Kernels/run.py. --set takes others,
of which names choose:

    operators         the untiled functions of check_operators.py, with --frontend too
    raw               those of the shared corpus
    random:F:N        N random functions of check_operators.py --random, from seed F
    loops:F:N         the same with loops of the host (--loops)
    fuzz:F:N          N random tensor kernels of memspace-fuzz
    structured:F:N    the same with --structured
    spmd:F:N          the same with --spmd

--ptx 78 asks for an older PTX version, for an older driver.

--run needs this file, DIR, Python's standard library and the driver
(libcuda.so.1, or $MEMSPACE_LIBCUDA), no toolkit. What the host of untiled
functions launches is launched. Every argument of a kernel must hold, bit for bit
(any NaN is any NaN), what the emulator made of it, and within the tolerance what
the specification says (numpy, for untiled functions); the bytes behind it must
not change. A kernel whose math the emulator does not do as the chip does counts
as the specification says alone. --time N: microseconds of the launches, the mean of N times
after two more. The last line says how many were right; the exit status is 0 when
all were, and 0 after `skipped: no NVIDIA GPU …`.

A kernel that hangs, crashes or fails leaves a CUDA context of no use: kernels run
in a child process, and the next one in a new child.
"""
import argparse
import ast
import ctypes
import json
import os
import select
import signal
import struct
import sys
import tempfile
import traceback

CHIPS = (70, 75, 80, 86, 89, 90, 100, 120)
# Compared after the run; a GPU allocation is larger anyway.
GUARD = b"\xcd" * 64


# ===- Arrays without numpy ----------------------------------------------=== #

FORMATS = {"f16": "e", "f32": "f", "f64": "d", "bf16": "H", "i1": "B", "i8": "b", "i16": "h", "i32": "i",
           "i64": "q", "index": "q"}


def read_npy(path):
    """(bytes, shape) of a C-ordered array."""
    with open(path, "rb") as f:
        data = f.read()
    if data[:6] != b"\x93NUMPY":
        raise ValueError(f"{path} is no .npy file")
    length, start = (struct.unpack_from("<H", data, 8)[0], 10) if data[6] == 1 else (
        struct.unpack_from("<I", data, 8)[0], 12)
    header = ast.literal_eval(data[start:start + length].decode())
    if header["fortran_order"]:
        raise ValueError(f"{path} is in Fortran order")
    return data[start + length:], header["shape"]


def numbers(data, element):
    values = struct.unpack(f"<{len(data) // struct.calcsize(FORMATS[element])}{FORMATS[element]}", data)
    if element == "bf16":
        return struct.unpack(f"<{len(values)}f", struct.pack(f"<{len(values)}I", *(v << 16 for v in values)))
    return values


def difference(got, wanted, element, tolerance):
    """None, or how the bytes of two arrays differ as numbers."""
    if got == wanted:
        return None
    got, wanted = numbers(got, element), numbers(wanted, element)
    # Bits count at tolerance 0: -0.0 is not 0.0.
    same = lambda a, b: a == b and (tolerance or str(a) == str(b)) or (a != a and b != b) or (
        abs(a - b) <= tolerance * (1 + abs(b)) if tolerance else False)
    wrong = [i for i, (a, b) in enumerate(zip(got, wanted)) if not same(a, b)]
    return f"{len(wrong)} of {len(got)} differ, first element {wrong[0]}: {got[wrong[0]]} instead of {wanted[wrong[0]]}" \
        if wrong else None


# ===- The CUDA driver API -----------------------------------------------=== #

class CudaError(Exception):
    def __init__(self, call, code, text):
        super().__init__(f"{call}: {text}")
        self.call, self.code = call, code


class NoGpu(Exception):
    pass


class Driver:
    """The first GPU, with its primary context."""

    # CUDA_ERROR_STUB_LIBRARY, CUDA_ERROR_NO_DEVICE
    NONE = (34, 100)
    JIT_ERROR_LOG, JIT_ERROR_LOG_BYTES = 5, 6
    ATTRIBUTES = {"static": 1, "local": 3, "registers": 4}
    MAX_DYNAMIC_SHARED = 8

    def __init__(self):
        path = os.environ.get("MEMSPACE_LIBCUDA", "libcuda.so.1")
        try:
            self.library = ctypes.CDLL(path)
        except OSError as error:
            # Who names a library wants it to be used.
            if "MEMSPACE_LIBCUDA" in os.environ:
                raise CudaError("dlopen", 0, str(error)) from None
            raise NoGpu(f"{path} is not there") from None
        try:
            self.call("cuInit", 0)
        except CudaError as error:
            if error.code in self.NONE:
                raise NoGpu(str(error)) from None
            raise
        self.device, context = ctypes.c_int(), ctypes.c_void_p()
        self.call("cuDeviceGet", ctypes.byref(self.device), 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), self.device)
        self.call("cuCtxSetCurrent", context)

    def call(self, name, *arguments):
        code = getattr(self.library, name)(*arguments)
        if code:
            text = ctypes.c_char_p()
            self.library.cuGetErrorName(code, ctypes.byref(text))
            raise CudaError(name, code, (text.value or b"error").decode() + f" ({code})")

    def integer(self, name, *arguments):
        value = ctypes.c_int()
        self.call(name, ctypes.byref(value), *arguments)
        return value.value

    def describe(self):
        name = ctypes.create_string_buffer(256)
        self.call("cuDeviceGetName", name, len(name), self.device)
        major, minor = (self.integer("cuDeviceGetAttribute", a, self.device) for a in (75, 76))
        version = self.integer("cuDriverGetVersion")
        return {"name": name.value.decode(), "capability": 10 * major + minor,
                "cuda": f"{version // 1000}.{version % 1000 // 10}"}

    def load(self, ptx, name):
        log, module, function = ctypes.create_string_buffer(8192), ctypes.c_void_p(), ctypes.c_void_p()
        options = (ctypes.c_int * 2)(self.JIT_ERROR_LOG, self.JIT_ERROR_LOG_BYTES)
        values = (ctypes.c_void_p * 2)(ctypes.addressof(log), len(log))
        try:
            self.call("cuModuleLoadDataEx", ctypes.byref(module), ctypes.c_char_p(ptx), 2, options, values)
        except CudaError as error:
            raise CudaError(error.call, error.code, str(error).partition(": ")[2] + " " +
                            " ".join(log.value.decode(errors="replace").split())) from None
        self.call("cuModuleGetFunction", ctypes.byref(function), module, name.encode())
        return module, function

    def allocate(self, data):
        address = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(len(data)))
        self.call("cuMemcpyHtoD_v2", address, ctypes.c_char_p(data), ctypes.c_size_t(len(data)))
        return address

    def read(self, address, size):
        data = ctypes.create_string_buffer(size)
        self.call("cuMemcpyDtoH_v2", data, address, ctypes.c_size_t(size))
        return data.raw

    def launch(self, function, grid, block, dynamic, parameters):
        """`parameters`: ctypes objects of the widths that the PTX declares."""
        pointers = (ctypes.c_void_p * len(parameters))(*map(ctypes.addressof, parameters))
        self.call("cuLaunchKernel", function, *grid, *block, dynamic, None, pointers, None)

    def microseconds(self, work):
        """Of what `work` launches."""
        events = [ctypes.c_void_p(), ctypes.c_void_p()]
        for event in events:
            self.call("cuEventCreate", ctypes.byref(event), 0)
        self.call("cuEventRecord", events[0], None)
        work()
        self.call("cuEventRecord", events[1], None)
        self.call("cuEventSynchronize", events[1])
        elapsed = ctypes.c_float()
        self.call("cuEventElapsedTime", ctypes.byref(elapsed), *events)
        for event in events:
            self.call("cuEventDestroy_v2", event)
        return elapsed.value * 1000


def row_major_strides(shape):
    strides = [1]
    for size in reversed(shape[1:]):
        strides.insert(0, strides[0] * size)
    return strides[:len(shape)]


def prepare_launches(driver, folder, program, memories):
    """(the launches of a program, figures of its kernels), `memories` being addresses by number."""
    modules, launches, figures = {}, [], {}
    for launch in program["launches"]:
        key = launch["ptx"], launch["entry"]
        if key not in modules:
            with open(os.path.join(folder, launch["ptx"]), "rb") as f:
                modules[key] = driver.load(f.read(), launch["entry"])
            if launch["dynamic_bytes"]:
                driver.call("cuFuncSetAttribute", modules[key][1], driver.MAX_DYNAMIC_SHARED, launch["dynamic_bytes"])
            for name, code in driver.ATTRIBUTES.items():
                value = driver.integer("cuFuncGetAttribute", code, modules[key][1])
                figures[name] = max(figures.get(name, 0), value)
        parameters = []
        for operand in launch["operands"]:
            if "scalar" in operand:
                data = bytes.fromhex(operand["scalar"])
                parameters.append((ctypes.c_char * len(data))(*data))
                continue
            address, shape = memories[str(operand["memory"])], operand["shape"]
            # allocated pointer, aligned pointer, offset, sizes, strides
            parameters += [address, address] + [ctypes.c_int64(v) for v in (0, *shape, *row_major_strides(shape))]
        launches.append((modules[key][1], launch["grid"], launch["block"], launch["dynamic_bytes"], parameters))
    return launches, figures, [module for module, _ in modules.values()]


def run_one(driver, folder, program, repetitions):
    """(complaints, figures) of one kernel, or host's function, of the manifest."""
    memories, buffers, is_host = {}, [], "memories" in program
    for argument in program["arguments"]:
        if argument["is_scalar"]:
            continue
        size = argument["bytes"]
        data = read_npy(os.path.join(folder, argument["input"]))[0] if argument["input"] else b"\xcd" * size
        memories[str(argument["name"])] = address = driver.allocate(data + GUARD)
        buffers.append((argument, address, size))
    for number, size in program.get("memories", {}).items():
        if number not in memories:
            memories[number] = driver.allocate(b"\xcd" * size + GUARD)
            buffers.append((None, memories[number], size))
    launches, figures, modules = prepare_launches(driver, folder, program, memories)

    def work():
        for launch in launches:
            driver.launch(*launch)

    work()
    driver.call("cuCtxSynchronize")

    complaints = []
    for argument, address, size in buffers:
        got = driver.read(address, size + len(GUARD))
        got, guard = got[:size], got[size:]
        if guard != GUARD:
            whose = f"argument {argument['name']}" if argument else "a memory that the host allocates"
            complaints.append(f"{whose}: the kernel wrote behind it")
        if not argument:
            continue
        checks = []
        for key, whose, tolerance in (("emulator", "the emulator's", 0),
                                      ("expected", "the specification's", argument["tolerance"])):
            if argument[key]:
                wanted = read_npy(os.path.join(folder, argument[key]))[0]
                checks.append((whose, difference(got, wanted, argument["element"], tolerance)))
        complaints += [f"argument {argument['name']} is not {whose}: {text}" for whose, text in checks if text]
    if repetitions:
        for _ in range(2):
            work()
        figures["us"] = round(driver.microseconds(lambda: [work() for _ in range(repetitions)]) / repetitions, 2)
    for _, address, _ in buffers:
        driver.call("cuMemFree_v2", address)
    for module in modules:
        driver.call("cuModuleUnload", module)
    return complaints, figures


def describe(program):
    """Launch shape of a kernel, or the number of launches of a function of the host."""
    launches = program["launches"]
    if "memories" in program:
        return f"launches {len(launches)}"
    launch, = launches
    shape = " ".join(f"{what} {'x'.join(map(str, launch[what]))}" for what in ("grid", "block"))
    return f"{shape} dynamic {launch['dynamic_bytes']}"


# ===- Running a folder --------------------------------------------------=== #

def in_child(work, timeout):
    """Yields what work(emit) emits in a child process; {"error": …} when it dies."""
    reader, writer = os.pipe()
    sys.stdout.flush()
    child = os.fork()
    if not child:
        os.close(reader)
        try:
            with os.fdopen(writer, "w", buffering=1) as pipe:
                work(lambda answer: pipe.write(json.dumps(answer) + "\n"))
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(0)
    os.close(writer)
    rest, timed_out = b"", False
    while True:
        if not select.select([reader], [], [], timeout)[0]:
            timed_out = True
            os.kill(child, signal.SIGKILL)
            break
        data = os.read(reader, 65536)
        if not data:
            break
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            yield json.loads(line)
    os.close(reader)
    status = os.waitpid(child, 0)[1]
    if timed_out:
        yield {"error": f"no answer within {timeout} s"}
    elif os.WIFSIGNALED(status):
        yield {"error": f"died of signal {os.WTERMSIG(status)}"}


def find_gpu(timeout):
    """What the driver says about the GPU; raises NoGpu. In a child: a driver does not survive a fork."""
    def ask(emit):
        try:
            emit(Driver().describe())
        except NoGpu as error:
            emit({"none": str(error)})
        except CudaError as error:
            emit({"error": str(error)})

    answer = next(in_child(ask, timeout), {"error": "no answer"})
    if "none" in answer:
        raise NoGpu(answer["none"])
    if "error" in answer:
        sys.exit(f"error: the GPU cannot be used: {answer['error']}")
    return answer


def run(folder, timeout, repetitions):
    gpu = find_gpu(timeout)
    with open(os.path.join(folder, "manifest.json"), encoding="utf-8") as f:
        manifest = json.load(f)
    if int(manifest["chip"][3:].rstrip("af")) > gpu["capability"]:
        sys.exit(f"error: {folder} is for {manifest['chip']}, but {gpu['name']} is sm_{gpu['capability']}")

    def work(emit):
        driver = Driver()
        for kernel in left:
            try:
                emit(run_one(driver, folder, kernel, repetitions))
            except CudaError as error:
                emit({"error": str(error)})
                return

    left, wrong = list(manifest["programs"]), 0
    while left:
        answers = 0
        for answer in in_child(work, timeout):
            # A child that dies after its last answer says nothing about a kernel.
            if not left[answers:]:
                break
            kernel, answers = left[answers], answers + 1
            line = f"{kernel['name']} {describe(kernel)}"
            complaints, figures = ([answer["error"]], {}) if "error" in answer else answer
            wrong += bool(complaints)
            print("FAIL" if complaints else "ok  ", line, *(f"{n} {v}" for n, v in figures.items()), flush=True)
            for complaint in complaints:
                print("     " + complaint, flush=True)
        if not answers:
            sys.exit("error: the child process that runs the kernels failed")
        left = left[answers:]
    print(f"{gpu['name']}, sm_{gpu['capability']}, CUDA {gpu['cuda']}: "
          f"{len(manifest['programs']) - wrong} kernels right, {wrong} wrong")
    return 1 if wrong or not manifest["programs"] else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="kernel files or prefixes of kernel names")
    parser.add_argument("--prepare", metavar="DIR", help="only compile and emulate, into DIR")
    parser.add_argument("--run", metavar="DIR", nargs="+", help="only run what is in these folders")
    parser.add_argument("--set", action="append", metavar="SET", help="other kernels, see above")
    parser.add_argument("--jobs", type=int, default=1, help="kernels that are prepared at a time")
    parser.add_argument("--time", type=int, default=0, metavar="N", help="microseconds, the mean of N times")
    parser.add_argument("--chip", help="default: the newest that the GPU runs; with --prepare sm_90")
    parser.add_argument("--ptx", type=int, metavar="VERSION", help="PTX version, 78 is 7.8; default: of the chip")
    parser.add_argument("--timeout", type=float, default=60, help="seconds that one kernel may take")
    options = parser.parse_args()

    def prepare(folder, chip):
        import gpu_kernels
        return gpu_kernels.prepare(folder, options.names, options.set, chip, options.ptx, options.jobs)

    if options.prepare:
        return prepare(options.prepare, options.chip or "sm_90")
    try:
        if options.run:
            return max(run(folder, options.timeout, options.time) for folder in options.run)
        capability = find_gpu(options.timeout)["capability"]
        chip = options.chip or f"sm_{max((c for c in CHIPS if c <= capability), default=CHIPS[0])}"
        with tempfile.TemporaryDirectory(prefix="memspace-gpu-") as folder:
            return prepare(folder, chip) | run(folder, options.timeout, options.time)
    except NoGpu as error:
        print(f"skipped: no NVIDIA GPU ({error})")
        return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except OSError as error:
        sys.exit(f"error: {error.filename}: {error.strerror}" if error.filename else f"error: {error}")
