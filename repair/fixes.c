// Edits as YAML, as clang-tidy --export-fixes writes it and
// clang-apply-replacements reads it.

#define _XOPEN_SOURCE 700

#include "repair/repair.h"

#include <stdlib.h>
#include <string.h>

// In single quotes, where a quote is written twice and an end of line becomes
// a blank unless there are two.
static void print_text(FILE *out, const char *text) {
  fputc('\'', out);
  for (; *text; text++)
    if (*text == '\'')
      fputs("''", out);
    else
      fputs(*text == '\n' ? "\n\n" : (char[]){*text, 0}, out);
  fputc('\'', out);
}

// From anywhere.
static void print_path(FILE *out, const char *path) {
  char *whole = realpath(path, NULL);
  print_text(out, whole ? whole : path);
  free(whole);
}

// A blank next to an end of line would be lost, so such a text is written with
// escapes.
static void print_replacement(FILE *out, const char *text) {
  fputc('"', out);
  for (; *text; text++)
    switch (*text) {
    case '\n':
      fputs("\\n", out);
      break;
    case '\r':
      fputs("\\r", out);
      break;
    case '\t':
      fputs("\\t", out);
      break;
    case '"':
    case '\\':
      fprintf(out, "\\%c", *text);
      break;
    default:
      fputc(*text, out);
    }
  fputc('"', out);
}

static void print_edit(FILE *out, const SourceTexts *texts, const Edit *edit) {
  fputs("        - FilePath:        ", out);
  print_path(out, texts->at[edit->file].path);
  fprintf(out,
          "\n          Offset:          %zu\n          Length:          %zu\n"
          "          ReplacementText: ",
          edit->begin, edit->end - edit->begin);
  print_replacement(out, edit->text);
  fputc('\n', out);
}

static void print_fix(FILE *out, const Fix *fix) {
  fputs(
      "  - DiagnosticName:  gpuverify-repair\n    DiagnosticMessage:\n"
      "      Message:         ",
      out);
  print_text(out, fix->message);
  fputs("\n      FilePath:        ", out);
  print_path(out, fix->source.path);
  fprintf(out, "\n      FileOffset:      %zu\n      Replacements:\n", fix->at);
  for (size_t i = 0; i < fix->edits.count; i++)
    print_edit(out, fix->texts, &fix->edits.at[i]);
}

void fixes_print(FILE *out, const char *main_file, const Fixes *fixes) {
  fputs("---\nMainSourceFile:  ", out);
  print_path(out, main_file);
  fprintf(out, "\nDiagnostics:%s\n", fixes->count ? "" : "     []");
  for (size_t i = 0; i < fixes->count; i++)
    print_fix(out, &fixes->at[i]);
  fputs("...\n", out);
}
