"""The lit suite of MemSpace: test/<Folder>/<pass>.mlir beside <pass>-invalid.mlir."""

import os
import re
import shutil
import subprocess

import lit.formats

config.name = "MemSpace"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "Unit", "CMakeLists.txt", "lib"]
config.test_source_root = os.path.dirname(__file__)

# FileCheck, not, mlir-opt and the rest of LLVM's tools; ours first.
tools = ["memspace-fuzz", "memspace-mutate", "memspace-opt", "memspace-pack", "memspace-runner", "memspace-test-opt"]
config.environment["PATH"] = os.path.pathsep.join(
    [os.path.join(config.memspace_tools_dir, tool) for tool in tools]
    + [
        config.llvm_tools_dir,
        config.environment.get("PATH", os.environ.get("PATH", "")),
    ]
)
# The kernel harness looks its tools up here first.
for tool in tools:
    config.environment[tool.upper().replace("-", "_")] = os.path.join(
        config.memspace_tools_dir, tool, tool
    )
config.environment["LLVM_TOOLS_DIR"] = config.llvm_tools_dir
config.environment["FILECHECK_OPTS"] = "-enable-var-scope --allow-unused-prefixes=false"

config.substitutions.append(("%python", config.python_executable))
config.substitutions.append(("%src_root", config.memspace_source_dir))
config.substitutions.append(("%build_root", config.memspace_binary_dir))
config.substitutions.append(("%mlir_dir", config.mlir_dir))
config.substitutions.append(("%mlir_include_dirs", config.mlir_include_dirs))
config.substitutions.append(("%mlir_tblgen", config.mlir_tblgen))
config.substitutions.append(("%cmake_generator", config.cmake_generator))
config.substitutions.append(("%cmake", config.cmake))
config.substitutions.append(("%c_compiler", config.c_compiler))
config.substitutions.append(("%cxx_compiler", config.cxx_compiler))
config.substitutions.append(("%cxx_flags", config.cxx_flags))
config.substitutions.append(("%exe_linker_flags", config.exe_linker_flags))

if os.path.exists(
    os.path.join(config.memspace_source_dir, "..", "shared", "corpus", "mapped")
):
    config.available_features.add("corpus")

# MLIR can be built without its static libraries.
if os.path.exists(os.path.join(config.mlir_dir, "..", "..", "libMLIRIR.a")):
    config.available_features.add("static-mlir")

# What utils/check_changed.py runs where it is there.
if shutil.which("clang-tidy") and "clang" in os.path.basename(config.cxx_compiler):
    config.available_features.add("clang-tidy")
for tool in ("clang-format-14", "clang-format"):
    if shutil.which(tool) and re.search(
        r"version 14\b", subprocess.run([tool, "--version"], capture_output=True, text=True).stdout
    ):
        config.available_features.add("clang-format")

# `lit --param campaign=3` is for a check within half an hour: of what is run over
# all kernels again it takes a quarter, or leaves it out, test/Kernels/run.py takes
# one chip for each kernel, and utils/check_operators.py a third of the operators.
is_exhaustive = int(lit_config.params.get("campaign", 100)) >= 100
if is_exhaustive:
    config.available_features.add("exhaustive")
else:
    config.environment["MEMSPACE_ONE_CHIP"] = "1"
    config.environment["MEMSPACE_SAMPLE"] = "3"
config.substitutions.append(("%shard", "1/1" if is_exhaustive else "1/4"))
