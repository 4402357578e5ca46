// A CUDA driver without a device, for tests: built as libcuda.so.1 and found by
// LD_LIBRARY_PATH.
//
// It executes nothing.  It keeps what is put into "device" memory, notes each
// call in the file $FAKE_LOG, writes the PTX to $FAKE_PTX, and looks whether
// what it is given makes sense: addresses and sizes, and gates whose tickets
// are each there once.  $FAKE says how it ends:
//
//   follows        every launch leaves the last ticket, and no complaint
//   asserts        so does the first; the second ends with a failed assertion
//   differs        the second changes the first word of the first buffer
//   strays late    the second ends with another access; or with none
//   hangs          the second does not end
//   races          a kernel that checks itself tells of its first buffer: by
//                  thread 0 it is read, by thread 1 written
//   lies           each schedule of a program with threads fails an assertion
//   mapped         all memory was mapped by the program itself
//   strange        it tells of what nobody knows
//   none old ptx newer full broken   no device, an old one, PTX that is too
//                  new, a kernel for newer devices, no room, an illegal address
//
// What a module says of kernels that check themselves is read from the PTX in
// the file $FAKE_MODULE.

#include "runtime/device/driver.h"
#include "runtime/instances/instance.h"
#include "runtime/machine/copied.h"
#include "runtime/schedules/gates.h"
#include "runtime/values/on_device.h"
#include "runtime/values/table.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

enum { MOST_BLOCKS = 256, INVALID = 1, ILLEGAL_ADDRESS = 700, BASE = 1 << 20 };

// Device memory: addresses that nobody on the host can follow by mistake.
static struct {
  GpuAddress address;
  size_t bytes;
  char *at;
} taken[MOST_BLOCKS];

static unsigned blocks, launches;
static GpuAddress next = BASE, gates_at, head_at;

// Exported, and called by name only.
#define GPU_FUNCTION(member, name, parameters)                                 \
  EXPORT GpuResult fake_##member parameters __asm__(name);
#include "runtime/device/driver.def"
#undef GPU_FUNCTION

static bool is(const char *how) {
  const char *fake = getenv("FAKE");
  return fake && !strcmp(fake, how);
}

static void note(const char *fmt, ...) {
  FILE *log = getenv("FAKE_LOG") ? fopen(getenv("FAKE_LOG"), "a") : NULL;
  va_list args;
  if (!log)
    return;
  va_start(args, fmt);
  vfprintf(log, fmt, args);
  va_end(args);
  fclose(log);
}

static char *at(GpuAddress address, size_t bytes) {
  for (unsigned i = 0; i < blocks; i++)
    if (taken[i].at && address >= taken[i].address &&
        address + bytes <= taken[i].address + taken[i].bytes)
      return taken[i].at + (address - taken[i].address);
  return NULL;
}

static size_t bytes_at(GpuAddress address) {
  for (unsigned i = 0; i < blocks; i++)
    if (taken[i].at && address == taken[i].address)
      return taken[i].bytes;
  return 0;
}

// ----------------------------------------------------------------- device ---

GpuResult fake_init(unsigned flags) {
  note("init\n");
  return flags ? INVALID : is("none") ? GPU_NO_DEVICE : GPU_SUCCESS;
}

GpuResult fake_version(int *version) {
  *version = 12040;
  return GPU_SUCCESS;
}

GpuResult fake_count(int *count) {
  *count = 1;
  return GPU_SUCCESS;
}

GpuResult fake_device(GpuDevice *device, int ordinal) {
  *device = 7;
  return ordinal ? INVALID : GPU_SUCCESS;
}

GpuResult fake_name(char *name, int bytes, GpuDevice device) {
  snprintf(name, (size_t)bytes, "no device");
  return device == 7 ? GPU_SUCCESS : INVALID;
}

GpuResult fake_attribute(int *value, int attribute, GpuDevice device) {
  *value = 1;
  if (attribute == GPU_CAPABILITY_MAJOR)
    *value = is("old") ? 6 : 8;
  if (attribute == GPU_CAPABILITY_MINOR)
    *value = 0;
  return device == 7 ? GPU_SUCCESS : INVALID;
}

GpuResult fake_retain(GpuContext **context, GpuDevice device) {
  *context = (GpuContext *)(void *)&blocks;
  return device == 7 ? GPU_SUCCESS : INVALID;
}

