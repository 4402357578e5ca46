// Launches: a kernel is executed before the call returns.
//
// What is wrong with sizes is an error of the launch.  What a kernel does wrong
// is told, and is the error of every later call, as on a device that has
// noticed it since.  A fault in a kernel ends it; the program goes on.

#define _GNU_SOURCE

#include "runtime/cuda/cuda.h"
#include "runtime/machine/copied.h"
#include "runtime/values/values.h"

#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

// --------------------------------------------------------------- signals ---

static const int numbers[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP};
enum { NUMBERS = sizeof numbers / sizeof *numbers };

typedef struct Handlers {
  struct sigaction actions[NUMBERS];
  stack_t stack;
} Handlers;

static Handlers before;

// The threads look at it when they have gone round a loop often.
static void note_time(int number) {
  (void)number;
  machine_is_late = true;
}

// A launch may take so many seconds of processor time; 0: as many as it wants.
static void limit_time(unsigned seconds) {
  static struct sigaction earlier;
  struct sigaction action = {.sa_handler = note_time, .sa_flags = SA_RESTART};
  struct itimerval timer = {.it_value = {seconds, 0}};
  if (!ledger_launch_seconds())
    return;
  machine_is_late = false;
  sigemptyset(&action.sa_mask);
  if (seconds)
    sigaction(SIGPROF, &action, &earlier);
  setitimer(ITIMER_PROF, &timer, NULL);
  if (!seconds)
    sigaction(SIGPROF, &earlier, NULL);
}

static void put_back(void) {
  for (size_t i = 0; i < NUMBERS; i++)
    sigaction(numbers[i], &before.actions[i], NULL);
  sigaltstack(&before.stack, NULL);
}

// Outside of all threads of the device it is the program's, which meets it
// again.
static void catch_fault(int number, siginfo_t *info, void *context) {
  (void)context;
  if (number == SIGSEGV && guard_open(info->si_addr))
    return;
  if (machine.self)
    machine_fault(number, info->si_addr);
  put_back();
}

static void catch_faults(void) {
  static char stack[1 << 16];
  stack_t alternative = {.ss_sp = stack, .ss_size = sizeof stack};
  struct sigaction action = {.sa_sigaction = catch_fault,
                             .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
  sigaltstack(&alternative, &before.stack);
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < NUMBERS; i++)
    sigaction(numbers[i], &action, &before.actions[i]);
}

// --------------------------------------------------------------- buffers ---

// The parameter that points into it names an array; else its order does.
static const char *name_of(Arena *arena, const CudaLaunch *launch,
                           const Code *code, const Allocation *allocation) {
  static const char *const kinds[] = {"allocation", "managed allocation",
                                      "pinned allocation", "registered memory",
                                      "array"};
  for (size_t i = 0; i < code->parameters.count; i++) {
    const char *pointer = NULL;
    if (code->parameters.at[i].kind != PARAMETER_POINTER)
      continue;
    memcpy(&pointer, launch->arguments[i], sizeof pointer);
    if ((uint64_t)(pointer - allocation->at) < allocation->bytes)
      return code->parameters.at[i].name;
  }
  return arena_printf(arena, "%s %u", kinds[allocation->kind],
                      allocation->order);
}

static unsigned element_of(const CudaLaunch *launch, const Code *code,
                           const Allocation *allocation) {
  for (size_t i = 0; i < code->parameters.count; i++) {
    const Parameter *parameter = &code->parameters.at[i];
    const char *pointer = NULL;
    if (parameter->kind != PARAMETER_POINTER)
      continue;
    memcpy(&pointer, launch->arguments[i], sizeof pointer);
    if ((uint64_t)(pointer - allocation->at) < allocation->bytes)
      return parameter->element_bytes;
  }
  return 0;
}

// What it will access, so that fewer faults tell of it.
static void open_arguments(const CudaLaunch *launch, const Code *code) {
  for (size_t i = 0; i < code->parameters.count; i++) {
    const void *pointer = NULL;
    if (code->parameters.at[i].kind != PARAMETER_POINTER)
      continue;
    memcpy(&pointer, launch->arguments[i], sizeof pointer);
    guard_open(pointer);
  }
}

