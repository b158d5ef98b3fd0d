"""Files for bad-input-invalid.mlir, in the folder given."""

import sys

import numpy as np

folder = sys.argv[1]
np.save(f"{folder}/i32.npy", np.arange(4, dtype=np.int32))
np.save(f"{folder}/f32-8.npy", np.arange(8, dtype=np.float32))
np.save(f"{folder}/f32-4.npy", np.arange(4, dtype=np.float32) + np.float32(0.5))
data = open(f"{folder}/f32-4.npy", "rb").read()
open(f"{folder}/cut.npy", "wb").write(data[:-2])
