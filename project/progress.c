// What is told while a batch goes on, on stderr.
//
// On a terminal one line, which the next one takes the place of; elsewhere a
// line for each kernel.  How long it will take is told of those that are left,
// by the mean of those that were proved since the first of them began.

#define _GNU_SOURCE

#include "project/project.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

void progress_begin(Progress *progress, bool is_silent) {
  *progress = (Progress){.is_silent = is_silent,
                         .is_terminal = isatty(STDERR_FILENO),
                         .started = clock_seconds(),
                         .since = clock_seconds()};
}

void progress_clear(Progress *progress) {
  if (progress->is_shown)
    fputs("\r\033[K", stderr);
  progress->is_shown = false;
}

static int width(void) {
  struct winsize size;
  return !ioctl(STDERR_FILENO, TIOCGWINSZ, &size) && size.ws_col > 20
             ? size.ws_col
             : 80;
}

static void show(Progress *progress, const char *line) {
  if (progress->is_terminal) {
    progress_clear(progress);
    fprintf(stderr, "%.*s", width() - 1, line);
    progress->is_shown = true;
  } else {
    fprintf(stderr, "%s\n", line);
  }
  fflush(stderr);
}

static const char *duration(Arena *arena, double seconds) {
  unsigned whole = (unsigned)seconds;
  if (whole >= 3600)
    return arena_printf(arena, "%uh%02um", whole / 3600, whole / 60 % 60);
  return whole >= 60 ? arena_printf(arena, "%um%02us", whole / 60, whole % 60)
                     : arena_printf(arena, "%us", whole);
}

static const char *left(Arena *arena, const Progress *progress) {
  double passed = clock_seconds() - progress->since;
  size_t others = progress->total - progress->done;
  if (!others || !progress->proved)
    return "";
  double each = passed / (double)progress->proved;
  return arena_printf(arena, " | eta %s",
                      duration(arena, each * (double)others));
}

void progress_kernel(Progress *progress, const char *source,
                     const RecordFacts *facts, bool is_bug, bool is_cached) {
  Arena arena = {0};
  progress->done++;
  progress->bugs += is_bug;
  if (is_cached)
    progress->since = clock_seconds();
  else
    progress->proved++;
  if (!progress->is_silent) {
    const char *bugs = arena_printf(&arena, " | %zu bug%s", progress->bugs,
                                    progress->bugs == 1 ? "" : "s");
    show(progress,
         arena_printf(&arena, "[%zu/%zu] %s %s %s%s%s", progress->done,
                      progress->total, source, facts->verdict,
                      is_cached
                          ? "cached"
                          : arena_printf(&arena, "%.1f s", facts->seconds),
                      progress->bugs ? bugs : "", left(&arena, progress)));
  }
  arena_free(&arena);
}

// Elsewhere than on a terminal the first and the last are enough.
void progress_note(Progress *progress, const char *what, size_t done,
                   size_t total) {
  Arena arena = {0};
  bool is_wanted = progress->is_terminal || !done;
  if (!progress->is_silent && is_wanted)
    show(progress, progress->is_terminal
                       ? arena_printf(&arena, "[%zu/%zu] %s", done, total, what)
                       : arena_printf(&arena, "%s (%zu)", what, total));
  arena_free(&arena);
}
