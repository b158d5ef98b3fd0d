/*===- fake_cuda.c - a CUDA driver without a GPU
---------------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stands in for libcuda.so.1 in the tests of utils/run_on_gpu.py. It checks
what
// a driver checks: handles, ranges of device memory, the launch shape against
// .maxntid, shared memory against the limits of an sm_90. It reads the
// parameters with the widths that the PTX declares. It cannot execute PTX: the
// entries named in `programs` are written in C here, on the same parameters.
//
//   FAKE_CUDA_LOG      file to which calls are appended
//   FAKE_CUDA_FAIL     CALL=CODE: that call returns CODE; CALL=hang and
//                      CALL=crash do that; CALL@ENTRY=… only after a launch of
ENTRY
//   FAKE_CUDA_SM       compute capability, default 90
//   FAKE_CUDA_CORRUPT  "result": a wrong first element; "guard": a write behind
//                      the last buffer
//
//===----------------------------------------------------------------------===*/
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  INVALID_VALUE = 1,
  NO_CONTEXT = 201,
  INVALID_PTX = 218,
  NOT_FOUND = 500
};
enum { STATIC_LIMIT = 48 * 1024, OPT_IN_LIMIT = 227 * 1024 };
enum { MAX_ALLOCATIONS = 4096 };

/*===- Log and planned failures -------------------------------------------===*/

static char last_entry[128];
static int pending_error;

static void record(const char *format, ...) {
  const char *path = getenv("FAKE_CUDA_LOG");
  FILE *file = path ? fopen(path, "a") : NULL;
  if (!file)
    return;
  va_list args;
  va_start(args, format);
  vfprintf(file, format, args);
  va_end(args);
  fputc('\n', file);
  fclose(file);
}

static int planned(const char *call) {
  const char *plan = getenv("FAKE_CUDA_FAIL");
  size_t n = strlen(call);
  if (!plan || strncmp(plan, call, n))
    return 0;
  const char *what = strchr(plan, '=') + 1;
  if (plan[n] == '@') {
    size_t length = what - 1 - (plan + n + 1);
    if (strlen(last_entry) != length ||
        strncmp(plan + n + 1, last_entry, length))
      return 0;
  } else if (plan[n] != '=') {
    return 0;
  }
  if (!strcmp(what, "hang"))
    for (;;)
      sleep(1);
  if (!strcmp(what, "crash"))
    abort();
  return atoi(what);
}

#define PLANNED(CALL)                                                          \
  do {                                                                         \
    int code = planned(#CALL);                                                 \
    if (code)                                                                  \
      return code;                                                             \
  } while (0)

/*===- Device memory ------------------------------------------------------===*/

/* Device addresses are no host addresses: nobody may follow them but us. */
struct allocation {
  uint64_t address, size;
  unsigned char *bytes;
};
static struct allocation allocations[MAX_ALLOCATIONS];
static int num_allocations;

static unsigned char *host(uint64_t address, uint64_t size) {
  for (int i = 0; i < num_allocations; ++i) {
    struct allocation *a = &allocations[i];
    if (a->bytes && address >= a->address &&
        address + size <= a->address + a->size)
      return a->bytes + (address - a->address);
  }
  return NULL;
}

int cuMemAlloc_v2(uint64_t *address, size_t size) {
  PLANNED(cuMemAlloc_v2);
  if (!size || num_allocations == MAX_ALLOCATIONS)
    return INVALID_VALUE;
  struct allocation *a = &allocations[num_allocations];
  a->address = 0x700000000000 + ((uint64_t)++num_allocations << 24);
  a->size = size;
  a->bytes = malloc(size);
  memset(a->bytes, 0xee, size);
  *address = a->address;
  return 0;
}

int cuMemFree_v2(uint64_t address) {
  for (int i = 0; i < num_allocations; ++i)
    if (allocations[i].bytes && allocations[i].address == address) {
      free(allocations[i].bytes);
      allocations[i].bytes = NULL;
      return 0;
    }
  return INVALID_VALUE;
}

int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t size) {
  PLANNED(cuMemcpyHtoD_v2);
  unsigned char *bytes = host(to, size);
  if (!bytes)
    return INVALID_VALUE;
  memcpy(bytes, from, size);
  return 0;
}

int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t size) {
  PLANNED(cuMemcpyDtoH_v2);
  unsigned char *bytes = host(from, size);
  if (!bytes)
    return INVALID_VALUE;
  memcpy(to, bytes, size);
  return 0;
}

/*===- Device and context -------------------------------------------------===*/

static int has_context;

int cuInit(unsigned flags) {
  PLANNED(cuInit);
  return flags ? INVALID_VALUE : 0;
}

