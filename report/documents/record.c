// From a record, a JSON object of docs/JSON.md, to what all documents are made
// of.
//
// The techniques name the same things differently: two threads are in the
// witness of a proof, in the ends of a check of named barriers, in the threads
// of a run.  Members that are missing, or are not what they should be, count as
// not known: a record may be of another version.

#include "report/documents/json_members.h"

#include "base/words.h"

#include <string.h>

typedef struct Reading {
  Results *results;
  Arena *arena;
  json_t *root;
  KernelRecord *record;
} Reading;

// -------------------------------------------------------- participants ---

static const char *verb(const char *action) {
  static const char *const verbs[][2] = {
      {"read", "reads"},
      {"write", "writes"},
      {"atomic", "accesses atomically"},
      {"copy", "copies"},
      {"bulk-read", "reads by a bulk copy"},
      {"bulk-write", "writes by a bulk copy"},
      {"bulk-complete", "completes bytes of a bulk copy"},
      {"sync", "waits"},
      {"reduce", "waits"},
      {"wait", "waits"},
      {"arrive", "arrives"},
      {"mbarrier-init", "initialises the mbarrier"},
      {"mbarrier-inval", "invalidates the mbarrier"},
      {"mbarrier-expect", "announces bytes to the mbarrier"},
      {"mbarrier-arrive", "arrives at the mbarrier"},
      {"mbarrier-drop", "drops out of the mbarrier"},
      {"mbarrier-complete", "completes bytes of the mbarrier"},
      {"mbarrier-wait", "waits at the mbarrier"},
      {"mbarrier-try", "asks the mbarrier"},
      {"copy-arrive", "arrives when its copies are done"},
      {"registers", "asks for registers"},
      {"fence", "executes a fence"},
      {"loop", "goes round a loop"}};
  for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
    if (!strcmp(verbs[i][0], action))
      return verbs[i][1];
  return action;
}

// "tile[255] (bytes 1020..1023)"
static const char *object_text(Arena *arena, json_t *at, const char *array) {
  json_int_t offset = member_number(at, "offset_bytes", 0);
  json_int_t bytes = member_number(at, "bytes", 0);
  json_int_t element = member_number(at, "element_bytes", 0);
  const char *text = array;
  if (element > 0 && offset % element == 0)
    text =
        arena_printf(arena, "%s[%lld]", array, (long long)(offset / element));
  if (bytes == 1)
    return arena_printf(arena, "%s (byte %lld)", text, (long long)offset);
  return bytes > 1
             ? arena_printf(arena, "%s (bytes %lld..%lld)", text,
                            (long long)offset, (long long)(offset + bytes - 1))
             : text;
}

static void read_way(const Reading *reading, json_t *at, Participant *to) {
  size_t i;
  json_t *place;
  json_array_foreach(json_object_get(at, "way"), i, place) {
    Loc loc = place_of_json(reading->results, place);
    if (loc.line)
      push(reading->arena, &to->way, loc);
  }
}

static const char *thread_name(const Reading *reading, json_t *at) {
  return arena_printf(
      reading->arena, "thread %s in block %s",
      triple_text(reading->arena, json_object_get(at, "thread")),
      triple_text(reading->arena, json_object_get(at, "block")));
}

static const char *warp_name(const Reading *reading, json_t *at,
                             bool has_lane) {
  json_t *block = json_object_get(at, "block");
  const char *name = arena_printf(reading->arena, "warp %lld",
                                  (long long)member_number(at, "warp", 0));
  if (has_lane)
    name = arena_printf(reading->arena, "lane %lld of %s",
                        (long long)member_number(at, "lane", 0), name);
  return json_is_integer(block)
             ? arena_printf(reading->arena, "%s of block %lld", name,
                            (long long)json_integer_value(block))
             : name;
}

// Of a proof or a run; NULL where a thread does nothing of the kind.
static const char *deed_text(const Reading *reading, json_t *at) {
  const char *action = member_text(reading->results, at, "access");
  const char *array = member_text(reading->results, at, "array");
  if (!action)
    action = member_text(reading->results, at, "action");
  if (json_is_true(json_object_get(at, "exited")))
    return "has left the kernel";
  if (!action)
    return NULL;
  return array ? arena_printf(reading->arena, "%s %s", verb(action),
                              object_text(reading->arena, at, array))
               : verb(action);
}

