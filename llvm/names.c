// Names and places as the user wrote them, from debug information.
//
// A place inside one of the headers that stand for CUDA or OpenCL themselves
// tells the user nothing: there we take the line that the call was inlined
// into, as far out as needed.

#define _POSIX_C_SOURCE 200809L

#include "llvm/core.h"

#include <limits.h>
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_here(const char *folder) {
  char here[PATH_MAX];
  return getcwd(here, sizeof here) && !strcmp(here, folder);
}

// A name is relative to a folder that clang chooses: that of the compilation,
// or what an absolute name has in common with it.
static const char *file_of(Task *task, LLVMMetadataRef scope) {
  LLVMMetadataRef file = LLVMDIScopeGetFile(scope);
  unsigned length = 0, folder_length = 0;
  if (!file)
    return NULL;
  const char *text = LLVMDIFileGetFilename(file, &length);
  if (!text || !length)
    return NULL;
  const char *name = arena_printf(&task->arena, "%.*s", (int)length, text);
  text = LLVMDIFileGetDirectory(file, &folder_length);
  if (name[0] == '/' || !text || !folder_length)
    return name;
  const char *folder =
      arena_printf(&task->arena, "%.*s", (int)folder_length, text);
  return is_here(folder) ? name
                         : arena_printf(&task->arena, "%s/%s", folder, name);
}

Loc llvm_location_in(Task *task, LLVMValueRef instruction,
                     bool (*is_wanted)(Loc)) {
  LLVMMetadataRef at = LLVMInstructionGetDebugLoc(instruction);
  Loc loc = {0};
  for (; at; at = LLVMDILocationGetInlinedAt(at)) {
    loc.file = file_of(task, LLVMDILocationGetScope(at));
    loc.line = LLVMDILocationGetLine(at);
    loc.column = LLVMDILocationGetColumn(at);
    if (is_wanted(loc))
      break;
  }
  return loc;
}

Loc llvm_location(Task *task, LLVMValueRef instruction) {
  return llvm_location_in(task, instruction, loc_is_in_users_code);
}

static unsigned last_line(LLVMValueRef function, LLVMMetadataRef file) {
  unsigned last = 0;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef each = LLVMGetFirstInstruction(block); each;
         each = LLVMGetNextInstruction(each)) {
      LLVMMetadataRef at = LLVMInstructionGetDebugLoc(each);
      unsigned line = at ? LLVMDILocationGetLine(at) : 0;
      if (line > last && !LLVMDILocationGetInlinedAt(at) &&
          LLVMDIScopeGetFile(LLVMDILocationGetScope(at)) == file)
        last = line;
    }
  return last;
}

void llvm_function_spans(Task *task, LLVMModuleRef module,
                         FunctionSpans *spans) {
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
       function = LLVMGetNextFunction(function)) {
    LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
    const char *file = subprogram ? file_of(task, subprogram) : NULL;
    if (file && !LLVMIsDeclaration(function))
      push(&task->arena, spans,
           ((FunctionSpan){
               llvm_source_name(task, function), file,
               LLVMDISubprogramGetLine(subprogram),
               last_line(function, LLVMDIScopeGetFile(subprogram))}));
  }
}

bool llvm_is_of_runtime_header(Task *task, LLVMValueRef instruction) {
  LLVMMetadataRef at = LLVMInstructionGetDebugLoc(instruction);
  Loc loc = {.file = at ? file_of(task, LLVMDILocationGetScope(at)) : NULL,
             .line = 1};
  return loc.file && !loc_is_in_users_code(loc);
}

// Operand `index` of a metadata node, if it is a string.
static const char *string_operand(Task *task, LLVMContextRef context,
                                  LLVMMetadataRef node, unsigned index) {
  LLVMValueRef value = LLVMMetadataAsValue(context, node);
  unsigned count = LLVMGetMDNodeNumOperands(value), length = 0;
  if (index >= count)
    return NULL;
  LLVMValueRef *operands = arena_alloc(&task->arena, count * sizeof *operands);
  LLVMGetMDNodeOperands(value, operands);
  const char *text =
      operands[index] ? LLVMGetMDString(operands[index], &length) : NULL;
  return text ? arena_printf(&task->arena, "%.*s", (int)length, text) : NULL;
}

