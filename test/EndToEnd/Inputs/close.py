"""Compares two outputs: close.py A.npy B.npy."""

import sys

import numpy as np

a, b = np.load(sys.argv[1]), np.load(sys.argv[2])
if a.shape != b.shape or not np.allclose(a, b, rtol=1e-5, atol=1e-6):
    sys.exit(f"{sys.argv[1]} and {sys.argv[2]} differ")
