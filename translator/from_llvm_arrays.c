// Arrays: what there is in memory, who writes it, and where pointers point.
//
// A pointer argument, a variable and an alloca are an array each.  All
// `extern __shared__` variables of a kernel are one array: they start at one
// address.  A pointer found in a kernel's argument or in a device variable
// that no kernel writes is an array of its own (SOUND(no-alias)), or what
// from_llvm_initial.c says that the variable is initialised with; so is one
// that is found behind an argument, under a name (from_llvm_found.c).  Any
// other pointer found in memory is lost.
//
// Two things have to be known before the translation that only it can tell:
// that no access writes an array, and into which arrays a pointer points that
// a loop carries.  Both are guessed, too little rather than too much, and what
// the translation finds beyond the guess is added to it: Builder.has_learnt.
// Then all is translated once more, until nothing is new.  So what the last
// translation took for granted is true of it, whatever the guess was.

#include "translator/from_llvm.h"

#include <assert.h>
#include <string.h>

// ---------------------------------------------------------------- arrays ---

static Array *new_array(Builder *builder, const void *key, const char *name,
                        Space space) {
  Kernel *kernel = builder->kernel;
  Array *array = NEW(&builder->task->arena, Array);
  push(&builder->task->arena, &kernel->arrays, array);
  array->number = (unsigned)kernel->arrays.count;
  if (array->number >= BASE_CODE)
    unsupported(builder->task, builder->loc, "more than %d arrays",
                BASE_CODE - 1);
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

// Address spaces of clang's CUDA (NVPTX), OpenCL (SPIR) and HIP (AMDGPU)
// targets.
static Space space_of(const Builder *builder, unsigned address_space) {
  bool is_known = address_space < 2 || address_space == 3 || address_space == 4;
  if (builder->kernel->is_amdgcn && !is_known)
    unsupported(builder->task, builder->loc, "memory of address space %u",
                address_space);
  if (address_space == 3)
    return SPACE_SHARED;
  if (address_space == (is_spir(builder) ? 2 : 4))
    return SPACE_CONSTANT;
  return SPACE_GLOBAL;
}

static bool is_scalable(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMScalableVectorTypeKind:
    return true;
  case LLVMArrayTypeKind:
    return is_scalable(LLVMGetElementType(type));
  case LLVMStructTypeKind:
    for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
      if (is_scalable(LLVMStructGetTypeAtIndex(type, i)))
        return true;
    return false;
  default:
    return false;
  }
}

void want_fixed_size(const Builder *builder, LLVMTypeRef type) {
  if (is_scalable(type))
    unsupported(builder->task, builder->loc, "an object of type '%s'",
                llvm_type_text(builder->task, type));
}

uint64_t bytes_of_object(const Builder *builder, LLVMTypeRef type) {
  want_fixed_size(builder, type);
  return LLVMTypeIsSized(type) ? LLVMABISizeOfType(builder->layout, type) : 0;
}

