"""Compares an output with NumPy: compare.py FILE.npy EXPRESSION.

The expression may use `np`, `i` (0, 1, 2, ... as many as elements) and
`shape`. Equal means bitwise equal values; NaNs are not equal.
"""

import sys

import numpy as np

got = np.load(sys.argv[1])
i = np.arange(got.size)
want = np.broadcast_to(
    np.asarray(eval(sys.argv[2], {"np": np, "i": i, "shape": got.shape})), got.size
)
wrong = np.flatnonzero(got.ravel() != want)
if wrong.size:
    at = wrong[0]
    sys.exit(
        f"{wrong.size} of {got.size} elements differ, the first at {at}: "
        f"{got.ravel()[at]} instead of {want[at]}"
    )
