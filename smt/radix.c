// Two digits at once.
//
//   s * x + y == s * x' + y'    with y, y' < s
//
// says that x == x' and y == y', if neither side wraps.  Where x and x' are
// multiples of a number k, y and y' may be up to k * s.  Solvers find that out
// again for each query, if they do, for s is unknown and so is x; we put it in
// its place before they are asked.  Rows of rows are split again, and so are
// the number of a thread and the stride that it goes round with.  A number is
// such an s as well, as in 40 * x + 9 * y + z: the parts whose factors are its
// multiples against the others.
//
// An equality has one form, in which terms stand on the side where their
// factors are positive, so the two sides say nothing of x and x' being below
// zero: here all terms are natural numbers below 2^w, whatever they mean to
// the program.  Their sum modulo 2^w is the program's.  Whether it is the sum
// itself, and whether y < s, is asked for in a width in which no sum wraps.

#include "smt/bounds.h"
#include "smt/smt.h"
#include "translator/expr.h"

enum {
  MOST_ATOMS = 16,
  MOST_SPLITS = 8, // digits of one query
  MOST_READ = 64,  // ... where nobody is asked
  MOST_RADIXES = 4,
  MOST_PRODUCTS = 2, // .. and products
  MOST_PARTS = 16,
  MOST_FACTORS = 3, // that are products themselves
  MOST_NESTING = 4, // of sums that do not wrap
};

// factor * product of atoms, on the left or the right side.
typedef struct Addend {
  Expr *term;
  uint64_t factor;
  unsigned side;
} Addend;

// What is split by: a factor of terms, or what factors are multiples of.
typedef struct Radix {
  Expr *size; // or NULL
  uint64_t number;
} Radix;

typedef struct Sides {
  Task *task;
  const struct Splitting *to;
  unsigned width;
  uint64_t unit; // what all factors are multiples of
  Addend parts[MOST_PARTS];
  unsigned count;
  bool is_cut;
} Sides;

typedef struct Splitting {
  Task *task;
  const Refuter *refuter; // or NULL
  ExprMap *wholes; // ext(a * b) or ext(a + b), where it does not wrap -> what
                   // that is of a and b in its own bits
  Exprs products;  // among these, and in their own bits
  Exprs facts;     // that are not split
  Naturals *naturals; // what these say; a refuter is asked for the rest;
                      // until they are known any product may fit
  unsigned left;      // splits that may still be tried
} Splitting;

// -------------------------------------------------------------- products ---

static bool is_extended_sum(const Expr *e) {
  return (e->op == EXPR_ZEXT || e->op == EXPR_SEXT) &&
         (e->args[0]->op == EXPR_ADD || e->args[0]->op == EXPR_MUL);
}

// Where e says that a sum or a product does not wrap, as in
// ext(a * b) == ext(a) * ext(b),  the former; or NULL.
static Expr *stated(Task *task, const Expr *e) {
  for (unsigned k = 0; e->op == EXPR_EQ && k < 2; k++) {
    Expr *narrow = e->args[k], *wide = e->args[1 - k];
    if (is_extended_sum(narrow) &&
        expr_extract(task, wide, 0, narrow->args[0]->width) == narrow->args[0])
      return narrow;
  }
  return NULL;
}

static void find_wholes(Splitting *to, const Exprs *facts) {
  Task *task = to->task;
  to->wholes = expr_map_new(task);
  for (size_t i = 0; i < facts->count; i++) {
    const Expr *fact = facts->at[i];
    Expr *sum = stated(task, fact);
    Expr *whole = sum ? fact->args[fact->args[0] == sum] : NULL;
    if (!whole)
      continue;
    expr_map_put(task, to->wholes, sum, whole);
    if (whole->op != EXPR_MUL)
      continue;
    push(&task->arena, &to->products, sum->args[0]);
    push(&task->arena, &to->products, whole);
  }
}

static Expr *whole_of(const Splitting *to, Expr *e) {
  return expr_map_get(to->wholes, e);
}

// a * b in more bits, if it does not wrap in its own.
static Expr *product_that_fits(const Splitting *to, const Expr *extended) {
  Task *task = to->task;
  const Expr *product = extended->args[0];
  Expr *a = product->args[0], *b = product->args[1];
  unsigned room = 2 * product->width, width = extended->width;
  Expr *whole =
      expr_mul(task, expr_zext(task, a, room), expr_zext(task, b, room));
  if (to->naturals && !naturals_fit(to->naturals, whole, product->width))
    return NULL;
  return expr_mul(task, expr_zext(task, a, width), expr_zext(task, b, width));
}

