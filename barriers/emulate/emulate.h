// The emulator's inside.  Private to barriers/emulate/.
//
// emulate.c sets up a block and schedules its warps; flow.c runs a
// warp: which lanes are where; step.c executes an instruction for some
// lanes, with the help of the files below.

#ifndef BARRIERS_EMULATE_EMULATE_H
#define BARRIERS_EMULATE_EMULATE_H

#include "barriers/barriers.h"
#include "ptx/syntax.h"

#include <assert.h>

typedef struct Emulation Emulation;
typedef struct Warp Warp;
typedef struct BothRegion BothRegion; // see both.c
typedef struct Tensor Tensor;         // see tensor.c

// ---------------------------------------------------------------- values ---

typedef enum ValueKind {
  VALUE_AFFINE, // base + stride * lane
  VALUE_BITS,   // of predicates: bit `lane` of base
  VALUE_LANES,
} ValueKind;

// One of two numbers: which, the answer of a try at an mbarrier says.
typedef struct Guess {
  uint32_t try;   // command of the warp
  uint64_t is[2]; // if it is no, if it is yes
} Guess;

// What a number counts from: the address of a variable, which PTX does not
// give.  0: from nothing.  See anchor.c.
typedef uint32_t Anchor;

// What a register has in the lanes of a warp; numbers have no more than `bits`
// bits.  Lanes that are not in `known` may have anything.
typedef struct WarpValue {
  ValueKind kind;
  unsigned bits;
  uint32_t known;
  uint32_t elsewhere; // not known, but no address of shared memory and not
                      // computed from one
  uint32_t guessed;   // not known, but one of two numbers: `guesses`
  uint32_t alike;     // not known, but in all these lanes the same
  uint64_t base, stride;
  uint64_t *lanes;
  bool is_anchored;            // what is known counts from `anchors`
  Anchor *anchors;             // by lane; NULL: no room yet
  Guess *guesses;              // by lane; NULL: no room yet
  uint64_t *symbols;           // of what is not known, see symbol.c; or
                               // NULL
  const PtxInstruction *cause; // of what is not known; NULL: never written
} WarpValue;

// Asked for each lane of each operand, therefore inline.
static inline uint64_t value_lane(const WarpValue *value, unsigned lane) {
  assert(lane < WARP);
  switch (value->kind) {
  case VALUE_AFFINE:
    return (value->base + value->stride * lane) & bits_mask(value->bits);
  case VALUE_BITS:
    return value->base >> lane & 1;
  case VALUE_LANES:
    return value->lanes[lane] & bits_mask(value->bits);
  }
  assert(!"a kind of value");
  return 0;
}

// What the number of a lane that is known counts from.
static inline Anchor value_anchor(const WarpValue *value, unsigned lane) {
  assert(lane < WARP);
  return value->is_anchored ? value->anchors[lane] : 0;
}

WarpValue value_number(unsigned bits, uint64_t number);
// Without the lanes whose number counts from somewhere.
WarpValue value_plain(const WarpValue *value);
WarpValue value_unknown(unsigned bits, const PtxInstruction *cause);
// ... and that in no lane it is an address or a part of one.
WarpValue value_data(unsigned bits, const PtxInstruction *cause);
// Where the block is in the grid, if that is not known: the same in all of it.
WarpValue value_any_block(void);
// Takes the numbers in `lanes`, which stay where they are.
WarpValue value_lanes(unsigned bits, uint32_t known, uint64_t *lanes);
bool value_is_uniform(const WarpValue *value, uint32_t mask);
uint32_t
value_alike(const WarpValue *value); // lanes with the same, known or not
// slot := value in the lanes of `mask`; `alive`: the others that matter.
void value_write(Arena *arena, WarpValue *slot, const WarpValue *value,
                 uint32_t mask, uint32_t alive);
// slot := value; it keeps the room for lanes and so on that it has.
void value_copy(Arena *arena, WarpValue *slot, const WarpValue *value);
// In these lanes, what it is in `other`, too; `cause`: of what then is unknown.
void value_join(const Emulation *emulation, WarpValue *slot,
                const WarpValue *other, uint32_t lanes,
                const PtxInstruction *cause);
// The symbols of these lanes; NULL: they have none.
void value_identify(Arena *arena, WarpValue *slot, const uint64_t *symbols,
                    uint32_t lanes);
// What follows from `value` in these lanes follows from `other`, too.
bool value_covers(const WarpValue *value, const WarpValue *other,
                  uint32_t lanes);

