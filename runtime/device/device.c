// The device, its memory and its modules.

#define _GNU_SOURCE

#include "runtime/device/device.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  POLL = 50, // microseconds
  STATIC_LIMIT = 48 << 10,
};

// ---------------------------------------------------------------- failure ---

bool device_fail(Device *device, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  vsnprintf(device->reason, INCIDENT_TEXT, fmt, args);
  va_end(args);
  return false;
}

bool device_is_done(Device *device, GpuResult result, const char *what) {
  const char *text = NULL;
  if (result == GPU_SUCCESS)
    return true;
  if (device->driver.error(result, &text) || !text)
    text = "unknown error";
  return device_fail(device, "the CUDA driver cannot %s: %s (error %d)", what,
                     text, result);
}

// ----------------------------------------------------------------- device ---

int device_attribute(const Device *device, int number) {
  int value = 0;
  return device->driver.attribute(&value, number, device->device) ? 0 : value;
}

static bool open_driver(Device *device) {
  const char *missing;
  if (gpu_driver_open(&device->driver, &missing))
    return true;
  return missing
             ? device_fail(device, "the CUDA driver is too old: it has no %s",
                           missing)
             : device_fail(device,
                           "there is no CUDA driver (libcuda.so.1) on this "
                           "machine");
}

bool device_start(Device *device) {
  int count = 0;
  if (!open_driver(device))
    return false;
  GpuResult result = device->driver.init(0);
  if (result == GPU_SUCCESS)
    result = device->driver.count(&count);
  if (result == GPU_NO_DEVICE || (result == GPU_SUCCESS && !count))
    return device_fail(device,
                       "the CUDA driver finds no device on this machine");
  return device_is_done(device, result, "start") &&
         device_is_done(device, device->driver.device(&device->device, 0),
                        "open the device");
}

// ----------------------------------------------------------------- memory ---

bool device_take(Device *device, GpuAddress *at, uint64_t bytes) {
  return device_is_done(device, device->driver.take(at, bytes ? bytes : 1),
                        "take memory");
}

bool device_put(Device *device, GpuAddress to, const void *from,
                uint64_t bytes) {
  return !bytes || device_is_done(device, device->driver.put(to, from, bytes),
                                  "copy to the device");
}

bool device_get(Device *device, void *to, GpuAddress from, uint64_t bytes) {
  return !bytes || device_is_done(device, device->driver.get(to, from, bytes),
                                  "copy from the device");
}

static bool take_buffers(Device *device) {
  const Run *run = device->run;
  for (size_t i = 0; i < run->buffers.count; i++)
    if (!device_take(device, &device->buffers[i], run->buffers.at[i].bytes))
      return false;
  return true;
}

bool device_fill_buffers(Device *device) {
  const Run *run = device->run;
  for (size_t i = 0; i < run->buffers.count; i++)
    if (!device_put(device, device->buffers[i], run->buffers.at[i].at,
                    run->buffers.at[i].bytes))
      return false;
  return true;
}

bool device_fetch_buffers(Device *device) {
  const Run *run = device->run;
  for (size_t i = 0; i < run->buffers.count; i++)
    if (!device_get(device, run->buffers.at[i].at, device->buffers[i],
                    run->buffers.at[i].bytes))
      return false;
  return true;
}

// Where the host's pointer points to on the device.
static GpuAddress moved(const Device *device, const char *at) {
  const Run *run = device->run;
  for (size_t i = 0; i < run->buffers.count; i++) {
    const Buffer *buffer = &run->buffers.at[i];
    if (at >= buffer->at && at <= buffer->at + buffer->bytes)
      return device->buffers[i] + (uint64_t)(at - buffer->at);
  }
  return 0;
}

static void move_arguments(Device *device) {
  const Run *run = device->run;
  for (size_t i = 0; i < run->arguments.count; i++) {
    device->arguments[i] = run->arguments.at[i];
    if (run->code->parameters.at[i].kind != PARAMETER_POINTER)
      continue;
    char *at;
    memcpy(&at, run->arguments.at[i], sizeof at);
    device->values[i] = moved(device, at);
    device->arguments[i] = &device->values[i];
  }
}

static bool allocate(Device *device) {
  const Run *run = device->run;
  device->buffers = calloc(run->buffers.count + 1, sizeof *device->buffers);
  device->values = calloc(run->arguments.count + 1, sizeof *device->values);
  device->arguments =
      calloc(run->arguments.count + 1, sizeof *device->arguments);
  return device->buffers && device->values && device->arguments;
}

bool device_use(Device *device) {
  GpuContext *context;
  return device_start(device) &&
         device_is_done(device, device->driver.retain(&context, device->device),
                        "use the device") &&
         device_is_done(device, device->driver.use(context), "use the device");
}

bool device_open(Device *device) {
  if (!allocate(device))
    return device_fail(device, "out of memory");
  if (!device_use(device) || !take_buffers(device))
    return false;
  move_arguments(device);
  return true;
}

// ----------------------------------------------------------------- module ---

bool device_load(Device *device, const char *ptx) {
  GpuResult result = device->driver.load(&device->module, ptx);
  if (result == GPU_UNSUPPORTED_PTX || result == GPU_INVALID_PTX)
    return device_fail(device,
                       "the CUDA driver is too old for the PTX of this "
                       "kernel");
  if (result == GPU_NO_BINARY)
    return device_fail(device,
                       "the kernel is compiled for a newer device than "
                       "this one");
  return device_is_done(device, result, "load the kernel");
}

bool device_find_variable(Device *device, const char *name, GpuAddress *at) {
  size_t bytes;
  return device_is_done(
      device, device->driver.variable(at, &bytes, device->module, name),
      "find a variable");
}

bool device_find_function(Device *device, const char *name,
                          GpuFunction **function) {
  return device_is_done(device,
                        device->driver.function(function, device->module, name),
                        "find the kernel");
}

bool device_allow_shared(Device *device, GpuFunction *function) {
  uint64_t bytes = device->run->dynamic_shared;
  return bytes <= STATIC_LIMIT ||
         device_is_done(device,
                        device->driver.set_function(
                            function, GPU_MOST_DYNAMIC_SHARED, (int)bytes),
                        "give a block so much shared memory");
}

bool device_await(Device *device, double seconds,
                  const volatile int *is_asked) {
  double deadline = clock_seconds() + seconds;
  GpuResult result;
  while ((result = device->driver.query(NULL)) == GPU_NOT_READY) {
    if (is_asked && *is_asked)
      return device_fail(device,
                         "interrupted while the kernel was on the device");
    if (seconds > 0 && clock_seconds() > deadline)
      return device_fail(
          device, "the kernel has not ended on the device after %g s", seconds);
    usleep(POLL);
  }
  return device_is_done(device, result, "execute the kernel");
}
