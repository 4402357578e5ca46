// One problem for each pair of places, however many kernels have it.
//
// A template is instantiated many times, and a function of a header is in many
// units: the same two accesses race in each.  Problems of one rule at the same
// places are told once, of the kernel in which it was confirmed if there is
// one, with the names of the others.

#include "report/documents/documents.h"

#include <stdlib.h>
#include <string.h>

typedef struct Entry {
  const char *key;
  size_t number; // in the order of records and their problems
  const KernelRecord *record;
  Alarm *alarm;
} Entry;
typedef Vec(Entry) Entries;

static const char *place_key(Arena *arena, Loc where) {
  return arena_printf(arena, "%s:%u:%u", where.file ? where.file : "",
                      where.line, where.column);
}

static int compare_texts(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// The same for both orders of two threads.  What has no place is like nothing
// else.
static const char *key_of(Arena *arena, const Alarm *alarm, size_t number) {
  const char *places[2] = {"", ""};
  size_t count = alarm->participants.count < 2 ? alarm->participants.count : 2;
  if (!alarm->where.line)
    return arena_printf(arena, "%zu", number);
  for (size_t i = 0; i < count; i++)
    places[i] = place_key(arena, alarm->participants.at[i].where);
  qsort(places, 2, sizeof *places, compare_texts);
  return arena_printf(arena, "%s|%d|%s|%s|%s|%s", alarm->kind,
                      alarm->is_suppressed, place_key(arena, alarm->where),
                      places[0], places[1], count ? "" : alarm->sentence);
}

static Entries list_all(Results *results) {
  Arena *arena = &results->arena;
  Entries entries = {0};
  for (size_t i = 0; i < results->records.count; i++) {
    const KernelRecord *record = &results->records.at[i];
    for (size_t k = 0; k < record->alarms.count; k++) {
      Alarm *alarm = &record->alarms.at[k];
      Entry entry = {key_of(arena, alarm, entries.count), entries.count, record,
                     alarm};
      push_moving(arena, &entries, entry);
    }
  }
  return entries;
}

static int compare_entries(const void *a, const void *b) {
  const Entry *one = a, *two = b;
  int order = strcmp(one->key, two->key);
  return order                       ? order
         : one->number < two->number ? -1
                                     : one->number > two->number;
}

// What one kernel has twice at these places stays twice.
static bool is_instance(const Entry *entry, const Entry *told) {
  return entry->record != told->record;
}

static void tell_once(Arena *arena, const Entry *first, size_t count) {
  const Entry *told = first;
  for (size_t i = 0; i < count && !told->alarm->is_confirmed; i++)
    if (first[i].alarm->is_confirmed)
      told = &first[i];
  for (size_t i = 0; i < count; i++) {
    if (!is_instance(&first[i], told))
      continue;
    first[i].alarm->same_as = told->record;
    push(arena, &told->alarm->instances, first[i].record);
  }
}

void results_group(Results *results) {
  Entries entries = list_all(results);
  if (!entries.count)
    return;
  qsort(entries.at, entries.count, sizeof *entries.at, compare_entries);
  for (size_t i = 0, next; i < entries.count; i = next) {
    for (next = i + 1; next < entries.count; next++)
      if (strcmp(entries.at[i].key, entries.at[next].key) != 0)
        break;
    tell_once(&results->arena, &entries.at[i], next - i);
  }
}

// "'tile<128>'", and of which unit, if the problem is in a file of its own.
static const char *instance_name(Results *results, const Alarm *alarm,
                                 const KernelRecord *record) {
  Arena *arena = &results->arena;
  const char *name = arena_printf(arena, "'%s'", record->source);
  if (alarm->where.file && !strcmp(alarm->where.file, record->file))
    return name;
  return arena_printf(arena, "%s of %s", name,
                      place_shown(results, (Loc){record->file, 0, 0}));
}

const char *instances_text(Results *results, const Alarm *alarm) {
  enum { MOST_NAMED = 12 };
  Arena *arena = &results->arena;
  const char *text = NULL;
  size_t count = alarm->instances.count;
  for (size_t i = 0; i < count && i < MOST_NAMED; i++)
    text = arena_printf(arena, "%s%s%s", text ? text : "", i ? ", " : "",
                        instance_name(results, alarm, alarm->instances.at[i]));
  return count > MOST_NAMED
             ? arena_printf(arena, "%s and %zu more", text, count - MOST_NAMED)
             : text;
}
