// Kernels executed on this machine's processor, under a schedule of ours.
//
// Device IR becomes host code (jit/), a thread of the GPU becomes a fiber
// (machine/fiber.c), and a child process of its own contains whatever happens
// (machine/child.c).  What is executed is a Run; what came of it is an Outcome,
// plain data in memory that parent and child share.

#ifndef RUNTIME_RUNTIME_H
#define RUNTIME_RUNTIME_H

#include "llvm/llvm.h"

// ------------------------------------------------------------------ code ---

typedef enum SiteKind {
  SITE_READ,
  SITE_WRITE,
  SITE_ATOMIC,
  SITE_FILL,  // writes many bytes: memset, the target of memcpy
  SITE_FETCH, // reads many bytes: the source of memcpy
  SITE_FENCE,
  SITE_CALL, // a barrier, a warp operation, an assertion
  SITE_LOOP, // a back edge
} SiteKind;

enum { WIDEST_ACCESS = 16 }; // bytes of one access of a device

// An instruction that the machine hears of.
typedef struct Site {
  SiteKind kind;
  Loc loc;
  Scope scope;               // ATOMIC, FENCE; SYSTEM: VOLATILE
  bool is_volatile;          // READ, WRITE: as strong as a relaxed atomic
  bool is_load, is_store;    // ATOMIC: no more than that
  bool acquires, releases;   // ATOMIC, FENCE
  bool acquires_if_it_fails; // ATOMIC: compare-and-swap
  bool is_conditional;       // ATOMIC: what it writes depends on what it finds
  bool is_copy;              // FILL, FETCH: asynchronous
  bool is_free;              // FILL: what malloc has given goes back
  unsigned alignment;        // of its address, in bytes, a power of two
  unsigned source; // 1 + the variable it names, of shared memory; or 0
} Site;

typedef enum ParameterKind {
  PARAMETER_POINTER,
  PARAMETER_INTEGER,
  PARAMETER_FLOAT,
  PARAMETER_STRUCT, // by value
  PARAMETER_SHARED, // OpenCL: a __local array, whose size the launch gives
} ParameterKind;

typedef struct Parameter {
  ParameterKind kind;
  const char *name;
  unsigned bytes;         // of the value itself
  unsigned alignment;     // ... where a kernel passes it to another
  unsigned element_bytes; // POINTER: as far as it is known
  Fields fields;          // .. and what the debug information tells
} Parameter;

typedef Vec(Site) Sites;

// A variable of the module that is in memory: __shared__, __device__,
// __constant__, and constants such as strings.
typedef struct Variable {
  const char *name;
  Space space;
  uint64_t bytes;
  uint64_t offset;  // SHARED: in the shared memory of a block
  bool is_dynamic;  // extern __shared__
  unsigned element; // bytes of the innermost element
  bool is_note;     // of the compiler to itself, in no memory
  bool is_local;    // what a PARAMETER_SHARED points to; behind all others
  unsigned parameter;
  char *at; // in a program: where it lies for all kernels, in a buffer
} Variable;

// One kernel of a module that llvm_prepare has seen.
typedef struct Code {
  struct LLVMOpaqueModule *module;
  struct LLVMOpaqueValue *function; // NULL: only what kernels share
  const char *source;               // name
  Sites sites;
  Vec(Variable) variables; // those of the module first, in its order
  Vec(Parameter) parameters;
  uint64_t shared_bytes; // of static variables with the gaps between them
  uint64_t stack_bytes;  // of local arrays
  uint32_t cluster[3];   // that it is compiled for; 0: for any
  uint32_t block[3];     // the same, by reqd_work_group_size
  uint32_t most_threads; // of a block, by __launch_bounds__; 0: as ever
  bool has_warp_sync;
  bool has_arrivals;      // named barriers with a count, mbarriers, copies
  bool counts_barrier_0;  // one of them may be barrier 0
  bool waits_at_barriers; // of the block, and nowhere else
  bool waits_for_blocks;  // ... going round loops with barriers
  bool shares_own;        // a thread may have addresses of another's locals
  bool is_cut;            // into regions that are executed twice
  bool has_warp_units;    // ... warps are compared, not threads
  const char *calm;  // ... but for reads of these arrays, if they are apart; or
                     // NULL
  bool is_repeated;  // not cut: it is executed twice in one order
  const char *uncut; // ... why
  Loc uncut_at;      // ... for what is there
  uint32_t cut_sites; // ... whose reports are about sites from here on
  Loc guesses; // what our own headers have for what is not known, or nowhere
  // Another function of the module that is executed beside it, or NULL, and
  // which of the parameters above each of its own is.
  struct LLVMOpaqueValue *also;
  Vec(unsigned) also_parameters;
} Code;

