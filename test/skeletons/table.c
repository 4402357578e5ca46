// What became of the skeletons, in all and by what is special about them.

#include "test/skeletons/oracle.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_REASONS = 64, CHOICES = 20, MOST_THEMES = 8 };

typedef struct Row {
  uint64_t counts[OUTCOMES];
} Row;

typedef struct Reason {
  char text[120];
  uint64_t count;
} Reason;

struct Table {
  Row all, nests[NESTS], levels[LEVELS], themes[MOST_THEMES];
  Row features[FEATURES][CHOICES];
  Reason reasons[MOST_REASONS];
  uint64_t not_exhausted;
  double prove_seconds[OUTCOMES], execute_seconds;
};

Table *table_new(void) { return calloc(1, sizeof(Table)); }

static void add_reason(Table *table, const Record *record) {
  for (unsigned i = 0; i < MOST_REASONS; i++) {
    Reason *reason = &table->reasons[i];
    if (!reason->count)
      memcpy(reason->text, record->reason, sizeof reason->text);
    if (!strcmp(reason->text, record->reason) || i == MOST_REASONS - 1) {
      reason->count++;
      return;
    }
  }
}

void table_add(Table *table, const Record *record) {
  Skeleton s;
  skeleton_at(record->index, &s);
  OracleOutcome outcome = record->outcome;
  table->all.counts[outcome]++;
  table->nests[s.nest].counts[outcome]++;
  table->levels[s.level].counts[outcome]++;
  table->themes[s.theme].counts[outcome]++;
  for (unsigned feature = 0; feature < FEATURES; feature++)
    if (s.feature[feature])
      table->features[feature][s.feature[feature]].counts[outcome]++;
  if (outcome == OUTCOME_UNKNOWN || outcome == OUTCOME_CRASH)
    add_reason(table, record);
  table->not_exhausted +=
      record->finding.kind == FINDING_NONE && !record->finding.is_exhausted;
  table->prove_seconds[outcome] += record->prove_seconds;
  table->execute_seconds += record->execute_seconds;
}

uint64_t table_count(const Table *table, OracleOutcome outcome) {
  return table->all.counts[outcome];
}

// ----------------------------------------------------------------- print ---

static uint64_t sum(const Row *row) {
  uint64_t result = 0;
  for (unsigned i = 0; i < OUTCOMES; i++)
    result += row->counts[i];
  return result;
}

static void print_row(FILE *out, const char *name, const char *choice,
                      const Row *row) {
  const uint64_t *c = row->counts;
  uint64_t alarms = c[OUTCOME_ALARM] + c[OUTCOME_FALSE_ALARM];
  if (!sum(row))
    return;
  fprintf(out, "%-13s %-20s %9llu", name, choice, (unsigned long long)sum(row));
  for (unsigned i = 0; i < OUTCOMES; i++)
    fprintf(out, " %8llu", (unsigned long long)c[i]);
  fprintf(out, " %6.1f%%\n",
          alarms ? 100.0 * (double)c[OUTCOME_FALSE_ALARM] / (double)alarms
                 : 0.0);
}

static void print_features(FILE *out, const Table *table) {
  for (unsigned feature = 0; feature < FEATURES; feature++)
    for (unsigned choice = 1; choice < CHOICES; choice++)
      if (choice_name((Feature)feature, choice))
        print_row(out, feature_name((Feature)feature),
                  choice_name((Feature)feature, choice),
                  &table->features[feature][choice]);
}

static void print_reasons(FILE *out, const Table *table) {
  for (unsigned i = 0; i < MOST_REASONS && table->reasons[i].count; i++)
    fprintf(out, "%9llu times: %s\n",
            (unsigned long long)table->reasons[i].count,
            table->reasons[i].text);
}

void table_print(FILE *out, const Table *table, bool is_long) {
  fprintf(out, "%-34s %9s %8s %8s %8s %8s %8s %8s %7s\n", "", "all", "verified",
          "WRONG", "alarm", "false al", "unknown", "crash", "false");
  for (unsigned i = 0; i < NESTS; i++)
    print_row(out, "shape", nest_name((Nest)i), &table->nests[i]);
  for (unsigned i = 0; theme_name(i); i++)
    print_row(out, "theme", theme_name(i), &table->themes[i]);
  for (unsigned i = 0; i < LEVELS; i++) {
    char level[20];
    snprintf(level, sizeof level, "%u", i);
    print_row(out, "special", level, &table->levels[i]);
  }
  if (is_long)
    print_features(out, table);
  print_row(out, "all", "", &table->all);
  print_reasons(out, table);
  fprintf(out, "%-34s %9s", "seconds of proof", "");
  for (unsigned i = 0; i < OUTCOMES; i++)
    fprintf(out, " %8.1f", table->prove_seconds[i]);
  fprintf(out, "\n%.1f s of execution, in %llu not all or not to the end\n",
          table->execute_seconds, (unsigned long long)table->not_exhausted);
}
