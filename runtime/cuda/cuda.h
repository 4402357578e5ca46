// What the files that answer CUDA's runtime API share.
//
// They are the library that a program is linked with instead of NVIDIA's.  It
// has one device, which executes on the calling thread what it is asked for
// before a call returns; so streams are in order with each other, too, and an
// event has happened when it was recorded.  One lock is held during a call.

#ifndef RUNTIME_CUDA_CUDA_H
#define RUNTIME_CUDA_CUDA_H

#include "runtime/cuda/types.h"
#include "runtime/machine/machine.h"

#define EXPORT __attribute__((visibility("default")))

// A function of the API: its declaration, then its head.
#define CALL(name, ...)                                                        \
  EXPORT CudaError name(__VA_ARGS__);                                          \
  CudaError name(__VA_ARGS__)
// The same, with the name it has where the default stream is each thread's own.
#define STREAM_CALL(name, ...)                                                 \
  EXPORT CudaError name(__VA_ARGS__);                                          \
  EXPORT CudaError name##_ptsz(__VA_ARGS__) __attribute__((alias(#name)));     \
  CudaError name(__VA_ARGS__)
#define DEFAULT_CALL(name, ...)                                                \
  EXPORT CudaError name(__VA_ARGS__);                                          \
  EXPORT CudaError name##_ptds(__VA_ARGS__) __attribute__((alias(#name)));     \
  CudaError name(__VA_ARGS__)

// --------------------------------------------------------------- error.c ---

// Begins a call: takes the lock.  The error that earlier work has left for
// good, if there is one; then nothing more is to be done.
CudaError cuda_begin(void);
// Ends it: remembers the error, and returns it.
CudaError cuda_end(CudaError error);
// A kernel has failed: every call says so from now on.
void cuda_stick(CudaError error);
// cudaDeviceReset
void cuda_unstick(void);
// A call that does nothing but what is said here.
#define ANSWER(expression)                                                     \
  do {                                                                         \
    CudaError answer_ = cuda_begin();                                          \
    return cuda_end(answer_ ? answer_ : (expression));                         \
  } while (0)
// Says once on stderr that this is not answered.
CudaError cuda_unanswered(const char *name);

// ---------------------------------------------------------------- host.c ---

// Where the program is, in this call of the library.
void host_place(HostPlace *place);
EXPORT const char *cudaGetErrorName(CudaError error);
// Returns the error, and tells the command unless the thread asks for it.
CudaError cuda_refuse(CudaError error, const char *fmt, ...) PRINTF(2, 3);
// It does.
void cuda_asks(void);

// -------------------------------------------------------------- memory.c ---

typedef enum AllocationKind {
  ALLOCATION_DEVICE,
  ALLOCATION_MANAGED,
  ALLOCATION_HOST,       // pinned
  ALLOCATION_REGISTERED, // the program's own
  ALLOCATION_ARRAY,
  ALLOCATION_GONE, // given back; so that its use is told
} AllocationKind;

typedef struct Allocation {
  AllocationKind kind;
  char *at;
  uint64_t bytes;
  uint64_t distance; // from the next
  unsigned order;    // the first has 1
  unsigned flags;
  bool is_reserved; // its addresses are kept when it is given back
  bool is_closed;   // to the host's code
  bool is_opened;   // ... but for the call that is under way
} Allocation;

typedef struct Allocations {
  Allocation *at;
  size_t count, room;
} Allocations;

extern Allocations allocations;

CudaError memory_take(AllocationKind kind, void **at, uint64_t bytes);
CudaError memory_give(void *at, AllocationKind kind);
// The allocation that an address lies in, or NULL.
Allocation *memory_find(const void *at);
// The same, or one that was given back, or the one that it is near.
Allocation *memory_around(const void *at);
// What was given back but kept its addresses is there again.
CudaError memory_revive(void *at);
void memory_give_all(void);
Heap *memory_heap(void); // of malloc in kernels
enum { GRID_WORKSPACE = 64 };
char *memory_workspace(void); // for the barrier of a grid
// Of a free or used device, in bytes.
uint64_t memory_used(void);
enum { PITCH = 512 };
#define DEVICE_MEMORY (UINT64_C(8) << 30)

// --------------------------------------------------------------- guard.c ---

