// Loops that write beside what is read again.
//
// A struct of a thread's own has a pointer beside an array that a loop fills:
//
//     struct { int *shared; int part[4]; } s;
//     for (int i = 0; i < 4; i++)
//       s.part[i] = s.shared[4 * t + i];
//     .. s.shared ..
//
// Where the pointer is read again, the loop lies between, and it writes the
// struct.  Without the pointer there is no verdict, so it is taken for granted
// that the loop's writes stay apart from the pointer's bytes, and of numbers
// beside such a pointer, too.  All is translated once more, and in front of
// each write of the loop to the struct stands an assertion that it does.
//
// Nothing is proved in a circle: of all writes that come too near, take the
// first that is executed.  What was read until then is what the formulas say,
// so what its assertion was proved by is true, and it does not come too near.
// Where it cannot be proved nothing is known, so the verdict is `unknown`,
// which it is without the pointer.
//
// Only of memory of the thread's own, at bytes that are numbers.  A write that
// overlaps them for certain, and a call without a body in the loop, end it: the
// next translation takes nothing for granted there.

#include "translator/from_llvm_calls.h"

enum { MOST_APART = 32 }; // more of them ask more than they tell

static Apart *find(Builder *builder, const Apart *wanted) {
  for (size_t i = 0; i < builder->apart.count; i++) {
    Apart *one = &builder->apart.at[i];
    if (one->loop == wanted->loop && one->array == wanted->array &&
        one->offset == wanted->offset && one->bytes == wanted->bytes)
      return one;
  }
  return NULL;
}

static bool has_pointer(const Builder *builder, const Array *array) {
  for (size_t i = 0; i < builder->apart.count; i++)
    if (builder->apart.at[i].array == array && builder->apart.at[i].is_pointer)
      return true;
  return false;
}

// NULL: it is none.
static LLVMTypeRef type_of_variable(Builder *builder, const Array *array) {
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(builder->function);
  for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i;
       i = LLVMGetNextInstruction(i))
    if (LLVMIsAAllocaInst(i) && table_get(&builder->arrays, i) == array)
      return LLVMGetAllocatedType(i);
  return NULL;
}

// A loop over an array writes any of its elements, but no other member.
static bool is_element(Builder *builder, const Apart *apart) {
  LLVMTypeRef type = type_of_variable(builder, apart->array);
  uint64_t at = apart->offset;
  while (type && LLVMGetTypeKind(type) == LLVMStructTypeKind &&
         at < LLVMABISizeOfType(builder->layout, type)) {
    unsigned member = LLVMElementAtOffset(builder->layout, type, at);
    at -= LLVMOffsetOfElement(builder->layout, type, member);
    type = LLVMStructGetTypeAtIndex(type, member);
  }
  return !type || LLVMGetTypeKind(type) == LLVMArrayTypeKind;
}

static bool is_wanted(Builder *builder, const Apart *apart) {
  return apart->array->space == SPACE_PRIVATE &&
         builder->apart.count < MOST_APART && !is_element(builder, apart) &&
         (apart->is_pointer || has_pointer(builder, apart->array));
}

bool apart_is_granted(Builder *builder, const Apart *apart) {
  const Apart *known = find(builder, apart);
  if (known)
    return !known->is_wrong;
  if (!is_wanted(builder, apart))
    return false;
  push(&builder->task->arena, &builder->apart, *apart);
  builder->has_learnt = true;
  return true;
}

static void find_wrong(Builder *builder, Apart *apart) {
  if (!apart->is_wrong)
    builder->has_learnt = apart->is_wrong = true;
}

static Expr *overlaps(Builder *builder, const Apart *apart,
                      const Access *access) {
  Task *task = builder->task;
  Expr *at = bytes_constant(builder, apart->offset);
  Expr *bytes = bytes_constant(builder, apart->bytes);
  Expr *ahead = expr_sub(task, at, access->offset);
  Expr *behind = expr_sub(task, access->offset, at);
  return expr_or(task, expr_binary(task, EXPR_ULT, ahead, access->length),
                 expr_binary(task, EXPR_ULT, behind, bytes));
}

static void assert_apart(Builder *builder, Apart *apart, Expr *guard,
                         const Access *access) {
  Expr *wrong = overlaps(builder, apart, access);
  if (expr_is_true(wrong))
    find_wrong(builder, apart);
  if (apart->is_wrong || expr_is_false(wrong))
    return;
  Stmt *stmt = builder_add(builder, STMT_ASSERT);
  stmt->guard = expr_and(builder->task, stmt->guard, guard);
  stmt->condition = expr_not(builder->task, wrong);
  stmt->message = "a loop that fills what lies beside it may write it";
  stmt->doubt = "a pointer or a number may not be as it was";
}

void apart_at_write(Builder *builder, const Array *array, Expr *guard,
                    const Access *access) {
  const Kernel *kernel = builder->kernel;
  for (size_t i = 0; i < builder->apart.count; i++) {
    Apart *apart = &builder->apart.at[i];
    if (apart->array == array &&
        loop_contains(kernel->loops.at[apart->loop], builder->block))
      assert_apart(builder, apart, guard, access);
  }
}

void apart_at_call(Builder *builder) {
  const Kernel *kernel = builder->kernel;
  for (size_t i = 0; i < builder->apart.count; i++)
    if (loop_contains(kernel->loops.at[builder->apart.at[i].loop],
                      builder->block))
      find_wrong(builder, &builder->apart.at[i]);
}
