// From a program to code for instances.
//
// A thread's body is the function that it begins at, with all that this calls
// in the place of the calls: main, and each function that is given to
// pthread_create by its name.  Bodies are then cut (lower.c, cut.c), and one
// function chooses among them by number.

#include "runtime/instances/lowering.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/DebugInfo.h>
#include <string.h>

static const char *name_of(LLVMValueRef value) {
  size_t length = 0;
  return LLVMGetValueName2(value, &length);
}

// ------------------------------------------------------------------- open ---

static LLVMModuleRef read_image(Task *task, const ProgramImage *image) {
  LLVMModuleRef module = NULL;
  LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRange(
      image->instrumented, image->instrumented_bytes, "program", false);
  if (LLVMParseBitcodeInContext2(LLVMContextCreate(), buffer, &module))
    unsupported(task, (Loc){0}, "--device: the program cannot be read again");
  LLVMDisposeMemoryBuffer(buffer);
  return module;
}

static Lowering open(Task *task, const ProgramImage *image) {
  LLVMModuleRef module = read_image(task, image);
  LLVMContextRef context = LLVMGetModuleContext(module);
  Lowering l = {.task = task,
                .image = image,
                .module = module,
                .context = context,
                .builder = LLVMCreateBuilderInContext(context),
                .none = LLVMVoidTypeInContext(context),
                .i8 = LLVMInt8TypeInContext(context),
                .i32 = LLVMInt32TypeInContext(context),
                .i64 = LLVMInt64TypeInContext(context),
                .pointer = LLVMPointerTypeInContext(context, 0)};
  LLVMTypeRef parameters[] = {l.pointer, l.pointer, l.pointer, l.i64};
  l.body_type = LLVMFunctionType(l.none, parameters, 4, false);
  return l;
}

// What memory begins with the host knows; what it names would keep functions.
static void drop_variables(Lowering *l) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(l->module), next; g; g = next) {
    next = LLVMGetNextGlobal(g);
    LLVMSetInitializer(g, LLVMGetUndef(LLVMGlobalGetValueType(g)));
    LLVMSetLinkage(g, LLVMInternalLinkage);
  }
  for (LLVMValueRef g = LLVMGetFirstGlobal(l->module), next; g; g = next) {
    next = LLVMGetNextGlobal(g);
    if (!LLVMGetFirstUse(g))
      LLVMDeleteGlobal(g);
  }
}

// --------------------------------------------------------------- functions ---

static void forget(LLVMValueRef function, const char *name) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMRemoveEnumAttributeAtIndex(
      function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind);
}

static void forget_text(LLVMValueRef function, const char *name) {
  LLVMRemoveStringAttributeAtIndex(
      function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, name,
      (unsigned)strlen(name));
}

static void give(const Lowering *l, LLVMValueRef function, const char *name) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMAddAttributeAtIndex(function,
                          (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                          LLVMCreateEnumAttribute(l->context, kind, 0));
}

// All of the program's functions go to the place of their calls.
static void make_inline(const Lowering *l) {
  for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f;
       f = LLVMGetNextFunction(f)) {
    forget_text(f, "target-cpu");
    forget_text(f, "target-features");
    forget_text(f, "tune-cpu");
    if (LLVMIsDeclaration(f))
      continue;
    forget(f, "noinline");
    forget(f, "optnone");
    give(l, f, "alwaysinline");
    LLVMSetLinkage(f, LLVMInternalLinkage);
  }
}

// ------------------------------------------------------------------ bodies ---

static unsigned add_body(Lowering *l, LLVMValueRef start) {
  for (size_t i = 1; i < l->starts.count; i++)
    if (l->starts.at[i] == start)
      return (unsigned)i;
  push(&l->task->arena, &l->starts, start);
  return (unsigned)l->starts.count - 1;
}

// Which argument of the function a thread begins at; 0: it creates none.
static unsigned start_of(const char *name) {
  return !strcmp(name, "pthread_create") ? 2
         : !strcmp(name, "thrd_create")  ? 1
                                         : 0;
}

