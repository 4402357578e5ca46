// --dump=kernel and --dump=pair: what the verifier makes of a kernel, for
// people.
//
// The kernel is one thread's program: arrays, parameters, loops with what they
// carry, basic blocks with guards, statements with places.  The pair program is
// the list of obligations, each with the two statements it is about, the facts
// that have to do with it and what would violate it.  Subterms that occur more
// than once are named above their facts, v1, v2, ...

#include "translator/expr.h"

#include <assert.h>
#include <string.h>

enum { PLACE_COLUMN = 56, LEAST_SHARED = 4, MOST_INLINE = 40 };

// ---------------------------------------------------------------- pieces ---

static const char *place(Task *task, Loc loc) {
  if (loc.line == 0)
    return "";
  const char *folder = loc.file ? strrchr(loc.file, '/') : NULL;
  return arena_printf(&task->arena, "%s:%u:%u",
                      folder     ? folder + 1
                      : loc.file ? loc.file
                                 : "?",
                      loc.line, loc.column);
}

// Values without a name in the source are told apart by number:
// "loaded value$1" is loaded_value#7$1.
static const char *symbol_text(Task *task, const Symbol *symbol) {
  if (symbol->kind != SYMBOL_LOAD && symbol->kind != SYMBOL_ATOMIC &&
      symbol->kind != SYMBOL_UNKNOWN)
    return NULL;
  size_t length = strcspn(symbol->name, "$");
  const Symbol *original = symbol->original ? symbol->original : symbol;
  char *text =
      arena_printf(&task->arena, "%.*s#%u%s", (int)length, symbol->name,
                   original->number, symbol->name + length);
  for (char *c = text; *c; c++)
    if (*c == ' ')
      *c = '_';
  return text;
}

typedef struct Names {
  Task *task;
  Exprs shared; // v1, v2, ...
} Names;

static const char *name_of(const Expr *e, void *data) {
  const Names *names = data;
  if (e->op == EXPR_SYMBOL)
    return symbol_text(names->task, e->symbol);
  size_t at = expr_find(&names->shared, e);
  return at == SIZE_MAX ? NULL
                        : arena_printf(&names->task->arena, "v%zu", at + 1);
}

static char *text_named(Task *task, Names *names, const Expr *e) {
  const char *name = e->op == EXPR_SYMBOL ? symbol_text(task, e->symbol) : NULL;
  if (name)
    return arena_copy(&task->arena, name);
  ExprNaming naming = {name_of, names};
  return expr_text_named(task, e, &naming);
}

static char *text_of(Task *task, const Expr *e) {
  Names names = {.task = task};
  return text_named(task, &names, e);
}

// A line with its place in the source, in a column if there is room.
static void print_at(Task *task, FILE *out, Loc loc, const char *text) {
  if (loc.line == 0)
    fprintf(out, "%s\n", text);
  else
    fprintf(out, "%-*s  %s\n", PLACE_COLUMN, text, place(task, loc));
}

static const char *space_name(Space space) {
  switch (space) {
  case SPACE_GLOBAL:
    return "global";
  case SPACE_SHARED:
    return "shared";
  case SPACE_CONSTANT:
    return "constant";
  case SPACE_PRIVATE:
    return "private";
  }
  assert(false && "a space");
  return "";
}

const char *access_name(AccessKind kind) {
  switch (kind) {
  case ACCESS_READ:
    return "read";
  case ACCESS_WRITE:
    return "write";
  case ACCESS_ATOMIC:
    return "atomic";
  }
  assert(false && "an access");
  return "";
}

static const char *barrier_name(BarrierKind kind) {
  switch (kind) {
  case BARRIER_BLOCK:
    return "barrier of the block";
  case BARRIER_WARP:
    return "barrier of the warp";
  case BARRIER_COPY:
    return "start of an asynchronous copy";
  case BARRIER_EVENT:
    return "wait for asynchronous copies";
  case BARRIER_GRID:
    return "barrier of the grid";
  case BARRIER_LANES:
    return "exchange of a warp";
  case BARRIER_SUB_GROUP:
    return "exchange of a sub-group";
  }
  assert(false && "a barrier");
  return "";
}

