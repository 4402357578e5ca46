// Each instruction of a body, as an instance executes it.
//
// Addresses are the program's; before each access its place in the instance's
// memory is looked for, and where there is none the instance ends.  Local
// variables are on the thread's stack, which is such memory, too.  An instance
// belongs to one thread of the device, so atomic operations are plain ones
// there.

#include "runtime/instances/lowering.h"

#include "runtime/threads/world.h"
#include "llvm/graph.h"

#define REFUSE(l, instruction, ...)                                            \
  unsupported((l)->task, llvm_location((l)->task, instruction),                \
              "--device: " __VA_ARGS__)

// --------------------------------------------------------------- accesses ---

static LLVMValueRef lower_place(Lowering *l, LLVMValueRef instruction,
                                LLVMValueRef pointer, uint64_t bytes,
                                unsigned alignment, bool writes) {
  LLVMPositionBuilderBefore(l->builder, instruction);
  LLVMValueRef arguments[] = {
      l->world, LLVMBuildPtrToInt(l->builder, pointer, l->i64, ""),
      lowering_number(l, bytes), lowering_word(l, alignment),
      lowering_word(l, writes)};
  LLVMValueRef place = lowering_call(l, "instance_place", arguments, 5);
  cut_where(l, instruction, LLVMBuildIsNull(l->builder, place, ""));
  return place;
}

static void refuse_wide(Lowering *l, LLVMValueRef instruction,
                        LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMX86_FP80TypeKind:
  case LLVMFP128TypeKind:
  case LLVMPPC_FP128TypeKind:
  case LLVMScalableVectorTypeKind:
    REFUSE(l, instruction, "a long double is not there on a device");
  default:
    break;
  }
}

static void lower_access(Lowering *l, LLVMValueRef access, unsigned operand) {
  bool writes = operand;
  LLVMTypeRef type = LLVMTypeOf(writes ? LLVMGetOperand(access, 0) : access);
  unsigned alignment = LLVMGetAlignment(access);
  refuse_wide(l, access, type);
  if (alignment > INSTANCE_ALIGNMENT)
    alignment = INSTANCE_ALIGNMENT;
  LLVMSetAlignment(access, alignment);
  LLVMSetOperand(access, operand,
                 lower_place(l, access, LLVMGetOperand(access, operand),
                             LLVMStoreSizeOfType(l->layout, type), alignment,
                             writes));
}

// Of what the machine has on the processor; it is named by its address there.
static bool is_machine(LLVMValueRef pointer, const void *what) {
  return LLVMIsAConstantExpr(pointer) &&
         LLVMGetConstOpcode(pointer) == LLVMIntToPtr &&
         LLVMConstIntGetZExtValue(LLVMGetOperand(pointer, 0)) ==
             (uint64_t)(uintptr_t)what;
}

// Thread-local variables begin at an address that the machine has.
static void lower_load(Lowering *l, LLVMValueRef load) {
  if (!is_machine(LLVMGetOperand(load, 0), &world.tls)) {
    lower_access(l, load, 0);
    return;
  }
  LLVMPositionBuilderBefore(l->builder, load);
  LLVMValueRef at = lowering_call(l, "instance_locals", &l->world, 1);
  LLVMReplaceAllUsesWith(load,
                         LLVMBuildIntToPtr(l->builder, at, l->pointer, ""));
  LLVMInstructionEraseFromParent(load);
}

// The number of the site where a function of the library is called.
static void lower_store(Lowering *l, LLVMValueRef store) {
  if (!is_machine(LLVMGetOperand(store, 1), &world.site)) {
    lower_access(l, store, 1);
    return;
  }
  LLVMValueRef arguments[] = {l->world, LLVMGetOperand(store, 0)};
  LLVMPositionBuilderBefore(l->builder, store);
  lowering_call(l, "instance_site", arguments, 2);
  LLVMInstructionEraseFromParent(store);
}

static void lower_local(Lowering *l, LLVMValueRef local) {
  LLVMTypeRef type = LLVMGetAllocatedType(local);
  LLVMValueRef count = LLVMGetOperand(local, 0);
  if (!LLVMIsAConstantInt(count))
    REFUSE(l, local,
           "a local array whose size is not fixed is not there on "
           "a device");
  uint64_t bytes =
      LLVMABISizeOfType(l->layout, type) * LLVMConstIntGetZExtValue(count);
  LLVMValueRef place = cut_stack_place(l, bytes, INSTANCE_ALIGNMENT);
  LLVMReplaceAllUsesWith(local, place);
  LLVMInstructionEraseFromParent(local);
}

// --------------------------------------------------------------- divisions ---

static void end_where(Lowering *l, LLVMValueRef instruction,
                      LLVMValueRef answer) {
  cut_where(
      l, instruction,
      LLVMBuildICmp(l->builder, LLVMIntNE, answer, lowering_word(l, 0), ""));
}

static bool is_signed(LLVMOpcode opcode) {
  return opcode == LLVMSDiv || opcode == LLVMSRem;
}

