// Launch files: one launch of one kernel, as JSON (docs/LAUNCH.md).
//
// The kernel says which arguments there must be; the file says what they are.
// Whatever does not fit is one sentence with the place in the file, and no
// member is ignored.

#define _POSIX_C_SOURCE 200809L

#include "plugin/launch.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

enum {
  LARGEST_BLOCK = 1024,
  LARGEST_SHARED = 227 << 10, // of any device
};

bool launch_check_members(Reading *reading, const json_t *object,
                          const char *what, const char *const *known) {
  const char *key;
  if (!json_is_object(object))
    return fail(reading, "%s is no object", what);
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

// ------------------------------------------------------------- arguments ---

bool launch_read_whole(Reading *reading, const json_t *object, const char *name,
                       uint64_t least, uint64_t most, uint64_t *value) {
  const json_t *member = json_object_get(object, name);
  uint64_t number = (uint64_t)json_integer_value(member);
  if (!member)
    return true;
  if (!json_is_integer(member) || json_integer_value(member) < 0 ||
      number < least || number > most)
    return most < INT64_MAX
               ? fail(reading,
                      "\"%s\" is a whole number from %" PRIu64 " to %" PRIu64,
                      name, least, most)
               : fail(reading, "\"%s\" is a whole number from %" PRIu64 " on",
                      name, least);
  *value = number;
  return true;
}

// A list of whatever, or nothing.
static bool read_list(Reading *reading, const char *name, const json_t **list) {
  *list = json_object_get(reading->file->root, name);
  return !*list || json_is_array(*list) ||
         fail(reading, "\"%s\" is a list", name);
}

static bool read_element(Reading *reading, const json_t *object,
                         const char *name, const Element **element) {
  const json_t *type = json_object_get(object, "type");
  *element = element_named(type ? json_string_value(type) : "i32");
  return *element || fail(reading,
                          "argument '%s': \"type\" is one of i8, u8, i16, "
                          "u16, i32, u32, i64, u64, f16, bf16, f32, f64",
                          name);
}

// More than this machine has could not be filled.
static bool has_room(uint64_t count, unsigned bytes) {
  uint64_t pages = (uint64_t)sysconf(_SC_PHYS_PAGES);
  return count <= pages * (uint64_t)sysconf(_SC_PAGESIZE) / bytes;
}

static bool bind_buffer(Reading *reading, const json_t *object,
                        const char *name, char *value) {
  static const char *const known[] = {"name", "type", "count", "init", NULL};
  const Element *element;
  Run *run = reading->run;
  uint64_t count = 0;
  const char *what = arena_printf(&reading->task->arena, "argument '%s'", name);
  if (!launch_check_members(reading, object, what, known) ||
      !read_element(reading, object, name, &element))
    return false;
  if (!launch_read_whole(reading, object, "count", 1, INT64_MAX, &count))
    return fail(reading, "%s: %s", what, *reading->error);
  if (!count)
    return fail(reading, "%s needs a \"count\" of elements", what);
  uint64_t bytes = count * element->bytes;
  Buffer buffer = {.name = name,
                   .at = has_room(count, element->bytes) ? memory_shared(bytes)
                                                         : NULL,
                   .bytes = bytes,
                   .element = element->bytes};
  if (!buffer.at)
    return fail(reading, "%s is too large", what);
  memcpy(value, &buffer.at, sizeof buffer.at);
  push(&reading->task->arena, &run->buffers, buffer);
  push(&reading->task->arena, &reading->file->elements, element);
  return launch_fill(reading, json_object_get(object, "init"), element,
                     buffer.at, count) ||
         fail(reading, "%s: %s", what, *reading->error);
}

static const Element *element_of(const Parameter *parameter) {
  bool is_unsigned =
      parameter->fields.count && parameter->fields.at[0].is_unsigned;
  return element_for(parameter->kind == PARAMETER_FLOAT ? FIELD_FLOAT
                                                        : FIELD_INTEGER,
                     parameter->bytes, is_unsigned);
}

static bool bind_scalar(Reading *reading, const json_t *object,
                        const Parameter *parameter, char *value) {
  static const char *const known[] = {"name", "value", NULL};
  const Element *element = element_of(parameter);
  const json_t *number = json_object_get(object, "value");
  if (!launch_check_members(reading, object, "the argument of a scalar", known))
    return false;
  if (!element)
    return fail(reading, "argument '%s' has %u bytes, which no number has here",
                parameter->name, parameter->bytes);
  if (!number)
    return fail(reading, "argument '%s' needs a \"value\"", parameter->name);
  return element_read(number, element, value) ||
         fail(reading, "argument '%s': its \"value\" is no %s", parameter->name,
              element->name);
}

static const Field *field_named(const Parameter *parameter, const char *name) {
  for (size_t i = 0; i < parameter->fields.count; i++)
    if (!strcmp(parameter->fields.at[i].name, name))
      return &parameter->fields.at[i];
  return NULL;
}

// A number, or for a pointer a buffer of its own.
static bool bind_member(Reading *reading, const Parameter *parameter,
                        const char *name, const json_t *member, char *value) {
  const Field *field = field_named(parameter, name);
  const char *whole =
      arena_printf(&reading->task->arena, "%s.%s", parameter->name, name);
  if (!field)
    return fail(reading, "argument '%s' has no member '%s'", parameter->name,
                name);
  if (field->kind == FIELD_POINTER && json_is_null(member))
    return true;
  if (field->kind == FIELD_POINTER)
    return bind_buffer(reading, member, whole, value + field->offset);
  const Element *element =
      element_for(field->kind, field->bytes, field->is_unsigned);
  return (element && element_read(member, element, value + field->offset)) ||
         fail(reading, "member '%s' is no %s", whole,
              element ? element->name : "number");
}

static bool bind_members(Reading *reading, const json_t *members,
                         const Parameter *parameter, char *value) {
  const char *name;
  json_t *member;
  if (members && !json_is_object(members))
    return fail(reading, "argument '%s': \"members\" is an object",
                parameter->name);
  json_object_foreach((json_t *)(uintptr_t)members, name, member) {
    if (!bind_member(reading, parameter, name, member, value))
      return false;
  }
  return true;
}

static bool bind_struct(Reading *reading, const json_t *object,
                        const Parameter *parameter, char *value) {
  static const char *const known[] = {"name", "bytes", "members", NULL};
  const json_t *bytes = json_object_get(object, "bytes");
  const json_t *members = json_object_get(object, "members");
  if (!launch_check_members(reading, object, "the argument of a struct", known))
    return false;
  if (!bytes && !members)
    return fail(reading, "argument '%s' needs its \"members\" or \"bytes\"",
                parameter->name);
  return launch_fill(reading, bytes, element_named("u8"), value,
                     parameter->bytes) &&
         bind_members(reading, members, parameter, value);
}

static bool bind_shared(Reading *reading, const json_t *object,
                        const Parameter *parameter, char *value) {
  static const char *const known[] = {"name", "bytes", NULL};
  uint64_t bytes = 0;
  if (!launch_check_members(reading, object, "a __local argument", known) ||
      !launch_read_whole(reading, object, "bytes", 1, LARGEST_SHARED, &bytes))
    return false;
  if (!bytes)
    return fail(reading, "argument '%s' needs its \"bytes\"", parameter->name);
  memcpy(value, &bytes, sizeof bytes);
  return true;
}

static bool bind_argument(Reading *reading, const json_t *object,
                          size_t index) {
  const Parameter *parameter = &reading->code->parameters.at[index];
  const json_t *given = json_object_get(object, "name");
  const char *name = json_string_value(given);
  char *value = arena_alloc(&reading->task->arena, parameter->bytes + 8);
  push(&reading->task->arena, &reading->run->arguments, (void *)value);
  if (!json_is_object(object))
    return fail(reading, "argument %zu is no object", index + 1);
  if (given && !name)
    return fail(reading, "\"name\" of argument %zu is no string", index + 1);
  if (name && strcmp(name, parameter->name) != 0)
    return fail(reading, "argument %zu is '%s', not '%s'", index + 1,
                parameter->name, name);
  switch (parameter->kind) {
  case PARAMETER_POINTER:
    return bind_buffer(reading, object, parameter->name, value);
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
  const json_t *list;
  size_t want = reading->code->parameters.count;
  if (!read_list(reading, "arguments", &list))
    return false;
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
  if (!value)
    return fail(reading, "there is no \"%s\"", name);
  for (size_t axis = 0; axis < 3; axis++) {
    const json_t *one = is_list ? json_array_get(value, axis)
                        : axis  ? NULL
                                : value;
    json_int_t number = one ? json_integer_value(one) : axis ? 1 : 0;
    if (number < 1 || number > INT32_MAX || json_array_size(value) > 3)
      return fail(reading,
                  "\"%s\" is a whole number from 1 on, or a list of up to "
                  "three",
                  name);
    size[axis] = (uint32_t)number;
  }
  return true;
}

static bool read_range(Reading *reading, const json_t *object, Range *range) {
  const char *name = json_is_string(object)
                         ? json_string_value(object)
                         : json_string_value(json_object_get(object, "buffer"));
  const Run *run = reading->run;
  if (!json_is_string(object) && !json_is_object(object))
    return fail(reading, "a range is the name of a buffer, or an object");
  while (name && range->buffer < run->buffers.count &&
         strcmp(run->buffers.at[range->buffer].name, name) != 0)
    range->buffer++;
  if (!name)
    return fail(reading, "a range needs its \"buffer\"");
  if (range->buffer == run->buffers.count)
    return fail(reading, "no buffer is called '%s'", name);
  range->element = reading->file->elements.at[range->buffer];
  uint64_t all = run->buffers.at[range->buffer].bytes / range->element->bytes;
  if (!launch_read_whole(reading, object, "from", 0, INT64_MAX, &range->from))
    return false;
  range->count = range->from < all ? all - range->from : 0;
  if (!launch_read_whole(reading, object, "count", 1, INT64_MAX, &range->count))
    return false;
  if (range->from >= all || range->count > all - range->from)
    return fail(reading, "'%s' has %" PRIu64 " elements", name, all);
  return true;
}

static bool read_prints(Reading *reading) {
  static const char *const known[] = {"buffer", "from", "count", NULL};
  const json_t *list;
  if (!read_list(reading, "print", &list))
    return false;
  for (size_t i = 0; i < json_array_size(list); i++) {
    Range range = {0};
    const json_t *object = json_array_get(list, i);
    if ((json_is_object(object) &&
         !launch_check_members(reading, object, "\"print\"", known)) ||
        !read_range(reading, object, &range))
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
  Range range = {.tolerance = json_number_value(tolerance)};
  if (!launch_check_members(reading, object, "\"expect\"", known) ||
      !read_range(reading, object, &range))
    return false;
  if (!list)
    return fail(reading, "\"expect\" needs what \"is\" there");
  if (tolerance && (!json_is_number(tolerance) || range.tolerance < 0 ||
                    !range.element->is_float))
    return fail(reading,
                "\"tolerance\" is a number that is not negative, of floats");
  if (json_is_array(list) && json_array_size(list) < range.count)
    range.count = json_array_size(list);
  range.expected = arena_alloc(&reading->task->arena,
                               range.count * range.element->bytes + 1);
  push(&reading->task->arena, &reading->file->expectations, range);
  return launch_fill(reading, list, range.element, range.expected, range.count);
}

static bool read_expectations(Reading *reading) {
  const json_t *list;
  if (!read_list(reading, "expect", &list))
    return false;
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
  const json_t *kernel = json_object_get(file->root, "kernel");
  file->kernel = json_string_value(kernel);
  if (kernel && !file->kernel)
    return fail(&reading, "%s: \"kernel\" is no string", name);
  if (launch_check_members(&reading, file->root, "a launch", known))
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

static bool read_block(Reading *reading) {
  Run *run = reading->run;
  const uint32_t *size = run->block, *compiled = reading->code->block;
  if (!read_size(reading, "block", run->block))
    return false;
  if ((uint64_t)size[0] * size[1] > LARGEST_BLOCK ||
      (uint64_t)size[0] * size[1] * size[2] > LARGEST_BLOCK)
    return fail(reading, "a block has at most %d threads", LARGEST_BLOCK);
  if (compiled[0] && memcmp(compiled, size, sizeof run->block) != 0)
    return fail(reading, "the kernel has blocks of %u x %u x %u threads",
                compiled[0], compiled[1], compiled[2]);
  return true;
}

static bool read_limits(Reading *reading) {
  Run *run = reading->run;
  const json_t *root = reading->file->root;
  const json_t *seconds = json_object_get(root, "seconds");
  run->max_seconds = seconds ? json_number_value(seconds) : 10;
  if (seconds && !(run->max_seconds > 0))
    return fail(reading, "\"seconds\" is a number above 0");
  return launch_read_whole(reading, root, "steps", 0, INT64_MAX,
                           &run->max_steps) &&
         launch_read_whole(reading, root, "dynamic_shared", 0, LARGEST_SHARED,
                           &run->dynamic_shared);
}

static bool bind(Reading *reading) {
  return read_limits(reading) &&
         read_size(reading, "grid", reading->run->grid) &&
         read_block(reading) && read_cluster(reading) &&
         bind_arguments(reading) && read_prints(reading) &&
         read_expectations(reading);
}

bool launch_bind(Task *task, LaunchFile *file, const Code *code, Run *run,
                 const char **error) {
  Reading reading = {task, file, code, run, error};
  run->code = code;
  file->elements.count = file->prints.count = file->expectations.count = 0;
  return bind(&reading) || fail(&reading, "%s: %s", file->name, *error);
}

void launch_close(LaunchFile *file) { json_decref(file->root); }
