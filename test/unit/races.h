// Small programs of a few threads, what a run of them says of races, and what
// brute force over its log says.
//
// An operation is a token:
//
//   r w   weak read, write             v V   volatile read, write
//   l s   atomic load, store           u c   read-modify-write, failing compare
//   f     fence                        y     others have a turn
//   |     barrier of the block         =     of the warp        #   of the grid
//   +     of lanes 0 and 1             *1    once more what the thread did
//   x     asynchronous copy to it      X     wait for all of the thread's
//   A W   arrives at an mbarrier, waits for its first phase
//   ^1    what the first one did       >1    the same, beside it in memory
//
// followed by a place (accesses), then by any of: a acquires, r releases (a
// fence does both if it says neither), b for the block only, and 1 2 8 for the
// bytes, else 4; p and q are values that are written, in programs in which a
// write that changes nothing does not count.  "s2rb" stores to place 2,
// releases, for the block.  Places 8 and 9 are the second half of 0, and its
// third byte; places 2 and on lie in another line of the shadow than 0 and 1.

#ifndef TEST_UNIT_RACES_H
#define TEST_UNIT_RACES_H

#include "runtime/jit/jit.h"
#include "runtime/machine/copies.h"
#include "test/unit/suite.h"

#include <llvm-c/Core.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Target.h>
#include <stdlib.h>
#include <string.h>

enum { PLACE_BYTES = 8, PLACES = 4, MOST_OPS = 40, MOST_EVENTS = 512 };
enum { FIRST_PLACE = 128 - 2 * PLACE_BYTES }; // bytes before it
enum { MEMORY_BYTES = FIRST_PLACE + PLACES * PLACE_BYTES };
enum { MOST_ACTORS = 6, MOST_BLOCKS = 4, PHASES = 8 };
enum { MOST_SITES = MOST_BLOCKS * MOST_ACTORS * MOST_OPS };

#define NOT_THERE UINT64_C(0x0101010101010101) // no byte is ever that

typedef struct RaceOp {
  char kind;
  uint32_t site, offset, bytes;
  unsigned char value; // each byte of it, of a plain write
  bool is_narrow, acquires, releases;
} RaceOp;

// Actors are threads that do something; the others of a block only wait where
// the first one does.
typedef struct Litmus {
  unsigned blocks, threads;       // of a block
  unsigned together;              // blocks at work; 0: all
  unsigned actors;                // of a block
  unsigned position[MOST_ACTORS]; // in the block
  RaceOp ops[MOST_BLOCKS][MOST_ACTORS][MOST_OPS];
  unsigned count[MOST_BLOCKS][MOST_ACTORS];
  Site sites[MOST_SITES];
  unsigned site_count;
  unsigned arrivals[MOST_BLOCKS][PHASES];
  bool has_warp_sync, has_arrivals;
  bool is_shared;   // the memory is that of each block
  bool has_excuses; // of two plain writes of which the second changes nothing
} Litmus;

typedef struct RaceEvent {
  RaceOp op;
  unsigned block, thread, number; // of a barrier: the how manyth
  bool leaves;                    // a barrier
  int sees;                       // a write, or -1
  unsigned char old[8];           // what was there before an access
} RaceEvent;

// Places with a race, as bits; by site, if it is the later access of one.
typedef struct Races {
  unsigned places;
  bool sites[MOST_SITES];
} Races;

typedef struct Verdicts {
  Races found, wanted;
  bool is_done, has_note;
  unsigned events, incidents;
} Verdicts;

static Litmus program;
static _Alignas(16) char memory[MEMORY_BYTES];
static uint64_t mbarriers[PHASES]; // their words
static RaceEvent events[MOST_EVENTS];
static unsigned event_count;

// ------------------------------------------------------------------ sites ---

static bool is_access(const RaceOp *op) {
  return strchr("rwvVlsucx", op->kind);
}
static bool is_strong(const RaceOp *op) { return strchr("vVlsuc", op->kind); }
static bool does_read(const RaceOp *op) { return strchr("rvluc", op->kind); }
static bool does_write(const RaceOp *op) { return strchr("wVsux", op->kind); }
static bool is_copy(const RaceOp *op) { return op->kind == 'x'; }
static bool is_plain(const RaceOp *op) { return strchr("wV", op->kind); }
static bool is_phase(const RaceOp *op) { return strchr("AW", op->kind); }
static bool is_meeting(const RaceOp *op) { return strchr("|=#+", op->kind); }