static const char *obligation_name(ObligationKind kind) {
  switch (kind) {
  case OBLIGATION_RACE:
    return "race";
  case OBLIGATION_DIVERGENCE:
    return "divergence";
  case OBLIGATION_ASSERTION:
    return "assertion";
  case OBLIGATION_BOUNDS:
    return "bounds";
  case OBLIGATION_INVARIANT:
    return "invariant";
  case OBLIGATION_CANDIDATE:
    return "candidate";
  }
  assert(false && "an obligation");
  return "";
}

static const char *op_text(Task *task, const Access *access) {
  switch (access->op) {
  case ATOMIC_ANY:
    break;
  case ATOMIC_ADD:
    return "+=";
  case ATOMIC_INCREMENT:
    return arena_printf(&task->arena, "+1, or 0 from there on:");
  case ATOMIC_OR:
    return "|=";
  case ATOMIC_EXCHANGE:
    return "=";
  case ATOMIC_COMPARE:
    return arena_printf(&task->arena,
                        "if %s, =", text_of(task, access->expected));
  }
  return "";
}

// "x = read tile[4 * i .. +4]"
static char *access_text(Task *task, const Access *access) {
  Arena *arena = &task->arena;
  char *text =
      arena_printf(arena, "%s %s[%s .. +%s]", access_name(access->kind),
                   access->array->name, text_of(task, access->offset),
                   access->length ? text_of(task, access->length) : "?");
  if (access->kind == ACCESS_WRITE && access->value)
    text = arena_printf(arena, "%s = %s", text, text_of(task, access->value));
  if (access->operand)
    text = arena_printf(arena, "%s %s %s", text, op_text(task, access),
                        text_of(task, access->operand));
  if (access->result)
    text = arena_printf(arena, "%s = %s", text_of(task, access->result->expr),
                        text);
  return text;
}

static char *barrier_text(Task *task, const Barrier *barrier) {
  bool one_space = barrier->kind == BARRIER_BLOCK &&
                   barrier->orders_shared != barrier->orders_global;
  return arena_printf(&task->arena, "%s%s%s%s", barrier_name(barrier->kind),
                      barrier->mask ? ", mask " : "",
                      barrier->mask ? text_of(task, barrier->mask) : "",
                      !one_space               ? ""
                      : barrier->orders_shared ? ", orders shared memory"
                                               : ", orders global memory");
}

static char *stmt_text(Task *task, const Stmt *stmt) {
  const char *message = stmt->message ? stmt->message : "";
  const char *dash = stmt->message ? "  -- " : "";
  switch (stmt->kind) {
  case STMT_ACCESS:
    return access_text(task, &stmt->access);
  case STMT_BARRIER:
    return barrier_text(task, &stmt->barrier);
  case STMT_ASSUME:
    return arena_printf(&task->arena, "assume %s%s%s",
                        text_of(task, stmt->condition), dash, message);
  case STMT_ASSERT:
    return arena_printf(&task->arena, "assert %s%s%s",
                        text_of(task, stmt->condition), dash, message);
  case STMT_CLAIM:
    return arena_printf(&task->arena, "claim %s%s%s",
                        text_of(task, stmt->condition), dash, message);
  case STMT_LOOK:
    return arena_printf(&task->arena, "look: %s",
                        access_text(task, &stmt->access));
  case STMT_FENCE:
    return arena_copy(&task->arena, "fence");
  }
  assert(false && "a statement");
  return "";
}

// ---------------------------------------------------------------- kernel ---

static const char *extent_text(Task *task, Extent extent) {
  return extent.known ? arena_printf(&task->arena, "%u", extent.value) : "any";
}

static void dump_extents(Task *task, const char *what, const Extent extents[3],
                         FILE *out) {
  fprintf(out, "  %s %s x %s x %s\n", what, extent_text(task, extents[0]),
          extent_text(task, extents[1]), extent_text(task, extents[2]));
}

