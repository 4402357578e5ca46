// The command `gpuverify repair`.
//
// Each file is verified as it is, alone; then for each kernel with a bug a
// change of the source is looked for, or with --redundant-barriers, for each
// verified one, barriers that it can do without.  What was proposed for one
// kernel is in the text for the next one, so all of it together was proved in
// the end.  The exit status is that of the proof of what the files then
// contain.

#define _POSIX_C_SOURCE 200809L

#include "plugin/repair.h"
#include "plugin/suppress.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct RepairCommand {
  Task *task;
  const Settings *settings;
  Fixes fixes;
  bool is_unwritten; // a change could not be made
  int status;
} RepairCommand;

// ----------------------------------------------------------------- files ---

static const char *trouble_with(const Settings *settings, const char *file) {
  struct stat status;
  if (stat(file, &status))
    return strerror(errno);
  if (is_folder(file))
    return "this is a folder";
  if (has_suffix(file, ".ll") || has_suffix(file, ".bc"))
    return "a repair changes source, and this is IR";
  if (settings->options.kernel)
    return "--kernel is for the proof; a change may be one of other kernels of "
           "the file, too";
  if (has_suffix(file, ".ptx") && (settings->fix || settings->export_fixes))
    return "of PTX redundant barriers are told, and none is taken out: what a "
           "kernel does to global memory was not looked at";
  if (has_suffix(file, ".ptx") && !settings->redundant_barriers)
    return "a repair changes source; of PTX only redundant barriers are told "
           "(--redundant-barriers)";
  if (!has_suffix(file, ".ptx") && !is_source(settings, file))
    return "not a .cu, .hip or .cl file";
  if (S_ISREG(status.st_mode) && !status.st_size)
    return "this file is empty";
  return access(file, R_OK) ? strerror(errno) : NULL;
}

// --------------------------------------------------------------- kernels ---

static void tell(const RepairCommand *command, const KernelState *state,
                 const RepairReport *report) {
  if (command->settings->format) {
    report_repair_json(stdout, state->record, report);
  } else {
    fputs(state->text, stdout);
    report_repair_text(stdout, report);
  }
  output_flush();
}

// The next kernel is looked at with them.  True: the files have them.
static bool accept(RepairCommand *command, Repairing *repairing,
                   const Edits *edits) {
  const char *why = NULL, *path = NULL;
  bool is_written = command->settings->fix && edits->count;
  if (is_written)
    path = repair_write(repairing, &repairing->accepted, edits, &why);
  if (path) {
    command->is_unwritten = true;
    status_complain(&command->status, EXIT_WRONG_USE, path, why);
  }
  edits_add(&repairing->task->arena, &repairing->accepted, edits);
  edits_sort(&repairing->accepted);
  return is_written && !path;
}

// The texts are needed longer than what they were read for.
static void add_fix(RepairCommand *command, const Repairing *repairing,
                    const char *what, size_t file, size_t at,
                    const Edits *edits) {
  Arena *arena = &command->task->arena;
  SourceTexts *texts = NEW(arena, SourceTexts);
  *texts = repairing->places.texts;
  Fix fix = {.message = arena_printf(arena, "%s: kernel '%s' is verified then",
                                     what, repairing->kernel->source),
             .kernel = repairing->kernel->name,
             .source = texts->at[file],
             .at = at,
             .texts = texts,
             .edits = *edits};
  push(arena, &command->fixes, fix);
}

// Those that can go together are one change.
static void add_removal(RepairCommand *command, const Repairing *repairing,
                        const Redundancy *found) {
  const Edit *first = &found->edits.at[0];
  size_t count = 0;
  for (size_t i = 0; i < found->barriers.count; i++)
    count += found->barriers.at[i].is_left_out;
  add_fix(command, repairing,
          arena_printf(&command->task->arena, "leave out %zu barrier%s", count,
                       count == 1 ? "" : "s"),
          first->file, first->begin, &found->edits);
}

// What is verified with the proposals so far needs none of its own.
static bool is_mended(const Repairing *repairing, const Prover *prover) {
  const Edits none = {0};
  return repairing->accepted.count &&
         prover->ask(prover->data, &none).kind == CHANGE_VERIFIED &&
         !prover->refuse(prover->data, &none);
}

static void repair_kernel(RepairCommand *command, Repairing *repairing,
                          KernelState *state, RepairReport *report) {
  Prover prover = repair_prover(repairing);
  Arena *arena = &repairing->task->arena;
  Proposal *proposal = NEW(arena, Proposal);
  if (is_mended(repairing, &prover))
    proposal->is_found = true;
  else
    *proposal = repair_search(arena, &repairing->places, state->name,
                              &state->failures, &prover);
  report->proposal = proposal;
  if (!proposal->is_found)
    return;
  report->is_applied = accept(command, repairing, &proposal->edits);
  report->is_fixed = command->settings->fix && !command->is_unwritten;
  if (proposal->changes.count) {
    const Candidate *first = &proposal->changes.at[0];
    add_fix(command, repairing, first->what, first->file, first->at,
            &proposal->edits);
  }
  state->kind = VERDICT_VERIFIED;
}

static void thin_kernel(RepairCommand *command, Repairing *repairing,
                        const KernelState *state, RepairReport *report) {
  Prover prover = repairing->is_ptx ? repair_ptx_prover(repairing)
                                    : repair_prover(repairing);
  Arena *arena = &repairing->task->arena;
  Redundancy *found = NEW(arena, Redundancy);
  *found = redundant_search(arena, &repairing->places, state->name, &prover);
  report->redundancy = found;
  report->is_applied = accept(command, repairing, &found->edits);
  if (found->edits.count && !repairing->is_ptx)
    add_removal(command, repairing, found);
}