static SiteKind site_kind(char kind) {
  if (strchr("rv", kind))
    return SITE_READ;
  if (strchr("wV", kind))
    return SITE_WRITE;
  if (kind == 'x')
    return SITE_FILL;
  return kind == 'f'            ? SITE_FENCE
         : strchr("lsuc", kind) ? SITE_ATOMIC
                                : SITE_CALL;
}

static void add_op(unsigned block, unsigned actor, RaceOp op) {
  ck_assert_uint_lt(program.count[block][actor], MOST_OPS);
  op.site = program.site_count;
  program.has_warp_sync |= op.kind == '=' || op.kind == '+';
  program.sites[program.site_count++] =
      (Site){.kind = site_kind(op.kind),
             .loc = {"k.cu", is_meeting(&op) ? 1 : op.site + 2, 1},
             .scope = op.is_narrow ? SCOPE_BLOCK : SCOPE_GRID,
             .is_volatile = op.kind == 'v' || op.kind == 'V',
             .is_load = op.kind == 'l',
             .is_store = op.kind == 's',
             .acquires = op.acquires,
             .releases = op.releases,
             .acquires_if_it_fails = op.acquires};
  program.has_arrivals |= strchr("xAW", op.kind) != NULL;
  if (is_copy(&op)) // what it reads
    program.sites[program.site_count++] = (Site){.kind = SITE_FETCH};
  if (op.kind == 'A')
    program.arrivals[block][op.offset]++;
  program.ops[block][actor][program.count[block][actor]++] = op;
}

// What `from` did, moved by as many lanes as the two are apart.
static RaceOp moved(RaceOp op, unsigned from, unsigned actor) {
  unsigned lanes =
      program.position[actor] % LANES + LANES - program.position[from] % LANES;
  uint32_t offset = op.offset - FIRST_PLACE + lanes % LANES * op.bytes;
  op.offset = FIRST_PLACE + offset % (PLACES * PLACE_BYTES);
  return op;
}

// The same again, as in a loop, or as another thread does there.
static void repeat_op(unsigned block, unsigned actor, const RaceOp *op) {
  unsigned *count = &program.count[block][actor];
  ck_assert_uint_lt(*count, MOST_OPS);
  program.ops[block][actor][(*count)++] = *op;
}

static void repeat_moved(unsigned block, unsigned actor, const RaceOp *first) {
  RaceOp op = moved(*first, 0, actor);
  repeat_op(block, actor, &op);
}

static RaceOp parse_op(const char *token, size_t length) {
  RaceOp op = {.kind = token[0], .bytes = 4};
  size_t i = 1;
  if (is_phase(&op))
    op.offset = (uint32_t)(token[i++] - '0');
  if (is_access(&op)) {
    unsigned place = (unsigned)(token[i++] - '0');
    op.offset = FIRST_PLACE + (place == 8   ? 4
                               : place == 9 ? 2
                                            : place * PLACE_BYTES);
  }
  for (; i < length; i++) {
    op.acquires |= token[i] == 'a';
    op.releases |= token[i] == 'r';
    op.is_narrow |= token[i] == 'b';
    if (strchr("pq", token[i]))
      op.value = (unsigned char)token[i];
    if (strchr("128", token[i]))
      op.bytes = (uint32_t)(token[i] - '0');
  }
  if (op.kind == 'f' && !op.acquires && !op.releases)
    op.acquires = op.releases = true;
  return op;
}

static void parse(unsigned block, unsigned actor, const char *text) {
  program.has_excuses |= strpbrk(text, "pq") != NULL;
  for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
    size_t length = strcspn(text, " ");
    if (text[0] == '*')
      repeat_op(block, actor, &program.ops[block][actor][text[1] - '0']);
    else if (text[0] == '^')
      repeat_op(block, actor, &program.ops[0][0][text[1] - '0']);
    else if (text[0] == '>')
      repeat_moved(block, actor, &program.ops[0][0][text[1] - '0']);
    else
      add_op(block, actor, parse_op(text, length));
    text += length;
  }
}

// ------------------------------------------------------------------ hooks ---

