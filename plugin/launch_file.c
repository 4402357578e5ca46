// Launch files: one launch of one kernel, as JSON (docs/LAUNCH.md).
//
// The kernel says which arguments there must be; the file says what they are.
// Whatever does not fit is one sentence with the place in the file, and no
// member is ignored.

#include "plugin/run.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_BLOCK = 1024 };

static const Element elements[] = {
    {"i32", 4, false, true}, {"u32", 4, false, false}, {"f32", 4, true, true},
    {"f64", 8, true, true},  {"i64", 8, false, true},  {"u64", 8, false, false},
    {"i16", 2, false, true}, {"u16", 2, false, false}, {"i8", 1, false, true},
    {"u8", 1, false, false}};

typedef struct Reading {
  Task *task;
  LaunchFile *file;
  const Code *code;
  Run *run;
  const char **error;
} Reading;

#define fail(reading, ...)                                                     \
  (*(reading)->error = arena_printf(&(reading)->task->arena, __VA_ARGS__),     \
   false)

static const Element *find_element(const char *name) {
  for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
    if (!strcmp(elements[i].name, name))
      return &elements[i];
  return NULL;
}

// Every member of an object has to be one of those listed.
static bool check_members(Reading *reading, const json_t *object,
                          const char *what, const char *const *known) {
  const char *key;
  json_t *value;
  json_object_foreach((json_t *)(uintptr_t)object, key, value) {
    bool is_known = false;
    for (size_t i = 0; known[i]; i++)
      is_known |= !strcmp(known[i], key);
    if (!is_known)
      return fail(reading, "%s has no member \"%s\"", what, key);
  }
  return true;
}

// -------------------------------------------------------------- elements ---

// A number, or a string of one for what does not fit into JSON's.
static bool read_number(const json_t *value, const Element *element, char *at) {
  const char *text = json_string_value(value);
  uint64_t bits = 0;
  if (!text && !json_is_number(value) && !json_is_boolean(value))
    return false;
  if (element->is_float) {
    double number = text ? strtod(text, NULL) : json_number_value(value);
    float single = (float)number;
    if (element->bytes == 4)
      memcpy(at, &single, sizeof single);
    else
      memcpy(at, &number, sizeof number);
    return true;
  }
  if (text)
    bits = *text == '-' ? (uint64_t)strtoll(text, NULL, 0)
                        : strtoull(text, NULL, 0);
  else if (json_is_boolean(value))
    bits = json_is_true(value);
  else if (json_is_integer(value))
    bits = (uint64_t)json_integer_value(value);
  else
    return false;
  memcpy(at, &bits, element->bytes);
  return true;
}

static void put_integer(const Element *element, char *at, uint64_t value) {
  double number = (double)value;
  float single = (float)number;
  if (!element->is_float)
    memcpy(at, &value, element->bytes);
  else if (element->bytes == 4)
    memcpy(at, &single, sizeof single);
  else
    memcpy(at, &number, sizeof number);
}

