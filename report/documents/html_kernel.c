// One kernel of the page: a row, and below it all that its record says.

#include "report/documents/html.h"

#include <string.h>

// ---------------------------------------------------------------- summary ---

static const char *class_name(const KernelRecord *record) {
  switch (record->class) {
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

static const char *problems_text(Arena *arena, const KernelRecord *record) {
  size_t count = record->alarms.count;
  if (count == 1)
    return record->alarms.at[0].sentence;
  return count            ? arena_printf(arena, "%zu problems", count)
         : record->reason ? record->reason
         : record->tolerated.count
             ? arena_printf(arena, "assuming %s: %s%s",
                            record->tolerated.at[0].assumption,
                            record->tolerated.at[0].sentence,
                            record->tolerated.count > 1 ? ", .." : "")
             : "";
}

// Where a name is cut for want of room, that of the file is what counts.
static void print_row_place(const Page *page, Loc where) {
  const char *place = place_shown(page->results, where);
  const char *slash = strrchr(place, '/');
  int length = slash ? (int)(slash - place) + 1 : 0;
  fputs("<span class=\"place\" title=\"", page->out);
  print_escaped(page->out, place);
  fputs("\">", page->out);
  html_element(page, "span", "folder",
               arena_printf(&page->results->arena, "%.*s", length, place));
  html_element(page, "span", "file", place + length);
  fputs("</span>", page->out);
}

static void print_summary(const Page *page, const KernelRecord *record) {
  Arena *arena = &page->results->arena;
  fputs("<summary>", page->out);
  html_element(page, "span", "verdict", verdict_text(arena, record));
  html_element(page, "span", "name", record->source);
  print_row_place(page, record->where);
  html_element(page, "span", "problems", problems_text(arena, record));
  html_element(page, "span", "seconds",
               arena_printf(arena, "%.2f s%s", record->seconds,
                            record->is_cached ? " (cached)" : ""));
  fputs("</summary>\n", page->out);
}

// ---------------------------------------------------------------- problems ---

static void print_rows(const Page *page, const NamedTexts *values) {
  for (size_t i = 0; i < values->count; i++) {
    fputs("<tr>", page->out);
    html_element(page, "th", "", values->at[i].name);
    html_element(page, "td", "", values->at[i].value);
    fputs("</tr>", page->out);
  }
}

static void print_witness(const Page *page, const Alarm *alarm) {
  if (!alarm->inputs.count && !alarm->values.count)
    return;
  fputs("<div class=\"when\"><h4>When</h4><table class=\"witness\">",
        page->out);
  print_rows(page, &alarm->inputs);
  print_rows(page, &alarm->values);
  fputs("</table></div>", page->out);
}

static void print_participants(const Page *page, const Alarm *alarm) {
  static const char *const lanes[] = {"a", "b"};
  fputs("<ul class=\"who\">", page->out);
  for (size_t i = 0; i < alarm->participants.count; i++) {
    const Participant *one = &alarm->participants.at[i];
    fprintf(page->out, "<li class=\"%s\">", i < 2 ? lanes[i] : "");
    html_element(page, "b", "", one->who);
    fputc(' ', page->out);
    html_element(page, "span", "", one->does ? one->does : "");
    if (one->where.line) {
      fputc(' ', page->out);
      html_place(page, one->where);
    }
    fputs("</li>", page->out);
  }
  fputs("</ul>\n", page->out);
}

static void print_tags(const Page *page, const Alarm *alarm) {
  html_element(page, "span", alarm->is_confirmed ? "tag sure" : "tag",
               alarm->is_confirmed ? "confirmed" : "possible");
  if (alarm->is_suppressed)
    html_element(page, "span", "tag off", "suppressed");
  if (alarm->occurrences > 1)
    html_element(page, "span", "tag",
                 arena_printf(&page->results->arena, "%llu times",
                              (unsigned long long)alarm->occurrences));
}

static void print_remark(const Page *page, const char *class,
                         const char *text) {
  if (text) {
    html_element(page, "p", class, text);
    fputc('\n', page->out);
  }
}

static void print_link(const Page *page, const KernelRecord *record) {
  fprintf(page->out, "<a href=\"#k%u\" title=\"", record->number);
  print_escaped(page->out,
                place_shown(page->results, (Loc){record->file, 0, 0}));
  fputs("\">", page->out);
  print_escaped(page->out, record->source);
  fputs("</a>", page->out);
}

static void print_instances(const Page *page, const Alarm *alarm) {
  if (!alarm->instances.count)
    return;
  fputs("<p class=\"instances\">The same of ", page->out);
  for (size_t i = 0; i < alarm->instances.count; i++) {
    fputs(i ? ", " : "", page->out);
    print_link(page, alarm->instances.at[i]);
  }
  fputs("</p>\n", page->out);
}

// It is told of another kernel.
static void print_repeated(const Page *page, const Alarm *alarm) {
  fputs("<article>\n<h3>", page->out);
  print_escaped(page->out, alarm->sentence);
  fputs("</h3> ", page->out);
  html_place(page, alarm->where);
  fputs("<p class=\"instances\">The same as of ", page->out);
  print_link(page, alarm->same_as);
  fputs("</p>\n</article>\n", page->out);
}

static void print_alarm(Page *page, const Alarm *alarm) {
  fprintf(page->out, "<article%s>\n<h3>",
          alarm->is_suppressed ? " class=\"suppressed\"" : "");
  print_escaped(page->out, alarm->sentence);
  fputs("</h3> ", page->out);
  html_place(page, alarm->where);
  print_tags(page, alarm);
  print_instances(page, alarm);
  print_remark(page, "suppression", alarm->suppression);
  if (alarm->participants.count)
    print_participants(page, alarm);
  html_source(page, alarm);
  if (alarm->has_ways_of_model && alarm->is_confirmed)
    print_remark(page, "ways",
                 "The ways are those of the counterexample. The execution that "
                 "confirms it may have come to both places by others.");
  fputs("<div class=\"beside\">", page->out);
  html_timeline(page, alarm);
  html_cycle(page, alarm);
  print_witness(page, alarm);
  fputs("</div>\n", page->out);
  print_remark(page, "caveat", alarm->caveat);
  print_remark(page, "replay", alarm->replay);
  fputs("</article>\n", page->out);
}

// ------------------------------------------------------------- the verdict ---

static void print_command(const Page *page, const KernelRecord *record) {
  fputs("<p class=\"command\"><span>To see it again</span> <code>", page->out);
  print_escaped(page->out, clean_text(&page->results->arena, record->replay));
  fputs(
      "</code> <button type=\"button\" class=\"copy script\">copy</button>"
      "</p>\n",
      page->out);
}

// Where something is no bug by that name.
static void print_tolerated(const Page *page, const KernelRecord *record,
                            const char *name) {
  for (size_t i = 0; i < record->tolerated.count; i++) {
    const Toleration *pair = &record->tolerated.at[i];
    if (strcmp(pair->assumption, name))
      continue;
    html_element(page, "span", "breach",
                 arena_printf(&page->results->arena, " Here: %s, %s",
                              pair->sentence,
                              places_shown(page->results, pair)));
  }
}

static void print_assumption(const Page *page, const KernelRecord *record,
                             const NamedText *assumption) {
  const char *text = assumption_text(assumption->name);
  fputs("<div>", page->out);
  html_element(page, "dt", "", assumption->name);
  fputs("<dd>", page->out);
  print_escaped(page->out, text ? text : "");
  if (assumption->value)
    html_element(page, "span", "breach",
                 arena_printf(&page->results->arena, " Without it: %s",
                              assumption->value));
  print_tolerated(page, record, assumption->name);
  fputs("</dd></div>", page->out);
}

static void print_assumptions(const Page *page, const KernelRecord *record) {
  if (!record->assumptions.count)
    return;
  fputs("<h4>Assuming</h4><dl class=\"assumptions\">", page->out);
  for (size_t i = 0; i < record->assumptions.count; i++)
    print_assumption(page, record, &record->assumptions.at[i]);
  fputs("</dl>\n", page->out);
}

static void print_reason(Page *page, const KernelRecord *record) {
  if (!record->reason)
    return;
  fputs("<p class=\"reason\">", page->out);
  print_escaped(page->out, record->reason);
  if (record->reason_where.line) {
    fputc(' ', page->out);
    html_place(page, record->reason_where);
  }
  fputs("</p>\n", page->out);
  html_line(page, record->reason_where);
}

static void print_body(Page *page, const KernelRecord *record) {
  fputs("<div class=\"body\">\n", page->out);
  print_reason(page, record);
  for (size_t i = 0; i < record->alarms.count; i++)
    if (record->alarms.at[i].same_as)
      print_repeated(page, &record->alarms.at[i]);
    else
      print_alarm(page, &record->alarms.at[i]);
  if (record->scope) {
    fputs("<p class=\"scope\"><span>For</span> ", page->out);
    print_escaped(page->out, record->scope);
    fputs("</p>\n", page->out);
  }
  print_command(page, record);
  print_assumptions(page, record);
  if (record->kernel && strcmp(record->kernel, record->source)) {
    fputs("<p class=\"scope\"><span>Symbol</span> ", page->out);
    html_element(page, "code", "", record->kernel);
    fputs("</p>\n", page->out);
  }
  fputs("</div>", page->out);
}

void html_kernel(Page *page, const KernelRecord *record, bool is_open) {
  fprintf(page->out, "<details id=\"k%u\" class=\"%s\"%s data-verdict=\"",
          record->number, class_name(record), is_open ? " open" : "");
  print_escaped(page->out, record->verdict);
  fputs("\">", page->out);
  print_summary(page, record);
  print_body(page, record);
  fputs("</details>\n", page->out);
}
