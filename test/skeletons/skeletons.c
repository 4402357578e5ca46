// Proves and executes some of the small kernels.
//
//   skeletons FROM-TO.. [--long] [--keep=FILE] [--whole]
//       those with an index from FROM to TO - 1, or of one index: a table of
//       what became of them, by everything that can be special with --long,
//       and each that is wrongly verified; --keep=FILE gets a line for each
//       that is not as it should be; --whole takes ten times as long and gives
//       the verifier its time where a problem is known, too, see prove.c
//   skeletons FROM-TO.. --list
//       what is special about them, and nothing more
//   skeletons --levels
//       how many there are
//   skeletons --show=INDEX
//       that one as CUDA, with what is found; --llvm=INDEX: what is proved
//
// The work is done by one process after the other, for some hundred skeletons
// each.  If one dies, its skeletons are tried again one by one.  SIGTERM or
// SIGINT ends it after the process of the moment, with the table of what was
// done.

#define _DEFAULT_SOURCE

#include "test/skeletons/oracle.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHUNK = 128 };

typedef struct Work {
  bool is_long, is_list, is_whole;
  FILE *keep;
  Table *table;
  Record records[CHUNK]; // of the next chunk
  size_t count;
} Work;

static volatile sig_atomic_t is_stopped;

static void stop(int signal) {
  (void)signal;
  is_stopped = true;
}

static void die(const char *what) {
  fprintf(stderr, "skeletons: %s\n", what);
  exit(2);
}

// ----------------------------------------------------------------- print ---

static void print_skeleton(FILE *out, uint64_t index) {
  Skeleton s;
  Tree tree;
  skeleton_at(index, &s);
  tree_make(&s, &tree);
  char name[24];
  snprintf(name, sizeof name, "k%" PRIu64, index);
  print_cuda(out, &tree, name);
}

static const char *finding_name(SkeletonFindingKind kind) {
  static const char *const names[] = {[FINDING_NONE] = "none",
                                      [FINDING_RACE] = "race",
                                      [FINDING_DIVERGENCE] = "divergence",
                                      [FINDING_ASSERTION] = "assertion"};
  return names[kind];
}

static void print_record(FILE *out, const Record *r) {
  fprintf(out, "// %s%s%s, executed: %s %s\n", verdict_name(r->verdict),
          *r->reason ? ": " : "", r->reason, finding_name(r->finding.kind),
          r->finding.text);
}

static const char *outcome_name(OracleOutcome outcome) {
  static const char *const names[OUTCOMES] = {
      "verified", "WRONG", "alarm", "false-alarm", "unknown", "crash"};
  return names[outcome];
}

static void print_special(const Skeleton *s) {
  printf("%" PRIu64 " %s", s->index, nest_name(s->nest));
  for (unsigned f = 0; f < FEATURES; f++)
    if (s->feature[f])
      printf(", %u %s %s", f, feature_name((Feature)f),
             choice_name((Feature)f, s->feature[f]));
  printf("\n");
}

// -------------------------------------------------------------- children ---

static void write_records(int pipe, const Record *records, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (write(pipe, &records[i], sizeof *records) != sizeof *records)
      _exit(2);
}

// Sizes below PIPE_BUF are written at once, and read so.
static size_t read_records(int pipe, Record *records) {
  char *to = (char *)records;
  size_t bytes = 0;
  ssize_t got;
  while ((got = read(pipe, to + bytes, CHUNK * sizeof *records - bytes)) > 0 ||
         (got < 0 && errno == EINTR))
    if (got > 0)
      bytes += (size_t)got;
  return bytes / sizeof *records;
}

// False: the process died.
static bool do_in_child(Record *records, size_t count, bool is_whole) {
  int ends[2], status;
  if (pipe(ends))
    die("no pipe");
  fflush(NULL);
  pid_t child = fork();
  if (child < 0)
    die("cannot fork");
  if (child == 0) {
    close(ends[0]);
    prove_and_execute(records, count, !is_whole);
    write_records(ends[1], records, count);
    _exit(0);
  }
  close(ends[1]);
  size_t got = read_records(ends[0], records);
  close(ends[0]);
  while (waitpid(child, &status, 0) < 0)
    ;
  return got == count && WIFEXITED(status) && !WEXITSTATUS(status);
}

static void do_one_by_one(Record *records, size_t count, bool is_whole) {
  for (size_t i = 0; i < count; i++) {
    uint64_t index = records[i].index;
    if (do_in_child(&records[i], 1, is_whole))
      continue;
    records[i] = (Record){.index = index, .outcome = OUTCOME_CRASH};
    snprintf(records[i].reason, sizeof records[i].reason, "the process died");
  }
}

// ----------------------------------------------------------------- range ---

