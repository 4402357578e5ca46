// What a thread itself wrote, or has read before, and reads again.
//
// What is read from written memory may be anything (SOUND(other-threads)).  But
// where nobody can have written the cell since the thread wrote or read it, it
// holds what it held.  We go back from a read, statement by statement: each
// access of the array is a case, in which this thread got there in the
// iteration that formulas speak of, at these bytes.  What is behind the last
// case is anything.
//
// The thread itself may have written the cell meanwhile.  What it does in the
// current iteration is passed on the way.  A loop that lies between the two, or
// is around the read alone, has to leave the array alone: that is taken for
// granted until all is translated, as what nobody writes is.  If it writes the
// array, it may be asserted to leave these bytes alone (from_llvm_apart.c).
//
// Another thread may not have, or it would race: with the earlier access, up to
// the first barrier behind that, or with the read, from the last barrier before
// it on.  So there may be one barrier between, of whatever kind, and none where
// the read is that of an annotation, which is no access.  That holds only of
// accesses whose races are looked for: not of global memory if threads of two
// blocks are left out, not if some arrays are, not of volatile accesses, and
// not of arrays to which asynchronous copies are on their way.  Where lanes are
// taken to go in step, the array has to be written by one statement alone.  Two
// writes of one value are no race, and change nothing.
//
// Where barriers say what memory contains (contents.c), what threads share is
// left to them: they follow a read past barriers, too, and want it as a symbol.
//
// What all threads read of one cell may be the same in all of them, though each
// knows something else of it (uniform.c).  So it stays a symbol, and what the
// thread knows of it is a fact.  The same goes for annotations, which speak of
// memory as others see it, too.

#include "translator/from_llvm_calls.h"
#include "translator/pair.h"

// A sort of a variable of 16 numbers at unknown indices took 7 s for 0.03 when
// there was no end of terms.
enum {
  MOST_CASES = 12,
  MOST_ACCESSES = 256, // of the array that are looked at, for one read
  MOST_TERMS = 100,    // of what is read, or it costs more than it gives
};

// What an access left there, or found there.
typedef struct Deed {
  LLVMTypeRef type; // NULL: `byte`, again and again
  const LlvmValue *value;
  Expr *byte;
} Deed;

typedef struct Case {
  Expr *condition;
  Lane value;
} Case;

typedef struct Search {
  Builder *builder;
  const Array *array;
  Expr *offset, *bytes; // of what is read
  LLVMTypeRef type;
  Lane unknown;
  bool *comes_here; // by node: there is a way to the read in one iteration
  const BasicBlock *passed; // the way from there on is known to be calm
  unsigned barriers, accesses;
  size_t forgotten; // of Builder.forgotten, those that are not yet passed
  bool is_over;     // what is before may be anything
  Vec(Case) cases;  // the last access first
} Search;

// ---------------------------------------------------------------- what is --

static void note(Builder *builder, size_t first, Deed *deed) {
  for (size_t i = first; i < builder->kernel->stmts.count; i++)
    if (builder->kernel->stmts.at[i]->kind == STMT_ACCESS)
      table_put(builder->task, &builder->deeds, builder->kernel->stmts.at[i],
                deed);
}

void reread_note(Builder *builder, size_t first, LLVMTypeRef type,
                 const LlvmValue *value) {
  Deed *deed = NEW(&builder->task->arena, Deed);
  *deed = (Deed){.type = type, .value = value};
  note(builder, first, deed);
}

void reread_note_bytes(Builder *builder, size_t first, Expr *byte) {
  Deed *deed = NEW(&builder->task->arena, Deed);
  *deed = (Deed){.byte = byte};
  note(builder, first, deed);
}

void reread_forget(Builder *builder) {
  Forgotten here = {builder->kernel->stmts.count, builder->block};
  push(&builder->task->arena, &builder->forgotten, here);
  apart_at_call(builder);
}

static bool is_own(const Array *array) { return array->space == SPACE_PRIVATE; }

// ------------------------------------------------------------------- loops ---

// Of a barrier it may be any, even of a warp.
static bool orders(const Stmt *stmt, const Array *array) {
  return !is_own(array) && barrier_orders(stmt, REACH_WARP, array->space);
}

