// Pointers, arrays and accesses.
//
// A pointer is an array's number and a byte offset.  Before anything is
// translated we find the roots of every pointer that is written through:
// an array that nobody writes keeps its contents, so what is read there is
// a function of the offset, the same in all threads.  What is read from a
// written array is anything (SOUND(other-threads)).  Accesses are byte
// ranges: two collide if their bytes overlap, whatever their types.
//
// All `extern __shared__` variables of a kernel are one array: they start at
// one address.  A pointer found in a kernel's argument or in a device
// variable that no kernel writes is an array of its own (SOUND(no-alias)), or
// what from_llvm_initial.c says that the variable is initialised with; any
// other pointer found in memory is lost, and an access through it is not
// modelled.  An offset beyond the end of an array stays an offset into that
// array (SOUND(in-bounds)); --check-array-bounds looks for those.

#include "translator/from_llvm.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- arrays ---

static Array *new_array(Builder *builder, const void *key, const char *name,
                        Space space) {
  Kernel *kernel = builder->kernel;
  Array *array = NEW(&builder->task->arena, Array);
  push(&builder->task->arena, &kernel->arrays, array);
  array->number = (unsigned)kernel->arrays.count;
  if (array->number >= BASE_LOST)
    unsupported(builder->task, builder->loc, "more than %d arrays",
                BASE_LOST - 1);
  array->name = name;
  array->space = space;
  array->loc = builder->kernel->loc;
  if (key)
    table_put(builder->task, &builder->arrays, key, array);
  return array;
}

static bool is_spir(const Builder *builder) {
  return builder->kernel->is_opencl;
}

// Address spaces of clang's CUDA (NVPTX) and OpenCL (SPIR) targets.
static Space space_of(const Builder *builder, unsigned address_space) {
  if (address_space == 3)
    return SPACE_SHARED;
  if (address_space == (is_spir(builder) ? 2 : 4))
    return SPACE_CONSTANT;
  return SPACE_GLOBAL;
}

static uint64_t size_of(const Builder *builder, LLVMTypeRef type) {
  return LLVMTypeIsSized(type) ? LLVMABISizeOfType(builder->layout, type) : 0;
}

LLVMTypeRef llvm_innermost(LLVMTypeRef type) {
  while (LLVMGetTypeKind(type) == LLVMArrayTypeKind)
    type = LLVMGetElementType(type);
  return type;
}

const char *llvm_variable_name(Task *task, const char *name) {
  // OpenCL: kernel.tile
  const char *dot = strrchr(name, '.');
  if (dot && dot[1] && strncmp(name, "_Z", 2) != 0 &&
      strspn(dot + 1, "0123456789") != strlen(dot + 1))
    return arena_copy(&task->arena, dot + 1);
  return arena_copy(&task->arena, plain_name(task, name));
}

static bool is_dynamic_shared(const Builder *builder, LLVMValueRef global) {
  LLVMTypeRef type = LLVMGlobalGetValueType(global);
  return !is_spir(builder) &&
         LLVMGetPointerAddressSpace(LLVMTypeOf(global)) == 3 &&
         LLVMIsDeclaration(global) && size_of(builder, type) == 0;
}

static Array *dynamic_shared(Builder *builder, LLVMValueRef global,
                             const char *name) {
  static const char key; // one array for all of them
  Array *array = table_get(&builder->arrays, &key);
  if (!array) {
    array = new_array(builder, &key, name, SPACE_SHARED);
    Extent bytes = builder->kernel->launch.dynamic_shared;
    if (bytes.known)
      array->bytes = expr_const(builder->task, POINTER_BITS, bytes.value);
  }
  table_put(builder->task, &builder->arrays, global, array);
  return array;
}

