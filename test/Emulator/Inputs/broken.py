"""Makes the broken twin of a right kernel: broken.py TAG IN OUT.

A line that ends in `// not TAG` is left out, a line that starts with
`//TAG: ` is let in. Lines keep their numbers, so that the checks in IN hold
for OUT.
"""

import re
import sys

tag, source, target = sys.argv[1:]
lines = open(source).read().split("\n")
out = []
for line in lines:
    if re.search(r"// not (\w+ )*%s\b" % tag, line):
        line = ""
    out.append(re.sub(r"^(\s*)//%s: " % tag, r"\1", line))
if out == lines:
    sys.exit(f"{source}: nothing to break by '{tag}'")
open(target, "w").write("\n".join(out))
