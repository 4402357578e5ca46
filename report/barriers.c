// What a person reads of `gpuverify barriers`.
//
// As report.c: where and what, in the form editors jump to, the source line,
// then who does what; last the verdict.  Threads are named as in the source,
// warps by their number.  Clang, which has places of its own, gets the same
// sentences without them.

#define _POSIX_C_SOURCE 200809L

#include "barriers/barriers.h"
#include "report/report.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct Printer {
  FILE *out;
  bool without_places;
  const BarriersReport *report;
  const Programs *programs;
  const Check *check;
} Printer;

static const Place *place_at(const BarriersReport *report, uint32_t place) {
  return &report->programs->places.at[place];
}

// In the source if the PTX says where, else in the PTX.  A barrier is mostly
// behind a function of one line: what tells is where that is called.
Loc finding_place(const BarriersReport *report, uint32_t place) {
  const Place *at = place_at(report, place);
  if (at->caller.line)
    return at->caller;
  return at->source.line ? at->source : at->ptx;
}

// ------------------------------------------------------------- sentences ---

VerdictKind finding_verdict(const BarriersReport *report, size_t finding) {
  switch (report->check->findings.at[finding].kind) {
  case FINDING_RACE:
  case FINDING_OVERLAP:
  case FINDING_UNFENCED:
  case FINDING_UNFINISHED:
  case FINDING_NOT_STARTED:
  case FINDING_GONE:
    return VERDICT_RACY;
  case FINDING_DEADLOCK:
  case FINDING_POOL:
    return VERDICT_DEADLOCK;
  case FINDING_COUNT:
  case FINDING_TOO_MANY:
  case FINDING_ALL_ARRIVE:
  case FINDING_TWICE:
  case FINDING_MIXED:
  case FINDING_RECYCLED:
  case FINDING_DEAD:
  case FINDING_LIVE:
  case FINDING_IN_USE:
  case FINDING_ARRIVALS:
  case FINDING_EARLY:
  case FINDING_PASSES:
  case FINDING_MISSES:
  case FINDING_UNANNOUNCED:
  case FINDING_UNBALANCED:
  case FINDING_COMPLETES:
  case FINDING_RANGE:
  case FINDING_WARPGROUP:
  case FINDING_DIRECTION:
    break;
  }
  return VERDICT_DIVERGENT;
}

static bool is_read(CommandKind kind) {
  return kind == COMMAND_READ || kind == COMMAND_STRONG_READ ||
         kind == COMMAND_BULK_READ;
}

static bool is_atomic(CommandKind kind) {
  return kind == COMMAND_ATOMIC || kind == COMMAND_BULK_ATOMIC;
}

static const char *race_kinds(const BarriersReport *report,
                              const Finding *finding) {
  CommandKind a = programs_command(report->programs, finding->ends[0])->kind;
  CommandKind b = programs_command(report->programs, finding->ends[1])->kind;
  if (is_atomic(a) || is_atomic(b))
    return is_read(a) || is_read(b) ? "atomic-read" : "atomic-write";
  return !is_read(a) && !is_read(b) ? "write-write" : "read-write";
}

// By the first of its ends.
static bool is_bulk_write(const BarriersReport *report,
                          const Finding *finding) {
  return programs_command(report->programs, finding->ends[0])->kind ==
         COMMAND_BULK_WRITE;
}

// A product of wgmma, which reads as bulk copies do.
static bool is_product(const BarriersReport *report, End end) {
  return !strncmp(report->programs->places.at[end.place].text, "wgmma.",
                  strlen("wgmma."));
}

static const char *unfinished_sentence(const BarriersReport *report,
                                       const Finding *finding) {
  if (programs_command(report->programs, finding->ends[0])->is_generic)
    return "the block may end while an asynchronous access still writes to its "
           "shared memory";
  if (is_bulk_write(report, finding))
    return "the block may end while a bulk copy still writes to its shared "
           "memory";
  return is_product(report, finding->ends[0])
             ? "a thread may end while its product still reads shared memory"
             : "a thread may end while its bulk copy still reads shared memory";
}

