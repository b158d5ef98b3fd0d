/*===- kernel_runtime.c - GPU threads as fibers, with a race check ----------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime half of utils/run_kernel.py, which explains the whole. Workgroups
// run one after another; the threads of one are ucontext fibers that switch at
// barriers only. Every load and store is reported here before it happens.
//
// Shadow memory: one cell for each granule (the smallest access of the kernel)
// of global and workgroup memory. Two accesses of different threads of one
// workgroup are ordered when a workgroup barrier lies between (epoch), or when
// both threads are of one subgroup and a subgroup barrier lies between
// (subepoch). What a cell keeps is enough to notice that *some* conflict
// exists: the last write, the last reader A, another reader A2 of A's subgroup
// and subepoch, the last reader B of another subgroup, and two workgroups that
// read it. (A writer in a third subgroup conflicts with A, a writer in A's
// subgroup with B when there is one, else only A and A2 can be unordered.)
//
//===----------------------------------------------------------------------===*/

#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { GLOBAL = 0, WORKGROUP = 1, CONSTANT = 2 };
enum { WRITE = 1, ATOMIC = 2 }; /* bits of an access; the site is above them */
enum { READY, DONE, AT_BARRIER, AT_SUBGROUP_BARRIER };
enum { RAW, WAR, WAW };
enum { /* events */
  DIVERGENT = 1, OUT_OF_BOUNDS, UNINITIALIZED, CONSTANT_WRITE, SUBGROUP_DIVERGENT
};

typedef struct {
  uint32_t thread; /* linear id in the workgroup + 1; 0: none */
  uint32_t block, epoch, subepoch, access;
} Entry;
typedef struct {
  Entry write, a, a2, b;
  uint32_t block1, access1, block2, access2; /* workgroups that read, + 1 */
} Cell;
typedef struct {
  char *base;
  uint64_t size;
  int32_t kind, index;
  Cell *cells;
} Region;

/* Mirrored by ctypes structures in run_kernel.py. */
typedef struct {
  int32_t type, region_kind, region_index, across;
  uint32_t before, after; /* accesses: site << 2 | bits */
  uint32_t thread_before, block_before, thread_after, block_after;
  uint64_t offset, count;
} Race;
typedef struct {
  int32_t type, region_kind, region_index, unused;
  uint32_t site, thread, block, other_site, other_thread, other_state;
  uint64_t offset, count;
} Event;

#define MAX_RECORDS 256
#define MAX_REGIONS 256
#define STACK_BYTES (1024 * 1024)

static Region regions[MAX_REGIONS];
static int num_regions;
static unsigned granule_shift;
static Race races[MAX_RECORDS];
static Event events[MAX_RECORDS];
static int num_races, num_events;
static uint64_t barriers_executed, subgroup_barriers_executed;

static uint32_t grid[3], block[3], block_id[3];
static uint32_t threads, subgroup_size, subgroups;
static uint32_t current, current_block, epoch;
static uint32_t *subepoch;
static int stop;

static ucontext_t scheduler, *contexts;
static char **stacks;
static uint8_t *state;
static uint32_t *wait_site, *permutation;
static void (*entry)(void **);
static void **entry_args;

/*===- Reports -----------------------------------------------------------===*/

static void report_race(int type, Region *r, uint64_t offset, Entry *before,
                        uint32_t access, int across) {
  for (int i = 0; i < num_races; ++i)
    if (races[i].type == type && races[i].before == before->access &&
        races[i].after == access && races[i].region_index == r->index &&
        races[i].across == across) {
      ++races[i].count;
      return;
    }
  if (num_races == MAX_RECORDS)
    return;
  Race race = {type, r->kind, r->index, across, before->access, access,
               before->thread - 1, before->block, current, current_block,
               offset, 1};
  races[num_races++] = race;
}

static Event *report_event(int type, uint32_t site, Region *r, uint64_t offset) {
  for (int i = 0; i < num_events; ++i)
    if (events[i].type == type && events[i].site == site) {
      ++events[i].count;
      return &events[i];
    }
  if (num_events == MAX_RECORDS)
    return &events[0];
  Event e = {type, r ? r->kind : -1, r ? r->index : -1, 0, site, current,
             current_block, 0, 0, 0, offset, 1};
  events[num_events] = e;
  return &events[num_events++];
}

