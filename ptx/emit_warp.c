// Instructions of inline assembly that threads execute together, and those
// without an effect that anyone sees.
//
// Most become the intrinsic that they are, so that whoever knows it knows all
// of it: which lanes of a mask have to come, and what is told.

#include "ptx/emit.h"

#include <assert.h>
#include <string.h>

static LLVMTypeRef nothing(const Emitter *a) {
  return LLVMVoidTypeInContext(a->context);
}

// The first of these that it has.
static const char *word_of(const AsmInstruction *i, const char *const *words) {
  while (*words && !asm_has(i, *words))
    words++;
  assert(*words); // by its form
  return *words;
}

// ---------------------------------------------------------------- barriers ---

// The operands from `first` on: number, count or none, vote of a reduction.
static LLVMValueRef call_barrier(Emitter *a, const AsmInstruction *i,
                                 const char *what, unsigned bits) {
  unsigned first = bits != 0, last = i->operand_count - first;
  bool has_count = last > first + 1;
  bool is_aligned = asm_is(i, "bar") || asm_has(i, "aligned");
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
                  bits ? asm_int(a, bits) : nothing(a), in, count);
}

void asm_emit_barrier(Emitter *a, const AsmInstruction *i) {
  call_barrier(a, i, asm_has(i, "arrive") ? "arrive" : "sync", 0);
}

void asm_emit_barrier_vote(Emitter *a, const AsmInstruction *i) {
  static const char *const modes[] = {"and", "or", "popc", NULL};
  const char *mode = word_of(i, modes);
  asm_put_bits(a, &i->operands[0],
               call_barrier(a, i, arena_printf(a->arena, "red.%s", mode),
                            strcmp(mode, "popc") ? 1 : 32),
               false);
}

void asm_emit_warp_barrier(Emitter *a, const AsmInstruction *i) {
  LLVMValueRef mask = asm_bits(a, &i->operands[0], 32);
  asm_call(a, "llvm.nvvm.bar.warp.sync", nothing(a), &mask, 1);
}

// Whether all lanes of a warp come together makes no difference.
void asm_emit_cluster_barrier(Emitter *a, const AsmInstruction *i) {
  const char *name = asm_has(i, "wait") ? "llvm.nvvm.barrier.cluster.wait"
                     : asm_has(i, "relaxed")
                         ? "llvm.nvvm.barrier.cluster.arrive.relaxed"
                         : "llvm.nvvm.barrier.cluster.arrive";
  asm_call(a, name, nothing(a), NULL, 0);
}

// --------------------------------------------------------------- exchanges ---

// Of "d|p" the second is whether there was a lane to read from.
void asm_emit_shuffle(Emitter *a, const AsmInstruction *i) {
  static const char *const modes[] = {"up", "down", "bfly", "idx", NULL};
  const char *mode = word_of(i, modes);
  LLVMValueRef in[] = {
      asm_bits(a, &i->operands[4], 32), asm_bits(a, &i->operands[1], 32),
      asm_bits(a, &i->operands[2], 32), asm_bits(a, &i->operands[3], 32)};
  LLVMValueRef value =
      asm_call(a, arena_printf(a->arena, "llvm.nvvm.shfl.sync.%s.i32", mode),
               asm_int(a, 32), in, 4);
  if (i->other->kind != OPERAND_NONE) {
    LLVMValueRef reaches =
        asm_call(a, arena_printf(a->arena, "__gpuverify_shfl_reaches_%s", mode),
                 asm_int(a, 32), &in[2], 2);
    asm_put_bits(a, i->other, asm_resize(a, reaches, 1, false), false);
  }
  asm_put_bits(a, &i->operands[0], value, false);
}

void asm_emit_vote(Emitter *a, const AsmInstruction *i) {
  static const char *const modes[] = {"all", "any", "uni", "ballot", NULL};
  const char *mode = word_of(i, modes);
  LLVMValueRef in[] = {asm_bits(a, &i->operands[2], 32),
                       asm_bits(a, &i->operands[1], 1)};
  const char *name = arena_printf(a->arena, "llvm.nvvm.vote.%s.sync", mode);
  unsigned bits = strcmp(mode, "ballot") ? 1 : 32;
  asm_put_bits(a, &i->operands[0], asm_call(a, name, asm_int(a, bits), in, 2),
               false);
}

