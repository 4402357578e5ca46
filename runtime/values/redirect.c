// Accesses to memory that threads share go to the copy of their unit.
//
// Before an access its address is exchanged for that of the same bytes in the
// copy.  That works where the bytes lie in one line, which alignment promises;
// other accesses go through a place of the thread's own, byte by byte.

#include "runtime/values/cutting.h"

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

// memcpy, memmove, memset; what is the thread's own on both sides stays.
static void redirect_transfer(Cutting *c, LLVMValueRef call) {
  bool is_copy = llvm_transfer(call) == TRANSFER_COPY;
  LLVMValueRef to = LLVMGetOperand(call, 0), from = LLVMGetOperand(call, 1);
  bool is_own_target = cutting_points_to(c, call, to) == POINTS_OWN;
  bool is_own_source =
      !is_copy || cutting_points_to(c, call, from) == POINTS_OWN;
  if (is_own_target && is_own_source)
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
