// Many schedules of one program.
//
// The first ones look at the program: how many threads and steps it has, which
// accesses race, whether a schedule that is run twice does the same twice.
// Then workers, copies of this process, run schedules by number, each block of
// numbers one worker; a schedule depends on the seed and its number alone, and
// of all that go wrong the lowest number counts, so it is the same however many
// workers there are.  Last the schedule that went wrong is run again, minimised
// and told.

#define _GNU_SOURCE

#include "runtime/threads/search.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
  BLOCK = 128,       // of a worker, one after another
  CLOCK_EVERY = 64,  // schedules, or when a second has passed
  HOPE = 10,         // seconds until some schedule comes to its end
  PATIENCE = 60,     // ... of one that may have as many as it wants
  PATIENCE_TOLD = 5, // ... of one that is replayed, behind its flaw
  STEPS_AT_FIRST = 1 << 18,
  STEPS_AT_MOST = 1 << 26, // of the first schedule, if it ends then
  STEPS_AT_LEAST = 1 << 16,
  STEPS_TIMES = 16,  // those of the longest of the first schedules
  STEPS_OF_PAIR = 4, // of threads: all that wait for one mutex wake each time
  SECONDS_FEW = 2,   // of a first schedule: it may have STEPS_TIMES as many
  EXIT_DONE = 0,
};

