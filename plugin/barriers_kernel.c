// One kernel of a PTX text, under each of some launches, to a verdict.
//
// The kernel is executed for one block, with what is known of its arguments,
// into one program for each warp (barriers/), and these are checked for every
// schedule.  Each launch is a task of its own; one that gives up is an
// `unknown` with its reason.  The worst verdict is kept.

#include "barriers/barriers.h"
#include "plugin/plugin.h"

#include <string.h>

enum { MEGABYTE = 1 << 20 };

// One kernel under one launch.
typedef struct Work {
  Task task;
  const PtxKernel *kernel;
  const Settings *settings;
  const Launch *launch;  // or NULL
  const BlockSite *site; // which block, of which grid; NULL: as asked for
  EmulationOptions emulation;
  Programs *programs;
  Check check;
  bool is_checked;
  BarriersReport report;
} Work;

// ---------------------------------------------------------------- launch ---

static bool all_known(const Extent extents[3], uint32_t values[3]) {
  for (unsigned axis = 0; axis < 3; axis++)
    values[axis] = extents[axis].value;
  return extents[0].known && extents[1].known && extents[2].known;
}

// From the options, from the launch in the source, or from the PTX.
static bool find_block_size(const Work *work, uint32_t size[3]) {
  const Extent *given = work->settings->options.launch.block;
  if (extents_are_given(given))
    return all_known(given, size);
  if (work->launch && all_known(work->launch->block, size))
    return true;
  return ptx_kernel_block_size(work->kernel, size);
}

// An axis that is not given is 1.
static void find_cluster_size(const Work *work, uint32_t size[3]) {
  const uint32_t *given = work->settings->cluster;
  if (!given[0] && !given[1] && !given[2]) {
    ptx_kernel_cluster_size(work->kernel, size);
    if (!size[0] && work->launch && !all_known(work->launch->cluster, size))
      memset(size, 0, 3 * sizeof *size);
    return;
  }
  for (unsigned axis = 0; axis < 3; axis++)
    size[axis] = given[axis] ? given[axis] : 1;
}

// Beyond the cluster that is looked at there is nothing if nobody says so.
// True: somebody does.
static bool find_grid_size(const Work *work, const uint32_t cluster[3],
                           uint32_t size[3]) {
  const Settings *settings = work->settings;
  const Extent *given = settings->options.launch.grid;
  if (extents_are_given(given)
          ? all_known(given, size)
          : work->launch && all_known(work->launch->grid, size))
    return true;
  for (unsigned axis = 0; axis < 3; axis++) {
    uint32_t most = cluster[axis] ? cluster[axis] : 1;
    size[axis] = settings->block_id[axis] / most * most + most;
  }
  return false;
}

static void find_site(Work *work) {
  EmulationOptions *emulation = &work->emulation;
  memcpy(emulation->block, work->settings->block_id, sizeof emulation->block);
  work->report.is_grid_known =
      find_grid_size(work, emulation->cluster, emulation->grid_size);
  if (!work->site)
    return;
  memcpy(emulation->block, work->site->block, sizeof emulation->block);
  memcpy(emulation->grid_size, work->site->grid, sizeof emulation->grid_size);
}

bool barriers_is_named(Task *task, const PtxKernel *kernel, const char *name) {
  const char *own = ptx_kernel_name(kernel);
  return !strcmp(name, own) || !strcmp(name, plain_name(task, own));
}

// NULL, or what is wrong.
static const char *look_at_values(Work *work) {
  const Options *options = &work->settings->options;
  size_t most = ptx_kernel_parameters(work->kernel);
  for (size_t i = 0; i < options->kernel_args.count; i++) {
    const KernelValues *given = &options->kernel_args.at[i];
    if (given->values.count > most &&
        barriers_is_named(&work->task, work->kernel, given->kernel))
      return arena_printf(
          &work->task.arena,
          "--kernel-args has %zu values and the kernel has %zu parameters",
          given->values.count, most);
  }
  return NULL;
}

