// gpuverify merge: the databases of several batches, such as --shard makes, as
// one.  The exit status is that of the worst thing in it.

#include "plugin/batch.h"

#include <string.h>

static void note_verdict(const char *verdict, size_t *counts, int *status) {
  for (int kind = 0; kind <= VERDICT_ERROR; kind++)
    if (!strcmp(verdict_name((VerdictKind)kind), verdict)) {
      counts[kind]++;
      status_worsen(status, status_of((VerdictKind)kind));
    }
}

static void sum_up(Task *task, Database *database, int *status) {
  size_t counts[VERDICT_ERROR + 1] = {0};
  Texts verdicts = database_verdicts(task, database);
  Texts kinds = database_kinds(task, database);
  const char *before = "";
  for (size_t i = 0; i < verdicts.count; i++)
    note_verdict(verdicts.at[i], counts, status);
  for (size_t i = 0; i < kinds.count; i++)
    status_worsen(status, strcmp(kinds.at[i], "compile") != 0 &&
                                  strcmp(kinds.at[i], "died") != 0
                              ? EXIT_WRONG_USE
                              : EXIT_FRONT_END);
  for (int kind = 0; kind <= VERDICT_ERROR; kind++)
    if (counts[kind]) {
      printf("%s%zu %s", before, counts[kind], verdict_name((VerdictKind)kind));
      before = ", ";
    }
  puts(*before ? "" : "no kernels");
}

int merge_command(Task *task, Settings *settings) {
  int status = EXIT_ALL_VERIFIED;
  const char *out = settings->files.at[0], *error = NULL;
  Database *database = database_open(task, out, &error);
  if (!database) {
    status_complain(&status, EXIT_WRONG_USE, out, error);
    return status;
  }
  for (size_t i = 1; i < settings->files.count; i++) {
    error = NULL;
    if (!database_take(task, database, settings->files.at[i], &error))
      status_complain(&status, EXIT_WRONG_USE, settings->files.at[i], error);
  }
  sum_up(task, database, &status);
  if (!database_close(task, database, &error))
    status_complain(&status, EXIT_WRONG_USE, out, error);
  return status;
}
