// What a program reads of the check of named barriers: one object a kernel (see
// json.c).

#include "report/json.h"
#include "report/tell_barriers.h"

#include <string.h>

static const char *command_name(CommandKind kind) {
  switch (kind) {
  case COMMAND_READ:
    return "read";
  case COMMAND_STRONG_READ:
    return "strong-read";
  case COMMAND_WRITE:
    return "write";
  case COMMAND_ATOMIC:
    return "atomic";
  case COMMAND_SYNC:
    return "sync";
  case COMMAND_REDUCE:
    return "reduce";
  case COMMAND_ARRIVE:
    return "arrive";
  case COMMAND_WARP_SYNC:
    return "warp-sync";
  case COMMAND_EXIT:
    return "exit";
  case COMMAND_MBARRIER_INIT:
    return "mbarrier-init";
  case COMMAND_MBARRIER_INVAL:
    return "mbarrier-inval";
  case COMMAND_MBARRIER_EXPECT:
    return "mbarrier-expect";
  case COMMAND_MBARRIER_ARRIVE:
    return "mbarrier-arrive";
  case COMMAND_MBARRIER_DROP:
    return "mbarrier-drop";
  case COMMAND_MBARRIER_COMPLETE:
    return "mbarrier-complete";
  case COMMAND_MBARRIER_WAIT:
    return "mbarrier-wait";
  case COMMAND_MBARRIER_TRY:
    return "mbarrier-try";
  case COMMAND_COPY:
    return "copy";
  case COMMAND_COPIES_DONE:
    return "copies-done";
  case COMMAND_COPY_ARRIVE:
    return "copy-arrive";
  case COMMAND_BULK_READ:
    return "bulk-read";
  case COMMAND_BULK_WRITE:
    return "bulk-write";
  case COMMAND_BULK_ATOMIC:
    return "bulk-atomic";
  case COMMAND_BULK_COMPLETE:
    return "bulk-complete";
  case COMMAND_BULKS_DONE:
    return "bulks-done";
  case COMMAND_INIT_FENCE:
    return "init-fence";
  case COMMAND_PROXY_FENCE:
    return "proxy-fence";
  case COMMAND_REGISTERS:
    return "registers";
  }
  return NULL;
}

// The block of this rank; null where there is only one.
static json_t *block_number(const BarriersReport *report, unsigned block) {
  return programs_blocks(report->programs) > 1 ? json_number(block)
                                               : json_null();
}

static json_t *block_of_warp(const BarriersReport *report, unsigned warp) {
  return block_number(report, warp / programs_block_warps(report->programs));
}

// The number of a barrier, "cluster", or "wgmma".
static json_t *barrier_name(unsigned barrier, uint32_t address,
                            bool is_mbarrier) {
  if (is_mbarrier)
    return address == CLUSTER_BARRIER  ? json_string("cluster")
           : address > CLUSTER_BARRIER ? json_string("wgmma")
                                       : json_null();
  return json_number(barrier % NAMED_BARRIERS);
}

static json_t *mbarrier_address(uint32_t address, bool is_mbarrier) {
  return is_mbarrier && address < CLUSTER_BARRIER
             ? json_number(address % MOST_SHARED_BYTES)
             : json_null();
}

// Whose barrier or memory it is about.
static json_t *block_of_finding(const BarriersReport *report,
                                const Finding *finding) {
  bool has_address = finding->is_mbarrier || finding->bytes;
  if (finding->is_mbarrier && finding->address >= CLUSTER_BARRIER)
    return json_null();
  if (!has_address && !finding->end_count)
    return json_null();
  return has_address
             ? block_number(report, finding->address / MOST_SHARED_BYTES)
             : block_of_warp(report, finding->ends[0].warp);
}

// Where the lane was before, line by line: the last places of its way.
static json_t *way(const BarriersReport *report, End end) {
  enum { MOST_PLACES = 100 };
  const Command *commands = report->programs->warps[end.warp].at;
  json_t *list = json_array();
  Loc last = {0};
  for (uint32_t i = end.command + 1; i-- > 0;) {
    bool is_of_lane = commands[i].lanes >> (end.lane % 32) & 1;
    Loc place = is_of_lane || i == end.command
                    ? finding_place(report, commands[i].place)
                    : (Loc){0};
    bool is_same = last.line == place.line && last.file && place.file &&
                   !strcmp(last.file, place.file);
    if (!place.line || is_same)
      continue;
    if (json_array_size(list) == MOST_PLACES)
      break;
    json_array_insert_new(list, 0, json_place(place, report->file));
    last = place;
  }
  return list;
}

