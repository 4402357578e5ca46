// How each kind of value is read that options.def knows.
//
// Launch sizes given twice have to agree: two sources that differ are a
// mistake in somebody's build file, not a matter of who comes last.

#include "plugin/options.h"
#include "plugin/suppress.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

// Why an option changes nothing.
static const struct {
  const char *name, *why;
} ignored[] = {
#define IGNORED(name, value, why) {name, why},
#include "plugin/ignored.def"
#undef IGNORED
};

// Why an option is refused.
static const struct {
  const char *name, *why;
} refused[] = {
#define REFUSED(name, value, why) {name, why},
#include "plugin/refused.def"
#undef REFUSED
};
// Decimal or 0x hexadecimal up to `most`, from *text on.
static bool read_number(const char **text, uint64_t most, uint64_t *number) {
  char *end;
  bool is_hex = (*text)[0] == '0' && ((*text)[1] | 32) == 'x';
  if (!(is_hex ? isxdigit((unsigned char)(*text)[2])
               : isdigit((unsigned char)(*text)[0])))
    return false;
  errno = 0;
  unsigned long long value = strtoull(*text, &end, is_hex ? 16 : 10);
  if (errno || value > most)
    return false;
  *text = end;
  *number = value;
  return true;
}

// Digits and nothing else, however many.
static bool is_number(const char *text) {
  bool is_hex = text[0] == '0' && (text[1] | 32) == 'x';
  const char *digits = is_hex ? "0123456789abcdefABCDEF" : "0123456789";
  text += is_hex ? 2 : 0;
  return *text && !text[strspn(text, digits)];
}

// Beyond are slips of the hand: no warp has more threads, no machine more use
// of processes.
static unsigned most_of(const Option *option) {
  enum { MOST_THREADS = 1024, MOST_PROCESSES = 256, MOST_ROUNDS = 1024 };
  if (!strcmp(option->name, "loop-unwind"))
    return MOST_ROUNDS;
  if (!strcmp(option->name, "warp-sync"))
    return MOST_THREADS;
  bool is_of_processes =
      !strcmp(option->name, "threads") || !strcmp(option->name, "j");
  return is_of_processes ? MOST_PROCESSES : UINT_MAX;
}

static bool store_number(const OptionReading *reading, unsigned *number) {
  const char *text = reading->value;
  uint64_t value;
  unsigned most = most_of(reading->option);
  if (*text == '-' && is_number(text + 1))
    return fail(reading, "%s: a number below 0", reading->shown);
  if (!is_number(text))
    return fail(reading, "%s: expected a whole number", reading->shown);
  if (!read_number(&text, most, &value))
    return fail(reading, "%s: a number above %u", reading->shown, most);
  *number = (unsigned)value;
  return true;
}

static bool store_switch(const OptionReading *reading, bool *member) {
  *member = !strcmp(reading->value, "on");
  if (*member || !strcmp(reading->value, "off"))
    return true;
  return fail(reading, "%s: neither on nor off", reading->shown);
}

static bool store_choice(const OptionReading *reading, const char **choice) {
  const char *list = reading->option->value;
  size_t length = strlen(reading->value);
  for (const char *at = list; *at; at += strspn(at, "|")) {
    size_t word = strcspn(at, "|");
    if (word == length && !strncmp(at, reading->value, length)) {
      *choice = reading->value;
      return true;
    }
    at += word;
  }
  return fail(reading, "%s: expected one of %s", reading->shown, list);
}

// X, X,Y or [X,Y,Z].  Dimensions that are not written are 1.
static bool read_extents(const OptionReading *reading, uint32_t least,
                         Extent extents[3]) {
  const char *text = reading->value;
  bool has_bracket = *text == '[';
  text += has_bracket;
  for (unsigned axis = 0; axis < 3; axis++)
    extents[axis] = (Extent){true, least};
  for (unsigned axis = 0; axis < 3; axis++) {
    uint64_t value = 1;
    text += strspn(text, " ");
    bool is_free = *text == '*';
    if (*text == '-' && isdigit((unsigned char)text[1]))
      return fail(reading, "%s: %s at least %u", reading->shown,
                  least ? "sizes are" : "an offset is", least);
    if (is_free)
      text++;
    else if (!read_number(&text, UINT32_MAX, &value))
      break;
    if (value < least)
      return fail(reading, "%s: sizes are at least 1", reading->shown);
    extents[axis] = (Extent){!is_free, is_free ? 0 : (uint32_t)value};
    text += strspn(text, " ");
    if (has_bracket ? !strcmp(text, "]") : !*text)
      return true;
    if (*text++ != ',')
      break;
  }
  return fail(reading, "%s: expected X, X,Y or X,Y,Z%s", reading->shown,
              least ? ", each a number below 2^32 or *" : "");
}