static Expr *product_of(const Splitting *to, Expr *e) {
  Expr *whole = whole_of(to, e);
  Expr *stated = whole && whole->op == EXPR_MUL ? whole : NULL;
  bool may_fit = e->op == EXPR_ZEXT && e->args[0]->op == EXPR_MUL;
  Expr *product = !stated && may_fit ? product_that_fits(to, e) : stated;
  return product ? product : e;
}

// .. and of its factors, where these are products that fit.
static Expr *product_of_all(const Splitting *to, Expr *e, unsigned depth) {
  Expr *product = product_of(to, e);
  if (!depth || product->op != EXPR_MUL)
    return product;
  return expr_mul(to->task, product_of_all(to, product->args[0], depth - 1),
                  product_of_all(to, product->args[1], depth - 1));
}

// ----------------------------------------------------------------- atoms ---

// Of a square of a square there are as many as there are ways to them, so
// behind a few a product is one atom.
static void add_atoms(Task *task, Expr *e, size_t most, Exprs *atoms) {
  if (e->op != EXPR_MUL || atoms->count >= most) {
    push(&task->arena, atoms, e);
    return;
  }
  add_atoms(task, e->args[0], most, atoms);
  add_atoms(task, e->args[1], most, atoms);
}

// e / atom as a product, NULL: it is not a factor.
static Expr *without_atom(Task *task, Expr *e, const Expr *radix) {
  Exprs atoms = {0};
  Expr *rest = NULL;
  bool is_found = false;
  add_atoms(task, e, MOST_ATOMS, &atoms);
  for (size_t i = 0; i < atoms.count; i++) {
    bool is_radix = atoms.at[i] == radix && !is_found;
    is_found |= is_radix;
    if (!is_radix)
      rest = rest ? expr_mul(task, rest, atoms.at[i]) : atoms.at[i];
  }
  if (!is_found)
    return NULL;
  return rest ? rest : expr_const(task, e->width, 1);
}

// e / radix, which may be a product itself.
static Expr *without(Task *task, Expr *e, Expr *radix) {
  Exprs atoms = {0};
  add_atoms(task, radix, MOST_ATOMS, &atoms);
  for (size_t i = 0; i < atoms.count && e; i++)
    e = without_atom(task, e, atoms.at[i]);
  return e;
}

// ----------------------------------------------------------------- parts ---

// What stands on both sides is taken from both.
static void cancel(Sides *sides, Addend *part) {
  for (unsigned i = 0; i < sides->count && part->factor; i++) {
    Addend *other = &sides->parts[i];
    if (other->term != part->term || other->side == part->side)
      continue;
    uint64_t both = other->factor < part->factor ? other->factor : part->factor;
    other->factor -= both;
    part->factor -= both;
    if (!other->factor)
      *other = sides->parts[--sides->count];
  }
}

static void push_part(Sides *sides, Addend part) {
  cancel(sides, &part);
  sides->is_cut |= part.factor && sides->count == MOST_PARTS;
  if (part.factor && !sides->is_cut)
    sides->parts[sides->count++] = part;
}

static Expr *signed_atom(Task *task, Expr *product) {
  Exprs atoms = {0};
  add_atoms(task, product, MOST_ATOMS, &atoms);
  for (size_t i = 0; i < atoms.count; i++)
    if (atoms.at[i]->op == EXPR_SEXT)
      return atoms.at[i];
  return NULL;
}

// By itself it is a low digit; and with a number as its size it is natural
// already, if that is known.
static bool is_as_it_is(const Sides *sides, const Addend *part,
                        const Expr *atom, const Expr *others) {
  const Naturals *naturals = sides->to->naturals;
  return expr_is_const(others) &&
         (part->factor == 1 ||
          (naturals && naturals_is_natural(naturals, atom->args[0])));
}

