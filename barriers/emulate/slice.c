// What of a kernel has to be executed: a backward slice.
//
// Accesses to shared memory, barriers, and whatever is not modelled are
// relevant.  So is each instruction that computes an operand of a relevant
// one, and each branch that decides whether a relevant one is executed, see
// graph.c.  Calls join the functions: parameters are registers, see
// PtxCell, and a call is relevant if anything in the function is.
//
// A branch that is not relevant goes to its immediate post-dominator, so that
// `if (i < n) out[i] = x;` asks nobody for n.  One assumption comes with this:
// a loop without anything relevant in it ends (SOUND(loops-end)).

#include "barriers/emulate/emulate.h"

#include <assert.h>
#include <string.h>

// A function while it is being sliced.
typedef struct Part {
  CodeSlice *code;
  Flow *flow;
  Indices *writers; // by register: instructions
  bool *is_needed;  // by register
  Indices calls;    // who calls it: pairs of function and instruction
} Part;

typedef struct Work {
  uint32_t function, instruction;
} Work;

typedef struct Slicer {
  Task *task;
  const Ptx *ptx;
  Part *parts; // by function; code is NULL if the kernel does not call it
  Vec(uint32_t) functions;
  Vec(Work) work;
  bool keeps_values, follows_symbols;
  bool passes_once; // values, through shared memory
} Slicer;

// ---------------------------------------------------------- instructions ---

bool is_integer(const PtxInstruction *instruction) {
  PtxType type = instruction->type;
  bool may_be_float = instruction->opcode->function == integer_selp ||
                      instruction->opcode->function == integer_slct ||
                      instruction->opcode->function == integer_set;
  if (type.bits == 0 || type.bits > 64 || type.class == 'x')
    return false;
  if (instruction->is_wide && type.bits > 32)
    return false;
  if (instruction->opcode->function == integer_cvt &&
      (instruction->second.class == 'f' || instruction->second.class == 'x' ||
       instruction->second.bits == 0 || instruction->second.bits > 64))
    return false;
  return type.class != 'f' || may_be_float;
}

static unsigned operand_bytes(const PtxInstruction *instruction,
                              const Operand *operand) {
  return operand_count(operand) * (instruction->type.bits / 8);
}

// Of an access to memory.
unsigned access_bytes(const PtxInstruction *instruction) {
  OpcodeKind kind = instruction->opcode->kind;
  if (kind == OPCODE_LOAD)
    return operand_bytes(instruction, &instruction->operands[0]);
  if (kind == OPCODE_STORE)
    return operand_bytes(instruction, &instruction->operands[1]);
  if (kind == OPCODE_COPY)
    return (unsigned)instruction->operands[2].number;
  assert(kind == OPCODE_ATOMIC);
  return operand_bytes(
      instruction, &instruction->operands[has_destination(instruction) + 1]);
}

uint32_t cell_at(const PtxVariable *variable, uint64_t offset, unsigned bits) {
  for (const PtxCell *cell = variable->cells; cell; cell = cell->next)
    if (cell->offset == offset && 8 * cell->bytes == bits)
      return cell->reg;
  return NO_REGISTER;
}

bool is_shared_access(const PtxInstruction *instruction) {
  return is_of_family(instruction, FAMILY_ACCESS) &&
         (instruction->space == SPACE_SHARED ||
          instruction->space == SPACE_GENERIC);
}

static bool is_call_of_nobody(const PtxInstruction *instruction) {
  const PtxFunction *function = call_parts(instruction).function;
  return !function ||
         (!function->has_body && library_function(function) == OPCODE_CALL);
}

// Relevant whatever the others do.
static bool is_seed(const PtxInstruction *instruction, bool is_kernel) {
  if (!instruction->opcode)
    return true;
  if (instruction->opcode->kind == OPCODE_IGNORED)
    return false;
  if (instruction->strange)
    return true;
  switch (opcode_facts(instruction->opcode->kind)->seed) {
  case SEED_NEVER:
    return false;
  case SEED_ALWAYS:
    return true;
  case SEED_SHARED:
    return is_shared_access(instruction);
  case SEED_NOT_GLOBAL:
    return instruction->space != SPACE_GLOBAL;
  case SEED_SYNC:
    return instruction->is_sync;
  case SEED_CALLED:
    return !is_kernel;
  case SEED_UNKNOWN:
    return is_call_of_nobody(instruction);
  }
  return true;
}

// ----------------------------------------------------------------- parts ---

