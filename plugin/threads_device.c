// `gpuverify threads --device=`: schedules executed by a device, or by its code
// on this processor.

#include "plugin/threads.h"

#include "runtime/instances/instances.h"

#include <string.h>

bool threads_device_is_wanted(const Settings *settings) {
  return settings->device && strcmp(settings->device, "cpu") != 0;
}

const char *threads_device_trouble(const Settings *settings) {
  const char *name = settings->scheduler ? settings->scheduler : "pct";
  if (!threads_device_is_wanted(settings))
    return NULL;
  if (settings->replay)
    return "a schedule is replayed by the processor; leave this option out";
  if (settings->spurious)
    return "on a device nobody wakes without a signal; leave out --spurious";
  if (strcmp(name, "pct") != 0 && strcmp(name, "act") != 0 &&
      strcmp(name, "random") != 0)
    return "a device has the schedulers pct, act and random";
  return NULL;
}

typedef struct DeviceMaking {
  const Settings *settings;
  const ProgramImage *image;
  ThreadsDevice *device;
} DeviceMaking;

static void make(Task *task, void *data) {
  DeviceMaking *making = data;
  InstanceCode *code = NEW(&task->arena, InstanceCode);
  instances_make(task, making->image, code);
  if (!strcmp(making->settings->device, "check"))
    instances_on_host(task, code, making->device);
  else
    instances_on_device(task, code, making->device);
}

bool threads_device_make(Task *task, const Settings *settings,
                         const ProgramImage *image, ThreadsDevice *device,
                         const char **reason, Loc *where) {
  DeviceMaking making = {settings, image, device};
  if (!threads_device_is_wanted(settings) || task_run(task, make, &making))
    return true;
  *reason = task->reason;
  *where = task->where;
  return false;
}
