// The parser of PTX: a text becomes functions, variables and instructions.
//
// Recursive descent, one token ahead, as PTX ISA 9 describes the language and
// nvcc, clang and Triton print it.  The first error keeps its sentence and its
// line and takes the parser to the end of the text, where every loop ends; so
// no function looks at what the ones that it calls return.  Nesting is bounded
// by MOST_SCOPES.  This file has what is outside of functions and the frame of
// a body; instructions are in instruction.c.

#include "ptx/syntax.h"

#include <assert.h>
#include <string.h>

enum {
  MOST_VALUES = 1 << 25, // bytes of an initialiser
  MOST_RANGE = 1 << 24,  // registers of a .reg
};

// ------------------------------------------------------------ directives ---

static bool is_directive(const Parser *parser, const char *text) {
  return parser->token.kind == TOKEN_DOTTED && token_is(&parser->token, text);
}

// Takes a directive out of a list; false: it is none of them.
static bool accept_directive(Parser *parser, const char *text) {
  bool is_here = is_directive(parser, text);
  if (is_here)
    parser_next(parser);
  return is_here;
}

// ----------------------------------------------------------------- types ---

static unsigned bits_of(const Token *type) {
  static const struct {
    const char *text;
    unsigned bits;
  } types[] = {
      {".pred", 1},   {".b8", 8},      {".u8", 8},          {".s8", 8},
      {".b16", 16},   {".u16", 16},    {".s16", 16},        {".f16", 16},
      {".bf16", 16},  {".b32", 32},    {".u32", 32},        {".s32", 32},
      {".f32", 32},   {".f16x2", 32},  {".bf16x2", 32},     {".b64", 64},
      {".u64", 64},   {".s64", 64},    {".f64", 64},        {".f32x2", 64},
      {".b128", 128}, {".texref", 64}, {".samplerref", 64}, {".surfref", 64},
  };
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (type->kind == TOKEN_DOTTED && token_is(type, types[i].text))
      return types[i].bits;
  return 0;
}

static unsigned parse_type(Parser *parser) {
  unsigned bits = bits_of(&parser->token);
  if (bits)
    parser_next(parser);
  else
    parser_missing(parser, "a type");
  return bits;
}

// ------------------------------------------------------------- variables ---

static Name *declare(Parser *parser, NameKind kind, const char *text) {
  Name *old = names_find(&parser->names, text);
  if (old && old->depth == parser->names.depth)
    parser_fail(parser, "'%s' is declared twice", text);
  return names_add(parser->names.arena, &parser->names, kind,
                   parser->names.depth, text);
}

static void add_value(Parser *parser, PtxVariable *variable, uint64_t value) {
  if (variable->values.count >= MOST_VALUES)
    parser_fail(parser, "an initialiser of more than %d bytes", MOST_VALUES);
  for (unsigned i = 0; i < variable->element && !parser->reason; i++)
    push_moving(&parser->task->arena, &variable->values,
                (uint8_t)(i < 8 ? value >> (8 * i) : 0));
}

static void parse_address(Parser *parser, PtxVariable *variable) {
  const char *text = parser_name(parser);
  const Name *name = text ? names_find(&parser->names, text) : NULL;
  if (name && name->kind == NAME_VARIABLE)
    name->variable->is_exposed = true;
  variable->is_plain = false;
}

// A number of another type is converted, which we do not do.
static void check_literal(const Token *token, PtxVariable *variable) {
  bool fits = variable->is_float ? token->float_bits == 8 * variable->element
                                 : !token->float_bits;
  variable->is_plain &= fits;
}

// Of addresses - a, a + 4, generic(a), 0xff(a) - only the place is kept.
static void parse_value(Parser *parser, PtxVariable *variable) {
  uint64_t value = 0;
  bool is_negative = parser_is(parser, '-');
  if (parser->token.kind == TOKEN_NUMBER)
    check_literal(&parser->token, variable);
  if (is_negative || parser->token.kind == TOKEN_NUMBER)
    value = parser_number(parser);
  else
    parse_address(parser, variable);
  variable->is_plain &= !is_negative || !variable->is_float;
  if (parser_accept(parser, '(')) {
    parse_address(parser, variable);
    parser_expect(parser, ')');
  }
  if (parser_accept(parser, '+')) {
    variable->is_plain = false;
    parser_number(parser);
  }
  add_value(parser, variable, value);
}

