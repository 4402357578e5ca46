// Strings by number: a table in which each is kept once.

#ifndef PROJECT_WORDS_H
#define PROJECT_WORDS_H

#include "base/base.h"

typedef struct WordTable {
  Vec(const char *) at; // by number
  size_t *slots;        // number + 1; 0: free
  size_t room;
} WordTable;

enum { NO_WORD = -1 };

// Its number; NO_WORD if it is not there.
long words_find(const WordTable *words, const char *text, size_t length);
// The same, and it is there from now on.
size_t words_add(Arena *arena, WordTable *words, const char *text,
                 size_t length);

#endif
