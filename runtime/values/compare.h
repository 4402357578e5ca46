// A launch beside those that its kernel was proved for.
//
// Of these there is a text, each one
//
//   BLOCK BLOCK BLOCK GRID GRID GRID SHARED FLAT APART SAME ARGUMENT ..;
//
// with numbers, or * for whatever it is.  Sizes are along x, y and z, SHARED is
// in bytes.  FLAT is 1 where the second and third dimensions have to be 1,
// APART where each pointer has to be into an array of its own, SAME where two
// threads may write the same value.

#ifndef RUNTIME_VALUES_COMPARE_H
#define RUNTIME_VALUES_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A launch as it is made.
typedef struct MadeLaunch {
  const uint32_t *grid, *block; // three of each
  uint64_t shared;
  bool tells_same_value; // two writes of one value are no race otherwise
  void *const *arguments;
  // Of an argument; 0: there is none, or nobody knows.
  unsigned (*bytes)(const void *data, size_t argument);
  bool (*are_apart)(const void *data);
  const void *data;
} MadeLaunch;

bool compare_launch(const char *proved, const MadeLaunch *launch);

#endif
