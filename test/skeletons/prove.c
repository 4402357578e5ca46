// Some skeletons through all their executions, then through the verifier.
//
// The skeletons of a chunk make one module for each number of blocks.  Block
// sizes are free in most of them: tiny launches are instances of what is
// proved then.  In some the size is known, which is another proof.
//
// An alarm takes ten times as long as a proof at a glance, and where an
// execution has shown a problem it is enough that there is none.  So most of
// these are only looked at in that way: `verified` would be wrong, everything
// else is right.  Each 32nd goes all the way.

#define _POSIX_C_SOURCE 200809L

#include "test/skeletons/oracle.h"

#include "plugin/plugin.h"

#include <assert.h>
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>
#include <stdlib.h>
#include <string.h>

enum { SECONDS = 1, MEGABYTES = 512, MOST_BLOCKS = 2 };

// The front end is not here, and only what confirms alarms asks for it.
void frontend_link_library(Task *task, const Settings *settings,
                           LLVMModuleRef module) {
  (void)task, (void)settings, (void)module;
  assert(!"nothing is confirmed here");
}

typedef struct Chunk {
  Task task;
  Options options;
  Record *records;
  size_t count;
  Tree *trees;
  HostLaunches launches; // of the kernels in the module, in their order
} Chunk;

// Which of a chunk's skeletons go into one module.
typedef struct Group {
  unsigned blocks;
  bool is_glance;
} Group;

static const char *name_of(Chunk *chunk, size_t i) {
  return arena_printf(&chunk->task.arena, "k%llu",
                      (unsigned long long)chunk->records[i].index);
}

// --------------------------------------------------------------- execute ---

// 0: free.
static unsigned known_size(uint64_t index) {
  static const unsigned sizes[] = {0, 0, 2, 0, 0, 3, 0};
  return sizes[index % (sizeof sizes / sizeof sizes[0])];
}

// In launches that the proof is about.
static SkeletonFinding execute_all(const Tree *tree, unsigned threads) {
  if (threads)
    return execute(tree, threads);
  SkeletonFinding two = execute(tree, 2);
  if (two.kind != FINDING_NONE || tree->blocks > 1)
    return two;
  SkeletonFinding three = execute(tree, 3);
  three.is_exhausted &= two.is_exhausted;
  return three;
}

static void execute_one(Record *record, Tree *tree, bool may_glance) {
  enum { WHOLE = 32 };
  Skeleton skeleton;
  double start = work_seconds();
  skeleton_at(record->index, &skeleton);
  tree_make(&skeleton, tree);
  record->threads = known_size(record->index);
  record->finding = execute_all(tree, record->threads);
  record->execute_seconds = work_seconds() - start;
  record->is_glance = may_glance && record->finding.kind != FINDING_NONE &&
                      record->index / TURNS % WHOLE;
}

// ---------------------------------------------------------------- module ---

static void add_launch(Chunk *chunk, size_t i) {
  Launch launch = {.where = {.line = 1}};
  unsigned threads = chunk->records[i].threads;
  for (unsigned axis = 0; axis < 3; axis++)
    launch.block[axis] = launch.grid[axis] = (Extent){true, 1};
  launch.block[0] = (Extent){threads != 0, threads};
  launch.grid[0].value = chunk->trees[i].blocks;
  HostLaunch host = {.kernel = name_of(chunk, i), .launch = launch};
  push(&chunk->task.arena, &chunk->launches, host);
}

static LLVMModuleRef parse(char *text, size_t length) {
  LLVMModuleRef module = NULL;
  char *message = NULL;
  LLVMMemoryBufferRef buffer =
      LLVMCreateMemoryBufferWithMemoryRange(text, length, "skeletons", true);
  if (LLVMParseIRInContext(LLVMContextCreate(), buffer, &module, &message)) {
    fprintf(stderr, "skeletons: %s\n%s", message, text);
    exit(2);
  }
  return module;
}

static bool is_in(const Chunk *chunk, size_t i, Group group) {
  return chunk->trees[i].blocks == group.blocks &&
         chunk->records[i].is_glance == group.is_glance;
}

static LLVMModuleRef make_module(Chunk *chunk, Group group) {
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  print_llvm_preamble(out);
  chunk->launches.count = 0;
  for (size_t i = 0; i < chunk->count; i++)
    if (is_in(chunk, i, group)) {
      print_llvm(out, &chunk->trees[i], name_of(chunk, i));
      add_launch(chunk, i);
    }
  fclose(out);
  LLVMModuleRef module = parse(text, length);
  free(text);
  return module;
}

