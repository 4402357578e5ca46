// Matrix operations of a warp as calls of tensor.c: intrinsics and assembly.
//
// Registers are passed in memory on the stack, one behind the other: operands
// are stored there, and results are read from there.  The name of an intrinsic,
// and the words of an instruction, say which matrices they are.  Numbers of
// less than eight bits, sparse matrices and the layout of m8n8k4 with f16 are
// not known.

#define _GNU_SOURCE

#include "runtime/machine/tensor.h"
#include "runtime/jit/assembly.h"

#include <assert.h>
#include <ctype.h>
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PARTS = 16, MOST_REGISTERS = 40 };

// ------------------------------------------------------------------- words ---

typedef struct Words {
  char text[160];
  const char *at[MOST_PARTS];
  unsigned count;
} Words;

// A name that is too long for these has none.
static void split_name(Words *words, const char *name) {
  snprintf(words->text, sizeof words->text, "%s", name);
  words->count = 0;
  char *save = NULL, *word = strtok_r(words->text, ".", &save);
  for (; word && words->count < MOST_PARTS; word = strtok_r(NULL, ".", &save))
    words->at[words->count++] = word;
  if (word || strlen(name) >= sizeof words->text)
    words->count = 0;
}

static bool has(const Words *words, const char *word) {
  for (unsigned i = 0; i < words->count; i++)
    if (!strcmp(words->at[i], word))
      return true;
  return false;
}

static TensorType type_named(const char *word) {
  static const char *const names[] = {
      [TENSOR_F16] = "f16", [TENSOR_BF16] = "bf16", [TENSOR_TF32] = "tf32",
      [TENSOR_F32] = "f32", [TENSOR_F64] = "f64",   [TENSOR_S8] = "s8",
      [TENSOR_U8] = "u8",   [TENSOR_S32] = "s32"};
  for (unsigned i = TENSOR_F16; i < sizeof names / sizeof *names; i++)
    if (!strcmp(word, names[i]))
      return (TensorType)i;
  return TENSOR_NONE;
}

// "m16n8k16"
static bool read_sides(const Words *words, TensorShape *shape) {
  for (unsigned i = 0; i < words->count; i++) {
    const char *word = words->at[i];
    if (word[0] != 'm' || !isdigit((unsigned char)word[1]))
      continue;
    char *n, *k;
    unsigned long rows = strtoul(word + 1, &n, 10);
    unsigned long columns = *n == 'n' ? strtoul(n + 1, &k, 10) : 0;
    unsigned long inner = columns && *k == 'k' ? strtoul(k + 1, &k, 10) : 0;
    shape->m = (uint8_t)rows;
    shape->n = (uint8_t)columns;
    shape->k = (uint8_t)inner;
    return inner && !*k && rows <= 32 && columns <= 32 && inner <= 32;
  }
  return false;
}

static unsigned read_types(const Words *words, TensorType types[4]) {
  unsigned count = 0;
  for (unsigned i = 0; i < words->count; i++)
    if (type_named(words->at[i]) && count < 4)
      types[count++] = type_named(words->at[i]);
  return count;
}

// What is not said follows from what is.
static TensorType sum_of(TensorType type) {
  if (type == TENSOR_F64)
    return TENSOR_F64;
  return type == TENSOR_S8 || type == TENSOR_U8 ? TENSOR_S32 : TENSOR_F32;
}

// LLVM names d and c if a is f16, else a, and b if that is another.
static bool types_of_intrinsic(const Words *words, TensorShape *shape) {
  TensorType types[4];
  unsigned count = read_types(words, types);
  if (!count || count > 2)
    return false;
  bool is_half =
      count == 2 ? types[0] == TENSOR_F16 || types[0] == TENSOR_F32 : false;
  shape->a = (uint8_t)(is_half ? TENSOR_F16 : types[0]);
  shape->b = (uint8_t)(is_half ? TENSOR_F16 : types[count - 1]);
  shape->d = (uint8_t)(is_half ? types[0] : sum_of(types[0]));
  shape->c = (uint8_t)(is_half ? types[1] : sum_of(types[0]));
  return true;
}

