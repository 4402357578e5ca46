// Tensor cores: tiles of a matrix that a warp reads and writes together.
//
// wmma: PTX does not say which lane of the warp has which element, only that
// all fragments of one kind are laid out alike.  So every lane may read any
// line of the tiles a and b.  An element of an accumulator belongs to one lane,
// which an unknown function of its row and column names; loads and stores use
// the same function.  So two warps race if they access one tile and one of them
// writes, and a lane races that reads, without a barrier, what its warp has
// stored.
//
// All lanes have to pass the same place and the same pitch.
//
// ldmatrix, stmatrix: lane i has the address of row i, whose 16 bytes belong to
// other lanes; here lane i accesses them itself (SOUND(matrix-rows)).
//
// What is computed is anything.  Manual: PTX ISA, "Warp-Level Matrix
// Instructions".

#include "translator/from_llvm_calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INDEX_BITS = 32, ROW_BYTES = 16, LANES_OF_MATRIX = 8, WARP_LANES = 32 };

// ------------------------------------------------------------------ tiles ---

// llvm.nvvm.wmma.m16n16k16.load.a.row.stride.f16.p0
typedef struct Tile {
  unsigned rows, columns, bytes; // of an element
  bool is_row_major, is_accumulator, is_stored;
  const char *kind; // fragments of this kind have their elements alike
} Tile;

static unsigned element_bytes(const char *type) {
  static const struct {
    const char *type;
    unsigned bytes;
  } rows[] = {{"f16", 2}, {"bf16", 2}, {"tf32", 4}, {"f32", 4},
              {"f64", 8}, {"s8", 1},   {"u8", 1},   {"s32", 4}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (!strcmp(type, rows[i].type))
      return rows[i].bytes;
  return 0;
}

static bool read_name(Task *task, const char *name, Tile *tile) {
  unsigned m, n, k;
  char what[8], matrix, order[8], type[8];
  int fields = sscanf(
      name, "llvm.nvvm.wmma.m%un%uk%u.%7[a-z].%c.%7[a-z].stride.%7[a-z0-9]", &m,
      &n, &k, what, &matrix, order, type);
  if (fields != 7 || !strchr("abcd", matrix))
    return false;
  *tile =
      (Tile){.rows = matrix == 'b' ? k : m,
             .columns = matrix == 'a' ? k : n,
             .bytes = element_bytes(type),
             .is_row_major = !strcmp(order, "row"),
             .is_accumulator = strchr("cd", matrix) != NULL,
             .is_stored = !strcmp(what, "store"),
             .kind = arena_printf(&task->arena, "m%un%uk%u.%s", m, n, k, type)};
  return tile->bytes && (tile->is_stored || !strcmp(what, "load"));
}

// Any number below `end`; *guard says so.
static Expr *any_below(Builder *builder, unsigned end, const char *name,
                       Expr **guard) {
  Task *task = builder->task;
  Expr *any = builder_unknown(builder, INDEX_BITS, name);
  Expr *is_below =
      expr_binary(task, EXPR_ULT, any, expr_const(task, INDEX_BITS, end));
  *guard = expr_and(task, *guard, is_below);
  return any;
}

static Expr *scaled(Builder *builder, Expr *index, Expr *bytes) {
  return expr_mul(builder->task, expr_zext(builder->task, index, POINTER_BITS),
                  bytes);
}

static void guarded_access(Builder *builder, Lane lane, const Access *access,
                           Expr *guard) {
  size_t first = builder->kernel->stmts.count;
  add_access(builder, lane, access);
  for (size_t i = first; i < builder->kernel->stmts.count; i++) {
    Stmt *stmt = builder->kernel->stmts.at[i];
    stmt->guard = expr_and(builder->task, stmt->guard, guard);
  }
}

static Expr *is_owner(Builder *builder, const Tile *tile, Expr *row,
                      Expr *column) {
  Task *task = builder->task;
  Expr *place[] = {row, column};
  const char *function = arena_printf(&task->arena, "lane of %s", tile->kind);
  return expr_eq(task, lane_of_thread(builder),
                 expr_apply(task, function, INDEX_BITS, place, 2));
}

// One element of an accumulator, or one line of the others.
static void access_tile(Builder *builder, LLVMValueRef call, const Tile *tile) {
  Task *task = builder->task;
  LLVMValueRef pointer = LLVMGetOperand(call, 0);
  unsigned last = LLVMGetNumArgOperands(call) - 1;
  Expr *stride = expr_zext(task, scalar_of(builder, LLVMGetOperand(call, last)),
                           POINTER_BITS);
  Expr *size = bytes_constant(builder, tile->bytes);
  unsigned lines = tile->is_row_major ? tile->rows : tile->columns;
  unsigned length = tile->is_row_major ? tile->columns : tile->rows;
  Expr *guard = expr_bool(task, true);
  Expr *line = any_below(builder, lines, "line of a tile", &guard);
  Lane lane = value_of(builder, pointer)->lanes[0];
  lane.bits = expr_add(task, lane.bits,
                       scaled(builder, line, expr_mul(task, stride, size)));
  Access access = {.kind = tile->is_stored ? ACCESS_WRITE : ACCESS_READ,
                   .length = bytes_constant(builder, length * tile->bytes),
                   .is_any = true};
  if (tile->is_accumulator) {
    Expr *along = any_below(builder, length, "place in a line", &guard);
    lane.bits = expr_add(task, lane.bits, scaled(builder, along, size));
    access.length = size;
    guard = expr_and(task, guard,
                     tile->is_row_major ? is_owner(builder, tile, line, along)
                                        : is_owner(builder, tile, along, line));
  }
  guarded_access(builder, lane, &access, guard);
}

static const char *name_of_called(LLVMValueRef call) {
  size_t length = 0;
  return LLVMGetValueName2(LLVMGetCalledValue(call), &length);
}

static void forget(Builder *builder, LLVMValueRef call, const char *name) {
  if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind)
    set_unknown(builder, call, name);
}