// Two threads of a divergence: one is there, and the other one does not come,
// or means something else there.
static const char *divergence_text(const Participant *thread) {
  return thread->where.line ? "is there" : "does not agree";
}

// What is about one thread has a second one in its witness, which is nowhere.
static bool takes_part(const Participant *thread, const Alarm *alarm) {
  return !alarm->participants.count || thread->does || thread->where.line ||
         thread->way.count;
}

static void add_thread(const Reading *reading, json_t *at, Alarm *alarm) {
  Participant thread = {.who = thread_name(reading, at),
                        .does = deed_text(reading, at),
                        .where = member_place(reading->results, at, "where")};
  read_way(reading, at, &thread);
  if (!thread.does && !strcmp(alarm->kind, "divergent"))
    thread.does = divergence_text(&thread);
  if (json_is_object(at) && takes_part(&thread, alarm))
    push(reading->arena, &alarm->participants, thread);
}

// Bytes of shared memory, which has no names in PTX.
static void add_end(const Reading *reading, json_t *problem, json_t *at,
                    Alarm *alarm) {
  const char *action = member_text(reading->results, at, "action");
  json_t *address = json_object_get(problem, "address");
  const char *does = action ? verb(action) : NULL;
  if (does && json_is_integer(address)) {
    long long from = (long long)json_integer_value(address);
    does = arena_printf(
        reading->arena, "%s bytes %lld..%lld of shared memory", does, from,
        from + (long long)member_number(problem, "bytes", 1) - 1);
  }
  Participant end = {.who = warp_name(reading, at, true),
                     .does = does,
                     .where = member_place(reading->results, at, "where")};
  if (!end.where.line)
    end.where = member_place(reading->results, at, "ptx");
  read_way(reading, at, &end);
  push(reading->arena, &alarm->participants, end);
}

static void read_participants(const Reading *reading, json_t *problem,
                              Alarm *alarm) {
  size_t i;
  json_t *at;
  json_t *witness = json_object_get(problem, "witness");
  json_array_foreach(json_object_get(witness, "threads"), i, at)
      add_thread(reading, at, alarm);
  json_array_foreach(json_object_get(problem, "threads"), i, at)
      add_thread(reading, at, alarm);
  json_array_foreach(json_object_get(problem, "ends"), i, at)
      add_end(reading, problem, at, alarm);
}

// ------------------------------------------------------------- deadlocks ---

static const char *wait_text(const Reading *reading, json_t *at) {
  Arena *arena = reading->arena;
  json_t *barrier = json_object_get(at, "barrier");
  const char *name = "mbarrier";
  if (json_is_true(json_object_get(at, "exited")))
    return "has exited";
  if (json_is_integer(barrier))
    name = arena_printf(arena, "barrier %lld",
                        (long long)json_integer_value(barrier));
  else if (json_is_string(barrier))
    name = arena_printf(arena, "%s barrier",
                        member_text(reading->results, at, "barrier"));
  else if (json_is_integer(json_object_get(at, "mbarrier")))
    name = arena_printf(arena, "mbarrier at byte %lld",
                        (long long)member_number(at, "mbarrier", 0));
  return arena_printf(arena, "%s: %lld of %lld have come", name,
                      (long long)member_number(at, "met", 0),
                      (long long)member_number(at, "expected", 0));
}

// The wait for a phase says which.
static const char *phase_text(const Reading *reading, json_t *at) {
  json_t *phase = json_object_get(at, "generation");
  bool has_phase = json_is_integer(json_object_get(at, "mbarrier")) &&
                   json_is_integer(phase);
  return has_phase ? arena_printf(reading->arena, " in phase %lld",
                                  (long long)json_integer_value(phase))
                   : "";
}

static int index_of_warp(json_t *warps, json_t *at) {
  size_t i;
  json_t *other;
  if (!json_is_integer(json_object_get(at, "waits_for")))
    return -1;
  json_array_foreach(
      warps, i,
      other) if (member_number(other, "warp", -1) ==
                     member_number(at, "waits_for", -2) &&
                 member_number(other, "block", -1) ==
                     member_number(at, "waits_for_block", -1)) return (int)i;
  return -1;
}