static void note_writers(Slicer *slicer, Part *part) {
  const PtxFunction *function = part->code->function;
  for (uint32_t i = 0; i < function->code.count; i++) {
    const PtxInstruction *instruction = function->code.at[i];
    for (unsigned k = 0; k < instruction->write_count; k++)
      push(&slicer->task->arena, &part->writers[instruction->writes[k]], i);
  }
}

static void find_single_writers(Part *part) {
  for (uint32_t r = 0; r < part->code->function->registers.count; r++)
    part->code->writer[r] =
        part->writers[r].count == 1 ? part->writers[r].at[0] : NO_REGISTER;
}

static void add_part(Slicer *slicer, const PtxFunction *function) {
  Arena *arena = &slicer->task->arena;
  Part *part = &slicer->parts[function->number];
  if (part->code)
    return;
  size_t registers = function->registers.count, count = function->code.count;
  part->code = NEW(arena, CodeSlice);
  part->code->function = function;
  part->code->is_relevant = arena_alloc(arena, count + 1);
  part->code->next = arena_alloc(arena, (count + 1) * sizeof(uint32_t));
  part->code->slot = arena_alloc(arena, (registers + 1) * sizeof(uint32_t));
  part->code->writer = arena_alloc(arena, (registers + 1) * sizeof(uint32_t));
  part->writers = arena_alloc(arena, (registers + 1) * sizeof(Indices));
  part->is_needed = arena_alloc(arena, registers + 1);
  push(arena, &slicer->functions, function->number);
  part->flow = flow_of(slicer->task, function);
  part->code->flow = part->flow;
  note_writers(slicer, part);
  find_single_writers(part);
}

static void add_callees(Slicer *slicer, uint32_t caller) {
  const PtxFunction *function = slicer->ptx->functions.at[caller];
  for (uint32_t i = 0; i < function->code.count; i++) {
    const PtxInstruction *instruction = function->code.at[i];
    if (!instruction->opcode || instruction->opcode->kind != OPCODE_CALL)
      continue;
    const PtxFunction *callee = call_parts(instruction).function;
    if (!callee || !callee->has_body)
      continue;
    add_part(slicer, callee);
    Part *part = &slicer->parts[callee->number];
    push(&slicer->task->arena, &part->calls, caller);
    push(&slicer->task->arena, &part->calls, i);
  }
}

// ------------------------------------------------------------- relevance ---

static void mark(Slicer *slicer, uint32_t function, uint32_t instruction) {
  Part *part = &slicer->parts[function];
  if (part->code->is_relevant[instruction])
    return;
  part->code->is_relevant[instruction] = true;
  Work work = {function, instruction};
  push(&slicer->task->arena, &slicer->work, work);
}

static void need(Slicer *slicer, uint32_t function, uint32_t reg);

static void need_value(Slicer *slicer, uint32_t function,
                       const Operand *operand) {
  for (unsigned i = 0; i < operand_count(operand); i++)
    if (operand_item(operand, i)->kind == OPERAND_REGISTER)
      need(slicer, function, operand_item(operand, i)->index);
}

bool is_store_to_shared(const PtxInstruction *instruction) {
  return instruction->opcode && instruction->opcode->kind == OPCODE_STORE &&
         !instruction->strange && is_shared_access(instruction);
}

// What these instructions store, or all, if they store to shared memory.
static void need_stored(Slicer *slicer, const bool *which) {
  for (size_t f = 0; f < slicer->functions.count; f++) {
    uint32_t number = slicer->functions.at[f];
    const PtxFunction *function = slicer->ptx->functions.at[number];
    for (size_t i = 0; i < function->code.count; i++)
      if (is_store_to_shared(function->code.at[i]) &&
          (!which || which[function->code.at[i]->number]))
        need_value(slicer, number, &function->code.at[i]->operands[1]);
  }
}

// From now on, it matters what is stored.
static void keep_values(Slicer *slicer) {
  if (slicer->keeps_values)
    return;
  slicer->keeps_values = true;
  need_stored(slicer, NULL);
}

static bool reads_table(const Slicer *slicer, uint32_t function,
                        const PtxInstruction *load) {
  return ptx_reads_table(slicer->ptx->functions.at[function], load);
}

static void need_loaded(Slicer *slicer, uint32_t function,
                        const PtxInstruction *load) {
  if (is_shared_access(load) && !slicer->passes_once)
    keep_values(slicer);
  if (load->cells)
    for (unsigned i = 0; i < operand_count(&load->operands[0]); i++)
      need(slicer, function, load->cells[i]);
}