// What code has in it before it accesses words, as functions.
typedef void WordHook(void *at, uint64_t bytes, uint32_t site, Spot *spot,
                      uint32_t thread);
static WordHook *word_hooks[4]; // read, write; the same with marks

static void make_word_hooks(void) {
  static const SpotCase cases[] = {SPOT_READ_WORD, SPOT_WRITE_WORD,
                                   SPOT_READ_MARK, SPOT_WRITE_MARK};
  static const char *const names[] = {"read", "write", "read_mark",
                                      "write_mark"};
  LLVMOrcLLJITRef jit;
  LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef module = LLVMModuleCreateWithNameInContext("hooks", context);
  LLVMInitializeNativeTarget();
  LLVMInitializeNativeAsmPrinter();
  ck_assert(!LLVMOrcCreateLLJIT(&jit, NULL));
  LLVMSetDataLayout(module, LLVMOrcLLJITGetDataLayoutStr(jit));
  for (unsigned i = 0; i < 4; i++)
    jit_spot_function(module, cases[i]);
  jit_define_spots(module);
  for (unsigned i = 0; i < 4; i++) {
    LLVMValueRef function = jit_spot_function(module, cases[i]);
    LLVMSetLinkage(function, LLVMExternalLinkage);
    LLVMSetValueName2(function, names[i], strlen(names[i]));
  }
  ck_assert(!LLVMOrcLLJITAddLLVMIRModule(
      jit, LLVMOrcLLJITGetMainJITDylib(jit),
      LLVMOrcCreateNewThreadSafeModule(
          module, LLVMOrcCreateNewThreadSafeContextFromLLVMContext(context))));
  for (unsigned i = 0; i < 4; i++) {
    LLVMOrcExecutorAddress at;
    ck_assert(!LLVMOrcLLJITLookup(jit, &at, names[i]));
    word_hooks[i] = (WordHook *)(uintptr_t)at;
  }
}

static void tell_access(const RaceOp *op) {
  char *at = memory + op->offset;
  const Site *site = &program.sites[op->site];
  bool has_mark = program.is_shared && marks_suffice(machine.run->code);
  if (op->bytes == 4 && (op->kind == 'r' || op->kind == 'w'))
    word_hooks[(op->kind == 'w') + 2 * has_mark](
        at, 4, op->site, spot_at(machine.image->spots, op->site),
        machine.self->index);
  else
    spot_hook(site)(at, op->bytes, op->site);
}

// ---------------------------------------------------------------- execute ---

static void log_event(const RaceOp *op, unsigned number, bool leaves) {
  ck_assert_uint_lt(event_count, MOST_EVENTS);
  events[event_count++] =
      (RaceEvent){.op = *op,
                  .block = (unsigned)machine.self->group->index,
                  .thread = machine.self->index,
                  .number = number,
                  .leaves = leaves,
                  .sees = -1};
  if (is_access(op))
    memcpy(events[event_count - 1].old, memory + op->offset, op->bytes);
}

static void meet(const RaceOp *op, unsigned number, bool is_actor) {
  if (is_actor)
    log_event(op, number, false);
  builtin_at(op->site);
  if (op->kind == '=' || op->kind == '+')
    warp_sync(op->kind == '=' ? UINT32_MAX : 3);
  else
    machine_wait(op->kind == '|' ? THREAD_AT_BARRIER : THREAD_AT_GRID);
  if (is_actor)
    log_event(op, number, true);
}

static void start_phases(void) {
  const Group *group = machine.self->group;
  bool are_there = group->mbarriers.count;
  for (unsigned i = 0; !are_there && i < PHASES; i++)
    if (program.arrivals[group->index][i])
      mbarriers_init((char *)&mbarriers[i], program.arrivals[group->index][i]);
}

static void change_phase(const RaceOp *op) {
  char *at = (char *)&mbarriers[op->offset];
  log_event(op, op->offset, false);
  if (op->kind == 'A')
    mbarriers_arrive(at, 1, 0);
  else
    while (!mbarriers_wait(at, 0, WAIT_PARITY))
      continue;
  log_event(op, op->offset, true);
}

