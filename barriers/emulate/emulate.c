// One block of a kernel, or the blocks of a cluster, executed once.
//
// Warps take turns of a few thousand instructions until all have exited or
// wait at barriers; in the second case the programs end there, and the check
// finds the deadlock.  The schedule is as good as any other, see
// memory.c.

#include "barriers/emulate/emulate.h"

#include <assert.h>
#include <string.h>

enum { DEFAULT_STEPS = 1 << 24 };

// ------------------------------------------------------------- reporting ---

// What tells is where a function of one line is called.
Loc place_loc(const PtxInstruction *instruction) {
  const SourceLocs *of = instruction->source;
  if (of && of->caller.line)
    return of->caller;
  return of && of->source.line ? of->source : instruction->ptx;
}

const char *loc_text(Emulation *emulation, Loc loc) {
  const char *slash = strrchr(loc.file, '/');
  return arena_printf(&emulation->task->arena, "%s:%u",
                      slash ? slash + 1 : loc.file, loc.line);
}

const char *inlined_text(Emulation *emulation,
                         const PtxInstruction *instruction) {
  const SourceLocs *of = instruction->source;
  bool is_inlined = of && of->caller.line && of->source.line;
  if (!is_inlined || (of->source.line == of->caller.line &&
                      !strcmp(of->source.file, of->caller.file)))
    return "";
  return arena_printf(&emulation->task->arena, " %s",
                      loc_text(emulation, of->source));
}

const char *place_text(Emulation *emulation,
                       const PtxInstruction *instruction) {
  const char *where = loc_text(emulation, place_loc(instruction)),
             *inside = inlined_text(emulation, instruction);
  return *inside ? arena_printf(&emulation->task->arena, "%s (%s)", where,
                                &inside[1])
                 : where;
}

// Without the name of the kernel in front, as compilers name them.
static const char *short_name(const char *name, const char *kernel) {
  size_t length = strlen(kernel);
  bool has_kernel = !strncmp(name, kernel, length) &&
                    !strncmp(&name[length], "_param_", strlen("_param_"));
  return has_kernel ? &name[length + 1] : name;
}

static bool is_of_kernel(const Emulation *emulation,
                         const PtxInstruction *instruction) {
  const PtxFunction *kernel = emulation->kernel;
  return kernel->code.count &&
         instruction->number >= kernel->code.at[0]->number &&
         instruction->number <= kernel->code.at[kernel->code.count - 1]->number;
}

// "param_0+8"
static const char *parameter_name(Emulation *emulation,
                                  const PtxInstruction *load) {
  const PtxFunction *kernel = emulation->kernel;
  AddressOrigin origin = {0};
  if (is_of_kernel(emulation, load) && load->count > 1)
    origin =
        origin_of(emulation->slice.codes[kernel->number], &load->operands[1]);
  if (!origin.argument || origin.is_loaded)
    return "a parameter";
  const char *name = short_name(origin.argument->name, kernel->name);
  return origin.offset ? arena_printf(&emulation->task->arena, "%s+%llu", name,
                                      (unsigned long long)origin.offset)
                       : name;
}

static const char *special_name(const PtxInstruction *move) {
  for (unsigned i = 0; i < move->count; i++)
    if (move->operands[i].kind == OPERAND_SPECIAL)
      return ptx_special_text(move->operands[i].index);
  return NULL;
}

static const char *loaded_cause(Emulation *emulation,
                                const PtxInstruction *load, const char *where) {
  Arena *arena = &emulation->task->arena;
  if (load->space == SPACE_PARAM)
    return arena_printf(arena, "the argument %s (see --kernel-args)",
                        parameter_name(emulation, load));
  return arena_printf(
      arena, "%s loaded at %s",
      load->space == SPACE_LOCAL ? "what local memory holds," : "data", where);
}

