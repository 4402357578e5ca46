// Alarms of the prover, looked for in executions.
//
// A witness becomes a launch: its sizes and scalars, a buffer for each pointer,
// what the prover says is in them, and the blocks of the two threads.  The
// runtime then tries to have both threads stand before their accesses at once.
// If it can, the race is confirmed, and the report says what each order of the
// two accesses leaves behind; if not, it stays possible, and the report says
// how far the threads came.  A divergent barrier, a failed assertion or an
// access outside of its array is confirmed if it happens in such a launch.
// Nothing that is not confirmed is taken back.

#include "plugin/plugin.h"
#include "runtime/runtime.h"

#include <string.h>

enum {
  MOST_STEPS = 1 << 20, // accesses and back edges of one execution
  MOST_PAGES = 1 << 14,
  BEFORE = 1 << 26, // bytes below a pointer argument
  BEHIND = 1 << 30, // ... and behind the last one that is known of
  LARGEST_BLOCK = 1024,
  LOCAL_BYTES = 1 << 16, // of shared memory whose size the launch gives
};

// What the search may take, of processors.
static const double seconds_a_problem = 1, seconds_a_kernel = 2;

typedef struct Confirmation {
  Task *task;
  const Kernel *kernel;
  const Code *code;
  Problem *problem;
  Replay replay;
} Confirmation;

typedef struct Survey {
  struct LLVMOpaqueModule *module; // a copy: the proof goes on with its own
  const char *name;                // of the kernel
  Code *code;
} Survey;

static void survey(Task *task, void *data) {
  Survey *s = data;
  KernelEntries kernels = {0};
  const char *reason = NULL;
  if (llvm_is_amdgcn(s->module))
    unsupported(task, (Loc){0}, "code for devices of AMD is not executed");
  frontend_link_library(task, NULL, s->module);
  llvm_name_grid_barrier(s->module);
  code_expand_assembly(task, s->module, false);
  if (!llvm_prepare(task, s->module, &reason))
    unsupported(task, (Loc){0}, "%s", reason);
  llvm_find_kernels(task, s->module, &kernels);
  for (size_t i = 0; i < kernels.count; i++)
    if (!strcmp(kernels.at[i].name, s->name))
      s->code = code_from_llvm(task, s->module, &kernels.at[i]);
}

// ---------------------------------------------------------------- memory ---

static const Array *array_named(const Kernel *kernel, const char *name) {
  for (size_t i = 0; i < kernel->arrays.count; i++)
    if (kernel->arrays.at[i]->is_parameter &&
        !strcmp(kernel->arrays.at[i]->name, name))
      return kernel->arrays.at[i];
  return NULL;
}

// Of the bytes of an array that the witness speaks of, where the last is.
static uint64_t known_end(const Confirmation *c, const Array *array) {
  const Obligation *obligation = c->problem->obligation;
  const Witness *witness = &c->problem->witness;
  const Stmt *stmts[2] = {obligation->first, obligation->second};
  uint64_t end = 0;
  for (unsigned i = 0; i < 2; i++)
    if (stmts[i] && stmts[i]->kind == STMT_ACCESS &&
        stmts[i]->access.array == array && witness->offset[i] > end)
      end = witness->offset[i];
  for (size_t i = 0; i < witness->contents.count; i++)
    if (witness->contents.at[i].array == array &&
        witness->contents.at[i].offset > end)
      end = witness->contents.at[i].offset;
  for (size_t i = 0; i < c->kernel->arrays.count; i++)
    if (c->kernel->arrays.at[i]->holder == array &&
        c->kernel->arrays.at[i]->holder_offset > end)
      end = c->kernel->arrays.at[i]->holder_offset;
  return end < UINT64_C(1) << 40 ? end : 0;
}

// `pointer` is what the source says of the pointer, or NULL.
static Buffer *add_buffer(Confirmation *c, const char *name, const Array *array,
                          const Field *pointer) {
  Run *run = &c->replay.run;
  Buffer buffer = {.name = name, .before = BEFORE, .content = CONTENT_ZERO};
  buffer.bytes = BEHIND + (array ? known_end(c, array) : 0);
  if (array && array->bytes && array->bytes->op == EXPR_CONST) {
    buffer.before = 0;
    buffer.bytes = array->bytes->value;
  }
  if (pointer && pointer->element_kind == FIELD_FLOAT)
    buffer.floats = pointer->element_bytes;
  buffer.at = memory_private(buffer.before, buffer.bytes);
  push(&c->task->arena, &run->buffers, buffer);
  return &run->buffers.at[run->buffers.count - 1];
}