// ---------------------------------------------------------------- half.c ---

double half_value(uint16_t bits);
uint16_t half_rounded(double value);
double brain_value(uint16_t bits); // bf16
uint16_t brain_rounded(double value);

// ------------------------------------------------------------------- run ---

typedef enum Content {
  CONTENT_GIVEN, // whatever was put there
  CONTENT_ZERO,
  CONTENT_IOTA,  // 0, 1, 2, .. in 32-bit elements, or in floats
  CONTENT_SMALL, // the like, modulo 16
  CONTENT_MIXED, // scattered small numbers
} Content;

// The memory of malloc in kernels.
typedef struct Heap {
  char *at;
  uint64_t bytes;
  uint64_t next;      // where to look for a free piece
  unsigned char *map; // what is in use
} Heap;

// The memory behind a pointer argument.
typedef struct Buffer {
  const char *name;
  char *at;
  uint64_t bytes;   // from `at` on
  uint64_t before;  // and so many below it, for replay
  Content content;  // of pages that are touched for the first time
  unsigned floats;  // ... as floats of so many bytes, 0: as whole numbers
  unsigned element; // bytes of one, 0 if that is not known
  bool is_gone;     // given back: nobody may access it
  const Heap *heap; // of which only pieces may be accessed; or NULL
} Buffer;

// Stops a thread before the n-th execution of a site; 0 is the first.
typedef struct Stop {
  uint32_t block[3], thread[3];
  Loc loc;
  AccessKind kind;
  uint64_t occurrence;
} Stop;

// A value that the thread `which` read at this place in the proof.
typedef struct Hint {
  unsigned which; // thread 0 or 1; 2: both
  Loc loc;
  unsigned bytes;
  uint64_t value;
} Hint;

// Of several for one access, as in a loop.
typedef enum ChosenHint { HINT_LAST, HINT_FIRST, HINT_NONE } ChosenHint;

// Bytes of a buffer that are known from the start.
typedef struct Given {
  size_t buffer;
  uint64_t offset;
  unsigned bytes;
  uint64_t value;
} Given;

typedef enum Watch {
  WATCH_NOTHING = 0, // only back edges and calls
  WATCH_ACCESSES,    // and that accesses stay inside their arrays
  WATCH_RACES,       // and races
  WATCH_SCHEDULES,   // accesses are told to Run.hooks
} Watch;

// Do the threads of the stops run before all others?
typedef enum ChosenOrder {
  CHOSEN_NONE,
  CHOSEN_FIRST,    // thread 0, then thread 1
  CHOSEN_REVERSED, // thread 1, then thread 0
} ChosenOrder;

// A launch from a kernel, or a copy.
typedef struct Child {
  const char *kernel; // linkage name; NULL: bytes are copied
  void *to;
  const void *from; // NULL: they are filled
  uint32_t value;   // ... with this
  char *parameters; // one behind the other, as aligned as they are
  uint64_t bytes;
  uint32_t grid[3], block[3];
  uint32_t shared;
} Child;

typedef struct Children {
  Child *at;
  size_t count, room;
} Children;

// By values: of what copies of several blocks may take.
typedef struct CopiesLimits {
  unsigned megabytes; // 0: as much as ever
  unsigned copies;    // of a line; 0: one for each block
  unsigned passes;    // where blocks share them; 0: as many as it takes
} CopiesLimits;