const char *extents_text(Task *task, const Extent extents[3]) {
  char text[3][16];
  for (unsigned axis = 0; axis < 3; axis++)
    snprintf(text[axis], sizeof text[axis], extents[axis].known ? "%u" : "*",
             extents[axis].value);
  return arena_printf(&task->arena, "%s,%s,%s", text[0], text[1], text[2]);
}

// `64,1` is of two dimensions, as `64` is not.
static void note_axes(const OptionReading *reading, const Extent sizes[3]) {
  Launch *launch = &reading->settings->options.launch;
  unsigned axes = 1;
  for (const char *at = reading->value; *at; at++)
    axes += *at == ',';
  if (sizes == launch->block)
    launch->block_axes = axes;
  else if (sizes == launch->grid || sizes == launch->global)
    launch->grid_axes = axes;
}

static bool store_sizes(const OptionReading *reading, Extent sizes[3]) {
  Extent extents[3];
  if (!read_extents(reading, 1, extents))
    return false;
  for (unsigned axis = 0; axis < 3; axis++)
    if (sizes[axis].known && extents[axis].known &&
        sizes[axis].value != extents[axis].value)
      return fail(reading, "%s: contradicts the %s given before",
                  reading->shown, extents_text(reading->task, sizes));
  memcpy(sizes, extents, sizeof extents);
  note_axes(reading, sizes);
  return true;
}

static bool read_offsets(const OptionReading *reading, Extent offset[3]) {
  if (!read_extents(reading, 0, offset))
    return false;
  for (unsigned axis = 0; axis < 3; axis++)
    if (!offset[axis].known)
      return fail(reading, "%s: an offset cannot be free", reading->shown);
  return true;
}

static bool store_start(const OptionReading *reading, Extent start[3]) {
  Extent extents[3];
  if (!read_offsets(reading, extents))
    return false;
  memcpy(start, extents, sizeof extents);
  return true;
}

static bool store_offsets(const OptionReading *reading, uint32_t offset[3]) {
  Extent extents[3];
  if (!read_offsets(reading, extents))
    return false;
  for (unsigned axis = 0; axis < 3; axis++)
    offset[axis] = extents[axis].value;
  return true;
}

// The end of a kernel's name: the first comma outside template arguments.
static const char *end_of_name(const char *text) {
  unsigned depth = 0;
  for (; *text && (depth || *text != ','); text++)
    depth += (*text == '<') - (unsigned)(*text == '>' && depth);
  return text;
}

// A number with a sign, or false.
static bool read_value(const char **text, uint64_t most, uint64_t *value) {
  bool is_negative = **text == '-';
  *text += is_negative;
  if (!read_number(text, most, value))
    return false;
  *value = is_negative ? 0 - *value : *value;
  return true;
}

// w1:w2:.. from `offset` on; a * leaves four bytes free.
static bool read_words(Arena *arena, const char **text, uint64_t offset,
                       Argument *argument) {
  for (;; offset += sizeof(uint32_t)) {
    uint64_t value;
    if (**text == '*')
      ++*text;
    else if (read_value(text, UINT32_MAX, &value))
      push(arena, &argument->words,
           ((ArgumentWord){offset, sizeof(uint32_t), (uint32_t)value}));
    else
      return false;
    if (**text != ':')
      return true;
    ++*text;
  }
}

// w1:w2:.. from the first byte on, and @OFFSET=w1:w2:.. from others on.
static bool read_struct(Arena *arena, const char **text, Argument *argument) {
  if (**text != '@' && !read_words(arena, text, 0, argument))
    return false;
  while (**text == '@') {
    uint64_t offset;
    ++*text;
    if (!read_number(text, UINT32_MAX, &offset) || *(*text)++ != '=' ||
        !read_words(arena, text, offset, argument))
      return false;
  }
  return true;
}

