// Which rule is broken: the one that SABOTAGE in the environment names.

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

bool sabotage(const char *rule);

bool sabotage(const char *rule) {
  const char *broken = getenv("SABOTAGE");
  return broken && strcmp(broken, rule) == 0;
}
