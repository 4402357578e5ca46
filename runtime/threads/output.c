// What the program prints.
//
// Standard output is kept up to a limit, to compare schedules and to be shown.

#define _GNU_SOURCE

#include "runtime/threads/world.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_OUTPUT = 1 << 14 };

static char text[MOST_OUTPUT];
static uint64_t used;

void output_reset(void) { used = 0; }

const char *output_text(uint64_t *bytes) {
  *bytes = used < MOST_OUTPUT ? used : MOST_OUTPUT;
  return text;
}

uint64_t output_hash(void) {
  uint64_t hash = UINT64_C(14695981039346656037) ^ used, bytes;
  const char *at = output_text(&bytes);
  for (uint64_t i = 0; i < bytes; i++)
    hash = (hash ^ (unsigned char)at[i]) * UINT64_C(1099511628211);
  return hash;
}

void output_add(const char *at, uint64_t bytes) {
  if (used < MOST_OUTPUT)
    memcpy(text + used, at,
           bytes < MOST_OUTPUT - used ? bytes : MOST_OUTPUT - used);
  used += bytes;
  world.hidden++;
}