const char *value_cause(Emulation *emulation, const WarpValue *value) {
  Arena *arena = &emulation->task->arena;
  const PtxInstruction *cause = value->cause;
  if (!cause)
    return "a register that was not written";
  const char *where = place_text(emulation, cause),
             *special = special_name(cause);
  if (special)
    return arena_printf(arena, "%s, read at %s", special, where);
  OpcodeKind kind = cause->opcode->kind;
  if (kind == OPCODE_LOAD)
    return loaded_cause(emulation, cause, where);
  if (kind == OPCODE_ATOMIC)
    return arena_printf(arena, "what an atomic returns at %s", where);
  if (kind == OPCODE_CALL)
    return arena_printf(arena, "what a call returns at %s", where);
  if (is_of_family(cause, FAMILY_WAIT))
    return arena_printf(arena, "what a non-blocking wait says at %s", where);
  if (kind == OPCODE_ACTIVE_MASK)
    return arena_printf(
        arena, "which lanes are together at %s (see --warp-sync)", where);
  return arena_printf(arena, "what '%s' computes at %s", cause->opcode->name,
                      where);
}

// -------------------------------------------------------------- commands ---

const char *instruction_text(Emulation *emulation,
                             const PtxInstruction *instruction) {
  char *text =
      arena_alloc(&emulation->task->arena, instruction->text_length + 1);
  size_t length = 0;
  for (unsigned i = 0; i < instruction->text_length; i++) {
    char c = instruction->text[i];
    bool is_space = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!is_space)
      text[length++] = c;
    else if (length && text[length - 1] != ' ')
      text[length++] = ' ';
  }
  return text;
}

static uint32_t place_of(Emulation *emulation,
                         const PtxInstruction *instruction) {
  uint32_t *known = &emulation->place_of[instruction->number];
  if (!*known) {
    const char *text = instruction_text(emulation, instruction);
    Place place = {.ptx = instruction->ptx,
                   .text = arena_copy(emulation->arena, text),
                   .number = instruction->number};
    if (instruction->source) {
      place.source = instruction->source->source;
      place.caller = instruction->source->caller;
    }
    push_moving(emulation->arena, &emulation->programs->places, place);
    *known = (uint32_t)emulation->programs->places.count;
  }
  return *known - 1;
}

void add_command(Emulation *emulation, unsigned warp, Command command,
                 const PtxInstruction *instruction) {
  assert(warp < emulation->warp_count && command.lanes);
  if (emulation->warps[warp].reader)
    wgmma_flush(emulation, &emulation->warps[warp]);
  command.place = place_of(emulation, instruction);
  push_moving(emulation->arena, &emulation->programs->warps[warp], command);
  emulation->warps[warp].syncs += command.kind == COMMAND_SYNC;
  emulation->warps[warp].lane_syncs += command.kind == COMMAND_WARP_SYNC;
}

bool has_enough_of(const Emulation *emulation, const Warp *warp) {
  const EmulationOptions *options = emulation->options;
  return options->enough && options->passes_once &&
         !emulation->slice.keeps_values &&
         emulation->programs->warps[warp->index].count >=
             options->enough[warp->index];
}

// ---------------------------------------------------------------- set up ---

static unsigned block_threads(Emulation *emulation) {
  const uint32_t *size = emulation->options->block_size;
  const uint32_t most = BLOCK_WARPS * WARP;
  uint64_t threads = 1;
  for (unsigned i = 0; i < 3; i++)
    threads = size[i] <= most ? threads * size[i] : 0;
  if (threads == 0 || threads > most)
    unsupported(emulation->task, emulation->kernel->loc,
                "a block of %u x %u x %u threads", size[0], size[1], size[2]);
  return (unsigned)threads;
}

static void set_thread_ids(Emulation *emulation, Warp *warp) {
  const uint32_t *size = emulation->options->block_size;
  for (unsigned lane = 0; lane < WARP; lane++) {
    uint32_t thread = warp->index % emulation->block_warps * WARP + lane;
    warp->thread_lanes[0][lane] = thread % size[0];
    warp->thread_lanes[1][lane] = thread / size[0] % size[1];
    warp->thread_lanes[2][lane] = thread / size[0] / size[1];
  }
  for (unsigned axis = 0; axis < 3; axis++)
    warp->thread_id[axis] =
        value_lanes(32, warp->alive, warp->thread_lanes[axis]);
}