static json_t *end_object(const BarriersReport *report, End end) {
  const Programs *programs = report->programs;
  const Command *command = programs_command(programs, end);
  return json_pack(
      "{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "block",
      block_of_warp(report, end.warp), "warp",
      json_number(end.warp % programs_block_warps(programs)), "lane",
      json_number(end.lane), "action", json_text(command_name(command->kind)),
      "where", json_place(finding_place(report, end.place), report->file),
      "ptx", json_place(programs->places.at[end.place].ptx, report->file),
      "way", way(report, end));
}

static json_t *warp_object(const BarriersReport *report, unsigned warp) {
  unsigned warps = programs_block_warps(report->programs);
  return json_pack("{s:o, s:o}", "block", block_of_warp(report, warp), "warp",
                   json_number(warp % warps));
}

static json_t *could_come(const BarriersReport *report,
                          const Standing *standing) {
  json_t *list = json_array();
  for (unsigned warp = 0; warp < programs_warps(report->programs); warp++)
    if (warp_set_has(&standing->could_come, warp))
      json_array_append_new(list, warp_object(report, warp));
  return list;
}

// Warps each of which waits for the next, and the last for the first; null:
// there is none.
static json_t *cycle(const BarriersReport *report) {
  const Standing *standing = report->check->standing;
  unsigned count = programs_warps(report->programs), first = 0;
  while (first < count && !standing[first].is_in_cycle)
    first++;
  if (first == count)
    return json_null();
  json_t *list = json_array();
  unsigned warp = first;
  do {
    json_array_append_new(list, warp_object(report, warp));
    warp = standing[warp].waits_for;
  } while (warp != first);
  return list;
}

static json_t *standing_object(const BarriersReport *report, unsigned warp) {
  const Standing *standing = &report->check->standing[warp];
  unsigned warps = programs_block_warps(report->programs);
  if (standing->has_exited)
    return json_pack("{s:o, s:o, s:b}", "block", block_of_warp(report, warp),
                     "warp", json_number(warp % warps), "exited", true);
  const Command *command = &report->programs->warps[warp].at[standing->command];
  bool is_mbarrier = standing->is_mbarrier;
  bool is_waiting = standing->waits_for != NO_WARP;
  json_t *object = json_pack(
      "{s:o, s:o, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
      "block", block_of_warp(report, warp), "warp", json_number(warp % warps),
      "exited", false, "where",
      json_place(finding_place(report, command->place), report->file),
      "barrier",
      barrier_name(standing->barrier, standing->address, is_mbarrier),
      "mbarrier", mbarrier_address(standing->address, is_mbarrier), "parity",
      is_mbarrier ? json_number(command->parity) : json_null(), "generation",
      json_number(standing->generation), "met", json_number(standing->met),
      "expected", json_number(standing->expected), "bytes_missing",
      is_mbarrier ? json_integer(standing->tx) : json_null(), "waits_for",
      is_waiting ? json_number(standing->waits_for % warps) : json_null(),
      "waits_for_block",
      is_waiting ? block_of_warp(report, standing->waits_for) : json_null());
  json_object_set_new(object, "could_come", could_come(report, standing));
  json_object_set_new(
      object, "comes_at",
      standing->comes ? json_place(place_told(standing->comes), report->file)
                      : json_null());
  return object;
}

static json_t *standings(const BarriersReport *report) {
  json_t *list = json_array();
  for (unsigned warp = 0; warp < programs_warps(report->programs); warp++)
    json_array_append_new(list, standing_object(report, warp));
  return list;
}

// Who goes on up to which command, in which order; null: not seen, or too long.
static json_t *schedule(const Finding *finding) {
  json_t *list = json_array();
  for (size_t i = 0; i < finding->schedule.count; i++) {
    const Leg *leg = &finding->schedule.at[i];
    json_array_append_new(
        list, json_pack("{s:o, s:o, s:o, s:o}", "warp", json_number(leg->warp),
                        "lanes", json_number(leg->lanes), "from",
                        json_number(leg->from), "to", json_number(leg->to)));
  }
  if (finding->schedule.count)
    return list;
  json_decref(list);
  return json_null();
}

static json_t *ends(const BarriersReport *report, const Finding *finding) {
  json_t *list = json_array();
  for (unsigned i = 0; i < finding->end_count; i++)
    json_array_append_new(list, end_object(report, finding->ends[i]));
  return list;
}