static Array *global_array(Builder *builder, LLVMValueRef global) {
  Array *array = table_get(&builder->arrays, global);
  if (array)
    return array;
  size_t length = 0;
  const char *name =
      llvm_variable_name(builder->task, LLVMGetValueName2(global, &length));
  if (is_dynamic_shared(builder, global))
    return dynamic_shared(builder, global, name);
  LLVMTypeRef type = LLVMGlobalGetValueType(global);
  Space space =
      space_of(builder, LLVMGetPointerAddressSpace(LLVMTypeOf(global)));
  if (space == SPACE_GLOBAL && LLVMIsGlobalConstant(global))
    space = SPACE_CONSTANT;
  array = new_array(builder, global, name, space);
  uint64_t bytes = size_of(builder, type);
  array->bytes = bytes ? expr_const(builder->task, POINTER_BITS, bytes) : NULL;
  array->element = (unsigned)size_of(builder, llvm_innermost(type));
  return array;
}

static Array *private_array(Builder *builder, LLVMValueRef alloca) {
  Array *array = table_get(&builder->arrays, alloca);
  if (array)
    return array;
  const char *name = table_get(&builder->names, alloca);
  array = new_array(builder, alloca, name ? name : "a local variable",
                    SPACE_PRIVATE);
  LLVMTypeRef type = LLVMGetAllocatedType(alloca);
  LLVMValueRef count = LLVMGetOperand(alloca, 0);
  if (!LLVMIsAConstantInt(count))
    return array;
  uint64_t bytes = size_of(builder, type) * LLVMConstIntGetZExtValue(count);
  array->bytes = expr_const(builder->task, POINTER_BITS, bytes);
  array->element = (unsigned)size_of(builder, llvm_innermost(type));
  return array;
}

static void add_parameter_array(Builder *builder, unsigned index) {
  LLVMValueRef parameter = LLVMGetParam(builder->function, index);
  LLVMTypeRef type = LLVMTypeOf(parameter);
  if (LLVMGetTypeKind(type) != LLVMPointerTypeKind)
    return;
  const char *name = table_get(&builder->names, parameter);
  if (!name)
    name = arena_printf(&builder->task->arena, "argument %u", index + 1);
  bool by_value = llvm_is_by_value(builder->function, index);
  Space space = by_value ? SPACE_PRIVATE
                         : space_of(builder, LLVMGetPointerAddressSpace(type));
  Array *array = new_array(builder, parameter, name, space);
  array->is_parameter = true;
  array->is_by_value = by_value;
  if (by_value)
    llvm_fields(builder->task, builder->function, index, &array->fields);
}

// ----------------------------------------------------------------- roots ---

static unsigned opcode_of(LLVMValueRef value) {
  if (LLVMIsAInstruction(value))
    return LLVMGetInstructionOpcode(value);
  return LLVMIsAConstantExpr(value) ? LLVMGetConstOpcode(value) : 0;
}

// What a pointer is a constant number of bytes behind; NULL: it is computed.
static LLVMValueRef constant_root(Builder *builder, LLVMValueRef pointer,
                                  uint64_t *offset) {
  *offset = 0;
  for (;;) {
    unsigned opcode = opcode_of(pointer);
    if (opcode == LLVMGetElementPtr) {
      for (int i = 1; i < LLVMGetNumOperands(pointer); i++)
        if (!LLVMIsAConstantInt(LLVMGetOperand(pointer, (unsigned)i)))
          return NULL;
      Lane lane = {expr_const(builder->task, POINTER_BITS, 0),
                   expr_const(builder->task, BASE_BITS, BASE_NULL)};
      *offset += pointer_gep_from(builder, pointer, lane).bits->value;
    } else if (opcode != LLVMBitCast && opcode != LLVMAddrSpaceCast &&
               opcode != LLVMFreeze) {
      return pointer;
    }
    pointer = LLVMGetOperand(pointer, 0);
  }
}

static Array *array_at(Builder *builder, LLVMValueRef root) {
  return LLVMIsAGlobalVariable(root) ? global_array(builder, root)
                                     : table_get(&builder->arrays, root);
}