static bool is_computed(const Slicer *slicer, uint32_t function,
                        const PtxInstruction *instruction) {
  switch (opcode_facts(instruction->opcode->kind)->result) {
  case RESULT_NOTHING:
    return false;
  case RESULT_OPERANDS:
    return true;
  case RESULT_INTEGER:
    return is_integer(instruction) || slicer->follows_symbols;
  case RESULT_SYMBOL:
    return slicer->follows_symbols;
  case RESULT_LOADED:
    return instruction->space == SPACE_CONST ||
           instruction->space == SPACE_PARAM || slicer->follows_symbols ||
           reads_table(slicer, function, instruction);
  }
  return true;
}

// What the result is computed from, if it is computed at all.
static void need_sources(Slicer *slicer, uint32_t function,
                         const PtxInstruction *instruction) {
  if (instruction->strange)
    return;
  if (instruction->opcode->kind == OPCODE_LOAD)
    need_loaded(slicer, function, instruction);
  if (instruction->opcode->kind == OPCODE_MATRIX_LOAD &&
      slicer->follows_symbols && !slicer->passes_once)
    keep_values(slicer);
  if (!is_computed(slicer, function, instruction))
    return;
  for (unsigned i = 1; i < instruction->count; i++)
    need_value(slicer, function, &instruction->operands[i]);
}

// Some cell of the parameter of a function is needed: so it is where it is
// called.
static void need_argument(Slicer *slicer, uint32_t callee,
                          const PtxVariable *parameter, uint64_t offset,
                          unsigned bits) {
  const Part *part = &slicer->parts[callee];
  for (size_t i = 0; i < part->calls.count; i += 2) {
    uint32_t caller = part->calls.at[i];
    const PtxFunction *function = slicer->ptx->functions.at[caller];
    CallParts call = call_parts(function->code.at[part->calls.at[i + 1]]);
    if (!call.arguments || parameter->parameter >= call.arguments->count)
      continue;
    const Operand *argument = &call.arguments->items[parameter->parameter];
    uint32_t reg = argument->kind == OPERAND_REGISTER ? argument->index
                   : argument->kind == OPERAND_VARIABLE
                       ? cell_at(argument->variable, offset, bits)
                       : NO_REGISTER;
    if (reg != NO_REGISTER)
      need(slicer, caller, reg);
  }
}

static bool is_among(const PtxVariables *variables,
                     const PtxVariable *variable) {
  return variable->parameter < variables->count &&
         variables->at[variable->parameter] == variable;
}

// A call is what writes this register, or this cell of a parameter.
static void need_result(Slicer *slicer, uint32_t caller, uint32_t instruction,
                        uint32_t reg) {
  const PtxFunction *function = slicer->ptx->functions.at[caller];
  CallParts call = call_parts(function->code.at[instruction]);
  if (!call.function || !call.function->has_body || !call.results)
    return;
  const PtxRegister *wanted = &function->registers.at[reg];
  for (unsigned i = 0; i < call.results->count; i++) {
    const Operand *result = &call.results->items[i];
    bool is_it = result->kind == OPERAND_VARIABLE
                     ? wanted->is_cell && result->variable == wanted->cell->of
                     : result->kind == OPERAND_REGISTER && result->index == reg;
    if (!is_it || i >= call.function->results.count)
      continue;
    uint32_t cell =
        cell_at(call.function->results.at[i],
                wanted->is_cell ? wanted->cell->offset : 0, wanted->bits);
    if (cell != NO_REGISTER)
      need(slicer, call.function->number, cell);
  }
}

static void need(Slicer *slicer, uint32_t function, uint32_t reg) {
  Part *part = &slicer->parts[function];
  if (part->is_needed[reg])
    return;
  part->is_needed[reg] = true;
  Work work = {function, UINT32_MAX - reg};
  push(&slicer->task->arena, &slicer->work, work);
}

// Where the opcode is in no table, execution ends.
static void follow_writer(Slicer *slicer, uint32_t function, uint32_t writer,
                          uint32_t reg) {
  const PtxInstruction *instruction =
      slicer->parts[function].code->function->code.at[writer];
  mark(slicer, function, writer);
  if (!instruction->opcode)
    return;
  if (instruction->opcode->kind == OPCODE_STORE)
    need_value(slicer, function, &instruction->operands[1]);
  else if (instruction->opcode->kind == OPCODE_CALL)
    need_result(slicer, function, writer, reg);
  else
    need_sources(slicer, function, instruction);
}