ThreadsAnswer *threads_answer_new(void) {
  ThreadsAnswer *answer =
      mmap(NULL, sizeof *answer, PROT_READ | PROT_WRITE,
           MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (answer == MAP_FAILED)
    return NULL;
  answer->found_at = answer->flaw_at = UINT64_MAX;
  atomic_store(&answer->lowest, UINT64_MAX);
  return answer;
}

void threads_answer_free(ThreadsAnswer *answer) {
  munmap(answer, sizeof *answer);
}

double threads_missed(const ThreadsQuestion *question,
                      const ThreadsAnswer *answer) {
  double n = (double)answer->points, t = answer->threads;
  if (question->policy != POLICY_pct || answer->yielded || n < 1 || t < 1)
    return 1;
  double once = 1 / (t * pow(n, question->depth - 1));
  uint64_t runs = answer->schedules > question->lots
                      ? answer->schedules - question->lots
                      : 0;
  return exp((double)runs * log1p(-(once < 1 ? once : 1 - 1e-16)));
}

// ------------------------------------------------------------------ one run
// ---

void search_run(const ThreadsSearch *search, uint64_t number,
                const SchedulePolicy *policy) {
  world.number = number;
  world.random = search->question->seed * UINT64_C(0x2545f4914f6cdd1d) + number;
  world_draw(&world.random);
  world_run(policy);
}

const SchedulePolicy *search_policy(const ThreadsSearch *search,
                                    uint64_t number) {
  if (search->question->policy == POLICY_dfs)
    return &policy_dfs;
  if (!number)
    return &policy_first;
  return number < search->question->lots ? &policy_random
                                         : policy_of(search->question->policy);
}

void search_note_output(ThreadsSearch *search) {
  uint64_t hash = output_hash() ^ (uint64_t)world.end.status << 56, bytes;
  unsigned i = 0;
  while (i < search->end_count && search->ends[i].hash != hash)
    i++;
  if (i == MOST_ENDS) {
    search->ends_are_cut = true;
    return;
  }
  ProgramOutput *end = &search->ends[i];
  if (i == search->end_count) {
    const char *text = output_text(&bytes);
    *end = (ProgramOutput){.hash = hash, .status = world.end.status};
    memcpy(end->text, text, bytes < END_TEXT - 1 ? bytes : END_TEXT - 1);
    search->end_count++;
  }
  end->times++;
}

static void note_run(ThreadsSearch *search, unsigned worker) {
  ThreadsAnswer *answer = search->answer;
  answer->run[worker]++;
  answer->traces[world.end.trace * UINT64_C(0x9e3779b97f4a7c15) >> 42] = 1;
  if (world.misses_races)
    __atomic_fetch_add(&answer->unwatched, 1, __ATOMIC_RELAXED);
  if (world.has_yielded)
    __atomic_fetch_add(&answer->yielded, 1, __ATOMIC_RELAXED);
  if (world.end.mishap == MISHAP_NONE)
    search_note_output(search);
  else if (world.end.mishap == MISHAP_LIMIT)
    __atomic_fetch_add(&answer->cut, 1, __ATOMIC_RELAXED);
}

void search_note_failure(ThreadsAnswer *answer, uint64_t number) {
  uint64_t lowest = atomic_load(&answer->lowest);
  while (number < lowest &&
         !atomic_compare_exchange_weak(&answer->lowest, &lowest, number))
    continue;
}

bool search_refuse(ThreadsAnswer *answer, const char *why) {
  snprintf(answer->reason, sizeof answer->reason, "%s", why);
  return false;
}

static void lock(ThreadsAnswer *answer) {
  while (atomic_exchange(&answer->is_merging, 1))
    usleep(100);
}

static void unlock(ThreadsAnswer *answer) {
  atomic_store(&answer->is_merging, 0);
}

// The lowest one counts, also of those that cannot be executed.
static bool refuse_at(ThreadsAnswer *answer, const char *why, uint64_t number,
                      bool is_beyond) {
  lock(answer);
  if (!answer->reason[0] || number < answer->refused_at) {
    answer->refused_at = number;
    answer->is_beyond = is_beyond;
    search_refuse(answer, why);
  }
  unlock(answer);
  return false;
}

static void note_flaw(ThreadsAnswer *answer, const RunEnd *end,
                      uint64_t number) {
  lock(answer);
  if (answer->flaw_at > number) {
    answer->flaw = *end;
    answer->flaw_at = number;
  }
  unlock(answer);
}

static void add_place(RunEnd *end) {
  size_t used = strlen(end->text);
  if (world.sites[end->site].loc.line)
    snprintf(end->text + used, sizeof end->text - used, " (%s)",
             world_site_text(end->site));
}

// There was no time left: it counts only if none has ended before.
static bool look_at_late(ThreadsSearch *search, uint64_t number) {
  ThreadsAnswer *answer = search->answer;
  RunEnd end = world.end;
  add_place(&end);
  return answer->cut == number && refuse_at(answer, end.text, number, true);
}

// False: there is no use in going on.
bool search_look_at_end(ThreadsSearch *search, unsigned worker,
                        uint64_t number) {
  RunEnd verdict = world_verdict(), end = world.end;
  ThreadsAnswer *answer = search->answer;
  bool is_flaw = mishap_is_flaw(verdict.mishap);
  if (is_flaw)
    note_flaw(answer, &verdict, number);
  if (world.is_late)
    return look_at_late(search, number);
  note_run(search, worker);
  if (end.mishap == MISHAP_REFUSED)
    add_place(&end);
  if (end.mishap == MISHAP_REFUSED || end.mishap == MISHAP_ASTRAY)
    return refuse_at(answer, end.text, number, end.mishap == MISHAP_REFUSED);
  if (is_flaw &&
      (number < search->question->lots || !search->question->ends_at_flaw))
    return true;
  if (mishap_is_bug(verdict.mishap)) {
    search_note_failure(answer, number);
    return false;
  }
  return true;
}

void search_merge_ends(ThreadsSearch *search) {
  ThreadsAnswer *answer = search->answer;
  lock(answer);
  answer->ends_are_cut |= search->ends_are_cut;
  for (unsigned n = 0; n < search->end_count; n++) {
    unsigned i = 0;
    while (i < answer->end_count &&
           answer->ends[i].hash != search->ends[n].hash)
      i++;
    if (i == MOST_ENDS) {
      answer->ends_are_cut = true;
      continue;
    }
    uint64_t before = i < answer->end_count ? answer->ends[i].times : 0;
    answer->ends[i] = search->ends[n];
    answer->ends[i].times += before;
    if (i == answer->end_count)
      answer->end_count++;
  }
  unlock(answer);
}

static bool is_time_to_look(const ThreadsSearch *search, uint64_t number) {
  static unsigned seen;
  bool has_ticked = world.ticks != seen;
  seen = world.ticks;
  return has_ticked || number % CLOCK_EVERY == 0 ||
         number == search->question->lots;
}

bool search_is_over(const ThreadsSearch *search, uint64_t number) {
  const ThreadsQuestion *question = search->question;
  bool has_flaw = search->answer->flaw_at < question->lots;
  bool is_refused =
      search->answer->reason[0] && number >= search->answer->refused_at;
  if (search->answer->is_asked || is_refused ||
      (question->ends_at_flaw && has_flaw && number >= question->lots) ||
      (question->schedules && number >= question->schedules))
    return true;
  return is_time_to_look(search, number) && search->deadline > 0 &&
         clock_seconds() > search->deadline;
}

// A schedule may be ended when there is no time left, or, if it may take any,
// while nobody knows that there is an end.
static void set_deadline(const ThreadsSearch *search) {
  const ThreadsAnswer *answer = search->answer;
  double seconds = search->question->seconds;
  if (seconds <= 0)
    seconds = answer->cut == answer->run[0] ? PATIENCE : 0;
  world.seconds = seconds;
  world.deadline = seconds > 0 ? search->since + seconds : 0;
  world.patience = seconds > 2 ? (unsigned)(seconds / 2) : 1;
}

// The same, but not before the run has shown its flaw.
static void set_deadline_behind_flaw(unsigned patience) {
  world.deadline = clock_seconds();
  world.patience = patience;
  world.is_for_flaw = true;
}

// ------------------------------------------------------------------- scout ---

// Of the schedule that stops nobody: others are held against it.
static void keep_status(ThreadsAnswer *answer) {
  answer->status = world.expected_status = world.end.status;
  answer->has_status = world.knows_status = !world.end.mishap;
}

static bool repeats(ThreadsSearch *search) {
  RunEnd first;
  uint64_t output;
  search_run(search, 1, &policy_random);
  first = world.end;
  output = output_hash();
  search_run(search, 1, &policy_random);
  return first.mishap == world.end.mishap && first.steps == world.end.steps &&
         first.trace == world.end.trace && output == output_hash();
}

// By what the first schedules have shown of the program.
static void check_repeats(ThreadsSearch *search) {
  if (!repeats(search))
    search_refuse(search->answer,
                  "the same schedule does not do the same twice: the program "
                  "depends on something that is not controlled");
  else if (!world_is_put_back())
    search_refuse(search->answer,
                  "a schedule leaves something in the program's "
                  "variables for the next one");
}

// For one mutex, or the like, threads may wait with more steps than they make.
static uint64_t limit_for_threads(uint64_t limit) {
  uint64_t threads = world_places();
  uint64_t pairs = STEPS_OF_PAIR * threads * threads;
  return limit < pairs ? pairs : limit;
}

// A replay makes this schedule first, too, so it holds what it sees against the
// same.  It may have more steps if it comes to its end with them, and these do
// not take long.
static void run_first(ThreadsSearch *search) {
  ThreadsAnswer *answer = search->answer;
  uint64_t limit = STEPS_AT_FIRST / STEPS_TIMES;
  unsigned since;
  do {
    limit *= STEPS_TIMES;
    world.limit = limit;
    since = world.ticks;
    search_run(search, 0, &policy_first);
  } while (world.end.mishap == MISHAP_LIMIT && !world.is_late &&
           limit < STEPS_AT_MOST && world.ticks - since < SECONDS_FEW);
  if (world.end.mishap == MISHAP_LIMIT)
    limit = STEPS_AT_FIRST;
  world.limit = answer->first_limit = limit_for_threads(limit);
  keep_status(answer);
}

// None of the schedules comes to its end, and that takes long.
static bool is_hopeless(const ThreadsSearch *search) {
  const ThreadsAnswer *answer = search->answer;
  return answer->cut && answer->cut == answer->run[0] &&
         clock_seconds() > search->since + HOPE;
}

static void refuse_hopeless(ThreadsAnswer *answer) {
  refuse_at(answer,
            "none of the first schedules comes to its end: the program is "
            "endless, or far too long",
            answer->cut, true);
}

static void scout(ThreadsSearch *search) {
  ThreadsAnswer *answer = search->answer;
  world.watches_races = true;
  for (uint64_t number = 0;
       number < search->question->lots && !search_is_over(search, number);
       number++) {
    set_deadline(search);
    if (number)
      search_run(search, number, search_policy(search, number));
    else
      run_first(search);
    if (world.end.steps > answer->points && world.end.mishap != MISHAP_LIMIT)
      answer->points = world.end.steps;
    if (world.end.threads > answer->threads)
      answer->threads = world.end.threads;
    if (world.heap_used > answer->heap_bytes)
      answer->heap_bytes = world.heap_used;
    if (!search_look_at_end(search, 0, number) || is_hopeless(search))
      break;
  }
  world.deadline = 0;
  if (answer->cut == search->question->lots || is_hopeless(search))
    refuse_hopeless(answer);
  else if (!answer->reason[0] && !world.is_late &&
           atomic_load(&answer->lowest) == UINT64_MAX)
    check_repeats(search);
  search_merge_ends(search);
}

// ----------------------------------------------------------------- workers ---

// As the scout has left it.
void search_use_profile(const ThreadsSearch *search) {
  const ThreadsAnswer *answer = search->answer;
  uint64_t limit = answer->points * STEPS_TIMES;
  world.expected_steps = answer->points ? answer->points : 1;
  world.expected_threads = answer->threads;
  world.expected_status = answer->status;
  world.knows_status = answer->has_status;
  world.limit = limit < STEPS_AT_LEAST ? STEPS_AT_LEAST : limit;
}

static void work(ThreadsSearch *search, unsigned worker) {
  const ThreadsQuestion *question = search->question;
  ThreadsAnswer *answer = search->answer;
  search->end_count = 0;
  search->ends_are_cut = false;
  search_use_profile(search);
  set_deadline(search);
  for (uint64_t block = worker;; block += question->jobs) {
    uint64_t number = block * BLOCK, end = number + BLOCK;
    for (number += block ? 0 : question->lots; number < end; number++) {
      if (number > atomic_load(&answer->lowest) ||
          search_is_over(search, number)) {
        search_merge_ends(search);
        return;
      }
      search_run(search, number, search_policy(search, number));
      if (!search_look_at_end(search, worker, number)) {
        search_merge_ends(search);
        return;
      }
    }
  }
}

// ------------------------------------------------------------------- dfs ---

static ThreadSchedule kept;

static void settle(ThreadsSearch *search) {
  ThreadsAnswer *answer = search->answer;
  answer->schedule.limit = world.limit;
  answer->schedule.spurious = search->question->spurious;
  if (!mishap_is_bug(answer->found.mishap))
    search_refuse(answer,
                  "a schedule that went wrong does not do so again: the "
                  "program depends on something that is not controlled");
  else if (answer->schedule.is_cut && answer->found.mishap != MISHAP_LIVELOCK)
    search_refuse(answer, "the schedule that goes wrong has too many switches");
  else if (minimise(search->question, answer))
    replay_told(search->question, answer, &answer->schedule);
  else
    search_refuse(answer,
                  "the schedule that goes wrong cannot be repeated by its "
                  "switches alone");
}

// The way to a schedule is the schedules before: what goes wrong is kept as it
// happens, of races the first.
static void keep_failure(ThreadsAnswer *answer, uint64_t number) {
  if (number != answer->flaw_at && number != atomic_load(&answer->lowest))
    return;
  answer->found = world_verdict();
  answer->found_at = number;
  kept = answer->schedule;
}

static void settle_kept(ThreadsSearch *search) {
  ThreadsAnswer *answer = search->answer;
  answer->schedule = kept;
  world.watches_races = answer->found.mishap == MISHAP_RACE;
  if (answer->beyond[0])
    set_deadline_behind_flaw(1);
  settle(search);
}

// What was seen before is there, whatever the program wants behind it.
static void prefer_flaw(ThreadsAnswer *answer) {
  if (!answer->reason[0] || !answer->is_beyond ||
      answer->flaw_at > answer->refused_at)
    return;
  memcpy(answer->beyond, answer->reason, sizeof answer->beyond);
  answer->reason[0] = '\0';
}

static void work_all(ThreadsSearch *search) {
  ThreadsAnswer *answer = search->answer;
  set_deadline(search);
  run_first(search);
  if (world.is_late)
    look_at_late(search, 0);
  world.watches_races = true;
  world.record = &answer->schedule;
  for (uint64_t number = 0; !search_is_over(search, number); number++) {
    set_deadline(search);
    search_run(search, number, &policy_dfs);
    if (world.end.steps > answer->points && world.end.mishap != MISHAP_LIMIT)
      answer->points = world.end.steps;
    if (world.end.threads > answer->threads)
      answer->threads = world.end.threads;
    bool goes_on = search_look_at_end(search, 0, number);
    if (is_hopeless(search))
      refuse_hopeless(answer);
    keep_failure(answer, number);
    bool is_last = goes_on && !dfs_next();
    answer->is_exhausted = is_last && !dfs_has_passed_over() && !answer->cut;
    if (!goes_on || is_last)
      break;
  }
  world.deadline = 0;
  search_merge_ends(search);
  prefer_flaw(answer);
  if (answer->found_at != UINT64_MAX && !answer->reason[0])
    settle_kept(search);
}

// ---------------------------------------------------------------- the found
// ---

// Runs it once more, and keeps what it does.
static void tell_found(ThreadsSearch *search) {
  ThreadsAnswer *answer = search->answer;
  uint64_t number = atomic_load(&answer->lowest);
  bool is_race = number == UINT64_MAX;
  if (is_race)
    number = answer->flaw_at;
  if (is_race && answer->beyond[0])
    set_deadline_behind_flaw(1);
  search_use_profile(search);
  world.watches_races = is_race;
  if (number < search->question->lots)
    world.limit = answer->first_limit;
  world.record = &answer->schedule;
  search_run(search, number, search_policy(search, number));
  answer->found = world_verdict();
  answer->found_at = number;
  if (search_agrees(search))
    settle(search);
}

static void replay(ThreadsSearch *search) {
  ThreadsAnswer *answer = search->answer;
  const ThreadSchedule *schedule = search->question->replayed;
  run_first(search);
  if (search->question->replays_race)
    set_deadline_behind_flaw(PATIENCE_TOLD);
  world.limit = schedule->limit ? schedule->limit : answer->first_limit;
  world.watches_races = search->question->replays_race;
  replay_told(search->question, answer, schedule);
  answer->schedule = *schedule;
  answer->schedules = 1;
  answer->points = world.end.steps;
  answer->threads = world.end.threads;
  search_note_output(search);
  search_merge_ends(search);
}

// --------------------------------------------------------------- processes ---

static void begin_process(void) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  signal(SIGINT, SIG_IGN);
  signal(SIGTERM, SIG_DFL);
  crash_catch();
}

