# Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The race check against the definition of a race, on random accesses.

One kernel makes the accesses that its arguments list: in each phase each thread
some of them, after each phase a workgroup or a subgroup barrier. There is a
race when two accesses of different threads touch one element, one is a write,
and no barrier that orders the two threads lies between: all pairs are tried.
"""
import re
import sys

import numpy as np

import kernels

THREADS, SUBGROUP, PHASES, ACCESSES, ELEMENTS, BLOCKS = 8, 4, 4, 2, 3, 2
READ, WRITE, ATOMIC = 0, 1, 2

KERNEL = f"""
func.func @random(%op: memref<{BLOCKS}x{THREADS}x{PHASES}x{ACCESSES}xi32>, %at: memref<{BLOCKS}x{THREADS}x{PHASES}x{ACCESSES}xi32>,
                  %sync: memref<{PHASES}xi32>, %data: memref<{ELEMENTS}xi32>)
    attributes {{gpu.known_block_size = array<i32: {THREADS}, 1, 1>}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %phases = arith.constant {PHASES} : index
  %accesses = arith.constant {ACCESSES} : index
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %shared = SHARED
  %t = gpu.thread_id x
  %b = gpu.block_id x
  INITIALIZE
  scf.for %p = %c0 to %phases step %c1 {{
    scf.for %k = %c0 to %accesses step %c1 {{
      %o = memref.load %op[%b, %t, %p, %k] : memref<{BLOCKS}x{THREADS}x{PHASES}x{ACCESSES}xi32>
      %a = memref.load %at[%b, %t, %p, %k] : memref<{BLOCKS}x{THREADS}x{PHASES}x{ACCESSES}xi32>
      %i = arith.index_cast %a : i32 to index
      %read = arith.cmpi eq, %o, %z : i32
      %write = arith.cmpi eq, %o, %one : i32
      %atomic = arith.cmpi eq, %o, %two : i32
      scf.if %read {{
        %v = memref.load %shared[%i] : memref<{ELEMENTS}xi32SPACE>
        %odd = arith.cmpi eq, %v, %a : i32
        scf.if %odd {{
          func.call @keep() : () -> ()
        }}
      }}
      scf.if %write {{
        memref.store %a, %shared[%i] : memref<{ELEMENTS}xi32SPACE>
      }}
      scf.if %atomic {{
        %v = memref.atomic_rmw addi %one, %shared[%i] : (i32, memref<{ELEMENTS}xi32SPACE>) -> i32
      }}
    }}
    %s = memref.load %sync[%p] : memref<{PHASES}xi32>
    %all = arith.cmpi eq, %s, %one : i32
    scf.if %all {{
      gpu.barrier
    }} else {{
      memspace.subgroup_barrier
    }}
  }}
  return
}}
func.func @keep() attributes {{no_inline}} {{
  return
}}
"""

# Thread 0 alone, so that reads find something written.
INITIALIZE = "".join(f"""
    %at{i} = arith.constant {i} : index
    memref.store %z, %shared[%at{i}] : memref<{ELEMENTS}xi32SPACE>""" for i in range(ELEMENTS))
INITIALIZE = f"""%first = arith.cmpi eq, %t, %c0 : index
  scf.if %first {{{INITIALIZE}
  }}
  gpu.barrier"""


def expected(op, at, sync, space):
    """True when some pair of accesses races."""
    events = []
    for b in range(BLOCKS):
        for t in range(THREADS):
            epoch = subepoch = 0
            for p in range(PHASES):
                for k in range(ACCESSES):
                    if op[b, t, p, k] >= 0:
                        events.append((b, t, epoch, subepoch, op[b, t, p, k], at[b, t, p, k]))
                epoch, subepoch = (epoch + 1, subepoch) if sync[p] else (epoch, subepoch + 1)
    for i, (b, t, e, s, o, a) in enumerate(events):
        for b2, t2, e2, s2, o2, a2 in events[i + 1:]:
            if a != a2 or (o == READ and o2 == READ) or (o == ATOMIC and o2 == ATOMIC):
                continue
            if b != b2:
                if space == "global":
                    return True
                continue
            if t != t2 and e == e2 and (t // SUBGROUP != t2 // SUBGROUP or s == s2):
                return True
    return False


def main():
    rng = np.random.default_rng(5)
    failed = 0
    memory = f"memref<{ELEMENTS}xi32, #gpu.address_space<workgroup>>"
    data = f"memref<{ELEMENTS}xi32>"
    for space, shared, initialize, suffix in (
            ("workgroup", f"memref.alloc() : {memory}", INITIALIZE, ", #gpu.address_space<workgroup>"),
            ("global", f"memref.cast %data : {data} to {data}", "", "")):
        text = KERNEL.replace("INITIALIZE", initialize).replace("SHARED", shared).replace("SPACE", suffix)
        found = [0, 0]
        for trial in range(80):
            shape = (BLOCKS, THREADS, PHASES, ACCESSES)
            # Few accesses, so that about half of the trials have no race.
            used = rng.random(shape) < rng.choice([0.03, 0.06, 0.12])
            kinds = rng.choice([READ, WRITE, ATOMIC], shape, p=rng.choice([[.5, .4, .1], [.8, .1, .1], [.2, .2, .6]]))
            op = np.where(used, kinds, -1).astype(np.int32)
            at = rng.integers(0, ELEMENTS, shape).astype(np.int32)
            sync = rng.integers(0, 2, PHASES).astype(np.int32)
            wanted = expected(op, at, sync, space)
            found[wanted] += 1
            # One to three orders: what is found must not depend on them.
            options = (f"--subgroup-size={SUBGROUP}", f"--orders={1 + trial % 3}", f"--seed={trial}")
            result = kernels.run(text, [op, at, sync, np.zeros(ELEMENTS, np.int32)], grid=BLOCKS, options=options)
            races = re.search(r"races: (\d+), divergent barriers: 0, out of bounds: 0, uninitialized reads: 0",
                              result.summary)
            if not races or bool(int(races.group(1))) != wanted:
                failed += 1
                print(f"{space}, trial {trial}: race {wanted} expected, got {result.summary} {result.reports}")
        print(f"{space}: {found[0]} trials without a race, {found[1]} with one")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
