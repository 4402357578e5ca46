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

static const Shape *shape_of(const AsmInstruction *i) {
  for (size_t n = 0; n < sizeof shapes / sizeof *shapes; n++)
    if (asm_has(i, shapes[n].word))
      return &shapes[n];
  return NULL;
}

enum { MOST_COORDINATES = 4 };

static unsigned least(const Shape *shape) {
  unsigned axes = shape->axes == TEXTURE_CUBE ? 3 : shape->axes;
  return axes + shape->is_layered;
}

// "[$4, {$5, $6}]": the handle, then the coordinates, as many as it needs at
// least; NULL: it is no such place.
static const Operand *place_of(const Operand *operand, const Shape *shape) {
  if (!operand->is_bracketed || operand->kind != OPERAND_OTHER ||
      operand->count != 2)
    return NULL;
  unsigned count = operand_count(&operand->items[1]);
  return count >= least(shape) && count <= MOST_COORDINATES ? operand->items
                                                            : NULL;
}

// ----------------------------------------------------------------- fetches ---

static LLVMValueRef coordinate(Emitter *a, const AsmInstruction *i,
                               const Operand *operand) {
  LLVMTypeRef real = LLVMDoubleTypeInContext(a->context);
  LLVMValueRef value = asm_get(a, operand, i->type);
  return asm_is_float(i->type) ? LLVMBuildFPExt(a->builder, value, real, "")
                               : LLVMBuildSIToFP(a->builder, value, real, "");
}

static bool is_fetch(const AsmInstruction *i, const Shape *shape) {
  bool is_plain =
      i->word_count == 5 ||
      (i->word_count == 6 && (asm_has(i, "level") || asm_has(i, "grad")));
  return shape && is_plain && asm_has(i, "v4") && i->to.bits == 32 &&
         i->type.bits == 32 && i->operand_count >= 2;
}

// Without mipmaps there is one level, whatever is asked for.
static bool fetch(Emitter *a, const AsmInstruction *i) {
  const Shape *shape = shape_of(i);
  const Operand *place =
      is_fetch(i, shape) ? place_of(&i->operands[1], shape) : NULL;
  if (!place || operand_count(&i->operands[0]) != 4)
    return false;
  LLVMTypeRef words = LLVMArrayType2(asm_int(a, 32), 4);
  LLVMValueRef out = LLVMBuildAlloca(a->entry, words, "");
  LLVMValueRef zero = LLVMConstReal(LLVMDoubleTypeInContext(a->context), 0);
  LLVMValueRef in[] = {out,
                       asm_bits(a, &place[0], 64),
                       asm_const(a, 32, shape->axes),
                       asm_const(a, 32, shape->is_layered),
                       shape->is_layered
                           ? asm_bits(a, operand_item(&place[1], 0), 32)
                           : asm_const(a, 32, 0),
                       zero,
                       zero,
                       zero};
  assert(least(shape) <= MOST_COORDINATES);
  for (unsigned n = 0; n < least(shape) - shape->is_layered; n++)
    in[5 + n] =
        coordinate(a, i, operand_item(&place[1], n + shape->is_layered));
  asm_call(a, "__gpuverify_texture", LLVMVoidTypeInContext(a->context), in, 8);
  for (unsigned n = 0; n < 4; n++) {
    LLVMValueRef index = asm_const(a, 32, n);
    LLVMValueRef word =
        LLVMBuildGEP2(a->builder, asm_int(a, 32), out, &index, 1, "");
    asm_put_bits(a, operand_item(&i->operands[0], n),
                 LLVMBuildLoad2(a->builder, asm_int(a, 32), word, ""), false);
  }
  return true;
}

// ---------------------------------------------------------------- surfaces ---

enum { MOST_BYTES = 16 };

static int boundary_of(const AsmInstruction *i) {
  static const char *const words[] = {"trap", "clamp", "zero"};
  for (int n = 0; n < 3; n++)
    if (asm_has(i, words[n]))
      return n;
  return -1;
}

// A place for what lies outside, which holds zero.
static LLVMValueRef nowhere(Emitter *a) {
  LLVMTypeRef type = LLVMArrayType2(asm_int(a, 8), MOST_BYTES);
  LLVMValueRef at = LLVMBuildAlloca(a->entry, type, "");
  LLVMBuildStore(a->builder, LLVMConstNull(type), at);
  return at;
}

static LLVMValueRef find(Emitter *a, const AsmInstruction *i,
                         const Operand *operand, unsigned bytes) {
  const Shape *shape = shape_of(i);
  int boundary = boundary_of(i);
  if (!shape || !shape->axes_of_surface || boundary < 0 || !asm_has(i, "b") ||
      bytes > MOST_BYTES || !place_of(operand, shape))
    return NULL;
  const Operand *place = place_of(operand, shape);
  LLVMValueRef zero = asm_const(a, 32, 0);
  LLVMValueRef in[] = {nowhere(a),
                       asm_bits(a, &place[0], 64),
                       asm_const(a, 32, shape->axes),
                       asm_const(a, 32, shape->is_layered),
                       asm_const(a, 32, bytes),
                       asm_const(a, 32, (unsigned)boundary),
                       zero,
                       zero,
                       zero,
                       zero};
  assert(least(shape) <= MOST_COORDINATES);
  for (unsigned n = 0; n < least(shape); n++)
    in[6 + n + !shape->is_layered] =
        asm_bits(a, operand_item(&place[1], n), 32);
  return asm_call(a, "__gpuverify_surface",
                  LLVMPointerTypeInContext(a->context, 0), in, 10);
}

static LLVMValueRef part_at(Emitter *a, LLVMValueRef at, unsigned bits,
                            unsigned n) {
  LLVMValueRef index = asm_const(a, 32, n);
  return LLVMBuildGEP2(a->builder, asm_int(a, bits), at, &index, 1, "");
}

static bool access_surface(Emitter *a, const AsmInstruction *i,
                           const Operand *value, const Operand *place,
                           bool is_write) {
  unsigned count = operand_count(value);
  unsigned lanes = asm_has(i, "v2") ? 2 : asm_has(i, "v4") ? 4 : 1;
  unsigned bits = i->type.bits;
  LLVMValueRef at = count == lanes ? find(a, i, place, count * bits / 8) : NULL;
  for (unsigned n = 0; at && n < count; n++) {
    LLVMValueRef part = part_at(a, at, bits, n);
    LLVMValueRef made =
        is_write
            ? LLVMBuildStore(a->builder,
                             asm_bits(a, operand_item(value, n), bits), part)
            : LLVMBuildLoad2(a->builder, asm_int(a, bits), part, "");
    LLVMSetAlignment(made, 1);
    if (!is_write)
      asm_put_bits(a, operand_item(value, n), made, false);
  }
  return at != NULL;
}

bool assembly_texture(Emitter *a, const AsmInstruction *i) {
  const char *word = i->words[0];
  if (!i->type.lanes || i->operand_count < 2 || !a->is_program)
    return false;
  if (!strcmp(word, "tex"))
    return fetch(a, i);
  if (!strcmp(word, "suld"))
    return access_surface(a, i, &i->operands[0], &i->operands[1], false);
  return !strcmp(word, "sust") &&
         access_surface(a, i, &i->operands[1], &i->operands[0], true);
}
