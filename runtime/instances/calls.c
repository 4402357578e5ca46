// Calls of a body: those of the machine, and those of the library.
//
// What runtime/threads/ has put before accesses becomes the engine's function
// of the same purpose.  A function of the library becomes the engine's, with
// its arguments as 64 bits; one that the engine has not is refused by its name.
// What prints does nothing: the processor does that when it repeats a schedule.

#include "runtime/instances/lowering.h"

#include "runtime/threads/world.h"

#include <string.h>

enum { POSIX_ARGUMENTS = 4 };

#define REFUSE(l, instruction, ...)                                            \
  unsupported((l)->task, llvm_location((l)->task, instruction),                \
              "--device: " __VA_ARGS__)

static LLVMValueRef widen(const Lowering *l, LLVMValueRef value) {
  if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind)
    return LLVMBuildPtrToInt(l->builder, value, l->i64, "");
  return LLVMBuildIntCast2(l->builder, value, l->i64, true, "");
}

static LLVMValueRef word(const Lowering *l, LLVMValueRef value) {
  return LLVMBuildIntCast2(l->builder, value, l->i32, false, "");
}

// ------------------------------------------------------------- the machine ---

static const DeedSite *site_of(const Lowering *l, LLVMValueRef call,
                               unsigned operand) {
  return &l->image->sites
              .at[LLVMConstIntGetZExtValue(LLVMGetOperand(call, operand))];
}

static void lower_access_hook(Lowering *l, LLVMValueRef call, bool writes,
                              bool is_atomic) {
  const DeedSite *site = site_of(l, call, 1);
  writes |= is_atomic && site->kind == DEED_ATOMIC_WRITE;
  LLVMPositionBuilderBefore(l->builder, call);
  LLVMValueRef arguments[] = {
      widen(l, LLVMGetOperand(call, 0)), lowering_number(l, site->bytes),
      lowering_word(l, writes), LLVMGetOperand(call, 1)};
  cut_at(l, call, is_atomic ? "instance_atomic" : "instance_access", arguments,
         4);
}

static void lower_copy_hook(Lowering *l, LLVMValueRef call) {
  LLVMPositionBuilderBefore(l->builder, call);
  LLVMValueRef arguments[] = {widen(l, LLVMGetOperand(call, 0)),
                              widen(l, LLVMGetOperand(call, 1)),
                              LLVMGetOperand(call, 2), LLVMGetOperand(call, 3)};
  cut_at(l, call, "instance_copy", arguments, 4);
}

static void lower_fill_hook(Lowering *l, LLVMValueRef call) {
  LLVMPositionBuilderBefore(l->builder, call);
  LLVMValueRef arguments[] = {widen(l, LLVMGetOperand(call, 0)),
                              LLVMGetOperand(call, 1), LLVMGetOperand(call, 2)};
  cut_at(l, call, "instance_fill", arguments, 3);
}

static void tell(Lowering *l, const char *name, LLVMValueRef what) {
  LLVMValueRef arguments[] = {l->world, what};
  lowering_call(l, name, arguments, 2);
}

static const char no_return[] =
    "setjmp, or pthread_cleanup_push, is not there on a device";

// Where it saves registers to come back, as pthread_cleanup_push does; or NULL.
static LLVMValueRef find_return(LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i)) {
      LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
      size_t length = 0;
      if (!callee || !LLVMIsAFunction(callee))
        continue;
      const char *name = LLVMGetValueName2(callee, &length);
      if (!strcmp(name, "__sigsetjmp") || !strcmp(name, "_setjmp"))
        return i;
    }
  return NULL;
}

// False: it is no call of the machine.
static bool lower_hook(Lowering *l, LLVMValueRef call, const char *name) {
  LLVMPositionBuilderBefore(l->builder, call);
  if (!strcmp(name, "threads_read"))
    lower_access_hook(l, call, false, false);
  else if (!strcmp(name, "threads_write"))
    lower_access_hook(l, call, true, false);
  else if (!strcmp(name, "threads_atomic"))
    lower_access_hook(l, call, false, true);
  else if (!strcmp(name, "threads_copy"))
    lower_copy_hook(l, call);
  else if (!strcmp(name, "threads_fill"))
    lower_fill_hook(l, call);
  else if (!strcmp(name, "threads_meet"))
    cut_at(l, call, "instance_meet", NULL, 0);
  else if (!strcmp(name, "threads_changed"))
    tell(l, "instance_changed", word(l, LLVMGetOperand(call, 0)));
  else if (!strcmp(name, "threads_publish"))
    tell(l, "instance_publish", widen(l, LLVMGetOperand(call, 0)));
  else if (!strcmp(name, "threads_fence"))
    ; // races are the processor's business
  else if (!strcmp(name, "threads_enter"))
    REFUSE(l,
           find_return(LLVMGetBasicBlockParent(LLVMGetInstructionParent(call))),
           "%s", no_return);
  else
    return false;
  LLVMInstructionEraseFromParent(call);
  return true;
}

