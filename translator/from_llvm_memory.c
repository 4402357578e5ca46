// Accesses: loads, stores, atomics.
//
// A pointer is an array's number and a byte offset.  An array that nobody
// writes keeps its contents, so what is read there is a function of the
// offset, the same in all threads.  What is read from a written array is
// anything (SOUND(other-threads)).  Who writes is known for certain only when
// all is translated, see from_llvm_arrays.c.  Accesses are byte ranges: two
// collide if their bytes overlap, whatever their types.
//
// An access through a pointer that may point anywhere is not modelled.  An
// offset beyond the end of an array stays an offset into that array
// (SOUND(in-bounds)); --check-array-bounds looks for those.

#include "ptx/emit.h"
#include "translator/from_llvm_calls.h"

#include <assert.h>
#include <string.h>

void translate_alloca(Builder *builder, LLVMValueRef alloca) {
  LlvmValue *value = value_new(builder, 1);
  value->lanes[0] = pointer_to_array(builder, private_array(builder, alloca));
  set_value(builder, alloca, value);
}

// -------------------------------------------------------------- accesses ---

static Stmt *access_array(Builder *builder, StmtKind kind, Array *array,
                          Expr *guard, const Access *access) {
  want_apart(builder, array, guard);
  if (access_writes(access)) {
    note_write(builder, array, access);
    apart_at_write(builder, array, guard, access);
    builder->has_effect |= array->space != SPACE_PRIVATE;
  }
  Stmt *stmt = builder_add(builder, kind);
  stmt->guard = expr_and(builder->task, stmt->guard, guard);
  stmt->access = *access;
  stmt->access.array = array;
  if (!array->element && expr_is_const(access->length))
    array->element = (unsigned)access->length->value;
  if (array->space == SPACE_CONSTANT && access_writes(access)) {
    stmt->kind = STMT_ASSERT;
    stmt->condition = expr_bool(builder->task, false);
    stmt->message = "constant memory is written";
  }
  return stmt;
}

static Expr *is_array(Builder *builder, Lane pointer, unsigned number) {
  return expr_eq(builder->task, pointer.base,
                 expr_const(builder->task, BASE_BITS, number));
}

// The arrays that an access may touch; gives up if none is known, and where an
// annotation reads, for that is no access.
static Roots *accessed_roots(Builder *builder, Lane pointer) {
  Roots *roots = roots_of(builder, pointer);
  bool is_by_cases = pointer.base->op == EXPR_ITE && roots->arrays.count;
  bool is_doubtful = roots->is_lost || has_found(roots);
  if ((roots->is_lost && !is_by_cases) || (is_doubtful && builder->is_quiet))
    unsupported(builder->task, builder->loc,
                "an access through a pointer that was loaded from memory or "
                "computed");
  return roots;
}

// Of the cases one or more may be a pointer of which nothing is known.  So the
// proof is one only if no thread accesses memory by that.
static void want_known_array(Builder *builder, Lane pointer,
                             const Roots *roots) {
  Task *task = builder->task;
  Expr *is_known = is_array(builder, pointer, BASE_NULL);
  if (!roots->is_lost)
    return;
  for (size_t i = 0; i < roots->arrays.count; i++)
    is_known = expr_or(task, is_known,
                       is_array(builder, pointer, roots->arrays.at[i]->number));
  Stmt *rest = builder_add(builder, STMT_ASSERT);
  rest->condition = is_known;
  rest->message =
      "an access through a pointer that was loaded from memory or "
      "computed";
  rest->doubt = "which array is accessed is not known";
}

Stmt *add_access(Builder *builder, Lane lane, const Access *access) {
  bool is_look = builder->is_quiet && access->kind == ACCESS_READ;
  if (is_look && !builder->is_looking)
    return NULL;
  Roots *roots = accessed_roots(builder, lane);
  want_known_array(builder, lane, roots);
  if (roots->may_be_null && !is_look)
    assert_here(builder,
                expr_not(builder->task, is_array(builder, lane, BASE_NULL)),
                "a null pointer is accessed");
  Access copy = *access;
  copy.offset = lane.bits;
  copy.is_for_annotations = is_for_annotations(builder, builder->instruction);
  Stmt *last = NULL;
  for (size_t i = 0; i < roots->arrays.count; i++) {
    Array *array = roots->arrays.at[i];
    Expr *here = is_array(builder, lane, array->number);
    if (!expr_is_false(here))
      last = access_array(builder, is_look ? STMT_LOOK : STMT_ACCESS, array,
                          here, &copy);
  }
  return last;
}

