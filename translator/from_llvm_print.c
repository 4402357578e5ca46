// printf on the device: vprintf(format, arguments).
//
// Nobody looks at what is printed, but the thread that prints reads the text of
// a %s, wherever that lies.  Its length depends on memory, so it is any.  The
// arguments have been stored before in a variable of the call's own, one behind
// the other; where the format is not known, any pointer among them may be a
// text.  An argument that is stored in another way is not followed, nor an
// address that is passed as a number.

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

// It is known to print no text.
static bool is_without_text(const char *format) {
  char letter = 0;
  for (size_t i = 0; format && (letter = letter_of(format, i)); i++)
    if (letter == 's')
      return false;
  return format != NULL;
}

// ------------------------------------------------------------- arguments ---

_Noreturn static void give_up(const Builder *builder) {
  unsupported(builder->task, builder->loc, "what is printed");
}

static void find_stored(Builder *builder, LLVMValueRef call, LLVMValueRef place,
                        uint64_t offset, Arguments *arguments) {
  for (LLVMUseRef use = LLVMGetFirstUse(place); use;
       use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    uint64_t bytes = 0;
    if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == place) {
      Stored stored = {LLVMGetOperand(user, 0), offset};
      push(&builder->task->arena, arguments, stored);
    } else if (LLVMIsAGetElementPtrInst(user) &&
               constant_distance(builder, user, &bytes)) {
      find_stored(builder, call, user, offset + bytes, arguments);
    } else if (user != call && !llvm_is_lifetime(user) &&
               !LLVMIsALoadInst(user)) {
      give_up(builder);
    }
  }
}

// Of the places that are stored to, which one it is; there may be several
// stores to one.
static size_t number_of(const Arguments *arguments, const Stored *stored) {
  size_t number = 0;
  for (size_t i = 0; i < arguments->count; i++) {
    const Stored *other = &arguments->at[i];
    bool is_first = other->offset < stored->offset;
    for (size_t k = 0; k < i; k++)
      is_first &= arguments->at[k].offset != other->offset;
    number += is_first;
  }
  return number;
}

static bool is_pointer(const Stored *stored) {
  return LLVMGetTypeKind(LLVMTypeOf(stored->value)) == LLVMPointerTypeKind;
}

static void add_text(Builder *builder, LLVMValueRef pointer) {
  Expr *length = builder_unknown(builder, LENGTH_BITS, "length of a text");
  Access access = {.kind = ACCESS_READ,
                   .length = expr_zext(builder->task, length, POINTER_BITS)};
  add_access(builder, value_of(builder, pointer)->lanes[0], &access);
}

static void add_texts_at(Builder *builder, const Arguments *arguments,
                         size_t number) {
  bool is_stored = false;
  for (size_t i = 0; i < arguments->count; i++) {
    if (number_of(arguments, &arguments->at[i]) != number)
      continue;
    if (!is_pointer(&arguments->at[i]))
      give_up(builder);
    add_text(builder, arguments->at[i].value);
    is_stored = true;
  }
  if (!is_stored)
    give_up(builder);
}

static void add_texts(Builder *builder, const char *format,
                      const Arguments *arguments) {
  char letter = 0;
  for (size_t i = 0; format && (letter = letter_of(format, i)); i++)
    if (letter == 's')
      add_texts_at(builder, arguments, i);
  for (size_t i = 0; !format && i < arguments->count; i++)
    if (is_pointer(&arguments->at[i]))
      add_text(builder, arguments->at[i].value);
}

static void add_printed(Builder *builder, LLVMValueRef call) {
  const char *format = format_of(builder, LLVMGetOperand(call, 0));
  LLVMValueRef place = LLVMGetOperand(call, 1);
  Arguments arguments = {0};
  if (is_without_text(format))
    return;
  if (LLVMIsAAllocaInst(place))
    find_stored(builder, call, place, 0, &arguments);
  else if (!LLVMIsNull(place) && !LLVMIsUndef(place))
    give_up(builder);
  add_texts(builder, format, &arguments);
}

void call_print(Builder *builder, LLVMValueRef call) {
  add_printed(builder, call);
  set_unknown(builder, call, "printf");
}