static void set_lane_masks(Emulation *emulation) {
  for (unsigned lane = 0; lane < WARP; lane++) {
    uint32_t own = UINT32_C(1) << lane, below = own - 1;
    const uint32_t masks[] = {own, below | own, below, ~below, ~(below | own)};
    for (unsigned i = 0; i < 5; i++)
      emulation->mask_lanes[i][lane] = masks[i];
  }
  for (unsigned i = 0; i < 5; i++)
    emulation->lane_masks[i] =
        value_lanes(32, UINT32_MAX, emulation->mask_lanes[i]);
}

static void set_arguments(Emulation *emulation, const Warp *warp,
                          const Frame *frame) {
  const PtxVariables *params = &emulation->kernel->params;
  for (size_t i = 0; i < params->count; i++) {
    const PtxCell *cell = params->at[i]->cells;
    for (; cell; cell = cell->next) {
      WarpValue value =
          argument_value(emulation, params->at[i], cell->offset, cell->bytes);
      Operand target = {.kind = OPERAND_REGISTER, .index = cell->reg};
      write_operand(emulation, warp, frame, &target, &value, UINT32_MAX);
      symbols_of_argument(emulation, frame, params->at[i], cell);
    }
  }
}

static void set_up_warp(Emulation *emulation, unsigned index) {
  Warp *warp = &emulation->warps[index];
  warp->index = index;
  warp->block = index / emulation->block_warps;
  warp->alive = warp_lanes(emulation->programs, index);
  set_thread_ids(emulation, warp);
  const Slice *slice = &emulation->slice;
  CodeSlice *code = slice->basic && has_enough_of(emulation, warp)
                        ? slice->basic
                        : slice->codes[emulation->kernel->number];
  LaneGroup group = {.lanes = warp->alive, .frame = new_frame(emulation, code)};
  set_arguments(emulation, warp, group.frame);
  warp->groups[0] = group;
  warp->group_count = 1;
}

static void find_followed(Emulation *emulation, size_t instructions) {
  const EmulationOptions *options = emulation->options;
  if (!options->store_count)
    return;
  emulation->is_followed = arena_alloc(&emulation->task->arena, instructions);
  for (size_t i = 0; i < options->store_count; i++)
    emulation->is_followed[options->stores[i]] = true;
}

// SOUND(no-trap)
static void note_traps(Emulation *emulation) {
  CodeSlice **codes = emulation->slice.codes;
  size_t count = emulation->kernel->ptx->functions.count;
  for (size_t i = 0; i < count; i++)
    emulation->programs->skips_traps |= codes[i] && codes[i]->flow->skips_traps;
}

static void set_up(Emulation *emulation) {
  Arena *arena = &emulation->task->arena;
  const Ptx *ptx = emulation->kernel->ptx;
  Programs *programs = emulation->programs;
  if (ptx->address_bits != 64)
    unsupported(emulation->task, emulation->kernel->loc, "addresses of %u bits",
                ptx->address_bits);
  programs->kernel = emulation->kernel->name;
  programs->threads = block_threads(emulation);
  programs->lock_step = emulation->options->lock_step;
  programs->needs_one_race = emulation->options->has_large_tensors;
  programs->registers = emulation->options->registers
                            ? emulation->options->registers
                            : emulation->kernel->registers_most;
  emulation->block_warps = programs_block_warps(programs);
  emulation->most_steps = emulation->options->most_steps
                              ? emulation->options->most_steps
                              : DEFAULT_STEPS;
  size_t count = ptx->instruction_count + 1u;
  emulation->place_of = arena_alloc(arena, count * sizeof(uint32_t));
  find_followed(emulation, count);
  const EmulationOptions *options = emulation->options;
  emulation->slice =
      options->follows_symbols
          ? slice_closely(emulation->task, emulation->kernel,
                          emulation->is_followed, options->passes_once)
          : slice_kernel(emulation->task, emulation->kernel);
  note_traps(emulation);
  cluster_set_up(emulation);
  cluster_barrier_set_up(emulation);
  emulation->warp_count = programs_warps(programs);
  memory_lay_out(emulation);
  symbols_set_up(emulation);
  set_lane_masks(emulation);
  emulation->warps = arena_alloc(arena, emulation->warp_count * sizeof(Warp));
  for (unsigned i = 0; i < emulation->warp_count; i++)
    set_up_warp(emulation, i);
}

