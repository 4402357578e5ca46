// Whether there is a device, and what it can do.

#define _GNU_SOURCE

#include "runtime/device/device.h"
#include "runtime/machine/machine.h"

enum {
  LEAST_CAPABILITY = 70, // threads of a warp go on independently
  SECONDS = 60,
};

static void find(void *data) {
  DeviceFound *found = data;
  Device device = {.reason = found->reason}, *d = &device;
  if (!device_start(d) ||
      !device_is_done(d, d->driver.version(&found->version),
                      "tell its version") ||
      !device_is_done(
          d, d->driver.name(found->name, sizeof found->name, d->device),
          "tell the name of the device"))
    return;
  found->capability = 10 * device_attribute(d, GPU_CAPABILITY_MAJOR) +
                      device_attribute(d, GPU_CAPABILITY_MINOR);
  if (found->capability < LEAST_CAPABILITY)
    device_fail(d, "%s has compute capability %d.%d, and 7.0 is needed",
                found->name, found->capability / 10, found->capability % 10);
  else if (!device_attribute(d, GPU_COOPERATIVE_LAUNCH))
    device_fail(d, "%s does not launch blocks together", found->name);
  else
    found->is_usable = true;
}

void device_find(DeviceFound *found) {
  DeviceFound *shared = (DeviceFound *)(void *)memory_shared(sizeof *shared);
  *found = (DeviceFound){.reason = "out of memory"};
  if (!shared)
    return;
  bool is_alive = child_run(find, shared, SECONDS);
  *found = *shared;
  if (!is_alive && !found->is_usable && !found->reason[0])
    snprintf(found->reason, sizeof found->reason,
             "the CUDA driver does not start");
  memory_shared_free((char *)shared, sizeof *shared);
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
