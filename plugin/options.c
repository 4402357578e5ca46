// What the user asked for.
//
// options.def lists every option; here is how each kind of value is read.  The
// same texts come from three places - the command line, GPUVERIFY_FLAGS and
// -fplugin-arg-gpuverify-..  - and mean the same in each.  A mistake is one
// sentence for the person who typed it; nothing is guessed, nothing is
// ignored but the few names of GPUVerify's that change nothing here.
//
// Launch sizes given twice have to agree: two sources that differ are a
// mistake in somebody's build file, not a matter of who comes last.

#include "plugin/plugin.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

// Through which doors an option comes.
typedef enum Door {
  BOTH,       // the proof, as a command or in clang
  COMMAND,    // the proof as a command
  EVERYWHERE, // both, and gpuverify barriers
  SHELL,      // the two commands
  BARRIERS,   // gpuverify barriers
  RUN,        // gpuverify run
  TEMPLATE,   // gpuverify launch
  SCHEDULES,  // gpuverify schedules
  EXECUTES,   // run and schedules
  ALWAYS,     // EVERYWHERE, run, launch and schedules
  SHELLS,     // SHELL, run, launch and schedules
} Door;

typedef enum Store {
  FLAG,          // bool
  NUMBER,        // unsigned
  TEXT,          // const char *
  CHOICE,        // the same, one of those listed
  SWITCH,        // bool: on or off
  SWITCH_OFF,    // bool: a flag that switches it off
  SIZES,         // Extent[3]
  OFFSETS,       // uint32_t[3]
  START,         // Extent[3], all known
  KERNEL_ARGS,   // one more of options.kernel_args
  KERNEL_ARRAYS, // one more of options.kernel_arrays
  MACRO,         // one more of clang_args, each of these
  INCLUDE,
  CLANG_ARG,
  CUDA,
  OPENCL,
  VCGEN, // an option in the original's spelling for an inner tool
  IGNORED,
  REFUSED,
  POINTER_BITS,
  FINDBUGS, // unsigned: a number of loop-unwind
  ASSUMED,  // bool[PREMISES]: those listed
  RUNGS,    // bool[PREMISES]: those listed and no others
  FORM,     // const Format *, the one of the option's name
} Store;

typedef struct Option {
  const char *name, *value;
  Door door;
  Store store;
  size_t member; // offset into Settings
  const char *help;
} Option;

// A row without a place of its own points at the whole.
#define NOWHERE options
static const Option options[] = {
#define SECTION(door, title)
#define OPTION(name, value, door, store, member, help)                         \
  {name, value, door, store, offsetof(Settings, member), help},
#include "plugin/options.def"
#undef SECTION
#undef OPTION
};
#undef NOWHERE

enum { OPTION_COUNT = sizeof options / sizeof *options };

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

// One option being read.
typedef struct Reading {
  Task *task;
  Settings *settings;
  const Option *option;
  const char *shown; // as the user wrote it
  const char *value; // NULL: none
  const char **error;
} Reading;

#define fail(reading, ...)                                                     \
  (*(reading)->error = arena_printf(&(reading)->task->arena, __VA_ARGS__),     \
   false)

void settings_default(Settings *settings, FrontDoor door) {
  *settings = (Settings){.door = door};
  settings->options.timeout = DEFAULT_TIMEOUT;
  settings->options.file_timeout =
      door == DOOR_PLUGIN ? DEFAULT_FILE_TIMEOUT : 0;
  settings->options.memory = DEFAULT_MEMORY;
  settings->bound = DEFAULT_BOUND;
  settings->jobs = 1;
  settings->options.confirm = door != DOOR_PLUGIN;
  settings->options.barriers = door == DOOR_PLUGIN ? "auto" : "off";
  settings->threads = 1;
  settings->options.dump_out = door == DOOR_COMMAND ? stdout : stderr;
  rungs_set(settings->options.tried, true);
}