// NULL, or what is wrong.  SOUND(one-block)
static const char *fill_launch(Work *work) {
  EmulationOptions *emulation = &work->emulation;
  uint64_t threads = 1;
  if (!find_block_size(work, emulation->block_size))
    return "the block size is not known: give --blockDim";
  for (unsigned axis = 0; axis < 3; axis++)
    threads *= emulation->block_size[axis];
  if (threads > BLOCK_WARPS * WARP)
    return "a block has at most 1024 threads";
  find_cluster_size(work, emulation->cluster);
  find_site(work);
  for (unsigned axis = 0; axis < 3; axis++) {
    uint32_t cluster = emulation->cluster[axis];
    if (cluster && emulation->grid_size[axis] % cluster)
      return "the grid is no multiple of the cluster";
    if (emulation->block[axis] >= emulation->grid_size[axis])
      return "--block is outside the grid";
  }
  if (emulation->is_any_block && !work->report.is_grid_known)
    memset(emulation->grid_size, 0, sizeof emulation->grid_size);
  emulation->registers = work->settings->registers;
  emulation->lock_step = work->settings->lock_step;
  emulation->elects_lowest = work->settings->elect_lowest;
  return look_at_values(work);
}

static PtxArgument ptx_argument(Arena *arena, const Argument *argument) {
  PtxArgument ptx = {.is_known = argument->known, .value = argument->value};
  for (size_t i = 0; i < argument->words.count; i++) {
    const ArgumentWord *word = &argument->words.at[i];
    for (unsigned at = 0; at + sizeof(uint32_t) <= word->bytes;
         at += sizeof(uint32_t))
      push(arena, &ptx.words,
           ((PtxWord){word->offset + at, (uint32_t)(word->value >> 8 * at)}));
  }
  return ptx;
}

static void give_arguments(Work *work, size_t count, const Argument *values) {
  Arena *arena = &work->task.arena;
  PtxArgument *arguments = arena_alloc(arena, (count + 1) * sizeof *arguments);
  for (size_t i = 0; i < count; i++)
    arguments[i] = ptx_argument(arena, &values[i]);
  work->emulation.arguments = arguments;
  work->emulation.argument_count = count;
}

// PTX does not tell pointers from numbers, so --kernel-args counts both.
static void fill_arguments(Work *work) {
  const Options *options = &work->settings->options;
  if (work->launch)
    give_arguments(work, work->launch->arguments.count,
                   work->launch->arguments.at);
  for (size_t i = 0; i < options->kernel_args.count; i++) {
    const KernelValues *given = &options->kernel_args.at[i];
    if (barriers_is_named(&work->task, work->kernel, given->kernel))
      give_arguments(work, given->values.count, given->values.at);
  }
}

// ------------------------------------------------------------ one kernel ---

static void show(Task *task, const Work *work) {
  const char *dump = work->settings->options.dump;
  FILE *out = work->settings->format ? stderr : stdout;
  if (dump && !strcmp(dump, "programs"))
    programs_print(task, work->programs, out);
  if (dump && !strcmp(dump, "graph"))
    programs_print_graph(task, work->programs, out);
}

static void check_kernel(Task *task, void *data) {
  Work *work = data;
  fill_arguments(work);
  work->programs = ptx_emulate(task, work->kernel, &work->emulation);
  show(task, work);
  if (work->programs->is_stuck)
    ptx_look_beyond(task, work->kernel, &work->emulation, work->programs);
  work->is_checked = true;
  programs_check(task, work->programs, &work->check);
}

static void replay(Task *task, void *data) {
  Work *work = data;
  work->check.needs_no_schedules = !work->settings->format;
  programs_replay(task, work->programs, &work->check);
}

// It may take steps, not time.
static void confirm(Work *work) {
  Task *task = &work->task;
  const char *reason = task->reason;
  Loc where = task->where;
  task->deadline = 0;
  task_run(task, replay, work);
  task->reason = reason;
  task->where = where;
}

