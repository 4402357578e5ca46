// The text of inline assembly as the compiler would print it.
//
// LLVM writes $0 for an operand, $$ for a dollar sign and ${:uid} for a number
// that makes labels unique.  Registers stay $0, $1, ..; a constant ("n", "i")
// takes its place in the text, as it does for ptxas.

#include "llvm/core.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OPERANDS = 64 };

typedef struct Operands {
  LLVMValueRef constants[MOST_OPERANDS]; // NULL: a register
  unsigned count;
} Operands;

static bool is_constant(const char *constraint) {
  return *constraint == 'n' || *constraint == 'i' || *constraint == 'I';
}

// Outputs come first; clobbers are none.  False: one that is neither a
// register nor a number.
static bool read_constraints(Arena *arena, LLVMValueRef call,
                             Operands *operands) {
  size_t length = 0;
  const char *text =
      LLVMGetInlineAsmConstraintString(LLVMGetCalledValue(call), &length);
  char *list = arena_printf(arena, "%.*s", (int)length, text), *rest = list;
  unsigned inputs = 0;
  *operands = (Operands){.count = 0};
  for (char *one; *rest && (one = rest);) {
    size_t size = strcspn(rest, ",");
    rest += size + (rest[size] == ',');
    one[size] = 0;
    if (*one == '~')
      continue;
    if (operands->count == MOST_OPERANDS)
      return false;
    LLVMValueRef *constant = &operands->constants[operands->count++];
    if (*one == '=' || inputs == LLVMGetNumArgOperands(call))
      continue;
    LLVMValueRef value = LLVMGetOperand(call, inputs++);
    if (!is_constant(one))
      continue;
    if (!LLVMIsAConstantInt(value) ||
        LLVMGetIntTypeWidth(LLVMTypeOf(value)) > 64)
      return false;
    *constant = value;
  }
  return true;
}

// "4" of "$4" and "${4}"; the length, or 0 if it is neither.
static size_t number_of(const char *at, unsigned *number) {
  char *end;
  bool is_braced = *at == '{';
  if (!isdigit((unsigned char)at[is_braced]))
    return 0;
  *number = (unsigned)strtoul(at + is_braced, &end, 10);
  if (is_braced && *end != '}')
    return 0;
  return (size_t)(end - at) + is_braced;
}

// As LLVM prints it: by the sign, but for a truth value.
static const char *constant_text(Arena *arena, LLVMValueRef constant) {
  if (LLVMGetIntTypeWidth(LLVMTypeOf(constant)) == 1)
    return LLVMConstIntGetZExtValue(constant) ? "1" : "0";
  return arena_printf(arena, "%lld", LLVMConstIntGetSExtValue(constant));
}

// What stands behind a dollar sign; NULL: something that is not known.
static const char *replacement(Arena *arena, const Operands *operands,
                               const char *at, size_t *length) {
  static const char unique[] = "{:uid}";
  unsigned number = 0;
  if (*at == '$' && !isdigit((unsigned char)at[1])) {
    *length = 1;
    return "$";
  }
  if (!strncmp(at, unique, sizeof unique - 1)) {
    *length = sizeof unique - 1;
    return "";
  }
  *length = number_of(at, &number);
  if (!*length || number >= operands->count)
    return NULL;
  LLVMValueRef constant = operands->constants[number];
  return constant ? constant_text(arena, constant)
                  : arena_printf(arena, "$%u", number);
}

const char *llvm_assembly_text(Arena *arena, LLVMValueRef call) {
  Operands operands;
  size_t length = 0, room;
  const char *text =
      LLVMGetInlineAsmAsmString(LLVMGetCalledValue(call), &length);
  if (memchr(text, '\0', length) || !read_constraints(arena, call, &operands))
    return NULL;
  text = arena_printf(arena, "%.*s", (int)length, text);
  for (room = 1; *text; text++)
    room += *text == '$' ? 24 : 1;
  text -= length;
  char *result = arena_alloc(arena, room), *to = result;
  while (*text) {
    size_t plain = strcspn(text, "$");
    memcpy(to, text, plain);
    to += plain;
    text += plain;
    if (!*text)
      break;
    const char *made = replacement(arena, &operands, text + 1, &length);
    if (!made)
      return NULL;
    memcpy(to, made, strlen(made));
    to += strlen(made);
    text += 1 + length;
  }
  *to = 0;
  return result;
}
