// The exit status: that of the worst thing that happened.

#include "plugin/plugin.h"

// A test holds it against the order of verdicts, smt/verdicts.def.
static int severity(int status) {
  static const int order[] = {EXIT_ALL_VERIFIED, EXIT_NOT_DECIDED,
                              EXIT_BUG_FOUND,    EXIT_FRONT_END,
                              EXIT_WRONG_USE,    EXIT_OUR_BUG};
  int rank = 0;
  while (order[rank] != status)
    rank++;
  return rank;
}

bool status_is_worse(int a, int b) { return severity(a) > severity(b); }

void status_worsen(int *status, int other) {
  if (status_is_worse(other, *status))
    *status = other;
}

int status_of(VerdictKind kind) {
  switch (verdict_group(kind)) {
  case GROUP_PROVED:
    return EXIT_ALL_VERIFIED;
  case GROUP_UNDECIDED:
    return EXIT_NOT_DECIDED;
  case GROUP_BUG:
    return EXIT_BUG_FOUND;
  case GROUP_WRONG_USE:
    return EXIT_WRONG_USE;
  }
  return EXIT_OUR_BUG;
}

int status_of_level(Level level) {
  switch (level) {
  case LEVEL_REMARK:
    return EXIT_ALL_VERIFIED;
  case LEVEL_DOUBT:
    return EXIT_NOT_DECIDED;
  case LEVEL_WARNING:
    return EXIT_BUG_FOUND;
  case LEVEL_NOTE:
    break;
  }
  return EXIT_OUR_BUG;
}

int status_as_asked(const Settings *settings, VerdictKind kind) {
  VerdictKind asked = kind == VERDICT_ONE_BLOCK ? VERDICT_UNKNOWN : kind;
  if (settings->only_warned & 1u << asked)
    return EXIT_ALL_VERIFIED;
  bool is_enough = settings_style(settings).is_one_block_enough;
  return kind == VERDICT_ONE_BLOCK && is_enough ? EXIT_ALL_VERIFIED
                                                : status_of(kind);
}

int status_of_report(const Settings *settings, const KernelReport *report) {
  const BarriersReport *barriers = report->barriers;
  return report->accepted
             ? EXIT_ALL_VERIFIED
             : status_as_asked(settings, barriers ? barriers->kind
                                                  : report->verdict->kind);
}

// Each library that this is linked into has one of its own.
static bool is_collecting;

void status_collect(bool collects) { is_collecting = collects; }
bool status_collects(void) { return is_collecting; }

static const char *trouble_kind(int status) {
  return status == EXIT_FRONT_END ? "compile"
         : status == EXIT_OUR_BUG ? "died"
                                  : "use";
}

void status_tell_folder(const char *folder) {
  if (is_collecting)
    report_folder(stdout, folder);
}

void status_tell(const char *kind, Loc where, const char *message) {
  if (is_collecting)
    report_trouble(stdout, kind, where, NULL, message);
}

void status_complain(int *status, int other, const char *what,
                     const char *why) {
  fprintf(stderr, "gpuverify: %s%s%s\n", what ? what : "", what ? ": " : "",
          why);
  if (is_collecting)
    report_trouble(stdout, trouble_kind(other),
                   (Loc){.file = what && *what != '-' ? what : NULL}, what,
                   why);
  status_worsen(status, other);
}