void add_access_to(Builder *builder, Array *array, Expr *guard,
                   const Access *access) {
  Access copy = *access;
  copy.is_for_annotations = is_for_annotations(builder, builder->instruction);
  if (builder->is_quiet)
    unsupported(builder->task, builder->loc, "an annotation that accesses '%s'",
                array->name);
  access_array(builder, STMT_ACCESS, array, guard, &copy);
}

Expr *bytes_constant(Builder *builder, uint64_t bytes) {
  return expr_const(builder->task, POINTER_BITS, bytes);
}

static Expr *bytes_of(Builder *builder, LLVMTypeRef type) {
  want_fixed_size(builder, type);
  return expr_const(builder->task, POINTER_BITS,
                    LLVMStoreSizeOfType(builder->layout, type));
}

// CUDA's own atomics order nothing, though clang makes seq_cst of some; what
// comes of assembly has the order that it says.
static LLVMAtomicOrdering ordering_of(Builder *builder,
                                      LLVMValueRef instruction) {
  if (!asm_says_order(instruction) &&
      llvm_is_of_runtime_header(builder->task, instruction))
    return LLVMAtomicOrderingMonotonic;
  return LLVMGetInstructionOpcode(instruction) == LLVMAtomicCmpXchg
             ? LLVMGetCmpXchgSuccessOrdering(instruction)
             : LLVMGetOrdering(instruction);
}

static bool orders_both(LLVMAtomicOrdering order) {
  return order == LLVMAtomicOrderingAcquireRelease ||
         order == LLVMAtomicOrderingSequentiallyConsistent;
}

static bool releases(Builder *builder, LLVMValueRef instruction) {
  LLVMAtomicOrdering order = ordering_of(builder, instruction);
  return order == LLVMAtomicOrderingRelease || orders_both(order);
}

static bool acquires(Builder *builder, LLVMValueRef instruction) {
  LLVMAtomicOrdering order = ordering_of(builder, instruction);
  return order == LLVMAtomicOrderingAcquire || orders_both(order);
}

static bool acquires_always(Builder *builder, LLVMValueRef instruction) {
  bool is_compare = LLVMGetInstructionOpcode(instruction) == LLVMAtomicCmpXchg;
  LLVMAtomicOrdering failing = is_compare
                                   ? LLVMGetCmpXchgFailureOrdering(instruction)
                                   : LLVMAtomicOrderingAcquire;
  return acquires(builder, instruction) &&
         (failing == LLVMAtomicOrderingAcquire || orders_both(failing));
}

void translate_fence(Builder *builder, LLVMValueRef fence) {
  Scope scope;
  if (builder->kernel->is_amdgcn) {
    translate_amd_fence(builder, fence);
    return;
  }
  bool is_known = llvm_scope(fence, &scope);
  Stmt *stmt = builder_add(builder, STMT_FENCE);
  stmt->scope = is_known ? scope : SCOPE_SYSTEM;
  stmt->is_full = is_known && orders_both(LLVMGetOrdering(fence));
}

static Scope scope_of(Builder *builder, LLVMValueRef instruction) {
  Scope scope;
  if (!llvm_scope(instruction, &scope))
    unsupported(builder->task, builder->loc, "an atomic of unknown scope");
  return scope;
}

// ----------------------------------------------------------------- loads ---

static unsigned position_of(const Builder *builder, const Array *array) {
  unsigned index = 0;
  while (table_get(&builder->arrays, LLVMGetParam(builder->function, index)) !=
         array)
    index++;
  return index;
}

// NULL: the launch does not say.
static Expr *given_field(Builder *builder, unsigned parameter, uint64_t offset,
                         unsigned bits) {
  const Launch *launch = &builder->kernel->launch;
  if (parameter >= launch->arguments.count)
    return NULL;
  const ArgumentWords *words = &launch->arguments.at[parameter].words;
  for (size_t i = 0; i < words->count; i++)
    if (words->at[i].offset == offset && 8 * words->at[i].bytes == bits)
      return expr_const(builder->task, bits, words->at[i].value);
  return NULL;
}

