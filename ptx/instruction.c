// Instructions: opcodes and operands.
//
// An operand of the wrong form, as a strange modifier, is kept for the emulator
// to complain about if it ever gets there: a verdict needs only what is
// executed.
//
// Labels are known at the end of their block, functions at the end of the
// file, so what names them waits in parser->references.

#include "ptx/syntax.h"

#include <assert.h>
#include <string.h>

enum {
  MOST_OPERANDS = 1 << 12, // of one instruction
  MOST_NESTED = 3,         // lists in lists
  SHORT_NAME = 64,
};

// ----------------------------------------------------------------- names ---

static uint32_t new_register(Parser *parser, PtxRegister made) {
  assert(parser->function);
  PtxFunction *function = parser->function;
  push_moving(&parser->task->arena, &function->registers, made);
  return (uint32_t)function->registers.count - 1;
}

// %r12 of .reg .b32 %r<17>; NULL: there is no such range.
static Name *find_range(Parser *parser, const char *text) {
  size_t length = strlen(text), digits = 0;
  while (digits < length && text[length - digits - 1] >= '0' &&
         text[length - digits - 1] <= '9')
    digits++;
  if (digits == 0 || digits > 9)
    return NULL;
  uint64_t index = 0;
  for (const char *at = text + length - digits; *at; at++)
    index = index * 10 + (uint64_t)(*at - '0');
  char room[SHORT_NAME];
  char *stem = length < sizeof room ? memcpy(room, text, length + 1)
                                    : arena_copy(&parser->task->arena, text);
  // %f1<5> has a digit of its own: try the longest stem first.
  for (size_t end = length - digits; end < length; end++) {
    stem[end] = '\0';
    Name *range = names_find(&parser->names, stem);
    if (range && range->kind == NAME_RANGE && index < range->number)
      return range;
    stem[end] = text[end];
    uint64_t scale = 1;
    for (size_t i = end + 1; i < length; i++)
      scale *= 10;
    index %= scale;
  }
  return NULL;
}

// The innermost thing of this name; registers of a range get a name of their
// own when they are first used.
static Name *find_name(Parser *parser, const char *text) {
  Name *name = names_find(&parser->names, text);
  if (name && name->depth == parser->names.depth)
    return name;
  Name *range = find_range(parser, text);
  if (!range || (name && name->depth >= range->depth))
    return name;
  name = names_add(parser->names.arena, &parser->names, NAME_REGISTER,
                   range->depth, arena_copy(parser->names.arena, text));
  name->bits = range->bits;
  name->number = NO_REGISTER;
  return name;
}

static uint32_t number_of(Parser *parser, Name *name) {
  bool is_told = name->bits == 1;
  if (name->number == NO_REGISTER)
    name->number = new_register(
        parser, (PtxRegister){.name = is_told ? arena_copy(&parser->task->arena,
                                                           name->text)
                                              : NULL,
                              .bits = (uint16_t)name->bits});
  return (uint32_t)name->number;
}

// The pseudo-register of some bytes of a parameter; made if need be.
static uint32_t cell_of(Parser *parser, PtxVariable *variable, uint64_t offset,
                        unsigned bytes) {
  PtxCell *cell = variable->cells;
  while (cell && (cell->offset != offset || cell->bytes != bytes))
    cell = cell->next;
  if (cell)
    return cell->reg;
  cell = NEW(&parser->task->arena, PtxCell);
  *cell = (PtxCell){offset, bytes, 0, variable, variable->cells};
  cell->reg = new_register(parser, (PtxRegister){.cell = cell,
                                                 .bits = (uint16_t)(8 * bytes),
                                                 .is_cell = true});
  variable->cells = cell;
  return cell->reg;
}

// -------------------------------------------------------------- operands ---

static void refer(Parser *parser, Operand *operand, const char *name) {
  Reference reference = {.operand = operand,
                         .name = arena_copy(&parser->task->arena, name)};
  reference.loc = parser_loc(parser);
  push(&parser->task->arena, &parser->references, reference);
}

static void use_name(Parser *parser, Operand *operand, Name *name) {
  switch (name->kind) {
  case NAME_REGISTER:
    operand->kind = OPERAND_REGISTER;
    operand->index = number_of(parser, name);
    return;
  case NAME_VARIABLE:
    operand->kind = OPERAND_VARIABLE;
    operand->variable = name->variable;
    return;
  case NAME_FUNCTION:
    operand->kind = OPERAND_FUNCTION;
    operand->function = name->function;
    return;
  case NAME_LABEL:
    operand->kind = OPERAND_LABEL;
    operand->index = (uint32_t)name->number;
    return;
  case NAME_TARGETS:
    operand->kind = OPERAND_TARGETS;
    operand->targets = name;
    return;
  case NAME_PROTOTYPE:
  case NAME_RANGE:
    operand->kind = OPERAND_OTHER;
    return;
  }
}

