// Images of OpenCL that a kernel writes.
//
// Each argument that is an image is an array of its own, of which a texel is
// one byte: what the hardware makes of coordinates and formats is its own
// affair, but two accesses are to one texel exactly if their coordinates are
// equal.  Of three coordinates only as many bits count as fit into an offset,
// which are more than any image has; so texels may be taken for one that are
// outside of the image, and never the other way round.
//
// An image that is only read is no array, SOUND(textures); a read of one that
// the kernel may write, too, is an access.  Mipmap levels are one image.
//
// Since OpenCL C 2.0 barriers have a flag for images (6.13.8); before, that of
// global memory was about images, too.

#include "translator/from_llvm_calls.h"

#include <string.h>

static Array *image_of(Builder *builder, LLVMValueRef image) {
  if (!LLVMIsAArgument(image))
    unsupported(builder->task, builder->loc,
                "an image that is not known to be one of the arguments");
  Array *array = image_array(builder, image);
  array->is_image = true;
  return array;
}

// The coordinate in its bits of the offset.
static Expr *placed(Builder *builder, Expr *coordinate, unsigned bits,
                    unsigned from) {
  Task *task = builder->task;
  Expr *part = coordinate->width > bits
                   ? expr_extract(task, coordinate, 0, bits)
                   : coordinate;
  Expr *wide = expr_zext(task, part, POINTER_BITS);
  return expr_mul(task, wide,
                  expr_const(task, POINTER_BITS, UINT64_C(1) << from));
}

// One, two, or three and one that does not count.
static Expr *offset_of(Builder *builder, LLVMValueRef coordinates) {
  enum { HALF = POINTER_BITS / 2, FIRST = 22, OTHERS = 21 };
  Task *task = builder->task;
  const LlvmValue *value = value_of(builder, coordinates);
  Expr *x = value->lanes[0].bits;
  if (value->count == 1)
    return placed(builder, x, HALF, 0);
  Expr *y = value->lanes[1].bits;
  if (value->count == 2)
    return expr_add(task, placed(builder, x, HALF, 0),
                    placed(builder, y, HALF - 1, HALF));
  Expr *z = value->lanes[2].bits;
  Expr *row = expr_add(task, placed(builder, x, FIRST, 0),
                       placed(builder, y, OTHERS, FIRST));
  return expr_add(task, row, placed(builder, z, OTHERS - 1, FIRST + OTHERS));
}

static void access_texel(Builder *builder, LLVMValueRef call, AccessKind kind) {
  Task *task = builder->task;
  const Array *array = image_of(builder, LLVMGetOperand(call, 0));
  Lane lane = {.base = expr_const(task, BASE_BITS, array->number),
               .bits = offset_of(builder, LLVMGetOperand(call, 1))};
  Access access = {.kind = kind, .length = bytes_constant(builder, 1)};
  add_access(builder, lane, &access);
}

void call_image_write(Builder *builder, LLVMValueRef call) {
  access_texel(builder, call, ACCESS_WRITE);
}

// The name of an overload tells what the kernel may do to the image.
static bool may_be_written(LLVMValueRef call) {
  size_t length = 0;
  const char *name = LLVMGetValueName2(called_function(call), &length);
  return strstr(name, "_rw") != NULL;
}

void call_image_read(Builder *builder, LLVMValueRef call) {
  if (may_be_written(call))
    access_texel(builder, call, ACCESS_READ);
  set_unknown(builder, call, "texel");
}

// ---------------------------------------------------------------- fences ---

// The language's version, 120 for 1.2.  What does not say it is new.
static unsigned opencl_version(const Builder *builder) {
  enum { NEW = 300 };
  static const char name[] = "opencl.ocl.version";
  LLVMValueRef version = NULL;
  LLVMModuleRef module = LLVMGetGlobalParent(builder->function);
  if (LLVMGetNamedMetadataNumOperands(module, name) != 1)
    return NEW;
  LLVMGetNamedMetadataOperands(module, name, &version);
  LLVMValueRef parts[2];
  if (LLVMGetMDNodeNumOperands(version) != 2)
    return NEW;
  LLVMGetMDNodeOperands(version, parts);
  return (unsigned)(100 * LLVMConstIntGetZExtValue(parts[0]) +
                    10 * LLVMConstIntGetZExtValue(parts[1]));
}

// Images are arrays of global memory, so one flag of a barrier is for them and
// for buffers.
void settle_image_fences(Builder *builder) {
  enum { WITH_IMAGE_FENCES = 200 };
  const Kernel *kernel = builder->kernel;
  bool has_images = false, has_buffers = false;
  for (size_t i = 0; i < kernel->arrays.count; i++) {
    const Array *array = kernel->arrays.at[i];
    has_images |= array->is_image;
    has_buffers |=
        array->space == SPACE_GLOBAL && array->is_written && !array->is_image;
  }
  if (!has_images || opencl_version(builder) < WITH_IMAGE_FENCES)
    return;
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    Stmt *stmt = kernel->stmts.at[i];
    if (stmt->kind != STMT_BARRIER ||
        stmt->barrier.orders_global == stmt->barrier.orders_images)
      continue;
    if (has_buffers)
      unsupported(builder->task, stmt->loc,
                  "a barrier that orders either images or global memory");
    stmt->barrier.orders_global = stmt->barrier.orders_images;
  }
}