//   s * sext(x) == s * zext(x + 2^(w-1)) - s * 2^(w-1)
//
// of a number x of w bits: one that may be below zero becomes natural, and
// what is added to it stands on the other side.
static void push_natural(Sides *sides, Addend part) {
  Task *task = sides->task;
  Expr *atom = signed_atom(task, part.term);
  Expr *others = atom ? without(task, part.term, atom) : NULL;
  if (!others || signed_atom(task, others) ||
      is_as_it_is(sides, &part, atom, others)) {
    push_part(sides, part);
    return;
  }
  Expr *number = atom->args[0];
  uint64_t least = (uint64_t)1 << (number->width - 1);
  Expr *moved = expr_add(task, number, expr_const(task, number->width, least));
  uint64_t factor = part.factor * least & expr_mask(atom->width);
  const unsigned other_side = !part.side;
  part.term = expr_mul(task, others, expr_zext(task, moved, atom->width));
  push_part(sides, part);
  push_part(sides, (Addend){others, factor, other_side});
}

static void add_sum(Sides *sides, Expr *e, uint64_t factor, unsigned side,
                    unsigned depth);

// A sum that does not wrap is that of its parts.
static void add_summand(Sides *sides, Expr *e, uint64_t factor, unsigned side,
                        unsigned depth) {
  if (expr_is_const(e) || (e->op == EXPR_MUL && expr_is_const(e->args[1]))) {
    factor *= expr_is_const(e) ? e->value : e->args[1]->value;
    e = expr_is_const(e) ? expr_const(sides->task, e->width, 1) : e->args[0];
  }
  Expr *sum = depth ? whole_of(sides->to, e) : NULL;
  if (sum && sum->op == EXPR_ADD) {
    add_sum(sides, sum, factor, side, depth - 1);
    return;
  }
  const unsigned unused = 64 - e->width;
  const bool is_less = (int64_t)(factor << unused) < 0;
  factor = (is_less ? -factor : factor) & expr_mask(e->width);
  push_natural(sides, (Addend){product_of_all(sides->to, e, MOST_FACTORS),
                               factor, side ^ is_less});
}

static void add_sum(Sides *sides, Expr *e, uint64_t factor, unsigned side,
                    unsigned depth) {
  for (; e->op == EXPR_ADD; e = e->args[0])
    add_summand(sides, e->args[1], factor, side, depth);
  add_summand(sides, e, factor, side, depth);
}

static Sides sides_of(const Splitting *to, const Expr *equality) {
  Sides sides = {.task = to->task, .to = to, .width = equality->args[0]->width};
  add_sum(&sides, equality->args[0], 1, 0, MOST_NESTING);
  add_sum(&sides, equality->args[1], 1, 1, MOST_NESTING);
  for (unsigned i = 0; i < sides.count; i++)
    sides.unit = greatest_common_divisor(sides.unit, sides.parts[i].factor);
  for (unsigned i = 0; i < sides.count; i++)
    sides.parts[i].factor /= sides.unit;
  return sides;
}

// ---------------------------------------------------------------- radixes ---

// The part without the radix, but for the numbers in it; NULL: it is low.
static Expr *high_of(const Sides *sides, const Addend *part,
                     const Radix *radix) {
  if (radix->size)
    return without(sides->task, part->term, radix->size);
  return part->factor % radix->number ? NULL : part->term;
}

// In the width of the sums.
static Expr *size_of(const Sides *sides, const Radix *radix, unsigned width) {
  return radix->size ? expr_zext(sides->task, radix->size, width)
                     : expr_const(sides->task, width, 1);
}

// Where one term alone has it, and nothing else, it is no size of others.
static unsigned uses_of(const Sides *sides, Expr *radix) {
  unsigned uses = 0;
  bool is_alone = true;
  for (unsigned i = 0; i < sides->count; i++) {
    const Expr *rest = without(sides->task, sides->parts[i].term, radix);
    uses += rest != NULL;
    is_alone = is_alone && (!rest || expr_is_const(rest));
  }
  return uses == 1 && is_alone ? 0 : uses;
}

static bool is_among(const Exprs *list, const Expr *e) {
  for (size_t i = 0; i < list->count; i++)
    if (list->at[i] == e)
      return true;
  return false;
}

// A product of which the program says that it fits, as the size of a matrix.
static void add_products(const Sides *sides, unsigned fewest, Exprs *radixes) {
  const Exprs *products = &sides->to->products;
  for (size_t i = 0; i < products->count; i++)
    if (radixes->count < MOST_RADIXES + MOST_PRODUCTS &&
        !is_among(radixes, products->at[i]) &&
        uses_of(sides, products->at[i]) >= fewest)
      push(&sides->task->arena, radixes, products->at[i]);
}

