// The whole verifier, from a module to a report for each kernel.
//
// A kernel is proved once for each distinct launch that the host code of its
// file makes; what the options say about sizes and arguments overrides what
// the host code says.  Without launches it is proved for all of them at once.
// The verdicts of the launches are merged, and the worst one wins, by the order
// of smt/verdicts.def.  More launches than we care to prove one by one
// are joined into one in which whatever differs is free; that proves more, so
// it may find less, and never the other way round.
//
// Each launch is a task of its own.  A task that gives up is an `unknown`
// with its reason, and its memory goes with it; if that is because of named
// barriers, barriers_auto.c has a second look.

#define _POSIX_C_SOURCE 200809L

#include "plugin/suppress.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum { MOST_LAUNCHES = 16, MEGABYTE = 1 << 20 };

// One kernel under one launch.
typedef struct Verification {
  Task task;
  const char *file;
  const KernelEntry *entry;
  const Options *options;
  Launch launch;
  const char *boogie_file; // or NULL
  FILE *boogie;
  const char *program_file; // or NULL
  FILE *program;
  Kernel *kernel;
  Verdict *verdict;
  Verdict *undecided; // before order by atomics was followed, or NULL
  bool is_search;     // of the kernel with loops that end early
} Verification;

// A module with what is known about it.
typedef struct Work {
  Task *task;
  const Options *options;
  const char *file;
  struct LLVMOpaqueModule *module;
  struct LLVMOpaqueModule *as_written; // with its assembly; NULL: module
  const HostLaunches *launches;
  KernelEntries kernels;
  struct LLVMOpaqueModule *unwound; // for the search for bugs, or NULL
  KernelEntries unwound_kernels;    // as many, in the same order
  double deadline;                  // of the file, on work_seconds(); 0: none
  const char *reason;
  const Reporter *reporter;
  // Kernels in line: first all, for a glance if there is a deadline, then those
  // that need more.
  KernelEntries line, late; // late: of the time of the file nothing was left
  size_t begin, end;        // of this round
  size_t told;              // those before it are
  bool is_glance;
  pid_t process; // of the one that was asked
  double spent;  // work_seconds() of that process, lately
} Work;

// ------------------------------------------------------------ one launch ---

static bool wants(const Options *options, const char *dump) {
  return options->dump && !strcmp(options->dump, dump);
}

static void find_contents(Verification *v) {
  kernel_find_uniform(&v->task, v->kernel);
  kernel_find_contents(&v->task, v->kernel);
  leaders_add_facts(v->kernel);
  kernel_find_cells(&v->task, v->kernel);
}

// What all of a block were told may be added elsewhere.
static void find_promises(Verification *v) {
  smt_find_promises(&v->task, v->kernel);
  find_contents(v);
  if (v->kernel->cells)
    smt_find_promises(&v->task, v->kernel);
}

static Pair *new_pair(Verification *v) {
  find_contents(v);
  Pair *pair = pair_from_kernel(&v->task, v->kernel);
  suppressions_apply(v->options->suppressions, v->file, v->entry, pair);
  return pair;
}

static void show(Verification *v, const Pair *pair) {
  if (wants(v->options, "kernel"))
    dump_kernel(&v->task, v->kernel, v->options->dump_out);
  if (wants(v->options, "pair"))
    dump_pair(&v->task, pair, v->options->dump_out);
  if (v->boogie && !v->undecided)
    boogie_print(&v->task, pair, v->boogie);
}

// The second way to a verdict begins before all that the first one finds out.
static void show_program(Verification *v) {
  bool is_dumped = wants(v->options, "program");
  if (!is_dumped && !v->program)
    return;
  const Program *program = lockstep_from_kernel(&v->task, v->kernel);
  if (is_dumped)
    lockstep_dump(&v->task, program, v->options->dump_out);
  if (v->program)
    lockstep_print(&v->task, program, v->program);
}

// Guesses about loops cost more than most proofs, and many need none.
static bool prove_without_guesses(Verification *v) {
  if (!v->kernel->loops.count)
    return false;
  find_promises(v);
  Pair *pair = new_pair(v);
  v->verdict = smt_verify_easy(&v->task, pair);
  if (v->verdict)
    show(v, pair);
  return v->verdict;
}

static Pair *prove(Verification *v) {
  smt_infer_invariants(&v->task, v->kernel);
  smt_find_synchronising(&v->task, v->kernel);
  find_promises(v);
  Pair *pair = new_pair(v);
  show(v, pair);
  v->verdict = smt_verify(&v->task, pair);
  return pair;
}

