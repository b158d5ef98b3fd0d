"""The lit suite of the adapter for IREE."""

import os
import sys

import lit.formats

config.name = "MemSpaceIREE"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir"]
config.test_source_root = os.path.dirname(__file__)
config.environment["PATH"] = os.path.pathsep.join(
    [config.iree_tools_dir, config.memspace_tools_dir, config.llvm_tools_dir, os.environ.get("PATH", "")]
)
config.environment["FILECHECK_OPTS"] = "-enable-var-scope --allow-unused-prefixes=false"
# An output against an expression of NumPy.
compare = os.path.join(config.test_source_root, "..", "..", "..", "test", "Emulator", "Inputs", "compare.py")
config.substitutions.append(("%compare", '"%s" "%s"' % (sys.executable, compare)))
