// What the files of the replay share: programs executed under one schedule.
//
// A schedule is not stored but made: whoever can go on does, in the order of a
// policy, but for those who are held.  An execution ends when its goal is met,
// a barrier or mbarrier is misused, or nobody can go on.

#ifndef BARRIERS_PROGRAMS_REPLAY_H
#define BARRIERS_PROGRAMS_REPLAY_H

#include "barriers/programs/check.h"

// These lanes do not come past a command; or, if it is a copy or arrives later
// (is_end), they begin it, and it does not come to its end.
typedef struct Hold {
  unsigned warp;
  uint32_t command, lanes;
  bool is_end;
} Hold;

typedef Vec(Hold) Holds;

// The program of a warp; it never changes.
typedef struct Route {
  uint32_t *stop; // by command: the first from there on that may have to wait
                  // or that others notice
  uint32_t exits[WARP]; // where each lane exits
  uint32_t first_exit;
  Vec(uint32_t) meetings; // the commands at named barriers
} Route;

// Lanes that stand before the same command.
typedef struct Party {
  uint32_t at, lanes;
} Party;

typedef struct Crew {
  Party parties[WARP];
  unsigned count;
  unsigned met; // of the route's meetings
  bool waits;   // at the last one of these
  unsigned registers;
} Crew;

// Who may go on first, and when asynchronous arrivals come.
typedef struct Policy {
  bool backwards; // the last warp and lanes first
  bool in_turns;  // one stop of each warp
  bool is_late;   // they come when nobody else can go on
  bool together;  // lanes that are ahead wait for the others of their warp
} Policy;

// Warps that may be able to go on, one after the other.
typedef struct Ring {
  unsigned at[MOST_WARPS];
  unsigned first, count;
  bool has[MOST_WARPS];
} Ring;

// What happened, of one mbarrier.
typedef struct ReplayEvent {
  Hold part;
  int64_t phase; // those of earlier lives counted; of a wait, for which
  bool is_wait;
} ReplayEvent;

typedef struct Misuse {
  FindingKind kind;
  End end;
} Misuse;

// Who knows of what is followed: one access, of a copy its end; or that some
// thread of a block runs.
typedef enum Following {
  FOLLOWS_NOTHING,
  FOLLOWS_ACCESS,
  FOLLOWS_BLOCK
} Following;

enum {
  KNOWN_MADE = 1,
  KNOWN_FENCED = 2, // by a proxy fence behind it
  KNOWN_BEGUN = 4,  // an mbarrier, by a fence for that
};

typedef struct Knowledge {
  Following following;
  End access;
  unsigned block;
  bool is_made;
  bool is_begun; // by the fence of its own thread
  uint8_t lanes[MOST_WARPS][WARP];
  uint8_t met[MOST_WARPS]; // published at barriers
  uint8_t published[ALL_BARRIERS];
  uint8_t *coming, *come; // by mbarrier: of this phase, and of the last one
} Knowledge;

typedef struct ReplayState ReplayState;
typedef struct Tour Tour;
typedef bool (*Goal)(const ReplayState *execution, void *data);

// What all executions of some programs share, and the state of the last one.
struct ReplayState {
  Task *task;
  Arena *arena; // of what the findings get
  const Programs *programs;
  Route *routes;
  const Command *unknown; // one that cannot be executed, or NULL
  uint64_t left;          // steps that may still be taken
  // How this one is to go:
  Holds holds;
  Policy policy;
  bool forgives; // a misuse is noted, and does not end it
  Goal goal;
  void *data;
  struct Tour *tour; // NULL: none
  bool is_watched;
  End watched; // what it is, and the events of its mbarrier, are noted
  // The state:
  Crew crews[MOST_WARPS];
  Ring ready;
  unsigned running; // this warp
  bool has_role;    // of the watched command: the generation or phase
  bool has_come;    // it waits; then the role is what it has come for
  int64_t role;
  NamedBarrier barriers[ALL_BARRIERS];
  Mbarriers mbarriers, fresh;
  int64_t *waited; // by mbarrier: a wait has passed for the phases before
  Holds landings;  // arrivals and bytes that are on their way
  Knowledge known;
  unsigned free_registers[MOST_BLOCKS];
  uint64_t commands; // of warps
  bool is_met, is_wrong, is_stopped;
  Misuse wrong;
  Legs legs;
  size_t legs_left;        // that may still be kept
  Vec(ReplayEvent) events; // of the last one that was watched
};

// ------------------------------------------------------- replay_routes.c ---

ReplayState *execution_new(Task *task, const Programs *programs);
uint32_t takers_at(const ReplayState *execution, unsigned warp, uint32_t at);

// ---------------------------------------------------------- replay_run.c ---

// From the beginning.
void execution_run(ReplayState *execution);
// On from where it is, in the turn of the warp that runs.
void execution_resume(ReplayState *execution);
// Where the lane stands; behind its last command it is nowhere: UINT32_MAX.
uint32_t lane_position(const ReplayState *execution, unsigned warp,
                       unsigned lane);
// Nobody has anything left to do, of all blocks or of one.
bool is_over(const ReplayState *execution);
bool is_block_over(const ReplayState *execution, unsigned block);
void misuse(ReplayState *execution, FindingKind kind, End end);
bool is_ended(const ReplayState *execution); // by a misuse
void make_ready(ReplayState *execution, unsigned warp);