// Tables are long lists of plain numbers.
static void parse_list(Parser *parser, PtxVariable *variable) {
  Token next;
  while (parser->token.kind == TOKEN_NUMBER && !parser->reason &&
         lexer_next_in_list(&parser->lexer, &next)) {
    add_value(parser, variable, parser->token.number);
    if (!parser->reason)
      parser->token = next;
  }
}

// What inner braces leave out stands in the middle, which we do not follow: if
// there are any, all has to be there.
static void parse_values(Parser *parser, PtxVariable *variable) {
  unsigned depth = 0, deepest = 0;
  do {
    if (parser_accept(parser, '{'))
      deepest = ++depth > deepest ? depth : deepest;
    else if (parser_accept(parser, '}'))
      depth -= depth > 0;
    else {
      if (depth)
        parse_list(parser, variable);
      parse_value(parser, variable);
    }
    if (depth)
      parser_accept(parser, ',');
  } while (depth && !parser->reason && parser->token.kind != TOKEN_END);
  if (depth)
    parser_missing(parser, "'}'");
  variable->is_plain &=
      deepest <= 1 || variable->values.count == variable->bytes;
}

static void parse_initialiser(Parser *parser, PtxVariable *variable) {
  if (!parser_accept(parser, '='))
    return;
  variable->is_plain = true;
  parse_values(parser, variable);
}

static void parse_dimensions(Parser *parser, PtxVariable *variable) {
  while (parser_accept(parser, '[')) {
    uint64_t count = parser_is(parser, ']') ? 0 : parser_number(parser);
    if (count && variable->bytes > (UINT64_C(1) << 40) / count)
      parser_fail(parser, "'%s' is too large", variable->name);
    else
      variable->bytes *= count;
    parser_expect(parser, ']');
  }
}

// What may stand before a name: .align 4 .b8, .v4 .f32, .u64 .ptr .global.
static void parse_variable_type(Parser *parser, PtxVariable *variable) {
  unsigned lanes = 1;
  while (!bits_of(&parser->token) && parser->token.kind == TOKEN_DOTTED) {
    if (accept_directive(parser, ".align"))
      variable->align = parser_number(parser);
    else if (accept_directive(parser, ".v2"))
      lanes = 2;
    else if (accept_directive(parser, ".v4"))
      lanes = 4;
    else if (accept_directive(parser, ".attribute")) {
      parser_expect(parser, '(');
      while (parser->token.kind != TOKEN_END && !parser_is(parser, ')'))
        parser_next(parser);
      parser_expect(parser, ')');
    } else
      parser_missing(parser, "a type");
  }
  variable->is_float = parser->token.kind == TOKEN_DOTTED &&
                       memchr(parser->token.begin, 'f', parser->token.length);
  variable->element = (parse_type(parser) + 7) / 8;
  variable->bytes = (uint64_t)variable->element * lanes;
  if (!variable->align)
    variable->align = variable->bytes ? variable->bytes : 1;
  if (variable->align > 1 << 16 || variable->align & (variable->align - 1))
    parser_fail(parser, "an alignment that is no power of two");
}

// Of a pointer that is a parameter: .ptr .global .align 16.
static void parse_pointee(Parser *parser) {
  while (parser->token.kind == TOKEN_DOTTED)
    if (accept_directive(parser, ".align"))
      parser_number(parser);
    else
      parser_next(parser);
}

static PtxVariable *parse_variable(Parser *parser, PtxSpace space,
                                   bool is_extern) {
  PtxVariable *variable = NEW(&parser->task->arena, PtxVariable);
  variable->space = space;
  variable->is_extern = is_extern;
  parse_variable_type(parser, variable);
  if (space == SPACE_PARAM)
    parse_pointee(parser);
  variable->loc = parser_loc(parser);
  variable->name = parser_name(parser);
  // .param .b32 p<3> is three parameters, which no compiler prints.
  parse_dimensions(parser, variable);
  if (strcmp(variable->name, "_") != 0)
    declare(parser, NAME_VARIABLE, variable->name)->variable = variable;
  parse_initialiser(parser, variable);
  variable->number = (unsigned)parser->ptx->variables.count;
  push(&parser->task->arena, &parser->ptx->variables, variable);
  return variable;
}

