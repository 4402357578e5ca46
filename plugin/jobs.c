// Jobs of which some are done at once, and nobody can tell.
//
// Each job is a process of its own, a copy of this one: what it keeps in
// memory it keeps to itself, and so LLVM, the arenas and the jumps out of them
// need not know of each other.  What a job prints goes to a file first and is
// handed on when all jobs before it are done, so that the output is that of
// one job after the other.  Where stdout and stderr are one file, so is what is
// kept, else the order of their lines would be lost.
//
// A job that crashes has said so; nothing is said about those behind it, as if
// it had been ours.  Where no process can be had, we do the job ourselves.

#define _GNU_SOURCE

#include "plugin/plugin.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_AHEAD = 64 }; // jobs that have begun and are not told

typedef struct Started {
  pid_t process;
  FILE *out, *err; // NULL: not kept, or kept with the other
  bool is_done;
  int status; // of waitpid
} Started;

typedef struct Pool {
  const Jobs *jobs;
  size_t told, next;
  unsigned running, workers;
  bool is_one_file;
  Started started[MOST_AHEAD]; // from `told` on, a ring
} Pool;

static Started *started_at(Pool *pool, size_t job) {
  return &pool->started[job % MOST_AHEAD];
}

static bool is_one_file(void) {
  struct stat out, err;
  return !fstat(STDOUT_FILENO, &out) && !fstat(STDERR_FILENO, &err) &&
         out.st_dev == err.st_dev && out.st_ino == err.st_ino;
}

static void drop(Started *started) {
  if (started->out)
    fclose(started->out);
  if (started->err)
    fclose(started->err);
  *started = (Started){0};
}

static bool open_files(const Pool *pool, Started *started) {
  *started = (Started){.out = tmpfile()};
  if (started->out && !pool->is_one_file)
    started->err = tmpfile();
  if (started->out && (pool->is_one_file || started->err))
    return true;
  drop(started);
  return false;
}

// What the copy does; it ends with the one it is a copy of.
static _Noreturn void be_job(const Pool *pool, const Started *started,
                             pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(EXIT_OUR_BUG);
  FILE *err = started->err ? started->err : started->out;
  if (dup2(fileno(started->out), STDOUT_FILENO) < 0 ||
      dup2(fileno(err), STDERR_FILENO) < 0)
    _exit(EXIT_OUR_BUG);
  int code = pool->jobs->run(pool->jobs->data, pool->next);
  fflush(NULL);
  _exit(code);
}

// False: there is no process to be had.
static bool start(Pool *pool) {
  Started *started = started_at(pool, pool->next);
  if (!open_files(pool, started))
    return false;
  pid_t parent = getpid();
  fflush(NULL);
  started->process = fork();
  if (!started->process)
    be_job(pool, started, parent);
  if (started->process < 0) {
    drop(started);
    return false;
  }
  pool->next++;
  pool->running++;
  return true;
}

static void wait_for_one(Pool *pool) {
  int status = 0;
  pid_t process = waitpid(-1, &status, 0);
  assert(process > 0 || errno == EINTR);
  for (size_t job = pool->told; job < pool->next; job++) {
    Started *started = started_at(pool, job);
    if (started->process != process || started->is_done)
      continue;
    started->is_done = true;
    started->status = status;
    pool->running--;
  }
}

static void hand_on(FILE *from, FILE *to) {
  char part[1 << 14];
  size_t count;
  if (!from)
    return;
  rewind(from);
  while ((count = fread(part, 1, sizeof part, from)) > 0)
    fwrite(part, 1, count, to);
}

static _Noreturn void end_all(const Pool *pool) {
  for (size_t job = pool->told; job < pool->next; job++) {
    const Started *started = &pool->started[job % MOST_AHEAD];
    if (!started->is_done)
      kill(started->process, SIGKILL);
  }
  exit(EXIT_OUR_BUG);
}

static void tell(Pool *pool) {
  Started *started = started_at(pool, pool->told);
  hand_on(started->err, stderr);
  hand_on(started->out, stdout);
  output_flush();
  int status = started->status;
  drop(started);
  pool->told++;
  if (WIFSIGNALED(status))
    fprintf(
        stderr,
        "gpuverify: one of the processes was ended by signal %d; nothing is "
        "said about the rest\n",
        WTERMSIG(status));
  if (!WIFEXITED(status) || WEXITSTATUS(status) == EXIT_OUR_BUG)
    end_all(pool);
  pool->jobs->done(pool->jobs->data, WEXITSTATUS(status));
}

static void do_next(Pool *pool) {
  pool->jobs->done(pool->jobs->data,
                   pool->jobs->run(pool->jobs->data, pool->next));
  pool->told = ++pool->next;
}

static bool is_first_done(Pool *pool) {
  return pool->told < pool->next && started_at(pool, pool->told)->is_done;
}

static bool may_start(const Pool *pool) {
  return pool->next < pool->jobs->count && pool->running < pool->workers &&
         pool->next - pool->told < MOST_AHEAD;
}

void jobs_do(const Jobs *jobs, unsigned workers) {
  Pool pool = {.jobs = jobs, .workers = workers, .is_one_file = is_one_file()};
  assert(workers);
  while (pool.told < jobs->count) {
    if (is_first_done(&pool))
      tell(&pool);
    else if (workers > 1 && jobs->count > 1 && may_start(&pool) && start(&pool))
      continue;
    else if (pool.running)
      wait_for_one(&pool);
    else
      do_next(&pool);
  }
}

unsigned jobs_workers(unsigned asked) {
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  return asked ? asked : cores > 0 ? (unsigned)cores : 1;
}
