// From what many schedules of a program have shown to a diagnosis.
//
// Of what went wrong: where and what; then the schedule, each switch with what
// the stopped thread was about to do and who did something to the same memory
// before it could; last how much was looked at, in numbers, and that nothing
// found is no proof.

#include "report/threads.h"
#include "report/tell.h"

#include <inttypes.h>

typedef struct ThreadsTelling {
  Task *task;
  const ThreadsReport *report;
  Remark *remark;
} ThreadsTelling;

bool threads_found(const ThreadsReport *report) {
  return report->answer->is_done && mishap_is_bug(report->answer->found.mishap);
}

static bool is_decided(const ThreadsReport *report) {
  const ThreadsAnswer *answer = report->answer;
  if (!answer->is_done || answer->cut)
    return false;
  return !report->question->replayed || answer->found.mishap == MISHAP_NONE;
}

const char *threads_verdict(const ThreadsReport *report) {
  if (threads_found(report))
    return mishap_name(report->answer->found.mishap);
  return is_decided(report) ? "passed" : "unknown";
}

// ------------------------------------------------------------------ places ---

static const DeedSite *site_at(const ThreadsReport *report, uint32_t number) {
  return &report->question->image->sites.at[number];
}

static const char *place(Task *task, const ThreadsReport *report,
                         uint32_t site) {
  return tell_place(&task->arena, site_at(report, site)->loc, report->file);
}

const char *threads_object(Task *task, const ThreadsReport *report, uint64_t at,
                           uint64_t bytes) {
  const ProgramImage *image = report->question->image;
  for (size_t i = 0; i < image->variables.count; i++) {
    const ProgramVariable *variable = &image->variables.at[i];
    uint64_t offset = at - variable->at;
    if (offset >= variable->bytes)
      continue;
    if (bytes == variable->bytes || (!offset && !bytes))
      return variable->name;
    return arena_printf(&task->arena, "%s (byte %" PRIu64 ")", variable->name,
                        offset);
  }
  return arena_printf(&task->arena, "memory at 0x%" PRIx64, at);
}

// "writes balance", "calls pthread_mutex_lock"
static const char *deed_text(Task *task, const ThreadsReport *report,
                             const ThreadDeed *deed) {
  const DeedSite *site = site_at(report, deed->site);
  if (site->kind == DEED_CALL)
    return arena_printf(&task->arena, "calls %s",
                        site->callee ? site->callee : "a function");
  const char *verb = site->kind == DEED_READ          ? "reads"
                     : site->kind == DEED_WRITE       ? "writes"
                     : site->kind == DEED_ATOMIC_READ ? "reads atomically"
                                                      : "changes atomically";
  return arena_printf(&task->arena, "%s %s", verb,
                      threads_object(task, report, deed->at, site->bytes));
}

// ---------------------------------------------------------------- schedule ---

static void say(const ThreadsTelling *telling, const char *line) {
  note_line(&telling->task->arena, telling->remark, line);
}

static bool is_write(const ThreadsReport *report, const ThreadDeed *deed) {
  DeedKind kind = site_at(report, deed->site)->kind;
  return kind == DEED_WRITE || kind == DEED_ATOMIC_WRITE ||
         deed->kind == DEED_WRITE;
}

// The stopped thread's next deed, and the last one of another thread before it
// that it conflicts with.
static void tell_swap(const ThreadsTelling *telling, uint32_t from,
                      uint32_t thread) {
  const ThreadsReport *report = telling->report;
  const ThreadDeeds *deeds = &report->answer->deeds;
  Arena *arena = &telling->task->arena;
  uint32_t next = from, other = UINT32_MAX;
  while (next < deeds->count && deeds->at[next].thread != thread)
    next++;
  if (next == deeds->count)
    return;
  for (uint32_t i = from; i < next; i++)
    if (deeds->at[i].at == deeds->at[next].at &&
        (is_write(report, &deeds->at[i]) || is_write(report, &deeds->at[next])))
      other = i;
  const char *stopped =
      arena_printf(arena, "thread %u is stopped before it %s (%s)", thread,
                   deed_text(telling->task, report, &deeds->at[next]),
                   place(telling->task, report, deeds->at[next].place));
  if (other == UINT32_MAX) {
    say(telling, stopped);
    return;
  }
  say(telling,
      arena_printf(arena, "%s, and thread %u first %s (%s)", stopped,
                   deeds->at[other].thread,
                   deed_text(telling->task, report, &deeds->at[other]),
                   place(telling->task, report, deeds->at[other].place)));
}

