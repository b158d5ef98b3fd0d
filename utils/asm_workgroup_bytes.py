#!/usr/bin/env python3
"""What the backends say about the memory of each kernel.

Reads the output of memspace-rocdl-pipeline or memspace-nvvm-pipeline (the
assembly text in gpu.binary ops) from a file or standard input and prints one
line for each kernel:

    gfx942 name workgroup=520 dynamic=0 private=0 malloc=no dynamic-stack=no calls=none

On AMDGPU the figures are those of the metadata of the object file, or with
--text those of the assembly text; on NVIDIA those of the PTX. `calls` lists
undefined functions. --asm prints the assembly text instead.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

TOOLS = os.environ.get("LLVM_TOOLS_DIR", "/usr/lib/llvm-22/bin")


def tool(name):
    """The tool of the LLVM in use; one on the PATH may be older than the chip."""
    path = os.path.join(TOOLS, name)
    return path if os.path.exists(path) else shutil.which(name) or name


def unescape(text):
    """The value of an MLIR string attribute."""
    def byte(match):
        code = match.group(1)
        return {"\\": "\\", '"': '"', "n": "\n", "t": "\t"}.get(code) or chr(int(code, 16))

    return re.sub(r'\\([0-9A-Fa-f]{2}|[\\"nt])', byte, text)


def objects(text):
    """(chip, assembly text) of each gpu.object."""
    pattern = r'#gpu\.object<#(?:rocdl|nvvm)\.target<([^>]*)>.*?assembly = "((?:[^"\\]|\\.)*)"'
    for target, assembly in re.findall(pattern, text, re.S):
        chip = re.search(r'chip = "([^"]*)"', target)
        yield chip.group(1) if chip else "?", unescape(assembly)


def amd_kernels(chip, assembly, text_only):
    """Figures of each kernel from the object file's notes."""
    if text_only:
        notes = assembly[assembly.index(".amdgpu_metadata"):]
    else:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.o")
            # Waves of 64 on a chip that defaults to 32 (gfx10 and later).
            is_wave64 = len(chip) > 6 and ".amdhsa_wavefront_size32 0" in assembly
            features = "+wavefrontsize64" if is_wave64 else ""
            subprocess.run([tool("llvm-mc"), "-triple=amdgcn-amd-amdhsa", f"-mcpu={chip}",
                            f"-mattr={features}", "-filetype=obj", "-o", path],
                           input=assembly, text=True, check=True)
            notes = subprocess.run([tool("llvm-readelf"), "--notes", path],
                                   capture_output=True, text=True, check=True).stdout
    # One YAML list item for each kernel.
    for item in re.split(r"\n  - (?=\.agpr_count|\.args)", notes)[1:]:
        def field(name, default="0"):
            found = re.search(rf"\n? *\.{name}: *(\S+)", item)
            return found.group(1) if found else default

        yield {
            "name": field("name", "?"),
            "workgroup": int(field("group_segment_fixed_size")),
            "private": int(field("private_segment_fixed_size")),
            "dynamic_stack": field("uses_dynamic_stack", "false") == "true",
        }


def ptx_kernels(assembly):
    """Figures of each kernel from the PTX: module-scope .shared variables count
    for the kernels that mention them, .local is the depot of the stack."""
    widths = {kind + str(8 * n): n for kind in "busf" for n in (1, 2, 4, 8)}
    shared = {}
    outside = re.sub(r"\n\{\n.*?\n\}", "", assembly, flags=re.S)
    for width, name, array, count in re.findall(
            r"^\s*(?:\.\w+ )*\.shared (?:\.align \d+ )?\.([busf]\d+) (\w+)(\[(\d*)\])?;", outside, re.M):
        # An array without a size is dynamic: the launch says how much it is.
        shared[name] = widths[width] * (int(count or 0) if array else 1)
    for name, body in re.findall(r"\.entry (\w+)\(.*?\n\{\n(.*?)\n\}", assembly, re.S):
        local = re.findall(r"\.local \.align \d+ \.b8\s+\w+\[(\d+)\]", body)
        inside = re.findall(r"\.shared (?:\.align \d+ )?\.([busf]\d+) \w+\[(\d+)\]", body)
        yield {
            "name": name,
            "workgroup": sum(b for n, b in shared.items() if re.search(rf"\b{n}\b", body))
            + sum(widths[w] * int(c) for w, c in inside),
            "private": sum(map(int, local)),
            "dynamic_stack": "alloca" in body,
        }


def undefined_functions(assembly, is_amd):
    if is_amd:
        calls = set(re.findall(r"([\w.$]+)@(?:rel32|gotpcrel32)@lo", assembly))
        defined = set(re.findall(r"^([\w.$]+):", assembly, re.M))
        return sorted(calls - defined)
    return sorted(set(re.findall(r"\.extern \.func[^;]*?\b(\w+)\s*\n?\(", assembly)))


def workgroup_bytes(text):
    """What the only kernel in `text` takes of a workgroup's memory, static and dynamic."""
    (chip, assembly), = objects(text)
    (kernel,) = amd_kernels(chip, assembly, False) if chip.startswith("gfx") else ptx_kernels(assembly)
    known = re.search(r"memspace\.dynamic_workgroup_bytes = (\d+)", text)
    return kernel["workgroup"] + (int(known.group(1)) if known else 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("input", nargs="?", default="-")
    parser.add_argument("--asm", action="store_true")
    parser.add_argument("--text", action="store_true")
    args = parser.parse_args()
    source = sys.stdin if args.input == "-" else open(args.input, encoding="utf-8")
    text = source.read()

    found = False
    for chip, assembly in objects(text):
        found = True
        if args.asm:
            print(assembly)
            continue
        is_amd = chip.startswith("gfx")
        kernels = amd_kernels(chip, assembly, args.text) if is_amd else ptx_kernels(assembly)
        for kernel in kernels:
            calls = undefined_functions(assembly, is_amd)
            malloc = any("malloc" in name for name in calls) or "malloc" in assembly
            name = kernel["name"]
            known = re.search(rf'\b{name} = {{[^}}]*?memspace\.dynamic_workgroup_bytes = (\d+)', text)
            print(f'{chip} {name} workgroup={kernel["workgroup"]}'
                  f' dynamic={known.group(1) if known else 0} private={kernel["private"]}'
                  f' malloc={"yes" if malloc else "no"}'
                  f' dynamic-stack={"yes" if kernel["dynamic_stack"] else "no"}'
                  f' calls={",".join(calls) or "none"}')
    if not found:
        sys.exit("no gpu.object with assembly text in the input")


if __name__ == "__main__":
    try:
        sys.exit(main())
    except OSError as error:
        sys.exit(f"error: {error.filename}: {error.strerror}" if error.filename else f"error: {error}")
