// Inline assembly, taken apart by the parser of PTX files.
//
// The text is the body of a function whose first registers are the operands of
// the statement.  What is no PTX makes the whole text unreadable; a name that
// nothing declares is an operand that nobody knows.

#include "ptx/assembly.h"
#include "ptx/syntax.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

// ------------------------------------------------------------------ types ---

bool asm_type(const char *word, AsmType *type) {
  static const struct {
    const char *name;
    AsmType type;
  } odd[] = {{"pred", {'p', 1, 1}},    {"bf16", {'e', 16, 1}},
             {"bf16x2", {'e', 16, 2}}, {"f16x2", {'f', 16, 2}},
             {"u16x2", {'u', 16, 2}},  {"s16x2", {'s', 16, 2}}};
  for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
    if (!strcmp(word, odd[i].name)) {
      *type = odd[i].type;
      return true;
    }
  PtxType plain;
  if (!ptx_plain_type(word, &plain) || (plain.class == 'f' && plain.bits == 8))
    return false;
  *type = (AsmType){plain.class, plain.bits, 1};
  return true;
}

bool asm_is_float(AsmType type) { return type.kind == 'f' || type.kind == 'e'; }

static void find_types(AsmInstruction *to) {
  AsmType before = {0}, last = {0}, type;
  for (unsigned i = 1; i < to->word_count; i++)
    if (asm_type(to->words[i], &type)) {
      before = last;
      last = type;
    }
  to->type = last;
  to->to = before.lanes ? before : last;
}

// ------------------------------------------------------------------ words ---

static size_t opcode_length(const char *text) {
  Lexer lexer = {text, text, 1};
  const char *problem;
  return lexer_next(&lexer, &problem).length;
}

// False: there are too many.
static bool split_words(Arena *arena, const char *text, AsmInstruction *to) {
  char *words = arena_printf(arena, "%.*s", (int)opcode_length(text), text);
  for (char *next = words; next; to->word_count++) {
    if (to->word_count == ASM_WORDS)
      return false;
    to->words[to->word_count] = next;
    next = strchr(next, '.');
    if (next)
      *next++ = '\0';
  }
  return true;
}

bool asm_is(const AsmInstruction *instruction, const char *opcode) {
  return !strcmp(instruction->words[0], opcode);
}

bool asm_has(const AsmInstruction *instruction, const char *word) {
  for (unsigned i = 1; i < instruction->word_count; i++)
    if (!strcmp(instruction->words[i], word))
      return true;
  return false;
}

// --------------------------------------------------------------- operands ---

bool asm_branches(const AsmInstruction *instruction) {
  return asm_is(instruction, "bra") && instruction->operand_count == 1 &&
         instruction->operands[0].kind == OPERAND_LABEL;
}

bool asm_is_register(const Operand *operand) {
  return operand->kind == OPERAND_REGISTER && !operand->is_bracketed &&
         !operand->number;
}

bool asm_number(const Operand *operand, AsmType type, uint64_t *image) {
  PtxConstant constant = {operand->is_single   ? PTX_CONSTANT_SINGLE
                          : operand->is_double ? PTX_CONSTANT_DOUBLE
                                               : PTX_CONSTANT_SIGNED,
                          operand->number};
  return operand->kind == OPERAND_NUMBER && !operand->is_bracketed &&
         !operand->is_negated &&
         ptx_constant_as(&constant, asm_is_float(type) ? 'f' : type.kind,
                         type.bits, image);
}

// ------------------------------------------------------------------- facts ---

// What no emulator knows computes.
static bool is_assemblys_own(const AsmInstruction *i) {
  static const char *const names[] = {
#define ASSEMBLY(name) name,
#include "ptx/instructions.def"
  };
  for (size_t n = 0; n < sizeof names / sizeof *names; n++)
    if (!strcmp(i->words[0], names[n]))
      return true;
  return false;
}

bool asm_is_silent(const AsmInstruction *i) {
  return i->opcode && opcode_facts(i->opcode->kind)->silent == SILENT_YES &&
         !asm_has(i, "sync");
}

bool asm_is_of_registers(const AsmInstruction *i) {
  if (!i->opcode)
    return is_assemblys_own(i);
  if (i->opcode->kind == OPCODE_WARP_SYNC)
    return false;
  const OpcodeFacts *facts = opcode_facts(i->opcode->kind);
  return facts->silent == SILENT_YES || facts->family == FAMILY_LANES;
}

bool asm_is_load(const AsmInstruction *i) {
  return i->opcode && i->opcode->kind == OPCODE_LOAD;
}

// "bar.sync 0" and "barrier.cta.sync.aligned 0" are __syncthreads.
static bool is_plain(const AsmInstruction *i) {
  return i->opcode->kind == OPCODE_SYNC && i->operand_count == 1 &&
         i->operands[0].kind == OPERAND_NUMBER && !i->operands[0].number;
}

bool asm_is_for_barriers(const AsmInstruction *i) {
  OpcodeKind kind = i->opcode ? i->opcode->kind : OPCODE_UNMODELLED;
  switch (opcode_facts(kind)->family) {
  case FAMILY_BARRIER:
    return !is_plain(i);
  case FAMILY_WGMMA:
  case FAMILY_UPDATE:
  case FAMILY_WAIT:
  case FAMILY_GROUP:
  case FAMILY_BULK:
    return true;
  case FAMILY_ACCESS:
    return kind == OPCODE_COPY;
  case FAMILY_PLAIN:
    return kind == OPCODE_MAP;
  case FAMILY_FLOW:
  case FAMILY_LANES:
  case FAMILY_MATRIX:
  case FAMILY_WMMA:
    return false;
  }
  return false;
}