static void put(char *at, const Held *held) {
  memcpy(at + held->offset, &held->value, (held->width + 7) / 8);
}

static const Field *field_at(const Array *array, uint64_t offset) {
  for (size_t i = 0; i < array->fields.count; i++)
    if (array->fields.at[i].offset == offset)
      return &array->fields.at[i];
  return NULL;
}

static void put_words(const Argument *argument, char *at, unsigned bytes) {
  for (size_t i = 0; i < argument->words.count; i++) {
    const ArgumentWord *word = &argument->words.at[i];
    if (word->offset + word->bytes <= bytes)
      memcpy(at + word->offset, &word->value, word->bytes);
  }
}

// Buffers behind the pointers that lie in the memory of `array`, which is the
// last buffer so far; a pointer lies behind its holder's in the list of arrays.
static void add_found(Confirmation *c, const Array *array) {
  enum { POINTER_BYTES = 8 };
  Run *run = &c->replay.run;
  size_t holder = run->buffers.count - 1;
  uint64_t bytes = run->buffers.at[holder].bytes;
  for (size_t i = 0; i < c->kernel->arrays.count; i++) {
    const Array *found = c->kernel->arrays.at[i];
    if (!found->is_found || found->holder != array || bytes < POINTER_BYTES ||
        found->holder_offset > bytes - POINTER_BYTES)
      continue;
    const Buffer *buffer = add_buffer(c, found->name, found, NULL);
    Given pointer = {holder, found->holder_offset, sizeof buffer->at,
                     (uintptr_t)buffer->at};
    push(&c->task->arena, &run->given, pointer);
    add_found(c, found);
  }
}

// The fields that the launch or the prover knows, and buffers behind its
// pointers.
static void fill_struct(Confirmation *c, size_t index, const Array *array,
                        char *at, unsigned bytes) {
  const Witness *witness = &c->problem->witness;
  const Launch *launch = &c->kernel->launch;
  if (index < launch->arguments.count)
    put_words(&launch->arguments.at[index], at, bytes);
  for (size_t i = 0; i < witness->contents.count; i++) {
    const Held *held = &witness->contents.at[i];
    if (held->array == array && held->offset + (held->width + 7) / 8 <= bytes)
      put(at, held);
  }
  for (size_t i = 0; i < c->kernel->arrays.count; i++) {
    const Array *pointee = c->kernel->arrays.at[i];
    if (pointee->holder != array || pointee->holder_offset + 8 > bytes)
      continue;
    Buffer *buffer = add_buffer(c, pointee->name, pointee,
                                field_at(array, pointee->holder_offset));
    memcpy(at + pointee->holder_offset, &buffer->at, sizeof buffer->at);
    add_found(c, pointee);
  }
}

// ------------------------------------------------------------- arguments ---

static uint64_t scalar(const Confirmation *c, size_t index) {
  const Kernel *kernel = c->kernel;
  const Witness *witness = &c->problem->witness;
  size_t at = 0;
  for (size_t i = 0; i < kernel->parameters.count; i++) {
    const Symbol *symbol = kernel->parameters.at[i];
    if (!symbol || symbol->width > 64)
      continue;
    if (i == index && at < witness->arguments.count)
      return witness->arguments.at[at].value;
    at++;
  }
  return 0;
}

static void add_argument(Confirmation *c, size_t index) {
  const Parameter *parameter = &c->code->parameters.at[index];
  const Array *array = array_named(c->kernel, parameter->name);
  char *value = arena_alloc(&c->task->arena, parameter->bytes + 8);
  if (parameter->kind == PARAMETER_POINTER) {
    Buffer *buffer =
        add_buffer(c, parameter->name, array,
                   parameter->fields.count ? parameter->fields.at : NULL);
    memcpy(value, &buffer->at, sizeof buffer->at);
    if (array)
      add_found(c, array);
  } else if (parameter->kind == PARAMETER_STRUCT && array) {
    fill_struct(c, index, array, value, parameter->bytes);
  } else {
    uint64_t number =
        parameter->kind == PARAMETER_SHARED ? LOCAL_BYTES : scalar(c, index);
    memcpy(value, &number, sizeof number);
  }
  push(&c->task->arena, &c->replay.run.arguments, (void *)value);
}