static const char *what_is_wrong(const Finding *finding) {
  switch (finding->kind) {
  case FINDING_COUNT:
    return "warps expect different numbers of threads";
  case FINDING_TOO_MANY:
    return "more threads come than are expected";
  case FINDING_ALL_ARRIVE:
    return "all arrive and nobody waits";
  case FINDING_TWICE:
    return "a warp comes twice before it is complete";
  case FINDING_MIXED:
    return "bar.red is mixed with bar.sync or bar.arrive";
  case FINDING_RECYCLED:
    return "it is recycled too early: a warp may come again before those of "
           "the last time have gone on";
  case FINDING_DEAD:
    return "it is used, but not initialised in every schedule";
  case FINDING_LIVE:
    return "it is initialised again without having been invalidated before";
  case FINDING_IN_USE:
    return "it is invalidated while somebody may still use it";
  case FINDING_ARRIVALS:
    return "more threads arrive than it expects";
  case FINDING_EARLY:
    return "somebody may come too early and count for the phase before: no "
           "wait for that one has passed";
  case FINDING_PASSES:
    return "a wait for it may come before it has begun, and then its parity "
           "lets it pass";
  case FINDING_MISSES:
    return "a wait for it may come when the next phase is over, too, and then "
           "its parity makes it wait for another one";
  case FINDING_UNANNOUNCED:
    return "it may be over before it is told to wait for this";
  case FINDING_UNBALANCED:
    return "all threads have arrived, but not as many bytes come as were "
           "announced";
  case FINDING_COMPLETES:
    return "an arrival with .noComplete may be the last one";
  case FINDING_RANGE:
    return "a count is not between 1 and 1048575, or there are more bytes";
  case FINDING_WARPGROUP:
    return "the warps of a group of four do not ask for the same number of "
           "registers";
  case FINDING_DIRECTION:
    return "setmaxnreg.inc to fewer registers than there are, or .dec to more";
  case FINDING_POOL:
    return "deadlock: setmaxnreg.inc waits for registers that the block does "
           "not have";
  case FINDING_GONE:
    return "its block may have ended when a thread of another block still uses "
           "it";
  case FINDING_OVERLAP:
  case FINDING_UNFENCED:
  case FINDING_UNFINISHED:
  case FINDING_NOT_STARTED:
  case FINDING_RACE:
  case FINDING_DEADLOCK:
    break;
  }
  return "";
}

static bool is_of_registers(const Finding *finding) {
  return finding->kind == FINDING_WARPGROUP ||
         finding->kind == FINDING_DIRECTION || finding->kind == FINDING_POOL;
}

// "mbarrier at byte 64", and of which block if there are several.
static const char *mbarrier_name(Arena *arena, const BarriersReport *report,
                                 uint32_t address) {
  if (address == CLUSTER_BARRIER)
    return "cluster barrier";
  if (address > CLUSTER_BARRIER)
    return "group of wgmma";
  const char *name =
      arena_printf(arena, "mbarrier at byte %u", address % MOST_SHARED_BYTES);
  if (programs_blocks(report->programs) == 1)
    return name;
  return arena_printf(arena, "%s of block %u", name,
                      address / MOST_SHARED_BYTES);
}

// A wait for parity 1 finds the phase before the first one over.
static const char *mbarrier_sentence(Arena *arena, const BarriersReport *report,
                                     const Finding *finding) {
  const char *what = what_is_wrong(finding);
  const char *name = mbarrier_name(arena, report, finding->address);
  if (finding->kind == FINDING_DEAD || finding->kind == FINDING_LIVE ||
      finding->kind == FINDING_GONE)
    return arena_printf(arena, "%s: %s", name, what);
  if (finding->generation == UINT32_MAX)
    return arena_printf(arena,
                        "%s, phase 0: a wait for parity 1, which passes on a "
                        "new one, may come when it is over",
                        name);
  return arena_printf(arena, "%s, phase %u: %s", name, finding->generation,
                      what);
}