// A finding counts whatever came after it.
static VerdictKind worst_of(const BarriersReport *report) {
  VerdictKind worst = report->reason ? VERDICT_UNKNOWN : VERDICT_VERIFIED;
  size_t count = report->check ? report->check->findings.count : 0;
  for (size_t i = 0; i < count; i++) {
    VerdictKind kind = finding_verdict(&report->check->findings.at[i]);
    if (verdict_is_worse(kind, worst))
      worst = kind;
  }
  return worst;
}

static void set_limits(Work *work, double deadline) {
  work->task.deadline = deadline;
  work->task.memory = (size_t)work->settings->options.memory * MEGABYTE;
}

static void run(Work *work, double deadline) {
  BarriersReport *result = &work->report;
  const Options *options = &work->settings->options;
  const char *trouble = fill_launch(work);
  double start = clock_seconds();
  memcpy(result->block_size, work->emulation.block_size, sizeof(uint32_t[3]));
  memcpy(result->grid_size, work->emulation.grid_size, sizeof(uint32_t[3]));
  memcpy(result->block, work->emulation.block, sizeof(uint32_t[3]));
  memcpy(result->cluster, work->emulation.cluster, sizeof(uint32_t[3]));
  if (trouble) {
    result->kind = VERDICT_ERROR;
    result->reason = trouble;
    return;
  }
  set_limits(work, deadline);
  if (!task_run(&work->task, check_kernel, work)) {
    result->reason = work->task.reason;
    result->where = work->task.where;
  }
  if (work->is_checked && options->confirm)
    confirm(work);
  result->programs = work->programs;
  result->check = work->is_checked ? &work->check : NULL;
  result->seconds = clock_seconds() - start;
  result->kind = worst_of(result);
}

// The worse of two, the first where they are alike; the other one goes.
static Work *worse(Work *a, Work *b) {
  bool is_second = verdict_is_worse(b->report.kind, a->report.kind);
  Work *gone = is_second ? a : b;
  arena_free(&gone->task.arena);
  return is_second ? b : a;
}

// How one execution of the kernel differs from others.
typedef struct Choice {
  unsigned leader;
  bool has_large_tensors;
  bool follows_symbols;
  bool passes_once;
  bool is_any_block;
  const BlockSite *site;
} Choice;

static Work *new_work(Task *task, const BarriersQuestion *question,
                      const Launch *launch, Choice choice) {
  const PtxKernel *kernel = question->kernel;
  Work *work = NEW(&task->arena, Work);
  *work = (Work){.kernel = kernel,
                 .settings = question->settings,
                 .launch = launch,
                 .site = choice.site,
                 .emulation = {.leader = choice.leader,
                               .has_large_tensors = choice.has_large_tensors,
                               .is_any_block = choice.is_any_block,
                               .follows_symbols = choice.follows_symbols,
                               .passes_once = choice.passes_once},
                 .report = {.file = question->file,
                            .leader = choice.leader,
                            .kernel = ptx_kernel_name(kernel),
                            .source = plain_name(task, ptx_kernel_name(kernel)),
                            .loc = ptx_kernel_loc(kernel)}};
  return work;
}

static Work *run_once(Task *task, const BarriersQuestion *question,
                      const Launch *launch, Choice choice) {
  Work *work = new_work(task, question, launch, choice);
  run(work, question->deadline);
  return work;
}

static bool is_write(const BarriersReport *report, End end) {
  return programs_command(report->programs, end)->kind == COMMAND_WRITE;
}

static bool is_of_writes(const BarriersReport *report, const Finding *finding) {
  return finding->kind == FINDING_RACE && is_write(report, finding->ends[0]) &&
         is_write(report, finding->ends[1]);
}

static bool has_racing_writes(const BarriersReport *report) {
  for (size_t i = 0; report->check && i < report->check->findings.count; i++)
    if (is_of_writes(report, &report->check->findings.at[i]))
      return true;
  return false;
}

// What was found may be none.
static void doubt(BarriersReport *report, const char *reason) {
  const Finding *first = &report->check->findings.at[0];
  report->where = finding_place(report, first->ends[0].place);
  report->reason = reason;
  report->kind = VERDICT_UNKNOWN;
  report->check = NULL;
}

