// Inline assembly as functions of LLVM IR.
//
// Each text that is called becomes one function with a variable a register,
// whose body is what the statements do; jumps and guards are branches.  The
// call becomes one of that function, which llvm_prepare inlines, so that what
// is in it has the place of the assembly.  Assembly with a word that is not
// known stays as it is, with a note that says which; a kernel that needs it is
// refused by name.

#include "runtime/jit/assembly.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct Expanded {
  LLVMValueRef assembly;
  const char *text;      // with the call's constants
  LLVMValueRef function; // NULL: it is not known
  const char *problem;
} Expanded;

typedef struct Expansion {
  Task *task;
  LLVMModuleRef module;
  bool is_program;
  bool shares_carry; // some text uses a carry that another has left
  Vec(Expanded) done;
} Expansion;

void asm_refuse(Emitter *a, const char *what) {
  if (!a->problem)
    a->problem = arena_copy(a->arena, what);
}

void asm_refuse_operand(Emitter *a, const Operand *operand) {
  asm_refuse(a, asm_operand_text(a->arena, a->instruction, operand));
}

// ------------------------------------------------------------------ notes ---

static unsigned kind_of(LLVMContextRef context, const char *name) {
  return LLVMGetMDKindIDInContext(context, name, (unsigned)strlen(name));
}

static unsigned problem_kind(LLVMContextRef context) {
  return kind_of(context, "gpuverify.problem");
}

static unsigned order_kind(LLVMContextRef context) {
  return kind_of(context, "gpuverify.order");
}

const char *jit_assembly_problem(Task *task, LLVMValueRef call) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(call));
  LLVMValueRef node = LLVMGetMetadata(call, problem_kind(context)), text = NULL;
  unsigned length = 0;
  if (!node || LLVMGetMDNodeNumOperands(node) != 1)
    return NULL;
  LLVMGetMDNodeOperands(node, &text);
  const char *at = LLVMGetMDString(text, &length);
  return at ? arena_printf(&task->arena, "%.*s", (int)length, at) : NULL;
}

static void note_problem(LLVMValueRef call, const char *problem) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(call));
  LLVMMetadataRef text =
      LLVMMDStringInContext2(context, problem, strlen(problem));
  LLVMMetadataRef node = LLVMMDNodeInContext2(context, &text, 1);
  LLVMSetMetadata(call, problem_kind(context),
                  LLVMMetadataAsValue(context, node));
}

bool jit_is_of_assembly(LLVMValueRef instruction) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(instruction));
  return LLVMGetMetadata(instruction, order_kind(context)) != NULL;
}

void assembly_mark(const Emitter *a, LLVMValueRef instruction) {
  LLVMMetadataRef node = LLVMMDNodeInContext2(a->context, NULL, 0);
  LLVMSetMetadata(instruction, order_kind(a->context),
                  LLVMMetadataAsValue(a->context, node));
}

// ------------------------------------------------------------- statements ---

static LLVMBasicBlockRef new_block(Emitter *a) {
  return LLVMAppendBasicBlockInContext(a->context, a->function, "");
}

static LLVMBasicBlockRef block_at(Emitter *a, size_t position) {
  if (!a->blocks[position])
    a->blocks[position] = new_block(a);
  return a->blocks[position];
}

static void go_on_at(Emitter *a, LLVMBasicBlockRef block) {
  if (!LLVMGetBasicBlockTerminator(LLVMGetInsertBlock(a->builder)))
    LLVMBuildBr(a->builder, block);
  LLVMPositionBuilderAtEnd(a->builder, block);
}

static void execute(Emitter *a, const AsmInstruction *i) {
  if (!asm_is_known(i))
    asm_refuse(a, i->text);
  else if (asm_branches(i))
    LLVMBuildBr(a->builder, block_at(a, i->operands[0].index));
  else if (asm_is(i, "bra"))
    asm_refuse_operand(a, &i->operands[0]);
  else if (!asm_compute(a, i) && !assembly_access(a, i) &&
           !assembly_arrival(a, i) && !assembly_order(a, i) &&
           !assembly_texture(a, i) && !assembly_tensor(a, i))
    asm_refuse(a, i->text);
}

static void execute_guarded(Emitter *a, const AsmInstruction *i) {
  LLVMBasicBlockRef then = new_block(a), after = new_block(a);
  LLVMValueRef guard = asm_load_register(a, i->guard);
  if (i->is_guard_negated)
    guard = LLVMBuildNot(a->builder, guard, "");
  LLVMBuildCondBr(a->builder, guard, then, after);
  LLVMPositionBuilderAtEnd(a->builder, then);
  bool had_carry = a->has_carry;
  execute(a, i);
  a->has_carry = had_carry;
  go_on_at(a, after);
}

// By which way, and with which carry, is not known.
static void enter(Emitter *a, size_t position) {
  a->has_carry = false;
  go_on_at(a, block_at(a, position));
}