// PTX names d, a, b and c of mma, and of wmma of halves d and c only.
static bool types_of_assembly(const Words *words, TensorShape *shape) {
  TensorType types[4];
  unsigned count = read_types(words, types);
  if (count == 2)
    return types_of_intrinsic(words, shape);
  if (count != 4)
    return false;
  shape->d = (uint8_t)types[0];
  shape->a = (uint8_t)types[1];
  shape->b = (uint8_t)types[2];
  shape->c = (uint8_t)types[3];
  return true;
}

// Products by PTX's own layouts are of rows by columns.
static bool is_known_product(const TensorShape *shape) {
  bool is_wmma = shape->flags & TENSOR_IS_WMMA;
  return is_wmma || (shape->n == 8 && (shape->m == 16 || shape->m == 8) &&
                     (shape->m == 16 || shape->a != TENSOR_F16));
}

static void read_flags(const Words *words, TensorShape *shape) {
  if (has(words, "wmma"))
    shape->flags |= TENSOR_IS_WMMA;
  if (has(words, "satfinite"))
    shape->flags |= TENSOR_SATURATES;
}

static bool read_product(const Words *words, TensorShape *shape,
                         bool is_assembly) {
  static const char *const strange[] = {"sp",  "kind", "b1",
                                        "xor", "and",  "block_scale"};
  for (size_t i = 0; i < sizeof strange / sizeof *strange; i++)
    if (has(words, strange[i]))
      return false;
  read_flags(words, shape);
  return read_sides(words, shape) &&
         (is_assembly ? types_of_assembly(words, shape)
                      : types_of_intrinsic(words, shape)) &&
         is_known_product(shape);
}

// "load.a.row", "store.d.col"
static bool read_transfer(const Words *words, TensorShape *shape) {
  TensorType types[4];
  read_flags(words, shape);
  if (!read_sides(words, shape) || read_types(words, types) != 1)
    return false;
  shape->a = shape->b = shape->c = (uint8_t)types[0];
  if (has(words, "col"))
    shape->flags |= TENSOR_BY_COLUMNS;
  if (has(words, "a"))
    shape->flags |= TENSOR_OF_A;
  if (has(words, "b"))
    shape->flags |= TENSOR_OF_B;
  return true;
}

static bool read_small(const Words *words, TensorShape *shape) {
  static const char *const counts[] = {"x1", "x2", "x4"};
  if (!has(words, "m8n8") || !has(words, "b16"))
    return false;
  for (unsigned i = 0; i < 3; i++)
    if (has(words, counts[i]))
      shape->n = (uint8_t)(1 << i);
  if (has(words, "trans"))
    shape->flags |= TENSOR_BY_COLUMNS;
  return shape->n;
}

// --------------------------------------------------------------- registers ---

typedef struct Maker {
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMBuilderRef builder, entry; // the second where allocas belong
  LLVMTargetDataRef layout;
} Maker;

static LLVMValueRef number(const Maker *m, unsigned bits, uint64_t value) {
  return LLVMConstInt(LLVMIntTypeInContext(m->context, bits), value, false);
}

static LLVMValueRef shape_number(const Maker *m, const TensorShape *shape) {
  uint64_t bits = 0;
  _Static_assert(sizeof *shape == sizeof bits, "a shape is one number");
  memcpy(&bits, shape, sizeof bits);
  return number(m, 64, bits);
}

static LLVMValueRef room(const Maker *m) {
  LLVMTypeRef type =
      LLVMArrayType2(LLVMInt64TypeInContext(m->context), MOST_REGISTERS);
  LLVMValueRef at = LLVMBuildAlloca(m->entry, type, "");
  LLVMSetAlignment(at, 8);
  return at;
}