static bool is_dynamic_shared(const Builder *builder, LLVMValueRef global) {
  LLVMTypeRef type = LLVMGlobalGetValueType(global);
  return !is_spir(builder) &&
         LLVMGetPointerAddressSpace(LLVMTypeOf(global)) == 3 &&
         LLVMIsDeclaration(global) && bytes_of_object(builder, type) == 0;
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

Array *global_array(Builder *builder, LLVMValueRef global) {
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
  table_put(builder->task, &builder->variables, array, global);
  uint64_t bytes = bytes_of_object(builder, type);
  array->bytes = bytes ? expr_const(builder->task, POINTER_BITS, bytes) : NULL;
  array->element = (unsigned)bytes_of_object(builder, llvm_innermost(type));
  return array;
}

Array *launch_array(Builder *builder, const void *key, const char *name) {
  Array *array = table_get(&builder->arrays, key);
  return array ? array : new_array(builder, key, name, SPACE_CONSTANT);
}

Array *image_array(Builder *builder, LLVMValueRef argument) {
  Array *array = table_get(&builder->arrays, argument);
  if (array)
    return array;
  const char *name = table_get(&builder->names, argument);
  array = new_array(builder, argument, name ? name : "an image", SPACE_GLOBAL);
  array->element = 1;
  return array;
}

static Array *array_held_at(const Builder *builder, const Array *holder,
                            uint64_t offset) {
  for (size_t i = 0; i < builder->kernel->arrays.count; i++) {
    Array *array = builder->kernel->arrays.at[i];
    if (array->holder == holder && array->holder_offset == offset)
      return array;
  }
  return NULL;
}

Array *field_array(Builder *builder, const ArgumentField *field) {
  Array *holder = builder->kernel->arrays.at[field->array->number - 1];
  Array *array = array_held_at(builder, holder, field->offset);
  if (array)
    return array;
  const char *name =
      llvm_field_name(builder->task, holder->name, &holder->fields,
                      field->offset, field->value->width / 8);
  array = new_array(builder, NULL, name ? name : "a surface", SPACE_GLOBAL);
  array->holder = holder;
  array->holder_offset = field->offset;
  array->element = 1;
  return array;
}

Array *private_array(Builder *builder, LLVMValueRef alloca) {
  Array *array = table_get(&builder->arrays, alloca);
  if (array)
    return array;
  const char *name = table_get(&builder->names, alloca);
  array = new_array(builder, alloca, name ? name : "a local variable",
                    SPACE_PRIVATE);
  array->is_made_often = LLVMGetInstructionParent(alloca) !=
                         LLVMGetEntryBasicBlock(builder->function);
  LLVMTypeRef type = LLVMGetAllocatedType(alloca);
  LLVMValueRef count = LLVMGetOperand(alloca, 0);
  if (!LLVMIsAConstantInt(count))
    return array;
  uint64_t bytes =
      bytes_of_object(builder, type) * LLVMConstIntGetZExtValue(count);
  array->bytes = expr_const(builder->task, POINTER_BITS, bytes);
  array->element = (unsigned)bytes_of_object(builder, llvm_innermost(type));
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

// ---------------------------------------------------- pointers in memory ---

static unsigned opcode_of(LLVMValueRef value) {
  if (LLVMIsAInstruction(value))
    return LLVMGetInstructionOpcode(value);
  return LLVMIsAConstantExpr(value) ? LLVMGetConstOpcode(value) : 0;
}

static bool is_cast_of_pointer(unsigned opcode) {
  return opcode == LLVMBitCast || opcode == LLVMAddrSpaceCast ||
         opcode == LLVMFreeze;
}

// What a pointer is a constant number of bytes behind; NULL: it is computed.
static LLVMValueRef constant_root(Builder *builder, LLVMValueRef pointer,
                                  uint64_t *offset) {
  *offset = 0;
  for (;;) {
    unsigned opcode = opcode_of(pointer);
    if (opcode == LLVMGetElementPtr) {
      uint64_t bytes;
      if (!constant_distance(builder, pointer, &bytes))
        return NULL;
      *offset += bytes;
    } else if (!is_cast_of_pointer(opcode)) {
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

// In a variable or an argument only as a whole.
static bool may_hold_pointer(const Array *array, uint64_t offset) {
  bool is_of_memory =
      array->space == SPACE_GLOBAL || array->space == SPACE_CONSTANT;
  if (is_found_in(array))
    return is_of_memory && !found_is_written(array, offset);
  return (array->is_by_value || is_of_memory) && !array->is_written;
}

static const char *name_of_held(Builder *builder, const Array *holder,
                                uint64_t offset) {
  Arena *arena = &builder->task->arena;
  const char *name =
      is_found_in(holder)
          ? name_of_found(builder, holder, offset)
          : llvm_field_name(builder->task, holder->name, &holder->fields,
                            offset, POINTER_BITS / 8);
  if (name)
    return name;
  return offset || holder->is_by_value
             ? arena_printf(arena, "*(%s%+lld)", holder->name,
                            (long long)offset)
             : arena_printf(arena, "*%s", holder->name);
}

static Array *held_array(Builder *builder, LLVMTypeRef type, Array *holder,
                         uint64_t offset) {
  Array *known = array_held_at(builder, holder, offset);
  if (known)
    return known;
  const char *name = name_of_held(builder, holder, offset);
  Space space = space_of(builder, LLVMGetPointerAddressSpace(type));
  Array *array = new_array(builder, NULL, name, space);
  array->is_parameter = true;
  array->is_found = is_found_in(holder);
  array->holder = holder;
  array->holder_offset = offset;
  return array;
}

// NULL: the pointer may point to several arrays, or none, or to any place of
// one.
static Array *place_of(Builder *builder, Lane pointer) {
  bool is_known = expr_is_const(pointer.base) && expr_is_const(pointer.bits) &&
                  is_array_number(pointer.base->value);
  return is_known ? builder->kernel->arrays.at[pointer.base->value - 1] : NULL;
}

Pointee pointee_of(Builder *builder, Lane at, LLVMTypeRef type) {
  Array *holder = place_of(builder, at);
  if (!holder || !may_hold_pointer(holder, at.bits->value))
    return (Pointee){0};
  LLVMValueRef variable = table_get(&builder->variables, holder);
  if (variable) {
    InitialPointer initial =
        llvm_initial_pointer(builder, variable, at.bits->value, type);
    if (initial.is_lost || initial.constant)
      return (Pointee){.constant = initial.constant,
                       .may_change = !llvm_is_fixed(builder->task, variable)};
  }
  Array *array = held_array(builder, type, holder, at.bits->value);
  Space space = space_of(builder, LLVMGetPointerAddressSpace(type));
  return array->space == space ? (Pointee){.array = array} : (Pointee){0};
}

LLVMValueRef known_scalar(Builder *builder, Lane at, LLVMTypeRef type) {
  const Array *array = place_of(builder, at);
  LLVMValueRef variable = array ? table_get(&builder->variables, array) : NULL;
  if (!variable || array->is_written)
    return NULL;
  LLVMValueRef known =
      llvm_fixed_scalar(builder, variable, at.bits->value, type);
  return known && (LLVMIsAConstantInt(known) || LLVMIsAConstantFP(known))
             ? known
             : NULL;
}

Expr *tabulated(Builder *builder, const Array *array, Expr *offset,
                LLVMTypeRef type, Expr *beyond) {
  enum { MOST_ENTRIES = 64 };
  Task *task = builder->task;
  LLVMValueRef variable = table_get(&builder->variables, array);
  if (!variable || array->is_written)
    return beyond;
  uint64_t each = LLVMStoreSizeOfType(builder->layout, type);
  uint64_t bytes =
      LLVMABISizeOfType(builder->layout, LLVMGlobalGetValueType(variable));
  if (!llvm_is_fixed(builder->task, variable) || bytes > MOST_ENTRIES * each)
    return beyond;
  Expr *value = beyond;
  for (uint64_t at = 0; at + each <= bytes; at += each) {
    LLVMValueRef known = llvm_fixed_scalar(builder, variable, at, type);
    Expr *is_here = expr_eq(task, offset, expr_const(task, POINTER_BITS, at));
    if (known && LLVMIsAConstantInt(known))
      value = expr_ite(task, is_here, scalar_of(builder, known), value);
  }
  return value;
}

// Behind a table that was the thread's own is other memory of the thread.
Expr *within_table(Builder *builder, const Array *array, Expr *offset,
                   Expr *value) {
  Task *task = builder->task;
  LLVMValueRef variable = table_get(&builder->variables, array);
  uint64_t each = value->width / 8;
  if (!variable || !llvm_is_own_table(variable) || !array->bytes ||
      array->bytes->value < each)
    return value;
  Expr *last = expr_const(task, POINTER_BITS, array->bytes->value - each);
  return expr_ite(task, expr_binary(task, EXPR_ULE, offset, last), value,
                  builder_unknown(builder, value->width, "behind a table"));
}

// ----------------------------------------------------------- where it points
// ---

static bool add_array(Task *task, Roots *roots, Array *array) {
  for (size_t i = 0; i < roots->arrays.count; i++)
    if (roots->arrays.at[i] == array)
      return false;
  push(&task->arena, &roots->arrays, array);
  return true;
}

static bool set_flag(bool *flag) {
  bool is_new = !*flag;
  *flag = true;
  return is_new;
}

bool is_array_number(uint64_t base) {
  return base != BASE_NULL && base < BASE_CODE;
}

// Data is as little known behind a function as anywhere.
static bool add_number(Builder *builder, Roots *roots, uint64_t number) {
  if (number == BASE_NULL)
    return set_flag(&roots->may_be_null);
  if (!is_array_number(number))
    return set_flag(&roots->is_lost);
  return add_array(builder->task, roots,
                   builder->kernel->arrays.at[number - 1]);
}

static bool add_carried(Builder *builder, Roots *roots, const Symbol *symbol) {
  const Roots *carried = table_get(&builder->carried, symbol);
  assert(carried);
  bool grows = false;
  for (size_t i = 0; i < carried->arrays.count; i++)
    grows |= add_array(builder->task, roots, carried->arrays.at[i]);
  grows |= carried->may_be_null && set_flag(&roots->may_be_null);
  grows |= carried->is_lost && set_flag(&roots->is_lost);
  return grows;
}

// A base is a number, what a loop carries, or one of two.
bool roots_add(Builder *builder, Roots *roots, Expr *base) {
  Vec(Expr *) work = {0};
  ValueTable seen = {0};
  bool grows = false;
  push(&builder->task->arena, &work, base);
  while (work.count) {
    Expr *e = work.at[--work.count];
    if (expr_is_const(e)) {
      grows |= add_number(builder, roots, e->value);
    } else if (e->op == EXPR_SYMBOL) {
      grows |= add_carried(builder, roots, e->symbol);
    } else if (!table_get(&seen, e)) {
      assert(e->op == EXPR_ITE);
      table_put(builder->task, &seen, e, e);
      push(&builder->task->arena, &work, e->args[1]);
      push(&builder->task->arena, &work, e->args[2]);
    }
  }
  return grows;
}

Roots *roots_of(Builder *builder, Lane pointer) {
  Roots *roots = NEW(&builder->task->arena, Roots);
  roots_add(builder, roots, pointer.base);
  return roots;
}

Roots *carried_roots(Builder *builder, LLVMValueRef phi, unsigned lanes) {
  Roots *roots = table_get(&builder->phis, phi);
  if (!roots) {
    roots = arena_alloc(&builder->task->arena, lanes * sizeof *roots);
    table_put(builder->task, &builder->phis, phi, roots);
  }
  return roots;
}

// --------------------------------------------------------------- who writes
// ---

void note_write(Builder *builder, Array *array, const Access *access) {
  builder->has_learnt |= set_flag(&array->is_written);
  note_written_bytes(builder, array, access);
}

static LLVMValueRef written_pointer(LLVMValueRef instruction) {
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMStore:
    return LLVMGetOperand(instruction, 1);
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
    return LLVMGetOperand(instruction, 0);
  default:
    return NULL;
  }
}

static LLVMValueRef without_detours(LLVMValueRef pointer) {
  for (unsigned opcode = opcode_of(pointer);
       opcode == LLVMGetElementPtr || is_cast_of_pointer(opcode);
       opcode = opcode_of(pointer))
    pointer = LLVMGetOperand(pointer, 0);
  return pointer;
}

const char *name_at(Builder *builder, LLVMValueRef pointer) {
  size_t length = 0;
  pointer = without_detours(pointer);
  return LLVMIsAGlobalVariable(pointer) && is_dynamic_shared(builder, pointer)
             ? llvm_variable_name(builder->task,
                                  LLVMGetValueName2(pointer, &length))
             : NULL;
}

static void guess_write(Builder *builder, LLVMValueRef pointer) {
  Array *array = array_at(builder, without_detours(pointer));
  if (array)
    array->is_written = true;
}

// Finds the arrays of the arguments, and guesses which arrays are written.
void find_arrays(Builder *builder) {
  if (builder->kernel->arrays.count)
    return; // known from the last translation
  for (unsigned i = 0; i < LLVMCountParams(builder->function); i++)
    add_parameter_array(builder, i);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(builder->function);
       block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i)) {
      LLVMValueRef pointer = written_pointer(i);
      if (pointer)
        guess_write(builder, pointer);
    }
}