// From now on only calls of the library can access it.
void guard_close(Allocation *allocation);
// Opens what an address lies in; false: nothing that is closed, or no call of
// the library is under way.
bool guard_open(const void *at);
// Around a call.
void guard_enter(void);
void guard_leave(void);

// ------------------------------------------------------------- program.c ---

// A kernel that the program has registered.
typedef struct CudaKernel CudaKernel;
struct CudaKernel {
  const void *handle; // what the program calls it by
  size_t module;
  const char *name; // linkage name
  bool is_tried, is_ready;
  ProgramKernel made; // is_ready
  Refusal refusal;    // else
  KernelForm form;
  const char *proved;      // AS_WRITTEN: for these launches alone
  CudaKernel *otherwise;   // for launches that it is not for
  int dynamic_shared;      // the most, as cudaFuncSetAttribute has it
  bool has_large_clusters; // the same
  uint64_t launches;
};

// NULL: it is none, or its module cannot be read.
CudaKernel *cuda_kernel(const void *handle);
// The same, with its host code.  NULL: said, and counted as a sighting.
CudaKernel *cuda_ready_kernel(const void *handle, CudaError *error);
// Said, and counted as a sighting: it is not executed here.
void cuda_leave_out(const char *what, const Refusal *refusal);
CudaKernel *cuda_make_ready(CudaKernel *kernel, CudaError *error);
// The kernel in the form that this run is to have.
CudaKernel *cuda_form_for(CudaKernel *kernel, const Run *run, CudaError *error);
// The kernel of that name that the other one launches.
CudaKernel *cuda_kernel_named(const CudaKernel *by, const char *name);
const KernelEntry *cuda_kernel_entry(const CudaKernel *kernel);
// NULL: it is none.
const Global *cuda_symbol(const void *handle);
const DeviceProgram *cuda_program(void);

// -------------------------------------------------------------- launch.c ---

typedef struct CudaLaunch {
  const void *kernel;
  CudaDim grid, block;
  void **arguments;
  uint64_t shared;
  bool is_cooperative;
  CudaDim cluster; // in blocks; x = 0: what the kernel says
  bool is_unheard; // nobody gets its error but who asks for the last one
} CudaLaunch;

CudaError cuda_launch(const CudaLaunch *launch);

// ---------------------------------------------------------------- copy.c ---

// Can these bytes be copied to those?
CudaError copy_check(const void *to, uint64_t to_bytes, const void *from,
                     uint64_t from_bytes, int kind);
CudaError copy_bytes(void *to, const void *from, uint64_t bytes, int kind);
void copy_for_kernel(const Child *child); // that one has started
CudaError copy_fill(const CudaFill *fill);
// The bytes of a variable; *at is their address.
CudaError copy_symbol(const void *symbol, uint64_t offset, uint64_t bytes,
                      char **at);

// --------------------------------------------------------------- array.c ---

struct CudaArray {
  unsigned sign, flags;
  CudaFormat format;
  CudaExtent extent;
  char *at;
  uint64_t pitch, slice, bytes;
};

unsigned format_bytes(const CudaFormat *format);
CudaError format_check(const CudaFormat *format);
bool array_is_valid(const CudaArray *array);
CudaError copy_3d(const CudaCopy *copy);

// --------------------------------------------------------------- graph.c ---

// The numbers are CUDA's.
typedef enum NodeKind {
  NODE_KERNEL = 0,
  NODE_COPY = 1,
  NODE_FILL = 2,
  NODE_HOST = 3,
  NODE_GRAPH = 4,
  NODE_EMPTY = 5,
  NODE_WAIT = 6,
  NODE_RECORD = 7,
  NODE_TAKE = 10,
  NODE_GIVE = 11,
} NodeKind;

typedef Vec(GraphNode *) GraphNodes;

// Work that is done now or, in a graph, later.
struct GraphNode {
  NodeKind kind;
  CudaGraph *graph;
  const GraphNode *origin; // that it is a copy of
  GraphNodes before;
  bool is_off;
  bool is_marked; // by a walk
  CudaLaunch launch;
  CudaCopy copy;
  CudaFill fill;
  CudaHostNode host;
  CudaGraph *child;
  CudaEvent *event;
  void *memory; // TAKE, GIVE
};

