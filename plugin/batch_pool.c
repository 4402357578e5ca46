// The processes of a batch: so many at a time, each with one file to compile or
// one module of which it proves kernels.
//
// Who proves asks for the next kernel with each answer, so nobody waits while
// there is something to do; when fewer modules than processes are left, several
// have the same.  A process that ends before its answer costs the kernel that
// it had, and another one takes its place.  All of them end with us.

#define _GNU_SOURCE

#include "plugin/batch.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct Process {
  pid_t pid; // 0: none
  BatchUnit *unit;
  BatchKernel *kernel; // that it proves; NULL: none, or it compiles
  int ask, answers;    // -1: there is none
  FILE *words;         // what it says on stderr while it compiles
  char *text;          // that came and was not looked at
  size_t length, room;
  size_t answered; // kernels
  double since;    // it was asked
} Process;

typedef struct Pool {
  Batch *batch;
  Process *at;
  size_t count;
  size_t next, done, wanted; // units to compile
} Pool;

// ----------------------------------------------------------------- signals ---

static volatile sig_atomic_t caught;

static void note_signal(int number) { caught = number; }

int batch_signal(void) { return caught; }

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { SIGNALS = sizeof signals / sizeof *signals };

// What is ignored, as with nohup, stays so.
void batch_catch_signals(void) {
  struct sigaction before, action = {.sa_handler = note_signal};
  for (int i = 0; i < SIGNALS; i++)
    if (!sigaction(signals[i], NULL, &before) && before.sa_handler != SIG_IGN)
      sigaction(signals[i], &action, NULL);
}

// --------------------------------------------------------------- processes ---

// The copy of this process; it has nothing of the others.
static void become(Pool *pool, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(EXIT_OUR_BUG);
  for (int i = 0; i < SIGNALS; i++)
    signal(signals[i], SIG_IGN); // we end it
  for (size_t i = 0; i < pool->count; i++)
    if (pool->at[i].pid) {
      close(pool->at[i].answers);
      close(pool->at[i].ask);
    }
}

typedef void Work(Pool *pool, Process *process, int asked, int told);

static bool start(Pool *pool, Process *process, BatchUnit *unit, Work *work) {
  int asked[2], told[2];
  pid_t parent = getpid();
  if (pipe(asked) || pipe(told))
    return false;
  fflush(NULL);
  process->unit = unit;
  pid_t pid = fork();
  if (!pid) {
    become(pool, parent);
    close(asked[1]);
    close(told[0]);
    if (chdir(unit->directory))
      fprintf(stderr, "%s: %s\n", unit->directory, strerror(errno));
    else
      work(pool, process, asked[0], told[1]);
    fflush(NULL);
    _exit(0);
  }
  close(asked[0]);
  close(told[1]);
  process->pid = pid > 0 ? pid : 0;
  process->ask = asked[1];
  process->answers = told[0];
  process->since = clock_seconds();
  return pid > 0;
}

// How it ended.
static int end(Process *process) {
  int status = 0;
  close(process->ask);
  close(process->answers);
  while (waitpid(process->pid, &status, 0) < 0 && errno == EINTR)
    continue;
  if (process->words)
    fclose(process->words);
  free(process->text);
  *process = (Process){.ask = -1, .answers = -1};
  return status;
}

static void end_all(Pool *pool) {
  for (size_t i = 0; i < pool->count; i++)
    if (pool->at[i].pid) {
      kill(pool->at[i].pid, SIGKILL);
      end(&pool->at[i]);
    }
}

// False: there is nothing more, for it has ended.
static bool receive(Process *process) {
  enum { PART = 1 << 16 };
  if (process->length + PART > process->room) {
    process->room = 2 * process->room + PART;
    process->text = realloc(process->text, process->room);
    assert(process->text);
  }
  ssize_t count = read(process->answers, process->text + process->length, PART);
  process->length += count > 0 ? (size_t)count : 0;
  return count > 0 || (count < 0 && errno == EINTR);
}