static void add_buffers(Arena *arena, const CudaLaunch *launch, Run *run) {
  const DeviceProgram *program = cuda_program();
  for (size_t i = 0; i < allocations.count; i++) {
    const Allocation *allocation = &allocations.at[i];
    Buffer buffer = {.name = name_of(arena, launch, run->code, allocation),
                     .at = allocation->at,
                     .bytes = allocation->bytes,
                     .element = element_of(launch, run->code, allocation),
                     .is_gone = allocation->kind == ALLOCATION_GONE};
    push(arena, &run->buffers, buffer);
  }
  for (size_t i = 0; i < program->globals.count; i++) {
    const Global *global = &program->globals.at[i];
    Buffer buffer = {.name = global->source,
                     .at = global->at,
                     .bytes = global->bytes,
                     .element = global->element};
    push(arena, &run->buffers, buffer);
  }
  if (run->workspace) {
    Buffer buffer = {.name = "the workspace of the grid",
                     .at = run->workspace,
                     .bytes = GRID_WORKSPACE};
    push(arena, &run->buffers, buffer);
  }
  if (run->heap) {
    Buffer buffer = {.name = "memory of malloc",
                     .at = run->heap->at,
                     .bytes = run->heap->bytes,
                     .heap = run->heap};
    push(arena, &run->buffers, buffer);
  }
}

// --------------------------------------------------------------- outcome ---

static CudaError error_of(IncidentKind kind) {
  switch (kind) {
  case INCIDENT_OUT_OF_BOUNDS:
  case INCIDENT_CRASH:
    return cudaErrorIllegalAddress;
  case INCIDENT_MISALIGNED:
    return cudaErrorMisalignedAddress;
  case INCIDENT_ASSERTION:
    return cudaErrorAssert;
  case INCIDENT_STACK:
    return cudaErrorHardwareStackError;
  case INCIDENT_DEADLOCK:
  case INCIDENT_ENDLESS:
    return cudaErrorLaunchTimeout;
  case INCIDENT_DIVERGENCE:
  case INCIDENT_TRAP:
  case INCIDENT_REQUIRES:
  case INCIDENT_LIMIT:
  case INCIDENT_REFUSED:
    return cudaErrorLaunchFailure;
  case INCIDENT_RACE:
    break;
  }
  return cudaSuccess;
}

static void tell(Task *task, const CudaKernel *kernel, const Run *run,
                 const Outcome *outcome, uint64_t number) {
  const KernelEntry *entry = cuda_kernel_entry(kernel);
  RunReport report = {.file = entry->loc.file ? entry->loc.file : "",
                      .entry = entry,
                      .code = run->code,
                      .run = run,
                      .outcome = outcome};
  for (unsigned i = 0; i < outcome->count; i++) {
    Sighting sighting = sighting_of(task, &report, &outcome->incidents[i]);
    sighting.launch = number;
    ledger_tell(&sighting);
    if (!outcome->is_done)
      cuda_stick(error_of(outcome->incidents[i].kind));
  }
}

// --------------------------------------------------------------- execute ---

// What the launch says, else the kernel.
static void find_cluster(const CudaLaunch *launch, const Code *code,
                         uint32_t size[3]) {
  uint32_t said[3] = {launch->cluster.x, launch->cluster.y, launch->cluster.z};
  memcpy(size, said[0] ? said : code->cluster, sizeof said);
}