static void follow_register(Slicer *slicer, uint32_t function, uint32_t reg) {
  const Part *part = &slicer->parts[function];
  const PtxFunction *of = part->code->function;
  const PtxRegister *wanted = &of->registers.at[reg];
  for (size_t i = 0; i < part->writers[reg].count; i++)
    follow_writer(slicer, function, part->writers[reg].at[i], reg);
  if (wanted->is_cell && is_among(&of->params, wanted->cell->of))
    need_argument(slicer, function, wanted->cell->of, wanted->cell->offset,
                  wanted->bits);
}

// Some operands of an instruction, up to `end`.
typedef struct Range {
  unsigned first, end;
} Range;

// What an instruction needs to have its effect.
static Range operands_needed(const Slicer *slicer,
                             const PtxInstruction *instruction) {
  unsigned to = has_destination(instruction), count = instruction->count;
  switch (opcode_facts(instruction->opcode->kind)->needs) {
  case NEEDS_NOTHING:
    return (Range){0, 0};
  case NEEDS_ALL:
    return (Range){to, count};
  case NEEDS_NOT_LAST:
    return (Range){to, count - 1};
  case NEEDS_ADDRESS:
    return (Range){to, to + 1};
  case NEEDS_STORED:
    return (Range){0, slicer->keeps_values ? 2 : 1};
  case NEEDS_SECOND:
    return (Range){1, 2};
  case NEEDS_MIDDLE:
    return (Range){1, 3};
  case NEEDS_THREE:
    return (Range){0, instruction->is_multicast ? count : 3};
  case NEEDS_FOUR:
    return (Range){0, instruction->is_multicast ? count : 4};
  case NEEDS_MASK:
    return instruction->is_sync ? (Range){count - 1, count} : (Range){0, 0};
  case NEEDS_MATRICES: // the descriptors; a may be in registers
    return (Range){instruction->operands[1].kind == OPERAND_LIST ? 2 : 1, 3};
  }
  return (Range){to, count};
}

static void need_operands(Slicer *slicer, uint32_t function,
                          const PtxInstruction *instruction) {
  Range range = operands_needed(slicer, instruction);
  assert(range.end <= instruction->count);
  for (unsigned i = range.first; i < range.end; i++)
    need_value(slicer, function, &instruction->operands[i]);
  if (instruction->opcode->kind == OPCODE_WMMA_STORE && instruction->count > 2)
    need_value(slicer, function, &instruction->operands[2]);
}

static bool needs_operands(const PtxInstruction *instruction) {
  return instruction->opcode && !instruction->strange &&
         (is_seed(instruction, true) || flow_branches(instruction));
}

static void follow_instruction(Slicer *slicer, uint32_t function, uint32_t at) {
  const Part *part = &slicer->parts[function];
  const PtxInstruction *instruction = part->code->function->code.at[at];
  if (instruction->guard != NO_REGISTER)
    need(slicer, function, instruction->guard);
  if (needs_operands(instruction))
    need_operands(slicer, function, instruction);
  const FlowNode *block = &part->flow->blocks[part->flow->block_of[at]];
  for (size_t i = 0; i < block->controls.count; i++)
    mark(slicer, function, part->flow->blocks[block->controls.at[i]].end - 1);
  for (size_t i = 0; i < part->calls.count; i += 2)
    mark(slicer, part->calls.at[i], part->calls.at[i + 1]);
}

static void follow(Slicer *slicer) {
  for (uint64_t count = 0; slicer->work.count; count++) {
    Work work = slicer->work.at[--slicer->work.count];
    const PtxFunction *function = slicer->ptx->functions.at[work.function];
    if (count % 1024 == 0)
      task_check_time(slicer->task, function->loc);
    if (work.instruction < function->code.count)
      follow_instruction(slicer, work.function, work.instruction);
    else
      follow_register(slicer, work.function, UINT32_MAX - work.instruction);
  }
}

// ---------------------------------------------------------------- result ---

static void mark_seeds(Slicer *slicer, const PtxFunction *kernel) {
  for (size_t f = 0; f < slicer->functions.count; f++) {
    uint32_t number = slicer->functions.at[f];
    const PtxFunction *function = slicer->ptx->functions.at[number];
    for (uint32_t i = 0; i < function->code.count; i++)
      if (is_seed(function->code.at[i], function == kernel))
        mark(slicer, number, i);
  }
}