static pid_t start(ThreadsSearch *search, void (*act)(ThreadsSearch *)) {
  fflush(NULL);
  pid_t child = fork();
  if (child)
    return child;
  begin_process();
  act(search);
  _exit(EXIT_DONE);
}

static void show_progress(const ThreadsSearch *search, double since) {
  static double last;
  double now = clock_seconds();
  uint64_t run = 0;
  if (!search->question->shows_progress || now < last + 1 || now < since + 2)
    return;
  last = now;
  for (unsigned i = 0; i < MOST_WORKERS; i++)
    run += search->answer->run[i];
  fprintf(stderr, "\rgpuverify: %.0f s, %llu schedules\033[K", now - since,
          (unsigned long long)run);
}

static void await(ThreadsSearch *search, const pid_t *children, unsigned count,
                  double since) {
  for (unsigned i = 0; i < count; i++) {
    int status = 0;
    pid_t ended;
    while ((ended = waitpid(children[i], &status, WNOHANG)) == 0 ||
           (ended < 0 && errno == EINTR)) {
      usleep(500);
      show_progress(search, since);
    }
    if (children[i] < 0 || !WIFEXITED(status) || WEXITSTATUS(status))
      search_refuse(
          search->answer,
          "a process that executes schedules has died: the program has "
          "written where it must not, or there is no memory");
  }
}