// ---------------------------------------------------------- control flow ---

typedef Vec(uint32_t) Indices;

typedef struct FlowNode {
  uint32_t first, end; // instructions
  Indices out, in;     // blocks
  Indices controls;    // blocks whose last instruction decides about this one
  uint32_t post_dominator, position;
  bool is_dead_end; // there is nothing but a trap behind
} FlowNode;

typedef struct Flow {
  const PtxFunction *function;
  FlowNode *blocks;   // and one more, the exit
  uint32_t count;     // without the exit
  uint32_t *block_of; // by instruction; the exit behind the last
  bool skips_traps;   // there are branches to nothing but a trap
} Flow;

// graph.c
Flow *flow_of(Task *task, const PtxFunction *function);
bool flow_branches(const PtxInstruction *instruction);
bool flow_ends(const PtxInstruction *instruction); // it ends a block

// ----------------------------------------------------------------- slice ---

// What of a function has to be executed in a warp of which no stores are asked
// for any more.
typedef struct Basis {
  bool *is_relevant; // by instruction
  uint32_t *next;
  bool *is_needed; // by register
} Basis;

// A function with what of it has to be executed.
typedef struct CodeSlice {
  const PtxFunction *function;
  const Flow *flow;
  bool *is_relevant;       // by instruction
  const bool *is_decisive; // with symbols: accesses and barriers depend on it
  const Basis *basis;      // NULL: all of it
  uint32_t *next;          // where to go from one that is not relevant
  uint32_t *slot;          // by register: its place in a frame, or NO_REGISTER
  unsigned slot_count;
  uint32_t *writer; // by register: the one instruction that writes it, or
                    // NO_REGISTER
  uint8_t *fitness; // by block: see both.c
  const bool *is_rewritten; // by instruction, with symbols: its thread may have
                            // written to global memory since the last barrier,
                            // or learnt of what others wrote
  struct Live *live;        // filled by find_live, where there are waits
  struct Frame *spare;      // frames to use again
} CodeSlice;

typedef struct Slice {
  CodeSlice **codes; // by function; NULL: the kernel does not call it
  CodeSlice *basic;  // the kernel, with registers for its basis alone, or NULL
  bool keeps_values; // what shared memory holds matters
  bool *passes;      // by instruction: shared memory holds what it stores, and
                     // of others that they have stored; NULL: nothing
  bool has_butterflies; // shfl.bfly
} Slice;

Slice slice_kernel(Task *task, const PtxFunction *kernel);
// For symbols: what is stored matters, too, by these instructions or by all,
// and whatever that is computed from, but if that passes shared memory once,
// not what came from there and was stored again.
Slice slice_closely(Task *task, const PtxFunction *kernel,
                    const bool *is_followed, bool passes_once);

bool is_integer(const PtxInstruction *instruction); // of INTEGER: not floating
unsigned access_bytes(const PtxInstruction *instruction);
bool is_shared_access(const PtxInstruction *instruction); // or may be
bool is_store_to_shared(const PtxInstruction *instruction);
// The cell of a parameter; NO_REGISTER: there is none.
uint32_t cell_at(const PtxVariable *variable, uint64_t offset, unsigned bits);

// passing.c
// By instruction: it stores to shared memory what did not come from there.
bool *find_passing(Task *task, const PtxFunction *kernel);

// origin.c
// A place of an argument of the kernel; or, if is_loaded, `distance` behind
// where the pointer points that is there.
typedef struct AddressOrigin {
  const PtxVariable *argument; // NULL: not known
  uint64_t offset;
  bool is_loaded;
  uint64_t distance;
} AddressOrigin;

// Of an address.  Equal ones are of equal addresses.
AddressOrigin origin_of(const CodeSlice *code, const Operand *operand);
bool is_argument(const PtxFunction *kernel, const PtxVariable *variable);

// rewritten.c
bool *find_rewritten(Task *task, const Flow *flow);
// It reads outside of shared memory what others write there meanwhile.
bool looks_outside(const PtxInstruction *instruction);

// live.c
// It reads and writes registers alone, and we can execute it.
bool is_silent(const PtxInstruction *instruction);
// Needs the slots.  Makes live_slots possible, and fewer instructions relevant.
void find_live(Task *task, CodeSlice *code);
// The slots that are still read at this instruction or behind it, before they
// are written again.
const Indices *live_slots(Task *task, CodeSlice *code, uint32_t at);

// ----------------------------------------------------------------- warps ---

enum { MOST_CALLS = 64 }; // deep

