// Where PTX came from: .file and .loc.
//
// `.loc 5 87 13, function_name $F, inlined_at 4 489 9` says that the code was
// inlined at a line that an earlier .loc describes in turn.  A place inside
// one of the headers that stand for CUDA itself tells the user nothing: there
// we take the line that it was inlined into, as far out as needed.  The names
// of files come at the end of the text, so lines are resolved after it.
//
// Clang has no inlined_at.  It writes the chain into a comment behind the
// directive, from the inside out: `// k.h:5:3 @[ k.cu:21:7 ]`.

#define _POSIX_C_SOURCE 200809L

#include "ptx/syntax.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  MOST_FILES = 1 << 16,
  MOST_PATH = 1 << 12,
  LINES_BACK = 64, // compilers print the chain of an inlining together
  MOST_INLINED = 64,
};

// As the user would write it who gave us a relative name.
static const char *shown_name(const Parser *parser, const char *name) {
  char folder[MOST_PATH];
  if (parser->ptx->file[0] == '/' || !getcwd(folder, sizeof folder))
    return name;
  size_t length = strcmp(folder, "/") ? strlen(folder) : 0;
  bool is_below = !strncmp(name, folder, length) && name[length] == '/';
  return is_below ? name + length + 1 : name;
}

void parse_file_directive(Parser *parser) {
  uint64_t index = parser_number(parser);
  const Token name = parser->token;
  if (name.kind != TOKEN_STRING || index >= MOST_FILES) {
    parser_fail(parser, "a .file without a number and a name");
    return;
  }
  while (parser->files.count <= index)
    push(&parser->task->arena, &parser->files, NULL);
  assert(name.length >= 2); // the quotes
  const char *full = arena_printf(&parser->task->arena, "%.*s",
                                  (int)name.length - 2, name.begin + 1);
  parser->files.at[index] = shown_name(parser, full);
  parser_next(parser);
  while (parser_accept(parser, ',')) // time and size
    parser_number(parser);
}

// The latest line at this place, plus 1; 0: there is none.
static size_t find_line(const Parser *parser, SourceLine place) {
  size_t count = parser->lines.count;
  for (size_t i = count; i > 0 && i + LINES_BACK > count; i--) {
    const SourceLine *line = &parser->lines.at[i - 1];
    if (line->file == place.file && line->line == place.line &&
        line->column == place.column)
      return i;
  }
  return 0;
}

static SourceLine parse_place(Parser *parser) {
  SourceLine line = {0};
  line.file = (unsigned)parser_number(parser);
  line.line = (unsigned)parser_number(parser);
  line.column = (unsigned)parser_number(parser);
  return line;
}

static size_t parse_inlining(Parser *parser) {
  parser_name(parser);
  SourceLine at = parse_place(parser);
  size_t parent = find_line(parser, at);
  if (parent || parser->reason)
    return parent;
  push(&parser->task->arena, &parser->lines, at);
  return parser->lines.count;
}

static unsigned number_behind(const char *text, size_t length, char sign,
                              size_t *end) {
  while (length && text[length - 1] != sign)
    length--;
  *end = length ? length - 1 : 0;
  return length ? (unsigned)strtoul(text + length, NULL, 10) : 0;
}

// "k.cu:21:7" behind the last "@[ " of the line.
static Loc caller_in_comment(const Parser *parser, const char *text) {
  static const char mark[] = "@[ ";
  const char *end = text + strcspn(text, "\r\n"), *last = NULL;
  for (const char *at = text; at < end; at++)
    if (!strncmp(at, mark, strlen(mark)))
      last = at + strlen(mark);
  if (!last)
    return (Loc){0};
  size_t length = strcspn(last, " ]\r\n"), at_column, at_line;
  unsigned column = number_behind(last, length, ':', &at_column);
  unsigned line = number_behind(last, at_column, ':', &at_line);
  if (!line || !at_line)
    return (Loc){0};
  const char *file =
      arena_printf(&parser->task->arena, "%.*s", (int)at_line, last);
  return (Loc){file, line, column};
}

void parse_loc_directive(Parser *parser) {
  SourceLine line = parse_place(parser);
  line.caller = caller_in_comment(parser, parser->previous_end);
  while (parser_accept(parser, ',')) {
    if (parser_is_word(parser, "inlined_at")) {
      line.parent = parse_inlining(parser);
      continue;
    }
    parser_name(parser); // function_name
    parser_name(parser);
    if (parser_accept(parser, '+'))
      parser_number(parser);
  }
  push(&parser->task->arena, &parser->lines, line);
}

// In a comment a name is relative to a folder that clang chooses; a .file has
// all of it.
static Loc caller_of(const Parser *parser, const SourceLine *line) {
  Loc caller = line->caller;
  const char *whole = NULL;
  for (size_t i = 0; caller.file && i < parser->files.count; i++) {
    const char *file = parser->files.at[i];
    size_t length = strlen(caller.file), size = file ? strlen(file) : 0;
    if (size < length || strcmp(file + size - length, caller.file) != 0)
      continue;
    if (size == length || (whole && strcmp(whole, file) != 0))
      return caller;
    if (file[size - length - 1] == '/')
      whole = file;
  }
  if (whole)
    caller.file = whole;
  return caller;
}

static Loc resolve(const Parser *parser, size_t at) {
  Loc loc = {0};
  for (unsigned depth = 0; at && depth < MOST_INLINED; depth++) {
    assert(at <= parser->lines.count);
    const SourceLine *line = &parser->lines.at[at - 1];
    if (line->file < parser->files.count && parser->files.at[line->file])
      loc = (Loc){parser->files.at[line->file], line->line, line->column};
    if (loc_is_in_users_code(loc))
      break;
    if (line->caller.line)
      loc = caller_of(parser, line);
    at = line->parent;
  }
  return loc.line ? loc : (Loc){0};
}

// The line of the function that all of it was inlined into.
static Loc resolve_caller(const Parser *parser, size_t at) {
  for (unsigned depth = 0; at && depth < MOST_INLINED; depth++) {
    const SourceLine *line = &parser->lines.at[at - 1];
    if (!line->parent)
      return depth ? resolve(parser, at) : caller_of(parser, line);
    at = line->parent;
  }
  return (Loc){0};
}

static const SourceLocs *locs_of(Parser *parser, size_t line) {
  SourceLocs locs = {resolve(parser, line), resolve_caller(parser, line)};
  if (!locs.source.line && !locs.caller.line)
    return NULL;
  SourceLocs *kept = NEW(&parser->task->arena, SourceLocs);
  *kept = locs;
  return kept;
}

// Instructions of one line share what is known of it.
void resolve_lines(Parser *parser) {
  const Ptx *ptx = parser->ptx;
  size_t last = 0;
  const SourceLocs *locs = NULL;
  for (size_t i = 0; i < ptx->functions.count; i++) {
    PtxFunction *function = ptx->functions.at[i];
    if (function->code.count && function->first_line < parser->lines.count)
      function->source = resolve(parser, function->first_line + 1);
    for (size_t k = 0; k < function->code.count; k++) {
      PtxInstruction *instruction = function->code.at[k];
      assert(instruction->number < parser->line_of.count);
      size_t line = parser->line_of.at[instruction->number];
      if (line != last)
        locs = locs_of(parser, line);
      last = line;
      instruction->source = locs;
    }
  }
}
