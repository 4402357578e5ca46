// A launch file to begin with: what the kernel and the host code of its file
// say, and for the rest something that can be executed.

#include "plugin/launch.h"

#include <inttypes.h>
#include <string.h>

typedef struct Template {
  FILE *out;
  const Code *code;
  const Launch *launch;
  unsigned prints; // buffers to be printed
} Template;

// ------------------------------------------------------------- arguments ---

static void print_buffer(FILE *out, const Field *pointer) {
  const Element *element =
      pointer ? element_for(pointer->element_kind, pointer->element_bytes,
                            pointer->element_is_unsigned)
              : NULL;
  fprintf(out, "\"type\": \"%s\", \"count\": 1024, \"init\": \"iota\"",
          element ? element->name : "i32");
}

// Of a union only the first member.
static void print_members(FILE *out, const Fields *fields) {
  uint64_t end = 0;
  for (size_t i = 0; i < fields->count; i++) {
    const Field *field = &fields->at[i];
    if (i && field->offset < end)
      continue;
    fprintf(out, "%s\"%s\": ", i ? ", " : "", field->name);
    if (field->kind == FIELD_POINTER) {
      fputc('{', out);
      print_buffer(out, field);
      fputc('}', out);
    } else {
      fputc('1', out);
    }
    end = field->offset + field->bytes;
  }
}

static void print_struct(FILE *out, const Parameter *parameter) {
  if (!parameter->fields.count) {
    fputs("\"bytes\": \"zero\"", out);
    return;
  }
  fputs("\"members\": {", out);
  print_members(out, &parameter->fields);
  fputc('}', out);
}

static void print_value(FILE *out, const Parameter *parameter,
                        const Argument *known) {
  bool is_whole = known && known->known && parameter->kind == PARAMETER_INTEGER;
  bool is_signed =
      !parameter->fields.count || !parameter->fields.at[0].is_unsigned;
  unsigned unused = parameter->bytes < 8 ? 64 - 8 * parameter->bytes : 0;
  uint64_t value = is_whole ? known->value << unused : UINT64_C(1) << unused;
  if (is_signed)
    fprintf(out, "\"value\": %" PRId64, (int64_t)value >> unused);
  else if (value >> unused > INT64_MAX)
    fprintf(out, "\"value\": \"%" PRIu64 "\"", value >> unused);
  else
    fprintf(out, "\"value\": %" PRIu64, value >> unused);
}

static void print_argument(FILE *out, const Parameter *parameter,
                           const Argument *known) {
  fprintf(out, "    {\"name\": \"%s\", ", parameter->name);
  switch (parameter->kind) {
  case PARAMETER_POINTER:
    print_buffer(out, parameter->fields.count ? parameter->fields.at : NULL);
    break;
  case PARAMETER_INTEGER:
  case PARAMETER_FLOAT:
    print_value(out, parameter, known);
    break;
  case PARAMETER_STRUCT:
    print_struct(out, parameter);
    break;
  case PARAMETER_SHARED:
    fputs("\"bytes\": 1024", out);
    break;
  }
  fputc('}', out);
}

static void print_arguments(const Template *template) {
  const Code *code = template->code;
  const Launch *launch = template->launch;
  fputs("  \"arguments\": [", template->out);
  for (size_t i = 0; i < code->parameters.count; i++) {
    fputs(i ? ",\n" : "\n", template->out);
    print_argument(template->out, &code->parameters.at[i],
                   i < launch->arguments.count ? &launch->arguments.at[i]
                                               : NULL);
  }
  fputs("\n  ],\n", template->out);
}

// ---------------------------------------------------------------- prints ---

static void print_print(Template *template, const char *name,
                        const char *field) {
  fprintf(template->out, "%s{\"buffer\": \"%s%s%s\", \"count\": 8}",
          template->prints++ ? ",\n            " : "", name, *field ? "." : "",
          field);
}

static void print_prints(Template *template) {
  const Code *code = template->code;
  fputs("  \"print\": [", template->out);
  for (size_t i = 0; i < code->parameters.count; i++) {
    const Parameter *parameter = &code->parameters.at[i];
    const Fields *fields = &parameter->fields;
    if (parameter->kind == PARAMETER_POINTER)
      print_print(template, parameter->name, "");
    for (size_t j = 0; parameter->kind == PARAMETER_STRUCT && j < fields->count;
         j++)
      if (fields->at[j].kind == FIELD_POINTER)
        print_print(template, parameter->name, fields->at[j].name);
  }
  fputs("]\n", template->out);
}

// ----------------------------------------------------------------- sizes ---

static void print_size(FILE *out, const char *name, const Extent size[3],
                       const uint32_t otherwise[3]) {
  fprintf(out, "  \"%s\": [", name);
  for (unsigned axis = 0; axis < 3; axis++)
    fprintf(out, "%s%u", axis ? ", " : "",
            size[axis].known ? size[axis].value : otherwise[axis]);
  fputs("],\n", out);
}

static bool has_dynamic_shared(const Code *code) {
  for (size_t i = 0; i < code->variables.count; i++)
    if (code->variables.at[i].is_dynamic)
      return true;
  return false;
}

// What the kernel is compiled for, else few.
static void print_sizes(FILE *out, const Code *code, const Launch *launch) {
  uint32_t grid[3] = {1, 1, 1}, block[3] = {64, 1, 1};
  if (code->most_threads)
    block[0] = code->most_threads;
  if (code->block[0])
    memcpy(block, code->block, sizeof block);
  if (code->cluster[0])
    memcpy(grid, code->cluster, sizeof grid);
  else if (launch->cluster[0].known)
    for (unsigned axis = 0; axis < 3; axis++)
      grid[axis] =
          launch->cluster[axis].known ? launch->cluster[axis].value : 1;
  print_size(out, "grid", launch->grid, grid);
  print_size(out, "block", launch->block, block);
  if (launch->cluster[0].known)
    print_size(out, "cluster", launch->cluster, (uint32_t[]){1, 1, 1});
}

void launch_template(FILE *out, const Code *code, const Launch *launch) {
  Template template = {out, code, launch, .prints = 0};
  fprintf(out, "{\n  \"kernel\": \"%s\",\n", code->source);
  print_sizes(out, code, launch);
  if (has_dynamic_shared(code))
    fprintf(out, "  \"dynamic_shared\": %u,\n",
            launch->dynamic_shared.known ? launch->dynamic_shared.value : 1024);
  print_arguments(&template);
  print_prints(&template);
  fputs("}\n", out);
}