static bool accept_space(Parser *parser, PtxSpace *space) {
  static const struct {
    const char *text;
    PtxSpace space;
  } spaces[] = {
      {".shared", SPACE_SHARED}, {".global", SPACE_GLOBAL},
      {".local", SPACE_LOCAL},   {".const", SPACE_CONST},
      {".param", SPACE_PARAM},   {".tex", SPACE_GLOBAL},
  };
  for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
    if (accept_directive(parser, spaces[i].text)) {
      *space = spaces[i].space;
      return true;
    }
  return false;
}

static void parse_variables(Parser *parser, PtxSpace space, bool is_extern) {
  parse_variable(parser, space, is_extern);
  if (parser_is(parser, ',')) {
    parser_fail(parser, "two variables in one declaration");
    return;
  }
  parser_expect(parser, ';');
}

// ------------------------------------------------------------- registers ---

static void declare_register(Parser *parser, unsigned bits, const char *name) {
  bool is_range = parser_accept(parser, '<');
  Name *declared = declare(parser, is_range ? NAME_RANGE : NAME_REGISTER, name);
  declared->bits = bits;
  declared->number = NO_REGISTER;
  if (!is_range)
    return;
  declared->number = parser_number(parser);
  if (declared->number > MOST_RANGE)
    parser_fail(parser, "more than %d registers", MOST_RANGE);
  parser_expect(parser, '>');
}

static void parse_registers(Parser *parser) {
  if (is_directive(parser, ".v2") || is_directive(parser, ".v4")) {
    parser_fail(parser, "a register of vector type");
    return;
  }
  unsigned bits = parse_type(parser);
  do
    declare_register(parser, bits, parser_name(parser));
  while (parser_accept(parser, ','));
  parser_expect(parser, ';');
}

// ------------------------------------------------------------- functions ---

static PtxFunction *function_named(Parser *parser, const char *name,
                                   bool is_entry) {
  Name *known = names_find(&parser->names, name);
  if (known && known->kind == NAME_FUNCTION)
    return known->function;
  PtxFunction *function = NEW(&parser->task->arena, PtxFunction);
  function->name = name;
  function->number = (unsigned)parser->ptx->functions.count;
  function->is_entry = is_entry;
  function->ptx = parser->ptx;
  push(&parser->task->arena, &parser->ptx->functions, function);
  declare(parser, NAME_FUNCTION, name)->function = function;
  return function;
}

static PtxVariables parse_parameters(Parser *parser) {
  PtxVariables parameters = {0};
  if (!parser_accept(parser, '('))
    return parameters;
  while (!parser_is(parser, ')') && parser->token.kind != TOKEN_END) {
    if (!accept_directive(parser, ".param"))
      parser_missing(parser, "'.param'");
    PtxVariable *variable = parse_variable(parser, SPACE_PARAM, false);
    variable->parameter = (unsigned)parameters.count;
    push(&parser->task->arena, &parameters, variable);
    if (!parser_accept(parser, ','))
      break;
  }
  parser_expect(parser, ')');
  return parameters;
}

static void parse_three(Parser *parser, uint32_t size[3]) {
  for (unsigned i = 0; i < 3; i++)
    size[i] = 1;
  unsigned i = 0;
  do {
    uint64_t number = parser_number(parser);
    if (i < 3 && number <= UINT32_MAX)
      size[i++] = (uint32_t)number;
    else
      parser_fail(parser, "more than three sizes, or too large a one");
  } while (parser_accept(parser, ','));
}

// Directives without meaning here; their numbers are skipped, too.
static bool accept_ignored_hint(Parser *parser) {
  static const char *const hints[] = {
      ".minnctapersm",         ".maxnctapersm",
      ".maxclusterrank",       ".explicitcluster",
      ".blocksareclusters",    ".abi_preserve",
      ".abi_preserve_control", ".unique",
      ".maxnrecordsperblock"};
  for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
    if (accept_directive(parser, hints[i])) {
      while (parser->token.kind == TOKEN_NUMBER || parser_is(parser, ','))
        parser_next(parser);
      return true;
    }
  return false;
}

