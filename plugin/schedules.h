// What the files of `gpuverify schedules` share.

#ifndef PLUGIN_SCHEDULES_H
#define PLUGIN_SCHEDULES_H

#include "plugin/run.h"

// ---------------------------------------------------- schedules_device.c ---

// Before the search.  False: *error says why there is nothing to try it on.
bool schedules_device_open(Task *task, SchedulesDevice *device,
                           const char **error);
// The kernel with gates.  False: *error says why it cannot have them.
bool schedules_device_compile(Task *task, SchedulesDevice *device,
                              const Code *code, const char **error);
// After a search that has found a schedule.
void schedules_device_enforce(Task *task, SchedulesDevice *device,
                              const Exploration *exploration,
                              const Findings *findings, double seconds);
void schedules_device_close(SchedulesDevice *device);
// -------------------------------------------------- json_schedule_file.c ---

// A schedule file, see docs/SCHEDULES.md.
typedef struct ScheduleFile {
  const char *kernel;
  uint32_t grid[3], block[3];
  uint64_t seed;
  bool is_race; // it was found as one
  DelayList delays;
  unsigned lines[MOST_DELAYS]; // of the delayed accesses, 0: not told
} ScheduleFile;

// False: *error is one sentence.
bool schedule_file_write(const char *name, Task *task,
                         const SchedulesReport *report, const char **error);
bool schedule_file_read(const char *name, Task *task, ScheduleFile *file,
                        const char **error);

#endif