const char *finding_sentence(Arena *arena, const BarriersReport *report,
                             size_t index) {
  const Finding *finding = &report->check->findings.at[index];
  if (finding->kind == FINDING_RACE)
    return arena_printf(arena, "%s race in shared memory",
                        race_kinds(report, finding));
  if (finding->kind == FINDING_UNFENCED)
    return is_product(report, finding->ends[0]) ||
                   is_product(report, finding->ends[1])
               ? "race in shared memory: wgmma may not see what was written"
               : "race in shared memory: a bulk copy may not see what was "
                 "written";
  if (finding->kind == FINDING_UNFINISHED)
    return unfinished_sentence(report, finding);
  if (finding->kind == FINDING_DEADLOCK)
    return "deadlock: no warp can go on";
  if (finding->kind == FINDING_OVERLAP)
    return "ordinary access to an mbarrier in shared memory";
  if (finding->is_mbarrier)
    return mbarrier_sentence(arena, report, finding);
  if (finding->kind == FINDING_NOT_STARTED)
    return "access to shared memory of another block, which may not have begun "
           "yet";
  if (finding->kind == FINDING_GONE)
    return "access to shared memory of another block, which may have ended";
  if (is_of_registers(finding))
    return what_is_wrong(finding);
  return arena_printf(arena, "barrier %u, generation %u: %s",
                      finding->barrier % NAMED_BARRIERS, finding->generation,
                      what_is_wrong(finding));
}

// ------------------------------------------------------------------ ends ---

static void print_loc(const Printer *printer, uint32_t place) {
  Loc loc = finding_place(printer->report, place);
  Loc inner = place_at(printer->report, place)->source;
  if (printer->without_places)
    return;
  fputs(", ", printer->out);
  report_place(printer->out, loc, printer->report->file);
  if (!inner.line || report_is_same_place(inner, loc))
    return;
  fputs(" (", printer->out);
  report_place(printer->out, inner, printer->report->file);
  fputc(')', printer->out);
}

// By its rank, where there are several.
static void print_block(const Printer *printer, unsigned block) {
  if (programs_blocks(printer->programs) > 1)
    fprintf(printer->out, " of block %u", block);
}

static void print_warp(const Printer *printer, unsigned warp) {
  unsigned warps = programs_block_warps(printer->programs);
  fprintf(printer->out, "warp %u", warp % warps);
  print_block(printer, warp / warps);
}

static void print_thread(const Printer *printer, End end) {
  const uint32_t *size = printer->report->block_size;
  unsigned warps = programs_block_warps(printer->programs);
  uint32_t linear = end.warp % warps * WARP + end.lane;
  fprintf(printer->out, "thread (%u,%u,%u)", linear % size[0],
          linear / size[0] % size[1], linear / size[0] / size[1]);
  print_block(printer, end.warp / warps);
}

static const char *verb(CommandKind kind) {
  switch (kind) {
  case COMMAND_READ:
  case COMMAND_STRONG_READ:
    return "reads";
  case COMMAND_WRITE:
    return "writes";
  case COMMAND_ATOMIC:
    return "updates atomically";
  case COMMAND_COPY:
    return "copies to";
  case COMMAND_BULK_READ:
    return "starts a bulk copy from";
  case COMMAND_BULK_WRITE:
    return "starts a bulk copy to";
  case COMMAND_BULK_ATOMIC:
    return "starts an asynchronous reduction of";
  case COMMAND_MBARRIER_INIT:
    return "initialises an mbarrier at";
  case COMMAND_MBARRIER_INVAL:
    return "ends the mbarrier at";
  case COMMAND_MBARRIER_EXPECT:
  case COMMAND_MBARRIER_ARRIVE:
  case COMMAND_MBARRIER_DROP:
  case COMMAND_MBARRIER_COMPLETE:
  case COMMAND_MBARRIER_WAIT:
  case COMMAND_MBARRIER_TRY:
  case COMMAND_COPIES_DONE:
  case COMMAND_COPY_ARRIVE:
  case COMMAND_BULK_COMPLETE:
  case COMMAND_BULKS_DONE:
  case COMMAND_PROXY_FENCE:
  case COMMAND_INIT_FENCE:
  case COMMAND_SYNC:
  case COMMAND_REDUCE:
  case COMMAND_ARRIVE:
  case COMMAND_WARP_SYNC:
  case COMMAND_REGISTERS:
  case COMMAND_EXIT:
    break;
  }
  return "passes";
}

static bool is_copy(const Printer *printer, End end) {
  return programs_command(printer->programs, end)->kind == COMMAND_COPY;
}