// --------------------------------------------------------------- intrinsics
// ---

static bool begins(const char *text, const char *with) {
  return !strncmp(text, with, strlen(with));
}

// Bytes that are moved, or set.
static void lower_transfer(Lowering *l, LLVMValueRef call) {
  bool copies = llvm_transfer(call) == TRANSFER_COPY;
  LLVMPositionBuilderBefore(l->builder, call);
  LLVMValueRef arguments[] = {
      l->world, widen(l, LLVMGetOperand(call, 0)),
      copies ? widen(l, LLVMGetOperand(call, 1))
             : LLVMBuildZExt(l->builder, LLVMGetOperand(call, 1), l->i64, ""),
      LLVMBuildIntCast2(l->builder, LLVMGetOperand(call, 2), l->i64, false,
                        "")};
  LLVMValueRef ends =
      lowering_call(l, copies ? "instance_move" : "instance_set", arguments, 4);
  cut_where(
      l, call,
      LLVMBuildICmp(l->builder, LLVMIntNE, ends, lowering_word(l, 0), ""));
  LLVMInstructionEraseFromParent(call);
}

// Without memory and the same everywhere.
static bool is_plain(const char *name) {
  static const char *const plain[] = {
      "llvm.abs.",   "llvm.smax.",  "llvm.smin.", "llvm.umax.",
      "llvm.umin.",  "llvm.ctpop.", "llvm.ctlz.", "llvm.cttz.",
      "llvm.bswap.", "llvm.fshl.",  "llvm.fshr.", "llvm.expect.",
      "llvm.sadd.",  "llvm.uadd.",  "llvm.ssub.", "llvm.usub.",
      "llvm.smul.",  "llvm.umul.",  "llvm.fabs.", "llvm.is.constant."};
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
    if (begins(name, plain[i]))
      return true;
  return false;
}

static bool is_idle(LLVMValueRef call, const char *name) {
  return llvm_is_lifetime(call) || begins(name, "llvm.dbg.") ||
         begins(name, "llvm.assume") || begins(name, "llvm.x86.sse2.pause") ||
         begins(name, "llvm.experimental.noalias.scope.decl");
}

// A device would make one operation of it, and round once.
static void lower_multiply_add(Lowering *l, LLVMValueRef call) {
  LLVMPositionBuilderBefore(l->builder, call);
  LLVMValueRef product = LLVMBuildFMul(l->builder, LLVMGetOperand(call, 0),
                                       LLVMGetOperand(call, 1), "");
  LLVMReplaceAllUsesWith(
      call, LLVMBuildFAdd(l->builder, product, LLVMGetOperand(call, 2), ""));
  LLVMInstructionEraseFromParent(call);
}

static void lower_intrinsic(Lowering *l, LLVMValueRef call, const char *name) {
  if (is_idle(call, name))
    LLVMInstructionEraseFromParent(call);
  else if (llvm_transfer(call) != TRANSFER_NONE)
    lower_transfer(l, call);
  else if (begins(name, "llvm.fmuladd."))
    lower_multiply_add(l, call);
  else if (begins(name, "llvm.trap")) {
    LLVMValueRef none[POSIX_ARGUMENTS];
    for (unsigned i = 0; i < POSIX_ARGUMENTS; i++)
      none[i] = lowering_number(l, 0);
    cut_at(l, call, "posix_trap", none, POSIX_ARGUMENTS);
    LLVMInstructionEraseFromParent(call);
  } else if (begins(name, "llvm.stacksave"))
    REFUSE(l, call,
           "a local array whose size is not fixed is not there on a "
           "device");
  else if (!is_plain(name))
    REFUSE(l, call, "'%s' is not there on a device", name);
}

// ------------------------------------------------------------- the library ---

