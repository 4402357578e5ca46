// What the files that write JSON share: pieces of objects, and the line.

#ifndef REPORT_JSON_H
#define REPORT_JSON_H

#include "report/report.h"

#include <jansson.h>

enum { SCHEMA_VERSION = 1 };

// null where there is nothing, or what is not UTF-8.
json_t *json_text(const char *string);
json_t *json_number(uint64_t value);
json_t *json_triple(const uint32_t values[3]);
json_t *json_names(size_t count, const char *const *at);
// null if it has no line; `file` is meant where it names none.
json_t *json_place(Loc loc, const char *file);
// On a line of its own; the object is given back.
void json_print_line(json_t *object, FILE *out);

// ------------------------------------------------------- json_barriers.c ---

json_t *json_barriers(const Diagnosis *diagnosis);

// ---------------------------------------------------------- json_proof.c ---

json_t *json_proof(const Diagnosis *diagnosis);

// ----------------------------------------------------- json_suppressed.c ---

// Of the answer `kind`; the verdict may be NULL.
json_t *json_suppressed(const Diagnosis *diagnosis, const Verdict *verdict,
                        VerdictKind kind);

#endif
