// Redundant barriers of PTX, by the check of named barriers.
//
// The text is looked through for functions and for instructions that order
// something; no more has to be known of it, for without one of them the whole
// text is parsed and checked again.  A wait for an mbarrier says that it is
// over at once, so that a loop around it ends.

#include "barriers/barriers.h"
#include "plugin/repair.h"

#include <ctype.h>
#include <string.h>

// ----------------------------------------------------------------- text ---

typedef struct Reading {
  Places *places;
  const char *text;
  size_t at;
} Reading;

// Over blanks and comments.
static void skip(Reading *reading) {
  for (;;) {
    const char *here = reading->text + reading->at;
    const char *end = NULL;
    if (isspace((unsigned char)*here))
      end = here + 1;
    else if (!strncmp(here, "//", 2))
      end = here + strcspn(here, "\n");
    else if (!strncmp(here, "/*", 2))
      end = strstr(here + 2, "*/") ? strstr(here + 2, "*/") + 2
                                   : here + strlen(here);
    if (!end)
      return;
    reading->at = (size_t)(end - reading->text);
  }
}

static bool is_in_word(char c) {
  return isalnum((unsigned char)c) || strchr("_$%.@!:", c);
}

// A word or one sign; empty at the end.
static size_t token(Reading *reading) {
  size_t begin = reading->at;
  const char *here = reading->text + begin;
  if (*here == '"')
    reading->at += 1 + strcspn(here + 1, "\"") + 1;
  else
    while (*here && is_in_word(*here) && here[0] != '\0')
      reading->at = (size_t)(++here - reading->text);
  if (reading->at == begin && reading->text[begin])
    reading->at++;
  return reading->at - begin;
}

static bool begins(const char *word, size_t size, const char *with) {
  size_t length = strlen(with);
  return size >= length && !strncmp(word, with, length);
}

static bool is_wait(const char *word, size_t size) {
  return begins(word, size, "mbarrier.try_wait") ||
         begins(word, size, "mbarrier.test_wait");
}