// What lanes have exchanged by shfl.bfly and combined is mostly the same for
// all, whether we can tell or not.
static void doubt_writes(BarriersReport *report) {
  const Check *check = report->check;
  for (size_t i = 0; i < check->findings.count; i++) {
    const Finding *finding = &check->findings.at[i];
    if (!is_of_writes(report, finding) ||
        !programs_command(report->programs, finding->ends[0])->is_exchanged ||
        !programs_command(report->programs, finding->ends[1])->is_exchanged)
      return;
  }
  doubt(report,
        "several threads write here what they have computed after "
        "shfl.bfly, and whether that is the same is not known");
}

static void only_execute(Task *task, void *data) {
  Work *work = data;
  fill_arguments(work);
  work->programs = ptx_emulate(task, work->kernel, &work->emulation);
}

// The pairs of writes that are told, as far as they may agree.
typedef struct Pairs {
  BarriersReport *report;
  bool *is_open; // by finding
  size_t count;  // of these
  Work *gave_up; // the look at them that did, or NULL
} Pairs;

static Pairs pairs_of(Task *task, BarriersReport *report) {
  const Check *check = report->check;
  Pairs pairs = {report, arena_alloc(&task->arena, check->findings.count), 0,
                 NULL};
  for (size_t i = 0; i < check->findings.count; i++) {
    pairs.is_open[i] = is_of_writes(report, &check->findings.at[i]);
    pairs.count += pairs.is_open[i];
  }
  return pairs;
}

// How many commands of each warp there are up to these, and what stores.
static void ask_for(Work *work, const Pairs *pairs) {
  Arena *arena = &work->task.arena;
  const Check *check = pairs->report->check;
  size_t count = 0;
  uint32_t *counts = arena_alloc(arena, MOST_WARPS * sizeof *counts);
  uint32_t *stores = arena_alloc(arena, 2 * pairs->count * sizeof *stores);
  for (size_t i = 0; i < check->findings.count; i++)
    for (unsigned k = 0; k < 2 && pairs->is_open[i]; k++) {
      End end = check->findings.at[i].ends[k];
      if (counts[end.warp] <= end.command)
        counts[end.warp] = end.command + 1;
      stores[count++] = pairs->report->programs->places.at[end.place].number;
    }
  work->emulation.enough = counts;
  work->emulation.stores = stores;
  work->emulation.store_count = count;
}

// True: some agree.
static bool settle(Pairs *pairs, const Programs *closely) {
  bool agree = false;
  for (size_t i = 0; i < pairs->report->check->findings.count; i++) {
    if (!pairs->is_open[i])
      continue;
    switch (programs_match(pairs->report->programs, closely,
                           &pairs->report->check->findings.at[i])) {
    case MATCH_PERHAPS:
      agree = true;
      break;
    case MATCH_NEVER:
      pairs->is_open[i] = false;
      pairs->count--;
      break;
    case MATCH_OPEN:
      break;
    }
  }
  return agree;
}

static void drop_look(Pairs *pairs) {
  if (pairs->gave_up)
    arena_free(&pairs->gave_up->task.arena);
  pairs->gave_up = NULL;
}

// A look at those pairs, before all are looked for again.
static bool may_agree(Task *task, const BarriersQuestion *question,
                      const Launch *launch, Choice choice, Pairs *pairs) {
  Work *work = new_work(task, question, launch, choice);
  ask_for(work, pairs);
  set_limits(work, question->deadline);
  work->report.reason = fill_launch(work);
  bool is_done =
      !work->report.reason && task_run(&work->task, only_execute, work);
  if (!is_done && !work->report.reason) {
    work->report.reason = work->task.reason;
    work->report.where = work->task.where;
  }
  drop_look(pairs);
  if (!is_done) {
    pairs->gave_up = work;
    return false;
  }
  bool may = settle(pairs, work->programs);
  arena_free(&work->task.arena);
  return may;
}