typedef struct Run {
  const Code *code;
  uint32_t grid[3], block[3];
  uint32_t cluster[3]; // blocks, which the grid is a multiple of; 0: as 1
  uint32_t offset[3];  // OpenCL: where the global ids start
  uint64_t dynamic_shared;
  Vec(void *) arguments; // to the value of each parameter; SHARED: to its size
  Vec(Buffer) buffers;
  Watch watch;
  const struct AccessHooks *hooks; // NULL: only the machine watches
  bool tolerates_same_value;       // two writes of the same value are no race
  bool passes_left; // a barrier is told and opens that only threads which have
                    // left do not reach, as on a device
  uint64_t max_steps; // back edges and accesses; 0: no limit
  uint64_t max_pages; // of buffers that may be touched; 0: no limit
  double max_seconds;
  CopiesLimits limits;
  unsigned seed;         // of the order of blocks and threads; 0: as numbered
  bool is_deterministic; // what it leaves and prints does not depend on that
  bool is_quick;         // its code is compiled without optimisation
  int output;            // file that the kernel prints to, -1 for none
  Heap *heap;            // in a buffer; NULL: malloc finds no memory
  Children *children;    // what it launches; NULL: it cannot
  char *workspace;       // in a buffer; of a cooperative launch, else NULL
  void (*progress)(uint64_t done, uint64_t total); // blocks; or NULL
  // For replay: only these blocks are executed; none: all of them.
  Vec(uint64_t) blocks;
  bool is_logged; // the accesses of both stops, with occurrence and address
  bool is_stopped;
  ChosenOrder chosen;
  Stop stops[2];
  Vec(Hint) hints;
  ChosenHint hint;
  Vec(Given) given;
} Run;

enum { LARGEST_CLUSTER = 16 };

// How it is watched, where that was wanted.
static inline Watch run_watch(const Code *code, Watch watch) {
  return code->is_repeated ? WATCH_RACES : watch;
}

unsigned clusters_size(const Run *run); // in blocks; 1: there are none

// --------------------------------------------------------------- outcome ---

typedef enum IncidentKind {
  INCIDENT_RACE,
  INCIDENT_OUT_OF_BOUNDS,
  INCIDENT_MISALIGNED,
  INCIDENT_DIVERGENCE,
  INCIDENT_DEADLOCK,
  INCIDENT_ENDLESS,
  INCIDENT_STACK,
  INCIDENT_ASSERTION,
  INCIDENT_TRAP,
  INCIDENT_CRASH,
  INCIDENT_REQUIRES, // the inputs break a __requires
  INCIDENT_LIMIT,    // too much time or memory
  INCIDENT_REFUSED,  // could not be made into host code
} IncidentKind;

enum { NO_SITE = INT32_MAX, INCIDENT_TEXT = 160, MOST_INCIDENTS = 64 };

// One thread in an incident.
enum { NO_ARRAY = -1, OWN_ARRAY = -2 }; // one of the thread's own

typedef struct Actor {
  uint32_t block[3], thread[3];
  uint32_t site;
  bool has_exited;
  int array; // index of a buffer, then of a variable; or as follows
  int64_t offset;
  uint64_t bytes;
} Actor;

typedef struct Incident {
  IncidentKind kind;
  Actor actors[2];
  unsigned count; // of actors
  uint64_t times; // how often
  bool is_wide;   // a race that threads of two warps were seen in, too
  char text[INCIDENT_TEXT];
} Incident;

// One access by a thread of a stop.
typedef struct Logged {
  unsigned which;
  uint64_t occurrence, interval, address, bytes;
} Logged;

enum { MOST_LOGGED = 4096 };

// Both threads of a replay stand before their accesses; what each of the
// orders does to the bytes that they share.
typedef struct Encounter {
  bool is_met;
  bool reached[2];
  Actor actors[2];
  uint64_t shared_bytes; // at most 8 of them are kept below
  uint64_t initial;      // before either access
  uint64_t seen[2][2];   // [order][thread]: after its access
  bool is_same[2];       // the second access left what the first had left
  bool finished[2];      // the order was executed
} Encounter;

// Blocks have shared copies.
typedef struct Sharing {
  unsigned passes; // executions
  unsigned copies; // of a line, at most; 0: one for each block
  double apart;    // of all pairs of blocks, those that were in two groups once
} Sharing;

typedef struct Outcome {
  bool is_begun; // the kernel is compiled
  bool is_done;  // all threads that were to run have ended
  unsigned count;
  Incident incidents[MOST_INCIDENTS];
  uint64_t steps;
  double seconds; // of execution
  Sharing sharing;
  unsigned logged_count;
  Logged logged[MOST_LOGGED];
  Encounter encounter;
} Outcome;

// ------------------------------------------------ runtime/jit/assembly.c ---

// Inline assembly of the module that is known becomes functions that want
// inlining; what is not keeps a note why.  Before llvm_prepare.  Only a program
// has textures.
void code_expand_assembly(Task *task, struct LLVMOpaqueModule *module,
                          bool is_program);

// ---------------------------------------------------- runtime/jit/code.c ---

