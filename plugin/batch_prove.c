// A worker of a batch: a process that has one module, and proves kernels of it
// when it is told their numbers, each in a process of its own.
//
// So a kernel that crashes, or takes what it may not, costs nobody else
// anything: the worker sees the end of the process and tells it.  What the
// kernel's process has to say comes in a file without a name, for it may be
// longer than a pipe is, and half of it is nothing.
//
// Beside the limits of the proof, which it keeps itself, there are two that
// the worker keeps: ten times the time and a minute, by the clock, and twice
// the memory and a gigabyte.  Whoever gets there has a bug.

#define _GNU_SOURCE

#include "plugin/batch.h"
#include "plugin/suppress.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct Worker {
  Task *task;
  const BatchUnit *unit;
  const Suppressions *suppressions;
  int asked, told;
  Vec(const char *)
      records; // of all kernels, if they were not proved one by one
  Vec(const char *) names;
  int record; // the file for it, in the kernel's process; -1: in the worker
} Worker;

// ------------------------------------------------------------ the record ---

// Whoever has the record knows of them, also when nothing is proved again.
static char *with_complaints(Worker *w, char *record) {
  const Suppressions *suppressions = w->suppressions;
  for (size_t i = 0; suppressions && i < suppressions->complaints.count; i++) {
    const Complaint *one = &suppressions->complaints.at[i];
    record = record_complain(w->task, record, one->where, one->text);
  }
  return record;
}

static char *record_text(Worker *w, const KernelReport *report) {
  Arena arena = {0};
  char *text = NULL;
  size_t size = 0;
  ReportStyle style = settings_style(&w->unit->settings);
  FILE *out = open_memstream(&text, &size);
  report_json(out, diagnose_kernel(&arena, &style, report));
  fclose(out);
  char *record = arena_copy(&w->task->arena, text);
  free(text);
  arena_free(&arena);
  return with_complaints(w, record);
}

static bool write_all(int to, const char *from, size_t count) {
  while (count) {
    ssize_t written = write(to, from, count);
    if (written < 0 && errno != EINTR)
      return false;
    from += written > 0 ? written : 0;
    count -= written > 0 ? (size_t)written : 0;
  }
  return true;
}

static void take_report(void *data, const KernelReport *report) {
  Worker *w = data;
  char *record = record_text(w, report);
  if (w->record >= 0) {
    write_all(w->record, record, strlen(record));
    return;
  }
  push(&w->task->arena, &w->records, record);
  push(&w->task->arena, &w->names, arena_copy(&w->task->arena, report->name));
}

// ------------------------------------------------------------- the limits ---

static double wall_limit(const Worker *w) {
  unsigned timeout = w->unit->settings.options.timeout;
  return timeout ? 10.0 * timeout + 60 : 0;
}

static uint64_t memory_limit(const Worker *w) {
  uint64_t memory = w->unit->settings.options.memory;
  return memory ? (2 * memory + 1024) << 20 : 0;
}

static uint64_t memory_of(pid_t process) {
  char path[64];
  unsigned long long size = 0, resident = 0;
  snprintf(path, sizeof path, "/proc/%ld/statm", (long)process);
  FILE *in = fopen(path, "r");
  if (in && fscanf(in, "%llu %llu", &size, &resident) != 2)
    resident = 0;
  if (in)
    fclose(in);
  return resident * (uint64_t)sysconf(_SC_PAGESIZE);
}

static BatchLimit limit_passed(const Worker *w, pid_t process, double began) {
  double wall = wall_limit(w);
  uint64_t memory = memory_limit(w);
  if (wall > 0 && clock_seconds() - began > wall)
    return LIMIT_WALL;
  return memory && memory_of(process) > memory ? LIMIT_MEMORY : LIMIT_NONE;
}

// The process holds the other end of `life` for as long as it lives.
static int wait_for(const Worker *w, pid_t process, int life,
                    BatchLimit *limit) {
  enum { BETWEEN_LOOKS = 200 }; // milliseconds
  double began = clock_seconds();
  int end = 0;
  for (;;) {
    struct pollfd ends = {.fd = life, .events = POLLIN};
    int found = poll(&ends, 1, BETWEEN_LOOKS);
    pid_t ended = waitpid(process, &end, found == 1 ? 0 : WNOHANG);
    if (ended == process)
      return end;
    if (!*limit && (*limit = limit_passed(w, process, began)))
      kill(-process, SIGKILL);
  }
}

// ------------------------------------------------------------ one kernel ---

