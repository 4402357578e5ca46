// What variables hold from the start, as the file says.
//
// A struct of pointers that is made in one expression, `View v{tile, 64}`, is
// copied from a constant of LLVM IR, so what lies in it is known exactly.  A
// device variable is not constant: the host or another kernel may give it
// another value.  We assume that it still holds the address it starts with if
// no code of the file writes it.  If it starts without an address, or the
// host's code may set it, or another file, pointee_array says what it may point
// to (SOUND(no-alias)).

#include "translator/from_llvm.h"

#include <string.h>

// ------------------------------------------------------------- contents ---

static LLVMValueRef field_at(Builder *builder, LLVMValueRef constant,
                             uint64_t *offset) {
  LLVMTypeRef type = LLVMTypeOf(constant);
  if (*offset >= LLVMABISizeOfType(builder->layout, type))
    return NULL;
  unsigned field = LLVMElementAtOffset(builder->layout, type, *offset);
  *offset -= LLVMOffsetOfElement(builder->layout, type, field);
  return LLVMGetAggregateElement(constant, field);
}

static LLVMValueRef element_at(Builder *builder, LLVMValueRef constant,
                               uint64_t *offset) {
  LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(constant));
  uint64_t bytes = LLVMABISizeOfType(builder->layout, element);
  if (!bytes || *offset / bytes > UINT32_MAX)
    return NULL;
  unsigned index = (unsigned)(*offset / bytes);
  *offset %= bytes;
  return LLVMGetAggregateElement(constant, index);
}

static LLVMValueRef scalar_at(Builder *builder, LLVMValueRef constant,
                              uint64_t offset, LLVMTypeRef type) {
  while (constant && LLVMTypeOf(constant) != type)
    switch (LLVMGetTypeKind(LLVMTypeOf(constant))) {
    case LLVMStructTypeKind:
      constant = field_at(builder, constant, &offset);
      break;
    case LLVMArrayTypeKind:
      constant = element_at(builder, constant, &offset);
      break;
    default:
      return NULL;
    }
  return offset ? NULL : constant;
}

// --------------------------------------------------------------- writers ---

static bool is_written(LLVMValueRef pointer);

// The lists llvm.used and llvm.compiler.used are nobody's.
static bool is_of_program(LLVMValueRef variable) {
  size_t length = 0;
  return strncmp(LLVMGetValueName2(variable, &length), "llvm.", 5) != 0;
}

static bool writes(LLVMValueRef user, LLVMValueRef pointer) {
  if (LLVMIsALoadInst(user))
    return false;
  if (LLVMIsAMemCpyInst(user) || LLVMIsAMemMoveInst(user))
    return LLVMGetOperand(user, 0) == pointer;
  if (LLVMIsAGlobalVariable(user))
    return is_of_program(user);
  bool is_address = LLVMIsAConstant(user) || LLVMIsAGetElementPtrInst(user) ||
                    LLVMIsAAddrSpaceCastInst(user) || LLVMIsABitCastInst(user);
  return !is_address || is_written(user);
}

// Does code of the file write there, or take the address elsewhere?
static bool is_written(LLVMValueRef pointer) {
  for (LLVMUseRef use = LLVMGetFirstUse(pointer); use;
       use = LLVMGetNextUse(use))
    if (writes(LLVMGetUser(use), pointer))
      return true;
  return false;
}

// ---------------------------------------------------------------- by name ---

static bool mentions(const char *text, size_t length, const char *name) {
  size_t bytes = strlen(name);
  for (size_t i = 0; i + bytes <= length; i++)
    if (!memcmp(text + i, name, bytes))
      return true;
  return false;
}

static bool calls_text(LLVMValueRef instruction, const char *name) {
  LLVMValueRef called =
      LLVMIsACallInst(instruction) ? LLVMGetCalledValue(instruction) : NULL;
  if (!called || !LLVMIsAInlineAsm(called))
    return false;
  size_t length = 0;
  const char *text = LLVMGetInlineAsmAsmString(called, &length);
  return mentions(text, length, name);
}

static bool function_names(LLVMValueRef function, const char *name) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i))
      if (calls_text(i, name))
        return true;
  return false;
}

// Assembly needs no operand for a variable, and no use of it is seen.
static bool is_in_assembly(LLVMModuleRef module, LLVMValueRef variable) {
  size_t length = 0;
  const char *name = LLVMGetValueName2(variable, &length);
  const char *text = LLVMGetModuleInlineAsm(module, &length);
  if (mentions(text, length, name))
    return true;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f))
    if (function_names(f, name))
      return true;
  return false;
}

// ------------------------------------------------------------- variables ---

LLVMValueRef llvm_fixed_scalar(Builder *builder, LLVMValueRef variable,
                               uint64_t offset, LLVMTypeRef type) {
  return llvm_is_fixed(builder->task, variable)
             ? scalar_at(builder, LLVMGetInitializer(variable), offset, type)
             : NULL;
}

InitialPointer llvm_initial_pointer(Builder *builder, LLVMValueRef variable,
                                    uint64_t offset, LLVMTypeRef type) {
  bool is_fixed = llvm_is_fixed(builder->task, variable);
  bool is_theirs =
      llvm_is_replaceable(variable) || llvm_is_set_by_host(variable);
  LLVMValueRef all =
      is_theirs && !is_fixed ? NULL : LLVMGetInitializer(variable);
  LLVMValueRef constant = NULL;
  if (all)
    constant = scalar_at(builder, all, offset, type);
  bool may_change = !is_fixed && (is_written(variable) ||
                                  is_in_assembly(builder->module, variable));
  bool is_lost = (all && !constant) || may_change;
  bool is_given = constant && (is_fixed || !LLVMIsNull(constant));
  return (InitialPointer){.is_lost = is_lost,
                          .constant = is_lost || !is_given ? NULL : constant};
}