// DISubprogram's operands: file, scope, name, linkage name, ...
const char *llvm_source_name(Task *task, LLVMValueRef function) {
  LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
  size_t length = 0;
  const char *name = LLVMGetValueName2(function, &length);
  if (subprogram) {
    LLVMContextRef context =
        LLVMGetModuleContext(LLVMGetGlobalParent(function));
    const char *source = string_operand(task, context, subprogram, 2);
    if (source && *source)
      return source;
  }
  return plain_name(task, name);
}

Loc llvm_function_location(Task *task, LLVMValueRef function) {
  LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
  Loc loc = {0};
  if (!subprogram)
    return loc;
  loc.file = file_of(task, subprogram);
  loc.line = LLVMDISubprogramGetLine(subprogram);
  loc.column = 1;
  return loc;
}

// "i.addr.0" is "i" in the source.
static const char *trimmed_name(Task *task, LLVMValueRef value) {
  size_t length = 0;
  const char *name = LLVMGetValueName2(value, &length);
  size_t end = strcspn(name, ".");
  return end ? arena_printf(&task->arena, "%.*s", (int)end, name) : NULL;
}

// An argument that is a pointer to global memory becomes one to any memory, on
// AMD's devices; sroa makes numbers of it on the way.
static LLVMValueRef without_casts(LLVMValueRef value) {
  while (LLVMIsAIntToPtrInst(value) || LLVMIsAPtrToIntInst(value) ||
         LLVMIsAAddrSpaceCastInst(value))
    value = LLVMGetOperand(value, 0);
  return value;
}

// DILocalVariable's operands: scope, name, ...
static void note_record(Task *task, LLVMContextRef context, ValueTable *names,
                        LLVMDbgRecordRef record) {
  LLVMDbgRecordKind kind = LLVMDbgRecordGetKind(record);
  if (kind != LLVMDbgRecordDeclare && kind != LLVMDbgRecordValue)
    return;
  LLVMValueRef value = LLVMDbgVariableRecordGetValue(record, 0);
  LLVMMetadataRef variable = LLVMDbgVariableRecordGetVariable(record);
  if (!value || LLVMIsConstant(value) || table_get(names, value))
    return;
  const char *name = string_operand(task, context, variable, 1);
  if (!name || !*name)
    return;
  table_put(task, names, value, (void *)(uintptr_t)name);
  LLVMValueRef whole = without_casts(value);
  if (LLVMIsAArgument(whole) && !table_get(names, whole))
    table_put(task, names, whole, (void *)(uintptr_t)name);
}

void llvm_find_names(Task *task, LLVMValueRef function, ValueTable *names) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i))
      for (LLVMDbgRecordRef record = LLVMGetFirstDbgRecord(i); record;
           record = LLVMGetNextDbgRecord(record))
        note_record(task, context, names, record);
}

const char *llvm_name_of(Task *task, const ValueTable *names,
                         LLVMValueRef value) {
  const char *name = table_get(names, value);
  return name ? name : trimmed_name(task, value);
}

const char *llvm_variable_name(Task *task, const char *name) {
  // OpenCL: kernel.tile
  const char *dot = strrchr(name, '.');
  if (dot && dot[1] && strncmp(name, "_Z", 2) != 0 &&
      strspn(dot + 1, "0123456789") != strlen(dot + 1))
    return arena_copy(&task->arena, dot + 1);
  return arena_copy(&task->arena, plain_name(task, name));
}

const char *llvm_type_text(Task *task, LLVMTypeRef type) {
  char *text = LLVMPrintTypeToString(type);
  const char *copy = arena_copy(&task->arena, text);
  LLVMDisposeMessage(text);
  return copy;
}

const char *llvm_value_text(Task *task, LLVMValueRef value) {
  char *text = LLVMPrintValueToString(value);
  const char *start = text + strspn(text, " ");
  const char *copy =
      arena_printf(&task->arena, "%.*s", (int)strcspn(start, "!"), start);
  LLVMDisposeMessage(text);
  return copy;
}
