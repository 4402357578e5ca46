// Strings by number: open addressing over FNV-1a.

#include "project/words.h"

#include <string.h>

static size_t slot_of(const WordTable *words, const char *text, size_t length) {
  uint64_t hash = 14695981039346656037u;
  for (size_t i = 0; i < length; i++)
    hash = (hash ^ (unsigned char)text[i]) * 1099511628211u;
  size_t slot = (size_t)(hash ^ hash >> 32) % words->room;
  for (;; slot = (slot + 1) % words->room) {
    const char *word =
        words->slots[slot] ? words->at.at[words->slots[slot] - 1] : NULL;
    if (!word || (!strncmp(word, text, length) && !word[length]))
      return slot;
  }
}

long words_find(const WordTable *words, const char *text, size_t length) {
  return words->room ? (long)words->slots[slot_of(words, text, length)] - 1
                     : NO_WORD;
}

static void grow(Arena *arena, WordTable *words) {
  WordTable larger = {.room = words->room ? 2 * words->room : 64};
  larger.slots = arena_alloc(arena, larger.room * sizeof *larger.slots);
  larger.at.at = words->at.at;
  larger.at.count = words->at.count;
  larger.at.room = words->at.room;
  for (size_t i = 0; i < larger.at.count; i++) {
    const char *word = larger.at.at[i];
    larger.slots[slot_of(&larger, word, strlen(word))] = i + 1;
  }
  *words = larger;
}

size_t words_add(Arena *arena, WordTable *words, const char *text,
                 size_t length) {
  if (2 * words->at.count >= words->room)
    grow(arena, words);
  size_t slot = slot_of(words, text, length);
  if (!words->slots[slot]) {
    push(arena, &words->at, arena_printf(arena, "%.*s", (int)length, text));
    words->slots[slot] = words->at.count;
  }
  return words->slots[slot] - 1;
}
