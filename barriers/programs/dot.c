// What orders what, as a graph for Graphviz: --dump=graph.
//
//   gpuverify barriers --dump=graph pipe.ptx | sed '/^}/q' >pipe.dot
//
// A box is what a warp does between two commands that synchronise, an ellipse
// a generation of a named barrier or a phase of an mbarrier.  An edge goes from
// what happens before to what happens after, in the schedule that the check
// replays.  An edge into an ellipse is an arrival, one out of it a wait that
// passes; one from box to box is the order of a warp's program.  A dashed one
// is of the asynchronous copies before it alone.
//
// Left out: bar.warp.sync, which orders lanes inside a box, and waits of a
// thread for its own copies.

#include "barriers/programs/check.h"

typedef struct Graph {
  const Programs *programs;
  FILE *out;
  Mbarriers mbarriers;
  uint32_t *lives;            // of each mbarrier, how often it was initialised
  uint32_t box[MOST_WARPS];   // its number
  uint32_t steps[MOST_WARPS]; // its accesses and copies
  Loc first[MOST_WARPS], last[MOST_WARPS];
  uint32_t generation[ALL_BARRIERS];
  uint32_t waiting[ALL_BARRIERS]; // sets of warps
} Graph;

static Loc place_of(const Graph *graph, unsigned warp, const Command *command) {
  const Command *first = graph->programs->warps[warp].at;
  return programs_loc(graph->programs, warp, (uint32_t)(command - first));
}

// ------------------------------------------------------------------ boxes ---

static void print_box(const Graph *graph, unsigned warp) {
  uint32_t steps = graph->steps[warp];
  unsigned first = graph->first[warp].line, last = graph->last[warp].line;
  fprintf(graph->out, "  w%u_%u [shape=box, label=\"warp %u", warp,
          graph->box[warp], warp);
  if (steps)
    fprintf(graph->out, "\\n%u access%s, line %u", steps,
            steps == 1 ? "" : "es", first);
  if (steps && last != first)
    fprintf(graph->out, " to %u", last);
  fputs("\"];\n", graph->out);
}

static void begin_box(Graph *graph, unsigned warp) {
  print_box(graph, warp);
  graph->box[warp]++;
  graph->steps[warp] = 0;
}

static void print_program_order(const Graph *graph, unsigned warp) {
  fprintf(graph->out, "  w%u_%u -> w%u_%u;\n", warp, graph->box[warp] - 1, warp,
          graph->box[warp]);
}

// ---------------------------------------------------------- named barriers ---

static void complete(Graph *graph, unsigned barrier) {
  uint32_t generation = graph->generation[barrier]++;
  for (unsigned warp = 0; warp < programs_warps(graph->programs); warp++)
    if (block_of_warp(graph->programs, warp) == barrier / NAMED_BARRIERS &&
        graph->waiting[barrier] & warp_bit(graph->programs, warp)) {
      begin_box(graph, warp);
      fprintf(graph->out, "  b%u_%u -> w%u_%u;\n", barrier, generation, warp,
              graph->box[warp]);
    }
  graph->waiting[barrier] = 0;
}

static void meet(void *data, Turn turn) {
  Graph *graph = data;
  const Command *command = &graph->programs->warps[turn.warp].at[turn.command];
  unsigned barrier = command->barrier;
  if (command->kind == COMMAND_MBARRIER_WAIT)
    return; // it goes on later
  fprintf(graph->out,
          "  b%u_%u [label=\"barrier %u, generation %u\"];\n"
          "  w%u_%u -> b%u_%u [label=\"line %u\"];\n",
          barrier, graph->generation[barrier], barrier,
          graph->generation[barrier], turn.warp, graph->box[turn.warp], barrier,
          graph->generation[barrier], place_of(graph, turn.warp, command).line);
  if (is_waiting(command->kind)) {
    graph->waiting[barrier] |= warp_bit(graph->programs, turn.warp);
  } else {
    begin_box(graph, turn.warp);
    print_program_order(graph, turn.warp);
  }
  if (turn.completes)
    complete(graph, barrier);
}

// --------------------------------------------------------------- mbarriers ---

