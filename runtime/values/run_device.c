// A launch of a kernel that was cut, on the device.
//
// In a process of its own: what goes wrong on a device takes the context along.
// Reports lie in this machine's memory, so they are told whatever happens.

#define _GNU_SOURCE

#include "runtime/device/device.h"
#include "runtime/machine/copied.h"
#include "runtime/machine/machine.h"
#include "runtime/values/device_launch.h"
#include "runtime/values/values.h"

#include <unistd.h>

// What the whole may take beyond the kernel: start, compilation, copies.
enum { OVERHEAD = 60 };

typedef struct Session {
  Device device;
  const char *ptx;
  uint64_t bytes; // of memory for copies
  Outcome *outcome;
  ValuesMemory memory;
} Session;

// ---------------------------------------------------------------- reports ---

static bool lies_in(uint64_t at, uint64_t begin, uint64_t bytes) {
  return at >= begin && at - begin < bytes;
}

static Where find_in_buffers(const Session *s, uint64_t at) {
  const Run *run = s->device.run;
  for (size_t i = 0; i < run->buffers.count; i++)
    if (lies_in(at, s->device.buffers[i], run->buffers.at[i].bytes))
      return (Where){(int)i, (int64_t)(at - s->device.buffers[i])};
  return (Where){NO_ARRAY, 0};
}

static Where find_in_variables(Session *s, const ValuesReport *report) {
  const Run *run = s->device.run;
  const Code *code = run->code;
  for (size_t i = 0; i < code->variables.count; i++) {
    const Variable *variable = &code->variables.at[i];
    bool is_shared = variable->space == SPACE_SHARED;
    char name[64];
    GpuAddress begin;
    size_t bytes = variable->bytes ? variable->bytes : run->dynamic_shared;
    if (is_shared != (bool)report->is_shared)
      continue;
    snprintf(name, sizeof name, VALUES_VARIABLE, i);
    if (is_shared && i < VALUES_MOST_SHARED)
      begin = s->memory.head.shared_at[i];
    else if (is_shared ||
             s->device.driver.variable(&begin, &bytes, s->device.module, name))
      continue;
    if (lies_in(report->at, begin, bytes))
      return (Where){(int)(run->buffers.count + i),
                     (int64_t)(report->at - begin)};
  }
  return (Where){NO_ARRAY, 0};
}

static Where find(Session *s, const ValuesReport *report) {
  Where where =
      report->is_shared ? (Where){NO_ARRAY, 0} : find_in_buffers(s, report->at);
  return where.array == NO_ARRAY ? find_in_variables(s, report) : where;
}

static void tell(Session *s, const ValuesReport *report) {
  const Run *run = s->device.run;
  Incident incident = {0};
  const char *text = copied_trouble(run, report->kind, &incident.kind);
  if (report->kind == VALUES_SAME_VALUE && run->tolerates_same_value)
    return;
  if (text)
    snprintf(incident.text, sizeof incident.text, "%s", text);
  else
    incident = copied_race(run, find(s, report), report->block, report->place,
                           report->other_block, report->other_place);
  machine_note(&incident);
}

// ----------------------------------------------------------------- launch ---

static ValuesLaunch launch_of(const Session *s, GpuFunction *function,
                              GpuAddress head) {
  const Run *run = s->device.run;
  ValuesLaunch launch = {.function = function,
                         .head = head,
                         .shared = (unsigned)run->dynamic_shared,
                         .arguments = s->device.arguments,
                         .seconds = run->max_seconds};
  for (unsigned i = 0; i < 3; i++) {
    launch.grid[i] = run->grid[i];
    launch.block[i] = run->block[i];
  }
  return launch;
}

static bool take_copies(Session *s, GpuAddress *head) {
  Device *device = &s->device;
  return device_find_variable(device, VALUES_HEAD, head) &&
         device_is_done(device,
                        values_memory_take(&s->memory, &device->driver,
                                           device->device, s->bytes),
                        "take memory for copies");
}

static bool prepare(Session *s, GpuFunction **function, GpuAddress *head) {
  Device *device = &s->device;
  return device_open(device) && device_load(device, s->ptx) &&
         device_find_function(device, VALUES_ENTRY, function) &&
         device_allow_shared(device, *function) &&
         (!device->run->code->is_cut || take_copies(s, head)) &&
         device_fill_buffers(device);
}

static void tell_all(Session *s) {
  unsigned count = values_report_count(&s->memory);
  for (unsigned i = 0; i < count; i++)
    tell(s, &s->memory.reports[i]);
}

// A kernel that was stopped by what it told has no other reason.
static bool execute(Session *s, GpuFunction *function, GpuAddress head) {
  bool is_cut = s->device.run->code->is_cut;
  ValuesLaunch launch = launch_of(s, function, head);
  double start = clock_seconds();
  GpuResult result = is_cut ? values_launch(&s->memory, &launch)
                            : values_launch_plainly(&s->device.driver, &launch);
  s->outcome->seconds = clock_seconds() - start;
  if (is_cut)
    tell_all(s);
  if (result == GPU_NOT_READY)
    return device_fail(&s->device,
                       "the kernel has not ended on the device after %g s",
                       launch.seconds);
  return device_is_done(&s->device, result, "execute the kernel") &&
         device_fetch_buffers(&s->device);
}

static void run_in_process(void *data) {
  Session *s = data;
  GpuFunction *function;
  GpuAddress head;
  machine.run = s->device.run;
  machine.outcome = s->outcome;
  if (!prepare(s, &function, &head))
    return;
  s->outcome->is_begun = true;
  s->outcome->is_done = execute(s, function, head);
  _exit(0);
}

static void refuse(Outcome *outcome, const char *reason) {
  if (!outcome->is_done && !outcome->count)
    outcome_refuse(outcome, INCIDENT_REFUSED, reason);
}

void values_run_on_device(const Run *run, const char *ptx, uint64_t memory,
                          Outcome *outcome) {
  char *reason = memory_shared(INCIDENT_TEXT);
  Session session = {.device = {.reason = reason, .run = run},
                     .ptx = ptx,
                     .bytes = memory,
                     .outcome = outcome};
  *outcome = (Outcome){0};
  if (!reason) {
    refuse(outcome, "out of memory");
    return;
  }
  child_run_interruptibly(run_in_process, &session,
                          run->max_seconds > 0 ? run->max_seconds * 2 + OVERHEAD
                                               : 0);
  if (child_was_interrupted())
    refuse(outcome, "the run was interrupted");
  refuse(outcome,
         *reason ? reason : "the process that used the device has died");
  memory_shared_free(reason, INCIDENT_TEXT);
}
