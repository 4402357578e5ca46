// One page of all records, which needs nothing beside it.
//
// Each kernel is a `details` element with its summary as a row of the table, so
// that the page works without its script; that adds filters, sorting and keys
// (page.js).  The worst comes first.

#include "report/documents/html.h"

#include <string.h>

enum { MOST_EXCERPTS = 1000 };

void html_element(const Page *page, const char *element, const char *class,
                  const char *text) {
  fprintf(page->out, "<%s class=\"%s\">", element, class);
  print_escaped(page->out, text);
  fprintf(page->out, "</%s>", element);
}

void html_place(const Page *page, Loc where) {
  html_element(page, "span", "place", place_shown(page->results, where));
}

// ------------------------------------------------------------------- head ---

static size_t count_of(const Results *results, ResultClass class) {
  size_t count = 0;
  for (size_t i = 0; i < results->records.count; i++)
    count += results->records.at[i].class == class;
  return count;
}

static void print_title(const Page *page) {
  const Results *results = page->results;
  size_t bugs = count_of(results, CLASS_BUG);
  fprintf(page->out, "<title>gpuverify: %zu of %zu kernel%s with problems",
          bugs, results->records.count, results->records.count == 1 ? "" : "s");
  fputs("</title>\n", page->out);
}

static void print_head(const Page *page) {
  fputs(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n",
      page->out);
  print_title(page);
  fprintf(page->out, "<style>\n%s</style>\n</head>\n<body>\n", page_css);
}

static void print_fact(const Page *page, const char *name, const char *value) {
  if (!value)
    return;
  fputs("<div>", page->out);
  html_element(page, "dt", "", name);
  html_element(page, "dd", "", clean_text(&page->results->arena, value));
  fputs("</div>", page->out);
}

static void print_facts(const Page *page) {
  const Results *results = page->results;
  fputs("<dl class=\"facts\">", page->out);
  print_fact(page, "folder", results->folder);
  print_fact(page, "command", results->command);
  print_fact(page, "started", results->started);
  print_fact(page, "ended", results->ended);
  print_fact(page, "tool", results->tool);
  fputs("</dl>\n", page->out);
}

// ---------------------------------------------------------------- filters ---

static bool is_first(const Results *results, size_t index) {
  for (size_t i = 0; i < index; i++)
    if (!strcmp(results->records.at[i].verdict,
                results->records.at[index].verdict))
      return false;
  return true;
}

static const char *class_name(ResultClass class) {
  switch (class) {
  case CLASS_GOOD:
    return "good";
  case CLASS_OPEN:
    return "open";
  case CLASS_BUG:
    return "bug";
  case CLASS_WRONG:
    return "wrong";
  }
  return "";
}

// In the order of how bad it is.
static const ResultClass order[] = {CLASS_BUG, CLASS_WRONG, CLASS_OPEN,
                                    CLASS_GOOD};
enum { CLASSES = sizeof order / sizeof *order };

static void print_chip(const Page *page, size_t index) {
  const Results *results = page->results;
  const KernelRecord *record = &results->records.at[index];
  size_t count = 0;
  for (size_t i = index; i < results->records.count; i++)
    count += !strcmp(results->records.at[i].verdict, record->verdict);
  fprintf(page->out,
          "<button type=\"button\" class=\"chip %s\" aria-pressed=\"false\" "
          "data-verdict=\"",
          class_name(record->class));
  print_escaped(page->out, record->verdict);
  fprintf(page->out, "\"><b>%zu</b> ", count);
  print_escaped(page->out, record->verdict);
  fputs("</button>\n", page->out);
}

static void print_filters(const Page *page) {
  const Results *results = page->results;
  fputs("<div class=\"filters\" role=\"group\" aria-label=\"verdicts\">\n",
        page->out);
  for (unsigned k = 0; k < CLASSES; k++)
    for (size_t i = 0; i < results->records.count; i++)
      if (results->records.at[i].class == order[k] && is_first(results, i))
        print_chip(page, i);
  fputs(
      "<input type=\"search\" id=\"text\" class=\"script\" placeholder=\""
      "kernel, file or problem\" aria-label=\"filter by text\">\n"
      "<output id=\"shown\" class=\"script\"></output>\n"
      "<span class=\"keys script\"><kbd>/</kbd> filter <kbd>j</kbd> "
      "<kbd>k</kbd> move <kbd>Enter</kbd> open</span></div>\n",
      page->out);
}

