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

enum { POINTER_BYTES = POINTER_BITS / 8 };

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
  Arena *arena = &builder->task->arena;
  Fields fields = {0};
  if (!find_pointee_fields(builder, holder, &fields) || !fields.count)
    return NULL;
  const Field *first = &fields.at[0];
  if (first->kind == FIELD_POINTER && !*first->name &&
      offset % POINTER_BYTES == 0)
    return arena_printf(arena, "%s[%lld]", holder->name,
                        (long long)offset / POINTER_BYTES);
  for (size_t i = 0; i < fields.count; i++)
    if (fields.at[i].offset == offset && fields.at[i].kind == FIELD_POINTER)
      return arena_printf(arena, "%s->%s", holder->name, fields.at[i].name);
  return NULL;
}

// --------------------------------------------------------------- who writes
// ---

static bool overlaps(ByteRange a, ByteRange b) {
  return b.from - a.from < a.bytes || a.from - b.from < b.bytes;
}

bool found_is_written(const Array *holder, uint64_t offset) {
  const ByteRange pointer = {offset, POINTER_BYTES};
  bool is_written = holder->is_written_anywhere;
  for (size_t i = 0; i < holder->written.count; i++)
    is_written |= overlaps(holder->written.at[i], pointer);
  return is_written;
}

static bool is_number(const Access *access) {
  return access && expr_is_const(access->offset) &&
         expr_is_const(access->length);
}

static bool has_all(ByteRange a, ByteRange b) {
  return b.bytes <= a.bytes && b.from - a.from <= a.bytes - b.bytes;
}

static bool is_known(const Array *array, ByteRange range) {
  for (size_t i = 0; i < array->written.count; i++)
    if (has_all(array->written.at[i], range))
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
  ByteRange range = {access->offset->value, access->length->value};
  if (is_known(array, range))
    return;
  push(&builder->task->arena, &array->written, range);
  learn(builder, array);
}

// ------------------------------------------------------------ who accesses ---

bool has_found(const Roots *roots) {
  for (size_t i = 0; i < roots->arrays.count; i++)
    if (roots->arrays.at[i]->is_found)
      return true;
  return false;
}

void want_no_found(Builder *builder, const Roots *roots) {
  if (has_found(roots))
    unsupported(builder->task, builder->loc,
                "an annotation about a pointer that was loaded from memory");
}

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