static void parse_named(Parser *parser, Operand *operand, bool is_jump) {
  operand->kind = OPERAND_OTHER;
  if (parser_is_word(parser, "_")) {
    operand->kind = OPERAND_SINK;
    parser_next(parser);
    return;
  }
  char room[SHORT_NAME] = "";
  const char *text = room;
  if (parser->token.length < sizeof room)
    memcpy(room, parser->token.begin, parser->token.length);
  else
    text = parser_copy(parser, &parser->token);
  uint32_t special;
  Name *name = find_name(parser, text);
  // A label of an outer block may yet be hidden by one of this block.
  bool may_be_hidden = is_jump && name && name->kind == NAME_LABEL;
  if (name && !may_be_hidden)
    use_name(parser, operand, name);
  else if (!name && ptx_special_find(text, &special)) {
    operand->kind = OPERAND_SPECIAL;
    operand->index = special;
  } else if (*text == '%' && !parser->is_assembly)
    parser_fail(parser, "no register '%s'", text);
  else
    refer(parser, operand, text);
  parser_next(parser);
}

// -0f3f800000 is none.
static bool is_negative_image(const Parser *parser) {
  Lexer ahead = parser->lexer;
  const char *problem;
  return parser_is(parser, '-') && lexer_next(&ahead, &problem).float_bits;
}

static void parse_number_operand(Parser *parser, Operand *operand) {
  PtxConstant constant = {PTX_CONSTANT_SIGNED, 0};
  operand->kind = OPERAND_NUMBER;
  if (is_negative_image(parser)) {
    operand->kind = OPERAND_OTHER;
    parser_next(parser);
  }
  parser_constant(parser, &constant);
  operand->is_single = constant.kind == PTX_CONSTANT_SINGLE;
  operand->is_double = constant.kind == PTX_CONSTANT_DOUBLE;
  operand->number = constant.bits;
}

// [%r1+4], [symbol], [%r1+-4], [symbol+%r1]; the last is OPERAND_OTHER.
static void parse_offset(Parser *parser, Operand *operand) {
  while (parser_is(parser, '+') || parser_is(parser, '-')) {
    PtxConstant by = {PTX_CONSTANT_SIGNED, 0};
    if (parser_is_constant(parser)) {
      parser_constant(parser, &by);
      operand->number += by.bits;
    } else {
      parser_next(parser);
      parser_name(parser);
      operand->kind = OPERAND_OTHER;
    }
    if (by.kind == PTX_CONSTANT_SINGLE || by.kind == PTX_CONSTANT_DOUBLE)
      operand->kind = OPERAND_OTHER;
  }
}

static void parse_simple(Parser *parser, Operand *operand, bool is_jump) {
  if (parser_is_constant(parser)) {
    parse_number_operand(parser, operand);
    return;
  }
  operand->is_negated = parser_accept(parser, '!');
  if (parser->token.kind == TOKEN_WORD)
    parse_named(parser, operand, is_jump);
  else
    parser_missing(parser, "an operand");
}

// What ends the list that begins here; 0: none does.  But for calls, (1 + 2) is
// a number.
static char closing(const Parser *parser) {
  if (parser_is(parser, '{'))
    return '}';
  if (parser_is(parser, '(') &&
      (parser->has_lists || !parser_is_constant(parser)))
    return ')';
  return parser_is(parser, '[') ? ']' : '\0';
}

static void parse_operand(Parser *parser, Operand *operand, unsigned depth,
                          bool is_jump);

static void parse_list(Parser *parser, Operand *operand, unsigned depth) {
  char end = closing(parser);
  Vec(Operand *) items = {0};
  parser_next(parser);
  while (!parser_is(parser, end) && !parser->reason) {
    Operand *item = NEW(&parser->task->arena, Operand);
    push(parser->names.arena, &items, item);
    parse_operand(parser, item, depth + 1, false);
    if (items.count > MOST_OPERANDS)
      parser_fail(parser, "more than %d operands", MOST_OPERANDS);
    if (!parser_accept(parser, ','))
      break;
  }
  parser_expect(parser, end);
  operand->kind = OPERAND_LIST;
  operand->count = (uint16_t)items.count;
  operand->items = (Operand *)arena_alloc(&parser->task->arena,
                                          items.count * sizeof(Operand));
  for (size_t i = 0; i < items.count; i++)
    operand->items[i] = *items.at[i];
}