static void tell(const Work *work, const Record *record) {
  if (record->outcome == OUTCOME_WRONG || record->outcome == OUTCOME_CRASH) {
    printf("%s %" PRIu64 "\n", outcome_name(record->outcome), record->index);
    print_record(stdout, record);
    print_skeleton(stdout, record->index);
    fflush(stdout);
  }
  if (work->keep && record->outcome != OUTCOME_VERIFIED &&
      record->outcome != OUTCOME_ALARM)
    fprintf(work->keep, "%" PRIu64 " %s %s\n", record->index,
            outcome_name(record->outcome), record->reason);
}

static void do_chunk(Work *work) {
  if (!work->count)
    return;
  if (!do_in_child(work->records, work->count, work->is_whole))
    do_one_by_one(work->records, work->count, work->is_whole);
  for (size_t i = 0; i < work->count; i++) {
    table_add(work->table, &work->records[i]);
    tell(work, &work->records[i]);
  }
  work->count = 0;
}

static void do_index(Work *work, uint64_t index) {
  Skeleton s;
  if (!skeleton_at(index, &s))
    return;
  if (work->is_list) {
    print_special(&s);
    return;
  }
  work->records[work->count++] = (Record){.index = index};
  if (work->count == CHUNK)
    do_chunk(work);
}

static void do_range(Work *work, const char *text) {
  uint64_t from, to;
  char rest;
  int got = sscanf(text, "%" SCNu64 "-%" SCNu64 "%c", &from, &to, &rest);
  if (got != 2 && sscanf(text, "%" SCNu64 "%c", &from, &rest) != 1)
    die("usage: skeletons FROM-TO.. [--long] [--keep=FILE] [--whole] "
        "[--list] | --levels | --show=INDEX | --llvm=INDEX");
  if (got != 2)
    to = from + 1;
  uint64_t index = from;
  for (; index < to && !is_stopped; index++)
    do_index(work, index);
  if (index < to)
    printf("stopped before %" PRIu64 "\n", index);
}

static int finish(Work *work) {
  const Table *table = work->table;
  do_chunk(work);
  table_print(stdout, table, work->is_long);
  uint64_t failed =
      table_count(table, OUTCOME_WRONG) + table_count(table, OUTCOME_CRASH);
  uint64_t skipped = table_count(table, OUTCOME_UNKNOWN);
  uint64_t passed = table_count(table, OUTCOME_VERIFIED) +
                    table_count(table, OUTCOME_ALARM) +
                    table_count(table, OUTCOME_FALSE_ALARM);
  printf("skeletons: %" PRIu64 " passed, %" PRIu64 " failed, %" PRIu64
         " skipped\n",
         passed, failed, skipped);
  if (work->keep)
    fclose(work->keep);
  return failed ? 1 : 0;
}

// --------------------------------------------------------------- command ---

static int show(const char *text) {
  Record record = {.index = strtoull(text, NULL, 10)};
  Skeleton s;
  if (!skeleton_at(record.index, &s))
    die("there is none of that index");
  print_skeleton(stdout, record.index);
  fflush(stdout);
  prove_and_execute(&record, 1, false);
  print_record(stdout, &record);
  return record.outcome == OUTCOME_WRONG;
}

static int show_llvm(const char *text) {
  Skeleton s;
  Tree tree;
  if (!skeleton_at(strtoull(text, NULL, 10), &s))
    die("there is none of that index");
  tree_make(&s, &tree);
  print_llvm_preamble(stdout);
  print_llvm(stdout, &tree, "k");
  return 0;
}

static int show_levels(void) {
  for (unsigned theme = 0; theme_name(theme); theme++)
    for (unsigned level = 0; level < LEVELS; level++)
      printf("%s, %u special: %" PRIu64 "\n", theme_name(theme), level,
             skeletons_of(theme, level));
  return 0;
}

static const char *value_of(const char *argument, const char *name) {
  size_t length = strlen(name);
  return strncmp(argument, name, length) ? NULL : argument + length;
}

static void parse_option(Work *work, const char *argument) {
  const char *value;
  if (!strcmp(argument, "--long"))
    work->is_long = true;
  else if (!strcmp(argument, "--list"))
    work->is_list = true;
  else if (!strcmp(argument, "--whole"))
    work->is_whole = true;
  else if ((value = value_of(argument, "--keep=")))
    work->keep = fopen(value, "w");
}

static int do_ranges(int count, char **texts) {
  static Work work;
  work.table = table_new();
  signal(SIGTERM, stop);
  signal(SIGINT, stop);
  for (int i = 0; i < count; i++)
    parse_option(&work, texts[i]);
  for (int i = 0; i < count; i++)
    if (strncmp(texts[i], "--", 2))
      do_range(&work, texts[i]);
  return work.is_list ? 0 : finish(&work);
}

int main(int argc, char **argv) {
  const char *value;
  if (argc == 2 && (value = value_of(argv[1], "--show=")))
    return show(value);
  if (argc == 2 && (value = value_of(argv[1], "--llvm=")))
    return show_llvm(value);
  if (argc == 2 && !strcmp(argv[1], "--levels"))
    return show_levels();
  return do_ranges(argc - 1, argv + 1);
}