// A number, or *, or a struct.
static bool read_argument(Arena *arena, const char **text, Argument *argument) {
  *argument = (Argument){0};
  if (strcspn(*text, ":@") < strcspn(*text, ","))
    return read_struct(arena, text, argument);
  argument->known = **text != '*';
  *text += !argument->known;
  return !argument->known || read_value(text, UINT64_MAX, &argument->value);
}

// K,v1,v2..
static bool read_kernel_values(const OptionReading *reading,
                               KernelValues *values) {
  Arena *arena = &reading->task->arena;
  const char *end = end_of_name(reading->value);
  *values = (KernelValues){0};
  values->kernel =
      arena_printf(arena, "%.*s", (int)(end - reading->value), reading->value);
  while (*end == ',') {
    Argument argument;
    end++;
    if (*end == '-' && reading->option->store == KERNEL_ARRAYS)
      return fail(reading, "%s: an array has at least 0 bytes", reading->shown);
    if (!read_argument(arena, &end, &argument))
      break;
    push(arena, &values->values, argument);
    if (!*end && *values->kernel)
      return true;
  }
  return fail(reading,
              "%s: expected a kernel's name, then its values (numbers or *, or "
              "words of a struct), with commas between",
              reading->shown);
}

static bool store_kernel_values(const OptionReading *reading) {
  Options *to = &reading->settings->options;
  KernelValues values;
  if (!read_kernel_values(reading, &values))
    return false;
  if (reading->option->store == KERNEL_ARGS)
    push(&reading->task->arena, &to->kernel_args, values);
  else
    push(&reading->task->arena, &to->kernel_arrays, values);
  return true;
}

static bool store_clang_arg(const OptionReading *reading, const char *prefix) {
  const char *text =
      arena_printf(&reading->task->arena, "%s%s", prefix, reading->value);
  push(&reading->task->arena, &reading->settings->clang_args, text);
  return true;
}

static bool store_language(const OptionReading *reading, Language language) {
  Language before = reading->settings->language;
  if (before != LANGUAGE_BY_SUFFIX && before != language)
    return fail(reading, "--cuda, --hip and --opencl exclude each other");
  reading->settings->language = language;
  return true;
}

static bool store_names(const OptionReading *reading, const char *other,
                        bool *names, bool *has_other) {
  const char *wrong = NULL;
  bool is_read = rungs_read(reading->task, reading->value, other, names,
                            has_other, &wrong);
  return is_read || fail(reading, "%s: %s", reading->shown, wrong);
}

static bool store_rungs(const OptionReading *reading, bool *tried) {
  bool is_all = false;
  reading->settings->names_rungs = true;
  rungs_set(tried, false);
  if (!store_names(reading, "all", tried, &is_all))
    return false;
  if (is_all)
    rungs_set(tried, true);
  return true;
}

// The length of KIND in KIND=error or KIND=warning; 0: it is neither.
static size_t read_severity(const char *text, size_t length, bool *is_error) {
  static const char error[] = "=error", warning[] = "=warning";
  const size_t errors = sizeof error - 1, warnings = sizeof warning - 1;
  *is_error =
      length > errors && !strncmp(text + length - errors, error, errors);
  if (*is_error)
    return length - errors;
  bool is_warning = length > warnings &&
                    !strncmp(text + length - warnings, warning, warnings);
  return is_warning ? length - warnings : 0;
}

static bool store_severity(const OptionReading *reading, const char *text,
                           size_t length) {
  Settings *settings = reading->settings;
  const char *wrong = NULL;
  bool is_error;
  size_t kind = read_severity(text, length, &is_error);
  if (!kind)
    return fail(reading, "%s: '%.*s' is not KIND=error or KIND=warning",
                reading->shown, (int)length, text);
  if (kind == strlen("same-value") && !strncmp(text, "same-value", kind)) {
    settings->options.no_benign_tolerance = is_error;
    return true;
  }
  unsigned kinds = suppressions_kinds(reading->task, text, text + kind, &wrong);
  if (!kinds)
    return fail(reading,
                "%s: '%s' is none of race, divergence, deadlock, assertion, "
                "out-of-bounds, unknown and same-value",
                reading->shown, wrong);
  if (is_error)
    settings->only_warned &= ~kinds;
  else
    settings->only_warned |= kinds;
  return true;
}

