// Who does what in a finding, and where each warp stands in a deadlock.
//
// Threads are named as in the source, warps by their number.  Clang, which has
// places of its own, gets the same sentences without them.

#include "report/tell_barriers.h"

#include <assert.h>

typedef struct Printer {
  FILE *out;
  bool has_places;
  const BarriersReport *report;
  const Programs *programs;
  const Check *check;
} Printer;

static void print_loc(const Printer *printer, uint32_t place) {
  Loc loc = finding_place(printer->report, place);
  Loc inner = printer->programs->places.at[place].source;
  if (!printer->has_places)
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
          : end_is_product(printer->report, end) ? "multiplies what is in"
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
    fprintf(printer->out, " for parity %u", command->parity);
  else if (command->arrivals)
    fprintf(printer->out, ", count %u", command->arrivals);
  if (command->tx)
    fprintf(printer->out, ", %d bytes", command->tx);
}

static void print_end(const Printer *printer, const Finding *finding, End end) {
  const Command *command = programs_command(printer->programs, end);
  if (finding_topic(finding) == TOPIC_ACCESSES)
    print_access(printer, finding, end);
  else if (command->kind > COMMAND_EXIT)
    print_user(printer, end);
  else {
    print_warp(printer, end.warp);
    fputs(": ", printer->out);
    if (command->kind == COMMAND_REGISTERS)
      fprintf(printer->out, "setmaxnreg.%s %u",
              command->increases ? "inc" : "dec", command->registers);
    else
      print_barrier(printer, command);
  }
  print_loc(printer, end.place);
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

static void print_coming(const Printer *printer, const Standing *standing) {
  if (!standing->comes || !printer->has_places)
    return;
  fputs(" (", printer->out);
  report_place(printer->out, place_told(standing->comes),
               printer->report->file);
  fputc(')', printer->out);
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
    fputs(" would come", printer->out);
    print_coming(printer, standing);
    if (standing->is_in_cycle)
      fputs(", but waits in this circle", printer->out);
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
          command->parity, command->address % MOST_SHARED_BYTES);
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

// ------------------------------------------------------------------ text ---

static Printer begin(Sheet *sheet, const BarriersReport *report,
                     bool has_place) {
  sheet_open(sheet);
  return (Printer){sheet->out, has_place, report, report->programs,
                   report->check};
}

const char *end_text(Arena *arena, const BarriersReport *report,
                     const Finding *finding, unsigned end, bool has_place) {
  Sheet sheet;
  Printer printer = begin(&sheet, report, has_place);
  print_end(&printer, finding, finding->ends[end]);
  return sheet_close(arena, &sheet);
}

const char *standing_text(Arena *arena, const BarriersReport *report,
                          unsigned warp, bool has_place) {
  Sheet sheet;
  Printer printer = begin(&sheet, report, has_place);
  if (report->check->standing[warp].has_exited) {
    print_warp(&printer, warp);
    fputs(" has exited", printer.out);
  } else {
    print_waiting(&printer, warp);
  }
  return sheet_close(arena, &sheet);
}
