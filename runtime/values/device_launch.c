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

// One half is for blocks, the other one for the grid.
static void divide(ValuesMemory *memory, uint64_t bytes, unsigned slices) {
  ValuesHead *head = &memory->head;
  uint64_t seen = VALUES_SEEN * sizeof(ValuesWord);
  uint64_t taken = rounded(slices * sizeof(ValuesWord));
  uint64_t half = (bytes - seen - taken) / 2 / ALIGNMENT * ALIGNMENT;
  head->slice_count = slices;
  head->seen = memory->at;
  head->is_taken = head->seen + seen;
  head->grid = head->is_taken + taken;
  head->grid_bytes = half;
  head->slices = head->grid + half;
  head->slice_bytes = half / slices / ALIGNMENT * ALIGNMENT;
}

GpuResult values_memory_take(ValuesMemory *memory, const GpuDriver *driver,
                             GpuDevice device, uint64_t bytes) {
  int processors = 0;
  size_t free_bytes = 0, all = 0;
  void *reports = NULL;
  *memory = (ValuesMemory){.driver = driver};
  GpuResult result = driver->attribute(&processors, GPU_PROCESSORS, device);
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
  if (!result)
    divide(memory, bytes, (unsigned)processors * VALUES_SLICES_A_PROCESSOR);
  return result;
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
  ValuesLaunch end = {.grid = {memory->head.slice_count / 4, 1, 1},
                      .block = {THREADS, 1, 1},
                      .stream = launch->stream,
                      .arguments = (void *[]){&part}};
  GpuResult result = driver->module_of(&module, launch->function);
  if (!result)
    result = driver->function(&end.function, module, VALUES_END);
  return result ? result : start(driver, &end);
}

static GpuResult execute(ValuesMemory *memory, const ValuesLaunch *launch) {
  const GpuDriver *driver = memory->driver;
  unsigned pass = memory->head.pass;
  GpuResult result =
      driver->put(launch->head, &memory->head, sizeof memory->head);
  if (!result)
    result = start(driver, launch);
  if (!result && pass == 1)
    result = end_grid(memory, launch, 0);
  for (unsigned part = 1; !result && pass == 2 && part <= 2; part++)
    result = end_grid(memory, launch, part);
  return result ? result : await(driver, launch);
}

// What was told in the first execution is not told again in the second one.
static GpuResult execute_twice(ValuesMemory *memory,
                               const ValuesLaunch *launch) {
  const GpuDriver *driver = memory->driver;
  GpuResult result;
  memory->head.pass = 1;
  result = execute(memory, launch);
  if (!result)
    result = driver->get(&memory->head, launch->head, sizeof memory->head);
  memory->head.pass = 2;
  if (!result)
    result = execute(memory, launch);
  return result ? result : driver->fill(memory->head.grid, 0, VALUES_COUNTS);
}

// Slices are laid out for so many lines of a block's own memory; where it has
// more they are laid out anew.
static GpuResult fit_shared(ValuesMemory *memory, const ValuesLaunch *launch) {
  enum { RESERVED = 1024 }; // bytes of the system's own before all others
  ValuesHead *head = &memory->head;
  int bytes = 0;
  GpuResult result = memory->driver->function_attribute(
      &bytes, GPU_STATIC_SHARED, launch->function);
  unsigned lines =
      ((unsigned)bytes + launch->shared + RESERVED) / VALUES_LINE + 2;
  if (result || lines <= head->shared_lines)
    return result;
  head->shared_lines =
      lines < VALUES_SHARED_LINES ? lines : VALUES_SHARED_LINES;
  return memory->driver->fill(head->slices, 0,
                              head->slice_count * head->slice_bytes);
}

GpuResult values_launch(ValuesMemory *memory, const ValuesLaunch *launch) {
  const unsigned *grid = launch->grid;
  bool is_one = (uint64_t)grid[0] * grid[1] * grid[2] == 1;
  memset(memory->reports, 0, VALUES_REPORTS * sizeof *memory->reports);
  memory->head.told = memory->head.dropped = 0;
  memory->head.pass = 0;
  GpuResult result = memory->driver->fill(memory->head.seen, 0,
                                          VALUES_SEEN * sizeof(ValuesWord));
  if (!result)
    result = fit_shared(memory, launch);
  if (result)
    return result;
  result = is_one ? execute(memory, launch) : execute_twice(memory, launch);
  return result ? result
                : memory->driver->get(&memory->head, launch->head,
                                      sizeof memory->head);
}

unsigned values_report_count(const ValuesMemory *memory) {
  const volatile ValuesReport *reports = memory->reports;
  unsigned count = 0;
  while (count < VALUES_REPORTS && reports[count].is_there)
    count++;
  return count;
}
