// Opcodes and their modifiers.
//
// An opcode is looked up in instructions.def by the longest row that its parts
// begin with; the parts behind are modifiers and types.  A strange modifier is
// kept.  Each spelling is looked up once in a file.

#include "ptx/syntax.h"

#include <assert.h>
#include <string.h>

// --------------------------------------------------------------- opcodes ---

static const PtxOpcode opcodes[] = {
#define OPCODE(name, kind, shape) {name, OPCODE_##kind, shape, NULL},
#define INTEGER(name, function, shape)                                         \
  {name, OPCODE_INTEGER, shape, integer_##function},
#include "ptx/instructions.def"
};

const PtxOpcode *ptx_opcode_find(const char *text, size_t length) {
  const PtxOpcode *best = NULL;
  size_t best_size = 0;
  for (size_t i = 0; i < sizeof opcodes / sizeof *opcodes; i++) {
    const char *name = opcodes[i].name;
    if (*name != *text)
      continue;
    size_t size = strlen(name);
    bool fits = size <= length && !strncmp(name, text, size) &&
                (size == length || text[size] == '.');
    if (fits && size > best_size) {
      best = &opcodes[i];
      best_size = size;
    }
  }
  return best;
}

static const char *const specials[] = {
#define SPECIAL(text, member) text,
#include "ptx/vocabulary.def"
};

static bool is_special(const char *text, const char *row) {
  size_t size = strcspn(row, "*");
  return row[size] ? !strncmp(text, row, size) : !strcmp(text, row);
}

bool ptx_special_find(const char *text, uint32_t *special) {
  for (*special = 0; *special < sizeof specials / sizeof *specials; ++*special)
    if (is_special(text, specials[*special]))
      return true;
  return false;
}

const char *ptx_special_text(uint32_t special) {
  assert(special < sizeof specials / sizeof *specials);
  return specials[special];
}

// ------------------------------------------------------------- modifiers ---

bool ptx_plain_type(const char *text, PtxType *type) {
  if (!*text || !strchr("subf", *text) || strlen(text) > 3)
    return false;
  unsigned bits = 0;
  for (const char *at = text + 1; *at; at++) {
    if (*at < '0' || *at > '9')
      return false;
    bits = bits * 10 + (unsigned)(*at - '0');
  }
  *type = (PtxType){*text, (uint8_t)bits};
  return bits == 8 || bits == 16 || bits == 32 || bits == 64;
}

static bool find_type(const char *text, PtxType *type) {
  static const struct {
    const char *text;
    PtxType type;
  } types[] = {
#define TYPE(text, class, bits) {text, {class, bits}},
#include "ptx/vocabulary.def"
  };
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (!strcmp(types[i].text, text)) {
      *type = types[i].type;
      return true;
    }
  return ptx_plain_type(text, type);
}

// Members are flags or enums.
typedef struct ModifierRow {
  const char *text;
  size_t offset;
  unsigned value;
} ModifierRow;

static void apply_row(PtxInstruction *instruction, const ModifierRow *row) {
  assert(row->offset < sizeof *instruction && row->value <= UINT8_MAX);
  *((unsigned char *)instruction + row->offset) = (unsigned char)row->value;
}

// A list of words with blanks between them.
static bool has_word(const char *list, const char *word) {
  size_t length = strlen(word);
  for (; *list; list += strcspn(list, " "), list += *list == ' ')
    if (strcspn(list, " ") == length && !strncmp(list, word, length))
      return true;
  return false;
}

static bool is_hint(const char *text) {
  static const char hints[] =
#define HINTS(texts) texts " "
#include "ptx/vocabulary.def"
      "";
  return has_word(hints, text);
}

static bool is_floating_only(const char *text) {
  static const char words[] =
#define FLOATING(texts) texts " "
#include "ptx/vocabulary.def"
      "";
  return has_word(words, text);
}

static void apply_modifier(PtxInstruction *instruction, const char *text) {
  static const ModifierRow rows[] = {
#define MODIFIER(name, member, value)                                          \
  {name, offsetof(PtxInstruction, member), value},
#include "ptx/vocabulary.def"
  };
  _Static_assert(sizeof(bool) == 1, "apply_row sets a byte");
  _Static_assert(sizeof(Modifier) == 1, "apply_row sets a byte");
  _Static_assert(sizeof(PtxSpace) == 1, "apply_row sets a byte");
  bool is_known = is_hint(text) || is_floating_only(text);
  instruction->is_floating_only |= is_floating_only(text);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (!strcmp(rows[i].text, text)) {
      apply_row(instruction, &rows[i]);
      is_known = true;
    }
  if (!is_known)
    instruction->strange = text;
}

// `text` is what follows the name of the opcode, a dot first.
static void apply_modifiers(Parser *parser, PtxInstruction *instruction,
                            const char *text) {
  char *next = *text ? arena_copy(&parser->task->arena, text) : NULL;
  while (next) {
    const char *part = next + 1;
    next = strchr(part, '.');
    if (next)
      *next = '\0';
    PtxType type = {0};
    if (!find_type(part, &type))
      apply_modifier(instruction, part);
    else if (!instruction->type.class)
      instruction->type = type;
    else
      instruction->second = type;
  }
  if (instruction->opcode->kind == OPCODE_COPY)
    instruction->space = SPACE_SHARED; // .global is where it copies from
}

static Spelling *new_spelling(Parser *parser, const Token *word) {
  Spelling *spelling = NEW(&parser->task->arena, Spelling);
  spelling->text = parser_copy(parser, word);
  const PtxOpcode *opcode = ptx_opcode_find(spelling->text, word->length);
  static const Operand none = {.kind = OPERAND_NONE};
  spelling->like.opcode = opcode;
  spelling->like.other = &none;
  if (opcode)
    apply_modifiers(parser, &spelling->like,
                    spelling->text + strlen(opcode->name));
  return spelling;
}

// A file has few of them, and many instructions.
const Spelling *spelling_of(Parser *parser, const Token *word) {
  uint32_t hash = 0;
  for (unsigned i = 0; i < word->length; i++)
    hash = hash * 31 + (unsigned char)word->begin[i];
  Spelling **first = &parser->spellings[hash % SPELLINGS];
  for (Spelling *at = *first; at; at = at->next)
    if (!strncmp(at->text, word->begin, word->length) &&
        !at->text[word->length])
      return at;
  Spelling *spelling = new_spelling(parser, word);
  spelling->next = *first;
  *first = spelling;
  return spelling;
}