// -------------------------------------------------------------- schedule ---

static const PtxInstruction *at_of(const Warp *warp) {
  const LaneGroup *group = &warp->groups[0];
  const PtxFunction *function = group->frame->code->function;
  return group->at < function->code.count ? function->code.at[group->at] : NULL;
}

// A block that nobody said has others may have all their work to do.
static void check_limits(const Emulation *emulation, const Warp *warp) {
  Task *task = emulation->task;
  const uint32_t *grid = emulation->options->grid_size;
  const PtxInstruction *at = at_of(warp);
  Loc where = at ? place_loc(at) : emulation->kernel->loc;
  if (task->memory && task_bytes(task) > task->memory && grid[0] == 1)
    unsupported(task, where,
                "the memory budget is used up (see --memory) by a block that "
                "does the work of the whole grid (see --gridDim)");
  task_check_time(task, where);
}

static bool run_turn(Emulation *emulation) {
  bool moved = false;
  for (unsigned i = 0; i < emulation->warp_count; i++) {
    Warp *warp = &emulation->warps[i];
    if (!warp->group_count || warp->is_blocked || warp->is_parked)
      continue;
    check_limits(emulation, warp);
    warp_run(emulation, warp, QUANTUM);
    moved = true;
  }
  return moved;
}

static bool has_enough(const Emulation *emulation) {
  const uint32_t *enough = emulation->options->enough;
  for (unsigned i = 0; enough && i < emulation->warp_count; i++)
    if (emulation->programs->warps[i].count < enough[i])
      return false;
  return enough != NULL;
}

// What is executed, and where its programs go.
typedef struct Request {
  const PtxFunction *kernel;
  const EmulationOptions *options;
  bool goes_beyond; // waits that are never over
  Arena *arena;
  Programs *programs;
} Request;

static bool is_stuck(const Emulation *emulation) {
  for (unsigned i = 0; i < emulation->warp_count; i++)
    if (emulation->warps[i].alive)
      return true;
  return false;
}

// Everybody gets what he waits for.  False: nobody does.
static bool let_all_go(Emulation *emulation) {
  bool named = barrier_let_all_go(emulation);
  bool phases = mbarrier_let_all_go(emulation);
  return cluster_end(emulation) || named || phases;
}

static void run(Emulation *emulation, bool goes_beyond) {
  while (run_turn(emulation) || tensors_come(emulation) ||
         (goes_beyond && let_all_go(emulation)))
    if (has_enough(emulation))
      return;
  emulation->programs->is_stuck = is_stuck(emulation);
  tensors_end(emulation);
  mbarrier_end(emulation);
  cluster_end(emulation);
  wgmma_end(emulation);
}

static void emulate(Task *task, void *data) {
  const Request *request = data;
  Emulation *emulation = NEW(&task->arena, Emulation);
  *emulation = (Emulation){.task = task,
                           .arena = request->arena,
                           .kernel = request->kernel,
                           .options = request->options,
                           .programs = request->programs,
                           .guessing = NEW(&task->arena, Guessing)};
  set_up(emulation);
  run(emulation, request->goes_beyond);
}

Programs *ptx_emulate(Task *task, const PtxKernel *kernel,
                      const EmulationOptions *options) {
  Request request = {kernel->function, options, false, &task->arena,
                     NEW(&task->arena, Programs)};
  task_stage(task, emulate, &request);
  return request.programs;
}

void ptx_look_beyond(Task *task, const PtxKernel *kernel,
                     const EmulationOptions *options, Programs *programs) {
  Task inner = {
      .outer = task, .deadline = task->deadline, .memory = task->memory};
  Request request = {kernel->function, options, true, &task->arena,
                     NEW(&task->arena, Programs)};
  task_run(&inner, emulate, &request);
  arena_free(&inner.arena);
  programs->beyond = request.programs;
}