static Record *record_of(Chunk *chunk, const char *name) {
  for (size_t i = 0; i < chunk->count; i++)
    if (!strcmp(name, name_of(chunk, i)))
      return &chunk->records[i];
  assert(false);
  return NULL;
}

// ----------------------------------------------------------------- prove ---

static void take_verdict(Record *record, const Verdict *verdict) {
  record->verdict = verdict->kind;
  record->prove_seconds = verdict->seconds;
  if (verdict->reason)
    snprintf(record->reason, sizeof record->reason, "%s", verdict->reason);
}

static void take_report(void *data, const KernelReport *report) {
  take_verdict(record_of(data, report->name), report->verdict);
}

typedef struct Glance {
  const KernelEntry *entry;
  const Options *options;
  const Launch *launch;
  Record *record;
} Glance;

// As the verifier begins, without guesses about loops.
static void glance(Task *task, void *data) {
  Glance *g = data;
  Kernel *kernel = kernel_from_llvm(task, g->entry, g->options, g->launch);
  kernel_solve_recurrences(task, kernel);
  kernel_propose_invariants(task, kernel);
  kernel_find_uniform(task, kernel);
  const Verdict *verdict =
      smt_verify_easy(task, pair_from_kernel(task, kernel));
  if (verdict)
    take_verdict(g->record, verdict);
}

static void glance_at_kernel(Chunk *chunk, const KernelEntry *entry,
                             const Launch *launch) {
  Task task = {.deadline = work_seconds() + SECONDS};
  Glance g = {entry, &chunk->options, launch, record_of(chunk, entry->name)};
  double start = clock_seconds();
  g.record->verdict = VERDICT_UNKNOWN;
  if (!task_run(&task, glance, &g))
    snprintf(g.record->reason, sizeof g.record->reason, "%s", task.reason);
  g.record->prove_seconds = clock_seconds() - start;
  arena_free(&task.arena);
}

static void glance_at_module(Chunk *chunk, LLVMModuleRef module) {
  Task *task = &chunk->task;
  KernelEntries kernels = {0};
  const char *reason = NULL;
  if (!llvm_prepare(task, module, &reason)) {
    fprintf(stderr, "skeletons: %s\n", reason);
    exit(2);
  }
  llvm_find_kernels(task, module, &kernels);
  for (size_t i = 0; i < kernels.count; i++)
    glance_at_kernel(chunk, &kernels.at[i], &chunk->launches.at[i].launch);
}

static void prove(Chunk *chunk, Group group) {
  Reporter reporter = {.kernel = take_report, .data = chunk};
  LLVMModuleRef module = make_module(chunk, group);
  if (group.is_glance)
    glance_at_module(chunk, module);
  else
    verify_module(&chunk->options, "skeletons", module, &chunk->launches,
                  &reporter);
  llvm_free_module(module);
}

// --------------------------------------------------------------- compare ---

static OracleOutcome compare(const Record *record) {
  bool is_bad = record->finding.kind != FINDING_NONE;
  switch (record->verdict) {
  case VERDICT_SUPPRESSED: // nobody suppresses anything here
  case VERDICT_VERIFIED:
    return is_bad ? OUTCOME_WRONG : OUTCOME_VERIFIED;
  case VERDICT_RACY:
  case VERDICT_DIVERGENT:
  case VERDICT_ASSERTION:
    return is_bad ? OUTCOME_ALARM : OUTCOME_FALSE_ALARM;
  case VERDICT_UNKNOWN:
    return record->is_glance && !*record->reason ? OUTCOME_ALARM
                                                 : OUTCOME_UNKNOWN;
  case VERDICT_ONE_BLOCK:
  case VERDICT_DEADLOCK:
  case VERDICT_OUT_OF_BOUNDS:
  case VERDICT_VACUOUS:
  case VERDICT_ERROR:
    break;
  }
  return OUTCOME_CRASH; // it is asked for nothing of that
}

void prove_and_execute(Record *records, size_t count, bool may_glance) {
  Chunk chunk = {.records = records,
                 .count = count,
                 .options = {.timeout = SECONDS,
                             .memory = MEGABYTES,
                             .error_limit = 1,
                             .barriers = "off"}};
  chunk.trees = arena_alloc(&chunk.task.arena, count * sizeof(Tree));
  for (size_t i = 0; i < count; i++)
    execute_one(&records[i], &chunk.trees[i], may_glance);
  for (unsigned blocks = 1; blocks <= MOST_BLOCKS; blocks++)
    for (unsigned is_glance = 0; is_glance < 2; is_glance++)
      prove(&chunk, (Group){blocks, is_glance});
  for (size_t i = 0; i < count; i++)
    records[i].outcome = compare(&records[i]);
  arena_free(&chunk.task.arena);
}
