// What the statements of statements.def give.

#include "test/ptx/forms.h"

#include <string.h>

typedef struct Row {
  const char *name;
  uint32_t (*compute)(uint32_t a, uint32_t b);
} Row;

#define JOINED(a, b) a##b
#define NUMBERED(a, b) JOINED(a, b)
#define STATEMENT(name, text, expression)                                      \
  static uint32_t NUMBERED(compute_, __LINE__)(uint32_t a, uint32_t b) {       \
    (void)a, (void)b;                                                          \
    return (uint32_t)(expression);                                             \
  }
#include "test/ptx/statements.def"

static const Row rows[] = {
#define STATEMENT(name, text, expression) {name, NUMBERED(compute_, __LINE__)},
#include "test/ptx/statements.def"
};

bool reference_of_statements(const Form *form, const uint64_t *in,
                             Result *result) {
  for (size_t i = 0; form->statement && i < sizeof rows / sizeof *rows; i++)
    if (!strcmp(rows[i].name, form->text))
      result->value = rows[i].compute((uint32_t)in[0], (uint32_t)in[1]);
  return form->statement;
}