static void skip_directive(Parser *parser) {
  while (parser->token.kind != TOKEN_END && !parser_is(parser, ';'))
    parser_next(parser);
  parser_expect(parser, ';');
}

static void parse_function_hints(Parser *parser, PtxFunction *function) {
  while (parser->token.kind == TOKEN_DOTTED) {
    if (accept_directive(parser, ".reqntid"))
      parse_three(parser, function->required);
    else if (accept_directive(parser, ".maxntid"))
      parse_three(parser, function->most);
    else if (accept_directive(parser, ".reqnctapercluster"))
      parse_three(parser, function->cluster);
    else if (accept_directive(parser, ".maxnreg"))
      function->registers_most = (uint32_t)parser_number(parser);
    else if (accept_directive(parser, ".noreturn"))
      function->returns_never = true;
    else if (accept_directive(parser, ".pragma"))
      skip_directive(parser);
    else if (!accept_ignored_hint(parser))
      parser_missing(parser, "a directive of a function");
  }
}

static void open_scope(Parser *parser) {
  if (parser->names.depth >= MOST_SCOPES)
    parser_fail(parser, "more than %d nested blocks", MOST_SCOPES);
  else
    parser->names.depth++;
}

static void parse_label(Parser *parser, const char *name) {
  if (is_directive(parser, ".branchtargets")) {
    parser_next(parser);
    parse_targets(parser, name);
    return;
  }
  if (is_directive(parser, ".callprototype") ||
      is_directive(parser, ".calltargets")) {
    declare(parser, NAME_PROTOTYPE, name);
    skip_directive(parser);
    return;
  }
  declare(parser, NAME_LABEL, name)->number = parser->function->code.count;
}

// A word is a label if a colon follows.
static bool is_label(const Parser *parser) {
  const char *problem;
  Lexer ahead = parser->lexer;
  if (parser->token.kind != TOKEN_WORD)
    return false;
  Token next = lexer_next(&ahead, &problem);
  return next.kind == TOKEN_SIGN && *next.begin == ':';
}

static void parse_body_directive(Parser *parser) {
  PtxSpace space;
  bool is_extern = accept_directive(parser, ".extern");
  if (parser->is_assembly && !is_directive(parser, ".reg"))
    parser_missing(parser, "a statement");
  else if (accept_space(parser, &space))
    parse_variables(parser, space, is_extern);
  else if (accept_directive(parser, ".reg"))
    parse_registers(parser);
  else if (accept_directive(parser, ".loc"))
    parse_loc_directive(parser);
  else if (accept_directive(parser, ".file"))
    parse_file_directive(parser);
  else if (accept_directive(parser, ".pragma"))
    skip_directive(parser);
  else
    parser_fail(parser, "unknown directive '%.*s'",
                parser->token.length < 40 ? (int)parser->token.length : 40,
                parser->token.begin);
}

// ".reg.b32" is ".reg .b32".
static void cut_directive(Parser *parser) {
  unsigned length = 1 + (unsigned)strcspn(parser->token.begin + 1, ".");
  if (length >= parser->token.length)
    return;
  parser->token.length = length;
  parser->lexer.at = parser->token.begin + length;
}

static void parse_statement(Parser *parser) {
  parser->statement = parser->token.begin;
  if (parser->token.kind == TOKEN_DOTTED) {
    cut_directive(parser);
    parse_body_directive(parser);
  } else if (is_label(parser)) {
    const char *name = parser_name(parser);
    parser_expect(parser, ':');
    parse_label(parser, name);
  } else if (!parser_accept(parser, ';')) {
    parse_instruction(parser);
  }
}

