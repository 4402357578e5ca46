// The Ledger: what a program that was started by the command, and its
// children, tell the command about their launches.
//
// It is a file beside the program, which each process maps before main begins;
// so there is no descriptor, no variable of the environment and no argument
// that a program could close, clear or take for something else.  What a program
// can still do is to write to any of its memory.  Therefore each part has a
// seal, the sum of its bytes, which is looked at before the part is changed and
// when the command reads it: what does not fit its seal is not believed.

#include "runtime/runtime.h"

#include <string.h>

// Counts up when what is in a ledger means something else.
#define WHICH "gpuverify ledger 3"

// FNV-1a.  Nothing but zeros has another sum than 0.
static uint64_t sum(const void *at, size_t bytes) {
  const unsigned char *byte = at;
  uint64_t sum = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < bytes; i++)
    sum = (sum ^ byte[i]) * UINT64_C(0x100000001b3);
  return sum;
}

#define SUM(part) sum(&(part), sizeof(part))

void ledger_seal_counts(Ledger *ledger) {
  ledger->counts_seal = SUM(ledger->counts);
}

bool ledger_counts_hold(const Ledger *ledger) {
  return ledger->counts_seal == SUM(ledger->counts) &&
         ledger->counts.sightings <= MOST_SIGHTINGS &&
         ledger->counts.refusals <= MOST_REFUSALS;
}

void ledger_seal_sighting(Ledger *ledger, unsigned number) {
  ledger->sighting_seals[number] = SUM(ledger->sightings[number]);
}

bool ledger_sighting_holds(const Ledger *ledger, unsigned number) {
  return ledger->sighting_seals[number] == SUM(ledger->sightings[number]);
}

void ledger_seal_refusal(Ledger *ledger, unsigned number) {
  ledger->refusal_seals[number] = SUM(ledger->refusals[number]);
}

bool ledger_refusal_holds(const Ledger *ledger, unsigned number) {
  return ledger->refusal_seals[number] == SUM(ledger->refusals[number]);
}

void ledger_seal_fault(Ledger *ledger) {
  ledger->fault_seal = SUM(ledger->fault);
}

void ledger_init(Ledger *ledger, const LedgerOrders *orders) {
  memset(ledger, 0, sizeof *ledger);
  ledger->orders = *orders;
  strcpy(ledger->orders.kind, WHICH);
  ledger->orders.bytes = sizeof *ledger;
  ledger->orders_seal = SUM(ledger->orders);
  ledger_seal_counts(ledger);
}

bool ledger_is_ours(const Ledger *ledger) {
  return ledger->orders_seal == SUM(ledger->orders) &&
         ledger->orders.bytes == sizeof *ledger &&
         !strcmp(ledger->orders.kind, WHICH);
}

// --------------------------------------------------------------- salvage ---

static unsigned salvage_sightings(Ledger *ledger) {
  unsigned count = 0;
  for (unsigned i = 0; i < MOST_SIGHTINGS; i++)
    if (ledger_sighting_holds(ledger, i))
      ledger->sightings[count++] = ledger->sightings[i];
  return count;
}

static unsigned salvage_refusals(Ledger *ledger) {
  unsigned count = 0;
  for (unsigned i = 0; i < MOST_REFUSALS; i++)
    if (ledger_refusal_holds(ledger, i))
      ledger->refusals[count++] = ledger->refusals[i];
  return count;
}

void ledger_salvage(Ledger *ledger) {
  bool is_whole = ledger_is_ours(ledger) && ledger_counts_hold(ledger) &&
                  !ledger->counts.is_damaged;
  unsigned sightings = salvage_sightings(ledger);
  unsigned refusals = salvage_refusals(ledger);
  if (!ledger_counts_hold(ledger))
    ledger->counts = (LedgerCounts){0};
  ledger->counts.is_damaged = !is_whole ||
                              sightings != ledger->counts.sightings ||
                              refusals != ledger->counts.refusals;
  ledger->counts.sightings = sightings;
  ledger->counts.refusals = refusals;
  if (ledger->fault_seal == SUM(ledger->fault))
    return;
  ledger->counts.is_damaged |= ledger->fault_seal || ledger->fault.times;
  ledger->fault = (HostSighting){0};
}
