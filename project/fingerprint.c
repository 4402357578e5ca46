// What of a module can count for a kernel, in a form that stays.
//
// In comes a module as LLVM prints it, so nothing that it has can be forgotten
// here; what is left out is left out on purpose.  From the kernel we follow
// every name: functions, variables, attributes, types, metadata.  Of a variable
// whoever names it counts as well, for it may write there, and assembly names
// variables in its text.  Numbers of attributes and metadata become those of
// their first mention.
//
// PlaceTable move when somebody writes a comment.  So a line and its column
// become the number of the place among all of the kernel's, and a file becomes
// its number with whether it is the user's own.  Two kernels with the same
// print have the same places in the same roles, and what is known of one is
// known of the other if its places are put in.
//
// The name of the kernel itself, with its template arguments, and of variables
// in it is left out; those of all else count, since a report has them and what
// a function does is known by its name.

#include "project/project.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef enum EntityKind {
  ENTITY_FUNCTION,
  ENTITY_VARIABLE,
  ENTITY_NUMBERED, // attributes and metadata
  ENTITY_OTHER,    // a type, a comdat
} EntityKind;

typedef struct Entity {
  EntityKind kind;
  const char *text;
  size_t length;
  bool is_list;       // of what shall be kept, such as llvm.used
  bool is_constant;   // that nobody but this module sees: nobody writes there
  Vec(size_t) namers; // VARIABLE: who names it
} Entity;

struct IrText {
  Vec(Entity) entities;
  WordTable names; // "@k", "!7", "#2", "%struct.S", "$k": number i is entity i
  Texts always;    // of the module as a whole
  Texts lists;     // named metadata, as texts
};

static bool is_word(char c) {
  return isalnum((unsigned char)c) || strchr("_$.-", c);
}

// ---------------------------------------------------------------- names ---

// Of a name behind its sigil, with its quotes if it has them.
static size_t name_length(const char *at, const char *end) {
  const char *from = at;
  if (at < end && *at == '"') {
    const char *quote = memchr(at + 1, '"', (size_t)(end - at - 1));
    return quote ? (size_t)(quote - from) + 1 : 0;
  }
  while (at < end && *at && is_word(*at))
    at++;
  return (size_t)(at - from);
}

// A name that counts everywhere begins here: how long, with its sigil.
static size_t named(const char *at, const char *end) {
  if (!strchr("@!#%$", *at) || at + 1 >= end)
    return 0;
  if (strchr("!#", *at) && !isdigit((unsigned char)at[1]))
    return 0;
  size_t length = name_length(at + 1, end);
  return length ? length + 1 : 0;
}

// Behind a text in quotes that begins here.
static const char *behind_quotes(const char *at, const char *end) {
  const char *quote = memchr(at + 1, '"', (size_t)(end - at - 1));
  return quote ? quote + 1 : end;
}

static const Entity *entity_at(const IrText *ir, const char *name,
                               size_t length, size_t *number) {
  long found = words_find(&ir->names, name, length);
  if (found == NO_WORD)
    return NULL;
  *number = (size_t)found;
  return &ir->entities.at[found];
}

// --------------------------------------------------------------- reading ---

static const char *line_end(const char *at) {
  const char *end = strchr(at, '\n');
  return end ? end : at + strlen(at);
}

static bool begins(const char *text, const char *with) {
  return !strncmp(text, with, strlen(with));
}

// "@.str = private unnamed_addr addrspace(4) constant [5 x i8] .."
static bool is_own_constant(const char *text, const char *end) {
  static const char *const before[] = {" = private ", "unnamed_addr ",
                                       "addrspace(1) ", "addrspace(4) ", NULL};
  const char *at = strstr(text, " = ");
  if (!at || at > end || !begins(at, before[0]))
    return false;
  at += strlen(before[0]);
  for (int i = 1; before[i]; i++)
    at += begins(at, before[i]) ? strlen(before[i]) : 0;
  return begins(at, "constant ");
}

