// Accesses to memory that threads share go to the copy of their unit.
//
// Before an access its address is exchanged for that of the same bytes in the
// copy.  That works where the bytes lie in one line, which alignment promises;
// other accesses go through a place of the thread's own, byte by byte.

#include "runtime/values/cutting.h"

#include <string.h>

enum { WIDEST = 16 };

LLVMValueRef cutting_flat(const Cutting *c, LLVMValueRef pointer) {
  return LLVMGetPointerAddressSpace(LLVMTypeOf(pointer))
             ? LLVMBuildAddrSpaceCast(c->builder, pointer, c->pointer, "")
             : pointer;
}

int cutting_add_site(Cutting *c, LLVMValueRef instruction, SiteKind kind,
                     uint64_t bytes) {
  Site site = {.kind = kind,
               .loc = llvm_location(c->task, instruction),
               .scope = SCOPE_SYSTEM,
               .alignment = (unsigned)bytes};
  push(&c->task->arena, c->sites, site);
  return (int)c->sites->count - 1;
}

static LLVMValueRef copy_there(Cutting *c, const char *name,
                               LLVMValueRef pointer, uint64_t bytes, int site) {
  LLVMValueRef arguments[] = {c->thread, cutting_flat(c, pointer),
                              cutting_number(c, (int)bytes),
                              cutting_number(c, site)};
  return cutting_call(c, c->pointer, name, arguments, 4);
}

static void copy_bytes(Cutting *c, LLVMValueRef to, LLVMValueRef from,
                       LLVMValueRef bytes, int site, bool is_own_target,
                       bool is_own_source) {
  LLVMValueRef arguments[] = {c->thread,
                              cutting_flat(c, to),
                              cutting_flat(c, from),
                              bytes,
                              cutting_number(c, site),
                              cutting_number(c, is_own_target),
                              cutting_number(c, is_own_source)};
  cutting_call(c, c->none, "copy", arguments, 7);
}

static int add_copy_sites(Cutting *c, LLVMValueRef instruction) {
  int site = cutting_add_site(c, instruction, SITE_READ, 1);
  cutting_add_site(c, instruction, SITE_WRITE, 1);
  return site;
}

static bool lies_in_one_line(LLVMValueRef access, uint64_t bytes) {
  return bytes <= WIDEST && !(bytes & (bytes - 1)) &&
         LLVMGetAlignment(access) >= bytes;
}

static void redirect_load(Cutting *c, LLVMValueRef load) {
  uint64_t bytes = LLVMStoreSizeOfType(c->layout, LLVMTypeOf(load));
  LLVMValueRef pointer = LLVMGetOperand(load, 0);
  LLVMPositionBuilderBefore(c->builder, load);
  if (lies_in_one_line(load, bytes)) {
    int site = cutting_add_site(c, load, SITE_READ, bytes);
    LLVMSetOperand(load, 0, copy_there(c, "read", pointer, bytes, site));
    return;
  }
  LLVMValueRef own = cutting_place(c, bytes, WIDEST);
  copy_bytes(c, own, pointer, LLVMConstInt(c->i64, bytes, false),
             add_copy_sites(c, load), true, false);
  LLVMSetOperand(load, 0, own);
}

static void redirect_store(Cutting *c, LLVMValueRef store) {
  LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(store, 0));
  uint64_t bytes = LLVMStoreSizeOfType(c->layout, type);
  LLVMValueRef pointer = LLVMGetOperand(store, 1);
  LLVMPositionBuilderBefore(c->builder, store);
  if (lies_in_one_line(store, bytes)) {
    int site = cutting_add_site(c, store, SITE_WRITE, bytes);
    LLVMSetOperand(store, 1, copy_there(c, "write", pointer, bytes, site));
    return;
  }
  LLVMValueRef own = cutting_place(c, bytes, WIDEST);
  LLVMSetOperand(store, 1, own);
  LLVMPositionBuilderBefore(c->builder, LLVMGetNextInstruction(store));
  copy_bytes(c, pointer, own, LLVMConstInt(c->i64, bytes, false),
             add_copy_sites(c, store), false, true);
}

// memcpy, memmove, memset.
typedef struct Move {
  LLVMValueRef call, to, from;
  bool is_own_target, is_own_source;
} Move;

static unsigned alignment_of(LLVMValueRef call, unsigned operand) {
  static const char name[] = "align";
  unsigned kind = LLVMGetEnumAttributeKindForName(name, sizeof name - 1);
  LLVMAttributeRef known = LLVMGetCallSiteEnumAttribute(
      call, (LLVMAttributeIndex)(operand + 1), kind);
  return known ? (unsigned)LLVMGetEnumAttributeValue(known) : 1;
}

