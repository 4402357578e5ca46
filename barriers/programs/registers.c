// Does every warp get the registers that it asks for (setmaxnreg, PTX ISA
// 9.7.19.5)?
//
// A block has a pool: what its warps are launched with.  setmaxnreg.dec gives
// registers back, .inc waits until as many are there.  If no .dec is behind an
// .inc, every .dec is executed in every schedule; and if all warps together
// then hold no more than the pool, each .inc gets its share, whoever comes
// first. That no .dec is behind an .inc is so if a schedule gets to all of them
// in which each .inc waits for ever.
//
// Not judged: registers that are given back behind an .inc, a warp that asks
// twice, a launch of which the number of registers is not known, or is none
// that can be allocated.

#include "barriers/programs/check.h"

enum { UNIT = 8 }; // registers are allocated by so many

typedef struct Requests {
  FindingSet *findings;
  const Programs *programs;
  uint32_t at[MOST_WARPS]; // the command, plus 1; 0: the warp has none
} Requests;

static const Command *request_of(const Requests *requests, unsigned warp) {
  uint32_t at = requests->at[warp];
  return at ? &requests->programs->warps[warp].at[at - 1] : NULL;
}

static Loc loc_of(const Requests *requests, unsigned warp) {
  return programs_loc(requests->programs, warp, requests->at[warp] - 1);
}

// True if there are any.
static bool find_requests(Requests *requests) {
  bool has_some = false;
  for (unsigned warp = 0; warp < programs_warps(requests->programs); warp++) {
    const Commands *commands = &requests->programs->warps[warp];
    for (uint32_t i = 0; i < commands->count; i++) {
      if (commands->at[i].kind != COMMAND_REGISTERS)
        continue;
      if (requests->at[warp])
        unsupported(requests->findings->task,
                    programs_loc(requests->programs, warp, i),
                    "a warp with more than one setmaxnreg");
      requests->at[warp] = i + 1;
      has_some = true;
    }
  }
  return has_some;
}

static void complain(const Requests *requests, FindingKind kind, unsigned warp,
                     unsigned other) {
  FindingSet *findings = requests->findings;
  End end = end_of(requests->programs, warp, requests->at[warp] - 1);
  End peer = end;
  if (requests->at[other])
    peer = end_of(requests->programs, other, requests->at[other] - 1);
  findings_get(findings, kind, 0, end,
               requests->at[other] && other != warp ? &peer : NULL)
      ->occurrences++;
}

static bool is_alike(const Command *a, const Command *b) {
  return a && b && a->registers == b->registers && a->increases == b->increases;
}

static void check_groups(const Requests *requests) {
  for (unsigned warp = 0; warp < programs_warps(requests->programs); warp++) {
    unsigned block = warp - warp % programs_block_warps(requests->programs);
    unsigned first = block + (warp - block) / WARPGROUP * WARPGROUP;
    const Command *own = request_of(requests, warp);
    const Command *other = request_of(requests, first);
    if ((own || other) && !is_alike(own, other))
      complain(requests, FINDING_WARPGROUP, own ? warp : first,
               own ? first : warp);
  }
}

static void check_launch(const Requests *requests) {
  Task *task = requests->findings->task;
  unsigned launched = requests->programs->registers, any = 0;
  while (!requests->at[any])
    any++;
  if (!launched)
    unsupported(task, loc_of(requests, any),
                "how many registers a thread has at launch is not known: give "
                "--registers");
  if (launched % UNIT)
    unsupported(task, loc_of(requests, any),
                "%u registers of a thread at launch, which is no multiple of "
                "%d",
                launched, UNIT);
}

static void check_directions(const Requests *requests) {
  for (unsigned warp = 0; warp < programs_warps(requests->programs); warp++) {
    const Command *own = request_of(requests, warp);
    unsigned before = requests->programs->registers;
    if (own &&
        (own->increases ? own->registers < before : own->registers > before))
      complain(requests, FINDING_DIRECTION, warp, warp);
  }
}

static void check_dependences(const Requests *requests) {
  uint32_t next[MOST_WARPS];
  simulate_without_increase(requests->findings->task, requests->programs, next);
  for (unsigned warp = 0; warp < programs_warps(requests->programs); warp++) {
    const Command *own = request_of(requests, warp);
    if (own && !own->increases && requests->at[warp] > next[warp])
      unsupported(requests->findings->task, loc_of(requests, warp),
                  "registers are given back only when others have got theirs");
  }
}

// The last warp that asks for more is the one that does not get them.
static void check_pool(const Requests *requests, unsigned block) {
  unsigned warps = programs_block_warps(requests->programs);
  unsigned launched = requests->programs->registers;
  unsigned held = 0, last = 0;
  for (unsigned warp = block * warps; warp < (block + 1) * warps; warp++) {
    const Command *own = request_of(requests, warp);
    held += own ? own->registers : launched;
    if (own && own->increases)
      last = warp;
  }
  if (held > launched * warps)
    complain(requests, FINDING_POOL, last, last);
}

void find_registers(FindingSet *findings) {
  Requests requests = {.findings = findings, .programs = findings->programs};
  if (!find_requests(&requests))
    return;
  check_groups(&requests);
  check_launch(&requests);
  check_directions(&requests);
  for (unsigned block = 0; block < programs_blocks(findings->programs); block++)
    check_pool(&requests, block);
  check_dependences(&requests);
}
