// What the files that read and write launch files share.

#ifndef PLUGIN_LAUNCH_H
#define PLUGIN_LAUNCH_H

#include "plugin/run.h"

#include <jansson.h>

typedef struct Reading {
  Task *task;
  LaunchFile *file;
  const Code *code;
  Run *run;
  const char **error;
} Reading;

// False, with one sentence.
#define fail(reading, ...)                                                     \
  (*(reading)->error = arena_printf(&(reading)->task->arena, __VA_ARGS__),     \
   false)

// ------------------------------------------------------- launch_values.c ---

// NULL: there is no such type.
const Element *element_named(const char *name);
const Element *element_for(FieldKind kind, unsigned bytes, bool is_unsigned);
// A number, or a string of one for what does not fit into JSON's.  False: it is
// none, or not one of this type.
bool element_read(const json_t *value, const Element *element, char *at);
// "zero", "iota", {"random": seed}, {"file": name}, {"all": value}, a list.
bool launch_fill(Reading *reading, const json_t *how, const Element *element,
                 char *at, uint64_t count);

// --------------------------------------------------------- launch_file.c ---

// Every member of an object has to be one of those listed.
bool launch_check_members(Reading *reading, const json_t *object,
                          const char *what, const char *const *known);
// A whole number; what is not there is as it was.
bool launch_read_whole(Reading *reading, const json_t *object, const char *name,
                       uint64_t least, uint64_t most, uint64_t *value);

#endif
