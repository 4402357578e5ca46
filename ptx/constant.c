// Numbers of PTX: literals and constant expressions.
//
// Integers have 64 bits, and are unsigned if they end with U or are too large
// for a signed one; floats have 64 bits, too.  Operators are those of C, with
// the types that PTX gives them: ~ and % are of unsigned numbers, comparisons
// give signed ones, a shift has the type of what is shifted.  What has no
// defined value (a division by zero, a shift by more than 63, alternatives of
// two types) is no constant here.

#include "ptx/constant.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 128 }; // signs and parentheses within each other

typedef struct Parser {
  const char *at;
  unsigned depth;
  bool has_failed;
} Parser;

static const PtxConstant nothing = {PTX_CONSTANT_SIGNED, 0};

static PtxConstant fail(Parser *p) {
  p->has_failed = true;
  p->at = "";
  return nothing;
}

// And comments.  One that does not end is for the lexer to complain about.
static void skip_space(Parser *p) {
  for (;;) {
    p->at += strspn(p->at, " \t\r\n\f");
    const char *end = NULL;
    if (!strncmp(p->at, "/*", 2) && (end = strstr(p->at + 2, "*/")))
      p->at = end + 2;
    else if (!strncmp(p->at, "//", 2))
      p->at += strcspn(p->at, "\n");
    else
      return;
  }
}

static bool accept(Parser *p, const char *sign) {
  size_t length = strlen(sign);
  skip_space(p);
  if (strncmp(p->at, sign, length) != 0)
    return false;
  p->at += length;
  return true;
}

// ----------------------------------------------------------------- values ---

static PtxConstant of_signed(int64_t value) {
  return (PtxConstant){PTX_CONSTANT_SIGNED, (uint64_t)value};
}

static PtxConstant of_unsigned(uint64_t value) {
  return (PtxConstant){PTX_CONSTANT_UNSIGNED, value};
}

static PtxConstant of_double(double value) {
  PtxConstant made = {PTX_CONSTANT_DOUBLE, 0};
  memcpy(&made.bits, &value, sizeof value);
  return made;
}

static double as_double(PtxConstant a) {
  double value;
  memcpy(&value, &a.bits, sizeof value);
  return value;
}

static bool is_integer(PtxConstant a) {
  return a.kind == PTX_CONSTANT_SIGNED || a.kind == PTX_CONSTANT_UNSIGNED;
}

static bool are_integers(PtxConstant a, PtxConstant b) {
  return is_integer(a) && is_integer(b);
}

static bool are_doubles(PtxConstant a, PtxConstant b) {
  return a.kind == PTX_CONSTANT_DOUBLE && b.kind == PTX_CONSTANT_DOUBLE;
}

// ---------------------------------------------------------------- literals ---