// Factors of terms, the most frequent first: where nobody is asked, of one term
// alone, too, if it is a product: x is of a first row, y * s + x of others.
static Exprs radixes_of(const Sides *sides) {
  Exprs atoms = {0}, radixes = {0};
  if (sides->is_cut)
    return radixes;
  for (unsigned i = 0; i < sides->count; i++)
    add_atoms(sides->task, sides->parts[i].term, atoms.count + MOST_ATOMS,
              &atoms);
  const unsigned fewest = sides->to->refuter ? 2 : 1;
  for (unsigned uses = sides->count; uses >= fewest; uses--)
    for (size_t i = 0; i < atoms.count; i++)
      if (radixes.count < MOST_RADIXES && !expr_is_const(atoms.at[i]) &&
          !is_among(&radixes, atoms.at[i]) &&
          uses_of(sides, atoms.at[i]) == uses)
        push(&sides->task->arena, &radixes, atoms.at[i]);
  add_products(sides, fewest, &radixes);
  return radixes;
}

typedef struct Numbers {
  unsigned count;
  uint64_t at[MOST_PARTS];
} Numbers;

static void add_number(Numbers *numbers, uint64_t number) {
  unsigned i = 0;
  while (i < numbers->count && numbers->at[i] > number)
    i++;
  if (number < 2 || (i < numbers->count && numbers->at[i] == number))
    return;
  for (unsigned k = numbers->count++; k > i; k--)
    numbers->at[k] = numbers->at[k - 1];
  numbers->at[i] = number;
}

// The factors of terms, the largest first.
static Numbers numbers_of(const Sides *sides) {
  Numbers numbers = {0};
  for (unsigned i = 0; i < sides->count && !sides->is_cut; i++)
    if (!expr_is_const(sides->parts[i].term))
      add_number(&numbers, sides->parts[i].factor);
  return numbers;
}

// ---------------------------------------------------------------- digits ---

// x and y of one side, in the width of the program or a wider one.
typedef struct Digits {
  Expr *high, *low;
} Digits;

static void add_to(Task *task, Expr **sum, Expr *term, uint64_t factor) {
  Expr *number = expr_const(task, term->width, factor);
  *sum = expr_add(task, *sum, expr_mul(task, term, number));
}

// Room for MOST_PARTS products of two terms, a factor and the unit; or of as
// many terms as there are atoms.
static unsigned room(const Sides *sides, bool is_exact) {
  return (is_exact ? MOST_ATOMS + 3 : 4) * sides->width + 8;
}

// A product as it is modulo 2^w, or exactly that of its atoms, which is no
// less: where such a sum fits none of its products wraps.
static Expr *in_room(const Sides *sides, Expr *product, bool is_exact) {
  Task *task = sides->task;
  unsigned width = room(sides, is_exact);
  Exprs atoms = {0};
  if (!is_exact)
    return expr_zext(task, product, width);
  add_atoms(task, product, MOST_ATOMS, &atoms);
  Expr *whole = expr_const(task, width, 1);
  for (size_t i = 0; i < atoms.count; i++)
    whole = expr_mul(task, whole, expr_zext(task, atoms.at[i], width));
  return whole;
}

static Digits digits_of(const Sides *sides, unsigned side, const Radix *radix,
                        bool is_exact) {
  Task *task = sides->task;
  Expr *zero = expr_const(task, room(sides, is_exact), 0);
  Digits digits = {zero, zero};
  for (unsigned i = 0; i < sides->count; i++) {
    const Addend *part = &sides->parts[i];
    if (part->side != side)
      continue;
    Expr *rest = high_of(sides, part, radix);
    Expr *term = in_room(sides, rest ? rest : part->term, is_exact);
    add_to(task, rest ? &digits.high : &digits.low, term, part->factor);
  }
  return digits;
}

// Numbers are told by their bounds.
static bool holds(const Splitting *to, const Radix *radix, Expr *condition) {
  Exprs formulas = {0};
  if (expr_is_const(condition) || !to->refuter || !radix->size)
    return expr_is_true(condition);
  exprs_add(to->task, &to->facts, &formulas);
  push(&to->task->arena, &formulas, expr_not(to->task, condition));
  return to->refuter->refutes(to->refuter->data, &formulas);
}

// What x and x' are multiples of, or else y and y', as all of their parts are.
static uint64_t unit_of(const Sides *sides, const Radix *radix, bool is_high) {
  uint64_t unit = 0;
  for (unsigned i = 0; i < sides->count; i++)
    if (!high_of(sides, &sides->parts[i], radix) != is_high)
      unit = greatest_common_divisor(unit, sides->parts[i].factor);
  return unit;
}

