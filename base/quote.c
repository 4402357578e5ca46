// Places and names of the source, and ids, as people read them.

#define _XOPEN_SOURCE 700

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

// A line of more than SHOWN_BYTES is shown from its beginning up to NEAR_BYTES.
enum { LINE_BYTES = 512, SHOWN_BYTES = 100, NEAR_BYTES = 80 };

// The file that was read last, and where its lines begin: many findings are in
// one file, and not in the order of its lines.
static struct {
  char *name;
  FILE *in;
  long *starts;
  size_t count, room; // of the lines that have been seen, and the next one
} latest;

static bool open_latest(const char *name) {
  if (latest.name && !strcmp(latest.name, name))
    return latest.in;
  if (latest.in)
    fclose(latest.in);
  free(latest.name);
  latest.name = strdup(name);
  latest.in = fopen(name, "r");
  latest.count = 0;
  return latest.in;
}

static bool note_start(long start) {
  if (latest.count == latest.room) {
    size_t room = latest.room ? 2 * latest.room : LINE_BYTES;
    long *starts = realloc(latest.starts, room * sizeof *starts);
    if (!starts)
      return false;
    latest.starts = starts;
    latest.room = room;
  }
  latest.starts[latest.count++] = start;
  return true;
}

// The beginning of the line, the first being 1, or -1.
static long start_of(unsigned number) {
  char text[LINE_BYTES];
  if (!latest.count && !note_start(0))
    return -1;
  if (number <= latest.count)
    return latest.starts[number - 1];
  if (fseek(latest.in, latest.starts[latest.count - 1], SEEK_SET))
    return -1;
  while (latest.count < number && fgets(text, LINE_BYTES, latest.in))
    if (strchr(text, '\n') && !note_start(ftell(latest.in)))
      return -1;
  return number <= latest.count ? latest.starts[number - 1] : -1;
}

// The line from a byte on, as far as there is room.
static bool read_line(Loc loc, size_t from, char line[LINE_BYTES]) {
  if (!loc.file || !loc.line || !open_latest(loc.file))
    return false;
  long start = start_of(loc.line);
  return start >= 0 && !fseek(latest.in, start + (long)from, SEEK_SET) &&
         fgets(line, LINE_BYTES, latest.in);
}

// In the middle of a character of several bytes.
static bool is_continued(char byte) {
  return ((unsigned char)byte & 0xc0) == 0x80;
}

// Where the part of the line that is shown begins: with the text, or else so
// that the column is in the middle, unless the line has none such.
static size_t start_of_part(const char *line, size_t column) {
  size_t blank = strspn(line, " \t");
  size_t length = strcspn(line + blank, "\r\n");
  bool is_behind = column > blank + length && line[blank + length];
  bool is_near = length <= SHOWN_BYTES || column <= blank + NEAR_BYTES;
  return is_near || is_behind ? blank : column - SHOWN_BYTES / 2;
}

static size_t bytes_shown(const char *line) {
  size_t length = strcspn(line, "\r\n");
  if (length <= SHOWN_BYTES)
    return length;
  length = SHOWN_BYTES;
  while (length && is_continued(line[length]))
    length--;
  return length;
}

// Below the byte, as far to the right as characters stand before it.
static void print_caret(FILE *out, const char *line, size_t before) {
  size_t width = 1;
  for (size_t i = 0; i < before; i++)
    width += !is_continued(line[i]);
  fprintf(out, "%*s\n", (int)width, "^");
}

void report_quote(FILE *out, Loc loc, const char *indent) {
  char line[LINE_BYTES];
  if (!read_line(loc, 0, line))
    return;
  size_t start = start_of_part(line, loc.column);
  const char *cut = start > strspn(line, " \t") ? "..." : "";
  if (!read_line(loc, start, line))
    return;
  size_t skipped = 0;
  while (*cut && is_continued(line[skipped]))
    skipped++;
  start += skipped;
  const char *text = line + skipped;
  size_t shown = bytes_shown(text);
  for (size_t i = 0; i < shown; i++)
    if (line[skipped + i] == '\t')
      line[skipped + i] = ' ';
  bool has_more = text[shown] && !strchr("\r\n", text[shown]);
  fprintf(out, "%s%s%.*s%s\n", indent, cut, (int)shown, text,
          has_more ? "..." : "");
  if (loc.column > start && loc.column - start <= shown) {
    fprintf(out, "%s%*s", indent, (int)strlen(cut), "");
    print_caret(out, text, loc.column - start - 1);
  }
}

// However long it is.
static char *whole_line(Arena *arena, Loc loc) {
  char *text = NULL;
  size_t size = 0;
  if (!loc.file || !loc.line || !open_latest(loc.file))
    return NULL;
  long start = start_of(loc.line);
  bool is_there = start >= 0 && !fseek(latest.in, start, SEEK_SET) &&
                  getline(&text, &size, latest.in) >= 0;
  char *line = is_there ? arena_copy(arena, text) : NULL;
  free(text);
  return line;
}

const char *text_of_line(Arena *arena, Loc loc) {
  char *line = whole_line(arena, loc);
  if (!line)
    return NULL;
  size_t length = 0;
  for (const char *at = line; *at; at++) {
    bool is_blank = strchr(" \t\r\n", *at);
    if (!is_blank)
      line[length++] = *at;
    else if (length && line[length - 1] != ' ')
      line[length++] = ' ';
  }
  while (length && line[length - 1] == ' ')
    length--;
  line[length] = 0;
  return line;
}

void report_place(FILE *out, Loc loc, const char *file) {
  file = loc.file ? loc.file : file;
  if (loc.line)
    fprintf(out, "%s:%u:%u", file, loc.line, loc.column);
  else
    fputs(file, out);
}

bool report_is_same_place(Loc a, Loc b) {
  return a.line == b.line && a.column == b.column;
}

void report_triple(FILE *out, const uint32_t triple[3]) {
  fprintf(out, "(%u,%u,%u)", triple[0], triple[1], triple[2]);
}

// A static local of a function: _ZZ4scanPfE4tile is "tile", and so is the next
// one of that name, _ZZ4scanPfE4tile_0.
static const char *local_name(Task *task, const char *name) {
  for (const char *at = strchr(name, 'E'); at; at = strchr(at + 1, 'E')) {
    char *rest;
    size_t length = strtoul(at + 1, &rest, 10);
    if (length && length <= strlen(rest) &&
        !rest[length + strspn(rest + length, "_.0123456789")])
      return arena_printf(&task->arena, "%.*s", (int)length, rest);
  }
  return name;
}

const char *plain_name(Task *task, const char *name) {
  if (strncmp(name, "_ZZ", 3) == 0)
    return local_name(task, name);
  if (strncmp(name, "_Z", 2) != 0)
    return name;
  const char *at = name + 2 + strspn(name + 2, "NLK"), *last = NULL;
  size_t last_length = 0;
  for (char *rest; *at >= '1' && *at <= '9'; at = last + last_length) {
    size_t length = (size_t)strtoul(at, &rest, 10);
    if (length > strlen(rest))
      break;
    last = rest;
    last_length = length;
    if (name[2] != 'N') // else the names of its namespaces go before it
      break;
  }
  return last ? arena_printf(&task->arena, "%.*s", (int)last_length, last)
              : name;
}