static bool is_bulk(const Printer *printer, End end) {
  CommandKind kind = programs_command(printer->programs, end)->kind;
  return kind == COMMAND_BULK_READ || kind == COMMAND_BULK_WRITE ||
         kind == COMMAND_BULK_ATOMIC;
}

// What a bulk copy waits for.
static void print_bulk_lesson(const Printer *printer, const Finding *finding) {
  if (finding->kind == FINDING_UNFENCED)
    fputs(
        "  the thread that writes needs a fence.proxy.async behind it, before "
        "the barrier that orders them\n",
        printer->out);
  else if (programs_command(printer->programs, finding->ends[0])->is_generic ||
           programs_command(printer->programs, finding->ends[1])->is_generic)
    fputs(
        "  an asynchronous access goes on until its mbarrier's phase is waited "
        "for\n",
        printer->out);
  else if (is_product(printer->report, finding->ends[0]) ||
           is_product(printer->report, finding->ends[1]))
    fputs("  wgmma reads until its group is waited for\n", printer->out);
  else
    fputs(
        "  a bulk copy goes on until its mbarrier's phase, or its bulk group, "
        "is waited for\n",
        printer->out);
}

// ", in 'tile' at 4"
static void print_symbol(const Printer *printer, uint32_t address) {
  const SharedVariable *symbol = programs_symbol(printer->programs, address);
  if (!symbol)
    return;
  Task task = {0};
  uint32_t offset = address % MOST_SHARED_BYTES - symbol->address;
  fprintf(printer->out, " ('%s'", plain_name(&task, symbol->name));
  if (offset)
    fprintf(printer->out, " + %u", offset);
  fputc(')', printer->out);
  arena_free(&task.arena);
}

static void print_access(const Printer *printer, const Finding *finding,
                         End end) {
  print_thread(printer, end);
  const Command *command = programs_command(printer->programs, end);
  fprintf(printer->out, " %s ",
          command->is_generic && command->kind == COMMAND_BULK_WRITE
              ? "starts an asynchronous store to"
          : is_product(printer->report, end) ? "multiplies what is in"
                                             : verb(command->kind));
  uint32_t address = finding->address % MOST_SHARED_BYTES;
  if (finding->bytes > 1)
    fprintf(printer->out, "bytes %u..%u", address,
            address + finding->bytes - 1);
  else
    fprintf(printer->out, "byte %u", address);
  print_block(printer, finding->address / MOST_SHARED_BYTES);
  print_symbol(printer, finding->address);
}

static void print_lesson(const Printer *printer, const Finding *finding) {
  if (finding->kind == FINDING_OVERLAP) {
    fputs("  only mbarrier instructions may touch these bytes\n", printer->out);
    return;
  }
  if (finding->kind == FINDING_UNFINISHED) {
    fputs(is_bulk_write(printer->report, finding)
              ? "  some thread has to wait for the phase of its mbarrier\n"
              : "  cp.async.bulk.wait_group.read 0 has to come before\n",
          printer->out);
    return;
  }
  if (finding->kind == FINDING_NOT_STARTED) {
    fputs("  the blocks have to meet at barrier.cluster before\n",
          printer->out);
    return;
  }
  if (finding->kind == FINDING_GONE) {
    fputs(
        "  some thread of that block has to wait for it, as at "
        "barrier.cluster, before it ends\n",
        printer->out);
    return;
  }
  if (is_bulk(printer, finding->ends[0]) || is_bulk(printer, finding->ends[1]))
    print_bulk_lesson(printer, finding);
  if (finding->kind == FINDING_UNFENCED)
    return;
  if (is_copy(printer, finding->ends[0]) || is_copy(printer, finding->ends[1]))
    fputs(
        "  a copy goes on until its thread waits for it, or for an mbarrier "
        "that it arrives at\n",
        printer->out);
  fprintf(printer->out, "  no barrier orders them; %llu pair%s of threads\n",
          (unsigned long long)finding->occurrences,
          finding->occurrences == 1 ? "" : "s");
}

// "bar.sync 1, 64", whatever registers it was written with.
static void print_barrier(const Printer *printer, const Command *command) {
  const char *name = command->kind == COMMAND_SYNC     ? "bar.sync"
                     : command->kind == COMMAND_REDUCE ? "bar.red"
                                                       : "bar.arrive";
  fprintf(printer->out, "%s %u, %u", name, command->barrier % NAMED_BARRIERS,
          command->threads);
}