int cuDeviceGet(int *device, int ordinal) {
  *device = 0;
  return ordinal ? INVALID_VALUE : 0;
}

int cuDevicePrimaryCtxRetain(void **context, int device) {
  PLANNED(cuDevicePrimaryCtxRetain);
  *context = &has_context;
  return device ? INVALID_VALUE : 0;
}

int cuCtxSetCurrent(void *context) {
  has_context = context == &has_context;
  return has_context ? 0 : NO_CONTEXT;
}

int cuDeviceGetName(char *name, int size, int device) {
  (void)device;
  snprintf(name, size, "Fake GPU");
  return 0;
}

int cuDeviceGetAttribute(int *value, int attribute, int device) {
  const char *text = getenv("FAKE_CUDA_SM");
  int sm = text ? atoi(text) : 90;
  if (device || (attribute != 75 && attribute != 76))
    return INVALID_VALUE;
  *value = attribute == 75 ? sm / 10 : sm % 10;
  return 0;
}

int cuDriverGetVersion(int *version) {
  *version = 12040;
  return 0;
}

int cuGetErrorName(int code, const char **name) {
  switch (code) {
  case INVALID_VALUE:
    *name = "CUDA_ERROR_INVALID_VALUE";
    return 0;
  case 100:
    *name = "CUDA_ERROR_NO_DEVICE";
    return 0;
  case NO_CONTEXT:
    *name = "CUDA_ERROR_INVALID_CONTEXT";
    return 0;
  case INVALID_PTX:
    *name = "CUDA_ERROR_INVALID_PTX";
    return 0;
  case NOT_FOUND:
    *name = "CUDA_ERROR_NOT_FOUND";
    return 0;
  case 700:
    *name = "CUDA_ERROR_ILLEGAL_ADDRESS";
    return 0;
  default:
    *name = NULL;
    return INVALID_VALUE;
  }
}

/*===- Modules ------------------------------------------------------------===*/

enum { MAX_PARAMETERS = 64 };
struct module {
  char *ptx;
  char name[128];
  int num_parameters, widths[MAX_PARAMETERS], max_threads, static_bytes,
      max_dynamic;
};

/* Reads one entry of the PTX that LLVM prints. */
static int parse(struct module *m) {
  char *entry = strstr(m->ptx, ".visible .entry ");
  if (!entry || sscanf(entry, ".visible .entry %127[A-Za-z0-9_]", m->name) != 1)
    return 0;
  char *end = strchr(entry, ')');
  for (char *p = entry; (p = strstr(p, ".param .")) && p < end; ++p) {
    int bits;
    if (m->num_parameters == MAX_PARAMETERS ||
        sscanf(p, ".param .%*[a-z]%d", &bits) != 1)
      return 0;
    m->widths[m->num_parameters++] = bits / 8;
  }
  int x = 1024, y = 1, z = 1, bytes;
  char *threads = strstr(end, ".maxntid");
  if (threads)
    sscanf(threads, ".maxntid %d, %d, %d", &x, &y, &z);
  m->max_threads = x * y * z;
  /* `.shared .align 16 .b8 name;` is one byte, `name[]` none. */
  for (char *p = m->ptx; (p = strstr(p, ".shared .align ")); ++p) {
    bytes = 1;
    if (sscanf(p, ".shared .align %*d .b8 %*[A-Za-z0-9_][%d]", &bytes) < 1)
      bytes = strcspn(p, "[") < strcspn(p, ";") ? 0 : 1;
    m->static_bytes += bytes;
  }
  return 1;
}

int cuModuleLoadDataEx(void **result, const char *ptx, unsigned count,
                       int *options, void **values) {
  int code = planned("cuModuleLoadDataEx");
  if (!has_context)
    return NO_CONTEXT;
  struct module *m = calloc(1, sizeof(struct module));
  m->ptx = strdup(ptx);
  m->max_dynamic = STATIC_LIMIT;
  if (code || !parse(m)) {
    /* CU_JIT_ERROR_LOG_BUFFER and its size */
    if (count == 2 && options[0] == 5 && options[1] == 6)
      snprintf(values[0], (uintptr_t)values[1],
               "ptxas fatal : planned\n  failure\n");
    return code ? code : INVALID_PTX;
  }
  *result = m;
  return 0;
}

int cuModuleUnload(void *module) {
  struct module *m = module;
  free(m->ptx);
  free(m);
  return 0;
}

/* There is one function in a module, so its handle is the module's. */
int cuModuleGetFunction(void **function, void *module, const char *name) {
  *function = module;
  return strcmp(((struct module *)module)->name, name) ? NOT_FOUND : 0;
}