static void print_phase(const Graph *graph, const ProgramMbarrier *mbarrier,
                        uint32_t phase) {
  fprintf(graph->out, "m%u_%u_%u", mbarrier->address,
          graph->lives[mbarrier - graph->mbarriers.at], phase);
}

// Announcements and bytes that come tell nobody anything.
static bool is_arrival(CommandKind kind) {
  return kind == COMMAND_MBARRIER_ARRIVE || kind == COMMAND_MBARRIER_DROP ||
         kind == COMMAND_COPY_ARRIVE || kind == COMMAND_BULK_COMPLETE;
}

static void arrive(Graph *graph, unsigned warp, const ProgramMbarrier *mbarrier,
                   const Command *command) {
  bool is_of_copies = command->kind == COMMAND_COPY_ARRIVE ||
                      command->kind == COMMAND_BULK_COMPLETE;
  fputs("  ", graph->out);
  print_phase(graph, mbarrier, mbarrier->state.phase);
  fprintf(graph->out, " [label=\"mbarrier %u, phase %u\"];\n  w%u_%u -> ",
          mbarrier->address, mbarrier->state.phase, warp, graph->box[warp]);
  print_phase(graph, mbarrier, mbarrier->state.phase);
  fprintf(graph->out, " [label=\"line %u\"%s];\n",
          place_of(graph, warp, command).line,
          is_of_copies ? ", style=dashed" : "");
}

// Nobody has arrived at the phase before the first one.
static void pass(Graph *graph, unsigned warp, const ProgramMbarrier *mbarrier) {
  begin_box(graph, warp);
  print_program_order(graph, warp);
  if (!mbarrier->state.phase)
    return;
  fputs("  ", graph->out);
  print_phase(graph, mbarrier, mbarrier->state.phase - 1);
  fprintf(graph->out, " -> w%u_%u;\n", warp, graph->box[warp]);
}

// All lanes may count for one phase, or for several.
static void use(Graph *graph, unsigned warp, const Command *command) {
  ProgramMbarrier *mbarrier =
      mbarriers_find(&graph->mbarriers, command->address);
  bool is_new = true;
  if (command->kind == COMMAND_MBARRIER_WAIT)
    pass(graph, warp, mbarrier);
  for (uint32_t left = command->lanes; left; left &= left - 1) {
    if (is_new && is_arrival(command->kind))
      arrive(graph, warp, mbarrier, command);
    is_new = mbarrier_do(mbarrier, command).completes;
  }
  if (command->kind == COMMAND_MBARRIER_INIT)
    graph->lives[mbarrier - graph->mbarriers.at]++;
  if (is_arrival(command->kind)) {
    begin_box(graph, warp);
    print_program_order(graph, warp);
  }
}

// ------------------------------------------------------------------- walk ---

static bool is_access(CommandKind kind) {
  return kind == COMMAND_READ || kind == COMMAND_STRONG_READ ||
         kind == COMMAND_WRITE || kind == COMMAND_ATOMIC || is_copying(kind);
}

static void step(void *data, unsigned warp, uint32_t at) {
  Graph *graph = data;
  const Command *command = &graph->programs->warps[warp].at[at];
  if (is_mbarrier(command->kind))
    use(graph, warp, command);
  if (!is_access(command->kind))
    return;
  graph->last[warp] = place_of(graph, warp, command);
  if (!graph->steps[warp]++)
    graph->first[warp] = graph->last[warp];
}

void programs_print_graph(Task *task, const Programs *programs, FILE *out) {
  Check *check = NEW(&task->arena, Check);
  Graph *graph = NEW(&task->arena, Graph);
  FindingSet findings = {.task = task,
                         .arena = &task->arena,
                         .programs = programs,
                         .check = check};
  *graph = (Graph){.programs = programs,
                   .out = out,
                   .mbarriers = mbarriers_of(task, programs)};
  graph->lives = arena_alloc(&task->arena, (graph->mbarriers.count + 1) *
                                               sizeof *graph->lives);
  fprintf(out, "digraph \"%s\" {\n",
          programs->kernel ? programs->kernel : "a kernel");
  trace_walk(task, programs, trace_simulate(task, programs, &findings),
             (Walk){graph, step, meet});
  for (unsigned warp = 0; warp < programs_warps(programs); warp++)
    print_box(graph, warp);
  fputs("}\n", out);
}