// ------------------------------------------------------ replay_barrier.c ---

bool can_meet(const ReplayState *execution, unsigned warp, uint32_t at,
              uint32_t lanes);
// True: to meet it now would be this mistake.
bool is_misuse(const ReplayState *execution, FindingKind kind, unsigned warp,
               const Command *command);
void meet_barrier(ReplayState *execution, unsigned warp);
// Notes what a command is that somebody does now, or waits at.
void note_role(ReplayState *execution, End end, int64_t role);
// Arrivals that the last of the warp's lanes has made.
void settle_arrivals(ReplayState *execution, unsigned warp);

// ----------------------------------------------------- replay_mbarrier.c ---

size_t mbarrier_index(const ReplayState *execution, const Command *command);
// What these lanes do.
void use_mbarrier(ReplayState *execution, unsigned warp, uint32_t at,
                  uint32_t lanes);
// They wait for an mbarrier.
void note_wait(ReplayState *execution, unsigned warp, uint32_t at,
               uint32_t lanes);
// Of those that are on their way and not held, the first; false: there is none.
bool land_one(ReplayState *execution);
// Those of the lanes whose copies before this one's end are held.
uint32_t held_by_copies(const ReplayState *execution, unsigned warp,
                        uint32_t at, uint32_t lanes);

// -------------------------------------------------------- replay_known.c ---

// At the beginning.
void known_begin(ReplayState *execution);
// The lanes have executed a command.
void known_step(ReplayState *execution, unsigned warp, uint32_t at,
                uint32_t lanes);
void known_meet(ReplayState *execution, unsigned warp, uint32_t takers,
                unsigned barrier);
void known_complete(ReplayState *execution, unsigned warp, uint32_t takers,
                    unsigned barrier);
void known_arrive(ReplayState *execution, End end, size_t mbarrier);
void known_turn_over(ReplayState *execution, size_t mbarrier);
void known_wait(ReplayState *execution, End end, size_t mbarrier);

// ----------------------------------------------------------------- quest ---

// A finding that a schedule is looked for.
typedef struct Quest {
  ReplayState *execution;
  const Finding *finding;
  End x, y;     // the ends of the finding that the goal is about
  int64_t role; // the generation or phase of x in the plain schedule
  bool was_wrong, was_stopped; // schedules that were tried and came no further
  bool is_behind;              // it was seen, behind another mistake
  Misuse wrong;
} Quest;

enum {
  MOST_LEGS = 4096,      // of a schedule that is told
  MOST_OF_ONE = 2000000, // steps, of one finding
};

// -------------------------------------------------------------- replay.c ---

// The two ends, which are plain accesses or begin copies, are held.
void quest_hold_both(Quest *quest);
// The finding was seen, in the last execution.
void quest_tell(const Quest *quest, Finding *finding);

// --------------------------------------------------------- replay_tour.c ---

// Confirms findings along one execution; takes of the steps that are left.
void replay_tour(ReplayState *execution, Check *check, uint64_t *left);
// The first command from this one on, up to `stop`, that a finding tells of.
uint32_t tour_stop(const Tour *tour, unsigned warp, uint32_t from,
                   uint32_t stop);
void tour_visit(ReplayState *execution, unsigned warp, Party party);

// -------------------------------------------------------- replay_goals.c ---

bool is_next(const ReplayState *execution, End end);
bool is_next_of_warp(const ReplayState *execution, End end);
bool is_pending(const ReplayState *execution, End end);
bool asks(const Command *command); // whether a phase is over
int64_t role_of(const ReplayState *execution, End end);
const Command *quest_command(const Quest *quest, End end);

bool can_conflict(const ReplayState *execution, End x, End y);
bool goal_both(const ReplayState *execution, void *data);
bool goal_not_known(const ReplayState *execution, void *data);
bool goal_not_fenced(const ReplayState *execution, void *data);
bool goal_overlap(const ReplayState *execution, void *data);
unsigned block_of_end(const ReplayState *execution, End end);
bool goal_not_started(const ReplayState *execution, void *data);
bool goal_not_told(const ReplayState *execution, void *data);
bool goal_gone(const ReplayState *execution, void *data);
bool goal_forgotten(const ReplayState *execution, void *data);
bool goal_exit(const ReplayState *execution, void *data);
bool goal_over(const ReplayState *execution, void *data);
bool goal_generation(const ReplayState *execution, void *data);
bool goal_misuse(const ReplayState *execution, void *data);
bool goal_next(const ReplayState *execution, void *data);
bool goal_other_phase(const ReplayState *execution, void *data);
bool goal_early(const ReplayState *execution, void *data);
bool goal_late(const ReplayState *execution, void *data);
bool goal_completes(const ReplayState *execution, void *data);
bool goal_in_use(const ReplayState *execution, void *data);
bool goal_wrong_use(const ReplayState *execution, void *data);
bool goal_unbalanced(const ReplayState *execution, void *data);

// --------------------------------------------------------- replay_text.c ---

// What the last execution has shown, or why none did.
const char *replay_happened(const Quest *quest);
const char *replay_missed(const Quest *quest);

#endif