GpuResult fake_use(GpuContext *context) {
  return (void *)context == &blocks ? GPU_SUCCESS : INVALID;
}

GpuResult fake_error(GpuResult result, const char **text) {
  *text = result == ILLEGAL_ADDRESS ? "an illegal address" : "invalid argument";
  return GPU_SUCCESS;
}

// ----------------------------------------------------------------- memory ---

GpuResult fake_take(GpuAddress *address, size_t bytes) {
  if (blocks == MOST_BLOCKS || !bytes)
    return INVALID;
  taken[blocks].address = *address = next;
  taken[blocks].bytes = bytes;
  taken[blocks++].at = calloc(bytes, 1);
  next += (bytes + 255) / 256 * 256;
  note("take %zu\n", bytes);
  return GPU_SUCCESS;
}

GpuResult fake_give(GpuAddress address) {
  for (unsigned i = 0; i < blocks; i++)
    if (taken[i].at && taken[i].address == address) {
      free(taken[i].at);
      taken[i].at = NULL;
      note("give %zu\n", taken[i].bytes);
      return GPU_SUCCESS;
    }
  return INVALID;
}

GpuResult fake_put(GpuAddress to, const void *from, size_t bytes) {
  char *there = at(to, bytes);
  if (!there)
    return INVALID;
  memcpy(there, from, bytes);
  note("put %zu\n", bytes);
  return GPU_SUCCESS;
}

GpuResult fake_get(void *to, GpuAddress from, size_t bytes) {
  const char *there = at(from, bytes);
  if (!there)
    return INVALID;
  memcpy(to, there, bytes);
  note("get %zu\n", bytes);
  return GPU_SUCCESS;
}

GpuResult fake_fill(GpuAddress to, unsigned char value, size_t bytes) {
  char *there = at(to, bytes);
  if (!there)
    return INVALID;
  memset(there, value, bytes);
  return GPU_SUCCESS;
}

GpuResult fake_room(size_t *free_bytes, size_t *all) {
  *free_bytes = *all = (size_t)1 << 30;
  return GPU_SUCCESS;
}

GpuResult fake_take_host(void **address, size_t bytes) {
  *address = calloc(bytes, 1);
  return *address ? GPU_SUCCESS : INVALID;
}

GpuResult fake_give_host(void *address) {
  free(address);
  return GPU_SUCCESS;
}

// ----------------------------------------------------------------- module ---

static void write_ptx(const char *text) {
  FILE *file = getenv("FAKE_PTX") ? fopen(getenv("FAKE_PTX"), "w") : NULL;
  if (!file)
    return;
  fputs(text, file);
  fclose(file);
}

GpuResult fake_load(GpuModule **module, const void *image) {
  if (is("ptx"))
    return GPU_UNSUPPORTED_PTX;
  if (is("newer"))
    return GPU_NO_BINARY;
  write_ptx(image);
  note("load\n");
  *module = (GpuModule *)(void *)&launches;
  return strstr(image, ".visible .entry " GATES_ENTRY) ||
                 strstr(image, ".visible .entry gpuverify_instances")
             ? GPU_SUCCESS
             : INVALID;
}

GpuResult fake_module_of(GpuModule **module, GpuFunction *function) {
  *module = (GpuModule *)(void *)&launches;
  return (void *)function == &next ? GPU_SUCCESS : INVALID;
}

GpuResult fake_unload(GpuModule *module) {
  note("unload\n");
  return (void *)module == &launches ? GPU_SUCCESS : INVALID;
}

GpuResult fake_function(GpuFunction **function, GpuModule *module,
                        const char *name) {
  note("function %s\n", name);
  *function = (GpuFunction *)(void *)&next;
  return (void *)module == &launches ? GPU_SUCCESS : INVALID;
}

// Of the function that fake_named was asked for.
static const char *function_name;

EXPORT GpuFunction *fake_named(const char *name);
EXPORT GpuResult cuFuncGetName(const char **name, GpuFunction *function);
EXPORT GpuResult cuMemGetAddressRange_v2(GpuAddress *begin, size_t *bytes,
                                         GpuAddress at);

GpuFunction *fake_named(const char *name) {
  function_name = name;
  return (GpuFunction *)(void *)&next;
}

GpuResult cuFuncGetName(const char **name, GpuFunction *function) {
  *name = function_name;
  return (void *)function == &next ? GPU_SUCCESS : INVALID;
}

