// Schedules of one program, each in an instance of its own, each instance by
// one thread of a device.
//
// After SINECOSEQ and ACT (Banga, Pai, Roy, Chaudhuri).  The program is code
// that can be stopped at each point where its threads are switched, and goes on
// there: gpuverify_instance_go, which cut.c makes.  A thread of the device
// takes the number of a schedule, puts its instance's memory back, and calls
// whichever thread of the program the policy says until the program is over.
// Threads of the device share nothing and wait for nobody; lanes of a warp go
// together as long as their schedules do, and ACT's do for long.
//
// It knows nothing of the device but the number of its thread, so the same code
// is executed by the processor, too, for tests.

#include "runtime/instances/engine.cuh"
#include "runtime/instances/policies.cuh"
#include "runtime/instances/posix.cuh"

// Up to the next switch.
extern "C" __attribute__((device)) void
gpuverify_instance_go(World *world, Word body, Word *resume, Byte *frame,
                      Long stack);

// ---------------------------------------------------------- what code calls
// ---

CALLED_OFTEN Word gpuverify_instance_access(World *w, Word again, Long at,
                                            Long bytes, Word writes,
                                            Word site) {
  if (!again) {
    if (is_own(w, at))
      return DONE;
    if (step(w))
      return STOPPED;
  }
  w->site = site;
  return look(w, at, bytes, writes);
}

// Whether it has changed anything is told behind it.
CALLED Word gpuverify_instance_atomic(World *w, Word again, Long at, Long bytes,
                                      Word writes, Word site) {
  if (!again) {
    if (is_own(w, at))
      return DONE;
    if (step(w))
      return STOPPED;
  }
  Long before = w->changed;
  w->site = site;
  Word stops = look(w, at, bytes, writes);
  w->changed = writes ? before : w->changed;
  return stops;
}

CALLED Word gpuverify_instance_copy(World *w, Word again, Long to, Long from,
                                    Long bytes, Word site) {
  if (!again) {
    if (!bytes || (is_own(w, from) && is_own(w, to)))
      return DONE;
    if (step(w))
      return STOPPED;
  }
  w->site = site;
  return touch(w, from, bytes, false) || touch(w, to, bytes, true);
}

CALLED Word gpuverify_instance_fill(World *w, Word again, Long to, Long bytes,
                                    Word site) {
  return bytes ? gpuverify_instance_access(w, again, to, bytes, true, site)
               : (Word)DONE;
}

CALLED Word gpuverify_instance_meet(World *w, Word again) {
  if (!again && library_step(w))
    return STOPPED;
  library_on(w);
  return DONE;
}

CALLED_OFTEN void gpuverify_instance_changed(World *w, Word is_changed) {
  if (is_changed)
    w->changed = w->steps;
}

CALLED void gpuverify_instance_publish(World *w, Long at) {
  if (is_own(w, at)) {
    self_of(w)->is_published = 1;
    w->own_bytes = 0;
  }
}

CALLED_OFTEN void gpuverify_instance_site(World *w, Word site) {
  w->site = site;
}

// Round a loop once more; a loop without steps must come to its end.
CALLED_OFTEN Word gpuverify_instance_tick(World *w) {
  enum { MOST_TICKS = 1 << 18 };
  return ++w->ticks > MOST_TICKS ? fail(w, INSTANCE_BEYOND) : (Word)DONE;
}

CALLED_OFTEN Byte *gpuverify_instance_place(World *w, Long at, Long bytes,
                                            Word alignment, Word writes) {
  if (at & (alignment - 1)) {
    fail(w, INSTANCE_BEYOND); // a device does not do that
    return nullptr;
  }
  return place_of(w, at, bytes, writes);
}

CALLED Word gpuverify_instance_division(World *w, Word is_wrong) {
  return is_wrong ? fail(w, INSTANCE_CRASH) : (Word)DONE;
}

// Behind a function that never comes back.
CALLED void gpuverify_instance_unreachable(World *w) {
  fail(w, INSTANCE_BEYOND);
}

CALLED Word gpuverify_instance_move(World *w, Long to, Long from, Long bytes) {
  return move_bytes(w, to, from, bytes);
}

CALLED Word gpuverify_instance_set(World *w, Long to, Long value, Long bytes) {
  return fill_bytes(w, to, value, bytes);
}

CALLED_OFTEN Long gpuverify_instance_result(World *w) { return w->result; }
CALLED Long gpuverify_instance_argument(World *w) {
  return self_of(w)->argument;
}
CALLED Long gpuverify_instance_argc(World *w) { return w->plan->argc; }
CALLED Long gpuverify_instance_argv(World *w) { return w->plan->argv; }
CALLED Long gpuverify_instance_environment(World *w) {
  return w->plan->environment;
}

// Thread-local variables are at the end of the stack.
CALLED Long gpuverify_instance_locals(World *w) {
  Long bytes = (w->plan->locals_bytes + 63) / 64 * 64;
  return stack_start(w->self) + stack_room(w->self) - bytes;
}

// ----------------------------------------------------------------- threads ---

DEVICE void begin_stack(World *w, Word thread) {
  const InstancePlan *plan = w->plan;
  Byte *stack = w->stacks + thread * plan->stack_bytes;
  Long locals = (plan->locals_bytes + 63) / 64 * 64;
  fill_words(stack, 0, plan->stack_bytes);
  for (Long i = 0; i < plan->locals_bytes; i++)
    stack[plan->stack_bytes - locals + i] = ((const Byte *)plan->locals)[i];
}