// Locks and counters order accesses where that matters, but then others may
// write between any two accesses of a thread.  So what is known of memory is
// less, and only a proof counts.
static bool may_follow_order(const Verification *v) {
  const Options *options = v->options;
  return v->verdict->kind == VERDICT_UNKNOWN && v->kernel->may_have_order &&
         !v->kernel->is_opencl && !v->kernel->is_amdgcn &&
         !v->kernel->barrier_invariants.count && !options->check_arrays &&
         !options->warp_sync && !v->is_search;
}

// What the first threads of blocks do alone is proved before what rests on it.
static void find_leaders(Verification *v) {
  smt_find_promises(&v->task, v->kernel);
  kernel_find_uniform(&v->task, v->kernel);
  kernel_find_leaders(&v->task, v->kernel);
  leaders_add_facts(v->kernel);
}

// Instead of those that were not decided.
static void show_decided(Verification *v, const Pair *pair) {
  bool is_empty = v->boogie && !fflush(v->boogie) &&
                  !ftruncate(fileno(v->boogie), 0) &&
                  !fseek(v->boogie, 0, SEEK_SET);
  if (is_empty)
    boogie_print(&v->task, pair, v->boogie);
}

static void prove_by_order(Verification *v) {
  Task *task = &v->task;
  Options *options = NEW(&task->arena, Options);
  *options = *v->options;
  options->follows_order = true;
  v->undecided = v->verdict;
  v->kernel = kernel_from_llvm(task, v->entry, options, &v->launch);
  kernel_solve_recurrences(task, v->kernel);
  kernel_propose_invariants(task, v->kernel);
  find_leaders(v);
  const Pair *pair = prove(v);
  if (v->verdict->kind == VERDICT_VERIFIED)
    show_decided(v, pair);
  else
    v->verdict = v->undecided;
}

// Each line needs what the lines above made.
static void verify_kernel(Task *task, void *data) {
  Verification *v = data;
  v->kernel = kernel_from_llvm(task, v->entry, v->options, &v->launch);
  show_program(v);
  kernel_solve_recurrences(task, v->kernel);
  kernel_propose_invariants(task, v->kernel);
  if (!prove_without_guesses(v))
    prove(v);
  if (may_follow_order(v))
    prove_by_order(v);
}

static Verdict *without_proof(Task *task, VerdictKind kind, const char *reason,
                              Loc where) {
  Verdict *verdict = NEW(&task->arena, Verdict);
  verdict->kind = kind;
  verdict->reason = reason;
  verdict->where = where;
  return verdict;
}

static bool names(const KernelValues *values, const KernelEntry *entry) {
  return !strcmp(values->kernel, entry->name) ||
         !strcmp(values->kernel, entry->source);
}

// The host's facts are about other arguments then.
static bool give_arguments(Verification *v, const KernelValues *values,
                           const char **reason) {
  v->launch.facts =
      host_without(&v->task.arena, &v->launch.facts, HOST_ARGUMENT);
  v->launch.facts = host_without(&v->task.arena, &v->launch.facts, HOST_MEMBER);
  return llvm_give_arguments(&v->task, v->entry, values, &v->launch, reason);
}

// What the options say about this kernel's arguments.
static bool give_values(Verification *v, const char **reason) {
  const Options *options = v->options;
  for (size_t i = 0; i < options->kernel_args.count; i++)
    if (names(&options->kernel_args.at[i], v->entry) &&
        !give_arguments(v, &options->kernel_args.at[i], reason))
      return false;
  for (size_t i = 0; i < options->kernel_arrays.count; i++)
    if (names(&options->kernel_arrays.at[i], v->entry) &&
        !llvm_check_arrays(&v->task, v->entry, &options->kernel_arrays.at[i],
                           reason))
      return false;
  return true;
}

static bool open_text(Verification *v, const char *file, FILE **out,
                      const char **reason) {
  if (file && !(*out = fopen(file, "w")))
    *reason = arena_printf(&v->task.arena, "cannot write '%s': %s", file,
                           strerror(errno));
  return !file || *out;
}

static void close_text(Verification *v, const char *file, FILE *out) {
  bool is_lost = out && ferror(out);
  if ((out && fclose(out)) || is_lost) {
    const char *reason = arena_printf(&v->task.arena, "cannot write '%s': %s",
                                      file, strerror(errno));
    v->verdict = without_proof(&v->task, VERDICT_ERROR, reason, v->entry->loc);
  }
}