// Who would come if it did not wait itself.
static const char *help_text(const Reading *reading, json_t *warps, json_t *at,
                             int other) {
  Loc where = member_place(reading->results, at, "comes_at");
  if (!json_is_array(json_object_get(at, "could_come")))
    return NULL; // of a record that does not say so
  if (other < 0)
    return "nobody else will come";
  const char *who =
      warp_name(reading, json_array_get(warps, (size_t)other), false);
  return where.line ? arena_printf(reading->arena, "%s would come, %s", who,
                                   place_shown(reading->results, where))
                    : arena_printf(reading->arena, "%s would come", who);
}

static void read_standpoints(const Reading *reading, json_t *problem,
                             Alarm *alarm) {
  size_t i;
  json_t *at, *warps = json_object_get(problem, "warps");
  json_array_foreach(warps, i, at) {
    int other = index_of_warp(warps, at);
    Standpoint standpoint = {
        .who = warp_name(reading, at, false),
        .what = arena_printf(reading->arena, "%s%s", wait_text(reading, at),
                             phase_text(reading, at)),
        .where = member_place(reading->results, at, "where"),
        .waits_for = other,
        .help = help_text(reading, warps, at, other)};
    push(reading->arena, &alarm->standpoints, standpoint);
  }
}

// -------------------------------------------------------------- problems ---

static void add_text(const Reading *reading, NamedTexts *to, const char *name,
                     const char *value) {
  if (value)
    push(reading->arena, to, ((NamedText){name, value}));
}

static void read_values(const Reading *reading, json_t *object,
                        NamedTexts *to) {
  const char *name;
  json_t *value;
  json_object_foreach(object, name, value) if (json_is_string(value))
      add_text(reading, to, clean_text(reading->arena, name),
               clean_text(reading->arena, json_string_value(value)));
}

static void read_inputs(const Reading *reading, json_t *problem, Alarm *alarm) {
  json_t *witness = json_object_get(problem, "witness");
  json_t *sizes = json_is_object(witness) ? witness : reading->root;
  json_t *block = json_object_get(sizes, "block_size");
  json_t *grid = json_object_get(sizes, "grid_size");
  if (json_is_array(block))
    add_text(reading, &alarm->inputs, "blockDim",
             triple_text(reading->arena, block));
  if (json_is_array(grid))
    add_text(reading, &alarm->inputs, "gridDim",
             triple_text(reading->arena, grid));
  read_values(reading, json_object_get(witness, "arguments"), &alarm->inputs);
  read_values(reading, json_object_get(witness, "values"), &alarm->values);
}

// The place of the problem, or the next best.
static Loc place_of_alarm(const Reading *reading, json_t *problem,
                          const Alarm *alarm) {
  Loc where = member_place(reading->results, problem, "where");
  for (size_t i = 0; !where.line && i < alarm->participants.count; i++)
    where = alarm->participants.at[i].where;
  for (size_t i = 0; !where.line && i < alarm->standpoints.count; i++)
    where = alarm->standpoints.at[i].where;
  return where.line ? where : reading->record->where;
}

// By a comment, a list or a baseline.
static void read_known(const Reading *reading, json_t *problem, Alarm *alarm) {
  json_t *known = json_object_get(problem, "suppressed");
  const char *level = member_text(reading->results, problem, "level");
  alarm->is_only_warned = level && !strcmp(level, "warning");
  if (!json_is_object(known))
    return;
  const char *by = member_text(reading->results, known, "by");
  alarm->is_suppressed = true;
  alarm->suppression = member_text(reading->results, known, "reason");
  alarm->is_suppressed_inside = by && !strcmp(by, "source");
}

static bool is_executed(const Reading *reading) {
  const char *technique = reading->record->technique;
  return strcmp(technique, "proof") != 0 && strcmp(technique, "barriers") != 0;
}

// What the solver found, and an execution may have done otherwise.
static bool has_ways_of_model(const Reading *reading, const Alarm *alarm) {
  bool has_ways = false;
  for (unsigned i = 0; i < alarm->participants.count; i++)
    has_ways |= alarm->participants.at[i].way.count > 0;
  return has_ways && !strcmp(reading->record->technique, "proof");
}

