// A hash table from LLVM's addresses to ours: open addressing, in the arena.

#include "llvm/core.h"

#include <assert.h>

typedef struct ValueSlot {
  const void *key;
  void *value;
} ValueSlot;

static size_t slot_of(const ValueTable *table, const void *key) {
  uint64_t hash = (uint64_t)(uintptr_t)key * 0x9e3779b97f4a7c15ULL;
  size_t at = (size_t)(hash >> 20) & (table->room - 1);
  while (table->slots[at].key && table->slots[at].key != key)
    at = (at + 1) & (table->room - 1);
  return at;
}

void *table_get(const ValueTable *table, const void *key) {
  return table->room ? table->slots[slot_of(table, key)].value : NULL;
}

static void grow(Task *task, ValueTable *table) {
  ValueTable old = *table;
  table->room = old.room ? 2 * old.room : 64;
  table->slots = arena_alloc(&task->arena, table->room * sizeof(ValueSlot));
  for (size_t i = 0; i < old.room; i++)
    if (old.slots[i].key)
      table->slots[slot_of(table, old.slots[i].key)] = old.slots[i];
}

void table_put(Task *task, ValueTable *table, const void *key, void *value) {
  assert(key && value);
  if (2 * (table->count + 1) > table->room)
    grow(task, table);
  ValueSlot *slot = &table->slots[slot_of(table, key)];
  table->count += !slot->key;
  *slot = (ValueSlot){key, value};
}