typedef struct Frame {
  CodeSlice *code;
  WarpValue *slots;
  struct Frame *caller; // or the next spare one
  unsigned depth;
  uint32_t return_to;
  const PtxInstruction *call;
} Frame;

// Lanes that are at the same place.
typedef struct LaneGroup {
  uint32_t lanes;
  uint32_t at; // index of the instruction in the function of frame
  Frame *frame;
  bool waits; // at a barrier or collective, for other lanes of the warp, or
              // at an mbarrier
  uint32_t blocked; // of `lanes`: the wait at this place is a blocking one
} LaneGroup;

struct Warp {
  unsigned index; // of all blocks
  unsigned block;
  uint32_t alive;  // lanes that have not exited
  bool is_blocked; // at a named barrier, or that of the cluster
  bool is_parked;  // until a phase of some mbarrier is over
  // At barrier.cluster, see cluster_barrier.c:
  bool has_arrived, is_at_cluster;
  uint32_t cluster_arrivals, cluster_command;
  uint32_t cluster_lanes, cluster_gone; // that have arrived, and exited since
  uint64_t steps;
  uint32_t syncs, lane_syncs; // with symbols: barriers and bar.warp.sync so far
  uint64_t *reading; // by wgmma, since the last command: a bit for 16 bytes
  const PtxInstruction *reader;        // NULL: nothing
  uint32_t wgmma_groups, wgmma_waited; // that were closed, and waited for
  bool waits_for_wgmma;
  LaneGroup groups[WARP];
  unsigned group_count;
  WarpValue thread_id[3];
  uint64_t thread_lanes[3][WARP];
  uint64_t scratch[2][WARP];   // where results are put together
  Anchor anchor_scratch[WARP]; // ... and what they count from
  Indices commits[WARP];      // by lane: how many commands the warp had when it
                              // closed a group of copies
  Indices bulk_commits[WARP]; // ... of bulk copies
  uint32_t tried[WARP]; // by lane: the try that may let it pass its next wait,
                        // plus one
};

// A named barrier, with what its generation is asked by bar.red.
typedef struct Poll {
  NamedBarrier barrier;
  unsigned ayes, votes; // threads with true, and all of them
  Modifier combine;     // what they are asked for
  bool is_vote_known;
  uint64_t symbol; // of the outcome, if symbols are followed
} Poll;

typedef struct EmulatedMbarrier {
  Mbarrier state;
  uint32_t first; // what phase 0 of this life is in tokens: even, and behind
                  // all phases of earlier ones
} EmulatedMbarrier;

// Values of some slots, put aside.
typedef struct Saved {
  const Indices *slots;
  Vec(WarpValue) values;
} Saved;

enum { MOST_GUESSED_OPERANDS = 8 };

// An instruction is being executed for both answers of a try.
typedef struct Guessing {
  bool has_any, is_on;
  unsigned answer;
  uint32_t lanes;
  uint32_t try[WARP];
  const PtxInstruction *cause;
  unsigned count; // of results
  WarpValue results[MOST_GUESSED_OPERANDS];
  unsigned next; // of
  uint64_t room[MOST_GUESSED_OPERANDS][WARP];
} Guessing;

// The lists of programs->addresses, by what they hold: indices plus 1.
typedef struct Scatters {
  uint32_t *slots; // open addressing
  size_t room;
} Scatters;

enum { MOST_RESULTS = 9, MOST_PARTS = 8 };

// A symbol and those of its parts, which are equally wide.  What has the symbol
// may have more bits than the parts together, so these say how wide they are.
typedef struct Parts {
  uint64_t whole;
  unsigned count, width; // in bits
  uint64_t at[MOST_PARTS];
} Parts;

// What symbol.c knows of an instruction.
typedef struct InstructionTraits {
  uint64_t name;     // a hash; 0: nothing is known yet
  uint8_t commuting; // how many operands may come in any order
  bool is_of_warp, has_hidden_sources, moves_halves;
} InstructionTraits;

// What symbol.c keeps.
typedef struct SymbolStore {
  InstructionTraits *traits; // by instruction
  uint64_t *shared;          // by byte of all blocks
  bool has_parts;            // some barrier is not for the whole block
  bool has_outside_order;    // what other threads wrote may be learnt of in
                             // global memory
  uint64_t fresh;            // given out so far
  uint64_t lost;             // bytes that were stored and not followed
  Vec(uint64_t) parts;       // see parts.c
  size_t part_count;
  uint32_t *slots; // open addressing, by the whole and by the parts
  size_t slot_count;
  unsigned count; // results of the instruction that is executed
  const Operand *to[MOST_RESULTS];
  uint64_t at[MOST_RESULTS][WARP];
  uint64_t room[WARP]; // of a value on its way
} SymbolStore;