static void add_problem(const Reading *reading, json_t *problem) {
  Results *results = reading->results;
  const char *kind = member_text(results, problem, "kind");
  const char *sentence = member_text(results, problem, "sentence");
  Alarm alarm = {
      .kind = kind ? kind : reading->record->verdict,
      .sentence = sentence ? sentence : reading->record->verdict,
      .is_confirmed = is_executed(reading) ||
                      json_is_true(json_object_get(problem, "confirmed")),
      .replay = member_text(results, problem, "replay"),
      .caveat = member_text(results, problem, "caveat"),
      .occurrences = (uint64_t)member_number(problem, "occurrences", 0)};
  read_known(reading, problem, &alarm);
  read_participants(reading, problem, &alarm);
  read_standpoints(reading, problem, &alarm);
  read_inputs(reading, problem, &alarm);
  alarm.where = place_of_alarm(reading, problem, &alarm);
  alarm.has_ways_of_model = has_ways_of_model(reading, &alarm);
  alarm.has_interval = !strcmp(alarm.kind, "racy") &&
                       !strcmp(reading->record->technique, "proof");
  alarm.barrier = member_place(results, problem, "barrier");
  push(reading->arena, &reading->record->alarms, alarm);
}

static void add_sentence(const Reading *reading, json_t *at,
                         const char *sentence) {
  Alarm alarm = {.kind = reading->record->verdict,
                 .sentence = sentence,
                 .is_confirmed = true,
                 .where = member_place(reading->results, at, "where")};
  if (!alarm.where.line)
    alarm.where = reading->record->where;
  push(reading->arena, &reading->record->alarms, alarm);
}

// -------------------------------------------------------------- schedules ---

// "(1,0,0)" of a number that counts x first.
static const char *triple_of(const Reading *reading, json_t *step,
                             const char *member, const char *size) {
  json_t *sizes = json_object_get(reading->root, size);
  json_int_t rest = member_number(step, member, 0), at[3];
  for (size_t i = 0; i < 3; i++) {
    json_int_t length = json_integer_value(json_array_get(sizes, i));
    at[i] = length > 0 ? rest % length : rest;
    rest = length > 0 ? rest / length : 0;
  }
  return arena_printf(reading->arena, "(%lld,%lld,%lld)", (long long)at[0],
                      (long long)at[1], (long long)at[2]);
}

static bool is_by(json_t *step, json_t *other) {
  return member_number(step, "thread", 0) ==
             member_number(other, "thread", 0) &&
         member_number(step, "block", 0) == member_number(other, "block", 0);
}

// Who does that step, and all that it did up to there.
static void add_step(const Reading *reading, json_t *steps, size_t index,
                     const char *prefix, Alarm *alarm) {
  json_t *step = json_array_get(steps, index);
  const char *array = member_text(reading->results, step, "array");
  const char *action = member_text(reading->results, step, "action");
  Participant one = {
      .who = arena_printf(reading->arena, "thread %s in block %s",
                          triple_of(reading, step, "thread", "block_size"),
                          triple_of(reading, step, "block", "grid_size")),
      .does = arena_printf(
          reading->arena, "%s%s %s", prefix, action ? action : "acts",
          array ? object_text(reading->arena, step, array) : ""),
      .where = member_place(reading->results, step, "where")};
  for (size_t i = 0; i <= index; i++) {
    json_t *before = json_array_get(steps, i);
    Loc where = member_place(reading->results, before, "where");
    if (is_by(before, step) && where.line)
      push(reading->arena, &one.way, where);
  }
  push(reading->arena, &alarm->participants, one);
}

// Who waits first, and who goes on instead.
static void read_delay(const Reading *reading, Alarm *alarm) {
  json_t *steps = json_object_get(reading->root, "steps"), *step;
  size_t i, delay = json_array_size(steps);
  json_array_foreach(steps, i, step) {
    const char *kind = member_text(reading->results, step, "step");
    bool is_delay = kind && !strcmp(kind, "delay");
    if (is_delay && delay > i) {
      delay = i;
      add_step(reading, steps, i, "waits before it ", alarm);
    } else if (i > delay && !is_by(step, json_array_get(steps, delay))) {
      add_step(reading, steps, i, "", alarm);
      return;
    }
  }
}

