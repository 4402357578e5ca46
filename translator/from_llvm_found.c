// Pointers that lie in memory behind the arguments, as in a list of arrays that
// the host fills.
//
// SOUND(pointers-apart): at a place that is a constant number of bytes behind
// an argument, or behind another such pointer, in bytes that the kernel does
// not write, is a pointer into an array of its own.  So an access through it is
// in doubt, but under the name: the condition is a symbol of which nothing else
// is known.
//
// Where the place is another one in each thread, or written, the pointer is
// lost (from_llvm_arrays.c).

#include "translator/from_llvm.h"

bool is_found_in(const Array *holder) {
  return holder->is_parameter && !holder->is_by_value;
}

static bool find_pointee_fields(Builder *builder, const Array *holder,
                                Fields *fields) {
  for (unsigned i = 0; i < LLVMCountParams(builder->function); i++)
    if (table_get(&builder->arrays, LLVMGetParam(builder->function, i)) ==
        holder) {
      llvm_pointee_fields(builder->task, builder->function, i, fields);
      return true;
    }
  return false;
}

// One of many pointers is the first scalar behind an argument, without a name.
const char *name_of_found(Builder *builder, const Array *holder,
                          uint64_t offset) {
  enum { BYTES = POINTER_BITS / 8 };
  Arena *arena = &builder->task->arena;
  Fields fields = {0};
  if (!find_pointee_fields(builder, holder, &fields) || !fields.count)
    return NULL;
  const Field *first = &fields.at[0];
  if (first->kind == FIELD_POINTER && !*first->name && offset % BYTES == 0)
    return arena_printf(arena, "%s[%llu]", holder->name,
                        (unsigned long long)offset / BYTES);
  for (size_t i = 0; i < fields.count; i++)
    if (fields.at[i].offset == offset && fields.at[i].kind == FIELD_POINTER)
      return arena_printf(arena, "%s->%s", holder->name, fields.at[i].name);
  return NULL;
}

// --------------------------------------------------------------- who writes
// ---

static bool overlaps(ByteRange a, ByteRange b) {
  return a.from < b.to && b.from < a.to;
}

static ByteRange pointer_at(uint64_t offset) {
  return (ByteRange){offset, offset + POINTER_BITS / 8};
}

bool found_is_written(const Array *holder, uint64_t offset) {
  bool is_written = holder->is_written_anywhere;
  for (size_t i = 0; i < holder->written.count; i++)
    is_written |= overlaps(holder->written.at[i], pointer_at(offset));
  return is_written;
}

static bool is_number(const Access *access) {
  return access && expr_is_const(access->offset) &&
         expr_is_const(access->length) &&
         access->length->value <= UINT64_MAX - access->offset->value;
}

static bool is_known(const Array *array, ByteRange range) {
  for (size_t i = 0; i < array->written.count; i++)
    if (array->written.at[i].from <= range.from &&
        range.to <= array->written.at[i].to)
      return true;
  return false;
}

// A pointer that was taken for one that nobody writes may be none.
static void learn(Builder *builder, const Array *holder) {
  for (size_t i = 0; i < builder->kernel->arrays.count; i++) {
    const Array *array = builder->kernel->arrays.at[i];
    builder->has_learnt |= array->is_found && array->holder == holder;
  }
}

void note_written_bytes(Builder *builder, Array *array, const Access *access) {
  enum { MOST_RANGES = 64 };
  if (array->is_written_anywhere)
    return;
  if (!is_number(access) || array->written.count == MOST_RANGES) {
    array->is_written_anywhere = true;
    learn(builder, array);
    return;
  }
  uint64_t from = access->offset->value;
  ByteRange range = {from, from + access->length->value};
  if (is_known(array, range))
    return;
  push(&builder->task->arena, &array->written, range);
  learn(builder, array);
}

// ------------------------------------------------------------ who accesses ---

static Expr *pointers_apart(Builder *builder) {
  if (builder->pointers_apart)
    return builder->pointers_apart;
  Symbol *apart = builder_symbol(builder, SYMBOL_LAUNCH, 1, "pointers apart");
  builder->pointers_apart = apart->expr;
  premise_add(builder->task, builder->kernel, PREMISE_POINTERS_APART,
              (Premise){.fact = apart->expr});
  return apart->expr;
}

void want_apart(Builder *builder, const Array *array, Expr *guard) {
  if (!array->is_found)
    return;
  Expr *apart = pointers_apart(builder);
  Stmt *doubt = builder_add(builder, STMT_ASSERT);
  doubt->guard = expr_and(builder->task, doubt->guard, guard);
  doubt->condition = apart;
  doubt->message = "an access through a pointer that was loaded from memory";
  doubt->doubt = "which array is accessed is not known";
}
