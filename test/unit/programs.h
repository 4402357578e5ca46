// Programs of warps as text, and what is found in them, for the unit tests.
//
// A program is written as text, one string for each warp, `;` between commands.
// Lanes are in hex, and all of them where an access or a barrier has none:
//
// clang-format off
//   sync 1 64               a barrier and its count; also red, arrive
//   w4 128 4                all lanes write 4 bytes at 128 + 4 * lane; also
//                           r (read), a (atomic), c (cp.async)
//   w4 128 4 ff             lanes 0 to 7 do
//   w4 128 0 ff =           ... and they write the same value
//   warp ff                 bar.warp.sync
//   exit ff
//   done 3 ff               these lanes' copies before command 3 are made
//
//   init 64 2 1             lane 0 makes an mbarrier at 64 for two arrivals
//   inval 64 1              ... and ends it
//   come 64 1 ff            each of these lanes arrives once; also drop
//   come.relaxed 64 1 ff    ... and orders no accesses; also wait.relaxed
//   come.more 64 1 ff       ... and must not complete the phase (.noComplete)
//   tell 64 1 16 1          an arrival that announces 16 bytes
//   expect 64 16 1          16 bytes are announced
//   bytes 64 16 1           16 bytes come
//   wait 64 0 1             until a phase of parity 0 is over
//   land 64 1 ff            an arrival when the copies are made (.noinc);
//                           0 instead of 1: without .noinc
//
//   load 0 32 1 1           a bulk copy writes 32 bytes from 0 on, until the
//                           phase for which the next command counts is over
//   come.bulk 64 32 1       ... which are bytes for an mbarrier
//   store 0 32 0 1          a bulk copy reads 32 bytes from 0 on
//   bulks 3 1               ... until here, if it stands before command 3
//   fence ff                a proxy fence
//   fence.init ff           a fence for what these lanes have initialised
// clang-format on
//
// What is found is text, too: "race 64 at 128+4" is 64 pairs of threads and
// the second example's bytes, "recycled 2.1" generation 1 of barrier 2,
// "misses 64.1" phase 1 of the mbarrier at 64.

#ifndef TEST_UNIT_PROGRAMS_H
#define TEST_UNIT_PROGRAMS_H

#include "test/fuzz/interleave.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static Task task;
static Programs programs;
static Check check;

static inline void start(void) {
  task = (Task){0};
  programs = (Programs){.kernel = "test"};
}

static inline void stop(void) { arena_free(&task.arena); }

// ------------------------------------------------------- programs as text ---

static inline bool read_barrier(const char *text, Command *command) {
  static const char *const names[] = {"sync", "red", "arrive"};
  static const CommandKind kinds[] = {COMMAND_SYNC, COMMAND_REDUCE,
                                      COMMAND_ARRIVE};
  char name[16];
  unsigned barrier, threads;
  if (sscanf(text, " %15s %u %u", name, &barrier, &threads) != 3)
    return false;
  for (unsigned i = 0; i < 3; i++) {
    if (strcmp(name, names[i]) != 0)
      continue;
    *command = (Command){.kind = kinds[i],
                         .barrier = (uint8_t)barrier,
                         .threads = threads,
                         .lanes = UINT32_MAX};
    return true;
  }
  return false;
}

static inline bool read_lanes(const char *text, Command *command) {
  char name[16];
  unsigned lanes;
  if (sscanf(text, " %15s %x", name, &lanes) != 2)
    return false;
  if (strcmp(name, "warp") != 0 && strcmp(name, "exit") != 0)
    return false;
  command->kind = name[0] == 'w' ? COMMAND_WARP_SYNC : COMMAND_EXIT;
  command->lanes = lanes;
  return true;
}

static inline void read_access(const char *text, Command *command) {
  char kind, same = ' ';
  unsigned bytes, address, lanes = UINT32_MAX;
  int stride;
  ck_assert_int_ge(sscanf(text, " %c%u %u %d %x %c", &kind, &bytes, &address,
                          &stride, &lanes, &same),
                   4);
  *command = (Command){.kind = kind == 'r'   ? COMMAND_READ
                               : kind == 'w' ? COMMAND_WRITE
                               : kind == 'c' ? COMMAND_COPY
                                             : COMMAND_ATOMIC,
                       .bytes = (uint8_t)bytes,
                       .same_value = same == '=',
                       .lanes = lanes,
                       .address = address,
                       .stride = stride};
}