static void add_entity(Task *task, IrText *ir, EntityKind kind,
                       const char *name, const char *text, const char *end) {
  size_t before = ir->names.at.count;
  size_t number = words_add(&task->arena, &ir->names, name, named(name, end));
  if (number < before)
    return;
  bool is_list =
      begins(name, "@llvm.used ") || begins(name, "@llvm.compiler.used ");
  push(&task->arena, &ir->entities,
       ((Entity){.kind = kind,
                 .text = text,
                 .length = (size_t)(end - text),
                 .is_list = is_list,
                 .is_constant = is_own_constant(text, end)}));
}

// A definition goes on until its brace.
static const char *function_end(const char *at) {
  const char *end = begins(at, "define ") ? strstr(at, "\n}\n") : NULL;
  return end ? end + 2 : line_end(at);
}

static const char *read_function(Task *task, IrText *ir, const char *at) {
  const char *end = function_end(at), *name = at;
  while (name < end && *name != '@')
    name = *name == '"' ? behind_quotes(name, end) : name + 1;
  if (name < end)
    add_entity(task, ir, ENTITY_FUNCTION, name, at, end);
  return end;
}

static void read_line(Task *task, IrText *ir, const char *at, const char *end) {
  Arena *arena = &task->arena;
  size_t length = named(at, end);
  if (begins(at, "attributes #"))
    add_entity(task, ir, ENTITY_NUMBERED, at + 11, at, end);
  else if (*at == '!' && !isdigit((unsigned char)at[1]))
    push(arena, &ir->lists, arena_printf(arena, "%.*s", (int)(end - at), at));
  else if (*at == '!' && length)
    add_entity(task, ir, ENTITY_NUMBERED, at, at, end);
  else if (*at == '@' && length)
    add_entity(task, ir, ENTITY_VARIABLE, at, at, end);
  else if (strchr("%$", *at) && length)
    add_entity(task, ir, ENTITY_OTHER, at, at, end);
  else if (at < end && *at != ';' && !begins(at, "source_filename"))
    push(arena, &ir->always, arena_printf(arena, "%.*s", (int)(end - at), at));
}

static void note_namer(Task *task, IrText *ir, size_t who, const char *name,
                       size_t length) {
  size_t number;
  if (!entity_at(ir, name, length, &number))
    return;
  Entity *entity = &ir->entities.at[number];
  size_t count = entity->namers.count;
  bool is_known =
      (count && entity->namers.at[count - 1] == who) || entity->is_constant;
  if (entity->kind == ENTITY_VARIABLE && number != who && !is_known)
    push(&task->arena, &entity->namers, who);
}

// In a text in quotes any word may be the name of a variable, with the dots in
// it or without; "\\0A" is the end of a line.
static void note_words(Task *task, IrText *ir, size_t who, const char *at,
                       const char *end, const char *also) {
  enum { LONGEST = 4096 };
  char name[LONGEST] = "@";
  while (at < end) {
    size_t length = 0;
    while (at + length < end && length < LONGEST - 2 &&
           (isalnum((unsigned char)at[length]) || strchr(also, at[length])))
      length++;
    memcpy(name + 1, at, length);
    if (length)
      note_namer(task, ir, who, name, length + 1);
    at += length ? length : *at == '\\' ? 3 : 1;
  }
}

static const char *note_text(Task *task, IrText *ir, size_t who, const char *at,
                             const char *end) {
  const char *behind = behind_quotes(at, end);
  note_words(task, ir, who, at + 1, behind, "_$");
  note_words(task, ir, who, at + 1, behind, "_$.");
  return behind;
}

static void note_namers(Task *task, IrText *ir, size_t who) {
  const Entity *entity = &ir->entities.at[who];
  const char *end = entity->text + entity->length;
  if (entity->kind > ENTITY_VARIABLE || entity->is_list)
    return;
  for (const char *at = entity->text; at < end;) {
    size_t length = named(at, end);
    if (length && *at == '@')
      note_namer(task, ir, who, at, length);
    if (length)
      at += length;
    else
      at = *at == '"' ? note_text(task, ir, who, at, end) : at + 1;
  }
}