static void do_in_child(ThreadsSearch *search, void (*act)(ThreadsSearch *),
                        double since) {
  pid_t child = start(search, act);
  await(search, &child, 1, since);
}

static void replay_here(ThreadsSearch *search) {
  crash_catch();
  replay(search);
}

static void run_workers(ThreadsSearch *search, double since) {
  pid_t children[MOST_WORKERS];
  unsigned jobs = search->question->jobs;
  for (unsigned i = 0; i < jobs; i++) {
    fflush(NULL);
    children[i] = fork();
    if (children[i])
      continue;
    begin_process();
    work(search, i);
    _exit(EXIT_DONE);
  }
  await(search, children, jobs, since);
}

static void count(ThreadsAnswer *answer) {
  uint64_t zeros = 0;
  for (unsigned i = 0; i < MOST_WORKERS; i++)
    answer->schedules += answer->run[i];
  for (unsigned i = 0; i < TRACES; i++)
    zeros += !answer->traces[i];
  double part = (double)(zeros ? zeros : 1) / (double)TRACES;
  answer->distinct = (uint64_t)(-(double)TRACES * log(part) + 0.5);
  if (answer->distinct > answer->schedules)
    answer->distinct = answer->schedules;
}

static bool has_found(const ThreadsAnswer *answer) {
  return atomic_load(&((ThreadsAnswer *)(uintptr_t)answer)->lowest) !=
         UINT64_MAX;
}

