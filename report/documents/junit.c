// JUnit's XML: a suite for each file, a test case for each kernel.
//
// A bug is a failure, what is not decided is skipped, and wrong input is an
// error, so that a build server shows neither as a kernel that passed.

#include "report/documents/documents.h"

#include <string.h>

typedef struct Sheet {
  FILE *out;
  Results *results;
} Sheet;

// Records by file, in the order of their first.
typedef struct Suite {
  const char *file;
  Vec(const KernelRecord *) records;
  Vec(const Trouble *) troubles;
} Suite;
typedef Vec(Suite) Suites;

static void attribute(const Sheet *sheet, const char *name, const char *value) {
  fprintf(sheet->out, " %s=\"", name);
  print_escaped(sheet->out, value);
  fputc('"', sheet->out);
}

static bool is_open_alarm(const Alarm *alarm) {
  return !alarm->is_suppressed && !alarm->is_only_warned;
}

static bool is_failure(const KernelRecord *record) {
  bool is_open = false;
  for (size_t i = 0; i < record->alarms.count; i++)
    is_open |= is_open_alarm(&record->alarms.at[i]);
  return record->class == CLASS_BUG && is_open;
}

static void print_alarm(const Sheet *sheet, const Alarm *alarm) {
  Arena *arena = &sheet->results->arena;
  if (alarm->is_suppressed)
    return;
  print_escaped(sheet->out,
                arena_printf(arena, "%s: %s\n",
                             place_shown(sheet->results, alarm->where),
                             alarm->sentence));
  for (size_t i = 0; i < alarm->participants.count; i++) {
    const Participant *one = &alarm->participants.at[i];
    print_escaped(sheet->out,
                  arena_printf(arena, "  %s %s, %s\n", one->who,
                               one->does ? one->does : "",
                               place_shown(sheet->results, one->where)));
  }
  for (size_t i = 0; i < alarm->inputs.count; i++)
    print_escaped(sheet->out,
                  arena_printf(arena, "  %s = %s\n", alarm->inputs.at[i].name,
                               alarm->inputs.at[i].value));
}

static void print_failure(const Sheet *sheet, const KernelRecord *record) {
  fputs("      <failure", sheet->out);
  for (size_t i = 0; i < record->alarms.count; i++)
    if (is_open_alarm(&record->alarms.at[i])) {
      attribute(sheet, "message", record->alarms.at[i].sentence);
      break;
    }
  attribute(sheet, "type", rule_of(record->verdict)->id);
  fputc('>', sheet->out);
  for (size_t i = 0; i < record->alarms.count; i++)
    print_alarm(sheet, &record->alarms.at[i]);
  fputs("</failure>\n", sheet->out);
}

// What is said of a kernel that has neither failed nor passed.
static void print_open(const Sheet *sheet, const KernelRecord *record,
                       const char *element) {
  Arena *arena = &sheet->results->arena;
  const char *why = record->reason  ? record->reason
                    : record->scope ? record->scope
                                    : "";
  fprintf(sheet->out, "      <%s", element);
  attribute(sheet, "message",
            arena_printf(arena, "%s%s%s%s%s", record->verdict, *why ? ": " : "",
                         why, record->reason_where.line ? ", " : "",
                         place_shown(sheet->results, record->reason_where)));
  fputs("/>\n", sheet->out);
}

// What is no bug because an assumption says so.
static void print_tolerated(const Sheet *sheet, const KernelRecord *record) {
  Arena *arena = &sheet->results->arena;
  if (!record->tolerated.count)
    return;
  fputs("      <system-out>", sheet->out);
  for (size_t i = 0; i < record->tolerated.count; i++) {
    const Toleration *pair = &record->tolerated.at[i];
    print_escaped(sheet->out, arena_printf(arena, "%s: %s, %s\n",
                                           pair->assumption, pair->sentence,
                                           places_shown(sheet->results, pair)));
  }
  fputs("</system-out>\n", sheet->out);
}

