// Fences, barriers and warp operations of inline assembly, and what has no
// effect here.

#include "runtime/jit/assembly.h"

#include <assert.h>
#include <string.h>

// ------------------------------------------------------------------ fences ---

static bool fence(Emitter *a, const AsmInstruction *i) {
  LLVMTypeRef none = LLVMVoidTypeInContext(a->context);
  static const char *const scopes[][2] = {{"cta", "block"},
                                          {"cluster", "cluster"},
                                          {"gpu", "device"},
                                          {"gl", "device"},
                                          {"sys", ""}};
  LLVMAtomicOrdering order = LLVMAtomicOrderingAcquireRelease;
  if (asm_has(i, "mbarrier_init"))
    return asm_call(a, "__gpuverify_mbarrier_fence", none, NULL, 0);
  if (asm_has(i, "sc") || asm_is(i, "membar"))
    order = LLVMAtomicOrderingSequentiallyConsistent;
  if (asm_has(i, "acquire"))
    order = LLVMAtomicOrderingAcquire;
  if (asm_has(i, "release"))
    order = LLVMAtomicOrderingRelease;
  for (size_t n = 0; n < sizeof scopes / sizeof *scopes; n++)
    if (asm_has(i, scopes[n][0])) {
      LLVMBuildFenceSyncScope(
          a->builder, order,
          LLVMGetSyncScopeID(a->context, scopes[n][1], strlen(scopes[n][1])),
          "");
      return true;
    }
  return asm_has(i, "proxy");
}

// ---------------------------------------------------------------- barriers ---

// The operands from `first` on: number, count or none, vote of a reduction.
static LLVMValueRef call_barrier(Emitter *a, const AsmInstruction *i,
                                 const char *what, unsigned bits) {
  unsigned first = bits != 0, last = i->operand_count - first;
  bool has_count = last > first + 1;
  bool is_aligned = asm_is(i, "bar") || asm_has(i, "aligned");
  LLVMTypeRef none = LLVMVoidTypeInContext(a->context);
  LLVMValueRef in[3];
  assert(last >= first && last - first + (bits != 0) <= 3);
  unsigned count = 0;
  for (unsigned n = first; n < last; n++)
    in[count++] = asm_bits(a, &i->operands[n], 32);
  if (bits)
    in[count++] = asm_bits(a, &i->operands[last], 1);
  return asm_call(a,
                  arena_printf(a->arena, "llvm.nvvm.barrier.cta.%s.%s%s", what,
                               is_aligned ? "aligned." : "",
                               has_count ? "count" : "all"),
                  bits ? asm_int(a, bits) : none, in, count);
}

static bool barrier_reduction(Emitter *a, const AsmInstruction *i) {
  static const char *const modes[] = {"and", "or", "popc"};
  if (i->operand_count < 3 || i->operand_count > 4)
    return false;
  for (size_t n = 0; n < sizeof modes / sizeof *modes; n++)
    if (asm_has(i, modes[n])) {
      const char *what = arena_printf(a->arena, "red.%s", modes[n]);
      unsigned bits = strcmp(modes[n], "popc") ? 1 : 32;
      asm_put_bits(a, &i->operands[0], call_barrier(a, i, what, bits), false);
      return true;
    }
  return false;
}

// Whether all lanes of a warp come together makes no difference.
static bool cluster_barrier(Emitter *a, const AsmInstruction *i) {
  const char *name = "llvm.nvvm.barrier.cluster.wait";
  if (asm_has(i, "arrive"))
    name = asm_has(i, "relaxed") ? "llvm.nvvm.barrier.cluster.arrive.relaxed"
                                 : "llvm.nvvm.barrier.cluster.arrive";
  else if (!asm_has(i, "wait"))
    return false;
  asm_call(a, name, LLVMVoidTypeInContext(a->context), NULL, 0);
  return true;
}

static bool barrier(Emitter *a, const AsmInstruction *i) {
  LLVMTypeRef none = LLVMVoidTypeInContext(a->context);
  if (asm_has(i, "warp")) {
    LLVMValueRef mask = asm_bits(a, &i->operands[0], 32);
    asm_call(a, "llvm.nvvm.bar.warp.sync", none, &mask, 1);
    return true;
  }
  if (asm_has(i, "red"))
    return barrier_reduction(a, i);
  bool arrives = asm_has(i, "arrive");
  if (i->operand_count > 2 || (arrives && i->operand_count < 2) ||
      !(arrives || asm_has(i, "sync")))
    return false;
  call_barrier(a, i, arrives ? "arrive" : "sync", 0);
  return true;
}

// ------------------------------------------------------------------- warps ---

// Of "d|p" the second is whether there was a lane to read from.
static void put_both(Emitter *a, const AsmInstruction *i, const char *mode,
                     LLVMValueRef value, LLVMValueRef *in) {
  if (i->other->kind != OPERAND_NONE) {
    LLVMValueRef reaches =
        asm_call(a, arena_printf(a->arena, "__gpuverify_shfl_reaches_%s", mode),
                 asm_int(a, 32), in, 2);
    asm_put_bits(a, i->other, asm_resize(a, reaches, 1, false), false);
  }
  asm_put_bits(a, &i->operands[0], value, false);
}