struct Emulation {
  Task *task;
  Arena *arena; // of the programs
  const PtxFunction *kernel;
  const EmulationOptions *options;
  Programs *programs;
  Slice slice;
  uint64_t most_steps;
  uint32_t *place_of; // by instruction: of programs->places, plus 1
  Scatters scatters;
  uint64_t *address_of;            // by variable: where we take it to be
  Anchor (*anchors_at)[WARP];      // by variable: its address in all lanes
  bool *is_used;                   // by variable
  Vec(const PtxVariable *) tables; // that nothing in the file writes
  const PtxVariable *dynamic; // of the arrays of unknown size, one with the
                              // largest alignment; or NULL
  uint32_t shared_bytes;
  uint8_t *shared;       // its contents,
  uint8_t *shared_known; // and whether they are known
  Warp *warps;
  unsigned warp_count;  // of all blocks,
  unsigned block_warps; // and of each
  uint32_t cluster_size[3];
  uint32_t first_rank; // of the blocks that are executed
  bool is_cluster_said, has_narrow_waits;
  bool has_local;           // variables of each thread
  bool has_shared_pointers; // generic ones
  bool has_strong_updates;  // of shared memory: atomics and st.relaxed
  bool has_fences;          // fence, membar
  bool has_cluster_barrier, has_relaxed_arrivals;
  Mbarrier cluster_barrier;
  Poll polls[ALL_BARRIERS]; // by barrier
  EmulatedMbarrier
      *mbarriers;      // by address / 8 of all blocks; NULL: there is none
  Vec(Tensor) tensors; // copies by tensor maps, and how many have come
  size_t tensors_come;
  Saved saved[3];       // see wait.c
  Guessing *guessing;   // see guess.c
  SymbolStore *symbols; // NULL: they are not followed
  bool *is_followed;    // by instruction: what it stores; NULL: what all store
  BothRegion *regions;  // that we are in, the innermost first
  BothRegion *spare_regions;
  bool is_unsure;          // whether this instruction is executed is not known
  uint64_t forgotten;      // bytes of shared memory that were known
  WarpValue lane_masks[5]; // %lanemask_eq and so on
  uint64_t mask_lanes[5][WARP];
};

enum { QUANTUM = 4096 }; // steps of a warp before the next has its turn

// emulate.c
Loc place_loc(const PtxInstruction *instruction);
const char *loc_text(Emulation *emulation, Loc loc); // "k.cu:12"
// " gemm.h:12" if that was inlined where place_loc says, or ""
const char *inlined_text(Emulation *emulation,
                         const PtxInstruction *instruction);
// "k.cu:12 (gemm.h:12)"
const char *place_text(Emulation *emulation, const PtxInstruction *instruction);
// With single spaces.
const char *instruction_text(Emulation *emulation,
                             const PtxInstruction *instruction);
void add_command(Emulation *emulation, unsigned warp, Command command,
                 const PtxInstruction *instruction);
#define give_up(emulation, instruction, ...)                                   \
  unsupported((emulation)->task, place_loc(instruction), "%s%s%s",             \
              arena_printf(&(emulation)->task->arena, __VA_ARGS__),            \
              *inlined_text(emulation, instruction) ? ", in" : "",             \
              inlined_text(emulation, instruction))
// "data loaded at k.cu:12"
const char *value_cause(Emulation *emulation, const WarpValue *value);

// Nobody asks for what the warp stores from here on.
bool has_enough_of(const Emulation *emulation, const Warp *warp);

// flow.c
Frame *new_frame(Emulation *emulation, CodeSlice *code);
void warp_run(Emulation *emulation, Warp *warp, unsigned steps);
// Until all are at this place; false: somebody waits for others.
bool warp_run_to(Emulation *emulation, Warp *warp, const Frame *frame,
                 uint32_t at);
// These lanes of a group become one at another place, or leave for good.
void group_part(Warp *warp, LaneGroup *group, uint32_t leaving, uint32_t at);
void group_drop(Warp *warp, LaneGroup *group, uint32_t leaving);
uint32_t guard_lanes(Emulation *emulation, Warp *warp, const LaneGroup *group,
                     const PtxInstruction *instruction, uint32_t *unknown);