/*===- The race check ----------------------------------------------------===*/

static int conflicts(Entry *e, Region *r, uint32_t access) {
  if (!e->thread || ((e->access & ATOMIC) && (access & ATOMIC)))
    return 0;
  if (e->block != current_block)
    return r->kind == GLOBAL;
  if (e->thread == current + 1 || e->epoch != epoch)
    return 0;
  uint32_t g = current / subgroup_size;
  return (e->thread - 1) / subgroup_size != g || e->subepoch == subepoch[g];
}

static void check_cell(Region *r, Cell *c, uint64_t offset, uint32_t access) {
  Entry now = {current + 1, current_block, epoch,
               subepoch[current / subgroup_size], access};
  if (conflicts(&c->write, r, access))
    report_race(access & WRITE ? WAW : RAW, r, offset, &c->write, access,
                c->write.block != current_block);
  if (access & WRITE) {
    Entry *readers[3] = {&c->a, &c->a2, &c->b};
    for (int i = 0; i < 3; ++i)
      if (readers[i]->thread && readers[i]->block == current_block &&
          conflicts(readers[i], r, access)) {
        report_race(WAR, r, offset, readers[i], access, 0);
        break;
      }
    if (r->kind == GLOBAL) {
      uint32_t b = c->block1, a = c->access1;
      if (b == current_block + 1)
        b = c->block2, a = c->access2;
      if (b && b != current_block + 1 && !((a & ATOMIC) && (access & ATOMIC))) {
        Entry other = {1, b - 1, 0, 0, a};
        report_race(WAR, r, offset, &other, access, 1);
      }
    }
    c->write = now;
    c->a.thread = c->a2.thread = c->b.thread = 0;
    return;
  }
  if (r->kind == WORKGROUP &&
      (!c->write.thread || c->write.block != current_block))
    report_event(UNINITIALIZED, access >> 2, r, offset);
  if (!c->block1)
    c->block1 = current_block + 1, c->access1 = access;
  else if (!c->block2 && c->block1 != current_block + 1)
    c->block2 = current_block + 1, c->access2 = access;
  /* An outdated reader is worth nothing. */
  if (c->a.thread && (c->a.block != current_block || c->a.epoch != epoch))
    c->a.thread = c->a2.thread = c->b.thread = 0;
  uint32_t g = current / subgroup_size;
  if (c->a.thread && (c->a.thread - 1) / subgroup_size == g) {
    if (c->a.thread != now.thread)
      c->a2 = c->a;
    if (c->a2.subepoch != now.subepoch)
      c->a2.thread = 0;
  } else if (c->a.thread) {
    Entry old = c->b;
    c->b = c->a;
    c->a2.thread = 0;
    if (old.thread && (old.thread - 1) / subgroup_size == g &&
        old.thread != now.thread && old.subepoch == now.subepoch)
      c->a2 = old;
  }
  c->a = now;
}

static void abort_workgroup(void) {
  stop = 1;
  swapcontext(&contexts[current], &scheduler);
}

void ms_access(char *p, uint64_t size, uint32_t access) {
  static Region *last;
  if (p >= stacks[current] && p < stacks[current] + STACK_BYTES)
    return;
  Region *r = last;
  if (!r || p < r->base || p + size > r->base + r->size) {
    r = 0;
    for (int i = 0; i < num_regions && !r; ++i)
      if (p >= regions[i].base && p + size <= regions[i].base + regions[i].size)
        r = &regions[i];
    if (!r) {
      Region *near = 0; /* begins in a region but ends beyond it, or is next to one */
      for (int i = 0; i < num_regions; ++i)
        if (p + 4096 >= regions[i].base &&
            p < regions[i].base + regions[i].size + 4096)
          near = &regions[i];
      report_event(OUT_OF_BOUNDS, access >> 2, near, near ? p - near->base : 0);
      abort_workgroup();
      return;
    }
    last = r;
  }
  if (r->kind == CONSTANT) {
    if (access & WRITE) {
      report_event(CONSTANT_WRITE, access >> 2, r, p - r->base);
      abort_workgroup();
    }
    return;
  }
  if (!size)
    return;
  uint64_t first = (uint64_t)(p - r->base) >> granule_shift;
  uint64_t end = ((uint64_t)(p - r->base) + size - 1) >> granule_shift;
  for (uint64_t i = first; i <= end; ++i)
    check_cell(r, &r->cells[i], i << granule_shift, access);
}