// Gives up at what cannot be executed here, with its place.
Code *code_from_llvm(Task *task, struct LLVMOpaqueModule *module,
                     const KernelEntry *entry);
// Another kernel of the module, whose parameters have names of those of the
// first; gives up where they have not.
void code_add(Task *task, Code *code, const KernelEntry *entry);
// Gives up where the kernel has a value that our own headers leave open.
void code_refuse_guesses(Task *task, const Code *code);
// Do we execute this function ourselves, without a body for it?
bool code_has_own(Task *task, const char *name);

// ----------------------------------------------------- runtime/jit/run.c ---

struct Image;
// Makes host code.  False: *reason says why.  The module is changed.  The run
// says how it is watched and how much shared memory it has at most.
bool image_make(Task *task, const Run *run, struct Image *image,
                const char **reason);

// ------------------------------------------------------------ incident.c ---

// All that is known of one execution.
typedef struct RunReport {
  const char *file;
  const KernelEntry *entry;
  const Code *code;
  const Run *run;
  const struct LaunchFile *launch;
  const Outcome *outcome;
  unsigned differences; // expectations that are not met
  const char *device;   // that has executed it; NULL: this processor
  bool is_explained;    // what was not looked at is told
  const char *proof;    // by values, for what launch it is proved, or why not
  bool is_proved;       // so nothing was executed twice
} RunReport;

const char *incident_kind(IncidentKind kind); // "racy", "endless"
// A mistake of the kernel, not a limit of ours.
bool incident_is_bug(IncidentKind kind);
const char *site_verb(const Site *site); // "reads"
const char *incident_sentence(Task *task, const RunReport *report,
                              const Incident *incident);
// The name of the array that an actor accesses, or NULL.
const char *actor_array(const RunReport *report, const Actor *actor);
// Its element, the bytes of one, 0 if that is not known.
unsigned actor_element(const RunReport *report, const Actor *actor);
const Site *actor_site(const RunReport *report, const Actor *actor);

// ------------------------------------------------------------ sighting.c ---

typedef struct SightingPlace {
  char file[256];
  unsigned line, column; // 0: not known
} SightingPlace;

// One thread in it.
typedef struct SightingEnd {
  uint32_t block[3], thread[3];
  bool has_exited;
  bool has_site;
  SiteKind kind;  // has_site
  char verb[24];  // ... "reads"
  char array[96]; // "" if it accesses none
  unsigned element;
  int64_t offset;
  uint64_t bytes;
  SightingPlace where;
} SightingEnd;

// An incident as plain data that needs nothing else to be told.
typedef struct Sighting {
  IncidentKind kind;
  uint64_t launch; // of a program; 0: not told
  uint64_t times;
  unsigned count;  // of ends
  bool is_in_warp; // a race of two threads of one warp
  char kernel[160];
  char sentence[320];
  SightingPlace where;
  SightingEnd ends[2];
} Sighting;

void sighting_place(SightingPlace *place, Loc loc);
Sighting sighting_of(Task *task, const RunReport *report,
                     const Incident *incident);
// Where and what, and below it its notes.
void sighting_print(FILE *out, const Sighting *sighting);
// How many notes; the first are of its ends.
unsigned sighting_notes(const Sighting *sighting);
void sighting_note(FILE *out, const Sighting *sighting, unsigned note);

// -------------------------------------------------------------- ledger.c ---

enum { MOST_SIGHTINGS = 64, MOST_REFUSALS = 16, MOST_FRAMES = 12 };

// Calls in the program's own code, innermost first: addresses in its file.
typedef struct HostPlace {
  unsigned count;
  uint64_t frames[MOST_FRAMES];
} HostPlace;

// What the host's code has done wrong.
typedef struct HostSighting {
  char sentence[240];
  uint64_t times;
  HostPlace place;
} HostSighting;

// What the command asks for.
typedef struct LedgerOrders {
  char kind[32]; // of file, and its version
  uint64_t bytes;
  Watch watch;
  bool no_benign_tolerance;
  bool cuts;             // kernels, into regions that are executed twice
  bool cuts_by_warps;    // ... with warps as units
  bool cuts_all;         // ... that can be cut
  bool is_deterministic; // no others are executed, nor atomic operations
  CopiesLimits limits;
  unsigned seed;           // of the order of blocks and threads
  bool is_quick;           // kernels are compiled without optimisation
  unsigned launch_seconds; // of processor time; 0: no limit
  unsigned capability;     // of the device: 90 for sm_90; 0: as if not said
} LedgerOrders;