// What is in the buffers is put there when the kernel first touches it.
static void add_contents(Confirmation *c) {
  const Witness *witness = &c->problem->witness;
  Run *run = &c->replay.run;
  for (size_t i = 0; i < witness->contents.count; i++) {
    const Held *held = &witness->contents.at[i];
    for (size_t j = 0; j < run->buffers.count; j++) {
      Buffer *buffer = &run->buffers.at[j];
      if (strcmp(buffer->name, held->array->name) != 0 ||
          held->offset + 8 > buffer->bytes)
        continue;
      Given given = {j, held->offset, (held->width + 7) / 8, held->value};
      push(&c->task->arena, &run->given, given);
    }
  }
  for (size_t i = 0; i < witness->found.count; i++) {
    const Found *found = &witness->found.at[i];
    Hint hint = {found->thread, found->loc, (found->width + 7) / 8,
                 found->value};
    push(&c->task->arena, &run->hints, hint);
  }
}

static void close_buffers(Confirmation *c) {
  for (size_t i = 0; i < c->replay.run.buffers.count; i++) {
    const Buffer *buffer = &c->replay.run.buffers.at[i];
    if (buffer->at)
      memory_private_free(buffer->at, buffer->before, buffer->bytes);
  }
}

static bool has_memory(const Confirmation *c) {
  for (size_t i = 0; i < c->replay.run.buffers.count; i++)
    if (!c->replay.run.buffers.at[i].at)
      return false;
  return true;
}

// ---------------------------------------------------------------- launch ---

static uint64_t block_index(const Witness *witness, unsigned which) {
  const uint32_t *id = witness->block[which], *size = witness->grid_size;
  return id[0] + size[0] * (id[1] + (uint64_t)size[1] * id[2]);
}

static void add_blocks(Confirmation *c) {
  const Witness *witness = &c->problem->witness;
  Run *run = &c->replay.run;
  uint64_t first = block_index(witness, 0), second = block_index(witness, 1);
  push(&c->task->arena, &run->blocks, first);
  if (second != first)
    push(&c->task->arena, &run->blocks, second);
}

static void set_stop(Stop *stop, const Witness *witness, unsigned which,
                     const Stmt *stmt) {
  memcpy(stop->block, witness->block[which], sizeof stop->block);
  memcpy(stop->thread, witness->thread[which], sizeof stop->thread);
  if (!stmt)
    return;
  stop->loc = stmt->loc;
  if (stmt->kind == STMT_ACCESS)
    stop->kind = stmt->access.kind;
}

static void make_run(Confirmation *c) {
  const Witness *witness = &c->problem->witness;
  const Obligation *obligation = c->problem->obligation;
  Run *run = &c->replay.run;
  // Others may be of one warp, and then in lock step.
  c->replay.only_these = c->kernel->options->warp_sync > 0;
  *run =
      (Run){.code = c->code,
            .output = -1,
            .max_steps = MOST_STEPS,
            .max_pages = MOST_PAGES,
            .max_seconds = 0.5,
            .tolerates_same_value = !c->kernel->options->no_benign_tolerance};
  memcpy(run->grid, witness->grid_size, sizeof run->grid);
  memcpy(run->block, witness->block_size, sizeof run->block);
  memcpy(run->offset, witness->global_offset, sizeof run->offset);
  Extent shared = c->kernel->launch.dynamic_shared;
  run->dynamic_shared = shared.known ? shared.value : LOCAL_BYTES;
  for (size_t i = 0; i < c->code->parameters.count; i++)
    add_argument(c, i);
  add_blocks(c);
  set_stop(&run->stops[0], witness, 0, obligation->first);
  set_stop(&run->stops[1], witness, 1, obligation->second);
  add_contents(c);
}

// ---------------------------------------------------------------- answer ---

static const char *thread_text(Arena *arena, const uint32_t thread[3],
                               const uint32_t block[3]) {
  return arena_printf(arena, "thread (%u,%u,%u) in block (%u,%u,%u)", thread[0],
                      thread[1], thread[2], block[0], block[1], block[2]);
}

static const char *verb(AccessKind kind) {
  switch (kind) {
  case ACCESS_READ:
    return "reads";
  case ACCESS_WRITE:
    return "writes";
  case ACCESS_ATOMIC:
    return "makes";
  }
  return "";
}

// What a thread does in one order of the accesses, and with which value.
static const char *effect(const Confirmation *c, const Encounter *encounter,
                          unsigned order, unsigned which) {
  Arena *arena = &c->task->arena;
  const Actor *actor = &encounter->actors[which];
  bool same_thread = !memcmp(encounter->actors[0].thread,
                             encounter->actors[1].thread, sizeof actor->thread);
  const char *who = arena_printf(arena, "(%u,%u,%u)", actor->thread[0],
                                 actor->thread[1], actor->thread[2]);
  if (same_thread)
    who = arena_printf(arena, "%s of block (%u,%u,%u)", who, actor->block[0],
                       actor->block[1], actor->block[2]);
  return arena_printf(arena, "%s %s %llu", who,
                      verb(c->replay.run.stops[which].kind),
                      (unsigned long long)encounter->seen[order][which]);
}