static int digit_of(char c) {
  if (isdigit((unsigned char)c))
    return c - '0';
  return isxdigit((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10 : 16;
}

// The digits of a number, as many as there are; how many.
static unsigned read_digits(Parser *p, int base, uint64_t *value) {
  assert(base >= 2 && base <= 16);
  unsigned count = 0;
  *value = 0;
  for (; digit_of(*p->at) < base; p->at++, count++) {
    uint64_t digit = (uint64_t)digit_of(*p->at), b = (uint64_t)base;
    if (*value > (UINT64_MAX - digit) / b)
      fail(p);
    else
      *value = *value * b + digit;
    if (p->has_failed)
      return 0;
  }
  return count;
}

static bool continues(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '.';
}

// 0f3f800000, 0d3ff0000000000000: the bits of a float.
static PtxConstant read_image(Parser *p, unsigned digits,
                              PtxConstantKind kind) {
  PtxConstant made = {kind, 0};
  p->at += 2;
  return read_digits(p, 16, &made.bits) == digits ? made : fail(p);
}

// A point, an exponent, or both.
static size_t decimal_length(const char *text) {
  static const char digits[] = "0123456789";
  size_t whole = strspn(text, digits), length = whole, after = 0;
  if (text[length] == '.') {
    after = strspn(text + length + 1, digits);
    length += 1 + after;
  }
  if (whole + after == 0)
    return 0;
  if (tolower((unsigned char)text[length]) == 'e') {
    size_t sign = text[length + 1] == '+' || text[length + 1] == '-';
    size_t exponent = strspn(text + length + 1 + sign, digits);
    return exponent ? length + 1 + sign + exponent : 0;
  }
  return length > whole ? length : 0;
}

bool ptx_decimal_at(const char **text, uint64_t *bits) {
  size_t length = decimal_length(*text);
  if (!length)
    return false;
  *bits = of_double(strtod(*text, NULL)).bits;
  *text += length;
  return true;
}

static PtxConstant read_integer(Parser *p) {
  int base = p->at[0] == '0' ? 8 : 10;
  char kind = base == 8 ? (char)tolower((unsigned char)p->at[1]) : 0;
  uint64_t value;
  if (kind == 'x' || kind == 'b') {
    base = kind == 'x' ? 16 : 2;
    p->at += 2;
  }
  if (!read_digits(p, base, &value))
    return fail(p);
  bool is_unsigned = *p->at == 'U' || value > INT64_MAX;
  p->at += *p->at == 'U';
  return is_unsigned ? of_unsigned(value) : of_signed((int64_t)value);
}

static PtxConstant read_literal(Parser *p) {
  skip_space(p);
  char kind = *p->at == '0' ? (char)tolower((unsigned char)p->at[1]) : 0;
  PtxConstant made = {PTX_CONSTANT_DOUBLE, 0};
  if (kind == 'f' || kind == 'd')
    made = kind == 'f' ? read_image(p, 8, PTX_CONSTANT_SINGLE)
                       : read_image(p, 16, PTX_CONSTANT_DOUBLE);
  else if (kind == 'x' || kind == 'b' || !ptx_decimal_at(&p->at, &made.bits))
    made = read_integer(p);
  return continues(*p->at) ? fail(p) : made;
}

// --------------------------------------------------------------- operators ---

static PtxConstant read_expression(Parser *p);

static PtxConstant read_deeper(Parser *p, PtxConstant (*read)(Parser *)) {
  if (p->depth == DEEPEST)
    return fail(p);
  p->depth++;
  PtxConstant value = read(p);
  p->depth--;
  return value;
}

static PtxConstant cast(Parser *p) {
  static const char *const casts[] = {".s64", ".u64"};
  for (int i = 0; i < 2; i++)
    if (accept(p, casts[i]) && accept(p, ")")) {
      PtxConstant value = read_literal(p);
      return is_integer(value)
                 ? i ? of_unsigned(value.bits) : of_signed((int64_t)value.bits)
                 : fail(p);
    }
  return fail(p);
}

static PtxConstant read_primary(Parser *p) {
  if (!accept(p, "("))
    return read_literal(p);
  skip_space(p);
  if (*p->at == '.' && !isdigit((unsigned char)p->at[1]))
    return cast(p);
  PtxConstant value = read_expression(p);
  if (value.kind == PTX_CONSTANT_SINGLE || !accept(p, ")"))
    return fail(p);
  return value;
}

static PtxConstant read_sign(Parser *p);

static PtxConstant read_unary(Parser *p) { return read_deeper(p, read_sign); }

static PtxConstant read_sign(Parser *p) {
  static const char signs[] = "-+!~";
  skip_space(p);
  const char *sign = *p->at ? strchr(signs, *p->at) : NULL;
  if (!sign)
    return read_primary(p);
  p->at++;
  PtxConstant a = read_unary(p);
  if (a.kind == PTX_CONSTANT_SINGLE ||
      (a.kind == PTX_CONSTANT_DOUBLE && (*sign == '!' || *sign == '~')))
    return fail(p);
  if (a.kind == PTX_CONSTANT_DOUBLE)
    return *sign == '-' ? of_double(-as_double(a)) : a;
  if (*sign == '!')
    return of_signed(!a.bits);
  if (*sign == '~')
    return of_unsigned(~a.bits);
  a.bits = *sign == '-' ? 0 - a.bits : a.bits;
  return a;
}

static PtxConstant divided(Parser *p, PtxConstant a, PtxConstant b,
                           bool is_signed) {
  int64_t x = (int64_t)a.bits, y = (int64_t)b.bits;
  if (!b.bits || (is_signed && x == INT64_MIN && y == -1))
    return fail(p);
  return is_signed ? of_signed(x / y) : of_unsigned(a.bits / b.bits);
}

static PtxConstant shifted(Parser *p, PtxConstant a, PtxConstant b,
                           bool is_left) {
  assert(are_integers(a, b));
  if (b.bits > 63)
    return fail(p);
  if (is_left)
    a.bits <<= b.bits;
  else if (a.kind == PTX_CONSTANT_SIGNED)
    a.bits = (uint64_t)((int64_t)a.bits >> b.bits);
  else
    a.bits >>= b.bits;
  return a;
}

static PtxConstant of_doubles(Parser *p, char operator, double x, double y) {
  switch (operator) {
  case '*':
    return of_double(x * y);
  case '/':
    return of_double(x / y);
  case '+':
    return of_double(x + y);
  case '-':
    return of_double(x - y);
  case '<':
    return of_signed(x < y);
  case '>':
    return of_signed(x > y);
  case 'l':
    return of_signed(x <= y);
  case 'g':
    return of_signed(x >= y);
  case '=':
    return of_signed(x == y);
  case '!':
    return of_signed(x != y);
  default:
    return fail(p);
  }
}

static bool is_less(PtxConstant a, PtxConstant b, bool is_signed) {
  return is_signed ? (int64_t)a.bits < (int64_t)b.bits : a.bits < b.bits;
}

// With the usual conversions: signed if both are.
static PtxConstant of_integers(Parser *p, char operator, PtxConstant a,
                               PtxConstant b) {
  bool is_signed =
      a.kind == PTX_CONSTANT_SIGNED && b.kind == PTX_CONSTANT_SIGNED;
  PtxConstantKind kind =
      is_signed ? PTX_CONSTANT_SIGNED : PTX_CONSTANT_UNSIGNED;
  switch (operator) {
  case '*':
    return (PtxConstant){kind, a.bits * b.bits};
  case '/':
    return divided(p, a, b, is_signed);
  case '%':
    return b.bits ? of_unsigned(a.bits % b.bits) : fail(p);
  case '+':
    return (PtxConstant){kind, a.bits + b.bits};
  case '-':
    return (PtxConstant){kind, a.bits - b.bits};
  case 'L':
  case 'R':
    return shifted(p, a, b, operator == 'L');
  case '<':
    return of_signed(is_less(a, b, is_signed));
  case '>':
    return of_signed(is_less(b, a, is_signed));
  case 'l':
    return of_signed(!is_less(b, a, is_signed));
  case 'g':
    return of_signed(!is_less(a, b, is_signed));
  case '=':
    return of_signed(a.bits == b.bits);
  case '!':
    return of_signed(a.bits != b.bits);
  case '&':
    return (PtxConstant){kind, a.bits & b.bits};
  case '^':
    return (PtxConstant){kind, a.bits ^ b.bits};
  case '|':
    return (PtxConstant){kind, a.bits | b.bits};
  case 'A':
    return of_signed(a.bits && b.bits);
  case 'O':
    return of_signed(a.bits || b.bits);
  default:
    return fail(p);
  }
}

typedef struct Operator {
  const char *sign;
  char name;
  int level; // the higher binds the stronger
} Operator;

// The longer of two that begin alike comes first.
static const Operator operators[] = {
    {"||", 'O', 1}, {"&&", 'A', 2}, {"|", '|', 3},  {"^", '^', 4},
    {"&", '&', 5},  {"==", '=', 6}, {"!=", '!', 6}, {"<<", 'L', 8},
    {">>", 'R', 8}, {"<=", 'l', 7}, {">=", 'g', 7}, {"<", '<', 7},
    {">", '>', 7},  {"+", '+', 9},  {"-", '-', 9},  {"*", '*', 10},
    {"/", '/', 10}, {"%", '%', 10},
};

static const Operator *operator_at(Parser *p) {
  skip_space(p);
  for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
    if (!strncmp(p->at, operators[i].sign, strlen(operators[i].sign)))
      return &operators[i];
  return NULL;
}

static PtxConstant read_binary(Parser *p, int level) {
  PtxConstant a = read_unary(p);
  for (const Operator *o; (o = operator_at(p)) && o->level >= level;) {
    p->at += strlen(o->sign);
    PtxConstant b = read_binary(p, o->level + 1);
    if (are_doubles(a, b))
      a = of_doubles(p, o->name, as_double(a), as_double(b));
    else
      a = are_integers(a, b) ? of_integers(p, o->name, a, b) : fail(p);
  }
  return a;
}

static PtxConstant read_choice(Parser *p) {
  PtxConstant a = read_binary(p, 1);
  if (!accept(p, "?"))
    return a;
  PtxConstant yes = read_expression(p);
  if (!accept(p, ":") || !is_integer(a))
    return fail(p);
  PtxConstant no = read_expression(p);
  if (yes.kind != no.kind || yes.kind == PTX_CONSTANT_SINGLE)
    return fail(p);
  return a.bits ? yes : no;
}

static PtxConstant read_expression(Parser *p) {
  return read_deeper(p, read_choice);
}

// ---------------------------------------------------------------- operands ---

bool ptx_starts_constant(const char *text) {
  text += strspn(text, "+-~!( \t");
  return isdigit((unsigned char)*text) ||
         (*text == '.' && isdigit((unsigned char)text[1])) ||
         !strncmp(text, ".s64", 4) || !strncmp(text, ".u64", 4);
}

bool ptx_constant_at(const char **text, PtxConstant *constant) {
  Parser p = {.at = *text};
  *constant = read_expression(&p);
  if (p.has_failed)
    return false;
  skip_space(&p);
  *text = p.at;
  return true;
}

static uint64_t as_float(const PtxConstant *constant, unsigned bits) {
  assert(!is_integer(*constant) && (bits == 32 || bits == 64));
  uint32_t low = (uint32_t)constant->bits;
  float narrow;
  if ((bits == 32) == (constant->kind == PTX_CONSTANT_SINGLE))
    return constant->bits;
  if (bits == 32)
    narrow = (float)as_double(*constant);
  else
    memcpy(&narrow, &low, sizeof narrow);
  memcpy(&low, &narrow, sizeof low);
  return bits == 32 ? low : of_double(narrow).bits;
}

// A word of bits takes the bits of a float of its size.
bool ptx_constant_as(const PtxConstant *constant, char kind, unsigned bits,
                     uint64_t *image) {
  bool is_whole = is_integer(*constant);
  unsigned size = constant->kind == PTX_CONSTANT_SINGLE ? 32 : 64;
  if (kind == 'f' && (is_whole || (bits != 32 && bits != 64)))
    return false;
  if (kind != 'f' && !is_whole && (kind != 'b' || bits != size))
    return false;
  *image = kind == 'f'   ? as_float(constant, bits)
           : kind == 'p' ? constant->bits != 0
                         : constant->bits;
  return true;
}
