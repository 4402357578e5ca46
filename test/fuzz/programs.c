// Random barrier programs: the check against all of their schedules.
//
//   programs [--count=N] [--seed=S]    N (1000) programs
//   programs --seed=S --index=I        that one, printed if they disagree
//   programs --phases ...              programs with mbarriers and copies
//   programs --perhaps ...             with accesses that may not be made
//   programs --large=0..4 [--count=N]  time and memory of a large program of
//                                      that shape (enum Large), with N rounds
//
// The last line says how many there were; those that the two disagree about
// are printed in full, and make the exit status 1.

#include "test/fuzz/interleave.h"

#include <stdlib.h>
#include <string.h>

typedef struct Request {
  uint64_t seed, count, from;
  bool has_phases, has_perhaps;
  bool is_large;
  uint64_t shape;
} Request;

static bool number(const char *argument, const char *name, uint64_t *value) {
  size_t length = strlen(name);
  if (strncmp(argument, name, length) != 0)
    return false;
  char *end;
  *value = strtoull(argument + length, &end, 10);
  return end != argument + length && *end == '\0';
}

static Request read_request(int argc, char **argv) {
  Request request = {.seed = 1, .count = 1000};
  for (int i = 1; i < argc; i++) {
    if (number(argv[i], "--seed=", &request.seed) ||
        number(argv[i], "--count=", &request.count))
      continue;
    if (!strcmp(argv[i], "--phases")) {
      request.has_phases = true;
      continue;
    }
    if (!strcmp(argv[i], "--perhaps")) {
      request.has_perhaps = true;
      continue;
    }
    if (number(argv[i], "--large=", &request.shape) &&
        request.shape <= LARGE_PHASES) {
      request.is_large = true;
      continue;
    }
    if (number(argv[i], "--index=", &request.from)) {
      request.count = 1;
      continue;
    }
    fputs(
        "usage: programs [--count=N] [--seed=S] [--index=I] [--phases] "
        "[--perhaps] [--large=SHAPE]\n",
        stderr);
    exit(2);
  }
  return request;
}

static int measure(const Request *request) {
  Task task = {0};
  Check check;
  Programs *programs = large_programs(&task.arena, (Large)request->shape,
                                      (unsigned)request->count);
  size_t before = arena_bytes(&task.arena);
  double start = clock_seconds();
  programs_check(&task, programs, &check);
  printf(
      "%llu accesses of threads, %llu commands, %llu generations, "
      "%zu findings%s\n%.3f s, %llu tests, %.1f MB beyond the %.1f MB of "
      "the programs\n",
      (unsigned long long)count_accesses(programs),
      (unsigned long long)check.commands, (unsigned long long)check.generations,
      check.findings.count, check.stopped_counting ? " (stopped counting)" : "",
      clock_seconds() - start, (unsigned long long)check.pair_tests,
      1e-6 * (double)(arena_bytes(&task.arena) - before),
      1e-6 * (double)before);
  arena_free(&task.arena);
  return EXIT_SUCCESS;
}

static int compare(const Request *request) {
  uint64_t counts[DISAGREE + 1] = {0};
  Replays replays = {.refutes = true};
  for (uint64_t i = request->from; i < request->from + request->count; i++) {
    Task task = {0};
    Programs *programs = (request->has_perhaps ? random_perhaps
                          : request->has_phases
                              ? random_phases
                              : random_programs)(&task.arena, request->seed, i);
    Agreement agreement = compare_programs(&task, programs, &replays, stdout);
    if (agreement == DISAGREE)
      printf("programs%s --seed=%llu --index=%llu\n\n",
             request->has_perhaps  ? " --perhaps"
             : request->has_phases ? " --phases"
                                   : "",
             (unsigned long long)request->seed, (unsigned long long)i);
    counts[agreement]++;
    arena_free(&task.arena);
  }
  printf(
      "%llu programs, %llu clean, %llu with findings, %llu too large, "
      "%llu disagree\n",
      (unsigned long long)request->count,
      (unsigned long long)counts[AGREE_CLEAN],
      (unsigned long long)counts[AGREE_FINDINGS],
      (unsigned long long)counts[TOO_LARGE],
      (unsigned long long)counts[DISAGREE]);
  printf(
      "%llu findings: %llu confirmed, %llu behind another mistake, %llu not "
      "seen; %llu invented\n",
      (unsigned long long)replays.findings,
      (unsigned long long)replays.confirmed, (unsigned long long)replays.behind,
      (unsigned long long)replays.missed, (unsigned long long)replays.invented);
  return counts[DISAGREE] ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int argc, char **argv) {
  Request request = read_request(argc, argv);
  return request.is_large ? measure(&request) : compare(&request);
}