// By other names in the engine.
static const char *engine_name(const char *name) {
  static const char *const others[][2] = {
      {ENDS_PROGRAM, "exit"},
      {ENDS_THREAD, "pthread_exit"},
      {"__assert_fail", "assert_fail"},
      {"_exit", "exit"},
      {"_Exit", "exit"},
      {"quick_exit", "exit"},
      {"memcpy", "memmove"},
      {"pthread_yield", "sched_yield"},
      {"thrd_yield", "sched_yield"},
      {"random", "rand"},
      {"srandom", "srand"},
      {"bcmp", "memcmp"},
      {ONCE_BEGINS, "once_begin"},
      {ONCE_ENDS, "once_end"},
      {"thrd_exit", "pthread_exit"},
      {"thrd_detach", "pthread_detach"},
      {"mtx_destroy", "pthread_mutex_destroy"},
      {"cnd_destroy", "nothing"},
      {"cnd_signal", "pthread_cond_signal"},
      {"cnd_broadcast", "pthread_cond_broadcast"},
      {"pthread_attr_destroy", "nothing"},
      {"pthread_setconcurrency", "nothing"},
      {"pthread_condattr_init", "nothing"},
      {"pthread_condattr_destroy", "nothing"},
  };
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (!strcmp(others[i][0], name))
      return others[i][1];
  return name;
}

// Of what it answers nobody may ask.
static bool only_prints(const char *name) {
  static const char *const printing[] = {"printf", "fprintf", "puts",
                                         "fputs",  "putchar", "putc",
                                         "fputc",  "fflush",  "perror"};
  for (size_t i = 0; i < sizeof printing / sizeof *printing; i++)
    if (!strcmp(printing[i], name))
      return true;
  return false;
}

static bool is_number(LLVMValueRef value) {
  LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));
  return kind == LLVMPointerTypeKind ||
         (kind == LLVMIntegerTypeKind &&
          LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= 64);
}

static void take_result(Lowering *l, LLVMValueRef call) {
  LLVMTypeRef type = LLVMTypeOf(call);
  if (!LLVMGetFirstUse(call))
    return;
  LLVMPositionBuilderBefore(l->builder, call);
  LLVMValueRef result = lowering_call(l, "instance_result", &l->world, 1);
  LLVMReplaceAllUsesWith(
      call, LLVMGetTypeKind(type) == LLVMPointerTypeKind
                ? LLVMBuildIntToPtr(l->builder, result, type, "")
                : LLVMBuildIntCast2(l->builder, result, type, false, ""));
}

static void lower_library(Lowering *l, LLVMValueRef call, const char *name) {
  bool prints = only_prints(name);
  const char *engine = arena_printf(&l->task->arena, "posix_%s",
                                    prints ? "nothing" : engine_name(name));
  unsigned count = LLVMGetNumArgOperands(call);
  LLVMValueRef arguments[POSIX_ARGUMENTS];
  if (!lowering_function(l, engine) || (!prints && count > POSIX_ARGUMENTS))
    REFUSE(l, call, "'%s' is not there on a device", name);
  if (prints && LLVMGetFirstUse(call))
    REFUSE(l, call, "the result of '%s' is not there on a device", name);
  LLVMPositionBuilderBefore(l->builder, call);
  for (unsigned i = 0; i < POSIX_ARGUMENTS; i++) {
    bool is_given = i < count && !prints;
    if (is_given && !is_number(LLVMGetOperand(call, i)))
      REFUSE(l, call, "'%s' with such an argument is not there on a device",
             name);
    arguments[i] =
        is_given ? widen(l, LLVMGetOperand(call, i)) : lowering_number(l, 0);
  }
  cut_at(l, call, engine, arguments, POSIX_ARGUMENTS);
  take_result(l, call);
  LLVMInstructionEraseFromParent(call);
}

// -------------------------------------------------------------------- all ---

// What has not become a part of the body.
static _Noreturn void refuse_function(Lowering *l, LLVMValueRef call,
                                      LLVMValueRef function) {
  size_t length = 0;
  const char *name = plain_name(l->task, LLVMGetValueName2(function, &length));
  LLVMValueRef comes_back = find_return(function);
  Loc where = llvm_location(l->task, call);
  if (comes_back)
    REFUSE(l, comes_back, "%s", no_return);
  unsupported(l->task,
              where.line ? where : llvm_function_location(l->task, function),
              "--device: '%s' is recursive, or has a variable number of "
              "arguments, and is not there on a device",
              name);
}

void lower_call(Lowering *l, LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  size_t length = 0;
  if (LLVMIsAInlineAsm(callee)) { // nothing that a thread could see
    if (LLVMGetFirstUse(call))
      REFUSE(l, call, "assembly with a result is not there on a device");
    LLVMInstructionEraseFromParent(call);
    return;
  }
  if (!LLVMIsAFunction(callee))
    REFUSE(l, call, "a call through a pointer is not there on a device");
  const char *name = LLVMGetValueName2(callee, &length);
  if (begins(name, "llvm."))
    lower_intrinsic(l, call, name);
  else if (begins(name, "gpuverify_instance_") || lower_hook(l, call, name))
    return;
  else if (!LLVMIsDeclaration(callee))
    refuse_function(l, call, callee);
  else
    lower_library(l, call, name);
}