// Gives up where it is not known.
uint32_t known_guard(Emulation *emulation, Warp *warp, const LaneGroup *group,
                     const PtxInstruction *instruction, const char *what);
void count_step(Emulation *emulation, Warp *warp, const LaneGroup *group);
// What all 32 lanes do together, by the manual.
void need_whole_warp(Emulation *emulation, const Warp *warp,
                     const PtxInstruction *instruction);

// both.c
// The branch that the group is at is not known for some lanes: they go both
// ways, to where these meet.  False: that cannot be done.
bool branch_both(Emulation *emulation, Warp *warp, LaneGroup *group,
                 uint32_t unknown);
// Whether what is executed now is executed depends on what is not known.
bool is_perhaps(const Emulation *emulation);

// guess.c
// The lanes whose value of a register is guessed, and one of them.
uint32_t guessed_lanes(const Frame *frame, uint32_t reg);
const Guess *guess_at(const Frame *frame, uint32_t reg, unsigned lane);
// The wait whose answer it is, of some lane.
const PtxInstruction *guess_cause(const Frame *frame, uint32_t reg);
// The lanes for which an instruction computes with what one try says.
uint32_t guess_sources(Emulation *emulation, const LaneGroup *group,
                       const PtxInstruction *instruction, uint32_t lanes);
// Then this executes it for them.
void guess_step(Emulation *emulation, Warp *warp, const LaneGroup *group,
                const PtxInstruction *instruction);
// A value as an instruction finds it: guesses are not known, or for one answer.
WarpValue guess_seen(const Emulation *emulation, const WarpValue *value);
// False: what is written is written for good.
bool guess_catches(Emulation *emulation, const Warp *warp, WarpValue *slot,
                   const WarpValue *value);
// The result of the wait that the group is at depends on these tries.
void guess_begin(Emulation *emulation, const Warp *warp, const LaneGroup *group,
                 uint32_t lanes, const uint32_t tries[WARP]);

// step.c
// What reads and writes registers alone, for these lanes.
void step_lanes(Emulation *emulation, Warp *warp, const LaneGroup *group,
                const PtxInstruction *instruction, uint32_t lanes);
// An instruction that lets control go on; `unknown`: lanes whose guard is.
void step(Emulation *emulation, Warp *warp, const LaneGroup *group,
          const PtxInstruction *instruction, uint32_t lanes, uint32_t unknown);
// Addresses of variables are not known.
WarpValue operand_value(const Emulation *emulation, const Warp *warp,
                        const Frame *frame, const Operand *operand,
                        unsigned bits);
// They count from their variables, for those who ask what that is.
WarpValue operand_anchored(const Emulation *emulation, const Warp *warp,
                           const Frame *frame, const Operand *operand,
                           unsigned bits);
void write_operand(Emulation *emulation, const Warp *warp, const Frame *frame,
                   const Operand *operand, const WarpValue *value,
                   uint32_t lanes);
bool is_wanted(const Frame *frame, const Operand *operand);

// anchor.c
#define NO_ANCHOR UINT32_MAX // where variables are decides
// The number is the token of an mbarrier: its address times 2^32, and how many
// phases were over there.
#define TOKEN_ANCHOR 1u
typedef struct Anchored {
  const PtxVariable *variable;
  bool is_generic; // a generic address
  int shift;       // to the left; the number has that of the address
} Anchored;
Anchor anchor_make(Anchored from);
// Of no plain number.
Anchored anchor_of(const Emulation *emulation, Anchor anchor);
// The generic address of the same variable or the one in its space, which is
// this; NO_ANCHOR: that is nothing.
Anchor anchor_turned(const Emulation *emulation, Anchor from, PtxSpace space,
                     bool is_generic);
bool anchor_is_address(const Emulation *emulation, Anchor anchor);
// Of some bits of a number that counts from this.
Anchor anchor_of_part(const Emulation *emulation, Anchor from, uint64_t number,
                      unsigned begin, unsigned bits);
// What the result of an instruction of integers counts from in a lane; false:
// it depends on where variables are.
bool anchor_integer(const Emulation *emulation,
                    const PtxInstruction *instruction, const WarpValue *in,
                    unsigned count, unsigned lane, Anchor *anchor);
// This one in the lanes that are known, and `result` is not where it is NONE.
void anchor_lanes(WarpValue *result, Anchor anchors[WARP]);
// Whether a comparison says the same wherever the variables are.
bool anchor_compares(const Emulation *emulation,
                     const PtxInstruction *instruction, PtxType type,
                     const WarpValue in[2], unsigned lane);
