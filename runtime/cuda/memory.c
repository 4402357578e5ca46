// Memory of the device, which here is memory of this process.
//
// Each allocation has pages of its own, far from those of others, and what lies
// between nobody may touch: so even a kernel that is not watched cannot go far.
// Managed and pinned memory are the same; memory that the program registers
// stays its own.

#define _GNU_SOURCE

#include "runtime/cuda/cuda.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, ALIGNMENT = 256, MOST_GONE = 64 };

Allocations allocations;

static Heap heap;
static uint64_t heap_bytes = UINT64_C(8) << 20;
static unsigned order;
static uint64_t used;
static bool were_all_given; // by a reset

static uint64_t pages(uint64_t bytes) {
  return (bytes + PAGE - 1) / PAGE * PAGE;
}

// The end is as near to the page behind as alignment allows.
static uint64_t lead(uint64_t bytes) {
  return (pages(bytes) - bytes) / ALIGNMENT * ALIGNMENT;
}

// Who has very many needs them nearer to each other.
static uint64_t room_for_next(void) {
  enum { MANY = 1024 };
  return allocations.count < MANY ? memory_room() : PAGE;
}

static char *map(uint64_t bytes, uint64_t room) {
  char *at = memory_apart(pages(bytes), room, false);
  return at ? at + lead(bytes) : NULL;
}

static bool add(Allocation allocation) {
  if (allocations.count == allocations.room) {
    size_t room = allocations.room ? 2 * allocations.room : 64;
    void *at = realloc(allocations.at, room * sizeof *allocations.at);
    if (!at)
      return false;
    allocations.at = at;
    allocations.room = room;
  }
  allocation.order = ++order;
  allocations.at[allocations.count++] = allocation;
  return true;
}

CudaError memory_take(AllocationKind kind, void **at, uint64_t bytes) {
  if (!at)
    return cudaErrorInvalidValue;
  *at = NULL;
  if (!bytes)
    return cudaSuccess;
  if (bytes > DEVICE_MEMORY - used)
    return cudaErrorMemoryAllocation;
  uint64_t room = room_for_next();
  char *taken = map(bytes, room);
  if (!taken ||
      !add((Allocation){
          .kind = kind, .at = taken, .bytes = bytes, .distance = room}))
    return cudaErrorMemoryAllocation;
  used += bytes;
  guard_close(&allocations.at[allocations.count - 1]);
  *at = taken;
  return cudaSuccess;
}

Allocation *memory_find(const void *at) {
  for (size_t i = allocations.count; i-- > 0;) {
    Allocation *allocation = &allocations.at[i];
    if (allocation->kind != ALLOCATION_GONE &&
        (uint64_t)((const char *)at - allocation->at) < allocation->bytes)
      return allocation;
  }
  return NULL;
}

// Between one and the next lies nothing else.
Allocation *memory_around(const void *at) {
  Allocation *found = memory_find(at);
  for (size_t i = allocations.count; !found && i-- > 0;) {
    Allocation *allocation = &allocations.at[i];
    if (allocation->kind != ALLOCATION_REGISTERED &&
        (uint64_t)((const char *)at - (allocation->at - allocation->distance)) <
            allocation->bytes + 2 * allocation->distance)
      found = allocation;
  }
  return found;
}

static void forget(size_t index) {
  size_t behind = allocations.count - index - 1;
  memmove(&allocations.at[index], &allocations.at[index + 1],
          behind * sizeof *allocations.at);
  allocations.count--;
}

static void unmap(const Allocation *allocation) {
  memory_apart_free(allocation->at - lead(allocation->bytes),
                    pages(allocation->bytes), allocation->distance);
}

// The oldest that was given back makes room for others.
static void forget_oldest(void) {
  size_t gone = 0, oldest = SIZE_MAX;
  for (size_t i = 0; i < allocations.count; i++)
    if (allocations.at[i].kind == ALLOCATION_GONE &&
        !allocations.at[i].is_reserved) {
      oldest = oldest == SIZE_MAX ? i : oldest;
      gone++;
    }
  if (gone <= MOST_GONE)
    return;
  unmap(&allocations.at[oldest]);
  forget(oldest);
}

// Its addresses stay reserved for a while, and nobody may touch them.
static void drop(Allocation *allocation) {
  if (allocation->kind == ALLOCATION_REGISTERED) {
    forget((size_t)(allocation - allocations.at));
    return;
  }
  used -= allocation->bytes;
  allocation->kind = ALLOCATION_GONE;
  allocation->is_closed = allocation->is_opened = false;
  mmap(allocation->at - lead(allocation->bytes), pages(allocation->bytes),
       PROT_NONE, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
       0);
  forget_oldest();
}

// cudaFree takes what cudaMalloc and cudaMallocManaged gave; each other call
// what its own gave.
static bool fits(AllocationKind kind, AllocationKind wanted) {
  return kind == wanted ||
         (kind == ALLOCATION_MANAGED && wanted == ALLOCATION_DEVICE);
}