static void dump_array(Task *task, const Array *array, FILE *out) {
  char *text =
      arena_printf(&task->arena, "    %-16s %s, %s bytes%s", array->name,
                   space_name(array->space),
                   array->bytes ? text_of(task, array->bytes) : "any number of",
                   array->is_written ? ", written" : "");
  print_at(task, out, array->loc, text);
}

static void dump_exprs(Task *task, const char *heading, const Exprs *exprs,
                       FILE *out) {
  if (exprs->count)
    fprintf(out, "  %s\n", heading);
  for (size_t i = 0; i < exprs->count; i++)
    fprintf(out, "    %s\n", text_of(task, exprs->at[i]));
}

static void dump_head(Task *task, const Kernel *kernel, FILE *out) {
  print_at(task, out, kernel->loc,
           arena_printf(&task->arena, "kernel %s",
                        kernel->source ? kernel->source : kernel->name));
  dump_extents(task, "block", kernel->launch.block, out);
  dump_extents(task, "grid ", kernel->launch.grid, out);
  if (kernel->arrays.count)
    fprintf(out, "  arrays\n");
  for (size_t i = 0; i < kernel->arrays.count; i++)
    dump_array(task, kernel->arrays.at[i], out);
  bool has_scalars = false;
  for (size_t i = 0; i < kernel->parameters.count; i++)
    has_scalars |= kernel->parameters.at[i] != NULL;
  if (has_scalars)
    fprintf(out, "  scalars\n");
  for (size_t i = 0; i < kernel->parameters.count; i++)
    if (kernel->parameters.at[i])
      fprintf(out, "    %-16s %u bits\n", kernel->parameters.at[i]->name,
              kernel->parameters.at[i]->width);
  dump_exprs(task, "facts", &kernel->facts, out);
}

static void dump_part(Task *task, const char *what, const Expr *e, FILE *out) {
  if (e)
    fprintf(out, "      %-8s %s\n", what, text_of(task, e));
}

static void dump_loop(Task *task, const Loop *loop, FILE *out) {
  const char *inside = loop->parent ? arena_printf(&task->arena, " in loop %u",
                                                   loop->parent->index)
                                    : "";
  print_at(task, out, loop->loc,
           arena_printf(&task->arena, "  loop %u%s, at block %u", loop->index,
                        inside, loop->header->index));
  fprintf(out, "    entered if  %s\n", text_of(task, loop->entry));
  fprintf(out, "    repeats if  %s\n", text_of(task, loop->again));
  dump_part(task, "rounds", loop->rounds, out);
  for (size_t i = 0; i < loop->phis.count; i++) {
    const Symbol *phi = loop->phis.at[i];
    fprintf(out, "    %s%s\n", phi->name,
            phi->is_block_uniform ? ", equal in a block's threads" : "");
    dump_part(task, "first", phi->init, out);
    dump_part(task, "then", phi->next, out);
    dump_part(task, "so", phi->closed, out);
  }
  for (size_t i = 0; i < loop->invariants.count; i++)
    fprintf(out, "    invariant   %s\n", text_of(task, loop->invariants.at[i]));
}

static void dump_block(Task *task, const BasicBlock *block, FILE *out) {
  fprintf(out, "  block %u", block->index);
  if (block->loop)
    fprintf(out, " in loop %u", block->loop->index);
  if (!expr_is_true(block->guard))
    fprintf(out, "   if %s", text_of(task, block->guard));
  fprintf(out, "\n");
  for (size_t i = 0; i < block->stmts.count; i++) {
    const Stmt *stmt = block->stmts.at[i];
    char *text = arena_printf(&task->arena, "  %4u: %s", stmt->number,
                              stmt_text(task, stmt));
    if (stmt->guard != block->guard)
      text = arena_printf(&task->arena, "%s   if %s", text,
                          text_of(task, stmt->guard));
    print_at(task, out, stmt->loc, text);
  }
}

