// What launches have found, as text and as lines of JSON.
//
// A race is told when its launch is over, each pair of places of a kernel once;
// so it is known however the program ends.  What the run comes to is told at
// its end.

#define _GNU_SOURCE

#include "runtime/values/program/program.h"

#include "runtime/machine/copied.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// A pair of places that was told.
typedef struct Told {
  struct Told *next;
  const LaunchedKernel *kernel;
  uint32_t kind, site, other;
} Told;

static Told *told;
static uint64_t races, troubles;

static bool was_told(const LaunchedKernel *kernel, const ValuesReport *report) {
  uint32_t site = report->place >> VALUES_SITE_SHIFT;
  uint32_t other = report->other_place >> VALUES_SITE_SHIFT;
  for (const Told *t = told; t; t = t->next)
    if (t->kernel == kernel && t->kind == report->kind && t->site == site &&
        t->other == other)
      return true;
  Told *made = malloc(sizeof *made);
  if (made) {
    *made = (Told){told, kernel, report->kind, site, other};
    told = made;
  }
  return false;
}

// --------------------------------------------------------------- accesses ---

// One of the two accesses of a race.
typedef struct End {
  const TableSite *site; // NULL: not known
  const char *file;      // NULL: not known
  bool is_write, is_atomic;
  unsigned thread[3], block[3];
} End;

static void divide(uint32_t number, const unsigned sizes[3],
                   unsigned place[3]) {
  unsigned x = sizes[0] ? sizes[0] : 1, y = sizes[1] ? sizes[1] : 1;
  place[0] = number % x;
  place[1] = number / x % y;
  place[2] = number / x / y;
}

static End end_of(const ReportedLaunch *launch, uint32_t block, uint32_t place,
                  bool is_write) {
  const TableHead *table = launch->kernel->table;
  End end = {.site = table_site(table, place >> VALUES_SITE_SHIFT),
             .is_write = is_write};
  end.is_atomic = end.site && end.site->is_atomic;
  divide(block, launch->grid, end.block);
  divide(place % (1u << VALUES_SITE_SHIFT), launch->block, end.thread);
  if (end.site && end.site->where.line)
    end.file = table_text(table, end.site->where.file);
  return end;
}

static void add_place(Text *text, const End *end) {
  if (end->file)
    text_add(text, "%s:%u:%u", end->file, end->site->where.line,
             end->site->where.column);
}

static void add_end(Text *text, const End *end, const ValuesReport *report) {
  text_add(text, "  thread (%u,%u,%u) in block (%u,%u,%u) %s ", end->thread[0],
           end->thread[1], end->thread[2], end->block[0], end->block[1],
           end->block[2],
           end->is_atomic  ? "updates atomically"
           : end->is_write ? "writes"
                           : "reads");
  unsigned bytes = end->site ? end->site->bytes : 1;
  uint64_t at = report->at - report->at % (bytes ? bytes : 1);
  if (report->is_shared)
    text_add(text, "byte%s %" PRIu64 "..%" PRIu64 " of shared memory",
             bytes == 1 ? "" : "s", at, at + bytes - 1);
  else
    text_add(text, "%u byte%s at 0x%" PRIx64, bytes, bytes == 1 ? "" : "s", at);
  if (end->file)
    text_add(text, ", ");
  add_place(text, end);
  text_add(text, "\n");
}

static const char *kind_text(const End ends[2]) {
  if (ends[0].is_atomic && ends[1].is_atomic)
    return "atomic-atomic race";
  const End *other = ends[0].is_atomic ? &ends[1] : &ends[0];
  if (ends[0].is_atomic || ends[1].is_atomic)
    return other->is_write ? "atomic-write race" : "atomic-read race";
  return ends[0].is_write ? "write-write race" : "read-write race";
}

static void show_race(const ReportedLaunch *launch, const End ends[2],
                      const ValuesReport *report) {
  Text text = {0};
  add_place(&text, &ends[0]);
  text_add(&text, "%s%s in kernel '%s'%s\n", ends[0].file ? ": " : "",
           kind_text(ends), launch->kernel->name,
           report->kind == VALUES_SAME_VALUE ? ", both write the same" : "");
  add_end(&text, &ends[0], report);
  add_end(&text, &ends[1], report);
  text_show(&text);
}

// ------------------------------------------------------------------- JSON ---

static void add_triple(Text *text, const char *name, const unsigned triple[3]) {
  text_add(text, "\"%s\": [%u, %u, %u]", name, triple[0], triple[1], triple[2]);
}

static void add_json_end(Text *text, const End *end) {
  text_add(text, "{");
  add_triple(text, "thread", end->thread);
  text_add(text, ", ");
  add_triple(text, "block", end->block);
  text_add(text, ", \"action\": \"%s\", \"bytes\": %u, \"where\": ",
           end->is_atomic  ? "atomic"
           : end->is_write ? "write"
                           : "read",
           end->site ? end->site->bytes : 1);
  if (end->file) {
    text_add(text, "{\"file\": ");
    text_add_json(text, end->file);
    text_add(text, ", \"line\": %u, \"column\": %u}", end->site->where.line,
             end->site->where.column);
  } else {
    text_add(text, "null");
  }
  text_add(text, "}");
}

static void keep(const ReportedLaunch *launch, const char *kind,
                 const char *sentence, const End *ends) {
  Text text = {0};
  text_add(&text, "{\"schema\": 1, \"technique\": \"values\", \"kernel\": ");
  text_add_json(&text, launch->kernel->name);
  text_add(&text, ", \"launch\": %" PRIu64 ", ", launch->number);
  add_triple(&text, "grid_size", launch->grid);
  text_add(&text, ", ");
  add_triple(&text, "block_size", launch->block);
  text_add(&text, ", \"kind\": \"%s\", \"sentence\": ", kind);
  text_add_json(&text, sentence);
  text_add(&text, ", \"threads\": [");
  for (int i = 0; ends && i < 2; i++) {
    text_add(&text, i ? ", " : "");
    add_json_end(&text, &ends[i]);
  }
  text_add(&text, "]}\n");
  text_keep(&text);
}

