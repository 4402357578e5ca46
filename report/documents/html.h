// What the files that write the page share.  Private to this room.

#ifndef REPORT_DOCUMENTS_HTML_H
#define REPORT_DOCUMENTS_HTML_H

#include "report/documents/documents.h"

typedef struct Page {
  FILE *out;
  Results *results;
  unsigned excerpts; // that may still be shown
} Page;

// "<b>text</b>", with what has to be escaped.
void html_element(const Page *page, const char *element, const char *class,
                  const char *text);
void html_place(const Page *page, Loc where);

// -------------------------------------------------------- html_kernel.c ---

void html_kernel(Page *page, const KernelRecord *record, bool is_open);

// -------------------------------------------------------- html_source.c ---

// The lines that the participants take, in two lanes.
void html_source(Page *page, const Alarm *alarm);
// The line at the place alone.
void html_line(const Page *page, Loc where);

// ------------------------------------------------------ html_pictures.c ---

// From the last barrier to the accesses.
void html_timeline(const Page *page, const Alarm *alarm);
// What such pictures share, once a page.
void html_arrow(const Page *page);
// Who waits for whom in a deadlock.
void html_cycle(const Page *page, const Alarm *alarm);

// -------------------------------------------------------------- assets.c ---

extern const char page_css[], page_js[];

#endif