static void execute_all(Emitter *a) {
  size_t count = a->text->code.count;
  a->blocks = arena_alloc(a->arena, (count + 1) * sizeof *a->blocks);
  for (size_t n = 0; n <= count && !a->problem; n++) {
    if (a->text->is_target[n])
      enter(a, n);
    if (n == count)
      return;
    a->instruction = &a->text->code.at[n];
    if (a->instruction->guard == NO_REGISTER)
      execute(a, a->instruction);
    else
      execute_guarded(a, a->instruction);
  }
}

// --------------------------------------------------------------- operands ---

typedef struct Shape {
  LLVMTypeRef result;
  unsigned outputs, inputs;
} Shape;

static LLVMTypeRef output_type(const Shape *shape, unsigned index) {
  return LLVMGetTypeKind(shape->result) == LLVMStructTypeKind
             ? LLVMStructGetTypeAtIndex(shape->result, index)
             : shape->result;
}

static bool bits_of_type(LLVMTypeRef type, unsigned *bits) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMIntegerTypeKind:
    *bits = LLVMGetIntTypeWidth(type);
    return true;
  case LLVMFloatTypeKind:
    *bits = 32;
    return true;
  case LLVMDoubleTypeKind:
  case LLVMPointerTypeKind:
    *bits = 64;
    return true;
  default:
    return false;
  }
}

static LLVMValueRef as_int(Emitter *a, LLVMValueRef value, unsigned bits) {
  LLVMTypeRef type = asm_int(a, bits);
  if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind)
    return LLVMBuildPtrToInt(a->builder, value, type, "");
  return LLVMBuildBitCast(a->builder, value, type, "");
}

static LLVMValueRef from_int(Emitter *a, LLVMValueRef value, LLVMTypeRef type) {
  if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
    return LLVMBuildIntToPtr(a->builder, value, type, "");
  return LLVMBuildBitCast(a->builder, value, type, "");
}

// Outputs first, then inputs; an input that is an output, too, is said by its
// number.  False: a constraint that is none of these.
static bool declare_operands(Emitter *a, const Shape *shape,
                             const char *constraints) {
  unsigned bits, number = 0;
  for (const char *at = constraints, *next; *at; at = next) {
    size_t length = strcspn(at, ",");
    next = at + length + (at[length] == ',');
    bool is_output = *at == '=';
    if (*at == '~')
      continue;
    if (is_output != (number < shape->outputs) ||
        number == shape->outputs + shape->inputs || strcspn(at, "*m|") < length)
      return false;
    LLVMTypeRef type =
        is_output
            ? output_type(shape, number)
            : LLVMTypeOf(LLVMGetParam(a->function, number - shape->outputs));
    if (!bits_of_type(type, &bits))
      return false;
    asm_declare(a, number++, bits);
    if (is_output)
      continue;
    LLVMValueRef value =
        as_int(a, LLVMGetParam(a->function, number - 1 - shape->outputs), bits);
    asm_store_register(a, number - 1, value, false);
    if (strspn(at, "0123456789") == length)
      asm_store_register(a, (size_t)atoi(at), value, false);
  }
  return number == shape->outputs + shape->inputs;
}

static void build_return(Emitter *a, const Shape *shape) {
  LLVMValueRef value = NULL;
  unsigned bits = 0;
  if (!shape->outputs) {
    LLVMBuildRetVoid(a->builder);
    return;
  }
  if (LLVMGetTypeKind(shape->result) == LLVMStructTypeKind)
    value = LLVMGetUndef(shape->result);
  for (unsigned i = 0; i < shape->outputs; i++) {
    LLVMTypeRef type = output_type(shape, i);
    bool has_bits = bits_of_type(type, &bits);
    assert(has_bits); // declare_operands refuses others
    LLVMValueRef part = from_int(a, asm_load_register(a, i), type);
    value = value ? LLVMBuildInsertValue(a->builder, value, part, i, "") : part;
  }
  LLVMBuildRet(a->builder, value);
}

// -------------------------------------------------------------- functions ---

static Shape shape_of(LLVMTypeRef type) {
  Shape shape = {.result = LLVMGetReturnType(type),
                 .outputs = 1,
                 .inputs = LLVMCountParamTypes(type)};
  if (LLVMGetTypeKind(shape.result) == LLVMVoidTypeKind)
    shape.outputs = 0;
  if (LLVMGetTypeKind(shape.result) == LLVMStructTypeKind)
    shape.outputs = LLVMCountStructElementTypes(shape.result);
  return shape;
}