static bool shuffle(Emitter *a, const AsmInstruction *i) {
  static const char *const modes[] = {"up", "down", "bfly", "idx"};
  if (!asm_has(i, "sync") || i->operand_count != 5)
    return false;
  LLVMValueRef in[] = {
      asm_bits(a, &i->operands[4], 32), asm_bits(a, &i->operands[1], 32),
      asm_bits(a, &i->operands[2], 32), asm_bits(a, &i->operands[3], 32)};
  for (size_t n = 0; n < sizeof modes / sizeof *modes; n++)
    if (asm_has(i, modes[n])) {
      LLVMValueRef value = asm_call(
          a, arena_printf(a->arena, "llvm.nvvm.shfl.sync.%s.i32", modes[n]),
          asm_int(a, 32), in, 4);
      put_both(a, i, modes[n], value, &in[2]);
      return true;
    }
  return false;
}

static bool vote(Emitter *a, const AsmInstruction *i) {
  static const char *const modes[] = {"all", "any", "uni", "ballot"};
  if (!asm_has(i, "sync") || i->operand_count != 3)
    return false;
  LLVMValueRef in[] = {asm_bits(a, &i->operands[2], 32),
                       asm_bits(a, &i->operands[1], 1)};
  for (size_t n = 0; n < sizeof modes / sizeof *modes; n++)
    if (asm_has(i, modes[n])) {
      const char *name =
          arena_printf(a->arena, "llvm.nvvm.vote.%s.sync", modes[n]);
      unsigned bits = strcmp(modes[n], "ballot") ? 1 : 32;
      asm_put_bits(a, &i->operands[0],
                   asm_call(a, name, asm_int(a, bits), in, 2), false);
      return true;
    }
  return false;
}

static bool reduce(Emitter *a, const AsmInstruction *i) {
  static const char *const modes[] = {"add", "and", "or", "xor", "min", "max"};
  if (!asm_has(i, "sync") || i->operand_count != 3 || i->type.bits != 32 ||
      asm_is_float(i->type))
    return false;
  LLVMValueRef in[] = {asm_bits(a, &i->operands[1], 32),
                       asm_bits(a, &i->operands[2], 32)};
  for (size_t n = 0; n < sizeof modes / sizeof *modes; n++)
    if (asm_has(i, modes[n])) {
      bool is_unsigned = *modes[n] == 'm' && i->type.kind == 'u';
      const char *name = arena_printf(a->arena, "llvm.nvvm.redux.sync.%s%s",
                                      is_unsigned ? "u" : "", modes[n]);
      asm_put_bits(a, &i->operands[0], asm_call(a, name, asm_int(a, 32), in, 2),
                   false);
      return true;
    }
  return false;
}

static bool active(Emitter *a, const AsmInstruction *i) {
  asm_put_bits(a, &i->operands[0],
               asm_call(a, "llvm.nvvm.activemask", asm_int(a, 32), NULL, 0),
               false);
  return true;
}

// ----------------------------------------------------------------- nothing ---

// Hints, and waits for what is done already.
static bool is_nothing(const AsmInstruction *i) {
  static const char *const words[] = {"prefetch",      "prefetchu",
                                      "applypriority", "nanosleep",
                                      "pmevent",       "griddepcontrol"};
  for (size_t n = 0; n < sizeof words / sizeof *words; n++)
    if (!strcmp(i->words[0], words[n]))
      return true;
  return false;
}

// Which caches keep a line; the number goes to hints only.
static bool policy(Emitter *a, const AsmInstruction *i) {
  asm_put_bits(a, &i->operands[0], asm_const(a, 64, 0), false);
  return true;
}

bool assembly_order(Emitter *a, const AsmInstruction *i) {
  const char *word = i->words[0];
  if (is_nothing(i))
    return true;
  if (!strcmp(word, "fence") || !strcmp(word, "membar"))
    return fence(a, i);
  if (!strcmp(word, "trap")) {
    asm_call(a, "llvm.trap", LLVMVoidTypeInContext(a->context), NULL, 0);
    return true;
  }
  if (!strcmp(word, "exit")) { // refused when it is met
    asm_call(a, "__gpuverify_exit", LLVMVoidTypeInContext(a->context), NULL, 0);
    return true;
  }
  if (!strcmp(word, "barrier") && asm_has(i, "cluster"))
    return cluster_barrier(a, i);
  if (!i->operand_count)
    return false;
  if (!strcmp(word, "bar") || !strcmp(word, "barrier"))
    return barrier(a, i);
  if (!strcmp(word, "shfl"))
    return shuffle(a, i);
  if (!strcmp(word, "vote"))
    return vote(a, i);
  if (!strcmp(word, "redux"))
    return reduce(a, i);
  if (!strcmp(word, "createpolicy"))
    return policy(a, i);
  return !strcmp(word, "activemask") && active(a, i);
}
