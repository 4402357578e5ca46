// A body that can be stopped and goes on where it was.
//
// It is called with where its thread has stopped, and jumps there from its
// entry.  Where the thread may stop the block is cut in two; between them
// stands the call of the engine, which the entry jumps to as well, and which
// then says that it is made again.  If it stops the thread, where that was is
// written down and the body is left.  What is needed beyond a cut lies in the
// thread's frame (llvm/keep.c).

#include "runtime/instances/lowering.h"

#include "llvm/keep.h"

#include <assert.h>

enum { MOST_ARGUMENTS = 8 };

static LLVMBasicBlockRef new_block(const Lowering *l) {
  return LLVMAppendBasicBlockInContext(l->context, l->body, "");
}

static LLVMBasicBlockRef split_before(Lowering *l, LLVMValueRef instruction) {
  LLVMBasicBlockRef block = LLVMGetInstructionParent(instruction);
  LLVMBasicBlockRef head = llvm_split_before(instruction);
  for (size_t i = 0; i < l->regions.count; i++)
    if (l->regions.at[i] == block)
      l->regions.at[i] = head;
  return head;
}

// Behind the engine's answer `stops`, at the end of the call's block.
static void stop_or_go(Lowering *l, LLVMValueRef stops, size_t region,
                       LLVMBasicBlockRef on) {
  LLVMBasicBlockRef stop = new_block(l);
  LLVMBuildCondBr(
      l->builder,
      LLVMBuildICmp(l->builder, LLVMIntNE, stops, lowering_word(l, 0), ""),
      stop, on);
  LLVMPositionBuilderAtEnd(l->builder, stop);
  LLVMBuildStore(l->builder, lowering_word(l, region), l->resume_at);
  LLVMBuildBr(l->builder, l->leave);
}

void cut_at(Lowering *l, LLVMValueRef instruction, const char *name,
            LLVMValueRef *arguments, unsigned count) {
  LLVMValueRef all[MOST_ARGUMENTS + 2] = {l->world};
  LLVMBasicBlockRef head = split_before(l, instruction);
  LLVMBasicBlockRef call = new_block(l);
  LLVMValueRef again[] = {lowering_word(l, 0), lowering_word(l, 1)};
  LLVMBasicBlockRef from[] = {head, l->entry};
  assert(count <= MOST_ARGUMENTS);
  LLVMPositionBuilderAtEnd(l->builder, head);
  LLVMBuildBr(l->builder, call);
  LLVMPositionBuilderAtEnd(l->builder, call);
  all[1] = LLVMBuildPhi(l->builder, l->i32, "");
  LLVMAddIncoming(all[1], again, from, 2);
  for (unsigned i = 0; i < count; i++)
    all[2 + i] = arguments[i];
  LLVMValueRef stops = lowering_call(l, name, all, 2 + count);
  stop_or_go(l, stops, l->regions.count, LLVMGetInstructionParent(instruction));
  push(&l->task->arena, &l->regions, call);
}

void cut_where(Lowering *l, LLVMValueRef instruction, LLVMValueRef ends) {
  LLVMBasicBlockRef head = split_before(l, instruction);
  LLVMPositionBuilderAtEnd(l->builder, head);
  LLVMBuildCondBr(l->builder, ends, l->leave,
                  LLVMGetInstructionParent(instruction));
}

void cut_begin(Lowering *l, LLVMValueRef body) {
  LLVMBasicBlockRef first = LLVMGetEntryBasicBlock(body);
  l->body = body;
  l->world = LLVMGetParam(body, 0);
  l->resume_at = LLVMGetParam(body, 1);
  l->frame = LLVMGetParam(body, 2);
  l->stack = LLVMGetParam(body, 3);
  l->frame_used = l->stack_used = 0;
  l->regions.count = 0;
  push(&l->task->arena, &l->regions, first);
  l->entry = LLVMInsertBasicBlockInContext(l->context, first, "");
  l->leave = new_block(l);
  LLVMPositionBuilderAtEnd(l->builder, l->leave);
  LLVMBuildRetVoid(l->builder);
  LLVMPositionBuilderAtEnd(l->builder, l->entry);
  LLVMBuildUnreachable(l->builder); // until cut_end
}

// Slots of one size, and between two of a frame those of the other lanes.
static LLVMValueRef frame_place(void *lowering, LLVMTypeRef type) {
  Lowering *l = lowering;
  if (LLVMABISizeOfType(l->layout, type) > INSTANCE_SLOT_BYTES)
    unsupported(l->task, (Loc){0},
                "--device: a value of more than %d bytes is not there on a "
                "device",
                INSTANCE_SLOT_BYTES);
  LLVMValueRef offset = lowering_number(l, l->frame_used * INSTANCE_LANES);
  l->frame_used += INSTANCE_SLOT_BYTES;
  LLVMPositionBuilderBefore(l->builder, LLVMGetBasicBlockTerminator(l->entry));
  return LLVMBuildGEP2(l->builder, l->i8, l->frame, &offset, 1, "");
}

LLVMValueRef cut_stack_place(Lowering *l, uint64_t bytes, uint64_t alignment) {
  l->stack_used = (l->stack_used + alignment - 1) / alignment * alignment;
  LLVMValueRef offset = lowering_number(l, l->stack_used);
  l->stack_used += bytes;
  LLVMPositionBuilderBefore(l->builder, LLVMGetBasicBlockTerminator(l->entry));
  return LLVMBuildIntToPtr(l->builder,
                           LLVMBuildAdd(l->builder, l->stack, offset, ""),
                           l->pointer, "");
}

static void enlarge(uint64_t *most, uint64_t used) {
  used =
      (used + INSTANCE_ALIGNMENT - 1) / INSTANCE_ALIGNMENT * INSTANCE_ALIGNMENT;
  if (used > *most)
    *most = used;
}

void cut_end(Lowering *l) {
  LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(l->entry));
  LLVMPositionBuilderAtEnd(l->builder, l->entry);
  LLVMValueRef where = LLVMBuildLoad2(l->builder, l->i32, l->resume_at, "");
  LLVMValueRef jump = LLVMBuildSwitch(l->builder, where, l->regions.at[0],
                                      (unsigned)l->regions.count);
  for (size_t i = 1; i < l->regions.count; i++)
    LLVMAddCase(jump, lowering_word(l, i), l->regions.at[i]);
  llvm_keep_values(l->task, l->body, frame_place, l);
  enlarge(&l->frame_bytes, l->frame_used);
  enlarge(&l->stack_bytes, l->stack_used);
}
