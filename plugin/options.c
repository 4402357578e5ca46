// What the user asked for.
//
// options.def lists every option.  The same texts come from three places - the
// command line, GPUVERIFY_FLAGS and -fplugin-arg-gpuverify-..  - and mean the
// same in each.  A mistake is one sentence for the person who typed it; nothing
// is guessed, nothing is ignored but the few names of GPUVerify's that change
// nothing here.

#include "plugin/options.h"
#include "project/project.h"

#include <stdlib.h>
#include <string.h>

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
void settings_default(Settings *settings, FrontDoor door) {
  *settings = (Settings){.door = door};
  settings->options.timeout = DEFAULT_TIMEOUT;
  settings->options.file_timeout =
      door == DOOR_PLUGIN ? DEFAULT_FILE_TIMEOUT : 0;
  settings->options.memory = DEFAULT_MEMORY;
  settings->bound = DEFAULT_BOUND;
  settings->depth = DEFAULT_DEPTH;
  settings->lots = DEFAULT_LOTS;
  settings->prove = DEFAULT_PROVE;
  settings->processors = DEFAULT_PROCESSORS;
  settings->jobs = 1;
  settings->repair_timeout = DEFAULT_REPAIR_TIMEOUT;
  settings->options.confirm = door != DOOR_PLUGIN;
  settings->options.barriers = door == DOOR_PLUGIN ? "auto" : "off";
  settings->threads = 1;
  settings->cache_size = DEFAULT_CACHE_SIZE;
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

// ------------------------------------------------------------- parsing ---

// What only clang, or commands beside the proof, know.
static bool is_apart(Door door) {
  return door == RUN || door == TEMPLATE || door == SCHEDULES ||
         door == EXECUTES || door == BATCH || door == REPAIRS ||
         door == INSIDE || door == THREADS;
}

// What both run and schedules know.
static bool is_of_execution(Door door) {
  return door == EXECUTES || door == ALWAYS || door == SHELLS ||
         door == TELLERS || door == JUDGES || door == REPORTERS;
}

static bool is_open(Door door, FrontDoor at) {
  switch (at) {
  case DOOR_COMMAND:
    return door != BARRIERS && !is_apart(door);
  case DOOR_BATCH:
    return door == BATCH || (door != BARRIERS && !is_apart(door));
  case DOOR_PLUGIN:
    return door == BOTH || door == EVERYWHERE || door == ALWAYS ||
           door == JUDGES || door == INSIDE;
  case DOOR_REPAIR:
    return door == REPAIRS || (door != BARRIERS && door != COMMAND &&
                               door != REPORTERS && !is_apart(door));
  case DOOR_BARRIERS:
    return door != BOTH && door != COMMAND && door != SOURCES &&
           !is_apart(door);
  case DOOR_RUN:
    return door == RUN || is_of_execution(door);
  case DOOR_MERGE:
    return door == ALWAYS || door == TELLERS;
  case DOOR_LAUNCH:
    return door == TEMPLATE || door == ALWAYS || door == SHELLS ||
           door == TELLERS;
  case DOOR_SCHEDULES:
    return door == SCHEDULES || is_of_execution(door);
  case DOOR_THREADS:
    return door == THREADS || door == ALWAYS || door == SHELLS ||
           door == TELLERS;
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
  bool is_build = door == DOOR_BATCH && !strncmp(text, "-p", 2) &&
                  strcmp(text, "-pthread") != 0;
  if (!is_build && (text[0] != '-' || !text[1] || !strchr("DIj", text[1])))
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
  if (door == THREADS)
    return "'gpuverify threads'";
  if (door == SCHEDULES)
    return "'gpuverify schedules'";
  if (door == BATCH)
    return "'gpuverify batch'";
  if (door == TEMPLATE)
    return "'gpuverify launch'";
  if (door == REPAIRS)
    return "'gpuverify repair'";
  if (door == INSIDE)
    return "the plugin for clang";
  if (at == DOOR_RUN || at == DOOR_LAUNCH || at == DOOR_SCHEDULES ||
      at == DOOR_THREADS)
    return "the proof";
  if (at == DOOR_REPAIR)
    return "the proof, not of 'gpuverify repair'";
  if (at == DOOR_MERGE)
    return "the proof, not of 'gpuverify merge'";
  return at == DOOR_PLUGIN ? "the command, not of the plugin"
                           : "the proof, not of 'gpuverify barriers'";
}

static bool unknown_option(const OptionReading *reading, const char *name) {
  const char *nearest = nearest_name(name);
  if (nearest)
    return fail(reading, "unknown option '%s'; did you mean '%s%s'?",
                reading->shown, strlen(nearest) > 1 ? "--" : "-", nearest);
  return fail(reading, "unknown option '%s' (see --help)", reading->shown);
}

bool settings_parse(Task *task, Settings *settings, FrontDoor door,
                    const char *text, const char **error) {
  OptionReading reading = {.task = task, .settings = settings, .error = error};
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
  return option_store(&reading);
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

// What clang is to be told: -O2, -std=c++20, -isystem DIR, and of whole
// programs -g.
static bool is_for_clang(Task *task, FrontDoor door, const char *text) {
  bool is_whole = door == DOOR_RUN || door == DOOR_THREADS;
  bool is_long = text[0] == '-' && text[1] && (is_whole || text[2]);
  return door != DOOR_PLUGIN && door != DOOR_MERGE && is_long &&
         text[1] != '-' && !is_ours(task, door, text);
}

// How many of the texts, the first an option of nvcc that is none of ours.
static int take_nvcc(Task *task, Settings *settings, FrontDoor door, int count,
                     char **texts, const char **error) {
  bool is_free = door == DOOR_RUN || !is_ours(task, door, texts[0]);
  return door != DOOR_PLUGIN && door != DOOR_MERGE && is_free
             ? nvcc_take(task, settings, count, texts, error)
             : 0;
}

static bool takes_next(const char *text) {
  static const char *const names[] = {
#define PAIR(name) name,
#include "plugin/pairs.def"
#undef PAIR
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(text, names[i]))
      return true;
  return false;
}

// An option for clang, and its value; how many of the texts.
static int take_clang(Task *task, Settings *settings, int count, char **texts,
                      const char **error) {
  push(&task->arena, &settings->clang_args, texts[0]);
  if (!takes_next(texts[0]))
    return 1;
  if (count == 1) {
    *error = arena_printf(&task->arena, "%s: a value is missing", texts[0]);
    return -1;
  }
  push(&task->arena, &settings->clang_args, texts[1]);
  return 2;
}

// What follows -- is not for us.
static bool takes_program(FrontDoor door) {
  return door == DOOR_RUN || door == DOOR_BATCH || door == DOOR_THREADS;
}

bool settings_parse_all(Task *task, Settings *settings, FrontDoor door,
                        int count, char **texts, const char **error) {
  for (int i = 0; i < count; i++) {
    const char *text = texts[i];
    if (takes_program(door) && !strcmp(text, "--")) {
      while (++i < count)
        push(&task->arena, &settings->program_args, texts[i]);
      return true;
    }
    int taken = take_nvcc(task, settings, door, count - i, texts + i, error);
    if (!taken && is_for_clang(task, door, text))
      taken = take_clang(task, settings, count - i, texts + i, error);
    if (taken < 0)
      return false;
    if (taken) {
      i += taken - 1;
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

// Warnings are for who compiles, and so is it to take them for errors.
static bool is_of_warnings(const char *text) {
  return !strcmp(text, "-Werror") || !strncmp(text, "-Werror=", 8);
}

bool settings_parse_compiler(Task *task, Settings *settings, int count,
                             char **texts, const char **error) {
  for (int i = 0; i < count; i++) {
    int taken = nvcc_take(task, settings, count - i, texts + i, error);
    if (taken < 0)
      return false;
    if (taken) {
      i += taken - 1;
      continue;
    }
    if (texts[i][0] != '-' || is_of_warnings(texts[i]))
      continue;
    push(&task->arena, &settings->clang_args, texts[i]);
    if (takes_next(texts[i]) && i + 1 < count)
      push(&task->arena, &settings->clang_args, texts[++i]);
  }
  push(&task->arena, &settings->clang_args, "-w");
  return true;
}

bool settings_parse_environment(Task *task, Settings *settings, FrontDoor door,
                                const char **error) {
  // Options of proofs, and there is none where databases are merged.
  const char *flags = door == DOOR_MERGE ? NULL : getenv("GPUVERIFY_FLAGS");
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
// What follows -- stays as it is.
static bool expand(Task *task, FrontDoor door, int count, char **texts,
                   Texts *words, const char **error) {
  Texts ours = {0};
  int end = 0;
  while (end < count && !(takes_program(door) && !strcmp(texts[end], "--")))
    push(&task->arena, &ours, texts[end++]);
  *words = with_options_files(&task->arena, ".", &ours);
  const char *unread = unread_options_file(words, false);
  while (end < count)
    push(&task->arena, words, texts[end++]);
  if (unread)
    *error =
        arena_printf(&task->arena, "--options-file: cannot read '%s'", unread);
  return !unread;
}

bool settings_read(Task *task, Settings *settings, FrontDoor door, int count,
                   char **texts, const char **error) {
  Texts words = {0};
  settings_default(settings, door);
  return settings_parse_environment(task, settings, door, error) &&
         expand(task, door, count, texts, &words, error) &&
         settings_parse_all(task, settings, door, (int)words.count,
                            (char **)(uintptr_t)words.at, error) &&
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
    return "usage: gpuverify [OPTION].. FILE..    (.cu .hip .cl .ll .bc)\n"
           "       gpuverify [OPTION].. -- COMMAND..    (a build: make, "
           "ninja)\n"
           "       gpuverify batch --help\n"
           "       gpuverify merge --help\n"
           "       gpuverify barriers --help\n"
           "       gpuverify run --help\n"
           "       gpuverify launch --help\n"
           "       gpuverify schedules --help\n"
           "       gpuverify threads --help\n"
           "       gpuverify repair --help\n"
           "       gpuverify report --help\n\n"
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
  case DOOR_BATCH:
    return "usage: gpuverify batch [OPTION].. -p BUILD [REGEX..]    "
           "(compile_commands.json)\n"
           "       gpuverify batch [OPTION].. FILE|FOLDER..\n"
           "       gpuverify batch [OPTION].. -- COMMAND..    (make, ninja)\n\n"
           "Proves all kernels of a project and keeps the verdicts in one "
           "file.\n";
  case DOOR_MERGE:
    return "usage: gpuverify merge OUT.db IN.db..\n\n"
           "Puts the results of several batches, as of --shard, into one "
           "database.\n";
  case DOOR_SCHEDULES:
    return "usage: gpuverify schedules [OPTION].. --launch=FILE.json FILE    "
           "(.cu .cl .ll .bc)\n\n"
           "Executes one kernel under many schedules, and looks for one under "
           "which it goes wrong.\n";
  case DOOR_THREADS:
    return "usage: gpuverify threads [OPTION].. PROGRAM.c [FILE..] "
           "[-- ARGUMENT..]\n\n"
           "Executes a program with POSIX threads under many schedules, and "
           "looks for one under\nwhich it goes wrong.\n";
  case DOOR_REPAIR:
    return "usage: gpuverify repair [OPTION].. FILE..    (.cu .hip .cl)\n"
           "       gpuverify repair --redundant-barriers [OPTION].. FILE..    "
           "(also .ptx)\n\n"
           "Looks for the smallest change under which a kernel with a bug is "
           "verified, or for\nbarriers that it can do without.\n";
  }
  return "";
}

void settings_help(FrontDoor door, FILE *out) {
  fputs(usage_of(door), out);
  if (door != DOOR_PLUGIN && door != DOOR_MERGE)
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

bool settings_look_for_values(const Settings *settings) {
  return settings->detect && !strcmp(settings->detect, "values");
}

bool settings_compare_warps(const Settings *settings) {
  return settings->unit && !strcmp(settings->unit, "warp");
}

bool settings_want_device(const Settings *settings) {
  return settings->device && strcmp(settings->device, "cpu") != 0;
}
