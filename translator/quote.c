// Places in the source, as people read them.

#include "translator/base.h"

#include <string.h>

enum { LINE_BYTES = 512, SHOWN_BYTES = 100 };

static bool read_line(Loc loc, char line[LINE_BYTES]) {
  FILE *in = loc.file && loc.line ? fopen(loc.file, "r") : NULL;
  if (!in)
    return false;
  unsigned number = 1;
  bool found = false;
  while (!found && fgets(line, LINE_BYTES, in)) {
    found = number == loc.line;
    number += strchr(line, '\n') != NULL;
  }
  fclose(in);
  return found;
}

void report_quote(FILE *out, Loc loc, const char *indent) {
  char line[LINE_BYTES];
  if (!read_line(loc, line))
    return;
  size_t blank = strspn(line, " \t");
  size_t length = strcspn(line + blank, "\r\n");
  for (size_t i = 0; i < length; i++)
    if (line[blank + i] == '\t')
      line[blank + i] = ' ';
  int shown = (int)(length < SHOWN_BYTES ? length : SHOWN_BYTES);
  fprintf(out, "%s%.*s\n", indent, shown, line + blank);
  if (loc.column > blank && loc.column - blank <= (size_t)shown)
    fprintf(out, "%s%*s\n", indent, (int)(loc.column - blank), "^");
}

void report_place(FILE *out, Loc loc, const char *file) {
  file = loc.file ? loc.file : file;
  if (loc.line)
    fprintf(out, "%s:%u:%u", file, loc.line, loc.column);
  else
    fputs(file, out);
}
