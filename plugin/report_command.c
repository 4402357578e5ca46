// gpuverify report: documents made of records that are there.
//
// It reads databases of `gpuverify batch` and files of JSON lines, and writes
// what it is asked for.  It needs neither clang nor a solver.

#include "plugin/sarif_command.h"
#include "report/documents/documents.h"

#include <errno.h>
#include <string.h>

typedef struct Document {
  const char *option, *help;
  void (*write)(FILE *out, Results *results);
} Document;

static void write_sarif(FILE *out, Results *results) {
  document_sarif(out, results, -1);
}

static const Document documents[] = {
    {"html", "one page to look at, which needs nothing beside it",
     document_html},
    {"sarif", "SARIF 2.1.0, for code hosts and editors", write_sarif},
    {"junit", "JUnit's XML, for build servers", document_junit},
    {"text", "text, on stdout without a FILE; this is the default",
     document_text},
};
enum { DOCUMENTS = sizeof documents / sizeof *documents };

typedef struct Wish {
  const char *files[DOCUMENTS]; // NULL: not wanted; "-": stdout
  Vec(const char *) inputs;
} Wish;

static int complain(const char *what, const char *why) {
  int status = EXIT_ALL_VERIFIED;
  status_complain(&status, EXIT_WRONG_USE, what, why);
  return status;
}

static void print_help(void) {
  puts(
      "usage: gpuverify report [OPTION].. DATABASE|RECORDS..\n\n"
      "Makes documents of what 'gpuverify batch' keeps in its database, or of "
      "what --json\nof any command prints; - is stdin or stdout.\n");
  for (unsigned i = 0; i < DOCUMENTS; i++)
    printf("  --%s=FILE%*s%s\n", documents[i].option,
           (int)(20 - strlen(documents[i].option)), "", documents[i].help);
  puts(
      "\nExit status: 0 the documents are written, 2 wrong use, or something "
      "that is no\nrecord.");
}

// ---------------------------------------------------------------- options ---

// Which document the option is for, or DOCUMENTS; *file is what stands behind
// its '=', or NULL.
static unsigned document_of(const char *option, const char **file) {
  size_t length = strcspn(option, "=");
  *file = option[length] ? option + length + 1 : NULL;
  for (unsigned i = 0; i < DOCUMENTS; i++)
    if (strlen(documents[i].option) == length &&
        !strncmp(documents[i].option, option, length))
      return i;
  return DOCUMENTS;
}

static const char *unknown(Arena *arena, const char *option) {
  const char *nearest = documents[0].option;
  const char *name = option + strspn(option, "-");
  name = arena_printf(arena, "%.*s", (int)strcspn(name, "="), name);
  for (unsigned i = 1; i < DOCUMENTS; i++)
    if (spelling_distance(name, documents[i].option) <
        spelling_distance(name, nearest))
      nearest = documents[i].option;
  return arena_printf(arena, "unknown option '%s'; did you mean '--%s'?",
                      option, nearest);
}

// NULL, or what is wrong.
static const char *take_option(Arena *arena, Wish *wish, const char *text) {
  const char *file;
  unsigned index = document_of(text + strspn(text, "-"), &file);
  if (index == DOCUMENTS)
    return unknown(arena, text);
  if (!file && documents[index].write == document_text)
    file = "-";
  if (!file || !*file)
    return arena_printf(arena, "%s: a value is missing (FILE)", text);
  wish->files[index] = file;
  return NULL;
}

static const char *check(Wish *wish) {
  unsigned wanted = 0, on_stdout = 0;
  for (unsigned i = 0; i < DOCUMENTS; i++) {
    wanted += wish->files[i] != NULL;
    on_stdout += wish->files[i] && !strcmp(wish->files[i], "-");
  }
  if (!wanted)
    wish->files[DOCUMENTS - 1] = "-";
  if (on_stdout > 1)
    return "two documents cannot both go to stdout";
  return wish->inputs.count
             ? NULL
             : "no database or file of records is given (see gpuverify report "
               "--help)";
}

static const char *read_wish(Arena *arena, Wish *wish, int count,
                             char **texts) {
  for (int i = 0; i < count; i++) {
    const char *wrong = NULL;
    if (texts[i][0] == '-' && texts[i][1])
      wrong = take_option(arena, wish, texts[i]);
    else
      push(arena, &wish->inputs, (const char *)texts[i]);
    if (wrong)
      return wrong;
  }
  return check(wish);
}

// ----------------------------------------------------------------- writing ---

static int write_document(const Document *document, const char *file,
                          Results *results) {
  bool is_stdout = !strcmp(file, "-");
  FILE *out = is_stdout ? stdout : fopen(file, "w");
  if (!out)
    return complain(file, strerror(errno));
  document->write(out, results);
  if (is_stdout)
    return EXIT_ALL_VERIFIED;
  int reason = fflush(out) ? errno : 0;
  bool is_written = !ferror(out);
  if (fclose(out) && !reason)
    reason = errno;
  if (reason || !is_written)
    return complain(
        file, reason ? strerror(reason)
                     : "some of it could not be written; is the disk full?");
  return EXIT_ALL_VERIFIED;
}

// Lines and rows that are no records are in all documents, and make the status.
static int status_of_input(const Results *results) {
  int status = EXIT_ALL_VERIFIED;
  for (size_t i = 0; i < results->troubles.count; i++) {
    const Trouble *trouble = &results->troubles.at[i];
    if (!strcmp(trouble->kind, "record"))
      status_complain(&status, EXIT_WRONG_USE, trouble->file, trouble->message);
  }
  return status;
}

static int make(const Wish *wish, Results *results) {
  int status = EXIT_ALL_VERIFIED;
  for (size_t i = 0; i < wish->inputs.count; i++) {
    const char *error = NULL;
    if (!results_read(results, wish->inputs.at[i], &error))
      return complain(wish->inputs.at[i], error);
  }
  results_group(results);
  status_worsen(&status, status_of_input(results));
  for (unsigned i = 0; i < DOCUMENTS; i++)
    if (wish->files[i])
      status_worsen(&status,
                    write_document(&documents[i], wish->files[i], results));
  return status;
}

static bool wants_help(int count, char **texts) {
  for (int i = 0; i < count; i++)
    if (!strcmp(texts[i], "--help"))
      return true;
  return false;
}

int report_command(int count, char **texts, const char *version) {
  Wish wish = {0};
  Results results;
  if (wants_help(count, texts)) {
    print_help();
    return EXIT_ALL_VERIFIED;
  }
  results_begin(&results, version);
  const char *wrong = read_wish(&results.arena, &wish, count, texts);
  int status = wrong ? complain(NULL, wrong) : make(&wish, &results);
  results_free(&results);
  return status;
}
