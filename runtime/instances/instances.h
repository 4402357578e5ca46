// Many runs of one program, each in an instance of its own: a thread of a
// device executes one of them.
//
// In comes what runtime/threads/ has made of a program, with the calls of the
// machine before what other threads can see.  Out comes code that executes a
// schedule by its number: PTX for a device, or code of this process, which does
// the same.  What an instance comes to is told by numbers; the report is made
// of the same schedule on the processor.

#ifndef RUNTIME_INSTANCES_INSTANCES_H
#define RUNTIME_INSTANCES_INSTANCES_H

#include "runtime/instances/instance.h"
#include "runtime/threads/threads.h"

// --------------------------------------------------------------- bodies.c ---

typedef struct InstanceCode {
  struct LLVMOpaqueModule *module;
  uint64_t frame_bytes, stack_bytes; // of a thread
} InstanceCode;

// In the code: what a device begins at, and what one instance is executed by.
#define INSTANCES_KERNEL "gpuverify_instances"
#define INSTANCES_RUN "gpuverify_instance_run"

// Gives up at what instances do not have, with the reason and its place.  Needs
// image->instrumented.
void instances_make(Task *task, const ProgramImage *image, InstanceCode *code);
// NULL: *reason says why.  The module is kept as it is.
const char *instances_ptx(Task *task, const InstanceCode *code,
                          unsigned version, const char **reason);

// ----------------------------------------------------------------- host.c ---

// Instances that this process executes, one after another, each schedule
// compared with what runtime/threads/ makes of it.  Takes the module.
void instances_on_host(Task *task, const InstanceCode *code,
                       ThreadsDevice *device);

// --------------------------------------------------------------- device.c ---

// ... and that a CUDA device executes.  Gives up where there is none.
void instances_on_device(Task *task, const InstanceCode *code,
                         ThreadsDevice *device);

#endif