void call_tile(Builder *builder, LLVMValueRef call) {
  const char *name = name_of_called(call);
  Tile tile;
  Barrier *meeting = add_whole_warp(builder);
  if (strstr(name, ".mma.")) {
    forget(builder, call, "product");
    return;
  }
  if (!read_name(builder->task, name, &tile))
    unsupported(builder->task, builder->loc, "a call of '%s'", name);
  add_alike(builder, meeting, LLVMGetOperand(call, 0));
  add_alike(builder, meeting,
            LLVMGetOperand(call, LLVMGetNumArgOperands(call) - 1));
  access_tile(builder, call, &tile);
  forget(builder, call, "element");
}

// ------------------------------------------------------------------- rows ---

// .m8n8.x4: the matrices are of eight rows, whose addresses the lanes have.
static void access_rows(Builder *builder, LLVMValueRef call, AccessKind kind) {
  Task *task = builder->task;
  const char *name = name_of_called(call);
  const char *number = strstr(name, ".m8n8.x");
  unsigned matrices =
      number ? (unsigned)strtoul(number + strlen(".m8n8.x"), NULL, 10) : 0;
  if (!matrices || !strstr(name, ".b16"))
    unsupported(task, builder->loc, "a call of '%s'", name);
  assume_named(builder, "matrix-rows");
  add_whole_warp(builder);
  LLVMValueRef pointer = LLVMGetOperand(call, 0);
  Access access = {.kind = kind, .length = bytes_constant(builder, ROW_BYTES)};
  Expr *end = expr_const(task, INDEX_BITS, LANES_OF_MATRIX * matrices);
  Expr *guard = LANES_OF_MATRIX * matrices < WARP_LANES
                    ? expr_binary(task, EXPR_ULT, lane_of_thread(builder), end)
                    : expr_bool(task, true);
  guarded_access(builder, value_of(builder, pointer)->lanes[0], &access, guard);
  forget(builder, call, "element");
}

void call_load_rows(Builder *builder, LLVMValueRef call) {
  access_rows(builder, call, ACCESS_READ);
}

void call_store_rows(Builder *builder, LLVMValueRef call) {
  access_rows(builder, call, ACCESS_WRITE);
}