static void run(Verification *v, double deadline) {
  Task *task = &v->task;
  const char *reason = NULL;
  task->deadline = deadline;
  task->memory = (size_t)v->options->memory * MEGABYTE;
  if (!give_values(v, &reason) ||
      !open_text(v, v->boogie_file, &v->boogie, &reason) ||
      !open_text(v, v->program_file, &v->program, &reason))
    v->verdict = without_proof(task, VERDICT_ERROR, reason, v->entry->loc);
  else if (!task_run(task, verify_kernel, v))
    v->verdict = v->undecided ? v->undecided
                              : without_proof(task, VERDICT_UNKNOWN,
                                              task->reason, task->where);
  close_text(v, v->boogie_file, v->boogie);
  close_text(v, v->program_file, v->program);
}

// -------------------------------------------------------------- launches ---

static bool same_extent(Extent a, Extent b) {
  return a.known == b.known && (!a.known || a.value == b.value);
}

static Argument argument_at(const Launch *launch, size_t i) {
  return i < launch->arguments.count ? launch->arguments.at[i] : (Argument){0};
}

static bool same_words(const ArgumentWords *a, const ArgumentWords *b) {
  bool same = a->count == b->count;
  for (size_t i = 0; same && i < a->count; i++)
    same = a->at[i].offset == b->at[i].offset &&
           a->at[i].bytes == b->at[i].bytes && a->at[i].value == b->at[i].value;
  return same;
}

static bool same_argument(Argument a, Argument b) {
  return a.known == b.known && (!a.known || a.value == b.value) &&
         !a.allocation.line == !b.allocation.line &&
         a.is_shown_negative == b.is_shown_negative &&
         same_words(&a.words, &b.words);
}

static size_t argument_count(const Launch *a, const Launch *b) {
  return a->arguments.count > b->arguments.count ? a->arguments.count
                                                 : b->arguments.count;
}

static bool same_facts(const HostFacts *a, const HostFacts *b) {
  bool same = a->count == b->count;
  for (size_t i = 0; same && i < a->count; i++)
    same = a->at[i].is_of_program == b->at[i].is_of_program &&
           host_same(a->at[i].holds, b->at[i].holds) &&
           host_same(a->at[i].defined, b->at[i].defined);
  return same;
}

static bool same_launch(const Launch *a, const Launch *b) {
  bool same = same_extent(a->dynamic_shared, b->dynamic_shared) &&
              same_facts(&a->facts, &b->facts);
  for (unsigned axis = 0; axis < 3; axis++)
    same = same && same_extent(a->block[axis], b->block[axis]) &&
           same_extent(a->grid[axis], b->grid[axis]) &&
           same_extent(a->global[axis], b->global[axis]) &&
           same_extent(a->offset[axis], b->offset[axis]) &&
           same_extent(a->cluster[axis], b->cluster[axis]) &&
           a->gives_block[axis] == b->gives_block[axis] &&
           a->gives_grid[axis] == b->gives_grid[axis];
  for (size_t i = 0; i < argument_count(a, b); i++)
    same = same && same_argument(argument_at(a, i), argument_at(b, i));
  return same;
}

// Sizes of arrays are for who looks at their ends, and facts under a name for
// who may use it: nobody else's launches differ by them.
static bool is_fact_wanted(const HostFact *fact, const Options *options) {
  bool is_named = options->tried[PREMISE_WHOLE_PROGRAM] ||
                  options->assumed[PREMISE_WHOLE_PROGRAM];
  return (!fact->is_of_bounds || options->check_array_bounds) &&
         (!fact->is_of_program || is_named);
}

static HostFacts wanted_facts(Arena *arena, const HostFacts *facts,
                              const Options *options) {
  HostFacts wanted = {0};
  for (size_t i = 0; i < facts->count; i++)
    if (is_fact_wanted(&facts->at[i], options))
      push(arena, &wanted, facts->at[i]);
  return wanted;
}

// What the options say goes before what the host code says.
static Launch overridden(Arena *arena, Launch host, const Launch *options) {
  if (extents_are_given(options->block)) {
    memcpy(host.block, options->block, sizeof host.block);
    memset(host.gives_block, 0, sizeof host.gives_block);
    host.facts = host_without(arena, &host.facts, HOST_BLOCK);
  }
  if (extents_are_given(options->grid) || extents_are_given(options->global)) {
    memcpy(host.grid, options->grid, sizeof host.grid);
    memset(host.gives_grid, 0, sizeof host.gives_grid);
    memcpy(host.global, options->global, sizeof host.global);
    host.facts = host_without(arena, &host.facts, HOST_GRID);
  }
  memcpy(host.offset, options->offset, sizeof host.offset);
  return host;
}

