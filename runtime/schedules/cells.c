// The memory that an execution has touched, four bytes a cell.
//
// What a cell held before its first write is kept, so going back to the start,
// and hashing what is left at the end, cost no more than the execution did.
// The age of a cell tells which execution it belongs to.

#include "runtime/schedules/watch.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 1024 };

static struct {
  Vec(uint32_t) used; // cells of this execution
  AccessedCell *cells;
  AccessedCell *last; // asked for; most accesses ask for one several times
  uint64_t room, age;
  const bool *observed; // by region
} table;

static uint64_t slot_of(const AccessedCell *cells, uint64_t room,
                        uint64_t key) {
  uint64_t i = (key * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (room - 1);
  while (cells[i].age == table.age && cells[i].key != key)
    i = (i + 1) & (room - 1);
  return i;
}

static void grow_cells(void) {
  uint64_t room = table.room ? 2 * table.room : FIRST_ROOM;
  AccessedCell *cells = calloc(room, sizeof *cells);
  if (!cells)
    machine_fail(INCIDENT_LIMIT, "no memory to keep accesses in");
  for (size_t i = 0; i < table.used.count; i++) {
    const AccessedCell *cell = &table.cells[table.used.at[i]];
    uint64_t slot = slot_of(cells, room, cell->key);
    cells[slot] = *cell;
    table.used.at[i] = (uint32_t)slot;
  }
  free(table.cells);
  table.last = NULL;
  table.cells = cells;
  table.room = room;
}

static AccessedCell *find_cell(uint64_t key) {
  if (2 * table.used.count >= table.room)
    grow_cells();
  uint64_t slot = slot_of(table.cells, table.room, key);
  AccessedCell *cell = &table.cells[slot];
  if (cell->age != table.age) {
    watch_append(&table.used, (uint32_t)slot);
    *cell = (AccessedCell){
        .key = key, .age = table.age, .writers = NO_LINK, .readers = NO_LINK};
  }
  return table.last = cell;
}

AccessedCell *cell_of(uint64_t key) {
  AccessedCell *last = table.last;
  return last && last->key == key && last->age == table.age ? last
                                                            : find_cell(key);
}

uint64_t cells_version(uint64_t at, uint64_t bytes) {
  uint64_t version = 0;
  AccessedCell *cell;
  for_cells(cell, at, bytes) version += cell->version;
  return version;
}

void cells_change(uint64_t at, uint64_t bytes) {
  AccessedCell *cell;
  for_cells(cell, at, bytes) cell->version++;
}

// ------------------------------------------------------------------ start ---

static char *address_of(const AccessedCell *cell) {
  return (char *)(uintptr_t)(cell->key * CELL_BYTES);
}

static void keep_start(AccessedCell *cell, const Told *access) {
  uint64_t first = cell->key * CELL_BYTES;
  if (!cell->is_kept)
    memcpy(&cell->start, address_of(cell), CELL_BYTES);
  cell->is_kept = true;
  for (uint64_t i = 0; i < CELL_BYTES; i++)
    if (first + i >= access->key_at &&
        first + i < access->key_at + access->bytes &&
        table.observed[access->region->array])
      cell->observed |= (uint8_t)(1 << i);
}

void cells_keep(const Told *access) {
  AccessedCell *cell;
  if (access->region->space == SPACE_SHARED)
    return;
  for_cells(cell, access->key_at, access->bytes) keep_start(cell, access);
}

void watch_undo(void) {
  for (size_t i = 0; i < table.used.count; i++) {
    const AccessedCell *cell = &table.cells[table.used.at[i]];
    if (cell->is_kept)
      memcpy(address_of(cell), &cell->start, CELL_BYTES);
  }
}

// The bits of the bytes that bits of `bytes` stand for.
static uint32_t bits_of(uint8_t bytes) {
  uint32_t bits = 0;
  for (unsigned i = 0; i < CELL_BYTES; i++)
    bits |= bytes >> i & 1 ? UINT32_C(0xff) << 8 * i : 0;
  return bits;
}

uint64_t watch_state(void) {
  uint64_t state = 0;
  for (size_t i = 0; i < table.used.count; i++) {
    const AccessedCell *cell = &table.cells[table.used.at[i]];
    uint32_t now;
    if (!cell->observed)
      continue;
    memcpy(&now, address_of(cell), CELL_BYTES);
    uint32_t changed = (now ^ cell->start) & bits_of(cell->observed);
    state += changed ? schedule_mix(cell->key, changed) : 0;
  }
  return state;
}

// -------------------------------------------------------------- execution ---

void cells_open(const bool *observed) { table.observed = observed; }

// Races are kept by word, too: where nobody was there is nothing to forget.
static void forget_races(void) {
  for (size_t i = 0; i < table.used.count; i++)
    races_forget_bytes(address_of(&table.cells[table.used.at[i]]), CELL_BYTES);
}

void cells_restart(void) {
  if (machine.watches_races)
    forget_races();
  table.used.count = 0;
  table.age++;
}

void cells_close(void) {
  free(table.used.at);
  free(table.cells);
  memset(&table, 0, sizeof table);
}