static const char *mbarrier_action(CommandKind kind) {
  static const char *const actions[] = {
      [COMMAND_MBARRIER_INIT] = "initialises it",
      [COMMAND_MBARRIER_INVAL] = "invalidates it",
      [COMMAND_MBARRIER_EXPECT] = "announces bytes",
      [COMMAND_MBARRIER_ARRIVE] = "arrives",
      [COMMAND_MBARRIER_DROP] = "arrives",
      [COMMAND_MBARRIER_COMPLETE] = "brings bytes",
      [COMMAND_MBARRIER_WAIT] = "waits",
      [COMMAND_MBARRIER_TRY] = "asks",
      [COMMAND_COPY_ARRIVE] = "arrives when its copies are made",
      [COMMAND_BULK_COMPLETE] = "brings bytes by a bulk copy",
  };
  assert(kind < sizeof actions / sizeof *actions && actions[kind]);
  return actions[kind];
}

static void print_user(const Printer *printer, End end) {
  const Command *command = programs_command(printer->programs, end);
  print_thread(printer, end);
  fprintf(printer->out, " %s", mbarrier_action(command->kind));
  if (command->address >= CLUSTER_BARRIER)
    return;
  bool asks = command->kind == COMMAND_MBARRIER_WAIT ||
              command->kind == COMMAND_MBARRIER_TRY;
  if (asks)
    fprintf(printer->out, " for parity %u", command->barrier);
  else if (command->threads)
    fprintf(printer->out, ", count %u", command->threads);
  if (command->tx)
    fprintf(printer->out, ", %d bytes", command->tx);
}

static bool is_of_accesses(const Finding *finding) {
  return finding->kind == FINDING_RACE || finding->kind == FINDING_OVERLAP ||
         finding->kind == FINDING_UNFENCED ||
         finding->kind == FINDING_UNFINISHED ||
         finding->kind == FINDING_NOT_STARTED ||
         (finding->kind == FINDING_GONE && !finding->is_mbarrier);
}

static void print_end(const Printer *printer, const Finding *finding,
                      unsigned which) {
  End end = finding->ends[which];
  const Command *command = programs_command(printer->programs, end);
  if (is_of_accesses(finding))
    print_access(printer, finding, end);
  else if (command->kind > COMMAND_EXIT)
    print_user(printer, end);
  else {
    print_warp(printer, end.warp);
    fputs(": ", printer->out);
    if (command->kind == COMMAND_REGISTERS)
      fprintf(printer->out, "setmaxnreg.%s %u",
              command->barrier ? "inc" : "dec", command->threads);
    else
      print_barrier(printer, command);
  }
  print_loc(printer, end.place);
}

static void print_ends(const Printer *printer, const Finding *finding) {
  for (unsigned i = 0; i < finding->end_count; i++) {
    fputs("  ", printer->out);
    print_end(printer, finding, i);
    fputc('\n', printer->out);
  }
}

// What is missing.
static void print_filling(const Printer *printer, const Standing *standing) {
  FILE *out = printer->out;
  if (!standing->is_mbarrier) {
    fprintf(out, ", where %u of %u threads are", standing->met,
            standing->expected);
    return;
  }
  fprintf(out, ": phase %u has %u of %u arrivals", standing->generation,
          standing->met, standing->expected);
  if (standing->tx > 0)
    fprintf(out, ", and %lld bytes have not come", (long long)standing->tx);
  if (standing->tx < 0)
    fprintf(out, ", and %lld bytes more than announced",
            -(long long)standing->tx);
}

static void print_help(const Printer *printer, unsigned warp) {
  const Standing *standing = &printer->check->standing[warp];
  if (standing->waits_for == NO_WARP)
    fputs("; nobody else will come", printer->out);
  else if (standing->waits_for == warp)
    fputs("; it would come itself, later", printer->out);
  else {
    fputs("; ", printer->out);
    print_warp(printer, standing->waits_for);
    fprintf(printer->out, " would come%s",
            standing->is_in_cycle ? ", but waits in this circle" : "");
  }
}