static const char *order_text(const Confirmation *c, unsigned order) {
  const Encounter *encounter = &c->replay.result->encounter;
  if (!encounter->finished[order])
    return "one of the two orders does not end";
  return arena_printf(&c->task->arena, "%s, then %s",
                      effect(c, encounter, order, order),
                      effect(c, encounter, order, !order));
}

static const char *seen_text(const Confirmation *c) {
  const ReplayResult *result = c->replay.result;
  Arena *arena = &c->task->arena;
  const char *who = "both threads";
  if (result->others)
    who = arena_printf(arena, "%s and %s",
                       thread_text(arena, result->encounter.actors[0].thread,
                                   result->encounter.actors[0].block),
                       thread_text(arena, result->encounter.actors[1].thread,
                                   result->encounter.actors[1].block));
  return arena_printf(arena,
                      "executed: %s stood before their accesses at once; "
                      "either %s, or %s",
                      who, order_text(c, 0), order_text(c, 1));
}

static const char *waits_text(const Confirmation *c, const Incident *incident) {
  Arena *arena = &c->task->arena;
  const Actor *other = &incident->actors[1];
  const char *what = "elsewhere";
  const Site *sites = c->code->sites.at;
  if (other->has_exited)
    what = "not in the kernel any more";
  else if (other->site != NO_SITE && sites[other->site].kind == SITE_CALL)
    what = arena_printf(arena, "at the barrier of line %u",
                        sites[other->site].loc.line);
  return arena_printf(
      arena, "executed: %s waited at the barrier of line %u when %s was %s",
      thread_text(arena, incident->actors[0].thread, incident->actors[0].block),
      sites[incident->actors[0].site].loc.line,
      thread_text(arena, other->thread, other->block), what);
}

// What happened, of what is no race.
static const char *happened_text(const Confirmation *c) {
  Arena *arena = &c->task->arena;
  const Incident *incident = &c->replay.result->incident;
  const Actor *actor = &incident->actors[0];
  if (incident->kind == INCIDENT_DIVERGENCE && incident->count == 2)
    return waits_text(c, incident);
  const char *what = incident->kind == INCIDENT_ASSERTION
                         ? "failed the assertion"
                         : "did not come together with the others";
  if (incident->kind == INCIDENT_OUT_OF_BOUNDS)
    what = arena_printf(arena, "accessed byte %lld, and %s",
                        (long long)actor->offset, incident->text);
  return arena_printf(arena, "executed: %s %s",
                      thread_text(arena, actor->thread, actor->block), what);
}

static const char *incident_name(IncidentKind kind) {
  switch (kind) {
  case INCIDENT_RACE:
    return "another race";
  case INCIDENT_OUT_OF_BOUNDS:
    return "an access outside of all arrays";
  case INCIDENT_MISALIGNED:
    return "a misaligned access";
  case INCIDENT_DIVERGENCE:
    return "a divergent barrier";
  case INCIDENT_DEADLOCK:
    return "a deadlock";
  case INCIDENT_ENDLESS:
    return "a loop that is too long to follow";
  case INCIDENT_STACK:
    return "a stack overflow";
  case INCIDENT_ASSERTION:
    return "a failed assertion";
  case INCIDENT_TRAP:
  case INCIDENT_CRASH:
    return "a crash";
  case INCIDENT_REQUIRES:
    return "inputs that break a __requires";
  case INCIDENT_LIMIT:
    return "too much memory or time";
  case INCIDENT_REFUSED:
    return "something that cannot be executed here";
  }
  return "";
}

static const char *missed_text(const Confirmation *c) {
  const ReplayResult *result = c->replay.result;
  const Run *run = &c->replay.run;
  Arena *arena = &c->task->arena;
  const char *because = result->has_incident
                            ? arena_printf(arena, "; the execution met %s",
                                           incident_name(result->incident.kind))
                            : "; that may depend on what the arrays hold";
  if (!result->is_executed)
    return arena_printf(arena, "not executed: %s",
                        result->reason[0] ? result->reason
                                          : "the process has died");
  if (c->replay.looks != INCIDENT_RACE)
    return arena_printf(arena, "not seen when executed%s", because);
  for (unsigned i = 0; i < 2; i++)
    if (!result->reached[i])
      return arena_printf(
          arena,
          "not seen when executed: %s did not get to "
          "its access%s",
          thread_text(arena, run->stops[i].thread, run->stops[i].block),
          because);
  if (result->is_same_value)
    return "not seen when executed: both threads stood before their accesses "
           "at once, but wrote the same value, which does not count as a race; "
           "what they write may depend on what the arrays hold";
  if (result->overlapped)
    return "not seen when executed: the two threads accessed the same bytes, "
           "but one of them had to wait for the other";
  return arena_printf(arena,
                      "not seen when executed: the two threads accessed "
                      "different bytes%s",
                      because);
}

