// Calls: ids, memory, pure functions, and who translates the others.
//
// Functions with a body have been inlined; what is left are intrinsics and
// library functions.  intrinsics.def says what each means, one row a function,
// and llvm/libdevice.def of CUDA's library; meanings.def says which function,
// here or in from_llvm_barriers.c, _annotations.c, _integers.c, _opencl.c and
// so on, translates that.  A pure function is uninterpreted: equal arguments
// give equal results.  Anything that we do not know and that may touch memory
// ends the task.

#include "translator/from_llvm_calls.h"
#include "ptx/assembly.h"

#include <string.h>

static const CallRow rows[] = {
#define CALL(match, name, meaning, number)                                     \
  {match, name, CALL_##meaning, number},
#include "translator/intrinsics.def"
#undef CALL
};

// By library_number().
static const CallRow library_rows[] = {
#define LIBRARY(name, types, meaning, operation, host)                         \
  {EXACT, "__nv_" #name, CALL_##meaning, 0},
#include "llvm/libdevice.def"
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

// Behind one of the words, or where it is.
static const char *behind(const char *at, const char *const *words) {
  for (; *words; words++)
    if (!strncmp(at, *words, strlen(*words)))
      return at + strlen(*words);
  return at;
}

// convert_uchar4_sat_rte: a type, the number of its elements, what becomes of
// numbers beyond its range, and how it rounds.
static bool is_conversion(const char *name) {
  static const char *const start[] = {"convert_", NULL};
  static const char *const types[] = {"char",  "uchar",  "short", "ushort",
                                      "int",   "uint",   "long",  "ulong",
                                      "float", "double", "half",  NULL};
  static const char *const counts[] = {"16", "2", "3", "4", "8", NULL};
  static const char *const limits[] = {"_sat", NULL};
  static const char *const modes[] = {"_rte", "_rtz", "_rtp", "_rtn", NULL};
  const char *type = behind(name, start), *count = behind(type, types);
  return type != name && count != type &&
         !*behind(behind(behind(count, counts), limits), modes);
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
  case CONVERSION:
    return builtin && is_conversion(builtin);
  }
  return false;
}

const CallRow *call_row(Task *task, LLVMValueRef call) {
  size_t length = 0;
  const LibraryFunction *function = llvm_library_function(call);
  if (function)
    return &library_rows[library_number(function)];
  const char *name = LLVMGetValueName2(called_function(call), &length);
  const char *builtin = builtin_name(task, call);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (is_row(&rows[i], name, builtin))
      return &rows[i];
  return NULL;
}

static bool has_pointer(Builder *builder, LLVMValueRef call) {
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(call, i));
    for (unsigned k = 0; k < lanes_of_type(builder, type); k++)
      if (LLVMGetTypeKind(lane_type(builder, type, k)) == LLVMPointerTypeKind)
        return true;
  }
  return false;
}

// What gives no value has another effect.
static bool is_function_of_values(Builder *builder, LLVMValueRef call) {
  bool has_value = LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind;
  return touches_no_memory(call) || (has_value && !has_pointer(builder, call));
}

// What the row says is true of this one of the functions that it is about.
static bool is_as_listed(Builder *builder, const CallRow *row,
                         LLVMValueRef call) {
  return (row->meaning != CALL_CL_PURE || touches_no_memory(call)) &&
         (row->meaning != CALL_PURE || is_function_of_values(builder, call));
}