// ---------------------------------------------------- nearest spelling ---

static const char *nearest_name(const char *name) {
  unsigned best = (unsigned)strlen(name) / 3 + 2;
  const char *nearest = NULL;
  for (size_t i = 0; i < OPTION_COUNT; i++) {
    unsigned distance = spelling_distance(name, options[i].name);
    if (distance < best) {
      best = distance;
      nearest = options[i].name;
    }
  }
  return nearest;
}

// -------------------------------------------------------------- values ---

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

static bool store_number(const Reading *reading, unsigned *number) {
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

static bool store_switch(const Reading *reading, bool *member) {
  *member = !strcmp(reading->value, "on");
  if (*member || !strcmp(reading->value, "off"))
    return true;
  return fail(reading, "%s: neither on nor off", reading->shown);
}

static bool store_choice(const Reading *reading, const char **choice) {
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
static bool read_extents(const Reading *reading, uint32_t least,
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

static const char *extents_text(Task *task, const Extent extents[3]) {
  char text[3][16];
  for (unsigned axis = 0; axis < 3; axis++)
    snprintf(text[axis], sizeof text[axis], extents[axis].known ? "%u" : "*",
             extents[axis].value);
  return arena_printf(&task->arena, "%s,%s,%s", text[0], text[1], text[2]);
}

// `64,1` is of two dimensions, as `64` is not.
static void note_axes(const Reading *reading, const Extent sizes[3]) {
  Launch *launch = &reading->settings->options.launch;
  unsigned axes = 1;
  for (const char *at = reading->value; *at; at++)
    axes += *at == ',';
  if (sizes == launch->block)
    launch->block_axes = axes;
  else if (sizes == launch->grid || sizes == launch->global)
    launch->grid_axes = axes;
}

static bool store_sizes(const Reading *reading, Extent sizes[3]) {
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

static bool read_offsets(const Reading *reading, Extent offset[3]) {
  if (!read_extents(reading, 0, offset))
    return false;
  for (unsigned axis = 0; axis < 3; axis++)
    if (!offset[axis].known)
      return fail(reading, "%s: an offset cannot be free", reading->shown);
  return true;
}

static bool store_start(const Reading *reading, Extent start[3]) {
  Extent extents[3];
  if (!read_offsets(reading, extents))
    return false;
  memcpy(start, extents, sizeof extents);
  return true;
}

static bool store_offsets(const Reading *reading, uint32_t offset[3]) {
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
static bool read_kernel_values(const Reading *reading, KernelValues *values) {
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

static bool store_kernel_values(const Reading *reading) {
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

static bool store_clang_arg(const Reading *reading, const char *prefix) {
  const char *text =
      arena_printf(&reading->task->arena, "%s%s", prefix, reading->value);
  push(&reading->task->arena, &reading->settings->clang_args, text);
  return true;
}

static bool store_language(const Reading *reading, Language language) {
  Language before = reading->settings->language;
  if (before != LANGUAGE_BY_SUFFIX && before != language)
    return fail(reading, "--cuda and --opencl exclude each other");
  reading->settings->language = language;
  return true;
}

static bool store_names(const Reading *reading, const char *other, bool *names,
                        bool *has_other) {
  const char *wrong = NULL;
  bool is_read = rungs_read(reading->task, reading->value, other, names,
                            has_other, &wrong);
  return is_read || fail(reading, "%s: %s", reading->shown, wrong);
}

static bool store_rungs(const Reading *reading, bool *tried) {
  bool is_all = false;
  reading->settings->names_rungs = true;
  rungs_set(tried, false);
  if (!store_names(reading, "all", tried, &is_all))
    return false;
  if (is_all)
    rungs_set(tried, true);
  return true;
}

static bool store_ignored(const Reading *reading) {
  for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
    if (!strcmp(ignored[i].name, reading->option->name))
      push(&reading->task->arena, &reading->settings->ignored,
           arena_printf(&reading->task->arena, "%s is ignored: %s",
                        reading->shown, ignored[i].why));
  return true;
}

static bool store_refused(const Reading *reading) {
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
    if (!strcmp(refused[i].name, reading->option->name))
      return fail(reading, "%s: %s", reading->shown, refused[i].why);
  return true;
}

// The original's /checkArrays:A,B is our --check-arrays=A,B.
static bool store_vcgen(const Reading *reading) {
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

static bool store(const Reading *reading) {
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

// ------------------------------------------------------------- parsing ---

// What only commands beside the proof know.
static bool is_apart(Door door) {
  return door == RUN || door == TEMPLATE || door == SCHEDULES ||
         door == EXECUTES;
}

static bool is_open(Door door, FrontDoor at) {
  switch (at) {
  case DOOR_COMMAND:
    return door != BARRIERS && !is_apart(door);
  case DOOR_PLUGIN:
    return door == BOTH || door == EVERYWHERE || door == ALWAYS;
  case DOOR_BARRIERS:
    return door != BOTH && door != COMMAND && !is_apart(door);
  case DOOR_RUN:
    return door == RUN || door == EXECUTES || door == ALWAYS || door == SHELLS;
  case DOOR_LAUNCH:
    return door == TEMPLATE || door == ALWAYS || door == SHELLS;
  case DOOR_SCHEDULES:
    return door == SCHEDULES || door == EXECUTES || door == ALWAYS ||
           door == SHELLS;
  }
  return false;
}

// An option that goes by this name at another door is better than none.
static const Option *find_named(FrontDoor door, const char *name) {
  const Option *found = NULL;
  for (size_t i = 0; i < OPTION_COUNT; i++)
    if (!strcmp(options[i].name, name) &&
        (!found || is_open(options[i].door, door)))
      found = &options[i];
  return found;
}

// -DX, -IX and -jX take their value without '='.
static const Option *find_short(FrontDoor door, const char *text,
                                const char **value) {
  if (text[0] != '-' || !text[1] || !strchr("DIj", text[1]))
    return NULL;
  *value = text[2] ? text + 2 : NULL;
  return find_named(door, (char[]){text[1], 0});
}

static const Option *find_long(Task *task, FrontDoor door, const char *text,
                               const char **name, const char **value) {
  text += strspn(text, "-");
  size_t length = strcspn(text, "=");
  *name = arena_printf(&task->arena, "%.*s", (int)length, text);
  *value = text[length] ? arena_copy(&task->arena, text + length + 1) : NULL;
  return find_named(door, *name);
}

static const char *owner_of(Door door, FrontDoor at) {
  if (door == BARRIERS)
    return "'gpuverify barriers'";
  if (door == RUN || door == EXECUTES)
    return "'gpuverify run'";
  if (door == SCHEDULES)
    return "'gpuverify schedules'";
  if (door == TEMPLATE)
    return "'gpuverify launch'";
  if (at == DOOR_RUN || at == DOOR_LAUNCH || at == DOOR_SCHEDULES)
    return "the proof";
  return at == DOOR_PLUGIN ? "the command, not of the plugin"
                           : "the proof, not of 'gpuverify barriers'";
}

static bool unknown_option(const Reading *reading, const char *name) {
  const char *nearest = nearest_name(name);
  if (nearest)
    return fail(reading, "unknown option '%s'; did you mean '%s%s'?",
                reading->shown, strlen(nearest) > 1 ? "--" : "-", nearest);
  return fail(reading, "unknown option '%s' (see --help)", reading->shown);
}

bool settings_parse(Task *task, Settings *settings, FrontDoor door,
                    const char *text, const char **error) {
  Reading reading = {.task = task, .settings = settings, .error = error};
  const char *name = "";
  reading.shown = arena_copy(&task->arena, text);
  if (door != DOOR_PLUGIN && (text[0] != '-' || !text[1])) {
    push(&task->arena, &settings->files, reading.shown);
    return true;
  }
  reading.option = find_short(door, reading.shown, &reading.value);
  if (!reading.option)
    reading.option = find_long(task, door, text, &name, &reading.value);
  const Option *option = reading.option;
  if (!option)
    return unknown_option(&reading, name);
  if (!is_open(option->door, door))
    return fail(&reading, "%s: an option of %s", reading.shown,
                owner_of(option->door, door));
  if (!option->value && reading.value)
    return fail(&reading, "%s: this option takes no value", reading.shown);
  if (option->value && (!reading.value || !*reading.value))
    return fail(&reading, "%s: a value is missing (%s)", reading.shown,
                option->value);
  return store(&reading);
}

// "--blockDim" or "-D", whose value is the next argument.
static bool value_follows(Task *task, FrontDoor door, const char *text) {
  const char *name, *value = NULL;
  const Option *option = find_short(door, text, &value);
  if (!option && !strncmp(text, "--", 2))
    option = find_long(task, door, text, &name, &value);
  return option && option->value && !value;
}

static bool is_ours(Task *task, FrontDoor door, const char *text) {
  const char *name, *value = NULL;
  return find_short(door, text, &value) ||
         find_long(task, door, text, &name, &value);
}

// What clang is to be told: -O2, -std=c++20, -isystem DIR.
static bool is_for_clang(Task *task, FrontDoor door, const char *text) {
  bool is_long = text[0] == '-' && text[1] && (door == DOOR_RUN || text[2]);
  return door != DOOR_PLUGIN && is_long && text[1] != '-' &&
         !is_ours(task, door, text);
}

// How many of the texts, the first an option of nvcc that is none of ours.
static int take_nvcc(Task *task, Settings *settings, FrontDoor door, int count,
                     char **texts, const char **error) {
  bool is_free = door == DOOR_RUN || !is_ours(task, door, texts[0]);
  return door != DOOR_PLUGIN && is_free
             ? nvcc_take(task, settings, count, texts, error)
             : 0;
}

static bool takes_next(const char *text) {
  static const char *const names[] = {
      "-isystem", "-include", "-iquote", "-idirafter", "-Xclang", "-L", "-l"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(text, names[i]))
      return true;
  return false;
}

bool settings_parse_all(Task *task, Settings *settings, FrontDoor door,
                        int count, char **texts, const char **error) {
  for (int i = 0; i < count; i++) {
    const char *text = texts[i];
    if (door == DOOR_RUN && !strcmp(text, "--")) {
      while (++i < count)
        push(&task->arena, &settings->program_args, texts[i]);
      return true;
    }
    int taken = take_nvcc(task, settings, door, count - i, texts + i, error);
    if (taken < 0)
      return false;
    if (taken) {
      i += taken - 1;
      continue;
    }
    if (is_for_clang(task, door, text)) {
      push(&task->arena, &settings->clang_args, text);
      if (takes_next(text) && i + 1 < count)
        push(&task->arena, &settings->clang_args, texts[++i]);
      continue;
    }
    if (i + 1 < count && value_follows(task, door, text)) {
      bool is_short = text[1] != '-';
      text = arena_printf(&task->arena, "%s%s%s", text, is_short ? "" : "=",
                          texts[++i]);
    }
    if (!settings_parse(task, settings, door, text, error))
      return false;
  }
  return true;
}

bool settings_parse_environment(Task *task, Settings *settings, FrontDoor door,
                                const char **error) {
  const char *flags = getenv("GPUVERIFY_FLAGS");
  Vec(char *) texts = {0};
  for (const char *at = flags ? flags : ""; *at;) {
    at += strspn(at, " \t\n");
    size_t length = strcspn(at, " \t\n");
    if (length)
      push(&task->arena, &texts,
           arena_printf(&task->arena, "%.*s", (int)length, at));
    at += length;
  }
  if (settings_parse_all(task, settings, door, (int)texts.count, texts.at,
                         error))
    return true;
  *error = arena_printf(&task->arena, "in GPUVERIFY_FLAGS: %s", *error);
  return false;
}

// -------------------------------------------------------------- checks ---

// `gpuverify barriers` is about one block.
ReportStyle settings_style(const Settings *settings) {
  return (ReportStyle){.options = &settings->options,
                       .quiet = settings->quiet,
                       .verbose = settings->verbose,
                       .is_one_block_enough = settings->options.one_block ||
                                              settings->door == DOOR_BARRIERS};
}

void settings_print(const Settings *settings, const Diagnosis *diagnosis) {
  if (settings->format)
    settings->format->print(stdout, diagnosis);
  else
    report_text(stdout, diagnosis);
}

// The product of what is known; the rest is at least 1.
static uint64_t known_product(const Extent extents[3]) {
  uint64_t product = 1;
  for (unsigned axis = 0; axis < 3; axis++)
    if (extents[axis].known && product <= UINT32_MAX)
      product *= extents[axis].value;
  return product;
}

bool extents_are_given(const Extent extents[3]) {
  return extents[0].known || extents[1].known || extents[2].known;
}

// A block that no device has is good for a proof, and somebody may want to
// know.
static bool warn_of_block(const Reading *reading, unsigned most) {
  const Extent *block = reading->settings->options.launch.block;
  if (reading->settings->warnings.count) // of the file before
    return true;
  push(&reading->task->arena, &reading->settings->warnings,
       arena_printf(&reading->task->arena,
                    "block size %s: %llu threads, but a block of a device has "
                    "at most %u",
                    extents_text(reading->task, block),
                    (unsigned long long)known_product(block), most));
  return true;
}

// Threads of a block: 1024 on every CUDA device so far.  OpenCL names no
// limit; processors report up to 8192 (CL_DEVICE_MAX_WORK_GROUP_SIZE), and we
// allow some more.
static bool check_block(const Reading *reading, Language language) {
  enum { MOST_CUDA = 1024, MOST_OPENCL = 65536, MOST_CUDA_Z = 64 };
  enum { MOST_IN_PROOF = 1 << 27 }; // 512,512,512
  const Settings *settings = reading->settings;
  const Extent *block = settings->options.launch.block;
  bool is_cuda = language == LANGUAGE_CUDA;
  unsigned most = is_cuda ? MOST_CUDA : MOST_OPENCL;
  if (is_cuda && block[2].known && block[2].value > MOST_CUDA_Z)
    return fail(reading, "block size %s: z is at most %d",
                extents_text(reading->task, block), MOST_CUDA_Z);
  if (known_product(block) <= most)
    return true;
  if (settings->door == DOOR_COMMAND && known_product(block) <= MOST_IN_PROOF)
    return warn_of_block(reading, most);
  return fail(reading,
              "block size %s: %llu threads, but a block has at most %u",
              extents_text(reading->task, block),
              (unsigned long long)known_product(block),
              settings->door == DOOR_COMMAND ? (unsigned)MOST_IN_PROOF : most);
}

static bool check_grid(const Reading *reading, Language language) {
  const Extent *grid = reading->settings->options.launch.grid;
  for (unsigned axis = 0; axis < 3; axis++) {
    bool is_short = axis && language == LANGUAGE_CUDA;
    uint32_t most = is_short ? UINT16_MAX : INT32_MAX;
    if (grid[axis].known && grid[axis].value > most)
      return fail(reading, "grid size %s: %c is at most %u",
                  extents_text(reading->task, grid), "xyz"[axis], most);
  }
  return true;
}

static bool check_global(const Reading *reading) {
  const Launch *launch = &reading->settings->options.launch;
  if (extents_are_given(launch->global) && extents_are_given(launch->grid))
    return fail(reading, "--global_size and --num_groups exclude each other");
  for (unsigned axis = 0; axis < 3; axis++) {
    Extent global = launch->global[axis], block = launch->block[axis];
    if (!global.known || !block.known)
      continue;
    if (global.value % block.value)
      return fail(reading, "global size %s is no multiple of the local size %s",
                  extents_text(reading->task, launch->global),
                  extents_text(reading->task, launch->block));
    if (global.value / block.value > INT32_MAX)
      return fail(reading,
                  "global size %s: %u groups along %c, but at most %d are "
                  "counted",
                  extents_text(reading->task, launch->global),
                  global.value / block.value, "xyz"[axis], INT32_MAX);
  }
  return true;
}

// An optimiser executes what the source does not, so flags of its arithmetic
// are no promise of the program.
static bool check_premises(const Reading *reading, const char *file) {
  const Settings *settings = reading->settings;
  if (!has_suffix(file, ".ll") && !has_suffix(file, ".bc"))
    return true;
  for (unsigned i = 0; i < PREMISES; i++) {
    bool is_asked_for = settings->options.assumed[i] ||
                        (settings->names_rungs && settings->options.tried[i]);
    if (is_asked_for && rungs_are_of_source((PremiseKind)i))
      return fail(reading, "%s: %s is assumed of source files alone", file,
                  premise_name((PremiseKind)i));
  }
  return true;
}

static bool check_language(const Reading *reading, const char *file) {
  const Settings *settings = reading->settings;
  const Launch *launch = &settings->options.launch;
  Language language = settings_language(settings, file);
  if (settings->language != LANGUAGE_BY_SUFFIX &&
      settings->language != language)
    return fail(reading, "%s: --%s contradicts its suffix", file,
                settings->language == LANGUAGE_CUDA ? "cuda" : "opencl");
  if (language == LANGUAGE_CUDA && extents_are_given(launch->global))
    return fail(reading, "%s: --global_size is for OpenCL; use --gridDim",
                *file ? file : "CUDA");
  if (language == LANGUAGE_CUDA && extents_are_given(launch->offset))
    return fail(reading, "%s: --global_offset is for OpenCL",
                *file ? file : "CUDA");
  return check_block(reading, language) && check_grid(reading, language) &&
         check_premises(reading, file);
}

// Who says how long a kernel may take has time for all of them.
static void lift_file_timeout(Options *limits) {
  if (limits->timeout != DEFAULT_TIMEOUT &&
      limits->file_timeout == DEFAULT_FILE_TIMEOUT)
    limits->file_timeout = 0;
}

static bool is_ignored(const Settings *settings, const char *name) {
  for (size_t i = 0; i < settings->ignored.count; i++) {
    const char *text = settings->ignored.at[i];
    if (!strncmp(text + strspn(text, "-"), name, strlen(name)))
      return true;
  }
  return false;
}

bool settings_check(Task *task, Settings *settings, const char **error) {
  Reading reading = {.task = task, .settings = settings, .error = error};
  if (settings->quiet && settings->verbose)
    return fail(&reading, "--quiet and --verbose exclude each other");
  if (is_ignored(settings, "equality-abstraction") &&
      is_ignored(settings, "adversarial-abstraction"))
    return fail(&reading,
                "--equality-abstraction and "
                "--adversarial-abstraction exclude each other");
  if (settings->options.boogie && settings->files.count > 1)
    return fail(&reading, "--emit-boogie writes one file; give one file");
  if (settings->options.program && settings->files.count > 1)
    return fail(&reading, "--emit-program writes one file; give one file");
  bool has_files = settings->files.count != 0;
  if (!check_global(&reading) || (!has_files && !check_language(&reading, "")))
    return false;
  lift_file_timeout(&settings->options);
  if (settings->strict)
    rungs_set(settings->options.tried, false);
  if (settings->exited_threads && !strcmp(settings->exited_threads, "error"))
    settings->options.tried[PREMISE_EXITED_THREADS] = false;
  for (size_t i = 0; i < settings->files.count; i++)
    if (!check_language(&reading, settings->files.at[i]))
      return false;
  return true;
}

bool settings_read(Task *task, Settings *settings, FrontDoor door, int count,
                   char **texts, const char **error) {
  settings_default(settings, door);
  return settings_parse_environment(task, settings, door, error) &&
         settings_parse_all(task, settings, door, count, texts, error) &&
         settings_check(task, settings, error);
}

// ---------------------------------------------------------------- help ---

static void print_option(FrontDoor door, const Option *option, FILE *out) {
  char text[64];
  const char *dashes = door == DOOR_PLUGIN ? "" : option->name[1] ? "--" : "-";
  if (!option->help || !is_open(option->door, door))
    return;
  snprintf(text, sizeof text, "%s%s%s%s", dashes, option->name,
           option->value && option->name[1] ? "=" : "",
           option->value ? option->value : "");
  fprintf(out, "  %-27s ", text);
  for (const char *c = option->help; *c; c++) {
    fputc(*c, out);
    if (*c == '\n')
      fprintf(out, "%*s", 30, "");
  }
  fputc('\n', out);
}

static const char *usage_of(FrontDoor door) {
  switch (door) {
  case DOOR_COMMAND:
    return "usage: gpuverify [OPTION].. FILE..    (.cu .cl .ll .bc)\n"
           "       gpuverify barriers --help\n"
           "       gpuverify run --help\n"
           "       gpuverify launch --help\n"
           "       gpuverify schedules --help\n\n"
           "Proves that GPU kernels have no data races and no divergent "
           "barriers.\n";
  case DOOR_PLUGIN:
    return "Give each option to clang as -fplugin-arg-gpuverify-OPTION, or "
           "all of them,\nwith -- before each, in GPUVERIFY_FLAGS.\n";
  case DOOR_BARRIERS:
    return "usage: gpuverify barriers [OPTION].. FILE..    (.ptx .cu)\n\n"
           "Checks the named barriers and the shared memory of one block, for "
           "all schedules.\n";
  case DOOR_RUN:
    return "usage: gpuverify run [OPTION].. --launch=FILE.json FILE    "
           "(.cu .cl .ll .bc)\n"
           "       gpuverify run [OPTION].. PROGRAM.cu [FILE..] [-- ARGUMENT..]"
           "\n\n"
           "Executes one kernel, or a whole CUDA program, on this machine's "
           "processor.\n";
  case DOOR_LAUNCH:
    return "usage: gpuverify launch [OPTION].. FILE    (.cu .cl .ll .bc)\n\n"
           "Prints a launch file for 'gpuverify run' to begin with.\n";
  case DOOR_SCHEDULES:
    return "usage: gpuverify schedules [OPTION].. --launch=FILE.json FILE    "
           "(.cu .cl .ll .bc)\n\n"
           "Executes one kernel under many schedules, and looks for one under "
           "which it goes wrong.\n";
  }
  return "";
}

void settings_help(FrontDoor door, FILE *out) {
  fputs(usage_of(door), out);
  if (door != DOOR_PLUGIN)
    fputs(
        "Options that are not listed here are clang's or nvcc's: -O2, "
        "-std=c++20, -arch=sm_90.\n",
        out);
  const Option *option = options;
#define SECTION(door_, title)                                                  \
  if (is_open(door_, door))                                                    \
    fputs("\n" title "\n", out);
#define OPTION(name, value, door_, store_, member, help)                       \
  print_option(door, option++, out);
#include "plugin/options.def"
#undef SECTION
#undef OPTION
  fputs(
      "\nExit status: 0 all verified, 1 a bug found, 2 wrong use, 3 does not "
      "compile,\n4 not decided, 70 a bug of this program.\n",
      out);
}