// Every pointer is to the begin of what was allocated.
GpuResult cuMemGetAddressRange_v2(GpuAddress *begin, size_t *bytes,
                                  GpuAddress at) {
  *begin = at;
  *bytes = 1;
  return at ? GPU_SUCCESS : INVALID;
}

EXPORT GpuResult cuMemRetainAllocationHandle(unsigned long long *handle,
                                             void *address);
EXPORT GpuResult cuMemRelease(unsigned long long handle);

GpuResult cuMemRetainAllocationHandle(unsigned long long *handle,
                                      void *address) {
  *handle = 1;
  return address && is("mapped") ? GPU_SUCCESS : INVALID;
}

GpuResult cuMemRelease(unsigned long long handle) {
  return handle == 1 ? GPU_SUCCESS : INVALID;
}

// Behind `NAME[`: the size, and the bytes as numbers.
static GpuResult read_table(GpuAddress *address, size_t *bytes,
                            const char *at) {
  char *end;
  *bytes = strtoul(at, &end, 10);
  char *values = strchr(end, '{');
  if (!values || fake_take(address, *bytes))
    return INVALID;
  for (size_t i = 0; i < *bytes; i++, values = end)
    taken[blocks - 1].at[i] = (char)strtol(values + 1, &end, 10);
  return GPU_SUCCESS;
}

static char *read_module(void) {
  enum { MOST = 1 << 24 };
  static char text[MOST];
  FILE *file = getenv("FAKE_MODULE") ? fopen(getenv("FAKE_MODULE"), "r") : NULL;
  if (!file)
    return NULL;
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  fclose(file);
  return text;
}

static GpuResult find_table(GpuAddress *address, size_t *bytes,
                            const char *name) {
  const char *module = read_module();
  size_t length = strlen(name);
  for (const char *at = module; at && (at = strstr(at, name)); at += length)
    if (at[length] == '[')
      return read_table(address, bytes, at + length + 1);
  return INVALID;
}

GpuResult fake_variable(GpuAddress *address, size_t *bytes, GpuModule *module,
                        const char *name) {
  if (!strncmp(name, VALUES_TABLE_PREFIX, sizeof VALUES_TABLE_PREFIX - 1))
    return find_table(address, bytes, name);
  bool is_gates = !strcmp(name, GATES_NAME);
  bool is_head = !strcmp(name, VALUES_HEAD);
  *bytes = is_gates ? sizeof(Gates) : is_head ? sizeof(ValuesHead) : 64;
  note("variable %s\n", name);
  if ((void *)module != &launches || fake_take(address, *bytes))
    return INVALID;
  gates_at = is_gates ? *address : gates_at;
  head_at = is_head ? *address : head_at;
  return GPU_SUCCESS;
}

GpuResult fake_set_function(GpuFunction *function, int attribute, int value) {
  note("shared %d\n", value);
  return (void *)function == &next && attribute == GPU_MOST_DYNAMIC_SHARED
             ? GPU_SUCCESS
             : INVALID;
}

GpuResult fake_blocks(int *most, GpuFunction *function, int threads,
                      size_t shared) {
  note("blocks of %d with %zu\n", threads, shared);
  *most = is("full") ? 1 : 16;
  return (void *)function == &next ? GPU_SUCCESS : INVALID;
}

GpuResult fake_function_attribute(int *value, int attribute,
                                  GpuFunction *function) {
  *value = 256;
  return (void *)function == &next && attribute == GPU_STATIC_SHARED
             ? GPU_SUCCESS
             : INVALID;
}

// ----------------------------------------------------------------- launch ---

// All gates are those of one thread, and each ticket is there once.
static uint32_t count_tickets(const Gates *head, unsigned threads) {
  size_t count = bytes_at(head->gates) / sizeof(Gate);
  const Gate *gates = (const void *)at(head->gates, 1);
  const GateList *lists =
      (const void *)at(head->lists, threads * sizeof *lists);
  char *seen = calloc(count + 1, 1);
  uint32_t all = 0;
  assert(gates && lists && seen);
  for (unsigned t = 0; t < threads; t++)
    for (uint32_t i = lists[t].next; i < lists[t].last; i++, all++) {
      assert(i < count && gates[i].ticket < count && !seen[gates[i].ticket]++);
      assert(i == lists[t].next || gates[i - 1].ticket < gates[i].ticket);
    }
  free(seen);
  return all;
}

