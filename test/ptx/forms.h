// Instructions of PTX with their operands, and what they give by the manual.
//
// The instructions are those of ptx/instructions.def, and no more is
// taken from there: what each computes is written anew here, on integers
// without end.

#ifndef TEST_PTX_FORMS_H
#define TEST_PTX_FORMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
  MOST_WORDS = 10,
  MOST_SOURCES = 5,
  EDGES = 32,             // of each kind of operand
  TUPLES = EDGES * EDGES, // all pairs of the first two operands
  LITERALS = 1,           // tuples that stand in the text, too
  RESULTS = TUPLES + LITERALS,
};

__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 UnsignedWide;

// --------------------------------------------------------------- forms.c ---

typedef struct Type {
  char kind; // b, u, s, f, e (bf16) or p; 0: none
  unsigned bits, lanes;
} Type;

typedef struct Form {
  char text[80]; // "add.rn.ftz.f32"
  char words[MOST_WORDS][16];
  unsigned word_count, sources;
  Type type, to; // the last two types
  Type result, operands[MOST_SOURCES];
  unsigned table;        // of lop3
  bool names_literals;   // they are operands "n"
  const char *statement; // of statements.def, or NULL
} Form;

// All forms, or of an opcode with many words some in which each word occurs.
const Form *all_forms(size_t *count);
// "add.rn.f32" with so many sources.
Form form_of(const char *text, unsigned sources);
bool has(const Form *form, const char *word);
bool is_float(Type type);

// --------------------------------------------------------------- edges.c ---

// Which of the tables an operand is from.
unsigned kind_of(Type type);
enum { KINDS = 10 };
uint64_t edge(unsigned kind, unsigned index);
// Operand n of the tuple.
unsigned place_of(unsigned tuple, unsigned n);
// The tuples of a form that stand in the text.
unsigned literal_tuple(size_t form, unsigned n);

// --------------------------------------------------------------- print.c ---

void print_program(void);
// The text of a statement with the results %0 and %1, and the sources behind
// them; `tuple` TUPLES: in registers.
void print_text(FILE *to, const Form *form, unsigned tuple);
// Source i is a literal that is an operand of the statement; its value.
bool has_constant(const Form *form, unsigned tuple, unsigned i,
                  uint64_t *value);
// "h", "r" or "l"; numbers of 8 bits and predicates are in one of 32.
char constraint_of(Type type);
// One more operand sets the carry before.
bool takes_carry(const Form *form);
// With that one.
unsigned sources_of(const Form *form);
Type source_type(const Form *form, unsigned i);

// --------------------------------------------------------------- check.c ---

typedef struct Result Result;

// What the references say.  False: none knows the opcode.
bool result_of(const Form *form, const uint64_t *in, Result *result);
// The operands of a tuple.
void fill(const Form *form, unsigned tuple, uint64_t *in);
// Are these the results of all tuples, and of the literals if there are any?
// With `of_any_nan` a NaN of any kind is one.
bool check_form(const Form *form, size_t number, const uint64_t *got,
                unsigned count, bool of_any_nan);

// --------------------------------------------------------------- exact.c ---

// .rn, .rz, .rm, .rp
typedef enum Mode { MODE_NEAREST, MODE_ZERO, MODE_DOWN, MODE_UP } Mode;

typedef enum Class { FINITE, INFINITE, NOT_A_NUMBER } Class;

// whole * 2^exponent, and a little more if it is not all.
typedef struct Real {
  Class class;
  bool is_negative, is_more;
  UnsignedWide whole;
  int exponent;
} Real;

Real real_of(Type type, uint64_t bits);
uint64_t bits_of(Type type, Real value, Mode mode);
Real real_of_integer(Wide value);
Real sum_of(Real a, Real b, Mode mode);
Real product_of(Real a, Real b);
Real quotient_of(Real a, Real b);
Real root_of(Real a);
// The nearest integer in that direction, of a finite number.
Real integral_of(Real a, Mode mode);
// Less than 0, 0 or more, with -0 below 0; of numbers.
int order_of(Real a, Real b);
uint64_t without_subnormal(Type type, uint64_t bits);
uint64_t nan_of(Type type);

// ------------------------------------------------------------ reference*.c ---

struct Result {
  uint64_t value, second; // the carry, or the other predicate
  bool is_open;           // the manual does not say
  bool is_any_nan;        // a NaN is any
  bool is_approximate;
};

typedef bool Reference(const Form *form, const uint64_t *in, Result *result);
// False: there is no such opcode.
Reference reference_of_integers, reference_of_bits, reference_of_floats,
    reference_of_choices, reference_of_conversions, reference_of_videos,
    reference_of_statements;

Wide number_of(Type type, uint64_t bits);
uint64_t cut(Wide value, unsigned bits);
Wide clamped(Wide value, Wide least, Wide most);

#endif
