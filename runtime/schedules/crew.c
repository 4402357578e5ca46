// Many processes that execute schedules.
//
// Each is a copy of the process that has made the kernel's code and memory, so
// it needs neither a compiler nor a start of its own.  Batches of lists go to
// the workers in turn, and each has the next one before it is done with the
// last, so that nobody waits while results are merged.  What comes of them lies
// in memory that all share, and is handed back in the order of the lists, as if
// one had executed them all.  If a worker dies, the schedule that it died of
// stays undecided, and another worker takes its place.

#define _GNU_SOURCE

#include "runtime/schedules/cpu.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
  LISTS = 512, // of a batch
  MOST_POINTS = 1 << 20,
  DESKS = 2, // of a worker: one it works at, one that is ready or done
};

// A batch, in shared memory.
typedef struct Desk {
  uint32_t count;         // of lists
  volatile uint32_t done; // of trials
  uint32_t told;          // ... that have been handed back
  volatile bool is_busy;  // its worker is at it
  uint32_t points_used;
  DelayList lists[LISTS];
  Trial trials[LISTS];
  SchedulePoint points[MOST_POINTS];
} Desk;

typedef struct Worker {
  pid_t process;
  int orders, answers; // pipes: the number of a desk to begin with; done
  Desk *desks;
  bool awaits[DESKS]; // it has been told to begin there, and has not answered
} Worker;

// Batches go to the desks in turn: the first of each worker, then the second.
struct WorkerPool {
  unsigned count;
  Worker *workers;
  unsigned oldest, begun; // desks
};

// ----------------------------------------------------------------- worker ---

// False: there is no room for its points until those there are handed back.
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
  desk->is_busy = true;
  desk->points_used = 0;
  while (has_room && desk->done < desk->count) {
    Trial trial;
    schedule_execute(&desk->lists[desk->done], &trial);
    watch_undo();
    has_room = take_trial(desk, &trial);
  }
  desk->is_busy = false;
}

static void be_worker(const Worker *worker) {
  unsigned char desk;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  while (read(worker->orders, &desk, 1) == 1) {
    work_off(&worker->desks[desk]);
    if (write(worker->answers, &desk, 1) != 1)
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
  worker->orders = worker->answers = -1;
  if (worker->process > 0)
    while (waitpid(worker->process, NULL, 0) < 0 && errno == EINTR)
      continue;
  worker->process = 0;
}

// ------------------------------------------------------------------- crew ---

static unsigned desks(const WorkerPool *crew) { return crew->count * DESKS; }

static Worker *worker_at(const WorkerPool *crew, unsigned place) {
  return &crew->workers[place % crew->count];
}

// A worker that cannot be told is dead, and will not answer.
static void send_out(Worker *worker, unsigned desk) {
  unsigned char number = (unsigned char)desk;
  ssize_t written = write(worker->orders, &number, 1);
  (void)written;
  worker->awaits[desk] = true;
}

static void give_up(Desk *desk) {
  desk->trials[desk->done++] =
      (Trial){.kind = TRIAL_UNDECIDED, .incident = INCIDENT_CRASH};
}

// Another worker in place of one that has died, of the schedule it was at.
static void replace(Worker *worker) {
  dismiss(worker);
  bool is_there = hire(worker);
  for (unsigned i = 0; i < DESKS; i++) {
    Desk *desk = &worker->desks[i];
    if (worker->awaits[i] && desk->is_busy)
      give_up(desk);
    while (worker->awaits[i] && !is_there && desk->done < desk->count)
      give_up(desk);
    desk->is_busy = false;
    worker->awaits[i] &= desk->done < desk->count;
    if (worker->awaits[i])
      send_out(worker, i);
  }
}

static void await(Worker *worker) {
  unsigned char desk;
  ssize_t count;
  do
    count = read(worker->answers, &desk, 1);
  while (count < 0 && errno == EINTR);
  if (count == 1)
    worker->awaits[desk] = false;
  else
    replace(worker);
}

static void begin_batch(void *data, const DelayList *lists, uint32_t count) {
  WorkerPool *crew = data;
  unsigned place = (crew->oldest + crew->begun++) % desks(crew);
  Worker *worker = worker_at(crew, place);
  Desk *desk = &worker->desks[place / crew->count];
  desk->count = count;
  desk->done = desk->told = 0;
  memcpy(desk->lists, lists, count * sizeof *lists);
  send_out(worker, place / crew->count);
}

static uint32_t finish_batch(void *data, Trial *trials) {
  WorkerPool *crew = data;
  Worker *worker = worker_at(crew, crew->oldest);
  unsigned number = crew->oldest / crew->count;
  Desk *desk = &worker->desks[number];
  if (!worker->awaits[number] && desk->told == desk->done) // it had no room
    send_out(worker, number);
  while (worker->awaits[number])
    await(worker);
  uint32_t count = desk->done - desk->told;
  memcpy(trials, desk->trials + desk->told, count * sizeof *trials);
  desk->told = desk->done;
  if (desk->done == desk->count) {
    crew->oldest = (crew->oldest + 1) % desks(crew);
    crew->begun--;
  }
  return count;
}

Executor crew_executor(WorkerPool *crew) {
  return (Executor){begin_batch, finish_batch, crew, LISTS, desks(crew)};
}

static bool open_worker(Worker *worker) {
  void *at = mmap(NULL, DESKS * sizeof *worker->desks, PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED)
    return false;
  worker->desks = at;
  return hire(worker);
}

WorkerPool *crew_open(unsigned workers) {
  WorkerPool *crew = calloc(1, sizeof *crew);
  if (!crew)
    return NULL;
  signal(SIGPIPE, SIG_IGN); // of a worker that has died
  crew->workers = calloc(workers, sizeof *crew->workers);
  for (unsigned i = 0; crew->workers && i < workers; i++, crew->count++)
    if (!open_worker(&crew->workers[i]))
      break;
  if (crew->count == workers)
    return crew;
  crew_close(crew);
  return NULL;
}

void crew_close(WorkerPool *crew) {
  for (unsigned i = 0; i < crew->count; i++) {
    dismiss(&crew->workers[i]);
    munmap(crew->workers[i].desks, DESKS * sizeof *crew->workers[i].desks);
  }
  free(crew->workers);
  free(crew);
}