void dump_kernel(Task *task, const Kernel *kernel, FILE *out) {
  dump_head(task, kernel, out);
  for (size_t i = 0; i < kernel->loops.count; i++)
    dump_loop(task, kernel->loops.at[i], out);
  for (size_t i = 0; i < kernel->blocks.count; i++)
    if (kernel->blocks.at[i]->stmts.count)
      dump_block(task, kernel->blocks.at[i], out);
  if (kernel->exit)
    fprintf(out, "  ends if  %s\n", text_of(task, kernel->exit));
  for (size_t i = 0; i < kernel->assumptions.count; i++)
    fprintf(out, "  assumes  %s\n", kernel->assumptions.at[i]);
  fprintf(out, "\n");
}

// ------------------------------------------------------------------ pair ---

// a && b && c as three.
static Exprs conjuncts_of(Task *task, Expr *e) {
  Exprs conjuncts = {0};
  for (; e->op == EXPR_AND && e->width == 1; e = e->args[0])
    push(&task->arena, &conjuncts, e->args[1]);
  push(&task->arena, &conjuncts, e);
  for (size_t i = 0, j = conjuncts.count - 1; i < j; i++, j--) {
    Expr *swap = conjuncts.at[i];
    conjuncts.at[i] = conjuncts.at[j];
    conjuncts.at[j] = swap;
  }
  return conjuncts;
}

static void dump_list(Task *task, Names *names, const Exprs *exprs, FILE *out) {
  for (size_t i = 0; i < exprs->count; i++)
    fprintf(out, "    %s\n", text_named(task, names, exprs->at[i]));
}

static void dump_formulas(Task *task, const Obligation *obligation, FILE *out) {
  Exprs facts = obligation_facts(task, obligation), roots = {0};
  Exprs conjuncts = conjuncts_of(task, obligation->violation);
  exprs_add(task, &facts, &roots);
  exprs_add(task, &conjuncts, &roots);
  Names names = {task, expr_shared(task, &roots, LEAST_SHARED, MOST_INLINE)};
  if (names.shared.count)
    fprintf(out, "  let\n");
  for (size_t i = 0; i < names.shared.count; i++)
    fprintf(out, "    v%zu = %s\n", i + 1,
            text_named(task, &names, names.shared.at[i]));
  fprintf(out, "  facts, %zu of %zu\n", facts.count,
          obligation->facts.count + obligation->history.count);
  dump_list(task, &names, &facts, out);
  fprintf(out, "  violated if%s\n", conjuncts.count > 1 ? " all of" : "");
  dump_list(task, &names, &conjuncts, out);
}

static void dump_stmt_of(Task *task, const char *who, const Stmt *stmt,
                         FILE *out) {
  if (!stmt)
    return;
  print_at(task, out, stmt->loc,
           arena_printf(&task->arena, "  %-9s %u: %s", who, stmt->number,
                        stmt_text(task, stmt)));
}

static const char *threads_text(const Obligation *obligation) {
  if (!obligation->second)
    return "";
  if (obligation->same_warp)
    return ", threads of one warp";
  return obligation->same_block ? ", threads of one block"
                                : ", threads of two blocks";
}

static void dump_obligation(Task *task, const Obligation *obligation,
                            FILE *out) {
  fprintf(out, "obligation %u: %s  (%s%s)\n", obligation->number,
          obligation->sentence ? obligation->sentence : "",
          obligation_name(obligation->kind), threads_text(obligation));
  dump_stmt_of(task, obligation->second ? "thread 1" : "at", obligation->first,
               out);
  dump_stmt_of(task, "thread 2", obligation->second, out);
  dump_stmt_of(task, "since", obligation->barrier, out);
  if (obligation->loop)
    print_at(task, out, obligation->loop->loc,
             arena_printf(&task->arena, "  loop %u", obligation->loop->index));
  dump_formulas(task, obligation, out);
  fprintf(out, "\n");
}

void dump_pair(Task *task, const Pair *pair, FILE *out) {
  for (size_t i = 0; i < pair->obligations.count; i++)
    dump_obligation(task, pair->obligations.at[i], out);
}
