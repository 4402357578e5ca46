// One run in a process of its own: host code is made of it, and executed.

#include "runtime/machine.h"

typedef struct Work {
  const Run *run;
  Outcome *outcome;
} Work;

static void refuse(Outcome *outcome, IncidentKind kind, const char *reason) {
  Incident *incident = &outcome->incidents[outcome->count++];
  *incident = (Incident){.kind = kind, .times = 1};
  snprintf(incident->text, sizeof incident->text, "%s", reason);
}

static void populate(const Run *run) {
  for (size_t i = 0; i < run->buffers.count; i++)
    memory_populate(run->buffers.at[i].at, run->buffers.at[i].bytes);
}

static void compile_and_run(void *data) {
  Work *work = data;
  Task task = {0};
  Image image = {0};
  const char *reason = NULL;
  machine.outcome = NULL;
  populate(work->run);
  if (image_make(&task, work->run, &image, &reason))
    machine_execute(work->run, &image, work->outcome);
  else
    refuse(work->outcome, INCIDENT_REFUSED, reason);
}

void run_in_child(const Run *run, Outcome *outcome) {
  Work work = {run, outcome};
  *outcome = (Outcome){0};
  if (!child_run(compile_and_run, &work, run->max_seconds) && !outcome->count)
    refuse(outcome, INCIDENT_CRASH, "the process that executed it has died");
}
