// Reads inline assembly.
//
// A small part of PTX's grammar: statements in blocks, registers that are
// declared there, labels, guards.  What is not of it makes the whole text
// unreadable; it is then treated as what nobody knows.

#include "ptx/assembly.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

typedef struct Declared {
  const char *name;
  size_t reg;
  unsigned depth;
} Declared;

typedef struct Reader {
  Task *task;
  Assembly *assembly;
  Vec(Declared) names;
  const char *at;
  unsigned depth, lists; // that are open
  bool has_failed;
} Reader;

// ---------------------------------------------------------------- tokens ---

static void skip_space(Reader *r) {
  for (;;) {
    r->at += strspn(r->at, " \t\r\n\f");
    if (!strncmp(r->at, "//", 2))
      r->at += strcspn(r->at, "\n");
    else if (!strncmp(r->at, "/*", 2)) {
      const char *end = strstr(r->at + 2, "*/");
      r->at = end ? end + 2 : r->at + strlen(r->at);
    } else
      return;
  }
}

static bool accept(Reader *r, char sign) {
  skip_space(r);
  if (*r->at != sign)
    return false;
  r->at++;
  return true;
}

static void fail(Reader *r) {
  r->has_failed = true;
  r->at = "";
}

static void expect(Reader *r, char sign) {
  if (!accept(r, sign))
    fail(r);
}

static bool starts_name(char c) {
  return isalpha((unsigned char)c) || c == '_' || c == '%' || c == '$';
}

static bool continues_name(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '$';
}

// A name with no dots.
static const char *name(Reader *r) {
  char text[64];
  size_t length = 0;
  skip_space(r);
  if (!starts_name(*r->at))
    fail(r);
  while (length < sizeof text - 1 &&
         (length ? continues_name(*r->at) : *r->at != 0))
    text[length++] = *r->at++;
  if (length == sizeof text - 1)
    fail(r);
  return arena_printf(&r->task->arena, "%.*s", (int)length, text);
}

static uint64_t read_integer(Reader *r) {
  PtxConstant constant = {PTX_CONSTANT_SIGNED, 0};
  uint64_t value = 0;
  if (!ptx_constant_at(&r->at, &constant) ||
      !ptx_constant_as(&constant, 's', 64, &value))
    fail(r);
  return value;
}

// ------------------------------------------------------------- registers ---

static void declare(Reader *r, const char *called, const char *type) {
  Arena *arena = &r->task->arena;
  push(arena, &r->names,
       ((Declared){called, r->assembly->registers.count, r->depth}));
  push(arena, &r->assembly->registers, (AsmRegister){type});
}

static size_t find(const Reader *r, const char *called) {
  for (size_t i = r->names.count; i-- > 0;)
    if (!strcmp(r->names.at[i].name, called))
      return r->names.at[i].reg;
  return ASM_NO_REGISTER;
}

static void close_block(Reader *r) {
  while (r->names.count && r->names.at[r->names.count - 1].depth == r->depth)
    r->names.count--;
  if (r->depth == 0)
    fail(r);
  else
    r->depth--;
}

// .reg .u32 a, b, c<4>;
static void read_registers(Reader *r) {
  enum { MOST = 64 };
  expect(r, '.');
  const char *type = name(r);
  do {
    const char *called = name(r);
    if (!accept(r, '<')) {
      declare(r, called, type);
      continue;
    }
    uint64_t count = read_integer(r);
    if (count > MOST)
      fail(r);
    for (unsigned i = 0; i < count && !r->has_failed; i++)
      declare(r, arena_printf(&r->task->arena, "%s%u", called, i), type);
    expect(r, '>');
  } while (accept(r, ','));
  expect(r, ';');
}

// -------------------------------------------------------------- operands ---

static AsmOperand read_operand(Reader *r);

static AsmOperand read_number(Reader *r) {
  AsmOperand operand = {.kind = ASM_NUMBER};
  if (!ptx_constant_at(&r->at, &operand.number))
    fail(r);
  return operand;
}

static AsmOperand read_list(Reader *r) {
  enum { MOST = 8, DEEPEST = 8 };
  AsmOperand operand = {.kind = ASM_LIST};
  if (r->lists == DEEPEST) {
    fail(r);
    return operand;
  }
  r->lists++;
  operand.items = arena_alloc(&r->task->arena, MOST * sizeof(AsmOperand));
  do {
    if (operand.count == MOST) {
      fail(r);
      break;
    }
    operand.items[operand.count++] = read_operand(r);
  } while (accept(r, ','));
  r->lists--;
  expect(r, '}');
  return operand;
}

