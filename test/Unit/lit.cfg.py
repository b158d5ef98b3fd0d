"""Runs the GoogleTest programs under lit, so that one summary counts every case."""

import lit.formats

config.name = "MemSpace-Unit"
config.suffixes = []
config.test_source_root = config.memspace_unittests_dir
config.test_exec_root = config.memspace_unittests_dir
config.test_format = lit.formats.GoogleTest(".", "Tests")
