// What is not executed, said before anything is.
//
// Each is one sentence with its place: a call that the library of this room
// lacks, assembly, an exception, a variable without a definition.

#include "runtime/threads/ir.h"

#include <stdlib.h>
#include <string.h>

static const char *name_of(LLVMValueRef value) {
  size_t length = 0;
  return LLVMGetValueName2(value, &length);
}

// Nothing that a thread could see.
static bool is_harmless_assembly(LLVMValueRef callee) {
  static const char *const texts[] = {"",        "pause",  "nop",    "rep; nop",
                                      "rep nop", "mfence", "lfence", "sfence"};
  size_t length = 0;
  const char *text = LLVMGetInlineAsmAsmString(callee, &length);
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (strlen(texts[i]) == length && !memcmp(texts[i], text, length))
      return true;
  return false;
}

// Refused by another sentence than that they are not known.
static const char *why_not(const char *name) {
  static const char *const reasons[][2] = {
      {"fork", "a program with processes of its own is not executed"},
      {"vfork", "a program with processes of its own is not executed"},
      {"pthread_kill", "signals are not executed"},
      {"raise", "signals are not executed"},
      {"kill", "signals are not executed"},
      {"alarm", "signals are not executed"},
      {"setitimer", "signals are not executed"},
      {"sigwait", "signals are not executed"},
      {"timer_create", "signals are not executed"},
      {"pause", "signals are not executed"},
      {"sigwaitinfo", "signals are not executed"},
      {"sigsuspend", "signals are not executed"},
      {"system", "a program with processes of its own is not executed"},
      {"popen", "a program with processes of its own is not executed"},
      {"execv", "a program with processes of its own is not executed"},
      {"execvp", "a program with processes of its own is not executed"},
      {"execl", "a program with processes of its own is not executed"},
      {"execlp", "a program with processes of its own is not executed"},
      {"waitpid", "a program with processes of its own is not executed"},
      {"pipe", "pipes and sockets are not executed"},
      {"socket", "pipes and sockets are not executed"},
      {"socketpair", "pipes and sockets are not executed"},
      {"accept", "pipes and sockets are not executed"},
      {"recv", "pipes and sockets are not executed"},
      {"sendto", "pipes and sockets are not executed"},
      {"gethostbyname", "pipes and sockets are not executed"},
      {"getaddrinfo", "pipes and sockets are not executed"},
      {"epoll_create", "to wait for files is not executed"},
      {"epoll_create1", "to wait for files is not executed"},
      {"select", "to wait for files is not executed"},
      {"poll", "to wait for files is not executed"},
      {"epoll_wait", "to wait for files is not executed"},
      {"sem_open", "semaphores with names are not executed"},
      {"shm_open", "memory with a name is not executed"},
      {"dlopen", "libraries that are loaded later are not executed"},
      {"getrandom", "random numbers of the system differ from run to run"},
      {"arc4random", "random numbers of the system differ from run to run"},
      {"pthread_mutexattr_setrobust", "robust mutexes are not executed"},
      {"setjmp", "setjmp as a function, not a macro, is not executed"},
      {"sigsetjmp", "sigsetjmp as a function, not a macro, is not executed"},
      {"isatty", "a program that asks for a terminal is not executed"},
      {"tcgetattr", "a program that needs a terminal is not executed"},
  };
  for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
    if (!strcmp(reasons[i][0], name))
      return reasons[i][1];
  return NULL;
}

// Of intrinsics those of the processor, but for what only waits or orders.
static bool accesses_memory_itself(const char *name) {
  static const char *const harmless[] = {"pause", "mfence", "lfence", "sfence"};
  static const char *const wide[] = {"llvm.x86.", "llvm.masked.", "llvm.vp."};
  bool is_wide = false;
  for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
    is_wide |= !strncmp(name, wide[i], strlen(wide[i]));
  for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
    is_wide &= !strstr(name, harmless[i]);
  return is_wide;
}

// What the next schedule would begin with, and all threads have.
static bool changes_arithmetic(const char *name) {
  return !strncmp(name, "llvm.set.", strlen("llvm.set.")) ||
         !strncmp(name, "llvm.reset.", strlen("llvm.reset."));
}

bool ir_is_of_namespace_std(const char *name) {
  static const char *const starts[] = {"_ZNSt", "_ZNKSt", "_ZSt",  "_ZNSa",
                                       "_ZNSs", "_ZNKSs", "_ZNSo", "_ZNSi"};
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
    if (!strncmp(name, starts[i], strlen(starts[i])))
      return true;
  return false;
}

char *__cxa_demangle(const char *name, char *to, size_t *room, int *status);

const char *ir_told_name(Task *task, const char *name) {
  int status = 0;
  const char *plain = plain_name(task, name);
  char *text = plain == name && !strncmp(name, "_Z", 2)
                   ? __cxa_demangle(name, NULL, NULL, &status)
                   : NULL;
  const char *told = arena_copy(&task->arena, text ? text : plain);
  free(text);
  return told;
}