// "out (bytes 0..3) is 6 at the end, and 1 after the canonical schedule"
static const char *difference_text(const Reading *reading, json_t *at) {
  const char *array = member_text(reading->results, at, "array");
  const char *found = member_text(reading->results, at, "found");
  const char *canonical = member_text(reading->results, at, "canonical");
  if (!array || !found || !canonical)
    return NULL;
  return arena_printf(
      reading->arena,
      "%s at byte %lld is %s at the end, and %s after the canonical schedule",
      array, (long long)member_number(at, "offset_bytes", 0), found, canonical);
}

static void add_dependence(const Reading *reading) {
  json_t *differences = json_object_get(reading->root, "differences");
  Alarm alarm = {.kind = reading->record->verdict,
                 .sentence = "the final state depends on the schedule",
                 .is_confirmed = true,
                 .where = reading->record->where,
                 .replay =
                     difference_text(reading, json_array_get(differences, 0))};
  read_inputs(reading, NULL, &alarm);
  read_delay(reading, &alarm);
  if (alarm.participants.count && alarm.participants.at[0].where.line)
    alarm.where = alarm.participants.at[0].where;
  push(reading->arena, &reading->record->alarms, alarm);
}

// ---------------------------------------------------------------- failures ---

static bool is_dependence(const Reading *reading) {
  return !strcmp(reading->record->verdict, "schedule-dependent") &&
         json_array_size(json_object_get(reading->root, "differences"));
}

// What went wrong in a run or a program and is no problem of a kernel.
static void add_failures(const Reading *reading) {
  KernelRecord *record = reading->record;
  json_t *fault = json_object_get(reading->root, "fault"), *at;
  size_t i;
  json_array_foreach(json_object_get(reading->root, "refused"), i, at)
      add_sentence(reading, at, member_text(reading->results, at, "sentence"));
  if (json_is_object(fault))
    add_sentence(reading, fault,
                 member_text(reading->results, fault, "sentence"));
  if (record->class != CLASS_BUG || record->alarms.count)
    return;
  if (is_dependence(reading)) {
    add_dependence(reading);
    return;
  }
  const char *why = record->reason ? record->reason : record->scope;
  add_sentence(
      reading, NULL,
      why ? arena_printf(reading->arena, "%s: %s", record->verdict, why)
          : record->verdict);
}

// ----------------------------------------------------------- the record ---

static void read_assumptions(const Reading *reading) {
  KernelRecord *record = reading->record;
  size_t i, k;
  json_t *name, *breach;
  json_t *breaches = json_object_get(reading->root, "breaches");
  json_array_foreach(json_object_get(reading->root, "assumptions"), i, name) {
    if (!json_is_string(name))
      continue;
    NamedText text = {clean_text(reading->arena, json_string_value(name)),
                      NULL};
    json_array_foreach(breaches, k, breach) {
      const char *other = member_text(reading->results, breach, "assumption");
      if (other && !strcmp(other, text.name))
        text.value = member_text(reading->results, breach, "sentence");
    }
    push(reading->arena, &record->assumptions, text);
  }
}

static const char *launch_text(const Reading *reading) {
  json_t *host = json_object_get(reading->root, "launch");
  json_t *launch = json_is_object(host) ? host : reading->root;
  json_t *block = json_object_get(launch, "block_size");
  if (!json_is_array(block))
    return NULL;
  Loc where = member_place(reading->results, host, "where");
  const char *text = arena_printf(
      reading->arena, "blockDim = %s, gridDim = %s",
      triple_text(reading->arena, block),
      triple_text(reading->arena, json_object_get(launch, "grid_size")));
  return where.line ? arena_printf(reading->arena, "%s, as launched at %s",
                                   text, place_shown(reading->results, where))
                    : text;
}

// For which inputs, blocks or schedules the verdict is.
static const char *scope_text(const Reading *reading) {
  Results *results = reading->results;
  json_t *blocks = json_object_get(reading->root, "blocks");
  const char *more = member_text(results, reading->root, "coverage");
  const char *launch = launch_text(reading);
  if (json_is_object(blocks))
    more = member_text(results, blocks, "sentence");
  if (!more || !launch)
    return more ? more : launch;
  return arena_printf(reading->arena, "%s; %s", launch, more);
}