static void end_launch(Gates *head, unsigned threads) {
  head->ticket = count_tickets(head, threads);
  if (launches < 2)
    return;
  head->thread = 1;
  head->end = is("asserts")  ? GATES_ASSERTION
              : is("strays") ? GATES_OTHER
              : is("late")   ? GATES_LATE
                             : GATES_NONE;
  if (is("strays") || is("late"))
    head->ticket = 1;
  if (is("differs"))
    *(int *)(void *)taken[0].at += 1;
}

// Of programs with threads; else all ends stay zero.
static void tell_lies(GpuAddress address) {
  const InstancePlan *plan = (void *)at(address, sizeof *plan);
  assert(plan);
  InstanceEnd *ends = (void *)at(plan->ends, plan->count * sizeof *ends);
  assert(ends);
  for (InstanceLong i = 0; i < plan->count && is("lies"); i++)
    ends[i] = (InstanceEnd){
        .number = plan->first + i, .mishap = INSTANCE_ASSERTION, .steps = 1};
}

GpuResult fake_launch(GpuFunction *function, unsigned grid_x, unsigned grid_y,
                      unsigned grid_z, unsigned block_x, unsigned block_y,
                      unsigned block_z, unsigned shared, GpuStream *stream,
                      void **arguments) {
  GpuAddress first = BASE; // of a kernel without arguments, too
  Gates *head = (Gates *)(void *)at(gates_at, sizeof *head);
  assert((void *)function == &next && !stream);
  if (!gates_at) {
    note("launch %u, %u\n", grid_x, block_x);
    memcpy(&first, arguments[0], sizeof first);
    tell_lies(first);
    return GPU_SUCCESS;
  }
  assert(head);
  if (arguments && arguments[0])
    memcpy(&first, arguments[0], sizeof first);
  note("launch %u %u %u, %u %u %u, %u, %s\n", grid_x, grid_y, grid_z, block_x,
       block_y, block_z, shared, first == BASE ? "first buffer" : "?");
  if (head->is_off)
    return GPU_SUCCESS;
  launches++;
  assert(head->patience && !head->ticket && !head->end);
  end_launch(head, grid_x * grid_y * grid_z * block_x * block_y * block_z);
  return GPU_SUCCESS;
}

// Memory and counts of a kernel that checks itself.
static void check_head(ValuesHead *head) {
  note("pass %u, %u slices of %s\n", head->pass, head->slice_count,
       head->slice_bytes > 1 << 16 ? "some size" : "nothing");
  assert(at(head->slices, head->slice_bytes * head->slice_count) &&
         at(head->grid, head->grid_bytes) &&
         at(head->seen, VALUES_SEEN * sizeof(ValuesWord)) &&
         at(head->is_taken, head->slice_count * sizeof(ValuesWord)));
}

static void tell_race(ValuesHead *head) {
  ValuesReport *report = (ValuesReport *)(uintptr_t)head->reports;
  head->told = 1;
  *report = (ValuesReport){.is_there = 1,
                           .kind = is("strange") ? 99 : VALUES_READ_WRITE,
                           .place = 1 << VALUES_SITE_SHIFT,
                           .other_place = 1,
                           .at = BASE + 4};
}

GpuResult fake_start(GpuFunction *function, unsigned grid_x, unsigned grid_y,
                     unsigned grid_z, unsigned block_x, unsigned block_y,
                     unsigned block_z, unsigned shared, GpuStream *stream,
                     void **arguments, void **extra) {
  ValuesHead *head = (ValuesHead *)(void *)at(head_at, sizeof *head);
  assert((void *)function == &next && !stream && !extra && arguments);
  note("start %u %u %u, %u %u %u, %u\n", grid_x, grid_y, grid_z, block_x,
       block_y, block_z, shared);
  if (head)
    check_head(head);
  if (head && (is("races") || is("strange")) && !head->told)
    tell_race(head);
  return GPU_SUCCESS;
}

GpuResult fake_query(GpuStream *stream) {
  if (is("broken"))
    return ILLEGAL_ADDRESS;
  return stream                         ? INVALID
         : is("hangs") && launches == 2 ? GPU_NOT_READY
                                        : GPU_SUCCESS;
}
