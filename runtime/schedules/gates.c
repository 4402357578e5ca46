// From the accesses that a schedule has made to the tickets of its threads.
//
// Accesses of a thread that spins do not count for the search, but here they
// have tickets like all others: on the device the thread goes round as often as
// it has gone here.

#include "runtime/schedules/gates.h"

static uint32_t number_of(const Run *run, const Instance *instance) {
  return instance->block * run->block[0] * run->block[1] * run->block[2] +
         instance->thread;
}

static bool has_gate(const Step *step) { return step->kind != STEP_DELAY; }

// Behind the last access that counts there is only going round.
static uint32_t worth_gates(const Steps *steps) {
  uint32_t count = steps->count;
  while (count && steps->at[count - 1].kind != STEP_ACCESS)
    count--;
  return count;
}

static void count_gates(const Run *run, const Steps *steps, GatePlan *plan) {
  for (uint32_t i = 0, all = worth_gates(steps); i < all; i++)
    if (has_gate(&steps->at[i])) {
      plan->lists[number_of(run, &steps->at[i].instance)].last++;
      plan->count++;
    }
  for (uint32_t t = 0, first = 0; t < plan->threads; t++) {
    GateList *list = &plan->lists[t];
    first += list->last;
    list->next = list->last = first - list->last;
  }
}

static void fill_gates(const Run *run, const Steps *steps, GatePlan *plan) {
  uint32_t ticket = 0;
  for (uint32_t i = 0, all = worth_gates(steps); i < all; i++) {
    const Step *step = &steps->at[i];
    if (has_gate(step))
      plan->gates[plan->lists[number_of(run, &step->instance)].last++] =
          (Gate){ticket++, step->site};
  }
}

// How it is on a device when the last access of the schedule has been made.
static const char *end_of(Task *task, const Trial *trial, GatesEnd *beyond) {
  *beyond = GATES_MORE;
  if (trial->kind == TRIAL_FINISHED)
    return NULL;
  if (trial->kind == TRIAL_UNDECIDED)
    return "a schedule that does not come to its end is not tried there";
  switch (trial->incident) {
  case INCIDENT_ASSERTION:
  case INCIDENT_TRAP:
  case INCIDENT_RACE: // it went on
    return NULL;
  case INCIDENT_DEADLOCK:
  case INCIDENT_ENDLESS:
    *beyond = GATES_RUNNING;
    return NULL;
  case INCIDENT_OUT_OF_BOUNDS:
  case INCIDENT_MISALIGNED:
  case INCIDENT_DIVERGENCE:
  case INCIDENT_STACK:
  case INCIDENT_CRASH:
  case INCIDENT_REQUIRES:
  case INCIDENT_LIMIT:
  case INCIDENT_REFUSED:
    break;
  }
  return arena_printf(&task->arena,
                      "a schedule that ends as '%s' is not tried there",
                      incident_kind(trial->incident));
}

const char *gates_plan(Task *task, const Run *run, const Steps *steps,
                       const Trial *trial, GatePlan *plan) {
  GatesEnd beyond;
  const char *reason = end_of(task, trial, &beyond);
  if (!reason && steps->is_cut)
    reason = arena_printf(&task->arena,
                          "the schedule has more than %d accesses", MOST_STEPS);
  if (reason)
    return reason;
  *plan = (GatePlan){.head = {.beyond = (uint32_t)beyond},
                     .threads = run->grid[0] * run->grid[1] * run->grid[2] *
                                run->block[0] * run->block[1] * run->block[2]};
  plan->lists = arena_alloc(&task->arena, plan->threads * sizeof(GateList));
  count_gates(run, steps, plan);
  plan->gates =
      arena_alloc(&task->arena, (plan->count + 1) * sizeof *plan->gates);
  fill_gates(run, steps, plan);
  return NULL;
}