static AsmOperand read_address(Reader *r) {
  AsmOperand operand = {.kind = ASM_ADDRESS, .reg = find(r, name(r))};
  if (operand.reg == ASM_NO_REGISTER)
    fail(r);
  skip_space(r);
  if (*r->at == '+' || *r->at == '-')
    operand.offset = (int64_t)read_integer(r);
  expect(r, ']');
  return operand;
}

// A register, or a name with dots: %tid.x.
static AsmOperand read_named(Reader *r) {
  AsmOperand operand = {.kind = ASM_NAME, .name = name(r)};
  operand.reg = find(r, operand.name);
  if (operand.reg != ASM_NO_REGISTER)
    operand.kind = ASM_REGISTER;
  else if (!strcmp(operand.name, "_"))
    operand.kind = ASM_NOTHING;
  else if (*r->at == '.') {
    r->at++;
    operand.name =
        arena_printf(&r->task->arena, "%s.%s", operand.name, name(r));
  }
  return operand;
}

static AsmOperand read_operand(Reader *r) {
  skip_space(r);
  if (accept(r, '{'))
    return read_list(r);
  if (accept(r, '['))
    return read_address(r);
  if (ptx_starts_constant(r->at))
    return read_number(r);
  bool is_negated = accept(r, '!');
  AsmOperand operand = read_named(r);
  operand.is_negated = is_negated;
  return operand;
}

// ------------------------------------------------------------ statements ---

static void read_guard(Reader *r, AsmStatement *statement) {
  statement->guard = ASM_NO_REGISTER;
  if (!accept(r, '@'))
    return;
  statement->is_guard_negated = accept(r, '!');
  statement->guard = find(r, name(r));
  if (statement->guard == ASM_NO_REGISTER)
    fail(r);
}

// What stands behind a dot: "u32", or "shared::cta".
static const char *part(Reader *r) {
  const char *begin = r->at;
  while (isalnum((unsigned char)*r->at) || *r->at == '_' || *r->at == ':')
    r->at++;
  return arena_printf(&r->task->arena, "%.*s", (int)(r->at - begin), begin);
}

static void read_instruction(Reader *r, AsmStatement *statement) {
  Arena *arena = &r->task->arena;
  while (accept(r, '.'))
    push(arena, &statement->parts, part(r));
  if (accept(r, ';'))
    return;
  do {
    push(arena, &statement->operands, read_operand(r));
    if (accept(r, '|')) // a second result
      push(arena, &statement->operands, read_operand(r));
  } while (accept(r, ','));
  skip_space(r);
  if (*r->at) // the last may go without
    expect(r, ';');
}

static void read_statement(Reader *r) {
  AsmStatement statement = {0};
  if (accept(r, '{')) {
    r->depth++;
    return;
  }
  if (accept(r, '}')) {
    close_block(r);
    return;
  }
  if (accept(r, ';'))
    return;
  skip_space(r);
  if (!strncmp(r->at, ".reg", 4)) {
    r->at += 4;
    read_registers(r);
    return;
  }
  read_guard(r, &statement);
  statement.opcode = name(r);
  if (accept(r, ':'))
    statement.label = statement.opcode;
  else
    read_instruction(r, &statement);
  push(&r->task->arena, &r->assembly->statements, statement);
}

Assembly *assembly_read(Task *task, const char *text, size_t operands) {
  Reader r = {
      .task = task, .assembly = NEW(&task->arena, Assembly), .at = text};
  for (size_t i = 0; i < operands; i++)
    declare(&r, arena_printf(&task->arena, "$%zu", i), NULL);
  for (skip_space(&r); *r.at && !r.has_failed; skip_space(&r))
    read_statement(&r);
  assert(r.assembly->registers.count >= operands);
  return r.has_failed || r.depth ? NULL : r.assembly;
}

bool asm_has(const AsmStatement *statement, const char *part) {
  for (size_t i = 0; i < statement->parts.count; i++)
    if (!strcmp(statement->parts.at[i], part))
      return true;
  return false;
}
