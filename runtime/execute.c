// One run in a process of its own: host code is made of it, and executed.

#include "runtime/machine/copied.h"
#include "runtime/machine/machine.h"

typedef struct Work {
  const Run *run;
  Outcome *outcome;
} Work;

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
  child_await(work->outcome);
  bool is_made = image_make(&task, work->run, &image, &reason);
  child_await(NULL);
  work->outcome->is_begun = is_made;
  if (is_made)
    copied_run(work->run, &image, work->outcome);
  else
    outcome_refuse(work->outcome, INCIDENT_REFUSED, reason);
}

void run_in_child(const Run *run, Outcome *outcome) {
  Work work = {run, outcome};
  *outcome = (Outcome){0};
  if (child_run_interruptibly(compile_and_run, &work, run->max_seconds) ||
      outcome->count)
    return;
  if (child_was_interrupted())
    outcome_refuse(outcome, INCIDENT_LIMIT, "the run was interrupted");
  else if (outcome->is_begun)
    outcome_refuse(outcome, INCIDENT_CRASH,
                   "the process that executed it has died");
  else
    outcome_refuse(outcome, INCIDENT_REFUSED,
                   "the process that compiled it has died");
}