static void add_launch(Work *work, Launches *launches, const Launch *launch) {
  for (size_t i = 0; i < launches->count; i++)
    if (same_launch(&launches->at[i], launch))
      return;
  push(&work->task->arena, launches, *launch);
}

// The distinct launches of one kernel; how many are in other files.
static unsigned find_launches(Work *work, const KernelEntry *entry,
                              Launches *launches) {
  const HostLaunches *host = work->launches;
  unsigned elsewhere = 0;
  for (size_t i = 0; host && i < host->count; i++)
    if (!strcmp(host->at[i].kernel, entry->name)) {
      Launch launch = overridden(&work->task->arena, host->at[i].launch,
                                 &work->options->launch);
      launch.facts =
          wanted_facts(&work->task->arena, &launch.facts, work->options);
      size_t before = launches->count;
      add_launch(work, launches, &launch);
      elsewhere += host->at[i].is_elsewhere && launches->count > before;
    }
  return elsewhere;
}

static Extent joined_extent(Extent a, Extent b) {
  return same_extent(a, b) ? a : (Extent){false, 0};
}

static Launch join_two(Work *work, const Launch *a, const Launch *b) {
  Launch joined = *a;
  joined.is_joined = true;
  joined.where = (Loc){0};
  joined.facts = (HostFacts){0};
  for (unsigned axis = 0; axis < 3; axis++) {
    joined.block[axis] = joined_extent(a->block[axis], b->block[axis]);
    joined.grid[axis] = joined_extent(a->grid[axis], b->grid[axis]);
    joined.cluster[axis] = joined_extent(a->cluster[axis], b->cluster[axis]);
    joined.gives_block[axis] = a->gives_block[axis] || b->gives_block[axis] ||
                               !same_extent(a->block[axis], b->block[axis]);
    joined.gives_grid[axis] = a->gives_grid[axis] || b->gives_grid[axis] ||
                              !same_extent(a->grid[axis], b->grid[axis]);
    // the host code has none
    assert(same_extent(a->offset[axis], b->offset[axis]));
  }
  joined.dynamic_shared = joined_extent(a->dynamic_shared, b->dynamic_shared);
  joined.arguments.at = NULL;
  joined.arguments.count = joined.arguments.room = 0;
  for (size_t i = 0; i < argument_count(a, b); i++) {
    Argument argument = argument_at(a, i);
    if (!same_argument(argument, argument_at(b, i)))
      argument =
          (Argument){.is_shown_negative = argument.is_shown_negative ||
                                          argument_at(b, i).is_shown_negative};
    push(&work->task->arena, &joined.arguments, argument);
  }
  return joined;
}

static Launch join_all(Work *work, const Launches *launches) {
  Launch joined = launches->at[0];
  for (size_t i = 1; i < launches->count; i++)
    joined = join_two(work, &joined, &launches->at[i]);
  return joined;
}

// ------------------------------------------------------------ one kernel ---

// FILE where the module makes one program, else one file a program.
static const char *text_file(Work *work, const char *file,
                             const KernelEntry *entry, size_t launch,
                             size_t launches) {
  Arena *arena = &work->task->arena;
  if (!file || (work->kernels.count == 1 && launches == 1))
    return file;
  const char *suffix = strrchr(file, '.');
  size_t length = suffix ? (size_t)(suffix - file) : strlen(file);
  const char *number =
      launches > 1 ? arena_printf(arena, ".%zu", launch + 1) : "";
  return arena_printf(arena, "%.*s.%s%s%s", (int)length, file, entry->name,
                      number, suffix ? suffix : "");
}

static bool has_assumption(const Verdict *verdict, const char *name) {
  for (size_t i = 0; i < verdict->assumptions.count; i++)
    if (!strcmp(verdict->assumptions.at[i], name))
      return true;
  return false;
}

static Loc copy_loc(Arena *arena, Loc loc) {
  loc.file = loc.file ? arena_copy(arena, loc.file) : NULL;
  return loc;
}

static bool is_tolerated(const Verdict *verdict, const Tolerated *writes) {
  for (size_t i = 0; i < verdict->tolerated.count; i++)
    if (report_is_same_place(verdict->tolerated.at[i].where, writes->where) &&
        report_is_same_place(verdict->tolerated.at[i].other, writes->other))
      return true;
  return false;
}