static void print_awaited(const Printer *printer, const Command *command) {
  if (command->address == CLUSTER_BARRIER) {
    fputs("at barrier.cluster", printer->out);
    return;
  }
  if (command->address > CLUSTER_BARRIER) {
    fputs("for a group of wgmma", printer->out);
    return;
  }
  fprintf(printer->out, "for parity %u of the mbarrier at byte %u",
          command->barrier, command->address % MOST_SHARED_BYTES);
}

static void print_waiting(const Printer *printer, unsigned warp) {
  const Standing *standing = &printer->check->standing[warp];
  const Command *command =
      &printer->programs->warps[warp].at[standing->command];
  unsigned lanes = (unsigned)__builtin_popcount(command->lanes);
  print_warp(printer, warp);
  if (standing->is_mbarrier && lanes < WARP)
    fprintf(printer->out, " (%u of its threads)", lanes);
  fputs(" waits ", printer->out);
  if (standing->is_mbarrier)
    print_awaited(printer, command);
  else {
    fputs("at ", printer->out);
    print_barrier(printer, command);
  }
  print_loc(printer, command->place);
  print_filling(printer, standing);
  print_help(printer, warp);
}

// Warps that stand at one place are told once.
bool standing_is_like_before(const BarriersReport *report, unsigned warp) {
  const Standing *own = &report->check->standing[warp];
  const Standing *last = warp ? own - 1 : NULL;
  if (!last || own->has_exited != last->has_exited)
    return false;
  return own->has_exited ||
         (own->command == last->command && own->barrier == last->barrier &&
          own->is_mbarrier == last->is_mbarrier &&
          own->address == last->address && own->waits_for == last->waits_for &&
          own->is_in_cycle == last->is_in_cycle);
}

static void print_deadlock(const Printer *printer) {
  unsigned exited = 0, alike = 0, warps = programs_warps(printer->programs);
  for (unsigned warp = 0; warp < warps; warp++) {
    if (printer->check->standing[warp].has_exited)
      exited++;
    else if (standing_is_like_before(printer->report, warp))
      alike++;
    else {
      fputs("  ", printer->out);
      print_waiting(printer, warp);
      fputc('\n', printer->out);
    }
  }
  if (alike)
    fprintf(printer->out, "  %u more wait as the one before them\n", alike);
  if (exited)
    fprintf(printer->out, "  %u of %u warps have exited\n", exited, warps);
}

// Who holds what when all have given back what they give back.
static void print_pool(const Printer *printer, unsigned of) {
  const Programs *programs = printer->programs;
  unsigned warps = programs_block_warps(programs), held = 0, launched = 0;
  unsigned first = of - of % warps;
  for (unsigned warp = first; warp < first + warps; warp++) {
    unsigned own = programs->registers;
    for (size_t i = 0; i < programs->warps[warp].count; i++)
      if (programs->warps[warp].at[i].kind == COMMAND_REGISTERS)
        own = programs->warps[warp].at[i].threads;
    held += own * WARP;
    launched += programs->registers * WARP;
  }
  fprintf(printer->out,
          "  %u registers in all, and the block was launched with %u, %u for "
          "each thread\n",
          held, launched, programs->registers);
}

// What its replay has shown.
static void print_replay(const Printer *printer, const Finding *finding) {
  if (finding->replay)
    fprintf(printer->out, "  %s: %s\n",
            finding->is_confirmed ? "confirmed" : "possible", finding->replay);
}

static void print_finding(const Printer *printer, size_t index) {
  const Finding *finding = &printer->check->findings.at[index];
  Arena arena = {0};
  Loc where = finding_place(printer->report, finding->ends[0].place);
  report_place(printer->out, where, printer->report->file);
  fprintf(printer->out, ": %s\n",
          finding_sentence(&arena, printer->report, index));
  report_quote(printer->out, where, "    ");
  if (finding->kind == FINDING_DEADLOCK)
    print_deadlock(printer);
  else
    print_ends(printer, finding);
  if (is_of_accesses(finding))
    print_lesson(printer, finding);
  if (finding->kind == FINDING_POOL)
    print_pool(printer, finding->ends[0].warp);
  print_replay(printer, finding);
  arena_free(&arena);
}

// ------------------------------------------------------ without places ---

