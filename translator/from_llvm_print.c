// printf on the device: CUDA's vprintf(format, arguments), and OpenCL's printf.
//
// Nobody looks at what is printed, but the thread that prints reads the format
// and the text of a %s, wherever these lie.  Their lengths depend on memory, so
// they are any.  Where the format is not known, any pointer among the arguments
// may be a text.
//
// The arguments of vprintf have been stored before in a variable of the call's
// own, one behind the other.  One that is stored in another way is not
// followed, nor an address that is passed as a number.

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
  if (!variable || offset || !llvm_is_fixed(builder->task, variable))
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

// What it says, if that is known; else it is read, like a text.
static const char *read_format(Builder *builder, LLVMValueRef call) {
  LLVMValueRef pointer = LLVMGetOperand(call, 0);
  const char *format = format_of(builder, pointer);
  if (!format)
    add_text(builder, pointer);
  return format;
}

static void add_printed(Builder *builder, LLVMValueRef call) {
  const char *format = read_format(builder, call);
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

// The arguments are operands.
void call_printf(Builder *builder, LLVMValueRef call) {
  const char *format = read_format(builder, call);
  for (unsigned i = 1; i < LLVMGetNumArgOperands(call); i++) {
    Stored argument = {LLVMGetOperand(call, i), 0};
    bool is_text = format && letter_of(format, i - 1) == 's';
    if (is_text && !is_pointer(&argument))
      give_up(builder);
    if (is_text || (!format && is_pointer(&argument)))
      add_text(builder, argument.value);
  }
  set_unknown(builder, call, "printf");
}
