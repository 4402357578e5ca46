// Instructions of inline assembly that other threads see: accesses, atomics,
// fences.
//
// No asynchronous copies, which are no loads and stores: whoever looks for
// these looks for assembly.

#include "translator/from_llvm_assembly.h"

#include <stdlib.h>
#include <string.h>

static const AsmType word = {'u', 32, 1};

// ----------------------------------------------------------------- parts ---

// What the parts of an access say.
typedef struct AsmAccess {
  AsmType type;
  unsigned lanes;
  int space;         // ASM_GLOBAL, ..
  const char *scope; // LLVM's name, or NULL
  LLVMAtomicOrdering order;
  bool is_volatile;
  const char *operation; // of an atomic
} AsmAccess;

static bool read_space(const char *part, AsmAccess *access) {
  static const struct {
    const char *part;
    int space;
  } rows[] = {{"global", ASM_GLOBAL},
              {"shared", ASM_SHARED},
              {"shared::cta", ASM_SHARED},
              {"const", ASM_CONSTANT},
              {"local", ASM_LOCAL}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (!strcmp(part, rows[i].part)) {
      access->space = rows[i].space;
      return true;
    }
  return false;
}

static bool read_scope(const char *part, AsmAccess *access) {
  static const char *const rows[][2] = {
      {"cta", "block"}, {"cluster", "cluster"}, {"gpu", "device"}, {"sys", ""}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (!strcmp(part, rows[i][0])) {
      access->scope = rows[i][1];
      return true;
    }
  return false;
}

static bool read_order(const char *part, AsmAccess *access) {
  static const struct {
    const char *part;
    LLVMAtomicOrdering order;
  } rows[] = {{"relaxed", LLVMAtomicOrderingMonotonic},
              {"acquire", LLVMAtomicOrderingAcquire},
              {"release", LLVMAtomicOrderingRelease},
              {"acq_rel", LLVMAtomicOrderingAcquireRelease}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (!strcmp(part, rows[i].part)) {
      access->order = rows[i].order;
      return true;
    }
  return false;
}

// What tells caches how to work.
static bool is_hint(const char *part) {
  static const char *const hints[] = {"ca", "cg", "cs", "lu",  "cv",
                                      "wb", "wt", "nc", "weak"};
  for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
    if (!strcmp(part, hints[i]))
      return true;
  return !strncmp(part, "L1::", 4) || !strncmp(part, "L2::", 4);
}

// False: it says something that is not known.
static bool read_parts(const AsmInstruction *s, const char *operations,
                       AsmAccess *access) {
  *access = (AsmAccess){.lanes = 1, .space = ASM_GENERIC};
  for (unsigned i = 1; i < s->word_count; i++) {
    const char *part = s->words[i];
    const char *listed = strstr(operations, part);
    if (asm_type(part, &access->type))
      continue;
    if (listed && (listed == operations || listed[-1] == ' ') &&
        strchr(" ", listed[strlen(part)]))
      access->operation = part;
    else if (!strcmp(part, "v2") || !strcmp(part, "v4"))
      access->lanes = (unsigned)atoi(part + 1);
    else if (!strcmp(part, "volatile"))
      access->is_volatile = true;
    else if (!read_space(part, access) && !read_scope(part, access) &&
             !read_order(part, access) && !is_hint(part))
      return false;
  }
  return access->type.kind && access->type.kind != 'p';
}

// -------------------------------------------------------------- accesses ---

LLVMValueRef asm_address(Emitter *a, const AsmInstruction *s, size_t index,
                         int space) {
  if (index >= s->operand_count)
    return NULL;
  const Operand *operand = &s->operands[index];
  if (operand->kind != OPERAND_REGISTER || !operand->is_bracketed ||
      operand->is_negated)
    return NULL;
  LLVMTypeRef i64 = asm_int(a, 64),
              own = asm_int(a, a->slots[operand->index].bits);
  LLVMTypeRef type = LLVMPointerTypeInContext(a->context, (unsigned)space);
  LLVMValueRef pointer = a->slots[operand->index].pointer;
  LLVMValueRef offset = LLVMConstInt(i64, operand->number, true);
  if (!pointer && LLVMGetIntTypeWidth(own) < 32)
    return NULL;
  if (!pointer) {
    LLVMValueRef value =
        LLVMBuildLoad2(a->builder, own, a->slots[operand->index].at, "");
    value = LLVMBuildIntCast2(a->builder, value, i64, false, "");
    pointer = LLVMBuildIntToPtr(a->builder, value, type, "");
  }
  if (!operand->number)
    return pointer;
  return LLVMBuildGEP2(a->builder, asm_int(a, 8), pointer, &offset, 1, "");
}

// A strong vector is as many scalars, in any order.
static bool is_by_lane(const AsmAccess *access) {
  return access->lanes == 1 || access->is_volatile || access->order;
}

static unsigned scope_of(const Emitter *a, const char *name) {
  return LLVMGetSyncScopeID(a->context, name, strlen(name));
}

static void strengthen(const Emitter *a, const AsmAccess *access,
                       LLVMValueRef instruction) {
  unsigned lanes = is_by_lane(access) ? 1 : access->lanes;
  LLVMSetAlignment(instruction, access->type.bits / 8 * lanes);
  LLVMSetVolatile(instruction, access->is_volatile);
  if (!access->order)
    return;
  LLVMSetOrdering(instruction, access->order);
  LLVMSetAtomicSyncScopeID(instruction, scope_of(a, access->scope));
}

static bool fits(const AsmAccess *access) {
  bool is_single = access->type.lanes == 1;
  return is_single && !access->operation && !access->order == !access->scope;
}

static LLVMTypeRef stored_type(const Emitter *a, const AsmAccess *access) {
  LLVMTypeRef lane = asm_int(a, access->type.bits);
  return access->lanes == 1 ? lane : LLVMVectorType(lane, access->lanes);
}

// What is read or written has the bits of its type, whatever these mean.
static AsmType bits_of(AsmType type) {
  return (AsmType){type.kind == 's' ? 's' : 'u', type.bits, 1};
}

static const Operand *lane(const Operand *operand, const AsmAccess *access,
                           unsigned index) {
  if (access->lanes == 1)
    return operand;
  return operand->kind == OPERAND_LIST && operand->count == access->lanes
             ? &operand->items[index]
             : NULL;
}

static LLVMValueRef index_of(const Emitter *a, unsigned index) {
  return LLVMConstInt(asm_int(a, 32), index, false);
}

static LLVMValueRef lane_address(const Emitter *a, const AsmAccess *access,
                                 LLVMValueRef at, unsigned index) {
  LLVMValueRef by = index_of(a, index);
  return index ? LLVMBuildGEP2(a->builder, asm_int(a, access->type.bits), at,
                               &by, 1, "")
               : at;
}

static LLVMValueRef load_at(const Emitter *a, const AsmAccess *access,
                            LLVMTypeRef type, LLVMValueRef at) {
  LLVMValueRef value = LLVMBuildLoad2(a->builder, type, at, "");
  strengthen(a, access, value);
  return value;
}

static bool emit_load(Emitter *a, const AsmInstruction *s) {
  AsmAccess access;
  if (!read_parts(s, "", &access) || !fits(&access))
    return false;
  LLVMValueRef at = asm_address(a, s, 1, access.space), all = NULL;
  LLVMTypeRef type = asm_int(a, access.type.bits);
  if (!at)
    return false;
  if (!is_by_lane(&access))
    all = load_at(a, &access, stored_type(a, &access), at);
  for (unsigned i = 0; i < access.lanes; i++) {
    const Operand *to = lane(&s->operands[0], &access, i);
    LLVMValueRef own =
        all ? LLVMBuildExtractElement(a->builder, all, index_of(a, i), "")
            : load_at(a, &access, type, lane_address(a, &access, at, i));
    if (!to || !maker_put(a, to, bits_of(access.type), own))
      return false;
  }
  return true;
}

static bool emit_store(Emitter *a, const AsmInstruction *s) {
  AsmAccess access;
  if (!read_parts(s, "", &access) || !fits(&access) || s->operand_count < 2)
    return false;
  LLVMValueRef at = asm_address(a, s, 0, access.space);
  LLVMValueRef value = LLVMGetPoison(stored_type(a, &access));
  if (!at)
    return false;
  for (unsigned i = 0; i < access.lanes; i++) {
    const Operand *from = lane(&s->operands[1], &access, i);
    AsmType type = from && from->kind == OPERAND_NUMBER ? access.type
                                                        : bits_of(access.type);
    LLVMValueRef own = from ? maker_get(a, from, type) : NULL;
    if (!own)
      return false;
    own = LLVMBuildBitCast(a->builder, own, asm_int(a, type.bits), "");
    if (is_by_lane(&access))
      strengthen(
          a, &access,
          LLVMBuildStore(a->builder, own, lane_address(a, &access, at, i)));
    else
      value =
          LLVMBuildInsertElement(a->builder, value, own, index_of(a, i), "");
  }
  if (!is_by_lane(&access))
    strengthen(a, &access, LLVMBuildStore(a->builder, value, at));
  return true;
}

// --------------------------------------------------------------- atomics ---

static bool operation_of(const AsmAccess *access,
                         LLVMAtomicRMWBinOp *operation) {
  bool is_signed = access->type.kind == 's';
  bool is_float = asm_is_float(access->type);
  static const struct {
    const char *name;
    LLVMAtomicRMWBinOp of_signed, of_unsigned;
  } rows[] = {
      {"add", LLVMAtomicRMWBinOpAdd, LLVMAtomicRMWBinOpAdd},
      {"min", LLVMAtomicRMWBinOpMin, LLVMAtomicRMWBinOpUMin},
      {"max", LLVMAtomicRMWBinOpMax, LLVMAtomicRMWBinOpUMax},
      {"and", LLVMAtomicRMWBinOpAnd, LLVMAtomicRMWBinOpAnd},
      {"or", LLVMAtomicRMWBinOpOr, LLVMAtomicRMWBinOpOr},
      {"xor", LLVMAtomicRMWBinOpXor, LLVMAtomicRMWBinOpXor},
      {"exch", LLVMAtomicRMWBinOpXchg, LLVMAtomicRMWBinOpXchg},
      {"inc", LLVMAtomicRMWBinOpUIncWrap, LLVMAtomicRMWBinOpUIncWrap},
      {"dec", LLVMAtomicRMWBinOpUDecWrap, LLVMAtomicRMWBinOpUDecWrap},
  };
  *operation = LLVMAtomicRMWBinOpFAdd;
  if (is_float)
    return !strcmp(access->operation, "add") && access->type.bits >= 32;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (!strcmp(access->operation, rows[i].name)) {
      *operation = is_signed ? rows[i].of_signed : rows[i].of_unsigned;
      return true;
    }
  return false;
}

static LLVMValueRef compare_and_swap(Emitter *a, const AsmAccess *access,
                                     LLVMValueRef at, LLVMValueRef expected,
                                     LLVMValueRef value) {
  LLVMAtomicOrdering order = access->order, failure = order;
  if (failure == LLVMAtomicOrderingRelease)
    failure = LLVMAtomicOrderingMonotonic;
  if (failure == LLVMAtomicOrderingAcquireRelease)
    failure = LLVMAtomicOrderingAcquire;
  LLVMValueRef both =
      LLVMBuildAtomicCmpXchgSyncScope(a->builder, at, expected, value, order,
                                      failure, scope_of(a, access->scope));
  return LLVMBuildExtractValue(a->builder, both, 0, "");
}

// atom d, [at], b{, c} and red [at], b.  Without an order it is relaxed,
// without a scope that of the GPU.
static bool emit_atomic(Emitter *a, const AsmInstruction *s) {
  AsmAccess access;
  LLVMAtomicRMWBinOp operation;
  size_t first = asm_is(s, "red") ? 0 : 1;
  if (!read_parts(s, "add min max and or xor exch inc dec cas", &access) ||
      !access.operation || access.lanes != 1 || access.type.lanes != 1 ||
      access.type.bits < 32 || access.is_volatile)
    return false;
  access.scope = access.scope ? access.scope : "device";
  access.order = access.order ? access.order : LLVMAtomicOrderingMonotonic;
  bool is_swap = !strcmp(access.operation, "cas");
  if (s->operand_count < first + (is_swap ? 3 : 2))
    return false;
  LLVMValueRef at = asm_address(a, s, first, access.space);
  LLVMValueRef b = maker_get(a, &s->operands[first + 1], access.type);
  LLVMValueRef c =
      is_swap ? maker_get(a, &s->operands[first + 2], access.type) : NULL;
  if (!at || !b || (is_swap && !c))
    return false;
  if (!is_swap && !operation_of(&access, &operation))
    return false;
  LLVMValueRef old = is_swap ? compare_and_swap(a, &access, at, b, c)
                             : LLVMBuildAtomicRMWSyncScope(
                                   a->builder, operation, at, b, access.order,
                                   scope_of(a, access.scope));
  return !first || maker_put(a, &s->operands[0], access.type, old);
}

// ---------------------------------------------------------------- fences ---

static LLVMTypeRef nothing(const Emitter *a) {
  return LLVMVoidTypeInContext(a->context);
}

static bool emit_fence(Emitter *a, const AsmInstruction *s) {
  static const char *const rows[][2] = {{"cta", "llvm.nvvm.membar.cta"},
                                        {"gl", "llvm.nvvm.membar.gl"},
                                        {"gpu", "llvm.nvvm.membar.gl"},
                                        {"sys", "llvm.nvvm.membar.sys"}};
  bool is_old = asm_is(s, "membar");
  if (!is_old && !asm_has(s, "sc") && !asm_has(s, "acq_rel"))
    return false;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (asm_has(s, rows[i][0])) {
      asm_call(a, rows[i][1], nothing(a), NULL, 0);
      return s->word_count == (is_old ? 2u : 3u);
    }
  return false;
}

// ---------------------------------------------------------------- others ---

static bool emit_nothing(Emitter *a, const AsmInstruction *s) {
  (void)a, (void)s;
  return true;
}

// The address of the same place in another space, which is another number but
// in that of global memory.
static LLVMValueRef changed_space(Emitter *a, LLVMValueRef address, int from,
                                  int to) {
  LLVMTypeRef type = LLVMTypeOf(address);
  LLVMTypeRef own = LLVMPointerTypeInContext(a->context, (unsigned)from);
  LLVMTypeRef other = LLVMPointerTypeInContext(a->context, (unsigned)to);
  address = LLVMBuildIntToPtr(a->builder, address, own, "");
  address = LLVMBuildAddrSpaceCast(a->builder, address, other, "");
  return LLVMBuildPtrToInt(a->builder, address, type, "");
}

static bool emit_cvta(Emitter *a, const AsmInstruction *s) {
  AsmType type = s->type;
  AsmAccess access = {.space = ASM_GLOBAL};
  for (unsigned i = 1; i < s->word_count; i++)
    if (!read_space(s->words[i], &access) &&
        !strcmp(s->words[i], "shared::cluster"))
      access.space = ASM_SHARED;
  LLVMValueRef value = s->operand_count == 2 && type.kind
                           ? maker_get(a, &s->operands[1], type)
                           : NULL;
  if (value && access.space != ASM_GLOBAL)
    value = asm_has(s, "to")
                ? changed_space(a, value, ASM_GENERIC, access.space)
                : changed_space(a, value, access.space, ASM_GENERIC);
  return maker_put(a, &s->operands[0], type, value);
}

static bool emit_sleep(Emitter *a, const AsmInstruction *s) {
  LLVMValueRef time =
      s->operand_count ? maker_get(a, &s->operands[0], word) : NULL;
  if (time)
    asm_call(a, "llvm.nvvm.nanosleep", nothing(a), &time, 1);
  return time != NULL;
}

static bool emit_trap(Emitter *a, const AsmInstruction *s) {
  (void)s;
  asm_call(a, "llvm.trap", nothing(a), NULL, 0);
  return true;
}

AsmEmit *asm_emit_memory(const char *opcode) {
  static const struct {
    const char *opcode;
    AsmEmit *emit;
  } rows[] = {
      {"ld", emit_load},          {"ldu", emit_load},
      {"st", emit_store},         {"atom", emit_atomic},
      {"red", emit_atomic},       {"membar", emit_fence},
      {"fence", emit_fence},      {"cvta", emit_cvta},
      {"trap", emit_trap},        {"nanosleep", emit_sleep},
      {"prefetch", emit_nothing}, {"prefetchu", emit_nothing},
      {"brkpt", emit_nothing},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (!strcmp(rows[i].opcode, opcode))
      return rows[i].emit;
  return NULL;
}