static Run run_of(Arena *arena, const CudaLaunch *launch,
                  const CudaKernel *kernel) {
  const Code *code = kernel->made.code;
  Run run = {.code = code,
             .grid = {launch->grid.x, launch->grid.y, launch->grid.z},
             .block = {launch->block.x, launch->block.y, launch->block.z},
             .dynamic_shared = launch->shared,
             .watch = run_watch(code, cuda_program()->watch),
             .tolerates_same_value = ledger_tolerates_same_value(),
             .passes_left = true,
             .limits = ledger_limits(),
             .seed = ledger_seed(),
             .is_deterministic = ledger_is_deterministic(),
             .output = STDOUT_FILENO,
             .max_seconds = ledger_launch_seconds(),
             .heap = memory_heap(),
             .workspace = launch->is_cooperative ? memory_workspace() : NULL,
             .progress = ledger_progress};
  find_cluster(launch, code, run.cluster);
  for (size_t i = 0; i < code->parameters.count; i++)
    push(arena, &run.arguments, launch->arguments[i]);
  add_buffers(arena, launch, &run);
  return run;
}

static void execute(const CudaLaunch *launch, CudaKernel *kernel,
                    Children *children) {
  static Outcome outcome;
  Task task = {0};
  const Code *code = kernel->made.code;
  Run run = run_of(&task.arena, launch, kernel);
  run.children = children;
  open_arguments(launch, code);
  kernel->made.image->shared_bytes =
      (code->shared_bytes + launch->shared + 15) / 16 * 16 + RESERVED_SHARED;
  outcome.count = 0;
  outcome.is_done = false;
  fflush(stdout);
  uint64_t number = ledger_launch(code->source);
  catch_faults();
  limit_time(ledger_launch_seconds());
  copied_run(&run, kernel->made.image, &outcome);
  limit_time(0);
  machine_close();
  put_back();
  tell(&task, kernel, &run, &outcome, number);
  ledger_finish(&outcome, code, kernel->proved);
  arena_free(&task.arena);
}

// The kernel as this launch executes it.
static CudaKernel *chosen(const CudaLaunch *launch, CudaKernel *kernel,
                          CudaError *error) {
  Arena arena = {0};
  if (!kernel->proved && !kernel->made.code->calm)
    return kernel;
  Run run = run_of(&arena, launch, kernel);
  kernel = cuda_form_for(kernel, &run, error);
  arena_free(&arena);
  return kernel;
}

// ----------------------------------------------------------------- sizes ---

static bool is_grid(CudaDim grid) {
  return grid.x && grid.y && grid.z && grid.x <= INT32_MAX &&
         grid.y <= UINT16_MAX && grid.z <= UINT16_MAX;
}

enum { PORTABLE_CLUSTER = 8 };

static bool is_block(CudaDim block) {
  uint64_t threads = (uint64_t)block.x * block.y * block.z;
  return threads && block.x <= DEVICE_BLOCK_THREADS &&
         block.y <= DEVICE_BLOCK_THREADS && block.z <= 64 &&
         threads <= DEVICE_BLOCK_THREADS;
}

// Of the error of a launch that does not happen.
typedef struct Checked {
  const CudaLaunch *launch;
  const CudaKernel *kernel;
} Checked;

static CudaError refuse(CudaError error, const Checked *checked,
                        const char *fmt, ...) PRINTF(3, 4);

static CudaError refuse(CudaError error, const Checked *checked,
                        const char *fmt, ...) {
  char reason[120];
  if (!checked->launch->is_unheard)
    return error;
  va_list args;
  va_start(args, fmt);
  vsnprintf(reason, sizeof reason, fmt, args);
  va_end(args);
  return cuda_refuse(error, "kernel '%s' is not launched: %s",
                     checked->kernel->made.code->source, reason);
}

// Eight blocks, or with cudaFuncSetAttribute sixteen; of whole clusters.
static bool is_cluster(const CudaLaunch *launch, const CudaKernel *kernel) {
  const uint32_t grid[] = {launch->grid.x, launch->grid.y, launch->grid.z};
  const uint32_t *compiled = kernel->made.code->cluster;
  uint32_t size[3], blocks = 1;
  find_cluster(launch, kernel->made.code, size);
  for (unsigned axis = 0; axis < 3 && size[0]; axis++) {
    if (!size[axis] || size[axis] > LARGEST_CLUSTER ||
        grid[axis] % size[axis] ||
        (compiled[0] && size[axis] != compiled[axis]))
      return false;
    blocks *= size[axis];
  }
  return blocks <=
         (kernel->has_large_clusters ? LARGEST_CLUSTER : PORTABLE_CLUSTER);
}

