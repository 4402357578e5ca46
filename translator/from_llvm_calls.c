// Calls: ids, barriers, atomics, annotations, pure functions.
//
// Functions with a body have been inlined; what is left are intrinsics and
// library functions.  intrinsics.def says what each means, one row a
// function.  A pure function is uninterpreted: equal arguments give equal
// results.  Anything that we do not know and that may touch memory ends the
// task.

#include "translator/from_llvm_calls.h"
#include "ptx/assembly.h"

#include <string.h>

static const CallRow rows[] = {
#define CALL(match, name, meaning, number)                                     \
  {match, name, CALL_##meaning, number},
#include "translator/intrinsics.def"
#undef CALL
};

// A function without memory that we know nothing else of.  One of LLVM's is a
// function of its operands; another may return what the thread's ids are, too.
static const CallRow pure_row = {EXACT, "", CALL_PURE, 0};
static const CallRow unknown_row = {EXACT, "", CALL_UNKNOWN, 0};

LLVMValueRef called_function(LLVMValueRef call) {
  return LLVMIsAFunction(LLVMGetCalledValue(call));
}

const char *called_name(Task *task, LLVMValueRef call) {
  size_t length = 0;
  LLVMValueRef function = called_function(call);
  return plain_name(task, LLVMGetValueName2(function, &length));
}

// An intrinsic that depends on the other threads: LLVM's convergent.  All of
// OpenCL's functions are marked so; of those, the table knows the ones it is
// true of.
static bool is_collective(LLVMValueRef call) {
  size_t length = 0;
  LLVMValueRef function = called_function(call);
  const char *name = LLVMGetValueName2(function, &length);
  unsigned kind = LLVMGetEnumAttributeKindForName("convergent", 10);
  return strncmp(name, "llvm.", 5) == 0 &&
         LLVMGetEnumAttributeAtIndex(
             function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind);
}

// LLVM's memory(none).
static bool touches_no_memory(LLVMValueRef call) {
  unsigned kind = LLVMGetEnumAttributeKindForName("memory", 6);
  LLVMAttributeRef memory = LLVMGetEnumAttributeAtIndex(
      called_function(call), (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
      kind);
  return memory && LLVMGetEnumAttributeValue(memory) == 0 &&
         !is_collective(call);
}

// OpenCL's built-in functions are overloaded, so their names are mangled; a
// function of CUDA may have the name of one and be something else.
static const char *builtin_name(Task *task, LLVMValueRef call) {
  size_t length = 0;
  LLVMValueRef caller = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
  const char *name = LLVMGetValueName2(called_function(call), &length);
  bool is_builtin = llvm_is_opencl_kernel(caller) && !strncmp(name, "_Z", 2) &&
                    name[2] >= '1' && name[2] <= '9';
  return is_builtin ? plain_name(task, name) : NULL;
}

static bool is_row(const CallRow *row, const char *name, const char *builtin) {
  switch (row->match) {
  case EXACT:
    return strcmp(name, row->name) == 0;
  case PREFIX:
    return strncmp(name, row->name, strlen(row->name)) == 0;
  case OPENCL:
    return builtin && strcmp(builtin, row->name) == 0;
  case OPENCL_PREFIX:
    return builtin && strncmp(builtin, row->name, strlen(row->name)) == 0;
  }
  return false;
}

static const CallRow *listed_row(Task *task, LLVMValueRef call) {
  size_t length = 0;
  const char *name = LLVMGetValueName2(called_function(call), &length);
  const char *builtin = builtin_name(task, call);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (is_row(&rows[i], name, builtin))
      return &rows[i];
  return NULL;
}

static bool has_pointer(LLVMValueRef call) {
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
    if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, i))) ==
        LLVMPointerTypeKind)
      return true;
  return false;
}

// What the row says is true of this one of the functions that it is about.
static bool is_as_listed(const CallRow *row, LLVMValueRef call) {
  bool is_function_of_values = !has_pointer(call) || touches_no_memory(call);
  return (row->meaning != CALL_CL_PURE || touches_no_memory(call)) &&
         (row->meaning != CALL_PURE || is_function_of_values);
}