// What `print` writes, as text.
static const char *written(Arena *arena, const BarriersReport *report,
                           void (*print)(const Printer *printer,
                                         const void *data),
                           const void *data) {
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  if (!out)
    return "";
  Printer printer = {out, true, report, report->programs, report->check};
  print(&printer, data);
  const char *copy = fclose(out) ? "" : arena_copy(arena, text);
  free(text);
  return copy;
}

typedef struct Which {
  const Finding *finding;
  unsigned number; // of the end, or the warp
} Which;

static void write_end(const Printer *printer, const void *data) {
  const Which *which = data;
  print_end(printer, which->finding, which->number);
}

const char *finding_end_text(Arena *arena, const BarriersReport *report,
                             size_t finding, unsigned end) {
  Which which = {&report->check->findings.at[finding], end};
  return written(arena, report, write_end, &which);
}

static void write_standing(const Printer *printer, const void *data) {
  const Which *which = data;
  if (!printer->check->standing[which->number].has_exited) {
    print_waiting(printer, which->number);
    return;
  }
  print_warp(printer, which->number);
  fputs(" has exited", printer->out);
}

const char *standing_text(Arena *arena, const BarriersReport *report,
                          unsigned warp) {
  Which which = {NULL, warp};
  return written(arena, report, write_standing, &which);
}

// --------------------------------------------------------------- verdict ---

size_t barriers_assumptions(const BarriersReport *report,
                            const char *names[BARRIERS_ASSUMPTIONS]) {
  const Programs *programs = report->programs;
  const Check *check = report->check;
  const struct {
    const char *name;
    bool is_made;
  } assumptions[BARRIERS_ASSUMPTIONS] = {
      {"one-block", report->kind != VERDICT_VERIFIED},
      {"tensor-bytes", programs && programs->has_tensors},
      {"constant-tables", programs && programs->has_tables},
      {"mbarrier-init", check && check->assumes_inits},
      {"proxy-fences", check && check->assumes_fences},
      {"same-loads", programs && programs->values.count},
      {"no-clusters", programs && programs->is_alone},
      {"cluster-scope", programs && programs->has_narrow},
      {"parity-bit", programs && programs->has_parities},
      {"elect-lowest", programs && programs->elects_lowest},
  };
  size_t count = 0;
  for (size_t i = 0; i < BARRIERS_ASSUMPTIONS; i++)
    if (assumptions[i].is_made)
      names[count++] = assumptions[i].name;
  return count;
}

static const char *blocks_text(Arena *arena, const BarriersReport *report) {
  const uint32_t *grid = report->grid_size, *block = report->block;
  size_t count = report->blocks.count;
  switch (report->blocks.coverage) {
  case COVERAGE_ANY:
    return "any";
  case COVERAGE_EACH:
    return arena_printf(arena, "each of (%u,%u,%u)", grid[0], grid[1], grid[2]);
  case COVERAGE_SOME:
    break;
  }
  if (count == 1)
    return arena_printf(arena, "(%u,%u,%u) of (%u,%u,%u), not the others",
                        block[0], block[1], block[2], grid[0], grid[1],
                        grid[2]);
  if (!report->is_grid_known)
    return arena_printf(arena, "%zu of small grids, not the others", count);
  return arena_printf(arena, "%zu of (%u,%u,%u), not the others", count,
                      grid[0], grid[1], grid[2]);
}

const char *barriers_coverage(Arena *arena, const BarriersReport *report) {
  return arena_printf(arena, "%s, %s", blocks_text(arena, report),
                      report->writes_global
                          ? "global memory was not looked at"
                          : "nothing is written to global memory");
}

static void print_proof(const Printer *printer) {
  const BarriersReport *report = printer->report;
  FILE *out = printer->out;
  fprintf(out,
          "%s: %skernel '%s': no deadlock, no barrier recycled too early, no "
          "data races in shared memory\n  for blockDim = ",
          report->file, report->proof ? "named barriers: " : "",
          report->source);
  report_triple(out, report->block_size);
  fputs(", block ", out);
  report_triple(out, report->block);
  if (programs_blocks(report->programs) > 1)
    fprintf(out, " and its cluster of %u blocks",
            programs_blocks(report->programs));
  fputs(" of ", out);
  report_triple(out, report->grid_size);
  const char *names[BARRIERS_ASSUMPTIONS];
  size_t count = barriers_assumptions(report, names);
  for (size_t i = 0; i < count; i++)
    fprintf(out, "%s%s", i ? ", " : "\n  assuming ", names[i]);
  Arena arena = {0};
  fprintf(out, "\n  for one block: %s\n", barriers_coverage(&arena, report));
  arena_free(&arena);
}