// What the program's processes have done, all together.
typedef struct LedgerCounts {
  uint64_t attached; // programs that have opened the ledger
  uint64_t launches, finished;
  uint64_t repeated; // as a whole, of kernels that are not cut
  uint64_t proved;   // executed once, as they are: races were ruled out before
  uint64_t shared;   // by blocks that shared copies
  double apart;      // ... and of their pairs the least share that was compared
  double seconds;    // of execution
  char kernel[160];  // that is executed or was last
  unsigned sightings, refusals;
  bool is_damaged; // somebody else has written here
} LedgerCounts;

// What a program and the command that has started it tell each other.  Each
// part is sealed when it has been written.
typedef struct Ledger {
  LedgerOrders orders;
  uint64_t orders_seal;
  LedgerCounts counts;
  uint64_t counts_seal;
  Sighting sightings[MOST_SIGHTINGS];
  uint64_t sighting_seals[MOST_SIGHTINGS];
  // Launches and copies that could not be; times that nobody has asked about.
  HostSighting refusals[MOST_REFUSALS];
  uint64_t refusal_seals[MOST_REFUSALS];
  HostSighting fault; // times > 0: the program has ended so
  uint64_t fault_seal;
  uint64_t done, total; // blocks of the launch; not sealed
  unsigned lock;        // of who writes
} Ledger;

// Beside the program.
#define LEDGER_NAME "gpuverify.ledger"

// An empty one with these orders.
void ledger_init(Ledger *ledger, const LedgerOrders *orders);
// Made by this version, and its orders are as they were given.
bool ledger_is_ours(const Ledger *ledger);
void ledger_seal_counts(Ledger *ledger);
bool ledger_counts_hold(const Ledger *ledger);
void ledger_seal_sighting(Ledger *ledger, unsigned number);
bool ledger_sighting_holds(const Ledger *ledger, unsigned number);
void ledger_seal_refusal(Ledger *ledger, unsigned number);
bool ledger_refusal_holds(const Ledger *ledger, unsigned number);
void ledger_seal_fault(Ledger *ledger);
// Keeps what is as it was sealed; if that is not all, it is damaged.
void ledger_salvage(Ledger *ledger);

// ------------------------------------------------- runtime/jit/program.c ---

// A variable that the kernels of a program share.
typedef struct Global {
  size_t image; // that has it
  const char *name, *source;
  char *at;
  uint64_t bytes;
  unsigned element;
  bool is_managed; // it is to be where the host has it
} Global;

// Some kernels of a module, and what they need.
typedef struct DevicePiece {
  size_t from, count;
  struct LLVMOpaqueMemoryBuffer *bitcode;
} DevicePiece;

// Device code as the program brings it along: LLVM bitcode.
typedef struct DeviceModule {
  size_t image;
  KernelEntries kernels; // without their functions
  Vec(DevicePiece) pieces;
} DeviceModule;

// The same as it was registered, from which others may take functions.
typedef struct DeviceImage {
  const void *at;
  uint64_t bytes;
} DeviceImage;

// What is known of a kernel that was changed, or of one that could not be.
typedef struct Cut {
  Sites sites; // of which its reports speak
  bool has_warps;
  bool wants_copies;     // wherever there can be some
  bool is_deterministic; // gives up at what is not, whatever the order
  bool are_apart;        // pointers among the arguments, and from variables
  const char *calm;      // ... what it reads there is not looked at, or NULL
  const char *reason;    // it was not cut, and is executed twice as a whole
  Loc where;             // ... for what is there
  bool is_for_device;    // that executes it; else this machine does
} Cut;

// Who changes kernels before they are surveyed (runtime/values/values.h).
typedef struct Cutter {
  void (*cut)(Task *task, struct LLVMOpaqueModule *module,
              const KernelEntry *entry, Cut *cut);
  void (*tell)(Task *task, Code *code, const Cut *cut);
} Cutter;

// All device code of a process.  Nothing of it is ever given back.
typedef struct DeviceProgram {
  Task task;
  Watch watch;
  const Cutter *cutter;  // or NULL
  bool cuts_by_warps;    // ... with warps as units
  bool cuts_all;         // ... whatever can be cut
  bool is_deterministic; // ... and nothing else is executed
  bool is_quick;         // kernels are compiled without optimisation
  Vec(DeviceImage) images;
  Vec(DeviceModule) modules;
  Sites sites; // of functions that are called by pointer
  Vec(Global) globals;
} DeviceProgram;

