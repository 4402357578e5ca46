// Launches as the original GPUVerify's interceptors note them: a JSON file with
// a list of objects, each a kernel of OpenCL and how it was launched.
//
// What an object says is what options say, so it becomes options: its sizes,
// its arguments, its flags for the compiler.  Their rules are those of
// options.c.  Whatever is not known is one sentence, no member is ignored but
// those that only say where the launch was met, and of arrays their contents,
// for a proof is for all of these.  Of launches that are given twice one is
// looked at.

#define _POSIX_C_SOURCE 200809L

#include "plugin/launch.h"

#include <ctype.h>
#include <string.h>

typedef Vec(char *) Texts;

typedef struct Item {
  Task *task;
  const json_t *object;
  const char *entry;
  Texts texts;
  const char **error;
} Item;

#define item_fail(item, ...)                                                   \
  (*(item)->error = arena_printf(&(item)->task->arena, __VA_ARGS__), false)

static void add_text(Item *item, char *text) {
  push(&item->task->arena, &item->texts, text);
}

static bool is_among(const char *key, const char *const *known) {
  for (; *known; known++)
    if (!strcmp(key, *known))
      return true;
  return false;
}

static bool has_members(Item *item, const json_t *object, const char *what,
                        const char *const *known) {
  const char *key;
  json_t *value;
  if (!json_is_object(object))
    return item_fail(item, "%s is no object", what);
  json_object_foreach((json_t *)(uintptr_t)object, key, value) {
    if (!is_among(key, known))
      return item_fail(item, "%s has no member \"%s\"", what, key);
  }
  return true;
}

static bool read_text(Item *item, const char *name, const char **text) {
  const json_t *member = json_object_get(item->object, name);
  *text = json_string_value(member);
  return *text ||
         item_fail(item, member ? "\"%s\" is a text" : "\"%s\" is missing",
                   name);
}

// ------------------------------------------------------------------ sizes ---

// One to three numbers; `least` is 1 or 0.
static bool add_sizes(Item *item, const char *name, json_int_t least) {
  const json_t *list = json_object_get(item->object, name);
  char *text = arena_printf(&item->task->arena, "--%s=", name);
  size_t count = json_array_size(list);
  if (!list)
    return true;
  for (size_t i = 0; i < count; i++) {
    const json_t *number = json_array_get(list, i);
    if (!json_is_integer(number) || json_integer_value(number) < least)
      count = 0;
    else
      text = arena_printf(&item->task->arena, "%s%s%" JSON_INTEGER_FORMAT, text,
                          i ? "," : "", json_integer_value(number));
  }
  if (!json_is_array(list) || count < 1 || count > 3)
    return item_fail(item,
                     "\"%s\" is a list of one to three numbers from "
                     "%" JSON_INTEGER_FORMAT " on",
                     name, least);
  add_text(item, text);
  return true;
}

// Groups of any size, in as many dimensions as there are.
static void add_free_groups(Item *item) {
  static const char *const free_sizes[] = {"*", "*,*", "*,*,*"};
  size_t count = json_array_size(json_object_get(item->object, "global_size"));
  add_text(item, arena_printf(&item->task->arena, "--local_size=%s",
                              free_sizes[count - 1]));
}

static bool read_sizes(Item *item) {
  if (!json_object_get(item->object, "global_size"))
    return item_fail(item, "\"global_size\" is missing");
  if (!add_sizes(item, "global_size", 1) || !add_sizes(item, "local_size", 1) ||
      !add_sizes(item, "global_offset", 0))
    return false;
  if (!json_object_get(item->object, "local_size"))
    add_free_groups(item);
  return true;
}

// -------------------------------------------------------------- arguments ---

// A number of sixteen digits, as options take it.
static bool is_hexadecimal(const char *text) {
  size_t start = text && text[0] == '0' && (text[1] | 32) == 'x' ? 2 : 0;
  if (!start || !text[start])
    return false;
  for (const char *c = text + start; *c; c++)
    if (!isxdigit((unsigned char)*c))
      return false;
  return true;
}

static bool add_scalar(Item *item, const json_t *argument, char **scalars) {
  static const char *const known[] = {"type", "value", NULL};
  const json_t *value = json_object_get(argument, "value");
  const char *text = value ? json_string_value(value) : "*";
  if (!has_members(item, argument, "the argument of a scalar", known))
    return false;
  if (value && !is_hexadecimal(text))
    return item_fail(item,
                     "the \"value\" of a scalar is a hexadecimal number "
                     "in quotes");
  *scalars = arena_printf(&item->task->arena, "%s,%s", *scalars, text);
  return true;
}