static bool is_low_small(const Splitting *to, const Sides *sides, unsigned side,
                         const Radix *radix, bool is_exact) {
  Task *task = to->task;
  unsigned width = room(sides, is_exact);
  Expr *low = digits_of(sides, side, radix, is_exact).low;
  Expr *unit = expr_const(task, width, unit_of(sides, radix, true));
  Expr *limit = expr_mul(task, size_of(sides, radix, width), unit);
  return naturals_are_below(to->naturals, low, limit) ||
         (!is_exact &&
          holds(to, radix, expr_binary(task, EXPR_ULT, low, limit)));
}

static bool is_unwrapped(const Splitting *to, const Sides *sides, unsigned side,
                         const Radix *radix, bool is_exact) {
  Task *task = to->task;
  unsigned width = room(sides, is_exact);
  Digits digits = digits_of(sides, side, radix, is_exact);
  Expr *sum =
      expr_add(task, expr_mul(task, digits.high, size_of(sides, radix, width)),
               digits.low);
  Expr *unit = expr_const(task, width, sides->unit);
  Expr *whole = expr_mul(task, sum, unit);
  Expr *most = expr_const(task, width, expr_mask(sides->width));
  return naturals_fit(to->naturals, whole, sides->width) ||
         (!is_exact &&
          holds(to, radix, expr_binary(task, EXPR_ULE, whole, most)));
}

static bool is_digit(const Splitting *to, const Sides *sides, unsigned side,
                     const Radix *radix) {
  return (is_low_small(to, sides, side, radix, true) ||
          is_low_small(to, sides, side, radix, false)) &&
         (is_unwrapped(to, sides, side, radix, true) ||
          is_unwrapped(to, sides, side, radix, false));
}

static bool is_radix(const Splitting *to, const Sides *sides,
                     const Radix *radix) {
  return is_digit(to, sides, 0, radix) && is_digit(to, sides, 1, radix);
}

// ------------------------------------------------------------- equalities ---

static bool may_split(const Expr *e) {
  return e->op == EXPR_EQ && e->args[0]->width > 1 && e->args[0]->width <= 64;
}

static Expr *split(Splitting *to, Expr *e);

// The equality of the digits, which do not wrap: what all of their parts are
// multiples of is the same on both sides.
static Expr *equal_digits(const Sides *sides, const Radix *radix,
                          bool is_high) {
  Task *task = sides->task;
  Expr *zero = expr_const(task, sides->width, 0), *digit[] = {zero, zero};
  uint64_t unit = unit_of(sides, radix, is_high);
  for (unsigned i = 0; i < sides->count; i++) {
    const Addend *part = &sides->parts[i];
    Expr *rest = high_of(sides, part, radix);
    if (!rest != is_high)
      add_to(task, &digit[part->side], rest ? rest : part->term,
             part->factor / unit);
  }
  return expr_eq(task, digit[0], digit[1]);
}

static Expr *split_by(Splitting *to, const Sides *sides, const Radix *radix) {
  return expr_and(to->task, split(to, equal_digits(sides, radix, true)),
                  split(to, equal_digits(sides, radix, false)));
}

// Else it is `e`.
static Expr *split_by_number(Splitting *to, const Sides *sides, Expr *e) {
  const Numbers numbers = numbers_of(sides);
  for (unsigned i = 0; i < numbers.count; i++) {
    const Radix radix = {.number = numbers.at[i]};
    if (is_radix(to, sides, &radix))
      return split_by(to, sides, &radix);
  }
  return e;
}

// A number in more bits, as what facts say of it if it is a sum; NULL: they say
// nothing.
static Expr *lengthened(const Splitting *to, Expr *a) {
  Expr *extended = expr_sext(to->task, a, 2 * a->width);
  return is_extended_sum(extended) ? whole_of(to, extended) : extended;
}

// Numbers are equal if they are so in more bits, in which it is known of what
// they are sums that do not wrap.  Else `e`.
static Expr *longer(const Splitting *to, Expr *e) {
  enum { LONGEST = 32 };
  Expr *a = e->args[0], *b = e->args[1];
  if (a->width > LONGEST)
    return e;
  a = lengthened(to, a);
  b = lengthened(to, b);
  return a && b ? expr_eq(to->task, a, b) : e;
}