DEVICE void add_thread(World *w, Word body, Long argument) {
  Word thread = w->count++;
  Thread *t = &w->threads[thread];
  *t = Thread{};
  t->body = body;
  t->argument = argument;
  begin_stack(w, thread);
  policy_add(w, thread);
  set_ready(w, t->slot);
  w->event = w->changed = w->steps;
}

// --------------------------------------------------------------------- run ---

// What is kept of an instance from run to run, before its memory.
struct Kept {
  Long heap_used;
};

DEVICE void lay_out(World *w, const InstancePlan *plan, Long index) {
  Byte *base = (Byte *)plan->instances + index * plan->bytes;
  Long heap_used =
      index < plan->used ? ((Kept *)(void *)base)->heap_used : plan->heap_bytes;
  Long group = INSTANCE_LANES * plan->most_threads * plan->frame_bytes;
  fill_words((Byte *)w, 0, __builtin_offsetof(World, at_slot));
  w->plan = plan;
  w->globals = base + INSTANCE_ALIGNMENT;
  w->granules = base + plan->granules_at;
  w->heap = base + plan->heap_at;
  w->threads = (Thread *)(void *)(base + plan->threads_at);
  w->stacks = base + plan->stacks_at;
  w->frames = (Byte *)plan->frames + index / INSTANCE_LANES * group +
              index % INSTANCE_LANES * INSTANCE_SLOT_BYTES;
  fill_words(w->granules, 0, heap_used / GRANULE);
}

// By words: behind both there is room.
DEVICE void put_back_globals(World *w) {
  const Long *start = (const Long *)(w->plan->globals + INSTANCE_LIBRARY_BYTES);
  Long *to = (Long *)(void *)w->globals;
  for (Long i = 0; i < w->plan->own_bytes; i += sizeof *to)
    *to++ = *start++;
}

DEVICE void begin(World *w, Long number) {
  put_back_globals(w);
  w->words = 1;
  w->event = EVENT_WINDOW;
  w->number = w->end.number = number;
  w->now = 1700000000000000000ULL;
  w->rand_state = 1;
  w->random = w->plan->seed * 0x2545f4914f6cdd1dULL + number;
  draw(&w->random);
  fill_words((Byte *)w->at_slot, ~0ULL,
             sizeof *w->at_slot * 64 * slot_words(w->plan));
  policy_begin(w);
  add_thread(w, 0, 0);
  enter(w, 0);
}

DEVICE void execute(World *w) {
  while (!w->is_over) {
    Word self = w->self;
    Long stack_end = stack_start(self) + stack_room(self);
    gpuverify_instance_go(w, w->threads[self].body, &w->threads[self].resume,
                          w->frames +
                              self * w->plan->frame_bytes * INSTANCE_LANES,
                          stack_end - w->plan->stack_bytes);
  }
  w->end.threads = w->count;
  w->end.trace = w->trace;
}

DEVICE void keep(const InstancePlan *plan, Long index, Long heap_used) {
  Byte *base = (Byte *)plan->instances + index * plan->bytes;
  ((Kept *)(void *)base)->heap_used = heap_used;
}

// Of what the program has left in its variables and its heap.  Addresses of
// stacks, which are laid out in another way here, count as one.
DEVICE Long hash_word(Long hash, Long word) {
  return (hash ^ (is_of_stack(word) ? INSTANCE_STACKS : word)) *
         0x9e3779b97f4a7c15ULL;
}

DEVICE Long hash_memory(const World *w) {
  Long hash = 0, own = w->plan->own_bytes / sizeof hash;
  for (Long i = 0; i < own; i++)
    hash = hash_word(hash, ((const Long *)(const void *)w->globals)[i]);
  for (Long i = 0; i < w->heap_used / sizeof hash; i++)
    if (w->granules[i * sizeof hash / GRANULE] == GRANULE)
      hash = hash_word(hash, ((const Long *)(const void *)w->heap)[i]);
  return hash;
}

// The schedule of this launch with this index.
extern "C" __attribute__((device, used)) void
gpuverify_instance_run(const InstancePlan *plan, Long index) {
  Long number = plan->first + index;
  InstanceEnd *end = (InstanceEnd *)plan->ends + index;
  if (number < plan->start) {
    end->number = number;
    end->mishap = INSTANCE_LEFT_OUT;
    keep(plan, index, plan->heap_bytes);
    return;
  }
  World world, *w = &world; // where lanes have such memory side by side
  lay_out(w, plan, index);
  begin(w, number);
  execute(w);
  if (number - plan->start < plan->checked)
    w->end.memory = hash_memory(w);
  keep(plan, index, w->heap_used);
  *end = w->end;
}

extern "C" __attribute__((global)) void
gpuverify_instances(const InstancePlan *plan) {
  Long index = (Long)__nvvm_read_ptx_sreg_ctaid_x() *
                   (Long)__nvvm_read_ptx_sreg_ntid_x() +
               (Long)__nvvm_read_ptx_sreg_tid_x();
  if (index < plan->count)
    gpuverify_instance_run(plan, index);
}