static void merge_tolerated(Arena *arena, Verdict *to, const Verdict *from) {
  for (size_t i = 0; i < from->tolerated.count; i++) {
    Tolerated writes = from->tolerated.at[i];
    if (is_tolerated(to, &writes))
      continue;
    writes.where = copy_loc(arena, writes.where);
    writes.other = copy_loc(arena, writes.other);
    writes.array = arena_copy(arena, writes.array);
    writes.assumption = arena_copy(arena, writes.assumption);
    push(arena, &to->tolerated, writes);
  }
}

static bool is_excused(const Verdict *verdict, const Excuse *excuse) {
  for (size_t i = 0; i < verdict->excuses.count; i++) {
    const Excuse *other = &verdict->excuses.at[i];
    if (other->kind == excuse->kind &&
        report_is_same_place(other->where, excuse->where) &&
        report_is_same_place(other->other, excuse->other))
      return true;
  }
  return false;
}

// Who excuses it lives as long as the command.
static void merge_excuses(Arena *arena, Verdict *to, const Verdict *from) {
  for (size_t i = 0; i < from->excuses.count; i++) {
    Excuse excuse = from->excuses.at[i];
    if (is_excused(to, &excuse))
      continue;
    excuse.where = copy_loc(arena, excuse.where);
    excuse.other = copy_loc(arena, excuse.other);
    excuse.sentence = arena_copy(arena, excuse.sentence);
    excuse.array = excuse.array ? arena_copy(arena, excuse.array) : NULL;
    push(arena, &to->excuses, excuse);
  }
}

static bool has_breach(const Verdict *verdict, const char *assumption) {
  for (size_t i = 0; i < verdict->breaches.count; i++)
    if (!strcmp(verdict->breaches.at[i].assumption, assumption))
      return true;
  return false;
}

// The values of arguments keep their names.
static void copy_arguments(Arena *arena, Breach *breach) {
  Witness old = breach->witness;
  breach->witness.arguments.at = NULL;
  breach->witness.arguments.count = breach->witness.arguments.room = 0;
  for (size_t i = 0; i < old.arguments.count; i++) {
    Value value = old.arguments.at[i];
    value.name = arena_copy(arena, value.name);
    push(arena, &breach->witness.arguments, value);
  }
}

// Of a witness the report tells sizes and arguments.
static void merge_breaches(Arena *arena, Verdict *to, const Verdict *from) {
  for (size_t i = 0; i < from->breaches.count; i++) {
    Breach breach = from->breaches.at[i];
    if (has_breach(to, breach.assumption))
      continue;
    breach.where = copy_loc(arena, breach.where);
    breach.sentence =
        breach.sentence ? arena_copy(arena, breach.sentence) : NULL;
    copy_arguments(arena, &breach);
    push(arena, &to->breaches, breach);
  }
}

// What one launch assumed, the merged verdict assumes; the counts add up.
static void merge(Verification *into, const Verification *from) {
  Arena *arena = &into->task.arena;
  Verdict *to = into->verdict;
  const Verdict *other = from->verdict;
  for (size_t i = 0; i < other->assumptions.count; i++)
    if (!has_assumption(to, other->assumptions.at[i]))
      push(arena, &to->assumptions,
           arena_copy(arena, other->assumptions.at[i]));
  merge_tolerated(arena, to, other);
  merge_excuses(arena, to, other);
  to->parts.count = 0; // of one launch; another may know worse
  merge_breaches(arena, to, other);
  to->obligations += other->obligations;
  to->proved += other->proved;
  to->failed += other->failed;
  to->undecided += other->undecided;
  to->excused += other->excused;
}

// The worse of two, the first where they are alike; the other one goes.
static Verification *worse(Verification *a, Verification *b) {
  bool is_second = verdict_is_worse(b->verdict->kind, a->verdict->kind);
  Verification *kept = is_second ? b : a;
  Verification *gone = kept == a ? b : a;
  merge(kept, gone);
  arena_free(&gone->task.arena);
  return kept;
}

static void fill_report(const Work *work, const Verification *worst,
                        KernelReport *report) {
  report->file = work->file;
  report->name = worst->entry->name;
  report->source = worst->entry->source;
  report->loc = worst->entry->loc;
  report->launch = worst->kernel ? &worst->kernel->launch : &worst->launch;
  report->kernel = worst->kernel;
  report->verdict = worst->verdict;
}