// Destructors that run late may give back what a reset has taken.
static CudaError refuse_free(const void *at) {
  const Allocation *near = memory_around(at);
  if (near && near->at == at && near->kind == ALLOCATION_GONE)
    return cuda_refuse(cudaErrorInvalidValue,
                       "allocation %u is given back a second time",
                       near->order);
  if (were_all_given)
    return cudaErrorInvalidValue;
  return cuda_refuse(cudaErrorInvalidValue,
                     "%p is given back, which that call does not take", at);
}

CudaError memory_give(void *at, AllocationKind kind) {
  Allocation *allocation = memory_find(at);
  if (!at)
    return cudaSuccess;
  if (!allocation || allocation->at != at || !fits(allocation->kind, kind))
    return refuse_free(at);
  drop(allocation);
  return cudaSuccess;
}

CudaError memory_revive(void *at) {
  for (size_t i = 0; i < allocations.count; i++) {
    Allocation *gone = &allocations.at[i];
    if (gone->at != at || !gone->is_reserved)
      continue;
    if (gone->kind != ALLOCATION_GONE)
      return cudaErrorInvalidValue;
    if (gone->bytes > DEVICE_MEMORY - used ||
        mmap(gone->at - lead(gone->bytes), pages(gone->bytes),
             PROT_READ | PROT_WRITE,
             MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
             0) == MAP_FAILED)
      return cudaErrorMemoryAllocation;
    used += gone->bytes;
    gone->kind = ALLOCATION_DEVICE;
    return cudaSuccess;
  }
  return cudaErrorInvalidValue;
}

void memory_give_all(void) {
  were_all_given = true;
  for (; allocations.count; allocations.count--)
    if (allocations.at[allocations.count - 1].kind != ALLOCATION_REGISTERED)
      unmap(&allocations.at[allocations.count - 1]);
  used = 0;
  heap_close(&heap);
}

uint64_t memory_used(void) { return used; }

Heap *memory_heap(void) {
  if (!heap.at) {
    char *at = map(heap_bytes, memory_room());
    if (!at || !heap_open(&heap, at, heap_bytes))
      return NULL;
  }
  return &heap;
}

// Cooperative groups find its size in the first word and keep a barrier behind
// it, which begins as zero.
char *memory_workspace(void) {
  static uint32_t workspace[GRID_WORKSPACE / 4];
  memset(workspace, 0, sizeof workspace);
  workspace[0] = sizeof workspace;
  return (char *)workspace;
}

// -------------------------------------------------------------- take, give ---

CALL(cudaMalloc, void **at, size_t bytes) {
  ANSWER(memory_take(ALLOCATION_DEVICE, at, bytes));
}

CALL(cudaMallocManaged, void **at, size_t bytes, unsigned flags) {
  (void)flags;
  ANSWER(bytes ? memory_take(ALLOCATION_MANAGED, at, bytes)
               : cudaErrorInvalidValue);
}

CALL(cudaMallocHost, void **at, size_t bytes) {
  ANSWER(memory_take(ALLOCATION_HOST, at, bytes));
}

static CudaError take_pinned(void **at, uint64_t bytes, unsigned flags) {
  CudaError error = memory_take(ALLOCATION_HOST, at, bytes);
  Allocation *allocation = error ? NULL : memory_find(*at);
  if (allocation)
    allocation->flags = flags;
  return error;
}

CALL(cudaHostAlloc, void **at, size_t bytes, unsigned flags) {
  ANSWER(take_pinned(at, bytes, flags));
}

CALL(cudaFree, void *at) { ANSWER(memory_give(at, ALLOCATION_DEVICE)); }
CALL(cudaFreeHost, void *at) { ANSWER(memory_give(at, ALLOCATION_HOST)); }

static CudaError take_rows(void **at, size_t *pitch, size_t width,
                           size_t rows) {
  if (!pitch)
    return cudaErrorInvalidValue;
  *pitch = (width + PITCH - 1) / PITCH * PITCH;
  return memory_take(ALLOCATION_DEVICE, at, *pitch * rows);
}

CALL(cudaMallocPitch, void **at, size_t *pitch, size_t width, size_t height) {
  ANSWER(take_rows(at, pitch, width, height));
}

CALL(cudaMalloc3D, CudaPitched *pitched, CudaExtent extent) {
  CudaError error = cuda_begin();
  if (!error)
    error = take_rows(&pitched->at, &pitched->pitch, extent.width,
                      extent.height * extent.depth);
  if (!error) {
    pitched->width = extent.width;
    pitched->height = extent.height;
  }
  return cuda_end(error);
}

// -------------------------------------------------------------- registered ---

static CudaError register_memory(void *at, uint64_t bytes, unsigned flags) {
  if (!at || !bytes)
    return cudaErrorInvalidValue;
  if (memory_find(at))
    return cudaErrorHostMemoryAlreadyRegistered;
  return add((Allocation){.kind = ALLOCATION_REGISTERED,
                          .at = at,
                          .bytes = bytes,
                          .flags = flags})
             ? cudaSuccess
             : cudaErrorMemoryAllocation;
}

