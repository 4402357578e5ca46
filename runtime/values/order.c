// May anything but barriers order the threads of a kernel?
//
// PTX orders two threads by a release pattern of one and an acquire pattern of
// the other: a fence before a strong operation, which atomic operations and
// volatile accesses are, and a strong operation before a fence, or operations
// that release or acquire by themselves.  A fence is the one, the other or
// both, by its order, and nothing if it is for the thread alone.  A kernel that
// has one of the two nowhere is ordered by its barriers alone, and its fences
// do nothing.  One that has both is refused, whether they belong together or
// not: what a thread reads behind an acquire is not on its copy.
//
// What comes behind something is so by some way through the kernel.  As all
// threads execute the same code, that covers what others do behind a barrier.
// Strong operations count as both reads and writes, for sequentially consistent
// fences are ordered by less (docs/SOUNDNESS.md).

#include "runtime/values/cutting.h"

typedef struct Walk {
  Task *task;
  ValueTable wanted, seen; // instructions; basic blocks
  Vec(LLVMBasicBlockRef) open;
} Walk;

static bool is_wanted_from(const Walk *walk, LLVMValueRef i) {
  while (i && !table_get(&walk->wanted, i))
    i = LLVMGetNextInstruction(i);
  return i;
}

static void add_successors(Walk *walk, LLVMBasicBlockRef block) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
  for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
    LLVMBasicBlockRef next = LLVMGetSuccessor(end, i);
    if (table_get(&walk->seen, next))
      continue;
    table_put(walk->task, &walk->seen, next, next);
    push(&walk->task->arena, &walk->open, next);
  }
}

static bool leads_to(Task *task, LLVMValueRef from, const Instructions *to) {
  Walk walk = {.task = task};
  for (size_t i = 0; i < to->count; i++)
    table_put(task, &walk.wanted, to->at[i], to->at[i]);
  if (is_wanted_from(&walk, LLVMGetNextInstruction(from)))
    return true;
  add_successors(&walk, LLVMGetInstructionParent(from));
  while (walk.open.count) {
    LLVMBasicBlockRef block = walk.open.at[--walk.open.count];
    if (is_wanted_from(&walk, LLVMGetFirstInstruction(block)))
      return true;
    add_successors(&walk, block);
  }
  return false;
}

// The first of them that has one of the others behind it; NULL: none.
static LLVMValueRef first_before(Task *task, const Instructions *from,
                                 const Instructions *to) {
  for (size_t i = 0; i < from->count; i++)
    if (leads_to(task, from->at[i], to))
      return from->at[i];
  return NULL;
}

static LLVMValueRef first(const Instructions *list) {
  return list->count ? list->at[0] : NULL;
}

// release_ones: those that release, else those that acquire.
static Instructions fences_that(const Cutting *c, bool release_ones) {
  Instructions found = {0};
  for (size_t i = 0; i < c->fences.count; i++) {
    LLVMValueRef fence = c->fences.at[i];
    Site site = {.kind = SITE_FENCE, .loc = llvm_location(c->task, fence)};
    jit_fill_order(c->task, fence, &site);
    bool orders = release_ones ? site.releases : site.acquires;
    if (orders && site.scope != SCOPE_THREAD)
      push(&c->task->arena, &found, fence);
  }
  return found;
}

void cutting_refuse_order(Cutting *c) {
  LLVMValueRef releasing = first(&c->releasing),
               acquiring = first(&c->acquiring);
  Instructions before = fences_that(c, true), behind = fences_that(c, false);
  if (!releasing)
    releasing = first_before(c->task, &before, &c->atomics);
  if (!acquiring)
    acquiring = first_before(c->task, &c->atomics, &behind);
  if (!releasing || !acquiring)
    return;
  LLVMValueRef fence = before.count ? before.at[0] : first(&behind);
  if (fence)
    REFUSE(c, fence, "a fence orders threads beside barriers");
  REFUSE(c, releasing, "an atomic orders other accesses beside barriers");
}

void cutting_remove_fences(Cutting *c) {
  for (size_t i = 0; i < c->fences.count; i++)
    LLVMInstructionEraseFromParent(c->fences.at[i]);
}
