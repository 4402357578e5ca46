// The forms of reports, by name.

#include "report/report.h"

#include <string.h>

static const Format formats[] = {
#define FORMAT(name, print, doors, help) {name, print},
#include "report/formats.def"
#undef FORMAT
};

const Format *report_format(const char *name) {
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
    if (!strcmp(formats[i].name, name))
      return &formats[i];
  return NULL;
}
