// Memory for copies on a device, and launches with it.

#define _GNU_SOURCE

#include "runtime/values/device_launch.h"
#include "runtime/machine/copied.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

enum { ALIGNMENT = 256, SHORTEST_NAP = 20, LONGEST_NAP = 1000 }; // microseconds

static uint64_t rounded(uint64_t bytes) {
  return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

// One half is for the grid, an eighth for what atomic operations have found,
// the rest for blocks.
static GpuResult divide(ValuesMemory *memory, uint64_t bytes) {
  ValuesHead *head = &memory->head;
  uint64_t seen = VALUES_SEEN * sizeof(ValuesWord);
  uint64_t half = bytes / 2 / ALIGNMENT * ALIGNMENT;
  uint64_t eighth = bytes / 8 / ALIGNMENT * ALIGNMENT;
  if (half < VALUES_LEAST_GRID)
    return GPU_OUT_OF_MEMORY;
  head->grid = memory->at;
  head->grid_bytes = half;
  head->log = head->grid + half;
  head->log_bytes = eighth;
  head->seen = head->log + eighth;
  memory->pool = head->seen + seen;
  memory->pool_bytes = bytes - half - eighth - seen;
  return GPU_SUCCESS;
}

GpuResult values_memory_take(ValuesMemory *memory, const GpuDriver *driver,
                             GpuDevice device, uint64_t bytes) {
  size_t free_bytes = 0, all = 0;
  void *reports = NULL;
  *memory = (ValuesMemory){.driver = driver};
  GpuResult result =
      driver->attribute(&memory->processors, GPU_PROCESSORS, device);
  if (!result && !bytes)
    result = driver->room(&free_bytes, &all);
  bytes = bytes ? bytes : free_bytes / 2;
  if (!result)
    result =
        driver->take_host(&reports, VALUES_REPORTS * sizeof *memory->reports);
  if (!result)
    result = driver->take(&memory->at, bytes);
  if (!result)
    result = driver->fill(memory->at, 0, bytes);
  memory->reports = reports;
  memory->head.reports = (uintptr_t)reports;
  return result ? result : divide(memory, bytes);
}

void values_memory_give(ValuesMemory *memory) {
  if (memory->at)
    memory->driver->give(memory->at);
  if (memory->reports)
    memory->driver->give_host(memory->reports);
  *memory = (ValuesMemory){0};
}

// ----------------------------------------------------------------- launch ---

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static GpuResult await(const GpuDriver *driver, const ValuesLaunch *launch) {
  double deadline = now() + launch->seconds;
  unsigned nap = SHORTEST_NAP;
  GpuResult result;
  while ((result = driver->query(launch->stream)) == GPU_NOT_READY) {
    if (launch->seconds > 0 && now() > deadline)
      break;
    usleep(nap);
    nap = nap < LONGEST_NAP ? nap + nap / 4 : nap;
  }
  return result;
}

static GpuResult start(const GpuDriver *driver, const ValuesLaunch *launch) {
  const unsigned *grid = launch->grid, *block = launch->block;
  return driver->start(launch->function, grid[0], grid[1], grid[2], block[0],
                       block[1], block[2], launch->shared, launch->stream,
                       launch->arguments, NULL);
}

GpuResult values_launch_plainly(const GpuDriver *driver,
                                const ValuesLaunch *launch) {
  GpuResult result = start(driver, launch);
  return result ? result : await(driver, launch);
}

// One of the things to be done when all blocks have been executed.
static GpuResult end_grid(const ValuesMemory *memory,
                          const ValuesLaunch *launch, unsigned part) {
  enum { THREADS = 256 };
  const GpuDriver *driver = memory->driver;
  GpuModule *module;
  ValuesLaunch end = {.grid = {4 * (unsigned)memory->processors, 1, 1},
                      .block = {THREADS, 1, 1},
                      .stream = launch->stream,
                      .arguments = (void *[]){&part}};
  GpuResult result = driver->module_of(&module, launch->function);
  if (!result)
    result = driver->function(&end.function, module, VALUES_END);
  return result ? result : start(driver, &end);
}

static GpuResult execute(ValuesMemory *memory, const ValuesLaunch *launch,
                         unsigned pass) {
  const GpuDriver *driver = memory->driver;
  memory->head.pass = pass;
  GpuResult result =
      driver->put(launch->head, &memory->head, sizeof memory->head);
  return result ? result : start(driver, launch);
}

static GpuResult finish(ValuesMemory *memory, const ValuesLaunch *launch) {
  GpuResult result = await(memory->driver, launch);
  return result ? result
                : memory->driver->get(&memory->head, launch->head,
                                      sizeof memory->head);
}

// What was told in the first execution is not told again in the second one,
// which is left out if no block has read what another one has written.
static GpuResult execute_twice(ValuesMemory *memory,
                               const ValuesLaunch *launch) {
  const GpuDriver *driver = memory->driver;
  GpuAddress grid = memory->head.grid;
  unsigned is_needed = 0;
  GpuResult result = driver->fill(
      grid, 0, VALUES_COUNTS + VALUES_READERS * sizeof(ValuesWord));
  if (!result) // of the log nothing is used
    result = driver->fill(memory->head.log, 0, sizeof(ValuesLong));
  if (!result)
    result = execute(memory, launch, 1);
  if (!result)
    result = end_grid(memory, launch, 0);
  if (!result)
    result = finish(memory, launch);
  if (!result)
    result = driver->get(&is_needed, grid + VALUES_IS_NEEDED, sizeof is_needed);
  if (!result && is_needed)
    result = execute(memory, launch, 2);
  for (unsigned part = is_needed ? 1 : 2; !result && part <= 2; part++)
    result = end_grid(memory, launch, part);
  return result ? result : finish(memory, launch);
}

static GpuResult execute_once(ValuesMemory *memory,
                              const ValuesLaunch *launch) {
  GpuResult result = execute(memory, launch, 0);
  return result ? result : finish(memory, launch);
}

// A slice for each block that is there at a time.
static GpuResult lay_out(ValuesMemory *memory) {
  ValuesHead *head = &memory->head;
  uint64_t least = (head->shared_lines + (uint64_t)VALUES_LEAST_LINES) *
                   (VALUES_LINE_BYTES + sizeof(ValuesWord));
  head->slice_count = head->slices_a_processor * (unsigned)memory->processors;
  uint64_t taken = rounded(head->slice_count * sizeof(ValuesWord));
  head->is_taken = memory->pool;
  head->slices = memory->pool + taken;
  head->slice_bytes =
      (memory->pool_bytes - taken) / head->slice_count / ALIGNMENT * ALIGNMENT;
  return head->slice_bytes < least
             ? GPU_OUT_OF_MEMORY
             : memory->driver->fill(memory->pool, 0, memory->pool_bytes);
}

// Slices that are too small, or too few, are laid out anew.
static GpuResult fit(ValuesMemory *memory, const ValuesLaunch *launch) {
  enum { RESERVED = 1024 }; // bytes of the system's own before all others
  const GpuDriver *driver = memory->driver;
  const unsigned *block = launch->block;
  ValuesHead *head = &memory->head;
  int bytes = 0, blocks = 0;
  GpuResult result =
      driver->function_attribute(&bytes, GPU_STATIC_SHARED, launch->function);
  if (!result)
    result =
        driver->blocks(&blocks, launch->function,
                       (int)(block[0] * block[1] * block[2]), launch->shared);
  unsigned lines =
      ((unsigned)bytes + launch->shared + RESERVED) / VALUES_LINE + 2;
  if (lines > VALUES_SHARED_LINES)
    lines = VALUES_SHARED_LINES;
  if (result || (lines <= head->shared_lines &&
                 (unsigned)blocks <= head->slices_a_processor))
    return result;
  if (lines > head->shared_lines)
    head->shared_lines = lines;
  if ((unsigned)blocks > head->slices_a_processor)
    head->slices_a_processor = (unsigned)blocks;
  return lay_out(memory);
}

GpuResult values_launch(ValuesMemory *memory, const ValuesLaunch *launch) {
  const unsigned *grid = launch->grid;
  bool is_one = (uint64_t)grid[0] * grid[1] * grid[2] == 1;
  memset(memory->reports, 0, VALUES_REPORTS * sizeof *memory->reports);
  memory->head.told = memory->head.dropped = 0;
  GpuResult result = memory->driver->fill(memory->head.seen, 0,
                                          VALUES_SEEN * sizeof(ValuesWord));
  if (!result)
    result = fit(memory, launch);
  if (result)
    return result;
  return is_one ? execute_once(memory, launch) : execute_twice(memory, launch);
}

unsigned values_report_count(const ValuesMemory *memory) {
  const volatile ValuesReport *reports = memory->reports;
  unsigned count = 0;
  while (count < VALUES_REPORTS && reports[count].is_there)
    count++;
  return count;
}