IrText *ir_text_read(Task *task, const char *text) {
  IrText *ir = NEW(&task->arena, IrText);
  for (const char *at = text; *at;) {
    const char *end = line_end(at);
    if (begins(at, "define ") || begins(at, "declare "))
      end = read_function(task, ir, at);
    else
      read_line(task, ir, at, end);
    at = *end ? end + 1 : end;
  }
  for (size_t i = 0; i < ir->entities.count; i++)
    note_namers(task, ir, i);
  return ir;
}

// ---------------------------------------------------------------- places ---

static const char *place_text(Arena *arena, Loc loc) {
  return arena_printf(arena, "%s\n%u\n%u", loc.file ? loc.file : "", loc.line,
                      loc.column);
}

size_t place_table_add(Arena *arena, PlaceTable *places, Loc loc) {
  const char *text = place_text(arena, loc);
  size_t number = words_add(arena, &places->words, text, strlen(text));
  if (number == places->at.count)
    push(arena, &places->at, loc);
  return number;
}

long place_table_find(Arena *arena, const PlaceTable *places, Loc loc) {
  const char *text = place_text(arena, loc);
  return words_find(&places->words, text, strlen(text));
}

// -------------------------------------------------------------- printing ---

typedef struct Printer {
  Task *task;
  const IrText *ir;
  const char *kernel, *folder;
  const char *within; // how names of variables in the kernel begin, or NULL
  size_t subprogram;  // of the kernel; entities.count: it has none
  PlaceTable *places;
  WordTable files;
  size_t *numbers;  // of entities that are met, from 1 on
  Vec(size_t) line; // those that are met, in this order
  FILE *out;
} Printer;

static size_t meet(Printer *p, size_t entity) {
  if (!p->numbers[entity]) {
    push(&p->task->arena, &p->line, entity);
    p->numbers[entity] = p->line.count;
  }
  return p->numbers[entity];
}

// "name: " of a field of a node, and what follows; NULL: it has none.
static const char *field(const Entity *node, const char *name) {
  const char *end = node->text + node->length;
  size_t length = strlen(name);
  for (const char *at = node->text + 1; at + length < end;) {
    bool is_start = at[-1] == '(' || at[-1] == ' ';
    if (*at == '"')
      at = behind_quotes(at, end);
    else if (is_start && !strncmp(at, name, length))
      return at + length;
    else
      at++;
  }
  return NULL;
}

static const Entity *node_of(const IrText *ir, const Entity *node,
                             const char *name) {
  const char *at = field(node, name);
  size_t number, length = at ? named(at, node->text + node->length) : 0;
  return length ? entity_at(ir, at, length, &number) : NULL;
}

// "gr\C3\B6\C3\9Fe" as LLVM prints it.
static char *unescaped(Arena *arena, const char *at, size_t length) {
  char *text = arena_printf(arena, "%.*s", (int)length, at), *to = text;
  for (const char *from = text; *from; to++) {
    bool is_code = from[0] == '\\' && isxdigit((unsigned char)from[1]) &&
                   isxdigit((unsigned char)from[2]);
    char digits[] = {from[1], is_code ? from[2] : (char)0, 0};
    *to = is_code ? (char)strtoul(digits, NULL, 16) : *from;
    from += is_code ? 3 : 1;
  }
  *to = 0;
  return text;
}

static const char *quoted_field(Arena *arena, const Entity *node,
                                const char *name) {
  const char *at = field(node, name);
  return at && *at == '"' ? unescaped(arena, at + 1, strcspn(at + 1, "\""))
                          : "";
}

static const char *path_of(Printer *p, const Entity *file) {
  Arena *arena = &p->task->arena;
  const char *name = quoted_field(arena, file, "filename: ");
  const char *folder = quoted_field(arena, file, "directory: ");
  if (*name == '/' || !*folder || !strcmp(folder, p->folder))
    return name;
  return arena_printf(arena, "%s/%s", folder, name);
}

static const char *file_of(Printer *p, const Entity *node) {
  enum { DEEPEST = 200 };
  for (int i = 0; node && i < DEEPEST; i++) {
    const Entity *file = node_of(p->ir, node, "file: ");
    if (file)
      return path_of(p, file);
    node = node_of(p->ir, node, "scope: ");
  }
  return "";
}

