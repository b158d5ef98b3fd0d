"""Files for bad-input-invalid.mlir and integers.mlir, in the folder given."""

import sys

import numpy as np

folder = sys.argv[1]
np.save(f"{folder}/i32.npy", np.arange(4, dtype=np.int32))
np.save(f"{folder}/f32-8.npy", np.arange(8, dtype=np.float32))
np.save(f"{folder}/f32-4.npy", np.arange(4, dtype=np.float32) + np.float32(0.5))
data = open(f"{folder}/f32-4.npy", "rb").read()
open(f"{folder}/cut.npy", "wb").write(data[:-2])
np.save(f"{folder}/i8-signed.npy", np.arange(-128, 128, dtype=np.int8))
np.save(f"{folder}/i16-signed.npy", 16 * np.arange(-8, 8, dtype=np.int16))
np.save(f"{folder}/i4-signed.npy", np.arange(-8, 8, dtype=np.int8))
np.save(f"{folder}/i4-unsigned.npy", np.arange(16, dtype=np.uint8))
np.save(f"{folder}/i4-wide.npy", np.array([0, 15, 16, -9] + 12 * [0], dtype=np.int8))
np.save(f"{folder}/time.npy", np.arange(4).astype("datetime64[ns]"))
np.save(f"{folder}/bool.npy", np.arange(16) % 2 == 1)