static void search_all(ThreadsSearch *search, double since) {
  ThreadsAnswer *answer = search->answer;
  bool is_dfs = search->question->policy == POLICY_dfs;
  do_in_child(search, is_dfs ? work_all : scout, since);
  if (!is_dfs && !answer->reason[0] && !has_found(answer)) {
    if (search->question->device)
      do_in_child(search, search_on_device, since);
    else
      run_workers(search, since);
  }
  if (atomic_load(&answer->lowest) < answer->refused_at)
    answer->reason[0] = '\0';
  prefer_flaw(answer);
  count(answer);
  if (!is_dfs && !answer->reason[0] &&
      (has_found(answer) || answer->flaw_at != UINT64_MAX))
    do_in_child(search, tell_found, since);
}

void threads_search(const ThreadsQuestion *question, ThreadsAnswer *answer) {
  double since = clock_seconds(), worked = children_seconds();
  const char *reason = NULL;
  static ThreadsSearch search;
  search = (ThreadsSearch){
      .question = question,
      .answer = answer,
      .since = since,
      .deadline = question->seconds > 0 ? since + question->seconds : 0};
  if (!world_open(question, &reason)) {
    search_refuse(answer, reason);
    return;
  }
  if (question->replayed && debugger_looks())
    replay_here(&search);
  else if (question->replayed)
    do_in_child(&search, replay, since);
  else
    search_all(&search, since);
  if (question->shows_progress && clock_seconds() > since + 2)
    fputs("\r\033[K", stderr);
  answer->is_interrupted = answer->is_asked;
  answer->is_done = !answer->reason[0];
  answer->seconds = clock_seconds() - since;
  answer->work = children_seconds() - worked;
}
