// Instances that a CUDA device executes, a thread of it each.
//
// What is compiled is PTX; the driver is found when it is asked for
// (runtime/device/driver.c).  As many instances are made as the device
// executes at once and has memory for, and each launch gives them the next
// numbers.  All of this is done in the process that executes schedules, since a
// device does not follow its process into a copy.

#define _GNU_SOURCE

#include "runtime/instances/lowering.h"
#include "runtime/instances/plan.h"

#include "runtime/device/device.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

enum {
  BLOCK = 64, // threads
  CHECKED = 256,
  MOST_WARM = 1 << 18,
  POLL = 50, // microseconds
};

#define MOST_BYTES (UINT64_C(8) << 30)

typedef struct DeviceInstances {
  const InstanceCode *code;
  const char *ptx;
  GpuDriver driver;
  GpuDevice device;
  GpuModule *module;
  GpuFunction *function;
  GpuAddress plan_at;
  InstancePlan plan;
  InstanceEnd *ends;
  char reason[MISHAP_TEXT];
} DeviceInstances;

static PRINTF(2, 3) bool fail(DeviceInstances *d, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(d->reason, sizeof d->reason, format, arguments);
  va_end(arguments);
  return false;
}

static bool is_done(DeviceInstances *d, GpuResult result, const char *what) {
  const char *text = NULL;
  if (result == GPU_SUCCESS)
    return true;
  if (d->driver.error(result, &text) != GPU_SUCCESS || !text)
    text = "an error that the driver does not know";
  return fail(d, "the CUDA driver cannot %s: %s", what, text);
}

// ----------------------------------------------------------------- memory ---

static bool take(DeviceInstances *d, InstanceLong *at, uint64_t bytes) {
  GpuAddress address = 0;
  if (!is_done(d, d->driver.take(&address, bytes ? bytes : 1), "take memory"))
    return false;
  *at = address;
  return true;
}

static bool take_copy(DeviceInstances *d, InstanceLong *at, const void *from,
                      uint64_t bytes) {
  return take(d, at, bytes) &&
         (!bytes ||
          is_done(d, d->driver.put(*at, from, bytes), "copy to the device"));
}

// Fewer, if there is no room for so many.
static bool take_instances(DeviceInstances *d, uint64_t *most) {
  InstancePlan *plan = &d->plan;
  uint64_t bytes = plan->bytes + plan->most_threads * plan->frame_bytes;
  if (*most * bytes > MOST_BYTES)
    *most = MOST_BYTES / bytes / BLOCK * BLOCK;
  GpuAddress address = 0;
  while (*most && d->driver.take(&address, *most * plan->bytes) != GPU_SUCCESS)
    *most = *most / 2 / BLOCK * BLOCK;
  plan->instances = address;
  d->ends = malloc((*most + 1) * sizeof *d->ends);
  if (!*most || !d->ends)
    return fail(d, "the device has no room for %d instances of this program",
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

static int attribute(DeviceInstances *d, int number) {
  int value = 0;
  return d->driver.attribute(&value, number, d->device) ? 0 : value;
}

static bool open_device(DeviceInstances *d) {
  const char *missing = NULL;
  GpuContext *context;
  if (!gpu_driver_open(&d->driver, &missing))
    return fail(d, "the CUDA driver does not open");
  return is_done(d, d->driver.init(0), "start") &&
         is_done(d, d->driver.device(&d->device, 0), "open the device") &&
         is_done(d, d->driver.retain(&context, d->device), "use the device") &&
         is_done(d, d->driver.use(context), "use the device") &&
         is_done(d, d->driver.load(&d->module, d->ptx), "load the program") &&
         is_done(d,
                 d->driver.function(&d->function, d->module, INSTANCES_KERNEL),
                 "find the program");
}

// Threads that are executed at once.
static bool find_room(DeviceInstances *d, uint64_t *most) {
  int blocks = 0;
  if (!is_done(d, d->driver.blocks(&blocks, d->function, BLOCK, 0),
               "tell how many blocks fit"))
    return false;
  uint64_t all = (uint64_t)blocks * (uint64_t)attribute(d, GPU_PROCESSORS);
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

static bool await(DeviceInstances *d) {
  GpuResult result;
  while ((result = d->driver.query(NULL)) == GPU_NOT_READY)
    usleep(POLL);
  return is_done(d, result, "execute the program");
}

static bool run(ThreadsDevice *device, uint64_t first, uint64_t start,
                uint64_t count, DeviceEnd *ends) {
  DeviceInstances *d = device->data;
  InstancePlan *plan = &d->plan;
  void *arguments[] = {&d->plan_at};
  plan->first = first;
  plan->start = start;
  plan->count = count;
  bool is_run =
      is_done(d, d->driver.put(d->plan_at, plan, sizeof *plan),
              "copy to the device") &&
      is_done(d,
              d->driver.launch(d->function,
                               (unsigned)((count + BLOCK - 1) / BLOCK), 1, 1,
                               BLOCK, 1, 1, 0, NULL, arguments),
              "launch the program") &&
      await(d) &&
      is_done(d, d->driver.get(d->ends, plan->ends, count * sizeof *d->ends),
              "copy from the device");
  if (count > plan->used)
    plan->used = count;
  uint64_t answered = is_run ? plan_tell(plan, d->ends, ends) : count;
  if (answered < count)
    return fail(d, "the device has not executed schedule %" PRIu64,
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
