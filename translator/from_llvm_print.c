// printf on the device: vprintf(format, arguments).
//
// What is printed is no effect that anyone looks at, but the text behind a %s
// is read, by the thread that prints, wherever it lies.  Where a text ends is
// in memory, so its length is any.  The arguments are stored in a variable of
// the call's own before, one behind the other; in a format that is not known
// any pointer may be a text.

#include "translator/from_llvm_calls.h"

#include <string.h>

enum { LENGTH_BITS = 32 };

typedef struct Stored {
  LLVMValueRef value;
  uint64_t offset;
} Stored;

typedef Vec(Stored) Arguments;

// ---------------------------------------------------------------- format ---

// NULL: it is not known.
static const char *format_of(Builder *builder, LLVMValueRef pointer) {
  Array *array = NULL;
  uint64_t offset = 0;
  LLVMValueRef variable = constant_place(builder, pointer, &array, &offset)
                              ? table_get(&builder->variables, array)
                              : NULL;
  if (!variable || offset || !llvm_is_fixed(variable))
    return NULL;
  LLVMValueRef text = LLVMGetInitializer(variable);
  if (LLVMIsNull(text))
    return "";
  size_t length = 0;
  const char *start =
      LLVMIsConstantString(text) ? LLVMGetAsString(text, &length) : NULL;
  return start ? arena_printf(&builder->task->arena, "%.*s", (int)length, start)
               : NULL;
}

// The letter that the argument with this number stands behind, or '*', a width;
// 0: there is none.
static char letter_of(const char *format, size_t number) {
  static const char between[] = "*-+ #0123456789.hljztL";
  for (; (format = strchr(format, '%')); format += *format != 0) {
    for (format++; *format && strchr(between, *format); format++)
      if (*format == '*' && !number--)
        return '*';
    if (*format != '%' && !number--)
      return *format;
  }
  return 0;
}

static bool may_have_text(const char *format) {
  char letter = 0;
  for (size_t i = 0; format && (letter = letter_of(format, i)); i++)
    if (letter == 's')
      return true;
  return !format;
}

// ------------------------------------------------------------- arguments ---

static void find_stored(Builder *builder, LLVMValueRef place, uint64_t offset,
                        Arguments *arguments) {
  for (LLVMUseRef use = LLVMGetFirstUse(place); use;
       use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    uint64_t bytes = 0;
    if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == place) {
      Stored stored = {LLVMGetOperand(user, 0), offset};
      push(&builder->task->arena, arguments, stored);
    } else if (LLVMIsAGetElementPtrInst(user) &&
               constant_distance(builder, user, &bytes)) {
      find_stored(builder, user, offset + bytes, arguments);
    } else if (!LLVMIsACallInst(user)) {
      unsupported(builder->task, builder->loc, "what is printed");
    }
  }
}

static size_t number_of(const Arguments *arguments, const Stored *stored) {
  size_t number = 0;
  for (size_t i = 0; i < arguments->count; i++)
    number += arguments->at[i].offset < stored->offset;
  return number;
}

static void add_text(Builder *builder, LLVMValueRef pointer) {
  Expr *length = builder_unknown(builder, LENGTH_BITS, "length of a text");
  Access access = {.kind = ACCESS_READ,
                   .length = expr_zext(builder->task, length, POINTER_BITS)};
  add_access(builder, value_of(builder, pointer)->lanes[0], &access);
}

void translate_print(Builder *builder, LLVMValueRef call) {
  const char *format = format_of(builder, LLVMGetOperand(call, 0));
  LLVMValueRef place = LLVMGetOperand(call, 1);
  Arguments arguments = {0};
  if (!may_have_text(format))
    return;
  if (LLVMIsAAllocaInst(place))
    find_stored(builder, place, 0, &arguments);
  else if (!LLVMIsNull(place) && !LLVMIsUndef(place))
    unsupported(builder->task, builder->loc, "what is printed");
  for (size_t i = 0; i < arguments.count; i++) {
    LLVMValueRef value = arguments.at[i].value;
    bool is_pointer = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
    size_t number = number_of(&arguments, &arguments.at[i]);
    if (is_pointer && (!format || letter_of(format, number) == 's'))
      add_text(builder, value);
  }
}