// A word, and the numbers that its letters stand for.
static inline bool read_use(const char *text, Command *command) {
  static const struct {
    const char *name, *numbers;
    CommandKind kind;
  } uses[] = {{"init", "acl", COMMAND_MBARRIER_INIT},
              {"inval", "al", COMMAND_MBARRIER_INVAL},
              {"expect", "atl", COMMAND_MBARRIER_EXPECT},
              {"come", "acl", COMMAND_MBARRIER_ARRIVE},
              {"come.relaxed", "acl", COMMAND_MBARRIER_ARRIVE},
              {"come.more", "acl", COMMAND_MBARRIER_ARRIVE},
              {"tell", "actl", COMMAND_MBARRIER_ARRIVE},
              {"drop", "acl", COMMAND_MBARRIER_DROP},
              {"bytes", "atl", COMMAND_MBARRIER_COMPLETE},
              {"wait", "apl", COMMAND_MBARRIER_WAIT},
              {"wait.relaxed", "apl", COMMAND_MBARRIER_WAIT},
              {"wait.tried", "aypl", COMMAND_MBARRIER_WAIT},
              {"try", "apl", COMMAND_MBARRIER_TRY},
              {"land", "acl", COMMAND_COPY_ARRIVE},
              {"load", "aebl", COMMAND_BULK_WRITE},
              {"store", "aebl", COMMAND_BULK_READ},
              {"come.bulk", "atl", COMMAND_BULK_COMPLETE},
              {"bulks", "wl", COMMAND_BULKS_DONE},
              {"fence", "l", COMMAND_PROXY_FENCE},
              {"fence.init", "l", COMMAND_INIT_FENCE},
              {"done", "wl", COMMAND_COPIES_DONE}};
  while (*text == ' ')
    text++;
  size_t length = strcspn(text, " "), i = 0;
  while (i < sizeof uses / sizeof *uses &&
         (strlen(uses[i].name) != length ||
          strncmp(uses[i].name, text, length) != 0))
    i++;
  if (i == sizeof uses / sizeof *uses)
    return false;
  *command = (Command){.kind = uses[i].kind,
                       .is_relaxed = strstr(uses[i].name, ".relaxed"),
                       .never_completes = strstr(uses[i].name, ".more")};
  char *rest = (char *)text + length;
  for (const char *letter = uses[i].numbers; *letter; letter++) {
    char *end;
    unsigned long number = strtoul(rest, &end, *letter == 'l' ? 16 : 10);
    ck_assert_ptr_ne(rest, end);
    rest = end;
    switch (*letter) {
    case 'a':
      command->address = (uint32_t)number;
      break;
    case 'w':
      command->before = (uint32_t)number;
      break;
    case 'c':
      command->arrivals = (uint32_t)number;
      break;
    case 'e':
      command->extent = (uint32_t)number;
      break;
    case 'y':
      command->tried = (uint32_t)number;
      break;
    case 'b':
      command->completes_in = (uint8_t)number;
      break;
    case 't':
      command->tx = (int32_t)number;
      break;
    case 'p':
      command->parity = (uint8_t)number;
      break;
    default:
      command->lanes = (uint32_t)number;
    }
  }
  return true;
}

static inline void add_command(unsigned warp, const char *text) {
  Command command = {0};
  if (!read_use(text, &command) && !read_barrier(text, &command) &&
      !read_lanes(text, &command))
    read_access(text, &command);
  command.place = (uint32_t)programs.places.count;
  Place place = {.text = arena_copy(&task.arena, text),
                 .ptx = {"k.ptx", command.place + 1, 1},
                 .source = {"dir/k.cu", command.place + 1, 1}};
  push(&task.arena, &programs.places, place);
  push(&task.arena, &programs.warps[warp], command);
}

static inline void add_warp(const char *text) {
  unsigned warp = programs_warps(&programs);
  programs.threads += WARP;
  char *rest = arena_copy(&task.arena, text);
  for (char *next; rest && *rest; rest = next) {
    next = strchr(rest, ';');
    if (next)
      *next++ = '\0';
    if (rest[strspn(rest, " ")])
      add_command(warp, rest);
  }
}

