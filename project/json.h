// What the files of this room that read and write JSON share.

#ifndef PROJECT_JSON_H
#define PROJECT_JSON_H

#include "project/project.h"

#include <jansson.h>

// [file, line, column], or null.
json_t *json_of_place(Loc loc);
Loc json_to_place(Task *task, const json_t *place);
// In the arena; NULL: it is no text.
const char *json_to_text(Task *task, const json_t *json);
// Compact, in the arena; the object is given back.
char *json_to_line(Task *task, json_t *json);

// ------------------------------------------------------------ launches.c ---

// PlaceTable are written out if there are no `places`.
json_t *launch_to_json(Task *task, const Launch *launch, PlaceTable *places);
bool launch_from_json(Task *task, const json_t *json, Launch *launch);

#endif
