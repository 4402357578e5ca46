// What the check says of a Valued, and what executions say.

#include "barriers/barriers.h"
#include "plugin/plugin.h"
#include "test/fuzz/valued.h"

#include <string.h>

typedef struct Parsing {
  const char *text, *reason;
  Ptx *ptx;
  Loc where;
} Parsing;

static void parse(Task *task, void *data) {
  Parsing *parsing = data;
  if (!ptx_parse(task, "valued.ptx", parsing->text, &parsing->ptx,
                 &parsing->reason, &parsing->where))
    parsing->ptx = NULL;
}

// Does it say that something is wrong, that nothing is, or neither?
static VerdictKind check(const char *text, char why[256]) {
  Task task = {0};
  Settings settings = {0};
  Parsing parsing = {.text = text};
  settings_default(&settings, DOOR_BARRIERS);
  settings.options.confirm = false;
  VerdictKind kind = VERDICT_ERROR;
  if (!task_run(&task, parse, &parsing) || !parsing.ptx) {
    snprintf(why, 256, "line %u: %s", parsing.where.line,
             parsing.reason ? parsing.reason : task.reason);
  } else {
    BarriersQuestion question = {.file = "valued.ptx",
                                 .kernel = ptx_kernel(parsing.ptx, 0),
                                 .settings = &settings,
                                 .deadline = work_seconds() + 10};
    const BarriersReport *report = barriers_check(&task, &question);
    kind = report->kind;
    snprintf(why, 256, "line %u: %s", report->where.line,
             report->reason ? report->reason : "");
  }
  arena_free(&task.arena);
  return kind;
}

Judgement valued_judge(const Valued *valued, const char *text, unsigned runs,
                       char why[256]) {
  bool is_valid = false, is_wrong = false;
  char seen[128] = "";
  VerdictKind kind = check(text, why);
  for (unsigned i = 0; i < runs && !is_wrong; i++) {
    ValuedOutcome outcome = valued_execute(valued, 1000003 * i + 7, seen);
    is_valid |= outcome != OUTCOME_INVALID;
    is_wrong = outcome != OUTCOME_INVALID && outcome != OUTCOME_CLEAN;
  }
  if (kind == VERDICT_ERROR)
    return JUDGED_BROKEN;
  if (!is_valid)
    return JUDGED_INVALID;
  if (kind == VERDICT_UNKNOWN)
    return is_wrong ? JUDGED_MISSED : JUDGED_UNKNOWN;
  if (kind != VERDICT_ONE_BLOCK)
    return is_wrong ? JUDGED_BUG : JUDGED_ALARM;
  snprintf(why, 256, "verified, but %s", seen);
  return is_wrong ? JUDGED_WRONG : JUDGED_CLEAN;
}
