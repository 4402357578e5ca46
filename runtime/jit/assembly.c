// Inline assembly as functions of LLVM IR.
//
// Each text that is called becomes one function with a variable a register,
// whose body is what the statements do; jumps and guards are branches.  The
// call becomes one of that function, which llvm_prepare inlines, so that what
// is in it has the place of the assembly.  Assembly with a word that is not
// known stays as it is, with a note that says which; a kernel that needs it is
// refused by name.

#include "runtime/jit/assembly.h"
#include "ptx/constant.h"

#include <assert.h>
#include <string.h>

enum { MOST_REGISTERS = 256 };

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

void assembly_refuse(Assembly *a, const char *what) {
  if (!a->problem)
    a->problem = arena_copy(a->arena, what);
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

void assembly_mark(const Assembly *a, LLVMValueRef instruction) {
  LLVMMetadataRef node = LLVMMDNodeInContext2(a->context, NULL, 0);
  LLVMSetMetadata(instruction, order_kind(a->context),
                  LLVMMetadataAsValue(a->context, node));
}

// ------------------------------------------------------------- statements ---

static LLVMBasicBlockRef new_block(Assembly *a) {
  return LLVMAppendBasicBlockInContext(a->context, a->function, "");
}

static LLVMBasicBlockRef label(Assembly *a, const char *name) {
  for (size_t i = 0; i < a->labels.count; i++)
    if (!strcmp(a->labels.at[i].name, name))
      return a->labels.at[i].block;
  PtxLabel made = {name, new_block(a)};
  push(a->arena, &a->labels, made);
  return made.block;
}

static void go_on_at(Assembly *a, LLVMBasicBlockRef block) {
  if (!LLVMGetBasicBlockTerminator(LLVMGetInsertBlock(a->builder)))
    LLVMBuildBr(a->builder, block);
  LLVMPositionBuilderAtEnd(a->builder, block);
}

// "a" of ".reg .b32 a;", and r0 to r3 of "r<4>".
static void declare_register(Assembly *a, const char *name, unsigned bits) {
  const char *range = strchr(name, '<'), *count = range ? range + 1 : NULL;
  PtxConstant last = {PTX_CONSTANT_SIGNED, 0};
  if (!range) {
    assembly_declare(a, name, bits);
    return;
  }
  if (!ptx_constant(
          arena_printf(a->arena, "%.*s", (int)strcspn(count, ">"), count),
          &last) ||
      last.kind != PTX_CONSTANT_SIGNED || last.bits > MOST_REGISTERS)
    assembly_refuse(a, name);
  for (unsigned n = 0; n < last.bits && !a->problem; n++)
    assembly_declare(
        a, arena_printf(a->arena, "%.*s%u", (int)(range - name), name, n),
        bits);
}

static void declare(Assembly *a, const char *statement) {
  const char *word = statement + strcspn(statement + 1, ".") + 1;
  const char *names = word + strcspn(word, " "), *all[MOST_REGISTERS];
  PtxType type;
  bool is_type =
      *word && ptx_type(arena_printf(a->arena, "%.*s", (int)(names - word - 1),
                                     word + 1),
                        &type);
  unsigned count = ptx_parts(a->arena, arena_printf(a->arena, "{%s}", names),
                             all, MOST_REGISTERS);
  if (!is_type || count > MOST_REGISTERS) {
    assembly_refuse(a, statement);
    return;
  }
  for (unsigned n = 0; n < count; n++)
    declare_register(a, all[n], type.bits * type.lanes);
}

static void execute(Assembly *a, const PtxInstruction *i) {
  if (!ptx_is_known(i))
    assembly_refuse(a, i->text);
  else if (!strcmp(i->words[0], "bra"))
    LLVMBuildBr(a->builder, label(a, i->operands[0]));
  else if (!assembly_compute(a, i) && !assembly_rearrange(a, i) &&
           !assembly_video(a, i) && !assembly_convert(a, i) &&
           !assembly_access(a, i) && !assembly_arrival(a, i) &&
           !assembly_order(a, i) && !assembly_texture(a, i) &&
           !assembly_tensor(a, i))
    assembly_refuse(a, i->text);
}

static void execute_guarded(Assembly *a, const PtxInstruction *i) {
  LLVMBasicBlockRef then = new_block(a), after = new_block(a);
  LLVMValueRef guard = assembly_bits(a, i->guard, 1);
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
static void enter(Assembly *a, const char *name) {
  a->has_carry = false;
  go_on_at(a, label(a, name));
}

static void close_scope(Assembly *a) {
  if (a->scopes.count)
    a->slots.count = a->scopes.at[--a->scopes.count];
  else
    assembly_refuse(a, "}");
}

static void expand_statement(Assembly *a, const char *statement) {
  size_t length = strlen(statement);
  PtxInstruction i;
  assert(length > 0); // ptx_statement skips what is empty
  if (!strcmp(statement, "{"))
    push(a->arena, &a->scopes, a->slots.count);
  else if (!strcmp(statement, "}"))
    close_scope(a);
  else if (statement[length - 1] == ':')
    enter(a, arena_printf(a->arena, "%.*s", (int)strcspn(statement, " :"),
                          statement));
  else if (!strncmp(statement, ".reg", 4))
    declare(a, statement);
  else if (!ptx_instruction(a->arena, statement, &i))
    assembly_refuse(a, statement);
  else if (i.guard)
    execute_guarded(a, &i);
  else
    execute(a, &i);
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

static LLVMValueRef as_int(Assembly *a, LLVMValueRef value, unsigned bits) {
  LLVMTypeRef type = assembly_int(a, bits);
  if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind)
    return LLVMBuildPtrToInt(a->builder, value, type, "");
  return LLVMBuildBitCast(a->builder, value, type, "");
}

static LLVMValueRef from_int(Assembly *a, LLVMValueRef value,
                             LLVMTypeRef type) {
  if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
    return LLVMBuildIntToPtr(a->builder, value, type, "");
  return LLVMBuildBitCast(a->builder, value, type, "");
}

// Outputs first, then inputs; an input that is an output, too, is said by its
// number.  False: a constraint that is none of these.
static bool declare_operands(Assembly *a, const Shape *shape,
                             const char *constraints) {
  const char *list[64];
  unsigned bits, number = 0;
  unsigned count = ptx_parts(
      a->arena, arena_printf(a->arena, "{%s}", constraints), list, 64);
  for (unsigned i = 0; i < count && count <= 64; i++) {
    bool is_output = *list[i] == '=';
    if (*list[i] == '~')
      continue;
    if (is_output != (number < shape->outputs) || strpbrk(list[i], "*m|"))
      return false;
    assert(is_output || number - shape->outputs < shape->inputs);
    LLVMTypeRef type =
        is_output
            ? output_type(shape, number)
            : LLVMTypeOf(LLVMGetParam(a->function, number - shape->outputs));
    if (!bits_of_type(type, &bits))
      return false;
    const char *name = arena_printf(a->arena, "$%u", number);
    assembly_declare(a, name, bits);
    number++;
    if (is_output)
      continue;
    LLVMValueRef value =
        as_int(a, LLVMGetParam(a->function, number - 1 - shape->outputs), bits);
    assembly_put_bits(a, name, value, false);
    if (strspn(list[i], "0123456789") == strlen(list[i]))
      assembly_put_bits(a, arena_printf(a->arena, "$%s", list[i]), value,
                        false);
  }
  return count <= 64 && number == shape->outputs + shape->inputs;
}

static void build_return(Assembly *a, const Shape *shape) {
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
    LLVMValueRef part = from_int(
        a, assembly_bits(a, arena_printf(a->arena, "$%u", i), bits), type);
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
static void expand_body(Assembly *a, LLVMValueRef assembly, const char *text,
                        LLVMTypeRef type) {
  Shape shape = shape_of(type);
  size_t length = 0;
  const char *constraints = LLVMGetInlineAsmConstraintString(assembly, &length);
  if (!declare_operands(
          a, &shape, arena_printf(a->arena, "%.*s", (int)length, constraints)))
    assembly_refuse(a, "its operands");
  for (const char *s; !a->problem && (s = ptx_statement(a->arena, &text));)
    expand_statement(a, s);
  for (size_t i = 0; i < a->labels.count && !a->problem; i++)
    if (!LLVMGetFirstInstruction(a->labels.at[i].block) &&
        a->labels.at[i].block != LLVMGetInsertBlock(a->builder))
      assembly_refuse(a, a->labels.at[i].name);
  if (!a->problem)
    build_return(a, &shape);
}

static Expanded expand(Expansion *expansion, LLVMValueRef assembly,
                       const char *text, LLVMTypeRef type) {
  LLVMContextRef context = LLVMGetModuleContext(expansion->module);
  Assembly a = {.arena = &expansion->task->arena,
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
    assembly_refuse(&a, "its constants");
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