// Of "d|p" the second is whether all lanes have the same.
void asm_emit_match(Emitter *a, const AsmInstruction *i) {
  bool is_all = asm_has(i, "all"), has_other = i->other->kind != OPERAND_NONE;
  LLVMValueRef in[] = {asm_bits(a, &i->operands[2], 32),
                       asm_bits(a, &i->operands[1], i->type.bits)};
  LLVMTypeRef both[] = {asm_int(a, 32), asm_int(a, 1)};
  const char *name =
      arena_printf(a->arena, "llvm.nvvm.match.%s.sync.i%u%s",
                   is_all ? "all" : "any", i->type.bits, is_all ? "p" : "");
  LLVMValueRef made = asm_call(
      a, name,
      is_all ? LLVMStructTypeInContext(a->context, both, 2, false) : both[0],
      in, 2);
  if (has_other && !is_all)
    asm_refuse(a, i->text);
  if (has_other && is_all)
    asm_put_bits(a, i->other, LLVMBuildExtractValue(a->builder, made, 1, ""),
                 false);
  asm_put_bits(a, &i->operands[0],
               is_all ? LLVMBuildExtractValue(a->builder, made, 0, "") : made,
               false);
}

void asm_emit_reduce(Emitter *a, const AsmInstruction *i) {
  static const char *const modes[] = {"add", "and", "or", "xor",
                                      "min", "max", NULL};
  const char *mode = word_of(i, modes);
  LLVMValueRef in[] = {asm_bits(a, &i->operands[1], 32),
                       asm_bits(a, &i->operands[2], 32)};
  bool is_unsigned = *mode == 'm' && i->type.kind == 'u';
  const char *name = arena_printf(a->arena, "llvm.nvvm.redux.sync.%s%s",
                                  is_unsigned ? "u" : "", mode);
  asm_put_bits(a, &i->operands[0], asm_call(a, name, asm_int(a, 32), in, 2),
               false);
}

void asm_emit_active(Emitter *a, const AsmInstruction *i) {
  asm_put_bits(a, &i->operands[0],
               asm_call(a, "llvm.nvvm.activemask", asm_int(a, 32), NULL, 0),
               false);
}

// ------------------------------------------------------------ what is told ---

// Anything, as wide as the register is.
static void forget(Emitter *a, const Operand *operand) {
  if (operand->kind == OPERAND_SINK || operand->kind == OPERAND_NONE)
    return;
  if (!asm_is_register(operand) || asm_register_bits(a, operand) > 64) {
    asm_refuse_operand(a, operand);
    return;
  }
  LLVMValueRef any =
      asm_call(a, "llvm.nvvm.read.ptx.sreg.clock64", asm_int(a, 64), NULL, 0);
  asm_store_register(a, operand->index, any, false);
}

static void forget_all(Emitter *a, const AsmInstruction *i) {
  for (unsigned n = 0; n < operand_count(&i->operands[0]); n++)
    forget(a, operand_item(&i->operands[0], n));
  forget(a, i->other);
}

void asm_emit_told(Emitter *a, const AsmInstruction *i) { forget_all(a, i); }

// All lanes of a mask have to come; what comes out may be the mask.
static void exchange(Emitter *a, LLVMValueRef mask) {
  asm_call(a, "__gpuverify_exchange", nothing(a), &mask, 1);
}

void asm_emit_elect(Emitter *a, const AsmInstruction *i) {
  exchange(a, asm_bits(a, &i->operands[1], 32));
  forget_all(a, i);
}

// All lanes of the warp.
void asm_emit_product(Emitter *a, const AsmInstruction *i) {
  exchange(a, asm_const(a, 32, UINT32_MAX));
  forget_all(a, i);
}

static void access_rows(Emitter *a, const AsmInstruction *i,
                        const Operand *place) {
  static const char *const sizes[] = {"x1", "x2", "x4", NULL};
  LLVMValueRef at = a->pointer(a, i, place);
  asm_call(a,
           arena_printf(a->arena, "__gpuverify_%s.m8n8.%s.b16", i->words[0],
                        word_of(i, sizes)),
           nothing(a), &at, 1);
}

void asm_emit_load_rows(Emitter *a, const AsmInstruction *i) {
  access_rows(a, i, &i->operands[1]);
  forget_all(a, i);
}

void asm_emit_store_rows(Emitter *a, const AsmInstruction *i) {
  access_rows(a, i, &i->operands[0]);
}

// ------------------------------------------------------------------ others ---

void asm_emit_trap(Emitter *a, const AsmInstruction *i) {
  (void)i;
  asm_call(a, "llvm.trap", nothing(a), NULL, 0);
}

// Who looks at whole kernels makes a return of it.
void asm_emit_exit(Emitter *a, const AsmInstruction *i) {
  (void)i;
  asm_call(a, "__gpuverify_exit", nothing(a), NULL, 0);
}

// Hints, and waits for what is done already.
void asm_emit_nothing(Emitter *a, const AsmInstruction *i) { (void)a, (void)i; }

// Which caches keep a line: a number that goes to hints only.
void asm_emit_policy(Emitter *a, const AsmInstruction *i) {
  if (a->is_executed)
    asm_put_bits(a, &i->operands[0], asm_const(a, 64, 0), false);
  else
    forget_all(a, i);
}