// Waits for somebody, for a second at most.
static void wait_for_any(Pool *pool, struct pollfd *ends) {
  for (size_t i = 0; i < pool->count; i++)
    ends[i] = (struct pollfd){.fd = pool->at[i].pid ? pool->at[i].answers : -1,
                              .events = POLLIN};
  if (poll(ends, pool->count, 1000) < 0)
    for (size_t i = 0; i < pool->count; i++)
      ends[i].revents = 0;
}

static Pool new_pool(Batch *batch) {
  unsigned count = jobs_workers(batch->settings->threads);
  Pool pool = {.batch = batch, .count = count};
  pool.at = arena_alloc(&batch->task->arena, count * sizeof *pool.at);
  return pool;
}

// --------------------------------------------------------------- compiling ---

static void compile(Pool *pool, Process *process, int asked, int told) {
  Task task = {0};
  FILE *out = fdopen(told, "w");
  (void)asked;
  dup2(fileno(process->words), STDOUT_FILENO);
  dup2(fileno(process->words), STDERR_FILENO);
  (void)pool;
  int status = batch_compile(&task, process->unit, out);
  fclose(out);
  fflush(NULL);
  _exit(status);
}

static char *words_of(Arena *arena, FILE *words) {
  fseek(words, 0, SEEK_END);
  size_t size = (size_t)ftell(words);
  char *text = arena_alloc(arena, size + 1);
  rewind(words);
  text[fread(text, 1, size, words)] = 0;
  return text;
}

// With names of files as they are told elsewhere.
static const char *relative(const Batch *batch, const char *words) {
  Arena *arena = &batch->task->arena;
  const char *folder = arena_printf(arena, "%s/", batch->project), *text = "";
  for (const char *at; (at = strstr(words, folder));
       words = at + strlen(folder))
    text = arena_printf(arena, "%s%.*s", text, (int)(at - words), words);
  return arena_printf(arena, "%s%s", text, words);
}

static void break_unit(Batch *batch, BatchUnit *unit, const char *words,
                       const char *kind, const char *why) {
  bool is_full = !strcmp(kind, "room");
  unit->is_broken = true;
  unit->has_manifest = false;
  unit->kernels.count = 0;
  progress_clear(&batch->progress);
  fprintf(stderr, "%sgpuverify: %s: %s\n", words, unit->label, why);
  batch_trouble(batch, unit->label, kind,
                *words && !is_full ? relative(batch, words) : why,
                is_full ? EXIT_WRONG_USE : EXIT_FRONT_END);
}

void batch_break(Batch *batch, BatchUnit *unit, const char *words) {
  break_unit(batch, unit, words, "compile", "does not compile");
}

static void break_process(Batch *batch, BatchUnit *unit, int status,
                          const char *words) {
  if (WIFSIGNALED(status) || WEXITSTATUS(status) == EXIT_OUR_BUG)
    break_unit(batch, unit, words, "died", "the process that compiled it died");
  else if (WEXITSTATUS(status) == EXIT_WRONG_USE)
    break_unit(batch, unit, words, "room",
               "no room for temporary files ($TMPDIR)");
  else if (status)
    batch_break(batch, unit, words);
  else
    break_unit(batch, unit, words, "compile",
               "what compiling it came to cannot be read");
}

static void take_compiled(Pool *pool, Process *process) {
  Batch *batch = pool->batch;
  BatchUnit *unit = process->unit;
  char *words = words_of(&batch->task->arena, process->words);
  char *text = arena_printf(&batch->task->arena, "%.*s", (int)process->length,
                            process->text);
  int status = end(process);
  if (*words)
    text = arena_printf(&batch->task->arena, "%s\n%s", text, words);
  pool->done++;
  bool is_over =
      WIFEXITED(status) && (!status || WEXITSTATUS(status) == EXIT_FRONT_END);
  if (!is_over || !batch_learn(batch, unit, text))
    break_process(batch, unit, status, words);
  progress_note(&batch->progress, "compiled", pool->done, pool->wanted);
}

static bool has_work(const BatchUnit *unit) {
  for (size_t i = 0; i < unit->kernels.count; i++)
    if (unit->kernels.at[i].state == WORK_TODO)
      return true;
  return false;
}

static bool is_to_compile(const BatchUnit *unit) {
  return !unit->is_broken && !unit->has_bitcode &&
         (!unit->has_manifest || has_work(unit));
}

