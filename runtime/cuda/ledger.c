// The program's side of the Ledger (ledger.c), which the command has put beside
// the program's file.
//
// It is mapped before the program's own code begins.  One process at a time
// writes: the program may have children.  Started without, a program tells its
// sightings on stderr, in the same words.

#define _GNU_SOURCE

#include "runtime/cuda/cuda.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { PATH_BYTES = 4096 };

static Ledger own;
static Ledger *ledger = &own;
static LedgerOrders orders = {.watch = WATCH_ACCESSES};
static char place[PATH_BYTES + sizeof LEDGER_NAME]; // of the command's
// There is one and it cannot be used, for this reason.
static const char *lost;

// ------------------------------------------------------------------- map ---

static const char *map(int file) {
  struct stat status;
  if (fstat(file, &status))
    return strerror(errno);
  if (status.st_size != sizeof(Ledger))
    return "it is another version's";
  Ledger *at =
      mmap(NULL, sizeof(Ledger), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (at == MAP_FAILED)
    return strerror(errno);
  ledger = at;
  return NULL;
}

// False: there is none.
static bool open_ledger(void) {
  int file = open(place, O_RDWR | O_CLOEXEC);
  if (file < 0 && (errno == ENOENT || errno == ENOTDIR))
    return false;
  lost = file < 0 ? strerror(errno) : map(file);
  if (file >= 0)
    close(file);
  return true;
}

static void stop_if_lost(void) {
  if (!lost)
    return;
  fprintf(stderr,
          "gpuverify: %s: %s; nobody would hear of a launch, so the program "
          "ends here\n",
          LEDGER_NAME, lost);
  abort();
}

// --------------------------------------------------------------- changes ---

// Who has it for so long has died with it, or it is none.
static bool take_lock(void) {
  enum { TRIES = 1000, BETWEEN = 1000 * 1000 };
  atomic_uint *lock = (atomic_uint *)&ledger->lock;
  for (int i = 0; i < TRIES; i++) {
    unsigned nobody = 0;
    if (atomic_compare_exchange_strong(lock, &nobody, 1))
      return true;
    nanosleep(&(struct timespec){0, BETWEEN}, NULL);
  }
  return false;
}

static void give_lock(void) { atomic_store((atomic_uint *)&ledger->lock, 0); }

// The program has written to it, or to what it has mapped in its place.
static void find_again(void) {
  give_lock();
  if (ledger != &own && !open_ledger())
    lost = "it is not there any more";
  stop_if_lost();
  take_lock();
  if (!ledger_counts_hold(ledger))
    ledger->counts = (LedgerCounts){0};
  ledger->counts.is_damaged = true;
}

// Around every change.
static LedgerCounts *begin(void) {
  bool has_lock = take_lock();
  if (!ledger_counts_hold(ledger))
    find_again();
  ledger->counts.is_damaged |= !has_lock;
  return &ledger->counts;
}

static void end(void) {
  ledger_seal_counts(ledger);
  give_lock();
}

// ---------------------------------------------------------------- attach ---

static bool attach(void) {
  if (!open_ledger())
    return false;
  if (!lost && !ledger_is_ours(ledger))
    lost = "it is another version's, or has been written to";
  if (lost)
    return true;
  orders = ledger->orders;
  begin()->attached++;
  end();
  return true;
}

static bool attach_beside(void) {
  ssize_t length = readlink("/proc/self/exe", place, PATH_BYTES);
  place[length > 0 ? length : 0] = 0;
  char *slash = strrchr(place, '/');
  if (!slash)
    return false;
  strcpy(slash + 1, LEDGER_NAME);
  return attach();
}

// The environment is for a program elsewhere that the one we know has started.
__attribute__((constructor)) static void find_ledger(void) {
  ledger_init(&own, &orders);
  const char *path = getenv("GPUVERIFY_LEDGER");
  if (attach_beside() || !path)
    return;
  snprintf(place, sizeof place, "%s", path);
  attach();
}

// ---------------------------------------------------------------- orders ---

Watch ledger_watch(void) { return orders.watch; }

bool ledger_cuts(void) { return orders.cuts; }

bool ledger_cuts_by_warps(void) { return orders.cuts_by_warps; }

bool ledger_cuts_all(void) { return orders.cuts_all; }

bool ledger_is_deterministic(void) { return orders.is_deterministic; }

bool ledger_is_quick(void) { return orders.is_quick; }

CopiesLimits ledger_limits(void) { return orders.limits; }

unsigned ledger_seed(void) { return orders.seed; }

bool ledger_tolerates_same_value(void) { return !orders.no_benign_tolerance; }

unsigned ledger_launch_seconds(void) { return orders.launch_seconds; }

unsigned ledger_capability(void) {
  return orders.capability ? orders.capability : DEVICE_CAPABILITY;
}

// -------------------------------------------------------------- launches ---

uint64_t ledger_launch(const char *kernel) {
  stop_if_lost();
  LedgerCounts *counts = begin();
  snprintf(counts->kernel, sizeof counts->kernel, "%s", kernel);
  uint64_t number = ++counts->launches;
  ledger->done = ledger->total = 0;
  end();
  return number;
}

void ledger_progress(uint64_t done, uint64_t total) {
  ledger->done = done;
  ledger->total = total;
}

static void count_shared(LedgerCounts *counts, const Sharing *sharing) {
  if (!counts->shared++ || sharing->apart < counts->apart)
    counts->apart = sharing->apart;
}

void ledger_finish(const Outcome *outcome, const Code *code, bool is_proved) {
  LedgerCounts *counts = begin();
  if (outcome->sharing.copies)
    count_shared(counts, &outcome->sharing);
  counts->finished++;
  counts->repeated += code->is_repeated;
  counts->proved += is_proved;
  counts->seconds += outcome->seconds;
  end();
}

// ------------------------------------------------------------- sightings ---

// What is in the ledger need not end with a zero any more.
static bool same_place(const SightingPlace *a, const SightingPlace *b) {
  return a->line == b->line && a->column == b->column &&
         !strncmp(a->file, b->file, sizeof a->file);
}

// Of another launch: once is enough.
static bool is_known(const Sighting *known, const Sighting *sighting) {
  if (known->kind != sighting->kind || known->count != sighting->count ||
      strncmp(known->kernel, sighting->kernel, sizeof known->kernel) != 0 ||
      !same_place(&known->where, &sighting->where))
    return false;
  for (unsigned i = 0; i < sighting->count; i++)
    if (!same_place(&known->ends[i].where, &sighting->ends[i].where))
      return false;
  return true;
}

// Its place; MOST_SIGHTINGS: there is none left.
static unsigned note(LedgerCounts *counts, const Sighting *sighting) {
  unsigned i = 0;
  while (i < counts->sightings && !is_known(&ledger->sightings[i], sighting))
    i++;
  if (i < counts->sightings) {
    counts->is_damaged |= !ledger_sighting_holds(ledger, i);
    ledger->sightings[i].is_in_warp &= sighting->is_in_warp;
    ledger->sightings[i].times += sighting->times;
    return i;
  }
  if (i == MOST_SIGHTINGS)
    return i;
  ledger->sightings[i] = *sighting;
  counts->sightings++;
  if (ledger == &own)
    sighting_print(stderr, sighting);
  return i;
}

void ledger_tell(const Sighting *sighting) {
  unsigned number = note(begin(), sighting);
  if (number < MOST_SIGHTINGS)
    ledger_seal_sighting(ledger, number);
  end();
}

// --------------------------------------------------------------- refusals ---

// Nobody else will tell of them.
static void print_refusals(void) {
  for (unsigned i = 0; i < own.counts.refusals; i++)
    if (own.refusals[i].times)
      fprintf(stderr, "gpuverify: %s, and nobody asks\n",
              own.refusals[i].sentence);
}

static unsigned note_refusal(LedgerCounts *counts,
                             const HostSighting *refused) {
  unsigned i = 0;
  while (i < counts->refusals &&
         (strncmp(ledger->refusals[i].sentence, refused->sentence,
                  sizeof refused->sentence) != 0 ||
          memcmp(&ledger->refusals[i].place, &refused->place,
                 sizeof refused->place) != 0))
    i++;
  if (i < counts->refusals) {
    counts->is_damaged |= !ledger_refusal_holds(ledger, i);
    ledger->refusals[i].times++;
    return i;
  }
  if (i == MOST_REFUSALS)
    return i;
  ledger->refusals[i] = *refused;
  if (ledger == &own && !i)
    atexit(print_refusals);
  return counts->refusals++;
}

unsigned ledger_refuse(const HostSighting *refused) {
  unsigned number = note_refusal(begin(), refused);
  if (number < MOST_REFUSALS)
    ledger_seal_refusal(ledger, number);
  end();
  return number;
}

void ledger_forgive(unsigned number, uint64_t times) {
  begin()->is_damaged |= !ledger_refusal_holds(ledger, number);
  ledger->refusals[number].times -= times;
  ledger_seal_refusal(ledger, number);
  end();
}

void ledger_fault(const HostSighting *fault) {
  begin();
  ledger->fault = *fault;
  ledger_seal_fault(ledger);
  end();
  if (ledger == &own)
    fprintf(stderr, "gpuverify: %s\n", fault->sentence);
}