static Expr *split(Splitting *to, Expr *e);

static Expr *split_as_it_is(Splitting *to, Expr *e) {
  Sides sides = sides_of(to, e);
  Exprs radixes = radixes_of(&sides);
  for (size_t i = 0; i < radixes.count && to->left; i++) {
    const Radix radix = {.size = radixes.at[i]};
    to->left--;
    if (is_radix(to, &sides, &radix))
      return split_by(to, &sides, &radix);
  }
  return split_by_number(to, &sides, e);
}

// Of how many bits the longest term of a sum is before it is extended; 0: some
// term is none that is.
static unsigned bits_of(const Expr *e) {
  if (e->op == EXPR_ADD) {
    unsigned a = bits_of(e->args[0]), b = bits_of(e->args[1]);
    return !a || !b ? 0 : a > b ? a : b;
  }
  if (e->op == EXPR_MUL && expr_is_const(e->args[1]))
    e = e->args[0];
  if (e->op == EXPR_ZEXT || e->op == EXPR_SEXT)
    return e->args[0]->width;
  return expr_is_const(e);
}

// Equal numbers have equal low bits, as many as the terms of the sums are made
// of: what has a sign in more bits may be a sum of digits in these.  Else `e`.
static Expr *shorter(const Splitting *to, Expr *e) {
  Expr *a = e->args[0], *b = e->args[1];
  unsigned bits = bits_of(a), others = bits_of(b);
  if (!bits || !others)
    return e;
  bits = others > bits ? others : bits;
  return expr_eq(to->task, expr_extract(to->task, a, 0, bits),
                 expr_extract(to->task, b, 0, bits));
}

// The low bits say less than all of them, so the equality stays beside what
// they are split into.
static Expr *split_shorter(Splitting *to, Expr *e) {
  Expr *low = may_split(e) ? shorter(to, e) : e;
  Expr *digits = may_split(low) && low != e ? split_as_it_is(to, low) : low;
  return digits == low ? e : expr_and(to->task, e, digits);
}

static Expr *split(Splitting *to, Expr *e) {
  if (!may_split(e))
    return e;
  Expr *in_more = longer(to, e);
  Expr *digits = may_split(in_more) ? split_as_it_is(to, in_more) : in_more;
  if (digits == in_more)
    digits = split_shorter(to, in_more);
  return in_more == e || digits != in_more ? digits : split_as_it_is(to, e);
}

static bool has_radix(const Splitting *to, const Expr *e) {
  if (!may_split(e) || stated(to->task, e))
    return false;
  Sides sides = sides_of(to, e);
  return radixes_of(&sides).count > 0;
}

static bool has_number(const Splitting *to, const Expr *e) {
  if (!may_split(e))
    return false;
  Sides sides = sides_of(to, e);
  return numbers_of(&sides).count > 0;
}

// ------------------------------------------------------------------ facts ---

static void add_conjuncts(Task *task, Expr *e, Exprs *to) {
  if (e->op != EXPR_AND) {
    push(&task->arena, to, e);
    return;
  }
  add_conjuncts(task, e->args[0], to);
  add_conjuncts(task, e->args[1], to);
}

// What is split is no fact to those that ask whether it may be: it is what
// makes the question hard.
bool radix_split(Task *task, const Refuter *refuter, const Exprs *from,
                 Exprs *to) {
  Splitting splitting = {.task = task,
                         .refuter = refuter,
                         .left = refuter ? MOST_SPLITS : MOST_READ};
  bool has_changed = false, has_numbers = false;
  find_wholes(&splitting, from);
  for (size_t i = 0; i < from->count; i++) {
    has_numbers |= has_number(&splitting, from->at[i]);
    if (!has_radix(&splitting, from->at[i]))
      push(&task->arena, &splitting.facts, from->at[i]);
  }
  if (splitting.facts.count == from->count && !has_numbers)
    return false;
  splitting.naturals = naturals_find(task, &splitting.facts, from);
  for (size_t i = 0; i < from->count; i++) {
    bool is_stated = stated(task, from->at[i]);
    Expr *e = is_stated ? from->at[i] : split(&splitting, from->at[i]);
    if (e == from->at[i])
      push(&task->arena, to, e);
    else
      add_conjuncts(task, e, to);
    has_changed |= e != from->at[i];
  }
  if (has_changed && !refuter)
    wholes_join(task, to);
  return has_changed;
}
