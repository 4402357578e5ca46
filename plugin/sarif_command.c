// --sarif, of any command: one document, whatever the command comes to.
//
// The command itself is done by a copy of this process, which prints records
// as with --json into a file of ours.  When it has ended - as it should, by a
// crash of ours or by an interrupt - what is in that file becomes the document,
// and what is missing stands in it as a notification.

#define _GNU_SOURCE

#include "plugin/sarif_command.h"
#include "report/documents/documents.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

// ---------------------------------------------------------------- signals ---

static volatile pid_t worker;
static volatile sig_atomic_t received;

// The terminal's signals go to the copy as well.
static void pass_on(int signal, siginfo_t *info, void *context) {
  (void)context;
  received = signal;
  if (info->si_code <= 0 && worker > 0)
    kill(worker, signal);
}

static const int interrupts[] = {SIGINT, SIGTERM, SIGHUP};
enum { INTERRUPTS = sizeof interrupts / sizeof *interrupts };

static void block(bool blocks) {
  sigset_t set;
  sigemptyset(&set);
  for (unsigned i = 0; i < INTERRUPTS; i++)
    sigaddset(&set, interrupts[i]);
  sigprocmask(blocks ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
}

static void catch_interrupts(void) {
  struct sigaction before,
      action = {.sa_sigaction = pass_on, .sa_flags = SA_SIGINFO | SA_RESTART};
  sigemptyset(&action.sa_mask);
  for (unsigned i = 0; i < INTERRUPTS; i++)
    if (!sigaction(interrupts[i], NULL, &before) &&
        before.sa_handler != SIG_IGN)
      sigaction(interrupts[i], &action, NULL);
}

// As the signal would have ended us.
static void end_by(int number) {
  signal(number, SIG_DFL);
  raise(number);
}

// -------------------------------------------------------------- the copy ---

static _Noreturn void be_worker(FILE *records, const Act *act, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent || dup2(fileno(records), STDOUT_FILENO) < 0)
    _exit(EXIT_OUR_BUG);
  block(false);
  status_collect(true);
  int status = act->run(act->data);
  output_end(&status);
  _exit(status);
}

// What waitpid says, or -1: there is no process to be had.
static int run(FILE *records, const Act *act) {
  int status = 0;
  pid_t parent = getpid();
  fflush(NULL);
  block(true); // until both know what to do with signals
  worker = fork();
  if (!worker)
    be_worker(records, act, parent);
  catch_interrupts();
  block(false);
  if (worker < 0)
    return -1;
  while (waitpid(worker, &status, 0) != worker)
    ;
  return status;
}

// ----------------------------------------------------------- the document ---

static void add_trouble(Results *results, const char *kind,
                        const char *sentence) {
  results_trouble(results, NULL, kind, sentence);
}

// How the copy ended, if that leaves something unsaid.  It has told stderr
// itself, unless it was killed.
static void add_end(Results *results, int state) {
  Arena *arena = &results->arena;
  int status = EXIT_ALL_VERIFIED;
  if (received) {
    add_trouble(
        results, "interrupted",
        arena_printf(arena,
                     "interrupted by signal %d; nothing is said about the rest",
                     (int)received));
  } else if (WIFSIGNALED(state)) {
    const char *why =
        arena_printf(arena,
                     "the process that proves was ended by signal %d; nothing "
                     "is said about the rest",
                     WTERMSIG(state));
    status_complain(&status, EXIT_OUR_BUG, NULL, why);
    add_trouble(results, "died", why);
  } else if (WEXITSTATUS(state) == EXIT_OUR_BUG) {
    add_trouble(results, "died",
                "this is a bug of gpuverify; nothing is said about the rest");
  }
}

static int status_after(int state) {
  return WIFEXITED(state) ? WEXITSTATUS(state) : EXIT_OUR_BUG;
}

static int cannot(const char *what) {
  int status = EXIT_ALL_VERIFIED;
  status_complain(&status, EXIT_WRONG_USE, "--sarif", what);
  return status;
}

int sarif_command(const Act *act, const char *version, const char *command) {
  Results results;
  FILE *records = tmpfile();
  if (!records)
    return cannot("no temporary file can be made for the records");
  int state = run(records, act);
  if (state == -1)
    return cannot("no process can be had");
  results_begin(&results, version);
  results.command = command;
  rewind(records);
  results_read_lines(&results, records, NULL);
  fclose(records);
  add_end(&results, state);
  results_group(&results);
  document_sarif(stdout, &results, status_after(state));
  results_free(&results);
  output_flush();
  if (received)
    end_by(received);
  return status_after(state);
}