// A scalar at `offset` of an argument passed by value: a parameter of its own.
// Several arguments may have one name.
static Expr *argument_field(Builder *builder, const Array *array,
                            uint64_t offset, unsigned bits) {
  Arena *arena = &builder->task->arena;
  for (size_t i = 0; i < builder->fields.count; i++) {
    const ArgumentField *field = &builder->fields.at[i];
    if (field->array == array && field->offset == offset &&
        field->value->width == bits)
      return field->value;
  }
  unsigned parameter = position_of(builder, array);
  Expr *value = given_field(builder, parameter, offset, bits);
  if (!value) {
    const char *name =
        arena_printf(arena, "%s+%llu", array->name, (unsigned long long)offset);
    value = builder_symbol(builder, SYMBOL_PARAMETER, bits, name)->expr;
    value->symbol->is_member = true;
    find_sign(builder, parameter, offset, value->symbol);
  }
  ArgumentField field = {array, parameter, offset, value};
  push(arena, &builder->fields, field);
  return value;
}

// What a scalar at `offset` of an array that nobody writes is: a function of
// the offset.
static Expr *fixed_contents(Builder *builder, Array *array, Expr *offset,
                            unsigned bits) {
  if (array->is_by_value && expr_is_const(offset))
    return argument_field(builder, array, offset->value, bits);
  Expr *word = launch_word(builder, array, offset, bits);
  if (word)
    return word;
  const char *function = arena_printf(&builder->task->arena, "%s#%u.%u",
                                      array->name, array->number, bits);
  return expr_apply(builder->task, function, bits, &offset, 1);
}

// Of shared memory each block has its own.
static Expr *of_block(Builder *builder, const char *function, Expr *offset,
                      unsigned bits) {
  Expr *place[4] = {offset};
  for (unsigned axis = 0; axis < 3; axis++)
    place[1 + axis] = builder->kernel->block_id[axis];
  return expr_apply(builder->task, function, bits, place, 4);
}

// Shared memory that nobody writes: each block finds something else there.
static Expr *contents_of_block(Builder *builder, const Array *array,
                               Expr *offset, unsigned bits) {
  const char *function =
      arena_printf(&builder->task->arena, "found in %s.%u.%u", array->name,
                   array->number, bits);
  return of_block(builder, function, offset, bits);
}

static bool has_fixed_contents(const Array *array) {
  return !array->is_written &&
         (array->space != SPACE_PRIVATE || array->is_by_value) &&
         array->space != SPACE_SHARED;
}

static bool is_atomic(LLVMValueRef access) {
  return LLVMGetOrdering(access) != LLVMAtomicOrderingNotAtomic;
}

static bool changes_by_itself(const Array *array) {
  return array->space == SPACE_GLOBAL || array->space == SPACE_SHARED;
}

// What others write meanwhile races with a plain read alone, and where that is
// no seed.
static bool is_known_again(Builder *builder, const Array *array,
                           LLVMValueRef load) {
  bool is_plain = !LLVMGetVolatile(load) && !is_atomic(load);
  if (array->is_written && changes_by_itself(array) &&
      is_seed_read(builder, load))
    return false;
  return array->is_written && (is_plain || !changes_by_itself(array));
}

// Vectors of elements that are no bytes have several in one byte.
static Expr *scalar_in(Builder *builder, LLVMValueRef load, Array *array,
                       Expr *offset, LLVMTypeRef type, Expr *unknown) {
  unsigned bits = scalar_bits(builder, type);
  if (is_known_again(builder, array, load))
    return reread_lane(builder, array, offset, type, (Lane){.bits = unknown})
        .bits;
  if (array->space == SPACE_SHARED && !array->is_written && bits % 8 == 0)
    return contents_of_block(builder, array, offset, bits);
  if (!has_fixed_contents(array) || bits % 8)
    return unknown;
  Expr *beyond = fixed_contents(builder, array, offset, bits);
  Expr *value = tabulated(builder, array, offset, type, beyond);
  return within_table(builder, array, offset, value);
}

