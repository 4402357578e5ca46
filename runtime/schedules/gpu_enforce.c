// Schedules on a device, in a process that does nothing else.
//
// The kernel with gates is loaded anew for each schedule, so that its variables
// are as at the start; then buffers and gates are put there, the kernel is
// launched, and what it has left is fetched.  All blocks have to be resident,
// for a block that waits for its turn to begin would let the others wait at
// their gates for ever.  A kernel that does not come back costs its process.

#define _GNU_SOURCE

#include "runtime/machine/machine.h"
#include "runtime/schedules/enforce.h"
#include "runtime/schedules/gpu_driver.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  LEAST_CAPABILITY = 70, // threads of a warp go on independently
  PATIENCE = 1000000000, // nanoseconds
  POLL = 500,            // microseconds
  STATIC_LIMIT = 48 << 10,
};

typedef struct Session {
  GpuDriver driver;
  GpuDevice device;
  char *reason; // INCIDENT_TEXT bytes; empty: all is well
  const Enforcement *enforcement;
  Enforced *enforced;
  GpuModule *module;
  GpuAddress head;     // the Gates
  GpuAddress *buffers; // by buffer
  GpuAddress *values;  // of arguments that are pointers
  void **arguments;
  char **copies[PLANS]; // of what is observed at the end, by array
} Session;

// ---------------------------------------------------------------- failure ---

static bool fail(Session *s, const char *fmt, ...) PRINTF(2, 3);
static bool fail(Session *s, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  vsnprintf(s->reason, INCIDENT_TEXT, fmt, args);
  va_end(args);
  return false;
}

static bool is_done(Session *s, GpuResult result, const char *what) {
  const char *text = NULL;
  if (result == GPU_SUCCESS)
    return true;
  if (s->driver.error(result, &text) || !text)
    text = "unknown error";
  return fail(s, "the CUDA driver cannot %s: %s (error %d)", what, text,
              result);
}

// ----------------------------------------------------------------- device ---

static int attribute(Session *s, int number) {
  int value = 0;
  return s->driver.attribute(&value, number, s->device) ? 0 : value;
}

static bool open_driver(Session *s) {
  const char *missing;
  if (gpu_driver_open(&s->driver, &missing))
    return true;
  return missing ? fail(s, "the CUDA driver is too old: it has no %s", missing)
                 : fail(s,
                        "there is no CUDA driver (libcuda.so.1) on this "
                        "machine");
}

static bool open_device(Session *s) {
  int count = 0;
  if (!open_driver(s))
    return false;
  GpuResult result = s->driver.init(0);
  if (result == GPU_SUCCESS)
    result = s->driver.count(&count);
  if (result == GPU_NO_DEVICE || (result == GPU_SUCCESS && !count))
    return fail(s, "the CUDA driver finds no device on this machine");
  return is_done(s, result, "start") &&
         is_done(s, s->driver.device(&s->device, 0), "open the device");
}

static void find_device(void *data) {
  DeviceFound *found = data;
  Session session = {.reason = found->reason}, *s = &session;
  if (!open_device(s) ||
      !is_done(s, s->driver.version(&found->version), "tell its version") ||
      !is_done(s, s->driver.name(found->name, sizeof found->name, s->device),
               "tell the name of the device"))
    return;
  found->capability = 10 * attribute(s, GPU_CAPABILITY_MAJOR) +
                      attribute(s, GPU_CAPABILITY_MINOR);
  if (found->capability < LEAST_CAPABILITY)
    fail(s, "%s has compute capability %d.%d, and gates need 7.0", found->name,
         found->capability / 10, found->capability % 10);
  else if (!attribute(s, GPU_COOPERATIVE_LAUNCH))
    fail(s, "%s does not launch blocks together", found->name);
  else
    found->is_usable = true;
}

unsigned device_ptx_version(int driver) {
  static const struct {
    int driver;
    unsigned ptx;
  } versions[] = {{13000, 90}, {12090, 88}, {12080, 87}, {12070, 86},
                  {12050, 85}, {12040, 84}, {12030, 83}, {12020, 82},
                  {12010, 81}, {12000, 80}, {11080, 78}, {11070, 77},
                  {11060, 76}, {11050, 75}, {11040, 74}, {11030, 73},
                  {11020, 72}, {11010, 71}, {11000, 70}};
  for (size_t i = 0; i < sizeof versions / sizeof *versions; i++)
    if (driver >= versions[i].driver)
      return versions[i].ptx;
  return 63;
}