// An address that is extended from one type to more bits.
bool anchor_extends(const Emulation *emulation, Anchor anchor, uint64_t number,
                    PtxType from);
// Lanes that are no address of shared memory, nor computed from one.
uint32_t anchor_elsewhere(const Emulation *emulation, const WarpValue *value);

// integer.c
WarpValue integer_evaluate(const Emulation *emulation,
                           const PtxInstruction *instruction,
                           const WarpValue *in, unsigned count, unsigned bits,
                           Warp *warp);

// float.c
// False: what it says is not known.
bool float_compare(const PtxInstruction *instruction, uint64_t a, uint64_t b,
                   bool *is_true);

// layout.c
enum {
  OTHER_WINDOW_BITS = 40,
  SHARED_WINDOW_BITS = 32,
  BLOCK_WINDOW_BITS = 24, // within that
};
// Generic addresses: shared memory in a window of its own, all else above.
#define SHARED_WINDOW (UINT64_C(0x7e) << 40)
#define OTHER_WINDOW (UINT64_C(0x7f) << 40)
size_t memory_bytes(const Emulation *emulation);
void memory_lay_out(Emulation *emulation);

// memory.c
void memory_access(Emulation *emulation, Warp *warp, const LaneGroup *group,
                   const PtxInstruction *instruction, uint32_t lanes);
// What an access brings that nobody follows.  A generic address is not put
// together from halves that are loaded apart.
WarpValue memory_data(const PtxInstruction *instruction);
// Where these lanes find their mbarriers.
void memory_locate(Emulation *emulation, Warp *warp, const LaneGroup *group,
                   const PtxInstruction *instruction, uint32_t lanes,
                   uint64_t at[WARP]);
// What these bytes hold.
void memory_forget(Emulation *emulation, uint64_t at, uint64_t bytes);
// Where an address of shared memory is in one lane; `bytes` from there on have
// to be inside, and it is a multiple of `align`.
uint64_t memory_range(Emulation *emulation, Warp *warp, const LaneGroup *group,
                      const PtxInstruction *instruction, const Operand *operand,
                      unsigned lane, uint64_t bytes, unsigned align);

// What begins at `at` in its block has to be inside of its variable.
void memory_check(Emulation *emulation, const PtxInstruction *instruction,
                  Anchor anchor, uint64_t at, uint64_t bytes);
// As memory_range, where this is what its register has.
uint64_t memory_place(Emulation *emulation, const Warp *warp,
                      const PtxInstruction *instruction,
                      const WarpValue *address, uint64_t distance,
                      unsigned lane, uint64_t bytes, unsigned align);

// An access of all lanes of a warp.
void memory_scatter(Emulation *emulation, Warp *warp,
                    const PtxInstruction *instruction, CommandKind kind,
                    unsigned bytes, const uint64_t at[WARP]);

// Of a base register alone.
WarpValue address_value(const Emulation *emulation, const Warp *warp,
                        const LaneGroup *group, const Operand *operand);
// As a register has a number that is read with this type.
uint64_t number_as_type(PtxType type, uint64_t number);

// table.c
bool is_table(const PtxVariable *variable);
// Some bytes of an argument of the kernel.
WarpValue argument_value(const Emulation *emulation,
                         const PtxVariable *argument, uint64_t offset,
                         unsigned bytes);
// A load that does not read shared memory.
void table_load(Emulation *emulation, Warp *warp, const LaneGroup *group,
                const PtxInstruction *instruction, uint32_t lanes);

// symbol.c
// The lowest bit says that shfl.bfly had a part in it, and is none of the hash.
// OPEN: some of what it was computed from was not followed.  If nothing else is
// set nothing is known of it; else the bits from OPEN_BITS on say where in it
// that is, and what it is, and those below have a hash of all of it.
enum { EXCHANGED = 1, OPEN = 2, OPEN_BITS = 24 };
static inline uint64_t symbol_hash(uint64_t symbol) {
  return symbol & ~(uint64_t)EXCHANGED;
}
uint64_t symbol_mix(uint64_t a, uint64_t b); // of anything; never 0 nor open
static inline bool symbol_is_open(uint64_t symbol) { return symbol & OPEN; }
// Of two symbols; 0 if either is.
uint64_t symbol_join(uint64_t a, uint64_t b);
uint64_t symbol_of_number(uint64_t number);
void symbols_set_up(Emulation *emulation);
// Of a lane; 0: none.
uint64_t symbol_of(const WarpValue *value, unsigned lane);
// Of what comes by shfl.bfly.
uint64_t symbol_exchanged(uint64_t symbol);
// Before an instruction for these lanes, and those of which it is not known
// whether they execute it; and behind it.
void symbols_compute(Emulation *emulation, const Warp *warp,
                     const LaneGroup *group, const PtxInstruction *instruction,
                     uint32_t lanes, uint32_t unknown);