static const CallRow *find_row(Task *task, LLVMValueRef call) {
  if (!called_function(call))
    return NULL;
  const CallRow *row = listed_row(task, call);
  if (row && is_as_listed(row, call))
    return row;
  if (row || !touches_no_memory(call))
    return NULL;
  return LLVMGetIntrinsicID(called_function(call)) ? &pure_row : &unknown_row;
}

typedef enum Effect { EFFECT_KEEPS, EFFECT_WRITES, EFFECT_STORES } Effect;

static Effect effect_of(Meaning meaning) {
  static const Effect effects[] = {
#define MEANING(name, effect) [CALL_##name] = EFFECT_##effect,
#include "translator/meanings.def"
#undef MEANING
  };
  return effects[meaning];
}

bool call_is_pure(Task *task, LLVMValueRef call) {
  const CallRow *row = find_row(task, call);
  if (!row)
    return false;
  switch (effect_of(row->meaning)) {
  case EFFECT_KEEPS:
    return true;
  case EFFECT_STORES:
    return !strstr(called_name(task, call), ".store.");
  case EFFECT_WRITES:
    break;
  }
  return false;
}

// --------------------------------------------------------- ids and sizes ---

Expr *read_thread_id(Builder *builder, unsigned axis) {
  builder->reads_thread_id[axis] = true;
  return builder->kernel->thread_id[axis];
}

Expr *read_block_id(Builder *builder, unsigned axis) {
  builder->reads_block_id[axis] = true;
  return builder->kernel->block_id[axis];
}

// Lanes count x first: (z * blockDim.y + y) * blockDim.x + x, modulo 32.
static Expr *linear_thread_id(Builder *builder) {
  Task *task = builder->task;
  Expr *linear = read_thread_id(builder, 2);
  for (unsigned axis = 2; axis-- > 0;)
    linear = expr_add(task,
                      expr_mul(task, linear, builder->kernel->block_size[axis]),
                      read_thread_id(builder, axis));
  return linear;
}

Expr *lane_of_thread(Builder *builder) {
  return expr_binary(builder->task, EXPR_AND, linear_thread_id(builder),
                     expr_const(builder->task, 32, 31));
}

static bool translate_id(Builder *builder, LLVMValueRef call,
                         const CallRow *row) {
  unsigned axis = (unsigned)row->number;
  switch (row->meaning) {
  case CALL_THREAD_ID:
    set_scalar(builder, call, read_thread_id(builder, axis));
    return true;
  case CALL_BLOCK_ID:
    set_scalar(builder, call, read_block_id(builder, axis));
    return true;
  case CALL_BLOCK_SIZE:
    builder->reads_thread_id[axis] = true;
    set_scalar(builder, call, builder->kernel->block_size[axis]);
    return true;
  case CALL_GRID_SIZE:
    builder->reads_block_id[axis] = true;
    set_scalar(builder, call, builder->kernel->grid_size[axis]);
    return true;
  case CALL_LANE_ID:
    set_scalar(builder, call, lane_of_thread(builder));
    return true;
  default:
    return false;
  }
}

// -------------------------------------------------------------- barriers ---

Barrier *add_barrier(Builder *builder, BarrierKind kind) {
  Barrier *barrier = &builder_add(builder, STMT_BARRIER)->barrier;
  *barrier =
      (Barrier){.kind = kind, .orders_shared = true, .orders_global = true};
  return barrier;
}

void add_alike(Builder *builder, Barrier *barrier, LLVMValueRef operand) {
  const LlvmValue *value = value_of(builder, operand);
  for (unsigned i = 0; i < value->count; i++) {
    push(&builder->task->arena, &barrier->alike, value->lanes[i].bits);
    if (value->lanes[i].base)
      push(&builder->task->arena, &barrier->alike, value->lanes[i].base);
  }
}

