// What the command and the program tell each other: one Ledger in memory that
// both have.
//
// The command passes it by a number of an open file in GPUVERIFY_LEDGER.
// Started without, a program tells its sightings on stderr, in the same words.

#define _GNU_SOURCE

#include "runtime/cuda.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static Ledger own;

static Ledger *open_ledger(void) {
  const char *text = getenv("GPUVERIFY_LEDGER");
  void *at = MAP_FAILED;
  if (text)
    at = mmap(NULL, sizeof(Ledger), PROT_READ | PROT_WRITE, MAP_SHARED,
              atoi(text), 0);
  if (at == MAP_FAILED) {
    own.watch = WATCH_ACCESSES;
    return &own;
  }
  return at;
}

static Ledger *ledger(void) {
  static Ledger *opened;
  if (!opened)
    opened = open_ledger();
  return opened;
}

Watch ledger_watch(void) { return ledger()->watch; }

bool ledger_tolerates_same_value(void) {
  return !ledger()->no_benign_tolerance;
}

unsigned ledger_launch_seconds(void) { return ledger()->launch_seconds; }

unsigned ledger_capability(void) {
  return ledger()->capability ? ledger()->capability : DEVICE_CAPABILITY;
}

uint64_t ledger_launch(const char *kernel) {
  Ledger *to = ledger();
  snprintf(to->kernel, sizeof to->kernel, "%s", kernel);
  to->done = to->total = 0;
  to->is_in_kernel = true;
  return ++to->launches;
}

void ledger_progress(uint64_t done, uint64_t total) {
  ledger()->done = done;
  ledger()->total = total;
}

void ledger_seconds(double seconds) {
  ledger()->seconds += seconds;
  ledger()->is_in_kernel = false;
}

static bool same_place(const SightingPlace *a, const SightingPlace *b) {
  return a->line == b->line && a->column == b->column &&
         !strcmp(a->file, b->file);
}

// Of another launch: once is enough.
static bool is_known(const Sighting *known, const Sighting *sighting) {
  if (known->kind != sighting->kind || known->count != sighting->count ||
      strcmp(known->kernel, sighting->kernel) != 0 ||
      !same_place(&known->where, &sighting->where))
    return false;
  for (unsigned i = 0; i < sighting->count; i++)
    if (!same_place(&known->ends[i].where, &sighting->ends[i].where))
      return false;
  return true;
}

void ledger_tell(const Sighting *sighting) {
  Ledger *to = ledger();
  for (unsigned i = 0; i < to->count; i++)
    if (is_known(&to->sightings[i], sighting)) {
      to->sightings[i].is_in_warp &= sighting->is_in_warp;
      to->sightings[i].times += sighting->times;
      return;
    }
  if (to->count == MOST_SIGHTINGS)
    return;
  to->sightings[to->count] = *sighting;
  to->count++;
  if (to == &own)
    sighting_print(stderr, sighting);
}

// --------------------------------------------------------------- refusals ---

// Nobody else will tell of them.
static void print_refusals(void) {
  for (unsigned i = 0; i < own.refusal_count; i++)
    if (own.refusals[i].times)
      fprintf(stderr, "gpuverify: %s, and nobody asks\n",
              own.refusals[i].sentence);
}

unsigned ledger_refuse(const HostSighting *refused) {
  Ledger *to = ledger();
  unsigned i = 0;
  while (i < to->refusal_count &&
         (strcmp(to->refusals[i].sentence, refused->sentence) != 0 ||
          memcmp(&to->refusals[i].place, &refused->place,
                 sizeof refused->place) != 0))
    i++;
  if (i == MOST_REFUSALS)
    return i;
  if (i < to->refusal_count) {
    to->refusals[i].times++;
    return i;
  }
  to->refusals[i] = *refused;
  if (to == &own && !i)
    atexit(print_refusals);
  return to->refusal_count++;
}

void ledger_forgive(unsigned number, uint64_t times) {
  ledger()->refusals[number].times -= times;
}

void ledger_fault(const HostSighting *fault) {
  Ledger *to = ledger();
  to->fault = *fault;
  if (to == &own)
    fprintf(stderr, "gpuverify: %s\n", fault->sentence);
}