static _Noreturn void be_kernel(Worker *w, const Jobs *jobs, size_t job,
                                int record, int words, pid_t parent) {
  static const int caught[] = {SIGABRT, SIGSEGV, SIGBUS};
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(EXIT_OUR_BUG);
  for (size_t i = 0; i < sizeof caught / sizeof *caught; i++)
    signal(caught[i], SIG_DFL); // the worker tells of it
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  dup2(words, STDOUT_FILENO);
  dup2(words, STDERR_FILENO);
  w->record = record;
  jobs->run(jobs->data, job);
  fflush(NULL);
  _exit(0);
}

static char *contents(Arena *arena, int file, uint32_t *length) {
  off_t size = lseek(file, 0, SEEK_END);
  char *text = arena_alloc(arena, (size_t)size + 1);
  ssize_t count = pread(file, text, (size_t)size, 0);
  *length = count > 0 ? (uint32_t)count : 0;
  return text;
}

static bool answer(Worker *w, BatchAnswer answer, const char *record,
                   const char *words) {
  return write_all(w->told, (const char *)&answer, sizeof answer) &&
         write_all(w->told, record, answer.record) &&
         write_all(w->told, words, answer.words);
}

// A process that cannot be had ends as if a signal had ended it.
static bool prove_one(Worker *w, const Jobs *jobs, size_t job, uint32_t index) {
  Arena arena = {0};
  BatchAnswer a = {.index = index, .end = SIGKILL};
  BatchLimit limit = LIMIT_NONE;
  int life[2] = {-1, -1}, record = memfd_create("record", MFD_CLOEXEC),
      words = memfd_create("words", MFD_CLOEXEC);
  pid_t parent = getpid();
  fflush(NULL);
  pid_t process = pipe(life) ? -1 : fork();
  if (!process) {
    close(life[0]);
    be_kernel(w, jobs, job, record, words, parent);
  }
  close(life[1]);
  if (process > 0)
    a.end = wait_for(w, process, life[0], &limit);
  close(life[0]);
  a.limit = limit;
  const char *text = contents(&arena, record, &a.record);
  const char *said = contents(&arena, words, &a.words);
  close(record);
  close(words);
  bool is_told = answer(w, a, text, said);
  arena_free(&arena);
  return is_told;
}

// ------------------------------------------------------------------- all ---

static bool next(const Worker *w, uint32_t *index) {
  ssize_t count;
  do
    count = read(w->asked, index, sizeof *index);
  while (count < 0 && errno == EINTR);
  return count == sizeof *index;
}

static long number_of(const KernelEntries *kernels, const char *name) {
  for (size_t i = 0; i < kernels->count; i++)
    if (!strcmp(kernels->at[i].name, name))
      return (long)i;
  return -1;
}

static void drive(void *data, const KernelEntries *kernels, const Jobs *jobs) {
  Worker *w = data;
  for (uint32_t index; next(w, &index);) {
    long job = number_of(kernels, w->unit->manifest.kernels.at[index].name);
    bool is_told = job < 0 ? answer(w, (BatchAnswer){.index = index}, "", "")
                           : prove_one(w, jobs, (size_t)job, index);
    if (!is_told)
      _exit(EXIT_OUR_BUG);
  }
}

// The module as a whole was beyond us, and each record says so.
static void tell_records(Worker *w) {
  for (uint32_t index; next(w, &index);) {
    const char *name = w->unit->manifest.kernels.at[index].name, *record = "";
    for (size_t i = 0; i < w->names.count; i++)
      if (!strcmp(w->names.at[i], name))
        record = w->records.at[i];
    BatchAnswer a = {.index = index, .record = (uint32_t)strlen(record)};
    if (!answer(w, a, record, ""))
      return;
  }
}

void batch_prove(Task *task, const BatchUnit *unit, int asked, int told) {
  Worker w = {
      .task = task, .unit = unit, .asked = asked, .told = told, .record = -1};
  Reporter reporter = {.kernel = take_report, .drive = drive, .data = &w};
  struct LLVMOpaqueModule *module = module_read(unit->bitcode);
  const char *wrong = NULL;
  Options options = unit->settings.options;
  options.suppressions = suppressions_open(task, &unit->settings, &wrong);
  w.suppressions = options.suppressions;
  // what sources promise is in no key
  if (batch_is_ir(unit))
    rungs_without_source(options.tried);
  if (module)
    verify_module(&options, unit->file, module, &unit->launches, &reporter);
  tell_records(&w);
}