static bool is_futex(LLVMValueRef call) {
  LLVMValueRef number =
      LLVMGetNumArgOperands(call) ? LLVMGetOperand(call, 0) : NULL;
  return number && LLVMIsAConstantInt(number) &&
         LLVMConstIntGetZExtValue(number) == FUTEX_NUMBER;
}

// A function of the program has a name of C++.
static bool is_cxx(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f) && !strncmp(name_of(f), "_Z", 2))
      return true;
  return false;
}

static void refuse_call(Task *task, LLVMValueRef call, LLVMValueRef callee) {
  const char *name = name_of(callee);
  Loc where = llvm_location(task, call);
  if (accesses_memory_itself(name))
    unsupported(task, where,
                "'%s': an instruction that accesses memory in a "
                "way of its own is not executed",
                name);
  if (strstr(name, "cyclecounter") || strstr(name, "steadycounter"))
    unsupported(task, where, "'%s': the processor's own clock is not executed",
                name);
  if (!strncmp(name, "llvm.eh.sjlj.", strlen("llvm.eh.sjlj.")))
    unsupported(task, where,
                "'%s': __builtin_setjmp and __builtin_longjmp are not executed",
                name);
  if (changes_arithmetic(name))
    unsupported(task, where,
                "'%s': to change how numbers are rounded is not "
                "executed",
                name);
  if (!strcmp(name, "pthread_cancel") && is_cxx(LLVMGetGlobalParent(callee)))
    unsupported(task, where,
                "'%s': in a program in C++ it runs destructors, which is not "
                "executed",
                name);
  if (!strcmp(name, "syscall") && !is_futex(call))
    unsupported(task, where,
                "'%s': calls of the system by number are not executed", name);
  if (!strncmp(name, "llvm.", 5) || posix_call(name))
    return;
  if (why_not(name))
    unsupported(task, where, "'%s': %s", name, why_not(name));
  if (ir_is_of_namespace_std(name))
    unsupported(task, where,
                "'%s' is called, and C++'s library is not executed",
                ir_told_name(task, name));
  unsupported(task, where,
              "'%s' is called, and neither the program nor gpuverify has it",
              ir_told_name(task, name));
}

// What it does to the processor alone is left out, what it says to a compiler
// stays.
static void forget_text(LLVMValueRef call) {
  LLVMTypeRef type = LLVMGetCalledFunctionType(call);
  static const char orders[] = "~{memory}";
  if (LLVMCountParamTypes(type) ||
      LLVMGetTypeKind(LLVMGetReturnType(type)) != LLVMVoidTypeKind)
    return;
  LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1,
                 LLVMGetInlineAsm(type, "", 0, orders, sizeof orders - 1, true,
                                  false, LLVMInlineAsmDialectATT, false));
}

static void look_at_call(Task *task, LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  if (LLVMIsAInlineAsm(callee)) {
    if (!is_harmless_assembly(callee))
      unsupported(task, llvm_location(task, call), "assembly is not executed");
    forget_text(call);
    return;
  }
  if (LLVMIsAFunction(callee) && LLVMIsDeclaration(callee))
    refuse_call(task, call, callee);
}

static void look_at(Task *task, LLVMValueRef instruction) {
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMCall:
    look_at_call(task, instruction);
    break;
  case LLVMInvoke:
  case LLVMLandingPad:
  case LLVMResume:
    unsupported(task, llvm_location(task, instruction),
                "exceptions are not executed; compile with -fno-exceptions");
  case LLVMCallBr:
    unsupported(task, llvm_location(task, instruction),
                "assembly with jumps is not executed");
  default:
    break;
  }
}

static void refuse_function(Task *task, LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef each = LLVMGetFirstInstruction(block); each;
         each = LLVMGetNextInstruction(each))
      look_at(task, each);
}

// One whose address is taken is not seen by its calls.
static void refuse_taken(Task *task, LLVMValueRef function) {
  const char *name = name_of(function);
  if (ir_is_setjmp(function) && ir_is_taken(function))
    unsupported(task, (Loc){0},
                "'%s' is used by its address, which is not executed", name);
  if (LLVMIsDeclaration(function) && LLVMGetFirstUse(function) &&
      strncmp(name, "llvm.", 5) != 0 && !posix_call(name))
    unsupported(task, (Loc){0},
                "'%s' is used, and neither the program nor gpuverify has it",
                ir_told_name(task, name));
}

static void refuse_globals(Task *task, LLVMModuleRef module) {
  if (LLVMGetNamedGlobal(module, "llvm.global_dtors"))
    unsupported(task, (Loc){0},
                "what runs after main (a function that is a destructor) is not "
                "executed");
  if (LLVMGetFirstGlobalIFunc(module))
    unsupported(task, (Loc){0}, "'%s': indirect functions are not executed",
                name_of(LLVMGetFirstGlobalIFunc(module)));
}

void ir_refuse(Task *task, LLVMModuleRef module) {
  LLVMValueRef main = LLVMGetNamedFunction(module, "main");
  if (!main || LLVMIsDeclaration(main))
    unsupported(task, (Loc){0}, "there is no main in this program");
  refuse_globals(task, module);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f))
    refuse_function(task, f);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f))
    refuse_taken(task, f);
}
