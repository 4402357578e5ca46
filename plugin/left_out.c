// Kernels without a verdict, in words: the first few by name.

#include "plugin/plugin.h"

enum { MOST_NAMED = 8 };

// What fits of it is printed behind what is there.
static size_t add(char *text, size_t size, size_t used, const char *before,
                  const char *name, const char *after) {
  int length = used < size ? snprintf(text + used, size - used, "%s%s%s",
                                      before, name, after)
                           : 0;
  return used + (size_t)(length > 0 ? length : 0);
}

void kernels_left_text(const KernelsLeft *left, char *text, size_t size) {
  size_t named = left->count > MOST_NAMED ? MOST_NAMED : left->count;
  char number[32];
  snprintf(number, sizeof number, "%zu", left->count);
  size_t used =
      add(text, size, 0, number, left->count == 1 ? " kernel" : " kernels", "");
  for (size_t i = 0; i < named; i++)
    used = add(text, size, used, i ? ", '" : ": '", left->at[i].source, "'");
  snprintf(number, sizeof number, "%zu", left->count - named);
  if (left->count > named)
    add(text, size, used, " and ", number, " more");
}