// How much of the `left` seconds one of so many kernels may take.
typedef double Share(double left, size_t kernels);

// Most kernels need less, and should not be left without time because of some
// that need more: everybody has a glance first.
static double glance(double left, size_t kernels) {
  const double least = 0.05, most = 0.1, part = 0.25;
  return fmin(left, fmax(least, fmin(most, part * left / (double)kernels)));
}

// The hard ones take no more than half of what is left, nor than a few times
// their share, but so much that it is of use.
static double fair_share(double left, size_t kernels) {
  const double generosity = 4, least = 0.25;
  double share = generosity * left / (double)kernels;
  if (kernels == 1)
    return left;
  return fmin(left, fmax(least, fmin(share, left / 2)));
}

// When the first of `kernels` has to be done; 0: it has all the time.
static double deadline_of(const Work *work, Share *share_of, size_t kernels) {
  double now = work_seconds();
  double own = work->options->timeout ? now + work->options->timeout : 0;
  double share = now + share_of(work->deadline - now, kernels);
  if (work->deadline <= 0 || (own > 0 && own < share))
    return own;
  return share;
}

// ---------------------------------------------------- search, then proof ---

static const KernelEntry *unwound_entry(const Work *work,
                                        const KernelEntry *entry) {
  for (size_t i = 0; i < work->unwound_kernels.count; i++)
    if (!strcmp(work->unwound_kernels.at[i].name, entry->name))
      return &work->unwound_kernels.at[i];
  return NULL;
}

// A bug of the first rounds of the loops, or NULL.
static Verification *search(Work *work, const KernelEntry *entry,
                            const Launch *launch, double deadline) {
  const KernelEntry *unwound = unwound_entry(work, entry);
  double now = work_seconds();
  if (!unwound)
    return NULL;
  Verification *v = NEW(&work->task->arena, Verification);
  v->file = work->file;
  v->entry = unwound;
  v->options = work->options;
  v->launch = *launch;
  v->is_search = true;
  run(v, deadline > 0 ? now + (deadline - now) / 2 : 0);
  if (verdict_group(v->verdict->kind) == GROUP_BUG)
    return v;
  arena_free(&v->task.arena);
  return NULL;
}

// Who searches wants no alarm that an execution does not bear out, nor one that
// the first rounds do not show.
static void doubt_alarm(Verification *v) {
  if (!v->options->loop_unwind || v->options->assert_false || v->is_search ||
      verdict_group(v->verdict->kind) != GROUP_BUG ||
      verdict_is_confirmed(v->verdict) || !v->verdict->problems.count)
    return;
  unsigned rounds = v->options->loop_unwind;
  v->verdict = without_proof(
      &v->task, VERDICT_UNKNOWN,
      arena_printf(&v->task.arena,
                   "no bug was found with %u back edge%s of each loop, and the "
                   "proof of all of them does not get past: %s",
                   rounds, rounds == 1 ? "" : "s",
                   v->verdict->problems.at[0].obligation->sentence),
      v->verdict->problems.at[0].obligation->first->loc);
}

// What launches do that are joined, no assumption says by its name: each of
// them may refute it.
static const Options *options_for(Work *work, const Launch *launch) {
  if (!launch->is_joined)
    return work->options;
  Options *options = NEW(&work->task->arena, Options);
  *options = *work->options;
  memset(options->tried, 0, sizeof options->tried);
  return options;
}

static Verification *prove_launch(Work *work, const KernelEntry *entry,
                                  const Launches *launches, size_t i,
                                  double deadline) {
  const Options *options = work->options;
  Verification *v = NEW(&work->task->arena, Verification);
  v->file = work->file;
  v->entry = entry;
  v->options = options_for(work, &launches->at[i]);
  v->launch = launches->at[i];
  v->boogie_file = text_file(work, options->boogie, entry, i, launches->count);
  v->program_file =
      text_file(work, options->program, entry, i, launches->count);
  run(v, deadline);
  return v;
}

