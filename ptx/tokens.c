// What the parser sees: one token, and what it expects there.

#include "ptx/syntax.h"

#include <assert.h>
#include <ctype.h>
#include <stdarg.h>
#include <string.h>

Loc parser_loc(const Parser *parser) {
  return (Loc){parser->ptx->file, parser->token.line, parser->token.column};
}

void parser_fail(Parser *parser, const char *fmt, ...) {
  if (parser->reason)
    return;
  char text[256];
  va_list args;
  va_start(args, fmt);
  vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  parser->reason = arena_copy(&parser->task->arena, text);
  parser->where = parser_loc(parser);
  parser->failed_at = parser->token.begin;
  parser->token.kind = TOKEN_END;
}

void parser_next(Parser *parser) {
  if (parser->reason)
    return;
  const char *problem = NULL;
  parser->previous_end = parser->token.begin + parser->token.length;
  parser->token = lexer_next(&parser->lexer, &problem);
  if (parser->token.kind == TOKEN_BAD)
    parser_fail(parser, "%s", problem);
}

bool parser_is(const Parser *parser, char sign) {
  return parser->token.kind == TOKEN_SIGN && *parser->token.begin == sign;
}

bool token_is(const Token *token, const char *text) {
  return strlen(text) == token->length &&
         !strncmp(token->begin, text, token->length);
}

bool parser_is_word(const Parser *parser, const char *text) {
  return parser->token.kind == TOKEN_WORD && token_is(&parser->token, text);
}

bool parser_accept(Parser *parser, char sign) {
  bool is_here = parser_is(parser, sign);
  if (is_here)
    parser_next(parser);
  return is_here;
}

void parser_missing(Parser *parser, const char *wanted) {
  const Token *token = &parser->token;
  if (token->kind == TOKEN_END)
    parser_fail(parser, "the file ends where %s should be", wanted);
  else
    parser_fail(parser, "'%.*s' where %s should be",
                token->length < 40 ? (int)token->length : 40, token->begin,
                wanted);
}

void parser_expect(Parser *parser, char sign) {
  char wanted[] = {'\'', sign, '\'', '\0'};
  if (!parser_accept(parser, sign))
    parser_missing(parser, wanted);
}

const char *parser_copy(Parser *parser, const Token *token) {
  char *text = arena_alloc(&parser->task->arena, token->length + 1);
  return memcpy(text, token->begin, token->length);
}

const char *parser_name(Parser *parser) {
  if (parser->token.kind != TOKEN_WORD) {
    parser_missing(parser, "a name");
    return "";
  }
  const char *name = parser_copy(parser, &parser->token);
  parser_next(parser);
  return name;
}

uint64_t parser_number(Parser *parser) {
  bool is_negative = parser_accept(parser, '-');
  uint64_t number = parser->token.number;
  if (parser->token.kind != TOKEN_NUMBER) {
    parser_missing(parser, "a number");
    return 0;
  }
  parser_next(parser);
  return is_negative ? -number : number;
}

// ------------------------------------------------------------- constants ---

bool parser_is_constant(const Parser *parser) {
  TokenKind kind = parser->token.kind;
  return (kind == TOKEN_NUMBER || kind == TOKEN_SIGN || kind == TOKEN_DOTTED) &&
         ptx_starts_constant(parser->token.begin);
}

static bool ends_operand(const char *at) {
  at += strspn(at, " \t");
  return *at && strchr(",;]}", *at);
}

static PtxConstant literal(const Token *number, bool is_minus) {
  assert(!is_minus || !number->float_bits);
  PtxConstantKind kind = number->float_bits == 32   ? PTX_CONSTANT_SINGLE
                         : number->float_bits == 64 ? PTX_CONSTANT_DOUBLE
                                                    : PTX_CONSTANT_SIGNED;
  return (PtxConstant){kind, is_minus ? -number->number : number->number};
}

// The expression becomes one token.
static void take_expression(Parser *parser, PtxConstant *constant) {
  const char *begin = parser->token.begin, *at = begin;
  if (!ptx_constant_at(&at, constant)) {
    parser_missing(parser, "a constant");
    return;
  }
  for (const char *line = begin; (line = strchr(line, '\n')) && line < at;) {
    parser->lexer.line++;
    parser->lexer.line_start = ++line;
  }
  parser->lexer.at = at;
  while (isspace((unsigned char)at[-1]))
    at--;
  parser->token.length = (unsigned)(at - begin);
  parser_next(parser);
}

// Most are a number and no more, perhaps with a sign.
void parser_constant(Parser *parser, PtxConstant *constant) {
  const char *problem;
  bool is_minus = parser_is(parser, '-');
  Lexer ahead = parser->lexer;
  Token number = parser->token;
  if (is_minus || parser_is(parser, '+'))
    number = lexer_next(&ahead, &problem);
  if (number.kind != TOKEN_NUMBER || !ends_operand(ahead.at) ||
      (is_minus && number.float_bits)) {
    take_expression(parser, constant);
    return;
  }
  *constant = literal(&number, is_minus);
  parser->lexer = ahead;
  parser->token = number;
  parser_next(parser);
}
