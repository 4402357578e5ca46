// How an instance lies in memory, and what its end means.

#include "runtime/instances/plan.h"

#include "runtime/threads/world.h"

#include <assert.h>

static_assert(INSTANCE_GLOBALS == GLOBALS_AT &&
                  INSTANCE_CONSTANTS == CONSTANTS_AT &&
                  INSTANCE_HEAP == HEAP_AT &&
                  INSTANCE_HEAP_ROOM == HEAP_BYTES &&
                  INSTANCE_STACKS == STACKS_AT &&
                  INSTANCE_STACK_ROOM == STACK_BYTES &&
                  INSTANCE_SMALL_STACKS == SMALL_STACKS_AT &&
                  INSTANCE_SMALL_ROOM == SMALL_STACK_BYTES &&
                  INSTANCE_END == END_OF_WORLD &&
                  (int)INSTANCE_LIBRARY_BYTES == (int)POSIX_VARIABLES_BYTES &&
                  (int)INSTANCE_FIRST_SLOT == (int)FIRST_SLOT &&
                  (int)INSTANCE_MOST_DEPTH == (int)MOST_DEPTH,
              "instances have the addresses and the slots of the processor");

static uint64_t aligned(uint64_t bytes) {
  return (bytes + INSTANCE_ALIGNMENT - 1) / INSTANCE_ALIGNMENT *
         INSTANCE_ALIGNMENT;
}

// One behind the other.
static void lay_out(InstancePlan *plan) {
  plan->granules_at = INSTANCE_ALIGNMENT + aligned(plan->own_bytes);
  plan->heap_at = plan->granules_at + aligned(plan->heap_bytes / GRANULE);
  plan->threads_at = plan->heap_at + plan->heap_bytes;
  plan->stacks_at =
      plan->threads_at + aligned(plan->most_threads * sizeof(InstanceThread));
  plan->bytes = plan->stacks_at + plan->most_threads * plan->stack_bytes;
}

uint64_t plan_frames_bytes(const InstancePlan *plan, uint64_t instances) {
  return instances * plan->most_threads * plan->frame_bytes +
         INSTANCE_SLOT_BYTES;
}

static InstancePolicy instance_policy(PolicyKind kind) {
  return kind == POLICY_act   ? INSTANCE_ACT
         : kind == POLICY_pct ? INSTANCE_PCT
                              : INSTANCE_RANDOM;
}

// Twice the heap that the first schedules have needed.
bool plan_make(InstancePlan *plan, const DeviceProfile *profile,
               const InstanceCode *code, const char **reason) {
  enum { LEAST_HEAP = 256, LINE = 64 };
  const ThreadsQuestion *question = profile->question;
  if (profile->threads > INSTANCE_MOST_THREADS) {
    *reason =
        "the program has more than 200 threads, for which an instance "
        "has no room";
    return false;
  }
  uint64_t locals = (profile->locals_bytes + LINE - 1) / LINE * LINE;
  *plan = (InstancePlan){
      .checked = question->device->checked,
      .seed = question->seed,
      .limit = profile->limit,
      .expected_steps = profile->steps,
      .globals_bytes = profile->globals_bytes,
      .own_bytes = profile->own_bytes - INSTANCE_LIBRARY_BYTES,
      .constants_bytes = profile->constants_bytes,
      .locals_bytes = profile->locals_bytes,
      .heap_bytes = aligned(2 * profile->heap_bytes) + LEAST_HEAP,
      .stack_bytes = code->stack_bytes + locals,
      .frame_bytes = code->frame_bytes,
      .argv = profile->arguments,
      .environment = profile->environment,
      .argc = (InstanceWord)question->argc,
      .policy = instance_policy(question->policy),
      .depth = question->depth,
      .expected_threads = profile->threads,
      .most_threads = profile->threads};
  lay_out(plan);
  return true;
}

static Mishap mishap_of(InstanceMishap mishap) {
  switch (mishap) {
  case INSTANCE_ASSERTION:
    return MISHAP_ASSERTION;
  case INSTANCE_ABORT:
    return MISHAP_ABORT;
  case INSTANCE_CRASH:
    return MISHAP_CRASH;
  case INSTANCE_USE_AFTER_FREE:
    return MISHAP_USE_AFTER_FREE;
  case INSTANCE_DOUBLE_FREE:
    return MISHAP_DOUBLE_FREE;
  case INSTANCE_OUT_OF_BOUNDS:
    return MISHAP_OUT_OF_BOUNDS;
  case INSTANCE_MISUSE:
    return MISHAP_MISUSE;
  case INSTANCE_DEADLOCK:
    return MISHAP_DEADLOCK;
  case INSTANCE_PASSED:
  case INSTANCE_BEYOND:
  case INSTANCE_LEFT_OUT:
  case INSTANCE_MISHAPS:
    break;
  }
  return MISHAP_NONE;
}

// What something else than this instance has written, or what it wrote before,
// is no answer: no schedule is without a step.
static bool is_answer(const InstanceEnd *end, uint64_t number) {
  return end->number == number && end->mishap < INSTANCE_MISHAPS &&
         (end->steps || end->mishap == INSTANCE_LEFT_OUT ||
          end->mishap == INSTANCE_BEYOND);
}

static DeviceEnd told_end(const InstanceEnd *end) {
  bool passed = end->mishap == INSTANCE_PASSED;
  return (DeviceEnd){.mishap = mishap_of((InstanceMishap)end->mishap),
                     .is_beyond = end->mishap == INSTANCE_BEYOND ||
                                  end->mishap == INSTANCE_LEFT_OUT,
                     .may_leak = passed && end->blocks,
                     .has_yielded = end->has_yielded,
                     .site = end->site,
                     .thread = end->thread,
                     .threads = end->threads,
                     .status = (int)end->status,
                     .steps = end->steps,
                     .trace = end->trace,
                     .memory = end->memory};
}

uint64_t plan_tell(const InstancePlan *plan, const InstanceEnd *ends,
                   DeviceEnd *told) {
  uint64_t answered = 0;
  while (answered < plan->count &&
         is_answer(&ends[answered], plan->first + answered)) {
    told[answered] = told_end(&ends[answered]);
    answered++;
  }
  return answered;
}