// ----------------------------------------------------------------- memory ---

static bool take(Session *s, GpuAddress *at, uint64_t bytes) {
  return is_done(s, s->driver.take(at, bytes ? bytes : 1), "take memory");
}

static bool put(Session *s, GpuAddress to, const void *from, uint64_t bytes) {
  return !bytes ||
         is_done(s, s->driver.put(to, from, bytes), "copy to the device");
}

static bool get(Session *s, void *to, GpuAddress from, uint64_t bytes) {
  return !bytes ||
         is_done(s, s->driver.get(to, from, bytes), "copy from the device");
}

static const Run *run_of(const Session *s) {
  return &s->enforcement->exploration->run;
}

static bool take_buffers(Session *s) {
  const Run *run = run_of(s);
  for (size_t i = 0; i < run->buffers.count; i++)
    if (!take(s, &s->buffers[i], run->buffers.at[i].bytes))
      return false;
  return true;
}

static bool fill_buffers(Session *s) {
  const Run *run = run_of(s);
  for (size_t i = 0; i < run->buffers.count; i++)
    if (!put(s, s->buffers[i], run->buffers.at[i].at, run->buffers.at[i].bytes))
      return false;
  return true;
}

// Where the host's pointer points to on the device.
static GpuAddress moved(const Session *s, const char *at) {
  const Run *run = run_of(s);
  for (size_t i = 0; i < run->buffers.count; i++) {
    const Buffer *buffer = &run->buffers.at[i];
    if (at >= buffer->at && at <= buffer->at + buffer->bytes)
      return s->buffers[i] + (uint64_t)(at - buffer->at);
  }
  return 0;
}

static void move_arguments(Session *s) {
  const Run *run = run_of(s);
  for (size_t i = 0; i < run->arguments.count; i++) {
    s->arguments[i] = run->arguments.at[i];
    if (run->code->parameters.at[i].kind != PARAMETER_POINTER)
      continue;
    char *at;
    memcpy(&at, run->arguments.at[i], sizeof at);
    s->values[i] = moved(s, at);
    s->arguments[i] = &s->values[i];
  }
}

static bool allocate(Session *s) {
  const Run *run = run_of(s);
  size_t arrays = run->buffers.count + run->code->variables.count;
  s->buffers = calloc(run->buffers.count + 1, sizeof *s->buffers);
  s->values = calloc(run->arguments.count + 1, sizeof *s->values);
  s->arguments = calloc(run->arguments.count + 1, sizeof *s->arguments);
  for (unsigned i = 0; i < PLANS; i++)
    s->copies[i] = calloc(arrays + 1, sizeof **s->copies);
  return s->buffers && s->values && s->arguments && s->copies[0] &&
         s->copies[1];
}

// ------------------------------------------------------------------ gates ---

static bool find_variable(Session *s, const char *name, GpuAddress *at) {
  size_t bytes;
  return is_done(s, s->driver.variable(at, &bytes, s->module, name),
                 "find a variable");
}

static bool put_gates(Session *s, const GatePlan *plan) {
  Gates head = plan->head;
  uint64_t gates = plan->count * sizeof *plan->gates;
  uint64_t lists = plan->threads * sizeof *plan->lists;
  head.patience = PATIENCE;
  return find_variable(s, GATES_NAME, &s->head) &&
         take(s, &head.gates, gates) && take(s, &head.lists, lists) &&
         put(s, head.gates, plan->gates, gates) &&
         put(s, head.lists, plan->lists, lists) &&
         put(s, s->head, &head, sizeof head);
}

static bool get_gates(Session *s, EnforcedRun *run, Gates *head) {
  if (!get(s, head, s->head, sizeof *head))
    return false;
  run->end = (GatesEnd)head->end;
  run->made = head->ticket;
  run->thread = head->thread;
  run->site = head->site;
  s->driver.give(head->gates);
  s->driver.give(head->lists);
  return true;
}