static bool writes(const Stmt *stmt, const Array *array) {
  return stmt->kind == STMT_ACCESS && stmt->access.array == array &&
         access_writes(&stmt->access);
}

static bool disturbs(const Stmt *stmt, const Loop *loop, const Array *array) {
  if (!loop_contains(loop, stmt->block))
    return false;
  return writes(stmt, array) || orders(stmt, array);
}

static bool is_loop_disturbed(const Builder *builder, const Loop *loop,
                              const Array *array) {
  const Kernel *kernel = builder->kernel;
  for (size_t i = 0; i < kernel->stmts.count; i++)
    if (disturbs(kernel->stmts.at[i], loop, array))
      return true;
  size_t calls = is_own(array) ? builder->forgotten.count : 0;
  for (size_t i = 0; i < calls; i++)
    if (loop_contains(loop, builder->forgotten.at[i].block))
      return true;
  return false;
}

static bool is_disturbed(const Builder *builder, Calm calm) {
  const Kernel *kernel = builder->kernel;
  unsigned count = 0, copies = 0;
  if (calm.loop < kernel->loops.count)
    return is_loop_disturbed(builder, kernel->loops.at[calm.loop], calm.array);
  if (calm.loop == NO_INVARIANTS)
    return kernel->barrier_invariants.count > 0;
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    count += writes(stmt, calm.array);
    copies += writes(stmt, calm.array) && stmt->access.event;
  }
  return calm.loop == ONE_WRITE ? count > 1 : copies > 0;
}

static bool is_among(const Calms *calms, Calm calm) {
  for (size_t i = 0; i < calms->count; i++)
    if (calms->at[i].loop == calm.loop && calms->at[i].array == calm.array)
      return true;
  return false;
}

// As far as is known: the loop may not be translated yet.
static bool is_calm(Builder *builder, unsigned loop, const Array *array) {
  Calm calm = {loop, array};
  if (is_among(&builder->calm, calm))
    return true;
  if (is_among(&builder->not_calm, calm) || is_disturbed(builder, calm))
    return false;
  push(&builder->task->arena, &builder->calm, calm);
  return true;
}

void reread_check(Builder *builder) {
  for (size_t i = 0; i < builder->calm.count; i++) {
    Calm calm = builder->calm.at[i];
    if (!is_disturbed(builder, calm))
      continue;
    push(&builder->task->arena, &builder->not_calm, calm);
    builder->has_learnt = true;
  }
}

// ------------------------------------------------------------------ places ---

static unsigned node_of_block(const Builder *builder, const BasicBlock *block) {
  return builder->graph->order.at[block->index];
}

static bool *ways_to(Builder *builder, unsigned node) {
  const Graph *graph = builder->graph;
  bool *comes = arena_alloc(&builder->task->arena, graph->count);
  Numbers work = {0};
  comes[node] = true;
  push(&builder->task->arena, &work, node);
  while (work.count) {
    unsigned to = work.at[--work.count];
    for (size_t i = 0; i < graph->in[to].count; i++) {
      unsigned from = graph->in[to].at[i];
      if (comes[from] || graph_is_back_edge(graph, from, to))
        continue;
      comes[from] = true;
      push(&builder->task->arena, &work, from);
    }
  }
  return comes;
}

static bool comes_here(const Search *search, const BasicBlock *block) {
  return search->comes_here[node_of_block(search->builder, block)];
}

// The read is in the current iteration of all loops around the block.
static bool is_in_step(const Search *search, const BasicBlock *block) {
  return !block->loop || loop_contains(block->loop, search->builder->block);
}

// The read may be in another iteration of the loop than the statement before
// it, or the whole loop between the two.
static bool is_between(const Search *search, const Loop *loop,
                       const BasicBlock *block) {
  if (loop_contains(loop, search->builder->block))
    return !loop_contains(loop, block);
  return loop->header->index > block->index && comes_here(search, loop->header);
}

// It writes the array, but not these bytes.
static bool is_apart(const Search *search, unsigned loop) {
  const Apart apart = {.loop = loop,
                       .array = search->array,
                       .offset = search->offset->value,
                       .bytes = search->bytes->value,
                       .is_pointer = search->unknown.base != NULL};
  return expr_is_const(search->offset) &&
         apart_is_granted(search->builder, &apart);
}