bool constant_place(Builder *builder, LLVMValueRef pointer, Array **array,
                    uint64_t *offset) {
  LLVMValueRef root = constant_root(builder, pointer, offset);
  *array = root ? array_at(builder, root) : NULL;
  return *array != NULL;
}

static bool may_hold_pointers(const Array *array) {
  bool is_variable = !array->is_parameter && (array->space == SPACE_GLOBAL ||
                                              array->space == SPACE_CONSTANT);
  return (array->is_by_value || is_variable) && !array->is_written;
}

static Array *held_array(Builder *builder, LLVMValueRef load, Array *holder,
                         uint64_t offset) {
  for (size_t i = 0; i < builder->kernel->arrays.count; i++) {
    Array *array = builder->kernel->arrays.at[i];
    if (array->holder == holder && array->holder_offset == offset)
      return array;
  }
  const char *name = llvm_field_name(builder->task, holder->name,
                                     &holder->fields, offset, POINTER_BITS / 8);
  if (!name)
    name = offset || holder->is_by_value
               ? arena_printf(&builder->task->arena, "*(%s+%u)", holder->name,
                              (unsigned)offset)
               : arena_printf(&builder->task->arena, "*%s", holder->name);
  Space space = space_of(builder, LLVMGetPointerAddressSpace(LLVMTypeOf(load)));
  Array *array = new_array(builder, NULL, name, space);
  array->is_parameter = true;
  array->holder = holder;
  array->holder_offset = offset;
  return array;
}

// What a pointer that lies in an argument or a variable points to: an array of
// its own, or a constant.  Neither: it is lost.
typedef struct Pointee {
  Array *array;
  LLVMValueRef constant;
  bool may_change; // by the host
} Pointee;

static Pointee pointee_of(Builder *builder, LLVMValueRef load) {
  uint64_t offset;
  LLVMValueRef root = constant_root(builder, LLVMGetOperand(load, 0), &offset);
  Array *holder = root ? array_at(builder, root) : NULL;
  if (!holder || !may_hold_pointers(holder))
    return (Pointee){0};
  if (LLVMIsAGlobalVariable(root)) {
    InitialPointer initial =
        llvm_initial_pointer(builder, root, offset, LLVMTypeOf(load));
    if (initial.is_lost || initial.constant)
      return (Pointee){.constant = initial.constant,
                       .may_change = !llvm_is_fixed(root)};
  }
  return (Pointee){.array = held_array(builder, load, holder, offset)};
}

typedef struct Search {
  Vec(LLVMValueRef) work;
  ValueTable seen;
  Roots *roots;
} Search;

static void visit(Task *task, Search *search, LLVMValueRef value) {
  if (table_get(&search->seen, value))
    return;
  table_put(task, &search->seen, value, search);
  push(&task->arena, &search->work, value);
}

static void add_root(Task *task, Roots *roots, Array *array) {
  for (size_t i = 0; i < roots->arrays.count; i++)
    if (roots->arrays.at[i] == array)
      return;
  push(&task->arena, &roots->arrays, array);
}

static void visit_operands(Task *task, Search *search, LLVMValueRef value,
                           unsigned first) {
  int count = opcode_of(value) == LLVMPHI ? (int)LLVMCountIncoming(value)
                                          : LLVMGetNumOperands(value);
  for (int i = (int)first; i < count; i++)
    visit(task, search,
          opcode_of(value) == LLVMPHI ? LLVMGetIncomingValue(value, (unsigned)i)
                                      : LLVMGetOperand(value, (unsigned)i));
}

static void search_load(Builder *builder, Search *search, LLVMValueRef load) {
  Pointee pointee = pointee_of(builder, load);
  if (pointee.constant)
    visit(builder->task, search, pointee.constant);
  else if (pointee.array)
    add_root(builder->task, search->roots, pointee.array);
  else
    search->roots->is_lost = true;
}