static LLVMValueRef at_byte(const Maker *m, LLVMValueRef base, uint64_t byte) {
  LLVMValueRef index = number(m, 64, byte);
  return LLVMBuildGEP2(m->builder, LLVMInt8TypeInContext(m->context), base,
                       &index, 1, "");
}

static LLVMValueRef put_registers(const Maker *m, const LLVMValueRef *values,
                                  unsigned count) {
  assert(count <= MOST_REGISTERS);
  LLVMValueRef at = room(m);
  uint64_t byte = 0;
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef store =
        LLVMBuildStore(m->builder, values[i], at_byte(m, at, byte));
    LLVMSetAlignment(store, 4);
    byte += LLVMStoreSizeOfType(m->layout, LLVMTypeOf(values[i]));
  }
  return at;
}

static LLVMValueRef get_register(const Maker *m, LLVMTypeRef type,
                                 LLVMValueRef at, uint64_t *byte) {
  LLVMValueRef load =
      LLVMBuildLoad2(m->builder, type, at_byte(m, at, *byte), "");
  LLVMSetAlignment(load, 4);
  *byte += LLVMStoreSizeOfType(m->layout, type);
  assert(*byte <= MOST_REGISTERS * sizeof(uint64_t));
  return load;
}

static void call(const Maker *m, const char *name, LLVMValueRef *arguments,
                 unsigned count) {
  LLVMTypeRef types[4];
  assert(count <= sizeof types / sizeof *types);
  for (unsigned i = 0; i < count; i++)
    types[i] = LLVMTypeOf(arguments[i]);
  LLVMTypeRef type =
      LLVMFunctionType(LLVMVoidTypeInContext(m->context), types, count, false);
  LLVMValueRef function = LLVMGetNamedFunction(m->module, name);
  if (!function)
    function = LLVMAddFunction(m->module, name, type);
  LLVMBuildCall2(m->builder, type, function, arguments, count, "");
}

static LLVMValueRef flat(const Maker *m, LLVMValueRef pointer) {
  return LLVMBuildAddrSpaceCast(m->builder, pointer,
                                LLVMPointerTypeInContext(m->context, 0), "");
}

// -------------------------------------------------------------- intrinsics ---

typedef enum Operation {
  OPERATION_NONE,
  OPERATION_PRODUCT,
  OPERATION_LOAD,
  OPERATION_STORE,
  OPERATION_SPREAD,  // ldmatrix
  OPERATION_COLLECT, // stmatrix
} Operation;

static Operation operation_of(const Words *words, TensorShape *shape,
                              bool is_assembly) {
  bool is_wmma = has(words, "wmma");
  if (has(words, "ldmatrix"))
    return read_small(words, shape) ? OPERATION_SPREAD : OPERATION_NONE;
  if (has(words, "stmatrix"))
    return read_small(words, shape) ? OPERATION_COLLECT : OPERATION_NONE;
  if (is_wmma && has(words, "load"))
    return read_transfer(words, shape) ? OPERATION_LOAD : OPERATION_NONE;
  if (is_wmma && has(words, "store"))
    return read_transfer(words, shape) ? OPERATION_STORE : OPERATION_NONE;
  if (has(words, "mma"))
    return read_product(words, shape, is_assembly) ? OPERATION_PRODUCT
                                                   : OPERATION_NONE;
  return OPERATION_NONE;
}

static LLVMValueRef result_of(const Maker *m, LLVMTypeRef type,
                              LLVMValueRef at) {
  uint64_t byte = 0;
  if (LLVMGetTypeKind(type) != LLVMStructTypeKind)
    return get_register(m, type, at, &byte);
  LLVMValueRef value = LLVMGetUndef(type);
  for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
    value = LLVMBuildInsertValue(
        m->builder, value,
        get_register(m, LLVMStructGetTypeAtIndex(type, i), at, &byte), i, "");
  return value;
}

