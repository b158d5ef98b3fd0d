#!/usr/bin/env python3
# Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times of untiled functions of real sizes on an NVIDIA GPU, beside PyTorch's.

    time_on_gpu.py --prepare DIR [--chip sm_90] [--tries N] [--options TEXT] [NAME...]
    #   compiles; needs no GPU
    time_on_gpu.py --run DIR [--repeat N]
    #   needs a GPU and PyTorch

Each function goes through memspace-compile-pipeline; what its host launches is
launched through the driver, on random data that is made on the GPU, and the
results are compared with PyTorch's. One line for each:

    status function  kernels=N launches=N  us=OURS torch=THEIRS  GB/s or GFLOP/s

The times are means of N after warming up, without the host; PyTorch's are those
of a captured graph where it can be captured. It multiplies without TF32. --options
are of memspace-compile-pipeline, as 'contract=true argument-alignment=16'.
With --tries each kernel alone is made in N more configurations, the first half the
best ones by the weight, the others spread over the rest; the lines end with the weight.
"""
import argparse
import ctypes
import json
import os
import sys
import tempfile

BENCHMARKS = {}


class Benchmark:
    """`body` makes a Body of fake inputs; `torch(torch, *inputs)` computes the results; `work`: ("GB/s" or
    "GFLOP/s", bytes or operations)."""

    # Of a Benchmark of unknown extents: those of its arguments and results, all of f32, for the operator's text.
    shapes = None

    def __init__(self, body, reference, work, tolerance=1e-4, inputs=None):
        self.body, self.reference, self.work, self.tolerance, self.inputs = body, reference, work, tolerance, inputs


def fake(dtype, *shape):
    """An array that has a type, a shape and no memory."""
    import numpy as np
    return np.broadcast_to(np.zeros((), dtype), shape)


def define_products():
    def product(op, shapes, out, reference, dtype="float32"):
        def body():
            from operators import Body
            b = Body(*(fake(dtype, *s) for s in shapes))
            return b, [b.named(op, b.arguments, b.fill("0.0", out))]
        flops = 2 * shapes[0][-1] if op != "matmul_transpose_a" else 2 * shapes[0][0]
        for extent in out:
            flops *= extent
        return Benchmark(body, reference, ("GFLOP/s", flops), 2e-3)

    mm = lambda torch, a, b: a.float() @ b.float()
    BENCHMARKS["matmul 512"] = product("matmul", ((512, 512), (512, 512)), (512, 512), mm)
    BENCHMARKS["matmul 2048"] = product("matmul", ((2048, 2048), (2048, 2048)), (2048, 2048), mm)
    BENCHMARKS["matmul f16 2048"] = product("matmul", ((2048, 2048), (2048, 2048)), (2048, 2048), mm, "float16")
    BENCHMARKS["matmul tall 65536x64x64"] = product("matmul", ((65536, 64), (64, 64)), (65536, 64), mm)
    BENCHMARKS["matmul split K 64x32768x64"] = product("matmul", ((64, 32768), (32768, 64)), (64, 64), mm)
    BENCHMARKS["batch_matmul 64x256"] = product("batch_matmul", ((64, 256, 256), (64, 256, 256)), (64, 256, 256), mm)
    BENCHMARKS["matvec 8192"] = product("matvec", ((8192, 8192), (8192,)), (8192,), mm)
    BENCHMARKS["conv_2d 32x64x56x56 3x3"] = convolution()


def convolution():
    def body():
        from operators import Body
        b = Body(fake("float32", 32, 64, 58, 58), fake("float32", 64, 64, 3, 3))
        return b, [b.named("conv_2d_nchw_fchw", b.arguments, b.fill("0.0", (32, 64, 56, 56)))]
    return Benchmark(body, lambda torch, x, w: torch.nn.functional.conv2d(x, w),
                     ("GFLOP/s", 2 * 32 * 64 * 56 * 56 * 64 * 9), 2e-3)


ADD = "%s = arith.addf %o, %a : f32\nlinalg.yield %s : f32"
MAX = "%s = arith.maximumf %o, %a : f32\nlinalg.yield %s : f32"
NEGATIVE = "0xFF800000"


def softmax_of(b, x):
    """Of the last dimension, as a frontend decomposes it."""
    loops = "ijklm"[:len(x[1])]
    rows = loops[:-1]
    largest = b.reduce(x, (len(loops) - 1,), NEGATIVE, MAX)
    e = b.map([x, largest], "%d = arith.subf %a, %b : f32\n%s = math.exp %d : f32\nlinalg.yield %s : f32",
              maps=[loops, rows])
    total = b.reduce(e, (len(loops) - 1,), "0.0", ADD)
    return b.map([e, total], "%s = arith.divf %a, %b : f32\nlinalg.yield %s : f32", maps=[loops, rows])


def define_rows():
    def rows(make, reference, shape, passes=2, tolerance=1e-4, dtype="float32"):
        def body():
            from operators import Body
            b = Body(fake(dtype, *shape))
            return b, [make(b, b.arguments[0])]
        elements = 1
        for extent in shape:
            elements *= extent
        return Benchmark(body, reference, ("GB/s", passes * 4 * elements), tolerance)

    def rms_norm(b, x):
        n, epsilon = b.constant(f"{float(x[1][-1])}"), b.constant("1.0e-5")
        squares = b.reduce(x, (1,), "0.0",
                           "%p = arith.mulf %a, %a : f32\n%s = arith.addf %o, %p : f32\nlinalg.yield %s : f32")
        return b.map([x, squares], f"%m = arith.divf %b, {n} : f32\n%q = arith.addf %m, {epsilon} : f32\n"
                     "%r = math.rsqrt %q : f32\n%s = arith.mulf %a, %r : f32\nlinalg.yield %s : f32", maps=["ij", "i"])

    def gelu(b, x):
        half, one, root = b.constant("0.5"), b.constant("1.0"), b.constant("0.70710678")
        return b.map([x], f"%h = arith.mulf %a, {root} : f32\n%e = math.erf %h : f32\n%f = arith.addf %e, {one} : f32\n"
                     f"%g = arith.mulf %a, %f : f32\n%s = arith.mulf %g, {half} : f32\nlinalg.yield %s : f32")

    def transpose(b, x):
        return b.generic("ij", [(x, "ji")], (b.empty(x[1][::-1]), "ij"), "linalg.yield %a : f32")

    def scan(b, x):
        init, name = b.empty(x[1]), b.new()
        of = "x".join(map(str, x[1])) + "xf32"
        b.add(f"{name} = memspace.scan dimension({len(x[1]) - 1}) ins({x[0]} : tensor<{of}>) "
              f"outs({init[0]} : tensor<{of}>) {{")
        b.add("^bb0(%a: f32, %b: f32):\n    %s = arith.addf %a, %b : f32\n    memspace.yield %s : f32")
        b.add(f"}} -> tensor<{of}>")
        return (name, x[1], "f32")

    def sort(b, x):
        init, name = b.empty(x[1]), b.new()
        of = "x".join(map(str, x[1])) + "xf32"
        b.add(f"{name} = memspace.sort dimension({len(x[1]) - 1}) ins({x[0]} : tensor<{of}>) "
              f"outs({init[0]} : tensor<{of}>) {{")
        b.add("^bb0(%a: f32, %b: f32):\n    %s = arith.cmpf olt, %a, %b : f32\n    memspace.yield %s : i1")
        b.add(f"}} -> tensor<{of}>")
        return (name, x[1], "f32")

    BENCHMARKS["softmax 4096x4096"] = rows(softmax_of, lambda torch, x: torch.softmax(x, -1), (4096, 4096))
    BENCHMARKS["softmax 128x32768"] = rows(softmax_of, lambda torch, x: torch.softmax(x, -1), (128, 32768))
    BENCHMARKS["rms norm 8192x4096"] = rows(
        rms_norm, lambda torch, x: x * torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-5), (8192, 4096))
    BENCHMARKS["gelu 16M"] = rows(gelu, lambda torch, x: torch.nn.functional.gelu(x), (4096, 4096))
    BENCHMARKS["transpose 4096"] = rows(transpose, lambda torch, x: x.t().contiguous(), (4096, 4096))
    BENCHMARKS["sum of rows 4096x4096"] = rows(lambda b, x: b.reduce(x, (1,), "0.0", ADD),
                                               lambda torch, x: x.sum(1), (4096, 4096), 1, 2e-3)
    BENCHMARKS["sum of columns 4096x4096"] = rows(lambda b, x: b.reduce(x, (0,), "0.0", ADD),
                                                  lambda torch, x: x.sum(0), (4096, 4096), 1, 2e-3)
    BENCHMARKS["sum of all 16M"] = rows(lambda b, x: b.reduce(x, (0,), "0.0", ADD), lambda torch, x: x.sum(0),
                                        (16777216,), 1, 1e-2)
    BENCHMARKS["cumulative sum 1024x4096"] = rows(scan, lambda torch, x: x.cumsum(-1), (1024, 4096), 2, 2e-3)
    BENCHMARKS["cumulative sum 4M"] = rows(scan, lambda torch, x: x.cumsum(-1), (4194304,), 2, 2e-2)
    BENCHMARKS["sort 1024x1024"] = rows(sort, lambda torch, x: torch.sort(x, -1).values, (1024, 1024))
    BENCHMARKS["sort 1M"] = rows(sort, lambda torch, x: torch.sort(x, -1).values, (1048576,))


def define_attention():
    def body():
        from operators import Body
        b = Body(*(fake("float32", 4, 8, 1024, 64) for _ in range(3)))
        q, k, v = b.arguments
        product = "%p = arith.mulf %a, %b : f32\n%s = arith.addf %o, %p : f32\nlinalg.yield %s : f32"
        scores = b.generic("bhij k", [(q, "bhik"), (k, "bhjk")], (b.fill("0.0", (4, 8, 1024, 1024)), "bhij"), product)
        scale = b.constant("0.125")
        scores = b.map([scores], f"%s = arith.mulf %a, {scale} : f32\nlinalg.yield %s : f32")
        p = softmax_of(b, scores)
        return b, [b.generic("bhik j", [(p, "bhij"), (v, "bhjk")], (b.fill("0.0", (4, 8, 1024, 64)), "bhik"), product)]
    BENCHMARKS["attention 4x8x1024x64"] = Benchmark(
        body, lambda torch, q, k, v: torch.softmax(q @ k.transpose(-1, -2) * 0.125, -1) @ v,
        ("GFLOP/s", 4 * 4 * 8 * 1024 * 1024 * 64), 2e-3)

    def histogram():
        from operators import Body
        b = Body(fake("float32", 1048576), fake("int32", 1048576, 1))
        table, name = b.fill("0.0", (4096,)), b.new()
        b.add(f"{name} = memspace.scatter scatter_dims([0]) ins(%arg0, %arg1 : tensor<1048576xf32>, tensor<1048576x1xi32>) "
              f"outs({table[0]} : tensor<4096xf32>) {{")
        b.add("^bb0(%a: f32, %b: f32):\n    %s = arith.addf %a, %b : f32\n    memspace.yield %s : f32")
        b.add("} -> tensor<4096xf32>")
        return b, [(name, (4096,), "f32")]
    BENCHMARKS["histogram 1M of 4096"] = Benchmark(
        histogram, lambda torch, x, i: torch.zeros(4096, device=x.device).index_add(0, i[:, 0], x),
        ("GB/s", 8 * 1048576), 1e-2, {1: 4096})


def define_unknown_extents():
    """Operators of operators.py whose extents only the caller knows."""
    def unknown(operator, reference, *shapes, tolerance=1e-4):
        def text():
            import numpy as np
            import operators
            return operators.OPERATORS[operator](np.random.default_rng(0)).text
        elements = 0
        for shape in shapes:
            count = 1
            for extent in shape:
                count *= extent
            elements += count
        benchmark = Benchmark(text, reference, ("GB/s", 4 * elements), tolerance)
        benchmark.shapes = shapes
        return benchmark

    rows = (4096, 4096)
    BENCHMARKS["sum of unknown 16M"] = unknown("sum_dynamic", lambda torch, x: x.sum(), (16777216,), (), tolerance=1e-2)
    BENCHMARKS["softmax unknown 4096x4096"] = unknown("softmax_dynamic", lambda torch, x: torch.softmax(x, -1), rows, rows)



define_products()
define_rows()
define_attention()
define_unknown_extents()


# ===- Here ----------------------------------------------------------------=== #

def compile_benchmark(folder, chip, options, name, stem, record):
    """The manifest's entry of the benchmark as `record` says, or makes; HarnessError where there is none."""
    import gpu_kernels
    import kernels
    benchmark, shapes = BENCHMARKS[name], []
    if benchmark.shapes is None:
        body, results = benchmark.body()
        text = body.operator(results, []).text
        types = [(list(map(int, shape)), element) for _, shape, element in (*body.arguments, *results)]
    else:
        text, types = benchmark.body(), [(list(shape), "f32") for shape in benchmark.shapes]
        shapes = [f"--shape={n}:{'x'.join(map(str, shape))}" for n, shape in enumerate(benchmark.shapes) if shape]
    source = os.path.join(folder, stem + ".mlir")
    with open(source, "w", encoding="utf-8") as f:
        f.write(text)
    with tempfile.TemporaryDirectory(prefix="memspace-time-") as temporary:
        program, trace = os.path.join(temporary, "program.mlir"), os.path.join(temporary, "launches.json")
        kernels.tool([kernels.memspace_opt(), source, f"--memspace-compile-pipeline=chip={chip} record={record} {options}",
                      f"--memspace-outline-kernels=chip={chip}", "-o", program])
        kernels.tool([kernels.memspace_tool("memspace-runner"), program, f"--chip={chip}", "--kernel=operator",
                      f"--launches={trace}", f"--max-steps={1 << 60}", f"--max-memory={1 << 36}", *shapes])
        with open(trace, encoding="utf-8") as f:
            entry = json.load(f)
        with open(program, encoding="utf-8") as f:
            modules = gpu_kernels.ptx_modules(f.read(), name, chip,
                                              "contract=true" if "contract=true" in options else "")
    for launch in entry["launches"]:
        module = launch.pop("module")
        launch["ptx"], launch["entry"] = f"{stem}.{module}.ptx", launch.pop("kernel")
        gpu_kernels.check_parameters(modules[module], launch)
        with open(os.path.join(folder, launch["ptx"]), "w", encoding="utf-8") as f:
            f.write(modules[module])
    with open(record, encoding="utf-8") as f:
        configurations = [k.get("best", "") for k in json.load(f)["kernels"]]
    return {"name": name, "types": types, "configurations": configurations, "weight": None, **entry}


