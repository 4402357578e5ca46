// Schedules of a program's threads as files of text, a switch on a line.
//
// What counts are the numbers; the hash says whether the program is still the
// same, and what stands behind # is for the reader.

#include "plugin/threads.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_LINE "gpuverify threads schedule 1\n"

enum { LINE = 512 };

// For the reader, on one line whatever it is.
static void write_remark(FILE *out, const char *text) {
  for (; *text; text++)
    fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
}

bool threads_schedule_write(const char *name, const ThreadsReport *report) {
  const ThreadsAnswer *answer = report->answer;
  const ThreadSchedule *schedule = &answer->schedule;
  FILE *out = fopen(name, "w");
  if (!out)
    return false;
  fprintf(out, FIRST_LINE "program %016" PRIx64 "\n",
          report->question->image->text);
  fprintf(out, "verdict %s # ", threads_verdict(report));
  write_remark(out, answer->found.text);
  fprintf(out, "\nsteps %" PRIu64 "\n", schedule->limit);
  if (schedule->spurious)
    fprintf(out, "spurious %u\n", schedule->spurious);
  for (uint32_t i = 0; i < schedule->count; i++) {
    const Deviation *at = &schedule->at[i];
    fprintf(out, "thread %u step %u %s %u\n", at->thread, at->step,
            at->is_forced ? "waits, then" : "stops, then", at->to);
  }
  bool is_written = !ferror(out);
  return !fclose(out) && is_written;
}

// What stands before the switches.
static bool read_setting(const char *line, ThreadSchedule *schedule) {
  return !schedule->count &&
         (sscanf(line, "steps %" SCNu64, &schedule->limit) == 1 ||
          sscanf(line, "spurious %u", &schedule->spurious) == 1);
}

static bool read_switch(const char *line, ThreadSchedule *schedule) {
  Deviation at = {0};
  char how[16];
  if (sscanf(line, "thread %u step %u %15[a-z], then %u", &at.thread, &at.step,
             how, &at.to) != 4)
    return false;
  at.is_forced = !strcmp(how, "waits");
  if ((!at.is_forced && strcmp(how, "stops") != 0) ||
      schedule->count == MOST_DEVIATIONS)
    return false;
  schedule->at[schedule->count++] = at;
  return true;
}

// NULL, or what is wrong.
static const char *read_lines(FILE *in, const ProgramImage *image,
                              ThreadSchedule *schedule,
                              char verdict[VERDICT_TEXT]) {
  char line[LINE];
  uint64_t text = 0;
  if (!fgets(line, sizeof line, in) || strcmp(line, FIRST_LINE) != 0 ||
      !fgets(line, sizeof line, in) ||
      sscanf(line, "program %" SCNx64, &text) != 1 ||
      !fgets(line, sizeof line, in) ||
      sscanf(line, "verdict %31s", verdict) != 1)
    return "this is no schedule (see docs/THREADS.md)";
  if (text != image->text)
    return "this schedule is of another program, or of another version of it";
  while (fgets(line, sizeof line, in))
    if (!read_setting(line, schedule) && !read_switch(line, schedule))
      return "this schedule has a line that says nothing (see "
             "docs/THREADS.md)";
  return NULL;
}

const char *threads_schedule_read(const char *name, const ProgramImage *image,
                                  ThreadSchedule *schedule,
                                  char verdict[VERDICT_TEXT]) {
  FILE *in = fopen(name, "r");
  if (!in)
    return strerror(errno);
  const char *error = read_lines(in, image, schedule, verdict);
  fclose(in);
  return error;
}