// One that lies where the thread itself has stored it.
static Lane stored_pointer(Builder *builder, LLVMValueRef load,
                           LLVMTypeRef type, Lane from, const Roots *roots,
                           Lane lost) {
  bool is_one = expr_is_const(from.base) && roots->arrays.count == 1;
  const Array *array = is_one ? roots->arrays.at[0] : NULL;
  return array && is_known_again(builder, array, load)
             ? reread_lane(builder, array, from.bits, type, lost)
             : lost;
}

// SOUND(volatile-accesses): the host may write while the kernel runs, and what
// is volatile, or atomic, reads anew.
static bool reads_anew(LLVMValueRef load) {
  LLVMBasicBlockRef block = LLVMGetInstructionParent(load);
  return (LLVMGetVolatile(load) || is_atomic(load)) &&
         !llvm_is_of_opencl(LLVMGetBasicBlockParent(block));
}

static Lane load_pointer(Builder *builder, LLVMValueRef load, LLVMTypeRef type,
                         Lane from, const Roots *roots) {
  Pointee pointee = pointee_of(builder, from, type);
  if (pointee.may_change)
    assume_named(builder, "no-alias");
  if (pointee.constant)
    return value_of(builder, pointee.constant)->lanes[0];
  bool is_anew = pointee.array && pointee.array->is_found && reads_anew(load);
  if (pointee.array && !is_anew)
    return pointer_to_array(builder, pointee.array);
  Lane lost = lane_unknown(builder, type, "pointer");
  if (!expr_is_const(from.base) || !is_array_number(from.base->value))
    return lost;
  lost = stored_pointer(builder, load, type, from, roots, lost);
  const Array *array = builder->kernel->arrays.at[from.base->value - 1];
  return tabulated_pointer(builder, array, from.bits, type, lost);
}

static Lane load_lane(Builder *builder, LLVMValueRef load, LLVMTypeRef type,
                      Lane from, const Roots *roots, Symbol *unknown) {
  Lane lane = {.bits = unknown->expr};
  if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
    return load_pointer(builder, load, type, from, roots);
  for (size_t i = 0; i < roots->arrays.count; i++) {
    Array *array = roots->arrays.at[i];
    if (changes_by_itself(array) && reads_anew(load))
      continue;
    Expr *value =
        scalar_in(builder, load, array, from.bits, type, unknown->expr);
    lane.bits = expr_ite(builder->task, is_array(builder, from, array->number),
                         value, lane.bits);
  }
  if (!expr_is_const(from.base))
    builder->reread.count = 0; // each is about one of several arrays
  return lane;
}

// One scalar of what is read.  Its symbol is tied to the statement that reads
// it, but only where there is just one.
static Lane read_lane(Builder *builder, LLVMValueRef load, Lane from,
                      unsigned index, const Roots *roots, Symbol **symbol) {
  LLVMTypeRef type = LLVMTypeOf(load);
  LLVMTypeRef scalar = lane_type(builder, type, index);
  from.bits =
      expr_add(builder->task, from.bits,
               bytes_constant(builder, lane_offset(builder, type, index)));
  *symbol =
      builder_symbol(builder, is_atomic(load) ? SYMBOL_ATOMIC : SYMBOL_LOAD,
                     scalar_bits(builder, scalar), "loaded value");
  LLVMValueRef known = known_scalar(builder, from, scalar);
  return known ? value_of(builder, known)->lanes[0]
               : load_lane(builder, load, scalar, from, roots, *symbol);
}

// The load that follows may be executed at any time.
void call_may_move(Builder *builder, LLVMValueRef call) {
  Lane from = value_of(builder, LLVMGetOperand(call, 0))->lanes[0];
  const Roots *roots = accessed_roots(builder, from);
  for (size_t i = 0; i < roots->arrays.count; i++)
    if (roots->arrays.at[i]->is_written)
      unsupported(builder->task, builder->loc,
                  "a load of '%s', which is written, by assembly that is not "
                  "volatile and does not clobber memory",
                  roots->arrays.at[i]->name);
}