static void print_columns(const Page *page) {
  static const char *const columns[][2] = {{"verdict", "Verdict"},
                                           {"kernel", "Kernel"},
                                           {"place", "Place"},
                                           {"problems", "Problems"},
                                           {"seconds", "Time"}};
  fputs("<div class=\"columns\">", page->out);
  for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
    fprintf(page->out, "<button type=\"button\" data-sort=\"%s\">%s</button>",
            columns[i][0], columns[i][1]);
  fputs("</div>\n", page->out);
}

// ----------------------------------------------------------- suppressions ---

static void print_suppressions(const Page *page) {
  const Results *results = page->results;
  if (!results->suppressions.count)
    return;
  fputs("<section class=\"troubles\"><h2>Suppressions</h2><ul>\n", page->out);
  for (size_t i = 0; i < results->suppressions.count; i++) {
    const SuppressionNote *note = &results->suppressions.at[i];
    fputs("<li>", page->out);
    html_place(page, note->where);
    html_element(page, "span", "message", note->text);
    fputs("</li>\n", page->out);
  }
  fputs("</ul></section>\n", page->out);
}

// ---------------------------------------------------------------- troubles ---

static void print_troubles(const Page *page) {
  const Results *results = page->results;
  if (!results->troubles.count)
    return;
  fprintf(page->out,
          "<section class=\"troubles\"><h2>%zu without a verdict</h2><ul>\n",
          results->troubles.count);
  for (size_t i = 0; i < results->troubles.count; i++) {
    const Trouble *trouble = &results->troubles.at[i];
    fputs("<li>", page->out);
    html_element(page, "span", "kind", trouble->kind);
    if (trouble->file)
      html_place(page, (Loc){trouble->file, 0, 0});
    html_element(page, "span", "message", trouble->message);
    fputs("</li>\n", page->out);
  }
  fputs("</ul></section>\n", page->out);
}

static bool has_confirmed(const KernelRecord *record) {
  bool has = false;
  for (size_t i = 0; i < record->alarms.count; i++)
    has |= record->alarms.at[i].is_confirmed;
  return has;
}

// What is confirmed stands before what is possible.
static unsigned rank_of(const KernelRecord *record) {
  unsigned rank = 0;
  while (order[rank] != record->class)
    rank++;
  return 2 * rank + !has_confirmed(record);
}

// In the order in which they stand in the page.
static void number_kernels(Results *results) {
  unsigned number = 0;
  for (unsigned rank = 0; rank < 2 * CLASSES; rank++)
    for (size_t i = 0; i < results->records.count; i++)
      if (rank_of(&results->records.at[i]) == rank)
        results->records.at[i].number = ++number;
}

static void print_kernels(Page *page) {
  const Results *results = page->results;
  fputs("<div id=\"kernels\">\n", page->out);
  for (unsigned rank = 0; rank < 2 * CLASSES; rank++)
    for (size_t i = 0; i < results->records.count; i++) {
      const KernelRecord *record = &results->records.at[i];
      bool is_first = record->number == 1 && record->class == CLASS_BUG;
      if (rank_of(record) == rank)
        html_kernel(page, record, is_first);
    }
  fputs("</div>\n", page->out);
  if (!results->records.count)
    fputs("<p class=\"empty\">There is no kernel.</p>\n", page->out);
}

void document_html(FILE *out, Results *results) {
  Page page = {out, results, MOST_EXCERPTS};
  number_kernels(results);
  print_head(&page);
  fputs("<header>\n<h1>gpuverify</h1>\n", out);
  print_facts(&page);
  fputs("</header>\n<main>\n", out);
  html_arrow(&page);
  print_troubles(&page);
  print_suppressions(&page);
  print_filters(&page);
  print_columns(&page);
  print_kernels(&page);
  fprintf(out, "</main>\n<script>\n%s</script>\n</body>\n</html>\n", page_js);
}
