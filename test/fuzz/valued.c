// Random PTX with values: the check against executions by an interpreter.
//
//   valued [--count=N] [--seed=S] [--runs=R]   N (1000) kernels, R (6) times
//   each valued --seed=S --index=I [--print]        that one valued --keep=DIR
//   ...                      files of those that are wrong
//
// Wrong is a kernel that is verified and races, deadlocks or misuses a barrier
// in an execution; that makes the exit status 1.  Alarms without an execution
// that shows them, and kernels that are not decided, are counted.

#include "test/fuzz/valued.h"

#include <stdlib.h>
#include <string.h>

typedef struct Request {
  uint64_t seed, count, from, runs;
  bool prints;
  const char *keep;
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
  Request request = {.seed = 1, .count = 1000, .runs = 6};
  for (int i = 1; i < argc; i++) {
    if (number(argv[i], "--seed=", &request.seed) ||
        number(argv[i], "--count=", &request.count) ||
        number(argv[i], "--runs=", &request.runs))
      continue;
    if (number(argv[i], "--index=", &request.from))
      request.count = 1;
    else if (!strcmp(argv[i], "--print"))
      request.prints = true;
    else if (!strncmp(argv[i], "--keep=", 7))
      request.keep = argv[i] + 7;
    else {
      fputs(
          "usage: valued [--count=N] [--seed=S] [--index=I] [--runs=R] "
          "[--print] [--keep=DIR]\n",
          stderr);
      exit(2);
    }
  }
  return request;
}

// ----------------------------------------------------------------- shrink ---

typedef struct Shrinking {
  Valued *valued;
  unsigned runs;
} Shrinking;

static bool is_still_wrong(const Shrinking *shrinking) {
  char why[256];
  Arena arena = {0};
  const char *text = valued_text(&arena, shrinking->valued);
  Judgement judgement =
      valued_judge(shrinking->valued, text, shrinking->runs, why);
  arena_free(&arena);
  return judgement == JUDGED_WRONG;
}

// Leaves out what it can, the last step first.  True: something is gone.
static bool shrink_code(const Shrinking *shrinking, Acts *code) {
  size_t before = code->count;
  for (size_t i = code->count; i-- > 0;) {
    Act act = code->at[i];
    size_t behind = code->count - i - 1;
    memmove(&code->at[i], &code->at[i + 1], behind * sizeof act);
    code->count--;
    if (is_still_wrong(shrinking))
      continue;
    memmove(&code->at[i + 1], &code->at[i], behind * sizeof act);
    code->at[i] = act;
    code->count++;
  }
  return code->count < before;
}

// Registers keep what they had before a launch, which is not known, so what is
// left may begin with any.
static void shrink(Valued *valued, unsigned runs) {
  Shrinking shrinking = {.valued = valued, .runs = runs};
  bool is_smaller = true;
  while (is_smaller) {
    is_smaller = shrink_code(&shrinking, &valued->code);
    for (unsigned i = 0; i < valued->callee_count; i++)
      is_smaller |= shrink_code(&shrinking, &valued->callees[i]);
  }
}

static void keep(const Request *request, uint64_t index, const char *text,
                 const char *why) {
  char name[512];
  snprintf(name, sizeof name, "%s/valued_%llu_%llu.ptx", request->keep,
           (unsigned long long)request->seed, (unsigned long long)index);
  FILE *out = fopen(name, "w");
  if (!out)
    return;
  fprintf(out, "// %s\n%s", why, text);
  fclose(out);
}

static Judgement judge(const Request *request, uint64_t index) {
  Arena arena = {0};
  char why[256] = "";
  Valued *valued = valued_make(&arena, request->seed, index);
  const char *text = valued_text(&arena, valued);
  Judgement judgement =
      valued_judge(valued, text, (unsigned)request->runs, why);
  if (request->prints)
    fputs(text, stdout);
  if (judgement >= JUDGED_BROKEN || request->prints)
    printf("valued --seed=%llu --index=%llu: %s\n",
           (unsigned long long)request->seed, (unsigned long long)index, why);
  if (judgement == JUDGED_WRONG && request->keep) {
    shrink(valued, (unsigned)request->runs);
    keep(request, index, valued_text(&arena, valued), why);
  }
  arena_free(&arena);
  return judgement;
}

int main(int argc, char **argv) {
  static const char *const names[JUDGEMENTS] = {
      [JUDGED_CLEAN] = "verified",
      [JUDGED_BUG] = "wrong and reported",
      [JUDGED_ALARM] = "alarms that nothing showed",
      [JUDGED_UNKNOWN] = "unknown and fine",
      [JUDGED_MISSED] = "unknown and wrong",
      [JUDGED_INVALID] = "invalid",
      [JUDGED_BROKEN] = "no PTX to us",
      [JUDGED_WRONG] = "WRONGLY VERIFIED"};
  Request request = read_request(argc, argv);
  uint64_t counts[JUDGEMENTS] = {0};
  for (uint64_t i = request.from; i < request.from + request.count; i++)
    counts[judge(&request, i)]++;
  printf("%llu kernels", (unsigned long long)request.count);
  for (unsigned i = 0; i < JUDGEMENTS; i++)
    printf(", %llu %s", (unsigned long long)counts[i], names[i]);
  printf("\n");
  return counts[JUDGED_WRONG] || counts[JUDGED_BROKEN] ? EXIT_FAILURE
                                                       : EXIT_SUCCESS;
}
