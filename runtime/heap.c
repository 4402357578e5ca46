// malloc and free of kernels: one array of bytes, cut into pieces.
//
// Each piece has a word before it: its size, the lowest bit set while it is in
// use.  The first piece that suffices is taken; free pieces that follow each
// other become one on the way.

#include "runtime/machine.h"

#include <string.h>

enum { ALIGNMENT = 16, HEADER = 16 };

typedef struct Piece {
  uint64_t size; // with its header; bit 0: in use
  uint64_t unused;
} Piece;

static Piece *piece_at(const Heap *heap, uint64_t offset) {
  return (Piece *)(void *)(heap->at + offset);
}

void heap_open(Heap *heap, char *at, uint64_t bytes) {
  *heap = (Heap){.at = at, .bytes = bytes / ALIGNMENT * ALIGNMENT};
  piece_at(heap, 0)->size = heap->bytes;
}

// A free piece takes those behind it that are free, too.
static void join(const Heap *heap, uint64_t offset) {
  Piece *piece = piece_at(heap, offset);
  while (offset + piece->size < heap->bytes) {
    Piece *next = piece_at(heap, offset + piece->size);
    if (next->size & 1)
      return;
    piece->size += next->size;
  }
}

static void *cut(const Heap *heap, uint64_t offset, uint64_t need) {
  Piece *piece = piece_at(heap, offset);
  uint64_t rest = piece->size - need;
  if (rest >= HEADER + ALIGNMENT) {
    piece_at(heap, offset + need)->size = rest;
    piece->size = need;
  }
  piece->size |= 1;
  return piece + 1;
}

void *heap_take(Heap *heap, uint64_t bytes) {
  uint64_t need = HEADER + (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  if (!heap || need < bytes || need > heap->bytes)
    return NULL;
  if (need == HEADER)
    need += ALIGNMENT;
  for (uint64_t offset = heap->first, size; offset < heap->bytes;
       offset += size) {
    Piece *piece = piece_at(heap, offset);
    if (!(piece->size & 1))
      join(heap, offset);
    size = piece->size & ~UINT64_C(1);
    if (!size) // overwritten
      return NULL;
    if (!(piece->size & 1) && size >= need) {
      void *taken = cut(heap, offset, need);
      if (offset == heap->first)
        heap->first += piece->size - 1;
      return taken;
    }
  }
  return NULL;
}

bool heap_give(Heap *heap, void *at) {
  if (!at)
    return true;
  uint64_t offset = (uint64_t)((char *)at - heap->at) - HEADER;
  if (offset >= heap->bytes || offset % ALIGNMENT ||
      !(piece_at(heap, offset)->size & 1))
    return false;
  piece_at(heap, offset)->size &= ~UINT64_C(1);
  heap->first = offset < heap->first ? offset : heap->first;
  return true;
}