// A register that is not written has any value.
static void expand_body(Emitter *a, LLVMValueRef assembly, const char *text,
                        LLVMTypeRef type) {
  Shape shape = shape_of(type);
  size_t length = 0;
  const char *constraints = LLVMGetInlineAsmConstraintString(assembly, &length);
  a->text = ptx_assembly(a->task, text, shape.outputs + shape.inputs);
  a->slots =
      arena_alloc(a->arena, (a->text->register_count + 1) * sizeof *a->slots);
  if (a->text->problem)
    asm_refuse(a, a->text->problem);
  else if (!declare_operands(
               a, &shape,
               arena_printf(a->arena, "%.*s", (int)length, constraints)))
    asm_refuse(a, "its operands");
  for (size_t i = shape.outputs + shape.inputs; i < a->text->register_count;
       i++)
    asm_declare(a, i, a->text->register_bits[i]);
  if (!a->problem)
    execute_all(a);
  if (!a->problem)
    build_return(a, &shape);
}

static Expanded expand(Expansion *expansion, LLVMValueRef assembly,
                       const char *text, LLVMTypeRef type) {
  LLVMContextRef context = LLVMGetModuleContext(expansion->module);
  Emitter a = {.task = expansion->task,
               .arena = &expansion->task->arena,
               .module = expansion->module,
               .is_program = expansion->is_program,
               .shares_carry = expansion->shares_carry,
               .is_volatile = LLVMGetInlineAsmHasSideEffects(assembly),
               .context = context,
               .builder = LLVMCreateBuilderInContext(context),
               .entry = LLVMCreateBuilderInContext(context),
               .function = LLVMAddFunction(expansion->module,
                                           "gpuverify.assembly", type)};
  LLVMBasicBlockRef entry = new_block(&a), body = new_block(&a);
  LLVMSetLinkage(a.function, LLVMInternalLinkage);
  LLVMPositionBuilderAtEnd(a.entry, entry);
  LLVMPositionBuilderAtEnd(a.builder, body);
  if (text)
    expand_body(&a, assembly, text, type);
  else
    asm_refuse(&a, "its constants");
  assert(a.problem ||
         LLVMGetBasicBlockTerminator(LLVMGetInsertBlock(a.builder)));
  LLVMBuildBr(a.entry, body);
  LLVMDisposeBuilder(a.builder);
  LLVMDisposeBuilder(a.entry);
  if (!a.problem)
    return (Expanded){assembly, text, a.function, NULL};
  LLVMDeleteFunction(a.function);
  return (Expanded){assembly, text, NULL, a.problem};
}

static bool is_same(const char *a, const char *b) {
  return a && b ? !strcmp(a, b) : a == b;
}

static Expanded *expanded(Expansion *expansion, LLVMValueRef call) {
  LLVMValueRef assembly = LLVMGetCalledValue(call);
  const char *text = llvm_assembly_text(&expansion->task->arena, call);
  for (size_t i = 0; i < expansion->done.count; i++)
    if (expansion->done.at[i].assembly == assembly &&
        is_same(expansion->done.at[i].text, text))
      return &expansion->done.at[i];
  Expanded made =
      expand(expansion, assembly, text, LLVMGetCalledFunctionType(call));
  push(&expansion->task->arena, &expansion->done, made);
  return &expansion->done.at[expansion->done.count - 1];
}

static void expand_call(Expansion *expansion, LLVMValueRef call) {
  const char *name = jit_declared(call);
  assert(name); // the text
  if (builtin_find(expansion->task, name))
    return;
  const Expanded *found = expanded(expansion, call);
  if (found->function)
    LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1,
                   found->function);
  else
    note_problem(call, found->problem);
}

typedef void Visit(Expansion *expansion, LLVMValueRef call);

static void visit_assembly(Expansion *expansion, Visit *visit) {
  for (LLVMValueRef f = LLVMGetFirstFunction(expansion->module); f;
       f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
         block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
           i = LLVMGetNextInstruction(i))
        if (LLVMIsACallInst(i) && LLVMIsAInlineAsm(LLVMGetCalledValue(i)))
          visit(expansion, i);
}

// Does it take a carry before it gives one?
static void find_carry(Expansion *expansion, LLVMValueRef call) {
  static const char *const takers[] = {"addc.", "subc.", "madc."};
  size_t length = 0;
  const char *text =
      LLVMGetInlineAsmAsmString(LLVMGetCalledValue(call), &length);
  text = arena_printf(&expansion->task->arena, "%.*s", (int)length, text);
  const char *given = strstr(text, ".cc");
  for (size_t n = 0; n < sizeof takers / sizeof *takers; n++) {
    const char *taken = strstr(text, takers[n]);
    if (taken && (!given || taken < given))
      expansion->shares_carry = true;
  }
}

void code_expand_assembly(Task *task, LLVMModuleRef module, bool is_program) {
  Expansion expansion = {
      .task = task, .module = module, .is_program = is_program};
  visit_assembly(&expansion, find_carry);
  visit_assembly(&expansion, expand_call);
  jit_change_calls(module);
  jit_change_arrivals(module);
  jit_change_tensors(module);
}
