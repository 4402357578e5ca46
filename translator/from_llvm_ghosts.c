// Ghosts: what annotations speak of and no instruction computes.
//
// The logged access of a thread, and what a value is in the other thread.  Each
// call makes a symbol with a note of what it stands for (Ghost); claims.c gives
// it its meaning.  A pointer has to be to one array that threads share, for it
// is the array whose accesses are meant.

#include "translator/from_llvm_calls.h"

static const char what_is_asked[] = "what an annotation asks for";

static void note_ghost(Builder *builder, const Expr *asked, Ghost ghost) {
  Ghost *kept = NEW(&builder->task->arena, Ghost);
  *kept = ghost;
  kept->loop = builder->block->loop;
  kept->stmt = (unsigned)builder->kernel->stmts.count;
  asked->symbol->ghost = kept;
}

static void set_ghost(Builder *builder, LLVMValueRef call, Ghost ghost) {
  set_unknown(builder, call, what_is_asked);
  note_ghost(builder, value_of(builder, call)->lanes[0].bits, ghost);
}

// No access, so nobody else wants it to be apart from others.
static Lane pointer_operand(Builder *builder, LLVMValueRef call) {
  Lane pointer = value_of(builder, LLVMGetOperand(call, 0))->lanes[0];
  want_no_found(builder, roots_of(builder, pointer));
  return pointer;
}

// NULL: it is not known, or private.
static const Array *array_of(Builder *builder, LLVMValueRef call) {
  Roots *roots = roots_of(builder, pointer_operand(builder, call));
  if (roots->is_lost || roots->may_be_null || roots->arrays.count != 1)
    return NULL;
  const Array *array = roots->arrays.at[0];
  bool is_logged = array->space == SPACE_SHARED || array->space == SPACE_GLOBAL;
  return is_logged ? array : NULL;
}

static void set_logged(Builder *builder, LLVMValueRef call, GhostKind kind) {
  set_ghost(builder, call,
            (Ghost){.kind = kind,
                    .access = (AccessKind)builder->row->number,
                    .array = array_of(builder, call)});
}

void call_occurred(Builder *builder, LLVMValueRef call) {
  set_logged(builder, call, GHOST_OCCURRED);
}

void call_occurred_at(Builder *builder, LLVMValueRef call) {
  set_logged(builder, call, GHOST_OFFSET);
}

void call_ptr_base(Builder *builder, LLVMValueRef call) {
  set_scalar(builder, call,
             expr_zext(builder->task, pointer_operand(builder, call).base, 64));
}

void call_ptr_offset(Builder *builder, LLVMValueRef call) {
  set_scalar(builder, call, pointer_operand(builder, call).bits);
}

static bool is_log(const Ghost *ghost) {
  return ghost->kind == GHOST_OCCURRED || ghost->kind == GHOST_OFFSET;
}

// A barrier clears logs.
static bool is_barrier_behind(Builder *builder, const Ghost *ghost) {
  const Kernel *kernel = builder->kernel;
  for (size_t i = ghost->stmt; i < kernel->stmts.count; i++)
    if (kernel->stmts.at[i]->kind == STMT_BARRIER)
      return true;
  return false;
}

// What was asked for is read where the annotation stands: there it has to be
// what it was.
static void want_asked_here(Builder *builder, const Ghost *ghost) {
  if (ghost->loop != builder->block->loop ||
      (is_log(ghost) && is_barrier_behind(builder, ghost)))
    unsupported(builder->task, builder->loc,
                "an annotation about what was asked for elsewhere, behind a "
                "barrier or in another loop");
}

void want_ghosts_of_here(Builder *builder, Expr *condition) {
  Symbols symbols = {0};
  expr_symbols(builder->task, condition, &symbols);
  for (size_t i = 0; i < symbols.count; i++)
    if (symbols.at[i]->ghost)
      want_asked_here(builder, symbols.at[i]->ghost);
}

static bool is_of_thread(const Ghost *ghost) {
  return !ghost || ghost->kind == GHOST_ENABLED || ghost->kind == GHOST_HERE ||
         ghost->kind == GHOST_SAME_GROUP;
}

void call_other(Builder *builder, LLVMValueRef call) {
  Expr *value = scalar_of(builder, LLVMGetOperand(call, 0));
  Symbols symbols = {0};
  expr_symbols(builder->task, value, &symbols);
  for (size_t i = 0; i < symbols.count; i++)
    if (!is_of_thread(symbols.at[i]->ghost))
      unsupported(builder->task, builder->loc,
                  "an annotation about what the other thread knows of others");
  want_ghosts_of_here(builder, value);
  set_ghost(builder, call, (Ghost){.kind = GHOST_OTHER, .value = value});
}

// -------------------------------------------- what lies at its addresses ---

static bool is_other(const Symbol *symbol) {
  return symbol->ghost && symbol->ghost->kind == GHOST_OTHER;
}

