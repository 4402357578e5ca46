// Many processes that execute schedules.
//
// Each is a copy of the process that has made the kernel's code and memory, so
// it needs neither a compiler nor a start of its own.  A batch of lists is cut
// into as many runs of neighbours as there are workers; what comes of them
// lies in memory that all share, and is handed back in the order of the lists,
// as if one had executed them all.  A worker that dies costs the schedule that
// it died of, which stays undecided; another takes its place.

#define _GNU_SOURCE

#include "runtime/schedule_cpu.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LISTS = 128, MOST_POINTS = 1 << 20 };

// In shared memory, one for each worker.
typedef struct Desk {
  uint32_t count;         // of lists
  volatile uint32_t done; // of trials
  uint32_t points_used;
  DelayList lists[LISTS];
  Trial trials[LISTS];
  Point points[MOST_POINTS];
} Desk;

typedef struct Worker {
  pid_t process;
  int orders, answers; // pipes: begin; done
  Desk *desk;
} Worker;

struct Crew {
  unsigned count;
  Worker *workers;
};

// ----------------------------------------------------------------- worker ---

// False: there is no room for its points before the next batch.
static bool take_trial(Desk *desk, Trial *trial) {
  uint32_t count = trial->point_count;
  if (count > MOST_POINTS)
    *trial = (Trial){.kind = TRIAL_UNDECIDED, .incident = INCIDENT_LIMIT};
  else if (count > MOST_POINTS - desk->points_used)
    return false;
  else if (count)
    memcpy(desk->points + desk->points_used, trial->points,
           count * sizeof *trial->points);
  trial->points = desk->points + desk->points_used;
  desk->points_used += trial->point_count;
  desk->trials[desk->done] = *trial;
  desk->done++;
  return true;
}

static void work_off(Desk *desk) {
  bool has_room = true;
  for (uint32_t i = 0; has_room && i < desk->count; i++) {
    Trial trial;
    schedule_execute(&desk->lists[i], &trial);
    watch_undo();
    has_room = take_trial(desk, &trial);
  }
}

static void be_worker(const Worker *worker) {
  char signal = 0;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  while (read(worker->orders, &signal, 1) == 1) {
    work_off(worker->desk);
    if (write(worker->answers, &signal, 1) != 1)
      break;
  }
  _exit(0);
}

static void close_both(const int ends[2]) {
  close(ends[0]);
  close(ends[1]);
}

static bool hire(Worker *worker) {
  int orders[2], answers[2];
  if (pipe2(orders, O_CLOEXEC))
    return false;
  if (pipe2(answers, O_CLOEXEC)) {
    close_both(orders);
    return false;
  }
  worker->process = fork();
  if (!worker->process) {
    close(orders[1]);
    close(answers[0]);
    worker->orders = orders[0];
    worker->answers = answers[1];
    be_worker(worker);
  }
  close(orders[0]);
  close(answers[1]);
  worker->orders = orders[1];
  worker->answers = answers[0];
  return worker->process > 0;
}

// It has nothing to finish.
static void dismiss(Worker *worker) {
  if (worker->process > 0)
    kill(worker->process, SIGKILL);
  close(worker->orders);
  close(worker->answers);
  if (worker->process > 0)
    while (waitpid(worker->process, NULL, 0) < 0 && errno == EINTR)
      continue;
  worker->process = 0;
}

// ------------------------------------------------------------------- crew ---

static void send_out(Worker *worker, const DelayList *lists, uint32_t count) {
  Desk *desk = worker->desk;
  desk->count = count;
  desk->done = desk->points_used = 0;
  memcpy(desk->lists, lists, count * sizeof *lists);
  if (write(worker->orders, "", 1) != 1)
    desk->count = 0;
}

// Waits for the worker; false: it is dead, and another one is there.
static bool await(Worker *worker) {
  char signal;
  ssize_t count;
  do
    count = read(worker->answers, &signal, 1);
  while (count < 0 && errno == EINTR);
  if (count == 1)
    return true;
  dismiss(worker);
  hire(worker);
  return false;
}

// Returns how many lists of the worker are done.
static uint32_t collect(Worker *worker, Trial *trials) {
  Desk *desk = worker->desk;
  bool is_alive = await(worker);
  uint32_t done = desk->done;
  if (!is_alive && done < desk->count)
    desk->trials[done++] =
        (Trial){.kind = TRIAL_UNDECIDED, .incident = INCIDENT_CRASH};
  memcpy(trials, desk->trials, done * sizeof *trials);
  return done;
}

static uint32_t execute_batch(void *data, const DelayList *lists,
                              uint32_t count, Trial *trials) {
  Crew *crew = data;
  uint32_t share = (count + crew->count - 1) / crew->count, done = 0;
  bool is_whole = true; // no trial is missing so far
  for (uint32_t i = 0; i * share < count; i++)
    send_out(&crew->workers[i], lists + i * share,
             share < count - i * share ? share : count - i * share);
  for (uint32_t i = 0; i * share < count; i++) {
    uint32_t of_worker = collect(&crew->workers[i], trials + i * share);
    if (is_whole)
      done += of_worker;
    is_whole &= of_worker == crew->workers[i].desk->count;
  }
  return done;
}

Executor crew_executor(Crew *crew) {
  return (Executor){execute_batch, crew, crew->count * LISTS};
}

static bool open_worker(Worker *worker) {
  void *desk = mmap(NULL, sizeof *worker->desk, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (desk == MAP_FAILED)
    return false;
  worker->desk = desk;
  return hire(worker);
}

Crew *crew_open(unsigned workers) {
  Crew *crew = calloc(1, sizeof *crew);
  if (!crew)
    return NULL;
  crew->workers = calloc(workers, sizeof *crew->workers);
  for (unsigned i = 0; crew->workers && i < workers; i++, crew->count++)
    if (!open_worker(&crew->workers[i]))
      break;
  if (crew->count == workers)
    return crew;
  crew_close(crew);
  return NULL;
}

void crew_close(Crew *crew) {
  for (unsigned i = 0; i < crew->count; i++) {
    dismiss(&crew->workers[i]);
    munmap(crew->workers[i].desk, sizeof *crew->workers[i].desk);
  }
  free(crew->workers);
  free(crew);
}
