"""Prints an operator of utils/encoded_operators.py, or the same without encodings.

    encoded_programs.py UTILS NAME [plain]
"""
import re
import sys

sys.path.insert(0, sys.argv[1])
import numpy as np

import encoded_operators
from operators import OPERATORS

text = OPERATORS[sys.argv[2]](np.random.default_rng(0)).text
if "plain" in sys.argv[3:]:
    # What an encode made is what it was made of.
    names = {}
    lines = []
    for line in re.sub(r", #\w+>", ">", text).splitlines():
        line = re.sub(r"%\w+", lambda m: names.get(m[0], m[0]), line)
        encode = re.match(r"\s*(%\w+) = memspace.encode ins\((%\w+)", line)
        if encode:
            names[encode[1]] = encode[2]
        elif not re.match(r"#\w+ = #memspace", line):
            lines.append(line)
    text = "\n".join(lines) + "\n"
print(text)