static uint64_t count_of(CudaDim size) {
  return (uint64_t)size.x * size.y * size.z;
}

static CudaError check(const CudaLaunch *launch, const CudaKernel *kernel) {
  const Checked checked = {launch, kernel};
  uint64_t shared = kernel->made.code->shared_bytes + launch->shared;
  uint64_t most = (uint64_t)kernel->dynamic_shared;
  if (!is_grid(launch->grid))
    return refuse(cudaErrorInvalidConfiguration, &checked,
                  "a grid of (%u,%u,%u) blocks", launch->grid.x, launch->grid.y,
                  launch->grid.z);
  if (!is_block(launch->block))
    return refuse(cudaErrorInvalidConfiguration, &checked,
                  "a block of (%u,%u,%u) threads, of 1 to %d, and 64 along z",
                  launch->block.x, launch->block.y, launch->block.z,
                  DEVICE_BLOCK_THREADS);
  if (!is_cluster(launch, kernel))
    return refuse(cudaErrorInvalidClusterSize, &checked,
                  "the size of its clusters");
  if (launch->shared > most || shared > DEVICE_SHARED_MOST)
    return refuse(cudaErrorInvalidValue, &checked,
                  "%llu bytes of dynamic shared memory, at most %llu",
                  (unsigned long long)launch->shared, (unsigned long long)most);
  uint64_t blocks = count_of(launch->grid), threads = count_of(launch->block);
  uint32_t bound = kernel->made.code->most_threads;
  if (bound && threads > bound)
    return refuse(cudaErrorLaunchOutOfResources, &checked,
                  "a block of %llu threads, and __launch_bounds__ says %u",
                  (unsigned long long)threads, bound);
  if (launch->is_cooperative &&
      blocks * threads > DEVICE_PROCESSORS * DEVICE_THREADS)
    return refuse(cudaErrorCooperativeLaunchTooLarge, &checked,
                  "%llu threads cannot all run at once",
                  (unsigned long long)(blocks * threads));
  return cudaSuccess;
}

// --------------------------------------------------------------- children ---

static CudaError launch_all(const CudaLaunch *launch, CudaKernel *kernel,
                            unsigned depth);

static CudaDim dim_of(const uint32_t size[3]) {
  return (CudaDim){size[0], size[1], size[2]};
}

// Its parameters lie one behind the other.
static void launch_child(const Child *child, const CudaKernel *by,
                         unsigned depth) {
  Arena arena = {0};
  CudaError error = cudaSuccess;
  Vec(void *) arguments = {0};
  uint64_t offset = 0;
  CudaKernel *kernel =
      cuda_make_ready(cuda_kernel_named(by, child->kernel), &error);
  for (size_t i = 0; kernel && i < kernel->made.code->parameters.count; i++) {
    const Parameter *parameter = &kernel->made.code->parameters.at[i];
    offset = (offset + parameter->alignment - 1) / parameter->alignment *
             parameter->alignment;
    push(&arena, &arguments, (void *)(child->parameters + offset));
    offset += parameter->bytes;
  }
  CudaLaunch launch = {.grid = dim_of(child->grid),
                       .block = dim_of(child->block),
                       .arguments = arguments.at,
                       .shared = child->shared,
                       .is_unheard = true};
  if (kernel && offset <= child->bytes)
    launch_all(&launch, kernel, depth);
  else if (kernel)
    cuda_leave_out(kernel->made.code->source,
                   &(Refusal){.reason = "the parameters that another kernel "
                                        "gives it are not its own"});
  arena_free(&arena);
}