static json_t *finding_object(const BarriersReport *report,
                              const Finding *finding, const Remark *remark) {
  Topic topic = finding_topic(finding);
  bool is_race = topic == TOPIC_ACCESSES;
  bool is_mbarrier = finding->is_mbarrier;
  bool has_barrier = !is_race && topic != TOPIC_REGISTERS;
  json_t *object = json_pack(
      "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "kind",
      json_text(remark->kind), "sentence", json_text(remark->sentence), "ends",
      ends(report, finding), "block", block_of_finding(report, finding),
      "barrier",
      has_barrier
          ? barrier_name(finding->barrier, finding->address, is_mbarrier)
          : json_null(),
      "mbarrier", mbarrier_address(finding->address, is_mbarrier), "generation",
      has_barrier ? json_integer((int32_t)finding->generation) : json_null(),
      "address",
      is_race ? json_number(finding->address % MOST_SHARED_BYTES) : json_null(),
      "bytes", is_race ? json_number(finding->bytes) : json_null(),
      "occurrences", json_number(finding->occurrences), "warps",
      topic == TOPIC_WARPS ? standings(report) : json_null());
  json_object_set_new(object, "cycle",
                      topic == TOPIC_WARPS ? cycle(report) : json_null());
  json_object_set_new(object, "confirmed", json_boolean(remark->is_confirmed));
  json_object_set_new(object, "replay", json_text(remark->replay));
  json_object_set_new(object, "schedule", schedule(finding));
  return object;
}

static json_t *findings(const Diagnosis *diagnosis) {
  const BarriersReport *report = diagnosis->answer;
  const Check *check = report->check;
  json_t *list = json_array();
  for (size_t i = 0; check && i < check->findings.count; i++)
    json_array_append_new(list, finding_object(report, &check->findings.at[i],
                                               &diagnosis->remarks.at[i]));
  return list;
}

// Why it was not the proof that answered.
static json_t *proof_object(const BarriersReport *report) {
  const Verdict *proof = report->proof;
  return json_pack(
      "{s:o, s:o, s:o, s:f}", "verdict", json_text(verdict_name(proof->kind)),
      "reason", json_text(proof->reason), "reason_where",
      json_place(proof->where, report->file), "seconds", proof->seconds);
}

static const char *coverage_name(Coverage coverage) {
  switch (coverage) {
  case COVERAGE_ANY:
    return "any";
  case COVERAGE_EACH:
    return "each";
  case COVERAGE_SOME:
    break;
  }
  return "some";
}

// For which blocks of the grid a proof is; null: there is none.
static json_t *blocks_object(const BarriersReport *report) {
  if (report->kind != VERDICT_VERIFIED && report->kind != VERDICT_ONE_BLOCK)
    return json_null();
  Arena arena = {0};
  json_t *object = json_pack(
      "{s:s, s:o, s:o}", "coverage", coverage_name(report->blocks.coverage),
      "looked_at", json_number(report->blocks.count), "sentence",
      json_text(barriers_coverage(&arena, report)));
  arena_free(&arena);
  return object;
}

json_t *json_barriers(const Diagnosis *diagnosis) {
  const BarriersReport *report = diagnosis->answer;
  const Check *check = report->check;
  json_t *object = json_pack(
      "{s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, "
      "s:o, s:o}",
      "schema", json_number(SCHEMA_VERSION), "technique", "barriers", "file",
      json_text(diagnosis->file), "kernel", json_text(diagnosis->kernel),
      "source", json_text(diagnosis->source), "where",
      json_place(diagnosis->loc, diagnosis->file), "verdict",
      json_text(diagnosis->verdict), "problems", findings(diagnosis), "reason",
      json_text(diagnosis->reason), "reason_where",
      json_place(diagnosis->reason_where, diagnosis->file), "assumptions",
      json_names(diagnosis->assumptions.count, diagnosis->assumptions.at),
      "block_size", json_triple(report->block_size), "grid_size",
      json_triple(report->grid_size), "block", json_triple(report->block),
      "cluster",
      report->cluster[0] ? json_triple(report->cluster) : json_null(),
      "statistics",
      check ? json_pack("{s:o, s:o}", "commands", json_number(check->commands),
                        "generations", json_number(check->generations))
            : json_null());
  json_object_set_new(object, "confirmed",
                      json_boolean(diagnosis->is_confirmed));
  json_object_set_new(object, "elected",
                      report->programs && report->programs->elected
                          ? json_number(report->programs->leader)
                      : report->leader ? json_number(report->leader)
                                       : json_null());
  json_object_set_new(object, "blocks", blocks_object(report));
  json_object_set_new(object, "writes_global",
                      json_boolean(report->writes_global));
  json_object_set_new(object, "seconds", json_real(diagnosis->seconds));
  if (report->proof) {
    json_object_set_new(object, "suppressed",
                        json_suppressed(diagnosis, NULL, report->kind));
    json_object_set_new(object, "proof", proof_object(report));
  }
  return object;
}