// Integer arithmetic on an address: the roots of its ptrtoint operands.
static void search_integer(Builder *builder, Search *search,
                           LLVMValueRef value) {
  switch (opcode_of(value)) {
  case LLVMPtrToInt:
    visit(builder->task, search, LLVMGetOperand(value, 0));
    break;
  case LLVMAdd:
  case LLVMSub:
  case LLVMAnd:
  case LLVMOr:
  case LLVMTrunc:
  case LLVMZExt:
  case LLVMPHI:
  case LLVMFreeze:
  case LLVMIntToPtr:
    visit_operands(builder->task, search, value, 0);
    break;
  case LLVMSelect:
    visit_operands(builder->task, search, value, 1);
    break;
  default:
    break; // an offset
  }
}

static void search_pointer(Builder *builder, Search *search,
                           LLVMValueRef value) {
  Task *task = builder->task;
  Array *array = table_get(&builder->arrays, value);
  if (array) {
    add_root(task, search->roots, array);
    return;
  }
  if (LLVMIsAGlobalVariable(value)) {
    add_root(task, search->roots, global_array(builder, value));
    return;
  }
  if (LLVMIsConstant(value) && (LLVMIsNull(value) || LLVMIsUndef(value))) {
    search->roots->may_be_null = true;
    return;
  }
  switch (opcode_of(value)) {
  case LLVMAlloca:
    add_root(task, search->roots, private_array(builder, value));
    break;
  case LLVMGetElementPtr:
  case LLVMBitCast:
  case LLVMAddrSpaceCast:
  case LLVMFreeze:
    visit(task, search, LLVMGetOperand(value, 0));
    break;
  case LLVMPHI:
    visit_operands(task, search, value, 0);
    break;
  case LLVMSelect:
    visit_operands(task, search, value, 1);
    break;
  case LLVMLoad:
    search_load(builder, search, value);
    break;
  case LLVMIntToPtr: {
    size_t before = search->roots->arrays.count + search->work.count;
    search_integer(builder, search, value);
    if (search->roots->arrays.count + search->work.count == before)
      search->roots->is_lost = true;
    break;
  }
  default:
    search->roots->is_lost = true;
  }
}

Roots *roots_of(Builder *builder, LLVMValueRef pointer) {
  Roots *known = table_get(&builder->roots, pointer);
  if (known)
    return known;
  Search search = {.roots = NEW(&builder->task->arena, Roots)};
  visit(builder->task, &search, pointer);
  while (search.work.count) {
    LLVMValueRef value = search.work.at[--search.work.count];
    if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind)
      search_pointer(builder, &search, value);
    else
      search_integer(builder, &search, value);
  }
  table_put(builder->task, &builder->roots, pointer, search.roots);
  return search.roots;
}

static void mark_written(Builder *builder, LLVMValueRef pointer,
                         bool is_atomic) {
  Roots *roots = roots_of(builder, pointer);
  for (size_t i = 0; i < roots->arrays.count; i++) {
    roots->arrays.at[i]->is_written = true;
    roots->arrays.at[i]->is_atomic |= is_atomic;
  }
}

static void mark_instruction(Builder *builder, LLVMValueRef instruction) {
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMStore:
    mark_written(builder, LLVMGetOperand(instruction, 1),
                 LLVMGetOrdering(instruction) != LLVMAtomicOrderingNotAtomic);
    break;
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
    mark_written(builder, LLVMGetOperand(instruction, 0), true);
    break;
  case LLVMCall:
    if (call_is_pure(builder->task, instruction))
      break;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(instruction); i++) {
      LLVMValueRef operand = LLVMGetOperand(instruction, i);
      if (LLVMGetTypeKind(LLVMTypeOf(operand)) == LLVMPointerTypeKind)
        mark_written(builder, operand, true);
    }
    break;
  default:
    break;
  }
}