// What an instruction takes for global memory has another number elsewhere.
void call_is_global(Builder *builder, LLVMValueRef call) {
  Lane pointer = value_of(builder, LLVMGetOperand(call, 0))->lanes[0];
  const Roots *roots = accessed_roots(builder, pointer);
  for (size_t i = 0; i < roots->arrays.count; i++) {
    const Array *array = roots->arrays.at[i];
    if (array->space == SPACE_SHARED || array->space == SPACE_PRIVATE)
      assert_here(
          builder,
          expr_not(builder->task, is_array(builder, pointer, array->number)),
          "an address is not in global memory");
  }
}

void translate_load(Builder *builder, LLVMValueRef load) {
  LLVMTypeRef type = LLVMTypeOf(load);
  LLVMValueRef pointer = LLVMGetOperand(load, 0);
  Lane from = value_of(builder, pointer)->lanes[0];
  bool is_of_other = other_looks(builder, &from.bits);
  Roots *roots = accessed_roots(builder, from);
  LlvmValue *value = value_new(builder, lanes_of_type(builder, type));
  Vec(Symbol *) symbols = {0};
  for (unsigned i = 0; i < value->count; i++) {
    Symbol *symbol;
    value->lanes[i] = read_lane(builder, load, from, i, roots, &symbol);
    push(&builder->task->arena, &symbols, symbol);
  }
  Access access = {
      .kind = is_atomic(load) ? ACCESS_ATOMIC : ACCESS_READ,
      .scope = is_atomic(load) ? scope_of(builder, load) : SCOPE_SYSTEM,
      .is_volatile = !is_atomic(load) && llvm_is_strong_volatile(load),
      .is_seed = !is_atomic(load) && is_seed_read(builder, load),
      .is_load = is_atomic(load),
      .acquires = is_atomic(load) && acquires(builder, load),
      .acquires_always = is_atomic(load) && acquires(builder, load),
      .name = name_at(builder, pointer),
      .length = bytes_of(builder, type),
      .alignment = LLVMGetAlignment(load),
      .result = symbols.count ? symbols.at[0] : NULL};
  size_t first = builder->kernel->stmts.count;
  Stmt *stmt = add_access(builder, from, &access);
  reread_note(builder, first, type, value);
  reread_is_known(builder);
  bool is_tied = expr_is_const(from.base) &&
                 (is_atomic(load) || access.is_volatile || !reads_anew(load));
  for (size_t i = 0; i < symbols.count && is_tied; i++)
    symbols.at[i]->stmt = stmt;
  for (unsigned i = 0; i < value->count && is_of_other; i++)
    value->lanes[i].bits = ghost_of_other(builder, value->lanes[i].bits);
  set_value(builder, load, value);
}

// ---------------------------------------------------------------- stores ---

// A pointer is the same number to all who may compare it if it is as far behind
// the same array, in the same space.  NULL: nobody knows.
static Expr *stored_lane(Builder *builder, LLVMTypeRef type, Lane lane) {
  if (!lane.base)
    return lane.bits;
  if (!expr_is_const(lane.base) || !is_array_number(lane.base->value))
    return NULL;
  const Array *array = builder->kernel->arrays.at[lane.base->value - 1];
  if (array->space == SPACE_PRIVATE)
    return NULL;
  const char *function = arena_printf(
      &builder->task->arena, "address in %s.%u of %u.%u", array->name,
      array->number, LLVMGetPointerAddressSpace(type), lane.bits->width);
  if (array->space == SPACE_SHARED)
    return of_block(builder, function, lane.bits, lane.bits->width);
  return expr_apply(builder->task, function, lane.bits->width, &lane.bits, 1);
}

Expr *stored_bits(Builder *builder, LLVMTypeRef type, const LlvmValue *value) {
  Expr *all = NULL;
  uint64_t bytes = 0;
  for (unsigned i = 0; i < value->count; i++) {
    Expr *bits =
        stored_lane(builder, lane_type(builder, type, i), value->lanes[i]);
    if (!bits || bits->width % 8 || lane_offset(builder, type, i) != bytes)
      return NULL; // Booleans, padding: the value is not compared
    bytes += bits->width / 8;
    all = all ? expr_concat(builder->task, bits, all) : bits;
  }
  return all;
}