static void parse_operand(Parser *parser, Operand *operand, unsigned depth,
                          bool is_jump) {
  if (!closing(parser)) {
    parse_simple(parser, operand, is_jump);
    if (!is_jump)
      parse_offset(parser, operand);
    return;
  }
  if (depth > MOST_NESTED) {
    parser_fail(parser, "lists within lists");
    return;
  }
  bool is_bracketed = parser_is(parser, '[');
  parse_list(parser, operand, depth);
  if (!is_bracketed)
    return;
  if (operand->count == 1)
    *operand = operand->items[0];
  else
    operand->kind = OPERAND_OTHER; // of textures and tensors
  operand->is_bracketed = true;
}

// References to operands that have been copied from `room`.
static void move_references(Parser *parser, size_t first, const Operand *room,
                            Operand *to) {
  for (size_t i = first; i < parser->references.count; i++)
    for (unsigned k = 0; k < PTX_OPERANDS; k++)
      if (parser->references.at[i].operand == &room[k])
        parser->references.at[i].operand = &to[k];
}

// The last one of assembly may go without a semicolon.
static bool ends_instruction(const Parser *parser) {
  return parser_is(parser, ';') ||
         (parser->is_assembly && parser_is(parser, '}'));
}

static void parse_operands(Parser *parser, PtxInstruction *instruction) {
  bool is_jump = instruction->opcode &&
                 (instruction->opcode->kind == OPCODE_BRANCH ||
                  instruction->opcode->kind == OPCODE_BRANCH_INDEXED);
  parser->has_lists =
      instruction->opcode && instruction->opcode->kind == OPCODE_CALL;
  size_t references = parser->references.count;
  Operand room[PTX_OPERANDS] = {{0}};
  while (!ends_instruction(parser) && !parser->reason) {
    if (instruction->count == PTX_OPERANDS) {
      parser_fail(parser, "more than %d operands", PTX_OPERANDS);
      break;
    }
    Operand *operand = &room[instruction->count++];
    parse_operand(parser, operand, 0, is_jump);
    if (parser_is(parser, '|') &&
        (instruction->count > 1 || instruction->other->kind != OPERAND_NONE))
      parser_fail(parser, "two results behind '|'");
    if (parser_accept(parser, '|')) {
      Operand *other = NEW(&parser->task->arena, Operand);
      parse_operand(parser, other, 0, false);
      instruction->other = other;
    }
    if (!parser_accept(parser, ','))
      break;
  }
  size_t bytes = instruction->count * sizeof(Operand);
  instruction->operands = arena_alloc(&parser->task->arena, bytes);
  memcpy(instruction->operands, room, bytes);
  move_references(parser, references, room, instruction->operands);
}

unsigned operand_count(const Operand *operand) {
  return operand->kind == OPERAND_LIST ? operand->count : 1;
}

const Operand *operand_item(const Operand *operand, unsigned index) {
  assert(index < operand_count(operand));
  return operand->kind == OPERAND_LIST ? &operand->items[index] : operand;
}

bool has_destination(const PtxInstruction *instruction) {
  const char *shape = instruction->opcode ? instruction->opcode->shape : "";
  return instruction->count && *shape && strchr("dDM", *shape);
}

// ----------------------------------------------------------------- shape ---

static bool is_value(const Operand *operand) {
  switch (operand->kind) {
  case OPERAND_NUMBER:
  case OPERAND_VARIABLE:
    return !operand->is_bracketed;
  case OPERAND_REGISTER: // %r1+4, which only addresses are read with
  case OPERAND_FUNCTION:
  case OPERAND_SPECIAL:
    return !operand->is_bracketed && !operand->number;
  case OPERAND_NONE:
  case OPERAND_LABEL:
  case OPERAND_TARGETS:
  case OPERAND_LIST:
  case OPERAND_SINK:
  case OPERAND_OTHER:
    return false;
  }
  return false;
}

static bool is_destination(const Operand *operand) {
  bool is_register = operand->kind == OPERAND_REGISTER && !operand->number;
  return !operand->is_bracketed && !operand->is_negated &&
         (is_register || operand->kind == OPERAND_SINK);
}