struct CudaGraph {
  Arena arena;
  GraphNodes nodes;
  unsigned long long number;
  bool is_invalid; // somebody waited for what is captured to it
};

CudaGraph *work_new(void);
void work_free(CudaGraph *graph);
// A copy of it there, with copies of what its pointers point to.
CudaError work_add(CudaGraph *graph, const GraphNode *node,
                   GraphNode *const *before, size_t count, GraphNode **made);
// What a node is to do becomes that of another of its kind.
CudaError work_fill(GraphNode *node, const GraphNode *from);
CudaGraph *work_copy(const CudaGraph *graph);
// Each after those before it.  False: they are in a circle.
bool work_sort(CudaGraph *graph);
CudaError work_execute(const GraphNode *node);
CudaError work_execute_all(const CudaGraph *graph);
// One copy of 1 byte wide elements.
CudaCopy copy_of_line(void *to, const void *from, uint64_t bytes, int kind);

// ------------------------------------------------------------- capture.c ---

// Does it now, or adds it to the graph that the stream is captured to.
CudaError cuda_submit(CudaStream *stream, const GraphNode *node);
bool cuda_is_captured(const CudaStream *stream);
// A call that is not answered while its stream is captured.
#define UNCAPTURED(stream)                                                     \
  do {                                                                         \
    if (cuda_is_captured(stream))                                              \
      return cuda_unanswered("the call, while a stream is captured,");         \
  } while (0)
// True: the event stands for a place in a graph, which the stream follows.
bool capture_record(CudaStream *stream, CudaEvent *event);
bool capture_wait(CudaStream *stream, CudaEvent *event, CudaError *error);

// -------------------------------------------------------------- stream.c ---

// Streams that are captured, and where each of them is.
typedef struct Capture {
  CudaGraph *graph; // NULL: none
  GraphNodes last;  // in the graph's arena
  bool is_origin;
} Capture;

struct CudaStream {
  unsigned sign, flags;
  int priority;
  unsigned long long number;
  Capture capture;
  CudaStream *next; // of all
};

struct CudaEvent {
  unsigned sign, flags;
  double time; // 0: not recorded
  Capture capture;
};

extern CudaStream *streams; // all of them
CudaError stream_check(const CudaStream *stream);
void event_happens(CudaEvent *event);

// -------------------------------------------------------------- device.c ---

enum {
  DEVICE_PROCESSORS = 2,
  DEVICE_CAPABILITY = 80,
  DEVICE_THREADS = 2048, // of a processor
  DEVICE_BLOCKS = 32,
  DEVICE_BLOCK_THREADS = 1024,
  DEVICE_SHARED = 49152,       // of a block, unless it asks for more
  DEVICE_SHARED_MOST = 166912, // ... and then
  DEVICE_BLOCK_DEPTH = 64,
  DEVICE_TEXTURE = 65536,
  DEVICE_KILOHERTZ = 1000000,
  CUDA_VERSION = 13000,
};

// -------------------------------------------------------------- ledger.c ---

// Counts a launch; its number.
uint64_t ledger_launch(const char *kernel);
void ledger_tell(const Sighting *sighting);
// Its number.  So many of it were asked about.
unsigned ledger_refuse(const HostSighting *refused);
void ledger_fault(const HostSighting *fault); // the program ends
void ledger_forgive(unsigned number, uint64_t times);
Watch ledger_watch(void); // what the command asks for
bool ledger_cuts(void);   // its kernels are executed region by region, twice
bool ledger_cuts_by_warps(void); // ... with warps as units
bool ledger_cuts_all(void);      // ... whatever can be cut
bool ledger_is_deterministic(void);
bool ledger_is_quick(void); // kernels are compiled without optimisation
CopiesLimits ledger_limits(void);
unsigned ledger_seed(void);
bool ledger_tolerates_same_value(void);
unsigned ledger_launch_seconds(void); // 0: no limit
unsigned ledger_capability(void);     // of the device: 90 for sm_90
// The launch was executed with this outcome; this code, proved for it or not.
void ledger_finish(const Outcome *outcome, const Code *code, bool is_proved);
void ledger_progress(uint64_t done, uint64_t total);

#endif