static void set_uniform(Builder *builder, LLVMValueRef call, SymbolKind kind) {
  LLVMTypeRef type = LLVMTypeOf(call);
  LlvmValue *value = value_new(builder, lanes_of_type(builder, type));
  for (unsigned i = 0; i < value->count; i++) {
    unsigned bits = scalar_bits(builder, lane_type(builder, type, i));
    Symbol *symbol = builder_symbol(builder, kind, bits, "group value");
    symbol->is_vote = kind == SYMBOL_UNKNOWN;
    value->lanes[i].bits = symbol->expr;
  }
  set_value(builder, call, value);
}

// A barrier of all threads by its number, operand 0 where there is one.
// Threads that name different barriers do not meet.
static void add_block_barrier(Builder *builder, LLVMValueRef call) {
  bool is_known = LLVMGetNumArgOperands(call) == 0 ||
                  expr_is_const(scalar_of(builder, LLVMGetOperand(call, 0)));
  if (!is_known)
    unsupported(builder->task, builder->loc,
                "a barrier whose number is not constant");
  add_barrier(builder, BARRIER_BLOCK);
}

// Which lanes a mask names decides what the barrier orders, and who waits.
static void add_warp_barrier(Builder *builder, Expr *mask) {
  if (!expr_is_const(mask) || mask->value != 0xffffffff)
    unsupported(builder->task, builder->loc,
                "a warp barrier for some of the lanes");
  add_barrier(builder, BARRIER_WARP)->mask = mask;
}

// --------------------------------------------------------------- lanes ---

Barrier *add_whole_warp(Builder *builder) {
  Barrier *barrier = &builder_add(builder, STMT_BARRIER)->barrier;
  *barrier = (Barrier){.kind = BARRIER_LANES,
                       .mask = expr_const(builder->task, 32, UINT32_MAX)};
  return barrier;
}

static void forget_result(Builder *builder, LLVMValueRef call) {
  if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind)
    set_unknown(builder, call, called_name(builder->task, call));
}

// Lanes of a warp tell each other something, see lanes.c.
static void add_exchange(Builder *builder, LLVMValueRef call,
                         const CallRow *row) {
  Barrier barrier = {.kind = row->meaning == CALL_SUB_GROUP ? BARRIER_SUB_GROUP
                                                            : BARRIER_LANES};
  bool has_mask =
      row->meaning != CALL_SUB_GROUP && row->meaning != CALL_LANES_ACTIVE;
  if (has_mask)
    barrier.mask =
        scalar_of(builder, LLVMGetOperand(call, (unsigned)row->number));
  forget_result(builder, call);
  if (row->meaning == CALL_LANES_BALLOT || row->meaning == CALL_LANES_MATCH ||
      row->meaning == CALL_LANES_ACTIVE) {
    barrier.told = scalar_of(builder, call)->symbol;
    barrier.chosen = row->meaning == CALL_LANES_BALLOT
                         ? scalar_of(builder, LLVMGetOperand(call, 1))
                         : expr_bool(builder->task, true);
  }
  builder_add(builder, STMT_BARRIER)->barrier = barrier;
}

static bool translate_exchange(Builder *builder, LLVMValueRef call,
                               const CallRow *row) {
  switch (row->meaning) {
  case CALL_LANES:
  case CALL_LANES_BALLOT:
  case CALL_LANES_MATCH:
  case CALL_LANES_ACTIVE:
  case CALL_SUB_GROUP:
    add_exchange(builder, call, row);
    return true;
  case CALL_WHOLE_WARP:
    add_whole_warp(builder);
    forget_result(builder, call);
    return true;
  default:
    return false;
  }
}