void ms_masked(char *p, uint64_t element, uint64_t mask, uint32_t access) {
  for (; mask; mask >>= 1, p += element)
    if (mask & 1)
      ms_access(p, element, access);
}

void ms_poison(void *p, uint64_t size) { memset(p, 0xff, size); }

/*===- Ids and barriers, called by the kernel -----------------------------===*/

int64_t _mlir_ciface_ms_id(int32_t what) {
  uint32_t id[3] = {current % block[0], current / block[0] % block[1],
                    current / block[0] / block[1]};
  int d = what % 3;
  switch (what / 3) {
  case 0: return id[d];
  case 1: return block_id[d];
  case 2: return block[d];
  case 3: return grid[d];
  case 4: return (int64_t)block_id[d] * block[d] + id[d];
  }
  switch (what) {
  case 15: return current % subgroup_size;
  case 16: return current / subgroup_size;
  case 17: return subgroup_size;
  default: return subgroups;
  }
}

static void wait_at(int kind, int32_t site) {
  state[current] = kind;
  wait_site[current] = site;
  swapcontext(&contexts[current], &scheduler);
}
void _mlir_ciface_ms_barrier(int32_t site) { wait_at(AT_BARRIER, site); }
void _mlir_ciface_ms_subgroup_barrier(int32_t site) {
  wait_at(AT_SUBGROUP_BARRIER, site);
}

/*===- The scheduler -----------------------------------------------------===*/

static uint64_t random_state;
static uint32_t next_random(uint32_t bound) {
  random_state = random_state * 6364136223846793005ull + 1442695040888963407ull;
  return (uint32_t)((random_state >> 33) % bound);
}
/* 0 forward, 1 reverse, 2 shuffled anew each time. */
static void permute(uint32_t *p, uint32_t n, int order) {
  for (uint32_t i = 0; i < n; ++i)
    p[i] = order == 1 ? n - 1 - i : i;
  if (order == 2)
    for (uint32_t i = n; i > 1; --i) {
      uint32_t j = next_random(i), x = p[i - 1];
      p[i - 1] = p[j];
      p[j] = x;
    }
}

static void fiber_main(void) {
  entry(entry_args);
  state[current] = DONE;
  swapcontext(&contexts[current], &scheduler);
}

/* The threads [lo, hi) do not all wait at one barrier: names two of them. */
static void diverge(int type, int kind, uint32_t lo, uint32_t hi) {
  uint32_t at = lo, other = lo;
  while (state[at] != kind)
    ++at;
  while (other < hi && state[other] == kind && wait_site[other] == wait_site[at])
    ++other;
  current = at;
  Event *e = report_event(type, wait_site[at], 0, 0);
  e->other_thread = other;
  e->other_site = wait_site[other];
  e->other_state = state[other];
  stop = 1;
}

/* 1: all of [lo, hi) wait at one barrier of this kind; 0: none waits at one;
 * -1: mixed. */
static int gathered(int kind, uint32_t lo, uint32_t hi) {
  uint32_t n = 0, at = lo, same = 0;
  for (uint32_t t = lo; t < hi; ++t)
    if (state[t] == kind) {
      if (!n++)
        at = t;
      same += wait_site[t] == wait_site[at];
    }
  return !n ? 0 : n == hi - lo && same == n ? 1 : -1;
}