static void print_case(const Sheet *sheet, const KernelRecord *record) {
  fputs("    <testcase", sheet->out);
  attribute(sheet, "name", record->source);
  attribute(sheet, "classname",
            place_shown(sheet->results, (Loc){record->file, 0, 0}));
  fprintf(sheet->out, " time=\"%.3f\">\n", record->seconds);
  if (is_failure(record))
    print_failure(sheet, record);
  else if (record->class == CLASS_OPEN)
    print_open(sheet, record, "skipped");
  else if (record->class == CLASS_WRONG)
    print_open(sheet, record, "error");
  print_tolerated(sheet, record);
  fputs("    </testcase>\n", sheet->out);
}

static void print_trouble(const Sheet *sheet, const Trouble *trouble) {
  fputs("    <testcase name=\"(file)\"", sheet->out);
  attribute(sheet, "classname",
            trouble->file
                ? place_shown(sheet->results, (Loc){trouble->file, 0, 0})
                : "gpuverify");
  fputs(">\n      <error", sheet->out);
  attribute(sheet, "message", trouble->message);
  attribute(sheet, "type", trouble->kind);
  fputs("/>\n    </testcase>\n", sheet->out);
}

// ---------------------------------------------------------------- suites ---

static Suite *suite_of(Arena *arena, Suites *suites, const char *file) {
  for (size_t i = suites->count; i-- > 0;) // neighbours are of one file
    if (!strcmp(suites->at[i].file, file))
      return &suites->at[i];
  push_moving(arena, suites, ((Suite){.file = file}));
  return &suites->at[suites->count - 1];
}

static Suites group(Results *results) {
  Arena *arena = &results->arena;
  Suites suites = {0};
  for (size_t i = 0; i < results->records.count; i++) {
    const KernelRecord *record = &results->records.at[i];
    push(arena, &suite_of(arena, &suites, record->file)->records, record);
  }
  for (size_t i = 0; i < results->troubles.count; i++) {
    const Trouble *trouble = &results->troubles.at[i];
    const char *file = trouble->file ? trouble->file : "gpuverify";
    push(arena, &suite_of(arena, &suites, file)->troubles, trouble);
  }
  return suites;
}

typedef struct Counts {
  size_t tests, failures, errors, skipped;
  double seconds;
} Counts;

static void count(const Suite *suite, Counts *counts) {
  counts->tests += suite->records.count + suite->troubles.count;
  counts->errors += suite->troubles.count;
  for (size_t i = 0; i < suite->records.count; i++) {
    const KernelRecord *record = suite->records.at[i];
    counts->failures += is_failure(record);
    counts->skipped += record->class == CLASS_OPEN;
    counts->errors += record->class == CLASS_WRONG;
    counts->seconds += record->seconds;
  }
}

static void print_counts(const Sheet *sheet, const Counts *counts) {
  fprintf(sheet->out,
          " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" "
          "time=\"%.3f\"",
          counts->tests, counts->failures, counts->errors, counts->skipped,
          counts->seconds);
}

static void print_suite(const Sheet *sheet, const Suite *suite) {
  Counts counts = {0};
  count(suite, &counts);
  fputs("  <testsuite", sheet->out);
  attribute(sheet, "name",
            suite->file[0]
                ? place_shown(sheet->results, (Loc){suite->file, 0, 0})
                : "gpuverify");
  print_counts(sheet, &counts);
  fputs(">\n", sheet->out);
  for (size_t i = 0; i < suite->records.count; i++)
    print_case(sheet, suite->records.at[i]);
  for (size_t i = 0; i < suite->troubles.count; i++)
    print_trouble(sheet, suite->troubles.at[i]);
  fputs("  </testsuite>\n", sheet->out);
}

void document_junit(FILE *out, Results *results) {
  Sheet sheet = {out, results};
  Suites suites = group(results);
  Counts all = {0};
  for (size_t i = 0; i < suites.count; i++)
    count(&suites.at[i], &all);
  fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites", out);
  attribute(&sheet, "name", "gpuverify");
  print_counts(&sheet, &all);
  fputs(">\n", out);
  for (size_t i = 0; i < suites.count; i++)
    print_suite(&sheet, &suites.at[i]);
  fputs("</testsuites>\n", out);
}
