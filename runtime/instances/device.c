// Instances that a CUDA device executes, a thread of it each.
//
// What is compiled is PTX; the driver is found when it is asked for
// (runtime/device/driver.c).  As many instances are made as the device
// executes at once and has memory for, and each launch gives them the next
// numbers.  All of this is done in the process that executes schedules, since a
// device does not follow its process into a copy.

#include "runtime/device/device.h"
#include "runtime/instances/lowering.h"
#include "runtime/instances/plan.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
  BLOCK = 64, // threads
  CHECKED = 256,
  MOST_WARM = 1 << 18,
};

#define MOST_BYTES (UINT64_C(8) << 30)

typedef struct DeviceInstances {
  const InstanceCode *code;
  const char *ptx;
  Device device;
  GpuFunction *function;
  GpuAddress plan_at;
  InstancePlan plan;
  InstanceEnd *ends;
  char reason[INCIDENT_TEXT];
} DeviceInstances;

// ----------------------------------------------------------------- memory ---

static bool take(DeviceInstances *d, InstanceLong *at, uint64_t bytes) {
  GpuAddress address = 0;
  bool is_taken = device_take(&d->device, &address, bytes);
  *at = address;
  return is_taken;
}

static bool take_copy(DeviceInstances *d, InstanceLong *at, const void *from,
                      uint64_t bytes) {
  return take(d, at, bytes) && device_put(&d->device, *at, from, bytes);
}

// Fewer, if there is no room for so many.
static bool take_instances(DeviceInstances *d, uint64_t *most) {
  InstancePlan *plan = &d->plan;
  uint64_t bytes = plan->bytes + plan->most_threads * plan->frame_bytes;
  if (*most * bytes > MOST_BYTES)
    *most = MOST_BYTES / bytes / BLOCK * BLOCK;
  GpuAddress address = 0;
  while (*most &&
         d->device.driver.take(&address, *most * plan->bytes) != GPU_SUCCESS)
    *most = *most / 2 / BLOCK * BLOCK;
  plan->instances = address;
  d->ends = malloc((*most + 1) * sizeof *d->ends);
  if (!*most || !d->ends)
    return device_fail(
        &d->device, "the device has no room for %d instances of this program",
        BLOCK);
  return take(d, &plan->frames, plan_frames_bytes(plan, *most)) &&
         take(d, &plan->ends, *most * sizeof *d->ends);
}

static bool take_all(DeviceInstances *d, const DeviceProfile *profile,
                     uint64_t *most) {
  InstancePlan *plan = &d->plan;
  InstanceLong at = 0;
  bool is_taken =
      take_copy(d, &plan->globals, profile->globals, plan->globals_bytes) &&
      take_copy(d, &plan->constants, profile->constants,
                plan->constants_bytes) &&
      take_copy(d, &plan->locals, profile->locals, plan->locals_bytes) &&
      take(d, &at, sizeof *plan) && take_instances(d, most);
  d->plan_at = at;
  return is_taken;
}

// ------------------------------------------------------------------ begin ---

static bool open_device(DeviceInstances *d) {
  Device *device = &d->device;
  device->reason = d->reason;
  return device_use(device) && device_load(device, d->ptx) &&
         device_find_function(device, INSTANCES_KERNEL, &d->function);
}

// Threads that are executed at once.
static bool find_room(DeviceInstances *d, uint64_t *most) {
  int blocks = 0;
  if (!device_is_done(&d->device,
                      d->device.driver.blocks(&blocks, d->function, BLOCK, 0),
                      "tell how many blocks fit"))
    return false;
  uint64_t all =
      (uint64_t)blocks * (uint64_t)device_attribute(&d->device, GPU_PROCESSORS);
  *most = all * BLOCK < MOST_WARM ? all * BLOCK : MOST_WARM;
  return true;
}

static bool begin(ThreadsDevice *device, const DeviceProfile *profile) {
  DeviceInstances *d = device->data;
  device->reason = d->reason;
  return plan_make(&d->plan, profile, d->code, &device->reason) &&
         open_device(d) && find_room(d, &device->most) &&
         take_all(d, profile, &device->most);
}

// ----------------------------------------------------------------- launch ---

static bool run(ThreadsDevice *device, uint64_t first, uint64_t start,
                uint64_t count, DeviceEnd *ends) {
  DeviceInstances *d = device->data;
  InstancePlan *plan = &d->plan;
  void *arguments[] = {&d->plan_at};
  plan->first = first;
  plan->start = start;
  plan->count = count;
  bool is_run =
      device_is_done(&d->device,
                     d->device.driver.put(d->plan_at, plan, sizeof *plan),
                     "copy to the device") &&
      device_is_done(&d->device,
                     d->device.driver.launch(
                         d->function, (unsigned)((count + BLOCK - 1) / BLOCK),
                         1, 1, BLOCK, 1, 1, 0, NULL, arguments),
                     "launch the program") &&
      device_await(&d->device, 0, NULL) &&
      device_is_done(
          &d->device,
          d->device.driver.get(d->ends, plan->ends, count * sizeof *d->ends),
          "copy from the device");
  if (count > plan->used)
    plan->used = count;
  uint64_t answered = is_run ? plan_tell(plan, d->ends, ends) : count;
  if (answered < count)
    return device_fail(&d->device,
                       "the device has not executed schedule %" PRIu64,
                       first + answered + 1);
  return is_run;
}

// ------------------------------------------------------------------- open ---

void instances_on_device(Task *task, const InstanceCode *code,
                         ThreadsDevice *device) {
  DeviceInstances *d = NEW(&task->arena, DeviceInstances);
  const char *reason = NULL;
  DeviceFound found;
  device_find(&found);
  if (!found.is_usable)
    unsupported(task, (Loc){0}, "--device=cuda: %s", found.reason);
  d->code = code;
  d->ptx =
      instances_ptx(task, code, device_ptx_version(found.version), &reason);
  if (!d->ptx)
    unsupported(task, (Loc){0}, "--device=cuda: %s", reason);
  *device = (ThreadsDevice){
      .checked = CHECKED, .begin = begin, .run = run, .data = d};
  snprintf(device->name, sizeof device->name, "%s", found.name);
}
