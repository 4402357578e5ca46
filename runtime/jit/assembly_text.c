// PTX between quotes, taken apart: statements, words, operands.
//
// A statement ends with a semicolon; a brace where one could begin opens or
// closes a scope, any other is part of an operand.  An opcode's words are
// parted by dots; "::" is part of a word, as in shared::cta.

#include "runtime/jit/assembly.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------- statements ---

static char *without_comments(Arena *arena, const char *text, size_t length) {
  char *copy = arena_alloc(arena, length + 1), *to = copy;
  for (size_t i = 0; i < length; i++) {
    if (text[i] == '/' && text[i + 1] == '/') {
      while (i < length && text[i] != '\n')
        i++;
      *to++ = ' ';
    } else if (text[i] == '/' && text[i + 1] == '*') {
      const char *end = strstr(text + i + 2, "*/");
      i = end && end < text + length ? (size_t)(end - text) + 1 : length;
      *to++ = ' ';
    } else {
      *to++ = isspace((unsigned char)text[i]) ? ' ' : text[i];
    }
  }
  return copy;
}

static const char *skip_space(const char *at) {
  for (;;) {
    at += strspn(at, " \t\r\n;");
    if (at[0] == '/' && at[1] == '/')
      at += strcspn(at, "\n");
    else if (at[0] == '/' && at[1] == '*' && strstr(at, "*/"))
      at = strstr(at, "*/") + 2;
    else
      return at;
  }
}

static bool is_name(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%';
}

// "done:"; not the "::" of a word.
static size_t label_length(const char *at) {
  size_t length = 0;
  while (is_name(at[length]))
    length++;
  size_t colon = length + strspn(at + length, " ");
  return length && at[colon] == ':' && at[colon + 1] != ':' ? colon + 1 : 0;
}

// Of a comment a semicolon ends nothing.
static size_t statement_length(const char *at) {
  size_t length = 0;
  while (at[length] && at[length] != ';') {
    if (at[length] == '/' && at[length + 1] == '/')
      length += strcspn(at + length, "\n");
    else
      length++;
  }
  return length;
}

const char *ptx_statement(Arena *arena, const char **text) {
  const char *at = skip_space(*text);
  size_t length = *at == '{' || *at == '}' ? 1 : label_length(at);
  if (!*at)
    return NULL;
  if (!length)
    length = statement_length(at);
  *text = at + length;
  return without_comments(arena, at, length);
}

// ------------------------------------------------------------------ types ---

bool ptx_type(const char *word, PtxType *type) {
  static const struct {
    const char *name;
    PtxType type;
  } odd[] = {{"pred", {PTX_PREDICATE, 1, 1}},  {"bf16", {PTX_BRAIN, 16, 1}},
             {"bf16x2", {PTX_BRAIN, 16, 2}},   {"f16x2", {PTX_FLOAT, 16, 2}},
             {"u16x2", {PTX_UNSIGNED, 16, 2}}, {"s16x2", {PTX_SIGNED, 16, 2}}};
  static const char letters[] = "busf";
  for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
    if (!strcmp(word, odd[i].name)) {
      *type = odd[i].type;
      return true;
    }
  const char *letter = *word ? strchr(letters, *word) : NULL;
  char *end = NULL;
  unsigned long bits = letter ? strtoul(word + 1, &end, 10) : 0;
  if (!letter || *end || (bits != 8 && bits != 16 && bits != 32 && bits != 64))
    return false;
  *type = (PtxType){(PtxKind)(letter - letters), (unsigned)bits, 1};
  return true;
}

// ------------------------------------------------------------ instructions ---

static char *trimmed(Arena *arena, const char *at, size_t length) {
  while (length && *at == ' ') {
    at++;
    length--;
  }
  while (length && at[length - 1] == ' ')
    length--;
  return arena_printf(arena, "%.*s", (int)length, at);
}

static bool split_words(Arena *arena, const char *at, size_t length,
                        PtxInstruction *to) {
  const char *end = at + length;
  while (at < end) {
    size_t word = strcspn(at, ".");
    if (word > (size_t)(end - at))
      word = (size_t)(end - at);
    if (to->word_count == MOST_WORDS)
      return false;
    to->words[to->word_count++] = trimmed(arena, at, word);
    at += word + 1;
  }
  return to->word_count > 0;
}

// Commas outside of brackets and braces part them.
static unsigned split(Arena *arena, const char *at, const char **parts,
                      unsigned most) {
  unsigned count = 0, depth = 0;
  const char *start = at;
  for (;; at++) {
    depth += *at == '{' || *at == '[';
    depth -= (*at == '}' || *at == ']') && depth;
    if (*at && (*at != ',' || depth))
      continue;
    if (count == most)
      return most + 1;
    const char *part = trimmed(arena, start, (size_t)(at - start));
    if (*part || *at)
      parts[count++] = part;
    if (!*at)
      return count;
    start = at + 1;
  }
}

unsigned ptx_parts(Arena *arena, const char *operand, const char **parts,
                   unsigned most) {
  size_t length = strlen(operand);
  if (*operand != '{' || operand[length - 1] != '}') {
    parts[0] = operand;
    return 1;
  }
  return split(arena, arena_printf(arena, "%.*s", (int)length - 2, operand + 1),
               parts, most);
}

static void find_types(PtxInstruction *instruction) {
  PtxType types[2] = {{PTX_BITS, 0, 0}, {PTX_BITS, 0, 0}}, type;
  for (unsigned i = 1; i < instruction->word_count; i++)
    if (ptx_type(instruction->words[i], &type)) {
      types[0] = types[1];
      types[1] = type;
    }
  assert(types[1].lanes || !types[0].lanes);
  instruction->type = types[1];
  instruction->to = types[0].lanes ? types[0] : types[1];
}

bool ptx_instruction(Arena *arena, const char *statement, PtxInstruction *to) {
  const char *at = skip_space(statement);
  *to = (PtxInstruction){.text = at};
  if (*at == '@') {
    to->is_guard_negated = at[1] == '!';
    at += 1 + to->is_guard_negated;
    size_t length = strcspn(at, " ");
    to->guard = trimmed(arena, at, length);
    at = skip_space(at + length);
  }
  size_t length = strcspn(at, " ");
  if (!split_words(arena, at, length, to))
    return false;
  to->operand_count = split(arena, at + length, to->operands, MOST_OPERANDS);
  find_types(to);
  return to->operand_count <= MOST_OPERANDS;
}

bool ptx_is_float(PtxType type) {
  return type.kind == PTX_FLOAT || type.kind == PTX_BRAIN;
}

bool ptx_has(const PtxInstruction *instruction, const char *word) {
  for (unsigned i = 1; i < instruction->word_count; i++)
    if (!strcmp(instruction->words[i], word))
      return true;
  return false;
}