static bool translate_barrier(Builder *builder, LLVMValueRef call,
                              const CallRow *row) {
  Barrier *barrier;
  switch (row->meaning) {
  case CALL_BARRIER:
    add_block_barrier(builder, call);
    return true;
  case CALL_BARRIER_VOTE:
    if (strstr(row->name, ".cta."))
      add_block_barrier(builder, call);
    else
      add_barrier(builder, BARRIER_BLOCK);
    set_uniform(builder, call, SYMBOL_UNKNOWN);
    return true;
  case CALL_BARRIER_GRID:
    add_barrier(builder, BARRIER_GRID);
    return true;
  case CALL_BARRIER_WARP:
    add_warp_barrier(builder, scalar_of(builder, LLVMGetOperand(call, 0)));
    return true;
  case CALL_ASYNC_COPY:
    translate_async_copy(builder, call);
    return true;
  case CALL_ASYNC_WAIT:
    translate_async_wait(builder, call);
    return true;
  case CALL_GROUP_VOTE:
  case CALL_GROUP_SCAN:
    barrier = add_barrier(builder, BARRIER_BLOCK);
    barrier->orders_shared = barrier->orders_global = false;
    for (unsigned i = 1; i < LLVMGetNumArgOperands(call); i++)
      add_alike(builder, barrier, LLVMGetOperand(call, i));
    if (row->meaning == CALL_GROUP_VOTE)
      set_uniform(builder, call, SYMBOL_UNKNOWN);
    else
      set_unknown(builder, call, "scan");
    return true;
  default:
    return false;
  }
}

// -------------------------------------------------------- pure functions ---

enum { PURE_ARGS = 16 };

static unsigned all_args(Builder *builder, LLVMValueRef call, Expr **args) {
  unsigned count = 0;
  for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++) {
    LLVMValueRef operand = LLVMGetOperand(call, k);
    if (LLVMGetTypeKind(LLVMTypeOf(operand)) == LLVMMetadataTypeKind)
      return 0;
    LlvmValue *value = value_of(builder, operand);
    for (unsigned i = 0; i < value->count; i++) {
      if (count == PURE_ARGS || value->lanes[i].base)
        return 0;
      args[count++] = value->lanes[i].bits;
    }
  }
  return count;
}

static void translate_pure(Builder *builder, LLVMValueRef call) {
  Task *task = builder->task;
  LLVMTypeRef type = LLVMTypeOf(call);
  size_t length = 0;
  const char *name = LLVMGetValueName2(called_function(call), &length);
  Expr *args[PURE_ARGS];
  unsigned count = all_args(builder, call, args);
  if (count == 0) {
    set_unknown(builder, call, plain_name(task, name));
    return;
  }
  LlvmValue *result = value_new(builder, lanes_of_type(builder, type));
  for (unsigned i = 0; i < result->count; i++) {
    LLVMTypeRef scalar = lane_type(builder, type, i);
    unsigned bits = scalar_bits(builder, scalar);
    const char *function =
        arena_printf(&task->arena, "%s/%u.%u", name, i, bits);
    result->lanes[i] = lane_unknown(builder, scalar, "result");
    if (!result->lanes[i].base)
      result->lanes[i].bits = expr_apply(task, function, bits, args, count);
  }
  set_value(builder, call, result);
}

static void translate_pure_out(Builder *builder, LLVMValueRef call,
                               unsigned bytes) {
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
    LLVMValueRef operand = LLVMGetOperand(call, i);
    if (LLVMGetTypeKind(LLVMTypeOf(operand)) != LLVMPointerTypeKind)
      continue;
    Access access = {.kind = ACCESS_WRITE,
                     .length = bytes_constant(builder, bytes)};
    add_access(builder, value_of(builder, operand)->lanes[0], &access);
  }
  set_unknown(builder, call, called_name(builder->task, call));
}

// ---------------------------------------------------------------- memory ---

static void add_range(Builder *builder, LLVMValueRef call, unsigned operand,
                      unsigned bytes, AccessKind kind) {
  LLVMValueRef pointer = LLVMGetOperand(call, operand);
  Expr *length = scalar_of(builder, LLVMGetOperand(call, bytes));
  Access access = {.kind = kind,
                   .length = expr_zext(builder->task, length, 64)};
  Loc loc = builder->loc;
  if (expr_is_const(access.length) && access.length->value == 0)
    return;
  add_access(builder, value_of(builder, pointer)->lanes[0], &access);
  builder->loc = loc;
}

unsigned lane_bytes(Builder *builder, LLVMTypeRef type) {
  return (scalar_bits(builder, type) + 7) / 8;
}