static const char *sizes_options(const Reading *reading) {
  json_t *witness = json_object_get(
      json_array_get(json_object_get(reading->root, "problems"), 0), "witness");
  json_t *sizes = json_is_object(witness) ? witness : reading->root;
  json_t *block = json_object_get(sizes, "block_size");
  json_t *grid = json_object_get(sizes, "grid_size");
  if (!json_is_array(block) || !json_is_array(grid))
    return "";
  return arena_printf(reading->arena, " --blockDim=%s --gridDim=%s",
                      numbers_text(reading->arena, block),
                      numbers_text(reading->arena, grid));
}

// To see the same once more.
static const char *replay_text(const Reading *reading) {
  const KernelRecord *record = reading->record;
  Arena *arena = reading->arena;
  const char *file = shell_word(arena, record->file);
  const char *kernel = shell_word(arena, record->kernel ? record->kernel : "");
  const char *technique = record->technique;
  const char *own = member_text(reading->results, reading->root, "command");
  const char *written =
      member_text(reading->results, reading->root, "schedule_file");
  if (!strcmp(technique, "proof"))
    return arena_printf(arena, "%s%s",
                        own ? own : arena_printf(arena, "gpuverify %s", file),
                        sizes_options(reading));
  if (own)
    return own;
  if (!strcmp(technique, "barriers"))
    return arena_printf(arena, "gpuverify barriers %s --entry=%s%s", file,
                        kernel, sizes_options(reading));
  if (!strcmp(technique, "schedules") && written)
    return arena_printf(arena,
                        "gpuverify schedules %s --launch=LAUNCH.json "
                        "--replay=%s",
                        file, shell_word(arena, written));
  if (!strcmp(technique, "program"))
    return arena_printf(arena, "gpuverify run %s --detect=races", file);
  return arena_printf(
      arena, "gpuverify run %s --launch=LAUNCH.json --detect=races", file);
}

// Has it members without which it is none?
static bool is_record(json_t *root) {
  return json_is_object(root) &&
         json_is_integer(json_object_get(root, "schema")) &&
         json_is_string(json_object_get(root, "verdict")) &&
         json_object_get(root, "file") && json_object_get(root, "seconds");
}

// `gpuverify barriers` is asked about one block; where it was only the proof's
// way out, the record says so.
static ResultClass class_as_asked(const Reading *reading) {
  json_t *problems = json_object_get(reading->root, "problems");
  const char *verdict = reading->record->verdict;
  bool is_way_out = json_object_get(reading->root, "proof");
  if (!strcmp(verdict, "verified for one block") && !is_way_out)
    return CLASS_GOOD;
  return class_of(verdict, json_array_size(problems));
}

// What was found is gone: the kernel is verified in the file as it is now.
static json_t *repair_made(const json_t *root) {
  json_t *repair = json_object_get(root, "repair");
  return json_is_true(json_object_get(repair, "fixed")) ? repair : NULL;
}

// "repaired: insert '__syncthreads();' at k.cu:8:3"
static const char *repair_text(const Reading *reading, json_t *repair) {
  const char *text = "repaired";
  json_t *change;
  size_t i;
  json_array_foreach(json_object_get(repair, "changes"), i, change) {
    const char *what = member_text(reading->results, change, "sentence");
    Loc where = member_place(reading->results, change, "where");
    text = arena_printf(reading->arena, "%s%s %s at %s", text, i ? "," : ":",
                        what ? what : "", place_shown(reading->results, where));
  }
  return text;
}

static void read_repair(const Reading *reading) {
  json_t *repair = repair_made(reading->root);
  KernelRecord *record = reading->record;
  if (!repair)
    return;
  record->verdict = "verified";
  record->class = CLASS_GOOD;
  record->scope =
      arena_printf(reading->arena, "%s%s%s", record->scope ? record->scope : "",
                   record->scope ? "; " : "", repair_text(reading, repair));
}

static void read_head(Reading *reading) {
  Results *results = reading->results;
  KernelRecord *record = reading->record;
  json_t *root = reading->root;
  const char *file = json_string_value(json_object_get(root, "file"));
  const char *technique = member_text(results, root, "technique");
  record->file = arena_copy(reading->arena, file ? file
                                                 : "(a file whose name "
                                                   "is not UTF-8)");
  record->kernel = member_text(results, root, "kernel");
  record->source = member_text(results, root, "source");
  if (!record->source)
    record->source = record->kernel ? record->kernel : "(program)";
  record->technique = technique ? technique : "proof";
  record->where = member_place(results, root, "where");
  if (!record->where.line)
    record->where = (Loc){record->file, 0, 0};
  record->verdict = member_text(results, root, "verdict");
  record->class = class_as_asked(reading);
  record->reason = member_text(results, root, "reason");
  record->reason_where = member_place(results, root, "reason_where");
  record->seconds = json_number_value(json_object_get(root, "seconds"));
}