// Looks at the beginning alone: a module has a hundred thousand of them.
static bool is_node(const Entity *entity, const char *kind) {
  const char *at = entity->text + strcspn(entity->text, "=");
  at += begins(at, "= ") ? 2 : 0;
  at += begins(at, "distinct ") ? strlen("distinct ") : 0;
  return begins(at, kind);
}

static void print_place(Printer *p, const Entity *node, const char *line) {
  const char *column = field(node, "column: ");
  bool is_function = is_node(node, "!DISubprogram(");
  Loc loc = {.file = file_of(p, node),
             .line = (unsigned)strtoul(line, NULL, 10),
             .column =
                 column ? (unsigned)strtoul(column, NULL, 10) : is_function};
  if (loc.line)
    fprintf(p->out, "place: %zu",
            place_table_add(&p->task->arena, p->places, loc));
  else
    fputs("no place", p->out);
}

static void print_file(Printer *p, const Entity *node) {
  const char *path = path_of(p, node);
  size_t number = words_add(&p->task->arena, &p->files, path, strlen(path));
  bool is_users = loc_is_in_users_code((Loc){path, 1, 1});
  fprintf(p->out, "file %zu %d", number, is_users);
}

// Only what the translator can be told by it: no dates, flags, lists of types.
static void print_unit(Printer *p, const Entity *node) {
  const char *language = field(node, "language: ");
  fprintf(p->out, "unit %.*s", language ? (int)strcspn(language, ",)") : 0,
          language);
}

// Behind a field that is not printed, and its comma.
static const char *behind_field(const char *at, const char *end) {
  while (at < end && !strchr(",)", *at))
    at = *at == '"' ? behind_quotes(at, end) : at + 1;
  return at < end && *at == ',' ? at + 2 : at;
}

static bool is_left_out(const Printer *p, const char *at, size_t entity) {
  static const char *const always[] = {"column: ", "scopeLine: "};
  static const char *const own[] = {
      "name: ", "linkageName: ", "templateParams: ", "declaration: "};
  for (size_t i = 0; i < sizeof always / sizeof *always; i++)
    if (begins(at, always[i]))
      return true;
  for (size_t i = 0; entity == p->subprogram && i < sizeof own / sizeof *own;
       i++)
    if (begins(at, own[i]))
      return true;
  return false;
}

static void print_name(Printer *p, const char *name, size_t length) {
  size_t prefix = p->within ? strlen(p->within) : 0, number;
  const Entity *entity = entity_at(p->ir, name, length, &number);
  if (entity && entity->kind == ENTITY_NUMBERED)
    fprintf(p->out, "%c%zu", *name, meet(p, number));
  else if (length == strlen(p->kernel) && !strncmp(name, p->kernel, length))
    fputs("@\1", p->out);
  else if (prefix && length > prefix && !strncmp(name, p->within, prefix))
    fprintf(p->out, "@\2%.*s", (int)(length - prefix), name + prefix);
  else
    fwrite(name, 1, length, p->out);
  if (entity)
    meet(p, number);
}

static void print_text(Printer *p, const Entity *entity, size_t number) {
  const char *at = entity->text, *end = at + entity->length;
  bool is_node = entity->kind == ENTITY_NUMBERED && *at == '!';
  while (at < end) {
    size_t length = named(at, end);
    bool is_field = is_node && at > entity->text && strchr("( ", at[-1]);
    const char *from = at;
    if (is_field && is_left_out(p, at, number)) {
      at = behind_field(at, end);
    } else if (is_field && begins(at, "line: ")) {
      print_place(p, entity, at + 6);
      at += 6 + strspn(at + 6, "0123456789");
    } else if (begins(at, ", !srcloc !")) { // where it was in a buffer
      at += 11;
      at += strspn(at, "0123456789");
    } else if (length) {
      print_name(p, at, length);
      at += length;
    } else {
      at = *at == '"' ? behind_quotes(at, end) : at + 1;
      if (at == from + 1)
        fputc(*from, p->out);
      else
        fwrite(from, 1, (size_t)(at - from), p->out);
    }
  }
}