// ---------------------------------------------------------------- telling ---

static void tell_race(const ReportedLaunch *launch,
                      const ValuesReport *report) {
  bool reads = report->kind == VALUES_READ_WRITE;
  End ends[] = {end_of(launch, report->block, report->place, !reads),
                end_of(launch, report->other_block, report->other_place, true)};
  races++;
  show_race(launch, ends, report);
  keep(launch, "racy", kind_text(ends), ends);
}

void reports_tell_trouble(const ReportedLaunch *launch, const char *text) {
  Text shown = {0};
  troubles++;
  text_add(&shown, "gpuverify: kernel '%s', launch %" PRIu64 ": %s\n",
           launch->kernel->name, launch->number, text);
  text_show(&shown);
  keep(launch, "unknown", text, NULL);
}

static void tell_divergence(const ReportedLaunch *launch, const char *text) {
  reports_tell_trouble(launch, text);
}

void reports_tell(const ReportedLaunch *launch, const ValuesReport *report) {
  bool is_quiet =
      report->kind == VALUES_SAME_VALUE && !settings_get()->tells_same_value;
  if (is_quiet || was_told(launch->kernel, report))
    return;
  switch (report->kind) {
  case VALUES_WRITE_WRITE:
  case VALUES_SAME_VALUE:
  case VALUES_READ_WRITE:
    tell_race(launch, report);
    return;
  case VALUES_DIVERGES:
    tell_divergence(launch,
                    "barrier divergence: threads of a block are at "
                    "different barriers");
    return;
  case VALUES_LEFT:
    tell_divergence(launch,
                    "barrier divergence: threads of a block are at a "
                    "barrier, and others have left");
    return;
  case VALUES_UNSTABLE:
    reports_tell_trouble(
        launch,
        "a unit that executes a region again does something else, "
        "though it reads nothing that others have written");
    return;
  case VALUES_BLOCKS:
    reports_tell_trouble(launch, "the grid has more blocks than are compared");
    return;
  case VALUES_RECORDS:
    reports_tell_trouble(launch,
                         "more atomic operations are executed than there is "
                         "room to record: GPUVERIFY_VALUES=memory=BYTES");
    return;
  case VALUES_FLIGHTS:
    reports_tell_trouble(launch,
                         "a thread has more than 64 asynchronous "
                         "copies on their way");
    return;
  case VALUES_CROSSES:
    reports_tell_trouble(launch, "an access is not aligned to its width");
    return;
  case VALUES_FULL:
  case VALUES_GRID_FULL:
    reports_tell_trouble(launch,
                         "more is written than there is room for "
                         "copies of: GPUVERIFY_VALUES=memory=BYTES");
    return;
  }
  reports_tell_trouble(launch, "a report that is not understood");
}

// ------------------------------------------------------------- conclusion ---

static void show_unchecked(const LaunchedKernel *kernel) {
  const TableHead *table = kernel->table;
  const char *file = table && table->reason && table->where.line
                         ? table_text(table, table->where.file)
                         : NULL;
  Text text = {0};
  if (file)
    text_add(&text, "%s:%u:%u: ", file, table->where.line, table->where.column);
  text_add(&text, "kernel '%s': %" PRIu64 " launch%s not checked: %s\n",
           kernel->name, kernel->unchecked, kernel->unchecked == 1 ? "" : "es",
           kernel->unchecked_because);
  text_show(&text);
}

typedef struct Totals {
  uint64_t launches, unchecked, proved;
  bool has_warps; // were units somewhere
} Totals;

static Totals add_up(void) {
  Totals totals = {0};
  for (const LaunchedKernel *k = kernels_first(); k; k = k->next) {
    totals.launches += k->launches;
    totals.unchecked += k->unchecked;
    totals.proved += k->proved;
    totals.has_warps |= k->launches > k->unchecked + k->proved && k->table &&
                        k->table->has_warps;
    if (k->unchecked)
      show_unchecked(k);
  }
  return totals;
}

static const char *verdict_of(const Totals *totals) {
  if (races)
    return "racy";
  return troubles || totals->unchecked || !totals->launches ? "unknown"
                                                            : "passed";
}

bool reports_conclude(void) {
  static bool is_concluded;
  if (is_concluded)
    return races > 0;
  is_concluded = true;
  Totals totals = add_up();
  const char *verdict = verdict_of(&totals);
  Text text = {0}, line = {0};
  text_add(&text, "verdict: %s (this run by values%s, %" PRIu64 " launch%s",
           verdict, totals.has_warps ? " of warps" : "", totals.launches,
           totals.launches == 1 ? "" : "es");
  if (totals.proved)
    text_add(&text, ", %" PRIu64 " proved", totals.proved);
  text_add(&text, ", %" PRIu64 " of them not checked)\n", totals.unchecked);
  text_show(&text);
  text_add(&line,
           "{\"schema\": 1, \"technique\": \"values\", \"verdict\": \"%s\", "
           "\"by_warps\": %s, \"launches\": %" PRIu64 ", \"proved\": %" PRIu64
           ", \"unchecked\": %" PRIu64 ", \"races\": %" PRIu64 "}\n",
           verdict, totals.has_warps ? "true" : "false", totals.launches,
           totals.proved, totals.unchecked, races);
  text_keep(&line);
  return races > 0;
}