static Expr *as_other(Task *task, Symbol *symbol, void *data) {
  (void)task;
  (void)data;
  return is_other(symbol) ? symbol->ghost->value : symbol->expr;
}

// The other thread looks there itself: what is at an address of its is what it
// finds there.  Whatever else is in the address has to be the same in both.
bool other_looks(Builder *builder, Expr **address) {
  Task *task = builder->task;
  if (!builder->is_looking || !has_ghost(builder, *address, GHOST_OTHER))
    return false;
  Substitution own = {.replace = as_other};
  Symbols symbols = {0};
  expr_symbols(task, *address, &symbols);
  for (size_t i = 0; i < symbols.count; i++)
    if (!is_other(symbols.at[i]))
      push(&task->arena, &builder->alike, symbols.at[i]->expr);
  *address = expr_substitute(task, &own, *address);
  return true;
}

Expr *ghost_of_other(Builder *builder, Expr *value) {
  Expr *asked = builder_unknown(builder, value->width, what_is_asked);
  note_ghost(builder, asked, (Ghost){.kind = GHOST_OTHER, .value = value});
  return asked;
}

// Any value, which is the other thread's where two threads of a block meet.
static Expr *as_partner(Task *task, Symbol *symbol, void *data) {
  Builder *builder = data;
  if (!is_other(symbol))
    return symbol->expr;
  Expr *value = known_to_who_is_here(builder, symbol->ghost->value);
  Expr *partner = ghost_of_other(builder, value);
  push(&task->arena, &builder->kernel->partners, partner->symbol);
  return partner;
}

Expr *of_partner(Builder *builder, Expr *a) {
  Substitution substitution = {.replace = as_partner, .data = builder};
  return expr_substitute(builder->task, &substitution, a);
}

void call_enabled(Builder *builder, LLVMValueRef call) {
  set_ghost(builder, call,
            (Ghost){.kind = GHOST_ENABLED, .value = builder->block->guard});
}

// Of who is elsewhere it is anything.
void call_dominator_enabled(Builder *builder, LLVMValueRef call) {
  const Graph *graph = builder->graph;
  unsigned above = graph->dominator[graph->order.at[builder->block->index]];
  const BasicBlock *block =
      above == GRAPH_NONE ? builder->block : builder->blocks[above];
  set_ghost(builder, call,
            (Ghost){.kind = GHOST_HERE,
                    .value = block->guard,
                    .guard = builder->block->guard});
}

void call_here(Builder *builder, LLVMValueRef call) {
  Lane lane = value_of(builder, LLVMGetOperand(call, 0))->lanes[0];
  set_ghost(builder, call,
            (Ghost){.kind = GHOST_HERE,
                    .value = lane.bits,
                    .guard = builder->block->guard});
}

void call_same_group(Builder *builder, LLVMValueRef call) {
  set_ghost(builder, call, (Ghost){.kind = GHOST_SAME_GROUP});
}

// --------------------------------------------------------- what has ghosts ---

static Expr *known_here(Task *task, Symbol *symbol, void *data) {
  Builder *builder = data;
  if (symbol->ghost && symbol->ghost->kind == GHOST_ENABLED)
    return expr_bool(task, true);
  if (symbol->ghost && symbol->ghost->kind == GHOST_HERE)
    return known_to_who_is_here(builder, symbol->ghost->value);
  return symbol->expr;
}

Expr *known_to_who_is_here(Builder *builder, Expr *condition) {
  Substitution substitution = {.replace = known_here, .data = builder};
  return expr_substitute(builder->task, &substitution, condition);
}

bool has_ghost(Builder *builder, Expr *condition, GhostKind kind) {
  Symbols symbols = {0};
  expr_symbols(builder->task, condition, &symbols);
  for (size_t i = 0; i < symbols.count; i++)
    if (symbols.at[i]->ghost && symbols.at[i]->ghost->kind == kind)
      return true;
  return false;
}

static bool is_about_logs(Builder *builder, Expr *condition) {
  bool is_logged = false;
  Symbols symbols = {0};
  expr_symbols(builder->task, condition, &symbols);
  for (size_t i = 0; i < symbols.count; i++) {
    const Ghost *ghost = symbols.at[i]->ghost;
    if (!ghost || !is_log(ghost))
      continue;
    is_logged = true;
    if (!ghost->array)
      unsupported(builder->task, builder->loc,
                  "an annotation about accesses through a pointer that is not "
                  "to one known array of shared or global memory");
  }
  return is_logged;
}

bool is_claim(Builder *builder, Expr *condition) {
  want_ghosts_of_here(builder, condition);
  bool is_logged = is_about_logs(builder, condition);
  bool is_of_two = has_ghost(builder, condition, GHOST_OTHER);
  if (is_logged && is_of_two)
    unsupported(builder->task, builder->loc,
                "an annotation about logged accesses and the other thread");
  return is_logged || is_of_two ||
         has_ghost(builder, condition, GHOST_SAME_GROUP);
}