static bool is_loop_calm(const Search *search, unsigned loop) {
  return is_calm(search->builder, loop, search->array) ||
         is_apart(search, loop);
}

static bool are_loops_calm(Search *search, const BasicBlock *block) {
  const Kernel *kernel = search->builder->kernel;
  if (search->passed == block)
    return true;
  for (size_t i = 0; i < kernel->loops.count; i++)
    if (is_between(search, kernel->loops.at[i], block) &&
        !is_loop_calm(search, kernel->loops.at[i]->index))
      return false;
  search->passed = block;
  return true;
}

// ------------------------------------------------------------------- cases ---

// It got there in this iteration; nothing, where who is here has been there.
static Expr *was_there(const Search *search, const Stmt *stmt) {
  const Builder *builder = search->builder;
  unsigned there = node_of_block(builder, stmt->block);
  unsigned here = node_of_block(builder, builder->block);
  bool is_of_block = stmt->guard == stmt->block->guard;
  if (is_of_block && graph_dominates(builder->graph, there, here))
    return expr_bool(builder->task, true);
  return stmt->guard;
}

static void add_case(Search *search, Expr *condition, Lane value) {
  if (expr_is_false(condition))
    return;
  push(&search->builder->task->arena, &search->cases,
       ((Case){condition, value}));
  if (expr_is_true(condition) || search->cases.count >= MOST_CASES)
    search->is_over = true;
}

// All of the value in one, or NULL.
static Expr *joined(Builder *builder, const Deed *deed) {
  return deed->type ? stored_bits(builder, deed->type, deed->value) : NULL;
}

static Lane part_of_bytes(const Search *search, const Deed *deed) {
  Expr *all = deed->byte;
  while (all->width < search->unknown.bits->width)
    all = expr_concat(search->builder->task, deed->byte, all);
  return (Lane){.bits = all};
}

// What is read, if it begins so many bytes behind the access.  False: it is not
// known.
static bool part_at(const Search *search, const Deed *deed, uint64_t at,
                    Lane *part) {
  Builder *builder = search->builder;
  unsigned bits = search->unknown.bits->width;
  bool is_pointer = search->unknown.base != NULL;
  if (!deed || (!deed->type && is_pointer))
    return false;
  if (!deed->type) {
    *part = part_of_bytes(search, deed);
    return true;
  }
  for (unsigned i = 0; i < deed->value->count; i++) {
    Lane lane = deed->value->lanes[i];
    LLVMTypeRef type = lane_type(builder, deed->type, i);
    if (is_pointer && type != search->type) // to another space
      continue;
    if (lane_offset(builder, deed->type, i) == at && lane.bits->width == bits &&
        (lane.base != NULL) == is_pointer) {
      *part = lane;
      return true;
    }
  }
  Expr *all = is_pointer ? NULL : joined(builder, deed);
  if (!all || 8 * at + bits > all->width)
    return false;
  *part = (Lane){
      .bits = expr_extract(builder->task, all, (unsigned)(8 * at), bits)};
  return true;
}

static Expr *overlaps(const Search *search, const Access *access) {
  Task *task = search->builder->task;
  Expr *ahead = expr_sub(task, search->offset, access->offset);
  Expr *behind = expr_sub(task, access->offset, search->offset);
  return expr_or(task, expr_binary(task, EXPR_ULT, ahead, access->length),
                 expr_binary(task, EXPR_ULT, behind, search->bytes));
}

// Where it begins is a number of bytes before the read, or not before it.
static void add_near(Search *search, const Stmt *stmt, uint64_t ahead,
                     const Deed *deed) {
  uint64_t length = stmt->access.length->value, bytes = search->bytes->value;
  Lane part = search->unknown;
  bool is_inside = ahead < length && length - ahead >= bytes;
  bool is_apart = ahead >= length && -ahead >= bytes;
  bool is_known = is_inside && part_at(search, deed, ahead, &part);
  if (!is_apart && (is_known || access_writes(&stmt->access)))
    add_case(search, was_there(search, stmt), part);
}