static bool is_list_of(const Operand *list, bool (*is_good)(const Operand *),
                       unsigned most) {
  for (unsigned i = 0; i < operand_count(list); i++)
    if (!is_good(operand_item(list, i)))
      return false;
  return operand_count(list) > 0 && operand_count(list) <= most;
}

static bool is_address(const Operand *operand) {
  return operand->is_bracketed &&
         (operand->kind == OPERAND_REGISTER ||
          operand->kind == OPERAND_NUMBER || operand->kind == OPERAND_VARIABLE);
}

static bool fits(const Operand *operand, char letter) {
  switch (letter) {
  case 'r':
    return true;
  case 'd':
    return is_destination(operand);
  case 'D':
    return is_list_of(operand, is_destination, 8);
  case 'M':
    return is_list_of(operand, is_destination, MOST_OPERANDS);
  case 'v':
    return is_value(operand);
  case 'V':
    return is_list_of(operand, is_value, 8);
  case 'a':
    return is_address(operand);
  case 'l': // or a reference that is still open
    return operand->kind == OPERAND_LABEL || operand->kind == OPERAND_OTHER;
  case '*':
    return true;
  }
  assert(!"a letter that no shape has");
  return false;
}

static bool has_shape(const PtxInstruction *instruction) {
  unsigned i = 0;
  bool is_optional = false;
  for (const char *at = instruction->opcode->shape; *at; at++) {
    if (*at == '|')
      continue;
    if (*at == '?')
      is_optional = true;
    else if (i == instruction->count)
      return is_optional;
    else if (!fits(&instruction->operands[i++], *at))
      return false;
  }
  return i == instruction->count;
}

static bool is_plain_arrival(OpcodeKind kind) {
  return kind == OPCODE_MBARRIER_ARRIVE || kind == OPCODE_MBARRIER_DROP;
}

// As many registers as matrices, of eight by eight elements of two bytes, at
// addresses that are known to be shared.
static bool is_matrix_access(PtxInstruction *instruction) {
  bool is_store = instruction->opcode->kind == OPCODE_MATRIX_STORE;
  const char *name = instruction->opcode->name;
  unsigned count = operand_count(&instruction->operands[is_store]);
  const char *matrices = strstr(name, ".x");
  assert(matrices && instruction->count > 1);
  instruction->is_transposed |= strstr(name, ".trans") != NULL;
  return instruction->space == SPACE_SHARED && instruction->type.bits == 16 &&
         instruction->type.class == 'b' &&
         count == (unsigned)(matrices[2] - '0');
}

static bool has_copy_size(const PtxInstruction *instruction) {
  assert(instruction->count > 2);
  const Operand *size = &instruction->operands[2];
  return size->kind == OPERAND_NUMBER &&
         (size->number == 4 || size->number == 8 || size->number == 16);
}

// Behind the others, a multicast has a mask, and .L2::cache_hint a policy.
static bool has_mask_and_policy(const PtxInstruction *instruction) {
  unsigned more = instruction->is_multicast + instruction->has_policy;
  if (instruction->opcode->kind == OPCODE_BULK_LOAD)
    return instruction->count == 4 + more;
  if (instruction->opcode->kind == OPCODE_TENSOR_LOAD)
    return instruction->count >= 3 + more;
  return !instruction->is_multicast;
}

// Vectors of them are there in global memory alone.
static bool is_vector_in_shared(const PtxInstruction *instruction) {
  const Operand *from =
      &instruction->operands[has_destination(instruction) + 1];
  return instruction->space == SPACE_SHARED && operand_count(from) > 1;
}

static bool has_shuffle_mode(const PtxInstruction *instruction) {
  Modifier mode = instruction->mode;
  return mode == CHOICE_UP || mode == CHOICE_DOWN || mode == CHOICE_BUTTERFLY ||
         mode == CHOICE_INDEX;
}

static bool has_floats(const PtxInstruction *instruction) {
  char type = instruction->type.class, second = instruction->second.class;
  return type == 'f' || type == 'x' || second == 'f' || second == 'x';
}

// Of floating-point numbers, of which not even the operands are looked at:
// newer versions have more of them.
static bool is_floating(const PtxInstruction *instruction) {
  static const char *const names[] = {"add", "sub", "mul", "mad",
                                      "min", "max", "cvt"};
  if (!has_floats(instruction))
    return false;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(instruction->opcode->name, names[i]))
      return true;
  return false;
}

