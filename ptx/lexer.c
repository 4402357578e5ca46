// The tokens of PTX.
//
// An opcode with all its dots ("ld.shared::cta.v2.u32") is one word, as is a
// name with its dollar or percent sign ("%tid.x", "$L__BB0_1"): what the
// parts mean is for the parser.  A directive begins with a dot.  Comments and
// space vanish here.  Every token consumes at least one character but the
// last, TOKEN_END, which comes again and again.

#include "ptx/syntax.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool starts_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         c == '$' || c == '%';
}

static bool continues_word(char c) { return starts_word(c) || is_digit(c); }

static void take(Lexer *lexer) {
  assert(*lexer->at);
  if (*lexer->at == '\n') {
    lexer->line++;
    lexer->line_start = lexer->at + 1;
  }
  lexer->at++;
}

static void skip_line(Lexer *lexer) {
  while (*lexer->at && *lexer->at != '\n')
    take(lexer);
}

// False: the comment does not end.
static bool skip_comment(Lexer *lexer) {
  take(lexer);
  take(lexer);
  while (*lexer->at && !(lexer->at[0] == '*' && lexer->at[1] == '/'))
    take(lexer);
  if (!*lexer->at)
    return false;
  take(lexer);
  take(lexer);
  return true;
}

static bool skip_space(Lexer *lexer) {
  for (;;) {
    const char *at = lexer->at;
    if (*at == ' ' || *at == '\t')
      lexer->at++;
    else if (isspace((unsigned char)*at))
      take(lexer);
    else if (at[0] == '/' && at[1] == '/')
      skip_line(lexer);
    else if (at[0] == '/' && at[1] == '*') {
      if (!skip_comment(lexer))
        return false;
    } else
      return true;
  }
}

// Dots and double colons join the parts of a word.
static void take_word(Lexer *lexer) {
  for (;;) {
    const char *at = lexer->at;
    if (continues_word(at[0]) || (at[0] == '.' && continues_word(at[1])))
      lexer->at++;
    else if (at[0] == ':' && at[1] == ':' && continues_word(at[2]))
      lexer->at += 2;
    else
      return;
  }
}

static unsigned digit_value(char c) {
  if (is_digit(c))
    return (unsigned)(c - '0');
  if (c >= 'a' && c <= 'f')
    return (unsigned)(c - 'a') + 10;
  if (c >= 'A' && c <= 'F')
    return (unsigned)(c - 'A') + 10;
  return 16;
}

static bool take_digits(Lexer *lexer, unsigned base, uint64_t *number) {
  const char *begin = lexer->at;
  *number = 0;
  bool fits = true;
  for (unsigned digit; (digit = digit_value(*lexer->at)) < base; take(lexer)) {
    fits &= *number <= (UINT64_MAX - digit) / base;
    *number = *number * base + digit;
  }
  return fits && lexer->at > begin;
}

// 12, 0x1f, 017, 0b101, 0f3F800000, 0d3FF0000000000000, each perhaps with a U.
static bool take_number(Lexer *lexer, uint64_t *number, uint8_t *float_bits) {
  unsigned base = 10, digits = 0;
  if (lexer->at[0] == '0' && lexer->at[1] && strchr("xXbBfFdD", lexer->at[1])) {
    char letter = (char)tolower((unsigned char)lexer->at[1]);
    base = letter == 'b' ? 2 : 16;
    digits = letter == 'f' ? 8 : letter == 'd' ? 16 : 0;
    *float_bits = (uint8_t)(4 * digits);
    take(lexer);
    take(lexer);
  } else if (lexer->at[0] == '0') {
    base = 8;
  }
  const char *begin = lexer->at;
  bool is_good = take_digits(lexer, base, number);
  is_good &= digits == 0 || lexer->at == begin + digits;
  if (digits == 0 && *lexer->at == 'U')
    take(lexer);
  return is_good && !continues_word(*lexer->at);
}

// 1e3; 1.5 is a number and a directive, as of .version.
static bool take_decimal(Lexer *lexer, const char *begin, Token *token) {
  if (!ptx_decimal_at(&begin, &token->number) || continues_word(*begin))
    return false;
  token->float_bits = 64;
  lexer->at = begin;
  return true;
}

static bool take_string(Lexer *lexer) {
  take(lexer);
  while (*lexer->at && *lexer->at != '"' && *lexer->at != '\n')
    take(lexer);
  if (*lexer->at != '"')
    return false;
  take(lexer);
  return true;
}

static const char signs[] = ",;:[](){}<>@!|+-=~&*?/^";

static TokenKind take_token(Lexer *lexer, Token *token, const char **problem) {
  char c = *lexer->at;
  if (c == '\0')
    return TOKEN_END;
  if (starts_word(c)) {
    take_word(lexer);
    return TOKEN_WORD;
  }
  if (c == '.' && continues_word(lexer->at[1])) {
    take_word(lexer);
    return TOKEN_DOTTED;
  }
  *problem = "malformed number";
  const char *begin = lexer->at;
  if (is_digit(c))
    return take_number(lexer, &token->number, &token->float_bits) ||
                   take_decimal(lexer, begin, token)
               ? TOKEN_NUMBER
               : TOKEN_BAD;
  *problem = "a string does not end";
  if (c == '"')
    return take_string(lexer) ? TOKEN_STRING : TOKEN_BAD;
  *problem = "a character that PTX does not have";
  take(lexer);
  return strchr(signs, c) ? TOKEN_SIGN : TOKEN_BAD;
}

Token lexer_next(Lexer *lexer, const char **problem) {
  Token token = {.kind = TOKEN_BAD};
  *problem = "a comment does not end";
  bool is_good = skip_space(lexer);
  token.begin = lexer->at;
  token.line = lexer->line;
  token.column = (unsigned)(lexer->at - lexer->line_start) + 1;
  if (is_good)
    token.kind = take_token(lexer, &token, problem);
  token.length = (unsigned)(lexer->at - token.begin);
  return token;
}

bool lexer_next_in_list(Lexer *lexer, Token *number) {
  const char *at = lexer->at;
  if (*at++ != ',')
    return false;
  while (*at == ' ')
    at++;
  const char *begin = at;
  uint64_t value = 0;
  for (; is_digit(*at) && at - begin < 9; at++)
    value = 10 * value + (uint64_t)(*at - '0');
  if (at == begin || (*begin == '0' && at > begin + 1) ||
      (*at != ',' && *at != '}'))
    return false;
  *number = (Token){.kind = TOKEN_NUMBER,
                    .begin = begin,
                    .length = (unsigned)(at - begin),
                    .line = lexer->line,
                    .column = (unsigned)(begin - lexer->line_start) + 1,
                    .number = value};
  lexer->at = at;
  return true;
}