static bool add_array(Item *item, const json_t *argument, char **arrays) {
  static const char *const known[] = {"type",  "size", "address_space",
                                      "flags", "data", NULL};
  static const char *const spaces[] = {"global", "local", "constant", NULL};
  const json_t *size = json_object_get(argument, "size");
  const json_t *space = json_object_get(argument, "address_space");
  if (!has_members(item, argument, "the argument of an array", known))
    return false;
  if (space &&
      (!json_is_string(space) || !is_among(json_string_value(space), spaces)))
    return item_fail(item, "\"address_space\" is global, local or constant");
  if (size && (!json_is_integer(size) || json_integer_value(size) < 1))
    return item_fail(item, "the \"size\" of an array is a number of bytes");
  *arrays = size ? arena_printf(&item->task->arena, "%s,%" JSON_INTEGER_FORMAT,
                                *arrays, json_integer_value(size))
                 : arena_printf(&item->task->arena, "%s,*", *arrays);
  return true;
}

static bool add_argument(Item *item, const json_t *argument, char **scalars,
                         char **arrays) {
  static const char *const known[] = {"type", NULL};
  const char *type = json_string_value(json_object_get(argument, "type"));
  if (type && !strcmp(type, "scalar"))
    return add_scalar(item, argument, scalars);
  if (type && !strcmp(type, "array"))
    return add_array(item, argument, arrays);
  if (type && (!strcmp(type, "image") || !strcmp(type, "sampler")))
    return has_members(item, argument, "the argument of an image or sampler",
                       known);
  return item_fail(item,
                   "the \"type\" of an argument is scalar, array, image "
                   "or sampler");
}

static bool read_arguments(Item *item) {
  const json_t *list = json_object_get(item->object, "kernel_arguments");
  Arena *arena = &item->task->arena;
  char *scalars = arena_printf(arena, "--kernel-args=%s", item->entry);
  char *arrays = arena_printf(arena, "--kernel-arrays=%s", item->entry);
  size_t without = strlen(scalars), without_arrays = strlen(arrays);
  if (list && !json_is_array(list))
    return item_fail(item, "\"kernel_arguments\" is a list");
  for (size_t i = 0; i < json_array_size(list); i++)
    if (!add_argument(item, json_array_get(list, i), &scalars, &arrays))
      return false;
  if (scalars[without])
    add_text(item, scalars);
  if (arrays[without_arrays])
    add_text(item, arrays);
  return true;
}

// ------------------------------------------------------------------ flags ---

// Of the compiler's flags those count that say what the source is.
// What is defined or found otherwise with it.
static bool says_what_source_is(const char *flag, size_t length) {
  static const char *const beginnings[] = {
      "-D",
      "-U",
      "-I",
      "-cl-std=",
      "-cl-fast-relaxed-math",
      "-cl-finite-math-only",
      "-cl-unsafe-math-optimizations",
      "-cl-single-precision-constant",
  };
  for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
    size_t least = strlen(beginnings[i]);
    if (length >= least && !strncmp(flag, beginnings[i], least))
      return true;
  }
  return false;
}

static bool read_flags(Item *item) {
  const json_t *member = json_object_get(item->object, "compiler_flags");
  const char *at = json_string_value(member);
  if (!member)
    return true;
  if (!at)
    return item_fail(item, "\"compiler_flags\" is a text");
  for (at += strspn(at, " "); *at; at += strspn(at, " ")) {
    size_t length = strcspn(at, " ");
    bool counts = says_what_source_is(at, length);
    bool is_apart = counts && length == 2;
    if (counts)
      add_text(item, arena_printf(&item->task->arena, "%.*s", (int)length, at));
    at += length;
    if (!is_apart)
      continue;
    at += strspn(at, " ");
    length = strcspn(at, " ");
    if (!length)
      return item_fail(item, "\"compiler_flags\": a value is missing");
    add_text(item, arena_printf(&item->task->arena, "%.*s", (int)length, at));
    at += length;
  }
  return true;
}

// ------------------------------------------------------------ where it was ---

