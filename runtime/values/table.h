// What a module with cut kernels says of each of them, for who launches it.
//
// A table is a constant of the device, so that it is in whatever file the code
// is in.  Behind the head come the sites, and behind these the texts, each with
// a 0 at its end; a text is given by its offset in the table, 0: none.

#ifndef RUNTIME_VALUES_TABLE_H
#define RUNTIME_VALUES_TABLE_H

#include <stdint.h>

// Before the kernel's own name: the one that executes its regions twice, and
// what is said of it.
#define VALUES_CUT_PREFIX "__gpuverify_values_of_"
#define VALUES_TABLE_PREFIX "__gpuverify_values_sites_"

enum { VALUES_TABLE_FORMAT = 3 };

typedef struct TablePlace {
  uint32_t file, line, column; // line 0: not known
} TablePlace;

typedef struct TableSite {
  TablePlace where;
  uint32_t bytes;
  uint32_t is_atomic;
} TableSite;

typedef struct TableHead {
  uint32_t format, bytes, sites;
  uint32_t has_warps; // units are warps
  uint32_t source;    // the kernel's name as written
  uint32_t reason;    // why it was not cut; 0: it was
  uint32_t proved;    // launches that it was proved for (compare.h); 0: none
  uint32_t arguments; // "p 4 24 ": pointers, and bytes of what is none
  TablePlace where;   // the kernel, or what the reason is about
} TableHead;

#endif
