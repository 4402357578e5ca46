// Surface accesses, for the proof.
//
// Which bytes of which surface are accessed is told by one call, whose
// coordinates are x in bytes, y, and z, which is the layer where there are
// some.  What is read may be anything.

#include "ptx/emit.h"

enum { MOST_COORDINATES = 4, AXES = 3 };

typedef struct Shape {
  const char *word;
  unsigned coordinates;
  unsigned axes[AXES]; // of each coordinate
} Shape;

static const Shape shapes[] = {{"1d", 1, {0}},
                               {"2d", 2, {0, 1}},
                               {"3d", 3, {0, 1, 2}},
                               {"a1d", 2, {2, 0}},
                               {"a2d", 3, {2, 0, 1}}};

static const Shape *shape_of(const AsmInstruction *i) {
  for (size_t n = 0; n < sizeof shapes / sizeof *shapes; n++)
    if (asm_has(i, shapes[n].word))
      return &shapes[n];
  return NULL;
}

static const char *const boundaries[] = {"zero", "clamp", "trap"};
enum { BOUNDARIES = sizeof boundaries / sizeof *boundaries };

// By the numbers that CUDA has for them.
static unsigned boundary_of(const AsmInstruction *i) {
  unsigned n = 0;
  while (n < BOUNDARIES && !asm_has(i, boundaries[n]))
    n++;
  return n;
}

// "[$4, {$5, $6}]": the handle, then the coordinates, of which the last may
// stand there again.
static bool is_place(const Operand *operand, const Shape *shape) {
  if (!operand->is_bracketed || operand->kind != OPERAND_OTHER ||
      operand->count != 2)
    return false;
  unsigned count = operand_count(&operand->items[1]);
  return count >= shape->coordinates && count <= MOST_COORDINATES;
}

static void access(Emitter *a, const AsmInstruction *i, const Operand *value,
                   const Operand *place, const char *name) {
  const Shape *shape = shape_of(i);
  unsigned boundary = boundary_of(i);
  unsigned lanes = asm_has(i, "v2") ? 2 : asm_has(i, "v4") ? 4 : 1;
  if (!shape || boundary == BOUNDARIES || !asm_has(i, "b") || !i->type.bits ||
      operand_count(value) != lanes || !is_place(place, shape)) {
    asm_refuse(a, i->text);
    return;
  }
  LLVMValueRef zero = asm_const(a, 32, 0);
  LLVMValueRef in[] = {asm_bits(a, &place->items[0], 64),
                       zero,
                       zero,
                       zero,
                       asm_const(a, 32, lanes * i->type.bits / 8),
                       asm_const(a, 32, boundary)};
  for (unsigned n = 0; n < shape->coordinates; n++)
    in[1 + shape->axes[n]] = asm_bits(a, operand_item(&place->items[1], n), 32);
  asm_call(a, name, LLVMVoidTypeInContext(a->context), in, 6);
}

void asm_emit_read_surface(Emitter *a, const AsmInstruction *i) {
  access(a, i, &i->operands[0], &i->operands[1], "__gpuverify_surface_read");
  asm_emit_told(a, i);
}

void asm_emit_write_surface(Emitter *a, const AsmInstruction *i) {
  access(a, i, &i->operands[1], &i->operands[0], "__gpuverify_surface_write");
}
