#!/usr/bin/env python3
# Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""network.py LAYERS SEED: a step of training a network, as a packing problem.

Some of what a layer makes on the way forward is live until the way back is there
again, gradients are live from then to the end, temporaries for a moment.
"""
import sys

layers, state = int(sys.argv[1]), int(sys.argv[2])


def pick(least, most):
    global state
    state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
    return least + (state >> 33) % (most - least + 1)


TIME = 24
end = 2 * layers * TIME
sizes = [2**pick(8, 16) * pick(4, 5) // 4 + pick(0, 1) for _ in range(10)]
buffers = []
for layer in range(layers):
    forward, back = layer * TIME, end - (layer + 1) * TIME
    for k, size in enumerate(sizes):
        at, length = pick(0, TIME - 8), pick(1, 7)
        if k % 3 == 0:
            buffers.append((forward + at, back + TIME - at, size))
        if k % 3 == 1:
            buffers.append((back + at, end, sizes[(k + 5) % 10] * 3 // 4 + 1))
        buffers.append((forward + at, forward + at + length, size))
        buffers.append((back + at, back + at + length, size))
print("id,lower,upper,size")
for i, (begin, finish, size) in enumerate(buffers):
    print(f"{i},{begin},{finish},{size}")