// Does a power of two divide it, as far as its form tells?
static bool is_multiple(const Expr *a, uint64_t of, unsigned depth) {
  if (expr_is_const(a))
    return a->value % of == 0;
  if (depth == 0)
    return false;
  if (a->op == EXPR_ADD)
    return is_multiple(a->args[0], of, depth - 1) &&
           is_multiple(a->args[1], of, depth - 1);
  return a->op == EXPR_MUL && (is_multiple(a->args[0], of, depth - 1) ||
                               is_multiple(a->args[1], of, depth - 1));
}

// Two of the same size that are aligned are the same, or have nothing in
// common.
static bool is_all_or_nothing(const Search *search, const Access *access,
                              const Expr *ahead) {
  enum { DEPTH = 8 };
  uint64_t bytes = search->bytes->value;
  return access->length == search->bytes && !(bytes & (bytes - 1)) &&
         is_multiple(ahead, bytes, DEPTH);
}

// The read is at bytes of the access alone: at the very same ones, or at some
// of many that are alike.
static Expr *begins_within(const Search *search, const Access *access,
                           Expr *ahead) {
  Task *task = search->builder->task;
  return access->length == search->bytes
             ? expr_eq(task, search->offset, access->offset)
             : expr_binary(task, EXPR_ULE, ahead,
                           expr_sub(task, access->length, search->bytes));
}

// Where it begins is another unknown.
static void add_far(Search *search, const Stmt *stmt, const Deed *deed) {
  Task *task = search->builder->task;
  const Access *access = &stmt->access;
  Expr *there = was_there(search, stmt);
  Expr *ahead = expr_sub(task, search->offset, access->offset);
  Lane part;
  bool is_known = false;
  if (access->length == search->bytes ||
      (deed && !deed->type && access->length->value > search->bytes->value))
    is_known = part_at(search, deed, 0, &part);
  if (is_known)
    add_case(search,
             expr_and(task, there, begins_within(search, access, ahead)), part);
  if (search->is_over || !access_writes(access) ||
      (is_known && is_all_or_nothing(search, access, ahead)))
    return;
  add_case(search, expr_and(task, there, overlaps(search, access)),
           search->unknown);
}

// Whose value stays until somebody races with it.  Lanes in step do not race
// with a read, and write together by the only statement that does.
static bool is_plain(const Search *search, const Access *access) {
  bool is_in_step = search->builder->kernel->options->warp_sync != 0;
  if (is_own(search->array))
    return true;
  return access->kind != ACCESS_ATOMIC && !access->is_volatile &&
         !access->is_seed && (access_writes(access) || !is_in_step);
}

static void pass_access(Search *search, const Stmt *stmt) {
  Builder *builder = search->builder;
  const Access *access = &stmt->access;
  const Deed *deed =
      is_plain(search, access) ? table_get(&builder->deeds, stmt) : NULL;
  if (!deed && !access_writes(access))
    return;
  if (++search->accesses > MOST_ACCESSES ||
      !are_loops_calm(search, stmt->block)) {
    search->is_over = true;
    return;
  }
  Expr *ahead = expr_sub(builder->task, search->offset, access->offset);
  if (access->is_any || !expr_is_const(access->length))
    search->is_over = true;
  else if (expr_is_const(ahead))
    add_near(search, stmt, ahead->value, deed);
  else
    add_far(search, stmt, deed);
}

// What calls without a body did to the thread's own memory.
static void pass_calls(Search *search, size_t stmt) {
  Builder *builder = search->builder;
  for (; search->forgotten > 0; search->forgotten--) {
    Forgotten last = builder->forgotten.at[search->forgotten - 1];
    if (last.stmt <= stmt)
      return;
    search->is_over |= is_own(search->array);
  }
}

static void pass(Search *search, const Stmt *stmt) {
  unsigned most = search->builder->is_quiet ? 0 : 1;
  if (!comes_here(search, stmt->block) || !is_in_step(search, stmt->block))
    return;
  if (orders(stmt, search->array))
    search->is_over |= ++search->barriers > most;
  else if (stmt->kind == STMT_ACCESS && stmt->access.array == search->array)
    pass_access(search, stmt);
}