static const CallRow *find_row(Builder *builder, LLVMValueRef call) {
  if (!called_function(call))
    return NULL;
  const CallRow *row = call_row(builder->task, call);
  if (row && is_as_listed(builder, row, call))
    return row;
  if (row || !touches_no_memory(call))
    return NULL;
  return LLVMGetIntrinsicID(called_function(call)) ? &pure_row : &unknown_row;
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

// Lanes count x first: (z * blockDim.y + y) * blockDim.x + x, modulo their
// number. Who asks for a lane does not ask for y and z:
// SOUND(unused-dimensions).
static Expr *linear_thread_id(Builder *builder) {
  Task *task = builder->task;
  const Kernel *kernel = builder->kernel;
  Expr *linear = kernel->thread_id[2];
  for (unsigned axis = 2; axis-- > 0;)
    linear = expr_add(task, expr_mul(task, linear, kernel->block_size[axis]),
                      kernel->thread_id[axis]);
  return linear;
}

Expr *lane_of_thread(Builder *builder) {
  return expr_binary(
      builder->task, EXPR_AND, linear_thread_id(builder),
      expr_const(builder->task, 32, builder->kernel->warp_lanes - 1));
}

void call_thread_id(Builder *builder, LLVMValueRef call) {
  unsigned axis = (unsigned)builder->row->number;
  set_scalar(builder, call, read_thread_id(builder, axis));
}

void call_block_id(Builder *builder, LLVMValueRef call) {
  unsigned axis = (unsigned)builder->row->number;
  set_scalar(builder, call, read_block_id(builder, axis));
}

void call_block_size(Builder *builder, LLVMValueRef call) {
  unsigned axis = (unsigned)builder->row->number;
  builder->reads_thread_id[axis] = true;
  set_scalar(builder, call, builder->kernel->block_size[axis]);
}

void call_grid_size(Builder *builder, LLVMValueRef call) {
  unsigned axis = (unsigned)builder->row->number;
  builder->reads_block_id[axis] = true;
  set_scalar(builder, call, builder->kernel->grid_size[axis]);
}

void call_lane_id(Builder *builder, LLVMValueRef call) {
  set_scalar(builder, call, lane_of_thread(builder));
}

// ---------------------------------------------------------- other values ---

void call_number(Builder *builder, LLVMValueRef call) {
  unsigned bits = scalar_bits(builder, LLVMTypeOf(call));
  uint64_t number = (uint64_t)builder->row->number;
  set_scalar(builder, call, expr_const(builder->task, bits, number));
}

void call_unknown(Builder *builder, LLVMValueRef call) {
  set_unknown(builder, call, called_name(builder->task, call));
}

static void set_symbols(Builder *builder, LLVMValueRef call, SymbolKind kind) {
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

void set_group_value(Builder *builder, LLVMValueRef call) {
  set_symbols(builder, call, SYMBOL_UNKNOWN);
}

void call_uniform(Builder *builder, LLVMValueRef call) {
  set_symbols(builder, call, SYMBOL_LAUNCH);
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

// Of an operation that LLVM has for vectors, too, which does the same to each
// lane: the name of the one for scalars.  NULL: it is no such operation.
static const char *name_for_scalars(Builder *builder, const char *name) {
  static const char *const operations[] = {"llvm.fmuladd.", "llvm.fma."};
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
    size_t length = strlen(operations[i]);
    if (strncmp(name, operations[i], length) != 0 || name[length] != 'v')
      continue;
    const char *type = name + length + 1;
    return arena_printf(&builder->task->arena, "%s%s", operations[i],
                        type + strspn(type, "0123456789"));
  }
  return NULL;
}

static void apply_to_lanes(Builder *builder, LLVMValueRef call,
                           const char *name) {
  unsigned count = LLVMGetNumArgOperands(call);
  LlvmValue *result =
      value_new(builder, lanes_of_type(builder, LLVMTypeOf(call)));
  for (unsigned i = 0; i < result->count; i++) {
    Expr *args[PURE_ARGS];
    for (unsigned k = 0; k < count; k++)
      args[k] = value_of(builder, LLVMGetOperand(call, k))->lanes[i].bits;
    unsigned bits = args[0]->width;
    const char *function =
        arena_printf(&builder->task->arena, "%s/0.%u", name, bits);
    result->lanes[i].bits =
        expr_apply(builder->task, function, bits, args, count);
  }
  set_value(builder, call, result);
}

void call_pure(Builder *builder, LLVMValueRef call) {
  Task *task = builder->task;
  LLVMTypeRef type = LLVMTypeOf(call);
  size_t length = 0;
  const char *name = LLVMGetValueName2(called_function(call), &length);
  const char *scalar_name = name_for_scalars(builder, name);
  if (scalar_name) {
    apply_to_lanes(builder, call, scalar_name);
    return;
  }
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

void call_pure_out(Builder *builder, LLVMValueRef call) {
  const char *types = library_find(builder->row->name)->types;
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
    if (!strchr("IFD", types[1 + i]))
      continue;
    LLVMValueRef operand = LLVMGetOperand(call, i);
    unsigned bytes = types[1 + i] == 'D' ? 8 : 4;
    Access access = {.kind = ACCESS_WRITE,
                     .length = bytes_constant(builder, bytes)};
    add_access(builder, value_of(builder, operand)->lanes[0], &access);
  }
  set_unknown(builder, call, called_name(builder->task, call));
}

// ---------------------------------------------------------------- memory ---

// 0: nothing is said.
static unsigned alignment_of(LLVMValueRef call, unsigned operand) {
  static const char name[] = "align";
  unsigned kind = LLVMGetEnumAttributeKindForName(name, sizeof name - 1);
  LLVMAttributeRef known = LLVMGetCallSiteEnumAttribute(
      call, (LLVMAttributeIndex)(operand + 1), kind);
  return known ? (unsigned)LLVMGetEnumAttributeValue(known) : 0;
}

static void add_range(Builder *builder, LLVMValueRef call, unsigned operand,
                      unsigned bytes, AccessKind kind) {
  LLVMValueRef pointer = LLVMGetOperand(call, operand);
  Expr *length = scalar_of(builder, LLVMGetOperand(call, bytes));
  Access access = {.kind = kind,
                   .length = expr_zext(builder->task, length, 64),
                   .alignment = alignment_of(call, operand)};
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
void call_nvvm_atomic(Builder *builder, LLVMValueRef call) {
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
  if (strstr(name, ".add.") && strstr(name, ".i.")) {
    access.op = ATOMIC_ADD;
    access.operand = operand;
  }
  old->stmt =
      add_access(builder, value_of(builder, pointer)->lanes[0], &access);
  set_scalar(builder, call, old->expr);
}

void call_ldg(Builder *builder, LLVMValueRef call) {
  LLVMTypeRef type = LLVMTypeOf(call);
  LLVMValueRef pointer = LLVMGetOperand(call, 0);
  unsigned bytes = lanes_of_type(builder, type) *
                   lane_bytes(builder, lane_type(builder, type, 0));
  Access access = {.kind = ACCESS_READ,
                   .length = bytes_constant(builder, bytes)};
  add_access(builder, value_of(builder, pointer)->lanes[0], &access);
  set_unknown(builder, call, "loaded value");
}

void call_memcpy(Builder *builder, LLVMValueRef call) {
  add_range(builder, call, 1, 2, ACCESS_READ);
  add_range(builder, call, 0, 2, ACCESS_WRITE);
}

void call_memset(Builder *builder, LLVMValueRef call) {
  size_t first = builder->kernel->stmts.count;
  add_range(builder, call, 0, 2, ACCESS_WRITE);
  reread_note_bytes(builder, first,
                    scalar_of(builder, LLVMGetOperand(call, 1)));
}

void call_fill(Builder *builder, LLVMValueRef call) {
  add_range(builder, call, 0, 1, ACCESS_WRITE);
}

// -------------------------------------------------------------- assembly ---

// Assembly that is not volatile and clobbers no memory computes a value, if
// each of its instructions writes registers alone.  PTX writes addresses in
// brackets.
bool is_asm_pure(Task *task, LLVMValueRef called) {
  enum { MOST_OPERANDS = 64 };
  size_t length = 0;
  const char *text = LLVMGetInlineAsmAsmString(called, &length);
  if (memchr(text, '\0', length))
    return false;
  const char *constraints = LLVMGetInlineAsmConstraintString(called, &length);
  if (LLVMGetInlineAsmHasSideEffects(called) || strstr(constraints, "memory") ||
      strchr(constraints, '*') || strchr(text, '['))
    return false;
  const PtxAssembly *assembly = ptx_assembly(task, text, MOST_OPERANDS);
  for (size_t i = 0; i < assembly->code.count; i++)
    if (!asm_is_silent(&assembly->code.at[i]))
      return false;
  return !assembly->problem;
}

static void translate_asm(Builder *builder, LLVMValueRef called) {
  size_t length = 0;
  const char *text = LLVMGetInlineAsmAsmString(called, &length);
  if (length && !is_asm_pure(builder->task, called))
    unsupported(builder->task, builder->loc, "inline assembly '%.60s'", text);
}

// -------------------------------------------------------------- dispatch ---

void call_nothing(Builder *builder, LLVMValueRef call) {
  (void)builder, (void)call;
}

void call_unmodelled(Builder *builder, LLVMValueRef call) {
  unsupported(builder->task, builder->loc, "a call of '%s'",
              called_name(builder->task, call));
}

static Translation *const translations[] = {
#define MEANING(name, operands, translation) [CALL_##name] = call_##translation,
#include "translator/meanings.def"
};

void translate_call(Builder *builder, LLVMValueRef call) {
  LLVMValueRef called = LLVMGetCalledValue(call);
  if (LLVMIsAInlineAsm(called)) {
    translate_asm(builder, called);
    if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind)
      set_unknown(builder, call, "assembly");
    return;
  }
  if (!called_function(call)) {
    call_through_pointer(builder, call);
    return;
  }
  if (!LLVMIsDeclaration(called) && llvm_is_left_open(call))
    unsupported(builder->task, builder->kernel->loc,
                "with all that it calls, the kernel has more than a million "
                "instructions");
  if (!LLVMIsDeclaration(called) && llvm_is_replaceable(called))
    unsupported(builder->task, builder->loc,
                "a call of '%s', which another file may replace",
                called_name(builder->task, call));
  if (!LLVMIsDeclaration(called) &&
      LLVMIsFunctionVarArg(LLVMGlobalGetValueType(called)))
    unsupported(builder->task, builder->loc,
                "a call of '%s', which takes any number of arguments",
                called_name(builder->task, call));
  if (!LLVMIsDeclaration(called))
    unsupported(builder->task, builder->loc, "a recursive call of '%s', %s",
                called_name(builder->task, call),
                llvm_is_endless(call) ? "which goes on for too long"
                                      : "whose depth no constant decides");
  if (is_pure_external(builder, call)) {
    call_external(builder, call);
    return;
  }
  const CallRow *row = find_row(builder, call);
  if (!row || !operands_fit(builder, call, row))
    call_unmodelled(builder, call);
  builder->row = row;
  translations[row->meaning](builder, call);
  if (!result_fits(builder, call))
    unsupported(builder->task, builder->loc, "a call of '%s' for a '%s'",
                called_name(builder->task, call),
                llvm_type_text(builder->task, LLVMTypeOf(call)));
}