void translate_store(Builder *builder, LLVMValueRef store) {
  LLVMValueRef stored = LLVMGetOperand(store, 0);
  LLVMValueRef pointer = LLVMGetOperand(store, 1);
  LLVMTypeRef type = LLVMTypeOf(stored);
  Access access = {
      .kind = is_atomic(store) ? ACCESS_ATOMIC : ACCESS_WRITE,
      .scope = is_atomic(store) ? scope_of(builder, store) : SCOPE_SYSTEM,
      .is_volatile = !is_atomic(store) && llvm_is_strong_volatile(store),
      .releases = is_atomic(store) && releases(builder, store),
      .name = name_at(builder, pointer),
      .length = bytes_of(builder, type),
      .alignment = LLVMGetAlignment(store)};
  access.value = stored_bits(builder, type, value_of(builder, stored));
  if (access.value && access.value->width != 8 * access.length->value)
    access.value = NULL;
  size_t first = builder->kernel->stmts.count;
  add_access(builder, value_of(builder, pointer)->lanes[0], &access);
  reread_note(builder, first, type, value_of(builder, stored));
}

// --------------------------------------------------------------- atomics ---

static void note_operation(Builder *builder, LLVMValueRef instruction,
                           Access *access) {
  Task *task = builder->task;
  Expr *operand = scalar_of(builder, LLVMGetOperand(instruction, 1));
  LLVMAtomicRMWBinOp op = LLVMGetAtomicRMWBinOp(instruction);
  access->operand = operand;
  if (op == LLVMAtomicRMWBinOpAdd)
    access->op = ATOMIC_ADD;
  else if (op == LLVMAtomicRMWBinOpOr)
    access->op = ATOMIC_OR;
  else if (op == LLVMAtomicRMWBinOpXchg)
    access->op = ATOMIC_EXCHANGE;
  else if (op == LLVMAtomicRMWBinOpUIncWrap)
    access->op = ATOMIC_INCREMENT;
  else if (op == LLVMAtomicRMWBinOpSub) {
    access->op = ATOMIC_ADD;
    access->operand =
        expr_sub(task, expr_const(task, operand->width, 0), operand);
  } else
    access->operand = NULL;
}

// A weak one may leave what it has compared.
static void note_comparison(Builder *builder, LLVMValueRef instruction,
                            Access *access) {
  if (LLVMGetWeak(instruction))
    return;
  access->op = ATOMIC_COMPARE;
  access->expected = scalar_of(builder, LLVMGetOperand(instruction, 1));
  access->operand = scalar_of(builder, LLVMGetOperand(instruction, 2));
}

void translate_atomic(Builder *builder, LLVMValueRef instruction) {
  Task *task = builder->task;
  LLVMValueRef pointer = LLVMGetOperand(instruction, 0);
  LLVMValueRef operand = LLVMGetOperand(instruction, 1);
  LLVMTypeRef type = LLVMTypeOf(operand);
  bool is_exchange = LLVMGetInstructionOpcode(instruction) == LLVMAtomicCmpXchg;
  Symbol *old = builder_symbol(builder, SYMBOL_ATOMIC,
                               scalar_bits(builder, type), "old value");
  Access access = {.kind = ACCESS_ATOMIC,
                   .scope = scope_of(builder, instruction),
                   .releases = releases(builder, instruction),
                   .acquires = acquires(builder, instruction),
                   .acquires_always = acquires_always(builder, instruction),
                   .name = name_at(builder, pointer),
                   .length = bytes_of(builder, type),
                   .result = old};
  LlvmValue *value = value_new(builder, is_exchange ? 2 : 1);
  value->lanes[0].bits = old->expr;
  if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
    value->lanes[0] = lane_unknown(builder, type, "pointer");
  if (is_exchange)
    value->lanes[1].bits =
        LLVMGetWeak(instruction)
            ? builder_unknown(builder, 1, "exchanged")
            : expr_eq(task, old->expr, scalar_of(builder, operand));
  bool is_integer = LLVMGetTypeKind(type) == LLVMIntegerTypeKind;
  if (is_integer && is_exchange)
    note_comparison(builder, instruction, &access);
  else if (is_integer)
    note_operation(builder, instruction, &access);
  old->stmt =
      add_access(builder, value_of(builder, pointer)->lanes[0], &access);
  set_value(builder, instruction, value);
}