// The processor is stopped by a division by zero, and by the one quotient that
// there is no room for; a device is not.
static LLVMValueRef goes_wrong(Lowering *l, LLVMValueRef division) {
  LLVMValueRef left = LLVMGetOperand(division, 0),
               right = LLVMGetOperand(division, 1);
  LLVMTypeRef type = LLVMTypeOf(right);
  LLVMValueRef zero = LLVMBuildIsNull(l->builder, right, "");
  if (!is_signed(LLVMGetInstructionOpcode(division)))
    return zero;
  unsigned bits = LLVMGetIntTypeWidth(type);
  LLVMValueRef least = LLVMBuildShl(l->builder, LLVMConstInt(type, 1, false),
                                    LLVMConstInt(type, bits - 1, false), "");
  LLVMValueRef over = LLVMBuildAnd(
      l->builder, LLVMBuildICmp(l->builder, LLVMIntEQ, left, least, ""),
      LLVMBuildICmp(l->builder, LLVMIntEQ, right, LLVMConstAllOnes(type), ""),
      "");
  return LLVMBuildOr(l->builder, zero, over, "");
}

static void lower_division(Lowering *l, LLVMValueRef division) {
  enum { WIDEST = 128 };
  LLVMValueRef right = LLVMGetOperand(division, 1);
  LLVMTypeRef type = LLVMTypeOf(right);
  if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind ||
      LLVMGetIntTypeWidth(type) > WIDEST)
    REFUSE(l, division, "this division is not there on a device");
  if (LLVMIsAConstantInt(right) && !LLVMIsNull(right) &&
      right != LLVMConstAllOnes(type))
    return;
  LLVMPositionBuilderBefore(l->builder, division);
  LLVMValueRef arguments[] = {
      l->world, LLVMBuildZExt(l->builder, goes_wrong(l, division), l->i32, "")};
  end_where(l, division, lowering_call(l, "instance_division", arguments, 2));
}

// LLVM has no code for a device where the integer is wide.
static void lower_conversion(Lowering *l, LLVMValueRef conversion) {
  LLVMTypeRef types[] = {LLVMTypeOf(conversion),
                         LLVMTypeOf(LLVMGetOperand(conversion, 0))};
  for (unsigned i = 0; i < 2; i++) {
    refuse_wide(l, conversion, types[i]);
    if (LLVMGetTypeKind(types[i]) == LLVMIntegerTypeKind &&
        LLVMGetIntTypeWidth(types[i]) > 64)
      REFUSE(l, conversion,
             "a conversion between a real and an integer of more than 64 bits "
             "is not there on a device");
  }
}

// ------------------------------------------------------------------- ends ---

// Behind a function that does not come back.
static void lower_unreachable(Lowering *l, LLVMValueRef end) {
  LLVMPositionBuilderBefore(l->builder, end);
  lowering_call(l, "instance_unreachable", &l->world, 1);
  LLVMBuildBr(l->builder, l->leave);
  LLVMInstructionEraseFromParent(end);
}

static void lower_return(Lowering *l, LLVMValueRef end) {
  LLVMPositionBuilderBefore(l->builder, end);
  LLVMBuildBr(l->builder, l->leave);
  LLVMInstructionEraseFromParent(end);
}

// -------------------------------------------------------------------- all ---

// In the memory of the program they are those of the processor's code.
static void refuse_addresses(Lowering *l, LLVMValueRef i) {
  for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(i); k++) {
    LLVMValueRef value = LLVMGetOperand(i, k);
    if (LLVMIsAFunction(value) &&
        (!LLVMIsACallInst(i) || value != LLVMGetCalledValue(i)))
      REFUSE(l, i, "the address of a function is not there on a device");
  }
}

static void lower(Lowering *l, LLVMValueRef i) {
  refuse_addresses(l, i);
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMAlloca:
    lower_local(l, i);
    break;
  case LLVMLoad:
    lower_load(l, i);
    break;
  case LLVMStore:
    lower_store(l, i);
    break;
  case LLVMCall:
    lower_call(l, i);
    break;
  case LLVMSDiv:
  case LLVMUDiv:
  case LLVMSRem:
  case LLVMURem:
    lower_division(l, i);
    break;
  case LLVMSIToFP:
  case LLVMUIToFP:
  case LLVMFPToSI:
  case LLVMFPToUI:
    lower_conversion(l, i);
    break;
  case LLVMRet:
    lower_return(l, i);
    break;
  case LLVMUnreachable:
    lower_unreachable(l, i);
    break;
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
  case LLVMVAArg:
  case LLVMIndirectBr:
    REFUSE(l, i, "this instruction is not there on a device");
  default:
    refuse_wide(l, i, LLVMTypeOf(i));
  }
}

// The ends of blocks that jump back.
static InstructionList find_rounds(Lowering *l, LLVMValueRef body) {
  LLVMBasicBlockRef *blocks;
  Graph *graph = llvm_block_graph(l->task, body, &blocks);
  InstructionList ends = {0};
  for (unsigned i = 0; i < graph->count; i++)
    for (unsigned k = 0; k < graph->out[i].count; k++)
      if (graph->position[i] != GRAPH_NONE &&
          graph->position[graph->out[i].at[k]] <= graph->position[i]) {
        push(&l->task->arena, &ends, LLVMGetBasicBlockTerminator(blocks[i]));
        break;
      }
  return ends;
}

static void count_rounds(Lowering *l, const InstructionList *ends) {
  for (size_t i = 0; i < ends->count; i++) {
    LLVMPositionBuilderBefore(l->builder, ends->at[i]);
    end_where(l, ends->at[i], lowering_call(l, "instance_tick", &l->world, 1));
  }
}

void lower_body(Lowering *l, LLVMValueRef body) {
  InstructionList all = {0}, ends = find_rounds(l, body);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(body); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i))
      push(&l->task->arena, &all, i);
  cut_begin(l, body);
  for (size_t i = 0; i < all.count; i++)
    lower(l, all.at[i]);
  count_rounds(l, &ends);
  cut_end(l);
}