static void run_workgroup(int order) {
  epoch = 0;
  memset(subepoch, 0, subgroups * sizeof(*subepoch));
  for (int i = 0; i < num_regions; ++i)
    if (regions[i].kind == WORKGROUP)
      memset(regions[i].base, 0xff, regions[i].size);
  for (uint32_t t = 0; t < threads; ++t) {
    getcontext(&contexts[t]);
    contexts[t].uc_stack.ss_sp = stacks[t];
    contexts[t].uc_stack.ss_size = STACK_BYTES;
    contexts[t].uc_link = 0;
    makecontext(&contexts[t], fiber_main, 0);
    state[t] = READY;
  }
  while (!stop) {
    permute(permutation, threads, order);
    for (uint32_t i = 0; i < threads && !stop; ++i)
      if (state[permutation[i]] == READY) {
        current = permutation[i];
        swapcontext(&scheduler, &contexts[current]);
      }
    if (stop)
      return;
    int released = 0;
    for (uint32_t g = 0; g < subgroups; ++g) {
      uint32_t lo = g * subgroup_size, hi = lo + subgroup_size;
      if (hi > threads)
        hi = threads;
      if (gathered(AT_SUBGROUP_BARRIER, lo, hi) != 1)
        continue;
      for (uint32_t t = lo; t < hi; ++t)
        state[t] = READY;
      ++subepoch[g];
      ++subgroup_barriers_executed;
      released = 1;
    }
    if (released)
      continue;
    for (uint32_t g = 0; g < subgroups && !stop; ++g) {
      uint32_t lo = g * subgroup_size, hi = lo + subgroup_size;
      if (hi > threads)
        hi = threads;
      if (gathered(AT_SUBGROUP_BARRIER, lo, hi) == -1)
        diverge(SUBGROUP_DIVERGENT, AT_SUBGROUP_BARRIER, lo, hi);
    }
    if (stop)
      return;
    switch (gathered(AT_BARRIER, 0, threads)) {
    case 0:
      return;
    case -1:
      diverge(DIVERGENT, AT_BARRIER, 0, threads);
      return;
    }
    for (uint32_t t = 0; t < threads; ++t)
      state[t] = READY;
    ++epoch;
    ++barriers_executed;
  }
}

/*===- Called by run_kernel.py --------------------------------------------===*/

void ms_region(void *base, uint64_t size, int32_t kind, int32_t index) {
  if (num_regions == MAX_REGIONS)
    return;
  Region r = {base, size, kind, index, 0};
  if (kind != CONSTANT) {
    uint64_t bytes = ((size >> granule_shift) + 1) * sizeof(Cell);
    r.cells = mmap(0, bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (r.cells == MAP_FAILED)
      abort();
  }
  regions[num_regions++] = r;
}

/* Before ms_region: the granule of the shadow memory. */
void ms_granule(uint32_t shift) { granule_shift = shift; }

int32_t ms_run(void (*fn)(void **), void **args, const uint32_t *grid_size,
               const uint32_t *block_size, uint32_t subgroup, int32_t order,
               uint64_t seed) {
  memcpy(grid, grid_size, sizeof(grid));
  memcpy(block, block_size, sizeof(block));
  entry = fn;
  entry_args = args;
  random_state = seed * 2654435761u + 88172645463325252ull;
  subgroup_size = subgroup;
  threads = block[0] * block[1] * block[2];
  subgroups = (threads + subgroup - 1) / subgroup;
  contexts = calloc(threads, sizeof(*contexts));
  stacks = calloc(threads, sizeof(*stacks));
  state = calloc(threads, 1);
  wait_site = calloc(threads, sizeof(*wait_site));
  permutation = calloc(threads, sizeof(*permutation));
  subepoch = calloc(subgroups, sizeof(*subepoch));
  char *all = mmap(0, (uint64_t)threads * STACK_BYTES, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (all == MAP_FAILED)
    return -1;
  for (uint32_t t = 0; t < threads; ++t)
    stacks[t] = all + (uint64_t)t * STACK_BYTES;
  uint32_t blocks = grid[0] * grid[1] * grid[2];
  uint32_t *ids = calloc(blocks, sizeof(*ids));
  permute(ids, blocks, order);
  for (uint32_t i = 0; i < blocks && !stop; ++i) {
    current_block = ids[i];
    block_id[0] = ids[i] % grid[0];
    block_id[1] = ids[i] / grid[0] % grid[1];
    block_id[2] = ids[i] / grid[0] / grid[1];
    run_workgroup(order);
  }
  return 0;
}

int32_t ms_races(Race **out) { *out = races; return num_races; }
int32_t ms_events(Event **out) { *out = events; return num_events; }
uint64_t ms_barriers(int32_t subgroup) {
  return subgroup ? subgroup_barriers_executed : barriers_executed;
}