// Of what is not executed only the first operand counts.
static void check_shape(PtxInstruction *instruction) {
  const PtxOpcode *opcode = instruction->opcode;
  bool has_other = instruction->other->kind != OPERAND_NONE;
  if (!opcode || opcode->kind == OPCODE_IGNORED ||
      opcode->kind == OPCODE_UNMODELLED)
    return;
  if (opcode->kind == OPCODE_UNKNOWN || is_floating(instruction)) {
    instruction->strange = NULL;
    if (!instruction->count || !fits(&instruction->operands[0], 'D') ||
        (has_other && !fits(instruction->other, 'd')))
      instruction->strange = "operands";
    return;
  }
  if (opcode->kind == OPCODE_WGMMA)
    instruction->strange = NULL; // its shape and types
  bool may_have_other = strchr(opcode->shape, '|') != NULL;
  if (opcode->kind == OPCODE_INTEGER && instruction->is_floating_only &&
      !has_floats(instruction))
    instruction->strange = "modifiers of floating point";
  else if (!has_shape(instruction) ||
           (has_other && !(may_have_other && fits(instruction->other, 'd'))))
    instruction->strange = "operands";
  else if (instruction->never_completes && !is_plain_arrival(opcode->kind))
    instruction->strange = "noComplete";
  else if ((opcode->kind == OPCODE_MATRIX_LOAD ||
            opcode->kind == OPCODE_MATRIX_STORE) &&
           !is_matrix_access(instruction))
    instruction->strange = "shape";
  else if (!has_mask_and_policy(instruction))
    instruction->strange = "operands";
  else if (opcode->kind == OPCODE_ATOMIC && is_vector_in_shared(instruction))
    instruction->strange = "operands";
  else if (opcode->kind == OPCODE_ELECT && !instruction->is_sync)
    instruction->strange = "operands";
  else if (opcode->kind == OPCODE_SHUFFLE && !has_shuffle_mode(instruction))
    instruction->strange = "mode";
  else if (opcode->kind == OPCODE_COPY && !has_copy_size(instruction))
    instruction->strange = "size";
  else if ((opcode->kind == OPCODE_COPY_WAIT ||
            opcode->kind == OPCODE_REGISTERS ||
            opcode->kind == OPCODE_BULK_WAIT ||
            opcode->kind == OPCODE_WGMMA_WAIT) &&
           instruction->operands[0].kind != OPERAND_NUMBER)
    instruction->strange = "operands";
}

// ------------------------------------------------------------ parameters ---

// ld.param and st.param with a fixed address are moves from and to cells.
static void find_cells(Parser *parser, PtxInstruction *instruction) {
  if (instruction->strange || !instruction->opcode ||
      instruction->space != SPACE_PARAM ||
      (instruction->opcode->kind != OPCODE_LOAD &&
       instruction->opcode->kind != OPCODE_STORE))
    return;
  bool is_load = instruction->opcode->kind == OPCODE_LOAD;
  assert(instruction->count > 1);
  const Operand *address = &instruction->operands[is_load];
  const Operand *values = &instruction->operands[!is_load];
  unsigned bytes = instruction->type.bits / 8;
  if (address->kind != OPERAND_VARIABLE || !bytes ||
      address->variable->space != SPACE_PARAM) {
    if (!is_load)
      instruction->strange = "address";
    return;
  }
  PtxVariable *variable = parser->ptx->variables.at[address->variable->number];
  unsigned count = operand_count(values);
  instruction->cells =
      arena_alloc(&parser->task->arena, count * sizeof(uint32_t));
  for (unsigned i = 0; i < count; i++)
    instruction->cells[i] =
        cell_of(parser, variable, address->number + (uint64_t)i * bytes, bytes);
}

// ----------------------------------------------------------- instruction ---

static void parse_guard(Parser *parser, uint32_t *reg, bool *is_negated) {
  *reg = NO_REGISTER;
  *is_negated = false;
  if (!parser_accept(parser, '@'))
    return;
  *is_negated = parser_accept(parser, '!');
  Operand guard = {0};
  parse_simple(parser, &guard, false);
  if (guard.kind == OPERAND_REGISTER && !guard.is_negated &&
      parser->function->registers.at[guard.index].bits == 1)
    *reg = guard.index;
  else
    parser_fail(parser, "a guard that is no predicate");
}

// Side by side, for they are many; the text of the file goes with the parser.
static const char *keep_text(Parser *parser, const char *text, size_t length) {
  enum { ROOM_FOR_TEXT = 1 << 12 };
  size_t bytes = length + 1;
  if (parser->text_left < bytes) {
    parser->text_left = bytes > ROOM_FOR_TEXT ? bytes : ROOM_FOR_TEXT;
    parser->text_room = arena_alloc(&parser->task->arena, parser->text_left);
  }
  char *kept = memcpy(parser->text_room, text, length);
  parser->text_room += bytes;
  parser->text_left -= bytes;
  return kept;
}