// Proves the kernel under each launch.  The worst verdict, with the time of
// all; its task is the caller's.
static Verification *verify_launches(Work *work, const KernelEntry *entry,
                                     const Launches *launches,
                                     double deadline) {
  const Options *options = work->options;
  double start = clock_seconds();
  Verification *worst = NULL;
  for (size_t i = 0; i < launches->count; i++) {
    Verification *v = search(work, entry, &launches->at[i], deadline);
    if (!v)
      v = prove_launch(work, entry, launches, i, deadline);
    worst = worst ? worse(worst, v) : v;
  }
  if (options->confirm && worst->kernel) {
    confirm_problems(&worst->task,
                     work->as_written ? work->as_written : work->module, entry,
                     worst->kernel, worst->verdict, deadline);
    verdict_confirmed_first(&worst->task, worst->verdict);
  }
  doubt_alarm(worst);
  worst->verdict->seconds = clock_seconds() - start;
  return worst;
}

// Many launches at once; NULL: that proves nothing of them.
static Verification *verify_joined(Work *work, const KernelEntry *entry,
                                   const Launches *launches, double deadline) {
  double start = clock_seconds();
  Launches joined = {0};
  if (launches->count <= MOST_LAUNCHES)
    return NULL;
  push(&work->task->arena, &joined, join_all(work, launches));
  Verification *v = prove_launch(work, entry, &joined, 0, deadline);
  v->verdict->seconds = clock_seconds() - start;
  if (v->verdict->kind == VERDICT_VERIFIED)
    return v;
  arena_free(&v->task.arena);
  return NULL;
}

// What the proof has no words for, another command may decide.
static void hint_at_barriers(Verification *v) {
  Verdict *verdict = v->verdict;
  if (verdict->kind == VERDICT_UNKNOWN && verdict->reason &&
      !barriers_are_wanted(v->options) &&
      llvm_uses_barriers(&v->task, v->entry))
    verdict->reason = arena_printf(
        &v->task.arena,
        "%s (named barriers and mbarriers are for 'gpuverify barriers', or "
        "--barriers=auto)",
        verdict->reason);
}

static void tell(const Work *work, const Reporter *reporter,
                 KernelReport *report) {
  Suppressions *suppressions = work->options->suppressions;
  report->accepted = suppressions_accept(suppressions, report);
  suppressions_note(suppressions, report);
  reporter->kernel(reporter->data, report);
}

// A glance that took all its time tells nothing: whether there is a report.
static bool verify_entry(Work *work, const KernelEntry *entry,
                         const Reporter *reporter, double deadline,
                         bool is_glance) {
  KernelReport report = {0};
  Launches launches = {0};
  report.elsewhere = find_launches(work, entry, &launches);
  report.launches = (unsigned)launches.count;
  if (!launches.count)
    add_launch(work, &launches, &work->options->launch);
  Verification *worst = verify_joined(work, entry, &launches, deadline);
  report.is_joined = worst != NULL;
  if (!worst)
    worst = verify_launches(work, entry, &launches, deadline);
  hint_at_barriers(worst);
  fill_report(work, worst, &report);
  report.barriers =
      barriers_after_proof(&worst->task, work->options, &report, entry,
                           work->as_written, &launches, deadline);
  bool is_told = !is_glance || work_seconds() < deadline;
  if (is_told)
    tell(work, reporter, &report);
  arena_free(&worst->task.arena);
  return is_told;
}

// ------------------------------------------------------------ the module ---

static void prepare(Task *task, void *data) {
  Work *work = data;
  if (work->options->confirm || barriers_are_wanted(work->options))
    work->as_written = llvm_keep_assembly(task, work->module);
  suppressions_know_functions(work->options->suppressions, work->module);
  llvm_name_grid_barrier(work->module);
  llvm_lower_assembly(task, work->module);
  if (!llvm_prepare(task, work->module, &work->reason) ||
      !llvm_follow_calls(task, work->module, &work->reason))
    unsupported(task, (Loc){0}, "%s", work->reason);
  if (work->options->loop_unwind)
    work->unwound = unwind_copy(work->module, work->options->loop_unwind);
}

static bool is_wanted(const Work *work, const KernelEntry *entry) {
  const char *name = work->options->kernel;
  return !name || !strcmp(name, entry->name) || !strcmp(name, entry->source);
}

static void find_kernels(Task *task, void *data) {
  Work *work = data;
  KernelEntries all = {0};
  llvm_find_kernels(task, work->module, &all);
  for (size_t i = 0; i < all.count; i++)
    if (is_wanted(work, &all.at[i]))
      push(&task->arena, &work->kernels, all.at[i]);
  if (work->unwound)
    llvm_find_kernels(task, work->unwound, &work->unwound_kernels);
}