static bool store_severities(const OptionReading *reading) {
  for (const char *at = reading->value; *at;) {
    size_t length = strcspn(at, ",");
    if (!store_severity(reading, at, length))
      return false;
    at += length + (at[length] == ',');
  }
  return true;
}

static bool store_ignored(const OptionReading *reading) {
  for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
    if (!strcmp(ignored[i].name, reading->option->name))
      push(&reading->task->arena, &reading->settings->ignored,
           arena_printf(&reading->task->arena, "%s is ignored: %s",
                        reading->shown, ignored[i].why));
  return true;
}

static bool store_refused(const OptionReading *reading) {
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
    if (!strcmp(refused[i].name, reading->option->name))
      return fail(reading, "%s: %s", reading->shown, refused[i].why);
  return true;
}

// The original's /checkArrays:A,B is our --check-arrays=A,B.
static bool store_vcgen(const OptionReading *reading) {
  static const char *const names[][2] = {
      {"checkArrays", "check-arrays"},
      {"checkArrayBounds", "check-array-bounds"},
      {"noBenign", "no-benign-tolerance"},
      {"onlyDivergence", "only-divergence"},
      {"onlyLog", "only-log"},
      {"onlyIntraGroupRaceChecking", "only-intra-group"},
      {"doWarpSync", "warp-sync"},
      {"noInfer", "no-infer"},
      {"adversarialAbstraction", "adversarial-abstraction"},
      {"equalityAbstraction", "equality-abstraction"},
      {"asymmetricAsserts", "asymmetric-asserts"},
      {"noBarrierAccessChecks", "no-barrier-access-checks"},
      {"mathInt", "math-int"},
      {"raceChecking", "race-instrumenter"},
  };
  const char *text = reading->value + strspn(reading->value, "/");
  size_t length = strcspn(text, ":");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strlen(names[i][0]) == length && !strncmp(names[i][0], text, length))
      return settings_parse(
          reading->task, reading->settings, reading->settings->door,
          arena_printf(&reading->task->arena, "%s%s%s%s",
                       reading->settings->door == DOOR_PLUGIN ? "" : "--",
                       names[i][1], text[length] ? "=" : "",
                       text[length] ? text + length + 1 : ""),
          reading->error);
  return fail(reading, "%s: not an option that is known here", reading->shown);
}

bool option_store(const OptionReading *reading) {
  void *member = (char *)reading->settings + reading->option->member;
  switch (reading->option->store) {
  case FLAG:
    *(bool *)member = true;
    return true;
  case SWITCH:
    return store_switch(reading, member);
  case SWITCH_OFF:
    *(bool *)member = false;
    return true;
  case NUMBER:
    return store_number(reading, member);
  case TEXT:
    *(const char **)member = reading->value;
    return true;
  case CHOICE:
    return store_choice(reading, member);
  case SIZES:
    return store_sizes(reading, member);
  case START:
    return store_start(reading, member);
  case OFFSETS:
    return store_offsets(reading, member);
  case KERNEL_ARGS:
  case KERNEL_ARRAYS:
    return store_kernel_values(reading);
  case MACRO:
    return store_clang_arg(reading, "-D");
  case INCLUDE:
    return store_clang_arg(reading, "-I");
  case CLANG_ARG:
    return store_clang_arg(reading, "");
  case CUDA:
    return store_language(reading, LANGUAGE_CUDA);
  case HIP:
    return store_language(reading, LANGUAGE_HIP);
  case OPENCL:
    return store_language(reading, LANGUAGE_OPENCL);
  case FORM:
    *(const Format **)member = report_format(reading->option->name);
    return true;
  case ASSUMED:
    return store_names(reading, "pure-externals", member,
                       &reading->settings->options.pure_externals);
  case RUNGS:
    return store_rungs(reading, member);
  case SEVERITIES:
    return store_severities(reading);
  case VCGEN:
    return store_vcgen(reading);
  case IGNORED:
    return store_ignored(reading);
  case REFUSED:
    return store_refused(reading);
  case POINTER_BITS:
    return !strcmp(reading->value, "64") ||
           fail(reading,
                "%s: pointers have 64 bits on the devices that clang compiles "
                "for, and addresses are computed so",
                reading->shown);
  case FINDBUGS:
    if (!*(unsigned *)member)
      *(unsigned *)member = DEFAULT_UNWIND;
    return true;
  }
  return true;
}