// Scoped atomics of NVPTX; without a known scope in the name they have the
// device's, which is PTX's default.
static void translate_nvvm_atomic(Builder *builder, LLVMValueRef call) {
  const char *name = called_name(builder->task, call);
  LLVMValueRef pointer = LLVMGetOperand(call, 0);
  LLVMTypeRef type = LLVMTypeOf(call);
  unsigned bits = scalar_bits(builder, type);
  Symbol *old = builder_symbol(builder, SYMBOL_ATOMIC, bits, "old value");
  Access access = {.kind = ACCESS_ATOMIC,
                   .scope = strstr(name, ".cta.") ? SCOPE_BLOCK : SCOPE_GRID,
                   .length = bytes_constant(builder, (bits + 7) / 8),
                   .result = old};
  Expr *operand = scalar_of(builder, LLVMGetOperand(call, 1));
  access.is_add = strstr(name, ".add.") && strstr(name, ".i.") &&
                  expr_is_const(operand) && operand->value != 0;
  access.step = access.is_add ? operand->value : 0;
  old->stmt =
      add_access(builder, value_of(builder, pointer)->lanes[0], &access);
  set_scalar(builder, call, old->expr);
}

static void translate_ldg(Builder *builder, LLVMValueRef call) {
  LLVMTypeRef type = LLVMTypeOf(call);
  LLVMValueRef pointer = LLVMGetOperand(call, 0);
  unsigned bytes = lanes_of_type(builder, type) *
                   lane_bytes(builder, lane_type(builder, type, 0));
  Access access = {.kind = ACCESS_READ,
                   .length = bytes_constant(builder, bytes)};
  add_access(builder, value_of(builder, pointer)->lanes[0], &access);
  set_unknown(builder, call, "loaded value");
}

static bool translate_memory(Builder *builder, LLVMValueRef call,
                             const CallRow *row) {
  switch (row->meaning) {
  case CALL_MEMCPY:
    add_range(builder, call, 1, 2, ACCESS_READ);
    add_range(builder, call, 0, 2, ACCESS_WRITE);
    return true;
  case CALL_MEMSET:
    add_range(builder, call, 0, 2, ACCESS_WRITE);
    return true;
  case CALL_FILL:
    add_range(builder, call, 0, 1, ACCESS_WRITE);
    return true;
  case CALL_LDG:
    translate_ldg(builder, call);
    return true;
  case CALL_NVVM_ATOMIC:
    translate_nvvm_atomic(builder, call);
    return true;
  case CALL_TILE:
    translate_tile(builder, call);
    return true;
  case CALL_LOAD_ROWS:
    translate_matrix_rows(builder, call, ACCESS_READ);
    return true;
  case CALL_STORE_ROWS:
    translate_matrix_rows(builder, call, ACCESS_WRITE);
    return true;
  default:
    return false;
  }
}

// ----------------------------------------------------------- annotations ---

static bool mentions_ghost(Builder *builder, Expr *condition) {
  Symbols symbols = {0};
  expr_symbols(builder->task, condition, &symbols);
  for (size_t i = 0; i < symbols.count; i++)
    if (symbols.at[i]->is_ghost)
      return true;
  return false;
}

static Expr *as_condition(Builder *builder, LLVMValueRef operand) {
  Expr *value = scalar_of(builder, operand);
  if (value->width == 1)
    return value;
  return expr_not(builder->task,
                  expr_eq(builder->task, value,
                          expr_const(builder->task, value->width, 0)));
}

static void add_condition(Builder *builder, StmtKind kind, Expr *condition,
                          const char *message) {
  if (mentions_ghost(builder, condition))
    unsupported(builder->task, builder->loc,
                "an annotation about logged accesses that is no invariant");
  Stmt *stmt = builder_add(builder, kind);
  stmt->condition = condition;
  stmt->message = message;
}

