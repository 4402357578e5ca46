// Texture fetches and surface accesses of inline assembly, as clang's headers
// have them.
//
// A fetch asks texture.c for four words.  Of a surface texture.c says where
// something lies, and what is read or written there is a load or store.

#include "runtime/jit/assembly.h"

#include <assert.h>
#include <string.h>

typedef struct Shape {
  const char *word;
  unsigned axes;
  bool is_layered;
  unsigned axes_of_surface; // a cube is its faces there; 0: none
} Shape;

static const Shape shapes[] = {{"1d", 1, false, 1},
                               {"2d", 2, false, 2},
                               {"3d", 3, false, 3},
                               {"a1d", 1, true, 1},
                               {"a2d", 2, true, 2},
                               {"cube", TEXTURE_CUBE, false, 0},
                               {"acube", TEXTURE_CUBE, true, 0}};

static const Shape *shape_of(const PtxInstruction *i) {
  for (size_t n = 0; n < sizeof shapes / sizeof *shapes; n++)
    if (ptx_has(i, shapes[n].word))
      return &shapes[n];
  return NULL;
}

enum { MOST_COORDINATES = 4 };

// "[$4, {$5, $6}]": the handle, then the coordinates; how many.
static unsigned coordinates(Assembly *a, const char *operand,
                            const char **handle, const char **at) {
  const char *parts[2];
  size_t length = strlen(operand);
  if (*operand != '[' || operand[length - 1] != ']')
    return 0;
  unsigned count = ptx_parts(
      a->arena, arena_printf(a->arena, "{%.*s}", (int)length - 2, operand + 1),
      parts, 2);
  if (count != 2)
    return 0;
  *handle = parts[0];
  count = ptx_parts(a->arena, parts[1], at, MOST_COORDINATES);
  return count <= MOST_COORDINATES ? count : 0;
}

static unsigned least(const Shape *shape) {
  unsigned axes = shape->axes == TEXTURE_CUBE ? 3 : shape->axes;
  return axes + shape->is_layered;
}

// ----------------------------------------------------------------- fetches ---

static LLVMValueRef coordinate(Assembly *a, const PtxInstruction *i,
                               const char *operand) {
  LLVMTypeRef real = LLVMDoubleTypeInContext(a->context);
  LLVMValueRef value = assembly_get(a, operand, i->type);
  return ptx_is_float(i->type) ? LLVMBuildFPExt(a->builder, value, real, "")
                               : LLVMBuildSIToFP(a->builder, value, real, "");
}

static bool is_fetch(const PtxInstruction *i, const Shape *shape) {
  bool is_plain =
      i->word_count == 5 ||
      (i->word_count == 6 && (ptx_has(i, "level") || ptx_has(i, "grad")));
  return shape && is_plain && ptx_has(i, "v4") && i->to.bits == 32 &&
         i->type.bits == 32 && i->operand_count >= 2;
}

// Without mipmaps there is one level, whatever is asked for.
static bool fetch(Assembly *a, const PtxInstruction *i) {
  const Shape *shape = shape_of(i);
  const char *handle, *at[MOST_COORDINATES], *parts[4];
  if (!is_fetch(i, shape) ||
      coordinates(a, i->operands[1], &handle, at) < least(shape) ||
      ptx_parts(a->arena, i->operands[0], parts, 4) != 4)
    return false;
  LLVMTypeRef words = LLVMArrayType2(assembly_int(a, 32), 4);
  LLVMValueRef out = LLVMBuildAlloca(a->entry, words, "");
  LLVMValueRef zero = LLVMConstReal(LLVMDoubleTypeInContext(a->context), 0);
  LLVMValueRef in[] = {out,
                       assembly_bits(a, handle, 64),
                       assembly_number(a, 32, shape->axes),
                       assembly_number(a, 32, shape->is_layered),
                       shape->is_layered ? assembly_bits(a, at[0], 32)
                                         : assembly_number(a, 32, 0),
                       zero,
                       zero,
                       zero};
  assert(least(shape) <= MOST_COORDINATES);
  for (unsigned n = 0; n < least(shape) - shape->is_layered; n++)
    in[5 + n] = coordinate(a, i, at[n + shape->is_layered]);
  assembly_call(a, "__gpuverify_texture", LLVMVoidTypeInContext(a->context), in,
                8);
  for (unsigned n = 0; n < 4; n++) {
    LLVMValueRef index = assembly_number(a, 32, n);
    LLVMValueRef word =
        LLVMBuildGEP2(a->builder, assembly_int(a, 32), out, &index, 1, "");
    assembly_put_bits(a, parts[n],
                      LLVMBuildLoad2(a->builder, assembly_int(a, 32), word, ""),
                      false);
  }
  return true;
}

