// malloc and free of kernels: one array of bytes, cut into pieces.
//
// Each piece has a header before it, with its size, the lowest bit set while it
// is in use.  The search for a piece that suffices begins behind the one taken
// last, so freed memory is used again as late as possible; neighbouring free
// pieces are joined on the way.
//
// A map beside the array tells for every 16 bytes what is there: a header, or
// how many of them somebody has asked for.  So an access outside of its piece
// is seen, unless it hits another piece.

#include "runtime/machine/machine.h"
#include "runtime/machine/twice.h"

#include <stdlib.h>
#include <string.h>

enum { GRANULE = 16, IN_USE = 1 };
// In the map; up to GRANULE: so many bytes are in use.
enum { MAP_FREE = 0, MAP_HEADER = 0xff, MAP_HEADER_FREE = 0xfe };

typedef struct Piece {
  uint64_t size;  // with its header; bit 0: in use
  uint64_t asked; // bytes
} Piece;

static Piece *piece_at(const Heap *heap, uint64_t offset) {
  return (Piece *)(void *)(heap->at + offset);
}

bool heap_open(Heap *heap, char *at, uint64_t bytes) {
  *heap = (Heap){.at = at, .bytes = bytes / GRANULE * GRANULE};
  heap->map = calloc(heap_map_bytes(heap), 1);
  if (!heap->map)
    return false;
  piece_at(heap, 0)->size = heap->bytes;
  return true;
}

void heap_close(Heap *heap) {
  free(heap->map);
  *heap = (Heap){0};
}

// A header that is to be changed, and what the map says of bytes.
static Piece *change(const Heap *heap, uint64_t offset) {
  twice_save_bytes(heap->at, heap->bytes, offset, sizeof(Piece));
  return piece_at(heap, offset);
}

static unsigned char *change_map(const Heap *heap, uint64_t offset,
                                 uint64_t bytes) {
  twice_save_bytes((char *)heap->map, heap_map_bytes(heap), offset / GRANULE,
                   bytes / GRANULE);
  return heap->map + offset / GRANULE;
}

// A free piece takes those behind it that are free, too.
static void join(Heap *heap, uint64_t offset) {
  Piece *piece = piece_at(heap, offset);
  while (offset + piece->size < heap->bytes) {
    Piece *next = piece_at(heap, offset + piece->size);
    if (next->size & IN_USE || !next->size)
      break;
    change(heap, offset)->size += next->size;
  }
  if (heap->next > offset && heap->next < offset + piece->size)
    heap->next = offset;
}

// What was asked for is in use, and all else of the piece is not.
static void draw(Heap *heap, uint64_t offset, uint64_t bytes) {
  uint64_t size = piece_at(heap, offset)->size & ~(uint64_t)IN_USE;
  unsigned char *map = change_map(heap, offset, size);
  memset(map, MAP_FREE, size / GRANULE);
  map[0] = MAP_HEADER;
  memset(map + 1, GRANULE, bytes / GRANULE);
  if (bytes % GRANULE)
    map[1 + bytes / GRANULE] = bytes % GRANULE;
}

static void *cut(Heap *heap, uint64_t offset, uint64_t need, uint64_t bytes) {
  Piece *piece = change(heap, offset);
  uint64_t rest = piece->size - need;
  if (rest >= 2 * GRANULE) {
    change(heap, offset + need)->size = rest;
    piece->size = need;
  }
  heap->next = offset + piece->size;
  piece->size |= IN_USE;
  piece->asked = bytes;
  draw(heap, offset, bytes);
  return piece + 1;
}

static void *take_between(Heap *heap, uint64_t from, uint64_t to, uint64_t need,
                          uint64_t bytes) {
  for (uint64_t offset = from, size; offset < to; offset += size) {
    Piece *piece = piece_at(heap, offset);
    if (!(piece->size & IN_USE))
      join(heap, offset);
    size = piece->size & ~(uint64_t)IN_USE;
    if (!size) // overwritten
      return NULL;
    if (!(piece->size & IN_USE) && size >= need)
      return cut(heap, offset, need, bytes);
  }
  return NULL;
}

void *heap_take(Heap *heap, uint64_t bytes) {
  uint64_t need = GRANULE + (bytes + GRANULE - 1) / GRANULE * GRANULE;
  if (!heap || need < bytes || need > heap->bytes)
    return NULL;
  if (need == GRANULE)
    need += GRANULE;
  uint64_t start = heap->next;
  void *taken = take_between(heap, start, heap->bytes, need, bytes);
  return taken ? taken : take_between(heap, 0, start, need, bytes);
}

// The header before an address.  Who hits the first half of one has come from
// the piece before it.
static uint64_t header_of(const Heap *heap, const char *at) {
  uint64_t offset = (uint64_t)(at - heap->at), granule = offset / GRANULE;
  if (granule && offset % GRANULE < GRANULE / 2 &&
      heap->map[granule] >= MAP_HEADER_FREE)
    granule--;
  while (granule && heap->map[granule] < MAP_HEADER_FREE)
    granule--;
  return granule;
}

const char *heap_give(Heap *heap, void *at) {
  uint64_t offset = (uint64_t)((char *)at - heap->at) - GRANULE;
  unsigned char *map = heap->map + offset / GRANULE;
  if (offset >= heap->bytes || offset % GRANULE)
    return "free of what malloc has not given";
  if (*map == MAP_HEADER_FREE)
    return "free of memory that has been given back";
  if (*map != MAP_HEADER || !(piece_at(heap, offset)->size & IN_USE))
    return "free of what malloc has not given";
  Piece *piece = change(heap, offset);
  piece->size &= ~(uint64_t)IN_USE;
  change_map(heap, offset, piece->size);
  memset(map, MAP_FREE, piece->size / GRANULE);
  *map = MAP_HEADER_FREE;
  return NULL;
}

bool heap_has(const Heap *heap, const char *at, uint64_t bytes) {
  uint64_t first = (uint64_t)(at - heap->at), end = first + bytes;
  for (uint64_t i = first / GRANULE; i * GRANULE < end; i++) {
    unsigned there = heap->map[i];
    uint64_t needed = end - i * GRANULE;
    if (there > GRANULE || there < (needed < GRANULE ? needed : GRANULE))
      return false;
  }
  return true;
}

uint64_t heap_map_bytes(const Heap *heap) { return heap->bytes / GRANULE + 1; }

uint64_t heap_piece_bytes(const Heap *heap, const void *at) {
  uint64_t offset = (uint64_t)((const char *)at - heap->at) - GRANULE;
  if (offset >= heap->bytes || offset % GRANULE ||
      heap->map[offset / GRANULE] != MAP_HEADER)
    return 0;
  return piece_at(heap, offset)->asked;
}

HeapPiece heap_piece(const Heap *heap, const char *at) {
  uint64_t granule = header_of(heap, at);
  const Piece *piece = piece_at(heap, granule * GRANULE);
  HeapPiece found = {.at = (const char *)(piece + 1)};
  if (heap->map[granule] >= MAP_HEADER_FREE)
    found.bytes = piece->asked;
  found.is_gone = heap->map[granule] == MAP_HEADER_FREE;
  return found;
}