// An invariant holds whenever control is at the head of its loop.  What it
// says of logged accesses is not needed by this verifier, and not used.
static void add_invariant(Builder *builder, Loop *loop, Expr *condition,
                          bool is_asserted) {
  if (mentions_ghost(builder, condition))
    return;
  if (!is_asserted) {
    push(&builder->task->arena, &loop->candidates, condition);
    return;
  }
  Stmt *stmt = NEW(&builder->task->arena, Stmt);
  stmt->kind = STMT_ASSERT;
  stmt->loc = builder->loc;
  stmt->block = loop->header;
  stmt->guard = loop->header->guard;
  stmt->condition = condition;
  push(&builder->task->arena, &loop->asserted, stmt);
}

static void translate_invariant(Builder *builder, Expr *condition,
                                bool is_asserted) {
  Loop *loop = builder->block->loop;
  if (!loop)
    unsupported(builder->task, builder->loc,
                "an invariant that is not at the head of a loop");
  add_invariant(builder, loop, condition, is_asserted);
}

// It speaks of what never changes, so it serves every loop of the kernel.
static void translate_function_invariant(Builder *builder, Expr *condition,
                                         bool is_asserted) {
  for (size_t i = 0; i < builder->kernel->loops.count; i++)
    add_invariant(builder, builder->kernel->loops.at[i], condition,
                  is_asserted);
}

static bool translate_annotation(Builder *builder, LLVMValueRef call,
                                 const CallRow *row) {
  const Options *options = builder->kernel->options;
  switch (row->meaning) {
  case CALL_FAIL:
    add_condition(builder, STMT_ASSERT, expr_bool(builder->task, false),
                  "assertion");
    return true;
  case CALL_QUIET:
    builder->is_quiet = row->number;
    return true;
  case CALL_REQUIRES:
    if (!options->no_annotations || options->only_requires) {
      add_condition(builder, STMT_ASSUME,
                    as_condition(builder, LLVMGetOperand(call, 0)),
                    "__requires");
      builder->kernel->stmts.at[builder->kernel->stmts.count - 1]->is_requires =
          true;
    }
    return true;
  case CALL_ASSUME:
    if (!options->no_annotations && !options->only_requires)
      add_condition(builder, STMT_ASSUME,
                    as_condition(builder, LLVMGetOperand(call, 0)),
                    "an assumption");
    return true;
  case CALL_ASSERT:
    if (!options->no_annotations && !options->only_requires)
      add_condition(builder, STMT_ASSERT,
                    as_condition(builder, LLVMGetOperand(call, 0)),
                    "assertion");
    return true;
  case CALL_INVARIANT:
    if (!options->no_annotations && !options->only_requires)
      translate_invariant(
          builder, as_condition(builder, LLVMGetOperand(call, 0)), row->number);
    return true;
  case CALL_FUNCTION_INVARIANT:
    if (!options->no_annotations && !options->only_requires)
      translate_function_invariant(
          builder, as_condition(builder, LLVMGetOperand(call, 0)), row->number);
    return true;
  default:
    return false;
  }
}

// -------------------------------------------------------------- dispatch ---

// SOUND(textures): one instruction, which reads a texture; clang's headers for
// the SDK are made of such.
static bool is_texture_read(const char *text) {
  const char *end = strchr(text, ';');
  bool is_one = end && !end[1 + strspn(end + 1, " \t\n")];
  return is_one && (!strncmp(text, "tex.", 4) || !strncmp(text, "tld4.", 5));
}

// Instructions that do no more than compute their result from their operands,
// or from what a register of the machine or another lane that is there holds.
static bool is_computing(const AsmInstruction *s) {
  static const char *const others[] = {
      "activemask", "bra",  "createpolicy", "elect", "isspacep",
      "match",      "mma",  "redux",        "shfl",  "vabsdiff",
      "vadd",       "vmad", "vmax",         "vmin",  "vote",
      "vset",       "vshl", "vshr",         "vsub"};
  bool is_known = asm_computes(s);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    is_known |= asm_is(s, others[i]);
  // With .sync, all lanes of a mask have to come.
  return is_known && !asm_has(s, "sync");
}

