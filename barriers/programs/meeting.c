// Commands at named barriers, as ptx/named_barrier.c has them, and its mistakes
// as findings.

#include "barriers/programs/check.h"

#include <assert.h>

bool is_waiting(CommandKind kind) {
  return kind == COMMAND_SYNC || kind == COMMAND_REDUCE;
}

NamedEvent meeting_event(const Programs *programs, unsigned warp,
                         const Command *command) {
  assert(command->kind == COMMAND_ARRIVE || is_waiting(command->kind));
  return (NamedEvent){.kind = command->kind == COMMAND_SYNC     ? NAMED_SYNC
                              : command->kind == COMMAND_REDUCE ? NAMED_REDUCE
                                                                : NAMED_ARRIVE,
                      .threads = command->threads,
                      .warp = warp % programs_block_warps(programs)};
}

FindingKind meeting_finding(NamedMistake mistake) {
  switch (mistake) {
  case NAMED_OTHER_COUNT:
    return FINDING_COUNT;
  case NAMED_MIXED:
    return FINDING_MIXED;
  case NAMED_TWICE:
    return FINDING_TWICE;
  case NAMED_TOO_MANY:
    return FINDING_TOO_MANY;
  case NAMED_UNAWAITED:
    return FINDING_ALL_ARRIVE;
  case NAMED_MISTAKES:
    break;
  }
  assert(!"a mistake at a named barrier");
  return FINDING_RACE;
}