// Switches are where the thread of a deed is another one than before.
static void tell_switches(const ThreadsTelling *telling) {
  enum { MOST_TOLD = 12 };
  const ThreadDeeds *deeds = &telling->report->answer->deeds;
  unsigned told = 0;
  for (uint32_t i = 1; i < deeds->count && told < MOST_TOLD; i++) {
    uint32_t before = deeds->at[i - 1].thread;
    if (deeds->at[i].thread == before)
      continue;
    tell_swap(telling, i, before);
    told++;
  }
}

static void tell_counterpart(const ThreadsTelling *telling,
                             const RunEnd *race) {
  const ThreadsReport *report = telling->report;
  Arena *arena = &telling->task->arena;
  const char *there =
      arena_printf(arena, "the %s by thread %u",
                   race->other_writes ? "write" : "read", race->other_thread);
  note_add(arena, telling->remark,
           (Note){.line = arena_printf(
                      arena, "%s: %s",
                      place(telling->task, report, race->other_site), there),
                  .there = there,
                  .where = site_at(report, race->other_site)->loc,
                  .is_quoted = true});
}

// What else the search has seen, of which what was found is the worst.
static void tell_flaw_seen(const ThreadsTelling *telling) {
  const RunEnd *flaw = &telling->report->answer->flaw;
  if (mishap_is_flaw(telling->report->answer->found.mishap) || !flaw->mishap)
    return;
  say(telling, arena_printf(&telling->task->arena, "%s, too: %s, %s",
                            mishap_name(flaw->mishap),
                            place(telling->task, telling->report, flaw->site),
                            flaw->text));
}

static const char *ends_text(Task *task, const ThreadsAnswer *answer) {
  if (!answer->end_count)
    return "none that came to its end";
  return arena_printf(&task->arena, "%s%u different outputs or exit statuses",
                      answer->ends_are_cut ? "more than " : "",
                      answer->end_count);
}

static void tell_ends(const ThreadsTelling *telling) {
  const ThreadsAnswer *answer = telling->report->answer;
  if (answer->end_count > 1)
    say(telling, arena_printf(&telling->task->arena, "%s were seen",
                              ends_text(telling->task, answer)));
}

// What a flaw leads to.
static void tell_outcome(const ThreadsTelling *telling) {
  const ThreadsAnswer *answer = telling->report->answer;
  say(telling,
      arena_printf(&telling->task->arena,
                   "schedules run: %" PRIu64 "; nothing worse, and %s",
                   answer->schedules,
                   answer->end_count == 1 ? "always the same output"
                                          : ends_text(telling->task, answer)));
}

static void tell_found(const ThreadsTelling *telling) {
  const ThreadsReport *report = telling->report;
  const ThreadsAnswer *answer = report->answer;
  Arena *arena = &telling->task->arena;
  const RunEnd *found = &answer->found;
  if (found->mishap == MISHAP_RACE)
    tell_counterpart(telling, found);
  tell_switches(telling);
  if (!report->question->replayed && mishap_is_flaw(found->mishap))
    tell_outcome(telling);
  tell_flaw_seen(telling);
  if (answer->beyond[0])
    say(telling, arena_printf(arena, "what comes then is not known: %s",
                              answer->beyond));
  if (!report->question->replayed)
    say(telling,
        arena_printf(arena,
                     "schedule %" PRIu64 ", with %u preemption%s (%u before "
                     "those were left out that it does not need)",
                     answer->found_at + 1, answer->preemptions,
                     answer->preemptions == 1 ? "" : "s",
                     answer->preemptions_before));
  if (report->written)
    say(telling,
        arena_printf(arena, "schedule written to %s", report->written));
}

// ---------------------------------------------------------------- coverage ---

static const char *promise(Task *task, const ThreadsReport *report) {
  const ThreadsQuestion *question = report->question;
  double missed = threads_missed(question, report->answer);
  if (report->answer->is_exhausted)
    return "; these are all";
  if (missed >= 1 && question->policy == POLICY_pct && report->answer->yielded)
    return arena_printf(&task->arena,
                        "; in %" PRIu64
                        " of them a thread that slept, yielded "
                        "or only looked had to wait, so this is no proof, and "
                        "PCT promises nothing",
                        report->answer->yielded);
  if (missed >= 1)
    return "; this is no proof";
  if (missed < 1e-12)
    return arena_printf(&task->arena,
                        "; a bug of depth %u was missed with probability less "
                        "than 1e-12",
                        question->depth);
  return arena_printf(&task->arena,
                      "; a bug of depth %u was missed with probability %.3g at "
                      "most",
                      question->depth, missed);
}