// As many bytes as may be accessed at once; 0: better one by one.
static uint64_t piece_of(const Move *move) {
  enum { MOST_PIECES = 4 };
  LLVMValueRef count = LLVMGetOperand(move->call, 2);
  uint64_t bytes =
      LLVMIsAConstantInt(count) ? LLVMConstIntGetZExtValue(count) : 0;
  uint64_t piece = WIDEST;
  while (piece > 1 &&
         (bytes % piece ||
          (!move->is_own_target && alignment_of(move->call, 0) < piece) ||
          (!move->is_own_source && alignment_of(move->call, 1) < piece)))
    piece /= 2;
  bool may_overlap = strstr(jit_declared(move->call), "memmove");
  uint64_t most = may_overlap ? 1 : MOST_PIECES;
  return bytes && bytes <= most * piece ? piece : 0;
}

static LLVMValueRef step(Cutting *c, LLVMValueRef pointer, uint64_t bytes) {
  LLVMValueRef offset = LLVMConstInt(c->i64, bytes, false);
  return LLVMBuildGEP2(c->builder, c->i8, pointer, &offset, 1, "");
}

// A piece of it, as a load and a store.
static void move_piece(Cutting *c, const Move *move, uint64_t from,
                       uint64_t bytes) {
  LLVMPositionBuilderBefore(c->builder, move->call);
  LLVMTypeRef type = LLVMIntTypeInContext(c->context, (unsigned)bytes * 8);
  LLVMValueRef load =
      LLVMBuildLoad2(c->builder, type, step(c, move->from, from), "");
  LLVMValueRef store =
      LLVMBuildStore(c->builder, load, step(c, move->to, from));
  LLVMSetAlignment(load, move->is_own_source ? 1 : (unsigned)bytes);
  LLVMSetAlignment(store, move->is_own_target ? 1 : (unsigned)bytes);
  if (!move->is_own_source)
    redirect_load(c, load);
  if (!move->is_own_target)
    redirect_store(c, store);
}

static bool move_pieces(Cutting *c, const Move *move) {
  uint64_t piece = piece_of(move);
  if (!piece)
    return false;
  uint64_t bytes = LLVMConstIntGetZExtValue(LLVMGetOperand(move->call, 2));
  for (uint64_t from = 0; from < bytes; from += piece)
    move_piece(c, move, from, piece);
  LLVMInstructionEraseFromParent(move->call);
  return true;
}

// What is the thread's own on both sides stays.
static void redirect_transfer(Cutting *c, LLVMValueRef call) {
  bool is_copy = llvm_transfer(call) == TRANSFER_COPY;
  LLVMValueRef to = LLVMGetOperand(call, 0), from = LLVMGetOperand(call, 1);
  bool is_own_target = cutting_points_to(c, call, to) == POINTS_OWN;
  bool is_own_source =
      !is_copy || cutting_points_to(c, call, from) == POINTS_OWN;
  Move move = {call, to, from, is_own_target, is_own_source};
  if (is_own_target && is_own_source)
    return;
  if (is_copy && move_pieces(c, &move))
    return;
  LLVMPositionBuilderBefore(c->builder, call);
  LLVMValueRef bytes =
      LLVMBuildIntCast2(c->builder, LLVMGetOperand(call, 2), c->i64, false, "");
  if (is_copy)
    copy_bytes(c, to, from, bytes, add_copy_sites(c, call), is_own_target,
               is_own_source);
  else
    cutting_call(
        c, c->none, "fill",
        (LLVMValueRef[]){
            c->thread, cutting_flat(c, to),
            LLVMBuildZExt(c->builder, from, c->i32, ""), bytes,
            cutting_number(c, cutting_add_site(c, call, SITE_WRITE, 1))},
        5);
  LLVMInstructionEraseFromParent(call);
}

static void redirect_print(Cutting *c, LLVMValueRef call) {
  LLVMPositionBuilderBefore(c->builder, call);
  LLVMValueRef arguments[] = {c->thread,
                              cutting_flat(c, LLVMGetOperand(call, 0)),
                              cutting_flat(c, LLVMGetOperand(call, 1))};
  LLVMReplaceAllUsesWith(call, cutting_call(c, c->i32, "print", arguments, 3));
  LLVMInstructionEraseFromParent(call);
}

void cutting_redirect(Cutting *c) {
  for (size_t i = 0; i < c->accesses.count; i++) {
    LLVMValueRef access = c->accesses.at[i];
    if (LLVMIsALoadInst(access))
      redirect_load(c, access);
    else if (LLVMIsAStoreInst(access))
      redirect_store(c, access);
    else
      redirect_transfer(c, access);
  }
  for (size_t i = 0; i < c->prints.count; i++)
    redirect_print(c, c->prints.at[i]);
}
