// A program as a process: it is started, waited for and, if somebody wants an
// end, ended.
//
// Who interrupts the command interrupts the program: the signal is passed on,
// and what was seen until then is told as ever.  Who does it again after a
// second means it, and the program is killed.  What the program leaves behind
// when it ends is found by the ledger, which such a process still has in its
// memory: whatever that one launches, nobody would look at.

#define _GNU_SOURCE

#include "plugin/run.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MILLISECOND = 1000 * 1000 };

static void sleep_for(long milliseconds) {
  nanosleep(&(struct timespec){0, milliseconds * MILLISECOND}, NULL);
}

pid_t fork_bound(int signal_at_our_end) {
  fflush(NULL);
  pid_t parent = getpid(), child = fork();
  if (child)
    return child;
  prctl(PR_SET_PDEATHSIG, signal_at_our_end);
  signal(SIGPIPE, SIG_DFL);
  if (getppid() != parent)
    _exit(EXIT_FRONT_END);
  return 0;
}

// --------------------------------------------------------------- signals ---

static volatile pid_t running; // 0: none
static volatile sig_atomic_t interrupted;
static volatile time_t interrupted_at;

static time_t seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec;
}

// What a terminal sends it sends to the program, too.
static void pass_on(int number, siginfo_t *info, void *context) {
  bool is_first = !interrupted;
  (void)context;
  if (is_first) {
    interrupted = number;
    interrupted_at = seconds_now();
  }
  if (!running)
    return;
  if (!is_first && seconds_now() > interrupted_at + 1)
    kill(running, SIGKILL);
  else if (info->si_code <= 0) // from a process
    kill(running, number);
}

// What we were told to ignore the program ignores, too.
static bool is_ignored(int number) {
  struct sigaction action;
  return !sigaction(number, NULL, &action) && action.sa_handler == SIG_IGN;
}

static void pass_signals_to(pid_t child) {
  static const int numbers[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
  struct sigaction action = {.sa_sigaction = pass_on, .sa_flags = SA_SIGINFO};
  running = child;
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    sigaddset(&action.sa_mask, numbers[i]);
    if (!is_ignored(numbers[i]))
      sigaction(numbers[i], &action, NULL);
  }
}

// ----------------------------------------------------------------- start ---

static char **arguments_of(Execution *execution) {
  const Settings *settings = execution->settings;
  Arena *arena = &execution->task->arena;
  Vec(char *) arguments = {0};
  push(arena, &arguments, (char *)(uintptr_t)execution->program);
  for (size_t i = 0; i < settings->program_args.count; i++)
    push(arena, &arguments, settings->program_args.at[i]);
  push(arena, &arguments, NULL);
  return arguments.at;
}

static void become(Execution *execution, char **arguments, int trouble) {
  signal(SIGXFSZ, SIG_DFL);
  if (execution->settings->format) // stdout is for a program to read
    dup2(STDERR_FILENO, STDOUT_FILENO);
  execv(arguments[0], arguments);
  ssize_t written = write(trouble, &errno, sizeof errno);
  (void)written;
  _exit(EXIT_FRONT_END);
}

// 0, or why it could not be started.  No signal comes between its start and
// that we know it.
static int start(Execution *execution, pid_t *child) {
  sigset_t all, before;
  int ends[2], trouble = 0;
  char **arguments = arguments_of(execution);
  if (pipe2(ends, O_CLOEXEC))
    return errno;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, &before);
  *child = fork_bound(SIGKILL);
  int failure = errno;
  if (*child > 0)
    pass_signals_to(*child);
  sigprocmask(SIG_SETMASK, &before, NULL);
  if (!*child)
    become(execution, arguments, ends[1]);
  close(ends[1]);
  while (read(ends[0], &trouble, sizeof trouble) < 0 && errno == EINTR)
    continue;
  close(ends[0]);
  return *child < 0 ? failure : trouble;
}

// ------------------------------------------------------------------ wait ---

static void show_progress(Execution *execution, double since) {
  const Ledger *ledger = ledger_look(execution);
  if (!ledger->total)
    return;
  fprintf(stderr,
          "\rgpuverify: %.0f s, launch %llu of '%s', %llu of %llu blocks\033[K",
          clock_seconds() - since, (unsigned long long)ledger->counts.launches,
          ledger->counts.kernel, (unsigned long long)ledger->done,
          (unsigned long long)ledger->total);
}

// Until it ends; shows how far it is where somebody looks.
static int wait_for(Execution *execution, pid_t child) {
  enum { TICK = 5 };
  const double first_shown = 2;
  bool is_shown = execution->settings->progress || isatty(STDERR_FILENO);
  double start = clock_seconds(), last = start + first_shown - 1;
  int status = 0;
  bool has_shown = false;
  while (waitpid(child, &status, WNOHANG) == 0) {
    sleep_for(TICK);
    if (!is_shown || clock_seconds() < last + 1)
      continue;
    last = clock_seconds();
    has_shown = true;
    show_progress(execution, start);
  }
  running = 0;
  if (has_shown)
    fputs("\r\033[K", stderr);
  return status;
}

// ------------------------------------------------------------------ left ---

// The caretaker of the folder is one.
static bool has_more_than_one_child(void) {
  char path[64];
  int numbers[2], found = 2;
  snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)getpid(),
           (int)getpid());
  FILE *in = fopen(path, "r");
  if (!in)
    return true; // it may
  found = fscanf(in, "%d %d", &numbers[0], &numbers[1]);
  fclose(in);
  return found > 1;
}

static bool has_mapped(const char *process, const char *file) {
  char path[300], line[4096];
  bool found = false;
  snprintf(path, sizeof path, "/proc/%s/maps", process);
  FILE *in = fopen(path, "r");
  while (in && !found && fgets(line, sizeof line, in))
    found = strstr(line, file) != NULL;
  if (in)
    fclose(in);
  return found;
}

// A process that still has the ledger; 0: none.
static pid_t find_left(Execution *execution) {
  pid_t found = 0;
  const char *folder = strrchr(execution->folder, '/');
  const char *file = arena_printf(&execution->task->arena, "%s/%s",
                                  folder ? folder : "", LEDGER_NAME);
  DIR *processes = opendir("/proc");
  if (!processes)
    return 0;
  for (const struct dirent *entry; !found && (entry = readdir(processes));)
    if (isdigit((unsigned char)entry->d_name[0]) &&
        has_mapped(entry->d_name, file))
      found = (pid_t)atoi(entry->d_name);
  closedir(processes);
  return found;
}

// It may be about to end.
static pid_t wait_for_left(Execution *execution) {
  enum { TRIES = 40, BETWEEN = 50 };
  pid_t left = 0;
  for (int i = 0; i < TRIES && !interrupted; i++) {
    while (waitpid(-1, NULL, WNOHANG) > 0)
      continue;
    left = has_more_than_one_child() ? find_left(execution) : 0;
    if (!left)
      return 0;
    sleep_for(BETWEEN);
  }
  return left;
}

// --------------------------------------------------------------- execute ---

int program_execute(Execution *execution, ProgramEnd *end) {
  double since = clock_seconds();
  pid_t child = 0;
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  int trouble = start(execution, &child);
  if (child <= 0)
    return trouble;
  int status = wait_for(execution, child);
  if (trouble)
    return trouble;
  *end =
      (ProgramEnd){.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
                   .signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0,
                   .left = wait_for_left(execution),
                   .seconds = clock_seconds() - since};
  end->interrupted = interrupted;
  return 0;
}