static void number_start(Lowering *l, LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  unsigned argument = LLVMIsAFunction(callee) ? start_of(name_of(callee)) : 0;
  if (!argument)
    return;
  LLVMValueRef start = LLVMGetOperand(call, argument);
  if (!LLVMIsAFunction(start) || LLVMIsDeclaration(start))
    unsupported(l->task, llvm_location(l->task, call),
                "--device: a thread begins at a function that is not named "
                "here, which is not there on a device");
  LLVMSetOperand(
      call, argument,
      LLVMConstIntToPtr(lowering_number(l, add_body(l, start)), l->pointer));
}

static void find_starts(Lowering *l, LLVMValueRef body) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(body); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i))
      if (LLVMIsACallInst(i))
        number_start(l, i);
}

static LLVMValueRef ask(const Lowering *l, const char *name, LLVMValueRef body,
                        LLVMTypeRef type) {
  LLVMValueRef world = LLVMGetParam(body, 0);
  LLVMValueRef value = lowering_call(l, name, &world, 1);
  return LLVMGetTypeKind(type) == LLVMPointerTypeKind
             ? LLVMBuildIntToPtr(l->builder, value, type, "")
             : LLVMBuildIntCast2(l->builder, value, type, true, "");
}

static LLVMValueRef call_start(Lowering *l, LLVMValueRef body, size_t number) {
  static const char *const of_main[] = {"instance_argc", "instance_argv",
                                        "instance_environment"};
  enum { MOST = 3 };
  LLVMValueRef start = l->starts.at[number], arguments[MOST];
  LLVMTypeRef type = LLVMGlobalGetValueType(start), types[MOST];
  unsigned count = LLVMCountParamTypes(type);
  if (count > (number ? 1 : MOST))
    unsupported(l->task, (Loc){0},
                "--device: '%s' has other parameters than a thread's function",
                name_of(start));
  LLVMGetParamTypes(type, types);
  for (unsigned i = 0; i < count; i++)
    arguments[i] =
        ask(l, number ? "instance_argument" : of_main[i], body, types[i]);
  return LLVMBuildCall2(l->builder, type, start, arguments, count, "");
}

// By a call of the library.
static void end_thread(Lowering *l, const char *name, LLVMValueRef result) {
  LLVMTypeRef type = l->i64;
  bool is_pointer = LLVMGetTypeKind(LLVMTypeOf(result)) == LLVMPointerTypeKind;
  result = LLVMGetTypeKind(LLVMTypeOf(result)) == LLVMVoidTypeKind
               ? lowering_number(l, 0)
           : is_pointer
               ? LLVMBuildPtrToInt(l->builder, result, l->i64, "")
               : LLVMBuildIntCast2(l->builder, result, l->i64, true, "");
  LLVMTypeRef end_type = LLVMFunctionType(l->none, &type, 1, false);
  LLVMValueRef end = LLVMGetNamedFunction(l->module, name);
  if (!end)
    end = LLVMAddFunction(l->module, name, end_type);
  LLVMBuildCall2(l->builder, end_type, end, &result, 1, "");
  LLVMBuildUnreachable(l->builder);
}

static void make_body(Lowering *l, size_t number) {
  const char *name =
      arena_printf(&l->task->arena, "gpuverify.body.%zu", number);
  LLVMValueRef body = LLVMAddFunction(l->module, name, l->body_type);
  LLVMSetLinkage(body, LLVMInternalLinkage);
  LLVMPositionBuilderAtEnd(l->builder,
                           LLVMAppendBasicBlockInContext(l->context, body, ""));
  LLVMValueRef result = call_start(l, body, number);
  end_thread(l, number ? ENDS_THREAD : ENDS_PROGRAM, result);
  push(&l->task->arena, &l->bodies, body);
}

// ------------------------------------------------------------------ choose ---