// What may happen at once and is no race, because a name says so.
static void read_tolerated(const Reading *reading) {
  Results *results = reading->results;
  size_t i;
  json_t *pair;
  json_array_foreach(json_object_get(reading->root, "tolerated"), i, pair) {
    Toleration one = {.assumption = member_text(results, pair, "assumption"),
                      .sentence = member_text(results, pair, "sentence"),
                      .where = member_place(results, pair, "where"),
                      .other = member_place(results, pair, "other")};
    if (one.assumption && one.sentence)
      push(reading->arena, &reading->record->tolerated, one);
  }
}

// What was found, too, and the user knows of.
static void add_suppressed(const Reading *reading, json_t *at) {
  Results *results = reading->results;
  const char *kind = member_text(results, at, "kind");
  const char *sentence = member_text(results, at, "sentence");
  const char *by = member_text(results, at, "by");
  Alarm alarm = {.kind = kind ? kind : reading->record->verdict,
                 .sentence = sentence ? sentence : reading->record->verdict,
                 .where = member_place(results, at, "where"),
                 .is_suppressed = true,
                 .suppression = member_text(results, at, "reason"),
                 .is_suppressed_inside = by && !strcmp(by, "source")};
  if (!alarm.where.line)
    alarm.where = reading->record->where;
  push(reading->arena, &reading->record->alarms, alarm);
}

static void read_suppressed(const Reading *reading) {
  json_t *list = json_object_get(reading->root, "suppressed");
  for (size_t i = 0; i < json_array_size(list); i++)
    add_suppressed(reading, json_array_get(list, i));
}

static void read_problems(const Reading *reading) {
  size_t i;
  json_t *problem;
  json_array_foreach(json_object_get(reading->root, "problems"), i,
                     problem) if (json_is_object(problem))
      add_problem(reading, problem);
  add_failures(reading);
}

// {"schema": 1, "trouble": "compile", "file": .., "message": ..}
static bool read_trouble(Results *results, json_t *root) {
  const char *kind = member_text(results, root, "trouble");
  const char *message = member_text(results, root, "message");
  bool is_suppression = kind && !strcmp(kind, "suppression");
  if (is_suppression)
    results_suppression(results, member_text(results, root, "file"),
                        (unsigned)member_number(root, "line", 0), message);
  else if (kind)
    results_trouble(results, member_text(results, root, "file"), kind,
                    message ? message : kind);
  return kind;
}

// {"schema": 1, "folder": ..}
static bool read_folder(Results *results, json_t *root) {
  const char *folder = member_text(results, root, "folder");
  if (folder)
    results->folder = folder;
  return folder;
}

static bool read_object(Results *results, json_t *root, const RecordRow *row) {
  KernelRecord record = {.is_cached = row->is_cached};
  Reading reading = {results, &results->arena, root, &record};
  if (read_trouble(results, root) || read_folder(results, root))
    return true;
  if (!is_record(root))
    return false;
  read_head(&reading);
  if (row->file)
    record.file = row->file;
  record.scope = scope_text(&reading);
  record.replay = replay_text(&reading);
  read_repair(&reading);
  read_assumptions(&reading);
  read_tolerated(&reading);
  if (!repair_made(root))
    read_problems(&reading);
  read_suppressed(&reading);
  push_moving(reading.arena, &results->records, record);
  return true;
}

bool record_read(Results *results, const char *text, const RecordRow *row) {
  json_t *root = json_loads(text, 0, NULL);
  const char *file = json_string_value(json_object_get(root, "file"));
  if (row->file && file)
    results->renamed =
        (NamedText){arena_copy(&results->arena, file), row->file};
  bool is_known = root && read_object(results, root, row);
  results->renamed = (NamedText){NULL, NULL};
  json_decref(root);
  return is_known;
}