static uint32_t next_of(const Part *part, uint32_t at) {
  const FlowNode *block = &part->flow->blocks[part->flow->block_of[at]];
  const PtxInstruction *instruction = part->code->function->code.at[at];
  if (!flow_ends(instruction))
    return at + 1;
  // An endless loop has no way to the exit but the one that we made up.
  if (instruction->opcode->kind == OPCODE_BRANCH &&
      instruction->guard == NO_REGISTER &&
      instruction->operands[0].kind == OPERAND_LABEL)
    return instruction->operands[0].index;
  return part->flow->blocks[block->post_dominator].first;
}

// From an instruction that is not relevant, on to one that is; an endless loop
// stays what it is.
static void skip(Slicer *slicer, const Part *part, const bool *is_relevant,
                 uint32_t *next) {
  uint32_t count = (uint32_t)part->code->function->code.count;
  uint32_t *walk =
      arena_alloc(&slicer->task->arena, (count + 1) * sizeof *walk);
  for (uint32_t i = 0; i < count; i++)
    next[i] = next_of(part, i);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t at = i;
    while (at < count && !is_relevant[at] && walk[at] == 0) {
      walk[at] = i + 1;
      at = next[at];
    }
    bool is_cycle = at < count && walk[at] == i + 1;
    for (uint32_t k = i; !is_cycle && k < count && walk[k] == i + 1;) {
      uint32_t behind = next[k];
      next[k] = at < count && walk[at] ? next[at] : at;
      k = behind;
    }
  }
}

static bool has_waits(const PtxFunction *function) {
  for (size_t i = 0; i < function->code.count; i++)
    if (is_of_family(function->code.at[i], FAMILY_WAIT))
      return true;
  return false;
}

// A return that is not relevant is the way to the end; one with a guard is a
// branch.
static void finish(Slicer *slicer, Part *part) {
  CodeSlice *code = part->code;
  for (uint32_t r = 0; r < code->function->registers.count; r++)
    code->slot[r] = part->is_needed[r] ? code->slot_count++ : NO_REGISTER;
  if (has_waits(code->function))
    find_live(slicer->task, code);
  skip(slicer, part, code->is_relevant, code->next);
}

static Slicer new_slicer(Task *task, const PtxFunction *kernel) {
  Slicer slicer = {.task = task, .ptx = kernel->ptx};
  size_t count = slicer.ptx->functions.count;
  slicer.parts = arena_alloc(&task->arena, count * sizeof *slicer.parts);
  add_part(&slicer, kernel);
  for (size_t i = 0; i < slicer.functions.count; i++)
    add_callees(&slicer, slicer.functions.at[i]);
  mark_seeds(&slicer, kernel);
  return slicer;
}

static Slice finish_all(Slicer *slicer) {
  Slice slice = {.keeps_values = slicer->keeps_values};
  size_t count = slicer->ptx->functions.count;
  slice.codes = arena_alloc(&slicer->task->arena, count * sizeof *slice.codes);
  for (size_t i = 0; i < slicer->functions.count; i++) {
    uint32_t number = slicer->functions.at[i];
    finish(slicer, &slicer->parts[number]);
    slice.codes[number] = slicer->parts[number].code;
  }
  return slice;
}

Slice slice_kernel(Task *task, const PtxFunction *kernel) {
  Slicer slicer = new_slicer(task, kernel);
  follow(&slicer);
  return finish_all(&slicer);
}

// ------------------------------------------------------------ the basis ---

static bool is_butterfly(const PtxInstruction *instruction) {
  return instruction->opcode && instruction->opcode->kind == OPCODE_SHUFFLE &&
         instruction->mode == CHOICE_BUTTERFLY;
}

static bool find_one(const Slicer *slicer, bool (*is)(const PtxInstruction *)) {
  for (size_t f = 0; f < slicer->functions.count; f++) {
    const PtxFunction *function =
        slicer->ptx->functions.at[slicer->functions.at[f]];
    for (size_t i = 0; i < function->code.count; i++)
      if (is(function->code.at[i]))
        return true;
  }
  return false;
}

// Does each of these store what came from shared memory?
static bool are_loaded(const Slicer *slicer, const bool *is_followed,
                       const bool *passes) {
  for (uint32_t i = 0; i < slicer->ptx->instruction_count; i++)
    if (is_followed[i] && passes[i])
      return false;
  return true;
}