static bool tells_something(const BarriersReport *report) {
  return report->check && (!report->reason || report->check->findings.count);
}

static void drop_open(const Pairs *pairs, Check *check) {
  size_t kept = 0;
  for (size_t i = 0; i < check->findings.count; i++)
    if (!pairs->is_open[i])
      check->findings.at[kept++] = check->findings.at[i];
  check->findings.count = kept;
}

// The second look, that gave up, would have kept some findings of the first,
// and some not.
static void give_up_too(Work *first, const Pairs *pairs, const Work *second) {
  BarriersReport *report = &first->report;
  drop_open(pairs, &first->check);
  if (!report->reason) {
    report->reason =
        arena_printf(&first->task.arena, "%s", second->report.reason);
    report->where = second->report.where;
  }
  report->kind = worst_of(report);
}

// Where two write to one place, perhaps they write the same; to know that, all
// that is stored has to be followed, and what decides about that.
static Work *run_closely(Task *task, const BarriersQuestion *question,
                         const Launch *launch, Choice choice) {
  Work *first = run_once(task, question, launch, choice);
  if (!has_racing_writes(&first->report))
    return first;
  choice.follows_symbols = true;
  Pairs pairs = pairs_of(&first->task, &first->report);
  choice.passes_once = true;
  bool may = may_agree(task, question, launch, choice, &pairs);
  choice.passes_once = false;
  if (!may && pairs.count)
    may = may_agree(task, question, launch, choice, &pairs);
  if (!may && pairs.gave_up && pairs.count)
    give_up_too(first, &pairs, pairs.gave_up);
  drop_look(&pairs);
  if (!may)
    return first;
  Work *second = run_once(task, question, launch, choice);
  bool is_better = tells_something(&second->report);
  if (!is_better)
    give_up_too(first, &pairs, second);
  else if (has_racing_writes(&second->report))
    doubt_writes(&second->report);
  Work *gone = is_better ? first : second;
  arena_free(&gone->task.arena);
  return is_better ? second : first;
}

// A problem of the largest tensors may be none of those that there are.
static void doubt_sizes(BarriersReport *report) {
  if (report->kind != VERDICT_VERIFIED && !report->reason)
    doubt(report,
          "how many bytes a copy by a tensor map reads or writes is "
          "not known, and with enough of them it could race here");
}

// What copies by tensor maps touch is known to be little, then to be no more
// than a lot.
static Work *run_leader(Task *task, const BarriersQuestion *question,
                        const Launch *launch, Choice choice) {
  Work *work = run_closely(task, question, launch, choice);
  const BarriersReport *report = &work->report;
  if (report->kind != VERDICT_VERIFIED ||
      (!report->programs->has_tensor_stores &&
       !report->programs->has_shared_tensors))
    return work;
  arena_free(&work->task.arena);
  choice.has_large_tensors = true;
  work = run_closely(task, question, launch, choice);
  doubt_sizes(&work->report);
  return work;
}

static void note_axes(BlocksSeen *seen, const Programs *programs) {
  seen->block_axes |= programs->block_axes;
  seen->grid_axes |= programs->grid_axes;
}

// Whichever lane elect.sync elects.
static Work *run_block(Task *task, const BarriersQuestion *question,
                       const Launch *launch, Choice choice, BlocksSeen *seen) {
  Work *worst = run_leader(task, question, launch, choice);
  for (unsigned lane = 1; lane < WARP; lane++) {
    const BarriersReport *report = &worst->report;
    if (report->kind != VERDICT_VERIFIED)
      return worst;
    note_axes(seen, report->programs);
    if (!(report->programs->elected >> lane & 1))
      continue;
    choice.leader = lane;
    Work *other = run_leader(task, question, launch, choice);
    if (other->report.kind == VERDICT_VERIFIED)
      note_axes(seen, other->report.programs);
    worst = worse(worst, other);
  }
  return worst;
}

// --------------------------------------------------------- other blocks ---