// Everything between { and }, with blocks inside.
static void parse_body(Parser *parser) {
  size_t first[MOST_SCOPES + 1];
  unsigned outside = parser->names.depth;
  parser_expect(parser, '{');
  first[outside] = parser->references.count;
  unsigned depth = outside + 1;
  open_scope(parser);
  first[depth] = parser->references.count;
  while (depth > outside && !parser->reason) {
    assert(depth == parser->names.depth && depth <= MOST_SCOPES);
    if (parser->token.kind == TOKEN_END) {
      parser_missing(parser, "'}'");
    } else if (parser_accept(parser, '{')) {
      open_scope(parser);
      depth = parser->names.depth;
      first[depth] = parser->references.count;
    } else if (parser_is(parser, '}')) {
      resolve_labels(parser, first[depth]);
      names_close_scope(&parser->names);
      depth--;
      parser_next(parser);
    } else {
      parse_statement(parser);
    }
  }
}

// Parameters and results are in a scope of their own.
static void parse_function(Parser *parser, bool is_entry) {
  open_scope(parser);
  PtxVariables results = {0};
  if (!is_entry)
    results = parse_parameters(parser);
  Loc loc = parser_loc(parser);
  const char *name = parser_name(parser);
  PtxVariables params = parse_parameters(parser);
  assert(parser->names.depth > 0);
  // The function itself belongs to the file.
  parser->names.depth--;
  PtxFunction *function = parser->reason
                              ? NEW(&parser->task->arena, PtxFunction)
                              : function_named(parser, name, is_entry);
  parser->names.depth++;
  parse_function_hints(parser, function);
  if (!function->has_body) {
    function->params = params;
    function->results = results;
  }
  if (!parser_accept(parser, ';')) {
    if (function->has_body)
      parser_fail(parser, "'%s' is defined twice", name);
    function->loc = loc;
    function->is_entry = is_entry;
    function->has_body = true;
    function->first_line = parser->lines.count;
    parser->function = function;
    parse_body(parser);
    parser->function = NULL;
  }
  if (parser->reason)
    return;
  names_close_scope(&parser->names);
  PtxKernel kernel = {function};
  if (is_entry && function->has_body)
    push(&parser->task->arena, &parser->ptx->kernels, kernel);
}

// ------------------------------------------------------------------ file ---

static void parse_version(Parser *parser) {
  Ptx *ptx = parser->ptx;
  ptx->major = (unsigned)parser_number(parser);
  // The lexer takes ".1" for a directive.
  const Token *minor = &parser->token;
  if (minor->kind != TOKEN_DOTTED || minor->length != 2) {
    parser_missing(parser, "the minor version");
    return;
  }
  ptx->minor = (unsigned)(minor->begin[1] - '0');
  if (ptx->major > PTX_NEWEST_MAJOR)
    parser_fail(parser, "PTX version %u.%u, and the newest known is %d",
                ptx->major, ptx->minor, PTX_NEWEST_MAJOR);
  parser_next(parser);
}

static void parse_target(Parser *parser) {
  do
    parser_name(parser);
  while (parser_accept(parser, ','));
}

// .section .debug_str { ... }: labels and data that mean nothing here.
static void skip_section(Parser *parser) {
  parser_next(parser); // its name
  parser_expect(parser, '{');
  while (parser->token.kind != TOKEN_END && !parser_is(parser, '}'))
    parser_next(parser);
  parser_expect(parser, '}');
}

static bool parse_linked(Parser *parser, bool is_extern) {
  PtxSpace space;
  if (accept_directive(parser, ".entry"))
    parse_function(parser, true);
  else if (accept_directive(parser, ".func"))
    parse_function(parser, false);
  else if (accept_space(parser, &space))
    parse_variables(parser, space, is_extern);
  else
    return false;
  return true;
}

static void parse_directive(Parser *parser) {
  bool is_extern = false;
  while (is_directive(parser, ".visible") || is_directive(parser, ".weak") ||
         is_directive(parser, ".common") || is_directive(parser, ".extern")) {
    is_extern |= is_directive(parser, ".extern");
    parser_next(parser);
  }
  if (parse_linked(parser, is_extern))
    return;
  if (accept_directive(parser, ".version"))
    parse_version(parser);
  else if (accept_directive(parser, ".target"))
    parse_target(parser);
  else if (accept_directive(parser, ".address_size"))
    parser->ptx->address_bits = (unsigned)parser_number(parser);
  else if (accept_directive(parser, ".section"))
    skip_section(parser);
  else if (accept_directive(parser, ".alias"))
    skip_directive(parser);
  else
    parse_body_directive(parser);
}

