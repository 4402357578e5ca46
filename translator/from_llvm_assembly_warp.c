// Instructions of inline assembly that threads execute together: barriers that
// wait for all of a block or a warp, and what lanes tell each other.
//
// Barriers with a count, arrivals and asynchronous copies are for `gpuverify
// barriers`: a statement that has one stays assembly, which it looks for.  What
// a lane is told - by a shuffle, a vote, a product of matrices - is anything,
// and orders no memory.

#include "translator/from_llvm_assembly.h"

#include <string.h>

static const AsmType word = {'u', 32, 1};

static LLVMTypeRef nothing(const Emitter *a) {
  return LLVMVoidTypeInContext(a->context);
}

// -------------------------------------------------------------- barriers ---

static bool waits_for(Emitter *a, const AsmInstruction *s,
                      const char *intrinsic) {
  LLVMValueRef operand =
      s->operand_count == 1 ? maker_get(a, &s->operands[0], word) : NULL;
  if (operand)
    asm_call(a, intrinsic, nothing(a), &operand, 1);
  return operand != NULL;
}

// bar.sync a; barrier.cta.sync.aligned a; bar.warp.sync mask.  Without .aligned
// threads may meet from different instructions, which the proof has no words
// for.
static bool emit_barrier(Emitter *a, const AsmInstruction *s) {
  static const char *const known[] = {"sync", "cta", "aligned", "warp"};
  size_t count = 0;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    count += asm_has(s, known[i]);
  if (!asm_has(s, "sync") || count + 1 != s->word_count)
    return false;
  if (asm_has(s, "warp"))
    return waits_for(a, s, "llvm.nvvm.bar.warp.sync");
  if (!asm_is(s, "bar") && !asm_has(s, "aligned"))
    return false;
  return waits_for(a, s, "llvm.nvvm.barrier.cta.sync.aligned.all");
}

// ---------------------------------------------------------- what is told ---

// As wide as the register is.
static bool forget(Emitter *a, const Operand *operand) {
  if (operand->kind == OPERAND_SINK)
    return true;
  if (!asm_is_register(operand))
    return false;
  LLVMTypeRef wide = asm_int(a, 64),
              own = asm_int(a, a->slots[operand->index].bits);
  if (LLVMGetIntTypeWidth(own) > LLVMGetIntTypeWidth(wide))
    return false;
  LLVMValueRef any =
      asm_call(a, "llvm.nvvm.read.ptx.sreg.clock64", wide, NULL, 0);
  LLVMBuildStore(a->builder, LLVMBuildTrunc(a->builder, any, own, ""),
                 a->slots[operand->index].at);
  return true;
}

static bool forget_all(Emitter *a, const Operand *operand) {
  if (operand->kind != OPERAND_LIST)
    return forget(a, operand);
  for (size_t i = 0; i < operand->count; i++)
    if (!forget(a, &operand->items[i]))
      return false;
  return true;
}

// The lanes of a mask have to come, see lanes.c.
static void call_exchange(Emitter *a, LLVMValueRef mask) {
  asm_call(a, "__gpuverify_exchange", nothing(a), &mask, 1);
}

// The mask is the last operand; without .sync there is none.
static bool take_part(Emitter *a, const AsmInstruction *s) {
  if (!asm_has(s, "sync"))
    return true;
  if (!s->operand_count)
    return false;
  LLVMValueRef mask = maker_get(a, &s->operands[s->operand_count - 1], word);
  if (mask)
    call_exchange(a, mask);
  return mask != NULL;
}

// The first operand is what comes out.
static bool is_told(Emitter *a, const AsmInstruction *s) {
  return s->operand_count && forget_all(a, &s->operands[0]);
}

static bool emit_told(Emitter *a, const AsmInstruction *s) {
  return take_part(a, s) && is_told(a, s); // what comes out may be the mask
}

// All lanes of the warp.
static bool emit_product(Emitter *a, const AsmInstruction *s) {
  call_exchange(a, LLVMConstInt(asm_int(a, 32), UINT32_MAX, false));
  return is_told(a, s);
}

// shfl.sync.idx.b32 d|p, a, b, c, mask, where `|p` may be missing; so is
// match.all.sync
static bool emit_told_twice(Emitter *a, const AsmInstruction *s) {
  unsigned inputs = (asm_is(s, "shfl") ? 3u : 1u) + asm_has(s, "sync");
  bool has_other = s->other->kind != OPERAND_NONE;
  return s->operand_count == inputs + 1 && emit_told(a, s) &&
         (!has_other || forget(a, s->other));
}

// elect.sync d|p, mask
static bool emit_elect(Emitter *a, const AsmInstruction *s) {
  return s->operand_count == 2 && s->other->kind != OPERAND_NONE &&
         asm_has(s, "sync") && emit_told(a, s) && forget(a, s->other);
}

// -------------------------------------------------------------- matrices ---

static const char *plain_rows[] = {"sync", "aligned", "m8n8", "b16"};
static const char *const sizes[] = {"x1", "x2", "x4"};

static bool is_hint_of_rows(const char *part) {
  return !strcmp(part, "trans") || !strcmp(part, "shared") ||
         !strcmp(part, "shared::cta");
}

// "x4" of ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16; NULL: another one.
static const char *size_of_rows(const AsmInstruction *s) {
  const char *size = NULL;
  size_t known = 0;
  for (size_t i = 0; i < sizeof plain_rows / sizeof *plain_rows; i++)
    known += asm_has(s, plain_rows[i]);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    size = asm_has(s, sizes[i]) ? sizes[i] : size;
  for (unsigned i = 1; i < s->word_count; i++)
    known += is_hint_of_rows(s->words[i]);
  return known + 2 == s->word_count ? size : NULL;
}

static bool access_rows(Emitter *a, const AsmInstruction *s, size_t index) {
  bool is_shared = asm_has(s, "shared") || asm_has(s, "shared::cta");
  const char *size = size_of_rows(s);
  LLVMValueRef address =
      asm_address(a, s, index, is_shared ? ASM_SHARED : ASM_GENERIC);
  if (!address || !size || s->operand_count != 2)
    return false;
  const char *name = arena_printf(&a->task->arena, "__gpuverify_%s.m8n8.%s.b16",
                                  s->words[0], size);
  asm_call(a, name, nothing(a), &address, 1);
  return true;
}

static bool emit_load_rows(Emitter *a, const AsmInstruction *s) {
  return access_rows(a, s, 1) && is_told(a, s);
}

static bool emit_store_rows(Emitter *a, const AsmInstruction *s) {
  return access_rows(a, s, 0);
}

// ----------------------------------------------------------------- table ---

AsmEmit *asm_emit_warp(const char *opcode) {
  static const struct {
    const char *opcode;
    AsmEmit *emit;
  } rows[] = {
      {"bar", emit_barrier},         {"barrier", emit_barrier},
      {"shfl", emit_told_twice},     {"match", emit_told_twice},
      {"vote", emit_told},           {"redux", emit_told},
      {"activemask", emit_told},     {"mma", emit_product},
      {"movmatrix", emit_product},   {"ldmatrix", emit_load_rows},
      {"stmatrix", emit_store_rows}, {"elect", emit_elect},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (!strcmp(rows[i].opcode, opcode))
      return rows[i].emit;
  return NULL;
}
