// Schedules to a mistake of a program with threads, for many seeds: the search
// of `gpuverify threads` without the command around it, which takes longer than
// the search where that is short.  The program comes as bitcode, made once.
//
//   seeds PROGRAM.bc SCHEDULER DEPTH SCHEDULES LOTS SEEDS
//
// prints a line for each seed: the number of the schedule that goes wrong, or 0
// if none does or the search has no answer, and seconds of processors.

#define _POSIX_C_SOURCE 200809L

#include "runtime/threads/threads.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static _Noreturn void stop(const char *why) {
  fprintf(stderr, "seeds: %s\n", why);
  exit(EXIT_FAILURE);
}

static uint64_t number(const char *text) { return strtoull(text, NULL, 10); }

static void make_image(Task *task, const char *file, ProgramImage *image) {
  const char *reason = NULL;
  Loc where;
  struct LLVMOpaqueModule *module = program_files_read(task, 1, &file, &reason);
  if (!module || !program_image_make(task, module, image, &reason, &where))
    stop(reason);
}

// In a process of its own, since a process has one world.
static void search(const ThreadsQuestion *question) {
  ThreadsAnswer *answer = threads_answer_new();
  threads_search(question, answer);
  uint64_t at = atomic_load(&answer->lowest);
  bool is_found = answer->is_done && at != UINT64_MAX;
  printf("%llu %g\n", is_found ? (unsigned long long)at + 1 : 0, answer->work);
  exit(EXIT_SUCCESS);
}

static void search_apart(const ThreadsQuestion *question) {
  int status = 0;
  fflush(stdout);
  pid_t child = fork();
  if (!child)
    search(question);
  if (child < 0 || waitpid(child, &status, 0) != child || status)
    stop("a search has failed");
}

int main(int count, char **words) {
  static char name[] = "program";
  static char *arguments[] = {name, NULL};
  Task task = {0};
  ProgramImage image = {0};
  if (count != 7 || policy_by_name(words[2]) == POLICIES)
    stop("PROGRAM.bc SCHEDULER DEPTH SCHEDULES LOTS SEEDS");
  make_image(&task, words[1], &image);
  ThreadsQuestion question = {.image = &image,
                              .policy = policy_by_name(words[2]),
                              .depth = (unsigned)number(words[3]),
                              .jobs = 1,
                              .schedules = number(words[4]),
                              .lots = (unsigned)number(words[5]),
                              .processors = 4,
                              .argc = 1,
                              .argv = arguments};
  for (; question.seed < number(words[6]); question.seed++)
    search_apart(&question);
  arena_free(&task.arena);
}