static void go_back(Search *search) {
  const Kernel *kernel = search->builder->kernel;
  search->forgotten = search->builder->forgotten.count;
  for (size_t i = kernel->stmts.count; i-- > 0 && !search->is_over;) {
    pass_calls(search, i);
    if (!search->is_over)
      pass(search, kernel->stmts.at[i]);
  }
}

// ---------------------------------------------------------------- the read ---

// Would whoever writes it meanwhile race?
static bool is_guarded(Builder *builder, const Array *array) {
  const Options *options = builder->kernel->options;
  switch (array->space) {
  case SPACE_PRIVATE:
    return !array->is_made_often;
  case SPACE_SHARED:
  case SPACE_GLOBAL:
    return !options->check_arrays && !options->follows_order &&
           is_calm(builder, NO_INVARIANTS, array) &&
           (!options->warp_sync || is_calm(builder, ONE_WRITE, array)) &&
           (array->space == SPACE_SHARED || !options->only_intra_group) &&
           is_calm(builder, NO_COPIES, array);
  case SPACE_CONSTANT:
    return false;
  }
  return false;
}

static bool differs_by_thread(const Symbol *symbol) {
  switch (symbol->kind) {
  case SYMBOL_THREAD_ID:
  case SYMBOL_LOAD:
  case SYMBOL_ATOMIC:
  case SYMBOL_UNKNOWN:
    return true;
  case SYMBOL_BLOCK_ID:
  case SYMBOL_BLOCK_SIZE:
  case SYMBOL_GRID_SIZE:
  case SYMBOL_PARAMETER:
  case SYMBOL_LAUNCH:
  case SYMBOL_PHI:
  case SYMBOL_ITERATION:
    return false;
  }
  return true;
}

static bool may_be_of_all(const Search *search) {
  Symbols symbols = {0};
  if (is_own(search->array) || search->unknown.base)
    return false;
  if (search->builder->is_quiet)
    return true;
  expr_symbols(search->builder->task, search->offset, &symbols);
  for (size_t i = 0; i < symbols.count; i++)
    if (differs_by_thread(symbols.at[i]))
      return false;
  return true;
}

static bool is_large(Task *task, Lane lane) {
  Exprs terms = {0};
  expr_order(task, lane.bits, expr_map_new(task), &terms);
  return terms.count > MOST_TERMS;
}

static Lane keep_symbol(Search *search, Lane lane) {
  Builder *builder = search->builder;
  Expr *known = expr_eq(builder->task, search->unknown.bits, lane.bits);
  if (!expr_is_true(known))
    push(&builder->task->arena, &builder->reread, known);
  return search->unknown;
}

void reread_is_known(Builder *builder) {
  Kernel *kernel = builder->kernel;
  for (size_t i = 0; i < builder->reread.count; i++) {
    Stmt *stmt = NEW(&builder->task->arena, Stmt);
    *stmt = (Stmt){.kind = STMT_ASSUME,
                   .number = (unsigned)kernel->stmts.count,
                   .loc = builder->loc,
                   .block = builder->block,
                   .guard = builder->block->guard,
                   .condition = builder->reread.at[i]};
    push(&builder->task->arena, &kernel->addresses, stmt);
  }
  builder->reread.count = 0;
}

Lane reread_lane(Builder *builder, const Array *array, Expr *offset,
                 LLVMTypeRef type, Lane unknown) {
  unsigned bits = unknown.bits->width;
  if (bits % 8 || !is_guarded(builder, array))
    return unknown;
  Search search = {.builder = builder,
                   .array = array,
                   .offset = offset,
                   .bytes = bytes_constant(builder, bits / 8),
                   .type = type,
                   .unknown = unknown};
  search.comes_here = ways_to(builder, node_of_block(builder, builder->block));
  go_back(&search);
  Lane lane = unknown;
  for (size_t i = search.cases.count; i-- > 0;)
    lane = lane_ite(builder, search.cases.at[i].condition,
                    search.cases.at[i].value, lane);
  if (is_large(builder->task, lane))
    return unknown;
  return may_be_of_all(&search) ? keep_symbol(&search, lane) : lane;
}
