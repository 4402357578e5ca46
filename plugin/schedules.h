// What the files of `gpuverify schedules` share.

#ifndef PLUGIN_SCHEDULES_H
#define PLUGIN_SCHEDULES_H

#include "plugin/run.h"
#include "runtime/schedules/enforce.h"

// All that is known when the search is over.
typedef struct SchedulesReport {
  RunReport run; // with the outcome of the schedule that was found
  const Settings *settings;
  const Exploration *exploration;
  const Findings *findings;
  const char *written; // the file that holds the schedule, or NULL
  const struct SchedulesDevice *device; // or NULL: no device was asked for
} SchedulesReport;

// ---------------------------------------------------- schedules_device.c ---

// The device that a schedule is enforced on, and what came of it.
typedef struct SchedulesDevice {
  DeviceFound found;
  const char *ptx;
  bool is_tried;      // there was a schedule to enforce
  Enforced *enforced; // is_tried; NULL: why not is in `reason`
  const char *reason; // it was not enforced, or the device did not follow it
} SchedulesDevice;

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
// What the schedule came to on the device: "assertion", "passed".
const char *schedules_device_verdict(const SchedulesDevice *device);

// ---------------------------------------------------- report_schedules.c ---

// "assertion", "schedule-dependent"; "passed" where nothing was found.
const char *schedules_verdict(const SchedulesReport *report);
int schedules_status(const SchedulesReport *report);
// What was covered, "no bug within 2 delays: 53 schedules".
const char *schedules_coverage(Task *task, const SchedulesReport *report);
// Was there a bug?
bool schedules_found(const SchedulesReport *report);
// The step before which a delay is taken, NULL if it does not come.
const Step *schedules_delay(const Findings *findings, unsigned delay);
// The bytes of a step or a difference as text.
const char *schedules_value(Task *task, const SchedulesReport *report,
                            int array, uint64_t bytes, uint64_t value);
const char *schedules_array(const SchedulesReport *report, int array);
// It lives as long as the task and the report.
const Diagnosis *diagnose_schedules(Task *task, const SchedulesReport *report);

// ------------------------------------------------------ json_schedules.c ---

struct json_t *json_schedules(const Diagnosis *diagnosis);

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
