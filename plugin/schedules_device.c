// `gpuverify schedules --device=cuda`: a schedule that was found, on a device.
//
// Before the search we look whether there is a device and whether the kernel
// can have gates at all, so that nobody waits for nothing.  After it, the
// canonical schedule and the one that was found are enforced, and what they
// come to there is compared: failed assertions and traps are told by the gates,
// final states are those of the device alone, whose floating point is not that
// of this machine.

#include "plugin/schedules.h"

#include <string.h>

bool schedules_device_open(Task *task, SchedulesDevice *device,
                           const char **error) {
  device_find(&device->found);
  if (!device->found.is_usable)
    *error = arena_copy(&task->arena, device->found.reason);
  return device->found.is_usable;
}

typedef struct Compilation {
  SchedulesDevice *device;
  const Code *code;
  const char *reason;
} Compilation;

static void compile(Task *task, void *data) {
  Compilation *compilation = data;
  SchedulesDevice *device = compilation->device;
  device->ptx = gates_ptx(task, compilation->code,
                          device_ptx_version(device->found.version),
                          &compilation->reason);
}

bool schedules_device_compile(Task *task, SchedulesDevice *device,
                              const Code *code, const char **error) {
  Compilation compilation = {device, code, NULL};
  if (!task_run(task, compile, &compilation))
    compilation.reason = task->reason;
  *error = compilation.reason;
  return device->ptx;
}

// ---------------------------------------------------------------- enforce ---

// NULL, or in which way the device did not follow a schedule.
static const char *strayed(Task *task, const Enforced *enforced,
                           const Enforcement *enforcement, unsigned number) {
  const EnforcedRun *run = &enforced->runs[number];
  uint32_t count = enforcement->plans[number].count;
  const char *which = number == PLAN_FOUND ? "this" : "the canonical";
  const char *what = NULL;
  switch (run->end) {
  case GATES_NONE:
  case GATES_ASSERTION:
  case GATES_TRAP:
  case GATES_RUNNING:
    if (run->made == count)
      return NULL;
    what = "some of its threads leave early";
    break;
  case GATES_OTHER:
    what = "a thread makes another access than here";
    break;
  case GATES_LATE:
    what = "a thread that has the next access does not come to it";
    break;
  case GATES_MORE:
    what = "a thread makes more accesses than here";
    break;
  }
  return arena_printf(&task->arena,
                      "the device cannot follow %s schedule: after %u of %u "
                      "accesses %s",
                      which, run->made, count, what);
}

// Clusters that a launch has, and not the kernel, are asked of the driver with
// attributes of the launch, which we do not set.
static bool has_clusters_of_launch(const Run *run) {
  return clusters_size(run) > 1 && !run->code->cluster[0];
}

static const char *plan(Task *task, Enforcement *enforcement,
                        const Findings *findings) {
  const Run *run = &enforcement->exploration->run;
  if (has_clusters_of_launch(run))
    return "the clusters of this launch are not those that the kernel is "
           "compiled for";
  const char *reason =
      gates_plan(task, run, &findings->canonical, &findings->search.canonical,
                 &enforcement->plans[PLAN_CANONICAL]);
  return reason
             ? reason
             : gates_plan(task, run, &findings->steps, &findings->search.trial,
                          &enforcement->plans[PLAN_FOUND]);
}

void schedules_device_enforce(Task *task, SchedulesDevice *device,
                              const Exploration *exploration,
                              const Findings *findings, double seconds) {
  Enforcement enforcement = {.exploration = exploration,
                             .ptx = device->ptx,
                             .is_asked = &findings->is_asked,
                             .seconds = seconds};
  if (findings->search.end != SEARCH_FOUND)
    return;
  device->is_tried = true;
  device->reason = plan(task, &enforcement, findings);
  if (device->reason)
    return;
  device->enforced = enforced_new();
  if (!device->enforced) {
    device->reason = "out of memory";
    return;
  }
  enforce(&enforcement, device->enforced);
  if (!device->enforced->is_done)
    device->reason = arena_copy(&task->arena, device->enforced->reason);
  for (unsigned i = 0; i < PLANS && !device->reason; i++)
    device->reason = strayed(task, device->enforced, &enforcement, i);
}

void schedules_device_close(SchedulesDevice *device) {
  if (device->enforced)
    enforced_free(device->enforced);
}