// (a.., b.., c..), (address, stride), (address, d.., stride)
static LLVMValueRef emit(const Maker *m, Operation operation,
                         const TensorShape *shape, LLVMValueRef *values,
                         unsigned count, bool has_stride) {
  LLVMValueRef out = room(m), in[4] = {out, NULL, NULL, shape_number(m, shape)};
  assert(count > has_stride);
  LLVMValueRef stride = has_stride ? values[count - 1] : number(m, 32, 0);
  in[2] = in[3];
  switch (operation) {
  case OPERATION_NONE:
    break;
  case OPERATION_PRODUCT:
    in[1] = put_registers(m, values, count);
    call(m, "__gpuverify_tensor_mma", in, 3);
    break;
  case OPERATION_LOAD:
    in[1] = flat(m, values[0]);
    in[2] = stride;
    call(m, "__gpuverify_tensor_load", in, 4);
    break;
  case OPERATION_STORE:
    in[0] = put_registers(m, values + 1, count - 1 - has_stride);
    in[1] = flat(m, values[0]);
    in[2] = stride;
    call(m, "__gpuverify_tensor_store", in, 4);
    break;
  case OPERATION_SPREAD:
    in[1] = flat(m, values[0]);
    call(m, "__gpuverify_tensor_ldmatrix", in, 3);
    break;
  case OPERATION_COLLECT:
    in[0] = put_registers(m, values + 1, count - 1);
    in[1] = flat(m, values[0]);
    call(m, "__gpuverify_tensor_stmatrix", in, 3);
    break;
  }
  return out;
}

static void replace(Maker *m, LLVMValueRef of, Operation operation,
                    const TensorShape *shape, bool has_stride) {
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(
      LLVMGetBasicBlockParent(LLVMGetInstructionParent(of)));
  LLVMValueRef values[MOST_REGISTERS];
  unsigned count = LLVMGetNumArgOperands(of);
  assert(count <= MOST_REGISTERS);
  for (unsigned i = 0; i < count; i++)
    values[i] = LLVMGetOperand(of, i);
  LLVMPositionBuilderBefore(m->entry, LLVMGetFirstInstruction(entry));
  LLVMPositionBuilderBefore(m->builder, of);
  LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(of));
  LLVMValueRef out = emit(m, operation, shape, values, count, has_stride);
  if (LLVMGetTypeKind(LLVMTypeOf(of)) != LLVMVoidTypeKind)
    LLVMReplaceAllUsesWith(of, result_of(m, LLVMTypeOf(of), out));
  LLVMInstructionEraseFromParent(of);
}

void jit_change_tensors(LLVMModuleRef module) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  Maker m = {.module = module,
             .context = context,
             .builder = LLVMCreateBuilderInContext(context),
             .entry = LLVMCreateBuilderInContext(context),
             .layout = LLVMGetModuleDataLayout(module)};
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f)) {
    size_t length = 0;
    TensorShape shape = {0};
    Words words = {.count = 0};
    if (LLVMGetIntrinsicID(f)) // of LLVM's own types
      split_name(&words, LLVMGetValueName2(f, &length));
    Operation operation = operation_of(&words, &shape, false);
    LLVMUseRef use = operation ? LLVMGetFirstUse(f) : NULL;
    for (LLVMUseRef next; use; use = next) {
      next = LLVMGetNextUse(use);
      if (LLVMIsACallInst(LLVMGetUser(use)))
        replace(&m, LLVMGetUser(use), operation, &shape, has(&words, "stride"));
    }
  }
  LLVMDisposeBuilder(m.builder);
  LLVMDisposeBuilder(m.entry);
}

// ---------------------------------------------------------------- assembly ---

typedef struct Registers {
  LLVMValueRef values[MOST_REGISTERS];
  unsigned count;
} Registers;

static unsigned register_bits(TensorType type) {
  return type == TENSOR_F64 ? 64 : 32;
}