// What becomes of a kernel where the program has a cutter.
typedef enum KernelForm {
  FORM_AS_WRITTEN, // it is not cut
  FORM_APART,      // it is, for Cut.are_apart
  FORM_CUT,        // it is, for all launches
} KernelForm;

// A kernel that can be executed.
typedef struct ProgramKernel {
  Code *code;
  struct Image *image;
} ProgramKernel;

// Why something cannot be executed here, and where.
typedef struct Refusal {
  Loc where;
  const char *reason;
} Refusal;

// One more module, the image of that number.  Makes host code of its variables
// and of what they point to.
bool program_add(DeviceProgram *program, size_t image, Refusal *refusal);
// Host code of a kernel, which takes as long as a compiler takes.
bool program_kernel(DeviceProgram *program, size_t module, const char *name,
                    KernelForm form, ProgramKernel *kernel, Refusal *refusal);
// Of this image, else of any; NULL: there is none.
const Global *program_global(const DeviceProgram *program, size_t image,
                             const char *name);

// ---------------------------------------------------- runtime/jit/link.c ---

// Functions that the module, that of image `number`, calls and other images of
// the program have come into it, with what they need.
void program_link(DeviceProgram *program, size_t number,
                  struct LLVMOpaqueModule *module);
// Where a variable lies that the module declares; NULL: nowhere.
const Global *program_declared(const DeviceProgram *program, size_t image,
                               const char *name);

// ------------------------------------------------------------- execute.c ---

// Executes a run in a process of its own.  `outcome` must come from
// outcome_new; buffers that are to be seen afterwards, from memory_shared.
void run_in_child(const Run *run, Outcome *outcome);

// --------------------------------------------------------------- pages.c ---

Outcome *outcome_new(void);
void outcome_free(Outcome *outcome);
// Nothing was executed, or not to its end: why.
void outcome_refuse(Outcome *outcome, IncidentKind kind, const char *reason);
// How far from all other arrays an array is, so that an index that is wrong
// does not lead from one into another.  A page, where addresses are scarce.
uint64_t memory_room(void);
// Whole pages, zeroed, with as much room before and behind them that nobody may
// touch.  NULL: too large.
char *memory_apart(uint64_t bytes, uint64_t room, bool is_shared);
void memory_apart_free(char *at, uint64_t bytes, uint64_t room);
// The same with room around it, for any number of bytes.
char *memory_shared(uint64_t bytes);
void memory_shared_free(char *at, uint64_t bytes);
// From here on what this process writes to it is its own.  False: no memory.
bool memory_make_private(char *at, uint64_t bytes);
// The same for one process, with `before` bytes below it; pages are made as
// they are touched.
char *memory_private(uint64_t before, uint64_t bytes);
void memory_private_free(char *at, uint64_t before, uint64_t bytes);
// Memory that a parent has filled becomes this process's in one go, which is
// cheaper than a fault a page; if it is not too much.
void memory_populate(char *at, uint64_t bytes);
// Where 32 bits are enough for its address, on machines that can.
char *memory_low(uint64_t bytes);

// -------------------------------------------------------------- replay.c ---

// What the search found; in shared memory.
typedef struct ReplayResult {
  bool is_executed; // the kernel could be made into host code
  bool is_confirmed;
  bool others;        // ... for other threads than those asked for
  bool reached[2];    // a thread of the stops made its access in some run
  bool overlapped;    // both accessed a common byte, at some time
  bool is_same_value; // they met, and wrote the same
  bool has_incident;  // something else went wrong first
  Incident incident;  // that, or what was looked for
  Encounter encounter;
  char reason[INCIDENT_TEXT]; // not executed: why
} ReplayResult;

// The run has sizes, arguments, private buffers, the blocks concerned, stops
// and hints; the rest is filled by the search.
typedef struct Replay {
  Run run;
  ReplayResult *result;
  double seconds;     // of processors: at most so many, about
  double deadline;    // on work_seconds(); 0: none
  bool only_these;    // no other threads than those of the stops
  IncidentKind looks; // for this: RACE, of the stops; or something else, where
                      // stop 0 is, of whichever thread
} Replay;

ReplayResult *replay_result_new(void); // NULL: no memory
void replay_result_free(ReplayResult *result);
void replay_confirm(Replay *replay);

#endif