// A grid is over when all that it has launched is; so one after another, each
// with its own behind it.
static CudaError launch_all(const CudaLaunch *launch, CudaKernel *kernel,
                            unsigned depth) {
  enum { DEEPEST = 24 };
  Children children = {0};
  CudaError error = check(launch, kernel);
  if (depth > DEEPEST)
    error = cuda_refuse(cudaErrorLaunchMaxDepthExceeded,
                        "kernel '%s' is not launched: by more than %d others, "
                        "one by another",
                        kernel->made.code->source, DEEPEST);
  CudaKernel *as_executed = error ? NULL : chosen(launch, kernel, &error);
  if (!as_executed)
    return error;
  execute(launch, as_executed, &children);
  for (size_t i = 0; i < children.count; i++)
    if (children.at[i].kernel)
      launch_child(&children.at[i], kernel, depth + 1);
    else
      copy_for_kernel(&children.at[i]);
  children_close(&children);
  return cudaSuccess;
}

CudaError cuda_launch(const CudaLaunch *launch) {
  CudaError error = cuda_begin();
  CudaKernel *kernel = error ? NULL : cuda_ready_kernel(launch->kernel, &error);
  if (kernel)
    error = launch_all(launch, kernel, 0);
  return cuda_end(error);
}

// ------------------------------------------------------------------- API ---

static CudaError submit(CudaStream *stream, const CudaLaunch *launch) {
  GraphNode node = {.kind = NODE_KERNEL, .launch = *launch};
  return cuda_submit(stream, &node);
}

// What <<<..>>> says, until the kernel's stub asks for it; and the stub does
// not look at the error of the launch that it then makes.
typedef struct Pushed {
  CudaDim grid, block;
  size_t shared;
  CudaStream *stream;
  bool is_taken;
} Pushed;

static _Thread_local Pushed pushed;

STREAM_CALL(cudaLaunchKernel, const void *kernel, CudaDim grid, CudaDim block,
            void **arguments, size_t shared, CudaStream *stream) {
  CudaLaunch launch = {.kernel = kernel,
                       .grid = grid,
                       .block = block,
                       .arguments = arguments,
                       .shared = shared,
                       .is_unheard = pushed.is_taken};
  pushed.is_taken = false;
  return submit(stream, &launch);
}

STREAM_CALL(cudaLaunchCooperativeKernel, const void *kernel, CudaDim grid,
            CudaDim block, void **arguments, size_t shared,
            CudaStream *stream) {
  CudaLaunch launch = {.kernel = kernel,
                       .grid = grid,
                       .block = block,
                       .arguments = arguments,
                       .shared = shared,
                       .is_cooperative = true};
  return submit(stream, &launch);
}

STREAM_CALL(cudaLaunchKernelExC, const CudaLaunchConfig *config,
            const void *kernel, void **arguments) {
  CudaLaunch launch = {.kernel = kernel,
                       .grid = config->grid,
                       .block = config->block,
                       .arguments = arguments,
                       .shared = config->shared};
  for (unsigned i = 0; i < config->count; i++) {
    const CudaLaunchAttribute *attribute = &config->attributes[i];
    if (attribute->id == ATTRIBUTE_COOPERATIVE)
      launch.is_cooperative = attribute->value.number;
    if (attribute->id == ATTRIBUTE_CLUSTER)
      launch.cluster = attribute->value.size;
  }
  return submit(config->stream, &launch);
}

EXPORT unsigned __cudaPushCallConfiguration(CudaDim grid, CudaDim block,
                                            size_t shared, CudaStream *stream);
EXPORT CudaError __cudaPopCallConfiguration(CudaDim *grid, CudaDim *block,
                                            size_t *shared,
                                            CudaStream **stream);

unsigned __cudaPushCallConfiguration(CudaDim grid, CudaDim block, size_t shared,
                                     CudaStream *stream) {
  pushed = (Pushed){grid, block, shared, stream, false};
  return 0;
}

CudaError __cudaPopCallConfiguration(CudaDim *grid, CudaDim *block,
                                     size_t *shared, CudaStream **stream) {
  *grid = pushed.grid;
  *block = pushed.block;
  *shared = pushed.shared;
  *stream = pushed.stream;
  pushed.is_taken = true;
  return cudaSuccess;
}
