// The command's side of the Ledger (runtime/ledger.c): made before the program
// starts, read while it runs and when it has ended, and what is doubtful of it.
//
// It is read as a file and not mapped: what a program does to a file of its own
// must not be able to end the command.

#define _GNU_SOURCE

#include "plugin/run.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *path_of(const Execution *execution) {
  return arena_printf(&execution->task->arena, "%s/%s", execution->folder,
                      LEDGER_NAME);
}

// For programs that are elsewhere, and are started by ours.
static void tell_path(const Execution *execution) {
  char *path = realpath(path_of(execution), NULL);
  if (path)
    setenv("GPUVERIFY_LEDGER", path, 1);
  free(path);
}

// All of it: memory of a file that a full disk does not have is a fault later.
static bool write_all(int file, const char *from, size_t bytes) {
  while (bytes) {
    ssize_t more = write(file, from, bytes);
    if (more < 0)
      return false;
    from += more;
    bytes -= (size_t)more;
  }
  return true;
}

bool ledger_make(Execution *execution, const LedgerOrders *orders) {
  Ledger *ledger = &execution->ledger;
  execution->file =
      open(path_of(execution), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (execution->file < 0)
    return false;
  ledger_init(ledger, orders);
  if (!write_all(execution->file, (const char *)ledger, sizeof *ledger))
    return false;
  tell_path(execution);
  return true;
}

static bool read_all(int file, char *to, size_t bytes) {
  size_t done = 0;
  while (done < bytes) {
    ssize_t more = pread(file, to + done, bytes - done, (off_t)done);
    if (more <= 0)
      return false;
    done += (size_t)more;
  }
  return true;
}

const Ledger *ledger_look(Execution *execution) {
  Ledger *ledger = &execution->ledger;
  if (!read_all(execution->file, (char *)ledger, sizeof *ledger))
    memset(ledger, 0, sizeof *ledger);
  ledger_salvage(ledger);
  return ledger;
}

void ledger_forget(Execution *execution) {
  if (execution->file >= 0)
    close(execution->file);
}

// ----------------------------------------------------------------- doubt ---

static const char *several(Task *task, uint64_t launches) {
  return arena_printf(&task->arena, "%" PRIu64 " launch%s not come to %s end",
                      launches, launches == 1 ? " has" : "es have",
                      launches == 1 ? "its" : "their");
}

const char *ledger_doubt(Task *task, const Ledger *ledger,
                         const ProgramEnd *end) {
  const LedgerCounts *counts = &ledger->counts;
  if (end->interrupted)
    return arena_printf(&task->arena,
                        "the run was interrupted by signal %d: %s",
                        end->interrupted, strsignal(end->interrupted));
  if (counts->is_damaged)
    return "the program has written to the memory where its launches are "
           "noted, so nobody knows which of them were looked at";
  if (!counts->attached)
    return "the program has not come to our library (" CUDA_LIBRARY
           "), so nothing was looked at";
  if (end->left)
    return arena_printf(&task->arena,
                        "the program has left process %d behind, and what that "
                        "one launches is not looked at",
                        (int)end->left);
  if (counts->launches != counts->finished)
    return several(task, counts->launches - counts->finished);
  if (!counts->launches && !counts->sightings)
    return "the program has launched no kernel, so nothing was looked at";
  return NULL;
}
