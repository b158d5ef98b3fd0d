"""Runs memspace-runner on each file of a folder: each_refused.py FOLDER.

Each must end with status 2 and one error, and FileCheck must find what the
file says of it.
"""

import pathlib
import subprocess
import sys

files = sorted(pathlib.Path(sys.argv[1]).glob("*.mlir"))
bad = [] if files else ["no files"]
for file in files:
    run = subprocess.run(
        ["memspace-runner", str(file)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=60,
    )
    check = subprocess.run(
        ["FileCheck", str(file), "--implicit-check-not=error:"],
        input=run.stdout,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    if run.returncode != 2 or check.returncode:
        bad.append(f"{file}: exit status {run.returncode}\n" + check.stdout.decode())
if bad:
    sys.exit("\n".join(bad))