void symbols_assign(Emulation *emulation, const Frame *frame, uint32_t lanes);
void symbols_of_argument(Emulation *emulation, const Frame *frame,
                         const PtxVariable *parameter, const PtxCell *cell);
// The same for all lanes, and like no other; NULL: they are not followed.
uint64_t *symbols_alike(Emulation *emulation);
// This one for all lanes.
uint64_t *symbols_all(Emulation *emulation, uint64_t symbol);
void symbols_store(Emulation *emulation, uint64_t at, uint64_t symbol,
                   unsigned bytes);
// Who stored there knows, and it was not followed.
void symbols_lose(Emulation *emulation, uint64_t at, unsigned bytes);
// Nobody knows what is there now.
void symbols_renew(Emulation *emulation, uint64_t at, unsigned bytes);
// `extends_sign`: to more bits, as a signed number.
uint64_t symbols_load(const Emulation *emulation, uint64_t at, unsigned bytes,
                      bool extends_sign);
// What a store writes.
bool symbols_matter(const Emulation *emulation, const Warp *warp,
                    const PtxInstruction *store);
void symbols_write(Emulation *emulation, const Warp *warp,
                   const LaneGroup *group, const PtxInstruction *store,
                   Command *command);

// Some value in each lane, which was not followed; NULL without symbols.
uint64_t *symbols_open(Emulation *emulation);
// Some value in each lane.
uint64_t *symbols_apart(Emulation *emulation);

// skip.c
// Only data depends on the branch that the group is at.
bool skips_branch(Emulation *emulation, const LaneGroup *group);
// Then this leaves it out; where to go on.
uint32_t skip_branch(Emulation *emulation, const LaneGroup *group);

// parts.c
void symbol_split(Emulation *emulation, Parts *parts); // count of whole
void symbol_unite(Emulation *emulation, Parts *parts);
bool symbol_moves_halves(const PtxInstruction *instruction); // of 64 bits
// Of one that does; 0: not these.
uint64_t symbol_of_halves(Emulation *emulation,
                          const PtxInstruction *instruction, uint64_t a,
                          uint64_t b);

// matrix.c
// m by n by k of the instruction; false: they are not in its name.
bool matrix_shape(const PtxInstruction *instruction, unsigned shape[3]);
// All lanes of the warp are here.
void matrix_access(Emulation *emulation, Warp *warp, const LaneGroup *group,
                   const PtxInstruction *instruction);

// All lanes of the warp are here.
void wmma_access(Emulation *emulation, Warp *warp, const LaneGroup *group,
                 const PtxInstruction *instruction);

// All lanes of the warp are here.  False: they wait for other warps.
bool wgmma_step(Emulation *emulation, Warp *warp, const LaneGroup *group,
                const PtxInstruction *instruction);
// The commands for what is read.
void wgmma_flush(Emulation *emulation, Warp *warp);
void wgmma_end(Emulation *emulation); // who waits there waits for ever

// cluster.c
// Which blocks are executed.  Needs the slice.
void cluster_set_up(Emulation *emulation);
// The first in the slice of which this is so, or NULL.
const PtxInstruction *find_instruction(const Emulation *emulation,
                                       bool (*is)(const PtxInstruction *));
// %ctaid and those of clusters.
uint32_t cluster_block(const Emulation *emulation, const Warp *warp,
                       unsigned axis);
WarpValue cluster_value(const Emulation *emulation, const Warp *warp,
                        uint32_t special);
// Where the shared variables of the warp's block are, as it sees them.
uint64_t cluster_own_window(const Warp *warp);
// Makes of such an address one in its block; where the memory of that begins.
uint64_t cluster_locate(Emulation *emulation, const Warp *warp,
                        const PtxInstruction *instruction, uint64_t *at);
void cluster_map(Emulation *emulation, Warp *warp, const Frame *frame,
                 const PtxInstruction *map, uint32_t lanes);
void cluster_rank(Emulation *emulation, Warp *warp, const Frame *frame,
                  const PtxInstruction *ask, uint32_t lanes);

