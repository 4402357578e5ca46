// The forms of ptx/instructions.def, word by word.

#define _GNU_SOURCE

#include "test/ptx/forms.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Row {
  const char *form;
  unsigned sources;
} Row;

static const Row rows[] = {
#define LANES_OP(form, sources, function) {form, sources},
#define WORD_OP(form, sources, function) {form, sources},
#define WHOLE_OP(form, sources, function) {form, sources},
#include "ptx/instructions.def"
};

enum { MOST_FORMS = 4096, MOST_OF_ROW = 32, TABLES = 6 };

static Form forms[MOST_FORMS];
static size_t form_count;

bool has(const Form *form, const char *word) {
  for (unsigned i = 1; i < form->word_count; i++)
    if (!strcmp(form->words[i], word))
      return true;
  return false;
}

bool is_float(Type type) { return type.kind == 'f' || type.kind == 'e'; }

// ------------------------------------------------------------------- types ---

static Type type_of(const char *word) {
  Type type = {0, 0, 1}, none = {0, 0, 0};
  char rest[4] = "";
  if (!strcmp(word, "pred"))
    return (Type){'p', 1, 1};
  if (!strncmp(word, "bf16", 4)) {
    type = (Type){'e', 16, strcmp(word, "bf16x2") ? 1 : 2};
    return type;
  }
  int read = sscanf(word, "%c%u%3s", &type.kind, &type.bits, rest);
  if (read < 2 || !strchr("busf", type.kind) || type.bits < 8 ||
      (*rest && strcmp(rest, "x2") != 0))
    return none;
  type.lanes = *rest ? 2 : 1;
  return type;
}

static void find_types(Form *form) {
  for (unsigned i = 1; i < form->word_count; i++) {
    Type type = type_of(form->words[i]);
    if (!type.kind)
      continue;
    form->to = form->type.kind ? form->type : type;
    form->type = type;
  }
}

static bool is_opcode(const Form *form, const char *list) {
  size_t length = strlen(form->words[0]);
  for (const char *at = list; *at; at += strcspn(at, " "), at += *at == ' ')
    if (strcspn(at, " ") == length && !strncmp(at, form->words[0], length))
      return true;
  return false;
}

// Most operands are of the type; these are not.
static void find_operands(Form *form) {
  static const Type word = {'b', 32, 1}, predicate = {'p', 1, 1};
  Type *operands = form->operands;
  form->result = form->type;
  for (unsigned i = 0; i < form->sources; i++)
    operands[i] = form->type;
  if (has(form, "wide")) {
    form->result.bits *= 2;
    if (form->sources == 3)
      operands[2] = form->result;
  }
  if (is_opcode(form, "popc clz bfind"))
    form->result = word;
  if (is_opcode(form, "shl shr"))
    operands[1] = word;
  if (is_opcode(form, "bfe"))
    operands[1] = operands[2] = word;
  if (is_opcode(form, "bfi"))
    operands[2] = operands[3] = word;
  if (is_opcode(form, "setp set") && form->sources == 3)
    operands[2] = predicate;
  if (is_opcode(form, "setp testp"))
    form->result = predicate;
  if (is_opcode(form, "set cvt slct"))
    form->result = form->to;
  if (is_opcode(form, "slct"))
    operands[0] = operands[1] = form->to;
  if (is_opcode(form, "selp"))
    operands[2] = predicate;
  if (is_opcode(form, "lop3") && form->sources == 5)
    operands[4] = predicate;
  if (has(form, "tf32") || has(form, "pack"))
    form->result = word;
  if (is_opcode(form, "cvt") && has(form, "pack"))
    operands[0] = operands[1] = (Type){'s', 32, 1};
}

// -------------------------------------------------------------------- rows ---

typedef struct WordGroup {
  char words[24][16];
  unsigned count; // the first is empty, if it may go
} WordGroup;

