// usage: proof
//
// The forms as the proof reads them (translator/from_llvm_assembly*.c): each
// becomes a function of LLVM IR, which is executed here and held against the
// references.  A form that the proof does not understand is left out, as it
// leaves it out itself.

#define _GNU_SOURCE

#include "runtime/machine/machine.h"
#include "test/ptx/forms.h"
#include "translator/translator.h"

#include <llvm-c/Core.h>
#include <llvm-c/ExecutionEngine.h>
#include <llvm-c/Target.h>
#include <stdlib.h>
#include <string.h>

typedef void Compute(const uint64_t *in, uint64_t *out);

typedef struct Maker {
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMBuilderRef builder;
} Maker;

// Halves need functions that the compiler's library has, and ours has not.
static bool is_left_out(const Form *form) {
  Type types[] = {form->type, form->to};
  for (unsigned i = 0; i < 2; i++)
    if (is_float(types[i]) && types[i].bits == 16)
      return true;
  return false;
}

// -------------------------------------------------------------------- text ---

// LLVM writes $0 where C has %0.
static char *text_of(const Form *form) {
  char *text;
  size_t size;
  FILE *to = open_memstream(&text, &size);
  print_text(to, form, TUPLES);
  fclose(to);
  for (char *at = text; (at = strchr(at, '%'));)
    *at = '$';
  return text;
}

static unsigned operands_of(const Form *form) {
  return form->sources + takes_carry(form);
}

static Type operand_of(const Form *form, unsigned i) {
  return i < form->sources ? form->operands[i] : (Type){'p', 1, 1};
}

static LLVMTypeRef type_of(const Maker *m, Type type) {
  char letter = constraint_of(type);
  return LLVMIntTypeInContext(m->context, letter == 'l'   ? 64
                                          : letter == 'h' ? 16
                                                          : 32);
}

static LLVMTypeRef type_of_assembly(const Maker *m, const Form *form,
                                    char *constraints) {
  LLVMTypeRef in[MOST_SOURCES + 1];
  LLVMTypeRef results[] = {type_of(m, form->result),
                           LLVMInt32TypeInContext(m->context)};
  constraints += sprintf(constraints, "=%c,=r", constraint_of(form->result));
  for (unsigned i = 0; i < operands_of(form); i++) {
    in[i] = type_of(m, operand_of(form, i));
    constraints +=
        sprintf(constraints, ",%c", constraint_of(operand_of(form, i)));
  }
  return LLVMFunctionType(
      LLVMStructTypeInContext(m->context, results, 2, false), in,
      operands_of(form), false);
}

// --------------------------------------------------------------- functions ---

static LLVMValueRef word_at(const Maker *m, LLVMValueRef at, unsigned n) {
  LLVMTypeRef i64 = LLVMInt64TypeInContext(m->context);
  LLVMValueRef index = LLVMConstInt(i64, n, false);
  return LLVMBuildGEP2(m->builder, i64, at, &index, 1, "");
}

// void form_n(const uint64_t *in, uint64_t *out)
static void add_function(const Maker *m, const Form *form, size_t number) {
  LLVMTypeRef pointer = LLVMPointerTypeInContext(m->context, 0);
  LLVMTypeRef parameters[] = {pointer, pointer};
  LLVMTypeRef i64 = LLVMInt64TypeInContext(m->context);
  LLVMValueRef in[MOST_SOURCES + 1];
  char name[32], constraints[64], *text = text_of(form);
  snprintf(name, sizeof name, "form_%zu", number);
  LLVMValueRef function =
      LLVMAddFunction(m->module, name,
                      LLVMFunctionType(LLVMVoidTypeInContext(m->context),
                                       parameters, 2, false));
  LLVMPositionBuilderAtEnd(
      m->builder, LLVMAppendBasicBlockInContext(m->context, function, ""));
  LLVMTypeRef type = type_of_assembly(m, form, constraints);
  for (unsigned i = 0; i < operands_of(form); i++)
    in[i] = LLVMBuildTruncOrBitCast(
        m->builder,
        LLVMBuildLoad2(m->builder, i64,
                       word_at(m, LLVMGetParam(function, 0), i), ""),
        type_of(m, operand_of(form, i)), "");
  LLVMValueRef assembly = LLVMGetInlineAsm(
      type, text, strlen(text), constraints, strlen(constraints), true, false,
      LLVMInlineAsmDialectATT, false);
  LLVMValueRef both =
      LLVMBuildCall2(m->builder, type, assembly, in, operands_of(form), "");
  for (unsigned n = 0; n < 2; n++)
    LLVMBuildStore(m->builder,
                   LLVMBuildZExtOrBitCast(
                       m->builder,
                       LLVMBuildExtractValue(m->builder, both, n, ""), i64, ""),
                   word_at(m, LLVMGetParam(function, 1), n));
  LLVMBuildRetVoid(m->builder);
  free(text);
}

