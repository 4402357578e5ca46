// Standard output, and what becomes of it.
//
// Who gets half a report must not take it for a whole one, so output that
// cannot be written, on a full disk or into a pipe that nobody reads, is told
// on stderr and is wrong use.  A descriptor that is closed when we begin is
// kept from files that we open later: what is printed would land in them.

#define _POSIX_C_SOURCE 200809L

#include "plugin/plugin.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Nothing can be written to what takes its place.
static void keep_closed(int descriptor) {
  if (fcntl(descriptor, F_GETFD) < 0 && errno == EBADF)
    open("/dev/null", O_RDONLY); // the lowest number that is free
}

void output_begin(void) {
  keep_closed(STDIN_FILENO);
  keep_closed(STDOUT_FILENO);
  keep_closed(STDERR_FILENO);
  signal(SIGPIPE, SIG_IGN);
}

static bool is_written(void) {
  const char *why = fflush(stdout)   ? strerror(errno)
                    : ferror(stdout) ? "some of it could not be written"
                                     : NULL;
  if (why)
    fprintf(stderr, "gpuverify: stdout: %s\n", why);
  return !why;
}

void output_flush(void) {
  if (!is_written())
    exit(EXIT_WRONG_USE);
}

void output_end(int *status) {
  if (!is_written() || ferror(stderr))
    status_worsen(status, EXIT_WRONG_USE);
}