static bool add_operand(Emitter *a, Registers *to, const Operand *operand,
                        TensorType type) {
  unsigned count = operand_count(operand);
  if (count > MOST_PARTS || to->count + count > MOST_REGISTERS)
    return false;
  for (unsigned i = 0; i < count; i++)
    to->values[to->count++] =
        asm_bits(a, operand_item(operand, i), register_bits(type));
  return true;
}

static bool put_operand(Emitter *a, const Maker *m, const Operand *operand,
                        TensorType type, LLVMValueRef at) {
  unsigned count = operand_count(operand);
  uint64_t byte = 0;
  for (unsigned i = 0; i < count && i < MOST_PARTS; i++)
    asm_put_bits(a, operand_item(operand, i),
                 get_register(m, asm_int(a, register_bits(type)), at, &byte),
                 false);
  return count <= MOST_PARTS;
}

static void add_address(Emitter *a, Registers *to, const Operand *operand) {
  assert(to->count < MOST_REGISTERS);
  to->values[to->count++] =
      LLVMBuildIntToPtr(a->builder, assembly_address(a, operand),
                        LLVMPointerTypeInContext(a->context, 0), "");
}

static Maker maker_of(const Emitter *a) {
  return (Maker){.module = a->module,
                 .context = a->context,
                 .builder = a->builder,
                 .entry = a->entry,
                 .layout = LLVMGetModuleDataLayout(a->module)};
}

static bool transpose(Emitter *a, const AsmInstruction *i) {
  TensorShape shape = {.n = 1};
  Maker m = maker_of(a);
  LLVMValueRef value = asm_bits(a, &i->operands[1], 32);
  LLVMValueRef in[] = {room(&m), put_registers(&m, &value, 1),
                       shape_number(&m, &shape)};
  call(&m, "__gpuverify_tensor_movmatrix", in, 3);
  return put_operand(a, &m, &i->operands[0], TENSOR_F32, in[0]);
}

static bool is_stored(Operation operation) {
  return operation == OPERATION_STORE || operation == OPERATION_COLLECT;
}

// Which operand is the address; of a product none.
static bool add_operands(Emitter *a, const AsmInstruction *i, Registers *to,
                         Operation operation, const TensorShape *shape) {
  if (operation == OPERATION_PRODUCT)
    return i->operand_count == 4 &&
           add_operand(a, to, &i->operands[1], (TensorType)shape->a) &&
           add_operand(a, to, &i->operands[2], (TensorType)shape->b) &&
           add_operand(a, to, &i->operands[3], (TensorType)shape->c);
  if (i->operand_count < 2 || i->operand_count > 3)
    return false;
  add_address(a, to, &i->operands[!is_stored(operation)]);
  if (is_stored(operation) &&
      !add_operand(a, to, &i->operands[1], (TensorType)shape->c))
    return false;
  if (i->operand_count == 3)
    to->values[to->count++] = asm_bits(a, &i->operands[2], 32);
  return true;
}

bool assembly_tensor(Emitter *a, const AsmInstruction *i) {
  Words words = {.count = i->word_count};
  TensorShape shape = {0};
  Registers registers = {.count = 0};
  Maker m = maker_of(a);
  _Static_assert((int)ASM_WORDS <= (int)MOST_PARTS, "words fit");
  for (unsigned n = 0; n < i->word_count; n++)
    words.at[n] = i->words[n];
  if (asm_is(i, "movmatrix"))
    return i->operand_count == 2 && transpose(a, i);
  Operation operation = operation_of(&words, &shape, true);
  if (!operation || !add_operands(a, i, &registers, operation, &shape))
    return false;
  TensorType type = (TensorType)shape.d;
  if (operation == OPERATION_LOAD)
    type = (TensorType)shape.c;
  LLVMValueRef out =
      emit(&m, operation, &shape, registers.values, registers.count,
           operation != OPERATION_PRODUCT && i->operand_count == 3);
  return is_stored(operation) || put_operand(a, &m, &i->operands[0], type, out);
}