static bool orders(const char *word, size_t size) {
  static const char *const names[] = {"bar.sync",
                                      "bar.warp.sync",
                                      "barrier.sync",
                                      "barrier.cta.sync",
                                      "fence.",
                                      "membar.",
                                      "cp.async.wait_group",
                                      "cp.async.wait_all",
                                      "cp.async.bulk.wait_group"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (begins(word, size, names[i]))
      return true;
  return is_wait(word, size);
}

// "mbarrier.try_wait.. %p1, [a], 0;": the predicate is true.
static const char *over_at_once(Arena *arena, const char *operands) {
  operands += strspn(operands, " \t\n");
  return arena_printf(arena, "setp.eq.u32 %.*s, 0, 0",
                      (int)strcspn(operands, ", \t\n"), operands);
}

// ------------------------------------------------------------- functions ---

static void add_action(Reading *reading, size_t begin, size_t word,
                       size_t size) {
  Places *places = reading->places;
  const char *name = reading->text + word;
  const char *end = strchr(reading->text + reading->at, ';');
  bool waits = is_wait(name, size);
  bool is_guarded = begin != word;
  if (!end)
    return;
  Action action = {.kind = ACTION_BARRIER,
                   .nest = places->nests.count - 1,
                   .begin = waits && is_guarded ? word : begin,
                   .end = (size_t)(end - reading->text) + 1,
                   .name = arena_printf(places->arena, "%.*s", (int)size, name),
                   .instead =
                       waits ? over_at_once(places->arena, name + size) : NULL};
  push(places->arena, &places->actions, action);
}

// One statement of a body, of which the first word is read.
static void read_statement(Reading *reading, size_t begin, size_t size) {
  size_t word = begin;
  if (reading->text[begin] == '@') {
    skip(reading);
    word = reading->at;
    size = token(reading);
  }
  if (orders(reading->text + word, size))
    add_action(reading, begin, word, size);
}

// From its brace to the one that closes it.
static void read_body(Reading *reading, const char *name, bool is_kernel) {
  Places *places = reading->places;
  size_t nest = places->nests.count, depth = 0, begin = reading->at;
  push(places->arena, &places->nests,
       ((Nest){.kind = NEST_FUNCTION, .outer = nest, .begin = begin}));
  push(places->arena, &places->bodies,
       ((Body){.nest = nest, .is_users = true}));
  if (is_kernel)
    push(places->arena, &places->kernels,
         ((PlacedKernel){.name = name, .body = places->bodies.count - 1}));
  while (reading->text[reading->at]) {
    skip(reading);
    size_t at = reading->at, size = token(reading);
    char sign = reading->text[at];
    depth += sign == '{';
    depth -= sign == '}';
    if (sign == '}' && !depth)
      break;
    read_statement(reading, at, size);
  }
  Nest *made = &places->nests.at[nest];
  made->end = made->whole_end = reading->at;
}

// Who might call whom: its name stands in the body.
static void add_calls(Places *places, const char *text, size_t callee,
                      const char *name) {
  size_t length = strlen(name);
  for (const char *at = strstr(text, name); at; at = strstr(at + 1, name)) {
    size_t place = (size_t)(at - text);
    bool is_word = (!place || !is_in_word(at[-1])) && !is_in_word(at[length]);
    for (size_t i = 0; is_word && i < places->nests.count; i++)
      if (places->nests.at[i].begin <= place && place < places->nests.at[i].end)
        push(places->arena, &places->calls, ((PlacedCall){i, place, callee}));
  }
}

typedef Vec(const char *) Names;

static void read_functions(Reading *reading, Names *names) {
  bool is_function = false, is_kernel = false;
  const char *name = NULL;
  while (skip(reading), reading->text[reading->at]) {
    size_t at = reading->at, size = token(reading);
    const char *word = reading->text + at;
    if (begins(word, size, ".entry") || begins(word, size, ".func")) {
      is_function = true;
      is_kernel = begins(word, size, ".entry");
      name = NULL;
    } else if (is_function && (isalpha((unsigned char)*word) || *word == '_' ||
                               *word == '$')) {
      name =
          name ? name
               : arena_printf(reading->places->arena, "%.*s", (int)size, word);
    } else if (*word == ';') {
      is_function = false;
    } else if (*word == '(' && !name) { // what it returns
      reading->at += strcspn(reading->text + reading->at, ")");
    } else if (*word == '{' && is_function && name) {
      reading->at = at;
      push(reading->places->arena, names, name);
      read_body(reading, name, is_kernel);
      is_function = false;
    }
  }
}

static void find_places(Places *places) {
  Reading reading = {.places = places, .text = places->texts.at[0].text};
  Names names = {0};
  read_functions(&reading, &names);
  for (size_t i = 0; i < names.count; i++)
    add_calls(places, reading.text, i, names.at[i]);
}

// ----------------------------------------------------------------- prover ---

typedef struct Parsing {
  const char *file, *text, *reason;
  Ptx *ptx;
  Loc where;
} Parsing;

static void parse(Task *task, void *data) {
  Parsing *parsing = data;
  if (!ptx_parse(task, parsing->file, parsing->text, &parsing->ptx,
                 &parsing->reason, &parsing->where))
    parsing->ptx = NULL;
}

static void check_kernel(const Repairing *repairing, Task *task,
                         const PtxKernel *kernel, bool is_told,
                         KernelStates *states) {
  Arena *arena = &repairing->task->arena;
  unsigned limit = repairing->settings->options.timeout;
  BarriersQuestion question = {.file = repairing->file,
                               .kernel = kernel,
                               .settings = repairing->settings,
                               .deadline = limit ? work_seconds() + limit : 0};
  BarriersReport *report = barriers_check(task, &question);
  ReportStyle style = settings_style(repairing->settings);
  KernelState state = {.name = arena_copy(arena, report->kernel),
                       .source = arena_copy(arena, report->source),
                       .kind = report->kind,
                       .coverage = report->blocks.coverage};
  if (is_told) {
    const Diagnosis *told = diagnose_barriers(arena, &style, report);
    state.text = report_kept_text(arena, told);
    state.record = report_keep_record(arena, told);
  }
  push(arena, states, state);
}

// False: *reason says what is wrong with the text.
static bool check_text(const Repairing *repairing, const Edits *edits,
                       const char *kernel, bool is_told, KernelStates *states,
                       const char **reason) {
  Task task = {0};
  Parsing parsing = {.file = repairing->file};
  parsing.text =
      edits_apply(&task.arena, edits, 0, &repairing->places.texts.at[0]);
  bool is_parsed = task_run(&task, parse, &parsing) && parsing.ptx;
  *reason = arena_copy(&repairing->task->arena, parsing.reason ? parsing.reason
                                                : task.reason  ? task.reason
                                                               : "");
  for (size_t i = 0; is_parsed && i < ptx_kernel_count(parsing.ptx); i++) {
    const PtxKernel *one = ptx_kernel(parsing.ptx, i);
    if (!kernel || !strcmp(ptx_kernel_name(one), kernel))
      check_kernel(repairing, &task, one, is_told, states);
  }
  arena_free(&task.arena);
  return is_parsed;
}

static bool is_over(void *data) {
  const Repairing *repairing = data;
  unsigned limit = repairing->settings->repair_timeout;
  return limit && work_seconds() > repairing->start + limit;
}

static Edits all_edits(const Repairing *repairing, const Edits *more) {
  Edits all = {0};
  edits_add(&repairing->task->arena, &all, &repairing->accepted);
  edits_add(&repairing->task->arena, &all, more);
  edits_sort(&all);
  return all;
}

// A proof is still one, and for as many blocks.
static bool is_as_good(const KernelState *after, const KernelState *before) {
  return !verdict_is_worse(after->kind, before->kind) &&
         (after->kind != before->kind || after->coverage <= before->coverage);
}

static ChangeResult ask(void *data, const Edits *edits) {
  const Repairing *repairing = data;
  KernelStates states = {0};
  const char *reason;
  Edits all = all_edits(repairing, edits);
  ChangeResult result = {.kind = CHANGE_INVALID};
  if (!edits_collide(&all) &&
      check_text(repairing, &all, repairing->kernel->name, false, &states,
                 &reason) &&
      states.count == 1)
    result.kind = is_as_good(&states.at[0], repairing->kernel)
                      ? CHANGE_VERIFIED
                      : CHANGE_UNDECIDED;
  return result;
}

static const char *refuse(void *data, const Edits *edits) {
  const Repairing *repairing = data;
  KernelStates states = {0};
  const char *reason;
  Edits all = all_edits(repairing, edits);
  bool is_worse = !check_text(repairing, &all, NULL, false, &states, &reason) ||
                  states.count != repairing->kernels.count;
  for (size_t i = 0; !is_worse && i < states.count; i++)
    is_worse = !is_as_good(&states.at[i], &repairing->kernels.at[i]);
  return is_worse ? "another kernel needs it" : NULL;
}

Prover repair_ptx_prover(Repairing *repairing) {
  return (Prover){.ask = ask,
                  .refuse = refuse,
                  .is_over = is_over,
                  .is_proved = repair_was_proved,
                  .data = repairing};
}

const char *repair_ptx_open(Repairing *repairing) {
  Arena *arena = &repairing->task->arena;
  const char *reason;
  char *text = repair_read(arena, repairing->file, &reason);
  if (!text)
    return reason;
  const Edits none = {0};
  push(arena, &repairing->places.texts,
       ((SourceText){repairing->file, text, strlen(text)}));
  find_places(&repairing->places);
  return check_text(repairing, &none, NULL, true, &repairing->kernels, &reason)
             ? NULL
             : reason;
}