static void print_entity(Printer *p, size_t number) {
  const Entity *entity = &p->ir->entities.at[number];
  bool is_numbered = entity->kind == ENTITY_NUMBERED;
  fprintf(p->out, "%zu ", p->numbers[number]);
  if (entity->is_list)
    return;
  if (is_numbered && is_node(entity, "!DIFile("))
    print_file(p, entity);
  else if (is_numbered && is_node(entity, "!DICompileUnit("))
    print_unit(p, entity);
  else
    print_text(p, entity, number);
  fputc('\n', p->out);
  for (size_t i = 0; i < entity->namers.count; i++)
    meet(p, entity->namers.at[i]);
}

static void print_met(Printer *p, size_t *done) {
  while (*done < p->line.count)
    print_entity(p, p->line.at[(*done)++]);
}

// Does a node speak of what can count?  One that names nothing speaks of all.
static bool is_wanted(const Printer *p, const Entity *node) {
  bool names_any = false;
  const char *end = node->text + node->length;
  for (const char *at = node->text; at < end;) {
    size_t number, length = *at == '@' ? named(at, end) : 0;
    if (length && entity_at(p->ir, at, length, &number)) {
      names_any = true;
      if (p->numbers[number])
        return true;
    }
    at = *at == '"' ? behind_quotes(at, end) : at + (length ? length : 1);
  }
  return !names_any;
}

static void print_list(Printer *p, const char *list) {
  const char *end = list + strlen(list), *at = strchr(list, '{');
  if (!at || begins(list, "!llvm.dbg.cu ") || begins(list, "!llvm.ident "))
    return;
  fprintf(p->out, "%.*s", (int)(at - list), list);
  while (at < end) {
    size_t number, length = named(at, end);
    const Entity *node = length ? entity_at(p->ir, at, length, &number) : NULL;
    if (node && is_wanted(p, node))
      fprintf(p->out, " !%zu", meet(p, number));
    at += length ? length : 1;
  }
  fputc('\n', p->out);
}

// "_Z1kILi4EEvPi" has "_ZZ1kILi4EEvPiE4tile".
static void find_own_names(Printer *p) {
  Arena *arena = &p->task->arena;
  size_t number;
  const Entity *kernel =
      entity_at(p->ir, p->kernel, strlen(p->kernel), &number);
  p->subprogram = p->ir->entities.count;
  if (begins(p->kernel, "@_Z"))
    p->within = arena_printf(arena, "@_ZZ%sE", p->kernel + 3);
  if (!kernel)
    return;
  meet(p, number);
  const char *brace = strchr(kernel->text, '{');
  const char *debug = strstr(kernel->text, " !dbg !");
  if (brace && debug && debug < line_end(kernel->text)) {
    const char *name = debug + 6;
    if (entity_at(p->ir, name, named(name, line_end(name)), &number))
      p->subprogram = number;
  }
}

void ir_text_print(Task *task, const IrText *ir, const char *kernel,
                   const char *folder, PlaceTable *places, FILE *out) {
  size_t count = ir->entities.count, done = 0;
  Arena *arena = &task->arena;
  Printer p = {.task = task,
               .ir = ir,
               .kernel = arena_printf(arena, "@%s", kernel),
               .folder = folder,
               .places = places,
               .numbers = arena_alloc(arena, (count + 1) * sizeof(size_t)),
               .out = out};
  find_own_names(&p);
  for (size_t i = 0; i < ir->always.count; i++)
    fprintf(out, "%s\n", ir->always.at[i]);
  print_met(&p, &done);
  for (size_t i = 0; i < ir->lists.count; i++)
    print_list(&p, ir->lists.at[i]);
  print_met(&p, &done);
}

Texts ir_text_sources(Task *task, const IrText *ir, const char *folder) {
  Printer p = {.task = task, .ir = ir, .folder = folder};
  Texts sources = {0};
  for (size_t i = 0; i < ir->entities.count; i++) {
    const Entity *entity = &ir->entities.at[i];
    if (entity->kind == ENTITY_NUMBERED && is_node(entity, "!DIFile("))
      push(&task->arena, &sources, path_of(&p, entity));
  }
  return sources;
}