static void print_reason(const Printer *printer, const char *what) {
  const BarriersReport *report = printer->report;
  report_place(printer->out, report->where.line ? report->where : report->loc,
               report->file);
  fprintf(printer->out, ": %s%s: %s\n", report->proof ? "named barriers: " : "",
          what, report->reason);
  report_quote(printer->out, report->where, "    ");
}

// Why it was not the proof that answered.
static void print_note(const Printer *printer) {
  const BarriersReport *report = printer->report;
  Loc where = report->proof->where;
  report_place(printer->out, where.line ? where : report->loc, report->file);
  fprintf(printer->out, ": note: the proof does not decide this: %s\n",
          report->proof->reason ? report->proof->reason : "no reason given");
  report_quote(printer->out, where, "    ");
}

static bool is_proof(const BarriersReport *report) {
  return report->kind == VERDICT_VERIFIED || report->kind == VERDICT_ONE_BLOCK;
}

// Another lane might have been elected.  The lowest come first.
static void print_leader(const Printer *printer) {
  const BarriersReport *report = printer->report;
  const Programs *programs = printer->programs;
  bool has_elected = programs && programs->elected;
  if (is_proof(report) || (!has_elected && !report->leader))
    return;
  fprintf(printer->out, "  where elect.sync elects lane %u of each warp%s\n",
          has_elected ? programs->leader : report->leader,
          report->leader ? " (see --elect-lowest)" : "");
}

// Not the one that was asked for, or first.
static void print_other_block(const Printer *printer) {
  const BarriersReport *report = printer->report;
  if (!report->is_other_block || is_proof(report))
    return;
  fputs("  in block ", printer->out);
  report_triple(printer->out, report->block);
  fputs(" of ", printer->out);
  report_triple(printer->out, report->grid_size);
  fputc('\n', printer->out);
}

bool barriers_are_confirmed(const BarriersReport *report) {
  for (size_t i = 0; report->check && i < report->check->findings.count; i++)
    if (report->check->findings.at[i].is_confirmed &&
        finding_verdict(report, i) == report->kind)
      return true;
  return false;
}

static const char *certainty(const BarriersReport *report) {
  if (!report->check || !report->check->findings.count)
    return "";
  return barriers_are_confirmed(report) ? "confirmed, " : "possible, ";
}

void report_barriers_text(FILE *out, const ReportStyle *style,
                          const BarriersReport *report) {
  Printer printer = {out, false, report, report->programs, report->check};
  bool is_enough =
      report->kind == VERDICT_VERIFIED ||
      (report->kind == VERDICT_ONE_BLOCK && style->is_one_block_enough);
  if (style->quiet && is_enough)
    return;
  for (size_t i = 0; report->check && i < report->check->findings.count; i++)
    print_finding(&printer, i);
  if (is_proof(report))
    print_proof(&printer);
  else if (report->reason)
    print_reason(&printer,
                 report->kind == VERDICT_ERROR ? "wrong use" : "not decided");
  print_leader(&printer);
  print_other_block(&printer);
  if (report->proof)
    print_note(&printer);
  Arena arena = {0};
  fprintf(out, "verdict: %s (%s%s%s%skernel '%s', ", verdict_name(report->kind),
          certainty(report), report->proof ? "named barriers, " : "",
          is_proof(report) ? barriers_coverage(&arena, report)
          : report->proof  ? "one block, shared memory only"
                           : "",
          is_proof(report) || report->proof ? ", " : "", report->source);
  arena_free(&arena);
  if (report->check)
    fprintf(out, "%llu command%s, %llu generation%s, ",
            (unsigned long long)report->check->commands,
            report->check->commands == 1 ? "" : "s",
            (unsigned long long)report->check->generations,
            report->check->generations == 1 ? "" : "s");
  fprintf(out, "%.2f s)\n", report->seconds);
}