// Two rounds, because a variable that holds a pointer may turn out written
// only after the pointer was followed.
void find_arrays(Builder *builder) {
  for (unsigned i = 0; i < LLVMCountParams(builder->function); i++)
    add_parameter_array(builder, i);
  for (int round = 0; round < 2; round++) {
    builder->roots = (ValueTable){0};
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(builder->function);
         block; block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
           i = LLVMGetNextInstruction(i))
        mark_instruction(builder, i);
  }
  builder->roots = (ValueTable){0};
}

// -------------------------------------------------------------- pointers ---

static Lane pointer_to(Builder *builder, const Array *array) {
  return (Lane){expr_const(builder->task, POINTER_BITS, 0),
                expr_const(builder->task, BASE_BITS, array->number)};
}

void translate_alloca(Builder *builder, LLVMValueRef alloca) {
  LlvmValue *value = value_new(builder, 1);
  value->lanes[0] = pointer_to(builder, private_array(builder, alloca));
  set_value(builder, alloca, value);
}

Lane pointer_constant(Builder *builder, LLVMValueRef constant) {
  if (LLVMIsAGlobalVariable(constant))
    return pointer_to(builder, global_array(builder, constant));
  if (LLVMIsAConstantExpr(constant)) {
    switch (LLVMGetConstOpcode(constant)) {
    case LLVMGetElementPtr:
      return pointer_gep(builder, constant);
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
      return value_of(builder, LLVMGetOperand(constant, 0))->lanes[0];
    default:
      break;
    }
  }
  return lane_unknown(builder, LLVMTypeOf(constant), "address");
}

// SOUND(address-arithmetic): index * bytes does not wrap where the program
// says that it stays inside an object.
static void assume_no_wrap(Builder *builder, LLVMValueRef gep, Expr *index,
                           uint64_t bytes) {
  enum { NARROW = 32 };
  Task *task = builder->task;
  bool is_narrow = index->op == EXPR_SEXT && index->args[0]->width <= NARROW;
  bool can_wrap = bytes > 1 && !expr_is_const(index) && !is_narrow &&
                  counter_bits(index) > NARROW;
  if (!can_wrap || !builder->block || !LLVMIsInBounds(gep))
    return;
  uint64_t most = INT64_MAX / bytes;
  Expr *high = expr_const(task, POINTER_BITS, most);
  Expr *low = expr_const(task, POINTER_BITS, -most);
  Expr *stays = expr_and(task, expr_binary(task, EXPR_SLE, low, index),
                         expr_binary(task, EXPR_SLE, index, high));
  push(&task->arena, &builder->kernel->facts,
       expr_implies(task, builder->block->guard, stays));
}

static Expr *scaled_index(Builder *builder, LLVMValueRef gep,
                          LLVMValueRef index, uint64_t bytes) {
  Task *task = builder->task;
  Expr *wide =
      expr_to_width(task, scalar_of(builder, index), POINTER_BITS, true);
  assume_no_wrap(builder, gep, wide, bytes);
  return expr_mul(task, wide, expr_const(task, POINTER_BITS, bytes));
}

Lane pointer_gep_from(Builder *builder, LLVMValueRef gep, Lane base) {
  Task *task = builder->task;
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  Expr *offset = base.bits;
  for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(gep); i++) {
    LLVMValueRef index = LLVMGetOperand(gep, i);
    if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
      uint64_t at = LLVMOffsetOfElement(builder->layout, type, field);
      offset = expr_add(task, offset, expr_const(task, POINTER_BITS, at));
      type = LLVMStructGetTypeAtIndex(type, field);
      continue;
    }
    if (i > 1)
      type = LLVMGetElementType(type);
    offset =
        expr_add(task, offset,
                 scaled_index(builder, gep, index, size_of(builder, type)));
  }
  return (Lane){offset, base.base};
}

Lane pointer_gep(Builder *builder, LLVMValueRef gep) {
  LLVMValueRef base = LLVMGetOperand(gep, 0);
  return pointer_gep_from(builder, gep, value_of(builder, base)->lanes[0]);
}

// -------------------------------------------------------------- accesses ---