// ---------------------------------------------------------------- surfaces ---

enum { MOST_BYTES = 16 };

static int boundary_of(const PtxInstruction *i) {
  static const char *const words[] = {"trap", "clamp", "zero"};
  for (int n = 0; n < 3; n++)
    if (ptx_has(i, words[n]))
      return n;
  return -1;
}

// A place for what lies outside, which holds zero.
static LLVMValueRef nowhere(Assembly *a) {
  LLVMTypeRef type = LLVMArrayType2(assembly_int(a, 8), MOST_BYTES);
  LLVMValueRef at = LLVMBuildAlloca(a->entry, type, "");
  LLVMBuildStore(a->builder, LLVMConstNull(type), at);
  return at;
}

static LLVMValueRef find(Assembly *a, const PtxInstruction *i,
                         const char *operand, unsigned bytes) {
  const Shape *shape = shape_of(i);
  const char *handle, *at[MOST_COORDINATES];
  int boundary = boundary_of(i);
  if (!shape || !shape->axes_of_surface || boundary < 0 || !ptx_has(i, "b") ||
      bytes > MOST_BYTES || coordinates(a, operand, &handle, at) < least(shape))
    return NULL;
  LLVMValueRef zero = assembly_number(a, 32, 0);
  LLVMValueRef in[] = {nowhere(a),
                       assembly_bits(a, handle, 64),
                       assembly_number(a, 32, shape->axes),
                       assembly_number(a, 32, shape->is_layered),
                       assembly_number(a, 32, bytes),
                       assembly_number(a, 32, (unsigned)boundary),
                       zero,
                       zero,
                       zero,
                       zero};
  assert(least(shape) <= MOST_COORDINATES);
  for (unsigned n = 0; n < least(shape); n++)
    in[6 + n + !shape->is_layered] = assembly_bits(a, at[n], 32);
  return assembly_call(a, "__gpuverify_surface",
                       LLVMPointerTypeInContext(a->context, 0), in, 10);
}

static LLVMValueRef part_at(Assembly *a, LLVMValueRef at, unsigned bits,
                            unsigned n) {
  LLVMValueRef index = assembly_number(a, 32, n);
  return LLVMBuildGEP2(a->builder, assembly_int(a, bits), at, &index, 1, "");
}

static bool access_surface(Assembly *a, const PtxInstruction *i,
                           const char *value, const char *place,
                           bool is_write) {
  const char *parts[4];
  unsigned count = ptx_parts(a->arena, value, parts, 4);
  unsigned lanes = ptx_has(i, "v2") ? 2 : ptx_has(i, "v4") ? 4 : 1;
  unsigned bits = i->type.bits;
  LLVMValueRef at = count == lanes ? find(a, i, place, count * bits / 8) : NULL;
  for (unsigned n = 0; at && n < count; n++) {
    LLVMValueRef part = part_at(a, at, bits, n);
    LLVMValueRef made =
        is_write
            ? LLVMBuildStore(a->builder, assembly_bits(a, parts[n], bits), part)
            : LLVMBuildLoad2(a->builder, assembly_int(a, bits), part, "");
    LLVMSetAlignment(made, 1);
    if (!is_write)
      assembly_put_bits(a, parts[n], made, false);
  }
  return at != NULL;
}

bool assembly_texture(Assembly *a, const PtxInstruction *i) {
  const char *word = i->words[0];
  if (!i->type.lanes || i->operand_count < 2 || !a->is_program)
    return false;
  if (!strcmp(word, "tex"))
    return fetch(a, i);
  if (!strcmp(word, "suld"))
    return access_surface(a, i, i->operands[0], i->operands[1], false);
  return !strcmp(word, "sust") &&
         access_surface(a, i, i->operands[1], i->operands[0], true);
}