// Assembly that is not volatile and clobbers no memory computes a value, if
// each of its instructions does.  PTX writes addresses in brackets.
static bool is_asm_pure(Task *task, LLVMValueRef called, const char *text) {
  enum { MOST_OPERANDS = 64 };
  size_t length = 0;
  const char *constraints = LLVMGetInlineAsmConstraintString(called, &length);
  if (LLVMGetInlineAsmHasSideEffects(called) || strstr(constraints, "memory") ||
      strchr(constraints, '*') || strchr(text, '['))
    return false;
  const PtxAssembly *assembly = ptx_assembly(task, text, MOST_OPERANDS);
  for (size_t i = 0; i < assembly->code.count; i++)
    if (!is_computing(&assembly->code.at[i]))
      return false;
  return !assembly->problem;
}

static void translate_asm(Builder *builder, LLVMValueRef called) {
  size_t length = 0;
  const char *text = LLVMGetInlineAsmAsmString(called, &length);
  if (length && !is_asm_pure(builder->task, called, text) &&
      !is_texture_read(text))
    unsupported(builder->task, builder->loc, "inline assembly '%.60s'", text);
}

static void translate_rest(Builder *builder, LLVMValueRef call,
                           const CallRow *row) {
  LlvmValue *value;
  switch (row->meaning) {
  case CALL_NUMBER:
    set_scalar(builder, call,
               expr_const(builder->task, scalar_bits(builder, LLVMTypeOf(call)),
                          (uint64_t)row->number));
    break;
  case CALL_UNKNOWN:
    set_unknown(builder, call, called_name(builder->task, call));
    break;
  case CALL_UNIFORM:
    set_uniform(builder, call, SYMBOL_LAUNCH);
    break;
  case CALL_GHOST:
    set_unknown(builder, call, "logged access");
    value = value_of(builder, call);
    for (unsigned i = 0; i < value->count; i++)
      value->lanes[i].bits->symbol->is_ghost = true;
    break;
  case CALL_PURE:
  case CALL_CL_PURE:
  case CALL_CL_SELECT:
  case CALL_CL_CLAMP:
  case CALL_CL_MAX:
  case CALL_CL_MIN:
  case CALL_CL_MUL24:
  case CALL_CL_MAD24:
    translate_pure(builder, call);
    break;
  case CALL_PURE_OUT:
    translate_pure_out(builder, call, (unsigned)row->number);
    break;
  case CALL_PRINT:
    translate_print(builder, call);
    set_unknown(builder, call, "printf");
    break;
  case CALL_FENCE:
    builder_add(builder, STMT_FENCE);
    break;
  case CALL_NOTHING:
    break;
  default:
    unsupported(builder->task, builder->loc, "a call of '%s'",
                called_name(builder->task, call));
  }
}

void translate_call(Builder *builder, LLVMValueRef call) {
  LLVMValueRef called = LLVMGetCalledValue(call);
  if (LLVMIsAInlineAsm(called)) {
    translate_asm(builder, called);
    if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind)
      set_unknown(builder, call, "assembly");
    return;
  }
  if (!called_function(call))
    unsupported(builder->task, builder->loc,
                "a call through a function pointer");
  if (!LLVMIsDeclaration(called) && llvm_is_left_open(call))
    unsupported(builder->task, builder->kernel->loc,
                "with all that it calls, the kernel has more than a million "
                "instructions");
  if (!LLVMIsDeclaration(called))
    unsupported(builder->task, builder->loc, "a recursive call of '%s'",
                called_name(builder->task, call));
  const CallRow *row = find_row(builder->task, call);
  if (!row || !operands_fit(builder, call, row))
    unsupported(builder->task, builder->loc, "a call of '%s'",
                called_name(builder->task, call));
  if (!translate_opencl(builder, call, row) &&
      !translate_id(builder, call, row) &&
      !translate_barrier(builder, call, row) &&
      !translate_exchange(builder, call, row) &&
      !translate_integer(builder, call, row) &&
      !translate_memory(builder, call, row) &&
      !translate_annotation(builder, call, row))
    translate_rest(builder, call, row);
  if (!result_fits(builder, call))
    unsupported(builder->task, builder->loc, "a call of '%s' for a '%s'",
                called_name(builder->task, call),
                llvm_type_text(builder->task, LLVMTypeOf(call)));
}
