// Ids and barriers as calls, in code for all threads of a block.
//
// Until the kernel is cut at its barriers, the ids of its thread and of its
// block are calls of functions without a body, called words.  The optimiser may
// merge and move these calls as it likes; clone.c then replaces them by what
// the loop over the threads gives (block.c).  A barrier is a call of which the
// optimiser knows nothing, and which it must not copy.

#include "runtime/jit/jit.h"

#include <assert.h>
#include <string.h>

enum { AXES = 3 };

static const char *const names[WORDS] = {[WORD_THREAD] = "gpuverify_thread_x",
                                         "gpuverify_thread_y",
                                         "gpuverify_thread_z",
                                         [WORD_BLOCK] = "gpuverify_block_x",
                                         "gpuverify_block_y",
                                         "gpuverify_block_z",
                                         [WORD_NUMBER] =
                                             "gpuverify_thread_number"};

LLVMValueRef jit_word(LLVMBuilderRef builder, LLVMModuleRef module,
                      unsigned word) {
  assert(word < WORDS);
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTypeRef type =
      LLVMFunctionType(LLVMInt32TypeInContext(context), NULL, 0, false);
  LLVMValueRef function = LLVMGetNamedFunction(module, names[word]);
  if (!function) {
    function = LLVMAddFunction(module, names[word], type);
    jit_add_attribute(function, "memory", 0);
    jit_add_attribute(function, "nounwind", 0);
    jit_add_attribute(function, "willreturn", 0);
  }
  return LLVMBuildCall2(builder, type, function, NULL, 0, "");
}

static const char *callee_name(LLVMValueRef i) {
  size_t length = 0;
  LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
  return callee && LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length)
                                           : "";
}

unsigned jit_word_called(LLVMValueRef i) {
  const char *name = callee_name(i);
  for (unsigned word = 0; word < WORDS; word++)
    if (!strcmp(name, names[word]))
      return word;
  return WORDS;
}

unsigned jit_word_of(const Builtin *builtin) {
  bool is_self = builtin->origin == ORIGIN_SELF;
  size_t first = is_self ? offsetof(Thread, id) : offsetof(Group, id);
  size_t axis = (builtin->offset - first) / sizeof(uint32_t);
  if (builtin->offset < first || axis >= AXES)
    return WORDS;
  return (is_self ? WORD_THREAD : WORD_BLOCK) + (unsigned)axis;
}

// ------------------------------------------------------------- functions ---

typedef struct Maker {
  LLVMBuilderRef builder;
  LLVMModuleRef module;
  LLVMValueRef call;
  LLVMTypeRef type; // of the call
} Maker;

static LLVMValueRef number(const Maker *m, uint64_t value) {
  return LLVMConstInt(LLVMInt32TypeInContext(LLVMGetModuleContext(m->module)),
                      value, false);
}

static LLVMValueRef word(const Maker *m, unsigned word) {
  return jit_word(m->builder, m->module, word);
}

// OpenCL: of three axes; 0 beyond them.
static LLVMValueRef along_axis(const Maker *m, unsigned first) {
  LLVMValueRef asked = LLVMGetOperand(m->call, 0), value = number(m, 0);
  for (unsigned axis = AXES; axis-- > 0;) {
    LLVMValueRef is_it =
        LLVMBuildICmp(m->builder, LLVMIntEQ, asked,
                      LLVMConstInt(LLVMTypeOf(asked), axis, false), "");
    value =
        LLVMBuildSelect(m->builder, is_it, word(m, first + axis), value, "");
  }
  return LLVMBuildIntCast2(m->builder, value, m->type, false, "");
}

static LLVMValueRef local_id(const Maker *m) {
  return along_axis(m, WORD_THREAD);
}

// What is the same for a whole block is a function of the host.
static LLVMValueRef call_host(const Maker *m, const char *name) {
  Task task = {0};
  const Builtin *builtin = builtin_find(&task, name);
  LLVMValueRef axis = LLVMGetOperand(m->call, 0);
  assert(builtin && builtin->function);
  LLVMContextRef context = LLVMGetModuleContext(m->module);
  LLVMValueRef called = LLVMBuildCall2(
      m->builder, LLVMGetCalledFunctionType(m->call),
      jit_address(m->module, (uintptr_t)builtin->function), &axis, 1, "");
  arena_free(&task.arena);
  jit_make_pure(context, called);
  return called;
}

static LLVMValueRef global_id(const Maker *m) {
  LLVMValueRef size = call_host(m, "get_local_size");
  LLVMValueRef first =
      LLVMBuildMul(m->builder, along_axis(m, WORD_BLOCK), size, "");
  LLVMValueRef offset = call_host(m, "get_global_offset");
  return LLVMBuildAdd(m->builder, LLVMBuildAdd(m->builder, offset, first, ""),
                      local_id(m), "");
}

static LLVMValueRef thread_number(const Maker *m) {
  return LLVMBuildIntCast2(m->builder, word(m, WORD_NUMBER), m->type, false,
                           "");
}

static LLVMValueRef lane(const Maker *m) {
  return LLVMBuildAnd(m->builder, thread_number(m), number(m, LANES - 1), "");
}

static LLVMValueRef warp(const Maker *m) {
  return LLVMBuildUDiv(m->builder, thread_number(m), number(m, LANES), "");
}

typedef struct Own {
  const char *name; // of the builtin
  LLVMValueRef (*make)(const Maker *m);
} Own;

static const Own owns[] = {
    {"get_local_id", local_id},
    {"get_global_id", global_id},
    {"get_local_linear_id", thread_number},
    {"llvm.nvvm.read.ptx.sreg.laneid", lane},
    {"mov.u32 $0, %laneid;", lane},
    {"llvm.nvvm.read.ptx.sreg.warpid", warp},
    {"mov.u32 $0, %warpid;", warp},
};