// "possible write-write race" is one that was not seen.
static void confirm_sentence(Confirmation *c) {
  static const char possible[] = "possible ";
  size_t length = sizeof possible - 1;
  const char *sentence = c->problem->sentence;
  if (!strncmp(sentence, possible, length))
    c->problem->sentence =
        arena_printf(&c->task->arena, "confirmed %s", sentence + length);
}

// What such a problem looks like when it happens; REFUSED: it does not.
static IncidentKind incident_of(ObligationKind kind) {
  switch (kind) {
  case OBLIGATION_RACE:
    return INCIDENT_RACE;
  case OBLIGATION_DIVERGENCE:
    return INCIDENT_DIVERGENCE;
  case OBLIGATION_ASSERTION:
    return INCIDENT_ASSERTION;
  case OBLIGATION_BOUNDS:
    return INCIDENT_OUT_OF_BOUNDS;
  case OBLIGATION_INVARIANT:
  case OBLIGATION_CANDIDATE:
    break;
  }
  return INCIDENT_REFUSED;
}

static const char *too_large(const Problem *problem) {
  const uint32_t *size = problem->witness.block_size;
  return (uint64_t)size[0] * size[1] * size[2] > LARGEST_BLOCK
             ? "not executed: the blocks are too large"
             : NULL;
}

static const char *answer(const Confirmation *c) {
  if (!c->problem->is_confirmed)
    return missed_text(c);
  return c->replay.looks == INCIDENT_RACE ? seen_text(c) : happened_text(c);
}

static void confirm_problem(Task *task, const Kernel *kernel, const Code *code,
                            Problem *problem, double seconds, double deadline) {
  Confirmation c = {
      .task = task, .kernel = kernel, .code = code, .problem = problem};
  problem->replay = too_large(problem);
  if (problem->replay)
    return;
  make_run(&c);
  c.replay.looks = incident_of(problem->obligation->kind);
  c.replay.result = replay_result_new();
  if (c.replay.result && has_memory(&c)) {
    c.replay.seconds =
        seconds < seconds_a_problem ? seconds : seconds_a_problem;
    c.replay.deadline = deadline;
    replay_confirm(&c.replay);
    problem->is_confirmed = c.replay.result->is_confirmed;
    problem->replay = answer(&c);
  } else {
    problem->replay = "not executed: its arrays are too large";
  }
  if (problem->is_confirmed)
    confirm_sentence(&c);
  if (c.replay.result)
    replay_result_free(c.replay.result);
  close_buffers(&c);
}

// Something that an execution can show.
static bool is_event(const Problem *problem) {
  return problem->has_witness &&
         incident_of(problem->obligation->kind) != INCIDENT_REFUSED;
}

static void confirm_all(Task *task, const Kernel *kernel, const Code *code,
                        Verdict *verdict, double deadline) {
  double until = children_seconds() + seconds_a_kernel;
  for (size_t i = 0; i < verdict->problems.count; i++) {
    Problem *problem = &verdict->problems.at[i];
    double left = until - children_seconds();
    if (!is_event(problem))
      continue;
    if (left > 0 && (deadline <= 0 || work_seconds() < deadline))
      confirm_problem(task, kernel, code, problem, left, deadline);
    else
      problem->replay = "not executed: the time for it is used up";
  }
}

static bool has_event(const Verdict *verdict) {
  for (size_t i = 0; i < verdict->problems.count; i++)
    if (is_event(&verdict->problems.at[i]))
      return true;
  return false;
}

void confirm_problems(Task *task, struct LLVMOpaqueModule *module,
                      const KernelEntry *entry, const Kernel *kernel,
                      Verdict *verdict, double deadline) {
  Survey s = {.name = entry->name};
  if (!has_event(verdict))
    return;
  s.module = kernel_copy(module, entry->name);
  if (task_run(task, survey, &s)) {
    confirm_all(task, kernel, s.code, verdict, deadline);
    llvm_drop_copy(s.module);
    return;
  }
  llvm_drop_copy(s.module);
  for (size_t i = 0; i < verdict->problems.count; i++)
    if (is_event(&verdict->problems.at[i]))
      verdict->problems.at[i].replay =
          arena_printf(&task->arena, "not executed: %s", task->reason);
}