// What it copies is nobody else's.
static void change_copies(const RaceOp *op) {
  log_event(op, 0, false);
  builtin_at(op->site);
  if (is_copy(op))
    copy_start(memory + op->offset, memory, op->bytes, op->bytes);
  else
    copies_wait_all();
}

static void perform(const RaceOp *op, unsigned number, bool is_actor) {
  if (is_meeting(op)) {
    meet(op, number, is_actor);
    return;
  }
  if (!is_actor)
    return;
  if (op->kind == 'y') {
    machine_wait(THREAD_READY);
    return;
  }
  if (is_phase(op)) {
    change_phase(op);
    return;
  }
  if (is_copy(op) || op->kind == 'X') {
    change_copies(op);
    return;
  }
  log_event(op, number, false);
  if (op->kind == 'f') {
    causality_fence(op->site);
    return;
  }
  if (op->kind == 'c')
    races_expect(memory + op->offset, op->bytes, NOT_THERE);
  tell_access(op);
  if (is_plain(op))
    memset(memory + op->offset, op->value, op->bytes);
}

// Who does nothing waits with the first actor of its warp, or else of the block
// but for what is of the warp.
static unsigned model_of(unsigned index, bool *has_warp) {
  for (unsigned i = 0; i < program.actors; i++)
    if (program.position[i] == index)
      return i;
  for (unsigned i = 0; i < program.actors; i++)
    if (program.position[i] / LANES == index / LANES)
      return i;
  *has_warp = false;
  return 0;
}

static void interpret(void **arguments) {
  (void)arguments;
  unsigned block = (unsigned)machine.self->group->index;
  bool has_warp = true;
  unsigned actor = model_of(machine.self->index, &has_warp);
  bool is_actor = program.position[actor] == machine.self->index;
  unsigned numbers[128] = {0};
  start_phases();
  for (unsigned i = 0; i < program.count[block][actor]; i++) {
    const RaceOp *op = &program.ops[block][actor][i];
    if (op->kind != '=' || has_warp)
      perform(op, numbers[(unsigned char)op->kind]++, is_actor);
  }
}

static void note_race(Races *races, uint32_t site, uint64_t offset) {
  races->places |= 1u << (offset - FIRST_PLACE) / PLACE_BYTES;
  races->sites[site] = true;
}

static void execute_program(Verdicts *verdicts) {
  static Buffer buffer = {
      .name = "memory", .at = memory, .bytes = sizeof memory};
  static Variable variable = {
      .name = "memory", .space = SPACE_SHARED, .bytes = sizeof memory};
  static char *address = memory;
  Code code = {.source = "k"};
  if (!word_hooks[0])
    make_word_hooks();
  Run run = {.code = &code,
             .grid = {program.blocks, 1, 1},
             .block = {program.threads, 1, 1},
             .watch = WATCH_RACES,
             .tolerates_same_value = program.has_excuses,
             .max_seconds = 10};
  Image image = {.entry = interpret};
  Outcome *outcome = outcome_new();
  code.sites.at = program.sites;
  code.sites.count = program.site_count;
  code.has_warp_sync = program.has_warp_sync;
  code.has_arrivals = program.has_arrivals;
  if (program.is_shared) {
    code.variables.at = &variable;
    image.variables.at = &address;
    image.shared = memory;
    image.shared_bytes = sizeof memory;
  }
  code.variables.count = image.variables.count = program.is_shared;
  run.buffers.at = &buffer;
  run.buffers.count = !program.is_shared;
  event_count = 0;
  memset(memory, 0, sizeof memory);
  if (machine_open(&run, &image, outcome)) {
    unsigned together = machine.together;
    machine.one_a_turn = true; // and so all blocks begin at once
    if (program.together)
      machine.together = program.together;
    machine_run();
    machine.together = together;
  }
  machine_close();
  free(image.spots);
  verdicts->is_done = outcome->is_done;
  verdicts->events = event_count;
  verdicts->incidents = outcome->count;
  for (unsigned i = 0; i < outcome->count; i++) {
    const Incident *incident = &outcome->incidents[i];
    if (incident->kind == INCIDENT_RACE)
      note_race(&verdicts->found, incident->actors[0].site,
                (uint64_t)incident->actors[0].offset);
    else
      verdicts->is_done = false;
    verdicts->has_note |= incident->text[0] != 0;
  }
  outcome_free(outcome);
}

#endif
