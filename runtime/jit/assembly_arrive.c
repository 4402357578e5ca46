// mbarriers and asynchronous copies of inline assembly.
//
// Each instruction becomes a call of mbarriers.c or copies.c.  An arrival at an
// mbarrier of another block, and what goes with clusters and tensor maps, is
// not known.  Hints for caches say nothing here.

#include "runtime/jit/assembly.h"
#include "runtime/machine/copies.h"

#include <stdlib.h>
#include <string.h>

static LLVMTypeRef none(const Emitter *a) {
  return LLVMVoidTypeInContext(a->context);
}

static LLVMValueRef pointer_to(Emitter *a, const Operand *operand) {
  return LLVMBuildIntToPtr(a->builder, assembly_address(a, operand),
                           LLVMPointerTypeInContext(a->context, 0), "");
}

// --------------------------------------------------------------- mbarriers ---

static uint32_t how_of(const AsmInstruction *i) {
  return (asm_has(i, "arrive_drop") ? ARRIVE_DROP : 0) |
         (asm_has(i, "noComplete") ? ARRIVE_NO_COMPLETE : 0) |
         (asm_has(i, "relaxed") ? MBARRIER_RELAXED : 0) |
         (asm_has(i, "parity") ? WAIT_PARITY : 0);
}

// The state goes to the first operand, unless that is "_" or the address.
static bool arrive(Emitter *a, const AsmInstruction *i) {
  bool has_state = !i->operands[0].is_bracketed,
       expects = asm_has(i, "expect_tx");
  unsigned at = has_state;
  if (i->operand_count < at + 1 + expects || i->operand_count > at + 2)
    return false;
  bool has_count = i->operand_count == at + 2;
  LLVMValueRef in[] = {pointer_to(a, &i->operands[at]),
                       has_count ? asm_bits(a, &i->operands[at + 1], 32)
                                 : asm_const(a, 32, 1),
                       asm_const(a, 32, how_of(i))};
  LLVMValueRef state = asm_call(a,
                                expects ? "__gpuverify_mbarrier_arrive_expect"
                                        : "__gpuverify_mbarrier_arrive",
                                asm_int(a, 64), in, 3);
  if (has_state)
    asm_put_bits(a, &i->operands[0], state, false);
  return true;
}

// How long to wait is a hint.
static bool wait(Emitter *a, const AsmInstruction *i) {
  if (i->operand_count < 3)
    return false;
  LLVMValueRef in[] = {
      pointer_to(a, &i->operands[1]),
      asm_bits(a, &i->operands[2], asm_has(i, "parity") ? 32 : 64),
      asm_const(a, 32, how_of(i))};
  in[1] = asm_resize(a, in[1], 64, false);
  LLVMValueRef is_over =
      asm_call(a, "__gpuverify_mbarrier_wait", asm_int(a, 8), in, 3);
  asm_put_bits(a, &i->operands[0], asm_resize(a, is_over, 1, false), false);
  return true;
}

static bool change(Emitter *a, const AsmInstruction *i) {
  static const char *const words[][2] = {
      {"init", "__gpuverify_mbarrier_init"},
      {"expect_tx", "__gpuverify_mbarrier_expect"},
      {"complete_tx", "__gpuverify_mbarrier_complete"}};
  if (asm_has(i, "inval") && i->operand_count == 1) {
    LLVMValueRef at = pointer_to(a, &i->operands[0]);
    asm_call(a, "__gpuverify_mbarrier_inval", none(a), &at, 1);
    return true;
  }
  for (size_t n = 0; n < sizeof words / sizeof *words; n++)
    if (asm_has(i, words[n][0]) && i->operand_count == 2) {
      LLVMValueRef in[] = {pointer_to(a, &i->operands[0]),
                           asm_bits(a, &i->operands[1], 32)};
      asm_call(a, words[n][1], none(a), in, 2);
      return true;
    }
  return false;
}

static bool pending_count(Emitter *a, const AsmInstruction *i) {
  LLVMValueRef state = asm_bits(a, &i->operands[1], 64);
  asm_put_bits(
      a, &i->operands[0],
      asm_call(a, "__gpuverify_mbarrier_pending", asm_int(a, 32), &state, 1),
      false);
  return true;
}

