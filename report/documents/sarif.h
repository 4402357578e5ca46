// What the files that write SARIF share.  Private to this room.

#ifndef REPORT_DOCUMENTS_SARIF_H
#define REPORT_DOCUMENTS_SARIF_H

#include "report/documents/documents.h"

#include <jansson.h>

typedef struct Sarif {
  Results *results;
} Sarif;

json_t *sarif_message(const char *text);
// `message` may be NULL.
json_t *sarif_location(const Sarif *sarif, Loc where, const char *message);
// With the names of the kernel, and of the others that have the problem;
// `alarm` may be NULL.
json_t *sarif_kernel_location(const Sarif *sarif, const KernelRecord *record,
                              const Alarm *alarm, Loc where);
int sarif_rule_index(const char *id);

// ------------------------------------------------------- sarif_problem.c ---

json_t *sarif_problem(const Sarif *sarif, const KernelRecord *record,
                      const Alarm *alarm);
// Those with the same fingerprint, each with a number behind it.
void sarif_number_marks(const Sarif *sarif, json_t *results);

#endif