static inline const char *finding_text(const Finding *finding) {
  static const char *const names[] = {[FINDING_DEADLOCK] = "deadlock",
                                      [FINDING_COUNT] = "count",
                                      [FINDING_TOO_MANY] = "too many",
                                      [FINDING_ALL_ARRIVE] = "all arrive",
                                      [FINDING_TWICE] = "twice",
                                      [FINDING_MIXED] = "mixed",
                                      [FINDING_RECYCLED] = "recycled",
                                      [FINDING_RACE] = "race",
                                      [FINDING_DEAD] = "dead",
                                      [FINDING_LIVE] = "live",
                                      [FINDING_IN_USE] = "in use",
                                      [FINDING_ARRIVALS] = "arrivals",
                                      [FINDING_EARLY] = "early",
                                      [FINDING_PASSES] = "passes",
                                      [FINDING_MISSES] = "misses",
                                      [FINDING_UNANNOUNCED] = "unannounced",
                                      [FINDING_RANGE] = "range",
                                      [FINDING_UNBALANCED] = "unbalanced",
                                      [FINDING_OVERLAP] = "overlap",
                                      [FINDING_COMPLETES] = "completes",
                                      [FINDING_NOT_STARTED] = "not started",
                                      [FINDING_GONE] = "gone",
                                      [FINDING_UNFENCED] = "unfenced",
                                      [FINDING_UNFINISHED] = "unfinished",
                                      [FINDING_WARPGROUP] = "warpgroup",
                                      [FINDING_DIRECTION] = "direction",
                                      [FINDING_POOL] = "pool"};
  if (finding->kind == FINDING_RACE)
    return arena_printf(&task.arena, "race %llu at %u+%u",
                        (unsigned long long)finding->occurrences,
                        finding->address, finding->bytes);
  if (finding->kind == FINDING_OVERLAP || finding->kind == FINDING_UNFENCED ||
      finding->kind == FINDING_UNFINISHED ||
      finding->kind == FINDING_NOT_STARTED ||
      (finding->kind == FINDING_GONE && !finding->is_mbarrier))
    return arena_printf(&task.arena, "%s at %u", names[finding->kind],
                        finding->address);
  return arena_printf(&task.arena, "%s %u.%d", names[finding->kind],
                      finding->is_mbarrier ? finding->address
                                           : finding->barrier,
                      (int)finding->generation);
}

// Whatever is found is seen in a schedule, if perhaps behind another mistake.
static inline void expect_replays(void) {
  programs_replay(&task, &programs, &check);
  for (size_t i = 0; i < check.findings.count; i++) {
    const Finding *finding = &check.findings.at[i];
    ck_assert_msg(finding->is_confirmed ||
                      strstr(finding->replay, "another mistake"),
                  "%s: %s", finding_text(finding), finding->replay);
  }
}

static inline const char *findings(void) {
  const char *text = "";
  programs_check(&task, &programs, &check);
  expect_replays();
  for (size_t i = 0; i < check.findings.count; i++)
    text = arena_printf(&task.arena, "%s%s%s", text, i ? "; " : "",
                        finding_text(&check.findings.at[i]));
  return text;
}

// The findings in a block of these warps; an unused one is NULL.
static inline const char *check_warps(const char *a, const char *b,
                                      const char *c, const char *d) {
  const char *warps[] = {a, b, c, d};
  stop();
  bool lock_step = programs.lock_step;
  start();
  programs.lock_step = lock_step;
  for (unsigned i = 0; i < 4; i++)
    if (warps[i])
      add_warp(warps[i]);
  return findings();
}

#define expect1(a, text)                                                       \
  ck_assert_str_eq(check_warps(a, NULL, NULL, NULL), text)
#define expect2(a, b, text)                                                    \
  ck_assert_str_eq(check_warps(a, b, NULL, NULL), text)
#define expect3(a, b, c, text)                                                 \
  ck_assert_str_eq(check_warps(a, b, c, NULL), text)
#define expect4(a, b, c, d, text)                                              \
  ck_assert_str_eq(check_warps(a, b, c, d), text)

// --------------------------------------------------------- random programs ---

typedef Programs *Generator(Arena *arena, uint64_t seed, uint64_t index);

enum { REFUTE_EACH = 16 }; // that takes longer than all the rest

// The check says of the first `count` of them what all their schedules show;
// `least` are clean, and as many are not.
static inline void expect_agreement(Generator *generate, unsigned count,
                                    unsigned least) {
  unsigned counts[DISAGREE + 1] = {0};
  Replays replays = {0};
  for (unsigned i = 0; i < count; i++) {
    Task one = {0};
    Programs *random = generate(&one.arena, 1, i);
    replays.refutes = i % REFUTE_EACH == 0;
    Agreement agreement = compare_programs(&one, random, &replays, stdout);
    ck_assert_msg(agreement != DISAGREE, "index %u", i);
    counts[agreement]++;
    arena_free(&one.arena);
  }
  ck_assert_uint_gt(counts[AGREE_CLEAN], least);
  ck_assert_uint_gt(counts[AGREE_FINDINGS], least);
}

#endif