static void look_at_kernel(RepairCommand *command, Repairing *repairing,
                           KernelState *state) {
  Arena *arena = &repairing->task->arena;
  VerdictKind found = state->kind;
  Edits before = {0};
  edits_add(arena, &before, &repairing->accepted);
  RepairReport report = {.arena = arena,
                         .kernel = state->source,
                         .places = &repairing->places,
                         .before = &before};
  repairing->kernel = state;
  repairing->start = work_seconds();
  double start = clock_seconds();
  bool is_thinned = command->settings->redundant_barriers;
  if (is_thinned && repair_is_proof(repairing, state))
    thin_kernel(command, repairing, state, &report);
  else if (!is_thinned && verdict_group(state->kind) == GROUP_BUG)
    repair_kernel(command, repairing, state, &report);
  report.seconds = clock_seconds() - start;
  tell(command, state, &report);
  bool is_changed = command->settings->fix && state->kind != found;
  status_worsen(
      &command->status,
      status_as_asked(repairing->settings, is_changed ? state->kind : found));
}

// What is known of the file as it is.
static void open_source(RepairCommand *command, Repairing *repairing) {
  RepairQuestion question = {.edits = &repairing->accepted,
                             .is_told = true,
                             .places = &repairing->places};
  const char *why = NULL;
  if (repairing->is_ptx)
    why = repair_ptx_open(repairing);
  else if (!repair_verify(repairing, &question, &repairing->kernels))
    why = "does not compile";
  if (why)
    status_complain(&command->status, EXIT_FRONT_END, repairing->file, why);
  else if (!repairing->kernels.count)
    status_complain(&command->status, EXIT_WRONG_USE, repairing->file,
                    "there is no kernel in this file");
}

// Where clang tells of other lines than there are, a change could come into the
// wrong one.  NULL, or such a file.
static const char *file_with_lines(const Places *places) {
  for (size_t i = 0; i < places->texts.count; i++)
    for (const char *line = places->texts.at[i].text; line && *line;) {
      if (suppressions_is_line_directive(line))
        return places->texts.at[i].path;
      line = strchr(line, '\n');
      line += line != NULL;
    }
  return NULL;
}

static void repair_file(RepairCommand *command, const char *file) {
  const char *trouble = trouble_with(command->settings, file);
  Settings *settings = NEW(&command->task->arena, Settings);
  *settings = *command->settings;
  Repairing repairing = {.task = command->task,
                         .settings = settings,
                         .file = file,
                         .is_ptx = has_suffix(file, ".ptx")};
  if (repairing.is_ptx)
    settings->door = DOOR_BARRIERS;
  repairing.places.arena = &command->task->arena;
  if (trouble)
    status_complain(&command->status, EXIT_WRONG_USE, file, trouble);
  else
    open_source(command, &repairing);
  const char *moved =
      repairing.is_ptx ? NULL : file_with_lines(&repairing.places);
  if (moved) {
    status_complain(&command->status, EXIT_WRONG_USE, moved,
                    "there is a #line in this file, so where a change belongs "
                    "is not known");
    return;
  }
  for (size_t i = 0; i < repairing.kernels.count; i++)
    look_at_kernel(command, &repairing, &repairing.kernels.at[i]);
}

// -------------------------------------------------------------- the plugin ---

Fixes repair_propose(Task *task, const Settings *settings, const char *file) {
  Settings *own = NEW(&task->arena, Settings);
  *own = *settings;
  own->fix = false; // nothing is written
  RepairCommand command = {.task = task, .settings = own};
  Repairing repairing = {.task = task,
                         .settings = own,
                         .file = file,
                         .places.arena = &task->arena};
  RepairQuestion question = {.edits = &repairing.accepted,
                             .places = &repairing.places};
  if (!repair_verify(&repairing, &question, &repairing.kernels) ||
      file_with_lines(&repairing.places))
    return command.fixes;
  for (size_t i = 0; i < repairing.kernels.count; i++) {
    KernelState *state = &repairing.kernels.at[i];
    RepairReport unused = {0};
    repairing.kernel = state;
    repairing.start = work_seconds();
    if (verdict_group(state->kind) == GROUP_BUG)
      repair_kernel(&command, &repairing, state, &unused);
  }
  return command.fixes;
}

// --------------------------------------------------------------- command ---

static void write_fixes(RepairCommand *command) {
  const Settings *settings = command->settings;
  FILE *out = fopen(settings->export_fixes, "w");
  if (out)
    fixes_print(out, settings->files.at[0], &command->fixes);
  bool is_lost = !out || ferror(out);
  if ((out && fclose(out)) || is_lost)
    status_complain(&command->status, EXIT_WRONG_USE, settings->export_fixes,
                    strerror(errno));
}

int repair_command(Task *task, Settings *settings) {
  RepairCommand command = {.task = task, .settings = settings};
  for (size_t i = 0; i < settings->warnings.count; i++)
    fprintf(stderr, "gpuverify: warning: %s\n", settings->warnings.at[i]);
  for (size_t i = 0; i < settings->files.count; i++)
    repair_file(&command, settings->files.at[i]);
  if (settings->export_fixes)
    write_fixes(&command);
  return command.status;
}
