// Launches that need not be executed twice, for their kernel was proved free of
// races: they are made as the program asks for them.
//
// Its table says for which launches that holds; the driver, which allocation a
// pointer is into.

#define _GNU_SOURCE

#include "runtime/values/compare.h"
#include "runtime/values/program/program.h"
#include "runtime/values/program/runtime.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

typedef struct Launched {
  const char *arguments; // of the kernel, as its table has them
  const GpuDriver *driver;
  const Asked *asked;
} Launched;

// "p", or a number; NULL: there are not so many.
static const char *argument_at(const Launched *launched, size_t i) {
  const char *at = launched->arguments;
  while (at && *at && i--)
    at = strchr(at, ' ') + 1;
  return at && *at ? at : NULL;
}

static unsigned bytes_of(const void *data, size_t argument) {
  const char *at = argument_at(data, argument);
  return at && *at != 'p' ? (unsigned)strtoul(at, NULL, 10) : 0;
}

// Memory that the program has mapped itself may be one array in many pieces, of
// each of which the driver says that it is an allocation.
static bool is_mapped(const GpuDriver *driver, GpuAddress pointer) {
  GpuResult (*retain)(unsigned long long *, void *);
  GpuResult (*release)(unsigned long long);
  void *found = dlsym(driver->library, "cuMemRetainAllocationHandle"),
       *other = dlsym(driver->library, "cuMemRelease"), *at = NULL;
  unsigned long long handle = 0;
  memcpy(&retain, &found, sizeof found);
  memcpy(&release, &other, sizeof other);
  memcpy(&at, &pointer, sizeof at);
  if (!found || !other || retain(&handle, at))
    return false;
  release(handle);
  return true;
}

// 0: it is into none that the driver knows.
static GpuAddress allocation_of(const Launched *launched, size_t argument) {
  GpuResult (*range)(GpuAddress *, size_t *, GpuAddress);
  void *found = dlsym(launched->driver->library, "cuMemGetAddressRange_v2");
  GpuAddress pointer = 0, begin = 0;
  size_t bytes = 0;
  memcpy(&range, &found, sizeof found);
  memcpy(&pointer, launched->asked->arguments[argument], sizeof pointer);
  bool is_known = found && !range(&begin, &bytes, pointer) &&
                  !is_mapped(launched->driver, pointer);
  return is_known ? begin : 0;
}

static bool are_apart(const void *data) {
  const Launched *launched = data;
  for (size_t i = 0; argument_at(launched, i); i++) {
    if (*argument_at(launched, i) != 'p')
      continue;
    GpuAddress own = allocation_of(launched, i);
    for (size_t k = 0; own && k < i; k++)
      if (*argument_at(launched, k) == 'p' && allocation_of(launched, k) == own)
        return false;
    if (!own)
      return false;
  }
  return true;
}

bool proof_covers(const LaunchedKernel *kernel, const GpuDriver *driver,
                  const Asked *asked) {
  const TableHead *table = kernel->table;
  const uint32_t grid[] = {asked->grid.x, asked->grid.y, asked->grid.z};
  const uint32_t block[] = {asked->block.x, asked->block.y, asked->block.z};
  if (!table || !table->proved || asked->has_attributes)
    return false;
  Launched launched = {table_text(table, table->arguments), driver, asked};
  MadeLaunch launch = {.grid = grid,
                       .block = block,
                       .shared = asked->shared,
                       .tells_same_value = settings_get()->tells_same_value,
                       .arguments = asked->arguments,
                       .bytes = bytes_of,
                       .are_apart = are_apart,
                       .data = &launched};
  return compare_launch(table_text(table, table->proved), &launch);
}