static BlockPlan plan_of(Task *task, const Work *work) {
  const BarriersReport *report = &work->report;
  BlockPlan plan = {.is_grid_known = report->is_grid_known};
  bool is_whole = programs_blocks(report->programs) > 1;
  memcpy(plan.first.block, report->block, sizeof plan.first.block);
  memcpy(plan.first.grid, report->grid_size, sizeof plan.first.grid);
  for (unsigned axis = 0; axis < 3; axis++) {
    plan.cluster[axis] = report->cluster[axis] ? report->cluster[axis] : 1;
    plan.unit[axis] = is_whole ? plan.cluster[axis] : 1;
  }
  push(&task->arena, &plan.seen, plan.first);
  return plan;
}

static bool is_time_up(const BarriersQuestion *question) {
  return question->deadline && work_seconds() >= question->deadline;
}

// Is it a proof, too, if the place of the block is data that we do not have?
static bool holds_for_any(Task *task, const BarriersQuestion *question,
                          const Launch *launch, const Work *first) {
  BlocksSeen seen = {0};
  const uint32_t *cluster = first->report.cluster;
  if (cluster[0] * cluster[1] * cluster[2] > 1)
    return false;
  Choice choice = {.is_any_block = true};
  Work *any = run_block(task, question, launch, choice, &seen);
  bool holds = any->report.kind == VERDICT_VERIFIED;
  arena_free(&any->task.arena);
  return holds;
}

// All that may be different, unless the time is up.
static Work *run_others(Task *task, const BarriersQuestion *question,
                        const Launch *launch, Work *first, BlocksSeen *seen) {
  BlockPlan plan = plan_of(task, first);
  BlockSite site;
  if (barriers_next_block(&plan, seen, &site) &&
      holds_for_any(task, question, launch, first)) {
    seen->coverage = COVERAGE_ANY;
    return first;
  }
  while (barriers_next_block(&plan, seen, &site) &&
         !question->settings->options.one_block) {
    Choice choice = {.site = &site};
    Work *other = run_block(task, question, launch, choice, seen);
    other->report.is_other_block = true;
    if (is_time_up(question) && other->report.kind == VERDICT_UNKNOWN) {
      arena_free(&other->task.arena);
      break;
    }
    first = worse(first, other);
    if (first->report.kind != VERDICT_VERIFIED)
      return first;
    push(&task->arena, &plan.seen, site);
  }
  if (barriers_next_block(&plan, seen, &site))
    seen->coverage = COVERAGE_SOME;
  return first;
}

static Work *run_launch(Task *task, const BarriersQuestion *question,
                        const Launch *launch) {
  BlocksSeen seen = {0};
  Work *worst = run_block(task, question, launch, (Choice){0}, &seen);
  if (worst->report.kind == VERDICT_VERIFIED)
    worst = run_others(task, question, launch, worst, &seen);
  BarriersReport *report = &worst->report;
  report->blocks = seen;
  report->writes_global =
      ptx_kernel_writes_global(&worst->task, question->kernel);
  if (report->kind == VERDICT_VERIFIED)
    report->kind = VERDICT_ONE_BLOCK;
  return worst;
}

// Of two launches: the worse verdict, or the proof that is for less.
static Work *worse_launch(Work *a, Work *b) {
  bool are_proofs = a->report.kind == VERDICT_ONE_BLOCK &&
                    b->report.kind == VERDICT_ONE_BLOCK;
  if (!are_proofs || a->report.blocks.coverage >= b->report.blocks.coverage)
    return worse(a, b);
  arena_free(&a->task.arena);
  return b;
}

static void release(void *work) { arena_free(&((Work *)work)->task.arena); }

BarriersReport *barriers_check(Task *task, const BarriersQuestion *question) {
  const Launches *launches = &question->launches;
  Work *worst =
      run_launch(task, question, launches->count ? &launches->at[0] : NULL);
  for (size_t i = 1; i < launches->count; i++)
    worst = worse_launch(worst, run_launch(task, question, &launches->at[i]));
  arena_defer(&task->arena, release, worst);
  return &worst->report;
}