static bool has_assembly(LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i))
      if (LLVMIsACallInst(i) && LLVMIsAInlineAsm(LLVMGetCalledValue(i)))
        return true;
  return false;
}

static void drop_what_is_not_understood(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module), next; f; f = next) {
    next = LLVMGetNextFunction(f);
    if (has_assembly(f))
      LLVMDeleteFunction(f);
  }
}

// Intrinsics of NVVM are those of executions.  False: one that has no row.
static bool map_intrinsics(LLVMModuleRef module,
                           LLVMExecutionEngineRef engine) {
  unsigned number = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f)) {
    size_t length;
    char name[80], own[32];
    snprintf(name, sizeof name, "%s", LLVMGetValueName2(f, &length));
    if (strncmp(name, "llvm.nvvm.", 10) != 0)
      continue;
    const Builtin *builtin = builtin_of_numbers(name);
    if (!builtin) {
      printf("FAIL %s has no row\n", name);
      return false;
    }
    snprintf(own, sizeof own, "host_%u", number++);
    LLVMSetValueName2(f, own, strlen(own));
    void *address;
    memcpy(&address, &builtin->function, sizeof address);
    LLVMAddGlobalMapping(engine, f, address);
  }
  return true;
}

// ------------------------------------------------------------------- forms ---

static bool check(const Form *form, size_t number, Compute *compute) {
  static uint64_t got[2 * TUPLES];
  for (unsigned t = 0; t < TUPLES; t++) {
    uint64_t in[MOST_SOURCES];
    fill(form, t, in);
    in[form->sources] = in[MOST_SOURCES - 1]; // the carry
    compute(in, &got[2 * t]);
  }
  // which bits a NaN has, LLVM does not say
  return check_form(form, number, got, TUPLES, true);
}

static int check_all(LLVMModuleRef module, LLVMExecutionEngineRef engine) {
  size_t count, understood = 0, passed = 0;
  const Form *forms = all_forms(&count);
  for (size_t i = 0; i < count; i++) {
    char name[32];
    snprintf(name, sizeof name, "form_%zu", i);
    if (!LLVMGetNamedFunction(module, name))
      continue;
    uint64_t address = LLVMGetFunctionAddress(engine, name);
    Compute *compute;
    memcpy(&compute, &address, sizeof compute);
    understood++;
    passed += check(&forms[i], i, compute);
  }
  printf("%zu forms right of %zu that the proof understands\n", passed,
         understood);
  return passed != understood || !understood;
}

typedef struct Proof {
  LLVMModuleRef module;
} Proof;

static void lower(Task *task, void *data) {
  llvm_lower_assembly(task, ((Proof *)data)->module);
}

int main(void) {
  LLVMContextRef context = LLVMContextCreate();
  Maker m = {context, LLVMModuleCreateWithNameInContext("forms", context),
             LLVMCreateBuilderInContext(context)};
  size_t count;
  const Form *forms = all_forms(&count);
  char *problem = NULL;
  LLVMSetTarget(m.module, "nvptx64-nvidia-cuda");
  for (size_t i = 0; i < count; i++)
    if (!is_left_out(&forms[i]))
      add_function(&m, &forms[i], i);
  Task task = {0};
  Proof proof = {m.module};
  task_run(&task, lower, &proof);
  drop_what_is_not_understood(m.module);
  LLVMExecutionEngineRef engine;
  LLVMInitializeNativeTarget();
  LLVMInitializeNativeAsmPrinter();
  LLVMLinkInMCJIT();
  LLVMSetTarget(m.module, "");
  if (LLVMCreateExecutionEngineForModule(&engine, m.module, &problem)) {
    printf("FAIL %s\n", problem);
    return 1;
  }
  return !map_intrinsics(m.module, engine) || check_all(m.module, engine);
}
