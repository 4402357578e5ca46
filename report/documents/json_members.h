// Members of JSON objects that may be missing.  Private to this room.

#ifndef REPORT_DOCUMENTS_JSON_MEMBERS_H
#define REPORT_DOCUMENTS_JSON_MEMBERS_H

#include "report/documents/documents.h"

#include <jansson.h>

// NULL: it is no string.
const char *member_text(Results *results, json_t *object, const char *name);
json_int_t member_number(json_t *object, const char *name, json_int_t other);
// Line 0: it is no place.
Loc place_of_json(Results *results, json_t *place);
Loc member_place(Results *results, json_t *object, const char *name);
const char *triple_text(Arena *arena, json_t *triple);  // "(256,1,*)"
const char *numbers_text(Arena *arena, json_t *triple); // "256,1,*"

#endif