CALL(cudaHostRegister, void *at, size_t bytes, unsigned flags) {
  ANSWER(register_memory(at, bytes, flags));
}

CALL(cudaHostUnregister, void *at) {
  CudaError error = cuda_begin();
  if (!error && memory_give(at, ALLOCATION_REGISTERED))
    error = cudaErrorHostMemoryNotRegistered;
  return cuda_end(error);
}

CALL(cudaHostGetDevicePointer, void **device, void *host, unsigned flags) {
  (void)flags;
  CudaError error = cuda_begin();
  if (!error && !memory_find(host))
    error = cudaErrorInvalidValue;
  if (!error)
    *device = host;
  return cuda_end(error);
}

CALL(cudaHostGetFlags, unsigned *flags, void *host) {
  CudaError error = cuda_begin();
  const Allocation *allocation = memory_find(host);
  if (!error && !allocation)
    error = cudaErrorInvalidValue;
  if (!error)
    *flags = allocation->flags;
  return cuda_end(error);
}

// --------------------------------------------------------- in their order ---

// While its stream is captured it gets its addresses at once, and memory when
// the graph is launched.
static CudaError take_in_order(void **at, uint64_t bytes, CudaStream *stream) {
  GraphNode node = {.kind = NODE_TAKE};
  CudaError error = cuda_begin();
  if (!error)
    error = memory_take(ALLOCATION_DEVICE, at, bytes);
  if (!error && cuda_is_captured(stream)) {
    node.memory = *at;
    memory_find(*at)->is_reserved = true;
    memory_give(*at, ALLOCATION_DEVICE);
    error = cuda_submit(stream, &node);
  }
  return cuda_end(error);
}

STREAM_CALL(cudaMallocAsync, void **at, size_t bytes, CudaStream *stream) {
  return take_in_order(at, bytes, stream);
}

STREAM_CALL(cudaFreeAsync, void *at, CudaStream *stream) {
  GraphNode node = {.kind = NODE_GIVE, .memory = at};
  return cuda_submit(stream, &node);
}

STREAM_CALL(cudaMallocFromPoolAsync, void **at, size_t bytes, CudaPool *pool,
            CudaStream *stream) {
  return pool ? take_in_order(at, bytes, stream) : cudaErrorInvalidValue;
}

// --------------------------------------------------------------- questions ---

CALL(cudaMemGetInfo, size_t *available, size_t *total) {
  CudaError error = cuda_begin();
  *total = DEVICE_MEMORY;
  *available = DEVICE_MEMORY - used;
  return cuda_end(error);
}

static int type_of(const Allocation *allocation) {
  if (!allocation)
    return MEMORY_UNREGISTERED;
  switch (allocation->kind) {
  case ALLOCATION_DEVICE:
    return MEMORY_DEVICE;
  case ALLOCATION_MANAGED:
    return MEMORY_MANAGED;
  case ALLOCATION_ARRAY:
    break;
  case ALLOCATION_HOST:
  case ALLOCATION_REGISTERED:
    return MEMORY_HOST;
  case ALLOCATION_GONE:
    break;
  }
  return MEMORY_UNREGISTERED;
}

CALL(cudaPointerGetAttributes, CudaPointer *pointer, const void *at) {
  CudaError error = cuda_begin();
  const Allocation *allocation = memory_find(at);
  int type = type_of(allocation);
  *pointer =
      (CudaPointer){.type = type,
                    .device = allocation ? 0 : -2,
                    .on_device = allocation ? (void *)at : NULL,
                    .on_host = type == MEMORY_DEVICE ? NULL : (void *)at};
  return cuda_end(error);
}

// ------------------------------------------------------------ limits, hints
// ---

static CudaError set_limit(int limit, uint64_t bytes) {
  if (limit == LIMIT_HEAP && heap.at)
    return cudaErrorInvalidValue;
  if (limit == LIMIT_HEAP)
    heap_bytes = pages(bytes);
  return cudaSuccess;
}

CALL(cudaDeviceSetLimit, int limit, size_t bytes) {
  ANSWER(set_limit(limit, bytes));
}

CALL(cudaDeviceGetLimit, size_t *bytes, int limit) {
  CudaError error = cuda_begin();
  *bytes = limit == LIMIT_HEAP    ? heap_bytes
           : limit == LIMIT_STACK ? 1 << 16
                                  : 1 << 20;
  return cuda_end(error);
}

CALL(cudaMemAdvise, const void *at, size_t bytes, int advice) {
  (void)advice, (void)bytes;
  ANSWER(memory_find(at) ? cudaSuccess : cudaErrorInvalidValue);
}

STREAM_CALL(cudaMemPrefetchAsync, const void *at, size_t bytes) {
  (void)bytes;
  ANSWER(memory_find(at) ? cudaSuccess : cudaErrorInvalidValue);
}
