// Which rungs of the ladder a user names (smt/ladder.c).

#include "plugin/plugin.h"

#include <string.h>

void rungs_set(bool names[PREMISES], bool value) {
  for (unsigned i = 0; i < PREMISES; i++)
    names[i] = value;
}

static const char *all_names(Task *task, const char *other) {
  const char *list = other;
  for (unsigned i = PREMISES; i-- > 0;)
    list = arena_printf(&task->arena, "%s, %s", premise_name((PremiseKind)i),
                        list);
  return list;
}

bool rungs_read(Task *task, const char *list, const char *other,
                bool names[PREMISES], bool *has_other, const char **wrong) {
  for (const char *name = list; *name;) {
    size_t length = strcspn(name, ",");
    PremiseKind kind;
    if (premise_find(name, length, &kind)) {
      names[kind] = true;
    } else if (length == strlen(other) && !strncmp(name, other, length)) {
      *has_other = true;
    } else {
      *wrong = arena_printf(&task->arena, "'%.*s' is none of %s", (int)length,
                            name, all_names(task, other));
      return false;
    }
    name += length + (name[length] == ',');
  }
  return true;
}

bool rungs_are_of_source(PremiseKind kind) {
  return kind != PREMISE_EXITED_THREADS &&
         kind != PREMISE_ATOMICS_START_AT_ZERO && kind != PREMISE_LOOSE_FENCES;
}

void rungs_without_source(bool names[PREMISES]) {
  for (unsigned i = 0; i < PREMISES; i++)
    names[i] = names[i] && !rungs_are_of_source((PremiseKind)i);
}