static Basis *new_basis(Slicer *slicer, const Part *part) {
  const PtxFunction *function = part->code->function;
  size_t count = function->code.count, registers = function->registers.count;
  Arena *arena = &slicer->task->arena;
  Basis *basis = NEW(arena, Basis);
  basis->is_relevant = arena_alloc(arena, count + 1);
  basis->next = arena_alloc(arena, (count + 1) * sizeof(uint32_t));
  basis->is_needed = arena_alloc(arena, registers + 1);
  memcpy(basis->is_relevant, part->code->is_relevant, count);
  memcpy(basis->is_needed, part->is_needed, registers);
  skip(slicer, part, basis->is_relevant, basis->next);
  return basis;
}

// What is relevant so far is what warps have to execute that are not asked for
// what they store.  Where there are waits, more depends on what is executed.
static void lay_basis(Slicer *slicer) {
  for (size_t i = 0; i < slicer->functions.count; i++)
    if (has_waits(slicer->parts[slicer->functions.at[i]].code->function))
      return;
  for (size_t i = 0; i < slicer->functions.count; i++) {
    Part *part = &slicer->parts[slicer->functions.at[i]];
    part->code->basis = new_basis(slicer, part);
  }
}

// For a warp that nobody asks from the start.
static CodeSlice *new_basic(const Slicer *slicer, const CodeSlice *code) {
  const Basis *basis = code->basis;
  size_t registers = code->function->registers.count;
  if (!basis)
    return NULL;
  CodeSlice *basic = NEW(&slicer->task->arena, CodeSlice);
  *basic = (CodeSlice){.function = code->function,
                       .flow = code->flow,
                       .is_relevant = basis->is_relevant,
                       .next = basis->next,
                       .writer = code->writer};
  basic->slot =
      arena_alloc(&slicer->task->arena, (registers + 1) * sizeof(uint32_t));
  for (uint32_t r = 0; r < registers; r++)
    basic->slot[r] = basis->is_needed[r] ? basic->slot_count++ : NO_REGISTER;
  return basic;
}

static Slicer new_close_slicer(Task *task, const PtxFunction *kernel,
                               bool passes_once) {
  Slicer slicer = new_slicer(task, kernel);
  slicer.follows_symbols = true;
  slicer.passes_once = passes_once;
  return slicer;
}

// Where some stores alone are followed: to where they come from shared memory,
// or, if they all do, on from there to what was stored before.  Calls are not
// looked into for that.
static Slice slice_once(Task *task, const PtxFunction *kernel,
                        const bool *is_followed) {
  Slicer slicer = new_close_slicer(task, kernel, true);
  size_t count = kernel->ptx->instruction_count + 1u;
  bool *passes = slicer.functions.count > 1 ? arena_alloc(&task->arena, count)
                                            : find_passing(task, kernel);
  bool are_all = are_loaded(&slicer, is_followed, passes);
  if (are_all)
    need_stored(&slicer, passes);
  follow(&slicer);
  lay_basis(&slicer);
  need_stored(&slicer, is_followed);
  follow(&slicer);
  Slice slice = finish_all(&slicer);
  slice.passes = are_all ? passes : NULL;
  slice.basic = new_basic(&slicer, slice.codes[kernel->number]);
  slice.has_butterflies = find_one(&slicer, is_butterfly);
  return slice;
}

static Slice slice_for_symbols(Task *task, const PtxFunction *kernel,
                               const bool *is_followed, bool passes_once,
                               bool keeps_values) {
  if (is_followed && passes_once && !keeps_values)
    return slice_once(task, kernel, is_followed);
  Slicer slicer = new_close_slicer(task, kernel, passes_once);
  if (is_followed)
    need_stored(&slicer, is_followed);
  if (!is_followed || keeps_values)
    keep_values(&slicer);
  follow(&slicer);
  return finish_all(&slicer);
}

Slice slice_closely(Task *task, const PtxFunction *kernel,
                    const bool *is_followed, bool passes_once) {
  Slice decisive = slice_kernel(task, kernel);
  Slice slice = slice_for_symbols(task, kernel, is_followed, passes_once,
                                  decisive.keeps_values);
  for (size_t i = 0; i < kernel->ptx->functions.count; i++) {
    CodeSlice *code = slice.codes[i];
    if (!code)
      continue;
    code->is_decisive = decisive.codes[i]->is_relevant;
    code->is_rewritten = find_rewritten(task, code->flow);
  }
  const CodeSlice *code = slice.codes[kernel->number];
  if (slice.basic) {
    slice.basic->is_decisive = code->is_decisive;
    slice.basic->is_rewritten = code->is_rewritten;
  }
  return slice;
}