// cluster_barrier.c
void cluster_barrier_set_up(Emulation *emulation);
// barrier.cluster; false: lanes of the warp are missing.
bool cluster_meet(Emulation *emulation, Warp *warp, const LaneGroup *group);
bool cluster_meet_apart(Emulation *emulation, Warp *warp);
void cluster_exit(Emulation *emulation, Warp *warp, uint32_t lanes,
                  const PtxInstruction *instruction);
// Who waits there waits for ever; his last command says so, and he passes.
// False: nobody does.
bool cluster_end(Emulation *emulation);
void cluster_fence_inits(Emulation *emulation, const Warp *warp,
                         const PtxInstruction *instruction, uint32_t lanes);

// barrier.c
// False: lanes of the warp are missing.
bool barrier_meet(Emulation *emulation, Warp *warp, LaneGroup *group);
// The lanes of both are at one instruction, by way of the same calls.
bool barrier_is_one(const LaneGroup *a, const LaneGroup *b);
// All groups wait: lets go those that can, or parks the warp.
void barrier_meet_apart(Emulation *emulation, Warp *warp);
// All lanes of a warp have exited: nobody waits for it any more.
void barrier_note_exit(Emulation *emulation);
// As if all barriers were complete where some wait; false: nobody does.
bool barrier_let_all_go(Emulation *emulation);

bool is_memory_fence(const PtxInstruction *instruction);
// What the lanes of a group wait for.
typedef struct AwaitedPhases {
  uint64_t at[WARP];
  uint32_t odd; // parities
} AwaitedPhases;
// What is relaxed may order accesses together with a fence: then it gives up.
void check_no_fences(Emulation *emulation, const PtxInstruction *instruction);
void mbarrier_awaited(Emulation *emulation, Warp *warp, const LaneGroup *group,
                      uint32_t lanes, AwaitedPhases *awaited);
void mbarrier_update(Emulation *emulation, Warp *warp, const LaneGroup *group,
                     const PtxInstruction *instruction, uint32_t lanes);
// They ask and go on; tries[lane] is the command.
void mbarrier_try(Emulation *emulation, Warp *warp, const LaneGroup *group,
                  uint32_t lanes, uint32_t tries[WARP]);
// The lanes whose wait is over.
uint32_t mbarrier_wait(Emulation *emulation, Warp *warp,
                       const LaneGroup *group);
// Nothing moves any more: what waits there waits for ever.
void mbarrier_end(Emulation *emulation);
// ... and goes on all the same; false: nobody waits.
bool mbarrier_let_all_go(Emulation *emulation);

// wait.c
// The lanes to which the wait that the group is at is a blocking one; to the
// others its result means nothing, or it is kept for a later one.
uint32_t wait_blocks(Emulation *emulation, Warp *warp, const LaneGroup *group,
                     uint32_t lanes);
// The lanes that take the branch that the group is at; where an early try
// decides, it says "no".  Gives up where that is not known.
uint32_t branch_lanes(Emulation *emulation, Warp *warp, const LaneGroup *group,
                      const PtxInstruction *branch);

// By bytes that a bulk copy brings; bulk.c has the command.
void mbarrier_complete(Emulation *emulation, const Command *complete);
// What the current phase was told of and has not got; 0: no mbarrier is there.
int64_t mbarrier_missing(Emulation *emulation, uint64_t at);

// An arrival or bytes for another block, perhaps in the scope of one alone.
void mbarrier_note_scope(Emulation *emulation,
                         const PtxInstruction *instruction);

void bulk_copy(Emulation *emulation, Warp *warp, const LaneGroup *group,
               const PtxInstruction *instruction, uint32_t lanes);

// tensor.c
// The last two commands of the warp are one, and what its mbarrier gets.
void tensor_start(Emulation *emulation, const Warp *warp, const CodeSlice *code,
                  const PtxInstruction *instruction, uint64_t to,
                  uint64_t mbarrier);
// Nobody can go on: those that are on their way come.  False: there are none.
bool tensors_come(Emulation *emulation);
void tensors_end(Emulation *emulation); // how many bytes they are

// tensormap.c
void tensormap_access(Emulation *emulation, Warp *warp, const LaneGroup *group,
                      const PtxInstruction *instruction, uint32_t lanes);

void copy_group(Emulation *emulation, Warp *warp,
                const PtxInstruction *instruction, uint32_t lanes);

// collective.c
// The lanes that may go on behind it.
uint32_t collective(Emulation *emulation, Warp *warp, const LaneGroup *group,
                    const PtxInstruction *instruction, uint32_t lanes);

#endif
