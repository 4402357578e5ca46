// What the check of named barriers has found, in one sentence each.

#include "report/tell_barriers.h"

#include <assert.h>
#include <string.h>

typedef struct FindingRow {
  VerdictKind verdict;
  Topic topic;
  const char *sentence;
} FindingRow;

// A kind without a row does not compile.
static FindingRow row_of(FindingKind kind) {
  switch (kind) {
#define FINDING(kind, verdict, topic, sentence)                                \
  case FINDING_##kind:                                                         \
    return (FindingRow){VERDICT_##verdict, TOPIC_##topic, sentence};
#include "report/findings.def"
#undef FINDING
  }
  assert(!"a kind of findings");
  return (FindingRow){0};
}

VerdictKind finding_verdict(const Finding *finding) {
  return row_of(finding->kind).verdict;
}

// An mbarrier, too, may be used when its block has ended.
Topic finding_topic(const Finding *finding) {
  Topic topic = row_of(finding->kind).topic;
  bool is_of_mbarrier = finding->is_mbarrier && finding->kind == FINDING_GONE;
  return is_of_mbarrier ? TOPIC_MBARRIER : topic;
}

static const Place *place_at(const BarriersReport *report, uint32_t place) {
  return &report->programs->places.at[place];
}

// In the source if the PTX says where, else in the PTX.  A barrier is mostly
// behind a function of one line: what tells is where that is called.
Loc place_told(const Place *place) {
  if (place->caller.line)
    return place->caller;
  return place->source.line ? place->source : place->ptx;
}

Loc finding_place(const BarriersReport *report, uint32_t place) {
  return place_told(place_at(report, place));
}

// ------------------------------------------------------------- sentences ---

static bool is_read(CommandKind kind) {
  return kind == COMMAND_READ || kind == COMMAND_STRONG_READ ||
         kind == COMMAND_BULK_READ;
}

static bool is_atomic(CommandKind kind) {
  return kind == COMMAND_ATOMIC || kind == COMMAND_BULK_ATOMIC;
}

static const char *race_kinds(const BarriersReport *report,
                              const Finding *finding) {
  CommandKind a = programs_command(report->programs, finding->ends[0])->kind;
  CommandKind b = programs_command(report->programs, finding->ends[1])->kind;
  if (is_atomic(a) || is_atomic(b))
    return is_read(a) || is_read(b) ? "atomic-read" : "atomic-write";
  return !is_read(a) && !is_read(b) ? "write-write" : "read-write";
}

bool finding_is_bulk_write(const BarriersReport *report,
                           const Finding *finding) {
  return programs_command(report->programs, finding->ends[0])->kind ==
         COMMAND_BULK_WRITE;
}

bool end_is_product(const BarriersReport *report, End end) {
  return !strncmp(report->programs->places.at[end.place].text, "wgmma.",
                  strlen("wgmma."));
}

static const char *unfinished_sentence(const BarriersReport *report,
                                       const Finding *finding) {
  if (programs_command(report->programs, finding->ends[0])->is_generic)
    return "the block may end while an asynchronous access still writes to its "
           "shared memory";
  if (finding_is_bulk_write(report, finding))
    return "the block may end while a bulk copy still writes to its shared "
           "memory";
  return end_is_product(report, finding->ends[0])
             ? "a thread may end while its product still reads shared memory"
             : "a thread may end while its bulk copy still reads shared memory";
}

static const char *unfenced_sentence(const BarriersReport *report,
                                     const Finding *finding) {
  return end_is_product(report, finding->ends[0]) ||
                 end_is_product(report, finding->ends[1])
             ? "race in shared memory: wgmma may not see what was written"
             : "race in shared memory: a bulk copy may not see what was "
               "written";
}

static const char *gone_sentence(const Finding *finding) {
  return finding->is_mbarrier
             ? "its block may have ended when a thread of another block still "
               "uses it"
             : "access to shared memory of another block, which may have ended";
}

static const char *what_is_wrong(Arena *arena, const BarriersReport *report,
                                 const Finding *finding) {
  if (finding->kind == FINDING_RACE)
    return arena_printf(arena, "%s race in shared memory",
                        race_kinds(report, finding));
  if (finding->kind == FINDING_UNFENCED)
    return unfenced_sentence(report, finding);
  if (finding->kind == FINDING_UNFINISHED)
    return unfinished_sentence(report, finding);
  if (finding->kind == FINDING_GONE)
    return gone_sentence(finding);
  return row_of(finding->kind).sentence;
}

// "mbarrier at byte 64", and of which block if there are several.
static const char *mbarrier_name(Arena *arena, const BarriersReport *report,
                                 uint32_t address) {
  if (address == CLUSTER_BARRIER)
    return "cluster barrier";
  if (address > CLUSTER_BARRIER)
    return "group of wgmma";
  const char *name =
      arena_printf(arena, "mbarrier at byte %u", address % MOST_SHARED_BYTES);
  if (programs_blocks(report->programs) == 1)
    return name;
  return arena_printf(arena, "%s of block %u", name,
                      address / MOST_SHARED_BYTES);
}

// A wait for parity 1 finds the phase before the first one over.
static const char *phase_sentence(Arena *arena, const char *name,
                                  const Finding *finding, const char *what) {
  if (finding->generation == UINT32_MAX)
    return arena_printf(arena,
                        "%s, phase 0: a wait for parity 1, which passes on a "
                        "new one, may come when it is over",
                        name);
  return arena_printf(arena, "%s, phase %u: %s", name, finding->generation,
                      what);
}

const char *finding_sentence(Arena *arena, const BarriersReport *report,
                             const Finding *finding) {
  const char *what = what_is_wrong(arena, report, finding);
  const char *name = finding->is_mbarrier
                         ? mbarrier_name(arena, report, finding->address)
                         : NULL;
  switch (finding_topic(finding)) {
  case TOPIC_WARPS:
  case TOPIC_ACCESSES:
  case TOPIC_REGISTERS:
    return what;
  case TOPIC_MBARRIER:
    return arena_printf(arena, "%s: %s", name, what);
  case TOPIC_GENERATION:
    break;
  }
  return name ? phase_sentence(arena, name, finding, what)
              : arena_printf(arena, "barrier %u, generation %u: %s",
                             finding->barrier % NAMED_BARRIERS,
                             finding->generation, what);
}