static unsigned split(const char *form, WordGroup *groups) {
  unsigned count = 0;
  char text[512];
  assert(strlen(form) < sizeof text);
  strcpy(text, form);
  for (char *save, *part = strtok_r(text, " ", &save); part;
       part = strtok_r(NULL, " ", &save)) {
    WordGroup *group = &groups[count++];
    group->count = *part == '{';
    group->words[0][0] = 0;
    for (char *own, *word = strtok_r(part, "{|}", &own); word;
         word = strtok_r(NULL, "{|}", &own))
      snprintf(group->words[group->count++], 16, "%.15s", word);
  }
  return count;
}

static void add_word(Form *form, const char *word) {
  size_t used = strlen(form->text);
  assert(form->word_count < MOST_WORDS);
  snprintf(form->words[form->word_count++], 16, "%.15s", word);
  snprintf(form->text + used, sizeof form->text - used, "%s%s", used ? "." : "",
           word);
}

Form form_of(const char *text, unsigned sources) {
  Form form = {.sources = sources};
  char copy[80];
  snprintf(copy, sizeof copy, "%s", text);
  for (char *save, *word = strtok_r(copy, ".", &save); word;
       word = strtok_r(NULL, ".", &save))
    add_word(&form, word);
  find_types(&form);
  find_operands(&form);
  return form;
}

static void add_form(const Row *row, const WordGroup *groups, unsigned count,
                     size_t which) {
  Form *form = &forms[form_count++];
  assert(form_count < MOST_FORMS);
  *form = (Form){.sources = row->sources, .table = 0x96};
  for (unsigned n = 0; n < count; n++) {
    const char *word = groups[n].words[which % groups[n].count];
    which /= groups[n].count;
    if (*word)
      add_word(form, word);
  }
  find_types(form);
  find_operands(form);
}

// ptxas refuses .sat where nothing can be too large.
static bool is_needless(const Form *form) {
  Type to = form->to, from = form->type;
  bool fits = to.kind == from.kind ? to.bits >= from.bits
                                   : to.kind == 's' && to.bits > from.bits;
  return has(form, "sat") && fits && !is_float(to) && !is_float(from) &&
         is_opcode(form, "cvt") && !has(form, "pack");
}

// Tables of lop3 are no words.
static void add_tables(void) {
  static const unsigned tables[TABLES] = {0, 0xff, 0xca, 0xe8, 0x40, 0x1b};
  Form made = forms[form_count - 1];
  for (unsigned i = 0; i < TABLES; i++) {
    assert(form_count < MOST_FORMS);
    forms[form_count] = made;
    forms[form_count++].table = tables[i];
  }
}

static size_t common(size_t a, size_t b) { return b ? common(b, a % b) : a; }

// Some of many: by a step that has no factor of any group, so that all words
// come together in turn.
static void expand(const Row *row) {
  WordGroup groups[MOST_WORDS];
  unsigned count = split(row->form, groups);
  size_t total = 1;
  for (unsigned n = 0; n < count; n++)
    total *= groups[n].count;
  size_t step = (total + MOST_OF_ROW - 1) / MOST_OF_ROW;
  while (common(step, total) > 1)
    step++;
  for (size_t which = 0; which < total; which += step) {
    add_form(row, groups, count, which);
    form_count -= is_needless(&forms[form_count - 1]);
  }
  if (!strncmp(row->form, "lop3", 4))
    add_tables();
}

static void add_statements(void) {
  static const char *const statements[][2] = {
#define STATEMENT(name, text, expression) {name, text},
#include "test/ptx/statements.def"
  };
  for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
    assert(form_count < MOST_FORMS);
    Form *form = &forms[form_count++];
    *form = form_of("u32", 2);
    snprintf(form->text, sizeof form->text, "%s", statements[i][0]);
    form->statement = statements[i][1];
    form->result = form->operands[0] = form->operands[1] = (Type){'u', 32, 1};
  }
}

const Form *all_forms(size_t *count) {
  static bool is_made;
  for (size_t i = 0; !is_made && i < sizeof rows / sizeof *rows; i++)
    expand(&rows[i]);
  if (!is_made)
    add_statements();
  for (size_t i = 0; !is_made && i < form_count; i++)
    forms[i].names_literals = i % 2;
  is_made = true;
  *count = form_count;
  return forms;
}