void parse_instruction(Parser *parser) {
  uint32_t guard;
  bool is_negated;
  parse_guard(parser, &guard, &is_negated);
  const Token word = parser->token;
  if (word.kind != TOKEN_WORD) {
    parser_missing(parser, "a name");
    return;
  }
  parser->statement = word.begin;
  PtxInstruction *instruction = NEW(&parser->task->arena, PtxInstruction);
  *instruction = spelling_of(parser, &word)->like;
  instruction->guard = guard;
  instruction->guard_negated = is_negated;
  instruction->ptx = parser_loc(parser);
  parser_next(parser);
  parse_operands(parser, instruction);
  const char *end = parser->previous_end;
  if (!ends_instruction(parser) || parser_is(parser, ';'))
    parser_expect(parser, ';');
  if (parser->reason)
    return;
  instruction->text_length = (unsigned)(end - word.begin);
  instruction->text = keep_text(parser, word.begin, instruction->text_length);
  instruction->number = parser->ptx->instruction_count++;
  if (!parser->is_assembly) {
    convert_literals(instruction);
    check_shape(instruction);
    find_cells(parser, instruction);
  }
  push_moving(&parser->task->arena, &parser->function->code, instruction);
  push_moving(parser->names.arena, &parser->line_of, parser->lines.count);
}

void parse_targets(Parser *parser, const char *label) {
  Name *targets = names_add(&parser->task->arena, &parser->names, NAME_TARGETS,
                            parser->names.depth, label);
  do {
    Reference reference = {.targets = targets};
    reference.element = targets->targets.count;
    reference.loc = parser_loc(parser);
    reference.name = parser_name(parser);
    push(&parser->task->arena, &targets->targets, 0);
    push(&parser->task->arena, &parser->references, reference);
  } while (parser_accept(parser, ','));
  parser_expect(parser, ';');
}

// ------------------------------------------------------------ references ---

static bool resolve_label(const Parser *parser, const Reference *reference) {
  const Name *name = names_find(&parser->names, reference->name);
  if (!name || name->depth != parser->names.depth)
    return false;
  if (name->kind == NAME_LABEL && reference->targets) {
    assert(reference->element < reference->targets->targets.count);
    reference->targets->targets.at[reference->element] = (uint32_t)name->number;
    return true;
  }
  if (name->kind != NAME_LABEL && name->kind != NAME_TARGETS)
    return false;
  if (!reference->operand)
    return false;
  reference->operand->kind =
      name->kind == NAME_LABEL ? OPERAND_LABEL : OPERAND_TARGETS;
  reference->operand->index = (uint32_t)name->number;
  reference->operand->targets = name;
  return true;
}

void resolve_labels(Parser *parser, size_t first) {
  size_t kept = first;
  for (size_t i = first; i < parser->references.count; i++)
    if (!resolve_label(parser, &parser->references.at[i]))
      parser->references.at[kept++] = parser->references.at[i];
  parser->references.count = kept;
}

void resolve_functions(Parser *parser) {
  for (size_t i = 0; i < parser->references.count; i++) {
    const Reference *reference = &parser->references.at[i];
    Name *name = names_find(&parser->names, reference->name);
    if (name && reference->operand &&
        (name->kind == NAME_FUNCTION || name->kind == NAME_VARIABLE)) {
      use_name(parser, reference->operand, name);
      continue;
    }
    parser->token.line = reference->loc.line;
    parser->token.column = reference->loc.column;
    parser_fail(parser, "no label, function or variable '%s'", reference->name);
    return;
  }
}

static bool leads_nowhere(const PtxInstruction *instruction) {
  return instruction->opcode && instruction->opcode->kind == OPCODE_BRANCH &&
         !instruction->strange &&
         instruction->operands[0].kind != OPERAND_LABEL;
}

void check_branches(Parser *parser) {
  for (size_t f = 0; f < parser->ptx->functions.count; f++) {
    const PtxFunction *function = parser->ptx->functions.at[f];
    for (size_t i = 0; i < function->code.count; i++) {
      const PtxInstruction *instruction = function->code.at[i];
      if (!leads_nowhere(instruction))
        continue;
      parser->token.line = instruction->ptx.line;
      parser->token.column = instruction->ptx.column;
      parser_fail(parser, "a branch to what is no label");
    }
  }
}