static bool mbarrier(Emitter *a, const AsmInstruction *i) {
  if (asm_has(i, "arrive") || asm_has(i, "arrive_drop"))
    return arrive(a, i);
  if (asm_has(i, "test_wait") || asm_has(i, "try_wait"))
    return wait(a, i);
  if (asm_has(i, "pending_count"))
    return i->operand_count == 2 && pending_count(a, i);
  return change(a, i);
}

// ------------------------------------------------------------------ copies ---

static bool end_group(Emitter *a, const AsmInstruction *i) {
  LLVMValueRef in[] = {
      asm_const(a, 32, asm_has(i, "bulk") ? COPY_BULK : COPY_PLAIN), NULL,
      asm_const(a, 32, asm_has(i, "read"))};
  if (asm_has(i, "wait_all")) {
    asm_call(a, "__gpuverify_copies_wait_all", none(a), NULL, 0);
    return true;
  }
  if (asm_has(i, "commit_group")) {
    asm_call(a, "__gpuverify_copies_commit", none(a), in, 1);
    return true;
  }
  in[1] = asm_bits(a, &i->operands[0], 32);
  asm_call(a, "__gpuverify_copies_wait", none(a), in, 3);
  return true;
}

static bool arrive_after(Emitter *a, const AsmInstruction *i) {
  LLVMValueRef in[] = {pointer_to(a, &i->operands[0]),
                       asm_const(a, 8, asm_has(i, "noinc"))};
  asm_call(a, "__gpuverify_mbarrier_after_copies", none(a), in, 2);
  return true;
}

// cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes
//   [to], [from], size, [mbarrier];
// cp.async.bulk.global.shared::cta.bulk_group [to], [from], size;
static bool copy_bulk(Emitter *a, const AsmInstruction *i) {
  bool is_group = asm_has(i, "bulk_group");
  bool is_known = !asm_has(i, "tensor") && !asm_has(i, "multicast::cluster") &&
                  !asm_has(i, "cp_mask") && asm_has(i, "global") &&
                  (is_group || asm_has(i, "mbarrier::complete_tx::bytes"));
  if (!is_known || i->operand_count < 3u + !is_group)
    return false;
  LLVMValueRef in[] = {pointer_to(a, &i->operands[0]),
                       pointer_to(a, &i->operands[1]),
                       asm_bits(a, &i->operands[2], 32), NULL};
  if (is_group) {
    asm_call(a, "__gpuverify_copy_bulk", none(a), in, 3);
    return true;
  }
  in[3] = pointer_to(a, &i->operands[3]);
  asm_call(a, "__gpuverify_copy_for", none(a), in, 4);
  return true;
}

// Of "size, source" the second is a number of bytes, or a predicate that says
// to take none, or with ".L2::cache_hint" a policy.
static LLVMValueRef source_size(Emitter *a, const AsmInstruction *i,
                                LLVMValueRef size) {
  unsigned last = i->operand_count - asm_has(i, "L2::cache_hint");
  if (last < 4)
    return size;
  if (asm_register_bits(a, &i->operands[3]) != 1)
    return asm_bits(a, &i->operands[3], 32);
  return LLVMBuildSelect(a->builder, asm_bits(a, &i->operands[3], 1),
                         asm_const(a, 32, 0), size, "");
}

// cp.async.ca.shared.global [to], [from], size{, size of the source};
static bool copy(Emitter *a, const AsmInstruction *i) {
  if (i->operand_count < 3)
    return false;
  LLVMValueRef size = asm_bits(a, &i->operands[2], 32);
  LLVMValueRef in[] = {pointer_to(a, &i->operands[0]),
                       pointer_to(a, &i->operands[1]), size,
                       source_size(a, i, size)};
  asm_call(a, "__gpuverify_copy", none(a), in, 4);
  return true;
}

bool assembly_arrival(Emitter *a, const AsmInstruction *i) {
  if (asm_is(i, "mbarrier"))
    return i->operand_count && mbarrier(a, i);
  if (!asm_is(i, "cp") || !asm_has(i, "async"))
    return false;
  if (asm_has(i, "wait_all") || asm_has(i, "commit_group") ||
      asm_has(i, "wait_group"))
    return end_group(a, i);
  if (asm_has(i, "arrive"))
    return i->operand_count == 1 && arrive_after(a, i);
  if (asm_has(i, "prefetch"))
    return true;
  return asm_has(i, "bulk") ? copy_bulk(a, i) : copy(a, i);
}
