// What formatted output reads and formatted input writes.
//
// The C library does the work.  Here a format is read beside its arguments, for
// the strings that %s reads, the numbers that %n writes and the places where
// sscanf puts what it has found: these are accesses like any other, and what is
// written is put back.  Arguments by number, and of input wide characters and
// memory that sscanf takes itself, are refused.

#define _GNU_SOURCE

#include "runtime/threads/world.h"

#include <stdio.h>
#include <string.h>
#include <wchar.h>

typedef struct Directive {
  bool is_suppressed;                 // of input: %*d
  bool width_is_given, most_is_given; // as arguments: %*.*s
  bool has_most;                      // a precision
  uint64_t width, most;               // 0: no width
  char length;                        // H: hh, q: ll
  char kind;
} Directive;

typedef struct Arguments {
  va_list at;
} Arguments;

static _Noreturn void refuse(const char *what, char kind) {
  world_fail(MISHAP_REFUSED, "a format with %s (%%%c) is not executed", what,
             kind ? kind : ' ');
}

// ----------------------------------------------------------------- parsing ---

static uint64_t number(const char **at) {
  uint64_t value = 0;
  for (; **at >= '0' && **at <= '9'; ++*at)
    value = value < INT32_MAX ? 10 * value + (uint64_t)(**at - '0') : value;
  return value;
}

static void parse_precision(const char **at, Directive *directive) {
  if (**at != '.')
    return;
  ++*at;
  directive->has_most = true;
  directive->most_is_given = **at == '*';
  if (directive->most_is_given)
    ++*at;
  else
    directive->most = number(at);
}

static char parse_length(const char **at) {
  char length = **at;
  if (!length || !strchr("hlqLjzt", length))
    return 0;
  ++*at;
  if ((length != 'h' && length != 'l') || **at != length)
    return length;
  ++*at;
  return length == 'h' ? 'H' : 'q';
}

static void skip_set(const char **at) {
  *at += **at == '^';
  *at += **at == ']';
  *at += strcspn(*at, "]");
  *at += **at == ']';
}

// The next one behind *at, which goes behind it.  False: there is none.
static bool next(const char **at, bool is_input, Directive *directive) {
  *directive = (Directive){0};
  *at = strchr(*at, '%');
  if (!*at)
    return false;
  ++*at;
  *at += strspn(*at, is_input ? "'" : "-+ #0'I");
  bool has_star = **at == '*';
  *at += has_star;
  directive->is_suppressed = has_star && is_input;
  directive->width_is_given = has_star && !is_input;
  directive->width = number(at);
  if (**at == '$')
    refuse("arguments by number", '$');
  if (is_input && **at == 'm')
    refuse("memory that is taken", 'm');
  parse_precision(at, directive);
  directive->length = parse_length(at);
  directive->kind = **at;
  *at += **at != 0;
  if (is_input && directive->kind == '[')
    skip_set(at);
  return directive->kind != 0;
}

static unsigned bytes_of_integer(char length) {
  switch (length) {
  case 'H':
    return 1;
  case 'h':
    return sizeof(short);
  case 0:
    return sizeof(int);
  default:
    return sizeof(long);
  }
}

static unsigned bytes_of_real(char length) {
  return length == 'L'   ? sizeof(long double)
         : length == 'l' ? sizeof(double)
                         : sizeof(float);
}

static bool is_wide(const Directive *directive) {
  char kind = directive->kind;
  return kind == 'S' || kind == 'C' ||
         (directive->length == 'l' &&
          (kind == 's' || kind == 'c' || kind == '['));
}

// ------------------------------------------------------------------ output ---

static void read_string(const char *text, const Directive *directive) {
  if (!text)
    return;
  uint64_t most = directive->has_most ? directive->most : INT64_MAX;
  uint64_t length = strnlen(text, most);
  world_touch(text, length < most ? length + 1 : most, false);
}

// Of which each becomes a byte.
static void read_wide_string(const wchar_t *text, const Directive *directive) {
  if (!text)
    return;
  uint64_t most = directive->has_most ? directive->most : INT32_MAX;
  uint64_t length = wcsnlen(text, most);
  world_touch(text, (length < most ? length + 1 : most) * sizeof *text, false);
}

static void pass_integer(const Directive *directive, Arguments *arguments) {
  if (directive->kind != 'c' &&
      bytes_of_integer(directive->length) > sizeof(int))
    (void)va_arg(arguments->at, long);
  else
    (void)va_arg(arguments->at, int);
}

