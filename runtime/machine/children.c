// What kernels launch, copy and fill in streams: kept until the kernel is over.
//
// The parameters are written to memory of the heap, which the launch takes with
// it.

#include "runtime/machine/twice.h"

#include <stdlib.h>
#include <string.h>

void *children_parameters(uint64_t alignment, uint64_t bytes) {
  Heap *heap = machine.run->heap;
  uint64_t spare = alignment > 1 ? alignment - 1 : 0;
  char *taken = machine.run->children ? heap_take(heap, bytes + spare) : NULL;
  if (taken && machine.watches_races)
    region_renew(taken, bytes + spare);
  return taken ? taken + (-(uintptr_t)taken & spare) : NULL;
}

// One more, at the end.
static Child *add(void) {
  Children *children = machine.run->children;
  if (!children || !machine.run->heap)
    machine_fail(INCIDENT_REFUSED, "a launch from a kernel");
  Child *grown = machine_grown(children->at, children->count, &children->room,
                               sizeof(Child));
  if (!grown)
    machine_fail(INCIDENT_LIMIT, "no memory for a launch");
  children->at = grown;
  grown[children->count] = (Child){0};
  return &grown[children->count++];
}

uint32_t children_launch(const char *kernel, const char *parameters,
                         const uint32_t grid[3], const uint32_t block[3],
                         uint32_t shared, const void *stream) {
  Heap *heap = machine.run->heap;
  Child *child = add();
  HeapPiece piece = heap_piece(heap, parameters);
  (void)stream;
  child->kernel = kernel;
  child->shared = shared;
  child->bytes = (uint64_t)(piece.at + piece.bytes - parameters);
  child->parameters = malloc(child->bytes + 1);
  if (!child->parameters)
    machine_fail(INCIDENT_LIMIT, "no memory for a launch");
  memcpy(child->parameters, parameters, child->bytes);
  memcpy(child->grid, grid, sizeof child->grid);
  memcpy(child->block, block, sizeof child->block);
  heap_give(heap, (char *)(uintptr_t)piece.at);
  return 0;
}

uint32_t children_copy(void *to, const void *from, uint64_t bytes,
                       uint32_t kind, const void *stream) {
  (void)kind, (void)stream;
  *add() = (Child){.to = to, .from = from, .bytes = bytes};
  return 0;
}

uint32_t children_fill(void *to, uint32_t value, uint64_t bytes,
                       const void *stream) {
  (void)stream;
  *add() = (Child){.to = to, .value = value, .bytes = bytes};
  return 0;
}

void children_close(Children *children) {
  for (size_t i = 0; i < children->count; i++)
    free(children->at[i].parameters);
  free(children->at);
  *children = (Children){0};
}