// ----------------------------------------------------------------- launch ---

static bool load(Session *s) {
  GpuResult result = s->driver.load(&s->module, s->enforcement->ptx);
  if (result == GPU_UNSUPPORTED_PTX || result == GPU_INVALID_PTX)
    return fail(s, "the CUDA driver is too old for the PTX of this kernel");
  if (result == GPU_NO_BINARY)
    return fail(s, "the kernel is compiled for a newer device than this one");
  return is_done(s, result, "load the kernel");
}

static bool check_resident(Session *s, GpuFunction *function) {
  const Run *run = run_of(s);
  uint64_t all = (uint64_t)run->grid[0] * run->grid[1] * run->grid[2];
  int threads = (int)(run->block[0] * run->block[1] * run->block[2]), most = 0;
  if (!is_done(s,
               s->driver.blocks(&most, function, threads, run->dynamic_shared),
               "tell how many blocks fit"))
    return false;
  uint64_t room = (uint64_t)most * (uint64_t)attribute(s, GPU_PROCESSORS);
  return all <= room ||
         fail(s,
              "the device has room for %" PRIu64 " of the %" PRIu64
              " blocks, and gates need all of them together",
              room, all);
}

static bool await(Session *s) {
  double deadline = clock_seconds() + s->enforcement->seconds;
  GpuResult result;
  while ((result = s->driver.query(NULL)) == GPU_NOT_READY) {
    if (*s->enforcement->is_asked)
      return fail(s, "interrupted while the kernel was on the device");
    if (clock_seconds() > deadline)
      return fail(s, "the kernel has not ended on the device after %g s",
                  s->enforcement->seconds);
    usleep(POLL);
  }
  return is_done(s, result, "execute the kernel");
}

static bool find_function(Session *s, const char *name,
                          GpuFunction **function) {
  return is_done(s, s->driver.function(function, s->module, name),
                 "find the kernel");
}

static bool execute(Session *s) {
  const Run *run = run_of(s);
  const uint32_t *grid = run->grid, *block = run->block;
  GpuFunction *function;
  if (!find_function(s, GATES_ENTRY, &function) ||
      (run->dynamic_shared > STATIC_LIMIT &&
       !is_done(s,
                s->driver.set_function(function, GPU_MOST_DYNAMIC_SHARED,
                                       (int)run->dynamic_shared),
                "give a block so much shared memory")) ||
      !check_resident(s, function))
    return false;
  return is_done(s,
                 s->driver.launch(function, grid[0], grid[1], grid[2], block[0],
                                  block[1], block[2],
                                  (unsigned)run->dynamic_shared, NULL,
                                  s->arguments),
                 "launch the kernel") &&
         await(s);
}

// One thread, on what the kernel has left, without gates.
static bool canonicalise(Session *s, Gates *head) {
  const Code *code = run_of(s)->code;
  GpuFunction *function;
  if (!code->also)
    return true;
  void **arguments = calloc(code->also_parameters.count + 1, sizeof *arguments);
  if (!arguments)
    return fail(s, "out of memory");
  for (size_t i = 0; i < code->also_parameters.count; i++)
    arguments[i] = s->arguments[code->also_parameters.at[i]];
  head->is_off = 1;
  bool is_run =
      put(s, s->head, head, sizeof *head) &&
      find_function(s, GATES_ALSO, &function) &&
      is_done(s,
              s->driver.launch(function, 1, 1, 1, 1, 1, 1, 0, NULL, arguments),
              "launch the canonicaliser") &&
      await(s);
  free(arguments);
  return is_run;
}

// -------------------------------------------------------------- the state ---

static bool fetch(Session *s, unsigned plan, int array, GpuAddress at,
                  uint64_t bytes) {
  char *copy = malloc(bytes + 1);
  s->copies[plan][array] = copy;
  return copy ? get(s, copy, at, bytes) : fail(s, "out of memory");
}

static bool is_observed(const Session *s, int array) {
  const Exploration *exploration = s->enforcement->exploration;
  for (size_t i = 0; i < exploration->observed.count; i++)
    if (exploration->observed.at[i] == array)
      return true;
  return !exploration->observed.count;
}