static void make_choice(Lowering *l) {
  LLVMValueRef go = lowering_function(l, "instance_go");
  LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(l->context, go, "");
  LLVMBasicBlockRef end = LLVMAppendBasicBlockInContext(l->context, go, "");
  LLVMSetLinkage(go, LLVMInternalLinkage);
  LLVMPositionBuilderAtEnd(l->builder, end);
  LLVMBuildRetVoid(l->builder);
  LLVMPositionBuilderAtEnd(l->builder, entry);
  LLVMValueRef jump = LLVMBuildSwitch(l->builder, LLVMGetParam(go, 1), end,
                                      (unsigned)l->bodies.count);
  for (size_t i = 0; i < l->bodies.count; i++) {
    LLVMBasicBlockRef block = LLVMAppendBasicBlockInContext(l->context, go, "");
    LLVMValueRef arguments[] = {LLVMGetParam(go, 0), LLVMGetParam(go, 2),
                                LLVMGetParam(go, 3), LLVMGetParam(go, 4)};
    LLVMAddCase(jump, lowering_word(l, i), block);
    LLVMPositionBuilderAtEnd(l->builder, block);
    LLVMBuildCall2(l->builder, l->body_type, l->bodies.at[i], arguments, 4, "");
    LLVMBuildBr(l->builder, end);
  }
}

// -------------------------------------------------------------------- all ---

// Nobody outside calls anything but these.
static void hide_others(const Lowering *l) {
  static const char *const used[] = {"llvm.used", "llvm.compiler.used"};
  for (size_t i = 0; i < sizeof used / sizeof *used; i++) {
    LLVMValueRef list = LLVMGetNamedGlobal(l->module, used[i]);
    if (list)
      LLVMDeleteGlobal(list);
  }
  for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f;
       f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f) && strcmp(name_of(f), INSTANCES_KERNEL) != 0 &&
        strcmp(name_of(f), INSTANCES_RUN) != 0) {
      LLVMSetLinkage(f, LLVMInternalLinkage);
      LLVMSetVisibility(f, LLVMDefaultVisibility);
    }
}

static void run_passes(Lowering *l, const char *passes) {
  const char *reason = NULL;
  if (!llvm_run_passes(l->task, l->module, NULL, passes, &reason))
    unsupported(l->task, (Loc){0}, "--device: %s", reason);
}

// A body shows which others there are once all that it calls is in it.
static void make_bodies(Lowering *l) {
  push(&l->task->arena, &l->starts, LLVMGetNamedFunction(l->module, "main"));
  for (size_t made = 0, first; made < l->starts.count;) {
    for (first = made; made < l->starts.count; made++)
      make_body(l, made);
    run_passes(l,
               "always-inline,function(sroa,instsimplify,simplifycfg,"
               "lower-atomic)");
    for (size_t i = first; i < made; i++)
      find_starts(l, l->bodies.at[i]);
  }
}

void instances_make(Task *task, const ProgramImage *image, InstanceCode *code) {
  Lowering l = open(task, image);
  if (image->takes_addresses)
    unsupported(task, (Loc){0},
                "--device: a function of the library is called by its address, "
                "which is not there on a device");
  drop_variables(&l);
  make_inline(&l);
  lowering_expand_once(&l);
  lowering_link(&l);
  make_bodies(&l);
  for (size_t i = 0; i < l.bodies.count; i++)
    lower_body(&l, l.bodies.at[i]);
  make_choice(&l);
  hide_others(&l);
  LLVMStripModuleDebugInfo(l.module);
  run_passes(&l, "globaldce,default<O2>,globaldce");
  LLVMDisposeBuilder(l.builder);
  *code = (InstanceCode){l.module, l.frame_bytes, l.stack_bytes};
}

const char *instances_ptx(Task *task, const InstanceCode *code,
                          unsigned version, const char **reason) {
  return llvm_print_ptx(task, code->module, version, reason);
}