def choose_tries(attempts, count):
    """Half of them the best by their weight, the others spread over the rest."""
    attempts = sorted(attempts, key=lambda a: a["weight"])
    best, rest = attempts[:(count + 1) // 2], attempts[(count + 1) // 2:]
    step = max(1, len(rest) // max(1, count // 2))
    return best + rest[step - 1::step]


def compile_tries(folder, chip, options, name, stem, record, count):
    with open(record, encoding="utf-8") as f:
        made = json.load(f)
    if len(made["kernels"]) != 1:
        return
    kernel = made["kernels"][0]
    for number, attempt in enumerate(choose_tries([a for a in kernel["attempts"] if "cost" in a], count)):
        kernel["best"] = attempt["configuration"]
        with open(record, "w", encoding="utf-8") as f:
            json.dump(made, f)
        yield {**compile_benchmark(folder, chip, options, name, f"{stem}.{number}", record), "weight": attempt["weight"]}


def prepare_one(folder, chip, options, tries, name):
    """Entries of the manifest, and a line to print."""
    import kernels
    stem = name.replace(" ", "_")
    with tempfile.TemporaryDirectory(prefix="memspace-time-") as temporary:
        record = os.path.join(temporary, "record.json")
        entries = []
        try:
            entries.append(compile_benchmark(folder, chip, options, name, stem, record))
            if tries:
                entries += compile_tries(folder, chip, options, name, stem, record, tries)
        except kernels.HarnessError as error:
            return entries, f"{name}: {str(error).splitlines()[0]}"
        return entries, f"{name}: {'; '.join(entries[0]['configurations'])}"


def prepare(folder, chip, options, tries, names):
    import functools
    import multiprocessing
    os.makedirs(folder, exist_ok=True)
    entries = []
    chosen = [name for name in BENCHMARKS if not names or name.startswith(tuple(names))]
    with multiprocessing.Pool() as pool:
        for made, line in pool.imap(functools.partial(prepare_one, folder, chip, options, tries), chosen):
            entries += made
            print(line, flush=True)
    with open(os.path.join(folder, "manifest.json"), "w", encoding="utf-8") as f:
        json.dump({"chip": chip, "benchmarks": entries}, f)
    return 0


# ===- On the GPU ----------------------------------------------------------=== #

def time_torch(torch, work, repetitions):
    """Microseconds of `work`, as a graph if it can be one."""
    for _ in range(3):
        work()
    torch.cuda.synchronize()
    replay = work
    try:
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            work()
        replay = graph.replay
    except RuntimeError:
        torch.cuda.synchronize()
    replay()
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    begin.record()
    for _ in range(repetitions):
        replay()
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) * 1000 / repetitions


def run_one(torch, driver, folder, entry, repetitions, theirs):
    """Whether it is right; `theirs`: PyTorch's times so far."""
    import run_on_gpu
    benchmark = BENCHMARKS[entry["name"]]
    generator = torch.Generator(device="cuda").manual_seed(1)
    dtypes = {"f32": torch.float32, "f16": torch.float16, "i32": torch.int32}
    tensors = []
    for i, (shape, element) in enumerate(entry["types"]):
        if element == "i32":
            tensors.append(torch.randint(0, benchmark.inputs[i], shape, dtype=torch.int32, device="cuda", generator=generator))
        else:
            tensors.append((torch.rand(shape, device="cuda", generator=generator) * 2 - 1).to(dtypes[element]))
    memories, own = {}, []
    for number, size in entry["memories"].items():
        if int(number) < len(tensors):
            memories[number] = ctypes.c_uint64(tensors[int(number)].data_ptr())
        else:
            own.append(torch.empty(size, dtype=torch.uint8, device="cuda"))
            memories[number] = ctypes.c_uint64(own[-1].data_ptr())
    launches, figures, modules = run_on_gpu.prepare_launches(driver, folder, entry, memories)

    def work():
        for launch in launches:
            driver.launch(*launch)

    work()
    driver.call("cuCtxSynchronize")
    shape, _ = entry["types"][-1]
    inputs = tensors[:-1]
    wanted = benchmark.reference(torch, *inputs).reshape(shape)
    error = ((tensors[-1].double() - wanted.double()).abs() / (1 + wanted.double().abs())).max().item()
    status = "ok" if error <= benchmark.tolerance else "WRONG"
    for _ in range(2):
        work()
    ours = driver.microseconds(lambda: [work() for _ in range(repetitions)]) / repetitions
    if entry["name"] not in theirs:
        theirs[entry["name"]] = time_torch(torch, lambda: benchmark.reference(torch, *inputs), repetitions)
    theirs = theirs[entry["name"]]
    unit, amount = benchmark.work
    print(f"{status} {entry['name']}  kernels={len(modules)} launches={len(launches)}  us={ours:.1f} torch={theirs:.1f} "
          f"ratio={ours / theirs:.2f}  {amount / ours / 1000:.0f} {unit}  error={error:.1e} "
          f"registers={figures['registers']} local={figures['local']} static={figures['static']}  "
          f"{'; '.join(entry['configurations'])}" + (f" weight={entry['weight']:.4g}" if entry["weight"] else ""), flush=True)
    for module in modules:
        driver.call("cuModuleUnload", module)
    return status == "ok"


def run(folder, repetitions):
    import run_on_gpu
    import torch
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
    torch.zeros(1, device="cuda")
    driver = run_on_gpu.Driver()
    print(torch.cuda.get_device_name(), "torch", torch.__version__)
    with open(os.path.join(folder, "manifest.json"), encoding="utf-8") as f:
        entries = json.load(f)["benchmarks"]
    theirs = {}
    right = [run_one(torch, driver, folder, entry, repetitions, theirs) for entry in entries]
    return 0 if all(right) else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", help="prefixes of names")
    parser.add_argument("--prepare", metavar="DIR")
    parser.add_argument("--run", metavar="DIR")
    parser.add_argument("--chip", default="sm_90")
    parser.add_argument("--tries", type=int, default=0, metavar="N", help="other configurations of each kernel alone")
    parser.add_argument("--options", default="", help="of memspace-compile-pipeline")
    parser.add_argument("--repeat", type=int, default=20)
    options = parser.parse_args()
    if options.prepare:
        return prepare(options.prepare, options.chip, options.options, options.tries, options.names)
    if options.run:
        return run(options.run, options.repeat)
    parser.error("wanted is --prepare or --run")


if __name__ == "__main__":
    sys.exit(main())
