// What a verdict is called, for all who tell one, with Z3 or without.

#include "smt/smt.h"

bool verdict_is_confirmed(const Verdict *verdict) {
  for (size_t i = 0; i < verdict->problems.count; i++)
    if (verdict->problems.at[i].is_confirmed)
      return true;
  return false;
}

const char *verdict_name(VerdictKind kind) {
  switch (kind) {
  case VERDICT_VERIFIED:
    return "verified";
  case VERDICT_ONE_BLOCK:
    return "verified for one block";
  case VERDICT_RACY:
    return "racy";
  case VERDICT_DIVERGENT:
    return "divergent";
  case VERDICT_DEADLOCK:
    return "deadlock";
  case VERDICT_ASSERTION:
    return "assertion";
  case VERDICT_OUT_OF_BOUNDS:
    return "out-of-bounds";
  case VERDICT_UNKNOWN:
    return "unknown";
  case VERDICT_VACUOUS:
    return "vacuous";
  case VERDICT_ERROR:
    break;
  }
  return "error";
}