// ---------------------------------------------------------------- messages ---

// In one line, without what surrounds it.
static const char *one_line(Arena *arena, const char *text, size_t length) {
  char *copy = arena_printf(arena, "%.*s", (int)length, text);
  for (char *at = copy; *at; at++)
    *at = isspace((unsigned char)*at) ? ' ' : *at;
  copy += strspn(copy, " ");
  for (length = strlen(copy); length && copy[length - 1] == ' '; length--)
    copy[length - 1] = '\0';
  return copy;
}

static bool is_one_of(const Token *token, const char *signs) {
  return token->kind == TOKEN_SIGN && strchr(signs, *token->begin);
}

// The operand that begins here: up to a comma outside of brackets.
static size_t operand_length(const char *at) {
  Lexer lexer = {at, at, 1};
  const char *problem;
  unsigned depth = 0;
  for (;;) {
    Token token = lexer_next(&lexer, &problem);
    if (token.kind == TOKEN_BAD)
      return (size_t)(token.begin - at) + strcspn(token.begin, ",;}");
    if (token.kind == TOKEN_END || is_one_of(&token, depth ? ";" : ",;}"))
      return (size_t)(token.begin - at);
    depth += is_one_of(&token, "{[(");
    depth -= depth && is_one_of(&token, "}])");
  }
}

// What stands in the list that begins here.
static const char *skip_bracket(const char *at) {
  Lexer lexer = {at, at, 1};
  const char *problem;
  Token token;
  do
    token = lexer_next(&lexer, &problem);
  while (token.kind != TOKEN_END && !is_one_of(&token, "{("));
  return lexer.at;
}

// The part of a statement that has the character at `where`.
static const char *part_at(Arena *arena, const char *statement,
                           const char *where) {
  const char *at = statement + opcode_length(statement);
  if (where < at || *statement == '@')
    return one_line(arena, statement, strcspn(statement, ";"));
  size_t length = operand_length(at);
  for (; at + length < where && at[length] == ','; length = operand_length(at))
    at += length + 1;
  const char *part = one_line(arena, at, length);
  return *part ? part : one_line(arena, statement, opcode_length(statement));
}

// One of several with commas between them.
static const char *skip_operands(const char *at, size_t count) {
  for (; count; count--) {
    at += operand_length(at);
    at += *at == ',';
  }
  return at;
}

const char *asm_operand_text(Arena *arena, const AsmInstruction *instruction,
                             const Operand *operand) {
  const char *at = instruction->text + opcode_length(instruction->text);
  for (unsigned i = 0; i < instruction->operand_count; i++) {
    const Operand *whole = &instruction->operands[i];
    bool is_item = whole->kind == OPERAND_LIST && operand >= whole->items &&
                   operand < whole->items + whole->count;
    if (operand != whole && operand != instruction->other && !is_item)
      continue;
    at = skip_operands(at, i);
    if (is_item)
      at = skip_operands(skip_bracket(at), (size_t)(operand - whole->items));
    return one_line(arena, at, operand_length(at));
  }
  return instruction->text;
}

// ---------------------------------------------------------------- assembly ---

// And lop3, whose q the emulator does not know.
static bool may_have_other(const AsmInstruction *i) {
  return asm_is(i, "lop3") || (i->opcode && strchr(i->opcode->shape, '|'));
}

static bool add_instruction(Arena *arena, PtxAssembly *to,
                            const PtxInstruction *from) {
  AsmInstruction made = {
      .text = one_line(arena, from->text, from->text_length),
      .opcode = from->opcode,
      .guard = from->guard,
      .is_guard_negated = from->guard_negated,
      .operands = from->operands,
      .operand_count = from->count,
      .other = from->other,
  };
  bool is_good = split_words(arena, made.text, &made) &&
                 (made.other->kind == OPERAND_NONE || may_have_other(&made));
  find_types(&made);
  push(arena, &to->code, made);
  return is_good;
}

static void find_targets(Arena *arena, PtxAssembly *assembly) {
  assembly->is_target = arena_alloc(arena, assembly->code.count + 1);
  for (size_t i = 0; i < assembly->code.count; i++)
    if (asm_branches(&assembly->code.at[i])) {
      uint32_t position = assembly->code.at[i].operands[0].index;
      assert(position <= assembly->code.count);
      assembly->is_target[position] = true;
    }
}

const PtxAssembly *ptx_assembly(Task *task, const char *text,
                                unsigned operands) {
  Arena *arena = &task->arena;
  PtxAssembly *made = NEW(arena, PtxAssembly);
  PtxBody body = ptx_parse_body(task, text, operands);
  if (body.failed_at) {
    made->problem = *body.failed_at
                        ? part_at(arena, body.statement, body.failed_at)
                        : "its end";
    return made;
  }
  made->register_count = body.function->registers.count;
  made->register_bits =
      arena_alloc(arena, made->register_count * sizeof(unsigned));
  for (size_t i = 0; i < made->register_count; i++)
    made->register_bits[i] = body.function->registers.at[i].bits;
  for (size_t i = 0; i < body.function->code.count; i++)
    if (!add_instruction(arena, made, body.function->code.at[i]))
      made->problem = made->code.at[i].text;
  find_targets(arena, made);
  return made;
}
