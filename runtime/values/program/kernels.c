// The kernels that a program launches, and what their modules say of them.
//
// The runtime knows a kernel by a function of the host, the driver by its name.
// Beside it in the same module is the one that was cut, under a name of its
// own, and a table of its places in the source, which is fetched once.

#define _GNU_SOURCE

#include "runtime/values/program/program.h"
#include "runtime/values/program/runtime.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TABLE = 1 << 28 };

static LaunchedKernel *kernels;

LaunchedKernel *kernels_first(void) { return kernels; }

// ------------------------------------------------------------------ tables ---

const char *table_text(const TableHead *table, uint32_t offset) {
  return table && offset && offset < table->bytes ? (const char *)table + offset
                                                  : NULL;
}

const TableSite *table_site(const TableHead *table, uint32_t number) {
  return table && number < table->sites
             ? (const TableSite *)(const void *)(table + 1) + number
             : NULL;
}

// Texts end in it.
static bool is_sound(const TableHead *table, size_t bytes) {
  return bytes >= sizeof *table && table->format == VALUES_TABLE_FORMAT &&
         table->bytes == bytes &&
         table->sites <= (bytes - sizeof *table) / sizeof(TableSite) &&
         !((const char *)table)[bytes - 1];
}

static const TableHead *fetch_table(const GpuDriver *driver, GpuModule *module,
                                    const char *name) {
  GpuAddress at;
  size_t bytes;
  if (driver->variable(&at, &bytes, module, name) || bytes > MOST_TABLE)
    return NULL;
  TableHead *table = malloc(bytes + 1);
  if (table && !driver->get(table, at, bytes) && is_sound(table, bytes))
    return table;
  free(table);
  return NULL;
}

// ---------------------------------------------------------------- finding ---

// NULL: the driver does not tell names.
static const char *name_of(const GpuDriver *driver, GpuFunction *function) {
  GpuResult (*name_of_function)(const char **, GpuFunction *);
  void *found = dlsym(driver->library, "cuFuncGetName");
  const char *name = NULL;
  memcpy(&name_of_function, &found, sizeof found);
  return found && !name_of_function(&name, function) ? name : NULL;
}

static char *joined(const char *prefix, const char *name) {
  size_t bytes = strlen(prefix) + strlen(name) + 1;
  char *text = malloc(bytes);
  if (text)
    snprintf(text, bytes, "%s%s", prefix, name);
  return text;
}

static void find_cut(LaunchedKernel *kernel, const GpuDriver *driver,
                     GpuModule *module, const char *name) {
  char *table = joined(VALUES_TABLE_PREFIX, name);
  char *cut = joined(VALUES_CUT_PREFIX, name);
  size_t bytes = 0;
  kernel->name = name;
  kernel->table = table ? fetch_table(driver, module, table) : NULL;
  if (!kernel->table) {
    kernel->reason =
        "it was compiled without -fplugin-arg-gpuverify-"
        "detect=values";
  } else {
    const char *source = table_text(kernel->table, kernel->table->source);
    kernel->name = source ? source : name;
    kernel->reason = table_text(kernel->table, kernel->table->reason);
  }
  if (!kernel->reason &&
      (!cut || driver->function(&kernel->cut, module, cut) ||
       driver->variable(&kernel->head, &bytes, module, VALUES_HEAD) ||
       bytes != sizeof(ValuesHead)))
    kernel->reason =
        "its module is of another version than "
        "libgpuverify-values.a";
  free(table);
  free(cut);
}

static void fill(LaunchedKernel *kernel, const GpuDriver *driver) {
  GpuModule *module = NULL;
  const char *name = name_of(driver, kernel->function);
  kernel->name = "?";
  if (!name)
    kernel->reason = "the driver is too old: it has no cuFuncGetName";
  else if (driver->module_of(&module, kernel->function))
    kernel->reason = "the driver does not say of which module it is";
  else
    find_cut(kernel, driver, module, name);
}

void kernels_forget(void) {
  for (LaunchedKernel *kernel = kernels; kernel; kernel = kernel->next)
    kernel->symbol = NULL;
}

// In another context it is another function.
LaunchedKernel *kernel_find(const GpuDriver *driver, const void *symbol) {
  GpuFunction *function = NULL;
  if (cudaGetFuncBySymbol(&function, symbol))
    return NULL;
  for (LaunchedKernel *k = kernels; k; k = k->next)
    if (k->symbol == symbol && k->function == function)
      return k;
  LaunchedKernel *kernel = calloc(1, sizeof *kernel);
  if (!kernel)
    return NULL;
  kernel->symbol = symbol;
  kernel->function = function;
  fill(kernel, driver);
  kernel->next = kernels;
  kernels = kernel;
  return kernel;
}
