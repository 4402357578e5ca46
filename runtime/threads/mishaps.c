// What may happen to a program, by name.

#include "runtime/threads/world.h"

bool mishap_is_bug(Mishap mishap) {
  return mishap != MISHAP_NONE && mishap < MISHAP_LIMIT;
}

bool mishap_is_flaw(Mishap mishap) {
  return mishap == MISHAP_RACE || mishap == MISHAP_LEAK ||
         mishap == MISHAP_LOCKED;
}

const char *mishap_name(Mishap mishap) {
  switch (mishap) {
  case MISHAP_NONE:
    return "passed";
  case MISHAP_ASSERTION:
    return "assertion";
  case MISHAP_ABORT:
    return "trap";
  case MISHAP_CRASH:
    return "crash";
  case MISHAP_STACK:
    return "stack-overflow";
  case MISHAP_USE_AFTER_FREE:
    return "use-after-free";
  case MISHAP_DOUBLE_FREE:
    return "double-free";
  case MISHAP_OUT_OF_BOUNDS:
    return "out-of-bounds";
  case MISHAP_MISUSE:
    return "misuse";
  case MISHAP_DEADLOCK:
    return "deadlock";
  case MISHAP_LIVELOCK:
    return "endless";
  case MISHAP_RACE:
    return "racy";
  case MISHAP_LEAK:
    return "leak";
  case MISHAP_LOCKED:
    return "still-locked";
  case MISHAP_STATUS:
    return "failed";
  case MISHAP_LIMIT:
  case MISHAP_REFUSED:
  case MISHAP_ASTRAY:
  case MISHAP_PRUNED:
    break;
  }
  return "unknown";
}

const char *world_site_text(uint32_t number) {
  static char texts[4][160];
  static unsigned next;
  char *text = texts[next++ % 4];
  const Loc *loc = &world.sites[number].loc;
  const char *slash = loc->file ? __builtin_strrchr(loc->file, '/') : NULL;
  if (!loc->line)
    return "somewhere";
  snprintf(text, sizeof texts[0], "%s:%u:%u", slash ? slash + 1 : loc->file,
           loc->line, loc->column);
  return text;
}

uint32_t world_place(void) {
  return world.caller && world.sites[world.site].is_inner ? world.caller
                                                          : world.site;
}