static void output(const Directive *directive, Arguments *arguments) {
  switch (directive->kind) {
  case '%':
  case 'm':
    break;
  case 's':
  case 'S':
    if (is_wide(directive))
      read_wide_string(va_arg(arguments->at, const wchar_t *), directive);
    else
      read_string(va_arg(arguments->at, const char *), directive);
    break;
  case 'C':
    (void)va_arg(arguments->at, wint_t);
    break;
  case 'n':
    world_touch(va_arg(arguments->at, void *),
                bytes_of_integer(directive->length), true);
    break;
  case 'p':
    (void)va_arg(arguments->at, void *);
    break;
  default:
    if (strchr("diouxXcbB", directive->kind))
      pass_integer(directive, arguments);
    else if (!strchr("aAeEfFgG", directive->kind))
      refuse("an unknown letter", directive->kind);
    else if (directive->length == 'L')
      (void)va_arg(arguments->at, long double);
    else
      (void)va_arg(arguments->at, double);
  }
}

void format_touch_output(const char *format, va_list list) {
  world_touch(format, strlen(format) + 1, false);
  format_touch_arguments(format, list);
}

void format_touch_arguments(const char *format, va_list list) {
  Arguments arguments;
  Directive directive;
  va_copy(arguments.at, list);
  while (next(&format, false, &directive)) {
    if (directive.width_is_given)
      (void)va_arg(arguments.at, int);
    if (directive.most_is_given) {
      int most = va_arg(arguments.at, int);
      directive.has_most = most >= 0;
      directive.most = most >= 0 ? (uint64_t)most : 0;
    }
    output(&directive, &arguments);
  }
  va_end(arguments.at);
}

// ------------------------------------------------------------------- input ---

static uint64_t bytes_put(const Directive *directive, const char *at) {
  switch (directive->kind) {
  case 'c':
    return directive->width ? directive->width : 1;
  case 's':
  case '[':
    return strlen(at) + 1;
  case 'p':
    return sizeof(void *);
  default:
    if (strchr("diouxXn", directive->kind))
      return bytes_of_integer(directive->length);
    if (!strchr("aAeEfFgG", directive->kind))
      refuse("an unknown letter", directive->kind);
    return bytes_of_real(directive->length);
  }
}

// A format's beginning, with which text is tried.
typedef struct Probe {
  char format[1024];
  size_t used;
} Probe;

static void append(Probe *probe, const char *from, const char *end) {
  size_t bytes = (size_t)(end - from);
  if (bytes >= sizeof probe->format - sizeof "*%n" - probe->used)
    world_fail(MISHAP_REFUSED, "a long format with %%n is not executed");
  memcpy(probe->format + probe->used, from, bytes);
  probe->used += bytes;
}

// Whether text is like the format up to here.
static bool is_alike(char *text, size_t bytes, Probe *probe) {
  int behind = -1;
  FILE *input = fmemopen(text, bytes, "r");
  if (!input)
    world_fail(MISHAP_REFUSED, "there is no memory to read by a format");
  strcpy(probe->format + probe->used, "%n");
  int converted = fscanf(input, probe->format, &behind);
  fclose(input);
  return converted <= 0 && behind >= 0;
}

// The format is tried from one %n to the next with all else suppressed, for
// what sscanf answers does not say whether the letters before %n were there.
unsigned format_counts_reached(const char *text, size_t bytes,
                               const char *format) {
  Probe probe = {0};
  Directive directive;
  unsigned reached = 0;
  if (!strchr(format, 'n'))
    return 0;
  for (const char *from = format; next(&format, true, &directive);
       from = format) {
    const char *start = strchr(from, '%');
    append(&probe, from, start);
    if (directive.kind != 'n' || directive.is_suppressed) {
      append(&probe, "%*", &"%*"[directive.kind == '%' ? 1 : 2]);
      append(&probe, start + 1, format);
    } else if (is_alike((char *)(uintptr_t)text, bytes, &probe)) {
      reached++;
    } else {
      break;
    }
  }
  return reached;
}

static bool is_written(const Directive *directive, int found, unsigned counts,
                       int *values, unsigned *seen) {
  return directive->kind == 'n' ? (*seen)++ < counts : (*values)++ < found;
}

// `found` values and `counts` numbers were; those behind are as they were.
void format_touch_input(const char *format, int found, unsigned counts,
                        va_list list) {
  Arguments arguments;
  Directive directive;
  int values = 0;
  unsigned seen = 0;
  world_touch(format, strlen(format) + 1, false);
  va_copy(arguments.at, list);
  while (next(&format, true, &directive)) {
    if (directive.kind == '%' || directive.is_suppressed)
      continue;
    if (is_wide(&directive))
      refuse("wide characters", directive.kind);
    char *at = va_arg(arguments.at, char *);
    if (is_written(&directive, found, counts, &values, &seen))
      world_touch(at, bytes_put(&directive, at), true);
  }
  va_end(arguments.at);
}