static void recall_module(Batch *batch, BatchUnit *unit) {
  if (is_to_compile(unit) && unit->has_manifest)
    unit->has_bitcode = batch_recall_module(batch, unit);
}

static BatchUnit *next_to_compile(Pool *pool) {
  Batch *batch = pool->batch;
  while (pool->next < batch->units.count) {
    BatchUnit *unit = batch->units.at[pool->next++];
    if (is_to_compile(unit))
      return unit;
  }
  return NULL;
}

static bool start_compiling(Pool *pool, Process *process) {
  BatchUnit *unit = next_to_compile(pool);
  if (!unit)
    return false;
  process->words = tmpfile();
  if (process->words && start(pool, process, unit, compile))
    return true;
  status_complain(&pool->batch->status, EXIT_WRONG_USE, unit->label,
                  strerror(errno));
  return false;
}

void batch_compile_all(Batch *batch) {
  Pool pool = new_pool(batch);
  struct pollfd *ends =
      arena_alloc(&batch->task->arena, pool.count * sizeof *ends);
  for (size_t i = 0; i < batch->units.count; i++) {
    recall_module(batch, batch->units.at[i]);
    pool.wanted += is_to_compile(batch->units.at[i]);
  }
  if (pool.wanted)
    progress_note(&batch->progress, "files to compile", 0, pool.wanted);
  while (pool.done < pool.wanted && !batch_signal()) {
    bool is_busy = false;
    for (size_t i = 0; i < pool.count; i++)
      is_busy |= pool.at[i].pid || start_compiling(&pool, &pool.at[i]);
    if (!is_busy)
      break;
    wait_for_any(&pool, ends);
    for (size_t i = 0; i < pool.count; i++)
      if (ends[i].revents && !receive(&pool.at[i]))
        take_compiled(&pool, &pool.at[i]);
  }
  end_all(&pool);
}

// ----------------------------------------------------------------- proving ---

static void prove(Pool *pool, Process *process, int asked, int told) {
  Task task = {0};
  (void)pool;
  batch_prove(&task, process->unit, asked, told);
}

static BatchKernel *next_of(const BatchUnit *unit) {
  for (size_t i = 0; i < unit->kernels.count; i++)
    if (unit->kernels.at[i].state == WORK_TODO)
      return &unit->kernels.at[i];
  return NULL;
}

static bool is_served(const Pool *pool, const BatchUnit *unit) {
  for (size_t i = 0; i < pool->count; i++)
    if (pool->at[i].pid && pool->at[i].unit == unit)
      return true;
  return false;
}

static size_t work_of(const BatchUnit *unit) {
  size_t count = 0;
  for (size_t i = 0; i < unit->kernels.count; i++)
    count += unit->kernels.at[i].state == WORK_TODO;
  return count;
}

// One that nobody has yet, or else the one with most to do.
static BatchUnit *next_unit(const Pool *pool) {
  const Batch *batch = pool->batch;
  BatchUnit *best = NULL;
  for (size_t i = 0; i < batch->units.count; i++) {
    BatchUnit *unit = batch->units.at[i];
    size_t work = unit->has_bitcode ? work_of(unit) : 0;
    if (work && !is_served(pool, unit))
      return unit;
    if (work && (!best || work > work_of(best)))
      best = unit;
  }
  return best;
}

static void ask(Process *process) {
  BatchKernel *kernel = next_of(process->unit);
  process->kernel = kernel;
  process->since = clock_seconds();
  if (!kernel)
    return;
  uint32_t index = (uint32_t)kernel->index;
  kernel->state = WORK_RUNNING;
  ssize_t written = write(process->ask, &index, sizeof index);
  (void)written; // who has ended is seen to have ended
}

static const char *last_line(Arena *arena, const char *words, size_t length) {
  while (length && words[length - 1] == '\n')
    length--;
  size_t from = length;
  while (from && words[from - 1] != '\n')
    from--;
  return arena_printf(arena, "%.*s", (int)(length - from), words + from);
}

