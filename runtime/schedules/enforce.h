// A schedule on a device: what is asked for, and what came of it.
//
// Plain data, shared with a process that has the driver and dies with whatever
// goes wrong in it.

#ifndef RUNTIME_SCHEDULES_ENFORCE_H
#define RUNTIME_SCHEDULES_ENFORCE_H

#include "runtime/device/device.h"
#include "runtime/schedules/gates.h"

enum { PLAN_CANONICAL, PLAN_FOUND, PLANS };

typedef struct Enforcement {
  const Exploration *exploration;
  const char *ptx;
  GatePlan plans[PLANS];
  double seconds;               // of one launch
  const volatile int *is_asked; // ... to stop, by somebody else
} Enforcement;

typedef struct EnforcedRun {
  GatesEnd end;
  uint32_t made; // accesses, behind gates
  uint32_t thread, site;
} EnforcedRun;

typedef struct Enforced {
  bool is_done;
  char reason[INCIDENT_TEXT]; // it is not: why
  EnforcedRun runs[PLANS];
  unsigned difference_count; // of the final states on the device
  Difference differences[MOST_DIFFERENCES];
} Enforced;

// --------------------------------------------------------- gpu_enforce.c ---

// NULL: no memory.
Enforced *enforced_new(void);
void enforced_free(Enforced *enforced);
// Both schedules, one after the other, each with the memory of the start.
void enforce(const Enforcement *enforcement, Enforced *enforced);

#endif