// Only told of, so only looked at.
static bool check_place(Item *item) {
  static const char *const known[] = {"function_name", "compilation_unit",
                                      "line_number", NULL};
  const json_t *calls = json_object_get(item->object, "host_api_calls");
  const json_t *order = json_object_get(item->object, "endianness");
  if (order && (!json_is_string(order) ||
                (strcmp(json_string_value(order), "little") != 0 &&
                 strcmp(json_string_value(order), "big") != 0)))
    return item_fail(item, "\"endianness\" is little or big");
  if (calls && !json_is_array(calls))
    return item_fail(item, "\"host_api_calls\" is a list");
  for (size_t i = 0; i < json_array_size(calls); i++)
    if (!has_members(item, json_array_get(calls, i),
                     "an element of \"host_api_calls\"", known))
      return false;
  return true;
}

static bool read_item(Item *item, const char **file) {
  static const char *const known[] = {
      "language",       "kernel_file",      "entry_point", "global_size",
      "local_size",     "global_offset",    "endianness",  "compiler_flags",
      "host_api_calls", "kernel_arguments", NULL};
  const char *language;
  if (!has_members(item, item->object, "the launch", known) ||
      !read_text(item, "language", &language))
    return false;
  if (strcmp(language, "OpenCL") != 0)
    return item_fail(item,
                     "\"language\" is OpenCL; for programs of CUDA see "
                     "docs/PROGRAMS.md");
  return read_text(item, "kernel_file", file) &&
         read_text(item, "entry_point", &item->entry) && read_sizes(item) &&
         read_arguments(item) && read_flags(item) && check_place(item);
}

// ------------------------------------------------------------------- files ---

// Beside the JSON file, unless it says where else.
static const char *beside(Task *task, const char *json, const char *file) {
  const char *slash = strrchr(json, '/');
  if (*file == '/' || !slash)
    return file;
  return arena_printf(&task->arena, "%.*s/%s", (int)(slash - json), json, file);
}

static bool is_given_before(const json_t *list, size_t index) {
  for (size_t i = 0; i < index; i++)
    if (json_equal(json_array_get(list, i), json_array_get(list, index)))
      return true;
  return false;
}

// What is added to a list of this launch is not added to another's.
static void part_lists(Settings *launch) {
  launch->clang_args.room = launch->clang_args.count;
  launch->ignored.room = launch->ignored.count;
  launch->warnings.room = launch->warnings.count;
  launch->program_args.room = launch->program_args.count;
  launch->options.kernel_args.room = launch->options.kernel_args.count;
  launch->options.kernel_arrays.room = launch->options.kernel_arrays.count;
}

static bool read_launch(Task *task, const Settings *settings, const char *json,
                        const json_t *object, Settings *launch,
                        const char **error) {
  const char *file;
  Item item = {.task = task, .object = object, .error = error};
  if (!read_item(&item, &file))
    return false;
  *launch = *settings;
  launch->files.at = NULL;
  launch->files.count = launch->files.room = 0;
  part_lists(launch);
  launch->options.kernel = item.entry;
  if (!settings_parse_all(task, launch, launch->door, (int)item.texts.count,
                          item.texts.at, error))
    return false;
  push(&task->arena, &launch->files, beside(task, json, file));
  return settings_check(task, launch, error);
}

static bool read_launches(Task *task, const Settings *settings,
                          const char *file, const json_t *list,
                          Intercepted *launches, const char **error) {
  if (!json_is_array(list)) {
    *error = "this is no list of launches";
    return false;
  }
  for (size_t i = 0; i < json_array_size(list); i++) {
    Settings launch;
    if (is_given_before(list, i))
      continue;
    if (!read_launch(task, settings, file, json_array_get(list, i), &launch,
                     error)) {
      *error = arena_printf(&task->arena, "launch %zu: %s", i + 1, *error);
      return false;
    }
    push(&task->arena, launches, launch);
  }
  return true;
}

bool intercepted_read(Task *task, const Settings *settings, const char *file,
                      Intercepted *launches, const char **error) {
  json_error_t mistake;
  json_t *root = json_load_file(file, JSON_REJECT_DUPLICATES, &mistake);
  if (!root) {
    *error = mistake.line > 0 ? arena_printf(&task->arena, "line %d: %s",
                                             mistake.line, mistake.text)
                              : arena_copy(&task->arena, mistake.text);
    return false;
  }
  // What it says stays until the end: settings point to it.
  return read_launches(task, settings, file, root, launches, error);
}
