// All threads of a block in one loop, where that is what a block does.
//
// A kernel without loops, barriers, warp operations and calls never gives
// control to another thread, so that its threads can be executed as the
// iterations of a loop, of which the optimiser makes vector operations where it
// can.  The ids of the thread are variables of the module then, which nothing
// else can point to.  This is for code without hooks: which iteration has
// failed is not known.

#include "runtime/jit.h"

enum { AXES = 3 };

bool jit_is_block(const Run *run) {
  LLVMValueRef function = run->code->function;
  if (!function || !run->code->is_straight || run->watch != WATCH_NOTHING)
    return false;
  for (unsigned i = 0; i < LLVMCountParams(function); i++)
    if (jit_by_value(function, i))
      return false; // each thread may change its own copy
  return true;
}

LLVMValueRef jit_thread_id(LLVMModuleRef module, unsigned axis) {
  static const char *const names[AXES] = {"gpuverify_id_x", "gpuverify_id_y",
                                          "gpuverify_id_z"};
  LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetModuleContext(module));
  LLVMValueRef id = LLVMGetNamedGlobal(module, names[axis]);
  if (id)
    return id;
  id = LLVMAddGlobal(module, i32, names[axis]);
  LLVMSetInitializer(id, LLVMConstNull(i32));
  LLVMSetLinkage(id, LLVMInternalLinkage);
  return id;
}

// ------------------------------------------------------------------ loops ---

typedef struct AxisLoop {
  LLVMBasicBlockRef head, end;
  LLVMValueRef counter;
} AxisLoop;

typedef struct Maker {
  LLVMModuleRef module;
  LLVMBuilderRef builder;
  LLVMValueRef entry;
  LLVMTypeRef i32;
  AxisLoop loops[AXES];
} Maker;

static LLVMBasicBlockRef add_block(const Maker *m) {
  return LLVMAppendBasicBlockInContext(LLVMGetModuleContext(m->module),
                                       m->entry, "");
}

// Each launch of a program has its own.
static LLVMValueRef block_size(const Maker *m, unsigned axis) {
  LLVMContextRef context = LLVMGetModuleContext(m->module);
  LLVMValueRef run =
      LLVMBuildLoad2(m->builder, LLVMPointerTypeInContext(context, 0),
                     jit_address(m->module, (uintptr_t)&machine.run), "");
  LLVMValueRef offset =
      LLVMConstInt(LLVMInt64TypeInContext(context),
                   offsetof(Run, block) + axis * sizeof(uint32_t), false);
  LLVMValueRef at = LLVMBuildGEP2(m->builder, LLVMInt8TypeInContext(context),
                                  run, &offset, 1, "");
  return LLVMBuildLoad2(m->builder, m->i32, at, "");
}

static void open_loop(Maker *m, unsigned axis, LLVMValueRef size) {
  AxisLoop *loop = &m->loops[axis];
  LLVMBasicBlockRef body = add_block(m);
  loop->head = add_block(m);
  loop->end = add_block(m);
  LLVMBuildStore(m->builder, LLVMConstNull(m->i32), loop->counter);
  LLVMBuildBr(m->builder, loop->head);
  LLVMPositionBuilderAtEnd(m->builder, loop->head);
  LLVMValueRef at = LLVMBuildLoad2(m->builder, m->i32, loop->counter, "");
  LLVMBuildCondBr(m->builder,
                  LLVMBuildICmp(m->builder, LLVMIntULT, at, size, ""), body,
                  loop->end);
  LLVMPositionBuilderAtEnd(m->builder, body);
  LLVMBuildStore(m->builder, at, jit_thread_id(m->module, axis));
}

static void close_loop(const Maker *m, unsigned axis) {
  const AxisLoop *loop = &m->loops[axis];
  LLVMValueRef at = LLVMBuildLoad2(m->builder, m->i32, loop->counter, "");
  LLVMValueRef next =
      LLVMBuildNUWAdd(m->builder, at, LLVMConstInt(m->i32, 1, false), "");
  LLVMBuildStore(m->builder, next, loop->counter);
  LLVMBuildBr(m->builder, loop->head);
  LLVMPositionBuilderAtEnd(m->builder, loop->end);
}

void jit_call_block(LLVMModuleRef module, LLVMBuilderRef builder,
                    LLVMValueRef entry, const Run *run, LLVMValueRef *values) {
  LLVMValueRef function = run->code->function;
  Maker m = {.module = module,
             .builder = builder,
             .entry = entry,
             .i32 = LLVMInt32TypeInContext(LLVMGetModuleContext(module))};
  LLVMValueRef sizes[AXES];
  for (unsigned axis = 0; axis < AXES; axis++)
    m.loops[axis].counter = LLVMBuildAlloca(builder, m.i32, "");
  for (unsigned axis = 0; axis < AXES; axis++)
    sizes[axis] = block_size(&m, axis);
  for (unsigned axis = AXES; axis-- > 0;)
    open_loop(&m, axis, sizes[axis]);
  LLVMBuildCall2(builder, LLVMGlobalGetValueType(function), function, values,
                 LLVMCountParams(function), "");
  for (unsigned axis = 0; axis < AXES; axis++)
    close_loop(&m, axis);
}
