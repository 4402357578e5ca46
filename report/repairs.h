// What is told of repairs: of a kernel, behind what the proof says of it.

#ifndef REPORT_REPAIRS_H
#define REPORT_REPAIRS_H

#include "repair/repair.h"
#include "report/report.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RepairReport {
  Arena *arena;
  const char *kernel; // as written
  const Places *places;
  const Edits *before;          // of the proposals before this one
  const Proposal *proposal;     // NULL: there was nothing to be repaired ...
  const Redundancy *redundancy; // ... or only barriers were looked at; or NULL
  double seconds;
  bool is_applied; // the file was changed
  bool is_fixed;   // the kernel is verified in the files as they are now
} RepairReport;

// ---------------------------------------------------------- repairs.c ---

// A diagnosis, kept for when its kernel's memory is gone.
const char *report_kept_text(Arena *arena, const Diagnosis *diagnosis);
void report_repair_text(FILE *out, const RepairReport *report);
const char *repair_diff(const RepairReport *report);

// ----------------------------------------------------- json_repair.c ---

struct json_t *report_keep_record(Arena *arena, const Diagnosis *diagnosis);
// The record, with what is told of the repair.
void report_repair_json(FILE *out, struct json_t *record,
                        const RepairReport *report);

#ifdef __cplusplus
}
#endif

#endif