static const Own *find_own(const Builtin *builtin) {
  for (size_t i = 0; i < sizeof owns / sizeof *owns; i++)
    if (!strcmp(owns[i].name, builtin->name))
      return &owns[i];
  return NULL;
}

bool jit_is_word(const Builtin *builtin) { return find_own(builtin); }

void jit_become_word(LLVMBuilderRef builder, LLVMValueRef call,
                     const Builtin *builtin) {
  LLVMBasicBlockRef block = LLVMGetInstructionParent(call);
  Maker m = {.builder = builder,
             .module = LLVMGetGlobalParent(LLVMGetBasicBlockParent(block)),
             .call = call,
             .type = LLVMTypeOf(call)};
  const Own *own = find_own(builtin);
  assert(own); // jit_is_word has said so
  LLVMReplaceAllUsesWith(call, own->make(&m));
  LLVMInstructionEraseFromParent(call);
}

// -------------------------------------------------------------- barriers ---

#define BARRIER_NAME "gpuverify_barrier"
#define VOTE_NAME "gpuverify_vote"
#define ROUND_NAME "gpuverify_round"

bool jit_is_for_all(LLVMValueRef call) {
  const char *name = jit_declared(call);
  LLVMValueRef number = LLVMGetNumArgOperands(call) ? LLVMGetOperand(call, 0)
                                                    : NULL; // of the barrier
  return strncmp(name, "llvm.nvvm.barrier.cta", 21) != 0 ||
         (LLVMIsAConstantInt(number) && !LLVMConstIntGetZExtValue(number));
}

// (i32 site, i32 vote), or without a vote.
static LLVMValueRef barrier_function(LLVMModuleRef module, const char *name,
                                     LLVMTypeRef result, unsigned arguments) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTypeRef i32 = LLVMInt32TypeInContext(context);
  LLVMValueRef function = LLVMGetNamedFunction(module, name);
  if (function)
    return function;
  function = LLVMAddFunction(
      module, name,
      LLVMFunctionType(result, (LLVMTypeRef[]){i32, i32}, arguments, false));
  jit_add_attribute(function, "convergent", 0);
  jit_add_attribute(function, "noduplicate", 0);
  jit_add_attribute(function, "nounwind", 0);
  return function;
}

static bool is_and(const Builtin *builtin) {
  return strstr(builtin->name, ".and.") != NULL;
}

// How many said yes, or any, or of an `and` no: did all say yes who came?
static LLVMValueRef outcome(const Maker *m, const Builtin *builtin,
                            LLVMValueRef count) {
  if (strstr(builtin->name, ".or."))
    return LLVMBuildICmp(m->builder, LLVMIntNE, count, number(m, 0), "");
  if (is_and(builtin))
    return LLVMBuildICmp(m->builder, LLVMIntEQ, count, number(m, 0), "");
  return count;
}

static LLVMValueRef vote_of(const Maker *m, LLVMValueRef call,
                            const Builtin *builtin) {
  LLVMValueRef vote = LLVMGetOperand(call, 1);
  if (is_and(builtin))
    vote = LLVMBuildICmp(m->builder, LLVMIntEQ, vote,
                         LLVMConstNull(LLVMTypeOf(vote)), "");
  return LLVMBuildIntCast2(
      m->builder, vote, LLVMInt32TypeInContext(LLVMGetModuleContext(m->module)),
      false, "");
}

void jit_become_barrier(LLVMBuilderRef builder, LLVMValueRef call,
                        const Builtin *builtin, uint32_t site) {
  LLVMBasicBlockRef block = LLVMGetInstructionParent(call);
  bool is_vote = builtin->how == HOW_VOTE;
  Maker m = {.builder = builder,
             .module = LLVMGetGlobalParent(LLVMGetBasicBlockParent(block)),
             .type = LLVMTypeOf(call)};
  LLVMContextRef context = LLVMGetModuleContext(m.module);
  LLVMValueRef function =
      barrier_function(m.module, is_vote ? VOTE_NAME : BARRIER_NAME,
                       is_vote ? LLVMInt32TypeInContext(context)
                               : LLVMVoidTypeInContext(context),
                       1 + is_vote);
  LLVMValueRef arguments[2] = {number(&m, site)};
  assert(!is_vote || LLVMGetNumArgOperands(call) == 2);
  if (is_vote)
    arguments[1] = vote_of(&m, call, builtin);
  LLVMValueRef made = LLVMBuildCall2(builder, LLVMGlobalGetValueType(function),
                                     function, arguments, 1 + is_vote, "");
  if (is_vote)
    LLVMReplaceAllUsesWith(call, LLVMBuildIntCast2(builder,
                                                   outcome(&m, builtin, made),
                                                   m.type, false, ""));
  LLVMInstructionEraseFromParent(call);
}

void jit_mark_round(LLVMBuilderRef builder, LLVMModuleRef module,
                    LLVMValueRef site) {
  LLVMTypeRef none = LLVMVoidTypeInContext(LLVMGetModuleContext(module));
  LLVMValueRef function = barrier_function(module, ROUND_NAME, none, 1);
  LLVMBuildCall2(builder, LLVMGlobalGetValueType(function), function, &site, 1,
                 "");
}

bool jit_is_round(LLVMValueRef i) {
  return !strcmp(callee_name(i), ROUND_NAME);
}

bool jit_is_barrier(LLVMValueRef i) {
  const char *name = callee_name(i);
  return !strcmp(name, BARRIER_NAME) || !strcmp(name, VOTE_NAME) ||
         jit_is_round(i);
}