// Steele, Lea and Flood's SplitMix: the same numbers on every machine.
static uint64_t next_random(uint64_t *state) {
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static bool fill_random(Reading *reading, const json_t *how,
                        const Element *element, char *at, uint64_t count) {
  static const char *const known[] = {"random", "below", NULL};
  uint64_t state = (uint64_t)json_integer_value(json_object_get(how, "random"));
  json_int_t below = 100;
  const json_t *limit = json_object_get(how, "below");
  if (!check_members(reading, how, "\"init\"", known))
    return false;
  if (limit)
    below = json_integer_value(limit);
  if (below < 1)
    return fail(reading, "\"below\" is a whole number from 1 on");
  for (uint64_t i = 0; i < count; i++)
    put_integer(element, at + i * element->bytes,
                next_random(&state) % (uint64_t)below);
  return true;
}

static bool fill_file(Reading *reading, const char *name, char *at,
                      uint64_t bytes) {
  FILE *in = fopen(name, "rb");
  if (!in)
    return fail(reading, "%s: %s", name, strerror(errno));
  size_t count = fread(at, 1, bytes, in);
  fclose(in);
  return count == bytes ||
         fail(reading, "%s has %zu bytes, not %" PRIu64, name, count, bytes);
}

static bool fill_list(Reading *reading, const json_t *list,
                      const Element *element, char *at, uint64_t count) {
  if (json_array_size(list) > count)
    return fail(reading, "a list of %zu values for %" PRIu64 " elements",
                json_array_size(list), count);
  for (size_t i = 0; i < json_array_size(list); i++)
    if (!read_number(json_array_get(list, i), element, at + i * element->bytes))
      return fail(reading, "element %zu of a list is no %s", i, element->name);
  return true;
}

// "zero", "iota", {"random": seed}, {"file": name}, {"all": value}, a list.
static bool fill(Reading *reading, const json_t *how, const Element *element,
                 char *at, uint64_t count) {
  const char *word = json_string_value(how);
  const char *name = json_string_value(json_object_get(how, "file"));
  const json_t *all = json_object_get(how, "all");
  if (!how || (word && !strcmp(word, "zero")))
    return true;
  if (word && !strcmp(word, "iota")) {
    for (uint64_t i = 0; i < count; i++)
      put_integer(element, at + i * element->bytes, i);
    return true;
  }
  if (name)
    return fill_file(reading, name, at, count * element->bytes);
  if (json_object_get(how, "random"))
    return fill_random(reading, how, element, at, count);
  if (json_is_array(how))
    return fill_list(reading, how, element, at, count);
  for (uint64_t i = 0; all && i < count; i++)
    if (!read_number(all, element, at + i * element->bytes))
      return fail(reading, "\"all\" is no %s", element->name);
  return all || fail(reading,
                     "contents are \"zero\", \"iota\", a list, "
                     "{\"all\": ..}, {\"random\": ..} or "
                     "{\"file\": ..}");
}

// ------------------------------------------------------------- arguments ---

static bool read_element(Reading *reading, const json_t *object,
                         const char *name, const Element **element) {
  const json_t *type = json_object_get(object, "type");
  *element = find_element(type ? json_string_value(type) : "i32");
  return *element || fail(reading,
                          "argument '%s': \"type\" is one of i8, u8, "
                          "i16, u16, i32, u32, i64, u64, f32, f64",
                          name);
}

static bool bind_buffer(Reading *reading, const json_t *object,
                        const Parameter *parameter, char *value) {
  static const char *const known[] = {"name", "type", "count", "init", NULL};
  const Element *element;
  Run *run = reading->run;
  json_int_t count = json_integer_value(json_object_get(object, "count"));
  if (!check_members(reading, object, "the argument of a pointer", known) ||
      !read_element(reading, object, parameter->name, &element))
    return false;
  if (count < 1)
    return fail(reading, "argument '%s' needs a \"count\" of elements",
                parameter->name);
  uint64_t bytes = (uint64_t)count * element->bytes;
  Buffer buffer = {.name = parameter->name,
                   .at = memory_shared(bytes),
                   .bytes = bytes,
                   .element = element->bytes};
  if (!buffer.at)
    return fail(reading, "argument '%s' is too large", parameter->name);
  memcpy(value, &buffer.at, sizeof buffer.at);
  push(&reading->task->arena, &run->buffers, buffer);
  push(&reading->task->arena, &reading->file->elements, element);
  return fill(reading, json_object_get(object, "init"), element, buffer.at,
              (uint64_t)count);
}

static bool bind_scalar(Reading *reading, const json_t *object,
                        const Parameter *parameter, char *value) {
  static const char *const known[] = {"name", "value", NULL};
  Element element = {"number", parameter->bytes,
                     parameter->kind == PARAMETER_FLOAT, true};
  return check_members(reading, object, "the argument of a scalar", known) &&
         (read_number(json_object_get(object, "value"), &element, value) ||
          fail(reading, "argument '%s' needs a \"value\"", parameter->name));
}

static bool bind_struct(Reading *reading, const json_t *object,
                        const Parameter *parameter, char *value) {
  static const char *const known[] = {"name", "bytes", NULL};
  return check_members(reading, object, "the argument of a struct", known) &&
         fill(reading, json_object_get(object, "bytes"), find_element("u8"),
              value, parameter->bytes);
}

static bool bind_shared(Reading *reading, const json_t *object,
                        const Parameter *parameter, char *value) {
  static const char *const known[] = {"name", "bytes", NULL};
  json_int_t bytes = json_integer_value(json_object_get(object, "bytes"));
  if (!check_members(reading, object, "a __local argument", known))
    return false;
  if (bytes < 1)
    return fail(reading, "argument '%s' needs its \"bytes\"", parameter->name);
  memcpy(value, &bytes, sizeof bytes);
  return true;
}

static bool bind_argument(Reading *reading, const json_t *object,
                          size_t index) {
  const Parameter *parameter = &reading->code->parameters.at[index];
  const char *name = json_string_value(json_object_get(object, "name"));
  char *value = arena_alloc(&reading->task->arena, parameter->bytes + 8);
  push(&reading->task->arena, &reading->run->arguments, (void *)value);
  if (name && strcmp(name, parameter->name) != 0)
    return fail(reading, "argument %zu is '%s', not '%s'", index + 1,
                parameter->name, name);
  switch (parameter->kind) {
  case PARAMETER_POINTER:
    return bind_buffer(reading, object, parameter, value);
  case PARAMETER_INTEGER:
  case PARAMETER_FLOAT:
    return bind_scalar(reading, object, parameter, value);
  case PARAMETER_STRUCT:
    return bind_struct(reading, object, parameter, value);
  case PARAMETER_SHARED:
    return bind_shared(reading, object, parameter, value);
  }
  return false;
}

static bool bind_arguments(Reading *reading) {
  const json_t *list = json_object_get(reading->file->root, "arguments");
  size_t want = reading->code->parameters.count;
  if (json_array_size(list) != want)
    return fail(reading, "kernel '%s' has %zu arguments, \"arguments\" has %zu",
                reading->code->source, want, json_array_size(list));
  for (size_t i = 0; i < want; i++)
    if (!bind_argument(reading, json_array_get(list, i), i))
      return false;
  return true;
}

// ---------------------------------------------------- sizes and the rest ---

static bool read_size(Reading *reading, const char *name, uint32_t size[3]) {
  const json_t *value = json_object_get(reading->file->root, name);
  bool is_list = json_is_array(value);
  for (size_t axis = 0; axis < 3; axis++) {
    const json_t *one = is_list ? json_array_get(value, axis)
                        : axis  ? NULL
                                : value;
    json_int_t number = one ? json_integer_value(one) : axis ? 1 : 0;
    if (number < 1 || number > INT32_MAX)
      return fail(reading, "\"%s\" is a whole number or a list of up to three",
                  name);
    size[axis] = (uint32_t)number;
  }
  return true;
}

static bool read_range(Reading *reading, const json_t *object, Range *range) {
  const char *name = json_is_string(object)
                         ? json_string_value(object)
                         : json_string_value(json_object_get(object, "buffer"));
  const json_t *from = json_object_get(object, "from");
  const json_t *count = json_object_get(object, "count");
  const Run *run = reading->run;
  while (name && range->buffer < run->buffers.count &&
         strcmp(run->buffers.at[range->buffer].name, name) != 0)
    range->buffer++;
  if (!name || range->buffer == run->buffers.count)
    return fail(reading, "no buffer is called '%s'", name ? name : "");
  range->element = reading->file->elements.at[range->buffer];
  uint64_t all = run->buffers.at[range->buffer].bytes / range->element->bytes;
  range->from = from ? (uint64_t)json_integer_value(from) : 0;
  range->count = count               ? (uint64_t)json_integer_value(count)
                 : range->from < all ? all - range->from
                                     : 0;
  if (range->from > all || range->count > all - range->from)
    return fail(reading, "'%s' has %" PRIu64 " elements", name, all);
  return true;
}

static bool read_prints(Reading *reading) {
  const json_t *list = json_object_get(reading->file->root, "print");
  for (size_t i = 0; i < json_array_size(list); i++) {
    Range range = {0};
    if (!read_range(reading, json_array_get(list, i), &range))
      return false;
    push(&reading->task->arena, &reading->file->prints, range);
  }
  return true;
}

static bool read_expectation(Reading *reading, const json_t *object) {
  static const char *const known[] = {"buffer", "from",      "count",
                                      "is",     "tolerance", NULL};
  const json_t *tolerance = json_object_get(object, "tolerance");
  const json_t *list = json_object_get(object, "is");
  Range range = {.tolerance = tolerance ? json_number_value(tolerance) : 0};
  if (!check_members(reading, object, "\"expect\"", known) ||
      !read_range(reading, object, &range))
    return false;
  if (json_is_array(list) && json_array_size(list) < range.count)
    range.count = json_array_size(list);
  range.expected = arena_alloc(&reading->task->arena,
                               range.count * range.element->bytes + 1);
  push(&reading->task->arena, &reading->file->expectations, range);
  return fill(reading, list, range.element, range.expected, range.count);
}

static bool read_expectations(Reading *reading) {
  const json_t *list = json_object_get(reading->file->root, "expect");
  for (size_t i = 0; i < json_array_size(list); i++)
    if (!read_expectation(reading, json_array_get(list, i)))
      return false;
  return true;
}

bool launch_open(Task *task, const char *name, LaunchFile *file,
                 const char **error) {
  static const char *const known[] = {
      "kernel",         "grid",      "block", "cluster",
      "dynamic_shared", "arguments", "print", "expect",
      "seconds",        "steps",     NULL};
  json_error_t trouble;
  Reading reading = {.task = task, .file = file, .error = error};
  file->name = name;
  file->root = json_load_file(name, JSON_REJECT_DUPLICATES, &trouble);
  if (!file->root && trouble.line < 0)
    return fail(&reading, "%s", trouble.text);
  if (!file->root)
    return fail(&reading, "%s:%d:%d: %s", name, trouble.line, trouble.column,
                trouble.text);
  if (!json_is_object(file->root))
    return fail(&reading, "%s: this is no JSON object", name);
  file->kernel = json_string_value(json_object_get(file->root, "kernel"));
  if (check_members(&reading, file->root, "a launch", known))
    return true;
  return fail(&reading, "%s: %s", name, *error);
}

// Of the launch, or of the kernel.
static bool read_cluster(Reading *reading) {
  Run *run = reading->run;
  const uint32_t *compiled = reading->code->cluster;
  memcpy(run->cluster, compiled, sizeof run->cluster);
  if (json_object_get(reading->file->root, "cluster") &&
      !read_size(reading, "cluster", run->cluster))
    return false;
  for (unsigned axis = 0; axis < 3 && run->cluster[0]; axis++) {
    if (compiled[0] && run->cluster[axis] != compiled[axis])
      return fail(reading, "the kernel has clusters of %u x %u x %u blocks",
                  compiled[0], compiled[1], compiled[2]);
    if (run->grid[axis] % run->cluster[axis])
      return fail(reading, "the grid is no multiple of the cluster");
  }
  if (clusters_size(run) > LARGEST_CLUSTER)
    return fail(reading, "a cluster has at most %d blocks", LARGEST_CLUSTER);
  return true;
}

static bool bind(Reading *reading) {
  Run *run = reading->run;
  const json_t *root = reading->file->root;
  const json_t *seconds = json_object_get(root, "seconds");
  run->dynamic_shared =
      (uint64_t)json_integer_value(json_object_get(root, "dynamic_shared"));
  run->max_steps = (uint64_t)json_integer_value(json_object_get(root, "steps"));
  run->max_seconds = seconds ? json_number_value(seconds) : 10;
  if (!read_size(reading, "grid", run->grid) ||
      !read_size(reading, "block", run->block) || !read_cluster(reading))
    return false;
  if ((uint64_t)run->block[0] * run->block[1] > LARGEST_BLOCK ||
      (uint64_t)run->block[0] * run->block[1] * run->block[2] > LARGEST_BLOCK)
    return fail(reading, "a block has at most %d threads", LARGEST_BLOCK);
  return bind_arguments(reading) && read_prints(reading) &&
         read_expectations(reading);
}

bool launch_bind(Task *task, LaunchFile *file, const Code *code, Run *run,
                 const char **error) {
  Reading reading = {task, file, code, run, error};
  run->code = code;
  return bind(&reading) || fail(&reading, "%s: %s", file->name, *error);
}

void launch_close(LaunchFile *file) { json_decref(file->root); }

// ------------------------------------------------------------ at the end ---

const char *element_text(Task *task, const Element *element, const char *at) {
  Arena *arena = &task->arena;
  uint64_t bits = 0;
  double number = 0;
  float single = 0;
  memcpy(&bits, at, element->bytes);
  memcpy(&single, at, element->bytes < 4 ? 0 : 4);
  memcpy(&number, at, element->bytes < 8 ? 0 : 8);
  if (element->is_float)
    return arena_printf(arena, "%.*g", element->bytes == 4 ? 7 : 15,
                        element->bytes == 4 ? (double)single : number);
  unsigned unused = 64 - 8 * element->bytes;
  return element->is_signed ? arena_printf(arena, "%" PRId64,
                                           (int64_t)(bits << unused) >> unused)
                            : arena_printf(arena, "%" PRIu64, bits);
}

static double as_double(const Element *element, const char *at) {
  float single;
  double number;
  memcpy(&single, at, sizeof single);
  if (element->bytes == 4)
    return (double)single;
  memcpy(&number, at, sizeof number);
  return number;
}

static bool differ(const Range *range, const char *a, const char *b) {
  const Element *element = range->element;
  if (!memcmp(a, b, element->bytes))
    return false;
  if (!element->is_float)
    return true;
  double x = as_double(element, a), y = as_double(element, b);
  return !(fabs(x - y) <= range->tolerance * fmax(fabs(x), fabs(y)));
}

uint64_t range_difference(const Range *range, const Run *run) {
  unsigned bytes = range->element->bytes;
  const char *at = run->buffers.at[range->buffer].at + range->from * bytes;
  uint64_t i = 0;
  while (i < range->count &&
         !differ(range, at + i * bytes, range->expected + i * bytes))
    i++;
  return i;
}

// -------------------------------------------------------------- template ---

static const char *element_name(const char *llvm_type) {
  if (!strcmp(llvm_type, "float"))
    return "f32";
  if (!strcmp(llvm_type, "double"))
    return "f64";
  return find_element(llvm_type) ? llvm_type : "i32";
}

static void print_value(FILE *out, const Parameter *parameter,
                        const Argument *known) {
  bool is_whole = known && known->known && parameter->kind == PARAMETER_INTEGER;
  fprintf(out, "\"value\": %" PRIu64, is_whole ? known->value : 1);
}

static void print_argument(FILE *out, const Parameter *parameter,
                           const Argument *known) {
  fprintf(out, "    {\"name\": \"%s\", ", parameter->name);
  switch (parameter->kind) {
  case PARAMETER_POINTER:
    fprintf(out, "\"type\": \"%s\", \"count\": 1024, \"init\": \"iota\"",
            element_name(parameter->element));
    break;
  case PARAMETER_INTEGER:
  case PARAMETER_FLOAT:
    print_value(out, parameter, known);
    break;
  case PARAMETER_STRUCT:
    fputs("\"bytes\": \"zero\"", out);
    break;
  case PARAMETER_SHARED:
    fputs("\"bytes\": 1024", out);
    break;
  }
  fputc('}', out);
}

static void print_arguments(FILE *out, const Code *code, const Launch *launch) {
  fputs("  \"arguments\": [", out);
  for (size_t i = 0; i < code->parameters.count; i++) {
    fputs(i ? ",\n" : "\n", out);
    print_argument(out, &code->parameters.at[i],
                   i < launch->arguments.count ? &launch->arguments.at[i]
                                               : NULL);
  }
  fputs("\n  ],\n", out);
}

static void print_prints(FILE *out, const Code *code) {
  bool has_one = false;
  fputs("  \"print\": [", out);
  for (size_t i = 0; i < code->parameters.count; i++) {
    if (code->parameters.at[i].kind != PARAMETER_POINTER)
      continue;
    fprintf(out, "%s{\"buffer\": \"%s\", \"count\": 8}",
            has_one ? ",\n            " : "", code->parameters.at[i].name);
    has_one = true;
  }
  fputs("]\n", out);
}

static void print_size(FILE *out, const char *name, const Extent size[3],
                       uint32_t otherwise) {
  fprintf(out, "  \"%s\": [", name);
  for (unsigned axis = 0; axis < 3; axis++)
    fprintf(out, "%s%u", axis ? ", " : "",
            size[axis].known ? size[axis].value
            : axis           ? 1
                             : otherwise);
  fputs("],\n", out);
}

static bool has_dynamic_shared(const Code *code) {
  for (size_t i = 0; i < code->variables.count; i++)
    if (code->variables.at[i].is_dynamic)
      return true;
  return false;
}

void launch_template(FILE *out, const Code *code, const Launch *launch) {
  fprintf(out, "{\n  \"kernel\": \"%s\",\n", code->source);
  print_size(out, "grid", launch->grid, 1);
  print_size(out, "block", launch->block, 64);
  if (launch->cluster[0].known)
    print_size(out, "cluster", launch->cluster, 1);
  if (has_dynamic_shared(code))
    fprintf(out, "  \"dynamic_shared\": %u,\n",
            launch->dynamic_shared.known ? launch->dynamic_shared.value : 1024);
  print_arguments(out, code, launch);
  print_prints(out, code);
  fputs("}\n", out);
}
