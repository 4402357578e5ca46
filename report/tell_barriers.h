// What those share that make a diagnosis of the check of named barriers;
// private to report/.

#ifndef REPORT_TELL_BARRIERS_H
#define REPORT_TELL_BARRIERS_H

#include "barriers/barriers.h"
#include "report/tell.h"

// ------------------------------------------------------------ findings.c ---

// What a finding is about.
typedef enum Topic {
  TOPIC_WARPS,
  TOPIC_GENERATION,
  TOPIC_MBARRIER,
  TOPIC_ACCESSES,
  TOPIC_REGISTERS,
} Topic;

Topic finding_topic(const Finding *finding);
// "read-write race in shared memory", "barrier 1, generation 0: it is ..."
const char *finding_sentence(Arena *arena, const BarriersReport *report,
                             const Finding *finding);
// By the first of its ends.
bool finding_is_bulk_write(const BarriersReport *report,
                           const Finding *finding);
Loc place_told(const Place *place);
// A product of wgmma, which reads as bulk copies do.
bool end_is_product(const BarriersReport *report, End end);

// ----------------------------------------------------- barriers_actors.c ---

// What one end does: "thread (0,0,0) writes bytes 0..3, k.cu:4:3".
const char *end_text(Arena *arena, const BarriersReport *report,
                     const Finding *finding, unsigned end, bool has_place);
// Of a warp in a deadlock: "warp 0 waits at bar.sync 1, 64, where ..".
const char *standing_text(Arena *arena, const BarriersReport *report,
                          unsigned warp, bool has_place);
// Does it stand where the warp before it does?
bool standing_is_like_before(const BarriersReport *report, unsigned warp);

// ------------------------------------------------------------ barriers.c ---

// "any, global memory was not looked at": which blocks a proof is about.
const char *barriers_coverage(Arena *arena, const BarriersReport *report);

// ----------------------------------------------------- barriers_lesson.c ---

// What would have to be different, and what else belongs to the finding.
void tell_lesson(Arena *arena, const BarriersReport *report,
                 const Finding *finding, Remark *remark);

#endif
