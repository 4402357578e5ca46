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

// -------------------------------------------------------------------- text ---

// LLVM writes $0 where C has %0.
static char *text_of(const Form *form, unsigned tuple) {
  char *text;
  size_t size;
  FILE *to = open_memstream(&text, &size);
  print_text(to, form, tuple);
  fclose(to);
  for (char *at = text; (at = strchr(at, '%'));)
    *at = '$';
  return text;
}

static LLVMTypeRef type_of(const Maker *m, Type type) {
  char letter = constraint_of(type);
  return LLVMIntTypeInContext(m->context, letter == 'l'   ? 64
                                          : letter == 'h' ? 16
                                                          : 32);
}

static LLVMTypeRef type_of_assembly(const Maker *m, const Form *form,
                                    unsigned tuple, char *constraints) {
  uint64_t value;
  LLVMTypeRef in[MOST_SOURCES + 1];
  LLVMTypeRef results[] = {type_of(m, form->result),
                           LLVMInt32TypeInContext(m->context)};
  constraints += sprintf(constraints, "=%c,=r", constraint_of(form->result));
  for (unsigned i = 0; i < sources_of(form); i++) {
    in[i] = type_of(m, source_type(form, i));
    constraints += sprintf(constraints, ",%c",
                           has_constant(form, tuple, i, &value)
                               ? 'n'
                               : constraint_of(source_type(form, i)));
  }
  return LLVMFunctionType(
      LLVMStructTypeInContext(m->context, results, 2, false), in,
      sources_of(form), false);
}

// --------------------------------------------------------------- functions ---

static LLVMValueRef word_at(const Maker *m, LLVMValueRef at, unsigned n) {
  LLVMTypeRef i64 = LLVMInt64TypeInContext(m->context);
  LLVMValueRef index = LLVMConstInt(i64, n, false);
  return LLVMBuildGEP2(m->builder, i64, at, &index, 1, "");
}

static LLVMValueRef source_of(const Maker *m, const Form *form, unsigned tuple,
                              unsigned i, LLVMValueRef in) {
  LLVMTypeRef i64 = LLVMInt64TypeInContext(m->context);
  LLVMTypeRef type = type_of(m, source_type(form, i));
  uint64_t value;
  if (has_constant(form, tuple, i, &value))
    return LLVMConstInt(type, value, false);
  return LLVMBuildTruncOrBitCast(
      m->builder, LLVMBuildLoad2(m->builder, i64, word_at(m, in, i), ""), type,
      "");
}

static void name_function(char *name, size_t size, size_t number,
                          unsigned tuple) {
  snprintf(name, size, tuple == TUPLES ? "form_%zu" : "literal_%zu", number);
}

// void form_n(const uint64_t *in, uint64_t *out)
static void add_function(const Maker *m, const Form *form, size_t number,
                         unsigned tuple) {
  LLVMTypeRef pointer = LLVMPointerTypeInContext(m->context, 0);
  LLVMTypeRef parameters[] = {pointer, pointer};
  LLVMTypeRef i64 = LLVMInt64TypeInContext(m->context);
  LLVMValueRef in[MOST_SOURCES + 1];
  char name[32], constraints[64], *text = text_of(form, tuple);
  name_function(name, sizeof name, number, tuple);
  LLVMValueRef function =
      LLVMAddFunction(m->module, name,
                      LLVMFunctionType(LLVMVoidTypeInContext(m->context),
                                       parameters, 2, false));
  LLVMPositionBuilderAtEnd(
      m->builder, LLVMAppendBasicBlockInContext(m->context, function, ""));
  LLVMTypeRef type = type_of_assembly(m, form, tuple, constraints);
  for (unsigned i = 0; i < sources_of(form); i++)
    in[i] = source_of(m, form, tuple, i, LLVMGetParam(function, 0));
  LLVMValueRef assembly = LLVMGetInlineAsm(
      type, text, strlen(text), constraints, strlen(constraints), true, false,
      LLVMInlineAsmDialectATT, false);
  LLVMValueRef both =
      LLVMBuildCall2(m->builder, type, assembly, in, sources_of(form), "");
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

// What has no body is that of executions.  False: one that has no row.
static bool map_functions(Task *task, LLVMModuleRef module,
                          LLVMExecutionEngineRef engine) {
  unsigned number = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f)) {
    size_t length;
    char name[80], own[32];
    snprintf(name, sizeof name, "%s", LLVMGetValueName2(f, &length));
    bool is_llvms = !strncmp(name, "llvm.", 5) && name[5] != 'n';
    if (!LLVMIsDeclaration(f) || is_llvms)
      continue;
    const Builtin *builtin = builtin_find(task, name);
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

// NULL: the proof does not understand it.
static Compute *compute_of(LLVMModuleRef module, LLVMExecutionEngineRef engine,
                           size_t number, unsigned tuple) {
  char name[32];
  name_function(name, sizeof name, number, tuple);
  if (!LLVMGetNamedFunction(module, name))
    return NULL;
  uint64_t address = LLVMGetFunctionAddress(engine, name);
  Compute *compute;
  memcpy(&compute, &address, sizeof compute);
  return compute;
}

static void execute(const Form *form, unsigned tuple, Compute *compute,
                    uint64_t *got) {
  uint64_t in[MOST_SOURCES];
  fill(form, tuple, in);
  in[form->sources] = in[MOST_SOURCES - 1]; // the carry
  compute(in, got);
}

static bool check(const Form *form, size_t number, Compute *of_registers,
                  Compute *of_literals) {
  static uint64_t got[2 * RESULTS];
  for (unsigned t = 0; t < TUPLES; t++)
    execute(form, t, of_registers, &got[2 * t]);
  for (unsigned n = 0; n < LITERALS; n++)
    execute(form, literal_tuple(number, n), of_literals,
            &got[2 * (TUPLES + n)]);
  // which bits a NaN has, LLVM does not say
  return check_form(form, number, got, RESULTS, true);
}

static int check_all(LLVMModuleRef module, LLVMExecutionEngineRef engine) {
  size_t count, understood = 0, passed = 0;
  const Form *forms = all_forms(&count);
  for (size_t i = 0; i < count; i++) {
    Compute *of_registers = compute_of(module, engine, i, TUPLES);
    Compute *of_literals = compute_of(module, engine, i, literal_tuple(i, 0));
    if (!of_registers)
      continue;
    understood++;
    if (!of_literals)
      printf("FAIL %s: not with literals\n", forms[i].text);
    else
      passed += check(&forms[i], i, of_registers, of_literals);
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
  for (size_t i = 0; i < count; i++) {
    add_function(&m, &forms[i], i, TUPLES);
    add_function(&m, &forms[i], i, literal_tuple(i, 0));
  }
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
  return !map_functions(&task, m.module, engine) || check_all(m.module, engine);
}
