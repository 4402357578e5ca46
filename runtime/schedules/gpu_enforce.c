// Schedules on a device, in a process that does nothing else.
//
// The kernel with gates is loaded anew for each schedule, so that its variables
// are as at the start; then buffers and gates are put there, the kernel is
// launched, and what it has left is fetched.  All blocks have to be resident,
// for a block that waits for its turn to begin would let the others wait at
// their gates for ever.  A kernel that does not come back costs its process.

#include "runtime/device/device.h"
#include "runtime/machine/machine.h"
#include "runtime/schedules/enforce.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PATIENCE = 1000000000 }; // nanoseconds

typedef struct Session {
  Device device;
  const Enforcement *enforcement;
  Enforced *enforced;
  GpuAddress head;      // the Gates
  char **copies[PLANS]; // of what is observed at the end, by array
} Session;

static const Run *run_of(const Session *s) { return s->device.run; }

static bool allocate(Session *s) {
  const Run *run = run_of(s);
  size_t arrays = run->buffers.count + run->code->variables.count;
  for (unsigned i = 0; i < PLANS; i++)
    s->copies[i] = calloc(arrays + 1, sizeof **s->copies);
  return s->copies[0] && s->copies[1];
}

// ------------------------------------------------------------------ gates ---

static bool put_gates(Session *s, const GatePlan *plan) {
  Gates head = plan->head;
  uint64_t gates = plan->count * sizeof *plan->gates;
  uint64_t lists = plan->threads * sizeof *plan->lists;
  head.patience = PATIENCE;
  return device_find_variable(&s->device, GATES_NAME, &s->head) &&
         device_take(&s->device, &head.gates, gates) &&
         device_take(&s->device, &head.lists, lists) &&
         device_put(&s->device, head.gates, plan->gates, gates) &&
         device_put(&s->device, head.lists, plan->lists, lists) &&
         device_put(&s->device, s->head, &head, sizeof head);
}

static bool get_gates(Session *s, EnforcedRun *run, Gates *head) {
  if (!device_get(&s->device, head, s->head, sizeof *head))
    return false;
  run->end = (GatesEnd)head->end;
  run->made = head->ticket;
  run->thread = head->thread;
  run->site = head->site;
  s->device.driver.give(head->gates);
  s->device.driver.give(head->lists);
  return true;
}

// ----------------------------------------------------------------- launch ---

static bool check_resident(Session *s, GpuFunction *function) {
  const Run *run = run_of(s);
  uint64_t all = (uint64_t)run->grid[0] * run->grid[1] * run->grid[2];
  int threads = (int)(run->block[0] * run->block[1] * run->block[2]), most = 0;
  if (!device_is_done(&s->device,
                      s->device.driver.blocks(&most, function, threads,
                                              run->dynamic_shared),
                      "tell how many blocks fit"))
    return false;
  uint64_t room =
      (uint64_t)most * (uint64_t)device_attribute(&s->device, GPU_PROCESSORS);
  return all <= room ||
         device_fail(&s->device,
                     "the device has room for %" PRIu64 " of the %" PRIu64
                     " blocks, and gates need all of them together",
                     room, all);
}

static bool await(Session *s) {
  return device_await(&s->device, s->enforcement->seconds,
                      s->enforcement->is_asked);
}

static bool execute(Session *s) {
  const Run *run = run_of(s);
  const uint32_t *grid = run->grid, *block = run->block;
  GpuFunction *function;
  return device_find_function(&s->device, GATES_ENTRY, &function) &&
         device_allow_shared(&s->device, function) &&
         check_resident(s, function) &&
         device_is_done(&s->device,
                        s->device.driver.launch(
                            function, grid[0], grid[1], grid[2], block[0],
                            block[1], block[2], (unsigned)run->dynamic_shared,
                            NULL, s->device.arguments),
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
    return device_fail(&s->device, "out of memory");
  for (size_t i = 0; i < code->also_parameters.count; i++)
    arguments[i] = s->device.arguments[code->also_parameters.at[i]];
  head->is_off = 1;
  bool is_run = device_put(&s->device, s->head, head, sizeof *head) &&
                device_find_function(&s->device, GATES_ALSO, &function) &&
                device_is_done(&s->device,
                               s->device.driver.launch(function, 1, 1, 1, 1, 1,
                                                       1, 0, NULL, arguments),
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
  return copy ? device_get(&s->device, copy, at, bytes)
              : device_fail(&s->device, "out of memory");
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
        !fetch(s, plan, (int)i, s->device.buffers[i], run->buffers.at[i].bytes))
      return false;
  for (size_t i = 0; i < code->variables.count; i++) {
    char name[64];
    GpuAddress at;
    if (!is_visible(&code->variables.at[i]) ||
        !is_observed(s, (int)(buffers + i)))
      continue;
    snprintf(name, sizeof name, GATES_VARIABLE, i);
    if (!device_find_variable(&s->device, name, &at) ||
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
  if (!device_load(&s->device, s->enforcement->ptx) || !put_gates(s, plan) ||
      !device_fill_buffers(&s->device) || !execute(s) ||
      !get_gates(s, run, &head))
    return false;
  bool is_finished = run->end == GATES_NONE;
  return (!is_finished || (canonicalise(s, &head) && fetch_state(s, number))) &&
         device_is_done(&s->device, s->device.driver.unload(s->device.module),
                        "unload the kernel");
}

static void enforce_in_child(void *data) {
  Session *s = data;
  machine.outcome = NULL;
  if (!allocate(s)) {
    device_fail(&s->device, "out of memory");
    return;
  }
  if (!device_open(&s->device) || !run_plan(s, PLAN_CANONICAL) ||
      !run_plan(s, PLAN_FOUND))
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
  Session session = {.device = {.reason = enforced->reason,
                                .run = &enforcement->exploration->run},
                     .enforcement = enforcement,
                     .enforced = enforced};
  if (!child_run(enforce_in_child, &session,
                 (double)PLANS * enforcement->seconds) &&
      !enforced->reason[0])
    device_fail(&session.device, "the process that used the device has died");
}