static void assert_here(Builder *builder, Expr *condition,
                        const char *message) {
  Stmt *stmt = builder_add(builder, STMT_ASSERT);
  stmt->condition = condition;
  stmt->message = message;
}

static Stmt *access_array(Builder *builder, Array *array, Expr *guard,
                          const Access *access) {
  Stmt *stmt = builder_add(builder, STMT_ACCESS);
  stmt->guard = expr_and(builder->task, stmt->guard, guard);
  stmt->access = *access;
  stmt->access.array = array;
  if (!array->element && expr_is_const(access->length))
    array->element = (unsigned)access->length->value;
  if (array->space == SPACE_CONSTANT && access->kind != ACCESS_READ) {
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

// The arrays that an access may touch; gives up if that is not known.
static Roots *accessed_roots(Builder *builder, LLVMValueRef pointer,
                             Lane lane) {
  Roots *roots = roots_of(builder, pointer);
  if (expr_is_const(lane.base)) {
    Roots *one = NEW(&builder->task->arena, Roots);
    if (lane.base->value == BASE_LOST)
      unsupported(builder->task, builder->loc,
                  "an access through a pointer that was loaded from memory "
                  "or computed");
    one->may_be_null = lane.base->value == BASE_NULL;
    if (!one->may_be_null)
      push(&builder->task->arena, &one->arrays,
           builder->kernel->arrays.at[lane.base->value - 1]);
    return one;
  }
  if (roots->is_lost)
    unsupported(builder->task, builder->loc,
                "an access through a pointer that was loaded from memory or "
                "computed");
  return roots;
}

Stmt *add_access(Builder *builder, LLVMValueRef pointer, Lane lane,
                 const Access *access) {
  if (builder->is_quiet && access->kind == ACCESS_READ)
    return NULL;
  Roots *roots = accessed_roots(builder, pointer, lane);
  if (roots->may_be_null)
    assert_here(builder,
                expr_not(builder->task, is_array(builder, lane, BASE_NULL)),
                "a null pointer is accessed");
  Access copy = *access;
  copy.offset = lane.bits;
  Stmt *last = NULL;
  for (size_t i = 0; i < roots->arrays.count; i++) {
    Array *array = roots->arrays.at[i];
    Expr *here = is_array(builder, lane, array->number);
    if (!expr_is_false(here))
      last = access_array(builder, array, here, &copy);
  }
  return last;
}

Expr *bytes_constant(Builder *builder, uint64_t bytes) {
  return expr_const(builder->task, POINTER_BITS, bytes);
}

static Expr *bytes_of(Builder *builder, LLVMTypeRef type) {
  return expr_const(builder->task, POINTER_BITS,
                    LLVMStoreSizeOfType(builder->layout, type));
}

bool llvm_scope(LLVMValueRef instruction, Scope *scope) {
  static const struct {
    const char *name;
    Scope scope;
  } names[] = {{"singlethread", SCOPE_THREAD}, {"wavefront", SCOPE_WARP},
               {"sub_group", SCOPE_WARP},      {"block", SCOPE_BLOCK},
               {"workgroup", SCOPE_BLOCK},     {"cluster", SCOPE_CLUSTER},
               {"device", SCOPE_GRID},         {"", SCOPE_SYSTEM}};
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(instruction));
  unsigned id = LLVMGetAtomicSyncScopeID(instruction);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (id ==
        LLVMGetSyncScopeID(context, names[i].name, strlen(names[i].name))) {
      *scope = names[i].scope;
      return true;
    }
  return false;
}

static Scope scope_of(Builder *builder, LLVMValueRef instruction) {
  Scope scope;
  if (!llvm_scope(instruction, &scope))
    unsupported(builder->task, builder->loc, "an atomic of unknown scope");
  return scope;
}

// ----------------------------------------------------------------- loads ---

// What a scalar at `offset` of an array that nobody writes is: a function of
// the offset.  Of an argument passed by value: a parameter of its own.
static Expr *fixed_contents(Builder *builder, Array *array, Expr *offset,
                            unsigned bits) {
  Task *task = builder->task;
  const char *function =
      arena_printf(&task->arena, "%s#%u.%u", array->name, array->number, bits);
  if (!array->is_by_value || !expr_is_const(offset))
    return expr_apply(task, function, bits, &offset, 1);
  const char *name =
      arena_printf(&task->arena, "%s+%u", array->name, (unsigned)offset->value);
  for (size_t i = 0; i < builder->kernel->symbols.count; i++) {
    Symbol *symbol = builder->kernel->symbols.at[i];
    if (symbol->kind == SYMBOL_PARAMETER && symbol->width == bits &&
        strcmp(symbol->name, name) == 0)
      return symbol->expr;
  }
  return builder_symbol(builder, SYMBOL_PARAMETER, bits, name)->expr;
}

static bool has_fixed_contents(const Array *array) {
  return !array->is_written &&
         (array->space != SPACE_PRIVATE || array->is_by_value) &&
         array->space != SPACE_SHARED;
}

static Expr *scalar_in(Builder *builder, Array *array, Expr *offset,
                       unsigned bits, Expr *unknown) {
  return has_fixed_contents(array)
             ? fixed_contents(builder, array, offset, bits)
             : unknown;
}

static Lane load_pointer(Builder *builder, LLVMValueRef load) {
  Pointee pointee = pointee_of(builder, load);
  if (pointee.may_change)
    assume_named(builder, "no-alias");
  if (pointee.constant)
    return value_of(builder, pointee.constant)->lanes[0];
  return pointee.array ? pointer_to(builder, pointee.array)
                       : lane_unknown(builder, LLVMTypeOf(load), "pointer");
}

static Lane load_lane(Builder *builder, LLVMTypeRef type, Lane from,
                      const Roots *roots, Symbol *unknown) {
  unsigned bits = scalar_bits(builder, type);
  Lane lane = {.bits = unknown->expr};
  if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
    return lane_unknown(builder, type, "pointer");
  for (size_t i = 0; i < roots->arrays.count; i++) {
    Array *array = roots->arrays.at[i];
    Expr *value = scalar_in(builder, array, from.bits, bits, unknown->expr);
    lane.bits = expr_ite(builder->task, is_array(builder, from, array->number),
                         value, lane.bits);
  }
  return lane;
}

// A number that nobody can change, as of a struct made in one expression.
static LLVMValueRef known_scalar(Builder *builder, LLVMValueRef load,
                                 uint64_t byte, LLVMTypeRef type) {
  uint64_t offset;
  LLVMValueRef root = constant_root(builder, LLVMGetOperand(load, 0), &offset);
  if (!root || !LLVMIsAGlobalVariable(root) ||
      global_array(builder, root)->is_written)
    return NULL;
  LLVMValueRef known = llvm_fixed_scalar(builder, root, offset + byte, type);
  return known && (LLVMIsAConstantInt(known) || LLVMIsAConstantFP(known))
             ? known
             : NULL;
}

// One scalar of what is read.  Its symbol is tied to the statement that reads
// it, but only where there is just one.
static Lane read_lane(Builder *builder, LLVMValueRef load, unsigned index,
                      const Roots *roots, Symbol **symbol) {
  LLVMTypeRef type = LLVMTypeOf(load);
  LLVMTypeRef scalar = lane_type(builder, type, index);
  Lane from = value_of(builder, LLVMGetOperand(load, 0))->lanes[0];
  bool is_atomic = LLVMGetOrdering(load) != LLVMAtomicOrderingNotAtomic;
  from.bits =
      expr_add(builder->task, from.bits,
               bytes_constant(builder, lane_offset(builder, type, index)));
  *symbol = builder_symbol(builder, is_atomic ? SYMBOL_ATOMIC : SYMBOL_LOAD,
                           scalar_bits(builder, scalar), "loaded value");
  LLVMValueRef known =
      known_scalar(builder, load, lane_offset(builder, type, index), scalar);
  return known ? value_of(builder, known)->lanes[0]
               : load_lane(builder, scalar, from, roots, *symbol);
}

void translate_load(Builder *builder, LLVMValueRef load) {
  LLVMTypeRef type = LLVMTypeOf(load);
  LLVMValueRef pointer = LLVMGetOperand(load, 0);
  Lane from = value_of(builder, pointer)->lanes[0];
  bool is_atomic = LLVMGetOrdering(load) != LLVMAtomicOrderingNotAtomic;
  Roots *roots = accessed_roots(builder, pointer, from);
  LlvmValue *value = value_new(builder, lanes_of_type(builder, type));
  Vec(Symbol *) symbols = {0};
  for (unsigned i = 0; i < value->count; i++) {
    Symbol *symbol;
    value->lanes[i] = read_lane(builder, load, i, roots, &symbol);
    push(&builder->task->arena, &symbols, symbol);
  }
  if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
    value->lanes[0] = load_pointer(builder, load);
  Access access = {.kind = is_atomic ? ACCESS_ATOMIC : ACCESS_READ,
                   .scope = is_atomic ? scope_of(builder, load) : SCOPE_SYSTEM,
                   .length = bytes_of(builder, type),
                   .result = symbols.count ? symbols.at[0] : NULL};
  Stmt *stmt = add_access(builder, pointer, from, &access);
  for (size_t i = 0; i < symbols.count && expr_is_const(from.base); i++)
    symbols.at[i]->stmt = stmt;
  set_value(builder, load, value);
}

// ---------------------------------------------------------------- stores ---

static Expr *stored_bits(Builder *builder, LLVMTypeRef type,
                         const LlvmValue *value) {
  Expr *all = NULL;
  uint64_t bytes = 0;
  for (unsigned i = 0; i < value->count; i++) {
    Lane lane = value->lanes[i];
    if (lane.base || lane.bits->width % 8 ||
        lane_offset(builder, type, i) != bytes)
      return NULL; // pointers, Booleans, padding: the value is not compared
    bytes += lane.bits->width / 8;
    all = all ? expr_concat(builder->task, lane.bits, all) : lane.bits;
  }
  return all;
}

void translate_store(Builder *builder, LLVMValueRef store) {
  LLVMValueRef stored = LLVMGetOperand(store, 0);
  LLVMValueRef pointer = LLVMGetOperand(store, 1);
  LLVMTypeRef type = LLVMTypeOf(stored);
  bool is_atomic = LLVMGetOrdering(store) != LLVMAtomicOrderingNotAtomic;
  Access access = {.kind = is_atomic ? ACCESS_ATOMIC : ACCESS_WRITE,
                   .scope = is_atomic ? scope_of(builder, store) : SCOPE_SYSTEM,
                   .length = bytes_of(builder, type)};
  access.value = stored_bits(builder, type, value_of(builder, stored));
  if (access.value && access.value->width != 8 * access.length->value)
    access.value = NULL;
  add_access(builder, pointer, value_of(builder, pointer)->lanes[0], &access);
}

// --------------------------------------------------------------- atomics ---

static void note_step(Task *task, LLVMValueRef instruction, Expr *operand,
                      Access *access) {
  LLVMAtomicRMWBinOp op = LLVMGetAtomicRMWBinOp(instruction);
  bool is_sub = op == LLVMAtomicRMWBinOpSub;
  if (!expr_is_const(operand) || !(is_sub || op == LLVMAtomicRMWBinOpAdd))
    return;
  Expr *zero = expr_const(task, operand->width, 0);
  access->step = (is_sub ? expr_sub(task, zero, operand) : operand)->value;
  access->is_add = access->step != 0;
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
  else
    note_step(task, instruction, scalar_of(builder, operand), &access);
  old->stmt = add_access(builder, pointer, value_of(builder, pointer)->lanes[0],
                         &access);
  set_value(builder, instruction, value);
}
