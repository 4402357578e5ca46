// dynamic_cast of C++, by what the compiler has written down of classes.
//
// By the ABI of Itanium an object begins with a pointer into a table, before
// which stand how far behind the whole object's beginning it is, and the whole
// object's class.  A class has a name, and bases: none, one at its beginning,
// or a list with their places.  Nothing of it ever changes but the object's
// first word.

#define _GNU_SOURCE

#include "runtime/threads/world.h"

#include <string.h>

typedef struct Class {
  const void *kind; // of what is written here
  const char *name;
} Class;

typedef struct SingleClass {
  Class head;
  const Class *base;
} SingleClass;

typedef struct BaseClass {
  const Class *class;
  long flags; // and above them the place
} BaseClass;

typedef struct ManyClass {
  Class head;
  unsigned flags, count;
  BaseClass bases[];
} ManyClass;

enum { IS_VIRTUAL = 1, IS_PUBLIC = 2, PLACE_SHIFT = 8, BEHIND_HEAD = 16 };

static bool is_kind(const Class *class, const char *name) {
  return (uint64_t)(uintptr_t)class->kind == posix_variable(name) + BEHIND_HEAD;
}

static bool is_same(const Class *a, const Class *b) {
  return a->name == b->name || (a->name[0] != '*' && !strcmp(a->name, b->name));
}

// What is looked for in the whole object, by public bases.
typedef struct Cast {
  const Class *from, *to;
  const char *object;
  const char *found_below, *found; // with the object as its base; or any
  bool is_below_twice, is_twice, is_reached;
} Cast;

static void visit(Cast *cast, const Class *class, const char *at,
                  const char *inside);

static const char *base_at(const BaseClass *base, const char *at) {
  long place = base->flags >> PLACE_SHIFT;
  if (!(base->flags & IS_VIRTUAL))
    return at + place;
  const char *table = *(const char *const *)(const void *)at;
  return at + *(const long *)(const void *)(table + place);
}

static void visit_bases(Cast *cast, const Class *class, const char *at,
                        const char *inside) {
  if (is_kind(class, "_ZTVN10__cxxabiv120__si_class_type_infoE")) {
    visit(cast, ((const SingleClass *)(const void *)class)->base, at, inside);
    return;
  }
  if (!is_kind(class, "_ZTVN10__cxxabiv121__vmi_class_type_infoE"))
    return;
  const ManyClass *many = (const ManyClass *)(const void *)class;
  for (unsigned i = 0; i < many->count; i++)
    if (many->bases[i].flags & IS_PUBLIC)
      visit(cast, many->bases[i].class, base_at(&many->bases[i], at), inside);
}

static void note(const char **place, bool *is_twice, const char *at) {
  *is_twice |= *place && *place != at;
  *place = at;
}

// `inside` is the wanted part that this one is a base of, or NULL.
static void visit(Cast *cast, const Class *class, const char *at,
                  const char *inside) {
  if (is_same(class, cast->to)) {
    note(&cast->found, &cast->is_twice, at);
    inside = at;
  }
  if (at == cast->object && is_same(class, cast->from)) {
    cast->is_reached = true;
    if (inside)
      note(&cast->found_below, &cast->is_below_twice, inside);
  }
  visit_bases(cast, class, at, inside);
}

static void *posix___dynamic_cast(const void *object, const Class *from,
                                  const Class *to, long hint) {
  (void)hint;
  world_touch(object, sizeof(void *), false);
  const char *table = *(const char *const *)object;
  const long *head = (const long *)(const void *)(table - BEHIND_HEAD);
  const Class *class = *(const Class *const *)(const void *)(table - 8);
  const char *whole = (const char *)object + *head;
  Cast cast = {.from = from, .to = to, .object = object};
  visit(&cast, class, whole, NULL);
  if (cast.found_below)
    return cast.is_below_twice ? NULL : (void *)(uintptr_t)cast.found_below;
  return cast.is_reached && !cast.is_twice ? (void *)(uintptr_t)cast.found
                                           : NULL;
}

const PosixCall rtti_calls[] = {POSIX_CALL(__dynamic_cast), {NULL, NULL, 0}};