static void parse_file(Parser *parser) {
  parser_next(parser);
  if (!is_directive(parser, ".version"))
    parser_missing(parser, ".version");
  while (parser->token.kind != TOKEN_END) {
    if (parser->token.kind == TOKEN_DOTTED)
      parse_directive(parser);
    else if (!parser_accept(parser, ';'))
      parser_missing(parser, "a directive");
  }
  if (parser->reason)
    return;
  resolve_functions(parser);
  check_branches(parser);
  find_writes(parser->task, parser->ptx);
  find_tables(parser->task, parser->ptx);
  resolve_lines(parser);
}

static void free_names(void *arena) { arena_free(arena); }

bool ptx_parse(Task *task, const char *file, const char *text, Ptx **ptx,
               const char **reason, Loc *where) {
  Parser parser = {.task = task};
  parser.ptx = NEW(&task->arena, Ptx);
  parser.ptx->file = arena_copy(&task->arena, file);
  parser.ptx->address_bits = 32;
  parser.lexer = (Lexer){text, text, 1};
  parser.token.begin = text;
  parser.names.arena = NEW(&task->arena, Arena);
  arena_defer(&task->arena, free_names, parser.names.arena);
  parse_file(&parser);
  arena_free(parser.names.arena);
  *ptx = parser.ptx;
  *reason = parser.reason;
  *where = parser.where;
  return !parser.reason;
}

static void declare_operands(Parser *parser, unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    const char *text = arena_printf(&parser->task->arena, "$%u", i);
    declare(parser, NAME_REGISTER, text)->number = i;
    push_moving(&parser->task->arena, &parser->function->registers,
                ((PtxRegister){.bits = 0}));
  }
}

PtxBody ptx_parse_body(Task *task, const char *text, unsigned operands) {
  Parser parser = {.task = task, .is_assembly = true};
  parser.ptx = NEW(&task->arena, Ptx);
  parser.ptx->file = "assembly";
  // The closing brace is behind a comment that the text may end with.
  text = arena_printf(&task->arena, "{%s\n}", text);
  parser.lexer = (Lexer){text, text, 1};
  parser.token.begin = parser.statement = text;
  parser.names.arena = NEW(&task->arena, Arena);
  arena_defer(&task->arena, free_names, parser.names.arena);
  parser.function = NEW(&task->arena, PtxFunction);
  declare_operands(&parser, operands);
  parser_next(&parser);
  parse_body(&parser);
  if (parser.token.kind != TOKEN_END) // our brace was not the last
    parser.statement = parser.failed_at = "}";
  arena_free(parser.names.arena);
  return (PtxBody){parser.function, parser.failed_at, parser.statement};
}

size_t ptx_kernel_count(const Ptx *ptx) { return ptx->kernels.count; }

const PtxKernel *ptx_kernel(const Ptx *ptx, size_t index) {
  assert(index < ptx->kernels.count);
  return &ptx->kernels.at[index];
}

const char *ptx_kernel_name(const PtxKernel *kernel) {
  return kernel->function->name;
}

static bool is_ptx_file(const char *file) {
  size_t length = strlen(file);
  return length > 4 && !strcmp(file + length - 4, ".ptx");
}

Loc ptx_kernel_loc(const PtxKernel *kernel) {
  const PtxFunction *function = kernel->function;
  bool is_from_source =
      function->source.line && !is_ptx_file(function->ptx->file);
  return is_from_source ? function->source : function->loc;
}

size_t ptx_kernel_parameters(const PtxKernel *kernel) {
  return kernel->function->params.count;
}

bool ptx_kernel_block_size(const PtxKernel *kernel, uint32_t size[3]) {
  const PtxFunction *function = kernel->function;
  const uint32_t *from =
      function->required[0] ? function->required : function->most;
  for (unsigned i = 0; i < 3; i++)
    size[i] = from[i];
  return from[0] != 0;
}

void ptx_kernel_cluster_size(const PtxKernel *kernel, uint32_t size[3]) {
  for (unsigned i = 0; i < 3; i++)
    size[i] = kernel->function->cluster[i];
}