// The module as a whole is beyond us, so each of its kernels is.
static void report_unknown(Work *work, const Reporter *reporter) {
  Verification v = {.options = work->options, .launch = work->options->launch};
  KernelReport report = {0};
  v.verdict = without_proof(work->task, VERDICT_UNKNOWN, work->task->reason,
                            work->task->where);
  for (size_t i = 0; i < work->kernels.count; i++) {
    v.entry = &work->kernels.at[i];
    fill_report(work, &v, &report);
    tell(work, reporter, &report);
  }
}

static bool is_time_over(const Work *work) {
  return work->deadline > 0 && work_seconds() >= work->deadline;
}

// ------------------------------------------------------------ in the line ---

// What has become of a kernel, beside the exit status.
enum { STANDS_AGAIN = 128, IS_LATE = 64 };

// A copy of the process begins with a clock of its own.
static void set_clock(Work *work) {
  if (getpid() == work->process)
    return;
  interrupt_forget();
  if (work->deadline > 0)
    work->deadline += work_seconds() - work->spent;
  work->task->deadline = work->deadline;
  work->process = getpid();
}

static void say_who_is_left(const Work *work) {
  const Reporter *reporter = work->reporter;
  const KernelsLeft left = {work->file, work->line.at + work->told,
                            work->line.count - work->told};
  if (reporter->begins && left.count)
    reporter->begins(reporter->data, &left);
}

// Of this round; perhaps in a copy of this process.
static int verify_next(void *data, size_t job) {
  Work *work = data;
  const Reporter *reporter = work->reporter;
  size_t at = work->begin + job;
  set_clock(work);
  if (is_time_over(work))
    return IS_LATE;
  double deadline =
      deadline_of(work, work->is_glance ? glance : fair_share, work->end - at);
  if (!verify_entry(work, &work->line.at[at], reporter, deadline,
                    work->is_glance))
    return STANDS_AGAIN;
  return reporter->status ? reporter->status(reporter->data) : 0;
}

static void note_next(void *data, int code) {
  Work *work = data;
  const Reporter *reporter = work->reporter;
  KernelEntry entry = work->line.at[work->told++];
  work->spent = work_seconds();
  if (code == IS_LATE)
    push(&work->task->arena, &work->late, entry);
  else if (code == STANDS_AGAIN)
    push(&work->task->arena, &work->line, entry);
  else if (reporter->note)
    reporter->note(reporter->data, &entry, code);
  say_who_is_left(work);
}

static void verify_round(Work *work) {
  work->begin = work->told;
  work->end = work->line.count;
  work->spent = work_seconds();
  Jobs jobs = {work->end - work->begin, verify_next, note_next, work};
  say_who_is_left(work);
  jobs_do(&jobs, work->reporter->workers ? work->reporter->workers : 1);
}

// In the order of the file, for as long as it has time.  Those that need more
// than a glance stand in line again.
static void verify_all(Work *work) {
  const size_t count = work->kernels.count;
  const Reporter *reporter = work->reporter;
  for (size_t i = 0; i < count; i++)
    push(&work->task->arena, &work->line, work->kernels.at[i]);
  work->process = getpid();
  if (reporter->drive) {
    work->end = count;
    reporter->drive(reporter->data, &work->line,
                    &(Jobs){count, verify_next, note_next, work});
    return;
  }
  work->is_glance = work->deadline > 0 && count > 1;
  if (work->is_glance)
    verify_round(work);
  work->is_glance = false;
  verify_round(work);
  const KernelsLeft left = {work->file, work->late.at, work->late.count};
  if (left.count)
    reporter->left_out(reporter->data, &left);
}

unsigned verify_module(const Options *options, const char *file,
                       struct LLVMOpaqueModule *module,
                       const HostLaunches *launches, const Reporter *reporter) {
  double limit = options->file_timeout;
  Task task = {.deadline = limit > 0 ? work_seconds() + limit : 0};
  Work work = {.task = &task,
               .deadline = task.deadline,
               .options = options,
               .file = file,
               .module = module,
               .launches = launches,
               .reporter = reporter};
  bool is_prepared = task_run(&task, prepare, &work);
  const char *reason = task.reason;
  bool has_kernels = task_run(&task, find_kernels, &work);
  if ((is_prepared || task_is_late(&task)) && has_kernels) {
    verify_all(&work);
  } else {
    task.reason = reason ? reason : task.reason;
    report_unknown(&work, reporter);
  }
  unsigned count = (unsigned)work.kernels.count;
  if (work.unwound)
    llvm_drop_copy(work.unwound);
  arena_free(&task.arena);
  return count;
}
