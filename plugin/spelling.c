// How far a word is from another one: Levenshtein's distance, whatever the
// case.

#include "plugin/plugin.h"

#include <ctype.h>
#include <string.h>

static unsigned smaller(unsigned a, unsigned b) { return a < b ? a : b; }

// By rows.  Longer names than any of ours are far.
unsigned spelling_distance(const char *a, const char *b) {
  enum { LONGEST = 40 };
  unsigned row[LONGEST + 1];
  size_t width = strlen(b);
  if (width > LONGEST || strlen(a) > LONGEST)
    return LONGEST;
  for (unsigned j = 0; j <= width; j++)
    row[j] = j;
  for (unsigned i = 0; a[i]; i++) {
    unsigned diagonal = row[0];
    row[0] = i + 1;
    for (unsigned j = 0; j < width; j++) {
      unsigned replaced = diagonal + (tolower((unsigned char)a[i]) !=
                                      tolower((unsigned char)b[j]));
      diagonal = row[j + 1];
      row[j + 1] = smaller(smaller(row[j], row[j + 1]) + 1, replaced);
    }
  }
  return row[width];
}
