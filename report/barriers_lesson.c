// What would have had to be otherwise, for each finding that has a lesson.

#include "report/tell_barriers.h"

static bool is_copy(const BarriersReport *report, End end) {
  return programs_command(report->programs, end)->kind == COMMAND_COPY;
}

static bool is_bulk(const BarriersReport *report, End end) {
  CommandKind kind = programs_command(report->programs, end)->kind;
  return kind == COMMAND_BULK_READ || kind == COMMAND_BULK_WRITE ||
         kind == COMMAND_BULK_ATOMIC;
}

static bool is_generic(const BarriersReport *report, End end) {
  return programs_command(report->programs, end)->is_generic;
}

typedef bool EndTest(const BarriersReport *report, End end);

static bool either(const BarriersReport *report, const Finding *finding,
                   EndTest *test) {
  return test(report, finding->ends[0]) || test(report, finding->ends[1]);
}

// What a bulk copy waits for.
static const char *bulk_lesson(const BarriersReport *report,
                               const Finding *finding) {
  if (finding->kind == FINDING_UNFENCED)
    return "the thread that writes needs a fence.proxy.async behind it, before "
           "the barrier that orders them";
  if (either(report, finding, is_generic))
    return "an asynchronous access goes on until its mbarrier's phase is "
           "waited for";
  if (either(report, finding, end_is_product))
    return "wgmma reads until its group is waited for";
  return "a bulk copy goes on until its mbarrier's phase, or its bulk group, "
         "is waited for";
}

static void tell_race(Arena *arena, const BarriersReport *report,
                      const Finding *finding, Remark *remark) {
  if (either(report, finding, is_bulk))
    note_line(arena, remark, bulk_lesson(report, finding));
  if (finding->kind == FINDING_UNFENCED)
    return;
  if (either(report, finding, is_copy))
    note_line(arena, remark,
              "a copy goes on until its thread waits for it, or for an "
              "mbarrier that it arrives at");
  note_line(arena, remark,
            arena_printf(arena,
                         "no barrier orders them; %llu pair%s of threads",
                         (unsigned long long)finding->occurrences,
                         finding->occurrences == 1 ? "" : "s"));
}

// Who holds what when all have given back what they give back.
static const char *pool_text(Arena *arena, const BarriersReport *report,
                             const Finding *finding) {
  const Programs *programs = report->programs;
  unsigned warps = programs_block_warps(programs), held = 0, launched = 0;
  unsigned first = finding->ends[0].warp - finding->ends[0].warp % warps;
  for (unsigned warp = first; warp < first + warps; warp++) {
    unsigned own = programs->registers;
    for (size_t i = 0; i < programs->warps[warp].count; i++)
      if (programs->warps[warp].at[i].kind == COMMAND_REGISTERS)
        own = programs->warps[warp].at[i].registers;
    held += own * WARP;
    launched += programs->registers * WARP;
  }
  return arena_printf(arena,
                      "%u registers in all, and the block was launched with "
                      "%u, %u for each thread",
                      held, launched, programs->registers);
}

void tell_lesson(Arena *arena, const BarriersReport *report,
                 const Finding *finding, Remark *remark) {
  if (finding->kind == FINDING_POOL)
    note_line(arena, remark, pool_text(arena, report, finding));
  if (finding_topic(finding) != TOPIC_ACCESSES)
    return;
  if (finding->kind == FINDING_OVERLAP)
    note_line(arena, remark,
              "only mbarrier instructions may touch these bytes");
  else if (finding->kind == FINDING_UNFINISHED)
    note_line(arena, remark,
              finding_is_bulk_write(report, finding)
                  ? "some thread has to wait for the phase of its mbarrier"
                  : "cp.async.bulk.wait_group.read 0 has to come before");
  else if (finding->kind == FINDING_NOT_STARTED)
    note_line(arena, remark,
              "the blocks have to meet at barrier.cluster before");
  else if (finding->kind == FINDING_GONE)
    note_line(arena, remark,
              "some thread of that block has to wait for it, as at "
              "barrier.cluster, before it ends");
  else
    tell_race(arena, report, finding, remark);
}