// A search for races that had to stop is no search of all.
static const char *unwatched(Task *task, const ThreadsAnswer *answer) {
  if (!answer->unwatched)
    return "";
  return arena_printf(&task->arena,
                      "; in %" PRIu64
                      " of them races were looked for only up "
                      "to the 64th thread or the 524,288th cell of memory",
                      answer->unwatched);
}

const char *threads_coverage(Task *task, const ThreadsReport *report) {
  const ThreadsAnswer *answer = report->answer;
  const ThreadsQuestion *question = report->question;
  if (!answer->is_done)
    return answer->reason;
  if (question->replayed)
    return arena_printf(&task->arena, "this schedule%s%s",
                        answer->found.text[0] ? ": " : "", answer->found.text);
  if (threads_found(report))
    return arena_printf(&task->arena, "schedule %" PRIu64 " of %s",
                        answer->found_at + 1, policy_name(question->policy));
  return arena_printf(
      &task->arena,
      "%s%" PRIu64 " schedules of %s, about %" PRIu64
      " different ones, %u threads, %" PRIu64 " steps, depth %u%s%s%s",
      answer->is_interrupted ? "interrupted: " : "", answer->schedules,
      policy_name(question->policy), answer->distinct, answer->threads,
      answer->points, question->depth,
      answer->cut
          ? arena_printf(&task->arena,
                         "; %" PRIu64 " did not come to their end in time",
                         answer->cut)
          : "",
      unwatched(task, answer), promise(task, report));
}

// How fast a device was, without what the processor has done.
static const char *device_text(Task *task, const ThreadsReport *report) {
  const ThreadsAnswer *answer = report->answer;
  const ThreadsDevice *device = report->question->device;
  if (!device || !answer->device_schedules || answer->device_seconds <= 0)
    return "";
  const char *left =
      answer->device_left
          ? arena_printf(&task->arena, ", %" PRIu64 " left to the processor",
                         answer->device_left)
          : "";
  return arena_printf(&task->arena, "; %.3g schedules/s by %s%s",
                      (double)answer->device_schedules / answer->device_seconds,
                      device->name, left);
}

// Why there is no answer; NULL: there is one, or a replay has come to another.
static const char *reason(Task *task, const ThreadsReport *report) {
  const ThreadsAnswer *answer = report->answer;
  if (!answer->is_done)
    return answer->reason;
  return answer->cut && !threads_found(report)
             ? arena_printf(&task->arena,
                            "%" PRIu64 " of %" PRIu64
                            " schedules did not come to their end in time",
                            answer->cut, answer->schedules)
             : NULL;
}

static Level level(const ThreadsReport *report) {
  if (threads_found(report))
    return LEVEL_WARNING;
  return is_decided(report) ? LEVEL_REMARK : LEVEL_DOUBT;
}

// --------------------------------------------------------------------- json
// ---

static Remark heading(const ThreadsReport *report) {
  const RunEnd *found = &report->answer->found;
  return (Remark){.level = LEVEL_WARNING,
                  .kind = mishap_name(found->mishap),
                  .naming = NAMES_PLACE,
                  .where = site_at(report, found->site)->loc,
                  .is_quoted = true,
                  .is_confirmed = true};
}

const Diagnosis *diagnose_threads(Task *task, const ThreadsReport *report) {
  const ThreadsAnswer *answer = report->answer;
  const RunEnd *found = &answer->found;
  Diagnosis *diagnosis = NEW(&task->arena, Diagnosis);
  *diagnosis = (Diagnosis){.file = report->file,
                           .kernel = "main",
                           .source = "main",
                           .verdict = threads_verdict(report),
                           .level = level(report),
                           .is_confirmed = threads_found(report),
                           .reason = reason(task, report),
                           .seconds = answer->seconds,
                           .answer = report,
                           .json = json_threads};
  Remark remark = {.level = LEVEL_REMARK};
  if (threads_found(report)) {
    remark = heading(report);
    remark.sentence =
        arena_printf(&task->arena, "%s, by thread %u: %s",
                     mishap_name(found->mishap), found->thread, found->text);
    remark.there = remark.sentence;
  }
  ThreadsTelling telling = {task, report,
                            remark_add(&task->arena, diagnosis, remark)};
  if (threads_found(report))
    tell_found(&telling);
  else
    tell_ends(&telling);
  diagnosis->detail =
      arena_printf(&task->arena, "%s%s; %.2f s", threads_coverage(task, report),
                   device_text(task, report), answer->seconds);
  return diagnosis;
}