static const char *why_lost(Arena *arena, const BatchAnswer *answer,
                            const char *words) {
  const char *line = last_line(arena, words, answer->words);
  if (answer->limit == LIMIT_WALL)
    return "its process went on long after --timeout and was ended";
  if (answer->limit == LIMIT_MEMORY)
    return "its process took much more than --memory and was ended";
  if (WIFSIGNALED(answer->end))
    return arena_printf(arena, "its process was ended by signal %d (%s)%s%s",
                        WTERMSIG(answer->end), strsignal(WTERMSIG(answer->end)),
                        *line ? ": " : "", line);
  return arena_printf(arena, "its process ended without a verdict%s%s",
                      *line ? ": " : "", line);
}

static void take_answer(Pool *pool, Process *process, const BatchAnswer *answer,
                        const char *texts) {
  Batch *batch = pool->batch;
  Arena *arena = &batch->task->arena;
  BatchKernel *kernel = process->kernel;
  bool is_whole = answer->record && !answer->end && !answer->limit;
  process->answered++;
  if (is_whole)
    batch_finish(batch, kernel,
                 arena_printf(arena, "%.*s", (int)answer->record, texts));
  else
    batch_lose(batch, kernel, why_lost(arena, answer, texts + answer->record));
  ask(process);
}

// All that have come as a whole.
static void take_answers(Pool *pool, Process *process) {
  BatchAnswer answer;
  while (process->pid && process->kernel && process->length >= sizeof answer) {
    memcpy(&answer, process->text, sizeof answer);
    size_t size = sizeof answer + answer.record + answer.words;
    if (process->length < size)
      return;
    char *texts = process->text + sizeof answer;
    take_answer(pool, process, &answer, texts);
    memmove(process->text, process->text + size, process->length - size);
    process->length -= size;
  }
}

// It ended before its answer.  If that was its first one, all kernels of the
// module would end so.
static void lose_process(Pool *pool, Process *process) {
  BatchKernel *kernel = process->kernel;
  BatchUnit *unit = process->unit;
  bool is_all = !process->answered;
  static const char why[] =
      "the process that had its module died before it came to a kernel";
  end(process);
  if (kernel)
    batch_lose(pool->batch, kernel, why);
  for (size_t i = 0; kernel && is_all && i < unit->kernels.count; i++)
    if (unit->kernels.at[i].state == WORK_TODO)
      batch_lose(pool->batch, &unit->kernels.at[i], why);
}

// Its worker ends a kernel that goes on for too long.  Who ends the worker?
static void end_if_stuck(const Process *process) {
  enum { FOR_ITSELF = 300 }; // to read the module and to prepare it
  unsigned timeout = process->unit->settings.options.timeout;
  double most = 10.0 * timeout + 60 + FOR_ITSELF;
  if (timeout && clock_seconds() - process->since > most)
    kill(process->pid, SIGKILL);
}

static void look_after(Pool *pool, Process *process, bool has_come) {
  bool goes_on = process->pid && (!has_come || receive(process));
  if (!process->pid)
    return;
  end_if_stuck(process);
  take_answers(pool, process);
  if (!goes_on)
    lose_process(pool, process);
  else if (!process->kernel)
    end(process);
}

static bool start_proving(Pool *pool, Process *process) {
  BatchUnit *unit = next_unit(pool);
  if (!unit)
    return false;
  if (!start(pool, process, unit, prove)) {
    status_complain(&pool->batch->status, EXIT_WRONG_USE, unit->label,
                    strerror(errno));
    return false;
  }
  ask(process);
  return true;
}

void batch_prove_all(Batch *batch) {
  Pool pool = new_pool(batch);
  struct pollfd *ends =
      arena_alloc(&batch->task->arena, pool.count * sizeof *ends);
  signal(SIGPIPE, SIG_IGN);
  while (!batch_signal()) {
    bool is_busy = false;
    for (size_t i = 0; i < pool.count; i++)
      is_busy |= pool.at[i].pid || start_proving(&pool, &pool.at[i]);
    if (!is_busy)
      break;
    wait_for_any(&pool, ends);
    for (size_t i = 0; i < pool.count; i++)
      look_after(&pool, &pool.at[i], ends[i].revents);
  }
  end_all(&pool);
}