int cuFuncGetAttribute(int *value, int attribute, void *function) {
  *value = attribute == 1   ? ((struct module *)function)->static_bytes
           : attribute == 4 ? 32
                            : 0;
  return 0;
}

int cuFuncSetAttribute(void *function, int attribute, int value) {
  struct module *m = function;
  if (attribute != 8 || value + m->static_bytes > OPT_IN_LIMIT)
    return INVALID_VALUE;
  record("cuFuncSetAttribute %s dynamic %d", m->name, value);
  m->max_dynamic = value;
  return 0;
}

/*===- Programs -----------------------------------------------------------===*/

/* A memref of rank N as upstream passes it: 3 + 2 N parameters. */
#define ELEMENT(TYPE, P, BYTE)                                                 \
  (*(TYPE *)host((P)[1] + (P)[2] * sizeof(TYPE) + (BYTE), sizeof(TYPE)))

/* scaled_reverse(x: memref<?xf32>, scale: f32, shift: i16, out: memref<?xf32>)
 */
static void scaled_reverse(const uint64_t *p) {
  const uint64_t *x = p, *out = p + 7;
  float scale;
  memcpy(&scale, p + 5, 4);
  int64_t n = x[3];
  for (int64_t i = 0; i < n; ++i)
    ELEMENT(float, out, 4 * out[4] * i) =
        ELEMENT(float, x, 4 * x[4] * (n - 1 - i)) * scale + (int16_t)p[6];
}

/* large_transpose(x: memref<100x240xi32>, out: memref<240x100xi32>) */
static void large_transpose(const uint64_t *p) {
  const uint64_t *x = p, *out = p + 7;
  for (uint64_t i = 0; i < x[3]; ++i)
    for (uint64_t j = 0; j < x[4]; ++j)
      ELEMENT(int32_t, out, 4 * (out[5] * j + out[6] * i)) =
          ELEMENT(int32_t, x, 4 * (x[5] * i + x[6] * j)) + 1;
}

static const struct {
  const char *name;
  void (*run)(const uint64_t *);
} programs[] = {{"scaled_reverse", scaled_reverse},
                {"large_transpose", large_transpose}};

int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz,
                   unsigned bx, unsigned by, unsigned bz, unsigned dynamic,
                   void *stream, void **parameters, void **extra) {
  struct module *m = function;
  uint64_t values[MAX_PARAMETERS] = {0};
  PLANNED(cuLaunchKernel);
  snprintf(last_entry, sizeof last_entry, "%s", m->name);
  record("cuLaunchKernel %s grid %u %u %u block %u %u %u dynamic %u", m->name,
         gx, gy, gz, bx, by, bz, dynamic);
  if (stream || extra || !gx || !gy || !gz ||
      bx * by * bz > (unsigned)m->max_threads ||
      dynamic > (unsigned)m->max_dynamic ||
      dynamic + m->static_bytes > OPT_IN_LIMIT)
    return INVALID_VALUE;
  for (int i = 0; i < m->num_parameters; ++i) {
    memcpy(&values[i], parameters[i], m->widths[i]);
    record("  param %d: %d bytes 0x%llx", i, m->widths[i],
           (unsigned long long)values[i]);
  }
  for (unsigned i = 0; i < sizeof programs / sizeof *programs; ++i)
    if (!strcmp(programs[i].name, m->name))
      programs[i].run(values);
  /* Dynamic shared memory is used, but the launch gives none. */
  if (!dynamic && strstr(m->ptx, "__dynamic_shmem"))
    pending_error = 700;
  const char *corrupt = getenv("FAKE_CUDA_CORRUPT");
  struct allocation *last = &allocations[num_allocations - 1];
  if (corrupt && !strcmp(corrupt, "result"))
    last->bytes[0] ^= 0x40;
  if (corrupt && !strcmp(corrupt, "guard"))
    last->bytes[last->size - 1] = 0;
  return 0;
}

int cuCtxSynchronize(void) {
  PLANNED(cuCtxSynchronize);
  return pending_error;
}

/*===- Events -------------------------------------------------------------===*/

int cuEventCreate(void **event, unsigned flags) {
  static int events;
  *event = &events;
  return flags ? INVALID_VALUE : 0;
}

int cuEventRecord(void *event, void *stream) {
  record("cuEventRecord");
  return event && !stream ? 0 : INVALID_VALUE;
}

int cuEventSynchronize(void *event) { return event ? 0 : INVALID_VALUE; }

int cuEventElapsedTime(float *milliseconds, void *begin, void *end) {
  *milliseconds = 6;
  return begin && end ? 0 : INVALID_VALUE;
}

int cuEventDestroy_v2(void *event) { return event ? 0 : INVALID_VALUE; }
