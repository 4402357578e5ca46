// Answers of executions: a run, a whole program, a search of schedules.
//
// The doors fill these reports, and get a Diagnosis of each.

#ifndef REPORT_RUNS_H
#define REPORT_RUNS_H

#include "report/report.h"
#include "runtime/schedules/enforce.h"

#include <sys/types.h>

// ------------------------------------------------------------ elements.c ---

// A type of the elements of a buffer.
typedef struct Element {
  const char *name;
  unsigned bytes;
  bool is_float, is_signed;
} Element;

// Elements of a buffer, to be printed or compared at the end.
typedef struct Range {
  size_t buffer; // of Run.buffers
  const Element *element;
  uint64_t from, count;
  char *expected;   // of a comparison: what must be there
  double tolerance; // ... floats may differ by so much, relatively
} Range;

// What a file says of a launch.
typedef struct LaunchFile {
  const char *name;
  struct json_t *root;
  const char *kernel;            // or NULL: the only one
  Vec(const Element *) elements; // by buffer
  Vec(Range) prints, expectations;
} LaunchFile;

// Is it bf16, and not another type of 16 bits?
bool element_is_brain(const Element *element);
// One element as text.
const char *element_text(Task *task, const Element *element, const char *at);
// The first element that differs, or the count.
uint64_t range_difference(const Range *range, const Run *run);

// ----------------------------------------------------------------- run.c ---

// What --explain tells of a kernel.
typedef struct Explanation {
  Loc where;
  const char *sentence;
} Explanation;
typedef Vec(Explanation) Explanations;

// "racy", "endless"; "passed" where nothing went wrong.
const char *run_verdict(const RunReport *report);
// It lives as long as the task and the report.
Diagnosis *diagnose_run(Task *task, const RunReport *report);
// One without remarks.
Diagnosis *diagnosis_of_run(Task *task, const RunReport *report);
Explanations explanations_of_run(Arena *arena, const RunReport *report);
// "97 % of the pairs of blocks"
const char *pairs_text(Arena *arena, double share);
void tell_explanations(Arena *arena, Diagnosis *diagnosis,
                       const Explanations *explained);
void tell_incident(Task *task, Diagnosis *diagnosis, const RunReport *report,
                   const Incident *incident);
void tell_sighting(Arena *arena, Diagnosis *diagnosis,
                   const Sighting *sighting);

// ------------------------------------------------------------- program.c ---

// How it has ended.
typedef struct ProgramEnd {
  int exit_status; // -1: a signal has ended it
  int signal;
  int interrupted; // by this signal to us; 0: it was not
  pid_t left;      // a process of it that goes on; 0: none
  double seconds;
} ProgramEnd;

typedef struct ProgramReport {
  const char *file; // the first one
  const Ledger *ledger;
  ProgramEnd end;
  const char *doubt;           // of ledger_doubt
  Loc refusals[MOST_REFUSALS]; // where, of those in the ledger
  Loc fault;
  bool is_by_values, is_deterministic;
  Explanations explained;
} ProgramReport;

const char *program_verdict(const ProgramReport *report);
// Why it is `unknown`, unless a sighting says so; or NULL.
const char *program_reason(const ProgramReport *report);
Diagnosis *diagnose_program(Arena *arena, const ProgramReport *report);

// ----------------------------------------------------------- schedules.c ---

// The device that a schedule is enforced on, and what came of it.
typedef struct SchedulesDevice {
  DeviceFound found;
  const char *ptx;
  bool is_tried;      // there was a schedule to enforce
  Enforced *enforced; // is_tried; NULL: why not is in `reason`
  const char *reason; // it was not enforced, or the device did not follow it
} SchedulesDevice;

// All that is known when the search is over.
typedef struct SchedulesReport {
  RunReport run; // with the outcome of the schedule that was found
  const Exploration *exploration;
  const Findings *findings;
  unsigned timeout;    // of the search, in seconds
  const char *written; // the file that holds the schedule, or NULL
  const struct SchedulesDevice *device; // or NULL: no device was asked for
} SchedulesReport;

// What the schedule came to on the device: "assertion", "passed".
const char *schedules_device_verdict(const SchedulesDevice *device);
// "assertion", "schedule-dependent"; "passed" where nothing was found.
const char *schedules_verdict(const SchedulesReport *report);
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
Diagnosis *diagnose_schedules(Task *task, const SchedulesReport *report);

// ------------------------------------------------------------ json_run.c ---

struct json_t *json_incident(Task *task, const RunReport *report,
                             const Incident *incident);
struct json_t *json_run(const Diagnosis *diagnosis);
struct json_t *json_program(const Diagnosis *diagnosis);

// ------------------------------------------------------ json_schedules.c ---

struct json_t *json_schedules(const Diagnosis *diagnosis);

#endif
