// All records as text: problems first as `gpuverify` prints them, and at the
// end what there is of each verdict.

#include "report/documents/documents.h"

#include <string.h>

typedef struct Sheet {
  FILE *out;
  Results *results;
} Sheet;

static void print_source(const Sheet *sheet, Loc where) {
  const char *line = source_line(sheet->results, where);
  if (line)
    fprintf(sheet->out, "    %s\n", line + strspn(line, " \t"));
}

static void print_participant(const Sheet *sheet, const Participant *one) {
  fprintf(sheet->out, "  %s", one->who);
  if (one->does)
    fprintf(sheet->out, " %s", one->does);
  if (one->where.line)
    fprintf(sheet->out, ", %s", place_shown(sheet->results, one->where));
  fputc('\n', sheet->out);
}

static void print_standpoint(const Sheet *sheet, const Standpoint *at) {
  fprintf(sheet->out, "  %s: %s%s%s\n", at->who, at->what, at->help ? "; " : "",
          at->help ? at->help : "");
}

static void print_values(const Sheet *sheet, const char *word,
                         const NamedTexts *values) {
  for (size_t i = 0; i < values->count; i++)
    fprintf(sheet->out, "%s%s = %s", i ? ", " : word, values->at[i].name,
            values->at[i].value);
  if (values->count)
    fputc('\n', sheet->out);
}

static void print_interval(const Sheet *sheet, const Alarm *alarm) {
  if (!alarm->has_interval)
    return;
  if (alarm->barrier.line)
    fprintf(sheet->out, "  no barrier between %s and them\n",
            place_shown(sheet->results, alarm->barrier));
  else
    fputs("  no barrier between the start of the kernel and them\n",
          sheet->out);
}

static void print_alarm(const Sheet *sheet, const Alarm *alarm) {
  FILE *out = sheet->out;
  const char *others = instances_text(sheet->results, alarm);
  if (alarm->same_as) {
    fprintf(out, "%s: the same as of kernel '%s': %s\n",
            place_shown(sheet->results, alarm->where), alarm->same_as->source,
            alarm->sentence);
    return;
  }
  fprintf(out, "%s: %s%s\n", place_shown(sheet->results, alarm->where),
          alarm->is_suppressed ? "suppressed: " : "", alarm->sentence);
  if (alarm->suppression)
    fprintf(out, "  suppressed: %s\n", alarm->suppression);
  print_source(sheet, alarm->where);
  if (others)
    fprintf(out, "  the same of %s\n", others);
  for (size_t i = 0; i < alarm->participants.count; i++)
    print_participant(sheet, &alarm->participants.at[i]);
  for (size_t i = 0; i < alarm->standpoints.count; i++)
    print_standpoint(sheet, &alarm->standpoints.at[i]);
  print_interval(sheet, alarm);
  print_values(sheet, "  when ", &alarm->inputs);
  print_values(sheet, "  and ", &alarm->values);
  if (alarm->caveat)
    fprintf(out, "  %s\n", alarm->caveat);
  if (alarm->replay)
    fprintf(out, "  %s\n", alarm->replay);
}

static void print_record(const Sheet *sheet, const KernelRecord *record) {
  FILE *out = sheet->out;
  for (size_t i = 0; i < record->alarms.count; i++)
    print_alarm(sheet, &record->alarms.at[i]);
  if (record->class == CLASS_OPEN || record->class == CLASS_WRONG) {
    Loc where =
        record->reason_where.line ? record->reason_where : record->where;
    fprintf(out, "%s: %s\n", place_shown(sheet->results, where),
            record->reason  ? record->reason
            : record->scope ? record->scope
                            : record->verdict);
  }
  for (size_t i = 0; i < record->tolerated.count; i++) {
    const Toleration *pair = &record->tolerated.at[i];
    fprintf(out, "%s: %s, %s\n", pair->assumption, pair->sentence,
            places_shown(sheet->results, pair));
  }
  fprintf(out, "verdict: %s (%s, kernel '%s', %.2f s%s)\n",
          verdict_text(&sheet->results->arena, record),
          place_shown(sheet->results, record->where), record->source,
          record->seconds, record->is_cached ? ", cached" : "");
}

static void print_troubles(const Sheet *sheet) {
  for (size_t i = 0; i < sheet->results->troubles.count; i++) {
    const Trouble *trouble = &sheet->results->troubles.at[i];
    fprintf(sheet->out, "%s (%s)\n", trouble_text(sheet->results, trouble),
            trouble->kind);
  }
}

static void print_suppressions(const Sheet *sheet) {
  Results *results = sheet->results;
  for (size_t i = 0; i < results->suppressions.count; i++)
    fprintf(sheet->out, "%s (suppression)\n",
            suppression_text(results, &results->suppressions.at[i]));
}

static bool is_counted(const Results *results, size_t index) {
  for (size_t i = 0; i < index; i++)
    if (!strcmp(results->records.at[i].verdict,
                results->records.at[index].verdict))
      return true;
  return false;
}

static size_t count_like(const Results *results, size_t index) {
  size_t count = 0;
  for (size_t i = index; i < results->records.count; i++)
    count += !strcmp(results->records.at[i].verdict,
                     results->records.at[index].verdict);
  return count;
}

static void print_counts(const Sheet *sheet) {
  const Results *results = sheet->results;
  fprintf(sheet->out, "%zu kernel%s", results->records.count,
          results->records.count == 1 ? "" : "s");
  for (size_t i = 0; i < results->records.count; i++)
    if (!is_counted(results, i))
      fprintf(sheet->out, ", %zu %s", count_like(results, i),
              results->records.at[i].verdict);
  if (results->troubles.count)
    fprintf(sheet->out, "; %zu without a verdict", results->troubles.count);
  fputc('\n', sheet->out);
}

void document_text(FILE *out, Results *results) {
  Sheet sheet = {out, results};
  for (size_t i = 0; i < results->records.count; i++)
    print_record(&sheet, &results->records.at[i]);
  print_troubles(&sheet);
  print_suppressions(&sheet);
  print_counts(&sheet);
}