static bool is_visible(const Variable *variable) {
  return variable->space == SPACE_GLOBAL && !variable->is_note &&
         !variable->is_local;
}

static bool fetch_state(Session *s, unsigned plan) {
  const Run *run = run_of(s);
  const Code *code = run->code;
  size_t buffers = run->buffers.count;
  for (size_t i = 0; i < buffers; i++)
    if (is_observed(s, (int)i) &&
        !fetch(s, plan, (int)i, s->buffers[i], run->buffers.at[i].bytes))
      return false;
  for (size_t i = 0; i < code->variables.count; i++) {
    char name[64];
    GpuAddress at;
    if (!is_visible(&code->variables.at[i]) ||
        !is_observed(s, (int)(buffers + i)))
      continue;
    snprintf(name, sizeof name, GATES_VARIABLE, i);
    if (!find_variable(s, name, &at) ||
        !fetch(s, plan, (int)(buffers + i), at, code->variables.at[i].bytes))
      return false;
  }
  return true;
}

static void compare(Session *s) {
  const Run *run = run_of(s);
  const Code *code = run->code;
  Enforced *enforced = s->enforced;
  size_t buffers = run->buffers.count;
  for (size_t i = 0; i < buffers + code->variables.count; i++)
    if (s->copies[PLAN_CANONICAL][i] && s->copies[PLAN_FOUND][i])
      differences_add(enforced->differences, &enforced->difference_count,
                      (int)i, s->copies[PLAN_CANONICAL][i],
                      s->copies[PLAN_FOUND][i],
                      i < buffers ? run->buffers.at[i].bytes
                                  : code->variables.at[i - buffers].bytes,
                      exploration_element(s->enforcement->exploration, (int)i));
}

// ---------------------------------------------------------------- session ---

static bool run_plan(Session *s, unsigned number) {
  const GatePlan *plan = &s->enforcement->plans[number];
  EnforcedRun *run = &s->enforced->runs[number];
  Gates head;
  if (!load(s) || !put_gates(s, plan) || !fill_buffers(s) || !execute(s) ||
      !get_gates(s, run, &head))
    return false;
  bool is_finished = run->end == GATES_NONE;
  return (!is_finished || (canonicalise(s, &head) && fetch_state(s, number))) &&
         is_done(s, s->driver.unload(s->module), "unload the kernel");
}

static void enforce_in_child(void *data) {
  Session *s = data;
  GpuContext *context;
  machine.outcome = NULL;
  if (!allocate(s)) {
    fail(s, "out of memory");
    return;
  }
  if (!open_device(s) ||
      !is_done(s, s->driver.retain(&context, s->device), "use the device") ||
      !is_done(s, s->driver.use(context), "use the device") || !take_buffers(s))
    return;
  move_arguments(s);
  if (!run_plan(s, PLAN_CANONICAL) || !run_plan(s, PLAN_FOUND))
    return;
  compare(s);
  s->enforced->is_done = true;
}

Enforced *enforced_new(void) {
  return (Enforced *)(void *)memory_shared(sizeof(Enforced));
}

void enforced_free(Enforced *enforced) {
  memory_shared_free((char *)enforced, sizeof *enforced);
}

void enforce(const Enforcement *enforcement, Enforced *enforced) {
  Session session = {.reason = enforced->reason,
                     .enforcement = enforcement,
                     .enforced = enforced};
  if (!child_run(enforce_in_child, &session,
                 (double)PLANS * enforcement->seconds) &&
      !enforced->reason[0])
    fail(&session, "the process that used the device has died");
}

void device_find(DeviceFound *found) {
  enum { SECONDS = 60 };
  DeviceFound *shared = (DeviceFound *)(void *)memory_shared(sizeof *shared);
  *found = (DeviceFound){.reason = "out of memory"};
  if (!shared)
    return;
  bool is_alive = child_run(find_device, shared, SECONDS);
  *found = *shared;
  if (!is_alive && !found->is_usable && !found->reason[0])
    snprintf(found->reason, sizeof found->reason,
             "the CUDA driver does not start");
  memory_shared_free((char *)shared, sizeof *shared);
}
